//! Rung 1, cap: cuts a result too large for the budget to head and tail when it is first seen, before it was ever sent,
//! so that the cut never moves the cached prefix. Never looks at results that were sent already.

use crate::history::{History, Place};
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, is_replaceable_result};
use crate::state::Action;

/// No result is cut below this.
const SMALLEST_CAP_TOKENS: u32 = 200;

/// Caps results in messages from `first_new` on. Returns what was capped.
pub fn cap(draft: &mut Draft<'_>, budget: &Budget, first_new: usize) -> Vec<Place> {
    let history = draft.history;
    let mut capped = Vec::new();
    let mut from = first_new.max(draft.start());
    while from < history.entries.len() {
        let end = history.unit_starts(from + 1).next().unwrap_or(history.entries.len());
        let results: Vec<Place> = history.places(from, end).filter(|place| is_replaceable_result(history, *place)).collect();
        let cap_tokens = step_cap(draft, history, budget, &results);
        for place in results {
            if draft.part_tokens(place) > cap_tokens && draft.apply(place, Action::Cap { tokens: cap_tokens }) > 0 {
                capped.push(place);
            }
        }
        from = end;
    }
    capped
}

/// The most tokens each result of a step may have: the cap of one result, less when parallel results are a giant together.
fn step_cap(draft: &Draft<'_>, history: &History<'_>, budget: &Budget, results: &[Place]) -> u32 {
    let single = budget.max_result.max(SMALLEST_CAP_TOKENS);
    let mut sizes: Vec<u32> = results.iter().map(|place| draft.part_tokens(*place).min(single)).collect();
    debug_assert!(results.iter().all(|place| place.message < history.entries.len()));
    if sizes.iter().map(|size| u64::from(*size)).sum::<u64>() <= u64::from(budget.max_step_results) {
        return single;
    }
    // The largest cap under which the step fits: small results keep all they have, the large ones share the rest.
    sizes.sort_unstable();
    let mut room = budget.max_step_results;
    for (index, size) in sizes.iter().enumerate() {
        let share = room / (sizes.len() - index) as u32;
        if *size > share {
            return share.max(SMALLEST_CAP_TOKENS);
        }
        room -= size;
    }
    single
}
