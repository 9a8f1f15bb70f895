//! Tokens that are recognized by how they begin, and by how they go on: a short beginning such as `re_`, `key-` or `api-` begins names of
//! refunds, files and pods, too, so each form says what must follow.

use crate::bytes::{LETTER, TOKEN, kind};
use crate::redact::beginning;
use crate::redact::values::looks_random;

/// The fewest bytes that follow a beginning, less than which is not looked at.
pub const LEAST_TAIL_BYTES: usize = 16;
/// Longest part of a token that another part follows, and as much of its last part as is looked at: the time is in proportion to a
/// text's length.
const PART_BYTES: usize = 1_024;
const LAST_PART_BYTES: usize = 64;

/// What follows, and the beginnings it follows: a letter for a kind of bytes (`is_of_kind`) with the least number of them, other marks as
/// they stand. Where a beginning is enough by itself, the number is small, so that a token that was cut short is recognized, too.
/// Sources: the providers' documentation, GitHub's list of secret scanning, and the rules of gitleaks 8.30 (November 2025, MIT).
const FORMS: &[(&str, &str)] = &[
    // Access keys, some of which hold no small letter.
    ("u16", "ABIA ACCA AGE-SECRET-KEY-1 AKIA ASIA NRAA- NRAK- NRAL-"),
    ("a16", "LTAI cmVmdGtu endr+ lin_api_ lin_oauth_ npg_ rk_live_ rk_test_ sk_live_ sk_test_ sm_aat_ sm_pat_ sm_sat_"),
    (
        "b16",
        "ATATT3 ATCTT3 CCIPAT_ CFPAT- GOCSPX- GR1348941 atlasv1. dckr_pat_ duffel_live_ duffel_test_ eyJhdXRocyI6 figd_ github_pat_ glcbt- \
         gldt- glft- glpat- glptt- glrt- glrtr- glsoat- sb_secret_ sk.eyJ sq0atp- sq0csp- sq0idp- xoxa- xoxb- xoxc- xoxe- xoxe.xox xoxo- \
         xoxp- xoxr- xoxs-",
    ),
    ("x16", "FLWSECK- FLWSECK_TEST- NRJS- bkua_ doo_v1_ dop_v1_ dor_v1_ rubygems_ shippo_live_ shippo_test_"),
    ("l16", "CLOJARS_"),
    ("p16", "xoxd-"),
    ("a20", "gho_ ghp_ ghr_ ghs_ ghu_ sk-"),
    ("b20", "glimt- sk-admin- sk-ant- sk-or- sk-proj- sk-svcacct- tskey-"),
    ("a24", "aio_ rnd_ secret_ zpka_"),
    ("b24", "AIza NRII- glsa_ hvb. hvs. pscale_oauth_ pscale_pw_ pscale_tkn_ sha256~ tvly- ya29."),
    // Keys of the kinds RSA, PKCS8, EC, OpenSSH and encrypted ones, in base64 once more.
    (
        "s24",
        "LS0tLS1CRUdJTiBSU0EgUFJJ LS0tLS1CRUdJTiBQUklWQV LS0tLS1CRUdJTiBFQyBQUk LS0tLS1CRUdJTiBPUEVOU1 LS0tLS1CRUdJTiBFTkNSWVB sntrys_ \
         whsec_",
    ),
    ("x24", "shpat_ shpca_ shppa_ shpss_ sntryu_"),
    ("u26", "API-"),
    ("a30", "AKID ATBB api_org_ cio hf_ ico- live_ nfp_ npm_ ntn_ p8e- phx_ pk- pnu_ r8_ rk_ sess- sk_ test_ tk- vck_"),
    ("b30", "AQVN HRKU- fio-u- lsv2_pt_ lsv2_sk_ pypi-Ag"),
    ("s30", "fm1a_ fm1r_ fm2_ fo1_ glc_ ops_eyJ"),
    ("x32", "SK dapi fc- key-"),
    ("a40", "EZAK EZTK csk- gsk_ jina_ pat_ pplx- xai-"),
    ("b40", "EAA dnkey- eyJrIjoi glagent- glffct- gloas- nvapi- pcsk_ tfp_ tgp_ tk-us-"),
    ("l40", "oy2 rdme_"),
    ("s40", "eyJfcmFpbHMi eyJpdiI6"),
    ("x40", "pul- s-s4t2af- s-s4t2ud- sbp_v0_ sbp_ sgp_local_ sgp_ sqa_ sqp_ squ_ xkeysib-"),
    ("t40", "dp.st."),
    ("a38", "4b1d"),
    // Of a kind nobody knows yet.
    ("b50", "sk- sk_"),
    ("a60", "AKC ATTA"),
    ("b60", "mfa."),
    ("p60", "AAAAAAAAAAAAAAAAAAAA"),
    ("t80", "sl. t1."),
    ("b80", "IGQV"),
    ("s100", "ABSK"),
    ("x8-x4-x4-x4-x12", "access-development- access-production- access-sandbox- api- pk-lf- sdk- sk-lf-"),
    ("l3-x8-x4-x4-x4-x12", "pat-"),
    ("u6-u6-u5", "A3-"),
    ("l2.a36", "dp."),
    ("u20.u16", "dt0c01."),
    // Of three parts, the first of which is JSON. Other JSON in base64, such as where a list goes on, has one part.
    ("b10.t8", "eyJ"),
    ("x24-x16", "PMAK-"),
    ("a14.x40", "pat"),
    ("b22.x24.a20", "pat. sat."),
    ("a8_a20", "re_"),
    ("b16.b30", "SG."),
    ("u6/u6/a16", "services/T"),
    ("x16_x40", "sgp_"),
    ("p20.p30", "s%3A"),
    ("x20-x30", "v1.0-"),
    ("d17/b40", "webhooks/"),
    ("d1-u9-b16", "xapp-"),
];

/// For each pair of bytes, hashed, the rows of forms that begin with it, and a bit for each pair that any begins with: nearly all words of a
/// text are ruled out by these two bytes.
const PAIRS: ([u64; 256], [u64; 256]) = {
    let mut pairs = ([0; 256], [0; 256]);
    let mut row = 0;
    while row < FORMS.len() {
        let list = FORMS[row].1.as_bytes();
        let mut at = 0;
        while at < list.len() {
            if at == 0 || list[at - 1] == b' ' {
                let (place, bit) = places_of(list[at], list[at + 1]);
                pairs.0[place] |= 1 << row;
                pairs.1[bit / 64] |= 1 << (bit % 64);
            }
            at += 1;
        }
        row += 1;
    }
    pairs
};

const fn places_of(first: u8, second: u8) -> (usize, usize) {
    ((first as usize * 37 + second as usize) % 256, (first as usize & 127) * 128 + (second as usize & 127))
}

/// The rows of forms that a token at `at` may have.
#[inline(always)]
pub fn rows_at(bytes: &[u8], at: usize) -> u64 {
    let (place, bit) = places_of(bytes[at], *bytes.get(at + 1).unwrap_or(&b' '));
    if PAIRS.1[bit / 64] >> (bit % 64) & 1 != 0 { PAIRS.0[place] } else { 0 }
}

/// Whether the token from `at` to `end` has the form of a provider's, and looks like chance.
#[inline(never)]
pub fn is_token(bytes: &[u8], at: usize, end: usize, rows: u64) -> bool {
    let Some(token) = bytes.get(at..end) else { return false };
    FORMS.iter().enumerate().filter(|(row, _)| rows >> row & 1 != 0).any(|(_, (form, list))| {
        let Some((beginning, tail)) = token.split_at_checked(beginning(list, token)) else { return false };
        !beginning.is_empty()
            && tail.get(..length_of(tail, form).unwrap_or(usize::MAX)).is_some_and(|tail| {
                // `pi_test_` and `cs_live_` are ids.
                let is_inner = bytes.get(at.wrapping_sub(1)) == Some(&b'_') && matches!(beginning, b"live_" | b"test_");
                // Access keys of AWS are short enough to look like words, as the one in its documentation does.
                let is_key = || form.starts_with("u16") && tail.iter().any(u8::is_ascii_digit);
                !is_inner && (looks_random(tail) || is_key())
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
        let kind = bit_of(mark);
        let length = text.get(at..)?.iter().take(most).take_while(|byte| KINDS[usize::from(**byte)] & kind != 0).count();
        if length < least {
            return None;
        }
        at += length;
    }
    Some(at)
}

/// The kinds of bytes that forms name.
const LETTERS: &[u8] = b"dxulabtps";

const fn bit_of(letter: u8) -> u16 {
    let mut at = 0;
    while at < LETTERS.len() && LETTERS[at] != letter {
        at += 1;
    }
    1 << at
}

/// A bit for each kind that a byte is of.
const KINDS: [u16; 256] = {
    let mut kinds = [0; 256];
    let mut at = 0;
    while at < 256 * LETTERS.len() {
        let (byte, letter) = ((at % 256) as u8, LETTERS[at / 256]);
        if is_of_kind(byte, letter) {
            kinds[byte as usize] |= bit_of(letter);
        }
        at += 1;
    }
    kinds
};

const fn is_of_kind(byte: u8, letter: u8) -> bool {
    let is_word = byte.is_ascii_alphanumeric();
    match letter {
        b'd' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        b'u' => is_word && !byte.is_ascii_lowercase(),
        b'l' => is_word && !byte.is_ascii_uppercase(),
        b'a' => is_word,
        b'b' => is_word || matches!(byte, b'_' | b'-'),
        b't' => is_word || matches!(byte, b'_' | b'-' | b'.'),
        b'p' => is_word || matches!(byte, b'_' | b'-' | b'%'),
        // All that base64 is made of, and what URLs make of it.
        _ => kind(byte) & TOKEN != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_how_far_it_goes_and_is_made_of_known_kinds() {
        for (form, _) in FORMS {
            assert!(form.split(|mark: char| !mark.is_ascii_alphanumeric()).all(|part| LETTERS.contains(&part.as_bytes()[0])), "{form}");
        }
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
