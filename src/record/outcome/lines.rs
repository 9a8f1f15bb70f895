//! What a result that went well says in one line: how much it held, and the line that says most.
//! Not what went wrong (see `errors`).

use std::borrow::Cow;

use crate::clip::clip;
use crate::json::Value;
use crate::record::action::Action;
use crate::record::outcome::counts::told;
use crate::redact::is_secret;

/// An output of so many lines at most is told whole.
const WHOLE_LINES: usize = 3;
/// Longest output that is told whole, in bytes.
const WHOLE_BYTES: usize = 160;
/// Documents of a list are told in so many bytes, and of one so many characters of its id and its title.
const DOCUMENTS_BYTES: usize = 140;
const ID_CHARS: usize = 40;
const TITLE_CHARS: usize = 60;

fn count(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// How much of a file was read: by the numbers of its lines where it shows them.
pub fn read_lines(lines: &[&str]) -> String {
    let numbered = |line: &&&str| number_of(line).is_some();
    let says = |line: &&&str| !line.trim().is_empty();
    if let (Some(first), Some(last)) =
        (lines.iter().find(numbered).and_then(|line| number_of(line)), lines.iter().rev().find(numbered).and_then(|line| number_of(line)))
        && lines.iter().filter(says).take(40).filter(numbered).count() * 2 >= lines.iter().filter(says).take(40).count()
    {
        return format!("lines {first}–{last}");
    }
    match lines.iter().filter(says).count() {
        0 => "empty".to_owned(),
        _ => count(lines.len(), "line", "lines"),
    }
}

/// The number a line of a file is shown with: `12→`, `12:`, `12.`, `12|`, or a tab.
pub fn number_of(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let behind = line.get(digits..)?.chars().next();
    (digits > 0 && digits < 8 && matches!(behind, Some('→' | ':' | '.' | '|' | '\t'))).then(|| line[..digits].parse().ok()).flatten()
}

/// What a search found.
pub fn matches(body: &str, lines: &[&str]) -> String {
    let first = body.lines().next().unwrap_or_default().trim();
    let lower = first.to_ascii_lowercase();
    if body.is_empty()
        || ["no matches", "no files", "no results", "found 0 ", "0 matches", "pattern not found"]
            .iter()
            .any(|beginning| lower.starts_with(beginning))
    {
        return "no matches".to_owned();
    }
    if lower.starts_with("found ") {
        return told(first.trim_end_matches(':'));
    }
    // Lines around a match carry a stroke where a match carries a colon.
    let is_context = |line: &str| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        line == "--" || digits > 0 && line[digits..].starts_with('-') || line.trim().is_empty()
    };
    let found: Vec<&&str> = lines.iter().filter(|line| !is_context(line)).collect();
    match found.as_slice() {
        [] => "no matches".to_owned(),
        [one] => format!("1 match: {}", told(one)),
        more if more.iter().all(|line| !line.contains(' ') && !line.contains(":")) => count(more.len(), "file", "files"),
        more => count(more.len(), "match", "matches"),
    }
}

/// How many entries a list holds.
pub fn entries(body: &str, lines: &[&str]) -> String {
    let lower = body.to_ascii_lowercase();
    if body.is_empty() || lower.starts_with("no files") || lower.starts_with("(no output)") {
        return "nothing found".to_owned();
    }
    let entries: Vec<&&str> = lines.iter().filter(|line| !line.trim().is_empty() && !line.starts_with("total ")).collect();
    match entries.as_slice() {
        [one] => told(one),
        more => count(more.len(), "entry", "entries"),
    }
}

/// The documents that a result lists: the ids and titles of the first ones, each whole, so that they can be asked for again. `None` where
/// it lists none.
fn documents(value: &Value<'_>) -> Option<String> {
    let items = match value {
        Value::List(items) => items,
        Value::Map(members) => members.iter().find_map(|(_, member)| match member {
            Value::List(items) if items.iter().any(|item| document(item).is_some()) => Some(items),
            _ => None,
        })?,
        _ => return None,
    };
    let mut listed = String::new();
    for document in items.iter().filter_map(document) {
        if listed.len() + document.len() > DOCUMENTS_BYTES {
            break;
        }
        listed.push_str(if listed.is_empty() { "" } else { "; " });
        listed.push_str(&document);
    }
    (!listed.is_empty()).then(|| format!("{}: {listed}", count(items.len(), "result", "results")))
}

/// The documents that the text of a result lists, where it is JSON and lists some.
pub fn listed(text: &str) -> Option<String> {
    documents(&Value::parse(text.trim())?)
}

/// The id, the title and the state of a document, of which one may be missing.
fn document(item: &Value<'_>) -> Option<String> {
    let first = |keys: &[&str]| keys.iter().find_map(|key| item.get(key).map(Value::scalar_text).filter(|text| !text.trim().is_empty()));
    let (id, title) = (first(&["id", "key", "number"]), first(&["title", "name", "subject"])?);
    let state = first(&["state", "status", "conclusion"]);
    if id.is_none() && state.is_none() {
        return None;
    }
    let id = id.map_or(String::new(), |id| format!("{} ", clip(id, ID_CHARS)));
    let state = state.map_or(String::new(), |state| format!(" ({})", clip(state, ID_CHARS)));
    Some(format!("{id}{}{state}", told(&clip(title, TITLE_CHARS))))
}

/// What a page or a search engine gave.
pub fn fetched(body: &str, lines: &[&str]) -> String {
    // A short result is told whole.
    if body.len() > WHOLE_BYTES
        && let Some(listed) = Value::parse(body).as_ref().and_then(documents)
    {
        return listed;
    }
    if let Some(Value::List(items)) = Value::parse(body) {
        let title =
            items.first().and_then(|item| ["title", "url", "name"].iter().find_map(|key| item.get(key)?.as_str())).unwrap_or_default();
        return format!("{}: {}", count(items.len(), "result", "results"), told(title)).trim_end_matches([':', ' ']).to_owned();
    }
    // A page in an object: its longest text.
    let value = Value::parse(body);
    let page =
        value.as_ref().map(|value| value.children().into_iter().map(Value::scalar_text).max_by_key(|text| text.len()).unwrap_or_default());
    let (body, lines) = match page {
        Some(page) if !page.is_empty() => (page, page.lines().collect()),
        _ => (body, lines.iter().copied().filter(|line| !is_noise(line)).collect::<Vec<_>>()),
    };
    let first = first_statement(&lines).unwrap_or_default();
    format!("{} words: {}", body.split_whitespace().count(), told(&clip(first, 160)))
}

/// The first line that says something: no heading, fence or banner.
pub fn first_statement<'a>(lines: &[&'a str]) -> Option<&'a str> {
    const INTRODUCTIONS: [&str; 10] =
        ["I now have", "Now I have", "I have ", "task_id:", "agentId:", "session_id:", "Based on my ", "Here is ", "Excellent", "Perfect"];
    let says = |line: &&&str| {
        let line = line.trim();
        line.len() > 2
            && !line.starts_with(['#', '`', '<', '=', '-', '|', '{', '['])
            && !INTRODUCTIONS.iter().any(|beginning| line.starts_with(beginning))
    };
    lines.iter().find(says).or_else(|| lines.iter().find(|line| !line.trim().is_empty())).copied()
}

/// An object in one line: the fields that name it, or that say how it ended.
pub fn json_line(body: &str) -> Option<String> {
    if !body.starts_with(['{', '[']) {
        return None;
    }
    let value = Value::parse(body)?;
    if let Value::List(items) = &value {
        return Some(documents(&value).unwrap_or_else(|| count(items.len(), "item", "items")));
    }
    const TOLD: [&str; 14] = [
        "status",
        "state",
        "conclusion",
        "result",
        "message",
        "title",
        "name",
        "id",
        "number",
        "url",
        "html_url",
        "version",
        "count",
        "total",
    ];
    let mut parts = Vec::new();
    for key in TOLD {
        let text = value.get(key).map_or("", Value::scalar_text);
        if !text.is_empty() && parts.len() < 5 {
            parts.push(format!("{key} {}", told(&clip(text, 80))));
        }
    }
    if parts.is_empty() {
        if let Some(listed) = documents(&value) {
            return Some(listed);
        }
        let Value::Map(members) = &value else { return None };
        if members.is_empty() {
            return Some(String::new());
        }
        let scalars =
            secretless(members).filter(|(_, text)| !text.is_empty()).take(12).map(|(name, text)| format!("{name} {}", clip(text, 60)));
        let line = scalars.collect::<Vec<_>>().join(", ");
        return Some(told(&clip(if line.is_empty() { body } else { &line }, WHOLE_BYTES)));
    }
    Some(parts.join(", "))
}

/// The scalars of an object with their names, without secrets that only these tell.
fn secretless<'v>(members: &'v [(Cow<'_, str>, Value<'_>)]) -> impl Iterator<Item = (&'v str, &'v str)> {
    members.iter().map(|(name, value)| (name.as_ref(), value.scalar_text())).filter(|(name, text)| !is_secret(name, text))
}

/// What a command that went well says: all of a short output, else how much, and the line that says most; where several commands wrote,
/// their last line says no more than others.
pub fn command_line(main: Option<&Action>, is_mixed: bool, body: &str, lines: &[&str]) -> String {
    let said: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !is_noise(line)).collect();
    if said.is_empty()
        || body == "(no output)"
        || body == "(empty)"
        || body.starts_with("Your command ran successfully and did not produce")
    {
        return "no output".to_owned();
    }
    let all: usize = said.iter().map(|line| line.len() + 3).sum();
    if said.len() <= WHOLE_LINES && all <= WHOLE_BYTES {
        return told(&said.join(" / "));
    }
    let shows = matches!(main, Some(Action::Run { command }) if SHOWING.iter().any(|word| command.contains(word)));
    if let Some(line) = said.iter().rev().find(|line| is_news(line)) {
        return told(line);
    }
    let size = count(said.len(), "line", "lines");
    if let [only] = said.as_slice() {
        // A line too long to be told whole says little by its beginning.
        return told(&clip(only, if only.len() > WHOLE_BYTES { WHOLE_BYTES / 2 } else { WHOLE_BYTES }));
    }
    let is_command = matches!(main, Some(Action::Run { .. } | Action::Wait));
    if shows || is_mixed || !is_command {
        return size;
    }
    telling_line(body).map_or(size.clone(), |line| format!("{size}, the last: {}", told(line)))
}

/// Commands that show something: what they end with says no more than the rest.
const SHOWING: [&str; 11] =
    ["git diff", "git show", "git log", "git blame", "git status", "gh pr view", "gh api", "gh issue", "cat ", "jq ", "--help"];

/// The last line that says something.
pub fn telling_line(body: &str) -> Option<&str> {
    body.lines().rev().map(str::trim).find(|line| !is_noise(line))
}

/// Lines that tell what was made: a commit, a pull request, a build.
fn is_news(line: &str) -> bool {
    let is_commit = line.starts_with('[')
        && line.split_once("] ").is_some_and(|(name, _)| {
            let hash = name.rsplit(' ').next().unwrap_or_default();
            name.contains(' ') && hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
    let is_push = line.contains(" -> ")
        && (line.starts_with("* [new ")
            || line
                .split(' ')
                .next()
                .is_some_and(|range| range.contains("..") && range.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'.')));
    const NEWS: [&str; 10] = [
        "https://github.com/",
        "Successfully ",
        "✓ built in",
        "✓ Created",
        "Created ",
        "Switched to ",
        "Already up to date",
        "Everything up-to-date",
        "Compiled successfully",
        "Successfully rebased",
    ];
    is_commit || is_push || NEWS.iter().any(|beginning| line.starts_with(beginning))
}

/// Lines that say nothing: empty ones, echoes of the command, progress, and what is drawn.
fn is_noise(line: &str) -> bool {
    let line = line.trim();
    let begins = [
        "$ ",
        "> ",
        "Progress:",
        "Done in ",
        "Wall time",
        "% Total",
        "Dload",
        "npm warn",
        "npm notice",
        "Compiling ",
        "Downloading ",
        "Fetching ",
        "Downloaded ",
        "remote: ",
    ];
    let is_echo = line.starts_with('[') && line.split_once("] ").is_some_and(|(name, rest)| name.len() < 40 && rest.starts_with("$ "));
    line.is_empty()
        || is_echo
        || line.contains("--:--")
        || begins.iter().any(|beginning| line.starts_with(beginning))
        || !line.chars().any(|sign| sign.is_ascii_alphanumeric() || ('\u{c0}'..'\u{2000}').contains(&sign) || sign > '\u{2fff}')
}
