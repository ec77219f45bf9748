//! How each language's sources become a program: finding the toolchain, the
//! commands that compile, and the words that start the result.

mod own_c;
mod own_cpp;
mod real_program;

use crate::drivers::driver_source::{BuildSystem, PYTHON_NAMES_ITSELF};
use fathom_catalog::Toolchain;
use fathom_sys::child_wait::output_within;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use own_c::list_c_functions;
pub(crate) use own_cpp::COPY as CPP_COPY;
use own_cpp::{OBJECT as CPP_OBJECT, list_cpp_functions};
pub(crate) use real_program::program_of_name;
use real_program::real_program;

const LIBRARY: &str = "library.so";
const ZIG_CACHE: &str = ".zig-cache";
/// Where a user's Java class is compiled.
pub(crate) const JAVA_FOLDER: &str = "own_source";
/// The file in a driver's build in which functions stand that are no methods, each with the reason.
pub(crate) const SKIPPED: &str = "own.skipped";
const OWN_OBJECT: &str = "own.o";

/// What wrappers said of the interpreter behind them, by the words that asked. One of pyenv's takes 0.1 s
/// of CPU time, and is asked for Python's driver and for Zig's compiler, which comes as a Python package.
static ANSWERS: Mutex<BTreeMap<Vec<OsString>, Answer>> = Mutex::new(BTreeMap::new());
type Answer = Arc<Mutex<Option<PathBuf>>>;

/// Less than others wait for the lock of the build.
const COMPILE_LIMIT: Duration = Duration::from_mins(10);
/// A tool says who it is at once; one on a busy machine, behind a wrapper, in seconds.
const VERSION_LIMIT: Duration = Duration::from_mins(1);
/// More than any tool says of itself.
const VERSION_MAX_BYTES: usize = 1 << 20;
/// More than anybody reads of a compiler's errors.
const COMPILER_MAX_BYTES: usize = 16 << 20;

/// A toolchain that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Words that start it: a path, or an interpreter with a module.
    pub words: Vec<OsString>,
    /// Its version, in its own words, on one line.
    pub version: String,
}

/// A command that failed, with what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) command: String,
    pub(crate) output: String,
}

impl Failure {
    /// The end of what it said, on one line.
    pub(crate) fn last_lines(&self) -> String {
        let lines: Vec<_> = self.output.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("; ")
    }
}

/// Finds the toolchain: what its variable names, else its program in PATH, else
/// what stands in for it. `stop` ends the wait for its answer.
pub fn find(system: BuildSystem, toolchain: &Toolchain, stop: Option<&AtomicBool>) -> Option<Found> {
    let ask = |words: Vec<OsString>| {
        let words = match system {
            BuildSystem::Script(script) => interpreter(script.name_itself, words, stop),
            _ => words,
        };
        ask_version(words, toolchain, stop)
    };
    let set = std::env::var_os(&toolchain.variable).filter(|value| !value.is_empty());
    if let Some(named) = set {
        return ask(vec![named]);
    }
    let found = ask(vec![OsString::from(&toolchain.program)]);
    match system {
        // The compiler also comes as a Python package.
        BuildSystem::Zig => found.or_else(|| {
            let mut words = interpreter(&PYTHON_NAMES_ITSELF, vec!["python3".into()], stop);
            words.extend(["-m", "ziglang"].map(OsString::from));
            ask_version(words, toolchain, stop)
        }),
        _ => found,
    }
}

fn ask_version(words: Vec<OsString>, toolchain: &Toolchain, stop: Option<&AtomicBool>) -> Option<Found> {
    let output = output(command(&words).args(&toolchain.version), stop)?;
    // Some print their version to standard error.
    let said = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
    let text = String::from_utf8_lossy(said);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| Found { words, version: lines.join("; ") })
}

/// What a tool that succeeds says of itself.
fn output(command: &mut Command, stop: Option<&AtomicBool>) -> Option<Output> {
    let output = output_within(command, VERSION_LIMIT, VERSION_MAX_BYTES, stop).ok()?;
    output.status.success().then_some(output)
}

/// A command with the environment that every tool gets.
fn command(words: &[OsString]) -> Command {
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        // No toolchain may fetch another one.
        .env("GOTOOLCHAIN", "local")
        .current_dir("/")
        .stdin(Stdio::null());
    command
}

/// Compiles the sources in `work`; what is needed at run time stays there.
/// `stop` ends it.
pub(crate) fn compile(
    system: BuildSystem,
    found: &Found,
    work: &Path,
    stop: Option<&AtomicBool>,
) -> Result<(), Failure> {
    let run = |command| run(command, stop);
    match system {
        BuildSystem::Rustc => run(rustc(found, work)),
        BuildSystem::Go => run(go(found, work, &[])).or_else(|_| {
            // Offline, the one module cannot be fetched: build without it, and the
            // driver says which methods are missing and why.
            let manifest = work.join("go.mod");
            fs::write(&manifest, "module fathom/driver\n\ngo 1.22\n").map_err(|error| Failure {
                command: format!("write {}", manifest.display()),
                output: error.to_string(),
            })?;
            run(go(found, work, &["-tags", "nounix"]))
        }),
        BuildSystem::Cpp => run(cpp(found, work)),
        BuildSystem::Mpi => run(mpi(found, work)),
        BuildSystem::OwnC => run(own_c(work)).and_then(|()| {
            list_c_functions(work)?;
            let mut command = cpp(found, work);
            command.arg(OWN_OBJECT);
            run(command)
        }),
        BuildSystem::OwnCpp => {
            run(own_cpp(found, work))?;
            list_cpp_functions(work)?;
            run(cpp(found, work))
        }
        BuildSystem::OwnRust => {
            // The edition is not in the file: what an older one allows may be meant.
            run(own_rust(found, work, "2024"))
                .or_else(|failure| run(own_rust(found, work, "2021")).map_err(|_| failure))?;
            let mut command = rustc(found, work);
            command.args(["--cap-lints", "allow", "--extern", "own_functions=libown_functions.rlib"]);
            run(command)
        }
        BuildSystem::OwnJava => {
            run(javac(found, work, JAVA_FOLDER, "classes/own"))?;
            run(javac(found, work, "", "classes"))
        }
        BuildSystem::Zig => run(zig(found, work)).inspect(|()| {
            // Nothing of it is needed any more, and it is larger than the program.
            let _stays = fs::remove_dir_all(work.join(ZIG_CACHE));
        }),
        BuildSystem::Java => run(javac(found, work, "", "classes")),
        BuildSystem::Script(script) => {
            if let Some(needs) = too_old(&found.version, script.least) {
                return Err(Failure {
                    command: found.words.join(OsStr::new(" ")).to_string_lossy().into_owned(),
                    output: format!("{}, and the driver needs {needs} or later", found.version),
                });
            }
            if script.compile.is_empty() {
                return Ok(());
            }
            let mut command = command(&found.words);
            command.args(script.compile).current_dir(work);
            run(command)
        }
        BuildSystem::SharedLibrary => {
            run(share(found, work))?;
            // A driver may run as another user, who has to reach it.
            let open = fs::Permissions::from_mode(0o755);
            fs::set_permissions(work, open).map_err(|error| Failure {
                command: format!("chmod {}", work.display()),
                output: error.to_string(),
            })
        }
    }
}

/// The version that is needed, where this one is older; one that cannot be read is tried.
fn too_old(version: &str, (major, minor): (u32, u32)) -> Option<String> {
    let number = version.split_whitespace().map(|word| word.trim_start_matches('v'));
    let mut parts = { number }.find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?.split('.');
    let found = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (found < (major, minor)).then(|| format!("{major}.{minor}"))
}

/// The words that start the driver whose build lies in `home`.
pub(crate) fn launch(system: BuildSystem, found: &Found, home: &Path) -> Vec<OsString> {
    match system {
        BuildSystem::Java | BuildSystem::OwnJava => {
            let classes = home.join("classes").into_os_string();
            vec![java_home(found).join("bin/java").into_os_string(), "-cp".into(), classes, "Driver".into()]
        }
        BuildSystem::Script(script) => {
            let mut words = found.words.clone();
            words.extend(script.flags.iter().map(OsString::from));
            words.push(home.join(script.main).into_os_string());
            words
        }
        BuildSystem::Rustc
        | BuildSystem::OwnRust
        | BuildSystem::Go
        | BuildSystem::Cpp
        | BuildSystem::OwnC
        | BuildSystem::OwnCpp
        | BuildSystem::Mpi
        | BuildSystem::Zig => {
            vec![home.join("driver").into_os_string()]
        }
        BuildSystem::SharedLibrary => vec![home.join(LIBRARY).into_os_string()],
    }
}

/// What a build leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    /// The file that tells a finished build from none.
    pub(crate) marker: &'static str,
    /// The file that runs, or the directory of all that runs; empty where that is the build's own.
    pub(crate) runs: &'static str,
}

/// What a build of this kind leaves.
pub(crate) fn product(system: BuildSystem) -> Product {
    let one = |file| Product { marker: file, runs: file };
    match system {
        BuildSystem::Java | BuildSystem::OwnJava => {
            Product { marker: "classes/Driver.class", runs: "classes" }
        }
        BuildSystem::Script(script) => Product { marker: script.main, runs: "" },
        BuildSystem::Rustc
        | BuildSystem::OwnRust
        | BuildSystem::Go
        | BuildSystem::Cpp
        | BuildSystem::OwnC
        | BuildSystem::OwnCpp
        | BuildSystem::Mpi
        | BuildSystem::Zig => one("driver"),
        BuildSystem::SharedLibrary => one(LIBRARY),
    }
}

fn rustc(found: &Found, work: &Path) -> Command {
    let first = found.version.split(" (").next().unwrap_or(&found.version);
    let mut command = command(&found.words);
    command
        .args(["--edition", "2024", "--crate-name", "fathom_driver_native"])
        .args(["-C", "opt-level=3", "-C", "codegen-units=1", "-o", "driver", "main.rs"])
        .env("FATHOM_RUSTC_VERSION", first)
        .current_dir(work);
    command
}

fn go(found: &Found, work: &Path, tags: &[&str]) -> Command {
    let mut command = command(&found.words);
    command
        .args(["build", "-trimpath", "-o", "driver"])
        .args(tags)
        .arg(".")
        .env("GOWORK", "off")
        .env("GO111MODULE", "on")
        .current_dir(work);
    command
}

fn cpp(found: &Found, work: &Path) -> Command {
    let mut command = command(&found.words);
    command
        .args(["-std=c++20", "-O2", "-pthread", "-o", "driver"])
        .args(files(work, "cpp"))
        .current_dir(work);
    command
}

fn mpi(found: &Found, work: &Path) -> Command {
    let mut command = command(&found.words);
    command.args(["-std=gnu11", "-O2", "-o", "driver"]).args(files(work, "c")).current_dir(work);
    command
}

/// The C compiler, which has no toolchain of a driver's.
pub(crate) fn c_compiler() -> OsString {
    std::env::var_os("CC").filter(|value| !value.is_empty()).unwrap_or_else(|| "cc".into())
}

/// A user's C file, and beside it what the compiler knows of its functions.
fn own_c(work: &Path) -> Command {
    let mut command = command(&[c_compiler()]);
    command
        // A program of its own is no hindrance: the driver has the `main`.
        .args(["-O2", "-Dmain=own_main", "-aux-info", "own.prototypes", "-c", "own.c", "-o", OWN_OBJECT])
        .current_dir(work);
    command
}

/// A user's C++ file, whose symbols say which functions it has.
fn own_cpp(found: &Found, work: &Path) -> Command {
    let mut command = command(&found.words);
    command.args(["-std=c++20", "-Dmain=own_main", "-c", CPP_COPY, "-o", CPP_OBJECT]).current_dir(work);
    command
}

/// A user's Rust file, as a crate: its edition, attributes and names are no concern of the driver's.
fn own_rust(found: &Found, work: &Path, edition: &str) -> Command {
    let mut command = command(&found.words);
    command
        .args(["--edition", edition, "--crate-name", "own_functions", "--crate-type", "rlib"])
        .args(["--cap-lints", "allow", "-C", "opt-level=3", "-C", "codegen-units=1", "own_source.rs"])
        .current_dir(work);
    command
}

fn zig(found: &Found, work: &Path) -> Command {
    let mut command = command(&found.words);
    command
        .args(["build-exe", "-O", "ReleaseFast", "-femit-bin=driver", "main.zig"])
        // The compiler's own caches belong to this build and go with it.
        .args(["--cache-dir", ZIG_CACHE, "--global-cache-dir", ZIG_CACHE])
        .current_dir(work);
    command
}

fn share(found: &Found, work: &Path) -> Command {
    let mut command = command(&found.words);
    command.args(["-shared", "-fPIC", "-O2", "-o", LIBRARY]).args(files(work, "c")).arg("-ldl");
    command.current_dir(work);
    command
}

/// Compiles all classes of a folder of `work`.
fn javac(found: &Found, work: &Path, folder: &str, classes: &str) -> Command {
    let mut command = command(&[java_home(found).join("bin/javac").into_os_string()]);
    let sources = files(&work.join(folder), "java").into_iter().map(|name| Path::new(folder).join(name));
    command.args(["-nowarn", "-d", classes]).args(sources).current_dir(work);
    command
}

/// The home of the JDK whose `java` was found, links resolved.
fn java_home(found: &Found) -> PathBuf {
    // The launcher finds its libraries beside the folder that it lies in.
    let beside = real_program(&found.words).and_then(|program| {
        let home = program.canonicalize().ok()?.parent()?.parent()?.to_owned();
        home.join("bin/java").is_file().then_some(home)
    });
    beside.unwrap_or_else(|| {
        let mut ask = command(&found.words);
        let said = output(ask.args(["-XshowSettings:properties", "-version"]), None);
        let said =
            said.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default();
        let home = said.lines().find_map(|line| line.trim().strip_prefix("java.home = ").map(PathBuf::from));
        home.unwrap_or_else(|| PathBuf::from(&found.words[0]))
    })
}

/// The interpreter itself, behind wrappers that would be started each time; `words` where it does not say.
fn interpreter(name_itself: &[&str], words: Vec<OsString>, stop: Option<&AtomicBool>) -> Vec<OsString> {
    if let Some(path) = real_program(&words) {
        return vec![path.into_os_string()];
    }
    let mut line = words.clone();
    line.extend(name_itself.iter().map(OsString::from));
    let answer = Arc::clone(locked(&ANSWERS).entry(line.clone()).or_default());
    // Who comes meanwhile waits for the answer.
    let mut answer = locked(&answer);
    if answer.is_none() {
        *answer = output(&mut command(&line), stop).and_then(|output| {
            let text = String::from_utf8(output.stdout).ok()?;
            Some(PathBuf::from(text.trim())).filter(|path| path.is_file())
        });
    }
    answer.clone().map_or(words, |path| vec![path.into_os_string()])
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn files(folder: &Path, ending: &str) -> Vec<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<OsString> = entries
        .map(|entry| entry.file_name())
        .filter(|name| Path::new(name).extension() == Some(OsStr::new(ending)))
        .collect();
    names.sort();
    names
}

fn run(mut command: Command, stop: Option<&AtomicBool>) -> Result<(), Failure> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let failed = |output: String| Failure { command: line.join(" "), output };
    let output = output_within(&mut command, COMPILE_LIMIT, COMPILER_MAX_BYTES, stop)
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_on_standard_error_counts() {
        let toolchain = Toolchain {
            program: "/bin/sh".into(),
            variable: "FATHOM_TEST_UNSET".into(),
            version: vec!["-c".into(), "echo version 1 >&2; echo second line >&2".into()],
        };
        let found = find(BuildSystem::Rustc, &toolchain, None).unwrap();
        assert_eq!(found.version, "version 1; second line");
    }

    #[test]
    fn interpreters_that_are_too_old_are_told() {
        let python = |version| too_old(version, (3, 8));
        for old in ["Python 2.7.18", "Python 3.7.17", "Python 3.6.9; of a distribution"] {
            assert_eq!(python(old).as_deref(), Some("3.8"), "{old}");
        }
        for new in ["Python 3.8.0", "Python 3.13.1+", "Python 4.0", "PyPy without a number"] {
            assert_eq!(python(new), None, "{new}");
        }
        assert_eq!(too_old("v18.20.4", (20, 0)).as_deref(), Some("20.0"));
        assert_eq!(too_old("v20.19.1", (20, 0)), None);
    }

    #[test]
    fn a_wrapper_of_an_interpreter_is_asked_for_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let wrapper = folder.path().join("tool");
        fs::write(&wrapper, "#!/bin/sh\nexec sh \"$@\"\n").unwrap();
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
        let words = vec![wrapper.into_os_string()];
        let asked = |script| interpreter(&["-c", script], words.clone(), None);
        assert_eq!(asked("echo /bin/true"), [OsString::from("/bin/true")]);
        assert_eq!(asked("echo /no/such/file"), words);
        assert_eq!(asked("exit 1"), words);
    }

    #[test]
    fn a_wrapper_is_asked_once_and_again_where_it_did_not_say() {
        let folder = tempfile::tempdir().unwrap();
        let (wrapper, log) = (folder.path().join("tool"), folder.path().join("log"));
        fs::write(&wrapper, format!("#!/bin/sh\necho \"$1\" >>{}\necho \"$1\"\n", log.display())).unwrap();
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
        let words = vec![wrapper.into_os_string()];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let ask = || assert_eq!(interpreter(&["/bin/true"], words.clone(), None), ["/bin/true"]);
                std::thread::Builder::new().spawn_scoped(scope, ask).unwrap();
            }
        });
        for _ in 0..2 {
            assert_eq!(interpreter(&["/no/such/file"], words.clone(), None), words);
        }
        assert_eq!(fs::read_to_string(log).unwrap(), "/bin/true\n/no/such/file\n/no/such/file\n");
    }

    #[test]
    fn a_tool_that_does_not_answer_is_left_when_the_wait_is_stopped() {
        let toolchain = Toolchain {
            program: "/bin/sh".into(),
            variable: "FATHOM_TEST_UNSET".into(),
            version: vec!["-c".into(), "echo 1; exec sleep 1000".into()],
        };
        assert_eq!(find(BuildSystem::Rustc, &toolchain, Some(&AtomicBool::new(true))), None);
    }
}
