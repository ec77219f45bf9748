//! The files of one process that takes prices, all below a directory that its
//! parent removes.

use super::refusal::Refusal;
use fathom_sys::plain_calls;
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, fsync, mkdirat, open, openat, symlinkat};
use rustix::io::{Errno, pwrite};
use rustix::process::fchdir;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// How deep the chain of directories is walked.
pub(super) const DEPTHS: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Bytes of the files that are read and written over.
pub(super) const DATA_BYTES: usize = 4 << 20;
/// Bytes of the file that is evicted.
pub(super) const COLD_BYTES: usize = 1 << 20;
const LARGE_BLOCK: usize = 1 << 20;
const SMALL_BLOCK: usize = 4 << 10;
/// A file at each depth.
pub(super) const FILE: &str = "file";
/// Nothing has this name at any depth.
pub(super) const NOTHING: &str = "nothing";
/// Names in the directories that are listed.
pub(super) const FEW: usize = 16;
pub(super) const MANY: usize = 256;

/// A directory and what stands ready in it. The process works in it.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) directory: OwnedFd,
    pub(super) path: PathBuf,
    /// Read, and mapped: written in large blocks, as Fathom's data sets are, so
    /// that the page cache may hold it in large folios.
    pub(super) data: OwnedFd,
    /// Written over, and mapped: written a page at a time, so in single pages.
    pub(super) written: OwnedFd,
    /// Made longer again and again.
    pub(super) appended: OwnedFd,
    /// Made durable again and again.
    pub(super) synced: OwnedFd,
    /// Evicted again and again.
    pub(super) cold: OwnedFd,
    /// Seed of what is drawn.
    pub(super) seed: u64,
}

impl Ground {
    /// Makes everything in an empty directory, on the device where there is one,
    /// and goes there.
    pub(super) fn make(path: &Path, seed: u64) -> Result<Self, Refusal> {
        let directory = open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        fchdir(&directory)?;
        let content: Vec<u8> = (0..DATA_BYTES as u64 / 8)
            .flat_map(|number| fathom_model::splitmix64(seed ^ number).to_le_bytes())
            .collect();
        make_chain(&directory, &content[..4096])?;
        symlinkat(c"file", &directory, c"link")?;
        for (name, count) in [(c"few", FEW), (c"many", MANY)] {
            mkdirat(&directory, name, Mode::RWXU)?;
            let listed = openat(
                &directory,
                name,
                OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Mode::empty(),
            )?;
            (0..count).try_for_each(|number| {
                plain_calls::close(create(&listed, &format!("entry-{number:06}"), OFlags::empty())?)?;
                Ok::<(), Refusal>(())
            })?;
        }
        let filled = |name, bytes: usize, block: usize| -> Result<OwnedFd, Refusal> {
            let file = create(&directory, name, OFlags::empty())?;
            fill(&file, &content[..bytes], block)?;
            fsync(&file)?;
            Ok(file)
        };
        Ok(Self {
            path: std::env::current_dir()?,
            data: filled("data", DATA_BYTES, LARGE_BLOCK)?,
            written: filled("written", DATA_BYTES, SMALL_BLOCK)?,
            appended: create(&directory, "appended", OFlags::APPEND)?,
            synced: filled("synced", 64 << 10, SMALL_BLOCK)?,
            cold: filled("cold", COLD_BYTES, LARGE_BLOCK)?,
            directory,
            seed,
        })
    }

    /// The path of a name at a depth: `1` is the name itself.
    pub(super) fn path_at(depth: u32, name: &str) -> CString {
        let path = "directory/".repeat(depth as usize - 1) + name;
        CString::new(path).expect("no zero in these names")
    }

    /// Names that are used over and over.
    pub(super) fn names(prefix: &str, count: u32) -> Vec<CString> {
        (0..count).map(|number| CString::new(format!("{prefix}-{number:06}")).expect("no zero")).collect()
    }
}

fn make_chain(directory: &OwnedFd, content: &[u8]) -> Result<(), Refusal> {
    let deepest = DEPTHS[DEPTHS.len() - 1];
    for depth in 1..=deepest {
        if depth < deepest {
            mkdirat(directory, Ground::path_at(depth, "directory"), Mode::RWXU)?;
        }
        if DEPTHS.contains(&depth) {
            let path = Ground::path_at(depth, FILE);
            let file = create(directory, &path.to_string_lossy(), OFlags::empty())?;
            fill(&file, content, SMALL_BLOCK)?;
        }
    }
    Ok(())
}

fn create(directory: &OwnedFd, name: &str, more: OFlags) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | more;
    openat(directory, name, flags, Mode::RUSR | Mode::WUSR)
}

fn fill(file: &OwnedFd, content: &[u8], block: usize) -> Result<(), Errno> {
    let mut at = 0;
    while at < content.len() {
        let end = content.len().min(at + block);
        at += pwrite(file, &content[at..end], at as u64)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_as_many_components_as_it_is_deep() {
        for depth in DEPTHS {
            let path = Ground::path_at(depth, FILE);
            assert_eq!(path.to_string_lossy().split('/').count(), depth as usize);
        }
    }
}
