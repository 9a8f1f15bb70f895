//! Which results are answers of ours to earlier questions: they are not found again. The tool's name is the user's choice and says nothing.

use super::{CALL_MESSAGES, MORE, NOTHING, OF_MODEL, OF_USER_SIDE, REFUSED_PAGES, UNSEEN_END, UNSEEN_RESULTS, call_of};
use crate::json::Value;
use crate::model::entry::Entry;
use crate::model::message::{Message, Part, ToolResult};
use crate::text::hash::HashSet;
use crate::words::placeholder::recall_id;

/// A longer input is no question of ours: its pattern is cut to 200 characters.
const QUESTION_BYTES: usize = 2_000;

/// Which results are answers to earlier questions. The tool's name is the user's choice, so the question decides: it has no other fields than
/// ours, and names a result that is there. Answers that begin with a title need no question.
pub(super) struct Answers<'a> {
    messages: &'a [Message],
    entries: &'a [Entry],
    /// All that can be named; collected for the first question.
    names: Option<HashSet<String>>,
}

impl<'a> Answers<'a> {
    /// Of these messages.
    pub(super) fn new(messages: &'a [Message], entries: &'a [Entry]) -> Answers<'a> {
        Answers { messages, entries, names: None }
    }

    /// Whether a result in this message answers such a question.
    pub(super) fn holds(&mut self, message: usize, result: &ToolResult) -> bool {
        let call = call_of(&self.messages[message.saturating_sub(CALL_MESSAGES)..=message], result);
        let Some(requested) = call.and_then(|call| requested_id(&call.input)) else { return false };
        let names = self.names.get_or_insert_with(|| {
            let parts = self.entries.iter().flat_map(|entry| &entry.parts).map(|part| recall_id(part.fingerprint).to_string());
            let results = self.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
                Part::Result(result) => Some(result.id.clone()),
                _ => None,
            });
            parts.chain(results).collect()
        });
        requested != result.id && names.contains(&requested)
    }
}

/// The id in the input of a call that has only fields of a recall.
fn requested_id(input: &str) -> Option<String> {
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

/// Whether a text is what was answered to an earlier question: it begins with the title of a result, or with what is said where there is none.
pub(super) fn is_answer(text: &str) -> bool {
    let is_notice = [NOTHING, MORE, UNSEEN_RESULTS, UNSEEN_END].iter().any(|notice| text.starts_with(notice));
    if is_notice || (text.starts_with('[') && text.ends_with(REFUSED_PAGES) && !text.contains('\n')) {
        return true;
    }
    let title = text.lines().next().unwrap_or_default();
    let id = title.strip_prefix('[').and_then(|title| title.split_once(' ')).map_or("", |(id, _)| id);
    let is_title = [" lines]", OF_USER_SIDE, OF_MODEL].iter().any(|end| title.trim_end_matches(']').ends_with(end.trim_end_matches(']')));
    id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_digit()) && title.ends_with(']') && is_title
}
