//! The read-ahead of devices, changed while measuring and always put back: at
//! the end, when a run fails, and by the next run when one was killed.

use crate::files::trust::open_directory;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The word that leaves a device as it is.
const LEAVE: &str = "device";

/// Changed devices and what they had.
#[derive(Debug, Default)]
pub struct ReadAhead {
    /// For each file of the kernel's that was changed, its value before.
    before: BTreeMap<PathBuf, String>,
    /// Where the values before are kept for the next run, should this one be killed.
    journal: Option<PathBuf>,
}

impl ReadAhead {
    /// Nothing is changed yet. `state_directory` holds what a killed run leaves
    /// to be put back.
    pub fn new(state_directory: &Path) -> Self {
        let journal = state_directory.join(format!("read-ahead-{}", std::process::id()));
        Self { before: BTreeMap::new(), journal: Some(journal) }
    }

    /// Sets the read-ahead of the device with this number (`254:0`), in KiB, or
    /// puts it back (`device`).
    pub fn set(&mut self, device: &str, kib: &str) -> io::Result<()> {
        let file = kernel_file(device)?;
        if !self.before.contains_key(&file) {
            if kib == LEAVE {
                return Ok(());
            }
            let value = fs::read_to_string(&file)?.trim().to_owned();
            self.before.insert(file.clone(), value);
            self.keep()?;
        }
        let value = if kib == LEAVE { self.before[&file].clone() } else { kib.to_owned() };
        fs::write(&file, value)
    }

    fn keep(&self) -> io::Result<()> {
        let Some(journal) = &self.journal else { return Ok(()) };
        let lines: Vec<_> =
            self.before.iter().map(|(file, value)| format!("{value} {}", file.display())).collect();
        if let Some(parent) = journal.parent() {
            fs::create_dir_all(parent)?;
        }
        // A new file: whatever lies there under this name is not ours, a link least of all.
        match fs::remove_file(journal) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::File::create_new(journal)?.write_all(lines.join("\n").as_bytes())
    }
}

impl Drop for ReadAhead {
    fn drop(&mut self) {
        let restored = self.before.iter().all(|(file, value)| fs::write(file, value).is_ok());
        if let Some(journal) = self.journal.take().filter(|_| restored && !self.before.is_empty()) {
            let _found_by_the_next_run = fs::remove_file(journal);
        }
    }
}

/// Puts back what runs changed that were killed. One sentence for each device.
pub(super) fn restore_leftovers(state_directory: &Path) -> Vec<String> {
    // A journal of somebody else's would have us write what they like.
    if open_directory(state_directory).is_err() {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(state_directory) else { return Vec::new() };
    let mut told = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(pid) = name.strip_prefix("read-ahead-").and_then(|pid| pid.parse::<u32>().ok()) else {
            continue;
        };
        if Path::new(&format!("/proc/{pid}")).exists() {
            continue;
        }
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        let mut restored = true;
        for (value, file) in text.lines().filter_map(|line| line.split_once(' ')) {
            // Only what the kernel calls so: a journal is no way to write elsewhere.
            if file.starts_with("/sys/") && file.ends_with("/read_ahead_kb") && !file.contains("/../") {
                restored &= fs::write(file, value).is_ok();
                told.push(format!(
                    "put read-ahead back to {value} KiB in {file}, which process {pid} left changed"
                ));
            }
        }
        if restored {
            let _stays = fs::remove_file(entry.path());
        }
    }
    told
}

/// `/sys/…/queue/read_ahead_kb` of a device, of the whole disk for a partition.
fn kernel_file(device: &str) -> io::Result<PathBuf> {
    let directory = fs::canonicalize(format!("/sys/dev/block/{device}"))?;
    let whole =
        if directory.join("partition").exists() { directory.parent() } else { Some(directory.as_path()) };
    Ok(whole.unwrap_or(&directory).join("queue/read_ahead_kb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_changed_is_never_written() {
        let state = tempfile::tempdir().unwrap();
        let mut read_ahead = ReadAhead::new(state.path());
        assert!(read_ahead.set("999:999", "0").is_err());
        drop(read_ahead);
        assert_eq!(fs::read_dir(state.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_journal_cannot_write_outside_the_kernels_files() {
        let state = tempfile::tempdir().unwrap();
        let victim = state.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        // No process has a number beyond the largest the kernel allows.
        let journal = state.path().join(format!("read-ahead-{}", 1_u32 << 30));
        fs::write(&journal, format!("0 {}\n", victim.display())).unwrap();
        assert_eq!(restore_leftovers(state.path()), Vec::<String>::new());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        assert!(!journal.exists());
    }
}
