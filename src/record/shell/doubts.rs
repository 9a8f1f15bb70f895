//! Which files a command may change without saying how: formatters, `git checkout`, scripts in another language, package managers.
//! By their names and flags; what any other program writes is not seen.

use crate::record::action::Action;
use crate::record::shell::words::Simple;
use crate::record::shell::writes::written_by_script;

/// Longest path.
const PATH_BYTES: usize = 300;
/// Programs and tasks that write files anew.
const FORMATTERS: [&str; 22] = [
    "fmt",
    "format",
    "prettier",
    "gofmt",
    "gofumpt",
    "goimports",
    "rustfmt",
    "black",
    "isort",
    "autopep8",
    "yapf",
    "codemod",
    "jscodeshift",
    "biome",
    "dprint",
    "swiftformat",
    "codegen",
    "ruff",
    "eslint",
    "clippy",
    "patch",
    "applypatch",
];
/// Of these only with a flag that says so.
const WITH_FLAG: [&str; 7] = ["prettier", "gofmt", "goimports", "ruff", "eslint", "clippy", "biome"];
const WRITING_FLAGS: [&str; 7] = ["-w", "-i", "--fix", "--write", "--in-place", "--apply", "-pi"];
const CHECKING_FLAGS: [&str; 5] = ["--check", "--diff", "-l", "--list-different", "--dry-run"];
/// Orders of `git` that write files of the work tree.
const GIT_ORDERS: [&str; 15] = [
    "checkout",
    "switch",
    "restore",
    "reset",
    "stash",
    "merge",
    "rebase",
    "pull",
    "cherry-pick",
    "revert",
    "apply",
    "am",
    "clean",
    "bisect",
    "read-tree",
];
/// What package managers write.
const MANIFESTS: [(&str, &[&str]); 5] = [
    ("npm pnpm yarn bun", &["package.json"]),
    ("cargo", &["Cargo.toml", "Cargo.lock"]),
    ("go", &["go.mod", "go.sum"]),
    ("uv poetry pdm", &["pyproject.toml"]),
    ("composer", &["composer.json"]),
];
const MANIFEST_ORDERS: [&str; 12] =
    ["install", "i", "add", "remove", "uninstall", "update", "upgrade", "version", "get", "mod", "init", "rm"];
/// Signs that a script writes files, and that it finds out itself which.
const WRITES: [&str; 12] = [
    ".write",
    "write_text",
    "write_bytes",
    "writeFile",
    "open(",
    "'w'",
    "\"w\"",
    "fileinput",
    "shutil",
    "os.rename",
    "os.replace",
    "renameSync",
];
const CHOOSES: [&str; 8] = ["glob", "os.walk", "listdir", "readdir", "argv", "iterdir", "subprocess", "execSync"];
const INTERPRETERS: [&str; 9] = ["python", "python3", "node", "ruby", "perl", "deno", "bun", "php", "tsx"];

fn any() -> Action {
    Action::MayChange { path: String::new() }
}

/// The files that a simple command may change; `words` are its words without what stands before its name.
pub fn doubts(words: &[&str], simple: &Simple, file: &dyn Fn(&str) -> String) -> Vec<Action> {
    let Some((path, arguments)) = words.split_first() else { return Vec::new() };
    let name = path.rsplit('/').next().unwrap_or_default();
    if matches!(name, "npx" | "bunx" | "uvx" | "pnpx") || name.starts_with("python") && arguments.first() == Some(&"-m") {
        let skipped = arguments.iter().take_while(|word| word.starts_with('-')).count();
        return doubts(arguments.get(skipped..).unwrap_or_default(), simple, file);
    }
    let has = |flags: &[&str]| arguments.iter().any(|word| flags.iter().any(|flag| word == flag));
    let plain: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let named = || plain.iter().map(|path| Action::MayChange { path: file(path) }).collect::<Vec<_>>();
    let looks_like_file = |word: &&&str| word.contains(['.', '/']) && !word.contains([' ', '*']) && **word != "." && !word.ends_with('/');
    let files = || {
        let files: Vec<_> = plain.iter().filter(looks_like_file).map(|path| Action::MayChange { path: file(path) }).collect();
        if files.is_empty() { vec![any()] } else { files }
    };
    if name == "git" {
        return git_doubts(&plain, arguments, file);
    }
    if INTERPRETERS.contains(&name) {
        let script = simple.document.as_deref().or_else(|| {
            let at = arguments.iter().position(|word| matches!(*word, "-c" | "-e" | "--eval" | "-p"))?;
            arguments.get(at + 1).copied()
        });
        let edits_in_place =
            name == "perl" && arguments.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('i'));
        return if edits_in_place { files() } else { script.map_or(Vec::new(), |script| script_doubts(script, file)) };
    }
    let mentions = |words: &[&str]| arguments.iter().any(|argument| words.iter().any(|word| argument.contains(word)));
    match name {
        "cp" | "install" | "ln" | "rsync" | "tee" | "sd" | "dd" | "truncate" => return named(),
        "xargs" | "find" | "fd" | "parallel" | "bash" | "sh" | "zsh" | "eval"
            if has(&["-i", "-delete", "rm", "mv"])
                || mentions(&["sed -i", "perl -", "-i.", "-pi", " > ", "--write", "--fix", "rm ", "mv "]) =>
        {
            return vec![any()];
        }
        "awk" | "gawk" if has(&["inplace"]) => return files(),
        "sed" | "gsed" if arguments.iter().any(|word| word.starts_with("-i") || *word == "--in-place") => return files(),
        _ => {}
    }
    let tasks = if matches!(plain.first(), Some(&("run" | "exec" | "dlx" | "task"))) { 2 } else { 1 };
    let words = plain.iter().take(tasks).flat_map(|word| word.split([':', '-'])).chain([name]);
    let formatter = words.into_iter().find(|word| FORMATTERS.contains(word));
    if let Some(formatter) = formatter
        && !has(&CHECKING_FLAGS)
        && !mentions(&["check"])
        && (!WITH_FLAG.contains(&formatter) || has(&WRITING_FLAGS) || has(&["format", "fmt"]))
    {
        return files();
    }
    if has(&["--fix", "--write", "--in-place"]) || arguments.iter().any(|word| word.ends_with(":fix")) {
        return files();
    }
    let manifests = MANIFESTS.iter().find(|(names, _)| names.split(' ').any(|known| known == name)).map(|(_, manifests)| *manifests);
    match manifests.filter(|_| plain.first().is_some_and(|order| MANIFEST_ORDERS.contains(order))) {
        Some(manifests) => manifests.iter().map(|path| Action::MayChange { path: (*path).to_owned() }).collect(),
        None => Vec::new(),
    }
}

fn git_doubts(plain: &[&str], arguments: &[&str], file: &dyn Fn(&str) -> String) -> Vec<Action> {
    let Some((order, operands)) = plain.split_first().filter(|(order, _)| GIT_ORDERS.contains(order)) else { return Vec::new() };
    let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(word));
    let changes_nothing = match *order {
        // A new branch from where the work stands.
        "checkout" | "switch" => has(&["-b", "-c", "-B", "-C", "--create"]) && operands.len() <= 1,
        "restore" => has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]),
        "reset" => !has(&["--hard", "--merge", "--keep"]),
        "stash" => matches!(operands.first(), Some(&("list" | "show" | "drop" | "clear" | "create" | "store"))),
        "apply" => has(&["--check", "--stat", "--numstat", "--cached"]),
        "clean" => has(&["-n", "--dry-run"]),
        _ => false,
    };
    if changes_nothing {
        return Vec::new();
    }
    let paths = arguments.iter().position(|word| *word == "--").and_then(|at| arguments.get(at + 1..));
    match paths.or_else(|| (*order == "restore").then_some(operands)).filter(|paths| !paths.is_empty()) {
        Some(paths) => paths.iter().map(|path| Action::MayChange { path: file(path) }).collect(),
        None => vec![any()],
    }
}

/// The files that a script of another language may change: those it names where it writes at all, else any.
pub fn script_doubts(script: &str, file: &dyn Fn(&str) -> String) -> Vec<Action> {
    let says = |words: &[&str]| words.iter().any(|word| script.contains(word));
    let written = written_by_script(script);
    if written.is_empty() && !says(&WRITES) || written.is_empty() && only_reads(script) {
        return Vec::new();
    }
    if says(&CHOOSES) {
        return vec![any()];
    }
    let mut paths: Vec<&str> = Vec::new();
    for text in script.split(['"', '\'', '`']) {
        let is_path = text.len() <= PATH_BYTES && text.contains(['.', '/']) && !text.contains([' ', '\n', '(', '\\', '<', '=']);
        if is_path && text.bytes().any(|byte| byte.is_ascii_alphanumeric()) && !paths.contains(&text) {
            paths.push(text);
        }
    }
    let doubts: Vec<_> = paths.into_iter().map(|path| Action::MayChange { path: file(path) }).collect();
    if doubts.is_empty() { vec![any()] } else { doubts }
}

/// Whether a script opens files only to read them: no call of it writes.
fn only_reads(script: &str) -> bool {
    let opens_to_write =
        script.split(['"', '\'']).any(|mode| matches!(mode, "w" | "a" | "x" | "wb" | "ab" | "w+" | "a+" | "r+" | "wt" | "at"));
    let prints_only = !script.replace("stdout.write", "").replace("stderr.write", "").contains("rite");
    prints_only && !opens_to_write && !["fileinput", "shutil", "os.re", "rename"].iter().any(|word| script.contains(word))
}

/// Whether a script whose loops and conditions are not followed may write files.
pub fn may_write(simple: &Simple) -> bool {
    let writes = |(word, _): &(String, usize)| {
        let word = word.as_str();
        matches!(
            word,
            "tee" | "mv" | "cp" | "rm" | "-i" | "-pi" | "--fix" | "--write" | "patch" | "xargs" | "checkout" | "stash" | "restore"
        ) || INTERPRETERS.contains(&word)
            || word.starts_with("-i.")
    };
    simple.words.iter().any(writes) || simple.output.as_ref().is_some_and(|(path, _)| !path.starts_with("/dev/"))
}

#[cfg(test)]
mod tests {
    use crate::record::action::Action;
    use crate::record::shell::read_script;

    #[test]
    fn what_may_change_files_without_saying_how_is_told() {
        for (script, expected) in [
            ("cargo fmt && cargo test", "any"),
            ("cargo fmt --check", ""),
            ("npx prettier --write src/a.ts", "src/a.ts"),
            ("npx prettier src/a.ts", ""),
            ("gofmt -l .", ""),
            ("gofmt -w a.go", "a.go"),
            ("npm run lint:fix", "any"),
            ("git checkout -b topic", ""),
            ("git checkout main", "any"),
            ("git checkout -- a.rs", "a.rs"),
            ("git stash list; git stash", "any"),
            ("git restore --staged a", ""),
            ("git reset HEAD~1", ""),
            ("git commit -m x", ""),
            ("perl -0pi -e 's/a/b/' x.rs", "x.rs"),
            ("sed -i 's/a.*/b/' x.rs", "x.rs"),
            ("python3 - <<'E'\np='src/a.py'\ns=open(p).read()\nopen(p,'w').write(s)\nE", "src/a.py"),
            ("python3 -c \"import json; print(json.load(open('a.json')))\"", ""),
            ("node -e \"for (const f of fs.readdirSync('.')) fs.writeFileSync(f, '')\"", "any"),
            ("for f in *.rs; do sed -i 's/a/b/' $f; done", "any"),
            ("for f in *.rs; do echo $f; done", ""),
            ("npm install zod", "package.json"),
            ("cp a b", "a b"),
            ("cargo test format", ""),
            ("python -m black a.py", "a.py"),
        ] {
            let told: Vec<String> = read_script(script)
                .into_iter()
                .filter_map(|action| match action {
                    Action::MayChange { path } => Some(if path.is_empty() { "any".to_owned() } else { path }),
                    _ => None,
                })
                .collect();
            assert_eq!(told.join(" "), expected, "{script}");
        }
    }
}
