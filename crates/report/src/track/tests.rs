use super::*;
use crate::options::Details;
use fathom_audit::{
    CallClass, CallTarget, Commit, CountRange, OutcomeClass, Owner, RunFacts, TRACKED_RUN_VERSION,
    TrackedCommand, TrackedCount, TrackedRun, TrackedTime,
};

fn id(number: usize) -> String {
    format!("{number:040x}")
}

/// A run of commit `number`, whose command opens so many files and takes so many ms.
fn run(number: usize, opens: u64, ms: Option<f64>) -> TrackedRun {
    let class = |call: &str, path: &str| CallClass {
        call: call.to_owned(),
        target: CallTarget::Path,
        outcome: OutcomeClass::Succeeded,
        path: path.to_owned(),
        owner: Owner::Yours,
        program: "tool".to_owned(),
    };
    let count = |call: &str, path: &str, count: u64| TrackedCount {
        command: "list".to_owned(),
        class: class(call, path),
        low: count,
        high: count,
    };
    TrackedRun {
        facts: RunFacts {
            schema_version: TRACKED_RUN_VERSION,
            fathom_version: "0".to_owned(),
            id: format!("run-{number}"),
            created: format!("2026-11-25T03:{:02}:{:02}Z", number / 60, number % 60),
            commit: Commit {
                id: id(number),
                author: "Ann Other".to_owned(),
                committed: "2026-11-25T03:00:00Z".to_owned(),
                subject: format!("commit {number}"),
            },
            parents: number.checked_sub(1).map(id).into_iter().collect(),
            has_changes: false,
            machine: "Linux".to_owned(),
            from: None,
            commands: vec![TrackedCommand {
                name: "list".to_owned(),
                words: vec!["tool".to_owned()],
                runs: 3,
                calls: Some(CountRange { low: opens + 2, high: opens + 2 }),
                is_complete: true,
                ended: "exit 0".to_owned(),
                capture: None,
                gaps: Vec::new(),
            }],
            redacted: None,
        },
        counts: vec![count("openat", "{checkout}/a.json", opens), count("close", "{checkout}/a.json", 2)],
        times: ms
            .map(|ms| TrackedTime {
                command: "list".to_owned(),
                metric: "wall".to_owned(),
                median_ns: ms * 1e6,
                low_ns: ms * 0.9e6,
                high_ns: ms * 1.1e6,
                runs: 5,
            })
            .into_iter()
            .collect(),
        is_damaged: false,
    }
}

fn history(runs: &[TrackedRun]) -> TrackReport {
    let order: Vec<String> = (0..1000).map(id).collect();
    track_report(&order, runs, "counts", Vec::new())
}

fn text(report: &TrackReport) -> String {
    render_track_report(report, &TextOptions { width: 100, color: false, details: Details::Brief })
}

/// Times that wobble by a few percent.
fn wobble(number: usize) -> f64 {
    1.0 + 0.03 * (number as f64 * 2.399_963).sin()
}

#[test]
fn a_run_is_read_as_it_was_written() {
    let run = run(3, 4, Some(12.0));
    let text = tracked_run_lines(&run).unwrap();
    assert_eq!(read_tracked_run(&text).unwrap(), (run, vec![]));
}

#[test]
fn a_damaged_line_a_missing_end_and_a_foreign_file_are_said() {
    let text = tracked_run_lines(&run(3, 4, None)).unwrap();
    let damaged = text.replacen("\"call\":\"openat\"", "\"call\":openat", 1);
    let (read, damage) = read_tracked_run(&damaged).unwrap();
    assert!(read.is_damaged && damage[0].starts_with("line 2 is damaged"), "{damage:?}");
    assert_eq!(damage[1], "1 of its 2 lines can be read");
    let cut = text.lines().take(2).collect::<Vec<_>>().join("\n");
    assert_eq!(read_tracked_run(&cut).unwrap().1, ["its end is missing"]);
    assert!(matches!(read_tracked_run("hello"), Err(TrackedRunError::Foreign(_))));
    let newer = text.replacen("\"schema_version\":1", "\"schema_version\":9", 1);
    assert_eq!(read_tracked_run(&newer), Err(TrackedRunError::Version { found: 9 }));
}

#[test]
fn a_step_of_a_count_names_commit_author_path_and_owner() {
    let runs: Vec<_> = (0..6).map(|number| run(number, if number < 4 { 4 } else { 8 }, None)).collect();
    let report = history(&runs);
    assert_eq!(report.changes.len(), 1);
    let change = &report.changes[0];
    assert_eq!((change.index, change.commit.id.clone(), change.is_adjacent), (4, id(4), true));
    let text = text(&report);
    for words in [
        "counts changed once in 6 commits",
        "Ann Other, commit 4: list: openat 4 → 8 (yours, tool)",
        "openat at {checkout}/a.json: 4 → 8",
        "git show 0000000000",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let page = track_report_html(&report).unwrap();
    assert!(page.contains("<svg") && page.contains("commit 4") && page.contains("Ann Other"));
    assert!(track_report_markdown(&report).contains("openat 4 → 8"));
}

#[test]
fn commits_that_were_not_run_leave_the_step_between_two() {
    let runs = [run(0, 4, None), run(1, 4, None), run(9, 8, None)];
    let text = text(&history(&runs));
    assert!(text.contains("is the last commit before that was run"), "{text}");
    assert!(text.contains("fathom bisect --good 0000000000 --bad 0000000000 --metric openat"), "{text}");
}

#[test]
fn a_time_that_moves_without_work_is_marked() {
    let ms = |number: usize| wobble(number) * if number < 40 { 10.0 } else { 14.0 };
    let same: Vec<_> = (0..80).map(|number| run(number, 4, Some(ms(number)))).collect();
    let report = history(&same);
    assert_eq!(report.changes.len(), 1, "{:#?}", report.changes);
    let WhatChanged::Time { work, .. } = &report.changes[0].what else { panic!("a time") };
    assert_eq!((work, report.changes[0].index), (&Work::Same, 40));
    let text = text(&report);
    assert!(text.contains("time moved, work did not"), "{text}");
    assert!(text.contains("times moved once while the work did not in 80 commits"), "{text}");
}

#[test]
fn a_time_that_moves_with_the_work_or_without_counts_is_not_marked() {
    let ms = |number: usize| wobble(number) * if number < 40 { 10.0 } else { 14.0 };
    let worked: Vec<_> =
        (0..80).map(|number| run(number, if number < 40 { 4 } else { 8 }, Some(ms(number)))).collect();
    let of_time = |report: &TrackReport| {
        report.changes.iter().find_map(|change| match &change.what {
            WhatChanged::Time { work, .. } => Some(work.clone()),
            WhatChanged::Counts { .. } => None,
        })
    };
    assert_eq!(of_time(&history(&worked)), Some(Work::Changed));
    let uncounted = worked.into_iter().map(|mut run| {
        run.counts.clear();
        run.facts.commands[0].runs = 0;
        run
    });
    assert!(matches!(of_time(&history(&uncounted.collect::<Vec<_>>())), Some(Work::NotKnown(_))));
}

#[test]
fn what_is_left_out_is_said() {
    let mut runs: Vec<_> = (0..4).map(|number| run(number, 4, None)).collect();
    runs[1].facts.has_changes = true;
    runs[2].is_damaged = true;
    runs[2].counts.clear();
    runs[3].facts.commit.id = "f".repeat(40);
    let mut failed = run(5, 9, None);
    failed.facts.commands[0].ended = "exit 1".to_owned();
    runs.push(failed);
    runs.push(run(6, 4, None));
    let report = history(&runs);
    assert_eq!(report.changes, [], "nothing that is left out is a step");
    let notes = report.notes.join("\n");
    for words in [
        "1 run of commits that are not on this line of history",
        "1 run of work trees with changes that were not committed",
        "list: 1 run without every class of calls",
        "list: 1 run ended otherwise than with exit 0",
    ] {
        assert!(notes.contains(words), "{words}\n{notes}");
    }
}

#[test]
fn a_text_in_brief_has_25_lines_at_most() {
    let runs: Vec<_> = (0..60).map(|number| run(number, 4 + number as u64, None)).collect();
    let text = text(&history(&runs));
    assert!(text.lines().count() <= 25, "{text}");
    assert!(text.contains("older changes: --full"), "{text}");
}

#[test]
fn counts_of_real_programs_that_vary_have_no_step_in_a_thousand_commits() {
    // Ranges of counts of 60 sessions of unchanged programs (docs/tracking.md says which).
    const NOISE: &str = include_str!("tests/count-noise.txt");
    let mut state = 20_261_125_u64;
    let mut draw = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let lines: Vec<Vec<fathom_stats::CountPoint>> = NOISE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let points = line.split_once('\t').unwrap().1.split(' ').map(|range| {
                let (low, high) = range.split_once('-').unwrap();
                fathom_stats::CountPoint { low: low.parse().unwrap(), high: high.parse().unwrap() }
            });
            points.collect()
        })
        .collect();
    assert!(lines.len() > 20, "{}", lines.len());
    let varying = lines.iter().filter(|points| points.iter().any(|point| *point != points[0])).count();
    assert!(varying > 10, "{varying} lines vary");
    let mut steps = 0;
    for points in &lines {
        let drawn: Vec<_> = (0..1000).map(|_| Some(points[draw(points.len())])).collect();
        steps += fathom_stats::count_history(&drawn).steps.len();
        let in_order: Vec<_> = points.iter().copied().map(Some).collect();
        steps += fathom_stats::count_history(&in_order).steps.len();
    }
    assert_eq!(steps, 0, "in {} lines of 1000 commits", lines.len());
}
