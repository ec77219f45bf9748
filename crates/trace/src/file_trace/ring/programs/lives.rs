//! Where threads begin and end, where programs are executed, where signals arrive.

use super::layout::TaskLayout;
use super::{CALL_NUMBER, KEPT, LIVING, Layout, Maps, WIDE_KEY, Writer};
use crate::file_trace::ring::assembly::{Do, Helper, If, R0, R1, R2, R3, R6, R7, R8, R9, STACK, Width};
use crate::file_trace::ring::plan::LONGEST_TEXT_BYTES;
use crate::file_trace::ring::record::{HEAD_BYTES, Kind, LENGTHS};
use fathom_sys::bpf::Instruction;

/// So much of what a program that starts is told is copied: it ends before.
const AUXILIARY_BYTES: i32 = 384;

/// The program at `task_newtask`, in the maker, before the new thread runs: it is
/// followed from its first call on.
pub(in crate::file_trace::ring) fn at_birth(maps: &Maps, layout: &Layout) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.only_watched(R7);
    let code = &mut writer.assembly;
    code.load(Width::Eight, R1, R6, 8);
    code.store(Width::Eight, STACK, KEPT, R1);
    code.load(Width::Eight, R8, R6, 0);
    code.load(Width::Four, R6, R8, layout.task.thread);
    writer.follow(R6);
    writer.count(LIVING, 1);
    writer.keep_call_number();
    writer.is_foreign();
    writer.assembly.store(Width::Eight, STACK, WIDE_KEY, R0);
    writer.begin_record(Kind::Birth, Some(CALL_NUMBER));
    writer.argument(0, R6);
    writer.assembly.load(Width::Four, R1, R8, layout.task.process);
    writer.argument(1, R1);
    writer.assembly.load(Width::Eight, R1, STACK, KEPT);
    writer.argument(2, R1);
    writer.assembly.load(Width::Eight, R1, STACK, WIDE_KEY);
    writer.argument(3, R1);
    if maps.cgroup.is_some() {
        writer.innermost_id(&layout.task);
        writer.argument(4, R1);
    }
    writer.send_head();
    writer.finish()
}

/// The program at `sched_process_exec`. A thread that executes has the id of its process
/// from then on.
pub(in crate::file_trace::ring) fn at_exec(maps: &Maps, layout: &Layout) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.assembly.load(Width::Eight, R8, R6, 8);
    if maps.cgroup.is_some() {
        writer.only_watched(R8);
    }
    writer.follow_no_more(R8);
    writer.follow(R7);
    writer.keep_call_number();
    writer.begin_record(Kind::Exec, Some(CALL_NUMBER));
    writer.assembly.copy_low(R1, R8);
    writer.argument(0, R1);
    let code = &mut writer.assembly;
    let no_path = code.label();
    code.set(R7, i32::from(HEAD_BYTES));
    code.load(Width::Eight, R3, R6, 16);
    code.load(Width::Eight, R3, R3, layout.program_path);
    code.copy(R1, R9);
    code.with(Do::Add, R1, R7);
    code.set(R2, i32::from(LONGEST_TEXT_BYTES));
    code.call(Helper::ReadKernelText);
    code.jump_if(If::SignedNotAbove, R0, 0, no_path);
    code.store(Width::Two, R9, LENGTHS, R0);
    code.with(Do::Add, R7, R0);
    code.here(no_path);
    let no_auxiliary = code.label();
    code.call(Helper::CurrentTask);
    code.copy(R8, R0);
    writer.read_kernel(layout.memory, 8);
    let code = &mut writer.assembly;
    code.load(Width::Eight, R3, STACK, KEPT);
    code.number(Do::Add, R3, i32::from(layout.auxiliary));
    code.copy(R1, R9);
    code.with(Do::Add, R1, R7);
    code.set(R2, AUXILIARY_BYTES);
    code.call(Helper::ReadKernel);
    code.jump_if(If::NotEqual, R0, 0, no_auxiliary);
    code.store_number(Width::Two, R9, LENGTHS + 4, AUXILIARY_BYTES);
    code.number(Do::Add, R7, AUXILIARY_BYTES);
    code.here(no_auxiliary);
    writer.send();
    writer.finish()
}

/// The program at `sched_process_exit`, in the thread that ends. It is counted as living
/// until its record is there.
pub(in crate::file_trace::ring) fn at_end(maps: &Maps, layout: &Layout) -> Vec<Instruction> {
    let task = &layout.task;
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.follow_no_more(R7);
    writer.assembly.load(Width::Eight, R8, R6, 0);
    writer.begin_record(Kind::End, None);
    writer.assembly.load(Width::Four, R1, R8, task.code);
    writer.argument(0, R1);
    writer.read_kernel(task.signals, 8);
    writer.assembly.load(Width::Eight, R8, STACK, KEPT);
    for (number, field) in [(1, task.group_code), (2, task.group_flags)] {
        writer.read_kernel(field, 4);
        writer.assembly.load(Width::Four, R1, STACK, KEPT);
        writer.argument(number, R1);
    }
    writer.send_head();
    writer.count(LIVING, -1);
    writer.finish()
}

impl Writer<'_> {
    /// The id that the task in `R8` has in its own process namespace, in `R1`; 0 where it cannot be read.
    fn innermost_id(&mut self, task: &TaskLayout) {
        self.read_kernel(task.ids, 8);
        let code = &mut self.assembly;
        code.load(Width::Eight, R8, STACK, KEPT);
        code.number(Do::Add, R8, i32::from(task.id_level));
        self.read_kernel(0, 4);
        let code = &mut self.assembly;
        code.load(Width::Four, R1, STACK, KEPT);
        code.number(Do::ShiftLeft, R1, task.id_shift);
        code.number(Do::Add, R8, i32::from(task.first_id - task.id_level));
        code.with(Do::Add, R8, R1);
        self.read_kernel(0, 4);
        self.assembly.load(Width::Four, R1, STACK, KEPT);
    }
}

/// The program at `signal_deliver`.
pub(in crate::file_trace::ring) fn at_signal(maps: &Maps, layout: &Layout) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.only_followed(R7);
    writer.begin_record(Kind::Signal, None);
    writer.assembly.load(Width::Eight, R1, R6, 0);
    writer.argument(0, R1);
    writer.send_head();
    writer.finish()
}
