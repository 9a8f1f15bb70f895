//! How a call ended, by structure: the SDK's own output types, MCP's `isError`, an `error` member. Reads no sentence.

use crate::json::{Value, unwrapped};
use crate::model::message::{Output, ToolResult};

/// JSON above this size is not looked into: an error is short.
const READ_BYTES: usize = 256 * 1024;

/// Whether a result says that its call failed.
pub fn is_failure(result: &ToolResult) -> bool {
    let Output::Json(json) = &result.output else { return result.output.is_error() };
    if json.text.len() > READ_BYTES || !json.text.starts_with('{') {
        return false;
    }
    Value::parse(&json.text).is_some_and(|value| value_failed(&value))
}

fn value_failed(value: &Value<'_>) -> bool {
    let flag = |name: &str, wanted: bool| value.get(name) == Some(&Value::Bool(wanted));
    let says = |name: &str| match value.get(name) {
        Some(Value::Text(text)) => !text.trim().is_empty(),
        Some(Value::Map(members)) => !members.is_empty(),
        Some(Value::Bool(flag)) => *flag,
        _ => false,
    };
    flag("isError", true) || says("error") || flag("success", false) || flag("ok", false)
}

/// What a failed call says of why: its `error` member where it has one, else all of it.
pub fn reason(text: &str) -> String {
    let text = unwrapped(text);
    let value = if text.len() <= READ_BYTES && text.starts_with('{') { Value::parse(&text) } else { None };
    let named = value.as_ref().and_then(|value| ["error", "message", "reason"].iter().find_map(|name| value.get(name)));
    let reason = named.map(|value| value.joined_leaves(" ")).filter(|reason| !reason.trim().is_empty());
    reason.unwrap_or_else(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::Json;

    fn result(output: Output) -> ToolResult {
        ToolResult { id: "1".into(), name: "t".into(), output, provider_executed: false, marker: None }
    }

    #[test]
    fn a_failure_is_known_by_structure_and_not_by_words() {
        let json = |text: &str| Output::Json(Json { text: text.into(), omitted_bytes: 0 });
        for (output, failed) in [
            (Output::ErrorText("timeout".into()), true),
            (json(r#"{"error":"expired"}"#), true),
            (json(r#"{"error":{"code":4}}"#), true),
            (json(r#"{"error":null,"rows":[]}"#), false),
            (json(r#"{"error":""}"#), false),
            (json(r#"{"content":[{"type":"text","text":"no such id"}],"isError":true}"#), true),
            (json(r#"{"content":[{"type":"text","text":"Error handling in Rust"}],"isError":false}"#), false),
            (json(r#"{"success":false,"reason":"full"}"#), true),
            (Output::Text("Error: this is a page about errors".into()), false),
            (json("[1]"), false),
        ] {
            assert_eq!(is_failure(&result(output.clone())), failed, "{output:?}");
        }
    }

    #[test]
    fn what_a_failure_says_of_why_is_read_out_of_its_wrapping() {
        assert_eq!(reason(r#"{"error":{"code":4,"message":"expired"}}"#), "4 expired");
        assert_eq!(reason(r#"{"content":[{"type":"text","text":"no such id"}],"isError":true}"#), "no such id");
    }
}
