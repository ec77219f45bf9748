//! Builds a shipped driver on first use into the user's cache directory, and
//! finds it there afterwards. Concurrent runs share a build through a lock; a
//! build appears under its final name only when it works.

use crate::build_system::{Found, compile, find, launch, product};
use crate::driver_source::{DriverSource, hexadecimal};
use fathom_catalog::Toolchain;
use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Why a driver could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The toolchain is not on this machine.
    #[error("no `{program}` found (set {variable} to name one)")]
    NoToolchain {
        /// The program that was looked for.
        program: String,
        /// The variable that overrides it.
        variable: String,
    },
    /// There is no directory to build in.
    #[error("no cache directory: neither FATHOM_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set")]
    NoCacheDirectory,
    /// The cache directory cannot be used.
    #[error("failed to use the driver cache {path}: {error}")]
    Cache {
        /// The path that failed.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The compiler said no.
    #[error("failed to build the {driver} driver: `{command}` said: {output}")]
    Compiler {
        /// The driver.
        driver: String,
        /// The command.
        command: String,
        /// The last lines of its output.
        output: String,
    },
}

/// A driver that is built, and where it came from.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    /// The words that start it.
    pub(crate) words: Vec<OsString>,
    /// The toolchain's version text.
    pub(crate) toolchain: String,
}

/// The directory for everything that may be made anew: `FATHOM_CACHE_DIR`, or
/// `fathom` below `XDG_CACHE_HOME` or `~/.cache`.
pub fn cache_directory() -> Result<PathBuf, BuildError> {
    let set = |name| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    set("FATHOM_CACHE_DIR")
        .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("fathom")))
        .or_else(|| set("HOME").map(|path| path.join(".cache/fathom")))
        .ok_or(BuildError::NoCacheDirectory)
}

/// Builds `source` into `cache`, or finds the build of the same sources by the
/// same toolchain. `building` is called before a compiler starts.
pub(crate) fn build(
    source: &DriverSource,
    toolchain: &Toolchain,
    cache: &Path,
    building: &mut dyn FnMut(&str),
) -> Result<Built, BuildError> {
    let found = find(source.build_system, toolchain).ok_or_else(|| BuildError::NoToolchain {
        program: toolchain.program.clone(),
        variable: toolchain.variable.clone(),
    })?;
    let folder = cache.join("drivers");
    create_directory(&folder)?;
    let name = format!("{}-{}", source.name, &key(source, &found)[..16]);
    let home = folder.join(&name);
    let _lock = lock(&folder.join(format!("{name}.lock")))?;
    if !home.join(product(source.build_system)).is_file() {
        building(source.name);
        build_into(source, &found, &folder, &home)?;
    }
    Ok(Built { words: launch(source.build_system, &found, &home), toolchain: found.version })
}

/// What a build depends on: sources, toolchain and the way to call it.
fn key(source: &DriverSource, found: &Found) -> String {
    let mut hash = Sha256::new();
    for part in [&source.sha256(), &found.version, env!("CARGO_PKG_VERSION")] {
        hash.update(part);
        hash.update([0]);
    }
    for word in &found.words {
        hash.update(word.as_encoded_bytes());
        hash.update([0]);
    }
    hexadecimal(&hash.finalize())
}

fn create_directory(path: &Path) -> Result<(), BuildError> {
    fs::create_dir_all(path).map_err(|error| BuildError::Cache { path: path.to_owned(), error })
}

/// Held until the file is closed; a crashed holder's lock goes with it.
fn lock(path: &Path) -> Result<File, BuildError> {
    let cache = |error: io::Error| BuildError::Cache { path: path.to_owned(), error };
    let file = File::create(path).map_err(cache)?;
    flock(&file, FlockOperation::LockExclusive).map_err(|errno| cache(errno.into()))?;
    Ok(file)
}

fn build_into(source: &DriverSource, found: &Found, folder: &Path, home: &Path) -> Result<(), BuildError> {
    let cache = |error: io::Error| BuildError::Cache { path: folder.to_owned(), error };
    let work = tempfile::Builder::new().prefix(".building-").tempdir_in(folder).map_err(cache)?;
    for (file, text) in source.files {
        fs::write(work.path().join(file), text).map_err(cache)?;
    }
    compile(source.build_system, found, work.path()).map_err(|failure| BuildError::Compiler {
        driver: source.name.to_owned(),
        command: failure.command,
        output: failure.output,
    })?;
    if home.exists() {
        // A directory without its program: an earlier build that was tampered with.
        fs::remove_dir_all(home).map_err(cache)?;
    }
    fs::rename(work.path(), home).map_err(cache)?;
    // The directory now has another name: there is nothing left to remove.
    let _renamed = work.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver_source::BuildSystem;
    use std::process::Command;

    const HELLO: DriverSource = DriverSource {
        name: "hello",
        manifest_path: "",
        manifest: "",
        files: &[("main.rs", "fn main() { println!(\"hello\"); }")],
        build_system: BuildSystem::Rustc,
    };

    fn rustc_toolchain(variable: &str) -> Toolchain {
        Toolchain {
            program: "rustc".into(),
            variable: variable.into(),
            version: vec!["--version".into(), "--verbose".into()],
        }
    }

    #[test]
    fn builds_once_and_anew_when_the_source_changes() {
        let cache = tempfile::tempdir().unwrap();
        let toolchain = rustc_toolchain("FATHOM_TEST_RUSTC_UNSET");
        let mut builds = 0;
        let mut build_it = |source: &DriverSource| {
            build(source, &toolchain, cache.path(), &mut |_| builds += 1).unwrap().words[0].clone()
        };
        let first = build_it(&HELLO);
        assert_eq!(build_it(&HELLO), first);
        assert_eq!(Command::new(&first).output().unwrap().stdout, b"hello\n");
        let changed = DriverSource { files: &[("main.rs", "fn main() { println!(\"changed\"); }")], ..HELLO };
        assert_ne!(build_it(&changed), first);
        fs::remove_file(&first).unwrap();
        assert_eq!(build_it(&HELLO), first, "a lost program is built again");
        assert_eq!(builds, 3);
    }

    #[test]
    fn concurrent_runs_build_once() {
        let cache = tempfile::tempdir().unwrap();
        let builds = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    build(&HELLO, &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"), cache.path(), &mut |_| {
                        builds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    })
                    .unwrap();
                });
            }
        });
        assert_eq!(builds.into_inner(), 1);
    }

    #[test]
    fn a_compiler_error_is_told_and_leaves_nothing() {
        let cache = tempfile::tempdir().unwrap();
        let broken = DriverSource { files: &[("main.rs", "fn main() { nonsense }")], ..HELLO };
        let error = build(&broken, &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"), cache.path(), &mut |_| {})
            .unwrap_err();
        assert!(matches!(error, BuildError::Compiler { .. }), "{error}");
        assert!(error.to_string().contains("main.rs"), "{error}");
        let left: Vec<_> = fs::read_dir(cache.path().join("drivers"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| Path::new(name).extension().is_none_or(|ending| ending != "lock"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn a_missing_toolchain_names_the_program_and_the_variable() {
        let toolchain = Toolchain {
            program: "no-such-compiler".into(),
            variable: "FATHOM_TEST_UNSET".into(),
            version: vec!["--version".into()],
        };
        let cache = tempfile::tempdir().unwrap();
        let error = build(&HELLO, &toolchain, cache.path(), &mut |_| {}).unwrap_err().to_string();
        assert_eq!(error, "no `no-such-compiler` found (set FATHOM_TEST_UNSET to name one)");
    }
}
