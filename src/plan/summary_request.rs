//! What the summarizer is asked about a fold, and how far it can read at once: everything that is folded, raw, in as many parts as its own
//! window needs. Not its words: those are in `words::summary`. Not when it is asked, nor how often: that is for the ladder to say.

use crate::digest::reader::text_of;
use crate::model::fingerprint::Chain;
use crate::model::message::{Message, Role};
use crate::plan::budget::Budget;
use crate::plan::checkpoint::{canonical, record_without_findings};
use crate::plan::draft::Draft;
use crate::plan::draft::carried::{CarriedAlong, carried_along, leave_untold};
use crate::plan::input::PlanInput;
use crate::plan::outcome::SummaryRequest;
use crate::policy::checkpoint::SUMMARY_SHARE;
use crate::policy::ladder::{
    LEAST_READING_PART, MOST_PARTS, SPAN_FACTS_TOKENS, SUMMARIZER_UNCERTAINTY_SHARE, SUMMARY_EXCESS, USER_WORDS_PART,
};
use crate::text::hash::HashSet;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::{facts_text, words_kept};
use crate::words::summary::{AFTER_TOKENS, SummaryPrompt, Transcriber, Transcript, Words, after_text};

/// A part of what is to be folded.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// First message that was not read before.
    pub start: usize,
    /// Where all that is to be read ends.
    pub whole: usize,
    /// Which one it is of this step, from 1.
    pub number: u32,
    /// The summary of what was read at this step before, if this is not the first part. That goes on from the checkpoint's own.
    pub previous: Option<&'a str>,
    /// The words of the user that the checkpoint will have whole; `None` where nobody asks.
    pub kept: Option<&'a HashSet<String>>,
}

/// How far the summarizer has read at this step.
pub struct Reading {
    /// First message that it has not read.
    pub end: usize,
    /// Its text on what it has read.
    pub text: Option<String>,
    /// How many parts it was given.
    pub parts: u32,
    /// What happens to the rest of the span.
    pub next: Next,
}

/// What happens to what was not read.
#[derive(Clone, Copy, PartialEq)]
pub enum Next {
    /// A summary of it is requested.
    Ask,
    /// The summarizer has had as many requests as one step allows: the fold ends there, if the prompt then fits.
    Stop,
    /// The summarizer gave nothing: the digest takes it.
    Digest,
}

/// A summarizer is not asked where a summary of this many tokens would leave nothing saved.
const SHORT_SUMMARY_TOKENS: u32 = 60;

/// Tokens that a summary is asked to take: what was given for it, as far as a checkpoint has room.
fn requested_tokens(input: &PlanInput<'_>, budget: &Budget) -> u32 {
    input.settings.summary_tokens.min((f64::from(budget.max_checkpoint) * SUMMARY_SHARE) as u32)
}

/// Tokens that it may take: models do not count well. What is accepted is never cut.
pub fn most_summary_tokens(input: &PlanInput<'_>, budget: &Budget) -> u32 {
    requested_tokens(input, budget).saturating_mul(SUMMARY_EXCESS)
}

/// The words of the user that the agent will still have, whole, beside a summary of all up to `whole`; nothing where that fold saves nothing
/// even with a short one.
pub fn words_beside_summary(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget, whole: usize) -> Option<HashSet<String>> {
    // With a summary findings leave first, and what they take of the rest is known without them.
    let mut recorded = record_without_findings(draft, budget, whole);
    if !draft.would_save(recorded.clone(), whole, SHORT_SUMMARY_TOKENS) {
        return None;
    }
    recorded.summary = Some("word ".repeat(requested_tokens(input, budget) as usize));
    Some(words_kept(&recorded))
}

/// Estimated tokens that the summarizer's prompt may have.
fn prompt_room(input: &PlanInput<'_>, budget: &Budget) -> u32 {
    let settings = input.settings.with(&input.calibration.traits);
    let window = settings.summarizer_window_tokens.unwrap_or(settings.window_tokens);
    let ratio = settings.summarizer_ratio.unwrap_or(budget.ratio.max(settings.prior_ratio));
    let reply = f64::from(settings.summary_tokens).min(window / 2.0);
    ((window - reply) / (ratio * (1.0 + SUMMARIZER_UNCERTAINTY_SHARE))) as u32
}

/// The id of the fences in a prompt about what ends there.
pub fn fence_of(draft: &Draft<'_>, end: usize) -> String {
    let chain = draft.history.boundary(end).1;
    Chain { first: chain.second, ..chain }.short_id()
}

/// The summary that one of a part goes on from.
pub fn previous_summary<'s>(draft: &'s Draft<'_>, part: &Part<'s>) -> Option<&'s str> {
    part.previous.or_else(|| draft.checkpoint.as_ref()?.recorded.summary.as_deref())
}

/// What the summarizer is asked about a part: as much of it as it can read at once, and at least up to the first place where it may be cut.
pub fn summary_request(input: &PlanInput<'_>, draft: &Draft<'_>, budget: &Budget, part: &Part<'_>) -> SummaryRequest {
    let recorded = draft.checkpoint.as_ref().map(|checkpoint| &checkpoint.recorded);
    let is_kept = |words: &str| part.kept.is_none_or(|kept| kept.contains(words));
    let previous = previous_summary(draft, part);
    let facts = recorded.map_or(String::new(), |recorded| facts_text(recorded, SPAN_FACTS_TOKENS));
    // What the user said in the parts before: who summarizes this one must know what is wanted.
    let told = Told { input, along: &carried_along(draft, part.whole, &(0..0)) };
    let said = user_words(&told.messages(draft.start(), part.start));
    let recorded_words = recorded.iter().flat_map(|recorded| {
        let record = &recorded.record;
        std::iter::once(&record.request).chain(record.users.iter().map(|message| &message.text))
    });
    let mut earlier_words = recorded_words.chain(&said).map(|text| Words { text, stays: is_kept(text) });
    let request = earlier_words.next();
    let user_messages: Vec<Words> = earlier_words.collect();
    let room = prompt_room(input, budget);
    let unfenced = SummaryPrompt {
        fence: "",
        request,
        user_messages: &user_messages,
        facts: &facts,
        previous,
        after: "",
        is_followed: false,
        instructions: input.options.summary_instructions.as_deref(),
        focus: input.extra.focus,
        summary_tokens: requested_tokens(input, budget),
        user_tokens: room / USER_WORDS_PART,
    };
    let beside = estimate_tokens(&unfenced.text("")).saturating_add(AFTER_TOKENS);
    let span_room = room.saturating_sub(beside).max(room / LEAST_READING_PART);
    let least = requested_tokens(input, budget).min(span_room / 2);
    let (end, span) = read(&told, draft, part, span_room, least, &is_kept);
    let is_followed = end < part.whole && part.number < MOST_PARTS;
    let after = if is_followed { String::new() } else { after_text(&told.messages(end, draft.history.entries.len())) };
    let fence = fence_of(draft, end);
    let prompt = SummaryPrompt { fence: &fence, after: &after, is_followed, ..unfenced };
    SummaryRequest {
        prompt: prompt.text(&span),
        shown: prompt.instruction() + &span,
        instruction: prompt.instruction(),
        previous_summary: previous.map(str::to_owned),
        max_output_tokens: input.settings.summary_tokens,
        start: part.start,
        end,
        part: part.number,
        fence,
        ahead: None,
    }
}

/// As much of a part as there is room for, up to a place where it may be cut, and its text. What does not fit alone is cut itself, and so
/// is what follows less than `least`: of a lone request a summary would save nothing.
///
/// Only where a restored state finds the end again: one behind messages that say nothing would be found before them.
fn read(told: &Told<'_>, draft: &Draft<'_>, part: &Part<'_>, room: u32, least: u32, is_kept: &dyn Fn(&str) -> bool) -> (usize, String) {
    let mut transcriber = Transcriber::new(is_kept);
    let mut transcript = Transcript::default();
    let mut from = part.start;
    let mut fitting = None;
    let ends = draft.fold_ends().filter(|end| *end > part.start && *end < part.whole);
    for cut in ends.chain([part.whole]) {
        transcript.extend(transcriber.transcribe(&told.messages(from, cut)));
        from = cut;
        let fits = transcript.tokens() <= u64::from(room);
        if !fits && fitting.is_some() {
            break;
        }
        let is_enough = transcript.tokens() >= u64::from(least) || cut == part.whole;
        if is_enough && let Some(end) = canonical(draft, cut, part.whole).filter(|end| *end > part.start) {
            fitting = Some((end, transcript.block_count()));
            if !fits {
                break;
            }
        }
    }
    let (end, blocks) = fitting.unwrap_or((part.whole, transcript.block_count()));
    transcript.truncate(blocks);
    (end, transcript.text(room))
}

/// What the user said in these messages, one text a message.
fn user_words(messages: &[Message]) -> Vec<String> {
    let texts = messages.iter().filter(|message| message.role == Role::User).map(|message| text_of(message).trim().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

/// What is told of messages.
struct Told<'t> {
    input: &'t PlanInput<'t>,
    /// What is carried of them.
    along: &'t CarriedAlong,
}

impl Told<'_> {
    fn messages(&self, from: usize, end: usize) -> Vec<Message> {
        let read = |index| self.input.source.message(index).map_or_else(Message::unreadable, |message| message.cleaned().0);
        let mut messages: Vec<Message> = (from..end).map(read).collect();
        leave_untold(&mut messages, from, self.along);
        messages
    }
}
