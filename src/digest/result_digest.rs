//! The user's own digest of a result (`digest` of the option `tools`), as it may stand where the result is left out: without secrets and
//! empty lines, and not too long. Not where it stands.

use crate::redact::clean;
use crate::text::clip::{clip, first_chars};
use crate::text::sentence::sentences;

/// Characters of a digest.
pub const RESULT_DIGEST_CHARS: usize = 600;
/// As much of what the user's function answers is read.
const READ_CHARS: usize = 8_000;

/// What is kept of a digest.
pub fn result_digest(text: &str) -> String {
    let cleaned = clean(text);
    let lines: Vec<&str> = first_chars(&cleaned, READ_CHARS).lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let text = lines.join("\n");
    let text = text.trim();
    let first = first_chars(text, RESULT_DIGEST_CHARS);
    if first.len() == text.len() {
        return text.to_owned();
    }
    let ends = sentences(text).map(|sentence| sentence.as_ptr() as usize - text.as_ptr() as usize + sentence.len());
    match ends.take_while(|end| *end <= first.len()).last() {
        Some(end) if end >= first.len() / 2 => text[..end].to_owned(),
        _ => clip(text, RESULT_DIGEST_CHARS - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_account_ends_with_a_sentence_or_a_line() {
        let sentence = "Twelve rooms are free on Monday. ";
        assert_eq!(result_digest(&sentence.repeat(40)), sentence.repeat(18).trim());
        assert_eq!(result_digest(&"月曜日は十二室が空いています。".repeat(60)), "月曜日は十二室が空いています。".repeat(40));
        let line = "room 12: free, 80 EUR\n";
        let lines = result_digest(&line.repeat(60));
        assert!(lines.ends_with("EUR") && lines.chars().count() > RESULT_DIGEST_CHARS - line.len(), "{lines}");
        // Where a sentence goes on and on, within it.
        let endless = result_digest(&format!("Rooms. {}", "and ".repeat(300)));
        assert!(endless.ends_with('…') && endless.chars().count() == RESULT_DIGEST_CHARS);
    }

    #[test]
    fn an_account_has_no_secret_and_no_empty_line() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let digest = result_digest(&format!("\n  Logged in.\r\n\r\n   \napi_key={secret}\n"));
        assert!(digest.starts_with("Logged in.\napi_key=") && !digest.contains(&secret), "{digest}");
        assert_eq!(result_digest(" \n "), "");
    }
}
