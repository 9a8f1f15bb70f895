//! The tags of markup, and a text without them. Knows hardly any vocabulary, and not what elements mean.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::json::Value;

/// A longer tag is none.
const TAG_BYTES: usize = 4_000;
/// Elements of pages whose content is no text.
const UNREAD: [&str; 2] = ["script", "style"];
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
    /// Where it stands.
    pub range: Range<usize>,
    /// It opens an element.
    pub opens: bool,
    /// It closes one, maybe that which it opens.
    pub closes: bool,
}

/// The tags of a range, in their order.
pub fn tags(text: &str, range: Range<usize>) -> impl Iterator<Item = Tag<'_>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..range.end)?.find('<')?;
            let rest = &text[start..range.end];
            at = start + 1;
            let end = match rest.as_bytes().get(1)? {
                b'!' if rest.starts_with(DATA) => Some(DATA.len()),
                b'!' if rest.starts_with("<!--") => rest.find("-->").map(|end| end + 3),
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
            return Some(Tag { name, range: start..start + end, opens, closes });
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

/// What the attributes of a tag say. Those of a space are about the form.
pub fn attributes(tag: &str) -> Vec<(Cow<'_, str>, Value<'_>)> {
    let mut members = Vec::new();
    let mut rest = tag.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    while let Some((name, behind)) = rest.split_once('=') {
        let behind = behind.trim_start();
        let Some(quote) = behind.chars().next().filter(|sign| matches!(sign, '"' | '\'')) else { break };
        let Some((value, behind)) = behind[1..].split_once(quote) else { break };
        rest = behind;
        let name = name.trim();
        if !name.contains(':') && name != "xmlns" {
            members.push((name.into(), Value::Text(unescaped(value))));
        }
    }
    members
}

/// The signs that markup writes in another way.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign)).into()
}

/// A text without its tags. Where two of them touch, as at the end of a paragraph or of a cell, a line ends.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for tag in tags(text, 0..text.len()) {
        let before = &text[at..tag.range.start];
        plain.push_str(if before.trim().is_empty() && at > 0 && !plain.ends_with('\n') { "\n" } else { before });
        at = tag.range.end;
    }
    plain.push_str(&text[at..]);
    unescaped(plain.trim()).into_owned()
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

/// Whether a text holds nothing but blanks, also where breaks of lines are written `\n`.
pub fn is_blank(text: &str) -> bool {
    text.split("\\n").all(|line| line.trim().is_empty())
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
