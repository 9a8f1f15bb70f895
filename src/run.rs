//! What a run carries from step to step as plain numbers, and the glance that decides whether a step needs a plan at all.
//! Almost every step ends here: a few additions, no message text, no state.

use crate::entry::{Entry, Kind};
use crate::fingerprint::Chain;
use crate::message::Role;
use crate::plan::ahead::Fate;
use crate::plan::{Budget, Plan};
use crate::settings::{Cached, Settings};
use crate::state::FoldState;
use crate::tokens::calibration::Calibration;

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

/// Failures in a row after which the summarizer is left alone for a while. Source: Claude Code's breaker.
const FAILURES: u32 = 3;
/// Steps for which it is left alone; then it is asked once, and one more failure lets it rest again.
const REST_STEPS: u32 = 20;

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
            quiet_below: 0.0,
            parts: 0,
            chain: Chain::default(),
            calibration: Calibration::new(settings.prior_ratio, settings.fixed_tokens),
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
            flag(self.native_compaction),
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
            native_compaction: n[3] == 1.0,
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
        if self.native_compaction || new.iter().any(Entry::has_native_compaction) {
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
            // Another model: its own window and calibration, everything else stays.
            state.remember_calibration(previous, self.calibration);
            self.calibration = state.calibration_of(model).unwrap_or_else(|| {
                let fresh = Calibration::new(settings.prior_ratio, settings.fixed_tokens);
                // System prompt and tools stay the same text; only the tokenizer changes.
                let overhead_tokens = self.calibration.overhead_tokens * fresh.ratio / self.calibration.ratio;
                let is_reported = self.calibration.is_reported;
                Calibration { overhead_tokens: overhead_tokens.max(settings.fixed_tokens), is_reported, ..fresh }
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
            true => plan.estimated_after as f64 + f64::from(plan.budget.min_clear) / 4.0,
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

/// The provider's numbers of one step, as the SDK reports them; not a number where missing.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// `inputTokens`.
    pub input: f64,
    /// `cachedInputTokens` or `inputTokenDetails.cacheReadTokens`.
    pub cache_read: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
    /// A number only where the provider is written for ai 6 or 7, and tells apart what was not cached.
    pub told_apart: f64,
    /// Google's own count of the prompt; `input` may be a sum over several requests and over what its own tools read.
    pub own_prompt: f64,
}

impl Usage {
    /// Tokens of the prompt; not a number when unknown.
    pub fn prompt_tokens(&self, cached: Cached) -> f64 {
        if self.own_prompt > 0.0 {
            return self.own_prompt;
        }
        // The larger of zero and what is not a number is zero.
        let cache = self.cache_read.max(0.0) + self.cache_write.max(0.0);
        let is_apart = self.told_apart.is_nan() && cached.is_apart(!self.cache_write.is_nan());
        // More than the input cannot be within it, whoever says so.
        if is_apart || cache > self.input { self.input + cache } else { self.input }
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

    /// Reports of one prompt of 2,310 tokens, of which 300 were written to a cache and `read` read from it.
    #[derive(Clone, Copy)]
    enum Form {
        /// As the providers of Anthropic and Bedrock for ai 5 tell it: the input is what is not cached.
        Rest,
        /// As others for ai 5 tell it: the input is everything, writes are not told.
        Whole,
        /// As the gateway tells it to ai 5: the input is everything, Anthropic's metadata is passed on.
        WholeWithWrites,
        /// As every provider for ai 6 and 7 tells it.
        Told,
    }

    fn usage(form: Form, cache_read: f64) -> Usage {
        let none = f64::NAN;
        let not_cached = 2_010.0 - cache_read;
        let (input, cache_write, told_apart) = match form {
            Form::Rest => (not_cached, 300.0, none),
            Form::Whole => (2_310.0, none, none),
            Form::WholeWithWrites => (2_310.0, 300.0, none),
            Form::Told => (2_310.0, 300.0, not_cached),
        };
        Usage { input, cache_read, cache_write, told_apart, own_prompt: none }
    }

    #[test]
    fn every_provider_of_every_major_is_learnt_from_with_its_whole_prompt() {
        // Names that models give their provider, read in the sources of `@ai-sdk/anthropic` 2 to 4, `@ai-sdk/amazon-bedrock` 3 to 5,
        // `@ai-sdk/google-vertex` 3 to 5 and `@ai-sdk/gateway` 2, and how they report on ai 5. Also ai 6 and 7 run models written for
        // ai 5, by an adapter that tells nothing apart.
        for (provider, on_ai_5) in [
            ("anthropic.messages", Form::Rest),
            ("vertex.anthropic.messages", Form::Rest),
            ("googleVertex.anthropic.messages", Form::Rest),
            ("bedrock.anthropic.messages", Form::Rest),
            ("amazon-bedrock", Form::Rest),
            // `createAnthropic({ name })`.
            ("my-proxy", Form::Rest),
            ("gateway", Form::WholeWithWrites),
            ("openai.responses", Form::Whole),
            ("google.generative-ai", Form::Whole),
            ("openrouter", Form::Whole),
        ] {
            let cached = Settings::new(&Options::default(), "claude-sonnet-4-5", provider).cached;
            for read in [0.0, 150.0, 2_000.0] {
                for (major, form) in [("5", on_ai_5), ("6 or 7", Form::Told)] {
                    let tokens = usage(form, read).prompt_tokens(cached);
                    assert_eq!(tokens, 2_310.0, "{provider} on ai {major}, {read} tokens read from the cache");
                }
            }
            // Nothing cached, and nothing said of it.
            let plain = Usage { cache_read: f64::NAN, ..usage(Form::Whole, 0.0) };
            assert_eq!(plain.prompt_tokens(cached), 2_310.0, "{provider}");
            assert!(Usage { input: f64::NAN, ..plain }.prompt_tokens(cached).is_nan(), "{provider}");
        }
    }

    #[test]
    fn bedrock_and_hosts_like_anthropic_may_say_nothing_of_writes() {
        let usage = Usage { cache_write: f64::NAN, ..usage(Form::Rest, 700.0) };
        for provider in ["amazon-bedrock", "anthropic.messages"] {
            assert_eq!(usage.prompt_tokens(Settings::new(&Options::default(), "", provider).cached), 2_010.0, "{provider}");
        }
    }

    #[test]
    fn what_is_more_than_the_input_is_not_within_it() {
        let usage = Usage { cache_write: f64::NAN, ..usage(Form::Rest, 2_000.0) };
        for provider in ["gateway", "openai-compatible.chat"] {
            assert_eq!(usage.prompt_tokens(Settings::new(&Options::default(), "", provider).cached), 2_010.0, "{provider}");
        }
    }

    #[test]
    fn google_s_own_count_goes_before_a_sum() {
        let cached = Settings::new(&Options::default(), "gemini-3-pro", "google.generative-ai").cached;
        let usage = Usage { own_prompt: 1_200.0, ..usage(Form::Whole, 800.0) };
        assert_eq!(usage.prompt_tokens(cached), 1_200.0);
        assert_eq!(Usage { own_prompt: 0.0, ..usage }.prompt_tokens(cached), 2_310.0);
    }
}
