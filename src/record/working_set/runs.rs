//! Lines of one file as they are known: put together as they are read, changed as they are edited, marked as they are used.
//! Not which file they are of, and not what a result shows of it (see `working_set`).

use crate::order::sort_by_numbers;
use crate::record::action::is_cut;
use crate::record::patch::BETWEEN;
use crate::record::work::{Reading, Stretch};
use crate::redact::clean;

/// Lines before and behind an edit that are in use with it.
const FOCUS_LINES: usize = 12;

/// One line of a file: the step that read or changed it last, the newest one that changed it or spoke of it, the one that wrote it, and the
/// text.
#[derive(Clone)]
struct Line {
    step: u32,
    used: u32,
    edited: u32,
    text: String,
}

/// Lines that stand together.
pub struct Run {
    /// The number of its first line; 0 when that is not known.
    pub first: u32,
    lines: Vec<Line>,
}

/// The lines of a text, read or changed in this step.
fn lines_of(text: &str, step: u32, used: u32, edited: u32) -> Vec<Line> {
    text.split('\n').map(|line| Line { step, used, edited, text: line.to_owned() }).collect()
}

impl Run {
    fn end(&self) -> u32 {
        self.first.saturating_add(self.lines.len() as u32)
    }

    /// Its lines.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// The runs of a reading: stretches that follow each other are one.
pub fn runs_of(reading: &Reading) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for stretch in &reading.stretches {
        let lines = lines_of(&stretch.text, stretch.step, stretch.used, stretch.edited);
        match runs.last_mut().filter(|run| stretch.first > 0 && run.first > 0 && run.end() == stretch.first) {
            Some(run) => run.lines.extend(lines),
            None => runs.push(Run { first: stretch.first, lines }),
        }
    }
    runs
}

/// The stretches of runs: lines of the same steps.
fn stretches_of(mut runs: Vec<Run>) -> Vec<Stretch> {
    sort_by_numbers(&mut runs, |run| [i64::from(run.first), 0, 0]);
    let mut stretches: Vec<Stretch> = Vec::new();
    for run in runs {
        let mut number = run.first;
        for lines in run.lines.chunk_by(|one, other| (one.step, one.used, one.edited) == (other.step, other.used, other.edited)) {
            let text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
            let known = run.first > 0;
            if !text.trim().is_empty() {
                let Line { step, used, edited, .. } = lines[0];
                stretches.push(Stretch { first: if known { number } else { 0 }, text, step, used, edited });
            }
            number = number.saturating_add(lines.len() as u32);
        }
    }
    stretches
}

/// Puts lines into a reading in place of those they overlap.
pub fn put(reading: &mut Reading, first: u32, lines: &[&str], is_whole: bool) {
    let text = clean(&lines.join("\n"));
    let step = reading.step;
    let mut new = Run { first, lines: lines_of(&text, step, 0, 0) };
    let mut runs = Vec::new();
    let known = runs_of(reading);
    for run in known.iter().filter(|run| run.first > 0) {
        // What was edited and stands there still was edited.
        for (line, number) in run.lines.iter().zip(run.first..).filter(|(line, _)| line.edited > 0) {
            let at = number.checked_sub(first).map(|at| at as usize);
            if let Some(own) = at.and_then(|at| new.lines.get_mut(at)).filter(|own| own.text == line.text) {
                (own.used, own.edited) = (line.used, line.edited);
            }
        }
    }
    for mut run in if is_whole { Vec::new() } else { known } {
        if run.first == 0 {
            // Where it stands is not known: what shares its lines is the newer state of them.
            let shares = |line: &Line| line.text.trim().len() > 8 && text.contains(line.text.trim());
            runs.extend((!run.lines.iter().any(shares)).then_some(run));
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

/// Carries out an edit on what is known of a file. Only what it surely leaves untouched stays known beside it.
pub fn edit(reading: &mut Reading, old: &str, new: &str) {
    reading.is_changed = true;
    let (olds, news): (Vec<&str>, Vec<&str>) = (old.split(BETWEEN).collect(), new.split(BETWEEN).collect());
    if old.is_empty() || olds.len() != news.len() || is_cut(old) || is_cut(new) {
        reading.stretches.clear();
        return;
    }
    let step = reading.step;
    let mut runs = runs_of(reading);
    for (old, new) in olds.into_iter().zip(news) {
        replace(&mut runs, old, new, step);
    }
    reading.stretches = stretches_of(runs);
}

/// Replaces one text by another.
fn replace(runs: &mut Vec<Run>, old: &str, new: &str, step: u32) {
    let (old, new) = match (old.strip_suffix('\n'), new.strip_suffix('\n')) {
        (Some(old), Some(new)) => (old, new),
        _ => (old, new),
    };
    let found: Vec<(usize, usize)> = runs
        .iter()
        .enumerate()
        .flat_map(|(at, run)| run.text().match_indices(old).map(|(start, _)| (at, start)).collect::<Vec<_>>())
        .collect();
    let before = old.matches('\n').count();
    let delta = new.matches('\n').count() as i64 - before as i64;
    if let [(at, start)] = found[..] {
        let text = runs[at].text();
        let (line, end) = (text[..start].matches('\n').count(), start + old.len());
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
        let replaced = format!("{}{new}{}", &text[from..start], &text[end..to]);
        let count = replaced.matches('\n').count() + 1;
        let is_numbered = runs[at].first > 0;
        let run = &mut runs[at];
        run.lines.splice(line..=line + before, lines_of(&replaced, step, step, step));
        // What stands around it is in use, too.
        let around = line.saturating_sub(FOCUS_LINES)..(line + count + FOCUS_LINES).min(run.lines.len());
        run.lines[around].iter_mut().for_each(|line| line.used = line.used.max(step));
        for (other, run) in runs.iter_mut().enumerate().filter(|(_, run)| run.first > 0) {
            if !is_numbered && delta != 0 {
                run.first = 0;
            } else if is_numbered && other > at {
                run.first = u32::try_from(i64::from(run.first) + delta).unwrap_or(0);
            }
        }
        return;
    }
    // It was elsewhere, or in several places: what shares a line with it may have changed, and where the rest stands now is not known.
    let lines: Vec<&str> = old.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    runs.retain(|run| !run.lines.iter().any(|own| lines.iter().any(|line| own.text.contains(line))));
    if delta != 0 {
        runs.iter_mut().for_each(|run| run.first = 0);
    }
    if found.is_empty() && new.lines().count() > 1 {
        runs.push(Run { first: 0, lines: lines_of(new.trim_matches('\n'), step, step, step) });
    }
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
