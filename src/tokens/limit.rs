//! A window that turned out smaller than believed: learnt from a refusal, a reply that was cut, or a prompt that was cut silently.
//! Holds for a while only, so that a mended provider is noticed. Arithmetic on a plain value; what follows for a plan is in `plan::budget`.

use serde::{Deserialize, Serialize};

use crate::overflow::Refusal;
use crate::policy::overflow::{LIMIT_STEPS, REPLY_FACTOR, RUN_COUNTS_AS_STEPS, UNTOLD_SHARE};

/// What was learnt of a model's window; zero where nothing was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
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

    /// From a refusal of a prompt that likely had `likely_tokens`.
    pub fn of_refusal(refusal: &Refusal, likely_tokens: f64) -> Limit {
        let prompt = if refusal.prompt_tokens > 0.0 { refusal.prompt_tokens } else { likely_tokens };
        let told = refusal.window_tokens;
        Limit::of(if told > 0.0 { told } else { UNTOLD_SHARE * prompt }, refusal.reply_tokens)
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

    /// The provider took a prompt of so many tokens: a limit below is none any more.
    pub fn allow(&mut self, prompt_tokens: f64) {
        if prompt_tokens > self.window_tokens {
            *self = Limit::default();
        }
    }
}
