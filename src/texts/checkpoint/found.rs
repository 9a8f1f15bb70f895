//! The section of a checkpoint with lines of results that were used later.

use crate::order::sort_by_numbers;
use crate::record::work::Finding;
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;

/// So many findings that do not fit end the list.
const MISSES: usize = 12;

/// Lines of results, those used last first in worth, grouped by their place in the order of their steps.
pub fn findings(checkpoint: &Checkpoint, tokens: u32, so_far: &str) -> String {
    let mut room = tokens;
    let mut kept: Vec<&Finding> = Vec::new();
    let mut order: Vec<&Finding> = checkpoint.record.findings.iter().collect();
    sort_by_numbers(&mut order, |finding| [finding.used / 10, finding.worth, finding.used].map(i64::from));
    let mut misses = 0;
    for finding in order.into_iter().rev() {
        let is_told = |line: &str| so_far.contains(line.split_once(": ").map_or(line, |(_, line)| line));
        if finding.line.lines().next().is_some_and(is_told) || is_overtaken(checkpoint, finding) {
            continue;
        }
        let is_new = !kept.iter().any(|other| other.place == finding.place);
        let cost = estimate_tokens(&finding.line) + 1 + if is_new { estimate_tokens(&finding.place) + 6 } else { 0 };
        let Some(rest) = room.checked_sub(cost) else {
            // Shorter ones may fit still.
            misses += 1;
            if misses > MISSES {
                break;
            }
            continue;
        };
        room = rest;
        kept.push(finding);
    }
    // Each place stands where its first line does.
    sort_by_numbers(&mut kept, |finding| [i64::from(finding.step), 0, 0]);
    let mut places: Vec<(&str, u32, Vec<&Finding>)> = Vec::new();
    for finding in kept {
        match places.iter_mut().find(|(place, ..)| *place == finding.place) {
            Some((.., lines)) => lines.push(finding),
            None => places.push((&finding.place, finding.step, vec![finding])),
        }
    }
    let blocks = places.into_iter().map(|(place, step, mut lines)| {
        sort_by_numbers(&mut lines, |finding| [i64::from(number_of(&finding.line)), 0, 0]);
        let lines: Vec<String> = lines.iter().map(|finding| format!("  {}", finding.line.replace('\n', "\n  "))).collect();
        format!("{place} (step {step}):\n{}", lines.join("\n"))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// Whether the agent changed the file since: its line may be gone.
fn is_overtaken(checkpoint: &Checkpoint, finding: &Finding) -> bool {
    let files = &mut checkpoint.record.files.iter();
    files.any(|file| file.path == finding.place && file.edit_steps.1.max(file.created_step).max(file.deleted_step) > finding.step)
}

fn number_of(line: &str) -> u32 {
    line.split_once(": ").and_then(|(number, _)| number.parse().ok()).unwrap_or(0)
}
