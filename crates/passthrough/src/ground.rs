//! The process in which one run happens: it has a mount namespace of its own, serves the directories in it,
//! runs the command over them, and goes with them. It lives as long as its standard input is open: whoever
//! started it may be killed, and nothing is left.

use crate::{ClientHabits, ServedDirectory, ServedRequests};
use fathom_sys::mount_namespace;
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions, getrlimit, kill_process, setrlimit, wait};
use serde::{Deserialize, Serialize};
use std::ffi::{CString, OsString};
use std::io::{BufRead, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The word by which a program is asked to be such a process.
pub const GROUND_WORD: &str = "passthrough-ground";

/// What is left of a command is killed in rounds, and the kernel is given so long to end a mount.
const ENDING: Duration = Duration::from_secs(10);
const ROUND: Duration = Duration::from_millis(5);

/// One run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrialOrder {
    /// The directories that are served, none below another.
    pub directories: Vec<PathBuf>,
    /// How.
    pub habits: ClientHabits,
    /// Permissions are checked by the kernel, by the attributes that it remembers.
    pub check_permissions: bool,
    /// How long an answer is held.
    pub delay: Duration,
    /// The command and its words.
    pub command: Vec<OsString>,
    /// The directory in which it starts.
    pub start: PathBuf,
    /// Where its standard output goes; it is made.
    pub output: PathBuf,
    /// Where its standard error goes; it is made.
    pub errors: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrialReply {
    /// The command ran and ended.
    Done(TrialReport),
    /// This machine, or this user, cannot do so, for this reason.
    Unavailable(String),
    /// It went wrong.
    Failed(String),
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialReport {
    /// From the start of the command to the end of its first process, in ns.
    pub wall_ns: u64,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that killed it.
    pub signal: Option<i32>,
    /// What the directories were asked for.
    pub requests: ServedRequests,
    /// Processes that it left behind, which were killed.
    pub left: u64,
}

/// Is such a process: reads the order, writes the reply. Returns the exit code.
pub fn perform() -> u8 {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    let order = read.ok().and_then(|_| serde_json::from_str::<TrialOrder>(&line).ok());
    let reply = match order {
        Some(order) => run(&order).unwrap_or_else(|reply| reply),
        None => TrialReply::Failed("the order could not be read".to_owned()),
    };
    let text = serde_json::to_string(&reply).unwrap_or_default();
    let mut output = std::io::stdout().lock();
    u8::from(writeln!(output, "{text}").and_then(|()| output.flush()).is_err())
}

fn run(order: &TrialOrder) -> Result<TrialReply, TrialReply> {
    let unavailable =
        |what: &str, error: &dyn std::fmt::Display| TrialReply::Unavailable(format!("{what}: {error}"));
    let failed = |what: String, error: &dyn std::fmt::Display| TrialReply::Failed(format!("{what}: {error}"));
    let by_path = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut roots = Vec::new();
    for directory in &order.directories {
        let root = open(directory, by_path, Mode::empty());
        roots.push(root.map_err(|error| failed(format!("failed to open {}", directory.display()), &error))?);
    }
    let made = |path: &Path| {
        std::fs::File::create(path)
            .map_err(|error| failed(format!("failed to write {}", path.display()), &error))
    };
    let (output, errors) = (made(&order.output)?, made(&order.errors)?);
    let no_input =
        std::fs::File::open("/dev/null").map_err(|error| failed("/dev/null".to_owned(), &error))?;
    mount_namespace::enter_private_or_own()
        .map_err(|error| unavailable("a mount namespace of its own is refused", &error))?;
    let mut served = Vec::new();
    for (directory, root) in order.directories.iter().zip(roots) {
        let device = open("/dev/fuse", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
            .map_err(|error| unavailable("/dev/fuse cannot be opened", &error))?;
        mounted(directory, &device, order.check_permissions)
            .map_err(|error| unavailable("a FUSE mount is refused", &error))?;
        let begun = ServedDirectory::begin(device, root, order.habits, order.delay);
        served.push(begun.map_err(|error| unavailable("the kernel's FUSE did not greet", &error))?);
    }
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|error| failed("failed to watch over the command".to_owned(), &error))?;
    // What the client knows of the directory that it is in already is no part of the run.
    std::env::set_current_dir(&order.start)
        .map_err(|error| failed(format!("failed to enter {}", order.start.display()), &error))?;
    served.iter().for_each(ServedDirectory::count_from_now);
    let is_over = Arc::new(AtomicBool::new(false));
    watch_starter(Arc::clone(&is_over))
        .map_err(|error| failed("no thread could be made".to_owned(), &error))?;
    let (program, words) =
        order.command.split_first().ok_or_else(|| TrialReply::Failed("there is no command".to_owned()))?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::from(no_input)).stdout(output).stderr(errors);
    let begun = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| failed(format!("failed to run {}", program.to_string_lossy()), &error))?;
    // The command has the limit that it always has; the server needs a descriptor for each file.
    let limit = getrlimit(Resource::Nofile);
    let _as_it_is = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let status = child.wait().map_err(|error| failed("failed to wait for the command".to_owned(), &error))?;
    let wall_ns = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
    is_over.store(true, Ordering::SeqCst);
    let left = kill_descendants();
    let _elsewhere = std::env::set_current_dir("/");
    for directory in order.directories.iter().rev() {
        unmount(directory, UnmountFlags::DETACH)
            .map_err(|error| failed(format!("failed to unmount {}", directory.display()), &error))?;
    }
    let mut requests = ServedRequests::default();
    for directory in served {
        let one = directory.finish(ENDING);
        requests.add(&one.ok_or_else(|| TrialReply::Failed("the mount did not end".to_owned()))?);
    }
    let (exit_code, signal) = (status.code(), status.signal());
    Ok(TrialReply::Done(TrialReport { wall_ns, exit_code, signal, requests, left }))
}

fn mounted(directory: &Path, device: &OwnedFd, check_permissions: bool) -> Result<(), Errno> {
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    let checks = if check_permissions { ",default_permissions" } else { "" };
    let device = device.as_fd().as_raw_fd();
    let options = format!("fd={device},rootmode=40000,user_id={user},group_id={group},allow_other{checks}");
    let options = CString::new(options).map_err(|_| Errno::INVAL)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("fathom", directory, "fuse", flags, Some(options.as_c_str()))
}

/// When whoever started this process is gone, everything that it runs is killed; what is then waited for
/// ends, and so does this process.
fn watch_starter(is_over: Arc<AtomicBool>) -> std::io::Result<()> {
    thread::Builder::new().name("fathom-watch".to_owned()).spawn(move || {
        let mut rest = Vec::new();
        let _closed = std::io::stdin().lock().read_to_end(&mut rest);
        while !is_over.load(Ordering::SeqCst) {
            kill_children();
            thread::sleep(ROUND);
        }
    })?;
    Ok(())
}

/// Kills every process below this one, and tells how many there were. What a killed one leaves comes here.
fn kill_descendants() -> u64 {
    let begun = Instant::now();
    let mut killed = 0;
    while begun.elapsed() < ENDING {
        kill_children();
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => killed += 1,
                Ok(None) => break,
                Err(_) => return killed,
            }
        }
        thread::sleep(ROUND);
    }
    killed
}

fn kill_children() {
    let own = rustix::process::getpid();
    for process in std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok) {
        let number = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        let Some(pid) = number.and_then(Pid::from_raw) else { continue };
        if parent_of(pid) == Some(own) {
            // It may have ended meanwhile.
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
}

fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The name may hold anything, also brackets.
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
    let state = rest.next()?;
    let parent = rest.next()?.parse().ok().and_then(Pid::from_raw);
    parent.filter(|_| state != "Z")
}
