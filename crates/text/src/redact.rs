//! Keeps secrets and providers' control tokens out of the texts that stepfold builds of what it read. Three rules: how a token begins
//! (`forms`), the name that a value stands under (`assigned`), and where it stands (`places`: addresses, blocks of keys).
//! Not for what stays whole: a result or a message of the user is sent as it came. Deterministic, so that texts stay the same.

mod assigned;
mod control;
mod forms;
mod forms_table;
mod names;
mod places;
mod rules;
mod values;

use crate::bytes::{DIGIT, LETTER, OPENS, TOKEN, is_at, kind, stretch};
use crate::redact::assigned::assigned;
pub use crate::redact::control::{control_length, printable};
use crate::redact::forms::{LEAST_TAIL_BYTES, is_token};
use crate::redact::names::{Named, named};
use crate::redact::places::{credentials, private_key};
use crate::redact::rules::rules;
pub use crate::redact::rules::{Rules, with_rules};
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

fn clean_by(text: &str, finds_secrets: bool) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let piece = if finds_secrets { next_piece(text, at) } else { next_control_token(text, at) };
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
fn next_piece(text: &str, start: usize) -> Piece {
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
            is_secret.then(|| (at, token_end - usize::from(bytes.get(token_end - 1) == Some(&b'.'))))
        } else if kind(byte) & OPENS == 0 || byte == b' ' && !may_mark {
            None
        } else {
            match byte {
                b'<' | b'[' if is_control(behind(bytes, at)) => return Piece { end: at + 1, instead: " ", next: at + 1 },
                b'-' if before != b'-' => private_key(text, at),
                b':' => assigned(bytes, at, 1).or_else(|| credentials(bytes, at)),
                // A value begins behind these two, where others pass over more marks of assignment.
                b',' if matches!(before, b'"' | b'\'') => assigned(bytes, at, 1),
                b'=' | b'>' | b'|' | b'\t' | b' ' => assigned(bytes, at, usize::from(byte == b'|')),
                0xef if bytes.get(at + 1..at + 3).is_some_and(|rest| matches!(rest, [0xbc, 0x9a | 0x9d])) => assigned(bytes, at, 3),
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

/// Whether the word that ends at `end` ends as names of secrets do: `password`, `passwd`, `secret`, `token`, `key`, `pass`, `passphrase`.
#[inline(always)]
fn may_name(bytes: &[u8], end: usize) -> bool {
    let Some([first, second]) = bytes.get(end.wrapping_sub(2)..end) else { return false };
    matches!([first | 0x20, second | 0x20], [b'r' | b'w', b'd'] | [b'e', b't' | b'n' | b'y'] | [b's', b's' | b'k' | b'e'])
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
    if beginning(CONTROL, text) > 0 {
        return true;
    }
    let open = beginning("<| <｜", text);
    // The bytes of `▁` are letters here.
    let name = run(text, open, NAME_BYTES, |byte| byte.is_ascii_alphanumeric() || b"_- \xe2\x96\x81".contains(&byte));
    open > 0 && beginning("|> ｜>", behind(text, open + name)) > 0
}
