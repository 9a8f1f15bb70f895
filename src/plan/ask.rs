//! What the summarizer is asked about a fold, and how far it can read at once.
//! Not its words: those are in `texts::summary`. Not when it is asked: that is for the ladder to say.

use crate::fingerprint::Chain;
use crate::plan::budget::Budget;
use crate::plan::checkpoint::{canonical, record};
use crate::plan::draft::Draft;
use crate::plan::{PlanInput, SummaryRequest};
use crate::policy::ladder::{SPAN_FACTS_TOKENS, SPAN_SHARE};
use crate::texts::checkpoint::facts_text;
use crate::texts::summary::{RESULT_TOKENS, SummaryPrompt, TEXT_TOKENS};

/// How far the summarizer is asked about a fold up to `whole`. A part that saves nothing would not be folded, and be asked for again at
/// every step: then it is asked about all, of which its prompt leaves out what it has no room for.
pub fn asked_end(draft: &Draft<'_>, budget: &Budget, whole: usize) -> usize {
    let part = part_end(draft, budget, whole);
    let saves = part == whole || draft.would_save(record(draft, budget, part, None), part);
    if saves { part } else { whole }
}

/// How far a summarizer can read at once: the last cut up to `end` that its prompt has room for, else the end.
///
/// Only where a restored state finds the part's end again: one behind messages that say nothing would be found before them.
fn part_end(draft: &Draft<'_>, budget: &Budget, end: usize) -> usize {
    let history = draft.history;
    let mut room = i64::from(span_tokens(budget));
    let mut from = draft.start();
    let mut fitting = None;
    for cut in draft.fold_ends().take_while(|cut| *cut <= end) {
        let most = |place| draft.part_tokens(place).min(if history.part(place).name.is_empty() { TEXT_TOKENS } else { RESULT_TOKENS });
        room -= history.places(from, cut).map(|place| i64::from(most(place)) + 8).sum::<i64>();
        if room < 0 {
            break;
        }
        from = cut;
        fitting = Some(cut);
    }
    fitting.and_then(|cut| canonical(draft, cut, end)).unwrap_or(end)
}

fn span_tokens(budget: &Budget) -> u32 {
    (f64::from(budget.limit) * SPAN_SHARE) as u32
}

pub fn summary_request(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget, end: usize) -> SummaryRequest {
    let messages: Vec<_> = (draft.start()..end).filter_map(|index| input.source.message(index)).collect();
    let after: Vec<_> = (end..draft.history.entries.len()).filter_map(|index| input.source.message(index)).collect();
    let recorded = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded);
    let previous = recorded.and_then(|recorded| recorded.summary.clone());
    let facts = recorded.map_or(String::new(), |recorded| facts_text(recorded, SPAN_FACTS_TOKENS));
    let user_messages: Vec<String> = recorded.iter().flat_map(|recorded| &recorded.record.users).map(|asked| asked.text.clone()).collect();
    let chain = draft.history.boundary(end).1;
    let fence = Chain { first: chain.second, ..chain }.short_id();
    let prompt = SummaryPrompt {
        fence: &fence,
        messages: &messages,
        after: &after,
        request: recorded.map(|recorded| recorded.record.request.as_str()),
        user_messages: &user_messages,
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
