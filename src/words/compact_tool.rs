//! What the compact tool answers the model: what will happen, in a sentence or two. Decides nothing.

use crate::model::fingerprint::Fingerprint;
use crate::text::clip::one_line;

/// Tools that are named where the model means one without a result.
const NAMED_TOOLS: usize = 20;

/// Which result the model means.
pub struct PinTarget<'a> {
    /// The name of its tool, its `toolCallId`, or the id under which it can be recalled.
    pub name: &'a str,
    /// What stands in its call or in itself, letter case ignored; empty for the newest.
    pub containing: &'a str,
}

/// Whether that result can be pinned.
pub enum PinOutcome {
    /// It can be pinned.
    Free {
        /// Which one it is.
        fingerprint: Fingerprint,
        /// Its tool.
        tool: String,
        /// Its tokens, as the provider likely counts.
        tokens: u32,
        /// Tools of older results that then are not pinned any more.
        released: Vec<String>,
    },
    /// It is pinned.
    Pinned,
    /// It was cleared or cut.
    Edited,
    /// It alone is more than may be pinned.
    TooLarge {
        /// Its tokens, as the provider likely counts.
        tokens: u32,
        /// This many may be.
        most_tokens: u32,
    },
    /// Images or files stand in it, and a checkpoint is text.
    Media,
    /// It is not there; results of these tools are.
    Missing {
        /// Each once, the newest first.
        tools: Vec<String>,
    },
}

/// The answer about a result that is to be kept whole.
pub fn pinned(outcome: &PinOutcome, target: &PinTarget<'_>) -> String {
    match outcome {
        PinOutcome::Free { tool, tokens, released, .. } => {
            let mut text = format!(
                "Pinned: the result of {} (about {tokens} tokens) stays as it is. When its message is folded, it stands verbatim in the checkpoint.",
                one_line(tool)
            );
            if !released.is_empty() {
                text.push_str(&format!(" To make room for it older ones are not pinned any more: {}.", one_line(&released.join(", "))));
            }
            text
        }
        PinOutcome::Pinned => "Nothing to do: that result is pinned already.".to_owned(),
        PinOutcome::Edited => {
            "Not pinned: that result was cleared or cut before, and does not stand here whole. Get it once more and pin the new result."
                .to_owned()
        }
        PinOutcome::TooLarge { tokens, most_tokens } => {
            format!("Not pinned: that result has about {tokens} tokens, and {most_tokens} may be pinned. Write down what you need of it.")
        }
        PinOutcome::Media => "Not pinned: a result with images or files cannot be. Write down what you need of it.".to_owned(),
        PinOutcome::Missing { tools } => {
            let which = if target.containing.is_empty() { "" } else { " with that text" };
            let available = match tools.len() {
                0 => "There is no result that can be pinned.".to_owned(),
                _ => format!("There are results of {}.", one_line(&tools[..tools.len().min(NAMED_TOOLS)].join(", "))),
            };
            format!("Not pinned: no result of that tool{which} stands in the messages. {available}")
        }
    }
}

/// The answer about a fold.
pub fn folded(folds: bool, focus: &str) -> String {
    match (folds, focus) {
        (true, "") => "Before your next step older messages are folded into a checkpoint, if that saves anything. The newest ones stay.".to_owned(),
        (true, _) => {
            "Before your next step older messages are folded into a checkpoint with that focus, if that saves anything. The newest ones stay."
                .to_owned()
        }
        (false, _) => "Nothing is folded: you did so not long ago, and hardly anything has been added since. Go on with the work; when room runs out, older messages are folded without your asking.".to_owned(),
    }
}
