//! How the tables of a vocabulary are made: the bytes of all tokens at once, what finds them when it is first asked for.

use std::ops::Range;

use super::*;

/// Engines start with slow code and exchange whole functions, so that a loop is only as fast as what it calls: work on this many
/// tokens is a call.
const BATCH: usize = 1024;

impl Vocabulary {
    /// The single bytes, and for each other token the two that are merged into it; `total_bytes` is how long all are together.
    ///
    /// Works in passes over all tokens, not token by token: what one token waits for in memory then does not hold up the next. Finds
    /// tokens of one byte and of two; for others see `make_findable`.
    pub fn new(single_bytes: &[u8; 256], entries: Vec<u64>, total_bytes: usize) -> Self {
        let mut vocabulary = Self {
            bytes: vec![0; total_bytes + KEY_BYTES],
            slots: vec![EMPTY; entries.len().next_power_of_two()],
            short: zeros(),
            of_byte: [0; 256],
            pairs: zeros(),
            short_hints: zeros(),
            long_hints: zeros(),
            long_lengths: Vec::new(),
            made: 0,
            entries,
        };
        vocabulary.bytes[..256].copy_from_slice(single_bytes);
        for (token, byte) in (0..).zip(single_bytes) {
            vocabulary.of_byte[usize::from(*byte)] = token;
            vocabulary.entries[token as usize] = Entry::of_halves(token, token).at(token as usize, 1).0;
        }
        let tokens = vocabulary.entries.len();
        let mut end = 256;
        for first in (256..tokens).step_by(BATCH) {
            end = vocabulary.spell(first..tokens.min(first + BATCH), end);
        }
        vocabulary
    }

    /// Makes what `find` needs for pieces of so many bytes, where it is not made.
    #[inline]
    pub fn make_findable(&mut self, length: usize) {
        let needed = if length > SHORT_BYTES { LONG } else { SHORT };
        if self.made & needed == 0 {
            self.make(needed);
        }
    }

    /// Makes what all other questions need, where it is not made.
    #[inline]
    pub fn make_all(&mut self) {
        if self.made != ALL {
            self.make(ALL & !self.made);
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, needed: u8) {
        let tokens = self.entries.len();
        for first in (256..tokens).step_by(BATCH) {
            let batch = first..tokens.min(first + BATCH);
            if needed & SHORT != 0 {
                self.index_short(batch.clone());
            }
            if needed & LONG != 0 {
                self.index_long(batch.clone());
            }
            if needed & HINTED != 0 {
                self.hint(batch);
            }
        }
        self.made |= needed;
    }

    /// Writes the bytes of some tokens from `end` on, and returns where they end. Makes those of two bytes findable.
    #[inline(never)]
    fn spell(&mut self, tokens: Range<usize>, mut end: usize) -> usize {
        let (entries, bytes, pairs) = (self.entries.as_mut_slice(), self.bytes.as_mut_slice(), &mut *self.pairs);
        for token in tokens {
            let entry = Entry(entries[token]);
            let (left, right) = entry.halves();
            let start = end;
            end = append(bytes, Entry(entries[left as usize]), end);
            end = append(bytes, Entry(entries[right as usize]), end);
            entries[token] = entry.at(start, end - start).0;
            if left.max(right) < SINGLE_BYTES {
                pairs[pair_index(bytes, start)] = token as Token;
            }
        }
        end
    }

    #[inline(never)]
    fn index_short(&mut self, tokens: Range<usize>) {
        let (entries, bytes, short) = (self.entries.as_slice(), self.bytes.as_slice(), &mut *self.short);
        for token in tokens {
            let entry = Entry(entries[token]);
            let (start, length) = (entry.start(), entry.length());
            if (3..=SHORT_BYTES).contains(&length) {
                let question = short_question(word_at(bytes, start), length);
                let mut slot = short_slot(question);
                while short[slot] != 0 {
                    slot = next_short_slot(slot);
                }
                short[slot] = question | (token as u64) << SHORT_TOKEN_SHIFT;
            }
        }
    }

    #[inline(never)]
    fn index_long(&mut self, tokens: Range<usize>) {
        let (entries, bytes, slots) = (self.entries.as_slice(), self.bytes.as_slice(), self.slots.as_mut_slice());
        for token in tokens {
            let entry = Entry(entries[token]);
            let (start, length) = (entry.start(), entry.length());
            if length > SHORT_BYTES {
                let hash = hash(bytes, start, length);
                let mut slot = slot_of(hash, slots);
                while slots[slot] != EMPTY {
                    slot = next_slot(slot, slots);
                }
                slots[slot] = tag_of(hash) | token as u32;
            }
        }
    }

    #[inline(never)]
    fn hint(&mut self, tokens: Range<usize>) {
        let (entries, bytes) = (self.entries.as_slice(), self.bytes.as_slice());
        let (short_hints, long_hints) = (&mut *self.short_hints, &mut *self.long_hints);
        for token in tokens {
            let entry = Entry(entries[token]);
            let (start, length) = (entry.start(), entry.length());
            let beginning = word_at(bytes, start);
            // For all lengths the same steps, of which some change nothing: a wrong guess costs more.
            let hints = HINTS[length.min(LONG_TOKEN)];
            short_hints[hint_of_four(beginning & hints.bytes)] |= hints.short;
            long_hints[hint_of_eight(beginning)] |= hints.long;
            if length >= LONG_TOKEN {
                add_long_length(&mut self.long_lengths, length);
            }
        }
    }
}

/// Copies the bytes of a token to `end` and returns where the copy ends.
#[inline(always)]
fn append(bytes: &mut [u8], entry: Entry, end: usize) -> usize {
    let (start, length) = (entry.start(), entry.length());
    // Whole blocks: what is too much is overwritten by the next token.
    match (bytes.get(start..start + KEY_BYTES), end + KEY_BYTES <= bytes.len()) {
        (Some(block), true) if length <= KEY_BYTES => {
            let mut copy = [0; KEY_BYTES];
            copy.copy_from_slice(block);
            bytes[end..end + KEY_BYTES].copy_from_slice(&copy);
        }
        _ => bytes.copy_within(start..start + length, end),
    }
    end + length
}

#[cold]
fn add_long_length(lengths: &mut Vec<usize>, length: usize) {
    if let Err(place) = lengths.binary_search_by(|other| length.cmp(other)) {
        lengths.insert(place, length);
    }
}

/// What a token adds to the hints.
#[derive(Clone, Copy)]
struct Hints {
    /// Which of its first bytes the short hint is by.
    bytes: u64,
    short: u8,
    long: u16,
}

/// By length.
const HINTS: [Hints; LONG_TOKEN + 1] = {
    let mut hints = [Hints { bytes: u32::MAX as u64, short: 0, long: 0 }; LONG_TOKEN + 1];
    hints[3] = Hints { bytes: 0xFF_FFFF, short: IS_TOKEN, long: 0 };
    let mut length = SHORT_HINT_BYTES;
    while length <= LONG_TOKEN {
        if length < LONG_HINT_BYTES {
            hints[length].short = 1 << (length - SHORT_HINT_BYTES);
        } else {
            hints[length].short = GOES_ON;
            hints[length].long = 1 << (length - LONG_HINT_BYTES);
        }
        length += 1;
    }
    hints
};
