//! Messages of another form than `ModelMessage`: what other frameworks and APIs call a message. Nothing of them can be measured or edited; they are told
//! by their shape, as what they are and with what to do. Read from shapes alone, when an entry looks as if it were none of the SDK's.

use serde::Serialize;

use crate::json::Value;
use crate::model::entry::{Entry, Kind};
use crate::model::message::Role;
use crate::model::span::StandsFor;

/// A form of messages, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Form {
    /// Its name.
    pub form: &'static str,
    /// What they are and what to do, for a developer.
    pub message: &'static str,
}

const MASTRA: Form = Form {
    form: "mastra",
    message: "the messages are Mastra's own (`content: { format, parts }`), as its agents pass them to `prepareStep`, and no ModelMessage[]: they can \
              be neither measured nor edited, and the run goes on without. Give the agent `model: session.model(model)`, which folds what is sent when \
              the provider refuses it, or let the AI SDK run the loop.",
};
const UI: Form = Form {
    form: "ui",
    message: "the messages are UI messages (`parts` in place of `content`), and no ModelMessage[]: they can be neither measured nor edited, and the run \
              goes on without. Convert them: `convertToModelMessages(messages)`, which is asynchronous from ai 6 on.",
};
const OPENAI: Form = Form {
    form: "openai",
    message: "the messages are written as OpenAI's API takes them (`tool_calls`, `tool_call_id`, typed items), and no ModelMessage[]: they can be neither \
              measured nor edited, and the run goes on without. Write them as the AI SDK does, with parts `tool-call` and `tool-result`.",
};
const ANTHROPIC: Form = Form {
    form: "anthropic",
    message: "the messages are written as Anthropic's API takes them (`tool_use`, `tool_result`), and no ModelMessage[]: they can be neither measured nor \
              edited, and the run goes on without. Write them as the AI SDK does, with parts `tool-call` and `tool-result`.",
};
const BEDROCK: Form = Form {
    form: "bedrock",
    message: "the messages are written as Amazon Bedrock's API takes them (`toolUse`, `toolResult`), and no ModelMessage[]: they can be neither measured \
              nor edited, and the run goes on without. Write them as the AI SDK does, with parts `tool-call` and `tool-result`.",
};
const GOOGLE: Form = Form {
    form: "google",
    message: "the messages are written as Google's API takes them (`parts` with `functionCall`), and no ModelMessage[]: they can be neither measured nor \
              edited, and the run goes on without. Write them as the AI SDK does, with `content`.",
};
const LANGCHAIN: Form = Form {
    form: "langchain",
    message: "the messages are LangChain's, and no ModelMessage[]: they can be neither measured nor edited, and the run goes on without. Write them as \
              the AI SDK does, with `role` and `content`.",
};
const AI_4: Form = Form {
    form: "ai-4",
    message: "the messages are those of ai 4 (`args` and `result` in place of `input` and `output`), and no ModelMessage[]: they can be neither measured \
              nor edited, and the run goes on without. Convert them as the AI SDK's guide of migration to ai 5 says.",
};

/// Whether a message may be of another form: it holds nothing that the SDK would have written there.
pub fn is_suspicious(entry: &Entry) -> bool {
    let is_strange = |kind: &Kind, tokens: u32| match kind {
        Kind::Opaque => true,
        Kind::Text => entry.role() == Role::Tool,
        Kind::Result => tokens == 0,
        _ => false,
    };
    entry.stands_for == StandsFor::Itself
        && (entry.role() == Role::Unknown
            || entry.parts.is_empty()
            || entry.parts.iter().any(|part| !part.native_compaction && is_strange(&part.kind, part.tokens)))
}

/// The form of messages, by their shapes as JSON: a list of messages, of which long texts and deep values may be missing. `None` where all are of the
/// SDK's form, or of none that is known.
pub fn form_of(shapes: &str) -> Option<Form> {
    match Value::parse(shapes) {
        Some(Value::List(messages)) => messages.iter().find_map(of_message),
        _ => None,
    }
}

fn of_message(message: &Value<'_>) -> Option<Form> {
    let has = |name: &str| message.get(name).is_some_and(|value| *value != Value::Null);
    let kind = |value: &Value<'_>| value.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if ["lc_kwargs", "lc_namespace", "additional_kwargs"].into_iter().any(has) {
        return Some(LANGCHAIN);
    }
    match (message.get("content"), message.get("parts")) {
        (Some(content @ Value::Map(_)), _) if content.get("parts").is_some() => return Some(MASTRA),
        (None | Some(Value::Null), Some(Value::List(parts))) => {
            let is_google = |part: &Value<'_>| kind(part).is_empty();
            return Some(if !parts.is_empty() && parts.iter().all(is_google) { GOOGLE } else { UI });
        }
        _ => {}
    }
    let is_item = !has("role") && ["function_call", "function_call_output", "reasoning", "message"].contains(&kind(message).as_str());
    if ["tool_calls", "tool_call_id", "function_call"].into_iter().any(has) || is_item {
        return Some(OPENAI);
    }
    let Some(Value::List(parts)) = message.get("content") else { return None };
    parts.iter().find_map(|part| {
        let has = |name: &str| part.get(name).is_some();
        match kind(part).as_str() {
            "tool_use" | "tool_result" | "server_tool_use" => Some(ANTHROPIC),
            "input_text" | "output_text" | "image_url" | "input_image" => Some(OPENAI),
            "tool-call" if has("args") && !has("input") => Some(AI_4),
            "tool-result" if has("result") && !has("output") => Some(AI_4),
            "" if has("toolUse") || has("toolResult") => Some(BEDROCK),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_told_by_its_shape_and_the_sdk_s_own_is_none() {
        for (message, form) in [
            (r#"{"id":"1","role":"user","content":{"format":2,"parts":[{"type":"text","text":"Hi"}]}}"#, "mastra"),
            (r#"{"id":"1","role":"assistant","content":{"format":2,"parts":[{"type":"tool-invocation"}],"content":""}}"#, "mastra"),
            (r#"{"role":"user","content":{"format":3,"parts":[]}}"#, "mastra"),
            (r#"{"id":"1","role":"user","parts":[{"type":"text","text":"Hi"}]}"#, "ui"),
            (r#"{"id":"1","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-read","state":"output-available"}]}"#, "ui"),
            (r#"{"role":"user","parts":[]}"#, "ui"),
            (r#"{"role":"model","parts":[{"functionCall":{}}]}"#, "google"),
            (r#"{"role":"user","parts":[{"text":"Hi"}]}"#, "google"),
            (r#"{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}"#, "openai"),
            (r#"{"role":"tool","tool_call_id":"1","content":"4"}"#, "openai"),
            (r#"{"role":"user","content":[{"type":"image_url"}]}"#, "openai"),
            (r#"{"type":"function_call_output","call_id":"1","output":"4"}"#, "openai"),
            (r#"{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"1"}]}"#, "anthropic"),
            (r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"1"}]}"#, "anthropic"),
            (r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"1"}}]}"#, "bedrock"),
            (r#"{"lc_kwargs":{},"content":"Hi"}"#, "langchain"),
            (r#"{"content":"Hi","additional_kwargs":{}}"#, "langchain"),
            (r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"1","args":{}}]}"#, "ai-4"),
            (r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","result":4}]}"#, "ai-4"),
            (r#"{"role":"user","content":"Hi"}"#, ""),
            (r#"{"role":"user","content":"Hi","parts":[{"type":"text"}]}"#, ""),
            (r#"{"role":"assistant","content":[]}"#, ""),
            (r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"1","input":{"args":1}}]}"#, ""),
            (r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","output":{"type":"text","value":"4"}}]}"#, ""),
            (r#"{"role":"assistant","content":[{"type":"custom","kind":"openai.compaction"}]}"#, ""),
            ("null", ""),
            ("[]", ""),
        ] {
            assert_eq!(form_of(&format!(r#"[{{"role":"user","content":"a"}},{message}]"#)).map_or("", |form| form.form), form, "{message}");
        }
        assert_eq!(form_of("{"), None);
    }
}
