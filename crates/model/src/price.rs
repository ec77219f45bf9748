//! Prices: what a call, a fault, a page costs on one machine and file system, untraced.

use crate::{
    CacheState, CallCondition, CallOutcome, Environment, Estimate, Floors, Noise, PlaceFacts, Reading,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The untraced price of a call under one condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "KeptPrice", into = "KeptPrice")]
#[schemars(with = "KeptPrice")]
pub struct Price {
    /// The call and its condition.
    pub condition: CallCondition,
    /// Time that passes, in ns.
    pub wall_ns: Estimate,
    /// Time on a CPU, in ns; the rest of `wall_ns` is waiting.
    pub cpu_ns: Estimate,
}

// As lists and records keep it: the form is said in words there, as it was before it was data, so that
// lists of any version are read by any version.
/// The untraced price of one thing under one condition.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Price")]
struct KeptPrice {
    /// The kernel's name of the call, or `minor-fault-file`, `minor-fault-anonymous`,
    /// `major-fault`, `page-cache-fill` (per page brought in from the device, the CPU's part).
    call: String,
    /// What of it: `O_RDONLY`, `O_CREAT of a new file`, `at the end of the file`.
    what: String,
    /// The errno's name where it fails; `None` where it succeeds.
    errno: Option<String>,
    /// Components of the path walked, for calls that take one.
    depth: Option<u32>,
    /// Bytes moved or mapped, for calls that do.
    size_bytes: Option<u64>,
    /// The page cache's state, where it matters.
    cache: Option<CacheState>,
    /// Time that passes, in ns.
    wall_ns: Estimate,
    /// Time on a CPU, in ns; the rest of `wall_ns` is waiting.
    cpu_ns: Estimate,
}

impl From<KeptPrice> for Price {
    fn from(kept: KeptPrice) -> Self {
        let KeptPrice { call, what, errno, depth, size_bytes, cache, wall_ns, cpu_ns } = kept;
        let Ok(form) = what.parse();
        let outcome = errno.map_or(CallOutcome::Succeeded, CallOutcome::Failed);
        let condition = CallCondition { call, form, outcome, path_components: depth, size_bytes, cache };
        Self { condition, wall_ns, cpu_ns }
    }
}

impl From<Price> for KeptPrice {
    fn from(Price { condition, wall_ns, cpu_ns }: Price) -> Self {
        let errno = condition.errno().map(str::to_owned);
        let what = condition.form.to_string();
        let CallCondition { call, path_components: depth, size_bytes, cache, .. } = condition;
        Self { call, what, errno, depth, size_bytes, cache, wall_ns, cpu_ns }
    }
}

/// What could not be priced here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unpriced {
    /// The call, and what of it.
    pub call: String,
    /// Why not.
    pub reason: String,
}

/// The prices of one place on one machine, as `fathom prices` keeps them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PriceList {
    /// The form of this file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The machine.
    pub environment: Environment,
    /// What the cheapest calls cost in the same session.
    pub floors: Reading<Floors>,
    /// What disturbed the machine meanwhile.
    pub noise: Reading<Noise>,
    /// The place.
    pub place: PlaceFacts,
    /// Processes that each price rests on.
    pub processes: u32,
    /// The prices.
    pub prices: Vec<Price>,
    /// What could not be priced.
    pub unpriced: Vec<Unpriced>,
}
