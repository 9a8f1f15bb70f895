//! One call as one line: what it was about and what came of it. Not which lines are kept.

use crate::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::record::action::Action;
use crate::record::outcome::{Outcome, Status};
use crate::record::work::Worth;

/// Longest command, query or other subject, in characters.
const SUBJECT_CHARS: usize = 160;
/// Longest outcome, in characters.
const OUTCOME_CHARS: usize = 160;
/// Longest side of an edit, in characters.
const SIDE_CHARS: usize = 70;

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
    let short = |text: &str| brief(text, SUBJECT_CHARS);
    match action {
        Action::Read { path, lines: Some((from, to)) } => format!("read {} {from}–{to}", short(path)),
        Action::Read { path, lines: None } => format!("read {}", short(path)),
        Action::Search { what, path } if path.is_empty() => format!("searched `{}`", short(what)),
        Action::Search { what, path } => format!("searched `{}` in {}", short(what), short(path)),
        Action::List { path } => format!("listed {}", short(path)),
        Action::Create { path, new } => format!("wrote {} ({} lines)", short(path), new.lines().count()),
        Action::Edit { path, old, new } => format!("edited {}: {}", short(path), change(old, new)),
        Action::Delete { path } => format!("deleted {}", short(path)),
        Action::Move { from, to } => format!("moved {} to {}", short(from), short(to)),
        Action::Run { command } => format!("ran `{}`", short(command)),
        Action::Fetch { url } => format!("fetched {}", short(url)),
        Action::Query { text } => format!("asked the web: {}", short(text)),
        Action::Delegate { task } => format!("delegated: {}", short(task)),
        Action::Wait => "waited".to_owned(),
        Action::Plan(_) | Action::Ask { .. } => String::new(),
        Action::Other { about } if about.trim().is_empty() => short(tool),
        Action::Other { about } => format!("{}: {}", brief(tool, 64), short(about)),
    }
}

/// The line of the log for a call. `None` for one that has a place of its own.
pub fn log_line(tool: &str, actions: &[Action], outcome: &Outcome) -> Option<(String, Worth)> {
    let subject = subject(tool, actions);
    if subject.is_empty() {
        return None;
    }
    let worth = actions.iter().map(worth_of).max().unwrap_or_default();
    let said = brief(&outcome.line, OUTCOME_CHARS);
    let line = match outcome.status {
        Status::Failed if said.is_empty() => format!("{subject} → failed"),
        Status::Failed => format!("{subject} → failed: {said}"),
        Status::Refused => format!("{subject} → the user refused{}{said}", if said.is_empty() { "" } else { ": " }),
        Status::Running => format!("{subject} → runs still"),
        Status::Done if said.is_empty() || !tells_outcome(actions) => subject,
        Status::Done => format!("{subject} → {said}"),
    };
    Some((line, worth))
}

fn worth_of(action: &Action) -> Worth {
    match action {
        Action::Read { .. } | Action::Search { .. } | Action::List { .. } | Action::Wait | Action::Plan(_) | Action::Ask { .. } => {
            Worth::Look
        }
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

/// What an edit replaced by what: the first lines that differ, a few words of each.
pub fn change(old: &str, new: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (lines_of(old), lines_of(new));
    let same = before.iter().zip(&after).take_while(|(old, new)| old == new).count();
    let (before, after) = (&before[same..], &after[same..]);
    let same = before.iter().rev().zip(after.iter().rev()).take_while(|(old, new)| old == new).count();
    let (before, after) = (&before[..before.len() - same], &after[..after.len() - same]);
    let side = |lines: &[&str]| lines.first().map_or(String::new(), |line| format!("`{}`", brief(line, SIDE_CHARS)));
    let more = |lines: &[&str]| if lines.len() > 1 { format!(" (+{} lines)", lines.len() - 1) } else { String::new() };
    match (before.is_empty(), after.is_empty()) {
        (true, true) => "only white space".to_owned(),
        (true, false) => format!("added {}{}", side(after), more(after)),
        (false, true) => format!("removed {}{}", side(before), more(before)),
        (false, false) => format!("{}{} → {}{}", side(before), more(before), side(after), more(after)),
    }
}

fn lines_of(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// A text on one line, without secrets, within `chars` characters.
pub fn brief(text: &str, chars: usize) -> String {
    clean_within(&one_line(&clip(text, chars + ROOM_CHARS)), chars).replace('`', "'")
}

/// What is the same of all calls of a kind, so that a later success mends an earlier failure: the program and what it is told to do, or
/// the file.
pub fn kind(tool: &str, actions: &[Action]) -> String {
    match actions.first() {
        Some(Action::Run { command }) => command_kind(command),
        Some(Action::Read { path, .. }) => format!("read {path}"),
        Some(Action::Create { path, .. } | Action::Edit { path, .. }) => format!("change {path}"),
        Some(Action::Fetch { url }) => format!("fetch {url}"),
        _ => tool.to_owned(),
    }
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
            (&edit[..], outcome(Status::Done, "ok"), "edited a.rs: `1` → `2`"),
            (&[Action::Other { about: "order_4711".into() }][..], outcome(Status::Done, "3 hits"), "find: order_4711 → 3 hits"),
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
