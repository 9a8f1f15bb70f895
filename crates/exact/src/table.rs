//! The compact form of an encoding, and how it is unfolded. `write.rs` writes it, with the model that stands here.
//! Not a general compressor: it knows what pairs of tokens look like.
//!
//! A vocabulary is its list of merges: for each token the two tokens it is made of. Of a merge is written, in this order, the kinds
//! of its halves (a space before it or not, and the script and case of its first character), then the place of each half among the
//! tokens of its kind. The place is written as its magnitude (`Magnitude`), which is likely to be small because frequent tokens
//! came first, and the bits below it. Kinds and magnitudes have prefix codes made for their frequencies (Huffman's); the lengths of
//! the codes stand before them. Denser codings unfold too slowly.

#[cfg(feature = "table")]
pub mod write;

use std::ops::Range;

use crate::characters::{Class, Classes};
use crate::pieces::Pattern;
use crate::vocabulary::{Entry, SINGLE_BYTES, Token, Vocabulary, zeros};

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
/// The codes of magnitudes: by side and kind.
pub const MAGNITUDE_CODES: usize = 2 * KINDS;

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
    for first in (SINGLE_BYTES as usize..tokens).step_by(BATCH) {
        merges.unfold(first..tokens.min(first + BATCH));
    }
    let entries = merges.into_entries();
    Table { pattern, classes, vocabulary: Vocabulary::new(&single_bytes, entries, total_bytes) }
}

/// Engines start with slow code and exchange whole functions, so that a loop is only as fast as what it calls: this many merges
/// are a call.
const BATCH: usize = 1024;

/// The merges unfolded so far.
struct Merges<'a> {
    /// As `Entry`.
    entries: Vec<u64>,
    /// The tokens of each kind, kind by kind.
    members: Vec<Token>,
    /// Where the tokens of each kind begin in `members`, and where the next one goes.
    kinds: [(u32, u32); KINDS],
    space: Token,
    kind_codes: Codes<{ 1 << KINDS_BITS }>,
    magnitude_codes: Codes<{ MAGNITUDE_CODES << MAGNITUDE_BITS }>,
    /// The merges, and the bit of them that is next.
    table: &'a [u8],
    place: usize,
}

impl<'a> Merges<'a> {
    fn new(single_bytes: &[u8; 256], tokens: usize, bytes: &mut Bytes<'a>) -> Self {
        let mut kinds = [(0, 0); KINDS];
        let members = read_kinds(&mut kinds, bytes);
        let kind_codes = Codes::read(bytes, KINDS_BITS, entry_of_kinds);
        let magnitude_codes = Codes::read(bytes, MAGNITUDE_BITS, entry_of_magnitude);
        let entries = vec![0; tokens];
        let members = vec![0; members as usize];
        let mut merges = Self { entries, members, kinds, space: 0, kind_codes, magnitude_codes, table: bytes.rest, place: 0 };
        for (token, byte) in (0..SINGLE_BYTES).zip(single_bytes) {
            let next = &mut merges.kinds[usize::from(kind_of_byte(*byte))].1;
            merges.members[*next as usize] = token;
            *next += 1;
            if *byte == b' ' {
                merges.space = token;
            }
        }
        merges
    }

    /// Gives back all other memory, which the vocabulary then takes.
    fn into_entries(self) -> Vec<u64> {
        self.entries
    }

    #[inline(never)]
    fn unfold(&mut self, tokens: Range<usize>) {
        // Out of memory, where each change might be one of these, into what the processor works with.
        let (entries, members) = (self.entries.as_mut_slice(), self.members.as_mut_slice());
        let (kinds, space) = (&mut self.kinds, self.space);
        let (kind_codes, magnitude_codes) = (&*self.kind_codes.entries, &*self.magnitude_codes.entries);
        let (table, mut place) = (self.table, self.place);
        for token in tokens {
            // Enough for the whole merge (`MERGE_BITS`).
            let mut bits = Bits::at(place, table);
            let entry = kind_codes[bits.first(KINDS_BITS) as usize];
            bits.skip(entry & LOW_FIVE);
            let (left_kind, right_kind) = ((entry >> 10 & LOW_FIVE) as u8, (entry >> 5 & LOW_FIVE) as u8);
            let mut half = |side, kind| {
                let entry = magnitude_codes[magnitude_code(side, kind) << MAGNITUDE_BITS | bits.first(MAGNITUDE_BITS) as usize];
                bits.skip(entry & LOW_FIVE);
                let below = bits.take(entry >> 5 & LOW_FIVE);
                let member = kinds[usize::from(kind)].0 + (entry >> 10) + below;
                members.get(member as usize).copied().unwrap_or(0)
            };
            let (left, right) = (half(Side::Left, left_kind), half(Side::Right, right_kind));
            place = bits.place;
            entries[token] = Entry::of_halves(left, right).0;
            let next = &mut kinds[usize::from(kind_of_merge(left == space, left_kind, right_kind)) % KINDS].1;
            if let Some(member) = members.get_mut(*next as usize) {
                *member = token as Token;
                *next += 1;
            }
        }
        self.place = place;
    }
}

/// Where the tokens of each kind begin; returns how many there are. A function, so that its loop is not written out 32 times.
#[inline(never)]
fn read_kinds(kinds: &mut [(u32, u32)], bytes: &mut Bytes) -> u32 {
    let mut start = 0;
    for kind in kinds {
        *kind = (start, start);
        start += bytes.number();
    }
    start
}

/// What entries are made of: what codes stand for, made ready so that unfolding only adds and shifts.
const LOW_FIVE: u32 = 31;

/// From bit 0 on the length of the code, from bit 5 on the symbol: the kinds of both halves, five bits each.
fn entry_of_kinds(length: u32, symbol: u32) -> u32 {
    length | symbol << 5
}

/// From bit 0 on the length of the code, from bit 5 on how many bits are behind it, from bit 10 on the smallest place.
fn entry_of_magnitude(length: u32, symbol: u32) -> u32 {
    let magnitude = Magnitude(symbol as u8);
    length | magnitude.low_bits() << 5 | magnitude.smallest() << 10
}

/// Prefix codes of one longest length.
struct Codes<const ENTRIES: usize> {
    /// Code by code, for each possible beginning of so many bits: what the code stands for.
    entries: Box<[u32; ENTRIES]>,
}

impl<const ENTRIES: usize> Codes<ENTRIES> {
    /// The lengths of each code up to the last that is not zero; none of them for a code that is not used. Short ones come first,
    /// those of one length in the order of their symbols.
    fn read(bytes: &mut Bytes, longest: u32, entry_of: fn(length: u32, symbol: u32) -> u32) -> Self {
        let mut entries = zeros();
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
                let length = u32::from(*length);
                let place = &mut places[length as usize];
                // The first bit of a code is the lowest one: it is written from right to left.
                let first = (*place as u32).reverse_bits() >> (32 - longest);
                for entry in code.iter_mut().skip(first as usize).step_by(1 << length) {
                    *entry = entry_of(length, symbol);
                }
                *place += 1 << (longest - length);
            }
        }
        Self { entries }
    }
}

/// Some bits of a table, the lowest of a byte first.
struct Bits {
    /// The next ones, from the lowest on.
    rest: u64,
    /// Where they stand in the table.
    place: usize,
}

impl Bits {
    /// At least `MERGE_BITS` (`write.rs`), from this bit of a table on; zeros behind its end.
    #[inline(always)]
    fn at(place: usize, table: &[u8]) -> Self {
        let word = table.get(place / 8..place / 8 + 8).and_then(|word| word.try_into().ok());
        Self { rest: word.map_or(0, u64::from_le_bytes) >> (place % 8), place }
    }

    #[inline(always)]
    fn first(&self, count: u32) -> u32 {
        self.rest as u32 & ((1 << count) - 1)
    }

    #[inline(always)]
    fn skip(&mut self, count: u32) {
        self.rest >>= count;
        self.place += count as usize;
    }

    #[inline(always)]
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
    #[inline(never)]
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
