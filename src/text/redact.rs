//! Keeps secrets and providers' control tokens out of the texts that stepfold builds of what it read.
//! Not for what stays whole: a result or a message of the user is sent as it came. Deterministic, so that texts stay the same.

mod forms;
mod names;

use crate::text::bytes::{BEFORE, BEHIND, DIGIT, LETTER, OPENS, TOKEN, VALUE, is_at, kind, stretch};
use crate::text::redact::forms::{LEAST_TAIL_BYTES, is_token};
use crate::text::redact::names::names_secret;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Least bytes of a value under the name of a secret.
const VALUE_BYTES: usize = 8;
/// Longest name.
const NAME_BYTES: usize = 40;
/// What is so long behind a colon is no port: a password whose end was cut off.
const PASSWORD_BYTES: usize = 200;
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

/// The text without secrets, its control tokens broken by a blank.
pub fn clean(text: &str) -> String {
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
            may_mark = matches!(byte, b'B' | b'b') || matches!(before, b'-' | b'_');
            word = stretch(bytes, at, usize::MAX, LETTER | DIGIT);
            if at >= token_end {
                let rest = if is_at(bytes, at + word, TOKEN) { stretch(bytes, at + word, RUN_BYTES, TOKEN) } else { 0 };
                token_end = at + (word + rest).min(RUN_BYTES);
            }
            let is_secret = token_end > at + LEAST_TAIL_BYTES && is_token(bytes, at, token_end);
            is_secret.then(|| (at, token_end - usize::from(bytes.get(token_end - 1) == Some(&b'.'))))
        } else if kind(byte) & OPENS == 0 || byte == b' ' && !may_mark {
            None
        } else {
            match byte {
                b'\n' if at > start + PIECE_BYTES => return Piece { end: at, instead: "", next: at },
                b'<' | b'[' if is_control(behind(bytes, at)) => return Piece { end: at + 1, instead: " ", next: at + 1 },
                b'-' => private_key(text, at),
                b':' | b'=' | b'>' | b' ' => assigned(bytes, at).or_else(|| credentials(bytes, at)),
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

/// The value behind the mark at `at`, when it looks like a secret and the name before it is that of one.
#[inline(never)]
fn assigned(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    // The value first: hardly any is long and looks random.
    let start = at + stretch(bytes, at, 12, BEHIND);
    let length = stretch(bytes, start, SAMPLE_BYTES, VALUE);
    let value = bytes.get(start..start + length)?;
    if length < VALUE_BYTES || !looks_random(value) {
        return None;
    }
    let before = bytes.get(at.saturating_sub(NAME_BYTES)..at)?;
    let end = before.iter().rposition(|byte| kind(*byte) & BEFORE == 0)? + 1;
    let is_name = |byte: &u8| kind(*byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-');
    let name_start = before.get(..end)?.iter().rposition(|byte| !is_name(byte)).map_or(0, |at| at + 1);
    let name = before.get(name_start..end)?;
    // A blank is enough behind `--password`, and behind `Bearer` and `Basic` where no word of a sentence follows (`Basic Workflow`).
    let is_scheme = || matches!(name.len(), 5 | 6) && beginning("Be be Ba ba", name) > 0;
    let is_word = || value.iter().skip(1).all(|byte| !byte.is_ascii_uppercase() && !byte.is_ascii_digit());
    let is_marked = bytes.get(at) != Some(&b' ') || name.starts_with(b"--") || is_scheme() && !is_word();
    // `registry.test/auth:7d9f8b6c` is the tag of an image.
    let is_tag = bytes.get(at) == Some(&b':') && start == at + 1 && before.get(..name_start).is_some_and(|before| before.ends_with(b"/"));
    if !is_marked || is_tag || !names_secret(name, value) {
        return None;
    }
    let value_end = start + stretch(bytes, start, RUN_BYTES, VALUE);
    // What is called is code.
    (bytes.get(value_end) != Some(&b'(')).then_some((start, value_end))
}

/// The password of `://user:password@`, where such an address begins at `at`.
#[inline(never)]
fn credentials(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    if !behind(bytes, at).starts_with(b"://") {
        return None;
    }
    let start = at + 4 + run(bytes, at + 3, RUN_BYTES, |byte| kind(byte) & VALUE != 0 && !b"/@:".contains(&byte));
    let end = start + run(bytes, start, RUN_BYTES, |byte| byte > b' ' && !b"\"'/@<>".contains(&byte));
    let is_whole = end > start && bytes.get(end) == Some(&b'@');
    (bytes.get(start - 1) == Some(&b':') && (is_whole || end > start + PASSWORD_BYTES)).then_some((start, end))
}

/// The block of a private key, up to its last mark or the end of the text.
#[inline(never)]
fn private_key(text: &str, at: usize) -> Option<(usize, usize)> {
    let block = &text[at..];
    if !block.starts_with("-----BEGIN") || !block.get(..block.len().min(40)).unwrap_or_default().contains("PRIVATE KEY") {
        return None;
    }
    // The last mark ends like the first, with five strokes.
    let length = block[10..]
        .find("-----END")
        .map_or(block.len(), |end| end + 15 + run(block.as_bytes(), end + 15, NAME_BYTES, |byte| byte != b'-') + 5);
    Some((at, (at + length).min(text.len())))
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
