//! Calls of every harness, and what they are read as.

use super::{plain_name, read_call, read_said};
use crate::json::Value;
use crate::record::action::Action;

fn told(tool: &str, input: &str) -> String {
    let value = Value::parse(input).unwrap_or(Value::Null);
    let each = read_call(tool, &value).into_iter().map(|action| match action {
        Action::Read { path, lines } => format!("read {path}{}", lines.map_or(String::new(), |(a, b)| format!(":{a}-{b}"))),
        Action::Search { what, path } => format!("search {what} @{path}"),
        Action::List { path } => format!("list {path}"),
        Action::Create { path, new } => format!("create {path} ({new})"),
        Action::Edit { path, old, new } => format!("edit {path} ({old}>{new})"),
        Action::Delete { path } => format!("delete {path}"),
        Action::Move { from, to } => format!("move {from} {to}"),
        Action::Run { command } => format!("run {command}"),
        Action::Fetch { url } => format!("fetch {url}"),
        Action::Query { text, .. } => format!("query {text}"),
        Action::Delegate { task } => format!("delegate {task}"),
        Action::Other { about } => format!("other {about}"),
        Action::Wait => "wait".to_owned(),
        Action::Plan(change) => format!("plan {change:?}"),
    });
    each.collect::<Vec<_>>().join(" | ")
}

fn check(rows: &[(&str, &str, &str)]) {
    for (tool, input, expected) in rows {
        assert_eq!(told(tool, input), *expected, "{tool} {input}");
    }
}

#[test]
fn claude_code() {
    check(&[
        ("Read", r#"{"file_path":"/a/b.rs","offset":150,"limit":40}"#, "read /a/b.rs:150-189"),
        ("Read", r#"{"file_path":"/a/b.rs"}"#, "read /a/b.rs"),
        ("Edit", r#"{"file_path":"a","old_string":"x","new_string":"y","replace_all":false}"#, "edit a (x>y)"),
        (
            "MultiEdit",
            r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"z","new_string":""}]}"#,
            "edit a (x>y) | edit a (z>)",
        ),
        ("Write", r#"{"file_path":"a","content":"hi"}"#, "create a (hi)"),
        ("NotebookEdit", r#"{"notebook_path":"n.ipynb","new_source":"x","cell_id":"1"}"#, "edit n.ipynb (>x)"),
        ("Bash", r#"{"command":"cd /r && mise run test 2>&1","description":"Run tests","timeout":120000}"#, "run mise run test"),
        ("BashOutput", r#"{"bash_id":"b1"}"#, "wait"),
        ("TaskOutput", r#"{"task_id":"b1","block":true}"#, "wait"),
        ("Grep", r#"{"pattern":"fn x","path":"src","output_mode":"content","-A":5}"#, "search fn x @src"),
        ("Grep", r#"{"pattern":"fn x","glob":"*.rs"}"#, "search fn x @*.rs"),
        ("Glob", r#"{"pattern":"src/**/*.ts"}"#, "list src/**/*.ts"),
        ("LS", r#"{"path":"/a"}"#, "list /a"),
        ("Task", r#"{"description":"Explore","prompt":"Look at\nall","subagent_type":"Explore"}"#, "delegate Explore: Look at all"),
        ("WebFetch", r#"{"url":"https://a.b/c","prompt":"what"}"#, "fetch https://a.b/c"),
        ("WebSearch", r#"{"query":"rust wasm"}"#, "query rust wasm"),
        ("AskUserQuestion", r#"{"questions":[{"question":"A?"},{"question":"B?"}]}"#, "other A?, B?"),
        ("ExitPlanMode", r#"{"plan":"Do it"}"#, r#"plan Text("Do it")"#),
        ("Skill", r#"{"skill":"pdf"}"#, "other pdf"),
        ("TaskUpdate", r#"{"taskId":"3","status":"in_progress"}"#, r#"plan Update { id: "3", status: Some(Active), text: None }"#),
        ("TaskCreate", r#"{"subject":"a","description":"b"}"#, r#"plan Create(PlanItem { id: "", text: "a", status: Open })"#),
        (
            "TodoWrite",
            r#"{"todos":[{"content":"a","status":"pending"}]}"#,
            r#"plan Replace([PlanItem { id: "", text: "a", status: Open }])"#,
        ),
    ]);
}

#[test]
fn codex() {
    check(&[
        ("shell", r#"{"command":["bash","-lc","sed -n '1,5p' a && rg -n x src"],"workdir":"/w"}"#, "read a:1-5 | search x @src"),
        ("shell", r#"{"command":["git","commit","-m","a b"]}"#, "run git commit -m 'a b'"),
        ("shell", r#"{"command":["apply_patch","*** Begin Patch\n*** Add File: n\n+1\n*** End Patch"]}"#, "create n (1)"),
        ("local_shell", r#"{"action":{"command":["ls","src"]}}"#, "list src"),
        ("exec_command", r#"{"cmd":"cargo test","yield_time_ms":1000}"#, "run cargo test"),
        ("apply_patch", r#"{"input":"*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** End Patch"}"#, "edit a (1>2)"),
        ("apply_patch", r#""*** Begin Patch\n*** Delete File: a\n*** End Patch""#, "delete a"),
        ("write_stdin", r#"{"session_id":1,"chars":""}"#, "wait"),
        ("wait", r#"{"cell_id":"7"}"#, "wait"),
        (
            "update_plan",
            r#"{"plan":[{"step":"a","status":"in_progress"}]}"#,
            r#"plan Replace([PlanItem { id: "", text: "a", status: Active }])"#,
        ),
        ("view_image", r#"{"path":"/a.png"}"#, "read /a.png"),
        (
            "exec",
            r#""const [a,b] = await Promise.all([tools.exec_command({cmd:\"cat a\",\"workdir\":\"/w\"}), tools.exec_command({cmd:\"npm test\"})]);text(a.output)""#,
            "read a | run npm test",
        ),
        (
            "exec",
            r#""const patch = \"*** Begin Patch\\n*** Update File: /w/a\\n@@\\n-x\\n+y\\n*** End Patch\";\nconst r = await tools.apply_patch(patch);""#,
            "edit /w/a (x>y)",
        ),
        ("exec", r#""const r=await tools.write_stdin({session_id:4,chars:\"\",yield_time_ms:3});""#, "wait"),
        ("exec", r#""text(ALL_TOOLS.find(x=>x.name===\"a\"));\n""#, r#"other text(ALL_TOOLS.find(x=>x.name==="a"));"#),
        (
            "exec",
            r#""await tools.mcp__apps__create_pull_request({title:\"fix: x\",head_branch:\"b\"})""#,
            "other mcp__apps__create_pull_request(head_branch: b, title: fix: x)",
        ),
    ]);
}

#[test]
fn other_coding_agents() {
    check(&[
        // OpenCode.
        ("read", r#"{"filePath":"/a","offset":10,"limit":5}"#, "read /a:10-14"),
        ("edit", r#"{"filePath":"/a","oldString":"x","newString":"y"}"#, "edit /a (x>y)"),
        ("write", r#"{"filePath":"/a","content":"x"}"#, "create /a (x)"),
        ("apply_patch", r#"{"patchText":"*** Begin Patch\n*** Add File: n\n+1\n*** End Patch"}"#, "create n (1)"),
        ("glob", r#"{"pattern":"**/package.json","path":"/r"}"#, "list /r/**/package.json"),
        ("grep", r#"{"pattern":"x","path":"/r","include":"*.ts"}"#, "search x @/r *.ts"),
        (
            "todowrite",
            r#"{"todos":[{"content":"a","status":"completed","priority":"high"}]}"#,
            r#"plan Replace([PlanItem { id: "", text: "a", status: Done }])"#,
        ),
        // Gemini CLI.
        ("read_file", r#"{"absolute_path":"/a","offset":0,"limit":20}"#, "read /a:1-20"),
        ("replace", r#"{"file_path":"a","old_string":"x","new_string":"y","instruction":"i"}"#, "edit a (x>y)"),
        ("replace", r#"{"file_path":"a","old_string":"","new_string":"y"}"#, "create a (y)"),
        ("run_shell_command", r#"{"command":"git status","description":"d"}"#, "run git status"),
        ("search_file_content", r#"{"pattern":"x","path":"src"}"#, "search x @src"),
        ("list_directory", r#"{"path":"src"}"#, "list src"),
        ("read_many_files", r#"{"paths":["a","b"]}"#, "read a | read b"),
        ("google_web_search", r#"{"query":"x"}"#, "query x"),
        (
            "write_todos",
            r#"{"todos":[{"description":"a","status":"pending"}]}"#,
            r#"plan Replace([PlanItem { id: "", text: "a", status: Open }])"#,
        ),
        // Copilot.
        ("view", r#"{"path":"/a","view_range":[28,38]}"#, "read /a:28-38"),
        ("create", r#"{"path":"/a","file_text":"x"}"#, "create /a (x)"),
        ("edit", r#"{"path":"/a","old_str":"x","new_str":"y"}"#, "edit /a (x>y)"),
        ("ask_user", r#"{"question":"Which?","choices":["a","b"]}"#, "other choices: a, b, question: Which?"),
        ("read_bash", r#"{"shellId":"1","delay":5}"#, "wait"),
        (
            "manage_todo_list",
            r#"{"operation":"write","todoList":[{"id":1,"title":"a","status":"not-started"}]}"#,
            r#"plan Replace([PlanItem { id: "1", text: "a", status: Open }])"#,
        ),
        // pi.
        ("edit", r#"{"path":"/a","oldText":"x","newText":"y"}"#, "edit /a (x>y)"),
        // SWE-agent and Anthropic's editor.
        ("str_replace_editor", r#"{"command":"view","path":"/a"}"#, "read /a"),
        ("str_replace_editor", r#"{"command":"create","path":"/a","file_text":"x"}"#, "create /a (x)"),
        ("str_replace_based_edit_tool", r#"{"command":"str_replace","path":"/a","old_str":"x","new_str":""}"#, "edit /a (x>)"),
        ("str_replace_editor", r#"{"command":"insert","path":"/a","insert_line":3,"new_str":"x"}"#, "edit /a (>x)"),
        ("open", r#"{"path":"src/a.py","line_number":1474}"#, "read src/a.py"),
        ("create", r#"{"filename":"r.py"}"#, "create r.py ()"),
        ("edit", r#"{"search":"a","replace":"b"}"#, "edit  (a>b)"),
        ("find_file", r#"{"file_name":"f.py","dir":"src"}"#, "list src/f.py"),
        ("search_dir", r#"{"search_term":"x","dir":"src"}"#, "search x @src"),
        // Cline, Roo, Cursor.
        ("replace_in_file", r#"{"path":"a","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}"#, "edit a (x>y)"),
        ("execute_command", r#"{"command":"ls"}"#, "list ."),
        (
            "update_todo_list",
            r#"{"todos":"[x] a\n[ ] b"}"#,
            r#"plan Replace([PlanItem { id: "", text: "a", status: Done }, PlanItem { id: "", text: "b", status: Open }])"#,
        ),
        ("edit_file", r#"{"target_file":"a","instructions":"i","code_edit":"x"}"#, "edit a (>x)"),
        ("delete_file", r#"{"target_file":"a"}"#, "delete a"),
        // Deer-flow.
        ("write_file", r#"{"description":"d","path":"/a","content":"x","append":true}"#, "edit /a (>x)"),
        ("crawl_tool", r#"{"url":"https://a.b"}"#, "fetch https://a.b"),
        ("ask_clarification", r#"{"question":"Q?"}"#, "other Q?"),
        ("python_repl_tool", r#"{"code":"import x\nprint(1)"}"#, "run print(1)"),
    ]);
}

#[test]
fn a_tool_that_is_not_known_keeps_its_arguments_whatever_they_are_called() {
    check(&[
        ("mcp__files__read_text_file", r#"{"path":"/a","head":5}"#, "read /a"),
        ("mcp__files__edit_file", r#"{"path":"/a","edits":[{"oldText":"x","newText":"y"}]}"#, "edit /a (x>y)"),
        ("mcp__files__move_file", r#"{"source":"a","destination":"b"}"#, "move a b"),
        ("mcp__tavily__tavily_search", r#"{"query":"x"}"#, "query x"),
        ("mcp__github__create_issue", r#"{"title":"T","body":"long","owner":"o"}"#, "other body: long, owner: o, title: T"),
        ("get_reservation_details", r#"{"reservation_id":"UM3OG5"}"#, "other UM3OG5"),
        (
            "search_direct_flight",
            r#"{"origin":"SFO","destination":"JFK","date":"2024-05-20"}"#,
            "other date: 2024-05-20, destination: JFK, origin: SFO",
        ),
        ("browser", r#"{"action":"Click [46]"}"#, "other Click [46]"),
        ("think", r#"{"thought":"hm"}"#, "other hm"),
        ("submit", "{}", "other "),
        ("anything", r#"{"url":"https://a.b/c"}"#, "other https://a.b/c"),
        ("store", r#"{"filename":"a","content":"x"}"#, "other content: x, filename: a"),
        ("lookupCountry", r#"{"code":"DE"}"#, "other DE"),
        ("setThermostat", r#"{"command":"heat","value":21.5}"#, "other command: heat, value: 21.5"),
        ("updateContact", r#"{"old":"a@x.test","new":"b@x.test","path":"email"}"#, "other new: b@x.test, old: a@x.test, path: email"),
        ("fetch", r#"{"url":"https://api.test/orders/1","method":"DELETE"}"#, "other method: DELETE, url: https://api.test/orders/1"),
        ("docs", "\"just words\"", "other just words"),
        ("login", r#"{"user":"u","password":"x7Kq9ZpL2mVw8RtY4nB"}"#, "other user: u"),
        (
            "write_file",
            r##"{"path":"todo.md","content":"# T\n- [x] a\n- [ ] b"}"##,
            "create todo.md (# T\n- [x] a\n- [ ] b) | plan Replace([PlanItem { id: \"\", text: \"a\", status: Done }, PlanItem { id: \"\", text: \"b\", status: Open }])",
        ),
        ("ask", "not json", "other "),
    ]);
    assert_eq!(plain_name("mcp__my_server__Read-File"), "readfile");
    assert_eq!(plain_name("functions.exec_command"), "execcommand");
    assert_eq!(read_said("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n").len(), 1);
}

#[test]
fn inputs_of_any_kind_stay_bounded() {
    let long = "x".repeat(1 << 20);
    let values = [
        format!(r#"{{"path":"{long}","content":"{long}"}}"#),
        format!(r#"{{"command":"{long}"}}"#),
        format!(r#"{{"questions":[{}]}}"#, vec![format!(r#""{}""#, &long[..5_000]); 200].join(",")),
        format!(r#"{{"todos":"{long}"}}"#),
        format!(r#"{{"{}":"{long}"}}"#, &long[..1_000]),
        format!("\"{long}\""),
        "[".repeat(100) + &"]".repeat(100),
    ];
    for tool in ["Write", "Bash", "TodoWrite", "AskUserQuestion", "Task", "exec", "x"] {
        for text in &values {
            let actions = read_call(tool, &Value::parse(text).unwrap());
            assert!(!actions.is_empty() && format!("{actions:?}").len() < 40_000, "{tool}");
        }
    }
}
