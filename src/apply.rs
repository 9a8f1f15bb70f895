//! What edits mean, on messages in Rust: the reference for `apply-edits.ts` and the ground of the property tests.
//! Not used in a step: there the messages stay in JavaScript.

use crate::message::{Message, Output, Part, Role};
use crate::plan::{Edit, PartChange};

/// The list with the edits carried out. Edits that name what is not there change nothing.
pub fn apply(messages: &[Message], edits: &[Edit]) -> Vec<Message> {
    let mut changed: Vec<Message> = messages.to_vec();
    let mut fold = None;
    for edit in edits {
        match edit {
            Edit::Part { place, id, change } => {
                if let Some(part) = changed.get_mut(place.message).and_then(|message| message.parts.get_mut(place.part)) {
                    change_part(part, id, change);
                }
            }
            Edit::Checkpoint { start, end, id, text, copies } => {
                let mut parts = vec![Part::text(text.clone())];
                parts.extend(copies.iter().filter_map(|place| messages.get(place.message)?.parts.get(place.part).cloned()));
                fold = Some((*start, *end, Message { role: Role::User, parts, marker: Some(id.clone()) }));
            }
        }
    }
    if let Some((start, end, checkpoint)) = fold
        && start <= end
        && end <= changed.len()
    {
        changed.splice(start..end, [checkpoint]);
    }
    changed
}

fn change_part(part: &mut Part, id: &str, change: &PartChange) {
    match (part, change) {
        (Part::Result(result), PartChange::Output { text, is_error }) => {
            result.output = if *is_error { Output::ErrorText(text.clone()) } else { Output::Text(text.clone()) };
            result.marker = Some(id.to_owned());
        }
        (Part::Call(call), PartChange::Input { json }) => call.input.clone_from(json),
        (Part::Text { text, .. }, PartChange::Text { text: new }) => text.clone_from(new),
        _ => {}
    }
}
