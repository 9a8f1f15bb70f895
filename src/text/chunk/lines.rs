//! Lines in chunks: each under the line that it is indented below, under the heading before it, or under the first line of its table.

use std::ops::Range;

use super::json::json;
use super::nest::Nest;
use super::table::{Table, is_row};
use super::{Chunks, LINE_BYTES, PIECE_BYTES, under};
use crate::text::line::{Breaks, Line, lines_of};
use crate::text::sentence::{SENTENCE_ENDS, sentences_of_lines};

/// A line that is longer is no heading.
const HEAD_BYTES: usize = 200;
/// What stands above a table is at most so long, and a row that is whole.
const CAPTION_BYTES: usize = 160;
const ROW_CHARS: usize = 500;
/// A heading of so few words stands below the one around it.
const SHORT_HEADING_WORDS: usize = 2;
/// A title of numbered paragraphs is no longer, and stands below headings of six levels.
const TITLE_BYTES: usize = 120;
const TITLE_LEVEL: usize = 7;
/// What may stand before the number of a paragraph.
const OPENS: [char; 4] = ['(', '（', '§', ' '];
/// A rule under a heading is so long, in bytes.
const LEAST_UNDERLINE: usize = 3;

/// The chunks of the lines in a range, under a head.
pub(super) fn lines(text: &str, range: Range<usize>, breaks: Breaks, base: (usize, usize), chunks: &mut Chunks) {
    let (base_head, base_depth) = base;
    let list = lines_of(text, range, breaks);
    let mut nest = Nest::new(text, &list);
    let mut heading = base_head;
    let mut headings: Vec<(usize, usize)> = Vec::new();
    let mut table: Option<(Table, usize)> = None;
    let mut at = 0;
    while let Some(line) = list.get(at) {
        let own = line.place.clone();
        let body = &text[own.clone()];
        let rest = &list[at..];
        let is_below_rule = !line.is_first && at > 0 && list[at - 1].is_rule;
        at += 1;
        if line.is_rule {
            continue;
        }
        // Parts of a table may be apart; what is split by a mark may be another table.
        let found = if line.is_first { Table::at(text, rest, is_below_rule) } else { None };
        table = table.filter(|(table, _)| !line.is_first || found.is_none() && matches!(table, Table::Columns(_)) && table.has(text, line));
        if let Some((table, head)) = &table
            && table.has(text, line)
        {
            row(text, own, *head, base_depth + 1, chunks);
            continue;
        }
        let found = if line.is_first { found } else { Table::at(text, rest, is_below_rule) };
        let next = rest.get(1).map_or("", |next| &text[next.place.clone()]);
        let is_underlined = || rest.get(1).is_some_and(|line| !line.is_first) && is_underline(next);
        let is_above_rule = || found.is_none() && (line.is_first || is_below_rule) && own.len() <= HEAD_BYTES && is_underlined();
        let signs = match () {
            () if is_heading(body) => body.bytes().take_while(|byte| *byte == body.as_bytes()[0]).count(),
            () if is_above_rule() || is_section(body, next) => 1,
            // Below those that are set off as headings.
            () if found.is_none() && is_title(text, line, rest.get(1)) => TITLE_LEVEL,
            () => 0,
        };
        if signs > 0 {
            chunks.push(own.clone(), base_head, base_depth);
            headings.retain(|(outer, _)| *outer < signs);
            // A short one, such as a year, is one of many. The title of all tells nothing apart.
            let is_short = body.split_whitespace().count() <= SHORT_HEADING_WORDS + usize::from(body.starts_with('#'));
            let outer = headings.last().filter(|(outer, _)| is_short && *outer > 1).map_or(base_head, |(_, head)| *head);
            heading = under(outer, own, chunks);
            headings.push((signs, heading));
            nest.clear();
            continue;
        }
        // Behind its numbered paragraphs a title names nothing any more.
        if line.is_first
            && headings.last().is_some_and(|(level, _)| *level == TITLE_LEVEL)
            && number_of(body.trim_start_matches(OPENS)).0.is_empty()
        {
            headings.pop();
            heading = headings.last().map_or(base_head, |(_, head)| *head);
        }
        let depth = base_depth + nest.depth(line);
        let head = nest.head(base_head, heading, chunks);
        if let Some((found, names_end)) = found {
            row(text, own.start..names_end, head, depth, chunks);
            let caption = caption(text, &list[..at]);
            let names = rest.iter().skip(1).take_while(|next| next.place.end <= names_end).count();
            at += names;
            let outer = caption.map_or(heading, |caption| under(heading, caption, chunks));
            table = Some((found, under(outer, own.start..names_end, chunks)));
            continue;
        }
        if body.starts_with(['{', '[']) && json(text, own.clone(), depth, head, chunks) {
            continue;
        }
        if nest.open(line) {
            line_or_sentences(text, own, head, depth, chunks);
        }
    }
}

/// A row of a table, whole: parts of it would stand below the wrong columns.
fn row(text: &str, range: Range<usize>, head: usize, depth: usize, chunks: &mut Chunks) {
    if text[range.clone()].chars().nth(ROW_CHARS).is_some() {
        return line_or_sentences(text, range, head, depth, chunks);
    }
    chunks.push(range, head, depth);
}

/// What stands above a table, before the last of these lines: its paragraph, or the line above it, where that is short. It says what the table is of, or in which unit.
fn caption(text: &str, lines: &[Line]) -> Option<Range<usize>> {
    let (_, above) = lines.split_last()?;
    let is_text = |line: &&Line| {
        let body = &text[line.place.clone()];
        !is_row(line) && !line.is_rule && !is_heading(body)
    };
    let last = above.last().filter(is_text)?;
    let mut first = last;
    for line in above.iter().rev().skip(1).take_while(is_text).take_while(|_| !first.is_first) {
        first = line;
    }
    [first, last].map(|first| first.place.start..last.place.end).into_iter().find(|range| range.len() <= CAPTION_BYTES)
}

/// A heading of Markdown, or of a wiki.
pub(super) fn is_heading(line: &str) -> bool {
    let Some(sign) = line.bytes().next().filter(|sign| matches!(sign, b'#' | b'=')) else { return false };
    let signs = line.bytes().take_while(|byte| *byte == sign).count();
    (1..=6).contains(&signs) && line.as_bytes().get(signs) == Some(&b' ')
}

/// The name of a section, such as `[cache]`, above a line of `name = value`.
fn is_section(line: &str, next: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let is_name = name.is_some_and(|name| !name.is_empty() && !name.trim_matches(['[', ']']).contains(['[', ']', ',']));
    is_name && next.split_once('=').is_some_and(|(name, _)| name.trim().starts_with(char::is_alphabetic))
}

/// Whether a line is the title of the numbered paragraphs that follow at once: `Art. 11 - Guarantee` above `11.1`, `§ 3 Payment` above `1.`.
fn is_title(text: &str, line: &Line, next: Option<&Line>) -> bool {
    let Some(next) = next.filter(|next| !next.is_first && line.place.len() <= TITLE_BYTES) else { return false };
    let [body, below] = [line, next].map(|line| &text[line.place.clone()]);
    let (number, behind) = number_of(below.trim_start_matches(OPENS));
    let is_digit = |letter: char| letter.is_ascii_digit();
    let is_item = |behind: &str| behind.starts_with(['.', ')', '．', '）', '、']);
    let is_part = |behind: &str| behind.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_digit));
    if number.is_empty() || body.ends_with(SENTENCE_ENDS) || body.ends_with([':', '：', ',', ';']) || is_part(number_of(body).1) {
        return false;
    }
    let own = body.split_whitespace().take(2).map(|word| number_of(word).0).find(|number| !number.is_empty()).unwrap_or_default();
    match is_part(behind) {
        true => own == number,
        false => number == "1" && line.is_first && is_item(behind) && !is_item(number_of(body).1),
    }
}

/// The digits that a text begins with, and what stands behind them.
fn number_of(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// A rule in one piece, which makes the line above it a heading.
fn is_underline(line: &str) -> bool {
    line.len() >= LEAST_UNDERLINE && line.chars().all(|letter| matches!(letter, '=' | '-' | '~' | '\u{2500}' | '\u{2550}'))
}

/// One line, or lines that go on in each other; the sentences of a long one.
pub(super) fn line_or_sentences(text: &str, range: Range<usize>, head: usize, depth: usize, chunks: &mut Chunks) {
    let line = &text[range.clone()];
    if !line.chars().any(char::is_alphanumeric) {
        return;
    }
    if line.len() <= LINE_BYTES {
        return chunks.push(range, head, depth);
    }
    let mut from: Option<usize> = None;
    let mut end = range.start;
    for sentence in sentences_of_lines(line) {
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
        let Some(behind) = text[end..range.end].find([' ', '\n', ',', ';', '、', '，']).filter(|behind| *behind <= PIECE_BYTES) else {
            break;
        };
        end += behind + text[end + behind..].chars().next().map_or(1, char::len_utf8);
        chunks.push(start..end, head, depth);
        start = end;
    }
    chunks.push(start..range.end, head, depth);
}

#[cfg(test)]
mod tests {
    use crate::text::chunk::chunks;

    #[test]
    fn numbered_paragraphs_stand_under_their_title_in_any_language() {
        for (text, part, title) in [
            (
                "pag. 14/41\nArt. 11 - Garanzia provvisoria\n11.1 Pari al 2 per cento.\n11.2 Ridotta del 30 per cento.",
                "11.2",
                "Art. 11 - Garanzia provvisoria",
            ),
            ("2. Opłaty\n2.1 Netto 470 000 zł.\n\n3. Kary\n3.1 Do 10 procent.", "3.1", "3. Kary"),
            ("§ 3 Wdrożenie\n1. Start 5 maja.\n2. Koniec 9 maja.\n\n§ 4 Odbiór\n1. W Gdyni.", "2. Koniec", "§ 3 Wdrożenie"),
            ("第４章 保証\n（1）保証は一年とする。\n（2）延長は半年とする。", "延長", "第４章 保証"),
        ] {
            let parts = chunks(text);
            let chunk = parts.list.iter().find(|chunk| text[chunk.range.clone()].contains(part)).expect("it is there");
            let head: Vec<&str> = parts.heads[chunk.head].iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(head, [title], "{text}");
        }
    }

    #[test]
    fn what_stands_behind_numbered_paragraphs_is_not_under_their_title() {
        let text = "Refund options\n1. Voucher\n2. Card\n\nDelivery takes 5 days.";
        let parts = chunks(text);
        let head_of = |part: &str| {
            parts.list.iter().find(|chunk| text[chunk.range.clone()].contains(part)).map(|chunk| parts.heads[chunk.head].len())
        };
        assert_eq!((head_of("Card"), head_of("Delivery")), (Some(1), Some(0)));
    }

    #[test]
    fn a_sentence_an_item_and_another_number_are_no_titles() {
        for text in [
            "It was done in the order of 11 May.\n1. First.\n2. Then.",
            "1. Wash it\n1. Dry it",
            "Total for room 12\n12.50 EUR per night",
            "version 2\n3.1 was installed",
        ] {
            assert!(chunks(text).heads.iter().all(Vec::is_empty), "{text}");
        }
    }
}
