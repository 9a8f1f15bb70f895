//! What a run learns of a window that is smaller than believed: from refusals, from replies that were cut because the window was full, and
//! from prompts that the provider cut without a word. What follows for a plan is in `plan::budget`.

use super::{ProviderEdits, Run, Usage};
use crate::overflow::Refusal;
use crate::policy::overflow::{ADDITIONS_ALONE, GROWTH_TOKENS, LEAST_SHARE_OF_LAST};
use crate::tokens::limit::Limit;

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
    pub fn refused(&mut self, refusal: &Refusal, unsent: f64) -> f64 {
        let estimated = if self.started { self.sent_estimated } else { unsent };
        self.calibration.refused(refusal, estimated)
    }

    /// A reply ended because the window was full: prompt and reply together are the window. Says whether it did.
    pub fn learn_full_window(&mut self, usage: &Usage, prompt_tokens: f64) -> bool {
        let is_full = usage.fills_window() && prompt_tokens > 0.0;
        if is_full {
            self.calibration.limit = Limit::of_full_window(prompt_tokens, usage.output.max(0.0));
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
        // Where cached tokens are not told apart, a report may leave them out.
        let is_whole = !usage.told_apart.is_nan() || !(usage.cache_read > 0.0 || usage.cache_write > 0.0);
        let additions = calibration.ratio * grown;
        let is_cut = reported <= last && reported >= LEAST_SHARE_OF_LAST * last && reported > ADDITIONS_ALONE * additions;
        (goes_on && !is_edited && is_whole && is_cut).then(|| Truncation {
            reported_tokens: reported,
            expected_tokens: calibration.line_at(true).tokens(self.sent_estimated),
            window_tokens: last,
        })
    }

    /// Takes that in: what was reported is no count of the prompt.
    pub fn truncated(&mut self, truncation: &Truncation) {
        self.calibration.limit = Limit::of(truncation.window_tokens, 0.0);
        self.forget_sent();
    }
}
