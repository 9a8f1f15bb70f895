//! What a provider reports of one step, and the size of the prompt that it measured. Reads numbers; learns nothing.
//! Names differ between the SDK's majors and between providers: this is the one place that knows them.

mod samplings;

use serde::Serialize;

use crate::json::Value;
use crate::providers::owner::Asks;
use crate::providers::reply::tokens_of;
use crate::providers::thinking::Thinking;
use crate::settings::Cached;
use samplings::{first_sampling, ran_tools};

/// The provider's numbers of one step, as the SDK reports them; not a number where missing.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// `inputTokens`.
    #[serde(skip_serializing_if = "is_unknown")]
    pub input: f64,
    /// `cachedInputTokens` or `inputTokenDetails.cacheReadTokens`.
    #[serde(skip_serializing_if = "is_unknown")]
    pub cache_read: f64,
    /// Tokens written to the cache.
    #[serde(skip_serializing_if = "is_unknown")]
    pub cache_write: f64,
    /// Tokens that no cache held; a number only where the provider is written for ai 6 or 7 and reports them by themselves.
    #[serde(rename = "toldApart", skip_serializing_if = "is_unknown")]
    pub uncached_input: f64,
    /// The provider's own count of the prompt as it was sent; `input` may be a sum over several requests and over what its own tools read.
    #[serde(skip_serializing_if = "is_unknown")]
    pub own_prompt: f64,
    /// A number where the answer was made of several requests or holds calls that the provider ran: then the input may be a sum.
    #[serde(skip_serializing_if = "is_unknown")]
    pub may_be_sum: f64,
    /// Edits that Anthropic applied to the prompt by itself.
    #[serde(skip_serializing_if = "is_unknown")]
    pub applied_edits: f64,
    /// How many of them cleared thinking and nothing else.
    #[serde(skip_serializing_if = "is_unknown")]
    pub thinking_edits: f64,
    /// Tokens that these edits took away.
    #[serde(skip_serializing_if = "is_unknown")]
    pub cleared_tokens: f64,
    /// `outputTokens`.
    #[serde(skip_serializing_if = "is_unknown")]
    pub output: f64,
    /// A number where the reply ended because prompt and reply filled the window.
    #[serde(skip_serializing_if = "is_unknown")]
    pub full_window: f64,
    /// A number where the model that answered binds its thoughts, whatever id it was asked by: a deployment, an alias of a proxy.
    #[serde(skip_serializing_if = "is_unknown")]
    pub binds_thoughts: f64,
    /// What the request asked the provider to do with the history (`Asks::code`); a number only where its body is known.
    #[serde(skip_serializing_if = "is_unknown")]
    pub asks: f64,
}

impl Default for Usage {
    /// All are missing.
    fn default() -> Self {
        Usage::of(|_| f64::NAN)
    }
}

impl Usage {
    /// Numbers by their names in JavaScript.
    pub fn of(number: impl Fn(&'static str) -> f64) -> Usage {
        Usage {
            input: number("input"),
            cache_read: number("cacheRead"),
            cache_write: number("cacheWrite"),
            uncached_input: number("toldApart"),
            own_prompt: number("ownPrompt"),
            may_be_sum: number("mayBeSum"),
            applied_edits: number("appliedEdits"),
            thinking_edits: number("thinkingEdits"),
            cleared_tokens: number("clearedTokens"),
            output: number("output"),
            full_window: number("fullWindow"),
            binds_thoughts: number("bindsThoughts"),
            asks: number("asks"),
        }
    }

    /// Whether all its numbers can be calculated with; a stored state may hold anything.
    pub fn is_sound(&self) -> bool {
        let numbers = [
            self.input,
            self.cache_read,
            self.cache_write,
            self.uncached_input,
            self.own_prompt,
            self.may_be_sum,
            self.applied_edits,
            self.thinking_edits,
            self.cleared_tokens,
            self.output,
            self.full_window,
            self.binds_thoughts,
            self.asks,
        ];
        numbers.iter().all(|number| number.is_nan() || (0.0..1e9).contains(number))
    }

    /// From what the SDK says of a step, or a model of its answer: the JSON of `{ usage, providerMetadata, finishReason, rawFinishReason,
    /// response: { modelId }, request: { body } }`, of which anything may be missing.
    pub fn from_step(json: &str) -> Usage {
        let step = Value::parse(json).unwrap_or(Value::Null);
        let number = |paths: &[&[&str]]| paths.iter().find_map(|path| number_at(&step, path)).unwrap_or(f64::NAN);
        let edits = at(&step, &["providerMetadata", "anthropic", "contextManagement", "appliedEdits"]);
        let (applied_edits, thinking_edits, cleared_tokens) = edits.map_or((f64::NAN, f64::NAN, f64::NAN), applied);
        Usage {
            input: number(&[&["usage", "inputTokens"], &["usage", "inputTokens", "total"]]),
            cache_read: number(&[
                &["usage", "inputTokenDetails", "cacheReadTokens"],
                &["usage", "inputTokens", "cacheRead"],
                &["usage", "cachedInputTokens"],
            ]),
            cache_write: number(&[
                &["usage", "inputTokenDetails", "cacheWriteTokens"],
                &["usage", "inputTokens", "cacheWrite"],
                &["providerMetadata", "anthropic", "cacheCreationInputTokens"],
                &["providerMetadata", "bedrock", "usage", "cacheWriteInputTokens"],
            ]),
            uncached_input: number(&[
                &["usage", "inputTokenDetails", "noCacheTokens"],
                &["usage", "inputTokenDetails", "cacheWriteTokens"],
                &["usage", "inputTokens", "noCache"],
            ]),
            own_prompt: own_prompt(&step).or_else(|| first_sampling(&step)).unwrap_or(f64::NAN),
            may_be_sum: if ran_tools(&step) { 1.0 } else { f64::NAN },
            applied_edits,
            thinking_edits,
            cleared_tokens,
            output: number(&[&["usage", "outputTokens"], &["usage", "outputTokens", "total"]]),
            full_window: if ends_with_full_window(&step) { 1.0 } else { f64::NAN },
            binds_thoughts: if is_answered_by_binding_model(&step) { 1.0 } else { f64::NAN },
            asks: at(&step, &["request", "body"]).map_or(f64::NAN, |body| Asks::of(body).code()),
        }
    }

    /// Whether something was read from a cache or written to it.
    pub fn reports_cache(&self) -> bool {
        self.cache_read > 0.0 || self.cache_write > 0.0
    }

    /// Whether the reply ended because prompt and reply filled the window.
    pub fn fills_window(&self) -> bool {
        self.full_window > 0.0
    }

    /// Whether the provider cleared results or compacted by itself. Where it clears thinking alone, results pile up as ever, and nobody
    /// but stepfold keeps the prompt within its window.
    pub fn edits_messages(&self) -> bool {
        self.applied_edits > self.thinking_edits
    }

    /// Tokens of the prompt as it was sent; not a number when unknown.
    pub fn prompt_tokens(&self, cached: Cached) -> f64 {
        // The provider counts what is left when its edits are made.
        let cleared = if self.applied_edits > 0.0 { self.cleared_tokens } else { 0.0 };
        self.counted_tokens(cached) + cleared
    }

    /// Whether the tokens of the prompt may be a sum over several prompts: then none had more.
    pub fn is_bound(&self) -> bool {
        self.may_be_sum > 0.0 && (self.own_prompt.is_nan() || self.own_prompt <= 0.0)
    }

    fn counted_tokens(&self, cached: Cached) -> f64 {
        if self.own_prompt > 0.0 {
            return self.own_prompt;
        }
        // The larger of zero and what is not a number is zero.
        let cache = self.cache_read.max(0.0) + self.cache_write.max(0.0);
        let excludes = self.uncached_input.is_nan() && cached.excludes_cached_tokens(!self.cache_write.is_nan());
        // More than the input cannot be within it, whoever says so.
        if excludes || cache > self.input { self.input + cache } else { self.input }
    }
}

/// What a summarizer read and wrote; `None` where that was not reported.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SummaryTokens {
    /// Tokens of the prompt, cached ones included.
    pub input_tokens: Option<f64>,
    /// Tokens that were read from a cache.
    pub cached_tokens: Option<f64>,
    /// Tokens that were written to one.
    pub cache_write_tokens: Option<f64>,
    /// Tokens of the reply.
    pub output_tokens: Option<f64>,
}

impl SummaryTokens {
    /// Those of a reply.
    pub fn of(usage: &Usage, cached: Cached) -> SummaryTokens {
        let known = |tokens: f64| Some(tokens).filter(|tokens| tokens.is_finite());
        SummaryTokens {
            input_tokens: known(usage.prompt_tokens(cached)),
            cached_tokens: known(usage.cache_read),
            cache_write_tokens: known(usage.cache_write),
            output_tokens: known(usage.output),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_unknown(number: &f64) -> bool {
    number.is_nan()
}

fn at<'v, 'j>(value: &'v Value<'j>, path: &[&str]) -> Option<&'v Value<'j>> {
    path.iter().try_fold(value, |inner, name| inner.get(name))
}

fn number_at(value: &Value<'_>, path: &[&str]) -> Option<f64> {
    tokens_of(at(value, path)?)
}

/// Anthropic and z.ai say so. Anthropic's package for ai 5 has no word for it and calls it unknown, as it calls its own compaction.
fn ends_with_full_window(step: &Value<'_>) -> bool {
    let reasons: [&[&str]; 4] = [&["rawFinishReason"], &["finishReason", "raw"], &["finishReason"], &["response", "body", "stop_reason"]];
    let mut reasons = reasons.into_iter().filter_map(|path| at(step, path)?.as_str());
    let has_edits = at(step, &["providerMetadata", "anthropic", "contextManagement"]).is_some_and(|edits| !matches!(edits, Value::Null));
    let is_anthropic = at(step, &["providerMetadata", "anthropic"]).is_some();
    reasons.any(|reason| reason == "model_context_window_exceeded" || reason == "unknown" && is_anthropic && !has_edits)
}

fn is_answered_by_binding_model(step: &Value<'_>) -> bool {
    at(step, &["response", "modelId"]).and_then(Value::as_str).is_some_and(|id| Thinking::of(id) == Thinking::Bound)
}

/// Google's count, under the name of whichever of its providers was used.
fn own_prompt(step: &Value<'_>) -> Option<f64> {
    let counted = ["google", "googleVertex", "vertex"].into_iter().find_map(|provider| at(step, &["providerMetadata", provider]));
    let number = |path: &[&str]| counted.and_then(|counted| number_at(counted, path));
    number(&["initialPromptTokenCount"]).or_else(|| number(&["usageMetadata", "promptTokenCount"]))
}

/// What Anthropic edited in the prompt by itself: how many edits, how many of them of thinking alone, how many tokens they took away.
fn applied(edits: &Value<'_>) -> (f64, f64, f64) {
    let Value::List(edits) = edits else { return (f64::NAN, f64::NAN, f64::NAN) };
    let of_thinking = |edit: &&Value| edit.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("clear_thinking"));
    let cleared = edits.iter().filter_map(|edit| number_at(edit, &["clearedInputTokens"])).sum();
    (edits.len() as f64, edits.iter().filter(of_thinking).count() as f64, cleared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Options, Settings};

    /// Reports of one prompt of 2,310 tokens, of which 300 were written to a cache and `read` read from it.
    #[derive(Clone, Copy)]
    enum Form {
        /// As the providers of Anthropic and Bedrock for ai 5 report it: the input is what is not cached.
        Rest,
        /// As others for ai 5 report it: the input is everything, writes are missing.
        Whole,
        /// As the gateway reports it to ai 5: the input is everything, Anthropic's metadata is passed on.
        WholeWithWrites,
        /// As every provider for ai 6 and 7 reports it.
        Current,
    }

    fn usage(form: Form, cache_read: f64) -> Usage {
        let none = f64::NAN;
        let not_cached = 2_010.0 - cache_read;
        let (input, cache_write, uncached_input) = match form {
            Form::Rest => (not_cached, 300.0, none),
            Form::Whole => (2_310.0, none, none),
            Form::WholeWithWrites => (2_310.0, 300.0, none),
            Form::Current => (2_310.0, 300.0, not_cached),
        };
        Usage {
            input,
            cache_read,
            cache_write,
            uncached_input,
            own_prompt: none,
            applied_edits: none,
            thinking_edits: none,
            cleared_tokens: none,
            ..Usage::default()
        }
    }

    #[test]
    fn every_provider_of_every_major_is_learnt_from_with_its_whole_prompt() {
        // Names that models give their provider, read in the sources of `@ai-sdk/anthropic` 2 to 4, `@ai-sdk/amazon-bedrock` 3 to 5,
        // `@ai-sdk/google-vertex` 3 to 5 and `@ai-sdk/gateway` 2, and how they report on ai 5. Also ai 6 and 7 run models written for
        // ai 5, by an adapter that reports one number.
        for (provider, on_ai_5) in [
            ("anthropic.messages", Form::Rest),
            ("vertex.anthropic.messages", Form::Rest),
            ("googleVertex.anthropic.messages", Form::Rest),
            ("bedrock.anthropic.messages", Form::Rest),
            ("amazon-bedrock", Form::Rest),
            // `createAnthropic({ name })`.
            ("my-proxy", Form::Rest),
            ("gateway", Form::WholeWithWrites),
            ("openai.responses", Form::Whole),
            ("google.generative-ai", Form::Whole),
            ("openrouter", Form::Whole),
        ] {
            let cached = Settings::new(&Options::default(), "claude-sonnet-4-5", provider).cached;
            for read in [0.0, 150.0, 2_000.0] {
                for (major, form) in [("5", on_ai_5), ("6 or 7", Form::Current)] {
                    let tokens = usage(form, read).prompt_tokens(cached);
                    assert_eq!(tokens, 2_310.0, "{provider} on ai {major}, {read} tokens read from the cache");
                }
            }
            // Nothing cached, and nothing said of it.
            let plain = Usage { cache_read: f64::NAN, ..usage(Form::Whole, 0.0) };
            assert_eq!(plain.prompt_tokens(cached), 2_310.0, "{provider}");
            assert!(Usage { input: f64::NAN, ..plain }.prompt_tokens(cached).is_nan(), "{provider}");
        }
    }

    #[test]
    fn bedrock_and_hosts_like_anthropic_may_say_nothing_of_writes() {
        let usage = Usage { cache_write: f64::NAN, ..usage(Form::Rest, 700.0) };
        for provider in ["amazon-bedrock", "anthropic.messages"] {
            assert_eq!(usage.prompt_tokens(Settings::new(&Options::default(), "", provider).cached), 2_010.0, "{provider}");
        }
    }

    #[test]
    fn what_is_more_than_the_input_is_not_within_it() {
        let usage = Usage { cache_write: f64::NAN, ..usage(Form::Rest, 2_000.0) };
        for provider in ["gateway", "openai-compatible.chat"] {
            assert_eq!(usage.prompt_tokens(Settings::new(&Options::default(), "", provider).cached), 2_010.0, "{provider}");
        }
    }

    #[test]
    fn google_s_own_count_goes_before_a_sum() {
        let cached = Settings::new(&Options::default(), "gemini-3-pro", "google.generative-ai").cached;
        let usage = Usage { own_prompt: 1_200.0, ..usage(Form::Whole, 800.0) };
        assert_eq!(usage.prompt_tokens(cached), 1_200.0);
        assert_eq!(Usage { own_prompt: 0.0, ..usage }.prompt_tokens(cached), 2_310.0);
    }

    #[test]
    fn numbers_that_come_as_texts_or_with_fractions_are_read() {
        for (input, tokens) in [("900", 900.0), ("900.0", 900.0), ("900.5", 900.0), (r#""900""#, 900.0), (r#"" 900.0 ""#, 900.0)] {
            let usage = Usage::from_step(&format!(r#"{{"usage":{{"inputTokens":{input}}}}}"#));
            assert_eq!(usage.input, tokens, "{input}");
        }
        for input in [r#""many""#, "-3", r#""-3""#, r#""""#, "null", "true", "[]", r#""1e999""#, r#""NaN""#] {
            let usage = Usage::from_step(&format!(r#"{{"usage":{{"inputTokens":{input}}}}}"#));
            assert!(usage.input.is_nan(), "{input}");
        }
    }

    #[test]
    fn usage_is_read_by_the_names_of_every_major_and_provider() {
        let read = |step: &str| {
            let usage = Usage::from_step(step);
            [usage.input, usage.cache_read, usage.cache_write, usage.uncached_input, usage.own_prompt]
                .map(|number| if number.is_nan() { -1.0 } else { number })
        };
        let none = -1.0;
        for (what, step, expected) in [
            ("ai 5", r#"{"usage":{"inputTokens":9,"cachedInputTokens":2}}"#, [9.0, 2.0, none, none, none]),
            (
                "ai 6 and 7",
                r#"{"usage":{"inputTokens":9,"cachedInputTokens":1,"inputTokenDetails":{"noCacheTokens":4,"cacheReadTokens":2,"cacheWriteTokens":3}}}"#,
                [9.0, 2.0, 3.0, 4.0, none],
            ),
            (
                "Anthropic on ai 5",
                r#"{"usage":{"inputTokens":9},"providerMetadata":{"anthropic":{"cacheCreationInputTokens":3}}}"#,
                [9.0, none, 3.0, none, none],
            ),
            (
                "Bedrock on ai 5",
                r#"{"usage":{"inputTokens":9},"providerMetadata":{"bedrock":{"usage":{"cacheWriteInputTokens":3}}}}"#,
                [9.0, none, 3.0, none, none],
            ),
            (
                "Vertex",
                r#"{"usage":{"inputTokens":9},"providerMetadata":{"vertex":{"usageMetadata":{"promptTokenCount":7}}}}"#,
                [9.0, none, none, none, 7.0],
            ),
            (
                "Google with tools of its own",
                r#"{"usage":{"inputTokens":9},"providerMetadata":{"google":{"initialPromptTokenCount":5,"usageMetadata":{"promptTokenCount":7}}}}"#,
                [9.0, none, none, none, 5.0],
            ),
            ("nothing of its type", r#"{"usage":{"inputTokens":"nine","inputTokenDetails":null},"providerMetadata":[]}"#, [none; 5]),
            ("no usage", r#"{"usage":null}"#, [none; 5]),
            ("no JSON", "", [none; 5]),
        ] {
            assert_eq!(read(step), expected, "{what}");
        }
    }

    #[test]
    fn edits_that_anthropic_applied_are_counted_apart_from_those_of_thinking() {
        let usage = Usage::from_step(
            r#"{"usage":{},"providerMetadata":{"anthropic":{"contextManagement":{"appliedEdits":[
                {"type":"clear_tool_uses_20250919","clearedInputTokens":40},{"type":"clear_thinking_20251015","clearedInputTokens":2},null]}}}}"#,
        );
        assert_eq!((usage.applied_edits, usage.thinking_edits, usage.cleared_tokens), (3.0, 1.0, 42.0));
        let nothing = Usage::from_step(r#"{"providerMetadata":{"anthropic":{"contextManagement":{"appliedEdits":"x"}}}}"#);
        assert!(nothing.applied_edits.is_nan());
    }

    #[test]
    fn numbers_are_read_by_the_names_that_they_are_written_with() {
        let count = std::cell::Cell::new(0);
        let usage = Usage::of(|_| {
            count.set(count.get() + 1);
            f64::from(count.get())
        });
        let written = serde_json::to_value(usage).unwrap();
        assert_eq!(written.as_object().unwrap().len(), count.get() as usize);
        let read = Usage::of(|name| written[name].as_f64().unwrap());
        assert_eq!(serde_json::to_value(read).unwrap(), written);
    }
}
