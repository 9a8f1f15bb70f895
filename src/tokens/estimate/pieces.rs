//! Cuts text into the pieces inside which `o200k_base` merges, and gives the features of each to a [`Sink`].
//! Knows no weights: the estimator weighs the features, `bench/fit` fits them.

use super::characters::{BLANK_RUNS, CLASSES, Class, bucket, char_features, char_pair, class_at, long_run, wide_at, wide_run};
use super::memo::Key;
use super::scripts::Kind;
use super::words::{Prefix, word};
use super::{Sink, scalars, shapes};

const TAB_PREFIX: usize = 32;

/// For each byte, as what it stands before a word: zero for what is no part of it, else a number of [`Prefix`].
/// A letter begins the word itself.
const PREFIXES: [u8; 256] = {
    let mut prefixes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        prefixes[byte] = match CLASSES[byte] {
            Class::Lower | Class::Upper => Prefix::Bare.number(),
            Class::Blank if byte == b' ' as usize => Prefix::Space.number(),
            Class::Blank if byte != b'\n' as usize && byte != b'\r' as usize => Prefix::Mark(TAB_PREFIX).number(),
            Class::Mark => Prefix::Mark(mark_index(byte as u8)).number(),
            Class::Blank | Class::Digit | Class::Control | Class::Wide => 0,
        };
        byte += 1;
    }
    prefixes
};

/// Cuts `text` into pieces and gives the features of each to `sink`.
pub(crate) fn walk<S: Sink>(text: &str, sink: &mut S) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // Most pieces are words of ASCII letters with at most one character before them: found here, without a further look.
        let prefix = PREFIXES[usize::from(byte)];
        // Calculated, because looking it up would keep the next piece waiting.
        let start = at + usize::from(!byte.is_ascii_alphabetic());
        if prefix != 0 && is_letter(bytes, start) {
            at = match Key::of_word(bytes, start, prefix) {
                Some((key, end)) if sink.is_known(key) => end,
                _ => word(text, start, Prefix::from_number(prefix), sink),
            };
            continue;
        }
        at = match CLASSES[usize::from(byte)] {
            Class::Digit => digits(bytes, at, sink),
            Class::Blank if byte == b' ' && class_at(bytes, start) == Class::Mark => marks(text, start, true, sink),
            Class::Blank => blanks(text, at, sink),
            Class::Lower | Class::Upper | Class::Mark | Class::Control => marks_or_word(text, at, sink),
            Class::Wide => match wide_at(text, at).kind {
                Kind::Latin | Kind::Letter => word(text, at, Prefix::Bare, sink),
                Kind::Symbol => marks(text, at, false, sink),
                Kind::Blank => wide_blanks(text, at, sink),
            },
        };
    }
}

/// Whether a letter of ASCII stands at `at`.
#[inline(always)]
fn is_letter(bytes: &[u8], at: usize) -> bool {
    matches!(class_at(bytes, at), Class::Lower | Class::Upper)
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
    // At the end of the text the blanks stay together.
    let cut = if end == bytes.len() { end } else { last };
    if cut > line_start {
        blank_piece(bytes, line_start, cut, sink);
    }
    if cut == end {
        return end;
    }
    if is_letter(bytes, end) {
        // The last blank and the word are found as any other.
        return last;
    }
    match what_starts(text, end) {
        Start::Word if spaced => word(text, end, Prefix::Space, sink),
        Start::Word => word(text, end, Prefix::Mark(TAB_PREFIX), sink),
        Start::Marks if spaced => marks(text, end, true, sink),
        Start::Marks | Start::Neither => {
            // Before a digit the last blank stands alone.
            blank_piece(bytes, last, end, sink);
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

/// A run of punctuation and symbols, with the newlines behind it.
#[inline(never)]
fn marks<S: Sink>(text: &str, start: usize, spaced: bool, sink: &mut S) -> usize {
    /// Above all code points: nothing stands before.
    const START: u32 = 1 << 21;
    let bytes = text.as_bytes();
    let first = bytes.get(start).copied().unwrap_or_default();
    let is_alone = matches!(class_at(bytes, start + 1), Class::Lower | Class::Upper | Class::Digit | Class::Blank);
    if CLASSES[usize::from(first)] == Class::Mark && is_alone && !is_newline(bytes, start + 1) {
        // One alone is most common, and costs least to weigh.
        sink.shape(shapes::MARK_PAIRS + (32 + usize::from(spaced)) * 32 + mark_index(first));
        sink.end(start + 1, 1);
        return start + 1;
    }
    if let Some(end) = few_marks(bytes, start)
        && sink.is_known(Key::of_marks(bytes, start, end, spaced))
    {
        return end;
    }
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

/// Where a run of marks and the newlines behind it end, if these are at most eight and nothing but ASCII belongs to them.
#[inline(always)]
fn few_marks(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    while class_at(bytes, end) == Class::Mark {
        end += 1;
        if end > start + 8 {
            return None;
        }
    }
    if end == start || matches!(class_at(bytes, end), Class::Wide | Class::Control) {
        return None;
    }
    while is_newline(bytes, end) {
        end += 1;
    }
    (end <= start + 8).then_some(end)
}

#[inline(always)]
const fn mark_index(byte: u8) -> usize {
    /// The 32 marks in the order of ASCII.
    const MARKS: [u8; 256] = {
        let mut marks = [0; 256];
        let (mut byte, mut index) = (b'!', 0);
        while byte <= b'~' {
            if !byte.is_ascii_alphanumeric() {
                marks[byte as usize] = index;
                index += 1;
            }
            byte += 1;
        }
        marks
    };
    MARKS[byte as usize] as usize
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
