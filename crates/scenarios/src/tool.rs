//! The part that runs a tool of a language to its end and says what came of it.

use super::ground::Ground;
use super::lines::{Failure, say_all};
use super::performer::Trouble;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A tool may have to compile a standard library first.
const LIMIT: Duration = Duration::from_mins(5);

/// How a tool ended.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ended {
    /// Its exit code; 255 of one that was killed.
    pub(super) code: u8,
    /// What it said, errors last.
    pub(super) said: String,
}

/// Plays it: the words of a command.
pub(super) fn run(words: &[&str]) -> Result<(), Failure> {
    let [program, words @ ..] = words else { return Err("which tool?".into()) };
    let output = Command::new(program)
        .args(words)
        // Nothing is fetched, and the user's settings change no answer.
        .env("GOFLAGS", "-mod=mod -buildvcs=false")
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOWORK", "off")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let code = output.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX);
    say_all(&Ended { code, said: said.concat() })
}

/// Runs a tool in a directory.
pub(super) fn end_of(ground: &Ground<'_>, words: &[&str], directory: &Path) -> Result<Ended, Trouble> {
    ground.start(&[&["run-tool"], words].concat(), directory)?.answer_within(LIMIT)
}
