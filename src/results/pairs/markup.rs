//! Elements between tags. Where elements hold either text or elements, they are names with values, as their attributes are; where text stands
//! among elements, sentences.

use std::borrow::Cow;

use super::{Form, grouped};
use crate::text::json::Value;

/// Deepest nesting; what is deeper is no answer. Elements that are read.
const LEVELS: usize = 60;
const ELEMENTS: usize = 20_000;
/// Elements whose content is no text, and one that says that all is.
const UNREAD: [&str; 2] = ["script", "style"];
const SENTENCES: &str = "html";

enum Piece<'t> {
    Text(Cow<'t, str>),
    Element(Element<'t>),
}

#[derive(Default)]
struct Element<'t> {
    name: &'t str,
    attributes: &'t str,
    pieces: Vec<Piece<'t>>,
}

/// Reads a text that begins with a tag; nothing where it does not.
pub(super) fn read(text: &str) -> Option<Form<'_>> {
    let root = parse(text)?;
    let holds_elements = root.elements().next().is_some();
    if !holds_elements {
        return None;
    }
    if root.is_mixed() || root.elements().any(|element| element.name.eq_ignore_ascii_case(SENTENCES)) {
        let mut plain = String::new();
        root.write(&mut plain, false);
        return Some(Form::Text(plain.trim().to_owned().into()));
    }
    Some(Form::Value(root.into_value()))
}

fn parse(text: &str) -> Option<Element<'_>> {
    let mut open = vec![Element::default()];
    let mut rest = text;
    for _ in 0..2 * ELEMENTS {
        let Some(start) = rest.find('<') else { break };
        let (before, tag) = rest.split_at(start);
        push_text(&mut open, before);
        if let Some(raw) = tag.strip_prefix("<![CDATA[") {
            let (inner, behind) = raw.split_once("]]>").unwrap_or((raw, ""));
            open.last_mut()?.pieces.push(Piece::Text(inner.into()));
            rest = behind;
            continue;
        }
        let (inner, behind) = match tag.strip_prefix("<!--") {
            Some(comment) => ("!", comment.split_once("-->").map_or("", |(_, behind)| behind)),
            None => {
                let end = end_of_tag(tag)?;
                (&tag[1..end], &tag[end + 1..])
            }
        };
        rest = behind;
        if let Some(name) = inner.strip_prefix('/') {
            close(&mut open, name.trim());
        } else if !inner.starts_with(['?', '!']) {
            let whole = inner.strip_suffix('/').unwrap_or(inner);
            let (name, attributes) = whole.split_at(whole.find(char::is_whitespace).unwrap_or(whole.len()));
            if !name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') || open.len() > LEVELS {
                return None;
            }
            open.push(Element { name, attributes, pieces: Vec::new() });
            if UNREAD.contains(&name) {
                let end = rest.find("</").unwrap_or(rest.len());
                rest = &rest[end..];
            }
            if whole.len() < inner.len() {
                close(&mut open, name);
            }
        }
    }
    push_text(&mut open, rest);
    while open.len() > 1 {
        close_last(&mut open);
    }
    open.pop()
}

/// Where a tag ends: a sign in quotes does not end it.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.bytes().position(|byte| {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

fn push_text<'t>(open: &mut [Element<'t>], text: &'t str) {
    if let Some(element) = open.last_mut()
        && !text.is_empty()
    {
        element.pieces.push(Piece::Text(unescaped(text)));
    }
}

/// Closes the innermost element of this name, with those in it that nobody closed.
fn close(open: &mut Vec<Element<'_>>, name: &str) {
    let Some(at) = open.iter().rposition(|element| element.name == name).filter(|at| *at > 0) else { return };
    while open.len() > at {
        close_last(open);
    }
}

fn close_last(open: &mut Vec<Element<'_>>) {
    if let Some(element) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.pieces.push(Piece::Element(element));
    }
}

impl<'t> Element<'t> {
    fn elements(&self) -> impl Iterator<Item = &Element<'t>> {
        self.pieces.iter().filter_map(|piece| if let Piece::Element(element) = piece { Some(element) } else { None })
    }

    /// Whether text stands among elements, here.
    fn mixes(&self) -> bool {
        self.elements().next().is_some() && self.pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if !text.trim().is_empty()))
    }

    /// Whether it does, here or in one of them.
    fn is_mixed(&self) -> bool {
        self.mixes() || self.elements().any(Element::is_mixed)
    }

    /// Writes the text, each element that does not stand in a sentence on its own line.
    fn write(&self, plain: &mut String, is_inline: bool) {
        let is_inline = is_inline || self.mixes() && !self.name.is_empty();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) if is_inline || !text.trim().is_empty() => plain.push_str(text),
                Piece::Text(_) => {}
                Piece::Element(element) => {
                    let starts_line = !is_inline && !plain.is_empty() && !plain.ends_with('\n');
                    plain.push_str(if starts_line { "\n" } else { "" });
                    if !UNREAD.contains(&element.name) {
                        element.write(plain, is_inline);
                    }
                }
            }
        }
    }

    fn into_value(self) -> Value<'t> {
        let mut members = attributes(self.attributes);
        let mut text = String::new();
        for piece in self.pieces {
            match piece {
                Piece::Element(element) => members.push((own_name(element.name).into(), element.into_value())),
                Piece::Text(piece) => text.push_str(piece.trim()),
            }
        }
        match (members.is_empty(), text.is_empty()) {
            (true, true) => Value::Null,
            (true, false) => Value::Text(text.into()),
            (false, true) => grouped(members),
            (false, false) => grouped(members.into_iter().chain([("".into(), Value::Text(text.into()))]).collect()),
        }
    }
}

/// A name without the space that it belongs to.
fn own_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, own)| own)
}

/// What the attributes of an element say. Those of a space are about the form.
fn attributes(attributes: &str) -> Vec<(Cow<'_, str>, Value<'_>)> {
    let mut members = Vec::new();
    let mut rest = attributes;
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
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign)).into()
}
