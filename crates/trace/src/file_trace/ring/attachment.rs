//! A process that ran before anybody watched: what it has open, and what it does from
//! then on. It is neither stopped nor traced, and lives on.

use super::follower::{Delivered, Followed, Follower};
use super::stacks::RingStacks;
use super::watch::watch_running;
use super::{RingCapture, RingOptions, conclude, through_ring};
use crate::error::TraceError;
use crate::file_trace::unseen::Unseen;
use fathom_events::{FileEvent, OpenFlags, PathTable, RunningDescriptor, RunningProcess};
use fathom_model::Cut;
use fathom_stacks::StackTable;
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;

/// A process that is followed.
#[derive(Debug)]
pub struct RingAttachment {
    capture: RingCapture,
    running: RunningProcess,
    threads: Vec<u32>,
    now_ns: u64,
}

/// How the watch of a process ended.
#[derive(Debug, Clone)]
pub struct AttachmentEnd {
    /// How the process ended; `None` where it lives on.
    pub status: Option<ExitStatus>,
    /// What ended the watch before that.
    pub cut: Option<Cut>,
    /// How many events there were.
    pub events: u64,
    /// How many processes.
    pub processes: u64,
    /// What was not seen, or not as wished.
    pub unseen: Vec<Unseen>,
    /// The stacks that events name, where they were asked for.
    pub stacks: Option<Arc<StackTable>>,
    /// How many calls have none, since it could not be copied.
    pub without_stack: u64,
}

/// A process may make threads faster than they are listed, but not for ever.
const LISTINGS: u32 = 100;

impl RingAttachment {
    pub(super) fn new(capture: RingCapture, process: u32) -> Result<Self, TraceError> {
        let refused =
            |reason: String| TraceError::Forbidden { program: format!("process {process}"), reason };
        if process == std::process::id() {
            return Err(refused("that is fathom itself".to_owned()));
        }
        let status = fs::read_to_string(format!("/proc/{process}/status"));
        let status = status.map_err(|error| refused(format!("/proc/{process}: {error}")))?;
        let group = status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok());
        let process = group.unwrap_or(process);
        let mut threads = Vec::new();
        for _ in 0..LISTINGS {
            let new: Vec<u32> =
                listed(process, "task").filter(|thread| capture.probe.follow(*thread)).collect();
            if new.is_empty() {
                break;
            }
            for thread in new {
                if fs::exists(format!("/proc/{process}/task/{thread}")).unwrap_or(false) {
                    threads.push(thread);
                } else {
                    capture.probe.forget(thread);
                }
            }
        }
        if threads.is_empty() {
            return Err(refused("it has ended".to_owned()));
        }
        let now = clock_gettime(ClockId::Monotonic);
        let now_ns = now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs();
        Ok(Self { capture, running: running(process), threads, now_ns })
    }

    /// What the process was when it began to be followed.
    pub fn running(&self) -> &RunningProcess {
        &self.running
    }

    /// Gives every call of the file path to `sink` until the process and its new children
    /// have ended, or the watch is to end.
    pub fn follow(
        self,
        options: &RingOptions<'_>,
        sink: &mut dyn FnMut(FileEvent, &PathTable),
    ) -> Result<AttachmentEnd, TraceError> {
        let Self { capture: RingCapture { probe, ring, calls }, running, threads, now_ns } = self;
        let follower = Follower::new(calls, probe.requests(), Delivered::default());
        let mut follower = follower.with_stacks(probe.stacks().map(RingStacks::new), None);
        follower.meet(running.process, &threads, running.program.unwrap_or_default().into(), now_ns);
        let cut = through_ring(ring, &mut follower, sink, || Ok(watch_running(&probe, options)))?;
        let Followed { events, processes, reservations, first_code, stacks } =
            conclude(&probe, follower, sink);
        Ok(AttachmentEnd {
            status: first_code.map(ExitStatus::from_raw),
            cut: cut.map(Cut::from),
            events,
            processes,
            unseen: reservations.into_vec(),
            without_stack: stacks.as_ref().map_or(0, |(_, without)| *without),
            stacks: stacks.map(|(table, _)| Arc::new(table)),
        })
    }
}

fn running(process: u32) -> RunningProcess {
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

/// The numbers that a directory of a process lists.
fn listed(process: u32, directory: &str) -> impl Iterator<Item = u32> {
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
