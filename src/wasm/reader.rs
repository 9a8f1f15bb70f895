//! What the planner asks for while it works: text that is not in an entry, and tokens of its own texts.

use super::PlanSource;
use super::read::{Scan, messages};
use crate::message::Message;
use crate::plan::Source;
use crate::settings::Settings;

/// What a plan reads: messages again, and tokens of its own texts.
pub struct Reader<'a> {
    pub source: &'a PlanSource,
    pub fresh: &'a Scan,
    pub settings: &'a Settings,
}

impl Source for Reader<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        messages(&self.source.messages(&[index as u32], false)).pop()
    }

    fn messages(&self, indices: &[u32], text_only: bool) -> Vec<Message> {
        messages(&self.source.messages(indices, text_only))
    }

    fn count(&self, text: &str) -> u32 {
        self.fresh.text_tokens(self.settings, text)
    }

    fn estimates(&self) -> bool {
        !self.settings.has_tokenizer
    }

    fn recalls(&self) -> bool {
        self.source.recalls()
    }
}
