//! Who is told of what tracees do, in the order in which it happens, and what it
//! may ask of them meanwhile.

use crate::call::Call;
use fathom_model::{ExecutedProgram, FileKind};
use fathom_stacks::Registers;
use std::ffi::OsString;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Told of every stop that means something. What it does not care for it leaves out.
pub(crate) trait Witness {
    /// A thread is there. It may be new, or a process of its own.
    fn born(&mut self, _tid: i32, _tracee: &dyn Tracee) {}

    /// Who made a thread; told once, before or after `born`, also when the
    /// thread has ended already. True when the call that made it is known with that: its return
    /// need not be seen.
    fn made_by(&mut self, _tid: i32, _maker: i32) -> bool {
        false
    }

    /// A thread enters a call.
    fn enter(&mut self, tid: i32, call: Call, arguments: [u64; 6], tracee: &dyn Tracee);

    /// The call that a thread had entered has returned.
    fn leave(&mut self, tid: i32, result: i64, failed: bool, tracee: &dyn Tracee);

    /// A thread has made a call at which it was not stopped.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only the hook tells so"))]
    fn returned(&mut self, _tid: i32, _made: &Returned<'_>) {}

    /// True of a thread whose process has to stop at each call: what is asked at a call cannot be
    /// answered later.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only the hook asks so"))]
    fn needs_stops(&self, _tid: i32) -> bool {
        false
    }

    /// A thread made a call, at which it was not stopped, and ends in it.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only the hook tells so"))]
    fn broken_off(&mut self, _tid: i32, _call: Call, _arguments: [u64; 6]) {}

    /// A process executed a program; the thread that did it had the id `former`.
    /// The call itself is still to return.
    fn executed(&mut self, pid: i32, former: i32, tracee: &dyn Tracee);

    /// Before a thread goes on of which nothing is to happen at the same time: what it told is dealt with.
    fn settle(&mut self) {}

    /// A thread is gone; when it is the process's first, the process is.
    fn ended(&mut self, tid: i32, status: ExitStatus);
}

/// A call that was made and told afterwards.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only the hook tells so"))]
pub(crate) struct Returned<'a> {
    pub(crate) call: Call,
    pub(crate) arguments: [u64; 6],
    /// What it returned; the negated errno when it failed.
    pub(crate) result: i64,
    pub(crate) at: Instant,
    pub(crate) took: Duration,
    /// The program, with its memory as the call left it.
    pub(crate) tracee: &'a dyn Tracee,
}

/// Memory of a program, at a stop or as it was copied.
pub(crate) trait Memory {
    /// Copies memory from an address on, up to the first page that cannot be read;
    /// the bytes copied.
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize;

    /// Copies pieces, each an address and a number of bytes, one behind the other; false where one of them
    /// cannot be read.
    fn copy_pieces(&self, pieces: &[(u64, usize)], buffer: &mut [u8]) -> bool {
        let mut rest = buffer;
        pieces.iter().all(|&(address, length)| {
            let Some((piece, others)) = std::mem::take(&mut rest).split_at_mut_checked(length) else {
                return false;
            };
            rest = others;
            self.copy(address, piece) == length
        })
    }

    /// The integer at an address.
    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        (self.copy(address, &mut bytes) == bytes.len()).then(|| u64::from_ne_bytes(bytes))
    }
}

/// What can be asked of the thread that is stopped.
pub(crate) trait Tracee: Memory {
    /// The text at an address of its memory, up to its NUL.
    fn text(&self, address: u64) -> Option<String>;
    /// What a descriptor of it stands for now.
    fn file_kind(&self, descriptor: i32) -> Option<FileKind>;
    /// The process it belongs to.
    fn process(&self) -> Option<i32>;
    /// The name that the kernel keeps of it.
    fn name(&self) -> Option<String>;
    /// The path by which its process was last executed, as it was given.
    fn executed_path(&self) -> Option<OsString>;
    /// The program that its process runs.
    fn program(&self) -> ExecutedProgram;
    /// The registers that its stack is walked from.
    fn registers(&self) -> Option<Registers> {
        None
    }
    /// It stands at its call still; otherwise it has gone on, and only what was copied is known.
    fn is_stopped(&self) -> bool {
        true
    }
    /// The highest address of its stack that a walk has read.
    fn stack_was_read_to(&self, _address: u64) {}
    /// Where the thread keeps its own data, by which the C library numbers it.
    fn thread_pointer(&self) -> Option<u64> {
        None
    }
}
