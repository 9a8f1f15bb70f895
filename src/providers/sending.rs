//! What goes to a provider beside the messages: provider options, and the mark up to which a prompt is cached.
//! Known by the model and its package alone. Not here: whether the user has marks of their own (see `scan`), nor what is sent.

use serde::{Deserialize, Serialize};

use crate::model::scan::CACHE_MARKS;
use crate::providers::thinking::{ANTHROPIC_URL, ClaudeVersion, claude_version, takes_binding};
use crate::text::hash::mix;
use crate::text::json::Value;

/// How a model is reached, read off its object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endpoint<'a> {
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

/// What is left for stepfold of the marks that a request may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarkSlots {
    /// Marks that nothing of the user's takes.
    pub marks: u32,
    /// The request had an option of its own, which takes one of them unless it is stepfold's.
    pub has_option: bool,
    /// The user's own marks are as many as a request may have.
    pub is_full: bool,
}

/// What a step needs beside its messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs<'a> {
    /// Its list was edited.
    pub edited: bool,
    /// The provider is to be asked to leave out thoughts whose prefix has changed.
    pub drops_thoughts: bool,
    /// stepfold asks for the prompt cache.
    pub caches: bool,
    /// The id of the session that it belongs to.
    pub session: Option<&'a str>,
    /// For how many marks of stepfold's the user's request has room, once a step has shown it (see `free_mark_slots`).
    pub mark_slots: Option<MarkSlots>,
    /// More was added than a mark at the end looks back over.
    pub is_far: bool,
}

/// What goes beside the messages of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sending {
    /// Provider options of the request, as JSON.
    pub provider_options: Option<String>,
    /// Cache marks.
    pub marks: Vec<Mark>,
    /// More would be asked for if it were known for how many marks there is room.
    pub awaits_slots: bool,
}

/// A cache mark on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Which message.
    pub place: Place,
    /// Its provider options as JSON: the mark, and a note that it is stepfold's.
    pub options: &'static str,
}

/// Which message has a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The last one.
    End,
    /// The last one that the step before has sent.
    EndBefore,
    /// The checkpoint.
    Checkpoint,
    /// The last part of the checkpoint.
    CheckpointPart,
}

/// How a model is asked to cache a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cache {
    /// Nothing has to be sent: it caches by itself, or not at all.
    Implicit,
    /// By an option of Anthropic's for the whole request: up to the last block.
    AnthropicRequest,
    /// By a mark on the last message, wherever Anthropic's form of a request is taken: Vertex, Foundry, proxies, and on ai 5.
    AnthropicMark,
    /// By a point behind the last message: Bedrock's own form.
    BedrockMark,
    /// The same through Vercel's gateway, whose own option caches only what stands before a conversation.
    GatewayMark,
    /// It caches by itself; a key makes that requests of one conversation meet the same cache.
    OpenAiKey,
    /// The same, and what stands before an edit is found again where a breakpoint says that it ends.
    OpenAiBreakpoint,
}

const ANTHROPIC_MARK: &str = r#"{"anthropic":{"cacheControl":{"type":"ephemeral"}},"stepfold":{"cache":"mark"}}"#;
const OPENAI_MARK: &str = r#"{"openai":{"promptCacheBreakpoint":{"mode":"explicit"}},"stepfold":{"cache":"mark"}}"#;
const BEDROCK_MARK: &str = r#"{"bedrock":{"cachePoint":{"type":"default"}},"stepfold":{"cache":"mark"}}"#;

/// Claude models that can be cached on every platform. Source: Anthropic and Amazon, "Prompt caching", supported models.
const FIRST_CACHED: ClaudeVersion = (3, 7);

/// Models from this on find a prompt again where a breakpoint was, and nowhere else. Source: OpenAI, "Prompt caching", GPT-5.6 and later.
const FIRST_WITH_BREAKPOINTS: (u32, u32) = (5, 6);
const OPENAI_URL: &str = "https://api.openai.com/";

/// Marks that a request may have, with Anthropic and Bedrock alike. Source: Anthropic, "Prompt caching", explicit cache breakpoints.
const MARKS: u32 = 4;
/// Blocks before a mark among which an earlier mark's is found. Source: the same.
const LOOK_BACK_BLOCKS: u32 = 20;

/// Whether a mark at the end does not find the one before, as so many blocks were added.
pub fn is_far(added_blocks: u32) -> bool {
    added_blocks > LOOK_BACK_BLOCKS
}

impl Cache {
    /// Anthropic refuses a request whose own option ends at a mark with another lifetime. Clouds take no such option, so no user has set it.
    fn may_meet_own_option(self, endpoint: &Endpoint<'_>) -> bool {
        self == Cache::GatewayMark || self == Cache::AnthropicMark && endpoint.provider.to_ascii_lowercase().starts_with("anthropic")
    }

    fn of(endpoint: &Endpoint<'_>) -> Cache {
        let Endpoint { model_id, provider, specification, base_url, .. } = *endpoint;
        let takes_options = specification != "v2";
        let provider = provider.to_ascii_lowercase();
        let caches_claude = claude_version(model_id).is_some_and(|version| version.is_none_or(|version| version >= FIRST_CACHED));
        let is_gateway = provider == "gateway";
        if provider.starts_with("openai") || is_gateway && model_id.starts_with("openai/") {
            let is_own = !is_gateway && (base_url.is_empty() || base_url.starts_with(OPENAI_URL));
            return match (is_own && takes_breakpoints(model_id), takes_options) {
                (true, _) => Cache::OpenAiBreakpoint,
                (false, true) => Cache::OpenAiKey,
                (false, false) => Cache::Implicit,
            };
        }
        if !caches_claude {
            return Cache::Implicit;
        }
        if is_gateway {
            return Cache::GatewayMark;
        }
        if provider.contains("anthropic") {
            // Clouds take no such option; a proxy may not know it, and a mark it does.
            let is_own = provider.starts_with("anthropic") && (base_url.is_empty() || base_url.starts_with(ANTHROPIC_URL));
            return if takes_options && is_own { Cache::AnthropicRequest } else { Cache::AnthropicMark };
        }
        if provider.contains("bedrock") { Cache::BedrockMark } else { Cache::Implicit }
    }
}

/// Whether a model of OpenAI knows breakpoints, by the version behind its first word.
fn takes_breakpoints(model_id: &str) -> bool {
    let Some(version) = model_id.trim_start_matches("ft:").strip_prefix("gpt-") else { return false };
    let mut numbers = version.split('-').next().unwrap_or_default().split('.').map(str::parse::<u32>);
    let Some(Ok(major)) = numbers.next() else { return false };
    (major, numbers.next().and_then(Result::ok).unwrap_or(0)) >= FIRST_WITH_BREAKPOINTS
}

/// Whether a prompt is cached by a model only where it is asked for, and stepfold does not ask.
pub fn is_uncached(model_id: &str, provider: &str, asks: bool) -> bool {
    // An id alone may be asked for anywhere.
    let can_ask = provider.is_empty() || Cache::of(&Endpoint { model_id, provider, ..Endpoint::default() }) != Cache::Implicit;
    claude_version(model_id).is_some() && !(asks && can_ask)
}

/// What goes beside a list.
pub fn sending(endpoint: &Endpoint<'_>, needs: &Needs<'_>) -> Sending {
    let Needs { edited, drops_thoughts, caches, session, mark_slots, is_far } = *needs;
    let cache = if caches { Cache::of(endpoint) } else { Cache::Implicit };
    let takes_options = endpoint.specification != "v2";
    let mut anthropic = Vec::new();
    if drops_thoughts && takes_binding(endpoint.provider, endpoint.package, endpoint.base_url) {
        anthropic.push(r#""thinking":{"blockBinding":{"prefixMismatchBehavior":"drop_block"}}"#.to_owned());
    }
    if cache == Cache::AnthropicRequest && !mark_slots.is_some_and(|mark_slots| mark_slots.is_full) {
        anthropic.push(r#""cacheControl":{"type":"ephemeral"}"#.to_owned());
    }
    let mut providers = Vec::new();
    if !anthropic.is_empty() {
        providers.push(format!(r#""anthropic":{{{}}}"#, anthropic.join(",")));
    }
    // Until more is known, one mark, where it cannot meet an option of the user's.
    let free_slots = match mark_slots {
        Some(MarkSlots { marks, has_option, .. }) => marks.saturating_sub(u32::from(has_option && cache != Cache::AnthropicRequest)),
        None => u32::from(!cache.may_meet_own_option(endpoint)),
    };
    if cache == Cache::GatewayMark && free_slots == 0 && takes_options {
        providers.push(r#""gateway":{"caching":"auto"}"#.to_owned());
    }
    if matches!(cache, Cache::OpenAiKey | Cache::OpenAiBreakpoint)
        && takes_options
        && let Some(session) = session
    {
        providers.push(format!(r#""openai":{{"promptCacheKey":"stepfold-{:016x}"}}"#, mix(0, session.as_bytes())));
    }
    let limited = match cache {
        Cache::AnthropicRequest | Cache::AnthropicMark | Cache::GatewayMark => Some(ANTHROPIC_MARK),
        Cache::BedrockMark => Some(BEDROCK_MARK),
        Cache::Implicit | Cache::OpenAiKey | Cache::OpenAiBreakpoint => None,
    };
    let mut marks = Vec::new();
    if let Some(options) = limited {
        let places = [(Place::End, true), (Place::EndBefore, is_far), (Place::Checkpoint, edited)];
        let wanted = places.into_iter().filter(|(_, wanted)| *wanted).take(free_slots as usize);
        // The option for the whole request is its mark at the end.
        let in_request = |place| place == Place::End && cache == Cache::AnthropicRequest;
        marks.extend(wanted.filter(|(place, _)| !in_request(*place)).map(|(place, _)| Mark { place, options }));
    }
    if cache == Cache::OpenAiBreakpoint && edited {
        marks.push(Mark { place: Place::CheckpointPart, options: OPENAI_MARK });
    }
    Sending {
        provider_options: (!providers.is_empty()).then(|| format!("{{{}}}", providers.join(","))),
        marks,
        awaits_slots: mark_slots.is_none() && limited.is_some(),
    }
}

/// Prompts of this size are cached by every Claude model; of a smaller one it proves nothing that it was not. Source: Anthropic, "Prompt
/// caching", least length.
const SURELY_CACHED_TOKENS: u32 = 4_096;

/// For how many marks of stepfold's the user's request has room, as a finished step shows: by what was sent, else by what was reported.
/// Anthropic takes none of five minutes where the request asks for an hour. `step` is the JSON of `{ request, providerMetadata }`, the
/// request without its messages. `None` where the step does not show it.
pub fn free_mark_slots(step: &str) -> Option<MarkSlots> {
    let without_option = |marks| MarkSlots { marks, has_option: false, is_full: false };
    let step = Value::parse(step)?;
    if let Some(request @ Value::Map(_)) = step.get("request") {
        let own = request.get("cache_control").or_else(|| request.get("providerOptions")?.get("anthropic")?.get("cacheControl"));
        if own.is_some_and(|own| own.get("ttl").and_then(Value::as_str).is_some_and(|lifetime| lifetime != "5m")) {
            return Some(without_option(0));
        }
        let tools = request.get("tools").or_else(|| request.get("toolConfig")?.get("tools"));
        let lists = [tools, request.get("system"), request.get("prompt")];
        let count: usize = lists.into_iter().flatten().map(marks_in).sum();
        let marks = MARKS.saturating_sub(u32::try_from(count).unwrap_or(MARKS));
        return Some(MarkSlots { marks, has_option: own.is_some(), is_full: marks == 0 });
    }
    let usage = step.get("providerMetadata")?.get("anthropic")?.get("usage")?;
    let tokens = |value: &Value<'_>, name: &str| value.get(name).and_then(|tokens| tokens.scalar_text().parse::<u32>().ok()).unwrap_or(0);
    if tokens(usage, "cache_read_input_tokens") > 0 || tokens(usage, "cache_creation_input_tokens") > 0 {
        let written = usage.get("cache_creation")?;
        let is_short = tokens(written, "ephemeral_5m_input_tokens") > 0 && tokens(written, "ephemeral_1h_input_tokens") == 0;
        return Some(without_option(u32::from(is_short)));
    }
    (tokens(usage, "input_tokens") >= SURELY_CACHED_TOKENS).then_some(without_option(1))
}

/// Marks on tools or system messages: on one itself, or in its options as the gateway passes them on, with those of its parts.
fn marks_in(list: &Value<'_>) -> usize {
    let Value::List(holders) = list else { return 0 };
    let has_mark = |value: &Value<'_>| CACHE_MARKS.iter().any(|name| value.get(name).is_some());
    let of = |holder: &Value<'_>| {
        if holder.get("role").is_some_and(|role| role.as_str() != Some("system")) {
            return false;
        }
        let Some(Value::Map(providers)) = holder.get("providerOptions") else { return has_mark(holder) };
        has_mark(holder) || providers.iter().any(|(_, options)| has_mark(options))
    };
    holders.iter().filter(|holder| of(holder)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_SLOT: Option<MarkSlots> = Some(MarkSlots { marks: 1, has_option: false, is_full: false });

    fn sending_to(provider: &str, model_id: &str, specification: &str, base_url: &str) -> Sending {
        let endpoint = Endpoint { model_id, provider, specification, package: "ai-sdk/anthropic/4.0.105", base_url };
        sending(&endpoint, &Needs { caches: true, session: Some("chat 1"), mark_slots: ONE_SLOT, ..Needs::default() })
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
            let marks: Vec<Mark> = mark.map(|options| Mark { place: Place::End, options }).into_iter().collect();
            let expected = Sending { provider_options: options.map(str::to_owned), marks, awaits_slots: false };
            assert_eq!(sending_to(provider, model, specification, url), expected, "{provider} {model} {specification} {url}");
        }
    }

    #[test]
    fn a_mark_waits_for_a_step_where_the_users_request_may_have_a_cache_of_another_lifetime() {
        let auto = Some(r#"{"gateway":{"caching":"auto"}}"#);
        for (provider, specification, options, waits) in [
            ("anthropic.messages", "v2", None, true),
            ("gateway", "v2", None, true),
            ("gateway", "v4", auto, true),
            ("vertex.anthropic.messages", "v4", None, false),
            ("amazon-bedrock", "v2", None, false),
        ] {
            let endpoint = Endpoint { model_id: "anthropic/claude-sonnet-4.5", provider, specification, ..Endpoint::default() };
            let caching = Needs { caches: true, ..Needs::default() };
            let first = sending(&endpoint, &caching);
            assert_eq!((first.provider_options.as_deref(), first.marks.is_empty()), (options, waits), "{provider} {specification}");
            assert!(first.awaits_slots, "{provider} {specification}");
            let none =
                sending(&endpoint, &Needs { mark_slots: Some(MarkSlots { marks: 0, has_option: false, is_full: false }), ..caching });
            assert_eq!(
                (none.provider_options.as_deref(), none.marks, none.awaits_slots),
                (options, vec![], false),
                "{provider} {specification}"
            );
            assert_eq!(sending(&endpoint, &Needs { mark_slots: ONE_SLOT, ..caching }).marks.len(), 1, "{provider} {specification}");
            assert_eq!(sending(&endpoint, &Needs::default()), Sending::default(), "{provider} {specification}");
        }
    }

    #[test]
    fn more_marks_are_set_only_where_they_help_and_a_step_has_shown_slots_for_them() {
        use Place::{Checkpoint, End, EndBefore};
        for (provider, edited, is_far, mark_slots, expected) in [
            ("vertex.anthropic.messages", true, true, None, vec![End]),
            ("vertex.anthropic.messages", true, true, Some((1, false)), vec![End]),
            ("vertex.anthropic.messages", true, true, Some((2, false)), vec![End, EndBefore]),
            ("vertex.anthropic.messages", true, true, Some((4, false)), vec![End, EndBefore, Checkpoint]),
            ("vertex.anthropic.messages", true, false, Some((2, false)), vec![End, Checkpoint]),
            ("vertex.anthropic.messages", false, false, Some((4, false)), vec![End]),
            ("amazon-bedrock", false, true, Some((3, false)), vec![End, EndBefore]),
            // The option for the request is the mark at the end.
            ("anthropic.messages", false, true, None, vec![]),
            ("anthropic.messages", false, true, Some((1, false)), vec![]),
            ("anthropic.messages", false, true, Some((2, false)), vec![EndBefore]),
            ("anthropic.messages", false, true, Some((2, true)), vec![EndBefore]),
            ("vertex.anthropic.messages", true, true, Some((2, true)), vec![End]),
        ] {
            let endpoint = Endpoint { model_id: "claude-sonnet-4-5", provider, specification: "v4", ..Endpoint::default() };
            let mark_slots = mark_slots.map(|(marks, has_option)| MarkSlots { marks, has_option, is_full: false });
            let sending = sending(&endpoint, &Needs { edited, caches: true, mark_slots, is_far, ..Needs::default() });
            let places: Vec<Place> = sending.marks.iter().map(|mark| mark.place).collect();
            assert_eq!(places, expected, "{provider} {mark_slots:?}");
        }
    }

    #[test]
    fn a_request_whose_four_marks_are_the_users_is_asked_no_fifth() {
        let endpoint =
            Endpoint { model_id: "claude-sonnet-4-5", provider: "anthropic.messages", specification: "v4", ..Endpoint::default() };
        let asks = |mark_slots| sending(&endpoint, &Needs { caches: true, mark_slots, ..Needs::default() }).provider_options.is_some();
        let mark_slots = |marks, is_full| Some(MarkSlots { marks, has_option: true, is_full });
        assert_eq!([None, mark_slots(1, false), mark_slots(0, true)].map(asks), [true, true, false]);
    }

    #[test]
    fn a_model_of_openai_that_knows_breakpoints_has_one_at_the_end_of_the_checkpoint() {
        let mark = Mark { place: Place::CheckpointPart, options: OPENAI_MARK };
        for (model_id, provider, base_url, expected) in [
            ("gpt-5.6", "openai.responses", "", true),
            ("gpt-5.6-sol", "openai.chat", "https://api.openai.com/v1", true),
            ("gpt-6-astra", "openai.responses", "", true),
            ("gpt-10", "openai.responses", "", true),
            ("gpt-5.5", "openai.responses", "", false),
            ("gpt-5", "openai.responses", "", false),
            ("gpt-5-2025-08-07", "openai.responses", "", false),
            ("gpt-4o", "openai.responses", "", false),
            ("o5", "openai.responses", "", false),
            ("gpt-6-astra", "openai.responses", "https://proxy.example/v1", false),
            ("openai/gpt-6-astra", "gateway", "", false),
        ] {
            for specification in ["v2", "v4"] {
                let endpoint = Endpoint { model_id, provider, specification, base_url, ..Endpoint::default() };
                let marks = |edited| sending(&endpoint, &Needs { edited, caches: true, ..Needs::default() }).marks;
                assert_eq!(marks(true), if expected { vec![mark] } else { vec![] }, "{model_id} {specification}");
                assert_eq!(marks(false), [], "{model_id} {specification}");
            }
        }
    }

    #[test]
    fn a_prompt_is_uncached_where_nobody_asks_for_the_cache_of_claude() {
        for (model, provider, asks, expected) in [
            ("claude-sonnet-4-5", "anthropic.messages", true, false),
            ("claude-sonnet-4-5", "anthropic.messages", false, true),
            ("anthropic/claude-sonnet-4.5", "openrouter", true, true),
            ("claude-sonnet-4-5", "", true, false),
            ("claude-sonnet-4-5", "", false, true),
            ("gpt-6-astra", "openai.responses", false, false),
            ("gemini-3-pro", "google.generative-ai", true, false),
        ] {
            assert_eq!(is_uncached(model, provider, asks), expected, "{model} {provider} {asks}");
        }
    }

    #[test]
    fn a_step_shows_by_what_was_sent_or_reported_whether_there_is_a_slot_for_a_mark() {
        let usage = |members: &str| format!(r#"{{"providerMetadata":{{"anthropic":{{"usage":{{{members}}}}}}}}}"#);
        for (step, expected) in [
            (r#"{"request":{}}"#.to_owned(), Some((4, false))),
            (r#"{"request":{"cache_control":{"type":"ephemeral"}}}"#.to_owned(), Some((4, true))),
            (r#"{"request":{"cache_control":{"type":"ephemeral","ttl":"5m"}}}"#.to_owned(), Some((4, true))),
            (r#"{"request":{"cache_control":{"type":"ephemeral","ttl":"1h"}}}"#.to_owned(), Some((0, false))),
            (r#"{"request":{"providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral","ttl":"1h"}}}}}"#.to_owned(), Some((0, false))),
            (r#"{"request":{"system":[{"text":"a","cache_control":{}}],"tools":[{"name":"a"},{"cache_control":{}}]}}"#.to_owned(), Some((2, false))),
            (r#"{"request":{"cache_control":{},"tools":[{"name":"four","cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"cache_control":{}}]}}"#.to_owned(), Some((0, true))),
            (r#"{"request":{"system":[{"text":"a"},{"cachePoint":{}}],"toolConfig":{"tools":[{"cachePoint":{}}]}}}"#.to_owned(), Some((2, false))),
            (r#"{"request":{"prompt":[{"role":"system","providerOptions":{"anthropic":{"cacheControl":{}}}},{"role":"user","providerOptions":{"anthropic":{"cacheControl":{}}}}]}}"#.to_owned(), Some((3, false))),
            (usage(r#""input_tokens":5000,"cache_read_input_tokens":0,"cache_creation_input_tokens":0"#), Some((1, false))),
            (usage(r#""input_tokens":900,"cache_read_input_tokens":0,"cache_creation_input_tokens":0"#), None),
            (usage(r#""input_tokens":9,"cache_read_input_tokens":5000"#), None),
            (
                usage(r#""cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":5,"ephemeral_1h_input_tokens":0}"#),
                Some((1, false)),
            ),
            (
                usage(r#""cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":5}"#),
                Some((0, false)),
            ),
            (r#"{"providerMetadata":{"openai":{}}}"#.to_owned(), None),
            ("{".to_owned(), None),
        ] {
            let is_full = step.contains("\"four\"");
            let expected = expected.map(|(marks, has_option)| MarkSlots { marks, has_option, is_full });
            assert_eq!(free_mark_slots(&step), expected, "{step}");
        }
    }

    #[test]
    fn a_sessions_key_says_nothing_of_its_id_and_is_the_same_each_time() {
        let key = sending_to("openai.responses", "gpt-5", "v4", "").provider_options.unwrap();
        assert!(key.starts_with(r#"{"openai":{"promptCacheKey":"stepfold-"#) && !key.contains("chat"), "{key}");
        assert_eq!(sending_to("openai.chat", "gpt-5", "v3", "").provider_options, Some(key));
        let endpoint = Endpoint { model_id: "gpt-5", provider: "openai.responses", specification: "v4", ..Endpoint::default() };
        assert_eq!(sending(&endpoint, &Needs { caches: true, ..Needs::default() }), Sending::default(), "no session, no key");
    }

    #[test]
    fn a_list_whose_thoughts_may_be_left_out_carries_both_options() {
        let own = "https://api.anthropic.com/v1";
        let endpoint = Endpoint {
            model_id: "claude-opus-5-5",
            provider: "anthropic.messages",
            specification: "v4",
            package: "ai-sdk/anthropic/4.0.105",
            base_url: own,
        };
        let options = |drops_thoughts, caches| sending(&endpoint, &Needs { drops_thoughts, caches, ..Needs::default() }).provider_options;
        let binding = r#""thinking":{"blockBinding":{"prefixMismatchBehavior":"drop_block"}}"#;
        assert_eq!(options(true, true), Some(format!(r#"{{"anthropic":{{{binding},"cacheControl":{{"type":"ephemeral"}}}}}}"#)));
        assert_eq!(options(true, false), Some(format!(r#"{{"anthropic":{{{binding}}}}}"#)));
        assert_eq!(options(false, false), None);
    }
}
