//! The answer in a few sentences for each experiment: what is fastest, what
//! slowest, and which calls explain the gap inside one runtime. Says no more
//! than the intervals and the exact counts allow.

mod explanation;
pub(crate) mod factor;
mod range;

use crate::answer::is_wrong;
use crate::floor::undercut;
use crate::label::{self, part, title};
use crate::quantity::things;
use crate::standing::{groups, is_apart, is_faulty, summary};
use crate::written::time;
use explanation::Explanation;
use factor::{Factor, by_median, by_ratio};
use fathom_model::{Comparison, ExperimentRecord, Record, VariantSummary};
use fathom_stats::{MethodCaveat, method_caveats, unranked};

/// As many sentences as a reader takes in.
const SENTENCES_MAX: usize = 3;
/// Up to so many comparisons of different things have a sentence each.
const ONE_BY_ONE_MAX: usize = 3;
/// Parts that are each summed up in a sentence.
const PARTS: usize = 2;
/// More names than these in a sentence are only counted.
const NAMES_MAX: usize = 2;

/// One to three sentences per experiment, each experiment on a line of its own.
pub fn render_summary(record: &Record) -> String {
    let answers: Vec<_> = record.experiments.iter().map(|experiment| answer(record, experiment)).collect();
    if answers.is_empty() { "Nothing was compared.".to_owned() } else { answers.join("\n") }
}

type Ranked<'a> = (usize, &'a VariantSummary);

/// The sentences on one experiment, behind its name.
fn answer(record: &Record, experiment: &ExperimentRecord) -> String {
    format!("{}{}", experiment.name, answer_behind_name(record, experiment))
}

/// The same without the name: `, 1 GiB · warm: the fastest is …`.
pub(crate) fn answer_behind_name(record: &Record, experiment: &ExperimentRecord) -> String {
    let place = match experiment.comparisons.as_slice() {
        [only] => format!(", {}", title(only)),
        _ => String::new(),
    };
    let part = if record.complete { "" } else { "the run is incomplete; " };
    format!("{place}: {part}{}", sentences(record, experiment).join(" "))
}

/// What came of one experiment: what is fastest and slowest, then what explains the widest
/// gap; three sentences at most.
pub(crate) fn sentences(record: &Record, experiment: &ExperimentRecord) -> Vec<String> {
    let compared = experiment.comparisons.as_slice();
    let groups = groups(compared);
    let mut about = None;
    let mut sentences = match compared {
        [] => vec![crate::text::outcomes::sentence(&experiment.outcomes)],
        [only] => vec![format!("{}.", extremes(record, only))],
        few if few.len() < ONE_BY_ONE_MAX || few.len() == ONE_BY_ONE_MAX && groups.len() > 1 => {
            few.iter().map(|each| one(record, each)).collect()
        }
        _ if groups.len() == PARTS => groups.iter().map(|group| of_part(record, group)).collect(),
        many => {
            let widest = range::widest(many);
            about = widest;
            let gap = widest.map(|widest| format!("The widest gap, {}", one(record, widest)));
            std::iter::once(range::sentence(record, many)).chain(gap).collect()
        }
    };
    let explained = |each: &Comparison| Explanation::of(each, &label::labels(record, each)).is_some();
    // What was told of last, where something explains it; else the widest gap that is explained.
    let of = about.filter(|about| explained(about)).map_or(compared, std::slice::from_ref);
    let explanations = of.iter().filter_map(|each| Explanation::of(each, &label::labels(record, each)));
    let widest = explanations.max_by(|a, b| a.gap.total_cmp(&b.gap));
    if let Some(widest) = widest.filter(|_| sentences.len() < SENTENCES_MAX) {
        let is_clear =
            compared.len() == 1 || about.is_some_and(|about| std::ptr::eq(about, widest.comparison));
        let place = if is_clear { String::new() } else { format!("{}: ", title(widest.comparison)) };
        sentences.push(format!("{place}{}.", widest.sentence));
    }
    sentences
}

/// The sentence on one part, with its name.
fn of_part(record: &Record, group: &[Comparison]) -> String {
    match group {
        [only] => one(record, only),
        many => {
            let name = many.first().and_then(|first| part(first).0);
            let name = name.map_or_else(String::new, |name| format!("{name}: "));
            format!("{name}{}", range::sentence(record, many))
        }
    }
}

fn one(record: &Record, comparison: &Comparison) -> String {
    format!("{}: {}.", title(comparison), extremes(record, comparison))
}

/// The fastest and the slowest of one comparison, in a sentence without its period.
pub(crate) fn extremes(record: &Record, comparison: &Comparison) -> String {
    let labels = label::labels(record, comparison);
    let by_median = by_median(comparison);
    let Some((&lowest, &highest)) = by_median.first().zip(by_median.last()) else {
        return "no time was measured".to_owned();
    };
    let timed = |(index, summary): Ranked<'_>| {
        let doubt = doubt(record, comparison, index);
        format!("{} at {}{doubt}", labels[index], time(&summary.time_ns))
    };
    let beside = beside(comparison, &labels, lowest);
    if by_median.len() == 1 {
        let timed_ones = comparison.summaries.iter().filter(|summary| summary.value().is_some()).count();
        let what = if timed_ones > 1 { "can be ranked" } else { "was timed" };
        return format!("only {} {what}{beside}", timed(lowest));
    }
    let order = format!("{} comes first and {} last", timed(lowest), timed(highest));
    if is_faulty(comparison) {
        return format!(
            "the A/A control failed, so none of the ratios is to be used; by medians alone, {order}{beside}"
        );
    }
    if lowest.1.time_ns.interval().is_none() {
        return format!("preliminary (too few runs), by medians: {order}{beside}");
    }
    // What is shown rests on the ratios; a median between two modes may say otherwise.
    let ranked = by_ratio(comparison);
    let (first, others) = (ranked[0], &ranked[1..]);
    let is_lowest = first.0 == lowest.0;
    let differs = |other: &Ranked<'_>| is_apart(comparison, first.0, other.0);
    let Some(last_apart) = others.iter().rposition(differs) else {
        let by = if is_lowest { "by median" } else { "by its ratio" };
        let first = timed(first);
        return format!("no difference is shown between the fastest {by}, {first}, and any other{beside}");
    };
    let (last, beyond) = (others[last_apart], others.len() - 1 - last_apart);
    // What has a higher ratio than the last that differs is told of behind that.
    let rivals: Vec<_> = others[..last_apart].iter().filter(|other| !differs(other)).collect();
    let tie = match rivals.as_slice() {
        [] => String::new(),
        few if few.len() <= NAMES_MAX => {
            let names: Vec<_> = few.iter().map(|(index, _)| labels[*index].as_str()).collect();
            format!(" (no difference shown to {})", names.join(" and "))
        }
        many => format!(" (no difference shown to {} others)", many.len()),
    };
    let fastest = if is_lowest { "the fastest is" } else { "the fastest by its ratio is" };
    let slowest = match beyond {
        0 if last.0 == highest.0 => "the slowest by median",
        0 => "the slowest by its ratio",
        _ => "the slowest that is shown to differ from it,",
    };
    let times = Factor::between(comparison, first.0, last.0)
        .map_or_else(String::new, |factor| format!(", {}", factor.phrase));
    let unshown = match beyond {
        0 => String::new(),
        beyond => format!(" ({} with a higher ratio: not shown)", things(beyond as u64, "other")),
    };
    let own = peculiar(comparison, first.0);
    format!("{fastest} {}{own}{tie}; {slowest} {}{times}{unshown}{beside}", timed(first), timed(last))
}

/// What the first brings with it that others it is ranked with do not.
pub(crate) fn peculiar(comparison: &Comparison, first: usize) -> String {
    let ranked: Vec<_> =
        by_median(comparison).iter().map(|(index, _)| method_caveats(comparison, *index)).collect();
    let mut own = method_caveats(comparison, first);
    own.retain(|caveat| ranked.iter().any(|others| !others.contains(caveat)));
    let words: Vec<_> = own.into_iter().map(MethodCaveat::words).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
}

/// Who would come before the first, were it ranked, and why it is not.
fn beside(comparison: &Comparison, labels: &[String], lowest: Ranked<'_>) -> String {
    let is_less = |index: usize| {
        summary(comparison, index).is_some_and(|summary| summary.time_ns.value < lowest.1.time_ns.value)
    };
    let mut less: Vec<_> = unranked(comparison).into_iter().filter(|(index, _)| is_less(*index)).collect();
    less.sort_by_key(|(_, caveat)| *caveat);
    let reasons = less.chunk_by(|a, b| a.1 == b.1).map(|of| {
        let names = match of {
            few if few.len() <= NAMES_MAX => {
                few.iter().map(|(index, _)| labels[*index].as_str()).collect::<Vec<_>>().join(" and ")
            }
            many => format!("{} methods", many.len()),
        };
        format!("{names} ({})", of[0].1.words())
    });
    let reasons: Vec<_> = reasons.collect();
    if reasons.is_empty() {
        String::new()
    } else {
        format!("; faster, but not ranked: {}", reasons.join(", "))
    }
}

/// Why a variant's time is not to be taken for what it looks like.
pub(crate) fn doubt(record: &Record, comparison: &Comparison, index: usize) -> &'static str {
    if undercut(record, comparison, index).is_some() {
        " (BELOW THE FLOOR, a defect of Fathom's)"
    } else if crate::answer::answer(comparison, index).is_some_and(|of| of.disagrees.is_some()) {
        " (its answer DIFFERS)"
    } else if is_wrong(comparison, index) {
        " (its answer is WRONG)"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests;
