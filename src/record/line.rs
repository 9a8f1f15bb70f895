//! One call as one line: what it was about and what came of it. Not which lines are kept.

use crate::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::record::action::Action;
use crate::record::outcome::{Outcome, Status};
use crate::record::work::Worth;

/// Longest name of a tool, in characters.
const TOOL_CHARS: usize = 64;
/// Longest kind of calls, in characters.
const KIND_CHARS: usize = 160;
/// Longest outcome, in characters.
const OUTCOME_CHARS: usize = 160;

/// The same of a failure: it names tests, and the line that says why.
const FAILURE_CHARS: usize = 260;

/// What a call does, in a few words, without what came of it. Actions that have a place of their own (plans, questions) say nothing.
pub fn subject(tool: &str, actions: &[Action]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for action in actions {
        let part = subject_of(tool, action);
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    let rest = parts.len().saturating_sub(4);
    parts.truncate(4);
    let mut text = parts.join("; ");
    if rest > 0 {
        text.push_str(&format!("; and {rest} more"));
    }
    text
}

fn subject_of(tool: &str, action: &Action) -> String {
    match action {
        Action::Plan(_) => String::new(),
        Action::Other { about } if about.trim().is_empty() => brief(tool, TOOL_CHARS),
        Action::Other { .. } => format!("{}({})", brief(tool, TOOL_CHARS), action.line()),
        Action::Create { new, .. } if !new.is_empty() => format!("{} ({} lines)", with_short_path(action), new.lines().count()),
        action => with_short_path(action),
    }
}

/// The line of an action with no more of a path than tells the file: the list of files has the rest.
fn with_short_path(action: &Action) -> String {
    let line = action.line();
    match action.path() {
        Some(path) => line.replacen(path, short_path(path), 1),
        None => line,
    }
}

/// The last folder and the name of a file.
pub fn short_path(path: &str) -> &str {
    let from_end = path.char_indices().rev().filter(|(_, letter)| *letter == '/').nth(1);
    from_end.map_or(path, |(at, _)| &path[at + 1..])
}

/// The line of the log for a call. `None` for one that has a place of its own.
pub fn log_line(tool: &str, actions: &[Action], outcome: &Outcome) -> Option<(String, Worth)> {
    let subject = subject(tool, actions);
    if subject.is_empty() {
        return None;
    }
    let worth = actions.iter().map(worth_of).max().unwrap_or_default();
    let said = brief(&outcome.line, if outcome.status == Status::Failed { FAILURE_CHARS } else { OUTCOME_CHARS });
    // That something was waited for is no news; what came then is.
    let is_poll = actions.iter().all(|action| matches!(action, Action::Wait));
    if is_poll && (outcome.status == Status::Running || outcome.status == Status::Done && says_only_how_much(&said)) {
        return None;
    }
    let line = match outcome.status {
        Status::Failed if said.is_empty() => format!("{subject} → failed"),
        Status::Failed => format!("{subject} → failed: {said}"),
        Status::Refused => format!("{subject} → the user refused{}{said}", if said.is_empty() { "" } else { ": " }),
        Status::Running => format!("{subject} → runs still"),
        // Of what nothing is known nothing is said.
        Status::Unknown => subject,
        Status::Done if said.is_empty() || !tells_outcome(actions) => subject,
        Status::Done => format!("{subject} → {said}"),
    };
    Some((line, worth))
}

/// Whether an outcome tells no more than that there was one.
fn says_only_how_much(said: &str) -> bool {
    let is_count = said.split_once(' ').is_some_and(|(count, what)| {
        count.bytes().all(|byte| byte.is_ascii_digit()) && matches!(what, "line" | "lines" | "items" | "words")
    });
    is_count || matches!(said, "" | "no output" | "done") || said.starts_with("Script ")
}

fn worth_of(action: &Action) -> Worth {
    match action {
        Action::Read { .. } | Action::Search { .. } | Action::List { .. } | Action::Wait | Action::Plan(_) => Worth::Look,
        _ => Worth::Act,
    }
}

/// Whether what came of a success is news: of a file that was read, listed or written it is not.
fn tells_outcome(actions: &[Action]) -> bool {
    actions.iter().any(|action| {
        !matches!(
            action,
            Action::Read { .. }
                | Action::List { .. }
                | Action::Create { .. }
                | Action::Edit { .. }
                | Action::Delete { .. }
                | Action::Move { .. }
        )
    })
}

/// A text on one line, without secrets, within `chars` characters.
pub fn brief(text: &str, chars: usize) -> String {
    clean_within(&one_line(&clip(text, chars + ROOM_CHARS)), chars).replace('`', "'")
}

/// Whether a call that fails leaves something open. That a file is not there, or that a search ends badly, was a guess.
pub fn leaves_open(actions: &[Action]) -> bool {
    actions.iter().any(|action| worth_of(action) == Worth::Act && !matches!(action, Action::Query { .. }))
}

/// What is the same of all calls of a kind, so that a later success mends an earlier failure: the program and what it is told to do, or
/// the file.
pub fn kind(tool: &str, actions: &[Action]) -> String {
    let kind = match actions.first() {
        Some(Action::Run { command }) => command_kind(command),
        Some(Action::Read { path, .. }) => format!("read {path}"),
        Some(Action::Create { path, .. } | Action::Edit { path, .. }) => format!("change {path}"),
        Some(Action::Fetch { url }) => format!("fetch {url}"),
        // Of a tool that is not known only the same call again says that what failed goes now.
        _ => subject(tool, actions),
    };
    brief(&kind, KIND_CHARS)
}

/// The program of a command and its subcommand, such as `cargo test`, without paths, variables and flags.
pub fn command_kind(command: &str) -> String {
    let is_word =
        |word: &&str| !word.starts_with('-') && !word.contains('=') && !matches!(*word, "sudo" | "time" | "env" | "exec" | "npx" | "bunx");
    let mut words = command.split_whitespace().filter(is_word).map(|word| word.trim_matches(['"', '\'', '(', ')', ';']));
    let program = words.next().map_or("", |word| word.rsplit_once('/').map_or(word, |(_, name)| name));
    let second = words.next().filter(|word| word.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | ':' | '_')));
    match (program, second) {
        ("npm" | "pnpm" | "yarn" | "bun" | "mise" | "make" | "just" | "uv" | "poetry", Some("run" | "exec")) => {
            format!("{program} run {}", words.next().unwrap_or_default())
        }
        (program, Some(second)) => format!("{program} {second}"),
        (program, None) => program.to_owned(),
    }
}

/// Words of commands that matter to somebody who goes on: what tests, builds, records and serves.
const WEIGHTY: [&str; 30] = [
    "test",
    "tests",
    "build",
    "check",
    "lint",
    "clippy",
    "fmt",
    "format",
    "typecheck",
    "tsc",
    "pytest",
    "jest",
    "vitest",
    "mypy",
    "ruff",
    "eslint",
    "commit",
    "push",
    "merge",
    "rebase",
    "checkout",
    "pr",
    "deploy",
    "install",
    "publish",
    "release",
    "serve",
    "start",
    "dev",
    "docker",
];

/// Whether a command matters beyond its line in the log.
pub fn is_weighty(command: &str) -> bool {
    let words = command.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).take(8);
    let looks = ["cat", "ls", "grep", "rg", "find", "head", "tail", "sed", "awk", "echo", "wc", "which", "pwd", "sleep", "ps", "curl"];
    let mut words = words.peekable();
    !words.peek().is_some_and(|first| looks.contains(first)) && words.any(|word| WEIGHTY.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_one_line_of_what_it_was_about_and_what_came_of_it() {
        let outcome = |status, line: &str| Outcome { status, line: line.to_owned() };
        let run = [Action::Run { command: "cargo test".into() }];
        let edit = [Action::Edit { path: "a.rs".into(), old: "fn a() {\n    1\n}".into(), new: "fn a() {\n    2\n}".into() }];
        for (actions, outcome, line) in [
            (&run[..], outcome(Status::Done, "12 passed"), "ran `cargo test` → 12 passed"),
            (&run[..], outcome(Status::Failed, "exit code 101"), "ran `cargo test` → failed: exit code 101"),
            (&run[..], outcome(Status::Running, ""), "ran `cargo test` → runs still"),
            (&edit[..], outcome(Status::Done, "ok"), "edited a.rs: `fn a() { 1 }` → `fn a() { 2 }`"),
            (&[Action::Other { about: "order_4711".into() }][..], outcome(Status::Done, "3 hits"), "find(order_4711) → 3 hits"),
        ] {
            assert_eq!(log_line("find", actions, &outcome).map(|(line, _)| line).as_deref(), Some(line));
        }
    }

    #[test]
    fn commands_are_of_one_kind_whatever_they_are_told_beside() {
        for (command, kind) in [
            ("cargo test --lib parser", "cargo test"),
            ("RUST_LOG=debug /usr/bin/cargo test", "cargo test"),
            ("npm run build -- --watch", "npm run build"),
            ("pytest -x tests/test_a.py", "pytest"),
            ("git push origin main", "git push"),
        ] {
            assert_eq!(command_kind(command), kind, "{command}");
        }
        assert!(
            is_weighty("cargo test") && is_weighty("git commit -m x") && !is_weighty("cat tests/build.rs") && !is_weighty("python x.py")
        );
    }
}
