//! How much of a file the page cache holds, as far as the kernel tells.

use fathom_model::Reading;
use fathom_sys::SysError;
use fathom_sys::cachestat::{CacheStat, cachestat};
use fathom_sys::{file_system, mincore};
use rustix::fd::AsFd;
use rustix::fs::{Access, AtFlags, CWD, accessat, fstat};
use rustix::io::Errno;

/// The pages of a file, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residency {
    /// Pages in the page cache.
    pub resident_pages: u64,
    /// Pages the file has.
    pub total_pages: u64,
    /// Pages not yet on the device: dirty, or being written.
    pub dirty_pages: Reading<u64>,
}

impl Residency {
    /// True when every page is there.
    pub fn is_complete(&self) -> bool {
        self.resident_pages >= self.total_pages
    }

    /// True when no page is there.
    pub fn is_empty(&self) -> bool {
        self.resident_pages == 0
    }
}

/// How much of an open file is in the page cache.
///
/// cachestat answers; where it cannot (overlayfs, before Linux 6.5) mincore does,
/// and only for a file the caller may write: for others it says "all".
pub fn residency(fd: impl AsFd) -> Reading<Residency> {
    let fd = fd.as_fd();
    let size = match fstat(fd) {
        Ok(stat) => u64::try_from(stat.st_size).unwrap_or(0),
        Err(errno) => return Reading::unavailable(format!("fstat: {errno}")),
    };
    let total_pages = size.div_ceil(rustix::param::page_size() as u64);
    if total_pages == 0 {
        return Reading::Value(Residency { resident_pages: 0, total_pages, dirty_pages: Reading::Value(0) });
    }
    match cachestat(fd, 0, size) {
        Ok(stat) if stat.cached == 0 && is_on_overlay(fd) => {
            by_mincore(fd, size, total_pages, "cachestat sees nothing on overlayfs")
        }
        Ok(stat) => Reading::Value(counted(stat, total_pages)),
        Err(error) => match error.errno() {
            // The kernel refuses it to nobody who may write the file: a filter of a container's does.
            Some(Errno::PERM) if may_write(fd) => {
                by_mincore(fd, size, total_pages, "cachestat is refused here, by a system-call filter")
            }
            Some(Errno::PERM) => Reading::unavailable(
                "cachestat: not permitted: the file belongs to another user and may not be written",
            ),
            Some(Errno::NOSYS) => by_mincore(fd, size, total_pages, "this kernel has no cachestat"),
            _ => Reading::unavailable(error.to_string()),
        },
    }
}

fn counted(stat: CacheStat, total_pages: u64) -> Residency {
    Residency {
        resident_pages: stat.cached,
        total_pages,
        dirty_pages: Reading::Value(stat.dirty.saturating_add(stat.writeback)),
    }
}

fn by_mincore(fd: impl AsFd, size: u64, total_pages: u64, why: &str) -> Reading<Residency> {
    let fd = fd.as_fd();
    if !may_write(fd) {
        return Reading::unavailable(format!("{why}, and mincore is true only of a file one may write"));
    }
    let dirty_pages = Reading::unavailable(format!("{why}, and mincore does not tell"));
    mincore::resident_pages(fd, size)
        .map(|resident_pages| Residency { resident_pages, total_pages, dirty_pages })
        .map_err(|error: SysError| format!("{why}; {error}"))
        .into()
}

fn is_on_overlay(fd: impl AsFd) -> bool {
    file_system::of_file(fd).is_ok_and(|found| found.magic == file_system::OVERLAYFS)
}

/// The kernel's own condition for an honest mincore: owner, or allowed to write.
fn may_write(fd: impl AsFd) -> bool {
    let fd = fd.as_fd();
    let owned = fstat(fd).is_ok_and(|stat| stat.st_uid == rustix::process::geteuid().as_raw());
    let path = format!("/proc/self/fd/{}", rustix::fd::AsRawFd::as_raw_fd(&fd));
    owned || accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_sys::page_cache::drop_clean_pages;
    use std::io::Write;

    const PAGE: u64 = 4096;

    fn file_of(pages: usize) -> std::fs::File {
        let mut file = tempfile::tempfile_in(".").unwrap();
        file.write_all(&vec![3; pages * 4096 - 1]).unwrap();
        file
    }

    #[test]
    fn a_file_is_resident_and_dirty_until_synced_and_gone_when_dropped() {
        let file = file_of(10);
        if file_system::of_file(&file).unwrap().is_in_memory() || rustix::param::page_size() as u64 != PAGE {
            eprintln!("skipped: needs a disk and pages of 4096 bytes");
            return;
        }
        let written = residency(&file).value().unwrap().clone();
        assert_eq!((written.resident_pages, written.total_pages), (10, 10));
        assert!(written.is_complete() && !written.is_empty());
        file.sync_all().unwrap();
        let dirty = residency(&file).value().unwrap().dirty_pages.clone();
        assert!(dirty == Reading::Value(0) || is_on_overlay(&file) && dirty.value().is_none(), "{dirty:?}");
        drop_clean_pages(&file).unwrap();
        let dropped = residency(&file).value().unwrap().clone();
        assert!(dropped.is_empty() && !dropped.is_complete());
    }

    #[test]
    fn mincore_agrees_with_cachestat_on_a_file_of_ours() {
        let file = file_of(7);
        let by_mincore = by_mincore(&file, 7 * PAGE - 1, 7, "asked").value().unwrap().clone();
        assert_eq!(by_mincore.resident_pages, 7);
        assert!(matches!(by_mincore.dirty_pages, Reading::Unavailable(_)));
    }

    #[test]
    fn mincore_is_not_asked_about_what_we_may_not_write() {
        if rustix::process::geteuid().is_root() {
            eprintln!("skipped: root may write everything");
            return;
        }
        let file = std::fs::File::open("/proc/version").unwrap();
        assert!(
            matches!(by_mincore(&file, 4096, 1, "asked"), Reading::Unavailable(reason) if reason.contains("may write"))
        );
    }

    #[test]
    fn an_empty_file_has_no_page_to_miss() {
        let empty = residency(tempfile::tempfile_in(".").unwrap()).value().unwrap().clone();
        assert!(empty.is_complete() && empty.is_empty());
    }

    #[test]
    fn a_refused_file_is_unknown_never_all() {
        let file = file_of(4);
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root can make a file of another user's");
            return;
        }
        let path = format!("/proc/self/fd/{}", rustix::fd::AsRawFd::as_raw_fd(&file));
        let reader = std::fs::File::open(path).unwrap();
        // The thread alone becomes nobody: its own credentials decide what cachestat says.
        let seen = std::thread::spawn(move || {
            let nobody = rustix::process::Uid::from_raw(65534);
            rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
            residency(&reader)
        });
        assert!(
            matches!(seen.join().unwrap(), Reading::Unavailable(reason) if reason.contains("not permitted"))
        );
    }
}
