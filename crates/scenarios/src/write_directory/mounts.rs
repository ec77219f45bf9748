//! What is mounted, and which of it we may write.

use fathom_sys::file_system::mount_id;
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, accessat, open};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    id: u64,
    /// Where.
    pub(super) point: PathBuf,
    /// The type: `ext4`.
    pub(super) kind: String,
    read_only: bool,
}

/// Every mount of this process.
pub(super) fn read() -> Result<Vec<Mount>, String> {
    let path = "/proc/self/mountinfo";
    let text = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(String::from_utf8_lossy(&text).lines().filter_map(parse).collect())
}

impl Mount {
    /// Why it is not tried; `None` when it can be.
    pub(super) fn why_not(&self) -> Option<String> {
        if self.kind == "autofs" {
            return Some("looking at it would mount something".to_owned());
        }
        if self.read_only {
            return Some("mounted read-only".to_owned());
        }
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let directory = match open(&self.point, flags | OFlags::DIRECTORY, Mode::empty()) {
            Ok(directory) => directory,
            Err(errno) => return Some(format!("open: {errno}")),
        };
        if mount_id(&directory).ok().flatten().is_some_and(|id| id != self.id) {
            return Some("another file system is mounted over it".to_owned());
        }
        let writable = accessat(CWD, &self.point, Access::WRITE_OK, AtFlags::EACCESS);
        writable.err().map(|errno| format!("not writable for us: {errno}"))
    }
}

/// `27 1 254:0 / /mnt rw,relatime shared:1 - ext4 /dev/vda rw,discard`
fn parse(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    let (kind, rest) = right.split_once(' ')?;
    let has = |options: &str| options.split(',').any(|option| option == "ro");
    Some(Mount {
        id: left.first()?.parse().ok()?,
        point: PathBuf::from(OsString::from_vec(unescape(left.get(4)?))),
        kind: kind.to_owned(),
        read_only: has(left.get(5)?) || rest.rsplit(' ').next().is_some_and(has),
    })
}

/// Blanks, tabs, newlines and backslashes are written as `\040`.
fn unescape(text: &str) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped =
            digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| *first == b'\\');
        plain.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[3..] } else { after };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_point_type_and_whether_it_is_read_only() {
        let mount =
            parse("31 27 8:1 /sub /mnt/a\\040b\\134c rw,noatime shared:5 - xfs /dev/sda1 rw").unwrap();
        assert_eq!((mount.id, mount.kind.as_str(), mount.read_only), (31, "xfs", false));
        assert_eq!(mount.point, PathBuf::from("/mnt/a b\\c"));
        assert!(parse("31 27 8:1 / /mnt ro,noatime - xfs /dev/sda1 rw").unwrap().read_only);
        assert!(parse("31 27 8:1 / /mnt rw - squashfs /dev/sda1 ro,errors=continue").unwrap().read_only);
        assert!(!parse("31 27 8:1 / /mnt rw,errors=ro2 - ext4 /dev/sda1 rw").unwrap().read_only);
        assert_eq!(parse("not a mount"), None);
    }

    #[test]
    fn the_mounts_of_this_machine_have_a_root() {
        let all = read().unwrap();
        assert!(all.iter().any(|mount| mount.point.as_os_str() == "/"), "{all:?}");
        let proc = all.iter().rfind(|mount| mount.kind == "proc").unwrap();
        assert!(proc.why_not().is_none_or(|reason| !reason.contains("mounted over")), "{proc:?}");
    }
}
