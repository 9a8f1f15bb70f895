//! Figures in a text: how many, and how many with a unit. In any script; not what they are of.

use crate::sentence::is_unspaced;

/// Longest figure that says how much; a longer one is a name.
const FIGURE_CHARS: usize = 9;
/// So many figures with a unit say no more than the last of them.
const MOST_UNITS: u8 = 6;
/// Marks of money and measure.
const UNITS: [char; 7] = ['%', '€', '$', '£', '¥', '₹', '°'];
/// How many figures have something behind them.
pub fn figures(body: &str) -> usize {
    body.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() && !pair[1].is_ascii_digit()).count()
}

/// How many figures say how much of something: a limit, a price, a date in words. In any script: a letter or a mark stands beside the digits.
pub fn with_unit(body: &str) -> u8 {
    let mut count = 0;
    let mut rest = body;
    // By bytes: a digit is one, and of most chunks there is no other look at a letter.
    while let Some(start) = rest.bytes().position(|byte| byte.is_ascii_digit()) {
        let figure = &rest[start..];
        let length = figure.bytes().position(|byte| !(byte.is_ascii_digit() || matches!(byte, b'.' | b','))).unwrap_or(figure.len());
        let before = rest[..start].chars().next_back().unwrap_or(' ');
        let behind = &figure[length..];
        let next = behind.strip_prefix(' ').unwrap_or(behind).chars().next().unwrap_or(' ');
        // Part of a name: `A4711`, `2026-11-26`. A script without spaces has no names of that kind.
        let is_of_name = before.is_alphanumeric() && !is_unspaced(before) || matches!(before, '-' | '_' | '/');
        let has_unit = UNITS.contains(&next) || next.is_alphabetic() || UNITS.contains(&before);
        count += u8::from(length <= FIGURE_CHARS && !is_of_name && has_unit && count < MOST_UNITS);
        rest = behind;
    }
    count
}
