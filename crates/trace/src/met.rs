//! What calls met that their own arguments do not show, as conditions are counted by it.

/// What a call met, of those whose price depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Met {
    Dirty = 1,
    Clean,
    FileMapping,
    Memory,
}

impl Met {
    /// The word by which conditions are counted.
    pub(crate) fn word(self) -> u64 {
        self as u64
    }

    /// The word in text, as prices have it.
    pub(crate) fn text(word: u64) -> &'static str {
        let all = [Self::Dirty, Self::Clean, Self::FileMapping, Self::Memory];
        match all.into_iter().find(|met| met.word() == word) {
            Some(Self::Dirty) => "dirty",
            Some(Self::Clean) => "clean",
            Some(Self::FileMapping) => "MAP_FILE",
            Some(Self::Memory) => "MAP_ANONYMOUS",
            None => "",
        }
    }
}
