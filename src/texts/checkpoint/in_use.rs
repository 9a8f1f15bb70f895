//! The section of a checkpoint that shows what files hold: whole blocks of lines that were edited last, or that the newest words name.
//! Not which lines are known (see `record::working_set`).

use std::collections::HashMap;
use std::ops::Range;

use crate::order::sort_by_numbers;
use crate::record::action::same_file;
use crate::record::plan::PlanStatus;
use crate::record::work::{Reading, Record};
use crate::state::Checkpoint;
use crate::texts::checkpoint::blocks::{blocks, is_filling, is_import};
use crate::tokens::estimate::estimate_tokens;

/// Less of a block is not shown.
const LEAST_TOKENS: u32 = 60;
const LEAST_LINES: usize = 4;
/// Fewer lines between two blocks are shown with them.
const GAP_LINES: usize = 6;
/// An edit counts as new for so many steps.
const NEW_STEPS: u32 = 30;
/// Blocks that nothing new speaks of, and that no edit changed, may take this share of the room at once.
const UNUSED_SHARE: f64 = 0.5;
/// A name in more blocks tells none of them from the others.
const RARE_BLOCKS: u32 = 6;
/// Shortest name, in bytes.
const NAME_BYTES: usize = 5;

/// A line of a file: its number, 0 when it is not known, the step in which it was edited, 0 when it was not, and the one that used it.
struct Line<'r> {
    number: u32,
    text: &'r str,
    edited: u32,
    used: u32,
}

/// Lines of one file that stand together, and the blocks they make.
struct Run<'r> {
    file: usize,
    lines: Vec<Line<'r>>,
    blocks: Vec<Range<usize>>,
}

/// What files hold that are in use: the blocks of the newest edits, then those that the newest words name.
pub fn working_set(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let runs: Vec<Run<'_>> = record.readings.iter().enumerate().flat_map(|(at, reading)| runs_of(at, reading)).collect();
    let mut order = ranked(record, &runs);
    // Of equal rank the first block of a file stands first.
    sort_by_numbers(&mut order, |block| [-block.rank, block.run as i64, block.block as i64]);
    let mut room = tokens;
    let mut unused = (f64::from(tokens) * UNUSED_SHARE) as u32;
    let mut kept: Vec<Vec<Range<usize>>> = runs.iter().map(|_| Vec::new()).collect();
    for Ranked { run: at, block, is_used, .. } in order {
        let run = &runs[at];
        let is_new = !runs.iter().zip(&kept).any(|(other, kept)| other.file == run.file && !kept.is_empty());
        let title = if is_new { estimate_tokens(&title_of(record, &record.readings[run.file])) + 4 } else { 4 };
        let most = if is_used { room } else { room.min(unused) };
        let Some(most) = most.checked_sub(title).filter(|most| *most >= LEAST_TOKENS) else { continue };
        let Some((range, cost)) = within(&run.lines, run.blocks[block].clone(), most) else { continue };
        room = room.saturating_sub(title + cost);
        unused = if is_used { unused } else { unused.saturating_sub(title + cost) };
        kept[at].push(range);
    }
    let mut texts: Vec<(usize, String)> = Vec::new();
    for (run, mut ranges) in runs.iter().zip(kept) {
        if ranges.is_empty() {
            continue;
        }
        sort_by_numbers(&mut ranges, |range| [range.start as i64, 0, 0]);
        let text = run_text(run, &ranges);
        match texts.last_mut().filter(|(file, _)| *file == run.file) {
            Some((_, before)) => before.push_str(&format!("\n{}", text.trim_start_matches("…\n"))),
            None => texts.push((run.file, format!("{}\n{text}", title_of(record, &record.readings[run.file])))),
        }
    }
    texts.into_iter().map(|(_, text)| text.trim_end_matches("\n…").to_owned()).collect::<Vec<_>>().join("\n\n")
}

/// The runs of a reading: stretches that follow each other are one.
fn runs_of(file: usize, reading: &Reading) -> Vec<Run<'_>> {
    let mut runs: Vec<Vec<Line<'_>>> = Vec::new();
    for stretch in &reading.stretches {
        let lines = stretch.text.split('\n').enumerate().map(|(at, text)| Line {
            number: if stretch.first > 0 { stretch.first.saturating_add(at as u32) } else { 0 },
            text,
            edited: stretch.edited,
            used: stretch.used,
        });
        let follows =
            |run: &&mut Vec<Line<'_>>| run.last().is_some_and(|last| last.number > 0 && last.number.saturating_add(1) == stretch.first);
        match runs.last_mut().filter(follows) {
            Some(run) => run.extend(lines),
            None => runs.push(lines.collect()),
        }
    }
    runs.into_iter().map(|lines| parted(file, lines)).collect()
}

fn parted(file: usize, lines: Vec<Line<'_>>) -> Run<'_> {
    let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
    let blocks = blocks(&texts).into_iter().filter(|block| !is_filling(&texts[block.clone()])).collect();
    Run { file, lines, blocks }
}

/// A block, and what it is worth: more is better.
struct Ranked {
    run: usize,
    block: usize,
    rank: i64,
    /// It was edited of late, or the newest words name it.
    is_used: bool,
}

/// A block: its run, its place there, its lines, and which names it holds, and whether in its first lines.
type Named<'r> = (usize, usize, &'r [Line<'r>], Vec<(&'r str, bool)>);

fn ranked(record: &Record, runs: &[Run<'_>]) -> Vec<Ranked> {
    let words = newest_words(record);
    let names = names_of(&words);
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let each = || {
        runs.iter()
            .enumerate()
            .flat_map(|(at, run)| run.blocks.iter().enumerate().map(move |(block, lines)| (at, block, &run.lines[lines.clone()])))
    };
    let named = |lines: &[Line<'_>]| -> Vec<(&str, bool)> {
        let is_in = |name: &&&str| lines.iter().any(|line| line.text.contains(**name));
        let heads = |name: &str| lines.iter().take(LEAST_LINES).any(|line| line.text.contains(name));
        names.iter().filter(is_in).map(|name| (*name, heads(name))).collect()
    };
    let found: Vec<Named<'_>> = each().map(|(at, block, lines)| (at, block, lines, named(lines))).collect();
    for (name, _) in found.iter().flat_map(|(.., named)| named) {
        *counts.entry(name).or_default() += 1;
    }
    let rank = |(at, block, lines, named): Named<'_>| {
        let reading = &record.readings[runs[at].file];
        let file = reading.path.rsplit('/').next().unwrap_or(&reading.path);
        let edited = lines.iter().map(|line| line.edited).max().unwrap_or(0);
        let is_new = edited > 0 && edited.saturating_add(NEW_STEPS) >= record.steps;
        let worth: i64 = named
            .iter()
            .filter(|(name, _)| counts.get(name).is_some_and(|count| *count <= RARE_BLOCKS))
            .map(|(_, heads)| if *heads { 3 } else { 1 })
            .sum();
        let step = lines.iter().map(|line| line.used).max().unwrap_or(0).max(reading.step.saturating_sub(NEW_STEPS));
        let rank = if is_new {
            // What is named as well stands before what was edited a little later.
            3_000_000 + i64::from(edited) + worth.min(6)
        } else if worth > 0 {
            2_000_000 + worth * 1_000 + i64::from(step)
        } else {
            let is_spoken_of = file.len() > 3 && words.contains(file);
            i64::from(is_spoken_of) * 1_000_000 + i64::from(step)
        };
        Ranked { run: at, block, rank, is_used: is_new || worth > 0 }
    };
    found.into_iter().map(rank).collect()
}

/// What was said last: what is open of the plan, the last answer, the newest task, what was announced.
fn newest_words(record: &Record) -> String {
    let open =
        record.plan.items.iter().filter(|item| matches!(item.status, PlanStatus::Open | PlanStatus::Active)).map(|item| item.text.as_str());
    let told = record.conclusions.last().map(|told| told.text.as_str());
    let asked = record.users.last().map_or(record.request.as_str(), |asked| asked.text.as_str());
    open.chain(told).chain([asked, record.last_words.1.as_str()]).collect::<Vec<_>>().join("\n")
}

/// The names of code in a text: words of several parts, such as `parse_records`, `parseRecords` or `Parser2`.
fn names_of(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for word in text.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_')) {
        let inner = word.as_bytes().get(1..).unwrap_or_default();
        let is_code = inner.contains(&b'_') || inner.iter().any(u8::is_ascii_uppercase) && inner.iter().any(u8::is_ascii_lowercase);
        if is_code && word.len() >= NAME_BYTES && !names.contains(&word) {
            names.push(word);
        }
    }
    names
}

fn title_of(record: &Record, reading: &Reading) -> String {
    let changed = if record.later.changes.iter().any(|path| same_file(path, &reading.path)) {
        ", before the messages below changed it"
    } else if reading.is_changed {
        ", as the agent left it"
    } else {
        ""
    };
    format!("{} (step {}{changed}):", reading.path, reading.step)
}

fn cost_of(lines: &[Line<'_>]) -> u32 {
    lines.iter().map(|line| estimate_tokens(line.text) + 2).sum()
}

/// A block, or of a long one what there is room for around its newest lines; and what that costs.
fn within(lines: &[Line<'_>], block: Range<usize>, tokens: u32) -> Option<(Range<usize>, u32)> {
    let block = trimmed(lines, block);
    let cost = cost_of(&lines[block.clone()]);
    if cost <= tokens {
        return (!block.is_empty()).then_some((block, cost));
    }
    let newest = lines[block.clone()].iter().map(|line| line.edited).max().unwrap_or(0);
    let first = block.clone().find(|at| newest > 0 && lines[*at].edited == newest).unwrap_or(block.start);
    // The head of a block tells what it is: where the newest lines are near, it begins there.
    let start = if first - block.start < 2 * GAP_LINES { block.start } else { first - GAP_LINES / 2 };
    let mut end = start;
    let mut room = tokens;
    while end < block.end {
        let Some(rest) = room.checked_sub(estimate_tokens(lines[end].text) + 2) else { break };
        (room, end) = (rest, end + 1);
    }
    // It ends with a paragraph, where that costs no more than a third of it.
    let ends = |at: &usize| lines[*at].text.trim().is_empty();
    let paragraph = (start..end).rev().find(ends).filter(|at| (at - start) * 3 >= (end - start) * 2);
    let range = trimmed(lines, start..paragraph.unwrap_or(end));
    let cost = cost_of(&lines[range.clone()]);
    (range.len() >= LEAST_LINES).then_some((range, cost))
}

/// Without imports before it, and empty lines at both ends.
fn trimmed(lines: &[Line<'_>], range: Range<usize>) -> Range<usize> {
    let says = |at: &usize| !lines[*at].text.trim().is_empty();
    let Some(first) = range.clone().find(|at| says(at) && !is_import(lines[*at].text)) else { return range.start..range.start };
    let last = range.rev().find(says).unwrap_or(first);
    first..last + 1
}

/// Parts of a run in their order, those that stand close together as one, and a mark where lines are missing.
fn run_text(run: &Run<'_>, ranges: &[Range<usize>]) -> String {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start < last.end + GAP_LINES) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range.clone()),
        }
    }
    let mut text = String::new();
    for range in joined {
        if range.start > 0 || run.lines.first().is_none_or(|line| line.number != 1) {
            text.push_str("…\n");
        }
        for line in &run.lines[range] {
            match line.number {
                0 => text.push_str(&format!("{}\n", line.text)),
                number => text.push_str(&format!("{number}→{}\n", line.text)),
            }
        }
    }
    format!("{text}…")
}
