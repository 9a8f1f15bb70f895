//! Lines of results that are worth keeping: because a later call or text speaks of a name in them, or they define such a name.
//! Whole lines with their place, one for each name, from the newest result that has it. Not how many of them a checkpoint has room for.

mod lines;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::clip::{clean_within, first_chars};
use crate::fingerprint::mix;
use crate::order::sort_by_numbers;
use crate::record::action::same_file;
use crate::record::conclusions::DECLARATIONS;
use crate::record::empty::begins_with;
use crate::record::findings::lines::{completing, file_of_hit, is_noise, own_number};
use crate::record::work::{Finding, Record};
use crate::record::working_set::{mark_used, numbered};

/// Longest line that is kept, in characters.
const LINE_CHARS: usize = 200;
/// Lines kept of one result.
const LINES_PER_RESULT: usize = 10;
/// A longer line is looked at around the first name only.
const LONG_LINE_BYTES: usize = 400;
/// Bytes of one result that are looked at.
const RESULT_BYTES: usize = 256 * 1024;
/// Shortest and longest name, in bytes.
const NAME_BYTES: (usize, usize) = (5, 80);
/// What was said more steps ago does not say what the work is about now.
const OLD_STEPS: u32 = 30;
/// A name in more lines of the files in use tells none of them from the others.
const RARE_LINES: u32 = 8;
/// What a hit of a search is worth in a file that was used later; with more hits than this, others are not kept.
const IN_USED_FILE: u32 = 2;
const FEW_HITS: usize = 5;
/// What a line is worth that declares a name in use.
const DECLARES: u32 = 3;
/// A name that was used more often than this is worth no more.
const MOST_USES: u32 = 3;

/// One thing that was said, in the order in which it was.
pub enum Said<'m> {
    /// By the model or the user: what it speaks of is in use.
    Words {
        /// The step.
        step: u32,
        /// The text.
        text: Cow<'m, str>,
    },
    /// By a result.
    Result {
        /// The step.
        step: u32,
        /// Where its lines stand: the file, or the call.
        place: String,
        /// The number of its first line in the file, where that is known.
        first_line: Option<u32>,
        /// The text.
        text: Cow<'m, str>,
        /// It is sent as it is: what it says need not be kept.
        is_sent: bool,
    },
}

/// How a name is used.
#[derive(Clone, Copy)]
struct Use {
    step: u32,
    count: u32,
}

/// In which message each name was spoken of last.
#[derive(Default)]
pub struct Uses {
    last: HashMap<u64, usize>,
}

impl Uses {
    /// Takes in what a message says.
    pub fn speak(&mut self, text: &str, message: usize) {
        names(text, &mut |name| {
            self.last.insert(name, message);
        });
    }

    /// The two lines of a result of which most is spoken behind `message`, counted from one; zero where there is none.
    pub fn lines_of(&self, text: &str, message: usize) -> [u32; 2] {
        let mut best: [(u32, u32); 2] = [(0, 0); 2];
        let mut seen: HashSet<u64> = HashSet::new();
        for (at, line) in floor(text, RESULT_BYTES).lines().enumerate().filter(|(_, line)| line.len() <= LONG_LINE_BYTES) {
            let mut spoken_of = Vec::new();
            names(line, &mut |name| {
                if self.last.get(&name).is_some_and(|last| *last > message) {
                    spoken_of.push(name);
                }
            });
            if spoken_of.is_empty() || !has_words(line) {
                continue;
            }
            let mut worth = spoken_of.into_iter().filter(|name| seen.insert(*name)).count() as u32;
            worth += if worth > 0 && begins_with(line.trim(), &DECLARATIONS) { DECLARES } else { 0 };
            if worth > best[0].0 {
                best = [(worth, at as u32 + 1), best[0]];
            } else if worth > best[1].0 {
                best[1] = (worth, at as u32 + 1);
            }
        }
        let mut lines = best.map(|(_, line)| line);
        if lines[1] > 0 && lines[0] > lines[1] {
            lines.reverse();
        }
        lines
    }
}

/// Adds to a record what is worth keeping of the results among `said`.
pub fn add_findings(record: &mut Record, said: &[Said<'_>]) {
    let mut uses: HashMap<u64, Use> = HashMap::new();
    let mut claimed: HashSet<u64> = HashSet::new();
    let request = record.users.last().map_or(record.request.as_str(), |asked| asked.text.as_str());
    for text in [record.request.as_str(), request] {
        names(text, &mut |name| {
            uses.entry(name).or_insert(Use { step: record.steps, count: 1 });
        });
    }
    let mut found: Vec<Finding> = Vec::new();
    for said in said.iter().rev() {
        match said {
            Said::Words { step, text } => names(text, &mut |name| {
                let known = uses.entry(name).or_insert(Use { step: *step, count: 0 });
                known.count = known.count.saturating_add(1);
            }),
            Said::Result { text, is_sent: true, .. } => names(text, &mut |name| {
                claimed.insert(name);
            }),
            Said::Result { step, place, first_line, text, is_sent: false } => {
                let is_used = |path: &str| record.files.iter().any(|file| file.step() >= *step && same_file(&file.path, path));
                let shown = Shown { place, first_line: *first_line, text, step: *step };
                found.extend(lines_of(&shown, &uses, &is_used, &mut claimed));
            }
        }
    }
    found.reverse();
    mark_readings(record, &uses);
    for finding in &mut record.findings {
        names(&finding.line, &mut |name| {
            finding.used = uses.get(&name).map_or(finding.used, |used| used.step.max(finding.used));
        });
    }
    record.findings.retain(|old| !found.iter().any(|new| new.line == old.line));
    record.findings.extend(found);
    // What was used longest ago leaves first.
    sort_by_numbers(&mut record.findings, |finding| [i64::from(finding.used), i64::from(finding.step), 0]);
}

/// Marks the lines of files that what was said last speaks of, by names that few files and few lines have.
fn mark_readings(record: &mut Record, uses: &HashMap<u64, Use>) {
    let steps = record.steps;
    let mut lines: HashMap<u64, u32> = HashMap::new();
    for stretch in record.readings.iter().flat_map(|reading| &reading.stretches) {
        names(&stretch.text, &mut |name| {
            if uses.get(&name).is_some_and(|known| known.count > 0 && known.step.saturating_add(OLD_STEPS) >= steps) {
                *lines.entry(name).or_default() += 1;
            }
        });
    }
    let spoken_of = |line: &str| {
        let mut step = 0;
        names(line, &mut |name| {
            if lines.get(&name).is_some_and(|count| *count <= RARE_LINES) {
                step = uses.get(&name).map_or(step, |known| known.step.max(step));
            }
        });
        step
    };
    record.readings.iter_mut().for_each(|reading| mark_used(reading, &spoken_of));
}

/// What a result shows.
struct Shown<'s> {
    place: &'s str,
    first_line: Option<u32>,
    text: &'s str,
    step: u32,
}

/// The lines of one result that are worth keeping, each with those that complete it. `is_used` says which files were used later.
fn lines_of(shown: &Shown<'_>, uses: &HashMap<u64, Use>, is_used: &dyn Fn(&str) -> bool, claimed: &mut HashSet<u64>) -> Vec<Finding> {
    let text = floor(shown.text, RESULT_BYTES);
    let listing = numbered(text);
    let first = listing.as_ref().map(|(first, _)| *first);
    let lines: Vec<&str> = listing.map_or_else(|| text.lines().collect(), |(_, lines)| lines);
    let place_of = |at: usize| {
        let line = lines[at];
        if let Some(first) = first {
            return (Some(first.saturating_add(at as u32)), line);
        }
        let Some(first) = shown.first_line else { return (None, line) };
        let number = first.saturating_add(at as u32);
        // Some readers print the number before each line.
        let same = || line.trim_start().strip_prefix(&format!("{number}. ")).map(|line| (number, line));
        let (number, line) = own_number(line).or_else(same).unwrap_or((number, line));
        (Some(number), line)
    };
    let has_many = lines.iter().filter(|line| file_of_hit(line).is_some()).count() > FEW_HITS;
    let mut scored: Vec<(u32, usize, Finding, Vec<u64>)> = Vec::new();
    for at in 0..lines.len() {
        let (mut worth, mut used, mut own) = (0, 0, Vec::new());
        let (number, line) = place_of(at);
        let line = line.trim();
        let mut start = None;
        each_name(line, &mut |at, name| {
            if let Some(known) = uses.get(&name).filter(|known| known.count > 0 && !claimed.contains(&name)) {
                start.get_or_insert(at);
                if !own.contains(&name) {
                    worth += known.count.min(MOST_USES);
                    used = used.max(known.step);
                    own.push(name);
                }
            }
        });
        if own.is_empty() || !has_words(line) || line.len() <= LONG_LINE_BYTES && is_noise(line) {
            continue;
        }
        match file_of_hit(line).map(is_used) {
            Some(true) => worth += IN_USED_FILE,
            Some(false) if has_many => continue,
            _ => {}
        }
        worth += if begins_with(line, &DECLARATIONS) { DECLARES } else { 0 };
        let mut told = told_line(number, around(line, start.unwrap_or(0)));
        for behind in completing(line, &lines[at + 1..]) {
            told.push('\n');
            let number = number.map(|number| number.saturating_add(told.matches('\n').count() as u32));
            told.push_str(&told_line(number, first_chars(own_number(behind).map_or(behind, |(_, line)| line).trim(), LINE_CHARS + 40)));
        }
        scored.push((worth, at, Finding { place: shown.place.to_owned(), line: told, step: shown.step, used, worth }, own));
    }
    sort_by_numbers(&mut scored, |(worth, at, ..)| [-i64::from(*worth), *at as i64, 0]);
    let mut kept: Vec<(usize, Finding)> = Vec::new();
    for (_, at, finding, own) in scored {
        // One line for each name: the best.
        if kept.len() < LINES_PER_RESULT && own.iter().any(|name| !claimed.contains(name)) {
            // It may complete a better one.
            let first = finding.line.split('\n').next();
            let is_told = kept.iter().any(|(_, other): &(usize, Finding)| other.line.split('\n').any(|line| first == Some(line)));
            claimed.extend(own);
            if !is_told {
                kept.push((at, finding));
            }
        }
    }
    sort_by_numbers(&mut kept, |(at, _)| [*at as i64, 0, 0]);
    // The last one stands first, as all are turned around.
    kept.into_iter().rev().map(|(_, finding)| finding).collect()
}

/// A line with its number, where that is known.
fn told_line(number: Option<u32>, line: &str) -> String {
    let line = clean_within(line, LINE_CHARS);
    number.map_or_else(|| line.clone(), |number| format!("{number}: {line}"))
}

/// Whether a line says more than a name.
fn has_words(line: &str) -> bool {
    line.split(|letter: char| letter.is_whitespace() || matches!(letter, ':' | '=' | '(' | '{' | ',' | '|'))
        .filter(|word| word.len() > 1)
        .count()
        > 1
}

/// A long line from a little before its first name in use on.
fn around(line: &str, at: usize) -> &str {
    if line.len() <= LONG_LINE_BYTES {
        return first_chars(line, LINE_CHARS + 40);
    }
    let mut start = at.saturating_sub(60);
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    first_chars(&line[start..], LINE_CHARS + 40)
}

fn floor(text: &str, mut bytes: usize) -> &str {
    bytes = bytes.min(text.len());
    while !text.is_char_boundary(bytes) {
        bytes -= 1;
    }
    &text[..bytes]
}

fn names(text: &str, take: &mut dyn FnMut(u64)) {
    each_name(text, &mut |_, name| take(name));
}

/// Goes over the names in a text: words that nobody writes in prose, such as paths, identifiers, numbers with a meaning.
fn each_name(text: &str, take: &mut dyn FnMut(usize, u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_name_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_name_byte(bytes[at]) {
            at += 1;
        }
        let is_edge = |byte: &u8| matches!(byte, b'.' | b':' | b'/' | b'-' | b'@');
        let leading = bytes[start..at].iter().take_while(|byte| is_edge(byte)).count();
        let trailing = bytes[start + leading..at].iter().rev().take_while(|byte| is_edge(byte)).count();
        let word = &bytes[start + leading..at - trailing];
        if (NAME_BYTES.0..=NAME_BYTES.1).contains(&word.len()) && is_name(word) {
            take(start + leading, mix(0, word));
        }
    }
}

/// Asked of each byte of all that is folded.
#[inline(always)]
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b':' | b'@' | b'-')
}

/// Whether a word is a name: it has a mark or a digit in it, or a capital behind its first letter.
fn is_name(word: &[u8]) -> bool {
    word.iter().any(|byte| matches!(byte, b'_' | b'.' | b'/' | b':' | b'@' | b'0'..=b'9'))
        || word.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(step: u32, text: &str) -> Said<'_> {
        Said::Words { step, text: text.into() }
    }

    fn result<'m>(step: u32, place: &str, first_line: Option<u32>, text: &'m str, is_sent: bool) -> Said<'m> {
        Said::Result { step, place: place.to_owned(), first_line, text: text.into(), is_sent }
    }

    fn found(said: &[Said<'_>]) -> Vec<(String, String)> {
        let mut record = Record::default();
        add_findings(&mut record, said);
        record.findings.into_iter().map(|finding| (finding.place, finding.line)).collect()
    }

    #[test]
    fn a_line_is_kept_whole_with_its_place_because_it_was_spoken_of_later() {
        let text = "use std::fs;\nfn parse_header(text: &str) -> Header {\n    let other_thing = 1;\n}";
        let said = [words(1, "I read other_thing"), result(1, "src/a.rs", Some(10), text, false), words(2, "parse_header is wrong")];
        assert_eq!(
            found(&said),
            [("src/a.rs".to_owned(), "11: fn parse_header(text: &str) -> Header {\n12: let other_thing = 1;".to_owned())]
        );
    }

    #[test]
    fn nothing_is_kept_that_is_sent_or_says_no_more_than_a_name() {
        let said = [
            result(1, "ls", None, "src/parse_header.rs\nsrc/b.rs", false),
            words(2, "src/parse_header.rs, order_4711"),
            result(1, "find", None, "order_4711 was paid", false),
            result(2, "find", None, "order_4711 was paid", true),
            words(3, "order_4711"),
        ];
        assert_eq!(found(&said), []);
    }

    #[test]
    fn of_one_long_line_what_stands_around_the_name_is_kept() {
        let text = format!("{}\"user_id\":\"mia_3668\",\"city\":\"Porto\"{}", "\"x\":1,".repeat(200_000), ",\"y\":2".repeat(200));
        let text = &text[text.len() - 200_000..];
        let said = [result(1, "get_user", None, text, false), words(2, "mia_3668")];
        let lines = found(&said);
        assert!(
            lines.len() == 1 && lines[0].1.contains("\"mia_3668\",\"city\":\"Porto\"") && lines[0].1.chars().count() <= 201,
            "{lines:?}"
        );
    }
}
