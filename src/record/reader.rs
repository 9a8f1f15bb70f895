//! Reads the messages of a span into a `Record`, in order: what the user said, what the model did and told, what came of it.
//! Knows no tokens and no checkpoint: what of the record is told is decided in `texts::checkpoint`.

mod called;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::clip::{clean_within, clip, within};
use crate::digest::act::End;
use crate::digest::envelope::Envelopes;
use crate::digest::failure::{FAILURE_STEPS, Failing, fail, mend, use_subjects};
use crate::digest::findings::{Said, find};
use crate::digest::shown::sorted_text;
use crate::digest::speech::{is_short, long_key, question_of};
use crate::digest::status::is_failure;
use crate::digest::tools::{Keep, Tools};
use crate::fingerprint::mix;
use crate::json::Value;
use crate::message::{Message, Output, Part, Role, ToolResult};
use crate::order::sort_by_numbers;
use crate::record::action::Action;
use crate::record::call::{read_call, read_said};
use crate::record::conclusions::{is_theory, note, overturns};
use crate::record::empty::is_void;
use crate::record::line::{brief, kind, leaves_open, log_line, subject};
use crate::record::outcome::{Outcome, Status, read_outcome};
use crate::record::plan::PlanChange;
use crate::record::reader::called::Called;
use crate::record::taken::{CALL_CHARS, FAILURE_CHARS, TOLD_BYTES, clean_plan, take};
use crate::record::user::{UserText, is_bare_command, is_command_with_text, read_user, rules_of};
use crate::record::work::{Asked, Conclusion, Failure, Later, LogLine, Record, Worth, push};
use crate::redact::clean;

/// Rules that are remembered, and the characters of one.
const MOST_RULES: usize = 120;
const RULE_CHARS: usize = 300;
/// A text behind a command that is longer than this is not the user's.
const COMMAND_TEXT_BYTES: usize = 1_500;
/// Tools that the user was asked about that are remembered.
const MOST_APPROVED: usize = 60;
/// Files changed behind the span that are remembered.
const MOST_LATER: usize = 64;
/// A theory of so many steps ago is not what is taken back now.
const THEORY_STEPS: u32 = 12;
/// Members of a structured result that hold what it says.
const TEXT_MEMBERS: [&str; 10] =
    ["stdout", "stderr", "output", "aggregated_output", "content", "text", "result", "message", "error", "formatted_output"];

/// What is known of a result besides what it says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'m> {
    /// It arrived cleared: what stands in its place says nothing.
    pub is_cleared: bool,
    /// The user's own account of it.
    pub digest: Option<&'m str>,
}

/// Reads messages into a record.
pub struct Reader<'m> {
    record: Record,
    tools: &'m Tools<'m>,
    envelopes: Envelopes,
    calls: HashMap<&'m str, Called>,
    /// Calls that the user was asked to approve.
    asked: HashSet<&'m str>,
    /// The inputs of calls.
    inputs: HashMap<&'m str, &'m str>,
    said: Vec<Said<'m>>,
    /// What the model said without a call, which ends its turn unless it goes on.
    open_answer: Option<(u32, &'m str)>,
    /// The last message was the model's: what follows of it belongs to the same step.
    in_step: bool,
    /// The last message was a command of the user: the harness puts the command's text behind it.
    after_command: bool,
}

impl<'m> Reader<'m> {
    /// Goes on from what is known already.
    pub fn new(mut record: Record, tools: &'m Tools<'m>, envelopes: Envelopes) -> Reader<'m> {
        record.later = Later::default();
        Reader {
            record,
            tools,
            envelopes,
            calls: HashMap::new(),
            asked: HashSet::new(),
            inputs: HashMap::new(),
            said: Vec::new(),
            open_answer: None,
            in_step: false,
            after_command: false,
        }
    }

    /// Takes in a message of the span; `next` is the one behind it. `known` says what is known of those of its parts that are results.
    pub fn read(&mut self, message: &'m Message, next: Option<&Message>, known: &dyn Fn(usize) -> Known<'m>) {
        match message.role {
            Role::User | Role::System => self.read_user(message),
            Role::Assistant if is_void(message, next) => {}
            Role::Assistant => self.read_model(message, known),
            Role::Tool | Role::Unknown => self.read_results(message, known),
        }
        self.in_step = message.role == Role::Assistant;
    }

    /// Takes in a message behind the span, for what it speaks of and what it still holds. `is_sent` says which of its parts are sent whole.
    pub fn look_at(&mut self, message: &'m Message, is_sent: &dyn Fn(usize) -> bool) {
        match message.role {
            Role::Assistant => self.record.later.goes_on = true,
            Role::User => self.record.later.is_asked |= !read_user(&text_of(message)).asked.trim().is_empty(),
            Role::System | Role::Tool | Role::Unknown => {}
        }
        for (at, part) in message.parts.iter().enumerate() {
            match part {
                Part::Text { text, .. } if message.role != Role::Tool => {
                    self.said.push(Said::Words { text: text.as_str().into(), is_sent: true });
                }
                Part::Call(call) => {
                    self.said.push(Said::Call { step: self.record.steps, place: String::new(), text: &call.input, is_sent: true });
                    let actions = read_call(&call.name, &Value::parse(&call.input).unwrap_or(Value::Null));
                    replan(&mut self.record, &actions);
                    let changes = actions.iter().filter(|action| action.writes()).filter_map(Action::path);
                    let room = MOST_LATER.saturating_sub(self.record.later.changes.len());
                    self.record.later.changes.extend(changes.take(room).map(|path| brief(path, 2 * CALL_CHARS)));
                }
                // What is worth nothing goes next: nothing is told by it for long.
                Part::Result(result) if is_sent(at) && self.tools.keep(&result.name) != Keep::Never => {
                    let text = sorted_text(&result.output);
                    let step = self.record.steps;
                    self.said.push(Said::Result { step, place: String::new(), call: "", text, digest: None, is_sent: true });
                }
                _ => {}
            }
        }
    }

    /// What is known now. What calls brought is kept within about so many tokens.
    pub fn finish(mut self, findings_tokens: u32) -> Record {
        self.conclude();
        // Calls without a result may have changed what they are about.
        let mut open: Vec<Called> = std::mem::take(&mut self.calls).into_values().collect();
        // In an order that no map decides: by step, then by what they are.
        sort_by_numbers(&mut open, |called| [i64::from(called.step), mix(0, called.line.as_bytes()) as i64, 0]);
        for called in open {
            if called.is_act() {
                self.done(&called, "", End::Unknown);
            }
        }
        let newest = self.record.users.last().map_or("", |asked| asked.text.as_str());
        let before = std::mem::take(&mut self.record.findings);
        self.record.findings = find(before, &self.said, [&self.record.request, newest], findings_tokens);
        let steps = self.record.steps;
        self.record.failures.retain(|failure| failure.step.saturating_add(FAILURE_STEPS) >= steps);
        self.record
    }

    fn speak(&mut self, text: Cow<'m, str>) {
        self.said.push(Said::Words { text, is_sent: false });
    }

    fn read_user(&mut self, message: &'m Message) {
        self.conclude();
        let text = text_of(message);
        let mut user = read_user(&text);
        // The text of a command is the harness's: of it the rules are kept, as of other instructions.
        if std::mem::replace(&mut self.after_command, is_command_with_text(&text))
            && text.len() > COMMAND_TEXT_BYTES
            && !self.record.request.is_empty()
        {
            user = UserText { rules: rules_of(&text), is_harness: true, ..user };
        }
        for rule in user.rules {
            let rule = clean_within(&clip(&rule, 2 * RULE_CHARS), RULE_CHARS);
            if self.record.rules.len() < MOST_RULES && !self.record.rules.contains(&rule) {
                self.record.rules.push(rule);
            }
        }
        let asked = user.asked.trim();
        if user.is_harness || asked.is_empty() {
            return;
        }
        self.speak(asked.to_owned().into());
        if self.record.request.is_empty() && !is_bare_command(asked) {
            asked.clone_into(&mut self.record.request);
            return;
        }
        self.hear(asked);
    }

    /// Takes in what the user said after the request.
    fn hear(&mut self, asked: &str) {
        let step = self.record.steps;
        if overturns(asked) {
            end_theory(&mut self.record);
        }
        let last = self.record.conclusions.last().filter(|last| last.step == step && is_short(asked));
        let question = last.map_or(String::new(), |last| question_of(&last.text, asked));
        let mut count = 1;
        if let Some(key) = long_key(asked) {
            if long_key(&self.record.request) == Some(key) {
                return;
            }
            let known = self.record.users.iter().position(|known| known.denies.is_empty() && long_key(&known.text) == Some(key));
            if let Some(at) = known {
                count = self.record.users.remove(at).count.saturating_add(1);
            }
        }
        push(&mut self.record.users, Asked { step, text: asked.to_owned(), question, denies: String::new(), count });
    }

    fn read_model(&mut self, message: &'m Message, known: &dyn Fn(usize) -> Known<'m>) {
        self.after_command = false;
        if !self.in_step {
            self.conclude();
            self.record.steps = self.record.steps.saturating_add(1);
        }
        let step = self.record.steps;
        let calls = message.parts.iter().any(|part| matches!(part, Part::Call(_)));
        if calls && let Some((_, text)) = self.open_answer.take() {
            self.note(text);
        }
        for (at, part) in message.parts.iter().enumerate() {
            match part {
                Part::Text { text, .. } if !text.trim().is_empty() => {
                    self.speak(text.as_str().into());
                    let edits = read_said(text);
                    let called = Called { tool: "edit".to_owned(), actions: edits, step, ..Called::default() };
                    self.act(&called, "", &Outcome { status: Status::Done, line: String::new() });
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
                    let place = place_of(&called);
                    self.said.push(Said::Call { step, place, text: &call.input, is_sent: false });
                    self.inputs.insert(&call.id, &call.input);
                    use_subjects(&mut self.record.failing, &called.subjects, step);
                    self.calls.insert(&call.id, called);
                }
                Part::ApprovalRequest { call_id, .. } => {
                    if let Some(called) = self.calls.get(call_id.as_str()) {
                        self.asked.insert(call_id);
                        if !self.record.approved.contains(&called.tool) && self.record.approved.len() < MOST_APPROVED {
                            self.record.approved.push(called.tool.clone());
                        }
                    }
                }
                // A result that the provider wrote.
                Part::Result(result) => self.read_result(result, known(at)),
                _ => {}
            }
        }
    }

    /// What the model said beside a call.
    fn note(&mut self, text: &str) {
        if overturns(text) {
            end_theory(&mut self.record);
        }
        let step = self.record.steps;
        let (told, announced) = note(text);
        let is_told = told.is_some();
        let words = told.unwrap_or_else(|| announced.clone());
        if !words.is_empty() {
            self.record.log(LogLine { step, text: words, count: 1, worth: if is_told { Worth::Told } else { Worth::Announced } });
        }
        if !announced.is_empty() {
            self.record.last_words = (step, announced);
        }
    }

    /// The model's turn is over: what it said last is what it told the user.
    fn conclude(&mut self) {
        let Some((step, text)) = self.open_answer.take() else { return };
        let text = clean(&within(text.trim(), TOLD_BYTES));
        if overturns(&text) {
            end_theory(&mut self.record);
        }
        if !text.is_empty() {
            self.record.last_words = (step, String::new());
            push(&mut self.record.conclusions, Conclusion { step, text });
        }
    }

    fn read_results(&mut self, message: &'m Message, known: &dyn Fn(usize) -> Known<'m>) {
        for (at, part) in message.parts.iter().enumerate() {
            if let Part::Result(result) = part {
                self.read_result(result, known(at));
            }
        }
    }

    fn read_result(&mut self, result: &'m ToolResult, Known { is_cleared, digest }: Known<'m>) {
        let known = self.calls.remove(result.id.as_str());
        let called = known.unwrap_or_else(|| Called { tool: result.name.clone(), step: self.record.steps, ..Called::default() });
        let text = if called.is_other() { result.output.as_text() } else { result_text(result) };
        let failed = is_failure(result);
        let mut outcome = if is_cleared {
            Outcome { status: Status::Done, line: String::new() }
        } else {
            read_outcome(&called.actions, &text, failed, &self.envelopes.readings)
        };
        if let Output::Denied(why) = &result.output {
            outcome = Outcome { status: Status::Refused, line: clean_within(&clip(why, 2 * FAILURE_CHARS), FAILURE_CHARS) };
            // Nobody but the user denies what the user was asked.
            if self.asked.contains(result.id.as_str()) {
                self.hear_of(&called, why);
            }
        } else if self.tools.speaks_for_user(&called.tool) && !is_cleared && !failed {
            self.answer_of(&called, &text);
            return;
        }
        if called.is_act() && outcome.status != Status::Refused {
            let end = if failed { End::Unknown } else { End::Done };
            self.done(&called, if is_cleared { "" } else { &text }, end);
        } else {
            self.act(&called, &text, &outcome);
        }
        if digest.is_none() && (is_cleared || self.tools.keep(&called.tool) == Keep::Never) {
            return;
        }
        let call = self.inputs.get(result.id.as_str()).copied().unwrap_or_default();
        let text = if is_cleared { "".into() } else { sorted_text(&result.output) };
        self.said.push(Said::Result { step: called.step, place: place_of(&called), call, text, digest, is_sent: false });
    }

    /// Takes in what a call did and what came of it.
    fn act(&mut self, called: &Called, text: &str, outcome: &Outcome) {
        let step = self.record.steps;
        let Called { tool, actions, .. } = called;
        if let Some((line, worth)) = log_line(tool, actions, outcome) {
            self.record.log(LogLine { step, text: line, count: 1, worth });
        }
        self.fail_or_mend(called, outcome);
        let is_run = actions.iter().any(|action| matches!(action, Action::Run { .. }));
        if matches!(outcome.status, Status::Failed | Status::Refused | Status::Unknown) && !is_run {
            return;
        }
        for action in actions {
            take(&mut self.record, action, text, outcome, step);
        }
    }

    fn fail_or_mend(&mut self, called: &Called, outcome: &Outcome) {
        let Called { tool, actions, .. } = called;
        let step = self.record.steps;
        if called.is_other() {
            match outcome.status {
                Status::Done => mend(&mut self.record.failing, tool, &called.subjects),
                Status::Failed => {
                    let line = clean_within(&clip(outcome.line.trim(), 2 * FAILURE_CHARS), FAILURE_CHARS);
                    fail(&mut self.record.failing, Failing::new(tool, called.line.clone(), line, step, &called.subjects));
                }
                Status::Refused | Status::Running | Status::Unknown => {}
            }
            return;
        }
        if matches!(outcome.status, Status::Running | Status::Unknown) || !leaves_open(actions) {
            return;
        }
        let kind = kind(tool, actions);
        self.record.failures.retain(|known| known.kind != kind);
        if outcome.status == Status::Failed {
            let call = brief(&subject(tool, actions), CALL_CHARS);
            let line = clean_within(&clip(outcome.line.trim(), 2 * FAILURE_CHARS), FAILURE_CHARS);
            push(&mut self.record.failures, Failure { kind, call, line, step });
        }
    }
}

/// Where what a call says or brings stands: the file, or the call in a few words.
fn place_of(called: &Called) -> String {
    match &called.actions[..] {
        [Action::Read { path, .. } | Action::Create { path, .. } | Action::Edit { path, .. }] => brief(path, CALL_CHARS),
        _ if called.is_other() => called.line.clone(),
        actions => match brief(&subject(&called.tool, actions), CALL_CHARS) {
            empty if empty.is_empty() => called.line.clone(),
            place => place,
        },
    }
}

/// Takes in what calls behind the span change of the plan: it is told as it is then. What they create is read with them when they are
/// folded, or it would stand there twice.
fn replan(record: &mut Record, actions: &[Action]) {
    for action in actions {
        if let Action::Plan(change) = action
            && !matches!(change, PlanChange::Create(_))
        {
            record.plan.change(change, record.steps.saturating_add(1));
            clean_plan(record);
        }
    }
}

/// The newest theory among the notes does not hold.
fn end_theory(record: &mut Record) {
    let from = record.steps.saturating_sub(THEORY_STEPS);
    let newest = record.log.iter().rposition(|line| line.worth == Worth::Told && is_theory(&line.text));
    if let Some(at) = newest.filter(|at| record.log[*at].step >= from) {
        record.log.remove(at);
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

/// What a result says: of a structured one the members that hold text.
pub fn result_text(result: &ToolResult) -> Cow<'_, str> {
    let text = result.output.as_text();
    if !matches!(result.output, Output::Json(_) | Output::ErrorJson(_)) {
        return text;
    }
    let said = match Value::parse(&text) {
        Some(Value::Text(said)) => said.into_owned(),
        Some(value @ Value::Map(_)) => {
            let members = TEXT_MEMBERS.iter().filter_map(|name| value.get(name)?.as_str()).filter(|said| !said.trim().is_empty());
            members.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    if said.len() * 2 < text.len() { text } else { said.into() }
}
