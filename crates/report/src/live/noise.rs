//! Whether the machine is quiet, by the warnings that the record would have, and
//! the figures behind it.

use super::{LiveTimes, SEPARATOR};
use crate::quantity::{NONE, number, percent};
use crate::standing::is_faulty;
use crate::wrap::wrap;
use crate::written::ratio;
use fathom_model::{Noise, Reading, Warning};

/// Columns of the word before the figures.
const LABEL_COLUMNS: usize = 7;
/// No share of a shorter time says anything.
const SECONDS_LEAST: f64 = 2.0;

/// What disturbed a run so far.
#[derive(Debug, Clone, Copy)]
pub struct LiveNoise<'a> {
    /// Since the run began.
    pub noise: &'a Noise,
    /// CPUs that other work kept busy.
    pub others_cpus: &'a Reading<f64>,
    /// CPUs of the machine.
    pub cpus: usize,
    /// What the record would warn of.
    pub warnings: &'a [Warning],
}

/// The lines that say how noisy it is.
pub(super) fn lines(noise: &LiveNoise<'_>, times: Option<LiveTimes<'_>>, columns: usize) -> Vec<String> {
    let mut tokens = vec![verdict(noise, times)];
    tokens.extend(times.filter(|times| times.forks > 0).map(|times| control(&times)));
    let figure = |reading: &Reading<f64>| reading.value().map_or(NONE.to_owned(), |&v| number(v.max(0.0), 2));
    let share = |reading: &Reading<f64>| reading.value().map_or(NONE.to_owned(), |&v| percent(v));
    tokens.push(format!("load {}", figure(&noise.noise.load_average_end)));
    tokens.push(format!("others {} of {} CPUs", figure(noise.others_cpus), noise.cpus));
    tokens.push(format!("steal {}", share(&noise.noise.steal_share)));
    tokens.extend(times.and_then(preempted).map(|share| format!("preempted {}", percent(share))));
    let room = columns.saturating_sub(LABEL_COLUMNS).max(1);
    let wrapped = wrap(tokens.iter().map(String::as_str), SEPARATOR, room);
    let label = |(index, line): (usize, String)| {
        format!("{:LABEL_COLUMNS$}{line}", if index == 0 { "noise" } else { "" })
    };
    wrapped.into_iter().enumerate().map(label).collect()
}

/// `quiet`, or by what it is disturbed.
pub(super) fn verdict(noise: &LiveNoise<'_>, times: Option<LiveTimes<'_>>) -> String {
    let fault = times.is_some_and(|times| is_faulty(times.comparison));
    let fault = fault.then_some("the A/A control differs from itself");
    let causes: Vec<_> = fault.into_iter().chain(noise.warnings.iter().map(words)).collect();
    match causes.as_slice() {
        [] if noise.noise.seconds < SECONDS_LEAST => "not known yet".to_owned(),
        [] => "quiet".to_owned(),
        causes => format!("disturbed: {}", causes.join(", ")),
    }
}

fn words(warning: &Warning) -> &str {
    match warning.code.as_str() {
        "loaded-host" => "loaded when it began",
        "steal" => "the hypervisor took CPU time",
        "other-work" => "other work",
        _ => &warning.message,
    }
}

fn control(times: &LiveTimes<'_>) -> String {
    match times.comparison.control.value() {
        Some(control) if control.ratio.interval().is_some() => {
            format!("A/A control {}", ratio(&control.ratio).phrase())
        }
        _ => "A/A control: no interval yet".to_owned(),
    }
}

/// The share of all batches from which the CPU was taken; none where no variant was
/// asked, or none can say.
fn preempted(times: LiveTimes<'_>) -> Option<f64> {
    let summaries = times.comparison.summaries.iter().filter_map(Reading::value);
    let known = summaries.filter_map(|summary| Some((summary.preempted_share?, summary.blocks as f64)));
    let (part, whole) =
        known.fold((0.0, 0.0), |(part, whole), (share, blocks)| (part + share * blocks, whole + blocks));
    (whole > 0.0).then(|| part / whole)
}
