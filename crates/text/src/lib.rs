//! What reads texts byte by byte: JSON, secrets, terms, sentences, chunks, and which chunks are worth keeping. Where an edit spends its time, so a
//! crate that is compiled for speed, beside an engine that is compiled to be small. Knows no messages, no tools, and writes nothing for a model.

pub mod bytes;
pub mod choose;
pub mod chunk;
pub mod clip;
pub mod hash;
pub mod item;
pub mod json;
pub mod later;
pub mod order;
pub mod redact;
pub mod sentence;
pub mod term;
pub mod uses;
pub mod worth;
pub mod written;
