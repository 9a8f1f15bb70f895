//! Texts and their parts: chunks by format, what each is worth, which are chosen, what corrects them, how they are written. Beside these what
//! reads byte by byte, from the crate that is compiled for speed. Knows no messages and no tools.

pub mod chunk;
pub mod markup;
pub mod worth;
pub mod written;

pub use stepfold_text::*;
