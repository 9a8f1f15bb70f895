//! Bounds of what the model may ask of its own context.

/// The part of the budget that pinned results may have among the messages, and as much again in the checkpoint: a quarter together, as much
/// as a checkpoint may take.
pub const PINNED_SHARE: f64 = 0.125;
/// Pinned results among the messages, and as many in the checkpoint. More is a copy of the conversation.
pub const MOST_PINS: usize = 8;
/// Bytes of the pinned results in a checkpoint: three checkpoints are kept, and all of them must fit into a stored state.
pub const PINNED_BYTES: usize = 40 * 1024;
/// How much larger than after its last fold the prompt must be before the model may fold again: a fifth. Below that a fold costs the
/// provider's cache and saves next to nothing.
pub const GROWTH: f64 = 1.2;
/// Characters of a focus.
pub const FOCUS_CHARS: usize = 1_000;
