//! What kinds of bytes there are, for code that reads texts byte by byte: one look at a table answers all questions.
//! Knows no words: what a run of bytes means is for its readers to say.

/// A letter of ASCII.
pub const LETTER: u8 = 1;
/// A digit.
pub const DIGIT: u8 = 2;
/// A mark inside identifiers, such as paths.
pub const MARK: u8 = 4;
/// Part of a token.
pub const TOKEN: u8 = 8;
/// Part of a value that is assigned to a name.
pub const VALUE: u8 = 16;
/// May stand in front of something that must not be kept.
pub const OPENS: u8 = 32;
/// May stand between a name and the mark behind it.
pub const BEFORE: u8 = 64;
/// May stand between that mark and the value.
pub const BEHIND: u8 = 128;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    add(&mut kinds, b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", LETTER | TOKEN);
    add(&mut kinds, b"0123456789", DIGIT | TOKEN);
    add(&mut kinds, b"_./:@-", MARK);
    add(&mut kinds, b"_-.+/=~%", TOKEN);
    add(&mut kinds, b"<[{}]-:=>,; |\t\n\\\xe2\xef", OPENS);
    add(&mut kinds, b" \"'`\\[])=:*-\xc2\xa0", BEFORE);
    add(&mut kinds, b" \t\"'`\\=:>*", BEHIND);
    let mut byte = 0x21;
    while byte < 0x100 {
        kinds[byte] |= VALUE;
        byte += 1;
    }
    add(&mut kinds, b"\"'`\\,;<>(){}[]|&", VALUE);
    kinds
};

/// Turns bits of some bytes on, or off where they are on.
const fn add(kinds: &mut [u8; 256], bytes: &[u8], bits: u8) {
    let mut at = 0;
    while at < bytes.len() {
        kinds[bytes[at] as usize] ^= bits;
        at += 1;
    }
}

/// The kinds a byte is of.
#[inline(always)]
pub const fn kind(byte: u8) -> u8 {
    KINDS[byte as usize]
}

/// Whether there is a byte of one of these kinds at a place.
#[inline(always)]
pub fn is_at(bytes: &[u8], at: usize, kinds: u8) -> bool {
    at < bytes.len() && kind(bytes[at]) & kinds != 0
}

/// How many bytes from `at` on are of one of these kinds, up to a bound.
pub fn stretch(bytes: &[u8], at: usize, most: usize, kinds: u8) -> usize {
    let mut length = 0;
    while length < most && is_at(bytes, at + length, kinds) {
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_of_the_kinds_it_is_said_to_be() {
        for byte in 0..=u8::MAX {
            let is_word = byte.is_ascii_alphanumeric();
            let rows = [
                (LETTER, byte.is_ascii_alphabetic()),
                (DIGIT, byte.is_ascii_digit()),
                (MARK, b"_./:@-".contains(&byte)),
                (TOKEN, is_word || b"_-.+/=~%".contains(&byte)),
                (VALUE, byte > b' ' && !b"\"'`\\,;<>(){}[]|&".contains(&byte)),
                (OPENS, b"<[{}]-:=>,; |\t\n\\\xe2\xef".contains(&byte)),
                (BEFORE, b" \"'`\\[])=:*-\xc2\xa0".contains(&byte)),
                (BEHIND, b" \t\"'`\\=:>*".contains(&byte)),
            ];
            for (bit, is_one) in rows {
                assert_eq!(kind(byte) & bit != 0, is_one, "{byte} {bit}");
            }
        }
        assert_eq!((stretch(b"ab1-", 0, 9, LETTER), stretch(b"ab", 1, 9, LETTER), stretch(b"ab", 7, 9, LETTER)), (2, 1, 0));
    }
}
