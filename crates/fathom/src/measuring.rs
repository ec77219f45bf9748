//! One session: plans are run by the lab, one after the other, and what came of
//! them, of the machine and of its noise becomes a record.

use crate::hinted::Hinted;
use crate::output;
use crate::progress::{Later, Progress};
use fathom_catalog::Plan;
use fathom_collect::{NoiseSnapshot, floors, noise_between};
use fathom_lab::kept_set::SetName;
use fathom_lab::own_files::OwnFiles;
use fathom_lab::{DriverSet, Lab, Options};
use fathom_model::{
    CacheState, Environment, LEFT_OVER, OwnFilesFacts, Reading, Record, SCHEMA_VERSION, Severity, Warning,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// What to measure, and how.
pub(crate) struct Sitting<'a> {
    pub(crate) plans: &'a [Plan],
    pub(crate) drivers: &'a DriverSet,
    pub(crate) options: Options,
    /// The kept set to read, instead of data sets made for the occasion.
    pub(crate) data: Option<&'a SetName>,
    /// The user's own files to read, instead of data sets.
    pub(crate) own: Option<&'a OwnFiles>,
    /// What is known before anything is measured.
    pub(crate) warnings: Vec<Warning>,
}

/// Runs the plans. Where a later one fails, what was measured before is kept.
pub(crate) fn measure(
    sitting: Sitting<'_>,
    environment: Environment,
    progress: &mut Progress,
    stop: &AtomicBool,
) -> anyhow::Result<Record> {
    let Sitting { plans, drivers, options, data, own, mut warnings } = sitting;
    let created = jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string();
    let floors = floors();
    let before = NoiseSnapshot::take();
    progress.begin(&before);
    let mut lab = Lab::new(drivers, options, fathom_scenarios::run, stop);
    if let Some(name) = data {
        lab.use_kept(name.clone());
    }
    if let Some(files) = own {
        lab.use_own(files.clone());
    }
    let mut experiments = Vec::new();
    let mut complete = true;
    for (number, plan) in plans.iter().enumerate() {
        let later = &plans[number + 1..];
        let later = Later {
            time: later.iter().map(|plan| options.time_for(plan)).sum(),
            comparisons: later.iter().map(|plan| plan.comparisons.len()).sum(),
        };
        progress.experiment(&plan.name, number, plans.len(), later);
        match lab.run(plan, progress) {
            Ok(outcome) => {
                complete &= outcome.complete;
                experiments.push(outcome.experiment);
            }
            // What was measured before is kept.
            Err(error) if !experiments.is_empty() => {
                complete = false;
                let text = format!("{} was not run: {error}", plan.name);
                warnings.push(Warning::new(Severity::Fault, "place-unusable", text));
            }
            Err(error) => {
                progress.finish();
                return Err(error.into());
            }
        }
        if stop.load(Ordering::Relaxed) {
            complete = false;
            break;
        }
    }
    let places = lab.places();
    let prices = lab.prices();
    let evicted = plans.iter().flat_map(|plan| &plan.comparisons).flat_map(|comparison| &comparison.variants);
    let evicted = evicted.into_iter().any(|variant| variant.cache == CacheState::Cold);
    let file_system = places.first().map_or("unknown", |place| place.file_system.as_str());
    let own_files = own.map(|files| files.facts(file_system, evicted));
    warnings.extend(own_files.iter().filter_map(holes));
    warnings.extend(lab.close().into_iter().map(|text| Warning::new(Severity::Note, LEFT_OVER, text)));
    let noise = noise_between(&before, &NoiseSnapshot::take());
    warnings.extend(fathom_lab::noise_warnings(&noise));
    let of_drivers: Vec<_> = drivers.available().map(|driver| &driver.facts).collect();
    if !of_drivers.is_empty() {
        warnings.extend(fathom_lab::variables_warning(&environment, &of_drivers));
    }
    warnings.extend(fathom_lab::guest_cold_warning(&environment, &experiments));
    Ok(Record {
        schema_version: SCHEMA_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        seed: options.seed.to_string(),
        complete,
        environment,
        floors,
        noise: Reading::Value(noise),
        drivers: drivers.available().map(|driver| driver.facts.clone()).collect(),
        places,
        prices,
        own_files,
        experiments,
        builds: None,
        warnings,
    })
}

/// A hole reads many times faster than what was written.
fn holes(own: &OwnFilesFacts) -> Option<Warning> {
    let mut with = own.files.iter().filter_map(|file| Some((file, file.not_written.as_ref()?)));
    let (file, what) = with.next()?;
    let more = match with.count() {
        0 => String::new(),
        count => format!(", and so have {count} more"),
    };
    let text = format!("{} has {what}{more}: reading that reads no device", file.path.display());
    Some(Warning::new(Severity::Warning, "own-file-not-written", text))
}

/// Says that the machine's caches are dropped, or why they cannot be.
pub(crate) fn announce_drop_caches() -> anyhow::Result<()> {
    if fathom_lab::may_drop_caches() {
        output::note("note: cold samples drop the page, dentry and inode caches of the whole machine");
        return Ok(());
    }
    Err(Hinted::error(
        "failed to drop caches: only root may write /proc/sys/vm/drop_caches",
        "leave --drop-caches out: then only the pages of Fathom's own files are evicted",
    ))
}
