//! What sessions ask of the engine beside plans: places of messages that were put in, a checkpoint for a list that begins
//! behind it, and taking back what was decided. Converts and calls; decides nothing.

use wasm_bindgen::prelude::*;

use super::answer::EditOut;
use super::read::Scan;
use super::{UNCOUNTED, entries_of, to_js};
use crate::history::History;
use crate::run::Run;
use crate::slice::joined;
use crate::state::{Checkpoint, FoldState};
use crate::texts::checkpoint::checkpoint_text;

/// The places of a list, before each message and after the last, as ids that find them again in a list that says the same.
/// Empty where nothing may stand.
#[wasm_bindgen]
pub fn places(messages: &Scan, state: &str) -> String {
    let state = FoldState::from_json(state).unwrap_or_default();
    let entries = entries_of(messages, UNCOUNTED);
    let history = History::new(&entries, &state);
    let units: Vec<usize> = history.unit_starts(history.start()).collect();
    let mut ids =
        (0..=entries.len()).map(|index| if units.contains(&index) { history.boundary(index).1.short_id() } else { String::new() });
    joined(&mut || ids.next(), " ")
}

/// The edit that puts a checkpoint before a list that begins right behind it: the one from which the list leads to what was
/// known last, else the newest.
#[wasm_bindgen(js_name = tailCheckpoint)]
pub fn tail_checkpoint(messages: &Scan, state: &str) -> JsValue {
    let state = FoldState::from_json(state).unwrap_or_default();
    let entries = entries_of(messages, UNCOUNTED);
    let leads_to_known = |checkpoint: &&Checkpoint| {
        let mut at = (checkpoint.parts, checkpoint.chain);
        let prints = entries.iter().flat_map(|entry| &entry.parts).map(|part| part.print).filter(|print| *print != 0);
        std::iter::once(0).chain(prints).any(|print| {
            if print != 0 {
                at = (at.0.saturating_add(1), at.1.then(print));
            }
            at == (state.known_parts, state.known)
        })
    };
    let found = state.checkpoints.iter().find(leads_to_known).or(state.checkpoints.last());
    let Some(checkpoint) = found else { return JsValue::UNDEFINED };
    let start = History::new(&entries, &state).lead;
    to_js(&EditOut::Checkpoint { start, end: start, id: checkpoint.id(), text: checkpoint_text(checkpoint), copies: Vec::new() })
}

/// Takes the newest checkpoint out of a state, with all that was decided since: what is left as JSON, empty when that is nothing.
/// Undefined when there was nothing to take back. The run's numbers forget what was sent last.
#[wasm_bindgen]
pub fn undo(state: &str, run: &mut [f64]) -> Option<String> {
    let mut state = FoldState::from_json(state).ok()?;
    if !state.undo() {
        return None;
    }
    if let Some(mut numbers) = Run::from_numbers(run) {
        numbers.forget_sent();
        run.copy_from_slice(&numbers.to_numbers());
    }
    Some(if state.has_edits() { state.to_json() } else { String::new() })
}
