//! The prompt for the summarizer: what leaves the context as fenced text, without secrets, and what it must know beside it.
//! Not the call itself: that is the user's function, awaited in TypeScript. Not how far one prompt reads: see `plan::summary_request`.

mod after;
mod pieces;
mod span;
mod thoughts;

use crate::redact::clean;
use crate::words::cut::head_and_tail;

pub use after::after_text;
pub use pieces::Transcriber;
pub use span::Transcript;
pub use thoughts::without_thoughts;

const PROMPT: &str = include_str!("summarize.md");
/// Words that a token holds, with ids, numbers and urls among them, in languages of long words too: of plain English a token holds 0.75 words,
/// of German, Finnish, Russian or Hindi about half a word. A summary that is cut off by its limit is lost.
const WORDS_PER_TOKEN: (u32, u32) = (1, 2);
/// Characters that a token holds in Japanese, Chinese or Thai; older vocabularies hold less in a token.
const CHARACTERS_PER_TOKEN: (u32, u32) = (4, 5);
/// Most tokens of what the agent keeps as well.
const KEPT_TOKENS: u32 = 1_500;
/// Most tokens of what was done after the span.
pub const AFTER_TOKENS: u32 = 800;

/// The prompt of a summarizer.
pub struct SummaryPrompt<'a> {
    /// The id of the prompt's fences, which nothing in the span can know.
    pub fence: &'a str,
    /// The user's original request, when it is not in the span any more.
    pub request: Option<Words<'a>>,
    /// The user's later messages that are not in the span any more, oldest first.
    pub user_messages: &'a [Words<'a>],
    /// The facts of what came before the span; empty when there are none.
    pub facts: &'a str,
    /// The summary of what came before the span. Never cut.
    pub previous: Option<&'a str>,
    /// What the agent did after the span, where it keeps that.
    pub after: &'a str,
    /// What follows the span is read in the next prompt.
    pub is_followed: bool,
    /// What the user adds to the prompt.
    pub instructions: Option<&'a str>,
    /// What this one summary is to focus on.
    pub focus: Option<&'a str>,
    /// Tokens the summary may take.
    pub summary_tokens: u32,
    /// Tokens that the user's earlier words may take at most.
    pub user_tokens: u32,
}

/// The words of the user before the span.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The words.
    pub text: &'a str,
    /// The agent keeps it word for word.
    pub stays: bool,
}

impl SummaryPrompt<'_> {
    /// The instruction alone, for a call that sends the conversation itself.
    pub fn instruction(&self) -> String {
        let of_tokens = |(part, of): (u32, u32)| (u64::from(self.summary_tokens) * u64::from(part) / u64::from(of)).to_string();
        let (words, characters) = (of_tokens(WORDS_PER_TOKEN), of_tokens(CHARACTERS_PER_TOKEN));
        // One pass, so that inserted text can never act as a template.
        let mut text = String::new();
        let mut rest = PROMPT;
        for (name, value) in [("{fence}", self.fence), ("{words}", &words), ("{characters}", &characters)] {
            let (before, behind) = rest.split_once(name).unwrap_or((rest, ""));
            text.push_str(before);
            text.push_str(value);
            rest = behind;
        }
        text.push_str(rest);
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
        let request = self.request.as_ref();
        let title = match request {
            Some(Words { stays: false, .. }) => "The user's original request, which will not stay in full:",
            _ => "The user's original request:",
        };
        section(title, "request", &request.map_or_else(String::new, |request| clean(request.text)));
        let (staying, leaving) = self.earlier_words();
        section("What the user said after it, before this part, and will not stay in full:", "user", &leaving);
        section("What else the user said before this part, which the agent keeps:", "user", &staying);
        section("What the agent keeps of the work before this part:", "facts", &head_and_tail(&clean(self.facts), KEPT_TOKENS));
        section("The summary so far:", "summary", self.previous.unwrap_or_default());
        let title = if self.is_followed {
            "The part to be summarized. The conversation goes on behind this part: you will be given the next one together with the summary that you write now, so leave open what is open where this part ends:"
        } else {
            "The part to be summarized:"
        };
        section(title, "conversation", span);
        if !self.is_followed && !self.after.is_empty() {
            let after = head_and_tail(self.after, AFTER_TOKENS);
            text.push_str(&format!(
                "\nWhat happened after this part, which the agent keeps and you need not summarize:\n--- after {fence} ---\n{after}\n--- end {fence} ---\n"
            ));
        }
        text.push_str("\nWrite the summary now.");
        text
    }

    /// What the user said before the span: what stays, cut where there is much of it, and what does not. Of that the newest are shown, each
    /// whole: the older ones were given to those who wrote the summary so far.
    fn earlier_words(&self) -> (String, String) {
        let texts = |stays: bool| self.user_messages.iter().filter(move |words| words.stays == stays).map(|words| clean(words.text));
        let staying = head_and_tail(&texts(true).collect::<Vec<_>>().join("\n\n"), KEPT_TOKENS.min(self.user_tokens / 2));
        let leaving: Vec<String> = texts(false).collect();
        (staying, crate::words::cut::newest_within(&leaving, self.user_tokens).join("\n\n"))
    }
}
