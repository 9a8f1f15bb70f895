//! Answers that are JSON, and others as a text: of XML `name: value` for each element, of a page what stands between its tags.

use std::borrow::Cow;

use crate::text::json::Value;
use crate::text::markup::{is_page, without_tags};

/// Larger texts are not looked into.
const READ_BYTES: usize = 256 * 1024;

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
        [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'?' | b'!', ..] => return Form::Text(without_tags(trimmed, !is_page(trimmed)).into()),
        _ => None,
    };
    value.map_or_else(|| Form::Text(text.into()), Form::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_is_names_with_values_a_page_is_its_texts_and_other_texts_stay() {
        for (text, plain) in [
            (r#"<p>Grown <xref ref-type="bibr" rid="b56">12</xref> days.</p>"#, "Grown 12 days."),
            (
                r#"<?xml version="1.0"?><s:Envelope xmlns:s="urn:x"><s:Body><n:Book><n:Result>REJECTED</n:Result><n:Why>full &amp; closed</n:Why><n:Row k="1" xmlns:z="q"/></n:Book></s:Body></s:Envelope>"#,
                "s:Envelope: s:Body: n:Book: n:Result: REJECTED, n:Why: full & closed, n:Row k=\"1\"",
            ),
            (
                r#"<suite name="es.Cart"><case name="adds"/><case name="pays"><failure type="E">1 and not 2</failure></case></suite>"#,
                r#"suite name="es.Cart": case name="adds", case name="pays": failure type="E": 1 and not 2"#,
            ),
            (
                "<!doctype html><html><head><style>a{b}</style></head><body><h1>Cart</h1><p>It is <b>empty</b>.</p></body></html>",
                "Cart | It is empty.",
            ),
            ("<p><b>Not</b> <i>paid</i> yet.</p>", "Not | paid yet."),
            ("<r>It is <![CDATA[1 < 2 &amp;]]> now.<br/></r>", "r: It is 1 < 2 & now."),
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
            match read(text) {
                Form::Text(read) => assert_eq!(read, plain),
                Form::Value(value) => panic!("{value:?}"),
            }
        }
    }

    #[test]
    fn what_is_broken_or_deep_is_read_without_end() {
        for text in ["<a>".repeat(50_000), "<".repeat(50_000), "<a b=\"".to_owned()] {
            read(&text);
        }
    }
}
