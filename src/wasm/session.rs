//! Questions of sessions: places of enqueued messages, a checkpoint for a list that begins after it, taking back what was decided, and states
//! as they are stored. Converts and calls; decides nothing.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::given::Given;
use super::{failed, to_js};
use crate::model::entry::{Entry, read_entries};
use crate::model::fingerprint::Chain;
use crate::model::history::History;
use crate::plan::{covering, tail_checkpoint as checkpoint_before};
use crate::run::{Restored, RunState, StoredRunState};
use crate::state::FoldState;
use crate::text::hash::HashSet;

/// What was decided, where there is a state and it says anything.
fn decisions_of(given: &Given) -> FoldState {
    let state = given.bytes_if_any("state").and_then(|state| RunState::read(&state));
    state.and_then(|state| state.decisions).unwrap_or_default()
}

/// A plain object.
pub fn stored_state(given: &Given) -> Result<JsValue, JsValue> {
    let state = RunState::read(&given.bytes("state")).ok_or_else(|| failed("engine-failed", "a state cannot be read".to_owned()))?;
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

/// What is of no known form counts as missing.
pub fn restored_state(given: &Given) -> Result<JsValue, JsValue> {
    let text = |name| given.text_if_any(name);
    let stored = StoredRunState { model_id: given.text("model"), run: text("run"), envelope: text("envelope"), decisions: text("fold") };
    let Restored { state, refused } = stored.restore();
    to_js(&RestoredState { state: state.map(|mut state| state.to_bytes()), refused })
}

/// The places before each message and after the last, as ids that find them again in a list that says the same; in a second line, as ids that find
/// them in any form of it. Empty where nothing may stand.
pub fn places(given: &Given) -> String {
    let (decisions, entries) = (decisions_of(given), read_entries(&given.bytes("entries")));
    let history = History::new(&entries, &decisions);
    // Nothing may stand before a block that begins the list.
    let is_free = |at: &usize| *at > history.lead || !entries.get(*at).is_some_and(Entry::compacts_all_before);
    let units: HashSet<usize> = history.unit_starts(history.start()).filter(is_free).collect();
    let ids = |chain: &dyn Fn(usize) -> Option<Chain>| {
        let id = |index: usize| chain(index).filter(|_| units.contains(&index)).map(Chain::short_id).unwrap_or_default();
        (0..=entries.len()).map(id).collect::<Vec<_>>().join(" ")
    };
    let by_outline = ids(&|index| Some(history.outline(index)).filter(|outline| outline.parts > 0).map(|outline| outline.chain));
    format!("{}\n{by_outline}", ids(&|index| Some(history.boundary(index).1)))
}

/// Of what each message says, wherever it stands.
pub fn content_ids(given: &Given) -> String {
    let (decisions, entries) = (FoldState::default(), read_entries(&given.bytes("entries")));
    let ids = entries.chunks(1).map(|entry| History::new(entry, &decisions).boundary(1).1.short_id());
    ids.collect::<Vec<_>>().join(" ")
}

/// A message inserted before it would break the checkpoint, or stand before a provider's compaction block.
pub fn covered_end(given: &Given) -> usize {
    let (decisions, entries) = (decisions_of(given), read_entries(&given.bytes("entries")));
    let history = History::new(&entries, &decisions);
    let block = entries.iter().rposition(Entry::has_native_compaction).map_or(0, |block| history.unit_of(block).end);
    covering(&history).map_or(history.start(), |(_, end)| end).max(block)
}

/// Null where there is none.
pub fn tail_checkpoint(given: &Given) -> Result<JsValue, JsValue> {
    to_js(&checkpoint_before(&read_entries(&given.bytes("entries")), &decisions_of(given)))
}

/// Without the newest checkpoint.
pub fn undone(given: &Given) -> Option<Vec<u8>> {
    let mut state = RunState::read(&given.bytes("state"))?;
    state.undo().then(|| state.to_bytes())
}
