//! What the calling thread is allowed beyond an ordinary user.

use crate::SysError;
use rustix::thread::capabilities;

/// The effective capabilities of the calling thread, one bit each, as
/// `CapEff` of `/proc/self/status` has them.
pub fn effective() -> Result<u64, SysError> {
    Ok(capabilities(None).map_err(SysError::of("capget"))?.effective.bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_what_proc_says() {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("CapEff:")).unwrap();
        assert_eq!(effective().unwrap(), u64::from_str_radix(line.trim(), 16).unwrap());
    }
}
