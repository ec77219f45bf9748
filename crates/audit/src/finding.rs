//! What an audit says of one waste or danger, as data. Wording beyond the finding's own
//! sentences belongs to whoever shows it.

use crate::path_set::PathSet;
use fathom_model::{CountedCalls, Reading};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The number of a rule: `R03`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RuleId(pub u16);

impl fmt::Display for RuleId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "R{:02}", self.0)
    }
}

impl JsonSchema for RuleId {
    fn schema_name() -> Cow<'static, str> {
        "RuleId".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^R[0-9]{2,}$",
            "description": "The number of a rule: `R03`.",
        })
    }
}

impl From<RuleId> for String {
    fn from(rule: RuleId) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for RuleId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = text.strip_prefix(['R', 'r']).and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or_else(|| format!("`{text}` is no rule: they are called R01, R02 …"))
    }
}

/// Whether a finding costs or endangers; the two are ranked apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingClass {
    /// Data, descriptors or safety are at stake.
    Correctness,
    /// Time is.
    Cost,
}

/// How much it matters. Of a cost it follows from the calls alone, so that it is the same in
/// every run that makes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Mend it.
    High,
    /// Look at it.
    Warn,
    /// Know it.
    Info,
}

/// Whose code makes the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The program's own, or not known to be another's.
    Yours,
    /// The runtime of its language.
    Runtime,
    /// The C library.
    Libc,
    /// The dynamic loader.
    Loader,
}

/// One kind of waste or danger, at one place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The rule that found it.
    pub rule: RuleId,
    /// Which of the rule's patterns it is, from 1: the same however its sentence is worded.
    pub pattern: u32,
    /// What happens, in one sentence.
    pub title: String,
    /// Cost or danger.
    pub class: FindingClass,
    /// How much it matters.
    pub severity: Severity,
    /// How often the pattern occurred.
    pub count: u64,
    /// The same for each file that was opened; `None` where none was.
    pub per_file_opened: Option<f64>,
    /// The calls that need not have been made, or stand for what could be spared.
    pub avoidable: Vec<CountedCalls>,
    /// What is to be called in their place, where something is: the price is the difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<CountedCalls>,
    /// At most six calls in the order they returned, where it occurred most often.
    pub example: Vec<ExampleCall>,
    /// Where.
    pub place: FindingPlace,
    /// The path where it occurred most often; `None` where no path is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_at: Option<PathCount>,
    /// The directories or packages where it occurred most often, at most three; empty where
    /// one holds all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directories: Vec<PathCount>,
    /// Whose code it is, by all that is known.
    pub owner: Owner,
    /// Whose it is by the calls alone, without stacks, which tell more and are not always at
    /// hand: what the verdict goes by, so that it is the same with them and without.
    pub owner_by_calls: Owner,
    /// What the avoidable calls cost on this machine, untraced.
    pub price: Reading<FindingPrice>,
    /// What to do.
    pub fix: String,
    /// What could make the finding wrong.
    pub doubt: Doubt,
    /// The calls fit, and what no call shows decides whether they are waste, or events were lost. Such
    /// a cost is never more than info, and its price is in no sum.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_uncertain: bool,
    /// Where others found the same: `cpython#124922`.
    pub references: Vec<String>,
    /// Somebody decided to live with it; such findings are counted and fail nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<Suppression>,
    /// What it is together with the findings that only the place in the code tells apart from it; `None` where
    /// there is no other. Verdicts, budgets, comparisons and fingerprints go by this: it is the same however
    /// many of the calls have a stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<WholeFinding>,
}

/// Findings that only the place in the code tells apart, together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WholeFinding {
    /// The same number is the same whole, in this audit.
    pub number: u32,
    /// How often the pattern occurred, wherever in the code.
    pub count: u64,
    /// The files that all of its calls were about; `None` where no path is known.
    pub paths: Option<PathSet>,
    /// The kernel's names of the calls that need not have been made, or of one that shows the danger.
    pub calls: Vec<String>,
}

impl Finding {
    /// True when it is to be mended: a danger or a cost of warning or high that is the
    /// program's own by its calls, and nobody decided to live with it.
    pub fn matters(&self) -> bool {
        let is_own = self.owner_by_calls == Owner::Yours;
        self.severity != Severity::Info && is_own && self.suppressed.is_none()
    }

    /// True when it is in what mending all saves: a cost that is the program's own by its calls, for
    /// sure, and nobody decided to live with it. No call is in two of them.
    pub fn is_of_savings(&self) -> bool {
        let is_own = self.owner_by_calls == Owner::Yours;
        self.class == FindingClass::Cost && is_own && self.suppressed.is_none() && !self.is_uncertain
    }
}

/// What could make a finding wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// It is wrong where this holds.
    Unless(String),
    /// Nothing could: for this reason.
    Certain(String),
}

/// Why a finding is not to be mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppression {
    /// In the words of who decided.
    pub reason: String,
    /// The file that says so.
    pub file: String,
}

/// A call of an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExampleCall {
    /// Its number among all events, from 1.
    pub number: u64,
    /// The thread that made it.
    pub thread: u32,
    /// The kernel's name of the call.
    pub call: String,
    /// The call with its arguments and outcome.
    pub text: String,
}

/// Where a finding lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingPlace {
    /// The files that its calls were about; `None` where no path is known.
    pub paths: Option<PathSet>,
    /// The program, by the path it was executed by.
    pub program: Option<String>,
    /// The process that the example is of.
    pub process: u32,
    /// The source's number of the user's stack.
    pub stack: Option<u32>,
    /// That stack, the innermost first; empty where stacks were not asked for or not had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
    /// True where of some of its calls no stack was taken: all others came from there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_sampled: bool,
}

impl FindingPlace {
    /// The innermost frame that is the user's own: what to look at.
    pub fn first_of_yours(&self) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.owner == Owner::Yours)
    }
}

/// How often something occurred at a path, or below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathCount {
    /// A file, or a directory without the `/` at its end.
    pub path: String,
    /// How often.
    pub count: u64,
}

/// A place in a program's code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    /// The function; `None` where no symbol is known.
    pub function: Option<String>,
    /// The source's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of it, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The program or shared object that holds the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Where in it, in bytes of the file's own addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<u64>,
    /// Whose code it is.
    pub owner: Owner,
}

/// The price of a finding's avoidable calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingPrice {
    /// All of them together, in ns.
    pub total_ns: f64,
    /// Lower end; `None` where a price had no interval.
    pub low_ns: Option<f64>,
    /// Upper end.
    pub high_ns: Option<f64>,
    /// How many calls that is.
    pub calls: u64,
    /// Avoidable calls that have no price and are not in the sum.
    pub calls_without_price: u64,
    /// Its share, 0 to 1, of the price of all calls of the run that have one; `None` where
    /// none has.
    pub share: Option<f64>,
    /// True where operations of `io_uring` have the prices of the calls that they stand for, since the
    /// list has none of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_plain_calls: bool,
    /// How prices were read that are not of the calls' very condition.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_written_and_read_by_its_name() {
        assert_eq!(RuleId(3).to_string(), "R03");
        assert_eq!(RuleId::try_from("R54".to_owned()), Ok(RuleId(54)));
        assert!(RuleId::try_from("54".to_owned()).is_err());
        assert_eq!(serde_json::to_string(&RuleId(7)).unwrap(), "\"R07\"");
    }
}
