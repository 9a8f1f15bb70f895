//! A JSON value as the engine reads it: keys sorted, numbers as text, strings borrowed from the text where they can be.
//! Not for calculating: JavaScript writes a number in one way, so its text is enough to compare and to show.
//! Not a library: reading JSON is a third of measuring a message, and nothing that reads into a general tree is as quick or as small.

use std::borrow::Cow;

use crate::text::redact::is_secret;

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
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(LEVELS)?;
        reader.skip_space();
        (reader.at == text.len()).then_some(value)
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

    /// All strings, numbers and booleans, in order; without secrets that only their names tell.
    fn add_leaves(&self, separator: &str, joined: &mut String, is_first: &mut bool) {
        match self {
            Value::Null => {}
            Value::List(items) => items.iter().for_each(|item| item.add_leaves(separator, joined, is_first)),
            Value::Map(members) => told(members).for_each(|value| value.add_leaves(separator, joined, is_first)),
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

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, levels: usize) -> Option<Value<'a>> {
        self.skip_space();
        match self.peek()? {
            b'"' => self.string().map(Value::Text),
            b'{' if levels > 0 => self.map(levels - 1),
            b'[' if levels > 0 => self.list(levels - 1),
            b't' => self.word("true").map(|()| Value::Bool(true)),
            b'f' => self.word("false").map(|()| Value::Bool(false)),
            b'n' => self.word("null").map(|()| Value::Null),
            _ => self.number(),
        }
    }

    fn list(&mut self, levels: usize) -> Option<Value<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        if self.closes(b']') {
            return Some(Value::List(items));
        }
        loop {
            items.push(self.value(levels)?);
            if self.closes(b']') {
                return Some(Value::List(items));
            }
            self.expect(b',')?;
        }
    }

    fn map(&mut self, levels: usize) -> Option<Value<'a>> {
        self.at += 1;
        let mut members = Vec::new();
        if self.closes(b'}') {
            return Some(Value::Map(members));
        }
        loop {
            self.skip_space();
            let key = self.string()?;
            self.skip_space();
            self.expect(b':')?;
            members.push((key, self.value(levels)?));
            if self.closes(b'}') {
                sort_by_key(&mut members);
                return Some(Value::Map(members));
            }
            self.expect(b',')?;
        }
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        self.expect(b'"')?;
        let mut plain = self.plain_characters();
        if self.peek()? == b'"' {
            self.at += 1;
            return Some(Cow::Borrowed(plain));
        }
        let mut text = String::new();
        loop {
            text.push_str(plain);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(Cow::Owned(text));
                }
                b'\\' => {
                    self.at += 1;
                    text.push(self.escaped()?);
                }
                // A control character stands in no JSON string.
                _ => return None,
            }
            plain = self.plain_characters();
        }
    }

    /// Characters that stand for themselves.
    #[inline(always)]
    fn plain_characters(&mut self) -> &'a str {
        let start = self.at;
        self.at += plain_length(self.text.as_bytes().get(start..).unwrap_or_default());
        &self.text[start..self.at]
    }

    fn escaped(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => char::from(byte),
            b'u' => {
                let unit = self.four_digits()?;
                let low = if (0xd800..0xdc00).contains(&unit) && self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) {
                    let before = self.at;
                    self.at += 2;
                    let low = self.four_digits()?;
                    if !(0xdc00..0xe000).contains(&low) {
                        self.at = before;
                    }
                    low
                } else {
                    0
                };
                let code = if (0xdc00..0xe000).contains(&low) { 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00) } else { unit };
                // Half a surrogate pair is no character.
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return None,
        })
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| !digits.starts_with('+'))?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn number(&mut self) -> Option<Value<'a>> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        self.digits()?;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Some(Value::Number(&self.text[start..self.at]))
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        self.at += word.len();
        found.then_some(())
    }

    #[inline(always)]
    fn closes(&mut self, byte: u8) -> bool {
        self.skip_space();
        let closes = self.peek() == Some(byte);
        self.at += usize::from(closes);
        closes
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8) -> Option<()> {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found.then_some(())
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        // Without a look at each kind: what JavaScript writes has no space in it.
        while self.peek().is_some_and(|byte| byte <= b' ') && matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

/// Sorts members by key, in O(n^1.5) at worst (shell sort with Knuth's gaps). The sort of `std` is 3 KB of the download.
fn sort_by_key(members: &mut [(Cow<'_, str>, Value<'_>)]) {
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

/// How many bytes at the start stand for themselves in a JSON string. Looks at eight at once, because texts are long.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let mut at = 0;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let eight = u64::from_le_bytes(*eight);
        let (quote, slash) = (eight ^ (ONES * u64::from(b'"')), eight ^ (ONES * u64::from(b'\\')));
        // The high bit of each byte that is zero or, in the last term, below 0x20. Right up to the first such byte, and no more is asked.
        let special =
            ((quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash) | (eight.wrapping_sub(ONES * 0x20) & !eight))
                & (ONES * 0x80);
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at + bytes.iter().skip(at).take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count()
}

/// The values of an object without secrets that only their names tell.
pub fn told<'v, 'a>(members: &'v [(Cow<'a, str>, Value<'a>)]) -> impl Iterator<Item = &'v Value<'a>> {
    members.iter().filter(|(name, value)| !is_secret(name, value.scalar_text())).map(|(_, value)| value)
}

fn write_text(inner: &str, text: &mut String) {
    text.push('"');
    let mut rest = inner;
    loop {
        let length = plain_length(rest.as_bytes());
        text.push_str(&rest[..length]);
        match rest.as_bytes().get(length) {
            None => break,
            Some(b'"') => text.push_str("\\\""),
            Some(b'\\') => text.push_str("\\\\"),
            Some(b'\n') => text.push_str("\\n"),
            Some(b'\r') => text.push_str("\\r"),
            Some(b'\t') => text.push_str("\\t"),
            Some(control) => text.push_str(&format!("\\u{control:04x}")),
        }
        rest = &rest[length + 1..];
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
            (r#""\ud83dx \ud83d\u0041 \ude00""#, "\"\u{fffd}x \u{fffd}A \u{fffd}\""),
            (" [ 1 , 0.5E-7 ] ", "[1,0.5E-7]"),
            (r#""\b\f\/""#, r#""\u0008\u000c/""#),
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
        for text in [
            "",
            "{",
            "[1,2",
            "{\"a\":1} trailing",
            "\u{0}",
            "tru",
            "-",
            "1.",
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
