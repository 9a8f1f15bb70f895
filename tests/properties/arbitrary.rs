//! Input that nobody should send: any role with any part, garbage JSON, forged states, damaged entries, numbers that are none.
//! The only promise tested here is the last one: nothing panics, and what cannot be used is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use stepfold::check::check_messages;
use stepfold::entry::{Entry, measure};
use stepfold::history::History;
use stepfold::message::{Call, Extent, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use stepfold::plan::ahead::{Ahead, Answer};
use stepfold::plan::{Budget, Extra, PlanInput, Rungs, Source, Summary};
use stepfold::record::outcome::Status;
use stepfold::record::plan::{Plan, PlanItem, PlanStatus};
use stepfold::record::work::{Asked, CommandWork, Conclusion, Failure, FileWork, Finding, LogLine, Reading, Record, Stretch, Worth};
use stepfold::run::{RUN_NUMBERS, Run, Usage};
use stepfold::settings::{Options, SETTINGS_NUMBERS, Settings};
use stepfold::state::{Action, Checkpoint, Decision, FoldState, Head, KeptLines, KeptResult};

use crate::generate::{Bits, mix};
use crate::invariants::Verdict;
use crate::session::Engine;

/// 11. Nothing panics, whatever comes in.
pub fn no_panic(seed: u64, engine: &Engine<'_>) -> Verdict {
    let run = AssertUnwindSafe(|| exercise(&mut Stream(seed), engine));
    catch_unwind(run).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("seed {seed}: {}", text.unwrap_or_default())
    })
}

/// An endless stream of choices.
struct Stream(u64);

impl Stream {
    fn bits(&mut self) -> Bits {
        self.0 = mix(self.0);
        Bits(self.0)
    }

    fn pick(&mut self, count: u64) -> u64 {
        self.bits().pick(count)
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        self.bits().of(choices)
    }

    fn number(&mut self) -> f64 {
        let any = f64::from_bits(self.bits().0);
        let small = self.pick(10_000) as f64;
        self.of(&[0.0, 1.0, small, small / 10_000.0, -1.0, any, f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, 1e9])
    }
}

fn exercise(stream: &mut Stream, engine: &Engine<'_>) {
    let messages: Vec<Message> = (0..stream.pick(14)).map(|_| message(stream)).collect();
    let mut entries: Vec<Entry> = messages.iter().map(measure).collect();
    check_messages(&messages);
    // What is read again may not be what was measured: applications change messages.
    let read_again: Vec<Message> = if stream.pick(4) == 0 { messages.iter().rev().cloned().collect() } else { messages.clone() };
    if stream.pick(3) == 0 {
        entries.iter_mut().for_each(|entry| damage(entry, stream));
    }
    let settings = settings(stream);
    let mut run = run(stream, &settings);
    let mut state = state(stream, &entries);
    for _ in 0..2 {
        run.learn(
            &settings,
            &Usage {
                input: stream.number(),
                cache_read: stream.number(),
                cache_write: stream.number(),
                told_apart: stream.number(),
                own_prompt: stream.number(),
                applied_edits: stream.number(),
                thinking_edits: stream.number(),
                cleared_tokens: stream.number(),
            },
        );
        run.glance(&settings, &entries);
        Budget::new(&settings, &run.calibration, true, None).prompt_tokens(stream.bits().0);
        let names: &[String] = &["Read".to_owned()];
        let options = Options { protected_tools: names[..stream.pick(2) as usize].to_vec(), ..Options::default() };
        let text = text(stream);
        let keep_from = stream.of(&[usize::MAX, 0, 1, 3, messages.len()]);
        let plan = (engine.plan)(&PlanInput {
            entries: &entries,
            source: &Changed(&read_again),
            settings: &settings,
            options: &options,
            state: &state,
            calibration: &run.calibration,
            extends: stream.pick(2) == 0,
            summary: stream.of(&[Summary::NotAsked, Summary::Unavailable, Summary::Given(&text)]),
            rungs: stream.of(&[Rungs::All, Rungs::All, Rungs::Clear, Rungs::Checkpoint, Rungs::Compact]),
            keep_from,
            extra: Extra {
                focus: None,
                working: stream.of(&[None, Some("{\"plan\":[\"a\",{\"b\":1}],\"notes\":\"n\"}"), Some("{")]),
                ahead: &asked_ahead(stream),
                asks_ahead: stream.pick(2) == 0,
                wants_preview: stream.pick(2) == 0,
                provider_clears: (stream.pick(4) == 0).then(|| stream.number()),
            },
        });
        run.planned(&plan, &entries);
        let _ = Run::from_numbers(&run.to_numbers());
        let sent = (engine.apply)(&messages, &plan.edits);
        (engine.apply)(&read_again[..read_again.len() / 2], &plan.edits);
        check_messages(&sent);
        sent.iter().for_each(|message| drop(measure(message).to_bytes()));
        state = FoldState::from_json(&plan.state.clone().to_json()).unwrap_or_default();
    }
    garbage_json(stream, &mut state);
}

fn asked_ahead(stream: &mut Stream) -> Vec<Ahead> {
    let answers = [Answer::Pending, Answer::Failed, Answer::Given("a b c".into())];
    (0..stream.pick(3)).map(|_| Ahead { key: text(stream), answer: stream.of(&[&answers[0], &answers[1], &answers[2]]).clone() }).collect()
}

struct Changed<'a>(&'a [Message]);

impl Source for Changed<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        self.0.get(index).cloned()
    }
}

/// Reading a state or an entry from damaged bytes gives nothing or something usable.
fn garbage_json(stream: &mut Stream, state: &mut FoldState) {
    let mut json = state.to_json().into_bytes();
    for _ in 0..1 + stream.pick(3) {
        let index = stream.pick(json.len() as u64) as usize;
        json[index] = stream.pick(256) as u8;
    }
    let _ = FoldState::from_json(&String::from_utf8_lossy(&json));
    let _ = FoldState::from_json(&text(stream));
    let bytes: Vec<u8> = (0..stream.pick(200)).map(|_| stream.pick(256) as u8).collect();
    let _ = Entry::from_bytes(&bytes);
}

/// Changes a few bytes of an entry; keeps the entry when they are no entry any more.
fn damage(entry: &mut Entry, stream: &mut Stream) {
    let mut bytes = entry.to_bytes();
    if bytes.is_empty() {
        return;
    }
    for _ in 0..1 + stream.pick(3) {
        let index = stream.pick(bytes.len() as u64) as usize;
        bytes[index] = stream.of(&[0, 1, 2, 4, 0x7f, 0x80, 0xff]);
    }
    if let Some(damaged) = Entry::from_bytes(&bytes) {
        *entry = damaged;
    }
}

fn settings(stream: &mut Stream) -> Settings {
    let options = Options { context_window: Some(500.0 + stream.pick(6_000) as f64), ..Options::default() };
    let sound = Settings::new(&options, "gpt-5", "openai");
    if stream.pick(2) == 0 {
        return sound;
    }
    let mut numbers: [f64; SETTINGS_NUMBERS] = sound.to_numbers();
    for _ in 0..1 + stream.pick(4) {
        numbers[stream.pick(SETTINGS_NUMBERS as u64) as usize] = stream.number();
    }
    Settings::from_numbers(&numbers).unwrap_or(sound)
}

fn run(stream: &mut Stream, settings: &Settings) -> Run {
    let mut numbers: [f64; RUN_NUMBERS] = Run::new(settings).to_numbers();
    numbers[0] = 1.0;
    for _ in 0..stream.pick(5) {
        numbers[stream.pick(RUN_NUMBERS as u64) as usize] = stream.number();
    }
    Run::from_numbers(&numbers).unwrap_or_else(|| Run::new(settings))
}

/// A record that no reader wrote.
fn record(stream: &mut Stream) -> Record {
    let step = |stream: &mut Stream| stream.of(&[0, 3, u32::MAX]);
    let lines = vec![(0, u32::MAX), (7, 3)];
    Record {
        steps: step(stream),
        request: text(stream),
        rules: vec![text(stream)],
        users: (0..stream.pick(3)).map(|_| Asked { step: step(stream), text: text(stream), answers: text(stream) }).collect(),
        omitted_users: step(stream),
        conclusions: (0..stream.pick(3)).map(|_| Conclusion { step: step(stream), text: text(stream), agreed: text(stream) }).collect(),
        plan: Plan {
            items: vec![PlanItem { id: text(stream), text: text(stream), status: PlanStatus::Active }],
            text: text(stream),
            changed_at_step: step(stream),
        },
        files: vec![FileWork { path: text(stream), lines, edits: step(stream), edit_steps: (9, step(stream)), ..FileWork::default() }],
        commands: vec![CommandWork { command: text(stream), count: step(stream), step: 1, status: Status::Failed, line: text(stream) }],
        failures: vec![Failure { kind: text(stream), call: text(stream), line: text(stream), step: step(stream) }],
        findings: vec![Finding { place: text(stream), line: text(stream), step: 1, used: step(stream), worth: step(stream) }],
        readings: vec![Reading {
            path: text(stream),
            step: step(stream),
            is_changed: true,
            stretches: (0..stream.pick(3))
                .map(|_| Stretch { first: step(stream), text: text(stream), step: 1, used: step(stream) })
                .collect(),
        }],
        log: vec![LogLine { step: step(stream), text: text(stream), count: step(stream), worth: Worth::Told }],
        omitted_log: step(stream),
        last_words: (step(stream), text(stream)),
    }
}

/// A forged state: decisions and checkpoints that match the list, with contents that do not.
fn state(stream: &mut Stream, entries: &[Entry]) -> FoldState {
    let mut state = FoldState::default();
    let prints: Vec<u64> = entries.iter().flat_map(|entry| &entry.parts).map(|part| part.print).collect();
    for _ in 0..stream.pick(5) {
        let tokens = stream.of(&[0, 1, 50, 1_000, u32::MAX]);
        let action = match stream.pick(5) {
            0 => Action::Clear { tells: (tokens > 0).then_some(KeptLines { first: tokens, second: 1 }), recall: tokens % 2 == 0 },
            1 => Action::Cap { tokens },
            2 => Action::CutInput { tokens },
            3 => Action::OmitMedia { tokens },
            _ => Action::CutText { tokens },
        };
        let print = if prints.is_empty() { 1 } else { prints[stream.pick(prints.len() as u64) as usize] };
        state.decisions.push(Decision { print, nth: stream.of(&[0, 0, 1, u32::MAX]), action });
    }
    for _ in 0..stream.pick(3) {
        let blank = FoldState::default();
        let (parts, chain) = History::new(entries, &blank).boundary(stream.pick(entries.len() as u64 + 2) as usize);
        state.checkpoints.push(Checkpoint {
            parts: if stream.pick(5) == 0 { u32::MAX } else { parts },
            chain,
            messages: stream.of(&[3, u32::MAX]),
            folded_tokens: stream.of(&[3, u32::MAX]),
            record: record(stream),
            tokens: stream.of(&[0, 100, 5_000, u32::MAX]),
            working: text(stream),
            app_has_plan: stream.pick(2) == 0,
            summary: (stream.pick(2) == 0).then(|| text(stream)),
            head: (stream.pick(2) == 0).then(|| Head { from: stream.pick(6) as u32, to: stream.pick(9) as u32 }),
            media: prints.iter().take(2).copied().collect(),
            kept: (0..stream.pick(2)).map(|_| KeptResult { tool: text(stream), text: text(stream) }).collect(),
        });
    }
    state.known_parts = stream.of(&[0, 2, u32::MAX]);
    state
}

fn message(stream: &mut Stream) -> Message {
    let role = stream.of(&[Role::User, Role::Assistant, Role::Tool, Role::System, Role::Unknown]);
    let parts = (0..stream.pick(6)).map(|_| part(stream)).collect();
    let marker = (stream.pick(6) == 0).then(|| stream.of(&["", "000000000000", "x"]).to_owned());
    Message { role, parts, marker }
}

fn part(stream: &mut Stream) -> Part {
    let id = stream.of(&["a", "b", "", "a"]).to_owned();
    let name = stream.of(&["Read", "Write", "", "TodoWrite", "Bash", "apply_patch"]).to_owned();
    let bytes = stream.of(&[0, 1, 77, 5_000, 1 << 20, 1 << 32]);
    let native_compaction = stream.pick(40) == 0;
    match stream.pick(9) {
        0 | 1 => Part::Text { text: text(stream), native_compaction },
        2 => Part::Reasoning { text: text(stream), leads_loop: stream.pick(2) == 0 },
        3 => Part::Media(media(stream)),
        4 => Part::Call(Call {
            id,
            name,
            input: text(stream),
            omitted_bytes: bytes,
            provider_executed: stream.pick(3) == 0,
            caller: (stream.pick(4) == 0).then(|| "a".to_owned()),
        }),
        5 | 6 => {
            let output = output(stream);
            let marker = (stream.pick(5) == 0).then(|| text(stream));
            Part::Result(ToolResult { id, name, output, provider_executed: stream.pick(5) == 0, marker })
        }
        7 => match stream.pick(2) {
            0 => Part::ApprovalRequest { approval_id: id.clone(), call_id: id },
            _ => Part::ApprovalResponse { approval_id: id },
        },
        _ => Part::Opaque { name, bytes, native_compaction },
    }
}

fn output(stream: &mut Stream) -> Output {
    let json = Json { text: text(stream), omitted_bytes: stream.of(&[0, 5, 1 << 32]) };
    match stream.pick(7) {
        0 => Output::Text(text(stream)),
        1 => Output::Json(json),
        2 => Output::ErrorText(text(stream)),
        3 => Output::ErrorJson(json),
        4 => Output::Denied(text(stream)),
        5 => Output::Content(vec![Item::Text(text(stream)), Item::Media(media(stream)), Item::Opaque(1 << 32)]),
        _ => Output::Unknown(1 << 40),
    }
}

fn media(stream: &mut Stream) -> Media {
    let kind = stream.of(&[MediaKind::Image, MediaKind::Pdf, MediaKind::Audio, MediaKind::Video, MediaKind::Text, MediaKind::Other]);
    let sample = vec![0xff; stream.pick(20) as usize];
    let extent = stream.of(&[Extent::Unknown, Extent::Pixels(1, u32::MAX), Extent::Pixels(1_920, 1_080), Extent::Pages(u32::MAX)]);
    Media { kind, bytes: stream.of(&[None, Some(0), Some(3), Some(1 << 20), Some(1 << 32)]), sample, extent }
}

fn text(stream: &mut Stream) -> String {
    let repeated = stream.of(&["x", " ", "\n", "é", "🙂", "\u{0}", "\"", "[", "{\"a\":", "ab-12/c.d ", "字", "\\", "e\u{301}"]);
    let count = stream.of(&[0, 1, 2, 30, 400, 3_000]);
    match stream.pick(6) {
        0 => format!("{{\"path\":\"{}\",\"content\":{}}}", "p".repeat(count), serde_json::to_string(&repeated.repeat(count)).unwrap()),
        1 => format!("[{}1{}]", "[".repeat(count / 4), "]".repeat(count / 4)),
        2 => format!(
            "{{\"todos\":[{{\"content\":{},\"id\":\"x\",\"title\":\"t\"}}]}}",
            serde_json::to_string(&repeated.repeat(count)).unwrap()
        ),
        _ => repeated.repeat(count),
    }
}
