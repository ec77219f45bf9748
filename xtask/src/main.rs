//! Chores of the project. Each has a file of its own; this one owns the words
//! of the command line and the exit codes.
#![expect(clippy::disallowed_methods, reason = "a tool of ours may panic where no thread can be made")]

mod book;
mod calibrate;
mod corpus;
mod dist;
mod faults;
mod fuzz;
mod kernels;
mod manifest;
mod overhead;
mod pictures;
mod reference;
mod schema;
mod screenshot;
mod section;
mod soak;
mod static_build;
mod step;
mod what_if_pairs;
mod write_ups;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Chores of the project.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", after_help = EXIT_CODES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, every criterion met; 1 a criterion failed; 2 usage, environment or I/O error;
3 no criterion failed, but some could not be decided; 130 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Write docs/record.schema.json and docs/price-list.schema.json from the types of the model
    Schema,
    /// Write the methods of a driver.toml as the driver describes them
    Manifest(Manifest),
    /// Write the pages of docs/reference from the program
    Reference(Reference),
    /// Write the pages of docs/write-ups and the tables of docs/verdicts.md from the kept record
    WriteUps,
    /// Hold what `fathom what-if --without` says of programs against their known patches, and write docs/what-if-pairs.md
    WhatIfPairs(what_if_pairs::Arguments),
    /// Draw the pictures of the experiments' pages from their kept records
    Pictures,
    /// Take the README's picture of a report: needs Chromium
    Screenshot(Reference),
    /// Build docs/ as a book into target/book, with mdbook
    Book,
    /// Check the instrument against itself, known injected costs, a bare C loop, fio and dd
    Calibrate(Calibrate),
    /// Compare methods with themselves, look after every fork, and count how often they seem to differ
    FalseAlarms(FalseAlarms),
    /// Run the programs of tests/corpus under the audit, print precision and recall, and write docs/audit-corpus.md
    Corpus(Corpus),
    /// Make system calls of Fathom's own process fail, one in each run, and judge how it ends
    Faults(Faults),
    /// Run installed programs again and again under a capture, and compare exit code and output with runs alone
    Soak(Soak),
    /// Feed what Fathom reads with inputs made of fuzz/corpus, until the time is over or one of them breaks it
    Fuzz(Fuzz),
    /// Measure what each collector costs, and write docs/OVERHEAD.md
    Overhead(Overhead),
    /// Build what is installed without a toolchain into target/dist: tarball, wheel, .deb, image
    Dist(dist::Arguments),
    /// Boot kernels of distributions under qemu and hold what the static fathom says there against strace
    Kernels(kernels::Arguments),
}

/// Arguments of `manifest`.
#[derive(Debug, Args)]
struct Manifest {
    /// The file, whose text above the first method stays as it is
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The driver, as it is started by hand
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

/// Arguments of `reference` and `screenshot`.
#[derive(Debug, Args)]
struct Reference {
    /// This `fathom`, instead of building one for release
    #[arg(long, value_name = "PROGRAM")]
    fathom: Option<PathBuf>,
}

/// Arguments of `corpus`.
#[derive(Debug, Args)]
struct Corpus {
    /// Only cases whose name begins so (`R04`); then everything found is shown, and the page stays as it is
    #[arg(value_name = "NAME")]
    cases: Vec<String>,

    /// This `fathom`, instead of building one for release
    #[arg(long, value_name = "PROGRAM")]
    fathom: Option<PathBuf>,

    /// Run the sets whose authors saw no rule, and installed programs; write their parts of the page
    #[arg(long)]
    blind: bool,

    /// With --blind: this set alone
    #[arg(long, requires = "blind", value_name = "SET")]
    set: Option<corpus::BlindSet>,

    /// With --blind: take what the last run found, which target/ keeps, to judge or show it again
    #[arg(long, requires = "blind")]
    kept: bool,

    /// Run each program of both corpora so many times by each capture that can be had, and see whether all
    /// of its runs end alike; without a choice of cases it writes that part of the page
    #[arg(long, value_name = "RUNS", conflicts_with_all = ["blind", "capture"], value_parser = clap::value_parser!(u32).range(1..=1000))]
    again: Option<u32>,

    /// Run each program of both corpora by ptrace and by this capture (`hook`), and see whether both saw the
    /// same calls, by process, call and errno, and the same findings. What was compared with the same build
    /// of `fathom` before is not done again
    #[arg(long, value_name = "CAPTURE", conflicts_with_all = ["blind", "capture", "again"])]
    calls: Option<String>,

    /// With --calls: begin no program after so many seconds; the next call goes on there
    #[arg(long, value_name = "SECONDS", requires = "calls", conflicts_with = "real")]
    seconds: Option<u64>,

    /// With --calls: the installed programs of tests/corpus/real instead, so many times by each of both, by
    /// program, call, errno and path: of what varies by itself, the rest is compared
    #[arg(long, value_name = "RUNS", requires = "calls", value_parser = clap::value_parser!(u32).range(2..=1000))]
    real: Option<u32>,

    /// With --real: keep a row for each program here, as CSV
    #[arg(long, value_name = "FILE", requires = "real")]
    record: Option<PathBuf>,

    /// How calls are watched; the page is written from `ptrace` alone
    #[arg(long, value_name = "CAPTURE", default_value = "ptrace")]
    capture: String,

    /// Cases at a time
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    workers: usize,

    /// Leave docs/audit-corpus.md alone
    #[arg(long)]
    dry_run: bool,
}

/// Arguments of `soak`.
#[derive(Debug, Args)]
struct Soak {
    /// How many runs
    #[arg(long, default_value_t = 10_000)]
    runs: u32,

    /// How calls are watched
    #[arg(long, value_name = "CAPTURE", default_value = "hook")]
    capture: String,

    /// Runs at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    workers: usize,

    /// Keep a row for each program here, as CSV: runs, differences, calls that were hooked, seconds
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// This `fathom`, instead of building one for release
    #[arg(long, value_name = "PROGRAM")]
    fathom: Option<PathBuf>,
}

/// Arguments of `faults`.
#[derive(Debug, Args)]
struct Faults {
    /// Only commands whose name begins so (`audit`, `"trace, ring"`)
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,

    /// Thousands of faults instead of the sample that the tests try; without a choice of commands or a call
    /// it writes docs/RELIABILITY.md
    #[arg(long)]
    whole: bool,

    /// Only this call, and every fault of it
    #[arg(long, value_name = "CALL")]
    call: Option<String>,

    /// Only this one of the calls
    #[arg(long, value_name = "NUMBER", requires = "call")]
    nth: Option<u64>,

    /// Only limits of the kernel's: processes, descriptors, sizes of files, memory
    #[arg(long)]
    limits: bool,

    /// Chooses faults where there are too many
    #[arg(long, value_name = "NUMBER", default_value_t = 16)]
    seed: u64,

    /// Runs at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    workers: usize,

    /// This `fathom`, instead of building one
    #[arg(long, value_name = "PROGRAM")]
    fathom: Option<PathBuf>,

    /// Leave docs/RELIABILITY.md alone
    #[arg(long)]
    dry_run: bool,
}

/// Arguments of `fuzz`.
#[derive(Debug, Args)]
struct Fuzz {
    /// Only this target; all where none is named
    #[arg(value_name = "TARGET")]
    target: Option<String>,

    /// Time for each target
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    seconds: u64,

    /// Makes other inputs
    #[arg(long, value_name = "NUMBER", default_value_t = 16)]
    seed: u64,
}

/// Arguments of `overhead`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
struct Overhead {
    /// Fresh processes of each arm
    #[arg(long, value_name = "COUNT", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    forks: u32,

    /// Where the files lie that are opened and read: the current directory when left out, with --hook a
    /// file system in memory where there is one
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// This `fathom`, in its release build, instead of building one
    #[arg(long, value_name = "PROGRAM")]
    fathom: Option<PathBuf>,

    /// Print the tables and leave docs/OVERHEAD.md alone
    #[arg(long)]
    dry_run: bool,

    /// Only what the audit costs, by the ring and by ptrace, beside strace; docs/OVERHEAD.md stays as it is
    #[arg(long)]
    audit: bool,

    /// Only what judging takes of the CPU time of `git status`, `tar` and `find` of many files, and what the
    /// audit adds to them and to a command that does nothing
    #[arg(long, conflicts_with = "audit")]
    judging: bool,

    /// Only what an audit of a command that does nothing takes, by the ring and by ptrace, beside the command
    /// alone and `fathom --version`; docs/OVERHEAD.md stays as it is
    #[arg(long, conflicts_with_all = ["audit", "judging"])]
    start: bool,

    /// Only how much longer programs take under the hook, traced and audited, and by ptrace, beside the same
    /// programs alone: at most three minutes, in as many whole rounds as these suffice for. On a busy machine
    /// begin it by `chrt -f 10`
    #[arg(long, conflicts_with_all = ["audit", "judging", "start"])]
    hook: bool,

    /// With --start: an earlier build of `fathom` that is measured beside
    #[arg(long, value_name = "PROGRAM", requires = "start")]
    before: Option<PathBuf>,

    /// With --judging: this build of the example `judge` of fathom-audit, instead of building one
    #[arg(long, value_name = "PROGRAM", requires = "judging")]
    judge: Option<PathBuf>,
}

/// Arguments of `calibrate`.
#[derive(Debug, Args)]
struct Calibrate {
    /// A fifth of the sessions and smaller files: to see that it works, not for publishing
    #[arg(long)]
    quick: bool,

    /// Keep the raw records here; a new directory below target/ when left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Where the measured files lie
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,

    /// Sessions of the A/A and the injection checks; 40, or 8 with --quick
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    sittings: Option<u32>,

    /// Only these checks; may be repeated
    #[arg(long, value_enum)]
    only: Vec<calibrate::Check>,

    /// Put the table into docs/METHODOLOGY.md
    #[arg(long)]
    write: bool,
}

/// Arguments of `false-alarms`.
#[derive(Debug, Args)]
struct FalseAlarms {
    /// Comparisons of a method with itself
    #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    sittings: u32,

    /// Keep the raw records here; a new directory below target/ when left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Where the measured files lie
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,

    /// Put the tables into docs/METHODOLOGY.md
    #[arg(long)]
    write: bool,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Schema => schema::write().map(|()| ExitCode::SUCCESS),
        Command::Manifest(arguments) => {
            manifest::write(&arguments.file, &arguments.program).map(|()| ExitCode::SUCCESS)
        }
        Command::Reference(arguments) => {
            reference::write(arguments.fathom.as_deref()).map(|()| ExitCode::SUCCESS)
        }
        Command::Pictures => pictures::write().map(|()| ExitCode::SUCCESS),
        Command::WhatIfPairs(arguments) => what_if_pairs::run(&arguments),
        Command::WriteUps => write_ups::write().map(|()| ExitCode::SUCCESS),
        Command::Screenshot(arguments) => {
            screenshot::take(arguments.fathom.as_deref()).map(|()| ExitCode::SUCCESS)
        }
        Command::Book => book::build().map(|()| ExitCode::SUCCESS),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::FalseAlarms(arguments) => calibrate::false_alarms::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Faults(arguments) => faults::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Kernels(arguments) => kernels::run(&arguments),
        Command::Overhead(arguments) => overhead::run(&arguments).map(|()| ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|error| {
        let code = if error.is::<calibrate::Interrupted>() { 130 } else { 2 };
        calibrate::note(&format!("error: {error:#}"));
        ExitCode::from(code)
    })
}
