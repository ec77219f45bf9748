//! A plan becomes an experiment's results: places and data are made, variants
//! that cannot run are set aside with the reason, the rest is counted and timed.
//!
//! What a pass does is `passes`', what became of a scenario's trials another crate's.

mod beside;
mod comparison;
mod explain;
pub(crate) mod host_review;
mod ranks;
pub(crate) mod review;
pub(crate) mod scenario;

use self::scenario::{Conditions, TryScenario};
use crate::data::kept_set::SetName;
use crate::data::own_files::OwnFiles;
use crate::data::truth::Answer;
use crate::drivers::driver_build::cache_directory;
use crate::drivers::driver_set::DriverSet;
use crate::observer::{Event, Observer};
use crate::passes::time_pass::cache_guard::CacheOptions;
use crate::processes::expected::Expected;
use crate::processes::protocol::RunArguments;
use crate::setup::data_store::PlaceError;
use crate::setup::preparation::Preparation;
use fathom_catalog::{Goal, Plan, PlannedComparison, Scenario};
use fathom_model::{
    CountPass, ExperimentRecord, Place, PlaceFacts, PriceList, Reading, StopReason, Unmeasured, Variant,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is something of its own that the user may ask for")]
pub struct Options {
    /// Time for the time passes of one experiment together.
    pub time: Option<Duration>,
    /// At most this for each comparison, instead of a share of the whole.
    pub time_each: Option<Duration>,
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
    /// Read the kernel's counters all the same.
    pub explain_counts: bool,
    /// The time was asked for: a run ends within one and a half times of it, or says that it cannot.
    pub keeps_time: bool,
    /// Seed of every random choice.
    pub seed: u64,
    /// Resolution of the clock, in ns.
    pub clock_resolution_ns: f64,
}

impl Options {
    /// Time that the time passes of a plan's comparisons may take together.
    pub fn time_for(&self, plan: &Plan) -> Duration {
        let all = u32::try_from(plan.comparisons.len()).unwrap_or(u32::MAX);
        let usual = || (TIME_PER_COMPARISON * all).max(TIME_LEAST);
        self.time_among(&plan.comparisons, self.time.unwrap_or_else(usual))
    }

    /// The part of `shared` that these comparisons may take, or as many times what each is given.
    fn time_among(&self, comparisons: &[PlannedComparison], shared: Duration) -> Duration {
        let timed = comparisons.iter().filter(|comparison| self.times(comparison)).count();
        let timed = u32::try_from(timed).unwrap_or(u32::MAX);
        let shared = if timed == 0 { Duration::ZERO } else { shared };
        self.time_each.map_or(shared, |each| each * timed)
    }

    fn times(&self, comparison: &PlannedComparison) -> bool {
        !self.counts_only && comparison.goal != Goal::Counts
    }

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
    try_scenario: TryScenario,
    stop: &'a AtomicBool,
    ready: Preparation,
    /// What one operation of each variant answered.
    answered: Vec<(Variant, Vec<Answer>)>,
    /// When no further pass that explains begins.
    explain_until: Option<Instant>,
    /// What the first operation of each variant took, in ns.
    first_ns: Vec<(Variant, f64)>,
    /// Counts already taken: the cache state does not change them.
    counted: Vec<(Variant, Reading<CountPass>)>,
    /// The same of each rank, of drivers that run as several.
    rank_counts: Vec<(Variant, Vec<Reading<CountPass>>)>,
    /// The prices of each place that was asked for, by its index.
    prices: Vec<(usize, Reading<PriceList>)>,
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
    /// A lab with no place yet; `try_scenario` is who tries the scenarios of its plans.
    pub fn new(
        drivers: &'a DriverSet,
        options: Options,
        try_scenario: TryScenario,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            drivers,
            options,
            try_scenario,
            stop,
            ready: Preparation::new(options.seed),
            answered: Vec::new(),
            explain_until: None,
            first_ns: Vec::new(),
            counted: Vec::new(),
            rank_counts: Vec::new(),
            prices: Vec::new(),
        }
    }

    /// Uses the kept set of this name, in each place, instead of making data sets.
    pub fn use_kept(&mut self, name: SetName) {
        self.ready.store.kept = Some(name);
    }

    /// Reads the user's own files instead of making data sets.
    pub fn use_own(&mut self, files: OwnFiles) {
        self.ready.store.own = Some(files);
    }

    /// The facts of every place used so far; `Variant::place` of results is an index into them.
    pub fn places(&self) -> Vec<PlaceFacts> {
        self.ready.store.places().to_vec()
    }

    /// The prices by which times were broken down.
    pub fn prices(&self) -> Vec<PriceList> {
        self.prices.iter().filter_map(|(_, prices)| prices.value().cloned()).collect()
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
            claims: plan.claims.clone(),
        };
        if let Some(scenario) = plan.scenario {
            let complete;
            (experiment.outcomes, complete) = self.try_scenario(scenario, plan, &places, observer);
            return Ok(Outcome { experiment, complete });
        }
        let mut left = self.options.time_for(plan);
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
            let of = plan.comparisons.len();
            let share = self
                .options
                .time_each
                .unwrap_or_else(|| left / u32::try_from(of - number).unwrap_or(u32::MAX));
            let budget = if self.options.times(&planned) { share } else { Duration::ZERO };
            let later = self.options.time_among(&plan.comparisons[number + 1..], left.saturating_sub(budget));
            observer.event(&Event::Comparison { label: &planned.label, number, of, budget, later });
            let begun = Instant::now();
            match self.compare(&planned, share, &mut experiment.unmeasured, observer) {
                Ok(Some((comparison, timed))) => {
                    self.measure_ceilings(plan, &comparison, &mut experiment, observer);
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
        (self.try_scenario)(scenario, &conditions, observer)
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
