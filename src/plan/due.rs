//! Whether a rung is due, and with which numbers. Not the order of the rungs (`ladder`), and not what they do.

use crate::plan::budget::Budget;
use crate::plan::checkpoint;
use crate::plan::clear::{ClearRules, tail_start};
use crate::plan::draft::Draft;
use crate::plan::input::PlanInput;
use crate::plan::squeeze;
use crate::policy::ladder::NEAR_TARGET_SHARE;

/// What may be cleared, down to `target`.
pub fn rules_for(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget, target: u32) -> ClearRules {
    ClearRules {
        tail: tail_start(draft, budget, input.settings).min(draft.history.last_cut(input.keep_from)),
        spares_kept: true,
        target,
        min_saving: budget.min_clear,
        keeps: true,
    }
}

/// Above this, clearing is not enough.
pub fn near_target(budget: &Budget) -> u64 {
    above(budget.target, budget)
}

/// The same for another target.
pub fn above(target: u32, budget: &Budget) -> u64 {
    u64::from(target) + (f64::from(budget.trigger.saturating_sub(target)) * NEAR_TARGET_SHARE) as u64
}

/// Whether a fold up to `end` saves enough to pay for the cache it invalidates. When the prompt would not fit otherwise, it does; not when
/// what cannot give way is too large already.
pub fn pays(draft: &Draft<'_>, budget: &Budget, keep_from: usize, end: usize) -> bool {
    let costs = checkpoint::carried_tokens(draft, end) + u64::from(budget.max_checkpoint / 2);
    let (folding, carried) = (draft.folding_tokens(end), |end: usize| checkpoint::carried_tokens(draft, end));
    // What is carried along anew is not saved.
    let saves = || folding > carried(end).saturating_sub(carried(draft.start()));
    folding.saturating_sub(costs) >= u64::from(budget.min_clear) || saves() && squeeze::must_shrink(draft, budget, keep_from)
}
