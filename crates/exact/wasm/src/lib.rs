//! The boundary of the exact counter: a WebAssembly module of a few raw exports, without imports and without glue.
//! Holds the one counter and the text to be counted, and no logic.
//!
//! The caller reserves room, writes UTF-8 there and asks for the count. Room may move: the memory's buffer must be asked for anew.

use std::cell::RefCell;

use stepfold_exact::{Counter, Pattern};

/// That of the table (build.rs).
const PATTERN: Pattern = if cfg!(feature = "cl100k") { Pattern::Cl100k } else { Pattern::O200k };
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/table"));

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static COUNTER: RefCell<Counter> = RefCell::new(Counter::new(TABLE));
}

/// Makes room for a text of this many bytes and says where it is.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        if text.len() < bytes {
            // What was there is of no use to anyone and need not be copied.
            *text = Vec::new();
            *text = vec![0; bytes];
        }
        text.as_mut_ptr()
    })
}

/// Counts the tokens of the first bytes of the room.
#[unsafe(no_mangle)]
pub extern "C" fn count(bytes: usize) -> u32 {
    TEXT.with_borrow(|text| COUNTER.with_borrow_mut(|counter| counter.count_by(PATTERN, &text[..bytes.min(text.len())])))
}
