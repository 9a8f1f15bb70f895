//! How a call that changed something ended, as far as anything says.

use serde::{Deserialize, Serialize};

use crate::digest::status::{failure_of, is_unsure};
use crate::model::message::{Outcome, ToolResult};

/// How an act ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// It returned without an error.
    #[default]
    Done,
    /// It returned an error, or nothing at all: whether it took effect is not known.
    Unknown,
    /// The same, and a later call of its kind returned without an error in this step.
    Repeated(u32),
    /// The same, and in this step something showed more of it: a reading of what it is about, or a page that went on.
    Seen(u32),
    /// It returned something, and nobody knows whether that was a success.
    Unsure,
    /// It was stopped while it ran: whether it took effect is not known.
    Aborted,
    /// It took too long: whether it took effect is not known.
    TimedOut,
}

impl End {
    /// How the call of this result ended.
    pub fn of(result: &ToolResult) -> End {
        match (result.outcome, failure_of(result)) {
            (Some(Outcome::Aborted), _) => End::Aborted,
            (Some(Outcome::TimedOut), _) => End::TimedOut,
            (_, Some(_)) => End::Unknown,
            (_, None) if is_unsure(result) => End::Unsure,
            (_, None) => End::Done,
        }
    }

    /// Whether it returned, and did not say that it failed.
    pub fn has_returned(self) -> bool {
        matches!(self, End::Done | End::Unsure)
    }
}
