//! The tags of markup, and a text without them: of `<state>paid</state>` the tags, or `state: paid`.

use std::borrow::Cow;
use std::ops::Range;

/// A longer tag is none.
const TAG_BYTES: usize = 4_000;
/// Elements of pages whose content is no text.
pub const UNREAD: [&str; 2] = ["script", "style"];
/// A section of data, in which signs are text.
const DATA: &str = "<![CDATA[";

/// The first tags of a page, such as the text of a mail; a table is one of a page if it has cells. Source is broken into lines, a page hardly:
/// one break in so many bytes.
const PAGES: [&str; 5] = ["<html", "<!doctype", "<table", "<div", "<p"];
const CELL: &str = "<td";
const BREAK_BYTES: usize = 200;
/// So much of a page is looked at to know it.
const PAGE_BYTES: usize = 4_000;

/// A tag.
#[derive(Clone, Debug)]
pub struct Tag<'t> {
    /// The name of its element; of a comment none.
    pub name: &'t str,
    /// Where it stands, with what is no text behind it.
    pub range: Range<usize>,
    /// It opens an element.
    pub opens: bool,
    /// It closes one, maybe that which it opens.
    pub closes: bool,
}

/// The tags of a range, in their order.
pub fn tags(text: &str, range: Range<usize>) -> impl Iterator<Item = Tag<'_>> {
    let (mut at, mut has_comments) = (range.start, true);
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..range.end)?.find('<')?;
            let rest = &text[start..range.end];
            at = start + 1;
            let end = match rest.as_bytes().get(1)? {
                b'!' if rest.starts_with(DATA) => Some(DATA.len()),
                b'!' if rest.starts_with("<!--") => {
                    let end = if has_comments { rest.find("-->") } else { None };
                    has_comments = end.is_some();
                    end.map(|end| end + 3)
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'_' | b'!' | b'?' | 0x80.. => tag_end(rest),
                _ => None,
            };
            let Some(end) = end else { continue };
            let inner = rest[1..end].trim_end_matches('>');
            let name = inner.trim_start_matches('/').split(|letter: char| letter.is_whitespace() || matches!(letter, '/' | '\\')).next()?;
            let name = if inner.starts_with(['!', '?']) { "" } else { name };
            let is_element = !name.is_empty();
            let closes = is_element && (inner.starts_with('/') || inner.ends_with('/'));
            let opens = is_element && !inner.starts_with('/');
            at = start + end;
            let is_unread = opens && !closes && UNREAD.contains(&name);
            at += if is_unread { text[at..range.end].find("</").unwrap_or(range.end - at) } else { 0 };
            return Some(Tag { name, range: start..at, opens, closes });
        }
    })
}

/// The end of the tag that a text begins with.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = 0;
    for (at, byte) in text.bytes().enumerate().take(TAG_BYTES).skip(1) {
        match byte {
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
            b'<' => return None,
            b'>' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The signs that markup writes in another way.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign)).into()
}

/// A part of markup without its tags: of data with the names of elements, `name: text, name: text`; the cells of a page apart. A mark amid a text goes.
pub fn without_tags(part: &str, has_names: bool) -> String {
    let separator = if has_names { ", " } else { " | " };
    let mut line = String::with_capacity(part.len());
    // What was cut in a tag begins behind it.
    let mut at = part.find(['<', '>']).filter(|at| !has_names && part[*at..].starts_with('>')).map_or(0, |at| at + 1);
    // Whether tags alone stand since the last text.
    let mut is_apart = true;
    for tag in tags(part, at..part.len()) {
        let text = &part[at..tag.range.start];
        at = tag.range.end;
        is_apart = is_blank(text) && (is_apart || tag.opens);
        line.push_str(if is_apart { "" } else { text });
        if is_apart && !line.is_empty() && !line.ends_with([' ', '|']) {
            line.push_str(separator);
        }
        if has_names && tag.opens && is_apart {
            let words = part[tag.range].trim_matches(['<', '/', '>']).split_whitespace().filter(|word| !word.starts_with("xmlns"));
            line.push_str(&words.collect::<Vec<_>>().join(" "));
            line.push_str(if tag.closes { "" } else { ": " });
        }
    }
    line.push_str(&part[at..]);
    unescaped(line.trim_end_matches([',', '|', ' '])).replace("]]>", "")
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

/// Whether a text holds nothing but blanks, however markup and JSON write them.
pub fn is_blank(text: &str) -> bool {
    text.split("\\n").all(|line| matches!(line.trim(), "" | "&nbsp;"))
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
