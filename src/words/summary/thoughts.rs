//! Thoughts that a model writes into its text, between tags: they are about writing the summary, and no part of it.
//! Knows tags at the beginning of a line alone. A summary may name them elsewhere: it may be about the code that reads them.

use std::borrow::Cow;

/// Tags in which models think aloud.
const TAGS: [&str; 7] = ["think", "thinking", "thought", "thoughts", "reasoning", "analysis", "scratchpad"];

/// The text without thoughts. Nothing is left where it breaks off while it thinks.
pub fn without_thoughts(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return text.into();
    }
    let mut kept = String::new();
    let (mut rest, mut is_code, mut has_opened) = (text, false, false);
    while !rest.is_empty() {
        let (line, behind) = rest.split_at(rest.find('\n').map_or(rest.len(), |end| end + 1));
        let start = line.trim_start();
        is_code ^= start.starts_with("```");
        let opened = TAGS.into_iter().find_map(|tag| Some((tag, behind_open(start, tag)?))).filter(|_| !is_code);
        has_opened |= opened.is_some();
        let closed = opened.and_then(|(tag, _)| behind_close(rest, tag));
        rest = match closed {
            Some(behind) => behind,
            None if opened.is_some() && kept.trim().is_empty() => "",
            // The template of the model has opened it, before the text.
            None if !is_code && !has_opened && TAGS.into_iter().any(|tag| is_close(start, tag)) => {
                has_opened = true;
                kept.clear();
                behind
            }
            _ => {
                kept.push_str(line);
                behind
            }
        };
    }
    if kept.len() == text.len() { text.into() } else { kept.into() }
}

/// What stands behind `<tag>` or `<tag a="b">` at the beginning of a line.
fn behind_open<'t>(line: &'t str, tag: &str) -> Option<&'t str> {
    let rest = line.strip_prefix('<')?;
    let rest = rest.get(..tag.len()).filter(|name| name.eq_ignore_ascii_case(tag)).map(|_| &rest[tag.len()..])?;
    let end = rest.find('>')?;
    (end == 0 || rest.starts_with(' ') && !rest[..end].ends_with('/')).then(|| &rest[end + 1..])
}

/// What stands behind `</tag>`.
fn behind_close<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    text.match_indices("</").find_map(|(at, _)| {
        let rest = text.get(at + 2..)?;
        let name = rest.get(..tag.len())?;
        let behind = rest[name.len()..].trim_start().strip_prefix('>')?;
        name.eq_ignore_ascii_case(tag).then_some(behind)
    })
}

/// Whether a line is `</tag>` and nothing else.
fn is_close(line: &str, tag: &str) -> bool {
    line.starts_with("</") && behind_close(line, tag).is_some_and(|rest| rest.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_thinks_aloud_is_no_part_of_its_summary() {
        for (text, kept) in [
            ("<think>\nThe user wants a summary.\n</think>\n\n## Done\nAll.", "## Done\nAll."),
            ("<think>short</think>## Done", "## Done"),
            ("<Thinking effort=\"high\">a\nb</Thinking >\nAll.", "All."),
            // The template of the model has opened it.
            ("Okay, let me look at <b>this</b>.\n</think>\n\n## Done", "## Done"),
            ("<analysis>\nwhat was done\n</analysis>\n## Done\n<think>\nAnd now?\n</think>\n## Open", "## Done\n\n## Open"),
            ("<think>\n1 </thinking> 2\n</think>\nAll.", "All."),
            // It broke off.
            ("<think>\nThe user wants", ""),
            ("<think></think>", ""),
            // A summary about such tags.
            ("The parser drops `<think>` and\n`</think>`.", "The parser drops `<think>` and\n`</think>`."),
            ("## Code\n```\n<think>\n</think>\n```\nkept", "## Code\n```\n<think>\n</think>\n```\nkept"),
            ("## Open\n<think> is not stripped yet.\n- tests", "## Open\n<think> is not stripped yet.\n- tests"),
            ("a < b, <thinker>x</thinker>", "a < b, <thinker>x</thinker>"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_thoughts(text).trim(), kept, "{text}");
        }
    }
}
