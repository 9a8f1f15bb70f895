//! What stands where a message of the user would otherwise follow another one of the user, though the app's do not: some models refuse that.
//! The same bytes for ever, since they stand in people's prompt caches.

pub use crate::model::carried::BRIDGE;
use crate::model::entry::Entry;
use crate::model::message::Role;

/// What an assistant has to say between these messages and one of the user; empty where nothing has to stand there.
pub fn before_user(entries: &[Entry]) -> &'static str {
    if entries.last().is_some_and(|entry| entry.role() == Role::User) { BRIDGE } else { "" }
}

/// What stands in place of an output that is carried for the tools that were added behind it.
pub const CARRIED_RESULT: &str = "[Old result cleared to save context.]";
