//! Which messages of the model say nothing: a beginning that the next message makes anew. What a message says is never the reason: one that
//! begins like an error may be the answer.

use crate::model::message::{Message, Part, Role};

/// Whether a message of the model is but a beginning that the next message makes anew.
pub fn is_void(message: &Message, next: Option<&Message>) -> bool {
    let Some(text) = only_text(message) else { return false };
    next.and_then(only_text).is_some_and(|longer| longer.len() > text.len() && longer.starts_with(text))
}

/// The text of a message of the model that has one text and calls nothing.
fn only_text(message: &Message) -> Option<&str> {
    let mut texts = message.parts.iter().filter(|part| !matches!(part, Part::Reasoning { .. }));
    match (message.role, texts.next(), texts.next()) {
        (Role::Assistant, Some(Part::Text { text, .. }), None) => Some(text.trim()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aborted_beginnings_hold_nothing_and_answers_about_errors_do() {
        let message =
            |text: &str| Message { role: Role::Assistant, parts: vec![Part::text(text.to_owned())], marker: None, has_cache_mark: false };
        for answer in
            ["Rate limits of your plan are 500 requests a minute.", "Error E-4711 comes from the paper tray: open it and close it."]
        {
            assert!(!is_void(&message(answer), None), "{answer}");
        }
        assert!(is_void(&message("I will now"), Some(&message("I will now read the file."))));
        assert!(!is_void(&message("I will now"), Some(&message("The file is read."))));
        assert!(!is_void(&message("The file is read."), None));
    }
}
