//! From a call's printed arguments to what it is to do. Which shape is read by
//! which function stands in `known.rs`.

mod data;
mod descriptors;
mod known;
mod names;
mod processes;

pub(super) use known::known_calls;

use super::constants;
use super::outcome::Ending;
use super::scan::{Arguments, annotation_end};
use super::value::{bits, descriptor, number, string, unescaped};
use fathom_events::{CallOutcome, FileAction, PathId, PathTable, Target};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

const EMPTY_PATH: u64 = 0x1000;
const NO_FOLLOW: u64 = 0x100;
const EFAULT: i32 = 14;

/// What is known of a call when it is decoded, and where its paths go.
#[derive(Debug)]
pub(super) struct Decoding<'a, 'p> {
    pub(super) arguments: Arguments<'a>,
    /// `None` while the call has not ended.
    pub(super) ending: Option<Ending>,
    pub(super) paths: &'p mut PathTable,
    pub(super) kept: &'p mut Kept,
    /// A name of a number was not known.
    pub(super) unknown_name: bool,
    /// A path's end is missing, or the whole of it.
    pub(super) cut_path: bool,
    /// The outcome, where it is not the result as printed.
    pub(super) outcome: Option<CallOutcome>,
}

/// What is kept from call to call.
#[derive(Debug, Default)]
pub(super) struct Kept {
    scratch: Vec<u8>,
    /// The directory in which the program began, where `-y` told it.
    pub(super) first_directory: Option<PathBuf>,
    /// A process went to another directory.
    moved: bool,
}

impl<'a, 'p> Decoding<'a, 'p> {
    pub(super) fn new(
        arguments: Arguments<'a>,
        ending: Option<Ending>,
        paths: &'p mut PathTable,
        kept: &'p mut Kept,
    ) -> Self {
        Self { arguments, ending, paths, kept, unknown_name: false, cut_path: false, outcome: None }
    }

    /// The outcome, of a call that never ended too.
    pub(super) fn outcome(&self) -> CallOutcome {
        self.outcome.or(self.ending.map(|ending| ending.outcome)).unwrap_or(CallOutcome::Unfinished)
    }

    fn succeeded(&self) -> bool {
        self.outcome().value().is_some()
    }

    fn argument(&self, position: usize) -> Option<&'a [u8]> {
        self.arguments.at(position)
    }

    fn number(&self, position: usize) -> Option<u64> {
        number(self.argument(position)?)
    }

    /// A number of 32 bits.
    fn word(&self, position: usize) -> Option<u32> {
        u32::try_from(self.number(position)? & 0xffff_ffff).ok()
    }

    fn descriptor(&self, position: usize) -> Option<i32> {
        descriptor(self.argument(position)?)
    }

    /// A set of named bits.
    fn bits(&mut self, position: usize, value_of: fn(&[u8]) -> Option<u64>) -> Option<u64> {
        Some(self.bits_of(self.argument(position)?, value_of))
    }

    fn bits_of(&mut self, text: &[u8], value_of: fn(&[u8]) -> Option<u64>) -> u64 {
        let (value, known) = bits(text, value_of);
        self.unknown_name |= !known;
        value
    }

    /// Named bits of 32.
    fn word_of(&mut self, position: usize, value_of: fn(&[u8]) -> Option<u64>) -> Option<u32> {
        u32::try_from(self.bits(position, value_of)? & 0xffff_ffff).ok()
    }

    /// A path relative to the current directory, or absolute.
    fn path_target(&mut self, position: usize, follow: bool) -> Option<Target> {
        let path = self.path(position)?;
        Some(Target::Path { directory: Target::CURRENT_DIRECTORY, path, follow })
    }

    /// A directory's descriptor and a path.
    fn target_at(&mut self, position: usize, follow: bool) -> Option<Target> {
        let directory = self.directory(position)?;
        let path = self.path(position + 1)?;
        Some(Target::Path { directory, path, follow })
    }

    /// The same of a call whose flags decide, and may have it mean the descriptor itself.
    fn target_with_flags(&mut self, position: usize, flags: u64) -> Option<Target> {
        let text = self.argument(position + 1)?;
        let directory = self.directory(position)?;
        let itself = text == b"NULL" || (text == b"\"\"" && flags & EMPTY_PATH != 0);
        if itself && directory >= 0 {
            return Some(Target::Descriptor(directory));
        }
        self.target_at(position, flags & NO_FOLLOW == 0)
    }

    fn descriptor_target(&self, position: usize) -> Option<Target> {
        self.descriptor(position).map(Target::Descriptor)
    }

    fn directory(&mut self, position: usize) -> Option<i32> {
        let text = self.argument(position)?;
        if !self.kept.moved && self.kept.first_directory.is_none() && text.starts_with(b"AT_FDCWD<") {
            let end = annotation_end(text, 8)?;
            let path = unescaped(&text[9..end - 1], &mut self.kept.scratch);
            self.kept.first_directory = Some(PathBuf::from(OsStr::from_bytes(path)));
        }
        descriptor(text)
    }

    /// A path's number. One that strace could not read, for the program gave a bad
    /// address, is empty.
    fn path(&mut self, position: usize) -> Option<PathId> {
        let text = self.argument(position)?;
        let Some((path, cut)) = string(text, &mut self.kept.scratch) else {
            number(text)?;
            self.cut_path |= self.outcome().errno() != Some(EFAULT) && text != b"NULL";
            return Some(self.paths.number(OsStr::new("")));
        };
        self.cut_path |= cut;
        Some(self.paths.number(OsStr::from_bytes(path)))
    }

    /// A path that the call gave; `None` where it failed or the path is not whole.
    fn path_given(&mut self, position: usize) -> Option<PathId> {
        if !self.succeeded() {
            return None;
        }
        match string(self.argument(position)?, &mut self.kept.scratch)? {
            (path, false) => Some(self.paths.number(OsStr::from_bytes(path))),
            (_, true) => None,
        }
    }

    fn at_flags(&mut self, position: usize) -> u64 {
        self.bits(position, constants::at_flag).unwrap_or(0)
    }

    fn change_directory(&mut self, target: Target) -> FileAction {
        self.kept.moved |= self.succeeded();
        FileAction::ChangeDirectory { target }
    }
}
