//! A group of which all are followed: who comes in, and how the files of each are called.

use super::{Follower, Process};
use crate::file_trace::ring::record::{Head, Kind};
use crate::file_trace::ring::running::{GroupMember, mounts_of, number_inside, running, see_from};
use fathom_events::RunningProcess;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Processes that nobody was told of yet.
pub(in crate::file_trace::ring) type Newcomers = Arc<Mutex<Vec<RunningProcess>>>;

/// So many are kept; more are counted alone.
const MOST_MEMBERS: usize = 10_000;

/// What is known of a group.
#[derive(Debug, Default)]
pub(super) struct Group {
    newcomers: Newcomers,
    members: BTreeMap<u32, GroupMember>,
    /// The mount namespace of each process that lives.
    mounts: BTreeMap<u32, PathBuf>,
    /// By mount namespace, how paths in it begin: the first is the group's own, whose paths are as the
    /// group sees them.
    views: BTreeMap<PathBuf, String>,
}

impl Group {
    /// Takes in what a process is now, or what it has become by an exec.
    fn meet(&mut self, mut known: RunningProcess, keeps_descriptors: bool) {
        let process = known.process;
        if let Some(namespace) = mounts_of(process) {
            let first = self.views.is_empty();
            let view = self
                .views
                .entry(namespace.clone())
                .or_insert_with(|| if first { String::new() } else { format!("/proc/{process}/root") });
            see_from(view, &mut known);
            self.mounts.insert(process, namespace);
        }
        if keeps_descriptors {
            known.descriptors.clear();
        }
        self.add(process, number_inside(process), known.program.clone());
        self.newcomers.lock().unwrap_or_else(PoisonError::into_inner).push(known);
    }

    fn add(&mut self, process: u32, inside: Option<u32>, program: Option<String>) {
        if self.members.len() < MOST_MEMBERS || self.members.contains_key(&process) {
            let known = self.members.entry(process);
            let member = known.or_insert(GroupMember { process, inside: None, program: None });
            member.inside = inside.or(member.inside);
            member.program = program.or(member.program.take());
        }
    }

    /// One made another.
    pub(super) fn born(&mut self, process: u32, head: &Head) {
        // The same number may have been another's.
        let inside = u32::try_from(head.arguments[4]).ok().filter(|inside| *inside != 0);
        let program = self.members.get(&head.process).and_then(|maker| maker.program.clone());
        self.members.remove(&process);
        self.add(process, inside, program);
        if let Some(mounts) = self.mounts.get(&head.process).cloned() {
            self.mounts.insert(process, mounts);
        }
    }

    /// What starts a container goes into its mounts, and then executes what is asked for.
    pub(super) fn executed(&mut self, process: u32, program: &Path) {
        match mounts_of(process) {
            Some(namespace) if self.mounts.get(&process) != Some(&namespace) => {
                self.meet(running(process), true);
            }
            _ => self.add(process, None, Some(program.to_string_lossy().into_owned())),
        }
    }
}

impl Follower {
    /// The members of a group that are there. Everything begins now.
    pub(in crate::file_trace::ring) fn meet_group(
        &mut self,
        members: Vec<(RunningProcess, Vec<u32>)>,
        newcomers: Newcomers,
        now_ns: u64,
    ) {
        self.has_begun = true;
        self.began_ns = now_ns;
        self.group = Some(Group { newcomers, ..Group::default() });
        for (known, threads) in members {
            for thread in threads {
                self.add(thread, known.process, false);
            }
            self.join(known);
        }
    }

    /// Makes known who is not yet: whoever was not made by a member came in from elsewhere.
    pub(super) fn let_in(&mut self, head: &Head) {
        let is_known = |thread: &u32| self.threads.contains_key(thread);
        let former = u32::try_from(head.arguments[0]).unwrap_or(head.thread);
        let is_new = match head.kind {
            Kind::Call | Kind::ForeignCall | Kind::Birth => !is_known(&head.thread),
            Kind::Exec => !is_known(&head.thread) && !is_known(&former),
            _ => false,
        };
        if is_new {
            let thread = if head.kind == Kind::Exec { former } else { head.thread };
            let is_process = !self.processes.contains_key(&head.process);
            self.add(thread, head.process, false);
            if is_process {
                self.join(running(head.process));
            }
        }
    }

    fn join(&mut self, known: RunningProcess) {
        self.processes_seen += 1;
        if known.directory.is_none() {
            self.reservations.vanished();
        }
        let process: &mut Process = self.processes.entry(known.process).or_default();
        process.program = known.program.as_deref().unwrap_or_default().into();
        if let Some(group) = &mut self.group {
            group.meet(known, false);
        }
    }

    /// Who was followed of a group.
    pub(super) fn take_members(&mut self) -> Vec<GroupMember> {
        let members = self.group.take().map(|group| group.members.into_values());
        members.into_iter().flatten().collect()
    }
}
