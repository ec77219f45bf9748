//! The drivers of a run: built or found, described, or unavailable with a reason.

mod survey;

use crate::drivers::driver_build::{BuildError, BuildWatch, Built, Seal, build, cache_directory};
use crate::drivers::driver_source::{DriverSource, SHIPPED};
use crate::drivers::launcher::Launcher;
use crate::drivers::toolchains::{self, split_toolchain};
use fathom_catalog::{DriverManifest, MethodRegistry, Toolchain};
use fathom_model::{Description, DriverFacts, MethodDescription, MethodId, PROTOCOL_VERSION, Reading};
use fathom_sys::child_wait::output_within;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use survey::{DriverState, shipped_survey};

/// A driver describes itself at once; a runtime on a busy machine starts in seconds.
const DESCRIBE_LIMIT: Duration = Duration::from_mins(1);
/// More than any driver has to say of itself.
const DESCRIPTION_MAX_BYTES: usize = 4 << 20;

/// A driver that can be started.
#[derive(Debug, Clone)]
pub struct Driver {
    /// What a record says of it.
    pub facts: DriverFacts,
    /// What it says of itself.
    pub description: Description,
    program: PathBuf,
    /// Words before `run` and `describe`.
    prefix: Vec<OsString>,
    /// Of one that Fathom built: the files that run.
    seal: Option<Seal>,
    /// True where its methods, but for `null`, are functions of the user's.
    is_own: bool,
    /// What starts it as several ranks, where it runs so.
    launcher: Option<Launcher>,
}

/// Why a driver cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// It could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It could not be started.
    #[error("failed to start {program}: {error}")]
    Start {
        /// The program.
        program: PathBuf,
        /// The error.
        error: std::io::Error,
    },
    /// Its answer to `describe` makes no sense.
    #[error("`{program} describe` {problem}")]
    Describe {
        /// The program.
        program: PathBuf,
        /// What was wrong.
        problem: String,
    },
}

impl Driver {
    /// A program that a user brings; `stop` ends the wait for what it says of itself.
    pub fn from_program(program: &Path, stop: &AtomicBool) -> Result<Self, DriverError> {
        // A bare name in the current directory is meant as a file, not as a command.
        let program = if program.components().count() == 1 && program.exists() {
            Path::new(".").join(program)
        } else {
            program.to_owned()
        };
        let toolchain = "brought by the user".to_owned();
        let digest = Reading::unavailable("not built by Fathom");
        Self::describe(program, Vec::new(), toolchain, digest, Some(stop))
    }

    /// The native driver that is part of this very program; `instead` says why the built one is not taken.
    fn built_in(
        source: &DriverSource,
        instead: Option<&DriverError>,
        stop: Option<&AtomicBool>,
    ) -> Result<Self, DriverError> {
        let program = PathBuf::from("/proc/self/exe");
        let program = std::fs::read_link(&program)
            .map_err(|error| DriverError::Start { program: program.clone(), error })?;
        let prefix = vec![OsString::from(BUILT_IN_WORD)];
        let toolchain = match instead {
            None => "built into fathom".to_owned(),
            Some(error) => format!("built into fathom, instead of one by rustc: {error}"),
        };
        Self::describe(program, prefix, toolchain, Reading::Value(source.sha256()), stop)
    }

    /// A shipped driver, built on first use.
    pub fn shipped(
        source: &DriverSource,
        manifest: &DriverManifest,
        watch: &mut BuildWatch<'_>,
    ) -> Result<Self, DriverError> {
        let built = cache_directory()
            .and_then(|cache| build(source, &manifest.toolchain, &cache, watch))
            .map_err(DriverError::from)
            .and_then(|built| Self::of_build(source, built, watch.stop));
        Self::or_built_in(source, built, watch.stop)
    }

    /// This driver, or the one inside this program where that may stand in for it.
    fn or_built_in(
        source: &DriverSource,
        built: Result<Self, DriverError>,
        stop: Option<&AtomicBool>,
    ) -> Result<Self, DriverError> {
        match built {
            // A cache that somebody may have tampered with is not passed over in silence.
            Err(DriverError::Build(error)) if error.is_distrust() => Err(error.into()),
            Err(error @ DriverError::Build(BuildError::Interrupted)) => Err(error),
            // The copy inside this program, built from the same sources, serves.
            Err(error) if source.name == "native" && BUILT_IN_SERVES.load(Ordering::Relaxed) => {
                let no_rustc = matches!(error, DriverError::Build(BuildError::NoToolchain { .. }));
                Self::built_in(source, Some(&error).filter(|_| !no_rustc), stop)
            }
            other => other,
        }
    }

    fn of_build(source: &DriverSource, built: Built, stop: Option<&AtomicBool>) -> Result<Self, DriverError> {
        let mut words = built.words.into_iter();
        let program = PathBuf::from(words.next().unwrap_or_default());
        let digest = Reading::Value(source.sha256());
        let mut driver = Self::describe(program, words.collect(), built.toolchain, digest, stop)?;
        if !source.is_own() {
            add_words(&mut driver.description, source);
        }
        driver.facts.product_sha256 = Reading::Value(built.seal.sha256().to_owned());
        driver.seal = Some(built.seal);
        driver.is_own = source.is_own();
        Ok(driver)
    }

    /// A driver of functions of the user's, built where it is not there yet.
    pub(crate) fn own(
        source: &DriverSource,
        toolchain: &Toolchain,
        watch: &mut BuildWatch<'_>,
    ) -> Result<Self, DriverError> {
        let built = build(source, toolchain, &cache_directory()?, watch)?;
        Self::of_build(source, built, watch.stop)
    }

    /// True of a method whose answer is compared with the right one, not required to be it: a function
    /// of the user's, or a program with a known flaw.
    pub(crate) fn may_answer_otherwise(&self, name: &str) -> bool {
        self.is_own_function(name) || self.method(name).is_some_and(|method| method.flaw.is_some())
    }

    /// The manifest of a driver that ships and was built by Fathom.
    pub(crate) fn manifest(&self) -> Option<DriverManifest> {
        self.seal.as_ref()?;
        let ships = |source: &&DriverSource| !self.is_own && source.name == self.facts.driver;
        let source = SHIPPED.iter().find(ships)?;
        DriverManifest::parse(source.manifest_path, source.manifest).ok()
    }

    /// True of a function of the user's.
    pub(crate) fn is_own_function(&self, name: &str) -> bool {
        self.is_own && name != "null"
    }

    /// The same driver, run as several ranks.
    pub(crate) fn with_launcher(mut self, launcher: Launcher) -> Self {
        self.launcher = Some(launcher);
        self
    }

    /// What starts it as several ranks, where it runs so.
    pub(crate) fn launcher(&self) -> Option<&Launcher> {
        self.launcher.as_ref()
    }

    /// The same driver under another name: that of a build of it, or of its toolchain.
    #[must_use]
    pub fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.facts.driver);
        name.clone_into(&mut self.description.driver);
        self
    }

    /// A shipped driver built and run by the toolchain that `wanted` stands for: a version in
    /// a usual place, or the path of a home or a program.
    pub fn of_toolchain(driver: &str, wanted: &str, watch: &mut BuildWatch<'_>) -> Result<Self, String> {
        let manifests = shipped_manifests().map_err(|error| error.to_string())?;
        shipped_with(driver, Some(wanted), &manifests, watch)
    }

    /// Checks that what runs is still what was built.
    pub(crate) fn check_unchanged(&self) -> Result<(), BuildError> {
        let Some(seal) = &self.seal else { return Ok(()) };
        seal.check().map_err(|difference| BuildError::changed(seal.product(), difference))
    }

    /// A command that starts it, with its environment; arguments are the caller's. The error means
    /// that the driver is not what was built.
    pub(crate) fn command(&self) -> Result<Command, BuildError> {
        self.command_with(&[])
    }

    /// The same with words for its runtime before all others.
    pub fn command_with(&self, runtime_words: &[String]) -> Result<Command, BuildError> {
        self.check_unchanged()?;
        let mut command = match &self.launcher {
            None => Command::new(&self.program),
            Some(launcher) => {
                let mut command = launcher.command();
                command.arg(&self.program);
                command
            }
        };
        command.args(runtime_words).args(&self.prefix).envs(&self.facts.environment);
        Ok(command)
    }

    /// The program and the words before `run` and `describe`.
    pub(crate) fn words(&self) -> (&Path, &[OsString]) {
        (&self.program, &self.prefix)
    }

    /// What the driver says of one of its methods.
    pub(crate) fn method(&self, name: &str) -> Option<&MethodDescription> {
        self.description.methods.iter().find(|method| method.name == name)
    }

    fn describe(
        program: PathBuf,
        prefix: Vec<OsString>,
        toolchain: String,
        source_sha256: Reading<String>,
        stop: Option<&AtomicBool>,
    ) -> Result<Self, DriverError> {
        let mut command = Command::new(&program);
        command.args(&prefix).arg("describe");
        let output =
            output_within(&mut command, DESCRIBE_LIMIT, DESCRIPTION_MAX_BYTES, stop).map_err(|error| {
                DriverError::Start { program: program.clone(), error: explained(error, &program) }
            })?;
        let bad = |problem: String| DriverError::Describe { program: program.clone(), problem };
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(bad(format!("failed ({}) {said}", output.status)));
        }
        let description: Description = serde_json::from_slice(&output.stdout)
            .map_err(|error| bad(format!("did not print a description: {error}")))?;
        if description.protocol != PROTOCOL_VERSION {
            let theirs = description.protocol;
            return Err(bad(format!("speaks protocol {theirs}, this Fathom speaks {PROTOCOL_VERSION}")));
        }
        let facts = DriverFacts {
            driver: description.driver.clone(),
            language: description.language.clone(),
            runtime: description.runtime.clone(),
            toolchain,
            source_sha256,
            product_sha256: Reading::unavailable("not built by Fathom, or part of it"),
            program: command_line(&program, &prefix),
            environment: environment_of(&description.driver),
        };
        Ok(Self { facts, description, program, prefix, seal: None, is_own: false, launcher: None })
    }
}

/// Where a driver does not say itself what its methods do, its manifest does.
fn add_words(description: &mut Description, source: &DriverSource) {
    let Ok(manifest) = DriverManifest::parse(source.manifest_path, source.manifest) else { return };
    for method in description.methods.iter_mut().filter(|method| method.does.is_empty()) {
        if let Some(known) = manifest.method(&method.name) {
            method.does.clone_from(&known.does);
        }
    }
}

/// What the kernel means by refusing to start a program, where that can be seen.
fn explained(error: std::io::Error, program: &Path) -> std::io::Error {
    let is_on_noexec = || {
        let found = rustix::fs::statvfs(program);
        found.is_ok_and(|found| found.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC))
    };
    if error.kind() == std::io::ErrorKind::PermissionDenied && is_on_noexec() {
        let reason = "it lies on a file system that is mounted noexec (FATHOM_CACHE_DIR names another place)";
        return std::io::Error::new(error.kind(), reason);
    }
    error
}

fn command_line(program: &Path, prefix: &[OsString]) -> String {
    let words = std::iter::once(program.as_os_str()).chain(prefix.iter().map(OsString::as_os_str));
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// The hidden subcommand under which `fathom` is the native driver.
pub const BUILT_IN_WORD: &str = "native-driver";

/// Whether this program has the hidden subcommand; tests have not.
static BUILT_IN_SERVES: AtomicBool = AtomicBool::new(false);

/// Says that this program, whatever its file is called, is the native driver under
/// [`BUILT_IN_WORD`]: where none can be built or started, it is taken.
pub fn serve_built_in_driver() {
    BUILT_IN_SERVES.store(true, Ordering::Relaxed);
}

fn environment_of(driver: &str) -> BTreeMap<String, String> {
    match driver {
        // On one CPU more than one P only adds scheduling noise (METHOD.md, finding 5).
        "go" => BTreeMap::from([("GOMAXPROCS".to_owned(), "1".to_owned())]),
        _ => BTreeMap::new(),
    }
}

/// The manifests of the shipped drivers.
pub fn shipped_manifests() -> Result<Vec<DriverManifest>, fathom_catalog::CatalogError> {
    SHIPPED.iter().map(|source| DriverManifest::parse(source.manifest_path, source.manifest)).collect()
}

/// The methods of the shipped drivers.
pub fn shipped_registry() -> Result<MethodRegistry, fathom_catalog::CatalogError> {
    MethodRegistry::new(shipped_manifests()?)
}

/// A shipped driver, by its name, perhaps with the toolchain it asks for.
fn prepare_one(
    name: &str,
    manifests: &[DriverManifest],
    watch: &mut BuildWatch<'_>,
) -> Result<Driver, String> {
    match split_toolchain(name) {
        None => shipped_with(name, None, manifests, watch),
        Some((base, wanted)) => {
            shipped_with(base, Some(wanted), manifests, watch).map(|driver| driver.renamed(name))
        }
    }
}

fn shipped_with(
    base: &str,
    wanted: Option<&str>,
    manifests: &[DriverManifest],
    watch: &mut BuildWatch<'_>,
) -> Result<Driver, String> {
    let (source, manifest) = SHIPPED
        .iter()
        .zip(manifests)
        .find(|(source, _)| source.name == base)
        .ok_or_else(|| format!("no driver `{base}` ships with Fathom"))?;
    let toolchain = match wanted {
        None => manifest.toolchain.clone(),
        Some(wanted) => toolchains::find(&manifest.toolchain, base, wanted)?,
    };
    let manifest = DriverManifest { toolchain, ..manifest.clone() };
    Driver::shipped(source, &manifest, watch).map_err(|error| error.to_string())
}

/// A manifest made of what a user's driver says of itself, so that plans can
/// name its methods.
pub fn manifest_of(description: &Description) -> DriverManifest {
    DriverManifest {
        name: description.driver.clone(),
        language: description.language.clone(),
        toolchain: Toolchain { program: String::new(), variable: String::new(), version: Vec::new() },
        methods: description.methods.clone(),
    }
}

/// The drivers asked for, each available or not.
#[derive(Debug, Default)]
pub struct DriverSet {
    drivers: BTreeMap<String, Result<Driver, String>>,
}

impl DriverSet {
    /// Builds or finds the shipped drivers with these names.
    pub fn prepare<'a>(
        names: impl IntoIterator<Item = &'a str>,
        watch: &mut BuildWatch<'_>,
    ) -> Result<Self, fathom_catalog::CatalogError> {
        let manifests = shipped_manifests()?;
        let mut drivers = BTreeMap::new();
        for name in names {
            drivers.insert(name.to_owned(), prepare_one(name, &manifests, watch));
        }
        Ok(Self { drivers })
    }

    /// One driver, or why it cannot be had.
    pub(crate) fn of_one(name: &str, driver: Result<Driver, String>) -> Self {
        Self { drivers: BTreeMap::from([(name.to_owned(), driver)]) }
    }

    /// What starts the drivers as several ranks, where they run so.
    pub(crate) fn launcher(&self) -> Option<&Launcher> {
        self.available().find_map(Driver::launcher)
    }

    /// Adds a driver under its own name, or replaces one.
    pub fn insert(&mut self, driver: Driver) {
        self.drivers.insert(driver.facts.driver.clone(), Ok(driver));
    }

    /// The driver of this name, or why there is none.
    pub fn driver(&self, name: &str) -> Result<&Driver, &str> {
        match self.drivers.get(name) {
            Some(Ok(driver)) => Ok(driver),
            Some(Err(reason)) => Err(reason),
            None => Err("not asked for"),
        }
    }

    /// The driver of a method, if it has that method here; else why not.
    pub fn driver_of(&self, method: &MethodId) -> Result<&Driver, String> {
        let driver = self.driver(&method.driver).map_err(str::to_owned)?;
        let described = driver.description.methods.iter().find(|known| known.name == method.name);
        match described {
            None => Err(format!("the {} driver has no method `{}`", method.driver, method.name)),
            Some(known) => known.unavailable.clone().map_or(Ok(driver), Err),
        }
    }

    /// Those that can be started.
    pub fn available(&self) -> impl Iterator<Item = &Driver> {
        self.drivers.values().filter_map(|driver| driver.as_ref().ok())
    }

    /// Those that cannot, with their reasons.
    pub fn unavailable(&self) -> impl Iterator<Item = (&str, &str)> {
        self.drivers
            .iter()
            .filter_map(|(name, driver)| driver.as_ref().err().map(|reason| (name.as_str(), reason.as_str())))
    }
}
