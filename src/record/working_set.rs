//! What files hold that are in use: lines as they were read, numbered where that is known, with the edits made since.
//! Not which of them a checkpoint shows, and no file system: what other programs change is not seen.

use crate::order::sort_by_numbers;
use crate::record::action::{Action, same_file};
use crate::record::work::{Reading, Record, Stretch};
use crate::redact::clean;

/// Lines before and behind an edit that are in use with it.
const FOCUS_LINES: usize = 12;
/// Longest line that is taken for one that somebody wrote, on average.
const AVERAGE_LINE_BYTES: usize = 240;
/// Lines before a listing begins in which a harness says how the call went.
const HEADER_LINES: usize = 12;

/// Takes in what the calls of one result read and changed.
pub fn remember(record: &mut Record, actions: &[Action], text: &str, step: u32) {
    let reads: Vec<(&str, Option<(u32, u32)>)> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Read { path, lines } => Some((path.as_str(), *lines)),
            _ => None,
        })
        .collect();
    let looks_only = actions.iter().all(|action| matches!(action, Action::Read { .. }));
    if looks_only && !reads.is_empty() {
        read(record, &reads, text, step);
    }
    for action in actions {
        match action {
            Action::Create { path, new } => {
                let reading = reading_of(record, path, step);
                reading.is_changed = true;
                reading.stretches = vec![Stretch { first: 1, text: clean(new.trim_end()), step, used: 0 }];
            }
            Action::Edit { path, old, new } => edit(reading_of(record, path, step), &clean(old), &clean(new)),
            Action::Delete { path } => record.readings.retain(|reading| !same_file(&reading.path, path)),
            Action::Move { from, to } => {
                if let Some(reading) = record.readings.iter_mut().find(|reading| same_file(&reading.path, from)) {
                    reading.path.clone_from(to);
                }
            }
            _ => {}
        }
    }
    record.readings.retain(|reading| !reading.stretches.is_empty());
}

/// The reading of a file, as the newest of all.
fn reading_of<'r>(record: &'r mut Record, path: &str, step: u32) -> &'r mut Reading {
    let readings = &mut record.readings;
    let known = readings.iter().position(|reading| same_file(&reading.path, path)).map(|at| readings.remove(at));
    let mut reading = known.unwrap_or_else(|| Reading { path: path.to_owned(), ..Reading::default() });
    reading.step = step;
    crate::record::work::push(readings, reading)
}

fn read(record: &mut Record, reads: &[(&str, Option<(u32, u32)>)], text: &str, step: u32) {
    let body = body_of(text);
    if body.is_empty() || body.len() > 4 * AVERAGE_LINE_BYTES && body.len() / body.lines().count().max(1) > AVERAGE_LINE_BYTES {
        return;
    }
    let numbered = numbered(body);
    let mut lines: Vec<&str> = match &numbered {
        Some((_, lines)) => lines.clone(),
        None => body.lines().collect(),
    };
    if let [(path, asked)] = reads {
        let first = match (&numbered, asked) {
            (Some((first, _)), _) => *first,
            (None, Some((first, _))) => (*first).max(1),
            (None, None) => 1,
        };
        let is_whole = asked.is_none() && first <= 1;
        put(reading_of(record, path, step), first, &lines, is_whole);
        return;
    }
    // Several readings in one result can be told apart where each says how many lines it takes.
    for (path, asked) in reads {
        let Some((from, to)) = asked else { return };
        let count = (to.saturating_sub(*from) as usize).saturating_add(1).min(lines.len());
        let rest = lines.split_off(count);
        if !lines.is_empty() {
            put(reading_of(record, path, step), (*from).max(1), &lines, false);
        }
        lines = rest;
    }
}

/// What was read, without what the harness says before and behind it.
fn body_of(text: &str) -> &str {
    let mut body = text;
    for (at, line) in text.lines().take(HEADER_LINES).enumerate() {
        let trimmed = line.trim_end();
        let is_header =
            trimmed == "Output:" || trimmed == "<file>" || trimmed == "<content>" || (at == 0 && trimmed.starts_with("[File: "));
        if is_header && let Some(start) = body.find(line) {
            body = &body[start + line.len()..];
        }
    }
    for end in ["\n<system-reminder>", "\n</file>", "\n</content>", "\n(End of file", "\n(File has more lines", "\n[… "] {
        body = body.split(end).next().unwrap_or(body);
    }
    body.trim_matches('\n')
}

/// Where a text is a listing with line numbers: the first number, and the lines without theirs. Numbers must go on one by one.
pub fn numbered(text: &str) -> Option<(u32, Vec<&str>)> {
    let mut lines = Vec::new();
    let mut first = None;
    let mut next = 0;
    for line in text.lines() {
        match number_of(line) {
            Some((number, rest)) if first.is_none() || number == next => {
                first.get_or_insert(number);
                next = number + 1;
                lines.push(rest);
            }
            // A note of the harness before or behind the listing.
            _ if lines.is_empty() || line.trim().is_empty() || line.starts_with('(') => {}
            _ => return None,
        }
    }
    first.filter(|_| lines.len() > 1 || text.lines().count() == 1).map(|first| (first, lines))
}

/// The number before a line of a listing, and the line: `  12→text`, `12\ttext`, `00012| text`, `12: text`, `12:text`.
fn number_of(line: &str) -> Option<(u32, &str)> {
    let trimmed = line.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let number = trimmed.get(..digits).filter(|digits| !digits.is_empty() && digits.len() < 8)?.parse().ok()?;
    let rest = &trimmed[digits..];
    let rest = ["→", "\t", "| ", "|", ": ", ":"].iter().find_map(|mark| rest.strip_prefix(mark))?;
    Some((number, rest))
}

/// One line of a file: the step that read or changed it last, the newest one that changed it or spoke of it, and the text.
#[derive(Clone)]
struct Line {
    step: u32,
    used: u32,
    text: String,
}

/// Lines that stand together.
struct Run {
    /// The number of its first line; 0 when that is not known.
    first: u32,
    lines: Vec<Line>,
}

/// The lines of a text, read or changed in this step.
fn lines_of(text: &str, step: u32, used: u32) -> Vec<Line> {
    text.split('\n').map(|line| Line { step, used, text: line.to_owned() }).collect()
}

impl Run {
    fn end(&self) -> u32 {
        self.first.saturating_add(self.lines.len() as u32)
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// The runs of a reading: stretches that follow each other are one.
fn runs_of(reading: &Reading) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for stretch in &reading.stretches {
        let lines = lines_of(&stretch.text, stretch.step, stretch.used);
        match runs.last_mut().filter(|run| stretch.first > 0 && run.first > 0 && run.end() == stretch.first) {
            Some(run) => run.lines.extend(lines),
            None => runs.push(Run { first: stretch.first, lines }),
        }
    }
    runs
}

/// The stretches of runs: lines of the same step.
fn stretches_of(mut runs: Vec<Run>) -> Vec<Stretch> {
    sort_by_numbers(&mut runs, |run| [i64::from(run.first), 0, 0]);
    let mut stretches: Vec<Stretch> = Vec::new();
    for run in runs {
        let mut number = run.first;
        for lines in run.lines.chunk_by(|one, other| (one.step, one.used) == (other.step, other.used)) {
            let text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
            let known = run.first > 0;
            if !text.trim().is_empty() {
                stretches.push(Stretch { first: if known { number } else { 0 }, text, step: lines[0].step, used: lines[0].used });
            }
            number = number.saturating_add(lines.len() as u32);
        }
    }
    stretches
}

/// Puts lines into a reading in place of those they overlap.
fn put(reading: &mut Reading, first: u32, lines: &[&str], is_whole: bool) {
    let text = clean(&lines.join("\n"));
    let step = reading.step;
    let new = Run { first, lines: lines_of(&text, step, 0) };
    let mut runs = Vec::new();
    for mut run in if is_whole { Vec::new() } else { runs_of(reading) } {
        if run.first == 0 {
            runs.extend((!text.contains(run.text().trim())).then_some(run));
            continue;
        }
        let behind = (new.end().saturating_sub(run.first) as usize).min(run.lines.len());
        let rest = Run { first: run.first.saturating_add(behind as u32), lines: run.lines.split_off(behind) };
        run.lines.truncate(new.first.saturating_sub(run.first) as usize);
        runs.extend([run, rest].into_iter().filter(|run| !run.lines.is_empty()));
    }
    runs.push(new);
    reading.stretches = stretches_of(runs);
}

/// Carries out an edit on what is known of a file. Where the old text is not known, the new one stands by itself.
fn edit(reading: &mut Reading, old: &str, new: &str) {
    reading.is_changed = true;
    let (old, new) = (old.trim_end_matches('\n'), new.trim_end_matches('\n'));
    let step = reading.step;
    let mut runs = runs_of(reading);
    let found = runs.iter().enumerate().find_map(|(at, run)| {
        let text = run.text();
        let start = text.find(old).filter(|_| !old.is_empty())?;
        let line = text[..start].matches('\n').count();
        let last = line + old.matches('\n').count();
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = start + old.len();
        let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
        Some((at, line, last, format!("{}{new}{}", &text[from..start], &text[end..to])))
    });
    match found {
        Some((at, line, last, replaced)) => {
            let run = &mut runs[at];
            let count = replaced.matches('\n').count() + 1;
            run.lines.splice(line..=last, lines_of(&replaced, step, step));
            // What stands around it is in use, too.
            let around = line.saturating_sub(FOCUS_LINES)..(line + count + FOCUS_LINES).min(run.lines.len());
            run.lines[around].iter_mut().for_each(|line| (line.step, line.used) = (step, step));
            let (before, after) = ((last - line + 1) as u32, count as u32);
            for later in runs.iter_mut().skip(at + 1).filter(|later| later.first > 0) {
                later.first = later.first.saturating_add(after).saturating_sub(before);
            }
        }
        None if new.lines().count() > 1 || new.len() > 40 => {
            runs.push(Run { first: 0, lines: lines_of(new, step, step) });
        }
        None => {}
    }
    reading.stretches = stretches_of(runs);
}

/// Marks the lines of readings that are spoken of, and some around them. `spoken_of` says for a line in which step; 0 is in none.
pub fn mark_used(reading: &mut Reading, spoken_of: &dyn Fn(&str) -> u32) {
    let mut runs = runs_of(reading);
    for run in &mut runs {
        let steps: Vec<u32> = run.lines.iter().map(|line| spoken_of(&line.text)).collect();
        for (at, step) in steps.iter().enumerate().filter(|(_, step)| **step > 0) {
            let around = at.saturating_sub(FOCUS_LINES / 2)..(at + FOCUS_LINES).min(run.lines.len());
            run.lines[around].iter_mut().for_each(|line| line.used = line.used.max(*step));
        }
    }
    reading.stretches = stretches_of(runs);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(record: &mut Record, lines: Option<(u32, u32)>, text: &str, step: u32) {
        remember(record, &[Action::Read { path: "src/a.rs".into(), lines }], text, step);
    }

    /// What is known of the first file: runs of lines with the number of their first one.
    fn stretches(record: &Record) -> Vec<(u32, String)> {
        runs_of(&record.readings[0]).iter().map(|run| (run.first, run.text())).collect()
    }

    fn run(first: u32, text: &str) -> (u32, String) {
        (first, text.to_owned())
    }

    #[test]
    fn listings_of_every_harness_are_told_with_their_numbers() {
        for text in [
            "     7→one\n     8→two",
            "7\tone\n8\ttwo",
            "<file>\n00007| one\n00008| two\n\n(End of file - total 8 lines)\n</file>",
            "7:one\n8:two",
        ] {
            let mut record = Record::default();
            see(&mut record, Some((7, 8)), text, 1);
            assert_eq!(stretches(&record), [run(7, "one\ntwo")], "{text}");
        }
        let mut record = Record::default();
        see(&mut record, Some((7, 8)), "Exit code: 0\nWall time: 0 seconds\nOutput:\none\ntwo\n", 1);
        assert_eq!(stretches(&record), [run(7, "one\ntwo")]);
    }

    #[test]
    fn what_is_read_again_replaces_what_it_overlaps_and_edits_are_carried_out() {
        let mut record = Record::default();
        see(&mut record, Some((1, 3)), "a\nb\nc", 1);
        see(&mut record, Some((3, 5)), "C\nd\ne", 2);
        assert_eq!(stretches(&record), [run(1, "a\nb\nC\nd\ne")]);
        see(&mut record, Some((9, 9)), "i", 3);
        let edit = Action::Edit { path: "/repo/src/a.rs".into(), old: "b\nC".into(), new: "b\nbb\nC".into() };
        remember(&mut record, &[edit], "ok", 4);
        assert_eq!(stretches(&record), [run(1, "a\nb\nbb\nC\nd\ne"), run(10, "i")]);
        assert!(record.readings[0].is_changed && record.readings[0].step == 4);
        remember(&mut record, &[Action::Delete { path: "src/a.rs".into() }], "", 5);
        assert!(record.readings.is_empty());
    }

    #[test]
    fn several_readings_in_one_result_are_told_apart_by_their_lines() {
        let mut record = Record::default();
        let reads = [("x/a.rs", (1, 2)), ("x/b.rs", (5, 9))].map(|(path, lines)| Action::Read { path: path.into(), lines: Some(lines) });
        remember(&mut record, &reads, "a1\na2\nb5\nb6", 1);
        let all: Vec<_> = record
            .readings
            .iter()
            .map(|reading| (reading.path.as_str(), reading.stretches[0].first, reading.stretches[0].text.as_str()))
            .collect();
        assert_eq!(all, [("x/a.rs", 1, "a1\na2"), ("x/b.rs", 5, "b5\nb6")]);
    }

    #[test]
    fn a_minified_file_is_not_kept() {
        let mut record = Record::default();
        see(&mut record, None, &"var a=1;".repeat(20_000), 1);
        assert!(record.readings.is_empty());
    }
}
