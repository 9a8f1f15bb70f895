//! How far estimates and reports are trusted: what calibration learns from, and how much room an unknown overhead gets.
//! Numbers only; the arithmetic is in `tokens::calibration`. Tuned on one half of the recorded usage, judged on the other (`npm run bench:usage`).

/// A new ratio starts from the family's and moves as evidence exceeds this many tokens.
pub const PRIOR_TOKENS: f64 = 10_000.0;
/// Before any report a ratio leans to the high side by this factor: a prompt that is too large costs more than one cleared early.
pub const LEAN: f64 = 1.045;
/// Of the ratio it starts from, no report may take away more.
pub const LEAST_RATIO_SHARE: f64 = 0.84;
/// Ratios outside are not believed: nothing that is sent costs so little or so much more than its estimate.
pub const RATIO_RANGE: (f64, f64) = (0.2, 400.0);
/// Two additions in a row whose ratios differ by less than this factor cost what they cost, however far that is from what was learnt.
pub const RATIOS_ALIKE: f64 = 1.5;
/// Additions smaller than this say little about the ratio.
pub const EVIDENCE_TOKENS: f64 = 200.0;
/// A report further than this share from what was predicted is an outlier: a sum over several calls, another model, nonsense.
pub const OUTLIER_SHARE: f64 = 0.5;
/// Tokens by which a report may miss the prediction in any case.
pub const OUTLIER_TOKENS: f64 = 600.0;
/// By how much of itself an estimate may be too low while nothing was learnt. Measured: with it, and the room for an unknown overhead, every recorded session survives a provider that counts 1.35 times what we count, from the first step on.
pub const UNCERTAINTY_SHARE: f64 = 0.45;
/// Tokens of reported additions that halve it.
pub const UNCERTAINTY_TOKENS: f64 = 10_000.0;
/// The messages of one prompt may be off by this share, however much was learnt of others; only what goes beyond it is evidence of another
/// overhead.
pub const ESTIMATE_ERROR: f64 = 0.25;
/// The same where two reports in a row agree on another level.
pub const CONFIRMED_ERROR: f64 = 0.1;
/// The same for the smallest prompt, which the overhead is read off.
pub const SMALLEST_ERROR: f64 = 0.05;
/// An overhead that was given is an estimate, too.
pub const GIVEN_ERROR: f64 = 0.1;
/// The ratio of one prompt lies within these shares of the one that was learnt: a report far below (a mock that always reports the
/// same) must not make growth invisible.
pub const LOCAL_RATIO_SHARES: (f64, f64) = (0.85, 1.2);
/// The estimate of a whole prompt is at most this share too high.
pub const OVERESTIMATE: f64 = 0.15;
/// A report below this share of the estimate is none.
pub const LEAST_SHARE: f64 = 0.3;
/// Least tokens by which the overhead may be off before it is moved.
pub const OVERHEAD_TOKENS: f64 = 100.0;
/// Additions count as evidence for at most this many times the ratio, and at least for its inverse: a new tool is no text.
pub const ADDITIONS_FACTOR: f64 = 2.0;
/// Overhead to leave room for while it is not known: at most this many tokens …
pub const UNKNOWN_OVERHEAD_TOKENS: f64 = 12_000.0;
/// … and at most this share of the window.
pub const UNKNOWN_OVERHEAD_SHARE: f64 = 0.25;
/// Evidence is halved above this, so that the newest steps keep counting.
pub const EVIDENCE_CAP_TOKENS: f64 = 200_000.0;
