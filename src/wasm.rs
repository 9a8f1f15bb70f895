//! The boundary, and with its submodules the only files that know JavaScript. It converts and calls; it decides nothing.
//! Keeps no state: every function depends on its arguments alone, so a trapped instance can be thrown away.
//!
//! No exported function returns a `JsValue` alone: answers leave as JSON text, which TypeScript parses. V8 of Node 20 compiles calls into
//! WebAssembly into the JavaScript that makes them. When that JavaScript is deoptimised while such a call has called back, V8 aborts the
//! process if the one result of the call is a reference: `Deoptimizer::TranslatedValueForWasmReturnKind` knows numbers and nothing
//! else. A text has two results, pointer and length, and V8 never inlines a call with more than one (`CanInlineJSToWasmCall`).
//! `tests/package/node20.test.mjs` holds every export to this.

mod answer;
mod options;
mod read;
mod reader;
mod recall;
mod session;
mod write;

use js_sys::{Array, Float64Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::breakdown::{Counted, breakdown};
use crate::check::{check_messages, check_thoughts};
use crate::entry::{Entry, Meter, measure_with};
use crate::event::{self, Event};
use crate::history::History;
use crate::limits::model_limits;
use crate::message::Part;
use crate::overflow::{ErrorFacts, http_status, is_context_overflow};
use crate::plan::ahead::{self, Ahead, Fate};
use crate::plan::{Done, Extra, PlanInput, Rungs, Summary, plan};
use crate::record::excerpts::{AT_ONCE_BYTES, told};
use crate::record::identifiers::Identifiers;
use crate::run::{Run, Usage};
use crate::scan::Scanned;
use crate::settings::Settings;
use crate::state::FoldState;
use crate::tokens::calibration::has_usage_data;
use crate::tokens::media::Counting;
use answer::{AheadOut, Answer, EditOut, LimitsOut, TokensOut, ViolationOut};
use options::read_options;
use read::Scan;
use reader::Reader;
use session::read_state;
use write::{to_js, to_json};

#[wasm_bindgen]
extern "C" {
    /// What a plan may ask JavaScript for; a step without an edit asks for nothing.
    pub type PlanSource;
    /// The list is what was planned last plus the fresh messages.
    #[wasm_bindgen(method, getter)]
    fn extends(this: &PlanSource) -> bool;
    /// The run used this model before, or none.
    #[wasm_bindgen(method, getter, js_name = sameModel)]
    fn same_model(this: &PlanSource) -> bool;
    /// The first step of a run.
    #[wasm_bindgen(method, getter)]
    fn starts(this: &PlanSource) -> bool;
    /// A new request goes on from what an earlier one left, without a session.
    #[wasm_bindgen(method, getter)]
    fn begins(this: &PlanSource) -> bool;
    /// The model's id.
    #[wasm_bindgen(method, getter, js_name = modelId)]
    fn model_id(this: &PlanSource) -> String;
    /// The id of the model the run used before.
    #[wasm_bindgen(method, getter, js_name = previousModelId)]
    fn previous_model_id(this: &PlanSource) -> Option<String>;
    /// Whether somebody listens to events.
    #[wasm_bindgen(method, getter, js_name = wantsEvents)]
    fn wants_events(this: &PlanSource) -> bool;
    /// `all`, `clear`, `checkpoint` or `compact`; `preview` is `all` with a table.
    #[wasm_bindgen(method, getter)]
    fn rungs(this: &PlanSource) -> String;
    /// Index from which on nothing may be folded or cut.
    #[wasm_bindgen(method, getter, js_name = keepFrom)]
    fn keep_from(this: &PlanSource) -> usize;
    /// The summarizer's answer: undefined before it was asked, null when there is none.
    #[wasm_bindgen(method, getter)]
    fn summary(this: &PlanSource) -> JsValue;
    /// What the summary is to look at this time.
    #[wasm_bindgen(method, getter)]
    fn focus(this: &PlanSource) -> Option<String>;
    /// What the app says of its own state, as JSON.
    #[wasm_bindgen(method, getter)]
    fn working(this: &PlanSource) -> Option<String>;
    /// The options as given.
    #[wasm_bindgen(method, getter)]
    fn options(this: &PlanSource) -> JsValue;
    /// The whole list; only asked for when the list extends what was planned before.
    #[wasm_bindgen(method)]
    fn entries(this: &PlanSource) -> Scan;
    /// Messages of the list, alone: all of them, or their texts.
    #[wasm_bindgen(method)]
    fn messages(this: &PlanSource, indices: &[u32], text_only: bool) -> Scan;
    /// Whether results can be recalled by an id.
    #[wasm_bindgen(method, getter)]
    fn recalls(this: &PlanSource) -> bool;
    /// The state of this conversation, if there is one: packed, or the JSON it was restored from.
    #[wasm_bindgen(method)]
    fn state(this: &PlanSource) -> JsValue;
    /// The state after this plan, packed: beside the answer, of which it would be most.
    #[wasm_bindgen(method, js_name = keepState)]
    fn keep_state(this: &PlanSource, state: Uint8Array);
    /// Other conversations this list may continue: arrays of model id, run numbers and state.
    #[wasm_bindgen(method)]
    fn candidates(this: &PlanSource) -> Array;
    /// Summaries asked ahead of time: arrays of name and text, which is null when there is none, undefined before it is there.
    #[wasm_bindgen(method)]
    fn ahead(this: &PlanSource) -> Array;
}

/// A panic is printed before it traps, so that a report of one says what happened.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Checks options. Throws `{ code, message }`.
#[wasm_bindgen(js_name = checkOptions)]
pub fn check_options(options: &JsValue) -> Result<(), JsValue> {
    read_options(options).map(|_| ())
}

/// The numbers of options and model, to be handed back on every step.
#[wasm_bindgen(js_name = settingsFor)]
pub fn settings_for(options: &JsValue, model_id: &str, provider: &str) -> Result<Vec<f64>, JsValue> {
    Ok(Settings::new(&read_options(options)?, model_id, provider).to_numbers().to_vec())
}

/// The entries of a list; messages that were not seen before are measured, and their entries handed back.
fn entries_of(scan: &Scan, meter: Meter<'_>) -> Vec<Entry> {
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    let scanned = scan.bytes();
    let mut identifiers = Identifiers::default();
    let keeps_told = scanned.len() <= AT_ONCE_BYTES;
    let entries = read::list(scan, &scanned, |scanned| match scanned {
        Scanned::Known(entry) => entry,
        Scanned::Message(message) => {
            let mut entry = measure_with(&message, meter);
            if keeps_told {
                entry.told = told(&message, &mut identifiers);
            }
            bytes.extend(entry.to_bytes());
            ends.push(bytes.len() as u32);
            entry
        }
    });
    if !ends.is_empty() {
        scan.remember(Uint8Array::from(bytes.as_slice()), Uint32Array::from(ends.as_slice()));
    }
    entries
}

/// Plans a step. `run` is brought up to date; the answer is JSON, undefined when there is nothing to do or to tell.
/// `usage` holds the numbers of `Usage` of the step before, in its order.
#[wasm_bindgen(js_name = plan)]
pub fn plan_step(settings: &[f64], run: &mut [f64], usage: &[f64], fresh: &Scan, source: &PlanSource) -> Option<String> {
    let mut settings = Settings::from_numbers(settings)?;
    let mut numbers = Run::from_numbers(run).unwrap_or_else(|| Run::new(&settings));
    let same_model = source.same_model();
    if source.begins() {
        numbers.begin_request();
    }
    let usage = Usage::from_numbers(usage);
    if let Some(usage) = &usage {
        numbers.learn(&settings, usage);
    }
    if source.summary().is_undefined() {
        numbers.begin_step();
    }
    if source.starts() {
        numbers.begin_run();
        numbers.calibration.allow_for(settings.overhead_tokens);
    }
    settings.has_summarizer &= numbers.rest == 0;
    let meter = Meter { counting: settings.counting, count: &|text| fresh.text_tokens(&settings, text) };
    let entries = entries_of(fresh, meter);
    if source.extends()
        && same_model
        && let Some(budget) = numbers.glance(&settings, &entries)
    {
        run.copy_from_slice(&numbers.to_numbers());
        if !source.wants_events() {
            return None;
        }
        let (sent, raw) = (numbers.sent_estimated as u64, numbers.raw_estimated as u64);
        let mut events = vec![event::measured(&numbers, &settings, &budget, sent, raw, true)];
        events.extend(recommended(source));
        return Some(to_json(&Answer::telling(events)));
    }
    if stands_alone(source) && numbers.begin(&settings, &entries) {
        run.copy_from_slice(&numbers.to_numbers());
        return None;
    }
    let entries = if source.extends() { entries_of(&source.entries(), meter) } else { entries };
    let reader = Reader { source, fresh, settings: &settings };
    let answer = plan_whole(&mut numbers, entries, same_model, usage.as_ref(), &reader);
    run.copy_from_slice(&numbers.to_numbers());
    Some(answer)
}

/// Whether nothing is asked but to keep this list within its window, nobody listens, and nothing was decided before.
fn stands_alone(source: &PlanSource) -> bool {
    !source.wants_events()
        && source.rungs() == "all"
        && source.summary().is_undefined()
        && source.previous_model_id().is_none()
        && source.state().is_undefined()
        && source.candidates().length() + source.ahead().length() == 0
}

fn plan_whole(run: &mut Run, entries: Vec<Entry>, same_model: bool, usage: Option<&Usage>, reader: &Reader<'_>) -> String {
    let Reader { source, settings, .. } = *reader;
    let model = source.model_id();
    let mut events = Vec::new();
    let mut state = match read_state(&source.state()) {
        Some(Ok(state)) => Some(state),
        Some(Err(reason)) => {
            events.push(Event::StateRejected { reason });
            None
        }
        None => None,
    };
    events.extend(recommended(source));
    let mut other_model = if same_model { None } else { source.previous_model_id() };
    if !run.started && state.is_none() {
        if !settings.window_known {
            events.push(Event::UnknownModel { model_id: model.clone(), context_window: settings.window_tokens as u32 });
        }
        if let Some((known_model, known_state)) = adopt(run, &entries, source) {
            events.extend(known_state.is_some().then_some(RECOMMENDED));
            state = known_state;
            other_model = (known_model != model).then_some(known_model);
        }
    }
    let mut state = state.unwrap_or_default();
    run.meet(&mut state, settings, &model, other_model.as_deref());
    if source.starts() {
        run.calibration.allow_for(settings.overhead_tokens);
    }
    // A wrapper may have copied what was sent: then identity is lost, but what it says goes on from where the run was.
    let goes_on = same_model && other_model.is_none() && run.started;
    let extends = goes_on && (source.extends() || History::new(&entries, &state).continues(run.parts, run.chain));
    let summary_value = source.summary();
    let text = summary_value.as_string();
    let options = read_options(&source.options()).unwrap_or_default();
    let (focus, rungs, working) = (source.focus(), source.rungs(), source.working());
    let ahead: Vec<Ahead> = source.ahead().iter().map(|asked| asked_ahead(&Array::from(&asked))).collect();
    let input = PlanInput {
        entries: &entries,
        source: reader,
        settings,
        options: &options,
        state: &state,
        calibration: &run.calibration,
        extends,
        summary: match &text {
            Some(text) => Summary::Given(text),
            None if summary_value.is_undefined() => Summary::NotAsked,
            None => Summary::Unavailable,
        },
        rungs: match rungs.as_str() {
            "clear" => Rungs::Clear,
            "checkpoint" => Rungs::Checkpoint,
            "compact" => Rungs::Compact,
            _ => Rungs::All,
        },
        keep_from: source.keep_from(),
        extra: Extra {
            focus: focus.as_deref(),
            working: working.as_deref(),
            ahead: &ahead,
            asks_ahead: run.asks_ahead(),
            wants_preview: rungs == "preview",
            provider_clears: run.provider_clears(usage),
        },
    };
    let compacts = input.rungs == Rungs::Compact;
    let mut plan = plan(&input);
    if !summary_value.is_undefined() {
        let used = text.is_some() && !plan.done.iter().any(|done| matches!(done, Done::Rejected { .. }));
        events.extend(run.summarized(used).map(|steps| Event::SummarizerRests { steps }));
    }
    let ahead = plan.ahead;
    if let Some((_, fate @ (Fate::Used | Fate::Failed))) = ahead {
        events.extend(run.summarized(fate == Fate::Used).map(|steps| Event::SummarizerRests { steps }));
    }
    let waits = matches!(ahead, Some((_, Fate::Due))) || plan.summary_request.as_ref().is_some_and(|asked| asked.ahead.is_none());
    // A deep edit names hundreds of results: not for nobody.
    if source.wants_events() {
        events.extend(event::of_plan(&plan));
    }
    if !waits {
        run.sent_extends = extends;
        run.planned(&plan, &entries);
        if compacts {
            // No step: what was reported last is not the prompt that comes next.
            run.forget_sent();
        }
        if source.wants_events() {
            events.insert(
                0,
                event::measured(run, settings, &plan.budget, plan.estimated_after, plan.estimated_raw, extends && !plan.breaks_prefix()),
            );
        }
    }
    // After a change of the model what waits is planned again on top of it.
    if plan.state.has_edits() || waits && other_model.is_some() {
        plan.state.remember_calibration(&model, run.calibration);
        source.keep_state(Uint8Array::from(plan.state.to_packed().as_slice()));
    }
    let answer = Answer {
        preview: plan.preview.take(),
        folds: plan.done.iter().any(|done| matches!(done, Done::Folded { .. } | Done::Squeezed { folded: true, .. })),
        ahead: ahead.map(|(index, fate)| AheadOut { index, is_due: fate == Fate::Due, is_pending: fate == Fate::Pending }),
        events,
        edits: plan.edits.into_iter().map(EditOut::from).collect(),
        summary_request: plan.summary_request,
        tokens: Some(TokensOut {
            before: plan.budget.prompt_tokens(plan.estimated_before),
            after: plan.budget.prompt_tokens(plan.estimated_after),
            unedited: plan.budget.prompt_tokens(plan.estimated_raw),
            limit: plan.budget.prompt_tokens(u64::from(plan.budget.limit)),
            trigger: plan.budget.prompt_tokens(u64::from(plan.budget.trigger)),
            target: plan.budget.prompt_tokens(u64::from(plan.budget.target)),
        }),
    };
    to_json(&answer)
}

fn asked_ahead(asked: &Array) -> Ahead {
    let text = asked.get(1);
    Ahead {
        key: asked.get(0).as_string().unwrap_or_default(),
        answer: text
            .as_string()
            .map_or(if text.is_undefined() { ahead::Answer::Pending } else { ahead::Answer::Failed }, ahead::Answer::Given),
    }
}

/// Looks among other conversations for the one that this list continues, and goes on with what it knew: of which model that is, and
/// what was decided.
fn adopt(run: &mut Run, entries: &[Entry], source: &PlanSource) -> Option<(String, Option<FoldState>)> {
    let candidates = source.candidates();
    if candidates.length() == 0 {
        return None;
    }
    let blank = FoldState::default();
    let history = History::new(entries, &blank);
    let mut found: Option<(Array, Run)> = None;
    for candidate in candidates.iter() {
        let candidate = Array::from(&candidate);
        let Some(known) = Run::from_numbers(&Float64Array::new(&candidate.get(1)).to_vec()) else { continue };
        if known.parts > found.as_ref().map_or(0, |(_, best)| best.parts) && history.continues(known.parts, known.chain) {
            found = Some((candidate, known));
        }
    }
    // States are large: only that of the one found is read.
    let (candidate, known_run) = found?;
    *run = known_run;
    run.begin_request();
    Some((candidate.get(0).as_string()?, read_state(&candidate.get(2)).and_then(Result::ok)))
}

const RECOMMENDED: Event = Event::SessionRecommended {
    reason: "an earlier request of this conversation was found in memory, which another server would not have",
};

/// What is told of a request that goes on from decisions of an earlier one.
fn recommended(source: &PlanSource) -> Option<Event> {
    (source.begins() && !source.state().is_undefined()).then_some(RECOMMENDED)
}

/// For what needs no tokens.
const UNCOUNTED: Meter<'static> = Meter { counting: Counting::UNKNOWN, count: &|_| 0 };

/// Tokens of messages, estimated for the model.
#[wasm_bindgen(js_name = estimateTokens)]
pub fn estimate_message_tokens(settings: &[f64], messages: &Scan) -> f64 {
    let Some(settings) = Settings::from_numbers(settings) else { return 0.0 };
    estimated(&settings, messages).round()
}

fn estimated(settings: &Settings, messages: &Scan) -> f64 {
    let meter = Meter { counting: settings.counting, count: &|text| messages.text_tokens(settings, text) };
    let tokens: f64 = read::messages(messages).iter().map(|message| f64::from(measure_with(message, meter).tokens())).sum();
    tokens * settings.prior_ratio + settings.overhead_tokens
}

/// Where the tokens went, as JSON.
#[wasm_bindgen(js_name = tokenBreakdown)]
pub fn token_breakdown(settings: &[f64], messages: &Scan, reported_tokens: f64) -> String {
    let Some(settings) = Settings::from_numbers(settings) else { return String::new() };
    let meter = Meter { counting: settings.counting, count: &|text| messages.text_tokens(&settings, text) };
    let messages = read::messages(messages);
    breakdown(&Counted { settings: &settings, reported_tokens, messages: &messages, meter })
}

/// Takes the tokens of instructions for the overhead, unless that was given.
#[wasm_bindgen(js_name = addInstructions)]
pub fn add_instructions(numbers: &mut [f64], instructions: &Scan) {
    if let Some(mut settings) = Settings::from_numbers(numbers)
        && settings.overhead_tokens == 0.0
    {
        settings.overhead_tokens = estimated(&settings, instructions);
        numbers.copy_from_slice(&settings.to_numbers());
    }
}

/// What a provider would reject, in order, as JSON. With what was sent before, also the thoughts that changes since then make invalid.
#[wasm_bindgen(js_name = validateMessages)]
pub fn check(messages: &Scan, previous: Option<Scan>) -> String {
    let messages = read::messages(messages);
    let mut violations = check_messages(&messages);
    if let Some(previous) = previous {
        violations.extend(check_thoughts(&read::messages(&previous), &messages));
    }
    let found: Vec<ViolationOut> = violations
        .into_iter()
        .map(|violation| ViolationOut {
            rule: violation.rule,
            rejected_by: violation.rejected_by.name(),
            path: violation.path,
            message: violation.message,
        })
        .collect();
    to_json(&found)
}

/// The text a person or model reads in a message: texts and results, not reasoning, calls or media.
#[wasm_bindgen(js_name = extractText)]
pub fn extract_text(message: &Scan) -> String {
    let texts = read::messages(message).into_iter().flat_map(|message| message.parts).filter_map(|part| match part {
        Part::Text { text, .. } => Some(text),
        Part::Result(result) => Some(result.output.to_text()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What a model takes, as JSON.
#[wasm_bindgen(js_name = modelLimits)]
pub fn limits(model_id: &str, provider: &str) -> String {
    let limits = model_limits(model_id, provider);
    to_json(&LimitsOut {
        context_window: limits.context_window_tokens,
        max_output_tokens: limits.max_output_tokens,
        family: limits.family.name(),
        known: limits.known,
        verified: has_usage_data(limits.family),
    })
}

/// Whether an error says that the prompt was too large. The facts are gathered in `is-context-overflow.ts`.
#[wasm_bindgen(js_name = isOverflow)]
pub fn is_overflow(names: Vec<String>, status_codes: Vec<f64>, codes: Vec<String>, texts: Vec<String>) -> bool {
    is_context_overflow(&ErrorFacts {
        names: names.iter().map(String::as_str).collect(),
        status_codes: status_codes.into_iter().filter_map(http_status).collect(),
        codes: codes.iter().map(String::as_str).collect(),
        texts: texts.iter().map(String::as_str).collect(),
    })
}
