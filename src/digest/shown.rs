//! What the output of a result shows, as one text: the same however a store has kept it.
//! Not what of it is kept.

use std::borrow::Cow;

use crate::json::Value;
use crate::model::message::{Item, Output};

/// The output's text, with sorted keys where it is JSON and out of the envelope of MCP: what is written of it must not depend on how a store
/// orders keys.
/// Media, which the text cannot carry, are named in it.
pub fn sorted_text(output: &Output) -> Cow<'_, str> {
    if let Output::Content(items) = output {
        let texts = items.iter().map(|item| match item {
            Item::Text(text) => text.clone(),
            Item::Media(media) => format!("[{} left out]", media.title()),
            Item::Reference { .. } | Item::Opaque(_) => String::new(),
        });
        return texts.collect::<Vec<_>>().join("\n").into();
    }
    let (Output::Json(json) | Output::ErrorJson(json)) = output else { return output.as_text() };
    match Value::parse(&json.text) {
        // A text that a store keeps as a JSON string is still that text.
        Some(Value::Text(inner)) => inner,
        Some(value) => {
            let written = || {
                let mut text = String::with_capacity(json.text.len());
                value.write(&mut text);
                text
            };
            value.enveloped().unwrap_or_else(written).into()
        }
        None => json.text.as_str().into(),
    }
}
