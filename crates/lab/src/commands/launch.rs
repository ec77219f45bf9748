//! One run of a command: its streams, what is run before it, the clock around it,
//! and its end. Nothing traces it.

use super::{CommandError, RANK_VARIABLE, Signals};
use fathom_model::{CommandArm, CommandRun, CommandSetting, ProcessEnd};
use fathom_sys::child_usage::{ChildUsage, reap};
use fathom_sys::clock::monotonic_ns;
use fathom_trace::signal_name;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, test_kill_process_group};
use rustix::time::Timespec;
use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};

/// How often a wait looks whether the user wants no more.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Where commands read from and write to.
#[derive(Debug)]
pub(super) struct Streams {
    null: File,
    shown: bool,
}

impl Streams {
    pub(super) fn open(shown: bool) -> Result<Self, CommandError> {
        let null =
            open_null().map_err(|error| CommandError::Io { what: "failed to open /dev/null", error })?;
        Ok(Self { null, shown })
    }

    fn null(&self) -> io::Result<Stdio> {
        Ok(self.null.try_clone()?.into())
    }

    fn output(&self) -> io::Result<Stdio> {
        if self.shown { Ok(Stdio::inherit()) } else { self.null() }
    }
}

/// What commands read from, and write to where nobody looks.
pub(super) fn open_null() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}

/// Starts commands as the user asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launcher<'a> {
    pub(super) setting: &'a CommandSetting,
    pub(super) streams: &'a Streams,
    pub(super) signals: Signals<'a>,
}

/// A run that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// When it was spawned, by a clock that runs started together share.
    pub(super) begun_ns: u64,
    pub(super) wall_ns: u64,
    pub(super) usage: ChildUsage,
    pub(super) end: ProcessEnd,
    /// Processes of it go on.
    pub(super) left_processes: bool,
}

impl Launcher<'_> {
    /// The command with its streams, not yet started.
    pub(super) fn command(&self, text: &str, words: &[String]) -> Result<Command, CommandError> {
        let failed = |error| CommandError::Start { command: text.to_owned(), error };
        let (program, rest) =
            words.split_first().ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
        let mut command = Command::new(program);
        command
            .args(rest)
            .stdin(self.streams.null().map_err(failed)?)
            .stdout(self.streams.output().map_err(failed)?)
            .stderr(self.streams.output().map_err(failed)?);
        Ok(command)
    }

    /// Runs what is to be run before every run.
    pub(super) fn prepare(&self) -> Result<(), CommandError> {
        let Some(text) = &self.setting.prepare else { return Ok(()) };
        let words = ["/bin/sh", "-c", text].map(str::to_owned);
        match self.run(text, &words)?.end {
            ProcessEnd::Exited(0) => Ok(()),
            end => Err(CommandError::Prepare { command: text.clone(), end }),
        }
    }

    /// One run, timed from just before its spawn to just after its wait.
    pub(super) fn run(&self, text: &str, words: &[String]) -> Result<Ended, CommandError> {
        self.run_as(text, words, None)
    }

    /// The same as one of several ranks, whose number the command finds in its environment.
    pub(super) fn run_as(
        &self,
        text: &str,
        words: &[String],
        rank: Option<u32>,
    ) -> Result<Ended, CommandError> {
        if self.signals.is_stopped() {
            return Err(CommandError::Interrupted);
        }
        let mut command = self.command(text, words)?;
        // A group of its own: Ctrl-C reaches Fathom only, which ends the run in order.
        command.process_group(0);
        if let Some(rank) = rank {
            command.env(RANK_VARIABLE, rank.to_string());
        }
        let begun_ns = monotonic_ns();
        let child = command.spawn();
        let child = child.map_err(|error| CommandError::Start { command: text.to_owned(), error })?;
        let pid = Pid::from_child(&child);
        let interrupted = self.wait_for_end(pid)?;
        let failed = |error: fathom_sys::SysError| {
            let error = error.errno().map_or_else(|| io::Error::other(error.to_string()), io::Error::from);
            CommandError::Io { what: "failed to wait for a command", error }
        };
        let (status, usage) = reap(pid).map_err(failed)?;
        let wall_ns = monotonic_ns() - begun_ns;
        if interrupted {
            return Err(CommandError::Interrupted);
        }
        let left_processes = test_kill_process_group(pid).is_ok();
        Ok(Ended { begun_ns, wall_ns, usage, end: end_of(status), left_processes })
    }

    /// The error of a run that failed, unless failures are to be passed over.
    pub(super) fn check(&self, text: &str, end: &ProcessEnd) -> Result<(), CommandError> {
        self.check_at(text, "", end)
    }

    /// The same of a run that `place` says more of.
    pub(super) fn check_at(&self, text: &str, place: &str, end: &ProcessEnd) -> Result<(), CommandError> {
        if self.setting.ignore_failure || *end == ProcessEnd::Exited(0) {
            return Ok(());
        }
        Err(CommandError::Failed { command: text.to_owned(), place: place.to_owned(), end: end.clone() })
    }

    /// Sleeps until the process has ended; true when it was killed because the user
    /// wants no more. It is not reaped here.
    fn wait_for_end(&self, pid: Pid) -> Result<bool, CommandError> {
        // A kernel without pidfds: the wait itself then sleeps, deaf to signals.
        let Ok(end) = pidfd_open(pid, PidfdFlags::empty()) else { return Ok(false) };
        loop {
            let mut waited = [PollFd::new(&end, PollFlags::IN)];
            match poll(&mut waited, Some(&LOOK_EVERY)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(false),
                Err(errno) => {
                    return Err(CommandError::Io {
                        what: "failed to wait for a command",
                        error: errno.into(),
                    });
                }
            }
            if self.signals.is_stopped() {
                let _ended_already = kill_process_group(pid, Signal::KILL);
                return Ok(true);
            }
        }
    }
}

impl Ended {
    /// As the record keeps it.
    pub(super) fn as_run(&self, arm: CommandArm) -> CommandRun {
        CommandRun {
            arm,
            wall_ns: self.wall_ns,
            user_ns: self.usage.user_ns,
            system_ns: self.usage.system_ns,
            minor_faults: self.usage.minor_faults,
            major_faults: self.usage.major_faults,
            voluntary_switches: self.usage.voluntary_switches,
            involuntary_switches: self.usage.involuntary_switches,
            peak_resident_bytes: self.usage.peak_resident_bytes,
            end: self.end.clone(),
            starts: Vec::new(),
        }
    }
}

/// How a process ended, in the record's words.
pub(super) fn end_of(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessEnd::Exited(code),
        (None, Some(number)) => ProcessEnd::Killed(signal_name(number)),
        (None, None) => ProcessEnd::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize};
    use std::time::{Duration, Instant};

    fn setting() -> CommandSetting {
        CommandSetting {
            shell: false,
            prepare: None,
            warm_up_runs: 0,
            pinned: false,
            ignore_failure: false,
            output_shown: false,
        }
    }

    fn run(script: &str, setting: &CommandSetting, stop: &AtomicBool) -> Result<Ended, CommandError> {
        let (streams, number) = (Streams::open(false).unwrap(), AtomicUsize::new(0));
        let signals = Signals { stop, number: &number };
        let launcher = Launcher { setting, streams: &streams, signals };
        launcher.prepare()?;
        launcher.run(script, &["/bin/sh", "-c", script].map(str::to_owned))
    }

    #[test]
    fn a_run_has_its_end_its_time_and_nothing_to_read() {
        let never = AtomicBool::new(false);
        let ended = run("cat; sleep 0.05; exit 3", &setting(), &never).unwrap();
        assert_eq!((ended.end.clone(), ended.left_processes), (ProcessEnd::Exited(3), false));
        let run = ended.as_run(CommandArm::New);
        assert!(run.wall_ns >= 50_000_000 && run.user_ns + run.system_ns < run.wall_ns, "{run:?}");
        assert!(run.minor_faults > 0 && run.voluntary_switches > 0, "{run:?}");
    }

    #[test]
    fn what_goes_on_after_the_end_is_noticed() {
        let never = AtomicBool::new(false);
        assert!(run("sleep 0.3 & :", &setting(), &never).unwrap().left_processes);
    }

    #[test]
    fn a_preparation_comes_before_and_must_succeed() {
        let never = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark").display().to_string();
        let prepared = CommandSetting { prepare: Some(format!("touch {mark}")), ..setting() };
        assert_eq!(run(&format!("test -e {mark}"), &prepared, &never).unwrap().end, ProcessEnd::Exited(0));
        let failing = CommandSetting { prepare: Some("exit 4".to_owned()), ..setting() };
        let error = run(":", &failing, &never).unwrap_err().to_string();
        assert_eq!(error, "the preparation `exit 4` ended with exit code 4");
    }

    #[test]
    fn a_wish_to_stop_ends_a_run_and_all_of_its_processes() {
        let stop = AtomicBool::new(false);
        let begun = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            let error = run("sleep 600 & sleep 600", &setting(), &stop).unwrap_err();
            assert!(matches!(error, CommandError::Interrupted), "{error}");
        });
        assert!(begun.elapsed() < Duration::from_mins(5));
    }
}
