//! Base64, both alphabets, without padding: for the state, and to sample media that arrives as text.
//! Not the `base64` crate, whose decoder alone is 2 KB of the download after compression.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes as base64, without padding.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = vec![0; bytes.len().div_ceil(3) * 4];
    for (letters, chunk) in text.chunks_exact_mut(4).zip(bytes.chunks(3)) {
        let byte = |at: usize| u32::from(*chunk.get(at).unwrap_or(&0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = |shift: u32| ALPHABET[(group >> shift) as usize & 63];
        letters.copy_from_slice(&[letter(18), letter(12), letter(6), letter(0)]);
    }
    text.truncate((bytes.len() * 4).div_ceil(3));
    String::from_utf8(text).unwrap_or_default()
}

/// The bytes behind base64 of either alphabet; `None` when it is none.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut text = text.as_bytes();
    while let [rest @ .., b'='] = text {
        text = rest;
    }
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = vec![0; text.len() / 4 * 3 + 3];
    for (chunk, decoded) in text.chunks(4).zip(bytes.chunks_exact_mut(3)) {
        let mut group = 0;
        for at in 0..4 {
            let value = chunk.get(at).map_or(0, |letter| VALUES[usize::from(*letter)]);
            if value == NONE {
                return None;
            }
            group = group << 6 | u32::from(value);
        }
        let [_, first, second, third] = group.to_be_bytes();
        decoded.copy_from_slice(&[first, second, third]);
    }
    bytes.truncate(text.len() * 3 / 4);
    Some(bytes)
}

/// What stands for a letter of neither alphabet.
const NONE: u8 = 255;
/// The six bits of each letter.
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < 64 {
        values[ALPHABET[value as usize] as usize] = value;
        value += 1;
    }
    values[b'-' as usize] = 62;
    values[b'_' as usize] = 63;
    values
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_known_texts_are_right() {
        for (bytes, text) in
            [(&b""[..], ""), (b"f", "Zg"), (b"fo", "Zm8"), (b"foo", "Zm9v"), (b"foobar", "Zm9vYmFy"), (&[0xfb, 0xff, 0xfe], "+//+")]
        {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        assert_eq!(decode("-__-"), decode("+//+"));
        assert_eq!(decode("Zm8=").as_deref(), Some(&b"fo"[..]));
        for bad in ["A", "Zm9v!", "é", "Zm 9"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
