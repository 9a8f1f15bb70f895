//! Rung 2, clear: replaces outputs of old tool results by placeholders; the calls stay.
//! Stale results first, then oldest first; never in the tail, never protected tools, never errors that are still open,
//! and only if the batch saves enough to pay for the cache it invalidates.

use std::collections::{HashMap, HashSet};

use crate::entry::Kind;
use crate::fingerprint::Print;
use crate::history::{History, Place};
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::policy::ladder::PLACEHOLDER_TOKENS;
use crate::record::facts::Access;
use crate::settings::Settings;
use crate::state::Action;

/// What may be cleared, and how.
pub struct ClearRules<'a> {
    /// First message of the tail.
    pub tail: usize,
    /// Tools whose results are not cleared.
    pub protected_tools: &'a [String],
    /// Clearing stops at or below this many tokens.
    pub target: u32,
    /// Less than this is not worth an edit.
    pub min_saving: u32,
    /// Tokens of identifiers a placeholder keeps.
    pub gist_tokens: u32,
}

/// Clears results until the target is met. Returns what was cleared; empty when the batch would not pay.
pub fn clear(draft: &mut Draft<'_>, rules: &ClearRules<'_>) -> Vec<Saving> {
    let candidates = candidates(draft, rules);
    let possible: u64 =
        candidates.iter().map(|place| u64::from(draft.part_tokens(*place).saturating_sub(rules.gist_tokens + PLACEHOLDER_TOKENS))).sum();
    if possible < u64::from(rules.min_saving.max(1)) {
        return Vec::new();
    }
    let mut cleared = Vec::new();
    for place in candidates {
        if draft.total() <= u64::from(rules.target) {
            break;
        }
        let saved = draft.clear(place, rules.gist_tokens);
        cleared.extend((saved > 0).then_some((place, saved)));
    }
    cleared
}

/// Results that may be cleared, in the order in which they go.
fn candidates(draft: &Draft<'_>, rules: &ClearRules<'_>) -> Vec<Place> {
    let history = draft.history;
    let results: Vec<Place> = draft
        .places()
        .filter(|place| place.message < rules.tail)
        .filter(|place| is_replaceable_result(history, *place))
        .filter(|place| !matches!(draft.action(*place), Some(Action::Clear { gist_tokens, .. }) if gist_tokens <= rules.gist_tokens))
        .filter(|place| !rules.protected_tools.contains(&history.part(*place).name))
        .filter(|place| draft.part_tokens(*place) > rules.gist_tokens + PLACEHOLDER_TOKENS)
        .collect();
    if results.is_empty() {
        return results;
    }
    let open = open_errors(history);
    let stale = stale_results(history);
    let (first, then): (Vec<Place>, Vec<Place>) =
        results.into_iter().filter(|place| !open.contains(place)).partition(|place| stale.contains(place));
    first.into_iter().chain(then).collect()
}

/// Error results that no later success of the same tool on the same subject has resolved.
fn open_errors(history: &History<'_>) -> HashSet<Place> {
    let mut open: HashMap<(&str, &str), Place> = HashMap::new();
    for place in history.places(history.lead, history.entries.len()) {
        let part = history.part(place);
        let Some(result) = part.result.as_ref().filter(|_| part.kind == Kind::Result) else { continue };
        let subject = history.call_facts_of(place).map_or("", |call| call.subject.as_str());
        let key = (part.name.as_str(), subject);
        if result.error.is_some() {
            open.insert(key, place);
        } else {
            open.remove(&key);
        }
    }
    open.into_values().collect()
}

/// Results that a later call has made obsolete: the same call was made again, or the file was read again, changed or deleted.
fn stale_results(history: &History<'_>) -> HashSet<Place> {
    let mut stale = HashSet::new();
    let mut identical: HashMap<(&str, Print), Place> = HashMap::new();
    // A file read in pieces gives several results that are good; a change makes all of them stale.
    let mut reads: HashMap<&str, Vec<Place>> = HashMap::new();
    for place in history.places(history.lead, history.entries.len()) {
        if history.part(place).kind != Kind::Result {
            continue;
        }
        let Some(call) = history.call_of(place).map(|call| history.part(call)) else { continue };
        stale.extend(identical.insert((&call.name, call.input_print), place));
        let Some(facts) = call.call.as_ref().filter(|facts| !facts.subject.is_empty()) else { continue };
        match facts.access {
            Access::Read => reads.entry(&facts.subject).or_default().push(place),
            Access::Write | Access::Delete => stale.extend(reads.remove(facts.subject.as_str()).unwrap_or_default()),
            Access::Run | Access::Fetch | Access::Plan | Access::Other => {}
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
    history.entries.get(index).is_some_and(|entry| entry.role() == crate::message::Role::User)
}
