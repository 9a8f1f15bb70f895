//! The compact form of an encoding, and how it is unfolded. `tools/exact-table` writes it, with the model that stands here.
//! Not a general compressor: it knows what pairs of tokens look like.
//!
//! A vocabulary is its list of merges: for each token the two tokens it is made of. Of a half is written, in this order, its kind
//! (a space before it or not, and the script and case of its first character), then its place among the tokens of that kind.
//! The place is written as its magnitude (`Magnitude`), which is likely to be small because frequent tokens came first, and the
//! bits below it. Kinds and magnitudes are coded by their frequencies, with range asymmetric numeral systems (rANS);
//! these frequencies stand before them. For `o200k_base` that makes 25 bits a merge.

use crate::characters::{Class, Classes};
use crate::pieces::Pattern;
use crate::vocabulary::{SINGLE_BYTES, Token, Vocabulary};

/// What a table unfolds to.
pub struct Table {
    /// How the encoding cuts text into pieces.
    pub pattern: Pattern,
    /// The classes of characters.
    pub classes: Classes,
    /// The tokens.
    pub vocabulary: Vocabulary,
}

/// Frequencies of one context add up to two to this power.
pub const SCALE_BITS: u32 = 11;
/// The state of the coder is at least this; below it takes in the next word of 32 bits.
pub const STATE_MIN: u64 = 1 << 31;

/// How many kinds of tokens there are.
pub const KINDS: usize = 32;
/// Contexts: the kind of the left half; the kind of the right half, by that of the left; the magnitude, by side and kind.
pub const CONTEXTS: usize = 1 + KINDS + 2 * KINDS;

/// The context of the kind of a left half.
pub const LEFT_KIND: usize = 0;

/// The context of the kind of a right half.
#[inline]
pub fn right_kind(left_kind: u8) -> usize {
    1 + usize::from(left_kind)
}

/// The context of the magnitude of a half.
#[inline]
pub fn magnitude_of(side: Side, kind: u8) -> usize {
    1 + KINDS + usize::from(kind) + if side == Side::Left { 0 } else { KINDS }
}

/// Which half of a merge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first of the two tokens.
    Left,
    /// The second.
    Right,
}

/// A place rounded down to three significant bits.
#[derive(Clone, Copy)]
pub struct Magnitude(pub u8);

impl Magnitude {
    /// The magnitude of a place, and what is above it.
    pub fn of(place: u32) -> (Self, u32) {
        let shifted = place + 4;
        let low_bits = 29 - shifted.leading_zeros();
        (Self((low_bits * 4 + (shifted >> low_bits & 3)) as u8), shifted & ((1 << low_bits) - 1))
    }

    /// How many bits are written of what is above it.
    #[inline]
    pub fn low_bits(self) -> u32 {
        u32::from(self.0) / 4
    }

    /// The smallest place of this magnitude.
    #[inline]
    pub fn smallest(self) -> u32 {
        ((4 + u32::from(self.0) % 4) << self.low_bits()) - 4
    }
}

/// Kinds with a space before what they are named after.
const AFTER_SPACE: u8 = KINDS as u8 / 2;
/// The kind of whitespace.
const WHITESPACE: u8 = 3;

/// The kind of what begins with this byte: case for ASCII, else the script, as far as UTF-8 tells.
pub fn kind_of_byte(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        b' ' | b'\n' | b'\r' | b'\t' => WHITESPACE,
        0..0x80 => 4,
        0x80..0xC0 => 5,
        0xC0..0xCA => 6,
        0xCA..0xD0 => 7,
        0xD0..0xD5 => 8,
        0xD5..0xE0 => 9,
        0xE0 => 10,
        0xE1 => 11,
        0xE2..0xE4 => 12,
        0xE4..0xEA => 13,
        0xEA..0xF0 => 14,
        0xF0.. => 15,
    }
}

/// The kind of a token made of two of these kinds.
#[inline]
pub fn kind_of_merge(left_is_space: bool, left: u8, right: u8) -> u8 {
    match (left_is_space, right < AFTER_SPACE) {
        (true, true) => AFTER_SPACE + right,
        (true, false) => AFTER_SPACE + WHITESPACE,
        (false, _) => left,
    }
}

/// Unfolds a whole table. What it cannot read it takes for zeros.
pub fn unfold(table: &[u8]) -> Table {
    let mut bytes = Bytes { rest: table };
    let pattern = if bytes.next() == 0 { Pattern::O200k } else { Pattern::Cl100k };
    let tokens = bytes.number() as usize;
    let mut single_bytes = [0; 256];
    single_bytes.fill_with(|| bytes.next());

    let runs = bytes.number();
    let classes = Classes::from_runs((0..runs).map(|_| {
        let run = bytes.number() as usize;
        (run >> 3, Class::from_number(run as u8 & 7))
    }));

    let total_bytes = bytes.number() as usize;
    let models: Vec<Model> = (0..CONTEXTS).map(|_| Model::read(&mut bytes)).collect();
    let mut merges = Merges::new(&single_bytes, models, Decoder::new(bytes.rest), tokens);
    while merges.known.len() < tokens {
        merges.unfold(BATCH.min(tokens - merges.known.len()));
    }
    Table { pattern, classes, vocabulary: Vocabulary::new(&single_bytes, merges.known, total_bytes) }
}

/// Engines start with slow code and exchange whole functions, so that a loop is only as fast as what it calls: this many merges
/// are a call.
const BATCH: usize = 1024;

/// The merges unfolded so far.
struct Merges<'a> {
    known: Vec<(Token, Token)>,
    /// The tokens of each kind.
    members: [Vec<Token>; KINDS],
    space: Token,
    models: Vec<Model>,
    decoder: Decoder<'a>,
}

impl<'a> Merges<'a> {
    fn new(single_bytes: &[u8; 256], models: Vec<Model>, decoder: Decoder<'a>, tokens: usize) -> Self {
        let mut known = Vec::with_capacity(tokens);
        let mut members = std::array::from_fn(|_| Vec::new());
        let mut space = 0;
        for (token, byte) in (0..SINGLE_BYTES).zip(single_bytes) {
            known.push((token, token));
            members[usize::from(kind_of_byte(*byte))].push(token);
            if *byte == b' ' {
                space = token;
            }
        }
        Self { known, members, space, models, decoder }
    }

    #[inline(never)]
    fn unfold(&mut self, count: usize) {
        for _ in 0..count {
            let (left_kind, left) = self.unfold_half(Side::Left, LEFT_KIND);
            let (right_kind, right) = self.unfold_half(Side::Right, right_kind(left_kind));
            let kind = kind_of_merge(left == self.space, left_kind, right_kind);
            self.members[usize::from(kind) % KINDS].push(self.known.len() as Token);
            self.known.push((left, right));
        }
    }

    #[inline]
    fn unfold_half(&mut self, side: Side, kind_context: usize) -> (u8, Token) {
        let kind = self.decoder.symbol(&self.models[kind_context]) % KINDS as u8;
        let magnitude = Magnitude(self.decoder.symbol(&self.models[magnitude_of(side, kind)]));
        let place = magnitude.smallest() + self.decoder.bits(magnitude.low_bits());
        (kind, self.members[usize::from(kind)].get(place as usize).copied().unwrap_or(0))
    }
}

/// Frequencies of the symbols of one context.
struct Model {
    /// For each number below the scale, the symbol in whose interval it lies.
    symbols: Vec<u8>,
    /// Of each symbol: where its interval begins, and its length.
    intervals: Vec<(u32, u32)>,
}

impl Model {
    /// Frequencies up to the last that is not zero; none of them for a context that does not occur.
    fn read(bytes: &mut Bytes) -> Self {
        let count = bytes.number();
        let mut symbols = Vec::with_capacity(1 << SCALE_BITS);
        let intervals = (0..count)
            .map(|symbol| {
                let (start, frequency) = (symbols.len(), bytes.number() as usize);
                symbols.resize((start + frequency).min(1 << SCALE_BITS), symbol as u8);
                (start as u32, frequency as u32)
            })
            .collect();
        Self { symbols, intervals }
    }
}

/// Reads symbols that were coded by their frequencies.
struct Decoder<'a> {
    state: u64,
    words: &'a [u8],
}

impl<'a> Decoder<'a> {
    fn new(words: &'a [u8]) -> Self {
        let mut decoder = Self { state: 0, words };
        decoder.state = u64::from(decoder.word()) << 32;
        decoder.state |= u64::from(decoder.word());
        decoder
    }

    #[inline]
    fn symbol(&mut self, model: &Model) -> u8 {
        let slot = self.state & ((1 << SCALE_BITS) - 1);
        let symbol = model.symbols.get(slot as usize).copied().unwrap_or(0);
        let (start, frequency) = model.intervals.get(usize::from(symbol)).copied().unwrap_or((0, 1));
        self.state = u64::from(frequency) * (self.state >> SCALE_BITS) + slot.wrapping_sub(u64::from(start));
        self.refill();
        symbol
    }

    #[inline]
    fn bits(&mut self, count: u32) -> u32 {
        let bits = self.state & ((1 << count) - 1);
        self.state >>= count;
        self.refill();
        bits as u32
    }

    #[inline]
    fn refill(&mut self) {
        if self.state < STATE_MIN {
            self.state = self.state << 32 | u64::from(self.word());
        }
    }

    #[inline]
    fn word(&mut self) -> u32 {
        let Some((word, rest)) = self.words.split_first_chunk() else { return 0 };
        self.words = rest;
        u32::from_le_bytes(*word)
    }
}

/// Reads bytes and numbers.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn number(&mut self) -> u32 {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.next();
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }
}
