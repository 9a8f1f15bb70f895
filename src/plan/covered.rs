//! What the next plan is told of messages of which only a checkpoint is sent: a few spans, and the messages that it needs. Decides nothing: a plan
//! on these entries is the plan on all of them, or it is made on all of them.

use crate::model::entry::{Entry, Kind, write_entry};
use crate::model::history::History;
use crate::model::span::{MOST_MESSAGES, Span, StandsFor};
use crate::plan::draft::Draft;
use crate::state::FoldState;
use crate::text::hash::{HashSet, mix};
use crate::text::order::sort_by_numbers;

/// The entries of the list up to where the checkpoint ends that is sent, one behind the other. Empty where the next plan must be told all.
pub fn covered_entries(draft: &Draft<'_>, state: &FoldState) -> Vec<u8> {
    let (history, covered) = (draft.history, draft.covered());
    let (Some(checkpoint), Some(end)) = (&draft.checkpoint, covered.last().map(|span| span.end)) else { return Vec::new() };
    let entries = &history.entries[..end];
    let is_covered = |at: usize| covered.iter().any(|span| span.contains(&at));
    let is_plain =
        |entry: &Entry| entry.marker.is_none() && entry.parts.iter().all(|part| part.marker.is_none() && !part.native_compaction);
    if history.own_checkpoint.is_some()
        || end > MOST_MESSAGES
        || !entries.iter().all(is_plain)
        || has_reused_ids(history.entries, &is_covered)
    {
        return Vec::new();
    }
    let copied: HashSet<usize> = checkpoint.copies.iter().map(|copy| copy.message).collect();
    // An older checkpoint is found again where it ends.
    let ends: Vec<usize> = state.checkpoints.iter().filter_map(|older| history.find_checkpoint(older)).collect();
    let mut approved: Vec<String> = history.approved_here().into_iter().map(str::to_owned).collect();
    // In an order that no set decides.
    sort_by_numbers(&mut approved, |tool| [mix(0, tool.as_bytes()) as i64, 0, 0]);
    let mut span = Span { approved, ..Span::default() };
    let mut bytes = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let is_kept = copied.contains(&at) || !is_covered(at);
        if span.messages > 0 && (is_kept || ends.contains(&at)) {
            write_entry(&Entry::of_span(std::mem::take(&mut span)), &mut bytes);
        }
        match is_kept {
            true => write_entry(entry, &mut bytes),
            false => entry.add_to(&mut span, history.boundary(at + 1), history.outline(at + 1)),
        }
    }
    if span.messages > 0 {
        write_entry(&Entry::of_span(span), &mut bytes);
    }
    bytes
}

/// Whether a call that is not covered has the id of one that is: what belongs to one could be taken for what belongs to the other.
fn has_reused_ids(entries: &[Entry], is_covered: &dyn Fn(usize) -> bool) -> bool {
    let ids = |covered: bool| {
        let entries = entries.iter().enumerate().filter(move |(at, _)| is_covered(*at) == covered);
        entries.flat_map(|(_, entry)| entry.call_ids())
    };
    let others: HashSet<u32> = ids(false).collect();
    ids(true).any(|id| others.contains(&id))
}

/// Whether a plan on this history, some of whose entries stand for spans, is the plan on all entries. It is not where the checkpoint does not
/// stand any more, or something that comes after it belongs to what it covers.
pub fn suffices(history: &History<'_>) -> bool {
    let History { entries, state, .. } = history;
    let Some(last) = entries.iter().rposition(|entry| entry.stands_for != StandsFor::Itself) else { return true };
    let Some(newest) = state.checkpoints.last() else { return false };
    let has_media = |fingerprint: &u64| {
        history
            .places(history.lead, last)
            .any(|place| history.part(place).kind == Kind::Media && history.fingerprint(place) == *fingerprint)
    };
    history.find_checkpoint(newest).is_some_and(|end| end > last)
        && state.checkpoints.iter().all(|older| history.find_checkpoint(older).is_some())
        && newest.head.is_none_or(|head| history.find_head(head).is_some())
        && newest.media.iter().all(has_media)
        && (state.thoughts.parts == 0 || state.thoughts.parts >= newest.parts)
        && state.planned_parts >= newest.parts
        && entries[last..].iter().any(Entry::is_answer)
        && !history.is_open()
        && !has_reused_ids(entries, &|at| entries[at].stands_for != StandsFor::Itself)
}
