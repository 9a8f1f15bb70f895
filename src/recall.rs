//! Finds results again that were cleared or folded: whole, by lines, or what matches a pattern. The text is for the model.
//! Looks only at the messages it is given; which belong to the session is the caller's business. Pure, and without a clock: its work is
//! bounded in bytes. How a pattern is looked for stands in `recall/pattern.rs`.

pub(crate) mod pattern;

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use crate::clip::clip;
use crate::entry::Entry;
use crate::fingerprint::mix;
use crate::history::Place;
use crate::json::Value;
use crate::message::{Call, Message, Output, Part, ToolResult};
use crate::recall::pattern::{Found, Pattern, Work};
use crate::record::touch::about;
use crate::texts::placeholder::{is_placeholder, recall_id};

/// Lines of matches in one answer.
const MATCHES: usize = 100;
/// Results in one list.
const LISTED: usize = 60;
/// Characters of a line that are shown; a longer one is shown from a little before the match on.
const LINE_CHARS: usize = 400;
/// Bytes before the match.
const LEAD_BYTES: usize = 120;
/// Bytes that one question may read: each text once, and once more for each piece of the pattern. Chosen so that 16 MB of results take
/// no more than 100 ms, whatever the pattern.
const WORK_BYTES: usize = 40_000_000;
/// Messages before a result among which its call is looked for: approvals may stand between the two.
const CALL_MESSAGES: usize = 4;
/// A longer input is no question of ours: its pattern is cut to 200 characters.
const QUESTION_BYTES: usize = 2_000;

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
    /// Messages before the given ones, which are not looked through.
    pub older_messages: usize,
    /// Stored pages of older results that could not be read, or are not this conversation's.
    pub refused_pages: usize,
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
    let mut work = Work { left: WORK_BYTES };
    let found = recall_within(messages, entries, wanted, &mut work);
    let text = match &found {
        _ if wanted.refused_pages == 0 => return found,
        Recalled::Whole(_) => return found,
        Recalled::Text(text) => text.as_str(),
        Recalled::Nothing(text) => text,
    };
    let pages = match wanted.refused_pages {
        1 => "1 stored page of older results".to_owned(),
        count => format!("{count} stored pages of older results"),
    };
    let separator = if text.ends_with('\n') { "" } else { "\n" };
    Recalled::Text(format!("{text}{separator}[{pages} could not be read, or belong to another conversation.]"))
}

fn recall_within(messages: &[Message], entries: &[Entry], wanted: &Wanted<'_>, work: &mut Work) -> Recalled {
    let lowered = wanted.pattern.to_ascii_lowercase();
    let pattern = Pattern::new(&lowered);
    let has_lines = wanted.from_line != 0 || wanted.to_line != 0;
    let is_whole = wanted.pattern.is_empty() && !has_lines;
    let mut text = String::new();
    let mut room = if wanted.pattern.is_empty() { LISTED } else { MATCHES };
    let mut answers = Answers::new(messages, entries);
    // A file that was read twice stands twice in the messages.
    let mut searched = HashSet::new();
    let mut unseen = wanted.older_messages > 0;
    'all: for (message, entry) in entries.iter().enumerate().rev() {
        for (index, known) in entry.parts.iter().enumerate().rev() {
            let Some(Part::Result(result)) = messages.get(message).and_then(|message| message.parts.get(index)) else { continue };
            let id = recall_id(known.fingerprint);
            let is_named = wanted.id == result.id || wanted.id.parse() == Ok(id);
            if is_named && is_whole {
                return Recalled::Whole(Place { message, part: index });
            }
            if !is_named && !wanted.id.is_empty() {
                continue;
            }
            if room == 0 || work.left == 0 {
                unseen |= work.left == 0;
                break 'all;
            }
            let whole = text_of(result);
            work.spend(whole.len());
            if !is_named && (is_answer(&whole) || is_placeholder(&whole) || answers.holds(message, result)) {
                continue;
            }
            let title = || format!("[{id} {}, {} lines]\n", brief_of(&messages[..=message], result), line_count(&whole));
            if is_whole {
                text.push_str(&title());
                room -= 1;
                continue;
            }
            let range = if has_lines { line_range(&whole, wanted.from_line, wanted.to_line) } else { 0..whole.len() };
            if wanted.pattern.is_empty() {
                if is_named {
                    let lines = &whole[range];
                    return Recalled::Text(if lines.is_empty() { title() } else { lines.to_owned() });
                }
                continue;
            }
            if !is_named && !searched.insert(mix(0, whole.as_bytes())) {
                continue;
            }
            let found = pattern.find_lines(&whole, range, room, work);
            unseen |= work.left == 0;
            if found.is_empty() {
                continue;
            }
            room -= found.len();
            text.push_str(&title());
            let (mut number, mut counted) = (1, 0);
            for Found { line, at } in found {
                number += newlines(&whole.as_bytes()[counted..line.start]);
                counted = line.start;
                text.push_str(&format!("{number}: {}\n", around(&whole[line], at)));
            }
        }
    }
    if room == 0 {
        text.push_str("[There may be more: ask for one id, for lines or with a longer pattern.]");
    } else if unseen && wanted.id.is_empty() {
        text.push_str("[Not all results were looked through: there is too much text for one search. Ask for one id, or with a pattern of fewer alternatives.]");
    } else if unseen && work.left == 0 {
        text.push_str(
            "[The result was not looked through to its end: it is too long for this pattern. Ask with fewer alternatives, or for lines.]",
        );
    }
    if text.is_empty() {
        return Recalled::Nothing("[Nothing was found. Without id and pattern all results are listed that can be recalled.]");
    }
    Recalled::Text(text)
}

/// Which results are answers to earlier questions. The tool's name is the user's choice, so the question tells: it has no other fields than
/// ours, and names a result that is there. Answers that begin with a title need no question.
struct Answers<'a> {
    messages: &'a [Message],
    entries: &'a [Entry],
    /// All that can be named; collected for the first question.
    names: Option<HashSet<String>>,
}

impl<'a> Answers<'a> {
    fn new(messages: &'a [Message], entries: &'a [Entry]) -> Answers<'a> {
        Answers { messages, entries, names: None }
    }

    /// Whether a result in this message answers such a question.
    fn holds(&mut self, message: usize, result: &ToolResult) -> bool {
        let call = call_of(&self.messages[message.saturating_sub(CALL_MESSAGES)..=message], result);
        let Some(asked) = call.and_then(|call| asked_id(&call.input)) else { return false };
        let names = self.names.get_or_insert_with(|| {
            let parts = self.entries.iter().flat_map(|entry| &entry.parts).map(|part| recall_id(part.fingerprint).to_string());
            let results = self.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
                Part::Result(result) => Some(result.id.clone()),
                _ => None,
            });
            parts.chain(results).collect()
        });
        asked != result.id && names.contains(&asked)
    }
}

/// The id in the input of a call that has only fields of a recall.
fn asked_id(input: &str) -> Option<String> {
    if input.len() > QUESTION_BYTES {
        return None;
    }
    let Some(Value::Map(fields)) = Value::parse(input) else { return None };
    if !fields.iter().all(|(name, _)| matches!(name.as_ref(), "id" | "pattern" | "fromLine" | "toLine")) {
        return None;
    }
    fields.iter().find(|(name, _)| name.as_ref() == "id").and_then(|(_, value)| match value {
        Value::Text(id) => Some(id.trim().to_owned()),
        Value::Number(id) => Some((*id).to_owned()),
        _ => None,
    })
}

/// The bytes of these lines, counted from one; zero for the first and for the last.
fn line_range(text: &str, from_line: usize, to_line: usize) -> Range<usize> {
    let mut ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at);
    let skipped = from_line.max(1) - 1;
    let start = if skipped == 0 { 0 } else { ends.nth(skipped - 1).map_or(text.len(), |at| at + 1) };
    let end = match to_line.checked_sub(skipped) {
        _ if to_line == 0 => text.len(),
        None | Some(0) => start,
        Some(lines) => ends.nth(lines - 1).unwrap_or(text.len()),
    };
    start..end.max(start)
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn line_count(text: &str) -> usize {
    newlines(text.as_bytes()) + 1
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

/// The call of a result, with which these messages end: it is near their end.
fn call_of<'a>(messages: &'a [Message], result: &ToolResult) -> Option<&'a Call> {
    messages.iter().rev().flat_map(|message| &message.parts).find_map(|part| match part {
        Part::Call(call) if call.id == result.id => Some(call),
        _ => None,
    })
}

/// The same in a line.
fn brief_of(messages: &[Message], result: &ToolResult) -> String {
    call_of(messages, result).map_or_else(|| result.name.clone(), about)
}

/// A line, or what stands around a place in a long one.
fn around(line: &str, at: usize) -> String {
    if line.len() <= LINE_CHARS {
        return line.to_owned();
    }
    let start = (0..=at.saturating_sub(LEAD_BYTES)).rev().find(|start| line.is_char_boundary(*start)).unwrap_or(0);
    clip(&line[start..], LINE_CHARS)
}
