//! The machine code of the hook and the tables it reads: one page for all processes, at one
//! address, so that the filter knows the one instruction there whose calls pass.
//!
//! The code uses no stack, and no register but those that a call leaves undefined (`rcx`, `r11`)
//! until the call's arguments are in its record, from which it gives them back. It restores the
//! flags before the call and after it.

use super::block;
use crate::hooking::{Copied, Length};
use crate::repetition::{Repetition, Treatment};
use copying::{copy, copy_stack};
use iced_x86::code_asm::{
    AsmMemoryOperand, CodeAssembler, CodeLabel, al, byte_ptr, cl, dword_ptr, eax, ecx, edi, ptr, qword_ptr,
    r8, r9, r10, r11, rax, rcx, rdi, rdx, rsi,
};
use iced_x86::{BlockEncoderOptions, IcedError};
use repeating::{arm, put_repetition, treat};

mod copying;
mod eliding;
mod repeating;

pub(super) use repeating::{ANSWERED, shapes};

/// Where it stands in every process.
pub(super) const ADDRESS: u64 = block::PAGE_ADDRESS;
/// The page with its tables.
pub(super) const BYTES: usize = 0x4000;
/// Where a trampoline's jump reads the address of [`Labels::entry`].
pub(super) const ENTRY_POINTER: u64 = ADDRESS + 0x1ff8;
const KINDS: u64 = ADDRESS + 0x1000;
/// Not 0 where no call is to be hooked any more.
pub(super) const OFF_OFFSET: usize = 0x2000;
const OFF: u64 = ADDRESS + 0x2000;
/// A byte for each value of the highest byte of a 32-bit base of gs: 0 where blocks are.
const FOREIGN: u64 = ADDRESS + 0x2100;
/// A byte for each errno: 1 where the kernel has read the call's paths before it failed so.
const ERRNOS: u64 = ADDRESS + 0x3000;
/// Calls with a kind; the word after the last is [`ENTRY_POINTER`].
const CALLS: i32 = 511;
/// A record at its longest: two paths and what a call left.
pub(super) const LONGEST_RECORD: u64 = block::HEADER_BYTES as u64 + 2 * 4104 + (32 << 10) + 8;
/// The same where stacks are taken.
pub(super) const LONGEST_WITH_STACK: u64 =
    LONGEST_RECORD + block::STACK_HEADER_BYTES as u64 + block::LONGEST_STACK;

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
    /// And between these its stack, where stacks are taken.
    pub(super) stack: Option<(u64, u64)>,
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
    /// Where calls are answered from memory: between the first two the program's memory is read and
    /// written, which may fault; the last is where the call is made all the same.
    pub(super) eliding: Option<[u64; 3]>,
    pub(super) end: u64,
}

/// Code and tables, as they are mapped.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) bytes: Vec<u8>,
    /// Records have the stack.
    pub(super) stacks: bool,
    /// What is done at the calls that are meant, until a window says otherwise.
    pub(super) arm: u64,
    pub(super) labels: Labels,
}

impl Page {
    /// The page for calls by their numbers, and for those that are to be made again.
    pub(super) fn new(
        calls: &[(u32, Copied)],
        repetition: Option<&Repetition>,
        stacks: bool,
    ) -> Result<Self, IcedError> {
        let mut assembler = CodeAssembler::new(64)?;
        let marks = write_code(&mut assembler, repetition, stacks)?;
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
            stack: marks.stack.as_ref().map(|(from, to)| Ok((at(from)?, at(to)?))).transpose()?,
            published: at(&marks.published)?,
            slow: at(&marks.slow)?,
            unarmed: at(&marks.unarmed)?,
            reported: at(&marks.reported)?,
            again: marks.again.as_ref().map(|(again, _)| at(again)).transpose()?,
            closed: marks.again.as_ref().map(|(_, closed)| at(closed)).transpose()?,
            eliding: match &marks.eliding {
                Some(labels) => Some([at(&labels.reading)?, at(&labels.answered)?, at(&labels.made)?]),
                None => None,
            },
            end: ADDRESS + code.inner.code_buffer.len() as u64,
        };
        let mut bytes = code.inner.code_buffer;
        assert!(bytes.len() as u64 <= KINDS - ADDRESS, "the code reaches into the tables: {}", bytes.len());
        bytes.resize(if repetition.is_some() { repeating::BYTES } else { BYTES }, 0);
        let mut put = |at: u64, word: &[u8]| {
            let from = usize::try_from(at - ADDRESS).unwrap_or(0);
            bytes[from..from + word.len()].copy_from_slice(word);
        };
        for (number, copied) in calls.iter().filter(|(number, _)| i64::from(*number) < i64::from(CALLS)) {
            put(KINDS + u64::from(*number) * 8, &kind(copied).to_le_bytes());
        }
        let blocks = [block::ADDRESS, block::ADDRESS + block::BLOCKS_BYTES as u64 - 1].map(|at| at >> 24);
        for byte in (0..=0xff).filter(|byte| !(blocks[0]..=blocks[1]).contains(byte)) {
            put(FOREIGN + byte, &[1]);
        }
        put(ENTRY_POINTER, &labels.entry.to_le_bytes());
        for errno in ERRNOS_AFTER_READING {
            put(ERRNOS + u64::from(errno.cast_unsigned()), &[1]);
        }
        if let Some(repetition) = repetition {
            put_repetition(&mut put, repetition);
            if let Treatment::Elided(_) = repetition.treatment {
                eliding::put_effects(&mut put);
            }
        }
        let in_windows = repetition.is_some_and(|repetition| repetition.windows.is_some());
        // Before the first window calls are left as they are.
        let arm = repetition.filter(|_| !in_windows).map_or(0, |repetition| arm(repetition.treatment));
        Ok(Self { bytes, stacks, arm, labels })
    }
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
    stack: Option<(CodeLabel, CodeLabel)>,
    published: CodeLabel,
    slow: CodeLabel,
    unarmed: CodeLabel,
    reported: CodeLabel,
    /// The instruction that makes calls again, and where what it opened is closed.
    again: Option<(CodeLabel, CodeLabel)>,
    eliding: Option<eliding::Eliding>,
    in_windows: bool,
}

fn word(offset: usize) -> AsmMemoryOperand {
    qword_ptr(offset as u64).gs()
}

/// `r11` holds the address of the trampoline's own call at the entry; everything else is as the
/// program has it.
fn write_code(
    a: &mut CodeAssembler,
    repetition: Option<&Repetition>,
    stacks: bool,
) -> Result<Marks, IcedError> {
    let treatment = repetition.map(|repetition| repetition.treatment);
    let mut marks = Marks {
        flags_saved: a.create_label(),
        flags_stored: a.create_label(),
        arguments_stored: a.create_label(),
        fast: a.create_label(),
        after: a.create_label(),
        result_saved: a.create_label(),
        copying: a.create_label(),
        copied: a.create_label(),
        stack: stacks.then(|| (a.create_label(), a.create_label())),
        published: a.create_label(),
        slow: a.create_label(),
        unarmed: a.create_label(),
        reported: a.create_label(),
        again: None,
        eliding: None,
        in_windows: repetition.is_some_and(|repetition| repetition.windows.is_some()),
    };
    before_the_call(a, &mut marks, treatment)?;
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

fn before_the_call(
    a: &mut CodeAssembler,
    marks: &mut Marks,
    treatment: Option<Treatment>,
) -> Result<(), IcedError> {
    let (mut on, mut low, mut armed, mut check_zero, mut ready) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label(), a.create_label());
    // Nothing here changes a flag.
    a.movzx(ecx, byte_ptr(OFF))?;
    a.jrcxz(on)?;
    a.jmp(r11)?;
    a.set_label(&mut on)?;
    // Who sets gs by an instruction tells nobody: it is ours only below 4 GiB and where blocks are.
    a.rdgsbase(rcx)?;
    a.bswap(rcx)?;
    a.mov(ecx, ecx)?;
    a.jrcxz(low)?;
    a.jmp(marks.unarmed)?;
    a.set_label(&mut low)?;
    a.rdgsbase(rcx)?;
    a.bswap(ecx)?;
    a.movzx(ecx, cl)?;
    a.movzx(ecx, byte_ptr(rcx + FOREIGN))?;
    a.jrcxz(armed)?;
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
    if treatment.is_some() {
        // What a signal finds unfinished is counted as it stands.
        a.mov(qword_ptr(r11 + block::TREATED), 0)?;
        a.mov(qword_ptr(r11 + block::TREATED_TICKS), 0)?;
    }
    if let Some(Treatment::Elided(_)) = treatment {
        eliding::before(a, marks)?;
    }
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
    let mut whole = a.create_label();
    a.mov(word(block::RESULT), rax)?;
    a.set_label(&mut marks.result_saved)?;
    a.mov(word(block::FLAGS_AFTER), r11)?;
    a.mov(r11, word(block::STATE))?;
    a.mov(qword_ptr(r11 + block::RECORD_RESULT), rax)?;
    a.rdtsc()?;
    a.shl(rdx, 32)?;
    a.or(rax, rdx)?;
    a.mov(qword_ptr(r11 + block::RETURNED), rax)?;
    if let (Some(Treatment::Elided(_)), false) = (treatment, marks.stack.is_some()) {
        eliding::after_what_was_known(a, whole, marks.in_windows)?;
    }
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
    copy_stack(a, marks, report)?;
    if let Some(treatment) = treatment {
        match treatment {
            Treatment::Elided(_) => eliding::after(a)?,
            Treatment::Again(_) | Treatment::Delayed(_) => treat(a, marks, treatment)?,
        }
    }
    a.zero_bytes()?;
    a.set_label(&mut whole)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_has_one_call_that_passes_and_one_that_reports() {
        for stacks in [false, true] {
            look_at_calls(stacks);
        }
    }

    fn look_at_calls(stacks: bool) {
        let page = Page::new(&[(257, Copied { paths: [Some(1), None], ..Copied::default() })], None, stacks)
            .unwrap();
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
