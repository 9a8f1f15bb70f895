//! Rung 4, squeeze: the last resort when the prompt still exceeds the budget. Shrinks the tail step by step, then cuts single
//! messages to head and tail. The newest user message is never cut: what the user just said is sent as it is, or reported.

use crate::entry::Kind;
use crate::history::{History, Place};
use crate::message::Role;
use crate::plan::budget::Budget;
use crate::plan::checkpoint::{fold_end, record};
use crate::plan::clear::{ClearRules, clear};
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::level::level_that_fits;
use crate::state::Action;
use crate::tokens::CALL_TOKENS;

/// No part is cut below this.
const SMALLEST_CUT_TOKENS: u32 = 100;

/// What squeezing did.
#[derive(Default)]
pub struct Squeezed {
    /// Parts that were cleared or cut.
    pub parts: Vec<Saving>,
    /// The fold was extended.
    pub folded: bool,
}

/// Brings the draft within what fits, as far as that is possible.
pub fn squeeze(draft: &mut Draft<'_>, budget: &Budget, keep_from: usize) -> Squeezed {
    let mut done = Squeezed::default();
    let history = draft.history;
    let newest = history.newest_unit().min(super::keep_cut(history, keep_from));
    let fits = |draft: &Draft<'_>| draft.total() <= u64::from(budget.squeezed);
    // Protected tools and the tail give way before a request is rejected.
    done.parts.extend(clear(
        draft,
        &ClearRules { tail: newest, protected_tools: &[], target: budget.target.max(budget.squeezed / 2), min_saving: 1, gist_tokens: 0 },
    ));
    if fits(draft) {
        return done;
    }
    done.folded = fold_on(draft, budget, newest);
    // Results first: a call or a text says more per token. A second round catches what many small cuts left over.
    for kinds in [&[Kind::Result][..], &[Kind::Call, Kind::Text], &[Kind::Result, Kind::Call, Kind::Text]] {
        if fits(draft) {
            break;
        }
        cut_largest(draft, budget, kinds, keep_from, &mut done.parts);
    }
    // What is left is what cannot be cut: images and files in results, oldest first.
    for place in draft.places().take_while(|place| place.message < keep_from) {
        if fits(draft) {
            break;
        }
        let is_cleared = matches!(draft.action(place), Some(Action::Clear { .. }));
        if is_replaceable_result(history, place) && !is_cleared {
            let saved = draft.clear(place, 0);
            done.parts.extend((saved > 0).then_some((place, saved)));
        }
    }
    // With less behind it a shorter fold may do, which saves what the longer one did not.
    done.folded |= fold_on(draft, budget, newest);
    done
}

/// Folds until the draft fits or no fold saves anything. Says whether any did.
fn fold_on(draft: &mut Draft<'_>, budget: &Budget, newest: usize) -> bool {
    let mut folded = false;
    // A checkpoint can come out larger than was reckoned with; then the fold goes on.
    // Where a short fold saves nothing (media of the request travel along), the longest one may.
    let mut target = budget.target;
    while draft.total() > u64::from(budget.squeezed)
        && let Some(end) = fold_end(draft, budget, newest, target)
    {
        if draft.try_fold(record(draft, budget, end, None), end) {
            folded = true;
        } else if target > 0 {
            target = 0;
        } else {
            break;
        }
    }
    folded
}

/// Cuts the largest parts of these kinds until the draft fits.
fn cut_largest(draft: &mut Draft<'_>, budget: &Budget, kinds: &[Kind], keep_from: usize, cut: &mut Vec<Saving>) {
    let mut places: Vec<Place> = draft
        .places()
        .filter(|place| place.message < keep_from)
        .filter(|place| may_cut(draft, *place, kinds))
        .filter(|place| !matches!(draft.action(*place), Some(Action::Clear { .. })))
        .collect();
    // What cannot be cut that far leaves more to the others, so a round is repeated without it.
    for _ in 0..4 {
        if places.is_empty() || draft.total() <= u64::from(budget.squeezed) {
            return;
        }
        let level = cut_to_level(draft, budget, &places, cut);
        places.retain(|place| draft.part_tokens(*place) <= level);
    }
}

fn cut_to_level(draft: &mut Draft<'_>, budget: &Budget, places: &[Place], cut: &mut Vec<Saving>) -> u32 {
    let history = draft.history;
    let sizes: Vec<u32> = places.iter().map(|place| draft.part_tokens(*place)).collect();
    let others = draft.total().saturating_sub(sizes.iter().map(|size| u64::from(*size)).sum::<u64>());
    // A cut text may come out a little over what was asked for.
    let level = level_that_fits(&sizes, u64::from(budget.squeezed).saturating_sub(others));
    let level = (level - level / 50).max(SMALLEST_CUT_TOKENS);
    for place in places.iter().copied() {
        if draft.part_tokens(place) <= level {
            continue;
        }
        let action = match history.part(place).kind {
            Kind::Result => Action::Cap { tokens: level },
            // The form around a call and its result cannot be cut.
            Kind::Call => Action::CutInput { tokens: level.saturating_sub(CALL_TOKENS as u32).max(SMALLEST_CUT_TOKENS) / 2 },
            _ => Action::CutText { tokens: level },
        };
        let saved = draft.apply(place, action);
        cut.extend((saved > 0).then_some((place, saved)));
    }
    level
}

fn may_cut(draft: &Draft<'_>, place: Place, kinds: &[Kind]) -> bool {
    let history = draft.history;
    let part = history.part(place);
    let entry = &history.entries[place.message];
    if !kinds.contains(&part.kind) || part.native_compaction {
        return false;
    }
    match part.kind {
        Kind::Result => is_replaceable_result(history, place),
        Kind::Call => part.replaceable,
        // Text beside reasoning may be one item with it for the provider; the newest message of the user is never cut.
        Kind::Text if entry.role() == Role::Assistant => !draft.sends_thoughts(place.message),
        Kind::Text if entry.role() == Role::User => Some(place.message) != newest_user(history),
        _ => false,
    }
}

fn newest_user(history: &History<'_>) -> Option<usize> {
    history.entries.iter().rposition(|entry| entry.role() == Role::User)
}
