//! The names of tests that failed, by the lines in which runners tell them. Not why they failed (see `errors`).

use crate::clip::clip;
use crate::record::outcome::counts::told;

/// Lines that are looked at.
const LINES: usize = 4_000;
/// Names that are told, the characters of one, and the bytes of all.
const NAMES: usize = 6;
const NAME_CHARS: usize = 90;
const ALL_BYTES: usize = 180;

/// The tests that failed, in a few words; empty where none is named.
pub fn failing_tests(lines: &[&str]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in lines.iter().take(LINES).filter_map(|line| failing(line.trim())) {
        // Runners tell a test twice: as it fails, and at the end, by its file as well.
        if names.iter().any(|known| known.ends_with(name)) {
            continue;
        }
        names.retain(|known| !name.ends_with(known.as_str()));
        names.push(told(&clip(name, NAME_CHARS)));
    }
    let all = names.len();
    let mut bytes = 0;
    names.truncate(NAMES);
    names.retain(|name| {
        bytes += name.len() + 2;
        bytes <= ALL_BYTES
    });
    match all - names.len() {
        _ if names.is_empty() => String::new(),
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Whether a line names a test that failed and says no more: Go tells the place behind such a line.
pub fn is_only_a_name(line: &str) -> bool {
    let line = line.trim();
    failing(line).is_some() && !line.starts_with("--- ") && !line.contains(" - ")
}

/// The test that a line says has failed.
fn failing(line: &str) -> Option<&str> {
    let name = if let Some(rest) = line.strip_prefix("test ") {
        rest.strip_suffix(" ... FAILED")?
    } else if let Some(rest) = line.strip_prefix("--- FAIL: ") {
        rest.split(" (").next()?
    } else if let Some(rest) = line.strip_prefix("FAILED ") {
        rest.split(" - ").next()?
    } else if let Some((name, place)) =
        line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: ")).and_then(|rest| rest.split_once(" ("))
    {
        (place.contains('.') && !name.contains(' ')).then_some(name)?
    } else if let Some(rest) = line.strip_prefix("not ok ") {
        rest.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start_matches(" - ").split(" # ").next()?
    } else if let Some(rest) = ["✖ ", "× ", "✕ ", "● ", "✗ ", "(fail) "].iter().find_map(|mark| line.strip_prefix(mark)) {
        // How long it took says nothing of it.
        rest.rsplit_once(" (").filter(|(_, time)| time.ends_with("ms)")).map_or(rest, |(name, _)| name)
    } else if let Some(rest) = line.strip_prefix("FAIL ") {
        rest.split_once(" > ").map(|_| rest.trim())?
    } else {
        return None;
    };
    let name = without_time(name.trim());
    let says = name.len() > 2 && !name.starts_with(|sign: char| sign.is_ascii_digit()) && !name.ends_with([':', '.']);
    (says && !name.starts_with("failing tests") && !name.starts_with('(')).then_some(name)
}

/// Without a time at the end, as in `keeps the last line 12ms`.
fn without_time(name: &str) -> &str {
    let is_time = |word: &str| word.strip_suffix("ms").is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    name.rsplit_once(' ').filter(|(_, word)| is_time(word)).map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_failed_are_named_as_each_runner_tells_them() {
        for (output, expected) in [
            ("test a::keeps_last ... FAILED\ntest b ... ok\nfailures:\n    a::keeps_last", "a::keeps_last"),
            ("--- FAIL: TestB (0.00s)\nFAIL", "TestB"),
            (
                "FAILED tests/test_a.py::test_x - assert 1 == 2\nFAILED tests/test_a.py::test_y",
                "tests/test_a.py::test_x, tests/test_a.py::test_y",
            ),
            ("✖ keeps the last line (1.2ms)\n✖ failing tests:\n✖ keeps the last line (1.2ms)", "keeps the last line"),
            ("not ok 3 - keeps it\nnot ok 4 # skip", "keeps it"),
            (" FAIL  src/a.test.ts > records > keeps it\n   × keeps it 4ms", "src/a.test.ts > records > keeps it"),
            ("FAIL: test_x (a.B)\nFAIL: 3 (of 4)", "test_x"),
            ("ERROR task failed\n× 2 problems", ""),
        ] {
            let lines: Vec<&str> = output.lines().collect();
            assert_eq!(failing_tests(&lines), expected, "{output}");
        }
        let many: Vec<String> = (0..9).map(|at| format!("test number_{at} ... FAILED")).collect();
        let lines: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(failing_tests(&lines).ends_with("number_5 and 3 more"));
    }
}
