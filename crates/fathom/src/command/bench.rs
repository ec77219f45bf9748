//! `fathom bench`: plans are made, drivers prepared, the lab runs, the record
//! is written and printed.

use crate::arguments::Bench;
use crate::command::{Hinted, show};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::{interrupt, output, record_file};
use anyhow::Context;
use fathom_catalog::{
    CatalogError, Entry, MethodRegistry, Plan, Request, SHIPPED, Word, parse_place, parse_size, parse_word,
    plan_ad_hoc, plan_entry,
};
use fathom_collect::{NoiseSnapshot, environment, floors, noise_between};
use fathom_lab::{
    Driver, DriverSet, Lab, Options, host_warnings, manifest_of, shipped_manifests, split_toolchain,
    with_toolchain,
};
use fathom_model::{Operation, Record, SCHEMA_VERSION, Severity, Warning};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What runs without a name, in its quick form.
const FRONT_PAGE: [&str; 2] = ["open-all", "read-all"];
/// Time of each of the front page's entries, unless said otherwise.
const FRONT_PAGE_TIME: Duration = Duration::from_secs(10);
/// The code of the note that a run took no times because none were asked for.
const COUNTS_ONLY: &str = "counts-only";
/// More forks than this add nothing.
const FORKS_MAX: usize = 300;

/// Measures what the command line asks for.
pub(crate) fn run(bench: &Bench) -> anyhow::Result<Exit> {
    let stop = interrupt::flag()?;
    if let Some(path) = &bench.output {
        record_file::check_writable(path)?;
    }
    let own: Vec<Driver> =
        bench.driver.iter().map(|program| Driver::from_program(program)).collect::<Result<_, _>>()?;
    let request = request_of(bench)?;
    let registry = registry_with(bench, &own)?;
    let plans = plans_of(bench, &request, &registry)?;
    if bench.machine.drop_caches {
        announce_drop_caches()?;
    }
    for restored in fathom_lab::restore_read_ahead() {
        output::note(&format!("note: {restored}"));
    }
    if bench.machine.set_read_ahead {
        output::note("note: the read-ahead of devices is changed while measuring, and put back");
    }
    let mut progress = Progress::new();
    let drivers = prepare_drivers(&plans, own, &progress)?;
    let record = measure(bench, &plans, &drivers, &mut progress, &stop)?;
    progress.finish();
    finish(bench, &record, stop.load(Ordering::Relaxed))
}

/// Writes and prints the record; nothing of it is lost when either fails.
fn finish(bench: &Bench, record: &Record, interrupted: bool) -> anyhow::Result<Exit> {
    let path = match &bench.output {
        Some(path) => path.clone(),
        None => record_file::default_path(record)?,
    };
    let written = record_file::write(record, &path);
    show::print(record, bench.rendering)?;
    written?;
    output::note(&format!("record: {}", path.display()));
    Ok(exit_of(record, interrupted))
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

/// The methods that plans may name: those of the shipped drivers, of the user's
/// own, and of shipped ones with a toolchain that is asked for (`java@25:...`).
fn registry_with(bench: &Bench, own: &[Driver]) -> anyhow::Result<MethodRegistry> {
    let mut manifests = shipped_manifests()?;
    for name in toolchains_asked_for(bench)? {
        let Some((base, _)) = split_toolchain(&name) else { continue };
        let found = manifests.iter().find(|manifest| manifest.name == base).cloned();
        manifests.extend(found.map(|manifest| with_toolchain(&manifest, &name)));
    }
    for driver in own {
        manifests.retain(|manifest| manifest.name != driver.description.driver);
        manifests.push(manifest_of(&driver.description));
    }
    Ok(MethodRegistry::new(manifests)?)
}

/// Drivers named with a toolchain, on the command line or in the entries to run.
fn toolchains_asked_for(bench: &Bench) -> anyhow::Result<BTreeSet<String>> {
    let mut patterns = bench.methods.clone();
    for name in names_of(bench) {
        if let Some(entry) = entry_named(&name)? {
            patterns.extend(entry.method_patterns().map(str::to_owned));
        }
    }
    let drivers = patterns.iter().filter_map(|pattern| pattern.split_once(':')).map(|(driver, _)| driver);
    Ok(drivers.filter(|driver| split_toolchain(driver).is_some()).map(str::to_owned).collect())
}

fn request_of(bench: &Bench) -> anyhow::Result<Request> {
    let sizes = |option, texts: &[String]| {
        texts.iter().map(|text| parse_size(option, text)).collect::<Result<Vec<u64>, _>>()
    };
    let blocks = sizes("--block", &bench.block)?;
    if blocks.contains(&0) {
        return Err(Hinted::error("--block: `0` is out of range", "a block holds a byte at least"));
    }
    if bench.files == Some(0) {
        return Err(Hinted::error("--files: `0` is out of range", "a data set holds a file at least"));
    }
    Ok(Request {
        quick: bench.quick || is_front_page(bench),
        methods: bench.methods.clone(),
        baseline: bench.baseline.clone(),
        caches: words("--cache", &bench.cache)?,
        places: bench.dir.iter().map(|word| parse_place(word)).collect(),
        sizes: sizes("--size", &bench.size)?,
        blocks,
        accesses: words("--access", bench.access.as_slice())?,
        alignments: words("--alignment", bench.alignment.as_slice())?,
        buffers: words("--buffer", &bench.buffer)?,
        files: bench.files,
        content: words("--content", bench.content.as_slice())?.first().copied(),
        settings: settings_of(bench)?,
    })
}

/// `--set threads=1,4`, and `--threads 1,4` for the one that is most asked for.
fn settings_of(bench: &Bench) -> anyhow::Result<Vec<(String, String)>> {
    let mut settings = Vec::new();
    for written in &bench.set {
        let Some((name, values)) = written.split_once('=') else {
            return Err(Hinted::error(
                format!("--set: `{written}` sets nothing"),
                "write it like `--set threads=1,4`; `fathom list` shows every setting",
            ));
        };
        settings.push((name.to_owned(), values.to_owned()));
    }
    settings.extend(bench.threads.iter().map(|values| ("threads".to_owned(), values.clone())));
    Ok(settings)
}

fn words<W: Word>(option: &'static str, texts: &[String]) -> Result<Vec<W>, CatalogError> {
    texts.iter().map(|text| parse_word(option, text)).collect()
}

fn is_front_page(bench: &Bench) -> bool {
    bench.what.is_empty() && !bench.all
}

fn names_of(bench: &Bench) -> Vec<String> {
    if bench.all {
        SHIPPED.iter().map(|file| file.name.to_owned()).collect()
    } else if is_front_page(bench) {
        FRONT_PAGE.map(str::to_owned).to_vec()
    } else {
        bench.what.clone()
    }
}

fn plans_of(bench: &Bench, request: &Request, registry: &MethodRegistry) -> anyhow::Result<Vec<Plan>> {
    names_of(bench).iter().map(|name| plan_of(name, request, registry)).collect()
}

/// The experiment of a file of the user's, or of the catalog.
fn entry_named(name: &str) -> anyhow::Result<Option<Entry>> {
    let is_file = Path::new(name).extension().is_some_and(|ending| ending == "toml");
    if is_file {
        let text = std::fs::read_to_string(name).with_context(|| format!("failed to read {name}"))?;
        return Ok(Some(Entry::parse(name, &text)?));
    }
    let shipped = SHIPPED.iter().find(|file| file.name == name);
    Ok(shipped.map(|file| Entry::parse(file.file, file.text)).transpose()?)
}

/// A name is a file of the user's, a catalog entry, or an operation.
fn plan_of(name: &str, request: &Request, registry: &MethodRegistry) -> anyhow::Result<Plan> {
    if let Some(entry) = entry_named(name)? {
        return Ok(plan_entry(&entry, request, registry)?);
    }
    if let Ok(operation) = name.parse::<Operation>() {
        return Ok(plan_ad_hoc(operation, request, registry)?);
    }
    let known = SHIPPED.iter().map(|file| file.name).chain(Operation::ALL.map(Operation::word));
    let hint = match fathom_catalog::nearest(name, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None => "`fathom list` shows every entry and operation; a file of your own ends in .toml".to_owned(),
    };
    Err(Hinted::error(format!("there is no experiment or operation `{name}`"), hint))
}

fn announce_drop_caches() -> anyhow::Result<()> {
    if fathom_lab::may_drop_caches() {
        output::note("note: cold samples drop the page, dentry and inode caches of the whole machine");
        return Ok(());
    }
    Err(Hinted::error(
        "failed to drop caches: only root may write /proc/sys/vm/drop_caches",
        "leave --drop-caches out: then only the pages of Fathom's own files are evicted",
    ))
}

fn prepare_drivers(plans: &[Plan], own: Vec<Driver>, progress: &Progress) -> anyhow::Result<DriverSet> {
    let own_names: BTreeSet<String> = own.iter().map(|driver| driver.description.driver.clone()).collect();
    let used: BTreeSet<&str> = plans
        .iter()
        .flat_map(|plan| &plan.comparisons)
        .flat_map(|comparison| &comparison.variants)
        .map(|variant| variant.method.driver.as_str())
        .filter(|name| !own_names.contains(*name))
        .collect();
    let mut drivers = DriverSet::prepare(used, &mut |name| {
        progress.note(&format!("building the {name} driver (once) ..."));
    })?;
    for driver in own {
        drivers.insert(driver);
    }
    Ok(drivers)
}

fn measure(
    bench: &Bench,
    plans: &[Plan],
    drivers: &DriverSet,
    progress: &mut Progress,
    stop: &AtomicBool,
) -> anyhow::Result<Record> {
    let seed = bench.seed.unwrap_or_else(fathom_lab::draw_seed);
    let environment = environment();
    let mut warnings = host_warnings(&environment);
    warnings.extend(drivers.unavailable().map(|(name, reason)| {
        Warning::new(Severity::Note, "driver-unavailable", format!("no {name} driver: {reason}"))
    }));
    if bench.counts_only {
        let text = "nothing was timed: only the counts of system calls were asked for (--counts-only)";
        warnings.push(Warning::new(Severity::Note, COUNTS_ONLY, text));
    }
    let time = bench.time.map(Duration::from_secs_f64);
    let options = Options {
        time: time.or_else(|| is_front_page(bench).then_some(FRONT_PAGE_TIME)),
        precision: bench.precision / 100.0,
        forks_max: FORKS_MAX,
        drop_caches: bench.machine.drop_caches,
        set_read_ahead: bench.machine.set_read_ahead,
        mount: bench.machine.mount,
        counts_only: bench.counts_only,
        seed,
        clock_resolution_ns: environment.clock_resolution_ns as f64,
    };
    let created = jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string();
    let floors = floors();
    let before = NoiseSnapshot::take();
    let mut lab = Lab::new(drivers, options, stop);
    if let Some(name) = &bench.data {
        lab.use_kept(name.clone());
    }
    let mut experiments = Vec::new();
    let mut complete = true;
    for plan in plans {
        progress.experiment(&plan.name);
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
    warnings.extend(lab.close().into_iter().map(|text| Warning::new(Severity::Note, "left-over", text)));
    let noise = noise_between(&before, &NoiseSnapshot::take());
    warnings.extend(fathom_lab::noise_warnings(&noise));
    warnings.extend(fathom_lab::guest_cold_warning(&environment, &experiments));
    Ok(Record {
        schema_version: SCHEMA_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        seed: seed.to_string(),
        complete,
        environment,
        floors,
        noise: fathom_model::Reading::Value(noise),
        drivers: drivers.available().map(|driver| driver.facts.clone()).collect(),
        places,
        experiments,
        warnings,
    })
}
