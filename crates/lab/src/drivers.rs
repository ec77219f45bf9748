//! Driver programs: their sources, how each language builds and starts one, toolchains, the cache
//! of builds, functions of the user's in place of a driver's own, and what is known of a runtime.
//!
//! Processes that run them are `processes`'.

pub(crate) mod build_system;
pub(crate) mod driver_build;
pub(crate) mod driver_set;
pub(crate) mod driver_source;
pub(crate) mod interposer;
pub(crate) mod launcher;
pub mod own_functions;
pub(crate) mod runtime;
pub(crate) mod toolchains;
