//! The prompt for the summarizer: the folded span as bounded, fenced text, without secrets, and what stays beside the summary.
//! Not the call itself: that is the user's function, awaited in TypeScript.

mod pieces;
mod span;

use crate::message::Message;
use crate::redact::clean;
use crate::texts::cut::head_and_tail;

use crate::texts::summary::span::{after_text, span_text};

const PROMPT: &str = include_str!("../prompts/summarize.md");
/// Words of English a token holds, roughly; summaries are asked for in words because models count those better.
const WORDS_PER_TOKEN: f64 = 0.7;
/// Tokens that a result or an input is told with at least, where a span leaves little room for each.
pub const RESULT_TOKENS: u32 = 200;
/// The same of a text.
pub const TEXT_TOKENS: u32 = 2_000;
/// Most tokens of the user's messages and of the facts in an update, and of what was done behind the span; and the parts of the span's room
/// that they have at most.
const KNOWN_TOKENS: (u32, u32) = (1_500, 16);
const AFTER_TOKENS: (u32, u32) = (800, 32);

/// What a summarizer is asked.
pub struct SummaryPrompt<'a> {
    /// The id of the prompt's fences, which nothing in the span can know.
    pub fence: &'a str,
    /// The span, oldest first.
    pub messages: &'a [Message],
    /// The messages behind it, which the agent keeps.
    pub after: &'a [Message],
    /// The user's original request, when it is not in the span any more.
    pub request: Option<&'a str>,
    /// The user's later messages that are not in the span any more.
    pub user_messages: &'a [String],
    /// The facts of what came before the span; empty when there are none.
    pub facts: &'a str,
    /// The summary of what came before the span.
    pub previous: Option<&'a str>,
    /// What the user adds to the prompt.
    pub instructions: Option<&'a str>,
    /// What the summary is to look at, for this once.
    pub focus: Option<&'a str>,
    /// Tokens the summary may take.
    pub summary_tokens: u32,
    /// Tokens the rendered span may take; the oldest messages leave first.
    pub span_tokens: u32,
}

impl SummaryPrompt<'_> {
    /// The instruction alone, for a call that sends the conversation itself.
    pub fn instruction(&self) -> String {
        let words = (f64::from(self.summary_tokens) * WORDS_PER_TOKEN) as u32;
        // One pass, so that text put in can never act as a template.
        let (before, rest) = PROMPT.split_once("{fence}").unwrap_or((PROMPT, ""));
        let (middle, after) = rest.split_once("{words}").unwrap_or((rest, ""));
        let mut text = format!("{before}{}{middle}{words}{after}", self.fence);
        let further = [("Further instructions", self.instructions), ("What matters most this time", self.focus)];
        for (title, extra) in further.iter().filter_map(|(title, extra)| Some((title, (*extra)?))) {
            text.push_str(&format!("\n{title}:\n{extra}\n"));
        }
        text
    }

    /// The complete prompt, for a separate model; `span` is the rendered span.
    pub fn text(&self, span: &str) -> String {
        let mut text = self.instruction();
        let fence = self.fence;
        let mut section = |before: &str, title: &str, body: &str| {
            if !body.is_empty() {
                text.push_str(&format!("\n{before}\n--- {title} {fence} ---\n{body}\n--- end {fence} ---\n"));
            }
        };
        let within = |(most, part): (u32, u32)| most.min(self.span_tokens / part);
        let request = self.request.map(|request| head_and_tail(&clean(request), within((TEXT_TOKENS, 8)))).unwrap_or_default();
        section("The user's original request:", "request", &request);
        let later: Vec<String> = self.user_messages.iter().map(|message| clean(message)).collect();
        section("What the user said after it, before this part:", "user", &head_and_tail(&later.join("\n\n"), within(KNOWN_TOKENS)));
        section(
            "The summary so far; update it with what is new, correct what turned out otherwise, and drop what is obsolete:",
            "summary",
            self.previous.unwrap_or_default(),
        );
        section("What is known of the work before this part:", "facts", &head_and_tail(&clean(self.facts), within(KNOWN_TOKENS)));
        section("The part to be summarized:", "conversation", span);
        let after = head_and_tail(&after_text(self.after), within(AFTER_TOKENS));
        section("What was done after this part, which you need not summarize:", "after", &after);
        text.push_str("\nWrite the summary now.");
        text
    }

    /// The span as text. Messages that hold only an error or an aborted beginning are left out.
    pub fn span(&self) -> String {
        span_text(self.messages, self.span_tokens)
    }
}
