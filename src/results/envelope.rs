//! What every answer of an app carries and nobody ever mentions, such as `traceId`, `handledBy` or `code: 200`. Recognized by use alone: members of
//! several results of which no value was ever mentioned, and values that are usual where they stand. Knows no name of any.

use std::borrow::Cow;
use std::cell::LazyCell;

use crate::results::syntax::{Form, read};
use crate::text::clip::first_chars;
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::json::{Value, unwrapped};
use crate::text::term::each_term;
use crate::text::uses::within;

/// A member of so many results, and of one in so many, belongs to the app and not to what was asked.
const RESULTS: usize = 3;
const SHARE_OF: usize = 4;
/// Of what acts return it is left out only where so many tools return it: it stays listed for good, and a reading can be had again.
const TOOLS: usize = 3;
/// A value that stands in so many results, and every second time that its member is there, is usual.
const USUAL: u32 = 3;
/// A word or two, no longer than this, say how things stand.
const STATE_WORDS: usize = 3;
const STATE_BYTES: usize = 60;
/// An answer is read so far, so deep, and of a list so many items.
const READ_CHARS: usize = 32 * 1024;
const LEVELS: usize = 4;
const ITEMS: usize = 4;
/// Quotation marks and the like, about, of a member.
const SIGNS_OF_MEMBER: usize = 4;

/// Members and values that say nothing.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    members: HashSet<u64>,
    /// Those that say nothing of an act either.
    of_acts: HashSet<u64>,
    values: HashSet<u64>,
    /// Lists of several tools, such as who has handled the call: they come last.
    lists: HashSet<u64>,
    /// Lines that stand in several results, such as the menu of a page.
    lines: HashSet<u64>,
}

/// Where a member was seen.
#[derive(Default)]
struct Seen {
    tools: HashSet<u64>,
    results: HashSet<u32>,
    is_mentioned: bool,
    /// Its different values, and how often each was there.
    values: HashMap<u64, u32>,
    /// One of them is no state.
    has_other: bool,
    is_list: bool,
}

impl Envelope {
    /// Of the results of calls, each with its tool, and of all else that was said and called, which decides whether a value was mentioned.
    pub fn of<'t>(results: impl Iterator<Item = (&'t str, Cow<'t, str>)>, texts: impl Iterator<Item = &'t str>) -> Envelope {
        let mentioned = LazyCell::new(|| {
            let mut mentioned: HashSet<u64> = HashSet::default();
            texts.for_each(|text| each_term(within(text), &mut |term, _| _ = mentioned.insert(term)));
            mentioned
        });
        let mut envelope = Envelope::default();
        let mut seen: HashMap<u64, Seen> = HashMap::default();
        let mut lines: HashMap<u64, u32> = HashMap::default();
        let (mut count, mut number) = (0, 0);
        for (tool, text) in results {
            number += 1;
            match read(first_chars(&unwrapped(&text), READ_CHARS)) {
                Form::Value(value) => {
                    count += 1;
                    see(&value, LEVELS, (number, mix(0, tool.as_bytes())), &mentioned, &mut seen);
                }
                Form::Text(text) => text.lines().map(key_of).for_each(|line| {
                    if *lines.entry(line).or_insert(number) != number {
                        envelope.lines.insert(line);
                    }
                }),
            }
        }
        for (member, Seen { tools, results, is_mentioned, values, has_other, is_list }) in seen {
            let of_tools = tools.len() >= TOOLS;
            if !is_mentioned && !values.is_empty() && results.len() >= RESULTS && results.len() * SHARE_OF >= count {
                envelope.members.insert(member);
                if has_other && of_tools {
                    envelope.of_acts.insert(member);
                }
            }
            if !of_tools {
                continue;
            }
            if is_list {
                envelope.lists.insert(member);
            }
            let all: u32 = values.values().sum();
            let usual = values.into_iter().filter(|(_, times)| *times >= USUAL && *times * 2 >= all);
            envelope.values.extend(usual.map(|(value, _)| mix(member, &value.to_le_bytes())));
        }
        envelope
    }

    /// Whether a member says nothing.
    pub fn holds(&self, member: &str, is_of_act: bool) -> bool {
        let members = if is_of_act { &self.of_acts } else { &self.members };
        members.contains(&mix(0, member.as_bytes()))
    }

    /// Whether a member comes last.
    pub fn is_late(&self, member: &str) -> bool {
        self.lists.contains(&mix(0, member.as_bytes()))
    }

    /// Whether a line stands in other results, too.
    pub fn holds_line(&self, line: &str) -> bool {
        self.lines.contains(&key_of(line))
    }

    /// Whether a value is usual where it stands.
    pub fn is_usual(&self, member: &str, text: &str) -> bool {
        self.values.contains(&mix(mix(0, member.as_bytes()), &mix(0, text.as_bytes()).to_le_bytes()))
    }

    /// Whether a result is longer than so many characters, without what says nothing.
    pub fn is_longer_within(&self, text: &str, chars: usize) -> bool {
        let is_longer = |text: &str| text.len() > chars && text.chars().nth(chars).is_some();
        let value = if is_longer(text) && text.starts_with(['{', '[']) && text.len() <= READ_CHARS { Value::parse(text) } else { None };
        value.map_or_else(|| is_longer(text), |value| self.own_chars("", &value) > chars)
    }

    fn own_chars(&self, name: &str, value: &Value<'_>) -> usize {
        match value {
            Value::Map(members) => {
                members.iter().filter(|(name, _)| !self.holds(name, true)).map(|(name, value)| self.own_chars(name, value)).sum()
            }
            Value::List(items) => items.iter().map(|item| self.own_chars("", item)).sum(),
            scalar if self.is_usual(name, scalar.scalar_text()) => 0,
            scalar => name.chars().count() + scalar.scalar_text().chars().count() + SIGNS_OF_MEMBER,
        }
    }
}

fn see(value: &Value<'_>, levels: usize, of: (u32, u64), mentioned: &HashSet<u64>, seen: &mut HashMap<u64, Seen>) {
    match value {
        Value::Map(members) if levels > 0 => {
            for (name, value) in members {
                let member = seen.entry(mix(0, name.as_bytes())).or_default();
                member.tools.insert(of.1);
                member.results.insert(of.0);
                member.is_list |= matches!(value, Value::List(_));
                if !matches!(value, Value::Map(_) | Value::List(_)) {
                    let text = value.scalar_text();
                    each_term(text, &mut |term, _| member.is_mentioned |= mentioned.contains(&term));
                    *member.values.entry(mix(0, text.as_bytes())).or_default() += 1;
                    member.has_other |= !is_state(text);
                }
                see(value, levels - 1, of, mentioned, seen);
            }
        }
        Value::List(items) if levels > 0 => items.iter().take(ITEMS).for_each(|item| see(item, levels - 1, of, mentioned, seen)),
        _ => {}
    }
}

/// What is the same of equal lines: their words without marks in brackets, such as `[ref=e12]`.
fn key_of(line: &str) -> u64 {
    line.split_whitespace().filter(|word| !word.starts_with('[')).fold(0, |key, word| mix(key, word.as_bytes()))
}

/// Whether a text is a state as it may be put in words: a few, without a figure.
fn is_state(text: &str) -> bool {
    let is_word = |word: &str| word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_numeric);
    !text.is_empty() && text.len() <= STATE_BYTES && text.split_whitespace().all(is_word) && text.split_whitespace().count() <= STATE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(results: &[(&str, String)], texts: &[&str]) -> Envelope {
        Envelope::of(results.iter().map(|(tool, json)| (*tool, json.into())), texts.iter().copied())
    }

    #[test]
    fn what_several_tools_answer_with_and_nobody_mentions_is_the_envelope() {
        let json = |at: usize| format!(r#"{{"traceId":"x{at}a9","状态":"已通过{at}","id":"ORD-{at}77","only{at}":"{at}"}}"#);
        let results = [("getOrder", json(0)), ("sendMail", json(1)), ("findRoom", json(2))];
        let envelope = of(&results, &["ORD-177 is ready, 已通过1."]);
        assert!(envelope.holds("traceId", true) && !envelope.holds("id", true) && !envelope.holds("状态", true), "{envelope:?}");
        assert!(!of(&results[..2], &[]).holds("traceId", true));
    }

    #[test]
    fn a_usual_value_says_nothing_and_another_one_does() {
        let json = |at: usize| format!(r#"{{"code":{},"ctx":{{"channel":"API"}},"id":"R-{at}"}}"#, if at == 4 { 409 } else { 200 });
        let tools = ["book", "cancel", "find", "book", "move", "book"];
        let results: Vec<(&str, String)> = tools.iter().enumerate().map(|(at, tool)| (*tool, json(at))).collect();
        let envelope = of(&results, &["200, and 409"]);
        assert!(envelope.is_usual("code", "200") && envelope.is_usual("channel", "API") && !envelope.is_usual("code", "409"));
        assert!(!of(&results[..2], &[]).is_usual("code", "200"));
    }

    #[test]
    fn how_things_stand_is_no_envelope_in_a_language_that_the_answers_do_not_speak() {
        let tools = ["pay", "order", "hold", "getJob", "cancel", "release"];
        let states = ["pending", "SUBMITTED", "in Bearbeitung", "failed", "CANCELLED", "bloqué"];
        let json = |at: usize| format!(r#"{{"state":"{}","traceId":"x{at}a9"}}"#, states[at]);
        let results: Vec<(&str, String)> = tools.iter().enumerate().map(|(at, tool)| (*tool, json(at))).collect();
        let envelope = of(&results, &["Zapłać fakturę"]);
        assert!(!envelope.holds("state", true) && envelope.holds("traceId", true), "{envelope:?}");
    }
}
