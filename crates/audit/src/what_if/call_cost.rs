//! What `fathom what-if --without`, `--twice` and `--slower` write: what chosen calls cost a program from
//! its start to its end, by runs in which they are made again or delayed.

use fathom_model::{CountedCalls, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const CALL_COST_VERSION: u32 = 1;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CallCostKind {
    /// What chosen calls cost a program.
    CallCost,
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CostQuestion {
    /// How much faster the program were without them. Answered by making them again.
    Without,
    /// How much slower it is when each is made once more.
    Twice,
    /// How much slower it is when each takes longer.
    Slower,
}

/// What chosen calls cost a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallCost {
    /// What this file is.
    pub kind: CallCostKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When, RFC 3339 in UTC.
    pub created: String,
    /// The command.
    pub subject: String,
    /// Its words.
    pub command: Vec<String>,
    /// What was asked.
    pub question: CostQuestion,
    /// About which calls: `R13`, `newfstatat(*.json) repeated`.
    pub about: String,
    /// Of `slower`: by how much, in ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ns: Option<u64>,
    /// How it was found out.
    #[serde(default)]
    pub method: CostMethod,
    /// Which of them were reached.
    pub reach: CostReach,
    /// Of calls that are left out: a run in which each answer that is known was held against the kernel's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared: Option<ComparedAnswers>,
    /// Of calls that are left out: programs of Fathom's own in the same blocks, of which it is known what removing
    /// their calls gains. Empty where the instrument did not reach them, and in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<CostCalibration>,
    /// Files and names that the command writes, makes or takes away, which were compared after each run;
    /// `None` of a record in which none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<WrittenFiles>,
    /// What a finding says is to be called in their place, whose cost is not subtracted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<CountedCalls>,
    /// The seed of the order.
    pub seed: u64,
    /// Whether what was done changed within a run, or from run to run; `None` of older records, and where nothing was
    /// measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toggling: Option<CostToggling>,
    /// Every run that was measured, in the order in which they were made.
    pub runs: Vec<CostRun>,
    /// What came of it; refused where the runs do not bear it.
    pub answer: Reading<CostAnswer>,
    /// What was not seen of a run.
    pub gaps: Vec<String>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

/// How it was found out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CostMethod {
    /// The calls were made again, or delayed.
    #[default]
    Repeated,
    /// They were left out where their answer was known from a call before.
    Elided,
}

/// Where what is done changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostToggling {
    /// Why so, and not otherwise, in words.
    pub why: String,
    /// Within runs, by windows of calls; `None` where it changed from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windows: Option<CostWindows>,
}

/// Windows of consecutive calls of a thread, in pairs of random order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostWindows {
    /// So many treated calls are a window.
    pub calls: u32,
    /// Pairs that were made.
    pub pairs: u64,
    /// Of these, pairs left out of both times, as calls went past the hook or signals came.
    pub uneven: u64,
    /// Pairs left out of CPU time, as their windows stopped differently often for Fathom; and of wall time, as one
    /// stopped.
    pub stopped: [u64; 2],
    /// Which share of the wall time of windows the threads neither ran nor could have, 0 to 1: they waited. `None`
    /// where the kernel does not say how long they ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_share: Option<f64>,
    /// Groups of pairs, each spread over a whole run.
    pub groups: Vec<CostGroup>,
}

/// What a group of pairs says of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostGroup {
    /// Of which run, from 1 in the order of runs with windows.
    pub run: u32,
    /// CPU or wall time.
    pub time: GroupTime,
    /// What was done in the windows; of `elided` 1 and 2 are two sets of windows in which known answers were given, 0
    /// two windows with nothing done.
    pub amount: u32,
    /// What it takes more than with nothing done, for all treated calls of the run, in ns.
    pub more_ns: f64,
}

/// Which time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GroupTime {
    /// On CPUs, of the thread that makes the calls.
    Cpu,
    /// Wall time, from the beginning of the first call of a window to the end of its last.
    Wall,
}

/// Answers that were known, held against the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedAnswers {
    /// How many were known.
    pub known: u64,
    /// How many of them turned out to be others.
    pub differing: u64,
}

/// What a program of Fathom's own showed of the instrument.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostCalibration {
    /// What it does.
    pub program: String,
    /// Whether its calls look a path up; else they ask a descriptor.
    pub on_path: bool,
    /// How many it makes.
    pub calls: u64,
    /// What the instrument adds to each that is made, in ns: runs with these calls made, less runs with them left out,
    /// less what the program takes alone with them, less without.
    pub added: CallTime,
}

/// Names of which it was compared what is there after each run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenFiles {
    /// How many.
    pub compared: u64,
    /// How many were not: too many, or it is not known where they are.
    pub left_out: u64,
}

/// Which calls were reached, in each run alike.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CostReach {
    /// By the kernel's name.
    pub calls: Vec<ReachedCalls>,
    /// Calls that a finding counts and does not know one by one.
    pub unknown: u64,
    /// Calls of the rule's findings that are the runtime's or a library's: they are not meant.
    #[serde(default, skip_serializing_if = "is_none")]
    pub of_others: u64,
    /// Why programs could not be reached, where some could not.
    pub refusals: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Calls of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReachedCalls {
    /// The kernel's name.
    pub call: String,
    /// Those that are meant, in the first run, which was only watched.
    pub meant: u64,
    /// Those of them that may be treated: that only ask, where they are to be made again.
    pub fit: u64,
    /// How many were treated in a run: the median. More than are meant where others ask the same.
    pub treated: u64,
    /// How many of these had an answer that was known, and were left out in some runs; `None` where they were
    /// made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elided: Option<u64>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostRun {
    /// The block, from 1: each has one run of each kind, in random order.
    pub block: u32,
    /// How often each call was made again; how long each was delayed, in ns; 1 where known answers were given, 0
    /// where these calls were made. `None` of the run without the instrument.
    pub amount: Option<u64>,
    /// Wall time, in ns.
    pub wall_ns: u64,
    /// How long of that the thread that stood longest stood while Fathom did its work, in ns.
    #[serde(default, skip_serializing_if = "is_none")]
    pub held_ns: u64,
    /// How long all other threads did, together, in ns.
    #[serde(default, skip_serializing_if = "is_none")]
    pub held_others_ns: u64,
    /// Time on CPUs of the command and its children, in ns.
    pub cpu_ns: u64,
    /// Calls that were treated.
    pub treated: u64,
    /// How often they were made again; how many were delayed.
    pub times: u64,
    /// How long that took in the program, in ns, by its own clock.
    pub treated_ns: u64,
    /// Windows in which what was done changed; 0 where it was the same in the whole run.
    #[serde(default, skip_serializing_if = "is_none")]
    pub windows: u64,
}

/// What the runs say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostAnswer {
    /// Wall time of the run without the instrument, in ns: the median.
    pub alone_ns: f64,
    /// Wall time under the instrument, with nothing made again, in ns: the median.
    pub watched_ns: f64,
    /// Wall time for each time more that all treated calls are made; refused where it is not linear. Of
    /// `slower`: for each ns that was slept, the share on the critical path.
    pub wall: Reading<CallTime>,
    /// The same of time on CPUs; of `slower` it is not asked.
    pub cpu: Reading<CallTime>,
    /// What the instrument adds to each time more that all treated calls are made, in ns: it is not in the times above.
    /// 0 of `slower`; by `calibration` where there is one, else it is its filter alone, measured apart.
    pub instrument_ns: f64,
    /// Between these it lies, in ns, which is in the intervals above; `None` where it is its filter alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument_range_ns: Option<(f64, f64)>,
    /// How much of it is of calls that are meant, 0 to 1: others asked the same.
    pub meant_share: f64,
    /// The same runs against themselves.
    pub control: CostControl,
}

/// A time for each unit, in ns; of `slower` a share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallTime {
    /// The median of the blocks.
    pub median: f64,
    /// It lies above this, whenever one looks, at 95 %.
    pub low: f64,
    /// And below this.
    pub high: f64,
}

/// What should be nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostControl {
    /// The second of two runs with nothing made again, less the first: wall time, in ns.
    pub same: CallTime,
    /// The middle amount's time, less what a straight line through the others says, in ns.
    pub bend: CallTime,
}

impl CostRun {
    /// Wall time without what threads of the program stood while Fathom did its work, in ns: they are taken to
    /// have stood one after the other.
    pub fn own_wall_ns(&self) -> u64 {
        self.wall_ns.saturating_sub(self.held_ns + self.held_others_ns)
    }
}

impl CostAnswer {
    /// More than so many times as long as alone is waiting for who watches: what is told of each call is
    /// written faster than it is read. The CPU time does not have it.
    const MOST_HELD_UP: f64 = 1.5;

    /// How many times as long as alone the command takes under the instrument, where that is so long that the
    /// wall time says little of the command: most of what is gained or lost goes into waiting.
    pub fn held_up(&self) -> Option<f64> {
        let times = self.watched_ns / self.alone_ns;
        (self.alone_ns > 0.0 && times > Self::MOST_HELD_UP).then_some(times)
    }
}

impl CallCost {
    /// True where there is no answer, or not of all that was asked about.
    pub fn is_partly_unknown(&self) -> bool {
        let is_answered = self.answer.value().is_some_and(|answer| {
            answer.wall.value().is_some()
                || self.question != CostQuestion::Slower && answer.cpu.value().is_some()
        });
        !is_answered || !self.gaps.is_empty()
    }
}

impl CallTime {
    /// True where it is more than nothing, or less.
    pub fn is_sure(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// Less a time that is not known exactly.
    #[must_use]
    pub fn less_about(self, by: Self) -> Self {
        Self { median: self.median - by.median, low: self.low - by.high, high: self.high - by.low }
    }

    /// So many times as much.
    #[must_use]
    pub fn scaled(self, by: f64) -> Self {
        let (one, other) = (self.low * by, self.high * by);
        Self { median: self.median * by, low: one.min(other), high: one.max(other) }
    }
}

impl CostReach {
    /// Calls that are meant.
    pub fn meant(&self) -> u64 {
        self.calls.iter().map(|calls| calls.meant).sum::<u64>() + self.unknown
    }

    /// Those of them that were treated: made again, delayed, or left out.
    pub fn reached(&self) -> u64 {
        self.calls.iter().map(|calls| calls.elided.unwrap_or(calls.treated).min(calls.fit)).sum()
    }

    /// All that were left out.
    pub fn elided(&self) -> u64 {
        self.calls.iter().filter_map(|calls| calls.elided).sum()
    }

    /// All that were treated.
    pub fn treated(&self) -> u64 {
        self.calls.iter().map(|calls| calls.treated).sum()
    }
}
