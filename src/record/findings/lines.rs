//! What a line of a result is, whatever it speaks of: noise that nobody needs, a hit of a search, a line that the next ones complete.
//! Not whether it is worth keeping (`findings`).

use crate::record::conclusions::DECLARATIONS;
use crate::record::empty::begins_with;

/// Lines that complete one.
const COMPLETING_LINES: usize = 2;
/// So many signs without a blank are no text.
const BLOB_BYTES: usize = 120;
/// So many tags make a line one of a page.
const TAGS: usize = 2;

/// Beginnings of lines that bring in something, and of prose as well.
const IMPORTS: [&str; 7] = ["import ", "from ", "package ", "use ", "using ", "require ", "} from "];
/// A line that brings in something and ends like prose has no more words.
const IMPORT_WORDS: usize = 3;
/// Beginnings of lines that say what a file is, or that something begins.
const BOILERPLATE: [&str; 8] = ["#include", "* @", "/**", "//!", "=== run", "=== pause", "=== cont", "--- pass"];
/// Beginnings of lines that say what went wrong: where and why stands below.
const ERRORS: [&str; 10] = ["error", "assert", "panicked", "fail", "--- fail", "traceback", "expected", "thread '", "● ", "× "];

/// Whether a line is of no use without what stands around it: a page's tags, what encodes something, what is brought in.
pub fn is_noise(line: &str) -> bool {
    let line = without_place(line).trim();
    let is_import = begins_with(line, &IMPORTS)
        && (line.ends_with([';', '\'', '"', ')']) || line.contains(" import ") || line.split_whitespace().count() <= IMPORT_WORDS);
    let is_import = is_import || begins_with(line, &BOILERPLATE);
    is_import || tags(line) >= TAGS || is_blob(line)
}

/// How many tags of a page's text a line has.
fn tags(line: &str) -> usize {
    let opens = ["class=\"", "href=\"", "style=\"", "src=\""].iter().filter(|attribute| line.contains(*attribute)).count();
    line.matches("</").count() + if line.starts_with('<') { opens } else { 0 }
}

/// Whether most of a line is one run of letters and digits, such as what encodes a picture, or one address.
fn is_blob(line: &str) -> bool {
    let is_code = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '+' | '/' | '=' | '_' | '-' | '%' | '?' | '&' | '.' | ':');
    let longest = line.split(|sign| !is_code(sign)).map(str::len).max().unwrap_or(0);
    longest > BLOB_BYTES || longest * 3 > line.len() * 2 && line.contains("://")
}

/// The number by which a line of a file begins, as some readers print it: `12: text`, `12→text`, `12|text`.
pub fn own_number(line: &str) -> Option<(u32, &str)> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(": ").or_else(|| line[digits..].strip_prefix(['→', '\t', '|']))?;
    Some((line[..digits].parse().ok()?, rest))
}

/// The file of a hit of a search: `src/a.rs:12: text`.
pub fn file_of_hit(line: &str) -> Option<&str> {
    let (path, rest) = line.split_once(':')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_path = !path.is_empty() && !path.contains([' ', '"', '(']) && path.contains(['.', '/']);
    (is_path && digits > 0 && rest[digits..].starts_with([':', '-', '|'])).then_some(path)
}

/// A line without the place that stands before it.
fn without_place(line: &str) -> &str {
    if file_of_hit(line).is_some()
        && let Some(text) = line.splitn(3, ':').nth(2)
    {
        return text;
    }
    own_number(line).map_or(line, |(_, text)| text)
}

/// The lines behind one that complete it: the beginning of a body, the value of a key, where an error stands.
pub fn completing<'t>(line: &str, behind: &'t [&'t str]) -> impl Iterator<Item = &'t str> {
    let line = without_place(line).trim();
    let is_open = line.ends_with(['{', '(', '[', '=', ':']) || line.ends_with("=>") || line.ends_with("->");
    let count = match () {
        () if begins_with(line, &ERRORS) => COMPLETING_LINES,
        () if is_open && begins_with(line, &DECLARATIONS) => COMPLETING_LINES,
        () if is_open => 1,
        () => 0,
    };
    let says = |line: &&str| line.bytes().filter(u8::is_ascii_alphanumeric).count() > 1 && !is_noise(line);
    behind.iter().copied().take(count).take_while(says)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_told_from_lines_that_say_something() {
        for line in [
            "import { a } from './b'",
            "2: import os",
            "src/a.go:3:import \"fmt\"",
            " * @cipherbox/crypto - ECIES Module",
            "package main",
            "=== RUN TestAll",
            "<a class=\"x\" href=\"https://x.test/a\">more</a>",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
            "\"html_url\": \"https://api.x.test/repos/a/b/pulls/12/commits\",",
        ] {
            assert!(is_noise(line), "{line}");
        }
        for line in [
            "\"user_id\":\"mia_3668\",\"city\":\"Porto\"",
            "fn parse(text: &str) -> u8 {",
            "use the cache as it is warm",
            "error: no such file",
        ] {
            assert!(!is_noise(line), "{line}");
        }
    }

    #[test]
    fn a_line_that_is_open_brings_what_completes_it() {
        let behind = ["    let key = 1;", "    run(key)", "}"];
        assert_eq!(completing("fn get(key: u8) {", &behind).count(), 2);
        assert_eq!(completing("timeout:", &behind).count(), 1);
        assert_eq!(completing("let key = 1;", &behind).count(), 0);
        assert_eq!(completing("error: expected 1", &["  --> src/a.rs:2:1", "", "x"]).count(), 1);
    }

    #[test]
    fn a_number_and_a_hit_are_read_off_a_line() {
        assert_eq!(own_number("11: - download"), Some((11, "- download")));
        assert_eq!(own_number("11 items"), None);
        assert_eq!(file_of_hit("src/a.rs:12:fn a()"), Some("src/a.rs"));
        assert_eq!(file_of_hit("error: 12: x"), None);
    }
}
