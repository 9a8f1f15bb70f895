//! Cuts a text into pieces: what the regular expressions of the encodings do, written by hand and in linear time.
//! Tokens never cross the border of two pieces. Knows no tokens.
//!
//! A function per pattern returns where the piece ends that begins at `start`; its alternatives stand there in the order in which
//! the pattern tries them. Where a pattern would backtrack, the code remembers the last place to which it could.

use crate::ascii;
use crate::characters::{Class, Classes, Set};

/// Which regular expression cuts the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Of `o200k_base`.
    O200k,
    /// Of `cl100k_base`.
    Cl100k,
}

const LETTERS: Set = Set::of(&[Class::Upper, Class::Lower, Class::Uncased]);
/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const WORD_HEAD: Set = Set::of(&[Class::Upper, Class::Uncased, Class::Mark]);
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const WORD_TAIL: Set = Set::of(&[Class::Lower, Class::Uncased, Class::Mark]);
/// `[^\s\p{L}\p{N}]`
const PUNCTUATION: Set = Set::of(&[Class::Other, Class::Mark]);
const NUMBERS: Set = Set::of(&[Class::Number]);

/// The end of the piece at `start`, for `o200k_base`:
///
/// ```text
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// \p{N}{1,3}
///  ?[^\s\p{L}\p{N}]+[\r\n/]*
/// \s*[\r\n]+
/// \s+(?!\S)
/// \s+
/// ```
#[inline]
pub fn o200k_piece_end(classes: &Classes, text: &[u8], start: usize) -> usize {
    let first = classes.at(text, start);
    let after_first = start + first.length;
    match first.class {
        // A mark may also stand before a word, but as it can begin one, the pattern ends at the same place either way.
        Class::Upper | Class::Lower | Class::Uncased | Class::Mark => cased_word_end(classes, text, start).unwrap_or(after_first),
        Class::Number => numbers_end(classes, text, after_first),
        Class::Newline => whitespace_end(classes, text, start, TextEnd::AfterNewlines),
        Class::Blank => match cased_word_end(classes, text, after_first) {
            Some(end) => end,
            None if text[start] == b' ' && is_punctuation(classes, text, after_first) => {
                newlines_and_slashes_end(text, classes.run_end(text, after_first, PUNCTUATION))
            }
            None => whitespace_end(classes, text, start, TextEnd::AfterNewlines),
        },
        Class::Other => match cased_word_end(classes, text, after_first) {
            Some(end) => end,
            None => newlines_and_slashes_end(text, classes.run_end(text, after_first, PUNCTUATION)),
        },
    }
}

/// The end of the piece at `start`, for `cl100k_base`:
///
/// ```text
/// '(?i:[sdmt]|ll|ve|re)
/// [^\r\n\p{L}\p{N}]?+\p{L}++
/// \p{N}{1,3}+
///  ?[^\s\p{L}\p{N}]++[\r\n]*+
/// \s++$
/// \s*[\r\n]
/// \s+(?!\S)
/// \s
/// ```
#[inline]
pub fn cl100k_piece_end(classes: &Classes, text: &[u8], start: usize) -> usize {
    let first = classes.at(text, start);
    let after_first = start + first.length;
    let word_end = |from: usize| {
        let end = letters_end(classes, text, from);
        (end > from).then_some(end)
    };
    match first.class {
        Class::Upper | Class::Lower | Class::Uncased => letters_end(classes, text, after_first),
        Class::Number => numbers_end(classes, text, after_first),
        Class::Newline => whitespace_end(classes, text, start, TextEnd::First),
        Class::Blank => match word_end(after_first) {
            Some(end) => end,
            None if text[start] == b' ' && is_punctuation(classes, text, after_first) => {
                newlines_end(text, classes.run_end(text, after_first, PUNCTUATION))
            }
            None => whitespace_end(classes, text, start, TextEnd::First),
        },
        Class::Mark | Class::Other => {
            let contraction = contraction_end(text, start);
            if contraction > start {
                return contraction;
            }
            match word_end(after_first) {
                Some(end) => end,
                None => newlines_end(text, classes.run_end(text, after_first, PUNCTUATION)),
            }
        }
    }
}

/// The end of a run of letters.
#[inline]
fn letters_end(classes: &Classes, text: &[u8], start: usize) -> usize {
    let end = ascii::letters_end(text, start);
    if ascii::ends_at(text, end) { end } else { classes.run_end(text, end, LETTERS) }
}

/// The end of a word of `o200k_base` without what may stand before it; `None` when there is no word.
#[inline]
fn cased_word_end(classes: &Classes, text: &[u8], start: usize) -> Option<usize> {
    let end = ascii::lowercase_end(text, ascii::uppercase_end(text, start));
    if !ascii::ends_at(text, end) {
        return any_cased_word_end(classes, text, start);
    }
    (end > start).then(|| contraction_end(text, end))
}

/// The same for words of any script.
fn any_cased_word_end(classes: &Classes, text: &[u8], start: usize) -> Option<usize> {
    let mut head_end = start;
    // After the last character that is of the head as well as of the tail: the head can give it back.
    let mut last_shared_end = None;
    while head_end < text.len() {
        let character = classes.at(text, head_end);
        if !WORD_HEAD.has(character.class) {
            break;
        }
        head_end += character.length;
        if character.class != Class::Upper {
            last_shared_end = Some(head_end);
        }
    }
    let tail_end = classes.run_end(text, head_end, WORD_TAIL);
    let end = if tail_end > head_end {
        tail_end
    } else if let Some(end) = last_shared_end {
        end
    } else if head_end > start {
        head_end
    } else {
        return None;
    };
    Some(contraction_end(text, end))
}

/// The end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case, or `start` when there is none.
#[inline]
fn contraction_end(text: &[u8], start: usize) -> usize {
    if text.get(start) != Some(&b'\'') { start } else { start + contraction_length(&text[start..]) }
}

fn contraction_length(text: &[u8]) -> usize {
    let byte = |index: usize| text.get(index).map_or(0, |byte| byte.to_ascii_lowercase());
    match (byte(1), byte(2)) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => 3,
        // U+017F, the long s: in Unicode it is an `s` in another case.
        (0xC5, 0xBF) => 3,
        _ => 0,
    }
}

#[inline]
fn numbers_end(classes: &Classes, text: &[u8], after_first: usize) -> usize {
    let mut end = after_first;
    for _ in 0..2 {
        if end < text.len() {
            let character = classes.at(text, end);
            if NUMBERS.has(character.class) {
                end += character.length;
                continue;
            }
        }
        break;
    }
    end
}

#[inline]
fn is_punctuation(classes: &Classes, text: &[u8], index: usize) -> bool {
    index < text.len() && PUNCTUATION.has(classes.at(text, index).class)
}

#[inline]
fn newlines_end(text: &[u8], start: usize) -> usize {
    bytes_end(text, start, |byte| matches!(byte, b'\r' | b'\n'))
}

#[inline]
fn newlines_and_slashes_end(text: &[u8], start: usize) -> usize {
    bytes_end(text, start, |byte| matches!(byte, b'\r' | b'\n' | b'/'))
}

#[inline]
fn bytes_end(text: &[u8], start: usize, is_meant: impl Fn(u8) -> bool) -> usize {
    start + text[start..].iter().take_while(|byte| is_meant(**byte)).count()
}

/// Where a pattern asks whether whitespace reaches the end of the text.
#[derive(PartialEq)]
enum TextEnd {
    /// Before it looks for newlines.
    First,
    /// After it.
    AfterNewlines,
}

/// The end of a piece of whitespace, which goes to its last newline; without a newline it leaves one character to what follows.
fn whitespace_end(classes: &Classes, text: &[u8], start: usize, text_end: TextEnd) -> usize {
    let mut end = start;
    let mut last_start = start;
    let mut after_newline = None;
    while end < text.len() {
        let character = classes.at(text, end);
        match character.class {
            Class::Newline => after_newline = Some(end + character.length),
            Class::Blank => {}
            _ => break,
        }
        last_start = end;
        end += character.length;
    }
    match after_newline {
        _ if text_end == TextEnd::First && end == text.len() => end,
        Some(after_newline) => after_newline,
        None if end == text.len() || last_start == start => end,
        None => last_start,
    }
}
