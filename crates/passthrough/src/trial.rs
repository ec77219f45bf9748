//! One run, from the side of whoever asks for it.

use crate::ground::{GROUND_WORD, TrialOrder, TrialReply};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the run is over, or to be ended.
const LOOK: Duration = Duration::from_millis(5);
/// What is told to end has so long for it.
const ENDING: Duration = Duration::from_secs(20);

/// Why a run has no reply.
#[derive(Debug)]
pub enum TrialError {
    /// It was to be ended.
    Stopped,
    /// It took longer than it may.
    TooLong,
    /// The process that holds it could not be made, or gave no reply.
    Io(io::Error),
}

impl std::fmt::Display for TrialError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stopped => f.write_str("interrupted"),
            Self::TooLong => f.write_str("a run took longer than --limit"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrialError {}

impl From<io::Error> for TrialError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Runs a command over directories that are served. This program has to answer to [`GROUND_WORD`].
///
/// # Errors
///
/// When `stop` becomes true, when it takes longer than `limit`, and when the process fails. Nothing of the
/// run is left then.
pub fn run_trial(order: &TrialOrder, limit: Duration, stop: &AtomicBool) -> Result<TrialReply, TrialError> {
    let mut command = Command::new("/proc/self/exe");
    // In a group of its own: Ctrl-C is for whoever asked.
    command.arg0("fathom").arg(GROUND_WORD).process_group(0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let asked = ask(&mut child, order, limit, stop);
    // It ends when nobody holds the other end of its input.
    drop(child.stdin.take());
    let begun = Instant::now();
    while child.try_wait()?.is_none() {
        if begun.elapsed() > ENDING {
            child.kill()?;
        }
        thread::sleep(LOOK);
    }
    asked
}

fn ask(
    child: &mut Child,
    order: &TrialOrder,
    limit: Duration,
    stop: &AtomicBool,
) -> Result<TrialReply, TrialError> {
    let mut line = serde_json::to_string(order).map_err(io::Error::other)?;
    line.push('\n');
    let missing = || io::Error::other("a pipe is missing");
    child.stdin.as_mut().ok_or_else(missing)?.write_all(line.as_bytes())?;
    let mut output = child.stdout.take().ok_or_else(missing)?;
    let reader = thread::Builder::new().spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    })?;
    let begun = Instant::now();
    while !reader.is_finished() {
        if stop.load(Ordering::SeqCst) {
            return Err(TrialError::Stopped);
        }
        if begun.elapsed() > limit {
            return Err(TrialError::TooLong);
        }
        thread::sleep(LOOK);
    }
    let text = reader.join().map_err(|_| io::Error::other("a thread panicked"))??;
    let reply = serde_json::from_str(&text);
    Ok(reply.map_err(|_| io::Error::other("the process that holds the run ended without a reply"))?)
}
