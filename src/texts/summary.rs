//! The prompt for the summarizer: the folded span as bounded, fenced text.
//! Not the call itself: that is the user's function, awaited in TypeScript.

use crate::facts::one_line;
use crate::message::{Message, Part};
use crate::texts::cut::head_and_tail;
use crate::tokens::estimate::estimate_tokens;

const PROMPT: &str = include_str!("../prompts/summarize.md");
/// Words of English a token holds, roughly; summaries are asked for in words because models count those better.
const WORDS_PER_TOKEN: f64 = 0.7;
/// Tokens of one tool result or input in the prompt. Source: opencode and pi use 2,000 characters.
const RESULT_TOKENS: u32 = 600;
/// Tokens of one text in the prompt.
const TEXT_TOKENS: u32 = 2_000;

/// What a summarizer is asked.
pub struct SummaryPrompt<'a> {
    /// The id of the checkpoint to come; it makes the fences unforgeable.
    pub fence: &'a str,
    /// The span, oldest first.
    pub messages: &'a [Message],
    /// The summary of what came before the span.
    pub previous: Option<&'a str>,
    /// What the user adds to the prompt.
    pub instructions: Option<&'a str>,
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
        if let Some(extra) = self.instructions {
            text.push_str("\nFurther instructions:\n");
            text.push_str(extra);
            text.push('\n');
        }
        text
    }

    /// The complete prompt, for a separate model.
    pub fn text(&self) -> String {
        let mut text = self.instruction();
        let fence = self.fence;
        if let Some(previous) = self.previous {
            text.push_str(&format!("\nThe summary so far; update it with what is new and drop what is obsolete:\n--- summary {fence} ---\n{previous}\n--- end {fence} ---\n"));
        }
        text.push_str(&format!("\n--- conversation {fence} ---\n{}\n--- end {fence} ---\n\nWrite the summary now.", self.span()));
        text
    }

    fn span(&self) -> String {
        let blocks: Vec<String> = self.messages.iter().map(render).filter(|block| !block.is_empty()).collect();
        let mut used = 0u32;
        let mut start = blocks.len();
        while start > 0 {
            used = used.saturating_add(estimate_tokens(&blocks[start - 1]) + 1);
            if used > self.span_tokens {
                break;
            }
            start -= 1;
        }
        let mut text = if start > 0 { format!("[{start} older messages left out]\n\n") } else { String::new() };
        text.push_str(&blocks[start..].join("\n\n"));
        text
    }
}

fn render(message: &Message) -> String {
    let lines: Vec<String> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text { text, .. } if !text.trim().is_empty() => {
                Some(format!("{}: {}", message.role.name(), head_and_tail(text, TEXT_TOKENS)))
            }
            Part::Call(call) => Some(format!("assistant calls {}: {}", one_line(&call.name), head_and_tail(&call.input, RESULT_TOKENS))),
            Part::Result(result) => {
                let state = if result.output.is_error() { "fails" } else { "returns" };
                Some(format!("{} {state}: {}", one_line(&result.name), head_and_tail(&result.output.to_text(), RESULT_TOKENS)))
            }
            Part::Media(media) => Some(format!("{}: [{}]", message.role.name(), media.kind.name())),
            Part::Text { .. }
            | Part::Reasoning { .. }
            | Part::ApprovalRequest { .. }
            | Part::ApprovalResponse { .. }
            | Part::Opaque { .. } => None,
        })
        .collect();
    lines.join("\n")
}
