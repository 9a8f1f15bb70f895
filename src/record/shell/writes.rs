//! The files that a script in another language writes, and what `sed -i` changes.
//! By the few forms that models use; what else a script writes is not seen.

use crate::record::action::{Action, text_of};

/// Longest path.
const PATH_BYTES: usize = 300;

/// What `sed -i` replaces by what in these files. `words` are its words without options, the first of which is its script.
pub fn sed_edit(words: &[&str], files: &[String]) -> Vec<Action> {
    let script = words.iter().position(is_sed_script).unwrap_or(0);
    let (old, new) = words.get(script).map_or((String::new(), String::new()), |script| replaced(script));
    let edit = |path: &String| Action::Edit { path: path.clone(), old: old.clone(), new: new.clone() };
    files.iter().skip(script + 1).map(edit).collect()
}

fn is_sed_script(word: &&str) -> bool {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '$'));
    (rest.len() > 1 || rest.len() < word.len()) && rest.starts_with(['s', 'd', 'a', 'i', 'c', '/'])
}

/// Old and new of `s/old/new/`, with any separator.
fn replaced(script: &str) -> (String, String) {
    let rest = script.trim_start_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '$' | ' '));
    let sides = rest.strip_prefix('s').and_then(|rest| {
        let separator = rest.chars().next().filter(|sign| !sign.is_ascii_alphanumeric())?;
        let mut sides = rest.get(separator.len_utf8()..)?.split(separator);
        Some((text_of(sides.next()?), text_of(sides.next()?)))
    });
    sides.unwrap_or_else(|| (String::new(), text_of(script)))
}

/// The files that a script of Python or JavaScript writes: `open("x", "w")`, `Path("x")` with `.write_text(`, `writeFileSync("x"`.
pub fn written_by_script(script: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |path: Option<&str>| {
        if let Some(path) = path.filter(|path| !path.is_empty() && path.len() <= PATH_BYTES && !found.iter().any(|known| known == path)) {
            found.push(path.to_owned());
        }
    };
    let writes_text = script.contains(".write_text(") || script.contains(".write_bytes(");
    for line in script.lines().take(2_000) {
        for (opening, must_write) in [("open(", true), ("writeFileSync(", false), ("writeFile(", false)] {
            for (at, _) in line.match_indices(opening).take(4) {
                let rest = &line[at + opening.len()..];
                let Some((path, behind)) = literal(rest) else { continue };
                let mode = behind.trim_start().strip_prefix(',').map(str::trim_start).and_then(literal);
                if !must_write || mode.is_some_and(|(mode, _)| mode.starts_with(['w', 'a', 'x'])) {
                    add(Some(path));
                }
            }
        }
        if writes_text && let Some((_, rest)) = line.split_once("Path(") {
            add(literal(rest).map(|(path, _)| path));
        }
    }
    found
}

/// A text in quotes at the beginning, and what stands behind it.
fn literal(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|sign| matches!(sign, '"' | '\'' | '`'))?;
    text.get(1..)?.split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_scripts_write_are_found() {
        for (script, expected) in [
            ("p = Path('src/a.py')\ns = p.read_text()\np.write_text(s)", vec!["src/a.py"]),
            ("Path('a').read_text()", vec![]),
            ("with open(\"x.txt\", 'w') as f: pass\nopen('y')\nopen('z', 'rb')", vec!["x.txt"]),
            ("fs.writeFileSync('out.json', x); open(", vec!["out.json"]),
        ] {
            assert_eq!(written_by_script(script), expected, "{script}");
        }
    }

    #[test]
    fn an_edit_of_sed_says_what_it_replaces() {
        let told = |words: &[&str]| {
            let files: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            sed_edit(words, &files).into_iter().map(|action| format!("{action:?}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told(&["s|a|b|g", "x"]), r#"Edit { path: "x", old: "a", new: "b" }"#);
        assert_eq!(told(&["", "3,5d", "x"]), r#"Edit { path: "x", old: "", new: "3,5d" }"#);
    }
}
