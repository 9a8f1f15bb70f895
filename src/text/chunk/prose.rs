//! Which lines go on in the next one: prose that was broken where its lines were full, as PDFs, mails and OCR have it. Decided by widths and
//! by how lines begin and end, for any script; code, logs, lists and tables stay as they are.

use crate::text::line::{Line, width_of};
use crate::text::sentence::SENTENCE_ENDS;

/// Columns of a full line, at least and at most.
const LEAST_WIDTH: usize = 36;
const MOST_WIDTH: usize = 160;
/// So many lines of a text are full, at least.
const LEAST_FULL: usize = 3;
/// A line of prose has so many words.
const LEAST_WORDS: usize = 4;
/// One sign of code in so many characters is none of prose.
const PROSE_A_SIGN: usize = 16;

/// For each line, whether the next one goes on with it.
pub(super) fn joined(text: &str, lines: &[Line]) -> Vec<bool> {
    if lines.iter().filter(|line| (LEAST_WIDTH..=MOST_WIDTH).contains(&(line.width + line.indent))).nth(LEAST_FULL - 1).is_none() {
        return Vec::new();
    }
    let prose: Vec<Option<Prose<'_>>> = lines.iter().map(|line| Prose::of(text, line)).collect();
    let Some(full) = full_width(&prose) else { return Vec::new() };
    let mut joined = vec![false; lines.len()];
    let mut from = 0;
    while from < lines.len() {
        // A paragraph: lines that are full, and the one that goes on with the last of them.
        let mut end = from;
        let (mut going_on, mut alike) = (0, 0);
        while let (Some(Some(prose_of)), Some(Some(next)), Some(next_line)) = (prose.get(end), prose.get(end + 1), lines.get(end + 1)) {
            let is_below = lines[end].indent == next_line.indent || end == from;
            if next_line.is_first || next.is_item || !is_below || !prose_of.is_full_before(next, full) {
                break;
            }
            going_on += usize::from(prose_of.goes_on_in(next));
            alike += usize::from(prose_of.first == next.first || prose_of.begins_with_name() && next.begins_with_name());
            end += 1;
        }
        // Records may be of one width, too, but each begins as the one before, or like a sentence.
        if end > from && 3 * going_on >= end - from && 3 * alike < end - from {
            joined[from..end].fill(true);
        }
        from = end.max(from + 1);
    }
    joined
}

/// The width of full lines, if there are enough lines of about one width.
fn full_width(prose: &[Option<Prose<'_>>]) -> Option<usize> {
    let mut counts = [0; MOST_WIDTH + 1];
    let widths = prose
        .iter()
        .flatten()
        .filter(|prose| prose.is_long)
        .map(|prose| prose.width)
        .filter(|width| (LEAST_WIDTH..=MOST_WIDTH).contains(width));
    widths.for_each(|width| counts[width] += 1);
    let about = |width: usize| counts[width * 17 / 20..=width].iter().sum::<usize>();
    let full = (LEAST_WIDTH..=MOST_WIDTH).filter(|width| counts[*width] > 0).max_by_key(|width| (about(*width), *width))?;
    (about(full) >= LEAST_FULL).then_some(full)
}

/// A line that may be one of prose.
struct Prose<'t> {
    /// As wide as it is shown.
    width: usize,
    /// Its first word, or two characters where there are no words.
    first: &'t str,
    last: char,
    /// It has the words of a full line.
    is_long: bool,
    /// A mark or a number stands before it, as before an item of a list.
    is_item: bool,
}

impl<'t> Prose<'t> {
    fn of(text: &'t str, line: &Line) -> Option<Prose<'t>> {
        if line.has_gap || line.signs * PROSE_A_SIGN > line.width {
            return None;
        }
        let (width, is_unspaced, is_item, line) = (line.width + line.indent, line.is_unspaced, line.is_item, &text[line.place.clone()]);
        let last = line.chars().next_back()?;
        let mut words = line.split_whitespace();
        let word = words.next()?;
        let mark = word.chars().next().filter(|letter| !letter.is_alphanumeric());
        let is_mark = mark.is_some_and(|mark| word.len() == mark.len_utf8() && mark != '#');
        let is_open = mark.is_none_or(|mark| matches!(mark, '"' | '\'' | '(' | '«' | '“' | '„' | '‘' | '¿' | '¡' | '「' | '（'));
        if matches!(last, '{' | '}' | '=' | '>' | '\\' | '(') || !is_mark && !is_open {
            return None;
        }
        let first = if is_unspaced { &line[..line.char_indices().nth(2).map_or(line.len(), |(at, _)| at)] } else { word };
        let is_long = is_unspaced || words.nth(LEAST_WORDS - 2).is_some();
        Some(Prose { width, first, last, is_long, is_item })
    }

    /// Whether there was no room for the next word.
    fn is_full_before(&self, next: &Prose<'_>, full: usize) -> bool {
        let word: usize = next.first.chars().map(width_of).sum();
        self.is_long && 10 * (self.width + 1 + word) > 9 * full && 5 * self.width >= 3 * full
    }

    /// Whether the next line begins amid a sentence.
    fn goes_on_in(&self, next: &Prose<'_>) -> bool {
        let is_open = !matches!(self.last, ':' | ';' | '…' | '：') && !SENTENCE_ENDS.contains(&self.last);
        let begins_amid = next.first.chars().next().is_some_and(|letter| letter.is_alphabetic() && !letter.is_uppercase());
        is_open && begins_amid && !next.begins_with_name() && !next.first.ends_with(':')
    }

    /// Whether its first word is an id, a number or a time, as records begin.
    fn begins_with_name(&self) -> bool {
        self.first.bytes().any(|byte| byte.is_ascii_digit())
    }
}
