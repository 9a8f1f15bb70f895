//! The rules of policy in small cases, read by people: what goes first, what is left alone, when a checkpoint comes and where it ends.
//! Each fails when its rule is broken. Not properties: those hold for any conversation; not golden cases: those hold texts.
#![allow(clippy::unwrap_used, clippy::panic)]

mod acts;
mod arrival;
mod checkpoint;
mod clear;
mod digests;
mod forms;
mod images;
mod silent;
mod squeeze;
mod summarizer;
mod turn;

use stepfold::apply::apply;
use stepfold::digest::tools::{Keep, ToolRule};
use stepfold::model::entry::{Entry, measure};
use stepfold::model::message::{Call, Extent, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use stepfold::plan::{CutBecause, DigestGiven, Done, Extra, Plan, PlanInput, PlanMode, RequestedSpan, Source, Summary, plan};
use stepfold::settings::{Options, Settings, Threshold};
use stepfold::state::FoldState;
use stepfold::tokens::calibration::Calibration;

/// A text of about this many tokens: lines that differ, from a beginning that says whose it is.
fn words(name: &str, tokens: usize) -> String {
    (0..tokens.div_ceil(10)).map(|n| format!("{name} line {n} has some words in it\n")).collect()
}

fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts, marker: None, has_cache_mark: false, carried: None }
}

fn user(text: impl Into<String>) -> Message {
    message(Role::User, vec![Part::text(text.into())])
}

/// A signed thought: with it the running loop can be cut nowhere, so that nothing of it can be folded.
fn thought() -> Part {
    Part::Reasoning { text: "I look at what there is.".into(), leads_loop: true }
}

fn call(id: &str, input: &str) -> Part {
    let input = format!(r#"{{"text":{}}}"#, serde_json::to_string(input).unwrap());
    Part::Call(Call { id: id.into(), name: "read".into(), input, omitted_bytes: 0, provider_executed: false, caller: None })
}

fn result(id: &str, output: Output) -> Part {
    Part::Result(ToolResult { id: id.into(), name: "read".into(), output, ..ToolResult::default() })
}

/// A step: calls, and their results as one message.
fn step(results: &[(&str, Output)]) -> [Message; 2] {
    [
        message(Role::Assistant, results.iter().map(|(id, _)| call(id, "x")).collect()),
        message(Role::Tool, results.iter().map(|(id, output)| result(id, output.clone())).collect()),
    ]
}

fn text(name: &str, tokens: usize) -> Output {
    Output::Text(words(name, tokens))
}

/// PDFs by URL: four pages of 2,500 tokens each, as nobody can look inside.
fn pdfs(count: usize) -> Vec<Part> {
    let media = |n: usize| Media::absent(MediaKind::Pdf, format!("https://x.test/{n}.pdf").into_bytes());
    (0..count).map(|n| Part::Media(media(n))).collect()
}

/// A picture of about 2,500 tokens, with a name if it has one.
fn image(n: usize, name: &str) -> Media {
    let media = Media { bytes: Some(9_000), extent: Extent::Pixels(1_568, 1_568), ..Media::absent(MediaKind::Image, vec![n as u8]) };
    media.named(name)
}

/// A screenshot of this many tokens and a sentence.
fn screenshots(count: usize) -> Output {
    let mut items = vec![Item::Text("The page as it is now.".into())];
    items.extend((0..count).map(|n| Item::Media(image(n, ""))));
    Output::Content(items)
}

struct Reader<'a>(&'a [Message]);

impl Source for Reader<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        self.0.get(index).cloned()
    }
}

/// A call of `tool` and its result.
fn used(id: &str, tool: &str, input: &str, output: Output) -> [Message; 2] {
    let call = Call { id: id.into(), name: tool.into(), input: input.into(), omitted_bytes: 0, provider_executed: false, caller: None };
    let result = ToolResult { id: id.into(), name: tool.into(), output, ..ToolResult::default() };
    [message(Role::Assistant, vec![Part::Call(call)]), message(Role::Tool, vec![Part::Result(result)])]
}

/// A file that was read, of about a thousand tokens.
fn read(id: &str, path: &str) -> [Message; 2] {
    used(id, "read_file", &format!(r#"{{"path":"{path}"}}"#), text(id, 1_000))
}

fn wrote(id: &str, path: &str) -> [Message; 2] {
    used(id, "write_file", &format!(r#"{{"path":"{path}"}}"#), Output::Text("Written.".into()))
}

fn ran(id: &str, command: &str, output: Output) -> [Message; 2] {
    used(id, "bash", &format!(r#"{{"command":"{command}"}}"#), output)
}

/// A request and steps after it.
fn talk<const N: usize>(steps: [[Message; 2]; N]) -> Vec<Message> {
    let mut messages = vec![user("Find out why the build is slow.")];
    messages.extend(steps.into_iter().flatten());
    messages
}

/// Estimated tokens of messages.
fn size(messages: &[Message]) -> u32 {
    messages.iter().map(|message| measure(message).tokens()).sum()
}

/// Thresholds in tokens of messages, with no tail but the newest step, and any saving worth an edit.
fn between(trigger: u32, target: u32) -> Options {
    Options {
        trigger: Some(Threshold::Tokens(trigger.into())),
        target: Some(Threshold::Tokens(target.into())),
        keep_recent_tokens: Some(0.0),
        min_clear_tokens: Some(1.0),
        ..Options::default()
    }
}

/// What the user says of how long results of a tool are worth keeping.
fn keeping(tool: &str, keep: Keep) -> Vec<ToolRule> {
    vec![ToolRule { tool: tool.into(), keep, ..ToolRule::default() }]
}

/// What is sent of a conversation in a window, of which all is for messages.
struct Sent {
    messages: Vec<Message>,
    plan: Plan,
}

fn send(window: f64, messages: &[Message], state: &FoldState) -> Sent {
    send_with(window, Options::default(), messages, state)
}

fn send_with(window: f64, options: Options, messages: &[Message], state: &FoldState) -> Sent {
    send_in(PlanMode::All, window, options, messages, state)
}

fn send_in(mode: PlanMode, window: f64, options: Options, messages: &[Message], state: &FoldState) -> Sent {
    send_answered(mode, window, options, messages, state, &NOT_REQUESTED)
}

/// What became of the summarizer.
struct Answered<'a> {
    summary: Summary<'a>,
    about: Option<RequestedSpan<'a>>,
    digests: &'a [DigestGiven],
}

const NOT_REQUESTED: Answered<'_> = Answered { summary: Summary::NotRequested, about: None, digests: &[] };

fn send_answered(mode: PlanMode, window: f64, options: Options, messages: &[Message], state: &FoldState, answered: &Answered<'_>) -> Sent {
    let options = Options { context_window: Some(window), reserve_tokens: Some(0.0), ..options };
    let mut settings = Settings::new(&options, "gpt-4o", "openai");
    settings.has_given_overhead = true;
    let mut calibration = Calibration::new(1.0, 0.0);
    // Much was reported, so that estimates are trusted.
    (calibration.is_reported, calibration.estimated_delta_tokens) = (true, 1e6);
    send_by(mode, &settings, &options, &calibration, messages, state, answered)
}

/// The same for a provider that reports nothing, so that the overhead is only guessed.
fn send_unreported(window: f64, messages: &[Message], state: &FoldState) -> Sent {
    let options = Options { context_window: Some(window), ..Options::default() };
    let settings = Settings::new(&options, "gpt-4o", "openai");
    let calibration = Calibration { is_silent: true, ..Calibration::new(settings.prior_ratio, 0.0) };
    send_by(PlanMode::All, &settings, &options, &calibration, messages, state, &NOT_REQUESTED)
}

fn send_by(
    mode: PlanMode,
    settings: &Settings,
    options: &Options,
    calibration: &Calibration,
    messages: &[Message],
    state: &FoldState,
    answered: &Answered<'_>,
) -> Sent {
    let entries: Vec<Entry> = messages.iter().map(measure).collect();
    let plan = plan(&PlanInput {
        entries: &entries,
        source: &Reader(messages),
        settings,
        options,
        state,
        calibration,
        extends: false,
        summary: answered.summary,
        mode,
        keep_from: messages.len(),
        extra: Extra { requested_span: answered.about, digests: answered.digests, ..Extra::default() },
    });
    Sent { messages: apply(messages, &plan.edits), plan }
}

impl Sent {
    /// All that is sent.
    fn text(&self) -> String {
        self.messages.iter().flat_map(|message| &message.parts).map(text_of).collect()
    }

    /// Tokens of the result of a call as it is sent; `None` when it is folded.
    fn tokens_of(&self, id: &str) -> Option<u32> {
        let parts = self.messages.iter().zip(self.messages.iter().map(measure));
        parts.flat_map(|(message, entry)| message.parts.clone().into_iter().zip(entry.parts)).find_map(|(part, entry)| match part {
            Part::Result(result) if result.id == id => Some(entry.tokens),
            _ => None,
        })
    }

    /// The calls whose results were cleared, in the order in which they went.
    fn cleared(&self) -> Vec<&str> {
        let cleared = self.plan.done.iter().filter_map(|done| match done {
            Done::Cleared { results } => Some(results),
            _ => None,
        });
        cleared.flatten().map(|result| result.call_id.as_str()).collect()
    }

    /// The calls whose new results were cut because they do not fit.
    fn cut(&self) -> Vec<&str> {
        let cut = self.plan.done.iter().filter_map(|done| match done {
            Done::Capped { results, because: CutBecause::Window } => Some(results),
            _ => None,
        });
        cut.flatten().map(|result| result.call_id.as_str()).collect()
    }

    fn folds(&self) -> bool {
        self.plan.done.iter().any(|done| matches!(done, Done::Folded { .. }))
    }

    fn is_over(&self) -> bool {
        self.plan.done.iter().any(|done| matches!(done, Done::OverBudget { .. }))
    }

    fn tokens(&self) -> u32 {
        self.messages.iter().map(|message| measure(message).tokens()).sum()
    }
}

fn text_of(part: &Part) -> String {
    match part {
        Part::Text { text, .. } => text.clone(),
        Part::Call(call) => call.input.clone(),
        Part::Result(result) => result.output.to_text(),
        _ => String::new(),
    }
}
