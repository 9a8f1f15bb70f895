//! Rung 3, checkpoint: replaces whole turns and steps behind the tail by one user message.
//! Decides what goes into it; its wording is in `texts::checkpoint`. Incremental: what a checkpoint recorded is never extracted again.

use crate::entry::{Entry, Kind};
use crate::history::{History, Place};
use crate::json::Value;
use crate::message::{Message, Part, Role};
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, sorted_text};
use crate::plan::heard::heard;
use crate::plan::mentioned::mentioned;
use crate::redact::clean;
use crate::slice::joined;
use crate::state::{Checkpoint, KeptResult};
use crate::table::{Table, name_key};
use crate::texts::checkpoint::{facts_text, newest_within};
use crate::texts::cut::head_and_tail;
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::saturate;

/// The original request at most, as a share of the checkpoint.
const REQUEST_SHARE: f64 = 0.6;
/// The user's later messages at most, as a share of the checkpoint.
const USER_SHARE: f64 = 0.3;
/// Facts at most, as a share of the checkpoint. Measured (bench/replay): a list of files finds two to five times as much for its tokens as
/// any other section, what the model said next to nothing.
const FACTS_SHARE: f64 = 0.35;
/// The digest at least, as a share of the checkpoint; it may have what the other sections leave.
const DIGEST_SHARE: f64 = 0.15;
/// Identifiers that folded messages spoke of, at most, as a share of the checkpoint. Measured (bench/replay) beside none: of what only
/// results said 9 points more is found again at 16k, 5 at 32k, 4 at 64k and 128k, for 0.01 to 0.02 of the bill. Beside 0.35 of the
/// checkpoint, with which that was measured, 0.45 finds another point of it at 32k, half a point at 16k.
const MENTIONED_SHARE: f64 = 0.45;
/// A summary at most, as a share of the checkpoint.
const SUMMARY_SHARE: f64 = 0.5;
/// What the app says of its own state at most, as a share of the checkpoint.
const WORKING_SHARE: f64 = 0.2;
/// Latest results of protected tools at most, as a share of the checkpoint.
const KEPT_SHARE: f64 = 0.2;
/// Checkpoints up to this come out as large as they may get.
const FULL_TOKENS: u32 = 2_000;
/// What such a line begins with.
const SAID: &str = "said: ";
/// Bytes of facts that are recorded.
const FACTS_BYTES: usize = 48 * 1024;
/// Media of the original request that a checkpoint carries along.
const MEDIA_PARTS: usize = 8;

/// Where a fold to at most `target` tokens must end, or `None` when nothing can be folded.
///
/// A small checkpoint is taken to be as large as it may get, a large one half of that. When even folding all that may be folded
/// does not reach the target, all of it is folded.
pub fn fold_end(draft: &Draft<'_>, budget: &Budget, latest_end: usize, target: u32) -> Option<usize> {
    let history = draft.history;
    let start = draft.start();
    let ends: Vec<usize> = history.cut_points(start + 1).filter(|end| *end <= latest_end).collect();
    let fixed = draft.span_tokens(0, history.lead) + u64::from((budget.max_checkpoint / 2).max(budget.max_checkpoint.min(FULL_TOKENS)));
    let mut rest = draft.span_tokens(start, history.entries.len());
    let mut from = start;
    for end in &ends {
        rest -= draft.span_tokens(from, *end);
        from = *end;
        if fixed + rest <= u64::from(target) {
            return canonical(history, *end, latest_end);
        }
    }
    ends.last().and_then(|end| canonical(history, *end, latest_end))
}

/// The end under which a restored state will find the checkpoint's place again: messages without a part in the chain (blank
/// texts, reasoning alone) share a boundary.
fn canonical(history: &History<'_>, end: usize, latest_end: usize) -> Option<usize> {
    let (parts, chain) = history.boundary(end);
    history.find_boundary(parts, chain).filter(|found| *found <= latest_end).or(Some(end))
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
    checkpoint.messages = checkpoint.messages.saturating_add((end - start) as u32);
    checkpoint.folded_tokens =
        checkpoint.folded_tokens.saturating_add(saturate(history.entries[start..end].iter().map(|entry| u64::from(entry.tokens())).sum()));
    let mut has_request = previous.is_some();
    // Only what is quoted whole is read again, and at once.
    let is_whole = |index: &usize| matches!(history.entries[*index].role(), Role::User | Role::System);
    let whole: Vec<u32> = (start..end).filter(is_whole).map(|index| index as u32).collect();
    let texts = draft.read_all(&whole, true);
    let mut texts = texts.iter();
    let mut heard = heard(draft, start, end);
    for ((index, entry), heard) in history.entries.iter().enumerate().skip(start).zip(&heard.parts) {
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
                    checkpoint.request = head_and_tail(&text, share(REQUEST_SHARE));
                    checkpoint.media = media_of(history, index);
                }
            }
            Role::Assistant => digest_assistant(entry, heard, &mut checkpoint.digest),
            Role::Tool | Role::Unknown => {}
        }
    }
    for place in history.places(start, end) {
        add_facts(history, place, &mut checkpoint.facts);
    }
    keep_results(draft, end, share(KEPT_SHARE), &mut checkpoint.kept);
    if let Some(value) = draft.working.and_then(Value::parse) {
        checkpoint.working = head_and_tail(&clean(&working_text(&value)), share(WORKING_SHARE));
        if value.get("plan").is_some() {
            // What the app keeps goes before what was read off the calls.
            checkpoint.facts.plan = None;
        }
    }
    if let Some(summary) = summary {
        // A summary that is longer than asked for must not cost what the fold saves.
        checkpoint.summary = Some(head_and_tail(&clean(summary), share(SUMMARY_SHARE)));
        checkpoint.digest.clear();
        checkpoint.omitted_digest_lines = 0;
    }
    keep_newest_of_equals(&mut checkpoint.digest);
    let request_tokens = estimate_tokens(&checkpoint.request);
    checkpoint.omitted_user_messages =
        checkpoint.omitted_user_messages.saturating_add(keep_newest(&mut checkpoint.user_messages, share(USER_SHARE)));
    let users = tokens_of(&checkpoint.user_messages);
    let summary_tokens = checkpoint.summary.as_deref().map_or(0, estimate_tokens);
    let kept: u32 = checkpoint.kept.iter().map(|kept| estimate_tokens(&kept.text)).sum();
    let free = share(0.9).saturating_sub(request_tokens + users + summary_tokens + kept + estimate_tokens(&checkpoint.working));
    checkpoint.facts_tokens = share(FACTS_SHARE).min(free);
    let facts = facts_text(&checkpoint.facts, checkpoint.facts_tokens);
    let free = free.saturating_sub(estimate_tokens(&facts));
    // What was done goes before what was spoken of, up to its share; what the rest leaves unused it may have too.
    let costs: Vec<u32> = checkpoint.digest.iter().map(|line| tokens_of_line(line)).collect();
    let reserved = costs.iter().copied().fold(0, u32::saturating_add).min(share(DIGEST_SHARE)).min(free);
    let room = share(MENTIONED_SHARE).min(free - reserved);
    let (lines, used) = mentioned(draft, start, &mut heard, &checkpoint.mentioned, &facts, room, budget.gist);
    checkpoint.mentioned = lines;
    checkpoint.omitted_digest_lines =
        checkpoint.omitted_digest_lines.saturating_add(keep_said(&mut checkpoint.digest, &costs, free.saturating_sub(used)));
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
            kept.push(KeptResult { tool: tool.clone(), text: head_and_tail(&clean(&sorted_text(&result.output)), each) });
        }
    }
}

/// Plan, documents and notes as text: a list one item a line, anything else as it stands.
fn working_text(value: &Value<'_>) -> String {
    let mut text = String::new();
    for (key, title) in [("plan", "Plan"), ("documents", "Documents"), ("notes", "Notes")] {
        let body = match value.get(key) {
            Some(Value::List(items)) => {
                let mut lines = items.iter().map(|item| format!("- {}", item.joined_leaves(" ")));
                joined(&mut || lines.next(), "\n")
            }
            Some(other) => other.joined_leaves("\n"),
            None => continue,
        };
        text.push_str(&format!("{title}:\n{body}\n"));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Keeps the newest texts within `tokens` tokens, and says how many it dropped.
fn keep_newest(list: &mut Vec<String>, tokens: u32) -> u32 {
    let drop = list.len() - newest_within(list, tokens).len();
    list.drain(..drop);
    drop as u32
}

/// Keeps the newest lines within `tokens` tokens. Where there is no room for all, what the model said has half of it at most. Says how
/// many it dropped.
/// `costs` are the tokens of the lines.
fn keep_said(digest: &mut Vec<String>, costs: &[u32], tokens: u32) -> u32 {
    let mut kept = vec![false; digest.len()];
    let mut used = 0;
    for (wants_said, room) in [(true, tokens / 2), (false, tokens), (true, tokens)] {
        for ((line, cost), keep) in digest.iter().zip(costs).zip(&mut kept).rev() {
            if *keep || line.starts_with(SAID) != wants_said {
                continue;
            }
            if used + cost > room {
                break;
            }
            used += cost;
            *keep = true;
        }
    }
    let lines = digest.len();
    let mut keeps = kept.into_iter();
    digest.retain(|_| keeps.next() == Some(true));
    (lines - digest.len()) as u32
}

fn tokens_of(list: &[String]) -> u32 {
    list.iter().map(|line| tokens_of_line(line)).fold(0, u32::saturating_add)
}

#[inline(never)]
fn tokens_of_line(line: &str) -> u32 {
    estimate_tokens(line).saturating_add(2)
}

/// A line that was said again stands only where it was said last.
fn keep_newest_of_equals(lines: &mut Vec<String>) {
    let mut newest = Table::default();
    for (index, line) in (0u64..).zip(lines.iter()) {
        newest.insert(name_key(line), index);
    }
    let mut index = 0u64;
    lines.retain(|line| {
        index += 1;
        newest.get(&name_key(line)) == Some(&(index - 1))
    });
}

fn text_of(message: &Message) -> String {
    let mut texts = message.parts.iter().filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.clone()),
        _ => None,
    });
    joined(&mut || texts.next(), "\n")
}

fn media_of(history: &History<'_>, message: usize) -> Vec<u64> {
    let places = history.places(message, message + 1);
    places.filter(|place| history.part(*place).kind == Kind::Media).map(|place| history.print(place)).take(MEDIA_PARTS).collect()
}

/// One line for each call and each quote of what the model said.
fn digest_assistant(entry: &Entry, heard: &[(usize, String)], digest: &mut Vec<String>) {
    for (part, (_, quote)) in entry.parts.iter().zip(heard) {
        if let Some(call) = &part.call {
            digest.push(call.brief());
        } else if !quote.is_empty() {
            digest.push(format!("{SAID}{quote}"));
        }
    }
}

fn add_facts(history: &History<'_>, place: Place, facts: &mut crate::facts::Facts) {
    let part = history.part(place);
    if let Some(call) = &part.call {
        facts.add_call(&part.name, call);
    }
    if let Some(result) = &part.result {
        let subject = history.call_facts_of(place).map_or("", |call| call.subject.as_str());
        facts.add_result(&part.name, subject, result);
    }
}
