//! What a call is about, in a few words of its input, when nothing better is known of it.
//! Without secrets that only the names of their fields tell.

use crate::clip::{clip, one_line};
use crate::json::{Value, is_secret_member, told};

/// Longest text of one field, in characters.
const FIELD_CHARS: usize = 80;
/// Longest text of all fields, in bytes.
const ALL_BYTES: usize = 200;
/// Fields whose names say no more than their values.
const PLAIN: [&str; 14] = [
    "description",
    "query",
    "title",
    "name",
    "subject",
    "question",
    "action",
    "prompt",
    "text",
    "message",
    "expression",
    "thought",
    "path",
    "id",
];
/// Fields that shape the answer and do not say what it is about.
const SHAPING: [&str; 10] =
    ["limit", "max_tokens", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "cursor", "page_size", "offset", "verbose"];

/// The inputs that say what a call is about.
pub fn about(input: &Value) -> String {
    let Value::Map(members) = input else {
        return clip(&one_line(&clip(&input.joined_leaves(" "), 4 * ALL_BYTES)), ALL_BYTES);
    };
    let mut line = String::new();
    let known = |(name, _): &&(std::borrow::Cow<str>, Value)| PLAIN.contains(&name.as_ref());
    for member in members.iter().filter(known).chain(members.iter().filter(|member| !known(member))) {
        let (name, value) = member;
        if line.len() > ALL_BYTES {
            break;
        }
        if SHAPING.contains(&name.as_ref()) || is_secret_member(members, name, value.scalar_text()) {
            continue;
        }
        let text = match value {
            Value::Map(inner) => told(inner).map(Value::scalar_text).filter(|text| !text.is_empty()).take(6).collect::<Vec<_>>().join(" "),
            Value::List(items) => {
                items.iter().take(6).map(|item| clip(&item.joined_leaves(" "), FIELD_CHARS)).collect::<Vec<_>>().join(", ")
            }
            scalar => scalar.scalar_text().to_owned(),
        };
        let text = clip(&one_line(&clip(&text, 4 * FIELD_CHARS)), FIELD_CHARS);
        if text.is_empty() {
            continue;
        }
        let label =
            if PLAIN.contains(&name.as_ref()) || members.len() == 1 { String::new() } else { format!("{} ", clip(name, FIELD_CHARS)) };
        line.push_str(if line.is_empty() { "" } else { ", " });
        line.push_str(&label);
        line.push_str(&text);
    }
    clip(&line, ALL_BYTES)
}
