//! `Envelope`: of a stored conversation what every later version reads, whatever became of the rest: the words of the user, what was done, the
//! summary, and which part of the history they stand for. Plain JSON with a version of its own, whose form docs/sessions.md tells; nothing in it
//! is renamed or means something else later. Its types are therefore not those of the record, which may change with every version.

use serde::{Deserialize, Serialize};

use super::state::chain_as_text;
use crate::digest::act::{Act, Acts, End, OlderActs};
use crate::digest::record::{Asked, Record};
use crate::model::fingerprint::{Chain, Fingerprint};
use crate::pack;
use crate::state::{Checkpoint, FoldState, Head, Prefix, STATE_BYTES};
use crate::text::clip::within;

/// The form below. There is no other.
const VERSION: u32 = 1;
/// Bytes that it may take, so that at least as many are left for the rest.
const MOST_BYTES: usize = STATE_BYTES / 2;
/// Below this many bytes lists are not made shorter, but texts.
const LEAST_RECORD_BYTES: usize = 4 * 1024;

/// What is kept of the newest checkpoint whatever the version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    version: u32,
    /// The chain over the parts it covers: how they are hashed belongs to the form.
    #[serde(with = "chain_as_text")]
    chain: Chain,
    /// Parts, messages, estimated tokens and steps of the model that it covers.
    parts: u32,
    messages: u32,
    tokens: u32,
    steps: u32,
    /// Estimated tokens that its text may take.
    room: u32,
    /// The user's request, what they said later, and how much of that was forgotten.
    request: String,
    said: Vec<Said>,
    #[serde(default)]
    unsaid: u32,
    /// Calls that changed something, one by one, and older ones by tool.
    did: Vec<Did>,
    #[serde(default)]
    did_before: Vec<DidBefore>,
    /// The summarizer's text.
    #[serde(default)]
    summary: Option<String>,
    /// Media of the request that stay, as fingerprints; the first message of the running loop that stays, as parts from and to.
    #[serde(default)]
    media: Vec<String>,
    #[serde(default)]
    head: Option<(u32, u32)>,
}

/// What the user said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    step: u32,
    text: String,
    #[serde(default)]
    question: String,
    #[serde(default)]
    denies: String,
    #[serde(default)]
    count: u32,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Did {
    step: u32,
    tool: String,
    call: String,
    #[serde(default)]
    returned: String,
    #[serde(default)]
    key: String,
    /// Whether it took effect is not known.
    #[serde(default)]
    unknown: bool,
    /// It is not known, and this later step did the same; zero where none did.
    #[serde(default)]
    again: u32,
    #[serde(default)]
    reversible: bool,
}

/// What was done earlier with one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct DidBefore {
    tool: String,
    count: u32,
    step: u32,
    keys: String,
}

impl Envelope {
    /// Takes what belongs into an envelope out of the newest checkpoint: it is stored once. `None` where there is no checkpoint.
    pub fn take_from(decisions: &mut FoldState) -> Option<Envelope> {
        let checkpoint = decisions.checkpoints.last_mut()?;
        let mut envelope = Envelope::of(checkpoint);
        while serde_json::to_string(&envelope).map_or(0, |text| text.len()) > MOST_BYTES {
            let record = &mut checkpoint.record;
            if record.bytes() > LEAST_RECORD_BYTES {
                record.fit(record.bytes() / 4 * 3);
            } else {
                record.request = within(&record.request, record.request.len() / 2).into_owned();
                checkpoint.summary = checkpoint.summary.take().map(|text| within(&text, text.len() / 2).into_owned());
            }
            envelope = Envelope::of(checkpoint);
        }
        checkpoint.summary = None;
        let record = &mut checkpoint.record;
        (record.request, record.users, record.acts) = (String::new(), Vec::new(), Acts::default());
        Some(envelope)
    }

    /// Puts back what was taken out. False where it was taken out of another state.
    pub fn put_into(self, decisions: &mut FoldState) -> bool {
        let Some(checkpoint) = decisions.checkpoints.last_mut().filter(|checkpoint| checkpoint.chain == self.chain) else { return false };
        let Checkpoint { summary, record, .. } = self.checkpoint();
        checkpoint.summary = summary;
        (checkpoint.record.request, checkpoint.record.users, checkpoint.record.acts) = (record.request, record.users, record.acts);
        true
    }

    /// What can be known from it alone; `None` where it says what no checkpoint can be.
    pub fn rebuilt(self) -> Option<FoldState> {
        // Thoughts of the meantime were made with what is not known any more.
        let decisions = FoldState { checkpoints: vec![self.checkpoint()], thoughts: Prefix::ALL, ..FoldState::default() };
        decisions.is_sound().then_some(decisions)
    }

    /// Whether this is the form that is known here.
    pub fn is_known(&self) -> bool {
        self.version == VERSION
    }

    /// As bytes of this version, for a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        pack::to_bytes(self)
    }

    fn of(checkpoint: &Checkpoint) -> Envelope {
        let Checkpoint { record, .. } = checkpoint;
        Envelope {
            version: VERSION,
            chain: checkpoint.chain,
            parts: checkpoint.parts,
            messages: checkpoint.messages,
            tokens: checkpoint.folded_tokens,
            steps: record.steps,
            room: checkpoint.tokens,
            request: record.request.clone(),
            said: record.users.iter().map(Said::from).collect(),
            unsaid: record.omitted_users,
            did: record.acts.newest.iter().map(Did::from).collect(),
            did_before: record.acts.older.iter().map(DidBefore::from).collect(),
            summary: checkpoint.summary.clone(),
            media: checkpoint.media.iter().map(|fingerprint| format!("{fingerprint:016x}")).collect(),
            head: checkpoint.head.map(|head| (head.from, head.to)),
        }
    }

    fn checkpoint(self) -> Checkpoint {
        let record = Record {
            steps: self.steps,
            request: self.request,
            users: self.said.into_iter().map(Asked::from).collect(),
            omitted_users: self.unsaid,
            acts: Acts {
                newest: self.did.into_iter().map(Act::from).collect(),
                older: self.did_before.into_iter().map(OlderActs::from).collect(),
            },
            ..Record::default()
        };
        Checkpoint {
            parts: self.parts,
            chain: self.chain,
            messages: self.messages,
            folded_tokens: self.tokens,
            record,
            tokens: self.room,
            summary: self.summary,
            media: self.media.iter().filter_map(|text| Fingerprint::from_str_radix(text, 16).ok()).collect(),
            head: self.head.map(|(from, to)| Head { from, to }),
            ..Checkpoint::default()
        }
    }
}

impl From<&Asked> for Said {
    fn from(Asked { step, text, question, denies, count }: &Asked) -> Said {
        Said { step: *step, text: text.clone(), question: question.clone(), denies: denies.clone(), count: *count }
    }
}

impl From<Said> for Asked {
    fn from(Said { step, text, question, denies, count }: Said) -> Asked {
        Asked { step, text, question, denies, count }
    }
}

impl From<&Act> for Did {
    fn from(act: &Act) -> Did {
        let again = if let End::Repeated(step) = act.end { step } else { 0 };
        Did {
            step: act.step,
            tool: act.tool.clone(),
            call: act.call.clone(),
            returned: act.returned.clone(),
            key: act.key.clone(),
            unknown: act.end != End::Done,
            again,
            reversible: act.is_reversible,
        }
    }
}

impl From<Did> for Act {
    fn from(Did { step, tool, call, returned, key, unknown, again, reversible }: Did) -> Act {
        let end = match (unknown, again) {
            (false, _) => End::Done,
            (true, 0) => End::Unknown,
            (true, step) => End::Repeated(step),
        };
        Act { step, tool, call, returned, key, end, is_reversible: reversible }
    }
}

impl From<&OlderActs> for DidBefore {
    fn from(OlderActs { tool, count, step, keys }: &OlderActs) -> DidBefore {
        DidBefore { tool: tool.clone(), count: *count, step: *step, keys: keys.clone() }
    }
}

impl From<DidBefore> for OlderActs {
    fn from(DidBefore { tool, count, step, keys }: DidBefore) -> OlderActs {
        OlderActs { tool, count, step, keys }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded() -> FoldState {
        let act = |step, end| Act { step, tool: "refund".into(), call: "refund(re_7)".into(), end, ..Act::default() };
        let record = Record {
            steps: 9,
            request: "Book a \"room\".\u{1}".into(),
            users: vec![Asked { step: 3, text: "Not on the ground floor.".into(), count: 1, ..Asked::default() }],
            omitted_users: 2,
            acts: Acts {
                newest: vec![act(4, End::Done), act(5, End::Unknown), act(6, End::Repeated(7))],
                older: vec![OlderActs { tool: "pay".into(), count: 3, step: 2, keys: "p1, p2".into() }],
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
    fn what_is_taken_out_is_read_from_json_and_put_back() {
        let whole = folded();
        let mut rest = whole.clone();
        let envelope = Envelope::take_from(&mut rest).unwrap();
        assert_eq!(rest.checkpoints[1].record.request, "");
        let read: Envelope = serde_json::from_str(&serde_json::to_string(&envelope).unwrap()).unwrap();
        assert_eq!(read.to_bytes(), envelope.to_bytes());
        assert!(read.clone().put_into(&mut rest));
        assert_eq!(rest, whole);
        assert!(!read.put_into(&mut FoldState::default()), "it belongs to another state");
    }

    #[test]
    fn the_newest_checkpoint_is_rebuilt_from_it_alone() {
        let whole = folded();
        let rebuilt = Envelope::take_from(&mut whole.clone()).unwrap().rebuilt().unwrap();
        let mut newest = whole.checkpoints[1].clone();
        newest.record.approved.clear();
        assert_eq!(rebuilt.checkpoints, [newest]);
        let mut wrong = Envelope::take_from(&mut folded()).unwrap();
        wrong.head = Some((8, 4));
        assert_eq!(wrong.rebuilt(), None);
    }

    #[test]
    fn it_stays_within_its_bytes_whatever_was_said() {
        let mut state = folded();
        let checkpoint = &mut state.checkpoints[1];
        checkpoint.record.request = "\u{1}".repeat(200_000);
        checkpoint.summary = Some("x".repeat(200_000));
        checkpoint.record.users = vec![Asked { text: "\u{1}".repeat(2_000), ..Asked::default() }; 300];
        let envelope = Envelope::take_from(&mut state).unwrap();
        assert!(serde_json::to_string(&envelope).unwrap().len() <= MOST_BYTES);
        assert!(!envelope.request.is_empty() && !envelope.said.is_empty());
    }
}
