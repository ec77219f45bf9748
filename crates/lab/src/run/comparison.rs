//! One comparison, from its plan to its results: what cannot run is set aside,
//! the rest is counted, timed and reviewed.

use super::{Interrupted, Lab, Scope};
use crate::drivers::runtime;
use crate::observer::{Event, Observer};
use crate::passes::count::{DataMoved, count};
use crate::passes::time_pass::cache_guard::CacheGuard;
use crate::passes::time_pass::fork::{ForkSetting, SeatSetting};
use crate::passes::time_pass::layout::Layout;
use crate::passes::time_pass::least_time::{LeastTime, clock_step_ns};
use crate::passes::time_pass::warm_up::warm_up_cap;
use crate::passes::time_pass::{self, Effort, Enough, Pace, TimePassSetting};
use crate::run::review::review;
use crate::setup::preflight::{PreflightError, preflight};
use crate::setup::preparation::Unprepared;
use fathom_catalog::{Goal, PlannedComparison};
use fathom_model::{
    Answered, ArmKind, CacheState, Comparison, CountPass, Explain, Reading, Setting, StopReason, Unmeasured,
    ValidityFlag, Variant, WorksOn, splitmix64,
};
use fathom_stats::{Parts, is_guarded, summarize, validity_of_comparison};
use std::time::{Duration, Instant};

/// What counting the calls of one file of a configuration is worth in bytes read.
const CONFIGURATION_BYTES: u64 = 64 << 10;

impl Lab<'_> {
    /// Measures one comparison; also says how long its time pass took.
    pub(super) fn compare(
        &mut self,
        planned: &PlannedComparison,
        budget: Duration,
        unmeasured: &mut Vec<Unmeasured>,
        observer: &mut dyn Observer,
    ) -> Result<Option<(Comparison, Duration)>, Interrupted> {
        let Some(planned) = self.only_possible(planned, unmeasured, observer)? else { return Ok(None) };
        let layout = Layout::of(&planned.variants, planned.baseline);
        let pace = self.pace(&planned, &layout, budget);
        self.tell_estimate(&planned, &pace, budget, observer);
        let counts = self.count_all(&planned, observer);
        let answers = self.answers(&planned);
        let programs = self.tell_validity(&planned, (&counts, &answers), observer);
        let enough = match &planned.goal {
            Goal::Verdicts(questions) => Enough::Verdicts(questions),
            Goal::Precision | Goal::Counts => Enough::Precision(self.options.precision),
        };
        let fork = match self.fork_setting(&layout, &planned.variants, &counts) {
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
            effort: Effort { budget, enough, forks_max: self.options.forks_max, pace },
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
        let interrupted = self.check_stop().is_err();
        if self.options.counts_only || planned.goal == Goal::Counts || interrupted {
            // Counters are read without times as well, where the user asks for them.
            let explain = match (self.options.counts_only, self.options.explain_counts) {
                (true, true) => vec![Explain::Counters],
                (true, false) => Vec::new(),
                (false, _) => planned.explain.clone(),
            };
            let mut comparison = untimed(planned, counts, layout, guard, answers);
            comparison.ranks = self.rank_run(&comparison);
            comparison.validity = self.validity(&comparison, &programs);
            let explained = self.explain(&explain, &mut comparison, observer);
            if interrupted || explained.is_err() {
                comparison.stop = StopReason::Interrupted;
            }
            return Ok(Some((comparison, Duration::ZERO)));
        }
        let begun = Instant::now();
        let places = self.ready.store.places();
        let passed = time_pass::run(&setting, &mut guard, &mut |so_far, elapsed| {
            observer.event(&Event::Timing { so_far, places, elapsed, budget });
        });
        let timed = begun.elapsed();
        let (summaries, control) = summarize(Parts {
            variants: &planned.variants,
            baseline: planned.baseline,
            arms: &layout.arms,
            forks: &passed.forks,
        });
        let mut comparison = Comparison {
            label: planned.label.clone(),
            variants: planned.variants.clone(),
            baseline: planned.baseline,
            differing_parameters: planned.differing_parameters.clone(),
            counts,
            arms: layout.arms,
            forks: passed.forks,
            cache: guard.into_evidence(),
            summaries,
            control,
            answers,
            long_runs: Vec::new(),
            explanations: Vec::new(),
            ranks: None,
            validity: Vec::new(),
            stop: passed.stop,
            warnings: Vec::new(),
        };
        // What was timed is kept, also when the user wants no more.
        comparison.ranks = self.rank_run(&comparison);
        let beside = self.watch_long_runs(&mut comparison, observer).and_then(|()| {
            self.explain_until = (pace.is_long() && self.options.keeps_time).then(|| begun + pace.limit());
            self.explain(&planned.explain, &mut comparison, observer)
        });
        if let Err(Interrupted) = beside {
            comparison.stop = StopReason::Interrupted;
        }
        comparison.validity = self.validity(&comparison, &programs);
        let found = review(&comparison);
        comparison.warnings.extend(found);
        comparison.warnings.extend(self.freed_inodes(&comparison.variants));
        Ok(Some((comparison, timed)))
    }

    /// The SHA-256 of each variant's program, where it matters and is known.
    fn programs(&self, planned: &PlannedComparison) -> Vec<Option<String>> {
        let digest = |variant: &Variant| {
            let facts = &self.drivers.driver(&variant.method.driver).ok()?.facts;
            let built = facts.product_sha256.value().cloned();
            built.or_else(|| crate::commands::digest_of(std::path::Path::new(&facts.program)))
        };
        if is_guarded(&planned.variants) { planned.variants.iter().map(digest).collect() } else { Vec::new() }
    }

    /// Says what keeps it from being a comparison, before any time is spent on it. Returns the
    /// SHA-256 of each variant's program.
    fn tell_validity(
        &self,
        planned: &PlannedComparison,
        (counts, answers): (&[Reading<CountPass>], &[Answered]),
        observer: &mut dyn Observer,
    ) -> Vec<Option<String>> {
        let programs = self.programs(planned);
        if !is_guarded(&planned.variants) {
            return programs;
        }
        let seen = Comparison {
            label: planned.label.clone(),
            variants: planned.variants.clone(),
            baseline: planned.baseline,
            differing_parameters: Vec::new(),
            counts: counts.to_vec(),
            arms: Vec::new(),
            forks: Vec::new(),
            cache: Vec::new(),
            summaries: Vec::new(),
            control: Reading::unavailable("not timed yet"),
            answers: answers.to_vec(),
            long_runs: Vec::new(),
            explanations: Vec::new(),
            ranks: None,
            validity: Vec::new(),
            stop: StopReason::CountsOnly,
            warnings: Vec::new(),
        };
        let flags = self.validity(&seen, &programs);
        let names: Vec<String> = planned.variants.iter().map(|variant| variant.method.to_string()).collect();
        observer.event(&Event::Validity { flags: &flags, names: &names });
        programs
    }

    fn validity(&self, comparison: &Comparison, programs: &[Option<String>]) -> Vec<ValidityFlag> {
        validity_of_comparison(comparison, self.ready.store.places(), programs)
    }

    /// What bounds the time pass, from the first operation of each variant.
    fn pace(&self, planned: &PlannedComparison, layout: &Layout, budget: Duration) -> Pace {
        /// What compiles as it goes takes up to so long for the first of any length.
        const COMPILING_NS: f64 = 1e9;
        let first = |variant: usize| {
            let variant = &planned.variants[variant];
            let ns = self.first_ns_of(variant).unwrap_or(0.0);
            if runtime::of(&variant.method.driver).jit && ns < COMPILING_NS { 0.0 } else { ns }
        };
        let arms = layout.arms.iter().map(|arm| match arm.kind {
            ArmKind::Variant(variant) => first(variant),
            ArmKind::Control => first(planned.baseline),
            ArmKind::Loop(_) => 0.0,
        });
        let arms: Vec<f64> = arms.collect();
        Pace::new(budget, self.options.keeps_time, &arms, warm_up_cap(layout))
    }

    /// Says how long it will take, before it begins.
    fn tell_estimate(
        &self,
        planned: &PlannedComparison,
        pace: &Pace,
        budget: Duration,
        observer: &mut dyn Observer,
    ) {
        let is_counted = |variant: &&Variant| {
            let key = Variant { cache: CacheState::Warm, ..(*variant).clone() };
            !self.counted.iter().any(|(counted, _)| *counted == key)
        };
        // Two operations of a long one, and a few processes' time of others.
        let counting = planned.variants.iter().filter(is_counted).map(|variant| {
            let twice = 2.0 * self.first_ns_of(variant).unwrap_or(0.0) / 1e9;
            Duration::from_secs_f64(twice.clamp(0.1, 3600.0))
        });
        let is_timed = !self.options.counts_only && planned.goal != Goal::Counts;
        observer.event(&Event::Estimated {
            label: &planned.label,
            counting: counting.sum(),
            timing: if is_timed { pace.expected() } else { Duration::ZERO },
            is_long: pace.is_long(),
            short_of: (is_timed && !pace.can_be_kept()).then_some((budget, pace.least())),
        });
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
        let ranks = driver.launcher().map_or(1, |launcher| u64::from(launcher.ranks));
        let asked = variant.parameters.settings.number(Setting::Ranks);
        if asked != ranks {
            return Ok(Err((scope, format!("needs {asked} ranks (--ranks), and runs as {ranks}"))));
        }
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
            Ok(tried) => {
                self.answered.push((variant.clone(), tried.answers));
                self.first_ns.push((variant.clone(), tried.first_ns));
                Ok(Ok(()))
            }
            Err(PreflightError::Interrupted) => Err(Interrupted),
            Err(PreflightError::Refused(reason)) => {
                Ok(Err((scope, self.ready.store.own_change().unwrap_or(reason))))
            }
        }
    }

    /// Counts of every variant. What was counted when the user interrupts is kept.
    fn count_all(
        &mut self,
        planned: &PlannedComparison,
        observer: &mut dyn Observer,
    ) -> Vec<Reading<CountPass>> {
        let mut counts = Vec::new();
        for (number, variant) in planned.variants.iter().enumerate() {
            let key = Variant { cache: CacheState::Warm, ..variant.clone() };
            if let Some((_, known)) = self.counted.iter().find(|(counted, _)| *counted == key) {
                counts.push(known.clone());
                continue;
            }
            if self.check_stop().is_err() {
                counts.push(Reading::unavailable("interrupted before it was counted"));
                continue;
            }
            observer.event(&Event::Counting { method: &variant.method, number, of: planned.variants.len() });
            let reading = self.count_variant(variant);
            if self.check_stop().is_ok() {
                self.counted.push((key, reading.clone()));
            }
            counts.push(reading);
        }
        counts
    }

    fn count_variant(&mut self, variant: &Variant) -> Reading<CountPass> {
        let drivers = self.drivers;
        let driver = match drivers.driver_of(&variant.method) {
            Ok(driver) => driver,
            Err(reason) => return Reading::unavailable(reason),
        };
        let expected = self.expected(variant);
        let mut bytes = expected.bytes_per_operation();
        if variant.operation.facts().works_on == WorksOn::AllFiles {
            bytes = bytes.max(u64::from(variant.parameters.data.files) * CONFIGURATION_BYTES);
        }
        // In which pieces a function of the user's reads is not known: it may be a call for every byte.
        let is_own = driver.is_own_function(&variant.method.name);
        let data = DataMoved { bytes, piece: if is_own { 1 } else { variant.parameters.block_bytes } };
        if let Some(launcher) = driver.launcher() {
            return self.count_of_ranks(variant, launcher, data);
        }
        let arguments = match self.arguments(variant, true) {
            Ok(arguments) => arguments,
            Err(reason) => return Reading::unavailable(reason),
        };
        let flawed = driver.may_answer_otherwise(&variant.method.name);
        count(driver, &arguments, (data, Some(&expected).filter(|_| !flawed)), first_cpu(), self.stop)
    }

    fn fork_setting<'b>(
        &'b self,
        layout: &'b Layout,
        variants: &[Variant],
        counts: &[Reading<CountPass>],
    ) -> Result<ForkSetting<'b>, String> {
        let clock_step_ns = clock_step_ns();
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
                .filter(|other| driver.may_answer_otherwise(&other.method.name))
                .filter_map(|other| {
                    let answers = self.answered_by(other)?.to_vec();
                    Some((other.method.name.clone(), expected.with_answers(answers)))
                })
                .collect();
            let least = variants
                .iter()
                .zip(counts)
                .filter(|(other, _)| {
                    other.method.driver == seat.driver
                        && other.operation == seat.operation
                        && other.parameters == seat.parameters
                })
                .filter_map(|(other, counted)| {
                    let least = LeastTime::from_counts(counted.value()?, clock_step_ns)?;
                    Some((other.method.name.clone(), least))
                })
                .collect();
            seats.push(SeatSetting {
                least,
                driver,
                arguments: self.ready.arguments(variant, false)?,
                writing: self
                    .ready
                    .writing(seat.place)
                    .filter(|_| seat.operation.makes_files(&seat.parameters.settings)),
                expected,
                flawed,
            });
        }
        Ok(ForkSetting { layout, seats, stop: self.stop })
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
        long_runs: Vec::new(),
        explanations: Vec::new(),
        ranks: None,
        validity: Vec::new(),
        stop: StopReason::CountsOnly,
        warnings: Vec::new(),
    }
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
