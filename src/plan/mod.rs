//! Decides what to change so that the list fits. Pure: the same input gives the same plan.
//! Knows nothing about JavaScript, wording or how tokens are counted. The order of the rungs is in `ladder`; nothing acts by itself.

pub mod ahead;
mod attempt;
mod behind;
pub mod budget;
mod cap;
mod changes;
mod checkpoint;
mod clear;
mod covered;
mod draft;
mod due;
mod edit;
mod excerpts;
mod files;
mod fold;
mod hold;
mod images;
mod input;
mod ladder;
mod lasting;
mod lost;
mod outcome;
mod over;
pub mod pins;
mod preview;
mod squeeze;
mod summary_request;

pub use behind::{Behind, Picked, PickedOption};
pub use budget::Budget;
pub use covered::suffices;
pub use draft::{DigestGiven, DigestRequest, Source};
pub use edit::{Edit, PartChange};
pub use files::ResultFile;
pub use hold::{covering, tail_checkpoint};
pub use images::Held;
pub use input::{Ahead, Answer, DroppedReasoning, Extra, Offloads, PlanInput, PlanMode, RequestedSpan, StandDown, Summary};
pub use outcome::{AheadOutcome, CutBecause, Difference, DifferenceKind, Done, OverBudget, Plan, ResultChange, SummaryRequest};

use crate::model::fingerprint::Fingerprint;
use crate::model::history::History;
use crate::policy::checkpoint::CHECKPOINTS_KEPT;
use crate::state::{Checkpoint, FoldState, MOST_PUT_IN, Outline, Prefix};
use attempt::{Attempt, attempt};
use draft::{Draft, read_digests};
use hold::held;
pub use preview::Preview;
use preview::{Terms, preview, sent_tokens};

/// Decides what to change.
pub fn plan(input: &PlanInput<'_>) -> Plan {
    let history = History::new(input.entries, input.state);
    let digests = read_digests(input.extra.digests);
    let mut draft = held(&history, input);
    draft.digests = Some(&digests);
    let estimated_raw = draft.unedited_tokens();
    let estimated_before = draft.total();
    let start_before = draft.start();
    let thoughts_before = if input.extra.sent_all_thoughts { 0 } else { draft.left_out_thoughts() };
    if input.extra.loses_thoughts.is_some() {
        draft.lose_all_thoughts();
    }
    let thoughts_held = draft.thoughts();
    let wants_preview = input.mode == PlanMode::Preview;
    let before = if wants_preview { sent_tokens(&draft) } else { Vec::new() };
    let mut done: Vec<Done> = lost::lost_checkpoint(&draft, input.state).into_iter().collect();
    let Attempt { mut draft, budget, done: climbed, summary_request, ahead, pinned, steps } = attempt(input, &draft);
    done.extend(climbed);
    done.extend(pins::released(pinned, &pins::tools(&draft)));
    done.extend(dropped_reasoning(&draft, thoughts_before, input.extra.loses_thoughts));
    let mut state = next_state(input.state, &history, &draft);
    if matches!(input.mode, PlanMode::Compact | PlanMode::Prune) && !state.decides_as(input.state) {
        // The run may be in the middle of a step: its next thought is made with what was sent before, though nothing is seen of it yet.
        state.thoughts = Prefix::ALL;
    }
    let asks = summary_request.as_ref().is_some_and(|request| request.ahead.is_none());
    // What waits is not sent: it is planned again.
    if !matches!(input.mode, PlanMode::Clear | PlanMode::Checkpoint | PlanMode::Prune)
        && !asks
        && !matches!(ahead, Some((_, AheadOutcome::Due)))
    {
        done.extend(over::over_budget(&draft, &budget, input.extra.stands_down));
    }
    let wanted = draft.wanted_digests();
    if asks || matches!(ahead, Some((_, AheadOutcome::Due))) {
        // Nothing is done before the answer is there: what is sent to the summarizer is what was sent last.
        draft = held(&history, input);
        state = FoldState { thoughts: thoughts_held, ..input.state.clone() };
    }
    let summary_tokens = if input.settings.has_summarizer { input.settings.summary_tokens } else { 0 };
    let is_over = done.iter().any(|done| matches!(done, Done::OverBudget { .. }));
    let terms = Terms { budget: &budget, prices: input.settings.planning_prices(), summary_tokens, steps, is_over };
    let preview = wants_preview.then(|| preview(&draft, &before, estimated_before, &terms));
    Plan {
        files: match input.extra.offloads {
            Offloads::None => Vec::new(),
            Offloads::New => files::files(&draft, start_before, false),
            Offloads::All => files::files(&draft, history.lead, true),
        },
        named_file: files::named_file(&draft),
        digests: wanted,
        covered: draft.covered(),
        covered_entries: covered::covered_entries(&draft, &state),
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

/// What a request holds of images and files with what was decided before.
pub fn media_sent(input: &PlanInput<'_>) -> Held {
    Held::by(&held(&History::new(input.entries, input.state), input))
}

/// Which reasoning is not sent any more, if there is any.
fn dropped_reasoning(draft: &Draft<'_>, before: usize, because: Option<DroppedReasoning>) -> Option<Done> {
    if draft.has_foreign_state() && before > 0 {
        return Some(Done::DroppedReasoning { parts: before, reason: DroppedReasoning::HistoryChanged });
    }
    let parts = draft.left_out_thoughts().checked_sub(before).filter(|parts| *parts > 0)?;
    Some(Done::DroppedReasoning { parts, reason: because.unwrap_or(DroppedReasoning::Edit) })
}

/// The messages that somebody has put in so far, as far as they are remembered.
fn put_in(before: &FoldState, history: &History<'_>) -> Vec<Fingerprint> {
    let mut known = before.put_in.clone();
    for message in history.carrying().iter().filter(|message| history.is_put_in(**message)) {
        for fingerprint in history.entries[*message].parts.iter().map(|part| part.fingerprint).filter(|fingerprint| *fingerprint != 0) {
            if !known.contains(&fingerprint) {
                known.push(fingerprint);
            }
        }
    }
    known.drain(..known.len().saturating_sub(MOST_PUT_IN));
    known
}

fn next_state(before: &FoldState, history: &History<'_>, draft: &Draft<'_>) -> FoldState {
    let (planned_parts, planned_chain) = history.boundary(history.entries.len());
    let mut checkpoints: Vec<Checkpoint> = Vec::new();
    if let Some(current) = &draft.checkpoint {
        checkpoints.extend(
            before
                .checkpoints
                .iter()
                .filter(|older| {
                    older.parts < current.recorded.parts && (history.own_checkpoint.is_some() || history.find_checkpoint(older).is_some())
                })
                .map(|older| Checkpoint { outline: Outline { prefix: older.outline.prefix, prints: Vec::new() }, ..older.clone() }),
        );
        checkpoints.push(current.recorded.clone());
        let surplus = checkpoints.len().saturating_sub(CHECKPOINTS_KEPT);
        // The one that the list begins with stays: without it the list could not be read any more.
        let kept = usize::from(history.own_checkpoint.is_some_and(|own| checkpoints[0].chain == own.chain));
        checkpoints.drain(kept..kept + surplus);
    }
    if draft.checkpoint.is_none() && !draft.reads_all() {
        // They stand again where the block is taken out, and one that the list begins with is recognized by its marker.
        let is_there = |checkpoint: &&Checkpoint| {
            history.own_checkpoint.is_some_and(|own| own.chain == checkpoint.chain) || history.find_checkpoint(checkpoint).is_some()
        };
        checkpoints = before.checkpoints.iter().filter(is_there).cloned().collect();
    }
    FoldState {
        checkpoints,
        decisions: draft.decisions(),
        directories: draft.named_directories(),
        thoughts: draft.thoughts(),
        planned_parts,
        planned_chain,
        planned_wording: draft.wording(planned_parts),
        calibration: before.calibration.clone(),
        put_in: put_in(before, history),
        side_by_side: draft.keeps_neighbours() && draft.checkpoint.is_some(),
    }
}
