//! Texts without what steers a terminal or turns the direction of writing: escape sequences, control characters, marks of direction.
//! A secret that is written in colours is whole again behind this. Line ends and tabs stay; nothing here tells what a text means.

use std::borrow::Cow;

/// Longest escape sequence of a kind; what is longer has none.
const SEQUENCE_BYTES: usize = 40;
const TITLE_BYTES: usize = 400;

/// The text without control characters.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte >= b' ' && !matches!(byte, 0x7f | 0xc2 | 0xe2) || matches!(byte, b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_control) {
        kept.push_str(rest.get(..at).unwrap_or_default());
        let control = rest.as_bytes().get(at..).unwrap_or_default();
        let next = control.get(1);
        // A line that was begun anew is a line of its own.
        if control.first() == Some(&b'\r') && next.is_some_and(|next| !matches!(next, b'\n' | b'\r')) {
            kept.push('\n');
        }
        rest = rest.get(at + control_length(control)..).unwrap_or_default();
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

fn is_control(sign: char) -> bool {
    sign < ' ' && !matches!(sign, '\n' | '\t') || matches!(sign, '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
