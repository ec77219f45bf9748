//! Where in the program a call was made: known by the registers and a few words of the stack, or
//! copied, so that it is known next time. Which words tell a stack is decided by who walks it
//! ([`KnownStack`]).

use super::{CALL_STACK, COPIES_MISSED, Maps, NO_COPIES, NO_WAKEUP, Writer, look_up};
use crate::file_trace::ring::assembly::{
    Assembly, Do, Helper, If, Label, R0, R1, R2, R3, R4, R6, R9, STACK, Width,
};
use crate::file_trace::ring::known_stack::{
    FRAME_POINTER, KnownStack, MOST_ALIKE, STACK_BYTES, STACK_WORDS, StackKey,
};
use crate::file_trace::ring::record::{HEAD_BYTES, Kind, LENGTHS, SCRATCH, STACK_COPIED};
use fathom_sys::bpf::Map;

/// Where the key of [`StackKey`] stands on the stack.
const STACK_KEY: i16 = -(48 + StackKey::BYTES);
const PAGE_BYTES: i32 = 4096;
/// A ring more than an eighth of which is filled gets short copies.
const FILLING_SHIFT: i32 = 3;
const SHORT_BYTES: i32 = 1024;
/// A ring more than half of which is filled gets no copies of stacks: they are worth less than events.
const FULL_SHIFT: i32 = 1;
/// What a ring is asked for: how much is in it, how large it is.
const BYTES_IN_RING: i32 = 0;
const BYTES_OF_RING: i32 = 1;

/// Where registers stand from which stacks are walked.
#[derive(Debug)]
pub(in crate::file_trace::ring) struct WalkLayout {
    pub(super) program_counter: i16,
    pub(super) stack_pointer: i16,
    pub(super) frame_pointer: i16,
    /// On architectures that have one.
    pub(super) link: Option<i16>,
}

impl Writer<'_> {
    /// Finds the number of the current call's stack, of the registers at `R6`, or copies it. The
    /// number is left at [`CALL_STACK`].
    pub(super) fn find_stack(&mut self, stacks: &Map) {
        let (copy, done) = (self.assembly.label(), self.assembly.label());
        let walk = &self.layout.walk;
        let code = &mut self.assembly;
        code.store_number(Width::Eight, STACK, CALL_STACK, 0);
        code.copy(R1, super::R7);
        code.number(Do::ShiftRight, R1, 32);
        code.store(Width::Four, STACK, STACK_KEY, R1);
        code.store_number(Width::Four, STACK, STACK_KEY + StackKey::NUMBER, 0);
        for (place, register) in [
            (StackKey::PROGRAM_COUNTER, Some(walk.program_counter)),
            (StackKey::STACK_POINTER, Some(walk.stack_pointer)),
            (StackKey::LINK, walk.link),
        ] {
            match register {
                Some(register) => {
                    code.load(Width::Eight, R1, R6, register);
                    code.store(Width::Eight, STACK, STACK_KEY + place, R1);
                }
                None => code.store_number(Width::Eight, STACK, STACK_KEY + place, 0),
            }
        }
        for alike in 0..MOST_ALIKE {
            let other = code.label();
            if alike > 0 {
                code.store_number(Width::Four, STACK, STACK_KEY + StackKey::NUMBER, alike);
            }
            look_up(code, stacks, STACK_KEY, copy);
            code.store(Width::Eight, STACK, super::KEPT, R0);
            read_words(code, self.maps, walk, other, copy);
            compare_words(code, other);
            code.load(Width::Eight, R1, STACK, super::KEPT);
            code.load(Width::Four, R1, R1, KnownStack::STACK);
            code.store(Width::Eight, STACK, CALL_STACK, R1);
            code.jump(done);
            code.here(other);
        }
        code.here(copy);
        self.copy_stack(done);
        self.assembly.here(done);
    }

    /// Sends off the memory at the stack pointer where there is room.
    fn copy_stack(&mut self, done: Label) {
        let code = &mut self.assembly;
        let (missed, whole, in_page, one_page) = (code.label(), code.label(), code.label(), code.label());
        let code = &mut self.assembly;
        code.store_number(Width::Four, STACK, super::KEY, NO_COPIES);
        look_up(code, &self.maps.counters, super::KEY, missed);
        code.load(Width::Eight, R1, R0, 0);
        code.jump_if(If::NotEqual, R1, 0, missed);
        self.load_ring();
        let code = &mut self.assembly;
        code.set(R2, BYTES_IN_RING);
        code.call(Helper::RingQuery);
        code.copy(R9, R0);
        self.load_ring();
        let code = &mut self.assembly;
        code.set(R2, BYTES_OF_RING);
        code.call(Helper::RingQuery);
        code.number(Do::ShiftRight, R0, FULL_SHIFT);
        code.jump_if_above(R9, R0, missed);
        code.store_number(Width::Eight, STACK, super::WIDE_KEY, SHORT_BYTES);
        code.number(Do::ShiftRight, R0, FILLING_SHIFT - FULL_SHIFT);
        code.jump_if_above(R9, R0, whole);
        code.store_number(Width::Eight, STACK, super::WIDE_KEY, i32::from(STACK_BYTES));
        code.here(whole);
        self.begin_record(Kind::Stack, None);
        for (number, place) in (0..).zip([StackKey::PROGRAM_COUNTER, StackKey::STACK_POINTER, StackKey::LINK])
        {
            self.assembly.load(Width::Eight, R1, STACK, STACK_KEY + place);
            self.argument(number, R1);
        }
        self.assembly.load(Width::Eight, R1, R6, self.layout.walk.frame_pointer);
        self.argument(3, R1);
        let code = &mut self.assembly;
        // To the end of the page, which is there, and as much of the next as is missing then.
        code.load(Width::Eight, R3, STACK, STACK_KEY + StackKey::STACK_POINTER);
        code.copy(R1, R3);
        code.number(Do::And, R1, PAGE_BYTES - 1);
        code.set(R2, PAGE_BYTES);
        code.with(Do::Subtract, R2, R1);
        code.load(Width::Eight, R1, STACK, super::WIDE_KEY);
        code.jump_if_above(R1, R2, in_page);
        code.copy(R2, R1);
        code.here(in_page);
        code.jump_if(If::Above, R2, PAGE_BYTES, missed);
        code.store(Width::Eight, STACK, super::KEPT, R2);
        code.copy(R1, R9);
        code.number(Do::Add, R1, i32::from(HEAD_BYTES));
        code.call(Helper::ReadUser);
        code.jump_if(If::NotEqual, R0, 0, missed);
        code.load(Width::Eight, R4, STACK, super::KEPT);
        code.jump_if(If::Above, R4, PAGE_BYTES, missed);
        code.store(Width::Two, R9, LENGTHS, R4);
        code.load(Width::Eight, R2, STACK, super::WIDE_KEY);
        code.with(Do::Subtract, R2, R4);
        code.jump_if(If::Above, R2, PAGE_BYTES, missed);
        code.load(Width::Eight, R3, STACK, STACK_KEY + StackKey::STACK_POINTER);
        code.with(Do::Add, R3, R4);
        code.copy(R1, R9);
        code.with(Do::Add, R1, R4);
        code.number(Do::Add, R1, i32::from(HEAD_BYTES));
        code.call(Helper::ReadUser);
        code.load(Width::Eight, R3, STACK, super::KEPT);
        code.jump_if(If::NotEqual, R0, 0, one_page);
        code.load(Width::Eight, R3, STACK, super::WIDE_KEY);
        code.store(Width::Two, R9, LENGTHS, R3);
        code.here(one_page);
        code.jump_if(If::Above, R3, PAGE_BYTES, missed);
        code.number(Do::Add, R3, i32::from(HEAD_BYTES));
        code.store(Width::Eight, STACK, super::KEPT, R3);
        self.load_ring();
        let code = &mut self.assembly;
        code.copy(R2, R9);
        code.load(Width::Eight, R3, STACK, super::KEPT);
        code.set(R4, NO_WAKEUP);
        code.call(Helper::RingOutput);
        code.jump_if(If::NotEqual, R0, 0, missed);
        code.set(R1, STACK_COPIED.cast_signed());
        code.store(Width::Eight, STACK, CALL_STACK, R1);
        code.jump(done);
        code.here(missed);
        self.count(COPIES_MISSED, 1);
    }
}

/// Reads as much of the stack as the one at hand needs into the room's end, where `R9` is
/// then.
fn read_words(code: &mut Assembly, maps: &Maps, walk: &WalkLayout, other: Label, missing: Label) {
    code.call(Helper::Processor);
    code.store(Width::Four, STACK, super::KEY, R0);
    look_up(code, &maps.rooms, super::KEY, missing);
    code.copy(R9, R0);
    code.load(Width::Eight, R1, STACK, super::KEPT);
    code.load(Width::Four, R2, R1, KnownStack::SPAN);
    code.jump_if(If::Above, R2, i32::from(STACK_BYTES), other);
    code.load(Width::Eight, R3, STACK, STACK_KEY + StackKey::STACK_POINTER);
    code.number(Do::Add, R9, SCRATCH);
    code.copy(R1, R9);
    code.call(Helper::ReadUser);
    code.jump_if(If::NotEqual, R0, 0, other);
    code.load(Width::Eight, R1, R6, walk.frame_pointer);
    code.store(Width::Eight, R9, FRAME_POINTER, R1);
}

/// Jumps unless the words are those of the stack at hand.
fn compare_words(code: &mut Assembly, other: Label) {
    let same = code.label();
    code.load(Width::Eight, R0, STACK, super::KEPT);
    code.load(Width::Four, R1, R0, KnownStack::COUNT);
    for word in 0..STACK_WORDS {
        code.jump_if(If::Equal, R1, i32::from(word), same);
        code.load(Width::Two, R2, R0, KnownStack::POSITIONS + 2 * word);
        // The verifier has to see that it stays in the room.
        code.number(Do::And, R2, i32::from(2 * STACK_BYTES) - 8);
        code.with(Do::Add, R2, R9);
        code.load(Width::Eight, R3, R2, 0);
        code.load(Width::Eight, R4, R0, KnownStack::WORDS + 8 * word);
        code.jump_if_other(R3, R4, other);
    }
    code.here(same);
}
