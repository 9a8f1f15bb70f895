//! Whether a step may be planned on entries that stand for spans of messages, which the plan before has made of what its checkpoint covers.

use super::Step;
use super::request::PlanRequest;
use crate::model::entry::Entry;
use crate::model::history::History;
use crate::model::span::StandsFor;
use crate::plan::{Offloads, PlanMode, suffices};
use crate::state::FoldState;

impl Step<'_> {
    /// Whether this step must be given the entries of all messages.
    pub(super) fn needs_all(&self, entries: &[Entry], decisions: &FoldState) -> bool {
        let has_spans = entries.iter().any(|entry| entry.stands_for != StandsFor::Itself);
        has_spans && !(self.goes_on_as_before() && suffices(&History::new(entries, decisions)))
    }

    /// Whether this is a step like the one before: it asks nothing of what a checkpoint covers.
    fn goes_on_as_before(&self) -> bool {
        let PlanRequest { mode, refused, compact_requests, offloads, .. } = self.request;
        self.run.started
            && self.previous_model.is_none()
            && *mode == PlanMode::All
            && refused.is_empty()
            && compact_requests.is_empty()
            && *offloads != Offloads::All
    }
}
