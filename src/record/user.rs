//! What a message in the role of the user says: what the person asks, the rules that came with it, and what a harness wrote.
//! Not what is kept of it.

/// What a message in the role of the user says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserText {
    /// What the person asks, in their words; empty when they ask nothing.
    pub asked: String,
    /// Instructions that stand in preambles, such as AGENTS.md, each one line; without boilerplate.
    pub rules: Vec<String>,
    /// A harness wrote the message, not the person.
    pub is_harness: bool,
}

/// What a message in the role of the user says.
pub fn read_user(text: &str) -> UserText {
    UserText { asked: text.trim().to_owned(), rules: Vec::new(), is_harness: false }
}
