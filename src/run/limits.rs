//! What a run learns of a window that is smaller than believed: from refusals, from replies that were cut because the window was full, and
//! from prompts that the provider cut without a word. What follows for a plan is in `plan::budget`.

use super::{ProviderEdits, Run, Usage};
use crate::plan::Budget;
use crate::policy::overflow::{ADDITIONS_ALONE, CACHE_BLOCK_TOKENS, GROWTH_TOKENS, LEAST_SHARE_OF_LAST};
use crate::providers::overflow::Overflow;
use crate::settings::Settings;
use crate::tokens::traits::Limit;

/// A prompt that was cut by the provider, which says nothing of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truncation {
    /// What was reported of it.
    pub reported_tokens: f64,
    /// What it likely had.
    pub expected_tokens: f64,
    /// The most that the provider takes, as far as is known: the largest prompt that it read whole.
    pub window_tokens: f64,
}

impl Run {
    /// The prompt that was sent last was refused; `unsent` is its estimate where nothing was sent by this run yet. Returns the tokens it
    /// likely had.
    pub fn refused(&mut self, overflow: &Overflow, unsent: f64) -> f64 {
        let estimated = if self.started { self.sent_estimated } else { unsent };
        self.calibration.refused(overflow, estimated)
    }

    /// What was sent last is in a call that was not made yet and asks for a reply of so many tokens; zero where it names none. Returns whether
    /// that leaves the messages too little room.
    pub fn see_call(&mut self, settings: &Settings, reply_tokens: f64) -> bool {
        self.reply_tokens = reply_tokens;
        let budget = Budget::new(&settings.for_reply(reply_tokens), &self.calibration, self.sent_extends, None);
        self.started && !budget.exhausted && self.sent_estimated > f64::from(budget.fit)
    }

    /// A reply ended because the window was full: prompt and reply together are the window. Returns whether it did.
    pub fn learn_full_window(&mut self, usage: &Usage, prompt_tokens: f64) -> bool {
        let is_full = usage.fills_window() && prompt_tokens > 0.0;
        if is_full {
            self.calibration.traits.limit = Limit::of_full_window(prompt_tokens, usage.output.max(0.0));
        }
        is_full
    }

    /// Whether the prompt sent last was cut: it was the one before and more, and no more was read. Within a turn and to one model alone: a
    /// new turn may leave out older thoughts, another model counts otherwise.
    pub fn truncation(&self, usage: &Usage, reported: f64) -> Option<Truncation> {
        let calibration = &self.calibration;
        let last = calibration.anchor_reported_tokens;
        let grown = self.sent_estimated - calibration.anchor_estimated_tokens;
        let goes_on = self.sent_extends && !self.begins_turn && !self.changed_model && last > 0.0 && grown >= GROWTH_TOKENS;
        let is_edited = self.native_compaction || self.provider_edits != ProviderEdits::None || usage.applied_edits > 0.0;
        // Where cached tokens are not reported by themselves, a report may leave them out.
        let is_whole = !usage.uncached_input.is_nan() || !(usage.cache_read > 0.0 || usage.cache_write > 0.0);
        let additions = calibration.ratio * grown;
        let is_cut =
            reported <= last && reported >= LEAST_SHARE_OF_LAST * last && reported > ADDITIONS_ALONE * additions + CACHE_BLOCK_TOKENS;
        (goes_on && !is_edited && is_whole && is_cut).then(|| Truncation {
            reported_tokens: reported,
            expected_tokens: calibration.line_at(true).tokens(self.sent_estimated),
            window_tokens: last,
        })
    }

    /// Takes that in: what was reported is no count of the prompt.
    pub fn truncated(&mut self, truncation: &Truncation) {
        self.calibration.traits.limit = Limit::of(truncation.window_tokens, 0.0);
        self.forget_sent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::overflow::{LIMIT_STEPS, RUN_COUNTS_AS_STEPS};
    use crate::settings::Options;
    use crate::tokens::traits::Traits;

    fn settings() -> Settings {
        Settings::new(&Options { context_window: Some(128_000.0), ..Options::default() }, "some-model", "proxy.chat")
    }

    /// A run whose prompt was counted as 10,000 tokens, and has grown by 1,000 since.
    fn grown() -> Run {
        let mut run = Run { started: true, sent_estimated: 9_000.0, sent_extends: true, ..Run::new(&settings()) };
        assert_eq!(run.learn(&settings(), &report(10_000.0)), None);
        run.sent_estimated = 10_000.0;
        run
    }

    fn report(input: f64) -> Usage {
        Usage { input, uncached_input: input, ..Usage::default() }
    }

    #[test]
    fn a_prompt_of_which_no_more_is_read_although_it_grew_was_cut() {
        for reported in [10_000.0, 9_999.0, 9_000.0, 6_000.0] {
            let mut run = grown();
            let truncation = run.learn(&settings(), &report(reported)).unwrap();
            assert_eq!((truncation.reported_tokens, truncation.window_tokens), (reported, 10_000.0));
            assert!((10_500.0..11_800.0).contains(&truncation.expected_tokens), "{truncation:?}");
            assert_eq!(run.calibration.traits.limit.window_tokens, 10_000.0);
            assert_eq!(run.calibration.anchor_reported_tokens, 0.0, "what was reported is no count of the prompt");
        }
    }

    #[test]
    fn what_explains_a_small_report_otherwise_is_no_truncation() {
        type Row = (&'static str, fn(&mut Run, &mut Usage));
        let rows: [Row; 12] = [
            ("the prompt was edited", |run, _| run.sent_extends = false),
            ("a new turn may leave out thoughts", |run, _| run.begins_turn = true),
            ("another model counts otherwise", |run, _| run.changed_model = true),
            ("hardly anything was added", |run, _| run.sent_estimated = 9_100.0),
            ("a cache holds the rest, which nobody tells apart", |_, usage| (usage.uncached_input, usage.cache_read) = (f64::NAN, 500.0)),
            ("a cache took the rest, which nobody tells apart", |_, usage| (usage.uncached_input, usage.cache_write) = (f64::NAN, 500.0)),
            ("a cache holds the rest, of which nobody tells", |_, usage| usage.input = 1_100.0),
            ("a cache holds most, of which nobody tells", |_, usage| usage.input = 4_000.0),
            ("nothing is reported", |_, usage| usage.input = f64::NAN),
            ("zero is reported", |_, usage| usage.input = 0.0),
            ("the provider edits prompts", |_, usage| (usage.applied_edits, usage.thinking_edits) = (1.0, 1.0)),
            ("the provider compacts", |run, _| run.native_compaction = true),
        ];
        for (why, change) in rows {
            let (mut run, mut usage) = (grown(), report(9_500.0));
            change(&mut run, &mut usage);
            assert_eq!(run.learn(&settings(), &usage), None, "{why}");
            assert_eq!(run.calibration.traits.limit, Limit::default(), "{why}");
        }
        assert_eq!(grown().learn(&settings(), &report(11_000.0)), None, "it grew");
    }

    #[test]
    fn a_learnt_limit_holds_for_a_while_and_until_more_was_taken() {
        let mut run = grown();
        run.learn(&settings(), &report(9_000.0));
        for _ in 1..LIMIT_STEPS - RUN_COUNTS_AS_STEPS {
            run.begin_step();
        }
        run.begin_run();
        assert_eq!(run.calibration.traits.limit.window_tokens, 10_000.0);
        run.begin_step();
        assert_eq!(run.calibration.traits.limit, Limit::default(), "a provider that was fixed is noticed");
        run.calibration.traits.limit = Limit::of(10_000.0, 0.0);
        run.learn(&settings(), &report(10_001.0));
        assert_eq!(run.calibration.traits.limit, Limit::default());
    }

    #[test]
    fn a_refusal_teaches_window_and_prompt_at_once() {
        let mut run = grown();
        let refusal = Overflow { prompt_tokens: 14_000.0, window_tokens: 12_000.0, ..Overflow::default() };
        assert_eq!(run.refused(&refusal, 0.0), 14_000.0);
        let calibration = run.calibration;
        assert_eq!(calibration.traits.limit.window_tokens, 12_000.0);
        assert!((calibration.line_at(true).tokens(10_000.0) - 14_000.0).abs() < 1.0, "{calibration:?}");
        // A refusal far from all that was reported is believed, too.
        let mut run = grown();
        run.refused(&Overflow { prompt_tokens: 40_000.0, ..refusal }, 0.0);
        assert!((run.calibration.line_at(true).tokens(10_000.0) - 40_000.0).abs() < 1.0, "{:?}", run.calibration);
        // One without a number: less than what was refused.
        let mut run = grown();
        let likely = run.refused(&Overflow::default(), 0.0);
        assert!((8_000.0..9_000.0).contains(&run.calibration.traits.limit.window_tokens) && likely > 10_900.0, "{:?}", run.calibration);
        // Far less when one step has added far more than was ever taken.
        let mut run = Run { sent_estimated: 60_000.0, ..grown() };
        let likely = run.refused(&Overflow::default(), 0.0);
        assert_eq!(run.calibration.traits.limit.window_tokens, likely / 2.0);
    }

    #[test]
    fn a_limit_makes_the_window_smaller_and_never_larger() {
        let within = |limit: Limit| {
            let settings = settings().with(&Traits { limit, ..Traits::default() });
            (settings.window_tokens, settings.reserve_tokens)
        };
        let (window, reserve) = within(Limit::default());
        assert_eq!(window, 128_000.0);
        assert_eq!(within(Limit::of(20_000.0, 0.0)), (20_000.0, 5_000.0));
        assert_eq!(within(Limit::of(1e6, 0.0)), (window, reserve));
        // A request may ask for more room than is kept free.
        assert_eq!(within(Limit::of(128_000.0, 30_000.0)), (window, 30_000.0));
        assert_eq!(within(Limit::of(20_000.0, 64_000.0)), (20_000.0, 10_000.0));
        let full = Limit::of_full_window(9_000.0, 1_000.0);
        assert_eq!(within(full), (10_000.0, 2_500.0));
    }

    #[test]
    fn what_may_be_a_sum_over_several_prompts_is_believed_only_as_a_bound() {
        let settings = Settings::new(&Options::default(), "gpt-5", "openai.responses");
        let report = |input: f64, may_be_sum: f64| Usage { input, may_be_sum, ..Usage::default() };
        let one = f64::NAN;
        let mut run = Run { started: true, sent_estimated: 20_000.0, ..Run::new(&settings) };
        run.learn(&settings, &report(22_000.0, one));
        (run.sent_estimated, run.sent_extends) = (21_000.0, true);
        let before = run;
        // Four prompts of 23,000 tokens: nothing is learnt, whether or not they are believed to be many.
        for reported in [92_000.0, 92_500.0, 93_000.0] {
            assert_eq!(run.learn(&settings, &report(reported, 1.0)), None);
            assert_eq!(run, before, "{reported}");
        }
        // The next report without such calls decides, …
        run.learn(&settings, &report(23_100.0, one));
        assert_eq!(run.calibration.anchor_reported_tokens, 23_100.0);
        // … a bound below the prediction says something, …
        run.sent_estimated = 26_000.0;
        run.learn(&settings, &report(24_500.0, 1.0));
        assert_eq!(run.calibration.anchor_reported_tokens, 24_500.0);
        // … and an edited prompt is not the one that was reported.
        run.sent_extends = false;
        run.learn(&settings, &report(92_000.0, 1.0));
        assert_eq!(run.calibration.anchor_reported_tokens, 0.0);
        assert!(!run.calibration.is_silent);
    }
}
