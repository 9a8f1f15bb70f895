//! The log while it is read: one line a call and its outcome. What a call brought is put into its line once it is known to stay, because of a
//! long span most lines are forgotten for newer ones. Not which lines stay: that is for `Record` to say.

use crate::digest::effect::Effect;
use crate::digest::reader::called::Called;
use crate::digest::reader::{REFUSAL_CHARS, Reader};
use crate::digest::record::LogLine;
use crate::model::message::Output;
use crate::results::envelope::Envelope;
use crate::results::returned::{AnswerOf, Given, LINE_COLUMNS, Wanted, returned};
use crate::text::clip::{ROOM_CHARS, clean_within, clip};

/// Longest outcome of a call in its line, in characters.
const OUTCOME_CHARS: usize = 160;

/// How a call ended; its words are without secrets.
pub(super) enum Outcome<'m> {
    /// With this answer, if it is there.
    Done(Option<Answer<'m>>),
    /// Not as it should, in a word or two, and why.
    Failed {
        how: &'static str,
        why: String,
    },
    /// It waits for an approval.
    Waits,
    /// Nothing came back: it was stopped, or runs still.
    NoAnswer,
    Refused {
        why: String,
        by_user: bool,
    },
}

/// What answered a call of which it is not certain that it acts.
#[derive(Clone, Copy)]
pub(super) struct Answer<'m> {
    pub(super) output: &'m Output,
    pub(super) of: AnswerOf,
    /// It may have acted: how it ended belongs to the call. A reading can be made again without what it brought.
    pub(super) is_in_text: bool,
}

impl Answer<'_> {
    /// In a line.
    pub(super) fn line(&self, envelope: &Envelope) -> String {
        returned(&self.output.as_text(), &Given::default(), Wanted { columns: LINE_COLUMNS, envelope, of: self.of }).line()
    }
}

/// What lines of a log are still to say.
pub struct Answers<'m> {
    pub(super) list: Vec<Answer<'m>>,
    pub(super) envelope: Envelope,
}

impl Answers<'_> {
    /// Writes into a line what it is to say.
    pub fn write(&self, line: &mut LogLine) {
        write(line, &self.list, &self.envelope);
    }
}

fn write(line: &mut LogLine, answers: &[Answer<'_>], envelope: &Envelope) {
    let open = std::mem::take(&mut line.open) as usize;
    if let Some(answer) = open.checked_sub(1).and_then(|at| answers.get(at)) {
        let outcome = behind(" → ", &within(&answer.line(envelope), OUTCOME_CHARS));
        if answer.is_in_text { line.text.push_str(&outcome) } else { line.outcome = outcome }
    }
}

impl<'m> Reader<'m> {
    /// A call and its outcome, in a line of the log.
    pub(super) fn log(&mut self, called: &Called, outcome: &Outcome<'m>) {
        let is_in_text = called.effect != Effect::Reads && !self.record.readers.contains(&called.of);
        let mut line = LogLine { step: called.step, text: called.line.clone(), count: 1, ..LogLine::default() };
        let (state, why) = match outcome {
            Outcome::Done(answer) => {
                if let Some(answer) = answer {
                    self.answers.push(Answer { is_in_text, ..*answer });
                    line.open = self.answers.len() as u32;
                }
                return self.add_line(line);
            }
            Outcome::Failed { how, why } => (*how, why.as_str()),
            Outcome::Waits => ("waits for approval, did not run", ""),
            Outcome::NoAnswer => ("no answer", ""),
            Outcome::Refused { why, by_user: true } => ("the user refused", why.as_str()),
            Outcome::Refused { why, by_user: false } => ("refused, did not run", why.as_str()),
        };
        let why = behind(": ", &within(why, REFUSAL_CHARS));
        line.text.extend([" → ", state]);
        if is_in_text {
            line.text.push_str(&why)
        } else {
            line.outcome = why
        }
        self.add_line(line);
    }

    pub(super) fn add_line(&mut self, mut line: LogLine) {
        // Whether it is the same again is to be seen at once.
        if let Some(last) = self.record.log.last_mut()
            && (last.text.starts_with(&line.text) || line.text.starts_with(&last.text))
        {
            write(last, &self.answers, &self.envelope);
            write(&mut line, &self.answers, &self.envelope);
        }
        self.record.log(line);
    }
}

fn within(line: &str, chars: usize) -> String {
    clean_within(&clip(line, chars + ROOM_CHARS), chars)
}

fn behind(mark: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{mark}{text}") }
}
