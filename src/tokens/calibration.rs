//! What reported usage teaches: the overhead that `prepareStep` cannot see, and how much more a provider counts than the estimate.
//! Pure arithmetic on a plain value. Not a count of its own. Tested in `tests/calibration.rs`.

use serde::{Deserialize, Serialize};

use crate::policy::estimates::*;
use crate::providers::limits::Family;
use crate::providers::overflow::Overflow;
use crate::tokens::traits::{Limit, Traits};

/// How many tokens a family counts for one estimated token, before anything was learnt.
///
/// GPT and Claude: usage records of real agents, beside what each call costs (`npm run bench:usage`). The others are not verified: see
/// `has_usage_data`.
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

/// What was learnt of one model in one conversation. All numbers are tokens; `estimated` ones are the engine's, the others the provider's.
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
    /// The newest report that was taken for an outlier; zero when there is none. A second one like it is believed.
    pub outlier_reported_tokens: f64,
    /// The estimate of the messages of that prompt.
    pub outlier_estimated_tokens: f64,
    /// The overhead was learnt from a report, not given or guessed.
    pub is_reported: bool,
    /// A step was made and nothing usable was reported of it.
    pub is_silent: bool,
    /// The reported prompt with the fewest messages, which the overhead is read off; zero when there is none. Where nothing was reported, the
    /// overhead of a call that was seen: a prompt without messages.
    pub smallest_reported_tokens: f64,
    /// The estimate of the messages of that prompt.
    pub smallest_estimated_tokens: f64,
    /// What the model turned out to be.
    #[serde(with = "crate::tokens::traits::stored")]
    pub traits: Traits,
}

/// What a provider likely counts, as a function of the estimate of the messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Tokens outside the messages. Never below zero.
    pub overhead_tokens: f64,
    /// Provider tokens per estimated token.
    pub ratio: f64,
}

impl Line {
    /// The likely count of a prompt whose messages are estimated at `estimated`.
    pub fn tokens(&self, estimated: f64) -> f64 {
        self.overhead_tokens + self.ratio * estimated
    }
}

/// How a report compares with what was predicted.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    /// Close to it.
    Predicted,
    /// Far from it, as the one before was: it is about another system prompt.
    Another,
    /// Far from it, alone, or impossible.
    Unlikely,
}

impl Calibration {
    /// Before any usage was seen.
    pub fn new(prior_ratio: f64, overhead_tokens: f64) -> Calibration {
        Calibration {
            overhead_tokens,
            ratio: prior_ratio,
            reported_delta_tokens: 0.0,
            estimated_delta_tokens: 0.0,
            anchor_reported_tokens: 0.0,
            anchor_estimated_tokens: 0.0,
            prior_ratio,
            outlier_reported_tokens: 0.0,
            outlier_estimated_tokens: 0.0,
            is_reported: false,
            is_silent: false,
            smallest_reported_tokens: 0.0,
            smallest_estimated_tokens: 0.0,
            traits: Traits::default(),
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
            self.smallest_reported_tokens,
            self.smallest_estimated_tokens,
        ];
        let ratio = |r: f64| (RATIO_RANGE.0..=RATIO_RANGE.1).contains(&r);
        numbers.iter().all(|n| n.is_finite() && (0.0..1e9).contains(n))
            && ratio(self.ratio)
            && ratio(self.prior_ratio)
            && self.traits.limit.is_sound()
    }

    /// Takes in the usage of a step: the provider counted `reported` tokens for messages estimated at `estimated`.
    ///
    /// `extended` says that the prompt was the previous one plus additions, so their difference measures the additions alone.
    /// `most` is what a prompt can have: the window. Numbers that cannot be true (missing, zero, beyond the window, far from
    /// everything learnt) change nothing; a far one is believed when the next report agrees with it, at any ratio.
    pub fn learn(&mut self, reported: f64, estimated: f64, extended: bool, most: f64) {
        let is_possible = reported.is_finite()
            && estimated.is_finite()
            && (1.0..=most).contains(&reported)
            && estimated > 0.0
            && reported >= LEAST_SHARE * estimated;
        let level = if is_possible { self.level_of(reported, estimated) } else { Level::Unlikely };
        if level == Level::Unlikely {
            self.is_silent = !self.is_reported;
            // An edited prompt has no report: the one reported before it is not what the next one goes on from.
            if !extended {
                self.forget_anchor();
            }
            return;
        }
        if extended && self.anchor_reported_tokens > 0.0 {
            self.learn_additions(reported - self.anchor_reported_tokens, estimated - self.anchor_estimated_tokens);
        }
        // There is no overhead below zero, so a whole prompt says how high the ratio can be.
        let known_overhead = if self.is_reported { self.overhead_tokens } else { 0.0 };
        self.learn_ratio((reported - known_overhead) / estimated);
        self.learn_overhead(reported, estimated, level);
        self.anchor_reported_tokens = reported;
        self.anchor_estimated_tokens = estimated;
        (self.is_reported, self.is_silent) = (true, false);
        (self.outlier_reported_tokens, self.outlier_estimated_tokens) = (0.0, 0.0);
    }

    /// Takes in that a prompt was refused whose messages are estimated at `estimated`: what the provider says of it is a count. Returns
    /// the likely tokens of the prompt.
    pub fn refused(&mut self, overflow: &Overflow, estimated: f64) -> f64 {
        let likely = self.line_at(true).tokens(estimated);
        self.traits.limit = Limit::of_overflow(overflow, likely, self.anchor_reported_tokens);
        // A refused prompt has more than the window leaves it.
        let least = self.traits.limit.window_tokens - overflow.reply_tokens + 1.0;
        if !self.is_reported && !overflow.has_numbers() {
            // Then the estimate was too low, by nobody knows how much.
            (self.smallest_reported_tokens, self.is_silent) = (0.0, false);
        }
        let counted = if overflow.prompt_tokens > 0.0 { overflow.prompt_tokens } else { likely.max(least) };
        if overflow.has_numbers() && counted > likely || overflow.prompt_tokens > 0.0 {
            // No accident: it is believed as if another report agreed with it.
            (self.outlier_reported_tokens, self.outlier_estimated_tokens) = (counted, estimated);
            self.learn(counted, estimated, false, f64::INFINITY);
        }
        counted
    }

    /// The prompt that comes next does not go on from the one that was reported last.
    pub fn forget_anchor(&mut self) {
        (self.anchor_reported_tokens, self.anchor_estimated_tokens) = (0.0, 0.0);
    }

    /// By how much of itself an estimate may be too low, after what was learnt. Where nothing is ever reported, such a margin would never
    /// shrink: then texts only differ as they do after many reports.
    pub fn uncertainty(&self) -> f64 {
        let share = UNCERTAINTY_SHARE * UNCERTAINTY_TOKENS / (UNCERTAINTY_TOKENS + self.estimated_delta_tokens);
        if self.is_silent { 0.0 } else { share }
    }

    /// The ratio that the evidence suggests, but no higher than what a whole prompt allows.
    fn learn_ratio(&mut self, most: f64) {
        let evidence = self.prior_ratio / LEAN * PRIOR_TOKENS + self.reported_delta_tokens;
        let ratio = evidence / (PRIOR_TOKENS + self.estimated_delta_tokens);
        self.ratio = within(RATIO_RANGE, ratio.min(most.max(LEAST_RATIO_SHARE * self.prior_ratio)));
    }

    /// A small prompt shows the overhead well, a large one hides it in the estimate's error. So it is read off the smallest prompt, again
    /// whenever the ratio is known better, and any other only moves it as far as it cannot be true.
    fn learn_overhead(&mut self, reported: f64, estimated: f64, level: Level) {
        let implied = reported - self.ratio * estimated;
        let share = if level == Level::Another { CONFIRMED_ERROR } else { ESTIMATE_ERROR.max(self.uncertainty()) };
        let error = share * self.ratio * estimated + OVERHEAD_TOKENS;
        if !self.is_reported {
            // What was given knows of the system prompt alone, what is reported of the tools, too; what was seen of a call says nothing then.
            let is_seen = self.smallest_reported_tokens > 0.0;
            let given = if is_seen { 0.0 } else { self.overhead_tokens.min(implied + error) };
            if is_seen || implied >= given {
                (self.smallest_reported_tokens, self.smallest_estimated_tokens) = (reported, estimated);
            }
            self.overhead_tokens = implied.max(given).max(0.0);
            return;
        }
        if estimated < self.smallest_estimated_tokens {
            (self.smallest_reported_tokens, self.smallest_estimated_tokens) = (reported, estimated);
        }
        let mut overhead = self.overhead_tokens;
        if self.smallest_estimated_tokens > 0.0 {
            let messages = self.ratio * self.smallest_estimated_tokens;
            overhead = around(self.smallest_reported_tokens - messages, SMALLEST_ERROR * messages, overhead).max(0.0);
        }
        let moved = around(implied, error, overhead).max(0.0);
        self.smallest_reported_tokens = (self.smallest_reported_tokens + moved - overhead).max(0.0);
        self.overhead_tokens = moved;
    }

    /// Additions to a prompt measure the ratio, without the overhead.
    fn learn_additions(&mut self, reported: f64, estimated: f64) {
        if estimated < EVIDENCE_TOKENS || reported <= 0.0 {
            return;
        }
        let likely = self.ratio * estimated;
        self.reported_delta_tokens += within((likely / ADDITIONS_FACTOR, likely * ADDITIONS_FACTOR), reported);
        self.estimated_delta_tokens += estimated;
        if self.estimated_delta_tokens > EVIDENCE_CAP_TOKENS {
            self.reported_delta_tokens /= 2.0;
            self.estimated_delta_tokens /= 2.0;
        }
    }

    /// How a report compares with what was predicted.
    fn level_of(&mut self, reported: f64, estimated: f64) -> Level {
        let predicted = self.line_at(true).tokens(estimated);
        if !self.is_reported || (reported - predicted).abs() <= OUTLIER_SHARE * predicted + OUTLIER_TOKENS {
            return Level::Predicted;
        }
        let (suspect, suspect_estimated) = (self.outlier_reported_tokens, self.outlier_estimated_tokens);
        (self.outlier_reported_tokens, self.outlier_estimated_tokens) = (reported, estimated);
        if let Some(ratio) = self.ratio_of_both(reported, estimated, (suspect, suspect_estimated), predicted) {
            (self.prior_ratio, self.ratio) = (ratio, ratio);
            (self.reported_delta_tokens, self.estimated_delta_tokens) = (0.0, 0.0);
            return Level::Predicted;
        }
        // Additions of a few hundred tokens cannot carry a report from one level to another: then both mean the same prompt.
        let grown = self.ratio * (estimated - suspect_estimated);
        if suspect <= 0.0 || (reported - suspect - grown).abs() > OUTLIER_SHARE * grown.abs() + OUTLIER_TOKENS {
            return Level::Unlikely;
        }
        (self.anchor_reported_tokens, self.anchor_estimated_tokens) = (suspect, suspect_estimated);
        Level::Another
    }

    /// The ratio of what came since the last report that was believed, where the report before said the same of what came until then. A sum over
    /// all steps grows by the whole prompt.
    fn ratio_of_both(&self, reported: f64, estimated: f64, (suspect, suspect_estimated): (f64, f64), predicted: f64) -> Option<f64> {
        let (anchor, anchor_estimated) = (self.anchor_reported_tokens, self.anchor_estimated_tokens);
        let ratio = |tokens: f64, estimated: f64| (estimated >= EVIDENCE_TOKENS && tokens > 0.0).then_some(tokens / estimated);
        let is_sum = (reported - suspect - predicted).abs() <= ESTIMATE_ERROR * predicted;
        if anchor <= 0.0 || suspect <= 0.0 || is_sum {
            return None;
        }
        let before = ratio(suspect - anchor, suspect_estimated - anchor_estimated)?;
        let now = ratio(reported - suspect, estimated - suspect_estimated)?;
        let is_alike = now <= RATIOS_ALIKE * before && before <= RATIOS_ALIKE * now;
        ratio(reported - anchor, estimated - anchor_estimated).filter(|_| is_alike).map(|ratio| within(RATIO_RANGE, ratio))
    }

    /// A run begins whose system prompt is given as `given_tokens`. Where that is clearly more than all that was learnt of the overhead,
    /// it is another prompt than the one before, and the reports are not about it. An estimate of the messages that is too high hides some.
    pub fn allow_for(&mut self, given_tokens: f64) {
        let line = self.line_at(true);
        let hidden = OVERESTIMATE * line.ratio * self.anchor_estimated_tokens + OVERHEAD_TOKENS;
        if given_tokens * (1.0 - GIVEN_ERROR) > line.overhead_tokens + hidden {
            (self.overhead_tokens, self.is_reported) = (given_tokens, false);
            self.forget_anchor();
            (self.smallest_reported_tokens, self.smallest_estimated_tokens) = (0.0, 0.0);
        }
    }

    /// What to plan with. When the prompt at hand is the last reported one plus additions (`extends`), it makes the last report exact.
    /// What the estimate missed there is missed in every message alike: a part of them that an edit keeps has its share of it. Taken for
    /// overhead, it would be missed by what is left alone.
    pub fn line_at(&self, extends: bool) -> Line {
        let learnt = Line { overhead_tokens: self.overhead_tokens, ratio: self.ratio };
        if !extends || self.anchor_reported_tokens <= 0.0 {
            return learnt;
        }
        let (least, most) = LOCAL_RATIO_SHARES;
        let exact = (self.anchor_reported_tokens - self.overhead_tokens) / self.anchor_estimated_tokens.max(1.0);
        let ratio = within((least * self.ratio, most * self.ratio), exact);
        Line { overhead_tokens: (self.anchor_reported_tokens - ratio * self.anchor_estimated_tokens).max(0.0), ratio }
    }

    /// A call was seen whose system prompt and tools are estimated at so many tokens of the provider. What is reported knows better.
    pub fn see_overhead(&mut self, tokens: f64) {
        if !self.is_reported {
            (self.overhead_tokens, self.smallest_reported_tokens) = (tokens, tokens.max(1.0));
        }
    }

    /// Tokens to keep free beside the overhead while it is not known: the schemas of tools, on ai 5 and 6 also the system prompt. One-step
    /// turns never report; room on the high side costs less than a rejection.
    pub fn unknown_overhead(&self, window_tokens: f64) -> f64 {
        if self.is_reported || self.smallest_reported_tokens > 0.0 {
            return 0.0;
        }
        let guess = UNKNOWN_OVERHEAD_TOKENS.min(UNKNOWN_OVERHEAD_SHARE * window_tokens);
        (guess - self.overhead_tokens).max(0.0)
    }
}

/// `value`, moved to at most `error` from `middle`.
fn around(middle: f64, error: f64, value: f64) -> f64 {
    within((middle - error, middle + error), value)
}

/// `f64::clamp` would bring the formatting of floats into the download, for a panic that cannot happen.
#[allow(clippy::manual_clamp)]
fn within(range: (f64, f64), value: f64) -> f64 {
    value.max(range.0).min(range.1)
}
