//! `fathom audit`: what a command, or a log of strace's, wastes or risks on its file path.

use crate::arguments::{Audit as Words, Format};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::{interrupt, kept_prices, output, record_file};
use anyhow::Context;
use fathom_audit::{
    Audit, Auditor, Finding, FindingClass, PriceList as Priced, RuleId, Severity, rule_facts,
};
use fathom_collect::environment;
use fathom_events::PathTable;
use fathom_model::{Cut, Reading};
use fathom_report::{Details, TextOptions, render_audit};
use fathom_trace::{FileTraceOptions, StraceError, StraceLog, TraceError, signal_name, trace_files};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Logs are read in pieces of this size.
const PIECE_BYTES: usize = 1 << 20;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    if words.rules {
        output::data(&rules())?;
        return Ok(Exit::Done);
    }
    known(words.only.iter().chain(&words.ignore))?;
    if let Some(path) = &words.output {
        record_file::check_folder(path)?;
    }
    let prices = kept_prices::asked_or_kept(words.prices.as_deref(), &environment())?;
    let (mut audit, mut about) = match (&words.strace, words.command.split_first()) {
        (Some(path), _) => of_log(path)?,
        (None, Some((program, rest))) => of_command(Command::new(program).args(rest), words)?,
        (None, None) => {
            return Err(Hinted::error(
                "there is nothing to audit",
                "name a command, `fathom audit -- ls -l`, or a log of strace's, `fathom audit --strace FILE`",
            ));
        }
    };
    match &prices {
        Reading::Value((file, list)) => {
            audit.price(&Priced(&list.prices), None);
            about.push(("prices".to_owned(), format!("untraced, of {}, {}", list.created, file.display())));
        }
        Reading::Unavailable(reason) => about.push(("prices".to_owned(), reason.clone())),
    }
    audit.findings.retain(|finding| is_wanted(words, finding.rule));
    put(words, &audit, &about)?;
    Ok(exit_of(&audit))
}

type Audited = (Audit, Vec<(String, String)>);

fn of_command(command: &mut Command, words: &Words) -> anyhow::Result<Audited> {
    let signal = interrupt::number()?;
    let options = FileTraceOptions { signal: Some(&signal), ..FileTraceOptions::default() };
    let directory = std::env::current_dir().context("failed to find the current directory")?;
    let mut auditor = Auditor::new().starting_in(&directory.to_string_lossy());
    let end = trace_files(command, &options, &mut |event, paths| auditor.observe(&event, paths))
        .map_err(explained)?;
    let shown: Vec<_> = words.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut about = vec![("audit".to_owned(), shown.join(" ")), ("ended".to_owned(), ended(end.status))];
    about.extend(end.cut.as_ref().map(|cut| ("cut".to_owned(), cut_in_words(cut))));
    about.extend(end.unseen.iter().map(|unseen| ("unseen".to_owned(), unseen.to_string())));
    Ok((auditor.finish(), about))
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

fn of_log(path: &Path) -> anyhow::Result<Audited> {
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
    let mut about = vec![("audit".to_owned(), format!("{shown}, {} lines of strace's", log.lines()))];
    for (kind, count) in log.notes().counts() {
        about.push(("unread".to_owned(), format!("{count} {}", kind.words())));
    }
    Ok((auditor.finish(), about))
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

/// A rule that is named has to exist.
fn known<'a>(mut named: impl Iterator<Item = &'a RuleId>) -> anyhow::Result<()> {
    match named.find(|rule| !rule_facts().iter().any(|facts| facts.id == **rule)) {
        None => Ok(()),
        Some(rule) => {
            Err(Hinted::error(format!("there is no rule {rule} yet"), "`fathom audit --rules` lists them"))
        }
    }
}

fn is_wanted(words: &Words, rule: RuleId) -> bool {
    (words.only.is_empty() || words.only.contains(&rule)) && !words.ignore.contains(&rule)
}

/// Every rule with when it keeps silent.
fn rules() -> String {
    let mut text = String::new();
    for rule in rule_facts() {
        let _infallible = writeln!(text, "{} {}\n    needs: {}", rule.id, rule.name, rule.needs);
        for guard in rule.guards {
            let _infallible = writeln!(text, "    spares: {}", guard.spares);
        }
    }
    text
}

fn put(words: &Words, audit: &Audit, about: &[(String, String)]) -> anyhow::Result<()> {
    let text = match words.format {
        Format::Json => serde_json::to_string_pretty(audit)?,
        Format::Text => {
            let color = words.output.is_none() && output::color();
            let options = TextOptions { width: output::width(), color, details: Details::Brief };
            render_audit(audit, about, &options)
        }
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}

/// Findings that are more than good to know.
fn exit_of(audit: &Audit) -> Exit {
    let matters =
        |finding: &Finding| finding.severity != Severity::Info || finding.class == FindingClass::Correctness;
    if audit.events == 0 {
        Exit::NothingRan
    } else if audit.findings.iter().any(matters) {
        Exit::Findings
    } else {
        Exit::Done
    }
}
