//! Shell lines as agents write them, and what they are read as.

use super::read_script;
use crate::record::action::Action;

fn told(script: &str) -> String {
    let each = read_script(script).into_iter().map(|action| match action {
        Action::Read { path, lines } => format!("read {path}{}", lines.map_or(String::new(), |(a, b)| format!(":{a}-{b}"))),
        Action::Search { what, path } => format!("search {what} @{path}"),
        Action::List { path } => format!("list {path}"),
        Action::Create { path, new } => format!("create {path} ({new})"),
        Action::Edit { path, old, new } => format!("edit {path} ({old}>{new})"),
        Action::Delete { path } => format!("delete {path}"),
        Action::Move { from, to } => format!("move {from} {to}"),
        Action::Run { command } => format!("run {command}"),
        Action::Fetch { url } => format!("fetch {url}"),
        other => format!("{other:?}"),
    });
    each.collect::<Vec<_>>().join(" | ")
}

#[test]
fn reads_of_files_are_told_with_their_lines() {
    for (script, expected) in [
        ("sed -n '1,240p' src/a.rs", "read src/a.rs:1-240"),
        ("cd /repo && nl -ba src/a.rs | sed -n '10,20p'", "read /repo/src/a.rs:10-20"),
        ("cat a b", "read a | read b"),
        ("cat a | head -50", "read a:1-50"),
        ("head -n 20 a", "read a:1-20"),
        ("tail -100 a.log", "read a.log"),
        ("cd web && cat package.json && npm test", "read web/package.json | run npm test"),
        ("sed -n 5p a", "read a:5-5"),
        ("sed -n '1,5p;9,12p' a", "read a:1-12"),
        ("cat a | grep x", "search x @a"),
        ("cat a | jq .b", "run cat a | jq .b"),
        ("open src/x.py 1474", "read src/x.py"),
    ] {
        assert_eq!(told(script), expected, "{script}");
    }
}

#[test]
fn searches_and_lists_are_told_apart() {
    for (script, expected) in [
        (r#"rg -n "a|b" src test -g '*.rs'"#, "search a|b @src test"),
        ("grep -rn --include='*.go' 'func X' . | head -5", "search func X @."),
        ("grep -n x a.rs", "search x @a.rs"),
        ("rg --files | head", "list "),
        ("git grep -n foo -- src", "search foo @src"),
        ("ls -la", "list ."),
        ("find . -name '*.rs' | head", "list ./**/*.rs"),
        ("find . -name x -delete", "run find . -name x -delete"),
        ("npm test 2>&1 | grep -A 20 FAIL", "run npm test | grep -A 20 FAIL"),
        ("ls pkl | sed -n '1,60p'; git status --short", "list pkl | run git status --short"),
    ] {
        assert_eq!(told(script), expected, "{script}");
    }
}

#[test]
fn writes_are_told_with_what_they_write() {
    for (script, expected) in [
        ("cat > a.txt <<'EOF'\nx\ny\nEOF", "create a.txt (x\ny)"),
        ("cat <<EOF >> a.txt\nx\nEOF", "edit a.txt (>x)"),
        ("echo hi > a && rm -f b c", "create a (hi) | delete b | delete c"),
        ("mkdir -p d && mv a b d/", "move a d/a | move b d/b | run mkdir -p d"),
        ("sed -i '' 's/a b/c/g' x.rs", "edit x.rs (a b>c)"),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n\n+1\n*** End Patch\nEOF", "create n (1)"),
        ("python3 - <<'PY'\nopen('x','w').write('1')\nPY", "run python3 - | edit x (>)"),
        ("node gen.js > out.json", "run node gen.js | create out.json ()"),
        ("edit 3:4\n    x\nend_of_edit", "edit  (>    x)"),
        ("git mv a b", "move a b"),
        ("tee a <<X\n1\nX", "create a (1)"),
    ] {
        let told = told(script);
        let mut parts: Vec<&str> = told.split(" | ").collect();
        let mut expected: Vec<&str> = expected.split(" | ").collect();
        parts.sort_unstable();
        expected.sort_unstable();
        assert_eq!(parts, expected, "{script}");
    }
}

#[test]
fn what_is_left_is_the_essential_command() {
    for (script, expected) in [
        ("cd /repo && timeout 60 cargo test 2>&1 | tail -50", "run cargo test"),
        ("FOO=1 BAR=2 npm test || true", "run npm test"),
        ("git add -A && git commit -m \"$(cat <<'EOF'\nfeat: x\n\nbody (long)\nEOF\n)\"", "run git add -A && git commit -m \"feat: x…\""),
        ("echo === a === && git log -1; git diff --stat", "run git log -1; git diff --stat"),
        ("if [ -x a ]; then a; else b; fi", "run if [ -x a ]; then a; else b; fi"),
        ("cd /r && for f in *; do echo $f; done", "run for f in *; do echo $f; done"),
        ("sleep 30", "Wait"),
        ("sleep 30; tail out.log", "read out.log"),
        ("", "Wait"),
        ("cd /x", "run cd /x"),
        ("curl -s https://a.example/b | head -3", "fetch https://a.example/b"),
        ("curl -X POST -d x https://a.example", "run curl -X POST -d x https://a.example"),
        ("curl http://localhost:3000", "run curl http://localhost:3000"),
    ] {
        assert_eq!(told(script), expected, "{script}");
    }
}

#[test]
fn anything_is_read_without_harm() {
    let nested = "$(".repeat(10_000);
    let quoted = format!("echo \"{}", "a'b\\".repeat(5_000));
    let minified = format!("node -e '{}'", "x=1;".repeat(250_000));
    for script in [
        "\u{0}\u{1}",
        "|||",
        "&&",
        "<<",
        "cat <<",
        "> ",
        "'",
        "\\",
        "日本 語 > ファイル",
        "sed -n",
        "head -n",
        "grep",
        "mv",
        &nested,
        &quoted,
        &minified,
    ] {
        let actions = read_script(script);
        assert!(!actions.is_empty() && actions.iter().all(|action| format!("{action:?}").len() < 40_000));
    }
}
