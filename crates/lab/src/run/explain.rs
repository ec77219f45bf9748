//! Why each variant of a comparison takes the time it takes: the passes that are
//! asked for, after the time pass, each in a process of its own.

use super::{Interrupted, Lab};
use crate::drivers::driver_build::cache_directory;
use crate::observer::{Event, Observer};
use crate::passes::alone::Alone;
use crate::passes::evidence_pass;
use crate::passes::latency_pass;
use crate::passes::profile_pass;
use crate::prices;
use crate::processes::batch_ground::keeps_freed_inodes;
use fathom_collect::release_tracepoints;
use fathom_model::{
    Breakdown, Comparison, EvidencePass, Explain, Explanation, Place, PriceList, Reading, Variant,
};
use fathom_stats::{BreakdownParts, break_down};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

impl Lab<'_> {
    /// One explanation per variant; none when none is asked for. An interrupt leaves those
    /// that were had by then.
    pub(super) fn explain(
        &mut self,
        asked: &[Explain],
        comparison: &mut Comparison,
        observer: &mut dyn Observer,
    ) -> Result<(), Interrupted> {
        if self.leaves_out_passes(asked, comparison) || asked.is_empty() {
            return Ok(());
        }
        self.check_stop()?;
        let of = comparison.variants.len();
        let mut explanations = vec![Explanation::default(); of];
        for &explain in asked {
            for (number, (variant, explanation)) in
                comparison.variants.iter().zip(&mut explanations).enumerate()
            {
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let method = &variant.method;
                observer.event(&Event::Explaining { what: word(explain), method, number, of });
                self.take(explain, comparison, number, explanation, observer);
            }
            // Whoever is timed next must not pay for tracepoints that are kept ready.
            release_tracepoints();
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        comparison.explanations = explanations;
        self.check_stop()
    }

    /// One pass of one variant.
    fn take(
        &mut self,
        explain: Explain,
        comparison: &Comparison,
        number: usize,
        explanation: &mut Explanation,
        observer: &mut dyn Observer,
    ) {
        let timed = comparison.summaries[number].value().map(|summary| summary.time_ns.value);
        let operation_ns = timed.or_else(|| self.first_ns_of(&comparison.variants[number]));
        let alone = self.alone(&comparison.variants[number], operation_ns);
        let alone = self.in_time(operation_ns).and(alone);
        match explain {
            Explain::Counters => {
                let counters = reading(alone, |alone| evidence_pass::take(&alone, self.stop));
                if !self.options.counts_only {
                    explanation.breakdown = Some(self.breakdown(comparison, number, &counters, observer));
                }
                explanation.counters = Some(counters);
            }
            Explain::Profile => {
                explanation.profile = Some(reading(alone, |alone| profile_pass::take(&alone, self.stop)));
            }
            Explain::Latencies => {
                let latencies = reading(alone, |alone| latency_pass::take(&alone, self.stop));
                explanation.latencies = Some(latencies);
            }
        }
    }

    /// Refuses a pass that would end after the time that was asked for.
    fn in_time(&self, operation_ns: Option<f64>) -> Result<(), String> {
        /// Operations of such a pass, settling included.
        const OPERATIONS: f64 = 4.0;
        let Some(until) = self.explain_until else { return Ok(()) };
        let needed =
            Duration::from_secs_f64((operation_ns.unwrap_or(0.0) * OPERATIONS / 1e9).clamp(0.5, 3600.0));
        if Instant::now() + needed <= until {
            return Ok(());
        }
        let needed = needed.as_secs_f64();
        Err(format!("left out: the time asked for is over, and it takes about {needed:.0} s (--time)"))
    }

    /// What the first operation of a variant took when it was tried.
    pub(super) fn first_ns_of(&self, variant: &Variant) -> Option<f64> {
        self.first_ns.iter().rev().find(|(tried, _)| tried == variant).map(|(_, ns)| *ns)
    }

    /// A variant ready to run in a process of its own.
    pub(super) fn alone<'b>(
        &'b self,
        variant: &'b Variant,
        operation_ns: Option<f64>,
    ) -> Result<Alone<'b>, String> {
        let driver = self.drivers.driver(&variant.method.driver).map_err(str::to_owned)?;
        let facts = self.ready.store.facts(variant.place);
        let flawed = driver.may_answer_otherwise(&variant.method.name);
        let is_device = self.ready.store.device(variant.place).is_some();
        let files = if variant.operation.takes_files() && !is_device {
            self.ready.store.paths(variant.place, &variant.parameters.data)
        } else {
            Vec::new()
        };
        Ok(Alone {
            driver,
            variant,
            arguments: self.arguments(variant, false)?,
            keeps: keeps_freed_inodes(facts),
            files,
            in_memory: facts.in_memory,
            drop_caches: self.options.drop_caches,
            device: facts.device.value().map(|device| device.number.clone()),
            state_directory: cache_directory().unwrap_or_else(|_| std::env::temp_dir()),
            expected: (!flawed).then(|| self.expected(variant)),
            operation_ns,
        })
    }

    /// The parts of a variant's time, by the prices of its place.
    fn breakdown(
        &mut self,
        comparison: &Comparison,
        number: usize,
        counters: &Reading<EvidencePass>,
        observer: &mut dyn Observer,
    ) -> Reading<Breakdown> {
        let variant = &comparison.variants[number];
        let prices = self.prices_of(variant.place, observer);
        let path_depth = self.arguments(variant, false).ok().and_then(|arguments| {
            let components = arguments.paths.first()?.components().count();
            u32::try_from(components.saturating_sub(1)).ok()
        });
        let prices = match &prices {
            Reading::Value(prices) => prices,
            Reading::Unavailable(reason) => return Reading::unavailable(reason.clone()),
        };
        break_down(&BreakdownParts {
            variant,
            summary: &comparison.summaries[number],
            counts: &comparison.counts[number],
            counters,
            prices,
            path_depth,
            is_device: self.ready.store.device(variant.place).is_some(),
        })
    }

    /// Prices of another directory: nothing is made beside the user's files.
    fn prices_elsewhere(&mut self, observer: &mut dyn Observer) -> Reading<PriceList> {
        let directory = match elsewhere() {
            Ok(directory) => directory,
            Err(reason) => return Reading::Unavailable(reason),
        };
        let place = Place::Directory(directory.clone());
        let facts = match fathom_collect::place_facts(&place, &directory) {
            Ok(facts) => facts,
            Err(error) => return Reading::unavailable(error.to_string()),
        };
        self.ready.store.note(format!(
            "unit costs were taken in {} ({}): nothing is made beside your files, and their file system may differ",
            directory.display(),
            facts.file_system
        ));
        prices::kept_or_taken(&directory, &facts, self.stop, observer)
    }

    /// The prices of a place: kept ones that fit this machine, else taken now.
    fn prices_of(&mut self, place: usize, observer: &mut dyn Observer) -> Reading<PriceList> {
        if let Some((_, known)) = self.prices.iter().find(|(known, _)| *known == place) {
            return known.clone();
        }
        let facts = self.ready.store.facts(place);
        let found = match &facts.place {
            Place::Memfd => Reading::unavailable("a memory file has no directory to price calls in"),
            _ if self.ready.store.own.is_some() || self.ready.store.device(place).is_some() => {
                self.prices_elsewhere(observer)
            }
            Place::Directory(directory) => prices::kept_or_taken(directory, facts, self.stop, observer),
        };
        self.prices.push((place, found.clone()));
        found
    }
}

/// A directory for what must be made somewhere, but not beside the user's files.
fn elsewhere() -> Result<PathBuf, String> {
    let named = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let candidates: Vec<PathBuf> = [std::env::temp_dir()].into_iter().chain(named).collect();
    let usable = |directory: &&PathBuf| tempfile::tempfile_in(directory).is_ok();
    candidates.iter().find(usable).cloned().ok_or_else(|| {
        let tried: Vec<_> = candidates.iter().map(|path| path.display().to_string()).collect();
        format!("no scratch directory can be made in {} (set TMPDIR)", tried.join(" or "))
    })
}

fn word(explain: Explain) -> &'static str {
    match explain {
        Explain::Counters => "counters",
        Explain::Profile => "profile",
        Explain::Latencies => "latencies",
    }
}

fn reading<T>(alone: Result<Alone<'_>, String>, take: impl FnOnce(Alone<'_>) -> Reading<T>) -> Reading<T> {
    match alone {
        Ok(alone) => take(alone),
        Err(reason) => Reading::Unavailable(reason),
    }
}
