//! Calls that look paths up: opens, questions, and changes of names.

use super::Decoding;
use crate::strace_log::constants;
use crate::strace_log::facts::facts;
use crate::strace_log::scan::field;
use crate::strace_log::value::number;
use fathom_events::{FileAction, OpenFlags, Target};

const CREATE: u32 = 0o100;
const EXCLUSIVE: u32 = 0o200;
const NO_FOLLOW: u32 = 0o400_000;
const CREATE_WRITE_TRUNCATE: u32 = 0o1101;

const AT_NO_FOLLOW: u64 = 0x100;
const AT_REMOVE_DIRECTORY: u64 = 0x200;
const AT_FOLLOW: u64 = 0x400;

impl Decoding<'_, '_> {
    pub(super) fn open(&mut self) -> Option<FileAction> {
        let flags = self.word_of(1, constants::open_flag)?;
        let target = self.path_target(0, follows(flags))?;
        Some(FileAction::Open { target, flags: OpenFlags(flags), mode: self.word(2).unwrap_or(0) })
    }

    pub(super) fn open_at(&mut self) -> Option<FileAction> {
        let flags = self.word_of(2, constants::open_flag)?;
        let target = self.target_at(0, follows(flags))?;
        Some(FileAction::Open { target, flags: OpenFlags(flags), mode: self.word(3).unwrap_or(0) })
    }

    /// `openat2(AT_FDCWD, "a", {flags=O_RDONLY, resolve=RESOLVE_IN_ROOT}, 24)`.
    pub(super) fn open_how(&mut self) -> Option<FileAction> {
        let how = self.argument(2)?;
        let Some(flags) = field(how, b"flags") else {
            // strace could not read the structure, nor could the kernel.
            return Some(FileAction::Other);
        };
        let flags = u32::try_from(self.bits_of(flags, constants::open_flag) & 0xffff_ffff).ok()?;
        let mode = field(how, b"mode").and_then(number).and_then(|mode| u32::try_from(mode).ok());
        let target = self.target_at(0, follows(flags))?;
        Some(FileAction::Open { target, flags: OpenFlags(flags), mode: mode.unwrap_or(0) })
    }

    pub(super) fn create(&mut self) -> Option<FileAction> {
        let target = self.path_target(0, true)?;
        Some(FileAction::Open { target, flags: OpenFlags(CREATE_WRITE_TRUNCATE), mode: self.word(1)? })
    }

    pub(super) fn stat_path(&mut self, follow: bool) -> Option<FileAction> {
        let target = self.path_target(0, follow)?;
        self.stat(target, 1, 0)
    }

    pub(super) fn stat_descriptor(&mut self) -> Option<FileAction> {
        let target = self.descriptor_target(0)?;
        self.stat(target, 1, 0)
    }

    pub(super) fn stat_at(&mut self) -> Option<FileAction> {
        let flags = self.at_flags(3);
        let target = self.target_with_flags(0, flags)?;
        self.stat(target, 2, 0)
    }

    pub(super) fn stat_masked(&mut self) -> Option<FileAction> {
        let flags = self.at_flags(2);
        let mask = self.word_of(3, constants::statx_mask)?;
        let target = self.target_with_flags(0, flags)?;
        self.stat(target, 4, mask)
    }

    pub(super) fn stat_file_system(&mut self, by_descriptor: bool) -> Option<FileAction> {
        let target = if by_descriptor { self.descriptor_target(0) } else { self.path_target(0, true) };
        Some(FileAction::StatFileSystem { target: target? })
    }

    pub(super) fn access(&mut self) -> Option<FileAction> {
        let mode = self.word_of(1, constants::access_mode)?;
        Some(FileAction::Access { target: self.path_target(0, true)?, mode })
    }

    pub(super) fn access_at(&mut self) -> Option<FileAction> {
        let mode = self.word_of(2, constants::access_mode)?;
        let flags = self.at_flags(3);
        Some(FileAction::Access { target: self.target_with_flags(0, flags)?, mode })
    }

    pub(super) fn read_link(&mut self) -> Option<FileAction> {
        let target = self.path_target(0, false)?;
        Some(FileAction::ReadLink { target, to: self.path_given(1) })
    }

    pub(super) fn read_link_at(&mut self) -> Option<FileAction> {
        // An empty path means the link that the descriptor leads to.
        let target = self.target_with_flags(0, super::EMPTY_PATH | AT_NO_FOLLOW)?;
        Some(FileAction::ReadLink { target, to: self.path_given(2) })
    }

    pub(super) fn make_directory(&mut self) -> Option<FileAction> {
        Some(FileAction::MakeDirectory { target: self.path_target(0, false)?, mode: self.word(1)? })
    }

    pub(super) fn make_directory_at(&mut self) -> Option<FileAction> {
        Some(FileAction::MakeDirectory { target: self.target_at(0, false)?, mode: self.word(2)? })
    }

    pub(super) fn remove(&mut self, directory: bool) -> Option<FileAction> {
        Some(FileAction::Remove { target: self.path_target(0, false)?, directory })
    }

    pub(super) fn remove_at(&mut self) -> Option<FileAction> {
        let flags = self.at_flags(2);
        Some(FileAction::Remove {
            target: self.target_at(0, false)?,
            directory: flags & AT_REMOVE_DIRECTORY != 0,
        })
    }

    pub(super) fn rename(&mut self) -> Option<FileAction> {
        let (from, to) = (self.path_target(0, false)?, self.path_target(1, false)?);
        Some(FileAction::Rename { from, to, flags: 0 })
    }

    pub(super) fn rename_at(&mut self) -> Option<FileAction> {
        let flags = self.word_of(4, constants::rename_flag).unwrap_or(0);
        let (from, to) = (self.target_at(0, false)?, self.target_at(2, false)?);
        Some(FileAction::Rename { from, to, flags })
    }

    pub(super) fn link(&mut self) -> Option<FileAction> {
        let (from, to) = (self.path_target(0, false)?, self.path_target(1, false)?);
        Some(FileAction::Link { from, to })
    }

    pub(super) fn link_at(&mut self) -> Option<FileAction> {
        let flags = self.at_flags(4);
        let no_follow = if flags & AT_FOLLOW == 0 { AT_NO_FOLLOW } else { 0 };
        let from = self.target_with_flags(0, flags & super::EMPTY_PATH | no_follow)?;
        Some(FileAction::Link { from, to: self.target_at(2, false)? })
    }

    pub(super) fn symbolic_link(&mut self, relative: bool) -> Option<FileAction> {
        let to = self.path(0)?;
        let target = if relative { self.target_at(1, false) } else { self.path_target(1, false) };
        Some(FileAction::SymbolicLink { to, target: target? })
    }

    pub(super) fn change_mode(&mut self) -> Option<FileAction> {
        Some(FileAction::ChangeMode { target: self.path_target(0, true)?, mode: self.file_mode(1)? })
    }

    pub(super) fn change_mode_of_descriptor(&mut self) -> Option<FileAction> {
        Some(FileAction::ChangeMode { target: self.descriptor_target(0)?, mode: self.file_mode(1)? })
    }

    pub(super) fn change_mode_at(&mut self) -> Option<FileAction> {
        let flags = self.at_flags(3);
        Some(FileAction::ChangeMode { target: self.target_with_flags(0, flags)?, mode: self.file_mode(2)? })
    }

    #[expect(clippy::unnecessary_wraps, reason = "the last step of functions that have one form")]
    fn stat(&mut self, target: Target, structure: usize, mask: u32) -> Option<FileAction> {
        let shown = self.argument(structure).filter(|_| self.succeeded());
        Some(FileAction::Stat { target, facts: shown.and_then(facts).map(Box::new), mask })
    }

    fn file_mode(&mut self, position: usize) -> Option<u32> {
        self.word_of(position, constants::file_mode)
    }
}

/// Whether an open follows a link at the path's end.
fn follows(flags: u32) -> bool {
    flags & NO_FOLLOW == 0 && flags & (CREATE | EXCLUSIVE) != CREATE | EXCLUSIVE
}
