//! Results that are taken to be cleared before anything is written for them: most are folded next, and need no placeholder.
//! Says what that would leave; clears nothing.

use super::Draft;
use crate::model::history::Place;

impl<'a> Draft<'a> {
    /// The draft as if these results were cleared, to about so many tokens each.
    pub fn expecting_cleared(&self, places: &[Place], tokens: u32) -> Draft<'a> {
        let mut draft = self.clone();
        for place in places {
            let before = draft.part_tokens(*place);
            draft.expected.insert(*place, tokens.min(before));
            draft.total -= u64::from(before.saturating_sub(tokens));
        }
        draft
    }

    /// Those of them that still stand, in the order of the list; nothing is expected of them any more.
    pub fn take_expected(&mut self) -> Vec<Place> {
        let expected = std::mem::take(&mut self.expected);
        let places: Vec<Place> = self.places().filter(|place| expected.contains_key(place)).collect();
        self.total += places.iter().map(|place| u64::from(self.part_tokens(*place).saturating_sub(expected[place]))).sum::<u64>();
        places
    }
}
