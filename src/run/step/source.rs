//! What a plan reads of the list of a request, besides its entries. Decides nothing.

use std::cell::Cell;

use crate::model::history::Place;
use crate::model::message::{Message, Outcome, Part};
use crate::model::scan::{MeasuredBefore, MessageList};
use crate::plan::{Offloads, Source};
use crate::run::step::PlanRequest;
use crate::text::hash::HashMap;

/// What a plan reads: messages again, and tokens of its own texts.
pub struct PlanSource<'a> {
    list: MessageList<'a>,
    count: &'a dyn Fn(&str) -> u32,
    request: &'a PlanRequest,
    /// A message was asked for that is left out of the list.
    pub missed: Cell<bool>,
    /// How the calls of results ended.
    pub outcomes: HashMap<Place, Outcome>,
}

impl<'a> PlanSource<'a> {
    /// Of the list of a request.
    pub fn new(request: &'a PlanRequest, count: &'a dyn Fn(&str) -> u32) -> PlanSource<'a> {
        let list = MessageList::new(&request.messages);
        PlanSource { list, count, request, missed: Cell::new(false), outcomes: HashMap::default() }
    }
}

impl Source for PlanSource<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        if self.list.is_left_out(index) {
            self.missed.set(true);
            return None;
        }
        let mut message = self.list.read(index, &MeasuredBefore)?;
        for (part, read) in message.parts.iter_mut().enumerate() {
            if let Part::Result(result) = read {
                result.outcome = self.outcomes.get(&Place { message: index, part }).copied();
            }
        }
        Some(message)
    }

    fn count(&self, text: &str) -> u32 {
        (self.count)(text)
    }

    fn estimates(&self) -> bool {
        !self.request.settings.settings.has_tokenizer
    }

    fn recalls(&self) -> bool {
        self.request.recalls
    }

    fn offload_directory(&self) -> Option<&str> {
        self.request.settings.options.offload.as_deref().filter(|_| self.request.offloads != Offloads::None)
    }
}
