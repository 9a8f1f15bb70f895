//! The placeholder that stands for a cleared tool result: what it was, how large, how to get it back, and the
//! identifiers it spoke of. A constant function of the result, so that the prompt cache keeps matching.

use crate::fingerprint::Print;
use crate::redact::next_piece;
use crate::slice::part;
use crate::table::{Table, name_key};
use crate::tokens::estimate::estimate_tokens;

/// Longest identifier that is kept, in bytes.
const IDENTIFIER_BYTES: usize = 120;

/// The placeholder for the result of `tool` with this text and `media`, such as `2 × image`; keeps up to `gist_tokens` of identifiers,
/// and says the id under which the result can be recalled, if it can.
pub fn placeholder(tool: &str, text: &str, tokens: u32, media: &str, gist_tokens: u32, recall_id: Option<u64>) -> String {
    let tool: String = tool.chars().take(64).collect();
    let gist = gist(text, gist_tokens);
    let mention = if gist.is_empty() { String::new() } else { format!(" It mentioned: {gist}") };
    let held = if media.is_empty() { String::new() } else { format!(" and held {media}") };
    let way = recall_id.map_or("Call the tool again".to_owned(), |id| format!("Recall it by id {id}"));
    format!("[Old result of {tool} cleared to save context; it had about {tokens} tokens{held}. {way} if you need it.{mention}]")
}

/// The id under which a result can be recalled: nine digits, which are three tokens.
pub fn recall_id(print: Print) -> u64 {
    100_000_000 + print % 900_000_000
}

/// The first distinct identifiers of a text (paths, ids, urls, numbers with structure), up to `tokens` tokens. Secrets are none.
fn gist(text: &str, tokens: u32) -> String {
    let mut seen = Table::with_capacity_and_hasher(64, Default::default());
    let mut found = String::new();
    let mut used = 0;
    let mut at = 0;
    while at < text.len() {
        let piece = next_piece(text, at);
        for word in identifiers(part(text, at, piece.end)) {
            // The cheapest takes one token, and one for the blank before it.
            if used + 2 > tokens {
                return found;
            }
            if seen.insert(name_key(word), 0).is_some() {
                continue;
            }
            let cost = estimate_tokens(word) + 1;
            if used + cost > tokens {
                continue;
            }
            used += cost;
            if !found.is_empty() {
                found.push(' ');
            }
            found.push_str(word);
        }
        at = piece.next;
    }
    found
}

/// Bits for the bytes of identifiers: letters, digits, marks; zero for all that separates them.
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const MARK: u8 = 4;
const BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' | b'.' | b'/' | b':' | b'@' | b'-' => MARK,
            _ => 0,
        };
        byte += 1;
    }
    bytes
};

/// Words that look like identifiers: at least five characters of `[A-Za-z0-9_./:@-]`, with structure in them.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes.iter().skip(at).take_while(|byte| BYTES[usize::from(**byte)] == 0).count();
            let mut has = 0;
            at = start;
            while let Some(bits) = bytes.get(at).map(|byte| BYTES[usize::from(*byte)]).filter(|bits| *bits != 0) {
                has |= bits;
                at += 1;
            }
            if at == start {
                return None;
            }
            // Most words are plain ones: no more is looked at.
            if has != LETTER && has & (LETTER | DIGIT) != 0 && at >= start + 5 {
                let word = part(text, start, at).trim_start_matches(['.', ':', '-', '@']).trim_end_matches(['.', ':', '-', '/']);
                let has = word.bytes().fold(0, |has, byte| has | BYTES[usize::from(byte)]);
                if (5..=IDENTIFIER_BYTES).contains(&word.len()) && has & (DIGIT | MARK) != 0 {
                    return Some(word);
                }
            }
        }
    })
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
