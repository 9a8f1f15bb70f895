//! Edits: what a plan asks for, as values. Indices refer to the list that was planned on.
//! Carried out by `apply` here and by `apply-edits.ts` in JavaScript, which must agree.

use std::ops::Range;

use serde::Serialize;

use crate::model::history::Place;
use crate::plan::behind::Behind;

/// One change of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Edit {
    /// Replaces messages `start..end` by one user message.
    Checkpoint {
        /// First message replaced.
        start: usize,
        /// First message kept.
        end: usize,
        /// Messages that stay before it: those around a provider's compaction block; empty when none do.
        block: Range<usize>,
        /// What stands behind it, in order.
        behind: Vec<Behind>,
        /// The checkpoint's id, for its marker.
        id: String,
        /// Its text.
        text: String,
        /// Parts of replaced messages that it carries along, in order.
        copies: Vec<Place>,
    },
    /// Puts a message of the assistant between two of the user.
    Bridge {
        /// Before which message.
        before: usize,
        /// Its text.
        text: &'static str,
    },
    /// Takes parts out of a message, and the message out of the list when nothing is left of it.
    LeaveOut {
        /// Which message.
        message: usize,
        /// Which parts, in order, as they stood before any edit.
        parts: Vec<usize>,
    },
    /// Changes one part.
    Part {
        /// Which part.
        place: Place,
        /// The original's id, for the part's marker.
        id: String,
        /// How.
        change: PartChange,
    },
}

/// How one part changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum PartChange {
    /// A tool result's output becomes this text.
    Output {
        /// The text.
        text: String,
        /// It was an error and stays one.
        is_error: bool,
    },
    /// A tool call's input becomes this JSON object.
    Input {
        /// The object as JSON text.
        json: String,
    },
    /// A text part's text changes, or a picture or file becomes a text.
    Text {
        /// The new text.
        text: String,
    },
}
