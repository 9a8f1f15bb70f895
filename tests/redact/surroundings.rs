//! Secrets of public forms are found in all that agents read and write: plain lines, JSON, YAML, commands and source code.

use stepfold::redact::clean;

use super::places::MORE;
use super::secrets::{Chance, FORMS, PLACES};
use super::syntax::SYNTAX;

/// Secrets of a form in each of the surroundings.
const EACH: usize = 5;

/// The five kinds of surroundings.
const KINDS: [&str; 5] = ["plain", "json", "yaml", "shell", "code"];

/// Every so many forms one is kept aside: the rules were not written with a look at those that were missed of these.
const ASIDE: usize = 3;

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n    ")
}

/// A text as it stands in a kind of surroundings.
fn within(kind: &str, text: &str) -> String {
    match kind {
        "plain" => format!("before\n{text}\nafter"),
        "json" => format!("{{\"id\":7,\"note\":\"{}\",\"ok\":true}}", escaped(text)),
        "yaml" => format!("items:\n  - id: 7\n    note: |\n    {}\n    ok: true\n", indented(text)),
        "shell" => format!("$ cat <<'END' > out.txt\n{text}\nEND\n"),
        _ => format!("const note = \"{}\";\nsend(note);\n", escaped(text)),
    }
}

#[test]
fn secrets_of_public_forms_are_found_in_five_kinds_of_surroundings() {
    let beginnings = FORMS.iter().map(|(first, second, form)| (format!("{first}{second}"), "…", *form));
    let forms: Vec<(String, &str, &str)> =
        beginnings.chain(PLACES.iter().chain(&MORE).chain(&SYNTAX).map(|(place, form)| (String::new(), *place, *form))).collect();
    let mut chance = Chance(17);
    // Counted and missed, of the forms that were looked at and of those kept aside.
    let (mut counts, mut missed) = ([0, 0], [Vec::new(), Vec::new()]);
    for (index, (beginning, place, form)) in forms.iter().enumerate() {
        for round in 0..EACH * KINDS.len() {
            // Two forms begin by chance themselves.
            let first = if matches!(beginning.as_str(), "a14.atlasv1." | "d10:AA") {
                chance.fill(&beginning[..3]) + &beginning[3..]
            } else {
                beginning.clone()
            };
            let secret = format!("{first}{}", chance.fill(form));
            let kind = KINDS[round % KINDS.len()];
            let set = usize::from(index % ASIDE == ASIDE - 1);
            counts[set] += 1;
            let text = within(kind, &place.replace('…', &secret));
            if clean(&text).contains(&secret) {
                println!("missed in {kind}: {beginning}{place} {form}");
                missed[set].push(format!("{kind}: {text}"));
            }
        }
    }
    let share = |set: usize| missed[set].len() as f64 / f64::from(counts[set]) * 100.0;
    println!(
        "{} forms: {} of {} secrets missed ({:.2} %); kept aside {} of {} ({:.2} %)",
        forms.len(),
        missed[0].len(),
        counts[0],
        share(0),
        missed[1].len(),
        counts[1],
        share(1)
    );
    assert!(forms.len() >= 180 && counts[0] + counts[1] >= 5_000);
    let all = missed[0].len() + missed[1].len();
    assert!(
        all * 50 <= (counts[0] + counts[1]) as usize,
        "{all} missed, such as {:#?}",
        missed[0].iter().chain(&missed[1]).take(5).collect::<Vec<_>>()
    );
}
