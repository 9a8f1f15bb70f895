//! Exact token counts: the same number as `tiktoken` for any text, in time linear in its length.
//! No part of the engine: each encoding becomes a WebAssembly module with its table (`wasm/`).
//! Knows nothing about messages, and treats the text of a special token as text.
//!
//! A [`Counter`] is made of a table, which `write_table` writes where the feature `table` is on: in a build script as a rule, so
//! that the program holds a few hundred kilobytes and no vocabulary.
//!
//! ```text
//!  table ── unfold ──► vocabulary, character classes        (once, at first use)
//!  text ── pieces ──► piece ── is a token? ── yes: 1
//!                                          └─ no: merge ──► tokens of the piece
//! ```

mod ascii;
mod characters;
mod key;
mod merge;
mod pieces;
mod table;
mod vocabulary;
mod window;

use characters::Classes;
use key::{KEY_BYTES, Key, first_bytes, word_at};
use merge::Merger;
use vocabulary::Vocabulary;

pub use pieces::Pattern;
#[cfg(feature = "table")]
pub use table::write::{reference, write_table};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Counts the tokens of one encoding.
///
/// ```
/// use stepfold_exact::{Counter, Pattern, write_table};
///
/// let mut counter = Counter::new(&write_table(Pattern::O200k));
/// assert_eq!(counter.count(b"Hello, world!"), 4);
/// // The text of a special token is text.
/// assert_eq!(counter.count(b"see <|endoftext|> here"), 9);
/// ```
///
/// Counting takes `&mut self`: a counter remembers the words that it has counted, in about 300 KB. Make one for each thread.
pub struct Counter {
    pattern: Pattern,
    classes: Classes,
    vocabulary: Vocabulary,
    merger: Merger,
    /// The last piece of each hash: what a text says once it says again.
    recent: Box<[Recent]>,
    /// The same for longer pieces: words where a letter takes two bytes or three.
    recent_long: Box<[RecentLong]>,
}

const RECENT_BITS: u32 = 13;
const RECENT_LONG_BITS: u32 = 11;
/// Pieces of up to so many words of eight bytes are remembered.
const LONG_WORDS: usize = 6;

/// A piece that was counted: its key, its length, and from bit 32 on its tokens; of no bytes where there is none.
type Recent = [u64; 3];

/// A longer piece that was counted: its words, zeros behind its end, and as above.
type RecentLong = [u64; LONG_WORDS + 1];

impl Counter {
    /// Unfolds a table written by `write_table`. Takes tens of milliseconds.
    ///
    /// The table is part of the program and not checked: one that was changed gives wrong counts, or a panic.
    pub fn new(table: &[u8]) -> Self {
        let table::Table { pattern, classes, mut vocabulary } = table::unfold(table);
        // Of the larger vocabulary the merges take so long that making the tables apart saves a short text little, and costs a long
        // one as much.
        if pattern == Pattern::O200k {
            vocabulary.make_all();
        }
        Self {
            pattern,
            classes,
            vocabulary,
            merger: Merger::new(),
            recent: vec![[0; 3]; 1 << RECENT_BITS].into(),
            recent_long: vec![[0; LONG_WORDS + 1]; 1 << RECENT_LONG_BITS].into(),
        }
    }

    /// The tokens of a text. Expects UTF-8; what is not is counted somehow, but never panics.
    pub fn count(&mut self, text: &[u8]) -> u32 {
        self.count_by(self.pattern, text)
    }

    /// The same where the pattern of the table is known while compiling: the program then holds no code of the other one.
    #[inline]
    pub fn count_by(&mut self, pattern: Pattern, text: &[u8]) -> u32 {
        match pattern {
            Pattern::O200k => self.count_o200k(text),
            Pattern::Cl100k => self.count_cl100k(text),
        }
    }

    #[inline(never)]
    fn count_o200k(&mut self, text: &[u8]) -> u32 {
        self.count_pieces(text, pieces::o200k_piece_end)
    }

    #[inline(never)]
    fn count_cl100k(&mut self, text: &[u8]) -> u32 {
        self.count_pieces(text, pieces::cl100k_piece_end)
    }

    #[inline]
    fn count_pieces(&mut self, text: &[u8], piece_end: impl Fn(&Classes, &[u8], usize) -> usize) -> u32 {
        let mut tokens = 0;
        let mut start = 0;
        while start < text.len() {
            let end = piece_end(&self.classes, text, start);
            tokens += self.count_piece(text, start, end);
            start = end;
        }
        tokens
    }

    #[inline]
    fn count_piece(&mut self, text: &[u8], start: usize, end: usize) -> u32 {
        let length = end - start;
        match length {
            0 | 1 => return 1,
            2 => return 2 - u32::from(self.vocabulary.find_pair(text, start).is_some()),
            3..=KEY_BYTES => {}
            _ => return self.count_long_piece(text, start, end),
        }
        let piece = Key::read(text, start, length);
        let place = (piece.hash(length) >> (64 - RECENT_BITS)) as usize;
        let [low, high, counted] = self.recent[place];
        if (low, high, counted as u32) == (piece.low, piece.high, length as u32) {
            return (counted >> 32) as u32;
        }
        let tokens = self.count_new_piece(text, start, end);
        self.recent[place] = [piece.low, piece.high, length as u64 | u64::from(tokens) << 32];
        tokens
    }

    fn count_long_piece(&mut self, text: &[u8], start: usize, end: usize) -> u32 {
        let length = end - start;
        if length > 8 * LONG_WORDS {
            return self.count_new_piece(text, start, end);
        }
        let mut words = [0; LONG_WORDS];
        let mut hash = length as u64;
        for (word, at) in words.iter_mut().zip((start..end).step_by(8)) {
            *word = word_at(text, at) & first_bytes(end - at);
            hash = (hash ^ *word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        let place = (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - RECENT_LONG_BITS)) as usize;
        let [recent @ .., counted] = &self.recent_long[place];
        if *recent == words && *counted as u32 == length as u32 {
            return (counted >> 32) as u32;
        }
        let tokens = self.count_new_piece(text, start, end);
        let [recent @ .., counted] = &mut self.recent_long[place];
        *recent = words;
        *counted = length as u64 | u64::from(tokens) << 32;
        tokens
    }

    fn count_new_piece(&mut self, text: &[u8], start: usize, end: usize) -> u32 {
        self.vocabulary.make_findable(end - start);
        if self.vocabulary.find(text, start, end).is_some() {
            return 1;
        }
        self.vocabulary.make_all();
        self.merger.count(&self.vocabulary, &text[start..], end - start)
    }
}
