//! What a part says and hears: lines over its standard output and input.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use std::io::{self, BufRead, Write};

/// Why a part could not be played, for people.
pub(super) type Failure = Box<dyn std::error::Error>;

/// Says a line.
pub(super) fn say(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    Ok(out.flush()?)
}

/// Says a result.
pub(super) fn say_all(result: &impl Serialize) -> Result<(), Failure> {
    say(&serde_json::to_string(result)?)
}

/// Waits for a line; `None` when there will be none.
pub(super) fn hear() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim_end().to_owned()))
}

/// Waits for any line.
pub(super) fn wait_for_word() -> Result<(), Failure> {
    hear()?.map(|_| ()).ok_or_else(|| "the lab is gone".into())
}

/// True when a line, or the end of all lines, is there to be heard.
pub(super) fn is_called() -> Result<bool, Failure> {
    let stdin = io::stdin();
    let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
    Ok(poll(&mut waiting, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))? > 0)
}
