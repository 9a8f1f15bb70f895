//! What a checkpoint has room for. Shares are of the checkpoint where nothing else is said; how large it may be is in `policy::room`.
//! Numbers only; what they are used for is in `plan::checkpoint` and `plan::composition`.

/// The original request at most, as a share of the checkpoint.
pub const REQUEST_SHARE: f64 = 0.6;
/// A summary at most, as a share of the checkpoint.
pub const SUMMARY_SHARE: f64 = 0.5;
/// What the app says of its own state at most, as a share of the checkpoint.
pub const WORKING_SHARE: f64 = 0.2;
/// Latest results of protected tools at most, as a share of the checkpoint.
pub const KEPT_SHARE: f64 = 0.2;
/// The user's later messages at most, as a share of the checkpoint; the newest is cut to that when it is longer.
pub const USER_SHARE: f64 = 0.3;
/// Those before the newest, of a small checkpoint. Measured at 16k: a quarter of a point more of all that is referred to again, a point
/// more of what only results said; five of 91 % of the messages less.
pub const SMALL_USER_SHARE: f64 = 0.2;
/// A checkpoint of at most so many tokens is small.
pub const SMALL_TOKENS: u32 = 4_000;
/// The oldest of them that is told is cut to no less.
pub const LEAST_CUT_TOKENS: u32 = 100;
/// Facts at most, as a share of the checkpoint. Measured (bench/replay): a list of files finds two to five times as much for its tokens as
/// any other section, what the model said next to nothing.
pub const FACTS_SHARE: f64 = 0.35;
/// The digest at least, as a share of the checkpoint; it may have what the other sections leave.
pub const DIGEST_SHARE: f64 = 0.2;
/// What only the words of the model tell, at least, as a share of the digest. Measured at 16k: up to half a point less of all that recorded
/// sessions refer to again than with calls alone, but nothing else tells what an agent found out (tests/demo).
pub const SAID_SHARE: f64 = 0.7;
/// All that the model said, at least: not every finding has an identifier.
pub const INTENT_SHARE: f64 = 0.4;
/// Identifiers that folded messages spoke of, at most, as a share of the checkpoint. Measured (bench/replay) beside none: of what only
/// results said 9 points more is found again at 16k, 5 at 32k, 4 at 64k and 128k, for 0.01 to 0.02 of the bill. Beside 0.35 of the
/// checkpoint, with which that was measured, 0.45 finds another point of it at 32k, half a point at 16k; 0.6 a little more.
pub const MENTIONED_SHARE: f64 = 0.6;
/// What its sections may take together, as a share of the checkpoint.
pub const SECTIONS_SHARE: f64 = 0.9;
/// Beginning, titles and end of a checkpoint.
pub const FRAME_TOKENS: u32 = 140;
/// Checkpoints up to this come out as large as they may get.
pub const FULL_TOKENS: u32 = 2_000;
/// Bytes of facts that are recorded.
pub const FACTS_BYTES: usize = 32 * 1024;
/// Media of the original request that a checkpoint carries along.
pub const MEDIA_PARTS: usize = 8;
/// Checkpoints kept: the newest, and older ones for histories that were edited after them.
pub const CHECKPOINTS_KEPT: usize = 3;
