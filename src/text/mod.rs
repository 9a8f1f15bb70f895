//! What reads texts byte by byte: JSON, secrets, and the kinds of bytes they are made of.
//! Knows no messages, and writes nothing for a model.

pub mod bytes;
pub mod clip;
pub mod json;
pub mod redact;
