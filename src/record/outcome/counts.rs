//! The counts that test runners, linters and compilers end with: how much passed, how much failed.
//! Knows the summaries of the usual ones by their words, not by their names.

use crate::clip::{clip, one_line};

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// What passed.
    pub passed: u32,
    /// What failed.
    pub failed: u32,
    /// What a linter or compiler found; `None` when none spoke.
    pub problems: Option<u32>,
    /// Packages that passed and failed, where no tests were counted (Go).
    pub packages: Option<(u32, u32)>,
}

impl Counts {
    /// The counts of an output; `None` when it holds none.
    pub fn read(lines: &[&str]) -> Option<Counts> {
        let mut counts = Counts::default();
        let mut found = false;
        let (mut packages_ok, mut packages_failed) = (0u32, 0u32);
        for line in lines {
            let line = undecorated(line);
            if line.len() > 300 {
                continue;
            }
            if line.starts_with("ok  \t") || line.starts_with("ok \t") || line.starts_with("ok\t") {
                packages_ok += 1;
            } else if line.starts_with("FAIL\t") {
                packages_failed += 1;
            } else if line.starts_with("--- PASS: ") {
                counts.passed += 1;
                found = true;
            } else if line.starts_with("--- FAIL: ") {
                counts.failed += 1;
                found = true;
            } else if let Some((passed, failed)) = tests_in(line) {
                counts.passed = counts.passed.saturating_add(passed);
                counts.failed = counts.failed.saturating_add(failed);
                found = true;
            } else if let Some(problems) = problems_in(line) {
                counts.problems = Some(problems);
            }
        }
        if packages_ok + packages_failed > 0 {
            counts.packages = Some((packages_ok, packages_failed));
        }
        (found || counts.problems.is_some() || counts.packages.is_some()).then_some(counts)
    }

    /// Whether anything failed.
    pub fn has_failures(&self) -> bool {
        self.failed > 0 || self.packages.is_some_and(|(_, failed)| failed > 0)
    }

    /// The counts in a few words.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.passed > 0 || self.failed > 0 {
            parts.push(format!("{} passed", self.passed));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        if let (Some((ok, failed)), true) = (self.packages, parts.is_empty()) {
            parts.push(format!("{ok} {} ok", if ok == 1 { "package" } else { "packages" }));
            parts.extend((failed > 0).then(|| format!("{failed} failed")));
        }
        if let (Some(problems), true) = (self.problems, parts.is_empty()) {
            parts.push(match problems {
                0 => "no problems".to_owned(),
                1 => "1 problem".to_owned(),
                more => format!("{more} problems"),
            });
        }
        parts.join(", ")
    }
}

/// A line without the marks that runners draw around it.
fn undecorated(line: &str) -> &str {
    let line = line.trim().trim_matches(['=', '─', '━', '*']).trim();
    let line = line.trim_start_matches(['ℹ', '#', '✔', '✓', '✖', '×', '✗', '❌', '✅']).trim_start();
    // A task runner may put its name before what it passes on.
    match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((name, rest)) if name.len() < 40 && !rest.is_empty() => rest,
        _ => line,
    }
}

/// What passed and failed by a line that sums up tests.
fn tests_in(line: &str) -> Option<(u32, u32)> {
    let lower = line.to_ascii_lowercase();
    let is_file_count = lower.starts_with("test files")
        || lower.starts_with("test suites")
        || lower.starts_with("tests run:") && !lower.contains("failures");
    if is_file_count {
        return None;
    }
    let words: Vec<&str> = lower.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word.parse::<u32>().ok();
    let is_passed = |word: &str| matches!(word, "passed" | "passing" | "pass");
    let is_failed = |word: &str| matches!(word, "failed" | "failing" | "fail" | "failures" | "failure");
    let first = words.first().copied()?;
    // `# pass 12`, `fail 0`: the runner of Node.
    if words.len() == 2 && (is_passed(first) || is_failed(first)) {
        let count = number(words[1])?;
        return Some(if is_passed(first) { (count, 0) } else { (0, count) });
    }
    let begins = ["test result:", "tests:", "tests ", "passed!", "failed!", "tests run:", "ok (", "failed ("]
        .iter()
        .any(|beginning| lower.starts_with(beginning));
    let counts = number(first).is_some()
        && words
            .get(1)
            .is_some_and(|word| is_passed(word) || is_failed(word) || matches!(*word, "tests" | "test" | "examples" | "example" | "specs"));
    if !begins && !counts || words.len() > 24 {
        return None;
    }
    let (mut passed, mut failed, mut all, mut skipped) = (None, None, None, 0);
    let add = |sum: &mut Option<u32>, count: u32| *sum = Some(sum.unwrap_or(0).saturating_add(count));
    for (index, word) in words.iter().enumerate() {
        // A count stands before its word, or behind it and a colon.
        let before = index.checked_sub(1).and_then(|at| number(words[at]));
        let marked = lower.contains(&format!("{word}: ")) || lower.contains(&format!("{word}="));
        let behind = words.get(index + 1).and_then(|next| number(next)).filter(|_| marked);
        let Some(count) = behind.or(before) else { continue };
        match *word {
            word if is_passed(word) => add(&mut passed, count),
            word if is_failed(word) => add(&mut failed, count),
            "errors" | "error" if lower.starts_with("tests run") || lower.contains("passed") || lower.starts_with("failed (") => {
                add(&mut failed, count)
            }
            "skipped" | "pending" | "todo" | "ignored" => skipped += count,
            "tests" | "test" | "examples" | "example" | "specs" | "run" | "total" => all = Some(count),
            _ => {}
        }
    }
    let failed_count = failed.unwrap_or(0);
    match (passed, failed, all) {
        (Some(passed), ..) => Some((passed, failed_count)),
        (None, Some(failed), all) => Some((all.unwrap_or(failed).saturating_sub(failed).saturating_sub(skipped), failed)),
        (None, None, Some(all)) if lower.starts_with("ok (") || counts && lower.contains("failure") => Some((all, 0)),
        _ => None,
    }
}

/// What a linter or compiler found, by the line that sums it up.
fn problems_in(line: &str) -> Option<u32> {
    let lower = line.to_ascii_lowercase();
    if lower.starts_with("all checks passed") || lower.starts_with("no issues found") || lower.starts_with("success: no issues") {
        return Some(0);
    }
    let words: Vec<&str> = lower.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_kind = |word: &&str| matches!(*word, "errors" | "error" | "problems" | "problem" | "issues" | "issue");
    match words.as_slice() {
        [count, kind, ..]
            if is_kind(kind) && words.len() <= 8 && !lower.starts_with(|sign: char| sign.is_ascii_digit() && lower.contains(": error")) =>
        {
            count.parse().ok()
        }
        ["found", count, kind, ..] if is_kind(kind) => count.parse().ok(),
        _ => {
            let (_, rest) = lower.split_once("due to ")?;
            let count = rest.split(' ').next()?;
            rest.contains("previous error").then(|| count.parse().unwrap_or(1))
        }
    }
}

/// A line as an outcome tells it.
pub fn told(line: &str) -> String {
    one_line(&clip(line.trim(), 1_000))
}
