//! Whether what a plan sends exceeds what a prompt may have, and what makes that so. Looks at what is sent, after all rungs: what the
//! budget left room for, and what a rung began with, are no reasons.

use crate::model::entry::Entry;
use crate::plan::budget::Budget;
use crate::plan::draft::Draft;
use crate::plan::outcome::{Done, OverBudget};

/// Says that the draft, as it is sent, is over the limit. `provider_clears`: tokens that the provider itself took out of the last prompt.
pub fn over_budget(draft: &Draft<'_>, budget: &Budget, provider_clears: Option<f64>) -> Option<Done> {
    let history = draft.history;
    let entries = history.entries;
    let native = entries.iter().rposition(Entry::has_native_compaction);
    // Anthropic reads nothing before its block; OpenAI reads and bills everything.
    let estimated = match native {
        Some(native) if entries[native].compacts_all_before() => draft.span_tokens(native, entries.len()),
        _ => draft.total().saturating_sub((provider_clears.unwrap_or(0.0) / budget.ratio) as u64),
    };
    if !budget.is_over(estimated) {
        return None;
    }
    let (reason, message_index) = match native {
        Some(native) => (OverBudget::NativeCompaction, Some(native)),
        None if provider_clears.is_some() => (OverBudget::NativeCompaction, None),
        None if budget.exhausted => (OverBudget::Overhead, None),
        None => {
            let tokens = |index: &usize| draft.span_tokens(*index, index + 1);
            let overhead = (budget.overhead_tokens / budget.ratio) as u64;
            let largest = (draft.head()).chain(draft.start()..entries.len()).max_by_key(tokens);
            let system = (0..history.lead).max_by_key(tokens);
            // The system prompt may stand among the messages, or beside them.
            match overhead + draft.span_tokens(0, history.lead) > largest.as_ref().map_or(0, tokens) {
                true => (OverBudget::Overhead, system.filter(|index| tokens(index) > overhead)),
                false => (OverBudget::Message, largest),
            }
        }
    };
    Some(Done::OverBudget { reason, message_index, tokens: budget.prompt_tokens(estimated), certain: budget.is_certainly_over(estimated) })
}
