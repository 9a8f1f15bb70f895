//! Events: what happened, small enough to stream to a user interface. Made from plans; they decide nothing.

use serde::Serialize;

use crate::model::entry::Kind;
use crate::plan::{Budget, CutBecause, DifferenceKind, Done, DroppedReasoning, OverBudget, Plan, ResultChange, ResultFile, StandDown};
use crate::providers::prices::InputPrice;
use crate::redact::printable;
use crate::run::{Run, Truncation, Usage};
use crate::settings::Settings;
use crate::tokens::saturate;

/// One thing that happened. All `tokens` are as the provider likely counts, of the whole prompt where not said otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Event {
    /// A step was measured.
    Measured {
        /// Tokens of the prompt as it is sent.
        tokens: u32,
        /// Tokens it would have without any edit.
        unedited_tokens: u32,
        /// Tokens of system prompt and tools, as learnt.
        overhead_tokens: u32,
        /// Tokens the messages may have.
        budget_tokens: u32,
        /// Tokens the model takes.
        context_window: u32,
        /// Tokens kept free for the reply.
        reserve_tokens: u32,
        /// What these are by: `option`, what the `call` asks for, the longest reply of the `model`, or the `default`.
        reserve_source: &'static str,
        /// Where the number comes from.
        source: Source,
        /// Tokens that the provider read from its cache in the step before, as it reported.
        cached_tokens: Option<u32>,
        /// Tokens that it wrote there.
        cache_write_tokens: Option<u32>,
        /// What its cache saved in that step, by the prices that are known.
        cache_savings: Option<f64>,
    },
    /// What the model takes is not known; 128,000 tokens are assumed, or what the model could take where that is less.
    UnknownModel {
        /// The id.
        model_id: String,
        /// Tokens assumed.
        context_window: u32,
        /// `model-id`, or `local-runtime` where that decides how much a model takes.
        reason: &'static str,
    },
    /// The provider reports no usage, so room is left for a system prompt and tools of unknown size; said when that leads to the first edit.
    UsageNotReported {
        /// Tokens left free for them.
        assumed_tokens: u32,
        /// Tokens that the model takes.
        context_window: u32,
    },
    /// The provider refused the prompt as too large: more is folded, and it is sent once more.
    Overflow {
        /// Tokens of the refused prompt, as the provider said or as is likely.
        tokens: u32,
        /// Tokens that the model takes, as learnt.
        context_window: u32,
        /// Whether the provider named the window, or it is a guess.
        reported: bool,
    },
    /// The provider refused the images or files of a prompt, by their number or their bytes: older ones give way, and it is sent once more.
    ImageLimit {
        /// Images that a request may hold, as learnt; nothing where no limit is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_images: Option<u32>,
        /// Bytes of images and files that it may hold, as base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_image_bytes: Option<f64>,
        /// Whether the provider named the limit, or it is a guess.
        reported: bool,
    },
    /// The provider cut the prompt without a word.
    TruncatedByProvider {
        /// What was reported of it.
        reported_tokens: u32,
        /// What it likely had.
        expected_tokens: u32,
        /// Tokens that the model takes, as learnt: those of the largest prompt that was read whole.
        context_window: u32,
    },
    /// New results were cut.
    Capped {
        /// Which.
        results: Vec<EventResult>,
        /// `window` when they do not fit even if all that may give way has; `option` for the user's `maxResultTokens`.
        reason: &'static str,
    },
    /// Old results were replaced by placeholders.
    Cleared {
        /// Which.
        results: Vec<EventResult>,
        /// Tokens of the prompt before.
        tokens_before: u32,
        /// Tokens of the prompt after this whole step's work.
        tokens_after: u32,
    },
    /// Images of old results gave way to newer ones.
    ImagesCleared {
        /// Of which results.
        results: Vec<EventResult>,
        /// Tokens of the prompt before.
        tokens_before: u32,
        /// Tokens of the prompt after this whole step's work.
        tokens_after: u32,
    },
    /// The model asked to fold by itself: the next step does.
    CompactRequested {
        /// What the summary is to focus on; empty when it named nothing.
        focus: String,
    },
    /// The model asked to keep a result whole.
    Pinned {
        /// The tool.
        tool_name: String,
        /// The call.
        tool_call_id: String,
        /// Tokens of the result.
        tokens: u32,
    },
    /// Results are not pinned any more: there were too many.
    PinsReleased {
        /// Their tools.
        tool_names: Vec<String>,
    },
    /// The summarizer's text was not used.
    Fallback {
        /// In a word.
        reason: &'static str,
        /// A sentence.
        message: &'static str,
    },
    /// The summarizer failed again and again and is not called for a while.
    SummarizerRests {
        /// Steps until it is called again.
        steps: u32,
    },
    /// What was cleared or folded was written as files.
    Offloaded {
        /// How many.
        files: u32,
        /// Their bytes.
        bytes: u32,
    },
    /// Older messages were folded.
    Checkpoint {
        /// The checkpoint's id.
        id: String,
        /// Messages newly folded.
        messages: usize,
        /// Tokens of the checkpoint alone.
        checkpoint_tokens: u32,
        /// `summary` or `digest`.
        content: &'static str,
        /// Tokens of the prompt before.
        tokens_before: u32,
        /// Tokens of the prompt after this whole step's work.
        tokens_after: u32,
    },
    /// The tail gave way so that the prompt fits.
    Squeezed {
        /// What was cleared or cut.
        results: Vec<EventResult>,
        /// More messages were folded.
        folded: bool,
        /// Tokens of the prompt before.
        tokens_before: u32,
        /// Tokens of the prompt after this whole step's work.
        tokens_after: u32,
    },
    /// The prompt does not fit and nothing more can be done.
    OverBudget {
        /// `overhead` (system prompt and tools), `message` or `native-compaction`.
        reason: &'static str,
        /// Index of the message that makes it impossible; of the overhead, that of a system message where most of it is that.
        message_index: Option<usize>,
        /// Tokens of the prompt, as far as the provider reads it.
        tokens: u32,
        /// Tokens it may have.
        limit_tokens: u32,
        /// It would not fit even if the estimate were too high by the largest possible error.
        certain: bool,
    },
    /// A provider edits the prompt itself, or has the history; stepfold does nothing new.
    StoodDown {
        /// Why.
        reason: String,
    },
    /// The newest checkpoint does not stand any more: the app has changed what it covers.
    CheckpointLost {
        /// Its id.
        id: String,
        /// Messages that it covered.
        messages: u32,
        /// How the list differs from what it covered: `changed`, `added` or `missing`; none where that cannot be said.
        difference: Option<&'static str>,
        /// Index of the first message that differs, without any edit of ours; where parts are missing, of the one in their place.
        message_index: Option<usize>,
        /// Who says the part that was changed or added.
        role: Option<&'static str>,
        /// What it is: `text`, `file`, `tool-call` or `other`.
        part: Option<&'static str>,
        /// The tool of a call.
        tool_name: Option<String>,
    },
    /// The model of this request takes so much more than the one before that all is sent as it is.
    Unfolded {
        /// Messages that are sent so.
        messages: usize,
    },
    /// Reasoning is not sent any more: the model refuses thoughts whose prefix has changed.
    ReasoningDropped {
        /// How many parts.
        parts: usize,
        /// `edit`; `history-changed` when the app changed messages, `instructions-changed` when it changed the system prompt; `refused`
        /// when the provider said so.
        reason: &'static str,
    },
    /// The provider refuses to be asked to leave out thoughts; it is not asked again.
    BindingRefused,
    /// A request brings earlier turns of which nothing is remembered, and they are folded as if for the first time.
    FoldedAnew,
    /// Work of an earlier request was found in memory; a session would guarantee that.
    SessionRecommended {
        /// Why.
        reason: &'static str,
    },
}

/// Where a number of tokens comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The provider's count of the previous prompt, plus an estimate of what was added.
    Reported,
    /// An exact tokenizer.
    Count,
    /// The built-in estimator.
    Estimate,
}

/// How a part was changed, in an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventResult {
    /// The tool; empty for text.
    pub tool_name: String,
    /// The call; empty for text.
    pub tool_call_id: String,
    /// Index of its message in the history, without any edit of ours.
    pub message_index: usize,
    /// Tokens before.
    pub tokens_before: u32,
    /// Tokens after.
    pub tokens_after: u32,
    /// A later call has made it obsolete: it was made again, or the file was read again or changed.
    pub stale: bool,
}

impl From<&ResultChange> for EventResult {
    fn from(change: &ResultChange) -> EventResult {
        EventResult {
            tool_name: printable(&change.tool).into_owned(),
            tool_call_id: printable(&change.call_id).into_owned(),
            message_index: change.message_index,
            tokens_before: change.tokens_before,
            tokens_after: change.tokens_after,
            stale: change.stale,
        }
    }
}

impl From<&Truncation> for Event {
    fn from(truncation: &Truncation) -> Event {
        Event::TruncatedByProvider {
            reported_tokens: truncation.reported_tokens.round() as u32,
            expected_tokens: truncation.expected_tokens.round() as u32,
            context_window: truncation.window_tokens.round() as u32,
        }
    }
}

/// Estimated tokens of what is sent, and of the same without any edit.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// As it is sent.
    pub estimated: u64,
    /// Without any edit.
    pub unedited: u64,
}

/// The measurement of a step.
pub fn measured(run: &Run, settings: &Settings, budget: &Budget, sizes: Sizes, extends: bool, usage: Option<&Usage>) -> Event {
    let Sizes { estimated, unedited } = sizes;
    let reported_tokens = |number: fn(&Usage) -> f64| usage.map(number).filter(|tokens| *tokens >= 0.0).map(|tokens| tokens as u32);
    let reported = extends && run.calibration.anchor_reported_tokens > 0.0;
    let within = settings.with(&run.calibration.traits);
    Event::Measured {
        tokens: budget.prompt_tokens(estimated),
        unedited_tokens: budget.prompt_tokens(unedited),
        overhead_tokens: run.calibration.overhead_tokens.round() as u32,
        budget_tokens: (f64::from(budget.limit) * budget.ratio).round() as u32,
        context_window: within.window_tokens as u32,
        reserve_tokens: within.reserve_tokens as u32,
        reserve_source: within.reserve_by.name(),
        source: match (reported, settings.has_tokenizer) {
            (true, _) => Source::Reported,
            (false, true) => Source::Count,
            (false, false) => Source::Estimate,
        },
        cached_tokens: reported_tokens(|usage| usage.cache_read),
        cache_write_tokens: reported_tokens(|usage| usage.cache_write),
        cache_savings: usage.zip(settings.input_price).and_then(|(usage, input)| cache_savings(usage, settings, &input)),
    }
}

/// Nothing where the provider reported neither what it read from its cache nor what it wrote there.
fn cache_savings(usage: &Usage, settings: &Settings, input: &InputPrice) -> Option<f64> {
    let reports = usage.cache_read >= 0.0 || usage.cache_write >= 0.0;
    // What is not reported is not a number, which `max` passes over.
    let (read, written) = (usage.cache_read.max(0.0), usage.cache_write.max(0.0));
    if reports { settings.prices.saved(input, usage.input.max(0.0), read, written) } else { None }
}

/// What a plan did, as events.
pub fn of_plan(plan: &Plan) -> Vec<Event> {
    plan.done.iter().map(|done| of_done(plan, done)).collect()
}

/// What an app must know of a plan even without `onEvent`: that the prompt certainly does not fit or the overhead leaves no room, that the model is not shown all of a
/// result, whether the summarizer works, and that the history is out of reach.
pub fn warnings_of(plan: &Plan) -> impl Iterator<Item = Event> {
    let is_reported = |done: &&Done| {
        matches!(
            done,
            Done::OverBudget { certain: true, .. }
                | Done::OverBudget { reason: OverBudget::Overhead, .. }
                | Done::Capped { because: CutBecause::Window, .. }
                | Done::Rejected { .. }
                | Done::LostCheckpoint { .. }
                | Done::Folded { summarized: true, .. }
                | Done::StoodDown { because: StandDown::HistoryElsewhere { .. } }
        )
    };
    plan.done.iter().filter(is_reported).map(|done| of_done(plan, done))
}

fn of_done(plan: &Plan, done: &Done) -> Event {
    let tokens_before = plan.budget.prompt_tokens(plan.estimated_before);
    let tokens_after = plan.budget.prompt_tokens(plan.estimated_after);
    let results = |changes: &[ResultChange]| changes.iter().map(EventResult::from).collect::<Vec<_>>();
    match done {
        Done::Capped { results: changes, because } => Event::Capped {
            results: results(changes),
            reason: match because {
                CutBecause::Option => "option",
                CutBecause::Window => "window",
            },
        },
        Done::Cleared { results: changes } | Done::OffersWithdrawn { results: changes } => {
            Event::Cleared { results: results(changes), tokens_before, tokens_after }
        }
        Done::AgedImages { results: changes } => Event::ImagesCleared { results: results(changes), tokens_before, tokens_after },
        Done::Folded { id, messages, checkpoint_tokens, summarized } => Event::Checkpoint {
            id: id.clone(),
            messages: *messages,
            checkpoint_tokens: *checkpoint_tokens,
            content: if *summarized { "summary" } else { "digest" },
            tokens_before,
            tokens_after,
        },
        Done::Pinned { tool, call_id, tokens } => {
            Event::Pinned { tool_name: printable(tool).into_owned(), tool_call_id: printable(call_id).into_owned(), tokens: *tokens }
        }
        Done::Released { tools } => Event::PinsReleased { tool_names: tools.iter().map(|tool| printable(tool).into_owned()).collect() },
        Done::Rejected { reason } => Event::Fallback { reason, message: "the summary cannot stand for what it replaces" },
        Done::Squeezed { results: changes, folded } => {
            Event::Squeezed { results: results(changes), folded: *folded, tokens_before, tokens_after }
        }
        Done::OverBudget { reason, message_index, tokens, certain } => Event::OverBudget {
            reason: match reason {
                OverBudget::Overhead => "overhead",
                OverBudget::Message => "message",
                OverBudget::NativeCompaction => "native-compaction",
            },
            message_index: *message_index,
            tokens: *tokens,
            limit_tokens: plan.budget.prompt_limit_tokens,
            certain: *certain,
        },
        Done::LostCheckpoint { id, messages, difference } => {
            let part = difference.as_ref().and_then(|difference| difference.part.as_ref());
            Event::CheckpointLost {
                id: id.clone(),
                messages: *messages,
                difference: difference.as_ref().map(|difference| match difference.kind {
                    DifferenceKind::Changed => "changed",
                    DifferenceKind::Added => "added",
                    DifferenceKind::Missing => "missing",
                }),
                message_index: difference.as_ref().map(|difference| difference.message_index),
                role: part.map(|part| part.role.name()),
                part: part.map(|part| match part.kind {
                    Kind::Text => "text",
                    Kind::Media => "file",
                    Kind::Call => "tool-call",
                    _ => "other",
                }),
                tool_name: part.filter(|part| part.kind == Kind::Call).map(|part| printable(&part.tool).into_owned()),
            }
        }
        Done::DroppedReasoning { parts, reason } => Event::ReasoningDropped {
            parts: *parts,
            reason: match reason {
                DroppedReasoning::Edit => "edit",
                DroppedReasoning::HistoryChanged => "history-changed",
                DroppedReasoning::InstructionsChanged => "instructions-changed",
                DroppedReasoning::Refused => "refused",
            },
        },
        Done::StoodDown { because: StandDown::AppliedEdits { .. } } => {
            Event::StoodDown { reason: "the provider edits the prompt itself".to_owned() }
        }
        Done::StoodDown { because: StandDown::HistoryElsewhere { by } } => {
            Event::StoodDown { reason: format!("the history lies with the provider (`{}`), which adds it to the messages", by.name()) }
        }
    }
}

/// The event about the files that a plan wants written: it is carried out once they are.
pub fn of_files(files: &[ResultFile]) -> Option<Event> {
    let bytes = files.iter().map(|file| file.text.len() as u64).sum();
    (!files.is_empty()).then(|| Event::Offloaded { files: files.len() as u32, bytes: saturate(bytes) })
}
