//! What one process has mapped as code, followed call by call.

use super::Walked;
use crate::file_trace::ring::known_stack::StackKey;
use crate::file_trace::stacks::AddressSpace;
use fathom_stacks::{Mapping, Mappings, Origin, StackTable};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const PAGE_BYTES: u64 = 4096;
/// What stands for what in the words that the kernel tells a program that starts.
const AT_BASE: u64 = 7;
const AT_ENTRY: u64 = 9;
const AT_SYSINFO_EHDR: u64 = 33;
/// The kernel's own code in a process has no more than this.
const VDSO_BYTES: u64 = 2 * PAGE_BYTES;
/// A script's interpreter may be a script.
const MOST_SCRIPTS: usize = 4;
const LONGEST_SCRIPT_LINE: u64 = 256;
/// So often a process is asked what it made.
const MOST_LOOKS: u32 = 64;

/// One process.
#[derive(Debug)]
pub(super) struct Space {
    /// Of code, in ascending order.
    pub(super) mappings: Vec<Mapping>,
    /// The same for walking, made when it is needed.
    pub(super) code: Option<AddressSpace>,
    /// Where the process is, as far as that is known.
    pub(super) directory: Option<PathBuf>,
    /// What descriptors were opened as.
    files: HashMap<i32, PathBuf>,
    /// Stacks by what they are looked up by, which several may have.
    pub(super) walked: HashMap<StackKey, Vec<Walked>>,
    /// What the kernel's side was told, and under which numbers.
    pub(super) told: Vec<(StackKey, u32)>,
    pub(super) numbers: Vec<u32>,
    /// How often it was looked for code that the process made.
    looks: u32,
}

impl Space {
    pub(super) fn new(mut mappings: Vec<Mapping>, directory: Option<PathBuf>) -> Self {
        mappings.sort_by_key(|mapping| mapping.range.start);
        Self {
            mappings,
            code: None,
            directory,
            files: HashMap::new(),
            walked: HashMap::new(),
            told: Vec::new(),
            numbers: Vec::new(),
            looks: 0,
        }
    }

    /// That of a new process: its stacks are known under another key.
    pub(super) fn fork(&self) -> Self {
        let code = self.code.clone();
        Self { code, ..Self::new(self.mappings.clone(), self.directory.clone()) }
    }

    /// A descriptor stands for a path from now on, or for one that is not known.
    pub(super) fn opened(&mut self, descriptor: i64, path: Option<PathBuf>) {
        let Ok(descriptor) = i32::try_from(descriptor) else { return };
        match path {
            Some(path) => self.files.insert(descriptor, path),
            None => self.files.remove(&descriptor),
        };
    }

    pub(super) fn closed(&mut self, descriptor: i32) {
        self.files.remove(&descriptor);
    }

    pub(super) fn closed_many(&mut self) {
        self.files.clear();
    }

    /// Something was mapped: code of a file, at an offset of it, or of none; or no code. True where
    /// it took the place of code.
    pub(super) fn mapped(&mut self, (address, bytes): (u64, u64), code: Option<(Option<i32>, u64)>) -> bool {
        let replaces = self.unmapped(address, bytes);
        let Some((descriptor, offset)) = code else { return replaces };
        let origin = match descriptor {
            None => Origin::Process,
            Some(descriptor) => match self.files.get(&descriptor) {
                Some(path) => Origin::File(path.clone()),
                // Of a file that is not known nothing can be said.
                None => return replaces,
            },
        };
        self.add(mapping(address..end(address, bytes), offset, origin));
        replaces
    }

    /// Nothing is there any more. True where there was code.
    pub(super) fn unmapped(&mut self, address: u64, bytes: u64) -> bool {
        let gone = address..end(address, bytes);
        let overlaps = |mapping: &Mapping| mapping.range.start < gone.end && gone.start < mapping.range.end;
        if !self.mappings.iter().any(overlaps) {
            return false;
        }
        let mut left = Vec::with_capacity(self.mappings.len() + 1);
        for mapping in self.mappings.drain(..) {
            if !overlaps(&mapping) {
                left.push(mapping);
                continue;
            }
            let range = mapping.range.clone();
            if range.start < gone.start {
                left.push(Mapping { range: range.start..gone.start, ..mapping.clone() });
            }
            if gone.end < range.end {
                let offset = mapping.offset + (gone.end - range.start);
                left.push(Mapping { range: gone.end..range.end, offset, ..mapping });
            }
        }
        self.mappings = left;
        self.code = None;
        true
    }

    /// True of an address that belongs to no code that is known.
    pub(super) fn lacks(&self, address: u64) -> bool {
        !self.mappings.iter().any(|mapping| mapping.range.contains(&address))
    }

    /// Learns that the process made the code at an address, where it lives and did. Such code comes
    /// to be by calls that are not followed.
    pub(super) fn learn_made(&mut self, process: u32, address: u64) -> bool {
        if self.looks == MOST_LOOKS {
            return false;
        }
        self.looks += 1;
        let mappings = Mappings::of(process).unwrap_or_default();
        let made = mappings.at(address).filter(|mapping| mapping.origin == Origin::Process).cloned();
        let Some(made) = made else { return false };
        let is_known = self
            .mappings
            .iter()
            .any(|known| known.range.start < made.range.end && made.range.start < known.range.end);
        if !is_known {
            self.add(made);
        }
        !is_known
    }

    fn add(&mut self, mapping: Mapping) {
        let place = self.mappings.partition_point(|known| known.range.start < mapping.range.start);
        self.mappings.insert(place, mapping);
        self.code = None;
    }
}

/// What a program has mapped when it starts: itself, its interpreter (the loader), and the kernel's
/// code. The first of the candidates that fits what the kernel told it is the program.
pub(super) fn exec_mappings(
    process: u32,
    candidates: impl Iterator<Item = PathBuf>,
    auxiliary: &[u8],
    paths_differ: bool,
    table: &mut StackTable,
) -> Vec<Mapping> {
    let told = words(auxiliary);
    let word = |kind| told.iter().find(|(known, _)| *known == kind).map(|(_, word)| *word);
    let mut mappings = Vec::new();
    if let Some(address) = word(AT_SYSINFO_EHDR).filter(|address| *address != 0) {
        mappings.push(mapping(address..address + VDSO_BYTES, 0, Origin::Kernel("[vdso]".to_owned())));
    }
    let Some(entry) = word(AT_ENTRY) else { return mappings };
    let mut loader = None;
    for candidate in candidates {
        let path = program_of(process, candidate, paths_differ);
        let module = table.file(&stub(&path), &path, || open(process, &path, paths_differ));
        let Some(tables) = table.tables(module) else { continue };
        let moved_by = entry.wrapping_sub(tables.entry());
        if moved_by % PAGE_BYTES == 0 {
            mappings.extend(of_file(&path, tables.code_at(moved_by)));
            loader = tables.loader().map(Path::to_owned);
            break;
        }
    }
    if let (Some(path), Some(base)) = (loader, word(AT_BASE).filter(|base| *base != 0)) {
        let module = table.file(&stub(&path), &path, || open(process, &path, paths_differ));
        if let Some(tables) = table.tables(module) {
            mappings.extend(of_file(&path, tables.code_at(base)));
        }
    }
    mappings
}

/// A file as a process sees it, where that can be had.
pub(super) fn open(process: u32, path: &Path, paths_differ: bool) -> Option<File> {
    let path = match path.strip_prefix("/") {
        Ok(path) if paths_differ => PathBuf::from(format!("/proc/{process}/root")).join(path),
        _ => path.to_owned(),
    };
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    file.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(file)
}

/// The program itself, or what runs it where it is a script.
fn program_of(process: u32, mut path: PathBuf, paths_differ: bool) -> PathBuf {
    for _ in 0..MOST_SCRIPTS {
        let mut line = Vec::new();
        if let Some(file) = open(process, &path, paths_differ) {
            let _ = file.take(LONGEST_SCRIPT_LINE).read_to_end(&mut line);
        }
        let Some(interpreter) = interpreter_of(&line) else { break };
        path = interpreter;
    }
    path
}

/// `/bin/sh` of `#! /bin/sh -e`.
fn interpreter_of(text: &[u8]) -> Option<PathBuf> {
    let line = text.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(words.next()?)))
}

fn of_file(path: &Path, code: impl Iterator<Item = (Range<u64>, u64)>) -> impl Iterator<Item = Mapping> {
    code.map(|(range, offset)| mapping(range, offset, Origin::File(path.to_owned())))
}

/// A mapping that nobody listed: files are told apart by their paths.
fn mapping(range: Range<u64>, offset: u64, origin: Origin) -> Mapping {
    Mapping { range, offset, inode: (String::new(), 0), origin }
}

fn stub(path: &Path) -> Mapping {
    mapping(0..0, 0, Origin::File(path.to_owned()))
}

fn end(address: u64, bytes: u64) -> u64 {
    address.saturating_add(bytes.checked_next_multiple_of(PAGE_BYTES).unwrap_or(bytes))
}

fn words(bytes: &[u8]) -> Vec<(u64, u64)> {
    let (words, _) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_ne_bytes(*word)).collect();
    let (pairs, _) = words.as_chunks::<2>();
    pairs.iter().map(|[kind, word]| (*kind, *word)).take_while(|(kind, _)| *kind != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_the_place_of_code_leaves_what_lies_beside_it() {
        let file = mapping(0x1000..0x9000, 0x2000, Origin::File("/a".into()));
        let mut space = Space::new(vec![file], None);
        assert!(!space.mapped((0x9000, 0x10), None) && !space.unmapped(0, 0x1000));
        assert!(space.mapped((0x3000, 0x1800), None));
        let left: Vec<_> = space.mappings.iter().map(|left| (left.range.clone(), left.offset)).collect();
        assert_eq!(left, [(0x1000..0x3000, 0x2000), (0x5000..0x9000, 0x6000)]);
    }

    #[test]
    fn code_is_of_the_file_that_its_descriptor_was_opened_as() {
        let mut space = Space::new(Vec::new(), None);
        space.opened(3, Some("/lib/a".into()));
        assert!(!space.mapped((0x8000, 0x1000), Some((Some(3), 0x1000))));
        space.closed(3);
        assert!(!space.mapped((0x4000, 0x1000), Some((Some(3), 0))), "it is another file by then");
        let of = |mapping: &Mapping| mapping.origin.clone();
        assert_eq!(space.mappings.iter().map(of).collect::<Vec<_>>(), [Origin::File("/lib/a".into())]);
    }

    #[test]
    fn scripts_name_their_interpreters() {
        assert_eq!(interpreter_of(b"#! /bin/sh -e\necho"), Some("/bin/sh".into()));
        assert_eq!((interpreter_of(b"\x7fELF"), interpreter_of(b"#!\n")), (None, None));
    }
}
