//! What files hold that are in use: lines as they were read, numbered where that is known, with the edits made since.
//! Not which of them a checkpoint shows, and no file system: what other programs change is not seen.

use crate::record::action::{Action, same_file};
use crate::record::work::{Reading, Record, Stretch};
use crate::redact::clean;

/// Bytes of one file that are remembered at most; the stretches read longest ago leave first.
const FILE_BYTES: usize = 24 * 1024;
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
                reading.stretches = vec![Stretch { first: 1, text: clean(new.trim_end()) }];
                bound(reading);
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

/// Puts lines into a reading in place of those they overlap.
fn put(reading: &mut Reading, first: u32, lines: &[&str], is_whole: bool) {
    let text = clean(&lines.join("\n"));
    if is_whole {
        reading.stretches.clear();
    }
    let end = first.saturating_add(lines.len() as u32);
    let mut kept: Vec<Stretch> = Vec::new();
    for stretch in std::mem::take(&mut reading.stretches) {
        if stretch.first == 0 {
            kept.extend((!text.contains(stretch.text.trim())).then_some(stretch));
            continue;
        }
        let old: Vec<&str> = stretch.text.split('\n').collect();
        let before = (first.saturating_sub(stretch.first) as usize).min(old.len());
        let behind = (end.saturating_sub(stretch.first) as usize).min(old.len());
        if before > 0 {
            kept.push(Stretch { first: stretch.first, text: old[..before].join("\n") });
        }
        if behind < old.len() {
            kept.push(Stretch { first: stretch.first.saturating_add(behind as u32), text: old[behind..].join("\n") });
        }
    }
    kept.push(Stretch { first, text });
    kept.sort_by_key(|stretch| stretch.first);
    reading.stretches = joined(kept);
    bound(reading);
}

/// Stretches that follow each other are one.
fn joined(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match all.last_mut().filter(|last| last.first > 0 && last.first.saturating_add(lines_in(&last.text)) == stretch.first) {
            Some(last) => {
                last.text.push('\n');
                last.text.push_str(&stretch.text);
            }
            None => all.push(stretch),
        }
    }
    all
}

fn lines_in(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1
}

/// Carries out an edit on what is known of a file. Where the old text is not known, the new one stands by itself.
fn edit(reading: &mut Reading, old: &str, new: &str) {
    reading.is_changed = true;
    let (old, new) = (old.trim_end_matches('\n'), new.trim_end_matches('\n'));
    let found =
        reading.stretches.iter().enumerate().find_map(|(at, stretch)| Some((at, stretch.text.find(old).filter(|_| !old.is_empty())?)));
    match found {
        Some((at, start)) => {
            let stretch = &mut reading.stretches[at];
            stretch.text.replace_range(start..start + old.len(), new);
            let (before, after) = (lines_in(old), lines_in(new));
            for later in reading.stretches.iter_mut().skip(at + 1).filter(|later| later.first > 0) {
                later.first = later.first.saturating_add(after).saturating_sub(before);
            }
            reading.stretches.retain(|stretch| !stretch.text.trim().is_empty());
        }
        None if new.lines().count() > 1 || new.len() > 40 => reading.stretches.insert(0, Stretch { first: 0, text: new.to_owned() }),
        None => {}
    }
    bound(reading);
}

/// Keeps what is remembered of a file within its bound.
fn bound(reading: &mut Reading) {
    let bytes = |reading: &Reading| reading.stretches.iter().map(|stretch| stretch.text.len()).sum::<usize>();
    while reading.stretches.len() > 1 && bytes(reading) > FILE_BYTES {
        reading.stretches.remove(0);
    }
    if bytes(reading) > FILE_BYTES {
        for stretch in &mut reading.stretches {
            let mut end = FILE_BYTES;
            while !stretch.text.is_char_boundary(end) {
                end -= 1;
            }
            stretch.text.truncate(stretch.text[..end].rfind('\n').unwrap_or(0));
        }
        reading.stretches.retain(|stretch| !stretch.text.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(record: &mut Record, lines: Option<(u32, u32)>, text: &str, step: u32) {
        remember(record, &[Action::Read { path: "src/a.rs".into(), lines }], text, step);
    }

    fn stretches(record: &Record) -> Vec<(u32, &str)> {
        record.readings[0].stretches.iter().map(|stretch| (stretch.first, stretch.text.as_str())).collect()
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
            assert_eq!(stretches(&record), [(7, "one\ntwo")], "{text}");
        }
        let mut record = Record::default();
        see(&mut record, Some((7, 8)), "Exit code: 0\nWall time: 0 seconds\nOutput:\none\ntwo\n", 1);
        assert_eq!(stretches(&record), [(7, "one\ntwo")]);
    }

    #[test]
    fn what_is_read_again_replaces_what_it_overlaps_and_edits_are_carried_out() {
        let mut record = Record::default();
        see(&mut record, Some((1, 3)), "a\nb\nc", 1);
        see(&mut record, Some((3, 5)), "C\nd\ne", 2);
        assert_eq!(stretches(&record), [(1, "a\nb\nC\nd\ne")]);
        see(&mut record, Some((9, 9)), "i", 3);
        let edit = Action::Edit { path: "/repo/src/a.rs".into(), old: "b\nC".into(), new: "b\nbb\nC".into() };
        remember(&mut record, &[edit], "ok", 4);
        assert_eq!(stretches(&record), [(1, "a\nb\nbb\nC\nd\ne"), (10, "i")]);
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
