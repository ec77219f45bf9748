//! The calls of the file path that this architecture has, by number, and the filter that
//! stops a program at them and at no others. What they are stands in `fathom_events`.

use crate::call::{Call, NATIVE_ARCHITECTURE};
use fathom_events::CallName;
pub(super) use fathom_events::{At, CloseOnExec, Follow, Shape};
use fathom_sys::seccomp_filter::{Chosen, SeccompFilter};

/// The calls by number.
#[derive(Debug)]
pub(super) struct Calls {
    by_number: Vec<Option<(CallName, Shape)>>,
}

const PR_SET_SECCOMP: u32 = 22;
const ARCH_SET_GS: u32 = 0x1001;
/// Followed for some values of its first argument alone.
const BY_FIRST_ARGUMENT: [(&str, u32); 1] = [("prctl", PR_SET_SECCOMP)];

impl Calls {
    /// Those that this architecture has.
    pub(super) fn new() -> Self {
        let mut by_number = Vec::new();
        let made = fathom_events::calls().filter(|(_, shape)| !matches!(shape, Shape::Logged(_)));
        for (name, shape) in made {
            let Some(number) = Call::named(name).and_then(|call| usize::try_from(call.number).ok()) else {
                continue;
            };
            if by_number.len() <= number {
                by_number.resize(number + 1, None);
            }
            by_number[number] = Some((name, shape));
        }
        Self { by_number }
    }

    /// Name and arguments of a call of the file path.
    pub(super) fn find(&self, call: Call) -> Option<(CallName, Shape)> {
        let number = usize::try_from(call.number).ok().filter(|_| !call.foreign)?;
        *self.by_number.get(number)?
    }

    /// Every call of the file path by its number.
    pub(super) fn shapes(&self) -> impl Iterator<Item = (u32, Shape)> {
        (0_u32..).zip(&self.by_number).filter_map(|(number, call)| call.map(|(_, shape)| (number, shape)))
    }

    /// The filter that hands them to a tracer, unless they are made at one of `passing_at`; whether that is looked at
    /// first, by which what passes is cheaper and all else dearer.
    pub(super) fn filter(&self, passing_at: &[u64], place_first: bool) -> SeccompFilter {
        let is_partial = |name: &str| BY_FIRST_ARGUMENT.iter().any(|(partial, _)| *partial == name);
        let numbers = (0_u32..).zip(&self.by_number);
        let calls: Vec<u32> = numbers
            .filter(|(_, call)| call.is_some_and(|(name, _)| !is_partial(name)))
            .map(|(number, _)| number)
            .collect();
        // Who sets gs takes it from the hook.
        let of_hook = (!passing_at.is_empty()).then_some(("arch_prctl", ARCH_SET_GS));
        let by_first_argument: Vec<(u32, u32)> = BY_FIRST_ARGUMENT
            .iter()
            .chain(&of_hook)
            .filter_map(|(name, argument)| Some((u32::try_from(Call::named(name)?.number).ok()?, *argument)))
            .collect();
        SeccompFilter::handing_over(Chosen {
            architecture: NATIVE_ARCHITECTURE,
            calls: &calls,
            by_first_argument: &by_first_argument,
            passing_at,
            place_first,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of logs: of 32-bit programs and of older versions of strace's.
    const OF_LOGS: &[&str] = &[
        "_llseek",
        "arm_fadvise64_64",
        "chown32",
        "fadvise64_64",
        "fchown32",
        "fcntl64",
        "fstat64",
        "fstatat64",
        "fstatfs64",
        "ftruncate64",
        "lchown32",
        "llseek",
        "lstat64",
        "mmap2",
        "oldfstat",
        "oldlstat",
        "oldstat",
        "pread",
        "pwrite",
        "sendfile64",
        "stat64",
        "statfs64",
        "sync_file_range2",
        "timerfd",
        "truncate64",
        "utimensat_time64",
    ];

    #[test]
    fn every_name_is_one_of_the_kernels_or_of_logs() {
        // On other architectures the older calls are missing too.
        let known = fathom_events::calls().filter(|(_, shape)| !matches!(shape, Shape::Logged(_)));
        let (here, missing): (Vec<_>, Vec<_>) = known.partition(|(name, _)| Call::named(name).is_some());
        let unknown: Vec<_> = missing.iter().filter(|(name, _)| !OF_LOGS.contains(name)).collect();
        assert!(!cfg!(target_arch = "x86_64") || unknown.is_empty(), "{unknown:?}");
        let calls = Calls::new();
        assert_eq!(calls.by_number.iter().flatten().count(), here.len());
    }

    #[test]
    fn foreign_calls_and_others_are_none_of_the_file_path() {
        let calls = Calls::new();
        let openat = Call::named("openat").unwrap();
        assert_eq!(calls.find(openat).unwrap().0, "openat");
        assert!(calls.find(Call { foreign: true, ..openat }).is_none());
        assert!(calls.find(Call::named("getpid").unwrap()).is_none());
    }
}
