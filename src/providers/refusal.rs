//! Why a provider refused a request, where another one would be taken: the prompt is too large or holds too many images, thoughts have lost their prefix, or the option
//! that asks to leave those out is not known. Reads no error object: the wrapper collects the facts. What is sent instead is decided
//! in `plan`.

use serde::Serialize;

use crate::providers::media::read_too_many;
use crate::providers::overflow::{ErrorFacts, Overflow, read_overflow};

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The prompt is too large.
    Overflow(Overflow),
    /// It holds more images than the host takes in one request: so many, 0 where that is not said.
    TooManyImages(u32),
    /// What stood before a signed thought when it was made has changed.
    Thoughts,
    /// The provider does not take the option `blockBinding`. An error of another option may look the same, so this means something only for a
    /// request that has it.
    Binding,
}

/// What Claude models that bind their thoughts say. Source: platform.claude.com, "Fix a thinking block bound to a different conversation".
const THOUGHTS: &[&[&str]] = &[&["thinking", "bound to a different conversation"]];

/// What is said where the option is not known.
const BINDING: &[&[&str]] = &[
    // Bedrock and proxies without the beta: "thinking.adaptive.block_binding: Extra inputs are not permitted":
    // github.com/BerriAI/litellm/pull/41203, Wei-Shaw/sub2api/pull/6677
    &["block_binding"],
    // A value of `anthropic-beta` that is not known there.
    &["thinking-binding-controls"],
    // The option may stand in `thinking` alone, where others want a type.
    &["thinking", "field required"],
    &["thinking", "extra inputs"],
];

/// Why a request was refused; `None` for an error that no other request cures.
pub fn read_refusal(facts: &ErrorFacts<'_>) -> Option<Refusal> {
    if facts.has_another_reason() {
        return None;
    }
    // The sentence about thoughts names the option, too.
    if facts.say(THOUGHTS) {
        return Some(Refusal::Thoughts);
    }
    let images = read_too_many(facts).map(Refusal::TooManyImages);
    images.or_else(|| read_overflow(facts).map(Refusal::Overflow)).or_else(|| facts.say(BINDING).then_some(Refusal::Binding))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_would_be_taken_instead() {
        let bound = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header. The `system` prompt differs from the one this block was created with.";
        let overflow = Overflow { prompt_tokens: 210_000.0, window_tokens: 200_000.0, ..Overflow::default() };
        for (status, text, expected) in [
            (400, bound, Some(Refusal::Thoughts)),
            (500, bound, Some(Refusal::Thoughts)),
            (
                0,
                "The model returned the following errors: messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. The `thinking` block that preceded this one when it was created is missing from this request.",
                Some(Refusal::Thoughts),
            ),
            (400, "prompt is too long: 210000 tokens > 200000 maximum", Some(Refusal::Overflow(overflow))),
            (
                400,
                "BedrockException - {\"message\":\"thinking.adaptive.block_binding: Extra inputs are not permitted\"}",
                Some(Refusal::Binding),
            ),
            (400, "Unexpected value(s) `thinking-binding-controls-2026-08-01` for the `anthropic-beta` header.", Some(Refusal::Binding)),
            (400, "thinking.type: Field required", Some(Refusal::Binding)),
            // A rate limit that quotes one, a signature that is damaged, other fields.
            (429, bound, None),
            (400, "messages.1.content.0: Invalid `signature` in `thinking` block", None),
            (400, "Invalid thought signature.", None),
            (400, "tools.0.input_schema: Field required", None),
            (529, "Overloaded", None),
        ] {
            let status_codes = if status == 0 { vec![] } else { vec![status] };
            let facts = ErrorFacts { status_codes, texts: vec![text], ..ErrorFacts::default() };
            assert_eq!(read_refusal(&facts), expected, "{status} {text}");
        }
    }
}
