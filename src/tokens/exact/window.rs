//! Byte-pair encoding as it is defined: the pair with the smallest number is merged, the leftmost of equals, until there is none.
//! For stretches of bounded size; `merge` puts them together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::{Token, Vocabulary};

/// Two tokens that have no merge, or of which one is gone.
const NO_MERGE: Token = Token::MAX;

/// The tokens of a stretch of text while they are merged. A token is named by the place of its first byte.
#[derive(Default)]
pub struct Window {
    parts: Vec<Part>,
    /// Merges that were possible when they were found: number and place in one.
    queue: BinaryHeap<Reverse<u64>>,
    /// Where tokens were made whose neighbors are to be looked at.
    made: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Part {
    token: Token,
    /// What this token and the next one are merged into, or `NO_MERGE`.
    merged: Token,
    previous: u32,
    next: u32,
}

impl Window {
    /// Merges all that can be merged in the first bytes of a text.
    pub fn merge(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize) {
        self.parts.clear();
        self.parts.extend((0u32..).zip(&text[..length]).map(|(place, byte)| Part {
            token: vocabulary.of_byte(*byte),
            merged: NO_MERGE,
            previous: place.wrapping_sub(1),
            next: place + 1,
        }));
        self.queue.clear();
        for place in 0..length as u32 {
            self.look_up(vocabulary, text, place);
        }
        while let Some(Reverse(first)) = self.queue.pop() {
            let merged = (first >> 32) as Token;
            self.merge_with_next(first as u32, merged);
            // All merges of one number first: whatever comes of them has a larger one, and would mostly be merged away.
            while let Some(Reverse(next)) = self.queue.peek()
                && (next >> 32) as Token == merged
            {
                let place = *next as u32;
                self.queue.pop();
                self.merge_with_next(place, merged);
            }
            while let Some(place) = self.made.pop() {
                self.look_up_around(vocabulary, text, place);
            }
        }
    }

    /// The tokens, in order.
    pub fn tokens(&self) -> impl Iterator<Item = Token> {
        let mut place = 0;
        std::iter::from_fn(move || {
            let part = self.parts.get(place)?;
            place = part.next as usize;
            Some(part.token)
        })
    }

    /// Merges, unless one of the two tokens is another by now.
    #[inline]
    fn merge_with_next(&mut self, place: u32, merged: Token) {
        let part = self.parts[place as usize];
        if part.merged != merged {
            return;
        }
        let next = part.next as usize;
        let after_next = self.parts[next].next;
        self.parts[next].merged = NO_MERGE;
        if let Some(previous) = self.parts.get_mut(part.previous as usize) {
            previous.merged = NO_MERGE;
        }
        if let Some(after) = self.parts.get_mut(after_next as usize) {
            after.previous = place;
        }
        self.parts[place as usize] = Part { token: merged, merged: NO_MERGE, next: after_next, ..part };
        self.made.push(place);
    }

    /// Looks at a new token and both of its neighbors.
    #[inline]
    fn look_up_around(&mut self, vocabulary: &Vocabulary, text: &[u8], place: u32) {
        self.look_up(vocabulary, text, place);
        let previous = self.parts[place as usize].previous;
        // A new token looks at its next one by itself.
        if (previous as usize) < self.parts.len() {
            self.look_up(vocabulary, text, previous);
        }
    }

    /// Finds out what the token at `place` and the next one are merged into.
    #[inline]
    fn look_up(&mut self, vocabulary: &Vocabulary, text: &[u8], place: u32) {
        let part = self.parts[place as usize];
        if part.merged != NO_MERGE {
            return;
        }
        let merged = self.parts.get(part.next as usize).and_then(|next| {
            let halves = (part.token, next.token);
            vocabulary.find_merge(text, place as usize, next.next as usize, halves)
        });
        self.parts[place as usize].merged = merged.unwrap_or(NO_MERGE);
        if let Some(merged) = merged {
            self.queue.push(Reverse(u64::from(merged) << 32 | u64::from(place)));
        }
    }
}
