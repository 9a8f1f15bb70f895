//! What a fold carries behind its checkpoint, because it acts by being there: settings, calls that made tools known, a catalog that the SDK put
//! in, what holds for the running turn. A function of the folded messages alone, so that no step has to remember it. Example: of
//! `[effort: high] … [effort: low] …` the message `[effort: low]` stands behind the checkpoint.

use std::ops::Range;

use crate::model::carried::{Carried, Change, Setting, ToolChange};
use crate::model::entry::{Entry, Kind};
use crate::model::history::{History, Place};
use crate::model::message::{Message, Part, Role};
use crate::plan::behind::{Behind, Picked, PickedOption};
use crate::plan::draft::Draft;
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::order::sort_by_numbers;
use crate::tokens::MESSAGE_TOKENS;
use crate::words::bridge::{BRIDGE, CARRIED_RESULT};

/// What a fold up to `end` carries, in the order in which it stands behind the checkpoint; what comes before the `head` of a tool loop, and
/// what comes after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CarriedAlong {
    /// Before the head.
    pub before: Vec<Behind>,
    /// After it.
    pub after: Vec<Behind>,
    /// Messages of the span that are not told: what is carried of them says all, or nothing holds any more.
    pub untold: HashSet<usize>,
    /// The same of single parts.
    pub untold_parts: HashSet<Place>,
}

/// What a fold of this draft up to `end` carries; nothing of the messages in `head` or around a block, which stay anyway.
pub fn carried_along(draft: &Draft<'_>, end: usize, head: &Range<usize>) -> CarriedAlong {
    let history = draft.history;
    let behind_own = history.own_checkpoint.map_or(history.lead, |_| history.own_at + 1);
    let (first, block) = (behind_own.max(draft.first()), draft.block_before(end));
    let stays = |message: &usize| block.contains(message) || head.contains(message);
    let is_folded = |message: &usize| (first..end).contains(message) && !stays(message);
    let span: Vec<usize> = history.carrying().iter().copied().filter(is_folded).collect();
    let mut along = CarriedAlong::default();
    along.untold.extend(history.carrying().iter().copied().filter(|message| history.is_own(*message)));
    if span.is_empty() {
        return along;
    }
    if let Some(catalog) = catalog(draft, &span, &mut along.untold) {
        // A message of the user behind the checkpoint, which is one, too.
        along.before.extend([Behind::Bridge { text: BRIDGE }, Behind::Message { message: catalog }]);
    }
    let options = settings(history.entries, &span);
    if !options.is_empty() {
        along.before.push(Behind::Settings { options });
    }
    for message in span.iter().copied().filter(|message| history.entries[*message].carried == Some(Carried::ForTurn)) {
        along.untold.insert(message);
        if !(message..end).any(|later| history.entries[later].role() == Role::User) {
            along.before.push(Behind::Message { message });
        }
    }
    references(history, &span, &mut along);
    along
}

/// The calls that made tools known, each with its result: the first that names a tool.
fn references(history: &History<'_>, span: &[usize], along: &mut CarriedAlong) {
    let mut known: HashSet<u64> = HashSet::default();
    let mut picked: HashMap<usize, Vec<Picked>> = HashMap::default();
    let places = span.iter().flat_map(|message| history.places(*message, message + 1));
    let mut results: Vec<(Place, Place)> = places.filter_map(|place| Some((history.call_of(place)?, place))).collect();
    // A store may put results of one step in another order.
    sort_by_numbers(&mut results, |(call, _)| [call.message as i64, call.part as i64, 0]);
    for (call, place) in results {
        let part = history.part(place);
        let (Kind::Result, Some(reference)) = (part.kind, &part.reference) else { continue };
        let searched =
            part.provider_executed || reference.in_options || !reference.items.is_empty() || history.part(call).reference.is_some();
        if !searched {
            continue;
        }
        along.untold_parts.extend([call, place]);
        let new: Vec<usize> = (0..reference.tools.len()).filter(|at| known.insert(reference.tools[*at])).collect();
        if new.is_empty() {
            continue;
        }
        let is_own = part.provider_executed;
        // The provider's own items are bound to the reasoning before them.
        let thoughts = if is_own { thoughts_before(history, call) } else { 0..0 };
        let whole = |part| Picked { part, items: Vec::new(), output: None, drops_id: !is_own };
        let items = new.iter().filter_map(|at| reference.items.get(*at).copied()).collect();
        let output = (reference.in_options && part.replaceable).then_some(CARRIED_RESULT);
        picked.entry(call.message).or_default().extend(thoughts.chain([call.part]).map(whole));
        picked.entry(place.message).or_default().push(Picked { items, output, ..whole(place.part) });
    }
    let mut messages: Vec<(usize, Vec<Picked>)> = picked.into_iter().collect();
    sort_by_numbers(&mut messages, |(message, _)| [*message as i64, 0, 0]);
    for (message, mut parts) in messages {
        sort_by_numbers(&mut parts, |picked| [picked.part as i64, 0, 0]);
        parts.dedup_by_key(|picked| picked.part);
        along.after.push(Behind::Parts { message, parts });
    }
}

/// The reasoning right before a call that is no signed thought: one item with it for the provider.
fn thoughts_before(history: &History<'_>, call: Place) -> Range<usize> {
    let parts = &history.entries[call.message].parts;
    let before = parts[..call.part].iter().rev().take_while(|part| part.kind == Kind::Reasoning && !part.leads_loop).count();
    call.part - before..call.part
}

/// The settings that hold at the end of these messages, each from the message that made it so.
fn settings(entries: &[Entry], span: &[usize]) -> Vec<PickedOption> {
    let all: Vec<(usize, &Setting)> = span
        .iter()
        .flat_map(|message| entries[*message].carried.iter().flat_map(|carried| carried.settings()).map(|setting| (*message, setting)))
        .collect();
    let is_last = |at: usize, setting: &Setting| {
        !all[at + 1..].iter().any(|(_, later)| (&later.provider, &later.key) == (&setting.provider, &setting.key))
    };
    let mut options = Vec::new();
    for (at, (message, setting)) in all.iter().enumerate() {
        let items: Vec<usize> = (0..setting.changes.len()).filter(|item| still_holds(&all, at, *item)).collect();
        if if setting.changes.is_empty() { is_last(at, setting) } else { !items.is_empty() } {
            options.push(PickedOption { message: *message, provider: setting.provider.clone(), key: setting.key.clone(), items });
        }
    }
    options
}

/// Whether a change of a tool is part of what the tools are in the end: the newest definition, and a last change that the start or that
/// definition does not already give.
fn still_holds(all: &[(usize, &Setting)], at: usize, item: usize) -> bool {
    let (_, setting) = all[at];
    let tool = &setting.changes[item].tool;
    let of_tool = |list: &[(usize, &Setting)], from: usize| -> Vec<ToolChange> {
        let same = list.iter().filter(|(_, other)| (&other.provider, &other.key) == (&setting.provider, &setting.key));
        same.flat_map(|(_, other)| &other.changes).skip(from).filter(|change| change.tool == *tool).cloned().collect()
    };
    let (all_of_it, later) = (of_tool(all, 0), of_tool(&all[at..], item + 1));
    let is = |wanted: Change| move |change: &ToolChange| change.change == wanted;
    if setting.changes[item].change == Change::Defined {
        return !later.iter().any(is(Change::Defined));
    }
    if !later.is_empty() {
        return false;
    }
    // A tool whose first change took it away was there before: to put it back changes nothing, and the other way round.
    let was_there = all_of_it.first().is_some_and(is(Change::Removed));
    all_of_it.iter().any(is(Change::Defined)) || was_there == (setting.changes[item].change == Change::Removed)
}

/// The newest message that was put in, which holds; those that it says again are untold. Others were said once, as a user says something.
fn catalog(draft: &Draft<'_>, span: &[usize], untold: &mut HashSet<usize>) -> Option<usize> {
    let put_in: Vec<usize> = span.iter().copied().filter(|message| draft.history.is_put_in(*message)).collect();
    let newest = *put_in.last()?;
    let words: Vec<HashSet<u64>> = put_in.iter().map(|message| words_of(draft.read(*message).as_ref())).collect();
    for (at, message) in put_in.iter().enumerate() {
        if *message == newest || words[at + 1..].iter().any(|later| says_again(later, &words[at])) {
            untold.insert(*message);
        }
    }
    Some(newest)
}

/// Fewest different words of a text that another one can be a new state of.
const LEAST_WORDS: usize = 12;

/// Whether a text is a new state of another: at least half of what the shorter one says stands in the other, too.
fn says_again(later: &HashSet<u64>, before: &HashSet<u64>) -> bool {
    let shorter = later.len().min(before.len());
    later == before || shorter >= LEAST_WORDS && later.intersection(before).count() * 2 >= shorter
}

fn words_of(message: Option<&Message>) -> HashSet<u64> {
    let texts = message.into_iter().flat_map(|message| &message.parts).filter_map(|part| match part {
        Part::Text { text, .. } => Some(text),
        _ => None,
    });
    texts.flat_map(|text| text.split_ascii_whitespace()).map(|word| mix(0, word.as_bytes())).collect()
}

/// Leaves out of messages from `first` on what is not told of them, and what stepfold has put among them.
pub fn leave_untold(messages: &mut [Message], first: usize, along: &CarriedAlong) {
    for (at, message) in messages.iter_mut().enumerate() {
        if along.untold.contains(&(first + at)) {
            *message = Message::unreadable();
        }
        for (part, content) in message.parts.iter_mut().enumerate() {
            if along.untold_parts.contains(&Place { message: first + at, part }) {
                // The others keep their places.
                *content = Part::text("");
            }
        }
    }
}

/// Estimated tokens of what stands behind a checkpoint.
pub fn tokens_behind(draft: &Draft<'_>, behind: &[Behind]) -> u64 {
    let entries = draft.history.entries;
    let count = |text: &str| draft.count(text);
    let of_one = |behind: &Behind| match behind {
        Behind::Message { message } => u64::from(entries[*message].tokens()),
        Behind::Parts { message, parts } => {
            let part_tokens = |picked: &Picked| u64::from(picked.tokens(&entries[*message].parts[picked.part], &count));
            u64::from(MESSAGE_TOKENS) + parts.iter().map(part_tokens).sum::<u64>()
        }
        Behind::Settings { .. } => u64::from(MESSAGE_TOKENS),
        Behind::Bridge { text } => u64::from(MESSAGE_TOKENS + count(text)),
    };
    behind.iter().map(of_one).sum()
}
