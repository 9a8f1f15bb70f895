//! The allocator of the module. It knows that memory nobody has had yet is zero, so that large tables are not cleared, and what of
//! them is never used is never touched: a page that is touched for the first time costs microseconds. Small, too: it is compiled
//! before the first count.
//!
//! Blocks are as long as a power of two; those given back are kept by length. Nothing is joined or split: there are few blocks,
//! and the caller throws away an instance that took too much memory.

use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::{memory_grow, memory_size};
use std::cell::Cell;
use std::ptr::null_mut;

const PAGE_BYTES: usize = 0x1_0000;
/// Memory grows by at least so many pages, because each time takes a call of the system.
const PAGES: usize = 32;
/// The shortest block. All begin at multiples of it.
const LEAST_BYTES: usize = 16;

/// All memory behind what the module begins with.
pub struct Memory {
    /// By the logarithm of the length: the last block that was given back, in which the address of the one before it stands.
    given_back: [Cell<*mut u8>; usize::BITS as usize],
    /// From here on nobody has had any.
    next: Cell<usize>,
    end: Cell<usize>,
}

// SAFETY: a module without shared memory has one thread.
unsafe impl Sync for Memory {}

impl Memory {
    /// Takes nothing before it is asked.
    pub const fn new() -> Self {
        Self { given_back: [const { Cell::new(null_mut()) }; usize::BITS as usize], next: Cell::new(0), end: Cell::new(0) }
    }

    /// A block that was given back.
    #[inline]
    fn used(&self, class: u32) -> Option<*mut u8> {
        let list = self.given_back.get(class as usize)?;
        let block = list.get();
        if block.is_null() {
            return None;
        }
        // SAFETY: a block in the list is nobody's, and `dealloc` wrote the next one's address there.
        list.set(unsafe { block.cast::<*mut u8>().read() });
        Some(block)
    }

    /// Zeros, or null where there is no more memory.
    #[inline(never)]
    fn fresh(&self, class: u32) -> *mut u8 {
        let Some(bytes) = 1usize.checked_shl(class) else { return null_mut() };
        // Memory may reach up to the last address, behind which is 0.
        if self.end.get().wrapping_sub(self.next.get()) < bytes {
            let first = memory_grow::<0>(bytes.div_ceil(PAGE_BYTES).max(PAGES));
            if first == usize::MAX {
                return null_mut();
            }
            let start = first.wrapping_mul(PAGE_BYTES);
            // What is left of the pages before goes on into these; at first there is none.
            if start != self.end.get() {
                self.next.set(start);
            }
            self.end.set(memory_size::<0>().wrapping_mul(PAGE_BYTES));
        }
        let block = self.next.get();
        self.next.set(block.wrapping_add(bytes));
        block as *mut u8
    }
}

/// The logarithm of the length of the block for this layout; one that no block has where it asks for another place than they have.
fn class_of(layout: Layout) -> u32 {
    if layout.align() > LEAST_BYTES { usize::BITS } else { usize::BITS - (layout.size().max(LEAST_BYTES) - 1).leading_zeros() }
}

// SAFETY: a block is handed out once until it is given back, is as long as its class says, and its class is that of its layout.
unsafe impl GlobalAlloc for Memory {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let class = class_of(layout);
        self.used(class).unwrap_or_else(|| self.fresh(class))
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let class = class_of(layout);
        match self.used(class) {
            Some(block) => {
                // SAFETY: the block is at least as long as the layout.
                unsafe { block.write_bytes(0, layout.size()) };
                block
            }
            None => self.fresh(class),
        }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(list) = self.given_back.get(class_of(layout) as usize) {
            // SAFETY: the block is nobody's any more and can hold an address.
            unsafe { block.cast::<*mut u8>().write(list.get()) };
            list.set(block);
        }
    }
}
