//! What an action leaves in a record: files, commands, the plan. Not the log and what fails still (see `reader`).

use crate::clip::{clean_within, clip, within};
use crate::order::sort_by_numbers;
use crate::record::action::{Action, change, same_file};
use crate::record::declared::declared;
use crate::record::line::{brief, is_weighty};
use crate::record::outcome::Outcome;
use crate::record::plan::PlanChange;
use crate::record::work::{CommandWork, FileWork, Record, push};
use crate::redact::clean;

/// Longest call and place that are told, in characters.
pub const CALL_CHARS: usize = 120;
/// Longest failure that is told, in characters.
pub const FAILURE_CHARS: usize = 400;
/// Longest text of the model that is remembered, in bytes; longer ones lose their middle.
pub const TOLD_BYTES: usize = 16 * 1024;
/// Ranges of lines that are remembered of one file.
const MOST_RANGES: usize = 8;
/// Declarations that are remembered of one file.
const MOST_DECLARED: usize = 8;

/// Takes in what an action did. `text` is its result.
pub fn take(record: &mut Record, action: &Action, text: &str, outcome: &Outcome, step: u32) {
    match action {
        Action::Read { path, lines } => {
            let file = record.file(&known_path(record, path));
            file.read_step = step;
            add_range(&mut file.lines, *lines);
        }
        Action::Create { path, new } => {
            let file = record.file(&known_path(record, path));
            (file.created_step, file.deleted_step) = (step, 0);
            file.declared.clear();
            declare(file, "", new);
        }
        Action::Edit { path, old, new } => {
            let file = record.file(&known_path(record, path));
            (file.edits, file.deleted_step) = (file.edits.saturating_add(1), 0);
            file.edit_steps = (if file.edits == 1 { step } else { file.edit_steps.0 }, step);
            let declares = declare(file, old, new);
            let change = if declares { String::new() } else { change(old, new) };
            file.change = clean_within(&clip(&change, 2 * FAILURE_CHARS), 2 * CALL_CHARS);
        }
        Action::Delete { path } => record.file(&known_path(record, path)).deleted_step = step,
        Action::Move { from, to } => {
            let path = known_path(record, from);
            let file = record.file(&path);
            (file.moved_from, file.path) = (path, brief(to, 2 * CALL_CHARS));
        }
        Action::Run { command } => {
            let count = record.log.iter().rev().take(40).filter(|line| line.text.contains(command.as_str())).count();
            if is_weighty(command) || count > 1 {
                run(record, &brief(command, CALL_CHARS), outcome, step);
            }
        }
        Action::Plan(change) => {
            record.plan.change(change, step);
            if matches!(change, PlanChange::Create(_)) {
                record.plan.name_created(text);
            }
            clean_plan(record);
        }
        Action::Search { .. }
        | Action::List { .. }
        | Action::Fetch { .. }
        | Action::Query { .. }
        | Action::Delegate { .. }
        | Action::Wait
        | Action::Other { .. } => {}
    }
}

/// Takes in what an edit of a file declares, and whether it declares anything.
fn declare(file: &mut FileWork, old: &str, new: &str) -> bool {
    let found = declared(&file.path, old, new);
    // Of one edit the first declaration is told first, as of several edits the newest.
    for own in found.iter().rev() {
        let own = clean_within(own, CALL_CHARS);
        file.declared.retain(|known| *known != own);
        file.declared.push(own);
    }
    let surplus = file.declared.len().saturating_sub(MOST_DECLARED);
    file.declared.drain(..surplus);
    !found.is_empty()
}

fn run(record: &mut Record, command: &str, outcome: &Outcome, step: u32) {
    let known = record.commands.iter().position(|known| known.command == command).map(|at| record.commands.remove(at));
    let count = known.map_or(1, |known| known.count.saturating_add(1));
    let line = brief(&outcome.line, CALL_CHARS);
    push(&mut record.commands, CommandWork { command: command.to_owned(), count, step, status: outcome.status, line });
}

/// Takes secrets out of the plan, and what is too long of it.
pub fn clean_plan(record: &mut Record) {
    for item in &mut record.plan.items {
        item.text = brief(&item.text, 2 * CALL_CHARS);
    }
    record.plan.items.truncate(100);
    record.plan.text = clean(&within(&record.plan.text, TOLD_BYTES / 2));
}

/// The path under which a file is known already.
fn known_path(record: &Record, path: &str) -> String {
    let known = record.files.iter().rev().find(|file| same_file(&file.path, path));
    known.map_or_else(|| brief(path, 2 * CALL_CHARS), |file| file.path.clone())
}

/// Adds a range of lines to those that were read; `None` is all of them.
fn add_range(ranges: &mut Vec<(u32, u32)>, lines: Option<(u32, u32)>) {
    let Some(range) = lines else {
        ranges.clear();
        return;
    };
    ranges.push(range);
    sort_by_numbers(ranges, |(first, last)| [i64::from(*first), i64::from(*last), 0]);
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for range in ranges.drain(..) {
        match joined.last_mut().filter(|last| range.0 <= last.1.saturating_add(1)) {
            Some(last) => last.1 = last.1.max(range.1),
            None => joined.push(range),
        }
    }
    let surplus = joined.len().saturating_sub(MOST_RANGES);
    joined.drain(..surplus);
    *ranges = joined;
}
