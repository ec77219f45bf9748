//! Why each variant of a comparison takes the time it takes: the passes that are
//! asked for, after the time pass, each in a process of its own.

use super::{Interrupted, Lab};
use crate::alone::Alone;
use crate::driver_build::cache_directory;
use crate::observer::{Event, Observer};
use crate::{evidence_pass, latency_pass, prices, profile_pass};
use fathom_collect::release_tracepoints;
use fathom_model::{
    Breakdown, Comparison, EvidencePass, Explain, Explanation, Place, PriceList, Reading, Variant,
};
use fathom_stats::{BreakdownParts, break_down};
use std::sync::atomic::Ordering;

impl Lab<'_> {
    /// One explanation per variant; none when none is asked for. An interrupt leaves those
    /// that were had by then.
    pub(super) fn explain(
        &mut self,
        asked: &[Explain],
        comparison: &mut Comparison,
        observer: &mut dyn Observer,
    ) -> Result<(), Interrupted> {
        if asked.is_empty() {
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
        let operation_ns = comparison.summaries[number].value().map(|summary| summary.time_ns.value);
        let alone = self.alone(&comparison.variants[number], operation_ns);
        match explain {
            Explain::Counters => {
                let counters = reading(alone, |alone| evidence_pass::take(&alone, self.stop));
                explanation.breakdown = Some(self.breakdown(comparison, number, &counters, observer));
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

    /// A variant ready to run in a process of its own.
    pub(super) fn alone<'b>(
        &'b self,
        variant: &'b Variant,
        operation_ns: Option<f64>,
    ) -> Result<Alone<'b>, String> {
        let driver = self.drivers.driver(&variant.method.driver).map_err(str::to_owned)?;
        let facts = self.ready.store.facts(variant.place);
        let flawed = driver.method(&variant.method.name).is_some_and(|method| method.flaw.is_some());
        let files = if variant.operation.takes_files() {
            self.ready.store.paths(variant.place, &variant.parameters.data)
        } else {
            Vec::new()
        };
        Ok(Alone {
            driver,
            variant,
            arguments: self.arguments(variant, false)?,
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
        })
    }

    /// The prices of a place: kept ones that fit this machine, else taken now.
    fn prices_of(&mut self, place: usize, observer: &mut dyn Observer) -> Reading<PriceList> {
        if let Some((_, known)) = self.prices.iter().find(|(known, _)| *known == place) {
            return known.clone();
        }
        let facts = self.ready.store.facts(place);
        let found = match &facts.place {
            Place::Memfd => Reading::unavailable("a memory file has no directory to price calls in"),
            Place::Directory(directory) => prices::kept_or_taken(directory, facts, self.stop, observer),
        };
        self.prices.push((place, found.clone()));
        found
    }
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
