//! A small assembler for programs of the kernel's virtual machine: registers, typed
//! instructions, labels. It knows no more of the machine than our programs need, and
//! checks nothing that the kernel's verifier checks.

use fathom_sys::bpf::{Instruction, Map};
use std::collections::HashMap;

/// A register. `R0` has results, `R1` to `R5` have arguments and are lost at calls, `R6`
/// to `R9` are kept, `STACK` is the end of 512 bytes of stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Register(u8);

pub(super) const R0: Register = Register(0);
pub(super) const R1: Register = Register(1);
pub(super) const R2: Register = Register(2);
pub(super) const R3: Register = Register(3);
pub(super) const R4: Register = Register(4);
pub(super) const R6: Register = Register(6);
pub(super) const R7: Register = Register(7);
pub(super) const R8: Register = Register(8);
pub(super) const R9: Register = Register(9);
pub(super) const STACK: Register = Register(10);

/// How many bytes a load or store moves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Width {
    One = 0x10,
    Two = 0x08,
    Four = 0x00,
    Eight = 0x18,
}

/// What is done with two numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Do {
    Add = 0x00,
    Subtract = 0x10,
    Multiply = 0x20,
    And = 0x50,
    ShiftLeft = 0x60,
    ShiftRight = 0x70,
    Xor = 0xa0,
    Move = 0xb0,
    ShiftRightSigned = 0xc0,
}

/// When a jump is taken; `Signed` compares as signed numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum If {
    Equal = 0x10,
    Above = 0x20,
    NotEqual = 0x50,
    SignedBelow = 0xc0,
    SignedNotAbove = 0xd0,
}

/// A function of the kernel's, by its number in `enum bpf_func_id`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Helper {
    MapLookUp = 1,
    MapUpdate = 2,
    Time = 5,
    Processor = 8,
    ThreadAndProcess = 14,
    CurrentUnderCgroup = 37,
    ReadUser = 112,
    SendSignalToThread = 117,
    ReadKernel = 113,
    ReadUserText = 114,
    ReadKernelText = 115,
    RingOutput = 130,
    RingQuery = 134,
    CurrentTask = 158,
    RegistersOfTask = 175,
}

/// What an atomic operation does to a word; all give back what was there.
#[derive(Debug, Clone, Copy)]
pub(super) enum Atomic {
    Add = 0x00,
    Or = 0x40,
    And = 0x50,
}

/// A place to jump to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Label(usize);

/// A program that is being written.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    code: Vec<Instruction>,
    labels: usize,
    places: HashMap<Label, usize>,
    jumps: Vec<(usize, Label)>,
}

const OF_REGISTER: u8 = 0x08;
const WIDE: u8 = 0x07;
const JUMP: u8 = 0x05;
const LOAD: u8 = 0x61;
const STORE: u8 = 0x63;
const STORE_NUMBER: u8 = 0x62;
const ATOMIC: u8 = 0xdb;
const FETCH: i32 = 1;
const CALL: u8 = 0x85;
const EXIT: u8 = 0x95;
/// In the source register of a call: the number is that of a type.
const BY_TYPE: Register = Register(2);
/// A jump with no condition.
const ALWAYS: u8 = 0x00;

impl Assembly {
    /// A label that is nowhere yet.
    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    /// Puts a label here.
    pub(super) fn here(&mut self, label: Label) {
        self.places.insert(label, self.code.len());
    }

    /// `to` and a number.
    pub(super) fn number(&mut self, what: Do, to: Register, number: i32) {
        self.push(WIDE | what as u8, to, Register(0), 0, number);
    }

    /// `to` and another register.
    pub(super) fn with(&mut self, what: Do, to: Register, from: Register) {
        self.push(WIDE | OF_REGISTER | what as u8, to, from, 0, 0);
    }

    /// Copies a register.
    pub(super) fn copy(&mut self, to: Register, from: Register) {
        self.with(Do::Move, to, from);
    }

    /// Copies the lower half of a register; the upper half is 0 then.
    pub(super) fn copy_low(&mut self, to: Register, from: Register) {
        self.push(0xbc, to, from, 0, 0);
    }

    /// Loads a number.
    pub(super) fn set(&mut self, to: Register, number: i32) {
        self.number(Do::Move, to, number);
    }

    /// Loads a map's address.
    pub(super) fn map(&mut self, to: Register, map: &Map) {
        self.code.extend(Instruction::map(to.0, map));
    }

    /// Loads from the address in a register and so many bytes on.
    pub(super) fn load(&mut self, width: Width, to: Register, from: Register, offset: i16) {
        self.push(LOAD | width as u8, to, from, offset, 0);
    }

    /// Stores at the address in a register and so many bytes on.
    pub(super) fn store(&mut self, width: Width, at: Register, offset: i16, from: Register) {
        self.push(STORE | width as u8, at, from, offset, 0);
    }

    /// Stores a number there.
    pub(super) fn store_number(&mut self, width: Width, at: Register, offset: i16, number: i32) {
        self.push(STORE_NUMBER | width as u8, at, Register(0), offset, number);
    }

    /// Changes the word at an address by `operand`, which then has what was there.
    pub(super) fn atomic(&mut self, what: Atomic, at: Register, operand: Register) {
        self.push(ATOMIC, at, operand, 0, what as i32 | FETCH);
    }

    /// Calls a function of the kernel's.
    pub(super) fn call(&mut self, helper: Helper) {
        self.push(CALL, Register(0), Register(0), 0, helper as i32);
    }

    /// Calls one by the number of its type, where the kernel has it for programs (a kfunc).
    pub(super) fn call_by_type(&mut self, function: i32) {
        self.push(CALL, Register(0), BY_TYPE, 0, function);
    }

    /// Jumps if a register compares so with a number.
    pub(super) fn jump_if(&mut self, what: If, register: Register, number: i32, to: Label) {
        self.jumps.push((self.code.len(), to));
        self.push(JUMP | what as u8, register, Register(0), 0, number);
    }

    /// Jumps if two registers differ.
    pub(super) fn jump_if_other(&mut self, one: Register, other: Register, to: Label) {
        self.jumps.push((self.code.len(), to));
        self.push(JUMP | OF_REGISTER | If::NotEqual as u8, one, other, 0, 0);
    }

    /// Jumps if two registers are equal.
    pub(super) fn jump_if_same(&mut self, one: Register, other: Register, to: Label) {
        self.jumps.push((self.code.len(), to));
        self.push(JUMP | OF_REGISTER | If::Equal as u8, one, other, 0, 0);
    }

    /// Jumps if a register has a larger number than another.
    pub(super) fn jump_if_above(&mut self, one: Register, other: Register, to: Label) {
        self.jumps.push((self.code.len(), to));
        self.push(JUMP | OF_REGISTER | If::Above as u8, one, other, 0, 0);
    }

    /// Jumps.
    pub(super) fn jump(&mut self, to: Label) {
        self.jumps.push((self.code.len(), to));
        self.push(JUMP | ALWAYS, Register(0), Register(0), 0, 0);
    }

    /// Ends the program with the result 0.
    pub(super) fn end(&mut self) {
        self.set(R0, 0);
        self.push(EXIT, Register(0), Register(0), 0, 0);
    }

    /// The program, with its jumps resolved.
    pub(super) fn finish(mut self) -> Vec<Instruction> {
        for (at, label) in self.jumps {
            let place = *self.places.get(&label).expect("every label that is jumped to was put somewhere");
            let distance = i64::try_from(place).unwrap_or(i64::MAX) - i64::try_from(at).unwrap_or(0) - 1;
            let distance = i16::try_from(distance).expect("our programs are shorter than a jump reaches");
            self.code[at] = self.code[at].with_offset(distance);
        }
        self.code
    }

    fn push(&mut self, code: u8, destination: Register, source: Register, offset: i16, immediate: i32) {
        self.code.push(Instruction::new(code, destination.0, source.0, offset, immediate));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_reach_their_labels_forward_and_back() {
        let mut assembly = Assembly::default();
        let (again, out) = (assembly.label(), assembly.label());
        assembly.set(R1, 3);
        assembly.here(again);
        assembly.jump_if(If::Equal, R1, 0, out);
        assembly.number(Do::Subtract, R1, 1);
        assembly.jump(again);
        assembly.here(out);
        assembly.end();
        let code = assembly.finish();
        assert_eq!(code[1], Instruction::new(0x15, 1, 0, 2, 0), "if r1 == 0 goto +2");
        assert_eq!(code[3], Instruction::new(0x05, 0, 0, -3, 0), "goto -3");
        assert_eq!(code.len(), 6);
    }

    #[test]
    fn instructions_have_the_codes_of_the_headers() {
        let mut assembly = Assembly::default();
        assembly.copy(R6, R1);
        assembly.load(Width::Eight, R2, R6, 8);
        assembly.store(Width::Four, STACK, -4, R2);
        assembly.store_number(Width::Eight, STACK, -16, 7);
        assembly.atomic(Atomic::Or, R0, R2);
        assembly.number(Do::ShiftRight, R2, 6);
        assembly.call(Helper::Time);
        assembly.call_by_type(77);
        let expected = [
            Instruction::new(0xbf, 6, 1, 0, 0),
            Instruction::new(0x79, 2, 6, 8, 0),
            Instruction::new(0x63, 10, 2, -4, 0),
            Instruction::new(0x7a, 10, 0, -16, 7),
            Instruction::new(0xdb, 0, 2, 0, 0x41),
            Instruction::new(0x77, 2, 0, 0, 6),
            Instruction::new(0x85, 0, 0, 0, 5),
            Instruction::new(0x85, 0, 2, 0, 77),
        ];
        assert_eq!(assembly.finish(), expected);
    }
}
