//! Inputs that nobody meant to send, by the hundred thousand: each target reads one as the engine would, and says what must hold of any.
//! The inputs are made of hostile beginnings (`corpus`) and are the same on every machine. Not the plans that follow: see `properties/arbitrary.rs`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod corpus;
mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use stepfold::json::Value;
use stepfold::model::entry::{Entry, measure, read_entries, write_entry};
use stepfold::model::message::Message;
use stepfold::model::scan::{MeasuredBefore, MessageList};
use stepfold::providers::check::check_messages;
use stepfold::redact::clean;
use stepfold::run::{RunState, StoredRunState};
use stepfold::state::{FoldState, STATE_BYTES};
use stepfold::text::chunk::chunks;

/// Inputs for each target: so many at every push, and as many as `STEPFOLD_FUZZ_INPUTS` says at night.
static INPUTS: LazyLock<u64> = LazyLock::new(|| match std::env::var("STEPFOLD_FUZZ_INPUTS") {
    Ok(text) => text.parse().unwrap_or_else(|_| panic!("STEPFOLD_FUZZ_INPUTS is {text}, not a number")),
    Err(_) => 25_000,
});

/// Hands a target inputs that begin as the corpus does. A panic is told with the input that led to it.
fn fuzz(corpus: &[Vec<u8>], target: impl Fn(&[u8])) {
    for seed in 0..*INPUTS {
        let input = mutate::mutated(corpus, seed);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&input))) {
            let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            panic!("input {seed}, b\"{}\": {}", input.escape_ascii(), text.unwrap_or_default());
        }
    }
}

/// What the input says as a text: nobody hands the engine bytes that are none.
fn text_of(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

#[test]
fn bytes_of_messages_are_read_alike_each_time_and_measured() {
    fuzz(&corpus::messages(), |input| {
        let list = MessageList::new(input);
        let messages: Vec<Message> = list.iter(&MeasuredBefore).collect();
        assert_eq!(messages.len(), list.len());
        assert!(messages.iter().enumerate().all(|(index, message)| list.read(index, &MeasuredBefore).as_ref() == Some(message)));
        check_messages(&messages);
        let entries: Vec<Entry> = messages.iter().map(measure).collect();
        let mut written = Vec::new();
        entries.iter().for_each(|entry| write_entry(entry, &mut written));
        assert_eq!(read_entries(&written), entries);
    });
}

#[test]
fn a_stored_state_is_refused_or_comes_back_as_it_was_read() {
    fuzz(&corpus::states(), |input| {
        let text = text_of(input);
        let stored = |envelope: bool| {
            let [envelope, decisions] = [envelope, !envelope].map(|is_given| is_given.then(|| text.clone()));
            let stored = StoredRunState { model_id: String::new(), run: None, envelope, decisions };
            stored.restore().state.and_then(|state| state.decisions)
        };
        let read = [FoldState::from_packed(input), FoldState::from_json(&text).ok(), stored(true), stored(false)];
        for mut state in read.into_iter().flatten() {
            let json = state.to_json();
            assert!(json.len() <= STATE_BYTES);
            assert_eq!(FoldState::from_json(&json), Ok(state));
        }
        if let Some(mut state) = RunState::read(input) {
            assert_eq!(RunState::read(&state.to_bytes()), Some(state));
        }
    });
}

#[test]
fn chunks_of_any_text_are_ranges_of_it_in_order() {
    fuzz(&corpus::texts(), |input| {
        let text = text_of(input);
        let chunks = chunks(&text);
        let mut before = 0;
        for chunk in &chunks.list {
            assert!(before <= chunk.range.start && chunk.range.start < chunk.range.end, "{:?} behind {before}", chunk.range);
            assert!(text.get(chunk.range.clone()).is_some(), "{:?} cuts a character", chunk.range);
            assert!(chunk.head < chunks.heads.len());
            before = chunk.range.end;
        }
        assert!(chunks.heads.iter().flatten().all(|range| text.get(range.clone()).is_some()));
    });
}

#[test]
fn json_that_is_read_is_written_as_the_same_json() {
    fuzz(&corpus::texts(), |input| {
        let text = text_of(input);
        let Some(value) = Value::parse(&text) else { return };
        let (mut written, mut again) = (String::new(), String::new());
        value.write(&mut written);
        Value::parse(&written).unwrap().write(&mut again);
        assert_eq!(written, again);
    });
}

#[test]
fn a_secret_on_a_line_of_its_own_is_left_out_whatever_stands_around_it() {
    fuzz(&corpus::texts(), |input| {
        let text = text_of(input);
        let (before, behind) = text.split_at(text.floor_char_boundary(text.len() / 2));
        for secret in corpus::SECRETS {
            let cleaned = clean(&format!("{before}\n{secret}\n{behind}"));
            assert!(!cleaned.contains(secret), "{secret} stands in {cleaned}");
        }
    });
}
