//! The machine code of the hook and the tables it reads: one page for all processes, at one
//! address, so that the filter knows the one instruction there whose calls pass.
//!
//! The code uses no stack, and no register but those that a call leaves undefined (`rcx`, `r11`)
//! until the call's arguments are in its record, from which it gives them back. It restores the
//! flags before the call and after it.

use super::block;
use crate::hooking::{Copied, Length};
use crate::repetition::{self, DESCRIPTORS, PRIME, Repetition, SEED, Shape, Treatment};
use iced_x86::code_asm::{
    AsmMemoryOperand, CodeAssembler, CodeLabel, al, byte_ptr, ch, cl, dword_ptr, eax, ecx, edi, ptr,
    qword_ptr, r8, r9, r9d, r10, r11, rax, rcx, rdi, rdx, rsi,
};
use iced_x86::{BlockEncoderOptions, IcedError};

/// Where the page stands in every process: below the shadow of sanitizers and above programs
/// that are linked to a fixed address.
pub(super) const ADDRESS: u64 = 0x7000_0000;
/// The page with its tables.
pub(super) const BYTES: usize = 0x4000;
/// Where a trampoline's jump reads the address of [`Labels::entry`].
pub(super) const ENTRY_POINTER: u64 = ADDRESS + 0x1ff8;
const KINDS: u64 = ADDRESS + 0x1000;
/// Not 0 where no call is to be hooked any more.
pub(super) const OFF_OFFSET: usize = 0x2000;
const OFF: u64 = ADDRESS + 0x2000;
/// A byte for each errno: 1 where the kernel has read the call's paths before it failed so.
const ERRNOS: u64 = ADDRESS + 0x3000;
/// Where there are calls to be made again: how often, for how long to sleep (two words), what is in
/// the question of each call, and the questions that are meant.
const AGAIN: u64 = ADDRESS + 0x2008;
const DELAY: u64 = ADDRESS + 0x2010;
const SHAPES: u64 = ADDRESS + 0x4000;
const QUESTIONS: u64 = ADDRESS + 0x1_0000;
/// So many words are for questions, 2 to the power of this: half of them may be taken.
const QUESTION_BITS: u32 = 14;
const QUESTION_SLOTS: u32 = 1 << QUESTION_BITS;
/// The page with them.
const LONG_BYTES: usize = 0x1_0000 + 8 * QUESTION_SLOTS as usize;
/// In the word of a shape: it makes a descriptor.
const OPENS_BIT: u32 = 33;
/// Calls with a kind; the word after the last is [`ENTRY_POINTER`].
const CALLS: i32 = 511;
/// More is not copied: the tracer reads it.
const MOST_LEFT_BYTES: i32 = 32 << 10;
/// A record at its longest: two paths and what a call left.
pub(super) const LONGEST_RECORD: u64 = block::HEADER_BYTES as u64 + 2 * 4104 + (32 << 10) + 8;
const LONGEST_PATH: i32 = 4096;

const HOOKED: u64 = 1;
const COPIES: u64 = 2;
const ZERO: u64 = 4;
const LENGTH_RESULT: u64 = 254;
const LENGTH_PIECES: u64 = 255;

/// Errors before which the kernel has read paths and arrays: no copy of them can fault unless
/// the program takes them away meanwhile.
const ERRNOS_AFTER_READING: [i32; 15] = [
    libc::EPERM,
    libc::ENOENT,
    libc::EAGAIN,
    libc::EACCES,
    libc::EEXIST,
    libc::EXDEV,
    libc::ENOTDIR,
    libc::EISDIR,
    libc::EINVAL,
    libc::EROFS,
    libc::ERANGE,
    libc::ENOTEMPTY,
    libc::ELOOP,
    libc::ENODATA,
    libc::EOPNOTSUPP,
];

/// Addresses in the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Labels {
    pub(super) entry: u64,
    /// From here on flags and `rax` are not the program's.
    pub(super) flags_saved: u64,
    /// From here on the block has the flags, and the CPU may not.
    pub(super) flags_stored: u64,
    /// From here on a record has the arguments, and other registers may not.
    pub(super) arguments_stored: u64,
    /// The instruction whose calls pass the filter.
    pub(super) fast: u64,
    /// After it: the call has been made.
    pub(super) after: u64,
    /// From here on the block has the result.
    pub(super) result_saved: u64,
    /// Between these two the program's memory is read, which may fault.
    pub(super) copying: u64,
    pub(super) copied: u64,
    /// Here the record is whole and told.
    pub(super) published: u64,
    /// From here on to the slow way; nothing was made.
    pub(super) slow: u64,
    /// From here on as at the entry: nothing was saved.
    pub(super) unarmed: u64,
    /// After the instruction that hands a call over to be told by the tracer.
    pub(super) reported: u64,
    /// After the instruction that makes calls again, where there are any.
    pub(super) again: Option<u64>,
    /// From there to here a descriptor may be open that the program does not know.
    pub(super) closed: Option<u64>,
    pub(super) end: u64,
}

/// Code and tables, as they are mapped.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) bytes: Vec<u8>,
    pub(super) labels: Labels,
}

impl Page {
    /// The page for calls by their numbers, and for those that are to be made again.
    pub(super) fn new(calls: &[(u32, Copied)], repetition: Option<&Repetition>) -> Result<Self, IcedError> {
        let mut assembler = CodeAssembler::new(64)?;
        let marks = write_code(&mut assembler, repetition.map(Repetition::treatment))?;
        let code =
            assembler.assemble_options(ADDRESS, BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS)?;
        let at = |label: &CodeLabel| code.label_ip(label);
        let labels = Labels {
            entry: ADDRESS,
            flags_saved: at(&marks.flags_saved)?,
            flags_stored: at(&marks.flags_stored)?,
            arguments_stored: at(&marks.arguments_stored)?,
            fast: at(&marks.fast)?,
            after: at(&marks.after)?,
            result_saved: at(&marks.result_saved)?,
            copying: at(&marks.copying)?,
            copied: at(&marks.copied)?,
            published: at(&marks.published)?,
            slow: at(&marks.slow)?,
            unarmed: at(&marks.unarmed)?,
            reported: at(&marks.reported)?,
            again: marks.again.as_ref().map(|(again, _)| at(again)).transpose()?,
            closed: marks.again.as_ref().map(|(_, closed)| at(closed)).transpose()?,
            end: ADDRESS + code.inner.code_buffer.len() as u64,
        };
        let mut bytes = code.inner.code_buffer;
        bytes.resize(if repetition.is_some() { LONG_BYTES } else { BYTES }, 0);
        let mut put = |at: u64, word: &[u8]| {
            let from = usize::try_from(at - ADDRESS).unwrap_or(0);
            bytes[from..from + word.len()].copy_from_slice(word);
        };
        for (number, copied) in calls.iter().filter(|(number, _)| i64::from(*number) < i64::from(CALLS)) {
            put(KINDS + u64::from(*number) * 8, &kind(copied).to_le_bytes());
        }
        put(ENTRY_POINTER, &labels.entry.to_le_bytes());
        for errno in ERRNOS_AFTER_READING {
            put(ERRNOS + u64::from(errno.cast_unsigned()), &[1]);
        }
        if let Some(repetition) = repetition {
            put_repetition(&mut put, repetition);
        }
        Ok(Self { bytes, labels })
    }
}

fn put_repetition(put: &mut impl FnMut(u64, &[u8]), repetition: &Repetition) {
    let times = match repetition.treatment() {
        Treatment::Again(times) => u64::from(times),
        Treatment::Delayed(delay) => {
            put(DELAY, &delay.as_secs().to_le_bytes());
            put(DELAY + 8, &u64::from(delay.subsec_nanos()).to_le_bytes());
            u64::from(!delay.is_zero())
        }
    };
    put(AGAIN, &times.to_le_bytes());
    for (number, shape) in repetition::shapes().filter(|(number, _)| i64::from(*number) < i64::from(CALLS)) {
        put(SHAPES + u64::from(number) * 8, &shape_word(shape).to_le_bytes());
    }
    let mut taken = std::collections::HashSet::new();
    for question in repetition.numbers() {
        let first = question >> (u64::BITS - QUESTION_BITS);
        let slots = u64::from(QUESTION_SLOTS);
        let slot = (0..slots).map(|step| (first + step) % slots).find(|slot| taken.insert(*slot));
        let slot = slot.expect("no more than half of the slots are taken");
        put(QUESTIONS + slot * 8, &question.to_le_bytes());
    }
}

/// A shape as the code reads it: the places of a descriptor and of two more arguments in the record
/// (0: none), whether there is a path, and two bits: there is a question; it makes a descriptor.
fn shape_word(shape: Shape) -> u64 {
    let place =
        |position: Option<usize>| position.map_or(0, |position| (block::ARGUMENTS + position * 8) as u64);
    place(shape.descriptor)
        | (place(shape.wide) << 8)
        | (place(shape.narrow) << 16)
        | (u64::from(shape.path) << 24)
        | (1 << 32)
        | (u64::from(shape.opens) << OPENS_BIT)
}

/// A call's kind as the code reads it: flags, the places of two paths and of what is left in the
/// record of arguments (0: none), the length of that, whether the call reads it, two that must be 0.
fn kind(copied: &Copied) -> u64 {
    let place =
        |position: Option<usize>| position.map_or(0, |position| (block::ARGUMENTS + position * 8) as u64);
    let (length, read) = match copied.left {
        None => (0, 0),
        Some((_, Length::Written(bytes))) => ((bytes / 8) as u64, 0),
        Some((_, Length::Read(bytes))) => ((bytes / 8) as u64, 1),
        Some((_, Length::Result)) => (LENGTH_RESULT, 0),
        Some((_, Length::Pieces)) => (LENGTH_PIECES, 1),
    };
    let copies = copied.paths[0].is_some() || copied.left.is_some();
    let zero = copied.zero[0].is_some();
    HOOKED
        | if copies { COPIES } else { 0 }
        | if zero { ZERO } else { 0 }
        // The fourth bit of the flags' byte: the call reads what is left.
        | (read << 3)
        | (place(copied.paths[0]) << 8)
        | (place(copied.paths[1]) << 16)
        | (place(copied.left.map(|(position, _)| position)) << 24)
        | (length << 32)
        | (place(copied.zero[0]) << 40)
        | (place(copied.zero[1]) << 48)
}

struct Marks {
    flags_saved: CodeLabel,
    flags_stored: CodeLabel,
    arguments_stored: CodeLabel,
    fast: CodeLabel,
    after: CodeLabel,
    result_saved: CodeLabel,
    copying: CodeLabel,
    copied: CodeLabel,
    published: CodeLabel,
    slow: CodeLabel,
    unarmed: CodeLabel,
    reported: CodeLabel,
    /// The instruction that makes calls again, and where what it opened is closed.
    again: Option<(CodeLabel, CodeLabel)>,
}

fn word(offset: usize) -> AsmMemoryOperand {
    qword_ptr(offset as u64).gs()
}

/// `r11` holds the address of the trampoline's own call at the entry; everything else is as the
/// program has it.
fn write_code(a: &mut CodeAssembler, treatment: Option<Treatment>) -> Result<Marks, IcedError> {
    let mut marks = Marks {
        flags_saved: a.create_label(),
        flags_stored: a.create_label(),
        arguments_stored: a.create_label(),
        fast: a.create_label(),
        after: a.create_label(),
        result_saved: a.create_label(),
        copying: a.create_label(),
        copied: a.create_label(),
        published: a.create_label(),
        slow: a.create_label(),
        unarmed: a.create_label(),
        reported: a.create_label(),
        again: None,
    };
    before_the_call(a, &mut marks)?;
    a.set_label(&mut marks.fast)?;
    a.syscall()?;
    a.set_label(&mut marks.after)?;
    after_the_call(a, &mut marks, treatment)?;
    Ok(marks)
}

fn restore_flags(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.mov(rax, word(block::FLAGS))?;
    // Overflow, where the lowest byte is 1; the rest is in the next.
    a.add(al, 127)?;
    a.sahf()
}

fn before_the_call(a: &mut CodeAssembler, marks: &mut Marks) -> Result<(), IcedError> {
    let (mut on, mut armed, mut check_zero, mut ready) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label());
    // Nothing here changes a flag.
    a.movzx(ecx, byte_ptr(OFF))?;
    a.jrcxz(on)?;
    a.jmp(r11)?;
    a.set_label(&mut on)?;
    a.rdgsbase(rcx)?;
    a.jrcxz(marks.unarmed)?;
    a.jmp(armed)?;
    a.set_label(&mut marks.unarmed)?;
    a.jmp(r11)?;
    a.set_label(&mut armed)?;
    a.mov(word(block::SLOW), r11)?;
    a.mov(word(block::NUMBER), rax)?;
    a.lahf()?;
    a.set_label(&mut marks.flags_saved)?;
    a.seto(al)?;
    a.mov(word(block::FLAGS), rax)?;
    a.set_label(&mut marks.flags_stored)?;
    a.mov(rax, word(block::NUMBER))?;
    a.cmp(rax, CALLS)?;
    a.jae(marks.slow)?;
    a.mov(rcx, qword_ptr(rax * 8 + KINDS))?;
    a.test(cl, i32::try_from(HOOKED).unwrap_or(0))?;
    a.jz(marks.slow)?;
    a.mov(r11, word(block::HEAD))?;
    a.cmp(r11, word(block::LIMIT))?;
    a.ja(marks.slow)?;
    a.mov(qword_ptr(r11 + block::RECORD_NUMBER), rax)?;
    for (position, register) in [rdi, rsi, rdx, r10, r8, r9].into_iter().enumerate() {
        a.mov(qword_ptr(r11 + block::ARGUMENTS + position * 8), register)?;
    }
    a.set_label(&mut marks.arguments_stored)?;
    a.test(cl, i32::try_from(ZERO).unwrap_or(0))?;
    a.jnz(check_zero)?;
    a.set_label(&mut ready)?;
    a.rdtsc()?;
    a.shl(rdx, 32)?;
    a.or(rax, rdx)?;
    a.mov(qword_ptr(r11 + block::BEGAN), rax)?;
    a.mov(rdx, qword_ptr(r11 + block::ARGUMENTS + 16_usize))?;
    a.mov(word(block::STATE), r11)?;
    restore_flags(a)?;
    a.mov(rax, word(block::NUMBER))?;
    let mut past = a.create_label();
    a.jmp(past)?;
    a.set_label(&mut check_zero)?;
    a.mov(rax, rcx)?;
    a.shr(rax, 40)?;
    a.movzx(eax, al)?;
    a.cmp(qword_ptr(r11 + rax), 0)?;
    a.jne(marks.slow)?;
    a.shr(rcx, 48)?;
    a.movzx(eax, cl)?;
    a.test(eax, eax)?;
    a.jz(ready)?;
    a.cmp(qword_ptr(r11 + rax), 0)?;
    a.je(ready)?;
    a.set_label(&mut marks.slow)?;
    restore_flags(a)?;
    a.mov(rax, word(block::NUMBER))?;
    a.mov(r11, word(block::SLOW))?;
    a.jmp(r11)?;
    a.set_label(&mut past)?;
    // The next instruction is the call.
    a.zero_bytes()
}

fn after_the_call(
    a: &mut CodeAssembler,
    marks: &mut Marks,
    treatment: Option<Treatment>,
) -> Result<(), IcedError> {
    let (mut report, mut publish, mut copies, mut finish) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label());
    a.mov(word(block::RESULT), rax)?;
    a.set_label(&mut marks.result_saved)?;
    a.mov(word(block::FLAGS_AFTER), r11)?;
    a.mov(r11, word(block::STATE))?;
    a.mov(qword_ptr(r11 + block::RECORD_RESULT), rax)?;
    a.rdtsc()?;
    a.shl(rdx, 32)?;
    a.or(rax, rdx)?;
    a.mov(qword_ptr(r11 + block::RETURNED), rax)?;
    a.mov(rax, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.mov(rcx, qword_ptr(rax * 8 + KINDS))?;
    a.mov(qword_ptr(r11 + block::PATH_BYTES), 0)?;
    a.mov(qword_ptr(r11 + block::LEFT_BYTES), 0)?;
    a.mov(qword_ptr(r11 + block::TREATED), 0)?;
    a.mov(qword_ptr(r11 + block::TREATED_TICKS), 0)?;
    a.lea(rdx, ptr(r11 + block::HEADER_BYTES))?;
    a.test(cl, i32::try_from(COPIES).unwrap_or(0))?;
    a.jnz(copies)?;
    a.set_label(&mut publish)?;
    if let Some(treatment) = treatment {
        treat(a, marks, treatment)?;
    }
    a.mov(rax, rdx)?;
    a.sub(rax, r11)?;
    a.mov(dword_ptr(r11 + block::RECORD_BYTES), eax)?;
    a.mov(word(block::HEAD), rdx)?;
    a.set_label(&mut marks.published)?;
    a.jmp(finish)?;
    a.set_label(&mut copies)?;
    copy(a, marks, report, publish)?;
    a.set_label(&mut report)?;
    // A call that the filter hands over; the tracer skips it, and says how the thread goes on.
    a.mov(edi, -1)?;
    a.mov(eax, i32::try_from(libc::SYS_close).unwrap_or(0))?;
    a.syscall()?;
    a.set_label(&mut marks.reported)?;
    a.ud2()?;
    a.set_label(&mut finish)?;
    for (position, register) in [rdi, rsi, rdx, r10, r8, r9].into_iter().enumerate() {
        a.mov(register, qword_ptr(r11 + block::ARGUMENTS + position * 8))?;
    }
    a.mov(rcx, word(block::SLOW))?;
    a.mov(r11, word(block::FLAGS_AFTER))?;
    restore_flags(a)?;
    a.mov(rax, word(block::RESULT))?;
    a.lea(rcx, ptr(rcx + 2))?;
    a.jmp(rcx)
}

/// Copies what the call's kind asks for to `rdx`, and moves that on.
fn copy(
    a: &mut CodeAssembler,
    marks: &mut Marks,
    report: CodeLabel,
    publish: CodeLabel,
) -> Result<(), IcedError> {
    let (mut succeeded, mut judged) = (a.create_label(), a.create_label());
    a.mov(rax, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.cmp(rax, -4095)?;
    a.jb(succeeded)?;
    a.neg(rax)?;
    a.cmp(byte_ptr(rax + ERRNOS), 0)?;
    a.je(report)?;
    // r8: 8 where the call failed, so that the bit of the kind decides.
    a.mov(r8, 8_u64)?;
    a.jmp(judged)?;
    a.set_label(&mut succeeded)?;
    a.mov(r8, 0_u64)?;
    a.set_label(&mut judged)?;
    a.zero_bytes()?;
    a.set_label(&mut marks.copying)?;
    a.mov(r9, rcx)?;
    a.mov(r10, rcx)?;
    for length_at in [block::PATH_BYTES, block::PATH_BYTES + 4] {
        let (mut next, mut done, mut none) = (a.create_label(), a.create_label(), a.create_label());
        a.shr(r10, 8)?;
        a.mov(rcx, r10)?;
        a.movzx(eax, cl)?;
        a.test(eax, eax)?;
        a.jz(none)?;
        a.mov(rsi, qword_ptr(r11 + rax))?;
        a.test(rsi, rsi)?;
        a.jz(none)?;
        a.mov(edi, 0)?;
        a.set_label(&mut next)?;
        a.mov(al, byte_ptr(rsi + rdi))?;
        a.mov(byte_ptr(rdx + rdi), al)?;
        a.inc(rdi)?;
        a.test(al, al)?;
        a.jz(done)?;
        a.cmp(rdi, LONGEST_PATH)?;
        a.jb(next)?;
        a.set_label(&mut done)?;
        a.mov(dword_ptr(r11 + length_at), edi)?;
        a.lea(rdx, ptr(rdx + rdi + 7))?;
        a.and(rdx, -8)?;
        a.set_label(&mut none)?;
        a.zero_bytes()?;
    }
    copy_left(a, marks, report, publish)
}

fn copy_left(
    a: &mut CodeAssembler,
    marks: &mut Marks,
    report: CodeLabel,
    publish: CodeLabel,
) -> Result<(), IcedError> {
    let (mut wanted, mut by_result, mut pieces, mut known) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label());
    let (mut words, mut rest) = (a.create_label(), a.create_label());
    a.shr(r10, 8)?;
    a.mov(rcx, r10)?;
    a.movzx(eax, cl)?;
    a.test(eax, eax)?;
    a.jz(publish)?;
    a.mov(rsi, qword_ptr(r11 + rax))?;
    a.test(rsi, rsi)?;
    a.jz(publish)?;
    // A failed call has written nothing; what it reads is there.
    a.test(r8, r8)?;
    a.jz(wanted)?;
    a.test(r9, 8)?;
    a.jz(publish)?;
    a.set_label(&mut wanted)?;
    a.movzx(edi, ch)?;
    a.cmp(edi, i32::try_from(LENGTH_RESULT).unwrap_or(0))?;
    a.je(by_result)?;
    a.ja(pieces)?;
    a.shl(edi, 3)?;
    a.jmp(known)?;
    a.set_label(&mut by_result)?;
    a.mov(rdi, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.jmp(known)?;
    a.set_label(&mut pieces)?;
    a.mov(rdi, qword_ptr(r11 + block::ARGUMENTS + 16_usize))?;
    a.cmp(rdi, 1024)?;
    a.ja(report)?;
    a.shl(rdi, 4)?;
    a.set_label(&mut known)?;
    a.cmp(rdi, MOST_LEFT_BYTES)?;
    a.ja(report)?;
    a.mov(dword_ptr(r11 + block::LEFT_BYTES), edi)?;
    a.set_label(&mut words)?;
    a.cmp(rdi, 8)?;
    a.jb(rest)?;
    a.mov(rax, qword_ptr(rsi))?;
    a.mov(qword_ptr(rdx), rax)?;
    a.add(rsi, 8)?;
    a.add(rdx, 8)?;
    a.sub(rdi, 8)?;
    a.jmp(words)?;
    let mut whole = a.create_label();
    a.set_label(&mut rest)?;
    a.test(rdi, rdi)?;
    a.jz(whole)?;
    a.mov(al, byte_ptr(rsi))?;
    a.mov(byte_ptr(rdx), al)?;
    a.inc(rsi)?;
    a.inc(rdx)?;
    a.dec(rdi)?;
    a.jmp(rest)?;
    a.set_label(&mut whole)?;
    a.add(rdx, 7)?;
    a.and(rdx, -8)?;
    a.set_label(&mut marks.copied)?;
    a.jmp(publish)
}

/// Asks whether the call whose record is written is meant, and makes it again or sleeps. It keeps
/// `r11` and `rdx`; all arguments are in the record.
fn treat(a: &mut CodeAssembler, marks: &mut Marks, treatment: Treatment) -> Result<(), IcedError> {
    let (mut done, mut over, mut found) = (a.create_label(), a.create_label(), a.create_label());
    a.mov(word(block::RECORD_END), rdx)?;
    a.mov(rax, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.mov(rcx, qword_ptr(rax * 8 + SHAPES))?;
    a.test(rcx, rcx)?;
    a.jz(done)?;
    question(a)?;
    // What an open made is known by what it asked.
    let mut probe = a.create_label();
    a.mov(rcx, qword_ptr(r11 + block::RECORD_NUMBER))?;
    a.mov(rcx, qword_ptr(rcx * 8 + SHAPES))?;
    a.bt(rcx, OPENS_BIT)?;
    a.jnc(probe)?;
    a.mov(rax, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.cmp(rax, DESCRIPTORS)?;
    a.jae(probe)?;
    a.mov(qword_ptr(rax * 8 + block::OPENED).gs(), rdi)?;
    a.set_label(&mut probe)?;
    a.mov(rax, rdi)?;
    a.shr(rax, u64::BITS - QUESTION_BITS)?;
    let mut next = a.create_label();
    a.set_label(&mut next)?;
    a.mov(rsi, qword_ptr(rax * 8 + QUESTIONS))?;
    a.test(rsi, rsi)?;
    a.jz(done)?;
    a.cmp(rsi, rdi)?;
    a.je(found)?;
    a.inc(eax)?;
    a.and(eax, (QUESTION_SLOTS - 1).cast_signed())?;
    a.jmp(next)?;
    a.set_label(&mut found)?;
    a.mov(dword_ptr(r11 + block::TREATED), 1)?;
    a.rdtsc()?;
    a.shl(rdx, 32)?;
    a.or(rax, rdx)?;
    a.mov(word(block::AGAIN_SINCE), rax)?;
    a.mov(rax, qword_ptr(AGAIN))?;
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
        Treatment::Again(_) => make_again(a, marks, turn)?,
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

/// `rdi` becomes what the call asks: its number is in `rax`, its shape in `rcx`. The same as
/// [`repetition::Questions`] computes of its event.
fn question(a: &mut CodeAssembler) -> Result<(), IcedError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_has_one_call_that_passes_and_one_that_reports() {
        let page = Page::new(&[(257, Copied { paths: [Some(1), None], ..Copied::default() })], None).unwrap();
        let labels = page.labels;
        let code = &page.bytes[..usize::try_from(labels.end - ADDRESS).unwrap()];
        assert!(code.len() < 0x1000, "{}", code.len());
        let mut decoder = iced_x86::Decoder::with_ip(64, code, ADDRESS, iced_x86::DecoderOptions::NONE);
        let mut calls = Vec::new();
        for instruction in &mut decoder {
            assert!(!instruction.is_invalid(), "{:#x}", instruction.ip());
            assert!(!instruction.is_stack_instruction(), "{instruction:?} uses the program's stack");
            if instruction.mnemonic() == iced_x86::Mnemonic::Syscall {
                calls.push(instruction.ip() + 2);
            }
        }
        assert_eq!(calls, [labels.after, labels.reported]);
        assert_eq!(labels.fast + 2, labels.after);
    }
}
