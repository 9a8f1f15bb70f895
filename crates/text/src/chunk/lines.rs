//! Lines in chunks: each under the line that it is indented below, under the heading before it, or under the first line of its table. What was
//! broken only because a line was full is read as one.

use std::ops::Range;

use super::json::json;
use super::line::{Breaks, lines_of};
use super::nest::Nest;
use super::prose::joined;
use super::table::{Table, is_rule};
use super::{Chunks, line_or_sentences, under};

/// A line that is longer is no heading.
const HEAD_BYTES: usize = 200;
/// A rule under a heading is so long, in bytes.
const LEAST_UNDERLINE: usize = 3;

/// The chunks of the lines in a range, under a head.
pub(super) fn lines(text: &str, range: Range<usize>, breaks: Breaks, base: (usize, usize), chunks: &mut Chunks) {
    let (base_head, base_depth) = base;
    let list = lines_of(text, range, breaks);
    let joined = joined(text, &list);
    let mut nest = Nest::new(text, &list);
    let mut heading = base_head;
    let mut table: Option<(Table, usize)> = None;
    let mut at = 0;
    while let Some(line) = list.get(at) {
        let own = line.place.clone();
        let body = &text[own.clone()];
        let rest = &list[at..];
        let is_below_rule = !line.is_first && at > 0 && is_rule(&text[list[at - 1].place.clone()]);
        at += 1;
        if line.is_first {
            table = None;
        }
        if is_rule(body) {
            continue;
        }
        if let Some((table, head)) = &table
            && table.has(text, line)
        {
            line_or_sentences(text, own, *head, base_depth + 1, chunks);
            continue;
        }
        let found = Table::at(text, rest, is_below_rule);
        let is_underlined = || rest.get(1).is_some_and(|next| !next.is_first && is_underline(&text[next.place.clone()]));
        if is_heading(body) || found.is_none() && (line.is_first || is_below_rule) && own.len() <= HEAD_BYTES && is_underlined() {
            chunks.push(own.clone(), base_head, base_depth);
            heading = under(base_head, own, chunks);
            nest.clear();
            continue;
        }
        let depth = base_depth + nest.depth(line);
        let head = nest.head(base_head, heading, chunks);
        if let Some((found, names_end)) = found {
            line_or_sentences(text, own.start..names_end, head, depth, chunks);
            let names = rest.iter().skip(1).take_while(|next| next.place.end <= names_end).count();
            at += names;
            table = Some((found, under(base_head, own.start..names_end, chunks)));
            continue;
        }
        if body.starts_with(['{', '[']) && json(text, own.clone(), depth, head, chunks) {
            continue;
        }
        let mut end = own.end;
        while joined.get(at - 1).copied().unwrap_or(false) {
            end = list[at].place.end;
            at += 1;
        }
        if nest.open(line, own.start..end, list.get(at).is_some_and(|next| next.indent > line.indent)) {
            line_or_sentences(text, own.start..end, head, depth, chunks);
        }
    }
}

/// A heading of Markdown.
fn is_heading(line: &str) -> bool {
    let signs = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&signs) && line.as_bytes().get(signs) == Some(&b' ')
}

/// A rule in one piece, which makes the line above it a heading.
fn is_underline(line: &str) -> bool {
    line.len() >= LEAST_UNDERLINE && line.chars().all(|letter| matches!(letter, '=' | '-' | '~' | '\u{2500}' | '\u{2550}'))
}
