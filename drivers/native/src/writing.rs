//! What the arguments say of the operations that write: `create`, `write-block`
//! and `copy`.

use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments that only operations that write look at.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writing {
    /// Where they make their files.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) existing: Existing,
    /// Bytes that `create` writes into each file.
    pub(crate) write: usize,
    pub(crate) close: Close,
    pub(crate) sync: Sync,
    pub(crate) content: Content,
}

/// What stands where a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Existing {
    /// Nothing.
    #[default]
    Fresh,
    /// An empty file.
    Empty,
    /// A file with data that is on the device.
    Data,
}

/// When `create` closes its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Close {
    /// Each before the next is opened.
    #[default]
    Each,
    /// All after the last.
    All,
    /// After the clock.
    None,
}

/// What makes sure that the data is on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sync {
    #[default]
    None,
    Fsync,
    Syncfs,
}

/// What `write-block` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Content {
    #[default]
    Random,
    Pattern,
}

/// The text that patterns repeat.
pub(crate) const PATTERN: &[u8; 16] = b"fathom pattern.\n";

impl Writing {
    /// Takes one argument: `None` when it is none of these, `Some(false)` when its value is wrong.
    pub(crate) fn take(&mut self, name: &str, value: &OsString) -> Option<bool> {
        let text = value.to_string_lossy();
        let text = text.as_ref();
        Some(match name {
            "--directory" => set(&mut self.directory, (!value.is_empty()).then(|| Some(value.into()))),
            "--existing" => {
                let known = match text {
                    "fresh" => Some(Existing::Fresh),
                    "empty" => Some(Existing::Empty),
                    "data" => Some(Existing::Data),
                    _ => None,
                };
                set(&mut self.existing, known)
            }
            "--write" => set(&mut self.write, text.parse().ok().filter(|&bytes| bytes <= WRITE_BYTES_MAX)),
            "--close" => {
                let known = match text {
                    "each" => Some(Close::Each),
                    "all" => Some(Close::All),
                    "none" => Some(Close::None),
                    _ => None,
                };
                set(&mut self.close, known)
            }
            "--sync" => {
                let known = match text {
                    "none" => Some(Sync::None),
                    "fsync" => Some(Sync::Fsync),
                    "syncfs" => Some(Sync::Syncfs),
                    _ => None,
                };
                set(&mut self.sync, known)
            }
            "--content" => {
                let known = match text {
                    "random" => Some(Content::Random),
                    "pattern" => Some(Content::Pattern),
                    _ => None,
                };
                set(&mut self.content, known)
            }
            _ => return None,
        })
    }
}

/// The most that `create` writes at once: one write call takes no more.
const WRITE_BYTES_MAX: usize = 0x7fff_f000;

fn set<T>(place: &mut T, known: Option<T>) -> bool {
    let right = known.is_some();
    if let Some(value) = known {
        *place = value;
    }
    right
}

/// So many bytes of the pattern.
pub(crate) fn pattern(bytes: usize) -> Vec<u8> {
    PATTERN.iter().copied().cycle().take(bytes).collect()
}
