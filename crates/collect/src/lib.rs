//! Readings: the environment, a place, residency, noise. Each is taken once,
//! outside the clock, and says why when it cannot be had.
//!
//! **Invariant:** nothing here changes the machine, and an unreadable source
//! is a reason, never a 0.
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")
)]

mod container;
mod cpus;
mod device_io;
mod dirty_pages;
mod environment;
mod error;
mod floors;
mod kernel_counters;
mod layers;
mod noise;
mod page_out;
mod place;
mod pressure;
mod process_io;
mod profile;
mod residency;
mod source;
mod tracers;
mod variables;

pub use container::{Container, Membership, find_cgroup, find_container};
pub use cpus::online_cpus;
pub use device_io::{DeviceIo, device_io, wait_until_idle};
pub use dirty_pages::{DirtyPages, dirty_pages};
pub use environment::{Machine, environment, machine};
pub use error::CollectError;
pub use floors::floors;
pub use kernel_counters::{
    CounterReading, CounterSet, OutsideReads, RequestLog, Requester, counter_survey, release_tracepoints,
};
pub use layers::{FileLayer, FileView};
pub use noise::{NoiseSnapshot, noise_between};
pub use place::place_facts;
pub use pressure::{Resource, stalled_us};
pub use process_io::{ProcessIo, process_io};
pub use profile::{ProfileError, StackSampler};
pub use residency::{Residency, residency};
pub use tracers::{TracerSurvey, foreign_tracers};
pub use variables::{concerns_language, only_reader, telling_variables};
