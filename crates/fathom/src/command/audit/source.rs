//! Where events come from: what is watched (`capture`), a log of strace's, or a file that kept them.

use super::capture;
use super::code::{self, Stacks};
use super::container;
use super::listener::{End, Listener, Start};
use crate::arguments::Source as Words;
use crate::command::Hinted;
use anyhow::Context;
use fathom_audit::{FactKind, Frame, Gap, GapKind};
use fathom_events::{PathTable, TraceEnd, TraceFileError, TraceReader};
use fathom_trace::{StraceError, StraceLog};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::process::Command;

/// Logs are read in pieces of this size.
const PIECE_BYTES: usize = 1 << 20;

/// Gives the events of what the words name to the listener.
pub(in crate::command) fn listen(words: &Words, listener: &mut dyn Listener) -> anyhow::Result<End> {
    if let Some(process) = words.pid {
        return capture::to_process(process, words, listener);
    }
    if let Some(container) = &words.container {
        return container::to_container(container, words, listener);
    }
    if let Some(cgroup) = &words.cgroup {
        return container::to_cgroup(cgroup, words, listener);
    }
    if words.seconds.is_some() {
        return Err(Hinted::error(
            "--seconds is for what runs already",
            "name it: `--pid PID`, `--container ID` or `--cgroup PATH`",
        ));
    }
    match (&words.strace, words.command.split_first()) {
        (Some(path), _) => to_log(path, listener),
        (None, Some((program, rest))) => {
            capture::to_command(Command::new(program).args(rest), words, listener)
        }
        (None, None) => Err(Hinted::error(
            "there is nothing to watch and nothing to read",
            "name a command after `--`, as in `fathom audit -- ls -l`, or a log of strace's, `--strace FILE`",
        )),
    }
}

fn to_log(path: &Path, listener: &mut dyn Listener) -> anyhow::Result<End> {
    let shown = path.display();
    let mut log = StraceLog::new(opened(path)?);
    let mut paths = PathTable::new();
    let mut begun = false;
    loop {
        let event = log.next_event(&mut paths).map_err(|error| foreign(error, path))?;
        if !begun {
            listener.begin(&Start {
                subject: format!("{shown}, a log of strace's"),
                capture: "strace".to_owned(),
                directory: log.first_directory().map(|directory| directory.to_string_lossy().into_owned()),
                ..Start::default()
            })?;
            begun = true;
        }
        let Some(event) = event else { break };
        listener.take(event, &paths);
    }
    let stacks = Stacks::Kept(code::of_log(log.stacks(), |stack| log.frames(stack)));
    let mut end = End { stacks, ..End::default() };
    end.say(FactKind::Read, format!("{} lines", log.lines()));
    for (kind, count) in log.notes().counts() {
        end.gaps.push(Gap::new(GapKind::Unread, format!("{count} {}", kind.words())));
    }
    Ok(end)
}

/// Gives the events that a file kept to the listener.
pub(in crate::command) fn listen_to_file(path: &Path, listener: &mut dyn Listener) -> anyhow::Result<End> {
    let failed = |error| unreadable(error, path);
    let mut kept = TraceReader::new(opened(path)?).map_err(failed)?;
    let header = kept.header().clone();
    let capture = header.capture.clone();
    listener.begin(&Start {
        subject: header.subject,
        capture: header.capture,
        created: (!header.created.is_empty()).then(|| header.created.clone()),
        command: header.command,
        directory: header.directory,
        user: header.user,
        mounts: header.mounts,
        running: header.running,
        live_since_ns: None,
    })?;
    while let Some(event) = kept.next_event().map_err(failed)? {
        kept.take_met().iter().for_each(|running| listener.meet(running));
        listener.take(event, kept.paths());
    }
    let mut end = End::default();
    if let Some(TraceEnd { events: _, exit_code, signal, cpu_ns, facts, stacks }) =
        kept.end::<Frame>().map_err(failed)?
    {
        (end.exit_code, end.signal, end.cpu_ns, end.stacks) =
            (exit_code, signal, cpu_ns, Stacks::Kept(stacks));
        for fact in facts {
            match (GapKind::from_word(&fact.label), FactKind::from_word(&fact.label)) {
                (Some(kind), _) => end.gaps.push(Gap::new(kind, fact.text)),
                (None, Some(kind)) => end.say(kind, fact.text),
                // Nobody knows whether it is good news.
                (None, None) => {
                    end.gaps.push(Gap::new(GapKind::Unread, format!("{}: {}", fact.label, fact.text)));
                }
            }
        }
    } else {
        let text = format!("the file is cut short: {} events of it are whole", kept.events());
        end.gaps.push(Gap::new(GapKind::Cut, text));
    }
    let when = header.created;
    end.say(
        FactKind::Kept,
        format!("in {} on {when}, by {capture}, Fathom {}", path.display(), header.fathom_version),
    );
    Ok(end)
}

fn opened(path: &Path) -> anyhow::Result<BufReader<Box<dyn Read>>> {
    let reader: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| format!("failed to open {}", path.display()))?)
    };
    Ok(BufReader::with_capacity(PIECE_BYTES, reader))
}

fn unreadable(error: TraceFileError, path: &Path) -> anyhow::Error {
    let hint = match error {
        TraceFileError::Foreign => "`fathom trace -o FILE -- COMMAND` writes one",
        TraceFileError::Version { .. } => "the Fathom that wrote it reads it",
        TraceFileError::NoHeader | TraceFileError::Damaged { .. } => {
            "the file is not as it was written: trace again, or copy it again"
        }
        TraceFileError::Io(error) => {
            return anyhow::Error::new(error).context(format!("failed to read {}", path.display()));
        }
    };
    Hinted::error(format!("failed to read {}: {error}", path.display()), hint)
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
