//! The placeholder that stands for a cleared tool result: what it was, how large, how to get it back, and at most two of its lines, which
//! were used later. A constant function of the result and the decision, so that the prompt cache keeps matching.

use crate::clip::{ROOM_CHARS, clean_within, clip, first_chars, one_line};
use crate::fingerprint::Print;
use crate::state::KeptLines;

/// Longest line that is kept, in characters.
const LINE_CHARS: usize = 160;

/// The placeholder for the result of `tool` with this text and `media`, such as `2 × image`; keeps these `lines` of it, and says the id
/// under which the result can be recalled, if it can.
pub fn placeholder(tool: &str, text: &str, tokens: u32, media: &str, lines: KeptLines, recall_id: Option<u64>) -> String {
    let tool = first_chars(tool, 64);
    let held = if media.is_empty() { String::new() } else { format!(" and held {media}") };
    let count = text.lines().count();
    let size = if count > 1 { format!("{count} lines, about {tokens} tokens") } else { format!("about {tokens} tokens") };
    let way = recall_id.map_or("Call the tool again".to_owned(), |id| format!("Recall it by id {id}"));
    let kept: Vec<String> = [lines.first, lines.second]
        .into_iter()
        .filter_map(|number| text.lines().nth((number as usize).checked_sub(1)?))
        .map(|line| clean_within(&one_line(&clip(line, LINE_CHARS + ROOM_CHARS)), LINE_CHARS))
        .filter(|line| !line.is_empty())
        .collect();
    let used = if kept.is_empty() { String::new() } else { format!(" Of it was used later:\n{}\n", kept.join("\n")) };
    format!("[Old result of {tool} cleared to save context; it had {size}{held}. {way} if you need it.{used}]")
}

/// A result that the model has not seen, without its `media`, such as `2 × image`, for which there was no room. Asking again would give
/// the same, so it says what to ask for instead.
pub fn without_media(text: &str, media: &str) -> String {
    let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!(
        "{text}{separator}[{media} left out: too large for what is left of the context window. Ask for less: a smaller image, a part of it, \
         fewer pages.]"
    )
}

/// The id under which a result can be recalled: nine digits, which are three tokens.
pub fn recall_id(print: Print) -> u64 {
    100_000_000 + print % 900_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: KeptLines = KeptLines { first: 0, second: 0 };

    #[test]
    fn a_placeholder_says_what_it_was_and_keeps_two_whole_lines() {
        let lines = KeptLines { first: 2, second: 3 };
        let text = placeholder("read_file", "use std::fs;\n  see src/main.rs and order_4711\nplain words\nmore", 20, "", lines, None);
        assert!(
            text.contains("read_file cleared") && text.contains("it had 4 lines, about 20 tokens. Call the tool again if you need it."),
            "{text}"
        );
        assert!(text.ends_with("Of it was used later:\nsee src/main.rs and order_4711\nplain words\n]"), "{text}");
        // A decision about another text finds no lines there.
        assert!(!placeholder("read_file", "one", 20, "", lines, None).contains("used later"));
    }

    #[test]
    fn a_placeholder_keeps_no_secret() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = format!("a.env holds DB_PASSWORD={secret} for db-7.internal");
        let text = placeholder("read_file", &text, 20, "", KeptLines { first: 1, second: 0 }, None);
        assert!(text.contains("a.env holds DB_PASSWORD=[redacted] for db-7.internal") && !text.contains(&secret), "{text}");
    }

    #[test]
    fn a_placeholder_names_the_media_it_stands_for() {
        let text = placeholder("screenshot", "", 3_200, "2 × image", NONE, Some(recall_id(77)));
        assert!(text.contains("it had about 3200 tokens and held 2 × image. Recall it by id 100000077 if"), "{text}");
    }
}
