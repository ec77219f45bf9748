//! Processes that run already: what they have open, and how their threads begin to be followed.

use super::probe::Probe;
use fathom_events::{OpenFlags, RunningDescriptor, RunningProcess};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::path::PathBuf;

/// A process of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMember {
    /// Its number here.
    pub process: u32,
    /// Its number in its own process namespace; `None` where it ended before that could be read.
    pub inside: Option<u32>,
    /// The program that it ran last, as the group sees it.
    pub program: Option<String>,
}

/// A process may make threads faster than they are listed, but not for ever.
const LISTINGS: u32 = 100;

/// Follows all threads of a process that nobody follows yet.
pub(super) fn follow_threads(probe: &Probe, process: u32) -> Vec<u32> {
    let mut threads = Vec::new();
    for _ in 0..LISTINGS {
        let new: Vec<u32> = listed(process, "task").filter(|thread| probe.follow(*thread)).collect();
        if new.is_empty() {
            break;
        }
        for thread in new {
            if fs::exists(format!("/proc/{process}/task/{thread}")).unwrap_or(false) {
                threads.push(thread);
            } else {
                probe.forget(thread);
            }
        }
    }
    threads
}

/// By the clock that records go by.
pub(super) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// What a process is now, as far as it is still there.
pub(in crate::file_trace) fn running(process: u32) -> RunningProcess {
    let link = |name: &str| {
        let path = fs::read_link(format!("/proc/{process}/{name}")).ok()?;
        Some(path.to_string_lossy().into_owned())
    };
    let mut descriptors: Vec<RunningDescriptor> = listed(process, "fd")
        .filter_map(|number| {
            let path = link(&format!("fd/{number}"))?;
            let flags = flags(process, number).unwrap_or(0);
            Some(RunningDescriptor { number: i32::try_from(number).ok()?, path, flags })
        })
        .collect();
    descriptors.sort_by_key(|descriptor| descriptor.number);
    let (program, directory, root) = (link("exe"), link("cwd"), link("root"));
    RunningProcess { process, program, directory, root, descriptors }
}

/// The mount namespace of a process that is still there.
pub(in crate::file_trace) fn mounts_of(process: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/ns/mnt")).ok()
}

/// The number of a process in its innermost namespace.
pub(in crate::file_trace) fn number_inside(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_whitespace().last()?.parse().ok()
}

/// Puts before all paths what leads to them.
pub(in crate::file_trace) fn see_from(view: &str, known: &mut RunningProcess) {
    if view.is_empty() {
        return;
    }
    let below = |path: &str| if path.starts_with('/') { format!("{view}{path}") } else { path.to_owned() };
    for path in [&mut known.program, &mut known.directory].into_iter().flatten() {
        *path = below(path);
    }
    let root = known.root.as_deref().filter(|root| *root != "/").unwrap_or("");
    known.root = Some(format!("{view}{root}"));
    for descriptor in &mut known.descriptors {
        descriptor.path = below(&descriptor.path);
    }
}

/// The numbers that a directory of a process lists.
pub(in crate::file_trace) fn listed(process: u32, directory: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(format!("/proc/{process}/{directory}")).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// `flags: 0100002`, in octal.
fn flags(process: u32, descriptor: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/fdinfo/{descriptor}")).ok()?;
    let octal = text.lines().find_map(|line| line.strip_prefix("flags:"))?.trim();
    u32::from_str_radix(octal, 8).ok().map(|bits| OpenFlags::native(bits).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn what_is_open_is_told_with_its_flags() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = fs::File::create(&path).unwrap();
        let me = running(std::process::id());
        let found = me.descriptors.iter().find(|found| found.number == file.as_raw_fd()).unwrap();
        assert_eq!(found.file(), path.to_str());
        assert_ne!(found.flags & libc::O_CLOEXEC.cast_unsigned(), 0);
        assert_eq!(found.flags & 3, libc::O_WRONLY.cast_unsigned());
        assert_eq!(me.directory.map(Into::into), std::env::current_dir().ok());
        assert_eq!(me.program.map(Into::into), std::env::current_exe().ok());
    }
}
