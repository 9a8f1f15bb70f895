//! What is remembered of a call beside its message: whether it acts, and what it is about. Enough to say which results are out of date.
//! Not what it says in full (see `subject`).

use serde::{Deserialize, Serialize};

use crate::digest::effect::{Effect, effect_of_call};
use crate::digest::plan::PlanChange;
use crate::digest::subject::names_of;
use crate::json::Value;

/// What a call touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFacts {
    /// Whether it reads or acts, by its name and input.
    pub effect: Effect,
    /// Hashes of the names and ids among its arguments.
    pub names: Vec<u64>,
}

/// What the call `tool(input)` touches.
pub fn call_facts(tool: &str, input: &Value<'_>) -> CallFacts {
    CallFacts { effect: effect_of(tool, input), names: names_of(input) }
}

/// Whether a call reads or acts, by name and input. A plan is the model's own: to change it is no act.
pub fn effect_of(tool: &str, input: &Value<'_>) -> Effect {
    if PlanChange::of_call(tool, input).is_some() { Effect::Reads } else { effect_of_call(tool, input) }
}
