//! Rung 1, cap: cuts new results before they were ever sent, so that a cut never moves the cached prefix. What is above the
//! user's own cap is cut to that; what cannot fit whatever gives way is cut to what is left. What fits once the rest has given way is left to
//! the rungs that follow. Never looks at results that were sent already.

use crate::model::history::Place;
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::pins::is_pinned;
use crate::plan::squeeze::{cut_largest, fixed_tokens};
use crate::text::level::level_that_fits;

/// Cuts results in messages from `first_new` on to the user's cap, if there is one. Returns what was cut.
pub fn cap(draft: &mut Draft<'_>, budget: &Budget, first_new: usize) -> Vec<Saving> {
    let Some(most) = budget.max_result else { return Vec::new() };
    let mut capped = Vec::new();
    for place in results(draft, first_new, draft.history.entries.len()) {
        if draft.part_tokens(place) > most {
            let saved = draft.cut(place, most);
            capped.extend((saved > 0).then_some((place, saved)));
        }
    }
    capped
}

/// Cuts new results that cannot fit, if what is left without any other edit is a fair share. They are cut anyway, so nothing older gives way
/// for them. Returns what was cut.
pub fn cut_what_cannot_fit(draft: &mut Draft<'_>, budget: &Budget, first_new: usize, keep_from: usize) -> Vec<Saving> {
    if draft.total() <= u64::from(budget.trigger) {
        return Vec::new();
    }
    let results = results(draft, first_new.max(draft.history.unseen()), keep_from);
    let sizes: Vec<u32> = results.iter().map(|place| draft.part_tokens(*place)).collect();
    let together: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    let uncertainty = budget.uncertainty_of_new(together);
    if fixed_tokens(draft, keep_from) + together <= u64::from(budget.whole.saturating_sub(uncertainty)) {
        return Vec::new();
    }
    // Room for the next steps, so that what was cut is not cleared at once.
    let room = budget.trigger.min(budget.fit).saturating_sub(budget.min_clear.max(uncertainty));
    let left = u64::from(room).saturating_sub(draft.total().saturating_sub(together));
    if left < budget.new_results().min(together) {
        return Vec::new();
    }
    let (mut trial, mut cut) = (draft.clone(), Vec::new());
    cut_largest(&mut trial, &results, room, level_that_fits(&sizes, budget.new_results()), &mut cut);
    if trial.total() > u64::from(budget.trigger) {
        return Vec::new();
    }
    *draft = trial;
    cut
}

/// Results that may be cut.
fn results(draft: &Draft<'_>, from: usize, end: usize) -> Vec<Place> {
    let history = draft.history;
    let places = history.places(from.max(draft.start()), end.min(history.entries.len()));
    places.filter(|place| is_replaceable_result(history, *place) && !is_pinned(draft, *place)).collect()
}
