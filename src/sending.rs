//! What goes to a provider beside the messages: provider options, and the mark up to which a prompt is cached.
//! Known by the model and its package alone. Not here: whether the user has marks of their own (see `scan`), nor what is sent.

use crate::fingerprint::mix;
use crate::message::Role;
use crate::text::json::Value;
use crate::thinking::{ANTHROPIC_URL, ClaudeVersion, Thinking, claude_version, takes_binding};

/// A model as its object tells of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carrier<'a> {
    /// The model's id.
    pub model_id: &'a str,
    /// The name that it gives its provider.
    pub provider: &'a str,
    /// The form of its interface: `v2` is that of ai 5, whose `prepareStep` may return no provider options.
    pub specification: &'a str,
    /// The user agent of its package; empty where that is not known.
    pub package: &'a str,
    /// Where its package sends requests; empty where that is not known.
    pub base_url: &'a str,
}

/// What goes beside the messages of a step, both as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// Provider options of the request.
    pub provider_options: Option<String>,
    /// Provider options of the last message: a cache mark, and a note that it is stepfold's.
    pub mark: Option<&'static str>,
    /// A mark is held back until a step has shown that the user's request has no cache of another lifetime (see `has_room_for_mark`).
    pub awaits_room: bool,
}

/// Models that refuse a message of the user right behind results ("Unexpected role 'user' after role 'tool'"): those of Mistral, wherever they run.
const NEED_A_BRIDGE: [&str; 7] = ["mistral", "ministral", "mixtral", "magistral", "codestral", "devstral", "pixtral"];

/// What the model is said to have said between results and a message of the user, where it cannot be without.
pub const BRIDGE: &str = "I have the results.";

/// Indices of the messages of the user that stand right behind results, for a model that refuses them there.
pub fn bridges(roles: &[Role], model_id: &str, provider: &str) -> Vec<usize> {
    let names = [model_id, provider].map(str::to_ascii_lowercase);
    if !NEED_A_BRIDGE.iter().any(|part| names.iter().any(|name| name.contains(part))) {
        return Vec::new();
    }
    let follows = |index: &usize| roles[*index] == Role::User && roles[*index - 1] == Role::Tool;
    (1..roles.len()).filter(follows).collect()
}

/// How the prompt cache of a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cache {
    /// It caches by itself, or not at all.
    Unasked,
    /// By an option of Anthropic's for the whole request: up to the last block.
    AnthropicRequest,
    /// By a mark on the last message, wherever Anthropic's form of a request is spoken: Vertex, Foundry, proxies, and on ai 5.
    AnthropicMark,
    /// By a point behind the last message: Bedrock's own form.
    BedrockMark,
    /// The same through Vercel's gateway, whose own option caches only what stands before a conversation.
    GatewayMark,
    /// It caches by itself; a key makes that requests of one conversation meet the same cache.
    OpenAiKey,
}

const ANTHROPIC_MARK: &str = r#"{"anthropic":{"cacheControl":{"type":"ephemeral"}},"stepfold":{"cache":"mark"}}"#;
const BEDROCK_MARK: &str = r#"{"bedrock":{"cachePoint":{"type":"default"}},"stepfold":{"cache":"mark"}}"#;

/// Claude models that can be cached on every platform. Source: Anthropic and Amazon, "Prompt caching", supported models.
const FIRST_CACHED: ClaudeVersion = (3, 7);

impl Cache {
    /// Anthropic refuses a request whose own option ends at a mark with another lifetime. Clouds take no such option, so no user has set it.
    fn may_meet_own_option(self, carrier: &Carrier<'_>) -> bool {
        self == Cache::GatewayMark || self == Cache::AnthropicMark && carrier.provider.to_ascii_lowercase().starts_with("anthropic")
    }

    fn of(carrier: &Carrier<'_>) -> Cache {
        let Carrier { model_id, provider, specification, base_url, .. } = *carrier;
        let takes_options = specification != "v2";
        let provider = provider.to_ascii_lowercase();
        let caches_claude = claude_version(model_id).is_some_and(|version| version.is_none_or(|version| version >= FIRST_CACHED));
        let is_gateway = provider == "gateway";
        if provider.starts_with("openai") || is_gateway && model_id.starts_with("openai/") {
            return if takes_options { Cache::OpenAiKey } else { Cache::Unasked };
        }
        if !caches_claude {
            return Cache::Unasked;
        }
        if is_gateway {
            return Cache::GatewayMark;
        }
        if provider.contains("anthropic") {
            // Clouds take no such option; a proxy may not know it, and a mark it does.
            let is_own = provider.starts_with("anthropic") && (base_url.is_empty() || base_url.starts_with(ANTHROPIC_URL));
            return if takes_options && is_own { Cache::AnthropicRequest } else { Cache::AnthropicMark };
        }
        if provider.contains("bedrock") { Cache::BedrockMark } else { Cache::Unasked }
    }
}

/// What goes beside a list: `edited` where it was edited, `caches` where stepfold asks for the prompt cache, `session` by its id where the
/// list belongs to one, `has_room` where a step has shown that nothing of the user's stands in the way of a mark.
pub fn sending(carrier: &Carrier<'_>, edited: bool, caches: bool, session: Option<&str>, has_room: bool) -> Sending {
    let cache = if caches { Cache::of(carrier) } else { Cache::Unasked };
    let awaits_room = !has_room && cache.may_meet_own_option(carrier);
    let mut anthropic = Vec::new();
    if edited && Thinking::of(carrier.model_id) == Thinking::Bound && takes_binding(carrier.provider, carrier.package, carrier.base_url) {
        anthropic.push(r#""thinking":{"blockBinding":{"prefixMismatchBehavior":"drop_block"}}"#.to_owned());
    }
    if cache == Cache::AnthropicRequest {
        anthropic.push(r#""cacheControl":{"type":"ephemeral"}"#.to_owned());
    }
    let mut providers = Vec::new();
    if !anthropic.is_empty() {
        providers.push(format!(r#""anthropic":{{{}}}"#, anthropic.join(",")));
    }
    if cache == Cache::GatewayMark && awaits_room && carrier.specification != "v2" {
        providers.push(r#""gateway":{"caching":"auto"}"#.to_owned());
    }
    if cache == Cache::OpenAiKey
        && let Some(session) = session
    {
        providers.push(format!(r#""openai":{{"promptCacheKey":"stepfold-{:016x}"}}"#, mix(0, session.as_bytes())));
    }
    Sending {
        provider_options: (!providers.is_empty()).then(|| format!("{{{}}}", providers.join(","))),
        mark: match cache {
            Cache::AnthropicMark | Cache::GatewayMark if !awaits_room => Some(ANTHROPIC_MARK),
            Cache::BedrockMark => Some(BEDROCK_MARK),
            _ => None,
        },
        awaits_room,
    }
}

/// Prompts of this size are cached by every Claude model; of a smaller one it proves nothing that it was not. Source: Anthropic, "Prompt
/// caching", least length.
const SURELY_CACHED_TOKENS: u32 = 4_096;

/// Whether a finished step shows that the user's request has no cache with a lifetime other than a mark's: by what was sent, else by what
/// was reported. `step` is the JSON of `{ sent: { cacheControl } | undefined, providerMetadata }`. Nothing where the step tells nothing.
pub fn has_room_for_mark(step: &str) -> Option<bool> {
    let step = Value::parse(step)?;
    if let Some(sent) = step.get("sent") {
        let lifetime = sent.get("cacheControl").and_then(|own| own.get("ttl")).and_then(Value::as_str);
        return Some(lifetime.is_none_or(|lifetime| lifetime == "5m"));
    }
    let usage = step.get("providerMetadata")?.get("anthropic")?.get("usage")?;
    let tokens = |value: &Value<'_>, name: &str| value.get(name).and_then(|tokens| tokens.scalar_text().parse::<u32>().ok()).unwrap_or(0);
    if tokens(usage, "cache_read_input_tokens") > 0 || tokens(usage, "cache_creation_input_tokens") > 0 {
        let written = usage.get("cache_creation")?;
        return Some(tokens(written, "ephemeral_5m_input_tokens") > 0 && tokens(written, "ephemeral_1h_input_tokens") == 0);
    }
    (tokens(usage, "input_tokens") >= SURELY_CACHED_TOKENS).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(provider: &str, model_id: &str, specification: &str, base_url: &str) -> Sending {
        let package = "ai-sdk/anthropic/4.0.105";
        sending(&Carrier { model_id, provider, specification, package, base_url }, false, true, Some("chat 1"), true)
    }

    #[test]
    fn the_cache_is_asked_for_where_a_provider_does_not_cache_by_itself() {
        let own = "https://api.anthropic.com/v1";
        let request = r#"{"anthropic":{"cacheControl":{"type":"ephemeral"}}}"#;
        for (provider, model, specification, url, options, mark) in [
            ("anthropic.messages", "claude-sonnet-4-5", "v3", own, Some(request), None),
            ("anthropic.messages", "claude-sonnet-4-5", "v4", "", Some(request), None),
            ("anthropic.messages", "claude-sonnet-4-5", "v4", "https://proxy.example/v1", None, Some(ANTHROPIC_MARK)),
            ("anthropic.messages", "claude-sonnet-4-5", "v2", own, None, Some(ANTHROPIC_MARK)),
            ("anthropic.messages", "claude-2.1", "v4", own, None, None),
            ("anthropic.messages", "MiniMax-M3", "v4", own, None, None),
            ("vertex.anthropic.messages", "claude-opus-5-5@20260915", "v3", own, None, Some(ANTHROPIC_MARK)),
            ("bedrock.anthropic.messages", "us.anthropic.claude-opus-4-8-v1:0", "v3", "", None, Some(ANTHROPIC_MARK)),
            ("amazon-bedrock", "us.anthropic.claude-opus-4-8-v1:0", "v3", "", None, Some(BEDROCK_MARK)),
            ("amazon-bedrock", "anthropic.claude-3-haiku-20240307-v1:0", "v3", "", None, None),
            ("amazon-bedrock", "amazon.nova-pro-v1:0", "v3", "", None, None),
            ("gateway", "anthropic/claude-sonnet-4.5", "v4", "", None, Some(ANTHROPIC_MARK)),
            ("gateway", "anthropic/claude-sonnet-4.5", "v2", "", None, Some(ANTHROPIC_MARK)),
            ("gateway", "google/gemini-3-pro", "v4", "", None, None),
            ("google.generative-ai", "gemini-3-pro", "v4", "", None, None),
            ("openai.responses", "gpt-5", "v2", "", None, None),
            ("", "", "", "", None, None),
        ] {
            let expected = Sending { provider_options: options.map(str::to_owned), mark, awaits_room: false };
            assert_eq!(asked(provider, model, specification, url), expected, "{provider} {model} {specification} {url}");
        }
    }

    #[test]
    fn a_message_behind_results_needs_a_bridge_only_where_a_model_refuses_it() {
        let roles = [Role::User, Role::Assistant, Role::Tool, Role::User, Role::User, Role::Assistant, Role::Tool, Role::Tool, Role::User];
        for (model_id, provider, expected) in [
            ("mistral-large-latest", "mistral.chat", &[3, 8][..]),
            ("mistralai/Devstral-Small-2-24B-Instruct-2512", "vllm.chat", &[3, 8]),
            ("large", "mistral.chat", &[3, 8]),
            ("gpt-5", "openai.responses", &[]),
            ("", "", &[]),
        ] {
            assert_eq!(bridges(&roles, model_id, provider), expected, "{model_id} {provider}");
        }
        assert!(bridges(&[], "mistral-large-latest", "").is_empty());
    }

    #[test]
    fn a_mark_waits_for_a_step_where_the_users_request_may_have_a_cache_of_another_lifetime() {
        let auto = Some(r#"{"gateway":{"caching":"auto"}}"#);
        for (provider, specification, options, awaits_room) in [
            ("anthropic.messages", "v2", None, true),
            ("gateway", "v2", None, true),
            ("gateway", "v4", auto, true),
            ("vertex.anthropic.messages", "v4", None, false),
            ("amazon-bedrock", "v2", None, false),
        ] {
            let carrier = Carrier { model_id: "anthropic/claude-sonnet-4.5", provider, specification, ..Carrier::default() };
            let first = sending(&carrier, false, true, None, false);
            assert_eq!((first.provider_options.as_deref(), first.awaits_room), (options, awaits_room), "{provider} {specification}");
            assert_eq!(first.mark.is_none(), awaits_room, "{provider} {specification}");
            assert!(sending(&carrier, false, true, None, true).mark.is_some(), "{provider} {specification}");
            assert_eq!(sending(&carrier, false, false, None, false), Sending::default(), "{provider} {specification}");
        }
    }

    #[test]
    fn a_step_tells_by_what_was_sent_or_reported_whether_there_is_room_for_a_mark() {
        let usage = |members: &str| format!(r#"{{"providerMetadata":{{"anthropic":{{"usage":{{{members}}}}}}}}}"#);
        for (step, expected) in [
            (r#"{"sent":{}}"#.to_owned(), Some(true)),
            (r#"{"sent":{"cacheControl":{"type":"ephemeral"}}}"#.to_owned(), Some(true)),
            (r#"{"sent":{"cacheControl":{"type":"ephemeral","ttl":"5m"}}}"#.to_owned(), Some(true)),
            (r#"{"sent":{"cacheControl":{"type":"ephemeral","ttl":"1h"}}}"#.to_owned(), Some(false)),
            (usage(r#""input_tokens":5000,"cache_read_input_tokens":0,"cache_creation_input_tokens":0"#), Some(true)),
            (usage(r#""input_tokens":900,"cache_read_input_tokens":0,"cache_creation_input_tokens":0"#), None),
            (usage(r#""input_tokens":9,"cache_read_input_tokens":5000"#), None),
            (
                usage(r#""cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":5,"ephemeral_1h_input_tokens":0}"#),
                Some(true),
            ),
            (
                usage(r#""cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":5}"#),
                Some(false),
            ),
            (r#"{"providerMetadata":{"openai":{}}}"#.to_owned(), None),
            ("{".to_owned(), None),
        ] {
            assert_eq!(has_room_for_mark(&step), expected, "{step}");
        }
    }

    #[test]
    fn a_sessions_key_says_nothing_of_its_id_and_is_the_same_each_time() {
        let key = asked("openai.responses", "gpt-5", "v4", "").provider_options.unwrap();
        assert!(key.starts_with(r#"{"openai":{"promptCacheKey":"stepfold-"#) && !key.contains("chat"), "{key}");
        assert_eq!(asked("openai.chat", "gpt-5", "v3", "").provider_options, Some(key));
        let carrier = Carrier { model_id: "gpt-5", provider: "openai.responses", specification: "v4", ..Carrier::default() };
        assert_eq!(sending(&carrier, false, true, None, true), Sending::default(), "no session, no key");
    }

    #[test]
    fn an_edited_list_of_a_model_that_binds_thoughts_carries_both_options() {
        let own = "https://api.anthropic.com/v1";
        let carrier = Carrier {
            model_id: "claude-opus-5-5",
            provider: "anthropic.messages",
            specification: "v4",
            package: "ai-sdk/anthropic/4.0.105",
            base_url: own,
        };
        let options = |edited, caches| sending(&carrier, edited, caches, None, true).provider_options;
        let binding = r#""thinking":{"blockBinding":{"prefixMismatchBehavior":"drop_block"}}"#;
        assert_eq!(options(true, true), Some(format!(r#"{{"anthropic":{{{binding},"cacheControl":{{"type":"ephemeral"}}}}}}"#)));
        assert_eq!(options(true, false), Some(format!(r#"{{"anthropic":{{{binding}}}}}"#)));
        assert_eq!(options(false, false), None);
    }
}
