//! What a run carries from step to step as plain numbers, and the glance that decides whether a step needs a plan at all.
//! Almost every step ends here: a few additions, no message text, no state.

mod usage;

use crate::entry::{Entry, Kind};
use crate::fingerprint::Chain;
use crate::message::Role;
use crate::plan::ahead::Fate;
use crate::plan::{Budget, Plan};
use crate::policy::ladder::{FAILURES, REST_STEPS, STUCK_PART};
use crate::settings::Settings;
use crate::state::FoldState;
use crate::tokens::calibration::Calibration;
pub use usage::Usage;

/// The numbers of a run. JavaScript keeps them as an array and never looks inside.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    pub quiet_below: f64,
    /// Parts of the history seen so far.
    pub parts: u32,
    /// The chain over them.
    pub chain: Chain,
    /// What is known of the model.
    pub calibration: Calibration,
    /// Summaries in a row that failed or were refused.
    pub failures: u32,
    /// Steps for which the summarizer is not asked any more.
    pub rest: u32,
    /// A summary was asked ahead of time and is not there yet.
    pub awaits: bool,
}

/// Whether a provider edits prompts itself (Anthropic's context editing). It says so only of a prompt that it did edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderEdits {
    /// Nothing is known of it.
    None,
    /// It did in this run, and will again: each prompt is edited anew.
    Seen,
    /// It did in a run before. A report that tells of no edits ends this: the app may not ask for them any more.
    Expected,
}

/// How long a run is as numbers.
pub const RUN_NUMBERS: usize = 27;

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
            quiet_below: 0.0,
            parts: 0,
            chain: Chain::default(),
            calibration: Calibration::new(settings.prior_ratio, settings.overhead_tokens),
            failures: 0,
            rest: 0,
            awaits: false,
        }
    }

    /// As numbers, for JavaScript to keep.
    pub fn to_numbers(&self) -> [f64; RUN_NUMBERS] {
        let low = |lane: u64| f64::from(lane as u32);
        let high = |lane: u64| f64::from((lane >> 32) as u32);
        let flag = |flag: bool| f64::from(u8::from(flag));
        let c = &self.calibration;
        [
            flag(self.started),
            self.sent_estimated,
            flag(self.sent_extends),
            // Both in one number.
            f64::from(u8::from(self.native_compaction) + 2 * self.provider_edits as u8),
            self.quiet_below,
            f64::from(self.parts),
            low(self.chain.first),
            high(self.chain.first),
            low(self.chain.second),
            high(self.chain.second),
            c.overhead_tokens,
            c.ratio,
            c.reported_delta_tokens,
            c.estimated_delta_tokens,
            c.anchor_reported_tokens,
            c.anchor_estimated_tokens,
            c.prior_ratio,
            self.raw_estimated,
            c.outlier_reported_tokens,
            c.outlier_estimated_tokens,
            f64::from(self.failures),
            f64::from(self.rest),
            flag(self.awaits),
            flag(c.is_reported),
            c.smallest_reported_tokens,
            c.smallest_estimated_tokens,
            flag(c.is_silent),
        ]
    }

    /// From numbers; `None` when they are not those of a run.
    pub fn from_numbers(numbers: &[f64]) -> Option<Run> {
        let n: &[f64; RUN_NUMBERS] = numbers.try_into().ok()?;
        let lane = |low: usize| u64::from(n[low] as u32) | u64::from(n[low + 1] as u32) << 32;
        let calibration = Calibration {
            overhead_tokens: n[10],
            ratio: n[11],
            reported_delta_tokens: n[12],
            estimated_delta_tokens: n[13],
            anchor_reported_tokens: n[14],
            anchor_estimated_tokens: n[15],
            prior_ratio: n[16],
            outlier_reported_tokens: n[18],
            outlier_estimated_tokens: n[19],
            is_reported: n[23] == 1.0,
            smallest_reported_tokens: n[24],
            smallest_estimated_tokens: n[25],
            is_silent: n[26] == 1.0,
        };
        (n[0] == 1.0 && calibration.is_sound()).then_some(Run {
            started: true,
            sent_estimated: n[1],
            raw_estimated: n[17],
            sent_extends: n[2] == 1.0,
            native_compaction: n[3] as u8 % 2 == 1,
            provider_edits: match n[3] as u8 / 2 {
                1 => ProviderEdits::Seen,
                2 => ProviderEdits::Expected,
                _ => ProviderEdits::None,
            },
            quiet_below: n[4],
            parts: n[5] as u32,
            chain: Chain { first: lane(6), second: lane(8) },
            calibration,
            failures: n[20] as u32,
            rest: n[21] as u32,
            awaits: n[22] == 1.0,
        })
    }

    /// Takes in the usage of the step before.
    pub fn learn(&mut self, settings: &Settings, usage: &Usage) {
        if usage.edits_messages() {
            // What was reported is the size of a prompt that nobody here has seen.
            self.provider_edits = ProviderEdits::Seen;
            return;
        }
        if self.provider_edits == ProviderEdits::Expected && usage.input > 0.0 {
            self.provider_edits = ProviderEdits::None;
        }
        if self.started {
            self.calibration.learn(usage.prompt_tokens(settings.cached), self.sent_estimated, self.sent_extends, settings.window_tokens);
        }
    }

    /// A new request goes on from an earlier one: as in a session, what was reported goes on counting, unless the last step, of which
    /// nothing is reported, changed what it sent. How often the summarizer failed, and that a summary is awaited, belongs to each request alone.
    pub fn begin_request(&mut self) {
        (self.failures, self.rest, self.awaits, self.quiet_below) = (0, 0, false, 0.0);
        if !self.sent_extends {
            self.forget_sent();
        }
    }

    /// The first step of a run: what was seen of the provider was seen in another.
    pub fn begin_run(&mut self) {
        if self.provider_edits == ProviderEdits::Seen {
            self.provider_edits = ProviderEdits::Expected;
        }
    }

    /// The tokens that the provider takes out of the prompt by itself, when it does: as many as of the last one, infinite where that is
    /// not known.
    pub fn provider_clears(&self, usage: Option<&Usage>) -> Option<f64> {
        let last = usage.filter(|usage| usage.input > 0.0).map(|usage| usage.cleared_tokens.max(0.0));
        (self.provider_edits != ProviderEdits::None).then(|| last.unwrap_or(f64::INFINITY))
    }

    /// One more step.
    pub fn begin_step(&mut self) {
        self.rest = self.rest.saturating_sub(1);
    }

    /// The prompt that comes next does not go on from the one sent last: what was decided has changed in between.
    pub fn forget_sent(&mut self) {
        self.calibration.forget_anchor();
        (self.sent_extends, self.quiet_below) = (false, 0.0);
    }

    /// Whether a summary may be asked ahead of time: a summarizer that fails is asked only when it is needed.
    pub fn asks_ahead(&self) -> bool {
        self.failures == 0 && self.rest == 0
    }

    /// Takes in what became of a summary. Says for how many steps the summarizer is left alone, when that begins.
    pub fn summarized(&mut self, used: bool) -> Option<u32> {
        self.failures = if used { 0 } else { self.failures.saturating_add(1) };
        if self.failures < FAILURES {
            return None;
        }
        self.rest = REST_STEPS;
        Some(REST_STEPS)
    }

    /// Whether the run goes on without a plan: what was sent last plus these messages stays below the trigger, nothing
    /// new is a giant, and no provider compacts by itself. If so the run is brought up to date.
    pub fn glance(&mut self, settings: &Settings, new: &[Entry]) -> Option<Budget> {
        if self.started { self.pass(settings, new, true) } else { None }
    }

    /// Whether a run may begin with this list without a plan, for the same reasons. Not for one that may go on from something
    /// decided before.
    pub fn begin(&mut self, settings: &Settings, list: &[Entry]) -> bool {
        !self.started && self.pass(settings, list, false).is_some()
    }

    fn pass(&mut self, settings: &Settings, new: &[Entry], extends: bool) -> Option<Budget> {
        if self.native_compaction || self.provider_edits != ProviderEdits::None || new.iter().any(Entry::has_native_compaction) {
            return None;
        }
        let budget = Budget::new(settings, &self.calibration, extends, None);
        let added = new.iter().map(|entry| f64::from(entry.tokens())).sum::<f64>();
        let estimated = self.sent_estimated + added;
        let results = || {
            new.iter().flat_map(|entry| &entry.parts).filter(|part| part.kind == Kind::Result && part.replaceable).map(|part| part.tokens)
        };
        let is_giant = results().any(|tokens| tokens > budget.max_result)
            || results().map(u64::from).sum::<u64>() > u64::from(budget.max_step_results);
        let quiet_to = match self {
            Run { awaits: true, .. } => budget.fit,
            _ if self.asks_ahead() => budget.ahead,
            _ => budget.trigger,
        };
        // With another message of the user there is another turn: what was known to find nothing was known of those before.
        let same_turns = !new.iter().any(|entry| entry.role() == Role::User);
        let quiet = estimated <= f64::from(quiet_to) || same_turns && estimated < self.quiet_below.min(f64::from(budget.fit));
        if budget.exhausted || is_giant || !quiet {
            return None;
        }
        self.started = true;
        self.sent_estimated = estimated;
        self.raw_estimated += added;
        self.sent_extends = extends;
        // System messages at the start of a list are not part of the history.
        let history = new.iter().skip_while(|entry| !extends && entry.role() == Role::System);
        for print in history.flat_map(|entry| &entry.parts).map(|part| part.print).filter(|print| *print != 0) {
            self.parts = self.parts.saturating_add(1);
            self.chain = self.chain.then(print);
        }
        Some(budget)
    }

    /// Makes run and state agree before a plan: the run has the calibration of the model it is with now, and the state knows
    /// how far the history was sent. `previous_model` is the model of the step before when it was another one.
    pub fn meet(&mut self, state: &mut FoldState, settings: &Settings, model: &str, previous_model: Option<&str>) {
        if let Some(previous) = previous_model {
            // Another model: its own window and calibration, everything else stays. It may be another provider's: if that edits
            // prompts too, it will say so.
            self.provider_edits = ProviderEdits::None;
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
            // Steps that ended with a glance sent more than the last plan knew, and a state without edits is not kept.
            (state.known_parts, state.known) = (self.parts, self.chain);
        }
    }

    /// Brings the run up to date after a plan on the whole list.
    pub fn planned(&mut self, plan: &Plan, entries: &[Entry]) {
        (self.parts, self.chain) = (plan.state.known_parts, plan.state.known);
        self.started = true;
        self.sent_estimated = plan.estimated_after as f64;
        self.raw_estimated = plan.estimated_raw as f64;
        self.sent_extends = self.sent_extends && !plan.breaks_prefix();
        self.native_compaction = entries.iter().any(Entry::has_native_compaction);
        // Over the trigger and nothing more to do: not worth asking again before something has been added.
        let stuck = plan.estimated_after > u64::from(plan.budget.ahead);
        self.quiet_below = match stuck {
            true => plan.estimated_after as f64 + f64::from(plan.budget.min_clear) / STUCK_PART,
            // A glance does not know the pace.
            false if plan.budget.starts_by_cost => f64::from(plan.budget.ahead),
            false => 0.0,
        };
        if plan.estimated_after <= u64::from(plan.budget.trigger) {
            self.quiet_below = self.quiet_below.min(f64::from(plan.budget.trigger));
        }
        self.awaits = matches!(plan.ahead, Some((_, Fate::Pending))) || plan.summary_request.is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Message, Part};
    use crate::settings::Options;

    #[test]
    fn a_run_comes_back_from_its_numbers() {
        let settings = Settings::new(&Options::default(), "gpt-5", "openai");
        let mut run = Run::new(&settings);
        run.started = true;
        run.parts = 77;
        run.awaits = true;
        run.calibration.is_reported = true;
        run.chain = Chain { first: 0x0123_4567_89ab_cdef, second: 0xf011_2233_4455_6677 };
        assert_eq!(Run::from_numbers(&run.to_numbers()), Some(run));
        assert_eq!(Run::from_numbers(&[0.0; RUN_NUMBERS]), None);
        assert_eq!(Run::from_numbers(&[f64::NAN; RUN_NUMBERS]), None);
        assert_eq!(Run::from_numbers(&[1.0]), None);
    }

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
        assert_eq!(run.provider_clears(Some(&report(2.0, 1.0))), Some(40_000.0));
        // One prompt may be too short for the next edit; the run goes on beside the provider.
        run.learn(&settings, &report(0.0, 0.0));
        assert_eq!(run.provider_edits, ProviderEdits::Seen);
        run.begin_run();
        assert_eq!(Run::from_numbers(&run.to_numbers()), Some(run));
        run.learn(&settings, &Usage::default());
        assert_eq!(run.provider_edits, ProviderEdits::Expected, "nothing was reported");
        assert_eq!(run.provider_clears(None), Some(f64::INFINITY));
        run.learn(&settings, &report(0.0, 0.0));
        assert_eq!((run.provider_edits, run.provider_clears(None)), (ProviderEdits::None, None));
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
    fn what_is_known_to_find_nothing_is_asked_again_when_the_user_has_said_more() {
        // A small window sent more on the same objects than on copies of them: a new turn moves the tail.
        let options = Options { context_window: Some(4_000.0), ..Options::default() };
        let settings = Settings::new(&options, "gpt-5", "openai");
        let said = |role| crate::entry::measure(&Message { role, parts: vec![Part::text("Go on.".to_owned())], marker: None });
        let above = Budget::new(&settings, &Run::new(&settings).calibration, true, None).trigger + 1;
        let stuck = Run { started: true, sent_estimated: f64::from(above), quiet_below: f64::from(above) + 100.0, ..Run::new(&settings) };
        let is_quiet = |mut run: Run, role| run.glance(&settings, &[said(role)]).is_some();
        assert!(is_quiet(stuck, Role::Assistant) && !is_quiet(stuck, Role::User));
        let mut next = stuck;
        next.begin_request();
        assert!(!is_quiet(next, Role::Assistant));
    }
}
