//! Births, execs and ends.

use super::{Follower, Process, Sink, Thread};
use crate::call::Call as CallNumber;
use crate::file_trace::arguments::{Call, Early, fork_action};
use crate::file_trace::calls::Shape;
use crate::file_trace::ring::record::{Head, Record};
use crate::file_trace::unseen::Unseen;
use crate::witness::Memory;
use fathom_events::{CallName, CallOutcome, FileAction};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// Of a process's flags: it ends as a whole, with the group's code.
const GROUP_ENDS: u64 = 4;
/// How the kernel names a program that is executed by a directory's descriptor.
const BY_DESCRIPTOR: &str = "/dev/fd/";

impl Follower {
    /// A thread is there.
    pub(super) fn add(&mut self, thread: u32, process: u32, is_worker: bool) {
        // An id that is used again is another thread.
        self.threads.insert(thread, Thread { process, held: None, is_worker });
        if !is_worker {
            self.processes.entry(process).or_default().threads += 1;
        }
    }

    pub(super) fn born(&mut self, head: &Head, sink: &mut Sink<'_>) {
        let [child, process, flags, foreign, ..] = head.arguments;
        let (Ok(child), Ok(process)) = (u32::try_from(child), u32::try_from(process)) else { return };
        let call = CallNumber { number: u64::from(head.call), foreign: foreign != 0 };
        let name = self.calls.find(call).and_then(|(name, shape)| makes_threads(shape).then_some(name));
        let is_worker = name.is_none() && foreign == 0;
        let is_process = child == process;
        if is_process {
            let program = self.program(head.process);
            self.processes.insert(process, Process { program, ..Process::default() });
            self.processes_seen += 1;
        }
        self.add(child, process, is_worker);
        if is_process && let Some(group) = &mut self.group {
            group.born(process, head);
        }
        if is_process && let Some(stacks) = &mut self.stacks {
            stacks.forked(head.process, child, flags);
        }
        match name {
            Some(name) => {
                let outcome = CallOutcome::Value(i64::from(child));
                let who = (head.process, head.thread);
                self.tell_action(who, (head.time_ns, None, name), fork_action(flags), outcome, sink);
            }
            None if is_process => self.reservations.add(Unseen::UnknownMaker { process }),
            None => {}
        }
    }

    pub(super) fn executed(&mut self, record: &Record<'_>, sink: &mut Sink<'_>) {
        let head = record.head;
        let former = u32::try_from(head.arguments[0]).unwrap_or(head.thread);
        let path = OsStr::from_bytes(record.text().unwrap_or_default());
        let program = fs::read_link(format!("/proc/{}/exe", head.process));
        let program = program.unwrap_or_else(|_| PathBuf::from(path));
        let found = self.calls.find(CallNumber { number: u64::from(head.call), foreign: false });
        let (mut name, mut shape): (CallName, Shape) =
            ("execve", Shape::Execute(crate::file_trace::calls::At::Path(0)));
        if self.has_begun {
            self.threads.remove(&former);
            self.threads.insert(head.thread, Thread { process: head.process, held: None, is_worker: false });
            if let Some(found) = found.filter(|(_, shape)| matches!(shape, Shape::Execute(_))) {
                (name, shape) = found;
            }
        } else {
            // The exec that starts it all was made before anybody watched.
            self.has_begun = true;
            self.began_ns = head.time_ns;
            self.processes_seen += 1;
            self.first = Some(head.process);
            self.add(head.thread, head.process, false);
        }
        if let Some(stacks) = &mut self.stacks {
            if let Some(directory) = self.directory.take() {
                stacks.begin_in(head.process, &directory);
            }
            stacks.executed(head.process, Path::new(path), &program, record.pieces[2]);
        }
        if let Some(group) = &mut self.group {
            group.executed(head.process, &program);
        }
        self.processes.entry(head.process).or_default().program = program;
        let (directory, path) =
            by_descriptor(path).filter(|_| name == "execveat").unwrap_or((0, path.to_owned()));
        let call = Call {
            arguments: [u64::from(directory), 0, 0, 0, 0, 0],
            early: &Early::of_exec(path),
            result: Some(0),
            memory: &Nothing,
        };
        let action = call.action(shape, &mut self.paths);
        self.tell_action(
            (head.process, head.thread),
            (head.time_ns, None, name),
            action,
            CallOutcome::Value(0),
            sink,
        );
    }

    pub(super) fn ended(&mut self, head: &Head, sink: &mut Sink<'_>) {
        let Some(thread) = self.threads.remove(&head.thread) else { return };
        if thread.is_worker {
            return;
        }
        let status = |code: u64| ExitStatus::from_raw(i32::try_from(code).unwrap_or(0));
        let [code, group_code, group_flags, ..] = head.arguments;
        if let Some(mut held) = thread.held {
            if status(code).signal().is_some() {
                held.outcome = CallOutcome::Unfinished;
            }
            held.at_ns = head.time_ns;
            self.tell(held, sink);
        }
        let process = thread.process;
        let whole_code = if group_flags & GROUP_ENDS != 0 { group_code } else { code };
        let is_first = process == head.thread;
        if !is_first {
            let action = FileAction::Exit { code: status(code).code(), whole: false };
            let outcome = CallOutcome::Unfinished;
            self.tell_action((process, head.thread), (head.time_ns, None, "exit"), action, outcome, sink);
        }
        let Some(known) = self.processes.get_mut(&process) else { return };
        known.threads = known.threads.saturating_sub(1);
        if known.threads > 0 {
            if is_first {
                known.code = i32::try_from(code).ok();
            }
            return;
        }
        let firsts_code = known.code.filter(|_| group_flags & GROUP_ENDS == 0);
        let whole_code = firsts_code.map_or(whole_code, |code| u64::from(code.cast_unsigned()));
        self.processes.remove(&process);
        if let Some(stacks) = &mut self.stacks {
            stacks.ended(process);
        }
        if self.first == Some(process) {
            self.first_code = i32::try_from(whole_code).ok();
        }
        let action = FileAction::Exit { code: status(whole_code).code(), whole: true };
        let outcome = CallOutcome::Unfinished;
        self.tell_action((process, process), (head.time_ns, None, "exit_group"), action, outcome, sink);
    }
}

/// The descriptor and the path below it of `/dev/fd/5/name`.
fn by_descriptor(path: &OsStr) -> Option<(u32, OsString)> {
    let rest = path.as_bytes().strip_prefix(BY_DESCRIPTOR.as_bytes())?;
    let mut parts = rest.splitn(2, |byte| *byte == b'/');
    let number = std::str::from_utf8(parts.next()?).ok()?.parse().ok()?;
    Some((number, OsStr::from_bytes(parts.next().unwrap_or_default()).to_owned()))
}

fn makes_threads(shape: Shape) -> bool {
    matches!(shape, Shape::Clone | Shape::CloneWithStructure | Shape::Fork)
}

/// Of a program that has just been replaced nothing can be read.
struct Nothing;

impl Memory for Nothing {
    fn copy(&self, _address: u64, _buffer: &mut [u8]) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_executed_by_descriptor_are_told_apart() {
        let of = |path: &str| by_descriptor(OsStr::new(path));
        assert_eq!(of("/dev/fd/5/bin/true"), Some((5, "bin/true".into())));
        assert_eq!(of("/dev/fd/12"), Some((12, OsString::new())));
        assert_eq!(of("/dev/fd/x"), None);
        assert_eq!(of("/bin/true"), None);
    }
}
