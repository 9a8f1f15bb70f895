//! How many tokens there are, and where work starts and ends. All in the engine's estimated tokens, so that rungs only add and compare.
//! Not a count: what the messages cost is in the draft.

use crate::message::Role;
use crate::optimize::{Pace, cheapest_trigger};
use crate::plan::draft::Draft;
use crate::settings::{Mark, Settings};
use crate::tokens::calibration::{Calibration, Line};

/// The tail at most, as a share of the budget.
const TAIL_SHARE: f64 = 1.0 / 3.0;
/// Tokens of the tail. Source: opencode.
const TAIL_TOKENS: f64 = 40_000.0;
/// Least saving of a clearing. Source: opencode.
const MIN_CLEAR_TOKENS: f64 = 20_000.0;
/// Least saving of a clearing, at most this share of the budget.
const MIN_CLEAR_SHARE: f64 = 0.1;
/// One result at most, as a share of the budget. Measured (bench/replay) beside a quarter: cheaper by a tenth, and more of what is
/// quoted later is still there, because results need not be cleared whole.
const RESULT_SHARE: f64 = 0.1;
/// A result of this size is not cut, in a small window up to a sixth of the budget. Measured (bench/replay) beside a fifth: 3 points more
/// of quoted lines at 16k, 2 % cheaper.
const RESULT_TOKENS: f64 = 3_000.0;
const SMALL_RESULT_SHARE: f64 = 0.17;
/// The results of one step together at most, as a share of the budget.
const STEP_RESULTS_SHARE: f64 = 0.4;
/// A checkpoint at most, as a share of the budget.
const CHECKPOINT_SHARE: f64 = 0.33;
/// A checkpoint at most: beyond this a larger window buys nothing, and the state must stay small.
const CHECKPOINT_TOKENS: f64 = 16_000.0;
/// A checkpoint at most, as a share of the target: it finds more for its tokens than a tail does. Measured (bench/replay) beside 0.6: at 64k
/// two points more of what only results said, at 32k half a point of quoted lines, for up to 1 % more cost; at 16k, with the smaller tail
/// there, a point more of all that is referred to again, and fewer edits.
const CHECKPOINT_OF_TARGET: f64 = 0.75;
/// Part of the budget that is filled at most, because what arrives is only estimated.
const FIT_SHARE: f64 = 0.95;
/// What squeezing leaves: the list that it makes is a new one, all of which is only estimated. Measured: at 0.95 two of 22 sessions
/// overflow a window of 16k when the provider counts 1.35 times what we count, at 0.85 one with `optimize: 'recall'`.
const SQUEEZED_SHARE: f64 = 0.78;
/// By how much of itself an estimate may be too low at least, however much was learnt: texts differ from those it was learnt from.
/// Measured: at 0.12 one session overflows.
const LEAST_DOUBT_SHARE: f64 = 0.16;
/// The same for what was added since the last report, which is one text or two, whose errors do not level out. Measured with a provider
/// that counts 1, 1.25 and 1.35 times what is counted, at 16k to 64k: at 0.16 three sessions of 218 overflow, at 0.3 none.
const LEAST_DOUBT_OF_ADDED_SHARE: f64 = 0.3;
/// By how much of itself an estimate may be too high.
const OVERESTIMATE_SHARE: f64 = 0.2;
/// Least budget to plan with, as a share of the window: when the overhead seems to leave less, it may have been learnt wrong.
const SMALLEST_SHARE: f64 = 0.1;
/// The part of the way to the trigger that is left when a summary is asked ahead of time, if no mark was given: a fifth.
const AHEAD_PART: u32 = 5;
/// The tail, as a share of the target: work that may not touch more than the target would never get there.
const TAIL_OF_TARGET: f64 = 0.55;
/// The same in a small window, whose checkpoint takes most of the target.
const SMALL_TAIL_OF_TARGET: f64 = 0.25;
/// Windows up to this are small.
const SMALL_WINDOW_TOKENS: f64 = 24_000.0;

/// The numbers the rungs work with, in estimated tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Provider tokens per estimated token.
    pub ratio: f64,
    /// Provider tokens outside the messages.
    pub overhead_tokens: f64,
    /// What the provider may count for the whole prompt: window less reserve.
    pub prompt_limit_tokens: u32,
    /// What messages may take at most.
    pub limit: u32,
    /// Above this, a prompt may not fit.
    pub fit: u32,
    /// Above this, what clearing and folding left is squeezed.
    pub squeeze_above: u32,
    /// What squeezing aims at.
    pub squeezed: u32,
    /// Above this, work starts.
    pub trigger: u32,
    /// At or below this, work ends.
    pub target: u32,
    /// Above this, a summary is asked ahead of time; at most the trigger, which means never.
    pub ahead: u32,
    /// When what clearing leaves is at or above this, a checkpoint asks the summarizer.
    pub summarize_at: u32,
    /// The tail.
    pub keep_recent: u32,
    /// Least saving of a clearing.
    pub min_clear: u32,
    /// One result at most.
    pub max_result: u32,
    /// The results of one step at most.
    pub max_step_results: u32,
    /// A checkpoint at most.
    pub max_checkpoint: u32,
    /// The overhead, as far as it is known, leaves no room for messages.
    pub exhausted: bool,
    /// The trigger depends on the pace of the run.
    pub starts_by_cost: bool,
}

impl Budget {
    /// The budget of a model whose overhead and ratio are as learnt. `extends`: for a prompt that extends the last reported one.
    /// Without a pace, work that starts by cost starts where it may at the earliest.
    pub fn new(settings: &Settings, calibration: &Calibration, extends: bool, pace: Option<Pace>) -> Budget {
        let Line { overhead_tokens, ratio } = calibration.line_at(extends);
        let prompt_limit = settings.window_tokens - settings.reserve_tokens;
        let unknown = if settings.has_given_overhead { 0.0 } else { calibration.unknown_overhead(settings.window_tokens, prompt_limit) };
        let smallest = settings.window_tokens * SMALLEST_SHARE;
        let provider = (prompt_limit - overhead_tokens - unknown).max(smallest);
        let units = |provider_tokens: f64| (provider_tokens / ratio).min(f64::from(u32::MAX / 4)) as u32;
        // What was reported is exact; what was added since, or all of it when the prompt is a new one, is only estimated.
        // What is added may be like all that was learnt from rather than like what was reported.
        let least_doubt =
            (1.0 + if extends { LEAST_DOUBT_OF_ADDED_SHARE } else { LEAST_DOUBT_SHARE }) * (calibration.ratio / ratio).max(1.0) - 1.0;
        let doubt = calibration.doubt().max(least_doubt);
        let reported = if extends { ratio * calibration.anchor_estimated_tokens } else { 0.0 };
        let safe = units(((provider + doubt * reported) / (1.0 + doubt)).min(provider));
        let squeezed = units(provider * SQUEEZED_SHARE);
        let fit = units(provider * FIT_SHARE);
        // Who says where work starts has it start there.
        let (trigger, fit, squeeze_above) = match units(settings.trigger.tokens(provider)) {
            given if settings.has_own_trigger => (given, fit, fit),
            default => (default.min(safe), fit.min(safe.max(squeezed)), squeezed),
        };
        // A share and a number of tokens may cross once the budget is known; then work ends a little below where it starts.
        let target = units(settings.target.tokens(provider)).min(trigger - trigger / 8);
        let earliest = target + target / 8;
        let cheapest = |pace| (cheapest_trigger(settings.prices, f64::from(target), pace) as u32).max(earliest);
        let trigger = if settings.starts_by_cost { trigger.min(pace.map_or(earliest, cheapest)) } else { trigger };
        let tail_of_target = if settings.window_tokens <= SMALL_WINDOW_TOKENS { SMALL_TAIL_OF_TARGET } else { TAIL_OF_TARGET };
        let share_of = |given: Option<f64>, default: f64, share: f64| units(given.unwrap_or(default.min(share * provider)).min(provider));
        Budget {
            ratio,
            overhead_tokens,
            prompt_limit_tokens: prompt_limit.max(0.0) as u32,
            limit: units(provider),
            fit,
            squeeze_above,
            squeezed,
            trigger,
            target,
            ahead: match settings.summarize_ahead {
                None => trigger,
                Some(Mark::Share(0.0)) => trigger - trigger / AHEAD_PART,
                Some(mark) => units(mark.tokens(provider)).min(trigger),
            },
            summarize_at: units(settings.summarize_at.unwrap_or(Mark::Share(0.0)).tokens(provider)),
            keep_recent: match settings.keep_recent_tokens {
                Some(tokens) => units(tokens.min(provider)),
                None => units(TAIL_TOKENS.min(TAIL_SHARE * provider)).min((f64::from(target) * tail_of_target) as u32),
            },
            min_clear: share_of(settings.min_clear_tokens, MIN_CLEAR_TOKENS, MIN_CLEAR_SHARE).min((trigger - target) / 2 + 1),
            max_result: share_of(
                settings.max_result_tokens,
                f64::INFINITY,
                RESULT_SHARE.max(SMALL_RESULT_SHARE.min(RESULT_TOKENS / provider)),
            ),
            max_step_results: units(provider * STEP_RESULTS_SHARE),
            max_checkpoint: units((provider * CHECKPOINT_SHARE).min(CHECKPOINT_TOKENS))
                .min((f64::from(target) * CHECKPOINT_OF_TARGET) as u32),
            exhausted: prompt_limit - overhead_tokens < smallest,
            starts_by_cost: settings.starts_by_cost,
        }
    }

    /// The provider's likely count of a prompt whose messages are estimated at `estimated`.
    pub fn prompt_tokens(&self, estimated: u64) -> u32 {
        (self.overhead_tokens + self.ratio * estimated as f64).round() as u32
    }

    /// Whether such a prompt exceeds what it may have, by all that is known: what is only guessed of the overhead is no reason.
    pub fn is_over(&self, estimated: u64) -> bool {
        self.prompt_tokens(estimated) > self.prompt_limit_tokens
    }

    /// The same even if the estimate is as much too high as it can be.
    pub fn is_certainly_over(&self, estimated: u64) -> bool {
        self.is_over((estimated as f64 * (1.0 - OVERESTIMATE_SHARE)) as u64)
    }
}

/// How the run has gone, what a checkpoint stands for included. Half of its messages are the model's.
pub fn pace_of(draft: &Draft<'_>, estimated_raw: u64) -> Pace {
    let entries = draft.history.entries;
    let mut pace =
        Pace { steps: entries.iter().filter(|entry| entry.role() == Role::Assistant).count() as f64, added_tokens: estimated_raw as f64 };
    if let Some(checkpoint) = draft.checkpoint.as_ref().filter(|checkpoint| checkpoint.in_place) {
        pace.steps += f64::from(checkpoint.recorded.messages) / 2.0;
        pace.added_tokens += f64::from(checkpoint.recorded.folded_tokens);
    }
    pace
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Options;

    fn budget(reported_delta_tokens: f64, extends: bool) -> Budget {
        let summarize_ahead = Some(Mark::Share(0.0));
        let options = Options { context_window: Some(50_000.0), reserve_tokens: Some(0.0), summarize_ahead, ..Options::default() };
        let mut calibration = Calibration::new(1.0, 0.0);
        calibration.estimated_delta_tokens = reported_delta_tokens;
        (calibration.anchor_reported_tokens, calibration.anchor_estimated_tokens, calibration.is_reported) = (40_000.0, 40_000.0, true);
        Budget::new(&Settings::new(&options, "", ""), &calibration, extends, None)
    }

    #[test]
    fn an_estimate_that_nothing_confirms_leaves_more_room() {
        let (new, known) = (budget(0.0, false), budget(1e6, false));
        assert_eq!((new.limit, known.limit), (50_000, 50_000));
        assert!(new.trigger < 35_000, "{new:?}");
        assert!(known.trigger > 43_000, "{known:?}");
    }

    #[test]
    fn what_is_only_guessed_of_the_overhead_is_room_to_plan_with_and_no_reason_to_call_a_prompt_too_large() {
        let options = Options { context_window: Some(10_000.0), reserve_tokens: Some(6_500.0), ..Options::default() };
        let guessed = Budget::new(&Settings::new(&options, "", ""), &Calibration::new(1.0, 0.0), false, None);
        assert_eq!((guessed.limit, guessed.prompt_limit_tokens, guessed.exhausted), (1_000, 3_500, false));
        assert!(!guessed.is_over(3_500) && guessed.is_over(3_501) && !guessed.is_certainly_over(4_375) && guessed.is_certainly_over(4_400));
        let told = Budget::new(&Settings::new(&options, "", ""), &Calibration::new(1.0, 2_600.0), false, None);
        assert!(told.exhausted && !told.is_over(900) && told.is_over(901));
    }

    #[test]
    fn a_summary_asked_ahead_of_time_has_some_steps_before_one_waits_for_it() {
        // Squeezing aims so low that a step that waited there would wait as soon as the summary is begun.
        let known = budget(1e6, true);
        assert!(known.ahead + known.limit / 8 < known.fit, "{known:?}");
    }

    #[test]
    fn what_was_reported_needs_no_room_and_what_was_added_does() {
        let extended = budget(0.0, true);
        // 40,000 are exact; the rest may come out 1.45 times as large.
        assert!((46_500..47_000).contains(&extended.trigger), "{extended:?}");
    }
}
