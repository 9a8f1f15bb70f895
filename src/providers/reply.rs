//! How much of the window a call asks for as its reply, and which providers refuse a prompt that does not leave that free. Facts about
//! providers and their packages; what follows for a plan is in `settings::numbers`.

use crate::json::Value;
use crate::providers::limits::{Family, read_id};

/// Whether a model's provider refuses prompt and reply limit together above the window. Claude from 3.7 to 4.1 does (Anthropic, "Context
/// windows"); later ones take the prompt and end with `model_context_window_exceeded`. `@ai-sdk/anthropic` asks for the longest reply where the
/// app names no limit: 64,000 tokens for Sonnet 4 and 3.7, 32,000 for Opus 4 and 4.1, read in its sources for ai 5, 6 and 7.
pub fn refuses_sums(model_id: &str) -> bool {
    read_id(model_id, |words| {
        let number = |word: &&str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
        let mut versions = words.iter().skip_while(|word| **word != "claude").filter_map(number);
        matches!((versions.next(), versions.next()), (Some(3), Some(7)) | (Some(4), None | Some(0 | 1)))
    })
}

/// Whether a model's window in the table is a limit of the prompt alone, as Google and OpenAI (since GPT-5) name it.
pub fn has_input_window(model_id: &str, family: Family) -> bool {
    match family {
        Family::Gemini => true,
        Family::Gpt => read_id(model_id, |words| {
            let version = words.iter().find_map(|word| word.parse::<u32>().ok());
            version.is_some_and(|version| (5..10).contains(&version)) && !words.contains(&"oss")
        }),
        Family::Claude | Family::GlmQwenDeepseek | Family::LlamaMistral | Family::Other => false,
    }
}

/// A number of tokens; gateways and proxies write them as texts, and with fractions.
pub fn tokens_of(value: &Value<'_>) -> Option<f64> {
    // The standard library's reader of floats would be 13 KB of the download.
    let text = value.scalar_text().trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let tokens = whole.parse::<u64>().ok().map(|tokens| tokens as f64);
    tokens.filter(|_| fraction.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Tokens that a request asks for as its reply, by the names of every provider; zero where it names none. `request` is its JSON without
/// messages and tools.
pub fn reply_of_request(request: &str) -> f64 {
    let request = Value::parse(request).unwrap_or(Value::Null);
    let number = |path: &[&str]| {
        let found = path.iter().try_fold(&request, |inner, name| inner.get(name))?;
        tokens_of(found).filter(|tokens| (1.0..1e8).contains(tokens))
    };
    let limits: [&[&str]; 6] = [
        &["max_completion_tokens"],
        &["max_output_tokens"],
        &["max_tokens"],
        &["generationConfig", "maxOutputTokens"],
        &["inferenceConfig", "maxTokens"],
        &["maxOutputTokens"],
    ];
    let asked = limits.into_iter().find_map(number).unwrap_or(0.0);
    // Of a call that was seen before it was made: Anthropic's and Bedrock's packages add the thoughts.
    let thoughts = ["anthropic", "bedrock"].into_iter().find_map(|provider| {
        let options = ["thinking", "reasoningConfig"];
        options.into_iter().find_map(|option| number(&["providerOptions", provider, option, "budgetTokens"]))
    });
    if asked > 0.0 { asked + thoughts.unwrap_or(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claude_from_3_7_to_4_1_refuses_a_prompt_that_leaves_no_room_for_the_reply() {
        for (id, refuses) in [
            ("claude-sonnet-4-20250514", true),
            ("claude-3-7-sonnet-20250219", true),
            ("anthropic/claude-sonnet-4", true),
            ("claude-sonnet-4@20250514", true),
            ("us.anthropic.claude-opus-4-1-20250805-v1:0", true),
            ("claude-opus-4-0", true),
            ("claude-sonnet-4-5-20250929", false),
            ("claude-haiku-4.5", false),
            ("claude-opus-4-8", false),
            ("claude-sonnet-5-5", false),
            ("claude-3-5-haiku-latest", false),
            ("claude", false),
            ("gpt-4-1", false),
        ] {
            assert_eq!(refuses_sums(id), refuses, "{id}");
        }
    }

    #[test]
    fn what_a_request_asks_for_is_read_by_the_names_of_every_provider() {
        for (request, tokens) in [
            (r#"{"model":"m","max_tokens":24000}"#, 24_000.0),
            (r#"{"max_completion_tokens":9000,"max_tokens":null}"#, 9_000.0),
            (r#"{"max_output_tokens":700}"#, 700.0),
            (r#"{"generationConfig":{"maxOutputTokens":"5000"}}"#, 5_000.0),
            (r#"{"inferenceConfig":{"maxTokens":4096}}"#, 4_096.0),
            (r#"{"maxOutputTokens":4000,"providerOptions":{"anthropic":{"thinking":{"type":"enabled","budgetTokens":2000}}}}"#, 6_000.0),
            (r#"{"max_tokens":-1}"#, 0.0),
            (r#"{"model":"m"}"#, 0.0),
            ("null", 0.0),
            ("", 0.0),
        ] {
            assert_eq!(reply_of_request(request), tokens, "{request}");
        }
    }
}
