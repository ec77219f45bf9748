//! `fathom compare --drivers` and `--toolchain`: two builds of one driver, each
//! method beside itself in the same blocks, written as a record and judged.

mod plans;

use super::finish;
use crate::arguments::Compare;
use crate::command::Hinted;
use crate::command::stop::own_driver;
use crate::exit::Exit;
use crate::measuring::{self, Sitting};
use crate::methods::build_note;
use crate::progress::Progress;
use crate::redaction::{Audience, Redaction};
use crate::{interrupt, output, record_file};
use fathom_collect::environment;
use fathom_lab::{BuildStep, BuildWatch, Driver, DriverSet, Options, host_warnings, split_toolchain};
use fathom_model::{MethodId, Record, Severity, Unmeasured, Warning};
use fathom_stats::compare_builds;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// More forks than this add nothing.
const FORKS_MAX: usize = 300;

/// Time for each pair when nobody said how long: a virtual machine needs some seconds to warm up.
const TIME_EACH: Duration = Duration::from_secs(10);

/// Two builds of one driver, under names that tell them apart.
struct Builds {
    /// The driver's own name.
    driver: String,
    old: Driver,
    new: Driver,
}

/// Measures, writes and judges two builds.
pub(super) fn run(compare: &Compare) -> anyhow::Result<Exit> {
    let stop = interrupt::flag()?;
    record_file::check_place(compare.measuring.output.as_deref())?;
    let mut progress = Progress::new();
    let builds = match (compare.drivers.as_slice(), compare.toolchain.as_slice()) {
        ([old, new], _) => Builds::of_programs(old, new)?,
        (_, [old, new]) => match Builds::of_toolchains(old, new, &mut progress, &stop) {
            Err(_) if stop.load(Ordering::Relaxed) => return Ok(Exit::Interrupted),
            builds => builds?,
        },
        _ => anyhow::bail!("two builds are needed"),
    };
    let record = measure(compare, &builds, &mut progress, &stop)?;
    progress.finish();
    let record = Redaction::new(compare.measuring.redaction, Audience::Own).apply(record)?;
    let path = match &compare.measuring.output {
        Some(path) => path.clone(),
        None => record_file::default_path(&record)?,
    };
    let written = record_file::write(&record, &path);
    let found = compare_builds(&record, &path.display().to_string(), &compare.fail_on)?;
    let exit = finish(compare, &found)?;
    written?;
    output::note(&format!("record: {}", path.display()));
    Ok(if stop.load(Ordering::Relaxed) {
        Exit::Interrupted
    } else if record.complete {
        exit
    } else {
        Exit::Error
    })
}

fn measure(
    compare: &Compare,
    builds: &Builds,
    progress: &mut Progress,
    stop: &AtomicBool,
) -> anyhow::Result<Record> {
    let plans = plans::plans(&compare.builds_form, builds)?;
    let mut drivers = DriverSet::default();
    drivers.insert(builds.old.clone());
    drivers.insert(builds.new.clone());
    let environment = environment();
    let measuring = &compare.measuring;
    let mut warnings = host_warnings(&environment);
    if measuring.counts_only {
        let text = "nothing was timed: only the counts of system calls were asked for (--counts-only)";
        warnings.push(Warning::new(Severity::Note, "counts-only", text));
    }
    let share = u32::try_from(plans.len()).unwrap_or(u32::MAX).max(1);
    let options = Options {
        time: measuring.time.map(|seconds| Duration::from_secs_f64(seconds) / share),
        time_each: measuring.time.is_none().then_some(TIME_EACH),
        precision: measuring.precision / 100.0,
        forks_max: FORKS_MAX,
        drop_caches: false,
        set_read_ahead: false,
        mount: false,
        counts_only: measuring.counts_only,
        explain_counts: false,
        keeps_time: false,
        seed: measuring.seed.unwrap_or_else(fathom_lab::draw_seed),
        clock_resolution_ns: environment.clock_resolution_ns as f64,
    };
    let asked = Sitting { plans: &plans, drivers: &drivers, options, data: None, own: None, warnings };
    let record = measuring::measure(asked, environment, progress, stop)?;
    Ok(Record { builds: Some(builds.names().map(str::to_owned)), ..record })
}

impl Builds {
    /// Two programs that give themselves one name.
    fn of_programs(old: &Path, new: &Path) -> anyhow::Result<Self> {
        let (first, second) = (own_driver(old)?, own_driver(new)?);
        let [name, other] = [&first, &second].map(|driver| driver.description.driver.clone());
        if name != other {
            return Err(Hinted::error(
                format!(
                    "{} calls itself `{name}`, {} `{other}`: these are two drivers",
                    old.display(),
                    new.display()
                ),
                "two drivers are put side by side by `fathom bench OPERATION --driver OLD --driver NEW`",
            ));
        }
        let driver = base(&name).to_owned();
        let [old, new] = [(first, "old"), (second, "new")]
            .map(|(build, label)| build.renamed(&format!("{driver}@{label}")));
        Ok(Self { driver, old, new })
    }

    /// Two toolchains of a driver that ships, in words like `java@17` and `java@new=/path`.
    fn of_toolchains(
        old: &str,
        new: &str,
        progress: &mut Progress,
        stop: &AtomicBool,
    ) -> anyhow::Result<Self> {
        let [first, second] = [Wanted::of(old)?, Wanted::of(new)?];
        if first.driver != second.driver {
            return Err(Hinted::error(
                format!("--toolchain: `{old}` and `{new}` are of two drivers"),
                "name one driver twice: --toolchain java@17 java@25",
            ));
        }
        if first.label == second.label {
            return Err(Hinted::error(
                format!("--toolchain: both are called `{}`", first.name()),
                format!("give them labels: --toolchain {0}@old=PATH {0}@new=PATH", first.driver),
            ));
        }
        let driver = first.driver.clone();
        Ok(Self { driver, old: first.build(progress, stop)?, new: second.build(progress, stop)? })
    }

    fn names(&self) -> [&str; 2] {
        [&self.old.description.driver, &self.new.description.driver]
    }

    /// Methods that only one build has, by its own account.
    fn unshared(&self) -> Vec<Unmeasured> {
        let lacks = |driver: &Driver, name: &str| driver.description.methods.iter().all(|m| m.name != name);
        let mut found = Vec::new();
        for (of, other, which) in [(&self.old, &self.new, "new"), (&self.new, &self.old, "old")] {
            for method in of.description.methods.iter().filter(|method| lacks(other, &method.name)) {
                found.push(Unmeasured {
                    method: MethodId::new(&of.description.driver, &method.name),
                    scope: None,
                    reason: format!("the {which} build has no such method"),
                });
            }
        }
        found
    }
}

/// `DRIVER@VERSION`, `DRIVER@PATH` or `DRIVER@LABEL=PATH`.
struct Wanted {
    driver: String,
    label: String,
    toolchain: String,
}

impl Wanted {
    fn of(word: &str) -> anyhow::Result<Self> {
        let (driver, rest) = split_toolchain(word).filter(|(_, rest)| !rest.is_empty()).ok_or_else(|| {
            Hinted::error(
                format!("--toolchain: `{word}` names no toolchain"),
                "it is written DRIVER@VERSION, DRIVER@PATH or DRIVER@LABEL=PATH, like java@25",
            )
        })?;
        // A path may hold the sign too.
        let (label, toolchain) = match rest.split_once('=') {
            Some((label, path)) if !label.contains('/') && !label.is_empty() && !path.is_empty() => {
                (label, path)
            }
            _ => (rest, rest),
        };
        if label.contains([':', '@']) {
            anyhow::bail!("--toolchain: `{label}` is no label: it may hold neither `:` nor `@`");
        }
        Ok(Self { driver: driver.to_owned(), label: label.to_owned(), toolchain: toolchain.to_owned() })
    }

    fn name(&self) -> String {
        format!("{}@{}", self.driver, self.label)
    }

    fn build(&self, progress: &mut Progress, stop: &AtomicBool) -> anyhow::Result<Driver> {
        let name = self.name();
        let mut tell = |step: BuildStep<'_>| {
            progress.note(&build_note(match step {
                BuildStep::Compiles(_) => BuildStep::Compiles(&name),
                BuildStep::Waits(_) => BuildStep::Waits(&name),
            }));
        };
        let mut watch = BuildWatch { tell: &mut tell, stop: Some(stop) };
        let built = Driver::of_toolchain(&self.driver, &self.toolchain, &mut watch);
        match built {
            Ok(driver) => Ok(driver.renamed(&name)),
            Err(reason) => {
                progress.finish();
                anyhow::bail!("--toolchain {name}: {reason}")
            }
        }
    }
}

/// A driver's name without a toolchain.
fn base(name: &str) -> &str {
    split_toolchain(name).map_or(name, |(base, _)| base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_is_a_version_a_path_or_a_labeled_path() {
        for (word, name, toolchain) in [
            ("java@17", "java@17", "17"),
            ("java@/usr/lib/jvm/x", "java@/usr/lib/jvm/x", "/usr/lib/jvm/x"),
            ("java@new=/opt/a=b", "java@new", "/opt/a=b"),
            ("java@/opt/a=b", "java@/opt/a=b", "/opt/a=b"),
            ("python@3.9=/usr/bin/python3.9", "python@3.9", "/usr/bin/python3.9"),
        ] {
            let wanted = Wanted::of(word).unwrap();
            assert_eq!((wanted.name().as_str(), wanted.toolchain.as_str()), (name, toolchain), "{word}");
        }
        for word in ["java", "java@", "", "java@a:b=/x"] {
            assert!(Wanted::of(word).is_err(), "{word}");
        }
    }
}
