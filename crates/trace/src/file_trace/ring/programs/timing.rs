//! How long calls take: when each began is kept by thread until it returns, with the time in
//! which the thread was blocked in it.
//!
//! A thread's slot is found by the lower bits of its number. Of two threads that share one, the
//! later entry has it; the call of the other has no duration then, and never a wrong one.

use super::{CALL_NUMBER, KEY, Layout, Maps, Writer, look_up};
use crate::file_trace::ring::assembly::{
    Assembly, Do, Helper, If, Label, R0, R1, R2, R6, R7, R8, R9, Register, STACK, Width,
};
use crate::file_trace::ring::plan::CALLS;
use crate::file_trace::ring::record::{BEGAN, WAITED};
use fathom_sys::bpf::{Instruction, Map};

/// So many threads can be in a call at once, if their numbers differ in the lower bits.
pub(in crate::file_trace::ring) const SLOTS: u32 = 1 << 15;
pub(in crate::file_trace::ring) const SLOT_BYTES: u32 = 32;
/// Where a slot's fields stand: thread and process, when the call began, since when the thread is
/// blocked (0 while it is not), how long it was before.
const THREAD: i16 = 0;
pub(super) const BEGUN: i16 = 8;
const BLOCKED: i16 = 16;
/// Bits of a state: stopped by a signal, or by a tracer.
const STOPPED: i32 = 4 | 8;
pub(super) const BLOCKED_FOR: i16 = 24;

/// The program at `sys_enter`.
pub(in crate::file_trace::ring) fn at_entry(maps: &Maps, slots: &Map, layout: &Layout) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.only_followed(R7);
    let out = writer.out;
    let code = &mut writer.assembly;
    code.load(Width::Eight, R8, R6, 8);
    code.jump_if(If::Above, R8, CALLS.cast_signed() - 1, out);
    code.store(Width::Four, STACK, KEY, R8);
    look_up(code, &maps.plans, KEY, out);
    code.load(Width::One, R1, R0, 0);
    code.jump_if(If::Equal, R1, 0, out);
    begin_call(code, slots, out);
    writer.finish()
}

/// The program at `sched_switch`: the thread that gives up its CPU begins to be blocked, unless it
/// could run on, and the one that gets it has been.
pub(in crate::file_trace::ring) fn at_switch(maps: &Maps, slots: &Map, layout: &Layout) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    switch(&mut writer.assembly, slots, layout);
    writer.finish()
}

/// The program at `sched_switch` where nobody asks how long calls took: only how long their threads waited, which
/// costs nothing at a call's beginning. A thread that gives up its CPU is in the call whose number its registers
/// have; its slot has that number in place of the call's beginning.
///
/// A thread that is stopped for its script, or by job control, does not wait for its call.
pub(in crate::file_trace::ring) fn at_switch_of_waits(
    maps: &Maps,
    slots: &Map,
    layout: &Layout,
) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    let (arrives, fresh, same, out) =
        (writer.assembly.label(), writer.assembly.label(), writer.assembly.label(), writer.out);
    gives_up(&mut writer.assembly, layout, arrives);
    let code = &mut writer.assembly;
    code.number(Do::And, R1, STOPPED);
    code.jump_if(If::NotEqual, R1, 0, arrives);
    writer.unless_followed(R7, arrives);
    let code = &mut writer.assembly;
    code.copy(R1, R8);
    code.call(Helper::RegistersOfTask);
    layout.call_number.load(code, R9, R0);
    code.jump_if(If::Above, R9, CALLS.cast_signed() - 1, arrives);
    code.store(Width::Four, STACK, KEY, R9);
    look_up(code, &maps.plans, KEY, arrives);
    code.load(Width::One, R1, R0, 0);
    code.jump_if(If::Equal, R1, 0, arrives);
    slot(code, slots, R7, arrives);
    code.copy(R8, R0);
    code.load(Width::Four, R1, R8, THREAD);
    code.jump_if_other(R1, R7, fresh);
    code.load(Width::Eight, R1, R8, BEGUN);
    code.jump_if_same(R1, R9, same);
    code.here(fresh);
    code.store(Width::Eight, R8, THREAD, R7);
    code.store(Width::Eight, R8, BEGUN, R9);
    code.store_number(Width::Eight, R8, BLOCKED_FOR, 0);
    code.here(same);
    code.call(Helper::Time);
    code.store(Width::Eight, R8, BLOCKED, R0);
    code.here(arrives);
    arrive(code, slots, layout, out);
    writer.finish()
}

/// Keeps that a call of the thread in `R7` begins now; uses `R9`.
pub(super) fn begin_call(code: &mut Assembly, slots: &Map, out: Label) {
    slot(code, slots, R7, out);
    code.copy(R9, R0);
    code.call(Helper::Time);
    code.store(Width::Eight, R9, THREAD, R7);
    code.store(Width::Eight, R9, BEGUN, R0);
    code.store_number(Width::Eight, R9, BLOCKED, 0);
    code.store_number(Width::Eight, R9, BLOCKED_FOR, 0);
}

/// The slot of the call of the thread in `R7`, in `R0`; jumps where its entry was not seen.
pub(super) fn call_begun(code: &mut Assembly, slots: &Map, unseen: Label) {
    slot(code, slots, R7, unseen);
    code.load(Width::Eight, R1, R0, THREAD);
    code.jump_if_other(R1, R7, unseen);
}

fn switch(code: &mut Assembly, slots: &Map, layout: &Layout) {
    let (arrives, none) = (code.label(), code.label());
    gives_up(code, layout, arrives);
    own_slot(code, slots, arrives);
    code.call(Helper::Time);
    code.store(Width::Eight, R9, BLOCKED, R0);
    code.here(arrives);
    arrive(code, slots, layout, none);
    code.here(none);
}

/// The thread that gives up its CPU, in `R7`, its task in `R8`, its state in `R1`; jumps where it could run on.
fn gives_up(code: &mut Assembly, layout: &Layout, could_run: Label) {
    code.load(Width::Eight, R8, R6, 8);
    code.load(Width::Four, R7, R8, layout.task.thread);
    // Who is put off the CPU by another has not asked to wait.
    code.load(Width::Eight, R1, R6, 0);
    code.jump_if(If::NotEqual, R1, 0, could_run);
    if layout.switch_has_state {
        code.load(Width::Eight, R1, R6, 24);
        code.copy_low(R1, R1);
    } else {
        code.load(Width::Four, R1, R8, layout.state);
    }
    code.jump_if(If::Equal, R1, 0, could_run);
}

/// The thread that gets the CPU has been blocked until now, if it was.
fn arrive(code: &mut Assembly, slots: &Map, layout: &Layout, was_not: Label) {
    code.load(Width::Eight, R8, R6, 16);
    code.load(Width::Four, R7, R8, layout.task.thread);
    own_slot(code, slots, was_not);
    code.load(Width::Eight, R8, R9, BLOCKED);
    code.jump_if(If::Equal, R8, 0, was_not);
    code.call(Helper::Time);
    code.with(Do::Subtract, R0, R8);
    code.load(Width::Eight, R1, R9, BLOCKED_FOR);
    code.with(Do::Add, R1, R0);
    code.store(Width::Eight, R9, BLOCKED_FOR, R1);
    code.store_number(Width::Eight, R9, BLOCKED, 0);
}

/// The slot of the thread in `R7`, in `R9`, where it is its own.
fn own_slot(code: &mut Assembly, slots: &Map, other: Label) {
    slot(code, slots, R7, other);
    code.load(Width::Four, R1, R0, THREAD);
    code.jump_if_other(R1, R7, other);
    code.copy(R9, R0);
}

fn slot(code: &mut Assembly, slots: &Map, thread: Register, missing: Label) {
    code.copy(R2, thread);
    code.number(Do::And, R2, SLOTS.cast_signed() - 1);
    code.store(Width::Four, STACK, KEY, R2);
    look_up(code, slots, KEY, missing);
}

impl Writer<'_> {
    /// Sets when the call of the thread in `R7` began, and how long it was blocked.
    pub(super) fn times(&mut self, slots: &Map) {
        let code = &mut self.assembly;
        let unseen = code.label();
        call_begun(code, slots, unseen);
        for (from, to) in [(BEGUN, BEGAN), (BLOCKED_FOR, WAITED)] {
            code.load(Width::Eight, R1, R0, from);
            code.store(Width::Eight, R9, to, R1);
        }
        code.here(unseen);
    }

    /// Sets how long the thread in `R7` waited in its call, where only that is known. It is kept until now, and no
    /// longer. Of another call's, whose end came after its return, nothing is made.
    pub(super) fn wait(&mut self, slots: &Map) {
        let code = &mut self.assembly;
        let none = code.label();
        slot(code, slots, R7, none);
        code.load(Width::Four, R1, R0, THREAD);
        code.copy_low(R2, R7);
        code.jump_if_other(R1, R2, none);
        code.store_number(Width::Eight, R0, THREAD, 0);
        code.load(Width::Eight, R1, R0, BEGUN);
        code.load(Width::Eight, R2, STACK, CALL_NUMBER);
        code.jump_if_other(R1, R2, none);
        code.load(Width::Eight, R1, R0, BLOCKED_FOR);
        code.store(Width::Eight, R9, WAITED, R1);
        code.here(none);
    }
}
