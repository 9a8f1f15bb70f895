//! Remembers what short words cost: text repeats itself, and a look costs less than the features of a word.
//! Not state: a word costs the same whether it is remembered or not, so nobody can tell.

use std::cell::RefCell;

/// A word of up to fifteen ASCII letters and what stands before it, or up to eight marks, as two numbers.
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

/// The sixteen bytes from `start` on; zeros behind the end.
#[inline(always)]
fn sixteen_from(bytes: &[u8], start: usize) -> [u8; 16] {
    match bytes.get(start..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => *chunk,
        None => last_from(bytes, start),
    }
}

#[inline(never)]
fn last_from(bytes: &[u8], start: usize) -> [u8; 16] {
    let mut chunk = [0; 16];
    for (place, byte) in chunk.iter_mut().zip(bytes.iter().skip(start)) {
        *place = *byte;
    }
    chunk
}

/// How many bits of whole bytes at the low end have their high bits set in `these`.
#[inline(always)]
fn bits_of(these: u64) -> u32 {
    (!these & each(0x80)).trailing_zeros() & !7
}

/// The lowest bits, one to 64 of them.
#[inline(always)]
fn lowest(bits: u32) -> u64 {
    u64::MAX.wrapping_shr(64 - bits)
}

// Eight bytes at once and no branch that depends on lengths: those that no processor foresees cost more than all the rest.
impl Key {
    /// The key of the word at `start`, capitals and then small letters, and where it ends; `prefix` is the number of what stands
    /// before it. `None` for a word that is too long, or to which letters outside ASCII or a contraction belong.
    #[inline(always)]
    pub(crate) fn of_word(bytes: &[u8], start: usize, prefix: u8) -> Option<(Key, usize)> {
        let whole = u128::from_le_bytes(sixteen_from(bytes, start));
        let (first, second) = (whole as u64, (whole >> 64) as u64);
        let (capitals, small) = (between(first, b'A', b'Z'), between(first, b'a', b'z'));
        // Where the next piece starts must be known soon, so the common word is not kept waiting for a count of its capitals.
        let capitals = if capitals & 0x8080 == 0x8080 { bits_of(capitals) } else { 8 };
        if capitals == 64 {
            return None;
        }
        let low = bits_of(small | lowest(capitals));
        let high = if low == 64 { bits_of(between(second, b'a', b'z')) } else { 0 };
        if high == 64 {
            return None;
        }
        let after = (if low == 64 { second >> high } else { first >> low }) as u8;
        let key = Key { first: first & lowest(low), second: second & ((1 << high) - 1) | u64::from(prefix) << 56 };
        (after < 0x80 && after != b'\'').then_some((key, start + ((low + high) / 8) as usize))
    }

    /// The key of up to eight marks and newlines; `spaced` when a blank stands before them.
    #[inline(always)]
    pub(crate) fn of_marks(bytes: &[u8], start: usize, end: usize, spaced: bool) -> Key {
        // No prefix of a word has such a number.
        let prefix = 0xfe | u64::from(spaced);
        let whole = u128::from_le_bytes(sixteen_from(bytes, start));
        Key { first: whole as u64 & lowest(8 * (end - start) as u32), second: prefix << 56 }
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
