//! Decides from the facts of an error whether the prompt was too large for the model.
//! Reads no error object: the wrapper collects the facts. Does not decide what to do about it.

mod numbers;

pub use numbers::Overflow;

/// The facts of an error, gathered by the wrapper from the error and from its chain of causes.
///
/// The request must not be among the texts: a conversation may quote any of the sentences below.
#[derive(Clone, Debug, Default)]
pub struct ErrorFacts<'a> {
    /// Names of the error classes.
    pub names: Vec<&'a str>,
    /// HTTP status codes of the responses.
    pub status_codes: Vec<u16>,
    /// Fields `code` and `type` of the errors and of their response bodies.
    pub codes: Vec<&'a str>,
    /// Messages and response bodies, each on its own.
    pub texts: Vec<&'a str>,
}

impl ErrorFacts<'_> {
    /// Whether the status says that the request was refused for a reason that no other request cures.
    pub(crate) fn has_another_reason(&self) -> bool {
        !self.status_codes.is_empty() && self.status_codes.iter().all(|status| OTHER_STATUSES.contains(status))
    }

    /// Whether a text holds all pieces of one of these rows, which are in lower case.
    pub(crate) fn say(&self, rows: &[&[&str]]) -> bool {
        self.texts.iter().any(|text| matches_any(rows, &folded(text)))
    }
}

/// Whether a smaller prompt would have been accepted.
///
/// Rate limits, quotas and limits of single parameters are no overflow, also where their texts name tokens.
pub fn is_context_overflow(facts: &ErrorFacts) -> bool {
    if facts.has_another_reason() {
        return false;
    }
    let texts: Vec<String> = facts.texts.iter().map(|text| folded(text)).collect();
    let codes: Vec<String> = facts.codes.iter().map(|code| folded(code)).collect();
    let names: Vec<String> = facts.names.iter().map(|name| folded(name)).collect();
    codes.iter().any(|code| OVERFLOW_CODES.contains(&code.as_str()))
        || names.iter().any(|name| OVERFLOW_NAMES.iter().any(|known| name.contains(known)))
        // Text by text: a retry may have met a rate limit first and the overflow last.
        || texts.iter().any(|text| matches_any(OVERFLOW_TEXTS, text) && !names_another_limit(text))
        || facts.status_codes.contains(&CONTENT_TOO_LARGE) && !texts.iter().chain(&codes).any(|text| explains_413(text))
}

/// What an overflow says of prompt and window; `None` for any other error.
pub fn read_overflow(facts: &ErrorFacts) -> Option<Overflow> {
    let texts = || facts.texts.iter().map(|text| folded(text)).filter(|text| !names_another_limit(text));
    is_context_overflow(facts).then(|| {
        // A message and the body it was read from say the same: the one with more numbers counts.
        let rank = |overflow: &Overflow| u8::from(overflow.window_tokens > 0.0) * 2 + u8::from(overflow.prompt_tokens > 0.0);
        let mut best = Overflow::default();
        for overflow in texts().map(|text| Overflow::read(&text)) {
            if rank(&overflow) > rank(&best) {
                best = overflow;
            }
        }
        Overflow { by_bytes: !best.has_numbers() && (facts.status_codes.contains(&CONTENT_TOO_LARGE) || facts.say(BY_BYTES)), ..best }
    })
}

/// A number that an error calls its status, when it is an HTTP status.
pub fn http_status(number: f64) -> Option<u16> {
    (number.fract() == 0.0 && (100.0..600.0).contains(&number)).then_some(number as u16)
}

/// Statuses that say the request was refused for another reason, whatever the text says.
const OTHER_STATUSES: &[u16] = &[401, 402, 403, 404, 408, 409, 429, 503, 529];

/// The request has too many bytes. Providers answer it before they count tokens.
const CONTENT_TOO_LARGE: u16 = 413;

/// Error codes and types that mean overflow and nothing else.
const OVERFLOW_CODES: &[&str] = &[
    // OpenAI, Azure, Groq, OpenRouter: developers.openai.com/api/docs/guides/error-codes
    "context_length_exceeded",
    // llama.cpp: github.com/ggml-org/llama.cpp/pull/15780
    "exceed_context_size_error",
    // GitHub Copilot: github.com/microsoft/copilot-intellij-feedback/issues/94
    "model_max_prompt_tokens_exceeded",
    // z.ai and Claude, also a reason for ending: platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
    "model_context_window_exceeded",
    // Anthropic: platform.claude.com/docs/en/api/errors
    "request_too_large",
    // z.ai "Prompt exceeds max length": docs.z.ai/api-reference/api-code
    "1261",
];

/// Names of error classes, in lower case, of gateways and frameworks that classified the error already.
const OVERFLOW_NAMES: &[&str] = &[
    // LiteLLM: docs.litellm.ai/docs/exception_mapping
    "contextwindowexceeded",
    // Strands: strandsagents.com/docs/api/typescript
    "contextwindowoverflow",
    // LangChain.js and opencode
    "contextoverflow",
    "contextlengthexceeded",
];

/// Sentences of providers, in lower case: a text matches a row when it holds every piece of it.
///
/// A row stands for the shortest pieces that no other kind of error was seen to use; the tests hold the whole texts.
const OVERFLOW_TEXTS: &[&[&str]] = &[
    // OpenAI, Azure, DeepSeek, Mistral, OpenRouter, vLLM, SGLang, Cloudflare, Llama on Bedrock: "This model's maximum
    // context length is N tokens. However, …": github.com/evalstate/fast-agent/issues/621, refly-ai/refly/issues/1177
    &["maximum context length"],
    // OpenAI Responses: "Your input exceeds the context window of this model": github.com/dyad-sh/dyad/issues/1672;
    // MiniMax: "context window exceeds limit": github.com/MiniMax-AI/MiniMax-M2/issues/119; Cloudflare; llama-cpp-python
    &["exceed", "context window"],
    // OpenAI: "Input tokens exceed the configured limit": github.com/archi-physics/archi/issues/497;
    // Amazon Nova: "Number of input tokens exceeds maximum length" (recorded in github.com/danny-avila/agents)
    &["input tokens exceed"],
    // Anthropic, Bedrock, Vertex: "prompt is too long: N tokens > M maximum": github.com/earendil-works/pi/issues/102;
    // Fireworks: "The prompt is too long: N, model …": github.com/fw-ai/cookbook/issues/134
    &["prompt is too long"],
    // Anthropic: "input length and `max_tokens` exceed context limit": github.com/continuedev/continue/issues/6080
    &["exceed", "context limit"],
    // z.ai through Anthropic's API: github.com/modu-ai/moai-adk/issues/676
    &["reached its context window limit"],
    // Gemini and Vertex: "The input token count (N) exceeds the maximum": github.com/google-gemini/gemini-cli/issues/6678
    &["input token count", "exceed"],
    // Bedrock: "Input is too long for requested model": github.com/aws-samples/bedrock-chat/issues/95
    &["input is too long"],
    // Vercel AI Gateway: github.com/charmbracelet/fantasy/pull/299
    &["input too long"],
    // Bedrock and Anthropic, by bytes: github.com/strands-agents/sdk-python/issues/1528
    &["too many total text bytes"],
    // Groq and Cerebras: github.com/OpenHands/OpenHands/issues/1902, github.com/cline/cline/issues/5140
    &["reduce the length of the messages"],
    // xAI: "This model's maximum prompt length is N": github.com/chenyme/grok2api/issues/693
    &["maximum prompt length"],
    // Cohere: docs.cohere.com/v1/reference/errors
    &["too many tokens: total number of tokens"],
    &["too many tokens: size limit exceeded"],
    // GitHub Copilot: github.com/opencode-ai/opencode/issues/305, microsoft/vscode-copilot-release/issues/1456
    &["prompt token count", "exceeds the limit"],
    &["exceeds token limit"],
    // Kimi: platform.kimi.ai/docs/api/errors and www.kimi.com/code/docs/en/kimi-code/error-reference.html
    &["exceeded model token limit"],
    &["input token length too long"],
    &["total message size", "exceeds limit"],
    // z.ai: github.com/zeroclaw-labs/zeroclaw/issues/4124
    &["prompt exceeds max length"],
    // Alibaba: www.alibabacloud.com/help/en/model-studio/error-code; the second for one text of 20 MB:
    // github.com/QwenLM/qwen-code/issues/1082
    &["range of input length"],
    &["string value length", "exceeds the maximum allowed"],
    // Volcano Ark, SGLang, DeepInfra: github.com/langgenius/dify/issues/32221, sgl-project/sglang/issues/4048,
    // langchain-ai/langchain/pull/25671
    &["input length", "exceeds the maximum"],
    &["input length", "exceeds maximum"],
    // Together, SGLang: "The input (N tokens) is longer than the model's context length": QwenLM/Qwen3/issues/1321
    &["longer than", "context length"],
    // vLLM: github.com/xorbitsai/inference/issues/3785, vllm-project/vllm/issues/12165 and 4667 (what is left is negative)
    &["longer than the maximum model length"],
    &["is too long to fit into the model"],
    &["max_tokens must be at least 1, got -"],
    // Hugging Face TGI, Together: github.com/stanford-crfm/helm/pull/2079
    &["`inputs` tokens + `max_new_tokens` must be"],
    // llama.cpp: github.com/ggml-org/llama.cpp/issues/19774
    &["exceed", "context size"],
    // LM Studio: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546, anomalyco/opencode/issues/2259 and 11141
    &["context the overflows"],
    &["greater than the context length"],
    &["n_keep", "n_ctx"],
    // Ollama: github.com/dyad-sh/dyad/issues/3498; lmstudio-ai/model-catalog/issues/38
    &["prompt too long"],
    &["exceed", "context length"],
    // By bytes, like the rows below: platform.claude.com/docs/en/api/errors, google-gemini/gemini-cli/issues/13776,
    // MaKTaiL/gemini-srt-translator/issues/63
    &["request_too_large"],
    &["request exceeds the maximum size"],
    &["request entity too large"],
    &["request payload size exceeds"],
    &["maximum request body size"],
    // OpenAI, for one text: github.com/VectorlyApp/bluebox/issues/31. Other fields have smaller limits of their own.
    &["string too long", "maximum length 10485760"],
    // The codes above, inside a body that was not parsed.
    &["context_length_exceeded"],
    &["exceed_context_size_error"],
    &["model_max_prompt_tokens_exceeded"],
    &["model_context_window_exceeded"],
    &["contextwindowexceedederror"],
];

/// Those of them that are about bytes: images and files have most of these.
const BY_BYTES: &[&[&str]] = &[
    &["request_too_large"],
    &["request exceeds the maximum size"],
    &["request entity too large"],
    &["request payload size exceeds"],
    &["maximum request body size"],
    &["total message size", "exceeds limit"],
];

/// Pieces of texts about limits over time and about money; they often name tokens and sizes too.
const OTHER_LIMITS: &[&[&str]] = &[
    // OpenAI, Groq, Anthropic: github.com/continuedev/continue/issues/10602, assafelovic/gpt-researcher/issues/985
    &["rate limit"],
    &["rate_limit"],
    &["tokens per min"],
    &["tokens per day"],
    &["too many requests"],
    // Bedrock: github.com/anthropics/claude-code/issues/236
    &["wait before trying again"],
    &["throttl"],
    // Gemini, OpenAI, OpenRouter: github.com/continuedev/continue/issues/9729, can1357/oh-my-pi/issues/9569
    &["quota"],
    &["billing"],
    &["credits"],
    &["usage limit"],
];

/// Pieces of texts about one large attachment, which shortening a conversation need not remove.
const MEDIA: &[&[&str]] = &[&["image"], &["audio"], &["video"], &["pdf"], &["file size"]];

/// The longest text that is looked at; providers put the sentence first.
const MAX_TEXT_BYTES: usize = 16_384;

fn names_another_limit(text: &str) -> bool {
    matches_any(OTHER_LIMITS, text)
}

/// Whether a text or code gives status 413 another meaning: Groq answers it when a request exceeds the rate limit.
fn explains_413(text: &str) -> bool {
    names_another_limit(text) || matches_any(MEDIA, text)
}

fn matches_any(rules: &[&[&str]], text: &str) -> bool {
    rules.iter().any(|pieces| pieces.iter().all(|piece| text.contains(piece)))
}

/// The beginning of a text in lower case; every rule is in ASCII.
fn folded(text: &str) -> String {
    let mut end = text.len().min(MAX_TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_ascii_lowercase()
}
