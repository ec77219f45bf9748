//! The record: one self-describing file that holds a whole run.

use crate::{
    Arm, CacheEvidence, Ceiling, Claim, Control, CountPass, DriverFacts, Environment, Explanation, Floors,
    Fork, LongRun, MethodId, Noise, OwnFilesFacts, PlaceFacts, PriceList, Publication, RankRun, Reading,
    ValidityFlag, Variant, VariantSummary, Warning,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the record's form. It rises when a reader of the older form
/// would misread the newer one.
pub const SCHEMA_VERSION: u32 = 1;

/// Why a comparison stopped taking forks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Every ratio reached the asked precision.
    Precise,
    /// The time budget was used up.
    TimeBudget,
    /// The verdict on every claim is sure.
    Decided,
    /// Claims are undecided, and more than the time left would not decide them.
    Futile,
    /// Only counts were asked for: nothing was timed.
    CountsOnly,
    /// The largest number of forks was reached.
    ForkLimit,
    /// The user interrupted it.
    Interrupted,
    /// It failed; the reason.
    Failed(String),
}

/// Variants timed in the same blocks, and everything found of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What sets it apart from the experiment's other comparisons: `128 B · warm`.
    pub label: String,
    /// The variants.
    pub variants: Vec<Variant>,
    /// Index of the variant that ratios refer to.
    pub baseline: usize,
    /// Parameters that differ between the variants, by name; empty when only
    /// the method differs.
    pub differing_parameters: Vec<String>,
    /// One count pass per variant.
    pub counts: Vec<Reading<CountPass>>,
    /// The arms of the time pass.
    pub arms: Vec<Arm>,
    /// The forks, in order of time.
    pub forks: Vec<Fork>,
    /// What proved the cache state, one per variant.
    pub cache: Vec<CacheEvidence>,
    /// One summary per variant; unavailable when no sample was kept.
    pub summaries: Vec<Reading<VariantSummary>>,
    /// The A/A control.
    pub control: Reading<Control>,
    /// What each variant answered, where an operation counts something; one
    /// entry per variant, empty for other operations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
    /// Watched runs, where the experiment asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long_runs: Vec<LongRun>,
    /// Why each variant takes the time it takes, where that was asked for: one
    /// per variant, or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
    /// What the ranks did, where drivers ran as several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<RankRun>,
    /// Why it may be no comparison of what its sides are said to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validity: Vec<ValidityFlag>,
    /// Why it stopped.
    pub stop: StopReason,
    /// Warnings about this comparison.
    pub warnings: Vec<Warning>,
}

/// What one operation of a variant answered, beside the truth of its data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// What is counted: `lines`, `matches`; `digest` where nothing is.
    pub what: String,
    /// What the method answered.
    pub found: u64,
    /// What is true.
    pub expected: u64,
    /// Why the method answers wrongly, in the words of its driver, when it
    /// shows a program that does.
    pub flaw: Option<String>,
    /// What follows from the files' bytes for a program that is known to be
    /// wrong, where Fathom knows its rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<u64>,
    /// What such a program says beside its number, each with its prediction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<AnsweredFigure>,
    /// Of a function of the user's: how its answer differs from the file's bytes, or from the counts
    /// that the other functions return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disagrees: Option<String>,
}

/// A further figure of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnsweredFigure {
    /// What it is, with its unit: `bytes delivered`.
    pub what: String,
    /// What the method answered.
    pub found: u64,
    /// What follows from the files' bytes.
    pub predicted: u64,
    /// What a program without flaw answers, where it answers that at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
}

impl Answered {
    /// True when the method's answer is the truth.
    pub fn is_right(&self) -> bool {
        self.found == self.expected
            && self.disagrees.is_none()
            && self
                .further
                .iter()
                .all(|figure| figure.expected.is_none_or(|expected| expected == figure.found))
    }

    /// Whether everything that was predicted was found; `None` without a prediction.
    pub fn is_as_predicted(&self) -> Option<bool> {
        let further = self.further.iter().all(|figure| figure.found == figure.predicted);
        self.predicted.map(|predicted| predicted == self.found && further)
    }
}

/// What happened in a scenario: an experiment whose result is not a time but
/// what became of something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// What was tried: `stat, then open`.
    pub case: String,
    /// In which setting: `rename over`, `ext4 /mnt`, …
    pub setting: String,
    /// Index into the record's places, where the case has one.
    pub place: Option<usize>,
    /// How often each thing happened, in the order in which to tell it.
    pub counts: Vec<OutcomeCount>,
    /// Durations and other figures, by what they are.
    pub figures: Vec<OutcomeFigure>,
    /// What it means, in one sentence.
    pub meaning: String,
    /// Why it could not be tried, when it could not.
    pub unavailable: Option<String>,
}

impl Outcome {
    /// How often a thing happened; 0 of what is not among the counts.
    pub fn count(&self, what: &str) -> u64 {
        self.counts.iter().filter(|count| count.what == what).map(|count| count.n).sum()
    }

    /// A figure by its name.
    pub fn figure(&self, name: &str) -> Option<&OutcomeFigure> {
        self.figures.iter().find(|figure| figure.name == name)
    }
}

/// How often something happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeCount {
    /// What: `old content`.
    pub what: String,
    /// How often.
    pub n: u64,
}

/// A figure of an outcome, over several tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeFigure {
    /// What it is: `from replacement to new content`.
    pub name: String,
    /// Its unit: `µs`.
    pub unit: String,
    /// How many values.
    pub n: u64,
    /// The smallest.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The largest.
    pub most: f64,
    /// Quantiles, where the tries are independent of each other: processes of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quantiles: Vec<FigureQuantile>,
}

impl OutcomeFigure {
    /// The quantile of this share.
    pub fn quantile(&self, share: f64) -> Option<&FigureQuantile> {
        self.quantiles.iter().find(|quantile| (quantile.share - share).abs() < 1e-9)
    }
}

/// A quantile of independent tries, with the interval between two of them that
/// covers it with 95 %, whatever their distribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureQuantile {
    /// Which: 0.5 is the median.
    pub share: f64,
    /// The estimate.
    pub value: f64,
    /// Lower end; `None` when there are too few tries for one.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// Something that was asked for and not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmeasured {
    /// The method.
    pub method: MethodId,
    /// Where it applies when not everywhere: `tmpfs /dev/shm`.
    pub scope: Option<String>,
    /// Why.
    pub reason: String,
}

/// One experiment's results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentRecord {
    /// The catalog's name of it, or `ad-hoc`.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// Its comparisons.
    pub comparisons: Vec<Comparison>,
    /// What was asked for and not measured.
    pub unmeasured: Vec<Unmeasured>,
    /// What happened, for a scenario.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<Outcome>,
    /// What memory and the device can give at most, where the experiment asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ceilings: Vec<Reading<Ceiling>>,
    /// Published figures that stand beside the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<Publication>,
    /// What is claimed of it, in a form that can be checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

/// The saved result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// The form of this file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The command line.
    pub command: Vec<String>,
    /// The seed of every random choice, as a decimal string (JSON readers
    /// lose digits of large numbers).
    pub seed: String,
    /// False when the run was interrupted or failed before its end.
    pub complete: bool,
    /// The machine.
    pub environment: Environment,
    /// What the cheapest calls cost on this machine.
    #[serde(default = "Floors::not_taken")]
    pub floors: Reading<Floors>,
    /// What disturbed the machine meanwhile.
    pub noise: Reading<Noise>,
    /// The drivers that ran.
    pub drivers: Vec<DriverFacts>,
    /// The places.
    pub places: Vec<PlaceFacts>,
    /// The prices by which times were broken down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<PriceList>,
    /// The files of the user's that were read instead of data sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_files: Option<OwnFilesFacts>,
    /// The results.
    pub experiments: Vec<ExperimentRecord>,
    /// The drivers that are two builds of one, measured beside each other: the old one first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builds: Option<[String; 2]>,
    /// Warnings about the whole run.
    pub warnings: Vec<Warning>,
}
