//! Builds a shipped driver on first use into the user's cache directory, and
//! finds it there afterwards. Concurrent runs share a build through a lock; a
//! build appears under its final name only when it works.
//!
//! **Invariant:** what is found is run only where nobody but the user and root can have put it
//! there, and with the digest that was kept when it was built.

mod seal;
mod store;

use crate::drivers::build_system::{Found, compile, find, launch, product, program_of_name};
use crate::drivers::driver_source::{BuildSystem, DriverSource, hexadecimal};
use crate::files::trust::Distrust;
use fathom_catalog::Toolchain;
pub(crate) use seal::Seal;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use store::Store;

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
    /// Somebody else may have put something into the cache.
    #[error(
        "refusing the driver cache: {0} (remove it if it is yours, or set FATHOM_CACHE_DIR to a directory of your own)"
    )]
    Untrusted(#[from] Distrust),
    /// A built driver is another than the one that was built.
    #[error("refusing {}, which was changed after it was built: {difference} (remove it to have it built again)", product.display())]
    Changed {
        /// What was changed.
        product: PathBuf,
        /// The two digests.
        difference: String,
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
    /// The stop flag was raised.
    #[error("interrupted")]
    Interrupted,
}

impl BuildError {
    /// True where somebody else may have tampered with what would be run.
    pub(crate) fn is_distrust(&self) -> bool {
        matches!(self, Self::Untrusted(_) | Self::Changed { .. })
    }

    pub(crate) fn changed(product: &Path, difference: String) -> Self {
        Self::Changed { product: product.to_owned(), difference }
    }
}

/// A driver that is built, and where it came from.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    /// The words that start it.
    pub(crate) words: Vec<OsString>,
    /// The toolchain's version text.
    pub(crate) toolchain: String,
    /// The files that run.
    pub(crate) seal: Seal,
}

/// What a build takes its time for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildStep<'a> {
    /// A compiler starts, for the driver of this name.
    Compiles(&'a str),
    /// Another Fathom builds this driver, and its end is waited for.
    Waits(&'a str),
}

/// Who waits for a build.
#[expect(missing_debug_implementations, reason = "a closure has none")]
pub struct BuildWatch<'a> {
    /// Called before each step that takes its time.
    pub tell: &'a mut dyn FnMut(BuildStep<'_>),
    /// Ends the build or the wait when it is raised. Without it a compiler stays in the process
    /// group that Ctrl-C reaches.
    pub stop: Option<&'a AtomicBool>,
}

impl BuildWatch<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The variable that names the cache directory.
const CACHE_VARIABLE: &str = "FATHOM_CACHE_DIR";

/// The directory for everything that may be made anew: `FATHOM_CACHE_DIR`, or
/// `fathom` below `XDG_CACHE_HOME` or `~/.cache`.
pub fn cache_directory() -> Result<PathBuf, BuildError> {
    let set = |name| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    set(CACHE_VARIABLE)
        .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("fathom")))
        .or_else(|| set("HOME").map(|path| path.join(".cache/fathom")))
        .ok_or(BuildError::NoCacheDirectory)
}

/// Builds `source` into `cache`, or finds the build of the same sources by the
/// same toolchain. Whoever watches hears what takes its time.
pub(crate) fn build(
    source: &DriverSource,
    toolchain: &Toolchain,
    cache: &Path,
    watch: &mut BuildWatch<'_>,
) -> Result<Built, BuildError> {
    let (found, name) = find_named(source, toolchain, watch.stop)?;
    let store = Store::open(cache)?;
    let seal = match find_build(source, &store, &name) {
        Ok(Some(seal)) => seal,
        // Another run may be about to replace it: only under the lock it is what it is.
        looked => {
            let _lock =
                store.lock(&name, source.name, watch).map_err(|error| looked.err().unwrap_or(error))?;
            if let Some(seal) = find_build(source, &store, &name)? {
                seal
            } else {
                (watch.tell)(BuildStep::Compiles(source.name));
                build_into(source, &found, &store, &name, watch)?
            }
        }
    };
    Ok(started_by(source, found, &store.home(&name), seal))
}

/// The words that start a program built as a driver is, into the user's cache or found there.
/// Nobody hears of the steps, and Ctrl-C reaches the compiler.
pub fn build_words(source: &DriverSource, toolchain: &Toolchain) -> Result<Vec<OsString>, BuildError> {
    let mut watch = BuildWatch { tell: &mut |_| {}, stop: None };
    Ok(build(source, toolchain, &cache_directory()?, &mut watch)?.words)
}

/// What is there of a driver that is not to be built now.
#[derive(Debug)]
pub(crate) enum Looked {
    /// Its build.
    Built(Built),
    /// The version of the toolchain that would build it.
    NotBuilt(String),
}

/// The build of `source`, where it is there already. Compiles nothing; `stop` ends the wait for the toolchain.
pub(crate) fn look_for(
    source: &DriverSource,
    toolchain: &Toolchain,
    cache: &Path,
    stop: &AtomicBool,
) -> Result<Looked, BuildError> {
    let (found, name) = find_named(source, toolchain, Some(stop))?;
    let store = Store::open(cache)?;
    Ok(match find_build(source, &store, &name)? {
        Some(seal) => Looked::Built(started_by(source, found, &store.home(&name), seal)),
        None => Looked::NotBuilt(found.version),
    })
}

/// The toolchain, and the name of what it makes of `source`.
fn find_named(
    source: &DriverSource,
    toolchain: &Toolchain,
    stop: Option<&AtomicBool>,
) -> Result<(Found, String), BuildError> {
    let found = find(source.build_system, toolchain, stop).ok_or_else(|| BuildError::NoToolchain {
        program: toolchain.program.clone(),
        variable: toolchain.variable.clone(),
    })?;
    let name = format!("{}-{}", source.name, &key(source, &found)[..16]);
    Ok((found, name))
}

fn started_by(source: &DriverSource, found: Found, home: &Path, seal: Seal) -> Built {
    Built { words: launch(source.build_system, &found, home), toolchain: found.version, seal }
}

/// The build of this name; `None` where there is none, or one without a digest or its program.
fn find_build(source: &DriverSource, store: &Store, name: &str) -> Result<Option<Seal>, BuildError> {
    if !store.has(name)? {
        return Ok(None);
    }
    let home = store.home(name);
    let (Some(kept), true) = (store.digest(name)?, home.join(product(source.build_system).marker).is_file())
    else {
        return Ok(None);
    };
    let seal = take_seal(source, &home)?;
    if seal.sha256() == kept {
        return Ok(Some(seal));
    }
    let difference = format!("its SHA-256 is {}, that of the build is {kept}", seal.sha256());
    Err(BuildError::changed(seal.product(), difference))
}

fn take_seal(source: &DriverSource, home: &Path) -> Result<Seal, BuildError> {
    // An empty path would end in a slash.
    let product = match product(source.build_system).runs {
        "" => home.to_owned(),
        part => home.join(part),
    };
    Seal::take(&product).map_err(|error| BuildError::Cache { path: product, error })
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
    // Each MPI has an `mpicc` of the same compiler: which it is an alternative says, a link.
    let named = found.words.first().filter(|_| source.build_system == BuildSystem::Mpi);
    let target = named.and_then(|word| program_of_name(Path::new(word))?.canonicalize().ok());
    if let Some(target) = target {
        hash.update(target.as_os_str().as_encoded_bytes());
    }
    hexadecimal(&hash.finalize())
}

fn build_into(
    source: &DriverSource,
    found: &Found,
    store: &Store,
    name: &str,
    watch: &BuildWatch<'_>,
) -> Result<Seal, BuildError> {
    let cache = |error: io::Error| BuildError::Cache { path: store.path().to_owned(), error };
    let work = tempfile::Builder::new().prefix(".building-").tempdir_in(store.path()).map_err(cache)?;
    for (file, text) in source.files {
        let path = work.path().join(file);
        fs::create_dir_all(path.parent().unwrap_or(work.path())).map_err(cache)?;
        fs::write(path, text).map_err(cache)?;
    }
    compile(source.build_system, found, work.path(), watch.stop).map_err(|failure| {
        if watch.is_stopped() {
            return BuildError::Interrupted;
        }
        BuildError::Compiler {
            driver: source.name.to_owned(),
            output: if source.is_own() { failure.output.clone() } else { failure.last_lines() },
            command: failure.command,
        }
    })?;
    let digest = take_seal(source, work.path())?;
    let home = store.home(name);
    store.keep_digest(name, digest.sha256())?;
    if home.exists() {
        // A directory without its program or its digest: an older Fathom's, or a damaged one.
        fs::remove_dir_all(&home).map_err(cache)?;
    }
    fs::rename(work.path(), &home).map_err(cache)?;
    // The directory now has another name: there is nothing left to remove.
    let _renamed = work.keep();
    take_seal(source, &home)
}

#[cfg(test)]
mod tests;
