//! The hash of all that is distinguished by its content. Fast, and the same on every platform; not for keeping anybody out.

use xxhash_rust::xxh64::xxh64;

/// The hash of these bytes behind what was hashed before.
#[inline]
pub fn mix(before: u64, bytes: &[u8]) -> u64 {
    xxh64(bytes, before)
}
