//! A chunk as it is written: JSON without its quotes, texts without their escapes, and nothing that is a secret where it stands.
//! Not which chunks are chosen (`choose`).

use std::ops::Range;

use crate::clip::first_chars;
use crate::json::Value;
use crate::redact::clean;

/// A chunk as it is written: JSON without its quotes, a text without its escapes, anything else as it stands.
pub fn written(slice: &str) -> String {
    let slice = slice.trim().trim_end_matches(',');
    let is_json = slice.starts_with(['"', '{', '[']);
    if !is_json {
        let is_escaped = slice.as_bytes().windows(2).any(|pair| matches!(pair, b"\\n" | b"\\\""));
        let quoted = if is_escaped { format!("\"{slice}\"") } else { String::new() };
        let plain = Value::parse(&quoted);
        return plain.as_ref().and_then(Value::as_str).map_or_else(|| slice.to_owned(), |plain| plain.trim().to_owned());
    }
    let wrapped = format!("{{{}}}", slice.trim_end_matches(':'));
    let value = Value::parse(slice).or_else(|| Value::parse(&wrapped));
    value.map_or_else(|| slice.to_owned(), |value| plain(&value, 0))
}

/// Excerpts of a text without its secrets, also those that only what stands before them reveals, such as a key on one line
/// and its value on the next.
pub struct SafeText<'t> {
    text: &'t str,
    /// The whole text without its secrets, where it has any.
    cleaned: Option<String>,
}

impl<'t> SafeText<'t> {
    /// The parts of this text.
    pub fn new(text: &'t str) -> SafeText<'t> {
        let cleaned = clean(text);
        SafeText { text, cleaned: (cleaned != text).then_some(cleaned) }
    }

    /// A part, written within this many characters. Empty where it is a secret, and nothing in it says so.
    pub fn excerpt(&self, range: Range<usize>, chars: usize) -> String {
        let Some(part) = self.text.get(range) else { return String::new() };
        // As it stands first: without its quotes, fewer forms of a secret can be recognized.
        let own = clean(part);
        let plain = written(&own);
        let first = first_chars(&plain, chars);
        let excerpt = if first == part { own.clone() } else { clean(first) };
        let stands = |cleaned: &String| cleaned.contains(part) || own != part;
        if self.cleaned.as_ref().is_none_or(stands) { excerpt.trim().to_owned() } else { String::new() }
    }
}

/// A value in words: `name: value, name: value`. What says nothing is left out.
fn plain(value: &Value<'_>, level: usize) -> String {
    match value {
        Value::Map(members) => {
            let members = members.iter().filter_map(|(name, value)| {
                let text = plain(value, level + 1);
                (!text.is_empty()).then(|| format!("{name}: {text}"))
            });
            let all = members.collect::<Vec<_>>().join(", ");
            if level > 0 && !all.is_empty() { format!("({all})") } else { all }
        }
        Value::List(items) => {
            let is_one = items.len() == 1;
            let items = items.iter().map(|item| plain(item, if is_one { level } else { level + 1 })).filter(|text| !text.is_empty());
            let all = items.collect::<Vec<_>>().join(", ");
            if level > 0 && !is_one && !all.is_empty() { format!("[{all}]") } else { all }
        }
        Value::Null => String::new(),
        scalar => scalar.scalar_text().trim().to_owned(),
    }
}
