//! A span as text: whole where it fits. Where one message alone is larger than the room, the longest texts are cut, and a line says so.
//! Not what the pieces say (see `pieces`), nor how far one prompt reads (see `plan::summary_request`).

use crate::text::level::level_that_fits;
use crate::tokens::estimate::estimate_tokens;
use crate::words::cut::head_and_tail;
use crate::words::summary::pieces::Piece;

/// A text is not cut to less, unless even that is too much.
const LEAST_TOKENS: u32 = 60;
const TOO_LARGE: &str = "[This part is larger than can be shown at once: of its longest texts the beginning and the end stand here, and what is left out is marked.]";

/// A piece with its tokens.
struct Sized {
    piece: Piece,
    head_tokens: u32,
    body_tokens: u32,
}

/// The most tokens of a body that is a message's text, and of one that a tool was given or returned.
#[derive(Clone, Copy)]
struct Most {
    text: u32,
    other: u32,
}

impl Sized {
    fn new(piece: Piece) -> Sized {
        let (head_tokens, body_tokens) = (estimate_tokens(&piece.head) + 2, estimate_tokens(&piece.body));
        Sized { piece, head_tokens, body_tokens }
    }

    fn most(&self, most: Most) -> u32 {
        if self.piece.is_text { most.text } else { most.other }
    }

    fn tokens(&self, most: Most) -> u64 {
        u64::from(self.head_tokens) + u64::from(self.body_tokens.min(self.most(most)))
    }

    fn text(&self, most: Most) -> String {
        let Piece { head, body, .. } = &self.piece;
        let body = head_and_tail(body, self.most(most));
        let separator = if body.contains('\n') { "\n" } else { " " };
        format!("{head}{}{body}", if body.is_empty() { "" } else { separator })
    }
}

/// Messages as the summarizer reads them, the pieces of each as a block.
#[derive(Default)]
pub struct Transcript {
    blocks: Vec<Vec<Sized>>,
    tokens: u64,
}

const WHOLE: Most = Most { text: u32::MAX, other: u32::MAX };

impl Transcript {
    /// Goes on with these messages.
    pub fn extend(&mut self, blocks: Vec<Vec<Piece>>) {
        for block in blocks.into_iter().filter(|block| !block.is_empty()) {
            let block: Vec<Sized> = block.into_iter().map(Sized::new).collect();
            self.tokens += block.iter().map(|piece| piece.tokens(WHOLE)).sum::<u64>();
            self.blocks.push(block);
        }
    }

    /// Tokens of the whole.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Keeps the first `blocks`.
    pub fn truncate(&mut self, blocks: usize) {
        let dropped = self.blocks.drain(blocks.min(self.blocks.len())..);
        self.tokens -= dropped.flatten().map(|piece| piece.tokens(WHOLE)).sum::<u64>();
    }

    /// The text within about `room` tokens.
    pub fn text(&self, room: u32) -> String {
        if self.tokens <= u64::from(room) {
            return self.written(WHOLE);
        }
        let room = room.saturating_sub(estimate_tokens(TOO_LARGE));
        let bodies = |is_text: bool| -> Vec<u32> {
            let own = self.blocks.iter().flatten().filter(|piece| piece.piece.is_text == is_text);
            own.map(|piece| piece.body_tokens).collect()
        };
        let (texts, others) = (bodies(true), bodies(false));
        let heads: u64 = self.blocks.iter().flatten().map(|piece| u64::from(piece.head_tokens)).sum();
        // What tools were given and returned gives way before the texts of messages.
        let beside = |bodies: &[u32], most: u32| {
            let tokens: u64 = bodies.iter().map(|tokens| u64::from((*tokens).min(most))).sum();
            u64::from(room).saturating_sub(heads + tokens)
        };
        let most = match level_that_fits(&others, beside(&texts, u32::MAX)) {
            other if other >= LEAST_TOKENS => Most { text: u32::MAX, other },
            _ => Most { text: level_that_fits(&texts, beside(&others, LEAST_TOKENS)).max(LEAST_TOKENS), other: LEAST_TOKENS },
        };
        format!("{TOO_LARGE}\n\n{}", head_and_tail(&self.written(most), room))
    }

    fn written(&self, most: Most) -> String {
        let texts = |block: &Vec<Sized>| block.iter().map(|piece| piece.text(most)).collect::<Vec<_>>().join("\n");
        self.blocks.iter().map(texts).collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(sizes: &[(usize, bool)]) -> Transcript {
        let mut transcript = Transcript::default();
        let piece = |n: usize, words: usize, is_text| Piece {
            head: format!("piece {n}:"),
            body: format!("begin-{n} {}end-{n}", "word ".repeat(words)),
            is_text,
        };
        transcript.extend(sizes.iter().enumerate().map(|(n, (words, is_text))| vec![piece(n, *words, *is_text)]).collect());
        transcript
    }

    #[test]
    fn what_fits_stays_whole_and_only_what_does_not_is_cut() {
        let transcript = transcript(&[(3_000, false), (20, false), (400, true), (3_000, false)]);
        let whole = transcript.text(transcript.tokens() as u32);
        assert!(!whole.contains("left out") && whole.contains(&"word ".repeat(3_000)));
        for room in [1_000, 2_000, 4_000] {
            let text = transcript.text(room);
            let used = estimate_tokens(&text);
            assert!(used <= room && used * 10 >= room * 8, "{used} of {room}");
            assert!(text.starts_with(TOO_LARGE) && text.matches("characters left out").count() == 2, "{room}");
            // What is short, and what is a message's text, stays whole beside what tools returned.
            assert!(text.contains(&format!("begin-1 {}end-1", "word ".repeat(20))) && text.contains(&"word ".repeat(400)), "{room}");
            assert!((0..4).all(|n| text.contains(&format!("begin-{n}")) && text.contains(&format!("end-{n}"))), "{room}");
        }
    }

    #[test]
    fn the_text_of_messages_is_cut_last_and_many_small_pieces_still_fit() {
        let text = transcript(&[(5_000, true), (300, false)]).text(1_000);
        assert!(
            estimate_tokens(&text) <= 1_000 && text.contains("begin-0") && text.contains("end-0") && text.contains("left out"),
            "{text}"
        );
        let many = transcript(&[(40, false); 200]).text(500);
        assert!(estimate_tokens(&many) <= 560 && many.contains("begin-0") && many.contains("end-199"), "{many}");
    }

    #[test]
    fn blocks_are_taken_back_with_their_tokens() {
        let mut transcript = transcript(&[(10, false), (20, true), (30, false)]);
        let first = { transcript.text(10_000).split("\n\n").next().unwrap().to_owned() };
        transcript.truncate(1);
        assert_eq!((transcript.block_count(), transcript.text(10_000)), (1, first));
        transcript.truncate(0);
        assert_eq!(transcript.tokens(), 0);
    }
}
