//! Numbers of the rungs and of the summarizer: when a rung is worth an edit, and how far it goes. Shares of the room are in `policy::room`.

// Clear and checkpoint.
/// Tokens a placeholder takes without parts of its result, roughly, …
pub const PLACEHOLDER_TOKENS: u32 = 45;
/// … and what a part or two add; results below both are left alone.
pub const FEW_PARTS_TOKENS: u32 = 80;
/// The shortest placeholder has this many …
pub const LEAST_PLACEHOLDER_TOKENS: u32 = 25;
/// … and most of those have about this many that a plan takes to be cleared while it looks for what to fold: half of them 70 to 115.
pub const EXPECTED_PLACEHOLDER_TOKENS: u32 = 85;
/// Clearing takes so much more than must go, as a share of that: parts of what was cleared have it.
pub const PARTS_SHARE: f64 = 0.2;
/// Of what clearing saved, one in so many tokens is for parts in any case: an edit that comes when older placeholders have filled the room must not
/// leave the newer results with nothing. Measured beside none: two points more of the judge's facts at the same cost; one in eight finds no more.
pub const PARTS_OF_SAVED: u64 = 12;
/// For less room than this no parts are looked for.
pub const LEAST_PARTS_TOKENS: u32 = 60;
/// A part takes at most one in so many tokens of its result: what is one piece is kept whole or cleared.
pub const PARTS_OF_RESULT: u32 = 2;
/// Of what a cut result keeps, one in so many tokens is for parts between head and tail. Measured (bench/replay) beside one in two: of recorded
/// coding sessions fewer quoted lines are lost, and logs, tables and contracts show the same.
pub const PARTS_OF_CUT: u32 = 4;
/// By how much more than most a part between head and tail must score, …
pub const OUTSTANDING: i32 = 32;
/// … and by how much less than the best it may: head and tail would have its room.
pub const BELOW_BEST: i32 = 40;
/// What each halving of the chunks that hold what of one is asked for adds to its score.
pub const ASKED: i32 = 8;
/// Such parts have this part of the room; what stands around them has the rest, …
pub const AROUND_PART: u32 = 2;
/// … up to so many chunks before and behind each.
pub const AROUND: usize = 12;
/// After clearing, a checkpoint is made only when the target is missed by more than this share of the way to the trigger: a fold
/// breaks the cache from the very start. Measured (bench/replay) beside a half: calls do not pile up, from 64k on a twentieth cheaper.
pub const NEAR_TARGET_SHARE: f64 = 0.25;
/// Bytes of the user's own digests of results that decisions may hold together, which must have their place in the state.
pub const DIGESTS_BYTES: usize = 48 * 1024;
/// More single decisions than this are folded rather than kept, so that the state stays small.
pub const MOST_DECISIONS: usize = 2_500;
/// A plan that found nothing more to do is not asked again before this part of the least saving has been added.
pub const STUCK_PART: f64 = 4.0;
/// Between runs, clearing is worth an edit that saves this part of what it must save else: the cache is cold, and thoughts may be lost.
pub const PRUNE_PART: u32 = 10;
/// A checkpoint that is asked for leaves at most this part of a conversation as tail.
pub const COMPACT_TAIL_PART: u64 = 4;

// Cap and squeeze.
/// No result is cut below this for an option's sake.
pub const SMALLEST_CAP_TOKENS: u32 = 200;
/// New results that cannot fit whole get at least this part of what fits, together: for less the rest gives way.
pub const NEW_RESULTS_PART: u32 = 2;
/// What the model has seen is cut to the first of these, and only where that is not enough to the second.
pub const SEEN_TOKENS: [u32; 2] = [400, 100];
/// What a result that the model has not seen keeps: about a hundred lines of code, enough to go on with.
pub const UNSEEN_TOKENS: u32 = 1_000;
/// … and where only less fits: a shell's last lines, the first hits of a search. Less would be of no use.
pub const LEAST_UNSEEN_TOKENS: u32 = 200;
/// … and where there are so many of them that only this fits: whose result it is, and that more was there.
pub const SHARED_UNSEEN_TOKENS: u32 = 24;
/// No message of the user is cut below this.
pub const USER_TOKENS: u32 = 100;
/// The part of the limit that stays free however little can give way.
pub const MARGIN_PART: u32 = 20;
/// A checkpoint may have so much beside the request also where hardly anything is left beside what cannot give way: less says nothing.
pub const CROWDED_CHECKPOINT_TOKENS: u32 = 400;

// The summarizer.
/// Tokens that a summary may have when the user does not say.
pub const SUMMARY_TOKENS: u32 = 2_000;
/// The part of the way to the trigger that is left when a summary is requested ahead of time, if no threshold was given: a fifth.
pub const AHEAD_PART: u32 = 5;
/// Failures in a row after which the summarizer is left alone for a while. Source: Claude Code's breaker.
pub const FAILURES: u32 = 3;
/// Steps for which it is left alone; then it is asked once, and one more failure lets it rest again.
pub const REST_STEPS: u32 = 20;
/// Parts that one step has a summarizer read; what is left is read at later steps.
pub const MOST_PARTS: u32 = 4;
/// By how much of itself the estimate of a summarizer's prompt may be too low: nothing is reported of it (see `LEAST_UNCERTAINTY_OF_ADDED_SHARE`).
pub const SUMMARIZER_UNCERTAINTY_SHARE: f64 = 0.3;
/// The part of the summarizer's prompt that is for the conversation at least …
pub const LEAST_READING_PART: u32 = 4;
/// … and the part that is for earlier words of the user's at most.
pub const USER_WORDS_PART: u32 = 4;
/// A summary may have so many times the tokens that it is asked to have, as models do not count well; what is longer is refused. All of
/// it is kept: with what is asked at most, a checkpoint is twice as large then.
pub const SUMMARY_EXCESS: u32 = 2;
/// Tokens of what is known already in the prompt for an update.
pub const SPAN_FACTS_TOKENS: u32 = 1_000;

// Clearing.
/// A placeholder must save more than this part of itself by the estimate. Measured with `o200k_base` and `cl100k_base` (`tests/tokens`): without
/// it one in 290 placeholders of small results came out larger than what it stands for, by at most 4 %; emoji need a quarter.
pub const PLACEHOLDER_MARGIN: u32 = 4;
/// Bytes of results that one plan wants written as files when it clears, and as many when it folds: a step waits for them.
pub const FILES_BYTES: usize = 8_000_000;
