//! What calls do and how they end, whatever the tools are called: effects, subjects, what acting calls returned, what still fails.
//! And what is kept of a folded span (`record`), read off its messages (`reader`). Knows no harness and no wording of a checkpoint; of tools it
//! knows by name only those that keep a plan.

pub mod act;
pub mod approvals;
pub mod call_facts;
pub mod effect;
pub mod failure;
pub mod findings;
mod fit;
mod former;
pub mod mentions;
pub mod novelty;
pub mod plan;
pub mod reader;
pub mod record;
mod repeat;
pub mod replies;
pub mod result_digest;
pub mod said;
pub mod shown;
pub mod status;
pub mod subject;
pub mod tools;
mod verbs;
