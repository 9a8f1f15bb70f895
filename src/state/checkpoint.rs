//! What stands for a folded span, as a state remembers it.

use serde::{Deserialize, Serialize};

use crate::digest::record::Record;
use crate::model::fingerprint::{Chain, Fingerprint, Outline};

/// What stands for a folded span. Its text is a pure function of it (`words::checkpoint`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Parts of the history it covers, from the start.
    pub parts: u32,
    /// The chain over these parts.
    pub chain: Chain,
    /// Parts up to the end of the provider's block that it stands behind: what is before that it may not tell. Zero where there is none.
    #[serde(skip)]
    pub behind_parts: u32,
    /// The outline of what it covers, by which it is found where the same history has come back in another form.
    #[serde(skip)]
    pub outline: Outline,
    /// Messages it covers.
    pub messages: u32,
    /// Estimated tokens of these messages.
    pub folded_tokens: u32,
    /// What the digest keeps of these messages.
    pub record: Record,
    /// Tokens its text may take.
    pub tokens: u32,
    /// The summarizer's text, when there is one.
    pub summary: Option<String>,
    /// The step up to which it goes: what was folded later without one is told beside it. Zero where that is not known.
    pub summary_end: u32,
    /// What the app says of its own state: plan, documents, notes.
    pub working: String,
    /// What the app says at its end.
    pub note: String,
    /// The app keeps a plan, which goes before what was read off the calls.
    pub app_has_plan: bool,
    /// Latest results of tools that are to be kept, and results that the model has pinned, oldest first.
    pub kept: Vec<KeptResult>,
    /// Pictures and files of the message that is being answered, oldest first, which the checkpoint carries along.
    pub media: Vec<Fingerprint>,
    /// A message of the user behind it goes on with the turn that it ends in.
    #[serde(skip)]
    pub ends_within_turn: bool,
    /// Messages of the span that stay after the checkpoint: the start of a tool loop that must go on beginning with its thought.
    pub head: Option<Head>,
    /// The directory that holds results of the folded calls as files; empty when none does.
    pub results_in: String,
    /// Results can be recalled by a tool.
    pub recalls: bool,
}

/// The start of the running tool loop, as parts of the history: the model's first answer and its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Parts before it.
    pub from: u32,
    /// Parts up to its end.
    pub to: u32,
}

/// The latest result of a tool that is to be kept, or a pinned one, kept beyond the fold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptResult {
    /// The tool.
    pub tool: String,
    /// The result's text.
    pub text: String,
    /// The model has pinned it.
    pub pinned: bool,
}

impl Checkpoint {
    /// The id that stands in its text and marker.
    pub fn id(&self) -> String {
        self.chain.short_id()
    }

    /// Makes request and summary half as long. False where nothing is left to lose.
    pub fn shorten_texts(&mut self) -> bool {
        let said = self.record.said();
        let is_shorter = self.summary.as_mut().is_some_and(|summary| said.halve(summary));
        said.halve(&mut self.record.request) || is_shorter
    }

    /// Carries no more than the last `count` of its pictures and files.
    pub fn carry_last(&mut self, count: usize) {
        for _ in count..self.media.len() {
            self.media.remove(0);
            if let Some(message) = self.record.users.iter_mut().find(|message| message.shown > 0) {
                message.shown -= 1;
            }
        }
    }
}
