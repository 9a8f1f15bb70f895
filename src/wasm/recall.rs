//! The boundary of `recall`: what the model asks for, and where it stands.

use wasm_bindgen::prelude::*;

use super::UNCOUNTED;
use super::read::{Scan, messages};
use crate::entry::{Entry, measure_with};
use crate::recall::{Recalled, Wanted, recall};

/// What is asked for of the results in a list: a text for the model; for a whole result its message and part in one number;
/// undefined when there is none and `last` does not ask for words.
#[wasm_bindgen(js_name = recall)]
pub fn recall_result(scan: &Scan, id: &str, pattern: &str, from_line: usize, to_line: usize, last: bool) -> JsValue {
    let messages = messages(scan);
    let entries: Vec<Entry> = messages.iter().map(|message| measure_with(message, UNCOUNTED)).collect();
    match recall(&messages, &entries, &Wanted { id, pattern, from_line, to_line }) {
        Recalled::Whole(place) => JsValue::from_f64(place.message as f64 * PARTS + place.part as f64),
        Recalled::Nothing(_) if !last => JsValue::UNDEFINED,
        Recalled::Nothing(text) => JsValue::from_str(text),
        Recalled::Text(text) => JsValue::from_str(&text),
    }
}

/// More parts than any message has.
const PARTS: f64 = 65_536.0;
