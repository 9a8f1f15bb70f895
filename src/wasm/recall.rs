//! The boundary of `recall`: what the model asks for, and where it stands.

use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::{from_js, to_js};
use crate::model::entry::read_entries;
use crate::model::message::Message;
use crate::model::scan::{MeasuredBefore, MessageList};
use crate::run::recall::{Wanted, recall};

/// `RecallRequest` of `recall.ts`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(with = "serde_bytes")]
    messages: Vec<u8>,
    #[serde(with = "serde_bytes")]
    entries: Vec<u8>,
    id: String,
    pattern: String,
    from_line: u32,
    to_line: u32,
    older_messages: u32,
    refused_pages: u32,
}

/// What is asked for of the results in a list: `{ text }` for the model, `{ whole }`, the place of a result, or `{ nothing }`, a text that says
/// that there is none.
#[wasm_bindgen(js_name = recall)]
pub fn recall_result(request: JsValue) -> Result<JsValue, JsValue> {
    let request: Request = from_js(request)?;
    let messages: Vec<Message> = MessageList::new(&request.messages).iter(&MeasuredBefore).collect();
    let wanted = Wanted {
        id: &request.id,
        pattern: &request.pattern,
        from_line: request.from_line as usize,
        to_line: request.to_line as usize,
        older_messages: request.older_messages as usize,
        refused_pages: request.refused_pages as usize,
    };
    to_js(&recall(&messages, &read_entries(&request.entries), &wanted))
}
