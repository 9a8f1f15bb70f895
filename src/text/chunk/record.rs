//! Records: paragraphs of short lines that begin alike from one to the next, such as references, captions of a film, sections of settings. A line
//! of one says little alone. Knows no format; not what tables and code are.

use super::lines::is_heading;
use super::nest::level;
use crate::text::hash::{HashSet, mix};
use crate::text::line::Line;

/// Lines of a record, at least.
const LEAST_LINES: usize = 2;

/// A record: the places of its lines, end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub start: usize,
    pub end: usize,
}

/// The records among these lines, in order.
pub(super) fn records(text: &str, lines: &[Line]) -> Vec<Record> {
    let begins = |at: &usize| *at == 0 || lines[*at].is_first;
    let starts: Vec<usize> = (0..lines.len()).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let blocks: Vec<Record> = starts.iter().zip(ends).map(|(start, end)| Record { start: *start, end }).collect();
    let names: Vec<HashSet<u64>> = blocks.iter().map(|block| names_of(text, &lines[block.start..block.end])).collect();
    let is_alike = |one: usize, other: usize| {
        let shared = names[one].intersection(&names[other]).count();
        shared > 0 && 2 * shared >= names[one].len().max(names[other].len())
    };
    let has_alike =
        |at: &usize| at.checked_sub(1).is_some_and(|before| is_alike(*at, before)) || at + 1 < blocks.len() && is_alike(*at, at + 1);
    (0..blocks.len()).filter(has_alike).map(|at| blocks[at]).collect()
}

/// With what the lines of a block begin that are not set in further than its first one. None of a block that is a list.
fn names_of(text: &str, lines: &[Line]) -> HashSet<u64> {
    let bodies = || lines.iter().map(|line| &text[line.place.clone()]);
    if lines.len() < LEAST_LINES || bodies().any(is_heading) {
        return HashSet::default();
    }
    let outer = lines.iter().zip(bodies()).filter(|(line, _)| level(line) <= level(&lines[0]) && !line.is_item).map(|(_, body)| body);
    let names: Vec<u64> = outer.map(|body| mix(0, shape_of(body).as_bytes())).collect();
    let count = names.len();
    let different: HashSet<u64> = names.into_iter().collect();
    // Lines of a log or a chat begin alike, and each says something by itself.
    if different.len() >= LEAST_LINES && 2 * different.len() > count { different } else { HashSet::default() }
}

/// The first word of a line without its numbers: a name up to its mark.
fn shape_of(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default();
    let mut shape = String::new();
    for letter in word.chars() {
        let letter = if letter.is_numeric() { '0' } else { letter };
        let is_end = matches!(letter, '=' | '{' | '(' | '[') || letter == ':' && !shape.ends_with('0');
        if is_end && !shape.is_empty() {
            break;
        }
        if letter != '0' || !shape.ends_with('0') {
            shape.push(letter);
        }
    }
    shape
}
