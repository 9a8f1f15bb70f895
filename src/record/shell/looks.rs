//! What a command looks at: what a search is for, which files and lines a reader shows. Not whether it shows them as they are (see `shows`).

use crate::clip::clip;
use crate::record::action::Action;
use crate::record::shell::words::Simple;
use crate::record::shell::{COMMAND_CHARS, FILES, Reading, SEARCHERS, is_filter};

impl Reading<'_> {
    /// What a search is for, and where.
    pub fn search(&self, name: &str, arguments: &[&str]) -> Option<Action> {
        const WITH_VALUE: [&str; 22] = [
            "-A",
            "-B",
            "-C",
            "-m",
            "-g",
            "-t",
            "-T",
            "-j",
            "-M",
            "-f",
            "-d",
            "--glob",
            "--iglob",
            "--type",
            "--type-not",
            "--include",
            "--exclude",
            "--exclude-dir",
            "--max-count",
            "--context",
            "--max-depth",
            "--max-columns",
        ];
        let (mut what, mut paths) = (None, Vec::new());
        let mut words = arguments.iter();
        let mut is_list = false;
        while let Some(word) = words.next() {
            if WITH_VALUE.contains(word) {
                words.next();
            } else if matches!(*word, "-e" | "--regexp") {
                what = words.next().copied();
            } else if *word == "--files" {
                is_list = true;
            } else if word.starts_with('-') && word.len() > 1 {
            } else if what.is_none() && !is_list {
                what = Some(*word);
            } else {
                paths.push(self.file(word));
            }
        }
        let path = clip(&paths.join(" "), COMMAND_CHARS);
        if is_list {
            return Some(Action::List { path });
        }
        // Without a file grep reads what is passed to it.
        (name != "grep"
            || !path.is_empty()
            || arguments.iter().any(|word| word.starts_with("-r") || word.starts_with("-R") || *word == "--recursive"))
        .then_some(Action::Search { what: clip(what?, COMMAND_CHARS), path })
    }

    /// The files that a command shows, and which lines of them, which a filter behind it may choose.
    pub fn read(&self, name: &str, arguments: &[&str], rest: &[Simple]) -> Option<Vec<Action>> {
        let (mut lines, mut paths) = (None, Vec::new());
        let mut words = arguments.iter();
        let mut printed = false;
        while let Some(word) = words.next() {
            match *word {
                "-n" | "-c" | "-b" if name == "head" || name == "tail" => {
                    let count = words.next()?.parse::<u32>().ok();
                    lines = count.filter(|_| name == "head" && *word == "-n").map(|count| (1, count));
                }
                "-n" | "-ne" if name == "sed" => printed = true,
                "-b" | "-w" | "-s" | "-v" if name == "nl" => drop(words.next()),
                word if word.starts_with('-') && word.len() > 1 => {
                    let count = word.trim_start_matches("-n").trim_start_matches('-').parse::<u32>().ok();
                    lines = count.filter(|_| name == "head").map(|count| (1, count)).or(lines);
                }
                word if name == "sed" && lines.is_none() && paths.is_empty() => lines = Some(printed.then(|| sed_lines(word)).flatten()?),
                word if name == "open" && word.bytes().all(|byte| byte.is_ascii_digit()) => {}
                word => paths.push(self.file(word)),
            }
        }
        if paths.is_empty() {
            return None;
        }
        if let Some(searcher) =
            rest.first().filter(|simple| simple.words.first().is_some_and(|(word, _)| SEARCHERS.contains(&word.as_str())))
        {
            let words: Vec<&str> =
                searcher.words.iter().skip(1).map(|(word, _)| word.as_str()).chain(paths.iter().map(String::as_str)).collect();
            return Some(vec![self.search("rg", &words)?]);
        }
        for filter in rest {
            if !is_filter(filter) {
                return None;
            }
            let words: Vec<&str> = filter.words.iter().map(|(word, _)| word.as_str()).collect();
            lines = match words.as_slice() {
                ["sed", "-n", range, ..] => sed_lines(range).or(lines),
                ["head", "-n", count, ..] => count.parse().ok().map(|count| (1, count)),
                ["head", count, ..] => count.trim_start_matches("-n").trim_start_matches('-').parse().ok().map(|count| (1, count)),
                _ => lines,
            };
        }
        Some(paths.into_iter().take(FILES).map(|path| Action::Read { path, lines }).collect())
    }
}

/// First and last line of `12,40p`, or of several such.
fn sed_lines(script: &str) -> Option<(u32, u32)> {
    let mut all: Option<(u32, u32)> = None;
    for part in script.split([';', '\n']).map(str::trim).filter(|part| !part.is_empty()) {
        let range = part.strip_suffix('p')?;
        let (first, last) = range.split_once(',').unwrap_or((range, range));
        let first = first.parse().ok()?;
        let last = if last == "$" { u32::MAX } else { last.parse().ok()? };
        all = Some(all.map_or((first, last), |(from, to)| (first.min(from), last.max(to))));
    }
    all
}
