//! Folds in a draft: a checkpoint in place of messages, and what that adds and removes. Decides nothing.

use super::{Draft, DraftCheckpoint};
use crate::digest::record::CarriedMedia;
use crate::model::history::Place;
use crate::state::Checkpoint;
use crate::tokens::{MESSAGE_TOKENS, saturate};
use crate::words::checkpoint::{checkpoint_text, checkpoint_tokens};

/// Leaves out a picture or file that a checkpoint carries along: what it was is said beside its message.
pub fn leave_out(checkpoint: &mut Checkpoint, at: usize) {
    let CarriedMedia { step, title, .. } = checkpoint.media.remove(at);
    checkpoint.record.attach(step, &title);
}

impl Draft<'_> {
    /// Folds everything from the start of the history up to `end` into `recorded`, unless that saves nothing. Returns whether it did.
    pub fn try_fold(&mut self, recorded: Checkpoint, end: usize) -> bool {
        let checkpoint = self.draft_checkpoint(recorded, end);
        let saves = self.saves(&checkpoint);
        if saves {
            self.fold_new(checkpoint);
        }
        saves
    }

    /// Folds even where that saves nothing, on the way to a fold that does.
    pub fn fold_anyway(&mut self, recorded: Checkpoint, end: usize) {
        self.fold_new(self.draft_checkpoint(recorded, end));
    }

    fn fold_new(&mut self, checkpoint: DraftCheckpoint) {
        for place in self.places().filter(|place| place.message < checkpoint.end) {
            // What a tool brought in the user's name stands among the user's words.
            if !self.tools.speaks_for_user(&self.history.part(place).name) {
                self.want_digest(place);
            }
        }
        self.fold(checkpoint);
        self.newest_thought = None;
        self.lose_thoughts(self.history.prefix());
    }

    /// Whether a fold would save more than this many tokens.
    pub fn would_save(&self, recorded: Checkpoint, end: usize, tokens: u32) -> bool {
        let checkpoint = self.draft_checkpoint(recorded, end);
        self.added(&checkpoint) + u64::from(tokens) < self.replaced(end)
    }

    fn saves(&self, checkpoint: &DraftCheckpoint) -> bool {
        self.added(checkpoint) < self.replaced(checkpoint.end)
    }

    /// Estimated tokens that a fold adds: the checkpoint and what it keeps behind it.
    fn added(&self, checkpoint: &DraftCheckpoint) -> u64 {
        u64::from(checkpoint.tokens) + self.span_tokens(checkpoint.head.start, checkpoint.head.end)
    }

    /// Estimated tokens that a fold up to `end` removes.
    fn replaced(&self, end: usize) -> u64 {
        let head = self.head();
        self.span_tokens(head.start, head.end) + self.span_tokens(self.start(), end) + u64::from(self.checkpoint_tokens())
    }

    /// Folds as was decided before.
    pub fn hold_fold(&mut self, recorded: Checkpoint, end: usize) {
        let checkpoint = self.draft_checkpoint(recorded, end);
        self.fold(checkpoint);
    }

    fn draft_checkpoint(&self, recorded: Checkpoint, end: usize) -> DraftCheckpoint {
        let own = if self.source.estimates() { checkpoint_tokens(&recorded) } else { self.source.count(&checkpoint_text(&recorded)) };
        let copies = self.find_media(&recorded.media, end);
        let media_tokens: u64 = copies.iter().map(|place| u64::from(self.history.part(*place).tokens)).sum();
        let tokens = saturate(u64::from(MESSAGE_TOKENS) + u64::from(own) + media_tokens);
        let head = recorded.head.and_then(|head| self.history.find_head(head)).filter(|head| head.end <= end).unwrap_or_default();
        DraftCheckpoint { recorded, copies, head, end, in_place: false, tokens }
    }

    fn fold(&mut self, checkpoint: DraftCheckpoint) {
        let (end, head) = (checkpoint.end, checkpoint.head.clone());
        self.total = (self.total + self.added(&checkpoint)).saturating_sub(self.replaced(end));
        let stands = |place: &Place| place.message >= end || head.contains(&place.message);
        self.changes.retain(|place, _| stands(place));
        self.expected.retain(|place, _| stands(place));
        self.checkpoint = Some(checkpoint);
    }

    /// Estimated tokens of the checkpoint, if there is one.
    pub fn checkpoint_tokens(&self) -> u32 {
        self.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.tokens)
    }

    /// Pictures and files that the checkpoint carries along.
    pub fn copies(&self) -> &[Place] {
        self.checkpoint.as_ref().map_or(&[], |checkpoint| &checkpoint.copies)
    }

    /// Leaves out the oldest picture or file that the checkpoint carries along. Returns the tokens this saves; nothing where it saves none.
    pub fn leave_out_copy(&mut self) -> Option<u32> {
        let checkpoint = self.checkpoint.as_ref().filter(|checkpoint| !checkpoint.in_place && !checkpoint.copies.is_empty())?;
        let (before, mut recorded) = (checkpoint.tokens, checkpoint.recorded.clone());
        let oldest = recorded.media.len() - checkpoint.copies.len();
        leave_out(&mut recorded, oldest);
        let without = self.draft_checkpoint(recorded, checkpoint.end);
        let saved = before.checked_sub(without.tokens).filter(|saved| *saved > 0)?;
        self.total -= u64::from(saved);
        self.checkpoint = Some(without);
        self.newest_thought = None;
        self.lose_thoughts(self.history.prefix());
        Some(saved)
    }

    /// Where these stand before `end`: the newest that are equal, as what a checkpoint carries along came last.
    fn find_media(&self, media: &[CarriedMedia], end: usize) -> Vec<Place> {
        let (history, mut found) = (self.history, Vec::new());
        if media.is_empty() {
            return found;
        }
        let mut attached: Vec<Place> = history.places(history.lead, end).filter(|place| history.is_attached(*place)).collect();
        for carried in media.iter().rev() {
            if let Some(at) = attached.iter().rposition(|place| history.fingerprint(*place) == carried.fingerprint) {
                found.push(attached[at]);
                attached.truncate(at);
            }
        }
        found.reverse();
        found
    }
}
