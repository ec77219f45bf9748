//! Where the variants of a comparison stand: their order, what may be said of
//! each, and which are shown to differ. The one place that decides statements;
//! sections and sentences only word them.

use crate::label::part;
use crate::statement::Statement;
use fathom_model::{Comparison, CountPass, Estimate, Reading, Setting, SettingKind, Variant, VariantSummary};
use fathom_stats::unranked;
use std::collections::BTreeSet;

/// Indices of the variants, the fastest first; behind them those that are not ranked, and
/// last those without a time.
pub(crate) fn by_time(comparison: &Comparison) -> Vec<usize> {
    let beside: BTreeSet<usize> = unranked(comparison).into_iter().map(|(index, _)| index).collect();
    let mut order: Vec<_> = (0..comparison.variants.len()).collect();
    let time = |index: usize| summary(comparison, index).map_or(f64::INFINITY, |s| s.time_ns.value);
    let place = |index: usize| (time(index).is_infinite(), beside.contains(&index));
    order.sort_by(|&a, &b| place(a).cmp(&place(b)).then(time(a).total_cmp(&time(b))));
    order
}

/// The comparisons of an experiment by its parts, each of one operation.
pub(crate) fn groups(comparisons: &[Comparison]) -> Vec<&[Comparison]> {
    let operation = |comparison: &Comparison| comparison.variants.first().map(|variant| variant.operation);
    let same = |a: &Comparison, b: &Comparison| part(a).0 == part(b).0 && operation(a) == operation(b);
    comparisons.chunk_by(same).collect()
}

/// Comparisons from small to large, where they differ in nothing but sizes and
/// numbers that are set; else in their own order.
pub(crate) fn by_size(comparisons: &[Comparison]) -> Vec<&Comparison> {
    let mut order: Vec<_> = comparisons.iter().collect();
    if order.windows(2).all(|pair| circumstances(pair[0]) == circumstances(pair[1])) {
        order.sort_by_key(|comparison| sizes(comparison));
    }
    order
}

/// True when comparisons differ in numbers that are set, each from all others.
pub(crate) fn is_sweep_of_settings(comparisons: &[Comparison]) -> bool {
    let numbers = |comparison: &Comparison| {
        let variant = comparison.variants.get(comparison.baseline)?;
        Some(Setting::ALL.map(|setting| variant.parameters.settings.number(setting)))
    };
    let distinct: BTreeSet<_> = comparisons.iter().filter_map(numbers).collect();
    distinct.len() == comparisons.len()
        && comparisons.windows(2).all(|pair| circumstances(&pair[0]) == circumstances(&pair[1]))
}

/// What a series has in common, by the baselines.
fn circumstances(comparison: &Comparison) -> impl PartialEq {
    let (part, _) = part(comparison);
    let variant = comparison.variants.get(comparison.baseline);
    let words = |variant: &Variant| {
        let words = Setting::ALL.into_iter().filter(|setting| !is_number(*setting));
        words.map(|setting| variant.parameters.settings.text(setting)).collect::<Vec<_>>()
    };
    (part.map(str::to_owned), variant.map(|v| (v.operation, v.place, v.cache, words(v))))
}

fn sizes(comparison: &Comparison) -> Option<(u64, u64, Vec<u64>)> {
    let parameters = &comparison.variants.get(comparison.baseline)?.parameters;
    let numbers = Setting::ALL.into_iter().map(|setting| parameters.settings.number(setting)).collect();
    Some((parameters.data.size_bytes, parameters.block_bytes, numbers))
}

fn is_number(setting: Setting) -> bool {
    matches!(setting.kind(), SettingKind::Count(..) | SettingKind::Size(_))
}

/// The summary of a variant, where it was timed.
pub(crate) fn summary(comparison: &Comparison, index: usize) -> Option<&VariantSummary> {
    comparison.summaries.get(index).and_then(Reading::value)
}

/// The counts of a variant, where it was counted.
pub(crate) fn pass(comparison: &Comparison, index: usize) -> Option<&CountPass> {
    comparison.counts.get(index).and_then(Reading::value)
}

/// True when the A/A control says that the ratios are not to be used.
pub(crate) fn is_faulty(comparison: &Comparison) -> bool {
    comparison.control.value().is_some_and(|control| control.instrument_fault)
}

/// How many variants are compared with the baseline, and so share one error.
pub(crate) fn ratios(comparison: &Comparison) -> usize {
    comparison.variants.len().saturating_sub(1)
}

/// What may be said of a variant: read off the interval that holds together
/// with those of the comparison's others.
pub(crate) fn statement(comparison: &Comparison, index: usize) -> Statement {
    if index == comparison.baseline {
        return Statement::Baseline;
    }
    let summary = summary(comparison, index);
    if summary.is_some_and(|summary| summary.ratio.is_some()) && is_faulty(comparison) {
        return Statement::Fault;
    }
    let Some(summary) = summary else { return Statement::Nothing };
    let of = |ratio: &Option<Estimate>| ratio.as_ref().map_or(Statement::Nothing, Statement::of_ratio);
    match of(&summary.ratio_simultaneous) {
        Statement::NoDifference | Statement::Nothing
            if matches!(of(&summary.ratio), Statement::Faster | Statement::Slower) =>
        {
            Statement::Alone
        }
        together => together,
    }
}

/// True when the record shows the two to differ: by the paired ratio where one
/// is the baseline, else by ratios whose intervals do not meet.
pub(crate) fn is_apart(comparison: &Comparison, one: usize, other: usize) -> bool {
    let shown = |index| matches!(statement(comparison, index), Statement::Faster | Statement::Slower);
    if one == comparison.baseline {
        return shown(other);
    }
    if other == comparison.baseline {
        return shown(one);
    }
    let interval =
        |index| summary(comparison, index)?.ratio_simultaneous.as_ref().and_then(Estimate::interval);
    match interval(one).zip(interval(other)) {
        Some(((low, high), (other_low, other_high))) => {
            !is_faulty(comparison) && (high < other_low || other_high < low)
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::SettingValue;
    use fathom_testkit::{complete, estimate, troubled};

    fn open() -> Comparison {
        complete().experiments.remove(0).comparisons.remove(0)
    }

    fn set(comparison: &mut Comparison, index: usize, single: (f64, f64), simultaneous: (f64, f64)) {
        let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
        summary.ratio = Some(estimate(f64::midpoint(single.0, single.1), Some(single), 9));
        let together = Some(simultaneous);
        summary.ratio_simultaneous = Some(estimate(f64::midpoint(single.0, single.1), together, 9));
    }

    #[test]
    fn comparisons_are_ordered_by_size_only_where_nothing_else_differs() {
        let sized = |sizes: &[(u64, usize)]| {
            let sized = |&(size, place): &(u64, usize)| {
                let mut comparison = open();
                comparison.variants[0].parameters.data.size_bytes = size;
                comparison.variants[0].place = place;
                comparison
            };
            let comparisons: Vec<_> = sizes.iter().map(sized).collect();
            let order = by_size(&comparisons).into_iter();
            order.map(|c| c.variants[0].parameters.data.size_bytes).collect::<Vec<_>>()
        };
        assert_eq!(sized(&[(12, 0), (999, 0), (128, 0)]), [12, 128, 999]);
        assert_eq!(sized(&[(12, 0), (999, 0), (128, 1)]), [12, 999, 128]);
    }

    #[test]
    fn numbers_that_are_set_are_sizes_too_and_words_are_not() {
        let set = |setting: Setting, values: &[SettingValue]| -> Vec<_> {
            let with = |value: &SettingValue| {
                let mut comparison = open();
                comparison.variants[0].parameters.settings.set(setting, value.clone());
                comparison
            };
            values.iter().map(with).collect()
        };
        let depths = set(Setting::PathDepth, &[16, 1, 4].map(SettingValue::Number));
        let order = by_size(&depths).into_iter();
        let order: Vec<_> =
            order.map(|c| c.variants[0].parameters.settings.number(Setting::PathDepth)).collect();
        assert_eq!(order, [1, 4, 16]);
        assert!(is_sweep_of_settings(&depths));
        assert!(!is_sweep_of_settings(&[open(), open()]), "nothing differs");
        let words = set(Setting::Existing, &["fresh", "data", "empty"].map(SettingValue::from));
        let order = by_size(&words).into_iter();
        let order: Vec<_> =
            order.map(|c| c.variants[0].parameters.settings.text(Setting::Existing)).collect();
        assert_eq!(order, ["fresh", "data", "empty"]);
        assert!(!is_sweep_of_settings(&words));
    }

    #[test]
    fn a_statement_rests_on_the_interval_of_all_together() {
        let mut comparison = open();
        set(&mut comparison, 1, (1.01, 1.05), (0.99, 1.07));
        assert_eq!(statement(&comparison, 1), Statement::Alone);
        assert!(!is_apart(&comparison, 1, comparison.baseline));
        set(&mut comparison, 1, (1.01, 1.05), (1.001, 1.06));
        assert_eq!(statement(&comparison, 1), Statement::Slower);
        assert!(is_apart(&comparison, comparison.baseline, 1));
    }

    #[test]
    fn two_beside_the_baseline_are_apart_when_their_intervals_of_all_together_are() {
        let mut comparison = open();
        set(&mut comparison, 1, (1.30, 1.31), (1.29, 1.32));
        set(&mut comparison, 2, (1.34, 1.35), (1.31, 1.38));
        assert!(!is_apart(&comparison, 1, 2));
        set(&mut comparison, 2, (1.34, 1.35), (1.33, 1.36));
        assert!(is_apart(&comparison, 1, 2) && is_apart(&comparison, 2, 1));
    }

    #[test]
    fn after_a_fault_nothing_is_said() {
        let comparison = troubled().experiments.remove(0).comparisons.remove(0);
        assert_eq!(statement(&comparison, 2), Statement::Fault);
        assert!(!is_apart(&comparison, 0, 2) && !is_apart(&comparison, 1, 2));
        let mut comparison = open();
        assert!(is_apart(&comparison, 1, 3), "neither is the baseline");
        let Reading::Value(control) = &mut comparison.control else { panic!("no control") };
        control.instrument_fault = true;
        assert!(!is_apart(&comparison, 1, 3));
    }
}
