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

/// Names that mean one thing or another elsewhere: spelling does not show which option is meant.
const ELSEWHERE: &[(&str, &str)] = &[
    ("maxTokens", "`contextWindow` (tokens that the model takes) or `maxResultTokens` (most tokens of one tool result)"),
    ("protectedTools", "`tools`, such as { read_plan: { keep: 'always' } }"),
    ("maxOutputTokens", "`reserveTokens` (tokens kept free for the reply) or `summaryTokens` (most tokens of a summary)"),
];

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

    /// An option that does not exist; names the nearest known one, or those that a name of other libraries may mean.
    pub fn unknown_option(name: &str, known: &[&str]) -> Self {
        let hint = match (ELSEWHERE.iter().find(|(other, _)| name.eq_ignore_ascii_case(other)), nearest(name, known)) {
            (Some((_, meant)), _) => format!("did you mean {meant}?"),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => format!("known options: {}", known.join(", ")),
        };
        Error { code: ErrorCode::UnknownOption, message: format!("`{name}` is not an option of stepfold; {hint}") }
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
        for (given, meant) in
            [("triger", "trigger"), ("contextwindow", "contextWindow"), ("keeprecnt", "keepRecent"), ("reserve", "reserveTokens")]
        {
            let text = Error::unknown_option(given, &["trigger", "target", "contextWindow", "keepRecent", "reserveTokens"]).to_string();
            assert!(text.contains(&format!("did you mean `{meant}`")), "{text}");
        }
        for (given, meant) in [("maxTokens", "`contextWindow` (tokens that"), ("maxoutputtokens", "`reserveTokens` (tokens kept")] {
            let text = Error::unknown_option(given, &["summaryTokens", "maxResultTokens"]).to_string();
            assert!(text.contains(&format!("did you mean {meant}")), "{text}");
        }
        let text = Error::unknown_option("zzzzzzzzzzzz", &["trigger", "target"]).to_string();
        assert!(text.contains("known options: trigger, target"), "{text}");
    }
}
