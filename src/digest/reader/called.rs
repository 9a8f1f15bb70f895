//! One call on its way into a record: what its input says, what it did, and what the user answered to it.
//! Not which lines of the log it leaves (see `reader`).

use super::Reader;
use crate::digest::act::{Act, End};
use crate::digest::call_facts::CallForm;
use crate::digest::effect::{Effect, is_gesture};
use crate::digest::plan::PlanChange;
use crate::digest::record::UserMessage;
use crate::digest::status::reason;
use crate::digest::subject::{hash_of, listed_by};
use crate::json::{Value, unwrapped};
use crate::model::message::Call;
use crate::redact::clean;
use crate::results::returned::{AnswerOf, Given, Wanted, returned};
use crate::text::clip::within;
use crate::text::hash::HashSet;
use crate::text::term::references;

/// Bytes of the line of a call that acts, and columns of what it returned.
const ACT_BYTES: usize = 110;
/// The same where there is room for all lines.
const WHOLE_ACT_BYTES: usize = 280;
const RETURNED_COLUMNS: usize = 130;
/// A receipt is no longer. What is longer than this is the answer of a reading; tools that are remembered for it.
const RECEIPT_CHARS: usize = 400;
const READING_CHARS: usize = 1_200;
const MOST_READERS: usize = 100;
/// What calls of so many tools name is the matter that all is about, and a call that names it shows nothing of one act.
const TOOLS_OF_A_MATTER: usize = 6;
/// Longest text of a denial, or of a tool that speaks for the user.
const USER_TEXT_BYTES: usize = 4_000;

/// A call that waits for its result, or has had it.
#[derive(Default)]
pub(super) struct Called {
    pub(super) tool: String,
    /// The same with what one of several uses is told to do.
    pub(super) of: String,
    /// What it changes of the plan.
    pub(super) plan: Option<PlanChange>,
    pub(super) step: u32,
    pub(super) effect: Effect,
    /// Hashes of its names.
    pub(super) names: Vec<u64>,
    /// Its values.
    pub(super) given: Given,
    /// The call in a line.
    pub(super) line: String,
    /// The same with more of its arguments, of a call that may act.
    pub(super) whole: String,
    /// What it is about: the surest name among its arguments.
    pub(super) name: String,
}

impl Called {
    /// It is listed among what was done.
    pub(super) fn is_act(&self) -> bool {
        self.effect == Effect::Acts
    }
}

/// Whether a text has more characters than this: bytes would be a third as many letters in some scripts as in others.
fn is_longer(text: &str, chars: usize) -> bool {
    text.len() > chars && text.chars().nth(chars).is_some()
}

impl Reader<'_> {
    /// Of what came with the message of the user that was read last, the checkpoint carries along so many.
    pub fn show_attached(&mut self, count: usize) {
        if let Some(last) = self.record.users.last_mut().filter(|_| count > 0) {
            last.shown = count as u32;
        }
    }

    /// A call as its input shows it, before its result is there.
    pub(super) fn called(&mut self, call: &Call, step: u32) -> Called {
        let input = Value::parse(&call.input).unwrap_or(Value::Null);
        let form = CallForm::of(&call.name, &input);
        let value = form.given.as_ref();
        let effect = self.tools.effect(&call.name, form.effect());
        let (of, about) = (form.name(), form.names());
        for name in &about {
            self.tools_about.entry(*name).or_default().insert(hash_of(&of));
        }
        Called {
            tool: call.name.clone(),
            of,
            step,
            effect,
            names: about,
            given: Given::of(value),
            line: form.line(ACT_BYTES),
            whole: if effect == Effect::Reads { String::new() } else { form.line(WHOLE_ACT_BYTES) },
            name: listed_by(value),
            // What the user says of a tool, or was asked, goes before what it is called.
            plan: form.plan.filter(|_| effect != Effect::Acts),
        }
    }

    /// Takes in a call that changed something, with what it returned.
    pub(super) fn done(&mut self, called: &Called, text: &str, end: End) {
        // What a gesture did is seen on its page.
        let end = if end == End::Unsure && is_gesture(&called.of) { End::Done } else { end };
        let wanted = Wanted { columns: RETURNED_COLUMNS, envelope: &self.envelope, of: AnswerOf::Act };
        let returned = match end {
            End::Done | End::Unsure => returned(text, &called.given, wanted),
            _ => returned(&reason(text), &Given::default(), wanted),
        };
        let is_receipt = !returned.id.is_empty() && !is_longer(text, RECEIPT_CHARS) && end.has_returned();
        let is_gesture = is_gesture(&called.of);
        // The mark of a button is gone with its page.
        let key = if returned.id.is_empty() && !is_gesture { called.name.clone() } else { returned.id.clone() };
        self.references.extend(references(&returned.id).map(hash_of));
        self.record.acts.push(Act {
            step: called.step,
            tool: called.of.clone(),
            call: called.line.clone(),
            whole: if called.whole == called.line { String::new() } else { called.whole.clone() },
            key,
            returned: returned.members,
            id: returned.id,
            end,
            is_gesture: is_gesture && !is_receipt,
            is_likely: called.effect == Effect::Unknown,
            about: if called.name.is_empty() || end.has_returned() { 0 } else { hash_of(&called.name) },
            ..Act::default()
        });
        if end == End::Done {
            self.point(called);
        }
    }

    /// Takes back what readings have shown of acts that are known by what everything is about.
    pub(super) fn forget_readings_of_the_matter(&mut self) {
        let tools_about = |about: u64| self.tools_about.get(&about).map_or(0, HashSet::len);
        self.record.acts.forget_seen(&|about| tools_about(about) >= TOOLS_OF_A_MATTER);
    }

    /// Takes in that a call came back which may be about what an act was about, or name what it returned.
    pub(super) fn point(&mut self, called: &Called) {
        // Most calls name nothing that an act returned.
        let speaks = called.given.references().any(|word| self.references.contains(&hash_of(word)));
        self.record.acts.point(&|about| called.names.contains(&about), &|id| speaks && called.given.names(id), called.step);
    }

    /// Whether the answer to a call of which nobody knows whether it acts looks like that of one that does: short, with an id that the call
    /// did not have. Tools that answered at length before read.
    pub(super) fn looks_done(&mut self, called: &Called, text: &str) -> bool {
        let readers = &mut self.record.readers;
        if called.effect != Effect::Unknown || readers.contains(&called.of) {
            return false;
        }
        let text = unwrapped(text);
        let is_longer = |chars: usize| is_longer(&text, chars) && self.envelope.is_longer_within(&text, chars);
        if is_longer(READING_CHARS) && readers.len() < MOST_READERS {
            readers.push(called.of.clone());
        }
        let wanted = Wanted { columns: RETURNED_COLUMNS, envelope: &self.envelope, of: AnswerOf::Act };
        let id = if is_longer(RECEIPT_CHARS) { String::new() } else { returned(&text, &called.given, wanted).id };
        !id.is_empty() && !called.given.names(&id)
    }

    /// Takes in that the user denied a call.
    pub(super) fn take_denial(&mut self, called: &Called, why: &str) {
        self.take_words(why, String::new(), called.line.clone());
    }

    /// Takes in what the user said when they approved a call.
    pub(super) fn take_approval(&mut self, approval_id: &str, reason: &str) {
        let call = self.approvals.call_of(approval_id).filter(|call| self.approvals.asked(call));
        if let Some(called) = call.and_then(|call| self.calls.get(call)) {
            let question = format!("Approve {}? → approved", called.line);
            self.take_words(reason, question, String::new());
        }
    }

    /// Takes in the result of a tool that the app has declared to speak for the user.
    pub(super) fn take_user_answer(&mut self, called: &Called, text: &str) {
        self.take_words(&unwrapped(text), called.line.clone(), String::new());
    }

    /// Takes in what the user said beside a call. A denial needs no words.
    fn take_words(&mut self, text: &str, question: String, denies: String) {
        let text = within(&clean(text.trim()), USER_TEXT_BYTES).into_owned();
        if !text.is_empty() || !denies.is_empty() {
            self.record.say(UserMessage { step: self.record.steps, text, question, denies, count: 1, ..UserMessage::default() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::reader::ResultContext;
    use crate::digest::record::Record;
    use crate::digest::tools::Tools;
    use crate::model::message::{Message, Output, Part, Role, ToolResult};

    /// A call and its result.
    fn step(id: &str, name: &str, input: &str, text: &str) -> [Message; 2] {
        let [id, name, input] = [id, name, input].map(str::to_owned);
        let output = Output::Text(text.to_owned());
        let result = ToolResult { id: id.clone(), name: name.clone(), output, ..ToolResult::default() };
        let call = Call { id, name, input, omitted_bytes: 0, provider_executed: false, caller: None };
        [(Role::Assistant, Part::Call(call)), (Role::Tool, Part::Result(result))].map(|(role, part)| Message {
            role,
            parts: vec![part],
            marker: None,
            has_cache_mark: false,
            carried: None,
        })
    }

    fn record_of(messages: &[Message]) -> Record {
        let tools = Tools::default();
        let mut reader = Reader::new(Record::default(), &tools, messages);
        messages.iter().for_each(|message| reader.read(message, &|_| ResultContext::default()));
        let (mut record, answers) = reader.finish(90);
        record.log.iter_mut().for_each(|line| answers.write(line));
        record
    }

    #[test]
    fn a_receipt_is_one_also_within_what_every_answer_of_its_app_carries() {
        let around = |at: usize| {
            let row = format!(r#"{{"who":"agent {at}","what":"looked at the file of case {at} again","when":"2026-11-2{at}"}}"#);
            format!(r#""log":[{row},{row},{row}],"trace":{{"node":"n-{at}","zone":"z-{at}"}}"#)
        };
        let answers: Vec<(String, String)> = (0..9)
            .map(|at| (format!("getThing{at}"), format!(r#"{{"thing{at}":{{"state":"open"}},{}}}"#, around(at))))
            .chain([("relances.suspendre".to_owned(), format!(r#"{{"relance":{{"numero":"RL-771","etat":"SUSPENDUE"}},{}}}"#, around(9)))])
            .collect();
        let all = answers.into_iter().enumerate();
        let messages: Vec<Message> = all.flat_map(|(at, (name, text))| step(&at.to_string(), &name, r#"{"id":7}"#, &text)).collect();
        let acts = record_of(&messages).acts.newest;
        assert_eq!(acts.iter().map(|act| act.id.as_str()).collect::<Vec<_>>(), ["RL-771"], "{acts:?}");
    }

    #[test]
    fn what_a_run_printed_that_was_mended_since_is_worth_less_than_what_one_printed_that_fails_still() {
        let run = |id: &str, suite: &str, code: u8| {
            let input = format!(r#"{{"cmd":"check --all {suite}"}}"#);
            step(id, "box", &input, &format!(r#"{{"exit_code":{code},"out":"case {id}-4711 of {suite} was 12 and not 13"}}"#))
        };
        let messages = [run("a", "lib/one", 1), run("b", "lib/two", 1), run("c", "lib/two", 1), run("d", "lib/one", 0)].concat();
        let record = record_of(&messages);
        let open: Vec<&str> = record.failing.iter().map(|failing| failing.line.as_str()).collect();
        assert_eq!(open, ["exit_code 1, out case c-4711 of lib/two was 12 and not 13"]);
        let finds = |id: &str| record.findings.iter().any(|finding| finding.text.contains(&format!("{id}-4711")));
        assert_eq!(["a", "b", "c", "d"].map(finds), [false, false, true, true], "{:?}", record.findings);
    }
}
