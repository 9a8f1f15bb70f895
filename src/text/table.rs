//! A map from 64-bit keys to 64-bit values: hashes of names, places of parts, counts.
//! In place of the map of `std`, whose code for growing, probing by groups and iterating costs the download 2 KB.

use xxhash_rust::xxh64::xxh64;

/// A map whose keys are hashes or places already. Open addressing: a key stands in the first free slot from its own on.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A power of two of them, at least a quarter free.
    slots: Vec<Option<(u64, u64)>>,
    len: usize,
}

impl Table {
    /// How many keys there are.
    pub fn count(&self) -> usize {
        self.len
    }

    /// The value of a key.
    pub fn get(&self, key: &u64) -> Option<&u64> {
        self.slots.get(self.place(*key))?.as_ref().map(|(_, value)| value)
    }

    /// Whether there is such a key.
    pub fn contains_key(&self, key: &u64) -> bool {
        self.get(key).is_some()
    }

    /// Sets the value of a key. Returns the one before.
    pub fn insert(&mut self, key: u64, value: u64) -> Option<u64> {
        let known = self.len;
        let slot = self.or_insert(key, value);
        let before = std::mem::replace(slot, value);
        (self.len == known).then_some(before)
    }

    /// The value of a key, which is `value` if there was none.
    #[inline(never)]
    pub fn or_insert(&mut self, key: u64, value: u64) -> &mut u64 {
        if self.len + 1 > self.slots.len() / 4 * 3 {
            let size = (self.slots.len() * 2).max(16);
            for (key, value) in std::mem::replace(self, Table { slots: vec![None; size], len: 0 }).slots.into_iter().flatten() {
                self.insert(key, value);
            }
        }
        let place = self.place(key);
        let slot = &mut self.slots[place];
        self.len += usize::from(slot.is_none());
        &mut slot.get_or_insert((key, value)).1
    }

    /// Takes a key out. Returns its value.
    pub fn remove(&mut self, key: &u64) -> Option<u64> {
        let mut place = self.place(*key);
        let taken = self.slots.get_mut(place)?.take()?;
        self.len -= 1;
        // Those behind it may have stood there only because of it.
        loop {
            place = (place + 1) & (self.slots.len() - 1);
            let Some((key, value)) = self.slots[place].take() else { break };
            self.len -= 1;
            self.insert(key, value);
        }
        Some(taken.1)
    }

    /// Keeps only keys that are wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(u64) -> bool) {
        for (key, value) in std::mem::take(self).slots.into_iter().flatten().filter(|(key, _)| is_wanted(*key)) {
            self.insert(key, value);
        }
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().flatten().map(|(_, value)| *value)
    }

    /// Where a key stands, or would stand. Without any slot: nowhere.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        // Fibonacci hashing, then the high bits to where the table looks: keys that are places differ in few bits only.
        let mut place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) as usize;
        loop {
            place &= self.slots.len().wrapping_sub(1);
            match self.slots.get(place) {
                Some(Some((other, _))) if *other != key => place += 1,
                _ => return place,
            }
        }
    }
}

/// The hash of these bytes behind what was hashed before. The one hash function of the engine.
pub fn mix(before: u64, bytes: &[u8]) -> u64 {
    xxh64(bytes, before)
}

/// The key of a name.
pub fn name_key(name: &str) -> u64 {
    mix(0, name.as_bytes())
}

/// The key of two names together.
pub fn pair_key(first: &str, second: &str) -> u64 {
    mix(name_key(first), second.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_table_says_what_a_map_of_std_says() {
        let (mut table, mut map) = (Table::default(), HashMap::new());
        let mut random = 1u64;
        for step in 0..40_000u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Few keys, so that they meet again; some of them share a slot.
            let key = (random >> 40) % 600 * 0x1_0000_0000;
            match random >> 60 {
                0..=7 => assert_eq!(table.insert(key, step), map.insert(key, step)),
                8..=11 => assert_eq!(table.remove(&key), map.remove(&key)),
                12..=14 => assert_eq!(*table.or_insert(key, step), *map.entry(key).or_insert(step)),
                _ if step % 50 == 0 => {
                    table.retain(|key| key % 3 > 0);
                    map.retain(|key, _| key % 3 > 0);
                }
                _ => {}
            }
            assert_eq!((table.get(&key), table.count()), (map.get(&key), map.len()));
        }
        let (mut ours, mut theirs): (Vec<u64>, Vec<u64>) = (table.values().collect(), map.into_values().collect());
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs);
        assert_eq!((Table::default().get(&1), Table::default().remove(&1)), (None, None));
    }
}
