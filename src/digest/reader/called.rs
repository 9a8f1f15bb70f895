//! One call on its way into a record: what its input says, what it did, and what the user answered to it.
//! Not which lines of the log it leaves (see `reader`).

use super::Reader;
use crate::digest::act::{Act, End};
use crate::digest::call_facts::effect_of;
use crate::digest::effect::{Effect, is_gesture};
use crate::digest::plan::PlanChange;
use crate::digest::record::{LogLine, UserMessage, push};
use crate::digest::status::reason;
use crate::digest::subject::{Subjects, amount_of, call_line, hash_of, listed_by, names_of, subjects_of};
use crate::json::{Value, unwrapped};
use crate::model::message::{Call, Message, Part};
use crate::redact::clean;
use crate::text::clip::{clean_within, within};
use crate::text::hash::mix;
use crate::text::returned::{AnswerOf, Returned, Wanted, is_exact, returned};

/// Bytes of the line of a call that acts, and columns of what it returned.
const ACT_BYTES: usize = 110;
const RETURNED_COLUMNS: usize = 130;
/// A receipt, and what a gesture answers where it shows no page, is no longer.
const RECEIPT_BYTES: usize = 400;
/// What is longer is the answer of a reading; tools that are remembered for it.
const READING_BYTES: usize = 1_200;
const MOST_READERS: usize = 100;
/// JSON above this size is not looked into; a shorter name stands in an answer by chance.
const JSON_BYTES: usize = 64 * 1024;
const LEAST_ECHO_CHARS: usize = 3;
const NAME_CHARS: usize = 30;
/// An id that is listed beside what its call was about is no longer: longer ones are for machines.
const SHORT_ID_BYTES: usize = 10;
/// Longest text of a denial, or of a tool that speaks for the user.
const USER_TEXT_BYTES: usize = 4_000;

/// A call that waits for its result, or has had it.
#[derive(Default)]
pub(super) struct Called {
    pub(super) tool: String,
    /// What it changes of the plan.
    pub(super) plan: Option<PlanChange>,
    pub(super) step: u32,
    pub(super) effect: Effect,
    pub(super) subjects: Subjects,
    /// Hashes of its names.
    pub(super) names: Vec<u64>,
    /// The call in a line.
    pub(super) line: String,
    /// What it is listed by: what distinguishes it from the call before of its tool.
    pub(super) name: String,
    /// The first amount in it.
    pub(super) amount: String,
}

impl Called {
    /// It is listed among what was done.
    pub(super) fn is_act(&self) -> bool {
        self.effect == Effect::Acts
    }
}

/// Whether a value is a list of objects.
fn is_list_of_rows(value: &Value<'_>) -> bool {
    matches!(value, Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_))))
}

impl Reader<'_> {
    /// A call as its input shows it, before its result is there.
    pub(super) fn called(&mut self, call: &Call, step: u32) -> Called {
        let value = Value::parse(&call.input).unwrap_or(Value::Null);
        let names = listed_by(&value);
        let before = self.listed.get(&call.name);
        let differs = names.iter().find(|name| before.is_some_and(|before| !before.contains(name)));
        let name = differs.or(names.first()).cloned().unwrap_or_default();
        self.listed.insert(call.name.clone(), names);
        let effect = self.tools.effect(&call.name, effect_of(&call.name, &value));
        Called {
            tool: call.name.clone(),
            // What the user says of a tool, or was asked, goes before what it is called.
            plan: if effect == Effect::Acts { None } else { PlanChange::of_call(&call.name, &value) },
            step,
            effect,
            subjects: subjects_of(&value),
            names: names_of(&value),
            line: call_line(&call.name, &value, ACT_BYTES),
            name,
            amount: amount_of(&value),
        }
    }

    /// Takes in a call that changed something, with what it returned.
    pub(super) fn done(&mut self, called: &Called, text: &str, end: End) {
        let wanted = Wanted { columns: RETURNED_COLUMNS, envelope: &self.envelopes.acts, of: AnswerOf::Act };
        let returned = match end {
            End::Done => returned(text, &called.line, wanted),
            End::Unknown | End::Repeated(_) | End::Seen(_) => returned(&reason(text), "", wanted),
        };
        let is_receipt = !returned.key.is_empty() && text.len() <= RECEIPT_BYTES && end == End::Done;
        let key = self.key_of(called, &returned, text);
        self.record.acts.push(Act {
            step: called.step,
            tool: called.tool.clone(),
            call: called.line.clone(),
            key,
            returned: returned.line,
            end,
            is_gesture: is_gesture(&called.tool) && !is_receipt,
            is_likely: called.effect == Effect::Unknown,
            about: if called.name.is_empty() { 0 } else { hash_of(&called.name) },
            seen: String::new(),
        });
    }

    /// By what an act is listed once it has no line of its own: what it was about, a short id that it returned, an amount, and what it says
    /// is not so. Of a gesture only what it returned: the mark of a button is gone with its page.
    fn key_of(&mut self, called: &Called, returned: &Returned, text: &str) -> String {
        let not_so = self.not_so(&called.tool, text);
        let (id, amount) = returned.key.split_at(returned.key.find(" (").unwrap_or(returned.key.len()));
        let is_exact = amount.find(|sign: char| sign.is_ascii_digit()).is_some_and(|at| is_exact(amount[at..].trim_end_matches(')')));
        let (name, amount) = match (is_gesture(&called.tool), is_exact) {
            (true, _) => ("", amount),
            (false, true) => (called.name.as_str(), amount),
            (false, false) => (called.name.as_str(), called.amount.as_str()),
        };
        let key = match (name, id) {
            ("", id) => id.to_owned(),
            (name, id) if id.is_empty() || id.len() > SHORT_ID_BYTES || id == name => name.to_owned(),
            (name, id) => format!("{name} → {id}"),
        };
        format!("{key}{amount}{not_so}")
    }

    /// What an answer says is not so, where others of the tool said it is, such as ` (tagged false)`.
    fn not_so(&mut self, tool: &str, text: &str) -> String {
        let text = unwrapped(text);
        let value = if text.len() <= JSON_BYTES && text.starts_with('{') { Value::parse(&text) } else { None };
        let Some(Value::Map(members)) = value else { return String::new() };
        let mut not_so = String::new();
        for (name, value) in &members {
            let said = mix(mix(0, tool.as_bytes()), name.as_bytes());
            match value {
                Value::Bool(true) => drop(self.said_so.insert(said)),
                Value::Bool(false) if not_so.is_empty() && self.said_so.contains(&said) => {
                    not_so = format!(" ({} false)", clean_within(name, NAME_CHARS));
                }
                _ => {}
            }
        }
        not_so
    }

    /// Whether the answer to a call of which nobody knows whether it acts looks like that of one that does: short, with an id that the call
    /// did not have, a yes, or what the call said. Answers at length and lists are those of readings, and so is all that such a tool says.
    pub(super) fn looks_done(&self, called: &Called, text: &str) -> bool {
        let text = unwrapped(text);
        let text = text.trim();
        if called.effect != Effect::Unknown || text.is_empty() || text.len() > RECEIPT_BYTES || self.record.readers.contains(&called.tool) {
            return false;
        }
        let value = if text.starts_with(['{', '[', '"']) { Value::parse(text) } else { None };
        match &value {
            Some(Value::Map(members)) if members.iter().any(|(_, value)| *value == Value::Bool(true)) => return true,
            Some(Value::Map(members)) if members.iter().all(|(_, value)| !is_list_of_rows(value)) => {}
            None | Some(Value::Text(_)) => {}
            Some(_) => return false,
        }
        let returned =
            returned(text, &called.line, Wanted { columns: RETURNED_COLUMNS, envelope: &self.envelopes.acts, of: AnswerOf::Act });
        let id = returned.key.split(" (").next().unwrap_or_default();
        let is_new = !id.is_empty() && !called.line.contains(id);
        let echoes = called.name.chars().count() >= LEAST_ECHO_CHARS && text.contains(&called.name);
        is_new || echoes
    }

    /// Takes in which tools answer at length. What was listed of them as done is a line of the log.
    pub(super) fn know_readers(&mut self, messages: &[Message]) {
        let results = messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
            // What a program printed that failed is an answer at length, too.
            Part::Result(result) if !result.output.is_error() => Some(result),
            _ => None,
        });
        for result in results.filter(|result| result.output.as_text().len() > READING_BYTES) {
            if self.record.readers.len() < MOST_READERS && !self.record.readers.contains(&result.name) {
                self.record.readers.push(result.name.clone());
                for act in self.record.acts.take_back(&result.name) {
                    let text = format!("{}{}{}", act.call, if act.returned.is_empty() { "" } else { " → " }, act.returned);
                    self.record.log_earlier(LogLine { step: act.step, text, count: 1, is_note: false, tool: act.tool });
                }
            }
        }
    }

    /// Takes in that the user denied a call.
    pub(super) fn take_denial(&mut self, called: &Called, why: &str) {
        let denial = UserMessage {
            step: self.record.steps,
            text: clean(&within(why.trim(), USER_TEXT_BYTES)),
            denies: called.line.clone(),
            count: 1,
            ..UserMessage::default()
        };
        push(&mut self.record.users, denial);
    }

    /// Takes in what the user said when they approved a call.
    pub(super) fn take_approval(&mut self, approval_id: &str, reason: &str) {
        let called = self.approvals.call_of(approval_id).and_then(|call| self.calls.get(call));
        let text = clean(&within(reason.trim(), USER_TEXT_BYTES));
        if let Some(called) = called.filter(|_| !text.is_empty()) {
            let question = format!("Approve {}? → approved", called.line);
            push(&mut self.record.users, UserMessage { step: self.record.steps, text, question, count: 1, ..UserMessage::default() });
        }
    }

    /// Takes in the result of a tool that the app has declared to speak for the user.
    pub(super) fn take_user_answer(&mut self, called: &Called, text: &str) {
        let text = clean(&within(unwrapped(text).trim(), USER_TEXT_BYTES));
        if !text.is_empty() {
            push(
                &mut self.record.users,
                UserMessage { step: self.record.steps, text, question: called.line.clone(), count: 1, ..UserMessage::default() },
            );
        }
    }
}
