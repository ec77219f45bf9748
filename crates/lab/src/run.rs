//! A plan becomes an experiment's results: places and data are made, variants
//! that cannot run are set aside with the reason, the rest is counted and timed.

use crate::cache_guard::{CacheGuard, CacheOptions};
use crate::ceiling;
use crate::count::count;
use crate::data_store::PlaceError;
use crate::driver_build::cache_directory;
use crate::driver_set::DriverSet;
use crate::expected::Expected;
use crate::fork::{ForkSetting, SeatSetting};
use crate::kept_set::SetName;
use crate::layout::Layout;
use crate::long_run::{self, Watched};
use crate::observer::{Event, Observer};
use crate::preflight::{PreflightError, preflight};
use crate::preparation::{Preparation, Unprepared};
use crate::protocol::RunArguments;
use crate::review::review;
use crate::scenario::{self, Conditions};
use crate::time_pass::{self, Effort, TimePassSetting};
use crate::truth::Answer;
use fathom_catalog::{Plan, PlannedComparison, Scenario};
use fathom_model::{
    Answered, ArmKind, CacheState, Comparison, CountPass, ExperimentRecord, Operation, Place, PlaceFacts,
    Reading, Setting, Severity, StopReason, Unmeasured, Variant, Warning, splitmix64,
};
use fathom_stats::{Parts, summarize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is something of its own that the user may ask for")]
pub struct Options {
    /// Time for the time passes of one experiment together.
    pub time: Option<Duration>,
    /// Stop a comparison early when every ratio is known to this half width, as a share of it.
    pub precision: f64,
    /// At most this many forks of a comparison.
    pub forks_max: usize,
    /// Drop the machine's caches before cold samples.
    pub drop_caches: bool,
    /// Change the read-ahead of devices where an experiment asks for it.
    pub set_read_ahead: bool,
    /// Make file systems and mount them, seen by a process of ours only, where an experiment asks for it.
    pub mount: bool,
    /// Count calls and take no time.
    pub counts_only: bool,
    /// Seed of every random choice.
    pub seed: u64,
    /// Resolution of the clock, in ns.
    pub clock_resolution_ns: f64,
}

impl Options {
    fn cache_options(&self) -> CacheOptions {
        CacheOptions {
            drop_caches: self.drop_caches,
            // Without a cache directory what is changed is put back all the same, but not after a kill.
            state_directory: cache_directory().unwrap_or_else(|_| std::env::temp_dir()),
        }
    }
}

/// Time given to a comparison when nobody said how long.
const TIME_PER_COMPARISON: Duration = Duration::from_secs(3);
/// An experiment gets at least this.
const TIME_LEAST: Duration = Duration::from_secs(10);

/// Runs plans one after the other, on places shared by all.
#[derive(Debug)]
pub struct Lab<'a> {
    drivers: &'a DriverSet,
    options: Options,
    stop: &'a AtomicBool,
    ready: Preparation,
    /// What one operation of each variant answered.
    answered: Vec<(Variant, Vec<Answer>)>,
    /// Counts already taken: the cache state does not change them.
    counted: Vec<(Variant, Reading<CountPass>)>,
}

/// The results of one plan, and whether it ran to its end.
#[derive(Debug)]
pub struct Outcome {
    /// The results.
    pub experiment: ExperimentRecord,
    /// False when it was interrupted or something failed.
    pub complete: bool,
}

/// The user interrupted it.
struct Interrupted;

impl<'a> Lab<'a> {
    /// A lab with no place yet.
    pub fn new(drivers: &'a DriverSet, options: Options, stop: &'a AtomicBool) -> Self {
        Self {
            drivers,
            options,
            stop,
            ready: Preparation::new(options.seed),
            answered: Vec::new(),
            counted: Vec::new(),
        }
    }

    /// Uses the kept set of this name, in each place, instead of making data sets.
    pub fn use_kept(&mut self, name: SetName) {
        self.ready.store.kept = Some(name);
    }

    /// The facts of every place used so far; `Variant::place` of results is an index into them.
    pub fn places(&self) -> Vec<PlaceFacts> {
        self.ready.store.places().to_vec()
    }

    /// What was left behind, foreign files found in our directories, and the like.
    pub fn close(self) -> Vec<String> {
        self.ready.close()
    }

    /// Runs a plan. An error means that a place cannot be used at all.
    pub fn run(&mut self, plan: &Plan, observer: &mut dyn Observer) -> Result<Outcome, PlaceError> {
        let mut places = Vec::new();
        for place in &plan.places {
            places.push(self.ready.store.place(place));
        }
        if places.iter().all(Result::is_err) {
            return Err(places.swap_remove(0).expect_err("all are errors"));
        }
        let mut experiment = ExperimentRecord {
            name: plan.name.clone(),
            title: plan.title.clone(),
            question: plan.question.clone(),
            source: plan.source.clone(),
            comparisons: Vec::new(),
            unmeasured: plan.unmeasured.clone(),
            outcomes: Vec::new(),
            ceilings: Vec::new(),
            reported: plan.reported.clone(),
        };
        if let Some(scenario) = plan.scenario {
            let complete;
            (experiment.outcomes, complete) = self.try_scenario(scenario, plan, &places, observer);
            return Ok(Outcome { experiment, complete });
        }
        let mut left = self.options.time.unwrap_or_else(|| {
            (TIME_PER_COMPARISON * u32::try_from(plan.comparisons.len()).unwrap_or(u32::MAX)).max(TIME_LEAST)
        });
        let mut complete = true;
        for (number, planned) in plan.comparisons.iter().enumerate() {
            let Some(planned) = with_places(planned, plan, &places, &mut experiment.unmeasured) else {
                continue;
            };
            let later = plan.comparisons[number..].iter().flat_map(|later| &later.variants);
            let wanted: Vec<_> = later
                .filter_map(|variant| Some((*places[variant.place].as_ref().ok()?, &variant.parameters.data)))
                .collect();
            self.ready.store.keep_only(&wanted);
            let share = left / u32::try_from(plan.comparisons.len() - number).unwrap_or(u32::MAX);
            let begun = std::time::Instant::now();
            match self.compare(&planned, share, &mut experiment.unmeasured, observer) {
                Ok(Some((comparison, timed))) => {
                    self.measure_ceilings(plan, &comparison, &mut experiment);
                    complete &= !matches!(comparison.stop, StopReason::Interrupted | StopReason::Failed(_));
                    left = left.saturating_sub(timed);
                    let interrupted = comparison.stop == StopReason::Interrupted;
                    experiment.comparisons.push(comparison);
                    if interrupted {
                        break;
                    }
                }
                Ok(None) => left = left.saturating_sub(begun.elapsed().min(share)),
                Err(Interrupted) => {
                    complete = false;
                    break;
                }
            }
            self.ready.end_comparison(planned.variants[0].operation);
        }
        experiment.unmeasured.dedup();
        Ok(Outcome { experiment, complete })
    }

    /// Runs a scenario in the plan's places.
    fn try_scenario(
        &self,
        scenario: Scenario,
        plan: &Plan,
        places: &[Result<usize, PlaceError>],
        observer: &mut dyn Observer,
    ) -> (Vec<fathom_model::Outcome>, bool) {
        let named = |place: &Result<usize, PlaceError>| match place {
            Ok(index) => Ok((*index, self.ready.store.facts(*index).scope())),
            Err(error) => Err(error.to_string()),
        };
        let places: Vec<_> = plan.places.iter().zip(places.iter().map(named)).collect();
        let conditions = Conditions { places: &places, mount: self.options.mount, stop: self.stop };
        scenario::run(scenario, &conditions, observer)
    }

    /// Measures one comparison; also says how long its time pass took.
    fn compare(
        &mut self,
        planned: &PlannedComparison,
        budget: Duration,
        unmeasured: &mut Vec<Unmeasured>,
        observer: &mut dyn Observer,
    ) -> Result<Option<(Comparison, Duration)>, Interrupted> {
        observer.event(&Event::Comparison { label: &planned.label, variants: planned.variants.len() });
        let Some(planned) = self.only_possible(planned, unmeasured, observer)? else { return Ok(None) };
        let counts = self.count_all(&planned, observer)?;
        let answers = self.answers(&planned);
        let layout = Layout::of(&planned.variants, planned.baseline);
        let fork = match self.fork_setting(&layout, &planned.variants) {
            Ok(fork) => fork,
            Err(reason) => {
                set_aside(&planned, &reason, unmeasured);
                return Ok(None);
            }
        };
        let setting = TimePassSetting {
            fork,
            variants: &planned.variants,
            baseline: planned.baseline,
            effort: Effort { budget, precision: self.options.precision, forks_max: self.options.forks_max },
            clock_resolution_ns: self.options.clock_resolution_ns,
            seed: self.options.seed ^ splitmix64(planned.variants.len() as u64),
        };
        let guard =
            CacheGuard::new(&planned.variants, &layout, &self.ready.store, &self.options.cache_options());
        let mut guard = match guard {
            Ok(guard) => guard,
            Err(error) => {
                set_aside(&planned, &error.to_string(), unmeasured);
                return Ok(None);
            }
        };
        if self.options.counts_only {
            return Ok(Some((untimed(planned, counts, layout, guard, answers), Duration::ZERO)));
        }
        let begun = std::time::Instant::now();
        let passed = time_pass::run(&setting, &mut guard, &mut |forks, elapsed| {
            observer.event(&Event::Timing { label: &planned.label, forks, elapsed, budget });
        });
        let timed = begun.elapsed();
        let (summaries, control) = summarize(Parts {
            variants: &planned.variants,
            baseline: planned.baseline,
            arms: &layout.arms,
            forks: &passed.forks,
        });
        let mut comparison = Comparison {
            label: planned.label,
            variants: planned.variants,
            baseline: planned.baseline,
            differing_parameters: planned.differing_parameters,
            counts,
            arms: layout.arms,
            forks: passed.forks,
            cache: guard.into_evidence(),
            summaries,
            control,
            answers,
            long_runs: Vec::new(),
            stop: passed.stop,
            warnings: Vec::new(),
        };
        self.watch_long_runs(&mut comparison)?;
        let found = review(&comparison);
        comparison.warnings.extend(found);
        comparison.warnings.extend(self.freed_inodes(&comparison.variants));
        Ok(Some((comparison, timed)))
    }

    /// The ceilings that the plan asks for, once, on the first comparison's files.
    fn measure_ceilings(&self, plan: &Plan, comparison: &Comparison, experiment: &mut ExperimentRecord) {
        let Some(example) = comparison.variants.first().filter(|_| experiment.ceilings.is_empty()) else {
            return;
        };
        experiment.ceilings = plan
            .ceilings
            .iter()
            .map(|&kind| ceiling::measure(kind, example, &self.ready, self.drivers, self.stop))
            .collect();
    }

    /// One further run of each variant that asks for it, watched over its time.
    fn watch_long_runs(&self, comparison: &mut Comparison) -> Result<(), Interrupted> {
        for (number, variant) in comparison.variants.iter().enumerate() {
            let settings = &variant.parameters.settings;
            if settings.text(Setting::Timeline) != "on" {
                continue;
            }
            self.check_stop()?;
            let driver = self.drivers.driver(&variant.method.driver).map_err(str::to_owned);
            let operations = u32::try_from(settings.number(Setting::Operations)).unwrap_or(u32::MAX).max(1);
            let device = self.ready.store.facts(variant.place).device.value().map(|d| d.number.clone());
            let watched = driver.and_then(|driver| {
                let arguments = self.arguments(variant, false)?;
                let watched = Watched { driver, arguments, variant: number, operations, device };
                long_run::watch(&watched, self.stop).map_err(|error| error.to_string())
            });
            self.check_stop()?;
            match watched {
                Ok(run) => comparison.long_runs.push(run),
                Err(reason) => {
                    let text = format!("the long run of {} failed: {reason}", variant.method);
                    comparison.warnings.push(Warning::new(Severity::Warning, "no-long-run", text));
                }
            }
        }
        Ok(())
    }

    /// A file system that does not reuse inodes freed a short while ago lets
    /// creations pay for removals before them.
    fn freed_inodes(&self, variants: &[Variant]) -> Option<Warning> {
        let slow = |variant: &&Variant| {
            let facts = self.ready.store.facts(variant.place);
            let journal = facts.journal.value().map_or("", String::as_str);
            variant.operation == Operation::Create && facts.file_system == "ext4" && journal == "no journal"
        };
        variants.iter().find(slow)?;
        let text = "ext4 without a journal passes over inodes freed in the last minutes, one by one: \
                    creations may pay for what other programs and earlier runs removed";
        Some(
            Warning::new(Severity::Warning, "freed-inodes", text)
                .with_hint("compare within this table only, or measure on another file system with --dir"),
        )
    }

    /// Sets aside what cannot run here. `None` when nothing is left.
    fn only_possible(
        &mut self,
        planned: &PlannedComparison,
        unmeasured: &mut Vec<Unmeasured>,
        observer: &mut dyn Observer,
    ) -> Result<Option<PlannedComparison>, Interrupted> {
        let mut refused: Vec<&Variant> = Vec::new();
        for (number, variant) in planned.variants.iter().enumerate() {
            self.check_stop()?;
            observer.event(&Event::Checking { method: &variant.method, number, of: planned.variants.len() });
            if let Err((scope, reason)) = self.try_variant(variant, observer)? {
                let item = Unmeasured { method: variant.method.clone(), scope, reason };
                if !unmeasured.contains(&item) {
                    unmeasured.push(item);
                }
                refused.push(variant);
            }
        }
        Ok(planned.clone().retain(|variant| !refused.contains(&variant)))
    }

    /// Whether a variant works here: a scope and a reason when it does not.
    fn try_variant(
        &mut self,
        variant: &Variant,
        observer: &mut dyn Observer,
    ) -> Result<Result<(), (Option<String>, String)>, Interrupted> {
        let driver = match self.drivers.driver_of(&variant.method) {
            Ok(driver) => driver,
            Err(reason) => return Ok(Err((None, reason))),
        };
        let scope = Some(self.ready.store.facts(variant.place).scope());
        if variant.cache == CacheState::Cold && self.ready.store.facts(variant.place).in_memory {
            let reason = "this file system keeps its files in memory: there is no cold state";
            return Ok(Err((scope, reason.to_owned())));
        }
        if variant.parameters.settings.text(Setting::ReadAhead) != "device" && !self.options.set_read_ahead {
            let reason = "changing the device's read-ahead has to be asked for: --set-read-ahead (root only)";
            return Ok(Err((scope, reason.to_owned())));
        }
        let made = self.ready.prepare(variant, self.stop, &mut |done, total| {
            observer.event(&Event::MakingData { done, total });
        });
        match made {
            Ok(()) => {}
            Err(Unprepared::Interrupted) => return Err(Interrupted),
            Err(Unprepared::Refused(reason)) => return Ok(Err((scope, reason))),
        }
        let arguments = match self.arguments(variant, false) {
            Ok(arguments) => arguments,
            Err(reason) => return Ok(Err((scope, reason))),
        };
        let expected = self.expected(variant);
        match preflight(driver, &arguments, &expected, self.stop) {
            Ok(answers) => {
                self.answered.push((variant.clone(), answers));
                Ok(Ok(()))
            }
            Err(PreflightError::Interrupted) => Err(Interrupted),
            Err(PreflightError::Refused(reason)) => Ok(Err((scope, reason))),
        }
    }

    /// What each variant answered beside the truth, where an operation counts
    /// something or a method is known to answer wrongly.
    fn answers(&self, planned: &PlannedComparison) -> Vec<Answered> {
        let flaw = |variant: &Variant| {
            let driver = self.drivers.driver(&variant.method.driver).ok()?;
            driver.method(&variant.method.name)?.flaw.clone()
        };
        let counts = |variant: &Variant| self.expected(variant).counted().is_some();
        if !planned.variants.iter().any(|variant| counts(variant) || flaw(variant).is_some()) {
            return Vec::new();
        }
        let of = |variant: &Variant| {
            let expected = self.expected(variant);
            let (what, truth) = (expected.counted(), expected.answers().first());
            let found = self.answered_by(variant).and_then(|answers| answers.first());
            let figure = |answer: Option<&Answer>| {
                answer.map_or(0, |answer| if what.is_some() { answer.count } else { answer.digest })
            };
            Answered {
                what: what.unwrap_or("digest").to_owned(),
                found: figure(found),
                expected: figure(truth),
                flaw: flaw(variant),
            }
        };
        planned.variants.iter().map(of).collect()
    }

    fn answered_by(&self, variant: &Variant) -> Option<&[Answer]> {
        let of_variant = self.answered.iter().rev().find(|(known, _)| known == variant);
        of_variant.map(|(_, answers)| answers.as_slice())
    }

    fn count_all(
        &mut self,
        planned: &PlannedComparison,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Reading<CountPass>>, Interrupted> {
        let mut counts = Vec::new();
        for (number, variant) in planned.variants.iter().enumerate() {
            self.check_stop()?;
            let key = Variant { cache: CacheState::Warm, ..variant.clone() };
            if let Some((_, known)) = self.counted.iter().find(|(counted, _)| *counted == key) {
                counts.push(known.clone());
                continue;
            }
            observer.event(&Event::Counting { method: &variant.method, number, of: planned.variants.len() });
            let reading = match self.drivers.driver_of(&variant.method) {
                Ok(driver) => match self.arguments(variant, true) {
                    Ok(arguments) => {
                        let bytes = self.expected(variant).bytes_per_operation();
                        count(driver, &arguments, bytes, first_cpu(), self.stop).map_err(|_| Interrupted)?
                    }
                    Err(reason) => Reading::unavailable(reason),
                },
                Err(reason) => Reading::unavailable(reason),
            };
            self.counted.push((key, reading.clone()));
            counts.push(reading);
        }
        Ok(counts)
    }

    fn fork_setting<'b>(
        &'b self,
        layout: &'b Layout,
        variants: &[Variant],
    ) -> Result<ForkSetting<'b>, String> {
        let mut seats = Vec::new();
        for (number, seat) in layout.seats.iter().enumerate() {
            let driver = self.drivers.driver(&seat.driver).map_err(str::to_owned)?;
            let of_seat = layout.arms.iter().find_map(|arm| match arm.kind {
                ArmKind::Variant(variant) if arm.seat == number => Some(&variants[variant]),
                _ => None,
            });
            let variant = of_seat.ok_or("a process without a variant")?;
            let expected = self.expected(variant);
            let flawed = variants
                .iter()
                .filter(|other| other.method.driver == seat.driver && other.parameters == seat.parameters)
                .filter(|other| driver.method(&other.method.name).is_some_and(|m| m.flaw.is_some()))
                .filter_map(|other| {
                    let answers = self.answered_by(other)?.to_vec();
                    Some((other.method.name.clone(), expected.with_answers(answers)))
                })
                .collect();
            seats.push(SeatSetting {
                driver,
                arguments: self.ready.arguments(variant, false)?,
                writing: self.ready.writing(seat.place).filter(|_| seat.operation.writes()),
                expected,
                flawed,
            });
        }
        Ok(ForkSetting { layout, seats, stop: self.stop })
    }

    fn arguments(&self, variant: &Variant, marks: bool) -> Result<RunArguments, String> {
        let arguments = self.ready.arguments(variant, marks)?;
        self.ready.with_directory(arguments, variant.place)
    }

    fn expected(&self, variant: &Variant) -> Expected {
        self.ready.expected(variant.operation, variant.place, &variant.parameters)
    }

    fn check_stop(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}

/// A comparison of which only the calls were counted.
fn untimed(
    planned: PlannedComparison,
    counts: Vec<Reading<CountPass>>,
    layout: Layout,
    guard: CacheGuard,
    answers: Vec<Answered>,
) -> Comparison {
    let not_timed = "not timed: only counts were asked for";
    Comparison {
        label: planned.label,
        summaries: vec![Reading::unavailable(not_timed); planned.variants.len()],
        variants: planned.variants,
        baseline: planned.baseline,
        differing_parameters: planned.differing_parameters,
        counts,
        arms: layout.arms,
        forks: Vec::new(),
        cache: guard.into_evidence(),
        control: Reading::unavailable(not_timed),
        answers,
        // All the time there was for it: none.
        long_runs: Vec::new(),
        stop: StopReason::TimeBudget,
        warnings: Vec::new(),
    }
}

/// The comparison with places of the plan replaced by places of the lab. Variants
/// in a place that cannot be used are set aside.
fn with_places(
    planned: &PlannedComparison,
    plan: &Plan,
    places: &[Result<usize, PlaceError>],
    unmeasured: &mut Vec<Unmeasured>,
) -> Option<PlannedComparison> {
    for variant in &planned.variants {
        if let Err(error) = &places[variant.place] {
            let scope = Some(plan.places[variant.place].to_string());
            let item = Unmeasured { method: variant.method.clone(), scope, reason: error.to_string() };
            if !unmeasured.contains(&item) {
                unmeasured.push(item);
            }
        }
    }
    let mut usable = planned.clone().retain(|variant| places[variant.place].is_ok())?;
    for variant in &mut usable.variants {
        if let Ok(index) = &places[variant.place] {
            variant.place = *index;
        }
    }
    Some(usable)
}

/// Notes for every variant of a comparison why it was not measured.
fn set_aside(planned: &PlannedComparison, reason: &str, unmeasured: &mut Vec<Unmeasured>) {
    for variant in &planned.variants {
        let scope = Some(planned.label.clone());
        unmeasured.push(Unmeasured { method: variant.method.clone(), scope, reason: reason.to_owned() });
    }
}

/// A CPU for the tracer and its tracee to share.
fn first_cpu() -> Option<u32> {
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    (0..rustix::thread::CpuSet::MAX_CPU).find(|&cpu| set.is_set(cpu)).and_then(|cpu| u32::try_from(cpu).ok())
}

/// A seed for a run that was given none.
pub fn draw_seed() -> u64 {
    let mut bytes = [0; 8];
    // Without the kernel's generator (a very early boot) the time does.
    let drawn = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::NONBLOCK);
    if drawn.is_ok_and(|count| count == bytes.len()) {
        return u64::from_le_bytes(bytes);
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    splitmix64(now.as_secs() ^ u64::from(now.subsec_nanos()).rotate_left(32))
}

/// A place as a scope in words: `tmpfs /dev/shm`.
pub(crate) trait Scope {
    fn scope(&self) -> String;
}

impl Scope for PlaceFacts {
    fn scope(&self) -> String {
        match &self.place {
            Place::Memfd => "memfd".to_owned(),
            Place::Directory(path) => format!("{} {}", self.file_system, path.display()),
        }
    }
}
