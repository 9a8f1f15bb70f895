//! Secrets that neither a form nor a name reveals, but where they stand: passwords in addresses, and blocks of private keys.
//! Each looks a bounded way ahead.

use crate::bytes::{VALUE, kind};
use crate::redact::values::looks_random;
use crate::redact::{NAME_BYTES, RUN_BYTES, behind, run};

/// What is so long behind a colon is no port: a password whose end was cut off.
const PASSWORD_BYTES: usize = 200;

/// The password of an address, whose first colon is at `at`: `scheme://user:password@host`, or a token in place of a user.
#[inline(never)]
pub fn credentials(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    if !behind(bytes, at).starts_with(b"://") {
        return None;
    }
    let user = at + 3;
    let start = user + run(bytes, user, RUN_BYTES, |byte| kind(byte) & VALUE != 0 && !b"/@:".contains(&byte));
    if bytes.get(start) == Some(&b'@') {
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
    let whole = bytes.get(start..start + run(bytes, start, PASSWORD_BYTES, |byte| byte > b' ' && !b"\"'<>\\`".contains(&byte)))?;
    let last = whole.iter().position(|byte| *byte == b'@')?;
    let is_port = bytes.get(start..end)?.iter().all(u8::is_ascii_digit);
    (!is_port && looks_random(whole.get(..last)?)).then_some((start, start + last))
}

/// The block of a private key, up to its last mark, or the end of the text or the string of JSON in which it was cut off.
#[inline(never)]
pub fn private_key(text: &str, at: usize) -> Option<(usize, usize)> {
    let block = &text[at..];
    let strokes = run(block.as_bytes(), 0, 16, |byte| byte == b'-');
    let head = block.as_bytes().get(strokes..block.len().min(64))?;
    let is_begin = strokes >= 4 && (head.starts_with(b"BEGIN ") || head.starts_with(b" BEGIN "));
    let has = |name: &[u8]| head.windows(name.len()).any(|part| part == name);
    if !is_begin || !has(b"PRIVATE KEY") && !has(b"Static key") {
        return None;
    }
    // The last mark ends like the first, with as many strokes.
    let inside = strokes + 6;
    let end = block.get(inside..)?.find(if strokes == 4 { "---- END" } else { "-----END" });
    let length = end.map_or_else(
        || block.find('"').unwrap_or(block.len()),
        |end| {
            let end = inside + end + strokes + 2;
            end + run(block.as_bytes(), end, NAME_BYTES, |byte| byte != b'-') + strokes
        },
    );
    Some((at, (at + length).min(text.len())))
}
