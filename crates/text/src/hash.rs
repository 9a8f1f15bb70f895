//! The hash of all that is distinguished by its content. Fast, and the same on every platform; not for keeping anybody out.

use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh64::xxh64;

/// The hash of these bytes behind what was hashed before.
#[inline]
pub fn mix(before: u64, bytes: &[u8]) -> u64 {
    xxh64(bytes, before)
}

/// A map by this hash. There is no other: each way of hashing brings code of its own for every kind of map.
pub type HashMap<Key, Value> = std::collections::HashMap<Key, Value, BuildHasherDefault<Mixed>>;

/// A set by this hash.
pub type HashSet<Key> = std::collections::HashSet<Key, BuildHasherDefault<Mixed>>;

/// Hashes keys by `mix`; a number of 64 bits is a hash already.
#[derive(Default)]
pub struct Mixed(u64);

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
