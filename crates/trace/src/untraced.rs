//! A command that is held at its exec for a moment, so that somebody can attach to it, and
//! then runs untraced: for what a tracer would change.

use crate::availability::explain_refusal;
use crate::command::CommandOptions;
use crate::error::TraceError;
use crate::session::{io_error, terminal_delay};
use fathom_sys::ptrace_support::{SpawnTracedError, detach, spawn_traced, wait_traced};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often it is looked whether the command has ended.
const WATCH_INTERVAL: Duration = Duration::from_millis(5);

/// Runs `command` untraced to its end, with the hook of the options called at its exec.
pub fn run_untraced(command: &mut Command, options: &CommandOptions<'_>) -> Result<ExitStatus, TraceError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let pid = spawn_traced(command).map_err(|error| match error {
        SpawnTracedError::Start(error) => TraceError::Start { program, error },
        SpawnTracedError::Seize(errno) => TraceError::Forbidden { program, reason: explain_refusal(errno) },
    })?;
    let ended = release(pid, options).and_then(|()| wait_for(pid, options));
    // Whoever is not let go of would stand at its exec for ever.
    ended.inspect_err(|_| {
        let _gone_already = kill_process(pid, Signal::KILL);
    })
}

fn release(pid: Pid, options: &CommandOptions<'_>) -> Result<(), TraceError> {
    wait_traced().map_err(|errno| io_error("waitpid", errno.into()))?;
    if let Some(at_exec) = options.at_exec {
        at_exec(pid);
    }
    detach(pid).map_err(|errno| io_error("ptrace(PTRACE_DETACH)", errno.into()))
}

fn wait_for(pid: Pid, options: &CommandOptions<'_>) -> Result<ExitStatus, TraceError> {
    let begun = Instant::now();
    loop {
        match waitpid(Some(pid), WaitOptions::NOHANG) {
            Ok(Some((_, status))) => return Ok(ExitStatus::from_raw(status.as_raw())),
            Ok(None) | Err(rustix::io::Errno::INTR) => std::thread::sleep(WATCH_INTERVAL),
            Err(errno) => return Err(io_error("waitpid", errno.into())),
        }
        if options.time_limit.is_some_and(|limit| begun.elapsed() > limit) {
            let _ended_meanwhile = kill_process(pid, Signal::KILL);
        }
        // What a terminal sends has reached the command too; it may have ended by it.
        let asked = options.signal.map_or(0, |signal| signal.load(Ordering::SeqCst));
        if let Some(signal) = i32::try_from(asked).ok().and_then(Signal::from_named_raw) {
            terminal_delay();
            let _ended_meanwhile = kill_process(pid, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn the_hook_finds_the_program_at_its_exec_and_nobody_traces_it_later() {
        let seen = Mutex::new(String::new());
        let look = |pid: Pid| {
            let pid = pid.as_raw_nonzero().get();
            *seen.lock().unwrap() = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
        };
        let options = CommandOptions { at_exec: Some(&look), ..CommandOptions::default() };
        let script = "grep -q '^TracerPid:.0$' /proc/self/status && exit 7";
        let status = run_untraced(Command::new("/bin/sh").args(["-c", script]), &options).unwrap();
        assert_eq!(status.code(), Some(7));
        assert_eq!(*seen.lock().unwrap(), "sh\n");
    }

    #[test]
    fn a_program_that_goes_on_too_long_is_killed() {
        let limit = Duration::from_millis(50);
        let options = CommandOptions { time_limit: Some(limit), ..CommandOptions::default() };
        let status = run_untraced(Command::new("sleep").arg("600"), &options).unwrap();
        assert_eq!(status.signal(), Some(9));
    }
}
