//! Texts and their parts: the elements of markup, chunks by format, what each is worth, which are chosen, how they are written. Beside these what
//! reads byte by byte, from the crate of that name. Knows no messages and no tools.

pub mod choose;
pub mod chunk;
pub mod item;
pub mod level;
pub mod markup;
pub mod worth;
pub mod written;

pub use stepfold_text::*;
