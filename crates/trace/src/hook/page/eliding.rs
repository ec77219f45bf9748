//! Calls that are answered from memory: what is known of descriptors and of earlier answers, and the code
//! that keeps it and asks it.
//!
//! A thread remembers what a call that is meant answered, under a number of all that the answer rests on:
//! the call, its path and arguments, and what its descriptor is. A descriptor is known from its `open` on, by
//! what that asked and by how often anything had changed then. The answer is given again as long as
//! nothing was changed that the program was seen to change (`repetition::EFFECTS`): each call that may
//! change files counts one up, each that may make a descriptor another one does so for all descriptors,
//! and so does the tracer for each call that it sees instead of this code (`Loss`).

mod remembering;

use super::super::knowledge;
use super::repeating::{SHAPES, count_in_window, probe, question};
use super::{ADDRESS, CALLS, KINDS, Marks, block, word};
use crate::call::Call;
use crate::repetition::{DESCRIPTORS, EFFECTS as CALL_EFFECTS, Effect, LASTING, PRIME};
use iced_x86::IcedError;
use iced_x86::code_asm::{
    CodeAssembler, CodeLabel, al, byte_ptr, cl, dl, dword_ptr, eax, ecx, edi, edx, ptr, qword_ptr, r8, r9,
    r9b, r9d, r10, r10b, r11, rax, rcx, rdi, rdx, rsi,
};

pub(super) use remembering::{after, after_what_was_known};

/// A byte for each call: what it does to what is known.
const EFFECTS: u64 = ADDRESS + 0x5000;

/// In that byte, and in the word of the call that is made.
const BY_ARGUMENTS: u32 = 1;
const ASKS: u32 = 2;
const OPENS: u32 = 4;
const FORGETS: u32 = 8;
const MOVES: u32 = 16;
const CHANGES: u32 = 32;
const SCRAMBLES: u32 = 64;
/// In the word alone: it sets flags; its answer rests on the position or on the flags.
const SETS: u32 = 0x100;
const ON_POSITION: u32 = 0x200;
const ON_FLAGS: u32 = 0x400;
/// It may make a file; and: it may, but the file is known to be there.
const CREATES: u32 = 0x800;
const FINDS: u32 = 0x1000;

/// In the word of a mode.
const COMPARED: i32 = 1;
const ANSWERED: i32 = 2;

/// What `O_TMPFILE` has and no other flag.
const O_TMPFILE_ALONE: i32 = 0o20_000_000;
const TCGETS: i32 = 0x5401;
/// What an open adds by itself, and how it was opened, nobody can set.
const SETTABLE: i32 = libc::O_APPEND | libc::O_NONBLOCK | libc::O_DIRECT | libc::O_ASYNC | libc::O_NOATIME;
/// Keys that differ in low bits alone are to stand apart.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

const COUNT_CHANGES: u64 = block::KNOWLEDGE + knowledge::CHANGES as u64;
const COUNT_SCRAMBLES: u64 = block::KNOWLEDGE + knowledge::SCRAMBLES as u64;
const SERIAL: u64 = block::KNOWLEDGE + knowledge::SERIAL as u64;
const ENTRIES: u64 = block::KNOWLEDGE + knowledge::DESCRIPTORS_AT as u64;

/// Labels of this code that others have to know.
#[derive(Clone, Copy)]
pub(super) struct Eliding {
    /// Between these two the program's memory is read and written, which may fault.
    pub(super) reading: CodeLabel,
    pub(super) answered: CodeLabel,
    /// From here on the call is made, whatever was known.
    pub(super) made: CodeLabel,
}

pub(super) fn put_effects(put: &mut impl FnMut(u64, &[u8])) {
    let everything = (CHANGES | SCRAMBLES).to_le_bytes()[0];
    (0..CALLS).for_each(|number| put(EFFECTS + u64::from(number.cast_unsigned()), &[everything]));
    for (name, effect) in CALL_EFFECTS {
        let Some(call) = Call::named(name).filter(|call| call.number < u64::from(CALLS.cast_unsigned()))
        else {
            continue;
        };
        let bits = match effect {
            Effect::None => 0,
            Effect::ByArguments => BY_ARGUMENTS,
            Effect::Changes => CHANGES,
            Effect::Forgets => FORGETS,
            Effect::Moves => MOVES,
            Effect::Writes => MOVES | CHANGES,
        };
        put(EFFECTS + call.number, &bits.to_le_bytes()[..1]);
    }
}

fn bits(bits: u32) -> i32 {
    bits.cast_signed()
}

fn argument(position: usize) -> usize {
    block::ARGUMENTS + position * 8
}

fn number(name: &str) -> i32 {
    Call::named(name).and_then(|call| i32::try_from(call.number).ok()).unwrap_or(-1)
}

/// `rdi` takes in a word; `r8` has the factor.
fn mix(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.imul_2(rdi, r8)
}

/// Before the call of the record at `r11`, which has its arguments. Where the answer is known and to be
/// given, it goes on behind the call; else the registers are the program's again, but `rax`, `rcx` and `r11`.
pub(super) fn before(a: &mut CodeAssembler, marks: &mut Marks) -> Result<(), IcedError> {
    let mut eliding =
        Eliding { reading: a.create_label(), answered: a.create_label(), made: a.create_label() };
    let made = eliding.made;
    for cleared in [block::KEY, block::ASKED, block::DESCRIPTOR, block::ANSWER, block::FOUND] {
        a.mov(word(cleared), 0)?;
    }
    a.mov(qword_ptr(r11 + block::PATH_BYTES), 0)?;
    a.mov(rax, word(block::NUMBER))?;
    a.movzx(ecx, byte_ptr(rax + EFFECTS))?;
    effect(a)?;
    a.mov(word(block::EFFECT), rcx)?;
    a.mov(rax, qword_ptr(COUNT_CHANGES))?;
    a.mov(word(block::CHANGES), rax)?;
    a.mov(rsi, qword_ptr(COUNT_SCRAMBLES))?;
    a.inc(rsi)?;
    a.mov(word(block::SCRAMBLES), rsi)?;
    a.cmp(word(block::ELIDES), 0)?;
    a.je(made)?;
    let (mut asks, mut moves) = (a.create_label(), a.create_label());
    a.test(ecx, bits(FORGETS | MOVES))?;
    a.jz(asks)?;
    entry_of_first(a, made)?;
    a.test(ecx, bits(MOVES))?;
    a.jnz(moves)?;
    a.mov(qword_ptr(rax + knowledge::SINCE), 0)?;
    a.jmp(made)?;
    a.set_label(&mut moves)?;
    // Until it has been made nobody knows where it stands; who else moves it meanwhile leaves another number.
    next_number(a)?;
    a.bts(rdx, knowledge::NOT_KNOWN_BIT)?;
    a.mov(word(block::ANSWER), rdx)?;
    a.xchg(qword_ptr(rax + knowledge::POSITION), rdx)?;
    a.mov(word(block::STANDING), rdx)?;
    a.jmp(made)?;
    a.set_label(&mut asks)?;
    a.test(ecx, bits(ASKS | OPENS))?;
    a.jz(made)?;
    a.zero_bytes()?;
    a.set_label(&mut eliding.reading)?;
    read_path(a, made)?;
    a.mov(rax, word(block::NUMBER))?;
    a.mov(rcx, qword_ptr(rax * 8 + SHAPES))?;
    a.test(rcx, rcx)?;
    a.jz(made)?;
    question(a)?;
    a.mov(word(block::ASKED), rdi)?;
    let (mut found, mut looked_up) = (a.create_label(), a.create_label());
    probe(a, found, looked_up)?;
    a.set_label(&mut found)?;
    a.mov(word(block::FOUND), bits(block::IS_MEANT))?;
    a.set_label(&mut looked_up)?;
    a.mov(rdi, word(block::ASKED))?;
    key(a, made)?;
    find_created(a, made)?;
    a.cmp(word(block::FOUND), 0)?;
    a.je(made)?;
    find(a, made)?;
    give(a, &mut eliding, marks.result_saved)?;
    a.set_label(&mut eliding.made)?;
    for (position, register) in [rdi, rsi, rdx, r10, r8, r9].into_iter().enumerate() {
        a.mov(register, qword_ptr(r11 + argument(position)))?;
    }
    marks.eliding = Some(eliding);
    Ok(())
}

/// `ecx` becomes the effect of the call whose number is in `rax`, where its arguments decide.
fn effect(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let (mut decided, mut control, mut device, mut seek, mut watch, mut flags) = (
        a.create_label(),
        a.create_label(),
        a.create_label(),
        a.create_label(),
        a.create_label(),
        a.create_label(),
    );
    a.test(ecx, bits(BY_ARGUMENTS))?;
    a.jz(decided)?;
    for (name, label) in [("fcntl", control), ("ioctl", device), ("lseek", seek), ("epoll_ctl", watch)] {
        a.cmp(eax, number(name))?;
        a.je(label)?;
    }
    a.mov(edx, dword_ptr(r11 + argument(1)))?;
    a.cmp(eax, number("open"))?;
    a.je(flags)?;
    a.mov(edx, dword_ptr(r11 + argument(2)))?;
    a.cmp(eax, number("openat"))?;
    a.je(flags)?;
    a.mov(ecx, bits(ASKS))?;
    a.jmp(decided)?;
    a.set_label(&mut flags)?;
    a.mov(ecx, bits(OPENS | ASKS))?;
    a.test(edx, libc::O_CREAT | libc::O_TRUNC | O_TMPFILE_ALONE)?;
    a.jz(decided)?;
    a.mov(ecx, bits(OPENS | CHANGES))?;
    a.test(edx, libc::O_EXCL | libc::O_TRUNC | O_TMPFILE_ALONE)?;
    a.jnz(decided)?;
    a.mov(ecx, bits(OPENS | CHANGES | CREATES))?;
    a.jmp(decided)?;
    a.set_label(&mut control)?;
    a.mov(edx, dword_ptr(r11 + argument(1)))?;
    for (command, effect) in
        [(libc::F_GETFD, ASKS), (libc::F_GETFL, ASKS | ON_FLAGS), (libc::F_SETFL, ASKS | ON_FLAGS | SETS)]
    {
        a.mov(ecx, bits(effect))?;
        a.cmp(edx, command)?;
        a.je(decided)?;
    }
    a.mov(ecx, bits(CHANGES | SCRAMBLES))?;
    a.jmp(decided)?;
    a.set_label(&mut device)?;
    a.mov(ecx, bits(ASKS))?;
    a.cmp(dword_ptr(r11 + argument(1)), TCGETS)?;
    a.je(decided)?;
    a.mov(ecx, bits(CHANGES | SCRAMBLES))?;
    a.jmp(decided)?;
    a.set_label(&mut seek)?;
    let mut moving = a.create_label();
    a.mov(ecx, bits(ASKS | ON_POSITION))?;
    a.cmp(dword_ptr(r11 + argument(2)), libc::SEEK_CUR)?;
    a.jne(moving)?;
    a.cmp(qword_ptr(r11 + argument(1)), 0)?;
    a.je(decided)?;
    a.set_label(&mut moving)?;
    a.mov(ecx, bits(MOVES))?;
    a.jmp(decided)?;
    a.set_label(&mut watch)?;
    a.mov(ecx, bits(ASKS))?;
    a.cmp(dword_ptr(r11 + argument(1)), libc::EPOLL_CTL_ADD)?;
    a.je(decided)?;
    a.mov(ecx, 0)?;
    a.set_label(&mut decided)?;
    a.zero_bytes()
}

/// `rax` becomes the entry of the first argument; on where that is no number that is followed.
fn entry_of_first(a: &mut CodeAssembler, otherwise: CodeLabel) -> Result<(), IcedError> {
    a.mov(eax, dword_ptr(r11 + argument(0)))?;
    entry(a, otherwise)
}

/// `rax` becomes the entry of the descriptor in `eax`.
fn entry(a: &mut CodeAssembler, otherwise: CodeLabel) -> Result<(), IcedError> {
    a.cmp(eax, DESCRIPTORS)?;
    a.jae(otherwise)?;
    a.shl(rax, knowledge::ENTRY_BITS)?;
    a.lea(rax, ptr(rax + ENTRIES))
}

/// `rdx` becomes a number that no other call gets, and that is not 0.
fn next_number(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.mov(rdx, 1_u64)?;
    a.lock().xadd(qword_ptr(SERIAL), rdx)?;
    a.inc(rdx)
}

/// Copies the call's path to where it will be in the record.
fn read_path(a: &mut CodeAssembler, made: CodeLabel) -> Result<(), IcedError> {
    let (mut next, mut done, mut none) = (a.create_label(), a.create_label(), a.create_label());
    a.mov(rdx, word(block::NUMBER))?;
    a.mov(rdx, qword_ptr(rdx * 8 + KINDS))?;
    a.shr(rdx, 8)?;
    a.movzx(eax, dl)?;
    a.test(eax, eax)?;
    a.jz(none)?;
    a.mov(rsi, qword_ptr(r11 + rax))?;
    a.test(rsi, rsi)?;
    a.jz(made)?;
    a.mov(edi, 0)?;
    a.set_label(&mut next)?;
    a.mov(al, byte_ptr(rsi + rdi))?;
    a.mov(byte_ptr(r11 + rdi + block::HEADER_BYTES), al)?;
    a.inc(rdi)?;
    a.test(al, al)?;
    a.jz(done)?;
    a.cmp(rdi, 4096)?;
    a.jb(next)?;
    a.jmp(made)?;
    a.set_label(&mut done)?;
    a.mov(dword_ptr(r11 + block::PATH_BYTES), edi)?;
    a.set_label(&mut none)?;
    a.zero_bytes()
}

/// The question in `rdi` becomes the number of all that the answer rests on, and is kept.
fn key(a: &mut CodeAssembler, made: CodeLabel) -> Result<(), IcedError> {
    let (mut no_descriptor, mut on_flags, mut standing, mut extra) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label());
    a.mov(rax, word(block::NUMBER))?;
    a.mov(rcx, qword_ptr(rax * 8 + SHAPES))?;
    a.movzx(eax, cl)?;
    a.test(eax, eax)?;
    a.jz(no_descriptor)?;
    a.mov(eax, dword_ptr(r11 + rax))?;
    let mut is_descriptor = a.create_label();
    a.cmp(dword_ptr(r11 + block::PATH_BYTES), 1)?;
    a.jbe(is_descriptor)?;
    a.cmp(eax, libc::AT_FDCWD)?;
    a.je(no_descriptor)?;
    a.set_label(&mut is_descriptor)?;
    entry(a, made)?;
    a.mov(rdx, word(block::SCRAMBLES))?;
    a.cmp(qword_ptr(rax + knowledge::SINCE), rdx)?;
    a.jne(made)?;
    a.mov(word(block::DESCRIPTOR), rax)?;
    a.xor(rdi, qword_ptr(rax + knowledge::OPENED))?;
    mix(a)?;
    a.test(dword_ptr(block::EFFECT as u64).gs(), bits(ON_FLAGS))?;
    a.jnz(on_flags)?;
    a.test(dword_ptr(block::EFFECT as u64).gs(), bits(ON_POSITION))?;
    a.jz(no_descriptor)?;
    a.mov(rdx, qword_ptr(rax + knowledge::POSITION))?;
    a.jmp(standing)?;
    a.set_label(&mut on_flags)?;
    a.mov(rdx, qword_ptr(rax + knowledge::FLAGS))?;
    a.set_label(&mut standing)?;
    a.mov(word(block::STANDING), rdx)?;
    a.xor(rdi, rdx)?;
    mix(a)?;
    a.set_label(&mut no_descriptor)?;
    a.shr(rcx, 40)?;
    for last in [false, true] {
        a.movzx(eax, cl)?;
        a.test(eax, eax)?;
        a.jz(extra)?;
        a.xor(rdi, qword_ptr(r11 + rax))?;
        mix(a)?;
        if !last {
            a.shr(rcx, 8)?;
        }
    }
    a.set_label(&mut extra)?;
    a.or(rdi, 1)?;
    a.mov(word(block::KEY), rdi)
}

/// An open that may make a file makes none where the same open found or made it before and nothing was
/// changed since: then it changes nothing.
fn find_created(a: &mut CodeAssembler, made: CodeLabel) -> Result<(), IcedError> {
    let mut not = a.create_label();
    a.test(dword_ptr(block::EFFECT as u64).gs(), bits(CREATES))?;
    a.jz(not)?;
    look_up(a, made)?;
    a.mov(word(block::ANSWER), 0)?;
    a.mov(word(block::EFFECT), bits(OPENS | FINDS))?;
    a.jmp(made)?;
    a.set_label(&mut not)?;
    a.zero_bytes()
}

/// Goes on where the answer is known: `rax` is where it stands, or 0 of flags that are set already.
fn find(a: &mut CodeAssembler, made: CodeLabel) -> Result<(), IcedError> {
    let (mut by_answer, mut known) = (a.create_label(), a.create_label());
    a.mov(rcx, word(block::EFFECT))?;
    a.test(ecx, bits(ASKS))?;
    a.jz(made)?;
    a.test(ecx, bits(SETS))?;
    a.jz(by_answer)?;
    a.mov(rax, word(block::DESCRIPTOR))?;
    flags_number(a, argument(2))?;
    a.cmp(rdi, qword_ptr(rax + knowledge::FLAGS))?;
    a.mov(rax, 0_u64)?;
    a.je(known)?;
    a.mov(rax, word(block::DESCRIPTOR))?;
    next_number(a)?;
    a.mov(qword_ptr(rax + knowledge::FLAGS), rdx)?;
    a.jmp(made)?;
    a.set_label(&mut by_answer)?;
    look_up(a, made)?;
    a.set_label(&mut known)?;
    a.mov(word(block::FOUND), bits(block::IS_MEANT | block::IS_KNOWN))
}

/// `rax` becomes where the answer is remembered, and goes on where it is one that holds still.
fn look_up(a: &mut CodeAssembler, made: CodeLabel) -> Result<(), IcedError> {
    /// So many places are looked at.
    const PLACES: i32 = 8;
    let (mut next, mut there, mut free, mut taken) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label());
    a.mov(rdi, word(block::KEY))?;
    a.mov(r9, rdi)?;
    a.shr(r9, 32)?;
    a.xor(r9, rdi)?;
    a.mov(r8, SPREAD)?;
    a.imul_2(r9, r8)?;
    a.mov(rcx, word(block::ANSWERS_SHIFT))?;
    a.shr(r9, cl)?;
    a.mov(rsi, word(block::CHANGES))?;
    a.mov(ecx, PLACES)?;
    a.set_label(&mut next)?;
    a.mov(rax, r9)?;
    a.shl(rax, knowledge::ANSWER_SIZE_BITS)?;
    a.add(rax, word(block::ANSWERS))?;
    a.cmp(rdi, qword_ptr(rax + knowledge::KEY))?;
    a.je(there)?;
    // The last that holds no more is free; where all do, the last place is. Before anything changes, what was
    // never used is as old as what holds.
    a.cmp(qword_ptr(rax + knowledge::KEY), 0)?;
    a.je(free)?;
    a.cmp(rsi, qword_ptr(rax + knowledge::WHEN))?;
    a.je(taken)?;
    a.set_label(&mut free)?;
    a.mov(word(block::ANSWER), rax)?;
    a.set_label(&mut taken)?;
    a.inc(r9d)?;
    a.and(r9d, dword_ptr(block::ANSWERS_MASK as u64).gs())?;
    a.dec(ecx)?;
    a.jnz(next)?;
    a.cmp(word(block::ANSWER), 0)?;
    a.jne(made)?;
    a.mov(word(block::ANSWER), rax)?;
    a.jmp(made)?;
    a.set_label(&mut there)?;
    a.mov(word(block::ANSWER), rax)?;
    a.cmp(rsi, qword_ptr(rax + knowledge::WHEN))?;
    a.jne(made)
}

/// `rdi` becomes the number of flags, which stand in the record at `r11`, of the descriptor of the entry in
/// `rax`. It is not 0.
fn flags_number(a: &mut CodeAssembler, at: usize) -> Result<(), IcedError> {
    a.mov(rdi, qword_ptr(rax + knowledge::OPENED))?;
    a.mov(r8, PRIME)?;
    a.mov(edx, dword_ptr(r11 + at))?;
    a.and(edx, SETTABLE)?;
    a.inc(edx)?;
    a.xor(rdi, rdx)?;
    mix(a)?;
    a.or(rdi, 1)
}

/// Answers, where that is asked for: the answer stands at `rax`. It goes on behind the call, so that all that
/// follows one that was made follows this, too. Where the call is to be made the answer is copied as well, to
/// where the record will have the kernel's: what is compared differs by the call and by nothing of ours.
fn give(a: &mut CodeAssembler, eliding: &mut Eliding, result_saved: CodeLabel) -> Result<(), IcedError> {
    let (mut words, mut rest, mut nothing) = (a.create_label(), a.create_label(), a.create_label());
    a.cmp(word(block::ARM), COMPARED)?;
    a.je(eliding.made)?;
    a.mov(r8, 0_u64)?;
    a.test(rax, rax)?;
    a.jz(nothing)?;
    a.mov(r8, qword_ptr(rax + knowledge::RESULT))?;
    a.mov(rcx, qword_ptr(rax + knowledge::LENGTH))?;
    a.test(rcx, rcx)?;
    a.jz(nothing)?;
    a.mov(edx, dword_ptr(r11 + block::PATH_BYTES))?;
    a.add(edx, 7)?;
    a.and(edx, -8)?;
    a.lea(rdx, ptr(r11 + rdx + block::HEADER_BYTES))?;
    a.mov(r9, word(block::NUMBER))?;
    a.mov(r9, qword_ptr(r9 * 8 + KINDS))?;
    a.shr(r9, 24)?;
    a.movzx(r9d, r9b)?;
    a.mov(rdi, qword_ptr(r11 + r9))?;
    a.cmp(word(block::ARM), ANSWERED)?;
    a.cmovne(rdi, rdx)?;
    a.lea(rsi, ptr(rax + knowledge::LEFT))?;
    a.set_label(&mut words)?;
    a.cmp(rcx, 8)?;
    a.jb(rest)?;
    a.mov(r10, qword_ptr(rsi))?;
    a.mov(qword_ptr(rdi), r10)?;
    for moved in [rsi, rdi] {
        a.add(moved, 8)?;
    }
    a.sub(rcx, 8)?;
    a.jmp(words)?;
    a.set_label(&mut rest)?;
    a.test(rcx, rcx)?;
    a.jz(nothing)?;
    a.mov(r10b, byte_ptr(rsi))?;
    a.mov(byte_ptr(rdi), r10b)?;
    for moved in [rsi, rdi] {
        a.inc(moved)?;
    }
    a.dec(rcx)?;
    a.jmp(rest)?;
    a.set_label(&mut nothing)?;
    a.zero_bytes()?;
    a.set_label(&mut eliding.answered)?;
    a.cmp(word(block::ARM), ANSWERED)?;
    a.jne(eliding.made)?;
    a.mov(rax, r8)?;
    a.mov(word(block::RESULT), rax)?;
    a.mov(word(block::STATE), r11)?;
    // A call leaves the flags in r11, of which nobody reads these.
    a.mov(r11, 0x202_u64)?;
    a.jmp(result_saved)
}
