//! What one call or one result says of itself: read or written file, command, url, plan, documents, error.
//! As it was said, secrets and all: they leave on the way into `Facts`. Not here: what is kept of it (see `facts`).

use std::slice;

use serde::{Deserialize, Serialize};

use super::{ERROR_CHARS, FACT_CHARS, PLAN_CHARS};
use crate::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::json::{Value, told};

/// Longest line of a digest, in characters.
const BRIEF_CHARS: usize = 160;
/// Documents taken from one result.
const DOCUMENTS_PER_RESULT: usize = 20;

/// What a call does to the thing it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// Reads a file or document.
    Read,
    /// Creates or changes a file.
    Write,
    /// Removes a file.
    Delete,
    /// Runs a command.
    Run,
    /// Fetches a url.
    Fetch,
    /// Replaces the plan or todo list.
    Plan,
    /// Anything else.
    Other,
}

/// What a call says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallFacts {
    /// What the call does.
    pub access: Access,
    /// The file, command or url it does it to; empty when it names none. For a plan: the plan's text. May hold secrets.
    pub subject: String,
    /// One line for the digest, which may hold secrets.
    brief: String,
}

impl CallFacts {
    /// One line for the digest.
    pub fn brief(&self) -> String {
        clean_within(&self.brief, BRIEF_CHARS)
    }
}

/// A document a result told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its id.
    pub id: String,
    /// Its title or name.
    pub title: String,
}

/// What a result says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultFacts {
    /// Documents with an id and a title.
    pub documents: Vec<Document>,
    /// The error text, when the result is an error. May hold secrets, as the documents may.
    pub error: Option<String>,
}

/// What the call `tool(input)` says about itself.
pub fn call_facts(tool: &str, input: &Value) -> CallFacts {
    let value = input;
    let lower = tool.to_ascii_lowercase();
    // Names are short: looking at every place is quicker than setting up a search.
    let named = |words: &[&str]| words.iter().any(|word| holds(lower.as_bytes(), word.as_bytes()));
    if named(&["todo", "plan"]) || matches!(lower.as_str(), "taskcreate" | "taskupdate") {
        let text = clip(&plan_text(value), PLAN_CHARS + ROOM_CHARS);
        if !text.is_empty() {
            return CallFacts { access: Access::Plan, subject: text, brief: brief(tool, value) };
        }
    }
    let path = string_at(value, &PATH_KEYS);
    // Asked for only where the path does not decide.
    let command;
    let (access, subject) = match path {
        Some(path) if named(&["delete", "remove", "unlink"]) => (Access::Delete, path),
        Some(path) if named(&WRITE_WORDS) => (Access::Write, path),
        Some(path) if !named(&["list", "glob", "grep", "search", "find"]) => (Access::Read, path),
        _ => {
            command = command_of(value);
            match (&command, string_at(value, &["url", "uri", "href", "link"])) {
                (Some(command), _) => (Access::Run, command.as_str()),
                (None, Some(url)) => (Access::Fetch, url),
                (None, None) => (Access::Other, path.unwrap_or_default()),
            }
        }
    };
    CallFacts { access, subject: clip(subject, FACT_CHARS + ROOM_CHARS), brief: brief(tool, value) }
}

/// Whether `word` stands anywhere in `name`. Hardly ever is more than its first byte compared.
fn holds(name: &[u8], word: &[u8]) -> bool {
    let mut rest = name;
    while let [first, behind @ ..] = rest {
        if word.first() == Some(first) && rest.starts_with(word) {
            return true;
        }
        rest = behind;
    }
    false
}

/// Keys under which tools name the file they work on.
const PATH_KEYS: [&str; 11] = [
    "file_path",
    "filePath",
    "path",
    "file",
    "filename",
    "fileName",
    "absolute_path",
    "target_file",
    "notebook_path",
    "relative_path",
    "uri_path",
];
/// Words in a tool's name that say it changes a file.
const WRITE_WORDS: [&str; 9] = ["write", "edit", "create", "replace", "update", "patch", "insert", "append", "save"];

/// What the result of a call says: its documents, when it is JSON, or the error that it is.
pub fn result_facts(json: Option<&Value>, error: Option<&str>) -> ResultFacts {
    let mut documents = Vec::new();
    if let (Some(value), None) = (json, error) {
        collect_documents(value, 0, &mut documents);
    }
    ResultFacts { documents, error: error.map(|text| clip(text.trim(), ERROR_CHARS + ROOM_CHARS)) }
}

fn collect_documents(value: &Value, depth: usize, found: &mut Vec<Document>) {
    if depth > 6 || found.len() >= DOCUMENTS_PER_RESULT {
        return;
    }
    match value {
        Value::Map(members) => {
            let id = value.get("id").map_or("", Value::scalar_text);
            let title = || ["title", "name", "subject"].iter().find_map(|key| value.get(key)?.as_str());
            if !id.is_empty()
                && let Some(title) = title()
            {
                let said = |text| clip(text, FACT_CHARS + ROOM_CHARS);
                found.push(Document { id: said(id), title: said(title) });
            }
            members.iter().for_each(|(_, inner)| collect_documents(inner, depth + 1, found));
        }
        Value::List(items) => items.iter().for_each(|inner| collect_documents(inner, depth + 1, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
    }
}

fn string_at<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| value.get(key)?.as_str()).filter(|text| !text.trim().is_empty())
}

fn command_of(value: &Value) -> Option<String> {
    let command = ["command", "cmd", "script", "code"].iter().find_map(|key| value.get(key))?;
    let text = command.joined_leaves(" ");
    (!text.trim().is_empty()).then(|| one_line(&text))
}

/// A plan as text: its steps one a line with their status, or whatever strings it holds.
fn plan_text(value: &Value) -> String {
    let steps = value.children().into_iter().find_map(|inner| match inner {
        Value::List(steps) => Some(steps),
        _ => None,
    });
    let Some(steps) = steps else { return value.joined_leaves("\n") };
    let lines = steps.iter().map(|step| {
        let text = string_at(step, &["content", "step", "title", "text", "description", "task"]);
        match (text, string_at(step, &["status", "state"])) {
            (Some(text), Some(status)) => format!("- [{status}] {}", one_line(text)),
            (Some(text), None) => format!("- {}", one_line(text)),
            (None, _) => format!("- {}", step.joined_leaves(" ")),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn brief(tool: &str, value: &Value) -> String {
    // As much as is kept as a rule, so that the line need not move while it grows.
    let mut line = String::with_capacity(BRIEF_CHARS + ROOM_CHARS);
    line.push_str(&clip(tool, 64));
    line.push(':');
    add_words(value, &mut line, &mut 0);
    while line.ends_with(':') {
        line.pop();
    }
    clip(&line, BRIEF_CHARS + ROOM_CHARS)
}

/// Adds the words of a value to a line until it is long, looking at `seen` bytes of them and not many more.
fn add_words(value: &Value, line: &mut String, seen: &mut usize) {
    match value {
        _ if *seen > BRIEF_CHARS => {}
        Value::Null => {}
        Value::List(items) => items.iter().for_each(|item| add_words(item, line, seen)),
        Value::Map(members) => {
            // One by one, because telling a secret takes longer than what follows.
            for member in members.iter().map(slice::from_ref) {
                if *seen <= BRIEF_CHARS {
                    told(member).for_each(|inner| add_words(inner, line, seen));
                }
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            let text = value.scalar_text();
            *seen += text.len() + 1;
            for word in text.split_ascii_whitespace() {
                if line.len() > BRIEF_CHARS {
                    break;
                }
                line.push(' ');
                line.push_str(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call_facts(tool: &str, input: &str) -> CallFacts {
        super::call_facts(tool, &Value::parse(input).unwrap_or(Value::Null))
    }

    #[test]
    fn a_call_is_known_by_its_name_and_input() {
        let rows: [(&str, &str, Access, &str); 10] = [
            ("Read", r#"{"file_path":"/a/b.rs","limit":10}"#, Access::Read, "/a/b.rs"),
            ("write_file", r#"{"path":"x.md","content":"hello"}"#, Access::Write, "x.md"),
            ("str_replace_editor", r#"{"path":"x.md"}"#, Access::Write, "x.md"),
            ("delete_file", r#"{"path":"x.md"}"#, Access::Delete, "x.md"),
            ("Bash", r#"{"command":"cargo  test\n --all"}"#, Access::Run, "cargo test --all"),
            ("shell", r#"{"command":["ls","-la"]}"#, Access::Run, "ls -la"),
            ("fetch", r#"{"url":"https://example.com/a"}"#, Access::Fetch, "https://example.com/a"),
            ("Grep", r#"{"pattern":"foo","path":"src"}"#, Access::Other, "src"),
            ("ask", r#"{"question":"?"}"#, Access::Other, ""),
            ("ask", "not json", Access::Other, ""),
        ];
        for (tool, input, access, subject) in rows {
            let facts = call_facts(tool, input);
            assert_eq!((facts.access, facts.subject.as_str()), (access, subject), "{tool} {input}");
        }
    }

    #[test]
    fn a_plan_keeps_steps_and_their_status() {
        let facts =
            call_facts("TodoWrite", r#"{"todos":[{"content":"read","status":"completed"},{"content":"write","status":"pending"}]}"#);
        assert_eq!(facts.access, Access::Plan);
        assert_eq!(facts.subject, "- [completed] read\n- [pending] write");
    }
}
