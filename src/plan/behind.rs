//! What stands behind a checkpoint, as values, and what messages they make of those of the span. Which ones these are is decided in
//! `plan::draft::carried`. Carried out by `apply` here and by `apply-edits.ts` in JavaScript, which must agree.

use serde::Serialize;

use crate::model::carried::{Carried, Reference, Setting};
use crate::model::entry::PartEntry;
use crate::model::message::{Message, Output, Part, Role};

/// A message that stands behind a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Behind {
    /// A message of the span as it is.
    Message {
        /// Which one.
        message: usize,
    },
    /// Parts of a message of the span.
    Parts {
        /// Of which one.
        message: usize,
        /// Which parts.
        parts: Vec<Picked>,
    },
    /// A system message without a text that has these options.
    Settings {
        /// Of which messages, in order.
        options: Vec<PickedOption>,
    },
    /// A message of the assistant between two of the user.
    Bridge {
        /// Its text.
        text: &'static str,
    },
}

/// A part that is carried.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Picked {
    /// Which part of its message.
    pub part: usize,
    /// The items of its content that are; empty for all of it.
    pub items: Vec<u32>,
    /// What stands in place of its output.
    pub output: Option<&'static str>,
    /// Without the provider's id of it, which is bound to reasoning that is not sent.
    pub drops_id: bool,
}

/// An option that is carried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PickedOption {
    /// Of which message.
    pub message: usize,
    /// Whose option it is.
    pub provider: String,
    /// Its name.
    pub key: String,
    /// The items of its list; empty for all of it.
    pub items: Vec<usize>,
}

impl Behind {
    /// Its message, made of those of the span.
    pub fn message(&self, messages: &[Message]) -> Option<Message> {
        let own =
            |role, parts, settings| Message { role, parts, marker: None, has_cache_mark: false, carried: Some(Carried::Own(settings)) };
        Some(match self {
            Behind::Message { message } => messages.get(*message)?.clone(),
            Behind::Parts { message, parts } => {
                let of = messages.get(*message)?;
                own(of.role, parts.iter().filter_map(|picked| picked.part_of(of)).collect(), Vec::new())
            }
            Behind::Settings { options } => {
                own(Role::System, vec![Part::text("")], options.iter().filter_map(|option| option.setting_of(messages)).collect())
            }
            Behind::Bridge { text } => own(Role::Assistant, vec![Part::text(*text)], Vec::new()),
        })
    }
}

impl Picked {
    fn part_of(&self, message: &Message) -> Option<Part> {
        let mut part = message.parts.get(self.part)?.clone();
        if let Part::Result(result) = &mut part {
            match (&mut result.output, self.output) {
                (output, Some(text)) => *output = Output::Text(text.to_owned()),
                (Output::Content(items), None) if !self.items.is_empty() => {
                    *items = self.items.iter().filter_map(|item| items.get(*item as usize).cloned()).collect();
                }
                _ => {}
            }
        }
        Some(part)
    }

    /// Its estimated tokens.
    pub fn tokens(&self, part: &PartEntry, count: &dyn Fn(&str) -> u32) -> u32 {
        let reference = part.reference.as_deref().filter(|_| !self.items.is_empty());
        match (self.output, reference) {
            (Some(text), _) => count(text),
            (None, Some(Reference { items, item_tokens, .. })) => {
                items.iter().zip(item_tokens).filter(|(item, _)| self.items.contains(item)).map(|(_, tokens)| *tokens).sum()
            }
            (None, None) => part.tokens,
        }
    }
}

impl PickedOption {
    fn setting_of(&self, messages: &[Message]) -> Option<Setting> {
        let settings = messages.get(self.message)?.carried.as_ref()?.settings();
        let setting = settings.iter().find(|setting| (&setting.provider, &setting.key) == (&self.provider, &self.key))?;
        let changes = self.items.iter().filter_map(|item| setting.changes.get(*item).cloned()).collect();
        Some(Setting { changes, ..setting.clone() })
    }
}
