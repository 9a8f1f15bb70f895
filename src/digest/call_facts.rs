//! What is remembered of a call beside its message: whether it acts, and what it is about. Enough to say which results are out of date.
//! Not what it says in full (see `subject`).

use serde::{Deserialize, Serialize};

use crate::digest::effect::{Effect, effect_of_call};
use crate::digest::plan::PlanChange;
use crate::digest::subject::{hash_of, names_of};
use crate::digest::uses::passed_on;
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
    let effect = effect_of(tool, input);
    match passed_on(tool, input) {
        Some((inner, given)) => CallFacts { effect, names: [hash_of(inner)].into_iter().chain(names_of(&given)).collect() },
        None => CallFacts { effect, names: names_of(input) },
    }
}

/// Whether a call reads or acts, by name and input. A plan is the model's own: to change it is no act.
pub fn effect_of(tool: &str, input: &Value<'_>) -> Effect {
    match passed_on(tool, input) {
        _ if PlanChange::of_call(tool, input).is_some() => Effect::Reads,
        Some((inner, given)) => effect_of_call(inner, &given),
        None => effect_of_call(tool, input),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_passed_on_does_what_the_tool_behind_does() {
        use Effect::{Acts, Reads};
        for (tool, input, expected) in [
            ("call_tool", r#"{"server":"pay","name":"get_payment","arguments":{"id":"P-1"}}"#, Reads),
            ("use_mcp_tool", r#"{"tool_name":"refund_payment","arguments":"{\"id\":\"P-1\"}"}"#, Acts),
            ("get_tool_schema", r#"{"tool_name":"refund_payment","parameters":{}}"#, Reads),
            ("create_report", r#"{"name":"search","parameters":{}}"#, Acts),
        ] {
            assert_eq!(effect_of(tool, &Value::parse(input).unwrap()), expected, "{tool} {input}");
        }
        let facts =
            |name: &str| call_facts("call_tool", &Value::parse(&format!(r#"{{"name":"{name}","arguments":{{"id":"P-1"}}}}"#)).unwrap());
        assert_ne!(facts("get_payment").names, facts("get_refund").names);
    }
}
