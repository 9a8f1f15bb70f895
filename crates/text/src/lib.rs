//! What reads texts byte by byte: JSON, secrets, terms and how they were used, sentences. Where an edit spends its time, so a crate: how it is
//! compiled is one line of the workspace's Cargo.toml. Knows no messages, no tools, and writes nothing for a model.

pub mod bytes;
pub mod clip;
pub mod hash;
pub mod json;
pub mod line;
pub mod order;
pub mod parts;
pub mod redact;
pub mod sentence;
pub mod term;
pub mod uses;
