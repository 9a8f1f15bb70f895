//! The prompt for the summarizer: the folded span as bounded, fenced text, without secrets.
//! Not the call itself: that is the user's function, awaited in TypeScript.

use crate::clip::one_line;
use crate::message::{Message, Part};
use crate::record::empty::is_void;
use crate::redact::clean;
use crate::texts::cut::{head_and_tail, newest_within};
use crate::tokens::estimate::estimate_tokens;

const PROMPT: &str = include_str!("../prompts/summarize.md");
/// Words of English a token holds, roughly; summaries are asked for in words because models count those better.
const WORDS_PER_TOKEN: f64 = 0.7;
/// Tokens of one tool result or input in the prompt, less when the span is too large. Source: opencode and pi use 2,000 characters.
pub const RESULT_TOKENS: [u32; 3] = [600, 200, 60];
/// Tokens of one text in the prompt.
pub const TEXT_TOKENS: u32 = 2_000;

/// What a summarizer is asked.
pub struct SummaryPrompt<'a> {
    /// The id of the prompt's fences, which nothing in the span can know.
    pub fence: &'a str,
    /// The span, oldest first.
    pub messages: &'a [Message],
    /// The user's original request, when it is not in the span any more.
    pub request: Option<&'a str>,
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
        if let Some(request) = self.request {
            text.push_str(&format!(
                "\nThe user's original request:\n--- request {fence} ---\n{}\n--- end {fence} ---\n",
                head_and_tail(&clean(request), TEXT_TOKENS)
            ));
        }
        if let Some(previous) = self.previous {
            text.push_str(&format!("\nThe summary so far; update it with what is new and drop what is obsolete:\n--- summary {fence} ---\n{previous}\n--- end {fence} ---\n"));
        }
        text.push_str(&format!("\n--- conversation {fence} ---\n{span}\n--- end {fence} ---\n\nWrite the summary now."));
        text
    }

    /// The span as text. Messages that hold only an error or an aborted beginning are left out.
    pub fn span(&self) -> String {
        let told = |index: &usize| !is_void(&self.messages[*index], self.messages.get(index + 1));
        let render_all = |result_tokens: u32| {
            let blocks = (0..self.messages.len()).filter(told).map(|index| render(&self.messages[index], result_tokens));
            blocks.filter(|block| !block.is_empty()).collect()
        };
        let mut blocks: Vec<String> = Vec::new();
        // Results give way before messages do.
        for result_tokens in RESULT_TOKENS {
            blocks = render_all(result_tokens);
            if blocks.iter().map(|block| estimate_tokens(block) + 1).sum::<u32>() <= self.span_tokens {
                break;
            }
        }
        let kept = newest_within(&blocks, self.span_tokens);
        let omitted = blocks.len() - kept.len();
        let note = if omitted > 0 { format!("[{omitted} older messages left out]\n\n") } else { String::new() };
        format!("{note}{}", kept.join("\n\n"))
    }
}

fn render(message: &Message, result_tokens: u32) -> String {
    let lines = message.parts.iter().filter_map(|part| match part {
        Part::Text { text, .. } if !text.trim().is_empty() => {
            Some(format!("{}: {}", message.role.name(), head_and_tail(&clean(text), TEXT_TOKENS)))
        }
        Part::Call(call) => {
            Some(format!("assistant calls {}: {}", one_line(&call.name), head_and_tail(&clean(&call.input), result_tokens)))
        }
        Part::Result(result) => {
            let state = if result.output.is_error() { "fails" } else { "returns" };
            Some(format!("{} {state}: {}", one_line(&result.name), head_and_tail(&clean(&result.output.to_text()), result_tokens)))
        }
        Part::Media(media) => Some(format!("{}: [{}]", message.role.name(), media.kind.name())),
        Part::Text { .. } | Part::Reasoning { .. } | Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. } | Part::Opaque { .. } => {
            None
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
