//! A thread as its records tell it: it has gone on since its call.

use super::arena::Copies;
use crate::tracee::StoppedThread;
use crate::witness::{Memory, Tracee};
use fathom_model::{ExecutedProgram, FileKind};
use rustix::process::Pid;
use std::ffi::OsString;

/// A thread that has gone on since its call.
pub(super) struct Recorded<'a> {
    pub(super) memory: Copies<'a>,
    pub(super) pid: Option<Pid>,
}

impl Memory for Recorded<'_> {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        self.memory.copy(address, buffer)
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
}
