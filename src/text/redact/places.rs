//! Secrets that neither a form nor a name of their own tells, but where they stand: addresses, hashes of passwords, blocks of keys,
//! cookies, Kubernetes Secrets, files of logins. Each looks a bounded way back and ahead.

use crate::text::bytes::{DIGIT, LETTER, VALUE, is_at, kind};
use crate::text::redact::{NAME_BYTES, RUN_BYTES, beginning, behind, ends_name, looks_random, name_before, run};

/// What is so long behind a colon is no port: a password whose end was cut off.
const PASSWORD_BYTES: usize = 200;
/// As much is looked at before a place, and behind it, for what says what it is.
const NEAR_BYTES: usize = 512;
const AHEAD_BYTES: usize = 4_096;

/// How hashes of passwords begin behind a dollar, and behind a brace.
const HASHES: &str = "1$ 2a$ 2b$ 2x$ 2y$ 5$ 6$ 7$ y$ gy$ apr1$ argon2i$ argon2d$ argon2id$ scrypt$ pbkdf2$ pbkdf2- sha1$ P$ H$ S$ \
    bcrypt$ bcrypt-";
const BRACED_HASHES: &str = "SHA} SSHA} SMD5} MD5} CRYPT} SHA256} SSHA256} SHA512} SSHA512} BLF-CRYPT} SHA512-CRYPT} SHA256-CRYPT} \
    ARGON2ID} PBKDF2} PBKDF2_SHA256} bcrypt} pbkdf2} scrypt} argon2}";

/// The hash of a password that begins at `at`, behind a dollar or a brace.
#[inline(never)]
pub fn hash(bytes: &[u8], at: usize, before: u8) -> Option<(usize, usize)> {
    let is_part = |byte: u8| kind(byte) & (LETTER | DIGIT) != 0 || b"./$,=+-_{}".contains(&byte);
    let text = behind(bytes, at);
    let mut head = beginning(if before == b'$' { HASHES } else { BRACED_HASHES }, text);
    if before == b'$' && head == 0 {
        // Django: the name of the function, rounds, salt and hash.
        let rounds = run(bytes, at, 8, |byte| byte.is_ascii_digit());
        let salt = run(bytes, at + rounds + 1, 64, |byte| kind(byte) & (LETTER | DIGIT) != 0);
        let is_whole = rounds >= 4 && salt >= 6 && text.get(rounds) == Some(&b'$') && text.get(rounds + 1 + salt) == Some(&b'$');
        head = if is_whole { rounds + 1 } else { 0 };
    }
    let tail = run(bytes, at + head, NEAR_BYTES, is_part);
    (head > 0 && tail >= 20 && looks_random(bytes.get(at + head..at + head + tail)?)).then_some((at, at + head + tail))
}

/// The password of an address, whose colon is at `at`: `scheme://user:password@host`, `user:password@tcp(host)`, `thin:user/password@host`.
#[inline(never)]
pub fn credentials(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let is_part = |byte: u8| byte > b' ' && !b"\"'<>\\`".contains(&byte);
    if !behind(bytes, at).starts_with(b"://") {
        return driver_credentials(bytes, at);
    }
    let user = at + 3;
    let start = user + run(bytes, user, RUN_BYTES, |byte| kind(byte) & VALUE != 0 && !b"/@:".contains(&byte));
    if bytes.get(start) == Some(&b'@') {
        // A token in place of a user.
        let token = bytes.get(user..start)?;
        return (token.len() >= 16 && token.iter().any(u8::is_ascii_digit) && looks_random(token)).then_some((user, start));
    }
    if bytes.get(start) != Some(&b':') {
        return None;
    }
    let start = start + 1;
    let end = start + run(bytes, start, RUN_BYTES, |byte| byte > b' ' && !b"\"'/@<>".contains(&byte));
    if end > start && bytes.get(end) == Some(&b'@') {
        // Of several, the last one before the path ends the password.
        let more = bytes.get(end..end + run(bytes, end, PASSWORD_BYTES, |byte| byte > b' ' && !b"\"'/<>\\`,?&".contains(&byte)))?;
        let last = more.iter().rposition(|byte| *byte == b'@')?;
        return Some((start, end + last));
    }
    if end > start + PASSWORD_BYTES {
        return Some((start, end));
    }
    // A password with a slash, where what stands before the slash is no port.
    let whole = bytes.get(start..start + run(bytes, start, PASSWORD_BYTES, is_part))?;
    let last = whole.iter().position(|byte| *byte == b'@')?;
    let is_port = bytes.get(start..end)?.iter().all(u8::is_ascii_digit);
    (!is_port && looks_random(whole.get(..last)?)).then_some((start, start + last))
}

/// Addresses without a scheme, as drivers of databases take them.
fn driver_credentials(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = at + 1;
    let end = start + run(bytes, start, PASSWORD_BYTES, |byte| kind(byte) & VALUE != 0 && byte != b'@');
    if end < start + 4 || bytes.get(end) != Some(&b'@') {
        return None;
    }
    if beginning("@tcp( @tcp6( @unix( @cloudsql( @cloudsqlconn(", behind(bytes, end)) > 0 {
        return Some((start, end));
    }
    let slash = bytes.get(start..end)?.iter().position(|byte| *byte == b'/')? + 1;
    bytes.get(..at)?.ends_with(b"thin").then_some((start + slash, end))
}

/// The password at the end of a line `host:port:database:user:password`, whose first colon is at `at`.
#[inline(never)]
pub fn line_of_logins(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    if !is_at(bytes, at + 1, DIGIT) && bytes.get(at + 1) != Some(&b'*') {
        return None;
    }
    let field = |start: usize| run(bytes, start, 64, |byte| byte > b' ' && !b":\"'/\\".contains(&byte));
    let port = field(at + 1);
    let is_port = (2..=5).contains(&port) && bytes.get(at + 1..at + 1 + port)?.iter().all(u8::is_ascii_digit);
    if !is_port && bytes.get(at + 1..at + 3) != Some(b"*:") {
        return None;
    }
    let mut start = at + 1 + port;
    for _ in 0..2 {
        let length = field(start + 1);
        if length == 0 || bytes.get(start) != Some(&b':') {
            return None;
        }
        start += 1 + length;
    }
    let end = start + 1 + field(start + 1);
    let password = bytes.get(start + 1..end)?;
    (bytes.get(start) == Some(&b':') && bytes.get(end) != Some(&b':') && password.len() >= 8 && looks_random(password))
        .then_some((start + 1, end))
}

/// The block of a private key, up to its last mark or the end of the text.
#[inline(never)]
pub fn private_key(text: &str, at: usize) -> Option<(usize, usize)> {
    let block = &text[at..];
    let strokes = run(block.as_bytes(), 0, 16, |byte| byte == b'-');
    let head = block.as_bytes().get(strokes..block.len().min(64))?;
    let is_begin = strokes >= 4 && (head.starts_with(b"BEGIN ") || head.starts_with(b" BEGIN "));
    if !is_begin || !["PRIVATE KEY", "OpenVPN Static key"].iter().any(|name| has(head, name.as_bytes())) {
        return None;
    }
    // The last mark ends like the first, with as many strokes.
    let inside = strokes + 6;
    let length = block.get(inside..)?.find(if strokes == 4 { "---- END" } else { "-----END" }).map_or(block.len(), |end| {
        let end = inside + end + strokes + 2;
        end + run(block.as_bytes(), end, NAME_BYTES, |byte| byte != b'-') + strokes
    });
    Some((at, (at + length).min(text.len())))
}

/// The lines of a private key of PuTTY, behind the colon at `at`.
#[inline(never)]
pub fn putty_key(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    if !bytes.get(..at)?.ends_with(b"Private-Lines") {
        return None;
    }
    let start = at + 1 + run(bytes, at + 1, 8, |byte| byte == b' ' || byte.is_ascii_digit());
    let length = run(bytes, start, 2 * RUN_BYTES, |byte| kind(byte) & (LETTER | DIGIT) != 0 || b"+/=\r\n\\ ".contains(&byte));
    // The word before the next stroke names the next line.
    let last = if bytes.get(start + length) == Some(&b'-') { b"Private".len() } else { 0 };
    (length > 24).then_some((start, start + length - last))
}

/// What is kept in the Kubernetes Secret whose `data` stands before the colon at `at`.
#[inline(never)]
pub fn kubernetes_secret(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    if !ends_name(bytes, at, b"ata") {
        return None;
    }
    let (name, name_start) = name_before(bytes, at)?;
    if !matches!(name, b"data" | b"stringData") {
        return None;
    }
    let is_opened = matches!(bytes.get(at + 1 + run(bytes, at + 1, 4, |byte| byte == b' ')), Some(b'\n' | b'\r' | b'\\' | b'{'));
    if !is_opened {
        return None;
    }
    // Strokes part what is kept in one file.
    let (mut before, mut ahead) = (bytes.get(at.saturating_sub(NEAR_BYTES)..at)?, bytes.get(at..(at + AHEAD_BYTES).min(bytes.len()))?);
    while let Some(end) = find(before, b"---") {
        before = behind(before, end + 3);
    }
    ahead = ahead.get(..find(ahead, b"---").unwrap_or(ahead.len()))?;
    if !is_kind_secret(before) && !is_kind_secret(ahead) {
        return None;
    }
    let gap = at + 1 + run(bytes, at + 1, 64, |byte| byte <= b' ' || byte == b'\\' || byte == b'n');
    if bytes.get(gap) == Some(&b'{') {
        let length = run(bytes, gap, 16 * RUN_BYTES, |byte| byte != b'}');
        return (length > 8).then_some((gap + 1, gap + length));
    }
    // The lines that are indented more than the name.
    let line_start = |at: usize| bytes.get(..at).unwrap_or_default().iter().rev().take(64).take_while(|byte| **byte == b' ').count();
    let indent = line_start(name_start);
    let mut end = at + 1;
    loop {
        let newline = match behind(bytes, end) {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] | [b'\\', b'n', ..] => 2,
            _ => break,
        };
        let spaces = run(bytes, end + newline, 64, |byte| byte == b' ');
        if spaces <= indent || bytes.get(end + newline + spaces).is_none() {
            break;
        }
        end += newline + spaces;
        end += run(bytes, end, usize::MAX, |byte| !matches!(byte, b'\n' | b'\r' | b'\\'));
    }
    (end > at + 1).then_some((at + 1, end))
}

fn is_kind_secret(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'S') {
        let before = rest.get(..at).unwrap_or_default();
        let is_word = behind(rest, at).starts_with(b"Secret") && rest.get(at + 6).is_none_or(|next| !next.is_ascii_alphanumeric());
        let end = before.iter().rposition(|byte| !b" \"'\\:".contains(byte)).map_or(0, |at| at + 1);
        if is_word && end < before.len() && before.get(..end).is_some_and(|before| before.ends_with(b"kind")) {
            return true;
        }
        rest = behind(rest, at + 1);
    }
    false
}

/// Whether what stands at `at` is part of a cookie: the word stands before it on its line.
pub fn is_in_cookie(bytes: &[u8], at: usize) -> bool {
    let line = bytes.get(at.saturating_sub(NEAR_BYTES)..at).unwrap_or_default();
    let line = line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_named = find(line, b"ookie").is_some_and(|at| {
        let behind = behind(line, at + 5);
        let behind = behind.strip_prefix(b"s").unwrap_or(behind);
        let behind = behind.strip_prefix(b" ").filter(|behind| b"=\"'".iter().any(|mark| behind.first() == Some(mark))).unwrap_or(behind);
        behind.first().is_some_and(|next| b":=\"',(\\".contains(next))
    });
    is_named || has(line, b"--cookie ") || has(line, b" -b ")
}

/// Whether a machine or a user is named shortly before, as in `.netrc`.
pub fn is_in_login(bytes: &[u8], at: usize) -> bool {
    let near = bytes.get(at.saturating_sub(NEAR_BYTES / 2)..at).unwrap_or_default();
    has(near, b"machine ") || has(near, b"login ")
}

/// Whether the private number of a key as JSON stands at `at`.
pub fn is_in_json_key(bytes: &[u8], at: usize) -> bool {
    has(bytes.get(at.saturating_sub(NEAR_BYTES)..at).unwrap_or_default(), b"\"kty")
}

fn has(text: &[u8], word: &[u8]) -> bool {
    find(text, word).is_some()
}

/// Where a word first stands in a text.
pub fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    let first = word.first()?;
    let mut at = 0;
    loop {
        at += behind(text, at).iter().position(|byte| byte == first)?;
        if behind(text, at).starts_with(word) {
            return Some(at);
        }
        at += 1;
    }
}
