//! Children that their maker wants untraced (`CLONE_UNTRACED`). They inherit the filter, which hands their calls
//! to a tracer that they would not have, so that each failed with `ENOSYS`: the check for leaks of a sanitizer,
//! which watches its own process from one, then waited for ever. So they are traced all the same.

use crate::call::Call;
use rustix::process::Pid;
use std::collections::HashMap;

/// Threads inside such a call, with the flags that they gave.
#[derive(Debug, Default)]
pub(super) struct UntracedChildren(HashMap<i32, u64>);

const CLONE_UNTRACED: u64 = libc::CLONE_UNTRACED.cast_unsigned() as u64;

impl UntracedChildren {
    /// A thread stands at a call, about to make it. `clone3`, whose flags stand in memory, is left as it is.
    pub(super) fn enter(&mut self, pid: Pid, call: Call, flags: u64) {
        if flags & CLONE_UNTRACED != 0
            && !call.foreign
            && call.name() == "clone"
            && give_flags(pid, flags & !CLONE_UNTRACED)
        {
            self.0.insert(super::id(pid), flags);
        }
    }

    /// It has made its child, or failed to: it has its register back.
    pub(super) fn leave(&mut self, pid: Pid) {
        if let Some(flags) = self.0.remove(&super::id(pid)) {
            give_flags(pid, flags);
        }
    }

    /// It is gone.
    pub(super) fn forget(&mut self, tid: i32) {
        self.0.remove(&tid);
    }
}

/// False where that cannot be done.
#[cfg(target_arch = "x86_64")]
fn give_flags(pid: Pid, flags: u64) -> bool {
    use fathom_sys::ptrace_support as ptrace;
    let Ok(mut registers) = ptrace::registers(pid) else { return false };
    registers.rdi = flags;
    ptrace::set_registers(pid, &registers).is_ok()
}

#[cfg(not(target_arch = "x86_64"))]
fn give_flags(_pid: Pid, _flags: u64) -> bool {
    false
}
