//! `/proc/meminfo`: what the page cache still has to write, for the whole machine.

use crate::source;
use fathom_model::Reading;

/// Bytes on their way to devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirtyPages {
    /// Waiting to be written.
    pub dirty_bytes: u64,
    /// Being written.
    pub writeback_bytes: u64,
}

/// The state now.
pub fn dirty_pages() -> Reading<DirtyPages> {
    source::parsed(source::text("/proc/meminfo"), parse)
}

fn parse(text: &str) -> Result<DirtyPages, String> {
    let bytes = |key: &str| {
        let value = source::field(text, key).ok_or(format!("no line {key}"))?;
        let kib = value.strip_suffix(" kB").and_then(|kib| kib.parse::<u64>().ok());
        kib.map(|kib| kib * 1024).ok_or(format!("{key} is no number of kB: {value}"))
    };
    Ok(DirtyPages { dirty_bytes: bytes("Dirty")?, writeback_bytes: bytes("Writeback")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dirty_and_writeback_are_told_apart() {
        let text = "MemFree: 5 kB\nDirty:              3092 kB\nWriteback:             4 kB\nWritebackTmp:          9 kB\n";
        assert_eq!(parse(text), Ok(DirtyPages { dirty_bytes: 3092 * 1024, writeback_bytes: 4096 }));
        assert!(parse("Dirty: 3 kB\n").is_err());
        assert!(parse("Dirty: many\nWriteback: 1 kB\n").is_err());
    }

    #[test]
    fn this_machine_tells() {
        assert!(dirty_pages().value().is_some());
    }
}
