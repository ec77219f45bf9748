//! FIEMAP: where the bytes of a file lie, and whether they were ever written.

use crate::SysError;
use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;

/// Extents asked for in one call.
const BATCH: usize = 128;
/// `FS_IOC_FIEMAP`: `_IOWR('f', 11, struct fiemap)`, 32 bytes before the array.
const FS_IOC_FIEMAP: libc::Ioctl = libc::_IOWR::<[u64; 4]>(b'f' as u32, 11);

/// A stretch of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Its length, in bytes; the last extent may reach past the end of the file.
    pub length_bytes: u64,
    /// Where it begins on the device, in bytes; of no meaning where it is delayed, unknown or inline.
    pub device_offset: u64,
    /// The flags of `linux/fiemap.h`.
    flags: u32,
}

impl Extent {
    /// Allocated and never written: reads give zeros without touching the device.
    pub fn is_unwritten(self) -> bool {
        self.flags & 0x0800 != 0
    }

    /// Still in memory only; the place on the device is not chosen yet.
    pub fn is_delayed(self) -> bool {
        self.flags & 0x0004 != 0
    }

    /// The file system cannot say where it lies.
    pub fn is_unknown(self) -> bool {
        self.flags & 0x0002 != 0
    }

    /// Compressed or encrypted on the device.
    pub fn is_encoded(self) -> bool {
        self.flags & 0x0008 != 0
    }

    /// Kept inside metadata rather than in blocks of its own.
    pub fn is_inline(self) -> bool {
        self.flags & 0x0200 != 0
    }

    /// Shared with another file or snapshot.
    pub fn is_shared(self) -> bool {
        self.flags & 0x2000 != 0
    }

    fn is_last(self) -> bool {
        self.flags & 0x0001 != 0
    }

    /// The offset of the first byte after it.
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.length_bytes)
    }
}

/// The extents of a file's first `length` bytes, in order; what no extent
/// covers is a hole. `EOPNOTSUPP` or `ENOTTY` where the file system has no such map.
pub fn extents(fd: impl AsFd, length: u64) -> Result<Vec<Extent>, SysError> {
    let mut found: Vec<Extent> = Vec::new();
    let mut start = 0;
    while start < length {
        let part = extents_from(fd.as_fd(), start, length - start)?;
        let Some(last) = part.last().copied() else { break };
        if last.end() <= start {
            let what = format!("an extent that ends at {}, at or before {start}", last.end());
            return Err(SysError::Nonsense { call: "FS_IOC_FIEMAP", what });
        }
        found.extend(part);
        if last.is_last() {
            break;
        }
        start = last.end();
    }
    Ok(found)
}

/// `struct fiemap_extent`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct RawExtent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

/// `struct fiemap` with its array.
#[repr(C)]
struct RawMap {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [RawExtent; BATCH],
}

fn extents_from(fd: impl AsFd, start: u64, length: u64) -> Result<Vec<Extent>, SysError> {
    let mut map = RawMap {
        start,
        length,
        flags: 0,
        mapped: 0,
        room: u32::try_from(BATCH).expect("a small constant"),
        reserved: 0,
        extents: [RawExtent::default(); BATCH],
    };
    // SAFETY: `map` is a struct fiemap followed by room for as many extents as `room` says.
    let result = unsafe { libc::ioctl(fd.as_fd().as_raw_fd(), FS_IOC_FIEMAP, std::ptr::from_mut(&mut map)) };
    if result != 0 {
        return Err(SysError::last("FS_IOC_FIEMAP"));
    }
    let mapped = usize::try_from(map.mapped).unwrap_or(BATCH).min(BATCH);
    Ok(map.extents[..mapped]
        .iter()
        .map(|raw| Extent {
            offset: raw.logical,
            length_bytes: raw.length,
            device_offset: raw.physical,
            flags: raw.flags,
        })
        .collect())
}

/// True for an error that says: this file system has no such map.
pub fn is_unsupported(error: &SysError) -> bool {
    matches!(error.errno(), Some(Errno::OPNOTSUPP | Errno::NOTTY | Errno::NOSYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{FallocateFlags, fallocate};
    use std::os::unix::fs::FileExt;

    #[test]
    fn written_unwritten_and_missing_stretches_are_told_apart() {
        let file = tempfile::tempfile_in(".").unwrap();
        file.set_len(300 << 12).unwrap();
        // More than one batch of extents, with holes between.
        for page in (0..290).step_by(2) {
            file.write_all_at(&[5; 4096], page << 12).unwrap();
        }
        fallocate(&file, FallocateFlags::empty(), 292 << 12, 8 << 12).unwrap();
        file.sync_all().unwrap();
        let found = match extents(&file, 300 << 12) {
            Err(error) if is_unsupported(&error) => {
                eprintln!("skipped: the file system has no FIEMAP: {error}");
                return;
            }
            other => other.unwrap(),
        };
        let written: u64 = found.iter().filter(|e| !e.is_unwritten()).map(|e| e.length_bytes).sum();
        assert_eq!(written, 145 << 12);
        assert!(found.iter().all(|e| e.is_unwritten() == (e.offset >= 292 << 12)), "{found:?}");
        assert!(found.iter().all(|e| !e.is_delayed() && !e.is_unknown()));
        assert!(found.len() > BATCH);
    }

    #[test]
    fn memory_files_have_no_map() {
        let file = crate::memfd::create_inheritable("extents-test").unwrap();
        assert!(is_unsupported(&extents(&file, 4096).unwrap_err()));
    }
}
