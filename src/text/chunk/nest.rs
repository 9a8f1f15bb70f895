//! What a line stands below: the line before it that is indented less or that introduces a list, or, where that one says nothing of its own, what names its group.
//! Not what a heading or a table names.

use std::ops::Range;

use super::{Chunks, under};
use crate::text::hash::HashMap;
use crate::text::line::{Line, holds_one_word, without_marks};

/// A line that is longer is no head.
const HEAD_BYTES: usize = 200;
/// One that introduces a list is shorter.
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
    /// It says no more than that there is one more of its kind.
    is_bare: bool,
    /// It ends with a colon, such as the key of what is below.
    is_key: bool,
    /// What follows it is a list, though it is not set in.
    introduces: bool,
    /// Others begin with the same line.
    is_common: bool,
    /// The first line below it that names anything.
    name: Option<Range<usize>>,
    head: Option<usize>,
}

impl<'t> Nest<'t> {
    /// Of these lines.
    pub(super) fn new(text: &'t str, lines: &[Line]) -> Nest<'t> {
        let mut times = HashMap::default();
        for pair in lines.windows(2).filter(|pair| level(&pair[1]) > level(&pair[0])) {
            *times.entry(without_marks(&text[pair[0].place.clone()])).or_default() += 1;
        }
        Nest { text, times, open: Vec::new() }
    }

    /// Nothing is open.
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
        self.head_of(self.open.len(), base, heading, chunks)
    }

    /// The head of what stands below the first ones of what is open.
    fn head_of(&mut self, count: usize, base: usize, heading: usize, chunks: &mut Chunks) -> usize {
        let Some(at) = self.open[..count].iter().rposition(|open| !open.is_bare || open.name.is_some()) else { return heading };
        if let Some(head) = self.open[at].head {
            return head;
        }
        let Open { is_bare, is_common, is_key, .. } = self.open[at];
        let (own, name) = (self.open[at].place.clone(), self.open[at].name.clone());
        let may_be_named = is_common && name.is_none();
        let head = match name {
            Some(name) if is_bare => under(base, name, chunks),
            Some(name) if is_common => {
                let own = under(base, own, chunks);
                under(own, name, chunks)
            }
            // A key alone is one of many, such as a year.
            _ if is_key && holds_one_word(&self.text[own.clone()]) => {
                let outer = self.head_of(at, base, base, chunks);
                under(outer, own, chunks)
            }
            _ => under(base, own, chunks),
        };
        self.open[at].head = (!may_be_named).then_some(head);
        head
    }

    /// Opens what stands at `place`: lines may follow that stand below it. Returns whether it says anything.
    pub(super) fn open(&mut self, line: &Line, place: Range<usize>, has_below: bool) -> bool {
        let body = &self.text[line.place.clone()];
        let is_key = body.trim_end_matches(['*', '_']).ends_with([':', '：']);
        let is_common = has_below && self.times.get(without_marks(body)).is_some_and(|times| *times > 1);
        let is_bare = is_common && holds_one_word(body) && !(is_key && body.starts_with(char::is_alphanumeric));
        if !is_bare && !holds_one_word(body) && place.len() <= HEAD_BYTES {
            let unnamed = self.open.iter_mut().rev().take_while(|open| (open.is_bare || open.is_common) && open.name.is_none());
            unnamed.for_each(|open| open.name = Some(place.clone()));
        }
        if place.len() <= HEAD_BYTES {
            let (level, place, is_common) = (level(line), line.place.clone(), is_common && line.is_item);
            let introduces = is_key && !line.is_item && place.len() <= INTRODUCTION_BYTES;
            self.open.push(Open { level, place, is_bare, is_key, introduces, is_common, name: None, head: None });
        }
        !is_bare
    }
}

/// How far a line is set in.
pub(super) fn level(line: &Line) -> usize {
    line.indent + line.quotes
}
