//! A chunk as it is written: JSON without its quotes, texts without their escapes, and nothing that is a secret where it stands.
//! Not which chunks are chosen (`choose`).

use std::cell::OnceCell;
use std::ops::Range;

use crate::text::clip::{first_chars, one_line};
use crate::text::json::Value;
use crate::text::markup::{is_page, without_tags};
use crate::text::redact::clean;
use crate::text::sentence::{SENTENCE_ENDS, is_unspaced};

/// The first tag of a text is looked for in so many characters.
const TAG_CHARS: usize = 400;

/// A chunk as it is written: JSON without its quotes, a text without its escapes, anything else as it stands; in one line.
pub fn written(slice: &str) -> String {
    let slice = slice.trim().trim_end_matches(',');
    let is_json = slice.starts_with(['"', '{', '[']);
    if !is_json {
        let is_escaped = slice.as_bytes().windows(2).any(|pair| matches!(pair, b"\\n" | b"\\\""));
        let quoted = if is_escaped { format!("\"{slice}\"") } else { String::new() };
        let plain = Value::parse(&quoted);
        return in_one_line(plain.as_ref().and_then(Value::as_str).map_or(slice, str::trim));
    }
    if let Some(Value::Text(key)) = slice.strip_suffix(':').and_then(Value::parse) {
        return format!("{}:", one_line(&key));
    }
    let wrapped = format!("{{{slice}}}");
    let value = Value::parse(slice).or_else(|| Value::parse(&wrapped));
    value.map_or_else(|| in_one_line(slice), |value| plain(&value, 0))
}

/// Lines that go on in each other as one: a word that was parted at the end of a line is one word, and where a script has no spaces there is none.
fn in_one_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut whole = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let first = line.chars().next().unwrap_or_default();
        let parted =
            whole.strip_suffix(['-', '\u{ad}', '\u{2010}']).filter(|word| word.ends_with(char::is_alphabetic) && first.is_lowercase());
        match parted.map(str::len) {
            Some(length) => whole.truncate(length),
            // A line with a name of its own is one of a record.
            None if !line.contains([':', '：']) && (whole.ends_with(stands_close) || stands_close(first)) => {}
            None => whole.push(' '),
        }
        whole.push_str(line);
    }
    whole
}

/// Whether a character belongs to a script without spaces, or is as wide as its characters.
fn stands_close(letter: char) -> bool {
    is_unspaced(letter) || matches!(letter, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff60}')
}

/// Whether what stands here goes on in a paragraph that began before it.
pub fn goes_on(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', '\u{3000}']);
    let is_escape = before.len() > 1 && matches!(before.as_bytes()[before.len() - 2..], [b'\\', b'n' | b't' | b'r']);
    !is_escape
        && (before.ends_with(char::is_alphanumeric) || before.ends_with(SENTENCE_ENDS) || before.ends_with([')', '*', ';', '）', '」']))
}

/// What is written before a part of a text that goes on behind something that is left out.
pub const LEFT_OUT: &str = "… ";

/// Excerpts of a text without its secrets, also those that only what stands before them reveals, such as a key on one line
/// and its value on the next.
pub struct SafeText<'t> {
    text: &'t str,
    /// The whole text without its secrets, where it has any, once somebody asks.
    cleaned: OnceCell<Option<String>>,
    /// It is XML that says so: data, where tags are no code.
    is_markup: bool,
}

impl<'t> SafeText<'t> {
    /// The parts of this text.
    pub fn new(text: &'t str) -> SafeText<'t> {
        let first = text.find('<').filter(|at| *at <= TAG_CHARS).map_or("", |at| first_chars(&text[at..], TAG_CHARS));
        let is_markup = first.starts_with("<?xml") || first.split('>').next().is_some_and(|tag| tag.contains(" xmlns"));
        SafeText { text, cleaned: OnceCell::new(), is_markup }
    }

    /// Whether what stands here is in a text of JSON that is a page.
    fn is_in_page(&self, at: usize) -> bool {
        let before = if self.text.starts_with(['{', '[']) { &self.text[..at] } else { "" };
        let opens = |at: &usize| !before[..*at].ends_with('\\');
        let start = before.rmatch_indices('"').map(|(at, _)| at).find(opens);
        start.is_some_and(|start| is_page(&self.text[start + 1..]))
    }

    /// A part, written within this many characters. Empty where it is a secret, and nothing in it says so.
    pub fn excerpt(&self, range: Range<usize>, chars: usize) -> String {
        if self.hides(range.clone()) { String::new() } else { self.row_alone(range, chars) }
    }

    /// Whether a part is a secret by what stands around it alone.
    pub fn hides(&self, range: Range<usize>) -> bool {
        let Some(part) = self.text.get(range) else { return true };
        let whole = self.cleaned.get_or_init(|| Some(clean(self.text)).filter(|cleaned| cleaned != self.text));
        whole.as_ref().is_some_and(|whole| !whole.contains(clean(part).as_str()))
    }

    /// A row without what is a secret by itself. Before it goes anywhere, `hides` is to be asked.
    pub fn row_alone(&self, range: Range<usize>, chars: usize) -> String {
        let start = range.start;
        let Some(part) = self.text.get(range) else { return String::new() };
        // As it stands first: without its quotes, fewer forms of a secret can be recognized.
        let own = clean(part);
        let has_tags = self.is_markup && !own.trim_start().starts_with(['{', '[', '"']);
        let plain = match () {
            () if has_tags => written(&without_tags(&own, true)),
            () if own.contains('<') && self.is_in_page(start) => written(&without_tags(&own, false)),
            () => written(&own),
        };
        let first = first_chars(&plain, chars);
        let excerpt = if first == part { own.clone() } else { clean(first) };
        excerpt.trim().to_owned()
    }
}

/// A value in words: `name: value, name: value`. What says nothing is left out.
fn plain(value: &Value<'_>, level: usize) -> String {
    match value {
        Value::Map(members) => {
            let members = members.iter().filter_map(|(name, value)| {
                let text = plain(value, level + 1);
                (!text.is_empty()).then(|| format!("{}: {text}", one_line(name)))
            });
            let all = members.collect::<Vec<_>>().join(", ");
            if level > 0 && !all.is_empty() { format!("({all})") } else { all }
        }
        Value::List(items) => {
            let is_one = items.len() == 1;
            let items = items.iter().map(|item| plain(item, if is_one { level } else { level + 1 })).filter(|text| !text.is_empty());
            let all = items.collect::<Vec<_>>().join(", ");
            if level > 0 && !is_one && !all.is_empty() { format!("[{all}]") } else { all }
        }
        Value::Null => String::new(),
        // What is one of several stands in their line.
        scalar if level > 0 => one_line(scalar.scalar_text()),
        scalar => scalar.scalar_text().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_go_on_in_each_other_are_written_as_one() {
        for (lines, line) in [
            ("frente a 1179 miles de tonel-\nadas", "frente a 1179 miles de toneladas"),
            ("from 1990 -\n2000 and\n  later", "from 1990 - 2000 and later"),
            ("最も大きいのはＬＮ\nＧ火力であり", "最も大きいのはＬＮＧ火力であり"),
            ("価格：645\n在庫：あり", "価格：645 在庫：あり"),
            ("said \\\"yes\\\" and\\nwent", "said \"yes\" and went"),
        ] {
            assert_eq!(written(lines), line);
        }
    }

    #[test]
    fn an_excerpt_of_xml_is_written_without_its_tags() {
        for (part, line) in [
            ("<id>A1</id>\n  <title>An <i>E. coli</i> study</title>", "id: A1, title: An E. coli study"),
            ("<Amt Ccy=\"EUR\">12.50</Amt><Cdtr><Nm>Weber & Co</Nm></Cdtr>", "Amt Ccy=\"EUR\": 12.50, Cdtr: Nm: Weber & Co"),
            ("<author><name>Ann</name></author><author><name>Bo</name></author>", "author: name: Ann, author: name: Bo"),
            ("rose <b>by</b> 4 if a < b", "rose by 4 if a < b"),
            ("<o:doi xmlns:o=\"http://o.test\">10.1</o:doi>", "o:doi: 10.1"),
            ("<t><![CDATA[Tea > ink]]></t>", "t: Tea > ink"),
            ("<summary type=\"text\">", "summary type=\"text\":"),
            ("<title>Cut of", "title: Cut of"),
            ("<case name=\"a\"/><case name=\"b\" />", "case name=\"a\", case name=\"b\""),
        ] {
            let part_of_code = part.replace(" xmlns", " ns");
            let text = format!("<?xml version=\"1.0\"?><r>{part}</r>");
            let start = text.find("<r>").unwrap_or_default() + 3;
            assert_eq!(SafeText::new(&text).excerpt(start..start + part.len(), 200), line);
            assert_eq!(
                SafeText::new(&part_of_code).excerpt(0..part_of_code.len(), 200),
                in_one_line(&part_of_code),
                "what may be code stays"
            );
        }
    }

    #[test]
    fn an_excerpt_of_a_page_in_json_is_written_without_its_tags_and_source_in_json_with_them() {
        for (part, line) in [
            ("The ceiling is <b>15,000 JOD</b>, <i>not</i> more.", "The ceiling is 15,000 JOD, not more."),
            ("<tr><td class=\\\"a\\\">Maan</td><td>&nbsp;</td><td><span>24.750</span></td></tr>", "Maan | 24.750"),
            ("cut\\\">and the rest</p><p>of it</p>", "and the rest | of it"),
        ] {
            let of = |before: &str| {
                let text = format!(r#"{{"from":"a@b.test","body":"{before}{part}</body></html>","note":"<none>"}}"#);
                let start = text.find(part).unwrap_or_default();
                SafeText::new(&text).excerpt(start..start + part.len(), 200)
            };
            assert_eq!(of("<html><body><p>"), line);
            // Source, and data whose tags say what a value is.
            for before in ["import x;\\n", "<person><name>"] {
                assert!(of(before).contains("</"), "{part}");
            }
        }
    }

    #[test]
    fn a_secret_that_the_line_before_reveals_hides_a_part_beside_one_that_shows_by_itself() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let part = format!("\"value\": \"{secret}\", \"url\": \"https://u:hunter2pass@h.test\"");
        let text = format!("{{\n \"name\": \"API_KEY\",\n {part}\n}}");
        let start = text.find(&part).unwrap_or_default();
        assert!(!SafeText::new(&text).excerpt(start..start + part.len(), 400).contains(&secret));
    }
}
