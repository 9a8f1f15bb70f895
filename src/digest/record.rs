//! `Record`: what the digest keeps of a folded span, put together over all folds of a conversation. Plain data, bounded in bytes.
//! Not how it is read off messages (see `reader`), and not how much of it a checkpoint shows (see `words::checkpoint`).

use serde::{Deserialize, Serialize};

use crate::digest::act::Acts;
use crate::digest::failure::Failing;
use crate::digest::findings::Finding;
use crate::digest::plan::Plan;
use crate::digest::replies::is_short;

/// Entries of one list at most; the oldest are dropped first.
const MOST_ENTRIES: usize = 400;

/// A message of the user after the request, an answer to a tool that speaks for the user, or a denial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserMessage {
    /// The step after which it came.
    pub step: u32,
    /// Their words.
    pub text: String,
    /// The model's question before them; empty where it asked none.
    pub question: String,
    /// The call whose approval they deny; empty for a message.
    pub denies: String,
    /// Images and files that came with it (`Media::names`).
    pub attached: String,
    /// So many of these, the last ones, stand behind the checkpoint.
    #[serde(skip)]
    pub shown: u32,
    /// It is a system message in the middle of the conversation: the application's words.
    pub by_app: bool,
    /// How often it was sent; a long message that is equal but for white space is kept once.
    pub count: u32,
}

impl UserMessage {
    /// The question without which the words say little. That of a longer message leaves where there is no room.
    pub fn needed_question(&self) -> &str {
        if is_short(&self.text) { &self.question } else { "" }
    }
}

/// What the model answered the user at the end of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The step of the answer.
    pub step: u32,
    /// The text, in its own Markdown.
    pub text: String,
}

/// One line of the work log, or a note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The step.
    pub step: u32,
    /// A call, with how it ended where it failed or may have acted, or what the model said.
    pub text: String,
    /// What a reading brought, as it stands behind it.
    pub outcome: String,
    /// How often in a row.
    pub count: u32,
    /// The model said it beside its calls.
    pub is_note: bool,
    /// Which answer it is still to say, by its number among those of the reader, from one. Most lines are forgotten before it is looked at; no
    /// line that is recorded has any.
    #[serde(skip)]
    pub open: u32,
}

/// What the messages after a span show of what came later: the checkpoint does not call old what they overtake.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Later {
    /// The model goes on there.
    pub goes_on: bool,
}

/// All that the digest keeps of a folded span. Newest last in every list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Steps of the model so far.
    pub steps: u32,
    /// The first message that asks for something.
    pub request: String,
    /// What the user said later.
    pub users: Vec<UserMessage>,
    /// How many of these were forgotten.
    pub omitted_users: u32,
    /// What the model answered the user.
    pub conclusions: Vec<Conclusion>,
    /// The plan.
    pub plan: Plan,
    /// What was done: calls that changed something.
    pub acts: Acts,
    /// Tools that needed the user's approval.
    pub approved: Vec<String>,
    /// Tools that answer at length: of what they are asked nothing is an act by its answer alone.
    pub readers: Vec<String>,
    /// Calls that fail still.
    pub failing: Vec<Failing>,
    /// What calls brought that is likely to be needed again, the best first.
    pub findings: Vec<Finding>,
    /// The work log, and notes.
    pub log: Vec<LogLine>,
    /// Lines of it that were forgotten.
    pub omitted_log: u32,
    /// The model's last words beside a call, and their step.
    pub last_words: (u32, String),
    /// What the messages after the span, which are sent beside the checkpoint, show of what came later.
    pub later: Later,
}

impl Record {
    /// Adds a line to the log. The same line again is counted.
    pub fn log(&mut self, line: LogLine) {
        match self.log.last_mut() {
            Some(last) if (&last.text, &last.outcome, last.is_note) == (&line.text, &line.outcome, line.is_note) => {
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

    /// Forgets the line of the log that goes first.
    fn forget_log(&mut self) {
        let places: Vec<usize> = (0..self.log.len()).collect();
        self.log.remove(self.goes_first(&places));
        self.omitted_log = self.omitted_log.saturating_add(1);
    }

    /// Which of these lines of the log is forgotten first: the oldest one of a call among the older half of them, else the oldest note.
    pub(super) fn goes_first(&self, places: &[usize]) -> usize {
        let half = places.len().div_ceil(2);
        places.iter().take(half).position(|at| !self.log[*at].is_note).unwrap_or_default()
    }

    /// A summary stands for all answers so far: older conclusions and notes leave. Lines of calls stay: a summary keeps of a result what
    /// mattered then, and what was looked at may be wanted later.
    pub fn summarized(&mut self) {
        let older = self.conclusions.len().saturating_sub(1);
        self.conclusions.drain(..older);
        self.omitted_log = 0;
        self.log.retain(|line| !line.is_note);
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
