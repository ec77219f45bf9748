//! Stops threads of a runtime's at the return of some of their calls, so that the frames of the scripts can be
//! read ([`crate::file_trace::turns`] says which).

use super::{
    CALL_NUMBER, CALL_RESULT, CALL_SEEN, CALL_STACK, HANDLED, KEY, MAPPED, STOPPABLE, Writer, look_up,
};
use crate::file_trace::ring::assembly::{Do, Helper, If, R0, R1, R2, R6, R7, STACK, Width};
use crate::file_trace::ring::record::STACK_STOPPED_SHIFT;
use crate::file_trace::turns::{FIRST_FROM_STACK, STRIDE};
use fathom_sys::bpf::Map;

/// Sent to a thread that its tracer stops then. Nobody has it where there is no tracer, or no handler.
pub(in crate::file_trace::ring) const STOPPING_SIGNAL: i32 = libc::SIGURG;
/// Of calls whose stack is not known, the first ones of a thread.
const FIRST_OF_THREAD: i32 = 4096;
/// What of a thread the map has: how many calls from stacks that are not known, and how many stops.
pub(in crate::file_trace::ring) const SCRIPT_BYTES: u32 = 8;
pub(in crate::file_trace::ring) const STOPS: i16 = 4;
/// Stops are numbered in so many bits.
pub(in crate::file_trace::ring) const STOP_NUMBERS: i32 = (1 << 30) - 1;
/// `SIG_IGN`: what is above is the address of a handler.
const IGNORED: i32 = 1;
/// Results by which the kernel says that a call is made again.
const FIRST_AGAIN: i32 = -516;
const LAST_AGAIN: i32 = -512;

impl Writer<'_> {
    /// Stops the current thread where it is one of a runtime's and this call is to be looked at. The
    /// number of the stop is left at [`CALL_STACK`] then.
    pub(super) fn stop_for_scripts(&mut self, threads: &Map) {
        let (skip, go_on, handled) = (self.assembly.label(), self.assembly.label(), self.assembly.label());
        let code = &mut self.assembly;
        code.store_number(Width::Four, STACK, KEY, STOPPABLE);
        look_up(code, &self.maps.counters, KEY, skip);
        code.load(Width::Eight, R1, R0, 0);
        code.jump_if(If::Equal, R1, 0, skip);
        code.store(Width::Four, STACK, KEY, R7);
        look_up(code, threads, KEY, skip);
        self.count_mappings();
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, STACK, CALL_RESULT);
        code.jump_if(If::SignedBelow, R1, FIRST_AGAIN, go_on);
        code.jump_if(If::SignedNotAbove, R1, LAST_AGAIN, skip);
        code.here(go_on);
        // Where the thread blocks the signal, the program could see that it waits.
        code.call(Helper::CurrentTask);
        code.load(Width::Eight, R1, R0, self.layout.blocked);
        code.number(Do::And, R1, 1 << (STOPPING_SIGNAL - 1));
        code.jump_if(If::NotEqual, R1, 0, skip);
        // A signal that the program handles may be one of its own, which would be taken away with ours.
        code.load(Width::Eight, R1, R0, self.layout.handlers);
        code.load(Width::Eight, R1, R1, self.layout.handler);
        code.jump_if(If::Above, R1, IGNORED, handled);
        code.store(Width::Four, STACK, KEY, R7);
        look_up(code, threads, KEY, skip);
        let (by_stack, stop, in_turn) = (code.label(), code.label(), code.label());
        code.load(Width::Eight, R2, STACK, CALL_SEEN);
        code.jump_if(If::NotEqual, R2, 0, by_stack);
        code.load(Width::Four, R2, R0, 0);
        code.number(Do::Add, R2, 1);
        code.store(Width::Four, R0, 0, R2);
        code.jump_if(If::Above, R2, FIRST_OF_THREAD, in_turn);
        code.jump(stop);
        code.here(by_stack);
        code.jump_if(If::Above, R2, FIRST_FROM_STACK.cast_signed(), in_turn);
        code.jump(stop);
        code.here(in_turn);
        code.number(Do::Modulo, R2, STRIDE.cast_signed());
        code.jump_if(If::NotEqual, R2, 0, skip);
        code.here(stop);
        code.set(R1, STOPPING_SIGNAL);
        code.call(Helper::SendSignalToThread);
        code.jump_if(If::NotEqual, R0, 0, skip);
        code.store(Width::Four, STACK, KEY, R7);
        look_up(code, threads, KEY, skip);
        code.load(Width::Four, R1, R0, STOPS);
        code.number(Do::Add, R1, 1);
        code.number(Do::And, R1, STOP_NUMBERS);
        code.store(Width::Four, R0, STOPS, R1);
        code.set(R2, 1);
        code.number(Do::ShiftLeft, R2, STACK_STOPPED_SHIFT);
        code.with(Do::Add, R1, R2);
        code.store(Width::Eight, STACK, CALL_STACK, R1);
        code.jump(skip);
        code.here(handled);
        self.count(HANDLED, 1);
        self.assembly.here(skip);
    }

    /// Counts the calls after which other code may be where some was.
    fn count_mappings(&mut self) {
        let (changed, done) = (self.assembly.label(), self.assembly.label());
        let number = |call: libc::c_long| i32::try_from(call).unwrap_or(-1);
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, STACK, CALL_NUMBER);
        code.jump_if(If::Equal, R1, number(libc::SYS_munmap), changed);
        code.jump_if(If::Equal, R1, number(libc::SYS_mremap), changed);
        code.jump_if(If::NotEqual, R1, number(libc::SYS_mmap), done);
        code.load(Width::Eight, R1, R6, self.layout.arguments[2]);
        code.number(Do::And, R1, libc::PROT_EXEC);
        code.jump_if(If::Equal, R1, 0, done);
        code.here(changed);
        self.count(MAPPED, 1);
        self.assembly.here(done);
    }
}
