//! What messages say, piece by piece, as a summarizer is to read it: who said what, each call with its tool and input, each result under its
//! call, whole and without the escapes of JSON. The same for every tool: nothing is passed over but what stands there word for word already.
//! Not what is done where there is no room (see `span`).

use crate::digest::approvals::Approvals;
use crate::digest::status::{failure_of, is_unsure};
use crate::json::{Value, is_secret_member};
use crate::model::message::{Call, Item, Message, Output, Part, Role, ToolResult};
use crate::redact::{REDACTED, clean};
use crate::text::clip::one_line;
use crate::text::hash::{HashSet, mix};

/// Part of a call or message.
#[derive(Debug, PartialEq)]
pub struct Piece {
    /// What it is, in a line that is always written.
    pub head: String,
    /// What it holds.
    pub body: String,
    /// It is a text of a message: what tools were given and what they returned gives way before it.
    pub is_text: bool,
}

/// A text shorter than this is repeated however often it comes.
const LEAST_REPEATED_BYTES: usize = 400;

/// Writes messages as pieces, and knows which long texts it has written already.
pub struct Transcriber<'a> {
    /// Whether the agent keeps these words of the user's.
    stays: &'a dyn Fn(&str) -> bool,
    seen: HashSet<u64>,
}

impl<'a> Transcriber<'a> {
    /// For one prompt.
    pub fn new(stays: &'a dyn Fn(&str) -> bool) -> Transcriber<'a> {
        Transcriber { stays, seen: HashSet::default() }
    }

    /// The pieces of each of these messages, in order. A result stands under its call where both are among them.
    pub fn transcribe(&mut self, messages: &[Message]) -> Vec<Vec<Piece>> {
        let results: Vec<&ToolResult> = messages.iter().flat_map(|message| &message.parts).filter_map(as_result).collect();
        let calls: HashSet<&str> = messages.iter().flat_map(|message| &message.parts).filter_map(as_call).map(|call| &*call.id).collect();
        let approvals = Approvals::of(messages);
        let mut all = Vec::with_capacity(messages.len());
        for message in messages {
            let mut pieces = Vec::new();
            for part in &message.parts {
                match part {
                    Part::Text { text, .. } => pieces.extend(self.message_text(message.role, text)),
                    Part::Reasoning { text, .. } if says_something(text) => {
                        pieces.push(Piece { head: "assistant thinks:".into(), body: clean(text.trim()), is_text: false });
                    }
                    Part::Call(call) => {
                        pieces.push(called(call));
                        let own: Vec<&&ToolResult> = results.iter().filter(|result| result.id == call.id).collect();
                        if own.is_empty() {
                            pieces.push(match approvals.denied(&call.id) {
                                Some(why) => ended(&call.name, denied(&call.id, &approvals), readable_text(why)),
                                None => line(format!("{}: no result is recorded; whether it took effect is unknown", name_of(&call.name))),
                            });
                        }
                        pieces.extend(own.into_iter().map(|result| self.returned(result, &approvals)));
                    }
                    Part::Result(result) if !calls.contains(&*result.id) => pieces.push(self.returned(result, &approvals)),
                    Part::Media(media) => pieces.push(line(format!("{}: [{}]", message.role.name(), media.title()))),
                    Part::Result(_)
                    | Part::Reasoning { .. }
                    | Part::ApprovalRequest { .. }
                    | Part::ApprovalResponse { .. }
                    | Part::Opaque { .. } => {}
                }
            }
            all.push(pieces);
        }
        all
    }

    fn message_text(&mut self, role: Role, text: &str) -> Option<Piece> {
        let body = clean(text.trim());
        let head = match role {
            Role::User if !body.is_empty() && !(self.stays)(&body) => "user (will not stay in full):".into(),
            _ => format!("{}:", role.name()),
        };
        (!body.is_empty()).then_some(Piece { head, body, is_text: true })
    }

    /// What a call gave back.
    fn returned(&mut self, result: &ToolResult, approvals: &Approvals<'_>) -> Piece {
        if let Some(why) = approvals.denial(result) {
            return ended(&result.name, denied(&result.id, approvals), readable_text(why));
        }
        let state = match (failure_of(result).filter(|_| result.outcome.is_some() || result.output.is_error()), is_unsure(result)) {
            (Some("failed"), _) => "fails",
            (Some(how), _) => how,
            (None, true) => "answers",
            (None, false) => "returns",
        };
        let body = body_of(&result.output);
        if body.len() >= LEAST_REPEATED_BYTES && !self.seen.insert(mix(0, body.as_bytes())) {
            return line(format!("{} {state}: [word for word what stands above already]", name_of(&result.name)));
        }
        ended(&result.name, if body.is_empty() && state == "returns" { "returns nothing" } else { state }, body)
    }
}

/// How a call ended that did not run.
fn denied(call_id: &str, approvals: &Approvals<'_>) -> &'static str {
    if approvals.asked(call_id) { "was denied by the user and did not run" } else { "was denied and did not run" }
}

/// How a call ended, and what was said of it.
fn ended(tool: &str, state: &str, body: String) -> Piece {
    let name = name_of(tool);
    if body.is_empty() { line(format!("{name} {state}")) } else { Piece { head: format!("{name} {state}:"), body, is_text: false } }
}

fn as_result(part: &Part) -> Option<&ToolResult> {
    if let Part::Result(result) = part { Some(result) } else { None }
}

fn as_call(part: &Part) -> Option<&Call> {
    if let Part::Call(call) = part { Some(call) } else { None }
}

fn line(head: String) -> Piece {
    Piece { head, body: String::new(), is_text: false }
}

fn name_of(tool: &str) -> String {
    one_line(&clean(tool))
}

/// Whether a thought is more than titles, as providers send in place of thoughts they hide.
fn says_something(thought: &str) -> bool {
    thought.lines().map(str::trim).any(|line| !(line.is_empty() || line.starts_with("**") && line.ends_with("**")))
}

fn called(call: &Call) -> Piece {
    let body = readable_text(&call.input);
    let name = name_of(&call.name);
    if body.is_empty() {
        line(format!("assistant calls {name}"))
    } else {
        Piece { head: format!("assistant calls {name}:"), body, is_text: false }
    }
}

fn body_of(output: &Output) -> String {
    match output {
        Output::Json(json) | Output::ErrorJson(json) => readable_text(&json.text),
        Output::Text(text) | Output::ErrorText(text) | Output::Denied(text) => readable_text(text),
        Output::Content(items) => {
            let texts = items.iter().filter_map(|item| match item {
                Item::Text(text) => Some(readable_text(text)),
                Item::Media(media) => Some(format!("[{}]", media.title())),
                Item::Reference { .. } | Item::Opaque(_) => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Output::Unknown(_) => "[something that is no text]".into(),
    }
}

/// A text that may be JSON: its fields one a line if it is, else as it stands.
fn readable_text(text: &str) -> String {
    let text = text.trim();
    match Value::parse(text) {
        Some(Value::Null) => String::new(),
        Some(Value::Map(members)) if members.is_empty() => String::new(),
        Some(value @ (Value::Map(_) | Value::List(_) | Value::Text(_))) => readable(&value),
        _ => clean(text),
    }
}

/// A value as a person would write it: a line a field, texts without escapes, no secrets.
pub fn readable(value: &Value) -> String {
    let mut text = String::new();
    write_readable(value, 0, &mut text);
    clean(text.trim())
}

/// Deepest fields that are written one by one; below, values stand as JSON.
const LEVELS: usize = 12;

fn write_readable(value: &Value, level: usize, text: &mut String) {
    let indent = "  ".repeat(level);
    match value {
        Value::Map(members) if members.is_empty() => text.push_str("{}"),
        Value::List(items) if items.is_empty() => text.push_str("[]"),
        Value::Map(members) if level < LEVELS => {
            for (name, value) in members {
                let separator = if is_nested(value) || value.scalar_text().contains('\n') { "\n" } else { " " };
                text.push_str(&format!("{indent}{}:{separator}", one_line(name)));
                if is_secret_member(members, name, value.scalar_text()) {
                    text.push_str(REDACTED)
                } else {
                    write_readable(value, level + 1, text)
                }
                end_line(text);
            }
        }
        Value::List(items) if level < LEVELS => {
            for item in items {
                text.push_str(&format!("{indent}-{}", if is_nested(item) { "\n" } else { " " }));
                write_readable(item, level + 1, text);
                end_line(text);
            }
        }
        Value::Map(_) | Value::List(_) => value.write(text),
        Value::Null => text.push_str("null"),
        scalar => text.push_str(scalar.scalar_text()),
    }
}

fn end_line(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Whether a value takes lines of its own.
fn is_nested(value: &Value) -> bool {
    match value {
        Value::Map(members) => !members.is_empty(),
        Value::List(items) => !items.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::Json;

    fn call(id: &str, name: &str, input: &str) -> Part {
        Part::Call(Call { id: id.into(), name: name.into(), input: input.into(), omitted_bytes: 0, provider_executed: false, caller: None })
    }

    fn result(id: &str, name: &str, output: Output) -> Part {
        Part::Result(ToolResult { id: id.into(), name: name.into(), output, ..ToolResult::default() })
    }

    fn pieces(parts: Vec<(Role, Vec<Part>)>) -> Vec<String> {
        let messages: Vec<Message> =
            parts.into_iter().map(|(role, parts)| Message { role, parts, marker: None, has_cache_mark: false, carried: None }).collect();
        let stays = |words: &str| !words.contains("long");
        let pieces = Transcriber::new(&stays).transcribe(&messages);
        pieces.into_iter().flatten().map(|piece| format!("{} {}", piece.head, piece.body).trim().to_owned()).collect()
    }

    fn json(text: &str) -> Output {
        Output::Json(Json { text: text.into(), omitted_bytes: 0 })
    }

    #[test]
    fn each_result_stands_under_its_call_whatever_the_tool() {
        let pieces = pieces(vec![
            (Role::User, vec![Part::text("Refund 7, please."), Part::text("A long letter.")]),
            (
                Role::Assistant,
                vec![
                    Part::Reasoning { text: "**Planning**".into(), leads_loop: false },
                    Part::Reasoning { text: "It was paid twice.".into(), leads_loop: false },
                    call("1", "refundPayment", r#"{"order":"7","amount":40}"#),
                    call("2", "注文を取り消す", "{}"),
                    call("3", "charge", r#"{"token":null}"#),
                    call("4", "log", r#"{"code":"DE"}"#),
                ],
            ),
            (
                Role::Tool,
                vec![
                    result("4", "log", Output::Text(String::new())),
                    result("2", "注文を取り消す", Output::ErrorText("期限切れ".into())),
                    result("1", "refundPayment", json(r#"{"note":"two\nlines","items":[{"n":1}],"fee":null,"tags":[]}"#)),
                ],
            ),
            (Role::Tool, vec![result("9", "wire", Output::Denied("Not today.".into()))]),
        ]);
        assert_eq!(
            pieces,
            [
                "user: Refund 7, please.",
                "user (will not stay in full): A long letter.",
                "assistant thinks: It was paid twice.",
                "assistant calls refundPayment: amount: 40\norder: 7",
                "refundPayment returns: fee: null\nitems:\n  -\n    n: 1\nnote:\ntwo\nlines\ntags: []",
                "assistant calls 注文を取り消す",
                "注文を取り消す fails: 期限切れ",
                "assistant calls charge: token: null",
                "charge: no result is recorded; whether it took effect is unknown",
                "assistant calls log: code: DE",
                "log returns nothing",
                "wire was denied and did not run: Not today.",
            ]
        );
    }

    #[test]
    fn a_denied_call_did_not_run_however_the_denial_is_stored() {
        let ask = |call: &str| Part::ApprovalRequest { approval_id: format!("ask {call}"), call_id: call.into(), is_automatic: false };
        let deny =
            |call: &str, why: &str| Part::ApprovalResponse { approval_id: format!("ask {call}"), approved: false, reason: why.into() };
        let pieces = pieces(vec![
            (Role::Assistant, vec![call("1", "wire", "{}"), ask("1"), call("2", "pay", "{}"), ask("2"), call("3", "send", "{}"), ask("3")]),
            (Role::Tool, vec![deny("1", "Not today."), result("1", "wire", Output::Denied("Not today.".into()))]),
            (Role::Tool, vec![deny("2", ""), result("2", "pay", Output::ErrorText("Tool call execution denied.".into()))]),
            (Role::Tool, vec![deny("3", "Never.")]),
        ]);
        let expected = [
            "assistant calls wire",
            "wire was denied by the user and did not run: Not today.",
            "assistant calls pay",
            "pay was denied by the user and did not run",
            "assistant calls send",
            "send was denied by the user and did not run: Never.",
        ];
        assert_eq!(pieces, expected);
    }

    #[test]
    fn only_a_long_text_that_stands_there_word_for_word_is_not_repeated() {
        let page = "The price is 40.".repeat(30);
        let pieces = pieces(vec![
            (Role::Tool, vec![result("1", "page", Output::Text(page.clone())), result("2", "page", Output::Text("ok".into()))]),
            (Role::Tool, vec![result("3", "page", Output::Text(page.clone())), result("4", "page", Output::Text("ok".into()))]),
            (Role::Tool, vec![result("5", "page", Output::Text(page.replace("40", "41")))]),
        ]);
        let again = "page returns: [word for word what stands above already]".to_owned();
        let changed = format!("page returns: {}", page.replace("40", "41"));
        assert_eq!(pieces, [format!("page returns: {page}"), "page returns: ok".into(), again, "page returns: ok".into(), changed]);
    }

    #[test]
    fn secrets_that_only_names_reveal_are_left_out() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = format!(r#"{{"user":"u","password":"{secret}"}}"#);
        assert_eq!(readable(&Value::parse(&text).unwrap()), "password: [redacted]\nuser: u");
    }
}
