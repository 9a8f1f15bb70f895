//! What is known of the past without asking a model: what the user asked, what the model did and told, what came of it.
//! Not what becomes of it: which of it a checkpoint holds is decided in `plan`, and its words are in `texts`.
//!
//! Three layers. The first reads one text and knows nothing of a conversation:
//!
//! - `call` (with `shell`, `code` and `patch`): which `action`s a call takes. `outcome`: what came of it. `user`: what a message of the user asks. `plan`: the
//!   plan over its changes.
//! - `line`: one call as one line. `conclusions`: what the model told, and whether the user agreed. `empty`: which messages say nothing.
//!
//! The second is what is known: `work` holds the `Record`, put together over all folds.
//!
//! The third, `reader`, goes over the messages of a span and adds what they say to the record; `taken` what their calls did, with what
//! edits declare (`declared`).
//!
//! Secrets are kept out by `text::redact`, which reading JSON and clipping texts need as well.

pub mod action;
pub mod call;
pub mod code;
pub mod conclusions;
pub mod declared;
pub mod empty;
pub mod fit;
pub mod line;
pub mod outcome;
pub mod patch;
pub mod plan;
pub mod reader;
pub mod shell;
pub mod taken;
pub mod touch;
pub mod user;
pub mod work;
