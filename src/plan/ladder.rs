//! The ladder: cap, the summary requested ahead of time, clear, checkpoint, squeeze. Each rung goes on only if the one before left too much.
//! Says when a rung acts and with which numbers; what a rung does stands in its own file.

use crate::model::entry::{Entry, Kind};
use crate::plan::ahead;
use crate::plan::budget::Budget;
use crate::plan::changes::changes_of;
use crate::plan::clear::{ClearRules, clear, clear_expected, clearable, tail_start};
use crate::plan::draft::{Draft, Saving};
use crate::plan::due::{above, rules_for};
use crate::plan::excerpts::{keep_between, keep_parts};
use crate::plan::input::{Answer, PlanInput, PlanMode, RequestedSpan, Summary};
use crate::plan::outcome::{AheadOutcome, CutBecause, Done, ResultChange, SummaryRequest};
use crate::plan::summary_request::{Reading, most_summary_tokens};
use crate::plan::{cap, checkpoint, images, squeeze};
use crate::policy::ladder::{
    EXPECTED_PLACEHOLDER_TOKENS, LEAST_PLACEHOLDER_TOKENS, MOST_DECISIONS, PARTS_OF_SAVED, PARTS_SHARE, PRUNE_PART,
};
use crate::redact::clean;
use crate::tokens::saturate;
use crate::words::cut::head_and_tail_kept;
use crate::words::summary::without_thoughts;

/// A draft on its way up the ladder.
pub struct Ladder<'l, 'a, 'd> {
    /// What the plan is made from.
    pub input: &'l PlanInput<'a>,
    /// The numbers it is decided with.
    pub budget: &'l Budget,
    /// The list as it would be sent.
    pub draft: &'l mut Draft<'d>,
    /// What was done so far.
    pub done: Vec<Done>,
    /// Which of the summaries requested ahead of time is of this conversation, and its outcome.
    pub ahead: Option<(usize, AheadOutcome)>,
    /// The summary.
    pub(super) summary: Summary<'a>,
    /// Clearing has broken the cache, so that what else changes costs little.
    pub(super) breaks_already: bool,
    /// Results that clearing replaced, with what that saved.
    cleared: Vec<Saving>,
}

impl<'l, 'a, 'd> Ladder<'l, 'a, 'd> {
    /// At its foot: with what was decided before, and nothing new.
    pub fn new(input: &'l PlanInput<'a>, budget: &'l Budget, draft: &'l mut Draft<'d>) -> Self {
        Ladder { input, budget, draft, done: Vec::new(), ahead: None, summary: input.summary, breaks_already: false, cleared: Vec::new() }
    }

    /// Climbs as far as the mode says. Returns the summary request, if one is due.
    pub fn climb(&mut self) -> Option<SummaryRequest> {
        match self.input.mode {
            PlanMode::All | PlanMode::Preview | PlanMode::Compact | PlanMode::Fold => self.climb_all(),
            PlanMode::Prune => {
                self.prune();
                None
            }
            PlanMode::Clear | PlanMode::Checkpoint => {
                self.climb_single_rung();
                None
            }
        }
    }

    fn climb_all(&mut self) -> Option<SummaryRequest> {
        if self.stands_down() {
            return None;
        }
        self.cap();
        self.age_images();
        // It was requested without the focus.
        if !self.compacts() {
            self.use_summary_requested_ahead();
        }
        if matches!(self.ahead, Some((_, AheadOutcome::Pending | AheadOutcome::Due))) {
            return None;
        }
        if self.may_stop_below_trigger() {
            return if self.summary == Summary::NotRequested { ahead::ask(self.input, self.draft, self.budget) } else { None };
        }
        if !self.compacts() && !self.expects_fold() {
            self.clear(self.budget.least_clear);
        }
        let mut reading = self.reading();
        let mut request = self.checkpoint(&mut reading);
        if request.is_none() && self.clear_expected() {
            // A fold that saved nothing beside placeholders of the expected size may save something beside those that were written.
            request = self.checkpoint(&mut reading);
        }
        if request.is_none() {
            self.keep_parts();
            request = self.squeeze(&reading);
            self.drop_folded();
        }
        request
    }

    /// Whether a provider edits the prompt itself: then nothing new is done.
    fn stands_down(&mut self) -> bool {
        let Some(because) = self.input.extra.stands_down else { return false };
        self.done.push(Done::StoodDown { because });
        true
    }

    fn cap(&mut self) {
        let first_new = self.first_new();
        let above_option = cap::cap(self.draft, self.budget, first_new);
        self.capped(above_option, CutBecause::Option);
        let too_large = cap::cut_what_cannot_fit(self.draft, self.budget, first_new, self.input.keep_from);
        self.capped(too_large, CutBecause::Window);
    }

    fn capped(&mut self, savings: Vec<Saving>, because: CutBecause) {
        let savings = keep_between(self.draft, savings);
        let results = changes_of(self.draft, self.budget, savings);
        if !results.is_empty() {
            self.done.push(Done::Capped { results, because });
        }
    }

    /// First message that was not sent before. What the model has answered was, also where the state was kept before it did.
    fn first_new(&self) -> usize {
        let (state, history) = (self.input.state, self.draft.history);
        let answered = history.entries.iter().rposition(Entry::is_answer).unwrap_or_default();
        match history.end_of(state.planned_parts, state.planned_chain) {
            Some(end) if state.planned_parts > 0 => end.max(answered),
            end => end.unwrap_or_else(|| history.start()),
        }
    }

    fn age_images(&mut self) {
        let Some(keep) = self.input.settings.keep_images else { return };
        let newest = self.draft.history.unseen().min(self.input.keep_from);
        let savings = images::age(self.draft, keep, newest);
        let results = changes_of(self.draft, self.budget, savings);
        if !results.is_empty() {
            self.done.push(Done::AgedImages { results });
        }
    }

    /// Folds with a summary that was requested ahead of time, if it is there.
    fn use_summary_requested_ahead(&mut self) {
        let latest_end = self.latest_end();
        let Some((index, answer, end)) = ahead::find(self.draft, self.input.extra.ahead, latest_end) else { return };
        let outcome = match answer {
            Answer::Pending if self.draft.total() > u64::from(self.budget.fit) => AheadOutcome::Due,
            Answer::Pending => AheadOutcome::Pending,
            Answer::Given(text) if self.takes(end, text) => AheadOutcome::Used,
            Answer::Given(_) | Answer::Failed => AheadOutcome::Failed,
        };
        if outcome == AheadOutcome::Failed {
            // No summary of a span is requested twice.
            self.summary = Summary::Unavailable;
        }
        self.ahead = Some((index, outcome));
    }

    /// Folds up to `end` with a summary that was requested ahead of time. Returns whether it did.
    fn takes(&mut self, end: usize, text: &str) -> bool {
        let text = clean(without_thoughts(text).trim());
        let requested = RequestedSpan { start: self.draft.start(), end, part: 1, previous: None, shown: None };
        self.is_good(&requested, &text) && self.fold(end, Some(&text))
    }

    /// A summary is an answer to what was begun above the trigger: a span that is summarized in parts is folded to its end.
    fn may_stop_below_trigger(&self) -> bool {
        self.draft.total() <= u64::from(self.budget.trigger) && self.input.summary == Summary::NotRequested && !self.compacts()
    }

    /// Where clearing and folding end. Large results that the model has not seen are beside the target, as far as there is room: older ones
    /// need not all go because one is large, which goes itself once it was seen.
    pub(super) fn target(&self) -> u32 {
        let budget = self.budget;
        let (_, together) = squeeze::new_results(self.draft, self.input.keep_from);
        let room =
            (budget.trigger.saturating_sub(budget.min_clear)).min(budget.squeeze_above.saturating_sub(budget.uncertainty_of_new(together)));
        let large = saturate(together.saturating_sub(u64::from(budget.large_result)));
        budget.target.saturating_add(large).min(room).max(budget.target)
    }

    /// Clears down to the target what is not worth its place any more. An edit costs nothing but the thoughts before it, where a model binds
    /// them; for crumbs these are not given.
    fn prune(&mut self) {
        if self.stands_down() {
            return;
        }
        self.clear(self.budget.least_clear / PRUNE_PART);
        self.keep_parts();
    }

    /// Whether clearing everything is not enough however little its placeholders take, and a fold is due that pays. Then all is taken to be cleared: what
    /// is folded need not be.
    fn expects_fold(&mut self) -> bool {
        if self.draft.decision_count() >= MOST_DECISIONS {
            return false;
        }
        let clearable = clearable(self.draft, &rules_for(self.input, self.draft, self.budget, 0));
        let least = self.draft.expecting_cleared(&clearable, LEAST_PLACEHOLDER_TOKENS);
        let tail = tail_start(&least, self.budget, self.input.settings).min(self.latest_end());
        if clearable.is_empty() || self.due(&least, tail, false).is_none() {
            return false;
        }
        self.breaks_already = self.folds_beside_clearing();
        *self.draft = self.draft.expecting_cleared(&clearable, EXPECTED_PLACEHOLDER_TOKENS);
        true
    }

    /// Whether a fold need not pay, because clearing breaks the cache anyway: folding what little there is spares a break that would come a few
    /// steps later. A summary is not worth that little.
    fn folds_beside_clearing(&self) -> bool {
        !self.input.settings.has_summarizer
    }

    /// Clears what was taken to be cleared and was not folded. Returns whether there was any.
    fn clear_expected(&mut self) -> bool {
        let rules = rules_for(self.input, self.draft, self.budget, 0);
        let cleared = clear_expected(self.draft, &rules);
        let has_cleared = !cleared.is_empty();
        self.report_cleared(cleared);
        has_cleared
    }

    /// Clears down to the target, where that saves `min_saving`.
    fn clear(&mut self, min_saving: u32) {
        if self.draft.decision_count() >= MOST_DECISIONS {
            return;
        }
        let target = self.target();
        let excess = self.draft.total().saturating_sub(u64::from(target));
        let parts = saturate((excess as f64 * PARTS_SHARE) as u64);
        let rules = ClearRules { min_saving, ..rules_for(self.input, self.draft, self.budget, target.saturating_sub(parts)) };
        let cleared = clear(self.draft, &rules);
        self.breaks_already = !cleared.is_empty() && self.folds_beside_clearing();
        self.report_cleared(cleared);
    }

    fn report_cleared(&mut self, cleared: Vec<Saving>) {
        let results = changes_of(self.draft, self.budget, cleared.clone());
        self.cleared.extend(cleared);
        if !results.is_empty() {
            self.done.push(Done::Cleared { results });
        }
    }

    /// What room is left below the target is for parts of what was cleared; where there is none, a little of what that saved. Never so much
    /// that squeezing would take older parts for it.
    fn keep_parts(&mut self) {
        let cleared = std::mem::take(&mut self.cleared);
        let saved: u64 = cleared.iter().map(|(_, saved)| u64::from(*saved)).sum();
        let most = (self.draft.total() + saved / PARTS_OF_SAVED).min(above(self.target(), self.budget)).min(self.squeezes_above());
        let savings = keep_parts(self.draft, cleared, self.target().max(saturate(most)));
        let kept = changes_of(self.draft, self.budget, savings);
        let cleared = self.done.iter_mut().filter_map(|done| if let Done::Cleared { results } = done { Some(results) } else { None });
        for earlier in cleared.flatten() {
            let is_it = |change: &&ResultChange| earlier.message_index == change.message_index && earlier.call_id == change.call_id;
            if let Some(change) = kept.iter().find(is_it) {
                earlier.tokens_after = change.tokens_after;
            }
        }
    }

    /// What was folded after it was edited is reported as folded alone.
    fn drop_folded(&mut self) {
        let draft = &self.draft;
        let start = draft.start();
        self.done.retain_mut(|done| match done {
            Done::Cleared { results } | Done::AgedImages { results } | Done::Squeezed { results, folded: false } => {
                results.retain(|result| result.message_index >= start || draft.is_kept(result.message_index));
                !results.is_empty()
            }
            _ => true,
        });
    }

    fn breaks_cache(&self) -> bool {
        self.done.iter().any(|done| matches!(done, Done::Cleared { .. } | Done::Folded { .. }))
    }

    /// What is left above this is squeezed. What breaks the cache anyway may be shrunk on; for that alone squeezing must be worth an edit.
    pub(super) fn squeezes_above(&self) -> u64 {
        let new_tokens = || squeeze::new_results(self.draft, self.input.keep_from).1;
        let uncertainty = if self.breaks_cache() { self.budget.uncertainty_of_new(new_tokens()) } else { 0 };
        u64::from(self.budget.squeeze_above.saturating_sub(uncertainty))
    }

    /// Squeezes. Returns the summary request about what it would fold.
    fn squeeze(&mut self, reading: &Reading) -> Option<SummaryRequest> {
        if self.draft.total() <= self.squeezes_above() {
            return None;
        }
        let breaks = self.breaks_cache();
        let before = self.draft.clone();
        let squeezed = squeeze::squeeze(self.draft, self.budget, self.input.keep_from);
        let newest = self.first_new().max(self.draft.history.unseen());
        let is_new_result = |(place, _): &Saving| place.message >= newest && self.draft.history.part(*place).kind == Kind::Result;
        let (cut, parts): (Vec<Saving>, Vec<Saving>) = squeezed.parts.into_iter().partition(is_new_result);
        let (results, folded) = (changes_of(self.draft, self.budget, parts), squeezed.folded);
        let fitted = before.total() <= u64::from(self.budget.fit);
        if !breaks && (fitted && !cut.is_empty() || !squeeze::pays(&before, self.draft, self.budget)) {
            *self.draft = before;
            return None;
        }
        let request = if folded { self.request_for_squeezed(reading, before) } else { None };
        if request.is_some() {
            return request;
        }
        self.capped(cut, CutBecause::Window);
        if folded || !results.is_empty() {
            self.done.push(Done::Squeezed { results, folded });
        }
        None
    }

    /// One rung on its own, for users who build their own ladder.
    fn climb_single_rung(&mut self) {
        let rules = ClearRules { min_saving: 1, ..rules_for(self.input, self.draft, self.budget, 0) };
        let tail = rules.tail;
        if self.input.mode == PlanMode::Clear {
            let savings = clear(self.draft, &rules);
            self.done.push(Done::Cleared { results: changes_of(self.draft, self.budget, savings) });
        } else if let Some(end) = checkpoint::fold_end(self.draft, tail, 0, checkpoint::expected_tokens(self.budget)) {
            let summary = match self.input.summary {
                // No bound was given for its length.
                Summary::Given(text) => Some(head_and_tail_kept(&clean(text), most_summary_tokens(self.input, self.budget))),
                Summary::NotRequested | Summary::Unavailable => None,
            };
            self.fold(end, summary.as_deref());
        }
    }

    pub(super) fn compacts(&self) -> bool {
        matches!(self.input.mode, PlanMode::Compact | PlanMode::Fold)
    }

    /// Nothing is folded beyond this.
    pub(super) fn latest_end(&self) -> usize {
        self.draft.history.last_cut(self.input.keep_from)
    }
}
