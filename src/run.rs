//! What a run carries from step to step, and how a step finds that it needs no plan: a few additions, no message text, no decisions.
//! Almost every step ends there. Not what was decided about messages (see `state`).

mod envelope;
pub mod event;
mod find;
mod limits;
mod outcomes;
pub mod recall;
mod state;
pub mod step;
mod usage;

use serde::{Deserialize, Serialize};

use crate::model::entry::{Entry, Kind};
use crate::model::fingerprint::Chain;
use crate::model::message::Role;
use crate::plan::{AheadOutcome, Answer};
use crate::plan::{Budget, Done, Plan, StandDown};
use crate::policy::compact_tool::GROWTH;
use crate::policy::ladder::{FAILURES, REST_STEPS, STUCK_PART};
use crate::providers::media::MediaLimit;
use crate::providers::owner::{Asks, HistoryOption};
use crate::providers::sending::MarkSlots;
use crate::settings::Settings;
use crate::state::{FoldState, MOST_PARTS};
use crate::tokens::calibration::Calibration;
pub use find::find_run;
pub use limits::Truncation;
pub use outcomes::{Ended, Outcomes, outcomes_of};
pub use state::{PackedRunState, Restored, RunState, StoredRunState};
pub use usage::{SummaryTokens, Usage};

/// The numbers of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// A step was planned before.
    pub started: bool,
    /// Estimated tokens of what was sent last.
    pub sent_estimated: f64,
    /// Estimated tokens of the same messages without any edit.
    pub raw_estimated: f64,
    /// What was sent last was the prompt before plus additions.
    pub sent_extends: bool,
    /// A provider's own compaction was seen.
    pub native_compaction: bool,
    /// Whether the provider edits prompts itself.
    pub provider_edits: ProviderEdits,
    /// Below this many estimated tokens a plan is known to find nothing.
    pub skip_plan_below_tokens: f64,
    /// Parts of the history seen so far.
    pub parts: u32,
    /// The chain over them.
    pub chain: Chain,
    /// The wording of those that are sent.
    pub wording: u64,
    /// What was learnt of the model.
    pub calibration: Calibration,
    /// Summaries in a row that failed or were refused.
    pub failures: u32,
    /// Steps for which the summarizer is not called any more.
    pub rest: u32,
    /// A summary was requested ahead of time and is not there yet.
    pub awaits: bool,
    /// What was sent last was sent to another model.
    pub changed_model: bool,
    /// The app marks messages for the provider's cache itself.
    pub has_cache_marks: bool,
    /// The provider has reported a cache.
    pub caches: bool,
    /// For how many cache marks of stepfold's the app's requests have room, once one has shown it.
    pub mark_slots: Option<MarkSlots>,
    /// What was sent last holds a new message of the user.
    pub begins_turn: bool,
    /// Estimated tokens that were left when the model last folded by itself; zero before it did.
    pub folded_by_model: f64,
    /// A hash of the instructions that the newest run began with; zero where they are not known (ai 5 and 6).
    pub instructions: u32,
    /// Tokens that its calls ask for as their reply; zero where none is known to name any. Stored states hold it apart.
    #[serde(skip)]
    pub reply_tokens: f64,
}

/// Whether a provider edits prompts itself (Anthropic's context editing), which it says only of a prompt that it did edit, or has the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProviderEdits {
    /// Nobody knows.
    None,
    /// It did in this run, and will again: each prompt is edited anew.
    Seen,
    /// It did in a run before. A report without edits ends this: the app may not ask for them any more.
    Expected,
    /// The app asks it to, above a threshold: it does where its compaction is in the messages.
    Asked,
    /// It adds a history that it has itself.
    History {
        /// The option that says so.
        by: HistoryOption,
        /// That was told in this run.
        is_told: bool,
    },
}

impl Run {
    /// Before the first step.
    pub fn new(settings: &Settings) -> Run {
        Run {
            started: false,
            sent_estimated: 0.0,
            raw_estimated: 0.0,
            sent_extends: false,
            native_compaction: false,
            provider_edits: ProviderEdits::None,
            skip_plan_below_tokens: 0.0,
            parts: 0,
            chain: Chain::default(),
            wording: 0,
            calibration: Calibration::new(settings.prior_ratio, settings.overhead_tokens),
            failures: 0,
            rest: 0,
            awaits: false,
            changed_model: false,
            has_cache_marks: false,
            caches: false,
            mark_slots: None,
            begins_turn: false,
            folded_by_model: 0.0,
            instructions: 0,
            reply_tokens: 0.0,
        }
    }

    /// Whether all numbers can be calculated with; a stored state may hold anything.
    pub fn is_sound(&self) -> bool {
        let tokens = [self.sent_estimated, self.raw_estimated, self.skip_plan_below_tokens, self.folded_by_model, self.reply_tokens];
        tokens.iter().all(|tokens| (0.0..1e9).contains(tokens))
            && self.parts <= MOST_PARTS
            && self.rest <= REST_STEPS
            && self.calibration.is_sound()
    }

    /// Takes in the usage of the step before. Returns the truncation where the provider has cut the prompt without a word.
    pub fn learn(&mut self, settings: &Settings, usage: &Usage) -> Option<Truncation> {
        self.calibration.traits.binds_thoughts |= usage.binds_thoughts > 0.0;
        if let Some(asks) = Asks::from_code(usage.asks) {
            self.learn_asks(asks);
        }
        if matches!(self.provider_edits, ProviderEdits::History { .. }) {
            // The prompt that was measured is more than what was sent.
            return None;
        }
        if usage.edits_messages() {
            // What was reported is the size of a prompt that nobody here has seen.
            self.provider_edits = ProviderEdits::Seen;
            return None;
        }
        if self.provider_edits == ProviderEdits::Expected && usage.input > 0.0 {
            self.provider_edits = ProviderEdits::None;
        }
        if !self.started {
            return None;
        }
        let reported = usage.prompt_tokens(settings.cached);
        // What may be a sum is a bound: it says something of a prompt only where less than was predicted.
        if usage.is_bound() && reported > self.calibration.line_at(self.sent_extends).tokens(self.sent_estimated) {
            if !self.sent_extends {
                // The prompt reported before is not what the next one goes on from.
                self.calibration.forget_anchor();
            }
            return None;
        }
        let truncation = self.truncation(usage, reported);
        match &truncation {
            Some(truncation) => self.truncated(truncation),
            None => {
                self.calibration.traits.limit.allow(reported);
                self.learn_full_window(usage, reported);
                self.calibration.learn(reported, self.sent_estimated, self.sent_extends, settings.window_tokens);
            }
        }
        truncation
    }

    /// Takes in what a request asks the provider to do with the history.
    pub fn learn_asks(&mut self, asks: Asks) {
        self.provider_edits = match (asks, self.provider_edits) {
            (Asks::History(by), ProviderEdits::History { is_told, .. }) => ProviderEdits::History { by, is_told },
            (Asks::History(by), _) => ProviderEdits::History { by, is_told: false },
            (Asks::Edits, ProviderEdits::None | ProviderEdits::History { .. }) => ProviderEdits::Asked,
            (Asks::Nothing, ProviderEdits::Asked | ProviderEdits::History { .. }) => ProviderEdits::None,
            (_, before) => before,
        };
    }

    /// A new request goes on from an earlier one: as in a session, what was reported goes on counting, unless the last step, of which
    /// nothing is reported, changed what it sent. How often the summarizer failed, and that a summary is awaited, belongs to each request alone.
    pub fn begin_request(&mut self) {
        (self.failures, self.rest, self.awaits, self.skip_plan_below_tokens) = (0, 0, false, 0.0);
        if !self.sent_extends {
            self.forget_sent();
        }
    }

    /// The first step of a run: what was seen of the provider belongs to an earlier run.
    pub fn begin_run(&mut self) {
        self.calibration.traits.limit.age_by_run();
        match &mut self.provider_edits {
            ProviderEdits::Seen => self.provider_edits = ProviderEdits::Expected,
            ProviderEdits::History { is_told, .. } => *is_told = false,
            _ => {}
        }
    }

    /// The run is sent these instructions. Returns whether they differ from those before.
    pub fn begin_with(&mut self, instructions: &[Entry]) -> bool {
        let parts = instructions.iter().flat_map(|entry| &entry.parts);
        let hash = parts.fold(Chain::default(), |chain, part| chain.then(part.fingerprint)).first as u32;
        let before = std::mem::replace(&mut self.instructions, hash);
        ![0, hash].contains(&before)
    }

    /// Why nothing new is decided, if so. Of what the provider takes out of the prompt by itself it is taken for as much as of the last one,
    /// where that is known. `has_block`: its compaction is in the messages.
    pub fn stands_down(&self, usage: Option<&Usage>, has_block: bool) -> Option<StandDown> {
        let last = usage.filter(|usage| usage.input > 0.0).map(|usage| usage.cleared_tokens.max(0.0));
        match self.provider_edits {
            ProviderEdits::Seen | ProviderEdits::Expected => {
                Some(StandDown::AppliedEdits { cleared_tokens: last.unwrap_or(f64::INFINITY) })
            }
            ProviderEdits::Asked if has_block => Some(StandDown::AppliedEdits { cleared_tokens: f64::INFINITY }),
            ProviderEdits::History { by, .. } => Some(StandDown::HistoryElsewhere { by }),
            ProviderEdits::None | ProviderEdits::Asked => None,
        }
    }

    /// Whether a plan has to say that nothing new is decided.
    fn has_to_stand_down(&self) -> bool {
        match self.provider_edits {
            ProviderEdits::None => false,
            ProviderEdits::Seen | ProviderEdits::Expected => true,
            ProviderEdits::Asked => self.native_compaction,
            ProviderEdits::History { is_told, .. } => !is_told,
        }
    }

    /// One more step.
    pub fn begin_step(&mut self) {
        self.rest = self.rest.saturating_sub(1);
        self.calibration.traits.limit.age();
    }

    /// The prompt that comes next does not go on from the one sent last: what was decided has changed in between.
    pub fn forget_sent(&mut self) {
        self.calibration.forget_anchor();
        (self.sent_extends, self.skip_plan_below_tokens) = (false, 0.0);
    }

    /// Whether a summary may be requested ahead of time: a summarizer that fails is asked only when it is needed.
    pub fn asks_ahead(&self) -> bool {
        self.failures == 0 && self.rest == 0
    }

    /// Whether the model may fold by itself: the prompt has grown since it last did.
    pub fn may_fold_by_itself(&self) -> bool {
        self.sent_estimated >= self.folded_by_model * GROWTH
    }

    /// Takes in the outcome of a summary. Returns for how many steps the summarizer is left alone, when that begins.
    fn summarized(&mut self, used: bool) -> Option<u32> {
        self.failures = if used { 0 } else { self.failures.saturating_add(1) };
        if self.failures < FAILURES {
            return None;
        }
        self.rest = REST_STEPS;
        Some(REST_STEPS)
    }

    /// Takes in the outcomes of the summaries that a plan was made with. Returns for how many steps the summarizer is left alone, each time
    /// that begins.
    pub fn note_summaries(&mut self, answer: &Answer, plan: &Plan) -> impl Iterator<Item = u32> + use<> {
        let rejects = plan.done.iter().any(|done| matches!(done, Done::Rejected { .. }));
        let requested = match answer {
            Answer::Pending => None,
            Answer::Failed => Some(false),
            Answer::Given(_) => Some(!rejects),
        };
        let ahead = match plan.ahead {
            Some((_, AheadOutcome::Used)) => Some(true),
            Some((_, AheadOutcome::Failed)) => Some(false),
            Some((_, AheadOutcome::Pending | AheadOutcome::Due)) | None => None,
        };
        let rests = [requested, ahead].map(|used| used.and_then(|used| self.summarized(used)));
        rests.into_iter().flatten()
    }

    /// Whether a step needs no plan: what was sent last plus the new messages stays below the trigger, nothing new is above the user's cap, and no
    /// provider has compacted since. If so the run is brought up to date. `extends` says that the new messages go on from what was sent;
    /// else they are the whole list of a run that begins, which must not go on from anything decided before. `is_folded`: something was decided.
    pub fn try_skip_plan(&mut self, settings: &Settings, new: &[Entry], extends: bool, is_folded: bool) -> Option<Budget> {
        // Behind a fold a message of the user may need a bridge.
        let needs_place = is_folded && new.iter().any(|entry| entry.role() == Role::User);
        let compacts = new.iter().any(Entry::has_native_compaction);
        if self.started != extends || needs_place || self.changed_model || self.has_to_stand_down() || compacts {
            return None;
        }
        let budget = Budget::new(settings, &self.calibration, extends, None);
        let added = new.iter().map(|entry| f64::from(entry.tokens())).sum::<f64>();
        let estimated = self.sent_estimated + added;
        let results = || {
            new.iter().flat_map(|entry| &entry.parts).filter(|part| part.kind == Kind::Result && part.replaceable).map(|part| part.tokens)
        };
        let limit = settings.with(&self.calibration.traits).media_limit;
        let is_limited = settings.keep_images.is_some() || limit != MediaLimit::default();
        let has_images = is_limited && new.iter().flat_map(|entry| &entry.parts).any(|part| part.images > 0 || part.media_bytes > 0);
        let is_giant = budget.max_result.is_some_and(|most| results().any(|tokens| tokens > most));
        let skip_to = match self {
            Run { awaits: true, .. } => budget.fit,
            _ if self.asks_ahead() => budget.ahead,
            _ => budget.trigger,
        };
        // A new message of the user begins a new turn, for which a plan may find something.
        let same_turns = !new.iter().any(|entry| entry.role() == Role::User);
        let is_below = estimated <= f64::from(skip_to) || same_turns && estimated < self.skip_plan_below_tokens.min(f64::from(budget.fit));
        if budget.exhausted || has_images || is_giant || !is_below {
            return None;
        }
        self.has_cache_marks |= new.iter().any(|entry| entry.has_cache_mark);
        self.sent(estimated, added, new, extends);
        Some(budget)
    }

    /// These messages are sent as they are, after what was sent before.
    fn sent(&mut self, estimated: f64, added: f64, new: &[Entry], extends: bool) {
        self.started = true;
        self.sent_estimated = estimated;
        self.raw_estimated += added;
        self.sent_extends = extends;
        let goes_on = extends && self.begins_turn && !new.iter().any(Entry::is_answer);
        self.begins_turn = goes_on || ends_with_user(new);
        // System messages at the start of a list are not part of the history.
        let history = new.iter().skip_while(|entry| !extends && entry.role() == Role::System);
        for part in history.flat_map(|entry| &entry.parts).filter(|part| part.fingerprint != 0) {
            self.parts = self.parts.saturating_add(1);
            self.chain = self.chain.then(part.fingerprint);
            self.wording = part.worded(self.wording);
        }
    }

    /// Makes run and state agree before a plan: the run has the calibration of the model it is with now, and the state knows
    /// how far the history was sent. `previous_model` is the model of the step before when it was another one.
    pub fn sync_with_state(&mut self, state: &mut FoldState, settings: &Settings, model: &str, previous_model: Option<&str>) {
        if let Some(previous) = previous_model {
            // Another model: its own window and calibration, everything else stays. It may be another provider's: if that edits
            // prompts too, it will say so.
            self.provider_edits = ProviderEdits::None;
            self.changed_model = true;
            state.remember_calibration(previous, self.calibration);
            self.calibration = state.calibration_of(model).unwrap_or_else(|| {
                let fresh = Calibration::new(settings.prior_ratio, settings.overhead_tokens);
                // System prompt and tools stay the same text; only the tokenizer changes.
                let overhead_tokens = self.calibration.overhead_tokens * fresh.ratio / self.calibration.ratio;
                let is_reported = self.calibration.is_reported;
                Calibration { overhead_tokens: overhead_tokens.max(settings.overhead_tokens), is_reported, ..fresh }
            });
        } else if !self.started
            && let Some(calibration) = state.calibration_of(model)
        {
            self.calibration = calibration;
        }
        if self.started {
            // Steps that skipped planning sent more than the last plan knew, and a state without edits is not kept.
            (state.planned_parts, state.planned_chain, state.planned_wording) = (self.parts, self.chain, self.wording);
        }
    }

    /// Brings the run up to date after a plan on the whole list.
    pub fn planned(&mut self, plan: &Plan, entries: &[Entry]) {
        (self.parts, self.chain, self.wording) = (plan.state.planned_parts, plan.state.planned_chain, plan.state.planned_wording);
        (self.started, self.changed_model) = (true, false);
        self.sent_estimated = plan.estimated_after as f64;
        self.raw_estimated = plan.estimated_raw as f64;
        self.sent_extends = self.sent_extends && !plan.breaks_prefix();
        self.has_cache_marks = entries.iter().any(|entry| entry.has_cache_mark);
        self.native_compaction = entries.iter().any(Entry::has_native_compaction);
        self.begins_turn = ends_with_user(entries);
        if let ProviderEdits::History { is_told, .. } = &mut self.provider_edits {
            *is_told = true;
        }
        // Over the trigger and nothing more to do: not worth asking again before something has been added.
        let stuck = plan.estimated_after > u64::from(plan.budget.ahead);
        self.skip_plan_below_tokens = match stuck {
            true => plan.estimated_after as f64 + f64::from(plan.budget.min_clear) / STUCK_PART,
            // A step that would skip the plan does not know the pace.
            false if plan.budget.starts_by_cost => f64::from(plan.budget.ahead),
            false => 0.0,
        };
        if plan.estimated_after <= u64::from(plan.budget.trigger) {
            self.skip_plan_below_tokens = self.skip_plan_below_tokens.min(f64::from(plan.budget.trigger));
        }
        self.awaits = matches!(plan.ahead, Some((_, AheadOutcome::Pending))) || plan.summary_request.is_some();
    }
}

/// Whether a message of the user follows the last one of the model.
fn ends_with_user(entries: &[Entry]) -> bool {
    entries.iter().rev().take_while(|entry| !entry.is_answer()).any(|entry| entry.role() == Role::User)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::{Message, Part};
    use crate::settings::Options;

    #[test]
    fn what_the_provider_edits_by_itself_is_remembered_until_a_later_run_reports_none() {
        let settings = Settings::new(&Options::default(), "claude-sonnet-4-5", "anthropic");
        let report = |applied_edits, thinking_edits| Usage {
            input: 60_000.0,
            applied_edits,
            thinking_edits,
            cleared_tokens: 40_000.0,
            ..Usage::default()
        };
        let mut run = Run { started: true, sent_estimated: 100_000.0, ..Run::new(&settings) };
        let before = run.calibration;
        run.learn(&settings, &report(2.0, 1.0));
        assert_eq!((run.calibration, run.provider_edits), (before, ProviderEdits::Seen), "what is left of a prompt does not measure it");
        assert_eq!(run.stands_down(Some(&report(2.0, 1.0)), false), Some(StandDown::AppliedEdits { cleared_tokens: 40_000.0 }));
        // One prompt may be too short for the next edit; the run goes on beside the provider.
        run.learn(&settings, &report(0.0, 0.0));
        assert_eq!(run.provider_edits, ProviderEdits::Seen);
        run.begin_run();
        run.learn(&settings, &Usage::default());
        assert_eq!(run.provider_edits, ProviderEdits::Expected, "nothing was reported");
        assert_eq!(run.stands_down(None, false), Some(StandDown::AppliedEdits { cleared_tokens: f64::INFINITY }));
        run.learn(&settings, &report(0.0, 0.0));
        assert_eq!((run.provider_edits, run.stands_down(None, true)), (ProviderEdits::None, None));
    }

    #[test]
    fn a_prompt_of_which_thinking_was_cleared_is_measured_with_what_was_cleared() {
        let settings = Settings::new(&Options::default(), "claude-sonnet-4-5", "anthropic");
        let usage = Usage { input: 60_000.0, applied_edits: 1.0, thinking_edits: 1.0, cleared_tokens: 40_000.0, ..Usage::default() };
        let mut run = Run { started: true, sent_estimated: 85_000.0, ..Run::new(&settings) };
        run.learn(&settings, &usage);
        assert_eq!((run.provider_edits, run.calibration.anchor_reported_tokens), (ProviderEdits::None, 100_000.0));
    }

    #[test]
    fn a_plan_that_would_find_nothing_is_made_again_after_a_new_message_of_the_user() {
        // A small window sent more on the same objects than on copies of them: a new turn moves the tail.
        let options = Options { context_window: Some(4_000.0), ..Options::default() };
        let settings = Settings::new(&options, "gpt-5", "openai");
        let message = |role| {
            crate::model::entry::measure(&Message {
                role,
                parts: vec![Part::text("Go on.".to_owned())],
                marker: None,
                has_cache_mark: false,
                carried: None,
            })
        };
        let above = Budget::new(&settings, &Run::new(&settings).calibration, true, None).trigger + 1;
        let stuck = Run {
            started: true,
            sent_estimated: f64::from(above),
            skip_plan_below_tokens: f64::from(above) + 100.0,
            ..Run::new(&settings)
        };
        let is_skipped = |mut run: Run, role| run.try_skip_plan(&settings, &[message(role)], true, false).is_some();
        assert!(is_skipped(stuck, Role::Assistant) && !is_skipped(stuck, Role::User));
        let mut next = stuck;
        next.begin_request();
        assert!(!is_skipped(next, Role::Assistant));
    }
}
