//! The compact form of an encoding, and how it is unfolded. `tools/exact-table` writes it, with the model that stands here.
//! Not a general compressor: it knows what pairs of tokens look like.
//!
//! A vocabulary is its list of merges: for each token the two tokens it is made of. Of a merge is written, in this order, the kinds
//! of its halves (a space before it or not, and the script and case of its first character), then the place of each half among the
//! tokens of its kind. The place is written as its magnitude (`Magnitude`), which is likely to be small because frequent tokens
//! came first, and the bits below it. Kinds and magnitudes have prefix codes made for their frequencies (Huffman's); the lengths of
//! the codes stand before them. Denser codings unfold too slowly.

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

/// How many kinds of tokens there are.
pub const KINDS: usize = 32;

/// The longest code of the kinds of both halves, which have one code.
pub const KINDS_BITS: u32 = 12;
/// The longest code of a magnitude.
pub const MAGNITUDE_BITS: u32 = 8;
/// The most bits of a merge: so many are always ready to be read.
pub const MERGE_BITS: u32 = 56;
/// The codes of magnitudes: by side and kind.
pub const MAGNITUDE_CODES: usize = 2 * KINDS;

/// Both kinds as one symbol.
#[inline]
pub fn symbol_of_kinds(left: u8, right: u8) -> u16 {
    u16::from(left) * KINDS as u16 + u16::from(right)
}

/// The code of the magnitude of a half.
#[inline]
pub fn magnitude_code(side: Side, kind: u8) -> usize {
    usize::from(kind) + if side == Side::Left { 0 } else { KINDS }
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
    let mut merges = Merges::new(&single_bytes, tokens, &mut bytes);
    while merges.known.len() < tokens {
        merges.unfold(BATCH.min(tokens - merges.known.len()));
    }
    let known = merges.into_known();
    Table { pattern, classes, vocabulary: Vocabulary::new(&single_bytes, known, total_bytes) }
}

/// Engines start with slow code and exchange whole functions, so that a loop is only as fast as what it calls: this many merges
/// are a call.
const BATCH: usize = 1024;

/// The merges unfolded so far.
struct Merges<'a> {
    known: Vec<(Token, Token)>,
    /// The tokens of each kind, kind by kind.
    members: Vec<Token>,
    /// Where the tokens of each kind begin in `members`, and where the next one goes.
    kinds: [(u32, u32); KINDS],
    space: Token,
    kind_codes: Codes,
    magnitude_codes: Codes,
    bits: Bits<'a>,
}

impl<'a> Merges<'a> {
    fn new(single_bytes: &[u8; 256], tokens: usize, bytes: &mut Bytes<'a>) -> Self {
        let mut start = 0;
        let kinds = std::array::from_fn(|_| {
            let kind = (start, start);
            start += bytes.number();
            kind
        });
        let kind_codes = Codes::read(bytes, 1, KINDS_BITS, entry_of_kinds);
        let magnitude_codes = Codes::read(bytes, MAGNITUDE_CODES, MAGNITUDE_BITS, entry_of_magnitude);
        let known = Vec::with_capacity(tokens);
        let members = vec![0; start as usize];
        let mut merges = Self { known, members, kinds, space: 0, kind_codes, magnitude_codes, bits: Bits::new(bytes.rest) };
        for (token, byte) in (0..SINGLE_BYTES).zip(single_bytes) {
            merges.push((token, token), kind_of_byte(*byte));
            if *byte == b' ' {
                merges.space = token;
            }
        }
        merges
    }

    /// Gives back all other memory, which the vocabulary then takes.
    fn into_known(self) -> Vec<(Token, Token)> {
        self.known
    }

    #[inline]
    fn push(&mut self, halves: (Token, Token), kind: u8) {
        let next = &mut self.kinds[usize::from(kind) % KINDS].1;
        if let Some(member) = self.members.get_mut(*next as usize) {
            *member = self.known.len() as Token;
            *next += 1;
        }
        self.known.push(halves);
    }

    #[inline(never)]
    fn unfold(&mut self, count: usize) {
        for _ in 0..count {
            // Enough for the whole merge (`MERGE_BITS`).
            self.bits.refill();
            let entry = self.kind_codes.entry(self.bits.first(KINDS_BITS), 0);
            self.bits.skip(entry & LOW_FIVE);
            let (left_kind, right_kind) = ((entry >> 10 & LOW_FIVE) as u8, (entry >> 5 & LOW_FIVE) as u8);
            let left = self.unfold_half(Side::Left, left_kind);
            let right = self.unfold_half(Side::Right, right_kind);
            self.push((left, right), kind_of_merge(left == self.space, left_kind, right_kind));
        }
    }

    #[inline(always)]
    fn unfold_half(&mut self, side: Side, kind: u8) -> Token {
        let entry = self.magnitude_codes.entry(self.bits.first(MAGNITUDE_BITS), magnitude_code(side, kind));
        let bits = self.bits.take(entry & LOW_FIVE) & ((1 << (entry >> 5 & LOW_FIVE)) - 1);
        let member = self.kinds[usize::from(kind)].0 + (entry >> 10) + bits;
        self.members.get(member as usize).copied().unwrap_or(0)
    }
}

/// What entries are made of: what codes stand for, made ready so that unfolding only adds and shifts.
const LOW_FIVE: u32 = 31;

/// From bit 0 on the length of the code, from bit 5 on the symbol: the kinds of both halves, five bits each.
fn entry_of_kinds(length: u32, symbol: u32) -> u32 {
    length | symbol << 5
}

/// From bit 0 on the length of the code with the bits behind it, from bit 5 on how many these are, from bit 10 on the smallest place.
fn entry_of_magnitude(length: u32, symbol: u32) -> u32 {
    let magnitude = Magnitude(symbol as u8);
    (length + magnitude.low_bits()) | magnitude.low_bits() << 5 | magnitude.smallest() << 10
}

/// Prefix codes of one longest length.
struct Codes {
    longest: u32,
    /// Code by code, for each possible beginning of so many bits: what the code stands for.
    entries: Vec<u32>,
}

impl Codes {
    /// The lengths of each code up to the last that is not zero; none of them for a code that is not used. Short ones come first,
    /// those of one length in the order of their symbols.
    fn read(bytes: &mut Bytes, codes: usize, longest: u32, entry_of: fn(length: u32, symbol: u32) -> u32) -> Self {
        let mut entries = vec![0; codes << longest];
        for code in entries.chunks_exact_mut(1 << longest) {
            let count = bytes.number() as usize;
            let (lengths, rest) = bytes.rest.split_at_checked(count).unwrap_or_default();
            bytes.rest = rest;
            // Where the codes of each length begin: behind all shorter ones.
            let mut places = [0; KINDS_BITS as usize + 1];
            let mut place = 0;
            for length in 1..=longest {
                places[length as usize] = place;
                place += lengths.iter().filter(|other| u32::from(**other) == length).count() << (longest - length);
            }
            for (symbol, length) in (0..).zip(lengths).filter(|(_, length)| **length != 0) {
                let place = &mut places[usize::from(*length)];
                let end = *place + (1 << (longest - u32::from(*length)));
                code[*place..end].fill(entry_of(u32::from(*length), symbol));
                *place = end;
            }
        }
        Self { longest, entries }
    }

    #[inline(always)]
    fn entry(&self, bits: u32, code: usize) -> u32 {
        self.entries.get(code << self.longest | bits as usize).copied().unwrap_or(0)
    }
}

/// Reads bits, the highest of a byte first.
struct Bits<'a> {
    /// The next ones, from the top.
    buffer: u64,
    /// How many of them are there.
    count: u32,
    rest: &'a [u8],
}

impl<'a> Bits<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Self { buffer: 0, count: 0, rest }
    }

    /// Makes at least `MERGE_BITS` ready; behind the end there is nothing to read.
    #[inline]
    fn refill(&mut self) {
        let Some(word) = self.rest.first_chunk() else { return };
        self.buffer |= u64::from_be_bytes(*word) >> self.count;
        let bytes = (63 - self.count) / 8;
        self.rest = self.rest.get(bytes as usize..).unwrap_or_default();
        self.count += 8 * bytes;
    }

    #[inline]
    fn first(&self, count: u32) -> u32 {
        // In two steps, because there may be none to read.
        (self.buffer >> 1 >> (63 - count)) as u32
    }

    #[inline]
    fn skip(&mut self, count: u32) {
        self.buffer <<= count;
        self.count -= count;
    }

    #[inline]
    fn take(&mut self, count: u32) -> u32 {
        let bits = self.first(count);
        self.skip(count);
        bits
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
