//! What one call of a tool does, read from its name and its input: files, commands, searches, plans.
//! Every harness names its tools differently; what stands here is what they have in common. Not what came of it (see `outcome`).

mod files;
mod known;

use crate::clip::{clip, one_line};
use crate::digest::subject::{LINE_BYTES, arguments};
use crate::json::Value;
use crate::record::action::Action;
use crate::record::call::files::file_actions;
use crate::record::call::known::is_known;
use crate::record::code::tool_calls;
use crate::record::patch::{read_blocks, read_patch};
use crate::record::plan::{PlanChange, PlanItem, PlanStatus, checkboxes};
use crate::record::shell::read_script;

/// Longest path, pattern, address or question, in characters.
pub const FIELD_CHARS: usize = 400;
/// Actions of one call.
const ACTIONS: usize = 60;
/// Calls within calls that are followed: JSON in a text, code that calls a tool.
const LEVELS: u32 = 2;

/// What the call `tool(input)` does, in the order in which it does it; never empty. May hold secrets.
pub fn read_call(tool: &str, input: &Value) -> Vec<Action> {
    let mut actions = read_within(tool, input, LEVELS);
    actions.truncate(ACTIONS);
    if actions.is_empty() {
        actions.push(Action::Other { about: arguments(input, LINE_BYTES) });
    }
    actions
}

/// The edits that a text of the model itself makes, as aider's SEARCH/REPLACE blocks do.
pub fn read_said(text: &str) -> Vec<Action> {
    if text.contains("<<<<<<< SEARCH") { read_blocks(text) } else { Vec::new() }
}

/// The name of a tool without the server it belongs to, in small letters without marks: `mcp__files__Read-File` is `readfile`.
pub fn plain_name(tool: &str) -> String {
    let own = if tool.starts_with("mcp__") || tool.starts_with("mcp_") { tool.rsplit("__").next().unwrap_or(tool) } else { tool };
    let own = own.rsplit(['.', '/', ':']).next().unwrap_or(own);
    own.bytes().filter(u8::is_ascii_alphanumeric).take(64).map(|byte| char::from(byte.to_ascii_lowercase())).collect()
}

/// The first of these fields that is a text and says something.
pub fn text_at<'v>(input: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| input.get(key)?.as_str().filter(|text| !text.trim().is_empty()))
}

/// Fields of what is typed into a command that runs.
const TYPED: [&str; 4] = ["chars", "input", "text", "data"];

/// A field as an action keeps it.
fn field(text: &str) -> String {
    clip(text.trim(), FIELD_CHARS)
}

fn read_within(tool: &str, input: &Value, levels: u32) -> Vec<Action> {
    if let Value::Text(text) = input {
        return read_text(tool, text, levels);
    }
    let name = plain_name(tool);
    let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if let Some(change) = plan_change(&name, input) {
        return vec![Action::Plan(change)];
    }
    if !is_known(&name) && input.get("subagent_type").is_none() {
        return Vec::new();
    }
    if let Some(action) = other_mind(&name, input) {
        return vec![action];
    }
    if is_wait(&name, input) {
        return vec![Action::Wait];
    }
    if matches!(name.as_str(), "writestdin" | "writebash")
        && let Some(typed) = text_at(input, &TYPED)
    {
        let is_interrupt = typed.contains(['\u{3}', '\u{4}']);
        let about = || "interrupted what was running".to_owned();
        return vec![if is_interrupt { Action::Other { about: about() } } else { Action::Run { command: field(&one_line(typed)) } }];
    }
    let mut actions = file_actions(&name, input);
    if actions.is_empty()
        && let Some(script) = script_of(input)
    {
        actions = if named(&["python", "repl", "jupyter", "notebook", "interpreter", "javascript", "executecode", "runcode"]) {
            code_run(&script)
        } else if levels > 0 && script.contains("tools.") {
            read_code(&script, levels)
        } else {
            read_script(&script)
        };
    }
    if actions.is_empty()
        && let Some(action) = searched(&name, input)
    {
        actions.push(action);
    }
    // A list of todos that is kept in a file is a plan, too.
    let kept = actions.iter().find_map(|action| match action {
        Action::Create { path, new } => plan_in_file(path, new),
        _ => None,
    });
    actions.extend(kept.map(Action::Plan));
    actions
}

/// An input that is a text: a patch, JSON, code, a command, or words.
fn read_text(tool: &str, text: &str, levels: u32) -> Vec<Action> {
    let name = plain_name(tool);
    if levels > 0
        && text.trim_start().starts_with('{')
        && let Some(value) = Value::parse(text)
    {
        return read_within(tool, &value, levels - 1);
    }
    if !is_known(&name) {
        return Vec::new();
    }
    let patch = if text.contains("*** ") { read_patch(text) } else { Vec::new() };
    if levels > 0 && text.contains("tools.") {
        let actions = read_code(text, levels);
        if !actions.is_empty() {
            return actions;
        }
    }
    if !patch.is_empty() {
        return patch;
    }
    if ["bash", "shell", "sh", "command", "terminal", "runshellcommand", "execcommand"].contains(&name.as_str()) {
        return read_script(text);
    }
    vec![Action::Other { about: field(&one_line(&clip(text, 4 * FIELD_CHARS))) }]
}

/// What code does that calls tools.
fn read_code(code: &str, levels: u32) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    for (tool, input) in tool_calls(code) {
        let more = read_within(tool, &input, levels - 1);
        actions.extend(if more.is_empty() {
            vec![Action::Other { about: format!("{tool}({})", arguments(&input, LINE_BYTES)) }]
        } else {
            more
        });
    }
    actions
}

/// A script of another language, by its first lines.
fn code_run(script: &str) -> Vec<Action> {
    let says =
        |line: &&str| !line.trim().is_empty() && !line.starts_with("import ") && !line.starts_with("from ") && !line.starts_with('#');
    let first = script.lines().filter(says).take(3).collect::<Vec<_>>().join("; ");
    vec![Action::Run { command: clip(&one_line(if first.is_empty() { script } else { &first }), FIELD_CHARS) }]
}

/// The command of an input: a text, or words, of which a shell's own (`bash -lc`) are left out.
fn script_of(input: &Value) -> Option<String> {
    let command = ["command", "cmd", "commands", "script", "code", "bash_command", "command_line", "CommandLine"]
        .iter()
        .find_map(|key| input.get(key));
    let command = command.or_else(|| input.get("action").and_then(|action| action.get("command")))?;
    let script = match command {
        Value::Text(text) => text.to_string(),
        Value::List(words) => match words.as_slice() {
            [shell, flag, script, ..] if is_shell(shell) && flag.scalar_text().starts_with('-') => script.scalar_text().to_owned(),
            words => words.iter().map(|word| quoted(word.scalar_text())).collect::<Vec<_>>().join(" "),
        },
        _ => return None,
    };
    (!script.trim().is_empty()).then_some(script)
}

fn is_shell(word: &Value) -> bool {
    let name = word.scalar_text().rsplit('/').next().unwrap_or_default();
    matches!(name, "bash" | "sh" | "zsh" | "fish" | "dash" | "powershell.exe" | "pwsh" | "cmd")
}

fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./:=@,+%".contains(&byte));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A change of the plan.
fn plan_change(name: &str, input: &Value) -> Option<PlanChange> {
    match name {
        "taskcreate" => {
            return Some(PlanChange::Create(PlanItem::new(text_at(input, &["subject", "description", "title"])?, PlanStatus::Open)));
        }
        "taskupdate" => {
            let id = ["taskId", "task_id", "id"].iter().find_map(|key| input.get(key)).map(Value::scalar_text)?;
            let status = input.get("status").and_then(Value::as_str).map(PlanStatus::from_name);
            let text = text_at(input, &["subject", "title"]).map(str::to_owned);
            return Some(PlanChange::Update { id: field(id), status, text });
        }
        "exitplanmode" | "planexit" | "presentplan" => return text_at(input, &["plan", "content", "text"]).map(PlanChange::from_text),
        _ if !name.contains("todo") && !name.contains("plan") && name != "tasks" => return None,
        _ => {}
    }
    let list = ["todos", "plan", "todoList", "todo_list", "items", "tasks", "steps"].iter().find_map(|key| input.get(key))?;
    match list {
        Value::Text(text) => match Value::parse(text).as_ref().and_then(PlanChange::from_list) {
            Some(change) => Some(change),
            None => Some(PlanChange::from_text(text)),
        },
        list => PlanChange::from_list(list),
    }
}

/// The plan in a file that was written, such as `todo.md`.
fn plan_in_file(path: &str, text: &str) -> Option<PlanChange> {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_plan = ["todo", "plan", "tasks", "progress"].iter().any(|word| file.contains(word));
    (is_plan && checkboxes(text).len() >= 2).then(|| PlanChange::from_text(text))
}

/// A task for another agent.
fn other_mind(name: &str, input: &Value) -> Option<Action> {
    let is_agent = matches!(
        name,
        "task" | "agent" | "delegate" | "dispatchagent" | "spawnagent" | "newtask" | "subagent" | "runsubagent" | "calltask"
    ) || input.get("subagent_type").is_some()
        || name.contains("subagent");
    let task = text_at(input, &["prompt", "task", "message", "instructions", "description", "objective"]).filter(|_| is_agent)?;
    let title = text_at(input, &["description", "title", "name"])
        .filter(|title| *title != task)
        .map_or(String::new(), |title| format!("{title}: "));
    Some(Action::Delegate { task: clip(&one_line(&format!("{title}{}", clip(task, 4 * FIELD_CHARS))), 2 * FIELD_CHARS) })
}

/// Whether a call only asks how something is that runs already, or writes nothing to it.
fn is_wait(name: &str, input: &Value) -> bool {
    let is_poll = matches!(
        name,
        "wait"
            | "sleep"
            | "taskoutput"
            | "bashoutput"
            | "readbash"
            | "commandstatus"
            | "waitagent"
            | "agentoutput"
            | "waitforprevioustools"
            | "tasklist"
            | "taskget"
            | "todoread"
            | "polltask"
    );
    let writes = TYPED.iter().find_map(|key| input.get(key)?.as_str());
    is_poll || matches!(name, "writestdin" | "writebash") && writes.is_none_or(|text| text.trim_matches(['\n', '\r', ' ']).is_empty())
}

/// A search, a list, a page or a question to a search engine.
fn searched(name: &str, input: &Value) -> Option<Action> {
    let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    const FOLDERS: [&str; 5] = ["dir", "directory", "dir_path", "folder", "root"];
    let path = text_at(input, &FOLDERS).or_else(|| text_at(input, &files::PATH_KEYS)).unwrap_or_default();
    let pattern = text_at(input, &["pattern", "regex", "glob", "glob_pattern", "file_name", "name_pattern"]);
    if named(&["glob", "findfile", "listdir", "listfile", "filesearch", "directorytree", "searchfiles"])
        || matches!(name, "ls" | "list" | "tree" | "find")
    {
        let what = pattern.or_else(|| text_at(input, &["query"])).unwrap_or_default();
        let separator = if path.is_empty() || what.is_empty() || path.ends_with('/') { "" } else { "/" };
        let place = if path.is_empty() && what.is_empty() { "." } else { path };
        return Some(Action::List { path: field(&format!("{place}{separator}{what}")) });
    }
    // What is more than a page that is fetched keeps its arguments.
    let is_plain = input.get("method").is_none_or(|method| method.scalar_text().eq_ignore_ascii_case("get"));
    if let Some(url) = text_at(input, &["url", "uri", "href", "link", "urls"])
        .filter(|url| url.contains("://") || named(&["fetch", "crawl", "navigate", "browse", "open", "scrape"]))
    {
        if !is_plain {
            return None;
        }
        return Some(Action::Fetch { url: field(url) });
    }
    let what =
        text_at(input, &["query", "q", "search_term", "search_query", "searchTerm", "pattern", "regex", "search", "keywords", "term"])?;
    let is_web =
        named(&["web", "google", "internet", "tavily", "exa", "bing", "duckduckgo", "brave", "serp", "news", "wikipedia", "arxiv"]);
    let in_files = !path.is_empty() || pattern.is_some() || named(&["grep", "code", "file", "dir", "symbol", "repo"]);
    if is_web || !in_files && named(&["search", "query", "lookup"]) {
        return Some(Action::Query { text: field(what), is_web });
    }
    (in_files && named(&["grep", "search", "find", "rg", "symbol", "query"]) || name == "rg").then(|| {
        let filter = text_at(input, &["glob", "include", "include_pattern", "file_pattern", "type"]).unwrap_or_default();
        let separator = if path.is_empty() || filter.is_empty() { "" } else { " " };
        Action::Search { what: field(what), path: field(&format!("{path}{separator}{filter}")) }
    })
}

#[cfg(test)]
mod tests;
