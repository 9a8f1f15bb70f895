//! Counting: text by estimate, media by kind, and what the provider's own numbers teach.
//! Not here: which messages to keep (see `plan`).

pub mod breakdown;
pub mod calibration;
pub mod estimate;
pub mod extent;
pub mod media;
pub mod traits;

/// Tokens a provider adds around each message (role, delimiters). Source: OpenAI's cookbook on counting chat tokens gives 3 to 4.
pub const MESSAGE_TOKENS: u32 = 4;

/// Tokens one byte costs when a typed array is sent as JSON (`"123":45,`), seen with `o200k_base`: 4.2 to 5.
pub const TOKENS_PER_JSON_BYTE: u64 = 5;

/// Estimated tokens that a provider adds for a call and its result, at most: ids, the form around name and input, the form around the result.
pub const CALL_TOKENS: u32 = 80;

/// A count that may exceed what fits, brought into range.
pub fn saturate(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
