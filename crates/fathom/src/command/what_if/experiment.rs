//! What the arithmetic says, tried: the command runs over a mount that holds its answers, and over one that
//! does not, in pairs.

use crate::arguments::{AsFileSystem, WhatIf as Words};
use crate::command::Hinted;
use crate::command::stop::Interrupted;
use crate::{interrupt, output};
use anyhow::Context;
use fathom_audit::{
    AddedTime, ClassTrips, CloseRequest, FileSystemModel, OpenRequest, PermissionCheck, RequestClass,
    TripExperiment,
};
use fathom_lab::draw_seed;
use fathom_model::{Reading, splitmix64};
use fathom_passthrough::{
    ClientHabits, FlushCharge, ServedRequests, TrialError, TrialOrder, TrialReply, TrialReport, run_trial,
};
use fathom_stats::{median, quantile_interval};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How sure the interval is.
const CONFIDENCE: f64 = 0.95;

/// How the command ended when it was watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
}

/// A run, with what it wrote.
struct Run {
    report: TrialReport,
    output: u64,
    errors: u64,
}

/// Runs the pairs. `Unavailable` where this machine or this user cannot.
pub(super) fn measured(
    words: &Words,
    file_system: &AsFileSystem,
    pairs: u32,
    watched: Ended,
    predicted: Vec<ClassTrips>,
) -> anyhow::Result<Reading<TripExperiment>> {
    let stop = interrupt::flag()?;
    let start = std::env::current_dir().context("failed to find the current directory")?;
    let directories = match served_directories(words, &start) {
        Ok(directories) => directories,
        Err(reason) => return Ok(Reading::Unavailable(reason)),
    };
    let scratch = super::scratch()?;
    let claim =
        |name: &str| scratch.claim_file(name).context("failed to name a file for what the command writes");
    let (output_file, errors_file) = (claim("output")?, claim("errors")?);
    let model = &file_system.model;
    let seed = words.seed.unwrap_or_else(draw_seed);
    let hashes = std::hash::RandomState::new();
    let order = |delay: Duration| TrialOrder {
        directories: directories.clone(),
        habits: habits_of(model),
        check_permissions: model.permission != PermissionCheck::None,
        delay,
        command: words.source.command.clone(),
        start: start.clone(),
        output: output_file.clone(),
        errors: errors_file.clone(),
    };
    let limit = Duration::from_secs(words.limit.into());
    let delay = Duration::from_nanos(file_system.round_trip_ns);
    let one = |delay: Duration| -> anyhow::Result<Result<Run, String>> {
        let order = order(delay);
        let reply = run_trial(&order, limit, &stop).map_err(explained)?;
        Ok(match reply {
            TrialReply::Done(report) => Ok(Run {
                report,
                output: digest(&order.output, &hashes)?,
                errors: digest(&order.errors, &hashes)?,
            }),
            TrialReply::Unavailable(reason) => Err(reason),
            TrialReply::Failed(reason) => {
                return Err(anyhow::anyhow!("the run over the mount failed: {reason}"));
            }
        })
    };
    let (mut with, mut without) = (Vec::new(), Vec::new());
    output::note(&format!("measuring: {} runs over a mount", 2 * pairs));
    for pair in 0..pairs {
        let is_delayed_first = coin(seed, pair);
        for is_delayed in [is_delayed_first, !is_delayed_first] {
            let run = match one(if is_delayed { delay } else { Duration::ZERO })? {
                Ok(run) => run,
                Err(reason) => return Ok(Reading::Unavailable(reason)),
            };
            if is_delayed { with.push(run) } else { without.push(run) }
        }
    }
    Ok(Reading::Value(joined(pairs, seed, watched, predicted, &with, &without, file_system.round_trip_ns)))
}

/// A fair coin for each pair.
fn coin(seed: u64, pair: u32) -> bool {
    splitmix64(seed ^ u64::from(pair)) & 1 == 1
}

fn joined(
    pairs: u32,
    seed: u64,
    watched: Ended,
    predicted: Vec<ClassTrips>,
    with: &[Run],
    without: &[Run],
    round_trip_ns: u64,
) -> TripExperiment {
    let walls = |runs: &[Run]| runs.iter().map(|run| run.report.wall_ns).collect::<Vec<_>>();
    let held = |runs: &[Run]| runs.iter().map(|run| run.report.requests.held()).collect::<Vec<_>>();
    let requests = held(with);
    let mut experiment = TripExperiment {
        pairs: pairs.into(),
        seed,
        injected_ns: requests.iter().sum::<u64>().saturating_mul(round_trip_ns),
        clock_ns: with.iter().map(|run| run.report.requests.held_ns).sum(),
        requests_at_once: with
            .iter()
            .map(|run| run.report.requests.all() - run.report.requests.held())
            .collect(),
        requests,
        by_class: with.first().map(|run| by_class(&run.report.requests)).unwrap_or_default(),
        requests_without_delay: held(without),
        predicted,
        without_delay_ns: walls(without),
        with_delay_ns: walls(with),
        added: Reading::Unavailable(String::new()),
    };
    experiment.added = match refusals(watched, with, without, &experiment) {
        reasons if reasons.is_empty() => added(&experiment),
        reasons => Reading::Unavailable(reasons.join("; ")),
    };
    experiment
}

/// Why the difference of the runs is no answer.
fn refusals(watched: Ended, with: &[Run], without: &[Run], experiment: &TripExperiment) -> Vec<String> {
    let all = || with.iter().chain(without);
    let mut reasons = Vec::new();
    let ends: BTreeSet<_> = all().map(|run| (run.report.exit_code, run.report.signal)).collect();
    if ends.len() > 1 || ends.first() != Some(&(watched.exit_code, watched.signal)) {
        reasons.push("the command did not end alike in all runs and when it was watched".to_owned());
    }
    let differ = |of: fn(&Run) -> u64| all().map(of).collect::<BTreeSet<_>>().len() > 1;
    if differ(|run| run.output) {
        reasons.push("its standard output was not the same in all runs".to_owned());
    }
    if differ(|run| run.errors) {
        reasons.push("its standard error was not the same in all runs".to_owned());
    }
    let exhausted: u64 = all().map(|run| run.report.requests.exhausted).sum();
    if exhausted > 0 {
        reasons.push(format!(
            "{exhausted} requests failed because the mount's server ran out of descriptors or memory"
        ));
    }
    if let Some(deviation) = experiment.deviation().filter(|_| !experiment.is_proven()) {
        reasons.push(format!(
            "the server's clock saw {:+.1} % of what was injected, beyond 2 %: this machine is too busy to hold answers in time",
            deviation * 100.0
        ));
    }
    reasons
}

fn added(experiment: &TripExperiment) -> Reading<AddedTime> {
    let pairs = experiment.with_delay_ns.iter().zip(&experiment.without_delay_ns);
    let differences: Vec<_> = pairs.map(|(with, without)| *with as f64 - *without as f64).collect();
    match (median(&differences), quantile_interval(&differences, 0.5, CONFIDENCE)) {
        (Some(median_ns), (Some(low_ns), Some(high_ns))) => {
            Reading::Value(AddedTime { median_ns, low_ns, high_ns })
        }
        _ => Reading::Unavailable("there are too few pairs for an interval at 95 %: 6 suffice".to_owned()),
    }
}

/// What FUSE's requests are for.
fn by_class(requests: &ServedRequests) -> Vec<ClassTrips> {
    let class_of = |kind: &str| match kind {
        "LOOKUP" => RequestClass::Lookup,
        "GETATTR" | "ACCESS" => RequestClass::Attributes,
        "OPEN" | "OPENDIR" | "CREATE" => RequestClass::Open,
        "READ" | "READLINK" => RequestClass::Read,
        "WRITE" => RequestClass::Write,
        "FSYNC" | "FSYNCDIR" => RequestClass::Commit,
        "FLUSH" => RequestClass::Close,
        "READDIR" | "READDIRPLUS" => RequestClass::List,
        "SETATTR" | "MKNOD" | "MKDIR" | "UNLINK" | "RMDIR" | "SYMLINK" | "RENAME" | "LINK" | "FALLOCATE" => {
            RequestClass::Change
        }
        _ => RequestClass::Other,
    };
    let of_class = |class: RequestClass| {
        let kinds = requests.by_kind.iter().filter(|(kind, _)| class_of(kind) == class);
        ClassTrips { class, round_trips: kinds.map(|(_, requests)| requests.held).sum() }
    };
    RequestClass::ALL.into_iter().map(of_class).filter(|class| class.round_trips > 0).collect()
}

/// The directories that are served, or why not.
fn served_directories(words: &Words, start: &Path) -> Result<Vec<PathBuf>, String> {
    let named = if words.over.is_empty() { vec![start.to_owned()] } else { words.over.clone() };
    let mut directories = BTreeSet::new();
    for directory in named {
        let real = directory.canonicalize().map_err(|error| format!("{}: {error}", directory.display()))?;
        if !real.is_dir() {
            return Err(format!("{} is no directory", directory.display()));
        }
        if real == Path::new("/") {
            return Err(
                "nothing can be mounted over the root directory: name directories with --over".to_owned()
            );
        }
        directories.insert(real);
    }
    // What lies below another is served with it.
    let is_below = |one: &PathBuf| directories.iter().any(|other| other != one && one.starts_with(other));
    Ok(directories.iter().filter(|one| !is_below(one)).cloned().collect())
}

fn habits_of(model: &FileSystemModel) -> ClientHabits {
    let lifetime = |seconds: f64| Duration::from_secs_f64(seconds);
    ClientHabits {
        entry: lifetime(model.entry_s.seconds()),
        absent: lifetime(model.absent_s.seconds()),
        attributes: lifetime(model.attributes_s.seconds()),
        directory_attributes: lifetime(model.directory_attributes_s.seconds()),
        listing_fills: model.listing_fills,
        open: model.open != OpenRequest::None,
        open_directory: model.open_directory,
        flush: match model.close {
            CloseRequest::Each | CloseRequest::Request => FlushCharge::Each,
            CloseRequest::Written => FlushCharge::Written,
            CloseRequest::None => FlushCharge::None,
        },
        extended_attributes: model.extended_attributes,
    }
}

/// Of what a run wrote; equal within one run of Fathom where it is the same.
pub(super) fn digest(path: &Path, hashes: &std::hash::RandomState) -> anyhow::Result<u64> {
    let mut file = std::fs::File::open(path).context("failed to read what a run wrote")?;
    let mut hasher = hashes.build_hasher();
    let mut piece = vec![0; 1 << 16];
    loop {
        let bytes = file.read(&mut piece).context("failed to read what a run wrote")?;
        if bytes == 0 {
            return Ok(hasher.finish());
        }
        hasher.write(&piece[..bytes]);
    }
}

fn explained(error: TrialError) -> anyhow::Error {
    match error {
        TrialError::Stopped => Interrupted.into(),
        TrialError::TooLong => Hinted::error(error.to_string(), "give it longer: --limit SECONDS"),
        TrialError::Io(error) => anyhow::Error::new(error).context("failed to run the command over a mount"),
    }
}
