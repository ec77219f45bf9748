//! Whether the file system keeps a journal. On ext4 it changes the cost of creating files.

use crate::source;
use fathom_model::Reading;
use fathom_sys::file_system::{self, FileSystem};
use std::path::Path;

/// The journal of a file system on the device with this kernel name.
pub(super) fn state(found: FileSystem, device: Option<&str>) -> Reading<String> {
    if found.is_in_memory() {
        return Reading::Value("no journal (memory)".to_owned());
    }
    match (found.magic, device) {
        (file_system::EXT4, Some(device)) => {
            ext4(Path::new("/proc/fs/jbd2"), Path::new("/sys/fs/ext4"), device)
        }
        (file_system::XFS, _) => Reading::Value("journaled (xfs log)".to_owned()),
        (file_system::BTRFS, _) => Reading::Value("no journal (copy on write, log tree)".to_owned()),
        (file_system::EXT4, None) => Reading::unavailable("the device is not known"),
        (magic, _) => Reading::unavailable(format!("no way known to ask a file system of type {magic:#x}")),
    }
}

/// The thread of a journal shows itself in `/proc/fs/jbd2`; `journal_task` of
/// ext4 tells a file system without one from one whose `/proc` is hidden.
fn ext4(jbd2: &Path, ext4: &Path, device: &str) -> Reading<String> {
    if let Some(journal) = journal_named(jbd2, device) {
        return Reading::Value(format!("journaled (jbd2/{journal})"));
    }
    source::text(ext4.join(device).join("journal_task")).map(|task| {
        if task == "<none>" { "no journal".to_owned() } else { format!("journaled (thread {task})") }
    })
}

fn journal_named(jbd2: &Path, device: &str) -> Option<String> {
    let names =
        std::fs::read_dir(jbd2).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    // The journal's name is the device's, a dash and the journal's inode.
    names.into_iter().find(|name| name.rsplit_once('-').is_some_and(|(owner, _)| owner == device))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    #[test]
    fn ext4_with_and_without_a_journal_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let (jbd2, sys) = (root.path().join("jbd2"), root.path().join("ext4"));
        create_dir_all(jbd2.join("dm-1-8")).unwrap();
        for (device, task) in [("vda", "<none>\n"), ("sdb", "77\n")] {
            create_dir_all(sys.join(device)).unwrap();
            write(sys.join(device).join("journal_task"), task).unwrap();
        }
        let state = |device| ext4(&jbd2, &sys, device);
        assert_eq!(state("dm-1"), Reading::Value("journaled (jbd2/dm-1-8)".into()));
        assert_eq!(state("vda"), Reading::Value("no journal".into()));
        assert_eq!(state("sdb"), Reading::Value("journaled (thread 77)".into()));
        assert!(matches!(state("sdc"), Reading::Unavailable(reason) if reason.contains("sdc/journal_task")));
        assert!(state("dm").value().is_none());
    }
}
