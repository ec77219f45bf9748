//! Files drawn from a tree: every regular file that can be read is as likely as
//! every other, and the same seed draws the same files of the same tree.

use super::OwnFile;
use fathom_model::splitmix64;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What was found below a directory.
pub(super) struct Drawn {
    /// The files, in the order of their paths.
    pub(super) files: Vec<OwnFile>,
    /// Regular files that were large enough.
    pub(super) seen: u64,
    /// Drawn, and left out: they cannot be opened, or their path is not text.
    pub(super) skipped: u64,
}

/// Draws by rank: each file has a rank of its seed and its number, and those with
/// the lowest are taken. Symbolic links are not followed, other file systems not entered.
pub(super) fn draw(tree: &Path, count: usize, least_bytes: u64, seed: u64) -> Drawn {
    let device = std::fs::metadata(tree).map(|found| found.dev()).unwrap_or_default();
    let mut drawn = Drawn { files: Vec::new(), seen: 0, skipped: 0 };
    let mut taken: std::collections::BTreeMap<(u64, u64), OwnFile> = std::collections::BTreeMap::new();
    let mut left = vec![tree.to_owned()];
    while let Some(directory) = left.pop() {
        for path in sorted_entries(&directory) {
            let Ok(found) = std::fs::symlink_metadata(&path) else { continue };
            if found.dev() != device {
                continue;
            }
            if found.is_dir() {
                left.push(path);
            } else if found.is_file() && found.len() >= least_bytes {
                drawn.seen += 1;
                let rank = (splitmix64(seed ^ splitmix64(drawn.seen)), drawn.seen);
                let beyond =
                    taken.len() >= count && taken.last_key_value().is_some_and(|(last, _)| rank > *last);
                if beyond {
                    continue;
                }
                match OwnFile::at(&path) {
                    Ok(file) => drop(taken.insert(rank, file)),
                    Err(_) => drawn.skipped += 1,
                }
                if taken.len() > count {
                    taken.pop_last();
                }
            }
        }
    }
    drawn.files = taken.into_values().collect();
    drawn.files.sort_by(|a, b| a.path.cmp(&b.path));
    drawn
}

/// The entries in the order of their names: a directory gives them in none.
fn sorted_entries(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_unstable();
    paths
}
