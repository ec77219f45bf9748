//! The sections of a record, as they are written on a page: what each says stands in its own file,
//! their order in `record_text`.

pub(crate) mod answers;
pub(crate) mod batches;
pub(crate) mod beside;
pub(crate) mod breakdown;
pub(crate) mod calls;
pub(crate) mod ceilings;
pub(crate) mod context;
pub(crate) mod differences;
pub(crate) mod evidence;
mod figure;
pub(crate) mod header;
pub(crate) mod kernel_counters;
pub(crate) mod latencies;
pub(crate) mod ledger;
pub(crate) mod legend;
pub(crate) mod long_runs;
pub(crate) mod outcomes;
pub(crate) mod places;
pub(crate) mod prediction;
pub(crate) mod profile;
pub(crate) mod ranks;
pub(crate) mod recipe;
pub(crate) mod reported;
pub(crate) mod runtime;
pub(crate) mod series;
pub(crate) mod setting;
mod side_by_side;
pub(crate) mod spread;
pub(crate) mod times;
pub(crate) mod warnings;
