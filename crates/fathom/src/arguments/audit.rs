//! The words of `fathom audit`.

use super::{AuditCommand, Redaction};
use crate::completion;
use clap::{Args, ValueEnum};
use fathom_audit::{Budget, RuleId};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const AUDIT_EXAMPLES: &str = "\
Examples:
  fathom audit -- ls -l
  fathom audit --only R13,R16 -- sh -c 'ls /etc'
  fathom audit --format json -o audit.json -- cat /etc/hostname
  fathom audit --format sarif -o audit.sarif -- cat /etc/hostname
  fathom audit --format html -o audit.html -- cat /etc/hostname
  fathom audit --format openmetrics -o audit.prom -- cat /etc/hostname
  fathom audit --assert 'newfstatat <= 2 per open(*.json)' --assert 'open failures < 50' -- ls -l
  fathom trace -o ls.events -- ls -l && fathom audit --from ls.events
  fathom audit --stacks -- ls -l
  fathom audit --tree -- ls -l
  fathom audit --rules

A log of strace's is audited too: `strace -f -o log COMMAND`, then `fathom audit --strace log`. Options
that tell more make it find more: -y (paths of descriptors), -v (which file a stat told of), -tt.

Findings say what happens, an example of at most six calls, what the avoidable calls cost here untraced
(prices of `fathom prices`, never durations seen under a tracer), what to do, and what could make them wrong.

Exit code: 0 nothing to mend; 1 a danger or a cost of warning or high that is the program's own, or a budget that is not met; 2 fathom failed;
3 part of the run was not seen, or a budget is not known;
4 no call was seen, as in an empty log. The command's own exit is told, and is not fathom's. See docs/auditing.md.";

/// Arguments of `fathom audit`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Audit {
    #[command(subcommand)]
    pub(crate) subcommand: Option<AuditCommand>,

    /// Judge the events that `fathom trace` kept in a file, instead of a command's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "strace", "stacks", "capture", "pid", "container", "cgroup", "seconds"])]
    pub(crate) from: Option<PathBuf>,

    /// Hold the run to a budget: `newfstatat <= 1 per open(*.json)`, `open failures < 50`; may be
    /// repeated. The exit code is 1 when one is not met (docs/budgets.md)
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    pub(crate) assert: Vec<Budget>,

    /// The project's file; without it, `.fathom.toml` here or in a directory above, up to the top
    /// of the repository
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Follow no project's file
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,

    /// Only these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rule, add = completion::rules())]
    pub(crate) only: Vec<RuleId>,

    /// All but these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rule, add = completion::rules())]
    pub(crate) ignore: Vec<RuleId>,

    /// Only what concerns files below this directory; may be repeated. What is about no file
    /// (a pipe, a number that leads to nothing) is left out
    #[arg(long, value_name = "DIR")]
    pub(crate) under: Vec<PathBuf>,

    /// List the rules
    #[arg(long, conflicts_with_all = ["strace", "from", "command"])]
    pub(crate) rules: bool,

    /// Instead of findings, what the calls asked for, by package, module, library and directory: calls,
    /// failures, bytes read, unit costs, when each was first asked for. In text, json and csv
    #[arg(long, conflicts_with_all = ["under", "rules"])]
    pub(crate) tree: bool,

    /// Say how long threads waited in opens, reads, writes, syncs and locks, on a device, a pipe or the network,
    /// by directory and mount, and how long these calls took, in powers of two (csv: the latter). By the ring;
    /// every call of the machine takes some 60 ns longer meanwhile. Without it, waits for files are named where
    /// they are a tenth of the run
    #[arg(long, conflicts_with_all = ["tree", "under", "rules"])]
    pub(crate) waits: bool,

    /// The form to write
    #[arg(long, value_enum, default_value_t = AuditForm::Text)]
    pub(crate) format: AuditForm,

    /// In text, also examples, doubts and references of what is not yours, whole stacks, processes
    #[arg(long)]
    pub(crate) full: bool,

    /// Write it here instead of to standard output (a command's own output goes there, too)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Untraced prices of calls, as `fathom prices` writes them; without it, kept ones that fit the
    /// current directory
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    /// Take the stacks that cost little, of some calls, so that findings name the line of your code that they
    /// come from. An audit of a command does so by itself
    #[arg(long, conflicts_with_all = ["stacks", "tree", "strace", "pid", "container", "cgroup"])]
    pub(crate) lines: bool,

    /// Take no stacks: the command runs a little faster, processes of Python, Node.js, Ruby, PHP and Java are
    /// not traced (a debugger may), and findings name no line
    #[arg(long, conflicts_with_all = ["lines", "stacks"])]
    pub(crate) no_lines: bool,

    #[command(flatten)]
    pub(crate) source: Source,
}

/// What is watched, and how: the words that `fathom audit` and `fathom trace` share.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// Read a log that strace wrote, instead of watching a command; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub(crate) strace: Option<PathBuf>,

    /// Take the whole stack of every call: findings are told by the line of your code that they come
    /// from. The command runs slower, by ptrace; with `--capture ring` less so, and only the tops of
    /// stacks are known; with `--capture hook` less so for programs that run no scripts. A log of
    /// strace's has stacks by its own -k
    #[arg(long, conflicts_with = "strace")]
    pub(crate) stacks: bool,

    /// Stacks are taken where they cost little, of a command.
    #[arg(skip)]
    pub(crate) cheap_stacks: bool,

    /// Nobody declined lines, of a command.
    #[arg(skip)]
    pub(crate) wants_lines: bool,

    /// How calls are captured: by a ring that a BPF program in the kernel fills, which takes root or
    /// `CAP_BPF` and `CAP_PERFMON` and slows the command least; by ptrace, which takes nothing. `auto` never chooses the hook
    #[arg(long, value_enum, default_value_t = Capture::Auto, conflicts_with = "strace")]
    pub(crate) capture: Capture,

    /// Watch a process that runs already, with the children that it makes from now on, until it
    /// ends, Ctrl-C or --seconds; it is neither stopped nor ended. It takes the ring
    #[arg(long, value_name = "PID", conflicts_with_all = ["command", "strace", "stacks"])]
    pub(crate) pid: Option<u32>,

    /// Watch all processes of a container that runs, by its id, the beginning of one, or its name (docker,
    /// podman, containerd): also those that come in, with paths as the container sees them. By the ring, or more
    /// slowly by ptrace
    #[arg(long, value_name = "ID", conflicts_with_all = ["command", "strace", "stacks", "pid", "cgroup"])]
    pub(crate) container: Option<String>,

    /// The same of a control group: its directory, or its path below where cgroup v2 is mounted. One that is
    /// empty is waited for
    #[arg(long, value_name = "PATH", conflicts_with_all = ["command", "strace", "stacks", "pid"])]
    pub(crate) cgroup: Option<PathBuf>,

    /// Watch the process of --pid, the container or the control group for so long
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["command", "strace"], value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: Option<u32>,

    /// The command and its words
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

impl Audit {
    /// The same, whose source knows which stacks are taken.
    pub(crate) fn with_defaults(mut self) -> Self {
        let is_of_command = self.source.strace.is_none() && !self.source.command.is_empty();
        // The tree goes by paths alone.
        self.source.wants_lines = is_of_command && !self.tree && !self.no_lines;
        // The hook is asked for where nothing is to be stopped, and copies a stack with each call.
        let has_use = self.source.wants_lines && self.source.capture != Capture::Hook;
        self.source.cheap_stacks = self.lines || (has_use && !self.source.stacks);
        self
    }
}

impl Source {
    /// Whether stacks are taken of a command that is watched.
    pub(crate) fn takes_stacks(&self) -> bool {
        self.stacks || self.cheap_stacks
    }
}

/// How calls are captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Capture {
    /// The ring where it can be had, else ptrace
    Auto,
    /// Stops at file calls; no privilege
    Ptrace,
    /// BPF programs and a ring of records
    Ring,
    /// Experimental: as `ptrace`, and most calls are made without a stop, by code that is put into
    /// the program; `x86_64` alone
    Hook,
}

/// The forms of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditForm {
    /// For people, as a linter says it
    Text,
    /// One line for each finding: `PLACE: RULE SEVERITY: SENTENCE`
    Short,
    /// Everything; `fathom show` and `fathom report` read it
    Json,
    /// SARIF 2.1.0, as code hosts and editors take the findings of tools
    Sarif,
    /// For a comment on a change: a table, and each finding behind a fold
    #[value(alias = "md")]
    Markdown,
    /// One page, readable without JavaScript, with the audit inside
    Html,
    /// A row for each finding and budget, for a spreadsheet
    Csv,
    /// Calls, findings and budgets as customSmallerIsBetter JSON
    GithubActionBenchmark,
    /// The same figures for Prometheus and its relatives
    #[value(name = "openmetrics")]
    OpenMetrics,
}

fn budget(text: &str) -> Result<Budget, String> {
    Budget::parse(text).map_err(|error| error.to_string())
}

fn rule(text: &str) -> Result<RuleId, String> {
    RuleId::try_from(text.trim().to_uppercase())
}
