//! Which files a patch changes, and how: the form of `apply_patch`, unified diffs, and SEARCH/REPLACE blocks.
//! Not whether it was applied: that says its result.

use crate::record::action::{Action, text_of};

/// Files that are read of one patch.
const FILES: usize = 200;
/// Lines that stand between the changes of one file.
pub const BETWEEN: &str = "…\n";

/// What a patch does, file by file; empty when the text is none.
pub fn read_patch(text: &str) -> Vec<Action> {
    if text.contains("*** Begin Patch") || text.contains("*** Update File: ") || text.contains("*** Add File: ") {
        return read_envelope(text);
    }
    if text.contains("<<<<<<< SEARCH") {
        return read_blocks(text);
    }
    read_diff(text)
}

/// What a file loses and gains.
#[derive(Default)]
struct Change {
    old: String,
    new: String,
    /// Whether lines stand between the last change and this one.
    gap: bool,
}

impl Change {
    fn line(&mut self, line: &str) {
        let (is_old, is_new, rest) = match line.split_at_checked(1) {
            Some(("-", rest)) => (true, false, rest),
            Some(("+", rest)) => (false, true, rest),
            Some((" ", rest)) => (true, true, rest),
            None => (true, true, ""),
            Some(_) => {
                self.gap = true;
                return;
            }
        };
        // Both sides have the same marks, so that the changes of a file can be told apart.
        if std::mem::take(&mut self.gap) && !(self.old.is_empty() && self.new.is_empty()) {
            self.old.push_str(BETWEEN);
            self.new.push_str(BETWEEN);
        }
        for (side, _) in [(&mut self.old, is_old), (&mut self.new, is_new)].into_iter().filter(|(_, takes)| *takes) {
            side.push_str(rest);
            side.push('\n');
        }
    }

    /// Whether anything is replaced.
    fn is_none(&self) -> bool {
        self.old == self.new
    }

    fn edit(&mut self, path: &str) -> Action {
        let change = std::mem::take(self);
        let mut sides = [change.old, change.new];
        // Lines that only leave take their end with them.
        if sides.iter().all(|side| !side.is_empty()) {
            for side in &mut sides {
                side.pop();
            }
        }
        let [old, new] = sides;
        Action::Edit { path: text_of(path), old: text_of(&old), new: text_of(&new) }
    }
}

/// The form of Codex: `*** Add File: `, `*** Update File: `, `*** Move to: `, `*** Delete File: `.
fn read_envelope(text: &str) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut change = Change::default();
    // The file at hand, and whether it is new.
    let mut file: Option<(&str, bool)> = None;
    let close = |file: &mut Option<(&str, bool)>, change: &mut Change, actions: &mut Vec<Action>| match file.take() {
        Some((path, true)) => {
            let new = std::mem::take(change).new;
            actions.push(Action::Create { path: text_of(path), new: text_of(new.trim_end()) });
        }
        Some((path, false)) if !change.is_none() => actions.push(change.edit(path)),
        _ => *change = Change::default(),
    };
    for line in text.lines() {
        if actions.len() >= FILES {
            break;
        }
        let Some(order) = line.trim_start().strip_prefix("*** ") else {
            change.line(line);
            continue;
        };
        if let Some(to) = order.strip_prefix("Move to: ") {
            if let Some((from, _)) = file {
                actions.push(Action::Move { from: text_of(from), to: text_of(to.trim()) });
                file = Some((to.trim(), false));
            }
            continue;
        }
        close(&mut file, &mut change, &mut actions);
        if let Some(path) = order.strip_prefix("Add File: ") {
            file = Some((path.trim(), true));
        } else if let Some(path) = order.strip_prefix("Update File: ") {
            file = Some((path.trim(), false));
        } else if let Some(path) = order.strip_prefix("Delete File: ") {
            actions.push(Action::Delete { path: text_of(path.trim()) });
        }
    }
    close(&mut file, &mut change, &mut actions);
    actions
}

/// A unified diff, as `git diff` writes it.
fn read_diff(text: &str) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut change = Change::default();
    let mut file: Option<(String, String)> = None;
    let mut in_hunk = false;
    let close = |file: &mut Option<(String, String)>, change: &mut Change, actions: &mut Vec<Action>| {
        let Some((from, to)) = file.take() else { return };
        let action = match (from.as_str(), to.as_str()) {
            (_, "/dev/null") => Action::Delete { path: from },
            ("/dev/null", _) => Action::Create { path: to, new: text_of(std::mem::take(change).new.trim_end()) },
            _ => change.edit(&to),
        };
        *change = Change::default();
        actions.push(action);
    };
    let mut before = "";
    for line in text.lines() {
        if actions.len() >= FILES {
            break;
        }
        match (before.strip_prefix("--- "), line.strip_prefix("+++ ")) {
            (Some(from), Some(to)) => {
                // The line before was taken for a removed one if a hunk stood before it.
                close(&mut file, &mut change, &mut actions);
                file = Some((diff_path(from), diff_path(to)));
                in_hunk = false;
            }
            _ if line.starts_with("@@") => {
                in_hunk = file.is_some();
                change.gap = true;
            }
            _ if line.starts_with("diff --git ") => {
                close(&mut file, &mut change, &mut actions);
                in_hunk = false;
            }
            _ if in_hunk && !line.starts_with("--- ") => change.line(line),
            _ => {}
        }
        before = line;
    }
    close(&mut file, &mut change, &mut actions);
    actions
}

/// The path in a line `--- a/path` or `+++ b/path<tab>date`.
fn diff_path(path: &str) -> String {
    let path = path.split('\t').next().unwrap_or_default().trim().trim_matches('"');
    text_of(path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path))
}

/// Blocks as aider and Cline write them: a path, then `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`.
pub fn read_blocks(text: &str) -> Vec<Action> {
    #[derive(PartialEq)]
    enum At {
        Outside,
        Old,
        New,
    }
    let mut actions = Vec::new();
    let (mut at, mut path) = (At::Outside, String::new());
    let (mut old, mut new) = (String::new(), String::new());
    for line in text.lines() {
        let line = line.trim_end_matches('\r');
        match at {
            At::Outside if line.starts_with("<<<<<<< SEARCH") => at = At::Old,
            At::Outside => {
                // The last line that looks like a path names the file; a block that follows another may name none.
                let name = line.trim().trim_matches(['`', '*', '#', ':', ' ']);
                if !name.is_empty() && !name.contains(' ') && name.contains(['.', '/']) && name.len() < 256 {
                    path = name.to_owned();
                }
            }
            At::Old if line.starts_with("=======") => at = At::New,
            At::New if line.starts_with(">>>>>>> REPLACE") => {
                let (was, is) = (text_of(old.trim_end()), text_of(new.trim_end()));
                let made = if was.is_empty() {
                    Action::Create { path: path.clone(), new: is }
                } else {
                    Action::Edit { path: path.clone(), old: was, new: is }
                };
                actions.push(made);
                (old, new, at) = (String::new(), String::new(), At::Outside);
                if actions.len() >= FILES {
                    break;
                }
            }
            At::Old => old.extend([line, "\n"]),
            At::New => new.extend([line, "\n"]),
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let flat = |text: &str| text.replace('\n', "/");
        let each = read_patch(text).into_iter().map(|action| match action {
            Action::Create { path, new } => format!("create {path} {}", flat(&new)),
            Action::Edit { path, old, new } => format!("edit {path} {} > {}", flat(&old), flat(&new)),
            Action::Delete { path } => format!("delete {path}"),
            Action::Move { from, to } => format!("move {from} {to}"),
            other => format!("{other:?}"),
        });
        each.collect()
    }

    #[test]
    fn a_patch_of_codex_names_its_files_and_changes() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@ fn a\n-old\n+new\n keep\n-x\n+y\n*** Add File: b.md\n+# B\n+\n+text\n*** Delete File: c\n\
            *** Update File: d\n*** Move to: e\n@@\n-1\n+2\n*** End Patch";
        assert_eq!(told(patch), ["edit src/a.rs old/keep/x > new/keep/y", "create b.md # B//text", "delete c", "move d e", "edit e 1 > 2"]);
    }

    #[test]
    fn a_unified_diff_names_its_files_and_changes() {
        let diff = "diff --git a/x.py b/x.py\nindex 1..2\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n\
            --- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+born\n";
        assert_eq!(told(diff), ["edit x.py a/b > a/c", "delete n", "create m born"]);
    }

    #[test]
    fn search_and_replace_blocks_name_their_files() {
        let text = "Here:\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n\n`b.md`\n```\n<<<<<<< SEARCH\n=======\nfresh\n>>>>>>> REPLACE\n```\n";
        assert_eq!(told(text), ["edit src/a.py old > new", "create b.md fresh"]);
    }

    #[test]
    fn what_is_no_patch_does_nothing() {
        for text in
            ["", "hello", "--- a\n+++", "<<<<<<< SEARCH\nnever ended", "*** Begin Patch\n*** End Patch", "*** Update File: \n*** Move to: "]
        {
            assert!(told(text).iter().all(|line| line.starts_with("move")), "{text}");
        }
        assert!(read_patch(&"*** Add File: a\n+x\n".repeat(5_000)).len() <= FILES + 1);
    }
}
