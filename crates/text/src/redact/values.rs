//! Whether a value looks like a secret: by chance in its letters, or as a password that a person chose. What name it stands under is not
//! read here, and alone no value is a secret: ids, hashes and file names look like chance, too.

use crate::bytes::{DIGIT, LETTER, kind};

/// Least bytes of a value that looks like chance, and of one that a person chose.
pub const VALUE_BYTES: usize = 8;
const CHOSEN_BYTES: std::ops::Range<usize> = 6..SAMPLE_BYTES;
/// Least bytes of a key that has only small letters or only large ones.
const KEY_BYTES: usize = 16;
/// As much of a value is looked at.
pub const SAMPLE_BYTES: usize = 64;

/// For each letter, the letters that follow it often: the 220 most frequent pairs in identifiers of 1,500 JavaScript files,
/// which are 83 % of all there and 33 % of pairs by chance.
const PAIRS: [u32; 26] = [
    0x15fbfff, 0x0114917, 0x11b4d95, 0x105411d, 0x0aff9ff, 0x0014111, 0x0040117, 0x0004011, 0x00f785f, 0x0000001, 0x0000011, 0x11d4911,
    0x004c113, 0x01c417d, 0x07ef80f, 0x01a4811, 0x011017d, 0x11e7115, 0x01cc1d5, 0x11ec197, 0x00e3911, 0x0000011, 0x0004111, 0x0080000,
    0x000a005, 0x0004000,
];

/// Whether letters and digits follow each other as they do by chance and not in words: at most 60 % of them are frequent pairs.
#[inline(never)]
pub fn looks_random(text: &[u8]) -> bool {
    let (mut pairs, mut frequent) = (0, 0);
    let mut first = b' ';
    for byte in text.get(..SAMPLE_BYTES).unwrap_or(text) {
        let second = byte.to_ascii_lowercase();
        let kinds = [kind(first) & (LETTER | DIGIT), kind(second) & (LETTER | DIGIT)];
        if kinds[0] * kinds[1] != 0 && kinds != [DIGIT; 2] {
            pairs += 1;
            // Digits have no row and no column.
            let row = PAIRS.get(usize::from(first.wrapping_sub(b'a'))).unwrap_or(&0);
            frequent += row.checked_shr(u32::from(second.wrapping_sub(b'a'))).unwrap_or(0) & 1;
        }
        first = second;
    }
    pairs >= 4 && frequent * 5 <= pairs * 3
}

/// Whether a value under a name of keys and codes of all kinds is one that is kept secret: made by chance, and no short code of capital letters
/// or of small ones and digits, as bookings, rows and parts have.
pub fn is_secret_key(value: &[u8]) -> bool {
    value.len() >= VALUE_BYTES && looks_random(value) && !is_uuid(value) && (is_mixed(value) || value.len() >= KEY_BYTES)
}

/// Whether a value names where a secret is kept, or stands in its place: `op://…`, `arn:…`, `${NAME}`, `$(command)`, `<your-key>`;
/// or is a color.
pub fn is_reference(value: &[u8]) -> bool {
    let is_name = |text: &[u8]| text.iter().all(|byte| kind(*byte) & LETTER != 0 || *byte == b'_');
    match value {
        [b'$', b'{' | b'(', ..] | [b'<' | b'{' | b'[' | b'*' | b'(', ..] => true,
        [b'$', rest @ ..] => is_name(rest),
        // A color.
        [b'#', rest @ ..] => matches!(rest.len(), 3 | 4 | 6 | 8) && rest.iter().all(u8::is_ascii_hexdigit),
        [b'%', rest @ .., b'%'] => is_name(rest),
        _ => value.starts_with(b"arn:") || value.windows(3).any(|mark| mark == b"://"),
    }
}

/// A UUID. Under most names it is an id.
pub fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() })
}

/// Whether a value holds small and large letters and digits, as hardly any word of a sentence does.
pub fn is_mixed(value: &[u8]) -> bool {
    let has = |is_kind: fn(&u8) -> bool| value.iter().any(is_kind);
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

/// Whether a value may be a password that a person chose, such as a word and a year: no path, no code, no name of a text.
pub fn looks_chosen(value: &[u8]) -> bool {
    if !CHOSEN_BYTES.contains(&value.len()) {
        return false;
    }
    let has = |is_kind: fn(&u8) -> bool| value.iter().any(is_kind);
    let has_sign = has(|byte| b"!#%*?^~@".contains(byte));
    let is_mixed = has(u8::is_ascii_alphabetic) && (has_sign || has(u8::is_ascii_digit));
    let is_none = || has(|byte| b"(){}[]<>$|&/\\,;".contains(byte)) || value.windows(2).any(|pair| pair == b"**" || pair == b"..");
    is_mixed && (has_sign || !value.contains(&b'.')) && !is_none()
}

/// Whether a value is one word of letters, as a password that a person chose may be, and none that says how a password is.
pub fn is_word(value: &[u8]) -> bool {
    const STATES: &str = "required optional string hidden redacted masked changed expired invalid incorrect missing forgotten unknown encrypted \
        hashed disabled enabled default undefined unchanged visible confirm forgot protected secure strong varchar boolean number integer";
    let is_state = || STATES.split(' ').any(|known| value.eq_ignore_ascii_case(known.as_bytes()));
    (6..32).contains(&value.len()) && value.iter().all(|byte| kind(*byte) & LETTER != 0) && !is_state()
}
