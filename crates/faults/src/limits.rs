//! Commands under limits of the kernel's: too few processes, descriptors, bytes of a file or
//! of memory. Each ends as one with a fault has to.

use crate::ground::{Fixtures, Ground, Program};
use crate::leftovers::{kill_all, tagged_processes};
use crate::subjects::{SUBJECTS, Subject};
use crate::supervised::Run;
use crate::verdict::{Verdict, before, judge};
use anyhow::Context;
use fathom_sys::held_start::start_held;
use rustix::process::{Resource, Rlimit, geteuid, prlimit};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A limit.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// What is limited, as `ulimit` and manuals name it.
    pub name: &'static str,
    resource: Resource,
    /// From the tightest to one that is nearly enough.
    pub ladder: &'static [u64],
}

const MIB: u64 = 1 << 20;

/// All of them.
pub const LIMITS: &[Limit] = &[
    Limit { name: "NPROC", resource: Resource::Nproc, ladder: &[1, 2, 3, 4, 6] },
    Limit { name: "NOFILE", resource: Resource::Nofile, ladder: &[4, 6, 8, 12, 16, 24] },
    Limit { name: "FSIZE", resource: Resource::Fsize, ladder: &[1024, 4096, 16384] },
    Limit { name: "AS", resource: Resource::As, ladder: &[160 * MIB, 192 * MIB, 256 * MIB, 512 * MIB] },
];

/// A command that ran under a limit.
#[derive(Debug)]
pub struct LimitRun {
    /// The command.
    pub subject: &'static str,
    /// The limit's name.
    pub limit: &'static str,
    /// Its value.
    pub value: u64,
    /// How it ended.
    pub verdict: Verdict,
}

/// Runs every command, but those whose name `skips`, under every limit. Limits of processes are
/// for ordinary users: root runs these commands as another.
pub fn under_limits(
    program: &Program,
    time_limit: Duration,
    skips: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<LimitRun>> {
    let fixtures = Fixtures::make(program)?;
    let mut runs = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| !skips(subject.name)) {
        for limit in LIMITS {
            for &value in limit.ladder {
                let ground = Ground::prepared(&fixtures)?;
                let verdict = run_limited(subject, &ground, limit, value, time_limit)?;
                runs.push(LimitRun { subject: subject.name, limit: limit.name, value, verdict });
            }
        }
    }
    Ok(runs)
}

fn run_limited(
    subject: &Subject,
    ground: &Ground,
    limit: &Limit,
    value: u64,
    time_limit: Duration,
) -> anyhow::Result<Verdict> {
    let mut command = ground.command(subject.words)?;
    // A file would have no room for words under a limit of sizes.
    command.process_group(0).stderr(Stdio::piped());
    if limit.resource == Resource::Nproc && geteuid().is_root() {
        become_nobody(&mut command, ground)?;
    }
    let before = before(ground);
    let begun = Instant::now();
    let mut child = start_held(&mut command, &mut |pid| {
        let new = Rlimit { current: Some(value), maximum: Some(value) };
        // A limit that cannot be set is no limit, and the command has to end well.
        let _unlimited = prlimit(Some(pid), limit.resource, new);
    })
    .context("a start under a limit")?;
    let mut stderr = child.stderr.take().context("it was asked for")?;
    let words = thread::Builder::new().spawn(move || {
        let mut words = Vec::new();
        stderr.read_to_end(&mut words).map(|_| words)
    })?;
    let mut timed_out = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > time_limit && !timed_out {
            timed_out = true;
            kill_all(&tagged_processes(ground.path()));
        }
        thread::sleep(Duration::from_millis(10));
    };
    // A process that was left, and holds the pipe, is killed here.
    let strays = left_processes(ground);
    let words = words.join().map_err(|_| anyhow::anyhow!("the reader of its words panicked"))??;
    fs::write(ground.path().join("stderr"), words)?;
    let run =
        Run { status, took: begun.elapsed(), timed_out, injected: true, strays, feasible: BTreeMap::new() };
    Ok(judge(subject, ground, &before, &run, None))
}

/// What still lives after a while, killed.
fn left_processes(ground: &Ground) -> Vec<String> {
    const GRACE: Duration = Duration::from_secs(20);
    let begun = Instant::now();
    loop {
        let left = tagged_processes(ground.path());
        if left.is_empty() || begun.elapsed() > GRACE {
            kill_all(&left);
            return left.into_iter().map(|process| process.words).collect();
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn become_nobody(command: &mut Command, ground: &Ground) -> anyhow::Result<()> {
    const NOBODY: u32 = 65534;
    chown(ground.path(), Some(NOBODY), Some(NOBODY))?;
    for path in before(ground) {
        chown(&path, Some(NOBODY), Some(NOBODY))?;
    }
    // Drivers of its own: those of root are not to be trusted by it.
    let cache = ground.path().join("cache");
    fs::create_dir(&cache)?;
    chown(&cache, Some(NOBODY), Some(NOBODY))?;
    command.uid(NOBODY).gid(NOBODY).env("FATHOM_CACHE_DIR", &cache);
    Ok(())
}
