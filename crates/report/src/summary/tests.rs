//! Headlines of the sample records, and of records that would fool them.

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
    assert!(lines[1].starts_with("small-go, 128 B · memfd · warm: the fastest is go:os.ReadFile"), "{text}");
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

fn ratio(comparison: &mut Comparison, index: usize, (value, half): (f64, f64)) {
    let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
    let ratio = Some(fathom_testkit::estimate(value, Some((value - half, value + half)), 9));
    (summary.ratio, summary.ratio_simultaneous) = (ratio, ratio);
}

fn of_open(change: impl Fn(&mut Comparison)) -> String {
    let mut record = complete();
    change(&mut record.experiments[0].comparisons[0]);
    render_summary(&record).lines().next().unwrap().to_owned()
}

#[test]
fn a_factor_is_the_paired_ratio_and_not_that_of_medians() {
    // The baseline is the fastest; one of the medians stands between two modes.
    let text = of_open(|comparison| {
        for index in 1..5 {
            ratio(comparison, index, (1.1 + index as f64 / 10.0, 0.01));
        }
        let Reading::Value(summary) = &mut comparison.summaries[4] else { panic!("not timed") };
        summary.time_ns.value = 9_000.0;
    });
    assert!(
        text.contains("slowest by median native:openat at 9000 ns, 1.500 [1.490, 1.510] times"),
        "{text}"
    );
    let text = of_open(|comparison| {
        ratio(comparison, 1, (3.0, 0.1));
        ratio(comparison, 4, (0.5, 0.01));
    });
    assert!(text.contains("go:os.Open at 3621 ns, about 6.0 times as long"), "{text}");
}

#[test]
fn the_slowest_that_differs_is_not_called_the_slowest_of_all() {
    let text = of_open(|comparison| {
        ratio(comparison, 2, (40.0, 39.8));
        ratio(comparison, 3, (1.2, 0.01));
    });
    assert!(
        text.contains("; the slowest that is shown to differ from it, go:os.Open at 3621 ns, about 1.7")
            && text.contains("times as long (1 other with a higher ratio: not shown)"),
        "{text}"
    );
    assert!(!text.contains("slowest by"), "{text}");
}

#[test]
fn who_is_fastest_is_who_has_the_lowest_ratio() {
    let text = of_open(|comparison| {
        let Reading::Value(summary) = &mut comparison.summaries[0] else { panic!("not timed") };
        summary.time_ns.value = 1_000.0;
    });
    assert!(text.contains("the fastest by its ratio is native:openat"), "{text}");
}

#[test]
fn three_sentences_are_enough_for_any_experiment() {
    for (_, record) in fathom_testkit::all() {
        for said in record.experiments.iter().map(|experiment| sentences(&record, experiment)) {
            assert!((1..=3).contains(&said.len()), "{said:#?}");
        }
    }
    // Five comparisons of five things.
    let mut record = complete();
    let comparison = record.experiments[0].comparisons[0].clone();
    let part = |name: &str| Comparison { label: format!("{name}: warm"), ..comparison.clone() };
    record.experiments[0].comparisons = ["a", "b", "c", "d", "e"].map(part).to_vec();
    let said = sentences(&record, &record.experiments[0]);
    assert_eq!(said.len(), 3, "{said:#?}");
    assert!(said[0].starts_with("5 comparisons: ") && said[1].starts_with("The widest gap, "), "{said:#?}");
    record.experiments[0].comparisons.truncate(3);
    let said = sentences(&record, &record.experiments[0]);
    assert_eq!(said.iter().filter(|said| said.contains("the fastest is")).count(), 3, "{said:#?}");
}

#[test]
fn without_an_interval_nothing_is_called_fastest() {
    let text = render_summary(&interrupted());
    assert!(text.contains("incomplete") && text.contains("preliminary (too few runs)"), "{text}");
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
    assert!(text.contains("no difference is shown between the fastest by median, native:openat"), "{text}");
    assert!(!text.lines().next().unwrap().contains("times as long"), "{text}");
}

fn method(comparison: &mut Comparison, index: usize, name: &str, flags: &str) {
    comparison.variants[index].method = name.parse().unwrap();
    let Reading::Value(pass) = &mut comparison.counts[index] else { panic!("not counted") };
    let step = fathom_model::RecipeStep {
        call: "openat".into(),
        arguments: format!("FILE, {flags}"),
        result: "3".into(),
        failed: false,
        other_thread: false,
    };
    pass.recipe = vec![step];
}

/// The fastest of the sample is its last, 4.
#[test]
fn a_row_that_opens_nothing_readable_is_not_the_fastest_way_to_open() {
    let text = of_open(|comparison| {
        (0..4).for_each(|index| method(comparison, index, &format!("go:way-{index}"), "O_RDONLY|O_CLOEXEC"));
        method(comparison, 4, "native:open+O_PATH", "O_RDONLY|O_PATH|O_CLOEXEC");
    });
    assert!(!text.contains("the fastest is native:open+O_PATH"), "{text}");
    let said = "faster, but not ranked: native:open+O_PATH (its descriptor cannot be read from, it stands for the path alone)";
    assert!(text.contains(said), "{text}");
}

#[test]
fn what_children_inherit_stands_beside_the_fastest_where_others_close_it() {
    let all = |comparison: &mut Comparison, flags: &str| {
        (0..4).for_each(|index| method(comparison, index, &format!("go:way-{index}"), flags));
        method(comparison, 4, "go:last", "O_RDONLY");
    };
    let text = of_open(|comparison| all(comparison, "O_RDONLY|O_CLOEXEC"));
    assert!(text.contains("ns (no O_CLOEXEC: programs it executes may inherit the descriptor)"), "{text}");
    let text = of_open(|comparison| all(comparison, "O_RDONLY"));
    assert!(!text.contains("O_CLOEXEC"), "all are alike: {text}");
}

#[test]
fn a_touched_mapping_comes_first_in_no_sentence_and_last_in_the_table() {
    let mut record = complete();
    let comparison = &mut record.experiments[0].comparisons[0];
    for variant in &mut comparison.variants {
        variant.operation = fathom_model::Operation::ReadWhole;
    }
    method(comparison, 4, "native:mmap", "O_RDONLY");
    let text = crate::render_text(&record, &crate::TextOptions::default());
    let table = text.split("  not ranked: native:mmap").next().unwrap();
    let table = table.split("method ").nth(1).unwrap();
    let rows: Vec<_> =
        table.lines().filter(|line| line.contains("go:") || line.contains("native:mmap")).collect();
    assert!(rows.last().unwrap().contains("native:mmap"), "{table}");
    assert!(text.contains("not ranked: native:mmap: touches one byte of every 4096"), "{text}");
    assert!(!text.contains("the fastest is native:mmap"), "{text}");
}
