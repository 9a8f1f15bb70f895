//! Byte-pair encoding as it is defined: the pair with the smallest number is merged, the leftmost of equals, until there is none.
//! For stretches of bounded size; `merge` puts them together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::{Token, Vocabulary};

/// Two tokens that have no merge, or of which one is gone.
pub const NO_MERGE: Token = Token::MAX;

/// The tokens of a stretch of text while they are merged. A token is named by the place of its first byte.
#[derive(Default)]
pub struct Window {
    parts: Vec<Part>,
    /// Merges that were possible when they were found: number and place in one.
    queue: BinaryHeap<Reverse<u64>>,
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
            let (merged, place) = ((first >> 32) as Token, first as u32);
            if self.parts[place as usize].merged == merged {
                self.merge_with_next(vocabulary, text, place, merged);
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

    fn merge_with_next(&mut self, vocabulary: &Vocabulary, text: &[u8], place: u32, merged: Token) {
        let next = self.parts[place as usize].next as usize;
        self.parts[next].merged = NO_MERGE;
        let after_next = self.parts[next].next;
        let part = &mut self.parts[place as usize];
        part.token = merged;
        part.next = after_next;
        let previous = part.previous;
        if let Some(after) = self.parts.get_mut(after_next as usize) {
            after.previous = place;
        }
        self.look_up(vocabulary, text, place);
        if (previous as usize) < self.parts.len() {
            self.look_up(vocabulary, text, previous);
        }
    }

    /// Finds out what the token at `place` and the next one are merged into.
    #[inline]
    fn look_up(&mut self, vocabulary: &Vocabulary, text: &[u8], place: u32) {
        let part = self.parts[place as usize];
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
