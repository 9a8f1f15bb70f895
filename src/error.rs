//! The one error of the crate: what the person who typed a value did wrong, with a stable code.
//! Not a panic and not a log line: input can be strange, but it never ends the program.

use std::fmt;

/// Stable classes of errors; the texts may improve, the codes stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// An option has a value outside its range or of the wrong kind.
    InvalidOption,
    /// An option name is not known.
    UnknownOption,
}

impl ErrorCode {
    /// The code as users see it, e.g. `invalid-option`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::InvalidOption => "invalid-option",
            ErrorCode::UnknownOption => "unknown-option",
        }
    }
}

/// Names of other libraries, of the SDK and of sessions, and what to write instead: spelling does not show which option is meant.
const ELSEWHERE: &[(&str, &str)] = &[
    ("maxTokens", "did you mean `contextWindow` (tokens that the model takes) or `maxResultTokens` (most tokens of one tool result)?"),
    ("window", "did you mean `contextWindow` (tokens that the model takes)?"),
    ("threshold", "did you mean `trigger` (where editing starts)?"),
    ("protectedTools", KEPT_TOOLS),
    ("excludeTools", KEPT_TOOLS),
    ("maxOutputTokens", "did you mean `reserveTokens` (tokens kept free for the reply) or `summaryTokens` (most tokens of a summary)?"),
    ("model", "the SDK hands over the agent's model in each step, and `summarize` takes the one that writes summaries"),
    ("recall", "give the SDK the tool instead, such as `tools: { recall: prepareStep.recallTool() }`"),
    ("id", OF_SESSIONS),
    ("store", OF_SESSIONS),
    ("state", OF_SESSIONS),
    ("resume", OF_SESSIONS),
    ("storeTimeoutMs", OF_SESSIONS),
];
const KEPT_TOOLS: &str = "did you mean `tools`, such as { read_plan: { keep: 'always' } }?";
const OF_SESSIONS: &str = "`createSession` takes it";

/// An error with a code and a sentence that names the option, what was given and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: ErrorCode,
    message: String,
}

impl Error {
    /// An option whose value cannot be used.
    pub fn invalid_option(message: impl Into<String>) -> Self {
        Error { code: ErrorCode::InvalidOption, message: message.into() }
    }

    /// An option that does not exist; names the nearest known one, or what to write in place of a name of other libraries.
    pub fn unknown_option(name: &str, known: &[&str]) -> Self {
        let hint = match (ELSEWHERE.iter().find(|(other, _)| name.eq_ignore_ascii_case(other)), nearest(name, known)) {
            (Some((_, instead)), _) => (*instead).to_owned(),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => format!("known options: {}", known.join(", ")),
        };
        Error { code: ErrorCode::UnknownOption, message: format!("`{name}` is not an option here; {hint}") }
    }

    /// The stable class of this error.
    pub fn code(&self) -> ErrorCode {
        self.code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The known name closest to `name`, if it is close enough to be what was meant.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    if name.len() > 64 {
        return None;
    }
    // A part of the name is the most likely slip: `reserve` for `reserveTokens`.
    if let Some(longer) = known.iter().find(|candidate| name.len() >= 4 && candidate.to_ascii_lowercase().starts_with(&name)) {
        return Some(longer);
    }
    // So is its end, where only one name has it: `signal` for `abortSignal`.
    let mut ending = known.iter().filter(|candidate| name.len() >= 4 && candidate.to_ascii_lowercase().ends_with(&name));
    if let (Some(only), None) = (ending.next(), ending.next()) {
        return Some(only);
    }
    known
        .iter()
        .map(|candidate| (distance(&name, &candidate.to_ascii_lowercase()), *candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(d, candidate)| *d <= candidate.len().max(name.len()) / 2)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance over bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_option_names_the_nearest_known_one() {
        for (given, meant) in [
            ("triger", "trigger"),
            ("contextwindow", "contextWindow"),
            ("keeprecnt", "keepRecent"),
            ("reserve", "reserveTokens"),
            ("signal", "abortSignal"),
        ] {
            let text = Error::unknown_option(given, &["trigger", "target", "contextWindow", "keepRecent", "reserveTokens", "abortSignal"])
                .to_string();
            assert!(text.contains(&format!("did you mean `{meant}`")), "{text}");
        }
        for (given, instead) in [
            ("maxTokens", "did you mean `contextWindow` (tokens that"),
            ("maxoutputtokens", "did you mean `reserveTokens` (tokens kept"),
            ("model", "the SDK hands over"),
            ("store", "`createSession` takes it"),
        ] {
            let text = Error::unknown_option(given, &["summaryTokens", "maxResultTokens", "modelFamily"]).to_string();
            assert!(text.contains(instead), "{text}");
        }
        let text = Error::unknown_option("zzzzzzzzzzzz", &["trigger", "target"]).to_string();
        assert!(text.contains("known options: trigger, target"), "{text}");
    }
}
