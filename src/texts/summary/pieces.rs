//! What the messages of a span say, piece by piece, as a summarizer is to read it: each result with its call, what was written anew
//! before what it replaced, without reminders, polls, plans that were replaced, and the escapes of JSON.
//! Not how much of each is told (see `span`).

use std::collections::HashMap;

use crate::clip::one_line;
use crate::json::Value;
use crate::message::{Message, Output, Part, Role, ToolResult};
use crate::record::action::Action;
use crate::record::call::read_call;
use crate::record::empty::is_void;
use crate::record::outcome::{Status, read_outcome, without_wrapper};
use crate::record::plan::{PlanChange, PlanStatus};
use crate::record::user::read_user;
use crate::redact::{REDACTED, clean, is_secret};

/// Part of a call or message.
#[derive(Debug, PartialEq)]
pub struct Piece {
    /// What it is, in a line that is always told.
    pub head: String,
    /// What it holds, told as far as there is room.
    pub body: String,
    /// How much room it has beside others.
    pub weight: u32,
}

/// Rooms beside each other, in halves: what can be read again has least, what only this conversation holds most.
const READING: u32 = 1;
const RESULT: u32 = 2;
const WRITING: u32 = 4;
const REPORT: u32 = 6;
const SAID: u32 = 8;

/// The pieces of each message, in order.
pub fn pieces(messages: &[Message]) -> Vec<Vec<Piece>> {
    let mut calls: HashMap<&str, Vec<Action>> = HashMap::new();
    let newest_plan =
        messages.iter().rposition(|message| message.parts.iter().any(|part| matches!(part, Part::Call(call) if is_plan(&call.name))));
    let mut all = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        let mut told = Vec::new();
        if message.role == Role::Assistant && is_void(message, messages.get(index + 1)) {
            all.push(told);
            continue;
        }
        for part in &message.parts {
            match part {
                Part::Text { text, .. } => told.extend(said(message.role, text)),
                Part::Reasoning { text, .. } if says_something(text) => {
                    told.push(Piece { head: "assistant thinks:".into(), body: clean(text.trim()), weight: RESULT });
                }
                Part::Call(call) => {
                    let value = Value::parse(&call.input).unwrap_or(Value::Null);
                    let actions = read_call(&call.name, &value);
                    told.extend(actions.iter().filter_map(|action| called(&call.name, &value, action, newest_plan == Some(index))));
                    calls.insert(&call.id, actions);
                }
                Part::Result(result) => told.extend(returned(result, calls.get(result.id.as_str()))),
                Part::Media(media) => {
                    told.push(Piece { head: format!("{}: [{}]", message.role.name(), media.kind.name()), body: String::new(), weight: 0 })
                }
                Part::Reasoning { .. } | Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. } | Part::Opaque { .. } => {}
            }
        }
        all.push(told);
    }
    all
}

/// Whether a thought is more than titles, as providers put in the place of thoughts they hide.
fn says_something(thought: &str) -> bool {
    thought.lines().map(str::trim).any(|line| !(line.is_empty() || line.starts_with("**") && line.ends_with("**")))
}

fn is_plan(tool: &str) -> bool {
    let name = tool.to_ascii_lowercase();
    name.contains("todo") || name.contains("plan")
}

/// What somebody said.
fn said(role: Role, text: &str) -> Option<Piece> {
    if role == Role::User {
        let user = read_user(text);
        let head = if user.is_harness { "the harness reports:" } else { "user:" };
        return (!user.asked.is_empty()).then(|| Piece { head: head.into(), body: clean(&user.asked), weight: SAID });
    }
    (!text.trim().is_empty()).then(|| Piece { head: format!("{}:", role.name()), body: clean(text.trim()), weight: SAID })
}

/// What a call does. A plan that was replaced later is passed over, as are polls.
fn called(tool: &str, input: &Value, action: &Action, is_newest_plan: bool) -> Option<Piece> {
    let piece = |head: String, body: String, weight| Some(Piece { head, body, weight });
    let head = || format!("assistant {}", action.line());
    match action {
        Action::Wait | Action::MayChange { .. } | Action::Mixed => None,
        Action::Plan(PlanChange::Replace(items)) if is_newest_plan => {
            let lines = items.iter().map(|item| format!("[{}] {}", mark(item.status), item.text));
            piece("assistant sets the plan:".into(), clean(&lines.collect::<Vec<_>>().join("\n")), WRITING)
        }
        Action::Plan(PlanChange::Text(text)) => piece("assistant plans:".into(), clean(text), SAID),
        Action::Plan(PlanChange::Create(item)) => piece(format!("assistant adds to the plan: {}", clean(&item.text)), String::new(), 0),
        Action::Plan(PlanChange::Update { id, status: Some(status), .. }) => {
            piece(format!("assistant marks item {} of the plan: {}", clean(id), mark(*status)), String::new(), 0)
        }
        Action::Plan(_) => None,
        Action::Create { path, new } => piece(format!("assistant writes {}:", one_line(&clean(path))), clean(new), WRITING),
        Action::Edit { old, new, .. } if old.is_empty() && new.is_empty() => piece(head(), String::new(), 0),
        Action::Edit { path, old, new } => {
            let old = if old.is_empty() { String::new() } else { format!("{}\n→\n", clean(&crate::clip::clip(old, 600))) };
            piece(
                format!("assistant edits {}:", one_line(&clean(path))),
                format!("{old}{}", if new.is_empty() { "(removed)".into() } else { clean(new) }),
                WRITING,
            )
        }
        // Its result names the call; only a command too long for that is told before.
        Action::Read { .. } | Action::Search { .. } | Action::List { .. } | Action::Fetch { .. } | Action::Query { .. } => None,
        Action::Run { command } if !head().contains('…') && !command.is_empty() => None,
        Action::Run { command } => piece("assistant runs:".into(), clean(command), WRITING),
        Action::Delegate { task } => piece("assistant hands on:".into(), clean(task), RESULT),
        Action::Other { .. } => piece(format!("assistant calls {}:", one_line(&clean(tool))), readable(input), RESULT),
        _ => piece(head(), String::new(), 0),
    }
}

fn mark(status: PlanStatus) -> &'static str {
    match status {
        PlanStatus::Open => "open",
        PlanStatus::Active => "in progress",
        PlanStatus::Done => "done",
        PlanStatus::Dropped => "dropped",
    }
}

/// What a call gave back, under the call's name. What went as asked and says no more is passed over.
fn returned(result: &ToolResult, actions: Option<&Vec<Action>>) -> Option<Piece> {
    let actions = actions.map_or(&[][..], Vec::as_slice);
    let text = result.output.to_text();
    let outcome = read_outcome(actions, &text, result.output.is_error());
    let is_denied = matches!(result.output, Output::Denied(_));
    let waits = !actions.is_empty() && actions.iter().all(|action| *action == Action::Wait);
    if outcome.status == Status::Running && (waits || outcome.line.is_empty()) {
        return None;
    }
    let name = match actions {
        [] => one_line(&clean(&result.name)),
        [Action::Other { .. }] => one_line(&clean(&result.name)),
        [only] => only.line(),
        [first, others @ ..] => format!("{} and {} more", first.line(), others.len()),
    };
    let state = match outcome.status {
        Status::Done => "gives",
        Status::Failed => "fails",
        Status::Refused => "is refused",
        Status::Running => "runs still",
        Status::Unknown => "has no outcome recorded",
    };
    let is_quiet = outcome.status == Status::Done && !is_denied && !actions.is_empty();
    if is_quiet && actions.iter().all(|action| action.writes() || matches!(action, Action::Plan(_))) {
        return None;
    }
    let body = match &result.output {
        Output::Json(json) | Output::ErrorJson(json) => Value::parse(&json.text).map_or_else(|| clean(&text), |value| readable(&value)),
        _ => {
            let body = without_wrapper(&text);
            match Value::parse(body.trim()).filter(|value| matches!(value, Value::Map(_) | Value::List(_))) {
                Some(value) => readable(&value),
                None => clean(body.trim()),
            }
        }
    };
    let weight = match actions.first() {
        Some(Action::Delegate { .. }) => REPORT,
        Some(Action::Read { .. } | Action::List { .. }) => READING,
        _ if outcome.status == Status::Failed => WRITING,
        _ => RESULT,
    };
    // Of what is cut, the line that says what came of it should not be.
    let line = if outcome.line.is_empty() || body.len() <= 400 { String::new() } else { format!(" ({})", outcome.line) };
    Some(Piece { head: format!("{name} {state}{line}:"), body, weight })
}

/// A value as a person would write it: a line a field, texts without escapes, no secrets.
pub fn readable(value: &Value) -> String {
    let mut text = String::new();
    write_readable(value, 0, &mut text);
    clean(text.trim())
}

/// Deepest fields that are told one by one.
const LEVELS: usize = 5;

fn write_readable(value: &Value, level: usize, text: &mut String) {
    let indent = "  ".repeat(level);
    match value {
        Value::Map(members) if level < LEVELS => {
            for (name, value) in members {
                let is_nested = matches!(value, Value::Map(_) | Value::List(_));
                if *value == Value::Null {
                    continue;
                }
                let secret = is_secret(name, value.scalar_text());
                let separator = if is_nested || value.scalar_text().contains('\n') { "\n" } else { " " };
                text.push_str(&format!("{indent}{name}:{separator}"));
                if secret {
                    text.push_str(REDACTED)
                } else {
                    write_readable(value, level + 1, text)
                }
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
        }
        Value::List(items) if level < LEVELS => {
            for item in items {
                let is_nested = matches!(item, Value::Map(_) | Value::List(_));
                text.push_str(&format!("{indent}-{}", if is_nested { "\n" } else { " " }));
                write_readable(item, level + 1, text);
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
        }
        Value::Map(_) | Value::List(_) => text.push_str(&value.joined_leaves(" ")),
        scalar => text.push_str(scalar.scalar_text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Call, Json};

    fn call(id: &str, name: &str, input: &str) -> Part {
        Part::Call(Call { id: id.into(), name: name.into(), input: input.into(), omitted_bytes: 0, provider_executed: false, caller: None })
    }

    fn result(id: &str, name: &str, output: Output) -> Part {
        Part::Result(ToolResult { id: id.into(), name: name.into(), output, provider_executed: false, marker: None })
    }

    fn told(parts: Vec<(Role, Vec<Part>)>) -> Vec<String> {
        let messages: Vec<Message> =
            parts.into_iter().map(|(role, parts)| Message { role, parts, marker: None, has_cache_mark: false }).collect();
        pieces(&messages).into_iter().flatten().map(|piece| format!("{} {}", piece.head, piece.body).trim().to_owned()).collect()
    }

    #[test]
    fn each_result_stands_under_its_call_and_noise_is_left_out() {
        let text = |text: &str| Output::Text(text.into());
        let told = told(vec![
            (Role::User, vec![Part::text("fix it\n<system-reminder>be nice</system-reminder>")]),
            (
                Role::Assistant,
                vec![
                    Part::Reasoning { text: "**Planning**".into(), leads_loop: false },
                    Part::Reasoning { text: "The lock is held twice.".into(), leads_loop: false },
                    call("1", "Read", r#"{"file_path":"a.rs"}"#),
                    call("2", "Edit", r#"{"file_path":"a.rs","old_string":"x","new_string":"y"}"#),
                    call("3", "TodoWrite", r#"{"todos":[{"content":"old","status":"pending"}]}"#),
                    call("4", "BashOutput", r#"{"bash_id":"1"}"#),
                ],
            ),
            (
                Role::Tool,
                vec![
                    result("1", "Read", text("1→fn a() {}")),
                    result("2", "Edit", text("The file a.rs has been updated")),
                    result("3", "TodoWrite", text("Todos have been modified")),
                    result("4", "BashOutput", text("<status>running</status>")),
                ],
            ),
            (
                Role::Assistant,
                vec![
                    call("5", "TodoWrite", r#"{"todos":[{"content":"new","status":"completed"}]}"#),
                    call("6", "get_order", r#"{"order_id":"7"}"#),
                ],
            ),
            (
                Role::Tool,
                vec![result(
                    "6",
                    "get_order",
                    Output::Json(Json { text: r#"{"note":"two\nlines","items":[{"n":1}],"none":null}"#.into(), omitted_bytes: 0 }),
                )],
            ),
        ]);
        assert_eq!(
            told,
            [
                "user: fix it",
                "assistant thinks: The lock is held twice.",
                "assistant edits a.rs: x\n→\ny",
                "read a.rs gives: 1→fn a() {}",
                "assistant sets the plan: [done] new",
                "assistant calls get_order: order_id: 7",
                "get_order gives: items:\n  -\n    n: 1\nnote:\ntwo\nlines",
            ]
        );
    }

    #[test]
    fn secrets_that_only_names_tell_are_left_out() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = format!(r#"{{"user":"u","password":"{secret}"}}"#);
        assert_eq!(readable(&Value::parse(&text).unwrap()), "password: [redacted]\nuser: u");
    }
}
