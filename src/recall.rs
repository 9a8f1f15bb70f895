//! Finds results again that were cleared or folded: whole, by lines, or what matches a pattern. The text is for the model.
//! Looks only at the messages it is given; which belong to the session is the caller's business. Pure.

use serde::Serialize;

use crate::clip::clip;
use crate::entry::Entry;
use crate::history::Place;
use crate::json::Value;
use crate::message::{Message, Output, Part, ToolResult};
use crate::texts::placeholder::recall_id;

/// Lines of matches in one answer.
const MATCHES: usize = 100;
/// Results in one list.
const LISTED: usize = 60;
/// Characters of a line that are shown; a longer one is shown from a little before the match on.
const LINE_CHARS: usize = 400;
/// Bytes before the match.
const LEAD_BYTES: usize = 120;

/// What the model asks for.
pub struct Wanted<'a> {
    /// The id in a placeholder, or a `toolCallId`; empty for all results.
    pub id: &'a str,
    /// Plain text, letter case ignored: `|` stands between alternatives, `*` for anything on the same line. Empty for everything.
    pub pattern: &'a str,
    /// First line, counted from one; zero for the first.
    pub from_line: usize,
    /// Last line; zero for the last.
    pub to_line: usize,
}

/// What was found.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Recalled {
    /// The whole result at this place, as it stands there.
    Whole(Place),
    /// This text about results.
    Text(String),
    /// There is no such result here.
    Nothing(&'static str),
}

/// Answers what the model asks for, from these messages and their entries. Newest first: what was seen last is sought most.
pub fn recall(messages: &[Message], entries: &[Entry], wanted: &Wanted<'_>) -> Recalled {
    let pattern = wanted.pattern.as_bytes().to_ascii_lowercase();
    let last_line = if wanted.to_line == 0 { usize::MAX } else { wanted.to_line };
    let is_whole = pattern.is_empty() && wanted.from_line == 0 && wanted.to_line == 0;
    let mut text = String::new();
    let mut room = if pattern.is_empty() { LISTED } else { MATCHES };
    // What was brought back before stands twice in the messages.
    let mut searched = Vec::new();
    for (message, entry) in entries.iter().enumerate().rev() {
        for (index, known) in entry.parts.iter().enumerate().rev() {
            let Some(Part::Result(result)) = messages.get(message).and_then(|message| message.parts.get(index)) else { continue };
            let id = recall_id(known.print).to_string();
            let is_named = !wanted.id.is_empty() && (wanted.id == id || wanted.id == result.id);
            if is_named && is_whole {
                return Recalled::Whole(Place { message, part: index });
            }
            if !is_named && !wanted.id.is_empty() || room == 0 {
                continue;
            }
            let whole = text_of(result);
            if !is_named && (is_answer(&whole) || searched.contains(&whole)) {
                continue;
            }
            let lines = whole.as_bytes().split(|byte| *byte == b'\n');
            let title =
                || format!("[{id} {}, {} lines]\n", brief_of(entries, result), whole.as_bytes().split(|byte| *byte == b'\n').count());
            if is_whole {
                text.push_str(&title());
                room -= 1;
                continue;
            }
            let (mut number, mut start) = (0, 0);
            let mut chosen = (usize::MAX, 0);
            let mut is_titled = false;
            for line in lines {
                number += 1;
                let end = start + line.len();
                if number >= wanted.from_line && number <= last_line {
                    chosen = (chosen.0.min(start), end);
                    if room > 0
                        && let Some(at) = place_of_match(line, &pattern)
                    {
                        room -= 1;
                        if !is_titled {
                            text.push_str(&title());
                            is_titled = true;
                        }
                        text.push_str(&format!("{number}: {}\n", around(&whole[start..end], at)));
                    }
                }
                start = end + 1;
            }
            if is_titled {
                searched.push(whole.clone());
            }
            if is_named && pattern.is_empty() {
                let lines = whole.get(chosen.0..chosen.1).unwrap_or_default();
                return Recalled::Text(if lines.is_empty() { title() } else { lines.to_owned() });
            }
        }
    }
    if text.is_empty() {
        return Recalled::Nothing("[Nothing was found. Without id and pattern all results are listed that can be recalled.]");
    }
    if room == 0 {
        text.push_str("[There may be more: ask for one id, for lines or with a longer pattern.]");
    }
    Recalled::Text(text)
}

/// Whether a text is what was answered to an earlier question: it begins with the title of a result.
fn is_answer(text: &str) -> bool {
    let title = text.lines().next().unwrap_or_default();
    let id = title.strip_prefix('[').and_then(|title| title.split_once(' ')).map_or("", |(id, _)| id);
    id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_digit()) && title.ends_with(" lines]")
}

/// The text of a result, also where a store has made JSON of it.
fn text_of(result: &ToolResult) -> String {
    let text = result.output.to_text();
    match &result.output {
        Output::Json(_) | Output::ErrorJson(_) => match Value::parse(&text) {
            Some(Value::Text(inner)) => inner.into_owned(),
            _ => text,
        },
        _ => text,
    }
}

/// The call of a result in a line.
fn brief_of(entries: &[Entry], result: &ToolResult) -> String {
    for part in entries.iter().flat_map(|entry| &entry.parts) {
        if let Some(call) = part.call.as_ref().filter(|_| part.id == result.id) {
            return call.brief();
        }
    }
    result.name.clone()
}

/// Where a line matches one of the alternatives of a pattern. Takes time in proportion to both lengths.
fn place_of_match(line: &[u8], pattern: &[u8]) -> Option<usize> {
    let line = line.to_ascii_lowercase();
    pattern.split(|byte| *byte == b'|').filter(|pieces| !pieces.is_empty()).find_map(|alternative| {
        let (mut from, mut first) = (0, None);
        for piece in alternative.split(|byte| *byte == b'*') {
            // Who thinks of an expression writes `.*`.
            let piece = piece.strip_suffix(b".").unwrap_or(piece);
            if piece.is_empty() {
                continue;
            }
            let at = from + line.get(from..)?.windows(piece.len()).position(|place| place == piece)?;
            from = at + piece.len();
            first = first.or(Some(at));
        }
        Some(first.unwrap_or_default())
    })
}

/// A line, or what stands around a place in a long one.
fn around(line: &str, at: usize) -> String {
    if line.len() <= LINE_CHARS {
        return line.to_owned();
    }
    let start = (0..=at.saturating_sub(LEAD_BYTES)).rev().find(|start| line.is_char_boundary(*start)).unwrap_or(0);
    clip(&line[start..], LINE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything_and_for_nothing() {
        for (pattern, line, place) in [
            ("error*", "fatal error", Some(6)),
            ("error.*", "fatal error", Some(6)),
            ("*error", "fatal error", Some(6)),
            ("fatal*error", "fatal error", Some(0)),
            ("error*fatal", "fatal error", None),
            ("*", "fatal error", Some(0)),
            ("none|fatal", "fatal error", Some(0)),
        ] {
            assert_eq!(place_of_match(line.as_bytes(), pattern.as_bytes()), place, "{pattern}");
        }
    }
}
