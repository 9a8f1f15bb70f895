//! Where the running turn begins, and the tool loop in it. What the user attached.

use std::ops::Range;

use super::{History, Place, is_put_in};
use crate::model::entry::{Entry, Kind};
use crate::model::message::Role;
use crate::model::span::StandsFor;

impl History<'_> {
    /// The first message of the user that is being answered: what is said while the model works belongs to the same turn.
    pub fn turn_start(&self) -> usize {
        self.turn_start
    }

    /// Whether a message of the user behind the last of these begins a turn; nothing where they do not say.
    pub fn ends_turn(&self, messages: Range<usize>) -> Option<bool> {
        self.entries[messages].iter().rev().filter(|entry| !is_put_in(entry, self.state)).find_map(Entry::ends_turn)
    }

    /// Whether a part is a picture or file that came with a message of the user.
    pub fn is_attached(&self, place: Place) -> bool {
        self.part(place).kind == Kind::Media && self.entries[place.message].role() == Role::User
    }
}

/// The first message of the running tool loop: everything after the newest message of the user. A message of the user right after
/// results is sent in one message with them and does not end the loop.
pub(super) fn loop_start(entries: &[Entry]) -> usize {
    let (mut start, mut before) = (0, None);
    for (index, entry) in entries.iter().enumerate() {
        match entry.role() {
            _ if entry.stands_for == StandsFor::Nothing || entry.is_own() => {}
            _ if let Some(span) = entry.span() => before = span.last_role.or(before),
            Role::User if before != Some(Role::Tool) => start = index + 1,
            Role::User => {}
            role => before = Some(role),
        }
    }
    start
}

/// The first of the messages with which the user began the newest turn: the model's answer without a call stands before it. Where a message of
/// the user follows results, or another of theirs, the turn goes on. `entries`: those of the app, by index. `own`: where our checkpoint stands, and whether it ends with a turn.
pub(super) fn turn_start<'a>(entries: impl Iterator<Item = (usize, &'a Entry)>, own: Option<(usize, bool)>) -> usize {
    let (mut start, mut is_over) = (0, true);
    for (index, entry) in entries {
        if is_over && entry.role() == Role::User && entry.stands_for == StandsFor::Itself {
            start = index;
        }
        let ends_turn = own.filter(|(at, _)| *at == index).map_or_else(|| entry.ends_turn(), |(_, ends_turn)| Some(ends_turn));
        is_over = ends_turn.unwrap_or(is_over);
    }
    start
}
