//! Byte-pair encoding as it is defined: the pair with the smallest number is merged, the leftmost of equals, until there is none.
//! For stretches of bounded size; `merge` puts them together.

use crate::vocabulary::{Token, Vocabulary};

/// The tokens of a stretch of text while they are merged. A token is named by the place of its first byte.
#[derive(Default)]
pub struct Window {
    /// What was merged last: a run repeats itself window by window.
    bytes: Vec<u8>,
    parts: Vec<Part>,
    merges: Merges,
}

#[derive(Clone, Copy)]
struct Part {
    token: Token,
    previous: u32,
    next: u32,
}

impl Window {
    /// Merges all that can be merged in the first bytes of a text.
    pub fn merge(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize) {
        if self.bytes == text[..length] {
            return;
        }
        self.bytes.clear();
        self.bytes.extend_from_slice(&text[..length]);
        self.parts.clear();
        self.parts.extend((0u32..).zip(&text[..length]).map(|(place, byte)| Part {
            token: vocabulary.of_byte(*byte),
            previous: place.wrapping_sub(1),
            next: place + 1,
        }));
        self.merges.clear(length);
        for place in 0..length.saturating_sub(1) {
            if let Some(merged) = vocabulary.find_pair(text, place) {
                self.merges.add(place, merged);
            }
        }
        self.merges.settle();
        while let Some((place, merged)) = self.merges.first() {
            self.merge_with_next(vocabulary, text, place, merged);
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

    /// Makes one token of two, and finds out what it can be merged into with each of its neighbors.
    #[inline]
    fn merge_with_next(&mut self, vocabulary: &Vocabulary, text: &[u8], place: usize, merged: Token) {
        let Part { previous, next, .. } = self.parts[place];
        let end = self.parts[next as usize].next;
        self.parts[place] = Part { token: merged, previous, next: end };
        self.merges.set(next as usize, None);
        if let Some(before) = self.parts.get(previous as usize) {
            let halves = (before.token, merged);
            self.merges.set(previous as usize, vocabulary.find_merge(text, previous as usize, end as usize, halves));
        }
        let with_next = self.parts.get_mut(end as usize).and_then(|after| {
            after.previous = place as u32;
            vocabulary.find_merge(text, place, after.next as usize, (merged, after.token))
        });
        self.merges.set(place, with_next);
    }
}

/// The merges that are possible: by place, the number of what the token there and the next one are merged into.
///
/// A tree in which each node knows the first merge below each of its children. Changes take the same few steps each time; which way
/// they take through a heap is hard to guess for a processor, so that it is twice as slow.
#[derive(Default)]
struct Merges {
    /// From the root down. The children of the lowest nodes are the places.
    nodes: Vec<[u64; CHILDREN]>,
    /// Where the lowest nodes begin.
    lowest: usize,
}

/// As many as fill a line of the processor's cache.
const CHILDREN: usize = 8;
/// Where there is no merge. Else number and place in one, which sort as the merges happen.
const NONE: u64 = u64::MAX;

impl Merges {
    /// None for so many places.
    fn clear(&mut self, places: usize) {
        let mut lowest = 0;
        let mut width = 1;
        while width * CHILDREN < places {
            lowest += width;
            width *= CHILDREN;
        }
        self.lowest = lowest;
        self.nodes.clear();
        self.nodes.resize(lowest + places.div_ceil(CHILDREN), [NONE; CHILDREN]);
    }

    /// Adds one that only `settle` makes known above.
    #[inline]
    fn add(&mut self, place: usize, merged: Token) {
        self.nodes[self.lowest + place / CHILDREN][place % CHILDREN] = entry(merged, place);
    }

    fn settle(&mut self) {
        for node in (1..self.nodes.len()).rev() {
            self.nodes[(node - 1) / CHILDREN][(node - 1) % CHILDREN] = first_of(&self.nodes[node]);
        }
    }

    /// Says what the token at a place and the next one are merged into, if anything.
    #[inline]
    fn set(&mut self, place: usize, merged: Option<Token>) {
        let mut first = merged.map_or(NONE, |merged| entry(merged, place));
        let mut node = self.lowest + place / CHILDREN;
        let mut child = place % CHILDREN;
        loop {
            let children = &mut self.nodes[node];
            if children[child] == first {
                return;
            }
            children[child] = first;
            if node == 0 {
                return;
            }
            first = first_of(children);
            child = (node - 1) % CHILDREN;
            node = (node - 1) / CHILDREN;
        }
    }

    /// The one that happens first: where, and what it makes.
    #[inline]
    fn first(&self) -> Option<(usize, Token)> {
        let first = self.nodes.first().map_or(NONE, first_of);
        (first != NONE).then_some((first as u32 as usize, (first >> 32) as Token))
    }
}

#[inline]
fn entry(merged: Token, place: usize) -> u64 {
    u64::from(merged) << 32 | place as u64
}

#[inline]
fn first_of(children: &[u64; CHILDREN]) -> u64 {
    let [a, b, c, d, e, f, g, h] = *children;
    a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
}
