//! `/sys/dev/block/NUMBER/stat`: what a block device has done so far, for
//! everybody on the machine together (Documentation/block/stat.rst).

use crate::source;
use fathom_model::Reading;
use std::time::{Duration, Instant};

/// Requests and bytes of one device since it was there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeviceIo {
    /// Read requests completed.
    pub reads: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Write requests completed.
    pub writes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Requests merged into another before they were issued, reads and writes.
    pub merges: u64,
    /// Discard requests completed.
    pub discards: u64,
    /// Cache flushes completed.
    pub flushes: u64,
}

impl DeviceIo {
    /// What happened since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            reads: self.reads.saturating_sub(earlier.reads),
            read_bytes: self.read_bytes.saturating_sub(earlier.read_bytes),
            writes: self.writes.saturating_sub(earlier.writes),
            written_bytes: self.written_bytes.saturating_sub(earlier.written_bytes),
            merges: self.merges.saturating_sub(earlier.merges),
            discards: self.discards.saturating_sub(earlier.discards),
            flushes: self.flushes.saturating_sub(earlier.flushes),
        }
    }
}

/// The statistics of the device with this number (`254:0`).
pub fn device_io(number: &str) -> Reading<DeviceIo> {
    let path = format!("/sys/dev/block/{number}/stat");
    source::parsed(source::text(&path), |text| parse(text).ok_or_else(|| format!("{path}: {text}")))
}

/// How often it is looked whether a device is idle.
const IDLE_CHECK: Duration = Duration::from_micros(250);

/// Waits until the device has no request in flight, for so long at most: it may be busy for
/// others. A request is in its statistics when it has completed.
pub fn wait_until_idle(number: &str, limit: Duration) {
    let path = format!("/sys/dev/block/{number}/inflight");
    let begun = Instant::now();
    while begun.elapsed() < limit {
        match std::fs::read_to_string(&path) {
            Ok(text) if text.split_whitespace().any(|count| count != "0") => std::thread::sleep(IDLE_CHECK),
            _ => return,
        }
    }
}

/// Sectors of this file are of 512 bytes, whatever the device's are.
const SECTOR_BYTES: u64 = 512;

fn parse(text: &str) -> Option<DeviceIo> {
    let fields: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let at = |index: usize| fields.get(index).copied();
    Some(DeviceIo {
        reads: at(0)?,
        read_bytes: at(2)? * SECTOR_BYTES,
        writes: at(4)?,
        written_bytes: at(6)? * SECTOR_BYTES,
        merges: at(1)? + at(5)?,
        // Older kernels do not count these.
        discards: at(11).unwrap_or(0),
        flushes: at(15).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_those_of_the_kernels_documentation() {
        let text = "10 1 80 5 20 2 160 9 0 14 30 3 0 24 7 4 2";
        let io = parse(text).unwrap();
        let expected = DeviceIo {
            reads: 10,
            read_bytes: 80 * 512,
            writes: 20,
            written_bytes: 160 * 512,
            merges: 3,
            discards: 3,
            flushes: 4,
        };
        assert_eq!(io, expected);
        assert_eq!(io.since(DeviceIo { reads: 4, ..DeviceIo::default() }).reads, 6);
        assert_eq!(parse("10 1 80"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_device_that_is_not_there_is_a_reason() {
        assert!(matches!(device_io("999:999"), Reading::Unavailable(reason) if reason.contains("999:999")));
    }
}
