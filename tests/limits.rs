//! What model ids mean: windows from the vendors' own pages, one group of rows for each rule of matching, and
//! properties for every other id. Not a copy of the table: an update of the table must not need these numbers changed.

use proptest::prelude::*;
use stepfold::providers::limits::{Family, model_limits};

#[track_caller]
fn check(rows: &[(&str, u32)]) {
    for (id, window_tokens) in rows {
        let limits = model_limits(id, "");
        assert_eq!((limits.context_window_tokens, limits.known), (*window_tokens, true), "{id}");
    }
}

/// platform.claude.com/docs/en/models/<model>/overview, and docs.claude.com/en/docs/about-claude/model-deprecations.
#[test]
fn claude_windows_are_those_of_anthropics_pages() {
    check(&[
        ("claude-fable-5", 1_000_000),
        ("claude-fable-5-1", 1_000_000),
        ("claude-opus-5-5", 1_000_000),
        ("claude-opus-5", 1_000_000),
        ("claude-opus-4-8", 1_000_000),
        ("claude-opus-4-7", 1_000_000),
        ("claude-opus-4-6", 1_000_000),
        ("claude-opus-4-5", 200_000),
        ("claude-opus-4-1", 200_000),
        ("claude-opus-4-0", 200_000),
        ("claude-sonnet-5-5", 1_000_000),
        ("claude-sonnet-5", 1_000_000),
        ("claude-sonnet-4-6", 1_000_000),
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-0", 200_000),
        ("claude-haiku-5-5", 1_000_000),
        ("claude-haiku-4-5", 200_000),
        ("claude-3-7-sonnet-latest", 200_000),
        ("claude-3-5-sonnet-latest", 200_000),
        ("claude-3-5-haiku-latest", 200_000),
        ("claude-3-opus-20240229", 200_000),
        ("claude-2.1", 200_000),
        ("claude-2.0", 100_000),
    ]);
}

/// developers.openai.com/api/docs/models/<model>. From GPT-5 on the input limit: window minus 128,000 of output, as in
/// github.com/anomalyco/models.dev/pull/851 (272,000) and on the page of GPT-6.1 Sol ("maximum input tokens: 922,000").
#[test]
fn gpt_windows_are_those_of_openais_pages() {
    check(&[
        ("gpt-6.1-sol", 922_000),
        ("gpt-6-sol", 922_000),
        ("gpt-6-astra", 922_000),
        ("gpt-5.6-luna", 922_000),
        ("gpt-5.5", 922_000),
        ("gpt-5.4", 922_000),
        ("gpt-5.4-pro", 922_000),
        ("gpt-5.4-mini", 272_000),
        ("gpt-5.3-codex", 272_000),
        ("gpt-5.2", 272_000),
        ("gpt-5.2-codex", 272_000),
        ("gpt-5.1", 272_000),
        ("gpt-5.1-codex-max", 272_000),
        ("gpt-5", 272_000),
        ("gpt-5-pro", 272_000),
        ("gpt-5-mini", 272_000),
        ("gpt-5-nano", 272_000),
        ("gpt-5-codex", 272_000),
        ("gpt-5-chat-latest", 128_000),
        ("gpt-5.1-chat-latest", 128_000),
        ("gpt-4.1", 1_047_576),
        ("gpt-4.1-mini", 1_047_576),
        ("gpt-4o", 128_000),
        ("gpt-4o-mini", 128_000),
        ("chatgpt-4o-latest", 128_000),
        ("gpt-4.5-preview", 128_000),
        ("gpt-4-turbo", 128_000),
        ("gpt-4-1106-preview", 128_000),
        ("gpt-4-0125-preview", 128_000),
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("gpt-4-32k", 32_768),
        ("gpt-3.5-turbo", 16_385),
        ("o1", 200_000),
        ("o1-mini", 128_000),
        ("o1-preview", 128_000),
        ("o3", 200_000),
        ("o3-pro", 200_000),
        ("o3-mini", 200_000),
        ("o4-mini", 200_000),
        ("codex-mini-latest", 200_000),
    ]);
}

/// ai.google.dev/gemini-api/docs/models/<model>, "input token limit".
#[test]
fn gemini_windows_are_those_of_googles_pages() {
    check(&[
        ("gemini-3.8-flash", 1_048_576),
        ("gemini-3.1-pro-preview", 1_048_576),
        ("gemini-3-pro-preview", 1_048_576),
        ("gemini-3-flash-preview", 1_048_576),
        ("gemini-2.5-pro", 1_048_576),
        ("gemini-2.5-flash", 1_048_576),
        ("gemini-2.5-flash-lite", 1_048_576),
        ("gemini-2.0-flash", 1_048_576),
        ("gemini-2.0-flash-lite", 1_048_576),
        ("gemini-1.5-pro", 2_097_152),
        ("gemini-1.5-flash", 1_048_576),
        ("gemini-flash-latest", 1_048_576),
    ]);
}

/// docs.x.ai/docs/models, api-docs.deepseek.com/quick_start/pricing, platform.kimi.ai/docs, docs.z.ai/guides,
/// platform.minimax.io/docs/guides/text-generation, docs.mistral.ai/models, alibabacloud.com/help/en/model-studio/models,
/// llama.com/docs/model-cards-and-prompt-formats, docs.aws.amazon.com/nova, docs.cohere.com/docs/models.
#[test]
fn other_windows_are_those_of_the_vendors_pages() {
    check(&[
        ("grok-4.7", 500_000),
        ("grok-4.5", 500_000),
        ("grok-4.3", 1_000_000),
        ("grok-4-0709", 256_000),
        ("grok-4-fast-reasoning", 2_000_000),
        ("grok-4-1-fast-non-reasoning", 2_000_000),
        ("grok-code-fast-1", 256_000),
        ("grok-3-mini", 131_072),
        ("deepseek-v4-pro", 1_000_000),
        ("deepseek-chat", 128_000),
        ("deepseek-reasoner", 128_000),
        ("kimi-k2.6", 262_144),
        ("kimi-k2-0905-preview", 262_144),
        ("kimi-k3", 1_048_576),
        ("moonshot-v1-8k", 8_192),
        ("moonshot-v1-128k", 131_072),
        ("glm-4.7", 204_800),
        ("glm-5.2", 1_000_000),
        ("MiniMax-M2.7", 204_800),
        ("MiniMax-M3", 1_000_000),
        ("mistral-large-2411", 131_072),
        ("mistral-large-2512", 262_144),
        ("mistral-medium-2505", 131_072),
        ("codestral-2508", 256_000),
        ("qwen3.7-max", 1_000_000),
        ("qwen-turbo", 1_000_000),
        ("llama-3.3-70b-versatile", 131_072),
        ("llama-3.1-8b-instant", 131_072),
        ("llama3-8b-8192", 8_192),
        ("nova-pro", 300_000),
        ("nova-micro", 128_000),
        ("command-a-03-2025", 256_000),
    ]);
}

#[test]
fn an_id_reads_the_same_at_every_gateway_and_cloud() {
    check(&[
        // AI Gateway, OpenRouter with its variants and its moving names.
        ("anthropic/claude-sonnet-4.5", 200_000),
        ("anthropic/claude-sonnet-4.5:beta", 200_000),
        ("~anthropic/claude-sonnet-latest", 1_000_000),
        ("openai/gpt-5", 272_000),
        ("google/gemini-2.5-pro", 1_048_576),
        ("x-ai/grok-4.5", 500_000),
        ("moonshotai/kimi-k2.6", 262_144),
        ("deepseek/deepseek-chat", 128_000),
        ("meta-llama/llama-3-8b-instruct:free", 8_192),
        // Bedrock: regions, revisions, ARNs.
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", 200_000),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", 200_000),
        ("global.anthropic.claude-opus-4-6-v1", 1_000_000),
        ("arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0", 200_000),
        ("us.amazon.nova-lite-v1:0", 300_000),
        // Vertex.
        ("claude-sonnet-4@20250514", 200_000),
        ("claude-3-5-sonnet-v2@20241022", 200_000),
        ("publishers/anthropic/models/claude-opus-4-1@20250805", 200_000),
        ("models/gemini-2.5-flash", 1_048_576),
        // Azure: deployments are named by their owners.
        ("prod-gpt-4o-eu", 128_000),
        ("gpt-35-turbo", 16_385),
        ("gpt4o", 128_000),
        ("my-team_GPT-4.1-mini", 1_047_576),
        // Fireworks and Cloudflare.
        ("accounts/fireworks/models/kimi-k2p6", 262_144),
        ("@cf/meta/llama-3-8b-instruct", 8_192),
        // Fine-tunes: what the owner called them does not count.
        ("ft:gpt-4o-mini-2024-07-18:acme:claude-sonnet-5:abc123", 128_000),
        ("ft:gpt-3.5-turbo-0125:acme::id", 16_385),
    ]);
}

#[test]
fn dates_suffixes_case_and_punctuation_do_not_matter() {
    check(&[
        ("claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-4.5", 200_000),
        ("Claude_Sonnet_4.5", 200_000),
        ("CLAUDE-OPUS-4-6", 1_000_000),
        ("gpt-4o-2024-08-06", 128_000),
        ("gpt-5-2025-08-07", 272_000),
        ("gpt-4-turbo-preview", 128_000),
        ("gpt-4.1-2025-04-14", 1_047_576),
        ("gemini-2.5-flash-preview-09-2025", 1_048_576),
        ("gemini-2.0-flash-exp", 1_048_576),
        ("gemini-1.5-pro-002", 2_097_152),
        ("deepseek-chat:free", 128_000),
        ("kimi-k2-6", 262_144),
        (" gpt-4o ", 128_000),
    ]);
}

#[test]
fn a_newer_model_gets_the_window_of_its_nearest_older_relative() {
    check(&[
        ("gpt-5.3-foo", 272_000),
        ("gpt-6.2-sol", 922_000),
        ("claude-opus-9", 1_000_000),
        ("claude-sonnet-4-7", 1_000_000),
        ("gemini-4.5-ultra", 1_048_576),
        ("grok-4.9", 500_000),
        ("kimi-k3.5", 1_048_576),
        // A new tier of a known family has no relative; the family's cautious window stands in.
        ("claude-sonata-1", 200_000),
    ]);
}

#[test]
fn a_longer_name_is_not_taken_for_a_shorter_one() {
    check(&[("gpt-4", 8_192), ("gpt-4o", 128_000), ("gpt-4.1", 1_047_576), ("gpt-4-turbo", 128_000)]);
    check(&[("o1", 200_000), ("o1-mini", 128_000), ("gemini-1.5-pro", 2_097_152), ("gemini-2.5-pro", 1_048_576)]);
    assert!(!model_limits("claudette-3-opus", "").known, "a word that only begins like a family is another word");
}

#[test]
fn a_window_of_a_million_must_be_asked_for() {
    check(&[
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-5[1m]", 1_000_000),
        ("anthropic/claude-sonnet-4:1m", 1_000_000),
        ("qwen2.5-7b-instruct-1m", 1_000_000),
        ("gemini-1.5-pro-1m", 2_097_152),
    ]);
}

#[test]
fn outputs_are_those_of_the_vendors_pages() {
    for (id, output_tokens) in [
        ("claude-sonnet-4-5", 64_000),
        ("claude-opus-4-1", 32_000),
        ("claude-opus-5-5", 128_000),
        ("claude-3-5-sonnet-latest", 8_192),
        ("gpt-5", 128_000),
        ("gpt-4o", 16_384),
        ("gpt-4.1", 32_768),
        ("o3", 100_000),
        ("gemini-2.5-pro", 65_536),
        ("gemini-2.0-flash", 8_192),
    ] {
        assert_eq!(model_limits(id, "").max_output_tokens, output_tokens, "{id}");
    }
}

#[test]
fn unknown_models_get_a_cautious_guess_that_says_so() {
    for id in ["", " ", "/", "::", "my-deployment", "router", "auto", "🦙🦙🦙", "лама-3", "-", "o", "command", "step-9-prod", "text-bison"]
    {
        let limits = model_limits(id, "");
        assert_eq!(limits.context_window_tokens, 128_000, "{id:?}");
        assert_eq!(limits.max_output_tokens, 8_192, "{id:?}");
        assert!(!limits.known, "{id:?}");
    }
    assert!(!model_limits(&"gpt-4o-".repeat(150_000), "").known, "no id is a megabyte long");
}

#[test]
fn the_family_comes_from_the_id_and_else_from_the_provider() {
    for (id, provider, family) in [
        ("gpt-5", "", Family::Gpt),
        ("o3", "", Family::Gpt),
        ("openai/gpt-oss-120b", "gateway", Family::Gpt),
        ("us.anthropic.claude-opus-4-6-v1", "amazon-bedrock", Family::Claude),
        ("gemma-3-27b-it", "google.generative-ai", Family::Gemini),
        ("qwen3-max", "", Family::GlmQwenDeepseek),
        ("kimi-k3", "", Family::GlmQwenDeepseek),
        ("mistral-large-latest", "mistral.chat", Family::LlamaMistral),
        ("grok-4.5", "xai.chat", Family::Other),
        ("QwQ-32B", "", Family::GlmQwenDeepseek),
        ("my-deployment", "azure.responses", Family::Gpt),
        ("my-endpoint", "vertex.anthropic.messages", Family::Claude),
        ("my-endpoint", "google.vertex.chat", Family::Gemini),
        ("my-endpoint", "somebody", Family::Other),
    ] {
        assert_eq!(model_limits(id, provider).family, family, "{id} at {provider}");
    }
}

#[test]
fn a_family_has_one_name_and_the_name_leads_back() {
    for family in Family::ALL {
        assert_eq!(Family::from_name(family.name()), Some(family));
    }
    assert_eq!(Family::from_name("GPT"), None);
}

proptest! {
    #[test]
    fn any_text_has_limits_and_always_the_same(id in ".{0,200}", provider in ".{0,60}") {
        let limits = model_limits(&id, &provider);
        prop_assert_eq!(limits, model_limits(&id, &provider));
        prop_assert!(limits.context_window_tokens >= 4_096);
        prop_assert!((1..=limits.context_window_tokens).contains(&limits.max_output_tokens) || !limits.known);
    }

    #[test]
    fn words_of_ids_in_any_order_have_limits(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "gpt", "claude", "opus", "gemini", "qwen", "o", "v", "p", "4", "4o", "99", "5.1", "1m", "ft:", ":", "/",
                "-", "@", "20250514", "latest", "é", "\u{0}",
            ]),
            0..40,
        ),
        glue in prop::sample::select(vec!["", "-", ".", ":", "/"]),
    ) {
        let id = words.join(glue);
        let limits = model_limits(&id, "gateway");
        prop_assert_eq!(limits, model_limits(&id.to_uppercase(), "gateway"), "{}", id);
        prop_assert!(limits.context_window_tokens >= 4_096);
    }
}
