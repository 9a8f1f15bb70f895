//! The user's own digests of results (`digest` of the option `tools`): which are there, and of which results a draft needs it. The
//! function is called in TypeScript, and the plan made again with what it answers. What becomes of its text is `digest::result_digest`.

use serde::Serialize;

use super::{Change, Draft};
use crate::digest::result_digest::result_digest;
use crate::model::entry::Kind;
use crate::model::history::Place;
use crate::model::message::{Output, Part};
use crate::policy::ladder::DIGESTS_BYTES;
use crate::state::{Action, Kept};
use crate::text::hash::HashMap;
use crate::words::placeholder::is_placeholder;

/// A result of which the user's digest is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DigestRequest {
    /// Its tool.
    pub tool: String,
    /// Its call, if that is there.
    pub call: Option<Place>,
    /// Where it stands.
    pub result: Place,
}

/// What the user's function answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestGiven {
    /// The result.
    pub result: Place,
    /// Its digest; none where the function failed.
    pub text: Option<String>,
}

/// Accounts by their results, as they may stand; none where there is none to be had.
pub type Digests = HashMap<Place, Option<String>>;

/// What the user's functions answered, as it may stand.
pub fn read_digests(given: &[DigestGiven]) -> Digests {
    given.iter().map(|given| (given.result, given.text.as_deref().map(result_digest))).collect()
}

impl Draft<'_> {
    /// The user's own digest of a result, if there is one: recorded with the decision about it, or given to this plan.
    pub fn digest(&self, place: Place) -> Option<&str> {
        match self.change(place) {
            Some((Action::Clear { keeps: Some(Kept::Digest(text)), .. }, _)) => Some(text),
            _ => self.digests?.get(&place)?.as_deref(),
        }
    }

    /// Bytes that decisions may still take for such digests.
    pub fn room_for_digests(&self) -> usize {
        let taken = self.changes.values().map(|(action, _)| match action {
            Action::Clear { keeps: Some(Kept::Digest(text)), .. } => text.len(),
            _ => 0,
        });
        DIGESTS_BYTES.saturating_sub(taken.sum())
    }

    /// Notes that the user's digest of a result is wanted, if there is one and it was not requested yet.
    pub fn want_digest(&mut self, place: Place) {
        let part = self.history.part(place);
        if part.kind != Kind::Result || !self.tools.has_digest(&part.name) {
            return;
        }
        // What arrived edited is not what the tool returned.
        let arrived_edited = matches!(self.change(place), Some((action, Change::InPlace)) if *action != Action::Pin);
        let was_requested = self.digest(place).is_some() || self.digests.is_some_and(|given| given.contains_key(&place));
        if !arrived_edited && !was_requested && !self.wanted.contains(&place) {
            self.wanted.push(place);
        }
    }

    /// The results whose digests are wanted, in the order of the list. Of errors and of what an app has stored in place of a result
    /// there is none.
    pub fn wanted_digests(&self) -> Vec<DigestRequest> {
        let mut wanted = self.wanted.clone();
        crate::text::order::sort_by_numbers(&mut wanted, |place| [place.message as i64, place.part as i64, 0]);
        let returned = |place: &Place| match self.read(place.message).as_ref().and_then(|message| message.parts.get(place.part)) {
            Some(Part::Result(result)) => match &result.output {
                Output::Text(text) => !is_placeholder(text),
                Output::Json(_) | Output::Content(_) => true,
                Output::ErrorText(_) | Output::ErrorJson(_) | Output::Denied(_) | Output::Unknown(_) => false,
            },
            _ => false,
        };
        let request =
            |place: Place| DigestRequest { tool: self.history.part(place).name.clone(), call: self.history.call_of(place), result: place };
        wanted.into_iter().filter(returned).map(request).collect()
    }
}
