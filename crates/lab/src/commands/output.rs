//! What each command writes to standard output: two runs of it, neither timed nor traced, with a pipe
//! that is read to the command's end. Only a digest is kept.

use super::launch::{Launcher, end_of};
use super::{CommandError, CommandPlan, CommandWords};
use crate::drivers::driver_source::hexadecimal;
use fathom_model::{CommandOutput, ProcessEnd};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};
use rustix::time::Timespec;
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Stdio};

/// How often a wait looks whether the command has ended, and whether the user wants no more.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// One run's.
#[derive(Debug)]
struct Written {
    bytes: u64,
    sha256: String,
    end: ProcessEnd,
}

/// The outputs of all commands, in their order.
pub(super) fn digest_outputs(
    plan: &CommandPlan,
    launcher: &Launcher<'_>,
) -> Result<Vec<Option<CommandOutput>>, CommandError> {
    let firsts = digest_each(plan, launcher)?;
    let seconds = digest_each(plan, launcher)?;
    let compared = |(first, second): (Written, Written)| {
        let is_repeatable =
            first.bytes == second.bytes && first.sha256 == second.sha256 && first.end == second.end;
        Some(CommandOutput { bytes: first.bytes, sha256: first.sha256, is_repeatable, end: first.end })
    };
    Ok(firsts.into_iter().zip(seconds).map(compared).collect())
}

fn digest_each(plan: &CommandPlan, launcher: &Launcher<'_>) -> Result<Vec<Written>, CommandError> {
    plan.commands.iter().map(|command| digest_once(command, launcher)).collect()
}

fn digest_once(words: &CommandWords, launcher: &Launcher<'_>) -> Result<Written, CommandError> {
    launcher.prepare()?;
    let mut command = launcher.command(&words.text, &words.words)?;
    // A group of its own, which is ended as one.
    command.stdout(Stdio::piped()).process_group(0);
    let start = |error| CommandError::Start { command: words.text.clone(), error };
    let mut child = command.spawn().map_err(start)?;
    let output = child.stdout.take().expect("it was asked for");
    let failed = |error| CommandError::Io { what: "failed to read what a command writes", error };
    let read = read_to_end(&mut child, output, launcher);
    if !matches!(read, Ok(Some(_))) {
        let _ended_already = kill_process_group(Pid::from_child(&child), Signal::KILL);
    }
    let end = end_of(child.wait().map_err(failed)?);
    let (bytes, sha256) = read.map_err(failed)?.ok_or(CommandError::Interrupted)?;
    launcher.check(&words.text, &end)?;
    Ok(Written { bytes, sha256, end })
}

/// Bytes and their digest until the command ends or nobody writes any more; `None` where the user
/// wants no more. What processes that go on after it write is not waited for.
fn read_to_end(
    child: &mut Child,
    mut output: ChildStdout,
    launcher: &Launcher<'_>,
) -> io::Result<Option<(u64, String)>> {
    fcntl_setfl(&output, fcntl_getfl(&output)? | OFlags::NONBLOCK)?;
    let (mut hash, mut bytes) = (Sha256::new(), 0_u64);
    let mut buffer = vec![0; 64 << 10];
    loop {
        if launcher.signals.is_stopped() {
            return Ok(None);
        }
        // Asked before the pipe is emptied, so that nothing written before the end is missed.
        let has_ended = child.try_wait()?.is_some();
        let is_closed = loop {
            match output.read(&mut buffer) {
                Ok(0) => break true,
                Ok(count) => {
                    hash.update(&buffer[..count]);
                    bytes += count as u64;
                    if launcher.signals.is_stopped() {
                        return Ok(None);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break false,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        if has_ended {
            return Ok(Some((bytes, hexadecimal(&hash.finalize()))));
        }
        if is_closed {
            // It closed its output and goes on: its end is waited for, in steps.
            std::thread::sleep(std::time::Duration::from_millis(5));
        } else {
            let mut waited = [PollFd::new(&output, PollFlags::IN)];
            let _woken = poll(&mut waited, Some(&LOOK_EVERY));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Signals;
    use super::super::launch::Streams;
    use super::*;
    use fathom_model::CommandSetting;
    use std::sync::atomic::{AtomicBool, AtomicUsize};
    use std::time::Duration;

    fn outputs(scripts: &[&str], ignore_failure: bool) -> Result<Vec<CommandOutput>, CommandError> {
        let words = |script: &&str| CommandWords {
            text: (*script).to_owned(),
            words: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
            starts: 1,
        };
        let setting = CommandSetting {
            shell: true,
            prepare: None,
            warm_up_runs: 0,
            pinned: false,
            ignore_failure,
            output_shown: false,
        };
        let plan = CommandPlan {
            commands: scripts.iter().map(words).collect(),
            compares_output: true,
            floor: Vec::new(),
            setting: setting.clone(),
            time: Duration::ZERO,
            precision: 0.01,
            counts_only: true,
            seed: 1,
            starts: None,
        };
        let (stop, number) = (AtomicBool::new(false), AtomicUsize::new(0));
        let streams = Streams::open(false).unwrap();
        let signals = Signals { stop: &stop, number: &number };
        let launcher = Launcher { setting: &setting, streams: &streams, signals };
        Ok(digest_outputs(&plan, &launcher)?.into_iter().flatten().collect())
    }

    #[test]
    fn outputs_are_told_apart_by_their_bytes_their_ends_and_from_run_to_run() {
        let found =
            outputs(&["echo a", "printf 'a\\n'", "echo b", "echo $$", "echo a; exit 3"], true).unwrap();
        assert_eq!((found[0].bytes, &found[0].sha256), (2, &found[1].sha256));
        assert_ne!(found[0].sha256, found[2].sha256);
        assert!(found[0].is_repeatable && !found[3].is_repeatable);
        assert_eq!(found[4].end, ProcessEnd::Exited(3));
        assert!(matches!(outputs(&["exit 3"], false), Err(CommandError::Failed { .. })));
    }

    #[test]
    fn much_output_is_read_and_a_process_that_goes_on_is_not_waited_for() {
        let found = outputs(&["head -c 1000000 /dev/zero", "exec >&-; true", "sleep 2 & echo x"], true);
        let bytes: Vec<u64> = found.unwrap().iter().map(|output| output.bytes).collect();
        assert_eq!(bytes, [1_000_000, 0, 2]);
    }
}
