//! What starts a driver as several ranks, and the manifest of the driver that can be.

use crate::drivers::driver_source::MPI;
use fathom_catalog::{CatalogError, DriverManifest};
use std::process::Command;
use std::time::Duration;

/// What starts a driver as several ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// How many.
    pub ranks: u32,
    /// The words before the driver's: `mpirun -n 4`.
    pub words: Vec<String>,
    /// How long it may take until all ranks are there.
    pub limit: Duration,
}

impl Launcher {
    /// A command that starts a program so; the program's words are the caller's.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// Its words as a person typed them, by and large.
    pub(crate) fn told(&self) -> String {
        self.words.join(" ")
    }
}

/// The manifest of the driver that runs as ranks.
pub fn ranks_manifest() -> Result<DriverManifest, CatalogError> {
    DriverManifest::parse(MPI.manifest_path, MPI.manifest)
}
