//! A map that forgets what was not touched for long, so that memory does not grow with
//! the length of a trace.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// At most this many entries live in each of the two generations.
const GENERATION: usize = 1 << 14;

/// A map of two generations: when the younger is full, the older is forgotten.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    young: FxHashMap<K, V>,
    old: FxHashMap<K, V>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { young: FxHashMap::default(), old: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, V> Recent<K, V> {
    /// Puts a value in, in place of an earlier one.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        if !self.old.is_empty() {
            self.old.remove(&key);
        }
        self.young.insert(key, value);
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        if self.old.is_empty() {
            self.young.get(key)
        } else {
            self.young.get(key).or_else(|| self.old.get(key))
        }
    }

    /// The value of a key, to change it.
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        // In this order, and by parts, for the borrow of the younger that ends where it has none.
        if !self.old.is_empty() && !self.young.contains_key(key) {
            return self.old.get_mut(key);
        }
        self.young.get_mut(key)
    }

    /// The value of a key, made where there was none.
    pub(crate) fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        if self.young.len() >= GENERATION && !self.young.contains_key(&key) {
            let value = self.old.remove(&key).unwrap_or_default();
            self.insert(key, value);
        }
        let old = &mut self.old;
        self.young.entry(key).or_insert_with(|| old.remove(&key).unwrap_or_default())
    }

    /// True where nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.young.is_empty() && self.old.is_empty()
    }

    /// Takes a value out.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        // A removal hashes its key even where nothing is to be removed.
        let of =
            |generation: &mut FxHashMap<K, V>| (!generation.is_empty()).then(|| generation.remove(key))?;
        of(&mut self.young).or_else(|| of(&mut self.old))
    }

    /// Every key, in its order.
    pub(crate) fn keys(&self) -> Vec<K>
    where
        K: Ord,
    {
        let mut keys: Vec<K> = self.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys
    }

    /// Every entry, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.old.iter().chain(&self.young)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_stays_and_the_number_is_bounded() {
        let mut recent: Recent<usize, usize> = Recent::default();
        for key in 0..10 * GENERATION {
            recent.insert(key, key);
            *recent.entry(7) += 1;
        }
        assert!(recent.iter().count() <= 2 * GENERATION + 1);
        assert_eq!(recent.get(&7), Some(&(7 + 10 * GENERATION - 7)));
        assert_eq!(recent.get(&8), None);
    }
}
