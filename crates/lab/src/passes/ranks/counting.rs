//! The calls of every rank: the launcher starts this program as each rank, which starts the driver
//! under its tracer. Each writes its counts into a file of one directory.

use crate::drivers::driver_set::Driver;
use crate::drivers::launcher::Launcher;
use crate::passes::count::{DataMoved, TIME_LIMIT, plan};
use crate::processes::process::LAUNCHER_LINES;
use crate::processes::protocol::RunArguments;
use fathom_model::{CountPass, Reading};
use fathom_sys::child_wait::output_within;
use fathom_trace::{CountPlan, DataPaths, Options};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// The hidden subcommand under which `fathom` counts as one rank.
pub const RANK_COUNT_WORD: &str = "count-as-rank";
/// Paths that are told to be files of the data set in a call sequence.
const PATHS_MAX: usize = 1000;
/// More than the driver and the launcher have to say.
const SAID_MAX_BYTES: usize = 4 << 20;
/// The variables by which launchers tell a process its rank: Open MPI, `PMIx`, MPICH and its
/// relatives, Slurm, PALS.
const RANK_VARIABLES: [&str; 5] =
    ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "PALS_RANKID"];

/// What every rank's counts are taken of.
#[derive(Debug)]
pub(crate) struct RankCount<'a> {
    pub(crate) driver: &'a Driver,
    pub(crate) launcher: &'a Launcher,
    /// With marks on.
    pub(crate) arguments: &'a RunArguments,
    pub(crate) data: DataMoved,
    pub(crate) stop: &'a AtomicBool,
}

/// Counts the calls of each rank, in order.
pub(crate) fn count_ranks(asked: &RankCount<'_>) -> Vec<Reading<CountPass>> {
    let none = |reason: String| vec![Reading::unavailable(reason); asked.launcher.ranks as usize];
    let directory = match tempfile::tempdir() {
        Ok(directory) => directory,
        Err(error) => return none(format!("no directory for the counts: {error}")),
    };
    let mut command = match command(asked, directory.path()) {
        Ok(command) => command,
        Err(reason) => return none(reason),
    };
    let ended = output_within(&mut command, TIME_LIMIT * 2, SAID_MAX_BYTES, Some(asked.stop));
    let failed = match ended {
        Err(error) => Some(error.to_string()),
        Ok(output) if !output.status.success() => {
            let said = String::from_utf8_lossy(&output.stderr);
            let words = crate::processes::process::last_lines(&said, LAUNCHER_LINES);
            Some(format!("{} while counting ({words})", output.status))
        }
        Ok(_) => None,
    };
    (0..asked.launcher.ranks).map(|rank| read_count(directory.path(), rank, failed.as_deref())).collect()
}

fn read_count(directory: &Path, rank: u32, failed: Option<&str>) -> Reading<CountPass> {
    let read = std::fs::read(directory.join(rank.to_string()));
    let parsed = read.ok().and_then(|text| serde_json::from_slice::<Reading<CountPass>>(&text).ok());
    parsed.unwrap_or_else(|| {
        let why = failed.unwrap_or("its host does not share this one's directory for temporary files");
        Reading::unavailable(format!("no counts came from rank {rank}: {why}"))
    })
}

fn command(asked: &RankCount<'_>, directory: &Path) -> Result<Command, String> {
    asked.driver.check_unchanged().map_err(|error| error.to_string())?;
    let own = std::env::current_exe().map_err(|error| format!("this program's path: {error}"))?;
    let (program, words) = asked.driver.words();
    // Runs that are counted come no further; a longer list would not fit on the command line.
    let paths = &asked.arguments.paths;
    let named = &paths[..paths.len().min(PATHS_MAX)];
    let mut command = asked.launcher.command();
    command
        .arg(own)
        .arg(RANK_COUNT_WORD)
        .arg(directory)
        .args([asked.data.bytes, asked.data.piece].map(|number| number.to_string()))
        .arg(asked.arguments.directory.as_ref().map_or_else(OsString::new, |path| path.clone().into()))
        .arg(named.len().to_string())
        .args(named)
        .arg(program)
        .args(words)
        .args(asked.arguments.to_words());
    Ok(command)
}

/// Counts the calls of one rank. The words are those that `command` above writes; the result is an
/// exit code.
pub fn count_as_rank(mut words: impl Iterator<Item = OsString>) -> u8 {
    // A rank that is counted ends with the launcher's process that started it.
    let signal = Some(rustix::process::Signal::KILL);
    let _best_effort = rustix::process::set_parent_process_death_signal(signal);
    let Some(directory) = words.next().map(PathBuf::from) else { return 2 };
    let rank = own_rank();
    let counted = count_here(&mut words, rank.is_some_and(|rank| rank > 0));
    // A launcher that tells no rank leaves the counts without a name.
    let Some(rank) = rank else { return 0 };
    let Ok(text) = serde_json::to_vec(&Reading::from(counted)) else { return 2 };
    u8::from(std::fs::write(directory.join(rank.to_string()), text).is_err())
}

/// The rank that a launcher tells this process.
pub(crate) fn own_rank() -> Option<u32> {
    let variable = RANK_VARIABLES.iter().find_map(|name| std::env::var(name).ok());
    variable.and_then(|number| number.parse().ok())
}

fn count_here(words: &mut impl Iterator<Item = OsString>, silent: bool) -> Result<CountPass, String> {
    let missing = || "words are missing".to_owned();
    let number = |words: &mut dyn Iterator<Item = OsString>| {
        words.next().and_then(|word| word.to_str()?.parse::<u64>().ok()).ok_or_else(missing)
    };
    let data = DataMoved { bytes: number(words)?, piece: number(words)? };
    let written = words.next().filter(|word| !word.is_empty()).map(PathBuf::from);
    let paths = number(words)?;
    let paths: Vec<PathBuf> = (0..paths).filter_map(|_| words.next()).map(PathBuf::from).collect();
    let mut command = Command::new(words.next().ok_or_else(missing)?);
    command.args(words);
    // Ranks wait for each other: one cannot be cut short alone.
    let plan = CountPlan { brief: false, silent, ..plan(data) };
    let script = plan.script();
    let options = Options { stdin: script.as_bytes(), time_limit: TIME_LIMIT, ..Options::default() };
    let run = fathom_trace::run(&mut command, &options).map_err(|error| error.to_string())?;
    let paths = DataPaths::new(paths).with_written(written);
    fathom_trace::count_pass(&run, &plan, &paths).map_err(|error| error.to_string())
}
