//! Cuts a piece that is no token into tokens, as byte-pair encoding does, in time linear in its length.
//! Knows no characters.
//!
//! Byte-pair encoding merges, again and again, the pair with the smallest number, the leftmost of equals. Two things follow
//! from that, shown in the `bpe` crate (github/rust-gems), whose method for short pieces this is:
//!
//! - A sequence of tokens is the encoding of its bytes exactly when each two neighbors are the encoding of their own bytes.
//!   So text is cut from left to right: the longest token that goes with the one before it is taken; where none does, the one
//!   before it is given up for a shorter one. That is fast, except for text made to be slow: where too much is given up, the
//!   text is merged pair by pair with a queue (`window`), which takes about the same time for any text.
//! - The same holds for the place where two encodings meet. So the queue works on windows of bounded size.

use crate::vocabulary::{SINGLE_BYTES, Token, Vocabulary};
use crate::window::Window;

/// Memory for cutting one piece after the other.
pub struct Merger {
    /// A bit for each place in the piece where a token begins; none for its own beginning.
    borders: Bits,
    /// A bit for each place in the piece from which no way leads to its end.
    dead_ends: Bits,
    /// What was found out about two neighbors, the last of each hash: both tokens, and whether they go together in the lowest bit.
    neighbors: Box<[u64]>,
    window: Window,
}

const NEIGHBORS_BITS: u32 = 14;

/// Up to this length a piece is merged by looking through all its pairs each time, which nothing beats when there are few.
const FEW_BYTES: usize = 12;
/// One token is given up for so many bytes at most, and this often before.
const BYTES_PER_RETREAT: usize = 16;
const FREE_RETREATS: usize = 64;
/// The queue gets windows of so many bytes.
const WINDOW: usize = 1024;
/// Where a window ends inside a piece, its last tokens depend on what follows. So many bytes are cut again by the next window.
const OVERLAP: usize = 128;

impl Merger {
    /// Has seen nothing.
    pub fn new() -> Self {
        Self {
            borders: Bits::default(),
            dead_ends: Bits::default(),
            neighbors: vec![0; 1 << NEIGHBORS_BITS].into(),
            window: Window::default(),
        }
    }

    /// How many tokens the first bytes of a text are cut into, which are a piece and no token.
    pub fn count(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize) -> u32 {
        match length {
            0..=2 => length as u32,
            // Had two merges been possible, the second one would have made it a token.
            3 => 3 - u32::from(vocabulary.may_find(text, 0, 2) || vocabulary.may_find(text, 1, 2)),
            4..=FEW_BYTES => count_few(vocabulary, text, length),
            _ => self.cut(vocabulary, text, length),
        }
    }

    #[inline(never)]
    fn cut(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize) -> u32 {
        self.borders.clear(length);
        self.dead_ends.clear(length);
        let settled = self.cut_from_left(vocabulary, text, length);
        if settled < length {
            self.cut_by_queue(vocabulary, text, length, settled);
        }
        self.borders.count() + 1
    }

    /// Returns the end of the piece or, when too much has to be given up, where the last token began that was found.
    fn cut_from_left(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize) -> usize {
        let mut retreats = 0;
        let mut start = 0;
        let mut before = None;
        let mut most = length;
        while start < length {
            if let Some(token) = self.next_token(vocabulary, text, start, most, before) {
                if start > 0 {
                    self.borders.add(start);
                }
                before = Some(token);
                start += vocabulary.length(token);
                most = length - start;
                continue;
            }
            retreats += 1;
            let previous = self.take_back(start);
            if start == 0 || retreats > FREE_RETREATS + start / BYTES_PER_RETREAT {
                return previous;
            }
            self.dead_ends.add(start);
            most = start - previous - 1;
            start = previous;
            before = self.token_before(vocabulary, text, start);
        }
        length
    }

    /// The longest token at `start`, of at most so many bytes, that goes with the one before it and ends where a way may lead on.
    #[inline]
    fn next_token(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, mut most: usize, before: Option<Token>) -> Option<Token> {
        while most > 0 {
            let length = vocabulary.longest_length(text, start, most);
            most = length - 1;
            let end = start + length;
            if self.dead_ends.has(end) {
                continue;
            }
            let Some(token) = vocabulary.find(text, start, end) else { continue };
            match before {
                Some(before) if !self.go_together(vocabulary, text, start, before, token) => {}
                _ => return Some(token),
            }
        }
        None
    }

    /// The token that ends at this border.
    fn token_before(&self, vocabulary: &Vocabulary, text: &[u8], border: usize) -> Option<Token> {
        if border == 0 { None } else { vocabulary.find(text, self.borders.last_before(border), border) }
    }

    /// Cuts the rest window by window; up to `start` the piece is cut.
    #[inline(never)]
    fn cut_by_queue(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize, mut start: usize) {
        let mut end = start;
        // How many tokens are cut again when two windows do not fit; more each time, so that in the end they do.
        let mut retreat = 1;
        loop {
            end = length.min(end.max(start + WINDOW));
            self.window.merge(vocabulary, &text[start..], end - start);
            let before = self.token_before(vocabulary, text, start);
            let fits = match (before, self.window.tokens().next()) {
                (Some(before), Some(token)) => are_neighbors(vocabulary, text, start, before, token),
                _ => true,
            };
            if !fits {
                for _ in 0..retreat {
                    start = self.take_back(start);
                }
                retreat *= 2;
                continue;
            }
            let mut place = start;
            for token in self.window.tokens() {
                if place > 0 {
                    self.borders.add(place);
                }
                place += vocabulary.length(token);
            }
            if end == length {
                return;
            }
            retreat = 1;
            start = end;
            while start > 0 && end - start < OVERLAP {
                start = self.take_back(start);
            }
        }
    }

    /// Takes back the token that ends at `start`, and returns where it began.
    fn take_back(&mut self, start: usize) -> usize {
        let previous = self.borders.last_before(start);
        self.borders.remove(previous);
        previous
    }

    /// `are_neighbors`, remembered: text repeats itself, hostile text most of all.
    #[inline]
    fn go_together(&mut self, vocabulary: &Vocabulary, text: &[u8], border: usize, left: Token, right: Token) -> bool {
        // Never 0, which stands for nothing.
        let question = u64::from(left + 1) << 32 | u64::from(right) << 1;
        let place = (question.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - NEIGHBORS_BITS)) as usize;
        let known = self.neighbors[place];
        if known & !1 == question {
            return known & 1 == 1;
        }
        let answer = are_neighbors(vocabulary, text, border, left, right);
        self.neighbors[place] = question | u64::from(answer);
        answer
    }
}

/// How many tokens a piece of few bytes, which is no token, is merged into.
#[inline(never)]
fn count_few(vocabulary: &Vocabulary, text: &[u8], length: usize) -> u32 {
    // Of the token that begins at a place and the next one: the number of what they are merged into, and the place below it.
    // All numbers here are of places where tokens begin; others keep what is larger than any.
    let mut merges = [u32::MAX; FEW_BYTES];
    let mut tokens = [0; FEW_BYTES];
    // A bit for each place where a token begins, and for the end.
    let mut borders = (2 << length) - 1;
    let entry = |merged: Option<Token>, place: usize| merged.map_or(u32::MAX, |token| token << PLACE_BITS | place as u32);
    for place in 0..length {
        tokens[place] = vocabulary.of_byte(text[place]);
        if place + 1 < length {
            merges[place] = entry(vocabulary.find_pair(text, place), place);
        }
    }
    loop {
        let first = merges.iter().fold(u32::MAX, |first, merge| first.min(*merge));
        if first == u32::MAX {
            return u32::count_ones(borders) - 1;
        }
        let place = first as usize & ((1 << PLACE_BITS) - 1);
        tokens[place] = first >> PLACE_BITS;
        let next = border_after(borders, place);
        borders ^= 1 << next;
        merges[next] = u32::MAX;
        let end = border_after(borders, place);
        merges[place] = u32::MAX;
        if end < length {
            let merged = vocabulary.find_merge(text, place, border_after(borders, end), (tokens[place], tokens[end]));
            merges[place] = entry(merged, place);
        }
        if place > 0 {
            let previous = (borders & ((1 << place) - 1)).ilog2() as usize;
            let merged = vocabulary.find_merge(text, previous, end, (tokens[previous], tokens[place]));
            merges[previous] = entry(merged, previous);
        }
    }
}

const PLACE_BITS: u32 = 8;

#[inline]
fn border_after(borders: u32, place: usize) -> usize {
    place + 1 + (borders >> (place + 1)).trailing_zeros() as usize
}

/// A bit for each place in a piece.
#[derive(Default)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// None for all places up to this one.
    fn clear(&mut self, last: usize) {
        self.words.clear();
        self.words.resize(last / 64 + 1, 0);
    }

    #[inline]
    fn add(&mut self, place: usize) {
        self.words[place / 64] |= 1 << (place % 64);
    }

    #[inline]
    fn remove(&mut self, place: usize) {
        self.words[place / 64] &= !(1 << (place % 64));
    }

    #[inline]
    fn has(&self, place: usize) -> bool {
        self.words[place / 64] >> (place % 64) & 1 != 0
    }

    /// The last place before this one that has a bit, or 0.
    fn last_before(&self, place: usize) -> usize {
        let mut index = place / 64;
        let mut word = self.words[index] & ((1 << (place % 64)) - 1);
        while word == 0 && index > 0 {
            index -= 1;
            word = self.words[index];
        }
        word.checked_ilog2().map_or(0, |bit| index * 64 + bit as usize)
    }

    fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }
}

/// Whether byte-pair encoding of the bytes of `left` and `right`, which meet at `border`, gives these two tokens.
///
/// Undoes the merges inside of both, the latest first, and asks at each step whether a merge across the border would have come
/// before the one just undone.
fn are_neighbors(vocabulary: &Vocabulary, text: &[u8], border: usize, mut left: Token, mut right: Token) -> bool {
    let mut start = border - vocabulary.length(left);
    let mut end = border + vocabulary.length(right);
    // Merges across the border happen only if their number is below this one.
    let mut limit = Token::MAX;
    loop {
        if vocabulary.find_merge(text, start, end, (left, right)).is_some_and(|merged| merged < limit) {
            return false;
        }
        // Single bytes have the smallest numbers, so when the later merge is none, nothing is left to undo.
        if left.max(right) < SINGLE_BYTES {
            return true;
        }
        // Of two equal merges the left one happens first, so that undoing `right` lets a merge of the same number pass.
        if left > right {
            limit = left;
            left = vocabulary.halves(left).1;
            start = border - vocabulary.length(left);
        } else {
            limit = right + 1;
            right = vocabulary.halves(right).0;
            end = border + vocabulary.length(right);
        }
    }
}
