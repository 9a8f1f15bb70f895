//! The line of an output that says what went wrong, with its place.
//! What only repeats that something failed, as task runners do, is passed over.

use crate::clip::clip;
use crate::record::outcome::counts::told;

/// Lines that are looked at.
const LINES: usize = 4_000;

/// Longest side of an assertion, in characters.
const SIDE_CHARS: usize = 60;

/// Beginnings of lines that only pass on that something below them failed.
const ECHOES: [&str; 22] = [
    "npm err!",
    "npm error",
    "error command failed",
    "elifecycle",
    " elifecycle",
    "err_pnpm",
    "exit status",
    "error: script ",
    "make: ***",
    "error: recipe",
    "error task failed",
    "[entire]",
    "error: process completed",
    "error: could not compile",
    "error: aborting due",
    "for more information",
    "error: test failed",
    "fail",
    "failures:",
    "errors:",
    "error: command failed",
    "× some errors were emitted",
];

/// The line that says what went wrong; `None` when none does.
pub fn error_line(lines: &[&str]) -> Option<String> {
    let lines = &lines[..lines.len().min(LINES)];
    let mut best: Option<(u32, String)> = None;
    for (index, line) in lines.iter().enumerate() {
        let worth = worth(line);
        if worth == 0 || best.as_ref().is_some_and(|(most, _)| *most >= worth) {
            continue;
        }
        best = Some((worth, with_place(lines, index)));
        if worth >= MOST {
            break;
        }
    }
    best.map(|(_, line)| line)
}

/// A line that says more of what went wrong than is told already.
pub fn other_error(lines: &[&str], told_line: &str) -> Option<String> {
    let others = lines.iter().take(LINES).enumerate().filter(|(_, line)| worth(line) >= 3);
    others.map(|(index, _)| with_place(lines, index)).find(|line| !told_line.contains(line.as_str()))
}

const MOST: u32 = 5;

/// How much a line says of what went wrong.
fn worth(line: &str) -> u32 {
    let line = untagged(line);
    if line.is_empty() || line.len() > 2_000 || line == "FAIL" {
        return 0;
    }
    let lower: String = line.chars().take(160).collect::<String>().to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    // What counts is told by the counts.
    if ["test files", "test suites", "tests ", "tests:", "test result:"].iter().any(|beginning| lower.starts_with(beginning)) {
        return 0;
    }
    if ECHOES.iter().any(|echo| lower == echo.trim_end() || echo.len() > 6 && lower.starts_with(echo))
        || says(&["err_pnpm_", "error task failed", "command failed with exit code"])
    {
        return 1;
    }
    if says(&["0 errors", "no errors", "0 failed", "error: 0", "errors: 0", "(none)", "warning"]) {
        return 0;
    }
    // `src/a.rs:12:5: error`, `a.ts(5,13): error TS2769`, `error[E0425]: …`
    let is_placed = place_length(line) > 0;
    if lower.starts_with("e   ") && says(&["error", "assert"])
        || lower.starts_with("error[")
        || is_placed && says(&["error", "fatal", "undefined", "cannot", "failed", "expected", "undeclared", "unused"])
    {
        return MOST;
    }
    if lower.contains("panicked at") || lower.starts_with("--- fail:") || is_exception(line) {
        return 4;
    }
    if [
        "error:",
        "error ",
        "fatal:",
        "err:",
        "error -",
        "× ",
        "✗ ",
        "✖ ",
        "--- fail:",
        "not ok ",
        "fail ",
        "failed ",
        "assertionerror",
        "assertion ",
    ]
    .iter()
    .any(|beginning| lower.starts_with(beginning))
    {
        return if lower.len() > 8 { 3 } else { 1 };
    }
    // Linters name their rule at the end, tests what they wanted.
    let names_rule = line.ends_with(')') && line.rsplit('(').next().is_some_and(|rule| !rule.contains(' ') && rule.len() > 2);
    if is_placed && (names_rule || says(&["want", " got ", "must"])) {
        return 3;
    }
    if says(&[
        "command not found",
        "no such file",
        "permission denied",
        "not found",
        "timed out",
        "timeout after",
        "timeout exceeded",
        "timeout of",
        "connection refused",
        "cannot ",
        "unable to",
        "could not",
        "error:",
        "error!",
        "exception",
    ]) {
        return 2;
    }
    0
}

/// Without the name of the task that passed the line on: `[lint] src/a.go:1: …`, `pkg build: …`.
fn untagged(line: &str) -> &str {
    let line = line.trim();
    match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((name, rest)) if name.len() < 40 && !rest.contains("$ ") => rest.trim(),
        _ => line,
    }
}

/// Bytes of the place a line begins with, such as `src/a.rs:12:5` or `a.ts(5,13)`; 0 when it begins with none.
pub fn place_length(line: &str) -> usize {
    let end = line.find([':', '(']).unwrap_or(0);
    let path = &line[..end];
    if path.is_empty() || path.len() > 200 || path.contains(' ') || !path.contains('.') {
        return 0;
    }
    let rest = &line[end + 1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return 0;
    }
    end + 1 + rest.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b',' | b')')).count()
}

/// `ValueError: wrong`, as the last line of a traceback: a name in one word that ends like an error's.
fn is_exception(line: &str) -> bool {
    let Some((name, rest)) = line.split_once(':') else { return false };
    let is_name = !name.contains(' ') && (name.ends_with("Error") || name.ends_with("Exception")) && name.len() > 5;
    is_name && !rest.trim().is_empty()
}

/// The line, with what says where it is: rustc names the place below, panics and tracebacks around.
fn with_place(lines: &[&str], index: usize) -> String {
    let line = untagged(lines[index]);
    let told_line = told(line);
    let near = |from: usize, to: usize| lines.get(from..to.min(lines.len())).unwrap_or_default();
    if line.contains("panicked at")
        && let Some(next) = near(index + 1, index + 2).first()
    {
        // What was expected and what was found stand below.
        let sides = near(index + 2, index + 4)
            .iter()
            .map(|line| line.trim())
            .filter(|line| line.starts_with("left: ") || line.starts_with("right: "));
        let sides: String = sides.map(|side| format!(", {}", told(&clip(side, SIDE_CHARS)))).collect();
        return format!("{told_line} {}{sides}", told(next));
    }
    if place_length(line) == 0 {
        if let Some(arrow) = near(index + 1, index + 4).iter().find_map(|next| next.trim_start().strip_prefix("--> ")) {
            return format!("{told_line} ({})", told(arrow));
        }
        if line.starts_with("E   ")
            && let Some(place) = near(index + 1, index + 8).iter().find(|next| place_length(next) > 0)
        {
            return format!("{} ({})", told(line.trim_start_matches("E ")), place[..place_length(place)].trim_end_matches(':'));
        }
        if is_exception(line) {
            let from = index.saturating_sub(8);
            let frame = near(from, index).iter().rev().find_map(|before| {
                let (path, rest) = before.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
                Some(format!("{path}:{}", rest.split(|sign: char| !sign.is_ascii_digit()).next()?))
            });
            if let Some(frame) = frame {
                return format!("{told_line} ({frame})");
            }
        }
        if line.starts_with("--- FAIL: ") {
            // The reason stands above in Go when tests are verbose, below when not.
            let reason =
                near(index + 1, index + 3).iter().chain(near(index.saturating_sub(1), index)).find(|near| place_length(near.trim()) > 0);
            if let Some(reason) = reason {
                return format!("{}: {}", told(line.trim_start_matches("--- FAIL: ").split(" (").next().unwrap_or_default()), told(reason));
            }
        }
    }
    told_line
}
