//! Holds the source to the project's rules: every file says what it is, modules depend in one direction, nothing is left behind.
//! Not a style check: rustfmt and clippy do that.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty(), "no {ending} files in {folder}");
    found
}

#[test]
fn every_file_opens_with_what_it_is() {
    for (folder, ending, opening) in [
        ("src", ".rs", "//! "),
        ("crates", ".rs", "//! "),
        ("js", ".ts", "// "),
        ("inspect", ".ts", "// "),
        ("tests", ".rs", "//! "),
        ("tests", ".mjs", "// "),
        ("scripts", ".mjs", "// "),
        ("demo", ".mjs", "// "),
        ("bench", ".mjs", "// "),
        ("examples/nextjs/app", ".ts", "// "),
        ("examples/nextjs/app", ".tsx", "// "),
        ("examples/nextjs/lib", ".ts", "// "),
    ] {
        for (path, text) in sources(folder, ending) {
            assert!(text.starts_with(opening), "{} does not open with `{opening}`", path.display());
        }
    }
}

#[test]
fn every_file_of_rust_tests_is_part_of_the_program() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let program = fs::read_to_string(tests.join("main.rs")).unwrap();
    for entry in fs::read_dir(tests).unwrap() {
        let path = entry.unwrap().path();
        let holds_tests = |file: &str| path.join(file).exists();
        let is_module = path.extension().is_some_and(|extension| extension == "rs") || holds_tests("mod.rs") || holds_tests("main.rs");
        let name = path.file_stem().unwrap().to_string_lossy();
        assert!(!is_module || name == "main" || program.contains(&format!("mod {name};")), "tests/main.rs does not name `{name}`");
    }
}

#[test]
fn modules_depend_in_one_direction() {
    // Each module may use those before it, and its own parts.
    let order = [
        "text",
        "results",
        "error",
        "model::carried",
        "providers::owner",
        "model::message",
        "model::cleaned",
        "pack",
        "model::fingerprint",
        "model::span",
        "digest::verbs",
        "digest::effect",
        "digest::tools",
        "providers::hosted",
        "providers::limits_table",
        "providers::limits",
        "providers::reply",
        "option",
        "providers::prices",
        "policy",
        "providers::thinking",
        "providers::overflow",
        "providers::media",
        "providers::refusal",
        "tokens",
        "digest",
        "providers::check",
        "model::entry",
        "model::form",
        "providers::blocks",
        "model::scan",
        "providers::sending",
        "settings",
        "tokens::breakdown",
        "state",
        "model::history",
        "words",
        "run::recall",
        "plan",
        "apply",
        "run",
        "run::event",
        "run::step",
        "wasm",
        "lib",
    ];
    // Some parts of a folder stand by their own names, all others by that of the folder. What only lists a folder's parts has no place.
    let rank = |path: &str| {
        let steps: Vec<&str> = path.split("::").collect();
        (1..=steps.len()).rev().find_map(|length| {
            let module = steps[..length].join("::");
            order.iter().position(|known| *known == module)
        })
    };
    for (path, text) in sources("src", ".rs") {
        let relative = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap().to_string_lossy().into_owned();
        let module = relative.trim_end_matches(".rs").replace('/', "::");
        if ["model::mod", "providers::mod"].contains(&module.as_str()) {
            continue;
        }
        let Some(own) = rank(&module) else { panic!("{relative} has no place in the order of modules") };
        for line in text.lines().filter(|line| line.starts_with("use crate::")) {
            let used = line.trim_start_matches("use crate::").split([';', ' ', '{']).next().unwrap_or_default();
            let Some(other) = rank(used) else { continue };
            assert!(other <= own, "{relative} uses `{used}`, which comes after it");
        }
    }
}

#[test]
fn no_module_of_the_engine_uses_itself_by_way_of_others() {
    // A file and the folder of its name are one module: `draft.rs` and `draft/`.
    let module = |path: &str| path.split("::").take(2).collect::<Vec<_>>().join("::");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files: Vec<(String, String)> = sources("src", ".rs")
        .into_iter()
        .map(|(path, text)| {
            let path = path.strip_prefix(&root).unwrap().with_extension("").to_string_lossy().replace('/', "::");
            (path.strip_suffix("::mod").unwrap_or(&path).to_owned(), text)
        })
        .collect();
    let known: HashSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let mut uses: HashMap<String, HashSet<String>> = HashMap::new();
    for (path, text) in &files {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let used = code.split("crate::").skip(1).flat_map(|rest| {
            let (path, group) = rest.split_once("::{").unwrap_or((rest, ""));
            let is_path = path.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':'));
            let names = if is_path { group.split('}').next().unwrap_or_default() } else { "" };
            let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':'))).unwrap_or(rest.len());
            let whole = vec![rest[..end].to_owned()];
            whole.into_iter().chain(names.split(',').map(|name| format!("{path}::{}", name.trim()))).collect::<Vec<_>>()
        });
        let used = used.filter_map(|path| {
            let steps: Vec<&str> = path.split("::").collect();
            (1..=steps.len().min(2)).rev().map(|length| steps[..length].join("::")).find(|path| known.contains(path))
        });
        uses.entry(module(path)).or_default().extend(used);
    }
    assert_circle_free(&uses);
}

/// Fails where one of these leads back to itself.
fn assert_circle_free<Name: std::hash::Hash + Eq + Ord + std::fmt::Debug>(uses: &HashMap<Name, HashSet<Name>>) {
    for start in uses.keys() {
        let mut open: Vec<&Name> = uses[start].iter().filter(|used| *used != start).collect();
        let mut seen = HashSet::new();
        while let Some(next) = open.pop() {
            assert!(next != start, "{start:?} uses itself by way of {seen:?}");
            if seen.insert(next) {
                open.extend(uses.get(next).into_iter().flatten().filter(|used| *used != next));
            }
        }
    }
}

#[test]
fn no_file_of_the_wrapper_imports_itself_by_way_of_others() {
    // Types as well: a circle of types is a file in two halves.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: HashMap<PathBuf, HashSet<PathBuf>> = sources("js", ".ts")
        .into_iter()
        .map(|(path, text)| {
            let path = path.strip_prefix(root).unwrap().to_owned();
            let folder = path.parent().unwrap().to_owned();
            let imports =
                text.lines().filter_map(|line| line.split_once("from '")?.1.split_once(".js'")).map(|(name, _)| imported(&folder, name));
            (path.with_extension(""), imports.collect())
        })
        .collect();
    assert_circle_free(&files);
}

/// The file that an import in a folder names, without its ending.
fn imported(folder: &Path, import: &str) -> PathBuf {
    import.split('/').fold(folder.to_owned(), |path, step| match step {
        "." => path,
        ".." => path.parent().unwrap().to_owned(),
        name => path.join(name),
    })
}

/// Whether a text is the name of a field in JavaScript.
fn is_field_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.chars().all(|letter| letter.is_ascii_alphabetic())
}

#[test]
fn what_is_given_at_the_boundary_has_the_same_names_on_both_sides() {
    let rust: String = sources("src/wasm", ".rs").into_iter().map(|(_, text)| text).collect();
    let read: HashSet<&str> = rust.split('"').skip(1).step_by(2).filter(|text| is_field_name(text)).collect();
    let types = fs::read_to_string("js/bridge/boundary.ts").unwrap();
    let written = [
        ("PlanRequest", &[][..]),
        ("CompactRequest", &[]),
        // The rest is for the summarizer.
        ("SummaryWanted", &["prompt", "instruction", "maxOutputTokens"]),
        ("DigestGiven", &[]),
        ("Place", &[]),
        ("Questions", &["settings", "media", "before", "placed", "held"]),
        ("ModelNames", &[]),
        ("Counted", &[]),
        ("Found", &[]),
        ("SentBeside", &[]),
        ("RecallWanted", &[]),
        ("StoredRunState", &[]),
    ];
    for (interface, answered) in written {
        let body = types.split(&format!("interface {interface} ")).nth(1).unwrap().split("\n}").next().unwrap();
        let names =
            body.split("readonly ").skip(1).filter_map(|field| Some(field.split_once(['?', ':'])?.0)).filter(|name| is_field_name(name));
        let missing: Vec<&str> = names.filter(|name| !read.contains(name) && !answered.contains(name)).collect();
        assert!(missing.is_empty(), "src/wasm does not read {missing:?} of {interface}");
    }
    // What JavaScript hands back unread has the names that serde gives it.
    let structs = ["src/providers/media.rs", "src/providers/sending.rs", "src/tokens/traits.rs"]
        .map(|path| fs::read_to_string(path).unwrap())
        .concat();
    let fields: HashSet<String> =
        structs.lines().filter_map(|line| Some(line.strip_prefix("    pub ")?.split_once(':')?.0.replace('_', ""))).collect();
    let requests = fs::read_to_string("src/wasm/plan.rs").unwrap();
    let types = types + &fs::read_to_string("js/tools/compact-tool.ts").unwrap();
    let unknown = |name: &&str| is_field_name(name) && !types.contains(name) && !fields.contains(&name.to_lowercase());
    let unknown: Vec<&str> = requests.split('"').skip(1).step_by(2).filter(unknown).collect();
    assert!(unknown.is_empty(), "neither boundary.ts nor what is handed back has {unknown:?}");
}

#[test]
fn only_the_boundary_knows_javascript() {
    for (path, text) in sources("src", ".rs") {
        let is_boundary = path.to_string_lossy().contains("wasm");
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for word in ["wasm_bindgen", "js_sys", "JsValue"] {
            assert!(is_boundary || !code.contains(word), "{} uses {word}", path.display());
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    let words = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
        concat!("#[", "ignore"),
        concat!("test.", "skip("),
        concat!("test.", "only("),
        concat!("// TO", "DO"),
        concat!("// FIX", "ME"),
    ];
    for (folder, ending) in [
        ("src", ".rs"),
        ("crates", ".rs"),
        ("js", ".ts"),
        ("inspect", ".ts"),
        ("tests", ".rs"),
        ("tests", ".mjs"),
        ("scripts", ".mjs"),
        ("demo", ".mjs"),
    ] {
        for (path, text) in sources(folder, ending) {
            for word in words {
                let left = text.lines().find(|line| line.contains(word));
                assert!(left.is_none(), "{} has {word}: {}", path.display(), left.unwrap_or_default());
            }
        }
    }
}

#[test]
fn files_stay_small_enough_to_hold_in_the_head() {
    for (folder, ending) in [("src", ".rs"), ("crates", ".rs"), ("js", ".ts"), ("inspect", ".ts")] {
        for (path, text) in sources(folder, ending) {
            let generated = text.contains("Generated") || text.contains("generated by");
            let lines = text.lines().count();
            assert!(generated || lines <= 480, "{} has {lines} lines", path.display());
        }
    }
}
