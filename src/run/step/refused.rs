//! What a step learns from why its list was refused: a smaller window, bound thoughts, how many images a request may hold. Plans nothing.

use super::Step;
use crate::plan::{DroppedReasoning, Held};
use crate::providers::media::MediaLimit;
use crate::providers::refusal::Refusal;
use crate::providers::thinking::Thinking;
use crate::run::event::Event;

/// Bytes of a request for each token of text, at most.
const BYTES_PER_TOKEN: f64 = 4.0;

impl Step<'_> {
    /// Takes in why the list was refused, which holds so many images and bytes. Returns the event about it.
    pub(super) fn learn_refusal(&mut self, refusal: &Refusal, unsent: f64, held: Held) -> Option<Event> {
        match refusal {
            // What is refused for its bytes and holds more of them in images than in text has too many in images.
            Refusal::Overflow(overflow) if overflow.by_bytes && held.bytes as f64 > unsent * BYTES_PER_TOKEN => {
                let bytes = held.bytes / 2;
                Some(self.learn_media_limit(MediaLimit { images: None, bytes: Some(bytes) }, false))
            }
            Refusal::TooManyImages(most) => {
                let guess = if *most > 0 { *most } else { held.images / 2 };
                // What else the host counts stands in no text of ours.
                let images = guess.min(held.images.saturating_sub(1));
                Some(self.learn_media_limit(MediaLimit { images: Some(images), bytes: None }, *most > 0))
            }
            Refusal::Overflow(overflow) => {
                let tokens = self.run.refused(overflow, unsent).round() as u32;
                let context_window = self.settings.with(&self.run.calibration.traits).window_tokens as u32;
                Some(Event::Overflow { tokens, context_window, reported: overflow.window_tokens > 0.0 })
            }
            Refusal::Thoughts => {
                self.sent_all_thoughts = self.thinking() != Thinking::Bound;
                self.run.calibration.traits.binds_thoughts = true;
                self.loses_thoughts = Some(DroppedReasoning::Refused);
                None
            }
            Refusal::Binding => {
                self.run.calibration.traits.refuses_binding = true;
                Some(Event::BindingRefused)
            }
        }
    }

    fn learn_media_limit(&mut self, learnt: MediaLimit, reported: bool) -> Event {
        let known = &mut self.run.calibration.traits.media;
        *known = known.and(learnt);
        Event::ImageLimit { max_images: known.images, max_image_bytes: known.bytes.map(|bytes| bytes as f64), reported }
    }
}
