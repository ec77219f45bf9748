//! What a run may leave: processes, files, mounts, loop devices. All of it is found by the
//! folder that the run was given.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The variable that names the folder.
pub(crate) const TAG: &str = "FATHOM_FAULTS_GROUND";

/// A process that lives.
#[derive(Debug)]
pub(crate) struct Process {
    pub pid: u32,
    /// Its command line.
    pub words: String,
}

/// The living processes that were started with this folder's variable.
pub(crate) fn tagged_processes(folder: &Path) -> Vec<Process> {
    let tag = format!("{TAG}={}", folder.display()).into_bytes();
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_tagged = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == tag)
    };
    let describe = |pid| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        Process { pid, words: String::from_utf8_lossy(&words).replace('\0', " ") }
    };
    pids.filter(is_tagged).map(describe).collect()
}

/// The CPU time that these and the children for which they waited have had.
pub(crate) fn cpu_time(processes: &[Process]) -> Duration {
    let ticks_of = |process: &Process| -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", process.pid)).unwrap_or_default();
        // The name may hold anything, spaces and brackets too; user and system time, and the children's.
        let behind_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        behind_name.split_whitespace().skip(11).take(4).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
    };
    let ticks: u64 = processes.iter().map(ticks_of).sum();
    Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second()).unwrap_or(100)
}

pub(crate) fn kill_all(processes: &[Process]) {
    for pid in processes.iter().filter_map(|process| Pid::from_raw(i32::try_from(process.pid).ok()?)) {
        let _gone_already = kill_process(pid, Signal::KILL);
    }
}

/// Everything below a folder, links not followed.
pub(crate) fn listing(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
            found.insert(entry.path());
        }
    }
    found
}

/// Mounts and loop devices that lead into a folder, in words.
pub(crate) fn mounts_and_devices(folder: &Path) -> Vec<String> {
    let folder = folder.display().to_string();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mut left: Vec<String> =
        mounts.lines().filter(|line| line.contains(&folder)).map(str::to_owned).collect();
    for entry in fs::read_dir("/sys/block").into_iter().flatten().flatten() {
        let file = fs::read_to_string(entry.path().join("loop/backing_file")).unwrap_or_default();
        if file.starts_with(&folder) {
            left.push(format!("{} of {}", entry.file_name().display(), file.trim()));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn processes_are_known_by_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("cat")
            .env(TAG, folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // It has its environment a moment after its exec.
        let found = std::iter::repeat_with(|| tagged_processes(folder.path()));
        let found = found.take(1_000_000).find(|found| !found.is_empty()).unwrap_or_default();
        assert_eq!(found.iter().map(|process| process.pid).collect::<Vec<_>>(), [child.id()]);
        assert!(cpu_time(&found) < Duration::from_mins(1), "of a program that waits");
        kill_all(&tagged_processes(folder.path()));
        child.wait().unwrap();
        assert!(tagged_processes(folder.path()).is_empty());
    }

    #[test]
    fn what_works_has_more_cpu_time() {
        let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let loops = [Process { pid: child.id(), words: String::new() }];
        while cpu_time(&loops).is_zero() {
            std::thread::yield_now();
        }
        kill_all(&loops);
        child.wait().unwrap();
        assert!(cpu_time(&loops).is_zero(), "it is gone");
    }

    #[test]
    fn listings_do_not_follow_links() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/b"), "").unwrap();
        std::os::unix::fs::symlink("/proc", folder.path().join("link")).unwrap();
        assert_eq!(listing(folder.path()).len(), 3);
    }
}
