//! Summaries requested ahead of time: begun at a lower threshold while the agent goes on, used once they are there.
//! Says which span would be summarized and recognises it again; asking and waiting is for JavaScript.

use crate::plan::budget::Budget;
use crate::plan::checkpoint;
use crate::plan::clear::clear;
use crate::plan::draft::Draft;
use crate::plan::due::{near_target, pays, rules_for};
use crate::plan::hold::held;
use crate::plan::input::{Ahead, Answer, PlanInput};
use crate::plan::outcome::SummaryRequest;
use crate::plan::summary_request::{Part, summary_request, words_beside_summary};

/// Names the span from what is folded already up to `end`: the same span of the same conversation has the same name.
pub fn key(draft: &Draft<'_>, end: usize) -> String {
    let base = draft.checkpoint.as_ref().map(|checkpoint| checkpoint.recorded.id()).unwrap_or_default();
    base + &draft.history.boundary(end).1.short_id()
}

/// The first of these whose span is still there, and where that ends.
pub fn find<'a>(draft: &Draft<'_>, requests: &'a [Ahead], latest_end: usize) -> Option<(usize, &'a Answer, usize)> {
    let ends = || draft.fold_ends().take_while(|end| *end <= latest_end);
    requests
        .iter()
        .enumerate()
        .find_map(|(index, ahead)| ends().find(|end| key(draft, *end) == ahead.key).map(|end| (index, &ahead.answer, end)))
}

/// What to ask ahead of time: of the fold that is due at the trigger, if clearing will not be enough then.
pub fn ask(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget) -> Option<SummaryRequest> {
    if !input.extra.asks_ahead || !input.settings.has_summarizer || draft.total() <= u64::from(budget.ahead) {
        return None;
    }
    let missing = u64::from(budget.trigger).saturating_sub(draft.total());
    let mut trial = held(draft.history, input);
    let rules = rules_for(input, &trial, budget, budget.target.saturating_sub(missing as u32));
    clear(&mut trial, &rules);
    let tail = rules_for(input, &trial, budget, 0).tail;
    let whole = checkpoint::fold_end(&trial, tail, budget.target, checkpoint::expected_tokens(budget))
        .filter(|whole| trial.total() + missing > near_target(budget) && pays(&trial, budget, input.keep_from, *whole))?;
    let kept = words_beside_summary(input, &trial, budget, whole)?;
    let part = Part { start: draft.start(), whole, number: 1, previous: None, kept: Some(&kept) };
    let request = summary_request(input, draft, budget, &part);
    // A part that saves nothing would not be folded, and be asked for again at every step.
    let end = request.end;
    let saves = end == whole || trial.would_save(checkpoint::record(&trial, budget, end, None), end, 0);
    saves.then(|| SummaryRequest { ahead: Some(key(draft, end)), ..request })
}
