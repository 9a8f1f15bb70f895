//! Who owns the history of a request, by its options: the app, which sends all of it; or the provider, which adds what it has to what is sent, or
//! edits that by itself above a threshold. Read from provider options as the packages name them, and from bodies as the APIs do.

use serde::{Deserialize, Serialize};

use crate::json::Value;

/// An option by which the provider adds a history that lies with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HistoryOption {
    /// OpenAI's Responses API, and those that copy it.
    PreviousResponse,
    /// OpenAI's conversations.
    Conversation,
    /// Anthropic's message threads, once one goes on.
    Thread,
    /// Google's interactions.
    PreviousInteraction,
}

/// The name in provider options, and that without underscores and large letters, as `plain` makes it of both forms.
const HISTORIES: [(HistoryOption, &str, &str); 4] = [
    (HistoryOption::PreviousResponse, "previousResponseId", "previousresponseid"),
    (HistoryOption::Conversation, "conversation", "conversation"),
    (HistoryOption::Thread, "thread", "thread"),
    (HistoryOption::PreviousInteraction, "previousInteractionId", "previousinteractionid"),
];

impl HistoryOption {
    /// Its name in provider options.
    pub fn name(self) -> &'static str {
        HISTORIES.iter().find(|(option, ..)| *option == self).map_or("", |(_, name, _)| *name)
    }
}

/// What a request asks its provider to do with the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: it holds all there is.
    Nothing,
    /// To edit or compact it by itself, above a threshold.
    Edits,
    /// To add it.
    History(HistoryOption),
}

impl Asks {
    /// By the provider options of a call, as JSON: options by provider.
    pub fn of_options(json: &str) -> Asks {
        match Value::parse(json) {
            Some(Value::Map(providers)) => first(providers.iter().map(|(_, options)| Asks::of(options))),
            _ => Asks::Nothing,
        }
    }

    /// By the options of one provider, or the body of a request.
    pub fn of(options: &Value<'_>) -> Asks {
        let Value::Map(members) = options else { return Asks::Nothing };
        first(members.iter().map(|(name, value)| {
            let name = plain(name);
            match HISTORIES.iter().find(|(_, _, plain)| *plain == name) {
                Some((HistoryOption::Thread, ..)) if !continues(value) => Asks::Nothing,
                Some((option, ..)) if names_something(value) => Asks::History(*option),
                None if name == "contextmanagement" && edits(value) => Asks::Edits,
                _ => Asks::Nothing,
            }
        }))
    }

    /// As a number, which crosses the boundary and is kept with what was reported.
    pub fn code(self) -> f64 {
        match self {
            Asks::Nothing => 0.0,
            Asks::Edits => 1.0,
            Asks::History(option) => 2.0 + HISTORIES.iter().position(|(known, ..)| *known == option).unwrap_or_default() as f64,
        }
    }

    /// What the number says; `None` where it is none of these.
    pub fn from_code(code: f64) -> Option<Asks> {
        let histories = HISTORIES.iter().map(|(option, ..)| Asks::History(*option));
        [Asks::Nothing, Asks::Edits].into_iter().chain(histories).find(|asks| asks.code() == code)
    }
}

/// The strongest of these: where the provider adds a history, nothing else matters.
fn first(all: impl Iterator<Item = Asks>) -> Asks {
    all.max_by(|one, other| one.code().total_cmp(&other.code())).unwrap_or(Asks::Nothing)
}

fn plain(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// An id, or an object with one.
fn names_something(value: &Value<'_>) -> bool {
    match value {
        Value::Text(id) => !id.is_empty(),
        Value::Map(members) => !members.is_empty(),
        _ => false,
    }
}

/// A thread that is only begun holds what this request sends.
fn continues(thread: &Value<'_>) -> bool {
    thread.get("type").and_then(Value::as_str) != Some("create")
}

/// Whether any edit is of more than thinking.
fn edits(management: &Value<'_>) -> bool {
    let edits = management.get("edits").unwrap_or(management);
    let Value::List(edits) = edits else { return false };
    edits.iter().any(|edit| !edit.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("clear_thinking")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_asks_is_read_from_options_and_from_bodies() {
        use HistoryOption::{Conversation, PreviousInteraction, PreviousResponse, Thread};
        for (options, body, asks) in [
            (r#"{"openai":{"previousResponseId":"resp_1"}}"#, r#"{"previous_response_id":"resp_1"}"#, Asks::History(PreviousResponse)),
            (
                r#"{"azure":{"previousResponseId":"resp_1"}}"#,
                r#"{"store":true,"previous_response_id":"r"}"#,
                Asks::History(PreviousResponse),
            ),
            (r#"{"xai":{"previousResponseId":"r"},"openai":{}}"#, r#"{"previous_response_id":"r"}"#, Asks::History(PreviousResponse)),
            (r#"{"openai":{"conversation":"conv_1"}}"#, r#"{"conversation":"conv_1"}"#, Asks::History(Conversation)),
            (r#"{"openai":{"conversation":{"id":"conv_1"}}}"#, r#"{"conversation":{"id":"conv_1"}}"#, Asks::History(Conversation)),
            (
                r#"{"anthropic":{"thread":{"type":"continue","previousMessageId":"msg_1"}}}"#,
                r#"{"thread":{"type":"continue","previous_message_id":"msg_1"}}"#,
                Asks::History(Thread),
            ),
            (r#"{"anthropic":{"thread":{"type":"create"}}}"#, r#"{"thread":{"type":"create"}}"#, Asks::Nothing),
            (
                r#"{"google":{"previousInteractionId":"int_1"}}"#,
                r#"{"previous_interaction_id":"int_1"}"#,
                Asks::History(PreviousInteraction),
            ),
            (
                r#"{"openai":{"contextManagement":[{"type":"compaction","compactThreshold":50000}]}}"#,
                r#"{"context_management":[{"type":"compaction","compact_threshold":50000}]}"#,
                Asks::Edits,
            ),
            (
                r#"{"anthropic":{"contextManagement":{"edits":[{"type":"compact_20260112"}]}}}"#,
                r#"{"context_management":{"edits":[{"type":"compact_20260112"}]}}"#,
                Asks::Edits,
            ),
            (
                r#"{"anthropic":{"contextManagement":{"edits":[{"type":"clear_thinking_20251015"}]}}}"#,
                r#"{"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}}"#,
                Asks::Nothing,
            ),
            (
                r#"{"openai":{"contextManagement":[{"type":"compaction"}],"previousResponseId":"r"}}"#,
                r#"{"context_management":[{"type":"compaction"}],"previous_response_id":"r"}"#,
                Asks::History(PreviousResponse),
            ),
            (r#"{"openai":{"previousResponseId":null}}"#, r#"{"previous_response_id":null}"#, Asks::Nothing),
            (
                r#"{"openai":{"previousResponseId":"","conversation":""}}"#,
                r#"{"previous_response_id":"","conversation":""}"#,
                Asks::Nothing,
            ),
            (r#"{"google":{"cachedContent":"cachedContents/1"}}"#, r#"{"cachedContent":"cachedContents/1"}"#, Asks::Nothing),
            (r#"{"openai":{"store":false,"truncation":"auto"}}"#, r#"{"store":false,"truncation":"auto"}"#, Asks::Nothing),
            ("[]", "[]", Asks::Nothing),
            (r#"{"openai":"x"}"#, "null", Asks::Nothing),
            ("", "", Asks::Nothing),
        ] {
            assert_eq!(Asks::of_options(options), asks, "{options}");
            assert_eq!(Asks::of(&Value::parse(body).unwrap_or(Value::Null)), asks, "{body}");
            assert_eq!(Asks::from_code(asks.code()), Some(asks));
        }
        assert_eq!(Asks::from_code(f64::NAN), None);
        assert_eq!(HistoryOption::Thread.name(), "thread");
    }
}
