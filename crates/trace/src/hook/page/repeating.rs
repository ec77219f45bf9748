//! Calls that are made again, or slept behind: the table of questions, and the code that asks it.

use super::{ADDRESS, CALLS, Marks, block, word};
use crate::call::Call;
use crate::repetition::{
    DESCRIPTORS, Elision, PRIME, Repetition, SEED, SHAPES as CALL_SHAPES, Shape, Treatment,
};
use iced_x86::IcedError;
use iced_x86::code_asm::{
    CodeAssembler, CodeLabel, byte_ptr, cl, dword_ptr, eax, edi, ptr, qword_ptr, r8, r9, r9d, r10, r11, rax,
    rcx, rdi, rdx, rsi,
};

/// What is done, as each block says it (`block::ARM`), where known answers are given.
pub(in crate::hook) const ANSWERED: u64 = 2;

/// Where there are calls to be made again: for how long to sleep (two words), what is in the question of each call,
/// and the questions that are meant.
const DELAY: u64 = ADDRESS + 0x2010;
pub(super) const SHAPES: u64 = ADDRESS + 0x4000;
const QUESTIONS: u64 = ADDRESS + 0x1_0000;
/// So many words are for questions, 2 to the power of this: half of them may be taken.
const QUESTION_BITS: u32 = 14;
const QUESTION_SLOTS: u32 = 1 << QUESTION_BITS;
/// The page with them.
pub(super) const BYTES: usize = 0x1_0000 + 8 * QUESTION_SLOTS as usize;
/// In the word of a shape: it makes a descriptor.
const OPENS_BIT: u32 = 33;

/// Calls by number with what is in their question.
pub(in crate::hook) fn shapes() -> impl Iterator<Item = (u32, Shape)> {
    CALL_SHAPES
        .iter()
        .filter_map(|(name, shape)| Some((u32::try_from(Call::named(name)?.number).ok()?, *shape)))
}

pub(super) fn put_repetition(put: &mut impl FnMut(u64, &[u8]), repetition: &Repetition) {
    if let Treatment::Delayed(delay) = repetition.treatment {
        put(DELAY, &delay.as_secs().to_le_bytes());
        put(DELAY + 8, &u64::from(delay.subsec_nanos()).to_le_bytes());
    }
    for (number, shape) in shapes().filter(|(number, _)| i64::from(*number) < i64::from(CALLS)) {
        put(SHAPES + u64::from(number) * 8, &shape_word(shape).to_le_bytes());
    }
    let mut taken = std::collections::HashSet::new();
    for question in repetition.questions.iter().map(|question| question.0) {
        let first = question >> (u64::BITS - QUESTION_BITS);
        let slots = u64::from(QUESTION_SLOTS);
        let slot = (0..slots).map(|step| (first + step) % slots).find(|slot| taken.insert(*slot));
        let slot = slot.expect("no more than half of the slots are taken");
        put(QUESTIONS + slot * 8, &question.to_le_bytes());
    }
}

/// What is done at the calls that are meant, as the code reads it (`block::ARM`): how often they are made again.
pub(super) fn arm(treatment: Treatment) -> u64 {
    match treatment {
        Treatment::Again(times) => u64::from(times),
        Treatment::Delayed(delay) => u64::from(!delay.is_zero()),
        Treatment::Elided(Elision::Made) => 0,
        Treatment::Elided(Elision::Compared) => 1,
        Treatment::Elided(Elision::Answered) => ANSWERED,
    }
}

/// A shape as the code reads it: the places of a descriptor and of two more arguments in the record
/// (0: none), whether there is a path, two bits: there is a question; it makes a descriptor; and the places
/// of two arguments that the answer rests on.
fn shape_word(shape: Shape) -> u64 {
    let place =
        |position: Option<usize>| position.map_or(0, |position| (block::ARGUMENTS + position * 8) as u64);
    place(shape.descriptor)
        | (place(shape.wide) << 8)
        | (place(shape.narrow) << 16)
        | (u64::from(shape.path) << 24)
        | (1 << 32)
        | (u64::from(shape.opens) << OPENS_BIT)
        | (place(shape.extra[0]) << 40)
        | (place(shape.extra[1]) << 48)
}

/// Asks whether the call whose record is written is meant, and makes it again or sleeps. It keeps
/// `r11` and `rdx`; all arguments are in the record.
pub(super) fn treat(a: &mut CodeAssembler, marks: &mut Marks, treatment: Treatment) -> Result<(), IcedError> {
    let in_windows = marks.in_windows;
    let (mut done, mut over, mut found) = (a.create_label(), a.create_label(), a.create_label());
    a.mov(word(block::RECORD_END), rdx)?;
    a.mov(rax, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.mov(rcx, qword_ptr(rax * 8 + SHAPES))?;
    a.test(rcx, rcx)?;
    a.jz(done)?;
    question(a)?;
    // What an open made is known by what it asked.
    let mut known = a.create_label();
    a.mov(rcx, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.mov(rcx, qword_ptr(rcx * 8 + SHAPES))?;
    a.bt(rcx, OPENS_BIT)?;
    a.jnc(known)?;
    a.mov(rax, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.cmp(rax, DESCRIPTORS)?;
    a.jae(known)?;
    a.mov(qword_ptr(rax * 8 + block::OPENED).gs(), rdi)?;
    a.set_label(&mut known)?;
    probe(a, found, done)?;
    a.set_label(&mut found)?;
    a.mov(dword_ptr(r11 + block::TREATED), 1)?;
    a.rdtsc()?;
    a.shl(rdx, 32)?;
    a.or(rax, rdx)?;
    a.mov(word(block::AGAIN_SINCE), rax)?;
    if in_windows {
        count_in_window(a)?;
    }
    a.mov(rax, word(block::ARM))?;
    a.mov(word(block::AGAIN), rax)?;
    let mut turn = a.create_label();
    a.set_label(&mut turn)?;
    a.cmp(word(block::AGAIN), 0)?;
    a.je(over)?;
    a.dec(word(block::AGAIN))?;
    match treatment {
        Treatment::Delayed(_) => {
            a.mov(edi, i32::try_from(DELAY).unwrap_or(0))?;
            a.mov(rsi, 0_u64)?;
            a.mov(eax, i32::try_from(libc::SYS_nanosleep).unwrap_or(0))?;
            a.syscall()?;
            a.mov(r11, word(block::STATE))?;
            a.inc(dword_ptr(r11 + block::TIMES))?;
            a.jmp(turn)?;
        }
        Treatment::Again(_) | Treatment::Elided(_) => make_again(a, marks, turn)?,
    }
    a.set_label(&mut over)?;
    a.rdtsc()?;
    a.shl(rdx, 32)?;
    a.or(rax, rdx)?;
    a.sub(rax, word(block::AGAIN_SINCE))?;
    a.mov(qword_ptr(r11 + block::TREATED_TICKS), rax)?;
    a.set_label(&mut done)?;
    a.mov(rdx, word(block::RECORD_END))
}

/// Counts a call of a window; after the last one no record has room, so that the thread's next call stops.
pub(super) fn count_in_window(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let mut more = a.create_label();
    a.dec(word(block::CALLS_LEFT))?;
    // Also where a signal came before the last one could say so.
    a.jg(more)?;
    a.mov(word(block::LIMIT), 0)?;
    a.set_label(&mut more)?;
    a.zero_bytes()
}

/// Whether the question in `rdi` is one that is meant.
pub(super) fn probe(a: &mut CodeAssembler, found: CodeLabel, otherwise: CodeLabel) -> Result<(), IcedError> {
    let mut next = a.create_label();
    a.mov(rax, rdi)?;
    a.shr(rax, u64::BITS - QUESTION_BITS)?;
    a.set_label(&mut next)?;
    a.mov(rsi, qword_ptr(rax * 8 + QUESTIONS))?;
    a.test(rsi, rsi)?;
    a.jz(otherwise)?;
    a.cmp(rsi, rdi)?;
    a.je(found)?;
    a.inc(eax)?;
    a.and(eax, (QUESTION_SLOTS - 1).cast_signed())?;
    a.jmp(next)
}

/// `rdi` becomes what the call asks: its number is in `rax`, its shape in `rcx`. The same as
/// [`crate::repetition::Questions`] computes of its event.
pub(super) fn question(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let (mut by_number, mut mixed) = (a.create_label(), a.create_label());
    let (mut no_descriptor, mut no_wide, mut no_narrow, mut asked, mut next) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label(), a.create_label());
    a.mov(rdi, SEED)?;
    a.mov(r8, PRIME)?;
    a.xor(rdi, rax)?;
    a.imul_2(rdi, r8)?;
    a.movzx(eax, cl)?;
    a.test(eax, eax)?;
    a.jz(no_descriptor)?;
    a.mov(eax, dword_ptr(r11 + rax))?;
    // Without a path, or with an empty one.
    a.cmp(dword_ptr(r11 + block::PATH_BYTES), 1)?;
    a.ja(by_number)?;
    a.cmp(eax, DESCRIPTORS)?;
    a.jae(by_number)?;
    a.mov(rax, qword_ptr(rax * 8 + block::OPENED).gs())?;
    a.jmp(mixed)?;
    a.set_label(&mut by_number)?;
    a.zero_bytes()?;
    a.set_label(&mut mixed)?;
    a.xor(rdi, rax)?;
    a.imul_2(rdi, r8)?;
    a.set_label(&mut no_descriptor)?;
    a.shr(rcx, 8)?;
    a.movzx(eax, cl)?;
    a.test(eax, eax)?;
    a.jz(no_wide)?;
    a.mov(rax, qword_ptr(r11 + rax))?;
    a.xor(rdi, rax)?;
    a.imul_2(rdi, r8)?;
    a.set_label(&mut no_wide)?;
    a.shr(rcx, 8)?;
    a.movzx(eax, cl)?;
    a.test(eax, eax)?;
    a.jz(no_narrow)?;
    a.mov(eax, dword_ptr(r11 + rax))?;
    a.xor(rdi, rax)?;
    a.imul_2(rdi, r8)?;
    a.set_label(&mut no_narrow)?;
    a.shr(rcx, 8)?;
    a.test(cl, 1)?;
    a.jz(asked)?;
    a.mov(r9d, dword_ptr(r11 + block::PATH_BYTES))?;
    a.lea(rsi, ptr(r11 + block::HEADER_BYTES))?;
    a.test(r9, r9)?;
    a.jz(asked)?;
    a.set_label(&mut next)?;
    a.movzx(eax, byte_ptr(rsi))?;
    a.xor(rdi, rax)?;
    a.imul_2(rdi, r8)?;
    a.inc(rsi)?;
    a.dec(r9)?;
    a.jnz(next)?;
    a.set_label(&mut asked)?;
    a.zero_bytes()
}

/// Makes the call of the record once more, and closes what that opened.
fn make_again(a: &mut CodeAssembler, marks: &mut Marks, turn: CodeLabel) -> Result<(), IcedError> {
    let (mut again, mut made, mut closed) = (a.create_label(), a.create_label(), a.create_label());
    for (position, register) in [rdi, rsi, rdx, r10, r8, r9].into_iter().enumerate() {
        a.mov(register, qword_ptr(r11 + block::ARGUMENTS + position * 8))?;
    }
    a.mov(rax, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.inc(dword_ptr(r11 + block::TIMES))?;
    a.set_label(&mut made)?;
    a.syscall()?;
    a.set_label(&mut again)?;
    a.mov(r11, word(block::STATE))?;
    a.cmp(word(block::CLOSING), 0)?;
    a.jne(closed)?;
    a.mov(rcx, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.mov(rcx, qword_ptr(rcx * 8 + SHAPES))?;
    a.bt(rcx, OPENS_BIT)?;
    a.jnc(turn)?;
    a.test(rax, rax)?;
    a.js(turn)?;
    a.mov(word(block::CLOSING), 1)?;
    a.mov(rdi, rax)?;
    a.mov(eax, i32::try_from(libc::SYS_close).unwrap_or(0))?;
    a.jmp(made)?;
    a.set_label(&mut closed)?;
    a.mov(word(block::CLOSING), 0)?;
    marks.again = Some((again, closed));
    a.jmp(turn)
}
