//! The values of a structured result, each with its name and with what it is worth in a line. Not which of them have room.

use std::borrow::Cow;

use super::AnswerOf;
use super::form::{ends_like_id, is_id, is_long_number, is_opaque, is_time, is_whole_minute};
use super::rows::{Shows, first_of, listed};
use crate::results::envelope::{Envelope, place_in};
use crate::text::clip::{columns, first_chars, first_columns, one_line};
use crate::text::json::{Value, is_secret_member, wraps};

/// What a value is worth: a reference by its name, or a flag that says no.
const NAMED: u8 = 5;
/// What looks like a reference, and items that differ from the others.
pub(super) const ID: u8 = 4;
/// A number, a flag, a word or two: amounts and states.
pub(super) const FIGURE: u8 = 3;
/// More words.
const WORDS: u8 = 2;
/// A sentence, as far as there is room.
const SENTENCE: u8 = 1;
/// What only machines read: traces, points in time, addresses.
const MACHINE: u8 = 0;

/// Digits from this length on are a day, or the seconds since one.
const DATE_BYTES: usize = 10;
/// Longest value that is short, in characters, and the most words of a state.
const VALUE_CHARS: usize = 60;
const STATE_WORDS: usize = 3;
/// A text up to this length may say why; of a longer one its beginning does not.
const SENTENCE_CHARS: usize = 300;
/// So much of it stands in a line.
const SENTENCE_COLUMNS: usize = 100;
/// Values of a list that stand in one item of another.
const PAIR: usize = 3;
/// A flag that stands so deep is of a part, such as a setting, and not of all that was done.
const DEEP: usize = 1;
/// Deepest members that are looked into, and values that are looked at.
const LEVELS: usize = 6;
const VALUES: usize = 200;

/// A value with the name under which it stands.
#[derive(Debug)]
pub(super) struct Leaf<'v> {
    pub(super) name: String,
    pub(super) member: &'v str,
    /// Where it stands in the result, as the envelope knows it.
    pub(super) place: u64,
    /// The same of what it is a member of.
    pub(super) outer: u64,
    pub(super) text: Cow<'v, str>,
    pub(super) worth: u8,
    /// How many lists and objects it stands in, without those that only wrap what a result is.
    pub(super) depth: usize,
}

/// How a value is called, what it is a member of, and where it stands.
#[derive(Clone, Copy)]
struct Named<'v> {
    name: &'v str,
    parent: &'v str,
    place: u64,
    outer: u64,
}

/// The values of a result.
pub(super) struct Leaves<'v> {
    pub(super) found: Vec<Leaf<'v>>,
    /// The first text that is too long to be a value.
    pub(super) text: Option<&'v str>,
    pub(super) of: Of<'v>,
    /// Room for one list; none where these are the values of an item.
    list_columns: usize,
}

/// What the result is of whose values these are.
#[derive(Clone, Copy)]
pub(super) struct Of<'e> {
    pub(super) call: AnswerOf,
    /// What its items do not say.
    pub(super) envelope: &'e Envelope,
}

impl Of<'_> {
    pub(super) fn is_act(&self) -> bool {
        self.call == AnswerOf::Act
    }
}

impl<'v> Leaves<'v> {
    /// The values of a result, with so much room for a list.
    pub(super) fn of(value: &'v Value<'v>, of: Of<'v>, list_columns: usize, place: u64) -> Leaves<'v> {
        let mut leaves = Leaves { found: Vec::new(), text: None, of, list_columns };
        leaves.collect(value, Named { name: "", parent: "", place, outer: place }, if list_columns == 0 { LEVELS / 2 } else { LEVELS }, 0);
        leaves
    }

    /// Adds a value and what it holds.
    fn collect(&mut self, value: &'v Value<'v>, named: Named<'v>, levels: usize, depth: usize) {
        if self.found.len() >= VALUES {
            return;
        }
        let Named { name, place, .. } = named;
        match value {
            Value::Null => {}
            Value::Bool(flag) => {
                let worth = match (self.of.call, flag) {
                    (AnswerOf::Act, false) if depth < DEEP => NAMED,
                    (AnswerOf::Act, true) if depth < DEEP => FIGURE,
                    (AnswerOf::Act | AnswerOf::Unknown, _) => WORDS,
                    (AnswerOf::Reading, _) => return,
                };
                self.add(named, value.scalar_text().into(), worth, depth);
            }
            Value::Number(number) => {
                let worth = if ends_like_id(name) && is_long_number(number) { NAMED } else { FIGURE };
                self.add(named, (*number).into(), worth, depth);
            }
            Value::Text(text) => self.add_text(text.trim(), named, depth),
            Value::List(items) if levels > 0 => match items.as_slice() {
                [] => {}
                [item] => self.collect(item, named, levels - 1, depth),
                items if self.list_columns == 0 => {
                    // What has no name is the item itself: the cells of a row.
                    let most = if name.is_empty() { items.len() } else { PAIR };
                    self.add(named, within_item(items, most).into(), FIGURE, depth);
                }
                // Items that matter stand among the parts of a reading.
                [Value::Map(_) | Value::List(_), ..] if !self.of.is_act() => match first_of(items, self.of, self.list_columns, place) {
                    Some(text) => self.add(named, text.into(), ID, depth),
                    None => self.add(named, items.len().to_string().into(), FIGURE, depth),
                },
                items => match listed(items, self.of, self.list_columns, place) {
                    None => {}
                    Some(list) => {
                        let worth = match (list.shows, self.of.is_act()) {
                            (Shows::Difference, _) => ID,
                            // What an act answers with beside its outcome is not what it did.
                            (Shows::First, true) => SENTENCE,
                            // Names of columns, tags: a row says more.
                            (_, false) => WORDS,
                            (_, true) => FIGURE,
                        };
                        self.add(named, list.text.into(), worth, depth);
                    }
                },
            },
            Value::Map(members) if levels > 0 => {
                let is_sole = members.iter().filter(|(_, value)| !matches!(value, Value::Null)).nth(1).is_none();
                for (member, value) in members.iter().filter(|(member, value)| !is_secret_member(members, member, value.scalar_text())) {
                    let is_wrapper = matches!(value, Value::Map(_)) && (is_sole || wraps(member));
                    let is_inner = matches!(value, Value::Map(_)) && !is_wrapper;
                    // What a result is needs no name: `state`, and not `order state`.
                    let (place, outer) = (place_in(place, member), place);
                    let (name, parent) = if is_wrapper { ("", "") } else { (member.as_ref(), name) };
                    self.collect(value, Named { name, parent, place, outer }, levels - 1, depth + usize::from(is_inner));
                }
            }
            Value::List(_) | Value::Map(_) => {}
        }
    }

    fn add(&mut self, Named { name, parent, place, outer }: Named<'v>, text: Cow<'v, str>, worth: u8, depth: usize) {
        self.found.push(Leaf { name: label(parent, name), member: name, place, outer, text, worth, depth });
    }

    fn add_text(&mut self, text: &'v str, named: Named<'v>, depth: usize) {
        let has = |chars| first_chars(text, chars).len() == text.len();
        match () {
            () if text.is_empty() => {}
            () if has(VALUE_CHARS) && !text.contains('\n') => {
                let worth = worth_of(named.name, text, self.of.is_act());
                self.add(named, text.into(), worth, depth);
            }
            () if self.of.is_act() && has(SENTENCE_CHARS) => {
                let line = one_line(text);
                let first = first_columns(&line, SENTENCE_COLUMNS);
                let mark = if first.len() < line.len() { "…" } else { "" };
                self.add(named, format!("{first}{mark}").into(), SENTENCE, depth);
            }
            () => self.text = self.text.or(Some(text)),
        }
    }
}

/// A list inside an item of a list: a pair, such as a point in time and its value, or how many it has.
fn within_item(items: &[Value<'_>], most: usize) -> String {
    let is_short = items.len() <= most && !items.iter().any(|item| matches!(item, Value::List(_) | Value::Map(_)));
    let texts = || items.iter().map(|item| item.scalar_text().trim()).filter(|text| !text.is_empty());
    if is_short { texts().collect::<Vec<_>>().join(" ") } else { format!("×{}", items.len()) }
}

fn worth_of(name: &str, text: &str, is_of_act: bool) -> u8 {
    let is_word = !text.contains(' ');
    match () {
        () if text.eq_ignore_ascii_case("false") && is_of_act => NAMED,
        () if is_opaque(text) || is_time(text) && !(is_of_act && is_whole_minute(text)) || text.contains("://") => MACHINE,
        () if ends_like_id(name) && is_word && (!text.bytes().all(|byte| byte.is_ascii_digit()) || is_long_number(text)) => NAMED,
        () if is_id(text) => ID,
        () if text.split_whitespace().count() <= STATE_WORDS => FIGURE,
        () => WORDS,
    }
}

/// The place of a value in the order in which values have room: what stands deep inside is of less use than what a result is about, and a small
/// number or a date of less than an amount or a state.
pub(super) fn rank(leaf: &Leaf<'_>) -> i64 {
    let is_plain = leaf.worth == FIGURE && leaf.text.bytes().all(|byte| byte.is_ascii_digit() || b"-./".contains(&byte));
    let is_late = is_plain && (leaf.text.len() <= 3 || leaf.text.len() >= DATE_BYTES);
    2 * leaf.depth as i64 - 4 * i64::from(leaf.worth) + i64::from(is_late)
}

/// Whether a value is one that nobody reads, such as a trace: it says nothing where something else names the result.
pub(super) fn is_trace(leaf: &Leaf<'_>) -> bool {
    leaf.worth == MACHINE && is_opaque(&leaf.text)
}

/// Whether a value can name something: it looks like a reference, and is one word.
pub(super) fn is_reference(leaf: &Leaf<'_>) -> bool {
    leaf.worth >= ID && !leaf.text.contains(' ') && !is_flag(&leaf.text)
}

/// Whether a value is a flag, as which it may be written in a text.
pub(super) fn is_flag(text: &str) -> bool {
    ["true", "false"].iter().any(|flag| text.eq_ignore_ascii_case(flag))
}

/// The name of a member; where it says little alone, with what it is a member of: `ticket number`.
fn label(parent: &str, name: &str) -> String {
    let says_little = columns(name) <= 6 && !parent.is_empty();
    if says_little { format!("{} {}", first_chars(parent, 30), name) } else { first_chars(name, 40).to_owned() }
}
