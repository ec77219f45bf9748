//! The part that replaces the configuration, in one of the ways of editors.

use super::content;
use crate::lines::{Failure, hear, say, say_all};
use fathom_sys::clock::monotonic_ns;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};

/// The configuration's name.
pub(super) const NAME: &str = "config";
/// An editor writes in pieces.
const PIECE: usize = 8192;

/// How a file is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The new content is written elsewhere and renamed over the name.
    RenameOver,
    /// The old file is renamed away, and a new one created under the name.
    RenameAway,
    /// The file is cut to nothing and written.
    Truncate,
    /// The file is written over, as it is.
    Overwrite,
}

impl Way {
    pub(super) const ALL: [Self; 4] = [Self::RenameOver, Self::RenameAway, Self::Truncate, Self::Overwrite];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::RenameOver => "replace by renaming a new file over it",
            Self::RenameAway => "replace by renaming it away and creating it again",
            Self::Truncate => "rewrite in place: truncate, then write",
            Self::Overwrite => "rewrite in place: write over it",
        }
    }

    /// True when the file under the name stays the same file.
    pub(super) fn keeps_the_file(self) -> bool {
        matches!(self, Self::Truncate | Self::Overwrite)
    }
}

/// When a replacement was made, by the monotonic clock that all processes share.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Replaced {
    /// Just before the first call that changes what the name leads to or holds.
    pub(super) from_ns: u64,
    /// Just after the last: the rename, or the close.
    pub(super) to_ns: u64,
}

/// Plays it: `WAY`; each line is a generation to be written.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [way] = words else { return Err("which way?".into()) };
    let way = Way::ALL.into_iter().find(|known| known.word() == *way).ok_or("no such way")?;
    fs::write(NAME, content::make(0))?;
    say("ready")?;
    while let Some(generation) = hear()? {
        say_all(&replace(way, &content::make(generation.parse()?))?)?;
    }
    Ok(())
}

fn replace(way: Way, content: &[u8]) -> io::Result<Replaced> {
    if way == Way::RenameOver {
        write_pieces(File::create("config.new")?, content)?;
    }
    let from_ns = monotonic_ns();
    match way {
        Way::RenameOver => fs::rename("config.new", NAME)?,
        Way::RenameAway => {
            fs::rename(NAME, "config~")?;
            write_pieces(File::create_new(NAME)?, content)?;
        }
        Way::Truncate => write_pieces(File::create(NAME)?, content)?,
        Way::Overwrite => write_pieces(OpenOptions::new().write(true).open(NAME)?, content)?,
    }
    Ok(Replaced { from_ns, to_ns: monotonic_ns() })
}

/// Replaces the file in one of the ways, and calls `halfway` when half of the new content is written.
pub(super) fn replace_halfway(
    way: Way,
    content: &[u8],
    halfway: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut file = match way {
        Way::RenameOver => File::create("config.new")?,
        Way::RenameAway => {
            fs::rename(NAME, "config~")?;
            File::create_new(NAME)?
        }
        Way::Truncate => File::create(NAME)?,
        Way::Overwrite => OpenOptions::new().write(true).open(NAME)?,
    };
    let (first, second) = content.split_at(content.len() / 2);
    file.write_all(first)?;
    halfway()?;
    file.write_all(second)?;
    drop(file);
    if way == Way::RenameOver {
        fs::rename("config.new", NAME)?;
    }
    Ok(())
}

/// Writes and closes.
fn write_pieces(mut file: File, content: &[u8]) -> io::Result<()> {
    content.chunks(PIECE).try_for_each(|piece| file.write_all(piece))
}
