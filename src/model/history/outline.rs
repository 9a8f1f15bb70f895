//! The history as any form of it has it: a stored chat comes back without what its results said, and calls may be written otherwise.

use std::ops::Range;

use super::{History, Place};
use crate::model::fingerprint::{Fingerprint, Prefix};
use crate::state::Checkpoint;

impl History<'_> {
    /// Index of the message before which the history ends that a checkpoint covers: the same parts, or else the same outline of them.
    pub fn find_checkpoint(&self, Checkpoint { parts, chain, outline, .. }: &Checkpoint) -> Option<usize> {
        self.find_boundary(*parts, *chain).or_else(|| self.find_outline(outline.prefix))
    }

    fn find_outline(&self, prefix: Prefix) -> Option<usize> {
        let outlines = self.outlines();
        (self.start()..outlines.len()).find(|index| prefix.parts > 0 && outlines[*index] == prefix && self.units[*index])
    }

    /// The outline of the history before message `index`; of no parts where it is not known.
    pub fn outline(&self, index: usize) -> Prefix {
        self.outlines().get(index).copied().unwrap_or_default()
    }

    /// The parts of these messages that the outline has, with what it has of each.
    pub fn outlined(&self, messages: Range<usize>) -> impl Iterator<Item = (Place, Fingerprint)> + '_ {
        let outlined = |place| {
            let (part, fingerprint) = (self.part(place), self.fingerprint(place));
            // What is edited is what it was, and what the history does not have, no form of it has.
            let outline = if part.outline == part.fingerprint || fingerprint == 0 { fingerprint } else { part.outline };
            (place, outline)
        };
        self.places(messages.start, messages.end).map(outlined).filter(|(_, outline)| *outline != 0)
    }

    fn outlines(&self) -> &[Prefix] {
        self.outlines.get_or_init(|| {
            let mut at = self.own_checkpoint.map_or_else(Prefix::default, |own| own.outline.prefix);
            if self.own_checkpoint.is_some() && at.parts == 0 {
                return Vec::new();
            }
            let mut outlines = Vec::with_capacity(self.entries.len() + 1);
            for (message, entry) in self.entries.iter().enumerate() {
                outlines.push(at);
                if let Some(span) = entry.span() {
                    at = span.outline;
                } else if message >= self.start() {
                    at = self.outlined(message..message + 1).fold(at, |at, (_, outline)| at.then(outline));
                }
            }
            outlines.push(at);
            outlines
        })
    }
}
