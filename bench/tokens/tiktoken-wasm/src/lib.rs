//! tiktoken-rs behind the same raw exports as crates/exact/wasm, so that both are driven alike.

use std::cell::RefCell;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.resize(text.len().max(bytes), 0);
        text.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn count_o200k(bytes: usize) -> u32 {
    TEXT.with_borrow(|text| count(tiktoken_rs::o200k_base_singleton(), &text[..bytes]))
}

#[unsafe(no_mangle)]
pub extern "C" fn count_cl100k(bytes: usize) -> u32 {
    TEXT.with_borrow(|text| count(tiktoken_rs::cl100k_base_singleton(), &text[..bytes]))
}

fn count(tokenizer: &tiktoken_rs::CoreBPE, text: &[u8]) -> u32 {
    tokenizer.encode_ordinary(str::from_utf8(text).expect("the bench writes UTF-8")).len() as u32
}
