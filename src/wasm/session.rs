//! What sessions ask of the engine beside plans: places of enqueued messages, a checkpoint for a list that begins
//! behind it, taking back what was decided, and states as they are stored. Converts and calls; decides nothing.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::{failed, from_js, to_js};
use crate::model::entry::read_entries;
use crate::model::history::History;
use crate::plan::{covering, tail_checkpoint as checkpoint_before};
use crate::run::{Restored, RunState, StoredRunState, Usage};
use crate::state::FoldState;

/// What was decided, where there is a state and it says anything.
fn decisions_of(state: Option<Vec<u8>>) -> FoldState {
    state.and_then(|state| RunState::read(&state)).and_then(|state| state.decisions).unwrap_or_default()
}

/// A state as it stands in a stored session: a plain object.
#[wasm_bindgen(js_name = storeRunState)]
pub fn store_run_state(state: &[u8]) -> Result<JsValue, JsValue> {
    let state = RunState::read(state).ok_or_else(|| failed("engine-failed", "a state cannot be read".to_owned()))?;
    to_js(&StoredRunState::of(state))
}

/// What a stored session gives to go on from, and what of it is not used.
#[derive(Serialize)]
struct RestoredState {
    #[serde(with = "serde_bytes", skip_serializing_if = "Option::is_none")]
    state: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// The state of a stored session. What is of no known form counts as missing.
#[wasm_bindgen(js_name = restoreRunState)]
pub fn restore_run_state(model: String, run: JsValue, envelope: Option<String>, fold: Option<String>) -> Result<JsValue, JsValue> {
    let stored = StoredRunState { model_id: model, run: from_js(run).ok(), envelope, decisions: fold };
    let Restored { state, refused } = stored.restore();
    to_js(&RestoredState { state: state.map(|mut state| state.to_bytes()), refused })
}

/// Usage of a stored session. Throws `{ code, message }` where it cannot be used.
#[wasm_bindgen(js_name = restoreUsage)]
pub fn restore_usage(stored: JsValue) -> Result<JsValue, JsValue> {
    let usage = from_js::<Usage>(stored).ok().filter(Usage::is_sound);
    to_js(&usage.ok_or_else(|| failed("state-rejected", "the usage in it is damaged".to_owned()))?)
}

/// The places of a list, before each message and after the last, as ids that find them again in a list that says the same.
/// Empty where nothing may stand.
#[wasm_bindgen]
pub fn places(entries: &[u8], state: Option<Vec<u8>>) -> String {
    let decisions = decisions_of(state);
    let entries = read_entries(entries);
    let history = History::new(&entries, &decisions);
    let units: Vec<usize> = history.unit_starts(history.start()).collect();
    let ids = (0..=entries.len()).map(|index| if units.contains(&index) { history.boundary(index).1.short_id() } else { String::new() });
    ids.collect::<Vec<_>>().join(" ")
}

/// Ids of what each message of a list says, wherever it stands.
#[wasm_bindgen(js_name = contentIds)]
pub fn content_ids(entries: &[u8]) -> String {
    let entries = read_entries(entries);
    let decisions = FoldState::default();
    let ids = entries.chunks(1).map(|entry| History::new(entry, &decisions).boundary(1).1.short_id());
    ids.collect::<Vec<_>>().join(" ")
}

/// Index of the first message that is sent as it is: after what a checkpoint covers. A message inserted before it would break the checkpoint.
#[wasm_bindgen(js_name = coveredEnd)]
pub fn covered_end(entries: &[u8], state: Option<Vec<u8>>) -> usize {
    let decisions = decisions_of(state);
    let entries = read_entries(entries);
    let history = History::new(&entries, &decisions);
    covering(&history).map_or(history.start(), |(_, end)| end)
}

/// The edit that puts a checkpoint before a list that begins right behind it; undefined where there is none.
#[wasm_bindgen(js_name = tailCheckpoint)]
pub fn tail_checkpoint(entries: &[u8], state: Option<Vec<u8>>) -> Result<JsValue, JsValue> {
    let decisions = decisions_of(state);
    to_js(&checkpoint_before(&read_entries(entries), &decisions))
}

/// Takes the newest checkpoint out of a state, with all that was decided since. Undefined when there was nothing to take back.
#[wasm_bindgen]
pub fn undo(state: &[u8]) -> Option<Vec<u8>> {
    let mut state = RunState::read(state)?;
    if !state.undo() {
        return None;
    }
    Some(state.to_bytes())
}
