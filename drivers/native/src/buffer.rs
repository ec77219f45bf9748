//! The caller's buffer: one for all operations, or a new one for each.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

const PAGE_BYTES: usize = 4096;

/// Memory to read into, as `--buffer` asks.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// Page-aligned and touched; `None` when every operation takes a new one.
    reused: Option<Memory>,
    /// How new ones are made.
    layout: Layout,
}

/// Bytes of the heap with a given alignment.
#[derive(Debug)]
pub(crate) struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory has no other owner, and any thread may free it.
unsafe impl Send for Memory {}

impl Buffer {
    /// Buffers of `length` bytes, at least 1; new ones as malloc gives them.
    pub(crate) fn new(length: usize, fresh: bool) -> Self {
        Self::with_alignment(length, fresh, 1)
    }

    /// Buffers fit for direct I/O, new ones as `posix_memalign` gives them.
    pub(crate) fn for_direct_io(length: usize, fresh: bool) -> Self {
        Self::with_alignment(length, fresh, PAGE_BYTES)
    }

    fn with_alignment(length: usize, fresh: bool, alignment: usize) -> Self {
        let layout = |alignment| Layout::from_size_align(length.max(1), alignment);
        let expected = "parsed sizes are below the largest layout";
        let reused = (!fresh).then(|| Memory::touched(layout(PAGE_BYTES).expect(expected)));
        Self { reused, layout: layout(alignment).expect(expected) }
    }

    /// The bytes of the one buffer for all operations; none where there are new ones.
    #[inline]
    pub(crate) fn reused_bytes(&self) -> &[u8] {
        let Some(memory) = &self.reused else { return &[] };
        // SAFETY: allocated with this size, borrowed from `self`, and `touched` gave every byte a value.
        unsafe { std::slice::from_raw_parts(memory.start.as_ptr(), memory.layout.size()) }
    }

    /// Memory for one operation; a new one is kept in `own` for as long as it lasts.
    #[inline]
    pub(crate) fn lend<'b>(&'b mut self, own: &'b mut Option<Memory>) -> &'b mut [MaybeUninit<u8>] {
        match &mut self.reused {
            Some(memory) => memory.bytes(),
            None => own.insert(Memory::new(self.layout)).bytes(),
        }
    }

    /// The same for APIs that ask for bytes with a value: new ones are `vec![0; n]`.
    #[inline]
    pub(crate) fn lend_zeroed<'b>(&'b mut self, own: &'b mut Vec<u8>) -> &'b mut [u8] {
        let Some(memory) = &mut self.reused else {
            *own = vec![0; self.layout.size()];
            return own;
        };
        // SAFETY: `touched` gave every byte a value.
        unsafe { memory.bytes().assume_init_mut() }
    }
}

/// The piece, copied to the start of a buffer that is as long at least.
#[inline]
pub(crate) fn copied<'b>(piece: &[u8], buffer: &'b mut [MaybeUninit<u8>]) -> &'b [u8] {
    buffer[..piece.len()].write_copy_of_slice(piece)
}

impl Memory {
    #[inline]
    fn new(layout: Layout) -> Self {
        // SAFETY: the layout is of at least one byte.
        let start = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(start) else { handle_alloc_error(layout) };
        Self { start, layout }
    }

    fn touched(layout: Layout) -> Self {
        let mut memory = Self::new(layout);
        // Not zero: the compiler may turn zeroing of new memory into calloc, which touches nothing.
        memory.bytes().fill(MaybeUninit::new(0xFA));
        memory
    }

    #[inline]
    fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: allocated with this size and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.layout.size()) }
    }
}

impl Drop for Memory {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and slices borrow from `self`.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock;
    use super::*;

    #[test]
    fn a_reused_buffer_is_the_same_page_each_time_and_already_touched() {
        let mut buffer = Buffer::new(8 << 20, false);
        let (mut none, mut zeroed) = (None, Vec::new());
        // The kernel may take a page away at any time to move or compact it, so one pass may fault.
        // A buffer that was never touched faults in every one.
        let faults = (0..5).map(|_| {
            let mut made = Buffer::new(8 << 20, false);
            let before = clock::counters(clock::Scope::Thread);
            made.lend_zeroed(&mut zeroed).fill(1);
            clock::counters(clock::Scope::Thread).since(before).minflt
        });
        assert_eq!(faults.min(), Some(0));
        let first = buffer.lend(&mut none).as_ptr().addr();
        assert_eq!((first % PAGE_BYTES, buffer.lend(&mut none).as_ptr().addr()), (0, first));
        assert!(none.is_none() && zeroed.is_empty());
    }

    #[test]
    fn fresh_buffers_are_separate_and_have_the_length_asked_for() {
        let mut buffer = Buffer::new(1000, true);
        let mut other = Buffer::for_direct_io(1000, true);
        let (mut one, mut two, mut zeroed) = (None, None, Vec::new());
        let first = buffer.lend(&mut one).as_ptr().addr();
        assert_ne!(first, buffer.lend(&mut two).as_ptr().addr());
        assert_eq!(buffer.lend_zeroed(&mut zeroed), [0; 1000]);
        let mut aligned = None;
        let memory = other.lend(&mut aligned);
        assert_eq!((memory.len(), memory.as_ptr().addr() % PAGE_BYTES), (1000, 0));
    }
}
