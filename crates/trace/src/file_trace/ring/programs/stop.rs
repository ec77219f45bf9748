//! Stops threads of a runtime's at the return of some of their calls, so that the frames of the scripts can be
//! read ([`crate::file_trace::turns`] says which).

use super::{CALL_NUMBER, CALL_RESULT, CALL_STACK, HANDLED, KEPT, KEY, MAPPED, STOPPABLE, Writer, look_up};
use crate::file_trace::ring::assembly::{
    Assembly, Do, Helper, If, Label, R0, R1, R2, R3, R4, R6, R7, R8, R9, Register, STACK, Width,
};
use crate::file_trace::ring::record::{SCRATCH, STACK_STOPPED_SHIFT};
use crate::file_trace::turns::{Density, FAMILIAR, LONGEST_GAP, MANY_STOPS, NEW, REPEATED, SUBJECT_BYTES};
use fathom_sys::bpf::Map;

/// Sent to a thread that its tracer stops then. Nobody has it where there is no tracer, or no handler.
pub(in crate::file_trace::ring) const STOPPING_SIGNAL: i32 = libc::SIGURG;
/// What of a thread the map has: how many stops, and what its last path was.
pub(in crate::file_trace::ring) const SCRIPT_BYTES: u32 = 16;
pub(in crate::file_trace::ring) const STOPS: i16 = 0;
const SUBJECT: i16 = 8;
/// Stops are numbered in so many bits.
pub(in crate::file_trace::ring) const STOP_NUMBERS: i32 = (1 << 30) - 1;
/// `SIG_IGN`: what is above is the address of a handler.
const IGNORED: i32 = 1;
/// Results by which the kernel says that a call is made again.
const FIRST_AGAIN: i32 = -516;
const LAST_AGAIN: i32 = -512;
/// There are 2 to the power of these places for stacks, and for stacks with what their calls are about. Where two
/// have the same place the later one begins anew.
pub(in crate::file_trace::ring) const TURN_BITS: i32 = 14;
pub(in crate::file_trace::ring) const FAMILIAR_BITS: i32 = 16;
/// What of a stack is kept: which one it is, then of either kind how many calls there were, and which is the next
/// one that is looked at.
pub(in crate::file_trace::ring) const TURN_BYTES: u32 = 24;
const OF_NEW: i16 = 8;
const OF_REPEATED: i16 = 16;
const NEXT: i16 = 4;
/// How often calls were about the same stands in so many bits of a word, beside what it is.
const TIMES_BITS: i32 = 16;
/// Where on the stack the place of the call's own stack is, and what it is about: nothing else of it is in use
/// of a thread that runs scripts.
const TURN: i16 = -56;
const ABOUT: i16 = -64;
/// An odd number whose bits are mixed well.
const MIXING: i32 = 0x2545_f491;

/// By what it is decided which calls are looked at ([`crate::file_trace::turns`]).
#[derive(Debug)]
pub(in crate::file_trace::ring) struct TurnMaps {
    /// By a hash of process, program counter and stack pointer.
    pub(in crate::file_trace::ring) of_stacks: Map,
    /// By a hash of those and of what a call is about.
    pub(in crate::file_trace::ring) familiar: Map,
}

impl Writer<'_> {
    /// Goes on at `decided` where the current thread is one of a runtime's, which it stops where this call is to
    /// be looked at: what is at [`CALL_STACK`] then says whether, and which stop it was. Other threads go on
    /// behind this.
    pub(super) fn stop_for_scripts(&mut self, threads: &Map, turns: &TurnMaps, decided: Label) {
        let (other, go_on, handled) = (self.assembly.label(), self.assembly.label(), self.assembly.label());
        let code = &mut self.assembly;
        code.store_number(Width::Four, STACK, KEY, STOPPABLE);
        look_up(code, &self.maps.counters, KEY, other);
        code.load(Width::Eight, R1, R0, 0);
        code.jump_if(If::Equal, R1, 0, other);
        code.store(Width::Four, STACK, KEY, R7);
        look_up(code, threads, KEY, other);
        code.store(Width::Eight, STACK, KEPT, R0);
        code.store_number(Width::Eight, STACK, CALL_STACK, 0);
        self.count_mappings();
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, STACK, CALL_RESULT);
        code.jump_if(If::SignedBelow, R1, FIRST_AGAIN, go_on);
        code.jump_if(If::SignedNotAbove, R1, LAST_AGAIN, decided);
        code.here(go_on);
        // Where the thread blocks the signal, the program could see that it waits.
        code.call(Helper::CurrentTask);
        code.load(Width::Eight, R1, R0, self.layout.blocked);
        code.number(Do::And, R1, 1 << (STOPPING_SIGNAL - 1));
        code.jump_if(If::NotEqual, R1, 0, decided);
        // A signal that the program handles may be one of its own, which would be taken away with ours.
        code.load(Width::Eight, R1, R0, self.layout.handlers);
        code.load(Width::Eight, R1, R1, self.layout.handler);
        code.jump_if(If::Above, R1, IGNORED, handled);
        self.subject(decided);
        self.only_in_turn(turns, decided);
        let code = &mut self.assembly;
        code.set(R1, STOPPING_SIGNAL);
        code.call(Helper::SendSignalToThread);
        code.jump_if(If::NotEqual, R0, 0, decided);
        code.load(Width::Eight, R0, STACK, KEPT);
        code.load(Width::Four, R1, R0, STOPS);
        code.number(Do::Add, R1, 1);
        code.number(Do::And, R1, STOP_NUMBERS);
        code.store(Width::Four, R0, STOPS, R1);
        code.set(R2, 1);
        code.number(Do::ShiftLeft, R2, STACK_STOPPED_SHIFT);
        code.with(Do::Add, R1, R2);
        code.store(Width::Eight, STACK, CALL_STACK, R1);
        code.jump(decided);
        code.here(handled);
        self.count(HANDLED, 1);
        self.assembly.jump(decided);
        self.assembly.here(other);
    }

    /// What the call of the plan at `R8` is about, at [`ABOUT`]: its first path, or that of the thread's call
    /// before.
    fn subject(&mut self, decided: Label) {
        let (named, unnamed, done) = (self.assembly.label(), self.assembly.label(), self.assembly.label());
        let code = &mut self.assembly;
        code.load(Width::One, R1, R8, 1);
        for (number, offset) in (1..).zip(self.layout.arguments) {
            let next = code.label();
            code.jump_if(If::NotEqual, R1, number, next);
            code.load(Width::Eight, R3, R6, offset);
            code.jump(named);
            code.here(next);
        }
        code.jump(unnamed);
        code.here(named);
        code.store(Width::Eight, STACK, ABOUT, R3);
        code.call(Helper::Processor);
        code.store(Width::Four, STACK, KEY, R0);
        look_up(code, &self.maps.rooms, KEY, decided);
        code.copy(R9, R0);
        code.number(Do::Add, R9, SCRATCH);
        code.copy(R1, R9);
        code.set(R2, i32::from(SUBJECT_BYTES));
        code.load(Width::Eight, R3, STACK, ABOUT);
        code.call(Helper::ReadUserText);
        code.jump_if(If::SignedNotAbove, R0, 0, unnamed);
        code.jump_if(If::Above, R0, i32::from(SUBJECT_BYTES), unnamed);
        // What is behind the text is of another call.
        code.copy(R1, R9);
        code.with(Do::Add, R1, R0);
        code.store_number(Width::Eight, R1, 0, 0);
        code.copy(R3, R0);
        let mixed = code.label();
        for at in (0..SUBJECT_BYTES.cast_signed()).step_by(8) {
            code.jump_if(If::SignedNotAbove, R0, i32::from(at), mixed);
            code.load(Width::Eight, R2, R9, at);
            mix(code, R3, R2);
        }
        code.here(mixed);
        code.load(Width::Eight, R1, STACK, KEPT);
        code.store(Width::Eight, R1, SUBJECT, R3);
        code.jump(done);
        code.here(unnamed);
        code.load(Width::Eight, R1, STACK, KEPT);
        code.load(Width::Eight, R3, R1, SUBJECT);
        code.here(done);
        code.store(Width::Eight, STACK, ABOUT, R3);
    }

    /// Goes on at `decided` unless it is this call's turn.
    fn only_in_turn(&mut self, turns: &TurnMaps, decided: Label) {
        let walk = &self.layout.walk;
        let code = &mut self.assembly;
        code.copy(R9, R7);
        code.number(Do::ShiftRight, R9, 32);
        for register in [walk.program_counter, walk.stack_pointer] {
            code.load(Width::Eight, R2, R6, register);
            mix(code, R9, R2);
        }
        let known = code.label();
        code.copy(R1, R9);
        code.number(Do::ShiftRight, R1, 64 - TURN_BITS);
        code.store(Width::Four, STACK, KEY, R1);
        look_up(code, &turns.of_stacks, KEY, decided);
        code.store(Width::Eight, STACK, TURN, R0);
        code.load(Width::Eight, R1, R0, 0);
        code.jump_if_same(R1, R9, known);
        code.store(Width::Eight, R0, 0, R9);
        code.store_number(Width::Eight, R0, OF_NEW, 0);
        code.store_number(Width::Eight, R0, OF_REPEATED, 0);
        code.here(known);
        let (repeated, is_turn, first_time) = (code.label(), code.label(), code.label());
        code.load(Width::Eight, R2, STACK, ABOUT);
        mix(code, R9, R2);
        code.copy(R1, R9);
        code.number(Do::ShiftRight, R1, 64 - FAMILIAR_BITS);
        code.store(Width::Four, STACK, KEY, R1);
        look_up(code, &turns.familiar, KEY, decided);
        code.number(Do::ShiftLeft, R9, TIMES_BITS);
        code.load(Width::Eight, R1, R0, 0);
        code.copy(R2, R1);
        code.number(Do::And, R2, (1 << TIMES_BITS) - 1);
        code.with(Do::Subtract, R1, R2);
        code.jump_if_other(R1, R9, first_time);
        code.jump_if(If::Above, R2, FAMILIAR.cast_signed() - 1, repeated);
        code.copy(R9, R1);
        code.with(Do::Add, R9, R2);
        code.here(first_time);
        code.number(Do::Add, R9, 1);
        code.store(Width::Eight, R0, 0, R9);
        only_as_dense(code, NEW, OF_NEW, decided);
        code.jump(is_turn);
        code.here(repeated);
        only_as_dense(code, REPEATED, OF_REPEATED, decided);
        code.here(is_turn);
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

/// Goes on at `decided` unless it is the turn of one more call of a kind, whose counts stand so far behind the
/// address at [`TURN`]. Threads that count at once may lose some.
fn only_as_dense(code: &mut Assembly, density: Density, counts: i16, decided: Label) {
    let (counted, long, short) = (code.label(), code.label(), code.label());
    code.load(Width::Eight, R1, STACK, TURN);
    code.load(Width::Four, R2, R1, counts);
    code.number(Do::Add, R2, 1);
    code.store(Width::Four, R1, counts, R2);
    code.load(Width::Four, R3, R1, counts + NEXT);
    code.jump_if_above(R3, R2, decided);
    code.copy(R3, R2);
    code.load(Width::Eight, R4, STACK, KEPT);
    code.load(Width::Four, R4, R4, STOPS);
    code.jump_if(If::Above, R4, MANY_STOPS.cast_signed(), counted);
    code.number(Do::Subtract, R3, density.first.cast_signed());
    code.here(counted);
    code.number(Do::ShiftRightSigned, R3, density.shift);
    code.jump_if(If::SignedNotAbove, R3, LONGEST_GAP.cast_signed(), long);
    code.set(R3, LONGEST_GAP.cast_signed());
    code.here(long);
    code.jump_if(If::SignedBelow, R3, 1, short);
    code.with(Do::Add, R2, R3);
    code.number(Do::Subtract, R2, 1);
    code.here(short);
    code.number(Do::Add, R2, 1);
    code.store(Width::Four, R1, counts + NEXT, R2);
}

/// Mixes a word into a hash; the word is lost.
fn mix(code: &mut Assembly, hash: Register, word: Register) {
    code.with(Do::Xor, hash, word);
    code.number(Do::Multiply, hash, MIXING);
    code.copy(word, hash);
    code.number(Do::ShiftRight, word, 32);
    code.with(Do::Xor, hash, word);
}
