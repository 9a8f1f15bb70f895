//! What a checkpoint has room for. Shares are of the checkpoint where nothing else is said; how large it may be is in `policy::room`.
//! Numbers only; what they are used for is in `plan::checkpoint` and `words::checkpoint`.

/// The original request at most, as a share of the checkpoint.
pub const REQUEST_SHARE: f64 = 0.6;
/// What a summary is asked to take at most, as a share of the checkpoint.
pub const SUMMARY_SHARE: f64 = 0.5;
/// What the app says of its own state at most, as a share of the checkpoint.
pub const WORKING_SHARE: f64 = 0.2;
/// What the app says at the end of a checkpoint at most, as a share of the checkpoint …
pub const NOTE_SHARE: f64 = 0.1;
/// … and in a small one: two sentences of instructions.
pub const NOTE_TOKENS: u32 = 80;
/// Latest results of tools that are to be kept at most, as a share of the checkpoint.
pub const KEPT_SHARE: f64 = 0.2;
/// A later message of the user that is remembered, at most, as a share of the checkpoint.
pub const USER_SHARE: f64 = 0.3;
/// What its sections may take together, as a share of the checkpoint: the rest is a margin for what the parts cost together.
pub const SECTIONS_SHARE: f64 = 0.95;
/// Beginning, titles and end of a checkpoint.
pub const FRAME_TOKENS: u32 = 160;
/// A section with less room than this stays away.
pub const LEAST_SECTION_TOKENS: u32 = 12;

/// What a section may take of the sections' room: at first, and when others leave some.
pub struct Share {
    /// At first; together they are one.
    pub first: f64,
    /// At most.
    pub most: f64,
}

const fn share(first: f64, most: f64) -> Share {
    Share { first, most }
}

/// The request.
pub const REQUEST: Share = share(0.15, 0.5);
/// What was done: it outlives all that can be looked up again.
pub const ACTS: Share = share(0.07, 0.5);
/// System messages in the middle of the conversation, which are rare: beside what the others share at first.
pub const APP: Share = share(0.05, 0.3);
/// Later messages of the user.
pub const USERS: Share = share(0.10, 0.5);
/// Where the work stands.
pub const STANDS: Share = share(0.07, 0.2);
/// The summarizer's text: whole, beside what the others share.
pub const SUMMARY: Share = share(0.0, 0.0);
/// What the model told the user.
pub const CONCLUSIONS: Share = share(0.10, 0.35);
/// What still fails.
pub const FAILING: Share = share(0.04, 0.1);
/// What calls brought: most of what the others leave.
pub const FINDINGS: Share = share(0.22, 0.7);
/// The work log.
pub const LOG: Share = share(0.13, 0.5);
/// What the model said it found, beside its calls. Nothing else holds it (tests/demo).
pub const NOTES: Share = share(0.12, 0.34);

/// What a fold leaves free below the target a checkpoint may have beyond its own room, up to this part of it.
pub const FREE_PART: u32 = 2;
/// This part of what is newly folded may be kept as findings at most.
pub const FOUND_PART: u32 = 3;
/// A fold is planned to save at least this part of what it folds.
pub const SAVED_PART: u32 = 4;
/// Bytes that are recorded for each token of the checkpoint's text, and beside that: the next checkpoint may quote more of it.
pub const BYTES_PER_TOKEN: usize = 4;
/// See above.
pub const LEAST_BYTES: usize = 16 * 1024;
/// Checkpoints up to this come out as large as they may get.
pub const FULL_TOKENS: u32 = 2_000;
/// Checkpoints kept: the newest, and older ones for histories that were edited after them.
pub const CHECKPOINTS_KEPT: usize = 3;
