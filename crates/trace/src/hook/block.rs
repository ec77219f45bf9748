//! Where things stand in the memory of one thread's hook: a block of words that `gs` points to,
//! and after it the records, each as long as it says.

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
/// Where records begin.
pub(super) const RECORDS: usize = 128;

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
/// After these come the paths and what it left, each from a multiple of 8 on.
pub(super) const HEADER_BYTES: usize = 96;
