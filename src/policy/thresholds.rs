//! Where work starts and ends when the user does not say: one formula for each mode, monotone in the room that the
//! window leaves for messages: one token more never keeps less.
//! Each corner was measured (bench/replay) on one half of the recorded sessions and judged on the other. Not here: what a budget makes of
//! the thresholds (see `plan::budget`).

use super::between;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::providers::prices::Prices;

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
    pub fn from_name(name: &str) -> Result<Optimize, Error> {
        match name {
            "balanced" => Ok(Optimize::Balanced),
            "cost" => Ok(Optimize::Cost),
            "recall" => Ok(Optimize::Recall),
            _ => Err(Error::invalid_option(format!("`optimize` is \"{name}\"; allowed are balanced, cost, recall"))),
        }
    }
}

/// Tokens at rooms, between which a line runs straight. The room is what the window leaves for messages.
type Line = [(f64, f64)];

/// Work starts above this. In small rooms late: up to eight points more quoted lines are found than at 0.9 (64k). From about 100,000 tokens on
/// starting late finds no more, and costs 2 to 6 % more.
const BALANCED_TRIGGER: &Line = &[(85_000.0, 81_600.0), (115_000.0, 94_300.0)];
/// Work ends at or below this. The later and deeper, the fewer edits; but a deep edit throws away what would have fitted. Measured in a window of
/// 32k beside 11,000 of 25,000: three points more of the judge's facts and two of what only results said, for 3 points more of the untouched
/// cost; 15,000 finds two more, for 3 more (bench/agents, bench/replay). Beside 19,500 of 53,000 and 30,000 of 115,000, which recordings of coding
/// agents found enough: at 64k two points more of the judge's facts and four of what answers said, for 5 points of the cost; at 128k four and
/// seven of what only results and answers said, for 9. 60,000 of 115,000
/// finds no more, for 4. The last corner is not measured: no recording is that long.
const BALANCED_TARGET: &Line = &[
    (5_000.0, 2_200.0),
    (9_000.0, 4_100.0),
    (25_000.0, 13_000.0),
    (53_000.0, 26_000.0),
    (115_000.0, 50_000.0),
    (190_000.0, 76_000.0),
    (1_000_000.0, 250_000.0),
];
/// For recall less goes at each edit, in larger rooms about half: there one to two points more of what only results said, for 17 to 36 %
/// more cost and a third to a half as many edits again. In smaller rooms many small edits lose more than they keep.
const RECALL_TRIGGER: f64 = 0.97;
const RECALL_TARGET: &Line = &[(5_000.0, 2_600.0), (9_000.0, 5_200.0), (25_000.0, 15_000.0), (117_000.0, 68_000.0)];
/// For cost a large window is not filled: what a step sends is what it costs. With less than 7,000 tokens left the request is cut; a small
/// room has no place for them. Where work starts depends on prices and pace (`cheapest_trigger`), at the latest here.
const COST_TRIGGER: f64 = 0.9;
const COST_TARGET: &Line = &[(4_000.0, 300.0), (9_000.0, 1_100.0), (25_000.0, 7_000.0)];

/// Where work starts at the latest, in a room of this many tokens, when the user does not say.
pub fn default_trigger(optimize: Optimize, room: f64) -> f64 {
    match optimize {
        Optimize::Balanced => on(BALANCED_TRIGGER, room),
        Optimize::Recall => RECALL_TRIGGER * room,
        Optimize::Cost => COST_TRIGGER * room,
    }
}

/// Where work ends, in a room of this many tokens, when the user does not say.
pub fn default_target(optimize: Optimize, room: f64) -> f64 {
    match optimize {
        Optimize::Balanced => on(BALANCED_TARGET, room),
        Optimize::Recall => on(RECALL_TARGET, room),
        Optimize::Cost => between(COST_TARGET, room).min(room),
    }
}

/// A line, read at a room; before its first corner and behind its last, the same share of the room as there.
fn on(line: &Line, room: f64) -> f64 {
    match (line.first(), line.last()) {
        (Some((first, tokens)), _) if room < *first => tokens / first * room,
        (_, Some((last, tokens))) if room > *last => tokens / last * room,
        _ => between(line, room),
    }
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
pub fn cheapest_trigger(prices: Prices, target: f64, pace: Pace) -> f64 {
    let steps = pace.steps.max(1.0);
    let rewritten = prices.rewrite() * target;
    target + (2.0 * rewritten * pace.added_tokens / steps).sqrt().max(rewritten / steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_most_decides_how_deep_edits_go() {
        for room in [2_000.0, 5_000.0, 9_000.0, 25_000.0, 53_000.0, 117_000.0, 1e6] {
            let target = |name: &str| default_target(Optimize::from_name(name).unwrap(), room);
            assert!(target("cost") < target("balanced") && target("balanced") < target("recall"), "{room}");
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
