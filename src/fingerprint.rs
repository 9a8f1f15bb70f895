//! Stable hashes of what a part says, and the chain over a history that recognises it again.
//! Independent of message boundaries, key order, metadata and reasoning, all of which a database or UI round trip changes.
//! Not a secret and not a checksum of bytes: two parts that say the same have the same fingerprint.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use crate::message::{Item, Media, Output, Part, Role};

/// Fingerprint of one part. Zero is kept for parts that take no part in the chain.
pub type Print = u64;

/// Fingerprint of everything up to a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain(pub u128);

impl Chain {
    /// The chain after one more part.
    pub fn then(self, print: Print) -> Chain {
        let mut bytes = [0u8; 24];
        bytes[..16].copy_from_slice(&self.0.to_le_bytes());
        bytes[16..].copy_from_slice(&print.to_le_bytes());
        Chain(xxh3_128(&bytes))
    }

    /// A short id for texts and markers: 12 hexadecimal digits.
    pub fn short_id(self) -> String {
        format!("{:012x}", (self.0 >> 80) as u64)
    }
}

/// The fingerprint of a part said by `role`. Zero for what a round trip may drop: reasoning, blank text, approvals.
///
/// Approvals are left out because their ids and grouping change between live runs and stored messages;
/// the calls they belong to are in the chain.
///
/// `json` is the print of the call's input or of the result's JSON output, which the caller has parsed already.
pub fn part_print(role: Role, part: &Part, json: u64) -> Print {
    let mut hash = Xxh3::new();
    match part {
        Part::Text { text, .. } if text.trim().is_empty() => return 0,
        Part::Text { text, .. } => {
            hash.update(b"text");
            hash.update(role.name().as_bytes());
            hash.update(text.as_bytes());
        }
        Part::Reasoning { .. } | Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. } => return 0,
        Part::Media(media) => {
            hash.update(b"media");
            update_media(&mut hash, media);
        }
        Part::Call(call) => {
            hash.update(b"call");
            update_field(&mut hash, call.id.as_bytes());
            update_field(&mut hash, call.name.as_bytes());
            hash.update(&json.to_le_bytes());
        }
        Part::Result(result) => {
            hash.update(b"result");
            update_field(&mut hash, result.id.as_bytes());
            update_field(&mut hash, result.name.as_bytes());
            update_output(&mut hash, &result.output, json);
        }
        // The payload of such parts is metadata, which stores drop: only the name is sure to come back.
        Part::Opaque { name, .. } => {
            hash.update(b"opaque");
            update_field(&mut hash, name.as_bytes());
        }
    }
    hash.digest().max(1)
}

/// A print of a JSON value that does not depend on the order of keys or on white space in its text.
/// `value` is `None` for text that is no JSON or nested too deeply to parse: it is hashed as it stands.
pub fn json_print(text: &str, value: Option<&Value>) -> u64 {
    value.map_or_else(|| xxh3_64(text.as_bytes()), value_print)
}

fn value_print(value: &Value) -> u64 {
    match value {
        Value::Null => scalar(b'n', b""),
        Value::Bool(flag) => scalar(b'b', &[u8::from(*flag)]),
        Value::Number(number) => scalar(b'f', &(number.as_f64().unwrap_or(f64::NAN) + 0.0).to_bits().to_le_bytes()),
        Value::String(text) => scalar(b's', text.as_bytes()),
        Value::Array(items) => {
            let mut hash = Xxh3::new();
            hash.update(b"[");
            items.iter().for_each(|item| hash.update(&value_print(item).to_le_bytes()));
            hash.digest()
        }
        // The map is sorted by key.
        Value::Object(map) => {
            let mut hash = Xxh3::new();
            hash.update(b"{");
            for (key, inner) in map {
                update_field(&mut hash, key.as_bytes());
                hash.update(&value_print(inner).to_le_bytes());
            }
            hash.digest()
        }
    }
}

fn update_output(hash: &mut Xxh3, output: &Output, json: u64) {
    // A text output and a JSON string say the same: stores differ in which one they keep.
    match output {
        Output::Text(text) => hash.update(&scalar(b's', text.as_bytes()).to_le_bytes()),
        Output::Json(_) => hash.update(&json.to_le_bytes()),
        Output::ErrorText(text) => {
            hash.update(b"error");
            hash.update(&scalar(b's', text.as_bytes()).to_le_bytes());
        }
        Output::ErrorJson(_) => {
            hash.update(b"error");
            hash.update(&json.to_le_bytes());
        }
        Output::Denied(reason) => {
            hash.update(b"denied");
            hash.update(reason.as_bytes());
        }
        Output::Content(items) => {
            for item in items {
                match item {
                    Item::Text(text) => update_field(hash, text.as_bytes()),
                    Item::Media(media) => update_media(hash, media),
                    Item::Opaque(bytes) => hash.update(&bytes.to_le_bytes()),
                }
            }
        }
        Output::Unknown(bytes) => hash.update(&bytes.to_le_bytes()),
    }
}

fn update_media(hash: &mut Xxh3, media: &Media) {
    hash.update(&media.bytes.unwrap_or(u64::MAX).to_le_bytes());
    hash.update(&media.sample);
}

fn update_field(hash: &mut Xxh3, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn scalar(tag: u8, bytes: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&[tag]);
    hash.update(bytes);
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json_print(text: &str) -> u64 {
        super::json_print(text, serde_json::from_str(text).ok().as_ref())
    }

    #[test]
    fn json_prints_ignore_key_order_and_space_but_nothing_else() {
        let same = [r#"{"a":1,"b":[1,{"x":"y","z":null}]}"#, r#"{ "b": [1, {"z":null,"x":"y"}], "a": 1.0 }"#];
        assert_eq!(json_print(same[0]), json_print(same[1]));
        for other in
            [r#"{"a":1,"b":[{"x":"y","z":null},1]}"#, r#"{"a":"1","b":[1,{"x":"y","z":null}]}"#, r#"{"a":1}"#, "[]", "{}", "null", "\"\""]
        {
            assert_ne!(json_print(same[0]), json_print(other), "{other}");
        }
    }

    #[test]
    fn text_that_is_no_json_still_has_a_print() {
        for text in ["", "{", "[1,2", "{\"a\":1} trailing", "\u{0}"] {
            assert_eq!(json_print(text), json_print(text));
        }
        let deep = "[".repeat(100_000);
        assert_eq!(json_print(&deep), json_print(&deep));
    }

    #[test]
    fn a_chain_depends_on_the_order() {
        assert_ne!(Chain::default().then(7).then(9), Chain::default().then(9).then(7));
    }
}
