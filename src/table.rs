//! A map from 64-bit keys to 64-bit values: hashes of names, places of parts, counts.
//! One type for every index in the engine, because each further instance of a hash map costs the download 2 KB.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::fingerprint::mix;
use crate::history::Place;

/// A map whose keys are hashes or places already.
pub type Table = HashMap<u64, u64, BuildHasherDefault<Spread>>;

/// Spreads a 64-bit key over the table; keys that are places differ in few bits only.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, bytes);
    }

    fn write_u64(&mut self, key: u64) {
        // Fibonacci hashing, then the high bits to where the table looks.
        self.0 = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}

/// The key of a name.
pub fn name_key(name: &str) -> u64 {
    mix(0, name.as_bytes())
}

/// The key of two names together.
pub fn pair_key(first: &str, second: &str) -> u64 {
    mix(name_key(first), second.as_bytes())
}

/// The key of a place, or the value that stands for it.
pub fn place_key(place: Place) -> u64 {
    (place.message as u64) << 32 | place.part as u64
}

/// The place behind a key.
pub fn key_place(key: u64) -> Place {
    Place { message: (key >> 32) as usize, part: (key & 0xffff_ffff) as usize }
}
