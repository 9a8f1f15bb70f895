//! Shares of the room: what fits, how large the tail, an old result and a checkpoint may be, how much an edit must save.
//! The room is what the provider leaves for messages: window less reserve and overhead. Every function here is monotone in it and in the
//! target, so that a larger window never keeps less. Where work starts and ends is in `policy::thresholds`.

use super::between;

// The room itself.
/// Reserve when the user gives none. Source: opencode.
const RESERVE_TOKENS: f64 = 20_000.0;
/// The reserve at most, as a share of the window: small windows would have no room left.
const RESERVE_SHARE: f64 = 0.25;
/// Least budget to plan with, as a share of the window: when the overhead seems to leave less, it may have been learnt wrong.
pub const SMALLEST_SHARE: f64 = 0.1;

// What fits.
/// Part of the budget that is filled at most, because what arrives is only estimated.
pub const FIT_SHARE: f64 = 0.95;
/// What squeezing leaves: the list that it makes is a new one, all of which is only estimated. Measured: at 0.95 two of 22 sessions
/// overflow a window of 16k when the provider counts 1.35 times what we count, at 0.85 one with `optimize: 'recall'`.
pub const SQUEEZED_SHARE: f64 = 0.78;
/// By how much of itself an estimate may be too low at least, however much was learnt: texts differ from those it was learnt from.
/// Measured: at 0.12 one session overflows.
pub const LEAST_UNCERTAINTY_SHARE: f64 = 0.16;
/// The same for what was added since the last report, which is one text or two, whose errors do not level out. Measured with a provider
/// that counts 1, 1.25 and 1.35 times what is counted, at 16k to 64k: at 0.16 three sessions of 218 overflow, at 0.3 none.
pub const LEAST_UNCERTAINTY_OF_ADDED_SHARE: f64 = 0.3;
/// By how much a text may be above what its kind of model counts, whatever the run's own ratio: where a run's texts count little, one of
/// another kind does not. Measured: a colored test report of 18,000 tokens, in a run that counts 0.75, overflows a window of 32k without it.
pub const OTHER_KIND_SHARE: f64 = 0.1;
/// By how much of itself an estimate may be too high.
pub const OVERESTIMATE_SHARE: f64 = 0.2;

// The tail.
/// Tokens of the tail. Source: opencode.
const TAIL_TOKENS: f64 = 40_000.0;
/// The tail at most, as a share of the budget.
const TAIL_SHARE: f64 = 1.0 / 3.0;
/// The tail, as a share of the target: work that may not touch more than the target would never get there, and in a room of at most the
/// first size the checkpoint takes most of the target. The share grows up to the second size.
const TAIL_OF_TARGET: [(f64, f64); 2] = [(17_000.0, 0.25), (25_000.0, 2.0 / 3.0)];

// Between target and trigger.
/// Work ends by at least this share of the trigger below it, and by cost starts by at least this share of the target above it.
pub const GAP_SHARE: f64 = 0.125;
/// Where no usage is reported, work ends so low that so many steps like those so far fit before the next edit …
pub const SILENT_STEPS: f64 = 5.0;
/// … but not below this share of the target. Measured (tests/policy): with results of a
/// twelfth of the window 18 of 80 steps edit; without both 74.
pub const SILENT_SHARE: f64 = 0.3;
/// … nor below so many tokens: a checkpoint needs them for the request.
pub const SILENT_TOKENS: f64 = 2_600.0;

// The least saving.
/// A clearing need not save more than this share of the way from target to trigger.
pub const LEAST_SAVING_OF_GAP: f64 = 0.5;
/// Least saving of a clearing. Source: opencode.
const MIN_CLEAR_TOKENS: f64 = 20_000.0;
/// Least saving of a clearing, at most this share of the budget.
const MIN_CLEAR_SHARE: f64 = 0.1;

// Results.
/// What new results take before the rest stands beside the target, as a share of the budget, and at least in a small window.
const LARGE_SHARE: f64 = 0.1;
const LARGE_TOKENS: f64 = 3_000.0;
const SMALL_LARGE_SHARE: f64 = 0.17;

// Checkpoints.
/// A checkpoint at most, as a share of the budget. Measured beside 0.3: .4 points more at 16k and .3 at 32k (bench/agents), for the same cost,
/// and .7 less of quoted lines at 32k (bench/replay); at 0.42 it is 2.3 less.
const CHECKPOINT_SHARE: f64 = 0.36;
/// A checkpoint at most: beyond this a larger window buys nothing, and the state must stay small.
const CHECKPOINT_TOKENS: f64 = 16_000.0;
/// A checkpoint at most, as a share of the target: it finds more for its tokens than a tail does. Measured (bench/replay) beside 0.6: at 64k
/// two points more of what only results said, at 32k half a point of quoted lines, for up to 1 % more cost; at 16k, with the smaller tail
/// there, a point more of all that is referred to again, and fewer edits.
pub const CHECKPOINT_OF_TARGET: f64 = 0.75;

/// The words of the user may have this part of the room beyond their share of a checkpoint, and so may what was done: nothing brings them
/// back. Measured (bench/agents): support and travel agents in small windows.
pub const LASTING_PART: u32 = 8;

/// Tokens kept free for the reply.
pub fn reserve(window: f64, most_output: f64) -> f64 {
    reserve_within(window, most_output.min(RESERVE_TOKENS))
}

/// A reserve in a window that turned out smaller.
pub fn reserve_within(window: f64, reserve: f64) -> f64 {
    reserve.min(window * RESERVE_SHARE)
}

/// The tail at most.
pub fn tail(room: f64) -> f64 {
    TAIL_TOKENS.min(TAIL_SHARE * room)
}

/// The tail at most, as a share of the target.
pub fn tail_of_target(room: f64) -> f64 {
    between(&TAIL_OF_TARGET, room)
}

/// What a clearing must save.
pub fn least_saving(room: f64) -> f64 {
    MIN_CLEAR_TOKENS.min(MIN_CLEAR_SHARE * room)
}

/// What new results take before the rest stands beside the target.
pub fn large_result(room: f64) -> f64 {
    (LARGE_SHARE * room).max(LARGE_TOKENS.min(SMALL_LARGE_SHARE * room))
}

/// A checkpoint at most, whatever the target.
pub fn checkpoint(room: f64) -> f64 {
    (CHECKPOINT_SHARE * room).min(CHECKPOINT_TOKENS)
}
