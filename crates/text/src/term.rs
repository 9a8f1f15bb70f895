//! What a text can be found by: names, words, and pairs of characters where a script has no spaces or glues endings to its words. Hashes only, in any language.
//! Not what a term is worth (`worth`), and not where it was used (`uses`).

use crate::hash::mix;
use crate::sentence::is_glued;

/// Shortest and longest word, in characters and in bytes.
const LEAST_CHARS: usize = 3;
const MOST_BYTES: usize = 120;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What nobody writes in prose, and what has a name of its own: an id, a path, an address.
    Name,
    /// A word of code: the name of a function, of a column.
    Code,
    /// Digits alone, with what joins them: an amount, a date.
    Figure,
    /// A part of a name with a digit, such as `20T14` of a point in time: each row of a log has its own.
    Digits,
    /// A word.
    Word,
    /// Two characters of a script without spaces, or of Hangul.
    Pair,
}

impl Kind {
    /// What it says differs from one row to the next.
    pub fn is_of_row(self) -> bool {
        matches!(self, Self::Name | Self::Code | Self::Figure)
    }

    /// It is a word as everybody writes it.
    pub fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::Pair)
    }
}

/// Goes over the terms of a text. A name gives its words, too, so that `parse_header` is found by "header".
pub fn each_term(text: &str, take: &mut dyn FnMut(u64, Kind)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let class = class_of(bytes[at]);
        if class & OTHER != 0 {
            let Some(letter) = text[at..].chars().next() else { break };
            if !letter.is_alphanumeric() {
                at += letter.len_utf8();
                continue;
            }
        } else if class & (LETTER | DIGIT) == 0 {
            // The letter of an escape in JSON is not that of the word behind it.
            let is_escape = bytes[at] == b'\\' && matches!(bytes.get(at + 1), Some(b'n' | b't' | b'r' | b'\\'));
            at += if is_escape { 2 } else { 1 };
            continue;
        }
        let mut run = Run::default();
        let mut is_mixed = false;
        while at < bytes.len() {
            let class = class_of(bytes[at]);
            if class == 0 {
                break;
            }
            if class & OTHER == 0 {
                run.take(class, at);
                at += 1;
                continue;
            }
            let Some(letter) = text[at..].chars().next().filter(|letter| letter.is_alphanumeric() || is_mark(*letter)) else { break };
            is_mixed |= is_glued(letter);
            at += letter.len_utf8();
            run.take_other(letter, at);
        }
        // Joints behind the last letter are no part of it.
        let word = &text[start..run.end];
        if is_mixed {
            pairs_and_words(word, take);
        } else if word.len() <= MOST_BYTES && !is_mark_value(bytes, start) {
            run.take_terms(word, take);
        }
    }
}

/// The words of a text that may name one thing among many, whole or in part: those with a digit.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !is_of_reference(letter)).map(|word| word.trim_matches(['-', '_']));
    words.filter(|word| word.contains(char::is_numeric))
}

/// Whether a text has this name in it, such as an address in which it is a part, and no longer name that begins or ends with it.
pub fn has_reference(text: &str, name: &str) -> bool {
    let goes_on = |letter: Option<char>| letter.is_some_and(is_of_reference);
    text.match_indices(name).any(|(at, _)| !goes_on(text[..at].chars().next_back()) && !goes_on(text[at + name.len()..].chars().next()))
}

fn is_of_reference(letter: char) -> bool {
    letter.is_alphanumeric() && !is_glued(letter) || matches!(letter, '-' | '_')
}

const LETTER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 4;
const JOINT: u8 = 8;
/// No ASCII: decided by the character.
const OTHER: u8 = 16;

/// What a byte may be in a word; one look decides most bytes.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => LETTER,
            b'A'..=b'Z' => LETTER | UPPER,
            b'0'..=b'9' => DIGIT,
            // What joins the parts of a name.
            b'_' | b'-' | b'.' | b'/' | b'@' | b':' | b'#' => JOINT,
            0x80.. => OTHER,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn class_of(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

/// What was seen of a run of letters, digits and joints.
#[derive(Default)]
struct Run {
    /// Letters and digits.
    letters: usize,
    /// Joints, without those after the last letter.
    joints: usize,
    /// Joints behind the last letter so far.
    open_joints: usize,
    /// The end of the last letter.
    end: usize,
    digits: usize,
    /// A small letter stands before a capital one.
    is_code: bool,
    before: u8,
}

impl Run {
    fn take(&mut self, class: u8, at: usize) {
        if class & JOINT != 0 {
            self.open_joints += 1;
        } else {
            self.reach(at + 1);
            self.letters += 1;
            self.digits += usize::from(class & DIGIT != 0);
            self.is_code |= class & UPPER != 0 && self.before == LETTER;
        }
        self.before = class;
    }

    fn take_other(&mut self, letter: char, end: usize) {
        self.reach(end);
        self.letters += usize::from(letter.is_alphanumeric());
        self.before = 0;
    }

    fn reach(&mut self, end: usize) {
        self.joints += std::mem::take(&mut self.open_joints);
        self.end = end;
    }

    /// The terms of the run, whose text is `word`.
    fn take_terms(&self, word: &str, take: &mut dyn FnMut(u64, Kind)) {
        if self.letters < LEAST_CHARS {
            return;
        }
        let kind = match self.joints > 0 || self.digits > 0 || self.is_code {
            true if self.digits == self.letters => Kind::Figure,
            true if self.digits == 0 && word.bytes().all(|byte| byte == b'_' || class_of(byte) & JOINT == 0) => Kind::Code,
            true => Kind::Name,
            false => Kind::Word,
        };
        take(hash(word), kind);
        if self.joints > 0 {
            let parts = word.split(|letter: char| letter.is_ascii() && is_joint(letter as u8));
            let is_long = |part: &&str| part.len() >= LEAST_CHARS && part.chars().count() >= LEAST_CHARS;
            let kind = |part: &str| if part.bytes().any(|byte| byte.is_ascii_digit()) { Kind::Digits } else { Kind::Word };
            parts.filter(is_long).for_each(|part| take(hash(part), kind(part)));
        }
    }
}

/// What joins the parts of a name.
fn is_joint(byte: u8) -> bool {
    class_of(byte) & JOINT != 0
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

/// The terms of a run between pairs.
fn word(part: &str, take: &mut dyn FnMut(u64, Kind)) {
    let mut run = Run::default();
    for (at, letter) in part.char_indices() {
        if letter.is_ascii() {
            run.take(class_of(letter as u8), at);
        } else {
            run.take_other(letter, at + letter.len_utf8());
        }
    }
    run.take_terms(part, take);
}

/// A run with a script that is glued to others: pairs of its characters; what stands between in other scripts are words.
fn pairs_and_words(run: &str, take: &mut dyn FnMut(u64, Kind)) {
    let mut start = 0;
    let mut before: Option<(usize, bool)> = None;
    for (at, letter) in run.char_indices().chain([(run.len(), '\0')]) {
        let glued = is_glued(letter);
        if let Some((from, was_glued)) = before {
            if was_glued && glued {
                take(hash(&run[from..at + letter.len_utf8()]), Kind::Pair);
            }
            if was_glued != glued || at == run.len() {
                let part = run[start..at].trim_matches(|letter: char| letter.is_ascii() && is_joint(letter as u8));
                if !was_glued && !part.is_empty() && part.len() <= MOST_BYTES {
                    word(part, take);
                }
                start = at;
            }
        }
        before = Some((at, glued));
    }
}

/// The same for every writing of a word.
fn hash(word: &str) -> u64 {
    let bytes = word.as_bytes();
    if !bytes.is_ascii() {
        return mix(0, word.to_lowercase().as_bytes());
    }
    let mut small = [0; MOST_BYTES];
    match small.get_mut(..bytes.len()) {
        Some(small) if bytes.iter().any(u8::is_ascii_uppercase) => {
            small.copy_from_slice(bytes);
            small.make_ascii_lowercase();
            mix(0, small)
        }
        _ => mix(0, bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (usize, usize, usize) {
        let mut counts = (0, 0, 0);
        each_term(text, &mut |_, kind| match kind {
            Kind::Name | Kind::Code | Kind::Figure => counts.0 += 1,
            Kind::Word | Kind::Digits => counts.1 += 1,
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
            ("서울에서 ORD-17을 받았다", (1, 1, 5)),
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
        assert!(shared(r"daily:\nWarfarin\t3\\new", "Warfarin, new") == 2, "behind an escape of JSON as well");
        assert!(shared("서울은", "서울에서") == 1 && shared("ORD-17을", "ORD-17이") == 2, "whatever particle stands behind it");
        assert!(shared("大阪へ", "東京から大阪") == 1 && shared("ord-4711", "(ORD-4711).") >= 2);
    }

    #[test]
    fn a_reference_is_a_word_with_a_digit_and_has_an_end_in_any_script() {
        let words = |text| references(text).collect::<Vec<_>>();
        assert_eq!(words("Bei V-9 (zu INV_7/2026) bitte 74,50"), ["V-9", "INV_7", "2026", "74", "50"]);
        assert_eq!(words("発注書N-7を送る"), ["N-7"]);
        assert_eq!(words("N-7을 취소"), ["N-7"]);
        for (text, has) in
            [("get(/payments/P-7)", true), ("P-7を取消", true), ("look(P-77)", false), ("look(XP-7)", false), ("P-7-2", false)]
        {
            assert_eq!(has_reference(text, "P-7"), has, "{text}");
        }
    }
}
