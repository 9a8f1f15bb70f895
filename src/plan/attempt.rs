//! A draft brought within its budget. What the user attached to the message that is being answered leaves, once the model has seen it, where the prompt fits no other way, and then
//! all else is planned anew: beside less of it more of the rest has room. What goes before that is up to the ladder.

use crate::model::history::Place;
use crate::plan::budget::{Budget, pace_of};
use crate::plan::changes::changes_of;
use crate::plan::draft::{Draft, Saving};
use crate::plan::input::{PlanInput, PlanMode};
use crate::plan::ladder::Ladder;
use crate::plan::outcome::{AheadOutcome, Done, SummaryRequest};
use crate::plan::{checkpoint, images, lasting, pins, squeeze};
use crate::policy::ladder::COMPACT_TAIL_PART;
use crate::state::Action;
use crate::tokens::saturate;

/// A draft that has climbed the ladder, and with what.
pub struct Attempt<'d> {
    /// The list as it would be sent.
    pub draft: Draft<'d>,
    /// The numbers it was decided with.
    pub budget: Budget,
    /// What was done.
    pub done: Vec<Done>,
    /// What is requested of the summarizer first.
    pub summary_request: Option<SummaryRequest>,
    /// See `Ladder`.
    pub ahead: Option<(usize, AheadOutcome)>,
    /// Tools whose results were pinned.
    pub pinned: Vec<String>,
    /// Steps of the run so far.
    pub steps: f64,
}

/// Brings a draft within its budget, as far as that is possible.
pub fn attempt<'d>(input: &PlanInput<'_>, draft: &Draft<'d>) -> Attempt<'d> {
    let is_one_rung = matches!(input.mode, PlanMode::Clear | PlanMode::Checkpoint | PlanMode::Prune);
    let mut less = draft.clone();
    // A request over a limit of the host is refused, whoever edits else.
    let limited = if is_one_rung { Vec::new() } else { images::limit(&mut less, input) };
    let mut best = climb(input, draft, &less, [&limited, &[]]);
    if fits(&best) || is_one_rung || input.extra.stands_down.is_some() {
        return best;
    }
    // With none of it, with half, and so on: as much stays as can, the newest.
    let (mut too_few, mut enough) = (0, attached(&less).count() + less.copies().len());
    let mut count = enough;
    while too_few < count {
        let (mut draft_of_less, mut left) = (less.clone(), Vec::new());
        leave_out(&mut draft_of_less, count, &mut left);
        let next = climb(input, draft, &draft_of_less, [&limited, &left]);
        match fits(&next) {
            true => (best, enough) = (next, count),
            // What would surely be refused with it is sent without it, even if that may be refused, too.
            false if count == enough && best.budget.is_certainly_over(best.draft.total()) && next.draft.total() < best.draft.total() => {
                return next;
            }
            false if count == enough => return best,
            false => too_few = count,
        }
        count = usize::midpoint(too_few, enough);
    }
    best
}

/// Whether it is within its limit, or waits for a summary that may bring it there.
fn fits(attempt: &Attempt<'_>) -> bool {
    let waits = attempt.summary_request.is_some() || matches!(attempt.ahead, Some((_, AheadOutcome::Due)));
    waits || attempt.draft.total() <= u64::from(attempt.budget.limit)
}

/// What the user attached to the message that is being answered and is not folded, oldest first. What the model has not seen yet stays.
fn attached(draft: &Draft<'_>) -> impl Iterator<Item = Place> {
    let history = draft.history;
    let seen = history.turn_start()..history.unseen();
    let is_attached = move |place: &Place| seen.contains(&place.message) && history.is_attached(*place);
    draft.places().filter(is_attached).filter(|place| draft.action(*place).is_none())
}

/// Leaves out the oldest of it, and before that what the checkpoint carries along: so many.
fn leave_out(draft: &mut Draft<'_>, count: usize, left: &mut Vec<Saving>) {
    let copies = draft.copies().len();
    for _ in 0..count.min(copies) {
        draft.leave_out_copy();
    }
    for place in attached(draft).take(count.saturating_sub(copies)).collect::<Vec<_>>() {
        let saved = draft.apply(place, Action::AgeImages);
        left.extend((saved > 0).then_some((place, saved)));
    }
}

/// Climbs the ladder from a draft of which this has left: for a limit of the host, and for room. `held`: the draft with what was decided before alone.
fn climb<'d>(input: &PlanInput<'_>, held: &Draft<'d>, draft: &Draft<'d>, left: [&[Saving]; 2]) -> Attempt<'d> {
    let mut draft = draft.clone();
    let pace = pace_of(&draft, draft.unedited_tokens());
    let budget = Budget::new(input.settings, input.calibration, input.extends, Some(pace));
    let fixed_tokens = squeeze::fixed_tokens(&draft, input.keep_from);
    let mut budget = budget.beside(fixed_tokens, || checkpoint::request_tokens(&draft));
    if input.settings.target.is_none() {
        let recorded = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded);
        let has_summary = input.settings.has_summarizer || recorded.is_some_and(|recorded| recorded.summary.is_some());
        budget = budget.with_lasting(lasting::lasting(&draft), has_summary);
    }
    if matches!(input.mode, PlanMode::Compact | PlanMode::Fold) && input.settings.keep_recent_tokens.is_none() {
        budget.keep_recent = budget.keep_recent.min(saturate(held.total() / COMPACT_TAIL_PART));
    }
    let mut pinned = pins::tools(&draft);
    let withdrawn = draft.withdraw_offers();
    let mut done = Vec::new();
    if !withdrawn.is_empty() {
        done.push(Done::OffersWithdrawn { results: changes_of(&draft, &budget, withdrawn) });
    }
    done.extend(pins::pin(&mut draft, &budget, input.extra.pins));
    pinned.extend(done.iter().filter_map(|done| if let Done::Pinned { tool, .. } = done { Some(tool.clone()) } else { None }));
    let leaves_copies = draft.copies().len() < held.copies().len();
    let [aged, squeezed] = left.map(|left| changes_of(&draft, &budget, left.to_vec()));
    let mut ladder = Ladder::new(input, &budget, &mut draft);
    if !aged.is_empty() {
        ladder.done.push(Done::AgedImages { results: aged });
    }
    if !squeezed.is_empty() {
        ladder.done.push(Done::Squeezed { results: squeezed, folded: false });
    }
    if leaves_copies {
        // Another checkpoint stands there.
        ladder.done.push(Done::Squeezed { results: Vec::new(), folded: true });
    }
    let summary_request = ladder.climb();
    let Ladder { done: climbed, ahead, .. } = ladder;
    done.extend(climbed);
    Attempt { draft, budget, done, summary_request, ahead, pinned, steps: pace.steps }
}
