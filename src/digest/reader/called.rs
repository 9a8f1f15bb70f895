//! One call on its way into a record: what its input says, what it did, and what the user answered to it.
//! Not which lines of the log it leaves (see `reader`).

use super::Reader;
use crate::digest::act::{Act, End};
use crate::digest::call_facts::CallForm;
use crate::digest::effect::{Effect, is_gesture};
use crate::digest::plan::PlanChange;
use crate::digest::record::{LogLine, UserMessage, push};
use crate::digest::status::reason;
use crate::digest::subject::{Subjects, amount_of, hash_of, listed_by, subjects_of};
use crate::json::{Value, unwrapped};
use crate::model::message::{Call, Message, Output, Part};
use crate::redact::clean;
use crate::results::returned::{AnswerOf, Given, Member, Returned, Wanted, is_exact, returned};
use crate::text::clip::{clip, one_line, within};
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::sentence::sentences;
use crate::text::term::{has_reference, references};

/// Bytes of the line of a call that acts, and columns of what it returned.
const ACT_BYTES: usize = 110;
/// The same where there is room for all lines.
const WHOLE_ACT_BYTES: usize = 280;
const RETURNED_COLUMNS: usize = 130;
/// A receipt, and what a gesture answers where it shows no page, is no longer.
const RECEIPT_CHARS: usize = 400;
/// What is longer is the answer of a reading; tools that are remembered for it.
const READING_CHARS: usize = 1_200;
const MOST_READERS: usize = 100;
/// What calls of so many tools name is the matter that all is about, and a reading of it shows nothing of one act.
const TOOLS_OF_A_MATTER: usize = 6;
/// A shorter name stands in an answer by chance.
const LEAST_ECHO_CHARS: usize = 3;
/// An id that is listed beside what its call was about is no longer: longer ones are for machines.
const SHORT_ID_BYTES: usize = 10;
/// A shorter text stands in the line of its call, and one with more than one of these signs in so many bytes is no prose; how far one is read,
/// and how much of it is shown.
const LETTER_BYTES: usize = 100;
const SIGNS_OF_CODE: &[u8] = b"{}[]()<>=;_\\|`$*#";
const PROSE_A_SIGN: usize = 24;
const LETTER_READ_BYTES: usize = 8 * 1024;
const LETTER_CHARS: usize = 280;
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
    pub(super) subjects: Subjects,
    /// Hashes of its names.
    pub(super) names: Vec<u64>,
    /// Its values.
    pub(super) given: Given,
    /// The call in a line.
    pub(super) line: String,
    /// The same with more of its arguments, of a call that may act.
    pub(super) whole: String,
    /// What it is listed by: what distinguishes it from the call before of its tool.
    pub(super) name: String,
    /// The first amount in it.
    pub(super) amount: String,
    /// What it wrote to somebody.
    pub(super) wrote: String,
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

/// Whether a value is a list of objects.
fn is_list_of_rows(value: &Value<'_>) -> bool {
    matches!(value, Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_))))
}

/// Of the longest text that a call says, where it is prose, the sentences with figures: what was promised in a letter stands nowhere else.
fn letter_of(input: &Value<'_>) -> String {
    let text = longest_text(input);
    let signs = text.bytes().filter(|byte| SIGNS_OF_CODE.contains(byte)).count();
    if text.len() < LETTER_BYTES || signs * PROSE_A_SIGN > text.len() {
        return String::new();
    }
    let text = clean(&within(text, LETTER_READ_BYTES));
    let mut letter = String::new();
    for sentence in sentences(&text).filter(|sentence| sentence.contains(char::is_numeric)).map(one_line) {
        if letter.is_empty() {
            letter = clip(&sentence, LETTER_CHARS);
        } else if letter.chars().count() + sentence.chars().count() < LETTER_CHARS {
            letter = format!("{letter} {sentence}");
        }
    }
    letter
}

fn longest_text<'v>(value: &'v Value<'_>) -> &'v str {
    match value {
        Value::Text(text) => text,
        other => other.children().into_iter().map(longest_text).max_by_key(|text| text.len()).unwrap_or_default(),
    }
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
        let names = listed_by(value);
        let before = self.listed.get(&call.name);
        let differs = names.iter().find(|name| before.is_some_and(|before| !before.contains(name)));
        let name = differs.or(names.first()).cloned().unwrap_or_default();
        self.listed.insert(call.name.clone(), names);
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
            subjects: subjects_of(value),
            names: about,
            given: Given::of(value),
            line: form.line(ACT_BYTES),
            whole: if effect == Effect::Reads { String::new() } else { form.line(WHOLE_ACT_BYTES) },
            amount: Some(amount_of(value)).filter(|amount| name.is_empty() || !amount.contains(&name)).unwrap_or_default(),
            name,
            wrote: if effect == Effect::Reads { String::new() } else { letter_of(value) },
            // What the user says of a tool, or was asked, goes before what it is called.
            plan: form.plan.filter(|_| effect != Effect::Acts),
        }
    }

    /// Takes in a call that changed something, with what it returned.
    pub(super) fn done(&mut self, called: &Called, text: &str, end: End) {
        // What a gesture did is seen on its page.
        let end = if end == End::Unsure && is_gesture(&called.of) { End::Done } else { end };
        let wanted = Wanted { columns: RETURNED_COLUMNS, envelope: &self.envelopes.acts, of: AnswerOf::Act };
        let returned = match end {
            End::Done | End::Unsure => returned(text, &called.given, wanted),
            _ => returned(&reason(text), &Given::default(), wanted),
        };
        let is_receipt = !returned.id.is_empty() && !is_longer(text, RECEIPT_CHARS) && end.has_returned();
        let key = self.key_of(called, &returned);
        if end == End::Done && self.speaks_of_act(called) {
            // An act that returned a reference of its own speaks of itself, unless it names the earlier one, too: a message
            // about a booking was sent, and not the booking.
            let names = |id: &str| called.given.names(id) && (returned.id.is_empty() || has_reference(text, id));
            self.record.acts.revise(&names, called.step, &|| returned.members.clone());
            self.record.acts.name_in(&|id| called.given.names(id), called.step);
        }
        self.references.extend(references(&returned.id).map(hash_of));
        self.record.acts.push(Act {
            step: called.step,
            tool: called.of.clone(),
            call: called.line.clone(),
            whole: if called.whole == called.line { String::new() } else { called.whole.clone() },
            key,
            returned: returned.members,
            id: returned.id,
            wrote: if end.has_returned() { called.wrote.clone() } else { String::new() },
            end,
            is_gesture: is_gesture(&called.of) && !is_receipt,
            is_likely: called.effect == Effect::Unknown,
            about: if called.name.is_empty() || end.has_returned() { 0 } else { hash_of(&called.name) },
            ..Act::default()
        });
    }

    /// Takes back what readings have shown of acts that are known by what everything is about.
    pub(super) fn forget_readings_of_the_matter(&mut self) {
        let tools_about = |about: u64| self.tools_about.get(&about).map_or(0, HashSet::len);
        self.record.acts.forget_seen(&|about| tools_about(about) >= TOOLS_OF_A_MATTER);
    }

    /// Whether a call may name what an act returned.
    pub(super) fn speaks_of_act(&self, called: &Called) -> bool {
        called.given.references().any(|word| self.references.contains(&hash_of(word)))
    }

    /// By what an act is listed once it has no line of its own: what it was about, a short id that it returned, an amount, and what it says
    /// is not so. Of a gesture only what it returned: the mark of a button is gone with its page.
    fn key_of(&mut self, called: &Called, Returned { members, id, amount }: &Returned) -> String {
        let not_so = self.not_so(&called.of, members);
        let own_amount = if amount.value.is_empty() { String::new() } else { format!(" ({})", amount.line()) };
        let (name, amount) = match (is_gesture(&called.of), is_exact(&amount.value)) {
            (true, _) => ("", own_amount.as_str()),
            (false, true) => (called.name.as_str(), own_amount.as_str()),
            (false, false) => (called.name.as_str(), called.amount.as_str()),
        };
        let key = match (name, id.as_str()) {
            ("", id) => id.to_owned(),
            (name, id) if id.is_empty() || id.len() > SHORT_ID_BYTES || id == name => name.to_owned(),
            (name, id) => format!("{name} → {id}"),
        };
        format!("{key}{amount}{not_so}")
    }

    /// What an answer says is not so, where others of the tool said it is, such as ` (tagged false)`.
    fn not_so(&mut self, tool: &str, members: &[Member]) -> String {
        let hash = |name: &str| mix(mix(0, tool.as_bytes()), name.as_bytes());
        let so = members.iter().filter(|member| member.value == "true").map(|member| hash(&member.name));
        self.said_so.extend(so);
        let is_not_so = |member: &&Member| member.value == "false" && self.said_so.contains(&hash(&member.name));
        members.iter().find(is_not_so).map_or(String::new(), |member| format!(" ({} false)", member.name))
    }

    /// Whether the answer to a call of which nobody knows whether it acts looks like that of one that does: short, with an id that the call
    /// did not have, a yes, or what the call said. Answers at length and lists are those of readings, and so is all that such a tool says.
    pub(super) fn looks_done(&self, called: &Called, text: &str) -> bool {
        let text = unwrapped(text);
        let text = text.trim();
        let envelope = &self.envelopes.acts;
        let is_long = || envelope.is_longer_within(text, RECEIPT_CHARS);
        if called.effect != Effect::Unknown || text.is_empty() || self.record.readers.contains(&called.of) || is_long() {
            return false;
        }
        let value = if text.starts_with(['{', '[', '"']) { Value::parse(text) } else { None };
        match &value {
            Some(Value::Map(members)) if members.iter().any(|(_, value)| *value == Value::Bool(true)) => return true,
            // Lists that every answer of the app has are no rows of this one.
            Some(Value::Map(members)) if members.iter().all(|(name, value)| envelope.is_late(name) || !is_list_of_rows(value)) => {}
            None | Some(Value::Text(_)) => {}
            Some(_) => return false,
        }
        let returned = returned(text, &called.given, Wanted { columns: RETURNED_COLUMNS, envelope, of: AnswerOf::Act });
        let is_new = !returned.id.is_empty() && !called.given.names(&returned.id);
        let echoes = called.name.chars().count() >= LEAST_ECHO_CHARS && text.contains(&called.name);
        is_new || echoes
    }

    fn is_answer_at_length(&self, output: &Output) -> bool {
        let is_long = |text: &str| self.envelopes.acts.is_longer_within(unwrapped(text).trim(), READING_CHARS);
        !output.is_error() && is_longer(&output.as_text(), READING_CHARS) && is_long(&output.as_text())
    }

    /// Takes in which uses of tools are answered at length. What was listed of them as done is a line of the log.
    pub(super) fn know_readers(&mut self, messages: &[Message]) {
        let mut calls: HashMap<&str, &Call> = HashMap::default();
        for part in messages.iter().flat_map(|message| &message.parts) {
            let result = match part {
                Part::Call(call) => {
                    calls.insert(&call.id, call);
                    continue;
                }
                // What a program printed that failed is an answer at length, too.
                Part::Result(result) if self.is_answer_at_length(&result.output) => result,
                _ => continue,
            };
            let input = calls.get(result.id.as_str()).and_then(|call| Value::parse(&call.input)).unwrap_or(Value::Null);
            let of = CallForm::of(&result.name, &input).name();
            if self.record.readers.len() < MOST_READERS && !self.record.readers.contains(&of) {
                let back = self.record.acts.take_back(&of);
                self.record.readers.push(of);
                for act in back {
                    let answer = act.answer();
                    let outcome = if answer.is_empty() { answer } else { format!(" → {answer}") };
                    self.record.log_earlier(LogLine { step: act.step, text: act.call, outcome, count: 1, ..LogLine::default() });
                }
            }
        }
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
        let text = clean(&within(text.trim(), USER_TEXT_BYTES));
        if !text.is_empty() || !denies.is_empty() {
            push(
                &mut self.record.users,
                UserMessage { step: self.record.steps, text, question, denies, count: 1, ..UserMessage::default() },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::reader::ResultContext;
    use crate::digest::record::Record;
    use crate::digest::tools::Tools;
    use crate::model::message::{Role, ToolResult};
    use crate::results::returned::line_of;

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
    fn of_a_letter_stands_what_it_promised() {
        let filler = "Wir haben alle Anlagen geprüft und danken für Ihre Geduld. ".repeat(6);
        let letter = |body: &str| letter_of(&Value::parse(&format!(r#"{{"to":"a@b.test","mail":{{"body":"{body}"}}}}"#)).unwrap());
        let promised = "Sie erhalten ihn bis Mittwoch, 2. Dezember 2026, 14:00 Uhr. ";
        assert_eq!(
            letter(&format!("{filler}{promised}{filler}Die Fahrt von 62,40 EUR zahlen wir.")),
            format!("{promised}Die Fahrt von 62,40 EUR zahlen wir.")
        );
        assert_eq!(letter(&filler), "");
        assert_eq!(letter("Bis 14:00 Uhr."), "");
        assert_eq!(letter(&"if (a[1] == 2) { return b_1; } ".repeat(20)), "");
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
        assert_eq!(open, ["exit code 1: case c-4711 of lib/two was 12 and not 13"]);
        let finds = |id: &str| record.findings.iter().any(|finding| finding.text.contains(&format!("{id}-4711")));
        assert_eq!(["a", "b", "c", "d"].map(finds), [false, false, true, true], "{:?}", record.findings);
    }

    #[test]
    fn an_act_that_returns_a_reference_of_its_own_speaks_of_an_earlier_one_where_it_names_it_too() {
        for (answer, now) in [(r#"{"id":"M-7","status":"sent"}"#, ""), (r#"{"id":"P-771","status":"refunded"}"#, "status refunded")] {
            let paid = step("a", "pay", r#"{"invoice":"F-44"}"#, r#"{"id":"P-771","status":"pending"}"#);
            let messages = [paid, step("b", "refund", r#"{"of":{"payment":"P-771"}}"#, answer)].concat();
            assert_eq!(line_of(&record_of(&messages).acts.newest[0].now), now, "{answer}");
        }
    }
}
