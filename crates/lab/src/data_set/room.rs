//! Whether a data set fits, asked before it is begun and told when it did not.

use super::DataError;
use fathom_model::DataSet;
use fathom_sys::file_system::{self, FileSystem};
use rustix::fd::BorrowedFd;
use rustix::process::{Resource, getrlimit};
use std::path::{Path, PathBuf};

/// The kernel takes no longer command line, whatever the limit of the stack.
const ARGUMENTS_MOST_BYTES: u64 = 6 << 20;
/// What a path takes of it at the least: a name in the directory that a driver runs in, the word before it,
/// and a pointer to each.
const PATH_BYTES: u64 = 5 + 7 + 16;
/// Descriptors left for everything but memory files.
const DESCRIPTORS_KEPT: u64 = 64;

/// Refuses what does not fit into an open directory; `path` is for the error.
pub(crate) fn check_directory(
    path: &Path,
    directory: BorrowedFd<'_>,
    data: &DataSet,
) -> Result<(), DataError> {
    let Some(found) = ask(path, directory)? else { return Ok(()) };
    let need_bytes = need_bytes(data, found.block_bytes);
    let path = path.to_owned();
    if need_bytes > found.free_bytes {
        return Err(DataError::NoSpace { path, need_bytes, free_bytes: found.free_bytes });
    }
    if found.is_in_memory() {
        check_available(&path, need_bytes)?;
    }
    match found.free_files {
        Some(free) if free < u64::from(data.files) => {
            Err(DataError::NoFiles { path, need: data.files.into(), free })
        }
        _ => Ok(()),
    }
}

pub(super) fn check_memory(data: &DataSet) -> Result<(), DataError> {
    let path = PathBuf::from("memory");
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let free = limit.saturating_sub(DESCRIPTORS_KEPT);
    if u64::from(data.files) > free {
        return Err(DataError::NoFiles { path, need: data.files.into(), free });
    }
    check_available(&path, need_bytes(data, rustix::param::page_size() as u64))
}

/// Refuses files whose paths no driver could be given: they are words of its command line.
pub(crate) fn check_arguments(data: &DataSet) -> Result<(), DataError> {
    // As execve(2) has it: a quarter of the stack's limit, and 6 MiB at the most.
    let stack = getrlimit(Resource::Stack).current.unwrap_or(u64::MAX);
    let free_bytes = (stack / 4).min(ARGUMENTS_MOST_BYTES);
    if PATH_BYTES.saturating_mul(data.files.into()) <= free_bytes {
        return Ok(());
    }
    Err(DataError::TooManyPaths { files: data.files, most: free_bytes / PATH_BYTES })
}

/// Turns "no space left" into an error with figures, read after the files are gone again.
pub(crate) fn with_figures(
    error: DataError,
    path: &Path,
    directory: BorrowedFd<'_>,
    data: &DataSet,
) -> DataError {
    if !error.is_full() {
        return error;
    }
    let Ok(Some(found)) = ask(path, directory) else { return error };
    let path = path.to_owned();
    let need = u64::from(data.files);
    match found.free_files {
        Some(free) if free < need => DataError::NoFiles { path, need, free },
        _ => {
            let need_bytes = need_bytes(data, found.block_bytes);
            DataError::NoSpace { path, need_bytes, free_bytes: found.free_bytes }
        }
    }
}

/// `None` where the file system gives no figures (some network and FUSE ones say 0 blocks of 0 bytes).
fn ask(path: &Path, directory: BorrowedFd<'_>) -> Result<Option<FileSystem>, DataError> {
    let mut found = file_system::of_file(directory).map_err(|error| {
        let errno = error.errno().unwrap_or(rustix::io::Errno::IO);
        DataError::refused("fstatfs", path, errno)
    })?;
    if rustix::fs::fstatfs(directory).is_ok_and(|figures| figures.f_blocks == 0) {
        // Without a limit (ramfs, tmpfs of size 0) all figures are 0: memory is the limit.
        found.free_bytes = u64::MAX;
    }
    Ok((found.block_bytes > 0).then_some(found))
}

fn need_bytes(data: &DataSet, block_bytes: u64) -> u64 {
    let each = data.size_bytes.div_ceil(block_bytes).saturating_mul(block_bytes);
    each.saturating_mul(data.files.into())
}

/// A memory file system may be larger than the memory there is.
fn check_available(path: &Path, need_bytes: u64) -> Result<(), DataError> {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    match available_bytes(&info) {
        Some(free_bytes) if free_bytes < need_bytes => {
            Err(DataError::NoSpace { path: path.to_owned(), need_bytes, free_bytes })
        }
        _ => Ok(()),
    }
}

fn available_bytes(meminfo: &str) -> Option<u64> {
    let value = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    value.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Content;

    #[test]
    fn files_take_whole_blocks() {
        let data = DataSet { files: 3, size_bytes: 4097, content: Content::Random };
        assert_eq!(need_bytes(&data, 4096), 3 * 8192);
        assert_eq!(available_bytes("MemTotal: 9 kB\nMemAvailable:   20 kB\n"), Some(20 * 1024));
    }

    #[test]
    fn more_paths_than_a_program_can_be_given_are_refused() {
        let data = |files| DataSet { files, size_bytes: 0, content: Content::Random };
        assert!(check_arguments(&data(1000)).is_ok());
        let error = check_arguments(&data(1_000_000)).unwrap_err().to_string();
        assert!(error.starts_with("1000000 files are more than a driver can be given"), "{error}");
    }

    #[test]
    fn more_memory_than_there_is_is_refused_before_it_is_taken() {
        let data = DataSet { files: 1, size_bytes: 1 << 50, content: Content::Random };
        assert!(matches!(check_memory(&data), Err(DataError::NoSpace { .. })));
        let data = DataSet { files: u32::MAX, size_bytes: 0, content: Content::Random };
        let unlimited = getrlimit(Resource::Nofile).current.is_none();
        assert!(unlimited || matches!(check_memory(&data), Err(DataError::NoFiles { .. })));
    }
}
