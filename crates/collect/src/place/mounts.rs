//! `/proc/self/mountinfo`, and which of its lines a directory belongs to.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    pub(super) id: u64,
    /// Major and minor number of the device, as in `st_dev`.
    pub(super) device: (u32, u32),
    pub(super) point: PathBuf,
    /// Options of the mount, then those of the file system, each once.
    pub(super) options: Vec<String>,
    pub(super) kind: String,
    pub(super) source: String,
}

/// The mounts, in the file's order; lines that make no sense are left out.
pub(super) fn parse(text: &str) -> Vec<Mount> {
    text.lines().filter_map(parse_line).collect()
}

/// The mount with this id.
pub(super) fn with_id(mounts: &[Mount], id: Option<u64>) -> Option<&Mount> {
    mounts.iter().find(|mount| Some(mount.id) == id)
}

/// The mount that a path without symbolic links lies in: the longest mount point that
/// is a prefix, the last mounted of equals, of the device where that is known.
pub(super) fn of_path<'a>(mounts: &'a [Mount], path: &Path, device: Option<(u32, u32)>) -> Option<&'a Mount> {
    let longest = |same_device: bool| {
        mounts
            .iter()
            .filter(|mount| path.starts_with(&mount.point))
            .filter(|mount| !same_device || Some(mount.device) == device)
            .max_by_key(|mount| mount.point.components().count())
    };
    // The subvolumes of Btrfs have a device number of their own that no line shows.
    longest(true).or_else(|| longest(false))
}

/// `27 1 254:0 / /mnt rw,relatime shared:1 - ext4 /dev/vda rw,discard`
fn parse_line(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let mut left = left.split(' ');
    let id = left.next()?.parse().ok()?;
    let (major, minor) = left.nth(1)?.split_once(':')?;
    let point = PathBuf::from(OsString::from_vec(unescape(left.nth(1)?)));
    let mount_options = left.next()?;
    let mut right = right.split(' ');
    let kind = right.next()?.to_owned();
    let source = String::from_utf8_lossy(&unescape(right.next()?)).into_owned();
    let mut options: Vec<String> = mount_options.split(',').map(str::to_owned).collect();
    for option in right.next().unwrap_or_default().split(',').filter(|option| !option.is_empty()) {
        if !options.iter().any(|known| known == option) {
            options.push(option.to_owned());
        }
    }
    Some(Mount { id, device: (major.parse().ok()?, minor.parse().ok()?), point, options, kind, source })
}

/// Blanks, tabs, newlines and backslashes are written as `\040`.
fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 4).and_then(octal).filter(|_| bytes[at] == b'\\');
        plain.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 4 } else { 1 };
    }
    plain
}

fn octal(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw,size=12334492k,mode=755
25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24684092k
30 25 0:27 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24684092k
31 27 8:1 /sub /mnt/a\\040b\\134c rw,noatime shared:5 master:2 - xfs /dev/sda1 rw,attr2
not a mount
";

    #[test]
    fn a_line_with_optional_fields_and_escapes_is_understood() {
        let mounts = parse(TEXT);
        assert_eq!(mounts.len(), 5);
        let xfs = mounts.last().unwrap();
        assert_eq!(xfs.point, Path::new("/mnt/a b\\c"));
        assert_eq!(
            (xfs.id, xfs.device, xfs.kind.as_str(), xfs.source.as_str()),
            (31, (8, 1), "xfs", "/dev/sda1")
        );
        assert_eq!(xfs.options, ["rw", "noatime", "attr2"]);
    }

    #[test]
    fn the_longest_prefix_of_the_device_wins_and_the_last_of_equals() {
        let mounts = parse(TEXT);
        let id = |path: &str, device| of_path(&mounts, Path::new(path), device).map(|mount| mount.id);
        assert_eq!(id("/dev/shm/x", Some((0, 27))), Some(30));
        assert_eq!(id("/dev/shm/x", Some((0, 23))), Some(25));
        assert_eq!(id("/dev/shm/x", None), Some(30));
        assert_eq!(id("/dev/shmx", Some((0, 6))), Some(24));
        assert_eq!(id("/mnt/a b\\c/d", Some((8, 1))), Some(31));
        assert_eq!(id("/home", Some((254, 0))), Some(27));
        // A device number that no line has: by path alone.
        assert_eq!(id("/home", Some((0, 99))), Some(27));
        assert_eq!(with_id(&mounts, Some(25)).unwrap().device, (0, 23));
        assert_eq!(with_id(&mounts, None), None);
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(unescape("a\\04"), b"a\\04");
        assert_eq!(unescape("a\\999"), b"a\\999");
        assert_eq!(unescape("\\011x"), b"\tx");
    }
}
