//! What model ids mean: windows from the vendors' own pages, one group of rows for each rule of matching, and
//! properties for every other id. Not a copy of the table: an update of the table must not need these numbers changed.

use proptest::prelude::*;
use stepfold::providers::limits::{Family, model_limits};

/// Windows, each with the ids of the models that have it.
#[track_caller]
fn check(rows: &[(u32, &str)]) {
    for (window_tokens, ids) in rows {
        for id in ids.split(' ') {
            let limits = model_limits(id, "");
            assert_eq!((limits.context_window_tokens, limits.known), (*window_tokens, true), "{id}");
        }
    }
}

/// platform.claude.com/docs/en/models/<model>/overview, and docs.claude.com/en/docs/about-claude/model-deprecations.
#[test]
fn claude_windows_are_those_of_anthropics_pages() {
    check(&[
        (1_000_000, "claude-fable-5 claude-fable-5-1 claude-opus-5-5 claude-opus-5 claude-opus-4-8 claude-opus-4-7"),
        (1_000_000, "claude-opus-4-6 claude-sonnet-5-5 claude-sonnet-5 claude-sonnet-4-6 claude-haiku-5-5"),
        (200_000, "claude-opus-4-5 claude-opus-4-1 claude-opus-4-0 claude-sonnet-4-5 claude-sonnet-4-0 claude-haiku-4-5"),
        (200_000, "claude-3-7-sonnet-latest claude-3-5-sonnet-latest claude-3-5-haiku-latest claude-3-opus-20240229"),
        (200_000, "claude-2.1"),
        (100_000, "claude-2.0"),
    ]);
}

/// developers.openai.com/api/docs/models/<model>. From GPT-5 on the input limit: window minus 128,000 of output, as in
/// github.com/anomalyco/models.dev/pull/851 (272,000) and on the page of GPT-6.1 Sol ("maximum input tokens: 922,000").
#[test]
fn gpt_windows_are_those_of_openais_pages() {
    check(&[
        (922_000, "gpt-6.1-sol gpt-6-sol gpt-6-astra gpt-5.6-luna gpt-5.5 gpt-5.4 gpt-5.4-pro"),
        (272_000, "gpt-5.4-mini gpt-5.3-codex gpt-5.2 gpt-5.2-codex gpt-5.1 gpt-5.1-codex-max gpt-5 gpt-5-pro gpt-5-mini"),
        (272_000, "gpt-5-nano gpt-5-codex"),
        (128_000, "gpt-5-chat-latest gpt-5.1-chat-latest gpt-4o gpt-4o-mini chatgpt-4o-latest gpt-4.5-preview gpt-4-turbo"),
        (128_000, "gpt-4-1106-preview gpt-4-0125-preview o1-mini o1-preview"),
        (1_047_576, "gpt-4.1 gpt-4.1-mini"),
        (8_192, "gpt-4 gpt-4-0613"),
        (32_768, "gpt-4-32k"),
        (16_385, "gpt-3.5-turbo"),
        (200_000, "o1 o3 o3-pro o3-mini o4-mini codex-mini-latest"),
    ]);
}

/// ai.google.dev/gemini-api/docs/models/<model>, "input token limit".
#[test]
fn gemini_windows_are_those_of_googles_pages() {
    check(&[
        (1_048_576, "gemini-3.8-flash gemini-3.1-pro-preview gemini-3-pro-preview gemini-3-flash-preview gemini-2.5-pro"),
        (1_048_576, "gemini-2.5-flash gemini-2.5-flash-lite gemini-2.0-flash gemini-2.0-flash-lite gemini-1.5-flash"),
        (1_048_576, "gemini-flash-latest"),
        (2_097_152, "gemini-1.5-pro"),
    ]);
}

/// docs.x.ai/docs/models, api-docs.deepseek.com/quick_start/pricing, platform.kimi.ai/docs, docs.z.ai/guides,
/// platform.minimax.io/docs/guides/text-generation, docs.mistral.ai/models, alibabacloud.com/help/en/model-studio/models,
/// llama.com/docs/model-cards-and-prompt-formats, docs.aws.amazon.com/nova, docs.cohere.com/docs/models.
#[test]
fn other_windows_are_those_of_the_vendors_pages() {
    check(&[
        (500_000, "grok-4.7 grok-4.5"),
        (1_000_000, "grok-4.3 deepseek-v4-pro glm-5.2 MiniMax-M3 qwen3.7-max qwen-turbo"),
        (256_000, "grok-4-0709 grok-code-fast-1 codestral-2508 command-a-03-2025"),
        (2_000_000, "grok-4-fast-reasoning grok-4-1-fast-non-reasoning"),
        (131_072, "grok-3-mini moonshot-v1-128k mistral-large-2411 mistral-medium-2505 llama-3.3-70b-versatile"),
        (131_072, "llama-3.1-8b-instant"),
        (128_000, "deepseek-chat deepseek-reasoner nova-micro"),
        (262_144, "kimi-k2.6 kimi-k2-0905-preview mistral-large-2512"),
        (1_048_576, "kimi-k3"),
        (8_192, "moonshot-v1-8k llama3-8b-8192"),
        (204_800, "glm-4.7 MiniMax-M2.7"),
        (300_000, "nova-pro"),
    ]);
}

#[test]
fn an_id_reads_the_same_at_every_gateway_and_cloud() {
    check(&[
        // AI Gateway, OpenRouter with its variants and its moving names.
        (200_000, "anthropic/claude-sonnet-4.5 anthropic/claude-sonnet-4.5:beta"),
        (1_000_000, "~anthropic/claude-sonnet-latest"),
        (272_000, "openai/gpt-5"),
        (1_048_576, "google/gemini-2.5-pro"),
        (500_000, "x-ai/grok-4.5"),
        (262_144, "moonshotai/kimi-k2.6"),
        (128_000, "deepseek/deepseek-chat"),
        (8_192, "meta-llama/llama-3-8b-instruct:free"),
        // Bedrock: regions, revisions, ARNs.
        (200_000, "anthropic.claude-3-5-sonnet-20241022-v2:0 us.anthropic.claude-sonnet-4-20250514-v1:0"),
        (200_000, "arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0"),
        (1_000_000, "global.anthropic.claude-opus-4-6-v1"),
        (300_000, "us.amazon.nova-lite-v1:0"),
        // Vertex.
        (200_000, "claude-sonnet-4@20250514 claude-3-5-sonnet-v2@20241022"),
        (200_000, "publishers/anthropic/models/claude-opus-4-1@20250805"),
        (1_048_576, "models/gemini-2.5-flash"),
        // Azure: deployments are named by their owners.
        (128_000, "prod-gpt-4o-eu gpt4o"),
        (16_385, "gpt-35-turbo"),
        (1_047_576, "my-team_GPT-4.1-mini"),
        // Fireworks and Cloudflare.
        (262_144, "accounts/fireworks/models/kimi-k2p6"),
        (8_192, "@cf/meta/llama-3-8b-instruct"),
        // Fine-tunes: what the owner called them does not count.
        (128_000, "ft:gpt-4o-mini-2024-07-18:acme:claude-sonnet-5:abc123"),
        (16_385, "ft:gpt-3.5-turbo-0125:acme::id"),
    ]);
}

#[test]
fn dates_suffixes_case_and_punctuation_do_not_matter() {
    check(&[
        (200_000, "claude-sonnet-4-5-20250929 claude-sonnet-4.5 Claude_Sonnet_4.5"),
        (1_000_000, "CLAUDE-OPUS-4-6"),
        (128_000, "gpt-4o-2024-08-06 gpt-4-turbo-preview deepseek-chat:free"),
        (272_000, "gpt-5-2025-08-07"),
        (1_047_576, "gpt-4.1-2025-04-14"),
        (1_048_576, "gemini-2.5-flash-preview-09-2025 gemini-2.0-flash-exp"),
        (2_097_152, "gemini-1.5-pro-002"),
        (262_144, "kimi-k2-6"),
    ]);
}

#[test]
fn spaces_around_an_id_do_not_matter() {
    assert_eq!(model_limits(" gpt-4o ", ""), model_limits("gpt-4o", ""));
}

#[test]
fn a_newer_model_gets_the_window_of_its_nearest_older_relative() {
    check(&[
        (272_000, "gpt-5.3-foo"),
        (922_000, "gpt-6.2-sol"),
        (1_000_000, "claude-opus-9 claude-sonnet-4-7"),
        (1_048_576, "gemini-4.5-ultra kimi-k3.5"),
        (500_000, "grok-4.9"),
        // A new tier of a known family has no relative; the family's cautious window stands in.
        (200_000, "claude-sonata-1"),
    ]);
}

#[test]
fn a_longer_name_is_not_taken_for_a_shorter_one() {
    check(&[(8_192, "gpt-4"), (128_000, "gpt-4o gpt-4-turbo o1-mini"), (1_047_576, "gpt-4.1"), (200_000, "o1")]);
    check(&[(2_097_152, "gemini-1.5-pro"), (1_048_576, "gemini-2.5-pro")]);
    assert!(!model_limits("claudette-3-opus", "").known, "a word that only begins like a family is another word");
}

#[test]
fn a_window_of_a_million_must_be_asked_for() {
    check(&[
        (200_000, "claude-sonnet-4-5"),
        (1_000_000, "claude-sonnet-4-5[1m] anthropic/claude-sonnet-4:1m qwen2.5-7b-instruct-1m"),
        (2_097_152, "gemini-1.5-pro-1m"),
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
