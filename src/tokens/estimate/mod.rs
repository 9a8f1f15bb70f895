//! Estimates how many `o200k_base` tokens a text has: one pass, no vocabulary, a few kilobytes of fitted weights.
//! Not a tokenizer: it never says where a token ends, and knows nothing about messages or models.
//!
//! The text is cut into the pieces inside which `o200k_base` merges (a word with the character before it, three digits,
//! a run of punctuation, a run of blanks). A piece costs what its features weigh: pairs and triples of neighboring
//! characters, the word as a whole, its length, where it starts. It never costs less than one token.
//! `bench/fit` walks the same pieces through [`Sink`] and writes the weights, so that fit and estimate cannot drift apart.

mod characters;
mod coefficients;
mod memo;
mod pieces;
mod scripts;
mod words;

pub(crate) use characters::RUN_KINDS;
pub(crate) use coefficients::{SCALARS, SHAPES};
pub(crate) use pieces::walk;

/// Tokens that `o200k_base` would count for `text`, estimated without a vocabulary; leans to the high side.
///
/// Linear in the length of `text`, allocates nothing and accepts any text, also hostile one. Zero only for the empty text.
///
/// ```
/// # use stepfold::tokens::estimate::estimate_tokens;
/// assert_eq!(estimate_tokens(""), 0);
/// assert_eq!(estimate_tokens("2026-03-14"), 6);
/// ```
pub fn estimate_tokens(text: &str) -> u32 {
    let total = memo::with(|memo| {
        let mut tally = Tally { piece: 0, total: 0, memo, open: None };
        walk(text, &mut tally);
        tally.total
    });
    u32::try_from(total.div_ceil(UNITS_PER_TOKEN.unsigned_abs())).unwrap_or(u32::MAX)
}

/// Weights are counted in this fraction of a token.
const UNITS_PER_TOKEN: i64 = 256;
/// What one step of a weight in `SHAPES` is worth; the weights are stored as printable characters around `SHAPE_ZERO`.
const UNITS_PER_SHAPE_STEP: i64 = 16;
const SHAPE_ZERO: i64 = 80;

struct Tally<'a> {
    piece: i64,
    total: u64,
    memo: &'a mut memo::Memo,
    /// Where the cost of the open piece is to be kept.
    open: Option<memo::Key>,
}

impl Sink for Tally<'_> {
    #[inline(always)]
    fn is_known(&mut self, word: memo::Key) -> bool {
        match self.memo.cost(word) {
            Some(cost) => {
                self.total += u64::from(cost);
                true
            }
            None => {
                self.open = Some(word);
                false
            }
        }
    }

    #[inline(always)]
    fn shape(&mut self, index: usize) {
        self.piece += (i64::from(SHAPES[index & (shapes::COUNT - 1)]) - SHAPE_ZERO) * UNITS_PER_SHAPE_STEP;
    }

    #[inline(always)]
    fn scalar(&mut self, index: usize, times: usize) {
        self.piece += SCALARS.get(index).map_or(0, |weight| i64::from(*weight)) * times as i64;
    }

    #[inline(always)]
    fn end(&mut self, _: usize, least: usize) {
        let cost = self.piece.max(least as i64 * UNITS_PER_TOKEN).unsigned_abs();
        if let Some(word) = self.open.take() {
            self.memo.keep(word, cost);
        }
        self.total += cost;
        self.piece = 0;
    }

    #[inline(always)]
    fn exact(&mut self, tokens: usize, _: usize) {
        self.total += tokens as u64 * UNITS_PER_TOKEN.unsigned_abs();
    }
}

/// Receives the features of each piece in turn.
pub(crate) trait Sink {
    /// Whether a word was met before and has been counted by that; otherwise its features follow.
    fn is_known(&mut self, _: memo::Key) -> bool {
        false
    }
    /// A feature of the open piece, by its place in `SHAPES`.
    fn shape(&mut self, index: usize);
    /// A feature of the open piece, by its place in `SCALARS`, and how often it occurs.
    fn scalar(&mut self, index: usize, times: usize);
    /// Closes the open piece; it ends before byte `end` and has at least `least` tokens.
    fn end(&mut self, end: usize, least: usize);
    /// A piece of which the cost is known.
    fn exact(&mut self, tokens: usize, end: usize);
}

/// Where each group of features begins in `SHAPES`.
pub(crate) mod shapes {
    /// Hashed: three letters in a row, or two after the start of a word.
    pub(crate) const TRIPLES: usize = 0;
    pub(crate) const TRIPLE_COUNT: usize = 4096;
    /// Two letters in a row; row: the letter before, or the kind of start.
    pub(crate) const PAIRS: usize = TRIPLES + TRIPLE_COUNT;
    /// The same in words in capitals.
    pub(crate) const UPPER_PAIRS: usize = PAIRS + 32 * 32;
    /// Hashed: the whole word.
    pub(crate) const WORDS: usize = UPPER_PAIRS + 32 * 32;
    pub(crate) const WORD_COUNT: usize = 4096;
    /// What stands directly before a word and is merged with it; row: the character, column: the first letter.
    pub(crate) const PREFIXES: usize = WORDS + WORD_COUNT;
    /// Two punctuation characters in a row; the last two rows: the first of a run, bare or after a space.
    pub(crate) const MARK_PAIRS: usize = PREFIXES + 33 * 32;
    /// Hashed: three punctuation characters in a row.
    pub(crate) const MARK_TRIPLES: usize = MARK_PAIRS + 34 * 32;
    pub(crate) const MARK_TRIPLE_COUNT: usize = 512;
    /// Newlines after punctuation; row: the last character, column: which newlines.
    pub(crate) const MARK_ENDS: usize = MARK_TRIPLES + MARK_TRIPLE_COUNT;
    /// Hashed: a character outside ASCII, alone, after another, after two others.
    pub(crate) const CHARS: usize = MARK_ENDS + 33 * 4;
    pub(crate) const CHAR_COUNT: usize = 512;
    pub(crate) const CHAR_PAIRS: usize = CHARS + CHAR_COUNT;
    pub(crate) const CHAR_PAIR_COUNT: usize = 2048;
    pub(crate) const CHAR_TRIPLES: usize = CHAR_PAIRS + CHAR_PAIR_COUNT;
    pub(crate) const CHAR_TRIPLE_COUNT: usize = 512;
    pub(crate) const USED: usize = CHAR_TRIPLES + CHAR_TRIPLE_COUNT;
    /// A power of two, so that no lookup needs a bounds check.
    pub(crate) const COUNT: usize = 1 << 14;
    const _: () = assert!(USED <= COUNT);
}

/// Where each group of features begins in `SCALARS`.
pub(crate) mod scalars {
    use super::scripts::SCRIPTS;
    /// A character, by script.
    pub(crate) const SCRIPT: usize = 0;
    /// The start of a piece outside ASCII, by script; bare or after a space.
    pub(crate) const SCRIPT_START: usize = SCRIPT + SCRIPTS;
    /// A capital outside ASCII, by script.
    pub(crate) const SCRIPT_CAPITAL: usize = SCRIPT_START + 2 * SCRIPTS;
    /// A word, by its number of letters up to `LONGEST`, and each letter beyond.
    pub(crate) const LENGTHS: usize = SCRIPT_CAPITAL + SCRIPTS;
    pub(crate) const LONGEST: usize = 24;
    pub(crate) const LETTER_BEYOND: usize = LENGTHS + LONGEST + 1;
    /// Capitals directly before a capitalized word, as in `HTMLElement`.
    pub(crate) const CAPITALS_BEFORE: usize = LETTER_BEYOND + 1;
    /// An apostrophe behind a word; the first is none of the contractions, such as `'s`.
    pub(crate) const CONTRACTIONS: usize = CAPITALS_BEFORE + 1;
    /// Two blanks in a row; row: the one before, or the start.
    pub(crate) const BLANK_PAIRS: usize = CONTRACTIONS + 8;
    /// A run of one character: where it gets long, and each character from there on.
    pub(crate) const RUNS: usize = BLANK_PAIRS + 5 * 4;
    pub(crate) const RUN_CHARS: usize = RUNS + super::RUN_KINDS;
    pub(crate) const COUNT: usize = RUN_CHARS + super::RUN_KINDS;
}
