//! A template that the program carries beside one that it reads: sizes of the
//! programs, calls and time of a start.

use super::{make_module, run_go};
use crate::Interrupted;
use crate::ground::{Ground, at, write};
use crate::performer::Trouble;
use crate::rows::{Found, Rows};
use crate::spread::Spread;
use fathom_sys::clock::monotonic_ns;
use fathom_trace::{CommandOptions, CountedCommand, count_command};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const CASE: &str = "carry a template in the program, or read it";
const TEMPLATE: &str = "page.template";
const PROGRAM: &str = "program";
/// Starts of each program.
const STARTS: usize = 40;
/// Calls about files; the others are a matter of the runtime's threads.
const CALLS: [&str; 5] = ["openat", "fstat", "read", "close", "epoll_create1"];

const EMBEDDING: &str = include_str!("../go/embedding/main.go");
const READING: &str = include_str!("../go/reading/main.go");

/// A program, built in a directory that holds its template.
struct Built {
    directory: PathBuf,
    bytes: u64,
    calls: Vec<(&'static str, u64)>,
}

/// Both programs with each template.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for (size, words) in [(1024, "1 KiB"), (200 * 1024, "200 KiB")] {
        let names = ["os.ReadFile", "embed.FS"].map(|name| format!("{name}, template of {words}"));
        let mut read = None;
        rows.attempt(CASE, &names[0], || {
            let built = build(ground, READING, size)?;
            let found = measure(&built, size, &built)?;
            read = Some(built);
            Ok(found)
        })?;
        rows.attempt(CASE, &names[1], || {
            let read = read.ok_or_else(|| Trouble::Failed("nothing to compare it with".to_owned()))?;
            let carried = build(ground, EMBEDDING, size)?;
            measure(&carried, size, &read)
        })?;
    }
    Ok(())
}

fn build(ground: &Ground<'_>, source: &str, size: usize) -> Result<Built, Trouble> {
    let directory = ground.fresh()?;
    make_module(&directory, "main.go", source)?;
    write(&directory.join(TEMPLATE), &template(size))?;
    let ended = run_go(ground, &["build", "-trimpath", "-o", PROGRAM, "."], &directory)?;
    if ended.code != 0 {
        return Err(Trouble::Failed(format!("go build: {}", ended.said.trim())));
    }
    let program = directory.join(PROGRAM);
    let bytes = fs::metadata(&program).map_err(|error| at(&program, &error))?.len();
    let mut built = Built { directory, bytes, calls: Vec::new() };
    let counted = count_command(&mut built.command(), &CommandOptions::default())
        .map_err(|error| Trouble::Failed(error.to_string()))?;
    built.calls = CALLS.map(|call| (call, calls(&counted, call))).to_vec();
    Ok(built)
}

/// Text with one place to fill in.
fn template(size: usize) -> Vec<u8> {
    let mut text = b"Hello {{.}}\n".to_vec();
    text.resize(size, b'.');
    text
}

impl Built {
    fn command(&self) -> Command {
        let mut command = Command::new(self.directory.join(PROGRAM));
        command.current_dir(&self.directory).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// The duration of one start, if it succeeds.
    fn start(&self) -> Result<u64, Trouble> {
        let begun = monotonic_ns();
        let status = self.command().stderr(Stdio::null()).status();
        let taken = monotonic_ns() - begun;
        match status {
            Ok(status) if status.success() => Ok(taken),
            Ok(status) => Err(Trouble::Failed(format!("the program ended with {status}"))),
            Err(error) => Err(Trouble::Failed(format!("the program did not start: {error}"))),
        }
    }

    fn opens(&self) -> u64 {
        self.calls.iter().filter(|(call, _)| *call == "openat").map(|(_, n)| n).sum()
    }
}

/// What a start of it takes; `read` is the program that reads the same template.
fn measure(built: &Built, size: usize, read: &Built) -> Result<Found, Trouble> {
    let starts = (0..STARTS).map(|_| built.start()).collect::<Result<Vec<_>, _>>()?;
    let template = built.directory.join(TEMPLATE);
    fs::remove_file(&template).map_err(|error| at(&template, &error))?;
    let needs_no_file = built.start().is_ok();
    let more = built.bytes.saturating_sub(read.bytes);
    let fewer = read.opens().saturating_sub(built.opens());
    let meaning = format!(
        "The program has {} bytes, {more} more than the one that reads its template; a start opens {} files, and \
         without the template's file it {}.",
        built.bytes,
        built.opens(),
        if needs_no_file { "works as well" } else { "fails" },
    );
    let mut found = Found::meaning(meaning)
        .count("bytes of the program", built.bytes)
        .count("bytes more than the program that reads", more)
        .count("bytes more, less the template", more.saturating_sub(size as u64))
        .count("starts without the file", u64::from(needs_no_file))
        .count("opens fewer than the program that reads", fewer);
    for (call, n) in &built.calls {
        found = found.count(format!("calls of a start: {call}"), *n);
    }
    Ok(found.figure("from the start to the end of the process", Spread::of(starts)))
}

fn calls(counted: &CountedCommand, name: &str) -> u64 {
    let threads = counted.processes.iter().flat_map(|process| &process.threads);
    threads.flat_map(|thread| &thread.calls).filter(|one| one.call == name).map(|one| one.count).sum()
}
