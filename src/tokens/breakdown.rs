//! Where the tokens of a list went: per message and part, per kind, per tool. Read by `tokens.ts`.
//! Counts nothing itself: the numbers are those of entries.

use serde::Serialize;

use crate::model::entry::{Entry, Kind};
use crate::model::message::{Item, MediaKind, Message, Output, Part, ToolResult};
use crate::settings::Settings;
use crate::tokens::MESSAGE_TOKENS;

/// What was counted, and what it was counted with.
pub struct Counted<'a> {
    /// The model's numbers.
    pub settings: &'a Settings,
    /// What the provider counted for the whole prompt.
    pub reported_tokens: Option<f64>,
    /// The list.
    pub messages: &'a [Message],
    /// The same, measured.
    pub entries: &'a [Entry],
}

/// A number and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// How many.
    pub tokens: u64,
    /// `reported`, `count` or `estimate`.
    pub source: &'static str,
}

/// Tokens of one part.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartTokens {
    /// What it is.
    pub kind: &'static str,
    /// The tool of a call or result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// How many.
    pub tokens: u64,
    /// See `Tokens`.
    pub source: &'static str,
}

/// Tokens of one message.
#[derive(Debug, Serialize)]
pub struct MessageTokens {
    /// Its role.
    pub role: &'static str,
    /// In order.
    pub parts: Vec<PartTokens>,
    /// How many.
    pub tokens: u64,
    /// See `Tokens`.
    pub source: &'static str,
}

/// Where the tokens went. Parts add up to their message; messages and overhead add up to the whole.
#[derive(Debug, Serialize)]
pub struct Breakdown {
    /// The whole.
    pub tokens: u64,
    /// See `Tokens`.
    pub source: &'static str,
    /// System prompt and tools.
    pub overhead: Tokens,
    /// In the order of the list.
    pub messages: Vec<MessageTokens>,
    /// By kind of part.
    pub kinds: Totals,
    /// By tool: its calls and results.
    pub tools: Totals,
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

/// Tokens by name, in order of appearance. Pairs and no object: a tool may be called `__proto__`.
#[derive(Debug, Default, Serialize)]
pub struct Totals(Vec<(String, u64)>);

impl Totals {
    fn add(&mut self, name: &str, tokens: u64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, total)) => *total += tokens,
            None => self.0.push((name.to_owned(), tokens)),
        }
    }
}

/// Where the tokens went.
pub fn breakdown(counted: &Counted<'_>) -> Breakdown {
    let Counted { settings, reported_tokens, messages, entries } = *counted;
    let (mut running, mut kinds, mut tools) = (Running::default(), Totals::default(), Totals::default());
    // A sum is as good as the least of its parts.
    let mut all_counted = settings.has_tokenizer;
    let mut list = Vec::with_capacity(messages.len());
    for (message, entry) in messages.iter().zip(entries) {
        let before = running.rounded;
        kinds.add("message", running.add(f64::from(MESSAGE_TOKENS) * settings.prior_ratio));
        let mut message_counted = settings.has_tokenizer;
        let mut parts = Vec::with_capacity(message.parts.len());
        for (part, entry) in message.parts.iter().zip(&entry.parts) {
            let (kind, tokens) = (kind_name(part, entry.kind), running.add(f64::from(entry.tokens) * settings.prior_ratio));
            kinds.add(kind, tokens);
            let tool_name = Some(entry.name.clone()).filter(|name| !name.is_empty());
            if let Some(name) = &tool_name {
                tools.add(name, tokens);
            }
            let is_counted = settings.has_tokenizer && is_text(part);
            message_counted &= is_counted;
            parts.push(PartTokens { kind, tool_name, tokens, source: source_name(is_counted) });
        }
        let (tokens, source) = (running.rounded - before, source_name(message_counted));
        list.push(MessageTokens { role: message.role.name(), parts, tokens, source });
        all_counted &= message_counted;
    }
    // What the provider counted beyond the messages is system prompt and tools.
    let (total, source) = match reported_tokens.filter(|tokens| *tokens > 0.0) {
        Some(reported) => (reported, "reported"),
        None => (running.exact + settings.overhead_tokens, source_name(all_counted)),
    };
    let tokens = total.round() as u64;
    let overhead = Tokens { tokens: tokens.saturating_sub(running.rounded), source };
    Breakdown { tokens, source, overhead, messages: list, kinds, tools }
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
    use crate::model::entry::measure;
    use crate::model::message::{Call, Role};
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
        let result =
            ToolResult { id: "1".into(), name: "read \"x\"".into(), output: Output::Text("a b c ".repeat(99)), ..ToolResult::default() };
        let of = |role, parts| Message { role, parts, marker: None, has_cache_mark: false, carried: None };
        vec![
            Message::text(Role::User, "go on, please"),
            of(Role::Assistant, vec![Part::text("I will."), Part::Call(call)]),
            of(Role::Tool, vec![Part::Result(result)]),
        ]
    }

    #[test]
    fn parts_add_up_to_messages_kinds_and_the_whole() {
        let messages = messages();
        for (model, reported_tokens) in [("claude-sonnet-4-5", None), ("gpt-5", Some(9_000.0))] {
            let settings = Settings::new(&Options { overhead_tokens: 50.0, ..Options::default() }, model, "");
            let entries: Vec<Entry> = messages.iter().map(measure).collect();
            let counted = Counted { settings: &settings, reported_tokens, messages: &messages, entries: &entries };
            let value = serde_json::to_value(breakdown(&counted)).unwrap();
            let sum = |list: &serde_json::Value| list.as_array().unwrap().iter().map(|item| item["tokens"].as_u64().unwrap()).sum::<u64>();
            let kinds: u64 = value["kinds"].as_array().unwrap().iter().map(|pair| pair[1].as_u64().unwrap()).sum();
            assert_eq!(sum(&value["messages"]), kinds);
            assert_eq!(value["tokens"], kinds + value["overhead"]["tokens"].as_u64().unwrap());
            assert_eq!(value["source"], if reported_tokens.is_some() { "reported" } else { "estimate" });
            assert_eq!(value["tools"][0][0], "read \"x\"");
            assert!(value["tools"][0][1].as_u64().unwrap() > 250);
        }
    }
}
