//! Where the tokens of a list went: per message and part, per kind, per tool. One JSON text, read by `counting.ts`.
//! Counts nothing itself: the numbers are those of entries.

use crate::entry::{Entry, Kind, Meter, measure_with};
use crate::json::Value;
use crate::message::{MediaKind, Message, Part};
use crate::settings::Settings;
use crate::tokens::MESSAGE_TOKENS;

/// What was counted, and what it was counted with.
pub struct Counted<'a> {
    /// The model's numbers.
    pub settings: &'a Settings,
    /// What the provider counted for the whole prompt; not a number when it was not said.
    pub reported_tokens: f64,
    /// The list.
    pub messages: &'a [Message],
    /// What it is measured with.
    pub meter: Meter<'a>,
}

/// Rounds a running sum, so that parts add up to exactly what the whole is rounded to.
#[derive(Default)]
struct Running {
    exact: f64,
    rounded: u64,
}

impl Running {
    fn add(&mut self, tokens: f64) -> u64 {
        self.exact += tokens;
        let before = self.rounded;
        self.rounded = self.exact.round() as u64;
        self.rounded - before
    }
}

/// Tokens by name, in order of appearance.
#[derive(Default)]
struct Totals(Vec<(String, u64)>);

impl Totals {
    fn add(&mut self, name: &str, tokens: u64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, total)) => *total += tokens,
            None => self.0.push((name.to_owned(), tokens)),
        }
    }

    fn write(&self, json: &mut String) {
        for (index, (name, tokens)) in self.0.iter().enumerate() {
            json.push_str(if index == 0 { "{" } else { "," });
            write_text(name, json);
            json.push(':');
            json.push_str(&tokens.to_string());
        }
        json.push_str(if self.0.is_empty() { "{}" } else { "}" });
    }
}

/// The breakdown as JSON: `{ tokens, source, overhead, messages, kinds, tools }`.
pub fn breakdown(counted: &Counted<'_>) -> String {
    let Counted { settings, reported_tokens, messages, meter } = *counted;
    let source_name = if settings.has_tokenizer { "count" } else { "estimate" };
    let end = format!(",\"source\":\"{source_name}\"}}");
    let (mut running, mut kinds, mut tools) = (Running::default(), Totals::default(), Totals::default());
    let mut list = String::new();
    for (index, message) in messages.iter().enumerate() {
        let Entry { parts, .. } = measure_with(message, meter);
        let before = running.rounded;
        kinds.add("message", running.add(f64::from(MESSAGE_TOKENS) * settings.prior_ratio));
        let mut written = String::new();
        for (index, (part, entry)) in message.parts.iter().zip(&parts).enumerate() {
            let (kind, tokens) = (kind_name(part, entry.kind), running.add(f64::from(entry.tokens) * settings.prior_ratio));
            kinds.add(kind, tokens);
            written.push_str(if index == 0 { "" } else { "," });
            written.push_str("{\"kind\":\"");
            written.push_str(kind);
            if !entry.name.is_empty() {
                tools.add(&entry.name, tokens);
                written.push_str("\",\"toolName\":");
                write_text(&entry.name, &mut written);
                written.push_str(",\"tokens\":");
            } else {
                written.push_str("\",\"tokens\":");
            }
            written.push_str(&tokens.to_string());
            written.push_str(&end);
        }
        list.push_str(if index == 0 { "" } else { "," });
        list.push_str("{\"role\":\"");
        list.push_str(message.role.name());
        list.push_str("\",\"tokens\":");
        list.push_str(&(running.rounded - before).to_string());
        list.push_str(",\"parts\":[");
        list.push_str(&written);
        list.push(']');
        list.push_str(&end);
    }
    // What the provider counted beyond the messages is system prompt and tools.
    let is_reported = reported_tokens > 0.0;
    let total = if is_reported { reported_tokens } else { running.exact + settings.fixed_tokens }.round() as u64;
    let mut json = String::from("{\"tokens\":");
    let source = format!(",\"source\":\"{}\"", if is_reported { "reported" } else { source_name });
    json.push_str(&total.to_string());
    json.push_str(&source);
    json.push_str(",\"overhead\":{\"tokens\":");
    json.push_str(&total.saturating_sub(running.rounded).to_string());
    json.push_str(&source);
    json.push_str("},\"messages\":[");
    json.push_str(&list);
    json.push_str("],\"kinds\":");
    kinds.write(&mut json);
    json.push_str(",\"tools\":");
    tools.write(&mut json);
    json.push('}');
    json
}

fn write_text(text: &str, json: &mut String) {
    Value::Text(text.into()).write(json);
}

/// The kind of a part as users read it. Media in a tool's output belong to the result.
fn kind_name(part: &Part, kind: Kind) -> &'static str {
    match (part, kind) {
        (Part::Media(media), _) => match media.kind {
            MediaKind::Image => "image",
            MediaKind::Pdf => "pdf",
            MediaKind::Audio => "audio",
            MediaKind::Video => "video",
            MediaKind::Text | MediaKind::Other => "file",
        },
        (_, Kind::Text) => "text",
        (_, Kind::Reasoning) => "reasoning",
        (_, Kind::Call) => "tool-call",
        (_, Kind::Result) => "tool-result",
        (_, Kind::ApprovalRequest | Kind::ApprovalResponse) => "approval",
        (_, Kind::Media | Kind::Opaque) => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Call, Output, Role, ToolResult};
    use crate::settings::Options;

    fn messages() -> Vec<Message> {
        let call = Call {
            id: "1".into(),
            name: "read \"x\"".into(),
            input: "{}".into(),
            omitted_bytes: 0,
            provider_executed: false,
            caller: None,
        };
        let result = ToolResult {
            id: "1".into(),
            name: "read \"x\"".into(),
            output: Output::Text("a b c ".repeat(99)),
            provider_executed: false,
            marker: None,
        };
        let of = |role, parts| Message { role, parts, marker: None };
        vec![
            Message::text(Role::User, "go on, please"),
            of(Role::Assistant, vec![Part::text("I will."), Part::Call(call)]),
            of(Role::Tool, vec![Part::Result(result)]),
        ]
    }

    #[test]
    fn parts_add_up_to_messages_kinds_and_the_whole() {
        let messages = messages();
        for (model, reported_tokens) in [("claude-sonnet-4-5", f64::NAN), ("gpt-5", 9_000.0)] {
            let settings = Settings::new(&Options { fixed_tokens: 50.0, ..Options::default() }, model, "", "");
            let meter = Meter { counting: settings.counting, count: &crate::tokens::estimate::estimate_tokens };
            let json = breakdown(&Counted { settings: &settings, reported_tokens, messages: &messages, meter });
            let value: serde_json::Value = serde_json::from_str(&json).unwrap();
            let sum = |list: &serde_json::Value| list.as_array().unwrap().iter().map(|item| item["tokens"].as_u64().unwrap()).sum::<u64>();
            let kinds: u64 = value["kinds"].as_object().unwrap().values().map(|tokens| tokens.as_u64().unwrap()).sum();
            assert_eq!(sum(&value["messages"]), kinds);
            assert_eq!(value["tokens"], kinds + value["overhead"]["tokens"].as_u64().unwrap());
            assert_eq!(value["source"], if reported_tokens > 0.0 { "reported" } else { "estimate" });
            assert!(value["tools"]["read \"x\""].as_u64().unwrap() > 250);
        }
    }
}
