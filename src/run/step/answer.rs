//! What is answered to JavaScript after a step: `PlanAnswer` of `boundary.ts`, field by field. Nothing is decided here.

use std::ops::Range;

use serde::Serialize;

use crate::plan::{Budget, DigestRequest, Edit, Plan, ResultFile, SummaryRequest};
use crate::providers::prices::Cost;
use crate::providers::sending::MarkSlots;
use crate::run::event::Event;
use crate::tokens::traits::Traits;

/// The answer to a step.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanAnswer {
    /// A message looks as if it were of another form than the SDK's (`model::form`).
    pub is_suspicious: bool,
    /// What is remembered after it.
    #[serde(with = "serde_bytes")]
    pub state: Vec<u8>,
    /// A message had to be read that was left out of the request: nothing is answered, and the plan is made again on all of them.
    pub needs_all: bool,
    /// What the next plan on this history need not be given, once a plan was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered: Option<Covered>,
    /// Something that was decided holds: the list is sent with edits, now or since earlier.
    pub has_decisions: bool,
    /// The provider is to be asked to leave out thoughts whose prefix has changed, where it can be asked.
    pub drops_thoughts: bool,
    /// What was learnt of the model, for other runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traits: Option<Traits>,
    /// The provider is to be asked to cache the prompt, where it does so only when asked.
    pub asks_cache: bool,
    /// For how many cache marks of stepfold's there is room, once a step has shown it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark_slots: Option<MarkSlots>,
    /// More was added than a cache mark at the end looks back over.
    pub is_far: bool,
    /// What was decided is not what it was before.
    pub changes_decisions: bool,
    /// What was learnt before anything was planned: reported also when the plan then waits.
    pub learnt: Vec<Event>,
    /// What happened, for those who listen.
    pub events: Vec<Event>,
    /// What to change in the list.
    pub edits: Vec<Edit>,
    /// Calls of the compact tool that are done with.
    pub handled_calls: Vec<String>,
    /// Messages at the start of the list that were planned before, as far as they are recognised.
    pub known_messages: u32,
    /// What must be written before the edits may be sent: they name it.
    pub files: Vec<ResultFile>,
    /// The newest file that was named before, if any was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_file: Option<String>,
    /// Results whose digests the user's functions are to give; the plan is then made again with them.
    pub digests: Vec<DigestRequest>,
    /// A checkpoint was made.
    pub makes_checkpoint: bool,
    /// The summarizer is to be asked, and the plan made again with its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_request: Option<SummaryRequest>,
    /// Which of the summaries requested ahead of time is of this conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<AheadAnswer>,
    /// Tokens of the prompt; `None` when no plan was made and everything decided before still holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<PlanTokens>,
    /// What becomes of each message, as a table, when that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// What the input of requests costs, when a table was asked for and prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// Messages that a checkpoint covers.
#[derive(Clone, Debug, Serialize)]
pub struct Covered {
    /// They need not be given.
    pub spans: Vec<Range<usize>>,
    /// The entries of the list up to their end, as far as a plan asks for them; empty where all are to be given.
    #[serde(with = "serde_bytes")]
    pub entries: Vec<u8>,
}

/// A summary requested ahead of time that is of this conversation.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AheadAnswer {
    /// Its place among those handed over.
    pub index: usize,
    /// It is not there yet, and the prompt does not fit without: wait for it and plan again.
    pub is_due: bool,
    /// It is not there yet, and the step can do without.
    pub is_pending: bool,
}

/// Tokens of the whole prompt, as the provider likely counts.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlanTokens {
    /// With what was decided before.
    pub before: u32,
    /// With this plan carried out.
    pub after: u32,
    /// A prompt may have so many.
    pub limit: u32,
    /// Where work starts.
    pub trigger: u32,
    /// Where work ends.
    pub target: u32,
}

impl PlanTokens {
    /// Those of a plan.
    pub fn of(plan: &Plan) -> PlanTokens {
        let Budget { limit, trigger, target, .. } = plan.budget;
        let tokens = |estimated: u64| plan.budget.prompt_tokens(estimated);
        PlanTokens {
            before: tokens(plan.estimated_before),
            after: tokens(plan.estimated_after),
            limit: tokens(limit.into()),
            trigger: tokens(trigger.into()),
            target: tokens(target.into()),
        }
    }
}
