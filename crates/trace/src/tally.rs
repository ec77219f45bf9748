//! Counts calls by process and thread. It makes no system call; what it asks of
//! a tracee is answered by who calls it.

mod file_state;

use crate::call::{Call, errno_name};
use crate::condition::{Condition, Conditions};
use crate::met::Met;
use crate::witness::{Returned, Tracee, Witness};
use fathom_model::{
    CallOutcome, CallTally, CountedCalls, CountedProcess, CountedThread, ExecutedProgram, FileKind,
    ProcessEnd,
};
use file_state::FileStates;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// The calls of a run by process and thread.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    processes: Vec<Process>,
    living: BTreeMap<i32, Living>,
    /// Processes whose maker is not known yet, by id; they may have ended.
    orphans: BTreeMap<i32, usize>,
    conditions: Conditions,
    file_states: FileStates,
    by_condition: BTreeMap<(Call, Outcome, Condition), (u64, u64)>,
}

#[derive(Debug)]
struct Process {
    pid: i32,
    parent: Option<usize>,
    programs: Vec<ExecutedProgram>,
    status: Option<ExitStatus>,
    threads: Vec<Thread>,
}

#[derive(Debug)]
struct Thread {
    tid: i32,
    name: String,
    calls: BTreeMap<(Call, Outcome), u64>,
}

/// A thread that has not ended: where its calls go, and the one it is in.
#[derive(Debug)]
struct Living {
    process: usize,
    thread: usize,
    pending: Option<Pending>,
}

/// A call that was entered, and what its descriptor stood for then.
#[derive(Debug, Clone, Copy)]
struct Pending {
    call: Call,
    arguments: [u64; 6],
    on: Option<FileKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Succeeded,
    Failed(i32),
    NeverReturned,
}

const PR_SET_NAME: u64 = 15;

impl Tally {
    /// The processes in the order of their beginning, and calls by condition.
    pub(crate) fn finish(self) -> (Vec<CountedProcess>, Vec<CountedCalls>) {
        let conditions =
            self.by_condition.into_iter().map(|((call, outcome, condition), (count, bytes))| CountedCalls {
                call: call.name().into_owned(),
                outcome: outcome.named(),
                flags: condition.flags(call),
                path_components: condition.path_components,
                size_class_bytes: condition.size_class_bytes,
                on: condition.on,
                bytes,
                count,
            });
        let conditions = conditions.collect();
        (self.processes.into_iter().map(Process::counted).collect(), conditions)
    }

    fn process_with(&self, pid: i32) -> Option<usize> {
        // The last one: an earlier one with this id has ended.
        self.processes.iter().rposition(|process| process.pid == pid && process.status.is_none())
    }

    fn begin_process(&mut self, pid: i32) -> usize {
        let (programs, threads) = (Vec::new(), Vec::new());
        self.processes.push(Process { pid, parent: None, programs, status: None, threads });
        let index = self.processes.len() - 1;
        if index > 0 {
            self.orphans.insert(pid, index);
        }
        index
    }

    fn count(&mut self, tid: i32, call: Call, outcome: Outcome) {
        let Some(living) = self.living.get(&tid) else { return };
        let thread = &mut self.processes[living.process].threads[living.thread];
        *thread.calls.entry((call, outcome)).or_default() += 1;
    }

    fn count_condition(&mut self, call: Call, outcome: Outcome, (condition, bytes): (Condition, u64)) {
        let (count, sum) = self.by_condition.entry((call, outcome, condition)).or_default();
        *count += 1;
        *sum += bytes;
    }

    /// A call that a thread was in when it ended was still made.
    fn close(&mut self, tid: i32) -> Option<Living> {
        if let Some(Pending { call, on, .. }) = self.living.get_mut(&tid)?.pending.take() {
            self.count(tid, call, Outcome::NeverReturned);
            let condition = Condition { on, ..Condition::default() };
            self.count_condition(call, Outcome::NeverReturned, (condition, 0));
        }
        self.living.remove(&tid)
    }

    fn conclude(&mut self, tid: i32, pending: Pending, result: i64, failed: bool, tracee: &dyn Tracee) {
        let Pending { call, arguments, on } = pending;
        let name = call.name();
        // What rt_sigreturn seems to return is a register of the interrupted code.
        let outcome = if failed && name != "rt_sigreturn" {
            Outcome::Failed(i32::try_from(-result).unwrap_or(i32::MAX))
        } else {
            Outcome::Succeeded
        };
        if name == "prctl" && arguments[0] == PR_SET_NAME && outcome == Outcome::Succeeded {
            self.rename(tid, tracee.name());
        }
        self.count(tid, call, outcome);
        let moved = u64::try_from(result).ok().filter(|_| !failed);
        let (condition, bytes) = self.conditions.of(call, &arguments, moved, on, tracee);
        let process = self.living.get(&tid).map(|living| living.process);
        let met = process.and_then(|process| self.file_states.follow(process, &name, &arguments, moved));
        let word = met.map_or(condition.word, Met::word);
        self.count_condition(call, outcome, (Condition { word, ..condition }, bytes));
    }

    fn rename(&mut self, tid: i32, name: Option<String>) {
        if let (Some(living), Some(name)) = (self.living.get(&tid), name) {
            self.processes[living.process].threads[living.thread].name = name;
        }
    }
}

impl Witness for Tally {
    fn born(&mut self, tid: i32, tracee: &dyn Tracee) {
        let pid = tracee.process().unwrap_or(tid);
        let process = self.process_with(pid).unwrap_or_else(|| self.begin_process(pid));
        let threads = &mut self.processes[process].threads;
        threads.push(Thread { tid, name: tracee.name().unwrap_or_default(), calls: BTreeMap::new() });
        self.living.insert(tid, Living { process, thread: threads.len() - 1, pending: None });
    }

    fn made_by(&mut self, tid: i32, maker: i32) -> bool {
        let parent = self.living.get(&maker).map(|maker| maker.process);
        if let Some(process) = self.orphans.remove(&tid) {
            self.processes[process].parent = parent;
            if let Some(parent) = parent {
                self.file_states.inherit(process, parent);
            }
        }
        false
    }

    fn enter(&mut self, tid: i32, call: Call, arguments: [u64; 6], tracee: &dyn Tracee) {
        if let Some(living) = self.living.get_mut(&tid) {
            let on = self.conditions.on(call, &arguments, tracee);
            living.pending = Some(Pending { call, arguments, on });
        }
    }

    fn leave(&mut self, tid: i32, result: i64, failed: bool, tracee: &dyn Tracee) {
        let pending = self.living.get_mut(&tid).and_then(|living| living.pending.take());
        if let Some(pending) = pending {
            self.conclude(tid, pending, result, failed, tracee);
        }
    }

    fn returned(&mut self, tid: i32, made: &Returned<'_>) {
        let Returned { call, arguments, result, tracee, .. } = *made;
        let failed = (-4095..0).contains(&result);
        self.conclude(tid, Pending { call, arguments, on: None }, result, failed, tracee);
    }

    fn broken_off(&mut self, tid: i32, call: Call, arguments: [u64; 6]) {
        if let Some(living) = self.living.get_mut(&tid) {
            living.pending = Some(Pending { call, arguments, on: None });
        }
    }

    fn executed(&mut self, pid: i32, former: i32, tracee: &dyn Tracee) {
        let mut call = None;
        if former != pid {
            // The thread lives on under its process's id; the one that had it is gone without a word.
            call = self.living.get_mut(&former).and_then(|living| living.pending.take());
            self.close(former);
            let first = self.close(pid);
            if let Some(first) = first {
                self.living.insert(pid, first);
            }
        }
        if !self.living.contains_key(&pid) {
            self.born(pid, tracee);
        }
        self.rename(pid, tracee.name());
        let Some(living) = self.living.get_mut(&pid) else { return };
        // The exec that begins the run was entered before it could be seen.
        let execve = || Call::named("execve").map(|call| Pending { call, arguments: [0; 6], on: None });
        living.pending = call.or(living.pending.take()).or_else(execve);
        self.file_states.forget(living.process);
        self.processes[living.process].programs.push(tracee.program());
    }

    fn ended(&mut self, tid: i32, status: ExitStatus) {
        let Some(living) = self.close(tid) else { return };
        let process = &mut self.processes[living.process];
        if process.pid == tid {
            process.status = Some(status);
            self.file_states.forget(living.process);
        }
    }
}

impl Process {
    fn counted(self) -> CountedProcess {
        let end = match self.status.map(|status| (status.code(), status.signal())) {
            Some((Some(code), _)) => ProcessEnd::Exited(code),
            Some((None, Some(signal))) => ProcessEnd::Killed(crate::signal_name::signal_name(signal)),
            _ => ProcessEnd::Unknown,
        };
        let threads = self.threads.into_iter().map(|thread| CountedThread {
            tid: thread.tid,
            name: thread.name,
            calls: tallies(thread.calls),
        });
        CountedProcess {
            pid: self.pid,
            parent: self.parent,
            programs: self.programs,
            end,
            threads: threads.collect(),
        }
    }
}

fn tallies(calls: BTreeMap<(Call, Outcome), u64>) -> Vec<CallTally> {
    let tallies = calls.into_iter().map(|((call, outcome), count)| CallTally {
        call: call.name().into_owned(),
        outcome: outcome.named(),
        count,
    });
    let mut tallies: Vec<_> = tallies.collect();
    tallies.sort_by(|a, b| (&a.call, &a.outcome).cmp(&(&b.call, &b.outcome)));
    tallies
}

impl Outcome {
    fn named(self) -> CallOutcome {
        match self {
            Self::Succeeded => CallOutcome::Succeeded,
            Self::Failed(errno) => CallOutcome::Failed(errno_name(errno)),
            Self::NeverReturned => CallOutcome::NeverReturned,
        }
    }
}

#[cfg(test)]
mod tests;
