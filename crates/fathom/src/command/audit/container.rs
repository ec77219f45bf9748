//! Containers and control groups that run already: all their processes are watched, by the ring or by ptrace.

use super::capture::{BY_RING, say_how_it_was_watched, user_of};
use super::listener::{End, Listener, Start};
use super::watched_container::WatchedContainer;
use crate::arguments::{Capture, Source as Words};
use crate::command::{Hinted, explained};
use crate::interrupt;
use crate::output;
use anyhow::Context;
use fathom_audit::{AuditedContainer, ContainerProcess, FactKind, Gap, GapKind};
use fathom_collect::{Container, FileView, Membership, find_cgroup, find_container};
use fathom_trace::{GroupMember, Observed, RingCapture, RingOptions, RingWants, trace_group};
use std::fs::File;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// Watches a container by its id or name.
pub(super) fn to_container(id: &str, words: &Words, listener: &mut dyn Listener) -> anyhow::Result<End> {
    let container = find_container(id).map_err(|reason| {
        Hinted::error(
            format!("failed to watch a container: {reason}"),
            "`docker ps`, `podman ps` or `nerdctl ps` lists them; `--cgroup PATH` takes any control group",
        )
    })?;
    to_group(&container, words, listener)
}

/// Watches a control group by its path.
pub(super) fn to_cgroup(path: &Path, words: &Words, listener: &mut dyn Listener) -> anyhow::Result<End> {
    let container = find_cgroup(path).map_err(|reason| {
        Hinted::error(
            format!("failed to watch a control group: {reason}"),
            "`cat /proc/PID/cgroup` has the path of a process's control group",
        )
    })?;
    to_group(&container, words, listener)
}

fn to_group(container: &Container, words: &Words, listener: &mut dyn Listener) -> anyhow::Result<End> {
    let mut described = described(container);
    let subject = described.subject();
    if words.capture == Capture::Hook {
        return Err(Hinted::error(
            format!("the hook does not watch {subject}: it is put into programs as they start"),
            "`--capture ptrace` watches what runs already",
        ));
    }
    let membership = &container.membership;
    let processes = membership.processes();
    if processes.contains(&std::process::id()) {
        return Err(Hinted::error(
            format!("fathom itself runs in {subject}"),
            "start it elsewhere: what it does would be watched, too",
        ));
    }
    let signal = interrupt::number()?;
    let directory = match membership {
        Membership::Unified(directory) => {
            let opened = File::open(directory);
            Some(opened.with_context(|| format!("failed to open {}", directory.display()))?)
        }
        Membership::Legacy(_) | Membership::Namespace { .. } => None,
    };
    let cgroup = directory.as_ref().map(AsFd::as_fd);
    let wants =
        RingWants { stacks: false, times: listener.wants_times(), waits: listener.wants_waits(), cgroup };
    let ring = match words.capture {
        Capture::Ptrace => Err("as asked".to_owned()),
        _ => RingCapture::prepare(wants).map_err(|refusal| format!("a ring cannot be had: {refusal}")),
    };
    let ring = match ring {
        Err(refusal) if words.capture == Capture::Ring => {
            return Err(Hinted::error(
                format!("failed to watch {subject}: {refusal}"),
                "it takes root, or CAP_BPF and CAP_PERFMON; `--capture ptrace` does without, more slowly",
            ));
        }
        ring => ring.map(|ring| ring.attach_group(&membership.processes())),
    };
    let (capture, by) = match &ring {
        Ok(_) => ("ring", BY_RING.to_owned()),
        Err(why) => ("ptrace", format!("by ptrace, which stops its threads at each of their calls: {why}")),
    };
    let first = first_of(membership, &processes);
    if processes.is_empty() {
        output::note(&format!("{subject} is empty: waiting for its first process"));
    }
    let proc = |first: u32, name: &str| format!("/proc/{first}/{name}");
    let link = |first| Some(std::fs::read_link(proc(first, "cwd")).ok()?.to_string_lossy().into_owned());
    listener.begin(&Start {
        subject,
        capture: capture.to_owned(),
        created: Some(jiff::Timestamp::now().to_string()),
        directory: first.and_then(link),
        user: first.and_then(|first| user_of(&first.to_string())),
        mounts: first.and_then(|first| std::fs::read_to_string(proc(first, "mountinfo")).ok()),
        // A path of the container's is another file's on this machine.
        live_since_ns: None,
        ..Start::default()
    })?;
    let mut view = first.and_then(|first| FileView::of_process(first).ok());
    let limit = words.seconds.map(|seconds| Duration::from_secs(seconds.into()));
    let options = RingOptions { signal: Some(&signal), time_limit: limit, stop: None };
    let begun = Instant::now();
    let mut take = |observed: Observed<'_>| match observed {
        Observed::Process(running) => {
            // Of a group that was empty, the first that comes is the one whose files are looked at.
            view = view.take().or_else(|| FileView::of_process(running.process).ok());
            listener.meet(running);
        }
        Observed::Event(event, paths) => listener.take(event, paths),
    };
    let (is_by_ring, watched) = match ring {
        Ok(attached) => (true, attached.follow(&options, &|| membership.is_populated(), &mut take)),
        Err(_) => (false, trace_group(&|| membership.processes(), &options, &mut take)),
    };
    let watched = watched.map_err(explained)?;
    let mut end = End { window_ns: u64::try_from(begun.elapsed().as_nanos()).ok(), ..End::default() };
    let lives_on = membership.is_populated();
    end.say(FactKind::Ended, if lives_on { "it lives on" } else { "all its processes have ended" });
    end.say(FactKind::Capture, by);
    say_how_it_was_watched(&mut end, watched.cut.as_ref(), &watched.unseen);
    if let Some(text) = missed_by(membership).filter(|_| is_by_ring) {
        end.gaps.push(Gap::new(GapKind::Unseen, text));
    }
    described.processes = watched.members.into_iter().map(process).collect();
    end.container = Some(WatchedContainer { container: described, view });
    Ok(end)
}

/// The process whose root and mounts are those of the group: its first one.
fn first_of(membership: &Membership, processes: &[u32]) -> Option<u32> {
    match membership {
        Membership::Namespace { first, .. } => Some(*first),
        Membership::Unified(_) | Membership::Legacy(_) => processes.first().copied(),
    }
}

/// Whom the kernel does not tell the ring of.
fn missed_by(membership: &Membership) -> Option<&'static str> {
    match membership {
        Membership::Unified(_) => None,
        Membership::Legacy(_) => Some(
            "its control group is of cgroup v1, by which the kernel does not tell the ring of newcomers: \
             processes that others put into it after the watch began (`exec`) are missing",
        ),
        Membership::Namespace { .. } => Some(
            "it has no control group of its own: processes that others put into it after the watch began \
             (`exec`) are missing",
        ),
    }
}

fn described(container: &Container) -> AuditedContainer {
    let cgroup = match &container.membership {
        Membership::Unified(directory) | Membership::Legacy(directory) => Some(directory),
        Membership::Namespace { .. } => None,
    };
    AuditedContainer {
        id: container.id.clone(),
        name: container.name.clone(),
        engine: container.engine.map(str::to_owned),
        cgroup: cgroup.map(|directory| directory.to_string_lossy().into_owned()),
        ..AuditedContainer::default()
    }
}

fn process(member: GroupMember) -> ContainerProcess {
    let GroupMember { process, inside, program } = member;
    ContainerProcess { process, inside, program }
}
