//! POSIX access control lists, written as the kernel keeps them: the extended
//! attribute `system.posix_acl_access` (`linux/posix_acl_xattr.h`).

use rustix::fs::{XattrFlags, setxattr};
use std::io;
use std::path::Path;

const ATTRIBUTE: &str = "system.posix_acl_access";
const VERSION: u32 = 2;
const OWNER: u16 = 0x01;
const NAMED_USER: u16 = 0x02;
const OWNING_GROUP: u16 = 0x04;
const MASK: u16 = 0x10;
const OTHERS: u16 = 0x20;
const NOBODY: u32 = u32::MAX;

/// Who may read, beside the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccessList {
    /// User numbers that may read (and enter, if it is a directory).
    pub(crate) users: Vec<u32>,
    /// True for a directory.
    pub(crate) directory: bool,
}

/// Gives a file or directory this list; its owner may do everything, others nothing.
pub(crate) fn grant(path: &Path, list: &AccessList) -> io::Result<()> {
    setxattr(path, ATTRIBUTE, &list.encode(), XattrFlags::empty()).map_err(io::Error::from)
}

impl AccessList {
    fn encode(&self) -> Vec<u8> {
        let (all, read) = if self.directory { (7, 5) } else { (6, 4) };
        let mut users = self.users.clone();
        // The kernel wants them in order.
        users.sort_unstable();
        users.dedup();
        let mut bytes = VERSION.to_le_bytes().to_vec();
        let mut entry = |tag: u16, permissions: u16, id: u32| {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(permissions.to_le_bytes());
            bytes.extend(id.to_le_bytes());
        };
        entry(OWNER, all, NOBODY);
        for user in users {
            entry(NAMED_USER, read, user);
        }
        entry(OWNING_GROUP, 0, NOBODY);
        entry(MASK, read, NOBODY);
        entry(OTHERS, 0, NOBODY);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_takes_a_list_and_gives_it_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let list = AccessList { users: vec![61_001, 61_000], directory: false };
        match grant(file.path(), &list) {
            // A file system without lists.
            Err(error) if error.raw_os_error() == Some(95) => return,
            other => other.unwrap(),
        }
        let mut back = vec![0; 200];
        let length = rustix::fs::getxattr(file.path(), ATTRIBUTE, &mut back).unwrap();
        assert_eq!(back[..length], list.encode());
    }
}
