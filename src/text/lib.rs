//! What reads texts byte by byte: JSON, secrets, identifiers, and the small things they are made of.
//! A crate of its own only so that it can be compiled apart from the rest. Knows no messages, and writes nothing for a model.

pub mod bytes;
pub mod identifiers;
pub mod json;
pub mod redact;
