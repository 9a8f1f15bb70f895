//! What a state holds beyond what version 14 began with. It stands behind that, so that a state without it reads as it did: a new field goes
//! here, and no version is raised.

use serde::{Deserialize, Serialize};

use super::{Checkpoint, FoldState};
use crate::model::fingerprint::{Fingerprint, Outline};
use crate::pack::{first_from_bytes, from_bytes, to_bytes};
use crate::providers::media::MediaLimit;

/// Messages that were put in of which a state knows.
pub const MOST_PUT_IN: usize = 64;

#[derive(Default, Serialize, Deserialize)]
struct Added {
    put_in: Vec<Fingerprint>,
    side_by_side: bool,
    /// `behind_parts`, `outline`, `ends_within_turn` of each checkpoint, and `UserMessage::shown` of each of its messages.
    checkpoints: Vec<(u32, Outline, bool, Vec<u32>)>,
    /// `Traits::media` of each model.
    media: Vec<MediaLimit>,
}

impl FoldState {
    /// Reads a state written by `to_packed`.
    pub fn from_packed(packed: &[u8]) -> Option<FoldState> {
        let (mut state, rest) = first_from_bytes::<FoldState>(packed)?;
        let earlier = || Added { side_by_side: !state.checkpoints.is_empty(), ..Added::default() };
        let added = if rest.is_empty() { earlier() } else { from_bytes::<Added>(rest)? };
        (state.put_in, state.side_by_side) = (added.put_in, added.side_by_side);
        for (checkpoint, added) in state.checkpoints.iter_mut().zip(added.checkpoints) {
            let shown;
            (checkpoint.behind_parts, checkpoint.outline, checkpoint.ends_within_turn, shown) = added;
            checkpoint.record.users.iter_mut().zip(shown).for_each(|(message, shown)| message.shown = shown);
        }
        state.calibration.iter_mut().zip(added.media).for_each(|(model, media)| model.learnt.traits.media = media);
        Some(state).filter(FoldState::is_sound)
    }

    pub(super) fn packed(&self) -> Vec<u8> {
        let added = |checkpoint: &Checkpoint| {
            let shown = checkpoint.record.users.iter().map(|message| message.shown).collect();
            (checkpoint.behind_parts, checkpoint.outline.clone(), checkpoint.ends_within_turn, shown)
        };
        let checkpoints = self.checkpoints.iter().map(added).collect();
        let media = self.calibration.iter().map(|model| model.learnt.traits.media).collect();
        let mut bytes = to_bytes(self);
        bytes.extend(to_bytes(&Added { put_in: self.put_in.clone(), side_by_side: self.side_by_side, checkpoints, media }));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_without_it_is_whole_and_was_sent_side_by_side_where_it_had_folded() {
        let state = FoldState::default();
        let earlier = FoldState::from_packed(&to_bytes(&state)).unwrap();
        assert_eq!((earlier.put_in.len(), earlier.side_by_side), (0, false));
        assert_eq!(FoldState::from_packed(&state.packed()), Some(state));
    }
}
