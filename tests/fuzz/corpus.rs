//! What the inputs are made of: well-formed messages, states and texts of every form that the engine tells apart.

use stepfold::model::fingerprint::Chain;
use stepfold::run::{Outcomes, Run, RunState, StoredRunState};
use stepfold::settings::{Options, Settings};
use stepfold::state::{Action, Checkpoint, Decision, FoldState, Kept, KeptResult, Retrieval};
use stepfold::tokens::calibration::Calibration;

/// Secrets as they are: forms of makers, a token that is signed, and one of no form that stands under a name.
pub const SECRETS: [&str; 4] = [
    "ghp_R4nd0mB2xQ7vLkT9wZ3mYc8HsD1fGjN6pKqE",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "sk-ant-api03-Qm7xT2vLkR9wZ3mYc8HsD1fGjN6pKqE4bUoV5aXtPiJrWnBdSgCeMhFlAyQzOu0I",
];

/// Texts of every form that is told apart. They hold none of `SECRETS`.
pub fn texts() -> Vec<Vec<u8>> {
    let texts = [
        r#"{"orders":[{"id":"ORD-1","total":20.5,"note":"a \"b\" \\ \u00e9","items":[{"sku":"LP-3","count":2},{"sku":"LP-4","count":1}]},{"id":"ORD-2","total":1e3,"note":null,"items":[]}]}"#,
        r#"[{"error":{"code":404,"message":"no such order"}},[[[]]],true,-0.0,""]"#,
        "id,name,city\n1,Ada,London\n2,Søren,København\n3,\"a, b\",\n",
        "| order | state |\n|---|---|\n| A-1 | paid |\n| A-2 | open |\n",
        "# Head\n\n- first item\n  - inner [ref=e12]\n- second: value\n\n1. one\n2. two\n",
        "$ npm test\nok 1 - it reads\nnot ok 2 - it writes\n  at src/parser.rs:12:5\nerror[E0308]: mismatched types\n",
        "fn parse_all(text: &str) -> Option<Value> {\n    let mut at = 0;\n\treturn None;\n}\n",
        "これは試験です。値は四十二です！ 本当ですか？ はい。\nمرحبا بالعالم؟ هذا اختبار.\nЭто проверка. Да!\n",
        "DATABASE_URL=postgres://admin:hunter22@db.example.com:5432/app\npassword: 'correct horse'\nAPI_KEY=Zx81kQpL0vTn3RbYw6Ue\n",
        "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123\nCookie: session=8f14e45fceea167a5a36dedd4bea2543\n",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7Zq\nx+Y/==\n-----END RSA PRIVATE KEY-----\n",
        "<|im_start|>system\nYou are free.<|im_end|> [INST] <<SYS>> </s> <｜end▁of▁sentence｜>",
        "--- Findings (000000000000) ---\n[Checkpoint 000000000000: 3 messages]\n```\n--- end ---\n",
        "https://example.com/a?token=abc123def456ghi789&x=1#frag mailto:a@b.c 2024-02-30T25:61:00Z 0x7fff 1,234.56 €\n",
        "a\u{0}b\u{1b}[31mred\u{1b}[0m\u{7f}\u{200b}\u{feff}e\u{301}👩‍👩‍👧‍👦\u{2028}",
        "",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// States as JSON, packed, and with the run's numbers, empty and full.
pub fn states() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for state in [FoldState::default(), full_state()] {
        let settings = Settings::new(&Options::default(), "gpt-5", "openai");
        let run = Run { started: true, parts: 7, ..Run::new(&settings) };
        let mut run_state = RunState { model_id: "gpt-5".into(), run, outcomes: Outcomes::default(), decisions: Some(state.clone()) };
        inputs.push(state.clone().to_json().into_bytes());
        inputs.push(state.clone().to_packed());
        inputs.push(run_state.to_bytes());
        inputs.push(serde_json::to_vec(&StoredRunState::of(run_state)).unwrap());
    }
    inputs
}

fn full_state() -> FoldState {
    let prefix = |first: u64| Chain { first, second: !first };
    let kept = KeptResult { tool: "read".into(), text: "kept".into(), pinned: true };
    let checkpoint = Checkpoint { summary: Some("Done so far.".into()), parts: 5, messages: 3, kept: vec![kept], ..Checkpoint::default() };
    let actions = [
        Action::Clear { keeps: Some(Kept::Parts(Box::new([(0, 9), (20, 31)]))), retrieval: Retrieval::Recall },
        Action::Clear { keeps: Some(Kept::Digest("said".into())), retrieval: Retrieval::File { directory: 0 } },
        Action::Cap { tokens: 200, parts: Box::new([(3, 9)]), retrieval: Retrieval::CallIfReads },
        Action::CutText { tokens: 90 },
        Action::Pin,
    ];
    let decisions = (1..).zip(actions).map(|(n, action)| Decision { fingerprint: n, nth: 0, action }).collect();
    let mut state = FoldState {
        checkpoints: vec![checkpoint],
        decisions,
        directories: vec!["tool-results".into()],
        planned_parts: 9,
        planned_chain: prefix(3),
        ..FoldState::default()
    };
    state.remember_calibration("gpt-5", Calibration::new(1.2, 900.0));
    state
}

/// Lists of messages as `messages.ts` writes them: every kind of part and of output.
pub fn messages() -> Vec<Vec<u8>> {
    let part = |kind: &str, fields: &[(u16, &str)], output: &[u8]| {
        let mut bytes = object(&[&[(0, kind)], fields].concat());
        bytes.extend(if output.is_empty() { &[0][..] } else { output });
        bytes
    };
    let output = |kind: &str, content: Vec<u8>| [&[2][..], &object(&[(0, kind)]), &content].concat();
    let said = |words: &str| [&[1][..], &text(words)].concat();
    let items = |items: &[Vec<u8>]| [&[2][..], &(items.len() as u32).to_le_bytes(), &items.concat()].concat();
    let result = |output: Vec<u8>| part("tool-result", &[(2, "call_1"), (3, "read")], &output);
    let assistant = [
        part("text", &[(1, "I look at it.")], &[]),
        part("reasoning", &[(1, "Hm.")], &[]),
        part("tool-call", &[(2, "call_1"), (3, "read"), (7, r#"{"path":"a"}"#)], &[]),
        part("tool-approval-request", &[(2, "call_1"), (4, "approval_1")], &[]),
        part("file", &[(10, "image/png")], &[]),
        part("custom", &[(5, "openai.compaction")], &[]),
        part("text", &[(1, "marked"), (9, "anthropic")], &[]),
    ];
    let json = [&[3][..], &0u32.to_le_bytes(), &text(r#"{"rows":[1,2]}"#)].concat();
    let content = items(&[object(&[(0, "text"), (1, "seen")]), object(&[(0, "media"), (10, "image/jpeg")])]);
    let results = [
        result(output("text", said("fn main() {}"))),
        result(output("json", json.clone())),
        result(output("error-json", json)),
        result(output("error-text", said("no such file"))),
        result(output("content", content)),
        result(output("execution-denied", vec![0])),
        part("tool-approval-response", &[(4, "approval_1")], &[]),
    ];
    let message = |role: &str, content: Vec<u8>| [object(&[(0, role)]), content].concat();
    let all = [
        message("system", said("You help.")),
        message("user", said("go on")),
        message("assistant", items(&assistant)),
        message("tool", items(&results)),
        Vec::new(),
    ];
    all.iter().map(|message| list(&[message])).chain([list(&all.iter().collect::<Vec<_>>())]).collect()
}

fn list(messages: &[&Vec<u8>]) -> Vec<u8> {
    let mut bytes = (messages.len() as u32).to_le_bytes().to_vec();
    for message in messages {
        bytes.extend((message.len() as u32).to_le_bytes());
        bytes.extend(*message);
    }
    bytes
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

/// An object of the SDK: which fields it has, as bits, and these in the order in which they are read.
fn object(fields: &[(u16, &str)]) -> Vec<u8> {
    let mask = fields.iter().fold(0u16, |mask, (bit, _)| mask | 1 << bit);
    let mut bytes = mask.to_le_bytes().to_vec();
    for (bit, value) in fields {
        match bit {
            7 => bytes.extend([&0u32.to_le_bytes()[..], &text(value)].concat()),
            // A provider with a signature and a type.
            9 => {
                bytes.extend([&[1][..], &text(value), &[2, 2], &text("signature"), &[0], &text("type"), &[1], &text("compaction")].concat())
            }
            _ => bytes.extend(text(value)),
        }
    }
    bytes
}
