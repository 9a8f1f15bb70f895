//! How many tokens the words of the user and what was done take, which outlast every fold: a checkpoint has room for them beside its own.
//! Decides nothing, and reads no text.

use crate::digest::effect::Effect;
use crate::model::entry::Kind;
use crate::model::message::Role;
use crate::plan::draft::Draft;

/// Bytes of a token, roughly: of three letters, or of one that a script without spaces has.
const BYTES_A_TOKEN: usize = 3;
/// Tokens of an act in a checkpoint, roughly.
const ACT_TOKENS: u64 = 45;

/// What outlasts a fold, in estimated tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lasting {
    /// Later messages of the user.
    pub words: u64,
    /// Calls that changed something.
    pub acts: u64,
}

/// What is recorded of both, and what stands in messages that are not folded.
pub fn lasting(draft: &Draft<'_>) -> Lasting {
    let recorded = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded.record);
    let user_bytes: usize =
        recorded.iter().flat_map(|record| &record.users).map(|message| message.text.len() + message.needed_question().len() + 12).sum();
    let done = recorded.map_or(0, |record| record.acts.bytes());
    let mut lasting = Lasting { words: (user_bytes / BYTES_A_TOKEN) as u64, acts: (done / BYTES_A_TOKEN) as u64 };
    for place in draft.places().filter(|place| !draft.history.is_own(place.message)) {
        let part = draft.history.part(place);
        match part.kind {
            Kind::Text if draft.history.entries[place.message].role() == Role::User => lasting.words += u64::from(part.tokens),
            Kind::Call => {
                let effect = part.call_facts.as_ref().map_or(Effect::Unknown, |call_facts| call_facts.effect);
                lasting.acts += if draft.tools.effect(&part.name, effect) == Effect::Acts { ACT_TOKENS } else { 0 };
            }
            _ => {}
        }
    }
    lasting
}
