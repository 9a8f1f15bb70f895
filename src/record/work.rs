//! `Record`: what is known of a folded span, put together over all folds of a conversation. Plain data, bounded in bytes.
//! Not how it is read off messages (see `reader`), and not how much of it a checkpoint tells (see `texts::checkpoint`).

use serde::{Deserialize, Serialize};

use crate::digest::act::Acts;
use crate::digest::failure::Failing;
use crate::digest::findings::Finding;
use crate::record::outcome::Status;
use crate::record::plan::Plan;

/// Entries of one list at most; the oldest leave first.
const MOST_ENTRIES: usize = 400;

/// What stands in a line of the log between a call and what came of it (`line::log_line`).
const OUTCOME_MARK: &str = " → ";

/// What the user said after the request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The step after which it was said.
    pub step: u32,
    /// Their words.
    pub text: String,
    /// The model's question before a short answer; empty where the words speak for themselves.
    pub question: String,
    /// The call whose approval they deny; empty for a message.
    pub denies: String,
    /// How often it was said; a long message that is equal but for white space is kept once.
    pub count: u32,
}

/// What the model told the user at the end of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The step in which it was told.
    pub step: u32,
    /// The text, in its own Markdown.
    pub text: String,
}

/// What was done with one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileWork {
    /// Its path, as calls name it.
    pub path: String,
    /// The lines that were read, in order; empty when all of it was.
    pub lines: Vec<(u32, u32)>,
    /// The step of the newest reading; 0 when it was not read.
    pub read_step: u32,
    /// The step in which it was written whole; 0 when it was not.
    pub created_step: u32,
    /// How often it was edited.
    pub edits: u32,
    /// The steps of the first and the newest edit.
    pub edit_steps: (u32, u32),
    /// What the newest edit replaced by what, in a few words; empty where it declares something.
    pub change: String,
    /// What its edits declare, the newest last.
    pub declared: Vec<String>,
    /// The step in which it was deleted; 0 when it is there.
    pub deleted_step: u32,
    /// Its path before it was moved.
    pub moved_from: String,
}

impl FileWork {
    /// The newest step that touched it.
    pub fn step(&self) -> u32 {
        self.read_step.max(self.created_step).max(self.edit_steps.1).max(self.deleted_step)
    }

    /// Whether the agent changed it.
    pub fn is_changed(&self) -> bool {
        self.created_step > 0 || self.edits > 0 || self.deleted_step > 0 || !self.moved_from.is_empty()
    }
}

/// A command, however often it was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandWork {
    /// The command.
    pub command: String,
    /// How often it was run.
    pub count: u32,
    /// The step in which it was run last.
    pub step: u32,
    /// How that ended.
    pub status: Status,
    /// What came of it.
    pub line: String,
}

/// A call that failed and that no later call of its kind has mended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What is the same for all calls of its kind.
    pub kind: String,
    /// The call, in a few words.
    pub call: String,
    /// What it said.
    pub line: String,
    /// The step.
    pub step: u32,
}

/// One line of the work log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The step.
    pub step: u32,
    /// What was done and what came of it.
    pub text: String,
    /// How often in a row.
    pub count: u32,
    /// Which lines leave first.
    pub worth: Worth,
}

/// How much a line of the log is worth: the least leave first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Worth {
    /// A reading, a search, a poll: can be had again.
    #[default]
    Look,
    /// The model announced what it did next.
    Announced,
    /// Something was changed, run or handed on.
    Act,
    /// The model said what it found out.
    Told,
}

/// What the messages behind a span show of what came later: the checkpoint does not call old what they overtake.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Later {
    /// The model goes on there.
    pub goes_on: bool,
    /// The user says something there.
    pub is_asked: bool,
    /// Files that are changed there.
    pub changes: Vec<String>,
}

/// All that is known of a folded span. Newest last in every list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Steps of the model so far.
    pub steps: u32,
    /// The first message that asks for something.
    pub request: String,
    /// Rules that came with the request or later, as instructions.
    pub rules: Vec<String>,
    /// What the user said later.
    pub users: Vec<Asked>,
    /// How many of these were forgotten.
    pub omitted_users: u32,
    /// What the model told the user.
    pub conclusions: Vec<Conclusion>,
    /// The plan.
    pub plan: Plan,
    /// Files.
    pub files: Vec<FileWork>,
    /// Commands that matter.
    pub commands: Vec<CommandWork>,
    /// What was done: calls that changed something.
    pub acts: Acts,
    /// Tools for which the user was asked.
    pub approved: Vec<String>,
    /// Commands and files that fail still.
    pub failures: Vec<Failure>,
    /// Calls of other tools that fail still.
    pub failing: Vec<Failing>,
    /// What calls brought that is likely to be needed again, the best first.
    pub findings: Vec<Finding>,
    /// The work log.
    pub log: Vec<LogLine>,
    /// Lines of it that were forgotten.
    pub omitted_log: u32,
    /// The model's last words beside a call, and their step.
    pub last_words: (u32, String),
    /// What the messages behind the span, which are sent beside the checkpoint, show of what came later.
    pub later: Later,
}

impl Record {
    /// The file of this path, as the newest of all.
    pub fn file(&mut self, path: &str) -> &mut FileWork {
        let known = self.files.iter().position(|file| file.path == path).map(|at| self.files.remove(at));
        push(&mut self.files, known.unwrap_or_else(|| FileWork { path: path.to_owned(), ..FileWork::default() }))
    }

    /// Adds a line to the log. The same line again is counted.
    pub fn log(&mut self, line: LogLine) {
        match self.log.last_mut() {
            Some(last) if last.text == line.text && last.worth == line.worth => {
                last.count = last.count.saturating_add(line.count);
                last.step = line.step;
            }
            _ => {
                self.log.push(line);
                if self.log.len() > MOST_ENTRIES {
                    self.forget_log();
                }
            }
        }
    }

    /// Forgets the oldest line of the least worth among the older half of the log.
    pub(super) fn forget_log(&mut self) {
        let half = self.log.len().div_ceil(2);
        let least = self.log.iter().take(half).enumerate().min_by_key(|(at, line)| (line.worth, *at)).map(|(at, _)| at);
        if let Some(at) = least {
            self.log.remove(at);
            self.omitted_log = self.omitted_log.saturating_add(1);
        }
    }

    /// A summary stands for what was told and done so far: older conclusions and notes leave. Lines of the log that say what came of a call
    /// stay: a summary tells of a result what mattered then, and a document that it listed may be wanted later.
    pub fn summarized(&mut self) {
        let older = self.conclusions.len().saturating_sub(1);
        self.conclusions.drain(..older);
        self.omitted_log = 0;
        self.log.retain(|line| matches!(line.worth, Worth::Act | Worth::Look) && line.text.contains(OUTCOME_MARK));
    }
}

/// Appends an entry as the newest, within the bound.
pub fn push<T>(list: &mut Vec<T>, entry: T) -> &mut T {
    if list.len() >= MOST_ENTRIES {
        list.remove(0);
    }
    list.push(entry);
    let newest = list.len() - 1;
    &mut list[newest]
}
