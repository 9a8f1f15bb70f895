//! Inputs made of others: pieces lost, doubled, swapped, of another input or of what readers trip over. Knows no target.

use crate::properties::{Bits, mix};

/// Longest input: short ones are read by the thousand, and what is special about a long one is its length alone.
const BYTES: usize = 600;
/// Changes of one input at most.
const CHANGES: u64 = 6;

/// What readers trip over: ends, escapes, lengths, marks of chat templates and of ours, characters of many bytes.
const PIECES: [&[u8]; 30] = [
    b"\0",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\x0f",
    b"\x01\0\0\0",
    b"\x80",
    b"\"",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"{\"a\":",
    b"[[[[[[[[",
    b"]}",
    b",",
    b"\n",
    b"\r\n\r\n",
    b"\t|\t",
    b"```",
    b"--- end ---",
    b"<|im_start|>",
    b"[/INST]",
    b"-----BEGIN PRIVATE KEY-----",
    b"password=",
    b"Authorization: Bearer ",
    b"://u:p@",
    b"1e999",
    b"-0",
    "\u{feff}".as_bytes(),
    "e\u{301}\u{200d}🙂".as_bytes(),
    "。字".as_bytes(),
    "\u{2028}\u{85}\u{a0}".as_bytes(),
];

/// An endless stream of choices.
struct Choices(u64);

impl Choices {
    fn pick(&mut self, count: usize) -> usize {
        self.0 = mix(self.0);
        Bits(self.0).pick(count.max(1) as u64) as usize
    }

    /// A range of so many bytes.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.pick(length + 1);
        let longest = [1, 4, 32, length][self.pick(4)];
        start..start + self.pick((length - start).min(longest) + 1)
    }
}

/// The input of this number. The first ones are the corpus itself.
pub fn mutated(corpus: &[Vec<u8>], seed: u64) -> Vec<u8> {
    if let Some(input) = corpus.get(seed as usize) {
        return input.clone();
    }
    let mut choices = Choices(seed);
    let mut input = corpus[choices.pick(corpus.len())].clone();
    for _ in 0..=choices.pick(CHANGES as usize) {
        let range = choices.range(input.len());
        match choices.pick(6) {
            0 => drop(input.drain(range)),
            1 => {
                let doubled = input[range.clone()].to_vec();
                input.splice(range.end..range.end, doubled);
            }
            2 => {
                let other = &corpus[choices.pick(corpus.len())];
                let taken = choices.range(other.len());
                input.splice(range, other[taken].iter().copied());
            }
            3 => {
                let piece = PIECES[choices.pick(PIECES.len())];
                input.splice(range.start..range.start, piece.iter().copied());
            }
            4 => {
                if let Some(byte) = input.get_mut(range.start) {
                    *byte = byte.wrapping_add([1, 255, 128, 16][choices.pick(4)]);
                }
            }
            _ => input.truncate(range.end),
        }
    }
    input.truncate(BYTES);
    input
}
