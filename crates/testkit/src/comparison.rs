//! Builds a comparison from literal summaries, with raw samples that agree
//! with them: the median of each arm is the time its summary states.

use crate::parts::estimate;
use fathom_model::{
    Arm, ArmKind, ArmSamples, CacheEvidence, CacheState, Comparison, Control, CountPass, Estimate, Fork,
    MethodId, Operation, Parameters, Reading, Setting, StopReason, Variant, VariantSummary, WarmUp, Warning,
};
use std::collections::BTreeMap;

/// Deviations of the forks, in parts per thousand; symmetric, so that their
/// median is 0 for every odd number of forks.
const WOBBLE: [f64; 5] = [0.0, 3.0, -3.0, 1.0, -1.0];
/// Operations in every sample batch, unless their number is set.
const BATCH: u32 = 100;
/// Blocks in every sample fork.
const BLOCKS: usize = 3;

/// One variant as a test states it.
#[derive(Debug, Clone)]
pub struct Measured {
    /// `driver:name`.
    pub method: &'static str,
    /// Time and half the width of its interval, in ns; 0 for no interval.
    pub time_ns: (f64, f64),
    /// Ratio to the baseline and half the width of its interval.
    pub ratio: Option<(f64, f64)>,
    /// What the count pass found.
    pub counts: Reading<CountPass>,
    /// Per operation, as the driver reports it.
    pub runtime: &'static [(&'static str, f64)],
    /// Parameters that are not the comparison's.
    pub parameters: Option<Parameters>,
}

/// Makes a comparison step by step.
#[derive(Debug, Clone)]
pub struct ComparisonBuilder {
    /// The operation of every variant.
    pub operation: Operation,
    /// The parameters of every variant that has none of its own.
    pub parameters: Parameters,
    /// Index of the place.
    pub place: usize,
    /// The evidence of every variant.
    pub cache: CacheEvidence,
    /// Forks, an odd number.
    pub forks: u32,
    /// Cost of each driver's loop, in ns; a driver without one has no loop arm.
    pub loops: Vec<(&'static str, f64)>,
    /// The control's ratio and half the width of its interval.
    pub control: Option<(f64, f64)>,
    /// Why it stopped.
    pub stop: StopReason,
}

impl ComparisonBuilder {
    /// The comparison of these variants; the first is the baseline.
    pub fn build(&self, label: &str, measured: Vec<Measured>, warnings: Vec<Warning>) -> Comparison {
        let seats = seats(&measured);
        Comparison {
            label: label.into(),
            variants: measured.iter().map(|m| self.variant(m)).collect(),
            baseline: 0,
            differing_parameters: Vec::new(),
            arms: self.arms(&measured, &seats),
            forks: (0..self.forks).map(|index| self.fork(index, &measured, &seats)).collect(),
            cache: vec![self.cache.clone(); measured.len()],
            summaries: measured.iter().map(|m| Reading::Value(self.summary(m, measured.len() - 1))).collect(),
            counts: measured.into_iter().map(|m| m.counts).collect(),
            control: self.control(),
            answers: Vec::new(),
            long_runs: Vec::new(),
            explanations: Vec::new(),
            ranks: None,
            validity: Vec::new(),
            stop: self.stop.clone(),
            warnings,
        }
    }

    fn variant(&self, measured: &Measured) -> Variant {
        Variant {
            method: method(measured.method),
            operation: self.operation,
            place: self.place,
            cache: self.cache.state,
            parameters: measured.parameters.clone().unwrap_or_else(|| self.parameters.clone()),
        }
    }

    /// Operations of a batch.
    fn batch(&self) -> u32 {
        let set = self.parameters.settings.number(Setting::Operations);
        u32::try_from(set).ok().filter(|&set| set > 0).unwrap_or(BATCH)
    }

    fn loop_ns(&self, driver: &str) -> Option<f64> {
        self.loops.iter().find(|(name, _)| *name == driver).map(|&(_, ns)| ns)
    }

    fn arms(&self, measured: &[Measured], seats: &[usize]) -> Vec<Arm> {
        let mut arms: Vec<_> =
            (0..measured.len()).map(|i| Arm { kind: ArmKind::Variant(i), seat: seats[i] }).collect();
        if self.control.is_some() {
            arms.push(Arm { kind: ArmKind::Control, seat: seats[0] });
        }
        arms.extend(
            self.loop_arms(measured, seats)
                .into_iter()
                .map(|(i, _)| Arm { kind: ArmKind::Loop(i), seat: seats[i] }),
        );
        arms
    }

    /// The first variant of every seat whose driver has a loop, and its cost.
    fn loop_arms(&self, measured: &[Measured], seats: &[usize]) -> Vec<(usize, f64)> {
        (0..measured.len())
            .filter(|&i| !seats[..i].contains(&seats[i]))
            .filter_map(|i| Some((i, self.loop_ns(&method(measured[i].method).driver)?)))
            .collect()
    }

    fn fork(&self, index: u32, measured: &[Measured], seats: &[usize]) -> Fork {
        let wobble = 1.0 + WOBBLE[index as usize % WOBBLE.len()] / 1000.0;
        let mut arms: Vec<_> =
            measured.iter().map(|m| self.samples(m.time_ns.0 * wobble, m.runtime)).collect();
        if let Some((ratio, _)) = self.control {
            arms.push(self.samples(measured[0].time_ns.0 * wobble * ratio, measured[0].runtime));
        }
        arms.extend(
            self.loop_arms(measured, seats).into_iter().map(|(_, ns)| self.samples(ns * wobble, &[])),
        );
        Fork {
            cpu: Reading::Value(index % 2),
            started_s: f64::from(index) * 0.75,
            warm_up: WarmUp { blocks: 40, ms: 12.5, steady: true },
            operations: vec![self.batch(); BLOCKS],
            arms,
            ranks: None,
        }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small positive literals")]
    fn samples(&self, ns: f64, runtime: &[(&str, f64)]) -> ArmSamples {
        let batch_ns = ns * f64::from(self.batch());
        let operations = f64::from(self.batch()) * BLOCKS as f64;
        let figures: BTreeMap<_, _> =
            runtime.iter().map(|&(key, each)| (key.to_owned(), (each * operations).round() as u64)).collect();
        let mut totals = BTreeMap::new();
        if self.cache.state == CacheState::Warm {
            totals.insert("nivcsw".into(), 0);
        }
        let figure_operations = if figures.is_empty() { 0 } else { u64::from(self.batch()) * BLOCKS as u64 };
        ArmSamples {
            divisor: 1,
            ns: [0.998, 1.0, 1.004].map(|factor| Some((batch_ns * factor).round() as u64)).to_vec(),
            preempted_blocks: Vec::new(),
            totals,
            figures,
            figure_operations,
        }
    }

    fn summary(&self, measured: &Measured, beside_baseline: usize) -> VariantSummary {
        let around = |(value, half): (f64, f64)| {
            estimate(value, (half > 0.0).then_some((value - half, value + half)), self.forks)
        };
        let loop_ns = self.loop_ns(&method(measured.method).driver);
        let blocks = u64::from(self.forks) * BLOCKS as u64;
        VariantSummary {
            time_ns: around(measured.time_ns),
            ratio: measured.ratio.map(around),
            ratio_simultaneous: measured.ratio.map(|ratio| simultaneous(around(ratio), beside_baseline)),
            net_ratio: measured.ratio.filter(|_| loop_ns.is_some()).map(around),
            delta_ns: measured.ratio.map(|(ratio, half)| {
                let base = measured.time_ns.0 / ratio;
                around((measured.time_ns.0 - base, half * base))
            }),
            loop_ns: loop_ns.map(|ns| around((ns, ns * 0.02))),
            spread: None,
            blocks,
            operations: blocks * u64::from(self.batch()),
            preempted_share: Some(0.004),
            runtime_per_operation: measured.runtime.iter().map(|&(k, v)| (k.to_owned(), v)).collect(),
        }
    }

    fn control(&self) -> Reading<Control> {
        match self.control {
            Some((value, half)) => Reading::Value(Control {
                ratio: estimate(value, (half > 0.0).then_some((value - half, value + half)), self.forks),
                instrument_fault: false,
            }),
            None => Reading::unavailable("the comparison has no control arm"),
        }
    }
}

/// The interval that holds together with `ratios` of its kind: a little wider.
fn simultaneous(single: Estimate, ratios: usize) -> Estimate {
    let ratios = ratios.max(1) as f64;
    let wider = 1.0 + 0.15 * ratios.ln();
    let end = |end: Option<f64>| end.map(|end| single.value + (end - single.value) * wider);
    Estimate {
        low: end(single.low),
        high: end(single.high),
        confidence: 1.0 - (1.0 - single.confidence) / ratios,
        ..single
    }
}

/// One process per driver.
fn seats(measured: &[Measured]) -> Vec<usize> {
    let mut drivers: Vec<String> = Vec::new();
    measured
        .iter()
        .map(|m| {
            let driver = method(m.method).driver;
            drivers.iter().position(|d| *d == driver).unwrap_or_else(|| {
                drivers.push(driver);
                drivers.len() - 1
            })
        })
        .collect()
}

fn method(text: &str) -> MethodId {
    text.parse().expect("sample methods are written `driver:name`")
}
