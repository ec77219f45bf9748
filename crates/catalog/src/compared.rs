//! What is put side by side.

use crate::words::Word;
use fathom_model::Setting;

/// What is put side by side in the same blocks; everything else that has
/// several values makes separate comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// The methods, which is the default.
    Methods,
    /// The places.
    Places,
    /// The cache states.
    Caches,
    /// The file sizes.
    Sizes,
    /// The block sizes.
    Blocks,
    /// The orders of blocks.
    Accesses,
    /// The alignments of blocks.
    Alignments,
    /// The uses of buffers.
    Buffers,
    /// The values of a setting.
    Setting(Setting),
}

/// What can be compared beside the values of a setting.
const COMPARED: [(Compare, &str); 8] = [
    (Compare::Methods, "methods"),
    (Compare::Places, "places"),
    (Compare::Caches, "caches"),
    (Compare::Sizes, "sizes"),
    (Compare::Blocks, "blocks"),
    (Compare::Accesses, "accesses"),
    (Compare::Alignments, "alignments"),
    (Compare::Buffers, "buffers"),
];

impl Word for Compare {
    const KIND: &'static str = "comparison of";
    const WORDS: &'static [(Self, &'static str)] = &{
        let mut words = [(Self::Methods, ""); COMPARED.len() + Setting::ALL.len()];
        let mut at = 0;
        while at < words.len() {
            words[at] = if at < COMPARED.len() {
                COMPARED[at]
            } else {
                let setting = Setting::ALL[at - COMPARED.len()];
                (Self::Setting(setting), setting.word())
            };
            at += 1;
        }
        words
    };
}
