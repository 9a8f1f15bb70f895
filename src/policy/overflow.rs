//! What is believed of a window after a prompt was refused or cut: how far down, and for how long.

/// A refusal that names no numbers: the window is taken for this share of the refused prompt. A run grows into its window by small steps,
/// so that little less would have fitted; a first prompt may be far beyond, and has one more try only.
pub const UNREPORTED_SHARE: f64 = 0.75;
/// … and for what was taken before, but at least this share, where one step added more: a large result is sent whole, and one that is far
/// beyond the window has one more try only.
pub const UNREPORTED_SHARE_OF_LEAP: f64 = 0.5;
/// A learnt limit is believed for this many steps; then one prompt more is tried, and refused or taken. One call in so many is cheap.
pub const LIMIT_STEPS: u32 = 400;
/// A new run counts as so many steps, as nobody knows how much time has passed.
pub const RUN_COUNTS_AS_STEPS: u32 = 20;
/// A reply that was cut because the window was full needs more than it had: so many times.
pub const REPLY_FACTOR: f64 = 2.0;
/// Replies are left at most this share of a learnt window.
pub const REPLY_SHARE: f64 = 0.5;

// Silent truncation.
/// Additions of fewer estimated tokens say nothing: reports of two prompts may differ by as many.
pub const GROWTH_TOKENS: f64 = 200.0;
/// A report of little more than the additions alone, or far below the one before, is about what a cache did not hold, and says nothing of
/// the window: up to this many times the additions, and what a cache does not hold because it holds whole blocks only, …
pub const ADDITIONS_ALONE: f64 = 1.5;
/// The largest blocks of caches: OpenAI, Anthropic.
pub const CACHE_BLOCK_TOKENS: f64 = 1_024.0;
/// … or below this share of the report before.
pub const LEAST_SHARE_OF_LAST: f64 = 0.5;
