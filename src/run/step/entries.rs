//! The entries of a request. Those of messages that a checkpoint covers are not unpacked again: what a plan asks of them is remembered beside
//! their bytes. Not state: they say the same when all are unpacked.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::model::entry::{Entry, packed_entries, read_entries};
use crate::model::fingerprint::{Chain, Fingerprint};
use crate::plan::{Piece, without_covered};
use crate::state::{FoldState, Head};
use crate::text::hash::mix;

/// Edits of all conversations on a server: of each the newest is of use.
const EDITS: usize = 512;

/// What the pieces depend on of a checkpoint.
type Covers = (u32, Chain, Option<Head>, Vec<Fingerprint>);

/// What is known of the entries that a list begins with.
#[derive(PartialEq)]
struct Known {
    checkpoints: Vec<Covers>,
    bytes: usize,
    hash: u64,
    pieces: Vec<Piece>,
}

thread_local! {
    static KNOWN: RefCell<VecDeque<Known>> = const { RefCell::new(VecDeque::new()) };
}

fn covers(state: &FoldState) -> Vec<Covers> {
    state.checkpoints.iter().map(|checkpoint| (checkpoint.parts, checkpoint.chain, checkpoint.head, checkpoint.media.clone())).collect()
}

/// The entries of a list whose run goes on from this state, as far as a plan asks for them.
pub fn read_uncovered(bytes: &[u8], state: &FoldState) -> Vec<Entry> {
    let checkpoints = covers(state);
    let knows = |known: &&Known| {
        let begins_alike = || bytes.get(..known.bytes).is_some_and(|bytes| mix(0, bytes) == known.hash);
        known.checkpoints.last() == checkpoints.last()
            && checkpoints.iter().all(|covers| known.checkpoints.contains(covers))
            && begins_alike()
    };
    let is_behind = |parts: u32| parts == 0 || checkpoints.last().is_some_and(|newest| newest.0 <= parts);
    let pieces = KNOWN.with_borrow(|all| all.iter().find(knows).map(|known| known.pieces.clone()));
    let Some(pieces) = pieces.filter(|_| is_behind(state.thoughts.parts) && is_behind(state.planned_parts)) else {
        return read_entries(bytes);
    };
    let packed: Vec<&[u8]> = packed_entries(bytes).collect();
    without_covered(&pieces, packed.len(), &mut |at| Entry::from_bytes(packed[at]).unwrap_or_else(Entry::unreadable))
}

/// Remembers what the next plan need know of a list, after which it goes on from this state.
pub fn remember(bytes: &[u8], state: &FoldState, pieces: Vec<Piece>) {
    if pieces.is_empty() {
        return;
    }
    let messages = pieces.iter().map(|piece| if let Piece::Span(span) = piece { span.messages } else { 1 }).sum();
    let length = packed_entries(bytes).take(messages).map(|entry| entry.len() + size_of::<u32>()).sum::<usize>().min(bytes.len());
    let known = Known { checkpoints: covers(state), bytes: length, hash: mix(0, &bytes[..length]), pieces };
    KNOWN.with_borrow_mut(|all| {
        all.retain(|other| *other != known);
        all.truncate(EDITS - 1);
        all.push_front(known);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::{Span, StandsFor, measure, write_entry};
    use crate::model::message::{Message, Role};
    use crate::state::Checkpoint;

    fn packed(texts: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        texts.iter().for_each(|text| write_entry(&measure(&Message::text(Role::User, *text)), &mut bytes));
        bytes
    }

    #[test]
    fn what_a_checkpoint_covers_is_told_by_a_span_where_list_and_checkpoints_are_those_that_it_is_known_of() {
        let state = |parts: u32| FoldState { checkpoints: vec![Checkpoint { parts, ..Checkpoint::default() }], ..FoldState::default() };
        let bytes = packed(&["one", "two", "three", "four"]);
        let all = read_entries(&bytes);
        let mut span = Span::default();
        all[..2].iter().for_each(|entry| span.add(entry, (2, Chain::default())));
        remember(&bytes, &state(3), vec![Piece::Span(span), Piece::Entry]);
        let known = read_uncovered(&packed(&["one", "two", "three", "four", "five"]), &state(3));
        let tokens = |entries: &[Entry]| entries.iter().map(Entry::tokens).sum::<u32>();
        assert!(known.len() == 5 && known[2..4] == all[2..] && tokens(&known[..2]) == tokens(&all[..2]));
        assert!(matches!(known[0].stands_for, StandsFor::Span(_)) && known[1].stands_for == StandsFor::Nothing);
        let other = packed(&["one", "too", "three", "four"]);
        for (bytes, state) in [(&other, state(3)), (&bytes, state(4)), (&bytes, FoldState::default()), (&other[..9].to_vec(), state(3))] {
            assert_eq!(read_uncovered(bytes, &state), read_entries(bytes));
        }
    }
}
