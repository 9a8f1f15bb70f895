//! A map and a set by `hash`, in the order in which keys came. There are no others: one table, which is the same code whatever is kept, says where an
//! entry stands; a table for every kind of key and value was a tenth of the engine.

use std::borrow::Borrow;
use std::fmt::{Debug, Formatter};
use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::hash_of;

/// A map.
pub struct HashMap<Key, Value> {
    entries: Vec<(Key, Value)>,
    places: Places,
}

/// Where the entry of a hash stands.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    at: u32,
}

/// Where entries stand.
#[derive(Clone, Default)]
struct Places(HashTable<Slot>);

/// All bits of the table's hash, on every platform, by those that a slot has.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl Places {
    /// The first entry with a hash.
    #[inline(never)]
    fn first(&self, hash: u32) -> Option<usize> {
        self.0.find(spread(hash), |slot| slot.hash == hash).map(|slot| slot.at as usize)
    }

    /// The same; where there is none, this one from now on.
    #[inline(never)]
    fn first_or_add(&mut self, hash: u32, at: usize) -> Option<usize> {
        match self.0.entry(spread(hash), |slot| slot.hash == hash, |slot| spread(slot.hash)) {
            Entry::Occupied(slot) => Some(slot.get().at as usize),
            Entry::Vacant(slot) => {
                slot.insert(Slot { hash, at: at as u32 });
                None
            }
        }
    }

    /// All entries with a hash.
    #[cold]
    #[inline(never)]
    fn all(&self, hash: u32) -> Vec<usize> {
        self.0.iter_hash(spread(hash)).filter(|slot| slot.hash == hash).map(|slot| slot.at as usize).collect()
    }

    #[inline(never)]
    fn add(&mut self, hash: u32, at: usize) {
        self.0.insert_unique(spread(hash), Slot { hash, at: at as u32 }, |slot| spread(slot.hash));
    }

    #[inline(never)]
    fn remove(&mut self, hash: u32, at: usize) {
        if let Ok(slot) = self.0.find_entry(spread(hash), |slot| slot.at as usize == at) {
            slot.remove();
        }
    }

    #[inline(never)]
    fn replace(&mut self, hash: u32, from: usize, to: usize) {
        if let Some(slot) = self.0.find_mut(spread(hash), |slot| slot.at as usize == from) {
            slot.at = to as u32;
        }
    }

    #[inline(never)]
    fn reserve(&mut self, more: usize) {
        self.0.reserve(more, |slot| spread(slot.hash));
    }
}

fn short_hash_of<Key: Hash + ?Sized>(key: &Key) -> u32 {
    let hash = hash_of(key);
    (hash ^ hash >> 32) as u32
}

impl<Key: Hash + Eq, Value> HashMap<Key, Value> {
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        Key: Borrow<Q>,
    {
        let hash = short_hash_of(key);
        let is_it = |at: &usize| self.entries.get(*at).is_some_and(|(own, _)| own.borrow() == key);
        let first = self.places.first(hash)?;
        if is_it(&first) { Some(first) } else { self.places.all(hash).into_iter().find(is_it) }
    }

    /// Where a key stands, or where it is to be added.
    fn place(&mut self, key: &Key) -> usize {
        let (hash, end) = (short_hash_of(key), self.entries.len());
        let is_it = |at: &usize| self.entries.get(*at).is_some_and(|(own, _)| own == key);
        match self.places.first_or_add(hash, end) {
            None => end,
            Some(first) if is_it(&first) => first,
            Some(_) => self.places.all(hash).into_iter().find(is_it).unwrap_or_else(|| {
                self.places.add(hash, end);
                end
            }),
        }
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&Value>
    where
        Key: Borrow<Q>,
    {
        self.find(key).map(|at| &self.entries[at].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut Value>
    where
        Key: Borrow<Q>,
    {
        self.find(key).map(|at| &mut self.entries[at].1)
    }

    /// Whether it has a key.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        Key: Borrow<Q>,
    {
        self.find(key).is_some()
    }

    /// Gives a key a value, and returns the one that it had.
    pub fn insert(&mut self, key: Key, value: Value) -> Option<Value> {
        let at = self.place(&key);
        match self.entries.get_mut(at) {
            Some((_, before)) => Some(std::mem::replace(before, value)),
            None => {
                self.entries.push((key, value));
                None
            }
        }
    }

    /// The place of a key, which may be empty.
    pub fn entry(&mut self, key: Key) -> PlaceOf<'_, Key, Value> {
        PlaceOf { map: self, key }
    }

    /// Removes a key. The newest one takes its place in the order.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<Value>
    where
        Key: Borrow<Q>,
    {
        let at = self.find(key)?;
        self.places.remove(short_hash_of(key), at);
        let (_, value) = self.entries.swap_remove(at);
        if let Some((moved, _)) = self.entries.get(at) {
            self.places.replace(short_hash_of(moved), self.entries.len(), at);
        }
        Some(value)
    }

    /// Keeps the entries that are wanted.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Key, &mut Value) -> bool) {
        self.entries.retain_mut(|(key, value)| is_wanted(key, value));
        self.places.0.clear();
        for (at, (key, _)) in self.entries.iter().enumerate() {
            self.places.add(short_hash_of(key), at);
        }
    }
}

impl<Key, Value> HashMap<Key, Value> {
    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Keys with their values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &Value)> + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Value> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The values alone.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = Value> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

/// The place of a key in a map.
pub struct PlaceOf<'m, Key, Value> {
    map: &'m mut HashMap<Key, Value>,
    key: Key,
}

impl<'m, Key: Hash + Eq, Value> PlaceOf<'m, Key, Value> {
    /// The value that is there; else this one, from now on.
    pub fn or_insert_with(self, value: impl FnOnce() -> Value) -> &'m mut Value {
        let at = self.map.place(&self.key);
        if at == self.map.entries.len() {
            self.map.entries.push((self.key, value()));
        }
        &mut self.map.entries[at].1
    }

    /// The same with a value that is made already.
    pub fn or_insert(self, value: Value) -> &'m mut Value {
        self.or_insert_with(|| value)
    }

    /// The same with the value that stands for none.
    pub fn or_default(self) -> &'m mut Value
    where
        Value: Default,
    {
        self.or_insert_with(Value::default)
    }
}

impl<Key, Value> Default for HashMap<Key, Value> {
    fn default() -> Self {
        HashMap { entries: Vec::new(), places: Places::default() }
    }
}

impl<Key: Clone, Value: Clone> Clone for HashMap<Key, Value> {
    fn clone(&self) -> Self {
        HashMap { entries: self.entries.clone(), places: self.places.clone() }
    }
}

impl<Key: Debug, Value: Debug> Debug for HashMap<Key, Value> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<Key: Hash + Eq, Value: PartialEq> PartialEq for HashMap<Key, Value> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<Key: Hash + Eq, Value: Eq> Eq for HashMap<Key, Value> {}

impl<Key: Hash + Eq, Value> Extend<(Key, Value)> for HashMap<Key, Value> {
    fn extend<Entries: IntoIterator<Item = (Key, Value)>>(&mut self, entries: Entries) {
        let entries = entries.into_iter();
        self.places.reserve(entries.size_hint().0);
        self.entries.reserve(entries.size_hint().0);
        entries.for_each(|(key, value)| _ = self.insert(key, value));
    }
}

impl<Key: Hash + Eq, Value> FromIterator<(Key, Value)> for HashMap<Key, Value> {
    fn from_iter<Entries: IntoIterator<Item = (Key, Value)>>(entries: Entries) -> Self {
        let mut map = HashMap::default();
        map.extend(entries);
        map
    }
}

impl<Key, Value> IntoIterator for HashMap<Key, Value> {
    type Item = (Key, Value);
    type IntoIter = std::vec::IntoIter<(Key, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// A set.
pub struct HashSet<Key>(HashMap<Key, ()>);

impl<Key: Hash + Eq> HashSet<Key> {
    /// Whether it has a key.
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        Key: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Adds a key. Whether it is new.
    pub fn insert(&mut self, key: Key) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Removes a key. Whether it was there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        Key: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }

    /// Keeps the keys that are wanted.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Key) -> bool) {
        self.0.retain(|key, ()| is_wanted(key));
    }

    /// The keys that another one has, too.
    pub fn intersection<'s>(&'s self, other: &'s HashSet<Key>) -> impl Iterator<Item = &'s Key> {
        self.iter().filter(|key| other.contains(*key))
    }
}

impl<Key> HashSet<Key> {
    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Key> + Clone {
        self.0.keys()
    }
}

impl<Key> Default for HashSet<Key> {
    fn default() -> Self {
        HashSet(HashMap::default())
    }
}

impl<Key: Clone> Clone for HashSet<Key> {
    fn clone(&self) -> Self {
        HashSet(self.0.clone())
    }
}

impl<Key: Debug> Debug for HashSet<Key> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

impl<Key: Hash + Eq> PartialEq for HashSet<Key> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<Key: Hash + Eq> Eq for HashSet<Key> {}

impl<Key: Hash + Eq> Extend<Key> for HashSet<Key> {
    fn extend<Keys: IntoIterator<Item = Key>>(&mut self, keys: Keys) {
        self.0.extend(keys.into_iter().map(|key| (key, ())));
    }
}

impl<'k, Key: Hash + Eq + Copy + 'k> Extend<&'k Key> for HashSet<Key> {
    fn extend<Keys: IntoIterator<Item = &'k Key>>(&mut self, keys: Keys) {
        self.extend(keys.into_iter().copied());
    }
}

impl<Key: Hash + Eq> FromIterator<Key> for HashSet<Key> {
    fn from_iter<Keys: IntoIterator<Item = Key>>(keys: Keys) -> Self {
        let mut set = HashSet::default();
        set.extend(keys);
        set
    }
}

impl<Key> IntoIterator for HashSet<Key> {
    type Item = Key;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(Key, ())>, fn((Key, ())) -> Key>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, ())| key)
    }
}

impl<'s, Key> IntoIterator for &'s HashSet<Key> {
    type Item = &'s Key;
    type IntoIter = std::iter::Map<std::slice::Iter<'s, (Key, ())>, fn(&'s (Key, ())) -> &'s Key>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.entries.iter().map(|(key, ())| key)
    }
}

impl<'m, Key, Value> IntoIterator for &'m HashMap<Key, Value> {
    type Item = (&'m Key, &'m Value);
    type IntoIter = std::iter::Map<std::slice::Iter<'m, (Key, Value)>, fn(&'m (Key, Value)) -> (&'m Key, &'m Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Keys with one hash are told apart by what they are.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct SameHash(u32);

    impl Hash for SameHash {
        fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
            hasher.write_u64(u64::from(self.0 % 3));
        }
    }

    #[test]
    fn it_holds_what_a_sorted_map_holds_whatever_is_done_to_it() {
        let (mut map, mut sorted) = (HashMap::default(), BTreeMap::default());
        let mut random = 7_u64;
        for round in 0..20_000_u32 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = SameHash((random >> 33) as u32 % 90);
            match random >> 61 {
                0 | 1 => assert_eq!(map.insert(key, round), sorted.insert(key, round)),
                2 | 3 => assert_eq!(map.remove(&key), sorted.remove(&key)),
                4 => {
                    *map.entry(key).or_default() += round;
                    *sorted.entry(key).or_default() += round;
                }
                5 if round % 64 == 0 => {
                    map.retain(|key, _| key.0 % 7 > 0);
                    sorted.retain(|key, _| key.0 % 7 > 0);
                }
                _ => assert_eq!(map.get(&key), sorted.get(&key)),
            }
            assert_eq!(map.len(), sorted.len());
            assert!(sorted.iter().all(|(key, value)| map.get(key) == Some(value)));
        }
        let keys: HashSet<SameHash> = map.keys().copied().collect();
        assert_eq!(keys.iter().copied().collect::<HashSet<_>>(), keys);
        assert!(sorted.keys().all(|key| keys.contains(key)) && keys.len() == sorted.len());
    }

    #[test]
    fn keys_stay_in_the_order_in_which_they_came() {
        let map: HashMap<&str, usize> = ["north", "south", "east", "north", "west"].into_iter().zip(0..).collect();
        assert_eq!(map.into_iter().collect::<Vec<_>>(), [("north", 3), ("south", 1), ("east", 2), ("west", 4)]);
    }
}
