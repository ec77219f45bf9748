//! The facts of a place: file system, mount, journal, device.

mod device;
mod journal;
mod mounts;

use crate::{CollectError, source};
use device::DeviceSource;
use fathom_model::{DeviceFacts, Place, PlaceFacts, Reading};
use fathom_sys::file_system::{self, FileSystem};
use fathom_sys::memfd;
use mounts::Mount;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode, OFlags, fstat, major, minor, open, openat};
use std::path::{Path, PathBuf};

/// Reads the facts of a place. `scratch_path` is the directory in which the
/// files lie; a memfd has none and the argument is not looked at.
pub fn place_facts(place: &Place, scratch_path: &Path) -> Result<PlaceFacts, CollectError> {
    match place {
        Place::Directory(_) => directory_facts(place, scratch_path),
        Place::Memfd => memfd_facts(place),
    }
}

fn directory_facts(place: &Place, path: &Path) -> Result<PlaceFacts, CollectError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = open(path, flags, Mode::empty())
        .map_err(|errno| CollectError::Open { path: path.to_owned(), errno })?;
    let found = file_system::of_file(&directory)
        .map_err(|error| CollectError::Call { path: path.to_owned(), error })?;
    let real = std::fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()));
    let mount = find_mount(&directory, real.as_deref().ok());
    let device = device_of(&directory, found, mount.value());
    let device_name = device.value().map(|device| device.name.as_str());
    let file_system = mount.value().map_or_else(|| type_name(found.magic), |mount| mount.kind.clone());
    Ok(PlaceFacts {
        place: place.clone(),
        inode_bytes: inode_bytes(&file_system),
        file_system,
        magic: format!("{:#x}", found.magic),
        in_memory: found.is_in_memory(),
        journal: journal::state(found, device_name),
        device,
        block_bytes: found.block_bytes,
        direct_io_alignment_bytes: direct_io_alignment(&directory),
        path_depth: Reading::from(real).map(|real| depth_of_file_in(&real)),
        mount_options: mount.clone().map(|mount| mount.options),
        mount_point: mount.map(|mount| mount.point),
    })
}

fn memfd_facts(place: &Place) -> Result<PlaceFacts, CollectError> {
    let call = |error| CollectError::Call { path: PathBuf::from("memfd"), error };
    let file = memfd::create_inheritable("fathom-place").map_err(call)?;
    let found = file_system::of_file(&file).map_err(call)?;
    let none = "a memfd lies on the kernel's own mount of tmpfs";
    let file_system = type_name(found.magic);
    Ok(PlaceFacts {
        place: place.clone(),
        inode_bytes: inode_bytes(&file_system),
        file_system,
        magic: format!("{:#x}", found.magic),
        in_memory: true,
        mount_point: Reading::unavailable(none),
        mount_options: Reading::unavailable(none),
        journal: journal::state(found, None),
        device: Reading::unavailable("memory, no block device"),
        block_bytes: found.block_bytes,
        direct_io_alignment_bytes: alignment_of(&file),
        path_depth: Reading::Value(4),
    })
}

/// Of the slab that the file system's inodes are cut from: root's to read, and
/// absent where slabs are merged out of sight.
fn inode_bytes(file_system: &str) -> Reading<u64> {
    let slab = match file_system {
        "tmpfs" | "devtmpfs" => "shmem_inode_cache".to_owned(),
        "overlay" => "ovl_inode".to_owned(),
        "xfs" | "btrfs" | "erofs" | "fuse" => format!("{file_system}_inode"),
        "vfat" => "fat_inode_cache".to_owned(),
        other => format!("{other}_inode_cache"),
    };
    source::number(format!("/sys/kernel/slab/{slab}/object_size"))
}

fn find_mount(directory: &OwnedFd, real: Option<&Path>) -> Reading<Mount> {
    let text = match source::text("/proc/self/mountinfo") {
        Reading::Value(text) => text,
        Reading::Unavailable(reason) => return Reading::Unavailable(reason),
    };
    let all = mounts::parse(&text);
    let id = file_system::mount_id(directory).ok().flatten();
    let device = fstat(directory).map(|stat| (major(stat.st_dev), minor(stat.st_dev))).ok();
    let found = mounts::with_id(&all, id).or_else(|| mounts::of_path(&all, real?, device));
    found.cloned().ok_or("no line of /proc/self/mountinfo fits").into()
}

fn device_of(directory: &OwnedFd, found: FileSystem, mount: Option<&Mount>) -> Reading<DeviceFacts> {
    if found.is_in_memory() {
        return Reading::unavailable("memory, no block device");
    }
    if found.magic == file_system::OVERLAYFS {
        return Reading::unavailable("overlayfs: the devices of its layers cannot be seen from here");
    }
    let number = match fstat(directory) {
        Ok(stat) => (major(stat.st_dev), minor(stat.st_dev)),
        Err(errno) => return Reading::unavailable(format!("fstat: {errno}")),
    };
    device::facts(&DeviceSource { number, mounted_from: mount.map(|mount| mount.source.as_str()) })
}

/// Only a regular file is told its alignment, so an unnamed one is made.
fn direct_io_alignment(directory: &OwnedFd) -> Reading<u32> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match openat(directory, ".", flags, Mode::RUSR | Mode::WUSR) {
        Ok(file) => alignment_of(&file),
        Err(errno) => {
            Reading::unavailable(format!("no unnamed file can be made to ask about (O_TMPFILE: {errno})"))
        }
    }
}

fn alignment_of(file: impl AsFd) -> Reading<u32> {
    match file_system::direct_io_alignment(file) {
        Ok(Some(0)) => Reading::unavailable("the file system has no direct I/O for such a file"),
        Ok(Some(bytes)) => Reading::Value(bytes),
        Ok(None) => Reading::unavailable("the file system does not report STATX_DIOALIGN"),
        Err(error) => Reading::unavailable(error.to_string()),
    }
}

fn depth_of_file_in(directory: &Path) -> u32 {
    let names = directory.components().filter(|part| matches!(part, std::path::Component::Normal(_))).count();
    u32::try_from(names + 1).unwrap_or(u32::MAX)
}

/// The name of a file system whose mount could not be found.
fn type_name(magic: u64) -> String {
    match magic {
        file_system::EXT4 => "ext2/3/4",
        file_system::TMPFS => "tmpfs",
        file_system::RAMFS => "ramfs",
        file_system::HUGETLBFS => "hugetlbfs",
        file_system::XFS => "xfs",
        file_system::BTRFS => "btrfs",
        file_system::OVERLAYFS => "overlay",
        _ => "unknown",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memfd_is_memory_without_a_device() {
        let facts = place_facts(&Place::Memfd, Path::new("")).unwrap();
        assert!(facts.in_memory && facts.device.value().is_none());
        assert_eq!((facts.file_system.as_str(), facts.magic.as_str()), ("tmpfs", "0x1021994"));
    }

    #[test]
    fn the_place_of_a_directory_is_the_one_that_stat_sees() {
        let here = std::env::current_dir().unwrap();
        let facts = place_facts(&Place::Directory(here.clone()), &here).unwrap();
        let point = facts.mount_point.value().unwrap();
        assert!(here.canonicalize().unwrap().starts_with(point), "{facts:?}");
        assert!(facts.block_bytes > 0 && !facts.mount_options.value().unwrap().is_empty());
        assert_eq!(facts.path_depth.value(), Some(&depth_of_file_in(&here.canonicalize().unwrap())));
    }

    #[test]
    fn a_missing_directory_is_an_error_that_names_it() {
        let path = PathBuf::from("/no/such/place");
        let error = place_facts(&Place::Directory(path.clone()), &path).unwrap_err();
        assert!(error.to_string().contains("/no/such/place"), "{error}");
    }

    #[test]
    fn depth_counts_the_file_too() {
        assert_eq!(depth_of_file_in(Path::new("/a/b")), 3);
        assert_eq!(depth_of_file_in(Path::new("/")), 1);
    }
}
