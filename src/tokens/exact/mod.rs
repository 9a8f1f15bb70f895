//! Exact token counts: the same number as `tiktoken` for any text, in time linear in its length.
//! A crate of its own, no part of the engine: each encoding becomes a WebAssembly module with its table (`tools/exact-wasm`).
//! Knows nothing about messages, and treats the text of a special token as text.
//!
//! ```text
//!  table ── unfold ──► vocabulary, character classes        (once, at first use)
//!  text ── pieces ──► piece ── is a token? ── yes: 1
//!                                          └─ no: merge ──► tokens of the piece
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod characters;
mod merge;
mod pieces;
pub mod table;
pub mod vocabulary;
mod window;

use characters::Classes;
use merge::Merger;
use vocabulary::Vocabulary;

pub use pieces::Pattern;

/// Counts the tokens of one encoding.
pub struct Counter {
    pattern: Pattern,
    classes: Classes,
    vocabulary: Vocabulary,
    merger: Merger,
}

impl Counter {
    /// Unfolds a table written by `tools/exact-table`. Takes tens of milliseconds.
    ///
    /// A table that was cut or changed gives wrong counts, never undefined behavior; it is part of the program, so that this is not checked.
    pub fn new(table: &[u8]) -> Self {
        let table::Table { pattern, classes, vocabulary } = table::unfold(table);
        Self { pattern, classes, vocabulary, merger: Merger::new() }
    }

    /// The tokens of a text. Expects UTF-8; what is not is counted somehow, but never panics.
    pub fn count(&mut self, text: &[u8]) -> u32 {
        match self.pattern {
            Pattern::O200k => self.count_pieces(text, pieces::o200k_piece_end),
            Pattern::Cl100k => self.count_pieces(text, pieces::cl100k_piece_end),
        }
    }

    #[inline]
    fn count_pieces(&mut self, text: &[u8], piece_end: impl Fn(&Classes, &[u8], usize) -> usize) -> u32 {
        let mut tokens = 0;
        let mut start = 0;
        while start < text.len() {
            let end = piece_end(&self.classes, text, start);
            let is_token = end - start == 1 || self.vocabulary.find(text, start, end).is_some();
            tokens += if is_token { 1 } else { self.merger.count(&self.vocabulary, &text[start..end]) };
            start = end;
        }
        tokens
    }
}
