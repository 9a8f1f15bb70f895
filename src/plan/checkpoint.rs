//! Rung 3, checkpoint: replaces whole turns and steps before the tail by one user message.
//! Decides what is recorded; what of that there is room for is `composition`, its wording `texts::checkpoint`. Incremental: what a checkpoint
//! recorded is never extracted again.

use crate::entry::{Entry, Kind};
use crate::history::{History, Place};
use crate::json::Value;
use crate::message::{Message, Part, Role};
use crate::plan::budget::Budget;
use crate::plan::composition::{INTENT, SAID, compose};
use crate::plan::draft::{Draft, sorted_text};
use crate::policy::checkpoint::{FACTS_BYTES, FULL_TOKENS, KEPT_SHARE, MEDIA_PARTS, REQUEST_SHARE, SUMMARY_SHARE, WORKING_SHARE};
use crate::record::facts::{Access, CallFacts};
use crate::record::heard::heard;
use crate::record::identifiers::Identifiers;
use crate::redact::clean;
use crate::state::{Checkpoint, KeptResult};
use crate::texts::cut::head_and_tail_kept;
use crate::tokens::saturate;

/// Where a fold to at most `target` tokens must end, or `None` when nothing can be folded.
///
/// A small checkpoint is taken to be as large as it may get, a large one half of that. When even folding all that may be folded
/// does not reach the target, all of it is folded.
pub fn fold_end(draft: &Draft<'_>, budget: &Budget, latest_end: usize, target: u32) -> Option<usize> {
    let history = draft.history;
    let start = draft.start();
    let ends: Vec<usize> = draft.fold_ends().filter(|end| *end <= latest_end).collect();
    let fixed = draft.span_tokens(0, history.lead)
        + carried_tokens(draft, latest_end)
        + u64::from((budget.max_checkpoint / 2).max(budget.max_checkpoint.min(FULL_TOKENS)));
    let mut rest = draft.span_tokens(start, history.entries.len());
    let mut from = start;
    for end in &ends {
        rest -= draft.span_tokens(from, *end);
        from = *end;
        let head = draft.head_of(*end);
        if fixed + draft.span_tokens(head.start, head.end) + rest <= u64::from(target) {
            return canonical(draft, *end, latest_end);
        }
    }
    ends.last().and_then(|end| canonical(draft, *end, latest_end))
}

/// Estimated tokens of the media that a checkpoint up to `end` carries along: folding does not save them.
pub fn carried_tokens(draft: &Draft<'_>, end: usize) -> u64 {
    let history = draft.history;
    let media = match &draft.checkpoint {
        Some(checkpoint) => checkpoint.recorded.media.clone(),
        None => {
            (draft.start()..end).find(|index| is_request(&history.entries[*index])).map_or_else(Vec::new, |index| media_of(history, index))
        }
    };
    draft.media_tokens(&media, end)
}

/// Whether a message can be the request: then it is quoted whole.
fn is_request(entry: &Entry) -> bool {
    matches!(entry.role(), Role::User | Role::System)
}

/// The end under which a restored state will find the checkpoint's place again: messages without a part in the chain (blank
/// texts, reasoning alone) share a boundary. None when only such messages would be folded.
fn canonical(draft: &Draft<'_>, end: usize, latest_end: usize) -> Option<usize> {
    let (parts, chain) = draft.history.boundary(end);
    let found = draft.history.find_boundary(parts, chain).filter(|found| *found <= latest_end).unwrap_or(end);
    (found > draft.start()).then_some(found)
}

/// What a checkpoint up to `end` records. `summary` is the summarizer's text, which then stands for the digest.
pub fn record(draft: &Draft<'_>, budget: &Budget, end: usize, summary: Option<&str>) -> Checkpoint {
    let history = draft.history;
    let start = draft.start();
    let previous = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded);
    let share = |share: f64| (f64::from(budget.max_checkpoint) * share) as u32;
    let (parts, chain) = history.boundary(end);
    let mut checkpoint = previous.cloned().unwrap_or_default();
    checkpoint.parts = parts;
    checkpoint.chain = chain;
    checkpoint.head = draft.recorded_head(end);
    let (messages, tokens) = draft.span_size(start..end);
    checkpoint.messages = checkpoint.messages.saturating_add(messages as u32);
    checkpoint.folded_tokens = checkpoint.folded_tokens.saturating_add(saturate(tokens));
    let mut has_request = previous.is_some();
    // Only what is quoted whole is read again, and at once.
    let whole: Vec<u32> = (start..end).filter(|index| is_request(&history.entries[*index])).map(|index| index as u32).collect();
    let texts = draft.read_all(&whole, true);
    let mut texts = texts.iter();
    let mut heard = heard(draft, start, end);
    for ((index, entry), parts) in history.entries.iter().enumerate().skip(start).zip(&heard.parts) {
        match entry.role() {
            Role::User | Role::System => {
                let Some(message) = texts.next() else { continue };
                let text = text_of(message);
                if has_request {
                    if !text.trim().is_empty() {
                        checkpoint.user_messages.push(text);
                    }
                } else {
                    has_request = true;
                    checkpoint.request = head_and_tail_kept(&text, share(REQUEST_SHARE));
                    checkpoint.media = media_of(history, index);
                }
            }
            Role::Assistant => digest_assistant(entry, parts, &heard.identifiers, &mut checkpoint.digest),
            Role::Tool | Role::Unknown => {}
        }
    }
    for place in history.places(start, end) {
        add_facts(history, place, &mut checkpoint.facts);
    }
    keep_results(draft, end, share(KEPT_SHARE), &mut checkpoint.kept);
    if let Some(value) = draft.working.and_then(Value::parse) {
        checkpoint.working = head_and_tail_kept(&clean(&working_text(&value)), share(WORKING_SHARE));
        if value.get("plan").is_some() {
            // What the app keeps goes before what was read off the calls.
            checkpoint.facts.plan = None;
        }
    }
    if let Some(summary) = summary {
        // A summary that is longer than asked for must not cost what the fold saves.
        checkpoint.summary = Some(head_and_tail_kept(&clean(summary), share(SUMMARY_SHARE)));
        checkpoint.digest.clear();
        checkpoint.omitted_digest_lines = 0;
    }
    compose(&mut checkpoint, draft, start, &mut heard, budget);
    checkpoint.facts.fit(FACTS_BYTES);
    checkpoint
}

/// Keeps the latest result of each protected tool, unless a later one stands behind the fold. Together at most `tokens`.
fn keep_results(draft: &Draft<'_>, end: usize, tokens: u32, kept: &mut Vec<KeptResult>) {
    let history = draft.history;
    let latest = |tool: &String| {
        history
            .places(draft.start(), history.entries.len())
            .filter(|place| {
                let part = history.part(*place);
                part.result.is_some() && part.name == *tool
            })
            .last()
    };
    let each = tokens / (draft.protected_tools.len().max(1) as u32);
    for tool in draft.protected_tools {
        let Some(place) = latest(tool) else { continue };
        kept.retain(|known| known.tool != *tool);
        if place.message >= end {
            continue;
        }
        let message = draft.read(place.message);
        if let Some(Part::Result(result)) = message.as_ref().and_then(|message| message.parts.get(place.part)) {
            kept.push(KeptResult { tool: tool.clone(), text: head_and_tail_kept(&clean(&sorted_text(&result.output)), each) });
        }
    }
}

/// Plan, documents and notes as text: a list one item a line, anything else as it stands.
fn working_text(value: &Value<'_>) -> String {
    let mut text = String::new();
    for (key, title) in [("plan", "Plan"), ("documents", "Documents"), ("notes", "Notes")] {
        let body = match value.get(key) {
            Some(Value::List(items)) => {
                let lines = items.iter().map(|item| format!("- {}", item.joined_leaves(" ")));
                lines.collect::<Vec<_>>().join("\n")
            }
            Some(other) => other.joined_leaves("\n"),
            None => continue,
        };
        text.push_str(&format!("{title}:\n{body}\n"));
    }
    text.truncate(text.trim_end().len());
    text
}

fn text_of(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn media_of(history: &History<'_>, message: usize) -> Vec<u64> {
    let places = history.places(message, message + 1);
    places.filter(|place| history.part(*place).kind == Kind::Media).map(|place| history.print(place)).take(MEDIA_PARTS).collect()
}

/// One line for each call and each quote of what the model said.
fn digest_assistant(entry: &Entry, parts: &[(usize, String)], identifiers: &Identifiers, digest: &mut Vec<String>) {
    let calls: Vec<usize> = entry.parts.iter().zip(parts).filter(|(part, _)| part.call.is_some()).map(|(_, (number, _))| *number).collect();
    for (part, (number, quote)) in entry.parts.iter().zip(parts) {
        if let Some(call) = &part.call {
            digest.push(line_of(call));
        } else if !quote.is_empty() {
            let tells = calls.is_empty() || identifiers.says_more(*number, &calls);
            digest.push((if tells { SAID } else { INTENT }).to_owned() + quote);
        }
    }
}

/// One line for a call. Of a file no more than its name: the facts tell where it is.
fn line_of(call: &CallFacts) -> String {
    let brief = call.brief();
    let path = call.subject.as_str();
    if !matches!(call.access, Access::Read | Access::Write | Access::Delete) {
        return brief;
    }
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    match brief.split_once(path) {
        Some((before, after)) => format!("{before}{name}{after}"),
        None => brief,
    }
}

fn add_facts(history: &History<'_>, place: Place, facts: &mut crate::record::facts::Facts) {
    let part = history.part(place);
    if let Some(call) = &part.call {
        facts.add_call(&part.name, call);
    }
    if let Some(result) = &part.result {
        let subject = history.call_facts_of(place).map_or("", |call| call.subject.as_str());
        facts.add_result(&part.name, subject, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_file_the_digest_tells_the_name_because_the_facts_tell_its_place() {
        for (tool, input, line) in [
            ("read_file", r#"{"path":"src/plan/mod.rs"}"#, "read_file: mod.rs"),
            ("bash", r#"{"command":"cat src/plan/mod.rs"}"#, "bash: cat src/plan/mod.rs"),
        ] {
            let input = Value::parse(input).unwrap_or(Value::Null);
            assert_eq!(line_of(&crate::record::facts::call_facts(tool, &input)), line);
        }
    }
}
