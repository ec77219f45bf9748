//! What calls met that their own arguments do not show and their price depends on: whether a sync had
//! anything to write, whether memory that is given back was a file's.

use crate::met::Met;
use fathom_events::{MappedFrom, Mappings, Shape, SyncFinds, reaches_device, shape_of};
use std::collections::BTreeMap;

/// What processes did to their files and their memory, by the index of the process.
#[derive(Debug, Default)]
pub(super) struct FileStates {
    processes: BTreeMap<usize, ProcessFiles>,
    /// Counts what changes files and what syncs them.
    clock: u64,
    /// When any file was changed last, by whichever process and descriptor.
    changed: u64,
}

#[derive(Debug, Default, Clone)]
struct ProcessFiles {
    mappings: Mappings,
    descriptors: BTreeMap<i32, Clocks>,
}

/// When an open file was changed last through a descriptor, and synced last; 0 is never.
#[derive(Debug, Default, Clone, Copy)]
struct Clocks {
    changed: u64,
    synced: u64,
}

impl FileStates {
    /// Follows a call that has returned; tells what it met, where that is known.
    pub(super) fn follow(
        &mut self,
        process: usize,
        call: &str,
        arguments: &[u64; 6],
        result: Option<u64>,
    ) -> Option<Met> {
        let shape = shape_of(call)?;
        let files = self.processes.entry(process).or_default();
        let descriptor = |position: usize| low_half(arguments[position]);
        match shape {
            Shape::Map => {
                let is_memory = arguments[3] & u64::from(libc::MAP_ANONYMOUS.cast_unsigned()) != 0;
                let from = if is_memory { MappedFrom::Memory } else { MappedFrom::File };
                files.mappings.map(result?, arguments[1], from);
            }
            Shape::Unmap => {
                let from = files.mappings.of(arguments[0], arguments[1]);
                if result.is_some() {
                    files.mappings.unmap(arguments[0], arguments[1]);
                }
                return from.map(|from| match from {
                    MappedFrom::File => Met::FileMapping,
                    MappedFrom::Memory => Met::Memory,
                });
            }
            Shape::Remap => {
                let from = files.mappings.of(arguments[0], arguments[1]);
                let to = result?;
                files.mappings.unmap(arguments[0], arguments[1]);
                match from {
                    Some(from) => files.mappings.map(to, arguments[2], from),
                    None => files.mappings.unmap(to, arguments[2]),
                }
            }
            Shape::Sync { one: true, .. } if reaches_device(call) => {
                return self.sync(process, descriptor(0), result);
            }
            _ => {
                let result = result?;
                match shape {
                    Shape::Transfer { write: true, .. } | Shape::SendFile if result > 0 => {
                        self.change(process, descriptor(0));
                    }
                    Shape::CopyFileRange | Shape::Splice if result > 0 => self.change(process, descriptor(2)),
                    Shape::Truncate(fathom_events::At::Descriptor(_)) | Shape::Allocate => {
                        self.change(process, descriptor(0));
                    }
                    Shape::Open { flags, .. } => self.opened(process, result, arguments[flags]),
                    Shape::Create => self.opened(process, result, u64::from(libc::O_TRUNC.cast_unsigned())),
                    Shape::OpenHow => self.opened(process, result, 0),
                    Shape::Duplicate | Shape::DuplicateTo { .. } => {
                        let known = files.descriptors.get(&descriptor(0)).copied().unwrap_or_default();
                        files.descriptors.insert(low_half(result), known);
                    }
                    Shape::Close => drop(files.descriptors.remove(&descriptor(0))),
                    Shape::CloseRange => files.descriptors.clear(),
                    _ => {}
                }
            }
        }
        None
    }

    /// A child has what its parent has mapped and open.
    pub(super) fn inherit(&mut self, child: usize, parent: usize) {
        if let Some(files) = self.processes.get(&parent).cloned() {
            self.processes.entry(child).or_insert(files);
        }
    }

    /// A process executed a program: its memory is new, and which descriptors it kept is not known.
    pub(super) fn forget(&mut self, process: usize) {
        self.processes.remove(&process);
    }

    fn sync(&mut self, process: usize, descriptor: i32, result: Option<u64>) -> Option<Met> {
        self.clock += 1;
        let clocks = self.processes.entry(process).or_default().descriptors.entry(descriptor).or_default();
        let finds = SyncFinds::at(clocks.changed, clocks.synced);
        // It may have been changed by another way to it: only where nothing was written is it clean.
        let is_sure = self.changed <= clocks.synced;
        if result.is_some() {
            clocks.synced = self.clock;
        }
        match finds? {
            SyncFinds::Dirty => Some(Met::Dirty),
            SyncFinds::Clean => is_sure.then_some(Met::Clean),
        }
    }

    fn change(&mut self, process: usize, descriptor: i32) {
        self.clock += 1;
        self.changed = self.clock;
        let files = self.processes.entry(process).or_default();
        files.descriptors.entry(descriptor).or_default().changed = self.clock;
    }

    fn opened(&mut self, process: usize, descriptor: u64, flags: u64) {
        let descriptor = low_half(descriptor);
        self.processes.entry(process).or_default().descriptors.insert(descriptor, Clocks::default());
        if flags & u64::from(libc::O_TRUNC.cast_unsigned()) != 0 {
            self.change(process, descriptor);
        }
    }
}

/// The kernel takes the lower half of a descriptor's argument.
fn low_half(value: u64) -> i32 {
    u32::try_from(value & u64::from(u32::MAX)).unwrap_or_default().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each of these calls met.
    fn met(calls: &[(&str, [u64; 3], u64)]) -> Vec<Met> {
        let mut states = FileStates::default();
        let follow = |&(call, [a, b, c], result): &(&str, [u64; 3], u64)| {
            let flags = if call == "mmap" { c } else { 0 };
            states.follow(0, call, &[a, b, c, flags, 0, 0], Some(result))
        };
        calls.iter().filter_map(follow).collect()
    }

    #[test]
    fn a_sync_after_writes_is_dirty_and_one_after_none_clean() {
        let (open, write, sync) =
            (("openat", [0, 1, 0], 3), ("write", [3, 0, 1], 1), ("fsync", [3, 0, 0], 0));
        assert_eq!(met(&[open, sync]), [], "what was done to it before is not known");
        assert_eq!(met(&[open, write, sync, sync]), [Met::Dirty, Met::Clean]);
        let close = ("close", [3, 0, 0], 0);
        assert_eq!(met(&[open, write, close, open, sync]), [], "by another descriptor");
        let other = ("write", [5, 0, 1], 1);
        assert_eq!(met(&[open, write, sync, other, sync]), [Met::Dirty], "5 may lead to it too");
        let started = ("sync_file_range", [3, 0, 0], 0);
        assert_eq!(met(&[open, write, started, sync]), [Met::Dirty]);
        let truncating = ("openat", [0, 1, u64::from(libc::O_TRUNC.cast_unsigned())], 3);
        assert_eq!(met(&[truncating, sync]), [Met::Dirty]);
    }

    #[test]
    fn memory_that_is_given_back_is_a_files_or_none() {
        let anonymous = u64::from(libc::MAP_ANONYMOUS.cast_unsigned());
        let memory = ("mmap", [0, 0x2000, anonymous], 0x1_0000);
        let file = ("mmap", [0, 0x2000, 2], 0x2_0000);
        let unmap = |address| ("munmap", [address, 0x2000, 0], 0);
        let (first, second) = (unmap(0x1_0000), unmap(0x2_0000));
        assert_eq!(met(&[memory, file, first, second]), [Met::Memory, Met::FileMapping]);
        assert_eq!(met(&[first]), [], "nobody saw it mapped");
        let moved = ("mremap", [0x1_0000, 0x2000, 0x2000], 0x3_0000);
        assert_eq!(met(&[memory, moved, first, unmap(0x3_0000)]), [Met::Memory]);
    }

    #[test]
    fn a_child_has_its_parents_memory_and_a_program_begins_with_none() {
        let mut states = FileStates::default();
        let anonymous = u64::from(libc::MAP_ANONYMOUS.cast_unsigned());
        states.follow(0, "mmap", &[0, 0x2000, 0, anonymous, 0, 0], Some(0x1_0000));
        states.inherit(1, 0);
        let unmap = |states: &mut FileStates, process| {
            states.follow(process, "munmap", &[0x1_0000, 0x2000, 0, 0, 0, 0], Some(0))
        };
        assert_eq!(unmap(&mut states, 1), Some(Met::Memory));
        states.forget(0);
        assert_eq!(unmap(&mut states, 0), None);
    }
}
