//! What may be chosen: a chunk as the choice sees it, with what it stands under. Not what it is worth (`worth`), nor which are taken (`choose`).

use crate::text::hash::mix;
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
    /// What a row is known by (`key_of`); zero for what is none.
    pub key: u64,
    /// When it was said: of two rows of one key the later one holds.
    pub step: u32,
}

/// What a row is known by: what it stands under, such as the names of columns, and its first cell: `2025-07` of `2025-07;14200310.55`.
pub fn key_of<'t>(under: impl Iterator<Item = &'t str>, text: &str) -> u64 {
    let under = under.fold(0, |key, head| mix(key, head.trim().as_bytes()));
    let row = text.trim_start_matches(['|', ' ']);
    match row.split_once([',', ';', '|', '\t']) {
        Some((cell, _)) if under != 0 => mix(under, cell.trim().as_bytes()),
        _ => 0,
    }
}
