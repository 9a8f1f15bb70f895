//! The values of a structured result in a line: references, refusals and states first, then amounts and words.

use super::form::{ends_like_id, is_id, is_long_number, is_opaque, is_time, is_whole_minute};
use super::prose::{ending, of_text};
use super::{AnswerOf, Given, Member, Returned, Wanted};
use crate::text::clip::{columns, first_chars, first_columns, one_line};
use crate::text::hash::{HashMap, mix};
use crate::text::json::{Value, is_secret_member, wraps};
use crate::text::order::sort_by_numbers;

/// What a value is worth, the best first: a reference by its name or a flag that says no; what looks like a reference; a number or a state; more
/// words; a sentence or a list; what only machines read.
const NAMED: i64 = 0;
const ID: i64 = 1;
const FIGURE: i64 = 2;
const WORDS: i64 = 3;
const SENTENCE: i64 = 4;
const MACHINE: i64 = 5;

/// An amount of digits alone has so many of them.
const AMOUNT_BYTES: std::ops::RangeInclusive<usize> = 4..=9;
/// Longest reference, state and words, and the most words of a state.
const ID_BYTES: usize = 40;
const WORDS_COLUMNS: usize = 60;
const STATE_WORDS: usize = 3;
/// A longer text says why only where it is of an act; and so much of it stands in the line.
const SENTENCE_CHARS: usize = 300;
const SENTENCE_COLUMNS: usize = 100;
/// Columns of a list, items of it that are looked at, and values that an item shows.
const LIST_COLUMNS: usize = 110;
const ITEMS: usize = 1_000;
const ITEM_VALUES: usize = 3;
const FEW_ITEMS: usize = 8;
/// A name up to this length says little alone.
const SHORT_NAME_COLUMNS: usize = 6;
/// Deepest members that are looked into, and values that are looked at.
const LEVELS: usize = 6;
const VALUES: usize = 200;

/// A value with the name under which it stands.
struct Leaf<'v> {
    name: String,
    text: String,
    worth: i64,
    at: At<'v>,
}

/// Where a value stands.
#[derive(Clone, Copy, Default)]
struct At<'v> {
    name: &'v str,
    /// The name of what it is a member of.
    parent: &'v str,
    levels: usize,
    /// How many objects it stands in, without those that only wrap what a result is.
    depth: i64,
}

impl Leaf<'_> {
    /// Its place in the order in which values have room: what stands deep inside is of less use than what a result is about, and a count, a day or
    /// the seconds since one of less than an amount or a state.
    fn rank(&self) -> i64 {
        let is_plain = self.worth == FIGURE && self.text.bytes().all(|byte| byte.is_ascii_digit() || b"-./".contains(&byte));
        4 * self.worth + 2 * self.at.depth + i64::from(is_plain && !AMOUNT_BYTES.contains(&self.text.len()))
    }

    /// Whether it can name something.
    fn is_reference(&self) -> bool {
        self.worth <= ID && !self.text.contains(' ') && self.text.bytes().any(|byte| byte.is_ascii_digit())
    }
}

/// What a value says, without what its call says and what every answer does.
pub(super) fn of_value(value: &Value<'_>, given: &Given, wanted: Wanted<'_>) -> Returned {
    let (is_act, envelope) = (wanted.of == AnswerOf::Act, wanted.envelope);
    let (mut leaves, mut long) = (Vec::new(), None);
    collect(value, At { levels: LEVELS, ..At::default() }, wanted.of, &mut leaves, &mut long);
    let is_usual = |leaf: &Leaf<'_>| envelope.is_usual(leaf.at.name, &leaf.text);
    // The only reference of an act is its own, however many tools return one of that name.
    let is_own = |leaf: &Leaf<'_>| is_act && leaf.is_reference() && !is_usual(leaf);
    let has_own = leaves.iter().any(|leaf| is_own(leaf) && !envelope.holds(leaf.at.name, is_act));
    leaves.retain(|leaf| !envelope.holds(leaf.at.name, is_act) || !has_own && is_own(leaf));
    leaves.retain(|leaf| !given.has(&leaf.name, &leaf.text) && !given.has(leaf.at.name, &leaf.text));
    // What is usual says nothing of this one, unless it is all that there is. A state may say how all of them are meant, that they were only trials.
    let is_state = |leaf: &Leaf<'_>| is_act && leaf.worth == FIGURE && !leaf.text.contains(char::is_numeric);
    if leaves.iter().any(|leaf| !is_usual(leaf)) {
        leaves.retain(|leaf| !is_usual(leaf) || is_state(leaf));
    }
    // A trace is nobody's name for anything where something else names the result.
    if leaves.iter().any(Leaf::is_reference) {
        leaves.retain(|leaf| leaf.worth != MACHINE || !is_opaque(&leaf.text));
    }
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    let late = |leaf: &Leaf<'_>| i64::from(given.says(&leaf.text)) + 2 * i64::from(is_usual(leaf) || envelope.is_late(leaf.at.name));
    // Of several references the one that the result itself has, and the shortest.
    let references = leaves.iter().filter(|leaf| leaf.is_reference() && !given.says(&leaf.text));
    let own = references.min_by_key(|leaf| (leaf.rank(), leaf.text.len()));
    sort_by_numbers(&mut order, |at| [late(&leaves[*at]), leaves[*at].rank(), *at as i64]);
    let mut room = wanted.columns;
    order.retain(|at| {
        let left = room.checked_sub(columns(&leaves[*at].name) + columns(&leaves[*at].text) + 3);
        left.inspect(|left| room = *left).is_some()
    });
    // The line of an act may lose its end where there is no room for all acts.
    if !is_act {
        order.sort_unstable();
    }
    let member = |leaf: &Leaf<'_>| Member { name: one_line(&leaf.name), value: leaf.text.clone() };
    let id = own.map_or(String::new(), |leaf| leaf.text.clone());
    let mut members: Vec<Member> = order.iter().map(|at| member(&leaves[*at])).collect();
    // Flags and numbers alone say less than the text beside them; and beside the code of a program its lines say how it ended.
    let is_plain = |leaf: &Leaf<'_>| leaf.worth == FIGURE && !leaf.text.contains(char::is_alphabetic) || is_flag(&leaf.text);
    if let Some(text) = long.filter(|_| order.iter().all(|at| is_plain(&leaves[*at]))) {
        let is_printed = !is_act && order.iter().any(|at| !is_flag(&leaves[*at].text));
        members.extend(match is_printed {
            true => vec![Member::of_text(&ending(text, room))],
            false => of_text(text, Wanted { columns: room, ..wanted }).members,
        });
    }
    Returned { members, id }
}

fn collect<'v>(value: &'v Value<'_>, at: At<'v>, of: AnswerOf, leaves: &mut Vec<Leaf<'v>>, long: &mut Option<&'v str>) {
    if leaves.len() >= VALUES {
        return;
    }
    let At { name, parent, levels, depth, .. } = at;
    let mut add = |text: String, worth: i64| {
        // What a thing is a member of stands before a name that says little alone: `ticket number`.
        let says_little = columns(name) <= SHORT_NAME_COLUMNS && !parent.is_empty();
        let label = if says_little { format!("{} {name}", first_columns(parent, 30)) } else { first_columns(name, 40).to_owned() };
        leaves.push(Leaf { name: label, text, worth, at });
    };
    match value {
        Value::Null => {}
        Value::Bool(_) if of == AnswerOf::Reading => {}
        // A flag that stands deep is of a part, such as a setting, and not of all that was done.
        Value::Bool(_) if of != AnswerOf::Act || depth > 0 => add(value.scalar_text().to_owned(), WORDS),
        Value::Bool(flag) => add(flag.to_string(), if *flag { FIGURE } else { NAMED }),
        Value::Number(number) => add((*number).to_owned(), if ends_like_id(name) && is_long_number(number) { NAMED } else { FIGURE }),
        Value::Text(text) => {
            let text = text.trim();
            if first_chars(text, SENTENCE_CHARS).len() < text.len() {
                *long = long.or(Some(text));
            } else if !text.is_empty() {
                let line = one_line(text);
                let first = first_columns(&line, SENTENCE_COLUMNS);
                let worth = worth_of(name, text, of == AnswerOf::Act);
                add(if first.len() < line.len() { format!("{first}…") } else { line }, worth);
            }
        }
        Value::List(items) if levels > 0 => match items.as_slice() {
            [] => {}
            [item] => collect(item, At { levels: levels - 1, ..at }, of, leaves, long),
            // Of many rows of a reading those that matter stand among its parts, and the first would be read as if it were what was looked for.
            [Value::Map(_) | Value::List(_), ..] if of != AnswerOf::Act && items.len() > FEW_ITEMS => add(items.len().to_string(), FIGURE),
            items => {
                let (text, worth) = listed(items, levels, of);
                add(text, worth);
            }
        },
        Value::Map(members) if levels > 0 => {
            let is_sole = members.len() == 1;
            for (member, value) in members.iter().filter(|(member, value)| !is_secret_member(members, member, value.scalar_text())) {
                let is_wrapper = matches!(value, Value::Map(_)) && (is_sole || wraps(member));
                let (parent, name) = if is_wrapper { ("", "") } else { (name, member.as_ref()) };
                let depth = depth + i64::from(matches!(value, Value::Map(_)) && !is_wrapper);
                collect(value, At { name, parent, levels: levels - 1, depth }, of, leaves, long);
            }
        }
        Value::List(_) | Value::Map(_) => {}
    }
}

/// How many items a list has, and of each what is worth most, as far as there is room; and what that is worth. Those that say what others do not
/// come first: one of ten that was refused is not told as if all had gone well.
fn listed(items: &[Value<'_>], levels: usize, of: AnswerOf) -> (String, i64) {
    let mut times: HashMap<u64, i64> = HashMap::default();
    let mut texts = Vec::new();
    for item in items.iter().take(ITEMS) {
        let mut inner = Vec::new();
        collect(item, At { levels: levels - 1, ..At::default() }, of, &mut inner, &mut None);
        let states = inner.iter().filter(|leaf| !leaf.at.name.is_empty() && leaf.worth == FIGURE && !leaf.text.contains(char::is_numeric));
        let state = states.fold(0, |state, leaf| mix(mix(state, leaf.name.as_bytes()), leaf.text.as_bytes()));
        *times.entry(state).or_default() += 1;
        sort_by_numbers(&mut inner, |leaf| [leaf.rank(), 0, 0]);
        texts.push((state, inner.iter().take(ITEM_VALUES).map(|leaf| leaf.text.as_str()).collect::<Vec<_>>().join(" ")));
    }
    sort_by_numbers(&mut texts, |(state, _)| [times.get(state).copied().unwrap_or_default(), 0, 0]);
    let mut line = format!("{}:", items.len());
    let is_of_rows = matches!(items, [Value::Map(_) | Value::List(_), ..]);
    let mut worth = match of {
        AnswerOf::Act if times.len() > 1 && times.values().any(|times| *times as usize * 2 >= items.len()) => ID,
        AnswerOf::Act => FIGURE,
        _ if is_of_rows => ID,
        _ => WORDS,
    };
    for (at, (_, text)) in texts.iter().enumerate() {
        if columns(&line) + columns(text) > LIST_COLUMNS {
            line.push_str(if at == 0 { " …" } else { "; …" });
            // What an act answers with beside its outcome is not what it did.
            worth = if worth == FIGURE { SENTENCE } else { worth };
            break;
        }
        line.push_str(if at == 0 { " " } else { "; " });
        line.push_str(text);
    }
    (line, worth)
}

/// Whether a value is a flag, as which it may be written in a text.
fn is_flag(text: &str) -> bool {
    ["true", "false"].iter().any(|flag| text.eq_ignore_ascii_case(flag))
}

fn worth_of(name: &str, text: &str, is_act: bool) -> i64 {
    let is_word = !text.contains(' ');
    let is_short = columns(text) <= WORDS_COLUMNS;
    match () {
        () if text.eq_ignore_ascii_case("false") && is_act => NAMED,
        () if is_opaque(text) || is_time(text) && !(is_act && is_whole_minute(text)) || text.contains("://") => MACHINE,
        () if is_word && ends_like_id(name) && text.len() <= ID_BYTES => NAMED,
        () if is_id(text) => ID,
        () if text.split_whitespace().count() <= STATE_WORDS && is_short => FIGURE,
        () if is_short => WORDS,
        () => SENTENCE,
    }
}
