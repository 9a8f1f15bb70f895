//! Remembers checkpoints' texts and what they take: an edit needs what its checkpoint took that the one before wrote, and the second plan of a
//! step all that the first one wrote. Not state: a text is a function of its checkpoint, so nobody can tell whether it is remembered.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::pack::to_bytes;
use crate::state::Checkpoint;
use crate::text::hash::mix;
use crate::tokens::estimate::estimate_tokens;

/// Several conversations may take turns …
const TEXTS: usize = 6;
/// … and hundreds on a server, of which no text is needed once there is another.
const COUNTS: usize = 1_024;

thread_local! {
    static TEXT: RefCell<VecDeque<(Checkpoint, String)>> = const { RefCell::new(VecDeque::new()) };
    static TOKENS: RefCell<VecDeque<(u64, u32)>> = const { RefCell::new(VecDeque::new()) };
}

/// The text of a checkpoint, written if it is not remembered.
pub fn text_of(checkpoint: &Checkpoint, write: fn(&Checkpoint) -> String) -> String {
    let known = TEXT.with_borrow(|texts| texts.iter().find(|(known, _)| known == checkpoint).map(|(_, text)| text.clone()));
    known.unwrap_or_else(|| {
        let text = write(checkpoint);
        TEXT.with_borrow_mut(|texts| remember(texts, (checkpoint.clone(), text.clone()), TEXTS));
        text
    })
}

/// Estimated tokens of that text, which is written if these are not remembered.
pub fn tokens_of(checkpoint: &Checkpoint, write: fn(&Checkpoint) -> String) -> u32 {
    let hash = mix(0, &to_bytes(checkpoint));
    let known = TOKENS.with_borrow(|counts| counts.iter().find(|(known, _)| *known == hash).map(|(_, tokens)| *tokens));
    known.unwrap_or_else(|| {
        let tokens = estimate_tokens(&text_of(checkpoint, write));
        TOKENS.with_borrow_mut(|counts| remember(counts, (hash, tokens), COUNTS));
        tokens
    })
}

fn remember<Known>(all: &mut VecDeque<Known>, new: Known, most: usize) {
    all.truncate(most - 1);
    all.push_front(new);
}
