//! Sections of a checkpoint: where the work stands, what was done with files and commands, and the log.

use crate::clip::first_chars;
use crate::order::sort_by_numbers;
use crate::record::outcome::Status;
use crate::record::plan::{Plan, PlanItem, PlanStatus};
use crate::record::work::{FileWork, LogLine, Record, Worth};
use crate::state::Checkpoint;
use crate::texts::cut::{head_and_tail, newest_within};
use crate::tokens::estimate::estimate_tokens;

/// Folders that are told to have been listed.
const LISTED: usize = 8;
/// Of the newest calls the log tells readings, too.
const NEWEST_CALLS: usize = 12;
/// What edits of a file declare is told in about so many bytes.
const DECLARED_BYTES: usize = 200;
/// Items of a plan that are done and told one by one.
const DONE_ITEMS: usize = 6;
/// Lines of the log of each worth, at least, as shares of its room, in the order in which they are chosen; then all take what is left.
const LOG_SHARES: [(Worth, f64); 2] = [(Worth::Act, 0.8), (Worth::Look, 1.0)];
/// Notes that are told whole where there is no room for all, and the characters of older ones.
const WHOLE_NOTES: usize = 2;
const NOTE_CHARS: [usize; 3] = [240, 170, 120];
/// A note of at most so many bytes says little.
const SHORT_NOTE_BYTES: usize = 80;

/// The plan, what was done in the last turn and what was announced.
pub fn stands(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let mut blocks = Vec::new();
    let turn = turn_of(record);
    if !turn.is_empty() {
        blocks.push(turn);
    }
    let used = blocks.iter().map(|block| estimate_tokens(block) + 1).sum::<u32>();
    if !checkpoint.app_has_plan && !record.plan.is_empty() {
        blocks.insert(0, plan_within(&record.plan, record.steps, tokens.saturating_sub(used)));
    }
    blocks.retain(|block| !block.is_empty());
    head_and_tail(&blocks.join("\n"), tokens)
}

/// What was done since the newest message of the user.
fn turn_of(record: &Record) -> String {
    let mut lines = Vec::new();
    let asked = record.users.last();
    let since = asked.map_or(0, |asked| asked.step);
    let is_new = asked.is_some() && since >= record.steps;
    let is_answered = record.conclusions.last().is_some_and(|told| told.step == record.steps);
    let changed: Vec<&str> = record
        .files
        .iter()
        .rev()
        .filter(|file| file.is_changed() && file.edit_steps.1.max(file.created_step) > since)
        .map(|file| name_of(&file.path))
        .collect();
    if !changed.is_empty() {
        let more = if changed.len() > 8 { format!(" and {} more", changed.len() - 8) } else { String::new() };
        lines.push(format!("Changed after step {since}: {}{more}", changed[..changed.len().min(8)].join(", ")));
    }
    let (step, words) = &record.last_words;
    if record.later.goes_on {
        // The beginning of the checkpoint says so.
    } else if is_new {
        // Nothing was done for it yet, which its place says.
    } else if is_answered {
        lines.push(format!("The model answered in step {}; the record ends there.", record.steps));
    } else if !words.is_empty() {
        lines.push(format!("Announced last (step {step}): \"{words}\""));
    }
    lines.join("\n")
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The plan: what is open whole, of what is done the newest items. `steps` is where the record ends.
fn plan_within(plan: &Plan, steps: u32, tokens: u32) -> String {
    let done = |item: &&PlanItem| matches!(item.status, PlanStatus::Done | PlanStatus::Dropped);
    let count = plan.items.iter().filter(done).count();
    let mut text = match plan.changed_at_step {
        step if step > steps => "Plan, as the messages below left it:\n".to_owned(),
        step => format!("Plan, last changed in step {step}:\n"),
    };
    let mut hidden = count.saturating_sub(DONE_ITEMS);
    if hidden > 0 {
        text.push_str(&format!("- [done] {hidden} items before these\n"));
    }
    for item in &plan.items {
        if done(&item) && hidden > 0 {
            hidden -= 1;
            continue;
        }
        let mark = match item.status {
            PlanStatus::Open => "open",
            PlanStatus::Active => "in progress",
            PlanStatus::Done => "done",
            PlanStatus::Dropped => "given up",
        };
        text.push_str(&format!("- [{mark}] {}\n", item.text));
    }
    text.push_str(&plan.text);
    head_and_tail(text.trim_end(), tokens)
}

/// Files, the changed ones first, each with what was done to it.
pub fn files(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let mut order: Vec<&FileWork> = record.files.iter().collect();
    sort_by_numbers(&mut order, |file| [i64::from(file.is_changed()), i64::from(file.step()), 0]);
    let mut room = tokens.saturating_sub(8);
    let mut lines = Vec::new();
    for file in order.iter().rev() {
        let mut line = file_line(file);
        let mut cost = estimate_tokens(&line) + 1;
        if cost > room && !of_change(file).is_empty() {
            line = file_line(&FileWork { change: String::new(), declared: Vec::new(), ..(*file).clone() });
            cost = estimate_tokens(&line) + 1;
        }
        let Some(rest) = room.checked_sub(cost) else { break };
        room = rest;
        lines.push(line);
    }
    let omitted = record.files.len() - lines.len();
    if omitted > 0 && !lines.is_empty() {
        lines.push(format!("[{omitted} more that were touched earlier]"));
    }
    lines.extend(listed(record).filter(|line| estimate_tokens(line) < room + 8));
    lines.join("\n")
}

/// Which folders and patterns were listed, the newest of them.
fn listed(record: &Record) -> Option<String> {
    let mut all: Vec<&str> = Vec::new();
    for line in record.log.iter().rev() {
        let told = line.text.split(" → ").next().unwrap_or(&line.text);
        for listed in told.split("; ").filter_map(|part| part.strip_prefix("listed ")) {
            if !all.contains(&listed) {
                all.push(listed);
            }
        }
    }
    all.truncate(LISTED);
    (!all.is_empty()).then(|| format!("- Listed: {}", all.join(", ")))
}

fn file_line(file: &FileWork) -> String {
    let mut said = Vec::new();
    if file.deleted_step > 0 {
        said.push(format!("deleted (step {})", file.deleted_step));
    }
    if !file.moved_from.is_empty() {
        said.push(format!("moved from {}", file.moved_from));
    }
    if file.created_step > 0 {
        let wrote = if file.edits == 0 { of_change(file) } else { String::new() };
        said.push(format!("written whole (step {}){wrote}", file.created_step));
    }
    match file.edits {
        0 => {}
        1 => said.push(format!("edited (step {}){}", file.edit_steps.1, of_change(file))),
        edits => said.push(format!("edited {edits}× (steps {}–{}){}", file.edit_steps.0, file.edit_steps.1, of_change(file))),
    }
    if file.read_step > 0 {
        let ranges: Vec<String> =
            file.lines.iter().map(|(from, to)| if *to == u32::MAX { format!("{from}–end") } else { format!("{from}–{to}") }).collect();
        let lines = if ranges.is_empty() { String::new() } else { format!(" lines {}", ranges.join(", ")) };
        said.push(format!("read{lines} (step {})", file.read_step));
    }
    format!("- {}: {}", file.path, said.join("; "))
}

/// What the newest edits declare, the newest first, or what the last one replaced by what.
fn of_change(file: &FileWork) -> String {
    let mut text = if file.change.is_empty() { String::new() } else { format!(", last: {}", file.change) };
    let most = DECLARED_BYTES.saturating_sub(text.len());
    let mut wrote = String::new();
    for own in file.declared.iter().rev() {
        if !wrote.is_empty() && wrote.len() + own.len() > most {
            break;
        }
        wrote.push_str(if wrote.is_empty() { "" } else { ", " });
        wrote.push_str(&format!("`{own}`"));
    }
    if !wrote.is_empty() {
        text.push_str(&format!(", wrote {wrote}"));
    }
    text
}

/// What still fails, and commands with their last outcome.
pub fn commands(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let known = record.failures.iter().map(|failure| (failure.step, &failure.call, &failure.line));
    let mut failing: Vec<_> = known.chain(record.failing.iter().map(|failing| (failing.step, &failing.call, &failing.line))).collect();
    sort_by_numbers(&mut failing, |(step, ..)| [-i64::from(*step), 0, 0]);
    let failures: Vec<String> = failing.into_iter().map(|(step, call, line)| format!("- {call} (step {step}): {line}")).collect();
    let told = |command: &&crate::record::work::CommandWork| {
        !(command.status == Status::Failed && record.failures.iter().any(|failure| failure.step == command.step))
    };
    let commands: Vec<String> = record.commands.iter().rev().filter(told).map(command_line).collect();
    let mut room = tokens.saturating_sub(8);
    let mut blocks = Vec::new();
    for (title, lines) in [("Still failing:", failures), ("Run:", commands)] {
        let mut kept = Vec::new();
        for line in lines {
            let Some(rest) = room.checked_sub(estimate_tokens(&line) + 1) else { break };
            room = rest;
            kept.push(line);
        }
        if !kept.is_empty() {
            kept.reverse();
            blocks.push(format!("{title}\n{}", kept.join("\n")));
        }
    }
    blocks.join("\n")
}

fn command_line(command: &crate::record::work::CommandWork) -> String {
    let count = if command.count > 1 {
        format!(" {}×, last in step {}", command.count, command.step)
    } else {
        format!(" (step {})", command.step)
    };
    let outcome = match command.status {
        Status::Done if command.line.is_empty() => String::new(),
        Status::Done => format!(": {}", command.line),
        Status::Failed => format!(": failed: {}", command.line),
        Status::Refused => ": refused by the user".to_owned(),
        Status::Running => ": runs still".to_owned(),
        Status::Unknown => String::new(),
    };
    format!("- `{}`{count}{outcome}", command.command)
}

/// What the model said it found, beside its calls. Where there is no room for all, older notes are told by their beginnings, those of a few
/// words leave, and then the oldest.
pub fn notes(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let told: Vec<&LogLine> = checkpoint.record.log.iter().filter(|line| line.worth == Worth::Told).collect();
    let mut lines: Vec<String> = told.iter().copied().map(log_line).collect();
    let cost = |lines: &[String]| lines.iter().map(|line| estimate_tokens(line) + 1).sum::<u32>();
    let all = lines.len();
    if cost(&lines) > tokens {
        let newest = lines.len().saturating_sub(WHOLE_NOTES);
        let is_long = |at: usize| at >= newest || told[at].text.len() > SHORT_NOTE_BYTES;
        let long: Vec<usize> = (0..lines.len()).filter(|at| is_long(*at)).collect();
        let cut = |chars: usize| -> Vec<String> {
            long.iter().map(|at| if *at < newest { clip_at_word(&lines[*at], chars) } else { lines[*at].clone() }).collect()
        };
        let room = tokens.saturating_sub(8);
        let mut lengths = NOTE_CHARS.into_iter().map(cut);
        let cut = lengths.clone().find(|lines| cost(lines) <= room).or_else(|| lengths.next_back()).unwrap_or_default();
        lines = newest_within(&cut, room).to_vec();
    }
    let omitted = all - lines.len();
    if omitted > 0 && !lines.is_empty() {
        lines.insert(0, format!("[{omitted} left out]"));
    }
    lines.join("\n")
}

/// At most `chars` characters; of a longer line the words that are whole.
fn clip_at_word(line: &str, chars: usize) -> String {
    let head = first_chars(line, chars);
    match head.rsplit_once(' ') {
        Some((words, _)) if head.len() < line.len() => format!("{words} …"),
        _ => head.to_owned(),
    }
}

/// The log of calls: the newest lines, those of less worth leave first.
pub fn log(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let calls: Vec<&LogLine> = record.log.iter().filter(|line| matches!(line.worth, Worth::Act | Worth::Look)).collect();
    // What was only read stands under the files; where the work was last, its order matters.
    let newest = calls.len().saturating_sub(NEWEST_CALLS);
    let calls: Vec<&LogLine> =
        calls.into_iter().enumerate().filter(|(at, line)| *at >= newest || !only_reads(line)).map(|(_, line)| line).collect();
    let lines: Vec<String> = calls.iter().copied().map(log_line).collect();
    let costs: Vec<u32> = lines.iter().map(|line| estimate_tokens(line) + 1).collect();
    let mut kept = vec![false; lines.len()];
    let mut used = 10;
    for (worth, share) in LOG_SHARES.into_iter().chain(LOG_SHARES.map(|(worth, _)| (worth, 1.0))) {
        let most = (f64::from(tokens) * share) as u32;
        for at in (0..lines.len()).rev() {
            if kept[at] || calls[at].worth != worth {
                continue;
            }
            if used + costs[at] > most {
                break;
            }
            used += costs[at];
            kept[at] = true;
        }
    }
    let omitted = record.omitted_log as usize + kept.iter().filter(|kept| !**kept).count();
    let mut all: Vec<String> = if omitted > 0 { vec![format!("[{omitted} lines left out]")] } else { Vec::new() };
    all.extend(lines.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(line, _)| line));
    if all.len() == 1 && omitted > 0 { String::new() } else { all.join("\n") }
}

/// Whether a line tells no more than which files were read.
fn only_reads(line: &LogLine) -> bool {
    line.worth == Worth::Look && !line.text.contains(" → ") && line.text.split("; ").all(|part| part.starts_with("read "))
}

fn log_line(line: &LogLine) -> String {
    let count = if line.count > 1 { format!(" ×{}", line.count) } else { String::new() };
    format!("{} {}{count}", line.step, line.text)
}
