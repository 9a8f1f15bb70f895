//! Cuts text into the pieces inside which `o200k_base` merges, and gives the features of each to a [`Sink`].
//! Knows no weights: the estimator weighs the features, `bench/fit` fits them.

use super::scripts::{COMBINING, Kind, fold, kind_of, script_of};
use super::{Sink, scalars, shapes};

/// What may come in long runs: punctuation, blanks, letters; outside ASCII two rates of rulers, other characters, emoji.
pub(crate) const RUN_KINDS: usize = 32 + 4 + 26 + 4;
const BLANK_RUNS: usize = 32;
/// Letters count from one.
const LETTER_RUNS: usize = 35;
const RULER_RUNS: usize = 62;
/// How many equal characters in a row count as usual; from there on they count as a run.
const RUN_FROM: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Blank,
    Mark,
    Control,
    Wide,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Wide; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t'..=b'\r' => Class::Blank,
            b'!'..=b'~' => Class::Mark,
            _ => Class::Control,
        };
        byte += 1;
    }
    classes
};

/// What stands directly before a word and belongs to its piece.
#[derive(Clone, Copy)]
enum Prefix {
    Bare,
    Space,
    /// A row of `PREFIXES`.
    Mark(usize),
}

const TAB_PREFIX: usize = 32;

/// Cuts `text` into pieces and gives the features of each to `sink`.
pub(crate) fn walk<S: Sink>(text: &str, sink: &mut S) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match CLASSES[usize::from(byte)] {
            Class::Lower | Class::Upper => word(text, at, Prefix::Bare, sink),
            Class::Digit => digits(bytes, at, sink),
            Class::Blank => blanks(text, at, sink),
            Class::Mark | Class::Control => marks_or_word(text, at, sink),
            Class::Wide => match wide_at(text, at).kind {
                Kind::Latin | Kind::Letter => word(text, at, Prefix::Bare, sink),
                Kind::Symbol => marks(text, at, false, sink),
                Kind::Blank => wide_blanks(text, at, sink),
            },
        };
    }
}

/// Three digits are one token, always.
fn digits<S: Sink>(bytes: &[u8], start: usize, sink: &mut S) -> usize {
    let mut end = start + 1;
    while class_at(bytes, end) == Class::Digit {
        end += 1;
    }
    sink.exact((end - start).div_ceil(3), end);
    end
}

/// One mark directly before a word is merged with it; any other run of marks stands for itself.
fn marks_or_word<S: Sink>(text: &str, start: usize, sink: &mut S) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(start) {
        Some(&byte) if class_at(bytes, start) == Class::Mark && what_starts(text, start + 1) == Start::Word => {
            word(text, start + 1, Prefix::Mark(mark_index(byte)), sink)
        }
        _ => marks(text, start, false, sink),
    }
}

/// Blanks up to the last newline are one piece, the rest but its last blank another; that last one goes to what follows.
#[inline(never)]
fn blanks<S: Sink>(text: &str, start: usize, sink: &mut S) -> usize {
    let bytes = text.as_bytes();
    let mut line_start = start;
    let mut end = start;
    while class_at(bytes, end) == Class::Blank {
        end += 1;
        if is_newline(bytes, end - 1) {
            line_start = end;
        }
    }
    if line_start > start {
        blank_piece(bytes, start, line_start, sink);
    }
    if line_start == end {
        return end;
    }
    let last = end - 1;
    let spaced = bytes.get(last) == Some(&b' ');
    let follows = what_starts(text, end);
    // At the end of the text the blanks stay together.
    let cut = if end == bytes.len() { end } else { last };
    if cut > line_start {
        blank_piece(bytes, line_start, cut, sink);
    }
    match follows {
        Start::Word if spaced => word(text, end, Prefix::Space, sink),
        Start::Word => word(text, end, Prefix::Mark(TAB_PREFIX), sink),
        Start::Marks if spaced => marks(text, end, true, sink),
        Start::Marks | Start::Neither => {
            // Before a digit the last blank stands alone.
            if cut < end {
                blank_piece(bytes, cut, end, sink);
            }
            end
        }
    }
}

#[inline(never)]
fn blank_piece<S: Sink>(bytes: &[u8], start: usize, end: usize, sink: &mut S) {
    let mut before = 4;
    let mut equal = 0;
    for byte in bytes.iter().take(end).skip(start) {
        let blank = match byte {
            b' ' => 0,
            b'\n' => 1,
            b'\r' => 2,
            _ => 3,
        };
        equal = if blank == before { equal + 1 } else { 0 };
        if !long_run(equal, BLANK_RUNS + blank, sink) {
            sink.scalar(scalars::BLANK_PAIRS + before * 4 + blank, 1);
        }
        before = blank;
    }
    sink.end(end, 1);
}

/// A run of one blank outside ASCII.
fn wide_blanks<S: Sink>(text: &str, start: usize, sink: &mut S) -> usize {
    let first = wide_at(text, start);
    let mut equal = 0;
    let mut at = start;
    loop {
        if !long_run(equal, wide_run(first.code), sink) {
            char_features(sink, first, 0, if equal == 0 { 0 } else { first.code });
        }
        equal += 1;
        at += first.length;
        if class_at(text.as_bytes(), at) != Class::Wide || wide_at(text, at).code != first.code {
            break;
        }
    }
    sink.end(at, 1);
    at
}

/// A word: capitals then small letters, with what stands directly before it and a contraction behind it.
#[inline(never)]
fn word<S: Sink>(text: &str, start: usize, prefix: Prefix, sink: &mut S) -> usize {
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

/// A run of punctuation and symbols, with the newlines behind it.
#[inline(never)]
fn marks<S: Sink>(text: &str, start: usize, spaced: bool, sink: &mut S) -> usize {
    /// Above all code points: nothing stands before.
    const START: u32 = 1 << 21;
    let bytes = text.as_bytes();
    let (mut two_before, mut before) = (START, START);
    let mut equal = 0;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let code;
        match CLASSES[usize::from(byte)] {
            Class::Mark => {
                code = mark_index(byte) as u32;
                equal = if code == before { equal + 1 } else { 0 };
                if before == START {
                    sink.shape(shapes::MARK_PAIRS + (32 + usize::from(spaced)) * 32 + code as usize);
                } else if before >= 32 {
                    sink.shape(char_pair(before, code));
                } else if !long_run(equal, code as usize, sink) {
                    sink.shape(shapes::MARK_PAIRS + (before * 32 + code) as usize);
                    if two_before < 32 {
                        let three = two_before << 10 | before << 5 | code;
                        sink.shape(shapes::MARK_TRIPLES + bucket(three, shapes::MARK_TRIPLE_COUNT));
                    }
                }
                at += 1;
            }
            Class::Wide | Class::Control => {
                let wide = wide_at(text, at);
                if wide.kind != Kind::Symbol {
                    break;
                }
                code = wide.code;
                equal = if code == before { equal + 1 } else { 0 };
                if before == START {
                    sink.scalar(scalars::SCRIPT_START + wide.script * 2 + usize::from(spaced), 1);
                }
                if !long_run(equal, wide_run(code), sink) {
                    char_features(sink, wide, two_before, before);
                }
                at += wide.length;
            }
            _ => break,
        }
        (two_before, before) = (before, code);
    }
    let length = at - start;
    let newlines_start = at;
    while is_newline(bytes, at) {
        at += 1;
    }
    if at > newlines_start {
        let which = match bytes.get(newlines_start) {
            Some(b'\r') => 2,
            _ => usize::from(at > newlines_start + 1),
        };
        sink.shape(shapes::MARK_ENDS + before.min(32) as usize * 4 + which);
        sink.scalar(scalars::RUN_CHARS + BLANK_RUNS + 1, (at - newlines_start).saturating_sub(4));
    }
    sink.end(at, 1 + length.saturating_sub(64) / 64);
    at
}

/// Counts the next of `equal` characters as part of a long run, if it is one.
fn long_run<S: Sink>(equal: usize, kind: usize, sink: &mut S) -> bool {
    if equal < RUN_FROM {
        return false;
    }
    run_features(equal, kind, sink);
    true
}

#[inline(never)]
fn run_features<S: Sink>(equal: usize, kind: usize, sink: &mut S) {
    if equal == RUN_FROM {
        sink.scalar(scalars::RUNS + kind, 1);
    }
    sink.scalar(scalars::RUN_CHARS + kind, 1);
}

/// The kind of run which a character outside ASCII makes.
fn wide_run(code: u32) -> usize {
    match code {
        0x2500 | 0x2014 | 0x2026 | 0x25a1 | 0x3000 => RULER_RUNS,
        0x2501 | 0x2550 | 0xa0 | 0x640 => RULER_RUNS + 1,
        ..0x10000 => RULER_RUNS + 2,
        _ => RULER_RUNS + 3,
    }
}

fn length_features<S: Sink>(sink: &mut S, letters: usize) {
    sink.scalar(scalars::LENGTHS + letters.min(scalars::LONGEST), 1);
    sink.scalar(scalars::LETTER_BEYOND, letters.saturating_sub(scalars::LONGEST));
}

#[inline(never)]
fn char_features<S: Sink>(sink: &mut S, wide: Wide, two_before: u32, before: u32) {
    sink.scalar(scalars::SCRIPT + wide.script, 1);
    sink.shape(shapes::CHARS + bucket(wide.code, shapes::CHAR_COUNT));
    sink.shape(char_pair(before, wide.code));
    sink.shape(char_triple(two_before, before, wide.code));
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

fn mark_index(byte: u8) -> usize {
    usize::from(match byte {
        ..=b'/' => byte - b'!',
        ..=b'@' => byte - b':' + 15,
        ..=b'`' => byte - b'[' + 22,
        _ => byte - b'{' + 28,
    })
}

/// A place among `count` buckets, which must be a power of two.
#[inline(always)]
fn bucket(value: u32, count: usize) -> usize {
    (value.wrapping_mul(0x9E37_79B1) >> 16) as usize & (count - 1)
}

#[inline(always)]
fn triple(two_before: usize, before: usize, letter: usize) -> usize {
    bucket((two_before << 10 | before << 5 | letter) as u32, shapes::TRIPLE_COUNT)
}

#[inline(always)]
fn mix_word(hash: u32, code: u32) -> u32 {
    (hash ^ code).wrapping_mul(0x9E37_79B1).rotate_left(7)
}

fn char_pair(before: u32, code: u32) -> usize {
    shapes::CHAR_PAIRS + bucket(before.wrapping_mul(0x85EB_CA6B) ^ code, shapes::CHAR_PAIR_COUNT)
}

fn char_triple(two_before: u32, before: u32, code: u32) -> usize {
    let value = two_before.wrapping_mul(0xC2B2_AE35) ^ before.wrapping_mul(0x85EB_CA6B) ^ code;
    shapes::CHAR_TRIPLES + bucket(value ^ 0x5555, shapes::CHAR_TRIPLE_COUNT)
}

/// The class of the byte at `at`; behind the text that of a control character, which begins nothing.
#[inline(always)]
fn class_at(bytes: &[u8], at: usize) -> Class {
    bytes.get(at).map_or(Class::Control, |&byte| CLASSES[usize::from(byte)])
}

fn is_newline(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'\n' | b'\r'))
}

/// What begins at a place in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Word,
    Marks,
    Neither,
}

fn what_starts(text: &str, at: usize) -> Start {
    match class_at(text.as_bytes(), at) {
        Class::Lower | Class::Upper => Start::Word,
        Class::Mark | Class::Control => Start::Marks,
        Class::Digit | Class::Blank => Start::Neither,
        Class::Wide => match wide_at(text, at).kind {
            Kind::Latin | Kind::Letter => Start::Word,
            Kind::Symbol => Start::Marks,
            Kind::Blank => Start::Neither,
        },
    }
}

/// A character outside ASCII, or a control character.
#[derive(Clone, Copy)]
struct Wide {
    code: u32,
    /// Bytes.
    length: usize,
    script: usize,
    kind: Kind,
}

#[inline(never)]
fn wide_at(text: &str, at: usize) -> Wide {
    let character = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
    let script = script_of(u32::from(character));
    Wide { code: u32::from(character), length: character.len_utf8(), script, kind: kind_of(script) }
}
