//! What may be chosen: a chunk as the choice sees it, with what it stands under. Not what it is worth (`worth`), nor which are taken (`choose`).

use crate::text::uses::Term;

/// A chunk that may be kept.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its score.
    pub score: i32,
    /// Tokens it takes.
    pub tokens: u32,
    /// Its terms.
    pub terms: Vec<Term>,
    /// What it says apart from names and numbers; 0 for nothing.
    pub form: u64,
    /// Where it stood, and what it belongs to there, as places in the list of heads. They must stand before it, and are paid once.
    pub heads: [usize; 2],
    /// When it was said: of two about the same the later one holds.
    pub step: u32,
}

/// What chunks belong to.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Tokens it takes.
    pub tokens: u32,
    /// Its terms.
    pub terms: Vec<Term>,
}
