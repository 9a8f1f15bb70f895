//! Where messages that were inserted into a history stand in another list that says the same: each at the first place whose chain is one of
//! its own, with those before it in their places. One walk, however many they are. Not who inserted them, nor whether they may stand there.

use crate::model::entry::Entry;
use crate::model::fingerprint::Chain;
use crate::model::history::History;
use crate::text::hash::HashMap;

/// What is known of the place of a message.
#[derive(Clone, Debug, Default)]
pub struct Stood {
    /// The chains before it, in short.
    pub before: Vec<u64>,
    /// Those behind it.
    pub after: Vec<u64>,
    /// The message of the list before which it belongs where no chain says where.
    pub at: Option<usize>,
    /// The same, as another inserted message, right behind which it belongs.
    pub behind: Option<usize>,
}

/// Where inserted messages stand.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Arranged {
    /// Each with the message of the list before which it stands, in the order of the whole.
    pub placed: Vec<(usize, usize)>,
    /// Those that the list holds already, as messages of its own.
    pub held: Vec<usize>,
}

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

/// Arranges messages in a list. Those for which there is no place are left out.
pub fn arrange(history: &History, inserted: &[Entry], stood: &[Stood]) -> Arranged {
    let mut walk = Walk::new(history, inserted, stood);
    let mut belonging = Vec::new();
    for index in history.start()..=history.entries.len() {
        let arrived = walk.chain;
        if index > history.start() {
            walk.chain = history.chain_behind(index - 1, arrived);
        }
        belonging.extend(walk.at.remove(&(index as u64)).unwrap_or_default());
        if history.is_place(index) {
            if walk.chain != arrived {
                walk.hold();
            }
            walk.insert_by_chain(index);
        }
        if history.is_free(index) {
            walk.insert(&std::mem::take(&mut belonging), index);
        }
    }
    walk.arranged
}

/// Numbers of inserted messages.
type Numbers = HashMap<u64, Vec<usize>>;

struct Walk<'a> {
    history: &'a History<'a>,
    inserted: &'a [Entry],
    stood: &'a [Stood],
    /// The messages that have a place behind a chain, before one, at a message and behind another; in their order.
    after: Numbers,
    before: Numbers,
    at: Numbers,
    behind: Numbers,
    is_open: Vec<bool>,
    chain: Chain,
    arranged: Arranged,
}

impl<'a> Walk<'a> {
    fn new(history: &'a History<'a>, inserted: &'a [Entry], stood: &'a [Stood]) -> Walk<'a> {
        let (mut after, mut before, mut at, mut behind) = Default::default();
        for (number, known) in stood.iter().enumerate().take(inserted.len()) {
            let add = |numbers: &mut Numbers, key: u64| numbers.entry(key).or_default().push(number);
            known.after.iter().for_each(|chain| add(&mut after, *chain));
            known.before.iter().for_each(|chain| add(&mut before, *chain));
            known.at.into_iter().for_each(|index| add(&mut at, index as u64));
            known.behind.into_iter().for_each(|other| add(&mut behind, other as u64));
        }
        let (chain, is_open) = (history.boundary(history.start()).1, vec![true; inserted.len()]);
        Walk { history, inserted, stood, after, before, at, behind, is_open, chain, arranged: Arranged::default() }
    }

    /// The app has stored them: what was said up to here ends with them.
    fn hold(&mut self) {
        for number in self.after.get(&self.chain.short()).into_iter().flatten() {
            if std::mem::take(&mut self.is_open[*number]) {
                self.arranged.held.push(*number);
            }
        }
    }

    fn insert_by_chain(&mut self, index: usize) {
        while let Some(due) = self.before.remove(&self.chain.short()) {
            for number in &due {
                if self.is_open[*number] && self.is_next(*number, index) {
                    self.is_open[*number] = false;
                    self.arranged.held.push(*number);
                }
            }
            self.insert(&due, index);
        }
    }

    /// Whether the list goes on with this message.
    fn is_next(&self, number: usize, index: usize) -> bool {
        let behind = (index..self.history.entries.len()).map(|next| self.history.chain_behind(next, self.chain));
        // What is blank leaves the chain as it is.
        let mut changed = behind.filter(|chain| *chain != self.chain);
        changed.next().is_some_and(|chain| self.stood[number].after.contains(&chain.short()))
    }

    /// Several that belong at one place come in reverse order, and what belongs behind one comes with it.
    fn insert(&mut self, numbers: &[usize], index: usize) {
        let mut due = numbers.to_vec();
        while let Some(number) = due.pop() {
            if !std::mem::take(&mut self.is_open[number]) {
                continue;
            }
            self.arranged.placed.push((number, index));
            let chained = self.inserted[number].parts.iter().filter(|part| part.fingerprint != 0);
            self.chain = chained.fold(self.chain, |chain, part| chain.then(part.fingerprint));
            due.extend(self.behind.remove(&(number as u64)).unwrap_or_default());
        }
    }
}
