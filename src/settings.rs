//! Options as users give them, checked. The numbers of one model that follow from them are in `settings::numbers`.
//! Every option has its row here: name, kind, range. Not here: what a default leads to (see `plan::budget`).

use serde::{Deserialize, Serialize};

use crate::digest::tools::ToolRule;
use crate::error::Error;
use crate::option::{Kind, Recent, check_kind, number, threshold_of, tool_rule};
use crate::pack;
use crate::policy::default_trigger;
use crate::policy::ladder::SUMMARY_TOKENS;
use crate::providers::limits::{Family, UNKNOWN_WINDOW_TOKENS};
use crate::providers::media::MediaLimit;
use crate::providers::prices::GivenPrices;

mod numbers;

pub use numbers::{Cached, ModelSettings, Settings};

pub use crate::option::{OptionValue, Threshold};
pub use crate::policy::Optimize;

const TOKENS: f64 = 1e8;
/// Where results are put as files when the user does not say. Tools that search leave out directories whose name begins with a dot.
const RESULTS_DIRECTORY: &str = "tool-results";

/// Every option: its name and what it takes.
const OPTIONS: [(&str, Kind); 33] = [
    ("contextWindow", Kind::Number(1_000.0, TOKENS)),
    ("reserveTokens", Kind::Number(0.0, TOKENS)),
    ("trigger", Kind::Threshold),
    ("target", Kind::Threshold),
    ("optimize", Kind::Text),
    ("prices", Kind::Numbers),
    ("promptCache", Kind::Flag),
    ("summarizeAt", Kind::Threshold),
    ("summarizeAhead", Kind::FlagOrThreshold),
    ("waitUntil", Kind::Function),
    ("workingState", Kind::Function),
    ("checkpointNote", Kind::TextOrFunction),
    ("offload", Kind::Offload),
    ("keepRecent", Kind::Recent),
    ("maxImages", Kind::Number(0.0, 10_000.0)),
    ("maxImageBytes", Kind::Number(1_000.0, 1e10)),
    ("minClearTokens", Kind::Number(0.0, TOKENS)),
    ("maxResultTokens", Kind::Number(100.0, TOKENS)),
    ("summaryTokens", Kind::Number(100.0, 100_000.0)),
    ("summarizeWindow", Kind::Number(1_000.0, TOKENS)),
    ("summarizeTimeoutMs", Kind::Number(1.0, 3_600_000.0)),
    ("tools", Kind::Tools),
    ("redact", Kind::FlagOrFunction),
    ("overheadTokens", Kind::Number(0.0, TOKENS)),
    ("modelFamily", Kind::Text),
    ("summaryInstructions", Kind::TextOrFunction),
    ("summarize", Kind::Summarizer),
    ("onEvent", Kind::Function),
    ("warnings", Kind::Flag),
    ("onRecord", Kind::Function),
    ("debug", Kind::Flag),
    ("abortSignal", Kind::Object),
    ("tokenizer", Kind::Tokenizer),
];

/// Names of all options.
pub fn option_names() -> Vec<&'static str> {
    OPTIONS.iter().map(|(name, _)| *name).collect()
}

/// Checked options, not yet tied to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Tokens the model takes, prompt and reply together; `None`: from the model id.
    pub context_window: Option<f64>,
    /// Tokens kept free for the reply; `None`: min(max output, 20,000), at most a quarter of the window (opencode).
    pub reserve_tokens: Option<f64>,
    /// Where work starts; `None`: by the room (`policy::default_trigger`).
    pub trigger: Option<Threshold>,
    /// Where work ends; `None`: 0.25 to 0.52 of the budget, by the room (`policy::default_target`).
    pub target: Option<Threshold>,
    /// What trigger and target are chosen for when they are not given.
    pub optimize: Optimize,
    /// What tokens cost; `None`: by the model's family.
    pub prices: Option<GivenPrices>,
    /// The provider is asked to cache prompts, where it does not by itself and nobody else asks.
    pub prompt_cache: bool,
    /// Where the summarizer takes over from the digest; `None`: the trigger.
    pub summarize_at: Option<Threshold>,
    /// Where a summary is begun ahead of time; a share of zero: a little below the trigger. `None`: never.
    pub summarize_ahead: Option<Threshold>,
    /// Tokens of the newest messages that are not edited; `None`: 40,000, at most a third of the budget (opencode) and a part of the target.
    pub keep_recent_tokens: Option<f64>,
    /// Newest turns that are not edited.
    pub keep_recent_turns: u32,
    /// Newest messages that are not edited.
    pub keep_recent_messages: u32,
    /// Newest images of tool results that are kept; all where it is not given.
    pub keep_images: Option<u32>,
    /// Images that a request may hold, and bytes of images and files.
    pub media_limit: MediaLimit,
    /// Least tokens a clearing must save; `None`: 20,000, at most a tenth of the budget (opencode). Never more than half of the
    /// way from target to trigger.
    pub min_clear_tokens: Option<f64>,
    /// Most tokens one result may have; `None`: what is left of the budget when it arrives.
    pub max_result_tokens: Option<f64>,
    /// Tokens a summary may have.
    pub summary_tokens: u32,
    /// Tokens that the summarizer takes, prompt and reply together; `None`: from its id, else what the agent's model takes.
    pub summarize_window: Option<f64>,
    /// The summarizer's id and provider, where it is a model.
    pub summarizer: Option<(String, String)>,
    /// What the user says of tools.
    pub tools: Vec<ToolRule>,
    /// Tokens of system prompt and tools, when the user knows them.
    pub overhead_tokens: f64,
    /// The model's family, when the user says so.
    pub family: Option<Family>,
    /// What the user adds to the summarizer's prompt.
    pub summary_instructions: Option<String>,
    /// What the app says at the end of every checkpoint, where that is a text.
    pub checkpoint_note: Option<String>,
    /// The directory of results that are put as files.
    pub offload: Option<String>,
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
            trigger: None,
            target: None,
            optimize: Optimize::Balanced,
            prices: None,
            prompt_cache: true,
            summarize_at: None,
            summarize_ahead: None,
            keep_recent_tokens: None,
            keep_recent_turns: 0,
            keep_recent_messages: 0,
            keep_images: None,
            media_limit: MediaLimit::default(),
            min_clear_tokens: None,
            max_result_tokens: None,
            summary_tokens: SUMMARY_TOKENS,
            summarize_window: None,
            summarizer: None,
            tools: Vec::new(),
            overhead_tokens: 0.0,
            family: None,
            summary_instructions: None,
            checkpoint_note: None,
            offload: None,
            has_summarizer: false,
            has_tokenizer: false,
        }
    }
}

impl Options {
    /// Checks options: names, kinds, ranges and relations.
    pub fn check(given: &[(String, OptionValue)]) -> Result<Options, Error> {
        let mut options = Options::default();
        let given = Recent::gathered(given);
        for (name, value) in &given {
            let Some((_, kind)) = OPTIONS.iter().find(|(known, _)| known == name) else {
                return Err(Error::unknown_option(name, &option_names()));
            };
            check_kind(name, *kind, value)?;
            options.set(name, value)?;
        }
        options.check_relations()?;
        Ok(options)
    }

    /// As bytes, for JavaScript to hand back with a model.
    pub fn to_bytes(&self) -> Vec<u8> {
        pack::to_bytes(self)
    }

    /// From the bytes that `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Option<Options> {
        pack::from_bytes(bytes)
    }

    fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), Error> {
        match (name, value) {
            ("contextWindow", OptionValue::Number(n)) => self.context_window = Some(*n),
            ("reserveTokens", OptionValue::Number(n)) => self.reserve_tokens = Some(*n),
            ("trigger", value) => self.trigger = threshold_of(value),
            ("target", value) => self.target = threshold_of(value),
            ("optimize", OptionValue::Text(text)) => self.optimize = Optimize::from_name(text)?,
            ("prices", OptionValue::Numbers(members)) => self.prices = Some(GivenPrices::check(members)?),
            ("promptCache", OptionValue::Flag(flag)) => self.prompt_cache = *flag,
            ("summarizeAt", value) => self.summarize_at = threshold_of(value),
            ("summarizeAhead", OptionValue::Flag(false)) => {}
            ("summarizeAhead", value) => self.summarize_ahead = threshold_of(value).or(Some(Threshold::Share(0.0))),
            ("keepRecent", value) => self.set_recent(Recent::check(value)?),
            ("maxImages", OptionValue::Number(n)) => self.media_limit.images = Some(*n as u32),
            ("maxImageBytes", OptionValue::Number(n)) => self.media_limit.bytes = Some(*n as u64),
            ("minClearTokens", OptionValue::Number(n)) => self.min_clear_tokens = Some(*n),
            ("maxResultTokens", OptionValue::Number(n)) => self.max_result_tokens = Some(*n),
            ("summaryTokens", OptionValue::Number(n)) => self.summary_tokens = *n as u32,
            // `summarizeTimeoutMs` and the options that are functions are used where the user's functions are called: in TypeScript.
            ("tools", OptionValue::Members(tools)) => self.tools = tools.iter().map(tool_rule).collect::<Result<_, _>>()?,
            ("overheadTokens", OptionValue::Number(n)) => self.overhead_tokens = *n,
            ("modelFamily", OptionValue::Text(text)) => {
                let family = Family::from_name(text).ok_or_else(|| {
                    Error::invalid_option(format!("`modelFamily` is \"{text}\"; allowed are {}", Family::ALL.map(Family::name).join(", ")))
                })?;
                self.family = Some(family);
            }
            ("summaryInstructions", OptionValue::Text(text)) => self.summary_instructions = Some(text.clone()),
            ("checkpointNote", OptionValue::Text(text)) => self.checkpoint_note = Some(text.clone()),
            ("summarizeWindow", OptionValue::Number(n)) => self.summarize_window = Some(*n),
            ("summarize", value) => {
                self.has_summarizer = true;
                self.summarizer = match value {
                    OptionValue::Model(id, provider) => Some((id.clone(), provider.clone())),
                    OptionValue::Text(id) => Some((id.clone(), String::new())),
                    _ => None,
                };
            }
            ("offload", OptionValue::Offload(directory)) => {
                let given = match directory.as_deref() {
                    Some(OptionValue::Text(text)) => text.trim_end_matches('/'),
                    _ => RESULTS_DIRECTORY,
                };
                self.offload = Some(given.to_owned());
            }
            ("tokenizer", _) => self.has_tokenizer = true,
            _ => {}
        }
        Ok(())
    }

    /// Who counts turns or messages does not count tokens as well, unless they say so.
    fn set_recent(&mut self, Recent { tokens, turns, messages, images }: Recent) {
        let counts_others = turns.is_some() || messages.is_some();
        self.keep_recent_tokens = tokens.or(counts_others.then_some(0.0));
        self.keep_recent_turns = turns.unwrap_or(0.0) as u32;
        self.keep_recent_messages = messages.unwrap_or(0.0) as u32;
        self.keep_images = images.map(|images| images as u32);
    }

    fn check_relations(&self) -> Result<(), Error> {
        let ordered = |low: (&str, Threshold), high: (&str, Threshold), strict: bool| {
            let (a, b) = match (low.1, high.1) {
                (Threshold::Share(a), Threshold::Share(b)) | (Threshold::Tokens(a), Threshold::Tokens(b)) => (a, b),
                // A share and a number of tokens can only be compared once the budget is known.
                (Threshold::Share(_), Threshold::Tokens(_)) | (Threshold::Tokens(_), Threshold::Share(_)) => return Ok(()),
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
        // Which model it will be is not known yet. Marks that cross for one with another window are put in order in `plan::budget`.
        let window = self.context_window.unwrap_or(f64::from(UNKNOWN_WINDOW_TOKENS));
        let trigger = self.trigger.unwrap_or(Threshold::Share(default_trigger(self.optimize, window) / window));
        if let Some(threshold) = self.target {
            ordered(("target", threshold), ("trigger", trigger), true)?;
        }
        if let Some(threshold) = self.summarize_at {
            ordered(("trigger", trigger), ("summarizeAt", threshold), false)?;
        }
        if let Some(threshold) = self.summarize_ahead {
            ordered(("summarizeAhead", threshold), ("trigger", trigger), false)?;
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
        below_window("overheadTokens", self.overhead_tokens)?;
        below_window("keepRecent.tokens", self.keep_recent_tokens.unwrap_or(0.0))?;
        for (name, threshold) in [("trigger", self.trigger), ("target", self.target)] {
            if let Some(Threshold::Tokens(tokens)) = threshold {
                below_window(name, tokens)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn who_counts_turns_or_messages_counts_tokens_only_where_they_say_so() {
        let recent = |members: &[(&str, f64)]| {
            let members = members.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
            let options = check("keepRecent", OptionValue::Numbers(members)).unwrap();
            (options.keep_recent_tokens, options.keep_recent_turns, options.keep_recent_messages, options.keep_images)
        };
        assert_eq!(recent(&[("messages", 6.0)]), (Some(0.0), 0, 6, None));
        assert_eq!(recent(&[("turns", 2.0), ("tokens", 500.0)]), (Some(500.0), 2, 0, None));
        assert_eq!(recent(&[("images", 3.0)]), (None, 0, 0, Some(3)));
        assert_eq!(check("keepRecent", OptionValue::Tokens(9.0)).unwrap().keep_recent_tokens, Some(9.0));
    }

    #[test]
    fn members_of_keep_recent_may_be_given_by_names_of_their_own() {
        let number = |name: &str, n: f64| (name.to_owned(), OptionValue::Number(n));
        let options = Options::check(&[number("keepRecentMessages", 1.0), number("keepRecentTokens", 0.0)]).unwrap();
        assert_eq!((options.keep_recent_tokens, options.keep_recent_messages), (Some(0.0), 1));
        assert!(Options::check(&[number("keepRecentTurns", 2.0), ("keepRecent".to_owned(), OptionValue::Tokens(9.0))]).is_err());
        assert!(Options::check(&[("keepRecentTokens".to_owned(), OptionValue::Text("9".into()))]).is_err());
    }

    #[test]
    fn relations_between_options_are_checked() {
        let number = |name: &str, n: f64| (name.to_owned(), OptionValue::Number(n));
        let rows = [
            vec![number("trigger", 0.5), number("target", 0.6)],
            vec![number("trigger", 0.8), number("summarizeAt", 0.7)],
            vec![number("contextWindow", 8_000.0), number("reserveTokens", 9_000.0)],
            vec![number("contextWindow", 8_000.0), ("trigger".to_owned(), OptionValue::Tokens(9_000.0))],
            // Where work starts by itself depends on the window; without one it is that of an unknown model.
            vec![number("summarizeAhead", 0.9)],
            vec![number("contextWindow", 200_000.0), number("target", 0.9)],
        ];
        for row in rows {
            assert!(Options::check(&row).is_err(), "{row:?}");
        }
        for row in [
            vec![("trigger".to_owned(), OptionValue::Tokens(50_000.0)), number("target", 0.4)],
            vec![number("contextWindow", 32_000.0), number("summarizeAhead", 0.9)],
        ] {
            assert!(Options::check(&row).is_ok(), "{row:?}");
        }
    }
}
