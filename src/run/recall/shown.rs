//! How a match is shown: the line it stands in, and of JSON on one line the whole row or member, behind the path of its keys.
//! Looks into texts inside JSON too, which is how most tools hand over a page. Does not decide which texts are looked through.

use std::ops::Range;
use std::rc::Rc;

use super::newlines;
use crate::json::{Value, write_string};
use crate::run::recall::pattern::{Found, Pattern, Work};
use crate::text::clip::first_chars;

/// Characters of a line that are shown; of a longer one what stands around the match.
const LINE_CHARS: usize = 400;
/// Bytes before the match.
const LEAD_BYTES: usize = 120;
/// Bytes of white space that is looked for, so that no word is cut.
const WORD_BYTES: usize = 40;
/// Bytes of JSON that are shown whole.
const ROW_BYTES: usize = 600;
/// Bytes of a member that is shown with its neighbors where the whole object is too long.
const MEMBER_BYTES: usize = 200;
/// JSON in texts in JSON: so deep it is looked into.
const LEVELS: usize = 3;

/// A search in the texts of one result.
pub(super) struct Search<'s, 'p> {
    pattern: &'s Pattern<'p>,
    room: usize,
    /// What may still be read.
    pub work: &'s mut Work,
    /// The lines to show, without line breaks.
    pub found: Vec<String>,
}

impl<'s, 'p> Search<'s, 'p> {
    /// Shows at most `room` lines.
    pub(super) fn new(pattern: &'s Pattern<'p>, room: usize, work: &'s mut Work) -> Search<'s, 'p> {
        Search { pattern, room, work, found: Vec::new() }
    }

    /// Looks through this range of a text, which begins with a line. What is found is shown behind the label, if there is one.
    pub(super) fn look(&mut self, label: &str, text: &str, range: Range<usize>) {
        self.look_within(label, text, range, LEVELS);
    }

    fn look_within(&mut self, label: &str, text: &str, range: Range<usize>, levels: usize) {
        let is_one_line = newlines(text.as_bytes()) == 0;
        let (mut number, mut counted) = (1, 0);
        let found = self.pattern.find_lines(text, range.clone(), self.room, self.work);
        // What has quotes stands otherwise in JSON than in the texts inside it.
        if found.is_empty() && self.pattern.has_quotes && is_one_line && !range.is_empty() && levels > 0 && is_long_json(text) {
            self.look_into_json(label, text, levels - 1);
        }
        for Found { line, at } in found {
            number += newlines(&text.as_bytes()[counted..line.start]);
            counted = line.start;
            let numbered = match (label, is_one_line) {
                ("", _) => number.to_string(),
                (_, true) => label.to_owned(),
                (_, false) => format!("{label}, line {number}"),
            };
            let line = &text[line];
            let inside = if label.is_empty() && is_one_line { "" } else { &numbered };
            if levels == 0 || !is_long_json(line) || !self.look_into_json(inside, line, levels - 1) {
                self.show(&numbered, around(line, at));
            }
        }
    }

    /// Looks through the rows and members of a JSON text. False where nothing is found: it is no JSON, or no one piece of it matches.
    fn look_into_json(&mut self, label: &str, json: &str, levels: usize) -> bool {
        self.work.spend(json.len());
        let Some(value) = Value::parse(json) else { return false };
        let units = match walk(&value) {
            Walked::Whole(text) => vec![Unit { path: String::new(), text: text.into(), is_inner: false, head: None }],
            Walked::Units(units) => units,
        };
        let before = self.found.len();
        let mut shown_head: Option<Head> = None;
        for Unit { path, text, is_inner, head } in units {
            let at = self.found.len();
            let name = joined(label, &path);
            if is_inner {
                self.look_within(&name, &text, 0..text.len(), levels);
            } else if let Some(first) = self.pattern.find_lines(&text, 0..text.len(), self.room.min(1), self.work).first() {
                let is_whole = text.len() <= ROW_BYTES;
                self.show(&name, if is_whole { text.to_string() } else { around(&text, first.at) });
                // A head that matches is shown already.
                shown_head = Some(Head { path, text }).filter(|_| head.is_none()).or(shown_head);
            }
            if self.found.len() > at && head.is_some() && head != shown_head && self.room > 0 {
                let Some(Head { path, text }) = &head else { continue };
                self.found.insert(at, line_of(&joined(label, path), text));
                self.room -= 1;
                shown_head = head;
            }
        }
        self.found.len() > before
    }

    fn show(&mut self, label: &str, text: String) {
        if self.room > 0 {
            self.room -= 1;
            self.found.push(line_of(label, &text));
        }
    }
}

fn is_long_json(line: &str) -> bool {
    line.len() > LINE_CHARS && line.trim_start().starts_with(['{', '['])
}

fn line_of(label: &str, text: &str) -> String {
    if label.is_empty() { text.to_owned() } else { format!("{label}: {text}") }
}

fn joined(label: &str, path: &str) -> String {
    let path = path.strip_prefix('.').unwrap_or(path);
    let separator = if label.is_empty() || path.is_empty() { "" } else { " " };
    format!("{label}{separator}{path}")
}

/// The short members of an object that is too long to be shown whole: they say which one it is.
#[derive(Clone, Debug, PartialEq)]
struct Head {
    path: String,
    text: Rc<str>,
}

/// A piece of a JSON value, short enough to be shown, or the text of a long string.
struct Unit {
    /// Where it stands, such as `.results[3].title`.
    path: String,
    text: Rc<str>,
    /// The text is what a string says, not JSON.
    is_inner: bool,
    /// Of the nearest object that it stands in.
    head: Option<Head>,
}

/// A value on its way to pieces.
enum Walked {
    /// It is short: its JSON.
    Whole(String),
    /// Its pieces, with their paths inside it.
    Units(Vec<Unit>),
}

/// The largest pieces of a value that can be shown whole. Each value is written once.
fn walk(value: &Value<'_>) -> Walked {
    match value {
        Value::Text(text) if text.len() > ROW_BYTES => {
            Walked::Units(vec![Unit { path: String::new(), text: Rc::from(text.as_ref()), is_inner: true, head: None }])
        }
        Value::List(items) => {
            let walked: Vec<(String, Walked)> = items.iter().enumerate().map(|(index, item)| (format!("[{index}]"), walk(item))).collect();
            match whole(&walked, |_| String::new(), ['[', ']']) {
                Some(text) => Walked::Whole(text),
                None => Walked::Units(walked.into_iter().flat_map(|(step, walked)| units_at(step, walked)).collect()),
            }
        }
        Value::Map(members) => {
            let walked: Vec<(String, Walked)> = members.iter().map(|(key, value)| (key.to_string(), walk(value))).collect();
            match whole(&walked, key_of, ['{', '}']) {
                Some(text) => Walked::Whole(text),
                None => Walked::Units(units_of_object(walked)),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            let mut text = String::new();
            value.write(&mut text);
            Walked::Whole(text)
        }
    }
}

fn key_of(key: &str) -> String {
    let mut text = String::new();
    write_string(key, &mut text);
    text.push(':');
    text
}

/// The JSON of an array or object, if it is short.
fn whole(walked: &[(String, Walked)], name: impl Fn(&str) -> String, [open, close]: [char; 2]) -> Option<String> {
    let mut text = String::from(open);
    for (index, (key, walked)) in walked.iter().enumerate() {
        let Walked::Whole(json) = walked else { return None };
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str(&name(key));
        text.push_str(json);
        if text.len() >= ROW_BYTES {
            return None;
        }
    }
    text.push(close);
    Some(text)
}

/// The pieces of an object: its short members together, the others each by itself.
fn units_of_object(walked: Vec<(String, Walked)>) -> Vec<Unit> {
    let mut text = String::from("{");
    let mut is_short = Vec::new();
    for (index, (key, walked)) in walked.iter().enumerate() {
        let key = key_of(key);
        let json = match walked {
            Walked::Whole(json) if json.len() <= MEMBER_BYTES && text.len() + key.len() + json.len() < ROW_BYTES => Some(json.as_str()),
            _ => None,
        };
        is_short.push(json.is_some());
        // Too many keys to name them all.
        if json.is_some() || text.len() + key.len() < ROW_BYTES {
            text.push_str(if index > 0 { "," } else { "" });
            text.push_str(&key);
            text.push_str(json.unwrap_or("…"));
        }
    }
    text.push('}');
    let head = Some(Head { path: String::new(), text: text.into() }).filter(|_| is_short.contains(&true));
    let own = head.iter().map(|Head { path, text }| Unit { path: path.clone(), text: text.clone(), is_inner: false, head: None });
    let mut units: Vec<Unit> = own.collect();
    for ((key, walked), _) in walked.into_iter().zip(is_short).filter(|(_, is_short)| !is_short) {
        let is_plain = !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$'));
        let step = if is_plain { format!(".{key}") } else { format!("[{}]", key_of(&key).trim_end_matches(':')) };
        units.extend(units_at(step, walked).map(|unit| Unit { head: unit.head.or_else(|| head.clone()), ..unit }));
    }
    units
}

/// The pieces of a member or item, with their paths in what it stands in.
fn units_at(step: String, walked: Walked) -> impl Iterator<Item = Unit> {
    let units = match walked {
        Walked::Whole(text) => vec![Unit { path: String::new(), text: text.into(), is_inner: false, head: None }],
        Walked::Units(units) => units,
    };
    units.into_iter().map(move |unit| Unit {
        path: format!("{step}{}", unit.path),
        head: unit.head.map(|head| Head { path: format!("{step}{}", head.path), ..head }),
        ..unit
    })
}

/// A line, or of a long one what stands around a place, from word to word.
fn around(line: &str, at: usize) -> String {
    if line.len() <= LINE_CHARS {
        return line.to_owned();
    }
    let boundary = |from: usize| (0..=from).rev().find(|place| line.is_char_boundary(*place)).unwrap_or(0);
    let mut start = boundary(at.saturating_sub(LEAD_BYTES));
    let is_space = |letter: char| letter.is_whitespace();
    if start > 0
        && let Some((space, letter)) =
            line[start..boundary((start + WORD_BYTES).min(at))].char_indices().find(|(_, letter)| is_space(*letter))
    {
        start += space + letter.len_utf8();
    }
    let mut shown = first_chars(&line[start..], LINE_CHARS);
    let is_end = start + shown.len() == line.len();
    if !is_end
        && let Some(space) = shown.rfind(is_space)
        && shown.len() - space <= WORD_BYTES
    {
        shown = &shown[..space];
    }
    let more = |is_more: bool| if is_more { "…" } else { "" };
    format!("{}{shown}{}", more(start > 0), more(!is_end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pattern: &str, text: &str) -> Vec<String> {
        let mut work = Work { left: 10_000_000 };
        let lowered = pattern.to_ascii_lowercase();
        let pattern = Pattern::new(&lowered);
        let mut search = Search::new(&pattern, 100, &mut work);
        search.look("", text, 0..text.len());
        search.found
    }

    fn rows(count: usize) -> String {
        let rows: Vec<String> = (0..count)
            .map(|row| format!(r#"{{"name":"Shop {row}","price":{},"url":"https://shop-{row}.example/item"}}"#, 100 + row))
            .collect();
        format!(r#"{{"query":"bookshelf","results":[{}]}}"#, rows.join(","))
    }

    #[test]
    fn a_row_of_json_is_shown_whole_behind_its_path_and_beside_what_says_of_what() {
        let found = shown("shop 17", &rows(40));
        assert_eq!(
            found,
            [r#"{"query":"bookshelf","results":…}"#, r#"results[17]: {"name":"Shop 17","price":117,"url":"https://shop-17.example/item"}"#,]
        );
        // All that match, each once; what they have in common is shown once.
        assert_eq!(shown("shop 17|shop-17|shop 20", &rows(40)).len(), 3);
    }

    #[test]
    fn the_lines_of_a_text_inside_json_are_lines() {
        let page: String = (1..60).map(|line| format!("line {line}: {}\\n", "plain words ".repeat(3))).collect();
        let json = format!(r#"[{{"text":"{page}","title":"A page","odd key":"{}"}}]"#, "x".repeat(700));
        assert_eq!(
            shown("LINE 31:", &json),
            [
                r#"[0]: {"odd key":…,"text":…,"title":"A page"}"#.to_owned(),
                format!("[0].text, line 31: line 31: {}", "plain words ".repeat(3)),
            ]
        );
        assert!(shown("xxxx", &json).iter().any(|line| line.starts_with(r#"[0]["odd key"]: xxx"#)));
        // JSON in a text in JSON, as tools of MCP answer.
        let inner = format!(r#"{{"content":[{{"type":"text","text":{}}}]}}"#, serde_json::to_string(&rows(30)).unwrap_or_default());
        assert!(
            shown("shop 7\"", &inner)
                .contains(&r#"content[0].text results[7]: {"name":"Shop 7","price":107,"url":"https://shop-7.example/item"}"#.to_owned())
        );
    }

    #[test]
    fn what_no_piece_holds_and_what_is_no_json_is_shown_from_word_to_word() {
        let across = shown("shop 3*shop 30", &rows(40));
        assert_eq!(across.len(), 1);
        assert!(across[0].starts_with("1: …") || across[0].starts_with("1: {"), "{across:?}");
        let line = format!("{} needle {}", "before ".repeat(100), "after ".repeat(200));
        let [shown] = &shown("needle", &line)[..] else { panic!("one line") };
        assert!(shown.starts_with("1: …before ") && shown.contains(" needle after ") && shown.ends_with(" after…"), "{shown}");
        // Where words have no white space between them, letters stay whole.
        let line = format!("{}針{}", "前".repeat(400), "後".repeat(400));
        assert!(super::tests::shown("針", &line)[0].contains("前針後"));
    }

    #[test]
    fn short_lines_and_rows_of_their_own_are_numbered_as_before() {
        assert_eq!(shown("b", "a\nb\nc"), ["2: b"]);
        assert_eq!(shown("a", r#"{"a":1}"#), [r#"1: {"a":1}"#]);
        let lines = format!("{}\n{}", rows(1), rows(40));
        assert!(
            shown("shop 39", &lines)
                .contains(&r#"2 results[39]: {"name":"Shop 39","price":139,"url":"https://shop-39.example/item"}"#.to_owned())
        );
    }

    #[test]
    fn any_text_is_searched_without_a_panic_and_with_no_more_lines_than_asked_for() {
        let deep = format!("{}\"needle {}\"{}", "[".repeat(120), "x".repeat(700), "]".repeat(120));
        let keys = format!("{{{}}}", (0..400).map(|key| format!(r#""key {key}":"needle {key}""#)).collect::<Vec<_>>().join(","));
        let long_number = format!(r#"{{"needle":{}}}"#, "9".repeat(5_000));
        for text in [deep.as_str(), &keys, &long_number, &format!("{{{}", "needle ".repeat(100)), &rows(400).replace("Shop", "needle")] {
            for room in [0, 1, 2, 100] {
                let mut work = Work { left: 10_000_000 };
                let pattern = Pattern::new("needle");
                let mut search = Search::new(&pattern, room, &mut work);
                search.look("input", text, 0..text.len());
                assert!(search.found.len() <= room, "{text:.20}");
                assert!(room == 0 || search.found[0].starts_with("input"), "{:?}", search.found);
                assert!(search.found.iter().all(|line| line.len() < 1_200), "{text:.20}");
            }
        }
    }
}
