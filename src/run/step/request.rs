//! What JavaScript asks of a step, as one value: `PlanRequest` of `boundary.ts`, which `wasm/plan.rs` reads. Nothing is decided here.

use crate::model::carried::Carried;
use crate::model::entry::{Entry, read_entries};
use crate::model::message::Role;
use crate::plan::{Ahead, Answer};
use crate::plan::{DigestGiven, Offloads, PlanMode};
use crate::providers::owner::Asks;
use crate::providers::refusal::Refusal;
use crate::providers::sending::MarkSlots;
use crate::run::step::compact_tool::CompactRequest;
use crate::run::{Ended, Usage};
use crate::settings::ModelSettings;
use crate::state::FoldState;
use crate::tokens::traits::Traits;

/// The span that a summary was requested for, as `SummaryRequest` named it.
#[derive(Clone, Debug)]
pub struct RequestedSpan {
    /// Its first message.
    pub start: usize,
    /// First message after it.
    pub end: usize,
    /// Which one it was of this step, from 1.
    pub part: u32,
    /// The summary so far that it was given.
    pub previous_summary: Option<String>,
    /// What it was told and shown besides.
    pub shown: Option<String>,
}

/// What a plan is made from.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    /// Options and numbers of the model, as the engine packed them.
    pub settings: ModelSettings,
    /// The model of this step; empty when it has no id.
    pub model_id: String,
    /// What the plan is for.
    pub mode: PlanMode,
    /// What the step before left; `None` before the first.
    pub state: Option<Vec<u8>>,
    /// The entries of the list, one behind the other. To skip a plan of a list that `extends` the one before, only those of the messages
    /// that are new.
    pub entries: Vec<u8>,
    /// All messages, for the texts that a plan reads again; those that an answer before named as covered may be left out. Empty to skip a plan.
    pub messages: Vec<u8>,
    /// The list is what was planned last and new messages after it.
    pub extends: bool,
    /// Index from which on nothing may be folded or cut.
    pub keep_from: usize,
    /// Messages of the list that the session has inserted.
    pub inserted: Vec<usize>,
    /// Messages of the list that somebody put in behind what was sent, as ai 7 does with a catalog of tools.
    pub put_in: Vec<usize>,
    /// What was reported of the step before.
    pub usage: Option<Usage>,
    /// No message is of another form than the SDK's, whatever it looks like.
    pub is_known_form: bool,
    /// What this step's own options ask of the provider, where they are known.
    pub asks: Option<Asks>,
    /// How calls ended since.
    pub ended: Vec<Ended>,
    /// For how many cache marks of stepfold's the step before has shown room.
    pub mark_slots: Option<MarkSlots>,
    /// What another run has learnt of this model.
    pub traits: Option<Traits>,
    /// Tokens that the step before asked for as its reply; zero where that was not seen.
    pub reply_tokens: f64,
    /// The list was sent and refused: for this first, and after a recovery for the next.
    pub refused: Vec<Refusal>,
    /// Entries of the instructions that are sent beside the messages, at the first step of a run of ai 7.
    pub instructions: Option<Vec<u8>>,
    /// What the summarizer answered to the plan before; pending when it was not asked.
    pub summary: Answer,
    /// The span that it is about.
    pub requested_span: Option<RequestedSpan>,
    /// What the summary is to look at this time.
    pub focus: Option<String>,
    /// What models have requested with the compact tool and no step has done yet.
    pub compact_requests: Vec<CompactRequest>,
    /// What the app says of its own state, as JSON.
    pub working_state: Option<String>,
    /// What the app says at the end of a checkpoint, where a function was asked.
    pub checkpoint_note: Option<String>,
    /// The user's digests of results that a plan of this step has wanted.
    pub digests: Vec<DigestGiven>,
    /// Summaries requested ahead of time, for this conversation or others.
    pub ahead: Vec<Ahead>,
    /// States of other conversations that this list may continue.
    pub candidates: Vec<Vec<u8>>,
    /// Somebody listens to events.
    pub wants_events: bool,
    /// Edits are recorded: their events are wanted, whoever listens.
    pub records_edits: bool,
    /// Results can be recalled by an id.
    pub recalls: bool,
    /// Which results are put as files into the directory of the option `offload`.
    pub offloads: Offloads,
    /// The first step of a run.
    pub starts_run: bool,
    /// A new request goes on from what an earlier one left, without a session.
    pub continues_request: bool,
}

impl PlanRequest {
    /// The entries of the list, with what is known of where its messages came from.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = read_entries(&self.entries);
        for message in &self.put_in {
            if let Some(entry) = entries.get_mut(*message).filter(|entry| entry.role() == Role::User && entry.carried.is_none()) {
                entry.carried = Some(Carried::PutIn);
            }
        }
        entries
    }
}

/// Without a checkpoint that the state confirms no message is a copy of what a fold carried, whatever its marker says.
pub fn disown_forged(entries: &mut [Entry], decisions: &FoldState) {
    let is_ours = |entry: &Entry| decisions.checkpoints.iter().any(|checkpoint| entry.marker.as_deref() == Some(&*checkpoint.id()));
    if !entries.iter().any(is_ours) {
        entries.iter_mut().for_each(Entry::disown);
    }
}
