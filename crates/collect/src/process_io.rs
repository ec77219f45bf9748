//! `/proc/PID/io`: the bytes a process caused to be read from and written to devices.

use crate::source;
use fathom_model::Reading;

/// What a process has caused so far, read-ahead on its behalf included. Threads
/// that have ended count too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessIo {
    /// Bytes read from devices.
    pub read_bytes: u64,
    /// Bytes of the page cache made dirty, hence to be written.
    pub write_bytes: u64,
    /// Bytes made dirty that were truncated or removed before they were written.
    pub cancelled_write_bytes: u64,
}

impl ProcessIo {
    /// What happened since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            read_bytes: self.read_bytes.saturating_sub(earlier.read_bytes),
            write_bytes: self.write_bytes.saturating_sub(earlier.write_bytes),
            cancelled_write_bytes: self.cancelled_write_bytes.saturating_sub(earlier.cancelled_write_bytes),
        }
    }
}

/// The bytes of the process `pid`.
pub fn process_io(pid: u32) -> Reading<ProcessIo> {
    let path = format!("/proc/{pid}/io");
    source::parsed(source::text(&path), |text| parse(text).map_err(|reason| format!("{path}: {reason}")))
}

fn parse(text: &str) -> Result<ProcessIo, String> {
    let number = |key: &str| {
        let value = source::field(text, key).ok_or(format!("no line {key}"))?;
        value.parse().map_err(|_| format!("{key} is not a number: {value}"))
    };
    Ok(ProcessIo {
        read_bytes: number("read_bytes")?,
        write_bytes: number("write_bytes")?,
        cancelled_write_bytes: number("cancelled_write_bytes")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_bytes_is_not_rchar() {
        let text = "rchar: 6976\nwchar: 1\nsyscr: 10\nsyscw: 0\nread_bytes: 4096\nwrite_bytes: 7\ncancelled_write_bytes: 2\n";
        let io = ProcessIo { read_bytes: 4096, write_bytes: 7, cancelled_write_bytes: 2 };
        assert_eq!(parse(text), Ok(io));
        assert!(parse("rchar: 1\n").is_err());
        assert!(parse("read_bytes: many\n").is_err());
    }

    #[test]
    fn our_own_can_be_read_and_that_of_no_process_cannot() {
        assert!(process_io(std::process::id()).value().is_some());
        assert!(
            matches!(process_io(u32::MAX), Reading::Unavailable(reason) if reason.contains("/proc/4294967295/io"))
        );
    }
}
