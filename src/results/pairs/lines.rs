//! Names with values in lines and segments: forms, calendars and cards, lines of `name: value`, messages of EDI.

use std::borrow::Cow;

use super::grouped;
use crate::text::clip::first_chars;
use crate::text::hash::{HashSet, mix};
use crate::text::json::Value;

type Members<'t> = Vec<(Cow<'t, str>, Value<'t>)>;

/// Longest name of a line, in characters and words; lines that are read, the fewest that are, and how many of four have a name.
const NAME_CHARS: usize = 40;
const NAME_WORDS: usize = 4;
const LINES: std::ops::RangeInclusive<usize> = 3..=80;
const NAMED_OF_FOUR: usize = 3;
/// Fewest segments of a message, and longest name of one.
const SEGMENTS: usize = 3;
const SEGMENT_NAME: std::ops::RangeInclusive<usize> = 2..=3;

/// A form as browsers send it: `name=value&name=value`.
pub(super) fn form(text: &str) -> Option<Value<'_>> {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.[]%".contains(&byte));
    if !text.contains('&') || text.contains(char::is_whitespace) {
        return None;
    }
    if !text.split('&').all(|pair| pair.split_once('=').is_some_and(|(name, _)| is_name(name))) {
        return None;
    }
    let pairs: Members<'_> = form_urlencoded::parse(text.as_bytes()).map(|(name, value)| (name, Value::Text(value))).collect();
    Some(grouped(pairs))
}

/// A calendar or a card: `BEGIN:NAME`, lines of `NAME;PARAMETER=x:value`, `END:NAME`.
pub(super) fn components(text: &str) -> Option<Value<'_>> {
    if !text.starts_with("BEGIN:") {
        return None;
    }
    // A line that begins with a space goes on with the one before.
    let text: Cow<'_, str> = text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "").into();
    let mut open: Vec<(String, Members<'static>)> = vec![(String::new(), Vec::new())];
    for line in text.lines() {
        match line.split_once(':')? {
            ("BEGIN", name) => open.push((name.to_owned(), Vec::new())),
            ("END", _) => close(&mut open),
            (name, value) => {
                let (name, parameters) = name.split_once(';').unwrap_or((name, ""));
                let parameters = parameters.split(';').filter_map(|parameter| Some(parameter.split_once('=')?.1));
                let value = value.replace("\\n", " ").replace('\\', "");
                let value = std::iter::once(value.as_str()).chain(parameters).collect::<Vec<_>>().join(" ");
                open.last_mut()?.1.push((name.to_owned().into(), Value::Text(value.into())));
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(|(_, members)| grouped(members))
}

fn close(open: &mut Vec<(String, Members<'static>)>) {
    if open.len() > 1
        && let Some((name, members)) = open.pop()
        && let Some((_, parent)) = open.last_mut()
    {
        parent.push((name.into(), grouped(members)));
    }
}

/// A message of segments, each a name and its values: `BGM+231+OR-55120+27'`, `ST*850*0001~`; a line for each.
pub(super) fn segments(text: &str) -> Option<String> {
    // The signs that the message is written with stand before it.
    let text = text.strip_prefix("UNA").and_then(|rest| rest.get(6..)).unwrap_or(text);
    let end = ['\'', '~'].into_iter().find(|end| text.ends_with(*end))?;
    let released = text.replace(&format!("?{end}"), "’");
    let lines: Option<Vec<String>> = released
        .split(end)
        .map(str::trim)
        .filter(|segment| !segment.is_empty())
        .map(|segment| {
            let (name, _) = segment.split_once(['+', '*'])?;
            let is_name = SEGMENT_NAME.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
            is_name.then(|| segment.split(['+', '*', ':']).filter(|value| !value.is_empty()).collect::<Vec<_>>().join(" "))
        })
        .collect();
    lines.filter(|lines| lines.len() >= SEGMENTS).map(|lines| lines.join("\n"))
}

/// Lines of `name: value` or `name = value`; a few others, such as a heading, are values without a name.
pub(super) fn pairs(text: &str) -> Option<Value<'_>> {
    // Where lines are set in, what stands above says more than a name.
    if text.lines().skip(1).any(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty()) {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES.end() + 1).collect();
    if !LINES.contains(&lines.len()) {
        return None;
    }
    let members: Members<'_> =
        lines.iter().map(|line| pair(line).unwrap_or(("", line))).map(|(name, value)| (name.into(), Value::Text(value.into()))).collect();
    // Names that only differ in their numbers are those of rows.
    let shape = |name: &str| name.chars().filter(|letter| !letter.is_numeric()).collect::<String>();
    let shapes = members.iter().map(|(name, _)| shape(name)).filter(|shape| !shape.is_empty());
    let names: HashSet<u64> = shapes.map(|shape| mix(0, shape.as_bytes())).collect();
    (names.len() * 4 >= lines.len() * NAMED_OF_FOUR).then(|| grouped(members))
}

fn pair(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(['-', '*', '•', ' ']);
    let (name, value) = line.split_once([':', '：']).filter(|(name, _)| !name.contains('=')).or_else(|| line.split_once('='))?;
    let (name, value) = (name.trim().trim_end_matches('*'), value.trim_start_matches('*').trim());
    let is_name = first_chars(name, NAME_CHARS).len() == name.len()
        && name.split_whitespace().count() <= NAME_WORDS
        && name.starts_with(char::is_alphabetic)
        && !name.contains(['"', '{', '(', '<', '/', '[', '\'']);
    (is_name && !value.is_empty() && !value.starts_with("//")).then_some((name, value))
}
