//! What calls do and what came of them, whatever the tools are called: effects, subjects, what acting calls returned, what still fails.
//! Knows no harness and no wording of a checkpoint; which tools coding agents have is known in `record`.

pub mod act;
pub mod effect;
pub mod failure;
pub mod returned;
pub mod speech;
pub mod status;
pub mod subject;
pub mod tools;
mod verbs;
