//! The programs that run in the kernel: one at the entry and one at the return of every call,
//! one each where threads begin and end and where programs are executed, one where a CPU goes
//! from one thread to another, one at signals, two at `io_uring`. All of them first ask whether
//! the thread is one that is followed.

mod calls;
mod counting;
mod files;
mod layout;
mod lives;
mod requests;
mod stack;
mod stop;
mod timing;

pub(super) use calls::at_return;
pub(super) use counting::{
    BUCKETS, COUNT_KEY_BYTES, COUNT_ROOM_BYTES, Counted, FOREIGN, LEVELS, NAME_BYTES, Role, Whom,
    count_at_birth, count_at_end, count_at_entry, count_at_return, field,
};
pub(super) use files::FileLayout;
pub(super) use layout::{Layout, RequestFields, RequestLayout};
pub(super) use lives::{at_birth, at_end, at_exec, at_signal};
pub(super) use requests::{at_answer, at_request};
pub(super) use stop::{
    FAMILIAR_BITS, SCRIPT_BYTES, STOP_NUMBERS, STOPPING_SIGNAL, STOPS, TURN_BITS, TURN_BYTES, TurnMaps,
};
pub(super) use timing::{SLOT_BYTES, SLOTS, at_entry, at_switch, at_switch_of_waits};

use super::assembly::{
    Assembly, Atomic, Do, Helper, If, Label, R0, R1, R2, R3, R4, R6, R7, R8, R9, Register, STACK, Width,
};
use super::record::{
    ARGUMENTS, BEGAN, HEAD_BYTES, KIND, Kind, LENGTHS, RESULT, STACK_NUMBER, THREAD, TIME, WAITED,
};
use fathom_sys::bpf::Map;
use std::sync::Arc;

/// Threads have ids below this: no kernel gives larger ones.
pub(super) const THREADS: u32 = 1 << 22;
/// Counters: records for which the ring had no room, and followed threads that live.
pub(super) const LOST: i32 = 0;
pub(super) const LIVING: i32 = 1;
/// Not 0 where no stacks are to be copied any more; calls whose stack was neither known nor copied.
pub(super) const NO_COPIES: i32 = 2;
pub(super) const COPIES_MISSED: i32 = 3;
/// Threads that were found in the control group that is watched.
pub(super) const ENTERED: i32 = 4;
/// Threads that are stopped at some of their calls, and calls of theirs that change what is mapped.
pub(super) const STOPPABLE: i32 = 5;
pub(super) const MAPPED: i32 = 6;
/// Calls of such threads that were not looked at because their process handles the signal.
pub(super) const HANDLED: i32 = 7;

/// The maps that programs share.
#[derive(Debug)]
pub(super) struct Maps {
    /// A bit for each thread that is followed.
    pub(super) followed: Map,
    pub(super) counters: Map,
    pub(super) plans: Map,
    /// When a thread's call began and how long it was blocked in it, by [`timing`]; where times are wanted.
    pub(super) slots: Option<Map>,
    /// How long a thread was blocked in its call, where only that is wanted.
    pub(super) waits: Option<Map>,
    /// Room to write a record, for each CPU.
    pub(super) rooms: Map,
    pub(super) ring: Map,
    /// A place for the ring that is used instead once it is there.
    pub(super) larger_ring: Option<Arc<Map>>,
    /// Stacks that are known, by [`super::known_stack::StackKey`].
    pub(super) stacks: Option<Arc<Map>>,
    /// The threads that are stopped at some of their calls.
    pub(super) scripts: Option<Arc<Map>>,
    /// By what it is decided at which of their calls.
    pub(super) turns: Option<TurnMaps>,
    /// The control group all of whose threads are followed, in its first place.
    pub(super) cgroup: Option<Map>,
}

/// Places on the stack that programs keep things in.
const KEY: i16 = -8;
const CALL_NUMBER: i16 = -16;
const CALL_RESULT: i16 = -24;
const KEPT: i16 = -32;
const WIDE_KEY: i16 = -40;
const CALL_STACK: i16 = -48;
const NO_WAKEUP: i32 = 1;

/// A program that is written: the register `R7` keeps who calls, `R9` the room for a record.
struct Writer<'a> {
    assembly: Assembly,
    maps: &'a Maps,
    layout: &'a Layout,
    out: Label,
}

impl<'a> Writer<'a> {
    /// Begins a program; `R6` has its arguments.
    fn new(maps: &'a Maps, layout: &'a Layout) -> Self {
        let mut assembly = Assembly::default();
        let out = assembly.label();
        assembly.copy(R6, R1);
        Self { assembly, maps, layout, out }
    }

    /// Who calls, in `R7`: thread below, process above.
    fn who(&mut self) {
        self.assembly.call(Helper::ThreadAndProcess);
        self.assembly.copy(R7, R0);
    }

    /// Ends the program where the thread whose id is the lower half of a register is not followed.
    fn only_followed(&mut self, thread: Register) {
        self.unless_followed(thread, self.out);
    }

    /// Jumps where it is not.
    fn unless_followed(&mut self, thread: Register, out: Label) {
        self.followed_word(thread);
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, R0, 0);
        code.copy(R2, thread);
        code.number(Do::And, R2, 63);
        code.with(Do::ShiftRight, R1, R2);
        code.number(Do::And, R1, 1);
        code.jump_if(If::Equal, R1, 0, out);
    }

    /// Ends the program where the current thread, whose id is the lower half of a register, neither is
    /// followed nor in the control group that is watched. From there on it is followed.
    fn only_watched(&mut self, thread: Register) {
        let maps = self.maps;
        let Some(cgroup) = &maps.cgroup else { return self.only_followed(thread) };
        self.followed_word(thread);
        let (out, known) = (self.out, self.assembly.label());
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, R0, 0);
        code.copy(R2, thread);
        code.number(Do::And, R2, 63);
        code.with(Do::ShiftRight, R1, R2);
        code.number(Do::And, R1, 1);
        code.jump_if(If::NotEqual, R1, 0, known);
        code.map(R1, cgroup);
        code.set(R2, 0);
        code.call(Helper::CurrentUnderCgroup);
        code.jump_if(If::NotEqual, R0, 1, out);
        self.followed_word(thread);
        self.bit(thread);
        let code = &mut self.assembly;
        code.copy(R3, R2);
        code.atomic(Atomic::Or, R0, R2);
        // Whoever lists the group's threads may have been first.
        code.with(Do::And, R2, R3);
        code.jump_if(If::NotEqual, R2, 0, known);
        self.count(LIVING, 1);
        self.count(ENTERED, 1);
        self.assembly.here(known);
    }

    /// Follows the thread of this id from now on; what was there before is in `R2`.
    fn follow(&mut self, thread: Register) {
        self.followed_word(thread);
        self.bit(thread);
        self.assembly.atomic(Atomic::Or, R0, R2);
    }

    /// Follows it no more; ends the program where it was not followed.
    fn follow_no_more(&mut self, thread: Register) {
        self.followed_word(thread);
        self.bit(thread);
        let out = self.out;
        let code = &mut self.assembly;
        code.copy(R3, R2);
        code.number(Do::Xor, R2, -1);
        code.atomic(Atomic::And, R0, R2);
        code.with(Do::And, R2, R3);
        code.jump_if(If::Equal, R2, 0, out);
    }

    /// Adds to a counter.
    fn count(&mut self, counter: i32, by: i32) {
        let out = self.out;
        let code = &mut self.assembly;
        code.store_number(Width::Four, STACK, KEY, counter);
        look_up(code, &self.maps.counters, KEY, out);
        code.set(R1, by);
        code.atomic(Atomic::Add, R0, R1);
    }

    /// Room for a record, in `R9`, with time and thread; its lengths are 0. `call` says
    /// where the call's number stands on the stack.
    fn begin_record(&mut self, kind: Kind, call: Option<i16>) {
        let out = self.out;
        let code = &mut self.assembly;
        code.call(Helper::Processor);
        code.store(Width::Four, STACK, KEY, R0);
        look_up(code, &self.maps.rooms, KEY, out);
        code.copy(R9, R0);
        code.call(Helper::Time);
        code.store(Width::Eight, R9, TIME, R0);
        code.store(Width::Eight, R9, THREAD, R7);
        match call {
            Some(place) => {
                code.load(Width::Eight, R1, STACK, place);
                code.number(Do::And, R1, 0xffff);
                code.number(Do::ShiftLeft, R1, 16);
                code.number(Do::Add, R1, kind as i32);
                code.store(Width::Eight, R9, KIND, R1);
            }
            None => code.store_number(Width::Eight, R9, KIND, kind as i32),
        }
        code.store_number(Width::Eight, R9, LENGTHS, 0);
        code.store_number(Width::Eight, R9, BEGAN, 0);
        code.store_number(Width::Eight, R9, WAITED, 0);
    }

    /// Sets an argument of the record.
    fn argument(&mut self, number: i16, from: Register) {
        self.assembly.store(Width::Eight, R9, ARGUMENTS + 8 * number, from);
    }

    /// Sets the number of the call's stack, which stands on the stack.
    fn stack_number(&mut self) {
        self.assembly.load(Width::Eight, R1, STACK, CALL_STACK);
        self.assembly.store(Width::Four, R9, STACK_NUMBER, R1);
    }

    /// Sets the record's result.
    fn result(&mut self, from: Register) {
        self.assembly.store(Width::Eight, R9, RESULT, from);
    }

    /// Reads so many bytes of the kernel's, at most 8, at an offset from `R8`, to `KEPT`: 0 where
    /// nothing can be read.
    ///
    /// Pointers are read so and not by a load: at each load of one the verifier looks through all
    /// names of types for whether it may be trusted, which takes it up to a ms.
    fn read_kernel(&mut self, offset: i16, bytes: i32) {
        let code = &mut self.assembly;
        code.store_number(Width::Eight, STACK, KEPT, 0);
        code.copy(R1, STACK);
        code.number(Do::Add, R1, i32::from(KEPT));
        code.set(R2, bytes);
        code.copy(R3, R8);
        code.number(Do::Add, R3, i32::from(offset));
        code.call(Helper::ReadKernel);
    }

    /// Sends off a record that is a head alone.
    fn send_head(&mut self) {
        self.assembly.set(R7, i32::from(HEAD_BYTES));
        self.send();
    }

    /// Sends off a record of as many bytes as `R7` says, and counts it if there is no room.
    fn send(&mut self) {
        let sent = self.assembly.label();
        self.load_ring();
        let code = &mut self.assembly;
        code.copy(R2, R9);
        code.copy(R3, R7);
        code.set(R4, NO_WAKEUP);
        code.call(Helper::RingOutput);
        code.jump_if(If::Equal, R0, 0, sent);
        self.count(LOST, 1);
        self.assembly.here(sent);
    }

    /// The ring that is in use, in `R1`.
    fn load_ring(&mut self) {
        let code = &mut self.assembly;
        let Some(larger) = &self.maps.larger_ring else { return code.map(R1, &self.maps.ring) };
        let (first, chosen) = (code.label(), code.label());
        code.store_number(Width::Four, STACK, KEY, 0);
        look_up(code, larger, KEY, first);
        code.copy(R1, R0);
        code.jump(chosen);
        code.here(first);
        code.map(R1, &self.maps.ring);
        code.here(chosen);
    }

    /// Whether the current call has another form, in `R0`: 0 if it has not.
    fn is_foreign(&mut self) {
        let code = &mut self.assembly;
        code.call(Helper::CurrentTask);
        code.load(Width::Four, R0, R0, self.layout.foreign);
        code.number(Do::And, R0, self.layout.foreign_bit);
    }

    /// Keeps the number of the current thread's call on the stack.
    fn keep_call_number(&mut self) {
        let code = &mut self.assembly;
        code.call(Helper::CurrentTask);
        code.copy(R1, R0);
        code.call(Helper::RegistersOfTask);
        self.layout.call_number.load(code, R1, R0);
        code.store(Width::Eight, STACK, CALL_NUMBER, R1);
    }

    fn finish(mut self) -> Vec<fathom_sys::bpf::Instruction> {
        self.assembly.here(self.out);
        self.assembly.end();
        self.assembly.finish()
    }

    /// The address of the word of followed threads that has a thread's bit, in `R0`.
    fn followed_word(&mut self, thread: Register) {
        let out = self.out;
        let code = &mut self.assembly;
        code.copy_low(R1, thread);
        code.number(Do::ShiftRight, R1, 6);
        code.store(Width::Four, STACK, KEY, R1);
        look_up(code, &self.maps.followed, KEY, out);
    }

    /// A thread's bit of its word, in `R2`.
    fn bit(&mut self, thread: Register) {
        let code = &mut self.assembly;
        code.copy(R1, thread);
        code.number(Do::And, R1, 63);
        code.set(R2, 1);
        code.with(Do::ShiftLeft, R2, R1);
    }
}

/// The address of the value whose key stands on the stack, in `R0`; jumps where there is none.
fn look_up(code: &mut Assembly, map: &Map, key: i16, missing: Label) {
    code.copy(R2, STACK);
    code.number(Do::Add, R2, i32::from(key));
    code.map(R1, map);
    code.call(Helper::MapLookUp);
    code.jump_if(If::Equal, R0, 0, missing);
}
