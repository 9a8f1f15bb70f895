//! Runs of ASCII letters, eight bytes at a time: most text is made of them. Knows no other characters.

use crate::key::word_at;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOP_BITS: u64 = 0x80 * ONES;

/// The top bit of each byte that lies between two ASCII characters.
#[inline]
const fn between(word: u64, first: u8, last: u8) -> u64 {
    let low = word & !TOP_BITS;
    // No byte carries into the next one.
    let from_first = low + (0x80 - first as u64) * ONES;
    let behind_last = low + (0x7F - last as u64) * ONES;
    from_first & !behind_last & !word & TOP_BITS
}

#[inline]
fn run_end(text: &[u8], start: usize, is_meant: impl Fn(u64) -> u64) -> usize {
    let mut end = start;
    loop {
        let others = !is_meant(word_at(text, end)) & TOP_BITS;
        if others != 0 {
            return end + others.trailing_zeros() as usize / 8;
        }
        end += 8;
    }
}

/// The end of the run of lowercase letters at `start`.
#[inline]
pub fn lowercase_end(text: &[u8], start: usize) -> usize {
    run_end(text, start, |word| between(word, b'a', b'z'))
}

/// The end of the run of uppercase letters at `start`.
#[inline]
pub fn uppercase_end(text: &[u8], start: usize) -> usize {
    match text.get(start) {
        Some(b'A'..=b'Z') => run_end(text, start, |word| between(word, b'A', b'Z')),
        _ => start,
    }
}

/// The end of the run of letters at `start`.
#[inline]
pub fn letters_end(text: &[u8], start: usize) -> usize {
    const CASE: u64 = 0x20 * ONES;
    run_end(text, start, |word| between(word | CASE, b'a', b'z'))
}

/// Whether no character beyond ASCII stands here, which could go on with a run.
#[inline]
pub fn ends_at(text: &[u8], index: usize) -> bool {
    text.get(index).is_none_or(u8::is_ascii)
}
