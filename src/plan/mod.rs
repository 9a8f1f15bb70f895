//! The ladder: decides what to change so that the list fits. Pure: the same input gives the same plan.
//! Knows nothing about JavaScript, wording or how tokens are counted. Every rung yields edits; nothing acts by itself.

pub mod ahead;
mod ask;
pub mod budget;
mod cap;
mod checkpoint;
mod clear;
mod composition;
mod draft;
mod edit;
mod hold;
mod level;
mod outcome;
mod over;
mod preview;
mod squeeze;

pub use budget::Budget;
use budget::pace_of;
pub use draft::Source;
pub use edit::{Edit, PartChange};
pub use hold::{covering, tail_checkpoint};
pub use outcome::{Done, DroppedReasoning, OverBudget, Plan, ResultChange, StandDown, SummaryRequest};

use serde::Deserialize;

use crate::entry::Entry;
use crate::history::History;
use crate::message::Role;
use crate::policy::checkpoint::CHECKPOINTS_KEPT;
use crate::policy::ladder::{COMPACT_TAIL_PART, MOST_DECISIONS, NEAR_TARGET_SHARE};
use crate::settings::{Options, Settings};
use crate::state::{Checkpoint, FoldState, Prefix};
use crate::texts::verdict::{Standard, fault};
use crate::tokens::calibration::Calibration;
use crate::tokens::saturate;
use ahead::{Ahead, Answer, Fate};
use ask::{part_end, summary_request};
use clear::{ClearRules, clear, tail_start};
use draft::{Draft, Saving};
use preview::{Terms, preview, sent_tokens};

/// What a plan is made from.
pub struct PlanInput<'a> {
    /// The list, measured.
    pub entries: &'a [Entry],
    /// The way back to its text.
    pub source: &'a dyn Source,
    /// The model's numbers.
    pub settings: &'a Settings,
    /// What is not a number.
    pub options: &'a Options,
    /// What was decided before.
    pub state: &'a FoldState,
    /// What was learnt of the model.
    pub calibration: &'a Calibration,
    /// The list, held, is the last reported prompt plus additions.
    pub extends: bool,
    /// What became of the summary.
    pub summary: Summary<'a>,
    /// What the plan is for.
    pub mode: PlanMode,
    /// Index from which on nothing is folded or cut: messages that the SDK must find again as they are.
    pub keep_from: usize,
    /// What only some plans are asked.
    pub extra: Extra<'a>,
}

/// What only some plans are asked.
#[derive(Clone, Copy, Default)]
pub struct Extra<'a> {
    /// What the summary is to look at, said by the user for this plan alone.
    pub focus: Option<&'a str>,
    /// What the app says of its own state, as JSON; put into a checkpoint.
    pub working: Option<&'a str>,
    /// Summaries that were asked ahead of time, for this conversation or others.
    pub ahead: &'a [Ahead],
    /// Another may be asked ahead of time.
    pub asks_ahead: bool,
    /// The provider edits prompts itself: so many tokens, as it counts, it takes out of this one; infinite while nobody knows.
    pub provider_clears: Option<f64>,
}

/// What a plan is for, and how far up the ladder it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanMode {
    /// A step: the whole ladder, as the budget asks for it.
    All,
    /// The same, and a table that says what becomes of each message.
    Preview,
    /// Clear everything before the tail, whatever the budget.
    Clear,
    /// Fold everything before the tail, whatever the budget.
    Checkpoint,
    /// The same now and for good: the summarizer is asked, and of a short conversation too no more than a quarter is tail.
    Compact,
}

/// What became of the summary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Summary<'a> {
    /// It was not asked for yet.
    NotAsked,
    /// The summarizer's text.
    Given(&'a str),
    /// There is none: the digest takes its place.
    Unavailable,
}

/// Decides what to change.
pub fn plan(input: &PlanInput<'_>) -> Plan {
    let history = History::new(input.entries, input.state);
    let mut draft = held(&history, input);
    let estimated_raw = input.entries.iter().map(|entry| u64::from(entry.tokens())).sum();
    let estimated_before = draft.total();
    let thoughts_before = draft.left_out_thoughts();
    let wants_preview = input.mode == PlanMode::Preview;
    let before = if wants_preview { sent_tokens(&draft) } else { Vec::new() };
    let pace = pace_of(&draft, estimated_raw);
    let mut budget = Budget::new(input.settings, input.calibration, input.extends, Some(pace));
    if input.mode == PlanMode::Compact && input.settings.keep_recent_tokens.is_none() {
        budget.keep_recent = budget.keep_recent.min(saturate(estimated_before / COMPACT_TAIL_PART));
    }
    let mut done = Vec::new();
    let mut ahead = None;
    let summary_request = match input.mode {
        PlanMode::All | PlanMode::Preview | PlanMode::Compact => decide(input, &mut draft, &budget, &mut done, &mut ahead),
        PlanMode::Clear | PlanMode::Checkpoint => {
            single_rung(input, &mut draft, &budget, &mut done);
            None
        }
    };
    done.extend(dropped_reasoning(&draft, thoughts_before));
    let mut state = next_state(input.state, &history, &draft);
    if input.mode == PlanMode::Compact && state.thoughts != input.state.thoughts {
        // The run may be in the middle of a step: its next thought is made with what was sent before.
        state.thoughts = Prefix::ALL;
    }
    // Of a span that is summarized in parts, what is folded already stays folded.
    let asks = summary_request.as_ref().is_some_and(|asked| asked.ahead.is_none());
    // What waits is not sent: it is planned again.
    if matches!(input.mode, PlanMode::All | PlanMode::Preview | PlanMode::Compact) && !asks && !matches!(ahead, Some((_, Fate::Due))) {
        done.extend(over::over_budget(&draft, &budget, input.extra.provider_clears));
    }
    let waits = asks && !done.iter().any(|done| matches!(done, Done::Folded { .. }));
    if waits || matches!(ahead, Some((_, Fate::Due))) {
        // Nothing is done before the answer is there: what is sent to the summarizer is what was sent last.
        draft = held(&history, input);
        state = input.state.clone();
    }
    let summary_tokens = if input.settings.has_summarizer { input.settings.summary_tokens } else { 0 };
    let terms = Terms { budget: &budget, prices: input.settings.prices, summary_tokens, steps: pace.steps };
    let preview = wants_preview.then(|| preview(&draft, &before, estimated_before, &terms));
    Plan {
        edits: draft.edits(),
        preview,
        ahead,
        state,
        done,
        estimated_raw,
        estimated_before,
        estimated_after: draft.total(),
        budget,
        summary_request,
    }
}

/// Which reasoning is not sent any more, if there is any.
fn dropped_reasoning(draft: &Draft<'_>, before: usize) -> Option<Done> {
    if draft.has_foreign_state() && before > 0 {
        return Some(Done::DroppedReasoning { parts: before, reason: DroppedReasoning::HistoryChanged });
    }
    let parts = draft.left_out_thoughts().checked_sub(before).filter(|parts| *parts > 0)?;
    Some(Done::DroppedReasoning { parts, reason: DroppedReasoning::Edit })
}

/// The list with what was decided before.
fn held<'a>(history: &'a History<'a>, input: &PlanInput<'a>) -> Draft<'a> {
    let mut draft = Draft::new(history, input.source, input.settings.thinking);
    draft.working = input.extra.working;
    draft.protected_tools = &input.options.protected_tools;
    hold::hold(&mut draft);
    draft
}

fn decide(
    input: &PlanInput<'_>,
    draft: &mut Draft<'_>,
    budget: &Budget,
    done: &mut Vec<Done>,
    ahead: &mut Option<(usize, Fate)>,
) -> Option<SummaryRequest> {
    let history = draft.history;
    if input.entries.iter().any(Entry::has_native_compaction) {
        done.push(Done::StoodDown { because: StandDown::Compaction });
        return None;
    }
    if input.extra.provider_clears.is_some() {
        done.push(Done::StoodDown { because: StandDown::AppliedEdits });
        return None;
    }
    let savings = cap::cap(draft, budget, first_new(input.state, history));
    let capped = changes_of(draft, budget, savings);
    if !capped.is_empty() {
        done.push(Done::Capped { results: capped });
    }
    let compacts = input.mode == PlanMode::Compact;
    let mut summary = input.summary;
    if let Some((index, answer, end)) = ahead::find(draft, input.extra.ahead, keep_cut(history, input.keep_from)) {
        let fate = match answer {
            Answer::Pending if draft.total() > u64::from(budget.fit) => Fate::Due,
            Answer::Pending => Fate::Pending,
            Answer::Given(text)
                if is_good(input, draft, budget, end, text, done) && fold(draft, budget, end, Summary::Given(text), done) =>
            {
                Fate::Used
            }
            Answer::Given(_) | Answer::Failed => Fate::Failed,
        };
        *ahead = Some((index, fate));
        match fate {
            Fate::Pending | Fate::Due => return None,
            // No summarizer is asked twice about a span.
            Fate::Failed => summary = Summary::Unavailable,
            Fate::Used => {}
        }
    }
    // A summary is an answer to what was begun above the trigger: a span that is summarized in parts is folded to its end.
    if draft.total() <= u64::from(budget.trigger) && input.summary == Summary::NotAsked && !compacts {
        return if summary == Summary::NotAsked { ahead::ask(input, draft, budget) } else { None };
    }
    let rules = rules_for(input, draft, budget, budget.target);
    let mut breaks_already = false;
    if draft.decision_count() < MOST_DECISIONS && !compacts {
        let savings = clear(draft, &rules);
        let cleared = changes_of(draft, budget, savings);
        if !cleared.is_empty() {
            // The cache is broken anyway: folding what little there is spares a break that would come a few steps later. A summary
            // is not worth that little.
            breaks_already = !input.settings.has_summarizer;
            done.push(Done::Cleared { results: cleared });
        }
    }
    // Clearing may have made room in the tail.
    let tail = tail_start(draft, budget, input.settings).min(keep_cut(history, input.keep_from));
    let (near_target, target) = if compacts { (0, 0) } else { (near_target(budget), budget.target) };
    // A checkpoint can come out larger than was reckoned with; then the fold goes on until the target is met or nothing is left.
    while draft.total() > near_target
        && let Some(whole) = checkpoint::fold_end(draft, budget, tail, target)
        && (compacts || breaks_already || pays(draft, budget, input.keep_from, whole))
    {
        let asks = input.settings.has_summarizer
            && (compacts || draft.total() >= u64::from(budget.summarize_at))
            && draft.would_save(checkpoint::record(draft, budget, whole, None), whole);
        let end = if asks && summary != Summary::Unavailable { part_end(draft, budget, whole) } else { whole };
        if asks && summary == Summary::NotAsked {
            return Some(summary_request(input, draft, budget, end));
        }
        if let Summary::Given(text) = summary
            && !is_good(input, draft, budget, end, text, done)
        {
            summary = Summary::Unavailable;
            continue;
        }
        // Further parts of a long span are asked for; what else goes beyond what was asked stands in the digest.
        let next = if end < whole { Summary::NotAsked } else { Summary::Unavailable };
        let summary = std::mem::replace(&mut summary, next);
        // A summary that saves nothing gives way to the digest.
        if !fold(draft, budget, end, summary, done) && !fold(draft, budget, end, Summary::Unavailable, done) {
            break;
        }
    }
    if draft.total() > u64::from(budget.squeeze_above) {
        let before = draft.clone();
        let squeezed = squeeze::squeeze(draft, budget, input.keep_from);
        let (results, folded) = (changes_of(draft, budget, squeezed.parts), squeezed.folded);
        // What breaks the cache anyway may be shrunk on; for that alone squeezing must be worth an edit.
        let breaks = done.iter().any(|done| matches!(done, Done::Cleared { .. } | Done::Folded { .. }));
        if breaks || squeeze::pays(&before, draft, budget, input.keep_from) {
            if folded || !results.is_empty() {
                done.push(Done::Squeezed { results, folded });
            }
        } else {
            *draft = before;
        }
    }
    None
}

/// Whether a summarizer's text can stand for everything up to `end`; when it cannot, says why.
fn is_good(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget, end: usize, text: &str, done: &mut Vec<Done>) -> bool {
    let asked = summary_request(input, draft, budget, end);
    let standard = Standard {
        shown: &(asked.instruction + &asked.span),
        fence: &asked.fence,
        replaced_tokens: draft.span_tokens(draft.start(), end),
        summary_tokens: asked.max_output_tokens,
    };
    let fault = fault(text, &standard);
    done.extend(fault.map(|reason| Done::Rejected { reason }));
    fault.is_none()
}

/// What may be cleared, down to `target`.
fn rules_for<'a>(input: &PlanInput<'a>, draft: &Draft<'_>, budget: &Budget, target: u32) -> ClearRules<'a> {
    ClearRules {
        tail: tail_start(draft, budget, input.settings).min(keep_cut(draft.history, input.keep_from)),
        protected_tools: &input.options.protected_tools,
        target,
        min_saving: budget.min_clear,
        gist_tokens: budget.gist,
    }
}

/// Above this, clearing is not enough.
fn near_target(budget: &Budget) -> u64 {
    u64::from(budget.target) + (f64::from(budget.trigger - budget.target) * NEAR_TARGET_SHARE) as u64
}

/// One rung on its own, for users who build their own ladder.
fn single_rung(input: &PlanInput<'_>, draft: &mut Draft<'_>, budget: &Budget, done: &mut Vec<Done>) {
    if input.entries.iter().any(Entry::has_native_compaction) {
        done.push(Done::StoodDown { because: StandDown::Compaction });
        return;
    }
    let rules = ClearRules { min_saving: 1, ..rules_for(input, draft, budget, 0) };
    let tail = rules.tail;
    if input.mode == PlanMode::Clear {
        let savings = clear(draft, &rules);
        done.push(Done::Cleared { results: changes_of(draft, budget, savings) });
    } else if let Some(end) = checkpoint::fold_end(draft, budget, tail, 0) {
        fold(draft, budget, end, input.summary, done);
    }
}

/// Folds everything up to `end`, with the summary if there is one. Says whether it did.
fn fold(draft: &mut Draft<'_>, budget: &Budget, end: usize, summary: Summary<'_>, done: &mut Vec<Done>) -> bool {
    let summary = match summary {
        Summary::Given(text) => Some(text),
        Summary::NotAsked | Summary::Unavailable => None,
    };
    let messages = end - draft.start();
    let recorded = checkpoint::record(draft, budget, end, summary);
    let id = recorded.id();
    if !draft.try_fold(recorded, end) {
        return false;
    }
    done.push(Done::Folded {
        id,
        messages,
        checkpoint_tokens: provider_tokens(budget, draft.checkpoint_tokens()),
        summarized: summary.is_some(),
    });
    clear_head(draft, budget, done);
    true
}

/// Clears the results that the checkpoint keeps behind it only for the sake of the thought before their call.
fn clear_head(draft: &mut Draft<'_>, budget: &Budget, done: &mut Vec<Done>) {
    let tail = draft.head().end;
    let rules = ClearRules { tail, protected_tools: draft.protected_tools, target: 0, min_saving: 1, gist_tokens: budget.gist };
    let savings = clear(draft, &rules);
    let results = changes_of(draft, budget, savings);
    if !results.is_empty() {
        done.push(Done::Cleared { results });
    }
}

/// Whether a fold up to `end` saves enough to pay for the cache it invalidates. When the prompt would not fit otherwise, it does; not when
/// what cannot give way is too large already.
fn pays(draft: &Draft<'_>, budget: &Budget, keep_from: usize, end: usize) -> bool {
    let costs = checkpoint::carried_tokens(draft, end) + u64::from(budget.max_checkpoint / 2);
    draft.span_tokens(draft.start(), end).saturating_sub(costs) >= u64::from(budget.min_clear)
        || squeeze::must_shrink(draft, budget, keep_from)
}

/// First message that was not sent before. What the model has answered was, also where the state was kept before it did.
fn first_new(state: &FoldState, history: &History<'_>) -> usize {
    let answered = history.entries.iter().rposition(|entry| entry.role() == Role::Assistant).unwrap_or_default();
    match history.end_of(state.known_parts, state.known) {
        Some(end) if state.known_parts > 0 => end.max(answered),
        end => end.unwrap_or_else(|| history.start()),
    }
}

/// The last unit that starts at or before `keep_from`.
fn keep_cut(history: &History<'_>, keep_from: usize) -> usize {
    history.unit_starts(0).rfind(|cut| *cut <= keep_from).unwrap_or(keep_from)
}

/// What became of the parts that a rung changed.
fn changes_of(draft: &Draft<'_>, budget: &Budget, savings: Vec<Saving>) -> Vec<ResultChange> {
    let history = draft.history;
    let changed = savings.into_iter().filter(|(place, _)| place.message >= draft.start() || draft.head().contains(&place.message)).map(
        |(place, saved)| {
            let part = history.part(place);
            let after = draft.part_tokens(place);
            ResultChange {
                tool: part.name.clone(),
                call_id: part.id.clone(),
                message_index: place.message,
                tokens_before: provider_tokens(budget, after + saved),
                tokens_after: provider_tokens(budget, after),
            }
        },
    );
    changed.collect()
}

fn provider_tokens(budget: &Budget, estimated: u32) -> u32 {
    saturate((f64::from(estimated) * budget.ratio).round() as u64)
}

fn next_state(before: &FoldState, history: &History<'_>, draft: &Draft<'_>) -> FoldState {
    let (known_parts, known) = history.boundary(history.entries.len());
    let mut checkpoints: Vec<Checkpoint> = Vec::new();
    if let Some(current) = &draft.checkpoint {
        checkpoints.extend(
            before
                .checkpoints
                .iter()
                .filter(|older| {
                    older.parts < current.recorded.parts
                        && (history.own_checkpoint.is_some() || history.find_boundary(older.parts, older.chain).is_some())
                })
                .cloned(),
        );
        checkpoints.push(current.recorded.clone());
        let surplus = checkpoints.len().saturating_sub(CHECKPOINTS_KEPT);
        // The one that the list begins with stays: without it the list could not be read any more.
        let kept = usize::from(history.own_checkpoint.is_some_and(|own| checkpoints[0].chain == own.chain));
        checkpoints.drain(kept..kept + surplus);
    }
    FoldState {
        checkpoints,
        decisions: draft.decisions(),
        thoughts: draft.thoughts(),
        known_parts,
        known,
        calibration: before.calibration.clone(),
    }
}
