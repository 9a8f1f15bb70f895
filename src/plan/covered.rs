//! What the next plan is told of messages of which only a checkpoint is sent: a few spans, and the messages that a plan asks more of. What a
//! run has behind it must not cost more with each edit. Decides nothing: a plan on these is the plan on all entries.

use crate::model::entry::{Entry, Span, StandsFor};
use crate::model::message::Role;
use crate::plan::draft::Draft;
use crate::state::FoldState;
use crate::text::hash::HashSet;

/// A piece of the list.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// The entry of the next message.
    Entry,
    /// What is asked of the next messages.
    Span(Span),
}

/// The pieces of the list up to where the checkpoint ends that is sent.
pub fn pieces(draft: &Draft<'_>, state: &FoldState) -> Vec<Piece> {
    let history = draft.history;
    let covered = draft.covered();
    let (Some(checkpoint), Some(end)) = (&draft.checkpoint, covered.last().map(|covered| covered.end)) else { return Vec::new() };
    let entries = &history.entries[..end];
    if history.own_checkpoint.is_some() || entries.iter().any(Entry::has_native_compaction) {
        return Vec::new();
    }
    let last = |end: usize, is: &dyn Fn(Role) -> bool| {
        entries[..end].iter().rposition(|entry| entry.stands_for == StandsFor::Itself && is(entry.role()))
    };
    let by_others = |role: Role| role != Role::User;
    let loop_start = history.loop_start();
    // What stands before a message of the user says whether that ends the running loop.
    let users = [last(end, &|role| role == Role::User), loop_start.checked_sub(1).filter(|user| *user < end)];
    let users = users.into_iter().flatten().flat_map(|user| [Some(user), last(user, &by_others)]);
    let newest = [last(end, &by_others), last(end, &|role| role == Role::Assistant)];
    let mut kept: HashSet<usize> = users.chain(newest).flatten().chain(checkpoint.copies.iter().map(|copy| copy.message)).collect();
    kept.extend(history.thoughtful_unit(loop_start).into_iter().flatten());
    kept.extend(history.open_before(end));
    // An older checkpoint is found again where it ends.
    let ends: Vec<usize> = state.checkpoints.iter().filter_map(|older| history.find_boundary(older.parts, older.chain)).collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if kept.contains(&at) || !covered.iter().any(|covered| covered.contains(&at)) {
            pieces.push(Piece::Entry);
            continue;
        }
        if ends.contains(&at) || !matches!(pieces.last(), Some(Piece::Span(_))) {
            pieces.push(Piece::Span(Span::default()));
        }
        if let Some(Piece::Span(span)) = pieces.last_mut() {
            span.add(entry, history.boundary(at + 1));
        }
    }
    pieces
}

/// The entries of a list that begins with these pieces. `entry` gives that of a message by its place.
pub fn without_covered(pieces: &[Piece], messages: usize, entry: &mut dyn FnMut(usize) -> Entry) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(messages);
    for piece in pieces {
        match piece {
            Piece::Entry => entries.push(entry(entries.len())),
            Piece::Span(span) => entries.append(&mut Entry::of_span(span)),
        }
    }
    entries.extend((entries.len()..messages).map(entry));
    entries
}
