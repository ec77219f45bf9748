//! One run of a program of which a call may fail: only calls of its own process are touched,
//! what it starts is let through.

use crate::errnos::{Kind, possible};
use crate::leftovers::{cpu_time, kill_all, tagged_processes};
use crate::patience::Patience;
use anyhow::Context;
use fathom_sys::call_supervision::{CallListener, CallNotice, Woken, supervise};
use fathom_sys::seccomp_filter::{Chosen, SeccompFilter};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::{BTreeMap, HashMap};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};
use syscalls::Sysno;

/// How long children may take to notice that their parent has ended, beside other work too.
const GRACE: Duration = Duration::from_secs(20);

/// What is to be watched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch<'a> {
    /// The calls at which the program waits for us.
    pub calls: &'a [Sysno],
    /// The call that fails: the n-th of this kind's call that the process makes.
    pub fault: Option<(Kind, u64)>,
    /// How long it may do nothing.
    pub limit: Duration,
    /// The folder that names its processes.
    pub tag: &'a Path,
}

/// How a run went.
#[derive(Debug)]
pub(crate) struct Run {
    /// How the process ended.
    pub status: ExitStatus,
    /// How long the process lived.
    pub took: Duration,
    /// It was killed because it hung.
    pub timed_out: bool,
    /// The call failed as was asked for.
    pub injected: bool,
    /// Processes that were left, by their command lines; they were killed.
    pub strays: Vec<String>,
    /// For each way to fail, which calls of the process it could have met.
    pub feasible: BTreeMap<Kind, Vec<u64>>,
}

/// True where the kernel lets us supervise.
pub fn is_available() -> bool {
    let limit = Duration::from_secs(10);
    let watch = Watch { calls: &[Sysno::openat], fault: None, limit, tag: Path::new("/nowhere") };
    run(&mut Command::new("true"), watch).is_ok()
}

/// Runs `command` in a process group of its own.
pub(crate) fn run(command: &mut Command, watch: Watch<'_>) -> anyhow::Result<Run> {
    #[cfg(target_arch = "x86_64")]
    const ARCHITECTURE: u32 = 0xC000_003E;
    #[cfg(target_arch = "aarch64")]
    const ARCHITECTURE: u32 = 0xC000_00B7;
    let calls: Vec<u32> = watch.calls.iter().map(|call| call.id().cast_unsigned()).collect();
    let filter = SeccompFilter::notifying(Chosen {
        architecture: ARCHITECTURE,
        calls: &calls,
        by_first_argument: &[],
        passing_at: &[],
        place_first: false,
    });
    command.process_group(0);
    let (mut child, served) = supervise(command, &filter, |pid, listener| {
        let mut supervisor = Supervisor::new(pid, watch);
        let strays = supervisor.serve(listener);
        strays.map(|strays| (supervisor, strays))
    })
    .context("a supervised start")?;
    let status = child.wait()?;
    let (supervisor, strays) = served?;
    let Supervisor { timed_out, injected, feasible, begun, ended, .. } = supervisor;
    let took = ended.map_or_else(|| begun.elapsed(), |ended| ended.duration_since(begun));
    Ok(Run { status, took, timed_out, injected, strays, feasible })
}

struct Supervisor<'a> {
    pid: Pid,
    watch: Watch<'a>,
    begun: Instant,
    patience: Patience,
    ended: Option<Instant>,
    timed_out: bool,
    injected: bool,
    /// Whether a thread is one of the process.
    own: HashMap<u32, bool>,
    /// Calls of the process by number.
    made: HashMap<u32, u64>,
    /// The loader and the runtime's start are over.
    in_main: bool,
    feasible: BTreeMap<Kind, Vec<u64>>,
}

impl<'a> Supervisor<'a> {
    fn new(pid: Pid, watch: Watch<'a>) -> Self {
        Self {
            pid,
            watch,
            begun: Instant::now(),
            patience: Patience::new(watch.limit),
            ended: None,
            timed_out: false,
            injected: false,
            own: HashMap::new(),
            made: HashMap::new(),
            in_main: false,
            feasible: BTreeMap::new(),
        }
    }

    /// Answers until the process has ended and its children with it; what stays of them is killed.
    fn serve(&mut self, listener: &CallListener) -> anyhow::Result<Vec<String>> {
        const STEP: Duration = Duration::from_millis(20);
        loop {
            match listener.wait(STEP, self.ended.is_some())? {
                Woken::ByCall(notice) => self.answer(listener, &notice)?,
                Woken::ByEnd => self.ended = Some(Instant::now()),
                Woken::ByNobody if self.ended.is_some() => return Ok(Vec::new()),
                Woken::ByNobody | Woken::ByClock => {}
            }
            if let Some(ended) = self.ended {
                let left = tagged_processes(self.watch.tag);
                if left.is_empty() || ended.elapsed() > GRACE {
                    kill_all(&left);
                    return Ok(left.into_iter().map(|process| process.words).collect());
                }
            } else if !self.timed_out
                && self.patience.is_over(self.begun.elapsed(), || cpu_time(&tagged_processes(self.watch.tag)))
            {
                self.timed_out = true;
                let _gone_already = kill_process_group(self.pid, Signal::KILL);
                kill_all(&tagged_processes(self.watch.tag));
            }
        }
    }

    fn answer(&mut self, listener: &CallListener, notice: &CallNotice) -> anyhow::Result<()> {
        if self.is_own(notice.tid)
            && let Some(call) = Sysno::new(usize::try_from(notice.number)?)
        {
            let made = self.made.entry(notice.number).or_default();
            *made += 1;
            let nth = *made;
            if let Some((kind, wanted)) = self.watch.fault {
                let meets = kind.call == call && wanted == nth;
                if meets && self.possible(call, notice).contains(&kind) {
                    self.injected = true;
                    return Ok(listener.make_fail(notice, kind.errno())?);
                }
            } else if self.in_main {
                for kind in self.possible(call, notice) {
                    self.feasible.entry(kind).or_default().push(nth);
                }
            }
            // The last call of Rust's runtime before `main` sets the stack of its signal handlers.
            self.in_main |= call == Sysno::sigaltstack;
        }
        Ok(listener.let_pass(notice)?)
    }

    fn possible(&self, call: Sysno, notice: &CallNotice) -> Vec<Kind> {
        possible(self.pid.as_raw_nonzero().get().unsigned_abs(), call, &notice.arguments)
    }

    fn is_own(&mut self, tid: u32) -> bool {
        let pid = self.pid;
        *self.own.entry(tid).or_insert_with(|| Path::new(&format!("/proc/{pid}/task/{tid}")).exists())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leftovers::TAG;

    #[test]
    fn what_sleeps_is_given_up_and_what_ends_is_not() {
        if !is_available() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let run = |program: &str, word: &str, limit| {
            let watch = Watch { calls: &[Sysno::openat], fault: None, limit, tag: folder.path() };
            run(Command::new(program).arg(word).env(TAG, folder.path()), watch).unwrap()
        };
        assert!(run("sleep", "600", Duration::from_secs(1)).timed_out);
        assert!(!run("sleep", "0", Duration::from_mins(5)).timed_out);
    }
}
