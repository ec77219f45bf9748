//! What Go's tools and runtime do with benchmarks, with files that nobody
//! closes, and with files that a program carries.

mod benchmarks;
mod embedding;
mod leak;

use super::Interrupted;
use super::go_program;
use super::ground::{Ground, write};
use super::performer::Trouble;
use super::rows::Rows;
use super::tool::{self, Ended};
use fathom_lab::{BuildSystem, find_toolchain};
use std::path::Path;

/// Tries all in one place.
pub(super) fn run(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    benchmarks::try_all(ground, rows)?;
    leak::try_all(ground, rows)?;
    embedding::try_all(ground, rows)
}

/// Makes a module of one file of Go.
fn make_module(directory: &Path, name: &str, text: &str) -> Result<(), Trouble> {
    let (manifest, module) = go_program::MODULE;
    write(&directory.join(manifest), module.as_bytes())?;
    write(&directory.join(name), text.as_bytes())
}

/// Runs `go` with these words in a directory.
fn run_go(ground: &Ground<'_>, words: &[&str], directory: &Path) -> Result<Ended, Trouble> {
    let toolchain = go_program::toolchain()?;
    let found = find_toolchain(BuildSystem::Go, &toolchain, None).ok_or_else(|| {
        Trouble::Failed(format!("no `{}` found (set {} to name one)", toolchain.program, toolchain.variable))
    })?;
    let program: Vec<_> = found.words.iter().map(|word| word.to_string_lossy()).collect();
    let all: Vec<&str> = program.iter().map(AsRef::as_ref).chain(words.iter().copied()).collect();
    tool::end_of(ground, &all, directory)
}
