//! Cuts a piece that is no token into tokens, as byte-pair encoding does, in time linear in its length.
//! Knows no characters.
//!
//! Byte-pair encoding merges, again and again, the pair with the smallest number, the leftmost of equals. Two things follow
//! from that, shown in the `bpe` crate (github/rust-gems), whose method for short pieces this is:
//!
//! - A sequence of tokens is the encoding of its bytes exactly when each two neighbors are the encoding of their own bytes.
//!   So text is cut from left to right: the longest token that goes with the one before it is taken; where none does, the one
//!   before it is given up for a shorter one. That is fast, except for text made to be slow: where too much is given up, the
//!   text is merged pair by pair with a queue (`window`), which takes about the same time for any text.
//! - The same holds for the place where two encodings meet. So long pieces are cut in windows of bounded size.

use crate::key::KEY_BYTES;
use crate::vocabulary::{SINGLE_BYTES, Token, Vocabulary};
use crate::window::{NO_MERGE, Window};

/// Memory for cutting one piece after the other.
pub struct Merger {
    /// Of the windows so far.
    tokens: Vec<Token>,
    /// Of the window at hand.
    fresh: Vec<Token>,
    /// A bit for each place in the window from which no way leads to its end.
    dead_ends: Vec<u64>,
    /// What was found out about two neighbors, the last of each hash: both tokens, and whether they go together in the lowest bit.
    neighbors: Box<[u64]>,
    window: Window,
    /// The window's text with room behind it, so that keys can be read to its end.
    padded: Vec<u8>,
}

const NEIGHBORS_BITS: u32 = 12;

/// Up to this length a piece is merged by looking through all its pairs each time, which nothing beats when there are few.
const FEW_BYTES: usize = 12;
/// Longer pieces are cut window by window, of so many bytes.
const WINDOW: usize = 1024;
/// Where a window ends inside a piece, its last tokens depend on what follows. So many bytes are cut again by the next window.
const OVERLAP: usize = 128;

impl Merger {
    /// Has seen nothing.
    pub fn new() -> Self {
        Self {
            tokens: Vec::new(),
            fresh: Vec::new(),
            dead_ends: Vec::new(),
            neighbors: vec![0; 1 << NEIGHBORS_BITS].into(),
            window: Window::default(),
            padded: Vec::new(),
        }
    }

    /// How many tokens the piece is cut into.
    pub fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> u32 {
        if piece.len() <= FEW_BYTES {
            return count_few(vocabulary, piece);
        }
        if piece.len() <= WINDOW {
            self.cut(vocabulary, piece, false);
            return self.fresh.len() as u32;
        }
        self.cut_long(vocabulary, piece);
        self.tokens.len() as u32
    }

    /// Cuts window by window.
    fn cut_long(&mut self, vocabulary: &Vocabulary, piece: &[u8]) {
        self.tokens.clear();
        let (mut start, mut end) = (0, 0);
        // How many tokens are cut again when two windows do not fit; more each time, so that in the end they do.
        let mut retreat = 1;
        let mut is_hard = false;
        loop {
            end = piece.len().min(end.max(start + WINDOW));
            is_hard = self.cut(vocabulary, &piece[start..end], is_hard);
            let fits = match (self.tokens.last(), self.fresh.first()) {
                (Some(before), Some(token)) => are_neighbors(vocabulary, piece, start, *before, *token),
                _ => true,
            };
            if !fits {
                start -= self.take_back(vocabulary, retreat, usize::MAX);
                retreat *= 2;
                continue;
            }
            self.tokens.append(&mut self.fresh);
            if end == piece.len() {
                return;
            }
            retreat = 1;
            start = end - self.take_back(vocabulary, usize::MAX, OVERLAP);
        }
    }

    /// Takes back so many tokens or, if these are less, tokens of at least so many bytes. Returns the bytes taken back.
    fn take_back(&mut self, vocabulary: &Vocabulary, most_tokens: usize, enough_bytes: usize) -> usize {
        let (mut tokens, mut bytes) = (0, 0);
        while tokens < most_tokens && bytes < enough_bytes {
            let Some(token) = self.tokens.pop() else { break };
            tokens += 1;
            bytes += vocabulary.length(token);
        }
        bytes
    }

    /// Cuts a stretch of text into `fresh`. Text like a stretch that was hard goes straight into the queue.
    /// Returns whether this one was.
    fn cut(&mut self, vocabulary: &Vocabulary, text: &[u8], is_hard: bool) -> bool {
        let mut padded = std::mem::take(&mut self.padded);
        padded.clear();
        padded.extend_from_slice(text);
        padded.extend_from_slice(&[0; KEY_BYTES]);
        let is_hard = is_hard || !self.cut_from_left(vocabulary, &padded, text.len());
        if is_hard {
            self.window.merge(vocabulary, &padded, text.len());
            self.fresh.clear();
            self.fresh.extend(self.window.tokens());
        }
        self.padded = padded;
        is_hard
    }

    /// Returns false when too much has to be given up.
    fn cut_from_left(&mut self, vocabulary: &Vocabulary, text: &[u8], length: usize) -> bool {
        self.fresh.clear();
        self.dead_ends.clear();
        self.dead_ends.resize(length / 64 + 1, 0);
        let mut may_give_up = length / 16 + 4;
        let mut start = 0;
        let mut lengths = vocabulary.token_lengths(text, 0, length);
        while start < length {
            match self.next_token(vocabulary, text, start, lengths) {
                Some(token) => {
                    self.fresh.push(token);
                    start += vocabulary.length(token);
                    lengths = vocabulary.token_lengths(text, start, length);
                }
                None => {
                    self.dead_ends[start / 64] |= 1 << (start % 64);
                    let Some(given_up) = self.fresh.pop() else { return false };
                    if may_give_up == 0 {
                        return false;
                    }
                    may_give_up -= 1;
                    let given_back = vocabulary.length(given_up);
                    start -= given_back;
                    lengths = vocabulary.token_lengths(text, start, length) & ((1 << (given_back - 1)) - 1);
                }
            }
        }
        true
    }

    /// The longest token at `start`, of one of these lengths, that goes with the one before it and ends where a way may lead on.
    #[inline]
    fn next_token(&mut self, vocabulary: &Vocabulary, piece: &[u8], start: usize, mut lengths: u128) -> Option<Token> {
        while lengths != 0 {
            let length = 128 - lengths.leading_zeros() as usize;
            lengths ^= 1 << (length - 1);
            let end = start + length;
            if self.dead_ends[end / 64] >> (end % 64) & 1 != 0 {
                continue;
            }
            let Some(token) = vocabulary.find(piece, start, end) else { continue };
            match self.fresh.last().copied() {
                Some(before) if !self.go_together(vocabulary, piece, start, before, token) => {}
                _ => return Some(token),
            }
        }
        None
    }

    /// `are_neighbors`, remembered: text repeats itself, hostile text most of all.
    #[inline]
    fn go_together(&mut self, vocabulary: &Vocabulary, piece: &[u8], border: usize, left: Token, right: Token) -> bool {
        // Never 0, which stands for nothing.
        let question = u64::from(left + 1) << 32 | u64::from(right) << 1;
        let place = (question.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - NEIGHBORS_BITS)) as usize;
        let known = self.neighbors[place];
        if known & !1 == question {
            return known & 1 == 1;
        }
        let answer = are_neighbors(vocabulary, piece, border, left, right);
        self.neighbors[place] = question | u64::from(answer);
        answer
    }
}

/// How many tokens a piece of few bytes is merged into.
fn count_few(vocabulary: &Vocabulary, piece: &[u8]) -> u32 {
    let mut text = [0; FEW_BYTES + KEY_BYTES];
    text[..piece.len()].copy_from_slice(piece);
    let mut tokens = [0; FEW_BYTES + 1];
    // Where each token begins; behind the last one, where the piece ends.
    let mut starts = [0; FEW_BYTES + 2];
    // What each token and the next one are merged into.
    let mut merged = [NO_MERGE; FEW_BYTES + 1];
    let mut count = piece.len();
    for (place, byte) in piece.iter().enumerate() {
        tokens[place] = vocabulary.of_byte(*byte);
        starts[place + 1] = place + 1;
    }
    let look_up = |tokens: &[Token], starts: &[usize], place: usize| {
        let halves = (tokens[place], tokens[place + 1]);
        vocabulary.find_merge(&text, starts[place], starts[place + 2], halves).unwrap_or(NO_MERGE)
    };
    for (place, merged) in merged.iter_mut().enumerate().take(count - 1) {
        *merged = look_up(&tokens, &starts, place);
    }
    loop {
        let (mut place, mut smallest) = (0, NO_MERGE);
        for (other, token) in merged[..count - 1].iter().enumerate() {
            if *token < smallest {
                (place, smallest) = (other, *token);
            }
        }
        if smallest == NO_MERGE {
            return count as u32;
        }
        tokens[place] = smallest;
        tokens.copy_within(place + 2..count, place + 1);
        starts.copy_within(place + 2..=count, place + 1);
        merged.copy_within(place + 1..count, place);
        count -= 1;
        merged[count - 1] = NO_MERGE;
        if place + 1 < count {
            merged[place] = look_up(&tokens, &starts, place);
        }
        if place > 0 {
            merged[place - 1] = look_up(&tokens, &starts, place - 1);
        }
    }
}

/// Whether byte-pair encoding of the bytes of `left` and `right`, which meet at `border`, gives these two tokens.
///
/// Undoes the merges inside of both, the latest first, and asks at each step whether a merge across the border would have come
/// before the one just undone.
fn are_neighbors(vocabulary: &Vocabulary, piece: &[u8], border: usize, mut left: Token, mut right: Token) -> bool {
    let mut start = border - vocabulary.length(left);
    let mut end = border + vocabulary.length(right);
    // Merges across the border happen only if their number is below this one.
    let mut limit = Token::MAX;
    loop {
        if vocabulary.find_merge(piece, start, end, (left, right)).is_some_and(|merged| merged < limit) {
            return false;
        }
        // Single bytes have the smallest numbers, so when the later merge is none, nothing is left to undo.
        if left.max(right) < SINGLE_BYTES {
            return true;
        }
        // Of two equal merges the left one happens first, so that undoing `right` lets a merge of the same number pass.
        if left > right {
            limit = left;
            left = vocabulary.halves(left).1;
            start = border - vocabulary.length(left);
        } else {
            limit = right + 1;
            right = vocabulary.halves(right).0;
            end = border + vocabulary.length(right);
        }
    }
}
