//! What came of a call: the one line of its result that a colleague would want to be told.
//! Not which results are worth keeping.

use serde::{Deserialize, Serialize};

use crate::record::action::Action;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// It did what it was asked.
    Done,
    /// It failed.
    Failed,
    /// The user, or a rule of theirs, did not let it be done.
    Refused,
    /// It runs still.
    Running,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The one line that says what came of it, such as `12 passed, 1 failed`; may be empty.
    pub line: String,
}

/// What came of a call that does `actions`, by the text of its result.
pub fn read_outcome(actions: &[Action], text: &str, is_error: bool) -> Outcome {
    let _ = actions;
    let status = if is_error { Status::Failed } else { Status::Done };
    Outcome { status, line: text.lines().next().unwrap_or_default().to_owned() }
}
