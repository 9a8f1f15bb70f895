//! Reads the messages of a span into a `Record`, in order: what the user said, what the model did and answered, and how it ended.
//! Knows no tokens and no checkpoint: what of the record is shown is decided in `words::checkpoint`.

mod called;
mod log;

use std::borrow::Cow;

use crate::digest::act::End;
use crate::digest::approvals::Approvals;
use crate::digest::effect::Effect;
use crate::digest::failure::{Failing, age, came_back, fail};
use crate::digest::findings::{Passage, Said, find};
use crate::digest::plan::PlanChange;
use crate::digest::reader::called::Called;
pub use crate::digest::reader::log::Answers;
use crate::digest::reader::log::{Answer, Outcome};
use crate::digest::record::{Conclusion, Later, LogLine, Record, UserMessage, push};
use crate::digest::replies::{beginning_and_end, is_long, is_short, question_before, says_same};
use crate::digest::shown::sorted_text;
use crate::digest::status::{failure_of, reason};
use crate::digest::subject::hash_of;
use crate::digest::tools::{Keep, Tools};
use crate::json::Value;
use crate::model::message::{Message, Outcome as Ended, Part, Role, ToolResult};
use crate::redact::clean;
use crate::results::envelope::Envelope;
use crate::results::returned::AnswerOf;
use crate::text::clip::{clean_within, clip, one_line, within};
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::order::sort_by_numbers;
use crate::text::sentence::sentences;
use crate::text::term::references;

/// Most tools that are remembered as needing approval.
const MOST_APPROVED: usize = 60;
/// Longest refusal in a line of the log, and longest words of what still fails, in characters.
const REFUSAL_CHARS: usize = 200;
const FAILURE_CHARS: usize = 280;
/// Longest note, in characters.
const NOTE_CHARS: usize = 420;
/// Longest words of the model that are remembered as its last ones, in characters.
const LAST_WORDS_CHARS: usize = 160;
/// Longest text of the model that is remembered, in bytes; longer ones lose their middle.
const MODEL_TEXT_BYTES: usize = 16 * 1024;

/// A result of a tool that is to be kept up to which nothing of it is found beside it: the latest stands in the checkpoint.
const KEPT_BYTES: usize = 2_000;

/// Where parts of a long message of the user stood.
pub const OF_USER: &str = "a long message of the user";

/// How a result stands in the conversation, besides what it says.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultContext<'m> {
    /// It arrived cleared: what stands in its place says nothing.
    pub is_cleared: bool,
    /// A later call has made it obsolete.
    pub is_stale: bool,
    /// The user's own digest of it.
    pub digest: Option<&'m str>,
}

/// Reads messages into a record.
pub struct Reader<'m> {
    record: Record,
    tools: &'m Tools<'m>,
    envelope: Envelope,
    calls: HashMap<&'m str, Called>,
    /// The tools of the calls that have each name among their arguments.
    tools_about: HashMap<u64, HashSet<u64>>,
    /// Hashes of the references that acts returned, word by word: only a call with one of them speaks of an act.
    references: HashSet<u64>,
    approvals: Approvals<'m>,
    /// What lines of the log are still to say.
    answers: Vec<Answer<'m>>,
    passages: Vec<Passage<'m>>,
    /// What the model said without a call, which ends its turn unless it goes on.
    open_answer: Option<(u32, &'m str)>,
    /// The last message was the model's: what follows of it belongs to the same step.
    in_step: bool,
    /// Nothing is found.
    leaves_out_findings: bool,
}

impl<'m> Reader<'m> {
    /// Goes on from an earlier record.
    pub fn new(record: Record, tools: &'m Tools<'m>, messages: &[Message]) -> Reader<'m> {
        let all = Reader::without_findings(record, tools);
        Reader { envelope: envelope_of(messages), leaves_out_findings: false, ..all }
    }

    /// The same for a record without findings. What acts returned stands there with all that every answer of the app carries.
    pub fn without_findings(mut record: Record, tools: &'m Tools<'m>) -> Reader<'m> {
        record.later = Later::default();
        let references = record.acts.newest.iter().flat_map(|act| references(&act.id)).map(hash_of).collect();
        Reader {
            record,
            references,
            tools,
            envelope: Envelope::default(),
            calls: HashMap::default(),
            tools_about: HashMap::default(),
            approvals: Approvals::default(),
            answers: Vec::new(),
            passages: Vec::new(),
            open_answer: None,
            in_step: false,
            leaves_out_findings: true,
        }
    }

    /// Takes in a message of the span. `context` says how those of its parts stand that are results.
    pub fn read(&mut self, message: &'m Message, context: &dyn Fn(usize) -> ResultContext<'m>) {
        message.parts.iter().for_each(|part| self.approvals.read(part));
        match message.role {
            Role::User => self.read_user(message),
            Role::System => self.read_app(message),
            Role::Assistant => self.read_model(message, context),
            Role::Tool | Role::Unknown => self.read_results(message, context),
        }
        self.in_step = message.role == Role::Assistant;
    }

    /// Takes in a message after the span, for what it mentions and what it still holds. `is_sent` says which of its parts are sent whole.
    pub fn read_after(&mut self, message: &'m Message, is_sent: &dyn Fn(usize) -> bool) {
        self.record.later.goes_on |= message.role == Role::Assistant;
        for (at, part) in message.parts.iter().enumerate() {
            match part {
                Part::Text { text, .. } if message.role != Role::Tool => self.add_words(text.as_str().into()),
                Part::Call(call) => {
                    let text = call.input.as_str().into();
                    self.passages.push(Passage { said: Said::Call, text, is_sent: true, ..Passage::default() });
                    let change = PlanChange::of_call(&call.name, &Value::parse(&call.input).unwrap_or(Value::Null));
                    // The plan is shown as it is then. What is created there is read with its result, or it would stand twice.
                    if let Some(change) = change.filter(|change| !matches!(change, PlanChange::Create(_))) {
                        self.record.plan.change(&change, self.record.steps.saturating_add(1));
                    }
                }
                // What is worth nothing is cleared next: it does not hold anything for long.
                Part::Result(result) if !self.leaves_out_findings && is_sent(at) && self.tools.keep(&result.name) != Keep::Never => {
                    let text = sorted_text(&result.output);
                    self.passages.push(Passage { said: Said::Result, text, is_sent: true, ..Passage::default() });
                }
                _ => {}
            }
        }
    }

    /// The record, and what the lines of its log are still to say. What calls brought is kept within about this many tokens.
    pub fn finish(mut self, findings_tokens: u32) -> (Record, Answers<'m>) {
        self.conclude();
        // Calls without a result may have changed what they are about.
        let mut open: Vec<(&str, Called)> = std::mem::take(&mut self.calls).into_iter().collect();
        // In an order that no map decides: by step, then by what they are.
        sort_by_numbers(&mut open, |(_, called)| [i64::from(called.step), mix(0, called.line.as_bytes()) as i64, 0]);
        for (id, called) in open {
            if self.approvals.waits(id) {
                self.log(&called, &Outcome::Waits);
            } else if called.is_act() {
                self.done(&called, "", End::Unknown);
            } else if called.plan.is_none() {
                self.log(&called, &Outcome::NoAnswer);
            }
        }
        self.forget_readings_of_the_matter();
        let newest = self.record.users.iter().rfind(|message| !message.by_app).map_or("", |message| message.text.as_str());
        let before = std::mem::take(&mut self.record.findings);
        if !self.leaves_out_findings {
            self.record.findings = find(before, &self.passages, [&self.record.request, newest], findings_tokens);
        }
        (self.record, Answers { list: self.answers, envelope: self.envelope })
    }

    fn add_words(&mut self, text: Cow<'m, str>) {
        self.passages.push(Passage { text, ..Passage::default() });
    }

    /// Takes in the part of a long message of the user that is not kept in its place: material, of which what is asked for is found.
    pub fn keep_of_user(&mut self, text: &str) {
        if !self.leaves_out_findings && !text.is_empty() {
            let (step, place, text) = (self.record.steps, OF_USER.to_owned(), text.to_owned().into());
            self.passages.push(Passage { said: Said::Result, step, place, text, ..Passage::default() });
        }
    }

    fn read_user(&mut self, message: &'m Message) {
        self.conclude();
        let text = text_of(message);
        let mut text = text.trim();
        if !text.is_empty() {
            self.add_words(text.to_owned().into());
        }
        let attached = message.media_names();
        if self.record.request.is_empty() {
            text.clone_into(&mut self.record.request);
            text = "";
        }
        if !text.is_empty() || !attached.is_empty() {
            self.read_later_message(text, attached);
        }
    }

    /// A system message in the middle of the conversation.
    fn read_app(&mut self, message: &'m Message) {
        self.conclude();
        let text = text_of(message);
        if !text.trim().is_empty() {
            self.add_words(text.clone().into());
            let said =
                UserMessage { step: self.record.steps, text: text.trim().to_owned(), by_app: true, count: 1, ..UserMessage::default() };
            self.record.say(said);
        }
    }

    /// Takes in a message of the user after the request.
    fn read_later_message(&mut self, text: &str, attached: String) {
        let step = self.record.steps;
        let answers = &self.record.conclusions;
        let is_answered = answers.last().is_some_and(|last| last.step == step);
        let question = if is_answered { question_before(answers.iter().rev().map(|answer| &*answer.text), text) } else { String::new() };
        let mut count = 1;
        if is_long(text) && attached.is_empty() {
            if says_same(&self.record.request, text) {
                return;
            }
            let same =
                self.record.users.iter().position(|message| message.denies.is_empty() && !message.by_app && says_same(&message.text, text));
            if let Some(at) = same {
                count = self.record.users.remove(at).count.saturating_add(1);
            }
        }
        self.record.say(UserMessage { step, text: text.to_owned(), question, attached, count, ..UserMessage::default() });
    }

    fn read_model(&mut self, message: &'m Message, context: &dyn Fn(usize) -> ResultContext<'m>) {
        if !self.in_step {
            self.conclude();
            self.record.steps = self.record.steps.saturating_add(1);
            age(&mut self.record.failing, self.record.steps);
        }
        let step = self.record.steps;
        let calls = message.parts.iter().any(|part| matches!(part, Part::Call(_)));
        if calls && let Some((_, text)) = self.open_answer.take() {
            self.note(text);
        }
        for (at, part) in message.parts.iter().enumerate() {
            match part {
                Part::Text { text, .. } if !text.trim().is_empty() => {
                    self.add_words(text.as_str().into());
                    if calls {
                        self.note(text);
                    } else {
                        // Of two texts in a row the later one ends the turn.
                        if let Some((_, before)) = self.open_answer.replace((step, text)) {
                            self.note(before);
                        }
                    }
                }
                Part::Call(call) => {
                    let called = self.called(call, step);
                    let (place, text) = (called.line.clone(), call.input.as_str().into());
                    self.passages.push(Passage { said: Said::Call, step, place, text, ..Passage::default() });
                    self.calls.insert(&call.id, called);
                }
                Part::ApprovalRequest { call_id, is_automatic: false, .. } => {
                    if let Some(called) = self.calls.get(call_id.as_str())
                        && !self.record.approved.contains(&called.tool)
                        && self.record.approved.len() < MOST_APPROVED
                    {
                        self.record.approved.push(called.tool.clone());
                    }
                }
                // A result that the provider wrote.
                Part::Result(result) => self.read_result(result, context(at)),
                _ => {}
            }
        }
        let made = message.media_names();
        if !made.is_empty() {
            self.add_line(LogLine { step, text: format!("[made {made}, not shown]"), count: 1, is_note: true, ..LogLine::default() });
        }
    }

    /// What the model said beside a call. A few words without a figure announce the call, however they are put.
    fn note(&mut self, text: &str) {
        let step = self.record.steps;
        let text = beginning_and_end(&clean(&within(text.trim(), MODEL_TEXT_BYTES)), NOTE_CHARS);
        if is_short(&text) && !text.contains(|letter: char| letter.is_numeric()) {
            let words = sentences(&text).next().unwrap_or_default();
            self.record.last_words = (step, clean_within(words, LAST_WORDS_CHARS));
        } else {
            self.record.last_words = (step, String::new());
            self.add_line(LogLine { step, text, count: 1, is_note: true, ..LogLine::default() });
        }
    }

    /// The model's turn is over: its last text is its answer to the user.
    fn conclude(&mut self) {
        let Some((step, text)) = self.open_answer.take() else { return };
        let text = clean(&within(text.trim(), MODEL_TEXT_BYTES));
        if !text.is_empty() {
            self.record.last_words = (step, String::new());
            push(&mut self.record.conclusions, Conclusion { step, text });
        }
    }

    fn read_results(&mut self, message: &'m Message, context: &dyn Fn(usize) -> ResultContext<'m>) {
        for (at, part) in message.parts.iter().enumerate() {
            match part {
                Part::Result(result) => self.read_result(result, context(at)),
                Part::ApprovalResponse { approval_id, approved: false, reason } => {
                    let call = self.approvals.call_of(approval_id);
                    let by_user = call.is_some_and(|call| self.approvals.asked(call));
                    if let Some(called) = call.and_then(|call| self.calls.remove(call)) {
                        self.refused(&called, reason, by_user);
                    }
                }
                Part::ApprovalResponse { approved: true, approval_id, reason } => self.take_approval(approval_id, reason),
                _ => {}
            }
        }
    }

    fn read_result(&mut self, result: &'m ToolResult, ResultContext { is_cleared, is_stale, digest }: ResultContext<'m>) {
        let called = self.calls.remove(result.id.as_str()).unwrap_or_else(|| Called {
            tool: result.name.clone(),
            of: result.name.clone(),
            step: self.record.steps,
            ..Called::default()
        });
        let failure = failure_of(result);
        let failed = failure.is_some();
        let end = End::of(result);
        let text = result.output.as_text();
        let mut is_of_act = called.is_act();
        if let Some(why) = self.approvals.denial(result) {
            // The user's answer came before its result.
            if self.approvals.denied(&result.id).is_none() {
                self.refused(&called, why, self.approvals.asked(&result.id));
            }
            return;
        }
        if self.tools.speaks_for_user(&called.tool) && !is_cleared && !failed {
            self.take_user_answer(&called, &text);
            return;
        } else if let Some(change) = &called.plan {
            if !failed {
                self.plan(change, if is_cleared { "" } else { &text }, called.step);
            }
            return;
        } else if called.is_act() && result.outcome != Some(Ended::NotRun) {
            self.done(&called, if is_cleared { "" } else { &text }, end);
            if end == End::Done {
                // One whose input was rejected before.
                came_back(&mut self.record.failing, &called.of, &called.line);
            }
        } else {
            let outcome = match (is_cleared, failure) {
                (true, _) => Outcome::Done(None),
                (false, Some(how)) => {
                    let why = clean_within(&one_line(&clip(reason(&text).trim(), 2 * FAILURE_CHARS)), FAILURE_CHARS);
                    Outcome::Failed { how, why }
                }
                (false, None) => {
                    let of = if called.effect == Effect::Reads { AnswerOf::Reading } else { AnswerOf::Unknown };
                    Outcome::Done(Some(Answer { output: &result.output, of, is_in_text: false }))
                }
            };
            is_of_act = !is_cleared && !failed && self.looks_done(&called, &text);
            if is_of_act {
                self.done(&called, &text, end);
            } else {
                if matches!(outcome, Outcome::Done(Some(_))) {
                    self.point(&called);
                }
                self.log(&called, &outcome);
            }
            let over = came_back(&mut self.record.failing, &called.of, &called.line);
            if let Outcome::Failed { how, why } = outcome {
                let line = if how == "failed" { why } else { format!("{how}: {why}") };
                let (tool, call) = (called.of.clone(), called.line.clone());
                fail(&mut self.record.failing, Failing { tool, call, line, step: called.step, ..Failing::default() });
            }
            over.iter().for_each(|call| self.forget(call));
        }
        // Of a tool whose results are to be kept the latest stands there whole.
        let keep = self.tools.keep(&called.tool);
        let stands_whole = keep == Keep::Always && (is_stale || text.len() <= KEPT_BYTES);
        if self.leaves_out_findings || stands_whole || digest.is_none() && (is_cleared || keep == Keep::Never) {
            return;
        }
        let text = if is_cleared { "".into() } else { sorted_text(&result.output) };
        let (step, place) = (called.step, called.line);
        self.passages.push(Passage { said: Said::Result, step, place, text, digest, is_sent: false, is_stale, is_of_act });
    }

    /// Takes in that what this call said is out of date, here and in an earlier fold: what failed has been tried again.
    fn forget(&mut self, call: &str) {
        for passage in self.passages.iter_mut().filter(|passage| passage.said == Said::Result) {
            passage.is_stale |= passage.place == call;
        }
        let (step, place) = (self.record.steps, call.to_owned());
        self.passages.push(Passage { said: Said::Result, step, place, is_stale: true, ..Passage::default() });
    }

    /// Takes in that a call was not allowed to run. Where approval was requested, that is the user's word.
    fn refused(&mut self, called: &Called, why: &str, by_user: bool) {
        if by_user {
            self.take_denial(called, why);
        }
        self.log(called, &Outcome::Refused { why: clean_within(&one_line(&clip(why, 2 * REFUSAL_CHARS)), REFUSAL_CHARS), by_user });
    }

    fn plan(&mut self, change: &PlanChange, text: &str, step: u32) {
        self.record.plan.change(change, step);
        if matches!(change, PlanChange::Create(_)) {
            self.record.plan.name_created(text);
        }
    }
}

/// The text of a message, without calls and media.
pub fn text_of(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What every answer of the app carries, by all messages that are there, also those behind the span.
fn envelope_of(messages: &[Message]) -> Envelope {
    let parts = || messages.iter().flat_map(|message| &message.parts);
    let results = parts().filter_map(|part| match part {
        Part::Result(result) => Some((result.name.as_str(), sorted_text(&result.output))),
        _ => None,
    });
    let texts = parts().filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.as_str()),
        Part::Call(call) => Some(call.input.as_str()),
        _ => None,
    });
    Envelope::of(results, texts)
}
