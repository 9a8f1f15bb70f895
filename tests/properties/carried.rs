//! Whose turn it is in what is sent, and what acts there by being there: judged on the lists alone, by a reading of their own of roles, settings
//! and references.

use std::collections::{BTreeMap, BTreeSet};

use stepfold::model::carried::{Carried, Change};
use stepfold::model::message::{Item, Message, Output, Part, Role};

use super::generate::Conversation;
use super::invariants::{Verdict, expect};
use super::session::{Engine, List, Origin, Trace};

/// Who takes a turn with a message: calls, results and system messages take none, nor does what says nothing.
fn speaker(message: &Message) -> Option<Role> {
    let is_call = message.parts.iter().any(|part| matches!(part, Part::Call(_)));
    let says = |part: &Part| match part {
        Part::Text { text, .. } => !text.trim().is_empty(),
        Part::Reasoning { .. } => false,
        _ => true,
    };
    match message.role {
        Role::User => Some(Role::User),
        Role::Assistant if !is_call && message.parts.iter().any(says) => Some(Role::Assistant),
        _ => None,
    }
}

/// 17. Alternation: two messages of one speaker stand side by side only where the raw history has the same two side by side.
pub fn alternation(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed || conversation.scenario.native_compaction {
        return Ok(());
    }
    for (number, step) in trace.steps.iter().enumerate() {
        let turns: Vec<(Role, Origin)> = step
            .sent
            .messages()
            .iter()
            .zip(step.sent.origins())
            .filter_map(|(message, origin)| Some((speaker(message)?, *origin)))
            .collect();
        for pair in turns.windows(2) {
            let [(first, from), (then, to)] = pair else { continue };
            if first != then {
                continue;
            }
            let stood_so = match (from, to) {
                (Origin::Raw(from), Origin::Raw(to)) => {
                    let between = &conversation.messages[from + 1..*to];
                    between.iter().all(|message| speaker(message).is_none())
                }
                _ => false,
            };
            expect(stood_so, || format!("step {number}: two messages of the {} touch: {from:?} and {to:?} of {turns:?}", first.name()))?;
        }
    }
    Ok(())
}

/// 18. Carried: what was found, what tools there are and which settings hold is the same as in the raw history; no two settings touch that did
/// not before, and those of ours stand before an answer.
pub fn carried(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed || conversation.scenario.native_compaction {
        return Ok(());
    }
    for (number, step) in trace.steps.iter().enumerate() {
        let raw = &conversation.messages[..step.raw_length];
        let sent = step.sent.messages();
        let (before, now) = ((found(raw), tools(raw), settings(raw)), (found(sent), tools(sent), settings(sent)));
        expect(before == now, || format!("step {number}: {before:?} acts, in what is sent {now:?}"))?;
        placed(&step.sent).map_err(|error| format!("step {number}: {error}"))?;
        let told = sent.iter().filter(|message| message.marker.is_some()).flat_map(|message| &message.parts);
        for part in told {
            let is_told = matches!(part, Part::Text { text, .. } if text.contains("tool_reference"));
            expect(!is_told, || format!("step {number}: a reference is told as text"))?;
        }
    }
    Ok(())
}

fn placed(sent: &List) -> Verdict {
    let sets = |at: usize| sent.messages().get(at).and_then(|message| message.carried.as_ref()).is_some_and(|it| !it.settings().is_empty());
    for at in (0..sent.length).filter(|at| sent.origins()[*at] == Origin::Ours && sets(*at)) {
        let next = sent.messages().get(at + 1).map(|message| message.role);
        expect(matches!(next, None | Some(Role::Assistant)), || format!("settings at {at} stand before {next:?}"))?;
    }
    Ok(())
}

/// The tools that results in a list make known.
fn found(messages: &[Message]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in messages.iter().flat_map(|message| &message.parts) {
        let Part::Result(result) = part else { continue };
        match &result.output {
            Output::Content(items) => found.extend(items.iter().filter_map(|item| match item {
                Item::Reference { tool, .. } => Some(tool.clone()),
                _ => None,
            })),
            Output::Json(json) if json.text.contains("tool_reference") => {
                found.insert("a".to_owned());
            }
            Output::Json(json) if json.text.starts_with(r#"{"tools""#) => found.extend(["a".to_owned(), "b".to_owned()]),
            _ => {}
        }
    }
    found
}

/// What changes make of tools in the end: there, or gone; nothing of a tool that is as it was before the first of them.
fn tools(messages: &[Message]) -> BTreeMap<String, bool> {
    let mut of_tool: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    for change in messages.iter().filter_map(|message| message.carried.as_ref()).flat_map(Carried::settings).flat_map(|set| &set.changes) {
        of_tool.entry(change.tool.clone()).or_default().push(change.change);
    }
    let removes = |change: Option<&Change>| change == Some(&Change::Removed);
    of_tool.retain(|_, changes| changes.contains(&Change::Defined) || removes(changes.first()) == removes(changes.last()));
    of_tool.into_iter().map(|(tool, changes)| (tool, !removes(changes.last()))).collect()
}

/// The settings of which the newest holds.
fn settings(messages: &[Message]) -> BTreeSet<String> {
    let all = messages.iter().filter_map(|message| message.carried.as_ref()).flat_map(Carried::settings);
    all.filter(|setting| setting.changes.is_empty()).map(|setting| setting.key.clone()).collect()
}
