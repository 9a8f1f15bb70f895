//! Options as users give them, checked; and the numbers of one model that follow from them.
//! Every option has its row here: name, kind, range. Not here: what a default leads to (see `plan::budget`).

use crate::error::Error;
use crate::limits::{Family, ModelLimits, model_limits};
use crate::option::{Kind, check_kind, mark_of, number};
use crate::slice::place_of;
use crate::tokens::calibration::prior_ratio;
use crate::tokens::media::Counting;

pub use crate::option::{Mark, OptionValue};

const TOKENS: f64 = 1e8;

/// Every option: its name and what it takes.
const OPTIONS: [(&str, Kind); 23] = [
    ("contextWindow", Kind::Number(1_000.0, TOKENS)),
    ("reserveTokens", Kind::Number(0.0, TOKENS)),
    ("trigger", Kind::Mark),
    ("target", Kind::Mark),
    ("summarizeAt", Kind::Mark),
    ("summarizeAhead", Kind::FlagOrMark),
    ("waitUntil", Kind::Function),
    ("workingState", Kind::Function),
    ("keepRecentTokens", Kind::Number(0.0, TOKENS)),
    ("keepRecentTurns", Kind::Number(0.0, 10_000.0)),
    ("keepRecentMessages", Kind::Number(0.0, 100_000.0)),
    ("minClearTokens", Kind::Number(0.0, TOKENS)),
    ("maxResultTokens", Kind::Number(100.0, TOKENS)),
    ("summaryTokens", Kind::Number(100.0, 100_000.0)),
    ("summarizeTimeoutMs", Kind::Number(1.0, 3_600_000.0)),
    ("protectedTools", Kind::Texts),
    ("fixedTokens", Kind::Number(0.0, TOKENS)),
    ("modelFamily", Kind::Text),
    ("instructions", Kind::Text),
    ("summarize", Kind::Function),
    ("onEvent", Kind::Function),
    ("abortSignal", Kind::Object),
    ("tokenizer", Kind::Tokenizer),
];

/// Names of all options.
pub fn option_names() -> Vec<&'static str> {
    OPTIONS.iter().map(|(name, _)| *name).collect()
}

/// Checked options, not yet tied to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Tokens the model takes, prompt and reply together; `None`: from the model id.
    pub context_window: Option<f64>,
    /// Tokens kept free for the reply; `None`: min(max output, 20,000), at most a quarter of the window (opencode).
    pub reserve_tokens: Option<f64>,
    /// Where work starts.
    pub trigger: Mark,
    /// Where work ends; `None`: 0.45 of the budget up to a window of 48,000 tokens, 0.3 beyond.
    pub target: Option<Mark>,
    /// Where the summarizer takes over from the digest; `None`: the trigger.
    pub summarize_at: Option<Mark>,
    /// Where a summary is begun ahead of time; a share of zero: a little below the trigger. `None`: never.
    pub summarize_ahead: Option<Mark>,
    /// Tokens of the newest messages that are not edited; `None`: 40,000, at most a third of the budget (opencode).
    pub keep_recent_tokens: Option<f64>,
    /// Newest turns that are not edited.
    pub keep_recent_turns: u32,
    /// Newest messages that are not edited.
    pub keep_recent_messages: u32,
    /// Least tokens a clearing must save; `None`: 20,000, at most a tenth of the budget (opencode).
    pub min_clear_tokens: Option<f64>,
    /// Most tokens one result may have; `None`: a tenth of the budget, in small windows 3,000, at most a fifth.
    pub max_result_tokens: Option<f64>,
    /// Tokens a summary may have.
    pub summary_tokens: u32,
    /// Milliseconds a summarizer may take.
    pub summarize_timeout_ms: f64,
    /// Tools whose results are cleared last.
    pub protected_tools: Vec<String>,
    /// Tokens of system prompt and tools, when the user knows them.
    pub fixed_tokens: f64,
    /// The model's family, when the user says so.
    pub family: Option<Family>,
    /// What the user adds to the summarizer's prompt.
    pub instructions: Option<String>,
    /// A summarizer was given.
    pub has_summarizer: bool,
    /// An exact tokenizer was given.
    pub has_tokenizer: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            context_window: None,
            reserve_tokens: None,
            trigger: Mark::Share(0.9),
            target: None,
            summarize_at: None,
            summarize_ahead: None,
            keep_recent_tokens: None,
            keep_recent_turns: 0,
            keep_recent_messages: 0,
            min_clear_tokens: None,
            max_result_tokens: None,
            summary_tokens: 2_000,
            summarize_timeout_ms: 60_000.0,
            protected_tools: Vec::new(),
            fixed_tokens: 0.0,
            family: None,
            instructions: None,
            has_summarizer: false,
            has_tokenizer: false,
        }
    }
}

impl Options {
    /// Checks options: names, kinds, ranges and relations.
    pub fn check(given: &[(String, OptionValue)]) -> Result<Options, Error> {
        let mut options = Options::default();
        for (name, value) in given {
            let Some((_, kind)) = OPTIONS.iter().find(|(known, _)| known == name) else {
                return Err(Error::unknown_option(name, &option_names()));
            };
            check_kind(name, *kind, value)?;
            options.set(name, value)?;
        }
        options.check_relations()?;
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), Error> {
        match (name, value) {
            ("contextWindow", OptionValue::Number(n)) => self.context_window = Some(*n),
            ("reserveTokens", OptionValue::Number(n)) => self.reserve_tokens = Some(*n),
            ("trigger", value) => self.trigger = mark_of(value, self.trigger),
            ("target", value) => self.target = Some(mark_of(value, self.trigger)),
            ("summarizeAt", value) => self.summarize_at = Some(mark_of(value, self.trigger)),
            ("summarizeAhead", OptionValue::Flag(false)) => {}
            ("summarizeAhead", value) => self.summarize_ahead = Some(mark_of(value, Mark::Share(0.0))),
            ("keepRecentTokens", OptionValue::Number(n)) => self.keep_recent_tokens = Some(*n),
            ("keepRecentTurns", OptionValue::Number(n)) => self.keep_recent_turns = *n as u32,
            ("keepRecentMessages", OptionValue::Number(n)) => self.keep_recent_messages = *n as u32,
            ("minClearTokens", OptionValue::Number(n)) => self.min_clear_tokens = Some(*n),
            ("maxResultTokens", OptionValue::Number(n)) => self.max_result_tokens = Some(*n),
            ("summaryTokens", OptionValue::Number(n)) => self.summary_tokens = *n as u32,
            ("summarizeTimeoutMs", OptionValue::Number(n)) => self.summarize_timeout_ms = *n,
            ("protectedTools", OptionValue::Texts(names)) => self.protected_tools.clone_from(names),
            ("fixedTokens", OptionValue::Number(n)) => self.fixed_tokens = *n,
            ("modelFamily", OptionValue::Text(text)) => {
                let family = Family::from_name(text).ok_or_else(|| {
                    Error::invalid_option(format!(
                        "`modelFamily` is \"{text}\"; allowed are {}",
                        Family::ALL.map(|family| family.name().to_owned()).join(", ")
                    ))
                })?;
                self.family = Some(family);
            }
            ("instructions", OptionValue::Text(text)) => self.instructions = Some(text.clone()),
            ("summarize", _) => self.has_summarizer = true,
            ("tokenizer", _) => self.has_tokenizer = true,
            _ => {}
        }
        Ok(())
    }

    fn check_relations(&self) -> Result<(), Error> {
        let ordered = |low: (&str, Mark), high: (&str, Mark), strict: bool| {
            let (a, b) = match (low.1, high.1) {
                (Mark::Share(a), Mark::Share(b)) | (Mark::Tokens(a), Mark::Tokens(b)) => (a, b),
                // A share and a number of tokens can only be compared once the budget is known.
                (Mark::Share(_), Mark::Tokens(_)) | (Mark::Tokens(_), Mark::Share(_)) => return Ok(()),
            };
            if a < b || (!strict && a == b) {
                return Ok(());
            }
            let relation = if strict { "below" } else { "at or below" };
            Err(Error::invalid_option(format!(
                "`{}` is {} and `{}` is {}; `{}` must be {relation} `{}`",
                low.0,
                number(a),
                high.0,
                number(b),
                low.0,
                high.0
            )))
        };
        if let Some(mark) = self.target {
            ordered(("target", mark), ("trigger", self.trigger), true)?;
        }
        if let Some(mark) = self.summarize_at {
            ordered(("trigger", self.trigger), ("summarizeAt", mark), false)?;
        }
        if let Some(mark) = self.summarize_ahead {
            ordered(("summarizeAhead", mark), ("trigger", self.trigger), false)?;
        }
        let below_window = |name: &str, value: f64| match self.context_window {
            Some(window) if value >= window => Err(Error::invalid_option(format!(
                "`{name}` is {} but `contextWindow` is {}; it must be smaller",
                number(value),
                number(window)
            ))),
            _ => Ok(()),
        };
        below_window("reserveTokens", self.reserve_tokens.unwrap_or(0.0))?;
        below_window("fixedTokens", self.fixed_tokens)?;
        below_window("keepRecentTokens", self.keep_recent_tokens.unwrap_or(0.0))?;
        for (name, mark) in [("trigger", Some(self.trigger)), ("target", self.target)] {
            if let Some(Mark::Tokens(tokens)) = mark {
                below_window(name, tokens)?;
            }
        }
        Ok(())
    }
}

/// The numbers of one model: options and limits brought together. Travels as plain numbers on every step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Tokens the model takes.
    pub window_tokens: f64,
    /// Whether the window was given or is known for the model.
    pub window_known: bool,
    /// Tokens kept free for the reply.
    pub reserve_tokens: f64,
    /// Provider tokens per estimated token before anything was learnt.
    pub prior_ratio: f64,
    /// Reported input leaves out cached tokens (Anthropic's provider for ai 5).
    pub usage_excludes_cache: bool,
    /// See `Options`.
    pub trigger: Mark,
    /// See `Options`.
    pub target: Mark,
    /// See `Options`.
    pub summarize_at: Option<Mark>,
    /// See `Options`.
    pub summarize_ahead: Option<Mark>,
    /// See `Options`.
    pub keep_recent_tokens: Option<f64>,
    /// See `Options`.
    pub keep_recent_turns: u32,
    /// See `Options`.
    pub keep_recent_messages: u32,
    /// See `Options`.
    pub min_clear_tokens: Option<f64>,
    /// See `Options`.
    pub max_result_tokens: Option<f64>,
    /// See `Options`.
    pub summary_tokens: u32,
    /// See `Options`.
    pub fixed_tokens: f64,
    /// See `Options`.
    pub has_summarizer: bool,
    /// See `Options`.
    pub has_tokenizer: bool,
    /// The user said what system prompt and tools cost.
    pub has_fixed_tokens: bool,
    /// What the model's count depends on. The last of the numbers: entries are kept by it.
    pub counting: Counting,
}

/// Where work ends when the user does not say. Measured (bench/replay): a large window keeps what is referred to again also at
/// 0.3 and costs a tenth less than at 0.5; in a small one a deep cut loses it.
fn default_target(window_tokens: f64) -> Mark {
    const SMALL_WINDOW_TOKENS: f64 = 48_000.0;
    Mark::Share(if window_tokens <= SMALL_WINDOW_TOKENS { 0.45 } else { 0.3 })
}

/// Reserve when the user gives none. Source: opencode.
const RESERVE_TOKENS: f64 = 20_000.0;

impl Settings {
    /// The numbers for the model `model_id` of `provider`. `specification` is the model's `specificationVersion`; `v2` is ai 5.
    pub fn new(options: &Options, model_id: &str, provider: &str, specification: &str) -> Settings {
        let limits: ModelLimits = model_limits(model_id, provider);
        let family = options.family.unwrap_or(limits.family);
        let window_tokens = options.context_window.unwrap_or(f64::from(limits.context_window_tokens));
        let reserve =
            options.reserve_tokens.unwrap_or_else(|| f64::from(limits.max_output_tokens).min(RESERVE_TOKENS).min(window_tokens / 4.0));
        Settings {
            window_tokens,
            window_known: options.context_window.is_some() || limits.known,
            reserve_tokens: reserve,
            // What is counted exactly needs no margin; for other families the tokenizer is as much a guess as the estimator.
            prior_ratio: if options.has_tokenizer && family == Family::Gpt { 1.0 } else { prior_ratio(family) },
            usage_excludes_cache: specification == "v2" && place_of(&provider.to_ascii_lowercase(), "anthropic").is_some(),
            trigger: options.trigger,
            target: options.target.unwrap_or(default_target(window_tokens)),
            summarize_at: options.summarize_at,
            summarize_ahead: options.summarize_ahead,
            keep_recent_tokens: options.keep_recent_tokens,
            keep_recent_turns: options.keep_recent_turns,
            keep_recent_messages: options.keep_recent_messages,
            min_clear_tokens: options.min_clear_tokens,
            max_result_tokens: options.max_result_tokens,
            summary_tokens: options.summary_tokens,
            fixed_tokens: options.fixed_tokens,
            has_summarizer: options.has_summarizer,
            has_tokenizer: options.has_tokenizer,
            has_fixed_tokens: options.fixed_tokens > 0.0,
            counting: Counting::of(model_id, family, limits.family),
        }
    }
}

/// How long settings are as numbers.
pub const SETTINGS_NUMBERS: usize = 24;

impl Settings {
    /// As numbers, for JavaScript to keep and hand back on every step.
    pub fn to_numbers(&self) -> [f64; SETTINGS_NUMBERS] {
        let flag = |flag: bool| f64::from(u8::from(flag));
        let mark = |mark: Mark| match mark {
            Mark::Share(share) => [0.0, share],
            Mark::Tokens(tokens) => [1.0, tokens],
        };
        let ([trigger_kind, trigger], [target_kind, target]) = (mark(self.trigger), mark(self.target));
        let maybe = |given: Option<Mark>| given.map_or([f64::NAN, f64::NAN], mark);
        let ([summarize_kind, summarize_at], [ahead_kind, ahead]) = (maybe(self.summarize_at), maybe(self.summarize_ahead));
        [
            self.window_tokens,
            flag(self.window_known),
            self.reserve_tokens,
            self.prior_ratio,
            flag(self.usage_excludes_cache),
            trigger_kind,
            trigger,
            target_kind,
            target,
            summarize_kind,
            summarize_at,
            self.keep_recent_tokens.unwrap_or(f64::NAN),
            f64::from(self.keep_recent_turns),
            f64::from(self.keep_recent_messages),
            self.min_clear_tokens.unwrap_or(f64::NAN),
            self.max_result_tokens.unwrap_or(f64::NAN),
            f64::from(self.summary_tokens),
            self.fixed_tokens,
            flag(self.has_summarizer),
            flag(self.has_tokenizer),
            flag(self.has_fixed_tokens),
            ahead_kind,
            ahead,
            self.counting.to_number(),
        ]
    }

    /// From numbers made by `to_numbers`; `None` for anything else.
    pub fn from_numbers(numbers: &[f64]) -> Option<Settings> {
        let n: &[f64; SETTINGS_NUMBERS] = numbers.try_into().ok()?;
        let given = |value: f64| (!value.is_nan()).then_some(value);
        let mark = |kind: f64, value: f64| if kind == 1.0 { Mark::Tokens(value) } else { Mark::Share(value) };
        (n[0] > 0.0).then_some(Settings {
            window_tokens: n[0],
            window_known: n[1] == 1.0,
            reserve_tokens: n[2],
            prior_ratio: n[3],
            usage_excludes_cache: n[4] == 1.0,
            trigger: mark(n[5], n[6]),
            target: mark(n[7], n[8]),
            summarize_at: given(n[9]).map(|kind| mark(kind, n[10])),
            keep_recent_tokens: given(n[11]),
            keep_recent_turns: n[12] as u32,
            keep_recent_messages: n[13] as u32,
            min_clear_tokens: given(n[14]),
            max_result_tokens: given(n[15]),
            summary_tokens: n[16] as u32,
            fixed_tokens: n[17],
            has_summarizer: n[18] == 1.0,
            has_tokenizer: n[19] == 1.0,
            has_fixed_tokens: n[20] == 1.0,
            summarize_ahead: given(n[21]).map(|kind| mark(kind, n[22])),
            counting: Counting::from_number(n[23]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_from_their_numbers() {
        let options = Options {
            summarize_at: Some(Mark::Tokens(9_000.0)),
            summarize_ahead: Some(Mark::Share(0.0)),
            min_clear_tokens: Some(5.0),
            has_summarizer: true,
            ..Options::default()
        };
        for options in [options, Options::default()] {
            let settings = Settings::new(&options, "anthropic/claude-sonnet-4.5", "gateway", "v3");
            assert_eq!(Settings::from_numbers(&settings.to_numbers()), Some(settings));
        }
        assert_eq!(Settings::from_numbers(&[1.0]), None);
    }

    fn check(name: &str, value: OptionValue) -> Result<Options, Error> {
        Options::check(&[(name.to_owned(), value)])
    }

    #[test]
    fn every_option_refuses_a_value_of_another_kind_and_names_itself() {
        for (name, _) in OPTIONS {
            let error = check(name, OptionValue::Other("true".into())).unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")) && error.contains("must be"), "{error}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_what_is_allowed() {
        for (name, value) in [
            ("contextWindow", -1.0),
            ("contextWindow", f64::NAN),
            ("trigger", 0.0),
            ("trigger", 1.5),
            ("target", f64::INFINITY),
            ("summaryTokens", 5.0),
        ] {
            assert!(check(name, OptionValue::Number(value)).is_err(), "{name} {value}");
        }
        let error = check("trigger", OptionValue::Number(80.0)).unwrap_err().to_string();
        assert!(error.contains("80") && error.contains("share"), "{error}");
    }

    #[test]
    fn relations_between_options_are_checked() {
        let number = |name: &str, n: f64| (name.to_owned(), OptionValue::Number(n));
        let rows = [
            vec![number("trigger", 0.5), number("target", 0.6)],
            vec![number("trigger", 0.8), number("summarizeAt", 0.7)],
            vec![number("contextWindow", 8_000.0), number("reserveTokens", 9_000.0)],
            vec![number("contextWindow", 8_000.0), ("trigger".to_owned(), OptionValue::Tokens(9_000.0))],
        ];
        for row in rows {
            assert!(Options::check(&row).is_err(), "{row:?}");
        }
        assert!(Options::check(&[("trigger".into(), OptionValue::Tokens(50_000.0)), number("target", 0.4)]).is_ok());
    }
}
