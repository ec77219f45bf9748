//! What a file system says of itself and of a file on it.

use crate::SysError;
use rustix::fd::AsFd;
use rustix::fs::{AtFlags, StatxFlags, fstatfs, statx};

/// `f_type` of overlayfs.
pub const OVERLAYFS: u64 = 0x794C_7630;
/// `f_type` of ext2, ext3 and ext4.
pub const EXT4: u64 = 0xEF53;
/// `f_type` of tmpfs.
pub const TMPFS: u64 = 0x0102_1994;
/// `f_type` of ramfs.
pub const RAMFS: u64 = 0x8584_58F6;
/// `f_type` of hugetlbfs.
pub const HUGETLBFS: u64 = 0x9584_58F6;
/// `f_type` of XFS.
pub const XFS: u64 = 0x5846_5342;
/// `f_type` of Btrfs.
pub const BTRFS: u64 = 0x9123_683E;

/// What statfs(2) says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSystem {
    /// `f_type`.
    pub magic: u64,
    /// Block size, in bytes.
    pub block_bytes: u64,
    /// Bytes that this user may still write.
    pub free_bytes: u64,
    /// Files that may still be made; `None` where the file system sets no limit.
    pub free_files: Option<u64>,
}

impl FileSystem {
    /// True when files here live in memory only.
    pub fn is_in_memory(self) -> bool {
        matches!(self.magic, TMPFS | RAMFS | HUGETLBFS)
    }
}

/// Asks the file system that a file lies on.
pub fn of_file(fd: impl AsFd) -> Result<FileSystem, SysError> {
    let found = fstatfs(fd).map_err(SysError::of("fstatfs"))?;
    let block_bytes = u64::try_from(found.f_bsize).unwrap_or(0);
    Ok(FileSystem {
        // `f_type` is signed on some architectures; the magic is its low 32 bits.
        magic: found.f_type.cast_unsigned() & 0xFFFF_FFFF,
        block_bytes,
        free_bytes: found.f_bavail.saturating_mul(block_bytes),
        free_files: (found.f_files > 0).then_some(found.f_ffree),
    })
}

/// The alignment that direct I/O on a file needs, in bytes; `None` when the
/// kernel or the file system does not say. 0 means: no direct I/O.
pub fn direct_io_alignment(fd: impl AsFd) -> Result<Option<u32>, SysError> {
    let found = statx(fd, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN).map_err(SysError::of("statx"))?;
    let told = found.stx_mask & StatxFlags::DIOALIGN.bits() != 0;
    Ok(told.then_some(found.stx_dio_offset_align))
}

/// The id of the mount that a file was opened through, as in
/// `/proc/self/mountinfo`; `None` before Linux 5.8.
pub fn mount_id(fd: impl AsFd) -> Result<Option<u64>, SysError> {
    let found = statx(fd, c"", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID).map_err(SysError::of("statx"))?;
    Ok((found.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(found.stx_mnt_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_file_lies_on_tmpfs_and_says_nothing_of_direct_io() {
        let file = crate::memfd::create_inheritable("file-system-test").unwrap();
        let found = of_file(&file).unwrap();
        assert_eq!(found.magic, TMPFS);
        assert!(found.is_in_memory());
        assert_eq!(direct_io_alignment(&file).unwrap(), None);
    }

    #[test]
    fn proc_is_neither_in_memory_files_nor_overlay() {
        let found = of_file(std::fs::File::open("/proc/self/stat").unwrap()).unwrap();
        assert_eq!(found.magic, 0x9FA0);
        assert!(!found.is_in_memory());
    }

    #[test]
    fn the_mount_id_is_the_one_of_fdinfo() {
        use rustix::fd::AsRawFd;
        let file = std::fs::File::open("/proc/self/stat").unwrap();
        let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).unwrap();
        let id = info.lines().find_map(|line| line.strip_prefix("mnt_id:")).unwrap().trim().parse().unwrap();
        assert_eq!(mount_id(&file).unwrap(), Some(id));
    }
}
