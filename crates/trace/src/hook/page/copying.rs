//! The code that copies what a call's kind asks for: its paths, and what it left in memory or read there.

use super::{ERRNOS, LENGTH_RESULT, Marks, block, word};
use iced_x86::IcedError;
use iced_x86::code_asm::{
    CodeAssembler, CodeLabel, al, byte_ptr, ch, cl, dword_ptr, eax, edi, ptr, qword_ptr, r8, r9, r10, r11,
    rax, rbp, rcx, rdi, rdx, rsi, rsp,
};

/// More is not copied: the tracer reads it.
const MOST_LEFT_BYTES: i32 = 32 << 10;
const LONGEST_PATH: i32 = 4096;

/// Copies what the call's kind asks for to `rdx`, and moves that on.
pub(super) fn copy(
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

/// Copies the stack to `rdx`, where stacks are taken, and moves that on: from the stack pointer on to where
/// walks end. Who stands on a stack that is not known, or too deep, reports.
pub(super) fn copy_stack(
    a: &mut CodeAssembler,
    marks: &mut Marks,
    report: CodeLabel,
) -> Result<(), IcedError> {
    let Some((begin, end)) = &mut marks.stack else { return Ok(()) };
    a.mov(dword_ptr(r11 + block::STACK_BYTES), 0)?;
    a.mov(rsi, rsp)?;
    a.mov(rdi, word(block::STACK_HIGH))?;
    a.cmp(rsi, word(block::STACK_LOW))?;
    a.jb(report)?;
    a.sub(rdi, rsi)?;
    a.jbe(report)?;
    a.cmp(rdi, i32::try_from(block::LONGEST_STACK).unwrap_or(0))?;
    a.ja(report)?;
    a.and(rdi, -8)?;
    a.jz(report)?;
    a.mov(qword_ptr(rdx), rbp)?;
    a.mov(qword_ptr(rdx + 8), rsi)?;
    a.mov(rax, word(block::SLOW))?;
    a.mov(qword_ptr(rdx + 16), rax)?;
    a.mov(dword_ptr(r11 + block::STACK_BYTES), edi)?;
    a.add(rdx, i32::try_from(block::STACK_HEADER_BYTES).unwrap_or(0))?;
    a.set_label(begin)?;
    a.mov(rax, qword_ptr(rsi))?;
    a.mov(qword_ptr(rdx), rax)?;
    a.add(rsi, 8)?;
    a.add(rdx, 8)?;
    a.sub(rdi, 8)?;
    a.jnz(*begin)?;
    a.set_label(end)?;
    a.zero_bytes()
}
