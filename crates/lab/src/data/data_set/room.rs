//! Whether a data set fits, asked before it is begun and told when it did not.

use super::DataError;
use fathom_model::DataSet;
use fathom_sys::file_system::{self, FileSystem};
use rustix::fd::BorrowedFd;
use rustix::process::{Resource, getrlimit};
use std::path::{Path, PathBuf};

/// The kernel takes no longer command line, whatever the limit of the stack.
const ARGUMENTS_MOST_BYTES: u64 = 6 << 20;
/// And always takes one as long as this.
const ARGUMENTS_LEAST_BYTES: u64 = 128 << 10;
const POINTER_BYTES: usize = 8;
/// What a path takes beside its own bytes: the word before it, an end and a pointer of each.
const PATH_BYTES: usize = 8 + 1 + 2 * POINTER_BYTES;
/// For everything else that a driver is given, its padding included.
const OTHER_WORDS_BYTES: u64 = 48 << 10;
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

/// Whether a driver can be given so many paths as words of its command line, twice: a tracer is given them too.
pub(crate) fn fit_on_command_line(paths: &[PathBuf]) -> bool {
    // As execve(2) has it: a quarter of the stack's limit, 128 KiB at the least and 6 MiB at the most, for
    // words and variables with a pointer to each.
    let stack = getrlimit(Resource::Stack).current.unwrap_or(u64::MAX);
    let free_bytes = (stack / 4).clamp(ARGUMENTS_LEAST_BYTES, ARGUMENTS_MOST_BYTES);
    let variables: u64 =
        std::env::vars_os().map(|(name, value)| (name.len() + value.len() + POINTER_BYTES + 2) as u64).sum();
    let words: u64 = paths.iter().map(|path| (path.as_os_str().len() + PATH_BYTES) as u64).sum();
    2 * words + variables + OTHER_WORDS_BYTES <= free_bytes
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
    fn paths_fit_on_a_command_line_or_do_not() {
        let paths = |count: usize| vec![PathBuf::from("/a/path/of/some/length/f0"); count];
        assert!(fit_on_command_line(&paths(200)));
        assert!(!fit_on_command_line(&paths(1_000_000)));
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
