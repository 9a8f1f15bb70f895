//! Names with values in forms and in lines of `name: value`.

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
