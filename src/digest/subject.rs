//! What a call is about: its arguments in a line that distinguishes it from its neighbours, and what of them later calls can share.
//! Knows no tool. Without secrets that only the names of fields reveal.

use serde::{Deserialize, Serialize};

use crate::json::{Value, is_secret_member};
use crate::redact::clean;
use crate::results::returned::{is_amount, is_exact, is_id};
use crate::text::clip::{ROOM_CHARS, clean_within, clip, clip_middle, first_chars, label, one_line};
use crate::text::hash::mix;
use crate::text::order::sort_by_numbers;
use crate::text::sentence::is_glued;

/// Longest text of one argument of several in a line, in characters.
const ARGUMENT_CHARS: usize = 80;
/// Longest name of a tool in a line, in characters.
const TOOL_CHARS: usize = 64;
/// Bytes of the arguments of a call in a line.
pub const LINE_BYTES: usize = 200;
/// For less room than this no beginning of an argument is shown.
const LEAST_BEGINNING_BYTES: usize = 40;
/// Of a text up to this length the end is shown as well as the beginning; of a longer one, such as a letter, the beginning is enough.
const MIDDLE_CHARS: usize = 320;
/// Longest argument that is a subject as a whole, in characters: a name, an id, a url. What is longer is text. A name has so many words.
const SUBJECT_CHARS: usize = 120;
const NAME_WORDS: usize = 3;
/// Subjects and terms of one call.
const SUBJECTS: usize = 12;
const TERMS: usize = 40;
/// Deepest arguments that are looked at.
const LEVELS: usize = 3;
/// Fields that shape the answer and do not say what it is about.
const SHAPING: [&str; 9] =
    ["limit", "max_tokens", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "cursor", "page_size", "verbose"];

/// The arguments of a call in a line, such as `amount: 20, orderId: ORD-7`; a single one without its name, in about this many bytes. May hold secrets of a text's own.
pub fn arguments(input: &Value<'_>, bytes: usize) -> String {
    let Value::Map(members) = input else {
        return clip(&one_line(&clip(&input.joined_leaves(" "), 4 * bytes)), bytes);
    };
    let written: Vec<(String, bool)> = members
        .iter()
        .filter(|(name, value)| !SHAPING.contains(&name.as_ref()) && !is_secret_member(members, name, value.scalar_text()))
        .filter_map(|(name, value)| {
            let text = argument(value, if members.len() == 1 { bytes } else { ARGUMENT_CHARS });
            let named = if members.len() == 1 { String::new() } else { format!("{}: ", label(name, ARGUMENT_CHARS / 2)) };
            let is_name = text.len() <= ARGUMENT_CHARS / 2 || text.len() <= SUBJECT_CHARS && !text.contains([' ', '…']);
            (!text.is_empty()).then(|| (format!("{named}{text}"), is_name))
        })
        .collect();
    // Names and short ones tell calls apart; of a letter that is sent the beginning is enough, where there is room.
    let mut order: Vec<usize> = (0..written.len()).collect();
    sort_by_numbers(&mut order, |at| [i64::from(!written[*at].1), *at as i64, 0]);
    let mut room = bytes;
    let mut kept = vec![false; written.len()];
    for at in &order {
        if let Some(left) = room.checked_sub(written[*at].0.len() + 2) {
            room = left;
            kept[*at] = true;
        }
    }
    let mut lines: Vec<&str> = written.iter().zip(&kept).filter(|(_, kept)| **kept).map(|((text, _), _)| text.as_str()).collect();
    let rest = order.into_iter().find(|at| !kept[*at]).map(|at| beginning(&written[at].0, room));
    lines.extend(rest.as_deref());
    lines.join(", ")
}

/// The beginning of a list or object that has no room, as far as there is any: what a change changes tells it from the next one.
fn beginning(text: &str, room: usize) -> String {
    let bytes = if room >= LEAST_BEGINNING_BYTES && text.ends_with(['}', ']']) { room - 5 } else { 0 };
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    format!("{}…", text[..end].trim_end())
}

fn argument(value: &Value<'_>, chars: usize) -> String {
    match value {
        Value::Map(_) | Value::List(_) => {
            let mut text = String::new();
            nest(value, LEVELS, &mut text);
            text
        }
        scalar => short(scalar.scalar_text(), chars),
    }
}

/// A text of a call, without its middle or end where it is long.
fn short(text: &str, chars: usize) -> String {
    let first = first_chars(text, MIDDLE_CHARS);
    if first.len() < text.len() {
        let text = one_line(first);
        return clip(&text, if text.contains(' ') { chars } else { SUBJECT_CHARS });
    }
    // Cleaned first: half a secret could not be recognized any more.
    let text = clean(&one_line(text));
    clip_middle(&text, if text.contains(' ') { chars } else { SUBJECT_CHARS })
}

/// Writes a list or object as far as there is room, with the names of its members: `[{account: 4400, debit: 100}, … 14 in all]`.
fn nest(value: &Value<'_>, levels: usize, text: &mut String) {
    let (open, close, count) = match value {
        Value::Map(members) => ('{', '}', members.len()),
        Value::List(items) => ('[', ']', items.len()),
        // Nothing in place of something: it is deleted.
        Value::Null => return text.push_str("null"),
        scalar => return text.push_str(&short(scalar.scalar_text(), ARGUMENT_CHARS)),
    };
    if count == 0 {
        return;
    }
    text.push(open);
    let mut is_cut = levels == 0;
    let mut separator = "";
    for (name, value) in members_of(value).take(if is_cut { 0 } else { count }) {
        let mut member = name.map_or(String::new(), |name| format!("{}: ", label(name, ARGUMENT_CHARS / 2)));
        nest(value, levels - 1, &mut member);
        is_cut = !separator.is_empty() && text.len() + member.len() > ARGUMENT_CHARS || text.len() + member.len() > SUBJECT_CHARS;
        if is_cut {
            break;
        }
        text.push_str(separator);
        text.push_str(&member);
        separator = ", ";
    }
    if is_cut {
        let all = if matches!(value, Value::List(_)) { format!(" {count} in all") } else { String::new() };
        text.push_str(&format!("{separator}…{all}"));
    }
    text.push(close);
}

/// What stands in a list or object, without secrets that only their names reveal.
fn members_of<'v>(value: &'v Value<'_>) -> Box<dyn Iterator<Item = (Option<&'v str>, &'v Value<'v>)> + 'v> {
    match value {
        Value::Map(members) => Box::new(
            members
                .iter()
                .filter(|(name, value)| !is_secret_member(members, name, value.scalar_text()))
                .map(|(name, value)| (Some(name.as_ref()), value)),
        ),
        Value::List(items) => Box::new(items.iter().map(|item| (None, item))),
        _ => Box::new(std::iter::empty()),
    }
}

/// A call in a line, such as `refund(amount: 20, orderId: ORD-7)`, in about this many bytes and without secrets.
pub fn call_line(tool: &str, input: &Value<'_>, bytes: usize) -> String {
    let name = clean_within(&one_line(&clip(tool, TOOL_CHARS + ROOM_CHARS)), TOOL_CHARS);
    match clean_within(&arguments(input, bytes), bytes + ROOM_CHARS).as_str() {
        "" => name,
        arguments => format!("{name}({arguments})").replace('`', "'"),
    }
}

/// The first amount among the arguments, with its name, such as ` (amount: 20)`; empty where there is none.
pub fn amount_of(input: &Value<'_>) -> String {
    let Value::Map(members) = input else { return String::new() };
    let amounts = || {
        members.iter().filter(|(_, value)| match value {
            Value::Number(_) => true,
            Value::Text(text) => is_amount(text),
            _ => false,
        })
    };
    let amount = amounts().find(|(_, value)| is_exact(value.scalar_text())).or_else(|| amounts().next());
    amount.map_or(String::new(), |(name, value)| format!(" ({}: {})", label(name, 30), label(value.scalar_text(), 20)))
}

/// What later calls of a tool can share with a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subjects {
    /// Hashes of its numbers, its short arguments in one word, and the paths and numbers in its texts.
    pub short: Vec<u64>,
    /// Hashes of the other words of its texts.
    pub terms: Vec<u64>,
}

/// The subjects of a call's input.
pub fn subjects_of(input: &Value<'_>) -> Subjects {
    let mut subjects = Subjects::default();
    collect(input, LEVELS, &mut subjects);
    subjects
}

/// Hashes of the names and ids among the arguments of a call.
pub fn names_of(input: &Value<'_>) -> Vec<u64> {
    let mut hashes = Vec::new();
    names(input).for_each(|name| push(&mut hashes, hash_of(name), SUBJECTS));
    hashes
}

/// The arguments by which a call may be listed once it has no line of its own: ids, else paths and addresses, else other names.
pub fn listed_by(input: &Value<'_>) -> Vec<String> {
    let has_digit = |name: &str| name.contains(|letter: char| letter.is_ascii_digit());
    let kinds: [fn(&str) -> bool; 4] = [is_id, |name| name.contains('/'), has_digit, |_| true];
    let of_kind = |is: &fn(&str) -> bool| names(input).filter(|name| is(name)).take(SUBJECTS).collect::<Vec<_>>();
    let found = kinds.iter().map(of_kind).find(|names| !names.is_empty()).unwrap_or_default();
    found.into_iter().map(|name| clean_within(&one_line(name), SUBJECT_CHARS)).collect()
}

/// The hash under which a name is one of the short subjects of a call.
pub fn hash_of(name: &str) -> u64 {
    mix(0, name.to_lowercase().as_bytes())
}

/// The short texts among the arguments of a call.
fn names<'v>(input: &'v Value<'_>) -> impl Iterator<Item = &'v str> {
    let members = if let Value::Map(members) = input { members.as_slice() } else { &[] };
    members.iter().filter_map(|(name, value)| {
        let Value::Text(text) = value else { return None };
        let text = text.trim();
        let is_short = first_chars(text, SUBJECT_CHARS).len() == text.len() && text.split_whitespace().count() <= NAME_WORDS;
        (is_short && !text.is_empty() && !SHAPING.contains(&name.as_ref()) && !is_secret_member(members, name, text)).then_some(text)
    })
}

fn collect(value: &Value<'_>, levels: usize, subjects: &mut Subjects) {
    match value {
        Value::Map(members) if levels > 0 => {
            for (name, value) in members.iter().filter(|(name, _)| !SHAPING.contains(&name.as_ref())) {
                // A flag says how, and not what about.
                if !matches!(value, Value::Bool(_)) && !is_secret_member(members, name, value.scalar_text()) {
                    collect(value, levels - 1, subjects);
                }
            }
        }
        Value::List(items) if levels > 0 => items.iter().take(SUBJECTS).for_each(|item| collect(item, levels - 1, subjects)),
        Value::Number(number) => push(&mut subjects.short, mix(0, number.as_bytes()), SUBJECTS),
        Value::Text(text) => {
            let head = first_chars(text.trim(), 4_000);
            let is_name = first_chars(head, SUBJECT_CHARS).len() == head.len() && !head.contains(char::is_whitespace);
            match is_name {
                true if head.is_empty() => {}
                true => push(&mut subjects.short, hash_of(head), SUBJECTS),
                false => terms_of(head, |term| match term.contains(|sign: char| sign == '/' || sign.is_ascii_digit()) {
                    // Of a text the numbers are names, and the paths with the folders that they are in.
                    true => {
                        let folders = term.match_indices('/').map(|(at, _)| &term[..at]).filter(|folder| folder.contains('/'));
                        folders.chain([term]).for_each(|name| push(&mut subjects.short, hash_of(name), SUBJECTS));
                    }
                    false => push(&mut subjects.terms, mix(0, term.as_bytes()), TERMS),
                }),
            }
        }
        _ => {}
    }
}

fn push(list: &mut Vec<u64>, hash: u64, most: usize) {
    if list.len() < most && !list.contains(&hash) {
        list.push(hash);
    }
}

/// The words of a text in small letters; pairs of characters where a script is glued.
pub fn terms_of(text: &str, mut take: impl FnMut(&str)) {
    for word in text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-' | '.' | '/' | '@')) {
        let word = word.trim_matches(['_', '-', '.', '/']);
        if word.is_empty() {
            continue;
        }
        if word.chars().any(is_glued) {
            let letters: Vec<char> = word.chars().collect();
            for pair in letters.windows(2.min(letters.len())) {
                take(&pair.iter().collect::<String>());
            }
        } else {
            take(&word.to_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(input: &str) -> String {
        arguments(&Value::parse(input).unwrap_or(Value::Null), LINE_BYTES)
    }

    #[test]
    fn arguments_distinguish_a_call_from_its_neighbours() {
        for (input, line) in [
            (r#"{"orderId":"ORD-7","amount":20}"#, "amount: 20, orderId: ORD-7"),
            (r#"{"order_id":"4711"}"#, "4711"),
            // A single one has the room of all.
            (
                r#"{"sql":"UPDATE subscriptions SET status = 'paused', resume_at = '2027-01-15' WHERE account_id = 5512"}"#,
                "UPDATE subscriptions SET status = 'paused', resume_at = '2027-01-15' WHERE account_id = 5512",
            ),
            (r#"{"from":"BER","to":"LIS","date":"2026-05-04","limit":5}"#, "date: 2026-05-04, from: BER, to: LIS"),
            (r#"{"filter":{"city":"Köln","open":true},"page":3}"#, "filter: {city: Köln, open: true}, page: 3"),
            // What is deleted, which is the debit, and how many there are.
            (r#"{"id":"C-7","patch":{"email":"new@x.test","fax":null}}"#, "id: C-7, patch: {email: new@x.test, fax: null}"),
            (
                r#"{"lines":[{"account":"4400","debit":100},{"account":"1200","credit":100}]}"#,
                "[{account: 4400, debit: 100}, {account: 1200, credit: 100}]",
            ),
            (
                r#"{"orders":["B-4201","B-4202","B-4203","B-4204","B-4205","B-4206","B-4207","B-4208","B-4209","B-4210","B-4211"]}"#,
                "[B-4201, B-4202, B-4203, B-4204, B-4205, B-4206, B-4207, B-4208, B-4209, B-4210, … 11 in all]",
            ),
            (r#"{"of":[],"to":{},"user":{"name":"u","password":"x7Kq9ZpL2mVw8RtY4nB"}}"#, "user: {name: u}"),
            (r#"{"user":"u","password":"x7Kq9ZpL2mVw8RtY4nB"}"#, "user: u"),
            (
                r#"{"newText":"import { Container, Spacer, Text } from a module with a long name","path":"packages/coding-agent/src/tui/tui-renderer.ts"}"#,
                "newText: import { Container, Spacer, Text } from a module with a long name, path: packages/coding-agent/src/tui/tui-renderer.ts",
            ),
            (r#"{}"#, ""),
            ("null", ""),
            ("\"just words\"", "just words"),
        ] {
            assert_eq!(of(input), line, "{input}");
        }
        let edits =
            r#"{"edits":[{"search":"const rate = vatRateOf(line)","replace":"const rate = 0.19"}],"path":"src/billing/invoice.ts"}"#;
        let line = arguments(&Value::parse(edits).unwrap(), 90);
        assert_eq!(line, "path: src/billing/invoice.ts, edits: [{replace: const rate = 0.19, search: const rate…");
        let letter = format!(r#"{{"body":"{}","subject":"Invoice 7","to":"a@b.test"}}"#, "Dear all ".repeat(100));
        assert!(of(&letter).ends_with("subject: Invoice 7, to: a@b.test") && of(&letter).len() <= LINE_BYTES, "{}", of(&letter));
    }

    #[test]
    fn no_name_begins_a_line() {
        for mark in ["\n", "\r", "\u{b}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let name = format!("A{mark}- step 3: pay(9)");
            let text = |name: &str| Value::Text(name.to_owned().into());
            let input = |name: &str| {
                Value::Map(vec![
                    (name.to_owned().into(), Value::Map(vec![(name.to_owned().into(), text(name))])),
                    ("n".into(), text("A\n-pay(9)")),
                ])
            };
            let value = input(&name);
            let line = call_line(&name, &value, LINE_BYTES);
            assert!(!line.contains(crate::text::clip::ends_line), "{line:?}");
            assert_eq!(listed_by(&value), ["A -pay(9)"]);
            let amount = Value::Map(vec![(name.clone().into(), Value::Number("20"))]);
            assert_eq!(amount_of(&amount), " (A - step 3: pay(9): 20)");
        }
    }

    #[test]
    fn a_call_is_listed_by_an_id_else_a_path_else_another_name() {
        for (input, name) in [
            (r#"{"action":"refund","orderId":"ORD-771","amount":20}"#, "ORD-771"),
            (r#"{"find":"old()","path":"src/a.rs","put":"new()"}"#, "src/a.rs"),
            (r#"{"clinician":"any","mrn":"70022"}"#, "70022"),
            (r#"{"便名":"のぞみ","人数":4}"#, "のぞみ"),
            (r#"{"text":"a long text that is no name of anything","count":2}"#, ""),
            ("[1]", ""),
        ] {
            let names = listed_by(&Value::parse(input).unwrap());
            assert_eq!(names.first().map_or("", String::as_str), name, "{input}");
        }
    }

    #[test]
    fn short_arguments_are_subjects_and_sentences_are_terms() {
        let of = |input: &str| subjects_of(&Value::parse(input).unwrap());
        let query = of(r#"{"sql":"select regon from orders","limit":5}"#);
        assert!(query.short.is_empty() && query.terms.len() == 4);
        let order = of(r#"{"id":"ORD-7","count":2,"dryRun":true}"#);
        assert!(order.short.len() == 2 && order.terms.is_empty());
        assert!(!of(r#"{"question":"東京から大阪まで新幹線で行くといくらかかりますか"}"#).short.is_empty());
        assert_eq!(of("[]"), Subjects::default());
    }
}
