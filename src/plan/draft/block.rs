//! A provider's compaction block in a draft: an immovable message. What stands before Anthropic's is not read, what stands before OpenAI's is. A checkpoint
//! stands behind the newest block before its end; the message of the block, and what belongs to that, stay before it. Decides nothing.

use std::ops::Range;

use super::Draft;
use crate::model::entry::Entry;
use crate::model::history::History;
use crate::providers::blocks::Blocks;
use crate::providers::thinking::Thinking;
use crate::state::Checkpoint;

/// The messages that hold blocks which the model reads, and the first message behind system messages that it reads.
pub fn blocks_of(history: &History<'_>, reads: Blocks) -> (Vec<usize>, usize) {
    let History { entries, lead, .. } = history;
    let mut blocks: Vec<usize> = (*lead..entries.len()).filter(|at| reads.are_in(&entries[*at])).collect();
    let newest = blocks.last().copied().filter(|newest| entries[*newest].compacts_all_before());
    let first = newest.unwrap_or(*lead);
    // Where nobody knows which blocks the model reads, it reads those that are like the newest.
    blocks.retain(|block| *block >= first && entries[*block].compacts_all_before() == newest.is_some());
    (blocks, first)
}

impl Draft<'_> {
    /// First message behind system messages that the model reads.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Estimated tokens of what the model reads of the list as it came.
    pub fn unedited_tokens(&self) -> u64 {
        let entries = self.history.entries;
        let read = entries[..self.history.lead].iter().chain(&entries[self.first..]);
        read.map(|entry: &Entry| u64::from(entry.tokens())).sum()
    }

    /// Whether no block stands for what comes before it.
    pub fn reads_all(&self) -> bool {
        self.first == self.history.lead
    }

    /// Whether a message holds a block: then nothing of it changes.
    pub fn holds_block(&self, message: usize) -> bool {
        self.blocks.contains(&message)
    }

    /// Messages that stay before the checkpoint.
    pub fn block(&self) -> Range<usize> {
        self.checkpoint.as_ref().map_or(0..0, |checkpoint| checkpoint.block.clone())
    }

    /// The messages that a fold up to `end` keeps before its checkpoint: the newest block, and what belongs to its message.
    pub fn block_before(&self, end: usize) -> Range<usize> {
        let block = self.blocks.iter().rfind(|block| **block < end);
        // What the checkpoint that the list begins with does not tell stays before the next, whatever blocks this model reads.
        let untold = self.checkpoint.as_ref().filter(|own| own.in_place && own.recorded.behind_parts > 0);
        block.map_or(untold.map_or(0..0, |own| own.block.clone()), |block| {
            let unit = self.history.unit_of(*block);
            unit.start.max(self.first)..unit.end.min(end)
        })
    }

    /// Whether a checkpoint up to `end` tells all that it would take the place of. What stands before a block was not folded with it, and another
    /// model may read that.
    pub fn tells_all(&self, checkpoint: &Checkpoint, end: usize) -> bool {
        checkpoint.behind_parts <= self.history.boundary(self.block_before(end).end).0
    }

    /// No fold ends before this: its checkpoint would stand before the newest block.
    pub(super) fn behind_blocks(&self) -> usize {
        self.blocks.last().map_or(0, |block| self.history.unit_of(*block).end)
    }

    /// Whether the running tool loop began with a thought in the message of the newest block, and must go on beginning with it: a checkpoint behind the
    /// block would begin another.
    pub(super) fn loop_begins_in_block(&self) -> bool {
        let thinks = |block: &usize| self.history.entries[*block].parts.iter().any(|part| part.leads_loop);
        self.thinking == Thinking::LeadsLoop && self.blocks.last().is_some_and(|block| *block >= self.history.loop_start() && thinks(block))
    }

    /// Estimated tokens of the messages that a fold up to `end` keeps before and behind its checkpoint.
    pub fn kept_tokens(&self, end: usize) -> u64 {
        let (block, head) = (self.block_before(end), self.head_of(end));
        self.span_tokens(block.start, block.end) + self.span_tokens(head.start, head.end)
    }

    /// Estimated tokens of what a fold up to `end` takes the place of, the block and what belongs to that apart.
    pub fn folding_tokens(&self, end: usize) -> u64 {
        let (start, block) = (self.start(), self.block_before(end));
        self.span_tokens(start, end) - self.span_tokens(block.start.max(start), block.end)
    }

    /// Whether a message is sent although a checkpoint covers it.
    pub fn is_kept(&self, message: usize) -> bool {
        self.block().contains(&message) || self.head().contains(&message)
    }
}
