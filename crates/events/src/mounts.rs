//! What is mounted where: on which file system a path lies, and how that is mounted.

use rustc_hash::FxHashMap;

/// File systems whose files another machine keeps.
const NETWORK: [&str; 16] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "ceph",
    "lustre",
    "afs",
    "9p",
    "gpfs",
    "beegfs",
    "orangefs",
    "ocfs2",
    "gfs2",
    "fuse.sshfs",
    "fuse.glusterfs",
];
/// File systems without a device below.
const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];
/// What the kernel makes up.
const MADE_UP: [&str; 14] = [
    "proc",
    "sysfs",
    "cgroup",
    "cgroup2",
    "devtmpfs",
    "devpts",
    "debugfs",
    "tracefs",
    "securityfs",
    "bpf",
    "configfs",
    "mqueue",
    "pstore",
    "binfmt_misc",
];

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The directory it is mounted on.
    pub point: String,
    /// The file system's type, as the kernel names it: `ext4`, `nfs4`, `fuse.sshfs`.
    pub file_system: String,
    /// Options of the mount and of the file system, separated by commas.
    pub options: String,
}

impl Mount {
    /// True when another machine keeps its files: a question is a journey.
    pub fn is_network(&self) -> bool {
        NETWORK.contains(&self.file_system.as_str())
    }

    /// True when its files are in memory alone.
    pub fn is_in_memory(&self) -> bool {
        IN_MEMORY.contains(&self.file_system.as_str())
    }

    /// True when its files are made up by the kernel, or by a program that checks nothing
    /// itself: advice on files does not hold there.
    pub fn is_made_up(&self) -> bool {
        let is_fuse = self.file_system == "fuse" || self.file_system.starts_with("fuse.");
        MADE_UP.contains(&self.file_system.as_str()) || is_fuse && self.has("default_permissions")
    }

    /// True when every read notes its time, not the first after a change alone.
    pub fn notes_every_access(&self) -> bool {
        !["noatime", "relatime", "ro"].iter().any(|option| self.has(option))
    }

    fn has(&self, option: &str) -> bool {
        self.options.split(',').any(|one| one == option)
    }
}

/// Every mount there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MountTable {
    mounts: Vec<Mount>,
    /// What lies on top where several have one point.
    by_point: FxHashMap<String, usize>,
    /// A bit for each length that a point has: few paths are as long as one, and most are sooner known
    /// to be none by that.
    lengths: u128,
}

impl MountTable {
    /// Reads `/proc/PID/mountinfo`; lines of another form are left out.
    pub fn parse(mountinfo: &str) -> Self {
        let mut table = Self::default();
        mountinfo.lines().filter_map(parsed_mount).for_each(|mount| table.add(mount));
        table
    }

    /// Adds one, on top of those that are there.
    pub fn add(&mut self, mount: Mount) {
        self.lengths |= length_bit(&mount.point);
        self.by_point.insert(mount.point.clone(), self.mounts.len());
        self.mounts.push(mount);
    }

    /// The number of the mount that has this very point.
    pub fn at(&self, point: &str) -> Option<usize> {
        if self.lengths & length_bit(point) == 0 {
            return None;
        }
        self.by_point.get(point).copied()
    }

    /// A mount by its number.
    pub fn get(&self, number: usize) -> Option<&Mount> {
        self.mounts.get(number)
    }
}

/// All lengths from 127 on are one.
fn length_bit(point: &str) -> u128 {
    1 << point.len().min(127)
}

/// `36 35 98:0 /root /point rw,noatime master:1 - ext4 /dev/sda rw,errors=continue`.
fn parsed_mount(line: &str) -> Option<Mount> {
    let (mount, file_system) = line.split_once(" - ")?;
    let mut mount = mount.split(' ').skip(4);
    let (point, options) = (mount.next()?, mount.next()?);
    let mut file_system = file_system.split(' ');
    let name = file_system.next()?;
    let own = file_system.nth(1).unwrap_or("");
    Some(Mount {
        point: without_escapes(point),
        file_system: name.to_owned(),
        options: format!("{options},{own}"),
    })
}

/// Spaces and the like stand there as `\040`.
fn without_escapes(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|_| *first == b'\\').and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 8).ok()
        });
        bytes.push(octal.unwrap_or(*first));
        rest = if octal.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// True of a path where by convention devices are or the kernel makes up what is there: nothing is
/// created or emptied by an open of it.
pub fn is_made_up_path(path: &str) -> bool {
    if !matches!(path.as_bytes(), [b'/', b'd' | b'p' | b's', ..]) {
        return false;
    }
    let is_device = is_below(path, "/dev") && !is_below(path, "/dev/shm");
    is_device || ["/proc", "/sys"].iter().any(|made_up| is_below(path, made_up))
}

/// True of a directory's path and of those below it, by their words alone.
pub fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_what_the_kernel_makes_up_are_known_by_their_paths() {
        assert!(["/proc/self/maps", "/dev/pts/0", "/sys"].iter().all(|path| is_made_up_path(path)));
        assert!(["/dev/shm/x", "/processes", "/etc/hosts"].iter().all(|path| !is_made_up_path(path)));
    }

    const MOUNTINFO: &str = "\
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,discard
30 22 0:25 / /proc rw,nosuid shared:2 - proc proc rw
41 22 0:40 / /mnt/a\\040b rw,noatime - nfs4 server:/x rw,vers=4.2
42 22 0:41 / /mnt/f rw,nosuid - fuse.tool tool rw,default_permissions
43 22 0:42 / /mnt/f ro - squashfs /dev/loop0 ro
nonsense
";

    #[test]
    fn mounts_are_read_as_the_kernel_writes_them() {
        let table = MountTable::parse(MOUNTINFO);
        let mount = |point: &str| table.get(table.at(point).unwrap()).unwrap();
        assert_eq!((mount("/").file_system.as_str(), mount("/").notes_every_access()), ("ext4", false));
        assert!(mount("/proc").is_made_up() && !mount("/").is_made_up());
        assert!(mount("/mnt/a b").is_network());
        assert_eq!(mount("/mnt/f").file_system, "squashfs", "the last one lies on top");
        assert!(table.get(3).unwrap().is_made_up() && table.at("/mnt").is_none());
    }

    #[test]
    fn a_mount_without_a_word_on_times_notes_every_access() {
        let table = MountTable::parse("1 0 8:1 / / rw - ext4 /dev/sda1 rw,strictatime\n");
        assert!(table.get(0).unwrap().notes_every_access());
    }
}
