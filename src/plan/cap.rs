//! Rung 1, cap: cuts a result too large for the budget to head and tail when it is first seen, before it was ever sent,
//! so that the cut never moves the cached prefix. Never looks at results that were sent already.

use crate::history::Place;
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::level::level_that_fits;
use crate::plan::pins::is_pinned;
use crate::policy::ladder::SMALLEST_CAP_TOKENS;
use crate::state::Action;

/// Caps results in messages from `first_new` on. Returns what was capped.
pub fn cap(draft: &mut Draft<'_>, budget: &Budget, first_new: usize) -> Vec<Saving> {
    let history = draft.history;
    let mut capped = Vec::new();
    let mut from = first_new.max(draft.start());
    while from < history.entries.len() {
        let end = history.unit_starts(from + 1).next().unwrap_or(history.entries.len());
        let results: Vec<Place> =
            history.places(from, end).filter(|place| is_replaceable_result(history, *place) && !is_pinned(draft, *place)).collect();
        let cap_tokens = step_cap(draft, budget, &results);
        let whole_tokens = if cap_tokens < budget.max_result { cap_tokens } else { budget.whole_result.max(cap_tokens) };
        for place in results {
            if draft.part_tokens(place) > whole_tokens {
                let saved = draft.apply(place, Action::Cap { tokens: cap_tokens });
                capped.extend((saved > 0).then_some((place, saved)));
            }
        }
        from = end;
    }
    capped
}

/// The most tokens each result of a step may have: the cap of one result, less when parallel results are a giant together.
fn step_cap(draft: &Draft<'_>, budget: &Budget, results: &[Place]) -> u32 {
    let single = budget.max_result.max(SMALLEST_CAP_TOKENS);
    let sizes: Vec<u32> = results.iter().map(|place| draft.part_tokens(*place).min(single)).collect();
    level_that_fits(&sizes, u64::from(budget.max_step_results)).clamp(SMALLEST_CAP_TOKENS, single)
}
