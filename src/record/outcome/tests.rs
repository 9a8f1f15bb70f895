//! Results of every harness, and what came of them.

use super::{Outcome, Status, read_outcome};
use crate::digest::envelope::Envelope;
use crate::json::Value;
use crate::record::call::read_call;

fn outcome(tool: &str, input: &str, text: &str, is_error: bool) -> Outcome {
    read_outcome(&read_call(tool, &Value::parse(input).unwrap_or(Value::Null)), text, is_error, &Envelope::default())
}

fn ran(command: &str, text: &str, is_error: bool) -> Outcome {
    let input = format!("{{\"command\":{}}}", serde_json::to_string(command).unwrap());
    outcome("Bash", &input, text, is_error)
}

fn check_runs(rows: &[(&str, &str, Status, &str)]) {
    for (command, text, status, line) in rows {
        let outcome = ran(command, text, false);
        assert_eq!((outcome.status, outcome.line.as_str()), (*status, *line), "{command}: {text}");
    }
}

#[test]
fn test_runners_are_told_by_their_counts() {
    check_runs(&[
        (
            "cargo test",
            "running 2 tests\ntest a ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n\ntest result: ok. 3 passed; 0 failed; 1 ignored",
            Status::Done,
            "5 passed",
        ),
        (
            "cargo test",
            "test a ... FAILED\n\nthread 'a' panicked at src/a.rs:3:5:\nassertion failed: x\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`",
            Status::Failed,
            "1 passed, 1 failed: thread 'a' panicked at src/a.rs:3:5: assertion failed: x",
        ),
        (
            "pytest",
            "E       assert 1 == 2\n\ntest_a.py:3: AssertionError\n====== 1 failed, 12 passed in 0.12s ======",
            Status::Failed,
            "12 passed, 1 failed: assert 1 == 2 (test_a.py:3)",
        ),
        ("npx jest", "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nTime: 1 s", Status::Done, "3 passed"),
        (
            "vitest run",
            " Test Files  2 passed (2)\n      Tests  5 passed (5)\n   Start at  01:43:11\n   Duration  1.09s (tests 133ms)\n",
            Status::Done,
            "5 passed",
        ),
        (
            "vitest run",
            " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 4 passed (5)\n",
            Status::Failed,
            "4 passed, 1 failed",
        ),
        (
            "bun test",
            "x\n 1290 pass\n 0 fail\n 2795 expect() calls\nRan 1290 tests across 58 files. [1026.00ms]",
            Status::Done,
            "1290 passed",
        ),
        ("node --test", "# tests 3\n# pass 2\n# fail 1", Status::Failed, "2 passed, 1 failed"),
        (
            "npx mocha",
            "  12 passing (3s)\n  1 failing\n\n  1) a\n     AssertionError: expected 1",
            Status::Failed,
            "12 passed, 1 failed: AssertionError: expected 1",
        ),
        ("go test ./...", "?   \tx/a\t[no test files]\nok  \tx/b\t1.2s\nok  \tx/c\t(cached)", Status::Done, "2 packages ok"),
        (
            "go test -v",
            "--- PASS: TestA (0.00s)\n    a_test.go:7: want 1\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tx/b\t0.4s",
            Status::Failed,
            "1 passed, 1 failed: TestB: a_test.go:7: want 1",
        ),
        ("bats test", "1..12\nok 1 a\n12 tests, 0 failures", Status::Done, "12 passed"),
        ("rspec", "12 examples, 1 failure", Status::Failed, "11 passed, 1 failed"),
        ("mvn test", "Tests run: 12, Failures: 1, Errors: 1, Skipped: 0", Status::Failed, "10 passed, 2 failed"),
        ("mise run lint", "0 issues.\n[lint] $ golangci-lint run ./...", Status::Done, "no problems"),
        ("ruff check", "All checks passed!", Status::Done, "no problems"),
    ]);
}

#[test]
fn failures_are_told_by_their_first_error_with_its_place() {
    for (command, text, line) in [
        (
            "mise run lint",
            "Exit code 1\n[lint] $ golangci-lint run ./...\n[lint] ERROR task failed\n\ncmd/a.go:281: 281-333 lines are duplicate of `b` (dupl)\nx\n3 issues:\n* dupl: 2",
            "3 problems: cmd/a.go:281: 281-333 lines are duplicate of `b` (dupl)",
        ),
        (
            "cargo build",
            "Exit code 101\n   Compiling a\nerror[E0425]: cannot find value `x`\n --> src/a.rs:3:5\n  |\nerror: could not compile `a` due to 1 previous error",
            "1 problem: error[E0425]: cannot find value `x` (src/a.rs:3:5)",
        ),
        (
            "pnpm build",
            "Exit code 1\n> tsc -b\n\nvitest.config.ts(5,13): error TS2769: No overload matches this call.\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  x: `tsc`\nExit status 1",
            "exit code 1: vitest.config.ts(5,13): error TS2769: No overload matches this call.",
        ),
        (
            "python a.py",
            "Exit code 1\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    x\nNameError: name 'x' is not defined",
            "exit code 1: NameError: name 'x' is not defined (a.py:3)",
        ),
        ("rtk bun", "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk", "exit code 2: error: unrecognized subcommand 'bun'"),
        ("x", "Exit code 127\nzsh:1: command not found: x", "exit code 127: zsh:1: command not found: x"),
        ("false", "Exit code 1", "exit code 1"),
    ] {
        let outcome = ran(command, text, true);
        assert_eq!((outcome.status, outcome.line.as_str()), (Status::Failed, line), "{text}");
    }
}

#[test]
fn wrappers_of_harnesses_are_read_through() {
    check_runs(&[
        (
            "a",
            "Script completed\nWall time 0.1 seconds\nOutput:\n\n{\"exit_code\":101,\"output\":\"error: no binary\\nmore\"}",
            Status::Failed,
            "exit code 101: error: no binary",
        ),
        ("a", "Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n", Status::Running, ""),
        ("a", "{\"chunk_id\":\"a\",\"wall_time_seconds\":30.0,\"session_id\":5,\"output\":\"queued\\n\"}", Status::Running, "queued"),
        ("a", "Exit code: 0\nWall time: 0.2 seconds\nOutput:\nhello\n", Status::Done, "hello"),
        (
            "a",
            "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nfatal: not a repository",
            Status::Failed,
            "exit code 1: fatal: not a repository",
        ),
        ("a", "{\"output\":\"done\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":1.0}}", Status::Done, "done"),
        ("a", "on\n<shellId: 6 completed with exit code 1>", Status::Failed, "exit code 1: on"),
        (
            "a",
            "Command: a\nDirectory: (root)\nOutput: hello\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 2",
            Status::Done,
            "hello",
        ),
        ("a", "Command: a\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: 0", Status::Done, "no output"),
        ("a", "345\n(Open file: /testbed/r.py)\n(Current directory: /testbed)\nbash-$", Status::Done, "345"),
        ("a", "\u{1b}[32mgreen\u{1b}[0m\n10%\r100%\n", Status::Done, "green / 100%"),
        ("a", "x\nShell cwd was reset to /a", Status::Done, "x"),
        ("a", "x\n<system-reminder>\nDo this.\n</system-reminder>\n", Status::Done, "x"),
        ("a", "Command running in background with ID: b1", Status::Running, "Command running in background with ID: b1"),
        (
            "git commit",
            "[entire] saved\n[feat/x 55c7b81] fix: a\n 2 files changed, 73 insertions(+)\n create mode 1\n x",
            Status::Done,
            "[feat/x 55c7b81] fix: a",
        ),
        ("a", "Script completed\nWall time 0.1 seconds\nOutput:\n\n{}", Status::Done, ""),
    ]);
}

#[test]
fn reads_searches_and_writes_are_told_by_what_they_found() {
    for (tool, input, text, status, line) in [
        ("Read", r#"{"file_path":"a"}"#, "   150→x\n   151→y\n\n<system-reminder>\nz\n</system-reminder>\n", Status::Done, "lines 150–151"),
        (
            "read",
            r#"{"filePath":"/a"}"#,
            "<path>/a</path>\n<type>file</type>\n<content>1: {\n2: }\n\n(End of file - total 2 lines)\n</content>",
            Status::Done,
            "lines 1–2",
        ),
        ("view", r#"{"path":"a"}"#, "28. x\n29. y", Status::Done, "lines 28–29"),
        ("read_file", r#"{"path":"a"}"#, "x\ny\nz", Status::Done, "3 lines"),
        ("Read", r#"{"file_path":"a"}"#, "File does not exist.", Status::Failed, "File does not exist."),
        ("Grep", r#"{"pattern":"x"}"#, "No matches found", Status::Done, "no matches"),
        ("Grep", r#"{"pattern":"x"}"#, "12:x\n13-y\n--\n40:x", Status::Done, "2 matches"),
        ("Grep", r#"{"pattern":"x"}"#, "Found 5 files\na\nb", Status::Done, "Found 5 files"),
        ("Grep", r#"{"pattern":"x"}"#, "src/a.rs:12:let x", Status::Done, "1 match: src/a.rs:12:let x"),
        ("Bash", r#"{"command":"rg x src"}"#, "Exit code 1", Status::Done, "no matches"),
        ("Glob", r#"{"pattern":"x"}"#, "No files found", Status::Done, "nothing found"),
        ("ls", r#"{"path":"x"}"#, "a\nb\nc", Status::Done, "3 entries"),
        (
            "Edit",
            r#"{"file_path":"a","old_string":"x","new_string":"y"}"#,
            "The file a has been updated successfully.",
            Status::Done,
            "applied",
        ),
        (
            "Edit",
            r#"{"file_path":"a","old_string":"x","new_string":"y"}"#,
            "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>",
            Status::Failed,
            "String to replace not found in file.",
        ),
        ("Write", r#"{"file_path":"a","content":"x"}"#, "File created successfully at: a", Status::Done, "written"),
        ("Bash", r#"{"command":"ls"}"#, "Permission to use Bash with command ls has been denied.", Status::Refused, "refused by the user"),
        (
            "Edit",
            r#"{"file_path":"a","old_string":"x","new_string":"y"}"#,
            "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nnot like this",
            Status::Refused,
            "refused by the user: not like this",
        ),
        ("ask_user", r#"{"question":"A?"}"#, "User responded: do it", Status::Done, "User responded: do it"),
        ("ask_docs", r#"{"question":"A?"}"#, "The user doesn't want to wait", Status::Done, "The user doesn't want to wait"),
        ("web_search", r#"{"query":"a"}"#, r#"[{"title":"T","url":"u"},{"title":"S"}]"#, Status::Done, "2 results: T"),
        (
            "search",
            r#"{"query":"a"}"#,
            r#"{"hits":[{"id":"doc-1","title":"Notes 1"},{"id":7,"name":"Notes 7"}],"more":"a text that is longer than all of the hits, which nobody needs to be told of, because the tool can be asked for it again"}"#,
            Status::Done,
            "2 results: doc-1 Notes 1; 7 Notes 7",
        ),
        (
            "list_tickets",
            "{}",
            r#"[{"id":"T-1","title":"It leaks"},{"id":"T-2","subject":"It hangs"}]"#,
            Status::Done,
            "2 results: T-1 It leaks; T-2 It hangs",
        ),
        ("view", r#"{"path":"a"}"#, r#"{"message": "Path does not exist", "code": "failure"}"#, Status::Failed, "Path does not exist"),
        (
            "create_issue",
            r#"{"title":"a"}"#,
            r#"{"id":7,"url":"https://x/7","body":"long"}"#,
            Status::Done,
            "body long, id 7, url https://x/7",
        ),
    ] {
        let outcome = outcome(tool, input, text, matches!(status, Status::Failed));
        assert_eq!((outcome.status, outcome.line.as_str()), (status, line), "{tool} {text}");
    }
}

#[test]
fn results_of_any_kind_are_told_in_a_short_line() {
    let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
    let minified = "var a=1;".repeat(130_000);
    let binary: String = (0..20_000u32).filter_map(|n| char::from_u32(n * 7 % 0x500)).collect();
    for text in [
        minified.as_str(),
        &binary,
        "\u{1b}[",
        "\r\r\r",
        "{",
        "Output:",
        "Exit code",
        &"x\n".repeat(100_000),
        &format!("DB_PASSWORD={secret}"),
        "错误：文件不存在\n第二行",
        &"<system-reminder>".repeat(5_000),
    ] {
        for (tool, input) in [
            ("Bash", r#"{"command":"a"}"#),
            ("Read", r#"{"file_path":"a"}"#),
            ("x", "{}"),
            ("Grep", r#"{"pattern":"a"}"#),
            ("AskUserQuestion", r#"{"question":"a"}"#),
        ] {
            for is_error in [false, true] {
                let line = outcome(tool, input, text, is_error).line;
                assert!(line.chars().count() <= 801 && !line.contains(&secret) && !line.contains('\n'), "{line}");
            }
        }
    }
}
