//! Elements between tags. Where elements hold either text or elements, they are names with values, as their attributes are; where text stands
//! among elements, sentences.

use std::borrow::Cow;

use super::{Form, grouped};
use crate::text::json::Value;
use crate::text::markup::{Element, Nesting, elements, inner};

/// An element that says that all is sentences.
const SENTENCES: &str = "html";

/// Reads a text that begins with a tag; nothing where it does not.
pub(super) fn read(text: &str) -> Option<Form<'_>> {
    let markup = Markup { text, elements: elements(text, 0..text.len(), Nesting::Loose)? };
    if !markup.inner(0).any(|at| markup.is_element(at)) {
        return None;
    }
    let is_page = markup.inner(0).any(|at| markup.elements[at].name.eq_ignore_ascii_case(SENTENCES));
    if is_page || (0..markup.elements.len()).any(|at| markup.mixes(at)) {
        let mut plain = String::new();
        markup.write(0, &mut plain, false);
        return Some(Form::Text(plain.trim().to_owned().into()));
    }
    Some(Form::Value(markup.value_of(0)))
}

struct Markup<'t> {
    text: &'t str,
    elements: Vec<Element<'t>>,
}

impl<'t> Markup<'t> {
    fn inner(&self, of: usize) -> impl Iterator<Item = usize> {
        inner(&self.elements, of)
    }

    fn is_element(&self, at: usize) -> bool {
        !self.elements[at].name.is_empty()
    }

    /// Whether text stands among elements, right in this one.
    fn mixes(&self, of: usize) -> bool {
        self.inner(of).any(|at| self.is_element(at)) && self.inner(of).any(|at| !self.is_element(at))
    }

    /// Writes the text, each element that does not stand in a sentence on its own line.
    fn write(&self, of: usize, plain: &mut String, is_inline: bool) {
        let is_inline = is_inline || of > 0 && self.mixes(of);
        for at in self.inner(of) {
            let is_apart = self.text[..self.elements[at].range.start].ends_with(char::is_whitespace);
            match (self.is_element(at), is_inline) {
                (true, false) if !plain.is_empty() && !plain.ends_with('\n') => plain.push('\n'),
                (true, true) if is_apart && !plain.ends_with(char::is_whitespace) => plain.push(' '),
                _ => {}
            }
            if self.is_element(at) {
                self.write(at, plain, is_inline);
            } else {
                plain.push_str(&self.text_of(at));
            }
        }
    }

    fn value_of(&self, of: usize) -> Value<'t> {
        let mut members = if of > 0 { attributes(self.tag(of)) } else { Vec::new() };
        let mut text = String::new();
        for at in self.inner(of) {
            match self.elements[at].name {
                "" => text.push_str(self.text_of(at).trim()),
                name => members.push((own_name(name).into(), self.value_of(at))),
            }
        }
        match (members.is_empty(), text.is_empty()) {
            (true, true) => Value::Null,
            (true, false) => Value::Text(text.into()),
            (false, true) => grouped(members),
            (false, false) => grouped(members.into_iter().chain([("".into(), Value::Text(text.into()))]).collect()),
        }
    }

    /// What a text says: in a section of data as it stands.
    fn text_of(&self, at: usize) -> Cow<'t, str> {
        let Element { range, content, .. } = &self.elements[at];
        let text = &self.text[content.clone()];
        if range == content { unescaped(text) } else { text.into() }
    }

    /// What stands in the tag of an element behind its name.
    fn tag(&self, at: usize) -> &'t str {
        let Element { name, range, content, .. } = &self.elements[at];
        &self.text[range.start + 1 + name.len()..content.start - 1]
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
