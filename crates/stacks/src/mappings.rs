//! The executable mappings of a process: which code lies where.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One executable mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Its addresses.
    pub range: Range<u64>,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// The device and the inode of the file, as the kernel writes them here; other calls
    /// may tell another device.
    pub inode: (String, u64),
    /// Where its code comes from.
    pub origin: Origin,
}

/// Where code comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// The kernel, by the name of what it put there: `[vdso]`.
    Kernel(String),
    /// The process made it.
    Process,
}

/// All of them, in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mappings(Vec<Mapping>);

impl Mappings {
    /// Reads those of a process.
    pub fn of(pid: u32) -> io::Result<Self> {
        // A path need not be UTF-8.
        let text = fs::read(format!("/proc/{pid}/maps"))?;
        Ok(Self::parse(&String::from_utf8_lossy(&text)))
    }

    /// These, which are in ascending order.
    pub fn in_order(mappings: Vec<Mapping>) -> Self {
        Self(mappings)
    }

    /// All of them, in ascending order.
    pub fn into_vec(self) -> Vec<Mapping> {
        self.0
    }

    /// All of them, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = &Mapping> {
        self.0.iter()
    }

    /// The mapping that holds an address.
    pub fn at(&self, address: u64) -> Option<&Mapping> {
        self.0.get(self.position(address)?)
    }

    /// Which of them holds an address, in the order of `iter`.
    pub fn position(&self, address: u64) -> Option<usize> {
        let last = self.0.partition_point(|mapping| mapping.range.start <= address).checked_sub(1)?;
        self.0[last].range.contains(&address).then_some(last)
    }

    /// The mappings of files.
    pub fn of_files(&self) -> impl Iterator<Item = (&Mapping, &Path)> {
        self.0.iter().filter_map(|mapping| match &mapping.origin {
            Origin::File(path) => Some((mapping, path.as_path())),
            Origin::Kernel(_) | Origin::Process => None,
        })
    }

    fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(executable_mapping).collect())
    }
}

/// `start-end perms offset device inode path`, when it is executable.
fn executable_mapping(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut field = || {
        let (field, after) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
        rest = after;
        field
    };
    let (start, end) = field().split_once('-')?;
    if !field().contains('x') {
        return None;
    }
    let offset = u64::from_str_radix(field(), 16).ok()?;
    let (device, inode) = (field().to_owned(), field().parse().unwrap_or(0));
    let path = rest.trim_start();
    let start = u64::from_str_radix(start, 16).ok()?;
    let end = u64::from_str_radix(end, 16).ok()?;
    let origin = match path {
        "[vdso]" | "[vsyscall]" => Origin::Kernel(path.to_owned()),
        _ if path.starts_with('/') => Origin::File(PathBuf::from(path)),
        _ => Origin::Process,
    };
    Some(Mapping { range: start..end, offset, inode: (device, inode), origin })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0c0a00000-55d0c0a02000 r--p 00000000 fe:00 131 /usr/bin/a b
55d0c0a02000-55d0c0a08000 r-xp 00002000 fe:00 131                        /usr/bin/a b
7f1c00000000-7f1c00021000 rwxp 00000000 00:00 0 
7ffd1b9f2000-7ffd1b9f4000 r-xp 00000000 00:00 0                          [vdso]
";

    #[test]
    fn executable_mappings_and_no_others() {
        let mappings = Mappings::parse(MAPS);
        assert_eq!(mappings.0.len(), 3);
        let found = mappings.at(0x55d0_c0a0_2010).unwrap();
        assert_eq!((found.offset, &found.origin), (0x2000, &Origin::File("/usr/bin/a b".into())));
        assert_eq!(found.inode, ("fe:00".to_owned(), 131));
        assert_eq!(mappings.at(0x7f1c_0000_0000).unwrap().origin, Origin::Process);
        assert_eq!(mappings.at(0x7ffd_1b9f_2000).unwrap().origin, Origin::Kernel("[vdso]".into()));
        assert_eq!(mappings.at(0x55d0_c0a0_0010), None);
        assert_eq!(mappings.at(0x7f1c_0002_1000), None);
    }

    #[test]
    fn our_own_code_is_found() {
        let here = our_own_code_is_found as fn() as usize as u64;
        let mappings = Mappings::of(std::process::id()).unwrap();
        assert!(matches!(mappings.at(here).unwrap().origin, Origin::File(_)));
    }
}
