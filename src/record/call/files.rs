//! What a call does to files: reads, writes, edits, deletes and moves, told by the names of its fields.
//! Not shell lines and searches (see `call`).

use crate::clip::clip;
use crate::json::Value;
use crate::record::action::{Action, text_of};
use crate::record::call::{FIELD_CHARS, text_at};
use crate::record::patch::read_patch;

/// Keys under which tools name the file they work on, surest first.
pub const PATH_KEYS: [&str; 14] = [
    "file_path",
    "filePath",
    "absolute_path",
    "absolutePath",
    "target_file",
    "notebook_path",
    "path",
    "file",
    "filename",
    "fileName",
    "file_name",
    "relative_path",
    "relative_workspace_path",
    "TargetFile",
];
/// Keys of the text that is replaced.
const OLD_KEYS: [&str; 8] = ["old_string", "oldString", "old_str", "oldText", "old_text", "search", "target", "old"];
/// Keys of the text that comes instead.
const NEW_KEYS: [&str; 10] =
    ["new_string", "newString", "new_str", "newText", "new_text", "replace", "replacement", "replacement_text", "insert_text", "new"];
/// Keys of the whole text of a file.
const CONTENT_KEYS: [&str; 9] = ["content", "contents", "file_text", "file_content", "text", "code_edit", "new_source", "body", "data"];
/// Files of one call.
const FILES: usize = 40;

/// What a call does to files; empty when it does nothing to any.
pub fn file_actions(name: &str, input: &Value) -> Vec<Action> {
    let path = text_at(input, &PATH_KEYS).map(|path| clip(path.trim(), FIELD_CHARS));
    if let Some(patch) =
        text_at(input, &["patchText", "patch_text", "patch", "diff", "input", "command"]).filter(|text| looks_like_patch(text))
    {
        let mut actions = read_patch(patch);
        // A block may leave the file to the call.
        for action in &mut actions {
            if let (Action::Edit { path: own, .. } | Action::Create { path: own, .. }, Some(path)) = (action, &path)
                && own.is_empty()
            {
                own.clone_from(path);
            }
        }
        if !actions.is_empty() {
            return actions;
        }
    }
    // Editors that do several things say by a command which.
    let order = text_at(input, &["command", "operation", "type"]).unwrap_or_default();
    let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if let Some(path) = &path
        && let Some(actions) = by_order(order, path, input)
    {
        return actions;
    }
    if named(&["move", "rename"])
        && let (Some(from), Some(to)) = (
            text_at(input, &["source", "from", "old_path", "oldPath", "source_path", "src"]),
            text_at(input, &["destination", "to", "new_path", "newPath", "target_path", "dest"]),
        )
    {
        return vec![Action::Move { from: clip(from, FIELD_CHARS), to: clip(to, FIELD_CHARS) }];
    }
    if let Some(edits) = edits(path.as_deref().unwrap_or_default(), input) {
        return edits;
    }
    let Some(path) = path else { return several_read(name, input) };
    let content = text_at(input, &CONTENT_KEYS).or_else(|| CONTENT_KEYS.iter().find_map(|key| input.get(key)?.as_str()));
    if named(&["delete", "remove", "unlink"]) {
        return vec![Action::Delete { path }];
    }
    if named(&["write", "create", "save", "put", "append", "insert", "edit", "update", "notebook", "newfile", "replace"])
        && !named(&["read", "directory"])
    {
        let is_added =
            named(&["append", "insert", "edit", "update", "replace"]) || input.get("append").is_some_and(|flag| *flag == Value::Bool(true));
        let new = content.map(text_of).unwrap_or_default();
        return vec![if is_added { Action::Edit { path, old: String::new(), new } } else { Action::Create { path, new } }];
    }
    let lists = named(&["list", "glob", "grep", "search", "find", "tree", "dir"]) || matches!(name, "ls" | "rg");
    let reads = named(&["read", "view", "open", "cat", "show", "load", "getfile", "filecontent"]) || name == "get";
    let has_query = text_at(input, &["pattern", "query", "regex", "search_term"]).is_some();
    if lists && !reads || has_query {
        return Vec::new();
    }
    let names_file = PATH_KEYS.iter().filter(|key| !matches!(**key, "path" | "file_name")).any(|key| input.get(key).is_some());
    match content {
        Some(new) if !reads => vec![Action::Create { path, new: text_of(new) }],
        _ if reads || names_file => vec![Action::Read { path, lines: lines_at(input) }],
        _ => Vec::new(),
    }
}

fn looks_like_patch(text: &str) -> bool {
    text.contains("*** Begin Patch") || text.contains("*** Update File: ") || text.contains("<<<<<<< SEARCH") || text.contains("\n+++ ")
}

/// Editors such as `str_replace_editor`: `view`, `create`, `str_replace`, `insert`, `delete`, `rename`.
fn by_order(order: &str, path: &str, input: &Value) -> Option<Vec<Action>> {
    let path = path.to_owned();
    let new = || text_at(input, &NEW_KEYS).or_else(|| text_at(input, &CONTENT_KEYS)).map(text_of).unwrap_or_default();
    Some(vec![match order {
        "view" => Action::Read { path, lines: lines_at(input) },
        "create" | "create_file" => Action::Create { path, new: new() },
        "str_replace" => Action::Edit { path, old: text_at(input, &OLD_KEYS).map(text_of).unwrap_or_default(), new: new() },
        "insert" => Action::Edit { path, old: String::new(), new: new() },
        "delete" | "delete_file" => Action::Delete { path },
        "rename" => Action::Move { from: path, to: clip(text_at(input, &["new_path", "newPath", "to"])?, FIELD_CHARS) },
        "undo_edit" => Action::Edit { path, old: String::new(), new: String::new() },
        "update_file" => {
            return input
                .get("diff")
                .and_then(Value::as_str)
                .map(|diff| vec![Action::Edit { path, old: String::new(), new: text_of(diff) }]);
        }
        _ => return None,
    }])
}

/// One edit, or a list of them.
fn edits(path: &str, input: &Value) -> Option<Vec<Action>> {
    if let Some(Value::List(edits)) = ["edits", "replacements", "changes"].iter().find_map(|key| input.get(key)) {
        let own = |edit: &Value| text_at(edit, &PATH_KEYS).map_or(path.to_owned(), |own| clip(own, FIELD_CHARS));
        let each = edits.iter().take(FILES).filter_map(|edit| one_edit(own(edit), edit)).collect::<Vec<_>>();
        return (!each.is_empty()).then_some(each);
    }
    Some(vec![one_edit(path.to_owned(), input)?])
}

fn one_edit(path: String, input: &Value) -> Option<Action> {
    let old = OLD_KEYS.iter().find_map(|key| input.get(key)?.as_str());
    let new = NEW_KEYS.iter().find_map(|key| input.get(key)?.as_str())?;
    match old {
        // Where the text to be replaced is empty, the file is made.
        Some("") if !path.is_empty() => Some(Action::Create { path, new: text_of(new) }),
        Some(old) => Some(Action::Edit { path, old: text_of(old), new: text_of(new) }),
        None if !path.is_empty() => Some(Action::Edit { path, old: String::new(), new: text_of(new) }),
        None => None,
    }
}

/// Several files at once.
fn several_read(name: &str, input: &Value) -> Vec<Action> {
    let list = ["paths", "files", "file_paths", "filePaths"].iter().find_map(|key| input.get(key));
    let (Some(Value::List(paths)), true) = (list, name.contains("read") || name.contains("view")) else { return Vec::new() };
    let path = |item: &Value| item.as_str().map(str::to_owned).or_else(|| text_at(item, &PATH_KEYS).map(str::to_owned));
    paths.iter().take(FILES).filter_map(path).map(|path| Action::Read { path: clip(&path, FIELD_CHARS), lines: None }).collect()
}

/// The lines that a call names: `offset` and `limit`, `view_range`, or first and last.
pub fn lines_at(input: &Value) -> Option<(u32, u32)> {
    let number = |keys: &[&str]| keys.iter().find_map(|key| input.get(key)?.scalar_text().parse::<u32>().ok());
    if let Some(Value::List(range)) = ["view_range", "line_range", "range"].iter().find_map(|key| input.get(key)) {
        let first = range.first()?.scalar_text().parse().ok()?;
        return Some((first, range.get(1).and_then(|last| last.scalar_text().parse().ok()).unwrap_or(u32::MAX)));
    }
    let last = number(&["end_line", "endLine", "end_line_one_indexed", "last_line", "end"]);
    if let Some(first) = number(&["start_line", "startLine", "start_line_one_indexed", "first_line", "line_start", "start"]) {
        return Some((first, last.unwrap_or(u32::MAX)));
    }
    let (offset, limit) = (number(&["offset"]), number(&["limit", "num_lines"]));
    match (offset, limit) {
        (None, None) => None,
        (offset, limit) => {
            let first = offset.unwrap_or(1).max(1);
            Some((first, limit.map_or(u32::MAX, |limit| first.saturating_add(limit.saturating_sub(1)))))
        }
    }
}
