//! Fuzzing without instrumentation: targets fed by a mutator, under limits of memory and time.

use crate::calibrate::note;
use anyhow::{Context, ensure};
use fathom_fuzzing::{Mutator, TARGETS, Target, corpus};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// No input may take longer.
const MOST_TIME: Duration = Duration::from_secs(5);
/// No input may need more, with all that the program has mapped besides.
const MOST_BYTES: u64 = 2 << 30;

/// Runs it; the exit code is 1 where an input breaks a reader, and the input is kept.
pub(crate) fn run(arguments: &crate::Fuzz) -> anyhow::Result<ExitCode> {
    let is_chosen = |target: &&Target| arguments.target.as_ref().is_none_or(|name| name == target.name);
    let targets: Vec<_> = TARGETS.iter().filter(is_chosen).collect();
    ensure!(!targets.is_empty(), "no such target; there are {}", names());
    // An allocation that is refused ends the process, with the input kept that asked for it.
    let most = Rlimit { current: Some(MOST_BYTES), maximum: getrlimit(Resource::As).maximum };
    setrlimit(Resource::As, most)?;
    let mut is_broken = false;
    for target in targets {
        is_broken |= fuzz(target, arguments)?;
    }
    Ok(ExitCode::from(u8::from(is_broken)))
}

fn names() -> String {
    TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ")
}

/// True where an input broke it.
fn fuzz(target: &Target, arguments: &crate::Fuzz) -> anyhow::Result<bool> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz");
    fs::create_dir_all(&folder)?;
    let path = folder.join(target.name);
    // Each input stands here while it is read: an abort leaves no time to keep it.
    let kept = File::create(&path)?;
    let mut mutator = Mutator::new(corpus(target).context("its seeds")?, arguments.seed);
    let watchdog = Watchdog::start(target.name)?;
    let begun = Instant::now();
    let (mut inputs, mut slowest) = (0_u64, Duration::ZERO);
    while begun.elapsed().as_secs() < arguments.seconds {
        let input = mutator.next_input();
        kept.write_all_at(&input, 0)?;
        kept.set_len(u64::try_from(input.len())?)?;
        let started = Instant::now();
        watchdog.shared.begun_ms.store(watchdog.now_ms(), Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        watchdog.shared.begun_ms.store(IDLE, Ordering::Relaxed);
        slowest = slowest.max(started.elapsed());
        inputs += 1;
        if outcome.is_err() {
            note(&format!("{}: input {inputs} panics; it is kept in {}", target.name, path.display()));
            return Ok(true);
        }
    }
    fs::remove_file(path)?;
    let (took, slowest) = (begun.elapsed().as_secs(), slowest.as_millis());
    note(&format!("{}: {inputs} inputs in {took} s, the slowest took {slowest} ms", target.name));
    Ok(false)
}

/// Ends the process when an input takes too long.
struct Watchdog {
    shared: Arc<Shared>,
    since: Instant,
}

struct Shared {
    /// When the input was begun that is being read, in ms since the watchdog's start.
    begun_ms: AtomicU64,
    is_over: AtomicBool,
}

const IDLE: u64 = u64::MAX;

impl Watchdog {
    fn start(target: &'static str) -> anyhow::Result<Self> {
        const STEP: Duration = Duration::from_millis(200);
        let shared = Arc::new(Shared { begun_ms: AtomicU64::new(IDLE), is_over: AtomicBool::new(false) });
        let watchdog = Self { shared: Arc::clone(&shared), since: Instant::now() };
        let since = watchdog.since;
        std::thread::Builder::new().spawn(move || {
            while !shared.is_over.load(Ordering::Relaxed) {
                std::thread::sleep(STEP);
                let begun = Duration::from_millis(shared.begun_ms.load(Ordering::Relaxed));
                if since.elapsed().saturating_sub(begun) > MOST_TIME {
                    note(&format!(
                        "{target}: an input takes longer than {MOST_TIME:?}; it is in target/fuzz"
                    ));
                    std::process::abort();
                }
            }
        })?;
        Ok(watchdog)
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(IDLE)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}
