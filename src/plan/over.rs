//! Whether what a plan sends exceeds what a prompt may have, and what makes that so. Looks at what is sent, after all rungs: what the
//! budget left room for, and what a rung began with, are no reasons.

use crate::plan::budget::Budget;
use crate::plan::draft::Draft;
use crate::plan::input::StandDown;
use crate::plan::outcome::{Done, OverBudget};

/// Says that the draft, as it is sent, is over the limit; not where the provider adds to it what nobody here has seen.
pub fn over_budget(draft: &Draft<'_>, budget: &Budget, stands_down: Option<StandDown>) -> Option<Done> {
    let history = draft.history;
    let cleared = match stands_down {
        Some(StandDown::HistoryElsewhere { .. }) => return None,
        Some(StandDown::AppliedEdits { cleared_tokens }) => cleared_tokens,
        None => 0.0,
    };
    let estimated = draft.total().saturating_sub((cleared / budget.ratio) as u64);
    if !budget.is_over(estimated) {
        return None;
    }
    let tokens = |index: &usize| draft.span_tokens(*index, index + 1);
    let others = draft.block().chain(draft.head()).chain(draft.carried_messages()).chain(draft.start()..history.entries.len());
    let largest = others.max_by_key(tokens);
    // The system prompt may stand among the messages, or beside them.
    let (overhead, system) = ((budget.overhead_tokens / budget.ratio) as u64, (0..history.lead).max_by_key(tokens));
    let fills = budget.exhausted || overhead + draft.span_tokens(0, history.lead) > largest.as_ref().map_or(0, tokens);
    let (reason, message_index) = match largest {
        _ if stands_down.is_some() => (OverBudget::NativeCompaction, None),
        _ if fills => (OverBudget::Overhead, system.filter(|index| tokens(index) > overhead)),
        Some(index) if draft.holds_block(index) => (OverBudget::NativeCompaction, largest),
        _ => (OverBudget::Message, largest),
    };
    Some(Done::OverBudget { reason, message_index, tokens: budget.prompt_tokens(estimated), certain: budget.is_refused(estimated) })
}
