//! Where the tokens of a list went: per message and part, per kind, per tool. One JSON text, read by `counting.ts`.
//! Counts nothing itself: the numbers are those of entries.

use crate::entry::{Entry, Kind, Meter, measure_with};
use crate::json::Value;
use crate::message::{Item, MediaKind, Message, Output, Part, ToolResult};
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
        json.push('{');
        for (name, tokens) in &self.0 {
            next(json);
            write_text(name, json);
            json.push(':');
            json.push_str(&tokens.to_string());
        }
        json.push('}');
    }
}

/// The breakdown as JSON: `{ tokens, source, overhead, messages, kinds, tools }`.
pub fn breakdown(counted: &Counted<'_>) -> String {
    let Counted { settings, reported_tokens, messages, meter } = *counted;
    let (mut running, mut kinds, mut tools) = (Running::default(), Totals::default(), Totals::default());
    let mut list = String::new();
    // A sum is as good as the least of its parts.
    let mut all_counted = settings.has_tokenizer;
    for message in messages {
        let Entry { parts, .. } = measure_with(message, meter);
        let before = running.rounded;
        kinds.add("message", running.add(f64::from(MESSAGE_TOKENS) * settings.prior_ratio));
        next(&mut list);
        list.push_str("{\"role\":\"");
        list.push_str(message.role.name());
        list.push_str("\",\"parts\":[");
        let mut message_counted = settings.has_tokenizer;
        for (part, entry) in message.parts.iter().zip(&parts) {
            let (kind, tokens) = (kind_name(part, entry.kind), running.add(f64::from(entry.tokens) * settings.prior_ratio));
            kinds.add(kind, tokens);
            next(&mut list);
            list.push_str("{\"kind\":\"");
            list.push_str(kind);
            list.push_str("\",");
            if !entry.name.is_empty() {
                tools.add(&entry.name, tokens);
                list.push_str("\"toolName\":");
                write_text(&entry.name, &mut list);
                list.push(',');
            }
            let is_counted = settings.has_tokenizer && is_text(part);
            message_counted &= is_counted;
            write_tokens(tokens, source_name(is_counted), &mut list);
        }
        list.push_str("],");
        write_tokens(running.rounded - before, source_name(message_counted), &mut list);
        all_counted &= message_counted;
    }
    // What the provider counted beyond the messages is system prompt and tools.
    let (total, source) = if reported_tokens > 0.0 {
        (reported_tokens, "reported")
    } else {
        (running.exact + settings.overhead_tokens, source_name(all_counted))
    };
    let total = total.round() as u64;
    let mut json = String::from("{\"overhead\":{");
    write_tokens(total.saturating_sub(running.rounded), source, &mut json);
    json.push_str(",\"messages\":[");
    json.push_str(&list);
    json.push_str("],\"kinds\":");
    kinds.write(&mut json);
    json.push_str(",\"tools\":");
    tools.write(&mut json);
    json.push(',');
    write_tokens(total, source, &mut json);
    json
}

/// Sets a comma before all but the first of a list or an object.
#[inline(never)]
fn next(json: &mut String) {
    if !matches!(json.as_bytes().last(), None | Some(b'{' | b'[')) {
        json.push(',');
    }
}

/// A number and where it comes from, as the last of an object.
#[inline(never)]
fn write_tokens(tokens: u64, source: &str, json: &mut String) {
    json.push_str("\"tokens\":");
    json.push_str(&tokens.to_string());
    json.push_str(",\"source\":\"");
    json.push_str(source);
    json.push_str("\"}");
}

const fn source_name(is_counted: bool) -> &'static str {
    if is_counted { "count" } else { "estimate" }
}

/// Whether a tokenizer counts all of it. Media and what is unknown cost by rules.
fn is_text(part: &Part) -> bool {
    match part {
        Part::Media(_) | Part::Opaque { .. } => false,
        Part::Result(ToolResult { output: Output::Content(items), .. }) => items.iter().all(|item| matches!(item, Item::Text(_))),
        _ => true,
    }
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
            let settings = Settings::new(&Options { overhead_tokens: 50.0, ..Options::default() }, model, "");
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
