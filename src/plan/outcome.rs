//! What a plan says, as values: what to change, what to remember, what was done and why, which summary is to be requested.
//! Decides nothing: the ladder (`ladder.rs`) does.

use std::ops::Range;

use serde::Serialize;

use crate::model::entry::Kind;
use crate::model::message::Role;
use crate::plan::budget::Budget;
use crate::plan::draft::DigestRequest;
use crate::plan::edit::Edit;
use crate::plan::files::ResultFile;
use crate::plan::input::{DroppedReasoning, RequestedSpan, StandDown};
use crate::plan::preview::Preview;
use crate::state::FoldState;

/// One thing that a plan did, for events.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Results were cut when first seen.
    Capped {
        /// Which, with tokens before and after.
        results: Vec<ResultChange>,
        /// Why.
        because: CutBecause,
    },
    /// Old results were replaced by placeholders.
    Cleared {
        /// Which, with tokens before and after.
        results: Vec<ResultChange>,
    },
    /// A tool turned out to act: placeholders of its results no longer offer to call it.
    OffersWithdrawn {
        /// Which results, with tokens before and after.
        results: Vec<ResultChange>,
    },
    /// Images of old results gave way to newer ones.
    AgedImages {
        /// Of which results, with tokens before and after.
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
    /// The model asked to keep a result whole.
    Pinned {
        /// The tool.
        tool: String,
        /// `toolCallId`.
        call_id: String,
        /// Tokens of the result, as the provider likely counts.
        tokens: u32,
    },
    /// Results are not pinned any more: there were too many.
    Released {
        /// Their tools.
        tools: Vec<String>,
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
        /// What the provider likely counts; of a prompt that its own compaction begins, from there on.
        tokens: u32,
        /// So it is even if the estimate is too high.
        certain: bool,
    },
    /// A provider edits the prompt itself, or has the history; nothing new was done.
    StoodDown {
        /// Why.
        because: StandDown,
    },
    /// The newest checkpoint does not stand any more: the app has changed what it covers.
    LostCheckpoint {
        /// Its id.
        id: String,
        /// Messages that it covered.
        messages: u32,
        /// What is no more as it was; `None` where that cannot be said.
        difference: Option<Difference>,
    },
    /// Reasoning is not sent any more, because the model refuses thoughts whose prefix has changed.
    DroppedReasoning {
        /// How many parts.
        parts: usize,
        /// What changed the prefix.
        reason: DroppedReasoning,
    },
}

/// Where a history begins to differ from the one that a checkpoint covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first message of this list that differs; where parts are missing, the one that stands in their place.
    pub message_index: usize,
    /// How.
    pub kind: DifferenceKind,
    /// The part of it that was changed or added.
    pub part: Option<DifferentPart>,
}

/// How histories differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// A part says something else.
    Changed,
    /// Parts are there that were not.
    Added,
    /// Parts that were there are not.
    Missing,
}

/// A part that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentPart {
    /// Who says it.
    pub role: Role,
    /// What it is.
    pub kind: Kind,
    /// The tool of a call; else empty.
    pub tool: String,
}

/// Why a new result was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBecause {
    /// The user's option `maxResultTokens`.
    Option,
    /// It does not fit, even if all that may give way has.
    Window,
}

/// Why a prompt does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverBudget {
    /// System prompt and tools leave no room.
    Overhead,
    /// A message is too large and may not be cut.
    Message,
    /// The provider's own compaction block is too large, or it edits the prompt itself and stepfold stands down.
    NativeCompaction,
}

/// How one part was changed.
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
    /// A later call has made it obsolete.
    pub stale: bool,
}

/// A request for a summary; the plan is made again with the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SummaryRequest {
    /// Complete prompt for a separate model.
    pub prompt: String,
    /// The instruction alone, to be sent behind the conversation.
    pub instruction: String,
    /// The summary it updates.
    pub previous_summary: Option<String>,
    /// Tokens it may take.
    pub max_output_tokens: u32,
    /// Messages it covers, in the list.
    pub start: usize,
    /// First message it does not cover.
    pub end: usize,
    /// Which part of what this step folds it is, from 1: a long span is read in several.
    pub part: u32,
    /// What the summarizer is told and shown without the summary before, to be handed back with its answer.
    pub shown: String,
    /// The id of the prompt's fences. Not that of the checkpoint: a summarizer that was talked into it could close those.
    #[serde(skip)]
    pub fence: String,
    /// Requested ahead of time: the name of the span. This plan is carried out without it.
    pub ahead: Option<String>,
}

impl SummaryRequest {
    /// The part that it asks about.
    pub fn requested_span(&self) -> RequestedSpan<'_> {
        RequestedSpan {
            start: self.start,
            end: self.end,
            part: self.part,
            previous: self.previous_summary.as_deref(),
            shown: Some(&self.shown),
        }
    }
}

/// A decision, as a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What to change in the list.
    pub edits: Vec<Edit>,
    /// What must be written before these edits may be sent: they name it.
    pub files: Vec<ResultFile>,
    /// The newest file that was named before.
    pub named_file: Option<String>,
    /// Results of which the user's own digest is wanted: the plan is to be made again with it.
    pub digests: Vec<DigestRequest>,
    /// Messages that no later plan reads while its checkpoint stands.
    pub covered: Vec<Range<usize>>,
    /// What the next plan is told of the list up to their end, in place of its entries; empty where it must be told all.
    pub covered_entries: Vec<u8>,
    /// What to remember.
    pub state: FoldState,
    /// What was done now, beyond holding.
    pub done: Vec<Done>,
    /// Estimated tokens of the list as it came.
    pub estimated_raw: u64,
    /// Estimated tokens with earlier decisions carried out.
    pub estimated_before: u64,
    /// Estimated tokens with this plan carried out.
    pub estimated_after: u64,
    /// The numbers it was decided with.
    pub budget: Budget,
    /// A checkpoint is due and the summarizer is to be asked first; this plan only holds.
    pub summary_request: Option<SummaryRequest>,
    /// Which of the summaries requested ahead of time is of this conversation, and its outcome.
    pub ahead: Option<(usize, AheadOutcome)>,
    /// What becomes of each message, as a table, when that was asked for.
    pub preview: Option<Preview>,
}

impl Plan {
    /// Whether something that was sent before changes: a cut of what is new does not.
    pub fn breaks_prefix(&self) -> bool {
        self.done.iter().any(|done| match done {
            Done::Cleared { .. }
            | Done::OffersWithdrawn { .. }
            | Done::AgedImages { .. }
            | Done::Folded { .. }
            | Done::Squeezed { .. }
            | Done::LostCheckpoint { .. }
            | Done::DroppedReasoning { .. } => true,
            Done::Capped { .. }
            | Done::Pinned { .. }
            | Done::Released { .. }
            | Done::Rejected { .. }
            | Done::OverBudget { .. }
            | Done::StoodDown { .. } => false,
        })
    }
}

/// What a plan made of a summary requested ahead of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AheadOutcome {
    /// It is not there yet, and the step can do without.
    Pending,
    /// It is not there yet, and the prompt does not fit without: wait for it and plan again.
    Due,
    /// A checkpoint holds it.
    Used,
    /// It came to nothing.
    Failed,
}
