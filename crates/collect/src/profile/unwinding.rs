//! User stacks from copied registers and stack bytes, by the unwind tables of
//! the files that are mapped: most code is compiled without frame pointers.
//! Where code has no tables (Go, code made at run time) frame pointers serve.

use super::mappings::{Mapping, Mappings};
use super::perf_map::PerfMap;
use super::sampling::RawSample;
use framehop::{
    CacheNative, ExplicitModuleSectionInfo, FrameAddress, MayAllocateDuringUnwind, Module, UnwindRegsNative,
    Unwinder, UnwinderNative,
};
use object::read::{Object, ObjectSection, ObjectSegment, ReadCache};
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// No stack of ours is deeper; a walk that does not end is wrong.
const FRAMES_MAX: usize = 512;

/// Whether `through_trampoline` knows how.
const TRAMPOLINES_KNOWN: bool = cfg!(target_arch = "x86_64");

/// The sections that unwinding uses, and whether it reads them.
const SECTIONS: [(&str, bool); 5] =
    [(".text", false), (".got", false), (".eh_frame", true), (".eh_frame_hdr", true), (".debug_frame", true)];

/// The user registers that a walk begins with, as a mask of the kernel's numbers.
#[cfg(target_arch = "x86_64")]
pub(super) const REGISTERS: u64 = 1 << 6 | 1 << 7 | 1 << 8;
#[cfg(target_arch = "aarch64")]
pub(super) const REGISTERS: u64 = 1 << 29 | 1 << 30 | 1 << 31 | 1 << 32;

/// Their values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Registers {
    program_counter: u64,
    stack_pointer: u64,
    frame_pointer: u64,
    #[cfg(target_arch = "aarch64")]
    link: u64,
}

impl Registers {
    /// From the values in the order of the mask.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn new(values: &[u64]) -> Option<Self> {
        let &[frame_pointer, stack_pointer, program_counter] = values else { return None };
        Some(Self { program_counter, stack_pointer, frame_pointer })
    }

    /// From the values in the order of the mask.
    #[cfg(target_arch = "aarch64")]
    pub(super) fn new(values: &[u64]) -> Option<Self> {
        let &[frame_pointer, link, stack_pointer, program_counter] = values else { return None };
        Some(Self { program_counter, stack_pointer, frame_pointer, link })
    }

    #[cfg(target_arch = "x86_64")]
    fn to_unwind(self) -> UnwindRegsNative {
        UnwindRegsNative::new(self.program_counter, self.stack_pointer, self.frame_pointer)
    }

    #[cfg(target_arch = "aarch64")]
    fn to_unwind(self) -> UnwindRegsNative {
        UnwindRegsNative::new(self.link, self.stack_pointer, self.frame_pointer)
    }
}

/// The user frames of a sample, from the innermost on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Walk {
    pub(super) frames: Vec<u64>,
    /// The last one is known to be the outermost.
    pub(super) ended: bool,
}

impl Walk {
    /// Up to the first frame that lies in no code: a wrong turn, as where a
    /// function uses the frame pointer for something else.
    fn in_code(mut self, mappings: &Mappings) -> Self {
        let lost = |&address: &u64| mappings.at(address).is_none();
        if let Some(first) = self.frames.iter().position(lost) {
            self.frames.truncate(first);
            self.ended = false;
        }
        self
    }
}

/// Walks stacks of one process.
pub(super) struct StackWalker<'a> {
    mappings: &'a Mappings,
    perf_map: &'a PerfMap,
    unwinder: UnwinderNative<Arc<[u8]>, MayAllocateDuringUnwind>,
    cache: CacheNative<MayAllocateDuringUnwind>,
}

impl<'a> StackWalker<'a> {
    /// Learns the unwind tables of the files that are mapped; a file that cannot
    /// be read has none.
    pub(super) fn new(mappings: &'a Mappings, perf_map: &'a PerfMap) -> Self {
        let mut unwinder = UnwinderNative::new();
        let mut tables = BTreeMap::new();
        for (mapping, path) in mappings.of_files() {
            let tables = tables.entry(path).or_insert_with(|| Tables::read(path));
            if let Some(module) = tables.as_ref().and_then(|tables| tables.module(mapping, path)) {
                unwinder.add_module(module);
            }
        }
        Self { mappings, perf_map, unwinder, cache: CacheNative::new() }
    }

    /// The user frames of a sample: as the kernel walked when that went further
    /// and ours did not come to an end, since the kernel's walk is not limited to
    /// the bytes that were copied.
    pub(super) fn walk(&mut self, sample: &RawSample) -> Walk {
        let kernels = Walk { frames: sample.user.clone(), ended: false }.in_code(self.mappings);
        let Some(registers) = sample.registers else { return kernels };
        let ours = self.by_tables(registers, &sample.stack).in_code(self.mappings);
        if ours.ended || ours.frames.len() >= kernels.frames.len() { ours } else { kernels }
    }

    fn by_tables(&mut self, registers: Registers, stack: &[u8]) -> Walk {
        let mut read = |address: u64| {
            let offset = address.checked_sub(registers.stack_pointer).ok_or(())?;
            let offset = usize::try_from(offset).map_err(|_| ())?;
            let word = stack.get(offset..).and_then(|rest| rest.first_chunk::<8>()).ok_or(())?;
            Ok(u64::from_ne_bytes(*word))
        };
        let mut at = FrameAddress::from_instruction_pointer(registers.program_counter);
        let mut registers = registers.to_unwind();
        let mut frames = Vec::new();
        while frames.len() < FRAMES_MAX {
            frames.push(at.address());
            let next = if at.is_return_address() && self.is_python_trampoline(at.address_for_lookup()) {
                through_trampoline(&mut registers, &mut read)
            } else {
                self.unwinder.unwind_frame(at, &mut registers, &mut self.cache, &mut read).map_err(|_| ())
            };
            match next.map(|address| address.map(FrameAddress::from_return_address)) {
                Ok(Some(Some(frame))) => at = frame,
                Ok(None) => return Walk { frames, ended: true },
                Ok(Some(None)) | Err(()) => break,
            }
        }
        Walk { frames, ended: false }
    }

    /// `CPython` enters each function through a few bytes of code of its own.
    fn is_python_trampoline(&self, address: u64) -> bool {
        TRAMPOLINES_KNOWN && self.perf_map.name(address).is_some_and(|name| name.starts_with("py::"))
    }
}

/// The caller of `CPython`'s trampoline, which keeps one word on the stack besides
/// its return address and the frame pointer as it was.
#[cfg(target_arch = "x86_64")]
fn through_trampoline(
    registers: &mut UnwindRegsNative,
    read: &mut impl FnMut(u64) -> Result<u64, ()>,
) -> Result<Option<u64>, ()> {
    let stack_pointer = registers.sp();
    let address = read(stack_pointer + 8)?;
    registers.set_sp(stack_pointer + 16);
    registers.set_ip(address);
    Ok(Some(address))
}

/// Nothing is known of it here; frame pointers serve.
#[cfg(not(target_arch = "x86_64"))]
fn through_trampoline(
    _registers: &mut UnwindRegsNative,
    _read: &mut impl FnMut(u64) -> Result<u64, ()>,
) -> Result<Option<u64>, ()> {
    Err(())
}

/// What unwinding needs of one file.
struct Tables {
    /// The segments with code.
    segments: Vec<Segment>,
    sections: BTreeMap<&'static str, Section>,
}

struct Segment {
    address: u64,
    offset: u64,
    bytes: u64,
}

struct Section {
    range: Range<u64>,
    data: Option<Arc<[u8]>>,
}

impl Tables {
    fn read(path: &Path) -> Option<Self> {
        let cache = ReadCache::new(File::open(path).ok()?);
        let file = object::File::parse(&cache).ok()?;
        let code = file.segments().filter(|segment| segment.permissions().executable());
        let segments = code.map(|segment| {
            let (offset, bytes) = segment.file_range();
            Segment { address: segment.address(), offset, bytes }
        });
        let sections = SECTIONS.into_iter().filter_map(|(name, with_data)| {
            let section = file.section_by_name(name)?;
            // Go's tables are compressed.
            let data = if with_data { section.uncompressed_data().ok() } else { None };
            let range = section.address()..section.address() + section.size();
            Some((name, Section { range, data: data.map(Arc::from) }))
        });
        Some(Self { segments: segments.collect(), sections: sections.collect() })
    }

    fn module(&self, mapping: &Mapping, path: &Path) -> Option<Module<Arc<[u8]>>> {
        let page = rustix::param::page_size() as u64;
        let is_from = |segment: &&Segment| {
            let first_page = segment.offset / page * page;
            (first_page..segment.offset + segment.bytes).contains(&mapping.offset)
        };
        let segment = self.segments.iter().find(is_from)?;
        // What the file's own addresses were moved by.
        let base =
            (mapping.range.start + segment.offset).wrapping_sub(mapping.offset).wrapping_sub(segment.address);
        let range = |name: &str| Some(self.sections.get(name)?.range.clone());
        let data = |name: &str| self.sections.get(name)?.data.clone();
        let sections = ExplicitModuleSectionInfo {
            text_svma: range(".text"),
            got_svma: range(".got"),
            eh_frame_svma: range(".eh_frame"),
            eh_frame: data(".eh_frame"),
            eh_frame_hdr_svma: range(".eh_frame_hdr"),
            eh_frame_hdr: data(".eh_frame_hdr"),
            debug_frame: data(".debug_frame"),
            ..ExplicitModuleSectionInfo::default()
        };
        let name = path.to_string_lossy().into_owned();
        Some(Module::new(name, mapping.range.clone(), base, sections))
    }
}
