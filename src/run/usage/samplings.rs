//! Answers that were made of several requests, because the provider ran tools of its own: which prompt was sent, and whether a report may be a
//! sum. Reads what providers say; decides nothing.

use super::{at, number_at, tokens_of};
use crate::json::Value;

/// The prompt of the first of the samplings that an answer of Anthropic's was made of: the one that was sent. `input_tokens` is the sum of all
/// (Anthropic, "Compaction" and "Server tools"). Each is what no cache held, what was read from one and what was written there; the package
/// for ai 5 keeps the first of these alone, so that it must have been all.
pub(super) fn first_sampling(step: &Value<'_>) -> Option<f64> {
    let lists: [&[&str]; 3] = [
        &["usage", "raw", "iterations"],
        &["providerMetadata", "anthropic", "usage", "iterations"],
        &["providerMetadata", "anthropic", "iterations"],
    ];
    let samplings = lists.into_iter().find_map(|path| match at(step, path) {
        Some(Value::List(list)) if !list.is_empty() => Some(list),
        _ => None,
    })?;
    // A model that gives advice has a prompt of its own.
    let is_own = |sampling: &&Value<'_>| {
        sampling.get("type").and_then(Value::as_str).is_none_or(|kind| ["message", "compaction", "fallback_message"].contains(&kind))
    };
    let number = |sampling: &Value<'_>, names: [&str; 2]| names.into_iter().find_map(|name| number_at(sampling, &[name]));
    let first = samplings.iter().find(is_own)?;
    let (read, written) = (
        number(first, ["cache_read_input_tokens", "cacheReadInputTokens"]),
        number(first, ["cache_creation_input_tokens", "cacheCreationInputTokens"]),
    );
    let total = [
        &["usage", "inputTokenDetails", "cacheReadTokens"][..],
        &["usage", "cachedInputTokens"],
        &["usage", "inputTokenDetails", "cacheWriteTokens"],
        &["providerMetadata", "anthropic", "cacheCreationInputTokens"],
    ];
    let is_cached = total.into_iter().any(|path| number_at(step, path).is_some_and(|tokens| tokens > 0.0));
    let names_caches = samplings.iter().any(|sampling| {
        number(sampling, ["cache_read_input_tokens", "cacheReadInputTokens"]).is_some()
            || number(sampling, ["cache_creation_input_tokens", "cacheCreationInputTokens"]).is_some()
    });
    if is_cached && !names_caches {
        return None;
    }
    let tokens = number(first, ["input_tokens", "inputTokens"])? + read.unwrap_or(0.0) + written.unwrap_or(0.0);
    (tokens > 0.0).then_some(tokens)
}

/// Whether an answer was made of several requests: the provider ran tools of its own, or says how many requests there were. Anthropic,
/// OpenAI, xAI and OpenRouter add up the prompts of all; Google counts what its tools read apart.
pub(super) fn ran_tools(step: &Value<'_>) -> bool {
    let holds = |path: &[&str]| matches!(at(step, path), Some(Value::List(parts)) if parts.iter().any(|part| matches!(part.get("providerExecuted"), Some(Value::Bool(true)))));
    let counts = |path: &[&str]| matches!(at(step, path), Some(Value::Map(counts)) if counts.iter().any(|(_, count)| tokens_of(count).is_some_and(|count| count > 0.0)));
    holds(&["content"])
        || counts(&["usage", "raw", "server_tool_use"])
        || counts(&["providerMetadata", "anthropic", "usage", "server_tool_use"])
        || counts(&["usage", "raw", "server_side_tool_usage_details"])
        || number_at(step, &["usage", "raw", "num_server_side_tools_used"]).is_some_and(|count| count > 0.0)
}

#[cfg(test)]
mod tests {
    use crate::run::Usage;
    use crate::settings::{Options, Settings};

    #[test]
    fn the_prompt_that_was_sent_is_the_first_of_the_samplings_of_an_answer() {
        // Four samplings of 2,500 tokens and more each, of which the sum is 16,000.
        let raw = r#"[{"type":"message","input_tokens":2500,"cache_read_input_tokens":700,"cache_creation_input_tokens":0},{"type":"message","input_tokens":3500},{"type":"message","input_tokens":4500},{"type":"message","input_tokens":5500}]"#;
        let kept = r#"[{"type":"message","inputTokens":2500,"outputTokens":9},{"type":"message","inputTokens":3500}]"#;
        for (what, step, tokens, is_bound) in [
            ("ai 6 and 7", format!(r#"{{"usage":{{"inputTokens":16000,"raw":{{"iterations":{raw}}}}}}}"#), 3_200.0, false),
            (
                "ai 5",
                format!(r#"{{"usage":{{"inputTokens":16000}},"providerMetadata":{{"anthropic":{{"iterations":{kept}}}}},"content":[{{"providerExecuted":true}}]}}"#),
                2_500.0,
                false,
            ),
            (
                "ai 5, of which a cache held some that nobody names",
                format!(r#"{{"usage":{{"inputTokens":16000,"cachedInputTokens":900}},"providerMetadata":{{"anthropic":{{"iterations":{kept}}}}},"content":[{{"providerExecuted":true}}]}}"#),
                16_000.0,
                true,
            ),
            (
                "its own compaction before the answer",
                r#"{"usage":{"inputTokens":50000,"raw":{"iterations":[{"type":"compaction","input_tokens":45000},{"type":"message","input_tokens":5000}]}}}"#.to_owned(),
                45_000.0,
                false,
            ),
            (
                "another model gives advice first",
                r#"{"usage":{"inputTokens":5000,"raw":{"iterations":[{"type":"advisor_message","input_tokens":800},{"type":"message","input_tokens":5000}]}}}"#.to_owned(),
                5_000.0,
                false,
            ),
            ("no breakdown", r#"{"usage":{"inputTokens":16000},"content":[{},{"providerExecuted":true}]}"#.to_owned(), 16_000.0, true),
            ("an empty breakdown", r#"{"usage":{"inputTokens":16000,"raw":{"iterations":[],"server_tool_use":{"web_search_requests":2}}}}"#.to_owned(), 16_000.0, true),
            ("OpenAI's web search", r#"{"usage":{"inputTokens":16000,"raw":{"input_tokens":16000}},"content":[{"providerExecuted":true}]}"#.to_owned(), 16_000.0, true),
            ("xAI's", r#"{"usage":{"inputTokens":16000,"raw":{"num_server_side_tools_used":3}}}"#.to_owned(), 16_000.0, true),
            ("xAI's by tool", r#"{"usage":{"inputTokens":16000,"raw":{"server_side_tool_usage_details":{"web_search_calls":1}}}}"#.to_owned(), 16_000.0, true),
            ("OpenRouter's", r#"{"usage":{"inputTokens":16000,"raw":{"server_tool_use":{"web_search_requests":1}}}}"#.to_owned(), 16_000.0, true),
            ("OpenRouter, no search", r#"{"usage":{"inputTokens":16000,"raw":{"server_tool_use":{"web_search_requests":0}}}}"#.to_owned(), 16_000.0, false),
            (
                "Google counts what its tools read apart",
                r#"{"usage":{"inputTokens":16000},"providerMetadata":{"google":{"usageMetadata":{"promptTokenCount":2500,"toolUsePromptTokenCount":13500}}},"content":[{"providerExecuted":true}]}"#.to_owned(),
                2_500.0,
                false,
            ),
            ("the app's own tools", r#"{"usage":{"inputTokens":16000},"content":[{"providerExecuted":false},{}]}"#.to_owned(), 16_000.0, false),
        ] {
            let cached = Settings::new(&Options::default(), "claude-sonnet-4-5", "gateway").cached;
            let usage = Usage::from_step(&step);
            assert_eq!((usage.prompt_tokens(cached), usage.is_bound()), (tokens, is_bound), "{what}");
            assert!(usage.is_sound(), "{what}");
        }
    }
}
