//! Short strings of bytes as numbers, for tables: compared and hashed without a loop.

/// Up to this many bytes are handled as two numbers.
pub const KEY_BYTES: usize = 16;

/// The first bytes of something, zeros behind its end.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Key {
    /// The first eight bytes.
    pub low: u64,
    /// The others.
    pub high: u64,
}

impl Key {
    /// What a key of this length keeps.
    const MASKS: [Key; KEY_BYTES + 1] = {
        let mut masks = [Key { low: u64::MAX, high: u64::MAX }; KEY_BYTES + 1];
        let mut length = 0;
        while length < KEY_BYTES {
            if length < 8 {
                masks[length] = Key { low: (1 << (8 * length)) - 1, high: 0 };
            } else {
                masks[length].high = (1 << (8 * (length - 8))) - 1;
            }
            length += 1;
        }
        masks
    };

    /// Of `length` bytes at `start`. Fast where as many bytes as a key holds follow in `text`.
    #[inline]
    pub fn read(text: &[u8], start: usize, length: usize) -> Self {
        let mask = &Self::MASKS[length];
        let block: [u8; KEY_BYTES] = match text.get(start..start + KEY_BYTES).and_then(|block| block.try_into().ok()) {
            Some(block) => block,
            None => Self::last_block(text, start),
        };
        let [low, high] = [0, 8].map(|at| block[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word)));
        Self { low: low & mask.low, high: high & mask.high }
    }

    #[cold]
    fn last_block(text: &[u8], start: usize) -> [u8; KEY_BYTES] {
        let mut block = [0; KEY_BYTES];
        let rest = &text[start..];
        block[..rest.len()].copy_from_slice(rest);
        block
    }

    /// Mixes all bytes.
    #[inline]
    pub fn hash(self, length: usize) -> u64 {
        mix(self.low ^ length as u64, self.high)
    }
}

/// The eight bytes at `start`, zeros behind the end of the text.
#[inline]
pub fn word_at(text: &[u8], start: usize) -> u64 {
    match text.get(start..start + 8).and_then(|word| word.try_into().ok()) {
        Some(word) => u64::from_le_bytes(word),
        None => last_word(text, start),
    }
}

/// What keeps so many bytes of a word, or all of it.
#[inline]
pub fn first_bytes(count: usize) -> u64 {
    if count >= 8 { u64::MAX } else { (1 << (8 * count)) - 1 }
}

#[cold]
fn last_word(text: &[u8], start: usize) -> u64 {
    text[start..].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Of the bytes at `start`. Long tokens are told apart by how they begin, how they end and how long they are.
#[inline]
pub fn hash(text: &[u8], start: usize, length: usize) -> u64 {
    if length <= KEY_BYTES {
        return Key::read(text, start, length).hash(length);
    }
    hash_long(text, start, length)
}

fn hash_long(text: &[u8], start: usize, length: usize) -> u64 {
    let head = Key::read(text, start, KEY_BYTES);
    let tail = Key::read(text, start + length - KEY_BYTES, KEY_BYTES);
    mix(head.hash(length), tail.hash(length))
}

#[inline]
fn mix(first: u64, second: u64) -> u64 {
    let mixed = first.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ second.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29);
    (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
