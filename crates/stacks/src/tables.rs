//! What unwinding needs of one file: its segments of code and its unwind tables.

use crate::mappings::Mapping;
use framehop::{ExplicitModuleSectionInfo, Module};
use object::read::{Object, ObjectSection, ObjectSegment, ReadCache};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The sections that unwinding uses, and whether it reads them.
const SECTIONS: [(&str, bool); 5] =
    [(".text", false), (".got", false), (".eh_frame", true), (".eh_frame_hdr", true), (".debug_frame", true)];

/// The unwind tables of a file.
#[derive(Debug)]
pub struct UnwindTables {
    /// The segments with code.
    segments: Vec<Segment>,
    sections: BTreeMap<&'static str, Section>,
    entry: u64,
    loader: Option<PathBuf>,
}

#[derive(Debug)]
struct Segment {
    address: u64,
    offset: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Section {
    range: Range<u64>,
    data: Option<Arc<[u8]>>,
}

impl UnwindTables {
    /// Reads those of a file; `None` where it is no program.
    pub fn read(file: &File) -> Option<Self> {
        let cache = ReadCache::new(file);
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
            let range = section.address()..section.address().checked_add(section.size())?;
            Some((name, Section { range, data: data.map(Arc::from) }))
        });
        let loader = file.section_by_name(".interp").and_then(|section| section.uncompressed_data().ok());
        let loader = loader.and_then(|bytes| {
            let path = bytes.split(|byte| *byte == 0).next()?;
            Some(PathBuf::from(OsStr::from_bytes(path)))
        });
        Some(Self { segments: segments.collect(), sections: sections.collect(), entry: file.entry(), loader })
    }

    /// Where the program begins, by the file's own addresses.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// What loads it, where it is linked dynamically.
    pub fn loader(&self) -> Option<&Path> {
        self.loader.as_deref()
    }

    /// Where its code is mapped, and from which offset of the file on, where its own addresses are
    /// moved by so much.
    pub fn code_at(&self, moved_by: u64) -> impl Iterator<Item = (Range<u64>, u64)> {
        let page = rustix::param::page_size() as u64;
        self.segments.iter().map(move |segment| {
            let start = segment.address.wrapping_add(moved_by);
            let end = start.saturating_add(segment.bytes);
            let end = end.checked_next_multiple_of(page).unwrap_or(end);
            (start / page * page..end, segment.offset / page * page)
        })
    }

    /// What the file's own addresses were moved by in a mapping of it.
    pub fn moved_by(&self, mapping: &Mapping) -> Option<u64> {
        let page = rustix::param::page_size() as u64;
        let is_from = |segment: &&Segment| {
            let first_page = segment.offset / page * page;
            (first_page..segment.offset.saturating_add(segment.bytes)).contains(&mapping.offset)
        };
        let segment = self.segments.iter().find(is_from)?;
        let start = mapping.range.start.wrapping_add(segment.offset);
        Some(start.wrapping_sub(mapping.offset).wrapping_sub(segment.address))
    }

    /// The mapping with these tables, for the unwinder.
    pub(crate) fn module(&self, mapping: &Mapping, name: String) -> Option<Module<Arc<[u8]>>> {
        let base = self.moved_by(mapping)?;
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
        Some(Module::new(name, mapping.range.clone(), base, sections))
    }
}
