//! Keeps secrets and providers' control tokens out of the texts that stepfold builds of what it read. Three rules: how a token begins
//! (`tokens`), the name that a value stands under (`assigned`), and where it stands (`places`: addresses, blocks of keys).
//! Not for what stays whole: a result or a message of the user is sent as it came. Deterministic, so that texts stay the same.

mod above;
mod assigned;
mod control;
mod names;
mod places;
mod rules;
mod tokens;
mod values;

use crate::bytes::{DIGIT, LETTER, OPENS, TOKEN, is_at, kind, stretch};
use crate::redact::above::Above;
use crate::redact::assigned::assigned;
pub use crate::redact::control::{control_length, printable};
use crate::redact::names::{HAS_NAME, NEAR_SHIFT, Named, named, near_names};
use crate::redact::places::{credentials, private_key};
use crate::redact::rules::rules;
pub use crate::redact::rules::{Rules, with_rules};
use crate::redact::tokens::{LEAST_TAIL_BYTES, is_token, rows_at};
pub use crate::redact::values::looks_random;
use crate::redact::values::{VALUE_BYTES, is_reference, is_secret_key, is_uuid, looks_chosen};

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Longest name.
const NAME_BYTES: usize = 40;
/// Longest token or value; only keys in blocks are longer. Bounded, so that the time is in proportion to a text's length.
const RUN_BYTES: usize = 4_096;

/// Marks that chat templates give a meaning; beside these all of the form `<|name|>`, which DeepSeek writes with another bar.
const CONTROL: &str = "[INST] [/INST] <<SYS>> <</SYS>> <s> </s> <bos> <eos> <start_of_turn> <end_of_turn> [TOOL_CALLS] [TOOL_RESULTS] \
    [AVAILABLE_TOOLS] [SYSTEM_PROMPT]";

/// The text without secrets, by the rules that hold, and control characters, its control tokens broken by a blank.
pub fn clean(text: &str) -> String {
    let text = &*printable(text);
    match rules() {
        Rules::Ours => clean_by(text, true),
        Rules::Nobodys => clean_by(text, false),
        Rules::Users(redact) => redact(text).map_or_else(|| clean_by(text, true), |text| clean_by(&printable(&text), false)),
    }
}

/// Whether stepfold's own rules hold, by which the same text is always cleaned to the same.
pub fn is_by_our_rules() -> bool {
    matches!(rules(), Rules::Ours)
}

/// Marks of assignment beyond ASCII.
const WIDE: [&str; 5] = ["：", "＝", "→", "–", "—"];

fn clean_by(text: &str, finds_secrets: bool) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let (mut at, mut above) = (0, Above::default());
    let near = if finds_secrets { near_names(text.as_bytes()) } else { Vec::new() };
    while at < text.len() {
        let piece = if finds_secrets { next_piece(text, at, &near, &mut above) } else { next_control_token(text, at) };
        // A secret is read up to a bound, which may lie inside a character.
        cleaned.push_str(text.get(at..piece.end).unwrap_or_default());
        cleaned.push_str(piece.instead);
        at = piece.next;
    }
    cleaned
}

/// Whether a value kept under this name is a secret, by the rules that hold.
pub fn is_secret(name: &str, value: &str) -> bool {
    match rules() {
        Rules::Ours => is_secret_to_us(name, value),
        Rules::Nobodys => false,
        Rules::Users(redact) => {
            // What the function finds in the value alone is left out where the value is written.
            let finds = |text: &str| redact(text).map(|text| !text.contains(value));
            finds(&format!("{name}: {value}"))
                .map_or_else(|| is_secret_to_us(name, value), |is_found| is_found && finds(value) == Some(false))
        }
    }
}

fn is_secret_to_us(name: &str, value: &str) -> bool {
    let value = value.as_bytes();
    let is_random = value.len() >= VALUE_BYTES && looks_random(value);
    (is_random || looks_chosen(value))
        && !is_reference(value)
        && named(name.as_bytes()).is_some_and(|says| match says {
            Named::Key => is_secret_key(value),
            Named::Token => is_random && !is_uuid(value),
            Named::Secret => is_random,
            Named::Password => true,
        })
}

/// How a text goes on: up to `end` as it stands, then `instead`, then from `next` on.
struct Piece {
    end: usize,
    instead: &'static str,
    next: usize,
}

/// What stands from `start` on up to a control token.
fn next_control_token(text: &str, start: usize) -> Piece {
    let mut at = start;
    while let Some(mark) = behind(text.as_bytes(), at).iter().position(|byte| matches!(byte, b'<' | b'[')) {
        at += mark + 1;
        if is_control(behind(text.as_bytes(), at - 1)) {
            return Piece { end: at, instead: " ", next: at };
        }
    }
    Piece { end: text.len(), instead: "", next: text.len() }
}

/// What may be kept from `start` on.
fn next_piece(text: &str, start: usize, near: &[u8], above: &mut Above) -> Piece {
    let bytes = text.as_bytes();
    let mut at = start;
    // Where the run of bytes that tokens are made of ends.
    let mut token_end = 0;
    let mut before = b' ';
    // Whether the last word may be part of a name behind which a blank is enough: most blanks stand behind others.
    let (mut may_mark, mut is_name) = (true, true);
    while let Some(byte) = bytes.get(at).copied() {
        if near[at >> NEAR_SHIFT] == 0 && !above.is_named() {
            let plain = plain_length(bytes, at, near);
            if plain > 0 {
                at += plain;
                (before, may_mark, is_name) = (bytes[at - 1], false, false);
                continue;
            }
        }
        let mut word = 1;
        let found = if kind(byte) & (LETTER | DIGIT) != 0 {
            word = stretch(bytes, at, usize::MAX, LETTER | DIGIT);
            is_name = (near[at >> NEAR_SHIFT] | near[(at + word - 1) >> NEAR_SHIFT]) & HAS_NAME != 0 && may_name(bytes, at + word);
            above.has_name |= is_name;
            may_mark = matches!(byte, b'B' | b'b') || matches!(before, b'-' | b'_') || is_name;
            let rows = rows_at(bytes, at);
            if rows != 0 && at >= token_end {
                let rest = if is_at(bytes, at + word, TOKEN) { stretch(bytes, at + word, RUN_BYTES, TOKEN) } else { 0 };
                token_end = at + (word + rest).min(RUN_BYTES);
            }
            let is_secret = rows != 0 && token_end > at + LEAST_TAIL_BYTES && is_token(bytes, at, token_end, rows);
            is_secret.then(|| (at, token_end - usize::from(bytes.get(token_end - 1) == Some(&b'.'))))
        } else if kind(byte) & OPENS == 0 || byte == b' ' && !may_mark {
            if byte >= 0x80 {
                (is_name, above.has_name) = (true, true);
            }
            None
        } else {
            let is_line_end = byte == b'\n' || byte == b'\\' && bytes.get(at + 1) == Some(&b'n');
            if is_line_end || matches!(byte, b'{' | b'[' | b'}' | b']') {
                above.take_in(bytes, at, is_name);
            }
            // Elsewhere no name says anything of a value.
            let is_near = near[at >> NEAR_SHIFT] != 0 || above.is_named();
            match byte {
                b'<' | b'[' if is_control(behind(bytes, at)) => return Piece { end: at + 1, instead: " ", next: at + 1 },
                b'-' if before != b'-' => private_key(text, at),
                b':' if behind(bytes, at).starts_with(b"://") => credentials(bytes, at),
                _ if !is_near => None,
                b':' => assigned(above, bytes, at, 1),
                // A value begins behind these two, where others pass over more marks of assignment.
                b',' | b';' if above.is_parted_by(byte) => assigned(above, bytes, at, 1),
                _ if is_line_end && above.is_named() => assigned(above, bytes, at, 1 + usize::from(byte == b'\\')),
                b'[' if above.is_named() => assigned(above, bytes, at, 1),
                b',' if matches!(before, b'"' | b'\'') => assigned(above, bytes, at, 1),
                b'=' | b'>' | b'|' | b'\t' | b' ' => assigned(above, bytes, at, usize::from(byte == b'|')),
                // Wide marks, an arrow and dashes.
                0xe2 | 0xef if WIDE.iter().any(|mark| behind(bytes, at).starts_with(mark.as_bytes())) => assigned(above, bytes, at, 3),
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

/// How many bytes from `start` on are far from any name, and begin no token, no line, no block of a key and no password of an address.
#[inline(never)]
fn plain_length(bytes: &[u8], start: usize, near: &[u8]) -> usize {
    let (mut at, mut in_word) = (start, false);
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1).unwrap_or(&b' ');
        let is_word = kind(*byte) & (LETTER | DIGIT) != 0;
        let begins = if is_word {
            !in_word && rows_at(bytes, at) != 0
        } else {
            kind(*byte) & OPENS != 0
                && match byte {
                    b'<' | b'[' => may_be_control(*next),
                    b'\\' => *next == b'n',
                    b'-' => *next == b'-',
                    b':' => *next == b'/',
                    _ => *byte == b'\n',
                }
        };
        if begins || !(is_word && in_word) && near[at >> NEAR_SHIFT] != 0 {
            break;
        }
        in_word = is_word;
        at += 1;
    }
    at - start
}

/// Whether a mark of `CONTROL` has this second byte.
fn may_be_control(second: u8) -> bool {
    b"I/TAS<sbe|\xef".contains(&second)
}

/// Whether the word that ends at `end` ends as names of secrets do, in the plural, too: `password`, `passwd`, `secret`, `token`, `key`, `pass`,
/// `passphrase`, `credential`, `clave`.
#[inline(always)]
fn may_name(bytes: &[u8], end: usize) -> bool {
    let end = end - usize::from(end > 1 && bytes[end - 1] | 0x20 == b's' && bytes[end - 2] | 0x20 != b's');
    let Some([first, second]) = bytes.get(end.wrapping_sub(2)..end) else { return false };
    *first >= 0x80
        || *second >= 0x80
        || matches!(
            [first | 0x20, second | 0x20],
            [b'r' | b'w', b'd']
                | [b'r', b't']
                | [b'c', b'z']
                | [b'e', b't' | b'n' | b'y']
                | [b's', b's' | b'k' | b'e']
                | [b'a', b'l']
                | [b'v', b'e']
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

fn is_control(text: &[u8]) -> bool {
    if !may_be_control(*text.get(1).unwrap_or(&b' ')) {
        return false;
    }
    if beginning(CONTROL, text) > 0 {
        return true;
    }
    let open = beginning("<| <｜", text);
    // The bytes of `▁` are letters here.
    let name = run(text, open, NAME_BYTES, |byte| byte.is_ascii_alphanumeric() || b"_- \xe2\x96\x81".contains(&byte));
    open > 0 && beginning("|> ｜>", behind(text, open + name)) > 0
}
