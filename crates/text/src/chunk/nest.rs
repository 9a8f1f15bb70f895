//! What a line stands below: the line before it that is indented less, or, where that one says nothing of its own, what names its group.
//! Not what a heading or a table names.

use std::ops::Range;

use super::line::Line;
use super::{Chunks, under};
use crate::hash::HashMap;

/// A line that is longer is no head.
const HEAD_BYTES: usize = 200;

/// The lines that are open above the one that is read.
pub(super) struct Nest<'t> {
    text: &'t str,
    /// How often a line stands in the text that holds one word at most, and lines below it.
    bare: HashMap<&'t str, usize>,
    open: Vec<Open>,
}

struct Open {
    indent: usize,
    place: Range<usize>,
    /// It says no more than that there is one more of its kind.
    is_bare: bool,
    /// The first line below it that names anything.
    name: Option<Range<usize>>,
    head: Option<usize>,
}

impl<'t> Nest<'t> {
    /// Of these lines.
    pub(super) fn new(text: &'t str, lines: &[Line]) -> Nest<'t> {
        let mut bare = HashMap::default();
        for pair in lines.windows(2) {
            let body = &text[pair[0].place.clone()];
            if pair[1].indent > pair[0].indent && holds_one_word(body) {
                *bare.entry(without_marks(body)).or_default() += 1;
            }
        }
        Nest { text, bare, open: Vec::new() }
    }

    /// Nothing is open.
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// How deep a line stands, after closing what it is not indented below.
    pub(super) fn depth(&mut self, line: &Line) -> usize {
        while self.open.last().is_some_and(|open| open.indent >= line.indent) {
            self.open.pop();
        }
        self.open.len()
    }

    /// The head of the line that is read.
    pub(super) fn head(&mut self, base: usize, heading: usize, chunks: &mut Chunks) -> usize {
        let named = self.open.iter_mut().rev().find(|open| !open.is_bare || open.name.is_some());
        named.map_or(heading, |open| {
            let range = open.name.as_ref().filter(|_| open.is_bare).unwrap_or(&open.place);
            *open.head.get_or_insert_with(|| under(base, range.clone(), chunks))
        })
    }

    /// Opens what stands at `place`: lines may follow that are indented below it. Returns whether it says anything.
    pub(super) fn open(&mut self, line: &Line, place: Range<usize>, has_below: bool) -> bool {
        let body = &self.text[line.place.clone()];
        let is_bare = has_below && holds_one_word(body) && self.bare.get(without_marks(body)).is_some_and(|count| *count > 1);
        if !is_bare && !holds_one_word(body) && place.len() <= HEAD_BYTES {
            let unnamed = self.open.iter_mut().rev().take_while(|open| open.is_bare && open.name.is_none());
            unnamed.for_each(|open| open.name = Some(place.clone()));
        }
        if place.len() <= HEAD_BYTES {
            self.open.push(Open { indent: line.indent, place: line.place.clone(), is_bare, name: None, head: None });
        }
        !is_bare
    }
}

/// A line without its marks in brackets, such as `[ref=e42]`.
fn without_marks(line: &str) -> &str {
    line.find(" [").map_or(line, |at| line[..at].trim_end())
}

fn holds_one_word(line: &str) -> bool {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    without_marks(line)
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-' | '.'))
        .filter(is_word)
        .nth(1)
        .is_none()
}
