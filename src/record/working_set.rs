//! What files hold that are in use: lines as they were read, numbered where that is known, with the edits made since.
//! Not which of them a checkpoint shows, and no file system: what other programs change is not seen.

mod runs;
mod shown;

use crate::record::action::{Action, is_cut, same_file};
use crate::record::outcome::{Status, without_wrapper};
use crate::record::work::{Reading, Record, Stretch};
pub use crate::record::working_set::runs::mark_used;
use crate::record::working_set::runs::{edit, put};
pub use crate::record::working_set::shown::numbered;
use crate::record::working_set::shown::{before_cut, body_of, is_remark, listed, number_of, parted, told_apart};
use crate::redact::clean;

/// Longest line that is taken for one that somebody wrote, on average.
const AVERAGE_LINE_BYTES: usize = 240;
/// A result that is larger is not looked at: nobody needs all of it.
const LARGE_BYTES: usize = 128 * 1024;

/// Takes in what the calls of one result read and changed.
pub fn remember(record: &mut Record, actions: &[Action], text: &str, step: u32, status: Status) {
    match status {
        Status::Done => {}
        // What was refused changed nothing; of what failed or runs still nobody knows.
        Status::Refused => return,
        Status::Failed | Status::Running | Status::Unknown => return actions.iter().for_each(|action| doubt(record, action)),
    }
    if actions.iter().any(|action| matches!(action, Action::Read { .. })) {
        read(record, actions, text, step);
    }
    for action in actions {
        match action {
            Action::Create { path, new } if is_kept(path) && !new.trim().is_empty() => {
                doubt_like(record, path);
                let reading = reading_of(record, path, step);
                reading.is_changed = true;
                // Of a text that was cut the last line is not whole.
                let new = if is_cut(new) { new.rsplit_once('\n').map_or("", |(whole, _)| whole) } else { new.trim_end() };
                reading.stretches = vec![Stretch { first: 1, text: clean(new), step, used: 0, edited: step }];
            }
            Action::Edit { path, old, new } if is_kept(path) => {
                doubt_like(record, path);
                edit(reading_of(record, path, step), &clean(old), &clean(new));
            }
            Action::Move { from, to } => match position(&record.readings, from) {
                Some(at) => {
                    let reading = record.readings.remove(at);
                    doubt(record, action);
                    record.readings.push(Reading { path: to.clone(), ..reading });
                }
                None => doubt(record, action),
            },
            action => doubt(record, action),
        }
    }
    record.readings.retain(|reading| !reading.stretches.is_empty());
}

/// Forgets what files hold that an action may have changed.
pub fn doubt(record: &mut Record, action: &Action) {
    let paths: &[&String] = match action {
        Action::Create { path, .. } | Action::Edit { path, .. } | Action::Delete { path } | Action::MayChange { path } => &[path],
        Action::Move { from, to } => &[from, to],
        _ => return,
    };
    for path in paths {
        record.readings.retain(|reading| !may_be(&reading.path, path));
    }
}

/// Forgets of a file what is sent again behind the checkpoint.
pub fn forget_sent(record: &mut Record, path: &str, text: &str) {
    let Some(at) = position(&record.readings, path) else { return };
    let stretches = &mut record.readings[at].stretches;
    stretches.retain(|stretch| {
        let mut lines = stretch.text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.any(|line| !text.contains(line))
    });
    record.readings.retain(|reading| !reading.stretches.is_empty());
}

/// Whether a file may be meant by a path: an empty one means any, a folder all below it, a pattern what begins alike.
fn may_be(file: &str, path: &str) -> bool {
    let plain = path.split(['*', '?', '{', '$']).next().unwrap_or_default();
    if plain.len() < path.len() {
        return plain.is_empty() || file.contains(plain.trim_start_matches("./"));
    }
    let folder = plain.trim_start_matches("./").trim_end_matches('/');
    folder.is_empty()
        || folder == "."
        || same_file(file, path)
        || file.split_once(folder).is_some_and(|(before, rest)| rest.starts_with('/') && (before.is_empty() || before.ends_with('/')))
}

/// Forgets files that may be the one of this path without being known to be it.
fn doubt_like(record: &mut Record, path: &str) {
    let known = position(&record.readings, path).map(|at| record.readings[at].path.clone());
    record.readings.retain(|reading| Some(&reading.path) == known.as_ref() || !same_file(&reading.path, path));
}

/// Whether what a file holds matters later: what was thrown away, and what programs wrote, does not.
fn is_kept(path: &str) -> bool {
    const THROWN_AWAY: [&str; 4] = ["/tmp/", "/var/folders/", "/tool-results/", "/tool-output/"];
    let is_thrown_away = THROWN_AWAY.iter().any(|folder| path.contains(folder)) || path.starts_with('$');
    !is_thrown_away && ![".log", ".out", ".output"].iter().any(|end| path.ends_with(end)) && !path.is_empty()
}

/// Where the reading of a file is. A name without a folder is only itself: every folder may have one of that name.
fn position(readings: &[Reading], path: &str) -> Option<usize> {
    let plain = |path: &str| path.trim_start_matches("./").to_owned();
    let is_same = |reading: &&Reading| plain(&reading.path) == plain(path);
    if let Some(at) = readings.iter().position(|reading| is_same(&reading)) {
        return Some(at);
    }
    let mut alike = readings
        .iter()
        .enumerate()
        .filter(|(_, reading)| same_file(&reading.path, path) && plain(&reading.path).contains('/') && plain(path).contains('/'));
    match (alike.next(), alike.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

/// The reading of a file, as the newest of all.
fn reading_of<'r>(record: &'r mut Record, path: &str, step: u32) -> &'r mut Reading {
    let readings = &mut record.readings;
    let known = position(readings, path).map(|at| readings.remove(at));
    let mut reading = known.unwrap_or_else(|| Reading { path: path.to_owned(), ..Reading::default() });
    reading.step = step;
    crate::record::work::push(readings, reading)
}

/// Takes in what the calls of one result show, where all of it is surely of the files they read.
fn read(record: &mut Record, actions: &[Action], text: &str, step: u32) {
    if text.len() > LARGE_BYTES {
        return;
    }
    let inner = without_wrapper(text);
    // Behind a header begins a new line; a file may begin with an empty one.
    let inner = if text.starts_with(['\n', '{']) { &inner } else { inner.strip_prefix('\n').unwrap_or(&inner) };
    let (body, is_cut) = before_cut(body_of(inner));
    let is_parted = actions.iter().any(|action| matches!(action, Action::Print { .. }));
    for (reads, body) in parted(actions, body) {
        if !(is_parted && is_cut) {
            show(record, &reads, body, is_cut, step);
        }
    }
}

/// Takes in lines of the files that were read.
fn show(record: &mut Record, reads: &[(&str, Option<(u32, u32)>)], body: &str, is_cut: bool, step: u32) {
    if body.trim().is_empty() || body.len() > 4 * AVERAGE_LINE_BYTES && body.len() / body.lines().count().max(1) > AVERAGE_LINE_BYTES {
        return;
    }
    if let [(path, asked)] = reads {
        let lists_folder = body.lines().filter(|line| line.contains(path)).count() * 2 > body.lines().count();
        if !is_kept(path) || lists_folder || is_remark(body) {
            return;
        }
        let listed = listed(body);
        if let Some(runs) = &listed {
            let is_asked = |first: u32| asked.is_none_or(|(from, to)| (from.saturating_sub(1)..=to).contains(&first));
            if !runs.iter().all(|(first, _)| is_asked(*first)) {
                return;
            }
            for (first, lines) in runs {
                let is_whole = asked.is_none() && *first <= 1 && runs.len() == 1 && !is_cut;
                put(reading_of(record, path, step), *first, lines, is_whole);
            }
            return;
        }
        let lines: Vec<&str> = body.lines().collect();
        let is_numbered = lines.iter().filter(|line| number_of(line).is_some()).count() * 2 > lines.len();
        let (first, most) =
            asked.map_or((1, u32::MAX), |(first, last)| (first.max(1), last.saturating_sub(first.max(1)).saturating_add(1)));
        // More lines than were asked for are not only the file's.
        if is_numbered || lines.len() > most as usize {
            return;
        }
        put(reading_of(record, path, step), first, &lines, asked.is_none() && !is_cut);
        return;
    }
    if is_cut {
        return;
    }
    for ((path, _), (first, lines)) in reads.iter().zip(told_apart(reads, body)).filter(|((path, _), _)| is_kept(path)) {
        put(reading_of(record, path, step), first, &lines, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::working_set::runs::runs_of;

    fn see(record: &mut Record, lines: Option<(u32, u32)>, text: &str, step: u32) {
        remember(record, &[Action::Read { path: "src/a.rs".into(), lines }], text, step, Status::Done);
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
        remember(&mut record, &[edit], "ok", 4, Status::Done);
        assert_eq!(stretches(&record), [run(1, "a\nb\nbb\nC\nd\ne"), run(10, "i")]);
        assert!(record.readings[0].is_changed && record.readings[0].step == 4);
        remember(&mut record, &[Action::Delete { path: "src/a.rs".into() }], "", 5, Status::Done);
        assert!(record.readings.is_empty());
    }

    #[test]
    fn several_readings_in_one_result_are_told_apart_by_their_lines() {
        let mut record = Record::default();
        let reads = [("x/a.rs", (1, 2)), ("x/b.rs", (5, 6))].map(|(path, lines)| Action::Read { path: path.into(), lines: Some(lines) });
        remember(&mut record, &reads, "a1\na2\nb5\nb6", 1, Status::Done);
        let all: Vec<_> = record
            .readings
            .iter()
            .map(|reading| (reading.path.as_str(), reading.stretches[0].first, reading.stretches[0].text.as_str()))
            .collect();
        assert_eq!(all, [("x/a.rs", 1, "a1\na2"), ("x/b.rs", 5, "b5\nb6")]);
    }

    #[test]
    fn what_may_have_changed_without_being_told_is_not_shown() {
        let edit = |old: &str, new: &str| Action::Edit { path: "src/a.rs".into(), old: old.into(), new: new.into() };
        let may_change = |path: &str| Action::MayChange { path: path.into() };
        let after = |action: Action, status: Status| {
            let mut record = Record::default();
            see(&mut record, None, "one();\ntwo();\none();\nfour();", 1);
            remember(&mut record, &[action], "", 2, status);
            record
                .readings
                .iter()
                .map(|reading| runs_of(reading).iter().map(|run| run.text()).collect::<Vec<_>>().join("|"))
                .collect::<String>()
        };
        let untouched = "one();\ntwo();\none();\nfour();";
        assert_eq!(after(edit("two();", "2"), Status::Done), "one();\n2\none();\nfour();");
        assert_eq!(after(edit("two();", "2"), Status::Refused), untouched);
        assert_eq!(after(may_change("src/b.rs"), Status::Done), untouched);
        for (action, status) in [
            (edit("two();", "2"), Status::Failed),
            (edit("two();", "2"), Status::Unknown),
            (edit("one();", "1"), Status::Done),
            (edit("", "somewhere"), Status::Done),
            (may_change("src/a.rs"), Status::Done),
            (may_change("src"), Status::Done),
            (may_change("src/*.rs"), Status::Done),
            (may_change(""), Status::Failed),
        ] {
            assert_eq!(after(action.clone(), status), "", "{action:?} {status:?}");
        }
    }

    #[test]
    fn what_a_program_prints_beside_a_file_is_not_taken_for_its_lines() {
        let shown = |lines: Option<(u32, u32)>, text: &str| {
            let mut record = Record::default();
            see(&mut record, lines, text, 1);
            record.readings.first().map(|_| stretches(&record)).unwrap_or_default()
        };
        assert_eq!(shown(Some((3, 4)), "c\nd\ne"), []);
        assert_eq!(shown(None, "File does not exist."), []);
        assert_eq!(shown(None, "\nb"), [run(1, "\nb")]);
        assert_eq!(shown(None, "a\n… 12 tokens truncated …\nz"), [run(1, "a")]);
        assert_eq!(shown(None, "     7→7\tone\n     8→8\ttwo"), [run(7, "one\ntwo")]);
        let reads = ["a.rs", "b.rs"].map(|path| Action::Read { path: path.into(), lines: Some((1, 9)) });
        let mut record = Record::default();
        remember(&mut record, &reads, "a1\nb1", 1, Status::Done);
        assert!(record.readings.is_empty());
    }

    #[test]
    fn what_a_script_prints_between_files_tells_them_apart() {
        let read = |path: &str| Action::Read { path: path.into(), lines: None };
        let print = |text: &str| Action::Print { text: text.into() };
        let shown = |actions: &[Action], text: &str| {
            let mut record = Record::default();
            remember(&mut record, actions, text, 1, Status::Done);
            let all = record.readings.iter().map(|reading| format!("{} {}", reading.path, runs_of(reading)[0].text()));
            all.collect::<Vec<_>>().join("|")
        };
        let two = [read("x/a.rs"), print("---"), read("x/b.rs")];
        assert_eq!(shown(&two, "a1\na2\n---\nb1"), "x/a.rs a1\na2|x/b.rs b1");
        let named = [print("=== a"), read("x/a.rs"), print("=== b"), read("x/b.rs")];
        assert_eq!(shown(&named, "=== a\na1\n=== b\nb1\n"), "x/a.rs a1|x/b.rs b1");
        let list = [Action::List { path: "x".into() }, print("---"), read("x/b.rs")];
        assert_eq!(shown(&list, "a.rs\nb.rs\n---\nb1"), "x/b.rs b1");
        assert_eq!(shown(&two, "cat: x/a.rs: No such file or directory\n---\nb1"), "x/b.rs b1");
        // A line of a file that looks like it, or none at all: nothing is sure.
        assert_eq!(shown(&two, "a1\n---\na2\n---\nb1"), "");
        assert_eq!(shown(&two, "a1\nb1"), "");
        assert_eq!(shown(&[read("x/a.rs"), print("---"), Action::Mixed], "a1\n---"), "");
    }

    #[test]
    fn a_minified_file_is_not_kept() {
        let mut record = Record::default();
        see(&mut record, None, &"var a=1;".repeat(20_000), 1);
        assert!(record.readings.is_empty());
    }
}
