//! The boundary of `recall`: what the model asks for, and where it stands.

use wasm_bindgen::prelude::*;

use super::UNCOUNTED;
use super::read::{Scan, messages};
use super::write::to_json;
use crate::entry::{Entry, measure_with};
use crate::recall::{Recalled, Wanted, recall};

/// What is asked for of the results in a list, as JSON: a text for the model; for a whole result its message and part in one number;
/// undefined when there is none and `last` does not ask for words.
#[wasm_bindgen(js_name = recall)]
pub fn recall_result(scan: &Scan, id: &str, pattern: &str, from_line: usize, to_line: usize, last: bool) -> Option<String> {
    let messages = messages(scan);
    let entries: Vec<Entry> = messages.iter().map(|message| measure_with(message, UNCOUNTED)).collect();
    match recall(&messages, &entries, &Wanted { id, pattern, from_line, to_line }) {
        Recalled::Whole(place) => Some(to_json(&(place.message as u64 * PARTS + place.part as u64))),
        Recalled::Nothing(_) if !last => None,
        Recalled::Nothing(text) => Some(to_json(&text)),
        Recalled::Text(text) => Some(to_json(&text)),
    }
}

/// More parts than any message has.
const PARTS: u64 = 65_536;
