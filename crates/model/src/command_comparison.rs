//! Commands run as whole processes, in turns: what each called, and how long
//! each run of each took. Raw: what follows from it is drawn by `stats`.

use crate::{Environment, Noise, ProcessEnd, RankFacts, Reading, StopReason, ValidityFlag, Warning};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of this form. It rises when a reader of the older form would
/// misread the newer one. Version 1 knew two commands and no outputs; it is read as it was.
pub const COMMAND_COMPARISON_VERSION: u32 = 2;

/// What tells this kind of file from a record of experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandComparisonKind {
    /// Two or more commands.
    CommandComparison,
}

/// Everything that was measured of two or more commands in one session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandComparison {
    /// What this file is.
    pub kind: CommandComparisonKind,
    /// The form of this file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The command line of Fathom.
    pub command: Vec<String>,
    /// The seed of every random choice, as a decimal string.
    pub seed: String,
    /// False when it was interrupted or failed before its end.
    pub complete: bool,
    /// The machine.
    pub environment: Environment,
    /// What disturbed the machine meanwhile.
    pub noise: Reading<Noise>,
    /// The directory the commands were run in.
    pub directory: Reading<PathBuf>,
    /// How they were run.
    pub setting: CommandSetting,
    /// The ranks that started commands at once, where several did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<CommandRanks>,
    /// The command compared with.
    pub old: ComparedCommand,
    /// The command that is judged.
    pub new: ComparedCommand,
    /// Further commands, each compared with `old` as `new` is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<ComparedCommand>,
    /// The words of the command that stands for the start of a process, or why there is none.
    pub floor: Reading<Vec<String>>,
    /// The blocks, in order of time; a block holds one run of each arm.
    pub blocks: Vec<CommandBlock>,
    /// Why it may be no comparison of what its sides are said to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validity: Vec<ValidityFlag>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What a reader of the result must know.
    pub warnings: Vec<Warning>,
}

/// How commands were run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own that the user may make")]
pub struct CommandSetting {
    /// By `sh -c` instead of by their words.
    pub shell: bool,
    /// A command run by `sh -c` before every run, untimed.
    pub prepare: Option<String>,
    /// Runs of each command before the first block.
    pub warm_up_runs: u32,
    /// The one CPU that runs and Fathom shared, another in each block; false where they were
    /// left to the scheduler.
    pub pinned: bool,
    /// Exit codes other than 0 did not end it.
    pub ignore_failure: bool,
    /// The commands had Fathom's standard output and error instead of `/dev/null`.
    pub output_shown: bool,
}

/// Who started commands at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRanks {
    /// The words that started the ranks; empty where Fathom itself did, on its own machine.
    pub launcher: Vec<String>,
    /// The ranks in order. Of ranks that are threads of Fathom's the process is Fathom's own.
    pub ranks: Vec<RankFacts>,
}

/// One of the commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedCommand {
    /// As it was given.
    pub text: String,
    /// The words that were executed.
    pub words: Vec<String>,
    /// How many ranks started it at once in each run.
    #[serde(default = "one_start", skip_serializing_if = "is_one_start")]
    pub starts: u32,
    /// Its calls, counted in runs of their own; of several at once, each start is a run, in order of
    /// ranks, all ranks of one round before those of the next.
    pub counts: Reading<RunCounts>,
    /// What it wrote to standard output, where that was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<CommandOutput>,
}

fn one_start() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_one_start(starts: &u32) -> bool {
    *starts == 1
}

/// What a command wrote to standard output in two runs that were neither timed nor traced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandOutput {
    /// Bytes of the first run.
    pub bytes: u64,
    /// SHA-256 of the first run's, in hexadecimal.
    pub sha256: String,
    /// The second run wrote the same.
    pub is_repeatable: bool,
    /// How the first run ended.
    pub end: ProcessEnd,
}

/// The calls of several runs of a command, from its exec to the end of the last
/// of its processes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunCounts {
    /// How each run's first process ended.
    pub ends: Vec<ProcessEnd>,
    /// Processes of each run.
    pub processes: Vec<u64>,
    /// Each call with each result.
    pub calls: Vec<RunCalls>,
}

/// One call with one result, run by run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunCalls {
    /// The kernel's name of the call.
    pub call: String,
    /// The errno's name when it failed.
    pub errno: Option<String>,
    /// How often in each run.
    pub per_run: Vec<u64>,
}

impl RunCalls {
    /// True when every run made it equally often.
    pub fn is_exact(&self) -> bool {
        self.per_run.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl RunCounts {
    /// True when every run made the same calls.
    pub fn is_exact(&self) -> bool {
        self.calls.iter().all(RunCalls::is_exact)
    }
}

/// What a run in a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandArm {
    /// The old command.
    Old,
    /// The old command a second time: the A/A control.
    Control,
    /// The new command.
    New,
    /// A program that does nothing: the start of a process.
    Floor,
    /// A further command, by its index.
    Further(u32),
}

impl CommandComparison {
    /// The commands, the one compared with first, each with its arm.
    pub fn commands(&self) -> impl Iterator<Item = (CommandArm, &ComparedCommand)> {
        let two = [(CommandArm::Old, &self.old), (CommandArm::New, &self.new)];
        two.into_iter().chain((0..).map(CommandArm::Further).zip(&self.further))
    }
}

/// One run of each arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandBlock {
    /// Seconds from the first block's start to this one's.
    pub started_s: f64,
    /// The CPU that all of its runs were bound to.
    pub cpu: Option<u32>,
    /// The runs, in the order in which they were made.
    pub runs: Vec<CommandRun>,
}

/// One run of a command, as wait4 tells it. Of several starts at once times on CPUs, faults and switches
/// are sums, the memory is the largest, the wall time is from the first start to the last end, and the
/// end is that of the first rank that did not exit with 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRun {
    /// What it is.
    pub arm: CommandArm,
    /// From just before the spawn to just after the wait, by `CLOCK_MONOTONIC`.
    pub wall_ns: u64,
    /// Time on CPUs in user mode, of it and the children it waited for.
    pub user_ns: u64,
    /// The same in the kernel.
    pub system_ns: u64,
    /// Page faults that needed no I/O.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
    /// Times it gave up a CPU by itself.
    pub voluntary_switches: u64,
    /// Times a CPU was taken from it.
    pub involuntary_switches: u64,
    /// The most memory that it or the largest of its children had at once, never below
    /// what Fathom had when it started it: the kernel hands that mark on.
    pub peak_resident_bytes: u64,
    /// How it ended.
    pub end: ProcessEnd,
    /// Each of several starts at once, in order of ranks; empty of a command started alone by Fathom itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<RankStart>,
}

/// One of several starts at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankStart {
    /// When it was spawned, after the first of them, in ns.
    pub start_ns: u64,
    /// From just before its spawn to just after its wait, in ns.
    pub wall_ns: u64,
    /// Time on CPUs, of it and the children it waited for, in ns.
    pub cpu_ns: u64,
    /// How it ended.
    pub end: ProcessEnd,
}

impl CommandBlock {
    /// The run of an arm in this block.
    pub fn run(&self, arm: CommandArm) -> Option<&CommandRun> {
        self.runs.iter().find(|run| run.arm == arm)
    }
}
