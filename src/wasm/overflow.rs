//! The boundary of `model(…)`: what an error says, which run a prompt is of, and what a run learns of its window outside of steps.
//! Converts and calls; decides nothing.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::{failed, from_js, to_js};
use crate::model::entry::{Entry, read_entries};
use crate::model::message::Role;
use crate::providers::overflow::{ErrorFacts, http_status};
use crate::providers::refusal::{Refusal, read_refusal};
use crate::run::{PackedRunState, RunState, Usage, find_run};
use crate::settings::ModelSettings;

/// Why an error says that a request was refused which another one would not be; undefined for other errors. The facts are gathered in
/// `overflow.ts`.
#[wasm_bindgen(js_name = readRefusal)]
pub fn refusal(names: Vec<String>, status_codes: Vec<f64>, codes: Vec<String>, texts: Vec<String>) -> Result<JsValue, JsValue> {
    let refusal = read_refusal(&ErrorFacts {
        names: names.iter().map(String::as_str).collect(),
        status_codes: status_codes.into_iter().filter_map(http_status).collect(),
        codes: codes.iter().map(String::as_str).collect(),
        texts: texts.iter().map(String::as_str).collect(),
    });
    refusal.map_or(Ok(JsValue::UNDEFINED), |refusal| to_js(&refusal))
}

/// How many messages at the front of a prompt are instructions.
#[wasm_bindgen(js_name = instructionsEnd)]
pub fn instructions_end(entries: &[u8]) -> usize {
    read_entries(entries).iter().take_while(|entry| entry.role() == Role::System).count()
}

/// The index of the run whose history a prompt was made from, or -1.
#[wasm_bindgen(js_name = findRun)]
pub fn run_of_prompt(prompt: &[u8], histories: Vec<Uint8Array>) -> i32 {
    let histories: Vec<Vec<Entry>> = histories.iter().map(|entries| read_entries(&entries.to_vec())).collect();
    find_run(&read_entries(prompt), &histories).and_then(|index| i32::try_from(index).ok()).unwrap_or(-1)
}

fn read_run(settings: &[u8], state: &[u8]) -> Result<(ModelSettings, RunState), JsValue> {
    let read = ModelSettings::from_bytes(settings).zip(RunState::read(state));
    read.ok_or_else(|| failed("engine-failed", "a state cannot be read".to_owned()))
}

/// The state of a run whose last prompt was refused, with what that says of the model and nothing decided. Undefined when it says nothing
/// that holds without a decision.
#[wasm_bindgen(js_name = learnRefusals)]
pub fn learn_refusals(settings: &[u8], state: &[u8], refusals: JsValue) -> Result<Option<Vec<u8>>, JsValue> {
    let (_, mut state) = read_run(settings, state)?;
    let before = state.run;
    for refusal in from_js::<Vec<Refusal>>(refusals)? {
        match refusal {
            Refusal::Overflow(overflow) if overflow.window_tokens > 0.0 => drop(state.run.refused(&overflow, 0.0)),
            Refusal::Binding => state.run.calibration.traits.refuses_binding = true,
            Refusal::Overflow(_) | Refusal::Thoughts => {}
        }
    }
    Ok((state.run != before).then(|| state.to_bytes()))
}

/// What the run of a state has learnt of its model, for other runs; undefined where it has learnt nothing. The answer of a plan says it by
/// itself.
#[wasm_bindgen(js_name = traitsOf)]
pub fn traits_of(state: &[u8]) -> Result<JsValue, JsValue> {
    let traits = PackedRunState::read(state).and_then(|state| state.run.calibration.traits.learnt());
    traits.map_or(Ok(JsValue::UNDEFINED), |traits| to_js(&traits))
}

/// Whether a reply ended because the window was full, by the JSON that `readUsage` takes.
#[wasm_bindgen(js_name = fillsWindow)]
pub fn fills_window(step: &str) -> bool {
    Usage::from_step(step).fills_window()
}

/// The state of a run whose last reply ended because the window was full.
#[wasm_bindgen(js_name = learnFullWindow)]
pub fn learn_full_window(settings: &[u8], state: &[u8], step: &str) -> Result<Vec<u8>, JsValue> {
    let (model, mut state) = read_run(settings, state)?;
    let usage = Usage::from_step(step);
    state.run.learn_full_window(&usage, usage.prompt_tokens(model.settings.cached));
    Ok(state.to_bytes())
}
