//! The engine broken on purpose, once for each way an invariant can fail. A property that does not notice is worth nothing.
//! Each variant wraps the real functions and spoils what they return; the engine itself is not touched.

use std::cell::Cell;
use std::collections::BTreeSet;

use stepfold::apply::apply;
use stepfold::digest::tools::ToolRule;
use stepfold::model::entry::{Kind, read_entries, write_entry};
use stepfold::model::history::Place;
use stepfold::model::message::{Message, Part, Role};
use stepfold::model::span::StandsFor;
use stepfold::plan::{Behind, Done, Edit, OverBudget, PartChange, Plan, PlanInput, plan};
use stepfold::settings::Options;
use stepfold::state::{Action, FoldState, Kept};

use super::session::Engine;

/// A broken engine, and what is broken about it.
pub struct Broken {
    pub property: &'static str,
    pub what: &'static str,
    pub plan: Box<dyn Fn(&PlanInput<'_>) -> Plan>,
    pub apply: Box<dyn Fn(&[Message], &[Edit]) -> Vec<Message>>,
    pub restore: Box<dyn Fn(FoldState) -> FoldState>,
}

impl Broken {
    pub fn engine(&self) -> Engine<'_> {
        Engine { plan: &self.plan, apply: &self.apply, restore: &self.restore }
    }
}

fn plans(property: &'static str, what: &'static str, spoil: impl Fn(&PlanInput<'_>, &mut Plan) + 'static) -> Broken {
    let spoilt = move |input: &PlanInput<'_>| {
        let mut made = plan(input);
        spoil(input, &mut made);
        made
    };
    Broken { property, what, plan: Box::new(spoilt), apply: Box::new(apply), restore: Box::new(|state| state) }
}

fn applies(property: &'static str, what: &'static str, spoil: impl Fn(&mut Vec<Message>) + 'static) -> Broken {
    let spoilt = move |messages: &[Message], edits: &[Edit]| {
        let mut sent = apply(messages, edits);
        spoil(&mut sent);
        sent
    };
    Broken { property, what, plan: Box::new(plan), apply: Box::new(spoilt), restore: Box::new(|state| state) }
}

/// Changes the text of every placeholder and cut result.
fn rewrite(plan: &mut Plan, change: impl Fn(&str) -> String) {
    for edit in &mut plan.edits {
        if let Edit::Part { change: PartChange::Output { text, .. }, .. } = edit {
            *text = change(text);
        }
    }
}

fn cut_words(message: usize) -> Edit {
    Edit::Part { place: Place { message, part: 0 }, id: String::new(), change: PartChange::Text { text: "[… left out …]".to_owned() } }
}

fn last_result(messages: &mut [Message]) -> Option<&mut Message> {
    messages.iter_mut().rev().find(|message| message.role == Role::Tool && message.parts.iter().any(|part| matches!(part, Part::Result(_))))
}

/// An engine that is not broken.
pub fn nothing() -> Broken {
    plans("", "nothing", |_, _| {})
}

/// Engines that forget words of the user: the oldest, the longest, and those that a checkpoint shows first.
pub const FORGETFUL: [fn() -> Broken; 3] = [
    || {
        nothing().with_restore(|mut state| {
            for checkpoint in &mut state.checkpoints {
                let users = &mut checkpoint.record.users;
                users.drain(..users.len().saturating_sub(4));
            }
            state
        })
    },
    || {
        nothing().with_restore(|mut state| {
            state.checkpoints.iter_mut().for_each(|checkpoint| checkpoint.record.users.retain(|message| message.text.len() < 40));
            state
        })
    },
    || {
        plans("", "", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { text, .. } = edit
                    && let Some((before, said)) = text.split_once("--- Later messages of the user")
                {
                    let lines: Vec<&str> = said.lines().collect();
                    *text = format!("{before}--- Later messages of the user{}", lines[lines.len().saturating_sub(9)..].join("\n"));
                }
            }
        })
    },
];

/// Every broken engine.
pub fn all() -> Vec<Broken> {
    let counter = Cell::new(0u32);
    let next = move || {
        counter.set(counter.get() + 1);
        counter.get()
    };
    let other = Cell::new(0u32);
    let rewritten = Cell::new(0u32);
    vec![
        plans("pairs", "the fold takes a call and leaves its result", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { end, .. } = edit {
                    *end += 1;
                }
            }
        }),
        plans("pairs", "the fold takes a result and leaves its call", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { start, end, .. } = edit {
                    *end = (*end - 1).max(*start);
                }
            }
        }),
        applies("pairs", "half of the last pair is dropped", |sent| {
            if let Some(message) = last_result(sent) {
                message.parts.pop();
            }
        }),
        applies("pairs", "a result loses its id", |sent| {
            if let Some(Part::Result(result)) = last_result(sent).and_then(|message| message.parts.last_mut()) {
                result.id.push('x');
            }
        }),
        plans("tail", "the newest result is cleared", |input, plan| {
            let newest = input.entries.len().saturating_sub(1);
            let results = input.entries.iter().skip(newest).flat_map(|entry| &entry.parts);
            if let Some(part) = results.clone().position(|part| part.replaceable && part.tokens > 50) {
                let change = PartChange::Output { text: "[cleared]".to_owned(), is_error: false };
                plan.edits.push(Edit::Part { place: Place { message: newest, part }, id: String::new(), change });
            }
        }),
        plans("tail", "squeezing and capping pass as clearing", |_, plan| {
            for done in &mut plan.done {
                if let Done::Capped { results, .. } | Done::Squeezed { results, .. } = done {
                    *done = Done::Cleared { results: std::mem::take(results) };
                }
            }
        }),
        plans("tail", "what is to be kept is forgotten", |_, _| {}).with_plan(|input| {
            let options = Options { tools: Vec::new(), ..input.options.clone() };
            plan(&PlanInput { options: &options, ..copy(input) })
        }),
        applies("untouched", "a message nobody named gets a space", |sent| {
            if let Some(Part::Text { text, .. }) = sent.last_mut().and_then(|message| message.parts.first_mut()) {
                text.push(' ');
            }
        }),
        applies("untouched", "an edited result loses its flag", |sent| {
            for part in sent.iter_mut().flat_map(|message| &mut message.parts) {
                if let Part::Result(result) = part
                    && result.marker.is_some()
                {
                    result.provider_executed = true;
                }
            }
        }),
        plans("untouched", "an error becomes a result", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Part { change: PartChange::Output { is_error, .. }, .. } = edit {
                    *is_error = !*is_error;
                }
            }
        }),
        plans("append-stable", "placeholders name the step", move |_, plan| {
            let step = next();
            rewrite(plan, |text| format!("{text} (step {step})"));
        }),
        plans("append-stable", "the user's account of a result is asked again", |_, _| {}).with_plan(|input| {
            // Of every result there is one, so that it does not take a thousand conversations.
            let names: BTreeSet<&str> = input.entries.iter().flat_map(|entry| &entry.parts).map(|part| part.name.as_str()).collect();
            let rule = |name: &str| ToolRule { tool: name.to_owned(), has_digest: true, ..ToolRule::default() };
            let options = Options { tools: names.into_iter().map(rule).collect(), ..input.options.clone() };
            let mut made = plan(&PlanInput { options: &options, ..copy(input) });
            for decision in &mut made.state.decisions {
                if let Action::Clear { keeps: Some(Kept::Digest(text)), .. } = &mut decision.action {
                    *text = text.chars().rev().collect();
                }
            }
            made
        }),
        plans("append-stable", "decisions are forgotten", |_, plan| plan.state.decisions.clear()),
        plans("bound-thoughts", "thoughts stay behind what was edited", |_, plan| {
            plan.edits.retain(|edit| !matches!(edit, Edit::LeaveOut { .. }));
        }),
        plans("bound-thoughts", "the oldest thoughts are left out one edit late", |input, plan| plan.state.thoughts = input.state.thoughts),
        plans("blocks", "the message of a block gives way to its checkpoint", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { block, .. } = edit {
                    *block = 0..0;
                }
            }
        }),
        plans("blocks", "a checkpoint stands before the block that it covers", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { block, behind, .. } = edit {
                    behind.splice(0..0, std::mem::take(block).map(|message| Behind::Message { message }));
                }
            }
        }),
        plans("blocks", "a block is left out of its message", |input, plan| {
            if let Some(message) = input.entries.iter().rposition(|entry| input.settings.blocks.are_in(entry)) {
                plan.edits.push(Edit::LeaveOut { message, parts: vec![0] });
            }
        }),
        plans("never-larger", "placeholders repeat themselves", |_, plan| rewrite(plan, |text| text.repeat(40))),
        plans("never-larger", "the checkpoint is padded", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { text, .. } = edit {
                    text.push_str(&" and so on".repeat(2_000));
                }
            }
        }),
        plans("prediction", "one token is missing", |_, plan| plan.estimated_after = plan.estimated_after.saturating_sub(1)),
        plans("prediction", "texts grow after they were counted", |_, plan| rewrite(plan, |text| format!("{text} More."))),
        plans("idempotence", "edited results are edited again", |input, plan| {
            for (message, entry) in input.entries.iter().enumerate() {
                for (part, known) in entry.parts.iter().enumerate().filter(|(_, part)| part.marker.is_some()) {
                    let change = PartChange::Output { text: "[again]".to_owned(), is_error: false };
                    plan.edits.push(Edit::Part { place: Place { message, part }, id: known.marker.clone().unwrap_or_default(), change });
                }
            }
        }),
        plans("idempotence", "decisions are forgotten", |_, plan| plan.state = FoldState::default()),
        plans("determinism", "a counter stands in the text", move |_, plan| {
            other.set(other.get() + 1);
            rewrite(plan, |text| format!("{text} #{}", other.get()));
        }),
        plans("determinism", "the order of decisions changes", move |_, plan| {
            rewritten.set(rewritten.get() + 1);
            if rewritten.get() % 2 == 0 {
                plan.state.decisions.reverse();
            }
        }),
        plans("fits", "nothing is said when it does not fit", |_, plan| plan.done.retain(|done| !matches!(done, Done::OverBudget { .. }))),
        plans("fits", "it is said of what fits", |_, plan| {
            let tokens = plan.budget.prompt_tokens(plan.estimated_after);
            plan.done.push(Done::OverBudget { reason: OverBudget::Message, message_index: Some(0), tokens, certain: false });
        }),
        plans("fits", "squeezing is left out", |_, plan| {
            if plan.done.iter().any(|done| matches!(done, Done::Squeezed { .. })) {
                plan.edits.clear();
            }
        }),
        plans("fits", "the wrong message is blamed", |_, plan| {
            for done in &mut plan.done {
                if let Done::OverBudget { message_index: Some(index), .. } = done {
                    *index = index.saturating_sub(1);
                }
            }
        }),
        plans("state", "the state forgets its decisions", |_, _| {}).with_restore(|state| FoldState { decisions: Vec::new(), ..state }),
        plans("state", "the state forgets its checkpoints", |_, _| {}).with_restore(|state| FoldState { checkpoints: Vec::new(), ..state }),
        plans("upgrade", "of another version no checkpoint is kept", |_, _| {})
            .with_restore(|state| FoldState { checkpoints: Vec::new(), ..state }),
        plans("upgrade", "of another version the words of the user are lost", |_, _| {}).with_restore(|mut state| {
            state.checkpoints.iter_mut().for_each(|checkpoint| checkpoint.record.users.clear());
            state
        }),
        plans("state", "a restored checkpoint says something else", |_, _| {}).with_restore(|mut state| {
            for checkpoint in &mut state.checkpoints {
                checkpoint.folded_tokens += 1;
            }
            state
        }),
        applies("carry", "our own messages carry no marker", |sent| {
            for message in sent {
                message.marker = None;
            }
        }),
        plans("newest", "new results are all but emptied", |input, plan| {
            let answered = input.entries.iter().rposition(|entry| entry.role() == Role::Assistant).unwrap_or(0);
            for edit in &mut plan.edits {
                if let Edit::Part { place, change: PartChange::Output { text, .. }, .. } = edit
                    && place.message > answered
                {
                    *text = "[… 90 lines left out …]".to_owned();
                }
            }
        }),
        plans("newest", "what is new is folded", |input, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { end, .. } = edit {
                    *end = input.entries.len();
                }
            }
        }),
        plans("arrival", "a new result is cut though it fits", |input, plan| {
            let newest = input.entries.len().saturating_sub(1);
            let results = input.entries.iter().skip(newest).flat_map(|entry| &entry.parts);
            if let Some(part) = results.clone().position(|part| part.replaceable && part.tokens > 50) {
                let change = PartChange::Output { text: "[… 90 characters left out by stepfold]".to_owned(), is_error: false };
                plan.edits.push(Edit::Part { place: Place { message: newest, part }, id: String::new(), change });
            }
        }),
        plans("no-repetition", "every placeholder offers its call", |_, plan| {
            rewrite(plan, |text| format!("{text}; call the tool again if you need it"));
        }),
        plans("roles", "what a result says stands among the user's words", |input, plan| {
            let results =
                (0..input.entries.len()).filter_map(|index| input.source.message(index)).filter(|message| message.role == Role::Tool);
            let said: Vec<String> = results
                .flat_map(|message| message.parts)
                .filter_map(|part| if let Part::Result(result) = part { Some(result.output.to_text()) } else { None })
                .collect();
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { text, .. } = edit {
                    text.push_str(&format!("\n--- Later messages of the user, verbatim (0) ---\n{}\n", said.join("\n")));
                }
            }
        }),
        plans("turn", "what the user attached is folded like the rest", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { copies, .. } = edit {
                    copies.clear();
                }
            }
        }),
        plans("turn", "what the user attached goes before results", |input, plan| {
            let of_user = |message: &usize| input.entries[*message].role() == Role::User;
            let acts = plan.done.iter().any(|done| matches!(done, Done::Cleared { .. }));
            let media = input.entries.len().checked_sub(1).and_then(|last| (0..=last).rfind(of_user)).and_then(|message| {
                let part = input.entries[message].parts.iter().position(|part| part.kind == Kind::Media)?;
                Some(Place { message, part })
            });
            if let Some(place) = media.filter(|_| acts && !plan.edits.iter().any(|edit| matches!(edit, Edit::Checkpoint { .. }))) {
                let change = PartChange::Text { text: "[image stood here]".to_owned() };
                plan.edits.push(Edit::Part { place, id: String::new(), change });
            }
        }),
        plans("alternation", "no bridge is built", |_, plan| plan.edits.retain(|edit| !matches!(edit, Edit::Bridge { .. }))),
        plans("alternation", "the fold ends where it likes", |input, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { end, .. } = edit
                    && input.entries.get(*end + 1).is_some_and(|entry| entry.role() == Role::User)
                {
                    *end += 1;
                }
            }
            plan.edits.retain(|edit| !matches!(edit, Edit::Bridge { .. }));
        }),
        plans("carried", "settings are folded away", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { behind, .. } = edit {
                    behind.retain(|behind| !matches!(behind, Behind::Settings { .. }));
                }
            }
        }),
        plans("carried", "of changes of tools only the last message stays", |_, plan| {
            for edit in &mut plan.edits {
                let Edit::Checkpoint { behind, .. } = edit else { continue };
                for behind in behind {
                    if let Behind::Settings { options } = behind {
                        let last = options.last().map(|option| option.message);
                        options.retain(|option| Some(option.message) == last);
                    }
                }
            }
        }),
        plans("carried", "what a search found is folded away", |_, plan| {
            for edit in &mut plan.edits {
                if let Edit::Checkpoint { behind, .. } = edit {
                    behind.retain(|behind| !matches!(behind, Behind::Parts { .. }));
                }
            }
        }),
        plans("words", "the user's words are cut in vain", |input, plan| {
            let user = input.entries.iter().position(|entry| entry.role() == Role::User && entry.parts.iter().any(|part| part.tokens > 50));
            let is_over = plan.done.iter().any(|done| matches!(done, Done::OverBudget { .. }));
            let is_folded = plan.edits.iter().any(|edit| matches!(edit, Edit::Checkpoint { .. }));
            if let Some(message) = user.filter(|_| is_over && !is_folded) {
                plan.edits.push(cut_words(message));
            }
        }),
        plans("words", "the user's words are cut before anything else", |input, plan| {
            let newest = input.entries.iter().rposition(|entry| entry.role() == Role::User);
            let cuts = plan.edits.iter().any(|edit| matches!(edit, Edit::Checkpoint { .. }));
            if let Some(message) = newest.filter(|_| !cuts && plan.done.iter().any(|done| matches!(done, Done::Squeezed { .. }))) {
                plan.edits.retain(|edit| !matches!(edit, Edit::Part { place, .. } if place.message > message));
                plan.edits.push(cut_words(message));
            }
        }),
        plans("covered", "of the messages of a span a few tokens are not counted", |_, plan| {
            let mut entries = read_entries(&plan.covered_entries);
            entries.iter_mut().flat_map(|entry| &mut entry.parts).for_each(|part| part.tokens = part.tokens.saturating_sub(1));
            plan.covered_entries.clear();
            let written = entries.iter().filter(|entry| entry.stands_for != StandsFor::Nothing);
            written.for_each(|entry| write_entry(entry, &mut plan.covered_entries));
        }),
        plans("covered", "the message behind what a checkpoint covers counts as covered", |input, plan| {
            if let Some(span) = plan.covered.last_mut() {
                span.end = (span.end + 1).min(input.entries.len());
            }
        }),
        plans("no-panic", "an empty message is not expected", |input, plan| {
            assert!(input.entries.iter().all(|entry| !entry.parts.is_empty()), "an empty message");
            plan.edits.truncate(usize::MAX);
        }),
    ]
}

impl Broken {
    fn with_plan(mut self, plan: impl Fn(&PlanInput<'_>) -> Plan + 'static) -> Broken {
        self.plan = Box::new(plan);
        self
    }

    fn with_restore(mut self, restore: impl Fn(FoldState) -> FoldState + 'static) -> Broken {
        self.restore = Box::new(restore);
        self
    }
}

fn copy<'a>(input: &PlanInput<'a>) -> PlanInput<'a> {
    PlanInput {
        entries: input.entries,
        source: input.source,
        settings: input.settings,
        options: input.options,
        state: input.state,
        calibration: input.calibration,
        extends: input.extends,
        summary: input.summary,
        mode: input.mode,
        keep_from: input.keep_from,
        extra: input.extra,
    }
}
