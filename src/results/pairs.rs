//! Answers that are names with values, in whatever syntax they are written: JSON, XML, forms, lines of `name: value`. All become one kind of value, so that whoever reads an answer need not know its syntax. Knows no name of any.
//! What is no such answer stays a text; of markup around sentences (HTML, JATS) the text is what stands between its tags.

mod lines;
mod markup;

use std::borrow::Cow;

use crate::text::clip::columns;
use crate::text::json::Value;

/// Larger texts are not looked into.
const READ_BYTES: usize = 256 * 1024;

/// An answer.
pub enum Form<'t> {
    /// Names with values.
    Value(Value<'t>),
    /// Anything else.
    Text(Cow<'t, str>),
}

/// Reads an answer. Lines of `name: value` within so many columns stay as they are.
pub fn read(text: &str, short_columns: usize) -> Form<'_> {
    let trimmed = text.trim();
    if trimmed.len() > READ_BYTES {
        return Form::Text(text.into());
    }
    let value = match trimmed.as_bytes() {
        [b'{' | b'[', ..] => Value::parse(trimmed),
        [b'"', ..] => match Value::parse(trimmed) {
            Some(Value::Text(inner)) => return Form::Text(inner),
            other => other,
        },
        [b'<', ..] => match markup::read(trimmed) {
            Some(form) => return form,
            None => None,
        },
        _ => {
            let is_short = trimmed.len() <= 4 * short_columns && columns(trimmed) <= short_columns;
            let pairs = || if is_short { None } else { lines::pairs(trimmed) };
            lines::form(trimmed).or_else(pairs)
        }
    };
    value.map_or_else(|| Form::Text(text.into()), Form::Value)
}

/// Names with values, each name once: what has the same name is a list.
fn grouped<'t>(members: Vec<(Cow<'t, str>, Value<'t>)>) -> Value<'t> {
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
