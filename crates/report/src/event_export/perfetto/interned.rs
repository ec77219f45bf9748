//! Texts that are written once and then named by a number.

use fathom_events::PathId;
use rustc_hash::FxHashMap;

/// Numbers of texts, from 1.
#[derive(Debug, Default)]
pub(super) struct Interned {
    paths: Vec<u64>,
    texts: FxHashMap<Box<str>, u64>,
    last: u64,
}

impl Interned {
    /// The number of a path; `tell` is called with it where it is new.
    pub(super) fn path(&mut self, path: PathId, tell: impl FnOnce(u64)) -> u64 {
        let at = path.number() as usize;
        if self.paths.len() <= at {
            self.paths.resize(at + 1, 0);
        }
        if self.paths[at] == 0 {
            self.last += 1;
            self.paths[at] = self.last;
            tell(self.last);
        }
        self.paths[at]
    }

    /// That of another text.
    pub(super) fn text(&mut self, text: &str, tell: impl FnOnce(u64)) -> u64 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        self.last += 1;
        self.texts.insert(text.into(), self.last);
        tell(self.last);
        self.last
    }
}
