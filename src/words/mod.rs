//! Every text stepfold writes for a model: cut results, placeholders, checkpoints, the summarizer's prompt.
//! All are pure functions: a changing text would invalidate the provider's prompt cache. No decision is made here.

pub mod bridge;
pub mod checkpoint;
pub mod compact_tool;
pub mod cut;
pub mod placeholder;
pub mod retrieval;
pub mod summary;
pub mod verdict;
