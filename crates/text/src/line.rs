//! The lines of a text and what is seen of each in one look: how wide it is shown, which marks it has, what of it looks like code. Not what
//! they mean together: a table, a list, prose.

use std::ops::Range;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// With a line break.
    Plain,
    /// With one that is written `\n`, inside of JSON.
    Escaped,
}

/// A line that holds anything.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Where it stands, without the blanks around it.
    pub place: Range<usize>,
    /// Blanks before it.
    pub indent: usize,
    /// Signs of a quotation before its words, such as `>>` in a mail.
    pub quotes: usize,
    /// An empty line stands before it, or nothing.
    pub is_first: bool,
    /// Columns it takes, without the blanks before it.
    pub width: usize,
    /// Marks that may separate cells, in the order of `MARKS`.
    pub marks: [u16; 5],
    /// A blank stands behind the last of them, as in prose.
    pub is_prose: [bool; 5],
    /// Signs that are rare outside of code.
    pub signs: usize,
    /// Two blanks side by side, or a tab.
    pub has_gap: bool,
    /// It holds a figure such as `1,240` or `658.5`, and not only years, which may name columns: `2021,2022`.
    pub has_figure: bool,
    /// It is an item of a list: a mark or a number stands before it.
    pub is_item: bool,
    /// It only rules off others.
    pub is_rule: bool,
}

/// Which marks may separate cells, the surest first: bars, the bars of drawn boxes, tabs, and what prose has, too.
pub const MARKS: [Mark; 5] = [Mark::Bar, Mark::Box, Mark::Tab, Mark::Semicolon, Mark::Comma];

/// Digits of a year.
const YEAR_DIGITS: usize = 4;

/// A mark that may separate cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `|`, or `!` where a wiki sets off the names of columns so.
    Bar,
    /// A bar of a drawn box.
    Box,
    /// A tab.
    Tab,
    /// `;`.
    Semicolon,
    /// `,`.
    Comma,
}

/// The lines in a range that hold anything.
pub fn lines_of(text: &str, range: Range<usize>, breaks: Breaks) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut start, mut is_first) = (range.start, true);
    while start < range.end {
        let rest = &text[start..range.end];
        let (length, behind) = match breaks {
            Breaks::Plain => rest.find('\n').map_or((rest.len(), 1), |at| (at, 1)),
            Breaks::Escaped => rest.find("\\n").map_or((rest.len(), 2), |at| (at, 2)),
        };
        let body = rest[..length].trim_end().trim_end_matches("\\r");
        let indent = body.len() - body.trim_start().len();
        if indent < body.len() {
            let place = start + indent..start + body.len();
            let quotes = text[place.clone()].bytes().take_while(|byte| matches!(byte, b'>' | b' ')).filter(|byte| *byte == b'>').count();
            let body = &text[place.clone()];
            let (is_item, is_rule) = (is_item(body), is_rule(body));
            lines.push(look(body, Line { place, indent, quotes, is_first, is_item, is_rule, ..Line::default() }));
        }
        is_first = indent == body.len();
        start += length + behind;
    }
    lines
}

/// Looks at a line once.
fn look(body: &str, mut line: Line) -> Line {
    let bytes = body.as_bytes();
    let (mut at, mut is_quoted) = (0, false);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte >= 0x80 {
            let letter = body[at..].chars().next().unwrap_or_default();
            line.width += width_of(letter);
            let bars = &mut line.marks[Mark::Box as usize];
            *bars = bars.saturating_add(u16::from(matches!(letter, '│' | '┃' | '║')));
            at += letter.len_utf8().max(1);
            continue;
        }
        line.width += 1;
        at += 1;
        if !IS_SEEN[usize::from(byte)] {
            continue;
        }
        let next = bytes.get(at).copied().unwrap_or_default();
        let mut count = |mark: Mark| line.marks[mark as usize] = line.marks[mark as usize].saturating_add(1);
        if matches!(byte, b',' | b'.') {
            let digits = |bytes: &mut dyn Iterator<Item = &u8>| bytes.take_while(|byte| byte.is_ascii_digit()).count();
            let (before, behind) = (digits(&mut bytes[..at - 1].iter().rev()), digits(&mut bytes[at..].iter()));
            line.has_figure |= before > 0 && behind > 0 && (before, behind) != (YEAR_DIGITS, YEAR_DIGITS);
        }
        match byte {
            b' ' => line.has_gap |= next == b' ',
            b'"' => is_quoted = !is_quoted,
            b'\t' => {
                count(Mark::Tab);
                line.has_gap = true;
            }
            b'(' => line.signs += usize::from(at > 1 && bytes[at - 2].is_ascii_alphanumeric()),
            b',' | b';' => {
                let mark = if byte == b',' { Mark::Comma } else { Mark::Semicolon };
                // What is quoted is one cell.
                if !is_quoted {
                    count(mark);
                    line.is_prose[mark as usize] |= next == b' ';
                }
                line.signs += usize::from(byte == b';');
            }
            // Wikis set off the names of columns so.
            b'!' if body.starts_with('!') && (at == 1 || next == b'!' || bytes[at - 2] == b'!') => count(Mark::Bar),
            b'|' => {
                count(Mark::Bar);
                line.signs += 1;
            }
            b'\\' if next == b't' => count(Mark::Tab),
            b'.' | b'!' => {}
            _ => line.signs += 1,
        }
    }
    line
}

/// The characters that are looked at.
const IS_SEEN: [bool; 256] = {
    let mut seen = [false; 256];
    let signs = b" \"\t(,.;!|\\{}[]<>=_/$#*~`";
    let mut at = 0;
    while at < signs.len() {
        seen[signs[at] as usize] = true;
        at += 1;
    }
    seen
};

fn is_item(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let mark = word.chars().next().filter(|letter| !letter.is_alphanumeric() && !matches!(letter, '#' | '>'));
    let is_number = word.len() <= 4 && word.ends_with(['.', ')', ':']) && word.starts_with(|letter: char| letter.is_ascii_digit());
    word.len() < line.len() && (is_number || mark.is_some_and(|mark| word.len() == mark.len_utf8()))
}

fn is_rule(line: &str) -> bool {
    line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | '+' | ' ' | '=' | '~' | '_' | '*' | '>' | '\u{2500}'..='\u{257f}'))
}

/// Where the cells of a line begin and end that two blanks or more separate, as wide as they are shown; none where there is only one.
pub fn columns_of(text: &str, line: &Line) -> Option<Vec<(usize, usize)>> {
    let body = &text[line.place.clone()];
    if !line.has_gap {
        return None;
    }
    let mut cells: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut blanks) = (line.indent, 2);
    for letter in body.chars() {
        let width = width_of(letter);
        match cells.last_mut() {
            _ if letter == ' ' => blanks += 1,
            Some(cell) if blanks < 2 => (cell.1, blanks) = (at + width, 0),
            _ => {
                cells.push((at, at + width));
                blanks = 0;
            }
        }
        at += width;
    }
    Some(cells)
}

/// A line without its marks in brackets, such as `[ref=e42]`.
pub fn without_marks(line: &str) -> &str {
    line.find(" [").map_or(line, |at| line[..at].trim_end())
}

/// Whether a line has one word at most, without its marks.
pub fn holds_one_word(line: &str) -> bool {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    without_marks(line)
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-' | '.'))
        .filter(is_word)
        .nth(1)
        .is_none()
}

/// How wide a character is shown, in columns.
fn width_of(letter: char) -> usize {
    1 + usize::from(
        matches!(letter as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff01..=0xff60 | 0x20000..=0x3ffff),
    )
}
