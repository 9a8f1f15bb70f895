//! Rung 3, checkpoint: replaces whole turns and steps before the tail by one user message.
//! Decides what is folded and recorded; how much of it the text shows is up to `words::checkpoint`. Incremental: what a checkpoint recorded is
//! never extracted again.

use crate::digest::findings::Finding;
use crate::digest::reader::{Reader, ResultContext, text_of};
use crate::digest::shown::sorted_text;
use crate::json::Value;
use crate::model::entry::{Entry, Kind};
use crate::model::history::Place;
use crate::model::message::{Part, Role};
use crate::plan::budget::Budget;
use crate::plan::clear::stale_results;
use crate::plan::draft::Draft;
use crate::plan::draft::carried::{carried_along, leave_untold};
use crate::plan::pins;
use crate::policy::checkpoint::{
    BYTES_PER_TOKEN, FOUND_PART, FREE_PART, FULL_TOKENS, KEPT_SHARE, LEAST_BYTES, NOTE_SHARE, NOTE_TOKENS, REQUEST, REQUEST_SHARE,
    SAVED_PART, SUMMARY_SHARE, USER_SHARE, WORKING_SHARE,
};
use crate::policy::ladder::CROWDED_CHECKPOINT_TOKENS;
use crate::redact::clean;
use crate::state::{Checkpoint, KeptResult};
use crate::text::clip::one_line;
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::saturate;
use crate::words::cut::{cut_words_kept, head_and_tail_kept, left_out};

/// Where a fold to at most `target` tokens must end, with a checkpoint of about `checkpoint_tokens`; `None` when nothing can be folded. When
/// even folding all that may be folded does not reach the target, all of it is folded.
pub fn fold_end(draft: &Draft<'_>, latest_end: usize, target: u32, checkpoint_tokens: u32) -> Option<usize> {
    let history = draft.history;
    let start = draft.start();
    let mut ends: Vec<usize> = draft.fold_ends().filter(|end| *end <= latest_end).collect();
    // Behind a checkpoint, which is a message of the user, an answer comes first. Where none may, a bridge does.
    let last = ends.pop();
    ends.retain(|end| history.entries.get(*end).is_some_and(Entry::is_answer));
    ends.extend(last);
    let attached =
        |from: usize, end: usize| newly_carried(draft, from, end).map(|place| u64::from(history.part(place).tokens)).sum::<u64>();
    let carried = carried_tokens(draft, latest_end).saturating_sub(attached(start, latest_end));
    let fixed = draft.span_tokens(0, history.lead) + carried + u64::from(checkpoint_tokens);
    let mut rest = draft.span_tokens(start, history.entries.len());
    let mut from = start;
    for end in &ends {
        rest = (rest + attached(from, *end)).saturating_sub(draft.span_tokens(from, *end));
        from = *end;
        if fixed + draft.kept_tokens(*end) + rest <= u64::from(target) {
            return canonical(draft, *end, latest_end);
        }
    }
    ends.last().and_then(|end| canonical(draft, *end, latest_end))
}

/// Estimated tokens that a checkpoint is taken to come out with: a small one as large as it may get, a large one half of that.
pub fn expected_tokens(budget: &Budget) -> u32 {
    (budget.max_checkpoint / 2).max(budget.max_checkpoint.min(FULL_TOKENS))
}

/// Estimated tokens of media and pinned results that a checkpoint up to `end` carries along: folding does not save them.
pub fn carried_tokens(draft: &Draft<'_>, end: usize) -> u64 {
    let copies = if goes_on_with_turn(draft) { draft.copies() } else { &[] };
    let tokens = |place: &Place| u64::from(draft.history.part(*place).tokens);
    copies.iter().map(tokens).sum::<u64>()
        + newly_carried(draft, draft.start(), end).map(|place| tokens(&place)).sum::<u64>()
        + pins::carried_tokens(draft, end)
        + draft.carried_tokens(end)
}

/// Whether the turn at hand began in what is folded: then what the checkpoint carries along belongs to it.
pub fn goes_on_with_turn(draft: &Draft<'_>) -> bool {
    draft.history.turn_start() < draft.start()
}

/// Pictures and files of the message that is being answered which a fold takes out of these messages: its checkpoint carries them along.
fn newly_carried<'d>(draft: &'d Draft<'_>, from: usize, end: usize) -> impl Iterator<Item = Place> + use<'d> {
    let history = draft.history;
    let (from, block, head) = (from.max(history.turn_start()), draft.block_before(end), draft.head_of(end));
    history.places(from, end.max(from)).filter(move |place| {
        let stays = block.contains(&place.message) || head.contains(&place.message) || history.is_put_in(place.message);
        history.is_attached(*place) && !stays && draft.action(*place).is_none()
    })
}

/// Estimated tokens of the request's text.
pub fn request_tokens(draft: &Draft<'_>) -> u32 {
    if let Some(checkpoint) = &draft.checkpoint {
        return estimate_tokens(&checkpoint.recorded.record.request);
    }
    let history = draft.history;
    let Some(index) = request_of(draft, history.entries.len()) else { return 0 };
    let texts = history.places(index, index + 1).filter(|place| history.part(*place).kind == Kind::Text);
    saturate(texts.map(|place| u64::from(history.part(place).tokens)).sum())
}

/// The message that holds the request: the first one before `end` that asks for something or shows something.
fn request_of(draft: &Draft<'_>, end: usize) -> Option<usize> {
    let entries = draft.history.entries;
    let is_request = |index: &usize| {
        let entry: &Entry = &entries[*index];
        if entry.carried.is_some() {
            return false;
        }
        let shows = entry.parts.iter().any(|part| part.kind == Kind::Media);
        matches!(entry.role(), Role::User | Role::System)
            && (shows || draft.read(*index).is_some_and(|message| !text_of(&message).trim().is_empty()))
    };
    (draft.start()..end).find(is_request)
}

/// The end under which a restored state will find the checkpoint's place again: messages without a part in the chain (blank
/// texts, reasoning alone) share a boundary. None when only such messages would be folded.
pub fn canonical(draft: &Draft<'_>, end: usize, latest_end: usize) -> Option<usize> {
    let (parts, chain) = draft.history.boundary(end);
    let found = draft.history.find_boundary(parts, chain).filter(|found| *found <= latest_end).unwrap_or(end);
    (found > draft.start()).then_some(found)
}

/// What a checkpoint up to `end` records. `summary` is the summarizer's text, which then goes before older conclusions.
pub fn record(draft: &Draft<'_>, budget: &Budget, end: usize, summary: Option<&str>) -> Checkpoint {
    record_by(draft, budget, end, summary, Findings::Chosen)
}

/// The same without findings, which are most of the work: for the words of the user, and for what a fold saves at most.
pub fn record_without_findings(draft: &Draft<'_>, budget: &Budget, end: usize) -> Checkpoint {
    record_by(draft, budget, end, None, Findings::LeftOut)
}

/// Whether parts of results are chosen.
#[derive(Clone, Copy, PartialEq)]
enum Findings {
    Chosen,
    LeftOut,
}

fn record_by(draft: &Draft<'_>, budget: &Budget, end: usize, summary: Option<&str>, findings: Findings) -> Checkpoint {
    let history = draft.history;
    let start = draft.start();
    let previous = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded);
    let share = |share: f64| (f64::from(budget.max_checkpoint) * share) as u32;
    let (parts, chain) = history.boundary(end);
    let mut checkpoint = previous.cloned().unwrap_or_default();
    checkpoint.parts = parts;
    checkpoint.chain = chain;
    let outlined = history.outlined(start..end).map(|(_, outline)| outline);
    checkpoint.outline = checkpoint.outline.then(outlined, history.outline(end));
    checkpoint.head = draft.recorded_head(end);
    if let Some(directory) = draft.offload_directory() {
        directory.clone_into(&mut checkpoint.results_in);
    }
    checkpoint.recalls = draft.recalls();
    checkpoint.tokens = room_of(draft, budget, end);
    let block = draft.block_before(end);
    if !block.is_empty() {
        checkpoint.behind_parts = history.boundary(block.end).0;
    }
    for span in [start..block.start.max(start), block.end.max(start)..end] {
        let (messages, tokens) = draft.span_size(span);
        checkpoint.messages = checkpoint.messages.saturating_add(messages as u32);
        checkpoint.folded_tokens = checkpoint.folded_tokens.saturating_add(saturate(tokens));
    }
    if !goes_on_with_turn(draft) {
        checkpoint.carry_last(0);
    }
    let carried: Vec<Place> = newly_carried(draft, start, end).collect();
    checkpoint.media.extend(carried.iter().map(|place| history.fingerprint(*place)));
    checkpoint.ends_within_turn = history.ends_turn(start..end).map_or(checkpoint.ends_within_turn, |ends_turn| !ends_turn);
    let indices: Vec<u32> = (start..history.entries.len()).map(|index| index as u32).collect();
    let mut read = draft.read_all(&indices, false);
    leave_untold(&mut read, start, &carried_along(draft, end, &(0..0)));
    let (span, rest) = read.split_at((end - start).min(read.len()));
    // Of what is newly folded a part may be quoted as it stood.
    let before: u32 = checkpoint.record.findings.iter().map(Finding::tokens).sum();
    let found = before.saturating_add(saturate(draft.folding_tokens(end) / u64::from(FOUND_PART)));
    let earlier = std::mem::take(&mut checkpoint.record);
    let mut reader = match findings {
        Findings::Chosen => Reader::new(earlier, &draft.tools, &read),
        Findings::LeftOut => Reader::without_findings(earlier, &draft.tools),
    };
    let stale = stale_results(draft);
    for (at, message) in span.iter().enumerate().filter(|(at, _)| !block.contains(&(start + at))) {
        let context = |part| {
            let place = Place { message: start + at, part };
            ResultContext { is_cleared: draft.arrived_cleared(place), is_stale: stale.contains(&place), digest: draft.digest(place) }
        };
        reader.read(message, &context);
        if message.role == Role::User {
            reader.show_attached(carried.iter().filter(|place| place.message == start + at).count());
            // Their own words are read as they came; what is found in them holds no secret.
            let text = clean(&text_of(message));
            let material = &text[left_out(&text, share(USER_SHARE))];
            // A document, not a message that is a little too long.
            if estimate_tokens(material) >= budget.max_checkpoint {
                reader.keep_of_user(material);
            }
        }
    }
    for (at, message) in rest.iter().enumerate() {
        reader.read_after(message, &|part| draft.action(Place { message: end + at, part }).is_none());
    }
    let (mut record, answers) = reader.finish(found.min(checkpoint.tokens));
    let said = record.said();
    record.request = cut_words_kept(&record.request, share(REQUEST_SHARE), &said);
    for message in &mut record.users {
        message.text = cut_words_kept(&message.text, share(USER_SHARE), &said);
    }
    keep_results(draft, end, share(KEPT_SHARE), &mut checkpoint.kept);
    pins::keep(draft, budget, end, &mut checkpoint.kept);
    // What the model pinned takes nothing from the rest.
    checkpoint.tokens = checkpoint.tokens.saturating_add(pins::kept_tokens(&checkpoint));
    // Where the app gives none now, an older one would read as if it still held.
    let working = draft.working.and_then(Value::parse);
    checkpoint.working =
        working.as_ref().map_or_else(String::new, |value| head_and_tail_kept(&clean(&working_text(value)), share(WORKING_SHARE)));
    // What the app keeps goes before what was read off the calls.
    checkpoint.app_has_plan = working.is_some_and(|value| value.get("plan").is_some());
    let note = draft.note.map(clean).unwrap_or_default();
    checkpoint.note = head_and_tail_kept(note.trim(), share(NOTE_SHARE).max(NOTE_TOKENS));
    if let Some(summary) = summary {
        (checkpoint.summary, checkpoint.summary_end) = (Some(clean(summary)), record.steps);
        record.summarized();
    }
    // A summary is never cut. What it takes beyond its share it takes from nothing else.
    let summary_tokens = checkpoint.summary.as_deref().map_or(0, estimate_tokens);
    checkpoint.tokens = checkpoint.tokens.saturating_add(summary_tokens.saturating_sub(share(SUMMARY_SHARE)));
    record.fit_open(checkpoint.tokens as usize * BYTES_PER_TOKEN + LEAST_BYTES, &|line| answers.write(line));
    checkpoint.record = record;
    checkpoint
}

/// Tokens the text of a checkpoint up to `end` may take. Some of what the fold leaves free below the target is for it.
fn room_of(draft: &Draft<'_>, budget: &Budget, end: usize) -> u32 {
    let history = draft.history;
    let beside = draft.span_tokens(0, history.lead) + draft.span_tokens(end, history.entries.len()) + draft.kept_tokens(end);
    let free = saturate(u64::from(budget.target).saturating_sub(beside + carried_tokens(draft, end)));
    // The text about a span never comes near what it replaces, as long as the request has its room.
    let least = (f64::from(request_tokens(draft)) / REQUEST.most) as u32 + CROWDED_CHECKPOINT_TOKENS;
    let folded = draft.folding_tokens(end);
    let replaced = folded - folded / u64::from(SAVED_PART) + u64::from(draft.checkpoint_tokens());
    free.clamp(budget.max_checkpoint, budget.max_checkpoint + budget.max_checkpoint / FREE_PART).min(saturate(replaced).max(least))
}

/// Keeps the latest result of each tool of which the user says so, unless a later one stands after the fold. Together at most `tokens`.
fn keep_results(draft: &Draft<'_>, end: usize, tokens: u32, kept: &mut Vec<KeptResult>) {
    let history = draft.history;
    let latest = |tool: &str| {
        history
            .places(draft.start(), history.entries.len())
            .filter(|place| {
                let part = history.part(*place);
                part.kind == Kind::Result && part.name == tool
            })
            .last()
    };
    let each = tokens / (draft.tools.kept().count().max(1) as u32);
    for tool in draft.tools.kept() {
        let Some(place) = latest(tool) else { continue };
        kept.retain(|result| result.pinned || result.tool != tool);
        if place.message >= end {
            continue;
        }
        let message = draft.read(place.message);
        if let Some(Part::Result(result)) = message.as_ref().and_then(|message| message.parts.get(place.part)) {
            kept.push(KeptResult {
                tool: tool.to_owned(),
                text: head_and_tail_kept(&clean(&sorted_text(&result.output)), each),
                pinned: false,
            });
        }
    }
}

/// Plan, documents and notes as text: a list one item a line, anything else as it stands.
fn working_text(value: &Value<'_>) -> String {
    let mut text = String::new();
    for (key, title) in [("plan", "Plan"), ("documents", "Documents"), ("notes", "Notes")] {
        let body = match value.get(key) {
            Some(Value::List(items)) => {
                let lines = items.iter().map(|item| format!("- {}", one_line(&item.joined_leaves(" "))));
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
