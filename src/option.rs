//! What an option's value is and which values a kind of option takes. Errors are written for the person who typed the value.
//! Which options there are, and what follows from them, stands in `settings.rs`.

use serde::{Deserialize, Serialize};

use crate::digest::effect::Effect;
use crate::digest::tools::{Keep, ToolRule};
use crate::error::Error;
use crate::text::clip::{ends_line, first_chars};

/// Bytes that the path of a directory may have.
const DIRECTORY_BYTES: usize = 200;

/// A value as it came from JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A number, maybe not finite.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A string.
    Text(String),
    /// `{ tokens: n }`.
    Tokens(f64),
    /// An object of numbers.
    Numbers(Vec<(String, f64)>),
    /// An object of anything else that is plain.
    Members(Vec<(String, OptionValue)>),
    /// A function.
    Function,
    /// An object with methods (an abort signal).
    Object,
    /// A tokenizer: an object with a method `count`.
    Tokenizer,
    /// A language model, an object with a method `doGenerate`: its id and its provider, empty where it has none.
    Model(String, String),
    /// An object with a method `write`, and its `directory`, if it has one.
    Offload(Option<Box<OptionValue>>),
    /// Anything else, as text for the error.
    Other(String),
}

/// A share of the budget or tokens, at which work starts or ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Threshold {
    /// A share of the budget, 0 to 1.
    Share(f64),
    /// Tokens of messages, whatever the budget.
    Tokens(f64),
}

impl Threshold {
    /// The threshold in tokens of a budget; never above the budget.
    pub fn tokens(self, budget_tokens: f64) -> f64 {
        match self {
            Threshold::Share(share) => share * budget_tokens,
            Threshold::Tokens(tokens) => tokens.min(budget_tokens),
        }
    }
}

/// What kind of value an option takes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A number from..=to.
    Number(f64, f64),
    /// A share of the budget above 0 up to 1, or `{ tokens }`.
    Threshold,
    /// A threshold, or true or false.
    FlagOrThreshold,
    /// True or false.
    Flag,
    /// True, false or a function.
    FlagOrFunction,
    Text,
    TextOrFunction,
    /// What the user says of tools, by name.
    Tools,
    /// An object of numbers.
    Numbers,
    /// What is newest and stays: `{ tokens, turns, messages, images }`.
    Recent,
    Function,
    /// A function, a model or a model's id.
    Summarizer,
    Object,
    Tokenizer,
    /// An object with a method `write`.
    Offload,
}

/// Whether a text can be the directory that a placeholder can name.
pub fn is_directory(text: &str) -> bool {
    let is_printed = !text.is_empty() && text.trim() == text && !text.chars().any(|letter| letter.is_control() || ends_line(letter));
    is_printed && text.len() <= DIRECTORY_BYTES
}

pub(crate) fn threshold_of(value: &OptionValue) -> Option<Threshold> {
    match value {
        OptionValue::Number(share) => Some(Threshold::Share(*share)),
        OptionValue::Tokens(tokens) => Some(Threshold::Tokens(*tokens)),
        _ => None,
    }
}

pub(crate) fn check_kind(name: &str, kind: Kind, value: &OptionValue) -> Result<(), Error> {
    let wrong = |allowed: &str| Err(Error::invalid_option(format!("`{name}` is {}; it must be {allowed}", describe(value))));
    match (kind, value) {
        (Kind::Number(from, to), OptionValue::Number(n)) if n.is_finite() && (from..=to).contains(n) => Ok(()),
        (Kind::Number(from, to), _) => wrong(&format!("a number from {} to {}", number(from), number(to))),
        (Kind::Flag | Kind::FlagOrThreshold, OptionValue::Flag(_)) => Ok(()),
        (Kind::Flag, _) => wrong("true or false"),
        (Kind::FlagOrFunction, OptionValue::Flag(_) | OptionValue::Function) => Ok(()),
        (Kind::FlagOrFunction, _) => wrong("true, false or a function"),
        (Kind::Threshold | Kind::FlagOrThreshold, OptionValue::Number(n)) if *n > 0.0 && *n <= 1.0 => Ok(()),
        (Kind::Threshold | Kind::FlagOrThreshold, OptionValue::Tokens(n)) if n.is_finite() && *n >= 100.0 => Ok(()),
        (Kind::FlagOrThreshold, _) => {
            wrong("true, false, a share of the budget above 0 and up to 1, or { tokens: number } with at least 100")
        }
        (Kind::Threshold, _) => wrong("a share of the budget above 0 and up to 1, or { tokens: number } with at least 100"),
        (Kind::TextOrFunction, OptionValue::Text(_) | OptionValue::Function) => Ok(()),
        (Kind::TextOrFunction, _) => wrong("a string or a function"),
        (Kind::Text, OptionValue::Text(_)) => Ok(()),
        (Kind::Text, _) => wrong("a string"),
        (Kind::Tools, OptionValue::Members(_)) => Ok(()),
        (Kind::Tools, _) => wrong("an object with a member for each tool, such as { refund: { effect: 'acts' } }"),
        (Kind::Numbers, OptionValue::Numbers(_)) => Ok(()),
        (Kind::Numbers, _) => wrong("an object of numbers, such as { input: 3, output: 15 }"),
        (Kind::Recent, OptionValue::Tokens(_) | OptionValue::Numbers(_)) => Ok(()),
        (Kind::Recent, _) => wrong("an object of numbers, such as { tokens: 10000 } or { messages: 6 }"),
        (Kind::Function, OptionValue::Function) => Ok(()),
        (Kind::Function, _) => wrong("a function"),
        (Kind::Summarizer, OptionValue::Function | OptionValue::Model(..)) => Ok(()),
        (Kind::Summarizer, OptionValue::Text(id)) if !id.is_empty() => Ok(()),
        (Kind::Summarizer, _) => wrong("a language model, the id of one, or a function"),
        (Kind::Object, OptionValue::Object) => Ok(()),
        (Kind::Object, _) => wrong("an AbortSignal"),
        (Kind::Tokenizer, OptionValue::Tokenizer) => Ok(()),
        (Kind::Offload, OptionValue::Offload(directory)) => match directory.as_deref() {
            None => Ok(()),
            Some(OptionValue::Text(text)) if is_directory(text) => Ok(()),
            Some(other) => Err(Error::invalid_option(format!(
                "`{name}.directory` is {}; it must be a path of at most {DIRECTORY_BYTES} bytes, without control characters",
                describe(other)
            ))),
        },
        (Kind::Offload, _) => wrong("an object with a method `write(path, text)`, and maybe a method `exists(path)` and a `directory`"),
        (Kind::Tokenizer, _) => wrong("an object with a method `count(text)` that returns a number, such as `o200k()` from stepfold/o200k"),
    }
}

/// What is newest and stays, as far as it is given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recent {
    /// Tokens that are not edited.
    pub tokens: Option<f64>,
    /// Turns that are not edited.
    pub turns: Option<f64>,
    /// Messages that are not edited.
    pub messages: Option<f64>,
    /// Images of tool results.
    pub images: Option<f64>,
}

/// Members of `keepRecent` by the names that they had before they were members: scripts from then are read as they stand.
const RECENT_MEMBERS: [(&str, &str); 3] =
    [("keepRecentTokens", "tokens"), ("keepRecentTurns", "turns"), ("keepRecentMessages", "messages")];

impl Recent {
    /// Options in which `keepRecentTokens` and so on are members of `keepRecent`. Beside that option they stay what they are: unknown.
    pub fn gathered(given: &[(String, OptionValue)]) -> Vec<(String, OptionValue)> {
        let mut options = given.to_vec();
        if given.iter().any(|(name, _)| name == "keepRecent") {
            return options;
        }
        let mut members = Vec::new();
        options.retain(|(name, value)| {
            let member = RECENT_MEMBERS.iter().find(|(long, _)| long == name);
            let (Some((_, member)), OptionValue::Number(number)) = (member, value) else { return true };
            members.push(((*member).to_owned(), *number));
            false
        });
        if !members.is_empty() {
            options.push(("keepRecent".to_owned(), OptionValue::Numbers(members)));
        }
        options
    }

    pub fn check(value: &OptionValue) -> Result<Recent, Error> {
        let mut recent = Recent::default();
        let members = match value {
            OptionValue::Numbers(members) => members.clone(),
            OptionValue::Tokens(tokens) => vec![("tokens".to_owned(), *tokens)],
            _ => Vec::new(),
        };
        for (name, given) in members {
            let (place, most) = match name.as_str() {
                "tokens" => (&mut recent.tokens, 1e8),
                "turns" => (&mut recent.turns, 1e4),
                "messages" => (&mut recent.messages, 1e5),
                "images" => (&mut recent.images, 1e4),
                _ => {
                    let message = format!("`keepRecent.{name}` is not known; there are `tokens`, `turns`, `messages` and `images`");
                    return Err(Error::invalid_option(message));
                }
            };
            if !(0.0..=most).contains(&given) {
                let message = format!("`keepRecent.{name}` is {}; it must be a number from 0 to {}", number(given), number(most));
                return Err(Error::invalid_option(message));
            }
            *place = Some(given);
        }
        Ok(recent)
    }
}

/// What the user says of one tool: `{ effect, speaksForUser, keep, digest }`.
pub(crate) fn tool_rule((tool, value): &(String, OptionValue)) -> Result<ToolRule, Error> {
    let name = format!("tools.{tool}");
    let OptionValue::Members(members) = value else {
        return Err(Error::invalid_option(format!(
            "`{name}` is {}; it must be an object with `effect`, `speaksForUser`, `keep` or `digest`",
            describe(value)
        )));
    };
    let mut rule = ToolRule { tool: tool.clone(), ..ToolRule::default() };
    let wrong = |member: &str, value: &OptionValue, allowed: &str| {
        Err(Error::invalid_option(format!("`{name}.{member}` is {}; it must be {allowed}", describe(value))))
    };
    for (member, value) in members {
        match (member.as_str(), value) {
            ("effect", OptionValue::Text(text)) if text == "reads" => rule.effect = Some(Effect::Reads),
            ("effect", OptionValue::Text(text)) if text == "acts" => rule.effect = Some(Effect::Acts),
            ("effect", other) => return wrong(member, other, "\"reads\" or \"acts\""),
            ("speaksForUser", OptionValue::Flag(flag)) => rule.speaks_for_user = *flag,
            ("speaksForUser", other) => return wrong(member, other, "true or false"),
            ("digest", OptionValue::Function) => rule.has_digest = true,
            ("digest", other) => return wrong(member, other, "a function"),
            ("keep", OptionValue::Text(text)) if text == "always" => rule.keep = Keep::Always,
            ("keep", OptionValue::Text(text)) if text == "normal" => rule.keep = Keep::Normal,
            ("keep", OptionValue::Text(text)) if text == "never" => rule.keep = Keep::Never,
            ("keep", other) => return wrong(member, other, "\"always\", \"normal\" or \"never\""),
            ("inputSchema" | "parameters" | "execute" | "description", _) => {
                return Err(Error::invalid_option(format!(
                    "`{name}` is the tool itself; here stands what you say of it, such as {{ {tool}: {{ effect: 'acts' }} }}"
                )));
            }
            _ => {
                return Err(Error::invalid_option(format!(
                    "`{name}.{member}` is not known; there are `effect`, `speaksForUser`, `keep` and `digest`"
                )));
            }
        }
    }
    Ok(rule)
}

pub(crate) fn describe(value: &OptionValue) -> String {
    match value {
        OptionValue::Number(n) => number(*n),
        OptionValue::Flag(flag) => if *flag { "true" } else { "false" }.to_owned(),
        OptionValue::Text(text) => format!("\"{}\"", first_chars(text, 60)),
        OptionValue::Tokens(n) => format!("{{ tokens: {} }}", number(*n)),
        OptionValue::Function => "a function".to_owned(),
        OptionValue::Object | OptionValue::Tokenizer | OptionValue::Model(..) | OptionValue::Numbers(_) | OptionValue::Offload(_) => {
            "an object".to_owned()
        }
        OptionValue::Members(_) => "another object".to_owned(),
        OptionValue::Other(text) => text.clone(),
    }
}

/// A number as text, to three decimals. The formatting of `std` would add 7 KB to the download for these few messages.
pub(crate) fn number(n: f64) -> String {
    if !n.is_finite() {
        return "not a finite number".to_owned();
    }
    let (sign, thousandths) = (if n < 0.0 { "-" } else { "" }, (n.abs() * 1_000.0).round() as u64);
    let decimals = format!(".{:03}", thousandths % 1_000);
    format!("{sign}{}{}", thousandths / 1_000, decimals.trim_end_matches('0').trim_end_matches('.'))
}
