//! Files and names that the first run wrote, made or took away: what is in them after each run.

use anyhow::Context;
use fathom_events::{FileAction, FileEvent, PathTable, Target};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// More are not read after each run.
const MOST_FILES: usize = 256;
/// Nor more bytes.
const MOST_BYTES: u64 = 256 << 20;

/// What was written, as names.
#[derive(Debug, Default)]
pub(super) struct Written {
    names: BTreeSet<PathBuf>,
    /// Names of which it is not known where they are, or that are too many.
    pub(super) left_out: u64,
}

impl Written {
    /// Takes in an event of a process that is in this directory, as far as it is known to be.
    pub(super) fn take(&mut self, event: &FileEvent, paths: &PathTable, directory: Option<&Path>) {
        const WRITES: u32 = 0o3 | 0o100 | 0o1000;
        let changes = match &event.action {
            FileAction::Open { flags, .. } => flags.0 & WRITES != 0,
            FileAction::Rename { .. }
            | FileAction::Link { .. }
            | FileAction::SymbolicLink { .. }
            | FileAction::Remove { .. }
            | FileAction::MakeDirectory { .. }
            | FileAction::Truncate { .. } => true,
            _ => false,
        };
        if !changes || event.outcome.value().is_none() {
            return;
        }
        for target in event.action.targets().into_iter().flatten() {
            let Target::Path { directory: at, path, .. } = target else { continue };
            let path = Path::new(paths.path(*path));
            let is_here = *at == Target::CURRENT_DIRECTORY;
            match directory.filter(|_| is_here) {
                _ if path.is_absolute() => self.add(path.to_owned()),
                Some(directory) => self.add(directory.join(path)),
                None => self.left_out += 1,
            }
        }
    }

    fn add(&mut self, path: PathBuf) {
        let is_special = ["/proc", "/sys", "/dev"].iter().any(|special| path.starts_with(special));
        if is_special || self.names.contains(&path) {
            return;
        }
        if self.names.len() < MOST_FILES {
            self.names.insert(path);
        } else {
            self.left_out += 1;
        }
    }

    /// How many names there are.
    pub(super) fn count(&self) -> u64 {
        self.names.len() as u64
    }

    /// What is there now, by name: equal within one run of Fathom where it is the same.
    pub(super) fn now(&self, hashes: &RandomState) -> anyhow::Result<Vec<u64>> {
        let mut bytes = 0;
        self.names.iter().map(|name| now(name, hashes, &mut bytes)).collect()
    }

    /// The first name under which these differ.
    pub(super) fn differing(&self, one: &[u64], other: &[u64]) -> Option<&Path> {
        let mut names = self.names.iter().zip(one.iter().zip(other));
        names.find(|(_, (one, other))| one != other).map(|(name, _)| name.as_path())
    }
}

fn now(name: &Path, hashes: &RandomState, bytes: &mut u64) -> anyhow::Result<u64> {
    let mut hasher = hashes.build_hasher();
    // Nothing, something else, a link, a directory, a file.
    let Ok(facts) = std::fs::symlink_metadata(name) else {
        hasher.write_u8(0);
        return Ok(hasher.finish());
    };
    if facts.is_symlink() {
        hasher.write_u8(2);
        let to = std::fs::read_link(name).unwrap_or_default();
        hasher.write(to.as_os_str().as_bytes());
    } else if facts.is_dir() {
        hasher.write_u8(3);
    } else if facts.is_file() {
        hasher.write_u8(4);
        hasher.write_u64(facts.len());
        *bytes += facts.len();
        if *bytes <= MOST_BYTES {
            let digest = super::super::experiment::digest(name, hashes)
                .with_context(|| format!("failed to read {}", name.display()))?;
            hasher.write_u64(digest);
        }
    } else {
        hasher.write_u8(1);
    }
    Ok(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::{CallOutcome, OpenFlags};

    #[test]
    fn what_is_written_is_known_by_name_and_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = PathTable::new();
        let mut written = Written::default();
        let mut open = |path: &str, flags: u32, directory: Option<&Path>| {
            let target = Target::path(paths.number(path.as_ref()));
            let event = FileEvent {
                at_ns: 0,
                process: 1,
                thread: 1,
                call: "openat",
                action: FileAction::Open { target, flags: OpenFlags(flags), mode: 0 },
                outcome: CallOutcome::Value(3),
                took_ns: None,
                waited_ns: None,
                slept_ns: None,
                stack: None,
            };
            written.take(&event, &paths, directory);
        };
        open("made", 0o101, Some(folder.path()));
        open("read", 0, Some(folder.path()));
        open("/proc/self/comm", 1, None);
        open("lost", 1, None);
        assert_eq!((written.count(), written.left_out), (1, 1));
        let hashes = RandomState::new();
        let absent = written.now(&hashes).unwrap();
        std::fs::write(folder.path().join("made"), "one").unwrap();
        let made = written.now(&hashes).unwrap();
        assert_eq!(written.differing(&absent, &made), Some(folder.path().join("made").as_path()));
        std::fs::write(folder.path().join("made"), "two").unwrap();
        let other = written.now(&hashes).unwrap();
        assert!(written.differing(&made, &other).is_some());
        std::fs::write(folder.path().join("made"), "one").unwrap();
        assert_eq!(written.differing(&made, &written.now(&hashes).unwrap()), None);
    }
}
