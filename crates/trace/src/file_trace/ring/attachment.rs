//! A process that ran before anybody watched: what it has open, and what it does from
//! then on. It is neither stopped nor traced, and lives on.

use super::follower::{Delivered, Followed, Follower};
use super::running::{GroupMember, follow_threads, now_ns, running};
use super::stacks::RingStacks;
use super::watch::watch_running;
use super::{RingCapture, RingOptions, conclude, through_ring};
use crate::error::TraceError;
use crate::file_trace::unseen::Unseen;
use fathom_events::{FileEvent, PathTable, RunningProcess};
use fathom_model::Cut;
use fathom_stacks::StackTable;
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
    /// Who was followed, where it was a group.
    pub members: Vec<GroupMember>,
}

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
        let threads = follow_threads(&capture.probe, process);
        if threads.is_empty() {
            return Err(refused("it has ended".to_owned()));
        }
        Ok(Self { capture, running: running(process), threads, now_ns: now_ns() })
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
        let follower =
            Follower::new(calls, probe.requests(), Delivered::default()).telling_waits(probe.tells_waits());
        let mut follower = follower.with_stacks(probe.stacks().map(RingStacks::new), None);
        follower.meet(running.process, &threads, running.program.unwrap_or_default().into(), now_ns);
        let cut = through_ring(ring, &mut follower, sink, || Ok(watch_running(&probe, options)))?;
        let Followed { events, processes, reservations, first_code, stacks, members } =
            conclude(&probe, follower, sink);
        Ok(AttachmentEnd {
            status: first_code.map(ExitStatus::from_raw),
            cut: cut.map(Cut::from),
            events,
            processes,
            unseen: reservations.into_vec(),
            without_stack: stacks.as_ref().map_or(0, |(_, without)| *without),
            stacks: stacks.map(|(table, _)| Arc::new(table)),
            members,
        })
    }
}
