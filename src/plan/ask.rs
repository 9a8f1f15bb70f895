//! What the summarizer is asked about a fold, and how far it can read at once.
//! Not its words: those are in `texts::summary`. Not when it is asked: that is for the ladder to say.

use crate::fingerprint::Chain;
use crate::plan::budget::Budget;
use crate::plan::draft::Draft;
use crate::plan::{PlanInput, SummaryRequest};
use crate::policy::ladder::SPAN_SHARE;
use crate::texts::checkpoint::facts_text;
use crate::texts::summary::{RESULT_TOKENS, SummaryPrompt, TEXT_TOKENS};

/// Tokens of the facts before the span in an update.
const FACTS_TOKENS: u32 = 1_000;

/// How far a summarizer can read at once: the last cut up to `end` that its prompt has room for, else the end.
///
/// Only where a restored state finds the part's end again: behind messages that say nothing it would be asked for without end.
pub fn part_end(draft: &Draft<'_>, budget: &Budget, end: usize) -> usize {
    let history = draft.history;
    let mut room = i64::from(span_tokens(budget));
    let mut from = draft.start();
    let known_parts = history.boundary(from).0;
    let mut fitting = None;
    for cut in draft.fold_ends().take_while(|cut| *cut <= end) {
        let most = |place| draft.part_tokens(place).min(if history.part(place).name.is_empty() { TEXT_TOKENS } else { RESULT_TOKENS });
        room -= history.places(from, cut).map(|place| i64::from(most(place)) + 8).sum::<i64>();
        if room < 0 {
            break;
        }
        from = cut;
        if history.boundary(cut).0 > known_parts {
            fitting = Some(cut);
        }
    }
    fitting.unwrap_or(end)
}

fn span_tokens(budget: &Budget) -> u32 {
    (f64::from(budget.limit) * SPAN_SHARE) as u32
}

pub fn summary_request(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget, end: usize) -> SummaryRequest {
    let messages: Vec<_> = (draft.start()..end).filter_map(|index| input.source.message(index)).collect();
    let after: Vec<_> = (end..draft.history.entries.len()).filter_map(|index| input.source.message(index)).collect();
    let recorded = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded);
    let previous = recorded.and_then(|recorded| recorded.summary.clone());
    let facts = recorded.map_or(String::new(), |recorded| facts_text(&recorded.facts, FACTS_TOKENS));
    let chain = draft.history.boundary(end).1;
    let fence = Chain { first: chain.second, ..chain }.short_id();
    let prompt = SummaryPrompt {
        fence: &fence,
        messages: &messages,
        after: &after,
        request: recorded.map(|recorded| recorded.request.as_str()),
        user_messages: recorded.map_or(&[], |recorded| recorded.user_messages.as_slice()),
        facts: &facts,
        previous: previous.as_deref(),
        instructions: input.options.summary_instructions.as_deref(),
        focus: input.extra.focus,
        summary_tokens: input.settings.summary_tokens,
        span_tokens: span_tokens(budget),
    };
    let span = prompt.span();
    SummaryRequest {
        prompt: prompt.text(&span),
        instruction: prompt.instruction(),
        span,
        previous_summary: previous.clone(),
        max_output_tokens: input.settings.summary_tokens,
        start: draft.start(),
        end,
        fence,
        ahead: None,
    }
}
