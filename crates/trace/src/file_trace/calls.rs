//! The calls of the file path: which there are, what their arguments mean, and the
//! filter that stops a program at them and at no others.

mod table;

use super::memory::EntryForm;
use crate::call::{Call, NATIVE_ARCHITECTURE};
use fathom_events::{CallName, DescriptorKind};
use fathom_sys::seccomp_filter::{Chosen, SeccompFilter};
use table::TABLE;

/// By which arguments a call names a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum At {
    /// A descriptor in this one.
    Descriptor(usize),
    /// A path in this one, below the current directory.
    Path(usize),
    /// A directory's descriptor in the first, a path in the second.
    Below(usize, usize),
}

/// Whether a symbolic link at the end of a path is followed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Follow {
    Always,
    Never,
    /// Unless `AT_SYMLINK_NOFOLLOW` is in this argument.
    Unless(usize),
    /// Only with `AT_SYMLINK_FOLLOW` in this argument.
    If(usize),
}

/// When a new descriptor is closed on exec.
#[derive(Debug, Clone, Copy)]
pub(super) enum CloseOnExec {
    Never,
    Always,
    /// With this bit in this argument.
    Bit(usize, u32),
}

/// What a call's arguments are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Open {
        at: At,
        flags: usize,
        mode: usize,
    },
    Create,
    OpenHow,
    Close,
    CloseRange,
    Transfer {
        write: bool,
        vector: bool,
        offset: bool,
    },
    Seek,
    Stat {
        at: At,
        buffer: usize,
        follow: Follow,
    },
    ExtendedStat,
    StatFileSystem(At),
    Access {
        at: At,
        mode: usize,
        follow: Follow,
    },
    ReadLink {
        at: At,
        buffer: usize,
    },
    List {
        form: EntryForm,
    },
    MakeDirectory {
        at: At,
        mode: usize,
    },
    Remove {
        at: At,
        flags: Option<usize>,
        directory: bool,
    },
    Rename {
        from: At,
        to: At,
        flags: Option<usize>,
    },
    Link {
        from: At,
        to: At,
        follow: Follow,
    },
    SymbolicLink {
        at: At,
    },
    Truncate(At),
    Allocate,
    ChangeMode {
        at: At,
        mode: usize,
        follow: Follow,
    },
    ChangeAttributes {
        at: At,
        follow: Follow,
    },
    GetAttribute {
        at: At,
        follow: Follow,
    },
    Duplicate,
    DuplicateTo {
        flags: Option<usize>,
    },
    Control,
    DeviceControl,
    Lock,
    Watch,
    Map,
    Unmap,
    Remap,
    AdviseMemory,
    Advise,
    ReadAhead,
    Sync {
        one: bool,
        data_only: bool,
    },
    CopyFileRange,
    SendFile,
    Splice,
    ChangeDirectory(At),
    ChangeRoot,
    CurrentDirectory,
    Mask,
    Make {
        kind: DescriptorKind,
        pair: Option<usize>,
        close_on_exec: CloseOnExec,
    },
    Clone,
    CloneWithStructure,
    Fork,
    Unshare,
    Execute(At),
    Other,
    /// As `Other`, and what comes of it is not seen.
    MakeRing,
    /// No event: it is followed to say that a program filters its own calls.
    FilterCalls,
    /// No event: the binding to a CPU is lifted before it.
    Affinity,
}

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
        for (name, shape) in TABLE {
            let Some(number) = Call::named(name).and_then(|call| usize::try_from(call.number).ok()) else {
                continue;
            };
            if by_number.len() <= number {
                by_number.resize(number + 1, None);
            }
            by_number[number] = Some((*name, *shape));
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

    /// The filter that hands them to a tracer, unless they are made at one of `passing_at`.
    pub(super) fn filter(&self, passing_at: &[u64]) -> SeccompFilter {
        self.choose(passing_at, SeccompFilter::handing_over)
    }

    /// What the filter adds to one of them that passes, in ns.
    pub(super) fn passing_cost_ns(&self, passing_at: &[u64], call: Call) -> Option<f64> {
        let number = u32::try_from(call.number).ok()?;
        self.choose(passing_at, |chosen| SeccompFilter::passing_cost_ns(chosen, number))
    }

    fn choose<T>(&self, passing_at: &[u64], then: impl FnOnce(Chosen<'_>) -> T) -> T {
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
        then(Chosen {
            architecture: NATIVE_ARCHITECTURE,
            calls: &calls,
            by_first_argument: &by_first_argument,
            passing_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_of_the_kernels_and_stands_once() {
        // On other architectures the older calls are missing.
        let known = TABLE.iter().filter(|(name, _)| Call::named(name).is_some()).count();
        let missing: Vec<_> = TABLE.iter().filter(|(name, _)| Call::named(name).is_none()).collect();
        assert!(!cfg!(target_arch = "x86_64") || missing.is_empty(), "{missing:?}");
        let calls = Calls::new();
        assert_eq!(calls.by_number.iter().flatten().count(), known);
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
