//! `/proc/PID/io`: the bytes a process caused to be read from devices.

use crate::source;
use fathom_model::Reading;

/// Bytes that the process `pid` has so far caused to be read from a device,
/// read-ahead on its behalf included. Threads that have ended count too.
pub fn process_io(pid: u32) -> Reading<u64> {
    let path = format!("/proc/{pid}/io");
    source::parsed(source::text(&path), |text| read_bytes(text).map_err(|reason| format!("{path}: {reason}")))
}

fn read_bytes(text: &str) -> Result<u64, String> {
    let value = source::field(text, "read_bytes").ok_or("no line read_bytes")?;
    value.parse().map_err(|_| format!("read_bytes is not a number: {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_bytes_is_not_rchar() {
        let text = "rchar: 6976\nwchar: 1\nsyscr: 10\nsyscw: 0\nread_bytes: 4096\nwrite_bytes: 7\ncancelled_write_bytes: 0\n";
        assert_eq!(read_bytes(text), Ok(4096));
        assert!(read_bytes("rchar: 1\n").is_err());
        assert!(read_bytes("read_bytes: many\n").is_err());
    }

    #[test]
    fn our_own_can_be_read_and_that_of_no_process_cannot() {
        assert!(process_io(std::process::id()).value().is_some());
        assert!(
            matches!(process_io(u32::MAX), Reading::Unavailable(reason) if reason.contains("/proc/4294967295/io"))
        );
    }
}
