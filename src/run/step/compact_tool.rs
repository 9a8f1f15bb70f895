//! The compact tool, which `session.compactTool()` makes and the model calls: to fold by itself, or to keep a result whole. Says
//! what will happen, and carries the request to the run's next step, which is recognized by the call's result.
//! Changes nothing by itself: pins are set in `plan::pins`, and the ladder folds.

use serde::Serialize;

use crate::model::entry::{Entry, Kind};
use crate::model::fingerprint::Fingerprint;
use crate::plan::pins::find_pin_target;
use crate::policy::compact_tool::FOCUS_CHARS;
use crate::run::event::Event;
use crate::run::step::{PlanRequest, PlanSource, Step, plan_input};
use crate::state::FoldState;
use crate::text::clip::clean_within;
use crate::words::compact_tool::{self, PinOutcome, PinTarget};

/// A call of the tool: every text may be empty.
#[derive(Clone, Debug, Default)]
pub struct CompactCall {
    /// Its call.
    pub call_id: String,
    /// Fold, and what the summary is to look at.
    pub focus: String,
    /// Whose newest result to keep: the name of a tool, a `toolCallId`, or an id of recall. Empty for none.
    pub pin: String,
    /// What stands in that call or its result.
    pub containing: String,
}

impl CompactCall {
    /// With nothing to pin, or a focus beside it, it is one to fold.
    fn folds(&self) -> bool {
        self.pin.is_empty() || !self.focus.is_empty()
    }
}

/// What the run's next step is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactRequest {
    /// The call: its result stands in the history of the run.
    pub call_id: String,
    /// Fold.
    pub folds: bool,
    /// What the summary is to look at; empty for everything.
    pub focus: String,
    /// The result to keep, by its fingerprint in hexadecimal digits; empty for none.
    pub pin: String,
}

/// What the model is answered, and what is to be done.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// For the model.
    pub text: String,
    /// At the next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compact_request: Option<CompactRequest>,
    /// For those who listen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
}

/// Answers a call of the tool. The request is about the messages that the model was sent.
pub fn reply(request: &PlanRequest, call: &CompactCall, count: &dyn Fn(&str) -> u32) -> Reply {
    let mut step = Step::begin(request);
    let entries = request.entries();
    let source = PlanSource::new(request, count);
    let mut decisions = FoldState::from_packed(step.decisions).unwrap_or_default();
    step.run.sync_with_state(&mut decisions, &step.settings, &request.model_id, step.previous_model.as_deref());
    let mut compact_request = CompactRequest { call_id: call.call_id.clone(), folds: false, focus: String::new(), pin: String::new() };
    let mut texts = Vec::new();
    if !call.pin.is_empty() {
        let target = PinTarget { name: &call.pin, containing: &call.containing };
        let outcome = find_pin_target(&plan_input(&step, &entries, &source, &decisions, false), &target);
        if let PinOutcome::Free { fingerprint, .. } = &outcome {
            compact_request.pin = format!("{fingerprint:016x}");
        }
        texts.push(compact_tool::pinned(&outcome, &target));
    }
    if call.folds() {
        compact_request.folds = step.run.may_fold_by_itself();
        compact_request.focus = clean_within(call.focus.trim(), FOCUS_CHARS);
        texts.push(compact_tool::folded(compact_request.folds, &compact_request.focus));
    }
    let event = compact_request.folds.then(|| Event::CompactRequested { focus: compact_request.focus.clone() });
    let compact_request = (compact_request.folds || !compact_request.pin.is_empty()).then_some(compact_request);
    Reply { text: texts.join("\n"), compact_request, event }
}

/// Whether the result of one of these calls stands in these messages.
pub fn has_due_request(requests: &[CompactRequest], entries: &[Entry]) -> bool {
    requests.iter().any(|request| is_due(request, entries))
}

fn is_due(request: &CompactRequest, entries: &[Entry]) -> bool {
    let mut results = entries.iter().rev().flat_map(|entry| &entry.parts).filter(|part| part.kind == Kind::Result);
    results.any(|part| part.id == request.call_id)
}

/// What the model of a run has requested, all calls together.
pub struct PendingRequests<'a> {
    /// Fold.
    pub folds: bool,
    /// What the summary is to look at: the newest that was given.
    pub focus: Option<&'a str>,
    /// Results to keep.
    pub pins: Vec<Fingerprint>,
    /// The calls that these requests came from.
    pub calls: Vec<String>,
}

impl<'a> PendingRequests<'a> {
    /// What was requested in a run with this history. The rest belongs to other runs of the session.
    pub fn of(requests: &'a [CompactRequest], entries: &[Entry], may_fold: bool) -> PendingRequests<'a> {
        let own: Vec<&CompactRequest> = requests.iter().filter(|request| is_due(request, entries)).collect();
        let folding = || own.iter().filter(|request| may_fold && request.folds);
        PendingRequests {
            folds: folding().next().is_some(),
            focus: folding().map(|request| request.focus.as_str()).rfind(|focus| !focus.is_empty()),
            pins: own.iter().filter_map(|request| Fingerprint::from_str_radix(&request.pin, 16).ok()).collect(),
            calls: own.iter().map(|request| request.call_id.clone()).collect(),
        }
    }
}
