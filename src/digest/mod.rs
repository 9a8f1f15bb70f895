//! What calls do and what came of them, whatever the tools are called: effects, subjects, what acting calls returned, what still fails.
//! Knows no harness and no wording of a checkpoint; which tools coding agents have is known in `record`.

pub mod account;
pub mod act;
pub mod choose;
pub mod chunk;
pub mod effect;
pub mod envelope;
pub mod failure;
pub mod findings;
pub mod returned;
pub mod shown;
pub mod speech;
pub mod status;
pub mod subject;
pub mod term;
pub mod tools;
pub mod uses;
mod verbs;
pub mod worth;
pub mod written;
