//! What a plan is made from, as plain data. Decides nothing, and is read only.

use crate::model::entry::Entry;
use crate::model::fingerprint::Fingerprint;
use crate::plan::draft::{DigestGiven, Source};
use crate::providers::owner::HistoryOption;
use crate::settings::{Options, Settings};
use crate::state::FoldState;
use crate::tokens::calibration::Calibration;

/// What a plan is made from.
pub struct PlanInput<'a> {
    /// The list, measured.
    pub entries: &'a [Entry],
    /// Where its texts can be read again.
    pub source: &'a dyn Source,
    /// The model's numbers.
    pub settings: &'a Settings,
    /// What is not a number.
    pub options: &'a Options,
    /// What was decided before.
    pub state: &'a FoldState,
    /// What was learnt of the model.
    pub calibration: &'a Calibration,
    /// The list, held, is the last reported prompt plus additions.
    pub extends: bool,
    /// The summary.
    pub summary: Summary<'a>,
    /// What it is for, and how far up the ladder it goes.
    pub mode: PlanMode,
    /// Index from which on nothing is folded or cut: messages that the SDK must find again as they are.
    pub keep_from: usize,
    /// What only some plans are given.
    pub extra: Extra<'a>,
}

/// The span that a summary was requested for.
#[derive(Clone, Copy, Debug)]
pub struct RequestedSpan<'a> {
    /// Its first message.
    pub start: usize,
    /// First message after it.
    pub end: usize,
    /// Which one it was of this step, from 1.
    pub part: u32,
    /// What it was given as the summary so far: behind the first part that of what was read at this step.
    pub previous: Option<&'a str>,
    /// What it was shown besides; read again where nobody has kept it.
    pub shown: Option<&'a str>,
}

/// What only some plans are given.
#[derive(Clone, Copy, Default)]
pub struct Extra<'a> {
    /// What the answer of the summarizer is about.
    pub requested_span: Option<RequestedSpan<'a>>,
    /// What the summary is to focus on, given by the user or the model for this plan alone.
    pub focus: Option<&'a str>,
    /// Results that the model asks to keep whole.
    pub pins: &'a [Fingerprint],
    /// Messages that the session has inserted: the app's list does not have them.
    pub inserted: &'a [usize],
    /// What the app says of its own state, as JSON; put into a checkpoint.
    pub working: Option<&'a str>,
    /// What the app says at the end of a checkpoint, in place of the option's own text.
    pub note: Option<&'a str>,
    /// The user's digests of results that a plan of this step has wanted.
    pub digests: &'a [DigestGiven],
    /// Summaries that were requested ahead of time, for this conversation or others.
    pub ahead: &'a [Ahead],
    /// Another may be requested ahead of time.
    pub asks_ahead: bool,
    /// Which results are put as files.
    pub offloads: Offloads,
    /// All thoughts so far have lost their prefix to what nobody sees here.
    pub loses_thoughts: Option<DroppedReasoning>,
    /// All thoughts were sent so far, because the model was not known to bind them.
    pub sent_all_thoughts: bool,
    /// Nothing new is decided: the provider edits prompts itself, or has the history.
    pub stands_down: Option<StandDown>,
}

/// Why nothing new is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StandDown {
    /// The provider edits prompts of this run by itself.
    AppliedEdits {
        /// Tokens, as it counts, that it takes out of this one; infinite while nobody knows.
        cleared_tokens: f64,
    },
    /// The history lies with the provider, which adds it to what is sent.
    HistoryElsewhere {
        /// The option that says so.
        by: HistoryOption,
    },
}

/// Which results are put as files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offloads {
    /// None.
    #[default]
    None,
    /// Those that this plan clears or folds.
    New,
    /// Also those of earlier plans, whose files are gone.
    All,
}

/// What a plan is for, and how far up the ladder it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanMode {
    /// A step: the whole ladder, as the budget asks for it.
    All,
    /// The same, to be shown as a table.
    Preview,
    /// Clear everything before the tail, whatever the budget.
    Clear,
    /// Fold everything before the tail, whatever the budget.
    Checkpoint,
    /// A step whose model asked to fold: as `Compact`, with the prompt that comes next.
    Fold,
    /// The same now and for good: the summarizer is asked, and of a short conversation too no more than a quarter is tail.
    Compact,
    /// Between two runs, while the provider's cache goes cold anyway: clears down to the target, whatever the trigger. Nothing is folded.
    Prune,
}

/// The summary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Summary<'a> {
    /// It was not requested yet.
    NotRequested,
    /// The summarizer's text.
    Given(&'a str),
    /// There is none: the digest takes its place.
    Unavailable,
}

/// A summary that was requested ahead of time.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// Names the span it covers.
    pub key: String,
    /// Its answer.
    pub answer: Answer,
}

/// The answer to a summary request.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Answer {
    /// It is not there yet.
    #[default]
    Pending,
    /// The summarizer gave none.
    Failed,
    /// Its text.
    Given(String),
}

/// What changed that stood before a thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DroppedReasoning {
    /// An edit of this plan.
    Edit,
    /// The history is not the one that was edited before: the app changed it between two requests.
    HistoryChanged,
    /// The instructions are not those of the run before.
    InstructionsChanged,
    /// The provider says so.
    Refused,
}
