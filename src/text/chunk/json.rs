//! JSON in chunks, part by part: places in it are what is wanted.

use std::ops::Range;

use super::lines::lines;
use super::markup::markup;
use super::{Chunks, LINE_BYTES, PIECE_BYTES, under};
use crate::text::hash::{HashSet, mix};
use crate::text::json::wraps;
use crate::text::line::Breaks;
use crate::text::order::sort_by_numbers;
use crate::text::parts::{Part, end, parts, space};
use crate::text::sentence::is_unspaced;

/// JSON up to this many bytes is one row, if it holds no row itself.
const ROW_BYTES: usize = 420;
/// Shorter JSON is a row whatever it holds.
const SMALL_BYTES: usize = 160;
/// An object is named by so many members, none longer than this.
const HEAD_MEMBERS: usize = 3;
const HEAD_MEMBER_BYTES: usize = 160;
/// How much a word looks like a name: in an object of an item that has a name, no word is one by itself.
const WORD: u8 = 1;
/// An id by which people call a thing is no longer.
const ID_BYTES: usize = 24;
/// Items of a list that are one chunk, where they are short.
const ITEMS_OF_PIECE: usize = 10;
/// Names of columns stand in so many objects at most, among so many members, and take so many bytes.
const LEVELS_OF_NAMES: usize = 3;
const MEMBERS: usize = 40;
const NAMES_BYTES: usize = 4_000;
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
    let above: Vec<Named> =
        chunks.heads[head].iter().map(|range| Named { range: range.clone(), is_key: false, is_of_item: false }).collect();
    let mut json = Json { text, bytes: &text.as_bytes()[..range.end], maps: Vec::new(), chunks };
    let mut at = range.start;
    loop {
        if !text[at..range.end].starts_with(['{', '[']) {
            return None;
        }
        let end = end(json.bytes, at)?;
        json.value(&Part { start: at, value: at, end }, depth, &Above { head, names: above.clone() }, true)?;
        at = space(json.bytes, end);
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
    /// The members of the objects that are open, the outermost first.
    maps: Vec<Vec<Part>>,
    chunks: &'c mut Chunks,
}

/// What a value stands below.
struct Above {
    head: usize,
    names: Vec<Named>,
}

/// A part of a head: what names an object, or the key under which a value stands.
#[derive(Clone)]
struct Named {
    range: Range<usize>,
    is_key: bool,
    /// It names an item of a list.
    is_of_item: bool,
}

impl Json<'_, '_> {
    /// Parts a value. `is_sole`: nothing large stands beside it.
    fn value(&mut self, part: &Part, depth: usize, above: &Above, is_sole: bool) -> Option<()> {
        let size = part.end - part.value;
        let inner = self.parts(part)?;
        let holds_row = || inner.iter().any(|part| self.opens(part) == b'{' && part.end - part.value > SMALL_BYTES / 2);
        let (is_map, is_item) = (self.opens(part) == b'{', part.start == part.value);
        let is_in_item = !is_item && above.names.iter().any(|name| name.is_of_item);
        let named = if is_map { self.names_of(&inner, if is_in_item { WORD } else { 0 }) } else { Vec::new() };
        let is_row = size <= SMALL_BYTES || size <= ROW_BYTES && !holds_row();
        if inner.is_empty() || is_row || depth >= LEVELS {
            self.scalar_or_row(part, depth, above.head, false);
            return Some(());
        }
        // What only wraps all there is tells nothing apart.
        let key = self.text[part.start..part.value].trim_matches(['"', ':', ' ']);
        let has_key = !is_item && !(is_sole && (is_map && inner.len() == 1 || wraps(key)));
        // What an item has in it is about the item, such as the text of a mail.
        let stays = |name: &&Named| name.is_key || named.is_empty() || name.is_of_item && !is_item;
        let kept = Above { head: above.head, names: above.names.iter().filter(stays).cloned().collect() };
        let own = self.below(&kept, has_key.then_some(part.start..part.value), &named, is_item && depth > 0);
        let before = self.chunks.list.len();
        if is_map {
            self.maps.push(inner.clone());
            self.members(&inner, &named, depth, &own)?;
            self.maps.pop();
        } else {
            self.items(&inner, depth, &own)?;
        }
        // What has only names is a row by these.
        if self.chunks.list.len() == before
            && let (Some(first), Some(last)) = (named.first(), named.last())
        {
            self.chunks.push(first.start..last.end, above.head, depth);
        }
        Some(())
    }

    fn members(&mut self, members: &[Part], named: &[Range<usize>], depth: usize, above: &Above) -> Option<()> {
        let is_large = |part: &&Part| part.end - part.value > SMALL_BYTES;
        let is_sole = members.iter().filter(is_large).nth(1).is_none();
        let is_text = |part: &&Part| self.opens(part) == b'"' && part.end - part.value > LINE_BYTES;
        let has_texts = members.iter().filter(is_text).nth(1).is_some();
        for part in members.iter().filter(|part| !named.contains(&(part.start..part.end))) {
            match self.opens(part) {
                b'{' | b'[' if is_large(&part) => self.value(part, depth + 1, above, is_sole)?,
                _ => self.scalar_or_row(part, depth + 1, above.head, has_texts),
            }
        }
        Some(())
    }

    fn items(&mut self, items: &[Part], depth: usize, above: &Above) -> Option<()> {
        let columns = self.columns(items)?;
        let of_rows = if columns.is_empty() { None } else { Some(self.below(above, None, &columns, false)) };
        let mut index = self.index_of(items)?;
        if index.first().is_some_and(|first| first.start == items[0].start) {
            index.clear();
            if self.names_others(items)? {
                return Some(());
            }
        }
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let from = at;
            at += 1;
            if matches!(self.opens(item), b'{' | b'[') {
                let is_header = columns.first().is_some_and(|names| names.start == item.start);
                self.value(item, depth + 1, of_rows.as_ref().filter(|_| !is_header).unwrap_or(above), true)?;
                continue;
            }
            let is_short = |part: &Part| !matches!(self.opens(part), b'{' | b'[') && part.end - item.start <= PIECE_BYTES;
            while at - from < ITEMS_OF_PIECE && items.get(at).is_some_and(is_short) {
                at += 1;
            }
            let piece = Part { start: item.start, value: item.start, end: items[at - 1].end };
            let names = index.get(from..at).map(|names| names[0].start..names[at - from - 1].end);
            let own = names.map(|names| self.below(above, None, &[names], false).head);
            self.scalar_or_row(&piece, depth + 1, own.unwrap_or(above.head), false);
        }
        Some(())
    }

    /// A head below another one: the key under which something stands, and what names it.
    fn below(&mut self, above: &Above, key: Option<Range<usize>>, named: &[Range<usize>], is_of_item: bool) -> Above {
        let key = key.map(|range| Named { range, is_key: true, is_of_item: false });
        let own = named.iter().map(|range| Named { range: range.clone(), is_key: false, is_of_item });
        let names: Vec<Named> = above.names.iter().cloned().chain(key).chain(own).collect();
        if names.len() == above.names.len() {
            return Above { head: above.head, names };
        }
        let head = self.chunks.head(names.iter().map(|name| name.range.clone()).collect(), above.head);
        Above { head, names }
    }

    /// What names the columns of items that are rows of cells: a list of as many texts or named objects beside them or around them, or the
    /// first row.
    fn columns(&self, items: &[Part]) -> Option<Vec<Range<usize>>> {
        let count = self.cells(items.first()?)?.len();
        if items.len() < 2 || count < 2 {
            return Some(Vec::new());
        }
        for item in items {
            if self.cells(item)?.len() != count {
                return Some(Vec::new());
            }
        }
        for members in self.maps.iter().rev() {
            if let Some(names) = self.columns_in(members, count, LEVELS_OF_NAMES)? {
                return Some(names);
            }
        }
        let (first, second) = (self.cells(&items[0])?, self.cells(&items[1])?);
        let is_figure =
            |part: &Part| self.bytes[part.value..part.end].iter().all(|byte| byte.is_ascii_digit() || b"\"+-., %".contains(byte));
        let are_names = first.iter().all(|part| self.opens(part) == b'"' && !is_figure(part)) && second.iter().any(is_figure);
        Some(items.iter().take(usize::from(are_names)).map(|row| row.start..row.end).collect())
    }

    fn columns_in(&self, members: &[Part], count: usize, levels: usize) -> Option<Option<Vec<Range<usize>>>> {
        for part in members.iter().take(MEMBERS) {
            let inner = match self.opens(part) {
                b'[' if part.end - part.start > NAMES_BYTES => continue,
                b'[' => self.parts(part)?,
                b'{' if levels > 0 => {
                    let found = self.columns_in(&self.parts(part)?, count, levels - 1)?;
                    if found.is_some() {
                        return Some(found);
                    }
                    continue;
                }
                _ => continue,
            };
            if inner.len() != count {
                continue;
            }
            if inner.iter().all(|item| self.opens(item) == b'"') {
                return Some(Some(std::iter::once(part.start..part.end).collect()));
            }
            let names = self.names_in(&inner)?;
            if !names.is_empty() {
                return Some(Some(names));
            }
        }
        Some(None)
    }

    /// The texts that name these objects: of the first member that is another one in each.
    fn names_in(&self, items: &[Part]) -> Option<Vec<Range<usize>>> {
        let objects: Vec<Vec<Part>> =
            items.iter().filter(|item| self.opens(item) == b'{').map(|item| self.parts(item)).collect::<Option<_>>()?;
        let Some(first) = objects.first().filter(|_| objects.len() == items.len()) else { return Some(Vec::new()) };
        for key in first.iter().map(|part| &self.text[part.start..part.value]) {
            let of = |members: &Vec<Part>| {
                members
                    .iter()
                    .find(|part| self.text[part.start..part.value] == *key && self.opens(part) == b'"')
                    .map(|part| part.value..part.end)
            };
            let names: Vec<Range<usize>> = objects.iter().filter_map(of).collect();
            if names.len() == items.len() && self.are_different(&names) {
                return Some(names);
            }
        }
        Some(Vec::new())
    }

    fn are_different(&self, ranges: &[Range<usize>]) -> bool {
        let texts: HashSet<u64> = ranges.iter().map(|range| mix(0, &self.bytes[range.clone()])).collect();
        texts.len() == ranges.len()
    }

    /// The cells of a row: its items, or those of the only list that it holds.
    fn cells(&self, row: &Part) -> Option<Vec<Part>> {
        let parts = self.parts(row)?;
        match (self.opens(row), parts.as_slice()) {
            (b'[', _) => Some(parts),
            (b'{', [only]) if self.opens(only) == b'[' => self.parts(only),
            _ => Some(Vec::new()),
        }
    }

    /// The items of the list beside these that says of what each is, such as points in time: as many different texts.
    fn index_of(&self, items: &[Part]) -> Option<Vec<Part>> {
        let Some(beside) = self.maps.last().filter(|_| items.len() > ITEMS_OF_PIECE) else { return Some(Vec::new()) };
        for part in beside.iter().take(MEMBERS).filter(|part| self.opens(part) == b'[') {
            let names = self.parts(part)?;
            let ranges: Vec<Range<usize>> = names.iter().map(|name| name.start..name.end).collect();
            let are_names = names.len() == items.len() && names.iter().all(|name| self.opens(name) == b'"') && self.are_different(&ranges);
            if are_names {
                return Some(names);
            }
        }
        Some(Vec::new())
    }

    /// Whether a list beside this one, which is its index, is parted: each part of that one has its part of the index as its head.
    fn names_others(&self, items: &[Part]) -> Option<bool> {
        for part in self.maps.last().map_or(&[][..], Vec::as_slice).iter().take(MEMBERS) {
            let is_other = !(part.value..part.end).contains(&items[0].start);
            let is_other = is_other && self.opens(part) == b'[' && part.end - part.value > ROW_BYTES;
            if !is_other {
                continue;
            }
            let inner = self.parts(part)?;
            if inner.len() == items.len() && inner.iter().all(|item| !matches!(self.opens(item), b'{' | b'[')) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The first byte of a value.
    fn opens(&self, part: &Part) -> u8 {
        self.bytes.get(part.value).copied().unwrap_or_default()
    }

    /// One row, or one member; a long text in it by its sentences.
    fn scalar_or_row(&mut self, part: &Part, depth: usize, head: usize, has_key: bool) {
        let Part { start, value, end } = *part;
        if self.opens(part) == b'"' && end - value > LINE_BYTES {
            let head = if value > start && (has_key || head == 0) { under(head, start..value, self.chunks) } else { head };
            let range = value + 1..end - 1;
            if !markup(self.text, range.clone(), (head, 1), self.chunks) {
                lines(self.text, range, Breaks::Escaped, (head, 1), self.chunks);
            }
        } else if !matches!(&self.text[value..end], "null" | "\"\"" | "[]" | "{}") {
            self.chunks.push(start..end, head, depth);
        }
    }

    /// What names an object: of its short members those that look most like a name, in their order.
    fn names_of(&self, members: &[Part], below: u8) -> Vec<Range<usize>> {
        let ranks = members.iter().map(|part| self.rank_of(part));
        let mut best: Vec<(u8, usize)> = ranks.zip(0..).filter(|(rank, _)| *rank > below).collect();
        sort_by_numbers(&mut best, |(rank, at)| [-i64::from(*rank), *at as i64, 0]);
        best.truncate(HEAD_MEMBERS);
        // Beside a name and a title a long code tells nothing apart.
        if let Some((least, _)) = best.get(1).copied() {
            best.retain(|(rank, _)| rank + 1 >= least);
        }
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
        let is_id = name.to_ascii_lowercase().ends_with("id") && value.len() <= ID_BYTES;
        let is_word = value.chars().any(char::is_alphabetic);
        let is_phrase = is_word && !is_url && value.contains(|letter: char| letter == ' ' || is_unspaced(letter));
        4 * u8::from(is_url) + 2 * u8::from(is_id || is_phrase) + WORD * u8::from(is_word)
    }

    fn parts(&self, part: &Part) -> Option<Vec<Part>> {
        parts(self.bytes, part)
    }
}
