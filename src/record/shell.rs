//! What a shell line does: the files it reads and writes, what it searches, and the command that is left.
//! No shell: what it cannot tell stays a command.

mod looks;
mod words;
mod writes;

use crate::clip::{ROOM_CHARS, clip, one_line};
use crate::record::action::{Action, text_of};
use crate::record::patch::read_patch;
use crate::record::shell::words::{Joint, Simple, commands};
use crate::record::shell::writes::{sed_edit, written_by_script};

/// Longest command, in characters.
const COMMAND_CHARS: usize = 400;
/// Files of one command.
const FILES: usize = 20;

/// What a script of a shell does; never empty.
pub fn read_script(script: &str) -> Vec<Action> {
    if let Some(edit) = line_edit(script) {
        return vec![edit];
    }
    let commands = commands(script);
    let mut reading = Reading { script, dir: String::new(), actions: Vec::new(), run: None, waits: false };
    if commands.iter().any(|simple| matches!(simple.words.first().map(|(word, _)| word.as_str()), Some(word) if CONTROL.contains(&word))) {
        // Loops and conditions: what is done depends on more than can be seen.
        let first = commands.iter().find(|simple| !is_preamble(simple)).and_then(|simple| simple.words.first()).map_or(0, |(_, at)| *at);
        return vec![Action::Run { command: essential(script.get(first..).unwrap_or(script)) }];
    }
    let mut rest = commands.as_slice();
    let mut before = Joint::Next;
    while !rest.is_empty() {
        let length = 1 + rest.iter().position(|simple| simple.joint != Joint::Pipe).unwrap_or(rest.len() - 1);
        let (pipeline, others) = rest.split_at(length);
        reading.pipeline(pipeline, before);
        before = pipeline.last().map_or(Joint::Next, |simple| simple.joint);
        rest = others;
    }
    reading.finish()
}

const CONTROL: [&str; 9] = ["for", "while", "until", "if", "case", "select", "function", "{", "do"];
/// Commands that do nothing anybody would want to be told.
const SILENT: [&str; 14] = ["cd", "pushd", "popd", "export", "set", "unset", "true", ":", "pwd", "clear", "shopt", "source", ".", "wait"];
/// Commands that only pass on what comes out of others.
const FILTERS: [&str; 12] = ["head", "tail", "nl", "cat", "less", "more", "sort", "uniq", "cut", "tr", "sed", "column"];
const READERS: [&str; 8] = ["cat", "bat", "batcat", "less", "more", "nl", "tac", "open"];
const SEARCHERS: [&str; 8] = ["grep", "egrep", "fgrep", "rg", "ag", "ack", "search_dir", "search_file"];

fn is_preamble(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|(word, _)| SILENT.contains(&word.as_str()))
}

/// SWE-agent's `edit 3:5`, whose new lines stand up to `end_of_edit`.
fn line_edit(script: &str) -> Option<Action> {
    let (first, rest) = script.strip_prefix("edit ")?.split_once('\n')?;
    let new = rest.trim_end().strip_suffix("end_of_edit")?;
    first.contains(':').then(|| Action::Edit { path: String::new(), old: String::new(), new: text_of(new.trim_end()) })
}

/// What has been read of a script.
struct Reading<'a> {
    script: &'a str,
    /// Where relative paths lead, below where the script began.
    dir: String,
    actions: Vec<Action>,
    /// What is left as a command, and its place among the actions.
    run: Option<(usize, String)>,
    waits: bool,
}

impl Reading<'_> {
    fn finish(mut self) -> Vec<Action> {
        if let Some((index, command)) = self.run {
            self.actions.insert(index, Action::Run { command: essential(&command) });
        }
        if self.actions.is_empty() {
            let waits = self.waits || self.script.trim().is_empty();
            self.actions.push(if waits { Action::Wait } else { Action::Run { command: essential(self.script) } });
        }
        self.actions
    }

    fn pipeline(&mut self, pipeline: &[Simple], before: Joint) {
        let Some(lead) = pipeline.first() else { return };
        let skipped = wrapper_words(lead);
        let words: Vec<&str> = lead.words.iter().skip(skipped).map(|(word, _)| word.as_str()).collect();
        let Some((path, arguments)) = words.split_first() else {
            self.actions.extend(self.output(lead, ""));
            return;
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        match name {
            "cd" | "pushd" => return self.enter(arguments.first().copied().unwrap_or_default()),
            "sleep" => {
                self.waits = true;
                return;
            }
            _ => {}
        }
        if let Some(actions) = self.known(name, arguments, lead, &pipeline[1..]) {
            self.actions.extend(actions);
            return;
        }
        let end = pipeline.iter().rev().find(|simple| !is_filter(simple) || pipeline.len() == 1).unwrap_or(lead).end;
        let start = lead.words.get(skipped).map_or(0, |(_, at)| *at);
        let text = self.script.get(start..end.max(start)).unwrap_or_default();
        let place = self.actions.len();
        let (_, run) = self.run.get_or_insert_with(|| (place, String::new()));
        if !run.is_empty() {
            run.push_str(match before {
                Joint::And => " && ",
                Joint::Or => " || ",
                Joint::Pipe | Joint::Next => "; ",
            });
        }
        run.push_str(text);
        for simple in pipeline {
            self.actions.extend(self.output(simple, ""));
            if let Some(text) =
                simple.document.as_deref().or_else(|| simple.words.iter().map(|(word, _)| word.as_str()).find(|word| word.contains('\n')))
            {
                let written = written_by_script(text).into_iter().map(|path| self.file(&path));
                let edits: Vec<_> = written.map(|path| Action::Edit { path, old: String::new(), new: String::new() }).collect();
                self.actions.extend(edits);
            }
        }
    }

    /// The file that the output of a command goes to.
    fn output(&self, simple: &Simple, new: &str) -> Option<Action> {
        let (path, append) = simple.output.as_ref().filter(|(path, _)| !path.starts_with("/dev/") && !path.starts_with('$'))?;
        let (path, new) = (self.file(path), text_of(new.trim_end()));
        Some(if *append { Action::Edit { path, old: String::new(), new } } else { Action::Create { path, new } })
    }

    fn file(&self, path: &str) -> String {
        let is_free = self.dir.is_empty() || path.starts_with(['/', '~', '$']);
        clip(&if is_free { path.to_owned() } else { format!("{}/{path}", self.dir) }, COMMAND_CHARS)
    }

    /// What a command does that is known; `None` when it stays a command.
    fn known(&self, name: &str, arguments: &[&str], lead: &Simple, rest: &[Simple]) -> Option<Vec<Action>> {
        let plain: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
        let files =
            |of: &[&str]| of.iter().filter(|path| !path.starts_with('$')).take(FILES).map(|path| self.file(path)).collect::<Vec<_>>();
        let is_passed_on = rest.iter().all(is_filter);
        Some(match name {
            _ if SILENT.contains(&name) && rest.is_empty() => Vec::new(),
            // What a shell makes of such a text is not known.
            "echo" | "printf" if rest.is_empty() => {
                let text = Some(plain.join(" ")).filter(|text| !text.contains(['$', '`', '\\', '%']));
                self.output(lead, &text.unwrap_or_default()).into_iter().collect()
            }
            "cat" if lead.document.is_some() && lead.output.is_some() => {
                self.output(lead, lead.document.as_deref().filter(|_| lead.is_literal()).unwrap_or_default()).into_iter().collect()
            }
            "tee" if lead.document.is_some() && lead.is_literal() && plain.len() == arguments.len() => {
                let new = text_of(lead.document.as_deref().unwrap_or_default().trim_end());
                files(&plain).into_iter().map(|path| Action::Create { path, new: new.clone() }).collect()
            }
            "apply_patch" | "applypatch" | "patch" => patched(lead.document.as_deref().or(plain.first().copied()))?,
            "git" => return self.git(&plain, arguments, lead, is_passed_on),
            "rm" | "unlink" if rest.is_empty() && !plain.is_empty() => {
                files(&plain).into_iter().map(|path| Action::Delete { path }).collect()
            }
            "mv" if rest.is_empty() => moved(&files(&plain))?,
            "touch" | "create" if rest.is_empty() => {
                files(&plain).into_iter().map(|path| Action::Create { path, new: String::new() }).collect()
            }
            _ if lead.output.is_some() || lead.document.is_some() => return None,
            "curl" | "wget" if is_passed_on => vec![fetched(arguments)?],
            "ls" | "tree" | "find" | "fd" | "find_file" if is_passed_on => vec![listed(name, arguments, &files(&plain))?],
            "sed" if arguments.iter().any(|word| word.starts_with("-i") || *word == "--in-place") => sed_edit(&plain, &files(&plain)),
            _ if SEARCHERS.contains(&name) && is_passed_on => vec![self.search(name, arguments)?],
            _ if READERS.contains(&name) || matches!(name, "head" | "tail" | "sed") => return self.read(name, arguments, rest),
            _ => return None,
        })
    }

    /// Goes to a folder. Where one leads that is named by a variable, or from where it stands upwards, is not known.
    fn enter(&mut self, dir: &str) {
        let dir = dir.trim_end_matches('/').trim_start_matches("./");
        self.dir = match dir {
            _ if dir.starts_with(['/', '~']) => dir.to_owned(),
            _ if dir.starts_with(['$', '-', '.']) || dir.is_empty() => String::new(),
            _ if self.dir.is_empty() => dir.to_owned(),
            _ => format!("{}/{dir}", self.dir),
        };
    }

    fn git(&self, plain: &[&str], arguments: &[&str], lead: &Simple, is_passed_on: bool) -> Option<Vec<Action>> {
        let (order, operands) = plain.split_first()?;
        let files = || operands.iter().take(FILES).map(|path| self.file(path)).collect::<Vec<_>>();
        match *order {
            "rm" => Some(files().into_iter().map(|path| Action::Delete { path }).collect()),
            "mv" => moved(&files()),
            "apply" => patched(lead.document.as_deref()),
            "grep" if is_passed_on => Some(vec![self.search("git grep", arguments.split_first()?.1)?]),
            _ => None,
        }
    }
}

fn is_filter(simple: &Simple) -> bool {
    let Some((name, _)) = simple.words.first() else { return false };
    simple.output.is_none() && FILTERS.contains(&name.as_str()) || name == "wc"
}

/// The words before the command itself: variables, `timeout 60`, `time`, `env`, `sudo`.
fn wrapper_words(simple: &Simple) -> usize {
    let mut skipped = 0;
    let word = |at: usize| simple.words.get(at).map_or("", |(word, _)| word.as_str());
    loop {
        let name = word(skipped);
        let is_variable = name
            .split_once('=')
            .is_some_and(|(key, _)| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        skipped += match name {
            "timeout" | "gtimeout" => {
                let options = (1..4).take_while(|ahead| word(skipped + ahead).starts_with('-')).count();
                2 + options
            }
            "time" | "env" | "nohup" | "command" | "exec" | "stdbuf" | "sudo" => 1,
            _ if is_variable => 1,
            _ => return skipped.min(simple.words.len()),
        };
    }
}

fn patched(patch: Option<&str>) -> Option<Vec<Action>> {
    Some(read_patch(patch?)).filter(|actions| !actions.is_empty())
}

fn moved(files: &[String]) -> Option<Vec<Action>> {
    let (to, from) = files.split_last()?;
    let into_folder = from.len() > 1 || to.ends_with('/');
    let target = |from: &str| {
        if into_folder { format!("{}/{}", to.trim_end_matches('/'), from.rsplit('/').next().unwrap_or_default()) } else { to.clone() }
    };
    (!from.is_empty()).then(|| from.iter().map(|from| Action::Move { from: from.clone(), to: target(from) }).collect())
}

fn listed(name: &str, arguments: &[&str], files: &[String]) -> Option<Action> {
    if arguments.iter().any(|word| matches!(*word, "-exec" | "-delete" | "-execdir" | "-ok" | "-x" | "--exec")) {
        return None;
    }
    let mut path = if name == "find" {
        // What stands before the first test is where it looks.
        let places: Vec<&str> = arguments.iter().copied().take_while(|word| !word.starts_with(['-', '(', '!'])).collect();
        places.join(" ")
    } else {
        files.join(" ")
    };
    let named = arguments.iter().position(|word| matches!(*word, "-name" | "-iname" | "-path" | "-regex"));
    if let Some(pattern) = named.and_then(|at| arguments.get(at + 1)) {
        path = format!("{}/**/{pattern}", path.trim_end_matches('/'));
    }
    Some(Action::List { path: clip(if path.is_empty() { "." } else { &path }, COMMAND_CHARS) })
}

/// The page that `curl` or `wget` fetches; `None` when it sends something, or asks a server of its own.
fn fetched(arguments: &[&str]) -> Option<Action> {
    let sends = |word: &&str| {
        word.starts_with("-X")
            || word.starts_with("-d")
            || word.starts_with("--data")
            || matches!(*word, "-F" | "-T" | "--request" | "--form" | "--json")
    };
    let url = arguments.iter().find(|word| word.starts_with("http"))?;
    let is_local = url.contains("//localhost") || url.contains("//127.") || url.contains("//0.0.0.0");
    (!is_local && !arguments.iter().any(sends)).then(|| Action::Fetch { url: clip(url, COMMAND_CHARS) })
}

/// The command on one line, without what only shapes its output, its message by the first line.
fn essential(command: &str) -> String {
    let mut text = command.trim();
    let mut shortened = String::new();
    if let Some((before, rest)) = text.split_once("$(cat <<") {
        let message = rest.lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
        shortened = format!("{before}{}…\"", message.trim());
        text = &shortened;
    }
    let line = one_line(&clip(text, 4 * COMMAND_CHARS)).replace(" 2>&1", "").replace(" 2>/dev/null", "").replace(" >/dev/null", "");
    drop(shortened);
    clip(line.trim_end_matches([';', '&', ' ']), COMMAND_CHARS + ROOM_CHARS)
}

#[cfg(test)]
mod tests;
