//! One mapping of a process, by an address in it, without a list of all (Linux 6.11 and later).

use crate::SysError;
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;

/// A mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueriedMapping {
    /// Its addresses.
    pub range: Range<u64>,
    /// Read, write, execute.
    pub allows: [bool; 3],
    /// What is written there is seen by others.
    pub is_shared: bool,
    /// The number of its file; 0 of memory that is of none.
    pub inode: u64,
}

/// `struct procmap_query` of `linux/fs.h`.
#[repr(C)]
#[derive(Default)]
struct Query {
    size: u64,
    flags: u64,
    address: u64,
    start: u64,
    end: u64,
    allows: u64,
    page_size: u64,
    offset: u64,
    inode: u64,
    device: [u32; 2],
    name_size: u32,
    build_id_size: u32,
    name: u64,
    build_id: u64,
}

const QUERY: libc::Ioctl = rustix::ioctl::opcode::read_write::<Query>(b'f', 17) as libc::Ioctl;

/// The mapping that an address lies in; `maps` is a process's `/proc/PID/maps`. `ENOENT` where there is
/// none, `ENOTTY` where the kernel is not asked so.
pub fn mapping_at(maps: &File, address: u64) -> Result<QueriedMapping, SysError> {
    let mut query = Query { size: size_of::<Query>() as u64, address, ..Query::default() };
    // SAFETY: the kernel writes one structure of the size that it says; it has no addresses to write to.
    let outcome = unsafe { libc::ioctl(maps.as_raw_fd(), QUERY, &raw mut query) };
    if outcome < 0 {
        return Err(SysError::last("ioctl(PROCMAP_QUERY)"));
    }
    Ok(QueriedMapping {
        range: query.start..query.end,
        allows: [1, 2, 4].map(|bit| query.allows & bit != 0),
        is_shared: query.allows & 8 != 0,
        inode: query.inode,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_this_program_is_a_private_mapping_of_its_file() {
        let maps = File::open("/proc/self/maps").unwrap();
        let code = (mapping_at as fn(&File, u64) -> _ as *const ()).addr() as u64;
        let found = match mapping_at(&maps, code) {
            // Before Linux 6.11.
            Err(error) if error.errno() == Some(rustix::io::Errno::NOTTY) => return,
            found => found.unwrap(),
        };
        assert!(found.range.contains(&code) && found.inode != 0);
        assert_eq!((found.allows, found.is_shared), ([true, false, true], false));
        let on_stack = 0_u8;
        let stack = mapping_at(&maps, (&raw const on_stack).addr() as u64).unwrap();
        assert_eq!((stack.allows, stack.inode), ([true, true, false], 0));
        assert!(mapping_at(&maps, 16).is_err());
    }
}
