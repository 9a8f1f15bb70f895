//! The tokens of an encoding and how to find one by its bytes.
//! Knows neither where they come from (`table`) nor how a text is cut into them (`merge`).

use std::ops::Range;

use crate::key::{KEY_BYTES, Key, hash};

/// Number of a token, which is also its rank: of two possible merges the one with the smaller number happens first.
pub type Token = u32;

/// Bytes of the longest token in both encodings.
pub const MAX_TOKEN_BYTES: usize = 128;

/// The first tokens are the single bytes, in an order of their own.
pub const SINGLE_BYTES: Token = 256;

/// A slot of the hash table: the token in the low bits, a tag in the others, so that most misses are seen without a look at the bytes.
const TOKEN_BITS: u32 = 18;
const TOKEN_MASK: u32 = (1 << TOKEN_BITS) - 1;
/// Slots hold the token plus one, so that fresh memory is empty.
const EMPTY: u32 = 0;

/// Two thirds of the slots are used at most.
const SLOT_BITS: u32 = 18;

/// Short tokens have a table of their own, in which the bytes themselves stand beside the token: merging asks for them most often,
/// and then needs to look nowhere else.
const SHORT_BYTES: usize = 4;
const SHORT_BITS: u32 = 17;

/// The lengths of tokens are kept per hash of their first bytes.
const PREFIX_BITS: u32 = 16;
const PREFIX_BYTES: usize = 4;
/// Longer ones share a bit: there are few of them.
const LONG_TOKEN: usize = PREFIX_BYTES + 31;
const LONG_BIT: u32 = 1 << 31;

/// Engines start with slow code and exchange whole functions, so that a loop is only as fast as what it calls: work on this many
/// tokens is a call.
const BATCH: usize = 1024;

/// All tokens, with their bytes, their merges and an index by bytes.
pub struct Vocabulary {
    /// The bytes of all tokens, in order, and `KEY_BYTES` more, so that a key can be read at any token.
    bytes: Vec<u8>,
    /// Where each token begins in `bytes`, and where the last one ends.
    starts: Vec<u32>,
    /// The two tokens that are merged into this one; a single byte is merged from itself and itself.
    merges: Vec<(Token, Token)>,
    /// Tokens longer than `SHORT_BYTES`, by hash.
    slots: Vec<u32>,
    /// The others, by hash: the bytes, their number from bit 32 on, the token from bit 40 on.
    short: Vec<u64>,
    of_byte: [Token; 256],
    /// Lengths of the tokens whose first bytes have this hash: bit n for length `PREFIX_BYTES` + n, the last bit for all longer ones.
    lengths: Vec<u32>,
    /// Lengths of the tokens that share a bit: bit n for length n + 1.
    long_lengths: u128,
}

impl Vocabulary {
    /// The single bytes, and for each other token the two that are merged into it; `total_bytes` is how long all are together.
    ///
    /// Works in passes over all tokens, not token by token: what one token waits for in memory then does not hold up the next.
    pub fn new(single_bytes: &[u8; 256], merges: Vec<(Token, Token)>, total_bytes: usize) -> Self {
        let mut vocabulary = Self {
            bytes: vec![0; total_bytes + KEY_BYTES],
            starts: (0..=SINGLE_BYTES).collect(),
            slots: vec![EMPTY; 1 << SLOT_BITS],
            short: vec![0; 1 << SHORT_BITS],
            of_byte: [0; 256],
            lengths: vec![0; 1 << PREFIX_BITS],
            long_lengths: 0,
            merges,
        };
        vocabulary.bytes[..256].copy_from_slice(single_bytes);
        for (token, byte) in (0..).zip(single_bytes) {
            vocabulary.of_byte[usize::from(*byte)] = token;
        }
        let tokens = vocabulary.merges.len();
        vocabulary.starts.reserve_exact(tokens);
        for first in (256..tokens).step_by(BATCH) {
            vocabulary.spell(first..tokens.min(first + BATCH));
        }
        for first in (0..tokens).step_by(BATCH) {
            vocabulary.index(first..tokens.min(first + BATCH));
        }
        vocabulary
    }

    /// Writes the bytes of some tokens.
    #[inline(never)]
    fn spell(&mut self, tokens: Range<usize>) {
        let mut end = self.starts[tokens.start] as usize;
        for token in tokens {
            let (left, right) = self.merges[token];
            end = self.append(left, end);
            end = self.append(right, end);
            self.starts.push(end as u32);
        }
    }

    /// Copies a token to `end` and returns where the copy ends.
    #[inline]
    fn append(&mut self, token: Token, end: usize) -> usize {
        let range = self.range(token);
        let length = range.len();
        // Whole blocks: what is too much is overwritten by the next token.
        match (self.bytes.get(range.start..range.start + KEY_BYTES), end + KEY_BYTES <= self.bytes.len()) {
            (Some(block), true) if length <= KEY_BYTES => {
                let mut copy = [0; KEY_BYTES];
                copy.copy_from_slice(block);
                self.bytes[end..end + KEY_BYTES].copy_from_slice(&copy);
            }
            _ => self.bytes.copy_within(range, end),
        }
        end + length
    }

    /// Makes some tokens findable.
    #[inline(never)]
    fn index(&mut self, tokens: Range<usize>) {
        for token in tokens {
            let range = self.range(token as Token);
            let length = range.len();
            if length >= PREFIX_BYTES {
                let index = prefix_index(&self.bytes, range.start);
                self.lengths[index] |= 1 << (length.min(LONG_TOKEN) - PREFIX_BYTES);
            }
            if length >= LONG_TOKEN {
                self.long_lengths |= 1 << (length.min(MAX_TOKEN_BYTES) - 1);
            }
            if length <= SHORT_BYTES {
                let question = short_question(Key::read(&self.bytes, range.start, length), length);
                let mut slot = short_slot(question);
                while self.short[slot] != 0 {
                    slot = next_short_slot(slot);
                }
                self.short[slot] = question | (token as u64) << SHORT_TOKEN_SHIFT;
                continue;
            }
            let hash = hash(&self.bytes, range.start, length);
            let mut slot = slot_of(hash);
            while self.slots[slot] != EMPTY {
                slot = next_slot(slot);
            }
            self.slots[slot] = tag_of(hash) | (token as u32 + 1);
        }
    }

    /// The token with the bytes from `start` to `end`, of which there is at least one.
    #[inline]
    pub fn find(&self, text: &[u8], start: usize, end: usize) -> Option<Token> {
        let length = end - start;
        if length > KEY_BYTES {
            return self.find_long(text, start, end);
        }
        let key = Key::read(text, start, length);
        if length <= SHORT_BYTES {
            return self.find_short(key, length);
        }
        self.probe(key.hash(length), |token| {
            let range = self.range(token);
            range.len() == length && Key::read(&self.bytes, range.start, length) == key
        })
    }

    #[inline]
    fn find_short(&self, key: Key, length: usize) -> Option<Token> {
        let question = short_question(key, length);
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
        self.probe(hash(text, start, end - start), |token| self.bytes[self.range(token)] == text[start..end])
    }

    /// The token that two tokens are merged into that meet while a text is merged; their bytes are those from `start` to `end`.
    ///
    /// A token with these bytes is merged from these two: others with the same bytes cannot meet, because the same merges led to them.
    #[inline]
    pub fn find_merge(&self, text: &[u8], start: usize, end: usize, halves: (Token, Token)) -> Option<Token> {
        let length = end - start;
        if length <= SHORT_BYTES {
            return self.find_short(Key::read(text, start, length), length);
        }
        // Most pairs have no merge, which is seen soonest here.
        let known = self.lengths[prefix_index(text, start)] >> (length.min(LONG_TOKEN) - PREFIX_BYTES);
        if length > MAX_TOKEN_BYTES || known & 1 == 0 {
            return None;
        }
        // Equal halves make equal bytes.
        self.probe(hash(text, start, length), |token| self.merges[token as usize] == halves)
    }

    #[inline]
    fn probe(&self, hash: u64, is_meant: impl Fn(Token) -> bool) -> Option<Token> {
        let tag = tag_of(hash);
        let mut slot = slot_of(hash);
        loop {
            let entry = self.slots[slot];
            if entry == EMPTY {
                return None;
            }
            if entry & !TOKEN_MASK == tag && is_meant((entry & TOKEN_MASK) - 1) {
                return Some((entry & TOKEN_MASK) - 1);
            }
            slot = next_slot(slot);
        }
    }

    /// The lengths that a token at `start` may have, none of them beyond `end`: bit n for length n + 1.
    #[inline]
    pub fn token_lengths(&self, text: &[u8], start: usize, end: usize) -> u128 {
        let length = end - start;
        // Tokens shorter than a prefix are not in `lengths`.
        let mut lengths = (1 << (PREFIX_BYTES - 1)) - 1;
        if length >= PREFIX_BYTES {
            let by_prefix = self.lengths[prefix_index(text, start)];
            lengths |= u128::from(by_prefix & !LONG_BIT) << (PREFIX_BYTES - 1);
            if by_prefix & LONG_BIT != 0 {
                lengths |= self.long_lengths;
            }
        }
        if length < MAX_TOKEN_BYTES { lengths & ((1 << length) - 1) } else { lengths }
    }

    /// The token of a single byte.
    #[inline]
    pub fn of_byte(&self, byte: u8) -> Token {
        self.of_byte[usize::from(byte)]
    }

    /// The two halves of a token; a single byte is its own halves.
    #[inline]
    pub fn halves(&self, token: Token) -> (Token, Token) {
        self.merges[token as usize]
    }

    /// How many bytes a token has.
    #[inline]
    pub fn length(&self, token: Token) -> usize {
        self.range(token).len()
    }

    #[inline]
    fn range(&self, token: Token) -> Range<usize> {
        let token = token as usize;
        self.starts[token] as usize..self.starts[token + 1] as usize
    }
}

#[inline]
fn slot_of(hash: u64) -> usize {
    (hash >> (64 - SLOT_BITS)) as usize
}

#[inline]
fn next_slot(slot: usize) -> usize {
    (slot + 1) & ((1 << SLOT_BITS) - 1)
}

const SHORT_TOKEN_SHIFT: u32 = 40;

/// What an entry of the short table begins with.
#[inline]
fn short_question(key: Key, length: usize) -> u64 {
    key.low | (length as u64) << 32
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

/// Of the bytes at `start`, of which there are enough.
#[inline]
fn prefix_index(text: &[u8], start: usize) -> usize {
    let prefix = text[start..].first_chunk().map_or(0, |prefix: &[u8; PREFIX_BYTES]| u32::from_le_bytes(*prefix));
    (prefix.wrapping_mul(0x9E37_79B1) >> (32 - PREFIX_BITS)) as usize
}
