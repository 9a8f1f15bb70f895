//! The one rule by name: what stands behind a name of a secret and looks like one, in any language's syntax. `name = value`, `name: value`,
//! `"name": "value"`, a type between them, `{ name, value }` in any order, `name=(user, value)`, `--name value`, `?name=value`.

use crate::bytes::{BEFORE, BEHIND, DIGIT, LETTER, VALUE, kind, stretch};
use crate::redact::names::{Named, named, names_signature};
use crate::redact::values::{SAMPLE_BYTES, VALUE_BYTES, is_mixed, is_reference, is_secret_key, is_uuid, looks_chosen, looks_random};
use crate::redact::{NAME_BYTES, RUN_BYTES, run};

/// Least bytes of a value behind a mark that parts words, too: a blank, a tab, the border of a table.
const PARTED_BYTES: usize = 12;
/// As much is looked at before a value for the name that a type or a tuple stands between, and behind it for the name of a pair.
const NEAR_BYTES: usize = 64;
/// Options of commands that are followed by a user and a password.
const PAIR_OPTIONS: [&[u8]; 5] = [b"-u", b"-U", b"--user", b"--proxy-user", b"--auth"];

/// A value that may be a secret, and where its name must stand.
struct Found<'a> {
    bytes: &'a [u8],
    /// Where the mark before the value is.
    at: usize,
    mark: u8,
    start: usize,
    end: usize,
    quote: Option<u8>,
}

/// The secret behind the mark at `at`, which is so many bytes long.
#[inline(never)]
pub fn assigned(bytes: &[u8], at: usize, mark_bytes: usize) -> Option<(usize, usize)> {
    let mark = *bytes.get(at)?;
    let start = at + mark_bytes + stretch(bytes, at + mark_bytes, 12, BEHIND);
    let quote = bytes.get(start.checked_sub(1)?).copied().filter(|byte| b"\"'`".contains(byte));
    let length = stretch(bytes, start, SAMPLE_BYTES, VALUE);
    let mut end = start + length;
    if quote.is_some() && bytes.get(end).is_some_and(|byte| kind(*byte) & VALUE == 0) {
        // In quotes a value goes on up to the quote.
        let whole = start + run(bytes, start, 2 * SAMPLE_BYTES, |byte| byte > b' ' && !b"\"'`\\".contains(&byte));
        if bytes.get(whole).is_some_and(|byte| Some(*byte) == quote || *byte == b'\\') {
            end = whole;
        }
    }
    // The value first: hardly any looks like one, and names take time to read.
    let value = bytes.get(start..end)?;
    let is_random = value.len() >= VALUE_BYTES && looks_random(value);
    if !is_random && !looks_chosen(value) || is_reference(value) || bytes.get(end) == Some(&b'(') {
        return None;
    }
    let found = Found { bytes, at, mark, start, end, quote };
    let (name, name_start) = name_before(bytes, at)?;
    if PAIR_OPTIONS.contains(&name) && matches!(mark, b' ' | b'=') {
        let from = start + value.iter().position(|byte| *byte == b':')? + 1;
        let password = bytes.get(from..end)?;
        return (is_random && password.iter().any(u8::is_ascii_digit) && looks_random(password)).then_some((from, end));
    }
    if name == b"-p" && matches!(mark, b' ' | b'=') {
        return (is_random && value.len() >= PARTED_BYTES && is_mixed(value) && !value.contains(&b'/')).then_some((start, end));
    }
    let says = found.named(name, name_start)?;
    let is_secret = match says {
        Named::Key => is_secret_key(value),
        Named::Token => is_random && !is_uuid(value),
        Named::Secret => is_random,
        Named::Password => is_random || found.is_alone(name_start),
    };
    if !is_secret || !found.is_marked(name, name_start, says) || found.is_image(name_start) {
        return None;
    }
    let whole = if length == SAMPLE_BYTES { start + stretch(bytes, start, RUN_BYTES, VALUE) } else { end };
    // What is called is code.
    (bytes.get(whole) != Some(&b'(')).then_some((start, whole.max(end)))
}

impl Found<'_> {
    /// What the name of the value says of it: the one before the mark, or the one that it stands for.
    fn named(&self, name: &[u8], name_start: usize) -> Option<Named> {
        // The shell's directories.
        let is_directory = (name == b"PWD" || name == b"OLDPWD") && self.bytes.get(self.start) == Some(&b'/');
        if let Some(says) = named(name).filter(|_| !is_directory) {
            return Some(says);
        }
        let before = self.bytes.get(..name_start)?;
        if names_signature(name) {
            return before.last().filter(|byte| matches!(byte, b'?' | b'&' | b'-')).map(|_| Named::Secret);
        }
        if name.eq_ignore_ascii_case(b"value") {
            return self.name_of_pair(before);
        }
        let quoted = self.quote.is_some();
        let end = match self.mark {
            b'=' if quoted => self.before_type()?,
            b',' => self.before_tuple()?,
            _ => return None,
        };
        named(name_before(self.bytes, end)?.0)
    }

    /// What the name that stands beside `value` says: `{ name: "…", value: "…" }`, in any order.
    fn name_of_pair(&self, before: &[u8]) -> Option<Named> {
        const IS_BETWEEN: fn(u8) -> bool = |byte| byte <= b' ' || b"\"'\\,;".contains(&byte);
        let mut end = before.len();
        // In a text within a text a line end is two letters.
        while before.len() - end < 24 && end > 0 && (IS_BETWEEN(before[end - 1]) || before[..end].ends_with(b"\\n")) {
            end -= 1;
        }
        let first = name_before(self.bytes, end).and_then(|(name, _)| named(name));
        first.or_else(|| {
            let from = self.end + run(self.bytes, self.end, 24, IS_BETWEEN);
            let key = run(self.bytes, from, 8, |byte| kind(byte) & LETTER != 0);
            let is_key = [&b"name"[..], b"key"].iter().any(|word| self.bytes[from..from + key].eq_ignore_ascii_case(word));
            let name = from + key + stretch(self.bytes, from + key, 12, BEHIND);
            let length = run(self.bytes, name, NAME_BYTES, is_name);
            if is_key { named(self.bytes.get(name..name + length)?) } else { None }
        })
    }

    /// Where the name ends that a type stands behind: `apiKey: string =`, `apiKey string =`.
    fn before_type(&self) -> Option<usize> {
        let first = self.at.saturating_sub(NEAR_BYTES);
        let line = self.bytes.get(first..self.at)?;
        let line_start = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let text = line.get(line_start..)?.trim_ascii_end();
        let is_type = |byte: &u8| kind(*byte) & (LETTER | DIGIT) != 0 || b"_&<>?|.[]*' ".contains(byte);
        let other = text.iter().rposition(|byte| !is_type(byte));
        let end = match other {
            Some(colon) if text[colon] == b':' => colon,
            _ => text.iter().rposition(|byte| *byte == b' ').filter(|blank| *blank > 0 && is_name(text[blank - 1]))?,
        };
        Some(first + line_start + end)
    }

    /// Where the name ends behind which the tuple opens that the value stands in: `auth=("user", "…")`.
    fn before_tuple(&self) -> Option<usize> {
        let first = self.at.saturating_sub(NEAR_BYTES);
        let open = self.bytes.get(first..self.at)?.iter().rposition(|byte| matches!(byte, b'(' | b'[' | b'\n' | b';' | b')'))?;
        matches!(self.bytes[first + open], b'(' | b'[').then_some(first + open)
    }

    /// Whether the mark parts a name and a value. A blank, a tab and the border of a table part words, too, so more is asked of the value.
    fn is_marked(&self, name: &[u8], name_start: usize, says: Named) -> bool {
        let value = &self.bytes[self.start..self.end];
        let has_digit = value.iter().any(u8::is_ascii_digit);
        match self.mark {
            b',' => has_digit,
            _ if name.starts_with(b"--") => true,
            b' ' if says == Named::Password && self.quote.is_some() => has_digit,
            b' ' => value.len() >= PARTED_BYTES && has_digit && (is_mixed(value) || self.is_scheme(name, name_start)),
            b'|' | b'\t' => value.len() >= PARTED_BYTES && has_digit,
            _ => true,
        }
    }

    /// Whether the name is a scheme of the header `Authorization`.
    fn is_scheme(&self, name: &[u8], name_start: usize) -> bool {
        let is_known = [&b"bearer"[..], b"basic"].iter().any(|scheme| name.eq_ignore_ascii_case(scheme));
        is_known || name_before(self.bytes, name_start).is_some_and(|(header, _)| header.ends_with(b"uthorization"))
    }

    /// Whether the value stands in quotes or on a line of its own, as values do and words of code do not.
    fn is_alone(&self, name_start: usize) -> bool {
        let next = self.bytes.get(self.end);
        if self.quote.is_some() {
            return matches!(self.mark, b'=' | b':' | b' ') && next.is_some_and(|next| Some(*next) == self.quote || *next == b'\\');
        }
        let before = self.bytes.get(..name_start).unwrap_or_default();
        let begins = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| *byte == b'\n');
        let is_tight = self.mark == b'=' && self.start == self.at + 1;
        matches!(next, None | Some(b'\n' | b'\r'))
            && (begins && (is_tight || matches!(self.mark, b':' | 0xef)) || is_tight && before.ends_with(b"export "))
    }

    /// `registry.test/auth:7d9f8b6c` is the tag of an image.
    fn is_image(&self, name_start: usize) -> bool {
        self.mark == b':' && self.start == self.at + 1 && name_start.checked_sub(1).is_some_and(|at| self.bytes[at] == b'/')
    }
}

/// The name before the mark at `at`, and where it begins. In other letters than ASCII's it may be several words.
fn name_before(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let first = at.saturating_sub(NAME_BYTES);
    let before = bytes.get(first..at)?;
    let end = before.iter().rposition(|byte| kind(*byte) & BEFORE == 0)? + 1;
    let mark = before.get(..end)?.iter().rposition(|byte| !is_name(*byte));
    // In a text within a text the letter of a line end stands before the name.
    let is_escape =
        mark.is_some_and(|mark| before.get(mark) == Some(&b'\\') && before.get(mark + 1).is_some_and(|next| b"nrt".contains(next)));
    let start = mark.map_or(0, |mark| mark + 1 + usize::from(is_escape));
    Some((before.get(start..end)?, first + start))
}

fn is_name(byte: u8) -> bool {
    kind(byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-') || byte >= 0x80
}
