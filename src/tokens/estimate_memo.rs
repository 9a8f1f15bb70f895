//! Remembers what short words cost: text repeats itself, and a look costs less than the features of a word.
//! Not state: a word costs the same whether it is remembered or not, so nobody can tell.

use std::cell::RefCell;

use super::words::Prefix;

/// A word of up to fifteen ASCII letters and what stands before it, as two numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Key {
    first: u64,
    second: u64,
}

/// The same byte in all places of a number.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The high bit of every byte of `bytes` that lies between `from` and `to`, which are ASCII.
#[inline(always)]
fn between(bytes: u64, from: u8, to: u8) -> u64 {
    let low = bytes & each(0x7f);
    (low + each(0x80 - from)) & !(low + each(0x7f - to)) & !bytes & each(0x80)
}

impl Key {
    /// The key of the word at `start`, capitals and then small letters, and where it ends. `None` for a word that is too long,
    /// to which letters outside ASCII or a contraction belong, or that stands at the very end of the text.
    #[inline(always)]
    pub(crate) fn of_word(bytes: &[u8], start: usize, prefix: Prefix) -> Option<(Key, usize)> {
        let (first, rest) = bytes.get(start..start + 16)?.split_first_chunk::<8>()?;
        // Eight bytes at once: the branches of a loop, which no processor foresees, would cost more than all the rest.
        let (first, second) = (u64::from_le_bytes(*first), u64::from_le_bytes(*rest.first_chunk::<8>()?));
        let capitals = (!between(first, b'A', b'Z') & each(0x80)).trailing_zeros() & !7;
        if capitals == 64 {
            return None;
        }
        let prefix = match prefix {
            Prefix::Bare => 1,
            Prefix::Space => 2,
            Prefix::Mark(row) => 3 + row as u64,
        } << 56;
        let others = (!between(first, b'a', b'z') & each(0x80)) >> capitals;
        let (key, letters, after) = if others != 0 {
            let bits = capitals + (others.trailing_zeros() & !7);
            (Key { first: first & ((1 << bits) - 1), second: prefix }, bits / 8, first >> bits)
        } else {
            let bits = (!between(second, b'a', b'z') & each(0x80)).trailing_zeros() & !7;
            if bits == 64 {
                return None;
            }
            (Key { first, second: second & ((1 << bits) - 1) | prefix }, 8 + bits / 8, second >> bits)
        };
        let after = after as u8;
        (after < 0x80 && after != b'\'').then_some((key, start + letters as usize))
    }

    #[inline(always)]
    fn slot(self) -> usize {
        ((self.first ^ self.second.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize
    }
}

const SLOT_BITS: u32 = 11;

/// Words and their costs; a newer word takes the place of an older one.
pub(crate) struct Memo {
    keys: [Key; 1 << SLOT_BITS],
    costs: [u32; 1 << SLOT_BITS],
}

impl Memo {
    /// What the word costs, if it is remembered.
    #[inline(always)]
    pub(crate) fn cost(&self, word: Key) -> Option<u32> {
        let slot = word.slot();
        (self.keys[slot] == word).then(|| self.costs[slot])
    }

    /// Remembers a cost.
    #[inline(always)]
    pub(crate) fn keep(&mut self, word: Key, cost: u64) {
        let slot = word.slot();
        if let Ok(cost) = u32::try_from(cost) {
            self.keys[slot] = word;
            self.costs[slot] = cost;
        }
    }
}

/// Lends the memo of this thread.
pub(crate) fn with<Result>(work: impl FnOnce(&mut Memo) -> Result) -> Result {
    thread_local! {
        static MEMO: RefCell<Memo> =
            const { RefCell::new(Memo { keys: [Key { first: 0, second: 0 }; 1 << SLOT_BITS], costs: [0; 1 << SLOT_BITS] }) };
    }
    MEMO.with_borrow_mut(work)
}
