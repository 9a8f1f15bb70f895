//! Answers that are names with values: JSON, and XML with a value for each element, so that whoever reads an answer need not know its syntax.
//! Knows no name of any. What is no such answer stays a text; of a page the text is what stands between its tags.

use std::borrow::Cow;

use crate::text::json::Value;
use crate::text::markup::{attributes, plain, tags, unescaped};

/// Larger texts are not looked into, nor is deeper markup.
const READ_BYTES: usize = 256 * 1024;
const LEVELS: usize = 60;

/// An answer.
pub enum Form<'t> {
    /// Names with values.
    Value(Value<'t>),
    /// Anything else.
    Text(Cow<'t, str>),
}

/// Reads an answer.
pub fn read(text: &str) -> Form<'_> {
    let trimmed = text.trim();
    let value = match trimmed.as_bytes() {
        _ if trimmed.len() > READ_BYTES => None,
        [b'{' | b'[', ..] => Value::parse(trimmed),
        [b'"', ..] => match Value::parse(trimmed) {
            Some(Value::Text(inner)) => return Form::Text(inner),
            other => other,
        },
        [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'?' | b'!', ..] => match elements(trimmed) {
            None => return Form::Text(plain(trimmed).into()),
            value => value,
        },
        _ => None,
    };
    value.map_or_else(|| Form::Text(text.into()), Form::Value)
}

type Members<'t> = Vec<(Cow<'t, str>, Value<'t>)>;

/// The elements of XML as names with values, as their attributes are. None where text stands among them, as it does in a page.
fn elements(text: &str) -> Option<Value<'_>> {
    // Each with how many of its members are attributes.
    let mut open: Vec<(&str, Members<'_>, usize)> = vec![("", Vec::new(), 0)];
    let mut at = 0;
    for tag in tags(text, 0..text.len()) {
        let before = text[at..tag.range.start].trim();
        at = tag.range.end;
        let (_, members, _) = open.last_mut()?;
        if !before.is_empty() {
            members.push(("".into(), Value::Text(unescaped(before.trim_end_matches("]]>")))));
        }
        if tag.opens {
            let attributes = attributes(&text[tag.range.clone()]);
            let count = attributes.len();
            open.push((tag.name, attributes, count));
        }
        if tag.closes {
            let (name, mut members, attributes) = open.pop().filter(|(name, ..)| *name == tag.name)?;
            let texts = members.iter().filter(|(name, _)| name.is_empty()).count();
            if texts > 1 || texts == 1 && members.len() > attributes + 1 {
                return None;
            }
            let value = match members.as_slice() {
                [] => Value::Null,
                [(name, _)] if name.is_empty() => members.pop()?.1,
                _ => grouped(members),
            };
            // A name without the space that it belongs to.
            let name = name.rsplit_once(':').map_or(name, |(_, own)| own);
            open.last_mut()?.1.push((name.into(), value));
        }
        if open.len() > LEVELS {
            return None;
        }
    }
    let (_, members, _) = open.pop().filter(|(_, members, _)| open.is_empty() && !members.is_empty())?;
    Some(grouped(members))
}

/// Names with values, each name once: what has the same name is a list.
fn grouped<'t>(members: Members<'t>) -> Value<'t> {
    let mut groups: Vec<(Cow<'t, str>, Vec<Value<'t>>)> = Vec::new();
    for (name, value) in members {
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, values)) => values.push(value),
            None => groups.push((name, vec![value])),
        }
    }
    let single = |mut values: Vec<Value<'t>>| if values.len() == 1 { values.pop() } else { Some(Value::List(values)) };
    Value::Map(groups.into_iter().filter_map(|(name, values)| Some((name, single(values)?))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_any_syntax_are_names_with_values() {
        for (text, value) in [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            (
                r#"<?xml version="1.0"?><s:Envelope xmlns:s="urn:x"><s:Body><n:Book><n:Result>REJECTED</n:Result><n:Why>full &amp; closed</n:Why><n:Pos/><n:Row k="1" xmlns:z="q"/><n:Row k="2"/></n:Book></s:Body></s:Envelope>"#,
                r#"{"Envelope":{"Body":{"Book":{"Result":"REJECTED","Why":"full & closed","Pos":null,"Row":[{"k":"1"},{"k":"2"}]}}}}"#,
            ),
            (
                r#"<suite name="es.Cart"><case name="adds"/><case name="pays"><failure type="E">1 and not 2</failure></case></suite>"#,
                r#"{"suite":{"name":"es.Cart","case":[{"name":"adds"},{"name":"pays","failure":{"type":"E","":"1 and not 2"}}]}}"#,
            ),
            (
                "result=declined&ts=2026-04-14T10%3A00%3A00Z&note=no+room&ref=",
                r#"{"result":"declined","ts":"2026-04-14T10:00:00Z","note":"no room","ref":""}"#,
            ),
            (
                "Booking\nStatus: WAITLIST\n- **Ref:** SV-7712\nTotal = 412.00",
                r#"{"":"Booking","Status":"WAITLIST","Ref":"SV-7712","Total":"412.00"}"#,
            ),
        ] {
            let Form::Value(read) = read(text, 0) else { panic!("{text} is a text") };
            let mut written = String::new();
            read.write(&mut written);
            assert_eq!(written, value, "{text}");
        }
    }

    #[test]
    fn sentences_in_markup_lose_their_tags_and_other_texts_stay() {
        for (text, plain) in [
            (r#"<p>Grown <xref ref-type="bibr" rid="b56">12</xref> days.</p>"#, "Grown 12 days."),
            (
                "<!doctype html><html><head><style>a{b}</style></head><body><h1>Cart</h1><p>It is <b>empty</b>.</p></body></html>",
                "Cart\nIt is empty.",
            ),
            ("<p><b>Not</b> <i>paid</i> yet.</p>", "Not paid yet."),
            ("<r>It is <![CDATA[1 < 2 &amp;]]> now.<br/></r>", "It is 1 < 2 &amp; now."),
            ("- main:\n  - text: a\n  - text: b", "- main:\n  - text: a\n  - text: b"),
            (
                "Time: 12:30 was the last.\nNothing else came.\nNobody knew why.\nIt rained.",
                "Time: 12:30 was the last.\nNothing else came.\nNobody knew why.\nIt rained.",
            ),
            ("line 1: a\nline 2: b\nline 3: c", "line 1: a\nline 2: b\nline 3: c"),
            ("a < b & c = d", "a < b & c = d"),
            ("https://a.test/?a=b&c=d", "https://a.test/?a=b&c=d"),
            ("< no tag", "< no tag"),
            ("\"a text\"", "a text"),
        ] {
            match read(text, 0) {
                Form::Text(read) => assert_eq!(read, plain),
                Form::Value(value) => panic!("{value:?}"),
            }
        }
    }

    #[test]
    fn what_is_broken_or_deep_is_read_without_end() {
        for text in ["<a>".repeat(50_000), "<".repeat(50_000), "<a b=\"".to_owned(), "a=%&b=%f".to_owned()] {
            read(&text, 0);
        }
    }
}
