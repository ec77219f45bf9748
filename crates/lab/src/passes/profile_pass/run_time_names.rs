//! Names of code that a runtime makes as it goes: how each runtime is asked for
//! them, and the map that it writes, removed afterwards.

use crate::drivers::driver_set::Driver;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, unlinkat};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Where every runtime puts its map; the name is `perf-PID.map`.
const FOLDER: &str = "/tmp";
/// A JVM that has not written its map by then will not.
const JCMD_LIMIT: Duration = Duration::from_secs(20);

/// How the names of a driver's own frames come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Symbols of the program.
    Program,
    /// `jcmd PID Compiler.perfmap`, JDK 17 and later.
    Java,
    /// V8 writes as it compiles.
    Node,
    /// `CPython` 3.12 and later, as functions are first called.
    Python,
}

/// The names of one process. Dropping it removes the map.
#[derive(Debug)]
pub(super) struct RunTimeNames {
    source: Source,
    runtime: String,
    jcmd: PathBuf,
    process: Option<Process>,
    failure: Option<String>,
}

#[derive(Debug, Clone, Copy)]
struct Process {
    pid: u32,
    /// The second in which it began.
    began: u64,
    /// As whom it runs.
    user: Option<u32>,
}

impl RunTimeNames {
    /// Those of a driver that is to be started now.
    pub(super) fn of(driver: &Driver) -> Self {
        let source = match driver.facts.driver.split('@').next() {
            Some("java") => Source::Java,
            Some("node") => Source::Node,
            Some("python") => Source::Python,
            _ => Source::Program,
        };
        let (program, _) = driver.words();
        let jcmd = program.with_file_name("jcmd");
        Self { source, runtime: driver.facts.runtime.clone(), jcmd, process: None, failure: None }
    }

    /// What the runtime has to be told as it starts.
    pub(super) fn runtime_words(&self) -> &'static [&'static str] {
        match self.source {
            Source::Program => &[],
            Source::Java => &["-XX:+PreserveFramePointer"],
            Source::Node => &[
                "--perf-basic-prof",
                "--interpreted-frames-native-stack",
                // V8 also keeps a log, here in an unnamed file instead of the working directory.
                "--no-logfile-per-isolate",
                "--logfile=+",
            ],
            // Older ones have no such option and say nothing.
            Source::Python => &["-X", "perf"],
        }
    }

    /// The process was started at `began`; what has been written since is ours.
    pub(super) fn process_started(&mut self, pid: u32, began: SystemTime) {
        let began = began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let user = std::fs::metadata(format!("/proc/{pid}")).ok().map(|found| found.uid());
        self.process = Some(Process { pid, began, user });
    }

    /// Makes the runtime write what it has not written by itself; the text of the
    /// map, when there is one.
    pub(super) fn collect(&mut self) -> Option<String> {
        let process = self.process?;
        if self.source == Source::Java {
            self.failure = dump(&self.jcmd, process.pid).err();
        }
        let (_, mut map) = process.map()?;
        let mut bytes = Vec::new();
        map.read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What a reader of the stacks has to know of the runtime.
    pub(super) fn note(&self, has_map: bool) -> Option<String> {
        let Self { runtime, .. } = self;
        let why = self.failure.as_ref().map_or_else(String::new, |failure| format!(" ({failure})"));
        match (self.source, has_map) {
            (Source::Program, _) | (Source::Node | Source::Python, true) => None,
            (Source::Java, true) => {
                Some("run with -XX:+PreserveFramePointer, unlike the time pass".to_owned())
            }
            (Source::Java, false) => Some(format!("frames of Java code have no names{why}")),
            (Source::Node, false) => Some(format!("{runtime} wrote no names of its JavaScript frames")),
            (Source::Python, false) => {
                Some(format!("frames of C only: {runtime} does not name Python's own (3.12 and later do)"))
            }
        }
    }
}

impl Drop for RunTimeNames {
    fn drop(&mut self) {
        let Some(process) = self.process else { return };
        if let Some((folder, _)) = process.map() {
            let _gone_already = unlinkat(&folder, process.name(), AtFlags::empty());
        }
    }
}

impl Process {
    fn name(self) -> String {
        format!("perf-{}.map", self.pid)
    }

    /// The folder and the map, when there is one that this process has written:
    /// a file, no link, of the process's own user or ours, and not older than it.
    fn map(self) -> Option<(OwnedFd, File)> {
        let folder = openat(CWD, FOLDER, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let map = openat(&folder, self.name(), flags, Mode::empty()).ok()?;
        let found = fstat(&map).ok()?;
        let owner = rustix::process::geteuid().as_raw();
        let is_ours = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
            && (found.st_uid == owner || self.user == Some(found.st_uid))
            && u64::try_from(found.st_mtime).is_ok_and(|changed| changed >= self.began);
        is_ours.then(|| (folder, File::from(map)))
    }
}

/// `jcmd PID Compiler.perfmap`, or why it did nothing.
fn dump(jcmd: &Path, pid: u32) -> Result<(), String> {
    let spawned = Command::new(jcmd)
        .args([&pid.to_string(), "Compiler.perfmap"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = spawned.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "jcmd is missing: a JRE is no JDK".to_owned(),
        _ => format!("{}: {error}", jcmd.display()),
    })?;
    let begun = Instant::now();
    while begun.elapsed() < JCMD_LIMIT {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_refused)) => {
                return Err("jcmd Compiler.perfmap failed: JDK 17 or later has it".to_owned());
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(format!("jcmd: {error}")),
        }
    }
    let _ended_meanwhile = child.kill();
    let _reaped = child.wait();
    Err(format!("jcmd Compiler.perfmap took more than {} s", JCMD_LIMIT.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A number above every process id there can be.
    fn process(number: u32, began: u64) -> Process {
        Process { pid: 0x0F00_0000 + std::process::id() * 4 + number, began, user: None }
    }

    fn names(process: Process) -> RunTimeNames {
        let (source, process) = (Source::Node, Some(process));
        RunTimeNames { source, runtime: String::new(), jcmd: PathBuf::new(), process, failure: None }
    }

    #[test]
    fn our_own_map_is_found_and_removed() {
        let process = process(0, 0);
        let path = Path::new(FOLDER).join(process.name());
        fs::write(&path, "1000 10 f\n").unwrap();
        assert_eq!(names(process).collect().as_deref(), Some("1000 10 f\n"));
        assert!(!path.exists());
    }

    #[test]
    fn an_older_map_is_not_ours() {
        let process = process(1, u64::MAX);
        let path = Path::new(FOLDER).join(process.name());
        fs::write(&path, "1000 10 f\n").unwrap();
        assert_eq!(names(process).collect(), None);
        assert!(path.exists());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_link_is_not_ours() {
        let process = process(2, 0);
        let path = Path::new(FOLDER).join(process.name());
        std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
        assert_eq!(names(process).collect(), None);
        assert!(fs::symlink_metadata(&path).is_ok());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_missing_jcmd_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let said = dump(&folder.path().join("jcmd"), 1).unwrap_err();
        assert!(said.contains("jcmd is missing"), "{said}");
    }
}
