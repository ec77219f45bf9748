//! The calls of several starts of a command at once: each is made by a Fathom of its own, which traces
//! it and writes its counts into a file of one directory. So it goes behind a launcher and without one.

use super::launch::open_null;
use super::starts::StartPlan;
use super::tallies::Runs;
use super::{CommandError, CommandWords, RANK_VARIABLE, launch::Launcher};
use crate::passes::ranks::own_rank;
use crate::processes::process::{LAUNCHER_LINES, last_lines};
use fathom_model::{ProcessEnd, Reading, RunCounts};
use fathom_sys::child_wait::output_within;
use fathom_trace::{CommandOptions, count_command};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The hidden subcommand under which `fathom` counts one start of a command.
pub const START_COUNT_WORD: &str = "count-start-as-rank";
/// Counting takes longer than running, and a batch system may let it wait.
const LIMIT: Duration = Duration::from_hours(1);
/// More than a launcher has to say.
const SAID_MAX_BYTES: usize = 4 << 20;
/// Stands where a launcher tells each rank its number.
const BY_LAUNCHER: &str = "-";
/// What launchers leave in the environment of a rank: a program would take itself for it.
const OF_RANKS: [&str; 8] =
    ["OMPI_", "PMIX_", "PMI_", "PRTE_", "HYDI_", "HYDRA_", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"];

/// One round of starts, in order of ranks; the inner error is a reason why nothing can be counted.
pub(super) fn count_round(
    words: &CommandWords,
    plan: &StartPlan,
    launcher: &Launcher<'_>,
) -> Result<Result<Vec<RunCounts>, String>, CommandError> {
    let failed = |error| CommandError::Io { what: "failed to count calls of ranks", error };
    let directory = tempfile::tempdir().map_err(failed)?;
    let own = std::env::current_exe().map_err(failed)?;
    let arguments = |rank: &str| {
        let mut arguments = vec![START_COUNT_WORD.into(), directory.path().into(), OsString::from(rank)];
        arguments.push(words.starts.to_string().into());
        arguments.extend(words.words.iter().map(OsString::from));
        arguments
    };
    let ended = match plan.driver.as_ref().and_then(|driver| driver.launcher()) {
        Some(by) => {
            let mut command = by.command();
            command.arg(&own).args(arguments(BY_LAUNCHER));
            vec![wait(command, launcher)]
        }
        None => std::thread::scope(|scope| {
            let start = |rank: u32| {
                let mut command = Command::new(&own);
                command.args(arguments(&rank.to_string()));
                let wait = move || wait(command, launcher);
                std::thread::Builder::new().spawn_scoped(scope, wait)
            };
            let threads: Vec<_> = (0..words.starts).map(start).collect();
            let join = |thread: io::Result<std::thread::ScopedJoinHandle<'_, _>>| match thread {
                Ok(thread) => thread.join().expect("it panics nowhere"),
                Err(error) => Err(error),
            };
            threads.into_iter().map(join).collect()
        }),
    };
    if launcher.signals.is_stopped() {
        return Err(CommandError::Interrupted);
    }
    let why = ended.into_iter().find_map(|one| one.unwrap_or_else(|error| Some(error.to_string())));
    let mut counts = Vec::new();
    for rank in 0..words.starts {
        match read(directory.path(), rank, why.as_deref()) {
            Reading::Value(count) => {
                let end = count.ends.first().cloned().unwrap_or(ProcessEnd::Unknown);
                launcher.check_at(&words.text, &format!(" on rank {rank}, counted,"), &end)?;
                counts.push(count);
            }
            Reading::Unavailable(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(counts))
}

/// What went wrong, in words, where something did.
fn wait(mut command: Command, launcher: &Launcher<'_>) -> io::Result<Option<String>> {
    let output = output_within(&mut command, LIMIT, SAID_MAX_BYTES, Some(launcher.signals.stop))?;
    let said = String::from_utf8_lossy(&output.stderr);
    Ok((!output.status.success())
        .then(|| format!("{} while counting ({})", output.status, last_lines(&said, LAUNCHER_LINES))))
}

fn read(directory: &Path, rank: u32, why: Option<&str>) -> Reading<RunCounts> {
    let text = std::fs::read(directory.join(rank.to_string()));
    let counts = text.ok().and_then(|text| serde_json::from_slice::<Reading<RunCounts>>(&text).ok());
    counts.unwrap_or_else(|| {
        let why = why.unwrap_or("its host does not share this one's directory for temporary files");
        Reading::unavailable(format!("no counts came from rank {rank}: {why}"))
    })
}

/// Counts one start. The words are those that `count_round` writes; the result is an exit code.
pub fn count_start_as_rank(mut words: impl Iterator<Item = OsString>) -> u8 {
    // Who is counted ends with the launcher's process, or the thread, that started this one.
    let signal = Some(rustix::process::Signal::KILL);
    let _best_effort = rustix::process::set_parent_process_death_signal(signal);
    let Some(directory) = words.next().map(PathBuf::from) else { return 2 };
    let mut number = || words.next()?.to_str()?.parse::<u32>().ok();
    // A launcher that tells no rank leaves the counts without a name.
    let Some(rank) = number().or_else(own_rank) else { return 0 };
    let Some(starts) = number() else { return 2 };
    if rank >= starts {
        return 0;
    }
    let Ok(text) = serde_json::to_vec(&Reading::from(count_here(words, rank))) else { return 2 };
    // Under its name only when it is whole: others may look at it over a network.
    let part = directory.join(format!("{rank}.part"));
    let written =
        std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, directory.join(rank.to_string())));
    u8::from(written.is_err())
}

fn count_here(mut words: impl Iterator<Item = OsString>, rank: u32) -> Result<RunCounts, String> {
    let mut command = Command::new(words.next().ok_or("words are missing")?);
    let null = || open_null().map_err(|error| error.to_string());
    command.args(words).stdin(null()?).stdout(null()?).stderr(null()?).env(RANK_VARIABLE, rank.to_string());
    for (name, _) in std::env::vars_os() {
        if OF_RANKS.iter().any(|theirs| name.to_string_lossy().starts_with(theirs)) {
            command.env_remove(name);
        }
    }
    let counted =
        count_command(&mut command, &CommandOptions::default()).map_err(|error| error.to_string())?;
    let mut runs = Runs::default();
    runs.add(&counted);
    Ok(runs.finish())
}
