//! Measuring for verdicts: the plans of claims or budgets, until each verdict is
//! sure or its time is over.

use crate::arguments::UntilSure;
use crate::measuring::{self, Sitting};
use crate::progress::Progress;
use crate::{interrupt, methods, output};
use fathom_catalog::{Plan, share_error};
use fathom_collect::environment;
use fathom_lab::{Driver, Options, host_warnings};
use fathom_model::{Record, Severity, Warning};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The error of any wrong verdict in a run.
pub(crate) const ALPHA: f64 = 0.05;
/// More forks than this of one comparison add nothing.
const FORKS_MAX: usize = 300;

/// The record of the plans, and whether the user interrupted it.
pub(crate) fn measure_until_sure(
    mut plans: Vec<Plan>,
    own: Vec<Driver>,
    asked: &UntilSure,
) -> anyhow::Result<(Record, bool)> {
    let stop = interrupt::flag()?;
    share_error(&mut plans, ALPHA);
    if asked.machine.drop_caches {
        measuring::announce_drop_caches()?;
    }
    for restored in fathom_lab::restore_read_ahead() {
        output::note(&format!("note: {restored}"));
    }
    if asked.machine.set_read_ahead {
        output::note("note: the read-ahead of devices is changed while measuring, and put back");
    }
    let mut progress = Progress::new();
    let drivers = methods::prepare_drivers(&plans, (own, None), &mut progress, &stop)?;
    let environment = environment();
    let mut warnings = host_warnings(&environment);
    warnings.extend(drivers.unavailable().map(|(name, reason)| {
        Warning::new(Severity::Note, "driver-unavailable", format!("no {name} driver: {reason}"))
    }));
    let options = Options {
        time: None,
        time_each: Some(Duration::from_secs_f64(asked.time)),
        // Verdicts decide when to stop, not precision.
        precision: 0.0,
        forks_max: FORKS_MAX,
        drop_caches: asked.machine.drop_caches,
        set_read_ahead: asked.machine.set_read_ahead,
        mount: asked.machine.mount.is_some(),
        counts_only: false,
        explain_counts: false,
        keeps_time: false,
        seed: asked.seed.unwrap_or_else(fathom_lab::draw_seed),
        clock_resolution_ns: environment.clock_resolution_ns as f64,
    };
    let sitting = Sitting { plans: &plans, drivers: &drivers, options, data: None, own: None, warnings };
    let record = measuring::measure(sitting, environment, &mut progress, &stop)?;
    progress.finish();
    Ok((record, stop.load(Ordering::Relaxed)))
}
