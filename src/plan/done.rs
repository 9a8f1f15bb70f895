//! What a plan did, as values. Made into events elsewhere; nothing here decides or words anything.

/// One thing that a plan did, for events.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Results were cut when first seen.
    Capped {
        /// Which, with tokens before and after.
        results: Vec<ResultChange>,
    },
    /// Old results were replaced by placeholders.
    Cleared {
        /// Which, with tokens before and after.
        results: Vec<ResultChange>,
    },
    /// A span was folded.
    Folded {
        /// The checkpoint's id.
        id: String,
        /// Messages newly folded.
        messages: usize,
        /// Tokens of the checkpoint, estimated.
        checkpoint_tokens: u32,
        /// Whether it holds a summary made for this fold.
        summarized: bool,
    },
    /// The summarizer's text could not be used; the digest takes its place.
    Rejected {
        /// Why, in a word.
        reason: &'static str,
    },
    /// The tail gave way.
    Squeezed {
        /// Which parts, with tokens before and after.
        results: Vec<ResultChange>,
        /// More was folded.
        folded: bool,
    },
    /// The prompt does not fit and nothing more can be done.
    OverBudget {
        /// Why.
        reason: OverBudget,
        /// The largest message that could not be cut.
        message_index: Option<usize>,
    },
    /// A provider's own compaction is present; nothing new was done.
    StoodDown,
}

/// Why a prompt does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverBudget {
    /// System prompt and tools leave no room.
    Overhead,
    /// A message is too large and may not be cut.
    Message,
    /// A provider's own compaction is present, and stepfold stands down.
    NativeCompaction,
}

/// What became of one part.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultChange {
    /// The tool.
    pub tool: String,
    /// `toolCallId`; empty for text.
    pub call_id: String,
    /// Index of its message in the list.
    pub message_index: usize,
    /// Tokens before, as the provider likely counts.
    pub tokens_before: u32,
    /// Tokens after.
    pub tokens_after: u32,
}
