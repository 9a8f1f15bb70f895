//! Holds the source to the project's rules: every file says what it is, modules depend in one direction, nothing is left behind.
//! Not a style check: rustfmt and clippy do that.
#![allow(clippy::unwrap_used, clippy::panic)]

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
        ("js", ".ts", "// "),
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
fn modules_depend_in_one_direction() {
    // Each module may use those before it, and its own parts.
    let order = [
        "base64",
        "text",
        "clip",
        "error",
        "message",
        "pack",
        "limits_table",
        "limits",
        "thinking",
        "overflow",
        "fingerprint",
        "facts",
        "tokens",
        "check",
        "told",
        "entry",
        "scan",
        "option",
        "prices",
        "optimize",
        "settings",
        "breakdown",
        "state",
        "history",
        "texts",
        "recall",
        "plan",
        "apply",
        "run",
        "event",
        "wasm",
        "lib",
    ];
    let rank = |module: &str| order.iter().position(|known| *known == module);
    for (path, text) in sources("src", ".rs") {
        let relative = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap().to_string_lossy().into_owned();
        let module = relative.split(['/', '.']).next().unwrap_or_default().to_owned();
        let Some(own) = rank(&module) else { panic!("{relative} has no place in the order of modules") };
        for line in text.lines().filter(|line| line.starts_with("use crate::")) {
            let used = line.trim_start_matches("use crate::").split([':', ';', ' ', '{']).next().unwrap_or_default();
            let Some(other) = rank(used) else { continue };
            assert!(other <= own, "{relative} uses `{used}`, which comes after it");
        }
    }
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
fn nothing_is_written_as_for_debugging() {
    // The build takes the code for it out of the engine (tools/bindgen, panics.rs): there it would trap.
    for (path, text) in sources("src", ".rs") {
        let released = text.split("#[cfg(test)]").next().unwrap_or_default();
        let found = released.lines().find(|line| line.contains(concat!(":", "?}")) || line.contains(concat!("#", "?}")));
        assert!(found.is_none(), "{} has {}", path.display(), found.unwrap_or_default());
    }
}

#[test]
fn no_text_is_padded() {
    // The build takes the code that counts characters for it out of the engine, too. Numbers are padded with zeros, which needs none.
    let counts = concat!(".chars()", ".count()");
    for (path, text) in sources("src", ".rs") {
        let released = text.split("#[cfg(test)]").next().unwrap_or_default();
        for given in released.split('{').filter_map(|rest| rest.split_once('}').map(|(given, _)| given)) {
            let form = given.split_once(':').map_or("0", |(_, form)| form);
            let is_form = !form.is_empty() && form.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"<>^#+.$*".contains(&byte));
            assert!(!is_form || form.starts_with('0'), "{} writes `{{{given}}}`", path.display());
        }
        assert!(!released.contains(counts), "{} counts characters by `{counts}`", path.display());
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
    for (folder, ending) in [("src", ".rs"), ("js", ".ts"), ("tests", ".rs"), ("tests", ".mjs"), ("scripts", ".mjs"), ("demo", ".mjs")] {
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
    for (folder, ending) in [("src", ".rs"), ("js", ".ts")] {
        for (path, text) in sources(folder, ending) {
            let generated = text.contains("Generated") || text.contains("generated by");
            let lines = text.lines().count();
            assert!(generated || lines <= 480, "{} has {lines} lines", path.display());
        }
    }
}
