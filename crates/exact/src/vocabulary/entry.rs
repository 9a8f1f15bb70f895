//! What is known of a token, in one number, so that all of it is in one place in memory. Knows no bytes.

use super::Token;

/// Both encodings have fewer tokens than these bits can tell.
const TOKEN_BITS: u32 = 18;
/// The bits of a token.
pub const TOKEN_MASK: u32 = (1 << TOKEN_BITS) - 1;

/// From the lowest bit on: the two halves, where the bytes begin, and how many they are, less one.
#[derive(Clone, Copy)]
pub struct Entry(pub u64);

const RIGHT_SHIFT: u32 = TOKEN_BITS;
const START_SHIFT: u32 = 2 * TOKEN_BITS;
const LENGTH_SHIFT: u32 = 57;

impl Entry {
    /// Of the token that these two are merged into; a single byte is merged from itself and itself.
    #[inline]
    pub fn of_halves(left: Token, right: Token) -> Self {
        Self(u64::from(left) | u64::from(right) << RIGHT_SHIFT)
    }

    /// The same, with its place.
    #[inline]
    pub fn at(self, start: usize, length: usize) -> Self {
        Self(self.0 | (start as u64) << START_SHIFT | ((length - 1) as u64) << LENGTH_SHIFT)
    }

    /// The two tokens that are merged into it.
    #[inline]
    pub fn halves(self) -> (Token, Token) {
        (self.0 as u32 & TOKEN_MASK, (self.0 >> RIGHT_SHIFT) as u32 & TOKEN_MASK)
    }

    /// Where its bytes begin.
    #[inline]
    pub fn start(self) -> usize {
        (self.0 >> START_SHIFT) as usize & ((1 << (LENGTH_SHIFT - START_SHIFT)) - 1)
    }

    /// How many they are.
    #[inline]
    pub fn length(self) -> usize {
        (self.0 >> LENGTH_SHIFT) as usize + 1
    }
}
