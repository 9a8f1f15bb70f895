//! Single characters: their classes and runs, those outside ASCII, and the features of each. Words and the other pieces are made of them.

use super::scripts::{Kind, kind_of, script_of};
use super::{Sink, scalars, shapes};

/// What may come in long runs: punctuation, blanks, letters; outside ASCII two rates of rulers, other characters, emoji.
pub(crate) const RUN_KINDS: usize = 32 + 4 + 26 + 4;
pub(super) const BLANK_RUNS: usize = 32;
/// Letters count from one.
pub(super) const LETTER_RUNS: usize = 35;
const RULER_RUNS: usize = 62;
/// How many equal characters in a row count as usual; from there on they count as a run.
const RUN_FROM: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Lower,
    Upper,
    Digit,
    Blank,
    Mark,
    Control,
    Wide,
}

pub(super) const CLASSES: [Class; 256] = {
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

/// A place among `count` buckets, which must be a power of two.
#[inline(always)]
pub(super) fn bucket(value: u32, count: usize) -> usize {
    (value.wrapping_mul(0x9E37_79B1) >> 16) as usize & (count - 1)
}

pub(super) fn char_pair(before: u32, code: u32) -> usize {
    shapes::CHAR_PAIRS + bucket(before.wrapping_mul(0x85EB_CA6B) ^ code, shapes::CHAR_PAIR_COUNT)
}

pub(super) fn char_triple(two_before: u32, before: u32, code: u32) -> usize {
    let value = two_before.wrapping_mul(0xC2B2_AE35) ^ before.wrapping_mul(0x85EB_CA6B) ^ code;
    shapes::CHAR_TRIPLES + bucket(value ^ 0x5555, shapes::CHAR_TRIPLE_COUNT)
}

/// The class of the byte at `at`; behind the text that of a control character, which begins nothing.
#[inline(always)]
pub(super) fn class_at(bytes: &[u8], at: usize) -> Class {
    bytes.get(at).map_or(Class::Control, |&byte| CLASSES[usize::from(byte)])
}

/// Counts the next of `equal` characters as part of a long run, if it is one.
pub(super) fn long_run<S: Sink>(equal: usize, kind: usize, sink: &mut S) -> bool {
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
pub(super) fn wide_run(code: u32) -> usize {
    match code {
        0x2500 | 0x2014 | 0x2026 | 0x25a1 | 0x3000 => RULER_RUNS,
        0x2501 | 0x2550 | 0xa0 | 0x640 => RULER_RUNS + 1,
        ..0x10000 => RULER_RUNS + 2,
        _ => RULER_RUNS + 3,
    }
}

#[inline(never)]
pub(super) fn char_features<S: Sink>(sink: &mut S, wide: Wide, two_before: u32, before: u32) {
    sink.scalar(scalars::SCRIPT + wide.script, 1);
    sink.shape(shapes::CHARS + bucket(wide.code, shapes::CHAR_COUNT));
    sink.shape(char_pair(before, wide.code));
    sink.shape(char_triple(two_before, before, wide.code));
}

/// A character outside ASCII, or a control character.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    pub(super) code: u32,
    /// Bytes.
    pub(super) length: usize,
    pub(super) script: usize,
    pub(super) kind: Kind,
}

#[inline(never)]
pub(super) fn wide_at(text: &str, at: usize) -> Wide {
    let character = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
    let script = script_of(u32::from(character));
    Wide { code: u32::from(character), length: character.len_utf8(), script, kind: kind_of(script) }
}
