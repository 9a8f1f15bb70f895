//! Markup as a list of its elements and of the texts between them, in their order. Reads tags alone and knows hardly any vocabulary. Not what
//! elements mean: rows, names with values, words.

use std::ops::Range;

/// A longer tag is none.
const TAG_BYTES: usize = 4_000;
/// Deepest nesting; what is deeper is no markup.
const LEVELS: usize = 60;
/// A text behind the last tag up to this many bytes may say that the rest was cut.
const CUT_BYTES: usize = 360;
/// Elements of pages whose content is no text.
const UNREAD: [&str; 2] = ["script", "style"];
/// The first tags of a page, such as the text of a mail; a table is one of a page if it has cells. Source is broken into lines, a page hardly:
/// one break in so many bytes.
const PAGES: [&str; 5] = ["<html", "<!doctype", "<table", "<div", "<p"];
const CELL: &str = "<td";
const BREAK_BYTES: usize = 200;
/// So much of a page is looked at to know it.
const PAGE_BYTES: usize = 4_000;

/// An element, or a text, which has no name.
pub struct Element<'t> {
    /// Its name, with the space that it belongs to.
    pub name: &'t str,
    /// Where it stands.
    pub range: Range<usize>,
    /// What stands between its tags.
    pub content: Range<usize>,
    /// The first one behind those in it.
    pub next: usize,
    /// Text stands in it, whether beside elements or alone.
    pub has_text: bool,
    /// How many elements it stands in.
    pub level: usize,
}

/// Which markup is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// Where each element is closed in its turn, unless the text was cut.
    Strict,
    /// Also where elements are not closed, as in most pages of HTML.
    Loose,
}

/// The elements of a range that begins with a tag, and the texts between them; the first one is the whole range. None of what is no markup.
pub fn elements(text: &str, range: Range<usize>, nesting: Nesting) -> Option<Vec<Element<'_>>> {
    let element = |name, range: Range<usize>, content, next| Element { name, range, content, next, has_text: false, level: 0 };
    let mut list = vec![element("", range.clone(), range.clone(), 0)];
    let (mut open, mut is_closed, mut at) = (vec![0], false, range.start);
    while at < range.end {
        let top = *open.last()?;
        let tag = tag_start(text, at..range.end, nesting);
        let rest = &text[tag..range.end];
        if !is_blank(&text[at..tag]) {
            // What follows the last tag may say that the text was cut.
            list[top].has_text |= !(rest.is_empty() && list.len() > top + 1 && tag - at <= CUT_BYTES);
            list.push(element("", at..tag, at..tag, list.len() + 1));
        }
        let is_data = rest.starts_with("<![CDATA[");
        let sign = match rest {
            "" => break,
            _ if is_data => "]]>",
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!") && rest.split('>').next().is_some_and(|tag| tag.contains('[')) => "]>",
            _ => ">",
        };
        let is_tag = !rest.starts_with("<!") && !rest.starts_with("<?");
        let end = if is_tag { tag_end(rest)? } else { rest.find(sign).map(|found| found + sign.len()) };
        let Some(end) = end else {
            list[top].has_text |= is_data;
            list.push(element("", tag..range.end, tag..range.end, list.len() + 1));
            break;
        };
        at = tag + end;
        let (inner, count) = (&rest[1..end - 1], list.len());
        if is_data {
            list[top].has_text = true;
            list.push(element("", tag..at, tag + "<![CDATA[".len()..at - sign.len(), count + 1));
        } else if let Some(name) = inner.strip_prefix('/') {
            let place = open.iter().rposition(|element| *element > 0 && list[*element].name == name.trim());
            if nesting == Nesting::Strict && place != Some(open.len() - 1) {
                return None;
            }
            let Some(place) = place else { continue };
            // What stands in it and is open still ends with it.
            for (depth, element) in open.drain(place..).enumerate() {
                let end = if depth == 0 { at } else { tag };
                (list[element].content.end, list[element].range.end, list[element].next) = (tag, end, count);
            }
            is_closed = true;
        } else if is_tag {
            let name = inner.split(|letter: char| letter.is_whitespace() || matches!(letter, '/' | '\\')).next()?;
            let is_empty = inner.ends_with('/');
            let end = if is_empty { at } else { range.end };
            list.push(element(name, tag..end, at..end, count + 1));
            is_closed |= is_empty;
            list[count].level = open.len();
            if is_empty {
                continue;
            }
            open.push(count);
            if open.len() > LEVELS {
                return None;
            }
            if nesting == Nesting::Loose && UNREAD.contains(&name) {
                at += text[at..range.end].find("</").unwrap_or(range.end - at);
            }
        }
    }
    let count = list.len();
    open.iter().for_each(|at| list[*at].next = count);
    (is_closed || nesting == Nesting::Loose).then_some(list)
}

/// Whether a text of JSON is a page for people, and not the source of one.
pub fn is_page(text: &str) -> bool {
    let bytes = &text.as_bytes()[..text.len().min(PAGE_BYTES)];
    let is_at = |tag: &str| bytes.get(..tag.len()).is_some_and(|first| first.eq_ignore_ascii_case(tag.as_bytes()));
    // No longer name, such as that of an element of data.
    let ends = |tag: &str| matches!(bytes.get(tag.len()), Some(b' ' | b'>' | b'\\'));
    let begins = |tag: &&str| is_at(tag) && ends(tag) && (*tag != "<table" || text.contains(CELL));
    PAGES.iter().any(begins) && bytes.windows(2).filter(|pair| pair == b"\\n").count() * BREAK_BYTES <= bytes.len()
}

/// The elements of a page of which each says something, and the texts beside them: those with a text of their own, and rows of several small
/// ones, such as those of a table.
pub fn said_in_page<'e>(list: &'e [Element<'_>], (row_bytes, cell_bytes): (usize, usize)) -> impl Iterator<Item = &'e Element<'e>> {
    let mut at = 1;
    std::iter::from_fn(move || {
        while let Some(element) = list.get(at) {
            let is_cell = |at: usize| list[at].range.len() <= cell_bytes && (list[at].has_text || inner(list, at).nth(1).is_none());
            let is_row = || inner(list, at).nth(1).is_some() && inner(list, at).all(is_cell);
            let is_unread = UNREAD.contains(&element.name);
            let is_said = element.name.is_empty() || element.has_text || element.range.len() <= row_bytes && is_row();
            at = if is_said || is_unread { element.next.max(at + 1) } else { at + 1 };
            if is_said && !is_unread {
                return Some(element);
            }
        }
        None
    })
}

/// The elements and texts right in another one.
pub fn inner(list: &[Element<'_>], of: usize) -> impl Iterator<Item = usize> {
    let end = list[of].next;
    let first = Some(of + 1).filter(|at| *at < end);
    std::iter::successors(first, move |at| Some(list[*at].next).filter(|at| *at < end))
}

/// Where the next tag begins. A sign between words is none, unless tags alone are expected.
fn tag_start(text: &str, range: Range<usize>, nesting: Nesting) -> usize {
    let is_tag = |at: &usize| nesting == Nesting::Strict || !matches!(text.as_bytes().get(at + 1), Some(b' ' | b'='));
    let signs = text[range.clone()].match_indices('<').map(|(at, _)| range.start + at);
    signs.into_iter().find(is_tag).unwrap_or(range.end)
}

/// The end of the tag that a text begins with; none where the text was cut in it.
fn tag_end(text: &str) -> Option<Option<usize>> {
    let first = text.as_bytes().get(1);
    if first.is_some_and(|first| !(first.is_ascii_alphabetic() || matches!(first, b'/' | b'_' | 0x80..))) {
        return None;
    }
    let mut quote = 0;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if at > TAG_BYTES => return None,
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
            b'<' => return None,
            b'>' => return Some(Some(at + 1)),
            _ => {}
        }
    }
    Some(None)
}

/// Whether a text holds nothing but blanks, also where breaks of lines are written `\n`.
pub fn is_blank(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let is_break = letter == '\\' && matches!(letters.next(), Some('n' | 'r' | 't'));
        if !is_break && !letter.is_whitespace() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_for_people_and_data_and_source_are_not() {
        for (text, expected) in [
            ("<html><body>Hello</body></html>", true),
            ("<!DOCTYPE html><p>Hello", true),
            (r#"<p class=\"a\">Hello</p>"#, true),
            ("<table><tr><td>Maan</td></tr></table>", true),
            ("<table><row><id>1</id></row></table>", false),
            ("<person><name>Ann</name></person>", false),
            (r"<div>\n<p>\n{x}\n</p>\n</div>", false),
            ("Hello <p>", false),
        ] {
            assert_eq!(is_page(text), expected, "{text}");
        }
    }
}
