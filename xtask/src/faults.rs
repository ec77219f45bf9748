//! The sweep of faults as a chore: what is tried, what came of it, and docs/RELIABILITY.md.

use crate::calibrate::note;
use crate::section::replace_section;
use anyhow::{Context, bail, ensure};
use fathom_faults::{Extent, GROUPS, LimitRun, Options, Program, SUBJECTS, Swept, SweptFault};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const PAGE: &str = "docs/RELIABILITY.md";
const LIMIT: Duration = Duration::from_secs(30);

/// Runs it; the exit code is 1 where a run did not end well.
pub(crate) fn run(arguments: &crate::Faults) -> anyhow::Result<ExitCode> {
    ensure!(fathom_faults::is_available(), "seccomp's user notification is not to be had here");
    let program = program(arguments.fathom.as_deref())?;
    let begun = Instant::now();
    let is_partial = !arguments.commands.is_empty() || arguments.call.is_some() || !arguments.whole;
    let mut swept = Swept::default();
    if !arguments.limits {
        swept = fathom_faults::sweep(&options(arguments, &program)?, &say)?;
    }
    let mut limited = Vec::new();
    if arguments.limits || !is_partial {
        let is_skipped = |name: &str| {
            !arguments.commands.is_empty() && !arguments.commands.iter().any(|begin| name.starts_with(begin))
        };
        limited = fathom_faults::under_limits(&program, LIMIT, is_skipped)?;
    }
    let tables = tables(&swept, &limited, arguments.seed, begun.elapsed());
    note(&tables);
    if !is_partial && !arguments.dry_run && !arguments.limits {
        write_page(&tables)?;
    }
    let bad = bad_lines(&swept, &limited);
    for line in &bad {
        note(line);
    }
    Ok(ExitCode::from(u8::from(!bad.is_empty())))
}

fn options(arguments: &crate::Faults, program: &Program) -> anyhow::Result<Options> {
    let call = arguments.call.as_deref().map(|name| {
        let call = name.parse().ok();
        call.with_context(|| format!("there is no call `{name}`"))
    });
    let calls: Vec<_> = call.transpose()?.into_iter().collect();
    let extent = match (arguments.whole, calls.is_empty()) {
        (_, false) => Extent::AtMost(usize::MAX),
        (true, true) => Extent::Whole,
        (false, true) => Extent::Short,
    };
    Ok(Options {
        program: program.clone(),
        extent,
        subjects: arguments.commands.clone(),
        calls,
        nth: arguments.nth,
        seed: arguments.seed,
        workers: arguments.workers,
        limit: LIMIT,
    })
}

/// The program that is named, or one that is built now, and a folder of its own in target/.
fn program(named: Option<&Path>) -> anyhow::Result<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("a folder above")?;
    let fathom = if let Some(program) = named {
        program.canonicalize().with_context(|| program.display().to_string())?
    } else {
        let built = Command::new("cargo").args(["build", "--package", "fathom-io"]).status()?;
        ensure!(built.success(), "cargo: {built}");
        root.join("target/debug/fathom")
    };
    let folder: PathBuf = root.join("target/faults");
    Ok(Program { fathom, cache: folder.join("cache"), folder })
}

/// Says how far it is, and of a run that did not end well what it said, in a file of its own.
fn say(swept: &SweptFault) {
    const EVERY: usize = 50;
    static TRIED: AtomicUsize = AtomicUsize::new(0);
    static SO_FAR: Mutex<Vec<SweptFault>> = Mutex::new(Vec::new());
    let tried = TRIED.fetch_add(1, Ordering::Relaxed) + 1;
    if let Ok(mut so_far) = SO_FAR.lock() {
        so_far.push(swept.clone());
        if tried.is_multiple_of(EVERY) {
            note(&format!("{tried} faults tried, now `{}`\n{}", swept.subject, fault_table(&so_far)));
        }
    }
    if swept.verdict.ending.is_good() {
        if swept.took > LIMIT / 4 {
            note(&format!("{} took {:.1} s", line(swept), swept.took.as_secs_f64()));
        }
        return;
    }
    note(&line(swept));
    let SweptFault { subject, fault, said, .. } = swept;
    let name = format!("{subject} {} {} {}", fault.kind.call, fault.nth, fault.kind.errno_name());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/faults/bad");
    let kept =
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(name), said.concat()));
    if let Err(error) = kept {
        note(&format!("its output is not kept: {error}"));
    }
}

fn line(swept: &SweptFault) -> String {
    let SweptFault { subject, fault, verdict, .. } = swept;
    format!("{subject}: {} of {} {}: {verdict}", fault.kind.errno_name(), fault.kind.call, fault.nth)
}

fn bad_lines(swept: &Swept, limited: &[LimitRun]) -> Vec<String> {
    let faults = swept.faults.iter().filter(|fault| !fault.verdict.ending.is_good()).map(line);
    let limits = limited.iter().filter(|run| !run.verdict.ending.is_good());
    let limits =
        limits.map(|run| format!("{} under {} {}: {}", run.subject, run.limit, run.value, run.verdict));
    faults.chain(limits).collect()
}

/// What is counted in a row: runs, and how they ended.
#[derive(Debug, Default)]
struct Tally {
    runs: usize,
    well: usize,
    in_words: usize,
    panics: usize,
    signals: usize,
    hangs: usize,
    leftovers: usize,
    others: usize,
}

impl Tally {
    fn add(&mut self, ending: fathom_faults::Ending) {
        use fathom_faults::Ending::{
            Code, Hang, InWords, Leftover, Panic, Signal, Target, Well, Wordless, Wrong,
        };
        self.runs += 1;
        *match ending {
            Well => &mut self.well,
            InWords => &mut self.in_words,
            Panic => &mut self.panics,
            Signal => &mut self.signals,
            Hang => &mut self.hangs,
            Leftover => &mut self.leftovers,
            Code | Wordless | Target | Wrong => &mut self.others,
        } += 1;
    }

    fn cells(&self) -> String {
        let Self { runs, well, in_words, panics, signals, hangs, leftovers, others } = self;
        format!("{runs} | {well} | {in_words} | {panics} | {signals} | {hangs} | {leftovers} | {others} |")
    }
}

const HEAD: &str = "runs | ended well | in words | panics | signals | hangs | leftovers | other |";
const RULE: &str = "---:|---:|---:|---:|---:|---:|---:|---:|";

fn tables(swept: &Swept, limited: &[LimitRun], seed: u64, took: Duration) -> String {
    let mut text = String::new();
    let unmet: usize = swept.unmet.values().sum();
    let feasible: usize = swept.feasible.values().sum();
    let _infallible = writeln!(
        text,
        "{} faults of {feasible} possible ones, no two alike, seed {seed}, and {} runs under limits, in {} minutes on {}; \
         {unmet} more runs did not come to the call that was to fail. The longest run with a fault took {:.1} s.\n",
        distinct(&swept.faults),
        limited.len(),
        took.as_secs() / 60,
        jiff::Zoned::now().date(),
        swept.faults.iter().map(|fault| fault.took.as_secs_f64()).fold(0.0, f64::max),
    );
    text + &fault_table(&swept.faults) + &limit_table(limited)
}

/// How many there are: one that was tried twice counts once.
fn distinct(faults: &[SweptFault]) -> usize {
    let names = faults.iter().map(|fault| (fault.subject, fault.fault.kind, fault.fault.nth));
    names.collect::<std::collections::BTreeSet<_>>().len()
}

fn fault_table(faults: &[SweptFault]) -> String {
    let mut text = format!("| command | calls | {HEAD}\n|---|---|{RULE}\n");
    let mut sum = Tally::default();
    for subject in SUBJECTS {
        for group in GROUPS {
            let mut tally = Tally::default();
            let is_in =
                |fault: &&SweptFault| fault.subject == subject.name && fault.fault.kind.group() == *group;
            for fault in faults.iter().filter(is_in) {
                tally.add(fault.verdict.ending);
                sum.add(fault.verdict.ending);
            }
            if tally.runs > 0 {
                let _infallible = writeln!(text, "| {} | {group} | {}", subject.name, tally.cells());
            }
        }
    }
    let _infallible = writeln!(text, "| all | all | {}", sum.cells());
    text
}

fn limit_table(limited: &[LimitRun]) -> String {
    let mut text = format!("\n| limit | values | {HEAD}\n|---|---|{RULE}\n");
    for limit in fathom_faults::LIMITS {
        let mut tally = Tally::default();
        limited.iter().filter(|run| run.limit == limit.name).for_each(|run| tally.add(run.verdict.ending));
        let values: Vec<_> = limit.ladder.iter().map(u64::to_string).collect();
        if tally.runs > 0 {
            let _infallible = writeln!(text, "| {} | {} | {}", limit.name, values.join(", "), tally.cells());
        }
    }
    text
}

fn write_page(tables: &str) -> anyhow::Result<()> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PAGE);
    let text = std::fs::read_to_string(&page)?;
    let Some(new) = replace_section(&text, "<!-- faults -->", "<!-- end of faults -->", tables) else {
        bail!("{PAGE} has no place for the tables")
    };
    Ok(std::fs::write(page, new)?)
}
