//! The block layer's tracepoints: which filters single out a device or a kind
//! of request.

use super::tracepoints::Tracepoint;
use crate::source;
use fathom_model::Reading;
use fathom_model::counter_name as name;

/// Parts of a tracepoint's events that are counted by themselves, as `TRACEPOINT:PART`: requests
/// by kind, and flushes that carry no data. The kernel writes an `F` before the operation's
/// letter where the device's cache is to be flushed first, and flags behind it.
pub(super) const PARTS: [(&str, &str, &str); 5] = [
    (name::RQ_ISSUE, "read", "rwbs ~ \"R*\" || rwbs ~ \"FR*\""),
    (name::RQ_ISSUE, "write", "rwbs ~ \"W*\" || rwbs ~ \"FW*\""),
    (name::RQ_ISSUE, "discard", "rwbs ~ \"D*\" || rwbs ~ \"FD*\""),
    (name::RQ_ISSUE, "flush", "rwbs == \"F\" || rwbs ~ \"FF*\" || rwbs ~ \"FS*\""),
    (name::BIO_QUEUE, "empty", "nr_sector == 0"),
];

/// The kind of a request by the kernel's letters for it.
pub(super) fn kind(rwbs: &str) -> &'static str {
    let operation = match rwbs.strip_prefix('F') {
        Some(rest) if rest.starts_with(['R', 'W', 'D']) => rest,
        _ => rwbs,
    };
    match operation.as_bytes().first() {
        Some(b'R') => "read",
        Some(b'W') => "write",
        Some(b'D') => "discard",
        Some(b'F') => "flush",
        _ => "other",
    }
}

/// A device by the numbers under which the block layer speaks of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Device {
    /// Its own, as the kernel encodes it in events.
    own: u64,
    /// That of the whole disk, where it is a partition; requests bear this one.
    disk: u64,
}

impl Device {
    /// By its number as `/sys` has it: `254:0`.
    pub(super) fn of(number: &str) -> Result<Self, String> {
        let parsed = |text: &str| encoded(text).ok_or_else(|| format!("`{text}` is no device number"));
        let own = parsed(number)?;
        let folder = format!("/sys/dev/block/{number}");
        let disk = match std::fs::exists(format!("{folder}/partition")) {
            Ok(true) => match source::text(format!("{folder}/../dev")) {
                Reading::Value(disk) => parsed(&disk)?,
                Reading::Unavailable(reason) => return Err(reason),
            },
            _ => own,
        };
        Ok(Self { own, disk })
    }

    /// The filter that lets only this device's events through: of the partition where
    /// bios and buffers are meant, of the whole disk where requests are.
    pub(super) fn filter(self, tracepoint: &Tracepoint) -> String {
        format!("dev == {}", if is_of_requests(&tracepoint.name) { self.disk } else { self.own })
    }

    /// True for a partition whose requests are counted with those of its whole disk.
    pub(super) fn is_partition(self) -> bool {
        self.own != self.disk
    }
}

/// True where an event is of a request, which belongs to a disk's queue.
pub(super) fn is_of_requests(name: &str) -> bool {
    name.starts_with("block_rq_") || name.starts_with("block_io_")
}

/// The kernel's own `dev_t`: 20 bits of minor number.
fn encoded(number: &str) -> Option<u64> {
    let (major, minor) = number.split_once(':')?;
    Some(major.parse::<u64>().ok()? << 20 | minor.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_stands_behind_a_preflush() {
        let kinds = ["R", "RA", "WS", "FWFS", "D", "FF", "F", "FS", "DE", "N"].map(kind);
        let expected =
            ["read", "read", "write", "write", "discard", "flush", "flush", "flush", "discard", "other"];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn numbers_are_the_kernels_own() {
        assert_eq!(encoded("7:3"), Some((7 << 20) | 3));
        assert_eq!(encoded("7"), None);
        assert!(Device::of("none").is_err());
        assert!(!Device::of("1:1").unwrap().is_partition());
    }
}
