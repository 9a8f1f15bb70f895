//! Input that nobody should send: any role with any part, garbage JSON, forged states, damaged entries, numbers that are none.
//! The only promise tested here is the last one: nothing panics, and what cannot be used is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use stepfold::digest::act::{Act, Acts, OlderActs};
use stepfold::digest::failure::Failing;
use stepfold::digest::findings::Finding;
use stepfold::digest::plan::{Plan, PlanItem, PlanStatus};
use stepfold::digest::record::{Conclusion, Later, LogLine, Record, UserMessage};
use stepfold::digest::tools::{Keep, ToolRule};
use stepfold::model::entry::{Entry, measure};
use stepfold::model::history::{History, Place};
use stepfold::model::message::{Call, Extent, Item, Json, Media, MediaKind, Message, Outcome, Output, Part, Role, ToolResult};
use stepfold::plan::{Ahead, Answer};
use stepfold::plan::{
    Budget, DigestGiven, DroppedReasoning, Extra, Offloads, PlanInput, PlanMode, RequestedSpan, Source, StandDown, Summary,
};
use stepfold::providers::check::check_messages;
use stepfold::providers::owner::HistoryOption;
use stepfold::results::returned::Member;
use stepfold::run::{Outcomes, ProviderEdits, Run, RunState, Usage};
use stepfold::settings::{Optimize, Options, Settings, Threshold};
use stepfold::state::{Action, Checkpoint, Decision, FoldState, Head, Kept, KeptResult, Outline, Retrieval};
use stepfold::text::worth::FEATURES;

use super::generate::{Bits, mix};
use super::invariants::Verdict;
use super::session::Engine;

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
                uncached_input: stream.number(),
                own_prompt: stream.number(),
                may_be_sum: stream.number(),
                applied_edits: stream.number(),
                thinking_edits: stream.number(),
                cleared_tokens: stream.number(),
                output: stream.number(),
                full_window: stream.number(),
                binds_thoughts: stream.number(),
                asks: f64::from(stream.pick(9) as u32),
            },
        );
        run.try_skip_plan(&settings, &entries, stream.pick(2) == 0, stream.pick(2) == 0);
        Budget::new(&settings, &run.calibration, true, None).prompt_tokens(stream.bits().0);
        let keep = stream.of(&[Keep::Always, Keep::Normal, Keep::Never]);
        let options = Options {
            tools: vec![ToolRule { tool: "Read".to_owned(), keep, has_digest: stream.pick(2) == 0, ..ToolRule::default() }],
            ..Options::default()
        };
        let text = text(stream);
        let keep_from = stream.of(&[usize::MAX, 0, 1, 3, messages.len()]);
        let offloads = stream.of(&[Offloads::None, Offloads::New, Offloads::All]);
        let plan = (engine.plan)(&PlanInput {
            entries: &entries,
            source: &Changed(&read_again, offloads),
            settings: &settings,
            options: &options,
            state: &state,
            calibration: &run.calibration,
            extends: stream.pick(2) == 0,
            summary: stream.of(&[Summary::NotRequested, Summary::Unavailable, Summary::Given(&text)]),
            mode: stream.of(&[
                PlanMode::All,
                PlanMode::Preview,
                PlanMode::Clear,
                PlanMode::Checkpoint,
                PlanMode::Compact,
                PlanMode::Fold,
                PlanMode::Prune,
            ]),
            keep_from,
            extra: Extra {
                requested_span: stream.of(&[None, Some(()), Some(())]).map(|()| RequestedSpan {
                    start: stream.pick(6) as usize,
                    end: stream.pick(12) as usize,
                    part: stream.pick(6) as u32,
                    previous: stream.of(&[None, Some(&*text)]),
                    shown: stream.of(&[None, Some(&*text)]),
                }),
                focus: None,
                inserted: stream.of(&[&[][..], &[1], &[0, 2, 5]]),
                pins: &entries
                    .iter()
                    .flat_map(|entry| &entry.parts)
                    .map(|part| part.fingerprint)
                    .take(stream.pick(3) as usize)
                    .collect::<Vec<_>>(),
                working: stream.of(&[None, Some("{\"plan\":[\"a\",{\"b\":1}],\"notes\":\"n\"}"), Some("{")]),
                note: stream.of(&[None, Some(&*text)]),
                digests: &(0..stream.pick(3))
                    .map(|_| DigestGiven {
                        result: Place { message: stream.pick(12) as usize, part: stream.pick(3) as usize },
                        text: stream.of(&[None, Some(&*text)]).map(str::to_owned),
                    })
                    .collect::<Vec<_>>(),
                ahead: &requested_ahead(stream),
                offloads,
                asks_ahead: stream.pick(2) == 0,
                loses_thoughts: stream.of(&[None, Some(DroppedReasoning::Refused)]),
                sent_all_thoughts: stream.pick(2) == 0,
                stands_down: match stream.pick(8) {
                    0 => Some(StandDown::AppliedEdits { cleared_tokens: stream.number() }),
                    1 => Some(StandDown::HistoryElsewhere { by: HistoryOption::Conversation }),
                    _ => None,
                },
            },
        });
        run.planned(&plan, &entries);
        let _ = RunState::read(
            &RunState { model_id: text.clone(), run, outcomes: Outcomes::default(), decisions: Some(plan.state.clone()) }.to_bytes(),
        );
        let sent = (engine.apply)(&messages, &plan.edits);
        (engine.apply)(&read_again[..read_again.len() / 2], &plan.edits);
        check_messages(&sent);
        sent.iter().for_each(|message| drop(measure(message).to_bytes()));
        state = FoldState::from_json(&plan.state.clone().to_json()).unwrap_or_default();
    }
    garbage_json(stream, &mut state);
}

fn requested_ahead(stream: &mut Stream) -> Vec<Ahead> {
    let answers = [Answer::Pending, Answer::Failed, Answer::Given("a b c".into())];
    (0..stream.pick(3)).map(|_| Ahead { key: text(stream), answer: stream.of(&[&answers[0], &answers[1], &answers[2]]).clone() }).collect()
}

struct Changed<'a>(&'a [Message], Offloads);

impl Source for Changed<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        self.0.get(index).cloned()
    }

    fn offload_directory(&self) -> Option<&str> {
        (self.1 != Offloads::None).then_some("tool-results")
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
    let mut settings = sound;
    for _ in 0..1 + stream.pick(4) {
        let number = stream.number();
        let threshold = stream.of(&[Threshold::Share(number), Threshold::Tokens(number)]);
        match stream.pick(21) {
            0 if number > 0.0 => settings.window_tokens = number,
            1 => settings.reserve_tokens = number,
            2 => settings.prior_ratio = number,
            3 => settings.trigger = Some(threshold),
            4 => settings.target = Some(threshold),
            5 => settings.summarize_at = Some(threshold),
            6 => settings.summarize_ahead = Some(threshold),
            7 => settings.keep_recent_tokens = Some(number),
            8 => settings.keep_recent_turns = number as u32,
            9 => settings.keep_recent_messages = number as u32,
            20 => settings.keep_images = Some(number as u32),
            10 => settings.min_clear_tokens = Some(number),
            11 => settings.max_result_tokens = Some(number),
            12 => settings.summary_tokens = number as u32,
            13 => settings.overhead_tokens = number,
            14 => settings.has_summarizer ^= true,
            15 => settings.has_tokenizer ^= true,
            16 => settings.optimize = stream.of(&[Optimize::Cost, Optimize::Recall]),
            17 => settings.prices.output = number,
            18 => settings.prices.cache_read = number,
            _ => settings.prices.cache_write = number,
        }
    }
    settings
}

fn run(stream: &mut Stream, settings: &Settings) -> Run {
    let fresh = Run::new(settings);
    let mut run = Run { started: true, ..fresh };
    for _ in 0..stream.pick(5) {
        let number = stream.number();
        match stream.pick(16) {
            0 => run.sent_estimated = number,
            1 => run.raw_estimated = number,
            2 => run.sent_extends ^= true,
            3 => run.native_compaction ^= true,
            4 => run.provider_edits = stream.of(&[ProviderEdits::Seen, ProviderEdits::Expected, ProviderEdits::Asked]),
            5 => run.skip_plan_below_tokens = number,
            6 => run.parts = number as u32,
            7 => run.chain.first = stream.bits().0,
            8 => run.failures = number as u32,
            9 => run.rest = number as u32,
            10 => run.awaits ^= true,
            11 => run.calibration.overhead_tokens = number,
            12 => run.calibration.ratio = number,
            13 => run.calibration.anchor_reported_tokens = number,
            14 => run.calibration.smallest_estimated_tokens = number,
            _ => run.calibration.is_silent ^= true,
        }
    }
    // What is unsound does not come back from the bytes.
    RunState::read(&RunState { model_id: String::new(), run, outcomes: Outcomes::default(), decisions: None }.to_bytes())
        .map_or(fresh, |state| state.run)
}

/// A record that no reader wrote.
fn record(stream: &mut Stream) -> Record {
    let step = |stream: &mut Stream| stream.of(&[0, 3, u32::MAX]);
    Record {
        steps: step(stream),
        request: text(stream),
        users: (0..stream.pick(3))
            .map(|_| UserMessage {
                step: step(stream),
                text: text(stream),
                question: text(stream),
                denies: text(stream),
                attached: text(stream),
                shown: stream.pick(3) as u32,
                by_app: stream.pick(2) == 0,
                count: step(stream),
            })
            .collect(),
        omitted_users: step(stream),
        conclusions: (0..stream.pick(3)).map(|_| Conclusion { step: step(stream), text: text(stream) }).collect(),
        plan: Plan {
            items: vec![PlanItem { id: text(stream), text: text(stream), status: PlanStatus::Active }],
            text: text(stream),
            changed_at_step: step(stream),
        },
        acts: Acts {
            newest: (0..stream.pick(3))
                .map(|_| Act {
                    step: step(stream),
                    tool: text(stream),
                    call: text(stream),
                    returned: vec![Member { name: text(stream), value: text(stream) }],
                    key: text(stream),
                    ..Act::default()
                })
                .collect(),
            older: vec![OlderActs { tool: text(stream), count: step(stream), step: step(stream), keys: vec![text(stream)] }],
        },
        approved: vec![text(stream)],
        readers: vec![text(stream)],
        failing: vec![Failing { tool: text(stream), call: text(stream), line: text(stream), step: step(stream), ..Failing::default() }],
        findings: (0..stream.pick(4))
            .map(|_| Finding {
                place: text(stream),
                under: text(stream),
                text: text(stream),
                step: step(stream),
                order: step(stream),
                after: (stream.pick(2) == 0).then(|| step(stream)),
                features: [stream.of(&[0, 1, 9, 15, 255]); FEATURES],
                by_user: stream.pick(2) == 0,
            })
            .collect(),
        log: vec![LogLine {
            step: step(stream),
            text: text(stream),
            outcome: text(stream),
            count: step(stream),
            is_note: stream.pick(2) == 0,
            open: 0,
        }],
        omitted_log: step(stream),
        last_words: (step(stream), text(stream)),
        later: Later { goes_on: true },
    }
}

/// A forged state: decisions and checkpoints that match the list, with contents that do not.
fn state(stream: &mut Stream, entries: &[Entry]) -> FoldState {
    let mut state = FoldState::default();
    state.directories.extend((stream.pick(2) == 0).then(|| "elsewhere".to_owned()));
    let fingerprints: Vec<u64> = entries.iter().flat_map(|entry| &entry.parts).map(|part| part.fingerprint).collect();
    for _ in 0..stream.pick(5) {
        let tokens = stream.of(&[0, 1, 50, 1_000, u32::MAX]);
        let action = match stream.pick(7) {
            0 => Action::Clear {
                keeps: match stream.pick(3) {
                    0 => None,
                    1 => Some(Kept::Digest(text(stream).into())),
                    _ => Some(Kept::Parts([(tokens / 2, tokens), (1, 0)].into())),
                },
                retrieval: stream.of(&[
                    Retrieval::Call,
                    Retrieval::CallIfReads,
                    Retrieval::Nothing,
                    Retrieval::Recall,
                    Retrieval::File { directory: 0 },
                    Retrieval::File { directory: 200 },
                ]),
            },
            1 => Action::Cap {
                tokens,
                parts: stream.of::<&[(u32, u32)]>(&[&[], &[(0, 5), (9, 12)], &[(7, 2), (1, u32::MAX)]]).into(),
                retrieval: stream.of(&[Retrieval::Call, Retrieval::CallIfReads, Retrieval::Nothing, Retrieval::Recall]),
            },
            2 => Action::CutInput { tokens },
            3 => Action::OmitMedia { tokens, reads: tokens == 50 },
            4 => Action::AgeImages,
            5 => Action::Pin,
            _ => Action::CutText { tokens },
        };
        let fingerprint = if fingerprints.is_empty() { 1 } else { fingerprints[stream.pick(fingerprints.len() as u64) as usize] };
        state.decisions.push(Decision { fingerprint, nth: stream.of(&[0, 0, 1, u32::MAX]), action });
    }
    for _ in 0..stream.pick(3) {
        let blank = FoldState::default();
        let history = History::new(entries, &blank);
        let at = stream.pick(entries.len() as u64 + 2) as usize;
        let (parts, chain) = history.boundary(at);
        let outline = if stream.pick(3) == 0 { entries.len() } else { at };
        let prints = (0..stream.pick(40)).map(|_| stream.pick(256) as u8).collect();
        state.checkpoints.push(Checkpoint {
            behind_parts: stream.of(&[0, 0, 3, u32::MAX]),
            recalls: stream.pick(2) == 0,
            parts: if stream.pick(5) == 0 { u32::MAX } else { parts },
            chain,
            outline: Outline { prefix: history.outline(outline), prints },
            messages: stream.of(&[3, u32::MAX]),
            folded_tokens: stream.of(&[3, u32::MAX]),
            record: record(stream),
            tokens: stream.of(&[0, 100, 5_000, u32::MAX]),
            working: text(stream),
            note: text(stream),
            app_has_plan: stream.pick(2) == 0,
            summary: (stream.pick(2) == 0).then(|| text(stream)),
            summary_end: stream.of(&[0, 3, u32::MAX]),
            head: (stream.pick(2) == 0).then(|| Head { from: stream.pick(6) as u32, to: stream.pick(9) as u32 }),
            media: fingerprints.iter().take(2).copied().collect(),
            ends_within_turn: stream.pick(2) == 0,
            results_in: stream.of(&["", "tool-results", "elsewhere"]).to_owned(),
            kept: (0..stream.pick(2)).map(|_| KeptResult { tool: text(stream), text: text(stream), pinned: stream.pick(2) == 0 }).collect(),
        });
    }
    state.planned_parts = stream.of(&[0, 2, u32::MAX]);
    state
}

fn message(stream: &mut Stream) -> Message {
    let role = stream.of(&[Role::User, Role::Assistant, Role::Tool, Role::System, Role::Unknown]);
    let parts = (0..stream.pick(6)).map(|_| part(stream)).collect();
    let marker = (stream.pick(6) == 0).then(|| stream.of(&["", "000000000000", "x"]).to_owned());
    Message { role, parts, marker, has_cache_mark: false, carried: None }
}

fn part(stream: &mut Stream) -> Part {
    let id = stream.of(&["a", "b", "", "a"]).to_owned();
    let name = stream.of(&["Read", "Write", "", "TodoWrite", "Bash", "apply_patch"]).to_owned();
    let bytes = stream.of(&[0, 1, 77, 5_000, 1 << 20, 1 << 32]);
    let native_compaction = stream.pick(40) == 0;
    match stream.pick(9) {
        0 | 1 => Part::Text { text: text(stream), native_compaction, marker: (stream.pick(20) == 0).then(|| text(stream)) },
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
            let (provider_executed, adds_tools) = (stream.pick(5) == 0, stream.pick(9) == 0);
            let outcome = stream.of(&[None, None, Some(Outcome::NotRun), Some(Outcome::Aborted), Some(Outcome::Succeeded)]);
            Part::Result(ToolResult { id, name, output, provider_executed, marker, adds_tools, outcome })
        }
        7 => match stream.pick(2) {
            0 => Part::ApprovalRequest { approval_id: id.clone(), call_id: id, is_automatic: stream.pick(2) == 0 },
            _ => Part::ApprovalResponse { approval_id: id, approved: stream.pick(2) == 0, reason: text(stream) },
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
    let bytes = stream.of(&[None, Some(0), Some(3), Some(1 << 20), Some(u64::MAX)]);
    Media { bytes, extent, ..Media::absent(kind, sample) }.named(&text(stream))
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
