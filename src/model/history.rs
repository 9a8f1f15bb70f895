//! A list of entries seen as a history: where it begins, its chain, which parts belong together, where it may be cut.
//! Decides nothing: it says what can be done, `plan` what is done.

use std::cell::OnceCell;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub mod inserted;
mod outline;
mod turn;

use crate::digest::call_facts::CallFacts;
use crate::model::carried::Carried;
use crate::model::entry::{Entry, Kind, PartEntry};
use crate::model::fingerprint::{Chain, Fingerprint, Prefix};
use crate::model::message::Role;
use crate::model::span::StandsFor;
use crate::state::{Checkpoint, FoldState, Head};
use crate::text::hash::{HashMap, HashSet};
use turn::{loop_start, turn_start};

/// Where a part stands: message index and part index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Index of the message in the list.
    pub message: usize,
    /// Index of the part in the message.
    pub part: usize,
}

/// A history: entries and what follows from them.
pub struct History<'a> {
    /// The entries of the list, in order.
    pub entries: &'a [Entry],
    /// The state the history was matched with.
    pub state: &'a FoldState,
    /// System messages at the start; they stay where they are and are not part of the chain.
    pub lead: usize,
    /// The checkpoint of ours that the list begins with (confirmed by the state), or that stands behind a provider's compaction block.
    pub own_checkpoint: Option<&'a Checkpoint>,
    /// Where it stands; `lead` where there is none.
    pub own_at: usize,
    /// First message after system messages, our own checkpoint and its head.
    start: usize,
    /// Parts and chain before each message, and after the last one.
    boundaries: Vec<(u32, Chain)>,
    /// The outline before each message, and after the last one; none where it is not known what the list begins behind.
    outlines: OnceCell<Vec<Prefix>>,
    /// Fingerprints of the parts as they were before any edit of ours.
    fingerprints: Vec<Vec<Fingerprint>>,
    /// Whether a unit starts at each message, and after the last one: a message of the user, or a step of the model with its results.
    units: Vec<bool>,
    /// The first message after the one with which the user began the running tool loop.
    loop_start: usize,
    /// The first message of the user that is being answered.
    turn_start: usize,
    /// The call each result answers.
    calls: HashMap<Place, Place>,
    /// A part belongs to one that is not there.
    is_open: bool,
    /// See `carrying`.
    carrying: Vec<usize>,
}

impl<'a> History<'a> {
    /// Matches a list with what was decided before.
    pub fn new(entries: &'a [Entry], state: &'a FoldState) -> History<'a> {
        let lead = entries.iter().take_while(|entry| entry.role() == Role::System).count();
        let Pairs { units, calls, is_open } = pair(entries, lead);
        let own = |at: usize| {
            let marker = entries.get(at).filter(|entry| entry.role() == Role::User)?.marker.as_deref()?;
            Some((at, state.checkpoints.iter().rev().find(|checkpoint| checkpoint.id() == marker)?))
        };
        let behind_blocks = (lead..entries.len()).rev().filter(|at| entries[*at].has_native_compaction());
        let found = behind_blocks.filter_map(|block| own(unit_end(&units, block))).next().or_else(|| own(lead));
        let (own_at, own_checkpoint) = found.map_or((lead, None), |(at, checkpoint)| (at, Some(checkpoint)));
        // A later request does not have what was put in, or has stored it: neither is another history.
        let is_none = |entry: &Entry| is_put_in(entry, state) || own_checkpoint.is_some() && entry.is_own();
        let of_history = |entry: &Entry, part| if is_none(entry) { 0 } else { original_fingerprint(part, state) };
        let fingerprints: Vec<Vec<Fingerprint>> =
            entries.iter().map(|entry| entry.parts.iter().map(|part| of_history(entry, part)).collect()).collect();
        let chained = |message: usize| fingerprints[message].iter().filter(|fingerprint| **fingerprint != 0);
        let mut boundaries = Vec::with_capacity(entries.len() + 1);
        let is_own = |message: usize| entries.get(message).is_some_and(Entry::is_own);
        // What stands before a checkpoint behind a block has no place in the history that is known.
        boundaries.resize(if own_at > lead { own_at } else { 0 }, (0, Chain::default()));
        if let Some(head) = own_checkpoint.and_then(|checkpoint| checkpoint.head) {
            // The head has the places that it has in the history, and no chain, as what stands before it is folded.
            let mut parts = head.from;
            boundaries.resize(own_at + 1, (parts, Chain::default()));
            while boundaries.len() < entries.len() && (parts < head.to || is_own(boundaries.len())) {
                let message = boundaries.len();
                boundaries.push((parts, Chain::default()));
                parts = parts.saturating_add(chained(message).count() as u32);
            }
        }
        let mut start = boundaries.len().max(own_at + usize::from(own_checkpoint.is_some()));
        while own_checkpoint.is_some() && is_own(start) {
            start += 1;
        }
        let mut at = own_checkpoint.map_or((0, Chain::default()), |checkpoint| (checkpoint.parts, checkpoint.chain));
        let behind_head = boundaries.len();
        for (message, entry) in entries.iter().enumerate().skip(behind_head) {
            boundaries.push(at);
            if let Some(span) = entry.span() {
                at = span.end;
            } else if message >= start {
                at = chained(message).fold(at, |(parts, chain), fingerprint| (parts.saturating_add(1), chain.then(*fingerprint)));
            }
        }
        boundaries.push(at);
        let loop_start = loop_start(entries);
        let of_app = entries.iter().enumerate().filter(|(_, entry)| !is_put_in(entry, state));
        let turn_start = turn_start(of_app, own_checkpoint.map(|own| (own_at, !own.ends_within_turn)));
        let carrying = carrying(entries, state);
        History {
            entries,
            state,
            lead,
            own_checkpoint,
            own_at,
            start,
            boundaries,
            outlines: OnceCell::new(),
            fingerprints,
            units,
            loop_start,
            turn_start,
            calls,
            is_open,
            carrying,
        }
    }

    /// Messages that a fold looks at again because they act by being there, in order.
    pub fn carrying(&self) -> &[usize] {
        &self.carrying
    }

    /// Whether a message is none of the app's, and no checkpoint.
    pub fn is_own(&self, message: usize) -> bool {
        let entry = &self.entries[message];
        // A marker can be forged: without a checkpoint that the state confirms only what says nothing else is ours.
        entry.is_own() && (self.own_checkpoint.is_some() || entry.parts.iter().all(|part| part.fingerprint == 0))
    }

    /// Whether somebody put a message in behind what was sent, now or at an earlier step.
    pub fn is_put_in(&self, message: usize) -> bool {
        is_put_in(&self.entries[message], self.state)
    }

    /// The first message from `index` on that is more than settings: a fold that ends before it takes these, too.
    pub fn past_settings(&self, index: usize) -> usize {
        let sets = |message: &usize| matches!(self.entries[*message].carried, Some(Carried::Settings(_))) && self.chained(*message) == 0;
        index + (index..self.entries.len()).take_while(sets).count()
    }

    /// Index of the first message that belongs to the history: after leading system messages, our own checkpoint and its head.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The messages that come after our own checkpoint although it covers them: its head.
    pub fn own_head(&self) -> Range<usize> {
        if self.own_checkpoint.is_some() { self.own_at + 1..self.start } else { 0..0 }
    }

    /// The whole history, as a prefix of what it will become.
    pub fn prefix(&self) -> Prefix {
        let (parts, chain) = self.boundary(self.entries.len());
        Prefix { parts, chain }
    }

    /// Whether the history begins like this; also when messages were grouped anew, so that it ends within one.
    pub fn begins_with(&self, prefix: Prefix) -> bool {
        let message = self.boundaries.partition_point(|(parts, _)| *parts <= prefix.parts).saturating_sub(1).max(self.start);
        let (parts, chain) = self.boundary(message);
        let missing = prefix.parts.checked_sub(parts);
        let inside = self.fingerprints.get(message).map_or(&[][..], Vec::as_slice).iter().filter(|fingerprint| **fingerprint != 0);
        missing.is_some_and(|missing| {
            inside
                .take(missing as usize)
                .fold((parts, chain), |(parts, chain), fingerprint| (parts.saturating_add(1), chain.then(*fingerprint)))
                == (prefix.parts, prefix.chain)
        })
    }

    /// A head as parts of the history.
    pub fn head_at(&self, messages: Range<usize>) -> Head {
        let from = self.boundary(messages.start).0;
        Head { from, to: from.saturating_add(messages.map(|message| self.chained(message)).sum()) }
    }

    /// The messages of a head in this list, where they still stand together.
    pub fn find_head(&self, head: Head) -> Option<Range<usize>> {
        let last = self.boundaries.partition_point(|(parts, _)| *parts <= head.from).checked_sub(1)?;
        // Messages without a chained part that stand before it do not belong to it, but for a thought that is a message of its own.
        let first = self.boundaries.partition_point(|(parts, _)| *parts < head.from);
        let from = (first..last).find(|index| self.begins_with_thought(*index)).unwrap_or(last);
        let (mut to, mut parts) = (from, self.boundary(from).0);
        while to < self.entries.len() && parts < head.to {
            parts = parts.saturating_add(self.chained(to));
            to += 1;
        }
        let is_whole = from >= self.lead && from < to && self.boundary(from).0 == head.from && parts == head.to;
        // A state from outside may name any parts: no call is split from its results.
        let is_unit = |index: usize| self.units.get(index).is_some_and(|starts| *starts);
        (is_whole && is_unit(from) && is_unit(to)).then_some(from..to)
    }

    /// How many parts of a message are in the chain.
    fn chained(&self, message: usize) -> u32 {
        self.fingerprints[message].iter().filter(|fingerprint| **fingerprint != 0).count() as u32
    }

    /// The first message of the running tool loop.
    pub fn loop_start(&self) -> usize {
        self.loop_start
    }

    /// The message at `index` and its results, when it begins with a signed thought.
    pub fn thoughtful_unit(&self, index: usize) -> Option<Range<usize>> {
        let end = self.unit_starts(index + 1).next()?;
        (self.begins_with_thought(index) && (index..end).any(|message| self.chained(message) > 0)).then_some(index..end)
    }

    fn begins_with_thought(&self, index: usize) -> bool {
        self.entries.get(index).and_then(|entry| entry.parts.first()).is_some_and(|part| part.leads_loop)
    }

    /// Parts of the history before message `index` (or all of it), and the chain over them.
    pub fn boundary(&self, index: usize) -> (u32, Chain) {
        self.boundaries.get(index).or(self.boundaries.last()).copied().unwrap_or_default()
    }

    /// Index of the message before which the history has exactly these parts.
    pub fn find_boundary(&self, parts: u32, chain: Chain) -> Option<usize> {
        let first = self.boundaries.partition_point(|(count, _)| *count < parts);
        // Messages without chained parts share a boundary. The first place is the one that later additions cannot move.
        let end = first + self.boundaries[first..].partition_point(|(count, _)| *count == parts);
        (first..end).find(|index| *index >= self.start() && self.boundaries[*index].1 == chain && self.units[*index])
    }

    /// Index of the last message before which the history has exactly these parts, wherever that is.
    pub fn end_of(&self, parts: u32, chain: Chain) -> Option<usize> {
        (self.start()..self.boundaries.len()).rev().find(|index| self.boundaries[*index] == (parts, chain))
    }

    /// Whether this history continues the one a state or run has seen.
    pub fn continues(&self, parts: u32, chain: Chain) -> bool {
        let first = self.boundaries.partition_point(|(count, _)| *count < parts);
        self.boundaries.get(first) == Some(&(parts, chain))
    }

    /// The original fingerprint of a part.
    pub fn fingerprint(&self, place: Place) -> Fingerprint {
        self.fingerprints[place.message][place.part]
    }

    /// Index of the part in the history, counting only chained parts. Meaningful for parts with a fingerprint.
    pub fn part_index(&self, place: Place) -> u32 {
        let before = self.fingerprints[place.message][..place.part].iter().filter(|fingerprint| **fingerprint != 0).count();
        self.boundaries[place.message].0.saturating_add(before as u32)
    }

    /// The unit that holds a message.
    pub fn unit_of(&self, message: usize) -> Range<usize> {
        self.last_cut(message).max(self.lead)..unit_end(&self.units, message)
    }

    /// The last unit that starts at or before a message.
    pub fn last_cut(&self, message: usize) -> usize {
        self.unit_starts(0).rfind(|cut| *cut <= message).unwrap_or(message)
    }

    /// The places where units start, oldest first, from `from` on, and the end. Between them no pair is separated.
    pub fn unit_starts(&self, from: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (from..self.units.len()).filter(|index| self.units[*index])
    }

    /// Start of the unit that holds the newest message, or of the step before it while the model has not seen that step's results:
    /// the user may say something, or stop a run and go on, before the model answers.
    pub fn newest_unit(&self) -> usize {
        let results = (self.unseen()..self.entries.len()).find(|index| self.entries[*index].role() == Role::Tool);
        let newest = results.unwrap_or_else(|| self.entries.len().saturating_sub(1));
        self.unit_starts(self.start()).rfind(|index| *index <= newest).unwrap_or(self.start())
    }

    /// First message that the model has not answered yet.
    pub fn unseen(&self) -> usize {
        self.entries.iter().rposition(Entry::is_answer).map_or(0, |newest| newest + 1)
    }

    /// The facts of the call of a result.
    pub fn call_facts_of(&self, result: Place) -> Option<&'a CallFacts> {
        self.part(self.call_of(result)?).call_facts.as_ref()
    }

    /// The call a result answers.
    pub fn call_of(&self, result: Place) -> Option<Place> {
        self.calls.get(&result).copied()
    }

    /// Tools that needed the user's approval, here or in what is folded.
    pub fn approved(&self) -> HashSet<&'a str> {
        let folded = self.state.checkpoints.last().map_or(&[][..], |checkpoint| &checkpoint.record.approved);
        folded.iter().map(String::as_str).chain(self.approved_here()).collect()
    }

    /// Tools whose calls in this list needed the user's approval.
    pub fn approved_here(&self) -> HashSet<&'a str> {
        let covered = self.entries.iter().filter_map(|entry| entry.span()).flat_map(|span| &span.approved);
        let mut approved: HashSet<&str> = covered.map(String::as_str).collect();
        let parts = || self.entries.iter().flat_map(|entry| &entry.parts);
        let with_approval: HashSet<&str> =
            parts().filter(|part| part.kind == Kind::ApprovalRequest).map(|part| part.link.as_str()).collect();
        if !with_approval.is_empty() {
            approved.extend(
                parts().filter(|part| part.kind == Kind::Call && with_approval.contains(part.id.as_str())).map(|part| part.name.as_str()),
            );
        }
        approved
    }

    /// Whether a part belongs to one that is not there.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// What is remembered of a part.
    pub fn part(&self, place: Place) -> &'a PartEntry {
        &self.entries[place.message].parts[place.part]
    }

    /// All parts from message `from` up to `end`, in order.
    pub fn places(&self, from: usize, end: usize) -> Places<'a> {
        self.places_of([from..end, 0..0, 0..0])
    }

    /// All parts of some messages, and then of others behind them.
    pub fn places_of(&self, messages: [Range<usize>; 3]) -> Places<'a> {
        Places { entries: self.entries, messages, part: 0 }
    }
}

/// Parts in order. A type of its own: an iterator in an iterator is compiled anew for each that goes over it.
pub struct Places<'a> {
    entries: &'a [Entry],
    messages: [Range<usize>; 3],
    part: usize,
}

impl Iterator for Places<'_> {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        loop {
            let messages = self.messages.iter_mut().find(|messages| messages.start < messages.end)?;
            let message = messages.start;
            let part = self.part;
            if part < self.entries[message].parts.len() {
                self.part += 1;
                return Some(Place { message, part });
            }
            (messages.start, self.part) = (message + 1, 0);
        }
    }
}

/// Messages that act by being there, or hold parts that do; and where what holds for a turn ends, the next message of the user.
fn carrying(entries: &[Entry], state: &FoldState) -> Vec<usize> {
    let mut holds_for_turn = false;
    let carries = |message: &usize| {
        let entry = &entries[*message];
        let ends_turn = holds_for_turn && entry.role() == Role::User;
        holds_for_turn = !ends_turn && (holds_for_turn || entry.carried == Some(Carried::ForTurn));
        ends_turn || entry.carries() || is_put_in(entry, state)
    };
    (0..entries.len()).filter(carries).collect()
}

fn is_put_in(entry: &Entry, state: &FoldState) -> bool {
    match entry.carried {
        Some(Carried::PutIn) => true,
        None if entry.role() == Role::User && !state.put_in.is_empty() => {
            entry.parts.first().is_some_and(|part| entry.parts.len() == 1 && state.put_in.contains(&part.fingerprint))
        }
        _ => false,
    }
}

/// The id a part's marker carries.
pub fn fingerprint_id(fingerprint: Fingerprint) -> String {
    format!("{fingerprint:016x}")
}

/// The fingerprint a part had before our edit, when it carries a marker that the state confirms.
fn original_fingerprint(part: &PartEntry, state: &FoldState) -> Fingerprint {
    let claimed = part.marker.as_deref().and_then(|marker| Fingerprint::from_str_radix(marker, 16).ok());
    claimed.filter(|fingerprint| state.decisions.iter().any(|decision| decision.fingerprint == *fingerprint)).unwrap_or(part.fingerprint)
}

/// First unit that starts after a message, or the end.
fn unit_end(units: &[bool], message: usize) -> usize {
    (message + 1..units.len()).find(|index| units[*index]).unwrap_or(units.len() - 1)
}

/// What belongs together.
struct Pairs {
    units: Vec<bool>,
    calls: HashMap<Place, Place>,
    is_open: bool,
}

/// Finds what belongs together, and from that where units start.
fn pair(entries: &[Entry], lead: usize) -> Pairs {
    let mut calls = HashMap::default();
    // The calls of an id that have no result yet, oldest first.
    let mut open: HashMap<&str, Vec<Place>> = HashMap::default();
    // The message that last made a call, or asked for an approval, of an id.
    let mut callers: HashMap<&str, usize> = HashMap::default();
    let mut requests: HashMap<&str, usize> = HashMap::default();
    let mut links: Vec<(usize, usize)> = Vec::new();
    let mut is_open = false;
    for (message, entry) in entries.iter().enumerate() {
        for (index, part) in entry.parts.iter().enumerate() {
            let place = Place { message, part: index };
            let (id, link) = (part.id.as_str(), part.link.as_str());
            let belongs_to = match part.kind {
                Kind::Call => {
                    let caller = if link.is_empty() { Some(message) } else { callers.get(link).copied() };
                    open.entry(id).or_default().push(place);
                    callers.insert(id, message);
                    caller
                }
                Kind::Result => {
                    // With a reused id the newest open call is the one that was answered.
                    let call = open.get_mut(id).and_then(Vec::pop);
                    calls.extend(call.map(|call| (place, call)));
                    call.map(|call| call.message)
                }
                Kind::ApprovalRequest => {
                    requests.insert(id, message);
                    callers.get(link).copied()
                }
                Kind::ApprovalResponse => requests.get(id).copied(),
                Kind::Text | Kind::Reasoning | Kind::Media | Kind::Opaque => Some(message),
            };
            match belongs_to {
                Some(from) if from < message => links.push((from, message)),
                Some(_) => {}
                None => is_open = true,
            }
        }
    }
    let mut units: Vec<bool> = (0..=entries.len())
        .map(|index| match entries.get(index).map(|entry| (&entry.stands_for, entry.role())) {
            _ if index < lead => false,
            None | Some((StandsFor::Span(_), _)) => true,
            Some((StandsFor::Nothing, _) | (_, Role::Tool | Role::Unknown)) => false,
            // Messages of the model in a row are one turn to a provider; reasoning and its item must stay together.
            Some((_, Role::Assistant)) => index == 0 || !entries[index - 1].is_answer(),
            Some((_, Role::User | Role::System)) => true,
        })
        .collect();
    for (from, to) in links {
        units[from + 1..=to].fill(false);
    }
    Pairs { units, calls, is_open }
}
