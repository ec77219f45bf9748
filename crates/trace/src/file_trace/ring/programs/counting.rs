//! Calls counted where they are made: at each return, one more of its process, call and directory,
//! in a histogram of times. No event leaves the kernel; whoever looks reads the table.

use super::files::{COUNT_KEY, DIRECTORY, ENTRY, FileLayout, MOUNT};
use super::timing::{BEGUN, BLOCKED_FOR, begin_call, call_begun};
use super::{CALL_RESULT, KEPT, KEY, LOST, Layout, Maps, Writer, look_up};
use crate::file_trace::ring::assembly::{
    Atomic, Do, Helper, If, Label, R0, R1, R2, R3, R4, R6, R7, R8, R9, STACK, Width,
};
use crate::file_trace::ring::plan::CALLS;
use fathom_sys::bpf::{Instruction, Map};

/// By what a call names a file that is in its process's table when it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::file_trace::ring) enum Role {
    /// By none: a path, or a descriptor that is closed by then.
    Unknown = 1,
    /// By the descriptor that it returns.
    Result = 2,
    /// By its first argument.
    First = 3,
}

/// Whose calls are counted.
#[derive(Debug, Clone, Copy)]
pub(in crate::file_trace::ring) enum Whom {
    /// Those of all processes but this one.
    AllBut(u32),
    /// Those of the processes whose bit is set.
    Followed,
}

/// What the programs count into.
#[derive(Debug, Clone, Copy)]
pub(in crate::file_trace::ring) struct Counted<'a> {
    pub(in crate::file_trace::ring) maps: &'a Maps,
    pub(in crate::file_trace::ring) slots: &'a Map,
    pub(in crate::file_trace::ring) layout: &'a Layout,
    pub(in crate::file_trace::ring) files: &'a FileLayout,
    pub(in crate::file_trace::ring) table: &'a Map,
    pub(in crate::file_trace::ring) whom: Whom,
}

/// Process, call, kind of file, mount, directory.
pub(in crate::file_trace::ring) const COUNT_KEY_BYTES: u32 = 24;
/// Buckets of times: four of each power of two, from 256 ns to eight minutes.
pub(in crate::file_trace::ring) const BUCKETS: usize = 128;
/// The way to a directory: so many names from below, of so many bytes at most.
pub(in crate::file_trace::ring) const LEVELS: usize = 12;
pub(in crate::file_trace::ring) const NAME_BYTES: usize = 40;
/// Where a value's fields stand.
pub(in crate::file_trace::ring) mod field {
    use super::{BUCKETS, LEVELS, NAME_BYTES};

    pub(in crate::file_trace::ring) const TOOK: usize = 0;
    pub(in crate::file_trace::ring) const WAITED: usize = 8;
    pub(in crate::file_trace::ring) const FAILED: usize = 16;
    pub(in crate::file_trace::ring) const UNTIMED: usize = 24;
    pub(in crate::file_trace::ring) const FIRST_BUCKET: usize = 32;
    pub(in crate::file_trace::ring) const PROGRAM: usize = FIRST_BUCKET + 8 * BUCKETS;
    pub(in crate::file_trace::ring) const IS_DEEPER: usize = PROGRAM + 16;
    pub(in crate::file_trace::ring) const NAMES: usize = IS_DEEPER + 8;
    pub(in crate::file_trace::ring) const END: usize = NAMES + LEVELS * NAME_BYTES;
}
/// A value, and the room in which a new one is put together.
pub(in crate::file_trace::ring) const COUNT_ROOM_BYTES: u32 = at(field::END).unsigned_abs();
/// A counter beside [`LOST`]: calls of another form.
pub(in crate::file_trace::ring) const FOREIGN: i32 = 4;

const PROGRAM_BYTES: i32 = 16;
const UNKNOWN_TIME: i32 = -1;
const LOWEST_ERRNO: i32 = -4095;
/// Times are counted in units of 64 ns.
const UNIT_SHIFT: i32 = 6;
const X32: i32 = 0x4000_0000;
const ONLY_NEW: i32 = 1;

/// Further places on the stack.
const TOOK: i16 = -264;
const WAITED_FOR: i16 = -272;
const ROOM: i16 = -280;

#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "some hundreds of bytes")]
const fn at(offset: usize) -> i32 {
    offset as i32
}

/// The program at `sys_enter`.
pub(in crate::file_trace::ring) fn count_at_entry(counted: Counted<'_>) -> Vec<Instruction> {
    let mut writer = Writer::new(counted.maps, counted.layout);
    writer.only_counted(counted.whom);
    let out = writer.out;
    let code = &mut writer.assembly;
    code.load(Width::Eight, R8, R6, 8);
    code.jump_if(If::Above, R8, CALLS.cast_signed() - 1, out);
    code.store(Width::Four, STACK, KEY, R8);
    look_up(code, &counted.maps.plans, KEY, out);
    code.load(Width::One, R1, R0, 0);
    code.jump_if(If::Equal, R1, 0, out);
    begin_call(code, counted.slots, out);
    writer.finish()
}

/// The program at `sys_exit`.
pub(in crate::file_trace::ring) fn count_at_return(counted: Counted<'_>) -> Vec<Instruction> {
    let Counted { maps, slots, layout, files, table, whom } = counted;
    let mut writer = Writer::new(maps, layout);
    writer.only_counted(whom);
    let (foreign, beyond) = (writer.assembly.label(), writer.assembly.label());
    let (of_result, look, keyed) =
        (writer.assembly.label(), writer.assembly.label(), writer.assembly.label());
    let out = writer.out;
    let code = &mut writer.assembly;
    code.load(Width::Eight, R1, R6, 8);
    code.store(Width::Eight, STACK, CALL_RESULT, R1);
    code.load(Width::Eight, R6, R6, 0);
    layout.call_number.load(code, R8, R6);
    writer.is_foreign();
    let code = &mut writer.assembly;
    code.jump_if(If::NotEqual, R0, 0, foreign);
    code.jump_if(If::Above, R8, CALLS.cast_signed() - 1, beyond);
    code.store(Width::Four, STACK, KEY, R8);
    look_up(code, &maps.plans, KEY, out);
    code.load(Width::One, R9, R0, 0);
    code.jump_if(If::Equal, R9, 0, out);
    for word in [0, 8, 16] {
        code.store_number(Width::Eight, STACK, COUNT_KEY + word, 0);
    }
    code.store_number(Width::Eight, STACK, MOUNT, 0);
    code.copy(R1, R7);
    code.number(Do::ShiftRight, R1, 32);
    code.store(Width::Four, STACK, COUNT_KEY, R1);
    code.store(Width::Two, STACK, COUNT_KEY + 4, R8);
    writer.take_time(slots);
    let code = &mut writer.assembly;
    code.jump_if(If::Equal, R9, Role::Result as i32, of_result);
    code.jump_if(If::NotEqual, R9, Role::First as i32, keyed);
    code.load(Width::Eight, R8, R6, layout.arguments[0]);
    code.copy_low(R8, R8);
    code.jump(look);
    code.here(of_result);
    code.load(Width::Eight, R8, STACK, CALL_RESULT);
    code.jump_if(If::SignedBelow, R8, 0, keyed);
    code.here(look);
    writer.find_file(files, keyed);
    writer.assembly.here(keyed);
    writer.find_value(files, table);
    writer.add_up();
    writer.assembly.jump(out);
    writer.assembly.here(beyond);
    writer.assembly.jump_if(If::SignedBelow, R8, 0, out);
    writer.assembly.number(Do::And, R8, X32);
    writer.assembly.jump_if(If::Equal, R8, 0, out);
    writer.assembly.here(foreign);
    writer.count(FOREIGN, 1);
    writer.finish()
}

/// The program at `task_newtask`: a child of a process that is followed is followed.
pub(in crate::file_trace::ring) fn count_at_birth(counted: Counted<'_>) -> Vec<Instruction> {
    let mut writer = Writer::new(counted.maps, counted.layout);
    writer.only_counted(counted.whom);
    writer.assembly.load(Width::Eight, R8, R6, 0);
    writer.assembly.load(Width::Four, R6, R8, counted.layout.task.process);
    writer.follow(R6);
    writer.finish()
}

/// The program at `sched_process_exit`: with its last thread a process is followed no more.
pub(in crate::file_trace::ring) fn count_at_end(counted: Counted<'_>) -> Vec<Instruction> {
    let mut writer = Writer::new(counted.maps, counted.layout);
    writer.only_counted(counted.whom);
    writer.assembly.load(Width::Eight, R8, R6, 0);
    writer.follow_pointer(counted.layout.task.signals);
    writer.read_kernel(counted.files.living, 4);
    let out = writer.out;
    let code = &mut writer.assembly;
    code.load(Width::Four, R1, STACK, KEPT);
    code.jump_if(If::NotEqual, R1, 0, out);
    code.number(Do::ShiftRight, R7, 32);
    writer.follow_no_more(R7);
    writer.finish()
}

impl Writer<'_> {
    /// Who calls, in `R7`; ends the program where that is nobody to be counted. Uses `R8`.
    fn only_counted(&mut self, whom: Whom) {
        self.who();
        let out = self.out;
        self.assembly.copy(R8, R7);
        self.assembly.number(Do::ShiftRight, R8, 32);
        match whom {
            Whom::AllBut(own) => self.assembly.jump_if(If::Equal, R8, own.cast_signed(), out),
            Whom::Followed => self.only_followed(R8),
        }
    }

    /// Keeps on the stack how long the call took and waited. Uses `R8`.
    fn take_time(&mut self, slots: &Map) {
        let code = &mut self.assembly;
        let unseen = code.label();
        code.store_number(Width::Eight, STACK, TOOK, UNKNOWN_TIME);
        code.store_number(Width::Eight, STACK, WAITED_FOR, 0);
        call_begun(code, slots, unseen);
        code.load(Width::Eight, R8, R0, BEGUN);
        code.load(Width::Eight, R1, R0, BLOCKED_FOR);
        code.store(Width::Eight, STACK, WAITED_FOR, R1);
        code.call(Helper::Time);
        code.with(Do::Subtract, R0, R8);
        code.store(Width::Eight, STACK, TOOK, R0);
        code.here(unseen);
    }

    /// The value of the key, in `R9`, made where there is none yet; ends the program where there is no
    /// room for it, which is counted.
    fn find_value(&mut self, files: &FileLayout, table: &Map) {
        let (missing, full, found, out) =
            (self.assembly.label(), self.assembly.label(), self.assembly.label(), self.out);
        look_up(&mut self.assembly, table, COUNT_KEY, missing);
        self.assembly.jump(found);
        self.assembly.here(missing);
        self.begin_value(files, full);
        let code = &mut self.assembly;
        code.map(R1, table);
        code.copy(R2, STACK);
        code.number(Do::Add, R2, i32::from(COUNT_KEY));
        code.load(Width::Eight, R3, STACK, ROOM);
        code.set(R4, ONLY_NEW);
        code.call(Helper::MapUpdate);
        look_up(code, table, COUNT_KEY, full);
        code.jump(found);
        code.here(full);
        self.count(LOST, 1);
        self.assembly.jump(out);
        self.assembly.here(found);
        self.assembly.copy(R9, R0);
    }

    /// A value that counts nothing yet, in this CPU's room: the program's name and the way to the
    /// directory. Uses `R6`, `R8` and `R9`.
    fn begin_value(&mut self, files: &FileLayout, no_room: Label) {
        let done = self.assembly.label();
        let code = &mut self.assembly;
        code.call(Helper::Processor);
        code.store(Width::Four, STACK, KEY, R0);
        look_up(code, &self.maps.rooms, KEY, no_room);
        code.store(Width::Eight, STACK, ROOM, R0);
        code.copy(R9, R0);
        code.number(Do::Add, R9, at(field::IS_DEEPER));
        code.store_number(Width::Eight, R9, 0, 0);
        for level in 0..LEVELS {
            code.number(Do::Add, R9, if level == 0 { 8 } else { at(NAME_BYTES) });
            code.store_number(Width::Eight, R9, 0, 0);
        }
        code.call(Helper::CurrentTask);
        code.load(Width::Eight, R3, R0, files.leader);
        code.number(Do::Add, R3, i32::from(files.program));
        code.load(Width::Eight, R1, STACK, ROOM);
        code.number(Do::Add, R1, at(field::PROGRAM));
        code.set(R2, PROGRAM_BYTES);
        code.call(Helper::ReadKernel);
        let code = &mut self.assembly;
        code.load(Width::Eight, R8, STACK, MOUNT);
        code.jump_if(If::Equal, R8, 0, done);
        self.follow_pointer(files.mount_root);
        let code = &mut self.assembly;
        code.copy(R6, R8);
        // A file that is itself mounted somewhere.
        code.load(Width::Eight, R9, STACK, ENTRY);
        code.jump_if_same(R9, R6, done);
        code.load(Width::Eight, R9, STACK, DIRECTORY);
        for level in 0..LEVELS {
            self.assembly.jump_if_same(R9, R6, done);
            self.assembly.copy(R8, R9);
            let [parent, name] = self.read_span([files.parent, files.name]);
            let code = &mut self.assembly;
            code.load(Width::Eight, R8, STACK, parent);
            code.jump_if_same(R8, R9, done);
            code.load(Width::Eight, R3, STACK, name);
            code.load(Width::Eight, R1, STACK, ROOM);
            code.number(Do::Add, R1, at(field::NAMES + level * NAME_BYTES));
            code.set(R2, at(NAME_BYTES));
            code.call(Helper::ReadKernelText);
            code.copy(R9, R8);
        }
        let code = &mut self.assembly;
        code.jump_if_same(R9, R6, done);
        code.load(Width::Eight, R1, STACK, ROOM);
        code.number(Do::Add, R1, at(field::IS_DEEPER));
        code.store_number(Width::Eight, R1, 0, 1);
        code.here(done);
    }

    /// Adds the call to the value in `R9`.
    fn add_up(&mut self) {
        let code = &mut self.assembly;
        let (succeeded, timed, never_blocked, counted) =
            (code.label(), code.label(), code.label(), code.label());
        code.load(Width::Eight, R1, STACK, CALL_RESULT);
        code.jump_if(If::SignedBelow, R1, LOWEST_ERRNO, succeeded);
        let failed = code.label();
        code.jump_if(If::SignedBelow, R1, 0, failed);
        code.jump(succeeded);
        code.here(failed);
        code.set(R1, 1);
        self.add_to(field::FAILED);
        let code = &mut self.assembly;
        code.here(succeeded);
        code.load(Width::Eight, R1, STACK, TOOK);
        code.jump_if(If::NotEqual, R1, UNKNOWN_TIME, timed);
        code.set(R1, 1);
        self.add_to(field::UNTIMED);
        let code = &mut self.assembly;
        code.jump(counted);
        code.here(timed);
        code.copy(R3, R1);
        self.add_to(field::TOOK);
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, STACK, WAITED_FOR);
        code.jump_if(If::Equal, R1, 0, never_blocked);
        self.add_to(field::WAITED);
        self.assembly.here(never_blocked);
        self.bucket();
        self.assembly.set(R1, 1);
        self.add_to(field::FIRST_BUCKET);
        self.assembly.here(counted);
    }

    /// Adds `R1` to a word of the value in `R9`. Uses `R2`.
    fn add_to(&mut self, offset: usize) {
        let code = &mut self.assembly;
        code.copy(R2, R9);
        code.number(Do::Add, R2, at(offset));
        code.atomic(Atomic::Add, R2, R1);
    }

    /// Moves `R9` on to the bucket of the time in `R3`: of 4 units and more, the power of two below it
    /// and the two bits that follow.
    fn bucket(&mut self) {
        let code = &mut self.assembly;
        let (small, bounded) = (code.label(), code.label());
        code.number(Do::ShiftRight, R3, UNIT_SHIFT);
        code.copy(R2, R3);
        code.jump_if(If::Above, R3, 3, small);
        code.jump(bounded);
        code.here(small);
        code.set(R2, 0);
        code.copy(R1, R3);
        for shift in [32, 16, 8, 4, 2, 1] {
            let lower = code.label();
            code.copy(R4, R1);
            code.number(Do::ShiftRight, R4, shift);
            code.jump_if(If::Equal, R4, 0, lower);
            code.copy(R1, R4);
            code.number(Do::Add, R2, shift);
            code.here(lower);
        }
        code.copy(R4, R2);
        code.number(Do::Subtract, R4, 2);
        code.with(Do::ShiftRight, R3, R4);
        code.number(Do::And, R3, 3);
        code.number(Do::Subtract, R2, 1);
        code.number(Do::ShiftLeft, R2, 2);
        code.with(Do::Add, R2, R3);
        code.here(bounded);
        let fits = code.label();
        let last = at(BUCKETS) - 1;
        let beyond = code.label();
        code.jump_if(If::Above, R2, last, beyond);
        code.jump(fits);
        code.here(beyond);
        code.set(R2, last);
        code.here(fits);
        code.number(Do::ShiftLeft, R2, 3);
        code.with(Do::Add, R9, R2);
    }
}
