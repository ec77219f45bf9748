//! A file of events in a form that other tools read: one pass to see what there is and to judge it,
//! one or more to write it. Nothing but what lives, and the paths, is held.

use super::{refuse_a_terminal, refuse_the_record};
use crate::arguments::{Export as Words, ExportForm};
use crate::command::Hinted;
use crate::command::audit::{End, Judge, Listener, Start, listen_to_file};
use crate::command::trace::Redacted;
use crate::exit::Exit;
use crate::output;
use crate::output_file::{OutputFile, folder_of};
use crate::redaction::{Audience, Redaction};
use anyhow::Context;
use fathom_audit::{Auditor, FactKind, Frame};
use fathom_events::{FileEvent, PathTable, RunningProcess, is_trace_file};
use fathom_report::{
    EventExportError, EventExporter, EventFormat, EventSource, EventSurvey, EventSurveyor, EventsWritten,
    FindingMarks, data_name, data_path, event_passes, export_events,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// True of a file of events, and of standard input, by which no record comes.
pub(super) fn are_in(path: &Path) -> bool {
    if path == Path::new("-") {
        return true;
    }
    let mut beginning = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok() && is_trace_file(&beginning)
}

/// Adds the events of a file to the collection in a folder: where, from that on; nothing where there are
/// none or the file is there already.
pub(super) fn add(words: &Words, folder: &Path) -> anyhow::Result<Option<(String, bool)>> {
    let input = Input::new(&words.record)?;
    let looked = look(&input, words)?;
    if looked.survey.events == 0 {
        return Ok(None);
    }
    let created = looked.start.created.clone().unwrap_or_default();
    let program = looked.start.command.first().map_or(looked.start.subject.as_str(), String::as_str);
    let program = Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy());
    let name = data_name(&created, &digest_of_file(&input.path)?);
    let at = data_path("events", &created, words.host.as_deref(), &program, &name);
    let path = folder.join(&at);
    if path.exists() {
        return Ok(Some((at, false)));
    }
    let failed = || format!("failed to write {}", path.display());
    fs::create_dir_all(folder_of(&path)).with_context(failed)?;
    let mut file = OutputFile::begin(&path).with_context(failed)?;
    let written = write(&input, words, EventFormat::Parquet, &looked, &mut file)?;
    file.commit().with_context(failed)?;
    tell(&looked, written);
    Ok(Some((at, true)))
}

/// Does what the command line asks for.
pub(super) fn run(words: &Words) -> anyhow::Result<Exit> {
    let format = format_of(words)?;
    if let Some(path) = &words.output {
        refuse_the_record(path, &words.record)?;
        if format == EventFormat::Parquet && is_compressed(path) {
            let message = format!(
                "{}: Parquet is compressed inside, and no reader takes it packed again",
                path.display()
            );
            return Err(Hinted::error(message, "name a file that does not end in .gz"));
        }
    } else if matches!(format, EventFormat::Perfetto | EventFormat::Parquet) {
        refuse_a_terminal(&io::stdout())?;
    }
    let input = Input::new(&words.record)?;
    let looked = look(&input, words)?;
    if looked.survey.events == 0 {
        output::note(&format!("no events in {}: nothing is written", words.record.display()));
        return Ok(Exit::NothingRan);
    }
    let written = match &words.output {
        None => write(&input, words, format, &looked, &mut BufWriter::new(io::stdout()))?,
        Some(path) => {
            fs::create_dir_all(folder_of(path))
                .with_context(|| format!("failed to write {}", path.display()))?;
            let mut file =
                OutputFile::begin(path).with_context(|| format!("failed to write {}", path.display()))?;
            if let (EventFormat::Perfetto | EventFormat::Parquet, Some(special)) = (format, file.special()) {
                refuse_a_terminal(special)?;
            }
            let written = if is_compressed(path) {
                let mut packed = GzEncoder::new(&mut file, Compression::fast());
                let written = write(&input, words, format, &looked, &mut packed)?;
                packed.finish().with_context(|| format!("failed to write {}", path.display()))?;
                written
            } else {
                write(&input, words, format, &looked, &mut file)?
            };
            file.commit().with_context(|| format!("failed to write {}", path.display()))?;
            written
        }
    };
    tell(&looked, written);
    Ok(Exit::Done)
}

/// What tells a file of events from others that were begun then.
fn digest_of_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("failed to read {}", path.display());
    let mut file = File::open(path).with_context(failed)?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece).with_context(failed)? {
            0 => return Ok(hash.finalize().to_vec()),
            count => hash.update(&piece[..count]),
        }
    }
}

/// True of the name of a file that is to be packed.
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

fn format_of(words: &Words) -> anyhow::Result<EventFormat> {
    Ok(match words.format {
        ExportForm::Perfetto => EventFormat::Perfetto,
        ExportForm::Chrome => EventFormat::Chrome,
        ExportForm::Speedscope => EventFormat::Speedscope,
        ExportForm::Parquet => EventFormat::Parquet,
        ExportForm::Strace => EventFormat::Strace,
        _ => {
            let message = format!("{} holds events, and this is a form of records", words.record.display());
            let hint = "of events there are: perfetto, chrome, speedscope, parquet, strace";
            return Err(Hinted::error(message, hint));
        }
    })
}

/// A file that can be read again and again.
struct Input {
    path: PathBuf,
    /// What came by standard input; it goes with this.
    _copy: Option<NamedTempFile>,
}

impl Input {
    fn new(path: &Path) -> anyhow::Result<Self> {
        if path != Path::new("-") {
            return Ok(Self { path: path.to_owned(), _copy: None });
        }
        let mut copy = NamedTempFile::new().context("failed to keep standard input in a file")?;
        io::copy(&mut io::stdin().lock(), &mut copy).context("failed to read standard input")?;
        copy.flush().context("failed to keep standard input in a file")?;
        Ok(Self { path: copy.path().to_owned(), _copy: Some(copy) })
    }
}

/// What the first pass found.
struct Looked {
    start: Start,
    survey: EventSurvey,
    facts: Vec<(String, String)>,
    stacks: HashMap<u32, Vec<Frame>>,
    marks: FindingMarks,
}

/// Looks at all events, and judges them.
struct Looking<'a> {
    surveyor: EventSurveyor,
    judge: Option<Judge<'a>>,
    start: Start,
    redacted: Option<Redacted>,
}

impl Listener for Looking<'_> {
    fn begin(&mut self, start: &Start) -> anyhow::Result<()> {
        self.start = start.clone();
        self.surveyor = EventSurveyor::new(start.running.as_ref());
        self.judge.as_mut().map_or(Ok(()), |judge| judge.begin(start))
    }

    fn meet(&mut self, running: &RunningProcess) {
        if let Some(judge) = &mut self.judge {
            judge.meet(running);
        }
    }

    fn take(&mut self, event: FileEvent, paths: &PathTable) {
        let shown = self.redacted.as_mut().map_or(paths, |redacted| redacted.paths_as(paths));
        self.surveyor.observe(&event, shown);
        if let Some(judge) = &mut self.judge {
            judge.take(event, paths);
        }
    }
}

fn look(input: &Input, words: &Words) -> anyhow::Result<Looked> {
    let auditor = Auditor::new();
    let judge = (!words.no_findings).then(|| Judge { auditor, start: Start::default(), prices: None });
    let redacted = || Redaction::new(words.redaction, Audience::Own).into_redactor().map(Redacted::new);
    let mut looking =
        Looking { surveyor: EventSurveyor::default(), judge, start: Start::default(), redacted: redacted() };
    let End { facts, gaps, stacks, .. } = listen_to_file(&input.path, &mut looking)?;
    let Looking { surveyor, judge, mut start, redacted: mut names } = looking;
    let mut stacks: HashMap<u32, Vec<Frame>> =
        stacks.into_kept().into_iter().map(|stack| (stack.number, stack.frames)).collect();
    let marks = match judge {
        None => FindingMarks::default(),
        Some(judge) => {
            let mut frames = |stack: u32| stacks.get(&stack).cloned().unwrap_or_default();
            let mut audit = judge.auditor.finish_for_good(&mut frames);
            audit.set_trifles_apart();
            let audit = Redaction::new(words.redaction, Audience::Own).apply(audit)?;
            FindingMarks::of(&audit)
        }
    };
    // Where it was kept says nothing of it.
    let facts = facts.into_iter().filter(|fact| fact.kind != FactKind::Kept);
    let facts = facts.map(|fact| (fact.kind.word().to_owned(), fact.text));
    let mut facts: Vec<_> =
        facts.chain(gaps.into_iter().map(|gap| (gap.kind.word().to_owned(), gap.text))).collect();
    if let Some(names) = &mut names {
        for (_, text) in &mut facts {
            *text = names.text(text);
        }
        start.subject = names.text(&start.subject);
        for word in &mut start.command {
            *word = names.text(word);
        }
        stacks = names.whole(&stacks)?;
        start.running = start.running.as_ref().map(|running| names.whole(running)).transpose()?;
    }
    Ok(Looked { survey: surveyor.finish(), start, facts, stacks, marks })
}

/// Gives events to who writes them.
struct Writing<'a> {
    exporter: Box<dyn EventExporter + 'a>,
    redacted: Option<Redacted>,
    failed: Option<EventExportError>,
}

impl Listener for Writing<'_> {
    fn begin(&mut self, _start: &Start) -> anyhow::Result<()> {
        Ok(())
    }

    /// These forms have descriptors by the calls that made them alone.
    fn meet(&mut self, _running: &RunningProcess) {}

    fn take(&mut self, event: FileEvent, paths: &PathTable) {
        if self.failed.is_some() {
            return;
        }
        let paths = self.redacted.as_mut().map_or(paths, |redacted| redacted.paths_as(paths));
        self.failed = self.exporter.take(&event, paths).err();
    }
}

fn write(
    input: &Input,
    words: &Words,
    format: EventFormat,
    looked: &Looked,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<EventsWritten> {
    let created = looked.start.created.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    let source = EventSource {
        subject: &looked.start.subject,
        capture: &looked.start.capture,
        command: &looked.start.command,
        began_epoch_ns: created.and_then(|created| u64::try_from(created.as_nanosecond()).ok()),
        running: looked.start.running.as_ref(),
        facts: &looked.facts,
        stacks: &looked.stacks,
        survey: &looked.survey,
        marks: &looked.marks,
    };
    let failed = || format!("failed to export {}", words.record.display());
    let exporter = export_events(format, source, out).with_context(failed)?;
    let mut writing = Writing { exporter, redacted: None, failed: None };
    for _ in 0..event_passes(format, &looked.survey) {
        writing.redacted = Redaction::new(words.redaction, Audience::Own).into_redactor().map(Redacted::new);
        listen_to_file(&input.path, &mut writing)?;
        if let Some(error) = writing.failed {
            return Err(anyhow::Error::new(error).context(failed()));
        }
    }
    writing.exporter.finish().with_context(failed)
}

/// What not every form can say, for the person who waits.
fn tell(looked: &Looked, written: EventsWritten) {
    let (events, timed) = (looked.survey.events, looked.survey.with_duration);
    if timed == 0 {
        output::note(&format!(
            "note: this capture ({}) has no durations: all {events} calls are instants; \
             `fathom trace --capture ptrace` and logs of `strace -T` have some",
            looked.start.capture
        ));
    } else if matches!(looked.start.capture.as_str(), "ptrace" | "hook") {
        output::note("note: durations are the tracer's: its own stops, some µs a stop, are in them");
    }
    if written.moved > 0 {
        output::note(&format!(
            "note: {} calls began before the call before them on their thread ended, by the capture's clock: \
             they are shown from that end on",
            written.moved
        ));
    }
    let gaps = ["unseen", "unread", "lost", "cut"];
    for (word, text) in looked.facts.iter().filter(|(word, _)| gaps.contains(&word.as_str())) {
        output::note(&format!("note: {word}: {text}"));
    }
}
