//! A place of its own for each test: a folder that goes away, the program with
//! an environment that leads into it, and a look at what it left behind.

use assert_cmd::Command;
use fathom_model::Record;
use predicates::Predicate;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The variable by which the processes of a sandbox are found.
const TAG: &str = "FATHOM_TEST_SANDBOX";
/// Nothing that a test runs takes this long, on a slow machine beside ten others either.
const TIME_LIMIT: Duration = Duration::from_mins(20);
/// So long a killed process may take to go; one that nobody killed stays longer.
const DYING: Duration = Duration::from_secs(20);

/// A folder, removed when dropped.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        // Beside the build, which is on a disk; /tmp may be memory.
        let folder = tempfile::Builder::new().prefix("cli-").tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        Self { folder: folder.expect("cargo made the directory") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.file(name), text).unwrap();
        self.file(name)
    }

    /// `fathom` with these words, to be run in the folder.
    pub(crate) fn fathom(&self, words: &str) -> Command {
        let mut command = self.command(program());
        command.args(words.split_whitespace());
        command
    }

    /// Unit costs for this sandbox, whatever they are: taken once for all tests, since that takes seconds.
    pub(crate) fn keep_prices(&self) {
        static TAKEN: OnceLock<Vec<(PathBuf, Vec<u8>)>> = OnceLock::new();
        let taken = TAKEN.get_or_init(|| {
            let first = Self::new();
            first.fathom("prices --seconds 1 --dir .").assert().code(0);
            files_below(&first.file("data"), Path::new(""))
        });
        for (path, content) in taken {
            let file = self.file("data").join(path);
            fs::create_dir_all(file.parent().expect("it lies below data")).unwrap();
            fs::write(file, content).unwrap();
        }
    }

    /// A shell's script, which finds `fathom` by its name.
    pub(crate) fn shell(&self, script: &str) -> Output {
        let folder = Path::new(program()).parent().expect("a program lies in a folder").to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path)));
        let mut shell = self.command("/bin/sh");
        shell.args(["-c", script]).env("PATH", path.unwrap()).output().unwrap()
    }

    /// Any program in the same environment.
    pub(crate) fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::from_std(self.plain_command(program));
        command.timeout(TIME_LIMIT);
        command
    }

    /// A program that nobody runs, the user of that name: it can enter what anybody may.
    pub(crate) fn command_of_nobody(&self, program: impl Into<OsString>) -> Command {
        use std::os::unix::fs::PermissionsExt;
        let null = fs::metadata("/dev/null").expect("there is a /dev/null").permissions().mode();
        // Every program that such a user starts would fail, each with another reason.
        assert_eq!(
            null & 0o666,
            0o666,
            "/dev/null is closed to users: `chmod 666 /dev/null`, and see who closed it"
        );
        let mut command = self.command("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program.into());
        command
    }

    /// As `command`, for a test that needs the process while it runs.
    pub(crate) fn plain_command(&self, program: impl Into<OsString>) -> std::process::Command {
        let mut command = std::process::Command::new(program.into());
        command
            .current_dir(self.path())
            .env("FATHOM_CACHE_DIR", shared_cache())
            .env("XDG_DATA_HOME", self.file("data"))
            .env(TAG, self.path())
            // Cargo's own, where the loader of every program would search.
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    pub(crate) fn record(&self, name: &str) -> Record {
        let text = fs::read_to_string(self.file(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Asserts that neither a scratch directory nor a process remains.
    pub(crate) fn assert_nothing_left(&self) {
        assert_eq!(self.scratch_directories(), Vec::<PathBuf>::new());
        // Who was killed is gone when the kernel comes to it, beside load later than the one who killed.
        let begun = Instant::now();
        while !self.processes().is_empty() && begun.elapsed() < DYING {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(self.processes(), Vec::<u32>::new());
    }

    /// The scratch directories in the folder and one level below.
    pub(crate) fn scratch_directories(&self) -> Vec<PathBuf> {
        let entries = |path: &Path| -> Vec<PathBuf> {
            fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
        };
        let all = entries(self.path());
        let below: Vec<_> = all.iter().filter(|path| path.is_dir()).flat_map(|path| entries(path)).collect();
        let is_scratch = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".fathom-"))
        };
        all.into_iter().chain(below).filter(|path| path.is_dir() && is_scratch(path)).collect()
    }

    /// The living processes that inherited this sandbox's environment.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let tag = format!("{TAG}={}", self.path().display());
        let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            environment_of(pid).contains(&tag).then_some(pid)
        });
        pids.collect()
    }
}

/// The files below a directory by their paths in it, and what is in them.
fn files_below(folder: &Path, at: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder.join(at)).unwrap().map(|entry| at.join(entry.unwrap().file_name()));
    let each = entries.flat_map(|path| match folder.join(&path) {
        below if below.is_dir() => files_below(folder, &path),
        file => vec![(path, fs::read(file).unwrap())],
    });
    each.collect()
}

/// True of output that holds these words, however its lines are broken.
pub(crate) fn says(words: &str) -> impl Predicate<[u8]> {
    let join = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = join(words);
    predicates::function::function(move |output: &[u8]| {
        join(&String::from_utf8_lossy(output)).contains(&words)
    })
}

/// The program under test.
pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_fathom")
}

/// The top of the source tree.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Drivers are built once for all tests; their names tell sources and toolchains apart.
pub(crate) fn shared_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver-cache")
}

/// The variables a process was started with; empty when it is gone.
pub(crate) fn environment_of(pid: u32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    bytes.split(|byte| *byte == 0).map(|variable| String::from_utf8_lossy(variable).into_owned()).collect()
}
