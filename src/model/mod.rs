//! A conversation as the engine sees it: messages and their parts, what is remembered of each, and a list of them. Not what it says: that is `digest`.

pub mod carried;
mod cleaned;
pub mod entry;
pub mod fingerprint;
pub mod form;
pub mod history;
pub mod message;
pub mod scan;
pub mod span;
