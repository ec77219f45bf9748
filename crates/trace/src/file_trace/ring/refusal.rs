//! Why a ring cannot be had, in words.

use fathom_sys::SysError;
use fathom_sys::bpf::LoadError;
use rustix::io::Errno;
use std::fs;

/// Why calls cannot be captured through a ring of the kernel's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RingRefusal {
    /// The kernel, its architecture or what it tells of itself.
    #[error("{0}")]
    Kernel(String),
    /// A privilege is missing, or taken away.
    #[error("{0}")]
    Forbidden(String),
    /// bpf(2) or what belongs to it failed.
    #[error("{0}")]
    Failed(String),
}

/// Bits of capabilities.
const SYS_ADMIN: u64 = 1 << 21;
const PERFMON: u64 = 1 << 38;
const BPF: u64 = 1 << 39;
const LOCKDOWN: &str = "/sys/kernel/security/lockdown";
const PROCESSES: &str = "/proc/self/ns/pid";
const USERS: &str = "/proc/self/ns/user";
/// The inode of the namespace of users whose capabilities bpf(2) asks for.
const FIRST_USERS: &str = "user:[4026531837]";
/// The kernel that has all that the programs call: `bpf_task_pt_regs` is the youngest. What
/// distributions took over into older ones is tried.
const NEEDED: (u32, u32) = (5, 15);
/// The inode of the namespace of processes in which the kernel itself counts.
const FIRST_NAMESPACE: &str = "pid:[4026531836]";

impl From<SysError> for RingRefusal {
    fn from(error: SysError) -> Self {
        match error.errno() {
            Some(errno @ (Errno::PERM | Errno::ACCESS | Errno::NOSYS)) => Self::of_errno(errno),
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<LoadError> for RingRefusal {
    fn from(error: LoadError) -> Self {
        match error.errno {
            errno @ (Errno::PERM | Errno::NOSYS) => Self::of_errno(errno),
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl RingRefusal {
    /// What is known before anything is tried.
    pub(super) fn foreseen() -> Option<Self> {
        if cfg!(target_endian = "big") {
            return Some(Self::Kernel("records are read on little-endian machines only".to_owned()));
        }
        let held = fathom_sys::capability::effective().unwrap_or(u64::MAX);
        if !may_load(held) {
            return Some(Self::Forbidden(
                "it needs CAP_BPF and CAP_PERFMON, which root has and other users can be given".to_owned(),
            ));
        }
        if fs::read_link(USERS).is_ok_and(|namespace| namespace.as_os_str() != FIRST_USERS) {
            return Some(Self::Forbidden(
                "this is a user namespace of its own, whose capabilities bpf(2) does not take".to_owned(),
            ));
        }
        let namespace = fs::read_link(PROCESSES).ok()?;
        (namespace.as_os_str() != FIRST_NAMESPACE).then(|| {
            Self::Kernel(
                "this is a PID namespace of its own, where the kernel's numbers are others".to_owned(),
            )
        })
    }

    /// What the kernel's own words hide: it is too old, which comes out as a limit of locked
    /// memory or as the verifier's opinion of some instruction.
    pub(super) fn of_kernel(self, release: &str) -> Self {
        match self {
            Self::Kernel(_) => self,
            Self::Forbidden(_) | Self::Failed(_) if is_too_old(release) => Self::Kernel(format!(
                "it needs Linux {}.{} or later, and this is {release}",
                NEEDED.0, NEEDED.1
            )),
            refusal => refusal,
        }
    }

    fn of_errno(errno: Errno) -> Self {
        if errno == Errno::NOSYS {
            return Self::Kernel("this kernel has no bpf(2)".to_owned());
        }
        let lockdown = fs::read_to_string(LOCKDOWN).unwrap_or_default();
        if lockdown.contains("[confidentiality]") {
            return Self::Forbidden("the kernel is locked down for confidentiality".to_owned());
        }
        let name = crate::call::errno_name(errno.raw_os_error());
        Self::Forbidden(format!(
            "bpf(2) was refused ({name}) though the capabilities are held: a filter of system calls, as \
             containers have one, or a security module forbids it"
        ))
    }
}

/// True of a release like `5.10.0-32-amd64` that is older than what is needed.
fn is_too_old(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) < NEEDED,
        _ => false,
    }
}

/// `CAP_SYS_ADMIN` stands for both, as before they were taken out of it.
fn may_load(held: u64) -> bool {
    held & SYS_ADMIN != 0 || held & (BPF | PERFMON) == BPF | PERFMON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_capabilities_or_the_old_one_are_needed() {
        assert!(may_load(BPF | PERFMON) && may_load(SYS_ADMIN));
        assert!(!may_load(BPF) && !may_load(PERFMON) && !may_load(0));
    }

    #[test]
    fn an_old_kernel_is_the_reason_whatever_it_says() {
        let said = || RingRefusal::Failed("bpf(BPF_PROG_LOAD) of fathom_end: EINVAL".to_owned());
        let old = said().of_kernel("5.10.0-32-amd64");
        assert_eq!(old.to_string(), "it needs Linux 5.15 or later, and this is 5.10.0-32-amd64");
        assert!(RingRefusal::Forbidden("EPERM".to_owned()).of_kernel("4.19.0").to_string().contains("5.15"));
        assert_eq!(said().of_kernel("5.15.0-1-generic"), said());
        assert_eq!(said().of_kernel("6.12.117+deb13-amd64"), said());
        assert_eq!(said().of_kernel("unknown"), said());
    }

    #[test]
    fn refusals_are_words() {
        let refused = RingRefusal::from(SysError::Refused { call: "bpf", errno: Errno::NOSYS });
        assert_eq!(refused.to_string(), "this kernel has no bpf(2)");
        let refused = RingRefusal::from(SysError::Refused { call: "bpf", errno: Errno::PERM });
        assert!(matches!(&refused, RingRefusal::Forbidden(words) if !words.is_empty()), "{refused}");
        let full = RingRefusal::from(SysError::Refused { call: "mmap", errno: Errno::NOMEM });
        assert!(full.to_string().starts_with("mmap"), "{full}");
    }
}
