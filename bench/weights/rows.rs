//! Rows to learn the worth of chunks from: what the engine sees of each chunk of old results, and whether it was needed later. Reads what
//! `sessions.mjs` writes. Rows hold small numbers only, no text.
//!   cargo run --release --example worth-rows -- <sessions.jsonl> <rows.bin>
//! A row: session (u16), needed (u8), weight (f32), the features.

use std::collections::HashSet;
use std::error::Error;
use std::fs;

use stepfold::text::chunk::chunks;
use stepfold::text::term::{Kind, each_term};
use stepfold::text::uses::{Uses, within};
use stepfold::text::worth::{FEATURES, Source, weigh};
use stepfold::text::written::written;

/// The newest texts before a cut are sent as they are.
const TAIL: usize = 8;
/// A term in more texts tells nothing of which of them is needed.
const RARE_TEXTS: u32 = 4;
/// What is needed of a chunk at least, by the rarity of its terms.
const NEEDED: u32 = 7;
/// Longer inputs of calls hold texts of their own (`digest::findings`).
const LONG_INPUT_BYTES: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, sessions, rows] = &arguments[..] else { return Err("expected two files".into()) };
    let mut bytes: Vec<u8> = Vec::new();
    for (number, line) in fs::read_to_string(sessions)?.lines().enumerate() {
        let session: serde_json::Value = serde_json::from_str(line)?;
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let said: Vec<[String; 3]> = list(&session["said"]).iter().map(|said| [text(&said[0]), text(&said[1]), text(&said[2])]).collect();
        let cuts = list(&session["cuts"]);
        for cut in &cuts {
            let at = cut["at"].as_u64().unwrap_or_default() as usize;
            let facts: Vec<Vec<Vec<String>>> = list(&cut["facts"])
                .iter()
                .map(|words| list(words).iter().map(|forms| list(forms).iter().map(|form| text(form).to_lowercase()).collect()).collect())
                .collect();
            let places: Vec<Vec<u64>> =
                list(&cut["places"]).iter().map(|places| list(places).iter().filter_map(serde_json::Value::as_u64).collect()).collect();
            rows_of(&said, at, (&facts, &places), number as u16, cuts.len() as f32, &mut bytes);
        }
    }
    fs::write(rows, bytes)?;
    Ok(())
}

/// A row for each chunk before the cut. With facts, these say what is needed, each at its places where it has some; else what is spoken of behind the cut does.
fn rows_of(
    said: &[[String; 3]],
    cut: usize,
    (facts, places): (&[Vec<Vec<String>>], &[Vec<u64>]),
    session: u16,
    cuts: f32,
    rows: &mut Vec<u8>,
) {
    let mut uses = Uses::default();
    let mut orders = Vec::new();
    let mut last_words = "";
    for [kind, text, _] in &said[..cut] {
        orders.push(if kind == "result" { uses.show(text) } else { uses.mention(text) });
        if kind == "words" {
            last_words = text;
        }
    }
    uses.request(said.first().map_or("", |first| first[1].as_str()));
    uses.request(last_words);
    let mut needed: HashSet<u64> = HashSet::new();
    let mut shown_again: HashSet<u64> = HashSet::new();
    for [kind, text, _] in &said[cut..] {
        each_term(within(text), &mut |term, _| {
            if kind == "result" {
                shown_again.insert(term);
            } else if !shown_again.contains(&term) {
                needed.insert(term);
            }
        });
    }
    let mut own: Vec<(bool, [u8; FEATURES])> = Vec::new();
    for (at, [kind, text, call]) in said[..cut.saturating_sub(TAIL)].iter().enumerate() {
        let is_call = kind == "call";
        if kind == "words" || is_call && text.len() <= LONG_INPUT_BYTES {
            continue;
        }
        let is_stale = !is_call && said[at + 1..cut].iter().any(|[other, _, input]| other == "result" && input == call && !call.is_empty());
        let text = within(text);
        let parts = chunks(text);
        let source = Source { order: orders[at], is_call, is_stale };
        for (weighed, chunk) in weigh(text, &parts, source, &uses).into_iter().zip(&parts.list) {
            let body = &text[chunk.range.clone()];
            let is_needed = if facts.is_empty() {
                let mut worth = 0;
                each_term(body, &mut |term, kind: Kind| {
                    if needed.contains(&term) && uses.of(term).texts <= RARE_TEXTS {
                        worth += uses.rarity(term, kind);
                    }
                });
                worth >= NEEDED
            } else {
                let head: String = parts.heads[chunk.head].iter().map(|range| written(&text[range.clone()])).collect();
                let line = format!("{head} {} {call}", written(body)).to_lowercase();
                let anchor = |fact: &Vec<Vec<String>>| body.to_lowercase().contains(&fact[0][0]);
                let stands = |of: usize| places.get(of).is_none_or(|places| places.contains(&(at as u64)));
                facts
                    .iter()
                    .enumerate()
                    .any(|(of, fact)| stands(of) && anchor(fact) && fact.iter().all(|forms| forms.iter().any(|form| line.contains(form))))
            };
            own.push((is_needed, weighed.features));
        }
    }
    // Each session counts the same, however long it is.
    let weight = 1.0 / (own.len().max(1) as f32 * cuts);
    for (is_needed, features) in own {
        rows.extend(session.to_le_bytes());
        rows.push(u8::from(is_needed));
        rows.extend(weight.to_le_bytes());
        rows.extend(features);
    }
}
