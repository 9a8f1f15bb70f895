//! What a model turned out to be, beside what its id says: a smaller window, thoughts that it binds, an option that it refuses. Learnt in
//! one run, and good for every other with this model. Plain values; what follows for a plan is in `settings::numbers`.

use serde::{Deserialize, Serialize};

use crate::policy::overflow::{LIMIT_STEPS, REPLY_FACTOR, RUN_COUNTS_AS_STEPS, UNREPORTED_SHARE, UNREPORTED_SHARE_OF_LEAP};
use crate::providers::media::MediaLimit;
use crate::providers::overflow::Overflow;

/// What was learnt of a model; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Traits {
    /// A window smaller than believed.
    pub limit: Limit,
    /// What its host lets a request hold.
    pub media: MediaLimit,
    /// It binds its thoughts to what stands before them, whatever its id says.
    pub binds_thoughts: bool,
    /// Its provider refuses to be asked to leave out thoughts whose prefix has changed.
    pub refuses_binding: bool,
}

impl Traits {
    /// What other runs may adopt; `None` when nothing was learnt.
    pub fn learnt(self) -> Option<Traits> {
        (self != Traits::default()).then_some(self)
    }

    /// Believes what another run has learnt; of the window only while nothing was learnt of it here.
    pub fn adopt(&mut self, other: &Traits) {
        if self.limit.window_tokens == 0.0 && other.limit.is_sound() {
            self.limit = other.limit;
        }
        self.media = self.media.and(other.media);
        self.binds_thoughts |= other.binds_thoughts;
        self.refuses_binding |= other.refuses_binding;
    }
}

/// How a calibration is stored: without what states did not hold at first, which `state::added` does.
pub mod stored {
    use super::{Limit, MediaLimit, Traits};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    pub fn serialize<S: Serializer>(traits: &Traits, serializer: S) -> Result<S::Ok, S::Error> {
        (traits.limit, traits.binds_thoughts, traits.refuses_binding).serialize(serializer)
    }

    /// Reads it.
    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Traits, D::Error> {
        let (limit, binds_thoughts, refuses_binding) = <(Limit, bool, bool)>::deserialize(deserializer)?;
        Ok(Traits { limit, media: MediaLimit::default(), binds_thoughts, refuses_binding })
    }
}

/// A window that turned out smaller than believed, by a refusal, a reply that was cut, or a prompt that was cut silently; zero where none
/// did. Holds for a while only, so that a provider that was fixed is noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limit {
    /// Tokens the model takes.
    pub window_tokens: f64,
    /// Tokens that a reply was seen to need.
    pub reply_tokens: f64,
    /// Steps for which this is believed.
    pub steps: u32,
}

impl Limit {
    /// Whether it can be calculated with; state from outside may hold anything.
    pub fn is_sound(&self) -> bool {
        [self.window_tokens, self.reply_tokens].iter().all(|tokens| tokens.is_finite() && (0.0..1e9).contains(tokens))
            && self.steps <= LIMIT_STEPS
    }

    /// From a refusal of a prompt that likely had `likely_tokens`, after one of `taken_tokens` was taken; zero where none was.
    pub fn of_overflow(overflow: &Overflow, likely_tokens: f64, taken_tokens: f64) -> Limit {
        let prompt = if overflow.prompt_tokens > 0.0 { overflow.prompt_tokens } else { likely_tokens };
        let reported = overflow.window_tokens;
        let most = UNREPORTED_SHARE * prompt;
        let unreported = if taken_tokens > 0.0 { taken_tokens.max(UNREPORTED_SHARE_OF_LEAP * prompt).min(most) } else { most };
        Limit::of(if reported > 0.0 { reported } else { unreported }, overflow.reply_tokens)
    }

    /// From a reply that ended because the window was full.
    pub fn of_full_window(prompt_tokens: f64, output_tokens: f64) -> Limit {
        Limit::of(prompt_tokens + output_tokens, REPLY_FACTOR * output_tokens)
    }

    /// The provider takes no more than this.
    pub fn of(window_tokens: f64, reply_tokens: f64) -> Limit {
        Limit { window_tokens, reply_tokens, steps: LIMIT_STEPS }
    }

    /// One more step.
    pub fn age(&mut self) {
        self.age_by(1);
    }

    /// A new run: a session may rest for days between two.
    pub fn age_by_run(&mut self) {
        self.age_by(RUN_COUNTS_AS_STEPS);
    }

    fn age_by(&mut self, steps: u32) {
        self.steps = self.steps.saturating_sub(steps);
        if self.steps == 0 {
            *self = Limit::default();
        }
    }

    /// The provider took a prompt of this many tokens: a limit below is none any more.
    pub fn allow(&mut self, prompt_tokens: f64) {
        if prompt_tokens > self.window_tokens {
            *self = Limit::default();
        }
    }
}
