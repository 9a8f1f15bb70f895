//! What an edit declares: names and signatures in its new text that the old one has not. Read off the beginnings of lines, whatever the
//! language; no parser, and nothing of what stands inside a body.

use crate::clip::{clip, one_line};

/// Longest signature that is told, in characters.
const SIGNATURE_CHARS: usize = 140;
/// Lines over which a signature may go.
const SIGNATURE_LINES: usize = 12;
/// Declarations of one text that are looked at.
const MOST: usize = 200;
/// Words before what is declared that its users need not know.
const OPEN: [&str; 8] = ["export", "default", "pub", "public", "pub(crate)", "pub(super)", "declare", "final"];
/// Words that may stand before what is declared and say more of it.
const KINDS: [&str; 9] = ["async", "static", "abstract", "unsafe", "extern", "private", "protected", "override", "readonly"];
/// Words behind which a name is declared.
const WORDS: [&str; 18] = [
    "fn",
    "func",
    "fun",
    "function",
    "function*",
    "def",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "union",
    "macro_rules!",
    "object",
    "module",
    "message",
    "service",
    "rpc",
];
/// Words behind which a value is bound: where a body begins, it is local.
const BINDINGS: [&str; 4] = ["const", "let", "var", "type"];
/// Words that look like calls and declare nothing.
const CONTROL: [&str; 14] =
    ["if", "for", "while", "switch", "match", "catch", "return", "else", "with", "until", "loop", "do", "unless", "elif"];
/// Calls whose first argument names a test.
const TESTS: [&str; 4] = ["it", "test", "describe", "context"];
/// Types of fields that begin with a small letter.
const TYPES: [&str; 22] = [
    "string", "number", "boolean", "unknown", "any", "bool", "int", "float", "str", "u8", "u16", "u32", "u64", "i32", "i64", "f32", "f64",
    "usize", "char", "bytes", "double", "long",
];

/// The declarations in `new` that `old` has not, in their order, each on one line.
pub fn declared(path: &str, old: &str, new: &str) -> Vec<String> {
    let known = all(path, old);
    let mut found = all(path, new);
    found.retain(|own| !known.contains(own));
    found
}

fn all(path: &str, text: &str) -> Vec<String> {
    let is_data = [".json", ".yaml", ".yml", ".toml", ".env", ".ini"].iter().any(|end| path.ends_with(end));
    let lines: Vec<&str> = text.lines().collect();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(line)).min().unwrap_or(0);
    let mut found: Vec<String> = Vec::new();
    let mut next = 0;
    for (at, line) in lines.iter().enumerate() {
        let own = line.trim();
        let told = match (at < next, is_data) {
            (true, _) => None,
            (_, true) => entry(own),
            _ => declaration(&lines[at..], own, indent(line) == least),
        };
        if told.is_some() && !is_data {
            // What stands inside the brackets of a signature declares nothing of its own.
            next = at + joined(&lines[at..], own).1;
        }
        if let Some(told) = told.filter(|told| found.len() < MOST && !found.contains(told)) {
            found.push(told);
        }
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What a line declares; `lines` begin with it.
fn declaration(lines: &[&str], line: &str, is_outer: bool) -> Option<String> {
    if line.starts_with(['/', '*', '#', '"', '\'', '`', '<', '-', '|', '.', ')', ']', '}', '@']) {
        return None;
    }
    if let Some(name) = test_name(line) {
        return Some(name);
    }
    let mut rest = line;
    let mut is_open = false;
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| OPEN.contains(word)) {
        (rest, is_open) = (behind.trim_start(), true);
    }
    let mut named = rest;
    while let Some((_, behind)) = named.split_once(' ').filter(|(word, _)| KINDS.contains(word)) {
        named = behind.trim_start();
    }
    let (word, behind) = named.split_once(' ').unwrap_or((named, ""));
    let begins_name = behind.starts_with(|sign: char| sign.is_ascii_alphabetic() || matches!(sign, '_' | '$' | '('));
    if WORDS.contains(&word) && begins_name || word == "const" && behind.starts_with("fn ") {
        return Some(signature(lines, rest));
    }
    if BINDINGS.contains(&word) && begins_name && (is_open || is_outer && word != "let") {
        // What is taken apart, or made by a call inside a body, is local.
        let is_local = !is_open && word != "type" && (behind.starts_with(['(', '{', '[']) || behind.contains("await "));
        let is_told = is_open || behind.contains("=> ") || word == "type" || behind.starts_with(|sign: char| sign.is_ascii_uppercase());
        return (!is_local && is_told).then(|| signature(lines, rest));
    }
    if is_method(lines, named) {
        return Some(signature(lines, rest));
    }
    field(rest)
}

/// `it('keeps the last line', …`: its name.
fn test_name(line: &str) -> Option<String> {
    let (call, rest) = line.split_once('(')?;
    let call = call.split('.').next().unwrap_or(call);
    let quote = rest.chars().next().filter(|sign| TESTS.contains(&call) && matches!(sign, '"' | '\'' | '`'))?;
    let (name, _) = rest.get(1..)?.split_once(quote)?;
    Some(format!("{call} \"{}\"", clip(name, SIGNATURE_CHARS)))
}

/// Whether a line begins a method without a word of its own, as classes of TypeScript and Java have them: `name(…) {`.
fn is_method(lines: &[&str], line: &str) -> bool {
    let Some((head, _)) = line.split_once('(') else { return false };
    let words: Vec<&str> = head.split([' ', '<']).filter(|word| !word.is_empty()).collect();
    let is_name =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'>' | b'[' | b']' | b'#'));
    let plain = !words.is_empty() && words.len() <= 4 && words.iter().all(is_name) && !words.iter().any(|word| CONTROL.contains(word));
    if !plain || matches!(words[0], "new" | "await" | "throw" | "yield" | "super" | "require" | "assert" | "expect") {
        return false;
    }
    // The brace of a body stands behind the closed parenthesis, and not inside it as that of an argument does.
    let (whole, _) = joined(lines, line);
    let Some(body) = whole.trim_end().strip_suffix('{') else { return false };
    depth(body) == 0 && !body.contains("=>") && body.rfind(')').is_some_and(|at| !body[at..].contains(['=', ',', '?']))
}

/// A field with its type: `name: string;`, `name: Vec<u8>,`.
fn field(line: &str) -> Option<String> {
    let own = line.strip_suffix([',', ';'])?;
    let (name, kind) = own.split_once(": ")?;
    let name_end = name.trim_end_matches('?');
    let is_name = !name_end.is_empty() && name_end.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let word = kind.split(|sign: char| !sign.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_type = TYPES.contains(&word) || kind.starts_with('&') || word.starts_with(|sign: char| sign.is_ascii_uppercase());
    // A value of an object may begin like a type, but it calls or names a member.
    let is_value =
        kind.contains(['"', '\'', '`', '.', '(']) || word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    (is_name && is_type && !is_value && kind.len() < 80).then(|| own.to_owned())
}

/// A key of a file of data with its value, where that is short, or a heading.
fn entry(line: &str) -> Option<String> {
    let own = line.trim_end_matches([',', '{', '[', ' ']).trim_end();
    if own.starts_with('[') && own.ends_with(']') && own.len() > 3 {
        return Some(own.to_owned());
    }
    if own.len() < 3 || own.starts_with(['#', '/', '}', ']', '-']) {
        return None;
    }
    let (key, value) =
        own.split_once(": ").or_else(|| own.split_once(" = ")).or_else(|| own.split_once('=')).or_else(|| own.split_once(':'))?;
    let key = key.trim().trim_matches('"');
    let is_key = !key.is_empty() && key.len() < 60 && !key.contains(' ');
    let value = value.trim();
    is_key.then(|| if value.is_empty() { key.to_owned() } else { format!("{key}: {}", clip(value, 60)) })
}

/// How many more brackets are opened than closed.
fn depth(text: &str) -> i32 {
    text.bytes().map(|byte| i32::from(matches!(byte, b'(' | b'[')) - i32::from(matches!(byte, b')' | b']'))).sum()
}

/// Whether brackets are open, also those of a type of several lines: `Promise<{`.
fn is_open(text: &str) -> bool {
    depth(text) > 0 || text.matches("<{").count() > text.matches("}>").count()
}

/// A line and those that go on with its brackets, and how many these are. `own` is the line without what is not looked at.
fn joined(lines: &[&str], own: &str) -> (String, usize) {
    let (mut whole, mut count) = (own.trim_end().to_owned(), 1);
    for line in lines.iter().skip(1).take(SIGNATURE_LINES) {
        if !is_open(&whole) {
            break;
        }
        if !whole.ends_with(['(', '[', '<']) && !line.trim().starts_with([')', ']']) {
            whole.push(' ');
        }
        whole.push_str(line.trim());
        count += 1;
    }
    (whole, count)
}

/// The head of what a line declares, without its body.
fn signature(lines: &[&str], own: &str) -> String {
    let mut head = one_line(&joined(lines, own).0);
    // What stands behind the signature on its line is its body.
    let body =
        if head.starts_with("type ") { None } else { head.find(") {").or_else(|| head.find(" { ").filter(|_| own.starts_with("fn "))) };
    if let Some(at) = body {
        head.truncate(at + 1);
    }
    let trimmed = head.trim_end_matches(['{', ' ', ':', ';', ',']).trim_end_matches("=>").trim_end();
    clip(&trimmed.replace(",)", ")"), SIGNATURE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_edit_declares_is_told_by_its_signature() {
        for (path, old, new, expected) in [
            (
                "a.ts",
                "",
                "export async function make(id: string): Promise<Key> {\n  return 1;\n}",
                &["async function make(id: string): Promise<Key>"][..],
            ),
            ("a.ts", "function a(x) {\n}", "function a(x) {\n  1;\n}\nfunction b() {}", &["function b()"]),
            ("a.ts", "", "export const run = async (a: A): Promise<B> => {", &["const run = async (a: A): Promise<B>"]),
            (
                "a.ts",
                "",
                "  async save(key: string, value: V): Promise<void> {\n    if (x) {\n    foo(a, () => {",
                &["async save(key: string, value: V): Promise<void>"],
            ),
            (
                "a.ts",
                "",
                "export function pair(): Promise<{\n  one: string;\n}> {\n  return 1;",
                &["function pair(): Promise<{ one: string; }>"],
            ),
            ("a.ts", "", "  const { a } = await make({ b });\n  return a;", &[]),
            ("a.ts", "  a: string;", "  a: string;\n  b?: number;\n  c: this.c,\n  d: make(1),", &["b?: number"]),
            ("a.test.ts", "", "  it('keeps the last line', async () => {", &["it \"keeps the last line\""]),
            (
                "a.rs",
                "",
                "pub fn long(\n    one: &str,\n    two: u32,\n) -> Vec<u8> {\n    todo()\n}",
                &["fn long(one: &str, two: u32) -> Vec<u8>"],
            ),
            (
                "a.rs",
                "",
                "pub struct A {\n    pub name: String,\n}\nconst MOST: usize = 3;",
                &["struct A", "name: String", "const MOST: usize = 3"],
            ),
            ("a.py", "def a(x):", "def a(x, y=1) -> int:\n    return x", &["def a(x, y=1) -> int"]),
            ("a.go", "", "func (s *Store) Get(id string) (Key, error) {", &["func (s *Store) Get(id string) (Key, error)"]),
            ("p.json", "\"a\": 1,", "\"a\": 2,\n\"b\": {", &["a: 2", "b"]),
            ("ci.yml", "", "on:\n  push:\n    timeout-minutes: 20", &["on", "push", "timeout-minutes: 20"]),
            ("a.md", "", "Some words, and more of them.", &[]),
        ] {
            assert_eq!(declared(path, old, new), expected, "{new}");
        }
    }
}
