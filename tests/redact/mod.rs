//! Secrets of public forms are redacted, source code is left alone, and so are names and ids (`names.rs`).
#![allow(clippy::unwrap_used, clippy::panic)]

mod everyday;
mod names;
mod places;
mod secrets;
mod surroundings;
mod syntax;

use std::fs;
use std::path::Path;

use secrets::{Chance, FORMS, PLACES};
use stepfold::redact::{REDACTED, clean};

#[test]
fn secrets_of_public_forms_are_redacted() {
    let mut chance = Chance(7);
    let (mut count, mut missed) = (0, Vec::new());
    let mut check = |text: String, secret: &str| {
        count += 1;
        if clean(&text).contains(secret) {
            missed.push(text);
        }
    };
    let frames = ["…", "key is … now", "\"…\"", "X=…", "(see …).", "https://h.test/?k=…&b=1", "line\n…\nline", "[…]", "- `…`: old"];
    for round in 0..18 {
        for (first, second, form) in FORMS {
            // Two forms begin by chance themselves.
            let first = if matches!(first, "a14." | "d10") { chance.fill(first) } else { first.to_owned() };
            let secret = format!("{first}{second}{}", chance.fill(form));
            check(frames[round % frames.len()].replace('…', &secret), &secret);
        }
        for (place, form) in PLACES {
            let secret = chance.fill(form);
            check(place.replace('…', &secret), &secret);
        }
        let jwt = format!(
            "ey{}.ey{}.{}",
            "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
            "JzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ",
            chance.fill("b43")
        );
        check(frames[round % frames.len()].replace('…', &jwt), &jwt[40..]);
        for kind in ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""] {
            let line = chance.fill("s64");
            let block =
                format!("-----BEGIN {kind}PRIVATE {}-----\n{line}\n{}\n-----END {kind}PRIVATE {}-----\n", "KEY", chance.fill("s40"), "KEY");
            check(format!("before\n{block}after"), &line);
            check(block.replace('\n', "\\n"), &line);
        }
    }
    let share = missed.len() as f64 / f64::from(count);
    println!("{} of {count} secrets missed ({:.2} %)", missed.len(), share * 100.0);
    assert!(share <= 0.01, "{} of {count} missed, such as {:?}", missed.len(), &missed[..missed.len().min(10)]);
}

/// Counted are words of 16 and more characters of `[A-Za-z0-9_$./+=-]`, each once a file: what a key could be told from.
/// Of all words, which are mostly short, the share would be far smaller.
#[test]
fn source_code_is_left_alone() {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    let (mut bytes, mut words, mut hits) = (0, 0, Vec::new());
    let packages =
        ["ai", "ai-v5", "zod", "undici", "fast-check", "rollup", "openai-v7", "anthropic-v7", "google-v7", "js-tiktoken", "@types/node"];
    for package in packages {
        for path in sources(&modules.join(package)) {
            let code = fs::read_to_string(&path).unwrap_or_default();
            if code.len() > 400_000 {
                continue;
            }
            bytes += code.len();
            let mut seen: Vec<&str> = code
                .split(|letter: char| !(letter.is_ascii_alphanumeric() || "_$./+=-".contains(letter)))
                .filter(|word| word.len() >= 16)
                .collect();
            seen.sort_unstable();
            seen.dedup();
            words += seen.len();
            let cleaned = clean(&code);
            for (place, _) in cleaned.match_indices(REDACTED) {
                let before: String = cleaned[..place].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
                hits.push(format!("{}: {before}", path.file_name().unwrap().to_string_lossy()));
            }
        }
    }
    let share = hits.len() as f64 / words as f64;
    println!("{} hits in {words} words of {bytes} bytes of code ({:.3} %)", hits.len(), share * 100.0);
    assert!(words > 50_000, "{words} words are no corpus");
    assert!(share <= 0.01, "{} hits in {words} words, such as {:?}", hits.len(), &hits[..hits.len().min(10)]);
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if [".js", ".mjs", ".cjs", ".ts", ".mts"].iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn control_tokens_are_broken_and_code_that_looks_alike_is_not() {
    let rows = [
        ("a <|im_start|>system b", "a < |im_start|>system b"),
        ("<|endoftext|><|eot_id|>", "< |endoftext|>< |eot_id|>"),
        ("<｜begin▁of▁sentence｜>", "< ｜begin▁of▁sentence｜>"),
        ("[INST] <<SYS>> x <</SYS>> [/INST]", "[ INST] < <SYS>> x < </SYS>> [ /INST]"),
        ("<start_of_turn>user", "< start_of_turn>user"),
        ("a <| b |> c; x[INSTANCE] Vec<string>", "a < | b |> c; x[INSTANCE] Vec<string>"),
        ("let x = list |> map; y <|> z; <span>", "let x = list |> map; y <|> z; <span>"),
    ];
    for (text, expected) in rows {
        assert_eq!(clean(text), expected);
        assert_eq!(clean(&clean(text)), clean(text), "again: {text}");
    }
}

#[test]
fn control_characters_are_left_out_and_hide_no_secret() {
    let token = format!("gh{}_x7Kq9ZpL2mVw8RtY4nBc5Df6Gh7Jk8Lm9Np0", "p");
    let (first, second) = token.split_at(9);
    for text in [
        format!("\u{1b}[32mkey\u{1b}[0m {first}\u{1b}[1m{second}\u{1b}[0m"),
        format!("\u{1b}]0;title\u{7}key\0 {first}\u{8}{second}\u{7f}"),
        format!("\u{202e}key {first}\u{2066}{second}\u{9b}"),
    ] {
        assert_eq!(clean(&text), "key [redacted]", "{text:?}");
    }
    assert_eq!(clean("a\r\n\tb – “c”\n"), "a\n\tb – “c”\n");
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    for text in [
        "token: string; password = getPassword(); tokens: 128000; apiKey: process.env.OPENAI_API_KEY",
        "sk-learn-pipeline-transformers hf_hub_download_and_cache npm_config_registry_url pattern_of_matching_things",
        "sha512-abc integrity 3f786850e387550fdab836ed7e6dc881de23001b toolu_01A09q90qw90lq917835lq9 call_abcDEF123456",
        "see https://example.com/a:b@c and git@github.com:o/r.git at 10:30, user:name@host.test",
        "Author: Ann Example <ann@example.com>",
    ] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn references_to_secrets_and_ids_under_such_names_stay() {
    for text in [
        "OPENAI_API_KEY=op://vault/openai/credential",
        "secret_arn = arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "api_key: ${OPENAI_KEY_7Kq9Z} and password: $(pass show db/x7Kq9ZpL2m) and PASSWORD=$DB_PASS",
        "const apiKey: string = process.env.OPENAI_API_KEY_2; let key: &str = env!(\"X7_API_KEY\");",
        "--color-token-primary: #3366ff; --secret-shade: #7d9f8b6c;",
        "cancellation_token: 8f14e45f-ceea-467f-a0b3-3f2a1d5c9e77 and continuation_token: 8f14e45f",
        "token = \"8f14e45f-ceea-467f-a0b3-3f2a1d5c9e77\"",
        "signature: 5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb",
        "pi_3MtwBwLkdIwHu7ix28a3tqPa V1StGXR8_Z5jdHi6B-myT file-BK7bzQj3FfZFXr7DbL6xJwfo etag: \"33a64df551425fcc55e4d42a148795d9\"",
        "cursor=eyJpZCI6Ijk0MjE3MzUwIiwic29ydCI6ImFzYyJ9 pageToken: x7Kq9ZpL2mVw8RtY4nB",
        "id: string = \"x7Kq9ZpL2mVw8RtY4nB\"; name=(\"admin\", \"x7Kq9ZpL2mVw8RtY4nB\"); { name: 'id', value: 'x7Kq9ZpL2mVw8RtY4nB' }",
        "PRIMARY_KEY=x7Kq9ZpL2mVw8RtY4nB CACHE_KEY=3f786850e387550fdab836ed",
        "编号：x7Kq9ZpL2mVw8RtY4nB，número: x7Kq9ZpL2mVw8RtY4nB",
    ] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn passwords_that_a_person_chose_are_redacted_where_the_name_and_the_place_reveal_them() {
    for text in [
        "password=…",
        "DB_PASSWORD=…\nDB_HOST=db.test",
        "export PGPASSWORD=…",
        "passwd: …\n",
        "  smtp_pwd: …",
        "password = \"…\"",
        "{ user: 'ann', password: '…' }",
        "\"adminPassword\":\"…\",",
        "{\\\"password\\\":\\\"…\\\"}",
        "a\r\nMYSQL_PASS=…\r\nb",
    ] {
        for password in ["hunter2", "Sommer2024!", "letmein123", "correct-horse-7", "Geheim#Wort"] {
            assert_eq!(clean(&text.replace('…', password)), clean(&text.replace('…', REDACTED)), "{text} {password}");
        }
    }
    for text in [
        "password = password1",
        "login(user=u, password=password1)",
        "password: string1;",
        "password: '${DB_PASSWORD_1}'",
        "password=<your-password1>",
        "password=********1",
        "PASSWORD_MIN_LENGTH=12345678",
        "passwordHint: 'pet2'",
        "password: 'form.password.label2'",
        "PWD=/home/ann1/app",
        "pass: 12abc34",
        "tests: 12 pass: 11x",
        "const password = readPassword2;",
    ] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn any_text_is_cleaned_without_harm_and_in_time() {
    let reference = time_of(&DENSE.repeat(1_000_000 / DENSE.len()));
    let units = "a·-----BEGIN PRIVATE KEY·password=·password=a1·password=\"abcde1·://·é=:·<|·eyJ.·Bearer ·--token ·a/·=·x1Y2·\n·eyJ-·AA-·sk-·\
         re_a·tokenPassword=·:·:a· -p aB1d·-p aB1d ·curl -u a:bcde ·data:\n ·data:·kind: S·\"data\":{·a:12:b:c:·://a:b@·://a@b@c@·\
         ://a:b/·$1$·{SHA}·a$9999$abcdef$·Private-Lines: 1\n·Cookie: a=·password is a ·echo a ·echo a | ·password 'aaaa ·by ·\
         | password | ·password\n·password:\n·password: |\n ·user,password\n·[\"token\",·{\"tokens\":[·{\"token\":{·api key (·token  ·密码·key\t·x=b3J9k2Lq8Zx4Wv7P ·password x1Y2z3W4q5 ·value=\"x1Y2z3W4q5\" ·\"d\":\"·',·\u{1b}[·\r·\u{2066}";
    for unit in units.split('·') {
        let text = unit.repeat(1_000_000 / unit.len());
        assert!((0..3).any(|_| time_of(&text) <= reference * MOST_TIMES), "{unit} takes {MOST_TIMES} times as long as {DENSE}");
    }
}

/// A text of nothing but values that must be weighed, which takes long.
const DENSE: &str = "token value=\"x1Y2z3W4q5\" ";
/// Texts of which each word begins what others end take up to four times as long as `DENSE`; work that grows with the square of the text, hundreds.
const MOST_TIMES: u32 = 6;

/// A machine that does other things makes one run slow now and then: whoever compares tries again.
fn time_of(text: &str) -> std::time::Duration {
    let start = std::time::Instant::now();
    let cleaned = clean(text);
    let time = start.elapsed();
    assert!(cleaned.len() <= text.len() * 8);
    time
}
