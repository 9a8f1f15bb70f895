//! What a provider or the SDK would reject in a list of messages, with paths.
//! Judges the list as it stands; it neither repairs it nor shares code with the planner, which must never cause any of this.

use serde::Serialize;

use crate::model::message::{Message, Output, Part, Role};

/// Who rejects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rejects {
    /// The AI SDK, or every provider.
    #[serde(rename = "all")]
    Everyone,
    /// Anthropic.
    Anthropic,
    /// OpenAI.
    OpenAi,
    /// Gemini.
    Google,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The rule, e.g. `result-without-call`.
    pub rule: &'static str,
    /// Who rejects it.
    pub rejected_by: Rejects,
    /// Where, e.g. `messages[3].content[0]`.
    pub path: String,
    /// A sentence for a person.
    pub message: String,
}

/// Everything that would be rejected, in the order of the list.
pub fn check_messages(messages: &[Message]) -> Vec<Violation> {
    let mut check = Check {
        found: Vec::new(),
        open: Vec::new(),
        answered: Vec::new(),
        requests: Vec::new(),
        server_calls: Vec::new(),
        server_open: Vec::new(),
    };
    if messages.iter().all(|message| message.role == Role::System) {
        check.add("empty-list", Rejects::Everyone, "messages".into(), "there is no message to answer");
    }
    let mut previous: Option<Role> = None;
    for (index, message) in messages.iter().enumerate() {
        check.message(index, message, previous);
        previous = if message.role == Role::System { previous } else { Some(message.role) };
    }
    check.close();
    if previous == Some(Role::Assistant) {
        let path = format!("messages[{}]", messages.len() - 1);
        check.add("ends-with-assistant", Rejects::Anthropic, path, "newer Claude models refuse a list that ends with an assistant message");
    }
    check.found
}

/// Why a message cannot be enqueued; `None` for one of the user that holds nothing but texts and media.
pub fn check_queued_message(message: &Message) -> Option<String> {
    let violation = check_messages(std::slice::from_ref(message)).into_iter().next().map(|violation| violation.message);
    let is_content = message.role == Role::User
        && message.parts.iter().all(|part| matches!(part, Part::Text { native_compaction: false, .. } | Part::Media(_)));
    violation.or_else(|| (!is_content).then(|| "it holds something else than texts, images and files of the user".to_owned()))
}

/// The thoughts that a model which binds them would refuse, because something before them differs from what was sent when they were
/// made. `previous` is what was sent in the request before.
pub fn check_thoughts(previous: &[Message], messages: &[Message]) -> Vec<Violation> {
    let sent = Thoughts::of(previous);
    let now = Thoughts::of(messages);
    let is_newer = |thought: &Thought<'_>| thought.before >= sent.content.len() && now.content.starts_with(&sent.content);
    let is_same = |thought: &Thought<'_>, other: &Thought<'_>| {
        thought.part == other.part && thought.before == other.before && now.content[..thought.before] == sent.content[..other.before]
    };
    let mut found = Vec::new();
    // Those that are kept must be the newest of those that were sent; from the newest to the oldest, each is the one expected next.
    let mut expected = sent.thoughts.iter().rev();
    for thought in now.thoughts.iter().rev().filter(|thought| !is_newer(thought)) {
        if expected.next().is_none_or(|other| !is_same(thought, other)) {
            found.push(Violation {
                rule: "thought-prefix-changed",
                rejected_by: Rejects::Anthropic,
                path: format!("messages[{}].content[{}]", thought.path.0, thought.path.1),
                message: "newer Claude models refuse a thought when anything before it has changed since it was made".to_owned(),
            });
        }
    }
    found.reverse();
    found
}

/// The signed thoughts of a list, and all other content in it.
struct Thoughts<'a> {
    content: Vec<(Role, &'a Part)>,
    thoughts: Vec<Thought<'a>>,
}

struct Thought<'a> {
    part: &'a Part,
    /// Content parts before it.
    before: usize,
    /// Message and part.
    path: (usize, usize),
}

impl<'a> Thoughts<'a> {
    fn of(messages: &'a [Message]) -> Thoughts<'a> {
        let mut all = Thoughts { content: Vec::new(), thoughts: Vec::new() };
        for (index, message) in messages.iter().enumerate() {
            for (part_index, part) in message.parts.iter().enumerate() {
                match part {
                    Part::Reasoning { leads_loop: true, .. } => {
                        all.thoughts.push(Thought { part, before: all.content.len(), path: (index, part_index) });
                    }
                    Part::Reasoning { .. } => {}
                    _ => all.content.push((message.role, part)),
                }
            }
        }
        all
    }
}

struct Check {
    found: Vec<Violation>,
    /// Calls of the last assistant turn without a result: id and path.
    open: Vec<(String, String)>,
    /// Calls of the last assistant turn that have one.
    answered: Vec<String>,
    /// Approval requests without a response.
    requests: Vec<String>,
    /// The provider's own calls so far; with programmatic calls a result may come a message later.
    server_calls: Vec<String>,
    /// The provider's own calls without a result: id and path.
    server_open: Vec<(String, String)>,
}

impl Check {
    fn add(&mut self, rule: &'static str, rejected_by: Rejects, path: String, message: impl Into<String>) {
        self.found.push(Violation { rule, rejected_by, path, message: message.into() });
    }

    /// Ends an assistant turn: what is open now stays without a result.
    fn close(&mut self) {
        for (id, path) in std::mem::take(&mut self.open) {
            self.add("call-without-result", Rejects::Everyone, path, format!("the call `{id}` has no result before the next message"));
        }
        self.answered.clear();
    }

    fn message(&mut self, index: usize, message: &Message, previous: Option<Role>) {
        let at = format!("messages[{index}]");
        if message.role == Role::Unknown {
            self.add("unknown-role", Rejects::Everyone, format!("{at}.role"), "the role must be system, user, assistant or tool");
        }
        let is_compacted = matches!(message.parts.first(), Some(Part::Text { native_compaction: true, .. }));
        if previous.is_none() && !is_compacted && !matches!(message.role, Role::System | Role::User) {
            self.add("first-not-user", Rejects::Anthropic, at.clone(), "the first message must be of the user");
        }
        if message.role == Role::System && previous.is_some() {
            self.add("system-not-leading", Rejects::Google, at.clone(), "system messages must come first");
        }
        if message.parts.is_empty() {
            self.add("empty-content", Rejects::Everyone, format!("{at}.content"), "the message has no content");
        }
        if matches!(message.role, Role::User | Role::System | Role::Assistant) {
            self.close();
        }
        if message.role == Role::User {
            // Within a turn the provider may still be working; the user's next message ends it.
            for (id, path) in std::mem::take(&mut self.server_open) {
                self.add("server-call-without-result", Rejects::Anthropic, path, format!("the provider's call `{id}` has no result"));
            }
        }
        if message.role == Role::Assistant {
            self.assistant(&at, message, previous);
        }
        for (part_index, part) in message.parts.iter().enumerate() {
            self.part(&format!("{at}.content[{part_index}]"), message, part);
        }
    }

    fn assistant(&mut self, at: &str, message: &Message, previous: Option<Role>) {
        let has_client_call = message.parts.iter().any(|part| matches!(part, Part::Call(call) if !call.provider_executed));
        if has_client_call && previous == Some(Role::Assistant) {
            self.add("call-after-assistant", Rejects::Google, at.to_owned(), "a call must come right after a user message or a result");
        }
        if !message.parts.is_empty() && message.parts.iter().all(|part| matches!(part, Part::Reasoning { .. })) {
            self.add(
                "reasoning-only",
                Rejects::Everyone,
                format!("{at}.content"),
                "reasoning must be followed by the text or call it belongs to",
            );
        }
        let blocks: Vec<usize> = message
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| matches!(part, Part::Text { native_compaction: true, .. }))
            .map(|(index, _)| index)
            .collect();
        if blocks.iter().any(|index| *index != 0) || blocks.len() > 1 {
            self.add(
                "compaction-not-first",
                Rejects::Anthropic,
                format!("{at}.content"),
                "a compaction block must be the first part, and the only one",
            );
        }
        for (index, part) in message.parts.iter().enumerate() {
            let Part::Call(call) = part else { continue };
            let earlier = message.parts[..index].iter().position(|other| matches!(other, Part::Call(known) if known.id == call.id));
            if let Some(first) = earlier {
                let path = format!("{at}.content[{index}].toolCallId");
                self.add("duplicate-call-id", Rejects::Everyone, path, format!("`{}` is already the id of content[{first}]", call.id));
            }
            if call.provider_executed {
                self.server_calls.push(call.id.clone());
                self.server_open.push((call.id.clone(), format!("{at}.content[{index}]")));
            }
        }
    }

    fn part(&mut self, at: &str, message: &Message, part: &Part) {
        match part {
            Part::Text { text, .. } if text.trim().is_empty() && matches!(message.role, Role::User | Role::Assistant) => {
                self.add("blank-text", Rejects::Anthropic, at.to_owned(), "a text must not be empty or blank");
            }
            Part::Call(call) => {
                if !call.input.trim_start().starts_with('{') {
                    self.add("input-not-object", Rejects::Anthropic, format!("{at}.input"), "the input must be an object");
                }
                if message.role != Role::Assistant {
                    self.add("call-outside-assistant", Rejects::Everyone, at.to_owned(), "a call belongs into an assistant message");
                } else if !call.provider_executed {
                    self.open.push((call.id.clone(), at.to_owned()));
                }
            }
            Part::Result(result) if message.role == Role::Tool => {
                if matches!(result.output, Output::Unknown(_)) {
                    self.add("unknown-output", Rejects::Everyone, format!("{at}.output"), "the output has no known type");
                }
                if let Some(call) = self.open.iter().position(|(id, _)| *id == result.id) {
                    self.open.remove(call);
                    self.answered.push(result.id.clone());
                } else if self.answered.contains(&result.id) {
                    self.add(
                        "duplicate-result",
                        Rejects::Everyone,
                        at.to_owned(),
                        format!("the call `{}` has a result already", result.id),
                    );
                } else if !result.provider_executed {
                    self.add(
                        "result-without-call",
                        Rejects::Everyone,
                        at.to_owned(),
                        format!("there is no call `{}` in the assistant message before", result.id),
                    );
                }
            }
            Part::Result(result) if message.role == Role::Assistant => {
                self.server_open.retain(|(id, _)| *id != result.id);
                if !self.server_calls.contains(&result.id) {
                    self.add(
                        "server-result-without-call",
                        Rejects::Anthropic,
                        at.to_owned(),
                        format!("there is no call `{}` of the provider before", result.id),
                    );
                }
            }
            Part::ApprovalRequest { approval_id, .. } => {
                self.requests.push(approval_id.clone());
            }
            Part::ApprovalResponse { approval_id, .. } => match self.requests.iter().position(|request| request == approval_id) {
                Some(request) => drop(self.requests.remove(request)),
                None => {
                    self.add(
                        "approval-without-request",
                        Rejects::Everyone,
                        at.to_owned(),
                        format!("there is no approval request `{approval_id}`"),
                    );
                }
            },
            Part::Result(_) => {
                self.add("result-outside-tool", Rejects::Everyone, at.to_owned(), "a result belongs into a tool message");
            }
            Part::Text { .. } | Part::Reasoning { .. } | Part::Media(_) | Part::Opaque { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(role: Role, text: &str) -> Message {
        Message::text(role, text)
    }

    fn thinks(thought: &str, text: &str) -> Message {
        let reasoning = Part::Reasoning { text: thought.to_owned(), leads_loop: true };
        Message { role: Role::Assistant, parts: vec![reasoning, Part::text(text)], marker: None, has_cache_mark: false, carried: None }
    }

    #[test]
    fn a_thought_is_refused_when_anything_before_it_changed_or_one_behind_it_is_left_out() {
        let sent = || vec![says(Role::User, "go"), thinks("a", "1"), says(Role::User, "on"), thinks("b", "2"), says(Role::User, "on")];
        let without = |at: usize| {
            let mut list = sent();
            list[at].parts.remove(0);
            list
        };
        let mut other = sent();
        other[0] = says(Role::User, "stop");
        let mut longer = sent();
        longer.extend([thinks("c", "3"), says(Role::User, "on")]);
        let mut edited = without(1);
        edited[3].parts.remove(0);
        edited[0] = says(Role::User, "[cleared]");
        edited.extend([thinks("c", "3"), says(Role::User, "on")]);
        for (what, list, paths) in [
            ("the same", sent(), &[][..]),
            ("one more", longer, &[]),
            ("without the oldest", without(1), &[]),
            ("without the newest", without(3), &["messages[1].content[0]"]),
            ("another request", other, &["messages[1].content[0]", "messages[3].content[0]"]),
            ("a thought made before an edit", edited, &["messages[5].content[0]"]),
        ] {
            let found: Vec<String> = check_thoughts(&sent(), &list).into_iter().map(|violation| violation.path).collect();
            assert_eq!(found, paths, "{what}");
        }
    }
}
