//! All processes of a control group: those that are there, what they make, and whoever comes in
//! while it is watched. They are neither stopped nor traced, and live on.

use super::follower::{Delivered, Followed, Follower, Newcomers};
use super::running::{follow_threads, now_ns, running};
use super::watch::watch_group;
use super::{AttachmentEnd, RingCapture, RingOptions, conclude, through_ring};
use crate::error::TraceError;
use fathom_events::{FileEvent, PathTable, RunningProcess};
use fathom_model::Cut;
use std::sync::PoisonError;

/// A group that is followed.
#[derive(Debug)]
pub struct GroupAttachment {
    capture: RingCapture,
    /// With their threads.
    members: Vec<(RunningProcess, Vec<u32>)>,
    now_ns: u64,
}

/// What is observed of a group, in its order.
#[derive(Debug)]
pub enum Observed<'a> {
    /// A process ran before, or came in from elsewhere, or now sees other mounts.
    Process(&'a RunningProcess),
    /// A call.
    Event(FileEvent, &'a PathTable),
}

impl GroupAttachment {
    pub(super) fn new(capture: RingCapture, processes: &[u32]) -> Self {
        let now_ns = now_ns();
        let members = processes.iter().map(|process| {
            let threads = follow_threads(&capture.probe, *process);
            (running(*process), threads)
        });
        let members = members.collect();
        Self { capture, members, now_ns }
    }

    /// Gives what happens to `sink` until nobody is left, or the watch is to end. `is_populated` says
    /// whether anybody is in the group who is not known here: one who makes no calls.
    pub fn follow(
        self,
        options: &RingOptions<'_>,
        is_populated: &(dyn Fn() -> bool + Sync),
        sink: &mut dyn FnMut(Observed<'_>),
    ) -> Result<AttachmentEnd, TraceError> {
        let Self { capture: RingCapture { probe, ring, calls }, members, now_ns } = self;
        let newcomers = Newcomers::default();
        let mut follower =
            Follower::new(calls, probe.requests(), Delivered::default()).telling_waits(probe.tells_waits());
        follower.meet_group(members, Newcomers::clone(&newcomers), now_ns);
        let mut told = |event: FileEvent, paths: &PathTable| {
            let met = std::mem::take(&mut *newcomers.lock().unwrap_or_else(PoisonError::into_inner));
            for process in &met {
                sink(Observed::Process(process));
            }
            sink(Observed::Event(event, paths));
        };
        let live = || Ok(watch_group(&probe, options, is_populated));
        let cut = through_ring(ring, &mut follower, &mut told, live)?;
        let Followed { events, processes, reservations, members, .. } = conclude(&probe, follower, &mut told);
        Ok(AttachmentEnd {
            status: None,
            cut: cut.map(Cut::from),
            events,
            processes,
            unseen: reservations.into_vec(),
            stacks: None,
            without_stack: 0,
            members,
        })
    }
}
