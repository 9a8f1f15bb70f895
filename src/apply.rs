//! What edits mean, on messages in Rust: the reference for `apply-edits.ts` and the ground of the property tests.
//! Not used in a step: there the messages stay in JavaScript.

use crate::model::history::Place;
use crate::model::message::{Message, Output, Part, Role};
use crate::plan::{Behind, Edit, PartChange};

/// The list with the edits carried out. Edits that name what is not there change nothing.
pub fn apply(messages: &[Message], edits: &[Edit]) -> Vec<Message> {
    let mut changed: Vec<Option<Message>> = messages.iter().cloned().map(Some).collect();
    let (mut fold, mut bridges) = (None, Vec::new());
    for edit in edits {
        match edit {
            Edit::Part { place, id, change } => {
                if let Some(part) = part_at(&mut changed, *place) {
                    change_part(part, id, change);
                }
            }
            Edit::LeaveOut { message, parts } => {
                if let Some(slot) = changed.get_mut(*message)
                    && let Some(message) = slot
                {
                    let mut index = 0..;
                    message.parts.retain(|_| !index.next().is_some_and(|index| parts.contains(&index)));
                    if message.parts.is_empty() {
                        *slot = None;
                    }
                }
            }
            Edit::Checkpoint { start, end, block, behind, id, text, copies } => {
                let mut parts = vec![Part::text(text.clone())];
                parts.extend(copies.iter().filter_map(|place| messages.get(place.message)?.parts.get(place.part).cloned()));
                let checkpoint = Message { role: Role::User, parts, marker: Some(id.clone()), has_cache_mark: false, carried: None };
                fold = Some((*start, *end, block.clone(), checkpoint, behind));
            }
            Edit::Bridge { before, text } => bridges.push((*before, Behind::Bridge { text })),
        }
    }
    let fold = fold.filter(|(start, end, ..)| start <= end && *end <= messages.len());
    let mut sent = Vec::with_capacity(messages.len() + 1);
    for message in 0..=messages.len() {
        if let Some((start, _, block, checkpoint, behind)) = &fold
            && *start == message
        {
            sent.extend(changed.get(block.clone()).unwrap_or_default().iter().flatten().cloned());
            sent.push(checkpoint.clone());
            sent.extend(behind.iter().filter_map(|behind| match behind {
                Behind::Message { message } => changed.get(*message).cloned().flatten(),
                _ => behind.message(messages),
            }));
        }
        if fold.as_ref().is_some_and(|(start, end, ..)| (*start..*end).contains(&message)) {
            continue;
        }
        sent.extend(bridges.iter().filter(|(before, _)| *before == message).filter_map(|(_, bridge)| bridge.message(messages)));
        sent.extend(changed.get(message).cloned().flatten());
    }
    sent
}

fn part_at(messages: &mut [Option<Message>], place: Place) -> Option<&mut Part> {
    messages.get_mut(place.message)?.as_mut()?.parts.get_mut(place.part)
}

fn change_part(part: &mut Part, id: &str, change: &PartChange) {
    match (part, change) {
        (Part::Result(result), PartChange::Output { text, is_error }) => {
            result.output = if *is_error { Output::ErrorText(text.clone()) } else { Output::Text(text.clone()) };
            result.marker = Some(id.to_owned());
        }
        (Part::Call(call), PartChange::Input { json }) => call.input.clone_from(json),
        (Part::Text { text, .. }, PartChange::Text { text: new }) => text.clone_from(new),
        (part @ Part::Media(_), PartChange::Text { text }) => {
            *part = Part::Text { text: text.clone(), native_compaction: false, marker: Some(id.to_owned()) };
        }
        _ => {}
    }
}
