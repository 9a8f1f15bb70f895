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
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for chunk in text.chunks(4) {
        let mut group = 0u32;
        for letter in chunk {
            group = group << 6 | value(*letter)?;
        }
        if chunk.len() == 1 {
            return None;
        }
        group <<= 6 * (4 - chunk.len());
        bytes.extend_from_slice(&group.to_be_bytes()[1..chunk.len()]);
    }
    Some(bytes)
}

fn value(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

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
