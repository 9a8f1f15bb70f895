//! Calls of tools in JavaScript source, as Codex writes them in its code mode: `tools.exec_command({cmd: "ls"})`.
//! Reads literals and names bound to them, and runs nothing: what is computed is not seen.

use std::borrow::Cow;

use crate::json::Value;

/// Calls that are read of one source.
const CALLS: usize = 50;
/// Deepest nesting of literals.
const LEVELS: usize = 12;

/// The tools that a source calls, with their inputs, in order.
pub fn tool_calls(source: &str) -> Vec<(&str, Value<'_>)> {
    let names = bound_names(source);
    let mut calls = Vec::new();
    for (at, _) in source.match_indices("tools.") {
        let rest = &source[at + 6..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        // A word such as `mytools.` is something else.
        let is_word = source[..at].ends_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '.');
        if length == 0 || is_word || !rest[length..].starts_with('(') || calls.len() >= CALLS {
            continue;
        }
        let mut reader = Reader { text: source, at: at + 6 + length + 1, names: &names };
        calls.push((&rest[..length], reader.value(LEVELS)));
    }
    calls
}

type Names<'a> = Vec<(&'a str, Value<'a>)>;

/// The texts that names are bound to: `const patch = "…"`.
fn bound_names(source: &str) -> Names<'_> {
    let mut names: Names = Vec::new();
    for keyword in ["const ", "let ", "var "] {
        for (at, _) in source.match_indices(keyword).take(CALLS) {
            let rest = &source[at + keyword.len()..];
            let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')).count();
            let Some(behind) = rest[length..].trim_start().strip_prefix('=') else { continue };
            let start = source.len() - behind.len();
            let is_literal = behind.trim_start().starts_with(['"', '\'', '`', '[', '{']) || behind.trim_start().starts_with("String.raw");
            if length > 0 && is_literal && names.len() < CALLS {
                let value = Reader { text: source, at: start, names: &Vec::new() }.value(LEVELS);
                names.push((&rest[..length], value));
            }
        }
    }
    names
}

struct Reader<'a, 'n> {
    text: &'a str,
    at: usize,
    names: &'n Names<'a>,
}

impl<'a> Reader<'a, '_> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            let comment = if self.rest().starts_with("//") {
                "\n"
            } else if self.rest().starts_with("/*") {
                "*/"
            } else {
                return;
            };
            self.at += self.rest().find(comment).map_or(self.rest().len(), |end| end + comment.len());
        }
    }

    fn takes(&mut self, sign: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// A literal, a name bound to one, or texts put together; what is computed is nothing.
    fn value(&mut self, levels: usize) -> Value<'a> {
        self.skip_space();
        let mut value = match self.rest().chars().next() {
            Some('{') if levels > 0 => self.map(levels - 1),
            Some('[') if levels > 0 => self.list(levels - 1),
            Some('"' | '\'' | '`') => Value::Text(self.string(false)),
            _ if self.rest().starts_with("String.raw`") => {
                self.at += 10;
                Value::Text(self.string(true))
            }
            _ => self.word(),
        };
        while let Value::Text(text) = &mut value {
            if !self.takes('+') {
                break;
            }
            self.skip_space();
            if !self.rest().starts_with(['"', '\'', '`']) {
                break;
            }
            let more = self.string(false);
            text.to_mut().push_str(&more);
        }
        self.skip_expression();
        value
    }

    fn word(&mut self) -> Value<'a> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-')).count();
        let word = &rest[..length];
        self.at += length;
        match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ if word.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-') => Value::Number(word),
            _ => self.names.iter().find(|(name, _)| *name == word).map_or(Value::Null, |(_, value)| value.clone()),
        }
    }

    /// Goes on to the comma or bracket behind what is computed.
    fn skip_expression(&mut self) {
        let mut depth = 0u32;
        loop {
            self.skip_space();
            let Some(sign) = self.rest().chars().next() else { return };
            match sign {
                '"' | '\'' | '`' => {
                    self.string(false);
                    continue;
                }
                ',' | ')' | ']' | '}' | ';' if depth == 0 => return,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            self.at += sign.len_utf8();
        }
    }

    fn map(&mut self, levels: usize) -> Value<'a> {
        self.at += 1;
        let mut members = Vec::new();
        while !self.takes('}') && !self.rest().is_empty() {
            let key = if self.rest().starts_with(['"', '\'', '`']) {
                self.string(false)
            } else {
                let rest = self.rest();
                let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')).count();
                self.at += length;
                Cow::Borrowed(&rest[..length])
            };
            let value = if self.takes(':') {
                self.value(levels)
            } else {
                // `{patch}` stands for `{patch: patch}`; anything else is passed over.
                let value = self.names.iter().find(|(name, _)| *name == key).map_or(Value::Null, |(_, value)| value.clone());
                self.skip_expression();
                value
            };
            members.push((key, value));
            if !self.takes(',') && !self.rest().starts_with('}') {
                break;
            }
        }
        Value::object(members)
    }

    fn list(&mut self, levels: usize) -> Value<'a> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.takes(']') && !self.rest().is_empty() {
            items.push(self.value(levels));
            if !self.takes(',') && !self.rest().starts_with(']') {
                break;
            }
        }
        // Lines of a text are put together like this.
        if self.rest().trim_start().starts_with(".join(") {
            let between = if self.rest().contains(".join(\"\\n\")") || self.rest().contains(".join('\\n')") { "\n" } else { " " };
            return Value::Text(items.iter().map(Value::scalar_text).collect::<Vec<_>>().join(between).into());
        }
        Value::List(items)
    }

    fn string(&mut self, is_raw: bool) -> Cow<'a, str> {
        let rest = self.rest();
        let Some(quote) = rest.bytes().next() else { return Cow::Borrowed("") };
        let bytes = rest.as_bytes();
        let mut at = 1;
        let mut text = String::new();
        let mut plain = 1;
        while at < bytes.len() && bytes[at] != quote {
            if bytes[at] == b'\\' && !is_raw {
                text.push_str(&rest[plain..at]);
                let (sign, length) = escaped(&rest[at + 1..]);
                text.push_str(sign.encode_utf8(&mut [0; 4]));
                at += 1 + length;
                plain = at;
            } else {
                at += 1;
            }
        }
        let at = at.min(rest.len());
        self.at += (at + 1).min(rest.len());
        let last = rest.get(plain..at).unwrap_or_default();
        if plain == 1 { Cow::Borrowed(last) } else { Cow::Owned(text + last) }
    }
}

/// The character that stands for an escape, and how many bytes it takes behind the backslash.
fn escaped(rest: &str) -> (char, usize) {
    let code = |from: usize, to: usize| {
        let digits = rest.get(from..to)?;
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    };
    match rest.chars().next() {
        Some('n') => ('\n', 1),
        Some('t') => ('\t', 1),
        Some('r') => ('\r', 1),
        Some('x') if code(1, 3).is_some() => (code(1, 3).unwrap_or(' '), 3),
        Some('u') if code(1, 5).is_some() => (code(1, 5).unwrap_or(' '), 5),
        Some(sign) => (sign, sign.len_utf8()),
        None => ('\\', 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(source: &str) -> String {
        let each = tool_calls(source).into_iter().map(|(name, input)| {
            let mut text = format!("{name} ");
            input.write(&mut text);
            text
        });
        each.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn calls_are_found_with_their_inputs() {
        for (source, expected) in [
            (
                r#"const r = await tools.exec_command({cmd:"sed -n '1,2p' a.rs","workdir":"/w",yield_time_ms:10000,});text(r.output)"#,
                r#"exec_command {"cmd":"sed -n '1,2p' a.rs","workdir":"/w","yield_time_ms":10000}"#,
            ),
            (
                "const [a,b] = await Promise.all([\n tools.x({q: 'it\\'s', n: [1, true]}), // c\n tools.y({s: a.b(c, \"d\"), t: `z`})]);",
                r#"x {"n":[1,true],"q":"it's"} | y {"s":null,"t":"z"}"#,
            ),
            ("const patch = \"*** Begin Patch\\n+a\";\ntools.apply_patch(patch)", "apply_patch \"*** Begin Patch\\n+a\""),
            (
                "const p = String.raw`a\\n`; tools.apply_patch({input: p, patch: 1, p})",
                r#"apply_patch {"input":"a\\n","p":"a\\n","patch":1}"#,
            ),
            ("tools.t([\"a\", \"b\"].join(\"\\n\"))", "t \"a\\nb\""),
            ("tools.t(\"a\" + 'b')", "t \"ab\""),
            ("mytools.t(1); tools.t; tools.(); const tools = 1", ""),
            ("tools.t({a: ", r#"t {"a":null}"#),
            ("tools.t({\"a", r#"t {"a":null}"#),
            ("tools.t('\\u0041\\x42\\", "t \"AB\\\\\""),
        ] {
            assert_eq!(told(source), expected, "{source}");
        }
    }

    #[test]
    fn sources_made_to_be_slow_or_deep_are_read() {
        for source in ["tools.t({a:[".repeat(2_000), "tools.t(".repeat(5_000), "const a = \"".repeat(5_000), "tools.t(((((".repeat(300)] {
            assert!(tool_calls(&source).len() <= CALLS);
        }
    }
}
