//! The answer in a few sentences for each experiment: what is fastest, what
//! slowest, and which calls explain the gap inside one runtime. Says no more
//! than the intervals and the exact counts allow.

mod explanation;
mod range;

use crate::answer::is_wrong;
use crate::floor::undercut;
use crate::label::{self, part, title};
use crate::quantity::number;
use crate::standing::{by_time, groups, is_apart, is_faulty, summary};
use crate::written::time;
use explanation::Explanation;
use fathom_model::{Comparison, ExperimentRecord, Record, VariantSummary};

/// From so many comparisons on, an experiment is summed up over all of them.
const RANGE_FROM: usize = 3;
/// More parts than these are summed up together.
const PARTS_MAX: usize = 6;
/// More names than these in a sentence are only counted.
const NAMES_MAX: usize = 2;

/// One to three sentences per experiment, each experiment on a line of its own.
pub fn render_summary(record: &Record) -> String {
    let answers: Vec<_> = record.experiments.iter().map(|experiment| answer(record, experiment)).collect();
    if answers.is_empty() { "Nothing was compared.".to_owned() } else { answers.join("\n") }
}

type Ranked<'a> = (usize, &'a VariantSummary);

/// The sentences on one experiment, behind its name.
pub(crate) fn answer(record: &Record, experiment: &ExperimentRecord) -> String {
    let place = match experiment.comparisons.as_slice() {
        [only] => format!(", {}", title(only)),
        _ => String::new(),
    };
    let part = if record.complete { "" } else { "the run is incomplete; " };
    format!("{}{place}: {part}{}", experiment.name, sentences(record, experiment).join(" "))
}

/// What came of one experiment: what is fastest and slowest, then what explains the widest gap.
pub(crate) fn sentences(record: &Record, experiment: &ExperimentRecord) -> Vec<String> {
    let compared = experiment.comparisons.as_slice();
    let groups = groups(compared);
    let mut sentences = match compared {
        [] => vec![crate::text::outcomes::sentence(&experiment.outcomes)],
        [only] => vec![format!("{}.", extremes(record, only))],
        // In parts that are each summed up; else all at once.
        _ if groups.len() > 1 && groups.len() <= PARTS_MAX => {
            groups.iter().flat_map(|group| of_part(record, group)).collect()
        }
        few if few.len() < RANGE_FROM => one_by_one(record, few),
        many => range::sentences(record, many),
    };
    let explanations = compared.iter().filter_map(|each| Explanation::of(each, &label::labels(record, each)));
    if let Some(widest) = explanations.max_by(|a, b| a.gap.total_cmp(&b.gap)) {
        let place =
            if compared.len() > 1 { format!("{}: ", title(widest.comparison)) } else { String::new() };
        sentences.push(format!("{place}{}.", widest.sentence));
    }
    sentences
}

/// The sentences on one part, the first of them with its name.
fn of_part(record: &Record, group: &[Comparison]) -> Vec<String> {
    if group.len() < RANGE_FROM {
        return one_by_one(record, group);
    }
    let mut sentences = range::sentences(record, group);
    if let (Some(part), Some(first)) = (group.first().and_then(|first| part(first).0), sentences.first_mut())
    {
        *first = format!("{part}: {first}");
    }
    sentences
}

fn one_by_one(record: &Record, comparisons: &[Comparison]) -> Vec<String> {
    comparisons.iter().map(|each| format!("{}: {}.", title(each), extremes(record, each))).collect()
}

/// The fastest and the slowest of one comparison, in a sentence without its period.
fn extremes(record: &Record, comparison: &Comparison) -> String {
    let labels = label::labels(record, comparison);
    let ranked = ranked(comparison);
    let Some((&first, &last)) = ranked.first().zip(ranked.last()) else {
        return "no time was measured".to_owned();
    };
    let timed = |(index, summary): Ranked<'_>| {
        let doubt = doubt(record, comparison, index);
        format!("{} at {}{doubt}", labels[index], time(&summary.time_ns))
    };
    if ranked.len() == 1 {
        return format!("only {} was timed", timed(first));
    }
    let order = format!("{} comes first and {} last", timed(first), timed(last));
    if is_faulty(comparison) {
        return format!(
            "the A/A control failed, so none of the ratios is to be used; by medians alone, {order}"
        );
    }
    if first.1.time_ns.interval().is_none() {
        return format!("by medians without an interval yet, {order}");
    }
    let rivals: Vec<_> =
        ranked[1..].iter().filter(|&&(other, _)| !is_apart(comparison, first.0, other)).collect();
    if rivals.len() == ranked.len() - 1 {
        return format!(
            "no difference is shown between the fastest by median, {}, and any other",
            timed(first)
        );
    }
    let tie = match rivals.as_slice() {
        [] => String::new(),
        few if few.len() <= NAMES_MAX => {
            let names: Vec<_> = few.iter().map(|(index, _)| labels[*index].as_str()).collect();
            format!(" (no difference shown to {})", names.join(" and "))
        }
        many => format!(" (no difference shown to {} others)", many.len()),
    };
    let apart = |other: &&Ranked<'_>| is_apart(comparison, first.0, other.0);
    let last = ranked.iter().rev().find(apart).copied().unwrap_or(last);
    let times = number(last.1.time_ns.value / first.1.time_ns.value, 2);
    format!(
        "the fastest is {}{tie}; the slowest by median {}, {times} times as long",
        timed(first),
        timed(last)
    )
}

/// Why a variant's time is not to be taken for what it looks like.
fn doubt(record: &Record, comparison: &Comparison, index: usize) -> &'static str {
    if undercut(record, comparison, index).is_some() {
        " (BELOW THE FLOOR, a defect of Fathom's)"
    } else if is_wrong(comparison, index) {
        " (its answer is WRONG)"
    } else {
        ""
    }
}

/// The timed variants, the fastest first.
fn ranked(comparison: &Comparison) -> Vec<Ranked<'_>> {
    let timed = |index| Some((index, summary(comparison, index)?));
    by_time(comparison).into_iter().filter_map(timed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Reading;
    use fathom_testkit::{complete, interrupted, troubled};

    #[test]
    fn every_experiment_has_an_answer_of_its_own() {
        let text = render_summary(&complete());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(
            lines[0].starts_with("open-go, 1 GiB · warm: the fastest is native:openat at 2105 ns;"),
            "{text}"
        );
        assert!(
            lines[1].starts_with("small-go, 128 B · memfd · warm: the fastest is go:os.ReadFile"),
            "{text}"
        );
    }

    #[test]
    fn two_comparisons_are_answered_one_by_one() {
        let mut record = complete();
        let small = record.experiments.pop().unwrap();
        record.experiments[0].comparisons.extend(small.comparisons);
        let text = render_summary(&record);
        assert!(text.contains("1 GiB · warm: the fastest is native:openat"), "{text}");
        assert!(text.contains("128 B · memfd · warm: the fastest is go:os.ReadFile"), "{text}");
        assert_eq!(text.matches("times as long as").count(), 1, "{text}");
    }

    #[test]
    fn without_an_interval_nothing_is_called_fastest() {
        let text = render_summary(&interrupted());
        assert!(text.contains("incomplete") && text.contains("without an interval yet"), "{text}");
        assert!(!text.contains("the fastest is") && !text.contains("times as long"), "{text}");
    }

    #[test]
    fn after_a_fault_nothing_is_claimed() {
        let text = render_summary(&troubled());
        assert!(text.starts_with("read-cold, 1 MiB · cold: the A/A control failed"), "{text}");
        assert!(!text.contains("the fastest is") && !text.contains("times as long"), "{text}");
    }

    #[test]
    fn a_tie_with_the_fastest_is_said() {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        comparison.variants.truncate(4);
        comparison.summaries.truncate(4);
        let text = render_summary(&record);
        assert!(text.contains("go:unix.Open at 2213 ns (no difference shown to go:syscall.Open)"), "{text}");
    }

    #[test]
    fn who_is_fastest_rests_on_the_interval_of_all_together() {
        let mut record = complete();
        for summary in &mut record.experiments[0].comparisons[0].summaries {
            let Reading::Value(summary) = summary else { panic!("not timed") };
            if let Some(ratio) = &mut summary.ratio_simultaneous {
                (ratio.low, ratio.high) = (Some(0.1), Some(10.0));
            }
        }
        let text = render_summary(&record);
        assert!(
            text.contains("no difference is shown between the fastest by median, native:openat"),
            "{text}"
        );
        assert!(!text.lines().next().unwrap().contains("times as long"), "{text}");
    }
}
