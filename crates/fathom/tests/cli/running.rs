//! A `fathom` that runs while the test looks: at its drivers, at its files, and
//! what becomes of them after a signal.

use crate::sandbox::{Sandbox, environment_of, program};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Far more than any phase takes to begin or any run to end.
const PATIENCE: Duration = Duration::from_mins(2);

/// A running `fathom`; killed when the test fails before its end.
pub(crate) struct Running<'a> {
    sandbox: &'a Sandbox,
    child: Child,
}

/// What a run has left: how it ended and what it said.
pub(crate) struct Ended {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// The signal that killed it.
    pub(crate) signal: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl<'a> Running<'a> {
    pub(crate) fn start(sandbox: &'a Sandbox, words: &str) -> Self {
        Self::start_with(sandbox, words, &[])
    }

    pub(crate) fn start_with(sandbox: &'a Sandbox, words: &str, variables: &[(&str, &str)]) -> Self {
        let stream = |name| Stdio::from(File::create(sandbox.file(name)).unwrap());
        // Whoever runs the tests in the background has SIGINT ignored, and so would Fathom.
        let child = sandbox
            .plain_command("env")
            .args(["--default-signal=INT,HUP,TERM", program()])
            .args(words.split_whitespace())
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(stream("stdout"))
            .stderr(stream("stderr"))
            .spawn();
        Self { sandbox, child: child.unwrap() }
    }

    /// Waits until `is_there`; the run must not end meanwhile.
    pub(crate) fn wait_for<T>(&mut self, what: &str, is_there: impl Fn(&Self) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = is_there(self) {
                return found;
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("{status} before {what}: {}", self.said("stderr"));
            }
            assert!(begun.elapsed() < PATIENCE, "no {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A driver that works for the time pass: its environment is padded.
    pub(crate) fn timed_driver(&self) -> Option<u32> {
        let is_padded = |pid: &u32| environment_of(*pid).iter().any(|v| v.starts_with("FATHOM_PADDING=x"));
        self.descendants().into_iter().find(is_padded)
    }

    /// A driver whose calls are being counted: it has a tracer.
    pub(crate) fn traced_driver(&self) -> Option<u32> {
        let is_traced = |pid: &u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            status.lines().any(|line| line.strip_prefix("TracerPid:").is_some_and(|pid| pid.trim() != "0"))
        };
        self.descendants().into_iter().find(is_traced)
    }

    /// Processes of this run other than `fathom` itself.
    pub(crate) fn descendants(&self) -> Vec<u32> {
        self.sandbox.processes().into_iter().filter(|&pid| pid != self.child.id()).collect()
    }

    /// Its number.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        send(self.child.id(), signal);
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ended {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        Ended {
            code: status.code(),
            signal: status.signal(),
            out: self.said("stdout"),
            err: self.said("stderr"),
        }
    }

    pub(crate) fn said(&self, stream: &str) -> String {
        fs::read_to_string(self.sandbox.file(stream)).unwrap()
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Sends a signal to one process.
pub(crate) fn send(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, signal).unwrap();
}
