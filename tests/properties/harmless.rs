//! Properties of what texts of ours may make an agent do: no call that acts is offered again, and no result speaks for the user.

use std::collections::{HashMap, HashSet};

use stepfold::digest::effect::Effect;
use stepfold::model::history::Place;
use stepfold::model::message::{Message, Output, Part, Role};
use stepfold::plan::{Edit, PartChange};

use super::generate::Conversation;
use super::invariants::{Verdict, expect, planned};
use super::session::{Engine, Trace};

/// Words in which a call is offered.
const OFFERS: [&str; 4] = ["call the tool again", "call it again", "ask the tool for", "ask it for"];
/// Texts shorter than this stand in many places by chance.
const PROBE_CHARS: usize = 32;

/// 13. No repetition: what stands for a result of a call that acts, by its name, its input, or an approval that was asked by then, offers
/// no call.
pub fn no_repetition(_: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, step, _, plan) in planned(trace) {
        // What waits for a summary is not sent.
        if plan.summary_request.as_ref().is_some_and(|asked| asked.ahead.is_none()) {
            continue;
        }
        let messages = step.list.messages();
        let parts = || messages.iter().flat_map(|message| &message.parts);
        let effects: HashMap<(&str, &str), Effect> = step
            .list
            .entries()
            .iter()
            .flat_map(|entry| &entry.parts)
            .filter_map(|part| Some(((part.id.as_str(), part.name.as_str()), part.call_facts.as_ref()?.effect)))
            .collect();
        let asked: HashSet<&str> = parts()
            .filter_map(|part| if let Part::ApprovalRequest { call_id, .. } = part { Some(call_id.as_str()) } else { None })
            .collect();
        let approved: HashSet<&str> = parts()
            .filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
            .filter(|call| asked.contains(call.id.as_str()))
            .map(|call| call.name.as_str())
            .collect();
        for edit in &plan.edits {
            let Edit::Part { place: Place { message, part }, change: PartChange::Output { text, .. }, .. } = edit else { continue };
            let Some(Part::Result(result)) = messages.get(*message).and_then(|message| message.parts.get(*part)) else { continue };
            let acts =
                approved.contains(result.name.as_str()) || effects.get(&(result.id.as_str(), result.name.as_str())) == Some(&Effect::Acts);
            // What the result itself says is its own.
            let own = result.output.to_text();
            let offer = OFFERS.iter().find(|offer| text.contains(*offer) && !own.contains(*offer));
            expect(!acts || offer.is_none(), || format!("step {number}: the acting call {} is offered again: {text}", result.name))?;
        }
    }
    Ok(())
}

/// 12. Roles: in the sections of the user's words of a checkpoint stands no text that only a result holds.
pub fn roles(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    let said = |is_wanted: &dyn Fn(&Message) -> bool| -> Vec<String> {
        let texts = conversation.messages.iter().filter(|message| is_wanted(message)).flat_map(|message| &message.parts);
        texts
            .map(|part| match part {
                Part::Text { text, .. } => text.clone(),
                // A denial is the user's word.
                Part::Result(result) if !matches!(result.output, Output::Denied(_)) => result.output.to_text(),
                Part::Call(call) => call.input.clone(),
                _ => String::new(),
            })
            .collect()
    };
    let results = said(&|message| message.role == Role::Tool).concat();
    let others = said(&|message| message.role != Role::Tool).concat();
    for (number, _, _, plan) in planned(trace) {
        for edit in &plan.edits {
            let Edit::Checkpoint { text, id, .. } = edit else { continue };
            for section in text.split("\n--- ").filter(|section| {
                section.lines().next().is_some_and(|title| title.contains("user's request") || title.contains("of the user"))
            }) {
                for line in section.lines().skip(1).filter(|line| line.chars().count() >= PROBE_CHARS && !line.contains(id.as_str())) {
                    let is_of_results = results.contains(line) && !others.contains(line);
                    expect(!is_of_results, || format!("step {number}: a result stands among the words of the user: {line}"))?;
                }
            }
        }
    }
    Ok(())
}
