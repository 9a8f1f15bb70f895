//! The placeholder that stands for a cleared tool result: what it was, how large, how to get it back, and the
//! identifiers it spoke of. A constant function of the result, so that the prompt cache keeps matching.

use crate::clip::first_chars;
use crate::fingerprint::Fingerprint;
use crate::record::identifiers::identifiers_within;

/// The placeholder for the result of `tool` with this text and `media`, such as `2 × image`; keeps up to `kept_tokens` of identifiers,
/// and says the id under which the result can be recalled, if it can.
pub fn placeholder(tool: &str, text: &str, tokens: u32, media: &str, kept_tokens: u32, recall_id: Option<u64>) -> String {
    let tool = first_chars(tool, 64);
    let kept = identifiers_within(text, kept_tokens);
    let mention = if kept.is_empty() { String::new() } else { format!(" It mentioned: {kept}") };
    let held = if media.is_empty() { String::new() } else { format!(" and held {media}") };
    let way = recall_id.map_or("Call the tool again".to_owned(), |id| format!("Recall it by id {id}"));
    format!("[Old result of {tool} cleared to save context; it had about {tokens} tokens{held}. {way} if you need it.{mention}]")
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
pub fn recall_id(fingerprint: Fingerprint) -> u64 {
    100_000_000 + fingerprint % 900_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_says_what_it_was_and_keeps_identifiers() {
        let text = placeholder("read_file", "see src/main.rs and order_4711, plain words, src/main.rs again", 20, "", 100, None);
        assert!(
            text.contains("read_file") && text.contains("tokens. Call the tool again") && text.contains("src/main.rs order_4711"),
            "{text}"
        );
        assert_eq!(text.matches("src/main.rs").count(), 1);
    }

    #[test]
    fn a_placeholder_keeps_no_secret() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = placeholder("read_file", &format!("a.env holds DB_PASSWORD={secret} for db-7.internal"), 20, "", 100, None);
        assert!(text.contains("a.env DB_PASSWORD db-7.internal") && !text.contains(&secret), "{text}");
    }

    #[test]
    fn a_placeholder_without_room_for_identifiers_has_none() {
        let text = placeholder("t", "src/main.rs", 3, "", 0, None);
        assert!(!text.contains("main.rs"));
    }

    #[test]
    fn a_placeholder_names_the_media_it_stands_for() {
        let text = placeholder("screenshot", "", 3_200, "2 × image", 0, Some(recall_id(77)));
        assert!(text.contains("it had about 3200 tokens and held 2 × image. Recall it by id 100000077 if"), "{text}");
    }
}
