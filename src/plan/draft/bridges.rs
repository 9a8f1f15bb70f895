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

/// What says nothing, thoughts or a blank text, may be missing when the list comes back from a store: it is nobody's turn.
fn speaker(entry: &Entry) -> Speaker {
    let says = entry.is_own() || entry.parts.iter().any(|part| part.fingerprint != 0);
    match entry.role() {
        Role::User => Speaker::User,
        Role::Assistant if says && entry.parts.iter().all(|part| part.kind != Kind::Call) => Speaker::Assistant,
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
    /// The user, in a message that is not the app's.
    UserApart,
    /// A checkpoint that an earlier build made.
    EarlierCheckpoint,
}

impl<'a> Draft<'a> {
    /// Takes in which messages the session has inserted.
    pub fn insert(&mut self, inserted: &'a [usize]) {
        self.inserted = inserted;
        self.find_bridges();
    }

    /// Until the next edit a message of the user may stand beside the checkpoint.
    pub fn keeps_neighbours(&self) -> bool {
        self.keeps_neighbours
    }

    /// Something is edited anew: what may stand side by side until then no longer does.
    pub(super) fn edited(&mut self) {
        if std::mem::take(&mut self.keeps_neighbours) {
            self.find_bridges();
        }
    }

    /// Messages before which a bridge stands.
    pub(super) fn bridges(&self) -> &[usize] {
        &self.bridges
    }

    /// Estimated tokens of the messages of ours from `start` on, which are in the list already.
    pub(super) fn tokens_of_own(&self, start: usize) -> u64 {
        // What stands before a block that compacts all before it is not in the total.
        let own = (start.max(self.first)..self.history.entries.len()).filter(|message| self.history.is_own(*message));
        own.map(|message| u64::from(self.history.entries[message].tokens())).sum()
    }

    /// Estimated tokens of what stepfold puts among messages behind this checkpoint, and has put there before.
    pub(super) fn own_tokens_behind(&self, checkpoint: Option<&DraftCheckpoint>) -> u64 {
        let start = checkpoint.filter(|checkpoint| !checkpoint.in_place).map_or(0, |checkpoint| checkpoint.end);
        let bridges = self.bridges_behind(checkpoint).len() as u64;
        let each = if bridges == 0 { 0 } else { MESSAGE_TOKENS + self.count(BRIDGE) };
        bridges * u64::from(each) + self.tokens_of_own(start)
    }

    /// Finds anew where bridges stand, after a change of what is sent.
    pub(super) fn find_bridges(&mut self) {
        let own_tokens = self.own_tokens_behind(self.checkpoint.as_ref());
        self.total = (self.total + own_tokens).saturating_sub(self.own_tokens);
        (self.bridges, self.own_tokens) = (self.bridges_behind(self.checkpoint.as_ref()), own_tokens);
    }

    /// Where bridges stand behind this checkpoint.
    pub(super) fn bridges_behind(&self, checkpoint: Option<&DraftCheckpoint>) -> Vec<usize> {
        let mut bridges = Vec::new();
        let mut last = match checkpoint {
            Some(_) if self.keeps_neighbours => Last::EarlierCheckpoint,
            Some(_) => Last::UserApart,
            None => Last::Nobody,
        };
        let (head, start) = match checkpoint {
            Some(checkpoint) if checkpoint.in_place => (0..0, self.history.own_at + 1),
            Some(checkpoint) => (checkpoint.head.clone(), checkpoint.end),
            None => (0..0, self.history.lead),
        };
        for message in head.chain(start..self.history.entries.len()) {
            let entry = &self.history.entries[message];
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
