//! The one rule by name: what stands behind a name of a secret and looks like one, in any language's syntax. `name = value`, `name: value`,
//! `"name": "value"`, a type between them, `{ name, value }` in any order, `name=(user, value)`, `--name value`, `?name=value`.

use crate::bytes::{BEFORE, BEHIND, DIGIT, LETTER, VALUE, kind, stretch};
use crate::redact::above::{Above, is_begun};
use crate::redact::names::{Named, is_about, named, names_signature};
use crate::redact::values::{
    SAMPLE_BYTES, VALUE_BYTES, is_mixed, is_reference, is_secret_key, is_uuid, is_word, looks_chosen, looks_random,
};
use crate::redact::{NAME_BYTES, RUN_BYTES, may_name, run};

/// Least bytes of a value behind a mark that parts words, too: a blank, a tab, the border of a table.
const PARTED_BYTES: usize = 12;
/// As much is looked at before a value for the name that a type or a tuple stands between, and behind it for the name of a pair.
const NEAR_BYTES: usize = 64;
/// Options of commands that are followed by a user and a password.
const PAIR_OPTIONS: [&[u8]; 5] = [b"-u", b"-U", b"--user", b"--proxy-user", b"--auth"];

/// Quotation marks beyond ASCII.
const OPENING: [&str; 6] = ["“", "„", "‘", "«\u{a0}", "«", "「"];

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
pub fn assigned(above: &Above, bytes: &[u8], at: usize, mark_bytes: usize) -> Option<(usize, usize)> {
    let mark = *bytes.get(at)?;
    let mut start = at + mark_bytes + stretch(bytes, at + mark_bytes, 12, BEHIND);
    let is_line_end = matches!(mark, b'\n' | b'\\');
    if is_line_end && bytes.get(start) == Some(&b'-') {
        // An item of a list.
        start += 1 + stretch(bytes, start + 1, 12, BEHIND);
    } else if bytes.get(start) == Some(&b'<') {
        // A tag: `<b>name:</b> value`, `name: <code>value`.
        let tag = run(bytes, start, 16, |byte| byte > b' ' && byte != b'>');
        start += tag + stretch(bytes, start + tag, 12, BEHIND);
    }
    if let Some(open) = OPENING.iter().find(|open| bytes.get(start..).is_some_and(|value| value.starts_with(open.as_bytes()))) {
        start += open.len() + stretch(bytes, start + open.len(), 12, BEHIND);
    }
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
    let may_be_word = || matches!(mark, b':' | b'=' | 0xef) && is_word(value);
    if !is_random && !looks_chosen(value) && !may_be_word() || is_reference(value) || bytes.get(end) == Some(&b'(') {
        return None;
    }
    let found = Found { bytes, at, mark, start, end, quote };
    let name = if is_line_end || mark == b'[' { None } else { name_before(bytes, at) };
    let option = name.map_or(&b""[..], |(name, _)| name);
    if PAIR_OPTIONS.contains(&option) && matches!(mark, b' ' | b'=') {
        let from = start + value.iter().position(|byte| *byte == b':')? + 1;
        let password = bytes.get(from..end)?;
        return (password.iter().any(u8::is_ascii_digit) && (looks_random(password) || looks_chosen(password))).then_some((from, end));
    }
    if option == b"-p" && matches!(mark, b' ' | b'=') {
        return (is_random && value.len() >= PARTED_BYTES && is_mixed(value) && !value.contains(&b'/')).then_some((start, end));
    }
    if !name.is_some_and(|(name, start)| found.is_beside(name, start, is_random)) && !found.is_below(above, option, is_random) {
        return None;
    }
    let whole = if length == SAMPLE_BYTES { start + stretch(bytes, start, RUN_BYTES, VALUE) } else { end };
    // What is called is code.
    (bytes.get(whole) != Some(&b'(')).then_some((start, whole.max(end)))
}

impl Found<'_> {
    /// Whether a name that stands before the value says that it is a secret.
    fn is_beside(&self, name: &[u8], name_start: usize, is_random: bool) -> bool {
        let value = &self.bytes[self.start..self.end];
        let is_secret = |says: &Named| match says {
            Named::Key => is_secret_key(value),
            Named::Token => is_random && !is_uuid(value),
            Named::Secret => is_random,
            Named::Password => is_random || self.is_alone(name_start) && (!is_word(value) || named(value).is_none()),
        };
        let says = self.named(name, name_start).filter(is_secret);
        says.is_some_and(|says| self.is_marked(name, name_start, says)) && !self.is_image(name_start)
    }

    /// Whether a name stands above the value, which fills its line, cell or member.
    fn is_below(&self, above: &Above, name: &[u8], is_random: bool) -> bool {
        let value = &self.bytes[self.start..self.end];
        let has_name = matches!(self.mark, b':' | b'=');
        let is_end = |byte: &&u8| !b" \t\r\"'`*".contains(*byte);
        let next = self.bytes[self.end..].iter().take(NEAR_BYTES).find(is_end).unwrap_or(&b'\n');
        if !above.is_named() || !b"\n\\|,;<]})".contains(next) || !value.iter().any(u8::is_ascii_digit) || has_name && is_about(name) {
            return false;
        }
        let is_secret = |says| says == Named::Password || is_random && (says == Named::Secret || is_mixed(value));
        !is_uuid(value) && above.says(self.bytes, self.start, has_name).is_some_and(is_secret)
    }

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
        if [&b"value"[..], b"content"].iter().any(|word| name.eq_ignore_ascii_case(word)) {
            return self.name_of_pair(before);
        }
        let quoted = self.quote.is_some();
        let end = match self.mark {
            b'=' if quoted => self.before_type()?,
            b',' => self.before_tuple()?,
            b':' | b'=' => return self.named_with_more(),
            _ => return None,
        };
        named(name_before(self.bytes, end)?.0)
    }

    /// What a name says that a person added words to: `API key (production):`, `clave de acceso:`.
    fn named_with_more(&self) -> Option<Named> {
        let is_addition = |byte: &u8| is_name(*byte) || b" ()[]#@.'*,".contains(byte);
        let first = self.at.saturating_sub(NEAR_BYTES);
        let more = self.bytes[first..self.at].iter().rev().take_while(|byte| is_addition(byte)).count();
        let words = |from: usize| self.bytes[from..self.at].split(|byte| !is_name(*byte)).skip(1);
        let stops = (self.at - more + 1..self.at).filter(|at| matches!(self.bytes[*at], b' ' | b'*') && may_name(self.bytes, *at));
        let (stop, says) = stops.filter_map(|stop| Some((stop, named(name_before(self.bytes, stop)?.0)?))).next()?;
        // `Invalid token in request: req_…` tells an id.
        let is_id = self.bytes[self.start..self.end].iter().any(|byte| matches!(byte, b'_' | b'-'));
        let is_closed = self.bytes[..self.at].trim_ascii_end().ends_with(b")") || !is_id;
        (is_closed && !words(stop).any(is_about)).then_some(says)
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
        let line = before.iter().rev().take(NEAR_BYTES).take_while(|byte| **byte != b'\n').count();
        let begins = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| *byte == b'\n');
        let is_tight = self.mark == b'=' && self.start == self.at + 1;
        // Behind a colon words may stand before the name, too.
        let is_begun = matches!(self.mark, b':' | 0xef) && (begins || is_begun(self.bytes, name_start - line, name_start));
        let is_end = matches!(next, None | Some(b'\n' | b'\r')) || is_tight && next == Some(&b';');
        is_end && (is_begun || is_tight && (begins || before.ends_with(b"export ")))
    }

    /// `registry.test/auth:7d9f8b6c` is the tag of an image.
    fn is_image(&self, name_start: usize) -> bool {
        self.mark == b':' && self.start == self.at + 1 && name_start.checked_sub(1).is_some_and(|at| self.bytes[at] == b'/')
    }
}

/// The name before the mark at `at`, and where it begins. A key and a name in other letters than ASCII's may be several words.
pub fn name_before(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let first = at.saturating_sub(2 * NEAR_BYTES);
    let mut end = at;
    loop {
        end = first + bytes.get(first..end)?.iter().rposition(|byte| kind(*byte) & BEFORE == 0)? + 1;
        // A tag between name and mark, or that the mark ends: `<td>name</td><td>`.
        let open = first + bytes[first..end].iter().rposition(|byte| *byte == b'<').unwrap_or(0);
        let is_tag = bytes[end - 1] == b'>' || end == at && bytes.get(at) == Some(&b'>') && bytes[..open].ends_with(b">");
        if bytes[open] != b'<' || !is_tag {
            break;
        }
        end = open;
    }
    let mut start = word_start(bytes, end);
    let blanks = bytes[..start].iter().rev().take(3).take_while(|byte| matches!(byte, b' ' | b'.')).count();
    let is_key = || [&b"key"[..], b"keys"].iter().any(|key| bytes[start..end].eq_ignore_ascii_case(key));
    if blanks > 0 && (!bytes[start..end].is_ascii() || is_key()) {
        start = word_start(bytes, start - blanks);
    }
    Some((bytes.get(start..end)?, start))
}

/// Where the name begins that ends at a place. In a text within a text the letter of a line end stands before it.
fn word_start(bytes: &[u8], end: usize) -> usize {
    let first = end.saturating_sub(NAME_BYTES);
    let start = first + bytes[first..end].iter().rposition(|byte| !is_name(*byte)).map_or(0, |mark| mark + 1);
    start + usize::from(bytes[..start].ends_with(b"\\") && matches!(bytes.get(start), Some(b'n' | b'r' | b't')))
}

fn is_name(byte: u8) -> bool {
    kind(byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-') || byte >= 0x80
}
