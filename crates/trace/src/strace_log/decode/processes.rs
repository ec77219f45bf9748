//! Calls by which processes begin, move and end.

use super::Decoding;
use crate::strace_log::constants;
use crate::strace_log::scan::field;
use crate::strace_log::value::{bits, number};
use fathom_events::FileAction;

impl Decoding<'_, '_> {
    pub(super) fn go_to_path(&mut self) -> Option<FileAction> {
        let target = self.path_target(0, true)?;
        Some(self.change_directory(target))
    }

    pub(super) fn go_to_descriptor(&mut self) -> Option<FileAction> {
        let target = self.descriptor_target(0)?;
        Some(self.change_directory(target))
    }

    pub(super) fn change_root(&mut self) -> Option<FileAction> {
        Some(FileAction::ChangeRoot { target: self.path_target(0, true)? })
    }

    #[expect(clippy::unnecessary_wraps, reason = "all functions of the table have one form")]
    pub(super) fn current_directory(&mut self) -> Option<FileAction> {
        Some(FileAction::CurrentDirectory { path: self.path_given(0) })
    }

    pub(super) fn mask(&mut self) -> Option<FileAction> {
        Some(FileAction::Mask { mode: self.word(0)? })
    }

    /// `clone(child_stack=NULL, flags=…)`, `clone3({flags=…, …}, 88)`.
    pub(super) fn clone_process(&mut self) -> Option<FileAction> {
        let first = self.argument(0)?;
        let flags = if first.starts_with(b"{") {
            field(first, b"flags")?
        } else {
            (0..8).map_while(|at| self.argument(at)).find_map(|value| value.strip_prefix(b"flags="))?
        };
        // The numbers of names are ours, so that those of the kernel are told apart.
        let (named, _) = bits(flags, |name| Some(constants::clone_flag(name).unwrap_or(0)));
        let numbers =
            flags.split(|byte| *byte == b'|').filter(|part| part.first().is_some_and(u8::is_ascii_digit));
        let raw = numbers.filter_map(number).fold(0, |all, value| all | value);
        Some(FileAction::Fork {
            shares_descriptors: named & 1 != 0 || raw & 0x400 != 0,
            shares_directory: named & 2 != 0 || raw & 0x200 != 0,
            is_thread: named & 4 != 0 || raw & 0x1_0000 != 0,
        })
    }

    pub(super) fn fork() -> FileAction {
        FileAction::Fork { shares_descriptors: false, shares_directory: false, is_thread: false }
    }

    pub(super) fn execute(&mut self) -> Option<FileAction> {
        Some(FileAction::Execute { target: self.path_target(0, true)? })
    }

    pub(super) fn execute_at(&mut self) -> Option<FileAction> {
        let flags = self.at_flags(4);
        Some(FileAction::Execute { target: self.target_with_flags(0, flags)? })
    }

    pub(super) fn unshare(&mut self) -> Option<FileAction> {
        let (named, _) = bits(self.argument(0)?, |name| Some(constants::clone_flag(name).unwrap_or(0)));
        let raw = self.number(0).unwrap_or(0);
        let own = named & 1 != 0 || raw & 0x400 != 0;
        Some(if own { FileAction::OwnDescriptors } else { FileAction::Other })
    }

    pub(super) fn exit(&mut self, whole: bool) -> Option<FileAction> {
        let code = self.number(0)? & 0xff;
        Some(FileAction::Exit { code: i32::try_from(code).ok(), whole })
    }
}
