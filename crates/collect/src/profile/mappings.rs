//! The executable mappings of a process: which code lies where.

use super::ProfileError;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One executable mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) range: Range<u64>,
    /// Offset of its first byte in the file.
    pub(super) offset: u64,
    pub(super) origin: Origin,
}

/// Where code comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// A file.
    File(PathBuf),
    /// The kernel, by the name of what it put there: `[vdso]`.
    Kernel(String),
    /// The process made it.
    Process,
}

/// All of them, in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mappings(Vec<Mapping>);

impl Mappings {
    /// Reads those of a process.
    pub(super) fn of(pid: u32) -> Result<Self, ProfileError> {
        let path = format!("/proc/{pid}/maps");
        let text = fs::read_to_string(&path).map_err(|error| ProfileError::Process { path, error })?;
        Ok(Self::parse(&text))
    }

    /// The mapping that holds an address.
    pub(super) fn at(&self, address: u64) -> Option<&Mapping> {
        let after = self.0.partition_point(|mapping| mapping.range.start <= address);
        self.0[..after].last().filter(|mapping| mapping.range.contains(&address))
    }

    /// The mappings of files.
    pub(super) fn of_files(&self) -> impl Iterator<Item = (&Mapping, &Path)> {
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
    let (_device, _inode) = (field(), field());
    let path = rest.trim_start();
    let start = u64::from_str_radix(start, 16).ok()?;
    let end = u64::from_str_radix(end, 16).ok()?;
    let origin = match path {
        "[vdso]" | "[vsyscall]" => Origin::Kernel(path.to_owned()),
        _ if path.starts_with('/') => Origin::File(PathBuf::from(path)),
        _ => Origin::Process,
    };
    Some(Mapping { range: start..end, offset, origin })
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
