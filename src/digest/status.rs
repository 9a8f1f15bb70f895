//! How a call ended, by structure: the SDK's own output types, and the few members in which answers say that they failed: an `error`, flags, a
//! status, the exit code of a program, a fault of SOAP. Reads no sentence, and no item of a list: a search may find a row about an error.

use crate::json::{Value, is_secret_member, letters_of_name, unwrapped, wraps};
use crate::model::message::{Outcome, Output, ToolResult};
use crate::results::returned::ending;
use crate::text::markup::{Tag, tags, without_tags};

/// A larger answer is not looked into: an error is short.
const READ_BYTES: usize = 64 * 1024;
/// Wrappers that are opened.
const LEVELS: usize = 4;
/// What has no more lines is a message; of what has more, which a program printed, so many columns are enough.
const WHY_LINES: usize = 8;
const WHY_COLUMNS: usize = 240;
/// Members that say why, the first that is there.
const WHY: [&str; 7] = ["error", "errors", "fault", "message", "reason", "detail", "title"];

/// How a call ended that did not do what it should, in a word or two; `None` where nothing says so.
pub fn failure_of(result: &ToolResult) -> Option<&'static str> {
    match result.outcome {
        Some(Outcome::NotRun) => Some("did not run"),
        Some(Outcome::Aborted) => Some("aborted"),
        Some(Outcome::TimedOut) => Some("timed out"),
        Some(Outcome::Failed) => Some("failed"),
        Some(Outcome::Succeeded) | None => is_failure(result).then_some("failed"),
    }
}

/// Whether nobody knows if a call succeeded: its tool wrote this for the model, and may have left out that it did not.
pub fn is_unsure(result: &ToolResult) -> bool {
    result.outcome.is_none() && matches!(result.output, Output::Content(_))
}

/// Whether a result says that its call failed, whatever else is known of it.
pub fn is_failure(result: &ToolResult) -> bool {
    let text = result.output.as_text();
    result.output.is_error()
        || is_fault(&text)
        || [&*text, &*unwrapped(&text)].into_iter().any(|text| value_of(text, says_failed).unwrap_or_default())
}

/// Whether a text is XML that says so: SOAP has one element for it, in a namespace of any name.
fn is_fault(text: &str) -> bool {
    let is_fault = |tag: Tag<'_>| tag.opens && tag.name.rsplit(':').next() == Some("Fault");
    text.len() <= READ_BYTES && text.trim_start().starts_with('<') && tags(text, 0..text.len()).any(is_fault)
}

/// Reads an answer that may say how a call ended: an object, or one that was written as a text.
fn value_of<T>(text: &str, take: impl Fn(&Value<'_>) -> T) -> Option<T> {
    if text.len() > READ_BYTES || !text.trim_start().starts_with(['{', '"']) {
        return None;
    }
    match Value::parse(text)? {
        Value::Text(inner) => Value::parse(&inner).map(|value| take(&value)),
        value => Some(take(&value)),
    }
}

/// Whether a value, such as what a tool returned, says that a call failed.
pub fn says_failed(value: &Value<'_>) -> bool {
    has_failed(value, LEVELS)
}

fn has_failed(value: &Value<'_>, levels: usize) -> bool {
    let Value::Map(members) = value else { return false };
    members.iter().any(|(name, said)| {
        let text = said.scalar_text().trim();
        let code = text.parse().unwrap_or(0);
        match letters_of_name(name).collect::<String>().as_str() {
            "error" | "fault" => holds(said),
            "iserror" => text == "true",
            "ok" | "success" => text == "false",
            "status" | "statuscode" => (400..600).contains(&code) || text == "error",
            // One that printed nothing only found nothing.
            "exitcode" => code != 0 && members.iter().any(|(_, printed)| printed.scalar_text().trim().contains(char::is_whitespace)),
            // Answers may say what went wrong with a part of what they brought.
            "errors" => {
                is_container(said) && holds(said) && !members.iter().any(|(_, other)| other != said && is_container(other) && holds(other))
            }
            _ => levels > 0 && (wraps(name) || members.len() == 1) && has_failed(said, levels - 1),
        }
    })
}

fn is_container(value: &Value<'_>) -> bool {
    matches!(value, Value::List(_) | Value::Map(_))
}

/// Whether a value is there: no null, no `false`, nothing empty.
fn holds(value: &Value<'_>) -> bool {
    match value {
        Value::List(items) => items.iter().any(holds),
        Value::Map(members) => members.iter().any(|(_, value)| holds(value)),
        scalar => !matches!(scalar.scalar_text().trim(), "" | "false" | "0"),
    }
}

/// What a failed call says of why, and what else it names: which one it found already, how far it came.
pub fn reason(text: &str) -> String {
    let text = unwrapped(text);
    let said = value_of(&text, |value| reason_of(value, LEVELS))
        .filter(|said| !said.is_empty())
        .unwrap_or_else(|| if is_fault(&text) { without_tags(&text, true) } else { text.to_string() });
    if said.lines().nth(WHY_LINES).is_some() { ending(&said, WHY_COLUMNS) } else { said }
}

fn reason_of(value: &Value<'_>, levels: usize) -> String {
    let Value::Map(members) = value else { return value.joined_leaves(" ") };
    let wrapped = members.iter().find(|(name, inner)| matches!(inner, Value::Map(_)) && (wraps(name) || members.len() == 1));
    if let Some((_, inner)) = wrapped.filter(|_| levels > 0) {
        return reason_of(inner, levels - 1);
    }
    let is = |name: &str, wanted: &str| letters_of_name(name).eq(wanted.chars());
    let why = WHY.iter().find_map(|wanted| members.iter().position(|(name, value)| is(name, wanted) && holds(value)));
    let others = members.iter().enumerate().filter(|(at, (name, value))| {
        Some(*at) != why && !matches!(value, Value::Map(_) | Value::Bool(_)) && !is_secret_member(members, name, value.scalar_text())
    });
    let others = others.map(|(_, (name, value))| format!("{name} {}", value.joined_leaves(" ").trim()));
    let why = why.map(|at| members[at].1.joined_leaves(" "));
    why.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::{Json, Output};

    fn result(output: Output) -> ToolResult {
        ToolResult { id: "1".into(), name: "t".into(), output, ..ToolResult::default() }
    }

    #[test]
    fn a_failure_is_known_by_structure_and_not_by_words() {
        let json = |text: &str| Output::Json(Json { text: text.into(), omitted_bytes: 0 });
        let text = |text: &str| Output::Text(text.into());
        for (output, failed) in [
            (Output::ErrorText("timeout".into()), true),
            (json(r#"{"error":"expired"}"#), true),
            (json(r#"{"error":{"code":4}}"#), true),
            (json(r#"{"error":null,"rows":[]}"#), false),
            (json(r#"{"error":""}"#), false),
            (json(r#"{"content":[{"type":"text","text":"no such id"}],"isError":true}"#), true),
            (json(r#"{"content":[{"type":"text","text":"Error handling in Rust"}],"isError":false}"#), false),
            (json(r#"{"content":[{"type":"text","text":"{\"success\":false}"}]}"#), true),
            (json(r#"{"success":false,"reason":"full"}"#), true),
            (json(r#"{"success":"false"}"#), true),
            (json(r#"{"result":{"success":false}}"#), true),
            (json(r#"{"data":{"success":false,"errorCode":"E_FULL"},"traceId":"a"}"#), true),
            (json(r#"{"errors":[{"message":"locked"}],"data":{"pay":null}}"#), true),
            (json(r#"{"errors":[],"data":{"pay":1}}"#), false),
            (json(r#"{"errors":[{"row":3}],"rows":[{"row":1}]}"#), false),
            (json(r#"{"status":"error","message":"locked"}"#), true),
            (json(r#"{"id":"J-1","status":"failed"}"#), false),
            (json(r#"{"id":"J-1","status":"done","message":"all went well"}"#), false),
            (json(r#"{"type":"about:blank","title":"Locked","status":423}"#), true),
            (json(r#"{"status":404,"items":[]}"#), true),
            (json(r#"{"fault":{"faultstring":"closed"}}"#), true),
            (text("<s:Envelope><s:Body><s:Fault><faultstring>closed</faultstring></s:Fault></s:Body></s:Envelope>"), true),
            (text("<?xml version=\"1.0\"?>\n<Envelope><Body><Fault/></Body></Envelope>"), true),
            (text("<html><body><p>Fault</p></body></html>"), false),
            (text("<DefaultFaultCount>0</DefaultFaultCount>"), false),
            (json(r#"{"statusCode":409,"message":"locked"}"#), true),
            (json(r#"{"status_code":"200"}"#), false),
            (json(r#"{"rows":[{"error":"timeout"},{"success":false}]}"#), false),
            (json(r#"{"order":{"id":"A-1"},"lastRun":{"success":false}}"#), false),
            (json(r#""{\"error\":\"declined\"}""#), true),
            (json("[1]"), false),
            (text(r#"{"error":"card declined"}"#), true),
            (json(r#"{"stdout":"1 failed, 7 passed","exitCode":1}"#), true),
            (json(r#"{"data":{"output":"no such file","exit_code":"2"}}"#), true),
            (json(r#"{"stdout":"8 passed","exitCode":0}"#), false),
            // A search that found nothing.
            (json(r#"{"stdout":"","stderr":"","exit_code":1,"host":"box-7"}"#), false),
            (text("Error: this is a page about errors"), false),
        ] {
            assert_eq!(is_failure(&result(output.clone())), failed, "{output:?}");
        }
    }

    #[test]
    fn what_a_failure_says_of_why_is_read_out_of_its_wrapping_with_what_else_it_names() {
        for (text, expected) in [
            (r#"{"error":{"code":4,"message":"expired"}}"#, "expired, code 4"),
            (r#"{"error":{"code":"TAKEN","alternatives":["9:30","9:45"],"message":"gone"}}"#, "gone, alternatives 9:30 9:45, code TAKEN"),
            (r#"{"content":[{"type":"text","text":"no such id"}],"isError":true}"#, "no such id"),
            (r#"{"error":"duplicate","existing":"PAY-1"}"#, "duplicate, existing PAY-1"),
            (r#"{"statusCode":409,"message":"locked by BJ-31"}"#, "locked by BJ-31, statusCode 409"),
            (
                "<e><Body><Fault><faultcode>S</faultcode><faultstring>closed</faultstring></Fault></Body></e>",
                "e: Body: Fault: faultcode: S, faultstring: closed",
            ),
            (r#"{"data":{"success":false,"errorCode":"E_FULL"}}"#, "errorCode E_FULL"),
            ("timeout", "timeout"),
            (
                &r#"{"exitCode":1,"stdout":"= tests start =\n@\nFAILED a::keeps - got 3\n== 1 failed, 40 passed =="}"#
                    .replace('@', &"one of many lines of a long log\\n".repeat(9)),
                &format!(
                    "exitCode 1, stdout = tests start … {}FAILED a::keeps - got 3; 1 failed, 40 passed",
                    "one of many lines of a long log; ".repeat(4)
                ),
            ),
        ] {
            assert_eq!(reason(text), expected, "{text}");
        }
    }
}
