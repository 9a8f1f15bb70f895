//! Whether names of tools are read as what the tools do, on a table that the rule's author did not write (`README.md`).
//! Prints both kinds of error; holds what each may be.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use stepfold::digest::call_facts::call_facts;
use stepfold::digest::effect::Effect;

/// An act that is taken for a reading may be offered for repetition: the worse error. Parts in a thousand of all acts, and the same of
/// readings that are taken for acts.
const ACTS_AS_READINGS: usize = 8;
const READINGS_AS_ACTS: usize = 60;
/// What is not known is said with care; of both kinds together no more than this, in thousandths.
const UNKNOWN: usize = 230;

#[test]
fn names_of_tools_say_what_the_tools_do() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("tool-names.json")).unwrap();
    assert!(rows.len() >= 200);
    let (mut acts, mut reads) = (Vec::new(), Vec::new());
    for row in &rows {
        let input = row.get("input").map_or("{}".to_owned(), Value::to_string);
        let tool = row["tool"].as_str().unwrap().to_owned();
        let effect = call_facts(&tool, &stepfold::json::Value::parse(&input).unwrap()).effect;
        let list = if row["effect"] == "acts" { &mut acts } else { &mut reads };
        list.push((tool, row["language"].as_str().unwrap_or_default().to_owned(), effect));
    }
    let wrong = |list: &[(String, String, Effect)], effect: Effect| -> Vec<String> {
        list.iter().filter(|row| row.2 == effect).map(|(tool, language, _)| format!("{tool} ({language})")).collect()
    };
    let (acts_read, reads_act) = (wrong(&acts, Effect::Reads), wrong(&reads, Effect::Acts));
    let (acts_unknown, reads_unknown) = (wrong(&acts, Effect::Unknown), wrong(&reads, Effect::Unknown));
    println!("acts taken for readings: {} of {}: {}", acts_read.len(), acts.len(), acts_read.join(", "));
    println!("readings taken for acts: {} of {}: {}", reads_act.len(), reads.len(), reads_act.join(", "));
    println!(
        "not known: {} acts: {}\n{} readings: {}",
        acts_unknown.len(),
        acts_unknown.join(", "),
        reads_unknown.len(),
        reads_unknown.join(", ")
    );
    assert!(acts_read.len() * 1_000 <= acts.len() * ACTS_AS_READINGS);
    assert!(reads_act.len() * 1_000 <= reads.len() * READINGS_AS_ACTS);
    assert!((acts_unknown.len() + reads_unknown.len()) * 1_000 <= rows.len() * UNKNOWN);
}
