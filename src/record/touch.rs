//! What is remembered of a call beside its message: which files it reads and changes, and of what kind it is.
//! Enough to say which results are out of date and which failures are mended; not what the call says in full (see `call`).

use serde::{Deserialize, Serialize};

use crate::digest::effect::{Effect, effect_of_call};
use crate::json::Value;
use crate::message::Call;
use crate::record::action::Action;
use crate::record::call::read_call;
use crate::record::line::{brief, kind, subject};

/// Longest description of a call, in characters.
const ABOUT_CHARS: usize = 160;

/// What a call touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// Files it reads.
    pub reads: Vec<String>,
    /// Files it writes, edits, moves or deletes.
    pub changes: Vec<String>,
    /// What is the same of all calls of its kind.
    pub kind: String,
    /// Whether it reads or acts, by its name and input.
    pub effect: Effect,
}

/// What the call `tool(input)` touches.
pub fn touch(tool: &str, input: &Value<'_>) -> Touch {
    let actions = read_call(tool, input);
    let mut touch = Touch { kind: kind(tool, &actions), effect: effect_of(tool, input, &actions), ..Touch::default() };
    for action in actions {
        match action {
            Action::Read { path, .. } => touch.reads.push(path),
            Action::Create { path, .. } | Action::Edit { path, .. } | Action::Delete { path } => touch.changes.push(path),
            Action::Move { from, to } => touch.changes.extend([from, to]),
            _ => {}
        }
    }
    touch
}

/// Whether a call reads or acts: by its actions where the tool is known by name, else by what name and input tell.
pub fn effect_of(tool: &str, input: &Value<'_>, actions: &[Action]) -> Effect {
    let reads = |action: &Action| {
        matches!(
            action,
            Action::Read { .. }
                | Action::Search { .. }
                | Action::List { .. }
                | Action::Fetch { .. }
                | Action::Query { .. }
                | Action::Plan(_)
                | Action::Wait
        )
    };
    match () {
        () if actions.iter().any(|action| matches!(action, Action::Other { .. })) => effect_of_call(tool, input),
        () if actions.iter().any(Action::writes) => Effect::Acts,
        () if actions.iter().all(reads) => Effect::Reads,
        () => Effect::Unknown,
    }
}

/// A call in a few words, without secrets; empty when there is nothing to say of it.
pub fn about(call: &Call) -> String {
    let input = Value::parse(&call.input).unwrap_or(Value::Null);
    brief(&subject(&call.name, &read_call(&call.name, &input)), ABOUT_CHARS)
}
