//! Paths by number: events are many, and paths repeat.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::sync::Arc;

/// The number of a path in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PathId(u32);

impl PathId {
    /// The number itself.
    pub fn number(self) -> u32 {
        self.0
    }

    fn nth(position: usize) -> Self {
        Self(u32::try_from(position).expect("memory ends before 2^32 paths"))
    }
}

/// Every path that events named, each once. Paths are bytes, as the kernel has them.
#[derive(Debug, Clone, Default)]
pub struct PathTable {
    paths: Vec<Arc<OsStr>>,
    /// Of the first so many paths: who only looks paths up by their numbers needs none of it.
    numbers: FxHashMap<Arc<OsStr>, PathId>,
    numbered: usize,
}

impl PathTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a path, a new one where it was not known.
    ///
    /// # Panics
    ///
    /// When there are more than 2^32 paths.
    pub fn number(&mut self, path: &OsStr) -> PathId {
        self.number_all();
        if let Some(known) = self.numbers.get(path) {
            return *known;
        }
        self.append(path)
    }

    /// Gives a path a number of its own even where it is known: for a table whose paths stand for those
    /// of another one, which may become alike.
    ///
    /// # Panics
    ///
    /// When there are more than 2^32 paths.
    pub fn append(&mut self, path: &OsStr) -> PathId {
        self.append_shared(Arc::from(path))
    }

    /// Appends a path of another table, without a copy.
    ///
    /// # Panics
    ///
    /// When there are more than 2^32 paths.
    pub fn append_shared(&mut self, path: Arc<OsStr>) -> PathId {
        let number = PathId::nth(self.paths.len());
        self.paths.push(path);
        number
    }

    fn number_all(&mut self) {
        for (at, path) in self.paths.iter().enumerate().skip(self.numbered) {
            self.numbers.insert(Arc::clone(path), PathId::nth(at));
        }
        self.numbered = self.paths.len();
    }

    /// The path of a number that this table gave.
    pub fn path(&self, number: PathId) -> &OsStr {
        self.paths.get(number.0 as usize).map_or(OsStr::new(""), |path| path)
    }

    /// The paths from the `first` on, in the order of their numbers.
    pub fn paths_from(&self, first: usize) -> impl Iterator<Item = &OsStr> {
        self.paths.iter().skip(first).map(|path| &**path)
    }

    /// The same, to be shared with another table.
    pub fn shared_from(&self, first: usize) -> impl Iterator<Item = &Arc<OsStr>> {
        self.paths.iter().skip(first)
    }

    /// How many paths there are.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// True when no event named a path.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_number_and_is_found_by_it() {
        let mut table = PathTable::new();
        let one = table.number(OsStr::new("/etc/hosts"));
        let two = table.number(OsStr::new("hosts"));
        assert_ne!(one, two);
        assert_eq!(table.number(OsStr::new("/etc/hosts")), one);
        assert_eq!((table.path(two), table.len()), (OsStr::new("hosts"), 2));
        assert_ne!(table.append(OsStr::new("hosts")), two);
        assert_eq!(table.len(), 3);
        let mut other = PathTable::new();
        for path in table.shared_from(0) {
            other.append_shared(Arc::clone(path));
        }
        assert_eq!(other.path(two), OsStr::new("hosts"));
        assert_eq!(other.number(OsStr::new("/etc/hosts")), one);
    }
}
