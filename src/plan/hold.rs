//! Rung 0, hold: carries out again what was decided before. Decides nothing.
//! The same function serves the raw history (ai 5 and 6, a new request) and a list that already begins with our checkpoint.

use crate::digest::tools::Tools;
use crate::model::entry::Entry;
use crate::model::history::{History, fingerprint_id};
use crate::plan::draft::Draft;
use crate::plan::edit::Edit;
use crate::plan::input::PlanInput;
use crate::state::{Action, Checkpoint, FoldState};
use crate::text::hash::HashMap;
use crate::words::checkpoint::checkpoint_text;

/// The list with what was decided before.
pub fn held<'a>(history: &'a History<'a>, input: &PlanInput<'a>) -> Draft<'a> {
    let thinking = input.settings.with(&input.calibration.traits).thinking;
    let mut draft = Draft::new(history, input.source, thinking, input.settings.blocks);
    draft.insert(input.extra.inserted);
    draft.working = input.extra.working;
    draft.note = input.extra.note.or(input.options.checkpoint_note.as_deref());
    draft.tools = Tools { rules: &input.options.tools, approved: history.approved() };
    hold(&mut draft);
    draft
}

/// Applies the state's decisions to the draft.
fn hold(draft: &mut Draft<'_>) {
    let history = draft.history;
    // What stands before a block may not be read any more, and nothing of ours stands there. Of what was folded for a model that reads no block
    // there may be nothing left to fold.
    let is_read = |checkpoint: &Checkpoint, end: usize| {
        draft.first() == history.lead || end > draft.first() && draft.would_save(checkpoint.clone(), end, 0)
    };
    let holds = |(checkpoint, end): &(&Checkpoint, usize)| draft.tells_all(checkpoint, *end) && is_read(checkpoint, *end);
    if let Some((checkpoint, end)) = covering(history).filter(holds) {
        draft.hold_fold(checkpoint.clone(), end);
    }
    hold_parts(draft, history);
    draft.hold_thoughts();
}

/// The newest checkpoint that holds beyond the one the list begins with, and the index of the first message after what it covers.
pub fn covering<'a>(history: &History<'a>) -> Option<(&'a Checkpoint, usize)> {
    // A newer checkpoint may cover more than the one the list begins with.
    let newer = |checkpoint: &&Checkpoint| history.own_checkpoint.is_none_or(|own| checkpoint.parts > own.parts);
    history.state.checkpoints.iter().rev().filter(newer).find_map(|checkpoint| {
        let end = history.find_checkpoint(checkpoint).filter(|end| *end > history.start())?;
        Some((checkpoint, end))
    })
}

fn hold_parts(draft: &mut Draft<'_>, history: &History<'_>) {
    let decisions = &history.state.decisions;
    if decisions.is_empty() {
        return;
    }
    let decided: HashMap<_, _> = decisions.iter().map(|decision| ((decision.fingerprint, decision.nth), decision)).collect();
    let places: Vec<_> = draft.occurrences().collect();
    for (place, nth) in places {
        let Some(decision) = decided.get(&(history.fingerprint(place), nth)).copied() else { continue };
        // A cut leaves no marker: what arrives cut is not found again, and its decision must not fall to a later call that says the same.
        let is_unmarked = matches!(decision.action, Action::CutInput { .. } | Action::CutText { .. });
        if is_unmarked && history.part_index(place) >= history.state.planned_parts {
            continue;
        }
        // Another model may be sent the thought again that was left out where this was cut.
        if matches!(decision.action, Action::CutText { .. }) && draft.may_send_unsigned_thoughts(place.message) {
            continue;
        }
        if history.part(place).marker.as_deref() == Some(fingerprint_id(decision.fingerprint).as_str()) {
            draft.keep_in_place(place, decision);
        } else {
            draft.hold_part(place, decision.action.clone());
        }
    }
}

/// The edit that puts a checkpoint before a list that begins right behind it: the one from which the list leads to what was known last,
/// else the newest.
pub fn tail_checkpoint(entries: &[Entry], state: &FoldState) -> Option<Edit> {
    let leads_to_planned = |checkpoint: &&Checkpoint| {
        let mut at = (checkpoint.parts, checkpoint.chain);
        let fingerprints =
            entries.iter().flat_map(|entry| &entry.parts).map(|part| part.fingerprint).filter(|fingerprint| *fingerprint != 0);
        std::iter::once(0).chain(fingerprints).any(|fingerprint| {
            if fingerprint != 0 {
                at = (at.0.saturating_add(1), at.1.then(fingerprint));
            }
            at == (state.planned_parts, state.planned_chain)
        })
    };
    let checkpoint = state.checkpoints.iter().find(leads_to_planned).or(state.checkpoints.last())?;
    let history = History::new(entries, state);
    let block = entries.iter().rposition(Entry::has_native_compaction);
    let start = block.map_or(history.lead, |block| history.unit_of(block).end);
    let text = checkpoint_text(checkpoint);
    Some(Edit::Checkpoint { start, end: start, block: start..start, behind: Vec::new(), id: checkpoint.id(), text, copies: Vec::new() })
}
