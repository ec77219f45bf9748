//! Runtimes of scripts in the versions that are here, and the ways in which their lines are found.

use crate::capability::{Capability, has};
use std::path::PathBuf;

/// Programs of further versions, as a `PATH` names directories: what a package manager of the distribution has not.
const MORE: &str = "FATHOM_TEST_RUNTIMES";

/// Those of `FATHOM_TEST_RUNTIMES` whose name begins so: `node`, `java`, `python3`.
pub(crate) fn more(name: &str) -> Vec<PathBuf> {
    let programs = std::env::var_os(MORE).unwrap_or_default();
    let is_named =
        |program: &PathBuf| program.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
    let programs: Vec<PathBuf> = std::env::split_paths(&programs).filter(is_named).collect();
    for program in &programs {
        assert!(program.is_file(), "{MORE} names {}, which is not there", program.display());
    }
    programs
}

/// The ways in which lines are found here: of every call, and as an audit does by itself, by the ring and by
/// ptrace.
pub(crate) fn captures() -> Vec<&'static str> {
    let ring = has(Capability::Ring).then_some("--capture ring");
    ring.into_iter().chain(["--stacks", "--capture ptrace"]).collect()
}
