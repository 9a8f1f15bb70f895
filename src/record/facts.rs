//! Facts the engine extracts by itself, without a model: files, commands, documents, urls, errors, tools, the plan.
//! They outlive the messages they came from; secrets leave on the way in. Not a summary: nothing here is phrased, guessed or judged.

mod read;

pub use read::{Access, CallFacts, Document, ResultFacts, call_facts, result_facts};

use serde::{Deserialize, Serialize};

use crate::clip::{clean_within, clip};

/// Longest path, command, url, id or title that is kept, in characters.
const FACT_CHARS: usize = 240;
/// Longest plan or todo list, in characters.
const PLAN_CHARS: usize = 4_000;
/// Longest error text, in characters.
const ERROR_CHARS: usize = 400;
/// Entries of one list; the oldest leave first.
const LIST_ENTRIES: usize = 400;

/// An error that no later call of the same kind has resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenError {
    /// The tool that failed.
    pub tool: String,
    /// What it was applied to; empty when unknown.
    pub subject: String,
    /// What it said.
    pub text: String,
}

/// How often a tool was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUse {
    /// The tool.
    pub name: String,
    /// Calls so far.
    pub calls: u32,
}

/// All facts of a folded span, newest last in every list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Files written or edited.
    pub written: Vec<String>,
    /// Files read.
    pub read: Vec<String>,
    /// Files deleted.
    pub deleted: Vec<String>,
    /// Commands run once.
    pub commands: Vec<String>,
    /// Commands run again.
    pub repeated: Vec<String>,
    /// Documents seen.
    pub documents: Vec<Document>,
    /// Urls fetched.
    pub urls: Vec<String>,
    /// Errors not yet resolved.
    pub errors: Vec<OpenError>,
    /// Tools used.
    pub tools: Vec<ToolUse>,
    /// The latest plan or todo list.
    pub plan: Option<String>,
}

impl Facts {
    /// Takes in one call.
    pub fn add_call(&mut self, tool: &str, call: &CallFacts) {
        match self.tools.iter_mut().find(|used| used.name == tool) {
            Some(used) => used.calls = used.calls.saturating_add(1),
            None => push_newest(&mut self.tools, ToolUse { name: clip(tool, FACT_CHARS), calls: 1 }),
        }
        if call.access == Access::Plan {
            self.plan = Some(clean_within(&call.subject, PLAN_CHARS));
            return;
        }
        let subject = clean_within(&call.subject, FACT_CHARS);
        if subject.is_empty() {
            return;
        }
        match call.access {
            // Of a file that was written it need not be said that it was read.
            Access::Read if self.written.contains(&subject) => push_newest(&mut self.written, subject),
            Access::Read => push_newest(&mut self.read, subject),
            Access::Write => {
                forget(&mut self.deleted, &subject);
                forget(&mut self.read, &subject);
                push_newest(&mut self.written, subject);
            }
            Access::Delete => {
                forget(&mut self.written, &subject);
                forget(&mut self.read, &subject);
                push_newest(&mut self.deleted, subject);
            }
            Access::Run if self.commands.contains(&subject) || self.repeated.contains(&subject) => {
                forget(&mut self.commands, &subject);
                push_newest(&mut self.repeated, subject);
            }
            Access::Run => push_newest(&mut self.commands, subject),
            Access::Fetch => push_newest(&mut self.urls, subject),
            Access::Plan | Access::Other => {}
        }
    }

    /// Takes in the result of a call. A success resolves the open errors of the same tool and subject.
    pub fn add_result(&mut self, tool: &str, subject: &str, result: &ResultFacts) {
        for said in &result.documents {
            let document = Document { id: clean_within(&said.id, FACT_CHARS), title: clean_within(&said.title, FACT_CHARS) };
            self.documents.retain(|known| known.id != document.id);
            push_newest(&mut self.documents, document);
        }
        if self.errors.is_empty() && result.error.is_none() {
            return;
        }
        let subject = clean_within(subject, FACT_CHARS);
        let tool = clip(tool, FACT_CHARS);
        self.errors.retain(|open| open.tool != tool || open.subject != subject);
        if let Some(text) = &result.error {
            push_newest(&mut self.errors, OpenError { tool, subject, text: clean_within(text, ERROR_CHARS) });
        }
    }

    /// Forgets the oldest entries until at most `bytes` are recorded: commands run once first, then urls, files read, commands run again,
    /// documents, files deleted, files written, errors. The plan and the tools stay.
    pub fn fit(&mut self, bytes: usize) {
        let mut excess = self.bytes().saturating_sub(bytes);
        for list in [&mut self.commands, &mut self.urls, &mut self.read, &mut self.repeated] {
            forget_oldest(list, &mut excess, String::len);
        }
        forget_oldest(&mut self.documents, &mut excess, |document| document.id.len() + document.title.len());
        forget_oldest(&mut self.deleted, &mut excess, String::len);
        forget_oldest(&mut self.written, &mut excess, String::len);
        forget_oldest(&mut self.errors, &mut excess, |open| open.tool.len() + open.subject.len() + open.text.len());
    }

    fn bytes(&self) -> usize {
        let texts =
            [&self.commands, &self.urls, &self.read, &self.repeated, &self.deleted, &self.written].into_iter().flatten().map(String::len);
        let documents = self.documents.iter().map(|document| document.id.len() + document.title.len());
        let errors = self.errors.iter().map(|open| open.tool.len() + open.subject.len() + open.text.len());
        texts.chain(documents).chain(errors).sum()
    }
}

fn forget(list: &mut Vec<String>, entry: &str) {
    list.retain(|known| known != entry);
}

fn forget_oldest<T>(list: &mut Vec<T>, excess: &mut usize, bytes: impl Fn(&T) -> usize) {
    let count = list.iter().take_while(|entry| {
        let more = *excess > 0;
        *excess = excess.saturating_sub(bytes(entry));
        more
    });
    let count = count.count();
    list.drain(..count);
}

/// Appends an entry as the newest, without doubles and within the bound.
fn push_newest<T: PartialEq>(list: &mut Vec<T>, entry: T) {
    list.retain(|known| *known != entry);
    list.push(entry);
    if list.len() > LIST_ENTRIES {
        list.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::ROOM_CHARS;
    use crate::json::Value;

    fn call_facts(tool: &str, input: &str) -> CallFacts {
        super::call_facts(tool, &Value::parse(input).unwrap_or(Value::Null))
    }

    #[test]
    fn an_error_is_open_until_the_same_tool_succeeds_on_the_same_subject() {
        let mut facts = Facts::default();
        let failed = result_facts(None, Some("no such file"));
        facts.add_result("Read", "a.rs", &failed);
        facts.add_result("Read", "b.rs", &failed);
        facts.add_result("Read", "a.rs", &result_facts(None, None));
        assert_eq!(facts.errors.iter().map(|open| open.subject.as_str()).collect::<Vec<_>>(), ["b.rs"]);
    }

    #[test]
    fn a_file_that_was_written_is_not_also_told_as_read() {
        let mut facts = Facts::default();
        for (tool, path) in [("Read", "a.rs"), ("Read", "b.rs"), ("Edit", "a.rs"), ("Edit", "c.rs"), ("Read", "a.rs")] {
            facts.add_call(tool, &call_facts(tool, &format!(r#"{{"path":"{path}"}}"#)));
        }
        assert_eq!((facts.read, facts.written), (vec!["b.rs".to_owned()], vec!["c.rs".to_owned(), "a.rs".to_owned()]));
    }

    #[test]
    fn documents_are_found_at_any_depth_and_kept_once() {
        let value = Value::parse(r#"{"hits":[{"id":"d1","title":"One"},{"id":7,"name":"Seven"},{"id":"x"}]}"#);
        let mut facts = Facts::default();
        facts.add_result("search", "", &result_facts(value.as_ref(), None));
        facts.add_result("search", "", &result_facts(value.as_ref(), None));
        let ids: Vec<&str> = facts.documents.iter().map(|document| document.id.as_str()).collect();
        assert_eq!(ids, ["d1", "7"]);
    }

    #[test]
    fn half_a_secret_that_a_text_was_cut_in_is_left_out() {
        let key = format!("ghp_{}", "R4nd0mB2xQ7vLkT9wZ3mYc8HsD1fGjN6pKqE");
        let password = "t8Kq2ZpL9mVw4RxY7nB".repeat(20);
        let texts = [
            format!("curl -H Authorization:Bearer {key}{password} "),
            format!("git clone https://svc:{password}@h.test/x "),
            format!("PASSWORD={password} "),
            format!("{key} "),
            format!("{key} TOKEN={password} ") + &format!("{key} ").repeat(20),
        ];
        for secret in texts {
            for before in 90..FACT_CHARS + ROOM_CHARS + 60 {
                let command = format!("{}; {secret}{}", "ab ".repeat(before)[..before].trim(), "cd ".repeat(300));
                let input = Value::Map(vec![("command".into(), Value::Text(command.as_str().into()))]);
                let call = super::call_facts("run", &input);
                let mut facts = Facts::default();
                facts.add_call("run", &call);
                facts.add_result("run", &call.subject, &result_facts(None, Some(&command)));
                let said = format!("{:?} {}", facts, call.brief());
                let leak = [&key[..10], &password[..8]].into_iter().find(|piece| said.contains(piece));
                assert_eq!(leak, None, "{before} {said}");
            }
        }
    }

    #[test]
    fn a_command_that_was_run_again_is_told_apart_from_those_run_once() {
        let mut facts = Facts::default();
        for command in ["npm test", "ls", "npm run lint", "npm test", "npm test"] {
            facts.add_call("bash", &call_facts("bash", &format!(r#"{{"command":"{command}"}}"#)));
        }
        assert_eq!((facts.commands, facts.repeated), (vec!["ls".to_owned(), "npm run lint".to_owned()], vec!["npm test".to_owned()]));
    }

    #[test]
    fn lists_are_bounded_and_forget_the_oldest() {
        let mut facts = Facts::default();
        for n in 0..LIST_ENTRIES + 5 {
            facts.add_call("Read", &call_facts("Read", &format!(r#"{{"path":"f{n}"}}"#)));
        }
        assert_eq!(facts.read.len(), LIST_ENTRIES);
        assert_eq!(facts.read[0], "f5");
    }
}
