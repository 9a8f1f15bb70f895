//! The list as it would be sent: entries, what is folded, and what is done to single parts. Rungs change the draft; edits are read off it.
//! Decides nothing.

use std::ops::Range;

mod block;
mod bridges;
pub mod carried;
mod change;
mod digests;
mod expected;
mod folding;
mod retrieval;
mod thoughts;

pub use change::file_text;
use change::{Changed, Outline, carry_out};
pub use digests::{DigestGiven, DigestRequest, Digests, read_digests};
use retrieval::directories_of;

use crate::digest::tools::Tools;
use crate::model::entry::{Entry, Kind};
use crate::model::fingerprint::Fingerprint;
use crate::model::history::{History, Place, Places, fingerprint_id};
use crate::model::message::{Call, Message, Part, Role};
use crate::plan::behind::Behind;
use crate::plan::edit::Edit;
use crate::policy::ladder::PLACEHOLDER_MARGIN;
use crate::providers::blocks::Blocks;
use crate::providers::thinking::Thinking;
use crate::state::{Action, Checkpoint, Decision, Kept, Prefix, Retrieval};
use crate::text::hash::HashMap;
use crate::tokens::MESSAGE_TOKENS;
use crate::tokens::estimate::estimate_tokens;
use crate::words::bridge::BRIDGE;
use crate::words::checkpoint::checkpoint_text;

/// Reads a message again when an edit needs its text. Nothing else gets from entries back to text.
pub trait Source {
    /// The message at `index` of the list, or `None` when it can no longer be read.
    fn message(&self, index: usize) -> Option<Message>;
    /// The messages at these indices, unreadable where they can no longer be read. With `text_only`, only their texts are needed.
    fn messages(&self, indices: &[u32], _text_only: bool) -> Vec<Message> {
        indices.iter().map(|index| self.message(*index as usize).unwrap_or_else(Message::unreadable)).collect()
    }
    /// Tokens of a text of ours, counted as the entries were.
    fn count(&self, text: &str) -> u32 {
        estimate_tokens(text)
    }
    /// Whether results can be recalled by an id: then placeholders name it.
    fn recalls(&self) -> bool {
        false
    }
    /// The directory into which results are written as files, if any: placeholders then name the file.
    fn offload_directory(&self) -> Option<&str> {
        None
    }
    /// Whether `count` is the estimator.
    fn estimates(&self) -> bool {
        true
    }
}

/// A checkpoint as part of a draft.
#[derive(Clone)]
pub struct DraftCheckpoint {
    /// What is recorded.
    pub recorded: Checkpoint,
    /// Pictures and files of the message that is being answered which it carries along.
    pub copies: Vec<Place>,
    /// Messages that stay before it: those around a provider's compaction block.
    pub block: Range<usize>,
    /// Messages of the span that stay behind it (`state::Checkpoint::head`).
    pub head: Range<usize>,
    /// First message after the span it stands for.
    pub end: usize,
    /// It stands in the list already (carried forward or stored), so no edit is needed.
    pub in_place: bool,
    /// What of the span stands behind it because it acts by being there: before the head, and after it.
    pub carried: [Vec<Behind>; 2],
    /// Its estimated tokens.
    carried_tokens: u64,
    tokens: u32,
}

impl DraftCheckpoint {
    /// What stands behind it, in order.
    fn behind(&self) -> Vec<Behind> {
        let [before, after] = self.carried.clone();
        let head = self.head.clone().map(|message| Behind::Message { message });
        before.into_iter().chain(head).chain(after).collect()
    }
}

/// The list as it would be sent. A copy is a draft to try something on.
#[derive(Clone)]
pub struct Draft<'a> {
    /// The list.
    pub history: &'a History<'a>,
    pub(super) source: &'a dyn Source,
    /// What the app says of its own state, as JSON.
    pub working: Option<&'a str>,
    /// What the app says at the end of a checkpoint.
    pub note: Option<&'a str>,
    /// Effects and rules of tools.
    pub tools: Tools<'a>,
    /// The user's own digests of results.
    pub digests: Option<&'a Digests>,
    /// Results whose digests are wanted.
    wanted: Vec<Place>,
    /// The checkpoint that stands for the folded start, if any.
    pub checkpoint: Option<DraftCheckpoint>,
    thinking: Thinking,
    /// Messages that hold a provider's compaction block, as far as the model reads one, in order.
    blocks: Vec<usize>,
    /// First message behind the system messages that the model reads.
    first: usize,
    /// The history up to the thoughts that have lost their prefix to an edit (`state::FoldState::thoughts`).
    thoughts: Prefix,
    /// The newest thought that still has its prefix.
    newest_thought: Option<Place>,
    /// What the state says of thoughts is about another history.
    has_foreign_state: bool,
    /// What was decided about single parts.
    changes: HashMap<Place, (Action, Change)>,
    /// Results that are taken to be cleared, to about so many tokens, unless they are folded: no placeholder was written yet.
    expected: HashMap<Place, u32>,
    /// Directories of files that decisions name.
    directories: Vec<String>,
    /// Which of them new files are for, and the bytes that may still be written there.
    offload: Option<(u8, usize)>,
    /// The message that was read last to change a part of it.
    last: Option<(usize, Message, Vec<usize>)>,
    /// The message that was read last for the call of a result.
    last_calls: Option<(usize, Message)>,
    /// Messages that the session has inserted: the app's list does not have them.
    inserted: &'a [usize],
    /// Messages before which a bridge stands.
    bridges: Vec<usize>,
    /// Estimated tokens of bridges, and of what stepfold has put into the list before.
    own_tokens: u64,
    /// Until the next edit a message of the user stays beside the checkpoint (`state::FoldState::side_by_side`).
    keeps_neighbours: bool,
    total: u64,
}

/// A part that a rung changed, and the estimated tokens that saved.
pub type Saving = (Place, u32);

/// What a decision does to its part.
#[derive(Clone)]
enum Change {
    /// The part arrived edited; nothing is to be done.
    InPlace,
    /// The part is to be changed.
    New(Changed),
}

impl<'a> Draft<'a> {
    /// The list as it came, without any decision, for a model that demands this of thoughts and reads these blocks.
    pub fn new(history: &'a History<'a>, source: &'a dyn Source, thinking: Thinking, blocks: Blocks) -> Draft<'a> {
        let (blocks, first) = block::blocks_of(history, blocks);
        let (directories, offload) = directories_of(history.state, source.offload_directory());
        let mut draft = Draft {
            history,
            directories,
            offload,
            source,
            working: None,
            note: None,
            tools: Tools::default(),
            digests: None,
            wanted: Vec::new(),
            checkpoint: None,
            thinking,
            blocks,
            first,
            thoughts: Prefix::default(),
            newest_thought: None,
            has_foreign_state: false,
            changes: HashMap::default(),
            expected: HashMap::default(),
            last: None,
            last_calls: None,
            inserted: &[],
            bridges: Vec::new(),
            own_tokens: 0,
            keeps_neighbours: history.state.side_by_side,
            total: 0,
        };
        draft.total = draft.unedited_tokens();
        draft.own_tokens = draft.tokens_of_own(0);
        if let Some(own) = history.own_checkpoint.filter(|_| history.own_at >= first) {
            let tokens = history.entries[history.own_at].tokens();
            draft.checkpoint = Some(DraftCheckpoint {
                recorded: own.clone(),
                copies: history.places(history.own_at, history.own_at + 1).filter(|place| history.is_attached(*place)).collect(),
                // Whatever blocks the model reads: these messages are in the list.
                block: first..history.own_at,
                head: history.own_head(),
                end: history.start(),
                in_place: true,
                carried: Default::default(),
                carried_tokens: 0,
                tokens,
            });
        }
        draft
    }

    /// Tokens of a text of ours.
    pub fn count(&self, text: &str) -> u32 {
        self.source.count(text)
    }

    /// Estimated tokens of the list as it would be sent.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// First message that is not folded.
    pub fn start(&self) -> usize {
        self.checkpoint.as_ref().map_or(self.history.start().max(self.first), |checkpoint| checkpoint.end)
    }

    /// Messages of which only the checkpoint is sent: while it stands, no plan reads them.
    pub fn covered(&self) -> Vec<Range<usize>> {
        // One behind a block, or that covers one, may not stand for a model that reads another.
        let covers_block = |end: usize| self.history.entries[..end].iter().any(Entry::has_native_compaction);
        let stays_for_all = |checkpoint: &&DraftCheckpoint| !checkpoint.in_place && !covers_block(checkpoint.end);
        let Some(DraftCheckpoint { block, head, end, .. }) = self.checkpoint.as_ref().filter(stays_for_all) else {
            return Vec::new();
        };
        // What acts by being there is looked at again by each fold.
        let carrying = self.history.carrying();
        let stays = |message: &usize| block.contains(message) || head.contains(message) || carrying.binary_search(message).is_ok();
        let mut spans: Vec<Range<usize>> = Vec::new();
        for message in (self.first..*end).filter(|message| !stays(message)) {
            match spans.last_mut() {
                Some(span) if span.end == message => span.end += 1,
                _ => spans.push(message..message + 1),
            }
        }
        spans
    }

    /// Messages that a checkpoint covers and yet keeps behind it.
    pub fn head(&self) -> Range<usize> {
        self.checkpoint.as_ref().map_or(0..0, |checkpoint| checkpoint.head.clone())
    }

    /// All parts that are not folded, in the order of the list; system messages at its start are never edited.
    pub fn places(&self) -> Places<'a> {
        self.history.places_of([self.block(), self.head(), self.start()..self.history.entries.len()])
    }

    /// The message at `index`, read again, without secrets: what is chosen or cut of it holds no part of one.
    pub fn read(&self, index: usize) -> Option<Message> {
        Some(self.source.message(index)?.cleaned().0)
    }

    /// Whether results can be recalled by a tool.
    pub fn recalls(&self) -> bool {
        self.source.recalls()
    }

    /// The messages at these indices, read again at once. With `text_only`, of their parts only texts are sure to be whole.
    pub fn read_all(&self, indices: &[u32], text_only: bool) -> Vec<Message> {
        self.source.messages(indices, text_only).into_iter().map(|message| message.cleaned().0).collect()
    }

    /// Estimated tokens of a part as it would be sent.
    pub fn part_tokens(&self, place: Place) -> u32 {
        if let Some(tokens) = self.expected.get(&place) {
            return *tokens;
        }
        match self.change(place) {
            _ if self.leaves_out(place) => 0,
            Some((_, Change::New(changed))) => changed.tokens,
            Some((_, Change::InPlace)) | None => self.history.part(place).tokens,
        }
    }

    /// Estimated tokens of messages `from..end` as they would be sent, without what stepfold has put among them.
    pub fn span_tokens(&self, from: usize, end: usize) -> u64 {
        let messages = (from..end).filter(|message| !self.leaves_out_all(*message) && !self.history.is_own(*message)).count();
        let places = self.history.places(from, end).filter(|place| !self.history.is_own(place.message));
        messages as u64 * u64::from(MESSAGE_TOKENS) + places.map(|place| u64::from(self.part_tokens(place))).sum::<u64>()
    }

    /// What was decided about a part.
    pub fn action(&self, place: Place) -> Option<Action> {
        if self.expected.contains_key(&place) {
            return Some(Action::Clear { keeps: Some(Kept::nothing()), retrieval: Retrieval::Nothing });
        }
        self.change(place).map(|(action, _)| action.clone())
    }

    fn change(&self, place: Place) -> Option<&(Action, Change)> {
        self.changes.get(&place)
    }

    fn set_change(&mut self, place: Place, action: Action, change: Change) {
        self.changes.insert(place, (action, change));
    }

    /// Marks a part that arrived with our edit already in it.
    pub fn keep_in_place(&mut self, place: Place, decision: &Decision) {
        self.set_change(place, decision.action.clone(), Change::InPlace);
    }

    /// Marks a part that nothing may be done to.
    pub fn pin(&mut self, place: Place) {
        self.set_change(place, Action::Pin, Change::InPlace);
    }

    /// Unpins a part.
    pub fn unpin(&mut self, place: Place) {
        self.changes.remove(&place);
    }

    /// How many messages of a span there are, and their estimated tokens before results were cleared or cut.
    pub fn span_size(&self, span: Range<usize>) -> (usize, u64) {
        let is_told = |message: usize| !self.leaves_out_all(message) && !self.history.is_own(message);
        let messages = span.clone().filter(|message| is_told(*message)).count();
        let places =
            self.history.places(span.start, span.end).filter(|place| !self.leaves_out(*place) && !self.history.is_own(place.message));
        let tokens: u64 = places.map(|place| u64::from(self.history.part(place).tokens)).sum();
        (messages, tokens + messages as u64 * u64::from(MESSAGE_TOKENS))
    }

    /// Tries a new action on a part. Returns the tokens it saves; when it saves nothing the draft stays as it was.
    pub fn apply(&mut self, place: Place, action: Action) -> u32 {
        // A new result that is cut moves nothing that was sent.
        let is_edit = !matches!(action, Action::Cap { .. });
        let saved = self.hold_part(place, action);
        if saved > 0 {
            if is_edit {
                self.edited();
            }
            self.lose_thoughts_before(place);
        }
        saved
    }

    /// Carries out an action on a part, as was decided. Returns the tokens it saves; when it saves nothing the draft stays as it was.
    pub fn hold_part(&mut self, place: Place, action: Action) -> u32 {
        if self.history.fingerprint(place) == 0 {
            return 0;
        }
        if action == Action::Pin {
            self.pin(place);
            return 0;
        }
        self.read_last(place.message);
        let call = if matches!(action, Action::Clear { .. }) { self.call_of(place) } else { None };
        let Some((_, message, _)) = &self.last else { return 0 };
        let measured = self.measured(place);
        let fingerprint = self.history.fingerprint(place);
        let count = |text: &str| self.source.count(text);
        let original = message.parts.get(place.part);
        let ended = Outline::Of(call.as_ref());
        let Some(changed) =
            original.and_then(|original| carry_out(original, ended, &action, fingerprint, &self.directories, &count, measured))
        else {
            return 0;
        };
        let tokens = changed.tokens;
        let before = self.part_tokens(place);
        // A placeholder is in other words than the result, and sometimes in another script: what an estimate saves by a hair, the provider's
        // count may lose.
        let margin = if self.source.estimates() && matches!(action, Action::Clear { .. }) { tokens / PLACEHOLDER_MARGIN } else { 0 };
        // What is about images and not tokens is done also where a line takes more than a tiny one.
        let must = action == Action::OverLimit || action == Action::AgeImages && self.history.part(place).kind == Kind::Result;
        if !must && tokens + margin >= before {
            return 0;
        }
        self.total = (self.total + u64::from(tokens)).saturating_sub(u64::from(before));
        self.set_change(place, action, Change::New(changed));
        before.saturating_sub(tokens).max(1)
    }

    /// Keeps the message that was read last: rungs go through a message part by part.
    fn read_last(&mut self, index: usize) {
        if self.last.as_ref().is_none_or(|(last, ..)| *last != index) {
            self.last = self.source.message(index).map(Message::cleaned).map(|(message, changed)| (index, message, changed));
        }
    }

    /// The call of a result. Results of one step are cleared one after the other: the message of their calls is read once.
    fn call_of(&mut self, result: Place) -> Option<Call> {
        let place = self.history.call_of(result)?;
        if self.last_calls.as_ref().is_none_or(|(index, _)| *index != place.message) {
            self.last_calls = self.read(place.message).map(|message| (place.message, message));
        }
        match self.last_calls.as_ref()?.1.parts.get(place.part)? {
            Part::Call(call) => Some(call.clone()),
            _ => None,
        }
    }

    /// Tries to replace a result by a placeholder, or what the user attached by a line. Returns the tokens it saves.
    pub fn clear(&mut self, place: Place, keeps: Option<Kept>) -> u32 {
        if self.history.part(place).kind == Kind::Media {
            return self.apply(place, Action::AgeImages);
        }
        let (retrieval, bytes) = self.choose_retrieval(place);
        let saved = self.apply(place, Action::Clear { keeps, retrieval });
        if let Some((_, left)) = self.offload.as_mut().filter(|_| saved > 0) {
            *left -= bytes;
        }
        saved
    }

    /// The parts that are not folded, each with how many before it have the same fingerprint.
    pub fn occurrences(&self) -> impl Iterator<Item = (Place, u32)> + use<'a> {
        let history = self.history;
        let mut counts: HashMap<Fingerprint, u32> = HashMap::default();
        self.places().map(move |place| {
            let count = counts.entry(history.fingerprint(place)).or_default();
            *count += 1;
            (place, *count - 1)
        })
    }

    /// How many decisions about single parts there are.
    pub fn decision_count(&self) -> usize {
        self.changes.len()
    }

    /// The decisions about single parts, in the order of the list.
    pub fn decisions(&self) -> Vec<Decision> {
        let decided = self.occurrences().filter_map(|(place, nth)| Some((place, nth, self.action(place)?)));
        decided.map(|(place, nth, action)| Decision { fingerprint: self.history.fingerprint(place), nth, action }).collect()
    }

    /// What must be changed in the list to send it like this.
    pub fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        if let Some(checkpoint) = self.checkpoint.as_ref().filter(|checkpoint| !checkpoint.in_place) {
            edits.push(Edit::Checkpoint {
                start: self.first,
                end: checkpoint.end,
                block: checkpoint.block.clone(),
                behind: checkpoint.behind(),
                id: checkpoint.recorded.id(),
                text: checkpoint_text(&checkpoint.recorded),
                copies: checkpoint.copies.clone(),
            });
        }
        edits.extend(self.bridges().iter().map(|before| Edit::Bridge { before: *before, text: BRIDGE }));
        for place in self.places() {
            if let Some((_, Change::New(Changed { change, .. }))) = self.change(place) {
                edits.push(Edit::Part { place, id: fingerprint_id(self.history.fingerprint(place)), change: change.clone() });
            }
        }
        // Behind the others: they name parts by where they stood.
        let thoughts: Vec<Place> = self.places().filter(|place| self.leaves_out(*place)).collect();
        for of_message in thoughts.chunk_by(|first, second| first.message == second.message) {
            let parts = of_message.iter().map(|place| place.part).collect();
            edits.push(Edit::LeaveOut { message: of_message[0].message, parts });
        }
        edits
    }
}

/// Whether a part is a client tool's result whose output may be replaced.
pub fn is_replaceable_result(history: &History, place: Place) -> bool {
    let part = history.part(place);
    part.kind == Kind::Result && part.replaceable && history.entries[place.message].role() == Role::Tool
}
