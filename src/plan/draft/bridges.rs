//! Where the assistant's message stands that keeps two messages of the user apart. The app's own may stand side by side, as they do in its
//! list; what stepfold puts among them, a checkpoint or an enqueued message, never does. Some models refuse it (Perplexity; the chat templates
//! of Mistral, Gemma and Llama 2), and it is one rule for all.

use super::{Draft, DraftCheckpoint};
use crate::model::entry::{Entry, Kind};
use crate::model::message::Role;
use crate::tokens::MESSAGE_TOKENS;
use crate::words::bridge::BRIDGE;

/// Who speaks in a message, as chat templates see it: calls, results and system messages take no part in turns.
#[derive(Clone, Copy, PartialEq)]
enum Speaker {
    User,
    Assistant,
    Nobody,
}

fn speaker(entry: &Entry) -> Speaker {
    match entry.role() {
        Role::User => Speaker::User,
        Role::Assistant if entry.parts.iter().all(|part| part.kind != Kind::Call) => Speaker::Assistant,
        _ => Speaker::Nobody,
    }
}

/// Who spoke last in what is sent.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Nobody,
    Assistant,
    /// The user, in a message of the app's.
    User,
    /// The user, in a message that is not the app's, or behind which one of the app's is missing.
    UserApart,
    /// A checkpoint that an earlier build made.
    EarlierCheckpoint,
}

impl Draft<'_> {
    /// Messages before which a bridge stands.
    pub(super) fn bridges(&self) -> &[usize] {
        &self.bridges
    }

    /// Estimated tokens of so many bridges.
    pub(super) fn bridge_tokens(&self, bridges: usize) -> u64 {
        if bridges == 0 { 0 } else { bridges as u64 * u64::from(MESSAGE_TOKENS + self.count(BRIDGE)) }
    }

    /// Finds anew where bridges stand, after a change of what is sent.
    pub(super) fn find_bridges(&mut self) {
        let bridges = self.bridges_behind(self.checkpoint.as_ref());
        self.total = (self.total + self.bridge_tokens(bridges.len())).saturating_sub(self.bridge_tokens(self.bridges.len()));
        self.bridges = bridges;
    }

    /// Where bridges stand behind this checkpoint.
    pub(super) fn bridges_behind(&self, checkpoint: Option<&DraftCheckpoint>) -> Vec<usize> {
        let mut bridges = Vec::new();
        let mut last = match checkpoint {
            Some(_) if self.keeps_neighbours => Last::EarlierCheckpoint,
            Some(_) => Last::UserApart,
            None => Last::Nobody,
        };
        let start = match checkpoint {
            Some(checkpoint) if checkpoint.in_place => self.history.lead + 1,
            Some(checkpoint) => checkpoint.end,
            None => self.history.lead,
        };
        for message in start..self.history.entries.len() {
            let entry = &self.history.entries[message];
            if self.leaves_out_all(message) {
                // Without it the app's messages about it would touch.
                last = if last == Last::User { Last::UserApart } else { last };
                continue;
            }
            let is_ours = self.inserted.contains(&message);
            match speaker(entry) {
                Speaker::User => {
                    let touches = match last {
                        Last::User => is_ours,
                        Last::UserApart => true,
                        Last::EarlierCheckpoint | Last::Assistant | Last::Nobody => false,
                    };
                    if touches {
                        bridges.push(message);
                    }
                    last = if is_ours { Last::UserApart } else { Last::User };
                }
                Speaker::Assistant => last = Last::Assistant,
                Speaker::Nobody => {}
            }
        }
        bridges
    }
}
