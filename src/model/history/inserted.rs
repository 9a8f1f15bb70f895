//! Where messages that were inserted into a history stand in another list that says the same: each at the first place that is one of its own,
//! with those before it in their places. One walk, however many they are. Not who inserted them, nor whether they may stand there.

use crate::model::entry::Entry;
use crate::model::fingerprint::{Chain, Prefix};
use crate::model::history::History;
use crate::text::hash::HashMap;

// What a place is known by, above the 48 bits of a short id or a number: the chain before it,
const BEFORE: u64 = 0;
/// its outline, which a list in another form has as well,
const OUTLINE: u64 = 1 << 48;
/// the chain behind the message that stands there,
const AFTER: u64 = 2 << 48;
/// the message of the list before which it belongs where none of these is found,
const AT: u64 = 3 << 48;
/// or the inserted message right behind which it does.
const BEHIND: u64 = 4 << 48;

impl History<'_> {
    /// The chain behind a message that comes after this one.
    fn chain_behind(&self, message: usize, chain: Chain) -> Chain {
        let chained = self.fingerprints[message].iter().filter(|fingerprint| **fingerprint != 0);
        self.entries[message].span().map_or_else(|| chained.fold(chain, |chain, fingerprint| chain.then(*fingerprint)), |span| span.end.1)
    }

    /// Whether a place is before a message, or after the last one, that is found again: a unit starts there, and something may stand there.
    pub fn is_place(&self, index: usize) -> bool {
        index >= self.start && self.units.get(index).is_some_and(|starts| *starts) && self.is_free(index)
    }

    /// Nothing may stand before a block of a provider that begins the list.
    fn is_free(&self, index: usize) -> bool {
        index > self.lead || !self.entries.get(index).is_some_and(Entry::compacts_all_before)
    }
}

/// Arranges messages in a list by what is known of their `places`. Each is given once, in the order of the whole, with the message of the list
/// before which it stands; without one where the list holds it already. Those for which there is no place are left out.
pub fn arrange(history: &History, inserted: &[Entry], places: &[Vec<u64>]) -> Vec<(usize, Option<usize>)> {
    let mut waiting: HashMap<u64, Vec<usize>> = HashMap::default();
    for (number, places) in places.iter().enumerate().take(inserted.len()) {
        places.iter().for_each(|place| waiting.entry(*place).or_default().push(number));
    }
    let (chain, outline) = (history.boundary(history.start()).1, history.outline(history.start()));
    let mut walk = Walk { history, inserted, waiting, is_open: vec![true; inserted.len()], chain, outline, arranged: Vec::new() };
    let mut belonging = Vec::new();
    for index in history.start()..=history.entries.len() {
        let arrived = walk.chain;
        if index > history.start() {
            walk.chain = history.chain_behind(index - 1, arrived);
            walk.outline = history.outline_behind(index - 1, walk.outline);
        }
        belonging.extend(walk.known(AT | index as u64));
        if history.is_place(index) {
            if walk.chain != arrived {
                // The app has stored them: what was said up to here ends with them.
                for number in walk.known(AFTER | walk.chain.short()) {
                    walk.hold(number);
                }
            }
            walk.insert_known(index);
        }
        if history.is_free(index) {
            walk.insert(std::mem::take(&mut belonging), index);
        }
    }
    walk.arranged
}

struct Walk<'a> {
    history: &'a History<'a>,
    inserted: &'a [Entry],
    /// Numbers of inserted messages by what their places are known by.
    waiting: HashMap<u64, Vec<usize>>,
    is_open: Vec<bool>,
    chain: Chain,
    outline: Prefix,
    arranged: Vec<(usize, Option<usize>)>,
}

impl Walk<'_> {
    fn known(&mut self, place: u64) -> Vec<usize> {
        self.waiting.remove(&place).unwrap_or_default()
    }

    fn hold(&mut self, number: usize) {
        if std::mem::take(&mut self.is_open[number]) {
            self.arranged.push((number, None));
        }
    }

    fn insert_known(&mut self, index: usize) {
        for by in [BEFORE, OUTLINE] {
            loop {
                let chain = if by == BEFORE { self.chain } else { self.outline.chain };
                let due = self.known(by | chain.short());
                if due.is_empty() {
                    break;
                }
                // The app has stored it where the list goes on with it. What is blank says nothing.
                let next = (index..self.history.entries.len()).map(|next| self.history.chain_behind(next, Chain::default()));
                let next = next.into_iter().find(|chain| *chain != Chain::default());
                for number in &due {
                    if next == Some(self.chain_behind(*number, Chain::default())) {
                        self.hold(*number);
                    }
                }
                self.insert(due, index);
            }
        }
    }

    fn chain_behind(&self, number: usize, chain: Chain) -> Chain {
        let chained = self.inserted[number].parts.iter().filter(|part| part.fingerprint != 0);
        chained.fold(chain, |chain, part| chain.then(part.fingerprint))
    }

    /// Several that belong at one place come in reverse order, and what belongs behind one comes with it.
    fn insert(&mut self, mut due: Vec<usize>, index: usize) {
        while let Some(number) = due.pop() {
            if !std::mem::take(&mut self.is_open[number]) {
                continue;
            }
            self.arranged.push((number, Some(index)));
            self.chain = self.chain_behind(number, self.chain);
            let outlined = self.inserted[number].parts.iter().filter(|part| part.outline != 0);
            self.outline = outlined.fold(self.outline, |outline, part| outline.then(part.outline));
            due.extend(self.known(BEHIND | number as u64));
        }
    }
}
