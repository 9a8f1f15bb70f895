//! The stepfold engine: keeps a growing agent conversation inside its model's context window.
//!
//! ```text
//!  messages ── measure ──► entries ─┐
//!  reported usage ─────────────────┼─► plan ─► edits ── apply ─► messages to send
//!  state: what was decided before ─┘    └──► next state, what was done, maybe a question for the summarizer
//! ```
//!
//! Pure: no clock, no randomness, nothing kept between calls but memos, which change no answer. JavaScript is known to `wasm` alone.

pub mod apply;
pub mod digest;
pub mod error;
pub mod model;
mod option;
pub mod pack;
pub mod plan;
pub mod policy;
pub mod providers;
pub mod results;
pub mod run;
pub mod settings;
pub mod state;
pub mod text;
pub mod tokens;
#[cfg(target_arch = "wasm32")]
mod wasm;
pub mod words;

pub use text::{clip, json, redact};
