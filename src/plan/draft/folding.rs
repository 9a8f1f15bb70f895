//! Folds in a draft: a checkpoint in place of messages, and what that adds and removes. Decides nothing.

use super::{Draft, DraftCheckpoint};
use crate::model::fingerprint::Fingerprint;
use crate::model::history::Place;
use crate::plan::behind::Behind;
use crate::plan::draft::carried::{CarriedAlong, carried_along, tokens_behind};
use crate::state::Checkpoint;
use crate::tokens::{MESSAGE_TOKENS, saturate};
use crate::words::checkpoint::{checkpoint_text, checkpoint_tokens};

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
        self.edited();
        self.fold(checkpoint);
        self.newest_thought = None;
        self.lose_thoughts(self.history.prefix());
    }

    /// Whether a fold would save more than this many tokens.
    pub fn would_save(&self, recorded: Checkpoint, end: usize, tokens: u32) -> bool {
        let checkpoint = self.draft_checkpoint(recorded, end);
        self.saving(&checkpoint) > u64::from(tokens)
    }

    fn saves(&self, checkpoint: &DraftCheckpoint) -> bool {
        self.saving(checkpoint) > 0
    }

    /// Estimated tokens that a fold saves.
    fn saving(&self, checkpoint: &DraftCheckpoint) -> u64 {
        let added = self.added(checkpoint) + self.own_tokens_behind(Some(checkpoint));
        (self.replaced(checkpoint.end) + self.own_tokens).saturating_sub(added)
    }

    /// Estimated tokens that a fold adds: the checkpoint and what it keeps before and behind it.
    fn added(&self, DraftCheckpoint { block, head, carried_tokens, tokens, .. }: &DraftCheckpoint) -> u64 {
        u64::from(*tokens) + carried_tokens + self.span_tokens(block.start, block.end) + self.span_tokens(head.start, head.end)
    }

    /// Estimated tokens that a fold up to `end` removes.
    fn replaced(&self, end: usize) -> u64 {
        let carried = self.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.carried_tokens);
        let kept = [self.block(), self.head(), self.start()..end];
        let kept_tokens = kept.into_iter().map(|span| self.span_tokens(span.start, span.end)).sum::<u64>();
        kept_tokens + u64::from(self.checkpoint_tokens()) + carried
    }

    /// Folds as was decided before.
    pub fn hold_fold(&mut self, recorded: Checkpoint, end: usize) {
        let checkpoint = self.draft_checkpoint(recorded, end);
        self.fold(checkpoint);
    }

    fn draft_checkpoint(&self, recorded: Checkpoint, end: usize) -> DraftCheckpoint {
        let end = self.history.past_settings(end);
        let own = if self.source.estimates() { checkpoint_tokens(&recorded) } else { self.source.count(&checkpoint_text(&recorded)) };
        let copies = self.find_media(&recorded.media, end);
        let media_tokens: u64 = copies.iter().map(|place| u64::from(self.history.part(*place).tokens)).sum();
        let tokens = saturate(u64::from(MESSAGE_TOKENS) + u64::from(own) + media_tokens);
        let block = self.block_before(end);
        let head = recorded.head.and_then(|head| self.history.find_head(head));
        let head = head.filter(|head| head.end <= end && head.start >= block.end).unwrap_or_default();
        let CarriedAlong { before, after, .. } = carried_along(self, end, &head);
        let carried_tokens = tokens_behind(self, &before) + tokens_behind(self, &after);
        DraftCheckpoint { recorded, copies, block, head, end, in_place: false, carried: [before, after], carried_tokens, tokens }
    }

    fn fold(&mut self, checkpoint: DraftCheckpoint) {
        let (end, block, head) = (checkpoint.end, checkpoint.block.clone(), checkpoint.head.clone());
        self.total = (self.total + self.added(&checkpoint)).saturating_sub(self.replaced(end));
        let stands = |place: &Place| place.message >= end || block.contains(&place.message) || head.contains(&place.message);
        self.changes.retain(|place, _| stands(place));
        self.expected.retain(|place, _| stands(place));
        self.checkpoint = Some(checkpoint);
        self.find_bridges();
    }

    /// Estimated tokens of what a fold up to `end` carries because it acts by being there.
    pub fn carried_tokens(&self, end: usize) -> u64 {
        let CarriedAlong { before, after, .. } = carried_along(self, end, &(0..0));
        tokens_behind(self, &before) + tokens_behind(self, &after)
    }

    /// Whole messages that stand behind the checkpoint because they act by being there.
    pub fn carried_messages(&self) -> Vec<usize> {
        let behind = self.checkpoint.iter().flat_map(|checkpoint| checkpoint.carried.iter().flatten());
        behind.filter_map(|behind| if let Behind::Message { message } = behind { Some(*message) } else { None }).collect()
    }

    /// Estimated tokens of the checkpoint, if there is one.
    pub fn checkpoint_tokens(&self) -> u32 {
        self.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.tokens)
    }

    /// Pictures and files that the checkpoint carries along.
    pub fn copies(&self) -> &[Place] {
        self.checkpoint.as_ref().map_or(&[], |checkpoint| &checkpoint.copies)
    }

    /// Leaves out the oldest picture or file that the checkpoint carries along, and says whether there was one.
    pub fn leave_out_copy(&mut self) -> bool {
        let Some(checkpoint) = self.checkpoint.as_ref().filter(|checkpoint| !checkpoint.copies.is_empty()) else { return false };
        let (mut recorded, end) = (checkpoint.recorded.clone(), checkpoint.end);
        recorded.carry_last(checkpoint.copies.len() - 1);
        self.fold_anyway(recorded, end);
        true
    }

    /// Where these stand before `end`: the newest that are equal, as what a checkpoint carries along came last.
    fn find_media(&self, media: &[Fingerprint], end: usize) -> Vec<Place> {
        let history = self.history;
        let attached: Vec<Place> = match media {
            [] => Vec::new(),
            _ => history.places(history.lead, end).filter(|place| history.is_attached(*place)).collect(),
        };
        let mut before = attached.len();
        let newest = media.iter().rev().filter_map(|media| {
            before = attached[..before].iter().rposition(|place| history.fingerprint(*place) == *media)?;
            Some(attached[before])
        });
        let mut found: Vec<Place> = newest.collect();
        found.reverse();
        found
    }
}
