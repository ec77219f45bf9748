//! A process that plays a part in a scenario, seen from the lab: started, told
//! lines, heard lines, ended. What it runs is `actor`.

use fathom_sys::child_wait::{Waited, kill_group, wait_for};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The hidden subcommand under which `fathom` plays a part.
pub const ACTOR_WORD: &str = "scenario-actor";
/// Who plays a part that no other user plays.
pub(super) const SELF: &str = "self";

/// A part that is not heard of for this long has failed.
const HEARING_LIMIT: Duration = Duration::from_mins(1);
/// One that closed its output has ended after this long, or does not mean to.
const END_LIMIT: Duration = Duration::from_secs(5);
/// How often an interrupt is looked for.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// Why a trial gave no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// It cannot be tried here, or something failed.
    #[error("{0}")]
    Failed(String),
    /// The process said nothing for so long.
    #[error("a process was silent for {} s", .0.as_secs())]
    Silent(Duration),
    /// The process was killed by a signal.
    #[error("a process was killed by signal {0}")]
    Killed(i32),
}

/// Another user than ours, as whom a part can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account {
    /// The user.
    pub(super) user: u32,
    /// The user's group.
    pub(super) group: u32,
}

/// A running part. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Performer<'a> {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: File,
    pending: Vec<u8>,
    ended: bool,
    stop: &'a AtomicBool,
}

impl<'a> Performer<'a> {
    /// Starts this very program as an actor with these words in a directory.
    pub(super) fn start(
        account: Option<Account>,
        words: &[&str],
        directory: &Path,
        stop: &'a AtomicBool,
    ) -> Result<Self, Trouble> {
        let who = account.map_or(SELF.to_owned(), |account| format!("{}:{}", account.user, account.group));
        // The program may have been replaced on disk meanwhile; this is the one that runs.
        let mut command = Command::new("/proc/self/exe");
        command.arg0("fathom").args([ACTOR_WORD, who.as_str()]).args(words);
        Self::spawn(command, directory, stop)
    }

    /// Starts another program that speaks lines, as us.
    pub(super) fn start_program(
        words: &[OsString],
        directory: &Path,
        stop: &'a AtomicBool,
    ) -> Result<Self, Trouble> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        Self::spawn(command, directory, stop)
    }

    fn spawn(mut command: Command, directory: &Path, stop: &'a AtomicBool) -> Result<Self, Trouble> {
        if stop.load(Ordering::Relaxed) {
            return Err(Trouble::Interrupted);
        }
        let failed = |error: io::Error| Trouble::Failed(format!("failed to start a process: {error}"));
        let errors = tempfile::tempfile().map_err(failed)?;
        command
            .current_dir(directory)
            // Ctrl-C reaches Fathom only.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.try_clone().map_err(failed)?);
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both were asked for as pipes");
        };
        Ok(Self { child, input: Some(input), output, errors, pending: Vec::new(), ended: false, stop })
    }

    /// Sends a line.
    pub(super) fn tell(&mut self, line: &str) -> Result<(), Trouble> {
        let Some(input) = &mut self.input else { unreachable!("told after the end") };
        match input.write_all(format!("{line}\n").as_bytes()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.how_it_ended()),
            Err(error) => Err(Trouble::Failed(format!("failed to talk to a process: {error}"))),
        }
    }

    /// Waits for this line.
    pub(super) fn expect(&mut self, wanted: &str) -> Result<(), Trouble> {
        let line = self.hear()?;
        if line == wanted {
            return Ok(());
        }
        Err(Trouble::Failed(format!("a process said `{line}` where `{wanted}` was due")))
    }

    /// The next line.
    pub(super) fn hear(&mut self) -> Result<String, Trouble> {
        self.hear_within(HEARING_LIMIT)?.ok_or(Trouble::Silent(HEARING_LIMIT))
    }

    /// The next line, if it comes in time.
    pub(super) fn hear_within(&mut self, limit: Duration) -> Result<Option<String>, Trouble> {
        let begun = Instant::now();
        loop {
            if let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
                let rest = self.pending.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.pending, rest);
                line.pop();
                return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(Trouble::Interrupted);
            }
            let Some(left) = limit.checked_sub(begun.elapsed()) else { return Ok(None) };
            if !self.readable(left)? {
                continue;
            }
            let mut piece = [0; 4096];
            let failed = |error| Trouble::Failed(format!("failed to hear a process: {error}"));
            match self.output.read(&mut piece).map_err(failed)? {
                0 => return Err(self.how_it_ended()),
                read => self.pending.extend_from_slice(&piece[..read]),
            }
        }
    }

    /// The next line as what it stands for.
    pub(super) fn answer<T: DeserializeOwned>(&mut self) -> Result<T, Trouble> {
        self.answer_within(HEARING_LIMIT)
    }

    /// The same, if it comes in time.
    pub(super) fn answer_within<T: DeserializeOwned>(&mut self, limit: Duration) -> Result<T, Trouble> {
        let line = self.hear_within(limit)?.ok_or(Trouble::Silent(limit))?;
        serde_json::from_str(&line).map_err(|error| Trouble::Failed(format!("`{line}`: {error}")))
    }

    fn readable(&self, left: Duration) -> Result<bool, Trouble> {
        let mut waiting = [PollFd::new(&self.output, PollFlags::IN)];
        let left = Timespec::try_from(left).unwrap_or(LOOK);
        let wait = if (left.tv_sec, left.tv_nsec) < (LOOK.tv_sec, LOOK.tv_nsec) { left } else { LOOK };
        match poll(&mut waiting, Some(&wait)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(errno) => Err(Trouble::Failed(format!("poll: {errno}"))),
        }
    }

    /// It closed its output: how it ended, with its last words.
    fn how_it_ended(&mut self) -> Trouble {
        self.input = None;
        let status = match wait_for(&mut self.child, END_LIMIT, self.stop) {
            Ok(Waited::Ended(status)) => status,
            Ok(Waited::Stopped) => return Trouble::Interrupted,
            Ok(Waited::LivesOn) => {
                return Trouble::Failed("a process closed its standard output and did not end".to_owned());
            }
            Err(error) => return Trouble::Failed(format!("wait: {error}")),
        };
        self.ended = true;
        match status.signal() {
            Some(signal) => Trouble::Killed(signal),
            None => Trouble::Failed(self.last_words(status)),
        }
    }

    fn last_words(&mut self, status: ExitStatus) -> String {
        let mut text = String::new();
        let read = self.errors.rewind().and_then(|()| self.errors.read_to_string(&mut text));
        match text.lines().rfind(|line| !line.trim().is_empty()) {
            Some(line) if read.is_ok() => line.trim().to_owned(),
            _ => format!("a process ended with {status}"),
        }
    }
}

impl Drop for Performer<'_> {
    fn drop(&mut self) {
        if !self.ended {
            kill_group(&mut self.child);
        }
    }
}
