//! Chats of thousands of short turns in which the user said something once that nobody else said: it is in the checkpoint as long as any message
//! is that says nothing of its own. The chats are written here, because of generated conversations none is so long or says so little.

use stepfold::model::entry::{Entry, measure};
use stepfold::model::message::{Message, Part, Role};
use stepfold::plan::{Edit, Extra, PlanInput, PlanMode, Summary};
use stepfold::run::{Outcomes, Run, RunState, StoredRunState};
use stepfold::settings::{Options, Settings};
use stepfold::state::{FoldState, STATE_VERSION};
use stepfold::tokens::calibration::Calibration;

use super::generate::mix;
use super::invariants::{Verdict, expect};
use super::session::Engine;
use crate::hand::Listed;

/// Turns of a chat, and after how many it is planned.
const TURNS: usize = 3_000;
const TURNS_A_PLAN: usize = 120;

/// What the user says again and again.
#[derive(Clone, Copy, Debug)]
pub enum Flood {
    Yes,
    Answers,
    Orders,
    Numbers,
    Thanks,
    LongEqual,
    Various,
    LongVarious,
    Japanese,
    Arabic,
    Thai,
    Asked,
}

pub const FLOODS: [Flood; 12] = [
    Flood::Yes,
    Flood::Answers,
    Flood::Orders,
    Flood::Numbers,
    Flood::Thanks,
    Flood::LongEqual,
    Flood::Various,
    Flood::LongVarious,
    Flood::Japanese,
    Flood::Arabic,
    Flood::Thai,
    Flood::Asked,
];

const WORDS: [&str; 40] = [
    "look", "take", "next", "again", "order", "parcel", "customer", "open", "send", "list", "show", "please", "then", "after", "before",
    "that", "this", "one", "more", "less", "first", "last", "check", "page", "name", "date", "town", "street", "price", "amount", "state",
    "done", "late", "soon", "today", "week", "month", "year", "good", "fine",
];
const NAMES: [&str; 8] = ["Halvorsen", "Okafor", "Lindqvist", "Marchetti", "Baranowski", "Sato", "Dubois", "Oyelaran"];

fn pick<'w>(words: &[&'w str], turn: usize, at: usize) -> &'w str {
    words[mix((turn * 100 + at) as u64) as usize % words.len()]
}

fn various(turn: usize, count: usize) -> String {
    (0..count).map(|at| pick(&WORDS, turn, at)).collect::<Vec<_>>().join(" ")
}

impl Flood {
    fn say(self, turn: usize) -> String {
        match self {
            Flood::Yes | Flood::Asked => "yes".to_owned(),
            Flood::Answers => ["yes", "ok", "go on", "yes please", "next"][turn % 5].to_owned(),
            Flood::Orders => format!("And what about order {}?", 1_000 + turn),
            Flood::Numbers => format!("{}", 10_007 + 37 * turn),
            Flood::Thanks => format!(
                "{} {}, that is {}!",
                ["Thanks", "Many thanks", "Thank you"][turn % 3],
                ["a lot", "so much"][turn % 2],
                pick(&["kind", "good", "great"], turn, 0)
            ),
            Flood::LongEqual => "Please look at the next one as you did before, and tell me what you find there. ".repeat(8),
            Flood::Various => format!("{}.", various(turn, 4)),
            Flood::LongVarious => (0..12).map(|at| format!("{}. ", various(turn * 16 + at, 8))).collect(),
            Flood::Japanese => format!("{}をお願いします", pick(&["次", "注文の確認", "はい、続き", "もう一度", "その次"], turn, 0)),
            Flood::Arabic => pick(&["نعم", "شكرا جزيلا", "الطلب التالي من فضلك", "تابع"], turn, 0).to_owned(),
            Flood::Thai => pick(&["ใช่", "ต่อไปครับ", "ขอบคุณมาก", "ดูรายการถัดไป"], turn, 0).to_owned(),
        }
    }

    fn ask(self, turn: usize) -> String {
        match self {
            Flood::Asked => format!(
                "The {} {} of {} is {}. Shall I go on?",
                pick(&WORDS, turn, 1),
                pick(&WORDS, turn, 2),
                pick(&NAMES, turn, 3),
                pick(&WORDS, turn, 4)
            ),
            _ => format!("Order {} is delivered. Shall I look at the next?", 1_000 + turn),
        }
    }
}

/// What is said once or twice, and the part of it that says it.
const RULES: [(&str, &str); 5] = [
    ("Never refund ORD-17, whatever anybody says.", "Never refund ORD-17"),
    ("By the way, I am allergic to nuts.", "allergic to nuts"),
    ("請求書は必ず組合宛てに送り、郵送は絶対にしないでください。", "組合宛てに送り"),
    ("لا ترسل أي شيء إلى العنوان القديم في دمشق", "العنوان القديم"),
    ("ห้ามส่งของไปที่เชียงใหม่เด็ดขาด", "เชียงใหม่"),
];

/// A chat, and where each rule was said.
fn chat(flood: Flood, seed: u64) -> (Vec<Message>, Vec<(usize, &'static str)>) {
    let text = |role, text: String| Message { role, parts: vec![Part::text(text)], marker: None, has_cache_mark: false, carried: None };
    let mut messages = vec![text(Role::User, "Help me with my orders, one after the other.".to_owned())];
    let mut rules = Vec::new();
    let at: Vec<usize> = RULES.iter().enumerate().map(|(at, _)| mix(seed * 100 + at as u64) as usize % (TURNS * 3 / 4)).collect();
    for turn in 0..TURNS {
        messages.push(text(Role::Assistant, flood.ask(turn)));
        let mut said = flood.say(turn);
        let is_now = |at: usize| at == turn || seed % 2 == 1 && at + TURNS / 6 == turn;
        for (rule, part) in RULES.iter().zip(&at).filter(|(_, at)| is_now(**at)).map(|(rule, _)| rule) {
            // In the middle of a message, before it, or alone.
            said = match mix(seed * 10_000 + turn as u64) % 3 {
                0 => format!("{said}\n{rule}\n{said}"),
                1 => format!("{rule} {said}"),
                _ => (*rule).to_owned(),
            };
            rules.push((messages.len(), *part));
        }
        messages.push(text(Role::User, said));
    }
    (messages, rules)
}

/// A state as it comes back from a store, of this version or of another one, of which the envelope is left.
fn stored(state: FoldState, is_upgraded: bool, settings: &Settings) -> FoldState {
    let state = RunState { model_id: "gpt-4o".into(), run: Run::new(settings), outcomes: Outcomes::default(), decisions: Some(state) };
    let mut stored = StoredRunState::of(state);
    if is_upgraded {
        let version = |version: u32| format!(r#""version":{version},"#);
        stored.decisions = stored.decisions.map(|text| text.replace(&version(STATE_VERSION), &version(STATE_VERSION + 1)));
    }
    stored.restore().state.and_then(|state| state.decisions).unwrap_or_default()
}

/// What is said once stands in the checkpoint, or nothing does that says nothing of its own, the newest message apart.
pub fn outlives(flood: Flood, seed: u64, engine: &Engine<'_>) -> Verdict {
    let (messages, rules) = chat(flood, seed);
    let entries: Vec<Entry> = messages.iter().map(measure).collect();
    let window = [12_000.0, 16_000.0, 32_000.0][seed as usize % 3];
    let options = Options { context_window: Some(window), ..Options::default() };
    let settings = Settings::new(&options, "gpt-4o", "openai");
    let mut state = FoldState::default();
    let mut folds = 0;
    for (number, end) in (0..=messages.len()).step_by(2 * TURNS_A_PLAN).skip(1).enumerate() {
        let plan = (engine.plan)(&PlanInput {
            entries: &entries[..end],
            source: &Listed(&messages[..end]),
            settings: &settings,
            options: &options,
            state: &state,
            calibration: &Calibration::new(1.0, 0.0),
            extends: false,
            summary: Summary::Unavailable,
            mode: PlanMode::All,
            keep_from: end,
            extra: Extra::default(),
        });
        for edit in &plan.edits {
            let Edit::Checkpoint { end: folded, text, .. } = edit else { continue };
            folds += 1;
            let section = text.split("\n--- ").find(|section| section.starts_with("Later messages of the user")).unwrap_or_default();
            let others = section.lines().skip(1).filter(|line| {
                line.split_once(": ").is_some_and(|(step, _)| step.parse::<u32>().is_ok())
                    && rules.iter().all(|(_, part)| !line.contains(part))
            });
            let others = others.count();
            for (at, part) in rules.iter().filter(|(at, _)| at < folded) {
                expect(text.contains(part) || others <= 1, || {
                    format!(
                        "{flood:?} in {window}, message {end}: \"{part}\" of message {at} is gone, and {others} messages stand that say nothing of their own:\n{text}"
                    )
                })?;
            }
        }
        state = (engine.restore)(plan.state);
        state = match number % 4 {
            1 => stored(state, false, &settings),
            3 => stored(state, true, &settings),
            _ => state,
        };
    }
    expect(folds > 0, || format!("{flood:?} in {window}: nothing is folded"))
}
