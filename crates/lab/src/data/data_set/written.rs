//! Guards: is this a regular file, and was every byte of it really written?

use super::DataError;
use fathom_sys::SysError;
use fathom_sys::extents::{self, Extent};
use rustix::fd::AsFd;
use rustix::fs::{FileType, SeekFrom, fstat, seek, stat};
use rustix::io::Errno;
use std::path::Path;

/// Files so small may be kept in the inode or packed together.
const SMALL_BYTES: u64 = 4096;

/// Refuses a path that is no regular file: a character device like `/dev/null`,
/// a pipe, a directory.
pub fn check_regular(path: &Path) -> Result<(), DataError> {
    let found = stat(path).map_err(|errno| DataError::refused("stat", path, errno))?;
    let kind = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => return Ok(()),
        FileType::Directory => "directory",
        FileType::CharacterDevice => "character device",
        FileType::BlockDevice => "block device",
        FileType::Fifo => "pipe",
        FileType::Socket => "socket",
        _ => "thing of unknown kind",
    };
    Err(DataError::NotRegular { path: path.to_owned(), kind })
}

/// Refuses an open regular file of which some byte was never written to the
/// device: holes, unwritten extents, extents still in memory. `path` is for the error.
pub fn check_written(fd: impl AsFd, path: &Path) -> Result<(), DataError> {
    let fd = fd.as_fd();
    let size = size_of(fd, path)?;
    match extents::extents(fd, size) {
        Ok(found) => match first_unwritten(&found, size) {
            Some((what, offset)) => Err(DataError::NotWritten { path: path.to_owned(), what, offset }),
            None => Ok(()),
        },
        Err(error) if extents::is_unsupported(&error) => check_without_map(fd, path, size),
        Err(error) => Err(DataError::refused("FS_IOC_FIEMAP", path, errno_of(&error))),
    }
}

pub(super) fn size_of(fd: impl AsFd, path: &Path) -> Result<u64, DataError> {
    let found = fstat(fd).map_err(|errno| DataError::refused("fstat", path, errno))?;
    Ok(u64::try_from(found.st_size).unwrap_or(0))
}

fn first_unwritten(found: &[Extent], size: u64) -> Option<(&'static str, u64)> {
    let mut covered = 0;
    for extent in found {
        if extent.offset > covered {
            break;
        }
        let state = match extent {
            extent if extent.is_unwritten() => Some("an unwritten extent"),
            extent if extent.is_delayed() => Some("an extent still in memory"),
            extent if extent.is_unknown() => Some("an extent whose place is not known"),
            _ => None,
        };
        if let Some(what) = state.filter(|_| extent.offset < size) {
            return Some((what, extent.offset));
        }
        covered = covered.max(extent.end());
    }
    (covered < size).then_some(("a hole", covered))
}

/// Memory file systems and some others have no map of extents; they know holes,
/// and what is allocated in all.
fn check_without_map(fd: impl AsFd, path: &Path, size: u64) -> Result<(), DataError> {
    let fd = fd.as_fd();
    if size == 0 {
        return Ok(());
    }
    match seek(fd, SeekFrom::Hole(0)) {
        Ok(hole) if hole < size => {
            return Err(DataError::NotWritten { path: path.to_owned(), what: "a hole", offset: hole });
        }
        Ok(_) | Err(Errno::INVAL | Errno::OPNOTSUPP) => {}
        Err(errno) => return Err(DataError::refused("lseek", path, errno)),
    }
    // The position is shared with whoever gave the descriptor.
    seek(fd, SeekFrom::Start(0)).map_err(|errno| DataError::refused("lseek", path, errno))?;
    let found = fstat(fd).map_err(|errno| DataError::refused("fstat", path, errno))?;
    let allocated = u64::try_from(found.st_blocks).unwrap_or(0).saturating_mul(512);
    if size > SMALL_BYTES && allocated < size {
        return Err(DataError::Sparse { path: path.to_owned(), allocated, size });
    }
    Ok(())
}

fn errno_of(error: &SysError) -> Errno {
    error.errno().unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_sys::memfd;
    use rustix::fs::{FallocateFlags, Mode, fallocate, mkfifoat};
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    fn refusal(file: &File) -> String {
        check_written(file, Path::new("the file")).unwrap_err().to_string()
    }

    #[test]
    fn devices_pipes_and_directories_are_no_data_files() {
        let kind = |path: &Path| check_regular(path).unwrap_err().to_string();
        assert!(kind(Path::new("/dev/null")).contains("character device"));
        let folder = tempfile::tempdir().unwrap();
        assert!(kind(folder.path()).contains("directory"));
        let pipe = folder.path().join("pipe");
        mkfifoat(rustix::fs::CWD, &pipe, Mode::RUSR).unwrap();
        assert!(kind(&pipe).contains("pipe"));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert!(kind(&link).contains("character device"));
        assert!(kind(&folder.path().join("absent")).contains("stat"));
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        check_regular(&file).unwrap();
    }

    #[test]
    fn holes_and_unwritten_extents_are_refused_and_written_bytes_are_not() {
        let file = tempfile::tempfile_in(".").unwrap();
        file.set_len(64 << 12).unwrap();
        assert!(refusal(&file).contains("hole at byte 0"), "{}", refusal(&file));
        file.write_all_at(&vec![1; 32 << 12], 0).unwrap();
        file.sync_all().unwrap();
        assert!(refusal(&file).contains(&format!("hole at byte {}", 32 << 12)), "{}", refusal(&file));
        if let Err(errno) = fallocate(&file, FallocateFlags::empty(), 32 << 12, 32 << 12) {
            eprintln!("skipped: fallocate: {errno}");
            return;
        }
        file.sync_all().unwrap();
        assert!(refusal(&file).contains(&format!("at byte {}", 32 << 12)), "{}", refusal(&file));
        file.write_all_at(&vec![1; 32 << 12], 32 << 12).unwrap();
        file.sync_all().unwrap();
        check_written(&file, Path::new("the file")).unwrap();
    }

    #[test]
    fn bytes_that_only_memory_holds_are_refused() {
        let file = tempfile::tempfile_in(".").unwrap();
        file.write_all_at(&vec![1; 64 << 12], 0).unwrap();
        match check_written(&file, Path::new("the file")) {
            Err(error) => assert!(error.to_string().contains("in memory"), "{error}"),
            Ok(()) => eprintln!("skipped: this file system does not delay allocation"),
        }
    }

    #[test]
    fn holes_of_memory_files_are_found_without_a_map() {
        let file = File::from(memfd::create_inheritable("written-test").unwrap());
        file.set_len(16 << 12).unwrap();
        assert!(refusal(&file).contains("hole at byte 0"));
        file.write_all_at(&vec![1; 8 << 12], 0).unwrap();
        assert!(refusal(&file).contains(&format!("hole at byte {}", 8 << 12)), "{}", refusal(&file));
        file.write_all_at(&vec![1; 8 << 12], 8 << 12).unwrap();
        check_written(&file, Path::new("the file")).unwrap();
    }
}
