//! System calls and their results as keys to count by, and which arguments are paths.

use fathom_events::{Shape, shape_of};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;
use syscalls::{Errno, Sysno};

/// The numbers of calls on this architecture, by name. More than a hundred names are looked up before
/// a command is started.
static NUMBERS: LazyLock<HashMap<&'static str, u64>> = LazyLock::new(|| {
    let number = |sysno: Sysno| Some((one_name(sysno.name()), u64::try_from(sysno.id()).ok()?));
    Sysno::iter().filter_map(number).collect()
});

/// A system call of an architecture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// Its number.
    pub number: u64,
    /// True when it is a call of another architecture (a 32-bit program's),
    /// whose numbers have other names.
    pub foreign: bool,
}

/// A call with how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallKey {
    /// The call.
    pub call: Call,
    /// The errno when it failed.
    pub errno: Option<i32>,
}

/// Results by which the kernel says that a signal struck and the call is to be made again.
const RESTARTS: [(i32, &str); 4] =
    [(512, "ERESTARTSYS"), (513, "ERESTARTNOINTR"), (514, "ERESTARTNOHAND"), (516, "ERESTART_RESTARTBLOCK")];

#[cfg(target_arch = "x86_64")]
pub(crate) const NATIVE_ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
pub(crate) const NATIVE_ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(target_arch = "riscv64")]
pub(crate) const NATIVE_ARCHITECTURE: u32 = 0xC000_00F3;

/// Calls that headers of some architectures name otherwise than strace and `x86_64` do: arm64 and
/// riscv64 number `newfstatat` as `__NR3264_fstatat`.
const ONE_NAME: [(&str, &str); 1] = [("fstatat", "newfstatat")];

const X32_BIT: u64 = 0x4000_0000;
const X32_NUMBERS: u64 = 0x3fff_ffff;

impl Call {
    /// A call as the kernel tells it at its entry.
    pub fn new(architecture: u32, number: u64) -> Self {
        // Calls in the form of x32 come with this bit under the same architecture.
        let foreign = architecture != NATIVE_ARCHITECTURE || number & !X32_NUMBERS == X32_BIT;
        Self { number, foreign }
    }

    /// The call of this name on this architecture; headers' names are taken too.
    pub fn named(name: &str) -> Option<Self> {
        let number = *NUMBERS.get(one_name(name))?;
        Some(Self { number, foreign: false })
    }

    /// Its name, the same on every architecture and the one that strace prints; `syscall_N` when
    /// it has none here.
    pub fn name(self) -> Cow<'static, str> {
        if self.foreign {
            return Cow::Owned(format!("foreign_syscall_{}", self.number));
        }
        match usize::try_from(self.number).ok().and_then(Sysno::new) {
            Some(sysno) => Cow::Borrowed(one_name(sysno.name())),
            None => Cow::Owned(format!("syscall_{}", self.number)),
        }
    }

    /// True when it makes a thread or a process.
    pub(crate) fn makes_a_thread(self) -> bool {
        if self.foreign {
            // Of i386, the one whose programs run beside ours: fork, clone, vfork, clone3.
            return matches!(self.number, 2 | 120 | 190 | 435);
        }
        matches!(self.name().as_ref(), "clone" | "clone3" | "fork" | "vfork")
    }

    /// Which of its arguments are paths, by position.
    pub(crate) fn path_arguments(self) -> impl Iterator<Item = usize> {
        shape_of(&self.name()).into_iter().flat_map(Shape::paths)
    }
}

/// Why nothing on this machine can make a call of this name; `None` of one that can be made.
pub fn why_missing(name: &str) -> Option<String> {
    let architecture = std::env::consts::ARCH;
    if Call::named(name).is_none() {
        return Some(format!("{architecture} has no system call `{name}`"));
    }
    fathom_sys::young_calls::is_missing(name)
        .then(|| format!("this kernel, or a system-call filter in force, has no `{name}` (ENOSYS)"))
}

impl CallKey {
    /// The name of the errno, when the call failed.
    pub fn errno_name(self) -> Option<String> {
        self.errno.map(errno_name)
    }

    /// True when the result says no more than that a signal struck meanwhile.
    pub(crate) fn is_restart(self) -> bool {
        self.errno.is_some_and(is_restart)
    }
}

/// The name of a call that holds on every architecture.
fn one_name(name: &str) -> &str {
    ONE_NAME.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name)
}

/// True of an errno that says no more than that a signal struck meanwhile.
pub(crate) fn is_restart(errno: i32) -> bool {
    RESTARTS.iter().any(|(number, _)| *number == errno)
}

/// The name of an errno: `ENOENT`; the number of one without a name.
pub fn errno_name(errno: i32) -> String {
    let restart = RESTARTS.iter().find(|(number, _)| *number == errno).map(|(_, name)| *name);
    restart.or_else(|| Errno::new(errno).name()).map_or_else(|| format!("errno {errno}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_the_kernels() {
        let openat = Call::new(NATIVE_ARCHITECTURE, libc::SYS_openat.cast_unsigned());
        assert_eq!(openat.name(), "openat");
        assert_eq!(Call::named("openat"), Some(openat));
        assert_eq!(Call::named("no_such_call"), None);
        // On x86_64 262, on arm64 and riscv64 79; headers there call it fstatat.
        let look = Call::new(NATIVE_ARCHITECTURE, libc::SYS_newfstatat.cast_unsigned());
        assert_eq!(look.name(), "newfstatat");
        assert_eq!((Call::named("newfstatat"), Call::named("fstatat")), (Some(look), Some(look)));
        assert_eq!(Call::new(NATIVE_ARCHITECTURE, 999_999).name(), "syscall_999999");
        assert_eq!(Call::new(0x4000_0003, 5).name(), "foreign_syscall_5", "5 is open on i386, fstat here");
    }

    #[test]
    fn a_call_has_one_name_on_every_architecture() {
        assert_eq!(["fstatat", "newfstatat", "fstat"].map(one_name), ["newfstatat", "newfstatat", "fstat"]);
    }

    #[test]
    fn calls_of_other_architectures_are_missing() {
        assert!(why_missing("openat").is_none());
        let reason = why_missing("fstatat64").unwrap();
        assert_eq!(reason, format!("{} has no system call `fstatat64`", std::env::consts::ARCH));
        assert_eq!(why_missing("open").is_some(), cfg!(target_arch = "aarch64"));
    }

    #[test]
    fn errnos_have_their_names_also_those_a_program_never_sees() {
        let key = |errno| CallKey { call: Call::named("read").unwrap(), errno };
        assert_eq!(key(Some(2)).errno_name().as_deref(), Some("ENOENT"));
        assert_eq!(key(Some(512)).errno_name().as_deref(), Some("ERESTARTSYS"));
        assert_eq!(key(None).errno_name(), None);
        assert!(key(Some(512)).is_restart() && !key(Some(4)).is_restart());
    }
}
