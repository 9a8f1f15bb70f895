//! What a text can be found by: names, words, and pairs of characters where a script has no spaces. Hashes only, in any language.
//! Not what a term is worth (`worth`), and not where it was used (`uses`).

use std::hash::{BuildHasherDefault, Hasher};

use crate::digest::subject::is_unspaced;
use crate::model::fingerprint::mix;

/// Shortest and longest word, in characters and in bytes.
const LEAST_CHARS: usize = 3;
const MOST_BYTES: usize = 120;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What nobody writes in prose: an id, a path, a number, a word of code.
    Name,
    /// A word.
    Word,
    /// Two characters of a script without spaces.
    Pair,
}

/// Goes over the terms of a text. A name gives its words, too, so that `parse_header` is found by "header".
pub fn each_term(text: &str, take: &mut dyn FnMut(u64, Kind)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let Some(letter) = text[at..].chars().next() else { break };
        if !letter.is_alphanumeric() {
            at += letter.len_utf8();
            continue;
        }
        let start = at;
        let mut is_mixed = false;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii() {
                if !(byte.is_ascii_alphanumeric() || is_joint(byte)) {
                    break;
                }
                at += 1;
                continue;
            }
            let Some(letter) = text[at..].chars().next().filter(|letter| letter.is_alphanumeric() || is_mark(*letter)) else { break };
            is_mixed |= is_unspaced(letter);
            at += letter.len_utf8();
        }
        let run = text[start..at].trim_end_matches(|letter: char| letter.is_ascii() && is_joint(letter as u8));
        if is_mixed {
            pairs_and_words(run, take);
        } else if run.len() <= MOST_BYTES && !is_mark_value(bytes, start) {
            word(run, take);
        }
    }
}

/// What joins the parts of a name.
fn is_joint(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'.' | b'/' | b'@' | b':' | b'#')
}

/// Marks that stand upon letters of Indic scripts and Arabic.
fn is_mark(letter: char) -> bool {
    matches!(letter as u32, 0x0300..=0x036f | 0x064b..=0x065f | 0x0900..=0x0dff | 0x200c..=0x200d)
}

/// The value of a mark in brackets, such as `[ref=e42]` or `[level=2]`: it says how a node of a page stood there, and nothing once the page is gone.
fn is_mark_value(bytes: &[u8], start: usize) -> bool {
    let Some(before) = bytes[..start].strip_suffix(b"=") else { return false };
    let name = before.iter().rev().take_while(|byte| byte.is_ascii_lowercase()).count();
    name > 0 && before[..before.len() - name].ends_with(b"[")
}

fn word(run: &str, take: &mut dyn FnMut(u64, Kind)) {
    let bytes = run.as_bytes();
    let has_joint = bytes.iter().any(|byte| is_joint(*byte));
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let is_code = bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let letters = || run.chars().filter(|letter| letter.is_alphanumeric()).count();
    if has_joint || has_digit || is_code {
        if letters() >= LEAST_CHARS {
            take(hash(run), Kind::Name);
        }
        if has_joint {
            let parts = run.split(|letter: char| letter.is_ascii() && is_joint(letter as u8));
            parts.filter(|part| part.chars().count() >= LEAST_CHARS).for_each(|part| take(hash(part), Kind::Word));
        }
    } else if letters() >= LEAST_CHARS {
        take(hash(run), Kind::Word);
    }
}

/// A run of a script without spaces: pairs of its characters; what stands between in other scripts are words.
fn pairs_and_words(run: &str, take: &mut dyn FnMut(u64, Kind)) {
    let mut start = 0;
    let mut before: Option<(usize, bool)> = None;
    for (at, letter) in run.char_indices().chain([(run.len(), '\0')]) {
        let unspaced = is_unspaced(letter);
        if let Some((from, was_unspaced)) = before {
            if was_unspaced && unspaced {
                take(hash(&run[from..at + letter.len_utf8()]), Kind::Pair);
            }
            if was_unspaced != unspaced || at == run.len() {
                let part = run[start..at].trim_matches(|letter: char| letter.is_ascii() && is_joint(letter as u8));
                if !was_unspaced && !part.is_empty() && part.len() <= MOST_BYTES {
                    word(part, take);
                }
                start = at;
            }
        }
        before = Some((at, unspaced));
    }
}

/// The same for every writing of a word.
fn hash(word: &str) -> u64 {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return mix(0, word.as_bytes());
    }
    mix(0, word.to_lowercase().as_bytes())
}

/// Hashes are mixed already.
#[derive(Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, bytes);
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// For maps and sets of terms.
pub type ByTerm = BuildHasherDefault<Mixed>;

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (usize, usize, usize) {
        let mut counts = (0, 0, 0);
        each_term(text, &mut |_, kind| match kind {
            Kind::Name => counts.0 += 1,
            Kind::Word => counts.1 += 1,
            Kind::Pair => counts.2 += 1,
        });
        counts
    }

    fn shared(left: &str, right: &str) -> usize {
        let of = |text: &str| {
            let mut terms = Vec::new();
            each_term(text, &mut |term, _| terms.push(term));
            terms
        };
        let right = of(right);
        of(left).into_iter().filter(|term| right.contains(term)).count()
    }

    #[test]
    fn terms_are_names_words_and_pairs_in_any_script() {
        for (text, expected) in [
            ("order ORD-4711 was paid", (1, 5, 0)),
            ("parse_header(text)", (1, 3, 0)),
            ("東京から大阪", (0, 0, 5)),
            ("予算は1200円", (1, 0, 2)),
            ("Überweisung über 129,90 EUR", (1, 3, 0)),
            ("a 1 of - ...", (0, 0, 0)),
            ("link [ref=e4251]", (0, 2, 0)),
            ("title [level=1200]", (0, 2, 0)),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn a_term_is_the_same_however_it_is_written() {
        assert!(shared("Die ÜBERWEISUNG", "überweisung") == 1 && shared("parse_header", "the Header") == 1);
        assert!(shared("大阪へ", "東京から大阪") == 1 && shared("ord-4711", "(ORD-4711).") >= 2);
    }
}
