//! Questions of `model(…)`: what an error says, which run a prompt is of, and what a run learns of its window outside of steps.
//! Converts and calls; decides nothing.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::given::Given;
use super::plan::{refusals_of, settings_of};
use super::{failed, to_js};
use crate::model::entry::{Entry, read_entries};
use crate::model::message::Role;
use crate::providers::media::MediaLimit;
use crate::providers::overflow::{ErrorFacts, http_status};
use crate::providers::owner::Asks;
use crate::providers::refusal::{Refusal, read_refusal};
use crate::providers::reply::reply_of_request;
use crate::run::{RunState, Usage, find_run};
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::traits::Traits;

/// The facts are gathered in `overflow.ts`.
pub fn refusal(given: &Given) -> Result<JsValue, JsValue> {
    let texts = |name| given.list(name, |text| text.as_text());
    let (names, codes, texts) = (texts("names"), texts("codes"), texts("texts"));
    let refusal = read_refusal(&ErrorFacts {
        names: names.iter().map(String::as_str).collect(),
        status_codes: given.list("statusCodes", |code| http_status(code.as_number()?)),
        codes: codes.iter().map(String::as_str).collect(),
        texts: texts.iter().map(String::as_str).collect(),
    });
    refusal.map_or(Ok(JsValue::UNDEFINED), |refusal| to_js(&refusal))
}

pub fn instructions_end(given: &Given) -> u32 {
    read_entries(&given.bytes("entries")).iter().take_while(|entry| entry.role() == Role::System).count() as u32
}

pub fn run_of_prompt(given: &Given) -> i32 {
    let histories: Vec<Vec<Entry>> = given.list("histories", |entries| Some(read_entries(&entries.as_bytes()?)));
    find_run(&read_entries(&given.bytes("prompt")), &histories).map_or(-1, |index| index as i32)
}

/// What a run has learnt outside of a step.
#[derive(Serialize)]
struct Learnt {
    #[serde(with = "serde_bytes")]
    state: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traits: Option<Traits>,
}

impl Learnt {
    fn in_javascript(mut state: RunState) -> Result<JsValue, JsValue> {
        to_js(&Learnt { state: state.to_bytes(), traits: state.run.calibration.traits.learnt() })
    }
}

fn state_of(given: &Given) -> Result<RunState, JsValue> {
    RunState::read(&given.bytes("state")).ok_or_else(|| failed("engine-failed", "a state cannot be read".to_owned()))
}

pub fn learnt_refusals(given: &Given) -> Result<JsValue, JsValue> {
    let mut state = state_of(given)?;
    let before = state.run;
    for refusal in refusals_of(given, "refusals") {
        match refusal {
            Refusal::Overflow(overflow) if overflow.window_tokens > 0.0 => drop(state.run.refused(&overflow, 0.0)),
            Refusal::Binding => state.run.calibration.traits.refuses_binding = true,
            Refusal::TooManyImages(most) if most > 0 => {
                let learnt = MediaLimit { images: Some(most), bytes: None };
                state.run.calibration.traits.media = state.run.calibration.traits.media.and(learnt);
            }
            Refusal::Overflow(_) | Refusal::TooManyImages(_) | Refusal::Thoughts => {}
        }
    }
    if state.run == before { Ok(JsValue::UNDEFINED) } else { Learnt::in_javascript(state) }
}

/// What a run learns of a call before it is made.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallLearnt {
    #[serde(with = "serde_bytes")]
    state: Vec<u8>,
    is_over: bool,
}

pub fn learnt_call(given: &Given) -> Result<JsValue, JsValue> {
    let (model, mut state) = (settings_of(given)?, state_of(given)?);
    let before = state.run;
    if let Some(asks) = given.field("asks").as_number().and_then(Asks::from_code) {
        state.run.learn_asks(asks);
    }
    let instructions: u32 = read_entries(&given.bytes("instructions")).iter().map(Entry::tokens).sum();
    let overhead = f64::from(instructions + estimate_tokens(&given.text("tools"))) * model.settings.prior_ratio;
    if !model.settings.has_given_overhead {
        state.run.calibration.see_overhead(overhead);
    }
    let is_over = state.run.see_call(&model.settings, reply_of_request(&given.text("request")));
    if state.run == before { Ok(JsValue::UNDEFINED) } else { to_js(&CallLearnt { state: state.to_bytes(), is_over }) }
}

pub fn learnt_window(given: &Given) -> Result<JsValue, JsValue> {
    let (model, mut state) = (settings_of(given)?, state_of(given)?);
    let usage = Usage::from_step(&given.text("step"));
    state.run.learn_full_window(&usage, usage.prompt_tokens(model.settings.cached));
    Learnt::in_javascript(state)
}
