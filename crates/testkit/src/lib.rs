//! Sample records for tests: fixed literal numbers, no clock, no kernel.
//!
//! Owns records that renderers and readers are tested with, and the small
//! builders that make them. It is a dev-dependency only and measures nothing.

mod all;
mod batches;
mod builds;
mod choices;
mod commands;
mod comparison;
mod duel;
mod explained;
mod go_calls;
mod later;
mod machine;
mod parts;
mod prices;
mod published;
mod records;
mod scans;
mod sweep;
mod threads;
mod troubled;

pub use all::all;
pub use batches::batches;
pub use builds::two_builds;
pub use choices::{choice, choice_of, choices};
pub use commands::{command_blocks, command_comparison, run_counts};
pub use comparison::{ComparisonBuilder, Measured};
pub use duel::{duel, duel_of};
pub use explained::{counter, evidence_pass, explained};
pub use later::{add_call, fault_controls, keep_forks, later, slow_down};
pub use machine::{directory_place, driver_facts, environment, floors, memory_place, quiet_noise};
pub use parts::{call, cold_evidence, count_pass, estimate, failed_call, parameters, step, warm_evidence};
pub use prices::{price, priced, prices};
pub use published::published;
pub use records::{complete, interrupted, long_names};
pub use scans::scans;
pub use sweep::sweep;
pub use threads::threads;
pub use troubled::troubled;
