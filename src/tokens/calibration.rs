//! What reported usage teaches: the overhead that `prepareStep` cannot see, and how much more a provider counts than the estimate.
//! Pure arithmetic on a plain value. Not a count of its own.

use crate::limits::Family;
use crate::pack::pack_struct;

/// A new ratio starts from the family's and moves as evidence exceeds this many tokens.
const PRIOR_TOKENS: f64 = 10_000.0;
/// Before any report a ratio leans to the high side by this factor: a prompt that is too large costs more than one cleared early.
const LEAN: f64 = 1.045;
/// Of the ratio it starts from, no report may take away more.
const LEAST_RATIO_SHARE: f64 = 0.84;
/// Ratios outside are not believed: a tokenizer differs from the estimate by less than this.
const RATIO_RANGE: (f64, f64) = (0.5, 2.5);
/// Additions smaller than this say little about the ratio.
const EVIDENCE_TOKENS: f64 = 200.0;
/// A report further than this share from what was predicted is an outlier: a sum over several calls, another model, nonsense.
const OUTLIER_SHARE: f64 = 0.5;
/// Tokens by which a report may miss the prediction in any case.
const OUTLIER_TOKENS: f64 = 600.0;
/// The estimate of a prompt's messages may be off by this share; only what goes beyond it speaks for another overhead.
const ESTIMATE_ERROR: f64 = 0.1;
/// The estimate of a whole prompt is at most this share too high.
const OVERESTIMATE: f64 = 0.15;
/// A report below this share of the estimate is none.
const LEAST_SHARE: f64 = 0.3;
/// Least tokens by which the overhead may be off before it is moved.
const OVERHEAD_TOKENS: f64 = 100.0;
/// Overhead to leave room for while no usage was ever reported and none was given: at most this many tokens …
const UNKNOWN_OVERHEAD_TOKENS: f64 = 12_000.0;
/// … and at most this share of the window.
const UNKNOWN_OVERHEAD_SHARE: f64 = 0.3;
/// Evidence is halved above this, so that the newest steps keep counting.
const EVIDENCE_CAP_TOKENS: f64 = 200_000.0;

/// How many tokens a family counts for one estimated token, before anything was learnt.
///
/// GPT and Claude: usage records of real agents, beside a constant for each call (`npm run bench:usage`). The others are not
/// verified: see `has_usage_data`.
pub fn prior_ratio(family: Family) -> f64 {
    LEAN * central_ratio(family)
}

/// The ratio without leaning.
pub fn central_ratio(family: Family) -> f64 {
    match family {
        Family::Gpt => 0.99,
        Family::Claude => 1.14,
        Family::Gemini | Family::GlmQwenDeepseek | Family::LlamaMistral | Family::Other => 1.06,
    }
}

/// Whether a family's ratio was checked against usage records.
pub fn has_usage_data(family: Family) -> bool {
    matches!(family, Family::Gpt | Family::Claude)
}

/// What is known of one model in one conversation. All numbers are tokens; `estimated` ones are the engine's, the others the provider's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// System prompt and tool schemas.
    pub overhead_tokens: f64,
    /// Provider tokens per estimated token.
    pub ratio: f64,
    /// Provider tokens added between reported prompts.
    pub reported_delta_tokens: f64,
    /// The estimate of the same additions.
    pub estimated_delta_tokens: f64,
    /// The newest reported prompt; zero when there is none.
    pub anchor_reported_tokens: f64,
    /// The estimate of the messages of that prompt.
    pub anchor_estimated_tokens: f64,
    /// The ratio the family starts from.
    pub prior_ratio: f64,
    /// The newest report that was taken for an outlier; zero when there is none. A second one like it is believed.
    pub outlier_reported_tokens: f64,
    /// The estimate of the messages of that prompt.
    pub outlier_estimated_tokens: f64,
    /// The overhead was learnt from a report, not told or guessed.
    pub is_reported: bool,
}

pack_struct!(Calibration {
    overhead_tokens,
    ratio,
    reported_delta_tokens,
    estimated_delta_tokens,
    anchor_reported_tokens,
    anchor_estimated_tokens,
    prior_ratio,
    outlier_reported_tokens,
    outlier_estimated_tokens,
    is_reported,
});

impl Calibration {
    /// Before any usage was seen.
    pub fn new(prior_ratio: f64, fixed_tokens: f64) -> Calibration {
        Calibration {
            overhead_tokens: fixed_tokens,
            ratio: prior_ratio,
            reported_delta_tokens: 0.0,
            estimated_delta_tokens: 0.0,
            anchor_reported_tokens: 0.0,
            anchor_estimated_tokens: 0.0,
            prior_ratio,
            outlier_reported_tokens: 0.0,
            outlier_estimated_tokens: 0.0,
            is_reported: false,
        }
    }

    /// Whether all numbers can be calculated with; state from outside may hold anything.
    pub fn is_sound(&self) -> bool {
        let numbers = [
            self.overhead_tokens,
            self.reported_delta_tokens,
            self.estimated_delta_tokens,
            self.anchor_reported_tokens,
            self.anchor_estimated_tokens,
            self.outlier_reported_tokens,
            self.outlier_estimated_tokens,
        ];
        let ratio = |r: f64| (RATIO_RANGE.0..=RATIO_RANGE.1).contains(&r);
        numbers.iter().all(|n| n.is_finite() && (0.0..1e9).contains(n)) && ratio(self.ratio) && ratio(self.prior_ratio)
    }

    /// Takes in the usage of a step: the provider counted `reported` tokens for messages estimated at `estimated`.
    ///
    /// `extended` says that the prompt was the previous one plus additions, so their difference measures the additions alone.
    /// `most` is what a prompt can have: the window. Numbers that cannot be true (missing, zero, beyond the window, far from
    /// everything known) change nothing; a far one is believed when the next report agrees with it.
    pub fn learn(&mut self, reported: f64, estimated: f64, extended: bool, most: f64) {
        if !(reported.is_finite() && estimated.is_finite() && reported > 0.0 && estimated > 0.0)
            || reported > most
            || reported < LEAST_SHARE * estimated
        {
            return;
        }
        let is_first = self.anchor_reported_tokens <= 0.0;
        if !is_first {
            if self.is_outlier(reported, estimated) {
                return;
            }
            if extended {
                self.learn_additions(reported - self.anchor_reported_tokens, estimated - self.anchor_estimated_tokens);
            }
        }
        self.learn_ratio(reported / estimated);
        self.anchor_reported_tokens = reported;
        self.anchor_estimated_tokens = estimated;
        self.is_reported = true;
        (self.outlier_reported_tokens, self.outlier_estimated_tokens) = (0.0, 0.0);
        // A small prompt tells the overhead well, a large one hides it in the estimate's error.
        let implied = reported - self.ratio * estimated;
        if is_first {
            self.overhead_tokens = implied;
        }
        let error = ESTIMATE_ERROR * self.ratio * estimated + OVERHEAD_TOKENS;
        self.overhead_tokens = within((implied - error, implied + error), self.overhead_tokens).max(0.0);
    }

    /// The ratio that the evidence speaks for, but no higher than what a whole prompt allows: there is no overhead below zero.
    fn learn_ratio(&mut self, most: f64) {
        let evidence = self.prior_ratio / LEAN * PRIOR_TOKENS + self.reported_delta_tokens;
        let ratio = evidence / (PRIOR_TOKENS + self.estimated_delta_tokens);
        self.ratio = within(RATIO_RANGE, ratio.min(most.max(LEAST_RATIO_SHARE * self.prior_ratio)));
    }

    /// Additions to a prompt measure the ratio, without the overhead.
    fn learn_additions(&mut self, reported: f64, estimated: f64) {
        if estimated < EVIDENCE_TOKENS || reported <= 0.0 {
            return;
        }
        self.reported_delta_tokens += reported;
        self.estimated_delta_tokens += estimated;
        if self.estimated_delta_tokens > EVIDENCE_CAP_TOKENS {
            self.reported_delta_tokens /= 2.0;
            self.estimated_delta_tokens /= 2.0;
        }
    }

    /// Whether a report is too far from what was predicted, and not confirmed by the one before.
    fn is_outlier(&mut self, reported: f64, estimated: f64) -> bool {
        let far = |predicted: f64| (reported - predicted).abs() > OUTLIER_SHARE * predicted.max(0.0) + OUTLIER_TOKENS;
        if !far(self.anchor_reported_tokens + self.ratio * (estimated - self.anchor_estimated_tokens)) {
            return false;
        }
        let (suspect, suspect_estimated) = (self.outlier_reported_tokens, self.outlier_estimated_tokens);
        (self.outlier_reported_tokens, self.outlier_estimated_tokens) = (reported, estimated);
        // Additions of a few hundred tokens cannot carry a report from one level to another: then both mean the same prompt.
        let grown = self.ratio * (estimated - suspect_estimated);
        if suspect <= 0.0 || (reported - suspect - grown).abs() > OUTLIER_SHARE * grown.abs() + OUTLIER_TOKENS {
            return true;
        }
        (self.anchor_reported_tokens, self.anchor_estimated_tokens) = (suspect, suspect_estimated);
        false
    }

    /// A run begins whose system prompt is told to have `told_tokens`. Where that is clearly more than all that was learnt of the overhead,
    /// it is another prompt than the one before, and the reports are not about it. An estimate of the messages that is too high hides some.
    pub fn allow_for(&mut self, told_tokens: f64) {
        let hidden = OVERESTIMATE * self.ratio * self.anchor_estimated_tokens + OVERHEAD_TOKENS;
        if told_tokens * (1.0 - ESTIMATE_ERROR) > self.overhead_at(true) + hidden {
            self.overhead_tokens = told_tokens;
            (self.anchor_reported_tokens, self.anchor_estimated_tokens, self.is_reported) = (0.0, 0.0, false);
        }
    }

    /// The overhead to plan with. When the prompt at hand is the last reported one plus additions (`extends`), it is the one
    /// that makes the last report exact, so that only the additions are estimated; else what was learnt.
    pub fn overhead_at(&self, extends: bool) -> f64 {
        if extends && self.anchor_reported_tokens > 0.0 {
            // A report far below the estimate (a mock that always reports the same) must not make growth invisible.
            let messages = self.ratio * self.anchor_estimated_tokens;
            (self.anchor_reported_tokens - messages).max(-OVERESTIMATE * messages)
        } else {
            self.overhead_tokens
        }
    }

    /// Tokens to keep free beside the overhead while nothing was reported: the schemas of tools, on ai 5 and 6 also the system
    /// prompt. One-step turns never report; room on the high side costs less than a rejection.
    pub fn unknown_overhead(&self, window_tokens: f64) -> f64 {
        let guess = UNKNOWN_OVERHEAD_TOKENS.min(UNKNOWN_OVERHEAD_SHARE * window_tokens);
        if self.is_reported { 0.0 } else { (guess - self.overhead_tokens).max(0.0) }
    }
}

/// `f64::clamp` would bring the formatting of floats into the download, for a panic that cannot happen.
#[allow(clippy::manual_clamp)]
fn within(range: (f64, f64), value: f64) -> f64 {
    value.max(range.0).min(range.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_prompt_that_is_told_to_be_longer_than_all_overhead_was_is_another_one() {
        // The second is an estimate of the messages that is too high: it left no overhead, and the usual prompt was taken for a longer one.
        for (reported, estimated, told) in [(5_000.0, 2_000.0, [0.0, 3_300.0]), (6_700.0, 8_000.0, [40.0, 400.0])] {
            let mut calibration = Calibration::new(1.0, 0.0);
            calibration.learn(reported, estimated, false, 100_000.0);
            let learnt = calibration;
            for told in told {
                calibration.allow_for(told);
                assert_eq!(calibration, learnt, "{told}");
            }
            calibration.allow_for(20_000.0);
            assert_eq!((calibration.overhead_at(true), calibration.overhead_at(false)), (20_000.0, 20_000.0));
        }
    }

    #[test]
    fn what_is_told_of_the_overhead_is_no_report_and_a_report_of_none_is_one() {
        // ai 7 tells the system prompt in a run's first step only: from the second on no room was left for the schemas of tools.
        let told = Calibration::new(1.0, 8.0);
        assert_eq!(told.unknown_overhead(32_000.0), 9_592.0);
        let mut reported = Calibration::new(1.0, 0.0);
        reported.learn(4_000.0, 5_000.0, false, 32_000.0);
        (reported.anchor_reported_tokens, reported.anchor_estimated_tokens) = (0.0, 0.0);
        assert_eq!((reported.overhead_tokens, reported.unknown_overhead(32_000.0)), (0.0, 0.0));
    }

    #[test]
    fn overhead_and_ratio_are_learnt_from_growing_prompts() {
        for (overhead, ratio) in [(0.0, 1.0), (16_000.0, 1.25), (3_000.0, 1.35), (47_000.0, 1.0)] {
            let mut calibration = Calibration::new(1.0, 0.0);
            for step in 0..30 {
                let estimated = 500.0 + 2_000.0 * f64::from(step);
                calibration.learn(overhead + ratio * estimated, estimated, true, 200_000.0);
            }
            let next = 500.0 + 2_000.0 * 30.0;
            let truth = overhead + ratio * next;
            let anchored = calibration.overhead_at(true) + calibration.ratio * next;
            assert!((anchored - truth).abs() / truth < 0.005, "anchored {anchored} of {truth}");
            let after_edit = calibration.overhead_at(false) + calibration.ratio * 20_000.0;
            let truth = overhead + ratio * 20_000.0;
            assert!((after_edit - truth).abs() / truth < 0.10, "after an edit {after_edit} of {truth}");
        }
    }

    #[test]
    fn impossible_usage_changes_nothing() {
        let mut calibration = Calibration::new(1.0, 0.0);
        calibration.learn(10_000.0, 8_000.0, true, 200_000.0);
        let before = calibration;
        for (reported, estimated) in
            [(f64::NAN, 9_000.0), (0.0, 9_000.0), (-5.0, 9_000.0), (1e12, 9_000.0), (9_000.0, f64::NAN), (500_000.0, 9_000.0)]
        {
            calibration.learn(reported, estimated, true, 200_000.0);
            assert_eq!(calibration, before, "{reported} for {estimated}");
        }
    }
    #[test]
    fn sums_over_several_steps_are_not_taken_for_prompts() {
        let mut calibration = Calibration::new(1.0, 0.0);
        let mut sum = 0.0;
        for step in 0..20 {
            let estimated = 3_000.0 + 300.0 * f64::from(step);
            sum += 1_000.0 + estimated;
            calibration.learn(sum, estimated, true, 200_000.0);
        }
        assert!((calibration.overhead_tokens - 1_000.0).abs() < 200.0, "{calibration:?}");
    }

    #[test]
    fn another_system_prompt_is_believed_once_it_is_confirmed() {
        let mut calibration = Calibration::new(1.0, 0.0);
        for step in 0..5 {
            calibration.learn(2_000.0 + 500.0 * f64::from(step), 1_000.0 + 500.0 * f64::from(step), true, 200_000.0);
        }
        calibration.learn(24_500.0, 3_500.0, true, 200_000.0);
        assert!(calibration.overhead_tokens < 2_000.0, "{calibration:?}");
        calibration.learn(25_000.0, 4_000.0, true, 200_000.0);
        assert!(calibration.overhead_tokens > 20_000.0, "{calibration:?}");
    }
}
