//! Rung 2, clear: trims old tool results that are large to head and tail, then replaces outputs by placeholders; the calls stay.
//! Results that the user says are worth nothing first, stale ones next, then oldest first; never in the tail, never what the user says is to be
//! kept or what the model pinned, never errors that are still open, and only if the batch saves enough to pay for the cache it invalidates.

use std::collections::{HashMap, HashSet};

use crate::digest::account::ACCOUNT_CHARS;
use crate::digest::tools::Keep;
use crate::entry::Kind;
use crate::fingerprint::Fingerprint;
use crate::history::{History, Place};
use crate::message::Role;
use crate::order::sort_by_numbers;
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::pins::is_pinned;
use crate::policy::ladder::{FEW_PARTS_TOKENS, PLACEHOLDER_TOKENS, TRIM_SLACK_PART, USE_STEPS};
use crate::settings::Settings;
use crate::state::{Action, Kept};

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
    /// Larger results are first cut to this, if that is enough.
    pub trimmed_result: u32,
    /// A placeholder says what came of its call, and may keep parts of its result (`excerpts`).
    pub tells: bool,
}

impl ClearRules {
    /// Tokens the placeholder of a result of this tool takes at most, roughly.
    fn placeholder_tokens(&self, keep: Keep) -> u32 {
        PLACEHOLDER_TOKENS + if self.tells_of(keep) { FEW_PARTS_TOKENS } else { 0 }
    }

    /// Whether a placeholder tells anything of what it stands for.
    fn tells_of(&self, keep: Keep) -> bool {
        self.tells && keep != Keep::Never
    }
}

/// Clears results until the target is met. Returns what was cleared; empty when the batch would not pay.
pub fn clear(draft: &mut Draft<'_>, rules: &ClearRules) -> Vec<Saving> {
    let candidates = candidates(draft, rules);
    let possible: u64 = candidates.iter().map(|place| u64::from(gain(draft, rules, *place))).sum();
    if possible < u64::from(rules.min_saving.max(1)) {
        return Vec::new();
    }
    let worthless = candidates.iter().take_while(|place| keep_of(draft, **place) == Keep::Never).count();
    let (worthless, others) = candidates.split_at(worthless);
    let mut cleared = replace(draft, rules, worthless);
    cleared.extend(trim(draft, rules, others));
    cleared.extend(replace(draft, rules, others));
    cleared
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
        let digest = draft.digest(place).filter(|text| rules.tells && text.len() <= room).map(|text| Kept::Digest(text.into()));
        let mut saved = if digest.is_some() { draft.clear(place, digest) } else { 0 };
        if saved == 0 {
            let tells = rules.tells_of(keep_of(draft, place));
            saved = draft.clear(place, tells.then(Kept::nothing));
        }
        if saved == 0 {
            continue;
        }
        cleared.push((place, saved));
        room = room.saturating_sub(draft.digest(place).map_or(0, str::len));
        if rules.tells && room >= ACCOUNT_CHARS {
            draft.want_digest(place);
        }
    }
    cleared
}

/// Cuts the large ones of these to head and tail until the target is met. Returns what was cut.
fn trim(draft: &mut Draft<'_>, rules: &ClearRules, candidates: &[Place]) -> Vec<Saving> {
    let most = rules.trimmed_result;
    let mut trimmed = Vec::new();
    for place in candidates.iter().copied() {
        if draft.total() <= u64::from(rules.target) || rules.target == 0 {
            break;
        }
        if draft.part_tokens(place) > most.saturating_add(most / TRIM_SLACK_PART) {
            let saved = draft.cut(place, most);
            trimmed.extend((saved > 0).then_some((place, saved)));
        }
    }
    trimmed
}

/// Results that may be cleared, in the order in which they go.
fn candidates(draft: &Draft<'_>, rules: &ClearRules) -> Vec<Place> {
    let history = draft.history;
    let results: Vec<Place> = draft
        .places()
        .filter(|place| place.message < rules.tail)
        .filter(|place| is_replaceable_result(history, *place) && !is_pinned(draft, *place))
        .filter(|place| !matches!(draft.action(*place), Some(Action::Clear { tells, .. }) if rules.tells || tells.is_none()))
        .filter(|place| !rules.spares_kept || keep_of(draft, *place) != Keep::Always)
        .filter(|place| gain(draft, rules, *place) > 0)
        .collect();
    if results.is_empty() {
        return results;
    }
    let open = open_errors(history);
    let stale = stale_results(history);
    let in_use = results_in_use(draft);
    let rank = |place: &Place| match () {
        () if keep_of(draft, *place) == Keep::Never => -1,
        () if in_use.contains_key(place) => in_use.get(place).map_or(0, |message| *message as i64) + 2,
        () if stale.contains(place) => 0,
        () => 1,
    };
    let mut order: Vec<Place> = results.into_iter().filter(|place| !open.contains(place)).collect();
    // What is in use goes last, what was used longest ago of it first. Else the oldest first.
    sort_by_numbers(&mut order, |place| [rank(place), 0, 0]);
    order
}

/// The newest readings of files in use, each with the message that used its file last: one that changed, searched or named it, not long
/// before the end.
fn results_in_use(draft: &Draft<'_>) -> HashMap<Place, usize> {
    let history = draft.history;
    let mut newest: HashMap<&str, Place> = HashMap::new();
    let mut used: HashMap<&str, usize> = HashMap::new();
    for place in draft.places() {
        let part = history.part(place);
        if let Some(touch) = &part.touch {
            for path in touch.changes.iter().chain(&touch.reads) {
                used.insert(name_of(path), place.message);
            }
        }
        if part.kind == Kind::Result
            && let Some(touch) = history.touch_of(place)
        {
            newest.extend(touch.reads.iter().map(|path| (name_of(path), place)));
        }
    }
    let steps = history.entries.iter().filter(|entry| entry.role() == Role::Assistant).count();
    let mut left = steps.min(USE_STEPS);
    let recent = history.entries.iter().rposition(|entry| {
        left -= usize::from(entry.role() == Role::Assistant);
        left == 0
    });
    let recent = recent.unwrap_or(0);
    newest
        .into_iter()
        .filter_map(|(name, place)| {
            let last = *used.get(name)?;
            // The call that read it does not count.
            let is_later = history.call_of(place).is_some_and(|call| last > call.message);
            (is_later && last >= recent).then_some((place, last))
        })
        .collect()
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Error results that no later success of the same tool on the same subject has resolved.
fn open_errors(history: &History<'_>) -> HashSet<Place> {
    let mut open: HashMap<(&str, &str), Place> = HashMap::new();
    for place in history.places(history.lead, history.entries.len()) {
        let part = history.part(place);
        if part.kind != Kind::Result {
            continue;
        }
        let kind = history.touch_of(place).map_or("", |touch| touch.kind.as_str());
        let key = (part.name.as_str(), kind);
        if part.is_error {
            open.insert(key, place);
        } else {
            open.remove(&key);
        }
    }
    open.into_values().collect()
}

/// Results that a later call has made obsolete: the same call was made again, or the file was read again, changed or deleted.
pub fn stale_results(history: &History<'_>) -> HashSet<Place> {
    let mut stale = HashSet::new();
    let mut identical: HashMap<(&str, Fingerprint), Place> = HashMap::new();
    // A file read in pieces gives several results that are good; a change makes all of them stale.
    let mut reads: HashMap<&str, Vec<Place>> = HashMap::new();
    for place in history.places(history.lead, history.entries.len()) {
        if history.part(place).kind != Kind::Result {
            continue;
        }
        let Some(call) = history.call_of(place).map(|call| history.part(call)) else { continue };
        stale.extend(identical.insert((&call.name, call.input_fingerprint), place));
        let Some(touch) = &call.touch else { continue };
        for path in &touch.changes {
            // The newest reading of a file that is being changed is in use.
            stale.extend(reads.remove(path.as_str()).unwrap_or_default());
        }
        for path in &touch.reads {
            reads.entry(path).or_default().push(place);
        }
    }
    stale
}

/// The first message of the tail: the newest messages within the budget's tail, at least the last complete step, and the
/// turns and messages that the user wants kept.
pub fn tail_start(draft: &Draft<'_>, budget: &Budget, settings: &Settings) -> usize {
    let history = draft.history;
    let (keep_turns, keep_messages) = (settings.keep_recent_turns, settings.keep_recent_messages);
    let mut start = history.newest_unit();
    let (mut from, mut tokens) = (history.entries.len(), 0);
    for cut in history.unit_starts(draft.start()).rev().filter(|cut| *cut < history.entries.len()) {
        tokens += draft.span_tokens(cut, from);
        from = cut;
        if tokens > u64::from(budget.keep_recent) {
            break;
        }
        start = start.min(cut);
    }
    // Floors in other units, for who asked for them.
    if keep_messages > 0 {
        let wanted = history.entries.len().saturating_sub(keep_messages as usize);
        start = start.min(history.unit_starts(draft.start()).rfind(|cut| *cut <= wanted).unwrap_or_else(|| draft.start()));
    }
    if keep_turns > 0 {
        let turns: Vec<usize> = history.unit_starts(draft.start()).filter(|cut| is_turn_start(history, *cut)).collect();
        let wanted = turns.len().saturating_sub(keep_turns as usize);
        start = start.min(turns.get(wanted).copied().unwrap_or(start));
    }
    start
}

fn is_turn_start(history: &History<'_>, index: usize) -> bool {
    history.entries.get(index).is_some_and(|entry| entry.role() == Role::User)
}
