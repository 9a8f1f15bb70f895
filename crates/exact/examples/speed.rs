//! Counts files with this crate and with tiktoken-rs, and prints how long each takes per megabyte.
//! Natively: `npm run bench:tokens` compares the WebAssembly modules, over many kinds of text.
//!
//!     cargo run --release --package stepfold-exact --example speed -- README.md docs/*.md
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};
use std::{env, fs};

use stepfold_exact::{Counter, Pattern, reference, write_table};

/// How often everything is counted; the fastest time is told.
const ROUNDS: usize = 5;

fn main() {
    let texts: Vec<String> = env::args().skip(1).map(|path| fs::read_to_string(path).unwrap()).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    assert!(bytes > 0, "name files to count");
    for pattern in [Pattern::O200k, Pattern::Cl100k] {
        let reference = reference(pattern);
        let begin = Instant::now();
        let table = write_table(pattern);
        let writing = begin.elapsed();
        // A counter of its own each time: one remembers what it has counted.
        let begin = Instant::now();
        let counters: Vec<Counter> = (0..ROUNDS).map(|_| Counter::new(&table)).collect();
        let unfolding = begin.elapsed() / ROUNDS as u32;
        let ours = fastest(counters, |counter| texts.iter().map(|text| counter.count(text.as_bytes()) as usize).sum());
        let theirs = fastest(vec![(); ROUNDS], |()| texts.iter().map(|text| reference.count_ordinary(text)).sum());
        assert_eq!(ours.1, theirs.1, "the counts differ");
        println!(
            "{pattern:?}: {bytes} bytes, {} tokens, table of {} KB written in {writing:.1?} and unfolded in {unfolding:.1?}; {:.1} ms/MB, tiktoken-rs {:.1} ms/MB: {:.1} times as fast",
            ours.1,
            table.len() / 1000,
            per_megabyte(ours.0, bytes),
            per_megabyte(theirs.0, bytes),
            theirs.0.as_secs_f64() / ours.0.as_secs_f64()
        );
    }
}

/// The shortest time of several rounds, and what was counted.
fn fastest<Counts>(rounds: Vec<Counts>, mut count: impl FnMut(&mut Counts) -> usize) -> (Duration, usize) {
    let timed = rounds.into_iter().map(|mut counts| {
        let begin = Instant::now();
        let tokens = count(&mut counts);
        (begin.elapsed(), tokens)
    });
    timed.min().unwrap()
}

fn per_megabyte(time: Duration, bytes: usize) -> f64 {
    time.as_secs_f64() * 1e9 / bytes as f64
}
