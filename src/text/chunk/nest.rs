//! What a line stands below: the line before it that is indented less or that introduces a list, with what names it where others begin alike. Not
//! what a heading or a table names.

use std::ops::Range;

use super::{Chunks, under};
use crate::text::hash::HashMap;
use crate::text::line::{Line, holds_one_word, without_marks};

/// A line that is longer is no head, and one that introduces a list is shorter.
const HEAD_BYTES: usize = 200;
const INTRODUCTION_BYTES: usize = 100;

/// The lines that are open above the one that is read.
pub(super) struct Nest<'t> {
    text: &'t str,
    /// How often a line stands in the text that has lines below it.
    times: HashMap<&'t str, usize>,
    open: Vec<Open>,
}

struct Open {
    level: usize,
    place: Range<usize>,
    /// A key alone, such as a year, is one of many: it says whose it is only together with what it stands below.
    is_key: bool,
    /// What follows it is a list, though it is not set in.
    introduces: bool,
    /// Other items begin with the same line, such as the articles of a page: it says nothing without its name.
    is_common: bool,
    /// The first line below it that names anything.
    name: Option<Range<usize>>,
    head: Option<usize>,
}

impl Open {
    fn says(&self) -> bool {
        !self.is_common || self.name.is_some()
    }
}

impl<'t> Nest<'t> {
    /// Of these lines; nothing is open.
    pub(super) fn new(text: &'t str, lines: &[Line]) -> Nest<'t> {
        let mut times = HashMap::default();
        for pair in lines.windows(2).filter(|pair| level(&pair[1]) > level(&pair[0])) {
            *times.entry(without_marks(&text[pair[0].place.clone()])).or_default() += 1;
        }
        Nest { text, times, open: Vec::new() }
    }

    /// Nothing is open any more.
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// How deep a line stands, after closing what it does not stand below.
    pub(super) fn depth(&mut self, line: &Line) -> usize {
        let body = &self.text[line.place.clone()];
        let goes_on = line.is_item || !line.is_first && line.signs == 0 && !body.contains([':', '：']);
        let is_below = |open: &Open| open.level < level(line) || open.level == level(line) && open.introduces && goes_on;
        while self.open.last().is_some_and(|open| !is_below(open)) {
            self.open.pop();
        }
        self.open.iter().filter(|open| open.level < level(line)).count()
    }

    /// The head of the line that is read.
    pub(super) fn head(&mut self, base: usize, heading: usize, chunks: &mut Chunks) -> usize {
        let Some(last) = self.open.iter().rposition(Open::says) else { return heading };
        let first = self.open[..=last].iter().rposition(|open| !open.is_key && open.says()).unwrap_or(0);
        self.open[first..=last].iter_mut().filter(|open| open.says()).fold(base, |outer, open| {
            let mut of = |range: &Range<usize>, outer| under(outer, range.clone(), chunks);
            *open.head.get_or_insert_with(|| [&open.place].into_iter().chain(&open.name).fold(outer, |outer, range| of(range, outer)))
        })
    }

    /// Opens a line: others may follow that stand below it. Returns whether it says anything.
    pub(super) fn open(&mut self, line: &Line) -> bool {
        let (body, place) = (&self.text[line.place.clone()], line.place.clone());
        let (is_word, ends) = (holds_one_word(body), body.trim_end_matches(['*', '_']).ends_with([':', '：']));
        let is_common = line.is_item && self.times.get(without_marks(body)).is_some_and(|times| *times > 1);
        if place.len() <= HEAD_BYTES {
            if !is_word {
                self.open.iter_mut().rev().take_while(|open| !open.says()).for_each(|open| open.name = Some(place.clone()));
            }
            let introduces = ends && !line.is_item && place.len() <= INTRODUCTION_BYTES;
            self.open.push(Open {
                level: level(line),
                place,
                is_key: ends && is_word && !is_common,
                introduces,
                is_common,
                name: None,
                head: None,
            });
        }
        !(is_common && is_word)
    }
}

/// How far a line is set in.
fn level(line: &Line) -> usize {
    line.indent + line.quotes
}
