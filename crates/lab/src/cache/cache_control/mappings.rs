//! Which processes map a file. Asked only when an eviction failed: it reads
//! the maps of every process that this user may look at.

use std::fs::File;
use std::os::unix::fs::MetadataExt;

/// The processes that map the file, as `PID (name)`, in order of their numbers.
pub(super) fn of(file: &File) -> Vec<String> {
    let Ok(metadata) = file.metadata() else { return Vec::new() };
    let path = std::fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file)));
    let path = path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    let (dev, ino) = (metadata.dev(), metadata.ino());
    let device = (rustix::fs::major(dev), rustix::fs::minor(dev));
    let mut pids: Vec<u32> = std::fs::read_dir("/proc")
        .map(|entries| {
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
        })
        .unwrap_or_default();
    pids.sort_unstable();
    let maps_it = |pid: &u32| {
        let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
        maps.lines().any(|line| is_mapping_of(line, device, ino, &path))
    };
    pids.into_iter().filter(maps_it).map(named).collect()
}

/// `7f00-7f01 r--s 00000000 fe:00 1234   /path`. Btrfs and overlayfs show other
/// device numbers here than `st_dev`; then number and path must both fit.
fn is_mapping_of(line: &str, device: (u32, u32), ino: u64, path: &str) -> bool {
    let mut fields = line.split_ascii_whitespace().skip(3);
    let (Some(number), Some(inode)) = (fields.next(), fields.next()) else { return false };
    if inode.parse() != Ok(ino) {
        return false;
    }
    let parsed = number.split_once(':').and_then(|(major, minor)| {
        Some((u32::from_str_radix(major, 16).ok()?, u32::from_str_radix(minor, 16).ok()?))
    });
    parsed == Some(device) || line.trim_end_matches(" (deleted)").ends_with(path)
}

fn named(pid: u32) -> String {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    format!("{pid} ({})", name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_by_device_and_inode_or_by_inode_and_path() {
        let line = "7f5a1000-7f5a2000 r--s 00000000 fe:00 4711                       /data/a file";
        assert!(is_mapping_of(line, (254, 0), 4711, "/elsewhere"));
        assert!(is_mapping_of(line, (0, 40), 4711, "/data/a file"));
        assert!(!is_mapping_of(line, (0, 40), 4711, "/data/b"));
        assert!(!is_mapping_of(line, (254, 0), 471, "/data/a file"));
        assert!(!is_mapping_of("7f5a1000-7f5a2000 rw-p 00000000 00:00 0", (0, 0), 4711, "/x"));
    }
}
