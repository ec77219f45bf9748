//! `fathom bench`: plans are made, drivers prepared, the lab runs, the record
//! is written and printed.

mod commands;
mod front_page;
mod gates;
mod own;
mod own_functions;
pub(super) mod plans;
mod ranks;

use crate::arguments::{Bench, Format};
use crate::command::stop::own_driver;
use crate::command::{Hinted, show};
use crate::exit::Exit;
use crate::measuring::{self, Sitting};
use crate::methods::prepare_drivers;
use crate::progress::Progress;
use crate::redaction::{Audience, Redaction};
use crate::{interrupt, mounts, output, record_file};
use fathom_catalog::Plan;
use fathom_collect::environment;
use fathom_lab::own_files::OwnFiles;
use fathom_lab::{Driver, DriverSet, FreshMounts, Options, host_warnings, ranks_registry};
use fathom_model::{ExperimentRecord, Record, Severity, Warning};
use own::Named;
use own_functions::Functions;
use plans::{is_front_page, plans_of, registry_with, request_of};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The code of the note that a run took no times because none were asked for.
const COUNTS_ONLY: &str = "counts-only";
/// More forks than this add nothing.
const FORKS_MAX: usize = 300;

/// Measures what the command line asks for.
pub(crate) fn run(bench: &Bench) -> anyhow::Result<Exit> {
    if !bench.commands.commands.is_empty() {
        return commands::run(bench);
    }
    if let Some(option) = bench.commands.first_option() {
        return Err(Hinted::error(
            format!("{option} is about commands, and none are named"),
            "name them: fathom bench --commands 'A' 'B'",
        ));
    }
    let stop = interrupt::flag()?;
    let launcher = ranks::launcher_of(bench)?;
    if let Some(path) = &bench.output {
        record_file::check_writable(path)?;
    }
    let mut own: Vec<Driver> =
        bench.driver.iter().map(|program| own_driver(program)).collect::<Result<_, _>>()?;
    let functions = match Functions::build(bench, &stop) {
        Err(_) if stop.load(Ordering::Relaxed) => return Ok(Exit::Interrupted),
        functions => functions?,
    };
    own.extend(functions.drivers());
    // Before any thread is started, since a mount namespace is a thread's.
    let mounts = mounts::make(&bench.machine, bench.dir.first())?;
    let seed = bench.seed.unwrap_or_else(fathom_lab::draw_seed);
    let named = Named::of(bench, seed)?;
    let mut request = request_of(bench)?;
    request.places.extend(mounts.iter().flat_map(FreshMounts::places));
    named.lay_over(&mut request);
    let registry = match &launcher {
        Some(launcher) => {
            ranks::lay_over(&mut request, launcher);
            ranks_registry()?
        }
        None => registry_with(bench, &own)?,
    };
    let mut plans = plans_of(bench, &request, &registry)?;
    plans.extend(functions.plan(&request, &registry)?);
    if launcher.is_some() {
        ranks::check(&plans)?;
    }
    named.restrict(bench, &mut plans)?;
    if bench.machine.drop_caches {
        measuring::announce_drop_caches()?;
    }
    for restored in fathom_lab::restore_read_ahead() {
        output::note(&format!("note: {restored}"));
    }
    if bench.machine.set_read_ahead {
        output::note("note: the read-ahead of devices is changed while measuring, and put back");
    }
    record_file::check_place(bench.output.as_deref())?;
    let mut progress = Progress::new();
    let drivers = prepare_drivers(&plans, (own, launcher.as_ref()), &mut progress, &stop)?;
    let failed = mounts.iter().flat_map(mounts::warnings).collect();
    let record = measure(bench, (seed, failed), named.files(), &plans, &drivers, &mut progress, &stop)?;
    progress.finish();
    let record = Redaction::new(bench.redaction, Audience::Own).apply(record)?;
    finish(bench, &record, stop.load(Ordering::Relaxed))
}

/// Writes and prints the record; nothing of it is lost when either fails.
fn finish(bench: &Bench, record: &Record, interrupted: bool) -> anyhow::Result<Exit> {
    let path = match &bench.output {
        Some(path) => path.clone(),
        None => record_file::default_path(record)?,
    };
    let written = record_file::write(record, &path);
    let is_brief = is_brief(bench, record);
    show::print(record, bench.rendering, is_brief)?;
    written?;
    if is_brief && bench.rendering.format == Format::Text {
        let named = bench.output.as_ref().map_or("--last".to_owned(), |path| path.display().to_string());
        output::note(&format!("whole table: fathom show {named}; page: fathom report {named} -o page.html"));
    }
    output::note(&format!("record: {}", path.display()));
    let exit = exit_of(record, interrupted);
    Ok(if exit == Exit::Done { gates::judge(&bench.fail_on, record) } else { exit })
}

/// The answer alone, unless more was asked for or came out than it holds.
fn is_brief(bench: &Bench, record: &Record) -> bool {
    let asks_more =
        bench.rendering.full || bench.why || bench.profile || bench.latencies || bench.counts_only;
    let is_compared = |experiment: &ExperimentRecord| {
        let comparisons = &experiment.comparisons;
        experiment.outcomes.is_empty()
            && comparisons.iter().all(|comparison| comparison.ranks.is_none())
            && comparisons.iter().any(|comparison| !comparison.forks.is_empty())
            && comparisons.iter().all(|comparison| comparison.long_runs.is_empty())
    };
    if is_front_page(bench) || own_functions::are_named(bench) {
        return !bench.rendering.full;
    }
    !asks_more && record.experiments.iter().all(is_compared)
}

fn exit_of(record: &Record, interrupted: bool) -> Exit {
    let mut comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
    let mut outcomes = record.experiments.iter().flat_map(|experiment| &experiment.outcomes);
    let counts_only = record.warnings.iter().any(|warning| warning.code == COUNTS_ONLY);
    let measured = comparisons.any(|comparison| {
        let counted = comparison.counts.iter().any(|counts| counts.value().is_some());
        !comparison.forks.is_empty() || (counts_only && counted)
    });
    let tried = outcomes.any(|outcome| outcome.unavailable.is_none());
    if interrupted {
        Exit::Interrupted
    } else if !record.complete {
        Exit::Error
    } else if !measured && !tried {
        Exit::NothingRan
    } else {
        Exit::Done
    }
}

fn measure(
    bench: &Bench,
    (seed, mut warnings): (u64, Vec<Warning>),
    own: Option<&OwnFiles>,
    plans: &[Plan],
    drivers: &DriverSet,
    progress: &mut Progress,
    stop: &AtomicBool,
) -> anyhow::Result<Record> {
    let environment = environment();
    warnings.extend(host_warnings(&environment));
    warnings.extend(drivers.unavailable().map(|(name, reason)| {
        Warning::new(Severity::Note, "driver-unavailable", format!("no {name} driver: {reason}"))
    }));
    if bench.counts_only {
        let text = "nothing was timed: only the counts of system calls were asked for (--counts-only)";
        warnings.push(Warning::new(Severity::Note, COUNTS_ONLY, text));
    }
    let time = bench.time.map(Duration::from_secs_f64);
    let options = Options {
        time: time.or_else(|| match own_functions::count_named(bench) {
            0 => is_front_page(bench).then_some(front_page::TIME),
            // Each has methods and driver processes of its own.
            files => Some(front_page::TIME * files),
        }),
        time_each: None,
        precision: bench.precision / 100.0,
        forks_max: FORKS_MAX,
        drop_caches: bench.machine.drop_caches,
        set_read_ahead: bench.machine.set_read_ahead,
        mount: bench.machine.mount.is_some(),
        counts_only: bench.counts_only,
        explain_counts: bench.why,
        keeps_time: bench.time.is_some(),
        seed,
        clock_resolution_ns: environment.clock_resolution_ns as f64,
    };
    let asked = Sitting { plans, drivers, options, data: bench.data.as_ref(), own, warnings };
    measuring::measure(asked, environment, progress, stop)
}
