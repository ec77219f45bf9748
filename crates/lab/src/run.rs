//! A plan becomes an experiment's results: places and data are made, variants
//! that cannot run are set aside with the reason, the rest is counted and timed.

use crate::cache_guard::CacheGuard;
use crate::count::count;
use crate::data_set::DataError;
use crate::data_store::{DataStore, PlaceError};
use crate::driver_set::DriverSet;
use crate::expected::Expected;
use crate::fork::{ForkSetting, SeatSetting};
use crate::layout::Layout;
use crate::observer::{Event, Observer};
use crate::preflight::{PreflightError, preflight};
use crate::protocol::RunArguments;
use crate::review::review;
use crate::time_pass::{self, Effort, TimePassSetting};
use fathom_catalog::{Plan, PlannedComparison};
use fathom_model::{
    CacheState, Comparison, CountPass, ExperimentRecord, Operation, Parameters, Place, PlaceFacts, Reading,
    StopReason, Unmeasured, Variant, splitmix64,
};
use fathom_stats::{Parts, summarize};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Time for the time passes of one experiment together.
    pub time: Option<Duration>,
    /// Stop a comparison early when every ratio is known to this half width, as a share of it.
    pub precision: f64,
    /// At most this many forks of a comparison.
    pub forks_max: usize,
    /// Drop the machine's caches before cold samples.
    pub drop_caches: bool,
    /// Seed of every random choice.
    pub seed: u64,
    /// Resolution of the clock, in ns.
    pub clock_resolution_ns: f64,
}

/// Time given to a comparison when nobody said how long.
const TIME_PER_COMPARISON: Duration = Duration::from_secs(3);
/// An experiment gets at least this.
const TIME_LEAST: Duration = Duration::from_secs(10);

/// What the right answers depend on: operation, parameters, content seeds.
type ExpectedKey = (Operation, Parameters, Vec<u64>);

/// Runs plans one after the other, on places shared by all.
#[derive(Debug)]
pub struct Lab<'a> {
    drivers: &'a DriverSet,
    options: Options,
    stop: &'a AtomicBool,
    store: DataStore,
    /// What is right, which takes a second per GiB to compute.
    expected: RefCell<Vec<(ExpectedKey, Expected)>>,
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
            store: DataStore::default(),
            expected: RefCell::new(Vec::new()),
            counted: Vec::new(),
        }
    }

    /// The facts of every place used so far; `Variant::place` of results is an index into them.
    pub fn places(&self) -> Vec<PlaceFacts> {
        self.store.places().to_vec()
    }

    /// What was left behind, foreign files found in our directories, and the like.
    pub fn close(self) -> Vec<String> {
        self.store.close()
    }

    /// Runs a plan. An error means that a place cannot be used at all.
    pub fn run(&mut self, plan: &Plan, observer: &mut dyn Observer) -> Result<Outcome, PlaceError> {
        let mut places = Vec::new();
        for place in &plan.places {
            places.push(self.store.place(place));
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
        };
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
            self.store.keep_only(&wanted);
            let share = left / u32::try_from(plan.comparisons.len() - number).unwrap_or(u32::MAX);
            let begun = std::time::Instant::now();
            match self.compare(&planned, share, &mut experiment.unmeasured, observer) {
                Ok(Some((comparison, timed))) => {
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
        }
        experiment.unmeasured.dedup();
        Ok(Outcome { experiment, complete })
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
        let layout = Layout::of(&planned.variants, planned.baseline);
        let setting = TimePassSetting {
            fork: self.fork_setting(&layout),
            variants: &planned.variants,
            baseline: planned.baseline,
            effort: Effort { budget, precision: self.options.precision, forks_max: self.options.forks_max },
            clock_resolution_ns: self.options.clock_resolution_ns,
            seed: self.options.seed ^ splitmix64(planned.variants.len() as u64),
        };
        let guard = CacheGuard::new(&planned.variants, &layout, &self.store, self.options.drop_caches);
        let mut guard = match guard {
            Ok(guard) => guard,
            Err(error) => {
                set_aside(&planned, &error.to_string(), unmeasured);
                return Ok(None);
            }
        };
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
            stop: passed.stop,
            warnings: Vec::new(),
        };
        comparison.warnings = review(&comparison);
        Ok(Some((comparison, timed)))
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
        let scope = Some(self.store.facts(variant.place).scope());
        if variant.cache == CacheState::Cold && self.store.facts(variant.place).in_memory {
            let reason = "this file system keeps its files in memory: there is no cold state";
            return Ok(Err((scope, reason.to_owned())));
        }
        let made = self.store.make(
            variant.place,
            &variant.parameters.data,
            self.options.seed,
            self.stop,
            &mut |done, total| {
                observer.event(&Event::MakingData { done, total });
            },
        );
        match made {
            Ok(()) => {}
            Err(DataError::Interrupted) => return Err(Interrupted),
            Err(error) => return Ok(Err((scope, error.to_string()))),
        }
        let arguments = self.arguments(variant, false);
        let expected = self.expected(variant);
        match preflight(driver, &arguments, &expected, self.stop) {
            Ok(()) => Ok(Ok(())),
            Err(PreflightError::Interrupted) => Err(Interrupted),
            Err(PreflightError::Refused(reason)) => Ok(Err((scope, reason))),
        }
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
                Ok(driver) => {
                    let arguments = self.arguments(variant, true);
                    let bytes = self.expected(variant).bytes_per_operation();
                    count(driver, &arguments, bytes, first_cpu(), self.stop).map_err(|_| Interrupted)?
                }
                Err(reason) => Reading::unavailable(reason),
            };
            self.counted.push((key, reading.clone()));
            counts.push(reading);
        }
        Ok(counts)
    }

    fn fork_setting<'b>(&'b self, layout: &'b Layout) -> ForkSetting<'b> {
        let seats = layout
            .seats
            .iter()
            .map(|seat| SeatSetting {
                driver: self.drivers.driver(&seat.driver).expect("variants without a driver were set aside"),
                paths: self.store.paths(seat.place, &seat.parameters.data),
                expected: self.expected_of(seat.operation, seat.place, &seat.parameters),
            })
            .collect();
        ForkSetting { layout, seats, offset_seed: self.options.seed, stop: self.stop }
    }

    fn arguments(&self, variant: &Variant, marks: bool) -> RunArguments {
        RunArguments {
            operation: variant.operation,
            methods: vec![variant.method.name.clone()],
            paths: self.store.paths(variant.place, &variant.parameters.data),
            parameters: variant.parameters.clone(),
            seed: self.options.seed,
            marks,
        }
    }

    fn expected(&self, variant: &Variant) -> Expected {
        self.expected_of(variant.operation, variant.place, &variant.parameters)
    }

    fn expected_of(&self, operation: Operation, place: usize, parameters: &Parameters) -> Expected {
        let seeds = self.store.seeds(place, &parameters.data);
        let key = (operation, parameters.clone(), seeds.clone());
        let mut known = self.expected.borrow_mut();
        if let Some((_, expected)) = known.iter().find(|(known, _)| *known == key) {
            return expected.clone();
        }
        let expected = Expected::new(operation, parameters, seeds, self.options.seed);
        known.push((key, expected.clone()));
        expected
    }

    fn check_stop(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
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
