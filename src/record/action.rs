//! What calls do, whatever a harness names its tools. Not how that is read from a call (see `call`).

use crate::clip::{ROOM_CHARS, clean_within, clip, one_line};
use crate::record::plan::PlanChange;

/// Longest text of an action, in characters: more of a written file is not told anyway.
const TEXT_CHARS: usize = 8_000;
/// Longest line about an action, in characters.
const LINE_CHARS: usize = 160;
/// Characters of the old and of the new text of an edit in its line.
const EXCERPT_CHARS: usize = 60;
/// Characters of the old and of the new text in which it is looked where they differ.
const CHANGE_CHARS: usize = 4_000;

/// A text as an action keeps it. May hold secrets, as actions may: they leave on the way into a record or a text.
pub fn text_of(text: &str) -> String {
    clip(text, TEXT_CHARS)
}

/// Whether two paths name the same file, as far as they tell: one of them may be absolute and the other relative.
pub fn same_file(one: &str, other: &str) -> bool {
    fn trimmed(path: &str) -> &str {
        path.trim_start_matches("./").trim_end_matches('/')
    }
    let (one, other) = (trimmed(one), trimmed(other));
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    !short.is_empty() && long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/') && !short.starts_with('/'))
}

/// What one call does. A call may do several things: a patch of three files, a shell line with two reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads a file, or lines of it.
    Read {
        /// The file.
        path: String,
        /// First and last line, when the call names them.
        lines: Option<(u32, u32)>,
    },
    /// Searches in files.
    Search {
        /// What for.
        what: String,
        /// Where; empty when the call does not say.
        path: String,
    },
    /// Lists files.
    List {
        /// Where, or by which pattern.
        path: String,
    },
    /// Writes a whole file.
    Create {
        /// The file.
        path: String,
        /// What it holds now.
        new: String,
    },
    /// Changes a part of a file.
    Edit {
        /// The file.
        path: String,
        /// What was replaced; empty where text was only added.
        old: String,
        /// What stands there now; empty where text was only removed.
        new: String,
    },
    /// Deletes a file.
    Delete {
        /// The file.
        path: String,
    },
    /// Moves or renames a file.
    Move {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// Runs a command.
    Run {
        /// The command without what only leads to it.
        command: String,
    },
    /// Fetches a page.
    Fetch {
        /// Its address.
        url: String,
    },
    /// Asks a search engine.
    Query {
        /// What for.
        text: String,
        /// It searches the web, as its name says, and not pages of its own.
        is_web: bool,
    },
    /// Changes the plan.
    Plan(PlanChange),
    /// Hands a task to another agent.
    Delegate {
        /// The task.
        task: String,
    },
    /// Waits for something that runs already, or asks how it is.
    Wait,
    /// Anything else.
    Other {
        /// The inputs that say what it is about, in a few words.
        about: String,
    },
}

impl Action {
    /// The file it is about, if it is about one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Action::Read { path, .. }
            | Action::Create { path, .. }
            | Action::Edit { path, .. }
            | Action::Delete { path }
            | Action::Move { to: path, .. } => Some(path),
            _ => None,
        }
    }

    /// Whether it changes a file.
    pub fn writes(&self) -> bool {
        matches!(self, Action::Create { .. } | Action::Edit { .. } | Action::Delete { .. } | Action::Move { .. })
    }

    /// What it does in one line, without secrets, such as `read src/a.rs lines 1–40`.
    pub fn line(&self) -> String {
        let line = match self {
            Action::Read { path, lines: Some((first, last)) } => format!("read {path} lines {first}–{last}"),
            Action::Read { path, lines: None } => format!("read {path}"),
            Action::Search { what, path } if path.is_empty() => format!("searched `{what}`"),
            Action::Search { what, path } => format!("searched `{what}` in {path}"),
            Action::List { path } => format!("listed {path}"),
            Action::Create { path, .. } => format!("wrote {path}"),
            Action::Edit { path, old, new } if old.is_empty() && new.is_empty() => format!("edited {path}"),
            Action::Edit { path, old, new } => format!("edited {path}: {}", change(old, new)),
            Action::Delete { path } => format!("deleted {path}"),
            Action::Move { from, to } => format!("moved {from} to {to}"),
            Action::Run { command } => format!("ran `{command}`"),
            Action::Fetch { url } => format!("fetched {url}"),
            Action::Query { text, is_web } => format!("searched{} for \"{text}\"", if *is_web { " the web" } else { "" }),
            Action::Plan(_) => "changed the plan".to_owned(),
            Action::Delegate { task } => format!("handed on: {task}"),
            Action::Wait => "waited".to_owned(),
            Action::Other { about } => about.clone(),
        };
        clean_within(&clip(&one_line(&clip(&line, 4 * LINE_CHARS)), LINE_CHARS + ROOM_CHARS), LINE_CHARS)
    }
}

/// What was replaced by what, in a few words of each: where the two differ.
pub fn change(old: &str, new: &str) -> String {
    let (old, new) = (one_line(&clip(old, CHANGE_CHARS)), one_line(&clip(new, CHANGE_CHARS)));
    let (head, tail) = common(&old, &new);
    // A few words before the place where they part tell where that is.
    let from = if head > EXCERPT_CHARS / 2 { word_before(&old, head - EXCERPT_CHARS / 4) } else { 0 };
    let part = |text: &str| {
        let (begin, end) = (if from > 0 { "…" } else { "" }, text.len() - tail);
        let excerpt = clip(text.get(from..end).unwrap_or_default().trim(), EXCERPT_CHARS);
        let is_cut = tail > 0 && !excerpt.ends_with('…');
        format!("`{begin}{excerpt}{}`", if is_cut { " …" } else { "" })
    };
    let (is_added, is_removed) = (head + tail >= old.len(), head + tail >= new.len());
    match (is_added, is_removed) {
        (true, true) => String::new(),
        (true, _) => format!("added {}", part(&new)),
        (_, true) => format!("removed {}", part(&old)),
        _ => format!("{} → {}", part(&old), part(&new)),
    }
}

/// How many bytes at the beginning and at the end two texts share, in whole words. A short end is shared by none: it is told.
fn common(old: &str, new: &str) -> (usize, usize) {
    let same = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    let is_whole = same == old.len() && (new.len() == same || new.as_bytes().get(same) == Some(&b' '));
    let is_whole = is_whole || same == new.len() && old.as_bytes().get(same) == Some(&b' ');
    let head = if is_whole { same } else { word_before(old, same) };
    let rest = old.len().min(new.len()) - head;
    let same = old.bytes().rev().zip(new.bytes().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let at = old.len() - same;
    let tail = old.get(at..).and_then(|end| end.find(' ')).map_or(0, |space| same - space);
    let is_all = head + same >= old.len() || head + same >= new.len();
    (head, if is_all || tail > EXCERPT_CHARS / 2 { if is_all && old.is_char_boundary(at) { same } else { tail } } else { 0 })
}

/// The beginning of the word that stands at a place, or before it.
fn word_before(text: &str, at: usize) -> usize {
    let begins = |at: &usize| text.is_char_boundary(*at) && text.as_bytes().get(at.wrapping_sub(1)).is_none_or(|byte| *byte == b' ');
    (0..=at).rev().find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_the_same_when_one_ends_with_the_other() {
        for (one, other, same) in [
            ("src/a.rs", "/home/x/src/a.rs", true),
            ("./a.rs", "a.rs", true),
            ("a.rs", "src/aa.rs", false),
            ("", "a", false),
            ("/a.rs", "/x/a.rs", false),
            ("ä/b", "/ä/b", true),
        ] {
            assert_eq!(same_file(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn an_action_is_told_in_one_line_without_secrets() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let run = Action::Run { command: format!("DB_PASSWORD={secret} cargo\ntest") };
        assert_eq!(run.line(), "ran `DB_PASSWORD=[redacted] cargo test`");
        let edit = |old: &str, new: &str| Action::Edit { path: "a".into(), old: old.into(), new: new.into() }.line();
        assert_eq!(edit("x = 1", "x = 2"), "edited a: `x = 1` → `x = 2`");
        assert_eq!(edit("", "x"), "edited a: added `x`");
        assert_eq!(edit("keep this", "keep this and that"), "edited a: added `keep this and that`");
        let tail = "the same words stand behind the place where these two part";
        assert_eq!(edit(&format!("one {tail}"), &format!("other {tail}")), "edited a: `one …` → `other …`");
        assert_eq!(edit(&format!("one two {tail}"), &format!("one {tail}")), "edited a: removed `one two …`");
        let long = "the same words stand before the place where these two ";
        assert!(edit(&format!("{long}part"), &format!("{long}differ")).ends_with("two part` → `…where these two differ`"));
        assert!(Action::Read { path: "ü".repeat(9_000), lines: None }.line().chars().count() <= LINE_CHARS + 1);
    }
}
