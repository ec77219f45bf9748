//! Where the events of an audit come from: a command that is watched, or a log.

use crate::arguments::Audit as Words;
use crate::command::Hinted;
use crate::interrupt;
use anyhow::Context;
use fathom_audit::{Audit, Auditor};
use fathom_events::PathTable;
use fathom_model::Cut;
use fathom_trace::{FileTraceOptions, StraceError, StraceLog, TraceError, signal_name, trace_files};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Logs are read in pieces of this size.
const PIECE_BYTES: usize = 1 << 20;

/// What the words name, judged, without prices.
pub(super) fn audited(words: &Words) -> anyhow::Result<Audit> {
    match (&words.strace, words.command.split_first()) {
        (Some(path), _) => of_log(path),
        (None, Some((program, rest))) => of_command(Command::new(program).args(rest), words),
        (None, None) => Err(Hinted::error(
            "there is nothing to audit",
            "name a command, `fathom audit -- ls -l`, or a log of strace's, `fathom audit --strace FILE`",
        )),
    }
}

fn of_command(command: &mut Command, words: &Words) -> anyhow::Result<Audit> {
    let signal = interrupt::number()?;
    let options = FileTraceOptions { signal: Some(&signal), ..FileTraceOptions::default() };
    let directory = std::env::current_dir().context("failed to find the current directory")?;
    let mut auditor = Auditor::new().starting_in(&directory.to_string_lossy());
    let end = trace_files(command, &options, &mut |event, paths| auditor.observe(&event, paths))
        .map_err(explained)?;
    let shown: Vec<_> = words.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut audit = auditor.finish();
    audit.say("audit", shown.join(" "));
    audit.say("ended", ended(end.status));
    if let Some(cut) = &end.cut {
        audit.say("cut", cut_in_words(cut));
    }
    for unseen in &end.unseen {
        audit.say("unseen", unseen.to_string());
    }
    Ok(audit)
}

fn cut_in_words(cut: &Cut) -> String {
    match cut {
        Cut::Interrupted(signal) => {
            format!("interrupted by {signal}: what was called until the end is judged")
        }
        Cut::TimeLimit(seconds) => {
            format!("killed at the limit of {seconds} s: what was called until then is judged")
        }
    }
}

fn ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("killed by {}", signal_name(signal)),
        (None, None) => "not known how".to_owned(),
    }
}

fn of_log(path: &Path) -> anyhow::Result<Audit> {
    let shown = path.display();
    let reader: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| format!("failed to open {shown}"))?)
    };
    let mut log = StraceLog::new(BufReader::with_capacity(PIECE_BYTES, reader));
    let mut paths = PathTable::new();
    let mut auditor = Auditor::new();
    let mut begun = false;
    while let Some(event) = log.next_event(&mut paths).map_err(|error| foreign(error, path))? {
        if !begun && let Some(directory) = log.first_directory() {
            auditor = auditor.starting_in(&directory.to_string_lossy());
        }
        begun = true;
        auditor.observe(&event, &paths);
    }
    let mut audit = auditor.finish();
    audit.say("audit", format!("{shown}, {} lines of strace's", log.lines()));
    for (kind, count) in log.notes().counts() {
        audit.say("unread", format!("{count} {}", kind.words()));
    }
    Ok(audit)
}

fn foreign(error: StraceError, path: &Path) -> anyhow::Error {
    let shown = path.display();
    match error {
        StraceError::Foreign { .. } => Hinted::error(
            format!("failed to audit {shown}: {error}"),
            "`strace -f -o log COMMAND` writes one; -y and -v make it tell more",
        ),
        StraceError::Io { .. } => anyhow::Error::new(error).context(format!("failed to audit {shown}")),
    }
}

fn explained(error: TraceError) -> anyhow::Error {
    let hint = match &error {
        TraceError::Start { .. } => "the command and its words stand after `--`, as a shell would find it",
        TraceError::Forbidden { .. } => "`fathom doctor` says what this machine can measure",
        _ => return error.into(),
    };
    Hinted::error(format!("failed to {error}"), hint)
}
