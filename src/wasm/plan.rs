//! A plan, and what goes with one: `PlanRequest` of `boundary.ts` is read field by field. Converts and calls; decides nothing.

use wasm_bindgen::prelude::*;

use super::given::Given;
use super::{TextCounter, count_text, failed, rules_of, to_js};
use crate::model::history::Place;
use crate::model::message::Outcome;
use crate::plan::{Ahead, Answer, DigestGiven, Offloads, PlanMode};
use crate::providers::media::MediaLimit;
use crate::providers::overflow::Overflow;
use crate::providers::owner::Asks;
use crate::providers::refusal::Refusal;
use crate::providers::reply::reply_of_request;
use crate::providers::sending::MarkSlots;
use crate::redact::with_rules;
use crate::run::step::compact_tool::{CompactCall, CompactRequest, reply};
use crate::run::step::request::RequestedSpan;
use crate::run::step::{PlanRequest, plan_step, try_skip_plan};
use crate::run::{Ended, Usage};
use crate::settings::ModelSettings;
use crate::tokens::traits::{Limit, Traits};

/// Answers a step that needs no plan, which almost every step does not; undefined for one that does.
#[wasm_bindgen(js_name = trySkipPlan)]
pub fn try_to_skip_plan(request: JsValue) -> Result<JsValue, JsValue> {
    match try_skip_plan(&request_of(request)?) {
        Some(answer) => to_js(&answer),
        None => Ok(JsValue::UNDEFINED),
    }
}

/// Plans a step.
#[wasm_bindgen]
pub fn plan(request: JsValue, tokenizer: Option<TextCounter>, redactor: JsValue) -> Result<JsValue, JsValue> {
    let request = request_of(request)?;
    to_js(&with_rules(rules_of(redactor), || plan_step(&request, &|text| count_text(tokenizer.as_ref(), text))))
}

/// Answers a call of the compact tool.
#[wasm_bindgen(js_name = replyToModel)]
pub fn reply_to_model(request: JsValue, call: JsValue, tokenizer: Option<TextCounter>, redactor: JsValue) -> Result<JsValue, JsValue> {
    let (request, call) = (request_of(request)?, Given::from(call));
    let (call_id, focus) = (call.text("callId"), call.text("focus"));
    let call = CompactCall { call_id, focus, pin: call.text("pin"), containing: call.text("containing") };
    to_js(&with_rules(rules_of(redactor), || reply(&request, &call, &|text| count_text(tokenizer.as_ref(), text))))
}

fn request_of(request: JsValue) -> Result<PlanRequest, JsValue> {
    let given = Given::from(request);
    Ok(PlanRequest {
        settings: settings_of(&given)?,
        model_id: given.text("modelId"),
        mode: mode_of(&given.text("mode")),
        state: given.bytes_if_any("state"),
        entries: given.bytes("entries"),
        messages: given.bytes("messages"),
        extends: given.flag("extends"),
        keep_from: given.index("keepFrom"),
        inserted: given.list("inserted", |index| index.as_number().map(|index| index as usize)),
        put_in: given.list("putIn", |index| index.as_number().map(|index| index as usize)),
        usage: given.field_if_any("usage").map(|usage| usage_of(&usage)),
        is_known_form: given.flag("isKnownForm"),
        asks: given.field_if_any("asks").and_then(|asks| Asks::from_code(asks.as_number()?)),
        ended: given
            .list("ended", |ended| Some(Ended { call_id: ended.text("callId"), outcome: Outcome::from_name(&ended.text("outcome"))? })),
        mark_slots: mark_slots_of(&given),
        traits: given.field_if_any("traits").map(|traits| traits_of(&traits)),
        reply_tokens: given.text_if_any("sentBeside").map_or(0.0, |request| reply_of_request(&request)),
        refused: refusals_of(&given, "refused"),
        instructions: given.bytes_if_any("instructions"),
        summary: answer_of(&given.field("summary")),
        requested_span: given.field_if_any("requestedSpan").map(|span| RequestedSpan {
            start: span.index("start"),
            end: span.index("end"),
            part: span.count("part"),
            previous_summary: span.text_if_any("previousSummary"),
            shown: span.text_if_any("shown"),
        }),
        focus: given.text_if_any("focus"),
        compact_requests: given.list("compactRequests", |request| {
            let (call_id, focus, pin) = (request.text("callId"), request.text("focus"), request.text("pin"));
            Some(CompactRequest { call_id, folds: request.flag("folds"), focus, pin })
        }),
        working_state: given.text_if_any("workingState"),
        checkpoint_note: given.text_if_any("checkpointNote"),
        digests: given.list("digests", |digest| {
            let result = digest.field("result");
            let result = Place { message: result.index("message"), part: result.index("part") };
            Some(DigestGiven { result, text: digest.text_if_any("text") })
        }),
        ahead: given.list("ahead", |ahead| Some(Ahead { key: ahead.text("key"), answer: answer_of(&ahead.field("answer")) })),
        candidates: given.list("candidates", |state| state.as_bytes()),
        wants_events: given.flag("wantsEvents"),
        records_edits: given.flag("recordsEdits"),
        recalls: given.flag("recalls"),
        offloads: match given.text("offloads").as_str() {
            "new" => Offloads::New,
            "all" => Offloads::All,
            _ => Offloads::None,
        },
        starts_run: given.flag("startsRun"),
        continues_request: given.flag("continuesRequest"),
    })
}

/// Options and numbers of a model, as they were packed.
pub fn settings_of(given: &Given) -> Result<ModelSettings, JsValue> {
    ModelSettings::from_bytes(&given.bytes("settings"))
        .ok_or_else(|| failed("engine-failed", "the settings were not made by this engine".to_owned()))
}

fn mode_of(name: &str) -> PlanMode {
    match name {
        "preview" => PlanMode::Preview,
        "clear" => PlanMode::Clear,
        "checkpoint" => PlanMode::Checkpoint,
        "compact" => PlanMode::Compact,
        "prune" => PlanMode::Prune,
        _ => PlanMode::All,
    }
}

/// The answer to a summary request.
fn answer_of(given: &Given) -> Answer {
    match given.as_text().as_deref() {
        Some("failed") => Answer::Failed,
        Some(_) => Answer::Pending,
        None => given.text_if_any("given").map_or(Answer::Pending, Answer::Given),
    }
}

/// Why requests were refused.
pub fn refusals_of(given: &Given, name: &'static str) -> Vec<Refusal> {
    given.list(name, |refusal| match refusal.as_text().as_deref() {
        Some("thoughts") => Some(Refusal::Thoughts),
        Some("binding") => Some(Refusal::Binding),
        _ if let Some(images) = refusal.field_if_any("too-many-images") => {
            Some(Refusal::TooManyImages(images.as_number().unwrap_or_default() as u32))
        }
        _ => refusal.field_if_any("overflow").map(|overflow| {
            let tokens = |name| overflow.field(name).as_number().unwrap_or_default();
            Refusal::Overflow(Overflow {
                prompt_tokens: tokens("promptTokens"),
                window_tokens: tokens("windowTokens"),
                reply_tokens: tokens("replyTokens"),
                by_bytes: overflow.flag("byBytes"),
            })
        }),
    })
}

/// What a provider reported. What is there and no number is read as infinite, which is not sound.
pub fn usage_of(given: &Given) -> Usage {
    Usage::of(|name| given.field_if_any(name).map_or(f64::NAN, |number| number.as_number().unwrap_or(f64::INFINITY)))
}

/// For how many cache marks there is room.
pub fn mark_slots_of(given: &Given) -> Option<MarkSlots> {
    let slots = given.field_if_any("markSlots")?;
    Some(MarkSlots { marks: slots.count("marks"), has_option: slots.flag("hasOption"), is_full: slots.flag("isFull") })
}

fn traits_of(given: &Given) -> Traits {
    let limit = given.field("limit");
    let tokens = |name| limit.field(name).as_number().unwrap_or_default();
    Traits {
        limit: Limit { window_tokens: tokens("windowTokens"), reply_tokens: tokens("replyTokens"), steps: limit.count("steps") },
        media: MediaLimit {
            images: given.field("media").field_if_any("images").map(|images| images.as_number().unwrap_or_default() as u32),
            bytes: given.field("media").field_if_any("bytes").map(|bytes| bytes.as_number().unwrap_or_default() as u64),
        },
        binds_thoughts: given.flag("bindsThoughts"),
        refuses_binding: given.flag("refusesBinding"),
    }
}
