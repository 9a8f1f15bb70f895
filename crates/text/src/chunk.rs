//! A text in chunks, by its format: rows and members of JSON, rows of tables, items and nodes under their heads, sentences in any script, lines
//! of code and logs. Each is a range of the text, and stands under a head that says what it belongs to. Knows no tool and no language; not
//! which chunks are worth keeping (`worth`).

use std::ops::Range;

use crate::order::sort_by_numbers;
use crate::sentence::sentences;

/// JSON up to this many bytes is one row, if it holds no row itself.
const ROW_BYTES: usize = 420;
/// Shorter JSON is a row whatever it holds.
const SMALL_BYTES: usize = 160;
/// A line up to this many bytes is one chunk; a longer one is split into sentences, and what has none into pieces.
const LINE_BYTES: usize = 360;
const PIECE_BYTES: usize = 240;
/// A line that is longer is no head, and neither is a longer member; an object is named by so many members.
const HEAD_BYTES: usize = 200;
const HEAD_MEMBERS: usize = 3;
const HEAD_MEMBER_BYTES: usize = 160;
/// A line of a table has at least this many of the marks that separate its cells.
const CELLS: usize = 2;
/// Chunks of one text at most.
const MOST_CHUNKS: usize = 4_000;
/// Deepest JSON that is split.
const LEVELS: usize = 24;

/// A chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Its head, of `Chunks::heads`.
    pub head: usize,
    /// How deep it stands: its distance from the beginning of a line, or of JSON.
    pub depth: u8,
}

/// The chunks of a text.
#[derive(Debug, Default)]
pub struct Chunks {
    /// In order.
    pub list: Vec<Chunk>,
    /// What chunks belong to: a heading, the first line of a table, what names an object. The first one is empty: what stands alone.
    pub heads: Vec<Vec<Range<usize>>>,
}

impl Chunks {
    fn push(&mut self, range: Range<usize>, head: usize, depth: usize) {
        if self.list.len() < MOST_CHUNKS {
            self.list.push(Chunk { range, head, depth: depth.min(9) as u8 });
        }
    }

    /// A new head; the same one where it adds nothing.
    fn head(&mut self, ranges: Vec<Range<usize>>, outer: usize) -> usize {
        if ranges.is_empty() || self.heads.len() >= MOST_CHUNKS {
            return outer;
        }
        self.heads.push(ranges);
        self.heads.len() - 1
    }
}

/// The chunks of a text, in order.
pub fn chunks(text: &str) -> Chunks {
    let mut chunks = Chunks { list: Vec::new(), heads: vec![Vec::new()] };
    let trimmed = text.trim_start();
    let is_json = trimmed.starts_with(['{', '[']) && matches!(text.trim_end().as_bytes().last(), Some(b'}' | b']'));
    let mut json = Json { text, bytes: text.as_bytes(), chunks: &mut chunks };
    if !is_json || json.value(text.len() - trimmed.len(), 0, 0).is_none() {
        chunks.list.clear();
        chunks.heads.truncate(1);
        lines(text, &mut chunks);
    }
    chunks
}

/// A text that is one chunk as a whole.
pub fn whole(text: &str) -> Chunks {
    Chunks { list: vec![Chunk { range: 0..text.len(), head: 0, depth: 0 }], heads: vec![Vec::new()] }
}

/// JSON, part by part, without a tree: places in it are what is wanted.
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
            escaped_lines(self.text, value + 1..range.end - 1, label, self.chunks);
        } else if !matches!(&self.text[value.min(range.end)..range.end], "null" | "\"\"" | "[]" | "{}" | "true" | "false" | "0") {
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

/// The lines of a long text inside of JSON, where a line ends with an escaped sign.
fn escaped_lines(text: &str, range: Range<usize>, head: usize, chunks: &mut Chunks) {
    let mut start = range.start;
    while start < range.end {
        let end = text[start..range.end].find("\\n").map_or(range.end, |at| start + at);
        line_or_sentences(text, start..end, head, 1, chunks);
        start = end + 2;
    }
}

/// The table that is being read: by what its lines are parted and into how many cells, its first line, and the head that this is.
struct Table {
    alike: (u8, usize),
    first: Range<usize>,
    head: Option<usize>,
}

/// Lines, each under the line that it is indented below, under the heading before it, or under the first line of its table.
fn lines(text: &str, chunks: &mut Chunks) {
    let mut above: Vec<(usize, Range<usize>, Option<usize>)> = Vec::new();
    let mut heading = 0;
    let mut table: Option<Table> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let place = start..start + line.trim_end().len();
        start += line.len();
        let body = &text[place.clone()];
        let indent = body.len() - body.trim_start().len();
        if body.len() == indent {
            table = None;
            continue;
        }
        let own = place.start + indent..place.end;
        if is_heading(&body[indent..]) {
            chunks.push(own.clone(), 0, 0);
            heading = chunks.head(vec![own], 0);
            above.clear();
            continue;
        }
        // A table is two lines at least that are split alike; the first one names its columns.
        let cells = cells_of(body);
        match &mut table {
            Some(Table { alike, first, head }) if cells == Some(*alike) => {
                if !is_rule(body) {
                    let head = *head.get_or_insert_with(|| chunks.head(vec![first.clone()], heading));
                    line_or_sentences(text, own, head, 1, chunks);
                }
                continue;
            }
            _ => table = cells.map(|alike| Table { alike, first: own.clone(), head: None }),
        }
        while above.last().is_some_and(|(before, ..)| *before >= indent) {
            above.pop();
        }
        let depth = above.len();
        let head = match above.last_mut() {
            Some((_, range, head)) => *head.get_or_insert_with(|| chunks.head(vec![range.clone()], heading)),
            None => heading,
        };
        line_or_sentences(text, own.clone(), head, depth, chunks);
        if own.len() <= HEAD_BYTES {
            above.push((indent, own, None));
        }
    }
}

/// One line, or the sentences of a long one.
fn line_or_sentences(text: &str, range: Range<usize>, head: usize, depth: usize, chunks: &mut Chunks) {
    let line = &text[range.clone()];
    if !line.chars().any(char::is_alphanumeric) {
        return;
    }
    if line.len() <= LINE_BYTES {
        return chunks.push(range, head, depth);
    }
    let mut from: Option<usize> = None;
    let mut end = range.start;
    for sentence in sentences(line) {
        // A part of the line, so its place is known.
        let start = sentence.as_ptr() as usize - text.as_ptr() as usize;
        if let Some(first) = from.filter(|first| start + sentence.len() - first > PIECE_BYTES) {
            pieces(text, first..end, head, depth, chunks);
            from = None;
        }
        from.get_or_insert(start);
        end = start + sentence.len();
    }
    if let Some(first) = from {
        pieces(text, first..end, head, depth, chunks);
    }
}

/// What has no sentences, between two words.
fn pieces(text: &str, range: Range<usize>, head: usize, depth: usize, chunks: &mut Chunks) {
    let mut start = range.start;
    while range.end - start > 2 * PIECE_BYTES {
        let mut end = start + PIECE_BYTES;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let Some(behind) = text[end..range.end].find([' ', ',', ';', '、', '，']).filter(|behind| *behind <= PIECE_BYTES) else { break };
        end += behind + text[end + behind..].chars().next().map_or(1, char::len_utf8);
        chunks.push(start..end, head, depth);
        start = end;
    }
    chunks.push(start..range.end, head, depth);
}

/// A heading of Markdown.
fn is_heading(line: &str) -> bool {
    let signs = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&signs) && line.as_bytes().get(signs) == Some(&b' ')
}

/// By what a line is split into cells, and into how many.
fn cells_of(line: &str) -> Option<(u8, usize)> {
    [b'|', b'\t', b';', b','].into_iter().find_map(|mark| {
        let count = line.bytes().filter(|byte| *byte == mark).count();
        // Prose has commas, too: a row of a table has none that a blank follows.
        let is_prose = || matches!(mark, b',' | b';') && line.as_bytes().windows(2).any(|pair| pair[0] == mark && pair[1] == b' ');
        (count >= CELLS && !is_prose()).then_some((mark, count))
    })
}

/// A line that only rules off the head of a table.
fn is_rule(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b'+' | b' ' | b'='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::written::written;

    fn of(text: &str) -> Vec<(String, String)> {
        let Chunks { list, heads } = chunks(text);
        let head = |at: usize| heads[at].iter().map(|range| written(&text[range.clone()])).collect::<Vec<_>>().join(", ");
        list.into_iter().map(|chunk| (head(chunk.head), written(&text[chunk.range]))).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(head, text)| ((*head).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn json_is_parted_into_rows_under_what_names_them() {
        let pad = "x".repeat(190);
        let text = format!(
            r#"{{"hits":[{{"id":"A-1","url":"https://a.test/1","snippet":"{pad} one","note":"{pad}","year":2024}},{{"id":"B-2","price":20}}],"total":12,"next":null,"page":{{"n":1}}}}"#
        );
        let parts = of(&text);
        assert!(
            parts.iter().any(|(head, text)| head.contains("id: A-1") && head.contains("url: https://a.test/1") && text == "year: 2024"),
            "{parts:?}"
        );
        assert!(parts.contains(&(String::new(), "id: B-2, price: 20".into())), "{parts:?}");
        assert!(parts.contains(&(String::new(), "total: 12".into())), "{parts:?}");
        assert!(!parts.iter().any(|(_, text)| text.contains("next")), "{parts:?}");
        // A small answer is one row, whole.
        assert_eq!(of(r#"{"ok":true,"refundId":"re_1","amount":20}"#), pairs(&[("", "amount: 20, ok: true, refundId: re_1")]));
    }

    #[test]
    fn lines_stand_under_what_they_belong_to() {
        assert_eq!(
            of("# Prices\n| item | eur | kg |\n|---|---|---|\n| tea | 4 | 1 |\n\n- list:\n  - one item\n"),
            pairs(&[
                ("", "# Prices"),
                ("# Prices", "| item | eur | kg |"),
                ("| item | eur | kg |", "| tea | 4 | 1 |"),
                ("# Prices", "- list:"),
                ("- list:", "- one item"),
            ])
        );
        assert_eq!(of("clinic,rows,budget\nnorth,12,66\n"), pairs(&[("", "clinic,rows,budget"), ("clinic,rows,budget", "north,12,66")]));
        assert_eq!(of("fn a() {\n    one();\n}\n"), pairs(&[("", "fn a() {"), ("fn a() {", "one();")]));
    }

    #[test]
    fn long_lines_are_parted_by_sentences_in_any_script() {
        let text = "最初の文です。".repeat(60);
        let parts = of(&text);
        assert!(parts.len() > 4 && parts.iter().all(|(_, part)| part.ends_with('。') && part.len() <= PIECE_BYTES), "{parts:?}");
        let json = format!(r#"{{"title":"T","body":"{}"}}"#, "A first sentence with words. ".repeat(30));
        assert!(of(&json).iter().any(|(head, text)| head == "title: T" && text.starts_with("A first")), "{:?}", of(&json));
    }

    #[test]
    fn no_text_breaks_the_parting() {
        for text in ["", "{", "[[[[", "{\"a\":", "{\"a\":}", "[1,]", "\"", "{}", "[]", "{\"a\" \"b\"}", "｛", "|||\n|||", "{\"a\":\"\\\"}"]
        {
            let parts = chunks(text);
            let is_part = |range: &Range<usize>| text.get(range.clone()).is_some();
            assert!(parts.list.iter().all(|part| is_part(&part.range)) && parts.heads.iter().flatten().all(is_part), "{text}");
        }
    }
}
