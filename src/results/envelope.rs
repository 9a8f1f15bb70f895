//! Members that every answer of an app carries and nobody ever mentions: trace ids, times, who handled it. Recognized by use alone:
//! they stand in results of several tools, with another value from one to the next, and none was ever mentioned. The same few words may say how
//! things stand: that all of it was a simulation. Values that are usual at their place, such as the code of what went well: they say nothing of one
//! answer. And lines that stand in several results, such as the menu of a page. Knows no name of any.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::rc::Rc;

use crate::results::syntax::{Form, read};
use crate::text::clip::first_chars;
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::json::{Value, unwrapped};
use crate::text::term::each_term;
use crate::text::uses::within;

/// A member of results of this many tools, and of this many of four results, belongs to the app and not to what was asked. Only what nearly every
/// answer carries is left out of acts: a reference that several booking tools return is needed later, though nobody has mentioned it yet.
const TOOLS: usize = 3;
const OF_FOUR: usize = 3;
/// … and one of this many tools in any case.
const MANY_TOOLS: usize = 5;
/// A member of so few different words is a state, and so is one of so few words each time, no longer than this.
const STATES: usize = 3;
const STATE_BYTES: usize = 60;
/// Of readings, which can be retrieved, a member of this many results.
const RESULTS: usize = 3;
/// … and of one in so many: what only some answers have is what these were asked for.
const SHARE_OF: usize = 4;
/// What stands at one place of the answers of so many tools, so often and at least every second time, is usual there and says nothing of one.
const USUAL_TOOLS: usize = 3;
const USUAL_RESULTS: u32 = 3;
/// A place inside of an object that nearly every answer has, of so many tools, says nothing whatever stands there.
const EVERYWHERE_TOOLS: usize = 8;
/// … but for a word or two where another one is usual: this one was only a trial.
const BUT_WORDS: u64 = 1;
/// Of a text so much, and no lines shorter than this.
const TEXT_CHARS: usize = 20_000;
const LINE_BYTES: usize = 8;
/// An answer is read so far, so deep, and of a list so many items.
const READ_CHARS: usize = 32 * 1024;
const LEVELS: usize = 4;
/// Quotation marks and the like, about, of a member.
const SIGNS_OF_MEMBER: usize = 4;
const ITEMS: usize = 4;

/// Members that say nothing.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    members: HashSet<u64>,
    /// Members that come last, as far as there is room.
    late: HashSet<u64>,
    /// Lines that stand in several results.
    lines: Rc<HashSet<u64>>,
    /// Values that are usual at their places, and places that every answer of the app has.
    usual: Rc<HashSet<u64>>,
    /// What holds nothing else says nothing at all.
    is_all: bool,
}

/// What of results says nothing: of those of acts, which stay listed for good, and of others.
#[derive(Clone, Debug, Default)]
pub struct Envelopes {
    /// Of acts: members that stand in nearly all results, of several tools.
    pub acts: Envelope,
    /// Of readings, which can be retrieved: members that stand in several results.
    pub readings: Envelope,
}

/// Where a member was seen: at one place, or at all places of one name.
#[derive(Default)]
struct Seen {
    tools: HashSet<u64>,
    results: HashSet<u32>,
    is_mentioned: bool,
    /// Its different values, how often each stands outside of the items of a list, and whether one is a word.
    values: HashMap<u64, u32>,
    has_word: bool,
    /// It is a list, such as who has handled the call.
    is_list: bool,
    /// It stands in items of a list, of which an answer has several.
    is_in_items: bool,
    /// Where it does not, it stands so often, and so often as a word or two.
    own: u32,
    own_words: u32,
    /// It is a member of a member.
    is_inner: bool,
}

impl Seen {
    /// The value that stands there every second time, in answers of several tools.
    fn usual(&self) -> Option<u64> {
        let is_usual = |count: u32| count >= USUAL_RESULTS && count * 2 >= self.own && self.tools.len() >= USUAL_TOOLS;
        let most = self.values.iter().max_by_key(|(value, count)| (**count, **value));
        most.filter(|(_, count)| is_usual(**count)).map(|(value, _)| *value)
    }

    /// Whether nearly every one of so many answers has a value there, of many tools.
    fn is_everywhere(&self, answers: usize) -> bool {
        self.is_inner && self.tools.len() >= EVERYWHERE_TOOLS && self.own as usize * 4 >= answers * OF_FOUR
    }

    /// Takes in the same member at another place.
    fn merge(&mut self, other: Seen) {
        self.tools.extend(other.tools);
        self.results.extend(other.results);
        self.values.extend(other.values);
        self.is_mentioned |= other.is_mentioned;
        self.has_word |= other.has_word;
        self.is_list |= other.is_list;
        self.is_in_items |= other.is_in_items;
        self.own += other.own;
        self.own_words += other.own_words;
    }

    /// Whether it may say how things stand: always a word or two, or the same few again and again. How the items of another answer stand says
    /// nothing of it.
    fn is_state(&self) -> bool {
        let repeats = self.values.len() * 2 <= self.results.len();
        let are_few = self.has_word && !self.is_in_items && repeats && self.values.len() <= STATES;
        are_few || self.own > 0 && self.own_words == self.own
    }
}

impl Envelopes {
    /// Those of a conversation: of its results, each with the name of its tool, where `texts` are all that calls, answers and the user said.
    pub fn of<'t>(results: impl Iterator<Item = (&'t str, Cow<'t, str>)>, texts: impl Iterator<Item = &'t str> + Clone) -> Envelopes {
        let mentioned = LazyCell::new(|| {
            let mut mentioned: HashSet<u64> = HashSet::default();
            texts.clone().for_each(|text| {
                each_term(within(text), &mut |term, _| {
                    mentioned.insert(term);
                });
            });
            mentioned
        });
        let mut seen: HashMap<u64, (u64, Seen)> = HashMap::default();
        let mut lines: HashMap<u64, (usize, bool)> = HashMap::default();
        let mut count = 0;
        for (number, (tool, text)) in results.enumerate() {
            let text = unwrapped(&text);
            match read(first_chars(&text, READ_CHARS)) {
                Form::Value(value) => {
                    count += 1;
                    see(&value, (LEVELS, 0), false, (number as u32, mix(0, tool.as_bytes())), &mentioned, &mut seen);
                }
                Form::Text(text) => {
                    for line in first_chars(&text, TEXT_CHARS).lines().filter_map(key_of) {
                        let first = lines.entry(line).or_insert((number, false));
                        first.1 |= first.0 != number;
                    }
                }
            }
        }
        let is_unused = |seen: &Seen| !seen.is_mentioned && !seen.values.is_empty();
        let lines: HashSet<u64> = lines.into_iter().filter(|(_, (_, is_again))| *is_again).map(|(line, _)| line).collect();
        let lines = Rc::new(lines);
        let usual = seen.iter().flat_map(|(place, (_, seen))| {
            let usual = seen.usual();
            let all = seen.is_everywhere(count).then(|| if usual.is_some() { value_at(*place, BUT_WORDS) } else { *place });
            all.into_iter().chain(usual.map(|value| value_at(*place, value)))
        });
        let usual = Rc::new(usual.collect::<HashSet<u64>>());
        // What stands everywhere says nothing of a member of the same name elsewhere.
        let mut by_name: HashMap<u64, Seen> = HashMap::default();
        for (name, seen) in seen.into_values().filter(|(_, seen)| !seen.is_everywhere(count)) {
            by_name.entry(name).or_default().merge(seen);
        }
        let those = |is_so: &dyn Fn(&Seen) -> bool| -> HashSet<u64> {
            by_name.iter().filter(|(_, seen)| is_so(seen)).map(|(member, _)| *member).collect()
        };
        Envelopes {
            acts: Envelope {
                members: those(&|seen| {
                    let is_common = seen.tools.len() >= TOOLS && seen.results.len() * 4 >= count * OF_FOUR;
                    is_unused(seen) && !seen.is_state() && (is_common || seen.tools.len() >= MANY_TOOLS)
                }),
                late: those(&|seen| seen.tools.len() >= TOOLS && (seen.is_list || is_unused(seen) && !seen.is_state())),
                lines: Rc::clone(&lines),
                usual: Rc::clone(&usual),
                is_all: false,
            },
            readings: Envelope {
                members: those(&|seen| {
                    let is_common = seen.results.len() >= RESULTS && seen.results.len() * SHARE_OF >= count;
                    is_common && (is_unused(seen) || seen.is_list && seen.tools.len() >= MANY_TOOLS)
                }),
                late: HashSet::default(),
                lines,
                usual,
                is_all: true,
            },
        }
    }
}

impl Envelope {
    /// Whether nothing is left where all members say nothing.
    pub fn may_be_all(&self) -> bool {
        self.is_all
    }

    /// Whether a member comes last: several tools answer with it, and nobody has mentioned it yet.
    pub fn is_late(&self, member: &str) -> bool {
        !self.late.is_empty() && self.late.contains(&mix(0, member.as_bytes()))
    }

    /// Whether a value is usual where it stands, or whatever stands there says nothing.
    pub fn is_usual(&self, place: u64, text: &str) -> bool {
        let holds = |value: u64| self.usual.contains(&value_at(place, value));
        let is_usual = || self.usual.contains(&place) || holds(mix(0, text.as_bytes())) || holds(BUT_WORDS) && !is_state_word(text);
        !self.usual.is_empty() && is_usual()
    }

    /// Whether a result is longer than so many characters, without what every answer of the app carries.
    pub fn is_longer_within(&self, text: &str, chars: usize) -> bool {
        let is_longer = |text: &str| text.len() > chars && text.chars().nth(chars).is_some();
        let value = if is_longer(text) && text.starts_with(['{', '[']) && text.len() <= READ_CHARS { Value::parse(text) } else { None };
        match value {
            Some(value) => self.own_chars(&value, 0) > chars,
            None => is_longer(text),
        }
    }

    /// About how many characters of a value are its own.
    fn own_chars(&self, value: &Value<'_>, place: u64) -> usize {
        match value {
            Value::Map(members) => members
                .iter()
                .filter(|(name, _)| !self.holds(name) && !self.is_late(name))
                .map(|(name, value)| match (value, place_in(place, name)) {
                    (Value::Map(_) | Value::List(_), place) => self.own_chars(value, place),
                    (scalar, place) if self.is_usual(place, scalar.scalar_text()) => 0,
                    (scalar, _) => name.chars().count() + scalar.scalar_text().chars().count() + SIGNS_OF_MEMBER,
                })
                .sum(),
            Value::List(items) => items.iter().map(|item| self.own_chars(item, place)).sum(),
            scalar => scalar.scalar_text().chars().count() + SIGNS_OF_MEMBER,
        }
    }

    /// Whether a line stands in other results as well.
    pub fn holds_line(&self, line: &str) -> bool {
        !self.lines.is_empty() && key_of(line).is_some_and(|line| self.lines.contains(&line))
    }

    /// Whether a member says nothing.
    pub fn holds(&self, member: &str) -> bool {
        !self.members.is_empty() && self.members.contains(&mix(0, member.as_bytes()))
    }
}

/// The place of a member in an object that has this place itself; what stands in no other has none. Lists add nothing to it.
pub fn place_in(outer: u64, member: &str) -> u64 {
    mix(outer, member.as_bytes())
}

fn value_at(place: u64, value: u64) -> u64 {
    mix(place, &value.to_le_bytes())
}

/// What is the same of equal lines: their words without marks in brackets, such as `[ref=e12]`. A short line may be the same by chance.
fn key_of(line: &str) -> Option<u64> {
    let line = line.trim();
    let is_mark = |word: &&[u8]| {
        let Some(b'[') = word.first() else { return false };
        word.iter().rfind(|byte| **byte != b':') == Some(&b']')
    };
    let words = line.as_bytes().split(|byte| matches!(byte, b'\t'..=b'\r' | b' ')).filter(|word| !word.is_empty() && !is_mark(word));
    (line.len() >= LINE_BYTES).then(|| words.fold(0, mix))
}

/// Whether a text is a state as it may be put in words: a few, without a figure.
fn is_state_word(text: &str) -> bool {
    let is_word = |word: &str| word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_numeric);
    !text.is_empty() && text.len() <= STATE_BYTES && text.split_whitespace().all(is_word) && text.split_whitespace().count() <= STATES
}

/// Looks at a value so many levels deep, at a place, and maybe in an item of a list; `of` an answer and its tool.
fn see(
    value: &Value<'_>,
    (levels, at): (usize, u64),
    is_item: bool,
    of: (u32, u64),
    mentioned: &HashSet<u64>,
    seen: &mut HashMap<u64, (u64, Seen)>,
) {
    match value {
        Value::Map(members) if levels > 0 => {
            for (name, value) in members {
                let place = place_in(at, name);
                let (_, member) = seen.entry(place).or_insert_with(|| (mix(0, name.as_bytes()), Seen::default()));
                member.tools.insert(of.1);
                member.results.insert(of.0);
                member.is_inner |= at != 0;
                member.is_list |= matches!(value, Value::List(_));
                if !matches!(value, Value::Map(_) | Value::List(_)) {
                    let text = value.scalar_text();
                    each_term(text, &mut |term, _| member.is_mentioned |= mentioned.contains(&term));
                    *member.values.entry(mix(0, text.as_bytes())).or_default() += u32::from(!is_item);
                    member.has_word |= text.chars().any(char::is_alphabetic);
                    member.is_in_items |= is_item;
                    if !is_item {
                        member.own += 1;
                        member.own_words += u32::from(is_state_word(text));
                    }
                }
                see(value, (levels - 1, place), is_item, of, mentioned, seen);
            }
        }
        Value::List(items) if levels > 0 => {
            items.iter().take(ITEMS).for_each(|item| see(item, (levels - 1, at), is_item || items.len() > 1, of, mentioned, seen))
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(results: &[(&str, String)], texts: &[&str]) -> Envelopes {
        Envelopes::of(results.iter().map(|(tool, json)| (*tool, json.into())), texts.iter().copied())
    }

    #[test]
    fn what_several_tools_answer_with_and_nobody_mentions_is_the_envelope() {
        let json = |at: usize| format!(r#"{{"traceId":"x{at}a9","状态":"已通过{at}","id":"ORD-{at}77","only":"{at}"}}"#);
        let results = [("getOrder", json(0)), ("sendMail", json(1)), ("findRoom", json(2))];
        let envelope = of(&results, &["ORD-177 is ready, 已通过1."]).acts;
        assert!(envelope.holds("traceId") && !envelope.holds("id") && !envelope.holds("状态"), "{envelope:?}");
        assert!(!of(&results[..2], &[]).acts.holds("traceId"));
    }

    #[test]
    fn the_same_few_words_say_how_things_stand_and_a_list_in_every_answer_does_not() {
        let json =
            |at: usize| format!(r#"{{"mode":"SIMULATION","traceId":"x{at}a9","flow":[{{"by":"Li"}},{{"by":"Wang"}}],"room":"R-{at}"}}"#);
        let tools = ["bookRoom", "sendMail", "payBill", "bookRoom", "sendMail", "payBill"];
        let results: Vec<(&str, String)> = tools.iter().enumerate().map(|(at, tool)| (*tool, json(at))).collect();
        let envelope = of(&results, &["R-1"]).acts;
        assert!(envelope.holds("traceId") && envelope.holds("by") && envelope.is_late("flow") && !envelope.holds("mode"), "{envelope:?}");
        assert!(!envelope.is_late("mode"));
    }

    #[test]
    fn what_stands_at_one_place_of_every_second_answer_is_usual_there_and_another_value_is_not() {
        let json = |at: usize| format!(r#"{{"code":{},"ctx":{{"channel":"API"}},"id":"R-{at}"}}"#, if at == 4 { 409 } else { 200 });
        let tools = ["book", "cancel", "find", "book", "move", "book"];
        let results: Vec<(&str, String)> = tools.iter().enumerate().map(|(at, tool)| (*tool, json(at))).collect();
        let Envelopes { acts, readings } = of(&results, &[]);
        let channel = place_in(place_in(0, "ctx"), "channel");
        for envelope in [acts, readings] {
            assert!(envelope.is_usual(place_in(0, "code"), "200") && envelope.is_usual(channel, "API"));
            assert!(!envelope.is_usual(place_in(0, "code"), "409") && !envelope.is_usual(place_in(0, "channel"), "API"));
        }
        assert!(!of(&results[..2], &[]).acts.is_usual(place_in(0, "code"), "200"));
    }

    #[test]
    fn what_stands_everywhere_says_nothing_but_for_a_word_where_another_one_is_usual() {
        let json = |at: usize| {
            let mode = if at == 7 { "SIMULATION" } else { "LIVE" };
            format!(r#"{{"meta":{{"mode":"{mode}","node":"n-{at}7"}},"id":"R-{at}"}}"#)
        };
        let tools: Vec<String> = (0..9).map(|at| format!("tool{at}")).collect();
        let results: Vec<(&str, String)> = tools.iter().enumerate().map(|(at, tool)| (tool.as_str(), json(at))).collect();
        let envelope = of(&results, &["R-1"]).acts;
        let meta = |member: &str| place_in(place_in(0, "meta"), member);
        assert!(envelope.is_usual(meta("node"), "n-77") && envelope.is_usual(meta("mode"), "LIVE"));
        assert!(!envelope.is_usual(meta("mode"), "SIMULATION") && !envelope.is_usual(place_in(0, "id"), "R-7"));
    }

    #[test]
    fn how_things_stand_is_no_envelope_in_a_language_that_the_answers_do_not_speak() {
        let tools = ["pay", "order", "hold", "getJob", "cancel", "release"];
        let states = ["pending", "SUBMITTED", "in Bearbeitung", "failed", "CANCELLED", "bloqué"];
        let json = |at: usize| {
            let rows = r#"[{"state":"open","by":"Li"},{"state":"a7 open","by":"Wu"}]"#;
            format!(r#"{{"state":"{}","traceId":"x{at}a9","rows":{rows}}}"#, states[at])
        };
        let results: Vec<(&str, String)> = tools.iter().enumerate().map(|(at, tool)| (*tool, json(at))).collect();
        let envelope = of(&results, &["Zapłać fakturę"]).acts;
        assert!(!envelope.holds("state") && !envelope.is_late("state"), "{envelope:?}");
        assert!(envelope.holds("traceId") && envelope.holds("by"), "{envelope:?}");
    }

    #[test]
    fn a_reference_that_several_tools_return_is_no_envelope_of_acts() {
        let booked = |at: usize| format!(r#"{{"traceId":"x{at}a9","bookingRef":"BK-{at}77"}}"#);
        let mut results = vec![("bookRoom", booked(0)), ("bookTaxi", booked(1)), ("bookTable", booked(2))];
        results.extend(["getRoom", "findTaxi"].map(|tool| (tool, r#"{"traceId":"q7w8","price":20}"#.to_owned())));
        let Envelopes { acts, readings } = of(&results, &[]);
        assert!(acts.holds("traceId") && !acts.holds("bookingRef") && acts.is_late("bookingRef") && readings.holds("bookingRef"));
    }
}
