//! Identifiers that texts speak of (paths, ids, urls, numbers with structure): finds them, and chooses which are kept of which text.
//! Knows no messages, and not what they are kept for.

use std::collections::HashMap;
use std::rc::Rc;

use crate::text::bytes::{DIGIT, LETTER, MARK, is_at, kind, stretch};
use crate::text::redact::next_piece;
use crate::tokens::estimate::estimate_tokens;

/// Shortest and longest identifier that is kept, in bytes.
const LEAST_BYTES: usize = 5;
const IDENTIFIER_BYTES: usize = 120;
/// Identifiers below this come first.
const SHORT_BYTES: usize = 30;
/// Bytes of a text that are looked through.
const READ_BYTES: usize = 64 * 1024;
/// Ranks: the rest, what is short, what is short and said again, what belongs to a secret.
const OTHER: u64 = 0;
const SHORT: u64 = 1;
const REPEATED: u64 = 2;
const SECRET: u64 = 3;
const RANKS: u64 = 4;
/// Where identifiers are written, a letter for its rank stands before each, and one for its length: this one more than that, so that no
/// line ends there.
const NO_RANK: u8 = b'0';
const NO_LENGTH: u8 = 6;
const _: () = assert!(NO_LENGTH + LEAST_BYTES as u8 > b'\n' && NO_LENGTH as usize + IDENTIFIER_BYTES < 128);

/// Distinct identifiers of a text, up to `tokens` tokens. Secrets are none.
pub fn identifiers_within(text: &str, tokens: u32) -> String {
    let mut found = String::new();
    if tokens > 0 {
        let mut identifiers = Identifiers::default();
        identifiers.read(text);
        identifiers.take(0, tokens, 1, &mut found);
    }
    found
}

/// The identifiers of some texts, and which of them are taken.
#[derive(Default)]
pub struct Identifiers {
    /// Each of them once.
    words: Vec<Word>,
    /// Where each stands in `words`.
    places: HashMap<Rc<str>, usize>,
    /// For each text its identifiers in its order: where they stand in `words`, and their ranks.
    texts: Vec<Vec<u64>>,
}

struct Word {
    letters: Rc<str>,
    /// The last text it stood in and where it stands there, and in how many texts it stood.
    text: usize,
    place: usize,
    texts: u32,
    /// With the blank before it; zero while that was not asked.
    tokens: u32,
    taken: bool,
}

impl Identifiers {
    /// Adds a text, and says its number. What belongs to a secret is never taken.
    pub fn read(&mut self, text: &str) -> usize {
        let number = self.texts.len();
        let mut found: Vec<u64> = Vec::new();
        let mut piece = next_piece(text, 0);
        let mut scanner = Scanner::new(text);
        while let Some((start, end)) = scanner.find()
            && start < READ_BYTES
        {
            while start >= piece.next && piece.next < text.len() {
                piece = next_piece(text, piece.next);
            }
            let is_secret = piece.next > piece.end && end > piece.end;
            let index = self.index_of(&text[start..end]);
            let Some(word) = self.words.get_mut(index) else { continue };
            if word.texts > 0 && word.text == number {
                if let Some(entry) = found.get_mut(word.place) {
                    match *entry % RANKS {
                        _ if is_secret => *entry = index as u64 * RANKS + SECRET,
                        SHORT => *entry += REPEATED - SHORT,
                        _ => {}
                    }
                }
                continue;
            }
            (word.text, word.place) = (number, found.len());
            word.texts += 1;
            let is_short = || end - start < SHORT_BYTES && text[start..end].bytes().any(|byte| kind(byte) & LETTER != 0);
            let rank = if is_secret { SECRET } else { u64::from(is_short()) };
            found.push(index as u64 * RANKS + rank);
        }
        self.texts.push(found);
        number
    }

    /// Writes the identifiers of a text so that they need not be looked for again: in its order, on one line, each behind its rank and
    /// its length.
    pub fn write(&self, number: usize, written: &mut String) {
        for entry in self.texts.get(number).map_or(&[] as &[u64], Vec::as_slice) {
            let Some(word) = self.words.get((*entry / RANKS) as usize) else { continue };
            written.push((NO_RANK + (*entry % RANKS) as u8) as char);
            written.push(NO_LENGTH.wrapping_add(word.letters.len() as u8) as char);
            written.push_str(&word.letters);
        }
    }

    /// Adds a text whose identifiers were written, and says its number.
    pub fn read_written(&mut self, written: &str) -> usize {
        let number = self.texts.len();
        let mut found: Vec<u64> = Vec::new();
        each_written(written, &mut |letters, rank| {
            let index = self.index_of(letters);
            if let Some(word) = self.words.get_mut(index) {
                (word.text, word.place) = (number, found.len());
                word.texts += 1;
                found.push(index as u64 * RANKS + rank);
            }
        });
        self.texts.push(found);
        number
    }

    /// Takes what stands in a text, too, whose identifiers were written: that one keeps it. Of the texts that were read before.
    pub fn leave_written(&mut self, written: &str) {
        each_written(written, &mut |letters, _| self.leave_one(letters));
    }

    /// The same with a text.
    pub fn leave(&mut self, text: &str) {
        let mut scanner = Scanner::new(text);
        while let Some((start, end)) = scanner.find()
            && start < READ_BYTES
        {
            self.leave_one(&text[start..end]);
        }
    }

    fn leave_one(&mut self, letters: &str) {
        if let Some(word) = self.places.get(letters).and_then(|index| self.words.get_mut(*index)) {
            word.taken = true;
        }
    }

    /// Takes identifiers of a text, up to `tokens` tokens, of those that stand in at least `texts` texts: what it says again first,
    /// then what is short, each in the text's order. They go behind those in `found`. Says whether there are any.
    ///
    /// Measured on recorded sessions: what a result says twice is referred to three times as often, a word below 30 bytes four
    /// times as often as a longer one, which also costs more; a bare number hardly ever. Behind the first 64 KB little is.
    pub fn take(&mut self, number: usize, tokens: u32, texts: u32, found: &mut String) -> bool {
        let mut used = 0;
        for wanted in [REPEATED, SHORT, OTHER] {
            for entry in self.texts.get(number).map_or(&[] as &[u64], Vec::as_slice) {
                let Some(word) = self.words.get_mut((*entry / RANKS) as usize).filter(|_| *entry % RANKS == wanted) else { continue };
                // The cheapest takes one token, and one for the blank before it.
                if used + 2 > tokens {
                    return used > 0;
                }
                if word.taken || word.texts < texts {
                    continue;
                }
                if word.tokens == 0 {
                    word.tokens = estimate_tokens(&word.letters) + 1;
                }
                if used + word.tokens > tokens {
                    continue;
                }
                used += word.tokens;
                word.taken = true;
                if !found.is_empty() {
                    found.push(' ');
                }
                found.push_str(&word.letters);
            }
        }
        used > 0
    }

    /// Whether a text has an identifier that none of others has.
    pub fn says_more(&self, number: usize, others: &[usize]) -> bool {
        let of = |number: usize| self.texts.get(number).map_or(&[] as &[u64], Vec::as_slice);
        of(number).iter().any(|entry| !others.iter().any(|other| of(*other).iter().any(|known| known / RANKS == entry / RANKS)))
    }

    /// Where an identifier stands in `words`.
    fn index_of(&mut self, letters: &str) -> usize {
        if let Some(index) = self.places.get(letters) {
            return *index;
        }
        let index = self.words.len();
        let letters: Rc<str> = letters.into();
        self.places.insert(Rc::clone(&letters), index);
        self.words.push(Word { letters, text: 0, place: 0, texts: 0, tokens: 0, taken: false });
        index
    }
}

/// A line of identifiers that were written and what stands behind its end; `None` without an end. By their lengths, which is quicker
/// than looking at each letter.
pub fn split_written(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let mut end = 0;
    while *bytes.get(end)? != b'\n' {
        end += 2 + usize::from(bytes.get(end + 1)?.saturating_sub(NO_LENGTH));
    }
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// Each of the identifiers that were written, with its rank.
fn each_written(written: &str, each: &mut dyn FnMut(&str, u64)) {
    let mut rest = written.as_bytes();
    while let [rank, length, letters @ ..] = rest {
        let end = usize::from(length.saturating_sub(NO_LENGTH)).min(letters.len());
        let start = written.len() - letters.len();
        each(written.get(start..start + end).unwrap_or_default(), u64::from(rank.wrapping_sub(NO_RANK)) % RANKS);
        rest = &letters[end..];
    }
}

/// The bytes of identifiers; all others separate them.
const IDENTIFIER: u8 = LETTER | DIGIT | MARK;

/// Looks for words that are like identifiers: at least five characters of `[A-Za-z0-9_./:@-]`, with structure in them.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// It is JSON by its first letter: then keys are no identifiers, and what a backslash stands before does not begin one.
    is_json: bool,
}

impl Scanner<'_> {
    fn new(text: &str) -> Scanner<'_> {
        Scanner { text, at: 0, is_json: matches!(text.as_bytes().first(), Some(b'{' | b'[' | b'"')) }
    }

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
            if has & IDENTIFIER == LETTER || has & (LETTER | DIGIT) == 0 || at < start + LEAST_BYTES {
                continue;
            }
            if self.is_json {
                let before = bytes.get(..start).unwrap_or_default();
                if before.ends_with(b"\"") && matches!(bytes.get(at..at + 2), Some(b"\":")) {
                    continue;
                }
                if before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1 {
                    start += if bytes.get(start) == Some(&b'u') { 5 } else { 1 };
                }
            }
            let mut end = at;
            while matches!(bytes.get(start), Some(b'.' | b':' | b'-' | b'@')) {
                start += 1;
            }
            while matches!(bytes.get(end.wrapping_sub(1)), Some(b'.' | b':' | b'-' | b'/')) {
                end -= 1;
            }
            let length = end.saturating_sub(start);
            if (LEAST_BYTES..=IDENTIFIER_BYTES).contains(&length) && stretch(bytes, start, length, LETTER) < length {
                return Some((start, end));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_and_short_is_kept_before_what_is_long_or_a_bare_number() {
        let long = "/srv/releases/2024/archive/packages/deep/below/file.txt";
        let text = format!("{long} 1234567 one.a two.bb three.c two.bb");
        assert_eq!(identifiers_within(&text, 100), format!("two.bb one.a three.c {long} 1234567"));
        assert_eq!(identifiers_within(&text, estimate_tokens("two.bb") + 1), "two.bb");
    }

    #[test]
    fn in_json_neither_a_key_nor_an_escaped_letter_is_part_of_an_identifier() {
        // A line break before a name made `nsrc/lib.rs` of `src/lib.rs`, and the names of fields took the room of what they held.
        for (text, found) in [
            (r#"{"created_at":"on day_1","stdout":"ok\nsrc/lib.rs\ttest_2\u0041b_3"}"#, "day_1 src/lib.rs test_2"),
            (r#"["C:\\new_dir\\x.rs","say \"a_b_c\": c_d.e"]"#, "new_dir a_b_c c_d.e"),
            (r#"C:\new_dir\file.rs "created_at":"#, "new_dir file.rs created_at"),
            (r#""\u12""#, ""),
        ] {
            assert_eq!(identifiers_within(text, 100), found, "{text}");
        }
    }

    #[test]
    fn what_stands_in_several_texts_can_be_taken_first_and_what_is_left_there_not_at_all() {
        let mut identifiers = Identifiers::default();
        for text in ["once.a both.b kept/below.rs", "both.b"] {
            identifiers.read(text);
        }
        identifiers.leave("kept/below.rs");
        let mut found = String::new();
        identifiers.take(0, 100, 2, &mut found);
        assert_eq!(found, "both.b");
        assert!(!identifiers.take(1, 100, 1, &mut found), "taken already");
        identifiers.take(0, 100, 1, &mut found);
        assert_eq!(found, "both.b once.a");
    }

    #[test]
    fn a_text_says_more_than_others_when_it_has_an_identifier_that_none_of_them_has() {
        let mut identifiers = Identifiers::default();
        let [a, b, c] = ["name_1 word_2", "name_1 and", "src/c.rs word_2"].map(|text| identifiers.read(text));
        assert!(identifiers.says_more(a, &[b]) && identifiers.says_more(a, &[]));
        assert!(!identifiers.says_more(a, &[b, c]) && !identifiers.says_more(b, &[a]));
        let nothing = identifiers.read("no identifier");
        assert!(!identifiers.says_more(nothing, &[]));
    }

    #[test]
    fn what_was_written_is_read_as_the_text_was() {
        let secret = format!("sk-{}", "live9Qw7ZpL2mVw8RtY4nB");
        let bare = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let texts = [
            "see src/a.rs and src/b.rs, src/a.rs again, 1234567".to_owned(),
            format!("key {secret} in src/b.rs, and /srv/releases/2024/archive/packages/deep/file.txt"),
            String::new(),
            format!("https://me:{secret}@host.example/x and {secret}"),
            format!("password={bare}"),
        ];
        let (mut read, mut written, mut all) = (Identifiers::default(), Identifiers::default(), Vec::new());
        for text in &texts {
            let number = read.read(text);
            let mut text = String::new();
            read.write(number, &mut text);
            assert_eq!(written.read_written(&text), number);
            all.push(text);
        }
        for number in 0..texts.len() {
            for often in [2, 1] {
                let [mut found, mut again] = [String::new(), String::new()];
                assert_eq!(read.take(number, 50, often, &mut found), written.take(number, 50, often, &mut again));
                assert_eq!(found, again);
                assert!(!found.contains("live9") && !found.contains("x7Kq"), "{found}");
            }
        }
        // What is left is the same, too: also what belongs to a secret in one place and stands bare in another.
        for leaves_written in [false, true] {
            let mut identifiers = Identifiers::default();
            let number = identifiers.read(&format!("{bare} src/a.rs src/new.rs"));
            for (index, text) in texts.iter().enumerate() {
                if leaves_written {
                    identifiers.leave_written(&all[index]);
                } else {
                    identifiers.leave(text);
                }
            }
            let mut found = String::new();
            identifiers.take(number, 100, 1, &mut found);
            assert_eq!(found, "src/new.rs");
        }
    }
}
