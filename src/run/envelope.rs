//! The envelope: the part of a stored conversation that every later version reads, even where the rest is lost: the words of the user, what was done, the
//! summary, and which part of the history they stand for. Plain JSON with a version of its own, whose form docs/sessions.md describes; nothing in it
//! is renamed or means something else later. Written and read by hand, field by field: the types of the record may change with every version.

use std::str::FromStr;

use crate::digest::act::{Act, Acts, End, OlderActs};
use crate::digest::record::{Record, UserMessage};
use crate::json::{Value, write_string};
use crate::model::fingerprint::{Chain, Fingerprint};
use crate::results::returned::Member;
use crate::state::{Checkpoint, FoldState, Head, Prefix, STATE_BYTES};

/// The form below. There is no other.
const VERSION: u32 = 1;
/// Bytes that it may take, so that at least as many are left for the rest.
const MOST_BYTES: usize = STATE_BYTES / 2;
/// What is said of ends that older versions do not know.
const ANSWERED: [(End, &str); 3] = [(End::Unsure, "unsure"), (End::Aborted, "aborted"), (End::TimedOut, "timed out")];
/// Below this many bytes lists are not made shorter, but texts.
const LEAST_RECORD_BYTES: usize = 4 * 1024;

/// Takes what belongs into an envelope out of the newest checkpoint: it is stored once. `None` where there is no checkpoint.
pub fn take_from(decisions: &mut FoldState) -> Option<String> {
    let checkpoint = decisions.checkpoints.last_mut()?;
    let mut envelope = written(checkpoint);
    while envelope.len() > MOST_BYTES {
        let is_smaller = checkpoint.record.forget_some(LEAST_RECORD_BYTES) || checkpoint.shorten_texts();
        if !is_smaller {
            checkpoint.record.acts.older.clear();
            checkpoint.record.users.clear();
        }
        envelope = written(checkpoint);
    }
    checkpoint.summary = None;
    let record = &mut checkpoint.record;
    (record.request, record.users, record.acts) = (String::new(), Vec::new(), Acts::default());
    Some(envelope)
}

/// Puts back what was taken out. False where it was taken out of another state, or is no envelope.
pub fn put_into(envelope: &str, decisions: &mut FoldState) -> bool {
    let Some(newest) = read(envelope) else { return false };
    let Some(checkpoint) = decisions.checkpoints.last_mut().filter(|checkpoint| checkpoint.chain == newest.chain) else { return false };
    checkpoint.summary = newest.summary;
    (checkpoint.record.request, checkpoint.record.users, checkpoint.record.acts) =
        (newest.record.request, newest.record.users, newest.record.acts);
    true
}

/// What can be known from it alone; `None` where it says what no checkpoint can be.
pub fn rebuilt(envelope: &str) -> Option<FoldState> {
    // Thoughts of the meantime were made with what is not known any more.
    let decisions = FoldState { checkpoints: vec![read(envelope)?], thoughts: Prefix::ALL, ..FoldState::default() };
    decisions.is_sound().then_some(decisions)
}

/// What it says, in the same bytes however a store has written it.
pub fn canonical(envelope: &str) -> String {
    let mut text = String::new();
    if let Some(value) = Value::parse(envelope) {
        value.write(&mut text);
    }
    text
}

/// Members of a JSON object, one after another. What is empty, zero or false is left out.
#[derive(Default)]
struct Members(String);

impl Members {
    fn raw(mut self, key: &str, value: &str) -> Members {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        write_string(key, &mut self.0);
        self.0.push(':');
        self.0.push_str(value);
        self
    }

    fn text(self, key: &str, value: &str) -> Members {
        if value.is_empty() { self } else { self.raw(key, &quoted(value)) }
    }

    fn number(self, key: &str, value: u32) -> Members {
        if value == 0 { self } else { self.raw(key, &value.to_string()) }
    }

    fn hash(self, key: &str, value: u64) -> Members {
        if value == 0 { self } else { self.raw(key, &format!("\"{value:016x}\"")) }
    }

    fn flag(self, key: &str, value: bool) -> Members {
        if value { self.raw(key, "true") } else { self }
    }

    fn list(self, key: &str, items: &[String]) -> Members {
        if items.is_empty() { self } else { self.raw(key, &format!("[{}]", items.join(","))) }
    }

    fn end(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        self.0
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    write_string(text, &mut quoted);
    quoted
}

/// What a call returned: names with values, and texts.
fn members(members: &[Member]) -> Vec<String> {
    let written = |member: &Member| match member.name.is_empty() {
        true => quoted(&member.value),
        false => format!("[{},{}]", quoted(&member.name), quoted(&member.value)),
    };
    members.iter().map(written).collect()
}

fn said(message: &UserMessage) -> String {
    let members = Members::default().number("step", message.step).text("text", &message.text).text("question", &message.question);
    members
        .text("denies", &message.denies)
        .text("attached", &message.attached)
        .number("shown", message.shown)
        .flag("app", message.by_app)
        .number("count", message.count)
        .end()
}

fn did(act: &Act) -> String {
    let did = Members::default().number("step", act.step).text("tool", &act.tool).text("call", &act.call).text("whole", &act.whole);
    let did = did.list("returned", &members(&act.returned)).text("id", &act.id).text("key", &act.key).number("later", act.later);
    let again = if let End::Repeated(step) = act.end { step } else { 0 };
    let seen_in = if let End::Seen(step) = act.end { step } else { 0 };
    let ended = did.flag("unknown", !act.end.has_returned()).number("again", again).number("seenIn", seen_in);
    let ended = ended.text("answered", ANSWERED.iter().find(|(end, _)| *end == act.end).map_or("", |(_, name)| name));
    ended.hash("about", act.about).flag("gesture", act.is_gesture).flag("likely", act.is_likely).end()
}

fn did_before(older: &OlderActs) -> String {
    let did = Members::default().text("tool", &older.tool).number("count", older.count).number("step", older.step);
    did.list("keys", &older.keys.iter().map(|key| quoted(key)).collect::<Vec<_>>()).end()
}

fn written(checkpoint: &Checkpoint) -> String {
    let Checkpoint { record, chain, .. } = checkpoint;
    let members = Members::default()
        .number("version", VERSION)
        // How parts are hashed belongs to the form.
        .text("chain", &format!("{:016x}{:016x}", chain.first, chain.second))
        .number("parts", checkpoint.parts)
        .number("messages", checkpoint.messages)
        .number("tokens", checkpoint.folded_tokens)
        .number("steps", record.steps)
        .number("room", checkpoint.tokens)
        .text("request", &record.request)
        .list("said", &record.users.iter().map(said).collect::<Vec<_>>())
        .number("unsaid", record.omitted_users)
        .list("did", &record.acts.newest.iter().map(did).collect::<Vec<_>>())
        .list("didBefore", &record.acts.older.iter().map(did_before).collect::<Vec<_>>())
        .list("media", &checkpoint.media.iter().map(|fingerprint| format!("\"{fingerprint:016x}\"")).collect::<Vec<_>>());
    let members = match &checkpoint.summary {
        Some(summary) => members.raw("summary", &quoted(summary)),
        None => members,
    };
    match checkpoint.head {
        Some(Head { from, to }) => members.raw("head", &format!("[{from},{to}]")).end(),
        None => members.end(),
    }
}

fn text(value: &Value<'_>, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Zero where nothing is said; `None` where it is no number.
fn number(value: &Value<'_>, key: &str) -> Option<u32> {
    value.get(key).map_or(Some(0), |value| u32::from_str(value.scalar_text()).ok())
}

fn list<T>(value: &Value<'_>, key: &str, read: impl Fn(&Value<'_>) -> Option<T>) -> Option<Vec<T>> {
    match value.get(key) {
        Some(Value::List(items)) => items.iter().map(read).collect(),
        None => Some(Vec::new()),
        // One stands for a list of one.
        Some(item) => Some(vec![read(item)?]),
    }
}

/// The checkpoint that it describes; `None` where it is no envelope of this form.
fn read(envelope: &str) -> Option<Checkpoint> {
    let value = &Value::parse(envelope)?;
    let is_true = |value: &Value<'_>, key: &str| value.get(key) == Some(&Value::Bool(true));
    let lane = |digits: Option<&str>| u64::from_str_radix(digits?, 16).ok();
    let chain = value.get("chain")?.as_str()?;
    if number(value, "version")? != VERSION {
        return None;
    }
    let message = |message: &Value<'_>| {
        let (step, count, shown) = (number(message, "step")?, number(message, "count")?, number(message, "shown")?);
        let Value::Map(_) = message else { return None };
        let (denies, attached) = (text(message, "denies"), text(message, "attached"));
        let (text, question, by_app) = (text(message, "text"), text(message, "question"), is_true(message, "app"));
        Some(UserMessage { step, text, question, denies, attached, shown, by_app, count })
    };
    let member = |member: &Value<'_>| match member {
        Value::Text(text) => Some(Member::of_text(text)),
        Value::List(pair) => match pair.as_slice() {
            [name, value] => Some(Member { name: name.as_str()?.to_owned(), value: value.as_str()?.to_owned() }),
            _ => None,
        },
        _ => None,
    };
    let did = |did: &Value<'_>| {
        let answered = text(did, "answered");
        let answered = ANSWERED.into_iter().find(|(_, name)| *name == answered).map(|(end, _)| end);
        let end = match (is_true(did, "unknown"), number(did, "again")?, number(did, "seenIn")?) {
            (false, _, _) => End::Done,
            (true, 0, 0) => End::Unknown,
            (true, 0, step) => End::Seen(step),
            (true, step, _) => End::Repeated(step),
        };
        let end = answered.filter(|answered| answered.has_returned() == end.has_returned()).unwrap_or(end);
        // What earlier versions said of how it stands since.
        let as_of = number(did, "asOf")?;
        Some(Act {
            whole: text(did, "whole"),
            step: number(did, "step")?,
            tool: text(did, "tool"),
            call: did.get("call")?.as_str()?.to_owned(),
            returned: list(did, "returned", member)?,
            id: text(did, "id"),
            key: text(did, "key"),
            end,
            is_gesture: is_true(did, "gesture"),
            is_likely: is_true(did, "likely"),
            about: lane(did.get("about").and_then(Value::as_str)).unwrap_or_default(),
            later: number(did, "later")?.max(as_of),
            ..Act::default()
        })
    };
    let did_before = |did: &Value<'_>| {
        let keys = list(did, "keys", |key| Some(key.as_str()?.to_owned()))?;
        Some(OlderActs { tool: text(did, "tool"), count: number(did, "count")?, step: number(did, "step")?, keys })
    };
    let head = list(value, "head", |part| u32::from_str(part.scalar_text()).ok())?;
    Some(Checkpoint {
        parts: number(value, "parts")?,
        chain: Chain { first: lane(chain.get(..16))?, second: lane(chain.get(16..))? },
        messages: number(value, "messages")?,
        folded_tokens: number(value, "tokens")?,
        record: Record {
            steps: number(value, "steps")?,
            request: text(value, "request"),
            users: list(value, "said", message)?,
            omitted_users: number(value, "unsaid")?,
            acts: Acts { newest: list(value, "did", did)?, older: list(value, "didBefore", did_before)? },
            ..Record::default()
        },
        tokens: number(value, "room")?,
        summary: value.get("summary").and_then(Value::as_str).map(str::to_owned),
        media: list(value, "media", |print| Fingerprint::from_str_radix(print.as_str()?, 16).ok())?,
        head: if let [from, to] = head[..] { Some(Head { from, to }) } else { None },
        ..Checkpoint::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded() -> FoldState {
        let member = |name: &str, value: &str| Member { name: name.into(), value: value.into() };
        let returned = vec![member("status", "pending, by hand"), member("", "Paid \"soon\".")];
        let act = |step, end| Act { step, call: "refund(re_7)".into(), end, ..Act::default() };
        let done = Act { returned, id: "re_7".into(), later: 9, ..act(4, End::Done) };
        let record = Record {
            steps: 9,
            request: "Book a \"room\".\u{1}".into(),
            users: vec![UserMessage {
                step: 3,
                text: "Not on the ground floor.".into(),
                attached: "1 × PDF".into(),
                shown: 1,
                by_app: true,
                count: 1,
                ..UserMessage::default()
            }],
            omitted_users: 2,
            acts: Acts {
                newest: vec![
                    done,
                    act(3, End::TimedOut),
                    act(4, End::Unsure),
                    act(5, End::Unknown),
                    act(6, End::Repeated(7)),
                    act(7, End::Seen(8)),
                ],
                older: vec![OlderActs { tool: "pay".into(), count: 3, step: 2, keys: vec!["p1".into(), "p2".into()] }],
            },
            approved: vec!["pay".into()],
            ..Record::default()
        };
        let newest = Checkpoint {
            parts: 9,
            chain: Chain { first: u64::MAX, second: 7 },
            messages: 5,
            folded_tokens: 900,
            record,
            tokens: 300,
            summary: Some("Three rooms are free.".into()),
            media: vec![u64::MAX],
            head: Some(Head { from: 1, to: 2 }),
            ..Checkpoint::default()
        };
        FoldState { checkpoints: vec![Checkpoint::default(), newest], ..FoldState::default() }
    }

    #[test]
    fn what_is_taken_out_is_read_and_put_back_whatever_the_order_of_its_keys() {
        let whole = folded();
        let mut rest = whole.clone();
        let envelope = take_from(&mut rest).unwrap();
        assert_eq!(rest.checkpoints[1].record.request, "");
        let value: serde_json::Value = serde_json::from_str(&envelope).unwrap();
        let stored = serde_json::to_string_pretty(&value).unwrap();
        assert_ne!(stored, envelope);
        assert_eq!(canonical(&stored), canonical(&envelope));
        assert!(put_into(&stored, &mut rest));
        assert_eq!(rest, whole);
        assert!(!put_into(&stored, &mut FoldState::default()), "it belongs to another state");
    }

    #[test]
    fn the_newest_checkpoint_is_rebuilt_from_it_alone() {
        let envelope = take_from(&mut folded()).unwrap();
        let mut newest = folded().checkpoints[1].clone();
        newest.record.approved.clear();
        assert_eq!(rebuilt(&envelope).unwrap().checkpoints, [newest]);
    }

    #[test]
    fn what_is_left_out_is_empty_and_one_stands_for_a_list_of_one() {
        let did = r#"{"call":"pay(7)","returned":"paid, id P-1"}"#;
        let chain = "0".repeat(32);
        let rebuilt =
            rebuilt(&format!(r#"{{"version":1,"chain":"{chain}","parts":3,"did":[{did}],"didBefore":{{"keys":"p2"}}}}"#)).unwrap();
        let Acts { newest, older } = &rebuilt.checkpoints[0].record.acts;
        assert_eq!(newest[..], [Act { call: "pay(7)".into(), returned: vec![Member::of_text("paid, id P-1")], ..Act::default() }]);
        assert_eq!(older[..], [OlderActs { keys: vec!["p2".into()], ..OlderActs::default() }]);
    }

    #[test]
    fn what_is_no_envelope_of_this_form_gives_nothing() {
        let envelope = take_from(&mut folded()).unwrap();
        for (good, bad) in [
            (r#""version":1"#, r#""version":2"#),
            (r#""parts":9"#, r#""parts":4294967295"#),
            (r#""messages":5"#, r#""messages":-5"#),
            (r#""head":[1,2]"#, r#""head":[8,4]"#),
            (r#""said":["#, r#""said":[7,"#),
            (r#""chain":""#, r#""chain":"x"#),
        ] {
            let damaged = envelope.replace(good, bad);
            assert_ne!(damaged, envelope, "{good}");
            assert_eq!(rebuilt(&damaged), None, "{bad}");
        }
        assert_eq!(rebuilt("{}"), None);
    }

    #[test]
    fn it_stays_within_its_bytes_whatever_the_user_wrote() {
        let mut state = folded();
        let checkpoint = &mut state.checkpoints[1];
        checkpoint.record.request = "\u{1}".repeat(200_000);
        checkpoint.summary = Some("x".repeat(200_000));
        checkpoint.record.users = vec![UserMessage { text: "\u{1}".repeat(2_000), ..UserMessage::default() }; 300];
        let envelope = take_from(&mut state).unwrap();
        assert!(envelope.len() <= MOST_BYTES);
        let Record { request, users, .. } = rebuilt(&envelope).unwrap().checkpoints.remove(0).record;
        assert!(!request.is_empty() && !users.is_empty());
    }
}
