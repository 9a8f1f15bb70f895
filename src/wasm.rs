//! The boundary, and with its submodules the only files that know JavaScript. It converts and calls; it decides nothing.
//! Keeps no state: every function depends on its arguments alone, so a trapped instance can be thrown away.
//!
//! A function of its own has what calls back into JavaScript, and what almost every step asks. All else is a `Question`, whose answer depends
//! on what is given with it alone (`answer.rs`). What is given is read field by field (`given.rs`), answers are written by serde; messages,
//! entries and states cross as bytes. `js/bridge/boundary.ts` has the types of all of it.
//!
//! No exported function returns a `JsValue` alone. V8 of Node 20 compiles calls into WebAssembly into the JavaScript that makes them. When
//! that JavaScript is deoptimised while such a call has called back, V8 aborts the process if the one result of the call is a reference:
//! `Deoptimizer::TranslatedValueForWasmReturnKind` knows numbers and nothing else. Bytes, a text and a `Result` have more than one
//! result, and V8 never inlines such a call (`CanInlineJSToWasmCall`). `tests/package/node20.test.mjs` holds every export to this.

mod answer;
mod given;
mod lazy;
mod options;
mod overflow;
mod plan;
mod recall;
mod session;

use std::rc::Rc;

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::model::entry::{Meter, measure_with, write_entry};
use crate::model::message::Message;
use crate::model::scan::MessageList;
use crate::providers::check::{check_messages, check_queued_message, check_thoughts};
use crate::redact::Rules;
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::media::Counting;
use lazy::WrittenMessages;

#[wasm_bindgen]
extern "C" {
    /// A tokenizer as `tokens.ts` hands it over. Texts of messages are counted while they are measured. The one call while planning is for
    /// texts that the engine has just written, of which nobody can know beforehand what they will be.
    pub type TextCounter;
    /// Tokens of a text in UTF-8; not a number where that fails.
    #[wasm_bindgen(method, catch, js_name = countUtf8)]
    fn count(this: &TextCounter, text: &[u8]) -> Result<f64, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// The user's function that keeps secrets out of texts, as `redact.ts` hands it over. It is asked about texts that the engine reads or
    /// has just written, as a tokenizer is.
    pub type Redactor;
    /// The text without secrets; undefined where that fails.
    #[wasm_bindgen(method, catch)]
    fn redact(this: &Redactor, text: &str) -> Result<Option<String>, JsValue>;
}

/// Whose rules keep secrets out: ours where nothing is said, nobody's at `false`.
fn rules_of(redactor: JsValue) -> Rules {
    match redactor.as_bool() {
        None if redactor.is_undefined() => Rules::Ours,
        Some(false) => Rules::Nobodys,
        _ => {
            let redactor: Redactor = redactor.unchecked_into();
            Rules::Users(Rc::new(move |text| redactor.redact(text).ok().flatten()))
        }
    }
}

/// A panic is printed before it traps, so that a report of one says what happened.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// A thrown error: TypeScript makes the class.
#[derive(Serialize)]
struct Failure {
    code: &'static str,
    message: String,
}

fn failed(code: &'static str, message: String) -> JsValue {
    to_js(&Failure { code, message }).unwrap_or_else(|error| error)
}

/// A value as plain JavaScript: what is missing in an event is null, as in JSON.
fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = Serializer::new().serialize_missing_as_null(true);
    Ok(value.serialize(&serializer)?)
}

/// Tokens of a text: exact when there is a tokenizer and it works.
fn count_text(tokenizer: Option<&TextCounter>, text: &str) -> u32 {
    let counted = tokenizer.and_then(|tokenizer| tokenizer.count(text.as_bytes()).ok()).filter(|tokens| *tokens >= 0.0);
    counted.map_or_else(|| estimate_tokens(text), |tokens| tokens as u32)
}

/// Measures messages: their entries, each behind its length in four bytes.
#[wasm_bindgen]
pub fn measure(messages: &[u8], counting: u8, written: &WrittenMessages, tokenizer: Option<TextCounter>) -> Vec<u8> {
    let meter = Meter { counting: Counting::from_number(counting), count: &|text| count_text(tokenizer.as_ref(), text) };
    let mut bytes = Vec::new();
    for message in MessageList::new(messages).iter(written) {
        write_entry(&measure_with(&message, meter), &mut bytes);
    }
    bytes
}

/// What a provider would reject, in order. With what was sent before, also the thoughts that changes since then make invalid.
#[wasm_bindgen(js_name = validateMessages)]
pub fn validate_messages(
    messages: &[u8],
    written: &WrittenMessages,
    previous: Option<Vec<u8>>,
    previous_written: &WrittenMessages,
) -> Result<JsValue, JsValue> {
    let messages: Vec<Message> = MessageList::new(messages).iter(written).collect();
    let mut violations = check_messages(&messages);
    if let Some(previous) = previous {
        let previous: Vec<Message> = MessageList::new(&previous).iter(previous_written).collect();
        violations.extend(check_thoughts(&previous, &messages));
    }
    to_js(&violations)
}

/// Why the first message of a list cannot be enqueued; undefined where it can.
#[wasm_bindgen(js_name = checkQueuedMessage)]
pub fn check_queued(messages: &[u8], written: &WrittenMessages) -> Option<String> {
    MessageList::new(messages).iter(written).next().and_then(|message| check_queued_message(&message))
}
