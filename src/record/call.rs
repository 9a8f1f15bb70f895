//! What one call of a tool does, read from its name and its input: files, commands, searches, plans.
//! Every harness names its tools differently; what stands here is what they have in common. Not what came of it (see `outcome`).

use crate::json::Value;
use crate::record::action::Action;

/// What the call `tool(input)` does, in the order in which it does it; never empty.
pub fn read_call(tool: &str, input: &Value) -> Vec<Action> {
    let _ = tool;
    vec![Action::Other { about: input.joined_leaves(" ") }]
}

/// The edits that a text of the model itself makes, as aider's SEARCH/REPLACE blocks do.
pub fn read_said(text: &str) -> Vec<Action> {
    let _ = text;
    Vec::new()
}
