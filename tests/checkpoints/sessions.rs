//! Made-up sessions: one story, a parser that loses the last line, as different harnesses record it. No transcripts.

use stepfold::message::{Call, Message, Output, Part, Role, ToolResult};
use stepfold::tokens::estimate::estimate_tokens;

/// A session that grows by what is said and done.
pub struct Session {
    /// So far.
    pub messages: Vec<Message>,
    calls: usize,
}

/// Estimated tokens of a text.
pub fn text(text: &str) -> u32 {
    estimate_tokens(text)
}

impl Session {
    /// Begins with a request.
    pub fn new(request: &str) -> Session {
        Session { messages: vec![Message::text(Role::User, request)], calls: 0 }
    }

    /// The model answers.
    pub fn say(&mut self, text: &str) {
        self.messages.push(Message::text(Role::Assistant, text));
    }

    /// The user says something.
    pub fn ask(&mut self, text: &str) {
        self.messages.push(Message::text(Role::User, text));
    }

    /// One call and its result.
    pub fn call(&mut self, tool: &str, input: &str, result: &str) {
        self.step("", tool, input, result);
    }

    /// A call beside which the model says something.
    pub fn step(&mut self, said: &str, tool: &str, input: &str, result: &str) {
        self.calls += 1;
        let id = format!("call_{}", self.calls);
        let call =
            Call { id: id.clone(), name: tool.into(), input: input.into(), omitted_bytes: 0, provider_executed: false, caller: None };
        let mut parts = if said.is_empty() { Vec::new() } else { vec![Part::text(said)] };
        parts.push(Part::Call(call));
        self.messages.push(Message { role: Role::Assistant, parts, marker: None, has_cache_mark: false });
        let fails = result.starts_with("error");
        let output = if fails { Output::ErrorText(result.into()) } else { Output::Text(result.into()) };
        let part = Part::Result(ToolResult { id, name: tool.into(), output, provider_executed: false, marker: None });
        self.messages.push(Message { role: Role::Tool, parts: vec![part], marker: None, has_cache_mark: false });
    }
}

/// The file of the story.
const PARSER: &str = "use std::io;\n\n/// Splits a text into records.\npub fn parse_records(text: &str) -> Vec<Record> {\n    let mut records = Vec::new();\n    for line in text.split_terminator('\\n') {\n        records.push(Record::from_line(line));\n    }\n    records\n}\n\n/// One record.\npub struct Record {\n    pub name: String,\n    pub value: u32,\n}\n";
const OLD: &str = "    for line in text.split_terminator('\\n') {";
const NEW: &str = "    for line in text.lines().filter(|line| !line.is_empty()) {";
const FAILS: &str = "running 3 tests\ntest keeps_last_line ... FAILED\n\nthread 'keeps_last_line' panicked at tests/records.rs:14:5:\nassertion `left == right` failed\n  left: 2\n right: 3\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored";
const PASSES: &str = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored";
const CAUSE: &str = "The last record is lost because `split_terminator` drops what stands behind the last newline of a CRLF file.";
const OFFER: &str = "## What I found\n\nThe last record is lost because `parse_records` splits at `\\n` only.\n\n## What I propose\n\n1. Use `str::lines`, which knows both line ends.\n2. Never trim values: `Record::from_line` must keep blanks.\n\nI decided against a regular expression, because it would be a new dependency.\n\nShall I do it?";
const DONE: &str = "All three tests pass. `parse_records` now uses `str::lines`; `Record::from_line` is unchanged.";

/// How a harness names its tools and writes what they say.
struct Harness {
    read: fn() -> (&'static str, String, String),
    search: fn() -> (&'static str, String, String),
    edit: fn() -> (&'static str, String, String),
    run: fn(&str) -> (&'static str, String, String),
    plan: fn(bool) -> Option<(&'static str, String, String)>,
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn numbered(mark: &str) -> String {
    PARSER.lines().enumerate().map(|(at, line)| format!("{:>6}{mark}{line}\n", at + 1)).collect()
}

fn patch() -> String {
    format!("*** Begin Patch\n*** Update File: src/parser.rs\n@@ pub fn parse_records\n-{OLD}\n+{NEW}\n*** End Patch")
}

const HITS: &str = "src/parser.rs:4:pub fn parse_records(text: &str) -> Vec<Record> {\nsrc/main.rs:9:    let records = parse_records(&text);\ntests/records.rs:11:    let records = parse_records(\"a,1\\r\\nb,2\\r\\nc,3\");";

fn todos(done: bool) -> String {
    let (first, second) = if done { ("completed", "in_progress") } else { ("in_progress", "pending") };
    format!(r#"[{{"content":"Mend parse_records","status":"{first}"}},{{"content":"Write the changelog","status":"{second}"}}]"#)
}

const CLAUDE: Harness = Harness {
    read: || ("Read", r#"{"file_path":"/repo/src/parser.rs"}"#.into(), numbered("→")),
    search: || ("Grep", r#"{"pattern":"parse_records","output_mode":"content"}"#.into(), HITS.into()),
    edit: || {
        (
            "Edit",
            format!(r#"{{"file_path":"/repo/src/parser.rs","old_string":{},"new_string":{}}}"#, json(OLD), json(NEW)),
            "The file /repo/src/parser.rs has been updated.".into(),
        )
    },
    run: |result| ("Bash", r#"{"command":"cd /repo && cargo test 2>&1 | tail -20","description":"Run the tests"}"#.into(), result.into()),
    plan: |done| Some(("TodoWrite", format!(r#"{{"todos":{}}}"#, todos(done)), "Todos have been modified successfully.".into())),
};

const OPENCODE: Harness = Harness {
    read: || {
        (
            "read",
            r#"{"filePath":"/repo/src/parser.rs"}"#.into(),
            format!("<file>\n{}\n(End of file - total 16 lines)\n</file>", numbered("| ")),
        )
    },
    search: || ("grep", r#"{"pattern":"parse_records","path":"/repo"}"#.into(), format!("Found 3 matches\n{HITS}")),
    edit: || ("edit", format!(r#"{{"filePath":"/repo/src/parser.rs","oldString":{},"newString":{}}}"#, json(OLD), json(NEW)), "".into()),
    run: |result| ("bash", r#"{"command":"cargo test","description":"Runs the tests"}"#.into(), result.into()),
    plan: |done| Some(("todowrite", format!(r#"{{"todos":{}}}"#, todos(done)), "[]".into())),
};

const CODEX: Harness = Harness {
    read: || {
        (
            "shell",
            r#"{"command":["bash","-lc","sed -n '1,16p' src/parser.rs"]}"#.into(),
            format!("Exit code: 0\nWall time: 0 seconds\nOutput:\n{PARSER}"),
        )
    },
    search: || {
        (
            "shell",
            r#"{"command":["bash","-lc","rg -n parse_records"]}"#.into(),
            format!("Exit code: 0\nWall time: 0 seconds\nOutput:\n{HITS}"),
        )
    },
    edit: || {
        (
            "shell",
            format!(r#"{{"command":["apply_patch",{}]}}"#, json(&patch())),
            "Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM src/parser.rs".into(),
        )
    },
    run: |result| {
        let code = if result.contains("FAILED") { 101 } else { 0 };
        (
            "shell",
            r#"{"command":["bash","-lc","cargo test"]}"#.into(),
            format!("Exit code: {code}\nWall time: 2 seconds\nOutput:\n{result}"),
        )
    },
    plan: |done| {
        let plan = todos(done).replace("content", "step");
        Some(("update_plan", format!(r#"{{"plan":{plan}}}"#), "Plan updated".into()))
    },
};

const CODEX_EXEC: Harness = Harness {
    read: || {
        (
            "exec_command",
            r#"{"cmd":"cat src/parser.rs"}"#.into(),
            format!("Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{PARSER}"),
        )
    },
    search: || {
        ("exec_command", r#"{"cmd":"rg -n parse_records"}"#.into(), format!("Chunk ID: a2\nProcess exited with code 0\nOutput:\n{HITS}"))
    },
    edit: || ("apply_patch", format!(r#"{{"input":{}}}"#, json(&patch())), "Success. Updated the following files:\nM src/parser.rs".into()),
    run: |result| {
        let code = if result.contains("FAILED") { 101 } else { 0 };
        ("exec_command", r#"{"cmd":"cargo test"}"#.into(), format!("Chunk ID: a3\nProcess exited with code {code}\nOutput:\n{result}"))
    },
    plan: CODEX.plan,
};

const GEMINI: Harness = Harness {
    read: || ("read_file", r#"{"absolute_path":"/repo/src/parser.rs"}"#.into(), PARSER.into()),
    search: || ("search_file_content", r#"{"pattern":"parse_records"}"#.into(), format!("Found 3 matches\n{HITS}")),
    edit: || {
        (
            "replace",
            format!(r#"{{"file_path":"/repo/src/parser.rs","old_string":{},"new_string":{}}}"#, json(OLD), json(NEW)),
            "Successfully modified file: /repo/src/parser.rs (1 replacements).".into(),
        )
    },
    run: |result| {
        (
            "run_shell_command",
            r#"{"command":"cargo test"}"#.into(),
            format!("Command: cargo test\nOutput: {result}\nExit Code: {}", i32::from(result.contains("FAILED"))),
        )
    },
    plan: |_| None,
};

const COPILOT: Harness = Harness {
    read: || ("view", r#"{"path":"/repo/src/parser.rs"}"#.into(), numbered(". ")),
    search: || ("bash", r#"{"command":"grep -rn parse_records ."}"#.into(), HITS.into()),
    edit: || {
        (
            "edit",
            format!(r#"{{"path":"/repo/src/parser.rs","old_str":{},"new_str":{}}}"#, json(OLD), json(NEW)),
            "File /repo/src/parser.rs updated with changes.".into(),
        )
    },
    run: |result| {
        (
            "bash",
            r#"{"command":"cargo test"}"#.into(),
            format!("{result}\n<exited with exit code {}>", i32::from(result.contains("FAILED"))),
        )
    },
    plan: |_| None,
};

const PI: Harness = Harness {
    read: || ("read", r#"{"path":"src/parser.rs"}"#.into(), PARSER.into()),
    search: || ("bash", r#"{"command":"rg -n parse_records"}"#.into(), HITS.into()),
    edit: || {
        (
            "edit",
            format!(r#"{{"path":"src/parser.rs","oldText":{},"newText":{}}}"#, json(OLD), json(NEW)),
            "Successfully replaced 1 block in src/parser.rs.".into(),
        )
    },
    run: |result| ("bash", r#"{"command":"cargo test"}"#.into(), result.into()),
    plan: |_| None,
};

const SWE_AGENT: Harness = Harness {
    read: || {
        (
            "str_replace_editor",
            r#"{"command":"view","path":"/repo/src/parser.rs"}"#.into(),
            format!("Here's the result of running `cat -n` on /repo/src/parser.rs:\n{}", numbered("\t")),
        )
    },
    search: || ("bash", r#"{"command":"grep -rn parse_records /repo"}"#.into(), HITS.into()),
    edit: || {
        (
            "str_replace_editor",
            format!(r#"{{"command":"str_replace","path":"/repo/src/parser.rs","old_str":{},"new_str":{}}}"#, json(OLD), json(NEW)),
            "The file /repo/src/parser.rs has been edited.".into(),
        )
    },
    run: |result| ("bash", r#"{"command":"cargo test"}"#.into(), result.into()),
    plan: |_| None,
};

const MCP: Harness = Harness {
    read: || ("mcp__files__read_text_file", r#"{"path":"/repo/src/parser.rs"}"#.into(), PARSER.into()),
    search: || ("mcp__files__search", r#"{"query":"parse_records"}"#.into(), HITS.into()),
    edit: || {
        (
            "mcp__files__write_file",
            format!(r#"{{"path":"/repo/src/parser.rs","content":{}}}"#, json(&PARSER.replace(OLD, NEW))),
            "Successfully wrote to /repo/src/parser.rs".into(),
        )
    },
    run: |result| ("mcp__shell__run_command", r#"{"command":"cargo test"}"#.into(), result.into()),
    plan: |_| None,
};

/// The story: looked for, found, agreed, mended, tested; the changelog is left.
fn story(harness: &Harness, request: &str) -> Vec<Message> {
    let mut session = Session::new(request);
    let call = |session: &mut Session, said: &str, (tool, input, result): (&str, String, String)| session.step(said, tool, &input, &result);
    if let Some(plan) = (harness.plan)(false) {
        call(&mut session, "", plan);
    }
    call(&mut session, "Let me look for it.", (harness.search)());
    call(&mut session, "", (harness.read)());
    call(&mut session, CAUSE, (harness.run)(FAILS));
    session.say(OFFER);
    session.ask("yes, but keep the signature of parse_records");
    call(&mut session, "Now I'll change it.", (harness.edit)());
    call(&mut session, "", (harness.run)(PASSES));
    if let Some(plan) = (harness.plan)(true) {
        call(&mut session, "", plan);
    }
    session.say(DONE);
    session.ask("Then write the changelog, one line.");
    call(&mut session, "Let me see what is in it.", ("list_directory", r#"{"path":"."}"#.into(), "CHANGELOG.md\nsrc\ntests".into()));
    session.messages
}

const REQUEST: &str = "The last record of a CRLF file is lost. Find out why and mend it. Do not add dependencies.";

/// The preamble that Codex sends before the request.
fn behind_preamble(mut messages: Vec<Message>) -> Vec<Message> {
    let rules = "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n# Guidelines\n\n- Never commit to main.\n- All commit messages MUST follow the conventional format.\n\nThis project is a parser for records.\n</INSTRUCTIONS>";
    let environment = "<environment_context>\n  <cwd>/repo</cwd>\n  <shell>zsh</shell>\n</environment_context>";
    messages.splice(0..0, [rules, environment].map(|text| Message::text(Role::User, text)));
    messages
}

/// As aider does it: all in texts.
fn aider() -> Vec<Message> {
    let mut session = Session::new(REQUEST);
    session.say(OFFER);
    session.ask("go ahead");
    session.say(&format!("I use `str::lines`.\n\nsrc/parser.rs\n```rust\n<<<<<<< SEARCH\n{OLD}\n=======\n{NEW}\n>>>>>>> REPLACE\n```"));
    session.ask("I ran cargo test: 3 passed. Now the changelog.");
    session.say(&format!(
        "Which version is it for? This is the file as it stands now:\n\n```rust\n{}```",
        PARSER.replace(OLD, NEW).repeat(12)
    ));
    session.ask("0.2.1");
    session.say("Thank you.");
    session.messages
}

/// A piece of research on the web.
fn research() -> Vec<Message> {
    let mut session = Session::new("Which European cities have more than 400 km of cycle lanes? Two sources for each.");
    let todos = r#"{"todos":[{"content":"Amsterdam","status":"completed"},{"content":"Berlin","status":"in_progress"}]}"#;
    session.call("write_todos", todos, "Updated todo list");
    let hits = r#"[{"title":"Cycling in Amsterdam","url":"https://example.org/amsterdam","content":"The city has 767 km of cycle lanes (report_2024)."}]"#;
    session.step("I start with Amsterdam.", "web_search", r#"{"query":"Amsterdam cycle lanes km"}"#, hits);
    session.step(
        "Amsterdam has 767 km by report_2024 of the city.",
        "web_fetch",
        r#"{"url":"https://example.org/amsterdam"}"#,
        "# Cycling\n\nThe city has 767 km of cycle lanes, says report_2024.",
    );
    session.call("crawl_tool", r#"{"url":"https://example.org/berlin"}"#, "error: 404 Not Found");
    session.step("", "write_file", r##"{"path":"/mnt/report.md","content":"# Cycle lanes\n\nAmsterdam: 767 km (report_2024)\n"}"##, "OK");
    session.say("Amsterdam is done: **767 km** (report_2024, city portal). Berlin is next.");
    session.ask("Leave Berlin out, take Copenhagen instead.");
    session.call("web_search", r#"{"query":"Copenhagen cycle lanes km"}"#, "[]");
    session.messages
}

/// Each session with its name and the window it is folded in.
pub fn all() -> Vec<(&'static str, f64, Vec<Message>)> {
    vec![
        ("claude-code", 64_000.0, story(&CLAUDE, REQUEST)),
        ("codex-shell", 32_000.0, behind_preamble(story(&CODEX, REQUEST))),
        ("codex-exec", 128_000.0, behind_preamble(story(&CODEX_EXEC, REQUEST))),
        ("opencode", 32_000.0, story(&OPENCODE, REQUEST)),
        ("gemini-cli", 128_000.0, story(&GEMINI, REQUEST)),
        ("copilot-cli", 64_000.0, story(&COPILOT, REQUEST)),
        ("pi", 16_000.0, story(&PI, REQUEST)),
        ("swe-agent", 32_000.0, story(&SWE_AGENT, REQUEST)),
        ("mcp", 20_000.0, story(&MCP, REQUEST)),
        ("aider", 16_000.0, aider()),
        ("research", 64_000.0, research()),
    ]
}
