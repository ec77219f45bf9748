//! The sample records are sound: they survive JSON, and their summaries agree
//! with their raw samples.

use fathom_model::{ArmKind, Comparison, Reading, Record};
use fathom_testkit::all;

fn comparisons(record: &Record) -> impl Iterator<Item = &Comparison> {
    record.experiments.iter().flat_map(|experiment| &experiment.comparisons)
}

#[test]
fn a_record_equals_itself_after_json() {
    for (name, record) in all() {
        let text = serde_json::to_string(&record).unwrap();
        // Not assert_eq: a failure would print both records, thousands of lines.
        assert!(serde_json::from_str::<Record>(&text).unwrap() == record, "{name}");
    }
}

#[test]
fn lists_of_a_comparison_have_one_entry_per_variant_or_arm() {
    for (name, record) in all() {
        for comparison in comparisons(&record) {
            let variants = comparison.variants.len();
            assert!(comparison.baseline < variants, "{name}");
            assert_eq!(comparison.counts.len(), variants, "{name}");
            assert_eq!(comparison.cache.len(), variants, "{name}");
            assert_eq!(comparison.summaries.len(), variants, "{name}");
            assert!(comparison.variants.iter().all(|v| v.place < record.places.len()), "{name}");
            for fork in &comparison.forks {
                assert_eq!(fork.arms.len(), comparison.arms.len(), "{name}");
                assert!(fork.arms.iter().all(|arm| arm.ns.len() == fork.operations.len()), "{name}");
            }
        }
    }
}

#[test]
fn simultaneous_intervals_are_no_narrower_and_share_the_error() {
    for (name, record) in all() {
        for comparison in comparisons(&record) {
            let ratios = (comparison.variants.len() - 1) as f64;
            for summary in comparison.summaries.iter().filter_map(Reading::value) {
                let Some(single) = summary.ratio else { continue };
                let together = summary.ratio_simultaneous.unwrap();
                assert!((together.confidence - (1.0 - 0.05 / ratios)).abs() < 1e-12, "{name}");
                let Some((low, high)) = single.interval() else {
                    assert_eq!(together.interval(), None, "{name}");
                    continue;
                };
                let (wider_low, wider_high) = together.interval().unwrap();
                assert!(wider_low <= low && high <= wider_high, "{name}: {together:?}");
            }
        }
    }
}

#[test]
fn summaries_agree_with_the_samples_they_stand_for() {
    for (name, record) in all().into_iter().filter(|(name, _)| *name != "interrupted") {
        for comparison in comparisons(&record) {
            for (index, arm) in comparison.arms.iter().enumerate() {
                let ArmKind::Variant(variant) = arm.kind else { continue };
                let Reading::Value(summary) = &comparison.summaries[variant] else { continue };
                let medians = comparison.forks.iter().map(|fork| {
                    let mut each: Vec<_> = std::iter::zip(&fork.arms[index].ns, &fork.operations)
                        .filter_map(|(ns, &operations)| {
                            Some(ns.as_ref().copied()? as f64 / f64::from(operations))
                        })
                        .collect();
                    median(&mut each)
                });
                let measured = median(&mut medians.collect::<Vec<_>>());
                let stated = summary.time_ns.value;
                assert!((measured / stated - 1.0).abs() < 0.002, "{name}: {measured} against {stated}");
            }
        }
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
