//! Builds a shipped driver on first use into the user's cache directory, and
//! finds it there afterwards. Concurrent runs share a build through a lock; a
//! build appears under its final name only when it works.

use crate::driver_source::{BuildSystem, DriverSource, hexadecimal};
use fathom_catalog::Toolchain;
use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// A driver's program and where it came from.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    /// The program.
    pub(crate) program: PathBuf,
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

/// The version text of a toolchain, or why there is none. One line, for records.
pub(crate) fn toolchain_version(toolchain: &Toolchain) -> Result<String, BuildError> {
    let missing = || BuildError::NoToolchain {
        program: toolchain.program.clone(),
        variable: toolchain.variable.clone(),
    };
    let output = Command::new(program_of(toolchain))
        .args(&toolchain.version)
        .env("GOTOOLCHAIN", "local")
        .current_dir("/")
        .stdin(Stdio::null())
        .output()
        .map_err(|_| missing())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if !output.status.success() || lines.is_empty() {
        return Err(missing());
    }
    Ok(lines.join("; "))
}

/// Builds `source` into `cache`, or finds the build of the same sources by the
/// same toolchain. `building` is called before a compiler starts.
pub(crate) fn build(
    source: &DriverSource,
    toolchain: &Toolchain,
    cache: &Path,
    building: &mut dyn FnMut(&str),
) -> Result<Built, BuildError> {
    let version = toolchain_version(toolchain)?;
    let folder = cache.join("drivers");
    create_directory(&folder)?;
    let name = format!("{}-{}", source.name, &key(source, toolchain, &version)[..16]);
    let program = folder.join(&name).join("driver");
    let _lock = lock(&folder.join(format!("{name}.lock")))?;
    if !program.is_file() {
        building(source.name);
        build_into(source, toolchain, &version, &folder, &name)?;
    }
    Ok(Built { program, toolchain: version })
}

/// What a build depends on: sources, toolchain and the way to call it.
fn key(source: &DriverSource, toolchain: &Toolchain, version: &str) -> String {
    let mut hash = Sha256::new();
    for part in [&source.sha256(), &toolchain.program, version, env!("CARGO_PKG_VERSION")] {
        hash.update(part);
        hash.update([0]);
    }
    hash.update(program_of(toolchain).as_encoded_bytes());
    hexadecimal(&hash.finalize())
}

fn program_of(toolchain: &Toolchain) -> OsString {
    std::env::var_os(&toolchain.variable)
        .filter(|value| !value.is_empty())
        .unwrap_or_else(|| OsString::from(&toolchain.program))
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

fn build_into(
    source: &DriverSource,
    toolchain: &Toolchain,
    version: &str,
    folder: &Path,
    name: &str,
) -> Result<(), BuildError> {
    let cache = |error: io::Error| BuildError::Cache { path: folder.to_owned(), error };
    let work = tempfile::Builder::new().prefix(".building-").tempdir_in(folder).map_err(cache)?;
    for (file, text) in source.files {
        fs::write(work.path().join(file), text).map_err(cache)?;
    }
    compile(source, toolchain, version, work.path())?;
    let home = folder.join(name);
    if home.exists() {
        // A directory without its program: an earlier build that was tampered with.
        fs::remove_dir_all(&home).map_err(cache)?;
    }
    fs::rename(work.path(), &home).map_err(cache)?;
    // The directory now has another name: there is nothing left to remove.
    let _renamed = work.keep();
    Ok(())
}

fn compile(
    source: &DriverSource,
    toolchain: &Toolchain,
    version: &str,
    work: &Path,
) -> Result<(), BuildError> {
    let program = program_of(toolchain);
    match source.build_system {
        BuildSystem::Rustc => run(source.name, rustc(&program, version, work)),
        BuildSystem::Go => run(source.name, go(&program, work, &[])).or_else(|_| {
            // Offline, the one module cannot be fetched: build without it, and the
            // driver says which methods are missing and why.
            let cache = |error| BuildError::Cache { path: work.to_owned(), error };
            fs::write(work.join("go.mod"), "module fathom/driver\n\ngo 1.22\n").map_err(cache)?;
            run(source.name, go(&program, work, &["-tags", "nounix"]))
        }),
    }
}

fn rustc(program: &OsString, version: &str, work: &Path) -> Command {
    let first = version.split(" (").next().unwrap_or(version);
    let mut command = Command::new(program);
    command
        .args(["--edition", "2024", "--crate-name", "fathom_driver_native"])
        .args(["-C", "opt-level=3", "-C", "codegen-units=1", "-o", "driver", "main.rs"])
        .env("FATHOM_RUSTC_VERSION", first)
        .current_dir(work);
    command
}

fn go(program: &OsString, work: &Path, tags: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(["build", "-trimpath", "-o", "driver"])
        .args(tags)
        .arg(".")
        .env("GOTOOLCHAIN", "local")
        .env("GOWORK", "off")
        .env("GO111MODULE", "on")
        .current_dir(work);
    command
}

fn run(driver: &str, mut command: Command) -> Result<(), BuildError> {
    let words = |command: &Command| {
        std::iter::once(command.get_program())
            .chain(command.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let failed = |command: &Command, output: String| BuildError::Compiler {
        driver: driver.to_owned(),
        command: words(command),
        output,
    };
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| failed(&command, error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<_> = text.lines().collect();
    Err(failed(&command, lines[lines.len().saturating_sub(5)..].join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            build(source, &toolchain, cache.path(), &mut |_| builds += 1).unwrap().program
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
            .filter(|name| !Path::new(name).extension().is_some_and(|ending| ending == "lock"))
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
        let error = toolchain_version(&toolchain).unwrap_err().to_string();
        assert_eq!(error, "no `no-such-compiler` found (set FATHOM_TEST_UNSET to name one)");
    }
}
