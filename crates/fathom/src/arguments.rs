//! The command line: its words, and nothing of their meaning.

mod audit;
mod audit_diff;
mod bench;
mod bench_commands;
mod bench_ranks;
mod bisect;
mod ci;
mod compare;
mod count;
mod data;
mod decide;
mod export;
mod fail_on;
mod flame_graph;
mod gate;
mod groups;
mod man;
mod prices;
mod redaction;
mod report;
mod top;
mod trace;
mod track;
mod verify;
mod what_if;

pub(crate) use audit::{AUDIT_EXAMPLES, Audit, AuditForm, Capture, Source};
pub(crate) use audit_diff::{AuditCommand, AuditDiff, FailOn};
pub(crate) use bench::{Bench, MachineChanges};
pub(crate) use bench_commands::BenchCommands;
pub(crate) use bench_ranks::BenchRanks;
pub(crate) use bisect::{BISECT_EXAMPLES, Bisect, BisectForm};
pub(crate) use ci::{CI_EXAMPLES, Ci, CiFailOn, CiForm};
pub(crate) use compare::{BuildsForm, COMPARE_EXAMPLES, Compare};
pub(crate) use count::{By, COUNT_EXAMPLES, Count, CountCapture};
pub(crate) use data::{DATA_EXAMPLES, Data, DataCommand, DataList, DataMake, DataRemove};
pub(crate) use decide::{DECIDE_EXAMPLES, Decide, DecideFormat};
pub(crate) use export::{EXPORT_EXAMPLES, Export, ExportForm};
pub(crate) use fail_on::Gate as BenchGate;
pub(crate) use flame_graph::{FLAME_GRAPH_EXAMPLES, FlameGraph};
pub(crate) use gate::{GATE_EXAMPLES, Gate};
pub(crate) use groups::command_line;
pub(crate) use man::{COMPLETIONS_EXAMPLES, Completions, MAN_EXAMPLES, Man, ManFormat};
pub(crate) use prices::{PRICES_EXAMPLES, Prices};
pub(crate) use redaction::{RedactChoice, Redaction};
pub(crate) use report::{REPORT_EXAMPLES, Report, ReportForm};
pub(crate) use top::{TOP_EXAMPLES, Top, TopForm, TopOrder};
pub(crate) use trace::{TRACE_EXAMPLES, Trace};
pub(crate) use track::{StoreWords, TRACK_EXAMPLES, Track, TrackAdd, TrackCommand, TrackForm, TrackReport};
pub(crate) use verify::{UntilSure, VERIFY_EXAMPLES, Verify, VerifyFormat};
pub(crate) use what_if::{AsFileSystem, Toggle, WHAT_IF_EXAMPLES, WhatIf, WhatIfForm};

use crate::completion;
use crate::exit::EXIT_CODES;
use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_report::{FigureForm, TableForm};
use std::path::PathBuf;

/// Shown by `fathom` alone and at the top of `--help`.
pub(crate) const TO_TRY: &str = "\
Three commands to try:
  fathom audit -- git status     what a program wastes or risks on its file path, and what to do
  fathom bench                   what opening and reading a file costs in your languages
  fathom doctor                  what this machine can measure, and why not the rest";

const BENCH_EXAMPLES: &str = "\
Examples:
  fathom bench
  fathom bench open-go --quick
  fathom bench small-sweep --time 60 -o sweep.json
  fathom bench my-experiment.toml
  fathom bench open-close --methods native:open,go:os.Open --cache warm,cold --dir . --dir /dev/shm
  fathom bench open-close --methods native:open,native:open
  fathom bench read-block --methods native:pread,native:mmap --size 64MiB --block 16KiB --cache cold
  fathom bench search --file app.log --set pattern=WARN --threads 1,4
  fathom bench read-whole --tree src --files 200
  fathom bench ways.go ways.py --fail-on answers
  fathom bench create-storm --quick --ranks 4 --launcher 'mpirun -n {ranks}'
  fathom bench --commands 'sort a.txt' 'sort -S {size} a.txt' --parameter size=1M,64M

Without a name, open-all and read-all run in their quick form, with C's own calls and the languages
of the files below this directory. Every way: open-all read-all --quick. The answer is short; the
whole table is printed by `fathom show --last`, everything by --full.
The record goes to -o, else below $XDG_DATA_HOME/fathom/records (~/.local/share/...).";

const LIST_EXAMPLES: &str = "\
Examples:
  fathom list
  fathom list --drivers
  fathom list claims open-go
  fathom list methods go --no-build

Without --no-build, drivers that were never used are built first, which takes some seconds each.";

const SHOW_EXAMPLES: &str = "\
Examples:
  fathom show record.json
  fathom show record.json --full
  fathom show record.json --brief
  fathom show --last
  fathom show record.json --format json";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  fathom doctor
  fathom doctor --dir . --dir /dev/shm";

const DRIVER_EXAMPLES: &str = "\
Examples:
  fathom driver check native
  fathom driver check ./my-driver
  fathom driver check ./my-driver --operation lines
  fathom driver path native

The exit code of `check` is 1 when a check fails, else 0. docs/writing-a-driver.md goes through the
duties of a driver, docs/tutorial/write-a-driver.md writes one.";

/// Measures what it costs to open, read and write files on Linux, shows why,
/// and finds what a program wastes.
#[derive(Debug, Parser)]
#[command(name = "fathom", version, before_help = TO_TRY, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to color the output
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,

    /// How to show on standard error how a run goes
    #[arg(long, global = true, value_enum, default_value_t = ProgressChoice::Auto)]
    pub(crate) progress: ProgressChoice,
}

/// How to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressChoice {
    /// On a terminal, as a view that is redrawn and wiped at the end
    Auto,
    /// As a line for each comparison and every ten seconds, for logs
    Plain,
    /// Not at all
    Never,
}

/// When to color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure: catalog entries, a file of your own, or an operation ad hoc
    #[command(after_help = BENCH_EXAMPLES)]
    Bench(Box<Bench>),
    /// Hold a project's own operations to its budgets, for its CI
    #[command(after_help = GATE_EXAMPLES)]
    Gate(Gate),
    /// Check published claims: supported, refuted, confounded, inconclusive
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(Box<Verify>),
    /// Compare two records, commands, drivers or toolchains; fail on what became worse
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(Box<Compare>),
    /// Say which method to use, by size, access, cache state and language
    #[command(after_help = DECIDE_EXAMPLES)]
    Decide(Decide),
    /// Count the system calls of a command, exactly
    #[command(after_help = COUNT_EXAMPLES)]
    Count(Count),
    /// Say what a program wastes or risks on its file path, and what to do
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(Box<Audit>),
    /// Compare the calls of your commands on two sides of a change, for a pull request
    #[command(after_help = CI_EXAMPLES)]
    Ci(Box<Ci>),
    /// Keep counts and times of your commands by commit, and show when they changed
    #[command(after_help = TRACK_EXAMPLES)]
    Track(Box<Track>),
    /// Find the commit that changed a count, or that no longer meets a budget
    #[command(after_help = BISECT_EXAMPLES)]
    Bisect(Box<Bisect>),
    /// Say what a command would take with its files on NFS, or without some of its calls
    #[command(after_help = WHAT_IF_EXAMPLES)]
    WhatIf(Box<WhatIf>),
    /// Show the file calls of running processes, live, and what they wait for
    #[command(after_help = TOP_EXAMPLES)]
    Top(Top),
    /// Keep the file calls of a command in a file, to audit later
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(Trace),
    /// Take or print what each file call costs on this machine, untraced
    #[command(after_help = PRICES_EXAMPLES)]
    Prices(Prices),
    /// Draw the stacks that a record holds as flame graphs
    #[command(after_help = FLAME_GRAPH_EXAMPLES)]
    FlameGraph(FlameGraph),
    /// Make a page of records and audits: pictures, tables, verdicts, evidence
    #[command(after_help = REPORT_EXAMPLES)]
    Report(Report),
    /// Write a record for other tools: benchstat, CSV, parquet, Markdown, test reports
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(Export),
    /// List entries, operations and methods, and whether they can run here
    #[command(after_help = LIST_EXAMPLES)]
    List(List),
    /// Print a record again
    #[command(after_help = SHOW_EXAMPLES)]
    Show(Show),
    /// Say what this machine can measure, and why not the rest
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(Doctor),
    /// Make, list and remove data sets that stay
    #[command(after_help = DATA_EXAMPLES)]
    Data(Data),
    /// Work with driver programs
    #[command(after_help = DRIVER_EXAMPLES)]
    Driver(Driver),
    /// Print or write the manual pages
    #[command(after_help = MAN_EXAMPLES)]
    Man(Man),
    /// Print what a shell needs to complete fathom's words
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
}

/// How to print results.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Rendering {
    /// Text for people, or the record itself
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Also print recipes of every method, calls outside the clock, forks and places in full
    #[arg(long)]
    pub(crate) full: bool,
}

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for a terminal
    Text,
    /// The record, as docs/record.schema.json describes it
    Json,
}

/// Forms of what is one table: the same for every command that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Tables for a terminal
    Text,
    /// Everything
    Json,
    /// One table for a comment
    #[value(alias = "md")]
    Markdown,
    /// The same table for a spreadsheet
    Csv,
    /// Figures as customSmallerIsBetter JSON
    GithubActionBenchmark,
    /// Figures for Prometheus and its relatives
    #[value(name = "openmetrics")]
    OpenMetrics,
}

impl TableFormat {
    /// Which of its writers a value is given to.
    pub(crate) fn writer(self) -> FormatWriter {
        match self {
            Self::Text => FormatWriter::Text,
            Self::Json => FormatWriter::Json,
            Self::Markdown => FormatWriter::Table(TableForm::Markdown),
            Self::Csv => FormatWriter::Table(TableForm::Csv),
            Self::GithubActionBenchmark => FormatWriter::Figures(FigureForm::GithubActionBenchmark),
            Self::OpenMetrics => FormatWriter::Figures(FigureForm::OpenMetrics),
        }
    }
}

/// The writers that a value with a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormatWriter {
    Text,
    Json,
    Table(TableForm),
    Figures(FigureForm),
}

/// Arguments of `fathom list`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct List {
    /// What to list; entries and what else there is when left out
    #[arg(value_enum)]
    pub(crate) what: Option<Listing>,

    /// Only of these: entries of claims, drivers of methods
    #[arg(value_name = "NAME", add = completion::listed())]
    pub(crate) names: Vec<String>,

    /// The same as `list claims`
    #[arg(long, group = "listing", conflicts_with = "what")]
    pub(crate) claims: bool,

    /// The same as `list methods`
    #[arg(long, group = "listing", conflicts_with = "what")]
    pub(crate) methods: bool,

    /// The same as `list drivers`
    #[arg(long, group = "listing", conflicts_with = "what")]
    pub(crate) drivers: bool,

    /// Of methods: do not build drivers to see whether they can run
    #[arg(long)]
    pub(crate) no_build: bool,
}

impl List {
    /// What was asked for, in either form.
    pub(crate) fn asked(&self) -> Option<Listing> {
        let by_flag = [
            (self.claims, Listing::Claims),
            (self.methods, Listing::Methods),
            (self.drivers, Listing::Drivers),
        ];
        self.what.or_else(|| by_flag.into_iter().find(|(is_set, _)| *is_set).map(|(_, listing)| listing))
    }
}

/// What `fathom list` can list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listing {
    /// Catalog entries
    Entries,
    /// What is claimed of them
    Claims,
    /// Published documents whose statements can be verified
    WriteUps,
    /// Operations and settings
    Operations,
    /// Drivers, and whether they can run here; builds nothing
    Drivers,
    /// Methods and their availability
    Methods,
}

/// Arguments of `fathom show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A record written by `fathom bench` or `fathom compare`, or an audit as JSON; or a page with one inside
    #[arg(required_unless_present = "last", add = completion::records())]
    pub(crate) record: Option<PathBuf>,

    /// The newest record among those that were not written elsewhere with -o
    #[arg(long, conflicts_with = "record")]
    pub(crate) last: bool,

    /// The short answer alone, as `fathom bench` prints it
    #[arg(long, conflicts_with_all = ["full", "format"])]
    pub(crate) brief: bool,

    #[command(flatten)]
    pub(crate) rendering: Rendering,
}

/// Arguments of `fathom doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// A directory to look at; may be repeated
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: Vec<PathBuf>,

    /// Wait for drivers that do not answer within 2 s, up to a minute each
    #[arg(long)]
    pub(crate) full: bool,
}

/// Arguments of `fathom driver`.
#[derive(Debug, Args)]
pub(crate) struct Driver {
    #[command(subcommand)]
    pub(crate) command: DriverCommand,
}

/// What to do with a driver.
#[derive(Debug, Subcommand)]
pub(crate) enum DriverCommand {
    /// Run the conformance list of drivers/PROTOCOL.md against a driver
    Check {
        /// A program, or the name of a driver that ships (native, go)
        #[arg(add = completion::drivers())]
        program: PathBuf,
        /// Only what concerns this operation; may be given several times
        #[arg(long, value_name = "OPERATION")]
        operation: Vec<fathom_model::Operation>,
    },
    /// Build a driver that ships, if need be, and print the words that start it
    Path {
        /// The name of the driver
        name: String,
    },
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 => Ok(seconds),
        _ => Err("a number of seconds above 0 is needed".to_owned()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(percent) if percent.is_finite() && percent > 0.0 => Ok(percent),
        _ => Err("a percentage above 0 is needed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
