//! Experiment files and driver manifests, read strictly, and the plans made of
//! them.
//!
//! Text goes in, plain data comes out: [`DriverManifest`]s make a
//! [`MethodRegistry`], an [`Entry`] or an operation with a [`Request`] makes a
//! [`Plan`].
//!
//! **Invariant:** nothing here touches a file, a clock, a process or the
//! environment. Whether a method can run, and what file system a place has, is
//! found out by `lab`.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests may read the files that they hold something against")
)]

mod budgets;
mod choices;
mod claims;
mod compared;
mod entry;
mod error;
mod impossible;
mod manifest;
mod older_claims;
mod pattern;
mod plan;
mod project_file;
mod registry;
mod reported;
mod request;
mod scenario;
mod settings;
mod shipped;
mod size;
mod suggestion;
mod sweep;
mod toml_reader;
mod words;
mod write_up;

pub use budgets::Budgets;
pub use compared::Compare;
pub use entry::Entry;
pub use error::{CatalogError, Located, Origin, Problem};
pub use manifest::{DriverManifest, Toolchain};
pub use older_claims::complete_older_claims;
pub use plan::{
    Goal, Plan, PlannedComparison, pair_builds, plan_ad_hoc, plan_claims, plan_entry, share_error,
};
pub use project_file::{BuildEntry, CommandEntry, CountsEntry, ProjectFile, SuppressEntry};
pub use registry::MethodRegistry;
pub use request::Request;
pub use scenario::Scenario;
pub use shipped::{SHIPPED, ShippedFile, WRITE_UPS};
pub use size::{format_size, parse_size};
pub use suggestion::nearest;
pub use words::{Word, parse_place, parse_word};
pub use write_up::WriteUpFile;
