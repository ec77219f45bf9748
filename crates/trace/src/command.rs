//! The calls of any command, counted by process and thread.

use crate::error::TraceError;
use crate::file_trace::{every_call, inherits_filter};
use crate::hook::HookPlan;
use crate::hooking::HookTally;
use crate::session::{Session, Traced, trace_to_end};
use crate::stops::Leftovers;
use crate::tally::Tally;
use fathom_model::{CountedCalls, CountedProcess, Cut};
use fathom_sys::seccomp_filter::SeccompFilter;
use rustix::process::Pid;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

/// How a command is counted.
#[derive(Clone, Copy, Default)]
pub struct CommandOptions<'a> {
    /// The CPU that the tracer and the command share, which makes tracing
    /// cheaper; the command then sees one CPU, and may lift the binding.
    pub cpu: Option<u32>,
    /// After this long every process is killed.
    pub time_limit: Option<Duration>,
    /// Where a handler puts the number of a signal that is to reach the command.
    /// One that came from the terminal has reached it by itself and is not sent again.
    pub signal: Option<&'a AtomicUsize>,
    /// Called by the tracer's thread when the command stands at its exec, before
    /// its first instruction: what is attached now sees everything.
    pub at_exec: Option<&'a (dyn Fn(Pid) + Sync)>,
    /// Make most calls in the program's own process, without a stop, where that can be had (see
    /// [`hook_availability`](crate::hook_availability)). What their descriptors stand for is not looked up.
    pub hook: bool,
}

/// What a command did.
#[derive(Debug, Clone)]
pub struct CountedCommand {
    /// How its first process ended.
    pub status: ExitStatus,
    /// What ended the counting before that, or a signal that was asked for.
    pub cut: Option<Cut>,
    /// Its processes in the order of their beginning.
    pub processes: Vec<CountedProcess>,
    /// The calls of all of them by what they were made with.
    pub conditions: Vec<CountedCalls>,
    /// How calls went, where they were to be hooked.
    pub hook: Option<HookTally>,
}

/// Runs `command` traced from its exec to the end of the last of its processes
/// and counts every call. Its streams and process group are left as `command`
/// has them; all processes die with the tracer. `command` is spent afterwards.
///
/// The exec that starts it is counted.
pub fn count_command(
    command: &mut Command,
    options: &CommandOptions<'_>,
) -> Result<CountedCommand, TraceError> {
    let plan = (options.hook && !inherits_filter())
        .then(|| HookPlan::new(&every_call(), None, false).ok())
        .flatten();
    let filter = plan.as_ref().map(|plan| SeccompFilter::handing_over_all(&plan.passing_at()));
    let session = Session {
        filter: filter.as_ref(),
        hook: plan.as_ref(),
        cpu: options.cpu,
        time_limit: options.time_limit,
        signal: options.signal,
        at_exec: options.at_exec,
        leftovers: Leftovers::Awaited,
        ..Session::default()
    };
    let Traced { status, witness, cut, hook, .. } = trace_to_end(command, &session, Tally::default())?;
    let (processes, conditions) = witness.finish();
    let (status, cut) = (ExitStatus::from_raw(status.as_raw()), cut.map(Cut::from));
    Ok(CountedCommand { status, cut, processes, conditions, hook })
}

impl std::fmt::Debug for CommandOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cpu, time_limit, signal, at_exec, hook } = self;
        f.debug_struct("CommandOptions")
            .field("cpu", cpu)
            .field("time_limit", time_limit)
            .field("signal", signal)
            .field("at_exec", &at_exec.is_some())
            .field("hook", hook)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::Mutex;

    #[test]
    fn the_hook_stands_before_the_first_instruction_and_is_called_once() {
        let seen = Mutex::new(Vec::new());
        let look = |pid: Pid| {
            let pid = pid.as_raw_nonzero().get();
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap();
            // Nothing but the kernel's own mappings: the loader has not opened a library yet.
            let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
            seen.lock().unwrap().push((pid, words, maps.contains("libc.so")));
        };
        let options = CommandOptions { at_exec: Some(&look), ..CommandOptions::default() };
        let counted =
            count_command(Command::new("/bin/sh").args(["-c", "exec /bin/sh -c :"]), &options).unwrap();
        let [process] = counted.processes.as_slice() else { panic!("{counted:?}") };
        assert_eq!(process.programs.len(), 2, "the second exec calls nobody");
        assert_eq!(
            *seen.lock().unwrap(),
            [(process.pid, b"/bin/sh\0-c\0exec /bin/sh -c :\0".to_vec(), false)]
        );
    }
}
