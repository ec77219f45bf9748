//! Anonymous memory files.

use crate::SysError;
use rustix::fd::OwnedFd;
use rustix::fs::{MemfdFlags, memfd_create};

/// Makes an empty memory file that children inherit: no close-on-exec, so that
/// a driver opens it as `/proc/self/fd/N` with the same number.
pub fn create_inheritable(name: &str) -> Result<OwnedFd, SysError> {
    memfd_create(name, MemfdFlags::empty()).map_err(SysError::of("memfd_create"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::AsRawFd;
    use std::io::Write;
    use std::process::Command;

    #[test]
    fn a_child_reads_it_under_the_same_number() {
        let mut file = std::fs::File::from(create_inheritable("memfd-test").unwrap());
        file.write_all(b"inherited").unwrap();
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let output = Command::new("cat").arg(path).output().unwrap();
        assert_eq!(output.stdout, b"inherited");
    }
}
