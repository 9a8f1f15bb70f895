//! A JSON value as the engine reads it: keys sorted, numbers as text. Parsing is done by `nojson`; this is only its tree.
//! Not for calculating: JavaScript writes a number in one way, so its text is enough to compare and to show.

use nojson::{JsonValueKind, RawJson, RawJsonValue};

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object, sorted by key: stores reorder keys, and nothing may depend on their order.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The value of a JSON text; `None` when it is none, or nested more than 128 levels deep.
    pub fn parse(text: &str) -> Option<Value> {
        RawJson::parse(text).ok().map(|json| read(json.value()))
    }

    /// The member of an object.
    pub fn get(&self, key: &str) -> Option<&Value> {
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
    pub fn scalar_text(&self) -> String {
        match self {
            Value::Text(text) | Value::Number(text) => text.clone(),
            Value::Bool(flag) => flag.to_string(),
            Value::Null | Value::List(_) | Value::Map(_) => String::new(),
        }
    }

    /// The values inside an array or object, in order.
    pub fn children(&self) -> Vec<&Value> {
        match self {
            Value::List(items) => items.iter().collect(),
            Value::Map(members) => members.iter().map(|(_, value)| value).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => Vec::new(),
        }
    }

    /// All strings, numbers and booleans, in order.
    pub fn leaves(&self) -> Vec<String> {
        let children = self.children();
        match self {
            Value::Null => Vec::new(),
            _ if children.is_empty() => vec![self.scalar_text()],
            _ => children.into_iter().flat_map(Value::leaves).collect(),
        }
    }

    /// Writes the value as JSON text.
    pub fn write(&self, text: &mut String) {
        match self {
            Value::Null => text.push_str("null"),
            Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
            Value::Number(number) => text.push_str(number),
            Value::Text(inner) => write_text(inner, text),
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
                    write_text(key, text);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}

fn read(raw: RawJsonValue<'_, '_>) -> Value {
    let text = |raw: RawJsonValue<'_, '_>| raw.to_unquoted_string_str().map(|text| text.into_owned()).unwrap_or_default();
    match raw.kind() {
        JsonValueKind::Null => Value::Null,
        JsonValueKind::Boolean => Value::Bool(raw.as_raw_str() == "true"),
        JsonValueKind::Integer | JsonValueKind::Float => Value::Number(raw.as_raw_str().to_owned()),
        JsonValueKind::String => Value::Text(text(raw)),
        JsonValueKind::Array => Value::List(raw.to_array().map(|items| items.map(read).collect()).unwrap_or_default()),
        JsonValueKind::Object => {
            let mut members: Vec<(String, Value)> =
                raw.to_object().map(|members| members.map(|(key, value)| (text(key), read(value))).collect()).unwrap_or_default();
            sort_by_key(&mut members);
            Value::Map(members)
        }
    }
}

/// Sorts members by key, in O(n^1.5) at worst (shell sort with Knuth's gaps). The sort of `std` is 3 KB of the download.
fn sort_by_key(members: &mut [(String, Value)]) {
    let mut gap = 1;
    while gap < members.len() / 3 {
        gap = gap * 3 + 1;
    }
    while gap > 0 {
        for end in gap..members.len() {
            let mut at = end;
            while at >= gap && members[at].0 < members[at - gap].0 {
                members.swap(at, at - gap);
                at -= gap;
            }
        }
        gap /= 3;
    }
}

fn write_text(inner: &str, text: &mut String) {
    text.push('"');
    for character in inner.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            control if (control as u32) < 0x20 => text.push_str(&format!("\\u{:04x}", control as u32)),
            other => text.push(other),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ];
        for (given, written) in rows {
            let mut text = String::new();
            Value::parse(given).unwrap().write(&mut text);
            assert_eq!(text, written);
        }
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
        for text in
            ["", "{", "[1,2", "{\"a\":1} trailing", "\u{0}", &"[".repeat(100_000), &format!("{}{}", "[".repeat(500), "]".repeat(500))]
        {
            assert_eq!(Value::parse(text), None);
        }
    }
}
