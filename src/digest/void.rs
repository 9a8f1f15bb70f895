//! Which messages of the model say nothing: only that a call to it failed, or a beginning that the next message makes anew.
//! Not whether what is said is worth keeping.

use crate::model::message::{Message, Part, Role};
use crate::tokens::estimate::estimate_tokens;

/// A text that begins like a refusal or an error and is longer than this goes on to say something.
pub const SHORT_TOKENS: u32 = 100;
const ERRORS: [&str; 8] =
    ["{\"error", "<!doctype", "<html", "internal server", "rate limit", "too many requests", "service unavailable", "bad gateway"];

/// Whether a message of the model holds nothing but an error, or a beginning that the next message makes anew.
pub fn is_void(message: &Message, next: Option<&Message>) -> bool {
    let Some(text) = only_text(message) else { return false };
    is_error_text(text) || next.and_then(only_text).is_some_and(|longer| longer.len() > text.len() && longer.starts_with(text))
}

/// The text of a message of the model that has one text and calls nothing.
fn only_text(message: &Message) -> Option<&str> {
    let mut texts = message.parts.iter().filter(|part| !matches!(part, Part::Reasoning { .. }));
    match (message.role, texts.next(), texts.next()) {
        (Role::Assistant, Some(Part::Text { text, .. }), None) => Some(text.trim()),
        _ => None,
    }
}

/// Whether a text is what stands where a call to a model failed.
pub fn is_error_text(text: &str) -> bool {
    let bytes = text.as_bytes();
    let word = bytes.iter().position(|byte| matches!(byte, b':' | b' ' | b'\n')).unwrap_or(bytes.len());
    let named =
        ["error", "exception"].iter().any(|end| word >= end.len() && bytes[word - end.len()..word].eq_ignore_ascii_case(end.as_bytes()));
    (named || begins_with(text, &ERRORS)) && estimate_tokens(text) < SHORT_TOKENS
}

/// Whether a text begins with one of these, in letters of any size.
pub fn begins_with(text: &str, beginnings: &[&str]) -> bool {
    beginnings
        .iter()
        .any(|beginning| text.as_bytes().get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_aborted_beginnings_hold_nothing() {
        let message =
            |text: &str| Message { role: Role::Assistant, parts: vec![Part::text(text.to_owned())], marker: None, has_cache_mark: false };
        assert!(is_void(&message("Error: overloaded"), None));
        assert!(is_void(&message("I will now"), Some(&message("I will now read the file."))));
        assert!(!is_void(&message("I will now"), Some(&message("The file is read."))));
        assert!(!is_void(&message("The file is read."), None));
    }
}
