//! Which thoughts a draft still sends, and what it must keep of a tool loop that began with one (`thinking.rs`).
//! The rest of a draft is in `draft.rs`.

use std::ops::Range;

use super::Draft;
use crate::model::entry::Kind;
use crate::model::history::Place;
use crate::providers::thinking::Thinking;
use crate::state::{FoldState, Head, Prefix};

impl Draft<'_> {
    /// Whether a thought is not sent, because an edit has changed what stood before it or before one that follows.
    pub fn leaves_out(&self, place: Place) -> bool {
        self.thinking == Thinking::Bound
            && self.thoughts.parts > 0
            && self.history.part(place).kind == Kind::Reasoning
            && self.history.part_index(place) < self.thoughts.parts
            && !self.holds_block(place.message)
    }

    /// Whether any edit of what stands before a part leaves it out.
    pub fn is_left_out_by_edits(&self, place: Place) -> bool {
        self.thinking == Thinking::Bound && self.history.part(place).kind == Kind::Reasoning && !self.holds_block(place.message)
    }

    /// Whether a message is thoughts alone, so that any edit of what stands before it leaves it out.
    pub fn is_message_left_out_by_edits(&self, message: usize) -> bool {
        let parts = self.history.entries[message].parts.len();
        parts > 0 && (0..parts).all(|part| self.is_left_out_by_edits(Place { message, part }))
    }

    /// Whether reasoning of a message is sent that is not signed. A signed thought is bound to what stands before it at most; other
    /// reasoning may be one item with the text after it (OpenAI).
    pub fn sends_unsigned_thoughts(&self, message: usize) -> bool {
        self.history.places(message, message + 1).any(|place| {
            let part = self.history.part(place);
            part.kind == Kind::Reasoning && !part.leads_loop && !self.leaves_out(place)
        })
    }

    /// Whether there is such reasoning in a message that no edit of others leaves out.
    pub fn may_send_unsigned_thoughts(&self, message: usize) -> bool {
        self.history.places(message, message + 1).any(|place| {
            let part = self.history.part(place);
            part.kind == Kind::Reasoning && !part.leads_loop && !self.is_left_out_by_edits(place)
        })
    }

    /// Whether nothing of a message is left to be sent.
    pub(super) fn leaves_out_all(&self, message: usize) -> bool {
        let parts = self.history.entries[message].parts.len();
        self.thinking == Thinking::Bound && parts > 0 && (0..parts).all(|part| self.leaves_out(Place { message, part }))
    }

    /// Finds which thoughts have lost their prefix so far. When the history is not the one that the state is about, all have.
    pub fn hold_thoughts(&mut self) {
        let FoldState { thoughts, planned_parts, planned_chain, planned_wording, .. } = *self.history.state;
        let planned = Prefix { parts: planned_parts, chain: planned_chain };
        // A shorter history was cut off at its end, as when an answer is made anew: what stands before the cut is as it was.
        let is_cut_off = self.history.prefix().parts <= planned.parts;
        let is_as_sent = || self.history.begins_with(planned) && self.wording(planned.parts) == planned_wording;
        let goes_on = planned.parts == 0 || is_cut_off || is_as_sent();
        let is_recognized = goes_on && (thoughts.parts == 0 || self.history.begins_with(thoughts));
        self.has_foreign_state = !is_recognized && thoughts != Prefix::ALL;
        let all: Vec<Place> = self.places().filter(|place| self.history.part(*place).kind == Kind::Reasoning).collect();
        self.lose_thoughts(match is_recognized {
            true => thoughts,
            false if all.is_empty() => Prefix::default(),
            false => self.history.prefix(),
        });
        self.newest_thought = all.into_iter().rfind(|place| self.history.part_index(*place) >= self.thoughts.parts);
    }

    /// The wording of what is sent of these parts of the history.
    pub fn wording(&self, parts: u32) -> u64 {
        let seen = self.places().filter(|place| self.history.fingerprint(*place) != 0 && self.history.part_index(*place) < parts);
        seen.fold(0, |before, place| {
            let part = self.history.part(place);
            let wording = if self.change(place).is_some() { 0 } else { part.wording };
            part.worded_as(before, self.history.fingerprint(place), wording)
        })
    }

    /// Thoughts of the history up to here have lost their prefix, the older ones with them: none that is sent may stand before one that is not.
    pub(super) fn lose_thoughts(&mut self, thoughts: Prefix) {
        if self.thinking != Thinking::Bound {
            self.thoughts = thoughts;
            return;
        }
        let messages: Vec<usize> = self.block().chain(self.head()).chain(self.start()..self.history.entries.len()).collect();
        let sent = |draft: &Self| messages.iter().map(|message| draft.span_tokens(*message, message + 1)).sum::<u64>();
        let before = sent(self);
        self.thoughts = thoughts;
        self.total = (self.total + sent(self)).saturating_sub(before);
        self.find_bridges();
    }

    /// An edit of this part takes the prefix of the thoughts after it.
    pub(super) fn lose_thoughts_before(&mut self, place: Place) {
        if self.newest_thought.is_some_and(|thought| (thought.message, thought.part) > (place.message, place.part)) {
            self.newest_thought = None;
            self.lose_thoughts(self.history.prefix());
        }
    }

    /// All thoughts of the history so far have lost their prefix to something that is no edit.
    pub fn lose_all_thoughts(&mut self) {
        if self.newest_thought.take().is_some() {
            self.lose_thoughts(self.history.prefix());
        }
    }

    /// How many parts of reasoning are not sent.
    pub fn left_out_thoughts(&self) -> usize {
        self.places().filter(|place| self.leaves_out(*place)).count()
    }

    /// Whether what the state says of thoughts is about another history.
    pub fn has_foreign_state(&self) -> bool {
        self.has_foreign_state
    }

    /// Which thoughts were left out, after this draft (`state::FoldState::thoughts`).
    pub fn thoughts(&self) -> Prefix {
        self.thoughts
    }

    /// Where a fold may end, oldest first, behind what is folded: no pair is separated.
    pub fn fold_ends(&self) -> impl DoubleEndedIterator<Item = usize> {
        let start_of_loop = self.start_of_loop().unwrap_or_default();
        let can_fold = !self.loop_begins_in_block();
        // There is nothing to fold between the start of the loop and its end.
        self.history
            .unit_starts((self.start() + 1).max(self.behind_blocks()))
            .filter(move |end| can_fold && (*end <= start_of_loop.start || *end > start_of_loop.end))
    }

    /// The messages with which the running tool loop begins, when the model demands that it goes on beginning with them: the first answer,
    /// which begins with a thought, and its results.
    fn start_of_loop(&self) -> Option<Range<usize>> {
        if self.thinking != Thinking::LeadsLoop {
            return None;
        }
        let (loop_start, head) = (self.history.loop_start(), self.head());
        // What was folded of the loop before is no part of it any more.
        let first = if loop_start < self.start() && !head.is_empty() { head.start } else { loop_start.max(self.start()) };
        let answer = (first..self.history.entries.len()).find(|message| self.history.entries[*message].is_answer())?;
        // What belongs to a block stays before the checkpoint.
        self.history.thoughtful_unit(answer).filter(|unit| unit.start >= self.behind_blocks())
    }

    /// The messages that a fold up to `end` must keep behind its checkpoint, so that the running tool loop begins with its thought.
    pub fn head_of(&self, end: usize) -> Range<usize> {
        self.start_of_loop().filter(|start| start.end < end).unwrap_or_default()
    }

    /// The head of a fold up to `end`, as parts of the history.
    pub fn recorded_head(&self, end: usize) -> Option<Head> {
        let head = self.head_of(end);
        (!head.is_empty()).then(|| self.history.head_at(head))
    }
}
