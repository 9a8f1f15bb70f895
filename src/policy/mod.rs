//! Every number of policy: what is kept, what goes, when, and how far an estimate is trusted. Each has its unit, and its source or the
//! effect that was measured. Not the decisions themselves, which are in `plan`, nor what a user may choose, which is in `settings`.
//!
//! - `thresholds`: where work starts and ends, one formula for each mode.
//! - `room`: shares of what the window leaves for messages.
//! - `ladder`: when a rung is worth an edit and how far it goes; when the summarizer is asked.
//! - `checkpoint`: how the sections of a checkpoint share its room.
//! - `estimates`: what calibration believes.
//! - `compact_tool`: how much the model may ask of its own context.
//! - `overflow`: what is believed of a window after a prompt was refused or cut.
//!
//! What grows with the window never shrinks when the window grows: a test walks over windows from 2,000 to 2,000,000 tokens in every mode.

pub mod checkpoint;
pub mod compact_tool;
pub mod estimates;
pub mod ladder;
pub mod overflow;
pub mod room;
mod thresholds;

pub use thresholds::{Optimize, Pace, cheapest_trigger, default_target, default_trigger};

/// The straight line between corner points, read at `at`; level before the first corner and behind the last.
fn between(corners: &[(f64, f64)], at: f64) -> f64 {
    let before = corners.iter().rev().find(|(from, _)| *from <= at);
    let behind = corners.iter().find(|(from, _)| *from > at);
    match (before, behind) {
        (Some((x, y)), Some((next_x, next_y))) => y + (next_y - y) * (at - x) / (next_x - x),
        (Some((_, y)), None) | (None, Some((_, y))) => *y,
        (None, None) => 0.0,
    }
}
