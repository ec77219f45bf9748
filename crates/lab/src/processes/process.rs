//! One driver process: started, asked, answered, ended. Its standard error goes
//! to an unnamed file, so that it can never fill a pipe.

mod error;

use crate::drivers::driver_set::Driver;
use crate::drivers::launcher::Launcher;
use crate::processes::batch_ground::which_ran_out;
use crate::processes::protocol::{
    Answer, AnswerError, Batch, Done, RunArguments, Verified, batch_line, blocks_line, parse_answer,
};
pub(crate) use error::ProcessError;
use fathom_model::RankFacts;
use fathom_sys::child_wait::{Waited, kill_group, wait_for};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A driver that says nothing for this long has failed.
const ANSWER_LIMIT: Duration = Duration::from_mins(5);
/// A driver may read another clock than ours, which a time service slows down by less than this, …
const CLOCK_RATIO: f64 = 1.01;
/// … and which has steps of less than this.
const CLOCK_SLACK: Duration = Duration::from_micros(10);
/// Longer lines no answer has.
const LINE_MAX_BYTES: usize = 1 << 20;
/// A driver that says more than this on its standard error would fill the disk.
const ERRORS_MAX_BYTES: u64 = 64 << 20;
/// Its last words are in the end of that.
const LAST_WORDS_BYTES: u64 = 1 << 16;
/// How long a driver may take to end after `quit`.
const QUIT_LIMIT: Duration = Duration::from_secs(5);

/// A running driver. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct DriverProcess<'a> {
    name: String,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    errors: File,
    /// Bytes read and not yet parsed.
    pending: Vec<u8>,
    ended: Option<ExitStatus>,
    answer_limit: Duration,
    /// Of a driver that runs as several.
    ranks: Option<Ranks>,
    stop: &'a AtomicBool,
}

/// Several processes behind one launcher.
#[derive(Debug)]
struct Ranks {
    launcher: Launcher,
    facts: Vec<RankFacts>,
}

impl<'a> DriverProcess<'a> {
    /// Starts `driver run` and waits until it is ready. `padding_bytes` of
    /// environment shift its stack, so that no layout is favored over forks.
    pub(crate) fn start(
        driver: &Driver,
        arguments: &RunArguments,
        padding_bytes: usize,
        stop: &'a AtomicBool,
    ) -> Result<Self, ProcessError> {
        driver.check_unchanged()?;
        // What is held stays open until the program runs.
        let launcher = driver.launcher();
        launcher.map_or(Ok(()), |_| arguments.launch.fits_ranks()).map_err(ProcessError::Unsupported)?;
        let (mut command, _held) = arguments.launch.command(driver).map_err(ProcessError::Unsupported)?;
        command.args(arguments.to_words()).env("FATHOM_PADDING", "x".repeat(padding_bytes));
        let mut process = Self::spawn(&driver.facts.driver, command, launcher, stop)?;
        process.learn_ranks()?;
        arguments.launch.check(process.pid()).map_err(ProcessError::Unsupported)?;
        Ok(process)
    }

    /// Starts any command as a driver and waits until it is ready: within the launcher's limit where
    /// one starts it as several ranks.
    pub(crate) fn spawn(
        name: &str,
        mut command: Command,
        launcher: Option<&Launcher>,
        stop: &'a AtomicBool,
    ) -> Result<Self, ProcessError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let failed = |error| ProcessError::Start { program: program.clone(), error };
        let errors = nameless_file().map_err(failed)?;
        // A group of its own: Ctrl-C reaches Fathom only, which ends its drivers in order.
        command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.try_clone().map_err(failed)?);
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both were asked for as pipes");
        };
        // What fails may be the launcher, which is the process that was started.
        let name = launcher
            .map_or_else(|| name.to_owned(), |launcher| format!("{}-started {name}", launcher.words[0]));
        let mut process = Self {
            name,
            child,
            input,
            output,
            errors,
            pending: Vec::with_capacity(1 << 14),
            ended: None,
            answer_limit: launcher.map_or(ANSWER_LIMIT, |launcher| launcher.limit),
            ranks: launcher.map(|launcher| Ranks { launcher: launcher.clone(), facts: Vec::new() }),
            stop,
        };
        match process.answer("starting")? {
            Answer::Ready => {}
            other => return Err(process.unexpected(&other, "starting")),
        }
        process.answer_limit = ANSWER_LIMIT;
        Ok(process)
    }

    /// The ranks of a driver that runs as several, in order; none of another.
    pub(crate) fn ranks(&self) -> &[RankFacts] {
        self.ranks.as_ref().map_or(&[], |ranks| &ranks.facts)
    }

    /// Whether it runs as several processes, none of which is the one that was started.
    pub(crate) fn is_ranked(&self) -> bool {
        self.ranks.is_some()
    }

    /// Asks a driver that runs as several who they are; an error where they are not as many as asked for.
    fn learn_ranks(&mut self) -> Result<(), ProcessError> {
        let Some(Ranks { launcher, .. }) = &self.ranks else { return Ok(()) };
        let launcher = launcher.clone();
        let doing = "telling its ranks";
        self.send("ranks\n", doing)?;
        let mut facts = Vec::new();
        loop {
            match self.answer(doing)? {
                Answer::Rank(rank) => facts.push(rank),
                Answer::End => break,
                // Programs that do not know of each other are each ready.
                Answer::Ready => return Err(ProcessError::wrong_count(&launcher, 1)),
                other => return Err(self.unexpected(&other, doing)),
            }
        }
        if facts.len() != launcher.ranks as usize {
            return Err(ProcessError::wrong_count(&launcher, facts.len()));
        }
        self.ranks = Some(Ranks { launcher, facts });
        Ok(())
    }

    /// From now on an answer must come within this time.
    pub(crate) fn limit_answers(&mut self, limit: Duration) {
        self.answer_limit = limit;
    }

    /// The process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Performs one batch.
    pub(crate) fn batch(&mut self, batch: Batch) -> Result<Done, ProcessError> {
        let doing = "performing a batch";
        let asked = Instant::now();
        self.send(&batch_line(batch), doing)?;
        match self.answer(doing)? {
            Answer::Done(done) => {
                self.check_time(u128::from(done.ns), asked, doing)?;
                Ok(done)
            }
            other => Err(self.unexpected(&other, doing)),
        }
    }

    /// Performs a schedule; one `Done` for each batch of it.
    pub(crate) fn blocks(&mut self, batches: &[Batch]) -> Result<Vec<Done>, ProcessError> {
        let doing = "performing a schedule";
        let asked = Instant::now();
        let mut ns = 0;
        self.send(&blocks_line(batches), doing)?;
        let mut all = Vec::with_capacity(batches.len());
        loop {
            match self.answer(doing)? {
                Answer::Done(done) if all.len() < batches.len() => {
                    // Batches follow each other.
                    ns += u128::from(done.ns);
                    self.check_time(ns, asked, doing)?;
                    all.push(done);
                }
                Answer::End if all.len() == batches.len() => return Ok(all),
                other => return Err(self.unexpected(&other, doing)),
            }
        }
    }

    /// Performs one operation and reports the checksum of its data.
    pub(crate) fn verify(&mut self, slot: usize) -> Result<Verified, ProcessError> {
        let doing = "verifying";
        self.send(&format!("verify method={slot}\n"), doing)?;
        match self.answer(doing)? {
            Answer::Verified(verified) => Ok(verified),
            other => Err(self.unexpected(&other, doing)),
        }
    }

    /// Makes it close and unmap what it holds.
    pub(crate) fn release(&mut self) -> Result<(), ProcessError> {
        let doing = "releasing its files";
        self.send("release\n", doing)?;
        match self.answer(doing)? {
            Answer::Released => Ok(()),
            other => Err(self.unexpected(&other, doing)),
        }
    }

    /// Sends any line and returns the answer to it, for the conformance check.
    pub(crate) fn ask(&mut self, line: &str) -> Result<Answer, ProcessError> {
        self.send(&format!("{line}\n"), line)?;
        match self.answer(line) {
            Err(ProcessError::Operation(error)) => Ok(Answer::Error(error)),
            other => other,
        }
    }

    /// Ends it in order; kills it when it does not go. Returns how it ended.
    pub(crate) fn quit(mut self) -> Result<ExitStatus, ProcessError> {
        self.send("quit\n", "quitting")?;
        self.wait()
    }

    /// Closes its standard input without a word, and waits for it.
    pub(crate) fn hang_up(mut self) -> Result<ExitStatus, ProcessError> {
        let (reader, writer) = io::pipe().map_err(|error| self.pipe_error(error))?;
        drop(reader);
        self.input = ChildStdin::from(std::os::fd::OwnedFd::from(writer));
        self.wait()
    }

    /// Waits for its end; `None` when it lives on.
    fn end(&mut self) -> Result<Option<ExitStatus>, ProcessError> {
        let waited = wait_for(&mut self.child, QUIT_LIMIT, self.stop);
        match waited.map_err(|error| self.pipe_error(error))? {
            Waited::Ended(status) => {
                self.ended = Some(status);
                Ok(Some(status))
            }
            Waited::LivesOn => Ok(None),
            Waited::Stopped => Err(ProcessError::Interrupted),
        }
    }

    fn wait(&mut self) -> Result<ExitStatus, ProcessError> {
        let doing = "quitting".to_owned();
        self.end()?.ok_or(ProcessError::Silent { waited: QUIT_LIMIT, driver: self.name.clone(), doing })
    }

    /// No more time can lie between a driver's two readings of the clock than between our question
    /// and its answer.
    fn check_time(&self, ns: u128, asked: Instant, doing: &str) -> Result<(), ProcessError> {
        let passed = asked.elapsed();
        if ns <= (passed.mul_f64(CLOCK_RATIO) + CLOCK_SLACK).as_nanos() {
            return Ok(());
        }
        let what = format!(
            "{ns} ns between its readings of the clock, of {} ns in which it answered",
            passed.as_nanos()
        );
        Err(ProcessError::Impossible { driver: self.name.clone(), doing: doing.to_owned(), what })
    }

    fn send(&mut self, line: &str, doing: &str) -> Result<(), ProcessError> {
        match self.input.write_all(line.as_bytes()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.how_it_ended(doing)),
            Err(error) => Err(self.pipe_error(error)),
        }
    }

    fn answer(&mut self, doing: &str) -> Result<Answer, ProcessError> {
        let line = self.line(doing)?;
        match parse_answer(&line) {
            Ok(Answer::Error(mut error)) => {
                if error.errno == "ENOSPC"
                    && let Some(which) = which_ran_out(Path::new(&error.path))
                {
                    error.path = format!("{}: {which}", error.path);
                }
                Err(error.into())
            }
            Ok(answer) => Ok(answer),
            Err(error) => {
                Err(ProcessError::Protocol { driver: self.name.clone(), doing: doing.to_owned(), error })
            }
        }
    }

    fn unexpected(&self, answer: &Answer, doing: &str) -> ProcessError {
        ProcessError::Protocol {
            driver: self.name.clone(),
            doing: doing.to_owned(),
            error: AnswerError(format!("{answer:?}")),
        }
    }

    fn line(&mut self, doing: &str) -> Result<String, ProcessError> {
        let begun = Instant::now();
        let mut searched = 0;
        loop {
            if let Some(at) = self.pending[searched..].iter().position(|&byte| byte == b'\n') {
                let rest = self.pending.split_off(searched + at + 1);
                let mut line = std::mem::replace(&mut self.pending, rest);
                line.pop();
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            searched = self.pending.len();
            if self.stop.load(Ordering::Relaxed) {
                return Err(ProcessError::Interrupted);
            }
            if begun.elapsed() > self.answer_limit {
                if let Some(Ranks { launcher, facts }) = &self.ranks
                    && facts.is_empty()
                {
                    return Err(ProcessError::NotLaunched {
                        launcher: launcher.told(),
                        ranks: launcher.ranks,
                        waited: self.answer_limit,
                    });
                }
                return Err(ProcessError::Silent {
                    waited: self.answer_limit,
                    driver: self.name.clone(),
                    doing: doing.to_owned(),
                });
            }
            if searched > LINE_MAX_BYTES {
                return Err(self.too_much(doing, "answered", "line", LINE_MAX_BYTES as u64));
            }
            if self.errors.metadata().is_ok_and(|found| found.len() > ERRORS_MAX_BYTES) {
                return Err(self.too_much(doing, "wrote to standard error", "text", ERRORS_MAX_BYTES));
            }
            if !self.readable()? {
                continue;
            }
            let mut piece = [0; 16_384];
            let read = self.output.read(&mut piece).map_err(|error| self.pipe_error(error))?;
            if read == 0 {
                return Err(self.how_it_ended(doing));
            }
            self.pending.extend_from_slice(&piece[..read]);
        }
    }

    /// Waits up to a second, so that an interrupt is noticed.
    fn readable(&self) -> Result<bool, ProcessError> {
        let mut waiting = [PollFd::new(&self.output, PollFlags::IN)];
        let second = rustix::event::Timespec { tv_sec: 1, tv_nsec: 0 };
        match poll(&mut waiting, Some(&second)) {
            Ok(count) => Ok(count > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(errno) => Err(self.pipe_error(errno.into())),
        }
    }

    fn too_much(&self, doing: &str, said: &str, what: &str, most_bytes: u64) -> ProcessError {
        let what = format!("{said} a {what} of more than {} MiB", most_bytes >> 20);
        ProcessError::TooMuch { driver: self.name.clone(), doing: doing.to_owned(), what }
    }

    fn pipe_error(&self, error: io::Error) -> ProcessError {
        ProcessError::Pipe { driver: self.name.clone(), error }
    }

    fn how_it_ended(&mut self, doing: &str) -> ProcessError {
        let status = match self.end() {
            Ok(Some(status)) => status,
            Ok(None) => {
                let (driver, doing) = (self.name.clone(), doing.to_owned());
                return ProcessError::LivesOn { driver, pid: self.pid(), doing };
            }
            Err(error) => return error,
        };
        let said = self.last_words();
        if status.code() == Some(77) {
            let reason = if said.is_empty() { "not supported here".into() } else { said };
            return ProcessError::Unsupported(reason);
        }
        let how = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with {code}"),
            (None, Some(signal)) => format!("was killed by {}", signal_name(signal)),
            (None, None) => "ended".to_owned(),
        };
        let said = if said.is_empty() { said } else { format!(": {said}") };
        ProcessError::Ended { driver: self.name.clone(), pid: self.pid(), how, doing: doing.to_owned(), said }
    }

    /// The last three lines of its standard error.
    fn last_words(&mut self) -> String {
        let Ok(length) = self.errors.metadata().map(|found| found.len()) else { return String::new() };
        let start = SeekFrom::Start(length.saturating_sub(LAST_WORDS_BYTES));
        let mut bytes = Vec::new();
        let read = self
            .errors
            .seek(start)
            .and_then(|_| Read::by_ref(&mut self.errors).take(LAST_WORDS_BYTES).read_to_end(&mut bytes));
        if read.is_err() {
            return String::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        last_lines(&text, if self.ranks.is_some() { LAUNCHER_LINES } else { 3 })
    }

    /// Lets a launcher end its ranks, those on other hosts too, and remove what it made.
    fn end_ranks(&mut self) {
        let Ok(pid) = i32::try_from(self.child.id()) else { return };
        if let Some(pid) = rustix::process::Pid::from_raw(pid)
            && rustix::process::kill_process(pid, rustix::process::Signal::TERM).is_ok()
        {
            let _killed_next = wait_for(&mut self.child, QUIT_LIMIT, &NEVER);
        }
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// Launchers say in prose what hinders them.
pub(crate) const LAUNCHER_LINES: usize = 12;

/// The last lines that say something: launchers draw lines around what they say.
pub(crate) fn last_lines(text: &str, most: usize) -> String {
    let says = |line: &&str| line.chars().any(char::is_alphanumeric);
    let lines: Vec<_> = text.lines().map(str::trim).filter(says).collect();
    let glue = if most == LAUNCHER_LINES { " " } else { "; " };
    lines[lines.len().saturating_sub(most)..].join(glue)
}

impl Drop for DriverProcess<'_> {
    fn drop(&mut self) {
        if self.ended.is_none() {
            if self.ranks.is_some() {
                self.end_ranks();
            }
            kill_group(&mut self.child);
        }
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP".into(),
        2 => "SIGINT".into(),
        6 => "SIGABRT".into(),
        7 => "SIGBUS".into(),
        9 => "SIGKILL".into(),
        11 => "SIGSEGV".into(),
        15 => "SIGTERM".into(),
        other => format!("signal {other}"),
    }
}

/// A file for what a driver says on standard error; in memory where there is no directory for
/// temporary files, as in an image with one program alone.
fn nameless_file() -> io::Result<File> {
    tempfile::tempfile().or_else(|_| {
        let memory = memfd_create("fathom-driver-errors", MemfdFlags::CLOEXEC)?;
        Ok(memory.into())
    })
}

#[cfg(test)]
mod tests;
