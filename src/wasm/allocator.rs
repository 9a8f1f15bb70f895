//! The allocator: a list of free blocks for each small size, in front of talc, which has all the rest.
//! Most of what the engine allocates are names and short lists, thousands in a call; through talc alone each would cost
//! ten times as much. Small blocks are never handed back to talc, so what they take is the most that was in use at once.

// The only unsafe code of the engine: an allocator cannot be written without.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

/// Sizes are rounded up to this, which is also the largest alignment there is.
const UNIT: usize = 16;
/// Largest small block.
const SMALL: usize = 1024;
/// What is taken from talc at a time, to be cut into small blocks.
const SLAB: usize = 16 * 1024;

/// Free blocks: of each size the newest, which holds the address of the one freed before it; and what is left of the slab.
struct Free {
    blocks: [*mut u8; SMALL / UNIT + 1],
    slab: *mut u8,
    left: usize,
}

/// The allocator.
pub struct Allocator {
    talc: talc::TalckWasm,
    free: UnsafeCell<Free>,
}

// SAFETY: the module has one thread and no interrupts.
unsafe impl Sync for Allocator {}

impl Allocator {
    /// # Safety
    ///
    /// Nothing else may grow the memory, and there may be one allocator only.
    pub const unsafe fn new() -> Allocator {
        let free = Free { blocks: [null_mut(); SMALL / UNIT + 1], slab: null_mut(), left: 0 };
        // SAFETY: as promised by the caller.
        Allocator { talc: unsafe { talc::TalckWasm::new_global() }, free: UnsafeCell::new(free) }
    }
}

/// The list a small block belongs to.
#[inline(always)]
fn list_of(size: usize) -> usize {
    size.div_ceil(UNIT)
}

#[inline(always)]
fn is_small(layout: &Layout) -> bool {
    layout.size() <= SMALL && layout.align() <= UNIT
}

// SAFETY: a small block is cut from a slab that talc gave away for good, is aligned as its start and all sizes are, and is
// in a list or in use, never both. It returns to the list of its own size, because the caller names the size it asked for.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe {
            if !is_small(&layout) {
                return self.talc.alloc(layout);
            }
            let free = &mut *self.free.get();
            let list = list_of(layout.size());
            let block = free.blocks[list];
            if !block.is_null() {
                free.blocks[list] = *block.cast::<*mut u8>();
                return block;
            }
            let size = list * UNIT;
            if free.left < size {
                let slab = self.talc.alloc(Layout::from_size_align_unchecked(SLAB, UNIT));
                if slab.is_null() {
                    return slab;
                }
                (free.slab, free.left) = (slab, SLAB);
            }
            free.left -= size;
            free.slab.add(free.left)
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe {
            if !is_small(&layout) {
                return self.talc.dealloc(block, layout);
            }
            let newest = &mut (*self.free.get()).blocks[list_of(layout.size())];
            *block.cast::<*mut u8>() = *newest;
            *newest = block;
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe {
            let grown = Layout::from_size_align_unchecked(size, layout.align());
            match (is_small(&layout), is_small(&grown)) {
                (false, false) => return self.talc.realloc(block, layout, size),
                (true, true) if list_of(layout.size()) == list_of(size) => return block,
                _ => {}
            }
            let moved = self.alloc(grown);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}
