//! What a model demands of thoughts that come back to it: reasoning parts with Anthropic's signature.
//! Known by the model's id alone. What follows for a fold or an edit is decided in `plan`.

use serde::{Deserialize, Serialize};

use crate::providers::limits::id_tokens;

/// What a model demands of the signed thoughts in a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Thinking {
    /// A running tool loop that began with a thought must go on beginning with it. All that is assumed of models that are not known:
    /// it does no harm where nothing is demanded. Source: Anthropic, "Extended thinking" (manual mode, up to Claude 4.6).
    #[default]
    LeadsLoop,
    /// Turns need not begin with a thought. Source: Anthropic, "Adaptive thinking" (the only mode from Claude 4.7 on).
    Adaptive,
    /// Each thought is bound to all that stood before it: when that changes, a request with this thought or a later one is refused.
    /// Source: Anthropic, "Preserved thinking" (Claude Fable and Mythos from 5.1 on, Opus, Sonnet and Haiku from 5.5 on).
    Bound,
}

/// A version: major and minor number.
pub(crate) type ClaudeVersion = (u32, u32);

/// The lines of Claude models: name, first version that knows only adaptive thinking, first version that binds its thoughts.
const LINES: [(&str, ClaudeVersion, ClaudeVersion); 5] = [
    ("opus", (4, 7), (5, 5)),
    ("sonnet", (4, 7), (5, 5)),
    ("haiku", (4, 7), (5, 5)),
    ("fable", (0, 0), (5, 1)),
    ("mythos", (0, 0), (5, 1)),
];

/// Preview models without a number.
const PREVIEW: &str = "preview";

impl Thinking {
    /// What the model of this id demands, whatever provider, gateway or cloud carries it. A Claude model that is newer than the table,
    /// or whose id says no version, is taken for one that binds its thoughts: for the others that costs some reasoning.
    pub fn of(model_id: &str) -> Thinking {
        let id = id_tokens(model_id);
        let Some(rest) = behind_claude(&id) else { return Thinking::LeadsLoop };
        // The names of the first models: `claude-2.1`, `claude-instant-1.2`, `claude-3-7-sonnet`.
        if rest.first().is_some_and(|token| *token == "instant") {
            return Thinking::LeadsLoop;
        }
        let version = version_in(&rest);
        let line = rest.iter().find_map(|token| LINES.iter().find(|(name, ..)| name == token));
        let (adaptive, bound) = match line {
            Some((_, adaptive, bound)) => (*adaptive, *bound),
            None if rest.first().is_some_and(|token| token.starts_with(|first: char| first.is_ascii_digit())) => ((4, 7), (5, 5)),
            // A line that is not in the table is a new one.
            None => ((0, 0), (0, 0)),
        };
        match version {
            None if rest.contains(&PREVIEW) => Thinking::Adaptive,
            None => Thinking::Bound,
            Some(version) if version >= bound => Thinking::Bound,
            Some(version) if version >= adaptive => Thinking::Adaptive,
            Some(_) => Thinking::LeadsLoop,
        }
    }
}

/// Whether a request may ask Anthropic's API to leave out thoughts whose prefix has changed, instead of refusing it: for what stepfold
/// cannot see, such as another system prompt.
///
/// `package` names the version of the provider's package, as in `ai-sdk/anthropic/3.0.138`; older ones take the option for an error.
/// `base_url` is where it sends requests: a proxy may not know the option. Vercel's gateway has the package on its own side. Beside
/// `thinking: { type: 'between_tools' }`, with which the API does not allow it, the package drops it.
pub(crate) fn takes_binding(provider: &str, package: &str, base_url: &str) -> bool {
    let is_new = package_version(package).is_some_and(|version| TAKES_BINDING.iter().any(|known| known.contains(&version)));
    provider == "gateway" || is_new && base_url.starts_with(ANTHROPIC_URL)
}

/// Where Anthropic's own API is.
pub(crate) const ANTHROPIC_URL: &str = "https://api.anthropic.com/";

/// Versions of Anthropic's package that are known to take the option (read in their sources).
const TAKES_BINDING: [std::ops::Range<[u32; 3]>; 2] = [[3, 0, 138]..[4, 0, 0], [4, 0, 105]..[u32::MAX, 0, 0]];

/// The version of Anthropic's package in the user agent with which it sends requests.
fn package_version(user_agent: &str) -> Option<[u32; 3]> {
    let product = user_agent.split_ascii_whitespace().find_map(|product| {
        let name = product.strip_prefix("ai-sdk").and_then(|name| name.strip_prefix(['/', '-']))?;
        name.strip_prefix("anthropic/")
    })?;
    // What follows a hyphen names a version that comes before the one it is made for.
    let mut numbers = product.split('.').map(|number| number.parse::<u32>().ok());
    let version = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(version)
}

/// The words of an id behind `claude`; none for other models.
fn behind_claude(id: &[String]) -> Option<Vec<&str>> {
    let claude = id.iter().rposition(|token| token == "claude")?;
    Some(id[claude + 1..].iter().map(String::as_str).collect())
}

/// Which Claude a model is: none for other models, no version where the id says none.
pub(crate) fn claude_version(model_id: &str) -> Option<Option<ClaudeVersion>> {
    behind_claude(&id_tokens(model_id)).map(|rest| version_in(&rest))
}

/// The first version in the words of an id; dates and revisions are longer numbers.
fn version_in(tokens: &[&str]) -> Option<ClaudeVersion> {
    let number = |token: &&str| if token.len() <= 2 { token.parse::<u32>().ok() } else { None };
    let at = tokens.iter().position(|token| number(token).is_some())?;
    let major = number(tokens.get(at)?)?;
    Some((major, tokens.get(at + 1).and_then(number).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_package_that_takes_the_binding_is_given_it() {
        let official = "https://api.anthropic.com/v1";
        for (provider, package, base_url, expected) in [
            ("anthropic.messages", "ai-sdk/anthropic/3.0.138", official, true),
            ("my-name", "app/1.0 ai-sdk-anthropic/4.0.105", official, true),
            ("anthropic.messages", "ai-sdk-anthropic/5.1.0", official, true),
            ("gateway", "", "", true),
            ("anthropic.messages", "ai-sdk/anthropic/3.0.137", official, false),
            ("anthropic.messages", "ai-sdk-anthropic/4.0.104", official, false),
            ("anthropic.messages", "ai-sdk-anthropic/4.0.105-beta.1", official, false),
            ("anthropic.messages", "ai-sdk-anthropic/4.0.105", "https://proxy.example/v1", false),
            ("amazon-bedrock", "ai-sdk/amazon-bedrock/4.0.0", "", false),
            ("anthropic.messages", "", official, false),
        ] {
            assert_eq!(takes_binding(provider, package, base_url), expected, "{provider} {package} {base_url}");
        }
    }

    #[test]
    fn the_id_of_a_model_says_what_it_demands_of_thoughts() {
        for (demand, ids) in [
            (
                Thinking::LeadsLoop,
                &[
                    "claude-3-7-sonnet-20250219",
                    "claude-3-5-haiku@20241022",
                    "claude-2.1",
                    "claude-instant-1.2",
                    "claude-opus-4-20250514",
                    "claude-opus-4-5-20251101",
                    "anthropic.claude-sonnet-4-5-20250929-v1:0",
                    "claude-haiku-4-5",
                    "claude-opus-4-6",
                    "claude-sonnet-4.6",
                    "gpt-5.5",
                    "gemini-3-pro",
                    "my-deployment",
                    "",
                ][..],
            ),
            (
                Thinking::Adaptive,
                &[
                    "claude-opus-4-7",
                    "us.anthropic.claude-opus-4-8-20260501-v1:0",
                    "claude-opus-5",
                    "anthropic/claude-sonnet-5",
                    "claude-fable-5",
                    "claude-mythos-5-20260401",
                    "claude-mythos-preview",
                ],
            ),
            (
                Thinking::Bound,
                &[
                    "claude-opus-5-5",
                    "claude-opus-5-5-20260915",
                    "anthropic/claude-opus-5.5",
                    "claude-opus-5.5-fast",
                    "global.anthropic.claude-sonnet-5-5-v1:0",
                    "anthropic.claude-haiku-5-5-20261001-v1:0",
                    "claude-haiku-5-5@20261001",
                    "claude-fable-5-1",
                    "claude-fable-5-2",
                    "claude-mythos-5-1",
                    "openrouter/anthropic/claude-mythos-5.2",
                    "claude-opus-6",
                    "claude-opus-10-1",
                    "claude-saga-1",
                    "claude-opus-latest",
                    "Claude_Opus_5_5",
                    "claude-5-5-opus",
                ],
            ),
        ] {
            for id in ids {
                assert_eq!(Thinking::of(id), demand, "{id}");
            }
        }
    }
}
