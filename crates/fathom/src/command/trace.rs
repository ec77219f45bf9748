//! `fathom trace`: the events of a command, kept in a file that `fathom audit --from` judges.

use super::audit::{End, Listener, Start, listen};
use crate::arguments::Trace as Words;
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use crate::output_file::OutputFile;
use crate::record_file;
use crate::redaction::{Audience, Redaction};
use anyhow::Context;
use fathom_audit::{FactKind, Frame};
use fathom_collect::Machine;
use fathom_events::{
    FileEvent, KeptFact, PathTable, RunningProcess, TraceEnd, TraceFileError, TraceHeader, TraceReader,
    TraceWriter,
};
use fathom_report::Redactor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    record_file::check_folder(&words.output)?;
    let redaction = Redaction::new(words.redaction, Audience::Own);
    let redacted = redaction.into_redactor().map(Redacted::new);
    let mut keeper = Keeper { path: &words.output, state: State::Waiting, redacted };
    let mut end = listen(&words.source, &mut keeper)?;
    end.say_variables(|_| true);
    let code = end.exit_code.or(end.signal.map(|signal| 128 + signal));
    let events = keeper.finish(end)?;
    let file = words.output.display();
    if events == 0 {
        output::note(&format!("no events: {file} is an empty trace"));
        return Ok(Exit::NothingRan);
    }
    Ok(match code {
        Some(code) => Exit::OfCommand(u8::try_from(code & 0xff).unwrap_or(u8::MAX)),
        None => Exit::Done,
    })
}

/// Keeps events in a file.
struct Keeper<'a> {
    path: &'a Path,
    state: State,
    redacted: Option<Redacted>,
}

enum State {
    Waiting,
    Writing(TraceWriter<OutputFile>),
    /// The command runs on to its end all the same.
    Failed(TraceFileError, TraceWriter<OutputFile>),
}

impl Listener for Keeper<'_> {
    fn wants_times(&self) -> bool {
        true
    }

    fn begin(&mut self, start: &Start) -> anyhow::Result<()> {
        let file = OutputFile::begin(self.path)
            .with_context(|| format!("failed to write {}", self.path.display()))?;
        let header = header(start);
        let header = match &mut self.redacted {
            None => header,
            Some(redacted) => redacted.whole(&header)?,
        };
        let writer = TraceWriter::new(file, &header)
            .map_err(plain)
            .with_context(|| format!("failed to write {}", self.path.display()))?;
        self.state = State::Writing(writer);
        Ok(())
    }

    fn meet(&mut self, running: &RunningProcess) {
        let State::Writing(writer) = &mut self.state else { return };
        let met = match &mut self.redacted {
            None => writer.meet(running),
            Some(redacted) => match redacted.whole(running) {
                Ok(running) => writer.meet(&running),
                // What cannot be redacted is not kept.
                Err(_) => Ok(()),
            },
        };
        self.look_at(met);
    }

    fn take(&mut self, event: FileEvent, paths: &PathTable) {
        let State::Writing(writer) = &mut self.state else { return };
        let paths = self.redacted.as_mut().map_or(paths, |redacted| redacted.paths_as(paths));
        let written = writer.write(event, paths);
        self.look_at(written);
    }
}

impl Keeper<'_> {
    /// Keeps what was written before the first that could not be.
    fn look_at(&mut self, written: Result<(), TraceFileError>) {
        let Err(error) = written else { return };
        if let State::Writing(writer) = std::mem::replace(&mut self.state, State::Waiting) {
            self.state = State::Failed(error, writer);
        }
    }

    /// Puts the file in place. Returns how many events it has.
    fn finish(mut self, end: End) -> anyhow::Result<u64> {
        let shown = self.path.display();
        let (events, file) = match self.state {
            State::Waiting => return Ok(0),
            State::Writing(writer) => {
                let gaps = end.gaps.into_iter().map(|gap| (gap.kind.word().to_owned(), gap.text));
                let facts =
                    end.facts.into_iter().map(|fact| (fact.kind.word().to_owned(), fact.text)).chain(gaps);
                let facts = facts.map(|(label, text)| KeptFact { label, text });
                let kept = TraceEnd {
                    events: 0,
                    exit_code: end.exit_code,
                    signal: end.signal,
                    cpu_ns: end.cpu_ns,
                    facts: facts.collect(),
                    stacks: end.stacks.into_kept(),
                };
                let kept = match &mut self.redacted {
                    None => kept,
                    Some(redacted) => redacted.end(&kept)?,
                };
                (writer.events(), writer.finish(kept))
            }
            State::Failed(error, writer) => {
                let hint = match writer.into_inner().commit_cut(opens) {
                    Some(cut) => {
                        let cut = cut.display();
                        format!("what was written before is kept: `fathom audit --from {cut}`")
                    }
                    None => "nothing could be kept".to_owned(),
                };
                return Err(Hinted::error(format!("failed to write {shown}: {error}"), hint));
            }
        };
        let file = file.map_err(plain).with_context(|| format!("failed to write {shown}"))?;
        file.commit().with_context(|| format!("failed to write {shown}"))?;
        Ok(events)
    }
}

/// A trace without names and secrets: the same events, about paths that stand for the real ones.
pub(in crate::command) struct Redacted {
    redactor: Redactor,
    /// A path for each of the real ones, under the same number.
    paths: PathTable,
}

impl Redacted {
    pub(in crate::command) fn new(redactor: Redactor) -> Self {
        Self { redactor, paths: PathTable::new() }
    }

    /// A text by itself.
    pub(in crate::command) fn text(&mut self, text: &str) -> String {
        self.redactor.text(text)
    }

    pub(in crate::command) fn whole<T: Serialize + DeserializeOwned>(
        &mut self,
        value: &T,
    ) -> anyhow::Result<T> {
        Ok(self.redactor.redact(value).context("failed to redact the trace")?.0)
    }

    pub(in crate::command) fn paths_as(&mut self, paths: &PathTable) -> &PathTable {
        for path in paths.paths_from(self.paths.len()) {
            let text = path.to_string_lossy();
            let redacted = self.redactor.text(&text);
            // What is no text keeps its bytes unless something in it is replaced.
            let is_same = redacted == text;
            self.paths.append(if is_same { path } else { OsStr::new(&redacted) });
        }
        &self.paths
    }

    /// The end, which says that names were left out.
    fn end(&mut self, end: &TraceEnd<Frame>) -> anyhow::Result<TraceEnd<Frame>> {
        let mut end = self.whole(end)?;
        let text = "names and secrets were left out when it was kept (--redact)".to_owned();
        end.facts.push(KeptFact { label: FactKind::Redacted.word().to_owned(), text });
        Ok(end)
    }
}

/// True of a trace of which the beginning and one event can be read.
fn opens(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let first = TraceReader::new(BufReader::new(file)).and_then(|mut reader| reader.next_event());
    matches!(first, Ok(Some(_)))
}

/// What the file system said, without saying it twice.
fn plain(error: TraceFileError) -> anyhow::Error {
    match error {
        TraceFileError::Io(error) => error.into(),
        error => error.into(),
    }
}

fn header(start: &Start) -> TraceHeader {
    TraceHeader {
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created: start.created.clone().unwrap_or_else(|| jiff::Timestamp::now().to_string()),
        subject: start.subject.clone(),
        capture: start.capture.clone(),
        command: start.command.clone(),
        user: start.user,
        directory: start.directory.clone(),
        mounts: start.mounts.clone(),
        running: start.running.clone(),
        // A log may be of another machine.
        machine: if start.command.is_empty() { BTreeMap::new() } else { machine() },
    }
}

fn machine() -> BTreeMap<String, String> {
    let Machine { kernel, architecture, cpu_model } = fathom_collect::machine();
    let processor = cpu_model.value().cloned();
    let words = [("kernel", Some(kernel)), ("architecture", Some(architecture)), ("processor", processor)];
    words.into_iter().filter_map(|(word, text)| Some((word.to_owned(), text?))).collect()
}
