//! The boundary, and with its submodules the only files that know JavaScript. It converts and calls; it decides nothing.
//! Keeps no state: every function depends on its arguments alone, so a trapped instance can be thrown away.
//!
//! Requests and answers are structs of the engine, read and written by serde. Messages, entries and states cross as bytes.
//!
//! No exported function returns a `JsValue` alone. V8 of Node 20 compiles calls into WebAssembly into the JavaScript that makes them. When
//! that JavaScript is deoptimised while such a call has called back, V8 aborts the process if the one result of the call is a reference:
//! `Deoptimizer::TranslatedValueForWasmReturnKind` knows numbers and nothing else. Bytes, a text and a `Result` have more than one
//! result, and V8 never inlines such a call (`CanInlineJSToWasmCall`). `tests/package/node20.test.mjs` holds every export to this.

mod lazy;
mod options;
mod overflow;
mod recall;
mod session;

use std::rc::Rc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::digest::mentions::mentioned;
use crate::model::entry::{Meter, measure_with, read_entries, write_entry};
use crate::model::message::{Message, Part, Role};
use crate::model::scan::{MeasuredBefore, MessageList};
use crate::providers::check::{check_messages, check_queued_message, check_thoughts};
use crate::providers::filler::{FILLER, filler_positions};
use crate::providers::limits::model_limits;
use crate::providers::prices::{ListPrices, list_prices};
use crate::providers::sending::{Endpoint, MarkSlots, Needs, free_mark_slots, sending};
use crate::redact::{Rules, with_rules};
use crate::run::Usage;
use crate::run::step::compact_tool::{CompactCall, reply};
use crate::run::step::{PlanRequest, plan_step, try_skip_plan};
use crate::settings::{ModelSettings, Options, Settings};
use crate::text::clip::clean_error;
use crate::tokens::breakdown::{Counted, breakdown};
use crate::tokens::calibration::has_usage_data;
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::media::Counting;
use lazy::WrittenMessages;

#[wasm_bindgen]
extern "C" {
    /// A tokenizer as `tokens.ts` hands it over. Texts of messages are counted while they are measured. The one call while planning is for
    /// texts that the engine has just written, of which nobody can know beforehand what they will be.
    pub type TextCounter;
    /// Tokens of a text in UTF-8; not a number where that fails.
    #[wasm_bindgen(method, catch, js_name = countUtf8)]
    fn count(this: &TextCounter, text: &[u8]) -> Result<f64, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// The user's function that keeps secrets out of texts, as `redact.ts` hands it over. It is asked about texts that the engine reads or
    /// has just written, as a tokenizer is.
    pub type Redactor;
    /// The text without secrets; undefined where that fails.
    #[wasm_bindgen(method, catch)]
    fn redact(this: &Redactor, text: &str) -> Result<Option<String>, JsValue>;
}

/// Whose rules keep secrets out: ours where nothing is said, nobody's at `false`.
fn rules_of(redactor: JsValue) -> Rules {
    match redactor.as_bool() {
        None if redactor.is_undefined() => Rules::Ours,
        Some(false) => Rules::Nobodys,
        _ => {
            let redactor: Redactor = redactor.unchecked_into();
            Rules::Users(Rc::new(move |text| redactor.redact(text).ok().flatten()))
        }
    }
}

/// A panic is printed before it traps, so that a report of one says what happened.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// A thrown error: TypeScript makes the class.
#[derive(Serialize)]
struct Failure {
    code: &'static str,
    message: String,
}

fn failed(code: &'static str, message: String) -> JsValue {
    to_js(&Failure { code, message }).unwrap_or_else(|error| error)
}

/// A value as plain JavaScript: what is missing in an event is null, as in JSON.
fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = Serializer::new().serialize_missing_as_null(true);
    Ok(value.serialize(&serializer)?)
}

fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    Ok(serde_wasm_bindgen::from_value(value)?)
}

/// Tokens of a text: exact when there is a tokenizer and it works.
fn count_text(tokenizer: Option<&TextCounter>, text: &str) -> u32 {
    let counted = tokenizer.and_then(|tokenizer| tokenizer.count(text.as_bytes()).ok()).filter(|tokens| *tokens >= 0.0);
    counted.map_or_else(|| estimate_tokens(text), |tokens| tokens as u32)
}

/// Options and numbers of a model, packed, to be handed back at every step.
#[wasm_bindgen(js_name = settingsFor)]
pub fn settings_for(options: &[u8], model_id: &str, provider: &str) -> Result<Vec<u8>, JsValue> {
    let options = Options::from_bytes(options).ok_or_else(|| failed("engine-failed", "the options cannot be read".to_owned()))?;
    let settings = Settings::new(&options, model_id, provider);
    Ok(ModelSettings { options, settings }.to_bytes())
}

/// What a model's count of media depends on, as a number: entries of one way of counting are of no use for another.
#[wasm_bindgen(js_name = countingOf)]
pub fn counting_of(settings: &[u8]) -> u8 {
    ModelSettings::from_bytes(settings).map_or(0, |model| model.settings.counting.to_number())
}

/// Measures messages: their entries, each behind its length in four bytes.
#[wasm_bindgen]
pub fn measure(messages: &[u8], counting: u8, written: &WrittenMessages, tokenizer: Option<TextCounter>) -> Vec<u8> {
    let meter = Meter { counting: Counting::from_number(counting), count: &|text| count_text(tokenizer.as_ref(), text) };
    let mut bytes = Vec::new();
    for message in MessageList::new(messages).iter(written) {
        write_entry(&measure_with(&message, meter), &mut bytes);
    }
    bytes
}

/// Answers a step that needs no plan, which almost every step does not; undefined for one that does.
#[wasm_bindgen(js_name = trySkipPlan)]
pub fn try_to_skip_plan(request: JsValue) -> Result<JsValue, JsValue> {
    match try_skip_plan(&from_js::<PlanRequest>(request)?) {
        Some(answer) => to_js(&answer),
        None => Ok(JsValue::UNDEFINED),
    }
}

/// Answers a model that asks something of its context.
#[wasm_bindgen(js_name = replyToModel)]
pub fn reply_to_model(request: JsValue, call: JsValue, tokenizer: Option<TextCounter>, redactor: JsValue) -> Result<JsValue, JsValue> {
    let (request, call) = (from_js::<PlanRequest>(request)?, from_js::<CompactCall>(call)?);
    to_js(&with_rules(rules_of(redactor), || reply(&request, &call, &|text| count_text(tokenizer.as_ref(), text))))
}

/// Plans a step.
#[wasm_bindgen]
pub fn plan(request: JsValue, tokenizer: Option<TextCounter>, redactor: JsValue) -> Result<JsValue, JsValue> {
    let request = from_js::<PlanRequest>(request)?;
    to_js(&with_rules(rules_of(redactor), || plan_step(&request, &|text| count_text(tokenizer.as_ref(), text))))
}

/// What a provider reported of a step, from what the SDK says of it as JSON.
#[wasm_bindgen(js_name = readUsage)]
pub fn read_usage(step: &str) -> Result<JsValue, JsValue> {
    to_js(&Usage::from_step(step))
}

/// What is counted for whom, of `tokens.ts`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CountRequest {
    #[serde(with = "serde_bytes")]
    settings: Vec<u8>,
    #[serde(with = "serde_bytes")]
    entries: Vec<u8>,
    #[serde(default, with = "serde_bytes")]
    messages: Vec<u8>,
    #[serde(default)]
    reported_tokens: Option<f64>,
}

impl CountRequest {
    fn settings(&self) -> Result<Settings, JsValue> {
        let model = ModelSettings::from_bytes(&self.settings);
        model.map(|model| model.settings).ok_or_else(|| failed("engine-failed", "the settings cannot be read".to_owned()))
    }
}

/// Tokens of messages, estimated for the model.
#[wasm_bindgen(js_name = estimateTokens)]
pub fn estimate_message_tokens(request: JsValue) -> Result<f64, JsValue> {
    let request: CountRequest = from_js(request)?;
    let settings = request.settings()?;
    let tokens: f64 = read_entries(&request.entries).iter().map(|entry| f64::from(entry.tokens())).sum();
    Ok((tokens * settings.prior_ratio + settings.overhead_tokens).round())
}

/// Where the tokens went.
#[wasm_bindgen(js_name = tokenBreakdown)]
pub fn token_breakdown(request: JsValue) -> Result<JsValue, JsValue> {
    let request: CountRequest = from_js(request)?;
    let messages: Vec<Message> = MessageList::new(&request.messages).iter(&MeasuredBefore).collect();
    to_js(&breakdown(&Counted {
        settings: &request.settings()?,
        reported_tokens: request.reported_tokens,
        messages: &messages,
        entries: &read_entries(&request.entries),
    }))
}

/// What a provider would reject, in order. With what was sent before, also the thoughts that changes since then make invalid.
#[wasm_bindgen(js_name = validateMessages)]
pub fn validate_messages(
    messages: &[u8],
    written: &WrittenMessages,
    previous: Option<Vec<u8>>,
    previous_written: &WrittenMessages,
) -> Result<JsValue, JsValue> {
    let messages: Vec<Message> = MessageList::new(messages).iter(written).collect();
    let mut violations = check_messages(&messages);
    if let Some(previous) = previous {
        let previous: Vec<Message> = MessageList::new(&previous).iter(previous_written).collect();
        violations.extend(check_thoughts(&previous, &messages));
    }
    to_js(&violations)
}

/// Why the first message of a list cannot be enqueued; undefined where it can.
#[wasm_bindgen(js_name = checkQueuedMessage)]
pub fn check_queued(messages: &[u8], written: &WrittenMessages) -> Option<String> {
    MessageList::new(messages).iter(written).next().and_then(|message| check_queued_message(&message))
}

/// The text a person or model reads in messages: texts and results, not reasoning, calls or media.
#[wasm_bindgen(js_name = extractText)]
pub fn extract_text(messages: &[u8]) -> String {
    let list = MessageList::new(messages);
    let texts = list.iter(&MeasuredBefore).flat_map(|message| message.parts).filter_map(|part| match part {
        Part::Text { text, .. } => Some(text),
        Part::Result(result) => Some(result.output.to_text()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The indices in `names` of those that messages mention.
#[wasm_bindgen(js_name = mentionedNames)]
pub fn mentioned_names(messages: &[u8], names: Vec<String>) -> Vec<u32> {
    mentioned(MessageList::new(messages).iter(&MeasuredBefore), &names)
}

/// The text of an error without secrets and control characters, for people.
#[wasm_bindgen(js_name = cleanError)]
pub fn clean_error_text(text: &str) -> String {
    clean_error(text)
}

/// What a model takes and costs, for users.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LimitsAnswer {
    context_window: u32,
    max_output_tokens: u32,
    family: &'static str,
    known: bool,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    prices: Option<ListPrices>,
}

/// What a model takes and costs.
#[wasm_bindgen(js_name = modelLimits)]
pub fn limits(model_id: &str, provider: &str) -> Result<JsValue, JsValue> {
    let limits = model_limits(model_id, provider);
    to_js(&LimitsAnswer {
        context_window: limits.context_window_tokens,
        max_output_tokens: limits.max_output_tokens,
        family: limits.family.name(),
        known: limits.known,
        verified: has_usage_data(limits.family),
        prices: list_prices(model_id),
    })
}

/// What goes to a provider beside the messages, of `sending.ts`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SendingRequest {
    model_id: String,
    provider: String,
    specification: String,
    package: String,
    #[serde(rename = "baseURL")]
    base_url: String,
    edited: bool,
    drops_thoughts: bool,
    caches: bool,
    is_far: bool,
    #[serde(default)]
    mark_slots: Option<MarkSlots>,
    #[serde(default)]
    session: Option<String>,
}

/// What goes to a provider beside the messages: provider options of the request and of some messages, as JSON; null where there are none.
#[wasm_bindgen(js_name = sending)]
pub fn sending_of(request: JsValue) -> Result<JsValue, JsValue> {
    let request: SendingRequest = from_js(request)?;
    let endpoint = Endpoint {
        model_id: &request.model_id,
        provider: &request.provider,
        specification: &request.specification,
        package: &request.package,
        base_url: &request.base_url,
    };
    let SendingRequest { edited, drops_thoughts, caches, is_far, mark_slots, .. } = request;
    to_js(&sending(&endpoint, &Needs { edited, drops_thoughts, caches, session: request.session.as_deref(), mark_slots, is_far }))
}

/// The filler, and before which messages it is sent; see `filler::filler_positions`.
#[derive(Serialize)]
struct Fillers {
    text: &'static str,
    before: Vec<usize>,
}

/// Where a list needs a word of the model before a message of the user.
#[wasm_bindgen(js_name = fillers)]
pub fn fillers(entries: &[u8], model_id: &str, provider: &str) -> Result<JsValue, JsValue> {
    let roles: Vec<Role> = read_entries(entries).iter().map(|entry| entry.role()).collect();
    to_js(&Fillers { text: FILLER, before: filler_positions(&roles, model_id, provider) })
}

/// For how many cache marks of stepfold's the request of a finished step has room; undefined where it does not show it.
#[wasm_bindgen(js_name = markSlots)]
pub fn mark_slots(step: &str) -> Result<JsValue, JsValue> {
    free_mark_slots(step).map_or(Ok(JsValue::UNDEFINED), |mark_slots| to_js(&mark_slots))
}
