//! A thread as its records tell it, which has gone on since its call; and one that stands in code of ours,
//! as if it stood in its program.

use super::arena::Copies;
use crate::tracee::StoppedThread;
use crate::witness::{Memory, Tracee};
use fathom_model::{ExecutedProgram, FileKind};
use fathom_stacks::Registers;
use rustix::process::Pid;
use std::cell::Cell;
use std::ffi::OsString;

/// A thread that has gone on since its call.
pub(super) struct Recorded<'a> {
    pub(super) memory: Copies<'a>,
    pub(super) pid: Option<Pid>,
    /// From where its stack is walked, where that was copied.
    pub(super) registers: Option<Registers>,
    /// More of the stack was asked for than was copied.
    pub(super) stack_was_short: Cell<bool>,
}

/// No stack is walked further from its stack pointer.
const FARTHEST: u64 = 64 << 10;

/// A thread that is stopped in code of ours, at this place of its program.
pub(crate) struct AtSite {
    thread: StoppedThread,
    program_counter: u64,
    /// How far its stack was read.
    read_to: Cell<u64>,
}

impl AtSite {
    pub(super) fn new(thread: StoppedThread, program_counter: u64) -> Self {
        Self { thread, program_counter, read_to: Cell::new(0) }
    }

    /// Where the last word of its stack was read; 0 where none was.
    pub(super) fn read_to(&self) -> u64 {
        self.read_to.get()
    }
}

impl Memory for Recorded<'_> {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        let copied = self.memory.copy(address, buffer);
        if copied == 0
            && let Some(Registers { stack_pointer, .. }) = self.registers
            && (stack_pointer..stack_pointer.saturating_add(FARTHEST)).contains(&address)
        {
            self.stack_was_short.set(true);
        }
        copied
    }
}

impl Tracee for Recorded<'_> {
    fn text(&self, address: u64) -> Option<String> {
        crate::tracee::bytes_to_nul(self, address).map(|text| String::from_utf8_lossy(&text).into_owned())
    }
    fn file_kind(&self, _descriptor: i32) -> Option<FileKind> {
        None
    }
    fn process(&self) -> Option<i32> {
        StoppedThread(self.pid?).process()
    }
    fn name(&self) -> Option<String> {
        StoppedThread(self.pid?).name()
    }
    fn executed_path(&self) -> Option<OsString> {
        StoppedThread(self.pid?).executed_path()
    }
    fn program(&self) -> ExecutedProgram {
        match self.pid {
            Some(pid) => StoppedThread(pid).program(),
            None => ExecutedProgram {
                path: fathom_model::Reading::Unavailable("it is not known".to_owned()),
                arguments: Vec::new(),
                privilege_lost: None,
            },
        }
    }
    fn registers(&self) -> Option<Registers> {
        self.registers
    }
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Memory for AtSite {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        self.thread.copy(address, buffer)
    }
    fn copy_pieces(&self, pieces: &[(u64, usize)], buffer: &mut [u8]) -> bool {
        self.thread.copy_pieces(pieces, buffer)
    }
}

impl Tracee for AtSite {
    fn text(&self, address: u64) -> Option<String> {
        self.thread.text(address)
    }
    fn file_kind(&self, descriptor: i32) -> Option<FileKind> {
        self.thread.file_kind(descriptor)
    }
    fn process(&self) -> Option<i32> {
        self.thread.process()
    }
    fn name(&self) -> Option<String> {
        self.thread.name()
    }
    fn executed_path(&self) -> Option<OsString> {
        self.thread.executed_path()
    }
    fn program(&self) -> ExecutedProgram {
        self.thread.program()
    }
    fn registers(&self) -> Option<Registers> {
        Some(Registers { program_counter: self.program_counter, ..self.thread.registers()? })
    }
    fn stack_was_read_to(&self, address: u64) {
        self.read_to.set(address);
    }
    fn thread_pointer(&self) -> Option<u64> {
        self.thread.thread_pointer()
    }
}
