//! `FoldState`: all that is remembered between steps and requests. Within a process it travels packed, because there can be thousands of
//! decisions; to be kept elsewhere it is sealed (`pack`), one versioned JSON value.
//! Not a cache of messages: it holds decisions and the texts that must outlive what they replaced.

use serde::{Deserialize, Serialize};

mod added;
mod checkpoint;
pub use added::MOST_PUT_IN;
pub use checkpoint::{Checkpoint, Head, KeptResult};

use crate::digest::result_digest::RESULT_DIGEST_CHARS;
use crate::model::fingerprint::{Chain, Fingerprint};
pub use crate::model::fingerprint::{Outline, Prefix};
use crate::option::is_directory;
use crate::pack::{DAMAGED, open, seal, to_bytes};
use crate::text::clip::first_chars;
use crate::tokens::calibration::Calibration;

/// Version of the shape below. A state of another version is not used.
pub const STATE_VERSION: u32 = 14;
/// A state larger than this, as JSON, is neither written nor read. A session puts its own part beside it.
pub const STATE_BYTES: usize = 220 * 1024;
/// A record below this is not made smaller for single decisions.
const LEAST_RECORD_BYTES: usize = 8 * 1024;
/// Models whose calibration is kept; the ones not seen for longest are dropped first.
const CALIBRATED_MODELS: usize = 8;
/// Directories that one conversation may have named.
pub const DIRECTORIES: usize = 16;

/// No history has more parts.
pub const MOST_PARTS: u32 = 1 << 30;

/// What a placeholder keeps of its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kept {
    /// Parts of it, as ranges of bytes in order: a later engine may part a text in other ways.
    Parts(Box<[(u32, u32)]>),
    /// The user's own digest of it (`digest::result_digest`), in place of parts.
    Digest(Box<str>),
}

impl Kept {
    /// No part of it.
    pub fn nothing() -> Kept {
        Kept::Parts(Box::default())
    }
}

/// How a result can be retrieved whose place a placeholder has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retrieval {
    /// By calling the tool again.
    Call,
    /// By recall, under an id.
    Recall,
    /// In a file, of this one of `FoldState::directories`.
    File {
        /// Its place among them.
        directory: u8,
    },
    /// By calling the tool again, if it only looks things up: nobody knows.
    CallIfReads,
    /// Not at all: the call changed something, so repeating it is never offered.
    Nothing,
}

/// What was done to one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Its output became a placeholder.
    Clear {
        /// What is kept of it; `None` where the placeholder does not even say how the call ended.
        keeps: Option<Kept>,
        /// How it says that the result can be retrieved.
        retrieval: Retrieval,
    },
    /// Its output was cut to head, tail and parts between of at most this many tokens.
    Cap {
        /// Tokens kept.
        tokens: u32,
        /// What is kept between head and tail, as ranges of bytes in order.
        parts: Box<[(u32, u32)]>,
        /// How it says that the rest can be retrieved; no file is written for it.
        retrieval: Retrieval,
    },
    /// Long strings of its input were cut, to at most this many tokens each.
    CutInput {
        /// Tokens kept of each string.
        tokens: u32,
    },
    /// Its text was cut to head and tail of at most this many tokens.
    CutText {
        /// Tokens kept.
        tokens: u32,
    },
    /// Images and files were left out of its output, of whose text at most this many tokens are kept.
    OmitMedia {
        /// Tokens of text kept.
        tokens: u32,
        /// Less can be asked for: the call reads.
        reads: bool,
    },
    /// Its images were left out because newer ones are there. Its text stays whole. Of a picture or file of the user's, a line says what it was.
    AgeImages,
    /// Nothing, and nothing may be done: the model asked to keep it whole.
    Pin,
    /// Its images and files were left out, because a request may hold no more of them. Its text stays whole.
    OverLimit,
}

/// A recorded decision about the part with this fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Which part.
    pub fingerprint: Fingerprint,
    /// Which one of several that say the same, counted from the newest checkpoint on.
    pub nth: u32,
    /// What was done.
    pub action: Action,
}

/// What was learnt of one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCalibration {
    /// The model's id.
    pub model: String,
    /// What was learnt.
    pub learnt: Calibration,
}

/// All that is remembered of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoldState {
    /// Checkpoints, oldest first. Each covers what the one before covers, and more; the newest that matches is used.
    pub checkpoints: Vec<Checkpoint>,
    /// What was done to single parts after the newest checkpoint.
    pub decisions: Vec<Decision>,
    /// Directories of the files that decisions name.
    pub directories: Vec<String>,
    /// What the history was when a thought that it holds last lost its prefix to an edit. To a model that binds its thoughts, those up
    /// to here are not sent; others are shown them as before.
    pub thoughts: Prefix,
    /// Parts seen so far.
    pub planned_parts: u32,
    /// The chain over the parts seen so far.
    pub planned_chain: Chain,
    /// The wording of those of them that are sent (`PartEntry::wording`).
    pub planned_wording: u64,
    /// What was learnt of each model, by model id; the one used last is the last.
    pub calibration: Vec<ModelCalibration>,
    /// Fingerprints of messages that somebody put in behind what was sent, newest last: the history does not have them.
    #[serde(skip)]
    pub put_in: Vec<Fingerprint>,
    /// An earlier build decided: until the next edit its prompt stays as it is cached, with two messages of the user in a row.
    #[serde(skip)]
    pub side_by_side: bool,
}

impl FoldState {
    /// Reads a state from JSON. The error says in a few words why it cannot be used.
    pub fn from_json(text: &str) -> Result<FoldState, String> {
        FoldState::from_json_beside(text, &[])
    }

    /// Reads a state that was written beside these bytes.
    pub fn from_json_beside(text: &str, beside: &[u8]) -> Result<FoldState, String> {
        if text.len() > STATE_BYTES {
            return Err(format!("the state has {} bytes, {STATE_BYTES} are allowed", text.len()));
        }
        FoldState::from_packed(&open(text, STATE_VERSION, beside)?).ok_or_else(|| DAMAGED.to_owned())
    }

    /// The state in few bytes, for this process only. It fits into `STATE_BYTES` as JSON: old checkpoints are dropped first, then the
    /// least of what the newest records, then the oldest decisions, then texts are made shorter.
    pub fn to_packed(&mut self) -> Vec<u8> {
        self.packed_within(STATE_BYTES)
    }

    fn packed_within(&mut self, json_bytes: usize) -> Vec<u8> {
        // Less checksum, base64 and the JSON around it.
        let most = json_bytes.saturating_sub(64) / 4 * 3;
        loop {
            let packed = self.packed();
            if packed.len() <= most {
                return packed;
            }
            if self.checkpoints.len() > 1 {
                self.checkpoints.remove(0);
            } else if self.checkpoints.last_mut().is_some_and(|newest| newest.record.forget_some(LEAST_RECORD_BYTES)) {
                continue;
            } else if !self.decisions.is_empty() {
                self.decisions.drain(..self.decisions.len().div_ceil(4));
            } else if !self.checkpoints.last_mut().is_some_and(Checkpoint::shorten_texts) {
                self.checkpoints.clear();
            }
        }
    }

    /// The state as JSON, within `STATE_BYTES`.
    pub fn to_json(&mut self) -> String {
        self.to_json_beside(&[])
    }

    /// The state as JSON that is of use with these bytes only, and with them within `STATE_BYTES`.
    pub fn to_json_beside(&mut self, beside: &[u8]) -> String {
        let packed = self.packed_within(STATE_BYTES.saturating_sub(beside.len()));
        seal(&packed, STATE_VERSION, beside)
    }

    /// Whether all numbers can be calculated with: whoever may write to a store may write a checksum, too.
    pub fn is_sound(&self) -> bool {
        let is_part = |parts: u32| parts <= MOST_PARTS;
        let is_sound = |checkpoint: &Checkpoint| {
            let head = checkpoint.head.unwrap_or_default();
            is_part(checkpoint.parts)
                && is_part(checkpoint.messages)
                && is_part(checkpoint.folded_tokens)
                && is_part(checkpoint.tokens)
                && head.from <= head.to
                && head.to <= checkpoint.parts
                && is_part(checkpoint.record.steps)
                && checkpoint.summary_end <= checkpoint.record.steps
                && (checkpoint.results_in.is_empty() || is_directory(&checkpoint.results_in))
        };
        let is_named = |decision: &Decision| match decision.action {
            Action::Clear { retrieval: Retrieval::File { directory }, .. } => usize::from(directory) < self.directories.len(),
            Action::Cap { retrieval: Retrieval::File { .. }, .. } => false,
            _ => true,
        };
        let is_short = |decision: &Decision| match &decision.action {
            Action::Clear { keeps: Some(Kept::Digest(text)), .. } => first_chars(text, RESULT_DIGEST_CHARS) == &**text,
            _ => true,
        };
        self.checkpoints.iter().all(is_sound)
            && self.decisions.iter().all(|decision| is_named(decision) && is_short(decision))
            && self.directories.len() <= DIRECTORIES
            && self.directories.iter().all(|directory| is_directory(directory))
            && is_part(self.planned_parts)
            && self.put_in.len() <= MOST_PUT_IN
            && self.calibration.len() <= CALIBRATED_MODELS
            && self.calibration.iter().all(|entry| entry.learnt.is_sound())
    }

    /// Whether anything was ever folded, cleared, cut or left out.
    pub fn has_edits(&self) -> bool {
        self.has_decisions() || self.thoughts.parts > 0
    }

    fn has_decisions(&self) -> bool {
        !self.checkpoints.is_empty() || !self.decisions.is_empty()
    }

    /// Whether the same is decided about the history.
    pub fn decides_as(&self, other: &FoldState) -> bool {
        let packed = |state: &FoldState| to_bytes(&(&state.checkpoints, &state.decisions));
        packed(self) == packed(other)
    }

    /// Takes back the newest checkpoint and what was decided since; what the model pinned since stays so. Returns whether there was anything.
    pub fn undo(&mut self) -> bool {
        let is_pin = |decision: &Decision| decision.action == Action::Pin;
        let had_decisions = !self.checkpoints.is_empty() || !self.decisions.iter().all(is_pin);
        self.checkpoints.pop();
        self.decisions.retain(is_pin);
        if had_decisions {
            // Thoughts of the meantime were made with what is taken back.
            self.thoughts = Prefix::ALL;
        }
        had_decisions
    }

    /// What was learnt of a model.
    pub fn calibration_of(&self, model: &str) -> Option<Calibration> {
        self.calibration.iter().find(|entry| entry.model == model).map(|entry| entry.learnt)
    }

    /// Keeps what was learnt of a model.
    pub fn remember_calibration(&mut self, model: &str, learnt: Calibration) {
        self.calibration.retain(|entry| entry.model != model);
        self.calibration.push(ModelCalibration { model: first_chars(model, 200).to_owned(), learnt });
        let surplus = self.calibration.len().saturating_sub(CALIBRATED_MODELS);
        self.calibration.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::record::{Conclusion, Record};

    #[test]
    fn a_state_whose_record_has_nothing_left_to_lose_is_packed_all_the_same() {
        let mut state = sample();
        let text = "a".repeat(4 * LEAST_RECORD_BYTES);
        state.checkpoints[0].record.conclusions.push(Conclusion { step: 1, text });
        assert!(state.packed_within(LEAST_RECORD_BYTES).len() <= LEAST_RECORD_BYTES);
    }

    fn sample() -> FoldState {
        let mut state = FoldState::default();
        let retrieval = Retrieval::File { directory: 0 };
        let actions = [
            Action::Clear { keeps: Some(Kept::Parts([(150, 190)].into())), retrieval: Retrieval::Call },
            Action::Clear { keeps: Some(Kept::Digest("Twelve rooms are free.".into())), retrieval },
            Action::Cap { tokens: 9_000, parts: Box::default(), retrieval: Retrieval::CallIfReads },
        ];
        let decisions = [0xabc, 0xabd, 0xdef].into_iter().zip(0..).zip(actions);
        state.decisions.extend(decisions.map(|((fingerprint, nth), action)| Decision { fingerprint, nth, action }));
        state.directories.push("tool-results".into());
        state.checkpoints.push(Checkpoint {
            parts: 3,
            chain: Chain { first: 9, second: 9 },
            record: Record { request: "do it".into(), ..Record::default() },
            ..Checkpoint::default()
        });
        state.remember_calibration("gpt-5", Calibration::new(1.03, 0.0));
        state
    }

    #[test]
    fn a_state_comes_back_from_json_as_it_was() {
        let mut state = sample();
        let text = state.to_json();
        assert_eq!(FoldState::from_json(&text).unwrap(), state);
    }

    #[test]
    fn a_foreign_or_damaged_state_is_refused_with_a_reason() {
        let good = sample().to_json();
        let middle = good.len() / 2;
        let flipped = format!("{}{}{}", &good[..middle], if &good[middle..=middle] == "A" { "B" } else { "A" }, &good[middle + 1..]);
        let rows = [
            ("", "no stepfold state"),
            ("null", "no stepfold state"),
            ("[]", "no stepfold state"),
            (r#"{"version":1}"#, "no stepfold state"),
            (r#"{"version":1,"data":""}"#, "version 1"),
            (r#"{"version":14,"data":""}"#, "damaged"),
            (r#"{"version":9,"data":""}"#, "version 9"),
            (r#"{"version":14,"data":"%%%"}"#, "damaged"),
            (&flipped, "damaged"),
            (&" ".repeat(STATE_BYTES + 1), "bytes"),
        ];
        for (text, reason) in rows {
            let error = FoldState::from_json(text).unwrap_err();
            assert!(error.contains(reason), "{reason}: {error}");
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_read_as_another_state_but_never_trap() {
        let good = sample().to_packed();
        for length in (0..good.len()).filter(|length| *length != crate::pack::to_bytes(&sample()).len()) {
            assert_eq!(FoldState::from_packed(&good[..length]), None, "cut to {length}");
        }
        for at in 0..good.len() {
            for byte in 0..=u8::MAX {
                let mut bytes = good.clone();
                bytes[at] = byte;
                if let Some(mut state) = FoldState::from_packed(&bytes) {
                    state.to_json();
                }
            }
            // Each place as a count that promises more than there is.
            let promise = [&good[..at], &[0xff, 0xff, 0xff, 0xff, 0x0f], &good[at..]].concat();
            if let Some(mut state) = FoldState::from_packed(&promise) {
                state.to_json();
            }
        }
    }

    #[test]
    fn a_state_that_names_no_sound_directory_is_refused() {
        for (directories, results_in) in
            [(vec![], ""), (vec!["a\nb"], ""), (vec![""], ""), (vec!["a"; DIRECTORIES + 1], ""), (vec!["a"], "b\n[Checkpoint")]
        {
            let mut state = sample();
            state.directories = directories.iter().map(|directory| (*directory).to_owned()).collect();
            state.checkpoints[0].results_in = results_in.to_owned();
            assert_eq!(FoldState::from_json(&state.to_json()), Err("it is damaged".to_owned()), "{directories:?} {results_in:?}");
        }
    }

    #[test]
    fn a_state_never_exceeds_its_limit() {
        let mut state = sample();
        for n in 0..60_000 {
            state.decisions.push(Decision {
                fingerprint: n,
                nth: 0,
                action: Action::Clear { keeps: Some(Kept::nothing()), retrieval: Retrieval::Call },
            });
        }
        state
            .checkpoints
            .push(Checkpoint { record: Record { request: "x".repeat(100_000), ..Record::default() }, ..Checkpoint::default() });
        assert!(state.to_json().len() <= STATE_BYTES);
        assert_eq!(state.checkpoints.len(), 1);
        assert!(!state.decisions.is_empty());
    }
}
