//! A JSON value as the engine reads it: keys sorted, numbers as text, strings borrowed from the text where they can be.
//! Read by the lexer of `hifijson`, which keeps numbers as text; strings are written by `serde_json`.
//! Not for calculating: JavaScript writes a number in one way, so its text is enough to compare and to show.

use std::borrow::Cow;
use std::str::Utf8Error;

use hifijson::escape::{self, Lex as _};
use hifijson::num::{self, LexWrite as _};
use hifijson::str::{self, LexWrite as _};
use hifijson::token::Lex;
use hifijson::{Expect, Read as _, SliceLexer};

use crate::order::sort_by_names;
use crate::redact::is_secret;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Value<'a>>),
    /// An object, sorted by key: stores reorder keys, and nothing may depend on their order.
    Map(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// Deepest nesting that is read.
const LEVELS: usize = 128;

impl<'a> Value<'a> {
    /// The value of a JSON text; `None` when it is none, or nested more than 128 levels deep.
    pub fn parse(text: &'a str) -> Option<Value<'a>> {
        SliceLexer::new(text.as_bytes()).exactly_one(Lex::ws_peek, |next, lexer| read_value(lexer, next, LEVELS)).ok()
    }

    /// An object with these members.
    pub fn object(mut members: Vec<(Cow<'a, str>, Value<'a>)>) -> Value<'a> {
        sort_by_names(&mut members);
        Value::Map(members)
    }

    /// The member of an object.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        match self {
            Value::Map(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A string, number or boolean as text; empty for anything else.
    pub fn scalar_text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            Value::Number(text) => text,
            Value::Bool(flag) => {
                if *flag {
                    "true"
                } else {
                    "false"
                }
            }
            Value::Null | Value::List(_) | Value::Map(_) => "",
        }
    }

    /// The values inside an array or object, in order.
    pub fn children(&self) -> Vec<&Value<'a>> {
        match self {
            Value::List(items) => items.iter().collect(),
            Value::Map(members) => members.iter().map(|(_, value)| value).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => Vec::new(),
        }
    }

    /// All strings, numbers and booleans, in order; without secrets that only their names reveal.
    fn add_leaves(&self, separator: &str, joined: &mut String, is_first: &mut bool) {
        match self {
            Value::Null => {}
            Value::List(items) => items.iter().for_each(|item| item.add_leaves(separator, joined, is_first)),
            Value::Map(members) => public_values(members).for_each(|value| value.add_leaves(separator, joined, is_first)),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
                joined.push_str(if *is_first { "" } else { separator });
                joined.push_str(self.scalar_text());
                *is_first = false;
            }
        }
    }

    /// All strings, numbers and booleans, joined.
    pub fn joined_leaves(&self, separator: &str) -> String {
        let mut joined = String::new();
        self.add_leaves(separator, &mut joined, &mut true);
        joined
    }

    /// Writes the value as JSON text.
    pub fn write(&self, text: &mut String) {
        match self {
            Value::Null => text.push_str("null"),
            Value::Bool(_) => text.push_str(self.scalar_text()),
            Value::Number(number) => text.push_str(number),
            Value::Text(inner) => write_string(inner, text),
            Value::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    item.write(text);
                }
                text.push(']');
            }
            Value::Map(members) => {
                text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    write_string(key, text);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}

/// The text is no JSON, or nested too deeply. Nobody asks why.
struct NoJson;

/// What the lexer returns instead.
macro_rules! no_json {
    ($($error:ty),*) => { $(impl From<$error> for NoJson { fn from(_: $error) -> NoJson { NoJson } })* };
}
no_json!(Expect, str::Error, num::Error, Utf8Error);

/// Reads the value that starts with `next`, which the lexer has not taken yet.
fn read_value<'a>(lexer: &mut SliceLexer<'a>, next: u8, levels: usize) -> Result<Value<'a>, NoJson> {
    match next {
        b'"' => read_string(lexer.discarded()).map(Value::Text),
        b'a'..=b'z' => Ok(lexer.null_or_bool().ok_or(NoJson)?.map_or(Value::Null, Value::Bool)),
        b'[' | b'{' if levels == 0 => Err(NoJson),
        b'[' => {
            let mut items = Vec::new();
            lexer.discarded().seq(b']', Lex::ws_peek, |next, lexer| {
                items.push(read_value(lexer, next, levels - 1)?);
                Ok::<_, NoJson>(())
            })?;
            Ok(Value::List(items))
        }
        b'{' => {
            let mut members = Vec::new();
            lexer.discarded().seq(b'}', Lex::ws_peek, |_, lexer| {
                members.push(read_member(lexer, levels - 1)?);
                Ok::<_, NoJson>(())
            })?;
            Ok(Value::object(members))
        }
        _ => Ok(Value::Number(std::str::from_utf8(lexer.num_bytes().validated()?.0)?)),
    }
}

fn read_member<'a>(lexer: &mut SliceLexer<'a>, levels: usize) -> Result<(Cow<'a, str>, Value<'a>), NoJson> {
    lexer.expect(Lex::ws_peek, b'"').ok_or(NoJson)?;
    let key = read_string(lexer)?;
    lexer.expect(Lex::ws_peek, b':').ok_or(NoJson)?;
    let next = lexer.ws_peek().ok_or(NoJson)?;
    Ok((key, read_value(lexer, next, levels)?))
}

/// Reads a string behind its opening quote. Borrows it unless something in it is escaped.
fn read_string<'a>(lexer: &mut SliceLexer<'a>) -> Result<Cow<'a, str>, NoJson> {
    let add = |bytes: &mut &'a [u8], text: &mut Cow<'a, str>| {
        *text += std::str::from_utf8(bytes)?;
        Ok(())
    };
    lexer.str_fold(Cow::Borrowed(""), add, |lexer, text| {
        text.to_mut().push(read_escaped(lexer).ok_or(NoJson)?);
        Ok(())
    })
}

/// Reads what stands behind a backslash. Half of a surrogate pair, which JavaScript allows, becomes U+FFFD.
fn read_escaped(lexer: &mut SliceLexer<'_>) -> Option<char> {
    let kind = lexer.take_next()?;
    let digits = lexer.as_slice();
    match lexer.escape(kind) {
        Err(escape::Error::InvalidChar(_)) => Some(char::REPLACEMENT_CHARACTER),
        Err(escape::Error::ExpectedLowSurrogate) => {
            // The lexer may have taken another escape in search of the second half.
            *lexer = SliceLexer::new(digits.get(4..)?);
            Some(char::REPLACEMENT_CHARACTER)
        }
        escaped => escaped.ok(),
    }
}

/// The values of an object without secrets that only their names reveal.
pub fn public_values<'v, 'a>(members: &'v [(Cow<'a, str>, Value<'a>)]) -> impl Iterator<Item = &'v Value<'a>> {
    members.iter().filter(|(name, value)| !is_secret_member(members, name, value.scalar_text())).map(|(_, value)| value)
}

/// Whether a member of an object is a secret that only a name reveals: its own, or the one beside it (`{ name: "…", value: "…" }`).
pub fn is_secret_member(members: &[(Cow<'_, str>, Value<'_>)], name: &str, text: &str) -> bool {
    let is_beside = |(key, of): &(Cow<'_, str>, Value<'_>)| {
        ["name", "key"].iter().any(|word| key.eq_ignore_ascii_case(word)) && is_secret(of.scalar_text(), text)
    };
    is_secret(name, text) || name.eq_ignore_ascii_case("value") && members.iter().any(is_beside)
}

/// Writes a text as a JSON string.
pub fn write_string(string: &str, text: &mut String) {
    // Fails where a writer fails; memory does not.
    text.push_str(&serde_json::to_string(string).unwrap_or_default());
}

/// JSON above this size is not looked into for such an envelope.
const MOST_WRAPPED_BYTES: usize = 256 * 1024;

/// Members of that envelope: what has others is an answer of its own.
const ENVELOPE: [&str; 4] = ["content", "structuredContent", "isError", "_meta"];

/// The text of a result out of the envelope that MCP puts around it.
pub fn unwrapped(text: &str) -> Cow<'_, str> {
    if text.len() > MOST_WRAPPED_BYTES || !text.starts_with('{') || !text.contains(r#""content""#) {
        return text.into();
    }
    Value::parse(text).and_then(|value| value.enveloped()).map_or_else(|| text.into(), Cow::Owned)
}

impl Value<'_> {
    /// What stands in the envelope that MCP puts around a result, if this is one. What it says as text and as JSON stands once.
    pub fn enveloped(&self) -> Option<String> {
        let (Value::Map(members), Value::List(items)) = (self, self.get("content")?) else { return None };
        let texts: Vec<&str> = items.iter().filter_map(|item| item.get("text")?.as_str()).collect();
        if texts.is_empty() || texts.len() < items.len() || !members.iter().all(|(name, _)| ENVELOPE.contains(&name.as_ref())) {
            return None;
        }
        let Some(structured @ Value::Map(_)) = self.get("structuredContent") else { return Some(texts.join("\n")) };
        let says = |said: &Value<'_>| {
            structured == said || structured.children().into_iter().any(|inner| inner == said || inner.children().contains(&said))
        };
        let mut text = String::new();
        for own in texts.iter().filter(|text| !says(&Value::Text((**text).into())) && !Value::parse(text).is_some_and(|said| says(&said))) {
            text.push_str(own);
            text.push('\n');
        }
        structured.write(&mut text);
        Some(text)
    }
}

/// The small letters of a name, however its words are joined: those of `order_id` are those of `orderId`.
pub fn letters_of_name(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).flat_map(char::to_lowercase)
}

/// Whether a member only wraps what a result is, and says nothing beside it.
pub fn wraps(name: &str) -> bool {
    ["data", "result", "results", "response", "body", "payload"].iter().any(|wrapper| name.eq_ignore_ascii_case(wrapper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_mcp_wraps_is_unwrapped() {
        assert_eq!(unwrapped(r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#), "a\nb");
        assert_eq!(unwrapped("plain"), "plain");
        let both = |text: &str, structured: &str| {
            unwrapped(&format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"structuredContent":{structured},"isError":false}}"#))
                .into_owned()
        };
        assert_eq!(both(r#"{\n \"b\": 1, \"a\": \"x\"}"#, r#"{"a":"x","b":1}"#), r#"{"a":"x","b":1}"#);
        assert_eq!(both("Paid on Monday.", r#"{"result":"Paid on Monday."}"#), r#"{"result":"Paid on Monday."}"#);
        assert_eq!(both("It comes on Monday.", r#"{"id":"re_1"}"#), "It comes on Monday.\n{\"id\":\"re_1\"}");
        // A letter that was sent has a content, too.
        let letter = r#"{"id":"msg_7","content":[{"type":"text","text":"Dear all"}],"status":"queued"}"#;
        assert_eq!(unwrapped(letter), letter);
    }

    #[test]
    fn a_value_comes_back_from_its_text_with_sorted_keys() {
        let rows = [
            (
                r#"{"b":[1,-2.5e3,null],"a":{"x":"q\"\\\n\u0001é😀"},"c":true}"#,
                r#"{"a":{"x":"q\"\\\n\u0001é😀"},"b":[1,-2.5e3,null],"c":true}"#,
            ),
            ("[]", "[]"),
            ("{}", "{}"),
            (r#""\ud83d\ude00""#, "\"😀\""),
            (r#""\ud83dx \ud83d\u0041 \ude00""#, "\"\u{fffd}x \u{fffd}A \u{fffd}\""),
            (" [ 1 , 0.5E-7 ] ", "[1,0.5E-7]"),
            (r#""\b\f\/""#, r#""\b\f/""#),
        ];
        for (given, written) in rows {
            let mut text = String::new();
            Value::parse(given).unwrap().write(&mut text);
            assert_eq!(text, written);
        }
    }

    #[test]
    fn numbers_stay_as_they_were_written() {
        for number in ["1", "1.0", "-0", "1e21", "1e+21", "5e-324", "123456789012345678901234567890", "1e999"] {
            assert_eq!(Value::parse(number), Some(Value::Number(number)));
        }
    }

    #[test]
    fn strings_are_borrowed_unless_something_in_them_is_escaped() {
        let Some(Value::List(items)) = Value::parse(r#"["plain é","a\nb",""]"#) else { panic!("it is an array") };
        let borrowed = items.iter().map(|item| matches!(item, Value::Text(Cow::Borrowed(_)))).collect::<Vec<_>>();
        assert_eq!(borrowed, [true, false, true]);
        assert_eq!(items[1].as_str(), Some("a\nb"));
    }

    #[test]
    fn what_is_nested_too_deeply_is_no_json() {
        let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Value::parse(&nested(LEVELS)).is_some());
        assert_eq!(Value::parse(&nested(LEVELS + 1)), None);
        assert_eq!(Value::parse(&"{\"a\":".repeat(100_000)), None);
    }

    #[test]
    fn keys_of_a_large_object_are_sorted() {
        let keys: Vec<String> = (0..5_000u32).map(|n| format!("k{}", n.wrapping_mul(2_654_435_761) % 9_973)).collect();
        let text = format!("{{{}}}", keys.iter().map(|key| format!("\"{key}\":0")).collect::<Vec<_>>().join(","));
        let Some(Value::Map(members)) = Value::parse(&text) else { panic!("it is an object") };
        assert!(members.is_sorted_by(|a, b| a.0 <= b.0));
        assert_eq!(members.len(), keys.len());
    }

    #[test]
    fn text_that_is_no_json_is_none() {
        for text in [
            "",
            "{",
            "[1,2",
            "{\"a\":1} trailing",
            "\u{0}",
            "tru",
            "-",
            "1.",
            "01",
            "+1",
            ".5",
            "[1 2]",
            "{\"a\" 1}",
            "{a:1}",
            "\"\\ud800\\uzzzz\"",
            "1e",
            "[1,]",
            "{\"a\"}",
            "\"\\u12",
            "\"\\x\"",
            "\"a\nb\"",
            "\"\\u+123\"",
            &"[".repeat(100_000),
            &format!("{}{}", "[".repeat(500), "]".repeat(500)),
        ] {
            assert_eq!(Value::parse(text), None);
        }
    }
}
