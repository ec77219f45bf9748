//! The block device under a file system, as `/sys` describes it.

use crate::source::{self, chosen, parsed};
use fathom_model::{DeviceFacts, Reading};
use rustix::fs::{FileType, major, minor, stat};
use std::path::{Path, PathBuf};

/// What is known before `/sys` is asked.
pub(super) struct DeviceSource<'a> {
    /// Major and minor number of `st_dev`.
    pub(super) number: (u32, u32),
    /// What was mounted: `/dev/vda`.
    pub(super) mounted_from: Option<&'a str>,
}

/// The device's facts. Major 0 is an anonymous number (Btrfs, network file
/// systems): then what was mounted must itself be a block device.
pub(super) fn facts(source: &DeviceSource<'_>) -> Reading<DeviceFacts> {
    let number = match source.number {
        (0, _) => match source.mounted_from.map(block_device_number) {
            Some(Ok(number)) => number,
            Some(Err(reason)) => return Reading::Unavailable(reason),
            None => return Reading::unavailable("the device number is anonymous and the mount is not known"),
        },
        number => number,
    };
    in_sys(Path::new("/sys/dev/block"), number)
}

fn block_device_number(path: &str) -> Result<(u32, u32), String> {
    let anonymous = format!("`{path}`, which was mounted, is no block device seen from here");
    let found = stat(path).map_err(|errno| format!("{anonymous}: {errno}"))?;
    if FileType::from_raw_mode(found.st_mode) == FileType::BlockDevice {
        return Ok((major(found.st_rdev), minor(found.st_rdev)));
    }
    Err(anonymous)
}

fn in_sys(root: &Path, (major, minor): (u32, u32)) -> Reading<DeviceFacts> {
    let number = format!("{major}:{minor}");
    let link = root.join(&number);
    let folder = match std::fs::canonicalize(&link) {
        Ok(folder) => folder,
        Err(error) => return Reading::unavailable(format!("{}: {error}", link.display())),
    };
    let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return Reading::unavailable(format!("{} has no name", folder.display()));
    };
    let disk = disk_folder(&folder);
    let queue = disk.join("queue");
    Reading::Value(DeviceFacts {
        name,
        number,
        scheduler: parsed(source::text(queue.join("scheduler")), chosen),
        read_ahead_kib: source::number(queue.join("read_ahead_kb")),
        max_sectors_kib: source::number(queue.join("max_sectors_kb")),
        logical_block_bytes: source::number(queue.join("logical_block_size")),
        rotational: source::number::<u8>(queue.join("rotational")).map(|flag| flag != 0),
        model: source::text(disk.join("device/model")),
    })
}

/// A partition has no queue: its disk, the folder above, does.
fn disk_folder(folder: &Path) -> PathBuf {
    let parent = folder.parent().filter(|_| folder.join("partition").exists());
    parent.unwrap_or(folder).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    #[test]
    fn a_partition_has_the_queue_of_its_disk() {
        let root = tempfile::tempdir().unwrap();
        let disk = root.path().join("devices/sda");
        create_dir_all(disk.join("queue")).unwrap();
        create_dir_all(disk.join("sda2")).unwrap();
        write(disk.join("sda2/partition"), "2\n").unwrap();
        write(disk.join("queue/scheduler"), "[none] mq-deadline\n").unwrap();
        write(disk.join("queue/read_ahead_kb"), "128\n").unwrap();
        write(disk.join("queue/rotational"), "1\n").unwrap();
        std::os::unix::fs::symlink(disk.join("sda2"), root.path().join("8:2")).unwrap();
        let facts = in_sys(root.path(), (8, 2)).value().unwrap().clone();
        assert_eq!((facts.name.as_str(), facts.number.as_str()), ("sda2", "8:2"));
        assert_eq!(facts.scheduler, Reading::Value("none".into()));
        assert_eq!(facts.read_ahead_kib, Reading::Value(128));
        assert_eq!(facts.rotational, Reading::Value(true));
        assert!(facts.model.value().is_none() && facts.max_sectors_kib.value().is_none());
    }

    #[test]
    fn an_anonymous_number_needs_a_device_that_was_mounted() {
        let facts_of = |mounted_from| facts(&DeviceSource { number: (0, 40), mounted_from });
        assert!(
            matches!(facts_of(Some("server:/export")), Reading::Unavailable(reason) if reason.contains("server:/export"))
        );
        assert!(
            matches!(facts_of(Some("/dev/null")), Reading::Unavailable(reason) if reason.contains("no block device"))
        );
        assert!(facts_of(None).value().is_none());
    }
}
