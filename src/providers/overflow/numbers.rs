//! Reads out of a provider's refusal how large the prompt was and how large it may be. Sentences of providers as data; a number that no
//! sentence explains is none. Whether the error means overflow at all is decided in `overflow`.

use serde::Serialize;

/// What a refusal of too large a prompt says, in the provider's tokens; zero where it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overflow {
    /// Tokens of the refused prompt.
    pub prompt_tokens: f64,
    /// Tokens that the model takes.
    pub window_tokens: f64,
    /// Tokens of the window that the request asked to keep for the reply.
    pub reply_tokens: f64,
    /// Its bytes are too many, not its tokens.
    pub by_bytes: bool,
}

/// What stands right before the model's limit.
const WINDOW_BEFORE: &[&str] = &[
    "maximum context length is",
    "maximum context length of",
    "context length is only",
    "context length of only",
    "context length",
    "maximum prompt length is",
    "configured limit of",
    "exceeds the limit of",
    "maximum number of tokens allowed",
    "token limit",
    "while limit is",
    "must be <",
    "maximum length",
    "maximum input length",
    "maximum allowed length",
    "maximum model length of",
    "context size",
    "context window of",
    "window limit",
    "cannot exceed",
    "n_ctx",
    "should be [1,",
    ">",
    // The same in JSON within JSON.
    "\\u003e",
];

/// What stands right behind it.
const WINDOW_BEHIND: &[&str] = &["maximum"];

/// What stands right before the size of the prompt …
const PROMPT_BEFORE: &[&str] = &[
    "too long",
    "input token count",
    "input length",
    "token count of",
    "messages resulted in",
    "request contains",
    "prompt contains",
    "the input",
    "request",
    "requested tokens",
    "current length is",
    "(length",
    "(total length",
    "keep the first",
    "n_keep",
    "n_prompt_tokens",
    "given",
    "received",
    "context limit",
];

/// … right behind it …
const PROMPT_BEHIND: &[&str] = &["in the messages", "input tokens", "`inputs` tokens"];

/// … and right before the size of prompt and reply together.
const SUM_BEFORE: &[&str] = &["requested", "requested about", "a total of"];

/// What stands around the size of the reply that was asked for.
const REPLY_BEFORE: &[&str] = &["+", "plus"];
const REPLY_BEHIND: &[&str] = &["in the completion", "in the output", "output tokens", "`max_new_tokens`"];

/// Texts whose numbers are bytes or characters.
const NO_TOKENS: &[&str] = &["bytes", "string too long", "string value length", "body size", "payload size"];

/// The largest window there is by far.
const MOST_TOKENS: f64 = 1e8;
/// Smaller windows are none.
const LEAST_WINDOW_TOKENS: f64 = 256.0;

impl Overflow {
    /// What a text says, which must be in lower case.
    pub fn read(text: &str) -> Overflow {
        let mut found = Overflow::default();
        if NO_TOKENS.iter().any(|piece| text.contains(piece)) {
            return found;
        }
        let mut sum = 0.0;
        for (number, before, behind) in numbers(text) {
            let follows = |pieces: &[&str]| pieces.iter().any(|piece| before.ends_with(piece));
            let leads = |pieces: &[&str]| pieces.iter().any(|piece| behind.starts_with(piece));
            let place = if follows(REPLY_BEFORE) || leads(REPLY_BEHIND) {
                &mut found.reply_tokens
            } else if leads(PROMPT_BEHIND) {
                &mut found.prompt_tokens
            } else if (follows(WINDOW_BEFORE) || leads(WINDOW_BEHIND)) && number >= LEAST_WINDOW_TOKENS {
                &mut found.window_tokens
            } else if follows(SUM_BEFORE) {
                &mut sum
            } else if follows(PROMPT_BEFORE) {
                &mut found.prompt_tokens
            } else {
                continue;
            };
            if *place == 0.0 {
                *place = number;
            }
        }
        if sum > found.reply_tokens {
            found.prompt_tokens = sum - found.reply_tokens;
        }
        found.plausible()
    }

    /// Whether it says anything of use.
    pub fn has_numbers(&self) -> bool {
        self.prompt_tokens > 0.0 || self.window_tokens > 0.0
    }

    /// A refused prompt has more than fits: what says otherwise is no number of the prompt.
    fn plausible(self) -> Overflow {
        let fits = self.prompt_tokens + self.reply_tokens <= self.window_tokens;
        Overflow { prompt_tokens: if fits { 0.0 } else { self.prompt_tokens }, ..self }
    }
}

/// The whole numbers of a text, with what stands before and behind each.
fn numbers(text: &str) -> impl Iterator<Item = (f64, &str, &str)> {
    let bytes = text.as_bytes();
    let is_digit = move |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    // `200,000` is one number, `[1, 200000]` are two.
    let is_separator =
        move |index: usize| bytes.get(index) == Some(&b',') && (1..4).all(|next| is_digit(index + next)) && !is_digit(index + 4);
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && !is_digit(at) {
            at += 1;
        }
        let start = at;
        let mut number = 0.0;
        while is_digit(at) || at > start && is_separator(at) {
            if let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                number = number * 10.0 + f64::from(digit - b'0');
            }
            at += 1;
        }
        let before = text.get(..start)?.trim_end_matches(FILL);
        let behind = text.get(at..)?.trim_start_matches(FILL);
        let behind = behind.strip_prefix("tokens").map_or(behind, |rest| rest.trim_start_matches(FILL));
        (at > start).then_some((number, before, behind))
    })
    .filter(|(number, _, _)| (1.0..MOST_TOKENS).contains(number))
}

/// What may stand between a number and the words that explain it.
const FILL: [char; 8] = [' ', ':', '(', ')', '"', '=', '\n', '\''];
