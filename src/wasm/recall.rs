//! The question of `recall`: what the model asks for, and where it stands.

use wasm_bindgen::prelude::*;

use super::given::Given;
use super::to_js;
use crate::model::entry::read_entries;
use crate::model::message::Message;
use crate::model::scan::{MeasuredBefore, MessageList};
use crate::run::recall::{Wanted, recall};

/// What is asked for of the results in a list: `{ text }` for the model, `{ whole }`, the place of a result, `{ media }`, that
/// of a picture or file and what it is, or `{ nothing }`, a text that says
/// that there is none.
pub fn recalled(given: &Given) -> Result<JsValue, JsValue> {
    let messages: Vec<Message> = MessageList::new(&given.bytes("messages")).iter(&MeasuredBefore).collect();
    let wanted = Wanted {
        id: &given.text("id"),
        pattern: &given.text("pattern"),
        from_line: given.index("fromLine"),
        to_line: given.index("toLine"),
        older_messages: given.index("olderMessages"),
        refused_pages: given.index("refusedPages"),
        provider: &given.text("provider"),
        specification: &given.text("specification"),
    };
    to_js(&recall(&messages, &read_entries(&given.bytes("entries")), &wanted))
}
