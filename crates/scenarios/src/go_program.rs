//! The Go program that plays parts of scenarios, built as a driver is, and found
//! again in the user's cache.

use super::ground::Ground;
use super::performer::{Performer, Trouble};
use fathom_catalog::{DriverManifest, Toolchain};
use fathom_lab::{BuildSystem, DriverSource, SHIPPED, build_words};
use std::ffi::OsString;
use std::path::Path;

/// The manifest of a module without dependencies.
pub(super) const MODULE: (&str, &str) = ("go.mod", include_str!("go/go.mod"));

/// Plays parts by goroutines.
const ACTOR: DriverSource = DriverSource {
    name: "go-scenario",
    manifest_path: "",
    manifest: "",
    files: &[
        MODULE,
        ("await.go", include_str!("go/await.go")),
        ("leak.go", include_str!("go/leak.go")),
        ("load.go", include_str!("go/load.go")),
        ("main.go", include_str!("go/main.go")),
        ("share.go", include_str!("go/share.go")),
    ],
    build_system: BuildSystem::Go,
};

/// Starts a part that the Go program plays in a directory.
pub(super) fn start<'a>(
    ground: &Ground<'a>,
    words: &[&str],
    directory: &Path,
) -> Result<Performer<'a>, Trouble> {
    let built = build_words(&ACTOR, &toolchain()?);
    let mut all = built.map_err(|error| Trouble::Failed(error.to_string()))?;
    all.extend(words.iter().map(OsString::from));
    ground.start_program(&all, directory)
}

/// The toolchain of the Go driver.
pub(super) fn toolchain() -> Result<Toolchain, Trouble> {
    toolchain_of("go")
}

/// The toolchain of a shipped driver.
pub(super) fn toolchain_of(driver: &str) -> Result<Toolchain, Trouble> {
    let source = SHIPPED.iter().find(|source| source.name == driver);
    let source = source.ok_or_else(|| Trouble::Failed(format!("there is no {driver} driver")))?;
    DriverManifest::parse(source.manifest_path, source.manifest)
        .map(|manifest| manifest.toolchain)
        .map_err(|error| Trouble::Failed(error.to_string()))
}
