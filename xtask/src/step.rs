//! A command that has a limit of time and ends with us: it runs in a process group of its own, which
//! is ended when the time is over or after Ctrl-C, so that what was made for it can be removed.

use crate::calibrate::Interrupted;
use anyhow::{Context, ensure};
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(20);
/// How long a process may take to end by itself once it is asked to.
const GRACE: Duration = Duration::from_secs(5);

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// How a command ended, and what it printed.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) text: String,
    pub(crate) errors: String,
}

/// From here on Ctrl-C and SIGTERM end the step that runs, and [`check_stop`] says so.
pub(crate) fn listen() -> anyhow::Result<()> {
    let stop = STOP.get_or_init(|| Arc::new(AtomicBool::new(false)));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

/// An error after Ctrl-C.
pub(crate) fn check_stop() -> Result<(), Interrupted> {
    if STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed)) { Err(Interrupted) } else { Ok(()) }
}

/// Runs a command that prints for us.
pub(crate) fn run(command: &mut Command, limit: Duration) -> anyhow::Result<Ended> {
    let [mut out, mut errors] = [tempfile::tempfile()?, tempfile::tempfile()?];
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(errors.try_clone()?);
    let status = run_shown(command, limit)?;
    Ok(Ended { status, text: content(&mut out)?, errors: content(&mut errors)? })
}

/// Runs a command whose words the user sees.
pub(crate) fn run_shown(command: &mut Command, limit: Duration) -> anyhow::Result<ExitStatus> {
    check_stop()?;
    let name = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let child = command.process_group(0).spawn().with_context(|| format!("failed to start {name}"))?;
    let mut group = Group { child, is_over: false };
    loop {
        if let Some(status) = group.child.try_wait()? {
            group.is_over = true;
            return Ok(status);
        }
        check_stop()?;
        ensure!(start.elapsed() < limit, "{name} took longer than {} s", limit.as_secs());
        sleep(POLL);
    }
}

/// A process that is ended with all that it started, unless it is over.
struct Group {
    child: Child,
    is_over: bool,
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let Some(group) = group else { return };
        let asked = Instant::now();
        let _ = kill_process_group(group, Signal::TERM);
        while asked.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            sleep(POLL);
        }
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.child.wait();
    }
}

fn content(file: &mut File) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_ends_a_command_and_what_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        // Beside load a shell may need longer to come that far: then its limit is longer, too.
        let limits = [500, 5_000, 60_000].map(Duration::from_millis);
        let has_begun = || std::fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n'));
        for limit in limits {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(format!("sleep 600 & echo $! >{}; wait", file.display()));
            let error = run(&mut shell, limit).err().map(|error| error.to_string());
            assert_eq!(error, Some(format!("sh took longer than {} s", limit.as_secs())));
            if has_begun() {
                break;
            }
        }
        let sleeper = std::fs::read_to_string(&file).unwrap();
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", sleeper.trim())).unwrap_or_default();
        let is_running = |state: &str| !state.is_empty() && !state.contains(") Z");
        // A signal that was sent has not yet ended whom no CPU was free for.
        let until = Instant::now() + Duration::from_secs(30);
        while is_running(&state()) && Instant::now() < until {
            sleep(Duration::from_millis(20));
        }
        assert!(!is_running(&state()), "{}", state());
    }

    #[test]
    fn what_a_command_prints_is_kept_apart() {
        let mut shell = Command::new("sh");
        let ended = run(shell.args(["-c", "echo a; echo b >&2; exit 7"]), Duration::from_mins(1)).unwrap();
        assert_eq!((ended.status.code(), &*ended.text, &*ended.errors), (Some(7), "a\n", "b\n"));
    }
}
