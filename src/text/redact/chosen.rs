//! Passwords that a person chose, such as a word and a year. They do not look like chance, so the name must mean a password and nothing else,
//! and what stands around must be a value: quotes, or a line of its own.

use super::name_before;
use crate::text::redact::names::names_password;

/// Bytes of such a password.
const BYTES: std::ops::RangeInclusive<usize> = 6..=64;

/// The password behind the mark at `at`, whose value begins at `start`.
pub fn chosen(bytes: &[u8], at: usize, start: usize) -> Option<(usize, usize)> {
    let mark = bytes.get(at).filter(|mark| matches!(mark, b'=' | b':'))?;
    let quote = bytes.get(start.checked_sub(1)?).filter(|byte| b"\"'`".contains(byte));
    let ends = |byte: &u8| *byte <= b' ' || quote.is_none() && b",;".contains(byte) || b"\"'`\\".contains(byte);
    let value = bytes.get(start..)?.iter().take(BYTES.end() + 1).take_while(|byte| !ends(byte)).count();
    let end = start + value;
    let value = bytes.get(start..end)?;
    let has = |is_kind: fn(&u8) -> bool| value.iter().any(is_kind);
    let is_mixed = has(u8::is_ascii_alphabetic) && (has(u8::is_ascii_digit) || has(|byte| b"!#%*?^~".contains(byte)));
    // What stands for a value or is read from elsewhere is none; nor is a path, an address or the name of a text.
    let is_none = has(|byte| b"(){}[]<>$|&/".contains(byte)) || value.windows(2).any(|pair| pair == b"**" || pair == b"..");
    let is_dotted = value.contains(&b'.') && !has(|byte| b"!#%*?^~@".contains(byte));
    if !BYTES.contains(&value.len()) || !is_mixed || is_none || is_dotted {
        return None;
    }
    let (name, name_start) = name_before(bytes, at)?;
    let is_closed = match quote {
        Some(quote) => bytes.get(end).is_some_and(|next| next == quote || *next == b'\\'),
        None => {
            let before = bytes.get(..name_start)?;
            let begins = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| *byte == b'\n');
            let is_line = matches!(bytes.get(end), None | Some(b'\n' | b'\r'));
            let is_tight = *mark == b'=' && start == at + 1;
            is_line && (begins && (is_tight || *mark == b':') || is_tight && before.ends_with(b"export "))
        }
    };
    (is_closed && names_password(name)).then_some((start, end))
}
