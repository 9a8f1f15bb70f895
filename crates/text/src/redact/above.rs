//! What stands above a value: the name of the object, the list or the block of lines it is in, and the heading of its column. Taken in while a
//! text is read; each line is looked at once.

use crate::bytes::{DIGIT, LETTER, kind};
use crate::redact::assigned::name_before;
use crate::redact::names::{Named, named};
use crate::redact::{NAME_BYTES, may_name, run};

/// As far as a value stands from the beginning of its row, and of the list or object under a name.
const ROW_BYTES: usize = 400;
const MEMBERS_BYTES: usize = 4_096;

#[derive(Default)]
pub struct Above {
    /// Where the line began, and whether a word of it may be a name.
    line: usize,
    pub has_name: bool,
    /// Where the objects and lists begin that are open in one with a name, and what the name says.
    open: Vec<(usize, Named)>,
    /// What the name above a block of lines says, the blanks before it, and whether no line has followed yet.
    block: Option<(Named, usize, bool)>,
    /// What parts the cells of a table (`[` where each row is a list of JSON, `<` for tags), and each column whose heading is a name.
    table: Option<(u8, Vec<(usize, Named)>)>,
}

impl Above {
    /// Whether a value may stand behind this mark of a table.
    pub fn is_parted_by(&self, mark: u8) -> bool {
        self.table.as_ref().is_some_and(|table| table.0 == mark)
    }

    /// Whether a value may belong to a name that stands above it.
    pub fn is_named(&self) -> bool {
        self.block.is_some() || self.table.is_some() || !self.open.is_empty()
    }

    /// Takes in what the mark at `at` opens or ends.
    pub fn take_in(&mut self, bytes: &[u8], at: usize, is_name: bool) {
        match bytes[at] {
            b'{' | b'[' => {
                if self.open.first().is_some_and(|(open, _)| at - open > MEMBERS_BYTES) {
                    self.open.clear();
                }
                let name = if is_name && self.has_name { name_before(bytes, at) } else { None };
                let assigned = |(name, start): &(&[u8], usize)| bytes[start + name.len()..at].iter().any(|byte| b":=".contains(byte));
                let outer = self.open.last().map(|(_, says)| *says);
                let says = name.filter(assigned).and_then(|(name, _)| named(name)).or(outer);
                self.open.extend(says.map(|says| (at, says)));
            }
            b'}' | b']' => {
                self.open.pop();
                if self.has_name && bytes[at] == b']' {
                    self.read_headings(bytes, b'[', row_start(bytes, at), at);
                }
            }
            _ => {
                if self.has_name || self.is_named() {
                    self.read_line(bytes, at);
                }
                (self.line, self.has_name) = (at + 1 + usize::from(bytes[at] == b'\\'), false);
            }
        }
    }

    #[inline(never)]
    fn read_line(&mut self, bytes: &[u8], at: usize) {
        let line = &bytes[self.line..at];
        // Not a rule under headings, nor a fence.
        let is_text = |byte: &u8| kind(*byte) & (LETTER | DIGIT) != 0 || *byte >= 0x80;
        if line.iter().any(is_text) && !line.starts_with(b"```") {
            let is_below = self.is_below(bytes);
            self.block = self.block.filter(|_| is_below).map(|(says, indent, _)| (says, indent, false));
            self.table.take_if(|(mark, _)| *mark != b'[' && !line.contains(mark));
        }
        if !self.has_name {
            return;
        }
        let end = at - line.iter().rev().take_while(|byte| b" \t\r|:".contains(byte)).count();
        if let Some((name, start)) = name_before(bytes, end)
            && may_name(bytes, start + name.len())
            && is_begun(bytes, self.line, start)
            && let Some(says) = named(name)
        {
            self.block = Some((says, self.indent(bytes), true));
        }
        if let Some(mark) = b"|\t<,;".iter().find(|mark| line.contains(mark)) {
            self.read_headings(bytes, *mark, self.line, at);
        }
    }

    fn indent(&self, bytes: &[u8]) -> usize {
        run(bytes, self.line, ROW_BYTES, |byte| matches!(byte, b' ' | b'\t'))
    }

    /// Whether the line belongs to the block above it: it stands deeper, or is an item.
    fn is_below(&self, bytes: &[u8]) -> bool {
        let indent = self.indent(bytes);
        let is_item = bytes[self.line + indent..].starts_with(b"- ");
        self.block.is_some_and(|(_, outer, _)| indent > outer || is_item && indent == outer)
    }

    /// Reads a row that holds a name: its cells are headings, unless such stand above.
    fn read_headings(&mut self, bytes: &[u8], mark: u8, from: usize, to: usize) {
        let border = if mark == b'[' { b',' } else { mark };
        if self.is_parted_by(mark) || to - from > ROW_BYTES {
            return;
        }
        let row = &bytes[from..to];
        // Not a sentence, nor a row of values.
        let is_heading =
            |byte: &u8| kind(*byte) & (LETTER | DIGIT) != 0 || b" _-\t\r\"'`*</>".contains(byte) || *byte == border || *byte >= 0x80;
        if !row.iter().all(is_heading) {
            return;
        }
        let is_name = |byte: &u8| kind(*byte) & LETTER != 0 || b" _-".contains(byte) || *byte >= 0x80;
        let (mut columns, mut start, mut column) = (Vec::new(), 0, 0);
        for at in 0..=row.len() {
            if at < row.len() && !is_border(row, at, mark) {
                continue;
            }
            let cell = &row[start..at];
            // Behind the mark of the tag, before the next.
            let cell = if mark == b'<' { cell.split(|byte| matches!(byte, b'<' | b'>')).nth(1).unwrap_or_default() } else { cell };
            let inner = |byte: &u8| !b" \t\r\"'`*".contains(byte);
            let ends = cell.iter().position(inner).zip(cell.iter().rposition(inner));
            let cell = ends.map_or(&b""[..], |(first, last)| &cell[first..=last]);
            let may_be = cell.len() <= NAME_BYTES && may_name(cell, cell.len()) && cell.iter().all(is_name);
            columns.extend(if may_be { named(cell).map(|says| (column, says)) } else { None });
            (start, column) = (at + 1, column + 1);
        }
        if !columns.is_empty() && column > 1 {
            self.table = Some((mark, columns));
        }
    }

    /// What stands above a value says of it: its heading, its list or object, its block.
    pub fn says(&self, bytes: &[u8], start: usize, has_name: bool) -> Option<Named> {
        let of_column = || {
            let (mark, columns) = self.table.as_ref()?;
            let row = if *mark == b'[' { row_start(bytes, start) } else { self.line };
            let cells = bytes.get(row..start).filter(|cells| cells.len() < ROW_BYTES)?;
            let column = (0..cells.len()).filter(|at| is_border(cells, *at, *mark)).count();
            columns.iter().find(|(of, _)| *of == column).map(|(_, says)| *says)
        };
        let of_list = || self.open.last().filter(|(open, _)| start - open < MEMBERS_BYTES).map(|(_, says)| *says);
        let of_block = || self.block.filter(|block| self.is_below(bytes) || block.2 && !has_name).map(|(says, ..)| says);
        of_column().or_else(of_list).or_else(of_block)
    }
}

/// Where the row of JSON begins that goes on at a place.
fn row_start(bytes: &[u8], at: usize) -> usize {
    let first = at.saturating_sub(ROW_BYTES);
    first + bytes[first..at].iter().rposition(|byte| *byte == b'[').map_or(0, |open| open + 1)
}

/// Whether a border of cells stands at a place.
fn is_border(row: &[u8], at: usize, mark: u8) -> bool {
    match mark {
        b'[' => row[at] == b',',
        b'<' => row[at] == mark && matches!(row.get(at + 1..at + 3), Some([b't', b'h' | b'd'])),
        _ => row[at] == mark,
    }
}

/// Whether only words and markup stand before a name on its line.
pub fn is_begun(bytes: &[u8], line: usize, name_start: usize) -> bool {
    let is_word = |byte: &u8| kind(*byte) & (LETTER | DIGIT) != 0 || b" \t*#<>-\"'`_.+/$|".contains(byte) || *byte >= 0x80;
    bytes.get(line..name_start).is_some_and(|before| before.len() < 64 && before.iter().all(is_word))
}
