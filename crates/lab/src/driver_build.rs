//! Builds a shipped driver on first use into the user's cache directory, and
//! finds it there afterwards. Concurrent runs share a build through a lock; a
//! build appears under its final name only when it works.
//!
//! **Invariant:** what is found is run only where nobody but the user and root can have put it
//! there, and with the digest that was kept when it was built.

mod seal;
mod store;

use crate::build_system::{Found, compile, find, launch, product};
use crate::driver_source::{DriverSource, hexadecimal};
use crate::trust::Distrust;
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
mod tests {
    use super::*;
    use crate::driver_source::BuildSystem;
    use std::os::unix::fs::{PermissionsExt, symlink};
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
            build(
                source,
                &toolchain,
                cache.path(),
                &mut BuildWatch { tell: &mut |_| builds += 1, stop: None },
            )
            .unwrap()
            .words[0]
                .clone()
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

    /// HELLO, built into a new cache; the name of its directory there.
    fn built_hello() -> (tempfile::TempDir, Built, String) {
        let cache = tempfile::tempdir().unwrap();
        let built = build_again(cache.path()).unwrap();
        let home = Path::new(&built.words[0]).parent().unwrap();
        let name = home.file_name().unwrap().to_str().unwrap().to_owned();
        (cache, built, name)
    }

    fn build_again(cache: &Path) -> Result<Built, BuildError> {
        build(
            &HELLO,
            &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"),
            cache,
            &mut BuildWatch { tell: &mut |_| {}, stop: None },
        )
    }

    #[test]
    fn a_changed_program_is_refused_when_found_and_before_each_start() {
        let (cache, built, _) = built_hello();
        assert_eq!(built.seal.check(), Ok(()));
        fs::write(&built.words[0], "#!/bin/sh\ntouch planted\n").unwrap();
        let difference = built.seal.check().unwrap_err();
        assert!(difference.contains("SHA-256"), "{difference}");
        let error = build_again(cache.path()).unwrap_err();
        assert!(matches!(error, BuildError::Changed { .. }) && error.is_distrust(), "{error}");
        assert!(error.to_string().contains("was changed after it was built"), "{error}");
    }

    #[test]
    fn a_program_without_a_kept_digest_is_built_again() {
        let (cache, built, name) = built_hello();
        let digest = cache.path().join("drivers").join(format!("{name}.sha256"));
        let kept = fs::read_to_string(&digest).unwrap();
        fs::remove_file(&digest).unwrap();
        fs::write(&built.words[0], "#!/bin/sh\ntouch planted\n").unwrap();
        assert_eq!(build_again(cache.path()).unwrap().seal.sha256(), kept);
        assert_eq!(Command::new(&built.words[0]).output().unwrap().stdout, b"hello\n");
    }

    #[test]
    fn a_cache_that_others_can_change_is_refused() {
        let (cache, built, _) = built_hello();
        let home = Path::new(&built.words[0]).parent().unwrap().to_owned();
        for directory in [home, cache.path().join("drivers"), cache.path().to_owned()] {
            let before = fs::metadata(&directory).unwrap().permissions();
            fs::set_permissions(&directory, fs::Permissions::from_mode(0o1777)).unwrap();
            let error = build_again(cache.path()).unwrap_err();
            assert!(matches!(&error, BuildError::Untrusted(which) if which.path == directory), "{error}");
            assert!(error.is_distrust() && error.to_string().contains("FATHOM_CACHE_DIR"), "{error}");
            fs::set_permissions(&directory, before).unwrap();
        }
        build_again(cache.path()).unwrap();
    }

    #[test]
    fn a_link_is_neither_followed_to_a_build_nor_to_a_lock_nor_to_a_digest() {
        let (cache, built, name) = built_hello();
        let drivers = cache.path().join("drivers");
        let (home, aside, victim) =
            (drivers.join(&name), cache.path().join("aside"), cache.path().join("victim"));
        fs::write(&victim, "years of work").unwrap();
        fs::rename(&home, &aside).unwrap();
        symlink(&aside, &home).unwrap();
        assert!(build_again(cache.path()).unwrap_err().to_string().contains("is not a directory"));
        fs::remove_file(&home).unwrap();
        for ending in ["lock", "sha256"] {
            let planted = drivers.join(format!("{name}.{ending}"));
            fs::remove_file(&planted).unwrap();
            symlink(&victim, &planted).unwrap();
            let outcome = build_again(cache.path());
            // A digest is not written through a link, it takes its place.
            let refused = ending == "lock";
            assert_eq!(outcome.is_err(), refused, "{ending}: {outcome:?}");
            assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work");
            if refused {
                fs::remove_file(&planted).unwrap();
            }
        }
        assert_eq!(Command::new(&built.words[0]).output().unwrap().stdout, b"hello\n");
    }

    #[test]
    fn a_good_build_needs_nothing_that_can_be_written() {
        let (cache, built, name) = built_hello();
        let lock = cache.path().join("drivers").join(format!("{name}.lock"));
        fs::remove_file(&lock).unwrap();
        // No file can be opened for writing by this name.
        fs::create_dir(&lock).unwrap();
        assert_eq!(build_again(cache.path()).unwrap().words, built.words);
        fs::remove_dir_all(Path::new(&built.words[0]).parent().unwrap()).unwrap();
        assert!(matches!(build_again(cache.path()), Err(BuildError::Cache { .. })));
    }

    #[test]
    fn concurrent_runs_build_once() {
        let cache = tempfile::tempdir().unwrap();
        let builds = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut tell = |step: BuildStep<'_>| {
                        let is_build = matches!(step, BuildStep::Compiles(_));
                        builds.fetch_add(is_build.into(), Ordering::Relaxed);
                    };
                    let mut watch = BuildWatch { tell: &mut tell, stop: None };
                    build(&HELLO, &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"), cache.path(), &mut watch)
                        .unwrap();
                });
            }
        });
        assert_eq!(builds.into_inner(), 1);
    }

    #[test]
    fn who_waits_for_the_build_of_another_says_so_and_can_be_stopped() {
        let (cache, built, name) = built_hello();
        fs::remove_file(&built.words[0]).unwrap();
        let drivers = cache.path().join("drivers");
        let lock = fs::File::open(drivers.join(format!("{name}.lock"))).unwrap();
        rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
        let stop = AtomicBool::new(false);
        let mut steps = Vec::new();
        let mut tell = |step: BuildStep<'_>| {
            steps.push(format!("{step:?}"));
            stop.store(true, Ordering::Relaxed);
        };
        let mut watch = BuildWatch { tell: &mut tell, stop: Some(&stop) };
        let toolchain = rustc_toolchain("FATHOM_TEST_RUSTC_UNSET");
        let error = build(&HELLO, &toolchain, cache.path(), &mut watch).unwrap_err();
        assert!(matches!(error, BuildError::Interrupted), "{error}");
        assert_eq!(steps, ["Waits(\"hello\")"]);
    }

    #[test]
    fn a_compiler_is_killed_when_the_build_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let compiler = folder.path().join("compiler");
        let script = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 1\nexec sleep 1000\n";
        fs::write(&compiler, script).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        let toolchain = Toolchain {
            program: compiler.display().to_string(),
            variable: "FATHOM_TEST_UNSET".into(),
            version: vec!["--version".into()],
        };
        let stop = AtomicBool::new(false);
        let mut tell = |_: BuildStep<'_>| stop.store(true, Ordering::Relaxed);
        let mut watch = BuildWatch { tell: &mut tell, stop: Some(&stop) };
        let error = build(&HELLO, &toolchain, &folder.path().join("cache"), &mut watch).unwrap_err();
        assert!(matches!(error, BuildError::Interrupted), "{error}");
    }

    #[test]
    fn a_compiler_error_is_told_and_leaves_nothing() {
        let cache = tempfile::tempdir().unwrap();
        let broken = DriverSource { files: &[("main.rs", "fn main() { nonsense }")], ..HELLO };
        let error = build(
            &broken,
            &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"),
            cache.path(),
            &mut BuildWatch { tell: &mut |_| {}, stop: None },
        )
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
        let error =
            build(&HELLO, &toolchain, cache.path(), &mut BuildWatch { tell: &mut |_| {}, stop: None })
                .unwrap_err()
                .to_string();
        assert_eq!(error, "no `no-such-compiler` found (set FATHOM_TEST_UNSET to name one)");
    }
}
