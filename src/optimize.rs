//! Where work starts and ends when the user does not say, by the window and by what the user wants most.
//! Each number is a point measured with bench/replay. Not here: what a budget makes of the marks (see `plan::budget`).

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::option::Mark;
use crate::prices::Prices;

/// What the user wants most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Optimize {
    /// Much recall for little cost.
    Balanced,
    /// The lowest bill.
    Cost,
    /// The most of what is referred to again.
    Recall,
}

impl Optimize {
    /// By the name that users write.
    pub(crate) fn from_name(name: &str) -> Result<Optimize, Error> {
        match name {
            "balanced" => Ok(Optimize::Balanced),
            "cost" => Ok(Optimize::Cost),
            "recall" => Ok(Optimize::Recall),
            _ => Err(Error::invalid_option(format!("`optimize` is \"{name}\"; allowed are balanced, cost, recall"))),
        }
    }
}

/// Where work starts and ends when the user does not say. Measured (bench/replay): the later and deeper the fewer edits. A large window
/// keeps what is referred to again also at a fifth and less; a small one loses a little of it, but there each further edit costs more than
/// what it keeps is worth. Starting late finds up to eight points more quoted lines than at 0.9 (64k); beyond 100,000 tokens it finds no
/// more, and 0.82 costs 2 to 6 % less than 0.9. In the smallest windows a deep edit has no room for what must be kept.
///
/// For cost a large window is not filled: what a step sends is what it costs; with less than 7,000 tokens left the request is cut.
/// For recall less goes at each edit, from 32k on about half: there one to two points more of what only results said, for 17 to 36 % more
/// cost and a third to a half as many edits again. In smaller windows many small edits lose more than they keep.
pub(crate) fn default_marks(window_tokens: f64, optimize: Optimize) -> (Mark, Mark) {
    let (trigger, target) = match (optimize, window_tokens) {
        (Optimize::Cost, ..=24_000.0) => (0.9, 0.12),
        (Optimize::Cost, _) => return (Mark::Share(0.9), Mark::Tokens(7_000.0)),
        (Optimize::Recall, ..=12_000.0) => (0.97, 0.45),
        (Optimize::Recall, ..=24_000.0) => (0.97, 0.33),
        (Optimize::Recall, ..=48_000.0) => (0.97, 0.6),
        (Optimize::Recall, ..=100_000.0) => (0.97, 0.5),
        (Optimize::Recall, _) => (0.97, 0.6),
        (_, ..=12_000.0) => (0.9, 0.45),
        (_, ..=24_000.0) => (0.97, 0.24),
        (_, ..=48_000.0) => (0.97, 0.37),
        (_, ..=100_000.0) => (0.95, 0.21),
        (_, ..=160_000.0) => (0.82, 0.21),
        _ => (0.82, 0.13),
    };
    (Mark::Share(trigger), Mark::Share(target))
}

/// How a run has gone so far.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Steps of the model. As many again are to be expected: of what is under way nothing else is known.
    pub steps: f64,
    /// Tokens that they added, before any edit.
    pub added_tokens: f64,
}

/// Where work must start to cost least when it ends at `target` tokens.
///
/// A prompt that grows from the target to the trigger is read on every step, half of what it grew on average, and what is left of it
/// is written anew at its end: the sum is least when the growth is the root of 2 × rewriting × target × what a step adds. With Claude's
/// prices, 8,000 tokens left and 1,000 a step, that is 21,500. And no edit is worth it that the steps to come do not pay back.
pub(crate) fn cheapest_trigger(prices: Prices, target: f64, pace: Pace) -> f64 {
    let steps = pace.steps.max(1.0);
    let rewritten = prices.rewrite() * target;
    target + (2.0 * rewritten * pace.added_tokens / steps).sqrt().max(rewritten / steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_most_decides_how_deep_edits_go() {
        for window in [16_000.0, 32_000.0, 64_000.0, 128_000.0, 1e6] {
            let target = |name: &str| default_marks(window, Optimize::from_name(name).unwrap()).1.tokens(window);
            assert!(target("cost") < target("balanced") && target("balanced") < target("recall"), "{window}");
        }
        assert!(Optimize::from_name("speed").unwrap_err().to_string().contains("allowed are balanced, cost, recall"));
    }

    #[test]
    fn what_is_cheap_to_write_anew_is_edited_early_and_what_soon_ends_is_not() {
        let trigger = |cache_read: f64, steps: f64| {
            let prices = Prices { cache_read, cache_write: 1.25, output: 5.0 };
            cheapest_trigger(prices, 8_000.0, Pace { steps, added_tokens: 1_000.0 * steps }).round()
        };
        assert_eq!(trigger(0.1, 100.0), 21_565.0);
        assert_eq!(trigger(0.1, 4.0), 31_000.0);
        assert!(trigger(1.0, 100.0) < 11_000.0);
        assert_eq!(trigger(1.25, 100.0), 8_000.0);
        assert_eq!(trigger(0.0, 100.0), f64::INFINITY);
    }
}
