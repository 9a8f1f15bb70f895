//! What is known of the past without asking a model: what messages say of files, commands, errors and plans, what the model said in them,
//! and the identifiers they spoke of. Not what becomes of it: which of it a checkpoint holds is decided in `plan`, and its words are in `texts`.
//!
//! Two layers. The first reads one message and knows nothing of a conversation:
//!
//! - `facts` (with `facts/read`): what one call or result says, and the facts of a span, which accumulate over checkpoints.
//! - `identifiers`: which words of a text are names that somebody may ask for again.
//! - `excerpts`: for each part of a message its identifiers and a quote; an entry keeps them of few new messages.
//!
//! - `call` (with `shell`, `code` and `patch`): which `action`s a call takes. `outcome`: what came of it. `user`: what a message of the user asks. `plan`: the
//!   plan over its changes.
//!
//! The second goes over the entries of a span, and reads messages again where an entry keeps nothing:
//!
//! - `heard`: the excerpts of a span.
//! - `mentioned`: the identifiers of a span, newest first, within a budget.
//!
//! Secrets are kept out by `text::redact`, which reading JSON and clipping texts need as well.

pub mod action;
pub mod call;
pub mod code;
pub mod excerpts;
pub mod facts;
pub mod heard;
pub mod identifiers;
pub mod mentioned;
pub mod outcome;
pub mod patch;
pub mod plan;
pub mod shell;
pub mod user;
