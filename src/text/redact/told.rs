//! Secrets that a sentence, a statement or a pipe tells: `the password is …`, `IDENTIFIED BY '…'`, `echo … | docker login --password-stdin`.
//! Each begins at a blank and looks a bounded way ahead. What stands behind a mark of assignment is not told here.

use crate::text::bytes::{DIGIT, kind};
use crate::text::redact::commands::is_placeholder;
use crate::text::redact::names::names_secret;
use crate::text::redact::places::find;
use crate::text::redact::{behind, looks_random, name_before, run};

/// Longest password, and as much of a line is looked at before and behind a place.
const WORD_BYTES: usize = 200;
const LINE_BYTES: usize = 200;
/// Words between the name of a secret and the word behind which it stands.
const WORDS: usize = 7;
/// Least bytes of a password that a sentence tells, of another secret, and of one in a statement.
const PASSWORD_BYTES: usize = 6;
const SECRET_BYTES: usize = 16;
const STATEMENT_BYTES: usize = 4;

/// Words behind which a sentence tells what something is.
const TELLS: [&[u8]; 6] = [b"is", b"was", b"to", b"as", b"is:", b"be"];
/// What is said of a password and is none.
const ABOUT: [&[u8]; 13] =
    [b"sha", b"md5", b"aes", b"pbkdf", b"base", b"utf", b"argon", b"bcrypt", b"scrypt", b"rsa", b"http", b"oauth", b"ed25519"];
/// What reads a password from the pipe before it.
const READERS: [&[u8]; 7] =
    [b"password-stdin", b"--with-token", b"sudo -S", b"chpasswd", b"passwd --stdin", b"--passphrase-fd", b"--password-fd"];

/// The secret that is told behind the blank at `at`.
#[inline(never)]
pub fn told(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let (name, name_start) = name_before(bytes, at)?;
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    if is("echo") || is("printf") {
        return piped(bytes, at);
    }
    if is("by") || is("password") {
        let line = line_before(bytes, at).to_ascii_lowercase();
        let is_statement = if is("by") {
            find(&line, b"identified").is_some()
        } else {
            [&b"user "[..], b"role ", b"login "].iter().any(|word| find(&line, word).is_some())
        };
        if let Some(found) = is_statement.then(|| statement(bytes, at)).flatten() {
            return Some(found);
        }
    }
    sentence(bytes, at, name, name_start)
}

/// What stands in quotes in a statement of SQL.
fn statement(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = at + run(bytes, at, 4, |byte| matches!(byte, b' ' | b'\\'));
    let quote = *behind(bytes, start).first().filter(|byte| matches!(byte, b'\'' | b'"'))?;
    let start = start + 1;
    let length =
        behind(bytes, start).iter().take(WORD_BYTES).take_while(|byte| **byte >= b' ' && **byte != quote && **byte != b'\\').count();
    let password = bytes.get(start..start + length)?;
    (length >= STATEMENT_BYTES && !is_named(password)).then_some((start, start + length))
}

/// The word that `echo` hands to a program which reads a password.
fn piped(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let line = behind(bytes, at);
    let line = line.get(..run(line, 0, LINE_BYTES * 2, |byte| byte != b'\n')).unwrap_or_default();
    let pipe = find(line, b"|")?;
    if !READERS.iter().any(|reader| find(behind(line, pipe), reader).is_some()) {
        return None;
    }
    // The last word before the pipe: options and a format stand before it.
    let before = line.get(..pipe)?;
    if find(before, b"$(").is_some() {
        return None;
    }
    let is_mark = |byte: &u8| b" \"'\\".contains(byte);
    let end = before.iter().rposition(|byte| !is_mark(byte))? + 1;
    let start = before.get(..end)?.iter().rposition(is_mark)? + 1;
    // A name before it tells whose it is (`chpasswd`).
    let word = before.get(start..end)?;
    let from = word.iter().position(|byte| *byte == b':').map_or(0, |mark| mark + 1);
    let password = word.get(from..)?;
    (password.len() >= STATEMENT_BYTES && !is_named(password)).then_some((at + start + from, at + end))
}

/// What a sentence says that a password, a token or a key is.
fn sentence(bytes: &[u8], at: usize, name: &[u8], name_start: usize) -> Option<(usize, usize)> {
    let is_password = names_secret(name, b"x")
        && [&b"passw"[..], b"passp", b"passc", b"pwd"].iter().any(|part| find(&name.to_ascii_lowercase(), part).is_some());
    if !is_password && !names_secret(&two_words(bytes, name, name_start), b"x") {
        return None;
    }
    let mut from = at;
    let mut tells = false;
    for _ in 0..=WORDS {
        let start = from + run(bytes, from, 2, |byte| byte == b' ');
        let length = run(bytes, start, WORD_BYTES, |byte| byte > b' ');
        let word = bytes.get(start..start + length)?;
        if tells && let Some((first, last)) = secret_in(word, is_password) {
            return Some((start + first, start + last));
        }
        if start == from || !word.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b':') {
            return None;
        }
        tells = TELLS.contains(&word);
        from = start + length;
    }
    None
}

/// `API key` is the name of a key of an interface.
fn two_words(bytes: &[u8], name: &[u8], name_start: usize) -> Vec<u8> {
    let before = match name_start.checked_sub(1) {
        Some(blank) if bytes.get(blank) == Some(&b' ') => name_before(bytes, blank).map_or(&[][..], |(word, _)| word),
        _ => &[],
    };
    [before, b"_", name].concat()
}

/// Where in a word, which quotes and the end of the sentence may stand around, a secret stands.
fn secret_in(word: &[u8], is_password: bool) -> Option<(usize, usize)> {
    let first = word.iter().position(|byte| !b"\\\"'`*_(".contains(byte))?;
    let word = word.get(..first + run(word, first, WORD_BYTES, |byte| !b"\\\"'`<".contains(&byte)))?;
    let last = word.iter().rposition(|byte| !b"*_).,;:!?".contains(byte))? + 1;
    let secret = word.get(first..last)?;
    let count = |is_kind: fn(&u8) -> bool| secret.iter().filter(|byte| is_kind(byte)).count();
    let (letters, digits) = (count(u8::is_ascii_alphabetic), count(u8::is_ascii_digit));
    let is_mixed =
        || letters > count(u8::is_ascii_lowercase) + 1 && count(u8::is_ascii_lowercase) > 1 && secret.len() >= PASSWORD_BYTES + 2;
    let lower = secret.to_ascii_lowercase();
    let is_told = (digits > 0 || is_mixed()) && !is_named(secret) && count(|byte| b"()[]{}<>".contains(byte)) == 0;
    if !is_told || ABOUT.iter().any(|about| lower.starts_with(about)) {
        return None;
    }
    let is_secret = if is_password {
        // A length (`12-character`) begins with a number, a path has strokes.
        let is_plain =
            digits > 0 && letters >= 3 && !secret.iter().any(|byte| b"-/.:".contains(byte)) && kind(*secret.first()?) & DIGIT == 0;
        secret.len() >= PASSWORD_BYTES && (is_plain || secret.len() >= PASSWORD_BYTES + 2 && looks_random(secret))
    } else {
        secret.len() >= SECRET_BYTES && looks_random(secret)
    };
    is_secret.then_some((first, last))
}

/// Whether something stands in place of a password.
fn is_named(word: &[u8]) -> bool {
    let is_variable = word.first().is_none_or(|first| b"$%?*<{@:".contains(first)) && !word.iter().any(u8::is_ascii_digit);
    is_placeholder(word) || is_variable
}

fn line_before(bytes: &[u8], at: usize) -> &[u8] {
    let line = bytes.get(at.saturating_sub(LINE_BYTES)..at).unwrap_or_default();
    line.rsplit(|byte| b"\n;".contains(byte)).next().unwrap_or_default()
}
