//! After a call that was made: what it changed of what is known, and what it answered.

use super::{
    CHANGES, COMPARED, COUNT_CHANGES, COUNT_SCRAMBLES, CREATES, FINDS, KINDS, LASTING, MOVES, ON_FLAGS,
    ON_POSITION, OPENS, SCRAMBLES, SETS, argument, bits, block, count_in_window, entry, entry_of_first,
    flags_number, knowledge, mix, number, word,
};
use crate::repetition::{DESCRIPTORS, PRIME};
use iced_x86::IcedError;
use iced_x86::code_asm::{
    CodeAssembler, CodeLabel, byte_ptr, dl, dword_ptr, eax, ecx, edi, edx, ptr, qword_ptr, r8, r9, r9d, r11,
    rax, rcx, rdi, rdx, rsi,
};

/// The bytes of a time; the length of a `stat` and of a `statx`, and how much of it is left where the time of
/// access begins.
const TIME_BYTES: i32 = 16;
const OF_STAT: (i32, i32) = (144, 144 - 72);
const OF_STATX: (i32, i32) = (256, 256 - 64);

/// After a call whose answer was known, made or not: nothing of it is new, so that its record has its path, which
/// stands there already, and goes on at `whole` with its end in `rdx`. What follows such a call is to be little code
/// and little memory: behind a call that was made both are not in the CPU's nearest caches, and what that takes
/// would be taken for the call's own. Goes past where more has to be done.
pub(in crate::hook::page) fn after_what_was_known(
    a: &mut CodeAssembler,
    whole: CodeLabel,
    in_windows: bool,
) -> Result<(), IcedError> {
    let (mut brief, mut not) = (a.create_label(), a.create_label());
    a.mov(rax, word(block::FOUND))?;
    a.test(eax, bits(block::IS_KNOWN))?;
    a.jz(not)?;
    a.mov(rcx, word(block::ARM))?;
    a.cmp(ecx, COMPARED)?;
    a.je(not)?;
    // Somebody else has made the file: there is a descriptor.
    a.test(dword_ptr(block::EFFECT as u64).gs(), bits(OPENS))?;
    a.jz(brief)?;
    a.cmp(qword_ptr(r11 + block::RECORD_RESULT), 0)?;
    a.jge(not)?;
    a.set_label(&mut brief)?;
    a.mov(qword_ptr(r11 + block::LEFT_BYTES), 0)?;
    a.mov(dword_ptr(r11 + block::TREATED), eax)?;
    // 1 where it was answered, which is the highest of the three.
    a.shr(ecx, 1)?;
    a.mov(dword_ptr(r11 + block::TIMES), ecx)?;
    a.mov(qword_ptr(r11 + block::TREATED_TICKS), 0)?;
    a.mov(edx, dword_ptr(r11 + block::PATH_BYTES))?;
    a.add(edx, 7)?;
    a.and(edx, -8)?;
    a.lea(rdx, ptr(r11 + rdx + block::HEADER_BYTES))?;
    if in_windows {
        count_in_window(a)?;
    }
    a.jmp(whole)?;
    a.set_label(&mut not)?;
    a.zero_bytes()
}

/// After a call that was made, with its record written up to `rdx`: what it changed, and what it answered.
/// It keeps `r11` and `rdx`.
pub(in crate::hook::page) fn after(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let mut done = a.create_label();
    a.mov(word(block::RECORD_END), rdx)?;
    a.mov(rcx, word(block::EFFECT))?;
    created(a)?;
    for (effect, count) in [(CHANGES, COUNT_CHANGES), (SCRAMBLES, COUNT_SCRAMBLES)] {
        let mut not = a.create_label();
        a.test(ecx, bits(effect))?;
        a.jz(not)?;
        a.lock().inc(qword_ptr(count))?;
        a.set_label(&mut not)?;
    }
    a.cmp(word(block::ELIDES), 0)?;
    a.je(done)?;
    let mut not = a.create_label();
    a.test(ecx, bits(MOVES))?;
    a.jz(not)?;
    moved(a, done)?;
    a.jmp(done)?;
    a.set_label(&mut not)?;
    opened(a)?;
    a.cmp(word(block::FOUND), 0)?;
    a.je(done)?;
    a.mov(rax, word(block::FOUND))?;
    a.mov(dword_ptr(r11 + block::TREATED), eax)?;
    a.cmp(word(block::KEY), 0)?;
    a.je(done)?;
    let mut unknown = a.create_label();
    a.test(eax, bits(block::IS_KNOWN))?;
    a.jz(unknown)?;
    compare(a, done)?;
    a.set_label(&mut unknown)?;
    remember(a, done)?;
    a.set_label(&mut done)?;
    a.mov(rdx, word(block::RECORD_END))
}

/// Where a call has left its descriptor, which `read` and `lseek` tell, unless another moved it meanwhile.
fn moved(a: &mut CodeAssembler, done: CodeLabel) -> Result<(), IcedError> {
    let (mut seeks, mut stays, mut known) = (a.create_label(), a.create_label(), a.create_label());
    entry_of_first(a, done)?;
    a.mov(rdi, rax)?;
    a.mov(rdx, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.mov(rsi, word(block::STANDING))?;
    a.mov(ecx, dword_ptr(r11 + block::RECORD_NUMBER))?;
    a.cmp(ecx, number("lseek"))?;
    a.je(seeks)?;
    a.cmp(ecx, number("read"))?;
    a.jne(done)?;
    a.test(rdx, rdx)?;
    a.js(stays)?;
    a.test(rsi, rsi)?;
    a.js(done)?;
    a.add(rsi, rdx)?;
    a.jmp(known)?;
    a.set_label(&mut seeks)?;
    a.test(rdx, rdx)?;
    a.js(stays)?;
    a.mov(rsi, rdx)?;
    a.jmp(known)?;
    a.set_label(&mut stays)?;
    a.test(rsi, rsi)?;
    a.js(done)?;
    a.set_label(&mut known)?;
    a.mov(rax, word(block::ANSWER))?;
    a.lock().cmpxchg(qword_ptr(rdi + knowledge::POSITION), rsi)
}

/// What an open that may make a file says: that it is there, until something changes. `rcx` is its effect.
fn created(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let (mut done, mut creates) = (a.create_label(), a.create_label());
    a.test(ecx, bits(CREATES | FINDS))?;
    a.jz(done)?;
    a.test(ecx, bits(CREATES))?;
    a.jnz(creates)?;
    // What another thread has changed meanwhile may be that the file was there.
    a.mov(rax, word(block::CHANGES))?;
    a.cmp(rax, qword_ptr(COUNT_CHANGES))?;
    a.je(done)?;
    a.mov(ecx, bits(OPENS | CHANGES))?;
    a.jmp(done)?;
    a.set_label(&mut creates)?;
    a.mov(rax, word(block::ANSWER))?;
    // No more than that is remembered of it.
    a.mov(word(block::ANSWER), 0)?;
    a.test(rax, rax)?;
    a.jz(done)?;
    a.cmp(qword_ptr(r11 + block::RECORD_RESULT), 0)?;
    a.jl(done)?;
    a.mov(qword_ptr(rax + knowledge::KEY), 0)?;
    a.mov(qword_ptr(rax + knowledge::LENGTH), 0)?;
    // Its own change is the only one since, or this is none.
    a.mov(rdi, word(block::CHANGES))?;
    a.inc(rdi)?;
    a.mov(qword_ptr(rax + knowledge::WHEN), rdi)?;
    a.mov(rdi, word(block::KEY))?;
    a.mov(qword_ptr(rax + knowledge::KEY), rdi)?;
    a.set_label(&mut done)?;
    a.zero_bytes()
}

/// What an open made is known from here on.
fn opened(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let (mut not, mut unknown) = (a.create_label(), a.create_label());
    a.test(ecx, bits(OPENS))?;
    a.jz(not)?;
    a.mov(rax, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.cmp(rax, DESCRIPTORS)?;
    a.jae(not)?;
    a.mov(rdi, word(block::ASKED))?;
    a.mov(qword_ptr(rax * 8 + block::OPENED).gs(), rdi)?;
    entry(a, not)?;
    a.mov(qword_ptr(rax + knowledge::SINCE), 0)?;
    a.mov(rdi, word(block::KEY))?;
    a.test(rdi, rdi)?;
    a.jz(unknown)?;
    a.mov(r8, PRIME)?;
    a.xor(rdi, word(block::CHANGES))?;
    mix(a)?;
    a.mov(qword_ptr(rax + knowledge::OPENED), rdi)?;
    a.mov(qword_ptr(rax + knowledge::POSITION), 0)?;
    a.mov(qword_ptr(rax + knowledge::FLAGS), 0)?;
    a.mov(rdx, word(block::SCRAMBLES))?;
    a.mov(qword_ptr(rax + knowledge::SINCE), rdx)?;
    a.set_label(&mut unknown)?;
    a.zero_bytes()?;
    a.set_label(&mut not)?;
    a.zero_bytes()
}

/// Holds the answer that came against the one that was known, where that is asked for: all but the time of
/// access, which reading moves now and then. Where it is another it goes on, to remember that.
fn compare(a: &mut CodeAssembler, done: CodeLabel) -> Result<(), IcedError> {
    let (mut another, mut by_answer, mut next, mut same, mut byte) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label(), a.create_label());
    a.mov(rcx, word(block::ARM))?;
    // 1 where it was answered, which is the highest of the three.
    a.mov(eax, ecx)?;
    a.shr(eax, 1)?;
    a.mov(dword_ptr(r11 + block::TIMES), eax)?;
    a.cmp(ecx, COMPARED)?;
    a.jne(done)?;
    a.mov(rax, word(block::ANSWER))?;
    a.mov(rdx, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.test(rax, rax)?;
    a.jnz(by_answer)?;
    a.test(rdx, rdx)?;
    a.jz(same)?;
    a.jmp(another)?;
    a.set_label(&mut by_answer)?;
    a.cmp(rdx, qword_ptr(rax + knowledge::RESULT))?;
    a.jne(another)?;
    a.mov(r9, 0_u64)?;
    a.mov(ecx, dword_ptr(r11 + block::LEFT_BYTES))?;
    a.cmp(rcx, qword_ptr(rax + knowledge::LENGTH))?;
    a.jne(another)?;
    begin_of_left(a)?;
    for (length, left) in [OF_STAT, OF_STATX] {
        let mut not = a.create_label();
        a.cmp(ecx, length)?;
        a.jne(not)?;
        a.mov(r9d, left)?;
        a.set_label(&mut not)?;
        a.zero_bytes()?;
    }
    a.set_label(&mut next)?;
    a.test(rcx, rcx)?;
    a.jz(same)?;
    a.cmp(ecx, r9d)?;
    a.jne(byte)?;
    a.add(rsi, TIME_BYTES)?;
    a.add(rax, TIME_BYTES)?;
    a.sub(ecx, TIME_BYTES)?;
    a.jmp(next)?;
    a.set_label(&mut byte)?;
    a.mov(dl, byte_ptr(rsi))?;
    a.cmp(dl, byte_ptr(rax + knowledge::LEFT))?;
    a.jne(another)?;
    a.inc(rsi)?;
    a.inc(rax)?;
    a.dec(rcx)?;
    a.jmp(next)?;
    a.set_label(&mut same)?;
    a.inc(dword_ptr(r11 + block::TIMES))?;
    a.jmp(done)?;
    a.set_label(&mut another)?;
    a.or(dword_ptr(r11 + block::TREATED), bits(block::IS_ANOTHER))
}

/// `rsi` becomes where the record has what the call left, which is `ecx` bytes.
fn begin_of_left(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.mov(edx, ecx)?;
    a.add(edx, 7)?;
    a.and(edx, -8)?;
    a.mov(rsi, word(block::RECORD_END))?;
    a.sub(rsi, rdx)
}

/// Remembers what was answered, where it is of a kind that comes again.
fn remember(a: &mut CodeAssembler, done: CodeLabel) -> Result<(), IcedError> {
    let (mut not_set, mut position, mut store, mut succeeded) =
        (a.create_label(), a.create_label(), a.create_label(), a.create_label());
    a.mov(rcx, word(block::EFFECT))?;
    a.mov(rax, word(block::DESCRIPTOR))?;
    a.mov(rsi, qword_ptr(r11 + block::RECORD_RESULT))?;
    a.test(ecx, bits(SETS))?;
    a.jz(not_set)?;
    a.test(rsi, rsi)?;
    a.jnz(done)?;
    flags_number(a, argument(2))?;
    a.mov(qword_ptr(rax + knowledge::FLAGS), rdi)?;
    a.jmp(done)?;
    a.set_label(&mut not_set)?;
    a.test(ecx, bits(ON_FLAGS))?;
    a.jz(position)?;
    a.test(rsi, rsi)?;
    a.js(done)?;
    // Another thread has set them meanwhile.
    a.mov(rdx, word(block::STANDING))?;
    a.cmp(rdx, qword_ptr(rax + knowledge::FLAGS))?;
    a.jne(done)?;
    flags_number(a, block::RECORD_RESULT)?;
    a.mov(qword_ptr(rax + knowledge::FLAGS), rdi)?;
    a.set_label(&mut position)?;
    a.test(ecx, bits(ON_POSITION))?;
    a.jz(store)?;
    a.mov(rdx, word(block::STANDING))?;
    a.cmp(rdx, qword_ptr(rax + knowledge::POSITION))?;
    a.jne(done)?;
    a.set_label(&mut store)?;
    a.mov(rax, word(block::ANSWER))?;
    a.test(rax, rax)?;
    a.jz(done)?;
    let (mut lasting, mut checked) = (a.create_label(), a.create_label());
    a.cmp(rsi, -4095)?;
    a.jb(succeeded)?;
    a.mov(rdx, word(block::NUMBER))?;
    a.mov(rdi, rsi)?;
    a.neg(rdi)?;
    for errno in LASTING {
        a.cmp(edi, errno)?;
        a.je(lasting)?;
    }
    a.cmp(edx, number("epoll_ctl"))?;
    a.jne(done)?;
    a.cmp(edi, libc::EPERM)?;
    a.jne(done)?;
    a.set_label(&mut lasting)?;
    a.mov(ecx, 0)?;
    a.jmp(checked)?;
    a.set_label(&mut succeeded)?;
    a.test(ecx, bits(OPENS))?;
    a.jnz(done)?;
    a.mov(rdx, word(block::NUMBER))?;
    for never in ["ioctl", "epoll_ctl"] {
        a.cmp(edx, number(never))?;
        a.je(done)?;
    }
    a.mov(ecx, dword_ptr(r11 + block::LEFT_BYTES))?;
    a.cmp(ecx, i32::try_from(knowledge::MOST_LEFT_BYTES).unwrap_or(0))?;
    a.ja(done)?;
    a.mov(rdx, qword_ptr(rdx * 8 + KINDS))?;
    a.shr(rdx, 24)?;
    a.test(dl, dl)?;
    a.jz(checked)?;
    // It leaves something, which is not there.
    a.test(ecx, ecx)?;
    a.jz(done)?;
    a.set_label(&mut checked)?;
    // A signal's handler may call in the middle of it.
    a.mov(qword_ptr(rax + knowledge::KEY), 0)?;
    a.mov(qword_ptr(rax + knowledge::RESULT), rsi)?;
    a.mov(qword_ptr(rax + knowledge::LENGTH), rcx)?;
    a.mov(rdx, word(block::CHANGES))?;
    a.mov(qword_ptr(rax + knowledge::WHEN), rdx)?;
    begin_of_left(a)?;
    let (mut next, mut whole) = (a.create_label(), a.create_label());
    // Where the room for an answer ends, its last bytes may be followed by those of another record.
    a.mov(rdi, rax)?;
    a.set_label(&mut next)?;
    a.test(edx, edx)?;
    a.jz(whole)?;
    a.mov(r8, qword_ptr(rsi))?;
    a.mov(qword_ptr(rdi + knowledge::LEFT), r8)?;
    a.add(rsi, 8)?;
    a.add(rdi, 8)?;
    a.sub(edx, 8)?;
    a.jmp(next)?;
    a.set_label(&mut whole)?;
    a.mov(rdi, word(block::KEY))?;
    a.mov(qword_ptr(rax + knowledge::KEY), rdi)?;
    a.zero_bytes()
}
