//! Properties of the engine, one for each invariant of the design, over thousands of generated conversations.
//! The seeds are fixed, so that a failure here fails everywhere. Not unit tests: those stand beside the code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::type_complexity, clippy::manual_is_multiple_of, clippy::nonminimal_bool)]
#![allow(clippy::doc_lazy_continuation, clippy::explicit_write)]

mod arbitrary;
mod broken;
mod carried;
mod flood;
mod generate;
mod harmless;
mod invariants;
mod session;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::sync::LazyLock;
use std::thread;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

pub use generate::{Bits, mix};
use generate::{Recipe, recipes};
use invariants::{Property, reached, sketch};
use session::{REAL, drive};

/// Conversations each property is held to: so many at every push, and as many as `STEPFOLD_CONVERSATIONS` says at night.
static CONVERSATIONS: LazyLock<u32> = LazyLock::new(|| match std::env::var("STEPFOLD_CONVERSATIONS") {
    Ok(text) => text.parse().unwrap_or_else(|_| panic!("STEPFOLD_CONVERSATIONS is {text}, not a number")),
    Err(_) => 1_000,
});
/// One in so many conversations reaches each of these rungs, at least.
const ONE_IN: u32 = 10;
const RUNGS: [&str; 7] = ["drop-reasoning", "hold", "cap", "clear", "checkpoint", "squeeze", "over-budget"];
/// Conversations behind those of a push, by their numbers, and the property that each of them once broke: a summarizer was asked again and again about
/// a span whose digest saved nothing; messages of thoughts alone counted as kept ones where the list still held them.
const ONCE_BROKEN: [(usize, Property); 5] = [
    (1_654, invariants::idempotence),
    (2_671, invariants::carry_is_rebuild),
    (3_319, invariants::carry_is_rebuild),
    (5_629, invariants::idempotence),
    (6_570, invariants::idempotence),
];
/// Steps spent on making a failing conversation smaller.
const SHRINKS: u32 = 20_000;
/// Conversations within which a broken engine must be noticed: fewer than there are at a push, so that a push would notice it.
const SOON: usize = 500;

/// A test for each property: what is promised, and how the property is called that judges it.
macro_rules! properties {
    ($($promise:ident: $name:literal, $property:path;)*) => {
        const PROPERTIES: [(&str, Property); [$($name),*].len()] = [$(($name, $property)),*];
        $(#[test]
        fn $promise() {
            check($name);
        })*
    };
}

properties! {
    what_belongs_together_is_kept_or_folded_together: "pairs", invariants::pairs;
    the_tail_is_edited_by_cap_and_squeeze_alone: "tail", invariants::tail;
    what_no_edit_names_is_sent_as_it_came: "untouched", invariants::untouched;
    between_declared_edits_the_sent_list_only_grows: "append-stable", invariants::append_stable;
    no_thought_is_sent_behind_another_prefix_than_it_was_made_with: "bound-thoughts", invariants::bound_thoughts;
    no_edit_makes_the_prompt_larger: "never-larger", invariants::never_larger;
    the_predicted_tokens_are_those_of_a_fresh_measurement: "prediction", invariants::prediction;
    planning_again_changes_nothing: "idempotence", invariants::idempotence;
    the_same_run_sends_the_same_bytes: "determinism", invariants::determinism;
    what_a_checkpoint_covers_is_not_read_again: "covered", invariants::covered;
    the_prompt_fits_or_the_plan_says_what_makes_that_impossible: "fits", invariants::fits;
    a_restored_state_does_the_same_to_regrouped_messages: "state", invariants::state_restores;
    a_state_of_another_version_gives_its_newest_checkpoint: "upgrade", invariants::upgrades;
    the_raw_history_and_the_carried_list_lead_to_the_same_bytes: "carry", invariants::carry_is_rebuild;
    a_result_that_the_model_has_not_seen_is_never_emptied: "newest", invariants::newest_intact;
    the_users_words_are_cut_last_and_only_if_the_prompt_then_fits: "words", invariants::words_last;
    what_the_user_attached_to_the_message_being_answered_goes_last: "turn", invariants::turn_last;
    a_new_result_that_fits_once_the_rest_has_given_way_is_sent_whole: "arrival", invariants::arrival;
    no_two_messages_of_one_speaker_touch_that_did_not_before: "alternation", carried::alternation;
    what_acts_by_being_there_acts_the_same_in_what_is_sent: "carried", carried::carried;
    the_newest_block_of_a_provider_stays_as_it_is_and_ours_behind_it: "blocks", invariants::blocks_stay;
    no_call_that_acts_is_offered_again: "no-repetition", harmless::no_repetition;
    no_result_stands_among_the_words_of_the_user: "roles", harmless::roles;
}

/// What became of all conversations: which properties broke and how, and how many conversations reached each rung.
struct Outcome {
    broken: BTreeMap<&'static str, String>,
    histogram: BTreeMap<&'static str, u32>,
}

/// What one thread saw: the first conversation that broke each property, and the rungs.
#[derive(Default)]
struct Seen {
    broken: BTreeMap<&'static str, usize>,
    histogram: BTreeMap<&'static str, u32>,
}

/// Every conversation is driven once and judged by every property. On all cores: the tests of this file wait for it and occupy theirs.
static OUTCOME: LazyLock<Outcome> = LazyLock::new(|| {
    let all: Vec<Recipe> = generated(*CONVERSATIONS as usize).collect();
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let seen: Vec<Seen> = thread::scope(|scope| {
        let all = &all;
        let started: Vec<_> =
            (0..threads).map(|first| scope.spawn(move || judge(all.iter().enumerate().skip(first).step_by(threads)))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut first = Seen::default();
    for Seen { broken, histogram } in seen {
        for (rung, count) in histogram {
            *first.histogram.entry(rung).or_default() += count;
        }
        for (name, index) in broken {
            first.broken.entry(name).and_modify(|known| *known = index.min(*known)).or_insert(index);
        }
    }
    let broken = PROPERTIES.into_iter().filter_map(|(name, property)| Some((name, smallest(*first.broken.get(name)?, property)))).collect();
    // Written past the test runner's capture: the histogram belongs into every log.
    writeln!(std::io::stdout(), "{} conversations reached {:?}", all.len(), first.histogram).unwrap();
    Outcome { broken, histogram: first.histogram }
});

fn judge<'a>(recipes: impl Iterator<Item = (usize, &'a Recipe)>) -> Seen {
    let mut seen = Seen::default();
    for (index, recipe) in recipes {
        let conversation = recipe.build();
        let trace = drive(&conversation, &REAL);
        for rung in reached(&trace) {
            *seen.histogram.entry(rung).or_default() += 1;
        }
        for (name, property) in PROPERTIES {
            if !seen.broken.contains_key(name) && property(&conversation, &trace, &REAL).is_err() {
                seen.broken.insert(name, index);
            }
        }
    }
    seen
}

/// The first recipes, the same on every machine.
fn generated(count: usize) -> impl Iterator<Item = Recipe> {
    let mut runner = runner();
    (0..count).map(move |_| recipes().new_tree(&mut runner).unwrap().current())
}

/// A runner whose conversations are the same on every machine.
fn runner() -> TestRunner {
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, b"stepfold stepfold stepfold 0.1.0"))
}

/// Makes the conversation with this number, which breaks a property, as small as possible, and says how it does.
fn smallest(index: usize, property: Property) -> String {
    let mut runner = runner();
    for _ in 0..index {
        recipes().new_tree(&mut runner).unwrap();
    }
    let mut tree = recipes().new_tree(&mut runner).unwrap();
    let verdict = |recipe: &Recipe| {
        let conversation = recipe.build();
        property(&conversation, &drive(&conversation, &REAL), &REAL)
    };
    let mut found = (tree.current(), verdict(&tree.current()));
    let mut goes_on = tree.simplify();
    for _ in 0..SHRINKS {
        if !goes_on {
            break;
        }
        let recipe = tree.current();
        let judged = verdict(&recipe);
        goes_on = if judged.is_err() {
            found = (recipe, judged);
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    match found {
        (recipe, Err(reason)) => format!("{reason}\n{}", sketch(&recipe.build())),
        (_, Ok(())) => "it broke once but not a second time: it depends on something that is not in the input".to_owned(),
    }
}

#[track_caller]
fn check(name: &str) {
    if let Some(reason) = OUTCOME.broken.get(name) {
        panic!("{name} is broken: {reason}");
    }
}

#[test]
fn nothing_panics_whatever_comes_in() {
    for seed in 0..u64::from(*CONVERSATIONS) {
        if let Err(error) = arbitrary::no_panic(seed, &REAL) {
            panic!("{error}");
        }
    }
}

#[test]
fn what_broke_at_night_holds() {
    let last = ONCE_BROKEN.iter().map(|(number, _)| number + 1).max().unwrap_or_default();
    let recipes: Vec<Recipe> = generated(last).collect();
    for (number, property) in ONCE_BROKEN {
        let conversation = recipes[number].build();
        let verdict = property(&conversation, &drive(&conversation, &REAL), &REAL);
        assert_eq!(verdict, Ok(()), "conversation {number}");
    }
}

#[test]
fn every_rung_is_reached_often() {
    for rung in RUNGS {
        let count = OUTCOME.histogram.get(rung).copied().unwrap_or(0);
        let wanted = *CONVERSATIONS / ONE_IN;
        assert!(count >= wanted, "{count} conversations reach {rung}, {wanted} are wanted");
    }
}

#[test]
fn each_property_fails_when_its_invariant_is_broken() {
    let recipes: Vec<Recipe> = generated(SOON).collect();
    // Built when a broken engine first comes that far: most are noticed early.
    let conversations: Vec<OnceCell<_>> = recipes.iter().map(|_| OnceCell::new()).collect();
    let mut reported = String::new();
    let mut unnoticed = Vec::new();
    for broken in broken::all() {
        let engine = broken.engine();
        let case = match PROPERTIES.into_iter().find(|(known, _)| *known == broken.property) {
            Some((_, property)) => (0..SOON).find(|index| {
                let conversation = conversations[*index].get_or_init(|| recipes[*index].build());
                property(conversation, &drive(conversation, &engine), &engine).is_err()
            }),
            None => (0..SOON).find(|seed| arbitrary::no_panic(*seed as u64, &engine).is_err()),
        };
        match case {
            Some(case) => reported.push_str(&format!("  case {:>5}: `{}` notices that {}\n", case + 1, broken.property, broken.what)),
            None => unnoticed.push(format!("`{}` does not notice that {}", broken.property, broken.what)),
        }
    }
    writeln!(std::io::stdout(), "broken engines:\n{reported}").unwrap();
    assert!(unnoticed.is_empty(), "within {SOON} cases {}", unnoticed.join(", "));
}

/// The first chat in which what was said once left before what says nothing of its own.
fn flooded(engine: impl Fn() -> broken::Broken + Sync) -> Option<String> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let judge = |first: usize| {
        let chats = flood::FLOODS.into_iter().enumerate().skip(first).step_by(threads);
        chats.map(|(seed, flood)| flood::outlives(flood, seed as u64, &engine().engine())).find_map(Result::err)
    };
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|first| scope.spawn(move || judge(first))).collect();
        started.into_iter().filter_map(|thread| thread.join().unwrap()).next()
    })
}

#[test]
fn what_the_user_said_once_outlives_what_says_nothing_of_its_own() {
    assert_eq!(flooded(broken::nothing), None);
}

#[test]
fn it_is_noticed_when_the_users_words_leave_by_age_or_by_length() {
    for broken in broken::FORGETFUL {
        assert!(flooded(broken).is_some());
    }
}
