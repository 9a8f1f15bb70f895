//! Entries and states as bytes, by postcard: what JavaScript keeps between two calls, and what a stored state holds.
//! The bytes hold no names and no version. Whoever stores them for longer than a process adds a version, as `state.rs` does.

use serde::{Deserialize, Serialize};

/// The value as bytes.
pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Fails for a sequence of unknown length only, which no value here has.
    postcard::to_allocvec(value).unwrap_or_default()
}

/// The value that these bytes hold; `None` when they are damaged, or more than one value.
pub fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    let (value, rest) = first_from_bytes(bytes)?;
    rest.is_empty().then_some(value)
}

/// The value at the start of these bytes, and what is behind it.
pub fn first_from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<(T, &'a [u8])> {
    postcard::take_from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sample {
        numbers: Vec<u32>,
        text: Option<String>,
        share: f64,
        fingerprint: u64,
        flag: bool,
    }

    fn sample() -> Sample {
        Sample { numbers: vec![0, 127, 128, u32::MAX], text: Some("é😀".into()), share: -0.5, fingerprint: u64::MAX, flag: true }
    }

    #[test]
    fn a_value_comes_back_and_damaged_bytes_do_not() {
        let bytes = to_bytes(&sample());
        assert_eq!(from_bytes::<Sample>(&bytes), Some(sample()));
        for length in 0..bytes.len() {
            assert_eq!(from_bytes::<Sample>(&bytes[..length]), None, "cut to {length}");
        }
        assert_eq!(from_bytes::<Sample>(&[&bytes[..], &[0]].concat()), None);
    }

    #[test]
    fn a_count_that_promises_more_than_there_is_allocates_nothing() {
        let most = [0xff, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(from_bytes::<Vec<u32>>(&most), None);
        assert_eq!(from_bytes::<Vec<[u64; 16]>>(&most), None);
        assert_eq!(from_bytes::<String>(&most), None);
        assert_eq!(from_bytes::<Vec<Vec<String>>>(&[&[1], &most[..]].concat()), None);
    }
}
