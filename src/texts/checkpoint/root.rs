//! The folder that most files of a record are in: named once, so that paths below it can be told with a mark in its place. Relative paths
//! stay what they are: which folder they are relative to is not known.
//! Only in what we write of calls; the user's words and the lines of files stay as they are.

use crate::record::work::Record;

/// A root that fewer files share, or that is shorter, saves nothing worth a line.
const LEAST_FILES: usize = 3;
const LEAST_BYTES: usize = 12;
/// Stands in place of the folder.
pub const MARK: &str = "…/";
/// Paths, newest first, whose folders are tried.
const TRIED: usize = 8;

/// The folder below which more than half of the absolute paths of files are; empty where there is none.
pub fn root_of(record: &Record) -> String {
    let paths: Vec<&str> = record.files.iter().map(|file| file.path.as_str()).filter(|path| path.starts_with('/')).collect();
    let most = |folder: &str| {
        let below = paths.iter().filter(|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))).count();
        below >= LEAST_FILES && below * 2 > paths.len()
    };
    // Any path that is below such a folder will do to find it.
    let root =
        paths.iter().rev().take(TRIED).find_map(|path| {
            path.rmatch_indices('/').map(|(at, _)| &path[..at]).find(|folder| folder.len() >= LEAST_BYTES && most(folder))
        });
    root.unwrap_or_default().to_owned()
}

/// A text with the mark in place of the root; `titles_only` leaves lines alone that begin with anything else.
pub fn below(root: &str, text: String, titles_only: bool) -> String {
    if root.is_empty() || !text.contains(root) {
        return text;
    }
    let folder = format!("{root}/");
    let line_below = |line: &str| {
        if titles_only {
            return line.strip_prefix(folder.as_str()).map_or_else(|| line.to_owned(), |rest| format!("{MARK}{rest}"));
        }
        let mut shortened = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find(&folder) {
            // A longer path that holds the root is another one.
            let is_within =
                rest[..at].bytes().last().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'/'));
            shortened.push_str(&rest[..if is_within { at + folder.len() } else { at }]);
            shortened.push_str(if is_within { "" } else { MARK });
            rest = &rest[at + folder.len()..];
        }
        shortened + rest
    };
    text.split('\n').map(line_below).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::work::FileWork;

    #[test]
    fn the_folder_of_most_files_is_left_out_of_paths() {
        let file = |path: &str| FileWork { path: path.to_owned(), ..FileWork::default() };
        let files = ["/home/me/work/app/src/a.rs", "/home/me/work/app/src/b.rs", "/home/me/work/app/c.md", "/etc/hosts"].map(file);
        let record = Record { files: files.to_vec(), ..Record::default() };
        let root = root_of(&record);
        assert_eq!(root, "/home/me/work/app");
        let text = "ran `cat /home/me/work/app/c.md /mnt/home/me/work/app/c.md`\n  x /home/me/work/app/y";
        assert_eq!(below(&root, text.to_owned(), false), "ran `cat …/c.md /mnt/home/me/work/app/c.md`\n  x …/y");
        assert_eq!(below(&root, format!("/home/me/work/app/c.md:\n{text}"), true), format!("…/c.md:\n{text}"));
        assert_eq!(root_of(&Record { files: vec![file("/a/b")], ..Record::default() }), "");
    }
}
