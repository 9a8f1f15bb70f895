//! Questions that depend on nothing but what is given with them. Each is a method of `Questions` in `boundary.ts`, which says what is given and
//! what is answered. Converts and calls; decides nothing.

use js_sys::Uint8Array;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::given::Given;
use super::plan::{mark_slots_of, settings_of, usage_of};
use super::{failed, overflow, recall, session, to_js};
use crate::digest::mentions::mentioned;
use crate::model::entry::read_entries;
use crate::model::form::form_of;
use crate::model::message::{Message, Part};
use crate::model::scan::{MeasuredBefore, MessageList};
use crate::providers::hosted::runs_tools;
use crate::providers::limits::model_limits;
use crate::providers::media::writes_media_as_text;
use crate::providers::owner::Asks;
use crate::providers::prices::{ListPrices, list_prices};
use crate::providers::sending::{Endpoint, Needs, free_mark_slots, sending};
use crate::run::{SummaryTokens, Usage, outcomes_of};
use crate::settings::{ModelSettings, Options, Settings};
use crate::text::clip::clean_error;
use crate::tokens::breakdown::{Counted, breakdown};
use crate::tokens::calibration::has_usage_data;
use crate::words::bridge::before_user;

/// What can be asked.
#[wasm_bindgen]
pub enum Question {
    /// Options and numbers of a model, packed, to be handed back at every step; and what its count of media depends on.
    SettingsFor = "settingsFor",
    /// What a model takes and costs.
    ModelLimits = "modelLimits",
    /// Tokens of messages, estimated for the model.
    EstimateTokens = "estimateTokens",
    /// Where the tokens went.
    TokenBreakdown = "tokenBreakdown",
    /// The text a person or model reads in messages: texts and results, not reasoning, calls or media.
    ExtractText = "extractText",
    /// The indices in a list of names of those that messages mention.
    MentionedNames = "mentionedNames",
    /// The text of an error without secrets and control characters, for people.
    CleanError = "cleanError",
    /// What a provider reported of a step, from what the SDK says of it as JSON.
    ReadUsage = "readUsage",
    /// Usage of a stored session. Throws `{ code, message }` where it cannot be used.
    RestoreUsage = "restoreUsage",
    /// What a summarizer read and wrote, from the same JSON and its model's names.
    SummaryUsage = "summaryUsage",
    /// How the calls of steps ended, from what the SDK says of them as JSON.
    ReadOutcomes = "readOutcomes",
    /// Whether a request with these tools of providers and provider options may run tools at the provider.
    RunsTools = "runsTools",
    /// Whether a reply ended because the window was full, by the JSON that `Usage` takes.
    FillsWindow = "fillsWindow",
    /// What provider options ask the provider to do with the history, as a number: 0 nothing, 1 to edit it, more to add one that it has itself.
    Asks = "asks",
    /// What a run learns of a call before it is made, and whether its reply leaves the messages too little room; undefined where it knows that.
    LearnCall = "learnCall",
    /// The form of messages that are none of the SDK's, and what to do; undefined where they are, or are of no known form.
    FormOf = "formOf",
    /// For how many cache marks of stepfold's the request of a finished step has room; undefined where it does not show it.
    MarkSlots = "markSlots",
    /// What goes to a provider beside the messages: provider options of the request and of some messages, as JSON.
    Sending = "sending",
    /// Why an error says that a request was refused which another one would not be; undefined for other errors.
    ReadRefusal = "readRefusal",
    /// How many messages at the front of a prompt are instructions.
    InstructionsEnd = "instructionsEnd",
    /// What an assistant has to say between messages and one of the user; empty where nothing has to stand there.
    Bridge = "bridge",
    /// The index of the run whose history a prompt was made from, or -1.
    FindRun = "findRun",
    /// What a run whose last prompt was refused learns of that; undefined where it learns nothing that holds without a decision.
    LearnRefusals = "learnRefusals",
    /// What a run learns whose last reply ended because the window was full.
    LearnFullWindow = "learnFullWindow",
    /// The answer to a call of the recall tool.
    Recall = "recall",
    /// A state as it stands in a stored session.
    StoreRunState = "storeRunState",
    /// The state of a stored session. What is of no known form counts as missing.
    RestoreRunState = "restoreRunState",
    /// The places of a list, as ids that find them again.
    Places = "places",
    /// Where enqueued messages stand in a list.
    Arranged = "arranged",
    /// Ids of what each message of a list says, wherever it stands.
    ContentIds = "contentIds",
    /// Index of the first message that is sent as it is: after what a checkpoint covers.
    CoveredEnd = "coveredEnd",
    /// The edit that puts a checkpoint before a list that begins right after it; null where there is none.
    TailCheckpoint = "tailCheckpoint",
    /// A state without its newest checkpoint and all that was decided since; undefined where there was nothing to take back.
    Undo = "undo",
}

/// Answers a question.
#[wasm_bindgen]
pub fn answer(question: Question, given: JsValue) -> Result<JsValue, JsValue> {
    let given = Given::from(given);
    match question {
        Question::SettingsFor => settings_for(&given),
        Question::ModelLimits => limits(&given),
        Question::EstimateTokens => tokens(&given),
        Question::TokenBreakdown => token_breakdown(&given),
        Question::ExtractText => Ok(text_of(&given).into()),
        Question::MentionedNames => {
            let names = given.list("names", |name| name.as_text());
            to_js(&mentioned(MessageList::new(&given.bytes("messages")).iter(&MeasuredBefore), &names))
        }
        Question::CleanError => Ok(clean_error(&given.text("text")).into()),
        Question::ReadUsage => to_js(&Usage::from_step(&given.text("step"))),
        Question::RestoreUsage => {
            let usage = given.field_if_any("reported").map(|usage| usage_of(&usage)).filter(Usage::is_sound);
            to_js(&usage.ok_or_else(|| failed("state-rejected", "the usage in it is damaged".to_owned()))?)
        }
        Question::SummaryUsage => {
            let settings = Settings::new(&Options::default(), &given.text("modelId"), &given.text("provider"));
            to_js(&SummaryTokens::of(&Usage::from_step(&given.text("step")), settings.cached))
        }
        Question::ReadOutcomes => to_js(&outcomes_of(&given.text("parts"))),
        Question::RunsTools => {
            let names = |name| given.list(name, |name| name.as_text());
            Ok(runs_tools(&names("toolIds"), &names("optionNames")).into())
        }
        Question::FillsWindow => Ok(Usage::from_step(&given.text("step")).fills_window().into()),
        Question::Asks => Ok(Asks::of_options(&given.text("options")).code().into()),
        Question::LearnCall => overflow::learnt_call(&given),
        Question::FormOf => form_of(&given.text("shapes")).map_or(Ok(JsValue::UNDEFINED), |form| to_js(&form)),
        Question::MarkSlots => match free_mark_slots(&given.text("step")) {
            Some(mark_slots) => to_js(&mark_slots),
            None => Ok(JsValue::UNDEFINED),
        },
        Question::Sending => sending_of(&given),
        Question::ReadRefusal => overflow::refusal(&given),
        Question::Bridge => Ok(before_user(&read_entries(&given.bytes("entries"))).into()),
        Question::InstructionsEnd => Ok(overflow::instructions_end(&given).into()),
        Question::FindRun => Ok(overflow::run_of_prompt(&given).into()),
        Question::LearnRefusals => overflow::learnt_refusals(&given),
        Question::LearnFullWindow => overflow::learnt_window(&given),
        Question::Recall => recall::recalled(&given),
        Question::StoreRunState => session::stored_state(&given),
        Question::RestoreRunState => session::restored_state(&given),
        Question::Places => Ok(session::places(&given).into()),
        Question::Arranged => Ok(session::arranged(&given).into()),
        Question::ContentIds => Ok(session::content_ids(&given).into()),
        Question::CoveredEnd => Ok((session::covered_end(&given) as u32).into()),
        Question::TailCheckpoint => session::tail_checkpoint(&given),
        Question::Undo => Ok(session::undone(&given).map_or(JsValue::UNDEFINED, |state| in_javascript(&state))),
        Question::__Invalid => Err(failed("engine-failed", "the engine knows no such question".to_owned())),
    }
}

/// Bytes of JavaScript's own.
fn in_javascript(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

#[derive(Serialize)]
struct SettingsAnswer {
    #[serde(with = "serde_bytes")]
    settings: Vec<u8>,
    media: u8,
}

fn settings_for(given: &Given) -> Result<JsValue, JsValue> {
    let options = Options::from_bytes(&given.bytes("options"));
    let options = options.ok_or_else(|| failed("engine-failed", "the options cannot be read".to_owned()))?;
    let provider = given.text("provider");
    let mut settings = Settings::new(&options, &given.text("modelId"), &provider);
    if writes_media_as_text(&provider, &given.text("specification")) {
        settings.counting = settings.counting.with_media_as_text();
    }
    let media = settings.counting.to_number();
    to_js(&SettingsAnswer { settings: ModelSettings { options, settings }.to_bytes(), media })
}

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

fn limits(given: &Given) -> Result<JsValue, JsValue> {
    let model_id = given.text("modelId");
    let limits = model_limits(&model_id, &given.text("provider"));
    to_js(&LimitsAnswer {
        context_window: limits.context_window_tokens,
        max_output_tokens: limits.max_output_tokens,
        family: limits.family.name(),
        known: limits.known,
        verified: has_usage_data(limits.family),
        prices: list_prices(&model_id),
    })
}

fn tokens(given: &Given) -> Result<JsValue, JsValue> {
    let Settings { prior_ratio, overhead_tokens, .. } = settings_of(given)?.settings;
    let tokens: f64 = read_entries(&given.bytes("entries")).iter().map(|entry| f64::from(entry.tokens())).sum();
    Ok((tokens * prior_ratio + overhead_tokens).round().into())
}

fn token_breakdown(given: &Given) -> Result<JsValue, JsValue> {
    let messages: Vec<Message> = MessageList::new(&given.bytes("messages")).iter(&MeasuredBefore).collect();
    to_js(&breakdown(&Counted {
        settings: &settings_of(given)?.settings,
        reported_tokens: given.field("reportedTokens").as_number(),
        messages: &messages,
        entries: &read_entries(&given.bytes("entries")),
    }))
}

fn text_of(given: &Given) -> String {
    let messages = given.bytes("messages");
    let list = MessageList::new(&messages);
    let texts = list.iter(&MeasuredBefore).flat_map(|message| message.parts).filter_map(|part| match part {
        Part::Text { text, .. } => Some(text),
        Part::Result(result) => Some(result.output.to_text()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn sending_of(given: &Given) -> Result<JsValue, JsValue> {
    let endpoint = Endpoint {
        model_id: &given.text("modelId"),
        provider: &given.text("provider"),
        specification: &given.text("specification"),
        package: &given.text("package"),
        base_url: &given.text("baseURL"),
    };
    to_js(&sending(
        &endpoint,
        &Needs {
            edited: given.flag("edited"),
            drops_thoughts: given.flag("dropsThoughts"),
            caches: given.flag("caches"),
            session: given.text_if_any("session").as_deref(),
            mark_slots: mark_slots_of(given),
            is_far: given.flag("isFar"),
        },
    ))
}
