//! The stepfold engine: keeps a growing agent conversation inside its model's context window.
//!
//! ```text
//!  messages ── measure ──► entries ─┐
//!  reported usage ─────────────────┼─► plan ─► edits ── apply ─► messages to send
//!  state: what was decided before ─┘    └──► next state, what was done, maybe a question for the summarizer
//! ```
//!
//! Pure: no clock, no randomness, no memory between calls. JavaScript is known to `wasm` alone.

pub mod apply;
pub mod breakdown;
pub mod bridge;
pub mod check;
pub mod clip;
pub mod digest;
pub mod entry;
pub mod error;
pub mod event;
pub mod fingerprint;
pub mod history;
pub mod limits;
mod limits_table;
pub mod message;
mod option;
pub mod order;
pub mod overflow;
pub mod pack;
pub mod plan;
pub mod policy;
pub mod prices;
pub mod recall;
pub mod refusal;
pub mod run;
pub mod scan;
pub mod sending;
pub mod settings;
pub mod state;
pub mod step;
mod text;
pub mod texts;
pub mod thinking;
pub mod tokens;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use text::{json, redact};
