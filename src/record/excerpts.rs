//! What a checkpoint needs of a message: the identifiers its parts speak of, and quotes of what the model said. Of the few messages that
//! are new in a step it is kept in their entries, so that a fold reads again only what it quotes whole; of a history seen all at once it is read when asked.
//! And which of them tell nothing: no answer but an error, a refusal, emptiness. Not what is done with it (`plan::checkpoint`, `record::mentioned`).

use std::borrow::Cow;

use crate::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::message::{Message, Part, Role};
use crate::record::identifiers::{Identifiers, split_written};
use crate::tokens::estimate::estimate_tokens;

/// So many bytes of new messages at most are looked through at once. The first step on a long history must not wait for what it may
/// never need: looking through takes a third of the time that reading does.
pub const AT_ONCE_BYTES: usize = 64 * 1024;
/// Longest quote of what the model said beside a call, in characters.
const QUOTE_CHARS: usize = 160;
/// The same of a message that calls nothing: of an answer more is worth keeping than of what is said before a call.
const ANSWER_CHARS: usize = 480;

/// A text that begins like a refusal or an error and is longer than this goes on to say something.
pub const SHORT_TOKENS: u32 = 100;
const ERRORS: [&str; 8] =
    ["{\"error", "<!doctype", "<html", "internal server", "rate limit", "too many requests", "service unavailable", "bad gateway"];

/// What the parts of a message tell, in order, to be kept: of each its quote, and behind it the identifiers as they are written, a line each.
pub fn excerpts(message: &Message, identifiers: &mut Identifiers) -> String {
    let mut excerpts = String::new();
    for (number, quote) in heard(message, identifiers) {
        excerpts.push_str(&quote);
        excerpts.push('\n');
        identifiers.write(number, &mut excerpts);
        excerpts.push('\n');
    }
    excerpts
}

/// What was kept of each part: its quote and its identifiers.
pub fn each_excerpt(mut excerpts: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (quote, rest) = excerpts.split_once('\n')?;
        let (written, rest) = split_written(rest)?;
        excerpts = rest;
        Some((quote, written))
    })
}

/// For each part of a message its number among `identifiers`, which read it, and its quote.
pub fn heard(message: &Message, identifiers: &mut Identifiers) -> Vec<(usize, String)> {
    // A message that only says that a call to the model failed says nothing.
    let is_quoted = message.role == Role::Assistant && !is_void(message, None);
    let calls = message.parts.iter().any(|part| matches!(part, Part::Call(_)));
    let most_chars = if calls { QUOTE_CHARS } else { ANSWER_CHARS };
    let mut list = Vec::new();
    for said in &message.parts {
        let quote = match said {
            Part::Text { text, .. } if is_quoted => quote(text, most_chars),
            _ => String::new(),
        };
        list.push((identifiers.read(&spoken(said)), quote));
    }
    list
}

fn quote(text: &str, most_chars: usize) -> String {
    let line = one_line(&clip(text, 2_000));
    let line = if line.len() > most_chars { clip(&line, most_chars + ROOM_CHARS) } else { line };
    clean_within(&line, most_chars)
}

/// What a part says.
pub fn spoken(part: &Part) -> Cow<'_, str> {
    match part {
        Part::Result(result) => result.output.as_text(),
        Part::Call(call) => call.input.as_str().into(),
        Part::Text { text, .. } => text.as_str().into(),
        _ => "".into(),
    }
}

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
    use crate::message::Call;

    #[test]
    fn errors_and_aborted_beginnings_hold_nothing() {
        let said = |text: &str| Message { role: Role::Assistant, parts: vec![Part::text(text.to_owned())], marker: None };
        assert!(is_void(&said("Error: overloaded"), None));
        assert!(is_void(&said("I will now"), Some(&said("I will now read the file."))));
        assert!(!is_void(&said("I will now"), Some(&said("The file is read."))));
        assert!(!is_void(&said("The file is read."), None));
    }

    #[test]
    fn a_message_tells_one_line_of_what_was_said_and_what_each_part_speaks_of() {
        let call = Part::Call(Call {
            id: "1".into(),
            name: "read".into(),
            input: r#"{"path":"src/a.rs"}"#.into(),
            omitted_bytes: 0,
            provider_executed: false,
            caller: None,
        });
        let parts = vec![Part::text("I read\nsrc/b.rs now."), call];
        let of = |role, parts| excerpts(&Message { role, parts, marker: None }, &mut Identifiers::default());
        let kept = of(Role::Assistant, parts.clone());
        assert_eq!(kept, "I read src/b.rs now.\n1\u{e}src/b.rs\n\n1\u{e}src/a.rs\n");
        assert_eq!(each_excerpt(&kept).collect::<Vec<_>>(), [("I read src/b.rs now.", "1\u{e}src/b.rs"), ("", "1\u{e}src/a.rs")]);
        // Users are quoted whole, elsewhere; an error in place of an answer is not quoted at all.
        assert_eq!(of(Role::User, parts), "\n1\u{e}src/b.rs\n\n1\u{e}src/a.rs\n");
        assert_eq!(of(Role::Assistant, vec![Part::text("Error: overloaded")]), "\n\n");
    }
}
