//! Entries and states as bytes, by postcard: what JavaScript keeps between two calls, and what a stored state holds.
//! The bytes hold no names and no version. What is stored for longer than a process is sealed: JSON with a version and a checksum, so that
//! damage is noticed.

use base64::prelude::{BASE64_STANDARD_NO_PAD, Engine as _};
use serde::{Deserialize, Serialize};

use crate::json::Value;
use crate::text::hash::mix;

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

/// Why sealed bytes cannot be used, where no more is known.
pub const DAMAGED: &str = "it is damaged";

/// Bytes as JSON text, `{"version":1,"data":"…"}`, that is of use beside these other bytes only.
pub fn seal(packed: &[u8], version: u32, beside: &[u8]) -> String {
    let mut bytes = mix(mix(0, beside), packed).to_le_bytes().to_vec();
    bytes.extend(packed);
    let (version, data) = (version.to_string(), BASE64_STANDARD_NO_PAD.encode(&bytes));
    let stored = Value::Map(vec![("version".into(), Value::Number(&version)), ("data".into(), Value::Text(data.into()))]);
    let mut text = String::new();
    stored.write(&mut text);
    text
}

/// Bytes that were sealed. The error says in a few words why they cannot be used.
pub fn open(text: &str, version: u32, beside: &[u8]) -> Result<Vec<u8>, String> {
    let value = Value::parse(text).unwrap_or(Value::Null);
    let (Some(Value::Number(given)), Some(Value::Text(data))) = (value.get("version"), value.get("data")) else {
        return Err("it is no stepfold state".to_owned());
    };
    if *given != version.to_string() {
        return Err(format!("it has version {given}, this is version {version}"));
    }
    let bytes = BASE64_STANDARD_NO_PAD.decode(data.as_bytes()).unwrap_or_default();
    match bytes.split_first_chunk::<8>() {
        Some((checksum, packed)) if mix(mix(0, beside), packed).to_le_bytes() == *checksum => Ok(packed.to_vec()),
        _ => Err(DAMAGED.to_owned()),
    }
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
