//! The features of words, Latin and other; the rest of the text is cut in `pieces.rs`.

use super::characters::{
    CLASSES, Class, LETTER_RUNS, Wide, bucket, char_features, char_pair, char_triple, class_at, long_run, wide_at, wide_run,
};
use super::scripts::{COMBINING, Kind, fold};
use super::{Sink, scalars, shapes};

/// What stands directly before a word and belongs to its piece.
#[derive(Clone, Copy)]
pub(super) enum Prefix {
    Bare,
    Space,
    /// A row of `PREFIXES`.
    Mark(usize),
}

impl Prefix {
    /// One for each, in the order in which they are declared; never zero.
    pub(super) const fn number(self) -> u8 {
        match self {
            Prefix::Bare => 1,
            Prefix::Space => 2,
            Prefix::Mark(row) => 3 + row as u8,
        }
    }

    pub(super) const fn from_number(number: u8) -> Prefix {
        match number {
            0 | 1 => Prefix::Bare,
            2 => Prefix::Space,
            number => Prefix::Mark(number as usize - 3),
        }
    }
}

/// A word: capitals then small letters, with what stands directly before it and a contraction behind it.
#[inline(never)]
pub(super) fn word<S: Sink>(text: &str, start: usize, prefix: Prefix, sink: &mut S) -> usize {
    let bytes = text.as_bytes();
    let first = match bytes.get(start) {
        Some(&byte) if byte < 0x80 => letter_index(byte),
        _ => LATIN_LETTER,
    };
    if let Prefix::Mark(row) = prefix {
        sink.shape(shapes::PREFIXES + row * 32);
        sink.shape(shapes::PREFIXES + row * 32 + first);
    }
    if first == LATIN_LETTER && wide_at(text, start).kind == Kind::Letter {
        return wide_word(text, start, matches!(prefix, Prefix::Space), sink);
    }
    let mut at = start;
    while class_at(bytes, at) == Class::Upper {
        at += 1;
    }
    if at < start + 2 {
        return small_letters(text, start, prefix, sink);
    }
    let small_letters_follow = match class_at(bytes, at) {
        Class::Lower => true,
        Class::Wide => wide_at(text, at).kind == Kind::Latin,
        _ => false,
    };
    // The last capital before small letters begins a word of its own inside the piece.
    let capitals_end = if small_letters_follow { at - 1 } else { at };
    capital_letters(bytes, start, capitals_end, prefix, sink);
    if small_letters_follow {
        sink.scalar(scalars::CAPITALS_BEFORE, 1);
        return small_letters(text, capitals_end, Prefix::Bare, sink);
    }
    word_end(bytes, at, at - start, sink)
}

#[inline(never)]
fn capital_letters<S: Sink>(bytes: &[u8], start: usize, end: usize, prefix: Prefix, sink: &mut S) {
    let mut before = word_start(prefix, false);
    let mut hash = before as u32 ^ 0x40;
    let (mut two_before, mut equal) = (0, 0);
    for &byte in bytes.iter().take(end).skip(start) {
        let letter = letter_index(byte);
        equal = if letter == before { equal + 1 } else { 0 };
        if !long_run(equal, LETTER_RUNS + letter, sink) {
            sink.shape(shapes::UPPER_PAIRS + before * 32 + letter);
            sink.shape(triple(32 | two_before, before, letter));
        }
        hash = mix_word(hash, u32::from(byte));
        (two_before, before) = (before, letter);
    }
    sink.shape(shapes::UPPER_PAIRS + before * 32);
    sink.shape(triple(32 | two_before, before, 0));
    sink.shape(shapes::WORDS + bucket(hash, shapes::WORD_COUNT));
    length_features(sink, end - start);
}

/// Small letters after at most one capital, `start` included.
#[inline(never)]
fn small_letters<S: Sink>(text: &str, start: usize, prefix: Prefix, sink: &mut S) -> usize {
    let bytes = text.as_bytes();
    let capital = class_at(bytes, start) == Class::Upper;
    let mut before = word_start(prefix, capital);
    let mut hash = match prefix {
        Prefix::Mark(row) => (before | row << 5) as u32,
        Prefix::Bare | Prefix::Space => before as u32,
    };
    let (mut two_before, mut code_before, mut equal, mut letters) = (0, 0, 0, 0);
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let code;
        let letter;
        match CLASSES[usize::from(byte)] {
            Class::Lower => (letter, code) = (letter_index(byte), u32::from(byte)),
            Class::Upper if at == start => (letter, code) = (letter_index(byte), u32::from(byte | 0x20)),
            Class::Wide => {
                let wide = wide_at(text, at);
                if wide.kind != Kind::Latin {
                    break;
                }
                char_features(sink, wide, 0, code_before);
                (letter, code) = (LATIN_LETTER, wide.code);
                at += wide.length - 1;
            }
            _ => break,
        }
        at += 1;
        equal = if code == code_before { equal + 1 } else { 0 };
        if letter == LATIN_LETTER || !long_run(equal, LETTER_RUNS + letter, sink) {
            sink.shape(shapes::PAIRS + before * 32 + letter);
            sink.shape(triple(two_before, before, letter));
            letters += 1;
        }
        hash = mix_word(hash, code);
        (two_before, before, code_before) = (before, letter, code);
    }
    sink.shape(shapes::PAIRS + before * 32);
    sink.shape(triple(two_before, before, 0));
    sink.shape(shapes::WORDS + bucket(hash, shapes::WORD_COUNT));
    length_features(sink, letters);
    word_end(bytes, at, letters, sink)
}

/// A contraction belongs to the word before it.
fn word_end<S: Sink>(bytes: &[u8], at: usize, letters: usize, sink: &mut S) -> usize {
    let mut end = at;
    if bytes.get(at) == Some(&b'\'') {
        let small = |index: usize| bytes.get(index).map_or(0, |byte| byte | 0x20);
        let (which, length) = match (small(at + 1), small(at + 2)) {
            (b's', _) => (1, 2),
            (b't', _) => (2, 2),
            (b'm', _) => (3, 2),
            (b'd', _) => (4, 2),
            (b'r', b'e') => (5, 3),
            (b'v', b'e') => (6, 3),
            (b'l', b'l') => (7, 3),
            _ => (0, 0),
        };
        sink.scalar(scalars::CONTRACTIONS + which, 1);
        end += length;
    }
    // Weights add up to little on syllables that nobody writes in a row; then the length says what a word costs at least.
    sink.end(end, 1 + letters.saturating_sub(24) / 8);
    end
}

/// A word in a script outside Latin, or a stretch of a script that writes no spaces.
#[inline(never)]
fn wide_word<S: Sink>(text: &str, start: usize, spaced: bool, sink: &mut S) -> usize {
    let (mut two_before, mut before) = (0, u32::from(spaced));
    let mut equal = 0;
    let mut at = start;
    while class_at(text.as_bytes(), at) == Class::Wide {
        let wide = wide_at(text, at);
        // Combining marks stay with the word they are on.
        if wide.kind != Kind::Letter && wide.script != COMBINING {
            break;
        }
        if at == start {
            sink.scalar(scalars::SCRIPT_START + wide.script * 2 + usize::from(spaced), 1);
        }
        let code = fold(wide.code);
        if code != wide.code {
            sink.scalar(scalars::SCRIPT_CAPITAL + wide.script, 1);
        }
        equal = if code == before { equal + 1 } else { 0 };
        if !long_run(equal, wide_run(code), sink) {
            char_features(sink, Wide { code, ..wide }, two_before, before);
        }
        (two_before, before) = (before, code);
        at += wide.length;
    }
    sink.shape(char_pair(before, END));
    sink.shape(char_triple(two_before, before, END));
    sink.end(at, 1 + (at - start).saturating_sub(48) / 16);
    at
}

fn length_features<S: Sink>(sink: &mut S, letters: usize) {
    sink.scalar(scalars::LENGTHS + letters.min(scalars::LONGEST), 1);
    sink.scalar(scalars::LETTER_BEYOND, letters.saturating_sub(scalars::LONGEST));
}

/// Stands for the end of a word among code points.
const END: u32 = 2;
/// Stands for a Latin letter outside ASCII among `a` to `z`, which are 1 to 26.
const LATIN_LETTER: usize = 27;

/// Stands for the start of a word where otherwise the letter before would.
fn word_start(prefix: Prefix, capital: bool) -> usize {
    match prefix {
        Prefix::Space => 28 + usize::from(capital),
        Prefix::Bare => 30 + usize::from(capital),
        Prefix::Mark(_) => 0,
    }
}

#[inline(always)]
fn letter_index(byte: u8) -> usize {
    usize::from(byte & 31)
}

#[inline(always)]
fn triple(two_before: usize, before: usize, letter: usize) -> usize {
    bucket((two_before << 10 | before << 5 | letter) as u32, shapes::TRIPLE_COUNT)
}

#[inline(always)]
fn mix_word(hash: u32, code: u32) -> u32 {
    (hash ^ code).wrapping_mul(0x9E37_79B1).rotate_left(7)
}
