//! The tokens of an encoding and how to find one by its bytes.
//! Knows neither where they come from (`table`) nor how a text is cut into them (`merge`).

mod entry;
mod making;

use crate::key::{KEY_BYTES, Key, hash, word_at};

pub use entry::Entry;
use entry::TOKEN_MASK;

/// Number of a token, which is also its rank: of two possible merges the one with the smaller number happens first.
pub type Token = u32;

/// Bytes of the longest token in both encodings.
pub const MAX_TOKEN_BYTES: usize = 128;

/// The first tokens are the single bytes, in an order of their own.
pub const SINGLE_BYTES: Token = 256;

/// A slot of the hash table: the token in the low bits (`TOKEN_MASK`), a tag in the others, so that most misses are seen without a
/// look at the bytes. Empty is the first token, a single byte, which the table does not hold.
const EMPTY: u32 = 0;

/// Tokens of three and four bytes have a table of their own, in which the bytes themselves stand beside the token: merging asks
/// for them most often, and then needs to look nowhere else. Those of two bytes are found by the bytes alone.
const SHORT_BYTES: usize = 4;
const SHORT_BITS: u32 = 16;

/// Which lengths of tokens there are is kept by hash of how they begin: for short ones by their first four bytes, for the others
/// by their first eight. These tables stay in the processor's cache, so that what is no token is seldom looked for.
const HINT_BITS: u32 = 16;
const SHORT_HINT_BYTES: usize = 4;
const LONG_HINT_BYTES: usize = 8;
/// In a hint by four bytes: bit n for length n + 4, this one for all that a hint by eight bytes tells.
const GOES_ON: u8 = 1 << 4;
/// In a hint by three bytes, which shares the table: that they are a token.
const IS_TOKEN: u8 = 1 << 5;
/// In a hint by eight bytes: bit n for length n + 8, the last one for this length and all above: there are few of them.
const LONG_TOKEN: usize = LONG_HINT_BYTES + 15;

/// All tokens, with their bytes, their merges and an index by bytes.
pub struct Vocabulary {
    /// The bytes of all tokens, in order, and `KEY_BYTES` more, so that a key can be read at any token.
    bytes: Vec<u8>,
    /// What is known of each token (`Entry`).
    entries: Vec<u64>,
    /// Tokens longer than `SHORT_BYTES`, in the first free slot from that of their hash on. About half of the slots are free.
    slots: Vec<u32>,
    /// Tokens of three and four bytes, by hash: the bytes, their number from bit 32 on, the token from bit 40 on.
    short: Box<[u64; 1 << SHORT_BITS]>,
    /// Tokens of two bytes, by these; zero, which is a single byte, where there is none.
    pairs: Box<[Token; 1 << 16]>,
    of_byte: [Token; 256],
    short_hints: Box<[u8; 1 << HINT_BITS]>,
    long_hints: Box<[u16; 1 << HINT_BITS]>,
    /// Lengths of tokens that share a bit of a hint, the longest first.
    long_lengths: Vec<usize>,
    /// Which of `ALL` are made; the others are empty. A short text of common words asks for few of them.
    made: u8,
}

/// What is made when it is first asked for: the table of tokens of three and four bytes, that of longer ones, and the hints.
const SHORT: u8 = 1;
const LONG: u8 = 2;
const HINTED: u8 = 4;
const ALL: u8 = SHORT | LONG | HINTED;

impl Vocabulary {
    /// The token with the bytes from `start` to `end`, of which there is at least one.
    #[inline]
    pub fn find(&self, text: &[u8], start: usize, end: usize) -> Option<Token> {
        let length = end - start;
        match length {
            0 | 1 => Some(self.of_byte(text[start])),
            2 => self.find_pair(text, start),
            3 | 4 => self.find_short(word_at(text, start), length),
            5..=KEY_BYTES => {
                let key = Key::read(text, start, length);
                self.probe(key.hash(length), |token| {
                    let entry = self.entry(token);
                    entry.length() == length && Key::read(&self.bytes, entry.start(), length) == key
                })
            }
            _ => self.find_long(text, start, end),
        }
    }

    /// Whether there may be a token with these bytes, of which there are at least two. Quick, and mostly right.
    #[inline]
    pub fn may_find(&self, text: &[u8], start: usize, length: usize) -> bool {
        let beginning = word_at(text, start);
        match length {
            0..=2 => self.pairs[beginning as usize & 0xFFFF] != 0,
            3 => self.short_hints[hint_of_three(beginning)] & IS_TOKEN != 0,
            4..LONG_HINT_BYTES => self.short_hints[hint_of_four(beginning)] >> (length - SHORT_HINT_BYTES) & 1 != 0,
            _ => self.long_hints[hint_of_eight(beginning)] >> (length.min(LONG_TOKEN) - LONG_HINT_BYTES) & 1 != 0,
        }
    }

    /// The token of two bytes.
    #[inline]
    pub fn find_pair(&self, text: &[u8], start: usize) -> Option<Token> {
        let token = self.pairs[pair_index(text, start)];
        (token != 0).then_some(token)
    }

    /// The token of the first bytes of a word, three or four.
    #[inline]
    fn find_short(&self, word: u64, length: usize) -> Option<Token> {
        let question = short_question(word, length);
        let mut slot = short_slot(question);
        loop {
            let entry = self.short[slot];
            if entry == 0 {
                return None;
            }
            if entry & ((1 << SHORT_TOKEN_SHIFT) - 1) == question {
                return Some((entry >> SHORT_TOKEN_SHIFT) as Token);
            }
            slot = next_short_slot(slot);
        }
    }

    fn find_long(&self, text: &[u8], start: usize, end: usize) -> Option<Token> {
        if end - start > MAX_TOKEN_BYTES {
            return None;
        }
        self.probe(hash(text, start, end - start), |token| {
            let entry = self.entry(token);
            self.bytes[entry.start()..entry.start() + entry.length()] == text[start..end]
        })
    }

    /// The token that two tokens are merged into that meet while a text is merged; their bytes are those from `start` to `end`.
    ///
    /// A token with these bytes is merged from these two: others with the same bytes cannot meet, because the same merges led to them.
    #[inline]
    pub fn find_merge(&self, text: &[u8], start: usize, end: usize, halves: (Token, Token)) -> Option<Token> {
        let length = end - start;
        if length == 2 {
            return self.find_pair(text, start);
        }
        // Most pairs have no merge, which is seen soonest here.
        if !self.may_find(text, start, length) || length > MAX_TOKEN_BYTES {
            return None;
        }
        if length <= SHORT_BYTES {
            return self.find_short(word_at(text, start), length);
        }
        // Equal halves make equal bytes.
        self.probe(hash(text, start, length), |token| self.entry(token).halves() == halves)
    }

    #[inline]
    fn probe(&self, hash: u64, is_meant: impl Fn(Token) -> bool) -> Option<Token> {
        let tag = tag_of(hash);
        let slots = self.slots.as_slice();
        let mut slot = slot_of(hash, slots);
        loop {
            let entry = slots[slot];
            if entry == EMPTY {
                return None;
            }
            let token = entry & TOKEN_MASK;
            if entry & !TOKEN_MASK == tag && is_meant(token) {
                return Some(token);
            }
            slot = next_slot(slot, slots);
        }
    }

    /// The longest length up to `most` that a token at `start` may have; at least 1.
    #[inline]
    pub fn longest_length(&self, text: &[u8], start: usize, most: usize) -> usize {
        let beginning = word_at(text, start);
        let by_four = u32::from(self.short_hints[hint_of_four(beginning)]);
        if most >= LONG_HINT_BYTES && by_four & u32::from(GOES_ON) != 0 {
            let by_eight = u32::from(self.long_hints[hint_of_eight(beginning)]);
            if most >= LONG_TOKEN && by_eight >> (LONG_TOKEN - LONG_HINT_BYTES) != 0 {
                return self.long_lengths.iter().copied().find(|length| *length <= most).unwrap_or(LONG_TOKEN - 1);
            }
            let lengths = by_eight & low_bits(most.min(LONG_TOKEN - 1) + 1 - LONG_HINT_BYTES);
            if lengths != 0 {
                return LONG_HINT_BYTES + lengths.ilog2() as usize;
            }
        }
        if most >= SHORT_HINT_BYTES {
            let lengths = by_four & low_bits(most.min(LONG_HINT_BYTES - 1) + 1 - SHORT_HINT_BYTES);
            if lengths != 0 {
                return SHORT_HINT_BYTES + lengths.ilog2() as usize;
            }
        }
        if most >= 3 && self.short_hints[hint_of_three(beginning)] & IS_TOKEN != 0 {
            return 3;
        }
        if most >= 2 && self.pairs[beginning as usize & 0xFFFF] != 0 { 2 } else { 1 }
    }

    /// The token of a single byte.
    #[inline]
    pub fn of_byte(&self, byte: u8) -> Token {
        self.of_byte[usize::from(byte)]
    }

    /// The two halves of a token; a single byte is its own halves.
    #[inline]
    pub fn halves(&self, token: Token) -> (Token, Token) {
        self.entry(token).halves()
    }

    /// How many bytes a token has.
    #[inline]
    pub fn length(&self, token: Token) -> usize {
        self.entry(token).length()
    }

    #[inline]
    fn entry(&self, token: Token) -> Entry {
        Entry(self.entries[token as usize])
    }
}

/// A table whose length the compiler knows: no place in it is checked for. Made on the heap, the stack is too small for it.
pub(crate) fn zeros<T: Copy + Default, const LENGTH: usize>() -> Box<[T; LENGTH]> {
    vec![T::default(); LENGTH].try_into().unwrap_or_else(|_| Box::new([T::default(); LENGTH]))
}

/// The highest bits of a hash are its best ones.
#[inline]
fn slot_of(hash: u64, slots: &[u32]) -> usize {
    (hash >> 46) as usize & (slots.len() - 1)
}

#[inline]
fn next_slot(slot: usize, slots: &[u32]) -> usize {
    (slot + 1) & (slots.len() - 1)
}

const SHORT_TOKEN_SHIFT: u32 = 40;

/// What an entry of the short table begins with.
#[inline]
fn short_question(word: u64, length: usize) -> u64 {
    word & ((1 << (8 * length)) - 1) | (length as u64) << 32
}

#[inline]
fn short_slot(question: u64) -> usize {
    (question.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SHORT_BITS)) as usize
}

#[inline]
fn next_short_slot(slot: usize) -> usize {
    (slot + 1) & ((1 << SHORT_BITS) - 1)
}

#[inline]
fn tag_of(hash: u64) -> u32 {
    (hash >> 13) as u32 & !TOKEN_MASK
}

#[inline]
fn low_bits(count: usize) -> u32 {
    (1 << count) - 1
}

#[inline]
fn pair_index(text: &[u8], start: usize) -> usize {
    usize::from(text[start + 1]) << 8 | usize::from(text[start])
}

#[inline]
fn hint_of_three(word: u64) -> usize {
    hint_of_four(word & 0xFF_FFFF)
}

#[inline]
fn hint_of_four(word: u64) -> usize {
    ((word as u32).wrapping_mul(0x9E37_79B1) >> (32 - HINT_BITS)) as usize
}

#[inline]
fn hint_of_eight(word: u64) -> usize {
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - HINT_BITS)) as usize
}
