//! Waiting for a child process: never longer than a limit, and no longer than the user wants. Who
//! does not end is killed with its process group.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid,
};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What was killed is gone after this long, or waits for a device.
const REAP_LIMIT: Duration = Duration::from_secs(5);

static NEVER: AtomicBool = AtomicBool::new(false);

/// How waiting for a child came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// The child ended and was reaped.
    Ended(ExitStatus),
    /// It lives on after the limit.
    LivesOn,
    /// The stop flag was set.
    Stopped,
}

/// Waits until a child has ended, for `limit` at the most, and no longer than until `stop` is set.
/// Who lives on is left alone: [`kill_group`] is the caller's next step. What a child that led a process
/// group left behind in it is killed.
pub fn wait_for(child: &mut Child, limit: Duration, stop: &AtomicBool) -> io::Result<Waited> {
    let begun = Instant::now();
    // A kernel before 5.3, or a filter, has none: then it is looked for every few milliseconds.
    let handle = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok();
    loop {
        kill_left_behind(child);
        if let Some(status) = child.try_wait()? {
            return Ok(Waited::Ended(status));
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Waited::Stopped);
        }
        let Some(left) = limit.checked_sub(begun.elapsed()) else { return Ok(Waited::LivesOn) };
        match &handle {
            Some(handle) => readable(&[handle.as_fd()], left.min(LOOK)).map(drop)?,
            None => std::thread::sleep(left.min(Duration::from_millis(5))),
        }
    }
}

/// Kills what is left of the group of a child that has ended and is not reaped: until then its number is
/// nobody else's, neither as a process nor as a group.
fn kill_left_behind(child: &Child) {
    let leader = Pid::from_child(child);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if matches!(waitid(WaitId::Pid(leader), options), Ok(Some(_))) {
        let _nobody_left = kill_process_group(leader, Signal::KILL);
    }
}

/// Kills a child that leads a process group of its own, with the whole group, and reaps it. One
/// that the kernel does not let go of (it waits for a device) is left to the system.
pub fn kill_group(child: &mut Child) {
    kill_left_behind(child);
    if !matches!(child.try_wait(), Ok(Some(_))) {
        // Of a child that leads no group, there is no group of its number.
        let _gone_already = kill_process_group(Pid::from_child(child), Signal::KILL);
        let _gone_already = child.kill();
        let _reaped = wait_for(child, REAP_LIMIT, &NEVER);
    }
}

/// Lets the kernel kill the child of `command` when the thread that starts it has ended, so that a
/// Fathom that is killed leaves none. What the child starts itself is not killed, nor a program that
/// takes other rights when it is executed (setuid).
pub fn die_with_starter(command: &mut Command) {
    let starter = std::process::id();
    let ask = move || {
        // SAFETY: prctl(2) with the number of a signal, no memory; async-signal-safe. A refusal costs only this.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        // Who ended before that would have sent nothing.
        let is_orphan = std::os::unix::process::parent_id() != starter;
        if is_orphan { Err(io::Error::from_raw_os_error(libc::ECANCELED)) } else { Ok(()) }
    };
    // SAFETY: the closure makes two system calls, both async-signal-safe, and does not allocate.
    unsafe { command.pre_exec(ask) };
}

/// Runs a command with nothing to read, in a process group of its own, and returns what it said: at
/// most `most_bytes` of each stream, in `limit` at the most. An error of kind `TimedOut`,
/// `FileTooLarge` or `Interrupted` (`stop` was set) means that it was killed with its group.
/// Who has no flag to be stopped by keeps the command in the group that Ctrl-C reaches: it ends
/// of the signal then, and only it is killed at the limit.
pub fn output_within(
    command: &mut Command,
    limit: Duration,
    most_bytes: usize,
    stop: Option<&AtomicBool>,
) -> io::Result<Output> {
    let begun = Instant::now();
    if stop.is_some() {
        command.process_group(0);
    }
    let stop = stop.unwrap_or(&NEVER);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let heard = hear(&mut child, begun, limit, most_bytes, stop);
    let (stdout, stderr) = heard.inspect_err(|_| kill_group(&mut child))?;
    let left = limit.saturating_sub(begun.elapsed());
    match wait_for(&mut child, left, stop) {
        Ok(Waited::Ended(status)) => Ok(Output { status, stdout, stderr }),
        other => {
            kill_group(&mut child);
            Err(match other {
                Ok(Waited::Stopped) => stopped(),
                Err(error) => error,
                _ => too_long(limit),
            })
        }
    }
}

/// Both streams until their ends.
fn hear(
    child: &mut Child,
    begun: Instant,
    limit: Duration,
    most_bytes: usize,
    stop: &AtomicBool,
) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (Some(mut out), Some(mut err)) = (child.stdout.take(), child.stderr.take()) else {
        unreachable!("both were asked for as pipes");
    };
    let mut heard = [Vec::new(), Vec::new()];
    let mut open = [true, true];
    while open.contains(&true) {
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        let left = limit.checked_sub(begun.elapsed()).ok_or_else(|| too_long(limit))?;
        let streams: Vec<usize> = (0..2).filter(|&index| open[index]).collect();
        let fds: Vec<_> =
            streams.iter().map(|&index| if index == 0 { out.as_fd() } else { err.as_fd() }).collect();
        let ready = readable(&fds, left.min(LOOK))?;
        for (&index, _) in streams.iter().zip(ready).filter(|(_, is_ready)| *is_ready) {
            let mut piece = [0; 1 << 14];
            let read = match if index == 0 { out.read(&mut piece) } else { err.read(&mut piece) } {
                // A signal came, which is not the user's wish to stop: that is the flag.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            open[index] = read > 0;
            heard[index].extend_from_slice(&piece[..read]);
            if heard[index].len() > most_bytes {
                let words = format!("it says more than {most_bytes} B");
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
            }
        }
    }
    let [stdout, stderr] = heard;
    Ok((stdout, stderr))
}

fn readable(fds: &[BorrowedFd<'_>], wait: Duration) -> io::Result<Vec<bool>> {
    let mut waiting: Vec<_> = fds.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
    match poll(&mut waiting, Some(&wait)) {
        Ok(_) | Err(Errno::INTR) => Ok(waiting.iter().map(|fd| !fd.revents().is_empty()).collect()),
        Err(errno) => Err(errno.into()),
    }
}

fn too_long(limit: Duration) -> io::Error {
    let words = format!("it did not end within {} s", limit.as_secs_f64());
    io::Error::new(io::ErrorKind::TimedOut, words)
}

fn stopped() -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, "interrupted")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(2);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_a_command_says_comes_with_its_end() {
        let output =
            output_within(&mut shell("echo out; echo err >&2; exit 3"), LONG, 100, Some(&NEVER)).unwrap();
        assert_eq!((output.stdout, output.stderr), (b"out\n".to_vec(), b"err\n".to_vec()));
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn who_does_not_end_is_killed_with_its_group() {
        let short = Duration::from_millis(200);
        for script in ["sleep 1000 & wait", "exec >&- 2>&-; exec sleep 1000"] {
            let error = output_within(&mut shell(script), short, 100, Some(&NEVER)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{script}");
        }
        let stop = AtomicBool::new(true);
        let error = output_within(&mut shell("sleep 1000"), LONG, 100, Some(&stop)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }

    #[test]
    fn a_child_ends_with_the_thread_that_started_it() {
        let start = || {
            let mut command = shell("exec sleep 1000");
            die_with_starter(&mut command);
            command.process_group(0).spawn().unwrap()
        };
        let mut child = std::thread::spawn(start).join().unwrap();
        let Waited::Ended(status) = wait_for(&mut child, LONG, &NEVER).unwrap() else {
            kill_group(&mut child);
            panic!("it lives on")
        };
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(libc::SIGKILL));
    }

    #[test]
    fn endless_words_are_cut_off() {
        let error = output_within(&mut shell("yes"), LONG, 100_000, None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_a_leader_leaves_behind_is_killed() {
        for ends in [|child: &mut Child| drop(wait_for(child, LONG, &NEVER)), kill_group] {
            let mut command = shell("sleep 100 & exit 0");
            let mut child = command.process_group(0).stdout(Stdio::piped()).spawn().unwrap();
            let out = child.stdout.take().unwrap();
            ends(&mut child);
            // Who is left would hold the pipe open.
            let closed = readable(&[out.as_fd()], Duration::from_secs(20)).unwrap();
            assert_eq!(closed, [true]);
        }
    }

    #[test]
    fn waiting_ends_at_the_limit_and_at_the_stop_flag() {
        let mut child = shell("sleep 1000").process_group(0).spawn().unwrap();
        let lived = wait_for(&mut child, Duration::from_millis(20), &NEVER).unwrap();
        assert_eq!(lived, Waited::LivesOn);
        let stopped = wait_for(&mut child, LONG, &AtomicBool::new(true)).unwrap();
        assert_eq!(stopped, Waited::Stopped);
        kill_group(&mut child);
        let Waited::Ended(status) = wait_for(&mut child, LONG, &NEVER).unwrap() else { panic!("it lives") };
        assert!(!status.success());
    }
}
