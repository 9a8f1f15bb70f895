//! Texts without what steers a terminal or turns the direction of writing: escape sequences, control characters, marks of direction.
//! A secret that is written in colours is whole again behind this. Line ends and tabs stay; nothing here judges what a text means.

use std::borrow::Cow;

/// Longest escape sequence of a kind; what is longer has none.
const SEQUENCE_BYTES: usize = 40;
const TITLE_BYTES: usize = 400;

/// Bytes that are control characters, or with which such begin.
const SUSPECTS: [bool; 256] = {
    let mut suspects = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        suspects[byte] = byte < 0x20 && byte != 0x0a && byte != 0x09 || matches!(byte, 0x7f | 0xc2 | 0xe2);
        byte += 1;
    }
    suspects
};

/// The text without control characters.
pub fn printable(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(mut control) = next_control(bytes, 0) else { return Cow::Borrowed(text) };
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    while control < bytes.len() {
        kept.push_str(text.get(from..control).unwrap_or_default());
        // A line that was begun anew is a line of its own.
        if bytes[control] == b'\r' && bytes.get(control + 1).is_some_and(|next| !matches!(next, b'\n' | b'\r')) {
            kept.push('\n');
        }
        from = control + control_length(bytes.get(control..).unwrap_or_default());
        control = next_control(bytes, from).unwrap_or(bytes.len());
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// Where the next control character from `from` on begins.
fn next_control(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| SUSPECTS[usize::from(*byte)])?;
        match bytes.get(at..)? {
            [0xc2, 0x80..=0x9f, ..] | [0xe2, 0x80, 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa6..=0xa9, ..] => return Some(at),
            [0xc2 | 0xe2, ..] => at += 2,
            _ => return Some(at),
        }
    }
}

/// Bytes of the control character or escape sequence at the beginning. Never ends inside a character.
pub fn control_length(bytes: &[u8]) -> usize {
    let sequence = |most: usize, is_last: fn(u8) -> bool| {
        let inside = bytes.iter().skip(2).take(most).take_while(|byte| byte.is_ascii() && !is_last(**byte)).count();
        2 + inside + usize::from(bytes.get(2 + inside).is_some_and(|last| is_last(*last) && *last != 0x1b))
    };
    match bytes {
        [0x1b, b'[', ..] => sequence(SEQUENCE_BYTES, |byte| (0x40..0x7f).contains(&byte)),
        [0x1b, b']', ..] => sequence(TITLE_BYTES, |byte| matches!(byte, 7 | 0x1b)),
        [0xe2, ..] => 3,
        [0xc2, ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out_and_all_else_stays() {
        for (text, expected) in [
            ("\u{1b}[31mred\u{1b}[0m and\tblue\r\n", "red and\tblue\n"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;x\u{1b}\\b", "a\\b"),
            ("10%\r20%\r\r\n", "10%\n20%\n"),
            ("a\0b\u{8}c\u{7f}d\u{9b}e", "abcde"),
            ("user\u{202e}gpj.exe\u{2066}", "usergpj.exe"),
            ("é – “ü” 漢字 👩‍👩‍👧 ½", "é – “ü” 漢字 👩‍👩‍👧 ½"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("\u{1b}[3é", "é"),
        ] {
            assert_eq!(printable(text), expected, "{text:?}");
        }
    }
}
