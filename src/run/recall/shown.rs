//! How a match is shown: the line it stands in, and of JSON on one line the whole row or member, behind the path of its keys.
//! Looks into texts inside JSON too, which is how most tools hand over a page. Does not decide which texts are looked through.

use std::borrow::Cow;
use std::ops::Range;

use super::newlines;
use crate::json::Value;
use crate::run::recall::pattern::{Found, Pattern, Work};
use crate::text::clip::first_chars;
use crate::text::parts::{Part, end, parts};

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
/// JSON in texts in JSON: so deep it is looked into; and how deep any JSON is.
const LEVELS: usize = 3;
const JSON_LEVELS: usize = 24;

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
        let mut pieces = Pieces { json, list: Vec::new(), read: 0 };
        let start = json.len() - json.trim_start().len();
        // Text behind the last bracket is no JSON: `[ERROR] payment failed`.
        let is_whole = end(json.as_bytes(), start) == Some(json.trim_end().len());
        let is_json =
            is_whole && pieces.add(&Part { start, value: start, end: json.trim_end().len() }, String::new(), None, JSON_LEVELS).is_some();
        self.work.spend(pieces.read);
        if !is_json {
            return false;
        }
        let before = self.found.len();
        let mut is_shown = vec![false; pieces.list.len()];
        for (at, Piece { path, text, is_inner, head }) in pieces.list.iter().enumerate() {
            let (name, place) = (joined(label, path), self.found.len());
            if *is_inner {
                self.look_within(&name, text, 0..text.len(), levels);
            } else if let Some(first) = self.pattern.find_lines(text, 0..text.len(), self.room.min(1), self.work).first() {
                self.show(&name, if text.len() <= ROW_BYTES { text.to_string() } else { around(text, first.at) });
            }
            is_shown[at] = self.found.len() > place;
            if let Some(head) = head.filter(|head| is_shown[at] && !is_shown[*head] && self.room > 0) {
                let Piece { path, text, .. } = &pieces.list[head];
                self.found.insert(place, line_of(&joined(label, path), text));
                self.room -= 1;
                is_shown[head] = true;
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

/// A piece of JSON, short enough to be shown, or the text of a long string.
struct Piece<'j> {
    /// Where it stands, such as `.results[3].title`.
    path: String,
    text: Cow<'j, str>,
    /// The text is what a string says, not JSON.
    is_inner: bool,
    /// The piece that holds the short members of the nearest object that it stands in: they say which one it is.
    head: Option<usize>,
}

/// The largest pieces of JSON that can be shown whole.
struct Pieces<'j> {
    json: &'j str,
    list: Vec<Piece<'j>>,
    /// Bytes that were read for them.
    read: usize,
}

impl<'j> Pieces<'j> {
    /// Adds those of a value; nothing where it is no JSON.
    fn add(&mut self, part: &Part, path: String, head: Option<usize>, levels: usize) -> Option<()> {
        let text = &self.json[part.value..part.end];
        self.read += text.len();
        if text.len() <= ROW_BYTES || levels == 0 || !text.starts_with(['"', '[', '{']) {
            self.list.push(Piece { path, text: text.into(), is_inner: false, head });
        } else if text.starts_with('"') {
            let Value::Text(said) = Value::parse(text)? else { return None };
            self.list.push(Piece { path, text: said, is_inner: true, head });
        } else if text.starts_with('[') {
            for (at, item) in parts(self.json.as_bytes(), part)?.iter().enumerate() {
                self.add(item, format!("{path}[{at}]"), head, levels - 1)?;
            }
        } else {
            self.add_members(&parts(self.json.as_bytes(), part)?, &path, head, levels - 1)?;
        }
        Some(())
    }

    /// Adds those of an object: its short members together, the others each by itself.
    fn add_members(&mut self, members: &[Part], path: &str, head: Option<usize>, levels: usize) -> Option<()> {
        let mut text = String::from("{");
        let mut others = Vec::new();
        for member in members {
            let (whole, name) = (&self.json[member.start..member.end], &self.json[member.start..member.value]);
            let is_short = member.end - member.value <= MEMBER_BYTES && text.len() + whole.len() < ROW_BYTES;
            // Of too many names not all are said.
            if is_short || text.len() + name.len() < ROW_BYTES {
                let separator = if text.len() > 1 { "," } else { "" };
                text.extend([separator, if is_short { whole } else { name }, if is_short { "" } else { "…" }]);
            }
            if !is_short {
                others.push((member, name.trim_end_matches([':', ' '])));
            }
        }
        text.push('}');
        let own = (others.len() < members.len()).then_some(self.list.len());
        if own.is_some() {
            self.list.push(Piece { path: path.to_owned(), text: text.into(), is_inner: false, head });
        }
        let head = own.or(head);
        for (member, key) in others {
            let name = key.trim_matches('"');
            let is_plain = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$'));
            let step = if is_plain { format!(".{name}") } else { format!("[{key}]") };
            self.add(member, format!("{path}{step}"), head, levels)?;
        }
        Some(())
    }
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
    fn a_line_that_only_begins_as_json_does_is_shown_as_a_line() {
        let line = format!("[ERROR] payment of order 4711 failed: {}", "the bank did not answer, ".repeat(30));
        let found = shown("ERROR", &line);
        assert!(found.len() == 1 && found[0].contains("payment of order 4711 failed"), "{found:?}");
    }

    #[test]
    fn the_lines_of_a_text_inside_json_are_lines() {
        let page: String = (1..60).map(|line| format!("line {line}: {}\\n", "plain words ".repeat(3))).collect();
        let json = format!(r#"[{{"text":"{page}","title":"A page","odd key":"{}"}}]"#, "x".repeat(700));
        assert_eq!(
            shown("LINE 31:", &json),
            [
                r#"[0]: {"text":…,"title":"A page","odd key":…}"#.to_owned(),
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
