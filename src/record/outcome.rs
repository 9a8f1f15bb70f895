//! What came of a call: the one line of its result that a colleague would want to be told.
//! Not which results are worth keeping.

mod counts;
mod errors;
mod failing;
mod lines;
mod report;

use serde::{Deserialize, Serialize};

use crate::clip::{ROOM_CHARS, clean_within, clip, first_chars};
use crate::digest::envelope::Envelope;
use crate::digest::returned::{LINE_BYTES, returned};
use crate::digest::status::{reason, unwrapped};
use crate::record::action::Action;
use crate::record::outcome::counts::{Counts, told};
use crate::record::outcome::errors::error_line;
use crate::record::outcome::failing::{failing_tests, is_only_a_name};
use crate::record::outcome::lines::{entries, fetched, json_line, listed, matches, read_lines, telling_line};
use crate::record::outcome::report::{Report, read_report};

/// Longest line of an outcome, in characters.
const LINE_CHARS: usize = 360;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// It did what it was asked.
    Done,
    /// It failed.
    Failed,
    /// The user, or a rule of theirs, did not let it be done.
    Refused,
    /// It runs still.
    Running,
    /// Nothing is known of how it ended.
    Unknown,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The one line that says what came of it, such as `12 passed, 1 failed`, without secrets; may be empty.
    pub line: String,
}

/// What came of a call that does `actions`, by the text of its result. What the envelope holds is not told.
pub fn read_outcome(actions: &[Action], text: &str, is_error: bool, envelope: &Envelope) -> Outcome {
    let end = |status, line: &str| Outcome { status, line: clean_within(&clip(&told(line), LINE_CHARS + ROOM_CHARS), LINE_CHARS) };
    // What no name tells is read by structure alone: no words of a result say that it failed, or that the user spoke.
    if actions.iter().all(|action| matches!(action, Action::Other { .. })) {
        return match is_error {
            true => end(Status::Failed, &reason(text)),
            false => match listed(&unwrapped(text)) {
                Some(listed) => end(Status::Done, &listed),
                None => Outcome { status: Status::Done, line: returned(text, "", LINE_BYTES, envelope).line },
            },
        };
    }
    let main = main_action(actions);
    if let Some(reason) = refusal(text) {
        return end(Status::Refused, &reason);
    }
    let report = read_report(text);
    if is_unrecorded(report.body.trim()) {
        return end(Status::Unknown, "");
    }
    if report.is_running || is_in_background(&report.body) {
        return end(Status::Running, telling_line(&report.body).unwrap_or_default());
    }
    let lines: Vec<&str> = report.body.lines().collect();
    let counts = if matches!(main, Some(Action::Run { .. } | Action::Wait)) { Counts::read(&lines) } else { None };
    if has_failed(main, &report, &lines, is_error, counts.as_ref()) {
        return end(Status::Failed, &failure(&report, &lines, counts.as_ref()));
    }
    end(Status::Done, &success(actions, &report, &lines, counts.as_ref()))
}

/// At most one more line of a result that says what went wrong, beside those that the outcome's line tells. Without secrets.
pub fn further_error(text: &str, told_line: &str) -> Option<String> {
    let report = read_report(text);
    let lines: Vec<&str> = report.body.lines().collect();
    errors::other_error(&lines, told_line).map(|line| clean_within(&clip(&line, LINE_CHARS + ROOM_CHARS), LINE_CHARS))
}

/// The action that its result tells of: a command before an edit, an edit before a reading.
fn main_action(actions: &[Action]) -> Option<&Action> {
    let weight = |action: &&Action| match action {
        Action::Run { .. } | Action::Delegate { .. } => 5,
        action if action.writes() => 4,
        Action::Fetch { .. } | Action::Query { .. } | Action::Other { .. } => 3,
        Action::Search { .. } => 2,
        _ => 1,
    };
    actions.iter().rev().max_by_key(weight)
}

/// The words in which the user, or a rule of theirs, refused a call.
fn refusal(text: &str) -> Option<String> {
    let head = first_chars(text.trim_start(), 2_000);
    const REFUSALS: [&str; 12] = [
        "The user doesn't want to",
        "The user does not want to",
        "The tool use was rejected",
        "Permission to use",
        "The user rejected",
        "User rejected",
        "User denied",
        "[Request interrupted",
        "exec_command failed for",
        "aborted by user",
        "Tool execution denied",
        "The user declined",
    ];
    let begins = REFUSALS.iter().any(|beginning| head.starts_with(beginning));
    if !begins && head.len() >= 1_000 {
        return None;
    }
    let says = [
        "rejected by user",
        "has been denied",
        "The tool use was rejected",
        "rejected permission to use",
        "denied by the user",
        "The user cancelled",
        "user has denied",
    ]
    .iter()
    .any(|words| head.contains(words));
    if !(says && head.len() < 1_000 || begins && (!head.starts_with("exec_command") || says)) {
        return None;
    }
    let reason =
        ["the user said:", "The user provided the following reason", "Reason:", "feedback:"].iter().find_map(|mark| head.split_once(mark));
    Some(reason.map_or("refused by the user".to_owned(), |(_, reason)| {
        format!("refused by the user: {}", reason.trim_start_matches([':', ' ', '\n']))
    }))
}

/// Whether a harness only says that it has no result.
fn is_unrecorded(body: &str) -> bool {
    let lower = body.get(..body.len().min(100)).unwrap_or_default().to_ascii_lowercase();
    let says =
        ["no result recorded", "no result provided", "result missing", "tool execution aborted", "interrupted by user", "no tool result"];
    body.len() < 100 && says.iter().any(|words| lower.trim_start_matches(['[', '(', '<']).starts_with(words))
}

fn is_in_background(body: &str) -> bool {
    let text = body.trim_start();
    [
        "Command running in background",
        "Async agent launched",
        "Command was manually backgrounded",
        "<status>running</status>",
        "Agent launched",
    ]
    .iter()
    .any(|beginning| text.starts_with(beginning))
}

fn has_failed(main: Option<&Action>, report: &Report, lines: &[&str], is_error: bool, counts: Option<&Counts>) -> bool {
    let body = report.body.trim();
    // A search ends with 1 when it finds nothing, and a command whose output was searched as well.
    let is_search = matches!(main, Some(Action::Search { .. } | Action::List { .. }));
    let finds_nothing = report.exit == Some(1) && body.is_empty();
    if is_search && (finds_nothing || report.exit == Some(1) && !begins_like_error(body)) {
        return false;
    }
    if report.exit.is_some_and(|code| code != 0) || is_error || report.is_error {
        return true;
    }
    match main {
        Some(Action::Run { .. } | Action::Wait) => {
            // Without an exit code the output alone tells: what was found, what a task runner ends with, or a word or two that are all there is.
            let is_told = counts.is_some_and(|counts| counts.problems.is_some_and(|count| count > 0)) || ends_in_failure(lines);
            let is_short = lines.len() <= 2 && body.len() < 400 && error_line(lines).is_some();
            counts.is_some_and(Counts::has_failures) || report.exit.is_none() && (is_told || is_short || begins_like_error(body))
        }
        // A page or a file may speak of errors.
        _ => body.len() < 1_000 && begins_like_error(body),
    }
}

/// Whether a task runner says at the end that what it ran has failed.
fn ends_in_failure(lines: &[&str]) -> bool {
    let mut last = lines.iter().rev().map(|line| line.trim()).filter(|line| !line.is_empty()).take(6);
    let begins = [
        "Exit status ",
        "ELIFECYCLE",
        "npm ERR!",
        "npm error",
        "make: ***",
        "error: script ",
        "error Command failed",
        "error: Recipe",
        "ERR_PNPM",
    ];
    last.any(|line| begins.iter().any(|beginning| line.starts_with(beginning)))
}

fn begins_like_error(body: &str) -> bool {
    let lower = first_chars(body, 200).to_ascii_lowercase();
    let begins = [
        "error:",
        "error ",
        "fatal:",
        "traceback (",
        "failed to",
        "failed:",
        "invalid ",
        "exception:",
        "could not ",
        "unable to ",
        "cannot ",
        "no such file",
        "apply_patch verification failed",
        "string to replace not found",
        "oldstring not found",
        "file does not exist",
    ];
    let first = lower.lines().next().unwrap_or_default();
    begins.iter().any(|beginning| lower.starts_with(beginning))
        || lower.len() < 160
            && (first.ends_with("command not found")
                || first.contains(": command not found")
                || first.ends_with("no such file or directory"))
}

/// What went wrong, in one line.
fn failure(report: &Report, lines: &[&str], counts: Option<&Counts>) -> String {
    let code = match report.exit {
        Some(code) if code != 0 => format!("exit code {code}"),
        _ => String::new(),
    };
    let counted = counts.map_or(String::new(), Counts::line);
    let counts_only = counts.is_some_and(|counts| counts.has_failures() || counts.problems.is_some_and(|count| count > 0));
    let first = if counts_only { counted } else { code };
    let last = || if counts_only { None } else { telling_line(&report.body).map(told) };
    let names = if counts.is_some_and(Counts::has_failures) { failing_tests(lines) } else { String::new() };
    // A line that only names one of several tests says nothing more.
    let reasons: Vec<&str> = lines.iter().copied().filter(|line| !names.contains(", ") || !is_only_a_name(line)).collect();
    let line = error_line(&reasons).or_else(last).unwrap_or_default();
    // What names the only test that failed already need not say it twice.
    let first = if names.is_empty() || line.contains(&names) { first } else { format!("{first} ({names})") };
    match (first.is_empty(), line.is_empty()) {
        (true, _) => line,
        (_, true) => first,
        _ => format!("{first}: {line}"),
    }
}

/// What was done, in one line.
fn success(actions: &[Action], report: &Report, lines: &[&str], counts: Option<&Counts>) -> String {
    let main = main_action(actions);
    let body = report.body.trim();
    let said = |line: Option<&str>| line.unwrap_or_default().to_owned();
    match main {
        Some(Action::Read { .. }) => read_lines(lines),
        Some(Action::Search { .. }) => matches(body, lines),
        Some(Action::List { .. }) => entries(body, lines),
        Some(Action::Create { .. }) => if body.contains("overwritten") { "overwritten" } else { "written" }.to_owned(),
        Some(Action::Edit { .. }) => match body.find("LSP errors detected") {
            Some(_) => format!("applied; {}", error_line(lines).unwrap_or("the language server reports errors".to_owned())),
            None => "applied".to_owned(),
        },
        Some(Action::Delete { .. } | Action::Move { .. } | Action::Plan(_)) => "done".to_owned(),
        Some(Action::Fetch { .. } | Action::Query { .. }) => fetched(body, lines),
        Some(Action::Delegate { .. }) => format!("{} words: {}", body.split_whitespace().count(), said(lines::first_statement(lines))),
        _ => {
            let counted = counts.map(Counts::line).unwrap_or_default();
            if !counted.is_empty() {
                return counted;
            }
            json_line(body).unwrap_or_else(|| lines::command_line(main, actions.len() > 1, body, lines))
        }
    }
}

#[cfg(test)]
mod tests;
