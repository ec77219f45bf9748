//! Runs plans: data sets, cache states, drivers, schedule, count pass, time pass.
//!
//! Rooms, from the ground up. A file takes names from its own room and from lower ones:
//!
//! 1. `files`: directories and files, whatever they hold
//! 2. `data`: what files hold, and the answers that follow from it
//! 3. `drivers`: driver programs and how they are built
//! 4. `processes`: driver processes, what they are told and what they have to answer
//! 5. `cache`: whether the kernel has files in memory
//! 6. `setup`: what stands ready before anything is measured
//! 7. `passes`: counts, times and all else that is measured of variants
//! 8. `observer`: what a waiting person is told
//! 9. `prices`, `commands`: prices of calls, whole commands
//! 10. `run`: a plan becomes results
//!
//! **Invariant:** counting and timing are never the same pass, and nothing is
//! told to anybody while a driver's clock runs.
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")
)]

mod cache;
mod commands;
mod data;
mod drivers;
mod files;
mod observer;
mod passes;
pub mod prices;
mod processes;
mod run;
mod setup;

pub use cache::cache_control;
pub use cache::cache_control::{may_drop_caches, restore_leftover_read_ahead as restore_read_ahead};
pub use commands::{
    CommandError, CommandPlan, CommandWords, MeasuredCommands, START_COUNT_WORD, Signals, StartPlan,
    count_start_as_rank, measure_commands,
};
pub use data::seed::draw_seed;
pub use data::{data_set, kept_set, own_files};
pub use drivers::build_system::{Found as FoundToolchain, find as find_toolchain};
pub use drivers::driver_build::{BuildError, BuildStep, BuildWatch, build_words, cache_directory};
pub use drivers::driver_set::{
    BUILT_IN_WORD, Driver, DriverError, DriverSet, DriverState, manifest_of, serve_built_in_driver,
    shipped_manifests, shipped_registry, shipped_survey,
};
pub use drivers::driver_source::{BuildSystem, DriverSource, SHIPPED, Script};
pub use drivers::launcher::{Launcher, ranks_manifest};
pub use drivers::own_functions;
pub use drivers::toolchains::{split_toolchain, with_toolchain};
pub use files::fresh_mounts::{FreshMounts, FreshMountsError, is_mountable, mountable_kinds};
pub use files::scratch::{
    announce_removals, remove_all as remove_all_scratch, take_reports as take_removal_reports,
};
pub use files::{fresh_file_system, limited_read, scratch, trust};
pub use observer::{Event, Observer, Silent};
pub use passes::ranks::{RANK_COUNT_WORD, count_as_rank, ranked_drivers, ranks_registry};
pub use passes::time_pass::SoFar;
pub use processes::conformance::{Check, Outcome as CheckOutcome, check_driver};
pub use processes::protocol::is_answer;
pub use run::host_review::{
    guest_cold_warning, host_warnings, noise_warnings, noise_warnings_on, others_cpus, variables_warning,
};
pub use run::scenario::{Conditions, TryScenario};
pub use run::{Lab, Options, Outcome};
pub use setup::data_store::PlaceError;
pub use setup::probe::{PlaceProbe, pinning, probe_place};
