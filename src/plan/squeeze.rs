//! Rung 4, squeeze: the last resort when clearing and folding left too much. What is older gives way first, and no more than must:
//! results that the model has seen, then older messages into the checkpoint, then calls' inputs and the model's own texts. A result that
//! the model has not seen stays whole if it fits then; else it keeps head and tail, and shares what is left with those that came with it.
//! The user's words go last, and only if the prompt then fits. The newest message of the
//! user is never cut: it is sent as it is, or the plan reports that it does not fit.

use crate::digest::effect::Effect;
use crate::model::entry::Kind;
use crate::model::history::{History, Place};
use crate::model::message::Role;
use crate::plan::budget::Budget;
use crate::plan::checkpoint::{carried_tokens, expected_tokens, fold_end, goes_on_with_turn, record};
use crate::plan::clear::{ClearRules, clear};
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::pins::is_pinned;
use crate::policy::ladder::{LEAST_UNSEEN_TOKENS, SEEN_TOKENS, SHARED_UNSEEN_TOKENS, UNSEEN_TOKENS, USER_TOKENS};
use crate::state::Action;
use crate::text::level::level_that_fits;
use crate::tokens::CALL_TOKENS;

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
    let newest = newest(history, keep_from);
    let may_go = |draft: &Draft<'_>, kinds: &[Kind], role: Role| -> Vec<Place> {
        let places = draft.places().filter(|place| place.message < keep_from);
        places.filter(|place| history.entries[place.message].role() == role && may_cut(draft, *place, kinds)).collect()
    };
    let unseen = history.unseen();
    let (mut results, together) = new_results(draft, keep_from);
    let sizes: Vec<u32> = results.iter().map(|place| draft.part_tokens(*place)).collect();
    let Room { aim, left, whole, cannot_be_whole } = Room::new(draft, budget, keep_from, together);
    if cannot_be_whole {
        // They are cut anyway: beside a fair share of theirs the rest stays.
        cut_largest(draft, &results, left, level_that_fits(&sizes, budget.new_results()).max(UNSEEN_TOKENS), &mut done.parts);
    }
    // What tools should keep and the tail give way before a request is rejected. Results that were seen leave room for two least savings, so
    // that the next step is not squeezed again.
    let target = budget.target.max(aim.saturating_sub(2 * budget.min_clear));
    for spares_kept in [true, false] {
        let rules = ClearRules { tail: newest, spares_kept, target, min_saving: 1, keeps: false };
        done.parts.extend(if fits(draft, aim) { Vec::new() } else { clear(draft, &rules) });
    }
    // What an older turn left behind the checkpoint goes before what is newer.
    while !fits(draft, aim) && !goes_on_with_turn(draft) && draft.leave_out_copy() {
        done.folded = true;
    }
    done.folded |= fold_on(draft, budget, aim, newest);
    let mut seen = may_go(draft, &[Kind::Result], Role::Tool);
    seen.retain(|place| place.message < unseen && !is_cleared(draft, *place));
    let texts = may_go(draft, &[Kind::Call, Kind::Text], Role::Assistant);
    for least in SEEN_TOKENS {
        cut_oldest(draft, &seen, aim, least, &mut done.parts);
        cut_oldest(draft, &texts, aim, least, &mut done.parts);
    }
    // Images and files cannot be cut.
    for place in seen {
        if !fits(draft, aim) {
            let saved = draft.clear(place, None);
            done.parts.extend((saved > 0).then_some((place, saved)));
        }
    }
    // With less behind it a shorter fold may do, which saves what the longer one did not.
    done.folded |= fold_on(draft, budget, aim, newest);
    results.retain(|place| !is_cleared(draft, *place));
    if !fits(draft, whole) {
        cut_largest(draft, &results, left, UNSEEN_TOKENS, &mut done.parts);
    }
    // All that follows is worth it only if the prompt then fits.
    let fit = budget.fit.max(whole);
    let (mut trial, mut cut) = (draft.clone(), Vec::new());
    cut_largest(&mut trial, &results, fit, LEAST_UNSEEN_TOKENS, &mut cut);
    for place in &results {
        // An answer without its image is of more use than a request that is refused.
        if !fits(&trial, fit) {
            let reads = trial.effect_of(*place) == Effect::Reads;
            apply(&mut trial, *place, Action::OmitMedia { tokens: LEAST_UNSEEN_TOKENS, reads }, &mut cut);
        }
    }
    // Of very many results each keeps little.
    if !fits(&trial, budget.limit) {
        let (mut shared, mut cut_further) = (trial.clone(), cut.clone());
        cut_largest(&mut shared, &results, budget.fit, SHARED_UNSEEN_TOKENS, &mut cut_further);
        if fits(&shared, budget.limit) {
            (trial, cut) = (shared, cut_further);
        }
    }
    let mut most = budget.limit;
    if !fits(&trial, budget.limit) {
        let with_words = (trial.clone(), cut.clone());
        let words = may_go(&trial, &[Kind::Text], Role::User);
        cut_largest(&mut trial, &words, budget.fit, USER_TOKENS, &mut cut);
        if !fits(&trial, budget.limit) {
            // What is only guessed of the overhead gives way before a prompt that is surely refused.
            (trial, cut) = with_words;
            most = budget.certain_limit;
            if !fits(&trial, most) {
                cut_largest(&mut trial, &results, budget.certain_fit(), SHARED_UNSEEN_TOKENS, &mut cut);
            }
        }
    }
    if fits(&trial, most) {
        *draft = trial;
        done.parts.extend(cut);
    }
    done
}

/// What squeezing aims at.
struct Room {
    /// … with what is older. New results that fit are counted among what cannot give way.
    aim: u32,
    /// … with new results, when they must be cut.
    left: u32,
    /// Up to this they stay whole.
    whole: u32,
    /// They must be cut whatever else gives way.
    cannot_be_whole: bool,
}

impl Room {
    /// Where much cannot give way the rest keeps half of the room beside it, rather than being squeezed to nothing for what cannot be
    /// reached. `together`: tokens of the results that the model has not seen.
    fn new(draft: &Draft<'_>, budget: &Budget, keep_from: usize, together: u64) -> Room {
        let fixed = fixed_tokens(draft, keep_from);
        let beside = |fixed: u64, most: u32| {
            let fixed = fixed.min(u64::from(most)) as u32;
            fixed + (most - fixed) / 2
        };
        let uncertainty = budget.uncertainty_of_new(together);
        let left = budget.squeezed.max(beside(fixed, budget.fit)).saturating_sub(uncertainty);
        let whole = budget.whole.saturating_sub(uncertainty).max(left);
        let with_new = fixed + together;
        let cannot_be_whole = with_new > u64::from(whole);
        let aim = if cannot_be_whole { left } else { left.max(beside(with_new, whole)) };
        Room { aim, left, whole, cannot_be_whole }
    }
}

/// Results that the model has not seen and that may be cut, and their tokens together.
pub fn new_results(draft: &Draft<'_>, keep_from: usize) -> (Vec<Place>, u64) {
    let is_new = |place: &Place| {
        (draft.history.unseen()..keep_from).contains(&place.message)
            && may_cut(draft, *place, &[Kind::Result])
            && !is_cleared(draft, *place)
    };
    let results: Vec<Place> = draft.places().filter(is_new).collect();
    let together = results.iter().map(|place| u64::from(draft.part_tokens(*place))).sum();
    (results, together)
}

/// Whether what squeezing made of a draft is worth an edit: it saves as much as a clearing must, or the prompt fits only then.
pub fn pays(before: &Draft<'_>, after: &Draft<'_>, budget: &Budget) -> bool {
    before.total().saturating_sub(after.total()) >= u64::from(budget.min_clear)
        || [budget.fit, budget.limit].into_iter().any(|most| !fits(before, most) && fits(after, most))
}

/// Whether the prompt may not fit as it is, and what cannot give way leaves room to make it fit.
pub fn must_shrink(draft: &Draft<'_>, budget: &Budget, keep_from: usize) -> bool {
    !fits(draft, budget.fit) && fixed_tokens(draft, keep_from) <= u64::from(budget.fit)
}

/// Estimated tokens that no rung can take away: what stands behind the last place to fold to and may not be cut, system messages at the
/// start, and the pictures and files of the message that is being answered, which go last. The same before and after an edit.
pub fn fixed_tokens(draft: &Draft<'_>, keep_from: usize) -> u64 {
    let history = draft.history;
    let newest = newest(history, keep_from);
    let end = draft.fold_ends().rfind(|end| *end <= newest).unwrap_or_else(|| draft.start());
    let can_go = |place: &Place| {
        draft.is_left_out_by_edits(*place)
            || place.message < keep_from && may_cut(draft, *place, &[Kind::Result, Kind::Call, Kind::Text])
            || place.message < history.turn_start() && history.is_attached(*place)
    };
    let staying = |from: usize, end: usize| {
        let going = history.places(from, end).filter(can_go).map(|place| u64::from(draft.part_tokens(place))).sum::<u64>();
        draft.span_tokens(from, end).saturating_sub(going)
    };
    let (block, head) = (draft.block_before(end), draft.head_of(end));
    staying(end, history.entries.len())
        + staying(block.start, block.end)
        + staying(head.start, head.end)
        + draft.span_tokens(0, history.lead)
        + carried_tokens(draft, end)
}

fn newest(history: &History<'_>, keep_from: usize) -> usize {
    history.newest_unit().min(history.last_cut(keep_from))
}

fn fits(draft: &Draft<'_>, most: u32) -> bool {
    draft.total() <= u64::from(most)
}

/// Folds until the draft fits or no fold saves anything. Returns whether any did.
fn fold_on(draft: &mut Draft<'_>, budget: &Budget, aim: u32, newest: usize) -> bool {
    let mut folded = false;
    // A checkpoint can come out larger than expected; then the fold goes on.
    // Where a short fold saves nothing (media of the request travel along), the longest one may.
    let (mut target, mut checkpoint_tokens) = (budget.target, expected_tokens(budget));
    while !fits(draft, aim)
        && let Some(end) = fold_end(draft, newest, target, checkpoint_tokens)
    {
        if draft.try_fold(record(draft, budget, end, None), end) {
            (folded, checkpoint_tokens) = (true, draft.checkpoint_tokens());
        } else if target > 0 {
            target = 0;
        } else {
            break;
        }
    }
    folded
}

/// Cuts parts one after the other, each by what is still too much, but not below `least`.
fn cut_oldest(draft: &mut Draft<'_>, places: &[Place], aim: u32, least: u32, cut: &mut Vec<Saving>) {
    for place in places.iter().copied() {
        if fits(draft, aim) {
            return;
        }
        let surplus = draft.total() - u64::from(aim);
        let level = u64::from(draft.part_tokens(place)).saturating_sub(surplus) as u32;
        cut_to(draft, place, level.max(least), cut);
    }
}

/// Cuts the largest parts until the draft fits, but none below `least`.
pub fn cut_largest(draft: &mut Draft<'_>, places: &[Place], aim: u32, least: u32, cut: &mut Vec<Saving>) {
    let mut places = places.to_vec();
    // What cannot be cut that far leaves less to the others, so a round is repeated without it.
    for _ in 0..4 {
        if places.is_empty() || fits(draft, aim) {
            return;
        }
        let sizes: Vec<u32> = places.iter().map(|place| draft.part_tokens(*place)).collect();
        let others = draft.total().saturating_sub(sizes.iter().map(|size| u64::from(*size)).sum::<u64>());
        let level = level_that_fits(&sizes, u64::from(aim).saturating_sub(others)).max(least);
        for place in places.iter().copied() {
            cut_to(draft, place, level, cut);
        }
        places.retain(|place| draft.part_tokens(*place) <= level);
    }
}

/// Cuts a part to about `level` tokens.
fn cut_to(draft: &mut Draft<'_>, place: Place, level: u32, cut: &mut Vec<Saving>) {
    if draft.part_tokens(place) <= level {
        return;
    }
    // A cut text may come out a little over what was asked for.
    let tokens = level - level / 50;
    let saved = match draft.history.part(place).kind {
        Kind::Result => draft.cut(place, tokens),
        // The form around a call and its result cannot be cut.
        Kind::Call => draft.apply(place, Action::CutInput { tokens: tokens.saturating_sub(CALL_TOKENS).max(SEEN_TOKENS[1]) / 2 }),
        _ => draft.apply(place, Action::CutText { tokens }),
    };
    cut.extend((saved > 0).then_some((place, saved)));
}

fn apply(draft: &mut Draft<'_>, place: Place, action: Action, cut: &mut Vec<Saving>) {
    let saved = draft.apply(place, action);
    cut.extend((saved > 0).then_some((place, saved)));
}

fn is_cleared(draft: &Draft<'_>, place: Place) -> bool {
    matches!(draft.action(place), Some(Action::Clear { .. }))
}

fn may_cut(draft: &Draft<'_>, place: Place, kinds: &[Kind]) -> bool {
    let history = draft.history;
    let part = history.part(place);
    let entry = &history.entries[place.message];
    if !kinds.contains(&part.kind) || part.native_compaction || draft.holds_block(place.message) {
        return false;
    }
    match part.kind {
        Kind::Result => is_replaceable_result(history, place) && !is_pinned(draft, place),
        Kind::Call => part.replaceable,
        // Text beside reasoning may be one item with it for the provider, unless that is signed; the newest message of the user is never cut.
        Kind::Text if entry.role() == Role::Assistant => !draft.sends_unsigned_thoughts(place.message),
        Kind::Text if entry.role() == Role::User => Some(place.message) != newest_user(history),
        _ => false,
    }
}

fn newest_user(history: &History<'_>) -> Option<usize> {
    history.entries.iter().rposition(|entry| entry.role() == Role::User)
}
