//! The excerpts of folded messages, from their entries where they say it, else from the messages, read again.
//! Not what becomes of it: the digest (`plan::checkpoint`) and the identifiers (`mentioned`).

use crate::entry::Entry;
use crate::history::Place;
use crate::message::{Message, Role};
use crate::record::excerpts::{self, each_excerpt};
use crate::record::identifiers::Identifiers;

/// Messages that are read at once.
const AT_ONCE: usize = 8;

/// The messages that a checkpoint is made of, as they are sent now.
pub trait Past {
    /// What is remembered of each message of the list.
    fn entries(&self) -> &[Entry];
    /// The messages at these indices, read again.
    fn read(&self, indices: &[u32]) -> Vec<Message>;
    /// Whether this part is sent as it came.
    fn is_sent(&self, place: Place) -> bool;
}

/// The excerpts of a span.
pub struct Heard {
    /// The identifiers they spoke of.
    pub identifiers: Identifiers,
    /// For each message, and each part of it, its number among the identifiers and its quote.
    pub parts: Vec<Vec<(usize, String)>>,
}

/// The excerpts of what tools and the model said in messages `from..end`.
pub fn heard(draft: &dyn Past, from: usize, end: usize) -> Heard {
    let speaks = |role| matches!(role, Role::Assistant | Role::Tool);
    let mut identifiers = Identifiers::default();
    let mut parts = vec![Vec::new(); end - from];
    for (entry, list) in draft.entries()[from..end].iter().zip(&mut parts) {
        if speaks(entry.role()) {
            list.extend(each_excerpt(&entry.excerpts).map(|(quote, written)| (identifiers.read_written(written), quote.to_owned())));
        }
    }
    each_without_excerpts(draft, from, end, &mut |index, message| {
        if speaks(message.role) {
            parts[index - from] = excerpts::heard(message, &mut identifiers);
        }
    });
    Heard { identifiers, parts }
}

/// Reads those of messages `from..end` again whose entries keep no excerpts.
pub fn each_without_excerpts(draft: &dyn Past, from: usize, end: usize, each: &mut dyn FnMut(usize, &Message)) {
    let untold: Vec<u32> = (from..end).filter(|index| !draft.entries()[*index].has_excerpts()).map(|index| index as u32).collect();
    for some in untold.chunks(AT_ONCE) {
        for (index, message) in some.iter().zip(&draft.read(some)) {
            each(*index as usize, message);
        }
    }
}
