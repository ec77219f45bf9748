//! User stacks from copied registers and stack bytes.

use fathom_stacks::{
    Epilogue, Mappings, NativeFrame, PerfMap, Registers, StackWalker, UnwindTables, WalkCache,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::sync::Arc;

/// `CPython`'s trampoline keeps one word on the stack besides its return address.
const TRAMPOLINE: Epilogue = Epilogue { dropped_bytes: 8, takes_frame_pointer: false };

/// Whether an epilogue is known of the machine's code.
const TRAMPOLINES_KNOWN: bool = cfg!(target_arch = "x86_64");

/// The user registers that a walk begins with, as a mask of the kernel's numbers.
#[cfg(target_arch = "x86_64")]
pub(super) const REGISTERS: u64 = 1 << 6 | 1 << 7 | 1 << 8;
#[cfg(target_arch = "aarch64")]
pub(super) const REGISTERS: u64 = 1 << 29 | 1 << 30 | 1 << 31 | 1 << 32;

/// From the values in the order of the mask.
#[cfg(target_arch = "x86_64")]
pub(super) fn registers(values: &[u64]) -> Option<Registers> {
    let &[frame_pointer, stack_pointer, program_counter] = values else { return None };
    Some(Registers { program_counter, stack_pointer, frame_pointer })
}

/// From the values in the order of the mask.
#[cfg(target_arch = "aarch64")]
pub(super) fn registers(values: &[u64]) -> Option<Registers> {
    let &[frame_pointer, link, stack_pointer, program_counter] = values else { return None };
    Some(Registers { program_counter, stack_pointer, frame_pointer, link })
}

/// Walks copied stacks of one process.
pub(super) struct CopyWalker<'a> {
    mappings: &'a Mappings,
    perf_map: &'a PerfMap,
    walker: StackWalker,
    cache: WalkCache,
}

/// One sample as the kernel gave it; chains from the innermost frame on.
#[derive(Debug, Clone, Default)]
pub(super) struct RawSample {
    pub(super) kernel: Vec<u64>,
    /// By frame pointers, as the kernel walks.
    pub(super) user: Vec<u64>,
    pub(super) registers: Option<Registers>,
    /// The user stack from its pointer on.
    pub(super) stack: Vec<u8>,
}

impl<'a> CopyWalker<'a> {
    /// Learns the unwind tables of the files that are mapped; a file that cannot
    /// be read has none.
    pub(super) fn new(mappings: &'a Mappings, perf_map: &'a PerfMap) -> Self {
        let mut known = BTreeMap::new();
        let walker = StackWalker::new(mappings, |_, path| {
            let tables = known.entry(path.to_owned()).or_insert_with(|| {
                let file = File::open(path).ok()?;
                UnwindTables::read(&file).map(Arc::new)
            });
            tables.clone()
        });
        Self { mappings, perf_map, walker, cache: WalkCache::default() }
    }

    /// The user frames of a sample, and whether the last one is the outermost: as the kernel
    /// walked when that went further and ours did not come to an end, since the kernel's walk
    /// is not limited to the bytes that were copied.
    pub(super) fn walk(&mut self, sample: &RawSample) -> (Vec<u64>, bool) {
        let in_code = |address: &&u64| self.mappings.at(**address).is_some();
        let kernels: Vec<u64> = sample.user.iter().take_while(in_code).copied().collect();
        let Some(registers) = sample.registers else { return (kernels, false) };
        let read = |address: u64| {
            let offset = address.checked_sub(registers.stack_pointer).ok_or(())?;
            let offset = usize::try_from(offset).map_err(|_| ())?;
            let word = sample.stack.get(offset..).and_then(|rest| rest.first_chunk::<8>()).ok_or(())?;
            Ok(u64::from_ne_bytes(*word))
        };
        // `CPython` enters each function through a few bytes of code of its own.
        let is_trampoline = |frame: &NativeFrame| {
            let is_pythons = |name: &str| name.starts_with("py::");
            TRAMPOLINES_KNOWN
                && frame.is_caller
                && self.perf_map.name(frame.code_address()).is_some_and(is_pythons)
        };
        let known_caller = |frame: &NativeFrame, read: &mut dyn FnMut(u64) -> Result<u64, ()>| {
            is_trampoline(frame).then(|| TRAMPOLINE.caller(frame, read))
        };
        let walk = self.walker.walk(registers, &mut self.cache, read, known_caller).in_code(self.mappings);
        let ours: Vec<u64> = walk.frames.iter().map(|frame| frame.program_counter).collect();
        if walk.ended || ours.len() >= kernels.len() { (ours, walk.ended) } else { (kernels, false) }
    }
}
