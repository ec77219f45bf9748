//! The allocator of a program that ends in words where memory is refused.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator. Where it has no memory, the process says `words` on standard error and
/// exits with `code`, instead of the abort that Rust's library makes of it. Nothing is cleaned up:
/// that would take memory.
#[derive(Debug)]
pub struct WordyAllocator {
    /// What is said, whole lines.
    pub words: &'static str,
    /// The exit code.
    pub code: u8,
}

/// Has the C library keep freed memory, and take much at a time: what follows a program that makes a
/// million calls takes and frees all the time, and pages that were given back come back cleared. Only
/// glibc's can be told; others do as they do.
pub fn keep_freed_memory() {
    #[cfg(target_env = "gnu")]
    {
        const MIB: libc::c_int = 1 << 20;
        let wishes =
            [(libc::M_TOP_PAD, MIB), (libc::M_TRIM_THRESHOLD, 128 * MIB), (libc::M_MMAP_THRESHOLD, 8 * MIB)];
        for (wish, bytes) in wishes {
            // SAFETY: mallopt(3) takes two numbers; one that it does not want is refused.
            unsafe { libc::mallopt(wish, bytes) };
        }
    }
}

impl WordyAllocator {
    fn checked(&self, memory: *mut u8) -> *mut u8 {
        if memory.is_null() {
            // SAFETY: write(2) of a static text of the given length.
            unsafe { libc::write(libc::STDERR_FILENO, self.words.as_ptr().cast(), self.words.len()) };
            // SAFETY: _exit(2) takes a number and returns to nobody.
            unsafe { libc::_exit(self.code.into()) };
        }
        memory
    }
}

// SAFETY: every call is handed to the system's allocator as it came, and its answer is given unless
// it is null, when nothing returns.
unsafe impl GlobalAlloc for WordyAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        self.checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        self.checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        self.checked(unsafe { System.realloc(memory, layout, bytes) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) };
    }
}
