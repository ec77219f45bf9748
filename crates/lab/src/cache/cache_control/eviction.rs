//! Getting files out of the page cache, and why it did not work when it did not.

use super::VoidReason;
use super::mappings;
use super::watched::Watched;
use fathom_collect::{Residency, residency};
use fathom_model::Reading;
use fathom_sys::page_cache::drop_clean_pages;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::thread::sleep;
use std::time::Duration;

pub(super) const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";
/// Times the advice is given before a file counts as stuck.
const ATTEMPTS: u32 = 5;
/// The pause after the first failed attempt; doubled after each.
const FIRST_PAUSE: Duration = Duration::from_millis(1);

/// Drops the page cache, dentries and inodes of the whole machine. Root only.
/// Dirty pages are not dropped, so everything is synced first.
pub fn drop_caches() -> io::Result<()> {
    rustix::fs::sync();
    OpenOptions::new().write(true).open(DROP_CACHES)?.write_all(b"3")
}

/// Asks whether [`drop_caches`] would be allowed, without doing it.
pub(super) fn check_may_drop() -> io::Result<()> {
    OpenOptions::new().write(true).open(DROP_CACHES).map(drop)
}

/// Whether the machine's caches may be dropped with the rights at hand.
pub fn may_drop_caches() -> bool {
    check_may_drop().is_ok()
}

/// Evicts a file's pages: syncs what is dirty, gives the advice, looks, and tries again. Where the kernel does not
/// tell what is cached it does both once and leaves the question open.
pub(super) fn evict(watched: &Watched) -> Result<(), VoidReason> {
    let handle = watched.open()?;
    let file = handle.file();
    let mut pause = FIRST_PAUSE;
    for attempt in 0..ATTEMPTS {
        let before = residency(file);
        if before.value().is_some_and(Residency::is_empty) {
            return Ok(());
        }
        // A sync of a clean file can still flush the device's own cache, which takes milliseconds.
        if !before.value().is_some_and(is_clean) {
            sync(watched, file)?;
        }
        drop_clean_pages(file).map_err(|error| VoidReason::Io {
            call: "evict",
            path: watched.path().to_owned(),
            error: error.to_string(),
        })?;
        match residency(file) {
            Reading::Unavailable(_) => return Ok(()),
            Reading::Value(seen) if seen.is_empty() => return Ok(()),
            Reading::Value(seen) if attempt + 1 == ATTEMPTS => return Err(why_resident(watched, &seen)),
            Reading::Value(_) => {
                sleep(pause);
                pause *= 2;
            }
        }
    }
    Ok(())
}

/// Looks for what keeps the pages: the next thing to do depends on it.
pub(super) fn why_resident(watched: &Watched, seen: &Residency) -> VoidReason {
    let path = watched.path().to_owned();
    if let Some(&pages) = seen.dirty_pages.value().filter(|&&pages| pages > 0) {
        return VoidReason::Dirty { path, pages };
    }
    let pages = seen.resident_pages;
    let by = watched.open().map(|handle| mappings::of(handle.file())).unwrap_or_default();
    if by.is_empty() { VoidReason::Resident { path, pages } } else { VoidReason::Mapped { path, pages, by } }
}

fn is_clean(seen: &Residency) -> bool {
    seen.dirty_pages == Reading::Value(0)
}

fn sync(watched: &Watched, file: &File) -> Result<(), VoidReason> {
    match file.sync_data() {
        // A read-only file system has nothing dirty, and says so as an error.
        Err(error) if !matches!(error.raw_os_error(), Some(EROFS | EINVAL)) => {
            Err(VoidReason::io("fdatasync", watched.path(), &error))
        }
        _ => Ok(()),
    }
}

const EROFS: i32 = rustix::io::Errno::ROFS.raw_os_error();
const EINVAL: i32 = rustix::io::Errno::INVAL.raw_os_error();
