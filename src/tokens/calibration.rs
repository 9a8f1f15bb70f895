//! What reported usage teaches: the overhead that `prepareStep` cannot see, and how much more a provider counts than the estimate.
//! Pure arithmetic on a plain value. Not a count of its own.

use serde::{Deserialize, Serialize};

use crate::limits::Family;

/// A new ratio starts from the family's and moves as evidence exceeds this many tokens.
const PRIOR_TOKENS: f64 = 6_000.0;
/// Ratios outside are not believed: a tokenizer differs from the estimate by less than this.
const RATIO_RANGE: (f64, f64) = (0.5, 2.5);
/// Additions smaller than this say little about the ratio.
const EVIDENCE_TOKENS: f64 = 200.0;
/// A step whose own ratio lies outside is an outlier (a model switch, a sum over several calls) and teaches nothing.
const OUTLIER_RANGE: (f64, f64) = (0.3, 4.0);
/// Evidence is halved above this, so that the newest steps keep counting.
const EVIDENCE_CAP_TOKENS: f64 = 200_000.0;

/// How many tokens a family counts for one estimated token, before anything was learnt.
///
/// GPT and Claude: usage records of real agents. The others have no usage data and are unverified; they lean to the high side.
pub fn prior_ratio(family: Family) -> f64 {
    match family {
        Family::Gpt => 1.03,
        Family::Claude => 1.2,
        Family::Gemini | Family::GlmQwenDeepseek | Family::LlamaMistral | Family::Other => 1.1,
    }
}

/// What is known of one model in one conversation. All numbers are tokens; `estimated` ones are the engine's, the others the provider's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
}

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
        ];
        let ratio = |r: f64| (RATIO_RANGE.0..=RATIO_RANGE.1).contains(&r);
        numbers.iter().all(|n| n.is_finite() && (0.0..1e9).contains(n)) && ratio(self.ratio) && ratio(self.prior_ratio)
    }

    /// Takes in the usage of a step: the provider counted `reported` tokens for messages estimated at `estimated`.
    ///
    /// `extended` says that the prompt was the previous one plus additions, so their difference measures the additions alone.
    /// Numbers that cannot be true (missing, zero, not finite, far off) change nothing.
    pub fn learn(&mut self, reported: f64, estimated: f64, extended: bool, fixed_tokens: f64) {
        if !(reported.is_finite() && estimated.is_finite()) || reported <= 0.0 || reported >= 1e9 || estimated <= 0.0 {
            return;
        }
        let first = self.anchor_reported_tokens <= 0.0;
        if first {
            // The first prompt cannot tell overhead from ratio. More than the estimate: overhead. Less: the ratio is too high.
            let implied = reported / estimated;
            if implied < OUTLIER_RANGE.0 {
                return;
            }
            if reported - fixed_tokens < self.ratio * estimated {
                self.ratio = within((RATIO_RANGE.0.max(self.prior_ratio * 0.7), RATIO_RANGE.1), (reported - fixed_tokens) / estimated);
            }
        } else if extended {
            let (added_reported, added_estimated) = (reported - self.anchor_reported_tokens, estimated - self.anchor_estimated_tokens);
            if added_estimated >= EVIDENCE_TOKENS {
                let implied = added_reported / added_estimated;
                if !(OUTLIER_RANGE.0..=OUTLIER_RANGE.1).contains(&implied) {
                    return;
                }
                self.reported_delta_tokens += added_reported;
                self.estimated_delta_tokens += added_estimated;
                if self.estimated_delta_tokens > EVIDENCE_CAP_TOKENS {
                    self.reported_delta_tokens /= 2.0;
                    self.estimated_delta_tokens /= 2.0;
                }
                self.ratio = within(
                    RATIO_RANGE,
                    (self.prior_ratio * PRIOR_TOKENS + self.reported_delta_tokens) / (PRIOR_TOKENS + self.estimated_delta_tokens),
                );
            } else if added_reported < -0.5 * self.anchor_reported_tokens || added_reported > 0.5 * self.anchor_reported_tokens + 4_000.0 {
                return;
            }
        }
        self.anchor_reported_tokens = reported;
        self.anchor_estimated_tokens = estimated;
        if first || extended {
            self.overhead_tokens = (reported - self.ratio * estimated).max(0.0);
        }
    }

    /// The overhead to plan with. When the prompt at hand is the last reported one plus additions (`extends`), it is the one
    /// that makes the last report exact, so that only the additions are estimated; else what was learnt.
    pub fn overhead_at(&self, extends: bool) -> f64 {
        if extends && self.anchor_reported_tokens > 0.0 {
            self.anchor_reported_tokens - self.ratio * self.anchor_estimated_tokens
        } else {
            self.overhead_tokens
        }
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
    fn overhead_and_ratio_are_learnt_from_growing_prompts() {
        for (overhead, ratio) in [(0.0, 1.0), (16_000.0, 1.25), (3_000.0, 1.35), (47_000.0, 1.0)] {
            let mut calibration = Calibration::new(1.0, 0.0);
            for step in 0..30 {
                let estimated = 500.0 + 2_000.0 * f64::from(step);
                calibration.learn(overhead + ratio * estimated, estimated, true, 0.0);
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
        calibration.learn(10_000.0, 8_000.0, true, 0.0);
        let before = calibration;
        for (reported, estimated) in
            [(f64::NAN, 9_000.0), (0.0, 9_000.0), (-5.0, 9_000.0), (1e12, 9_000.0), (9_000.0, f64::NAN), (500_000.0, 9_000.0)]
        {
            calibration.learn(reported, estimated, true, 0.0);
            assert_eq!(calibration, before, "{reported} for {estimated}");
        }
    }
}
