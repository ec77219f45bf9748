//! Where things stand in the memory of one thread's hook: a block of words that `gs` points to,
//! and after it the records, each as long as it says.

use super::knowledge;
use crate::repetition::DESCRIPTORS;

/// Where the page stands in every process: below the shadow of sanitizers and above programs
/// that are linked to a fixed address.
pub(super) const PAGE_ADDRESS: u64 = 0x7000_0000;
/// Where blocks begin, after it and in the file.
pub(super) const FILE_OFFSET: usize = 0x10_0000;
pub(super) const ADDRESS: u64 = PAGE_ADDRESS + FILE_OFFSET as u64;
pub(super) const BLOCK_BYTES: usize = 256 << 10;
/// Threads beyond these go the slow way.
pub(super) const BLOCKS: usize = 128;
pub(super) const BLOCKS_BYTES: usize = BLOCK_BYTES * BLOCKS;
/// After the blocks: what is known of descriptors, and answers that threads remember.
pub(super) const BYTES: usize = BLOCKS_BYTES + knowledge::BYTES + knowledge::answers_at(BLOCKS);
/// `AddressSanitizer` has its memory from here on.
const _: () = assert!(ADDRESS + (BYTES as u64) < 0x7fff_8000 - (32 << 20));
/// What threads of a program know together.
pub(super) const KNOWLEDGE: u64 = ADDRESS + BLOCKS_BYTES as u64;

/// Of the block: the address of the next record. It moves on when a record is whole.
pub(super) const HEAD: usize = 0;
/// The address of the record of the call that is made; as `HEAD` while that is being made.
pub(super) const STATE: usize = 8;
/// The call's number.
pub(super) const NUMBER: usize = 16;
/// The program's flags, as `lahf` and `seto` give them.
pub(super) const FLAGS: usize = 24;
/// The address of the trampoline's own call.
pub(super) const SLOW: usize = 32;
/// What the call returned.
pub(super) const RESULT: usize = 40;
/// What it left in `r11`.
pub(super) const FLAGS_AFTER: usize = 48;
/// No record begins beyond this address.
pub(super) const LIMIT: usize = 56;
/// Where the record of the call that is made ends, while that call is made again.
pub(super) const RECORD_END: usize = 64;
/// How often it is still to be made again.
pub(super) const AGAIN: usize = 72;
/// When that began, by the time stamp counter.
pub(super) const AGAIN_SINCE: usize = 80;
/// Not 0 while what a repeated open made is closed.
pub(super) const CLOSING: usize = 88;
/// Between these addresses stands the thread's stack, as far as that is known: above the second one lies
/// nothing that walks have read.
pub(super) const STACK_LOW: usize = 96;
pub(super) const STACK_HIGH: usize = 104;
/// Where calls are answered from memory (`page/eliding.rs`): not 0 in threads that have the descriptors
/// that the program began with, and the address of the thread's remembered answers.
pub(super) const ELIDES: usize = 112;
pub(super) const ANSWERS: usize = 120;
/// How far a number is shifted to be one of these, and how many there are, less one.
pub(super) const ANSWERS_SHIFT: usize = 200;
pub(super) const ANSWERS_MASK: usize = 208;
/// Of the call that is made: what it does to what is known, what it asks as the first run knows it, and
/// what it asks exactly (0: not known).
pub(super) const EFFECT: usize = 128;
pub(super) const ASKED: usize = 136;
pub(super) const KEY: usize = 144;
/// How many changes and scramblings of descriptors there were before it.
pub(super) const CHANGES: usize = 152;
pub(super) const SCRAMBLES: usize = 160;
/// What is known of its descriptor (an address), and of that what the answer rests on.
pub(super) const DESCRIPTOR: usize = 168;
pub(super) const STANDING: usize = 176;
/// Where its answer is remembered; bits of `TREATED`; the end of the record.
pub(super) const ANSWER: usize = 184;
pub(super) const FOUND: usize = 192;
/// Where what is done changes from window to window: what is done in this one, as `page::AGAIN` says it elsewhere,
/// and how many calls are left of it. Where none is, the thread's next call stops.
pub(super) const ARM: usize = 216;
pub(super) const CALLS_LEFT: usize = 224;
/// For each descriptor, what the open that made it asked.
pub(super) const OPENED: usize = 256;
/// Where records begin.
pub(super) const RECORDS: usize = OPENED + 8 * DESCRIPTORS.cast_unsigned() as usize;

/// Of a record: the call's number.
pub(super) const RECORD_NUMBER: usize = 0;
/// What it returned.
pub(super) const RECORD_RESULT: usize = 8;
/// Its six arguments.
pub(super) const ARGUMENTS: usize = 16;
/// When it began and returned, by the time stamp counter.
pub(super) const BEGAN: usize = 64;
pub(super) const RETURNED: usize = 72;
/// The bytes of two paths, 32 bits each.
pub(super) const PATH_BYTES: usize = 80;
/// The bytes of what it left, 32 bits.
pub(super) const LEFT_BYTES: usize = 88;
/// The bytes of the record, 32 bits.
pub(super) const RECORD_BYTES: usize = 92;
/// The bytes of the stack, 32 bits, where stacks are taken.
pub(super) const STACK_BYTES: usize = 112;
/// After these come the paths and what it left, each from a multiple of 8 on; then, where there is one,
/// the stack: the frame pointer, the stack pointer, the address of the trampoline's own call, and what
/// lies at the stack pointer.
pub(super) const HEADER_BYTES: usize = 120;
/// Of a stack, before its bytes.
pub(super) const STACK_HEADER_BYTES: usize = 24;
/// A call from a deeper stack stops.
pub(super) const LONGEST_STACK: u64 = 16 << 10;
/// 1 where the call was to be made again, delayed or answered, 32 bits; and how often it was. Of one that
/// was to be answered also whether its answer was known, and whether it turned out to be another.
pub(super) const TREATED: usize = 96;
pub(super) const TIMES: usize = 100;
pub(super) const IS_MEANT: u32 = 1;
pub(super) const IS_KNOWN: u32 = 2;
pub(super) const IS_ANOTHER: u32 = 4;
/// How long that took, by the time stamp counter.
pub(super) const TREATED_TICKS: usize = 104;
