//! JSON in chunks, part by part and without a tree: places in it are what is wanted. Lenient with words that are no JSON, but not with where a
//! value ends.

use std::ops::Range;

use super::line::Breaks;
use super::lines::lines;
use super::{Chunks, LINE_BYTES};
use crate::order::sort_by_numbers;

/// JSON up to this many bytes is one row, if it holds no row itself.
const ROW_BYTES: usize = 420;
/// Shorter JSON is a row whatever it holds.
const SMALL_BYTES: usize = 160;
/// An object is named by so many members, none longer than this.
const HEAD_MEMBERS: usize = 3;
const HEAD_MEMBER_BYTES: usize = 160;
/// Deepest JSON that is split.
const LEVELS: usize = 24;

/// The chunks of a range that is JSON from its beginning to its end: a value, or several, each on lines of its own. False where it is not, and
/// then there are no new chunks.
pub(super) fn json(text: &str, range: Range<usize>, depth: usize, head: usize, chunks: &mut Chunks) -> bool {
    let before = (chunks.list.len(), chunks.heads.len());
    let is_read = text[range.clone()].ends_with(['}', ']']) && values(text, range, depth, head, chunks).is_some();
    if !is_read {
        chunks.list.truncate(before.0);
        chunks.heads.truncate(before.1);
    }
    is_read
}

fn values(text: &str, range: Range<usize>, depth: usize, head: usize, chunks: &mut Chunks) -> Option<()> {
    let mut json = Json { text, bytes: &text.as_bytes()[..range.end], chunks };
    let mut at = range.start;
    loop {
        if !text[at..range.end].starts_with(['{', '[']) {
            return None;
        }
        let end = json.value(at, depth, head)?;
        at = json.space(end);
        if at >= range.end {
            return Some(());
        }
        if !text[end..at].contains('\n') {
            return None;
        }
    }
}

struct Json<'t, 'c> {
    text: &'t str,
    bytes: &'t [u8],
    chunks: &'c mut Chunks,
}

impl Json<'_, '_> {
    /// Parts the value that begins at `at`, under a head. Returns its end.
    fn value(&mut self, at: usize, depth: usize, head: usize) -> Option<usize> {
        let end = self.end(at)?;
        let size = end - at;
        let is_open = matches!(self.bytes[at], b'{' | b'[');
        let inner = if is_open { self.parts(at, end)? } else { Vec::new() };
        let holds_row =
            || inner.iter().any(|part| matches!(self.bytes.get(part.value), Some(b'{')) && part.end - part.value > SMALL_BYTES / 2);
        if !is_open || size <= SMALL_BYTES || size <= ROW_BYTES && !holds_row() || depth >= LEVELS {
            self.scalar_or_row(at..end, at, depth, head);
            return Some(end);
        }
        let is_map = self.bytes[at] == b'{';
        let named = if is_map { self.names_of(&inner) } else { Vec::new() };
        let before = self.chunks.list.len();
        let own = self.chunks.head(named.clone(), head);
        for part in inner.iter().filter(|part| !named.contains(&(part.start..part.end))) {
            let is_large = part.end - part.value > SMALL_BYTES;
            match self.bytes[part.value] {
                b'{' | b'[' if is_large || !is_map => {
                    self.value(part.value, depth + 1, own)?;
                }
                _ => self.scalar_or_row(part.start..part.end, part.value, depth + 1, own),
            }
        }
        // What has only names is a row by these.
        if self.chunks.list.len() == before
            && let (Some(first), Some(last)) = (named.first(), named.last())
        {
            self.chunks.push(first.start..last.end, head, depth);
        }
        Some(end)
    }

    /// One row, or one member; a long text in it by its sentences.
    fn scalar_or_row(&mut self, range: Range<usize>, value: usize, depth: usize, head: usize) {
        if self.bytes.get(value) == Some(&b'"') && range.end - value > LINE_BYTES {
            let label =
                if value > range.start && head == 0 { self.chunks.head(std::iter::once(range.start..value).collect(), head) } else { head };
            lines(self.text, value + 1..range.end - 1, Breaks::Escaped, (label, 1), self.chunks);
        } else if !matches!(&self.text[value.min(range.end)..range.end], "null" | "\"\"" | "[]" | "{}") {
            self.chunks.push(range, head, depth);
        }
    }

    /// What names an object: of its short members those that look most like a name, in their order.
    fn names_of(&self, members: &[Part]) -> Vec<Range<usize>> {
        let ranks = members.iter().map(|part| self.rank_of(part));
        let mut best: Vec<(u8, usize)> = ranks.zip(0..).filter(|(rank, _)| *rank > 0).collect();
        sort_by_numbers(&mut best, |(rank, at)| [-i64::from(*rank), *at as i64, 0]);
        best.truncate(HEAD_MEMBERS);
        sort_by_numbers(&mut best, |(_, at)| [*at as i64, 0, 0]);
        best.into_iter().map(|(_, at)| members[at].start..members[at].end).collect()
    }

    /// How much a member looks like the name of its object; zero is not at all.
    fn rank_of(&self, part: &Part) -> u8 {
        if part.value == part.start
            || part.end - part.start > HEAD_MEMBER_BYTES
            || matches!(self.bytes[part.value], b'{' | b'[' | b'n' | b't' | b'f')
        {
            return 0;
        }
        let name = self.text[part.start..part.value].trim_matches(['"', ':', ' ']);
        let value = self.text[part.value..part.end].trim_matches('"');
        let is_url = value.starts_with("http");
        let is_word = value.chars().any(char::is_alphabetic);
        4 * u8::from(is_url) + 2 * u8::from(name.to_ascii_lowercase().ends_with("id")) + u8::from(is_word)
    }

    /// The members or items between the brackets of a value.
    fn parts(&self, at: usize, end: usize) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut at = self.space(at + 1);
        while at < end - 1 {
            let start = at;
            let mut value = at;
            if self.bytes[at] == b'"' {
                let behind = self.space(self.end(at)?);
                if self.bytes.get(behind) == Some(&b':') {
                    value = self.space(behind + 1);
                }
            }
            let end_of = self.end(value)?;
            parts.push(Part { start, value, end: end_of });
            at = self.space(end_of);
            match self.bytes.get(at) {
                Some(b',') => at = self.space(at + 1),
                Some(b'}' | b']') => break,
                _ => return None,
            }
        }
        Some(parts)
    }

    fn space(&self, mut at: usize) -> usize {
        while self.bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        at
    }

    /// The end of the value at `at`.
    fn end(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at)? {
            b'"' => self.string_end(at),
            b'{' | b'[' => {
                let (mut open, mut at) = (0usize, at);
                loop {
                    match self.bytes.get(at)? {
                        b'"' => at = self.string_end(at)? - 1,
                        b'{' | b'[' => open += 1,
                        b'}' | b']' => open = open.checked_sub(1)?,
                        _ => {}
                    }
                    at += 1;
                    if open == 0 {
                        return Some(at);
                    }
                }
            }
            _ => {
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
                let length = self.bytes[at..].iter().position(ends).unwrap_or(self.bytes.len() - at);
                (length > 0).then_some(at + length)
            }
        }
    }

    fn string_end(&self, at: usize) -> Option<usize> {
        let mut at = at + 1;
        loop {
            match self.bytes.get(at)? {
                b'\\' => at += 2,
                b'"' => return Some(at + 1),
                _ => at += 1,
            }
        }
    }
}

/// A member with its name, or an item.
struct Part {
    start: usize,
    value: usize,
    end: usize,
}
