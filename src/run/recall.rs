//! Finds results and long messages of the user again that were cleared or folded: whole, by lines, or what matches a pattern, in them or in the inputs of their calls. The
//! text is for the model. Looks only at the messages it is given; which belong to the call is the caller's business. Pure, and without a clock:
//! its work is bounded in bytes. How a pattern is looked for stands in `recall/pattern.rs`, how a match is shown in `recall/shown.rs`, and which
//! results are answers of ours in `recall/answers.rs`.

mod answers;
pub(crate) mod pattern;
mod shown;

use std::ops::Range;

use serde::Serialize;

use crate::digest::call_facts::about;
use crate::digest::reader::OF_USER;
use crate::json::Value;
use crate::model::entry::Entry;
use crate::model::history::Place;
use crate::model::message::{Call, Item, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use crate::providers::media::is_shown_in_results;
use crate::run::recall::answers::{Answers, is_answer};
use crate::run::recall::pattern::{Pattern, Work};
use crate::run::recall::shown::Search;
use crate::text::clip::one_line;
use crate::text::hash::{HashSet, mix};
use crate::words::placeholder::{is_placeholder, recall_id};

/// Lines of matches in one answer.
const MATCHES: usize = 100;
/// Results in one list.
const LISTED: usize = 60;
/// Bytes of an answer at which it ends.
const ANSWER_BYTES: usize = 40_000;
/// Bytes that one question may read: each text once, and once more for each piece of the pattern. Chosen so that 16 MB of results take
/// no more than 100 ms, whatever the pattern.
const WORK_BYTES: usize = 40_000_000;
/// A message of the user that is as long can be recalled like a result.
const MATERIAL_BYTES: usize = 2_000;
/// Messages before a result among which its call is looked for: approvals may stand between the two.
const CALL_MESSAGES: usize = 4;

/// What is said where there is more to say than what was found.
const NOTHING: &str = "[Nothing was found. Without id and pattern all results are listed that can be recalled.]";
const MORE: &str = "[There may be more: ask for one id, for lines or with a longer pattern.]";
const UNSEEN_RESULTS: &str = "[Not all results were looked through: there is too much text for one search. Ask for one id, or with a pattern of fewer alternatives.]";
const UNSEEN_END: &str =
    "[The result was not looked through to its end: it is too long for this pattern. Ask with fewer alternatives, or for lines.]";
/// Behind what a picture or file is: whose it was.
const OF_USER_SIDE: &str = ", attached by the user";
const OF_MODEL: &str = ", made by the model";
/// What is said of one that the model cannot be shown.
const NOT_SHOWN: &str = "[It cannot be shown again: this provider takes no such thing in the result of a tool. A tool that opens files may open it by its name.]";
/// How what is said of stored pages ends.
const REFUSED_PAGES: &str = "could not be read, or belong to another conversation.]";

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
    /// The name that the run's model gives its provider, and the form of its interface; empty where they are not known.
    pub provider: &'a str,
    /// See above.
    pub specification: &'a str,
}

/// What was found.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Recalled {
    /// The whole result at this place, as it stands there.
    Whole(Place),
    /// The picture or file at this place, behind a text that says what it is.
    Media(Place, String),
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
        Recalled::Whole(_) | Recalled::Media(..) => return found,
        Recalled::Text(text) => text.as_str(),
        Recalled::Nothing(text) => text,
    };
    let pages = match wanted.refused_pages {
        1 => "1 stored page of older results".to_owned(),
        count => format!("{count} stored pages of older results"),
    };
    let separator = if text.ends_with('\n') { "" } else { "\n" };
    Recalled::Text(format!("{text}{separator}[{pages} {REFUSED_PAGES}"))
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
    let mut searched = HashSet::default();
    let mut searched_calls = HashSet::default();
    let mut unseen = wanted.older_messages > 0;
    'all: for (message, entry) in entries.iter().enumerate().rev() {
        for (index, known) in entry.parts.iter().enumerate().rev() {
            let part = messages.get(message).and_then(|message| message.parts.get(index));
            let (id, place) = (recall_id(known.fingerprint), Place { message, part: index });
            let (result, of_user) = match part {
                Some(Part::Result(result)) => (Some(result), ""),
                Some(Part::Text { text, .. }) if is_material(entry, text) => (None, text.as_str()),
                Some(Part::Media(media)) if entry.marker.is_none() => {
                    let titled = format!("[{id} {}{}]\n", media.title(), if entry.role() == Role::User { OF_USER_SIDE } else { OF_MODEL });
                    if !wanted.id.is_empty() && wanted.id.parse() == Ok(id) {
                        return match is_shown_in_results(media.kind, wanted.provider, wanted.specification) {
                            true => Recalled::Media(place, titled),
                            false => Recalled::Text(format!("{titled}{NOT_SHOWN}")),
                        };
                    }
                    let is_asked = wanted.id.is_empty() && (is_whole || !pattern.find_lines(&titled, 0..titled.len(), 1, work).is_empty());
                    if is_asked && room > 0 && !has_lines {
                        text.push_str(&titled);
                        room -= 1;
                    }
                    continue;
                }
                _ => continue,
            };
            let is_named = !wanted.id.is_empty() && (result.is_some_and(|result| wanted.id == result.id) || wanted.id.parse() == Ok(id));
            if is_named && is_whole {
                return match result {
                    Some(result) => whole_of(result, place, wanted),
                    None => Recalled::Text(of_user.to_owned()),
                };
            }
            if !is_named && !wanted.id.is_empty() {
                continue;
            }
            if room == 0 || work.left == 0 {
                unseen |= work.left == 0;
                break 'all;
            }
            let whole = result.map_or(of_user.into(), text_of);
            work.spend(whole.len());
            let is_ours = |result| is_answer(&whole) || is_placeholder(&whole) || answers.holds(message, result);
            if !is_named && result.is_some_and(is_ours) {
                continue;
            }
            let call = result.and_then(|result| call_of(&messages[message.saturating_sub(CALL_MESSAGES)..=message], result));
            let brief = || call.map_or_else(|| result.map_or(OF_USER.to_owned(), |result| one_line(&result.name)), about);
            let title = || format!("[{id} {}, {} lines]\n", brief(), line_count(&whole));
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
            let text_hash = mix(0, whole.as_bytes());
            let mut search = Search::new(&pattern, room, work);
            // The lines that are asked for are those of a result.
            if let Some(call) = call.filter(|_| !has_lines)
                && (is_named || searched_calls.insert((mix(0, call.input.as_bytes()), text_hash)))
            {
                search.work.spend(call.input.len());
                search.look("input", &call.input, 0..call.input.len());
            }
            if is_named || searched.insert(text_hash) {
                search.look("", &whole, range);
            }
            let found = search.found;
            unseen |= work.left == 0;
            if found.is_empty() {
                continue;
            }
            text.push_str(&title());
            for line in &found {
                text.push_str(line);
                text.push('\n');
            }
            room = if text.len() > ANSWER_BYTES { 0 } else { room - found.len().min(room) };
        }
    }
    if room == 0 {
        text.push_str(MORE);
    } else if unseen && wanted.id.is_empty() {
        text.push_str(UNSEEN_RESULTS);
    } else if unseen && work.left == 0 {
        text.push_str(UNSEEN_END);
    }
    if text.is_empty() { Recalled::Nothing(NOTHING) } else { Recalled::Text(text) }
}

/// A whole result; without its images and files where the provider's package would write them as text.
fn whole_of(result: &ToolResult, place: Place, wanted: &Wanted<'_>) -> Recalled {
    let Output::Content(items) = &result.output else { return Recalled::Whole(place) };
    let media: Vec<&Media> = items.iter().filter_map(|item| if let Item::Media(media) = item { Some(media) } else { None }).collect();
    // What else it holds came with it, so the package takes it.
    match media.is_empty() || is_shown_in_results(MediaKind::Image, wanted.provider, wanted.specification) {
        true => Recalled::Whole(place),
        false => Recalled::Text(format!("{}\n[{}]\n{NOT_SHOWN}", result.output.as_text(), Media::names(media.into_iter()))),
    }
}

/// Whether a text is a long one of the user's, of which a checkpoint may show parts alone.
fn is_material(entry: &Entry, text: &str) -> bool {
    entry.role() == Role::User && entry.marker.is_none() && text.len() >= MATERIAL_BYTES
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
