//! Rung 2, clear: trims old tool results that are large to head and tail, then replaces outputs by placeholders; the calls stay.
//! Pictures and files of older turns first, then results that the user says are worth nothing, stale ones next, then oldest first, and last those that a placeholder would hardly
//! shorten; never in the tail, never what the user says is to be kept or what the model pinned, never errors that are still open, and only if
//! the batch saves enough to pay for the cache it invalidates.

use crate::digest::effect::Effect;
use crate::digest::result_digest::RESULT_DIGEST_CHARS;
use crate::digest::tools::Keep;
use crate::model::entry::Kind;
use crate::model::fingerprint::Fingerprint;
use crate::model::history::{History, Place};
use crate::model::message::Role;
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::pins::is_pinned;
use crate::policy::ladder::{FEW_PARTS_TOKENS, PLACEHOLDER_TOKENS};
use crate::settings::Settings;
use crate::state::{Action, Kept};
use crate::text::hash::{HashMap, HashSet};
use crate::text::order::sort_by_numbers;

/// What may be cleared, and how.
pub struct ClearRules {
    /// First message of the tail.
    pub tail: usize,
    /// Results that the user says are to be kept are not cleared.
    pub spares_kept: bool,
    /// Clearing stops at or below this many tokens.
    pub target: u32,
    /// Less than this is not worth an edit.
    pub min_saving: u32,
    /// A placeholder says how its call ended, and may keep parts of its result (`excerpts`).
    pub keeps: bool,
}

impl ClearRules {
    /// Tokens the placeholder of a result of this tool takes at most, roughly.
    fn placeholder_tokens(&self, keep: Keep) -> u32 {
        PLACEHOLDER_TOKENS + if self.keeps_anything(keep) { FEW_PARTS_TOKENS } else { 0 }
    }

    /// Whether a placeholder keeps anything of what it stands for.
    fn keeps_anything(&self, keep: Keep) -> bool {
        self.keeps && keep != Keep::Never
    }
}

/// All that may be cleared, in the order in which it goes; nothing when that would not pay.
pub fn clearable(draft: &Draft<'_>, rules: &ClearRules) -> Vec<Place> {
    let candidates = candidates(draft, rules);
    let possible: u64 = candidates.iter().map(|place| u64::from(gain(draft, rules, *place))).sum();
    if possible < u64::from(rules.min_saving.max(1)) { Vec::new() } else { candidates }
}

/// Clears what was taken to be cleared and still stands. Returns what was cleared.
pub fn clear_expected(draft: &mut Draft<'_>, rules: &ClearRules) -> Vec<Saving> {
    let expected = draft.take_expected();
    replace(draft, rules, &expected)
}

/// Clears results until the target is met. Returns what was cleared; empty when the batch would not pay.
pub fn clear(draft: &mut Draft<'_>, rules: &ClearRules) -> Vec<Saving> {
    let candidates = clearable(draft, rules);
    replace(draft, rules, &candidates)
}

fn keep_of(draft: &Draft<'_>, place: Place) -> Keep {
    draft.tools.keep(&draft.history.part(place).name)
}

/// Tokens that a placeholder saves at least, roughly.
fn gain(draft: &Draft<'_>, rules: &ClearRules, place: Place) -> u32 {
    draft.part_tokens(place).saturating_sub(rules.placeholder_tokens(keep_of(draft, place)))
}

/// Puts placeholders in the place of these until the target is met. Returns what was cleared.
fn replace(draft: &mut Draft<'_>, rules: &ClearRules, places: &[Place]) -> Vec<Saving> {
    let (mut cleared, mut room) = (Vec::new(), draft.room_for_digests());
    for place in places.iter().copied() {
        if draft.total() <= u64::from(rules.target) {
            break;
        }
        let digest = draft.digest(place).filter(|text| rules.keeps && text.len() <= room).map(|text| Kept::Digest(text.into()));
        let mut saved = if digest.is_some() { draft.clear(place, digest) } else { 0 };
        if saved == 0 {
            let keeps = rules.keeps_anything(keep_of(draft, place));
            saved = draft.clear(place, keeps.then(Kept::nothing));
        }
        if saved == 0 {
            continue;
        }
        cleared.push((place, saved));
        room = room.saturating_sub(draft.digest(place).map_or(0, str::len));
        if rules.keeps && room >= RESULT_DIGEST_CHARS {
            draft.want_digest(place);
        }
    }
    cleared
}

/// Whether a part is a picture or file that the user attached to a message that is answered, and is sent.
fn is_of_older_turn(draft: &Draft<'_>, place: Place) -> bool {
    draft.history.is_attached(place) && place.message < draft.history.turn_start() && draft.action(place).is_none()
}

/// What may be cleared, in the order in which it goes.
fn candidates(draft: &Draft<'_>, rules: &ClearRules) -> Vec<Place> {
    let history = draft.history;
    let results: Vec<Place> = draft
        .places()
        .filter(|place| place.message < rules.tail)
        .filter(|place| is_replaceable_result(history, *place) && !is_pinned(draft, *place) || is_of_older_turn(draft, *place))
        .filter(|place| !matches!(draft.action(*place), Some(Action::Clear { keeps, .. }) if rules.keeps || keeps.is_none()))
        .filter(|place| !rules.spares_kept || keep_of(draft, *place) != Keep::Always)
        .filter(|place| gain(draft, rules, *place) > 0)
        .collect();
    if results.is_empty() {
        return results;
    }
    let open = open_errors(draft);
    let stale = stale_results(draft);
    let rank = |place: &Place| match () {
        () if history.is_attached(*place) => -1,
        () if keep_of(draft, *place) == Keep::Never => 0,
        () if stale.contains(place) => 1,
        () => 2,
    };
    let mut order: Vec<Place> = results.into_iter().filter(|place| !open.contains(place)).collect();
    // A small table that is cut to a few of its rows has cost more than it saves.
    let saves_little = |place: &Place| gain(draft, rules, *place) < draft.part_tokens(*place) / 2;
    sort_by_numbers(&mut order, |place| [rank(place), i64::from(saves_little(place)), 0]);
    order
}

/// Error results behind which the same call did not succeed.
fn open_errors(draft: &Draft<'_>) -> HashSet<Place> {
    let history = draft.history;
    let mut open: HashMap<(&str, Fingerprint), Place> = HashMap::default();
    for place in draft.places() {
        let part = history.part(place);
        if part.kind != Kind::Result {
            continue;
        }
        let input = history.call_of(place).map_or(0, |call| history.part(call).input_fingerprint);
        let key = (part.name.as_str(), input);
        if part.is_error {
            open.insert(key, place);
        } else {
            open.remove(&key);
        }
    }
    open.into_values().collect()
}

/// Readings that are sent and that a later call has made obsolete: the same call was made again, or a call changed what they are about,
/// which is all that their own call names.
pub fn stale_results(draft: &Draft<'_>) -> HashSet<Place> {
    let (history, tools) = (draft.history, &draft.tools);
    let mut stale = HashSet::default();
    let mut identical: HashMap<(&str, Fingerprint), Place> = HashMap::default();
    let mut readings: HashMap<u64, Vec<(Place, &[u64])>> = HashMap::default();
    for place in draft.places() {
        if history.part(place).kind != Kind::Result {
            continue;
        }
        let Some(call) = history.call_of(place).map(|call| history.part(call)) else { continue };
        let effect = tools.effect(&call.name, call.call_facts.as_ref().map_or_else(Effect::default, |call_facts| call_facts.effect));
        // The second click on "Next" brings another page than the first.
        if effect != Effect::Acts {
            stale.extend(identical.insert((&call.name, call.input_fingerprint), place));
        }
        let Some(call_facts) = &call.call_facts else { continue };
        if effect == Effect::Acts {
            for name in &call_facts.names {
                if let Some(known) = readings.get_mut(name) {
                    known.retain(|(reading, names)| {
                        let is_changed = names.iter().all(|name| call_facts.names.contains(name));
                        stale.extend(is_changed.then_some(*reading));
                        !is_changed
                    });
                }
            }
        } else if let Some(first) = call_facts.names.first() {
            readings.entry(*first).or_default().push((place, &call_facts.names));
        }
    }
    stale
}

/// The first message of the tail: the newest messages within the budget's tail, at least the last complete step, and the
/// turns, messages and images that the user wants kept; images as far as they have room below the target.
pub fn tail_start(draft: &Draft<'_>, budget: &Budget, settings: &Settings) -> usize {
    let history = draft.history;
    let (keep_turns, keep_messages) = (settings.keep_recent_turns, settings.keep_recent_messages);
    let mut start = history.newest_unit();
    let (mut from, mut tokens) = (history.entries.len(), 0);
    let mut missing_images = settings.keep_images.unwrap_or_default();
    for cut in history.unit_starts(draft.start()).rev().filter(|cut| *cut < history.entries.len()) {
        tokens += draft.span_tokens(cut, from);
        let images = images_in(draft, cut, from);
        let is_for_images = images.min(missing_images) > 0 && tokens <= u64::from(budget.target);
        if tokens <= u64::from(budget.keep_recent) || is_for_images {
            start = start.min(cut);
        } else if missing_images == 0 || tokens > u64::from(budget.target) {
            break;
        }
        from = cut;
        missing_images = missing_images.saturating_sub(images);
    }
    // Floors in other units, for who asked for them.
    if keep_messages > 0 {
        // What an edit leaves out is none of them: a list that carries the edit on does not hold it. Nor is what stepfold has put there.
        let counts = |message: &usize| !draft.is_message_left_out_by_edits(*message) && !history.is_own(*message);
        let mut counted = (0..history.entries.len()).rev().filter(counts);
        let wanted = counted.nth(keep_messages as usize - 1).unwrap_or_default();
        start = start.min(history.unit_starts(draft.start()).rfind(|cut| *cut <= wanted).unwrap_or_else(|| draft.start()));
    }
    if keep_turns > 0 {
        let turns: Vec<usize> = history.unit_starts(draft.start()).filter(|cut| is_turn_start(history, *cut)).collect();
        let wanted = turns.len().saturating_sub(keep_turns as usize);
        start = start.min(turns.get(wanted).copied().unwrap_or(start));
    }
    start
}

/// Images of results in these messages that may give way, and have not.
fn images_in(draft: &Draft<'_>, from: usize, end: usize) -> u32 {
    let places = draft.history.places(from, end);
    let held = places.filter(|place| is_replaceable_result(draft.history, *place) && draft.action(*place).is_none());
    held.map(|place| draft.history.part(place).images).sum()
}

fn is_turn_start(history: &History<'_>, index: usize) -> bool {
    history.entries.get(index).is_some_and(|entry| entry.role() == Role::User)
}
