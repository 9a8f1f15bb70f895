//! Whether lines are rows of a table: split alike by the same mark, or standing in the same columns. Its first line names the columns.
//! Knows no program that draws tables.

use crate::text::line::{Line, MARKS, Mark, columns_of};

/// So many marks split a line where no rule below says that it names columns.
const LEAST_MARKS: u16 = 2;
/// So many cells, where only blanks separate them.
const LEAST_CELLS: usize = 3;
/// A rule below the names of columns has so many columns: shorter ones stand before each row.
const LEAST_RULE: usize = 3;
/// Lines that name columns: the second one says of what kind they are.
const MOST_NAMING: usize = 2;

/// How the rows of a table are split.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Table {
    /// By a mark, into so many cells.
    Marks(Mark, u16),
    /// By blanks: where the cells of its rows begin and end.
    Columns(Vec<(usize, usize)>),
}

impl Table {
    /// The table that begins with these lines, below a rule or not, and where the lines end that name its columns.
    pub(super) fn at(text: &str, lines: &[Line], is_below_rule: bool) -> Option<(Table, usize)> {
        let (first, next) = (lines.first()?, lines.get(1).filter(|next| !next.is_first)?);
        let is_ruled = |line: &&Line| !line.is_first && line.is_rule;
        let before_rule = lines[1..].iter().take(if is_below_rule { MOST_NAMING } else { 1 }).position(|line| is_ruled(&line));
        if let Some((mark, count)) = marks_of(first) {
            let is_alike = |line: &Line| marks_of(line) == Some((mark, count));
            let between = |naming: usize| lines[1..=naming].iter().all(is_alike);
            if let Some(naming) = before_rule.filter(|naming| between(*naming) && lines[naming + 1].width >= LEAST_RULE) {
                return Some((Table::Marks(mark, count), lines[naming].place.end));
            }
            // A row of figures names no columns, and a figure may hold the mark.
            let row = if before_rule == Some(0) { lines.get(2)? } else { next };
            if !first.has_figure {
                return (count >= LEAST_MARKS && is_alike(row)).then_some((Table::Marks(mark, count), first.place.end));
            }
        }
        let names = columns_of(text, first)?;
        let row = if before_rule == Some(0) { lines.get(2).filter(|row| !row.is_first)? } else { next };
        let cells = columns_of(text, row)?;
        let is_named = before_rule == Some(0) || cells.len() >= LEAST_CELLS && differ(text, (first, &names), (row, &cells));
        (is_named && are_aligned(&names, &cells)).then_some((Table::Columns(cells), first.place.end))
    }

    /// Whether a line is a row of it.
    pub(super) fn has(&self, text: &str, line: &Line) -> bool {
        match self {
            Table::Marks(mark, count) => marks_of(line) == Some((*mark, *count)),
            Table::Columns(columns) => columns_of(text, line).is_some_and(|cells| are_aligned(columns, &cells)),
        }
    }
}

/// Whether a line may be a row of any table.
pub(super) fn is_row(line: &Line) -> bool {
    line.has_gap || marks_of(line).is_some_and(|(mark, _)| mark != Mark::Comma)
}

/// By what a line is split into cells, and how many of these marks it has.
fn marks_of(line: &Line) -> Option<(Mark, u16)> {
    MARKS.into_iter().find_map(|mark| {
        let (count, is_of_prose) = (line.marks[mark as usize], matches!(mark, Mark::Semicolon | Mark::Comma));
        let least = if is_of_prose { LEAST_MARKS } else { 1 };
        (count >= least && !line.is_prose[mark as usize]).then_some((mark, count))
    })
}

/// Whether most cells of the shorter line begin or end where one of the other does.
fn are_aligned(one: &[(usize, usize)], other: &[(usize, usize)]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    // A bracket behind a figure stands beyond the others.
    let has_place = |cell: &&(usize, usize)| long.iter().any(|(start, end)| *start == cell.0 || end.abs_diff(cell.1) <= 1);
    let aligned = short.iter().filter(has_place).count();
    aligned >= 2 && aligned * 3 >= short.len() * 2
}

/// Whether a line names columns rather than being one more row: it has no cell where the row has its first, or one of another kind.
fn differ(text: &str, names: (&Line, &[(usize, usize)]), row: (&Line, &[(usize, usize)])) -> bool {
    let kinds =
        |line: &Line| text[line.place.clone()].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(kind_of).collect::<Vec<_>>();
    let (of_names, of_row) = (kinds(names.0), kinds(row.0));
    if names.1.len() < row.1.len() {
        return row.1.first().is_some_and(|(_, end)| names.1.first().is_some_and(|(start, _)| start >= end));
    }
    of_names.iter().zip(&of_row).any(|(name, cell)| name != cell && *name != Kind::Figure)
}

/// What a cell looks like.
#[derive(PartialEq, Eq)]
enum Kind {
    Figure,
    Capitals,
    Word,
}

fn kind_of(cell: &str) -> Kind {
    if cell.bytes().any(|byte| byte.is_ascii_digit()) {
        return Kind::Figure;
    }
    let has_small = cell.chars().any(char::is_lowercase);
    if !has_small && cell.chars().any(char::is_uppercase) { Kind::Capitals } else { Kind::Word }
}
