//! How many tokens there are, and where work starts and ends. All in the engine's estimated tokens, so that rungs only add and compare.
//! Not a count: what the messages cost is in the draft.

use crate::model::entry::Entry;
use crate::plan::draft::Draft;
use crate::plan::lasting::Lasting;
use crate::policy::checkpoint::{ACTS, REQUEST, SUMMARY_SHARE, USERS};
use crate::policy::ladder::{AHEAD_PART, CROWDED_CHECKPOINT_TOKENS, MARGIN_PART, NEW_RESULTS_PART, SMALLEST_CAP_TOKENS};
use crate::policy::room::{
    self, CHECKPOINT_OF_TARGET, FIT_SHARE, GAP_SHARE, LASTING_PART, LEAST_SAVING_OF_GAP, LEAST_UNCERTAINTY_OF_ADDED_SHARE,
    LEAST_UNCERTAINTY_SHARE, OTHER_KIND_SHARE, OVERESTIMATE_SHARE, SILENT_SHARE, SILENT_STEPS, SILENT_TOKENS, SMALLEST_SHARE,
    SQUEEZED_SHARE,
};
use crate::policy::{Optimize, Pace, cheapest_trigger, default_target, default_trigger};
use crate::settings::{Settings, Threshold};
use crate::tokens::calibration::{Calibration, Line};
use crate::tokens::saturate;

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
    /// Up to this, new results stay whole.
    pub whole: u32,
    /// A prompt of more than this is refused; nothing where nobody knows what the model takes.
    refused_above: Option<f64>,
    /// Above this, work starts.
    pub trigger: u32,
    /// At or below this, work ends.
    pub target: u32,
    /// Above this, a summary is requested ahead of time; at most the trigger, which means never.
    pub ahead: u32,
    /// Where clearing leaves this much or more, a checkpoint requests a summary.
    pub summarize_at: u32,
    /// The tail.
    pub keep_recent: u32,
    /// What an edit saves at least, and room for the next steps.
    pub min_clear: u32,
    /// Least saving of a clearing: what the user says, whatever the way from target to trigger.
    pub least_clear: u32,
    /// One result at most, where the user says so.
    pub max_result: Option<u32>,
    /// More than this of new results stands beside the target.
    pub large_result: u32,
    /// What each token of a new result may count beyond what a list that is made anew leaves room for.
    new_uncertainty: f64,
    /// A checkpoint at most.
    pub max_checkpoint: u32,
    /// What messages may take for certain: without any guess about the overhead.
    pub certain_limit: u32,
    /// What an edit must save in all the room that is known.
    worth: u32,
    /// The overhead, as far as it is known, leaves no room for messages.
    pub exhausted: bool,
    /// The trigger depends on the pace of the run.
    pub starts_by_cost: bool,
}

impl Budget {
    /// The budget of a model whose overhead and ratio are as learnt. `extends`: for a prompt that extends the last reported one.
    /// Without a pace, work that starts by cost starts where it may at the earliest.
    pub fn new(settings: &Settings, calibration: &Calibration, extends: bool, pace: Option<Pace>) -> Budget {
        let settings = &settings.with(&calibration.traits);
        let Line { overhead_tokens, ratio } = calibration.line_at(extends);
        let prompt_limit = settings.window_tokens - settings.reserve_tokens;
        let unknown = if settings.has_given_overhead { 0.0 } else { calibration.unknown_overhead(settings.window_tokens) };
        let smallest = settings.window_tokens * SMALLEST_SHARE;
        let provider = (prompt_limit - overhead_tokens - unknown).max(smallest);
        let estimated = |provider_tokens: f64| (provider_tokens / ratio).min(f64::from(u32::MAX / 4));
        let units = |provider_tokens: f64| estimated(provider_tokens) as u32;
        let safe = safe_room(provider, calibration, extends, ratio);
        let squeezed = units(provider * SQUEEZED_SHARE);
        let fit = units(provider * FIT_SHARE);
        // A trigger that the user gives holds as it is.
        let (trigger, fit, squeeze_above) = match settings.trigger {
            Some(given) => (estimated(given.tokens(provider)), fit, fit),
            None => (estimated(default_trigger(settings.optimize, provider).min(safe)), fit.min(units(safe).max(squeezed)), squeezed),
        };
        // A share and a number of tokens may cross once the budget is known; then work ends a little below where it starts.
        let target = match settings.target {
            Some(given) => given.tokens(provider),
            None => default_target(settings.optimize, provider),
        };
        let target = estimated(target).min(trigger * (1.0 - GAP_SHARE));
        // Without reports work starts early, and would end close to where it starts.
        let silent = pace.filter(|_| calibration.is_silent && settings.target.is_none());
        let target = silent.map_or(target, |pace| {
            target.min((trigger - SILENT_STEPS * pace.added_tokens / pace.steps.max(1.0)).max(target * SILENT_SHARE).max(SILENT_TOKENS))
        });
        let starts_by_cost = settings.optimize == Optimize::Cost && settings.trigger.is_none();
        let earliest = target * (1.0 + GAP_SHARE);
        let cheapest = |pace| cheapest_trigger(settings.planning_prices(), target, pace).max(earliest);
        let trigger = if starts_by_cost { trigger.min(pace.map_or(earliest, cheapest)) } else { trigger };
        // Not the difference of the rounded numbers, which can fall by one when both rise.
        let half_gap = (((trigger - target) * LEAST_SAVING_OF_GAP) as u32).saturating_add(1);
        let (trigger, target) = (trigger as u32, target as u32);
        let given_or = |given: Option<f64>, default: f64| units(given.unwrap_or(default).min(provider));
        let wanted = given_or(settings.min_clear_tokens, room::least_saving(provider));
        let min_clear = wanted.min(half_gap);
        let of_target = |share: f64| (f64::from(target) * share) as u32;
        Budget {
            ratio,
            overhead_tokens,
            prompt_limit_tokens: prompt_limit.max(0.0) as u32,
            limit: units(provider),
            fit,
            squeeze_above,
            squeezed,
            whole: units(provider * FIT_SHARE).max(squeeze_above),
            refused_above: Some(settings.window_tokens).filter(|_| settings.window_known),
            trigger,
            target,
            ahead: match settings.summarize_ahead {
                None => trigger,
                Some(Threshold::Share(0.0)) => trigger - trigger / AHEAD_PART,
                Some(threshold) => units(threshold.tokens(provider)).min(trigger),
            },
            summarize_at: units(settings.summarize_at.unwrap_or(Threshold::Share(0.0)).tokens(provider)),
            keep_recent: match settings.keep_recent_tokens {
                Some(tokens) => units(tokens.min(provider)),
                None => units(room::tail(provider)).min(of_target(room::tail_of_target(provider))),
            },
            min_clear,
            least_clear: if settings.min_clear_tokens.is_some() { wanted } else { min_clear },
            max_result: settings.max_result_tokens.map(|tokens| units(tokens.min(provider)).max(SMALLEST_CAP_TOKENS)),
            new_uncertainty: (other_kind(calibration, ratio) - 1.0 / SQUEEZED_SHARE).max(0.0) * SQUEEZED_SHARE,
            // What a step brings is in the pace.
            large_result: if silent.is_some() { u32::MAX } else { units(room::large_result(provider)) },
            max_checkpoint: units(room::checkpoint(provider)).min(of_target(CHECKPOINT_OF_TARGET)),
            certain_limit: units((prompt_limit - overhead_tokens).max(smallest)),
            worth: given_or(settings.min_clear_tokens, room::least_saving(prompt_limit - overhead_tokens)),
            exhausted: prompt_limit - overhead_tokens < smallest,
            starts_by_cost,
        }
    }

    /// The same where so many tokens cannot give way, media above all. Where they leave less than a checkpoint and the least saving, edits
    /// would come at every step or two, for crumbs: then some of the margin goes to the rest, what is only guessed of the overhead is no
    /// reason to edit, and a checkpoint takes no more than half of what is left, if only the request, whose tokens `request_tokens` counts, has
    /// its room.
    pub fn beside(mut self, fixed_tokens: u64, request_tokens: impl FnOnce() -> u32) -> Budget {
        let fixed = saturate(fixed_tokens);
        let beside = |saving: u32| fixed.saturating_add(self.max_checkpoint / 2).saturating_add(saving);
        if beside(self.min_clear) <= self.fit {
            return self;
        }
        self.fit = self.fit.max(beside(self.worth).min(self.certain_fit()));
        self.limit = self.limit.max(self.fit);
        let rest = self.fit.saturating_sub(fixed);
        let request = (f64::from(request_tokens()) / REQUEST.most) as u32;
        self.max_checkpoint = self.max_checkpoint.min((rest / 2).max(request.saturating_add(CROWDED_CHECKPOINT_TOKENS)));
        self.min_clear = self.min_clear.max(self.worth.min(rest / 2));
        self.least_clear = self.least_clear.max(self.min_clear);
        self
    }

    /// What new results that cannot fit may have together, whatever else gives way for it.
    pub fn new_results(&self) -> u64 {
        u64::from(self.squeeze_above / NEW_RESULTS_PART)
    }

    /// What messages may take for certain, less a margin.
    pub fn certain_fit(&self) -> u32 {
        self.certain_limit - self.certain_limit / MARGIN_PART
    }

    /// What must stay free because these tokens of new results may count more than the run's texts so far.
    pub fn uncertainty_of_new(&self, tokens: u64) -> u32 {
        (self.new_uncertainty * tokens.min(u64::from(self.squeeze_above)) as f64) as u32
    }

    /// The same where the words of the user and what was done take more than their share of a checkpoint: it may be larger by what they take
    /// beyond that, each up to a part of the room, and work ends as much higher. A summary takes nothing of it from them.
    pub fn with_lasting(mut self, lasting: Lasting, has_summary: bool) -> Budget {
        let most = self.limit / LASTING_PART;
        let shared = f64::from(self.max_checkpoint) * if has_summary { 1.0 - SUMMARY_SHARE } else { 1.0 };
        let beyond = |tokens: u64, share: f64| saturate(tokens.saturating_sub((shared * share) as u64)).min(most);
        let wanted = beyond(lasting.words, USERS.most / 2.0).saturating_add(beyond(lasting.acts, ACTS.most / 2.0));
        let highest = (f64::from(self.trigger) * (1.0 - GAP_SHARE)) as u32;
        let extra = wanted.min(highest.saturating_sub(self.target));
        self.target += extra;
        self.max_checkpoint = self.max_checkpoint.saturating_add(extra);
        self
    }

    /// The provider's likely count of a prompt whose messages are estimated at `estimated`.
    pub fn prompt_tokens(&self, estimated: u64) -> u32 {
        (self.overhead_tokens + self.ratio * estimated as f64).round() as u32
    }

    /// Whether such a prompt exceeds what it may have, for certain: a guess about the overhead is no reason.
    pub fn is_over(&self, estimated: u64) -> bool {
        self.prompt_tokens(estimated) > self.prompt_limit_tokens
    }

    /// Whether such a prompt is refused, for certain: it does not fit into the window even if the estimate is too high, and no reply would be left.
    pub fn is_refused(&self, estimated: u64) -> bool {
        let least = (estimated as f64 * (1.0 - OVERESTIMATE_SHARE)) as u64;
        self.refused_above.is_some_and(|window| f64::from(self.prompt_tokens(least)) > window)
    }

    /// The same even if the estimate is too high by the largest possible error.
    pub fn is_certainly_over(&self, estimated: u64) -> bool {
        self.is_over((estimated as f64 * (1.0 - OVERESTIMATE_SHARE)) as u64)
    }
}

/// The part of a room, in the provider's tokens, that an estimate may fill even if it is too low by the largest possible error.
fn safe_room(room: f64, calibration: &Calibration, extends: bool, ratio: f64) -> f64 {
    // The errors of many texts level out, those of one do not.
    let extends = extends && calibration.anchor_reported_tokens > 0.0;
    // What was reported is exact; what was added since, or all of it when the prompt is a new one, is only estimated.
    // What is added may be like all that was learnt from rather than like what was reported.
    let least_uncertainty = (1.0 + if extends { LEAST_UNCERTAINTY_OF_ADDED_SHARE } else { LEAST_UNCERTAINTY_SHARE })
        * (calibration.ratio / ratio).max(1.0)
        - 1.0;
    let other_kind = if extends { other_kind(calibration, ratio) - 1.0 } else { 0.0 };
    let uncertainty = calibration.uncertainty().max(least_uncertainty).max(other_kind);
    let reported = if extends { ratio * calibration.anchor_estimated_tokens } else { 0.0 };
    ((room + uncertainty * reported) / (1.0 + uncertainty)).min(room)
}

/// What a token of a text of another kind may count, in a run of this ratio.
fn other_kind(calibration: &Calibration, ratio: f64) -> f64 {
    calibration.prior_ratio / ratio * (1.0 + OTHER_KIND_SHARE)
}

/// How the run has gone, what a checkpoint stands for included. Half of its messages are the model's.
pub fn pace_of(draft: &Draft<'_>, estimated_raw: u64) -> Pace {
    let entries = draft.history.entries;
    let mut pace = Pace { steps: f64::from(entries.iter().map(Entry::answers).sum::<u32>()), added_tokens: estimated_raw as f64 };
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
        let summarize_ahead = Some(Threshold::Share(0.0));
        let options = Options { context_window: Some(50_000.0), reserve_tokens: Some(0.0), summarize_ahead, ..Options::default() };
        let mut calibration = Calibration::new(1.0, 0.0);
        calibration.estimated_delta_tokens = reported_delta_tokens;
        (calibration.anchor_reported_tokens, calibration.anchor_estimated_tokens, calibration.is_reported) = (40_000.0, 40_000.0, true);
        Budget::new(&Settings::new(&options, "", ""), &calibration, extends, None)
    }

    #[test]
    fn a_summary_takes_no_room_from_what_was_done() {
        let room = |has_summary| budget(1e6, true).with_lasting(Lasting { words: 0, acts: 3_000 }, has_summary).max_checkpoint;
        assert!(room(true) >= room(false) + 500, "{} {}", room(true), room(false));
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
        assert!(!guessed.is_refused(12_400) && guessed.is_refused(12_600), "the reply may be short, and the estimate too high");
        let unknown = Options { context_window: None, ..options.clone() };
        assert!(!Budget::new(&Settings::new(&unknown, "", ""), &Calibration::new(1.0, 0.0), false, None).is_refused(9_000_000));
        let given = Budget::new(&Settings::new(&options, "", ""), &Calibration::new(1.0, 2_600.0), false, None);
        assert!(given.exhausted && !given.is_over(900) && given.is_over(901));
    }

    #[test]
    fn a_summary_requested_ahead_of_time_has_some_steps_before_one_waits_for_it() {
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
