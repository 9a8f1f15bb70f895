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
