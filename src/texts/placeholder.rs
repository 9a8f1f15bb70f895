//! The placeholder that stands for a cleared tool result: what it was, how large, how to get it back, and the
//! identifiers it spoke of. A constant function of the result, so that the prompt cache keeps matching.

use crate::bytes::{DIGIT, LETTER, MARK, is_at, kind, stretch};
use crate::clip::first_chars;
use crate::fingerprint::Print;
use crate::redact::next_piece;
use crate::slice::part;
use crate::table::{Table, name_key};
use crate::tokens::estimate::estimate_tokens;

/// Longest identifier that is kept, in bytes.
const IDENTIFIER_BYTES: usize = 120;
/// Identifiers below this come first.
const SHORT_BYTES: usize = 30;
/// Bytes of a text that are looked through.
const GIST_BYTES: usize = 64 * 1024;
/// Short and said again, short, and the rest.
const REPEATED: u8 = 0;
const SHORT: u8 = 1;
const OTHER: u8 = 2;

/// The placeholder for the result of `tool` with this text and `media`, such as `2 × image`; keeps up to `gist_tokens` of identifiers,
/// and says the id under which the result can be recalled, if it can.
pub fn placeholder(tool: &str, text: &str, tokens: u32, media: &str, gist_tokens: u32, recall_id: Option<u64>) -> String {
    let tool = first_chars(tool, 64);
    let gist = gist(text, gist_tokens, &mut Table::default());
    let mention = if gist.is_empty() { String::new() } else { format!(" It mentioned: {gist}") };
    let held = if media.is_empty() { String::new() } else { format!(" and held {media}") };
    let way = recall_id.map_or("Call the tool again".to_owned(), |id| format!("Recall it by id {id}"));
    format!("[Old result of {tool} cleared to save context; it had about {tokens} tokens{held}. {way} if you need it.{mention}]")
}

/// The id under which a result can be recalled: nine digits, which are three tokens.
pub fn recall_id(print: Print) -> u64 {
    100_000_000 + print % 900_000_000
}

/// Distinct identifiers of a text (paths, ids, urls, numbers with structure), up to `tokens` tokens: what is said again first, then
/// what is short, each in the text's order. Secrets are none, nor what is `known`; what is taken is known from then on.
///
/// Measured on recorded sessions: what a result says twice is referred to three times as often, a word below 30 bytes four
/// times as often as a longer one, which also costs more; a bare number hardly ever. Behind the first 64 KB little is.
pub fn gist(text: &str, tokens: u32, known: &mut Table) -> String {
    let mut found = String::new();
    if tokens == 0 {
        return found;
    }
    let mut seen = Table::default();
    let mut words: Vec<(&str, u8)> = Vec::new();
    let mut at = 0;
    while at < text.len().min(GIST_BYTES) {
        let piece = next_piece(text, at);
        let mut identifiers = Identifiers { text: part(text, 0, piece.end), at };
        while let Some((start, end)) = identifiers.find()
            && start < GIST_BYTES
        {
            let word = part(text, start, end);
            let index = *seen.or_insert(name_key(word), words.len() as u64) as usize;
            match words.get_mut(index) {
                Some((_, rank)) if *rank == SHORT => *rank = REPEATED,
                Some(_) => {}
                None => {
                    let is_short = word.len() < SHORT_BYTES && word.bytes().any(|byte| byte.is_ascii_alphabetic());
                    words.push((word, if is_short { SHORT } else { OTHER }));
                }
            }
        }
        at = piece.next;
    }
    let mut used = 0;
    for wanted in [REPEATED, SHORT, OTHER] {
        for (word, rank) in &words {
            if *rank != wanted {
                continue;
            }
            // The cheapest takes one token, and one for the blank before it.
            if used + 2 > tokens {
                return found;
            }
            let cost = estimate_tokens(word) + 1;
            if used + cost > tokens || known.insert(name_key(word), 0).is_some() {
                continue;
            }
            used += cost;
            if !found.is_empty() {
                found.push(' ');
            }
            found.push_str(word);
        }
    }
    found
}

/// The bytes of identifiers; all others separate them.
const IDENTIFIER: u8 = LETTER | DIGIT | MARK;

/// Looks for words that are like identifiers: at least five characters of `[A-Za-z0-9_./:@-]`, with structure in them.
struct Identifiers<'a> {
    text: &'a str,
    at: usize,
}

impl Identifiers<'_> {
    /// Where the next one begins and ends.
    fn find(&mut self) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            while at < bytes.len() && kind(bytes[at]) & IDENTIFIER == 0 {
                at += 1;
            }
            let mut start = at;
            let mut has = 0;
            while is_at(bytes, at, IDENTIFIER) {
                has |= kind(bytes[at]);
                at += 1;
            }
            self.at = at;
            if at == start {
                return None;
            }
            // Most words are plain ones: no more is looked at.
            if has & IDENTIFIER == LETTER || has & (LETTER | DIGIT) == 0 || at < start + 5 {
                continue;
            }
            let mut end = at;
            while matches!(bytes.get(start), Some(b'.' | b':' | b'-' | b'@')) {
                start += 1;
            }
            while matches!(bytes.get(end.wrapping_sub(1)), Some(b'.' | b':' | b'-' | b'/')) {
                end -= 1;
            }
            let length = end.saturating_sub(start);
            if (5..=IDENTIFIER_BYTES).contains(&length) && stretch(bytes, start, length, LETTER) < length {
                return Some((start, end));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_says_what_it_was_and_keeps_identifiers() {
        let text = placeholder("read_file", "see src/main.rs and order_4711, plain words, src/main.rs again", 20, "", 100, None);
        assert!(
            text.contains("read_file") && text.contains("tokens. Call the tool again") && text.contains("src/main.rs order_4711"),
            "{text}"
        );
        assert_eq!(text.matches("src/main.rs").count(), 1);
    }

    #[test]
    fn a_placeholder_keeps_no_secret() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = placeholder("read_file", &format!("a.env holds DB_PASSWORD={secret} for db-7.internal"), 20, "", 100, None);
        assert!(text.contains("a.env DB_PASSWORD db-7.internal") && !text.contains(&secret), "{text}");
    }

    #[test]
    fn what_is_said_again_and_short_is_kept_before_what_is_long_or_a_bare_number() {
        let long = "/srv/releases/2024/archive/packages/deep/below/file.txt";
        let text = format!("{long} 1234567 one.a two.bb three.c two.bb");
        assert_eq!(gist(&text, 100, &mut Table::default()), format!("two.bb one.a three.c {long} 1234567"));
        assert_eq!(gist(&text, estimate_tokens("two.bb") + 1, &mut Table::default()), "two.bb");
    }

    #[test]
    fn a_placeholder_without_room_for_identifiers_has_none() {
        let text = placeholder("t", "src/main.rs", 3, "", 0, None);
        assert!(!text.contains("main.rs"));
    }

    #[test]
    fn a_placeholder_names_the_media_it_stands_for() {
        let text = placeholder("screenshot", "", 3_200, "2 × image", 0, Some(recall_id(77)));
        assert!(text.contains("it had about 3200 tokens and held 2 × image. Recall it by id 100000077 if"), "{text}");
    }
}
