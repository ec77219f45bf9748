//! getrusage(2): the page faults of the calling thread.

use std::mem::MaybeUninit;

/// Page faults since the thread began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faults {
    /// Those that needed no I/O.
    pub minor: u64,
    /// Those that waited for a device.
    pub major: u64,
}

/// The faults of this thread so far.
pub fn of_this_thread() -> Faults {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills the structure, which outlives the call.
    let result = unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) };
    assert_eq!(result, 0, "getrusage knows this thread");
    // SAFETY: filled by the kernel, and all zeroes would be a value too.
    let usage = unsafe { usage.assume_init() };
    Faults { minor: usage.ru_minflt.cast_unsigned(), major: usage.ru_majflt.cast_unsigned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::{Advice, Region};

    #[test]
    fn each_page_of_new_memory_is_a_minor_fault() {
        let page = rustix::param::page_size();
        let faults_of_64_pages = || {
            let mut region = Region::anonymous(64 * page).unwrap();
            // Where memory comes in huge pages there are fewer.
            let _none_here = region.advise(Advice::LinuxNoHugepage);
            let before = of_this_thread();
            (0..64).for_each(|number| region.write(number * page, 1));
            let after = of_this_thread();
            (after.major - before.major, after.minor - before.minor)
        };
        // The first time, and beside load, the program's own pages come back, too.
        let (major, minor) = (0..20).map(|_| faults_of_64_pages()).min().unwrap();
        assert!((1..=64).contains(&minor), "{minor}");
        assert_eq!(major, 0);
    }
}
