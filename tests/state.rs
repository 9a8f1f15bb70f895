//! A state whose checksum is right and whose content is not: whoever may write to a store may write that. It is refused, or planned with,
//! but never breaks what a provider takes, and never ends the engine. What stands beside it in a session: `tests/faults/stored-state.test.mjs`.
#![allow(clippy::unwrap_used, clippy::panic)]

use stepfold::apply::apply;
use stepfold::model::entry::{Entry, measure};
use stepfold::model::history::History;
use stepfold::model::message::{Message, Output, Part, Role};
use stepfold::plan::PlanMode;
use stepfold::providers::check::check_messages;
use stepfold::settings::{Options, Settings};
use stepfold::state::{Action, Decision, FoldState, Head, Retrieval};

use super::hand::{self, message, plan_on};

/// Something that is not as it was made.
type Change = fn(&mut FoldState);

/// A request and steps of two calls each; the running loop begins with a signed thought.
fn conversation(steps: usize) -> Vec<Message> {
    let mut messages = vec![message(Role::User, vec![Part::text("Find out why the build is slow.")])];
    for step in 0..steps {
        let ids = [format!("a{step}"), format!("b{step}")];
        let call = |id: &String| hand::call(id, "read", &format!(r#"{{"path":"src/{id}.ts"}}"#));
        let result = |id: &String| {
            hand::result(id, "read", Output::Text((0..30).map(|n| format!("{id} line {n} has some words in it\n")).collect()))
        };
        let thought = (step == 0).then(|| Part::Reasoning { text: "I look at what there is.".into(), leads_loop: true });
        messages.push(message(Role::Assistant, thought.into_iter().chain(ids.iter().map(call)).collect()));
        // Results in messages of their own: more places where something could be cut apart.
        messages.extend(ids.iter().map(|id| message(Role::Tool, vec![result(id)])));
    }
    messages
}

/// Measured once: a state changes nothing of it.
struct Measured {
    messages: Vec<Message>,
    entries: Vec<Entry>,
}

fn measured(steps: usize) -> Measured {
    let messages = conversation(steps);
    let entries = messages.iter().map(measure).collect();
    Measured { messages, entries }
}

/// Plans with a state, and once more with what that leaves. Everything sent is what a provider takes.
fn check(name: &str, state: &FoldState, Measured { messages, entries }: &Measured) -> FoldState {
    let options = Options { context_window: Some(3_000.0), reserve_tokens: Some(0.0), ..Options::default() };
    let settings = Settings::new(&options, "claude-sonnet-4-5", "anthropic");
    let mut state = state.clone();
    for length in [messages.len() - 6, messages.len()] {
        let messages = &messages[..length];
        let made = plan_on((messages, &entries[..length]), PlanMode::All, &options, &settings, &state);
        let sent = apply(messages, &made.edits);
        assert_eq!(check_messages(&sent), [], "{name}");
        assert!(sent.iter().all(|message| message.role != Role::System), "{name}");
        state = made.state;
        state.to_json();
    }
    state
}

#[test]
fn any_byte_of_a_state_may_be_another_one() {
    let measured = measured(16);
    let mut good = check("as it is", &FoldState::default(), &measured);
    assert!(!good.checkpoints.is_empty() && good.checkpoints.iter().any(|checkpoint| checkpoint.head.is_some()));
    let packed = good.to_packed();
    let (mut read, mut refused) = (0, 0);
    for at in 0..packed.len() {
        for byte in [0, 1, packed[at] ^ 1, packed[at].wrapping_add(1), 0x7f, 0xff] {
            let mut bytes = packed.clone();
            bytes[at] = byte;
            match FoldState::from_packed(&bytes) {
                // Most bytes are those of texts: one in sixty-four is enough.
                Some(state) if at % 64 == 0 || at < 120 || at + 120 > packed.len() => {
                    read += 1;
                    check(&format!("byte {at} as {byte}"), &state, &measured);
                }
                Some(_) => {}
                None => refused += 1,
            }
        }
    }
    assert!(read > 300 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn what_a_state_says_of_places_parts_no_call_from_its_results() {
    let measured = measured(16);
    let good = check("as it is", &FoldState::default(), &measured);
    let Measured { messages, entries } = &measured;
    let empty = FoldState::default();
    let history = History::new(entries, &empty);
    // A checkpoint that ends anywhere, with the chain that is right there.
    for index in 1..messages.len() {
        let (parts, chain) = history.boundary(index);
        let mut state = good.clone();
        let checkpoint = state.checkpoints.last_mut().unwrap();
        (checkpoint.parts, checkpoint.chain, checkpoint.head) = (parts, chain, None);
        check(&format!("a checkpoint up to message {index}"), &state, &measured);
        for (from, to) in [(0, parts), (1, 2), (2, 3), (parts / 2, parts), (parts, parts)] {
            let mut state = state.clone();
            state.checkpoints.last_mut().unwrap().head = Some(Head { from, to });
            check(&format!("a checkpoint up to message {index} with a head of the parts {from} to {to}"), &state, &measured);
        }
    }
    // Every part, done to it whatever can be done to any.
    for action in [
        Action::Clear { keeps: None, retrieval: Retrieval::Recall },
        Action::Cap { tokens: 0, parts: Box::new([(9, 2), (40, u32::MAX)]), retrieval: Retrieval::Call },
        Action::Cap { tokens: u32::MAX, parts: Box::default(), retrieval: Retrieval::Nothing },
        Action::CutInput { tokens: 0 },
        Action::CutText { tokens: 0 },
        Action::OmitMedia { tokens: 0, reads: true },
    ] {
        let mut state = FoldState::default();
        for part in entries.iter().flat_map(|entry| &entry.parts) {
            state.decisions.push(Decision { fingerprint: part.fingerprint, nth: 0, action: action.clone() });
        }
        state.planned_parts = history.boundary(messages.len()).0;
        check(&format!("{action:?} of every part"), &state, &measured);
    }
}

#[test]
fn numbers_that_no_state_can_have_are_refused() {
    let measured = measured(16);
    let good = check("as it is", &FoldState::default(), &measured);
    let rows: [(&str, Change); 6] = [
        ("parts", |state| state.checkpoints[0].parts = u32::MAX),
        ("tokens", |state| state.checkpoints[0].tokens = u32::MAX),
        ("a head that ends before it begins", |state| state.checkpoints[0].head = Some(Head { from: 9, to: 1 })),
        ("a head behind the checkpoint", |state| state.checkpoints[0].head = Some(Head { from: 0, to: u32::MAX })),
        ("steps", |state| state.checkpoints[0].record.steps = u32::MAX),
        ("parts that are known", |state| state.planned_parts = u32::MAX),
    ];
    assert!(FoldState::from_json(&good.clone().to_json()).is_ok());
    for (name, change) in rows {
        let mut state = good.clone();
        change(&mut state);
        assert_eq!(FoldState::from_json(&state.to_json()), Err("it is damaged".to_owned()), "{name}");
    }
}
