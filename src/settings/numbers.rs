//! The numbers of one model: options and limits brought together, as a plan uses them.
//! Not the options' names, ranges and relations (see `settings`), nor what a budget makes of the numbers (see `plan::budget`).

use serde::{Deserialize, Serialize};

use super::{Optimize, Options, Threshold};
use crate::pack;
use crate::policy::overflow::REPLY_SHARE;
use crate::policy::room;
use crate::providers::blocks::Blocks;
use crate::providers::limits::{Family, ModelLimits, model_limits};
use crate::providers::media::MediaLimit;
use crate::providers::prices::{InputPrice, Prices, list_prices};
use crate::providers::reply::{has_input_window, refuses_sums};
use crate::providers::sending::is_uncached;
use crate::providers::thinking::Thinking;
use crate::tokens::media::Counting;
use crate::tokens::traits::Traits;

/// The numbers of one model: options and limits brought together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Tokens the model takes.
    pub window_tokens: f64,
    /// Whether the window was given or is known for the model.
    pub window_known: bool,
    /// Whether the model runs on the user's own machine, whose window nobody knows.
    pub is_local: bool,
    /// Tokens kept free for the reply.
    pub reserve_tokens: f64,
    /// What that is by.
    pub reserve_by: ReserveBy,
    /// Tokens that are kept free for the reply of a model of which nothing else is known.
    pub usual_reserve_tokens: f64,
    /// The model's package asks for the longest reply by itself, and its provider takes prompts that do not leave it free: what stands in a
    /// request is then no wish of the app's.
    pub asks_by_package: bool,
    /// Provider tokens per estimated token before anything was learnt.
    pub prior_ratio: f64,
    /// What reported input says of cached tokens, where it is not reported by itself.
    pub cached: Cached,
    /// See `Options`.
    pub trigger: Option<Threshold>,
    /// See `Options`.
    pub target: Option<Threshold>,
    /// See `Options`.
    pub optimize: Optimize,
    /// See `Options`.
    pub summarize_at: Option<Threshold>,
    /// See `Options`.
    pub summarize_ahead: Option<Threshold>,
    /// See `Options`.
    pub keep_recent_tokens: Option<f64>,
    /// See `Options`.
    pub keep_recent_turns: u32,
    /// See `Options`.
    pub keep_recent_messages: u32,
    /// See `Options`.
    pub keep_images: Option<u32>,
    /// See `Options`; beside it what was learnt of the host.
    pub media_limit: MediaLimit,
    /// See `Options`.
    pub min_clear_tokens: Option<f64>,
    /// See `Options`.
    pub max_result_tokens: Option<f64>,
    /// See `Options`.
    pub summary_tokens: u32,
    /// Tokens that the summarizer takes, where that is given or known; else it is taken for a model like the agent's.
    pub summarizer_window_tokens: Option<f64>,
    /// Its tokens per estimated token.
    pub summarizer_ratio: Option<f64>,
    /// See `Options`.
    pub overhead_tokens: f64,
    /// See `Options`.
    pub has_summarizer: bool,
    /// See `Options`.
    pub has_tokenizer: bool,
    /// The user said what system prompt and tools cost.
    pub has_given_overhead: bool,
    /// What the model's tokens cost.
    pub prices: Prices,
    /// The provider caches only where it is asked to, and stepfold does not ask.
    pub is_uncached: bool,
    /// What they are multiples of, where that is known.
    pub input_price: Option<InputPrice>,
    /// What the model demands of signed thoughts.
    pub thinking: Thinking,
    /// Which compaction blocks of providers the model reads.
    pub blocks: Blocks,
    /// What the model's count depends on.
    pub counting: Counting,
}

/// What the tokens that are kept free for the reply are by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReserveBy {
    /// The user's option.
    Option,
    /// What the calls ask for.
    Call,
    /// The longest reply of the model: its provider refuses a prompt that does not leave room for what the call asks for, and packages ask for
    /// that where the app names no limit.
    Model,
    /// The vendor limits the prompt apart from the reply.
    Input,
    /// The longest reply of the model, at most 20,000 and a quarter of the window.
    Default,
}

impl ReserveBy {
    /// The name in events.
    pub fn name(self) -> &'static str {
        match self {
            ReserveBy::Option => "option",
            ReserveBy::Call => "call",
            ReserveBy::Model => "model",
            ReserveBy::Input | ReserveBy::Default => "default",
        }
    }
}

/// Whether `inputTokens` holds the tokens read from and written to a cache, for providers written for ai 5, which pass on what their
/// API says. Those written for ai 6 and 7 always hold them, and report what was not cached by itself.
///
/// The place in `BY_NAME` of what the model's name of its provider contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cached(u8);

/// Anthropic's API (also by way of Google Vertex) and Amazon Bedrock's leave them out. Vercel's gateway holds them, for every model.
const BY_NAME: [&str; 3] = ["anthropic", "bedrock", "gateway"];

impl Cached {
    /// By the name that a model gives its provider.
    fn of(provider: &str) -> Cached {
        let provider = provider.to_ascii_lowercase();
        let found = BY_NAME.iter().position(|name| provider.contains(name));
        Cached(found.unwrap_or(BY_NAME.len()) as u8)
    }

    /// Whether they are left out. All others hold them, as OpenAI and Google do; what was written is reported only by Anthropic's provider,
    /// whatever name it was given.
    pub fn excludes_cached_tokens(self, reports_writes: bool) -> bool {
        match self.0 {
            0 | 1 => true,
            2 => false,
            _ => reports_writes,
        }
    }
}

impl Settings {
    /// The numbers for the model `model_id` of `provider`.
    pub fn new(options: &Options, model_id: &str, provider: &str) -> Settings {
        let limits: ModelLimits = model_limits(model_id, provider);
        let listed = list_prices(model_id);
        let family = options.family.unwrap_or(limits.family);
        let counting = Counting::of(model_id, family, limits.family);
        let window_tokens = options.context_window.unwrap_or(f64::from(limits.context_window_tokens));
        let summarizer =
            options.summarizer.as_ref().map(|(id, provider)| (id, model_limits(id, provider))).filter(|(_, limits)| limits.known);
        let most_output = f64::from(limits.max_output_tokens);
        let usual = room::reserve(window_tokens, most_output);
        let (reserve, reserve_by) = match options.reserve_tokens {
            Some(given) => (given, ReserveBy::Option),
            None if refuses_sums(model_id) => (usual.max(most_output.min(REPLY_SHARE * window_tokens)), ReserveBy::Model),
            None if has_input_window(model_id, limits.family) => (usual, ReserveBy::Input),
            None => (usual, ReserveBy::Default),
        };
        Settings {
            window_tokens,
            window_known: options.context_window.is_some() || limits.known,
            is_local: limits.is_local,
            reserve_tokens: reserve,
            reserve_by,
            usual_reserve_tokens: usual,
            asks_by_package: limits.family == Family::Claude && !refuses_sums(model_id),
            // What is counted exactly needs no margin; for other families the tokenizer is as much a guess as the estimator.
            prior_ratio: if options.has_tokenizer && family == Family::Gpt { 1.0 } else { counting.prior_ratio() },
            cached: Cached::of(provider),
            trigger: options.trigger,
            target: options.target,
            optimize: options.optimize,
            summarize_at: options.summarize_at,
            summarize_ahead: options.summarize_ahead,
            keep_recent_tokens: options.keep_recent_tokens,
            keep_recent_turns: options.keep_recent_turns,
            keep_recent_messages: options.keep_recent_messages,
            keep_images: options.keep_images,
            media_limit: options.media_limit,
            min_clear_tokens: options.min_clear_tokens,
            max_result_tokens: options.max_result_tokens,
            summary_tokens: options.summary_tokens,
            summarizer_window_tokens: options.summarize_window.or(summarizer.map(|(_, limits)| f64::from(limits.context_window_tokens))),
            summarizer_ratio: summarizer.map(|(id, limits)| Counting::of(id, limits.family, limits.family).prior_ratio()),
            overhead_tokens: options.overhead_tokens,
            has_summarizer: options.has_summarizer,
            has_tokenizer: options.has_tokenizer,
            has_given_overhead: options.overhead_tokens > 0.0,
            prices: Prices::new(options.prices.as_ref(), listed.as_ref(), family),
            is_uncached: is_uncached(model_id, provider, options.prompt_cache),
            input_price: InputPrice::new(options.prices.as_ref(), listed.as_ref()),
            thinking: Thinking::of(model_id),
            blocks: Blocks::of(limits.family, provider),
            counting,
        }
    }
}

impl Settings {
    /// The prices to plan with.
    pub fn planning_prices(&self) -> Prices {
        if self.is_uncached { self.prices.uncached() } else { self.prices }
    }

    /// The same for a run whose calls ask for a reply of so many tokens; zero where they name none.
    pub fn for_reply(self, tokens: f64) -> Settings {
        if tokens <= 0.0 || matches!(self.reserve_by, ReserveBy::Option | ReserveBy::Input) {
            return self;
        }
        let reserve_tokens = self.usual_reserve_tokens.max(tokens.min(REPLY_SHARE * self.window_tokens));
        Settings { reserve_tokens, reserve_by: ReserveBy::Call, ..self }
    }

    /// The same beside what the model turned out to be: its window smaller, its replies longer, its thoughts bound.
    pub fn with(self, Traits { limit, media, binds_thoughts, .. }: &Traits) -> Settings {
        let thinking = if *binds_thoughts { Thinking::Bound } else { self.thinking };
        let media_limit = self.media_limit.and(*media);
        if limit.window_tokens == 0.0 {
            return Settings { thinking, media_limit, ..self };
        }
        let window_tokens = self.window_tokens.min(limit.window_tokens);
        let is_smaller = window_tokens < self.window_tokens;
        let reserve = if is_smaller { room::reserve_within(window_tokens, self.reserve_tokens) } else { self.reserve_tokens };
        Settings {
            window_tokens,
            reserve_tokens: reserve.max(limit.reply_tokens.min(REPLY_SHARE * window_tokens)),
            thinking,
            media_limit,
            ..self
        }
    }
}

/// What a step of one model is made with. JavaScript keeps it as bytes: to find a model among all that are known takes longer than most steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// The options, for what is not a number.
    pub options: Options,
    /// The numbers.
    pub settings: Settings,
}

impl ModelSettings {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        pack::to_bytes(self)
    }

    /// From the bytes that `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Option<ModelSettings> {
        pack::from_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::tools::{Keep, ToolRule};

    #[test]
    fn settings_come_back_from_their_bytes() {
        let options = Options {
            summarize_at: Some(Threshold::Tokens(9_000.0)),
            min_clear_tokens: Some(5.0),
            tools: vec![ToolRule { tool: "read".into(), keep: Keep::Always, ..ToolRule::default() }],
            optimize: Optimize::Cost,
            ..Options::default()
        };
        let settings = Settings::new(&options, "anthropic/claude-sonnet-4.5", "gateway");
        let made = ModelSettings { options, settings };
        assert_eq!(ModelSettings::from_bytes(&made.to_bytes()), Some(made));
        assert_eq!(ModelSettings::from_bytes(&[1]), None);
    }
}
