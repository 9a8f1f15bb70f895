//! Forms of tokens that are recognized by how they begin, and by how they go on: a short beginning such as `re_`, `key-` or `api-` begins
//! names of refunds, files and pods, too, so each form says what must follow.

use crate::bytes::{DIGIT, LETTER, TOKEN, kind};
use crate::redact::forms_table::FORMS;
use crate::redact::values::looks_random;

/// The fewest bytes that follow a beginning, less than which is not looked at.
pub const LEAST_TAIL_BYTES: usize = 16;
/// Longest part of a token that another part follows, and as much of its last part as is looked at: the time is in proportion to a
/// text's length.
const PART_BYTES: usize = 1_024;
const LAST_PART_BYTES: usize = 64;

/// Which pairs of bytes the forms begin with, hashed: nearly all words of a text are ruled out by these two.
const FIRST_PAIRS: [u64; 32] = {
    let mut pairs = [0; 32];
    let mut index = 0;
    while index < FORMS.len() {
        let first = FORMS[index].0.as_bytes();
        let place = pair_place(first[0], first[1]);
        pairs[place / 64] |= 1 << (place % 64);
        index += 1;
    }
    pairs
};

const fn pair_place(first: u8, second: u8) -> usize {
    (first as usize * 37 + second as usize) % 2048
}

/// Where the forms of each group begin, and where the last ends. A group is what the low five bits of first bytes say.
const GROUPS: [u8; 33] = {
    let mut groups = [0; 33];
    let (mut index, mut group) = (0, 0);
    while index < FORMS.len() {
        let of_form = (FORMS[index].0.as_bytes()[0] & 31) as usize;
        assert!(of_form + 1 >= group, "a form stands before those of another group");
        while group <= of_form {
            groups[group] = index as u8;
            group += 1;
        }
        index += 1;
    }
    while group < groups.len() {
        groups[group] = index as u8;
        group += 1;
    }
    groups
};

/// Whether the token from `at` to `end` has the form of a provider's, and looks like chance.
#[inline(never)]
pub fn is_token(bytes: &[u8], at: usize, end: usize) -> bool {
    let Some(token) = bytes.get(at..end) else { return false };
    let [first, second, ..] = token else { return false };
    let place = pair_place(*first, *second);
    if FIRST_PAIRS[place / 64] >> (place % 64) & 1 == 0 {
        return false;
    }
    let group = usize::from(first & 31);
    FORMS[GROUPS[group].into()..GROUPS[group + 1].into()].iter().any(|(beginning, form)| {
        token.strip_prefix(beginning.as_bytes()).and_then(|tail| tail.get(..length_of(tail, form)?)).is_some_and(|tail| {
            // `pi_test_` and `cs_live_` are ids.
            let is_inner = || bytes.get(at.wrapping_sub(1)) == Some(&b'_') && matches!(*beginning, "live_" | "test_");
            // Access keys of AWS are short enough to look like words, as the one in its documentation does.
            let is_key = || form.starts_with("u16") && tail.iter().any(u8::is_ascii_digit);
            (looks_random(tail) || is_key()) && !is_inner()
        })
    })
}

/// How many bytes of a text have this form, up to what is looked at; `None` when it has another.
fn length_of(text: &[u8], form: &str) -> Option<usize> {
    let mut at = 0;
    let mut form = form.bytes().peekable();
    while let Some(mark) = form.next() {
        if kind(mark) & LETTER == 0 {
            if text.get(at) != Some(&mark) {
                return None;
            }
            at += 1;
            continue;
        }
        let mut least = 0;
        while let Some(digit) = form.next_if(u8::is_ascii_digit) {
            least = least * 10 + usize::from(digit - b'0');
        }
        let most = if form.peek().is_some() { PART_BYTES } else { LAST_PART_BYTES.max(least) };
        let length = text.get(at..)?.iter().take(most).take_while(|byte| is_of_kind(**byte, mark)).count();
        if length < least {
            return None;
        }
        at += length;
    }
    Some(at)
}

/// The kinds of bytes that forms name.
fn is_of_kind(byte: u8, kind_letter: u8) -> bool {
    match kind_letter {
        b'd' => kind(byte) & DIGIT != 0,
        b'x' => byte.is_ascii_hexdigit(),
        b'u' => byte.is_ascii_uppercase() || kind(byte) & DIGIT != 0,
        b'l' => byte.is_ascii_lowercase() || kind(byte) & DIGIT != 0,
        b'a' => kind(byte) & (LETTER | DIGIT) != 0,
        b'b' => kind(byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-'),
        b't' => kind(byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-' | b'.'),
        b'p' => kind(byte) & (LETTER | DIGIT) != 0 || matches!(byte, b'_' | b'-' | b'%'),
        // All that base64 is made of, and what URLs make of it.
        _ => kind(byte) & TOKEN != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_made_of_kinds_that_are_known_and_asks_for_enough_bytes() {
        for (beginning, form) in FORMS {
            let mut least = 0;
            for part in form.split(|mark: char| !mark.is_ascii_alphanumeric()) {
                assert!("dxulabtps".contains(&part[..1]), "{beginning} {form}");
                least += part[1..].parse::<usize>().unwrap();
            }
            assert!(least >= LEAST_TAIL_BYTES, "{beginning} {form}");
        }
    }

    #[test]
    fn a_form_says_how_far_it_goes() {
        for (text, form, length) in [
            ("ab12-x", "a4-a1", Some(6)),
            ("ab12_x", "a4-a1", None),
            ("ab1", "a4", None),
            ("abcdef.", "a4", Some(6)),
            ("", "a1", None),
            ("12/é", "d2/", Some(3)),
        ] {
            assert_eq!(length_of(text.as_bytes(), form), length, "{text} {form}");
        }
    }
}
