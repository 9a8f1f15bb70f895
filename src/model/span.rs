//! Messages in a row of which only a checkpoint is sent, as one entry says what a plan asks of them. What a run has behind it must not cost more
//! with each edit. Which messages these are is decided in `plan::covered`.

use serde::{Deserialize, Serialize};

use crate::model::fingerprint::{Chain, Prefix};
use crate::model::message::Role;

/// No span is longer, so that damaged bytes ask for no more memory than that.
pub const MOST_MESSAGES: usize = 1 << 20;

/// What an entry of a list stands for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum StandsFor {
    /// Its message.
    #[default]
    Itself,
    /// A span, whose first message this is.
    Span(Box<Span>),
    /// Nothing: the span that it belongs to says all.
    Nothing,
}

/// All that a plan asks of messages in a row that it neither sends nor reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// How many they are.
    pub messages: u32,
    /// Parts of the history up to their end, and the chain over them.
    pub end: (u32, Chain),
    /// The outline of the history up to their end.
    pub outline: Prefix,
    /// Their estimated tokens, without those that any message takes.
    pub tokens: u32,
    /// Messages of the model.
    pub answers: u32,
    /// The role of the last one that is not the user's.
    pub last_role: Option<Role>,
    /// Whether a message of the user behind it begins a turn; nothing where none of them says.
    pub ends_turn: Option<bool>,
    /// Tools whose calls needed the user's approval: of the first span of a list, all that were known when it was made.
    pub approved: Vec<String>,
    /// Hashes of the ids of its calls, and of those that an approval was requested for.
    pub ids: Vec<u32>,
    /// One of them has a mark for the provider's cache.
    pub has_cache_mark: bool,
}
