//! Sections of a checkpoint: lines of results that were used later, and what files hold that are in use.

use crate::order::sort_by_numbers;
use crate::record::work::{Finding, Reading, Stretch};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;

/// What a file is ahead of others, in steps, because it was changed, or is spoken of.
const CHANGED_STEPS: u32 = 15;
const SPOKEN_STEPS: u32 = 25;
/// So many findings that do not fit end the list.
const MISSES: usize = 12;
/// A stretch is not shown with less room.
const LEAST_TOKENS: u32 = 40;
/// Lines of a file that nothing spoke of may take this share of the room at once.
const UNUSED_SHARE: f64 = 0.35;

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

/// What files hold that are in use: lines that were changed or spoken of, the newest first in worth, then the files touched last.
pub fn working_set(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let readings = &checkpoint.record.readings;
    let mut order: Vec<(bool, u32, usize, usize)> = Vec::new();
    for (at, reading) in readings.iter().enumerate() {
        let rank = rank_of(checkpoint, reading);
        for (part, stretch) in reading.stretches.iter().enumerate() {
            order.push((stretch.used > 0, if stretch.used > 0 { stretch.used } else { rank }, at, part));
        }
    }
    sort_by_numbers(&mut order, |(is_used, rank, ..)| [i64::from(*is_used), i64::from(*rank), 0]);
    let mut room = tokens;
    let mut kept: Vec<(usize, usize, String, bool)> = Vec::new();
    for (is_used, _, at, part) in order.into_iter().rev() {
        let reading = &readings[at];
        let title = if kept.iter().any(|(other, ..)| *other == at) { 4 } else { estimate_tokens(&title_of(reading)) + 4 };
        let most = if is_used { room } else { room.min((f64::from(tokens) * UNUSED_SHARE) as u32) };
        let Some(most) = most.checked_sub(title).filter(|most| *most >= LEAST_TOKENS) else { break };
        let (text, is_whole) = stretch_within(&reading.stretches[part], most);
        if !text.is_empty() {
            room = room.saturating_sub(title + estimate_tokens(&text));
            kept.push((at, part, text, is_whole));
        }
    }
    sort_by_numbers(&mut kept, |(at, part, ..)| [*at as i64, *part as i64, 0]);
    let files = kept.chunk_by(|one, other| one.0 == other.0).map(|parts| file_text(&readings[parts[0].0], parts));
    files.collect::<Vec<_>>().join("\n\n")
}

/// The step of a file, ahead of itself when it was changed or is spoken of.
fn rank_of(checkpoint: &Checkpoint, reading: &Reading) -> u32 {
    let record = &checkpoint.record;
    let name = reading.path.rsplit('/').next().unwrap_or(&reading.path);
    let is_spoken_of = name.len() > 3
        && (record.plan.items.iter().any(|item| item.text.contains(name))
            || record.conclusions.last().is_some_and(|told| told.text.contains(name))
            || record.users.last().is_some_and(|asked| asked.text.contains(name)));
    let ahead = if reading.is_changed { CHANGED_STEPS } else { 0 } + if is_spoken_of { SPOKEN_STEPS } else { 0 };
    reading.step.saturating_add(ahead)
}

fn title_of(reading: &Reading) -> String {
    let changed = if reading.is_changed { ", as the agent left it" } else { "" };
    format!("{} (step {}{changed}):", reading.path, reading.step)
}

/// Parts of a file in their order, a mark where lines are missing between them.
fn file_text(reading: &Reading, parts: &[(usize, usize, String, bool)]) -> String {
    let mut text = title_of(reading);
    let mut next = 1;
    for (_, part, lines, is_whole) in parts {
        let stretch = &reading.stretches[*part];
        if stretch.first != next {
            text.push_str("\n…");
        }
        text.push('\n');
        text.push_str(lines);
        let count = stretch.text.split('\n').count() as u32;
        next = if *is_whole && stretch.first > 0 { stretch.first.saturating_add(count) } else { 0 };
        if !is_whole {
            text.push_str("\n…");
        }
    }
    text
}

/// The first lines of a stretch within `tokens`, each with its number, and whether that is all.
fn stretch_within(stretch: &Stretch, tokens: u32) -> (String, bool) {
    let mut text = String::new();
    let mut room = tokens;
    for (at, line) in stretch.text.split('\n').enumerate() {
        let cost = estimate_tokens(line) + 2;
        if cost > room {
            return (up_to_block_end(text.trim_end_matches('\n')), false);
        }
        room -= cost;
        match stretch.first {
            0 => text.push_str(&format!("{line}\n")),
            first => text.push_str(&format!("{}→{line}\n", first.saturating_add(at as u32))),
        }
    }
    text.pop();
    (text, true)
}

/// The lines up to the last end of a block: an empty line, or one that only closes, where that costs no more than a third of them.
fn up_to_block_end(text: &str) -> String {
    let own = |line: &str| line.split_once('→').map_or(line, |(_, line)| line).trim_end().to_owned();
    let lines: Vec<&str> = text.split('\n').collect();
    let ends = |line: &&str| own(line).is_empty() || matches!(own(line).as_str(), "}" | "};" | "})" | "});" | "]" | "end" | ")");
    let last = lines.iter().rposition(ends).filter(|at| (at + 1) * 3 >= lines.len() * 2);
    lines[..last.map_or(lines.len(), |at| at + 1)].join("\n").trim_end().to_owned()
}
