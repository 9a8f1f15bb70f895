//! Rows that may be found: chunks of texts and what earlier folds have found, of which those that come to the top of the choice are written.
//! Not which texts they are of.

use std::borrow::Cow;
use std::ops::Range;

use crate::digest::findings::Finding;
use crate::text::choose::{Takes, choose_unwritten, may_be_chosen};
use crate::text::chunk::{Chunks, chunks};
use crate::text::clip::{first_chars, one_line};
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::item::{Item, key_of};
use crate::text::order::sort_by_numbers;
use crate::text::uses::{Uses, within};
use crate::text::worth::{Features, Source, Weighed, is_stale, score, weigh};
use crate::text::written::{SafeText, goes_on};
use crate::tokens::estimate::estimate_tokens;

/// Longest chunk and head that are kept, in characters.
const CHUNK_CHARS: usize = 500;
const HEAD_CHARS: usize = 240;
/// Tokens that naming a place takes besides its name, and that naming what a row belongs to takes.
pub const PLACE_TOKENS: u32 = 6;
const UNDER_TOKENS: u32 = 2;
/// Hardly a token has more bytes than this: what takes more than was expected is weighed once more; what takes less, as a row of which most is
/// written elsewhere, comes later than it deserves.
const BYTES_OF_TOKEN: usize = 24;

/// Rows that may be found.
#[derive(Default)]
pub struct Rows<'p> {
    texts: Vec<Text<'p>>,
    list: Vec<Row>,
    heads: Heads,
}

/// Where rows stand.
struct Text<'p> {
    text: Cow<'p, str>,
    place: Cow<'p, str>,
    step: u32,
}

/// A chunk that may be chosen, or what an earlier fold has found.
struct Row {
    /// Its text, of `Rows::texts`.
    of: usize,
    range: Range<usize>,
    /// Its place in the order of its text.
    order: u32,
    /// The place of the chunk before it, where it goes on in the same paragraph.
    after: Option<u32>,
    features: Features,
    item: Item,
    /// As it is written, once it is; empty where nothing of it can be.
    written: Option<String>,
}

/// What rows stand under, each once.
pub struct Heads {
    /// As the choice sees them. The first one is none.
    pub list: Vec<u32>,
    /// What they are, in the same order.
    unders: Vec<Under>,
    indices: HashMap<u64, usize>,
}

/// What a row belongs to in its text.
#[derive(Default)]
struct Under {
    head: Vec<Range<usize>>,
    written: Option<String>,
}

impl Default for Heads {
    fn default() -> Heads {
        let none = Under { written: Some(String::new()), ..Under::default() };
        Heads { list: vec![0], unders: vec![none], indices: HashMap::default() }
    }
}

impl Heads {
    fn index(&mut self, key: u64, make: impl FnOnce() -> (u32, Under)) -> usize {
        *self.indices.entry(key).or_insert_with(|| {
            let (head, under) = make();
            self.list.push(head);
            self.unders.push(under);
            self.list.len() - 1
        })
    }

    fn place(&mut self, place: &str, step: u32) -> usize {
        if place.is_empty() {
            return 0;
        }
        let head = || estimate_tokens(place) + PLACE_TOKENS;
        self.index(mix(u64::from(step), place.as_bytes()), || (head(), Under::default()))
    }

    /// What is written already as the choice sees it.
    pub fn item_of(&mut self, finding: &Finding, Weighed { terms, form, .. }: Weighed) -> Item {
        let Finding { place, under, text, step, features, .. } = finding;
        let place_head = self.place(place, *step);
        let under_head = if under.is_empty() {
            0
        } else {
            let head = || estimate_tokens(under) + UNDER_TOKENS;
            let key = mix(mix(u64::from(*step), place.as_bytes()), under.as_bytes());
            self.index(key, || (head(), Under { written: Some(under.clone()), ..Under::default() }))
        };
        let key = if under.is_empty() { 0 } else { key_of(under.lines(), text) };
        Item { score: score(features), tokens: tokens_of(text), terms, form, heads: [place_head, under_head], key, step: *step }
    }
}

impl<'p> Rows<'p> {
    /// Adds what an earlier fold has found.
    pub fn add_found(&mut self, finding: Finding, weighed: Weighed) {
        let item = self.heads.item_of(&finding, weighed);
        let Finding { place, text, step, order, after, features, .. } = finding;
        self.list.push(Row { of: self.texts.len(), range: 0..0, order, after, features, item, written: Some(text) });
        self.texts.push(Text { text: Cow::Borrowed(""), place: place.into(), step });
    }

    /// Adds the chunks of a text that are worth most, of those that say what is not `present`.
    pub fn add_text(
        &mut self,
        all: Cow<'p, str>,
        (source, most): (Source, usize),
        (place, step): (&'p str, u32),
        uses: &Uses,
        present: &HashSet<u64>,
    ) {
        let text = within(&all);
        let parts = chunks(text);
        let weighed = weigh(text, &parts, source, uses);
        let mut best: Vec<(usize, Weighed)> = weighed.into_iter().enumerate().collect();
        if best.len() > most {
            sort_by_numbers(&mut best, |(at, weighed)| [-i64::from(score(&weighed.features)), *at as i64, 0]);
            best.truncate(most);
        }
        best.retain(|(_, weighed)| may_be_chosen(score(&weighed.features), &weighed.terms, present));
        if best.is_empty() {
            return;
        }
        let titles = parts.inner_heads(text);
        let place_head = self.heads.place(place, step);
        for (at, Weighed { features, terms, form }) in best.into_iter().filter(|(at, _)| !titles.contains(at)) {
            let chunk = &parts.list[at];
            let heads = [place_head, self.under(text, &parts, at)];
            let tokens = least_tokens(&text[chunk.range.clone()], CHUNK_CHARS);
            let head = parts.heads.get(chunk.head).into_iter().flatten().map(|range| &text[range.clone()]);
            let key = key_of(head, &text[chunk.range.clone()]);
            let item = Item { score: score(&features), tokens, terms, form, heads, key, step };
            let (of, range) = (self.texts.len(), chunk.range.clone());
            let after = (at > 0 && goes_on(text, range.start)).then(|| parts.list[at - 1].range.start as u32);
            self.list.push(Row { of, order: range.start as u32, after, range, features, item, written: None });
        }
        self.texts.push(Text { text: all, place: place.into(), step });
    }

    /// What the chunk at a place stands under.
    fn under(&mut self, text: &str, parts: &Chunks, at: usize) -> usize {
        let head = parts.heads.get(parts.list[at].head).map_or(&[][..], Vec::as_slice);
        if head.is_empty() {
            return 0;
        }
        let mut key = mix(1, &(self.texts.len() as u64).to_le_bytes());
        for range in head {
            key = mix(key, &text.as_bytes()[range.clone()]);
        }
        self.heads.index(key, || {
            let least = head.iter().map(|range| least_tokens(&text[range.clone()], HEAD_CHARS)).sum();
            (least, Under { head: head.to_vec(), written: None })
        })
    }

    /// The findings that are chosen within so many tokens.
    pub fn choose(self, present: &mut HashSet<u64>, tokens: u32) -> Vec<Finding> {
        let Rows { texts, mut list, heads: Heads { list: heads, unders, .. } } = self;
        let mut writer = Writer { texts: &texts, safe: texts.iter().map(|_| None).collect(), unders };
        writer.drop_what_holds_elsewhere(&mut list);
        let items: Vec<Item> = list.iter_mut().map(|row| std::mem::take(&mut row.item)).collect();
        let mut write = |at: usize| {
            let (text, under) = writer.write(&mut list[at], items[at].heads[1]);
            let under = if under.is_empty() { 0 } else { estimate_tokens(under) + UNDER_TOKENS };
            (!text.is_empty()).then(|| Takes { tokens: tokens_of(text), under })
        };
        let chosen = choose_unwritten(&items, &heads, &mut write, present, tokens);
        let mut found = Vec::with_capacity(chosen.len());
        for at in chosen {
            let row = &mut list[at];
            let Some(under) = writer.without_hidden(row, items[at].heads[1]) else { continue };
            let Text { place, step, .. } = &texts[row.of];
            let (place, step, text) = (place.to_string(), *step, row.written.take().unwrap_or_default());
            found.push(Finding { place, under, text, step, order: row.order, after: row.after, features: row.features, by_user: false });
        }
        found
    }
}

/// Writes rows and what they stand under, each once.
struct Writer<'t, 'p> {
    texts: &'t [Text<'p>],
    safe: Vec<Option<SafeText<'t>>>,
    unders: Vec<Under>,
}

impl<'t> Writer<'t, '_> {
    /// A row and what it stands under.
    fn write<'r>(&'r mut self, row: &'r mut Row, under: usize) -> (&'r str, &'r str) {
        let Under { head, written } = &mut self.unders[under];
        let text: &'t str = within(&self.texts[row.of].text);
        if row.written.is_none() || written.is_none() {
            let safe = &*self.safe[row.of].get_or_insert_with(|| SafeText::new(text));
            row.written.get_or_insert_with(|| safe.row_alone(row.range.clone(), CHUNK_CHARS));
            let show = |range: &Range<usize>| safe.row_alone(range.clone(), 2 * HEAD_CHARS);
            written.get_or_insert_with(|| line_of_head(head, &show));
        }
        (row.written.as_deref().unwrap_or_default(), written.as_deref().unwrap_or_default())
    }

    /// What a chosen row stands under, without what is a secret only where it stands; nothing where the row is one. The whole of a text is not looked
    /// through before something of it is chosen.
    fn without_hidden(&self, row: &Row, under: usize) -> Option<String> {
        let Under { head, written } = &self.unders[under];
        let written = || written.clone().unwrap_or_default();
        let Some(safe) = &self.safe[row.of] else { return Some(written()) };
        if safe.hides(row.range.clone()) {
            return None;
        }
        if !head.iter().any(|range| safe.hides(range.clone())) {
            return Some(written());
        }
        Some(line_of_head(head, &|range| safe.excerpt(range.clone(), 2 * HEAD_CHARS)))
    }

    /// What a row says: as it is written, or stands.
    fn text<'r>(&self, row: &'r Row) -> &'r str
    where
        't: 'r,
    {
        row.written.as_deref().unwrap_or_else(|| &self.texts[row.of].text[row.range.clone()])
    }

    /// Leaves out what an obsolete result says as well: it stands under the one that holds.
    fn drop_what_holds_elsewhere(&self, rows: &mut Vec<Row>) {
        let terms = |row: &Row| row.item.terms.iter().fold(0u64, |sum, term| sum.wrapping_add(term.hash));
        let key = |row: &Row| mix(terms(row), self.text(row).trim_matches([',', ' ']).as_bytes());
        let (mut stale, mut hold) = (HashSet::default(), HashSet::default());
        for row in rows.iter().filter(|row| is_stale(&row.features)) {
            stale.insert(terms(row));
        }
        for row in rows.iter().filter(|row| !is_stale(&row.features) && !stale.is_empty()) {
            if stale.contains(&terms(row)) {
                hold.insert(key(row));
            }
        }
        rows.retain(|row| !is_stale(&row.features) || !hold.contains(&key(row)));
    }
}

/// What a row takes.
pub fn tokens_of(text: &str) -> u32 {
    estimate_tokens(text) + 2
}

/// About what a text takes at least, of which so many characters are written: without its tags, and without quotes.
fn least_tokens(text: &str, most: usize) -> u32 {
    let (mut bytes, mut is_tag) = (0, false);
    for byte in text.bytes() {
        match byte {
            b'<' => is_tag = true,
            b'>' => is_tag = false,
            _ => bytes += usize::from(!is_tag && byte != b'"'),
        }
    }
    (bytes.min(most) / BYTES_OF_TOKEN + 2) as u32
}

/// A head in a line. Where it is too long its beginning leaves: the end is nearest to the chunk.
fn line_of_head(head: &[Range<usize>], show: &dyn Fn(&Range<usize>) -> String) -> String {
    let mut line = String::new();
    for range in head.iter().rev() {
        let part = first_chars(&one_line(&show(range)), HEAD_CHARS).to_owned();
        if line.is_empty() || line.chars().count() + part.chars().count() <= HEAD_CHARS {
            let separator = if line.is_empty() || part.ends_with(':') { " " } else { ", " };
            line = format!("{part}{separator}{line}");
        }
    }
    line.truncate(line.trim_end().len());
    line
}
