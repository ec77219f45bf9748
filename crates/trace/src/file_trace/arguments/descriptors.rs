//! Actions on descriptors and memory.

use super::Call;
use crate::file_trace::calls::{CloseOnExec, Shape};
use crate::file_trace::memory;
use fathom_events::{Advice, ControlCommand, DescriptorKind, FileAction, MemoryAdvice, OpenFlags};

impl Call<'_> {
    /// Actions on descriptors and memory.
    pub(super) fn descriptor_action(&self, shape: Shape) -> FileAction {
        let descriptor = self.descriptor(0);
        let close_on_exec = |flags: u32| flags & libc::O_CLOEXEC.cast_unsigned() != 0;
        match shape {
            Shape::Allocate => FileAction::Allocate { descriptor, mode: self.low(1) },
            Shape::Duplicate => FileAction::Duplicate { descriptor, to: None, close_on_exec: false },
            Shape::DuplicateTo { flags } => FileAction::Duplicate {
                descriptor,
                to: Some(self.descriptor(1)),
                close_on_exec: flags.is_some_and(|flags| close_on_exec(self.low(flags))),
            },
            Shape::Control => self.control(descriptor),
            Shape::DeviceControl => FileAction::DeviceControl { descriptor, request: self.low(1) },
            Shape::Lock => FileAction::Lock { descriptor },
            Shape::Watch => match self.descriptor(1) {
                libc::EPOLL_CTL_ADD => FileAction::Watch { descriptor: self.descriptor(2), add: true },
                libc::EPOLL_CTL_DEL => FileAction::Watch { descriptor: self.descriptor(2), add: false },
                _ => FileAction::Other,
            },
            Shape::Map => FileAction::Map {
                descriptor: (self.low(3) & libc::MAP_ANONYMOUS.cast_unsigned() == 0)
                    .then(|| self.descriptor(4)),
                offset: self.arguments[5],
                bytes: self.arguments[1],
                protection: self.low(2),
                flags: self.low(3),
            },
            Shape::Unmap => FileAction::Unmap { address: self.arguments[0], bytes: self.arguments[1] },
            Shape::Remap => FileAction::Remap { bytes: self.arguments[2] },
            Shape::AdviseMemory => FileAction::AdviseMemory {
                address: self.arguments[0],
                bytes: self.arguments[1],
                advice: MemoryAdvice(self.descriptor(2)),
            },
            Shape::Advise => self.advise(match self.low(3) {
                0 => Advice::Normal,
                1 => Advice::Random,
                2 => Advice::Sequential,
                3 => Advice::WillNeed,
                4 => Advice::DontNeed,
                5 => Advice::NoReuse,
                other => Advice::Other(other),
            }),
            Shape::ReadAhead => self.advise(Advice::WillNeed),
            Shape::Sync { one, data_only } => {
                FileAction::Sync { descriptor: one.then_some(descriptor), data_only }
            }
            Shape::Mask => FileAction::Mask { mode: self.low(0) },
            _ => FileAction::Other,
        }
    }

    pub(super) fn transfer(&self, write: bool, vector: bool, with_offset: bool) -> FileAction {
        let descriptor = self.descriptor(0);
        let (pieces, bytes) = if vector {
            memory::pieces(self.memory, self.arguments[1], self.arguments[2])
        } else {
            (1, self.arguments[2])
        };
        // The forms with flags take -1 for the position.
        let offset = Some(self.arguments[3]).filter(|offset| with_offset && *offset != u64::MAX);
        if write {
            FileAction::Write { descriptor, bytes, offset, pieces }
        } else {
            FileAction::Read { descriptor, bytes, offset, pieces }
        }
    }

    pub(super) fn copy(&self, shape: Shape) -> FileAction {
        let [from_offset, to_offset] = self.early.offsets;
        let (from, to, bytes) = match shape {
            Shape::SendFile => (self.descriptor(1), self.descriptor(0), self.arguments[3]),
            _ => (self.descriptor(0), self.descriptor(2), self.arguments[4]),
        };
        FileAction::Copy { from, to, bytes, from_offset, to_offset }
    }

    fn control(&self, descriptor: i32) -> FileAction {
        let word = self.low(2);
        let command = match self.descriptor(1) {
            libc::F_DUPFD => return FileAction::Duplicate { descriptor, to: None, close_on_exec: false },
            libc::F_DUPFD_CLOEXEC => {
                return FileAction::Duplicate { descriptor, to: None, close_on_exec: true };
            }
            libc::F_GETFD => ControlCommand::GetDescriptorFlags,
            libc::F_SETFD => ControlCommand::SetDescriptorFlags {
                close_on_exec: word & libc::FD_CLOEXEC.cast_unsigned() != 0,
            },
            libc::F_GETFL => ControlCommand::GetStatusFlags,
            libc::F_SETFL => ControlCommand::SetStatusFlags(OpenFlags::native(word)),
            libc::F_GETLK
            | libc::F_SETLK
            | libc::F_SETLKW
            | libc::F_OFD_GETLK
            | libc::F_OFD_SETLK
            | libc::F_OFD_SETLKW => ControlCommand::Lock,
            _ => ControlCommand::Other(self.low(1)),
        };
        FileAction::Control { descriptor, command }
    }

    fn advise(&self, advice: Advice) -> FileAction {
        let [_, offset, bytes, ..] = self.arguments;
        FileAction::Advise { descriptor: self.descriptor(0), offset, bytes, advice }
    }

    pub(super) fn make(
        &self,
        kind: DescriptorKind,
        pair: Option<usize>,
        close_on_exec: CloseOnExec,
    ) -> FileAction {
        let made = match (self.succeeded(), pair) {
            (None, _) => [None; 2],
            (Some(_), Some(address)) => memory::descriptor_pair(self.memory, self.arguments[address]),
            (Some(result), None) => [i32::try_from(result).ok(), None],
        };
        let close_on_exec = match close_on_exec {
            CloseOnExec::Never => false,
            CloseOnExec::Always => true,
            CloseOnExec::Bit(position, bit) => self.low(position) & bit != 0,
        };
        FileAction::MakeDescriptors { kind, made, close_on_exec }
    }
}
