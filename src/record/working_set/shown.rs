//! What a result shows of files: its lines without what a harness puts around them, with their numbers where it tells these.
//! Not what becomes of it (see `working_set`).

use crate::record::action::Action;

/// A file that was read, and the lines that were asked for.
type Asked<'a> = (&'a str, Option<(u32, u32)>);

/// Lines before a listing begins in which a harness says how the call went.
const HEADER_LINES: usize = 12;

/// The parts of a result that show what was read: all of it, or what stands between the lines that its script printed. Empty where it may
/// show something else as well.
pub fn parted<'t>(actions: &'t [Action], body: &'t str) -> Vec<(Vec<Asked<'t>>, &'t str)> {
    let mut parts = Vec::new();
    let (mut reads, mut is_other) = (Vec::new(), false);
    let mut rest = body;
    for action in actions {
        match action {
            Action::Read { path, lines } => reads.push((path.as_str(), *lines)),
            Action::Print { text } => {
                let count = |text: &str| body.lines().filter(|line| line.trim_end() == text).count();
                let printed = actions.iter().filter(|other| *other == action).count();
                let (Some((part, behind)), true) = (at_line(rest, text), count(text) == printed) else { return Vec::new() };
                if !reads.is_empty() && !is_other {
                    parts.push((std::mem::take(&mut reads), part));
                }
                (reads, is_other, rest) = (Vec::new(), false, behind);
            }
            Action::Search { .. } | Action::List { .. } => is_other = true,
            _ => return Vec::new(),
        }
    }
    if !reads.is_empty() && !is_other {
        parts.push((reads, rest));
    }
    parts
}

/// What stands before the first line that says this, and what stands behind it.
fn at_line<'t>(body: &'t str, text: &str) -> Option<(&'t str, &'t str)> {
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if line.trim_end() == text {
            return Some((body[..at].strip_suffix('\n').unwrap_or(&body[..at]), &body[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

/// The lines of several readings in one result: numbers begin anew with each, or each says how many lines it takes and all were there.
pub fn told_apart<'t>(reads: &[Asked<'_>], body: &'t str) -> Vec<(u32, Vec<&'t str>)> {
    let mut numbered: Vec<(u32, Vec<&str>)> = Vec::new();
    let mut next = 0;
    for line in body.lines() {
        let Some((number, rest)) = number_of(line) else {
            numbered.clear();
            break;
        };
        match numbered.last_mut().filter(|_| number == next) {
            Some((_, lines)) => lines.push(rest),
            None => numbered.push((number, vec![rest])),
        }
        next = number + 1;
    }
    let asked = reads.iter().map(|(_, asked)| asked.map_or(1, |(from, _)| from.max(1)));
    if numbered.len() == reads.len() && asked.eq(numbered.iter().map(|(first, _)| *first)) {
        return numbered;
    }
    let mut lines: Vec<&str> = body.lines().collect();
    let mut parts = Vec::new();
    for (_, asked) in reads {
        let Some((from, to)) = asked.map(|(from, to)| (from.max(1), to)) else { return Vec::new() };
        let count = (to.saturating_sub(from) as usize).saturating_add(1);
        if count > lines.len() {
            return Vec::new();
        }
        let rest = lines.split_off(count);
        parts.push((from, std::mem::replace(&mut lines, rest)));
    }
    let is_listing = body.lines().filter(|line| number_of(line).is_some()).count() * 2 > body.lines().count();
    if lines.is_empty() && !is_listing { parts } else { Vec::new() }
}

/// What was read, without what the harness says before and behind it.
pub fn body_of(text: &str) -> &str {
    let mut body = text;
    for (at, line) in text.lines().take(HEADER_LINES).enumerate() {
        let trimmed = line.trim_end();
        let is_header =
            trimmed == "Output:" || trimmed == "<file>" || trimmed == "<content>" || (at == 0 && trimmed.starts_with("[File: "));
        if is_header && let Some(start) = body.find(line) {
            body = &body[start + line.len()..];
            body = body.strip_prefix('\n').unwrap_or(body);
        }
    }
    for end in ["\n<system-reminder>", "\n</file>", "\n</content>", "\n(End of file", "\n(File has more lines"] {
        body = body.split(end).next().unwrap_or(body);
    }
    body.trim_end_matches('\n')
}

/// The text up to the line in which a harness says that it left something out, and whether it does.
pub fn before_cut(text: &str) -> (&str, bool) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
        let is_mark = line.trim_start().starts_with(['…', '[', '(', '<', '.', '*']) && line.len() < 300;
        if says(&["truncated…", "truncated …"])
            || is_mark && says(&["truncated", "omitted", "left out", "more lines", "more characters", "lines not shown"])
        {
            return (text[..at].trim_end_matches('\n'), true);
        }
        at += line.len();
    }
    (text, false)
}

/// Whether a result is a word of the harness about a file, and not what it holds.
pub fn is_remark(body: &str) -> bool {
    let lower = body.get(..body.len().min(160)).unwrap_or_default().to_ascii_lowercase();
    let begins = ["file ", "[image", "<image", "(no output", "(empty", "no such", "wasted call", "here's the files", "image", "pdf file"];
    body.lines().count() <= 2 && begins.iter().any(|beginning| lower.starts_with(beginning))
        || body.lines().count() <= 2 && lower.contains(": no such file or directory")
        || lower.starts_with("here's the files and directories")
}

/// The runs of a listing with line numbers, which may leave lines out; `None` where it is none.
pub fn listed(text: &str) -> Option<Vec<(u32, Vec<&str>)>> {
    let mut runs: Vec<(u32, Vec<&str>)> = Vec::new();
    let mut next = 0;
    for line in text.lines() {
        match number_of(line) {
            Some((number, rest)) if runs.is_empty() || number >= next => {
                match runs.last_mut().filter(|_| number == next) {
                    Some((_, lines)) => lines.push(rest),
                    None => runs.push((number, vec![rest])),
                }
                next = number + 1;
            }
            _ if runs.is_empty() && !line.trim().is_empty() => {}
            _ if line.trim().is_empty() || line.starts_with('(') => {}
            _ => return None,
        }
    }
    let count: usize = runs.iter().map(|(_, lines)| lines.len()).sum();
    let notes = text.lines().count() - count;
    // A word or two before it may be the harness's; text that only ends in numbers is no listing.
    if count == 0 || notes > 3.max(count / 4) || count == 1 && notes > 0 {
        return None;
    }
    // `12:text` and `12: text` are told apart by how far the least indented line stands off.
    let indent = |line: &&&str| line.len() - line.trim_start_matches(' ').len();
    let says = |line: &&&str| !line.trim().is_empty();
    let is_colon = text
        .lines()
        .filter_map(|line| line.trim_start().split_once(':'))
        .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        .count()
        >= count;
    if is_colon {
        let least = runs.iter().flat_map(|(_, lines)| lines).filter(says).map(|line| indent(&line)).min().unwrap_or(0);
        if least % 2 == 1 {
            for line in runs.iter_mut().flat_map(|(_, lines)| lines) {
                *line = line.strip_prefix(' ').unwrap_or(line);
            }
        }
    }
    // A listing of a listing: a program that numbers lines, shown by a tool that does.
    let is_twice = runs.iter().all(|(first, lines)| {
        lines.len() > 1 && lines.iter().zip(*first..).all(|(line, number)| number_of(line).is_some_and(|(own, _)| own == number))
    });
    if is_twice {
        for line in runs.iter_mut().flat_map(|(_, lines)| lines) {
            *line = number_of(line).map_or(*line, |(_, rest)| rest);
        }
    }
    Some(runs)
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
            // What the harness says behind it.
            _ if line.starts_with('<') => break,
            _ => return None,
        }
    }
    first.filter(|_| lines.len() > 1 || text.lines().count() == 1).map(|first| (first, lines))
}

/// The number before a line of a listing, and the line: `  12→text`, `12\ttext`, `00012| text`, `12: text`, `12:text`.
pub fn number_of(line: &str) -> Option<(u32, &str)> {
    let trimmed = line.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let number = trimmed.get(..digits).filter(|digits| !digits.is_empty() && digits.len() < 8)?.parse().ok()?;
    let rest = &trimmed[digits..];
    let rest = ["→", "\t", "| ", "|", ":"].iter().find_map(|mark| rest.strip_prefix(mark))?;
    Some((number, rest))
}
