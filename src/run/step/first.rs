//! What the first step of a request looks at besides: whether its model is known and has outgrown what was decided, and whether the conversation is
//! older than what is remembered of it.

use super::Step;
use super::request::PlanRequest;
use crate::model::entry::Entry;
use crate::model::history::History;
use crate::model::message::Role;
use crate::plan::{Budget, PlanMode, covering};
use crate::redact::printable;
use crate::run::Run;
use crate::run::event::Event;
use crate::settings::Settings;
use crate::state::FoldState;

impl Step<'_> {
    /// Whether a request to another model has room for all that was folded and cleared for a smaller one: then it is sent as it is. Its cache
    /// is of that or cold. A summary that was paid for stays.
    pub(super) fn has_outgrown(&self, entries: &[Entry], decisions: &FoldState) -> bool {
        let PlanRequest { starts_run, mode, refused, .. } = self.request;
        if !starts_run || self.previous_model.is_none() || *mode != PlanMode::All || !refused.is_empty() {
            return false;
        }
        let history = History::new(entries, decisions);
        let is_there = history.own_checkpoint.is_none() && (decisions.checkpoints.is_empty() || covering(&history).is_some());
        let tokens: u64 = entries.iter().map(|entry| u64::from(entry.tokens())).sum();
        is_there
            && decisions.checkpoints.iter().all(|checkpoint| checkpoint.summary.is_none())
            && tokens <= u64::from(Budget::new(&self.settings, &self.run.calibration, false, None).target)
    }
}

/// Whether the model has answered before the newest message of the user.
pub(super) fn has_earlier_turn(entries: &[Entry]) -> bool {
    let answered = entries.iter().position(Entry::is_answer);
    answered.is_some_and(|at| entries[at..].iter().any(|entry| entry.role() == Role::User))
}

/// The event at the first step of a conversation.
pub(super) fn unknown_model(step: &Step<'_>) -> Option<Event> {
    if step.run.started || !step.decisions.is_empty() {
        return None;
    }
    let Settings { window_known, window_tokens, is_local, .. } = step.settings;
    let model_id = || printable(&step.request.model_id).into_owned();
    let reason = if is_local { "local-runtime" } else { "model-id" };
    (!window_known).then(|| Event::UnknownModel { model_id: model_id(), context_window: window_tokens as u32, reason })
}

/// The event at the first edit of a run whose provider leaves the overhead to be guessed.
pub(super) fn usage_not_reported(settings: &Settings, run: &Run) -> Option<Event> {
    let Run { calibration, .. } = run;
    let guess = calibration.unknown_overhead(settings.window_tokens);
    let is_guessed = calibration.is_silent && !settings.has_given_overhead && guess > 0.0;
    let assumed_tokens = (calibration.overhead_tokens + guess) as u32;
    is_guessed.then_some(Event::UsageNotReported { assumed_tokens, context_window: settings.window_tokens as u32 })
}
