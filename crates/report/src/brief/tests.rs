use super::*;
use fathom_model::{Answered, Warning};
use fathom_testkit::{all, complete, count_pass, duel, estimate, fault_controls, keep_forks};

fn brief(record: &Record) -> String {
    render_brief(record, &TextOptions::default())
}

/// A run of several methods, by their ratios to the first with intervals.
fn ranked(ratios: &[(f64, f64)]) -> Record {
    let mut record = duel(&[1.5; 9]);
    let comparison = &mut record.experiments[0].comparisons[0];
    let (variant, summary, counts, cache) = (
        comparison.variants[1].clone(),
        comparison.summaries[1].clone(),
        comparison.counts[1].clone(),
        comparison.cache[1].clone(),
    );
    comparison.variants.truncate(1);
    comparison.summaries.truncate(1);
    comparison.counts.truncate(1);
    comparison.cache.truncate(1);
    comparison.answers.clear();
    for (number, (low, high)) in ratios.iter().enumerate() {
        let mut variant = variant.clone();
        variant.method.name = format!("m{number}");
        let mut summary = summary.clone();
        if let Reading::Value(summary) = &mut summary {
            let of = estimate(f64::midpoint(*low, *high), Some((*low, *high)), 9);
            (summary.ratio, summary.ratio_simultaneous) = (Some(of), Some(of));
            summary.time_ns = estimate(1000.0 * of.value, Some((1000.0 * low, 1000.0 * high)), 9);
        }
        comparison.variants.push(variant);
        comparison.summaries.push(summary);
        comparison.counts.push(counts.clone());
        comparison.cache.push(cache.clone());
    }
    record
}

#[test]
fn every_answer_fits_a_screen() {
    for (name, record) in all() {
        let text = brief(&record);
        assert!(text.lines().count() <= 25 || record.experiments.len() > 3, "{name}:\n{text}");
        assert!(text.lines().all(|line| width(line) <= 80), "{name}:\n{text}");
    }
}

#[test]
fn methods_that_are_not_told_apart_stand_in_one_line() {
    let record = ranked(&[(0.99, 1.01), (1.4, 1.6), (1.5, 1.7), (9.0, 11.0)]);
    let (lines, all) = lines(&record.experiments[0].comparisons[0], 9);
    let members: Vec<_> = lines.iter().map(|line| line.members.clone()).collect();
    assert_eq!((members, all), (vec![vec![0, 1], vec![2, 3], vec![4]], 3));
    assert_eq!(lines.iter().map(Line::factor).collect::<Vec<_>>(), ["1.00×", "1.5×", "10×"]);
}

#[test]
fn where_lines_are_too_many_the_nearest_become_a_range_and_the_first_stays() {
    let record = ranked(&[(1.4, 1.41), (1.5, 1.51), (3.0, 3.1), (9.0, 11.0)]);
    let comparison = &record.experiments[0].comparisons[0];
    let (few, all) = lines(comparison, 4);
    let factors: Vec<_> = few.iter().map(Line::factor).collect();
    assert_eq!((factors, all), (vec!["1.00×".into(), "1.4–1.5×".into(), "3.0×".into(), "10×".into()], 5));
    let (fewer, _) = lines(comparison, 2);
    assert_eq!(fewer[0].members, [0]);
    assert_eq!(fewer[1].factor(), "1.4–10×");
    assert!(brief(&record).contains("a range of ×") == (all > 10));
}

#[test]
fn a_line_says_which_calls_it_makes_more_than_the_first() {
    let mut record = ranked(&[(1.4, 1.5)]);
    let counts = &mut record.experiments[0].comparisons[0].counts;
    let call = fathom_testkit::call;
    counts[0] = Reading::Value(count_pass(vec![call("openat", 1), call("close", 1)], vec![], vec![]));
    let more = vec![call("openat", 1), call("close", 1), call("fcntl", 4)];
    counts[1] = Reading::Value(count_pass(more, vec![], vec![]));
    let text = brief(&record);
    assert!(text.contains("2 calls: openat 1, close 1") && text.contains("6 calls: +4 fcntl"), "{text}");
    record.experiments[0].comparisons[0].counts[1] = record.experiments[0].comparisons[0].counts[0].clone();
    assert!(brief(&record).contains("the same 2 calls"), "{}", brief(&record));
}

#[test]
fn without_intervals_or_with_a_failed_control_nothing_is_ranked() {
    let mut faulty = complete();
    fault_controls(&mut faulty);
    assert!(brief(&faulty).contains("A/A control failed"), "{}", brief(&faulty));
    assert!(!brief(&faulty).contains('×'), "{}", brief(&faulty));
    let mut early = ranked(&[(1.4, 1.5)]);
    keep_forks(&mut early, 1);
    for summary in &mut early.experiments[0].comparisons[0].summaries {
        if let Reading::Value(summary) = summary {
            (summary.time_ns.low, summary.time_ns.high) = (None, None);
        }
    }
    let text = brief(&early);
    assert!(text.contains("preliminary (too few runs)"), "{text}");
    // Every method with its median and its calls, and what to do about it.
    let (timed, named) = (&early.experiments[0].comparisons[0].summaries, "go:m0; 7 calls");
    assert!(timed.len() == 2 && text.contains(named) && text.contains("name more time (--time"), "{text}");
    assert!(!text.contains('×'), "{text}");
}

#[test]
fn kinds_of_calls_without_room_are_marked_and_none_is_cut() {
    let mut record = ranked(&[(1.4, 1.5)]);
    let counts = &mut record.experiments[0].comparisons[0].counts;
    let call = fathom_testkit::call;
    counts[0] = Reading::Value(count_pass(vec![call("openat", 1)], vec![], vec![]));
    let more = ["openat", "newfstatat", "epoll_pwait2", "copy_file_range", "process_madvise"]
        .map(|name| call(name, 2));
    counts[1] = Reading::Value(count_pass(more.to_vec(), vec![], vec![]));
    let text = brief(&record);
    let line = text.lines().find(|line| line.contains("10 calls: ")).unwrap();
    assert!(line.ends_with(", …") && !line.contains("+2 …") && width(line) <= 80, "{text}");
}

#[test]
fn the_baseline_has_its_line_where_another_is_faster() {
    let text = brief(&ranked(&[(0.5, 0.52), (1.4, 1.6)]));
    assert!(text.contains("takes 0.510 [0.500, 0.520] of its time"), "{text}");
    let text = brief(&ranked(&[(1.4, 1.6)]));
    assert!(!text.contains("baseline"), "{text}");
}

#[test]
fn who_is_not_ranked_is_named_with_the_reason_and_what_disturbed_forks_is_told() {
    let mut record = ranked(&[(0.4, 0.5), (1.4, 1.6)]);
    let comparison = &mut record.experiments[0].comparisons[0];
    for variant in &mut comparison.variants {
        variant.operation = Operation::ReadWhole;
        variant.method.driver = "native".to_owned();
    }
    comparison.variants[0].method.name = "read".to_owned();
    comparison.variants[1].method.name = "mmap".to_owned();
    comparison.forks[0].warm_up.steady = false;
    let text = brief(&record);
    assert!(text.contains("not ranked: native:mmap at 450 ns: touches one byte of every"), "{text}");
    assert!(
        text.contains("NOT steady: 1 of 9 forks") && text.contains("run again when it is over"),
        "{text}"
    );
    record.experiments[0].comparisons[0].forks[0].warm_up.steady = true;
    assert!(!brief(&record).contains("run again"), "{}", brief(&record));
}

#[test]
fn what_disturbed_forks_is_one_line_however_many_experiments_there_are() {
    let mut record = ranked(&[(1.4, 1.6), (2.0, 2.1)]);
    record.experiments.push(record.experiments[0].clone());
    for experiment in &mut record.experiments {
        experiment.comparisons[0].forks.iter_mut().for_each(|fork| fork.warm_up.steady = false);
    }
    let text = brief(&record);
    assert_eq!(text.matches("NOT steady").count(), 1, "{text}");
    assert!(text.contains("NOT steady: 18 of 18 forks"), "{text}");
}

#[test]
fn calls_alone_are_shown_where_calls_alone_were_asked_for() {
    let mut record = ranked(&[(1.4, 1.6)]);
    record.experiments[0].comparisons[0].stop = StopReason::CountsOnly;
    let text = brief(&record);
    assert!(text.contains("go:m0: 7 calls: openat 1, ") && text.contains("not timed"), "{text}");
    assert!(!text.contains("no time was measured"), "{text}");
}

#[test]
fn whose_calls_were_not_counted_is_said_with_the_reason() {
    let mut record = ranked(&[(1.4, 1.6), (2.0, 2.1)]);
    let counts = &mut record.experiments[0].comparisons[0].counts;
    counts[2] = Reading::unavailable("ptrace is refused");
    assert!(brief(&record).contains("calls of go:m1 not counted: ptrace is refused"), "{}", brief(&record));
    record.experiments[0].comparisons[0].counts.fill(Reading::unavailable("ptrace is refused"));
    assert!(brief(&record).contains("  calls not counted: ptrace is refused"), "{}", brief(&record));
}

#[test]
fn a_run_that_failed_says_why() {
    let mut record = ranked(&[(1.4, 1.6)]);
    record.experiments[0].comparisons[0].stop = StopReason::Failed("the driver was killed".to_owned());
    assert!(brief(&record).contains("FAILED: the driver was killed"), "{}", brief(&record));
}

#[test]
fn a_directory_that_stays_is_named_whole() {
    let mut record = ranked(&[(1.4, 1.6)]);
    let long = format!("the scratch directory /{}/.fathom-1-2 stays: unlinkat: EBUSY", "a".repeat(90));
    record.warnings.push(Warning::new(Severity::Note, LEFT_OVER, long.clone()));
    let said: String = brief(&record).split_whitespace().collect();
    assert!(said.contains(&long.split_whitespace().collect::<String>()), "{said}");
}

#[test]
fn who_answers_otherwise_is_named_once() {
    let mut record = ranked(&[(1.4, 1.6)]);
    let comparison = &mut record.experiments[0].comparisons[0];
    let answered = |disagrees: Option<&str>| Answered {
        what: "digest".to_owned(),
        found: 1,
        expected: 1,
        flaw: None,
        predicted: None,
        further: Vec::new(),
        disagrees: disagrees.map(str::to_owned),
    };
    comparison.answers = vec![answered(None), answered(Some("returns 746, the other returns 745"))];
    let flag = ValidityFlag {
        problem: ValidityProblem::OtherData,
        sides: vec![1],
        feature: None,
        errno: None,
        path: None,
        bytes: Vec::new(),
    };
    comparison.validity = vec![flag.clone()];
    let text = brief(&record);
    assert!(text.contains("go:m0 returns 746") && !text.contains("NOT a valid comparison"), "{text}");
    let read_other = ValidityFlag { bytes: vec![1, 2], ..flag };
    record.experiments[0].comparisons[0].validity = vec![read_other];
    assert!(brief(&record).contains("NOT a valid comparison"), "{}", brief(&record));
}
