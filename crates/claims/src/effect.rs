//! Effects: the number that a check is about, as one comparison shows it.

use fathom_model::{
    CallCount, Comparison, CountPass, EvidencePass, Explanation, Form, KernelCounter, Metric, Profile,
    Reading, Region, Scope, counter_name,
};
use fathom_stats::{ForkFigures, Interval, Parts, TimedQuestion, fork_figures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an effect's numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EffectUnit {
    /// ns per operation.
    Ns,
    /// One over the other.
    Ratio,
    /// A part of the whole, 0 to 1.
    Share,
    /// Things per operation.
    PerOperation,
    /// A bare number.
    Number,
}

/// What was repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// Fresh processes: a confidence sequence over them.
    Forks,
    /// Repetitions of a count: its range.
    Repetitions,
    /// Stacks: a bound for shares of independent samples (Hoeffding).
    Stacks,
    /// Tries of a scenario, all of them counted.
    Tries,
    /// One answer, the same every time.
    Answers,
    /// A fact that was read.
    Readings,
}

/// A number with what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effect {
    /// The number.
    pub value: f64,
    /// Lower end of its interval, or the least repetition.
    pub low: Option<f64>,
    /// Upper end, or the largest repetition.
    pub high: Option<f64>,
    /// Coverage of the interval; `None` for a range.
    pub confidence: Option<f64>,
    /// How many.
    pub n: u64,
    /// Of what.
    pub sample: Sample,
    /// In what.
    pub unit: EffectUnit,
    /// The values of the forks, in order of time, where there are forks.
    #[serde(skip)]
    pub(crate) of_forks: Vec<f64>,
}

impl Effect {
    /// The interval; unbounded where there is none.
    pub(crate) fn interval(&self) -> Interval {
        Interval::new(self.low.unwrap_or(f64::NEG_INFINITY), self.high.unwrap_or(f64::INFINITY))
    }

    pub(crate) fn exact(value: f64, n: u64, sample: Sample, unit: EffectUnit) -> Self {
        Self::ranging(value, value, value, n, sample, unit)
    }

    /// Two measures in the check's form; ranges are combined at their worst.
    pub(crate) fn combined(&self, to: &Self, form: Form) -> Result<Self, String> {
        let of = self;
        let ends = |effect: &Self| (effect.low.unwrap_or(effect.value), effect.high.unwrap_or(effect.value));
        let ((of_low, of_high), (to_low, to_high)) = (ends(of), ends(to));
        let n = of.n.min(to.n);
        if form == Form::Difference {
            let (low, high) = (of_low - to_high, of_high - to_low);
            return Ok(Self {
                confidence: of.confidence,
                ..Self::ranging(of.value - to.value, low, high, n, of.sample, of.unit)
            });
        }
        let (above, below) = if form == Form::Speedup { (to, of) } else { (of, to) };
        let ((above_low, above_high), (below_low, below_high)) = (ends(above), ends(below));
        if below_low <= 0.0 {
            return Err("there is none of it to be a ratio to".to_owned());
        }
        let (value, low, high) = (above.value / below.value, above_low / below_high, above_high / below_low);
        let (value, low, high, unit) = match form {
            Form::Saving => (1.0 - value, 1.0 - high, 1.0 - low, EffectUnit::Share),
            _ => (value, low, high, EffectUnit::Ratio),
        };
        Ok(Self { confidence: of.confidence, ..Self::ranging(value, low, high, n, of.sample, unit) })
    }

    pub(crate) fn ranging(value: f64, low: f64, high: f64, n: u64, sample: Sample, unit: EffectUnit) -> Self {
        let of_forks = Vec::new();
        Self { value, low: Some(low), high: Some(high), confidence: None, n, sample, unit, of_forks }
    }
}

/// What is asked of two variants (indices) of a comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) metric: &'a Metric,
    pub(crate) form: Form,
    pub(crate) of: usize,
    pub(crate) to: Option<usize>,
    pub(crate) region: Region,
    /// The error of this instance, where it is a matter of chance.
    pub(crate) alpha: f64,
}

impl Question<'_> {
    /// The effect, or why it cannot be had.
    pub(crate) fn effect(&self, comparison: &Comparison) -> Result<Effect, String> {
        if self.metric.is_timed() {
            return self.timed(comparison);
        }
        let of = self.of_variant(comparison, self.of)?;
        let Some(to) = self.to else { return Ok(of) };
        of.combined(&self.of_variant(comparison, to)?, self.form)
    }

    /// True when this kernel has nothing of the kind to count, so that measuring again does not help.
    pub(crate) fn is_absent_here(&self, comparison: &Comparison) -> bool {
        let Metric::Counter(name) = self.metric else { return false };
        let name = name.rsplit_once(':').map_or(name.as_str(), |(_, name)| name);
        let variants = [Some(self.of), self.to].into_iter().flatten();
        variants.filter_map(|variant| counters(comparison, variant).ok()).any(|pass| is_no_event(pass, name))
    }

    fn timed(&self, comparison: &Comparison) -> Result<Effect, String> {
        let question = TimedQuestion {
            metric: self.metric.clone(),
            form: self.form,
            of: self.of,
            to: self.to,
            region: self.region,
            alpha: self.alpha,
        };
        let effect = question.effect(Parts::from(comparison)).ok_or_else(|| self.untimed(comparison))?;
        let unit = match self.form {
            Form::Value | Form::Difference => EffectUnit::Ns,
            Form::Ratio | Form::Speedup => EffectUnit::Ratio,
            Form::Saving => EffectUnit::Share,
        };
        Ok(Effect {
            value: effect.value,
            low: effect.interval.finite_low(),
            high: effect.interval.finite_high(),
            confidence: Some(1.0 - self.alpha),
            n: effect.of_forks.len() as u64,
            sample: Sample::Forks,
            unit,
            of_forks: effect.of_forks,
        })
    }

    fn untimed(&self, comparison: &Comparison) -> String {
        let variants = [Some(self.of), self.to].into_iter().flatten();
        let mut reasons = variants.filter_map(|variant| match comparison.summaries.get(variant)? {
            Reading::Unavailable(reason) => Some(reason.clone()),
            Reading::Value(_) => None,
        });
        reasons.next().unwrap_or_else(|| "it was not timed".to_owned())
    }

    /// The measure of one variant.
    fn of_variant(&self, comparison: &Comparison, variant: usize) -> Result<Effect, String> {
        match self.metric {
            Metric::Time | Metric::BatchP99 => unreachable!("timed metrics are not put together here"),
            Metric::Calls => calls(comparison, variant, |_| true),
            Metric::Call(name) => calls(comparison, variant, |call| is_named(call, name)),
            Metric::Runtime(name) => runtime(comparison, variant, name),
            Metric::Counter(name) => counter(comparison, variant, name),
            Metric::Predicted(name) => predicted(comparison, variant, name),
            Metric::Stacks(words) => stacks(comparison, variant, words, self.alpha),
            Metric::Resident => resident(comparison, variant),
            Metric::CpuShare => cpu_share(comparison, variant),
            Metric::Answer => Ok(answer(comparison, variant)),
        }
    }
}

/// `fstat`, or with the errno `epoll_ctl=EPERM`.
fn is_named(call: &CallCount, name: &str) -> bool {
    match name.split_once('=') {
        Some((name, errno)) => call.call == name && call.errno.as_deref() == Some(errno),
        None => call.call == name,
    }
}

fn calls(
    comparison: &Comparison,
    variant: usize,
    is_meant: impl Fn(&CallCount) -> bool,
) -> Result<Effect, String> {
    let pass: &CountPass = reading(comparison.counts.get(variant), "calls were not counted")?;
    let (mut value, mut low, mut high) = (0.0, 0.0, 0.0);
    for call in pass.inside.iter().filter(|call| is_meant(call)) {
        let per_operation =
            |difference: Option<&i64>| *difference.unwrap_or(&0) as f64 / call.operations as f64;
        value += call.per_operation();
        low += per_operation(call.differences.iter().min());
        high += per_operation(call.differences.iter().max());
    }
    let n = u64::from(pass.repetitions);
    Ok(Effect::ranging(value, low, high, n, Sample::Repetitions, EffectUnit::PerOperation))
}

/// What the driver said of its runtime in each fork.
fn runtime(comparison: &Comparison, variant: usize, name: &str) -> Result<Effect, String> {
    let arm = comparison.arms.iter().position(|arm| arm.kind == fathom_model::ArmKind::Variant(variant));
    let of_fork = |fork| {
        let figures: ForkFigures = fork_figures(fork, arm?)?;
        figures.runtime_per_operation.get(name).copied()
    };
    let values: Vec<f64> = comparison.forks.iter().filter_map(of_fork).collect();
    let value = fathom_stats::median(&values).ok_or_else(|| format!("the driver does not say `{name}`"))?;
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let n = values.len() as u64;
    Ok(Effect::ranging(value, low, high, n, Sample::Repetitions, EffectUnit::PerOperation))
}

fn counter(comparison: &Comparison, variant: usize, name: &str) -> Result<Effect, String> {
    let pass = counters(comparison, variant)?;
    let (scope, name) = match name.split_once(':') {
        Some(("device", name)) => (Scope::Device, name),
        Some(("machine", name)) => (Scope::Machine, name),
        _ => (Scope::Task, name),
    };
    let counter = pass.counter(name, scope).ok_or_else(|| absent(pass, name))?;
    let differences: &Vec<i64> = reading(Some(&counter.differences), "")?;
    let operations = pass.operations() as f64;
    let per_operation = |difference: Option<&i64>| *difference.unwrap_or(&0) as f64 / operations;
    let (low, high) = (per_operation(differences.iter().min()), per_operation(differences.iter().max()));
    let value = counter.median().ok_or("it was not repeated")? / operations;
    let n = differences.len() as u64;
    Ok(Effect::ranging(value, low, high, n, Sample::Repetitions, EffectUnit::PerOperation))
}

/// The pass that counted the kernel's events.
fn counters(comparison: &Comparison, variant: usize) -> Result<&EvidencePass, String> {
    explanation(comparison, variant, |explanation| explanation.counters.as_ref(), "counters were not taken")
}

/// What was counted, over what was predicted.
fn predicted(comparison: &Comparison, variant: usize, name: &str) -> Result<Effect, String> {
    let pass = counters(comparison, variant)?;
    let prediction = pass.predictions.iter().find(|prediction| prediction.name == name);
    let prediction = prediction.ok_or_else(|| format!("nothing predicts `{name}` of this method"))?;
    let outcome = pass.outcome(prediction).ok_or_else(|| format!("no counter `{name}` here"))?;
    let shares: Vec<f64> =
        outcome.values.iter().map(|&value| value as f64 / prediction.expected.max(1) as f64).collect();
    let value = fathom_stats::median(&shares).ok_or("it was not repeated")?;
    let low = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let high = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(Effect::ranging(value, low, high, shares.len() as u64, Sample::Repetitions, EffectUnit::Ratio))
}

/// Why there is no such counter.
fn absent(pass: &EvidencePass, name: &str) -> String {
    if is_no_event(pass, name) {
        format!("this kernel has no event {name}")
    } else {
        format!("no counter `{name}` here")
    }
}

/// True when other events of the block layer were counted and this one was not: the kernel has
/// none of this name.
fn is_no_event(pass: &EvidencePass, name: &str) -> bool {
    let of_block =
        |counter: &KernelCounter| counter.name.starts_with("block_") && counter.differences.value().is_some();
    name.starts_with("block_")
        && pass.counters.iter().any(of_block)
        && pass.counters.iter().all(|counter| counter.name != name)
}

/// The share of stacks with these words, and Hoeffding's bound on it.
fn stacks(comparison: &Comparison, variant: usize, words: &str, alpha: f64) -> Result<Effect, String> {
    let profile: &Profile = explanation(
        comparison,
        variant,
        |explanation| explanation.profile.as_ref(),
        "stacks were not sampled",
    )?;
    if profile.samples == 0 {
        return Err("no stack was sampled".to_owned());
    }
    let with = profile.stacks.iter().filter(|stack| stack.frames.contains(words)).map(|stack| stack.samples);
    let n = profile.samples as f64;
    let value = with.sum::<u64>() as f64 / n;
    let half = ((2.0 / alpha).ln() / (2.0 * n)).sqrt();
    Ok(Effect {
        confidence: Some(1.0 - alpha),
        ..Effect::ranging(
            value,
            (value - half).max(0.0),
            (value + half).min(1.0),
            profile.samples,
            Sample::Stacks,
            EffectUnit::Share,
        )
    })
}

/// CPU time by the kernel over wall-clock time, both per operation. The two come from different
/// runs: the interval has the least of the one over the most of the other, and the other way round.
fn cpu_share(comparison: &Comparison, variant: usize) -> Result<Effect, String> {
    let cpu = counter(comparison, variant, counter_name::CPU_TIME)?;
    let time = &reading(comparison.summaries.get(variant), "it was not timed")?.time_ns;
    let bounds = time.low.zip(time.high).ok_or("too few forks for an interval")?;
    let low = cpu.low.unwrap_or(cpu.value) / bounds.1;
    let high = cpu.high.unwrap_or(cpu.value) / bounds.0;
    let n = time.forks.into();
    Ok(Effect::ranging(cpu.value / time.value, low, high, n, Sample::Repetitions, EffectUnit::Share))
}

/// The share of the pages that the page cache held at every check before a sample.
fn resident(comparison: &Comparison, variant: usize) -> Result<Effect, String> {
    let evidence = comparison.cache.get(variant).ok_or("residency was not looked at")?;
    let least = evidence.resident_pages_before_min.ok_or("residency was not looked at")?;
    let most = evidence.resident_pages_before_max.unwrap_or(least);
    let [least, most] = [least, most].map(|pages| pages as f64 / evidence.file_pages.max(1) as f64);
    Ok(Effect::ranging(least, least, most, evidence.checks, Sample::Repetitions, EffectUnit::Share))
}

/// The answer over the truth. Where nothing is counted every batch's digest was
/// held against the data: what came through is right.
fn answer(comparison: &Comparison, variant: usize) -> Effect {
    let value = match comparison.answers.get(variant) {
        Some(answer) if answer.what == "digest" || answer.expected == 0 => {
            f64::from(u8::from(answer.is_right()))
        }
        Some(answer) => answer.found as f64 / answer.expected as f64,
        None => 1.0,
    };
    Effect::exact(value, 1, Sample::Answers, EffectUnit::Ratio)
}

fn explanation<'a, T>(
    comparison: &'a Comparison,
    variant: usize,
    part: impl Fn(&'a Explanation) -> Option<&'a Reading<T>>,
    absent: &str,
) -> Result<&'a T, String> {
    reading(comparison.explanations.get(variant).and_then(part), absent)
}

fn reading<'a, T>(reading: Option<&'a Reading<T>>, absent: &str) -> Result<&'a T, String> {
    match reading {
        Some(Reading::Value(value)) => Ok(value),
        Some(Reading::Unavailable(reason)) => Err(reason.clone()),
        None => Err(absent.to_owned()),
    }
}
