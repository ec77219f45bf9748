//! What the whole machine keeps of names and inodes: dentries, inodes, and the
//! slabs that they lie in.

use super::CounterReading;
use crate::source;
use fathom_model::{CounterUnit, Reading, Scope};

/// Slabs that hold dentries or inodes of file systems that data lies on.
const SLABS: [&str; 5] = ["dentry", "ext4_inode_cache", "xfs_inode", "btrfs_inode", "shmem_inode_cache"];

/// All of them, now.
pub(super) fn read() -> Vec<CounterReading> {
    let first = |path: &str| {
        source::parsed(source::text(path), |text| {
            let word = text.split_whitespace().next().unwrap_or_default();
            word.parse().map_err(|_| format!("{path}: {text}"))
        })
    };
    let mut readings = vec![
        reading("dentries", "/proc/sys/fs/dentry-state", first("/proc/sys/fs/dentry-state")),
        reading("inodes", "/proc/sys/fs/inode-nr", first("/proc/sys/fs/inode-nr")),
    ];
    let slabs = source::text("/proc/slabinfo");
    let own = "/proc/slabinfo, in which a CPU's own slabs count as full";
    match &slabs {
        Reading::Unavailable(reason) => {
            let reason = Reading::unavailable(format!("needs root: {reason}"));
            readings.push(reading("slab:dentry", own, reason));
        }
        Reading::Value(text) => {
            for slab in SLABS {
                // A file system that is not loaded has none.
                if let Some(active) = active_objects(text, slab) {
                    readings.push(reading(&format!("slab:{slab}"), own, Reading::Value(active)));
                }
            }
        }
    }
    readings
}

fn reading(name: &str, source: &str, value: Reading<u64>) -> CounterReading {
    let (name, source) = (name.to_owned(), source.to_owned());
    CounterReading { name, source, scope: Scope::Machine, unit: CounterUnit::Events, value }
}

fn active_objects(slabinfo: &str, slab: &str) -> Option<u64> {
    let line = slabinfo.lines().find(|line| line.split_whitespace().next() == Some(slab))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slab_is_found_by_its_whole_name() {
        let text =
            "slabinfo - version: 2.1\next4_inode_cache_x 1 2\next4_inode_cache   4711   4800   1096 29\n";
        assert_eq!(active_objects(text, "ext4_inode_cache"), Some(4711));
        assert_eq!(active_objects(text, "dentry"), None);
    }

    #[test]
    fn everybody_may_read_how_many_dentries_there_are() {
        let readings = read();
        let dentries = readings.iter().find(|reading| reading.name == "dentries").unwrap();
        assert!(dentries.value.value().is_some_and(|&count| count > 0), "{dentries:?}");
    }
}
