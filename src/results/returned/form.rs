//! What single values look like: references, points in time, chance. By their letters alone, in any language.

use crate::text::redact::looks_random;

/// Digits of a reference, and of a number that is one by its name: a smaller one is a count or a status.
pub(super) const LEAST_DIGITS: usize = 2;
const LEAST_NUMBER_DIGITS: usize = 3;
/// A value of letters and digits by chance is no name for people from this length on: a trace, a hash, a session.
const OPAQUE_BYTES: usize = 16;

/// Whether a name ends as names of references do. A short ending begins a word of its own: nothing `paid` is an id.
pub(super) fn ends_like_id(name: &str) -> bool {
    const WHOLE: [&str; 5] = ["id", "no", "nr", "ref", "key"];
    const ENDINGS: [&str; 14] =
        ["number", "reference", "code", "token", "番号", "编号", "号", "numero", "numéro", "número", "nummer", "numer", "numara", "номер"];
    let lower = name.to_ascii_lowercase();
    ENDINGS.iter().any(|end| lower.ends_with(end))
        || WHOLE.iter().any(|end| {
            let Some(before) = lower.strip_suffix(end) else { return false };
            let (before, own) = name.split_at(before.len());
            let begins_word = own.starts_with(|letter: char| letter.is_ascii_uppercase()) && !before.ends_with(char::is_uppercase);
            before.is_empty() || before.ends_with(['_', '-', '.', ' ', ':']) || !before.is_ascii() || begins_word
        })
}

/// Whether a number under such a name is a reference.
pub(super) fn is_long_number(number: &str) -> bool {
    number.bytes().filter(u8::is_ascii_digit).count() >= LEAST_NUMBER_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word looks like a reference: letters and digits, or digits in groups; no date, time, address or sentence.
pub fn is_id(word: &str) -> bool {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let (mut digits, mut letters, mut others) = (0, 0, 0);
    for letter in word.chars() {
        match letter {
            _ if letter.is_ascii_digit() => digits += 1,
            _ if letter.is_alphabetic() => letters += 1,
            '-' | '_' | '/' | '#' | '.' | ':' => others += 1,
            _ => return false,
        }
    }
    let is_clock = letters <= 1 && (word.contains(':') || word.matches('-').count() == 2 && word.len() <= 10);
    digits >= LEAST_DIGITS
        && (letters >= 1 || others >= 1 && digits >= 6)
        && digits + letters + others <= 64
        && !word.contains("://")
        && !is_clock
        && !is_time(word)
}

/// Whether a value is a point in time as machines write it: a date, `T` and a time.
pub(super) fn is_time(text: &str) -> bool {
    // Most texts begin otherwise.
    let first = text.as_bytes().first().filter(|first| first.is_ascii_digit());
    let Some((date, time)) = first.and_then(|_| text.split_once(['T', ' '])) else { return false };
    let is_of = |part: &str, signs: &[char], least: usize| {
        part.bytes().filter(u8::is_ascii_digit).count() >= least
            && part.chars().all(|letter| letter.is_ascii_digit() || signs.contains(&letter))
    };
    is_of(date, &['-', '/', '.'], 6) && is_of(time, &[':', '.', ',', '+', '-', 'Z'], 4)
}

/// Whether a point in time is on a whole minute, as people agree on one; a machine notes its own to the second.
pub(super) fn is_whole_minute(text: &str) -> bool {
    let Some((_, time)) = text.split_once(['T', ' ']) else { return false };
    let time = time.split(['+', '-', 'Z']).next().unwrap_or_default();
    let mut parts = time.split([':', '.', ',']).skip(2);
    time.contains(':') && parts.all(|part| part.bytes().all(|digit| digit == b'0'))
}

/// Whether a value is letters and digits by chance, and nobody's name for anything: a trace, a hash, a session.
pub(super) fn is_opaque(text: &str) -> bool {
    text.len() >= OPAQUE_BYTES && !text.contains(' ') && looks_random(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_no_date_and_no_address() {
        for (word, expected) in [
            ("re_9XZ12", true),
            ("SH-77120", true),
            ("4711-2290-11", true),
            ("ORD7731", true),
            ("2026-05-04", false),
            ("12:30", false),
            ("2026-05-04T10:00:00Z", false),
            ("20260504T103000", false),
            ("https://a.test/12", false),
            ("word", false),
            ("129.9", false),
            ("e1", false),
        ] {
            assert_eq!(is_id(word), expected, "{word}");
        }
    }

    #[test]
    fn a_name_of_a_reference_ends_with_a_word_for_one() {
        for (name, expected) in [
            ("id", true),
            ("orderId", true),
            ("conf_no", true),
            ("bestellNr", true),
            ("trackingnumber", true),
            ("予約番号", true),
            ("paid", false),
            ("void", false),
            ("grid", false),
            ("VALID", false),
            ("status", false),
        ] {
            assert_eq!(ends_like_id(name), expected, "{name}");
        }
    }

    #[test]
    fn what_is_there_by_chance_is_no_name() {
        for (text, expected) in [
            ("48fa8de1f33f0601aecb1973e1c20bbd", true),
            ("9f1c2a7e-41d3-4b5a-9c0e-7d2f6a8b1c3d", true),
            ("nightly-reconcile-29391", false),
            ("35250112345678000190550010000012341000012345", false),
            ("SH-77120", false),
        ] {
            assert_eq!(is_opaque(text), expected, "{text}");
        }
    }
}
