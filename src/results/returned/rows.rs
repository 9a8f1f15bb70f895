//! A list of a result, in a part of a line: how many items it has, and all of them where these are short; else which states they have in common
//! and which items differ, such as `6: status CANCELLED ×5, REFUSED (H-35)`; else the first of them. Never one item as if it were all.

use std::borrow::Cow;

use super::form::{ends_like_id, is_amount, is_opaque, is_time};
use super::leaves::{Leaf, Leaves, Of, is_flag, is_reference, rank};
use crate::text::clip::{columns, first_columns};
use crate::text::hash::{HashSet, mix};
use crate::text::json::Value;
use crate::text::order::sort_by_numbers;

/// Items that are compared: of a longer list the first ones are shown.
const ROWS: usize = 1_000;
/// Members of items that are compared, and different values of a state.
const MEMBERS: usize = 40;
const STATES: usize = 4;
/// So many items are few. Measured (bench/agents): the first of longer ones finds no more facts, and readers take it for the answer.
const FEW_ITEMS: usize = 8;
/// Items that are named where they differ.
const NAMED_ITEMS: usize = 4;
/// Longest name of an item, in columns.
const NAME_COLUMNS: usize = 40;

/// A list in a part of a line.
pub(super) struct Listed {
    pub(super) text: String,
    pub(super) shows: Shows,
}

/// What a line shows of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// All items, or what all have in common.
    All,
    /// Which items ended in another way than most.
    Difference,
    /// The first items.
    First,
}

/// A list of two items or more, in about so many columns.
pub(super) fn listed(items: &[Value<'_>], of: Of<'_>, most: usize, place: u64) -> Option<Listed> {
    let count = items.len();
    let rows: Vec<Vec<Leaf<'_>>> = items.iter().take(ROWS).map(|item| leaves_of(item, of, place)).collect();
    if rows.iter().all(Vec::is_empty) {
        return None;
    }
    let name = name_of(&rows);
    let whole = rows.iter().map(|row| written(row, name.as_deref(), " ", usize::MAX));
    let text = if count <= ROWS { joined(whole, most).ok() } else { None };
    if let Some(text) = text {
        return Some(Listed { text: format!("{count}: {text}"), shows: Shows::All });
    }
    let states = if count <= ROWS { states(&rows, name.as_deref(), most) } else { None };
    if let Some((text, differs)) = states {
        return Some(Listed { text: format!("{count}: {text}"), shows: if differs { Shows::Difference } else { Shows::All } });
    }
    let first = rows.iter().map(|row| written(row, name.as_deref(), " ", most));
    let (Ok(text) | Err(text)) = joined(first, most);
    Some(Listed { text: format!("{count}: {text}; …"), shows: Shows::First })
}

/// How many items a list has, and the first of them, which says that it is one of many. Of a long list none: it would be one of many by chance, and
/// read as if it were what was looked for.
pub(super) fn first_of(items: &[Value<'_>], of: Of<'_>, most: usize, place: u64) -> Option<String> {
    let row = items.first().filter(|_| items.len() <= FEW_ITEMS).map(|item| leaves_of(item, of, place)).unwrap_or_default();
    let text = written(&row, None, ", ", most);
    (!text.is_empty()).then(|| format!("{}, the first ({text})", items.len()))
}

fn leaves_of<'v>(item: &'v Value<'_>, of: Of<'v>, place: u64) -> Vec<Leaf<'v>> {
    let mut leaves = Leaves::of(item, of, 0, place).found;
    leaves.retain(|leaf| !of.envelope.holds(leaf.member));
    leaves
}

/// All texts where they have room, else as many as have, and at least the beginning of one.
fn joined(texts: impl Iterator<Item = String>, most: usize) -> Result<String, String> {
    let mut line = String::new();
    for text in texts.filter(|text| !text.is_empty()) {
        let separator = if line.is_empty() { "" } else { "; " };
        if columns(&line) + separator.len() + columns(&text) > most {
            return Err(if line.is_empty() { format!("{}…", first_columns(&text, most)) } else { line });
        }
        line.push_str(separator);
        line.push_str(&text);
    }
    Ok(line)
}

/// The member by which items are told apart: a reference that each has and no two share, else such a word.
fn name_of(rows: &[Vec<Leaf<'_>>]) -> Option<String> {
    let is_name = |leaf: &&Leaf<'_>| {
        let texts: Option<Vec<&str>> = rows.iter().map(|row| text_of(row, &leaf.name)).collect();
        texts.is_some_and(|texts| {
            let different: HashSet<u64> = texts.iter().map(|text| mix(0, text.as_bytes())).collect();
            different.len() == texts.len() && texts.iter().all(|text| columns(text) <= NAME_COLUMNS && !is_opaque(text) && !is_time(text))
        })
    };
    let of_first = || rows.iter().take(1).flatten().take(MEMBERS).filter(|leaf| !leaf.name.is_empty() && !is_flag(&leaf.text));
    let by = |is: &dyn Fn(&&Leaf<'_>) -> bool| of_first().filter(is).find(is_name);
    let named = by(&|leaf| is_reference(leaf)).or_else(|| by(&|leaf| ends_like_id(leaf.member)));
    named.or_else(|| by(&|leaf| leaf.text.contains(char::is_alphabetic))).map(|leaf| leaf.name.clone())
}

fn text_of<'r>(row: &'r [Leaf<'_>], name: &str) -> Option<&'r str> {
    row.iter().find(|leaf| leaf.name == name).map(|leaf| leaf.text.as_ref())
}

/// An item: its name, then its members, the best of them where not all have room.
fn written(row: &[Leaf<'_>], name: Option<&str>, between: &str, most: usize) -> String {
    let is_name = |leaf: &Leaf<'_>| name == Some(leaf.name.as_str());
    let mut order: Vec<usize> = (0..row.len()).collect();
    sort_by_numbers(&mut order, |at| [i64::from(!is_name(&row[*at])), rank(&row[*at]), *at as i64]);
    let mut room = most;
    let mut kept: Vec<(usize, Cow<'_, str>)> = Vec::new();
    for at in order {
        let leaf = &row[at];
        let is_bare = leaf.name.is_empty() || is_name(leaf);
        let text = if is_bare { Cow::Borrowed(leaf.text.as_ref()) } else { format!("{} {}", leaf.name, leaf.text).into() };
        if let Some(left) = room.checked_sub(columns(&text) + if kept.is_empty() { 0 } else { between.len() }) {
            room = left;
            kept.push((at, text));
        } else if kept.is_empty() {
            return format!("{}…", first_columns(&text, most));
        }
    }
    sort_by_numbers(&mut kept, |(at, _)| [i64::from(!is_name(&row[*at])), *at as i64, 0]);
    kept.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(between)
}

/// A state of items, each value with those that have it, the most frequent first.
struct State<'r> {
    name: &'r str,
    values: Vec<(&'r str, Vec<usize>)>,
}

/// What states the items have, and whether some have another than most. Nothing where no member says so.
fn states(rows: &[Vec<Leaf<'_>>], name: Option<&str>, most: usize) -> Option<(String, bool)> {
    let members = members_of(rows, name);
    let mut found: Vec<State<'_>> = members.iter().filter_map(|member| state_of(rows, member)).collect();
    // A word says how an item ended rather than a version.
    let has_digit = |state: &State<'_>| state.values.iter().any(|(text, _)| text.bytes().any(|byte| byte.is_ascii_digit()));
    sort_by_numbers(&mut found, |state| [i64::from(state.values.len() < 2), i64::from(has_digit(state)), 0]);
    // Items without names cannot be told apart.
    found.retain(|state| name.is_some() || state.values.len() < 2);
    let differs = found.first()?.values.len() > 1;
    let texts = found.iter().map(|state| written_state(state, rows, name, &members));
    let (Ok(text) | Err(text)) = joined(texts, most);
    Some((text, differs))
}

/// The members of items, without that by which they are told apart.
fn members_of<'r>(rows: &'r [Vec<Leaf<'_>>], name: Option<&str>) -> Vec<&'r str> {
    let mut members: Vec<&str> = Vec::new();
    for leaf in rows.iter().flatten() {
        if members.len() < MEMBERS && name != Some(leaf.name.as_str()) && !members.contains(&leaf.name.as_str()) {
            members.push(&leaf.name);
        }
    }
    members
}

/// The values of a member, where it is a state: a word that most items share, or few words between many.
fn state_of<'r>(rows: &'r [Vec<Leaf<'_>>], member: &'r str) -> Option<State<'r>> {
    let mut values: Vec<(&str, Vec<usize>)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let text = text_of(row, member)?;
        match values.iter_mut().find(|(value, _)| *value == text) {
            Some((_, items)) => items.push(at),
            None => values.push((text, vec![at])),
        }
        if values.len() > STATES {
            return None;
        }
    }
    sort_by_numbers(&mut values, |(_, items)| [-(items.len() as i64), items.first().map_or(0, |at| *at as i64), 0]);
    let is_word = values.iter().all(|(text, _)| !is_amount(text) && !is_time(text) && !is_opaque(text) && columns(text) <= NAME_COLUMNS);
    let most = values.first().map_or(0, |(_, items)| items.len());
    (is_word && most * 2 >= rows.len()).then_some(State { name: member, values })
}

fn written_state(state: &State<'_>, rows: &[Vec<Leaf<'_>>], name: Option<&str>, members: &[&str]) -> String {
    let values = state.values.iter().enumerate().map(|(place, (value, items))| {
        if place == 0 {
            return format!("{value} ×{}", items.len());
        }
        let item = |at: &usize| name.and_then(|name| text_of(&rows[*at], name)).unwrap_or_default().to_owned();
        let whys: Vec<Option<&str>> = items.iter().take(NAMED_ITEMS).map(|at| why(rows, *at, &state.values[0].1, members)).collect();
        let is_same = items.len() <= NAMED_ITEMS && whys.windows(2).all(|pair| pair[0] == pair[1]);
        let because = |why: &Option<&str>| why.map_or(String::new(), |why| format!(" {why}"));
        let shown = items.iter().zip(&whys).map(|(at, why)| if is_same { item(at) } else { format!("{}{}", item(at), because(why)) });
        let shown = shown.collect::<Vec<_>>().join("; ");
        let count = if items.len() > 1 { format!(" ×{}", items.len()) } else { String::new() };
        let rest = if items.len() > NAMED_ITEMS { "; …" } else { "" };
        let reason = if is_same { whys.first().map_or(String::new(), because) } else { String::new() };
        format!("{value}{count} ({shown}{rest}){reason}")
    });
    format!("{} {}", state.name, values.collect::<Vec<_>>().join(", "))
}

/// What only an item that differs says, and none of the others.
fn why<'r>(rows: &'r [Vec<Leaf<'_>>], item: usize, others: &[usize], members: &[&str]) -> Option<&'r str> {
    let own = members
        .iter()
        .find(|member| text_of(&rows[item], member).is_some() && others.iter().all(|at| text_of(&rows[*at], member).is_none()));
    own.and_then(|member| text_of(&rows[item], member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::envelope::Envelope;
    use crate::results::returned::AnswerOf;

    fn of(json: &str, is_of_act: bool) -> String {
        let call = if is_of_act { AnswerOf::Act } else { AnswerOf::Reading };
        let Some(Value::List(items)) = Value::parse(json) else { panic!("it is a list") };
        listed(&items, Of { call, envelope: &Envelope::default() }, 80, 0).map_or(String::new(), |listed| listed.text)
    }

    #[test]
    fn of_few_items_of_a_reading_the_first_one_is_shown_and_of_many_none() {
        let of = |count: usize| {
            let rows =
                (0..count).map(|at| format!(r#"{{"cluster":"C-{at}","why":"cable cut at site {at}"}}"#)).collect::<Vec<_>>().join(",");
            let json = format!("[{rows}]");
            let Some(Value::List(items)) = Value::parse(&json) else { panic!("it is a list") };
            first_of(&items, Of { call: AnswerOf::Reading, envelope: &Envelope::default() }, 80, 0)
        };
        assert_eq!(of(3).as_deref(), Some("3, the first (cluster C-0, why cable cut at site 0)"));
        assert_eq!(of(9), None);
    }

    #[test]
    fn a_list_says_how_many_it_has_and_which_differ() {
        let cancelled = |at: usize| match at {
            5 => r#"{"id":"H-35","status":"REFUSED","reason":"already shipped","log":"q8w7e6r5t4z3u2i1"}"#.to_owned(),
            _ => format!(r#"{{"id":"H-3{at}","status":"CANCELLED","reason":null,"log":"a1s2d3f4g5h6j7k{at}"}}"#),
        };
        let list = (1..=6).map(cancelled).collect::<Vec<_>>().join(",");
        for (json, is_of_act, text) in [
            (r#"["INV-103","INV-109"]"#.to_owned(), true, "2: INV-103; INV-109"),
            (r#"[1763629800,"0.142"]"#.to_owned(), false, "2: 1763629800; 0.142"),
            (r#"[{"depot":"Nantes","stock":0},{"depot":"Lille","stock":14}]"#.to_owned(), true, "2: Nantes stock 0; Lille stock 14"),
            (r#"[{"id":1,"deleted":true},{"id":2,"deleted":false}]"#.to_owned(), true, "2: 1 deleted true; 2 deleted false"),
            (format!("[{list}]"), true, "6: status CANCELLED ×5, REFUSED (H-35) already shipped"),
            (
                format!("[{}]", (1..=600).map(|at| cancelled(at).replace("H-35\"", "H-5\"")).collect::<Vec<_>>().join(",")),
                true,
                "600: status CANCELLED ×599, REFUSED (H-5) already shipped",
            ),
            (format!("[{}]", (1..=12).map(|_| cancelled(1)).collect::<Vec<_>>().join(",")), true, "12: status CANCELLED ×12; id H-31 ×12"),
            (
                format!("[{}]", (0..40).map(|at| format!(r#"{{"name":"Part {at}","price":{at}.5}}"#)).collect::<Vec<_>>().join(",")),
                false,
                "40: Part 0 price 0.5; Part 1 price 1.5; Part 2 price 2.5; Part 3 price 3.5; …",
            ),
            (r#"[["North",1204.5,33,null],["South",871.25,12,"x"]]"#.to_owned(), true, "2: North 1204.5 33; South 871.25 12 x"),
            ("[null,null]".to_owned(), true, ""),
        ] {
            assert_eq!(of(&json, is_of_act), text, "{json}");
        }
    }
}
