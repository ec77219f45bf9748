//! Whether a sync has anything to write: most of its price. One answer for whoever counts calls.

/// What a sync of a file finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncFinds {
    /// Something was changed since the last one.
    Dirty,
    /// Nothing was.
    Clean,
}

impl SyncFinds {
    /// From when the file was changed last and when synced last, by any clock that begins above 0; 0 is
    /// never. `None` of a file of which neither was seen: what was done to it before is not known.
    pub fn at(changed: u64, synced: u64) -> Option<Self> {
        match (changed > synced, synced) {
            (true, _) => Some(Self::Dirty),
            (false, 0) => None,
            (false, _) => Some(Self::Clean),
        }
    }
}

/// True of a sync after which the data is on the device: `sync_file_range` starts the writing,
/// and does neither the metadata nor the device's own cache.
pub fn reaches_device(call: &str) -> bool {
    !call.starts_with("sync_file_range")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_since_is_dirty() {
        assert_eq!(SyncFinds::at(0, 0), None);
        assert_eq!(SyncFinds::at(5, 0), Some(SyncFinds::Dirty));
        assert_eq!(SyncFinds::at(5, 9), Some(SyncFinds::Clean));
        assert_eq!(SyncFinds::at(12, 9), Some(SyncFinds::Dirty));
        assert_eq!(SyncFinds::at(0, 9), Some(SyncFinds::Clean));
        assert!(reaches_device("fsync") && !reaches_device("sync_file_range2"));
    }
}
