//! How a call ended, by structure: the SDK's own output types, and the forms in which answers say that they failed: an `error` member, flags,
//! HTTP codes, problem details, faults. Reads no sentence, and no item of a list: a search may find a row about an error.

use std::borrow::Cow;

use crate::json::{Value, letters_of_name, unwrapped, wraps};
use crate::model::message::{Outcome, Output, ToolResult};
use crate::results::envelope::Envelope;
use crate::results::pairs::{Form, read};
use crate::results::returned::{AnswerOf, Given, Wanted, ending, returned};

/// A larger answer is not looked into: an error is short.
const READ_BYTES: usize = 64 * 1024;
/// Wrappers that are opened.
const LEVELS: usize = 4;
/// Columns of what a failed answer says besides why, and of what a program printed.
const REST_COLUMNS: usize = 100;
const WHY_COLUMNS: usize = 240;
/// What has no more lines is a message, and what has more is what a program printed.
const WHY_LINES: usize = 8;

/// Members that say why, the first that is there, and those without which a state is that of a thing and not of the call.
const WHY: [&str; 7] = ["error", "errors", "fault", "message", "reason", "detail", "title"];
/// Members that hold the code with which a program ended.
const EXITS: [&str; 4] = ["exitcode", "returncode", "exitstatus", "rc"];
/// States that say that a call failed.
const FAILED: [&str; 4] = ["error", "failed", "fail", "failure"];

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
    let says_failed = |text: &str| value_of(text, |value| has_failed(value, LEVELS)).unwrap_or(false);
    let text = result.output.as_text();
    result.output.is_error() || says_failed(&text) || matches!(unwrapped(&text), Cow::Owned(inner) if says_failed(&inner))
}

/// Reads an answer that may say how a call ended.
fn value_of<T>(text: &str, take: impl Fn(&Value<'_>) -> T) -> Option<T> {
    // Of markup, which a page is as well, only one form says so.
    let may_say = |text: &str| text.starts_with(['{', '"']) || text.starts_with('<') && text.contains("Fault>");
    if text.len() > READ_BYTES || !may_say(text.trim_start()) {
        return None;
    }
    match read(text) {
        Form::Value(value) => Some(take(&value)),
        // JSON that was written as a text.
        Form::Text(inner) if text.trim_start().starts_with('"') && may_say(inner.trim_start()) => {
            Value::parse(inner.trim()).map(|value| take(&value))
        }
        Form::Text(_) => None,
    }
}

/// The members of an object whose name is this one, however its words are joined.
fn named<'v, 'a>(value: &'v Value<'a>, wanted: &str) -> impl Iterator<Item = &'v Value<'a>> {
    let members = if let Value::Map(members) = value { members.as_slice() } else { &[] };
    members.iter().filter(move |(name, _)| letters_of_name(name).eq(wanted.chars())).map(|(_, value)| value)
}

/// Whether a value, such as what a tool returned, says that a call failed.
pub fn says_failed(value: &Value<'_>) -> bool {
    has_failed(value, LEVELS)
}

fn has_failed(value: &Value<'_>, levels: usize) -> bool {
    let Value::Map(members) = value else { return false };
    let any = |names: &[&str], is: &dyn Fn(&Value<'_>) -> bool| names.iter().any(|name| named(value, name).any(is));
    let is = |flag: &'static str| move |value: &Value<'_>| value.scalar_text().trim().eq_ignore_ascii_case(flag);
    let is_code = |value: &Value<'_>| value.scalar_text().parse().is_ok_and(|code: u16| (400..600).contains(&code));
    let says_why = any(&WHY, &holds);
    // Answers may say what went wrong with a part of what they brought.
    let brought = || members.iter().any(|(name, value)| !name.eq_ignore_ascii_case("errors") && is_container(value) && holds(value));
    any(&["iserror", "failed"], &is("true"))
        || any(&["error", "fault"], &holds)
        || any(&["success", "issuccess", "succeeded", "ok"], &is("false"))
        || any(&["statuscode", "httpstatus", "httpstatuscode"], &is_code)
        || says_why && any(&["status"], &|value| is_state(value) || is_code(value))
        || any(&["errors"], &|errors| is_container(errors) && holds(errors)) && !brought()
        || printed(value).is_some()
        || levels > 0 && members.iter().any(|(name, inner)| (wraps(name) || members.len() == 1) && has_failed(inner, levels - 1))
}

/// What a program printed that ended with another code than zero, after that code. One that printed nothing only found nothing.
fn printed(value: &Value<'_>) -> Option<String> {
    let Value::Map(members) = value else { return None };
    // 200 is how services say that all went well.
    let is_failed = |code: &&str| code.parse().is_ok_and(|code: i64| code.abs() <= 255 && !matches!(code, 0 | 200));
    let code = EXITS.iter().flat_map(|name| named(value, name)).map(Value::scalar_text).find(is_failed)?;
    let texts = members.iter().map(|(_, value)| value.scalar_text().trim()).filter(|text| text.contains(char::is_whitespace));
    let text = texts.collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then(|| format!("exit code {code}: {}", ending(&text, WHY_COLUMNS)))
}

/// Whether a value is a word for a failure.
fn is_state(value: &Value<'_>) -> bool {
    FAILED.iter().any(|state| value.scalar_text().eq_ignore_ascii_case(state))
}

fn is_container(value: &Value<'_>) -> bool {
    matches!(value, Value::List(_) | Value::Map(_))
}

/// Whether a value is there: no null, no `false`, nothing empty.
fn holds(value: &Value<'_>) -> bool {
    match value {
        Value::List(items) => items.iter().any(holds),
        Value::Map(members) => members.iter().any(|(_, value)| holds(value)),
        Value::Number(number) => *number != "0",
        scalar => !matches!(scalar.scalar_text().trim(), "" | "false"),
    }
}

/// What a failed call says of why, and what else it names: which one it found already, how far it came.
pub fn reason(text: &str) -> String {
    let text = unwrapped(text);
    let is_markup = text.trim_start().starts_with('<');
    let reason = value_of(&text, |value| reason_of(value, LEVELS).unwrap_or_else(|| rest_of(value)));
    let is_long = text.lines().nth(WHY_LINES).is_some();
    let whole = || if is_long { ending(&text, WHY_COLUMNS) } else { text.to_string() };
    reason.filter(|reason| !reason.trim().is_empty() || is_markup).unwrap_or_else(whole)
}

fn reason_of(value: &Value<'_>, levels: usize) -> Option<String> {
    let Value::Map(members) = value else { return None };
    if let Some(printed) = printed(value) {
        return Some(printed);
    }
    for wanted in WHY {
        if let Some(why) = named(value, wanted).find(|why| holds(why)) {
            let others =
                members.iter().filter(|(_, other)| !std::ptr::eq(other, why) && !matches!(other, Value::Bool(_)) && !is_state(other));
            let rest = rest_of(&Value::Map(others.cloned().collect()));
            let why = plainly(why);
            return Some(if rest.is_empty() { why } else { format!("{why}, {rest}") });
        }
    }
    members.iter().filter(|(name, _)| levels > 0 && (wraps(name) || members.len() == 1)).find_map(|(_, inner)| reason_of(inner, levels - 1))
}

/// What a value says, what stands in it itself before what it holds: why a call failed, and then what it found instead.
fn plainly(value: &Value<'_>) -> String {
    let Value::Map(members) = value else { return value.joined_leaves(" ") };
    let (held, own): (Vec<_>, Vec<_>) = members.iter().cloned().partition(|(_, value)| is_container(value));
    format!("{} {}", Value::Map(own).joined_leaves(" "), Value::Map(held).joined_leaves(" ")).trim().to_owned()
}

fn rest_of(value: &Value<'_>) -> String {
    let mut text = String::new();
    value.write(&mut text);
    returned(&text, &Given::default(), Wanted { columns: REST_COLUMNS, envelope: &Envelope::default(), of: AnswerOf::Act }).line()
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
            (json(r#"{"status":404,"items":[]}"#), false),
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
            (json(r#"{"returnCode":"200","message":"all went well"}"#), false),
            // A search that found nothing.
            (json(r#"{"stdout":"","stderr":"","exit_code":1,"host":"box-7"}"#), false),
            (text("<s:Envelope><s:Body><s:Fault><faultstring>closed</faultstring></s:Fault></s:Body></s:Envelope>"), true),
            (text("<html><body><p>Fault</p></body></html>"), false),
            (text("Error: this is a page about errors"), false),
        ] {
            assert_eq!(is_failure(&result(output.clone())), failed, "{output:?}");
        }
    }

    #[test]
    fn what_a_failure_says_of_why_is_read_out_of_its_wrapping_with_what_else_it_names() {
        for (text, expected) in [
            (r#"{"error":{"code":4,"message":"expired"}}"#, "4 expired"),
            (r#"{"error":{"code":"TAKEN","alternatives":["9:30","9:45"],"message":"gone"}}"#, "TAKEN gone 9:30 9:45"),
            (r#"{"content":[{"type":"text","text":"no such id"}],"isError":true}"#, "no such id"),
            (r#"{"error":"duplicate","existing":"PAY-1"}"#, "duplicate, existing PAY-1"),
            (r#"{"statusCode":409,"message":"locked by BJ-31"}"#, "locked by BJ-31, statusCode 409"),
            (r#"{"data":{"success":false,"errorCode":"E_FULL"}}"#, "errorCode E_FULL, success false"),
            ("<e><Body><Fault><faultcode>S</faultcode><faultstring>closed</faultstring></Fault></Body></e>", "S closed"),
            ("timeout", "timeout"),
            (
                &r#"{"exitCode":1,"stdout":"= tests start =\n@\nFAILED a::keeps - got 3\n== 1 failed, 40 passed =="}"#
                    .replace('@', &"one of many lines of a long log ".repeat(9)),
                "exit code 1: tests start … FAILED a::keeps - got 3; 1 failed, 40 passed",
            ),
        ] {
            assert_eq!(reason(text), expected, "{text}");
        }
    }
}
