//! Calls that close, copy, control and make descriptors.

use super::Decoding;
use crate::strace_log::constants;
use crate::strace_log::scan::parts;
use crate::strace_log::value::{bits, descriptor, number};
use fathom_events::{ControlCommand, DescriptorKind, FileAction, OpenFlags};

const MARK_ONLY: u64 = 4;
const CLOSE_ON_EXEC: u64 = 0o2_000_000;
/// That of `memfd_create` alone.
const MEMORY_CLOSE_ON_EXEC: u64 = 1;

impl Decoding<'_, '_> {
    pub(super) fn close(&mut self) -> Option<FileAction> {
        Some(FileAction::Close { descriptor: self.descriptor(0)? })
    }

    pub(super) fn close_range(&mut self) -> Option<FileAction> {
        let flags = self.bits(2, constants::close_range_flag)?;
        Some(FileAction::CloseRange {
            first: self.word(0)?,
            last: self.word(1)?,
            mark_only: flags & MARK_ONLY != 0,
        })
    }

    pub(super) fn duplicate(&mut self) -> Option<FileAction> {
        Some(FileAction::Duplicate { descriptor: self.descriptor(0)?, to: None, close_on_exec: false })
    }

    pub(super) fn duplicate_to(&mut self, has_flags: bool) -> Option<FileAction> {
        let to = Some(self.descriptor(1)?);
        let close_on_exec = has_flags && self.closes_on_exec(2)?;
        Some(FileAction::Duplicate { descriptor: self.descriptor(0)?, to, close_on_exec })
    }

    pub(super) fn control(&mut self) -> Option<FileAction> {
        let descriptor = self.descriptor(0)?;
        let command = match self.word_of(1, constants::control_command)? {
            0 => return Some(FileAction::Duplicate { descriptor, to: None, close_on_exec: false }),
            1030 => return Some(FileAction::Duplicate { descriptor, to: None, close_on_exec: true }),
            1 => ControlCommand::GetDescriptorFlags,
            2 => {
                let flags = self.bits(2, constants::descriptor_flag)?;
                ControlCommand::SetDescriptorFlags { close_on_exec: flags & 1 != 0 }
            }
            3 => ControlCommand::GetStatusFlags,
            4 => ControlCommand::SetStatusFlags(OpenFlags(self.word_of(2, constants::open_flag)?)),
            5..=7 | 36..=38 => ControlCommand::Lock,
            other => ControlCommand::Other(other),
        };
        Some(FileAction::Control { descriptor, command })
    }

    pub(super) fn control_device(&mut self) -> Option<FileAction> {
        let descriptor = self.descriptor(0)?;
        let request = request_number(self.argument(1)?);
        self.unknown_name |= request.is_none();
        Some(FileAction::DeviceControl { descriptor, request: request.unwrap_or(0) })
    }

    pub(super) fn lock(&mut self) -> Option<FileAction> {
        Some(FileAction::Lock { descriptor: self.descriptor(0)? })
    }

    pub(super) fn watch(&mut self) -> Option<FileAction> {
        let operation = self.bits(1, constants::epoll_operation)?;
        let descriptor = self.descriptor(2)?;
        Some(match operation {
            1 => FileAction::Watch { descriptor, add: true },
            2 => FileAction::Watch { descriptor, add: false },
            _ => FileAction::Other,
        })
    }

    /// A call whose result is a descriptor.
    #[expect(clippy::unnecessary_wraps, reason = "all functions of the table have one form")]
    pub(super) fn make(&mut self, kind: DescriptorKind, flags: Option<usize>) -> Option<FileAction> {
        let bit = if kind == DescriptorKind::MemoryFile { MEMORY_CLOSE_ON_EXEC } else { CLOSE_ON_EXEC };
        let close_on_exec = flags.and_then(|flags| self.has_close_on_exec(flags, bit)).unwrap_or(false);
        let made = [self.outcome().descriptor(), None];
        Some(FileAction::MakeDescriptors { kind, made, close_on_exec })
    }

    #[expect(clippy::unnecessary_wraps, reason = "all functions of the table have one form")]
    pub(super) fn make_closed_on_exec(&mut self, kind: DescriptorKind) -> Option<FileAction> {
        let made = [self.outcome().descriptor(), None];
        Some(FileAction::MakeDescriptors { kind, made, close_on_exec: true })
    }

    /// It makes a descriptor only when given none.
    pub(super) fn make_signals(&mut self, flags: Option<usize>) -> Option<FileAction> {
        if self.descriptor(0)? >= 0 {
            Some(FileAction::Other)
        } else {
            self.make(DescriptorKind::Kernel, flags)
        }
    }

    /// A call that puts two descriptors into memory: `pipe2([3, 4], O_CLOEXEC) = 0`.
    pub(super) fn make_pair(
        &mut self,
        kind: DescriptorKind,
        pair: usize,
        flags: Option<usize>,
    ) -> Option<FileAction> {
        let close_on_exec = flags.and_then(|flags| self.closes_on_exec(flags)).unwrap_or(false);
        let mut made = [None, None];
        if self.succeeded() {
            let mut shown = parts(self.argument(pair)?).map(descriptor);
            made = [shown.next()?, shown.next()?];
        }
        Some(FileAction::MakeDescriptors { kind, made, close_on_exec })
    }

    /// Of flags only this one is looked at; names that other calls have are no doubt.
    fn closes_on_exec(&self, position: usize) -> Option<bool> {
        self.has_close_on_exec(position, CLOSE_ON_EXEC)
    }

    fn has_close_on_exec(&self, position: usize, bit: u64) -> Option<bool> {
        let (value, _) = bits(self.argument(position)?, |name| match constants::close_on_exec(name) {
            Some(_) => Some(bit),
            None => number(name).filter(|_| name.first().is_some_and(u8::is_ascii_digit)),
        });
        Some(value & bit != 0)
    }
}

/// Of `TCGETS`, `SNDCTL_TMR_TIMEBASE or TCGETS`, `_IOC(_IOC_READ, 0x66, 0x1, 0x8)` or a number.
fn request_number(text: &[u8]) -> Option<u32> {
    if let Some(inner) = text.strip_prefix(b"_IOC(") {
        let mut values = inner.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        let (direction, known) = bits(values.next()?, constants::device_direction);
        let mut next = || values.next().and_then(number);
        let (kind, request, size) = (next()?, next()?, next()?);
        let number = (direction & 3) << 30 | (size & 0x3fff) << 16 | (kind & 0xff) << 8 | request & 0xff;
        return known.then(|| u32::try_from(number).ok()).flatten();
    }
    let named = text.split(|byte| *byte == b' ').find_map(constants::device_request);
    named.or_else(|| number(text)).and_then(|request| u32::try_from(request & 0xffff_ffff).ok())
}
