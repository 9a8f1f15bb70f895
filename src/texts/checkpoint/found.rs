//! Sections of a checkpoint: lines of results that were used later, and what files hold that are in use.

use crate::record::work::{Finding, Reading, Stretch};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;

/// A file that was touched longer ago than this many steps is not in use, unless the plan or the newest answer speaks of it.
const USE_STEPS: u32 = 60;
/// What a file is ahead of others, in steps, because it was changed, or is spoken of.
const CHANGED_STEPS: u32 = 15;
const SPOKEN_STEPS: u32 = 25;
/// A stretch is not shown with less room.
const LEAST_TOKENS: u32 = 60;
/// One file at most, as a share of the room while others are in use too.
const FILE_SHARE: f64 = 0.6;

/// Lines of results, those used last first in worth, grouped by their place in the order of their steps.
pub fn findings(checkpoint: &Checkpoint, tokens: u32, so_far: &str) -> String {
    let mut room = tokens;
    let mut kept: Vec<&Finding> = Vec::new();
    let mut order: Vec<&Finding> = checkpoint.record.findings.iter().collect();
    order.sort_by_key(|finding| (finding.used / 10, finding.worth, finding.used));
    for finding in order.into_iter().rev() {
        let line = finding.line.split_once(": ").map_or(finding.line.as_str(), |(_, line)| line);
        if so_far.contains(line) {
            continue;
        }
        let is_new = !kept.iter().any(|other| other.place == finding.place);
        let cost = estimate_tokens(&finding.line) + 1 + if is_new { estimate_tokens(&finding.place) + 6 } else { 0 };
        let Some(rest) = room.checked_sub(cost) else { break };
        room = rest;
        kept.push(finding);
    }
    // Each place stands where its first line does.
    kept.sort_by_key(|finding| finding.step);
    let mut places: Vec<(&str, u32, Vec<&Finding>)> = Vec::new();
    for finding in kept {
        match places.iter_mut().find(|(place, ..)| *place == finding.place) {
            Some((.., lines)) => lines.push(finding),
            None => places.push((&finding.place, finding.step, vec![finding])),
        }
    }
    let blocks = places.into_iter().map(|(place, step, mut lines)| {
        lines.sort_by_key(|finding| number_of(&finding.line));
        let lines: Vec<String> = lines.iter().map(|finding| format!("  {}", finding.line)).collect();
        format!("{place} (step {step}):\n{}", lines.join("\n"))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn number_of(line: &str) -> u32 {
    line.split_once(": ").and_then(|(number, _)| number.parse().ok()).unwrap_or(0)
}

/// What files hold that are in use, the ones touched last first in worth.
pub fn working_set(checkpoint: &Checkpoint, tokens: u32, so_far: &str) -> String {
    let record = &checkpoint.record;
    let spoken = |reading: &Reading| {
        let name = reading.path.rsplit('/').next().unwrap_or(&reading.path);
        name.len() > 3
            && (record.plan.items.iter().any(|item| item.text.contains(name))
                || record.conclusions.last().is_some_and(|told| told.text.contains(name))
                || record.users.last().is_some_and(|asked| asked.text.contains(name)))
    };
    let mut order: Vec<(u32, &Reading)> = record
        .readings
        .iter()
        .map(|reading| {
            let ahead = if reading.is_changed { CHANGED_STEPS } else { 0 } + if spoken(reading) { SPOKEN_STEPS } else { 0 };
            (reading.step + ahead, reading)
        })
        .filter(|(worth, _)| worth + USE_STEPS >= record.steps)
        .collect();
    order.sort_by_key(|(worth, _)| *worth);
    let _ = so_far;
    let mut room = tokens;
    let mut blocks = Vec::new();
    for (_, reading) in order.iter().rev() {
        let most = if order.len() > 1 { room.min((f64::from(tokens) * FILE_SHARE) as u32) } else { room };
        let Some(block) = file_within(reading, most) else { continue };
        room = room.saturating_sub(estimate_tokens(&block) + 2);
        blocks.push(block);
        if room < LEAST_TOKENS {
            break;
        }
    }
    blocks.join("\n\n")
}

/// A file within `tokens`: its stretches, as many as there is room for, in order. A long one from its beginning on.
fn file_within(reading: &Reading, tokens: u32) -> Option<String> {
    let changed = if reading.is_changed { ", with the edits made since" } else { "" };
    let title = format!("{} (step {}{changed}):", reading.path, reading.step);
    let mut room = tokens.checked_sub(estimate_tokens(&title) + 2)?;
    let mut blocks = Vec::new();
    for stretch in &reading.stretches {
        if room < LEAST_TOKENS && !blocks.is_empty() {
            blocks.push("…".to_owned());
            break;
        }
        let (text, is_whole) = stretch_within(stretch, room);
        if text.is_empty() {
            break;
        }
        room = room.saturating_sub(estimate_tokens(&text) + 1);
        blocks.push(text);
        if !is_whole {
            break;
        }
    }
    (!blocks.is_empty()).then(|| format!("{title}\n{}", blocks.join("\n")))
}

/// The first lines of a stretch within `tokens`, each with its number, and whether that is all.
fn stretch_within(stretch: &Stretch, tokens: u32) -> (String, bool) {
    let mut text = String::new();
    let mut room = tokens;
    let mut is_whole = true;
    for (at, line) in stretch.text.split('\n').enumerate() {
        let cost = estimate_tokens(line) + 2;
        if cost > room {
            text.push_str("…\n");
            is_whole = false;
            break;
        }
        room -= cost;
        match stretch.first {
            0 => text.push_str(&format!("{line}\n")),
            first => text.push_str(&format!("{}\t{line}\n", first.saturating_add(at as u32))),
        }
    }
    text.truncate(text.trim_end_matches('\n').len());
    (if text == "…" { String::new() } else { text }, is_whole)
}
