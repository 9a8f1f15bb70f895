//! The placeholder that stands for a cleared tool result: what it was, how large, how to get it back, and the
//! identifiers it spoke of. A constant function of the result, so that the prompt cache keeps matching.

use crate::table::{Table, name_key};
use crate::tokens::estimate::estimate_tokens;

/// Longest identifier that is kept, in bytes.
const IDENTIFIER_BYTES: usize = 120;

/// The placeholder for the result of `tool` with this text and `media`, such as `2 × image`; keeps up to `gist_tokens` of identifiers.
pub fn placeholder(tool: &str, text: &str, tokens: u32, media: &str, gist_tokens: u32) -> String {
    let tool: String = tool.chars().take(64).collect();
    let gist = gist(text, gist_tokens);
    let mention = if gist.is_empty() { String::new() } else { format!(" It mentioned: {gist}") };
    let held = if media.is_empty() { String::new() } else { format!(" and held {media}") };
    format!(
        "[Old result of {tool} cleared to save context; it had about {tokens} tokens{held}. Call the tool again if you need it.{mention}]"
    )
}

/// The first distinct identifiers of a text (paths, ids, urls, numbers with structure), up to `tokens` tokens.
fn gist(text: &str, tokens: u32) -> String {
    let mut seen = Table::default();
    let mut found = String::new();
    let mut used = 0;
    for word in identifiers(text) {
        if used >= tokens {
            break;
        }
        if seen.insert(name_key(word), 0).is_some() {
            continue;
        }
        let cost = estimate_tokens(word) + 1;
        if used + cost > tokens {
            continue;
        }
        used += cost;
        if !found.is_empty() {
            found.push(' ');
        }
        found.push_str(word);
    }
    found
}

/// Words that look like identifiers: at least five characters of `[A-Za-z0-9_./:@-]`, with structure in them.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '@' | '-')))
        .map(|word| word.trim_start_matches(['.', ':', '-', '@']).trim_end_matches(['.', ':', '-', '/']))
        .filter(|word| (5..=IDENTIFIER_BYTES).contains(&word.len()))
        .filter(|word| word.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'/' | b':' | b'@' | b'-')))
        .filter(|word| word.bytes().any(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_says_what_it_was_and_keeps_identifiers() {
        let text = placeholder("read_file", "see src/main.rs and order_4711, plain words, src/main.rs again", 20, "", 100);
        assert!(
            text.contains("read_file") && text.contains("tokens. Call the tool again") && text.contains("src/main.rs order_4711"),
            "{text}"
        );
        assert_eq!(text.matches("src/main.rs").count(), 1);
    }

    #[test]
    fn a_placeholder_without_room_for_identifiers_has_none() {
        let text = placeholder("t", "src/main.rs", 3, "", 0);
        assert!(!text.contains("main.rs"));
    }

    #[test]
    fn a_placeholder_names_the_media_it_stands_for() {
        let text = placeholder("screenshot", "", 3_200, "2 × image", 0);
        assert!(text.contains("it had about 3200 tokens and held 2 × image."), "{text}");
    }
}
