//! What a provider reports of one step, and the size of the prompt it speaks of. Reads numbers; learns nothing.

use crate::settings::Cached;

/// The provider's numbers of one step, as the SDK reports them; not a number where missing.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// `inputTokens`.
    pub input: f64,
    /// `cachedInputTokens` or `inputTokenDetails.cacheReadTokens`.
    pub cache_read: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
    /// A number only where the provider is written for ai 6 or 7, and tells apart what was not cached.
    pub told_apart: f64,
    /// Google's own count of the prompt; `input` may be a sum over several requests and over what its own tools read.
    pub own_prompt: f64,
    /// Edits that Anthropic applied to the prompt by itself.
    pub applied_edits: f64,
    /// How many of them cleared thinking and nothing else.
    pub thinking_edits: f64,
    /// Tokens that these edits took away.
    pub cleared_tokens: f64,
}

impl Default for Usage {
    /// Nothing is known.
    fn default() -> Self {
        let unknown = f64::NAN;
        Usage {
            input: unknown,
            cache_read: unknown,
            cache_write: unknown,
            told_apart: unknown,
            own_prompt: unknown,
            applied_edits: unknown,
            thinking_edits: unknown,
            cleared_tokens: unknown,
        }
    }
}

impl Usage {
    /// From the numbers that TypeScript reads out of a step, in the order of the fields.
    pub fn from_numbers(numbers: &[f64]) -> Option<Usage> {
        let &[input, cache_read, cache_write, told_apart, own_prompt, applied_edits, thinking_edits, cleared_tokens] = numbers else {
            return None;
        };
        Some(Usage { input, cache_read, cache_write, told_apart, own_prompt, applied_edits, thinking_edits, cleared_tokens })
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

    fn counted_tokens(&self, cached: Cached) -> f64 {
        if self.own_prompt > 0.0 {
            return self.own_prompt;
        }
        // The larger of zero and what is not a number is zero.
        let cache = self.cache_read.max(0.0) + self.cache_write.max(0.0);
        let is_apart = self.told_apart.is_nan() && cached.is_apart(!self.cache_write.is_nan());
        // More than the input cannot be within it, whoever says so.
        if is_apart || cache > self.input { self.input + cache } else { self.input }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Options, Settings};

    /// Reports of one prompt of 2,310 tokens, of which 300 were written to a cache and `read` read from it.
    #[derive(Clone, Copy)]
    enum Form {
        /// As the providers of Anthropic and Bedrock for ai 5 tell it: the input is what is not cached.
        Rest,
        /// As others for ai 5 tell it: the input is everything, writes are not told.
        Whole,
        /// As the gateway tells it to ai 5: the input is everything, Anthropic's metadata is passed on.
        WholeWithWrites,
        /// As every provider for ai 6 and 7 tells it.
        Told,
    }

    fn usage(form: Form, cache_read: f64) -> Usage {
        let none = f64::NAN;
        let not_cached = 2_010.0 - cache_read;
        let (input, cache_write, told_apart) = match form {
            Form::Rest => (not_cached, 300.0, none),
            Form::Whole => (2_310.0, none, none),
            Form::WholeWithWrites => (2_310.0, 300.0, none),
            Form::Told => (2_310.0, 300.0, not_cached),
        };
        Usage {
            input,
            cache_read,
            cache_write,
            told_apart,
            own_prompt: none,
            applied_edits: none,
            thinking_edits: none,
            cleared_tokens: none,
        }
    }

    #[test]
    fn every_provider_of_every_major_is_learnt_from_with_its_whole_prompt() {
        // Names that models give their provider, read in the sources of `@ai-sdk/anthropic` 2 to 4, `@ai-sdk/amazon-bedrock` 3 to 5,
        // `@ai-sdk/google-vertex` 3 to 5 and `@ai-sdk/gateway` 2, and how they report on ai 5. Also ai 6 and 7 run models written for
        // ai 5, by an adapter that tells nothing apart.
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
                for (major, form) in [("5", on_ai_5), ("6 or 7", Form::Told)] {
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
}
