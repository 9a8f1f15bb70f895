//! How results can be retrieved that a draft clears: by the tool, by recall or in a file; and where files are. Clears nothing.

use std::rc::Rc;

use super::change::{Changed, Outline, carry_out};
use super::{Change, Draft, Saving};
use crate::digest::effect::{Effect, effect_of_call};
use crate::json::Value;
use crate::model::entry::call_text_tokens;
use crate::model::history::Place;
use crate::model::message::{Item, Message, Output, Part};
use crate::plan::draft::file_text;
use crate::policy::ladder::{FILES_BYTES, PLACEHOLDER_MARGIN};
use crate::state::{Action, DIRECTORIES, FoldState, Kept, Retrieval};

/// The directories that actions may name, and which of them new files are for, with the bytes that may be written there.
pub fn directories_of(state: &FoldState, wanted: Option<&str>) -> (Vec<String>, Option<(u8, usize)>) {
    let mut directories = state.directories.clone();
    let Some(wanted) = wanted else { return (directories, None) };
    let found = directories.iter().position(|directory| directory == wanted);
    let at = found.unwrap_or(directories.len());
    if found.is_none() && at < DIRECTORIES {
        directories.push(wanted.to_owned());
    }
    let offload = (at < directories.len()).then_some((at as u8, FILES_BYTES));
    (directories, offload)
}

/// A cut from which an offer is taken back loses this part of what it keeps.
const WITHDRAWN_PART: u32 = 4;
/// A cut that comes out larger with parts in it loses this part of what it keeps.
const CORRECTED_PART: u32 = 12;

/// How a call is offered that has such an effect.
fn retrieval_of(effect: Effect) -> Retrieval {
    match effect {
        Effect::Reads => Retrieval::Call,
        Effect::Acts => Retrieval::Nothing,
        Effect::Unknown => Retrieval::CallIfReads,
    }
}

impl Draft<'_> {
    /// Whether the call of a result reads or acts, by all that is known now.
    pub fn effect_of(&self, result: Place) -> Effect {
        let part = self.history.part(result);
        // A result whose call is not there has its name.
        let by_call =
            self.history.call_facts_of(result).map_or_else(|| effect_of_call(&part.name, &Value::Null), |call_facts| call_facts.effect);
        self.tools.effect(&part.name, by_call)
    }

    /// Takes back the offers to call a tool that has turned out to act: an approval was asked, or the user says so now. A declared edit,
    /// though it saves next to nothing. What arrived edited stays as it is.
    pub fn withdraw_offers(&mut self) -> Vec<Saving> {
        let places: Vec<Place> = self.places().collect();
        let mut withdrawn = Vec::new();
        for place in places {
            let action = match self.action(place) {
                // Without the words there is room for a little more of the text, which must not make it larger.
                Some(Action::Cap { tokens, parts, retrieval: Retrieval::Call | Retrieval::CallIfReads }) => {
                    Action::Cap { tokens: tokens - tokens / WITHDRAWN_PART, parts, retrieval: Retrieval::Nothing }
                }
                Some(Action::Clear { keeps, retrieval: Retrieval::Call | Retrieval::CallIfReads }) => {
                    Action::Clear { keeps, retrieval: Retrieval::Nothing }
                }
                _ => continue,
            };
            if self.effect_of(place) != Effect::Acts || !self.is_changed_here(place) {
                continue;
            }
            // More is said of what acted, which a short placeholder has no room for: then it says less.
            let bare = matches!(action, Action::Clear { .. }).then_some(Action::Clear { keeps: None, retrieval: Retrieval::Nothing });
            if let Some(saved) = self.redo_part(place, action).or_else(|| self.redo_part(place, bare?)) {
                self.lose_thoughts_before(place);
                withdrawn.push((place, saved));
            }
        }
        withdrawn
    }

    /// Whether a result arrived cleared: its text is not the one that the tool returned.
    pub fn arrived_cleared(&self, place: Place) -> bool {
        matches!(self.change(place), Some((Action::Clear { .. }, Change::InPlace)))
    }

    /// Whether a part is changed by this plan, and did not arrive so.
    pub(super) fn is_changed_here(&self, place: Place) -> bool {
        matches!(self.change(place), Some((_, Change::New(_))))
    }

    /// Carries out another action in place of one that is held, if it takes no more. Returns the tokens it saves.
    fn redo_part(&mut self, place: Place, action: Action) -> Option<u32> {
        let changed = self.carried_out(place, &action, None)?;
        let saved = self.part_tokens(place).checked_sub(changed.tokens)?;
        self.total = self.total.saturating_sub(u64::from(saved));
        self.set_change(place, action, Change::New(changed));
        Some(saved)
    }

    /// The tokens of a part of the message that was read last, as it was read, and whether they are the estimate of what it says.
    pub(super) fn measured(&self, place: Place) -> (u32, bool) {
        let tokens = self.history.part(place).tokens;
        let read = self.last.as_ref().filter(|(_, _, changed)| changed.contains(&place.part));
        let Some((_, message, _)) = read else { return (tokens, self.source.estimates()) };
        let text_tokens = |message: &Message| match message.parts.get(place.part) {
            Some(Part::Call(call)) => call_text_tokens(&call.name, &call.input, call.omitted_bytes, &|text| self.source.count(text)),
            _ => 0,
        };
        let as_it_came = self.source.message(place.message).map_or(0, |message| text_tokens(&message));
        (tokens.saturating_sub(as_it_came).saturating_add(text_tokens(message)), false)
    }

    /// What an action makes of a part, with how the call of a result ended where that is known.
    fn carried_out(&mut self, place: Place, action: &Action, known: Option<Rc<str>>) -> Option<Changed> {
        self.read_last(place.message);
        let call = if known.is_none() { self.call_of(place) } else { None };
        let ended = known.map_or(Outline::Of(call.as_ref()), Outline::Known);
        let (_, message, _) = self.last.as_ref()?;
        let measured = self.measured(place);
        let fingerprint = self.history.fingerprint(place);
        let count = |text: &str| self.source.count(text);
        let original = message.parts.get(place.part)?;
        carry_out(original, ended, action, fingerprint, &self.directories, &count, measured)
    }

    /// Keeps parts of a result that this plan has cleared, as long as that still saves something. Returns the tokens they take.
    pub fn keep(&mut self, place: Place, parts: Kept) -> u32 {
        let Some((Action::Clear { keeps: Some(_), retrieval }, Change::New(cleared))) = self.change(place) else { return 0 };
        let (retrieval, known) = (*retrieval, cleared.outline.clone());
        let (before, original) = (self.part_tokens(place), self.history.part(place).tokens);
        let action = Action::Clear { keeps: Some(parts), retrieval };
        let Some(changed) = self.carried_out(place, &action, Some(known)) else { return 0 };
        let tokens = changed.tokens;
        if tokens <= before || tokens + tokens / PLACEHOLDER_MARGIN >= original {
            return 0;
        }
        self.total += u64::from(tokens - before);
        self.set_change(place, action, Change::New(changed));
        tokens - before
    }

    /// Tries to cut a result to head and tail. Returns the tokens it saves.
    pub fn cut(&mut self, place: Place, tokens: u32) -> u32 {
        let retrieval = self.retrieval_without_file(place);
        self.apply(place, Action::Cap { tokens, parts: Box::default(), retrieval })
    }

    /// Keeps parts of a result that this plan has cut between head and tail, which become so much shorter. Returns the tokens this saves.
    pub fn keep_between(&mut self, place: Place, parts: Box<[(u32, u32)]>) -> u32 {
        let Some(Action::Cap { tokens, retrieval, .. }) = self.action(place) else { return 0 };
        // Other parts may count a little more.
        let within = [tokens, tokens - tokens / CORRECTED_PART].map(|tokens| Action::Cap { tokens, parts: parts.clone(), retrieval });
        within.into_iter().find_map(|action| self.redo_part(place, action)).unwrap_or(0)
    }

    fn retrieval_without_file(&self, place: Place) -> Retrieval {
        if self.source.recalls() { Retrieval::Recall } else { retrieval_of(self.effect_of(place)) }
    }

    /// How a result is to be had again, and the bytes that are written for it.
    pub(super) fn choose_retrieval(&mut self, place: Place) -> (Retrieval, usize) {
        // The file that was named before is still there.
        if let Some(Action::Clear { retrieval: retrieval @ Retrieval::File { .. }, .. }) = self.action(place) {
            return (retrieval, 0);
        }
        let other = self.retrieval_without_file(place);
        let Some((directory, left)) = self.offload else { return (other, 0) };
        self.read_last(place.message);
        let Some(Part::Result(result)) = self.last.as_ref().and_then(|(_, message, _)| message.parts.get(place.part)) else {
            return (other, 0);
        };
        let holds_media = matches!(&result.output, Output::Content(items) if items.iter().any(|item| matches!(item, Item::Media(_))));
        match file_text(&result.output).len() {
            bytes if bytes > 0 && bytes <= left && !(holds_media && other == Retrieval::Recall) => (Retrieval::File { directory }, bytes),
            _ => (other, 0),
        }
    }

    /// The directory into which results of this plan are written as files, if any.
    pub fn offload_directory(&self) -> Option<&str> {
        self.offload.and_then(|(directory, _)| self.directories.get(usize::from(directory))).map(String::as_str)
    }

    /// Directories of files that actions name.
    pub fn directories(&self) -> &[String] {
        &self.directories
    }

    /// Of these what the state must keep: those that are named, and what stands before them.
    pub fn named_directories(&self) -> Vec<String> {
        let named = self.changes.values().filter_map(|(action, _)| match action {
            Action::Clear { retrieval: Retrieval::File { directory }, .. } => Some(usize::from(*directory) + 1),
            _ => None,
        });
        self.directories[..named.max().unwrap_or(0).min(self.directories.len())].to_vec()
    }
}
