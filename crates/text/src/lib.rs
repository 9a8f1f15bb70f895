//! What reads texts byte by byte: JSON, secrets, terms and how they were used, sentences. An edit spends most of its
//! time here. A crate of its own, so that nothing in it can reach into the engine: it knows no messages and no tools.

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
