//! What sessions ask of the engine beside plans: places of messages that were put in, a checkpoint for a list that begins
//! behind it, taking back what was decided, and the state as JSON. Converts and calls; decides nothing.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::answer::EditOut;
use super::read::Scan;
use super::{UNCOUNTED, entries_of, to_json};
use crate::history::History;
use crate::plan::covering;
use crate::run::Run;
use crate::state::{Checkpoint, FoldState};
use crate::texts::checkpoint::checkpoint_text;

/// A state as JavaScript holds it: packed as the engine gave it out, or the JSON it was restored from. `None` where there is none; an
/// error says why it cannot be used.
pub fn read_state(value: &JsValue) -> Option<Result<FoldState, String>> {
    if let Some(text) = value.as_string() {
        return Some(FoldState::from_json(&text));
    }
    let packed = value.dyn_ref::<Uint8Array>()?.to_vec();
    Some(FoldState::from_packed(&packed).ok_or_else(|| "it is damaged".to_owned()))
}

fn state_or_none(value: &JsValue) -> FoldState {
    read_state(value).and_then(Result::ok).unwrap_or_default()
}

/// The state as JSON, to be kept elsewhere.
#[wasm_bindgen(js_name = stateJson)]
pub fn state_json(packed: &[u8]) -> String {
    FoldState::from_packed(packed).unwrap_or_default().to_json()
}

/// The places of a list, before each message and after the last, as ids that find them again in a list that says the same.
/// Empty where nothing may stand.
#[wasm_bindgen]
pub fn places(messages: &Scan, state: &JsValue) -> String {
    let state = state_or_none(state);
    let entries = entries_of(messages, UNCOUNTED);
    let history = History::new(&entries, &state);
    let units: Vec<usize> = history.unit_starts(history.start()).collect();
    let ids = (0..=entries.len()).map(|index| if units.contains(&index) { history.boundary(index).1.short_id() } else { String::new() });
    ids.collect::<Vec<_>>().join(" ")
}

/// What each message of a list says, wherever it stands, as ids.
#[wasm_bindgen]
pub fn sayings(messages: &Scan) -> String {
    let entries = entries_of(messages, UNCOUNTED);
    let state = FoldState::default();
    let ids = entries.chunks(1).map(|entry| History::new(entry, &state).boundary(1).1.short_id());
    ids.collect::<Vec<_>>().join(" ")
}

/// Index of the first message that is sent as it is: behind what a checkpoint covers. What is put in before it breaks the checkpoint.
#[wasm_bindgen(js_name = coveredEnd)]
pub fn covered_end(messages: &Scan, state: &JsValue) -> usize {
    let state = state_or_none(state);
    let entries = entries_of(messages, UNCOUNTED);
    let history = History::new(&entries, &state);
    covering(&history).map_or(history.start(), |(_, end)| end)
}

/// The edit that puts a checkpoint before a list that begins right behind it: the one from which the list leads to what was
/// known last, else the newest. As JSON.
#[wasm_bindgen(js_name = tailCheckpoint)]
pub fn tail_checkpoint(messages: &Scan, state: &JsValue) -> Option<String> {
    let state = state_or_none(state);
    let entries = entries_of(messages, UNCOUNTED);
    let leads_to_known = |checkpoint: &&Checkpoint| {
        let mut at = (checkpoint.parts, checkpoint.chain);
        let fingerprints =
            entries.iter().flat_map(|entry| &entry.parts).map(|part| part.fingerprint).filter(|fingerprint| *fingerprint != 0);
        std::iter::once(0).chain(fingerprints).any(|fingerprint| {
            if fingerprint != 0 {
                at = (at.0.saturating_add(1), at.1.then(fingerprint));
            }
            at == (state.known_parts, state.known)
        })
    };
    let checkpoint = state.checkpoints.iter().find(leads_to_known).or(state.checkpoints.last())?;
    let start = History::new(&entries, &state).lead;
    let edit =
        EditOut::Checkpoint { start, end: start, head: (0, 0), id: checkpoint.id(), text: checkpoint_text(checkpoint), copies: Vec::new() };
    Some(to_json(&edit))
}

/// Takes the newest checkpoint out of a state, with all that was decided since: what is left, empty when that is nothing.
/// Undefined when there was nothing to take back. The run's numbers forget what was sent last.
#[wasm_bindgen]
pub fn undo(state: &JsValue, run: &mut [f64]) -> Option<Vec<u8>> {
    let mut state = read_state(state)?.ok()?;
    if !state.undo() {
        return None;
    }
    if let Some(mut numbers) = Run::from_numbers(run) {
        numbers.forget_sent();
        run.copy_from_slice(&numbers.to_numbers());
    }
    Some(if state.has_edits() { state.to_packed() } else { Vec::new() })
}
