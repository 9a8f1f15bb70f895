//! Real errors of providers: those that a smaller prompt cures, and those that only look like it.
//! Each row names where its text was seen; ids and organizations in the texts are shortened.

use proptest::prelude::*;
use stepfold::providers::overflow::{ErrorFacts, http_status, is_context_overflow, read_overflow};

/// A status (0: none was known) and one text.
#[track_caller]
fn check(expected: bool, rows: &[(u16, &str)]) {
    for (status, text) in rows {
        let status_codes = if *status == 0 { vec![] } else { vec![*status] };
        let facts = ErrorFacts { status_codes, texts: vec![text], ..ErrorFacts::default() };
        assert_eq!(is_context_overflow(&facts), expected, "{status} {text}");
    }
}

#[test]
fn sentences_of_closed_models_are_recognized() {
    check(
        true,
        &[
            // OpenAI Chat: github.com/dimagi/open-chat-studio/issues/463
            (
                400,
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 8202 tokens. Please reduce the length of the messages.",
            ),
            // OpenAI Responses, in a stream: github.com/dyad-sh/dyad/issues/1672
            (
                0,
                r#"{"type":"error","sequence_number":2,"error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again.","param":"input"}}"#,
            ),
            // OpenAI GPT-5 and Azure: github.com/archi-physics/archi/issues/497
            (
                400,
                "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens. Please reduce the length of the messages.",
            ),
            // OpenAI, one text too long: github.com/VectorlyApp/bluebox/issues/31
            (
                400,
                "Invalid 'input[0].content': string too long. Expected a string with maximum length 10485760, but got a string with length 62114761 instead.",
            ),
            // Anthropic: github.com/earendil-works/pi/issues/102
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 219898 tokens > 200000 maximum"},"request_id":"req_1"}"#,
            ),
            // Anthropic behind a proxy that answers 500: github.com/continuedev/continue/issues/11371
            (
                500,
                r#""{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 203052 tokens > 200000 maximum\"}}""#,
            ),
            // Anthropic, prompt and reply together: github.com/docker/docker-agent/issues/569
            (
                400,
                "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
            ),
            // Anthropic, by bytes: platform.claude.com/docs/en/api/errors, text as in github.com/anthropics/claude-code
            (413, r#"{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#),
            // Anthropic on Vertex: github.com/lbjlaq/Antigravity-Manager/issues/2246
            (
                400,
                r#"{"error":{"code":400,"message":"{\"type\":\"error\",\"error\":{\"message\":\"prompt is too long: 200997 tokens \u003e 200000 maximum\"}}","status":"INVALID_ARGUMENT"}}"#,
            ),
            // Gemini: github.com/google-gemini/gemini-cli/issues/6678
            (400, "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."),
            // Vertex: github.com/warpdotdev/warp/issues/15662
            (400, "The input token count exceeds the maximum number of tokens allowed 1048576."),
            // Gemini, by bytes: github.com/MaKTaiL/gemini-srt-translator/issues/63
            (400, "Request payload size exceeds the limit: 314572800 bytes."),
            // Bedrock, Claude: github.com/aws-samples/bedrock-chat/issues/95 and github.com/daisuke-awaji/moca/issues/254
            (400, "The model returned the following errors: Input is too long for requested model."),
            (400, "The model returned the following errors: prompt is too long: 200049 tokens > 200000 maximum"),
            // Bedrock, Nova, inside a stream with status 200: recorded in github.com/danny-avila/agents
            (
                200,
                "The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
            ),
            // Bedrock, gpt-oss and Llama: recorded by stdapi's tests of the Responses context window
            (400, "The model returned the following errors: Input length (195071) exceeds model's maximum context length (131072)."),
            (400, "This model's maximum context length is 8192 tokens. Please reduce the length of the prompt"),
            // Bedrock, by bytes: github.com/strands-agents/sdk-python/issues/1528, which quotes these words only
            (400, "too many total text bytes"),
            // xAI: github.com/chenyme/grok2api/issues/693
            (400, "This model's maximum prompt length is 500000 but the request contains 907154 tokens."),
            // Mistral: recorded in github.com/danny-avila/agents
            (400, "Prompt contains 170397 tokens and 0 draft tokens, too large for model with 131072 maximum context length"),
            // Cohere: docs.cohere.com/v1/reference/errors
            (
                400,
                "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt, or enabling prompt truncating.",
            ),
            (
                400,
                "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'.",
            ),
        ],
    );
}

#[test]
fn sentences_of_open_models_and_gateways_are_recognized() {
    check(
        true,
        &[
            // DeepSeek: github.com/evalstate/fast-agent/issues/621
            (
                400,
                "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
            ),
            // Kimi: platform.kimi.ai/docs/api/errors, kimi.com/code/docs
            (400, "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)"),
            (400, "Input token length too long"),
            (400, "total message size 2187265 exceeds limit 2097152"),
            // MiniMax: github.com/MiniMax-AI/MiniMax-M2/issues/119
            (400, "invalid params, context window exceeds limit (2013)"),
            // z.ai: github.com/zeroclaw-labs/zeroclaw/issues/4124, github.com/modu-ai/moai-adk/issues/676
            (400, r#"{"error":{"code":"1261","message":"Prompt exceeds max length"}}"#),
            (0, "The model has reached its context window limit."),
            // Alibaba: github.com/QwenLM/qwen-code/issues/98 and 1082
            (400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]"),
            (
                400,
                "String value length (20054016) exceeds the maximum allowed (20000000, from `StreamReadConstraints.getMaxStringLength()`)",
            ),
            // Volcano Ark: github.com/langgenius/dify/issues/32221
            (400, "Input length 203743 exceeds the maximum length 202752"),
            // Groq: github.com/OpenHands/OpenHands/issues/1902
            (400, "Please reduce the length of the messages or completion."),
            // Cerebras: github.com/cline/cline/issues/5140
            (400, "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000"),
            // Together: github.com/bytedance/UI-TARS-desktop/issues/626
            (
                422,
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`",
            ),
            // Fireworks: github.com/fw-ai/cookbook/issues/134
            (400, "The prompt is too long: 40177, model maximum context length: 32767"),
            // DeepInfra: github.com/langchain-ai/langchain/pull/25671
            (500, "Requested input length 99009 exceeds maximum input length 8192"),
            // Cloudflare: github.com/anomalyco/models.dev/pull/4422; the older text of Workers AI, code 5021
            (
                400,
                "Requested token count exceeds the model's maximum context length of 256000 tokens. You requested a total of 256878 tokens",
            ),
            (413, "5021: The estimated number of input and maximum output tokens (8810) exceeded this model context window limit (8192)"),
            // OpenRouter: github.com/refly-ai/refly/issues/1177
            (
                400,
                "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the \"middle-out\" transform",
            ),
            // Vercel AI Gateway: github.com/charmbracelet/fantasy/pull/299, which quotes these words only
            (400, "Input too long"),
            // GitHub Copilot: github.com/opencode-ai/opencode/issues/305, microsoft/vscode-copilot-release/issues/1456
            (400, "prompt token count of 146270 exceeds the limit of 128000"),
            (0, "Message exceeds token limit."),
            // LiteLLM: docs.litellm.ai/docs/exception_mapping; only the class is from there
            (400, "litellm.ContextWindowExceededError: litellm.BadRequestError: …"),
        ],
    );
}

#[test]
fn sentences_of_local_servers_are_recognized() {
    check(
        true,
        &[
            // vLLM: github.com/vllm-project/vllm/pull/33425, issues/12165 and 4667, xorbitsai/inference/issues/3785
            (400, "This model's maximum context length is 2048 tokens. However, your request has 8 input tokens plus 2045 'max_tokens'."),
            (
                400,
                "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
            ),
            (500, "The prompt (total length 25938) is too long to fit into the model (context length 4096)."),
            (400, "The decoder prompt (length 21535) is longer than the maximum model length of 16384."),
            (400, "max_tokens must be at least 1, got -186."),
            // SGLang: github.com/QwenLM/Qwen3/issues/1321, sgl-project/sglang/issues/4048
            (400, "The input (61709 tokens) is longer than the model's context length (40960 tokens)."),
            (400, "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."),
            // llama.cpp: github.com/ggml-org/llama.cpp/issues/19774, both; llama-cpp-python: issues/416
            (
                400,
                r#"{"error":{"code":400,"message":"request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error"}}"#,
            ),
            (500, "Context size has been exceeded."),
            (500, "Requested tokens (2285) exceed context window of 2048"),
            // LM Studio: github.com/anomalyco/opencode/issues/2259 and 11141, lmstudio-bug-tracker/issues/546
            (
                0,
                "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
            ),
            (0, "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"),
            (
                0,
                "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
            ),
            (0, "Input length 1581 exceeds context length 1500"),
            // Ollama: github.com/dyad-sh/dyad/issues/3498
            (400, "prompt too long; exceeded max context length by 540451 tokens (ref: 00ad71bb)"),
            // MLX: github.com/ddalcu/mlx-serve/issues/66
            (400, "Prompt exceeds maximum context length"),
            // A proxy's limit of bytes: github.com/google-gemini/gemini-cli/issues/13776
            (413, "Maximum request body size 1048576 exceeded, actual body size 1056562"),
            (413, "Request Entity Too Large"),
            (413, ""),
        ],
    );
}

#[test]
fn limits_over_time_and_of_money_are_no_overflow() {
    check(
        false,
        &[
            // OpenAI: github.com/continuedev/continue/issues/10602, also without its status
            (
                429,
                "Request too large for gpt-4 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 61337. The input or output tokens must be reduced in order to run successfully.",
            ),
            (
                0,
                "Request too large for gpt-4 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 61337. The input or output tokens must be reduced in order to run successfully.",
            ),
            // Groq, with the status of too many bytes: github.com/assafelovic/gpt-researcher/issues/985
            (
                413,
                "Request too large for model `llama-3.1-70b-versatile` in organization `org_1` on tokens per minute (TPM): Limit 6000, Requested 14368, please reduce your message size and try again.",
            ),
            (
                429,
                "Rate limit reached for model `llama-3.1-8b-instant` in organization `org_1` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.",
            ),
            // Anthropic: github.com/cline/cline/issues/923, github.com/anthropics/claude-code/issues/64982
            (
                429,
                "This request would exceed your organization's rate limit of 80,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.",
            ),
            (429, "Usage credits are required for long context requests."),
            // Bedrock: github.com/anthropics/claude-code/issues/236, github.com/minorun365/agent-book/issues/29
            (429, "Too many tokens, please wait before trying again."),
            (0, "ThrottlingException: Too many tokens per day, please wait before trying again."),
            // Gemini: github.com/continuedev/continue/issues/9729, also without its status
            (
                429,
                "You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 0",
            ),
            (
                0,
                "You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 0",
            ),
            // OpenRouter: github.com/can1357/oh-my-pi/issues/9569, github.com/anomalyco/opencode/issues/12219
            (402, "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 30104."),
            (
                402,
                "Prompt tokens limit exceeded: 230799 > 91442. To increase, visit https://openrouter.ai/settings/keys and create a key with a higher monthly limit",
            ),
            // Kimi: www.kimi.com/code/docs/en/kimi-code/error-reference.html
            (403, "You've reached your usage limit for this billing cycle"),
            (429, "The engine is currently overloaded, please try again later"),
            // A refusal that only quotes an overflow keeps its status: the body is a rate limit.
            (429, r#"{"error":{"message":"Your input exceeds the context window of this model","type":"rate_limit_error"}}"#),
        ],
    );
}

#[test]
fn limits_of_single_parameters_and_attachments_are_no_overflow() {
    check(
        false,
        &[
            // OpenAI: portkey.ai/error-library/token-limit-exceeded-error-10022; Cloudflare: anomalyco/models.dev/pull/4422
            (400, "max_tokens is too large: 10000. This model supports at most 4096 completion tokens, whereas you provided 10000."),
            (400, "max_completion_tokens is too large: 262144. This model supports at most 256000 completion tokens."),
            // Anthropic: github.com/anthropics/claude-code/issues/24451
            (400, "max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101"),
            // Bedrock: github.com/charmbracelet/crush/issues/946
            (
                400,
                "The maximum tokens you requested exceeds the model limit of 32768. Try again with a maximum tokens value that is lower than 32768.",
            ),
            // Cohere: docs.cohere.com/v1/reference/errors
            (400, "too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192."),
            // Hugging Face: github.com/huggingface/transformers/issues/28523
            (422, "Input validation error: `max_new_tokens` must be <= 192"),
            // Alibaba: www.alibabacloud.com/help/en/model-studio/error-code
            (400, "Range of max_tokens should be [1, 8192]"),
            // Groq: github.com/skapadia3214/groq-moa/issues/8
            (400, "max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000"),
            // OpenAI: github.com/AnswerDotAI/fastllm/issues/45
            (
                400,
                "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead.",
            ),
            // Anthropic: github.com/anthropics/claude-code/issues/10612 and 4778
            (400, "messages.0.content.2.image.source.base64: image exceeds 5 MB maximum: 15908784 bytes > 5242880 bytes"),
            (
                400,
                "messages.7.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
            ),
            // Invented: an attachment refused with the status of too many bytes, and ordinary failures.
            (413, "Image file size exceeds the allowed maximum of 20 MB"),
            (400, "tools.0.custom.input_schema: JSON schema is invalid"),
            (401, "Incorrect API key provided"),
            (404, "The model `gpt-9` does not exist or you do not have access to it."),
            (500, "An unexpected error has occurred internal to Anthropic's systems."),
            (503, "This model is currently overloaded. Please try again later."),
            (529, "Overloaded"),
            (0, "The operation was aborted due to timeout"),
            (0, "fetch failed"),
            (0, "No output generated. Check the stream for errors."),
            (0, ""),
        ],
    );
}

#[test]
fn codes_and_names_are_enough() {
    for code in ["context_length_exceeded", "Context_Length_Exceeded", "model_max_prompt_tokens_exceeded", "1261"] {
        assert!(is_context_overflow(&ErrorFacts { codes: vec![code], ..ErrorFacts::default() }), "{code}");
    }
    for code in ["rate_limit_exceeded", "insufficient_quota", "invalid_request_error", "string_above_max_length", "400"] {
        assert!(!is_context_overflow(&ErrorFacts { codes: vec![code], ..ErrorFacts::default() }), "{code}");
    }
    for name in ["ContextWindowOverflowError", "ContextOverflowError", "ContextWindowExceededError"] {
        assert!(is_context_overflow(&ErrorFacts { names: vec![name], ..ErrorFacts::default() }), "{name}");
    }
    for name in ["AI_APICallError", "AI_RetryError", "AI_NoOutputGeneratedError", "GatewayInvalidRequestError", "AbortError"] {
        assert!(!is_context_overflow(&ErrorFacts { names: vec![name], ..ErrorFacts::default() }), "{name}");
    }
}

#[test]
fn of_several_attempts_one_overflow_decides() {
    let facts = ErrorFacts {
        names: vec!["AI_RetryError", "AI_APICallError", "AI_APICallError"],
        status_codes: vec![429, 400],
        codes: vec!["rate_limit_error", "invalid_request_error"],
        texts: vec!["This request would exceed your rate limit", "prompt is too long: 210000 tokens > 200000 maximum"],
    };
    assert!(is_context_overflow(&facts));
    let only_limited = ErrorFacts { status_codes: vec![429, 429, 503], ..facts };
    assert!(!is_context_overflow(&only_limited));
}

#[test]
fn a_413_of_a_rate_limit_is_known_by_its_code_too() {
    let facts = ErrorFacts { status_codes: vec![413], codes: vec!["rate_limit_exceeded"], ..ErrorFacts::default() };
    assert!(!is_context_overflow(&facts));
}

#[test]
fn only_the_beginning_of_a_long_text_is_read() {
    let sentence = "prompt is too long: 219898 tokens > 200000 maximum";
    let late = format!("{}{sentence}", "é".repeat(1_000_000));
    let early = format!("{sentence}{}", "é".repeat(1_000_000));
    assert!(!is_context_overflow(&ErrorFacts { texts: vec![&late], ..ErrorFacts::default() }));
    assert!(is_context_overflow(&ErrorFacts { texts: vec![&early], ..ErrorFacts::default() }));
}

proptest! {
    #[test]
    fn any_facts_get_an_answer_and_always_the_same(
        text in ".{0,400}",
        code in ".{0,40}",
        name in ".{0,40}",
        status in any::<u16>(),
    ) {
        let facts =
            ErrorFacts { names: vec![&name], status_codes: vec![status], codes: vec![&code], texts: vec![&text, &text] };
        prop_assert_eq!(is_context_overflow(&facts), is_context_overflow(&facts.clone()));
    }

    #[test]
    fn the_case_of_a_sentence_does_not_matter(upper in any::<bool>()) {
        let sentence = "Input is too long for requested model.";
        let text = if upper { sentence.to_uppercase() } else { sentence.to_lowercase() };
        let facts = ErrorFacts { texts: vec![&text], ..ErrorFacts::default() };
        prop_assert!(is_context_overflow(&facts));
    }
}

#[test]
fn a_number_that_is_no_http_status_does_not_become_one() {
    assert_eq!(http_status(413.0), Some(413));
    // 65,949 is 413 in sixteen bits.
    for number in [65_949.0, -65_123.0, 413.5, 0.0, 99.0, 600.0, 1e300, f64::NAN, f64::INFINITY] {
        assert_eq!(http_status(number), None, "{number}");
    }
}

/// Of the sentences above, what they say of prompt, window and reply; zero where they do not say.
#[test]
fn the_numbers_of_a_refusal_are_read() {
    for (text, prompt, window, reply) in [
        ("This model's maximum context length is 8192 tokens. However, your messages resulted in 8202 tokens.", 8202, 8192, 0),
        ("Your input exceeds the context window of this model.", 0, 0, 0),
        ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens.", 477_469, 272_000, 0),
        ("prompt is too long: 219898 tokens > 200000 maximum", 219_898, 200_000, 0),
        ("prompt is too long: 219,898 tokens > 200,000 maximum", 219_898, 200_000, 0),
        (r"prompt is too long: 200997 tokens \u003e 200000 maximum", 200_997, 200_000, 0),
        ("input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length", 178_959, 200_000, 64_000),
        ("The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).", 1_200_293, 1_048_576, 0),
        ("The input token count exceeds the maximum number of tokens allowed 1048576.", 0, 1_048_576, 0),
        ("Input length (195071) exceeds model's maximum context length (131072).", 195_071, 131_072, 0),
        ("This model's maximum prompt length is 500000 but the request contains 907154 tokens.", 907_154, 500_000, 0),
        ("Prompt contains 170397 tokens and 0 draft tokens, too large for model with 131072 maximum context length", 170_397, 131_072, 0),
        ("too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.", 4292, 4081, 0),
        ("too many tokens: size limit exceeded by 11326 tokens.", 0, 0, 0),
        (
            "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
            122_942,
            131_072,
            8192,
        ),
        (
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (40000 of text input, 832 of tool input, 2000 in the output).",
            40_832,
            32_768,
            2000,
        ),
        ("Your request exceeded model token limit: 262144 (requested: 291351)", 291_351, 262_144, 0),
        ("invalid params, context window exceeds limit (2013)", 0, 0, 0),
        ("total message size 2187265 exceeds limit 2097152", 0, 0, 0),
        ("Range of input length should be [1, 204800]", 0, 204_800, 0),
        ("Input length 203743 exceeds the maximum length 202752", 203_743, 202_752, 0),
        ("Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000", 42_328, 40_000, 0),
        (
            "`inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`",
            79_993,
            65_537,
            1024,
        ),
        ("The prompt is too long: 40177, model maximum context length: 32767", 40_177, 32_767, 0),
        ("Requested input length 99009 exceeds maximum input length 8192", 99_009, 8192, 0),
        (
            "Requested token count exceeds the model's maximum context length of 256000 tokens. You requested a total of 256878 tokens",
            256_878,
            256_000,
            0,
        ),
        ("prompt token count of 146270 exceeds the limit of 128000", 146_270, 128_000, 0),
        (
            "This model's maximum context length is 2048 tokens. However, your request has 8 input tokens plus 2045 'max_tokens'.",
            8,
            2048,
            2045,
        ),
        ("The prompt (total length 25938) is too long to fit into the model (context length 4096).", 25_938, 4096, 0),
        ("The decoder prompt (length 21535) is longer than the maximum model length of 16384.", 21_535, 16_384, 0),
        ("The input (61709 tokens) is longer than the model's context length (40960 tokens).", 61_709, 40_960, 0),
        ("Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).", 160_062, 59_862, 0),
        ("request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it", 4390, 4096, 0),
        (r#"{"error":{"type":"exceed_context_size_error","n_prompt_tokens":4390,"n_ctx":4096}}"#, 4390, 4096, 0),
        ("Requested tokens (2285) exceed context window of 2048", 2285, 2048, 0),
        ("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", 15_028, 7424, 0),
        (
            "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens",
            111_490,
            32_768,
            0,
        ),
        ("prompt too long; exceeded max context length by 540451 tokens", 0, 0, 0),
        // Bytes and characters are no tokens.
        ("Maximum request body size 1048576 exceeded, actual body size 1056562", 0, 0, 0),
        (
            "Invalid 'input[0].content': string too long. Expected a string with maximum length 10485760, but got a string with length 62114761",
            0,
            0,
            0,
        ),
        // A prompt that would have fitted was not refused for its size: the number is another one.
        ("prompt is too long: 1 tokens > 200000 maximum", 0, 200_000, 0),
    ] {
        let facts = ErrorFacts { status_codes: vec![413], texts: vec![text], ..ErrorFacts::default() };
        let refusal = read_overflow(&facts).unwrap();
        let reported = [refusal.prompt_tokens, refusal.window_tokens, refusal.reply_tokens].map(|tokens| tokens as u32);
        assert_eq!(reported, [prompt, window, reply], "{text}");
    }
    assert_eq!(read_overflow(&ErrorFacts { texts: vec!["Overloaded"], ..ErrorFacts::default() }), None);
}
