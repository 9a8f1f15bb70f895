//! The hash of all that is distinguished by its content. Fast, and the same on every platform; not for keeping anybody out.

mod map;

use std::hash::{Hash, Hasher};

use xxhash_rust::xxh64::xxh64;

pub use map::{HashMap, HashSet};

/// The hash of these bytes behind what was hashed before.
#[inline]
pub fn mix(before: u64, bytes: &[u8]) -> u64 {
    xxh64(bytes, before)
}

/// Hashes keys by `mix`; a number of 64 bits is a hash already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, bytes);
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 ^= hash;
    }
}

/// The hash of a key.
pub(crate) fn hash_of<Key: Hash + ?Sized>(key: &Key) -> u64 {
    let mut hasher = Mixed::default();
    key.hash(&mut hasher);
    hasher.finish()
}
