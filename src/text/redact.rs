//! Keeps secrets and providers' control tokens out of the texts that stepfold builds of what it read.
//! Not for what stays whole: a result or a message of the user is sent as it came. Deterministic, so that texts stay the same.

mod chosen;
mod commands;
mod control;
mod forms;
mod forms_table;
mod names;
mod places;
mod told;

use crate::text::bytes::{BEFORE, BEHIND, DIGIT, LETTER, OPENS, TOKEN, VALUE, is_at, kind, stretch};
use crate::text::redact::chosen::chosen;
use crate::text::redact::commands::option;
pub use crate::text::redact::control::{control_length, printable};
use crate::text::redact::forms::{LEAST_TAIL_BYTES, is_token};
use crate::text::redact::names::names_secret;
use crate::text::redact::places::{
    credentials, hash, is_in_cookie, is_in_json_key, is_in_login, kubernetes_secret, line_of_logins, private_key, putty_key,
};
use crate::text::redact::told::told;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Least bytes of a value under the name of a secret.
const VALUE_BYTES: usize = 8;
/// Longest name.
const NAME_BYTES: usize = 40;
/// Least bytes of a value of large and small letters and digits: behind such a one's name a blank is enough.
const MIXED_BYTES: usize = 12;
/// Least bytes of a value that is told by a cookie around it.
const COOKIE_BYTES: usize = 16;
/// As much of a token or value is looked at.
const SAMPLE_BYTES: usize = 64;
/// Longest token or value; only keys in blocks are longer. Bounded, so that the time is in proportion to a text's length.
const RUN_BYTES: usize = 4_096;

/// For each letter, the letters that follow it often: the 220 most frequent pairs in identifiers of 1,500 JavaScript files,
/// which are 83 % of all there and 33 % of pairs by chance.
const PAIRS: [u32; 26] = [
    0x15fbfff, 0x0114917, 0x11b4d95, 0x105411d, 0x0aff9ff, 0x0014111, 0x0040117, 0x0004011, 0x00f785f, 0x0000001, 0x0000011, 0x11d4911,
    0x004c113, 0x01c417d, 0x07ef80f, 0x01a4811, 0x011017d, 0x11e7115, 0x01cc1d5, 0x11ec197, 0x00e3911, 0x0000011, 0x0004111, 0x0080000,
    0x000a005, 0x0004000,
];

/// Marks that chat templates give a meaning; beside these all of the form `<|name|>`, which DeepSeek writes with another bar.
const CONTROL: &str = "[INST] [/INST] <<SYS>> <</SYS>> <s> </s> <bos> <eos> <start_of_turn> <end_of_turn> [TOOL_CALLS] [TOOL_RESULTS] \
    [AVAILABLE_TOOLS] [SYSTEM_PROMPT]";

/// The text without secrets and control characters, its control tokens broken by a blank.
pub fn clean(text: &str) -> String {
    let text = &*printable(text);
    let mut cleaned = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let piece = next_piece(text, at);
        // A secret is read up to a bound, which may lie inside a character.
        cleaned.push_str(text.get(at..piece.end).unwrap_or_default());
        cleaned.push_str(piece.instead);
        at = piece.next;
    }
    cleaned
}

/// Whether a value kept under this name is a secret.
pub fn is_secret(name: &str, value: &str) -> bool {
    value.len() >= VALUE_BYTES && looks_random(value.as_bytes()) && names_secret(name.as_bytes(), value.as_bytes())
}

/// How a text goes on: up to `end` as it stands, then `instead`, then from `next` on.
pub struct Piece {
    /// Where what may be kept ends.
    pub end: usize,
    /// What stands in place of what follows.
    pub instead: &'static str,
    /// Where to go on; never where it began, unless that is the end.
    pub next: usize,
}

/// Bytes after which a piece ends with the line, so that who needs only the beginning of a text does not wait for all of it.
const PIECE_BYTES: usize = 4_096;

/// What may be kept from `start` on.
pub fn next_piece(text: &str, start: usize) -> Piece {
    let bytes = text.as_bytes();
    let mut at = start;
    // Where the run of bytes that tokens are made of ends.
    let mut token_end = 0;
    let mut before = b' ';
    // Whether the last word may be part of a name behind which a blank is enough: most blanks stand behind others.
    let mut may_mark = true;
    while let Some(byte) = bytes.get(at).copied() {
        let mut word = 1;
        let found = if kind(byte) & (LETTER | DIGIT) != 0 {
            word = stretch(bytes, at, usize::MAX, LETTER | DIGIT);
            may_mark = matches!(byte, b'B' | b'b') || matches!(before, b'-' | b'_') || may_name(bytes, at + word);
            if at >= token_end {
                let rest = if is_at(bytes, at + word, TOKEN) { stretch(bytes, at + word, RUN_BYTES, TOKEN) } else { 0 };
                token_end = at + (word + rest).min(RUN_BYTES);
            }
            let is_secret = token_end > at + LEAST_TAIL_BYTES && is_token(bytes, at, token_end);
            let token = is_secret.then(|| (at, token_end - usize::from(bytes.get(token_end - 1) == Some(&b'.'))));
            let is_hash = || matches!(before, b'$' | b'{') && matches!(bytes.get(at + word), Some(b'$' | b'}' | b'-' | b'_'));
            token.or_else(|| if is_hash() { hash(bytes, at, before) } else { None })
        } else if kind(byte) & OPENS == 0 || byte == b' ' && !may_mark {
            None
        } else {
            match byte {
                b'\n' if at > start + PIECE_BYTES => return Piece { end: at, instead: "", next: at },
                b'<' | b'[' if is_control(behind(bytes, at)) => return Piece { end: at + 1, instead: " ", next: at + 1 },
                b'-' if before == b'-' => None,
                b'-' => private_key(text, at).or_else(|| if is_option(bytes, at, before) { option(bytes, at) } else { None }),
                b':' => assigned(bytes, at).or_else(|| behind_colon(bytes, at)),
                b'=' | b'>' | b'|' | b'\t' => assigned(bytes, at),
                b' ' => assigned(bytes, at).or_else(|| told(bytes, at)),
                b',' if matches!(before, b'"' | b'\'') => assigned(bytes, at),
                _ => None,
            }
        };
        if let Some((end, next)) = found {
            return Piece { end, instead: REDACTED, next };
        }
        before = byte;
        at += word;
    }
    Piece { end: at, instead: "", next: at }
}

/// Whether the word that ends at `end` ends as names of secrets do: `password`, `passwd`, `secret`, `token`, `key`, `pass`, `passphrase`; or is one
/// behind which a secret is told: `by`, `echo`, `printf`.
#[inline(always)]
fn may_name(bytes: &[u8], end: usize) -> bool {
    let Some([first, second]) = bytes.get(end.wrapping_sub(2)..end) else { return false };
    matches!(
        [first | 0x20, second | 0x20],
        [b'r' | b'w', b'd'] | [b'e', b't' | b'n' | b'y'] | [b's', b's' | b'k' | b'e'] | [b'b', b'y'] | [b'h', b'o'] | [b't', b'f']
    )
}

fn behind(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..).unwrap_or_default()
}

/// How many bytes from `at` on are of a kind, up to a bound.
fn run(bytes: &[u8], at: usize, most: usize, is_kind: fn(u8) -> bool) -> usize {
    behind(bytes, at).iter().take(most).take_while(|byte| is_kind(**byte)).count()
}

/// The bytes of the first word of a list with which a text begins; zero when there is none.
#[inline(never)]
fn beginning(list: &str, text: &[u8]) -> usize {
    let list = list.as_bytes();
    let (mut at, mut same) = (0, 0);
    loop {
        match list.get(at) {
            None | Some(b' ') => return same,
            byte if byte == text.get(same) => {
                same += 1;
                at += 1;
            }
            _ => {
                while *list.get(at).unwrap_or(&b' ') != b' ' {
                    at += 1;
                }
                at += 1;
                same = 0;
            }
        }
    }
}

/// Whether letters and digits follow each other as they do by chance and not in words: at most 60 % of them are frequent pairs.
#[inline(never)]
fn looks_random(text: &[u8]) -> bool {
    let (mut pairs, mut frequent) = (0, 0);
    let mut first = b' ';
    for byte in text.get(..SAMPLE_BYTES).unwrap_or(text) {
        let second = byte.to_ascii_lowercase();
        let kinds = [kind(first) & (LETTER | DIGIT), kind(second) & (LETTER | DIGIT)];
        if kinds[0] * kinds[1] != 0 && kinds != [DIGIT; 2] {
            pairs += 1;
            // Digits have no row and no column.
            let row = PAIRS.get(usize::from(first.wrapping_sub(b'a'))).unwrap_or(&0);
            frequent += row.checked_shr(u32::from(second.wrapping_sub(b'a'))).unwrap_or(0) & 1;
        }
        first = second;
    }
    pairs >= 4 && frequent * 5 <= pairs * 3
}

/// The value behind the mark at `at`, when it looks like a secret and the name before it, or what it stands in, is that of one.
#[inline(never)]
fn assigned(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    // The value first: hardly any is long and looks random.
    let mark = *bytes.get(at)?;
    let start = at + usize::from(matches!(mark, b',' | b'|'));
    let start = start + stretch(bytes, start, 12, BEHIND);
    let named = || name_before(bytes, at);
    let length = stretch(bytes, start, SAMPLE_BYTES, VALUE);
    let mut value = bytes.get(start..start + length)?;
    let mut start = start;
    let mut is_wide = false;
    if value.len() < VALUE_BYTES || !looks_random(value) || bytes.get(start + length) == Some(&b'(') {
        let found = behind_scheme(bytes, at, start, length)
            .or_else(|| if length < SAMPLE_BYTES { whole_value(bytes, at, start, named) } else { None });
        let Some((from, to)) = found else { return chosen(bytes, at, start) };
        is_wide = bytes.get(from..to)? != bytes.get(from..from + stretch(bytes, from, to - from, VALUE))?;
        start = from;
        value = bytes.get(from..to)?;
    }
    let (name, name_start) = named()?;
    // A blank is enough behind `--password`, behind `Bearer` and `Basic` where no word of a sentence follows (`Basic Workflow`), and
    // in files of logins.
    let is_scheme = || matches!(name.len(), 5 | 6) && beginning("Be be Ba ba", name) > 0 || name == b"PSK";
    let is_word = || value.iter().skip(1).all(|byte| !byte.is_ascii_uppercase() && !byte.is_ascii_digit());
    let is_login = || name == b"password" && is_in_login(bytes, name_start);
    let has = |is_kind: fn(&u8) -> bool| value.iter().any(is_kind);
    let is_mixed = || value.len() >= MIXED_BYTES && has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    // In columns nothing but the value follows the name.
    let is_column = || {
        let end = start + value.len() + stretch(bytes, start + value.len(), 4, BEHIND);
        let is_cell = matches!(bytes.get(end), None | Some(b'\n' | b'\r' | b'|' | b'\\'));
        is_cell && has(u8::is_ascii_digit) && (mark != b' ' || start >= at + 2)
    };
    let is_marked = !matches!(mark, b' ' | b'|' | b'\t')
        || name.starts_with(b"--")
        || is_scheme() && !is_word()
        || mark == b' ' && (is_mixed() || is_login())
        || is_column();
    // `registry.test/auth:7d9f8b6c` is the tag of an image.
    let is_tag = mark == b':' && start == at + 1 && bytes.get(..name_start).is_some_and(|before| before.ends_with(b"/"));
    // In a list or a call a word may follow any other.
    let is_listed = mark == b',' && !value.iter().any(u8::is_ascii_digit);
    if !is_marked || is_tag || is_listed || !tells_secret(bytes, name, name_start, value, mark) {
        return None;
    }
    let value_end = if is_wide { start + value.len() } else { start + stretch(bytes, start, RUN_BYTES, VALUE) };
    // What is called is code.
    (is_wide || bytes.get(value_end) != Some(&b'(')).then_some((start, value_end))
}

/// Whether an option of a command may begin with the stroke at `at`.
fn is_option(bytes: &[u8], at: usize, before: u8) -> bool {
    b" \t\n\"'`".contains(&before) && is_at(bytes, at + 1, LETTER) || before == b' ' && bytes.get(at + 1) == Some(&b'-')
}

/// The name before the mark at `at`, and where it begins.
fn name_before(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let first = at.saturating_sub(NAME_BYTES);
    let before = bytes.get(first..at)?;
    let end = before.iter().rposition(|byte| kind(*byte) & BEFORE == 0)? + 1;
    let is_name = |byte: &u8| kind(*byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-');
    let mark = before.get(..end)?.iter().rposition(|byte| !is_name(byte));
    // In a text within a text the letter of a line end stands before the name.
    let is_escape =
        mark.is_some_and(|mark| before.get(mark) == Some(&b'\\') && before.get(mark + 1).is_some_and(|next| b"nrt".contains(next)));
    let name_start = mark.map_or(0, |mark| mark + 1 + usize::from(is_escape));
    Some((before.get(name_start..end)?, first + name_start))
}

/// Whether the name before the mark at `at` ends with a word.
fn ends_name(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    let quotes = before.iter().rev().take(2).take_while(|byte| b"\"'\\".contains(byte)).count();
    before.get(..at - quotes).unwrap_or_default().ends_with(word)
}

/// Whether a name tells its value as a secret; or another name before it does (`name="password" value="…"`), or what both stand in.
fn tells_secret(bytes: &[u8], name: &[u8], name_start: usize, value: &[u8], mark: u8) -> bool {
    if names_secret(name, value) {
        return true;
    }
    let before = bytes.get(..name_start).unwrap_or_default();
    if matches!(name, b"value" | b"Value") {
        let gap = before.iter().rev().take(24).take_while(|byte| **byte <= b' ' || b"\"'\\,".contains(byte)).count();
        return name_before(bytes, name_start - gap).is_some_and(|(name, _)| names_secret(name, value));
    }
    let is_cookie = || value.len() >= COOKIE_BYTES && value.iter().any(u8::is_ascii_digit) && is_in_cookie(bytes, name_start);
    mark == b'=' && (before.ends_with(b"from-literal=") || is_cookie())
        || name == b"d" && value.len() > 40 && is_in_json_key(bytes, name_start)
}

/// The value behind `Authorization: Token`, whatever the scheme is called.
fn behind_scheme(bytes: &[u8], at: usize, start: usize, length: usize) -> Option<(usize, usize)> {
    if length == 0 || bytes.get(start + length) != Some(&b' ') || !ends_name(bytes, at, b"uthorization") {
        return None;
    }
    let from = start + length + 1;
    let to = from + stretch(bytes, from, RUN_BYTES, VALUE);
    let value = bytes.get(from..to)?;
    (value.len() >= VALUE_BYTES && value.iter().any(u8::is_ascii_digit) && looks_random(value)).then_some((from, to))
}

/// The value with the marks in it that end others: up to the quote that it began with, or up to a blank behind a name that begins its
/// line.
fn whole_value<'a>(bytes: &[u8], at: usize, start: usize, named: impl Fn() -> Option<(&'a [u8], usize)>) -> Option<(usize, usize)> {
    let is_quote = |byte: &u8| b"\"'`".contains(byte);
    let quote = bytes.get(start.checked_sub(1)?).filter(|byte| is_quote(byte));
    if quote.is_none() && bytes.get(at) != Some(&b'=') {
        return None;
    }
    let to = start + run(bytes, start, SAMPLE_BYTES * 2, |byte| byte > b' ' && !b"\"'`\\".contains(&byte));
    let value = bytes.get(start..to)?;
    if value.len() < VALUE_BYTES || !looks_random(value) {
        return None;
    }
    let is_closed = || match quote {
        Some(quote) => bytes.get(to).is_some_and(|next| next == quote || *next == b'\\'),
        None => {
            let before = named().and_then(|(_, from)| bytes.get(..from)).unwrap_or_default();
            let begins = before.last().is_none_or(|byte| *byte == b'\n') || before.ends_with(b"export ");
            begins && !value.contains(&b'(')
        }
    };
    is_closed().then_some((start, to))
}

/// What only its place behind a colon tells.
#[inline(never)]
fn behind_colon(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    credentials(bytes, at).or_else(|| line_of_logins(bytes, at)).or_else(|| putty_key(bytes, at)).or_else(|| kubernetes_secret(bytes, at))
}

fn is_control(text: &[u8]) -> bool {
    if beginning(CONTROL, text) > 0 {
        return true;
    }
    let open = beginning("<| <｜", text);
    // The bytes of `▁` are letters here.
    let name = run(text, open, NAME_BYTES, |byte| byte.is_ascii_alphanumeric() || b"_- \xe2\x96\x81".contains(&byte));
    open > 0 && beginning("|> ｜>", behind(text, open + name)) > 0
}
