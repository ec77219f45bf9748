//! Verdicts on scripted records.

mod figures;
mod sites;

use crate::{EffectUnit, JudgedClaim, Judgement, Verdict, judge};
use fathom_model::{
    Answered, CacheState, Check, Claim, Conditions, CounterUnit, EvidencePass, Explanation, Fact, FairCheck,
    Form, KernelCounter, Metric, Operation, OutcomeCount, Prediction, Reading, Record, Region, Scope,
    Subject, Unmeasured, counter_name,
};
use fathom_testkit::{cold_evidence, duel, duel_of, fault_controls, keep_forks};

const ALPHA: f64 = 0.05;

fn of_method(name: &str) -> Conditions {
    Conditions { method: name.parse().ok(), ..Conditions::default() }
}

fn check(metric: Metric, form: Form, region: Region) -> Check {
    let to = (form != Form::Value).then(|| of_method("native:open"));
    let subject = Subject::Variants { metric, form, of: of_method("go:os.Open"), to };
    Check { subject, region, usual_margin: false }
}

fn claim(checks: Vec<Check>) -> Claim {
    Claim {
        name: "a-claim".into(),
        sentence: "os.Open is slower".into(),
        source: "a test".into(),
        reported: Some("a lot".into()),
        checks,
        fair: None,
        untestable: None,
    }
}

fn judged(claim: &Claim, record: &Record) -> JudgedClaim {
    let mut judgement: Judgement = judge(&[("duel", claim)], &[record], ALPHA);
    judgement.claims.remove(0)
}

/// The verdict on: the ratio lies in this region.
fn of_ratio(region: Region, record: &Record) -> JudgedClaim {
    judged(&claim(vec![check(Metric::Time, Form::Ratio, region)]), record)
}

/// Ratios around a center, as forks scatter.
fn around(center: f64, forks: usize) -> Vec<f64> {
    let wobble = [0.004, -0.006, 0.001, -0.002, 0.005, -0.003, 0.0];
    (0..forks).map(|fork| center * (1.0 + wobble[fork % wobble.len()])).collect()
}

#[test]
fn a_time_is_judged_by_its_interval() {
    let record = duel(&around(2.4, 15));
    for (region, verdict) in [
        (Region::between(2.2, 2.6), Verdict::Supported),
        (Region::at_least(1.1), Verdict::Supported),
        (Region::at_least(3.0), Verdict::Refuted),
        (Region::at_most(1.0), Verdict::Refuted),
        (Region::at_least(2.4), Verdict::Inconclusive),
    ] {
        let judged = of_ratio(region, &record);
        assert_eq!(judged.verdict, verdict, "{region:?}: {judged:?}");
        let effect = judged.checks[0].instances[0].effect.as_ref().unwrap();
        assert_eq!((effect.n, effect.unit), (15, EffectUnit::Ratio));
        assert!(effect.low.unwrap() < effect.value && effect.value < effect.high.unwrap());
    }
}

#[test]
fn the_same_beside_itself_supports_no_difference_and_refutes_one() {
    let record = duel(&around(1.0, 15));
    assert_eq!(of_ratio(Region::between(0.99, 1.01), &record).verdict, Verdict::Supported);
    assert_eq!(of_ratio(Region::at_least(1.02), &record).verdict, Verdict::Refuted);
}

#[test]
fn four_forks_decide_nothing_and_say_so() {
    let mut record = duel(&around(2.4, 15));
    keep_forks(&mut record, 4);
    let judged = of_ratio(Region::at_least(1.1), &record);
    assert_eq!(judged.verdict, Verdict::Inconclusive);
    assert!(judged.because.contains("4 forks are too few"), "{}", judged.because);
    keep_forks(&mut record, 0);
    assert_eq!(of_ratio(Region::at_least(1.1), &record).verdict, Verdict::Untestable);
}

#[test]
fn a_drift_across_the_edge_leaves_it_open() {
    let drifting: Vec<f64> = around(0.80, 12).into_iter().chain(around(0.95, 13)).collect();
    let judged = of_ratio(Region::at_most(0.97), &duel(&drifting));
    assert_eq!(judged.verdict, Verdict::Supported, "both levels say so: {judged:?}");
    // The interval of the whole reaches over 0.86 anyhow: only the doubt tells why.
    let judged = of_ratio(Region::at_most(0.86), &duel(&drifting));
    assert_eq!(judged.verdict, Verdict::Inconclusive);
    assert!(judged.because.contains("changed its level at fork 13 of 25"), "{}", judged.because);
    // Here the whole interval would refute, and one of the two levels does not.
    let late: Vec<f64> = around(0.80, 6).into_iter().chain(around(0.95, 35)).collect();
    let judged = of_ratio(Region::at_most(0.86), &duel(&late));
    assert_eq!(judged.verdict, Verdict::Inconclusive, "{judged:?}");
}

#[test]
fn a_placebo_that_fails_leaves_every_time_open_and_no_count() {
    let mut record = duel(&around(2.4, 15));
    fault_controls(&mut record);
    let judged = of_ratio(Region::at_least(1.1), &record);
    assert_eq!(judged.verdict, Verdict::Inconclusive);
    assert!(judged.because.starts_with("instrument fault"), "{}", judged.because);
    let counted = claim(vec![check(Metric::Calls, Form::Value, Region::between(7.0, 7.0))]);
    assert_eq!(self::judged(&counted, &record).verdict, Verdict::Supported);
}

#[test]
fn a_cold_state_that_read_nothing_from_the_device_is_a_lie() {
    let mut record = duel(&around(2.4, 15));
    let comparison = &mut record.experiments[0].comparisons[0];
    for variant in &mut comparison.variants {
        variant.operation = Operation::ReadWhole;
        variant.cache = CacheState::Cold;
    }
    comparison.cache = vec![cold_evidence(1, 40, 40 * 4096); 2];
    assert_eq!(of_ratio(Region::at_least(1.1), &record).verdict, Verdict::Supported, "honest");
    record.experiments[0].comparisons[0].cache[1].device_read_bytes = Reading::Value(0);
    let judged = of_ratio(Region::at_least(1.1), &record);
    assert_eq!(judged.verdict, Verdict::Inconclusive);
    assert!(judged.because.contains("was to be cold, but go:os.Open"), "{}", judged.because);
}

#[test]
fn a_setting_that_is_named_whole_is_that_one() {
    let mut record = duel(&around(2.4, 15));
    for (setting, n) in [("open", 40), ("open O_NOFOLLOW", 0)] {
        record.experiments[0].outcomes.push(fathom_model::Outcome {
            case: "read for a user".into(),
            setting: setting.into(),
            place: Some(0),
            counts: vec![OutcomeCount { what: "the secret".into(), n }],
            figures: vec![],
            meaning: "It was read, or not.".into(),
            unavailable: None,
        });
    }
    let of = |setting: &str| {
        let subject = Subject::Outcome {
            case: "read for".into(),
            setting: setting.into(),
            what: "the secret".into(),
            share_of: None,
        };
        let check = Check { subject, region: Region::at_least(1.0), usual_margin: false };
        judged(&claim(vec![check]), &record)
    };
    assert_eq!((of("open").verdict, of("open").checks[0].instances.len()), (Verdict::Supported, 1));
    assert_eq!((of("op").verdict, of("op").checks[0].instances.len()), (Verdict::Refuted, 2));
}

#[test]
fn counts_are_exact_by_name_and_errno() {
    let record = duel(&around(2.4, 15));
    for (metric, form, region, verdict) in [
        (Metric::Call("fcntl".into()), Form::Value, Region::between(4.0, 4.0), Verdict::Supported),
        (Metric::Call("epoll_ctl=EPERM".into()), Form::Value, Region::at_least(1.0), Verdict::Supported),
        (Metric::Call("epoll_ctl=EEXIST".into()), Form::Value, Region::at_least(1.0), Verdict::Refuted),
        (Metric::Call("fstat".into()), Form::Value, Region::at_most(0.0), Verdict::Supported),
        (Metric::Calls, Form::Difference, Region::between(5.0, 5.0), Verdict::Supported),
        (Metric::Calls, Form::Ratio, Region::at_least(4.0), Verdict::Refuted),
        (Metric::Runtime("allocs".into()), Form::Value, Region::between(2.9, 3.1), Verdict::Supported),
        (Metric::Runtime("pauses".into()), Form::Value, Region::at_most(0.0), Verdict::Untestable),
        (Metric::Counter("major-faults".into()), Form::Value, Region::at_most(0.0), Verdict::Untestable),
    ] {
        let judged = judged(&claim(vec![check(metric.clone(), form, region)]), &record);
        assert_eq!(judged.verdict, verdict, "{metric:?}: {judged:?}");
    }
}

#[test]
fn predictions_are_met_exactly_or_not() {
    let mut record = duel(&around(2.4, 15));
    let counter = |name: &str, value| KernelCounter {
        name: name.into(),
        source: "perf".into(),
        scope: Scope::Task,
        unit: CounterUnit::Events,
        differences: Reading::Value(vec![value; 3]),
    };
    let mut verdict = |counted, outside| {
        let pass = EvidencePass {
            run_lengths: [0, 100],
            repetitions: 3,
            counters: vec![
                counter(counter_name::BIO_QUEUE, counted),
                counter(counter_name::OUTSIDE_READS, outside),
            ],
            requests: Vec::new(),
            predictions: vec![Prediction {
                name: counter_name::BIO_QUEUE.into(),
                expected: 80,
                because: "runs".into(),
            }],
        };
        let explanation = Explanation { counters: Some(Reading::Value(pass)), ..Explanation::default() };
        record.experiments[0].comparisons[0].explanations = vec![explanation; 2];
        let metric = Metric::Predicted(counter_name::BIO_QUEUE.into());
        let check = check(metric, Form::Value, Region::between(1.0, 1.0));
        judged(&claim(vec![check]), &record).verdict
    };
    assert_eq!(verdict(80, 0), Verdict::Supported);
    assert_eq!(verdict(81, 1), Verdict::Supported, "one read of metadata");
    assert_eq!(verdict(81, 0), Verdict::Refuted);
    assert_eq!(verdict(80, 1), Verdict::Supported);
}

#[test]
fn the_cpu_share_is_cpu_time_over_wall_clock_time() {
    let judged_with = |cpu_ns: i64, region| {
        let mut record = duel(&around(2.4, 15));
        let comparison = &mut record.experiments[0].comparisons[0];
        let counter = KernelCounter {
            name: counter_name::CPU_TIME.into(),
            source: "schedstat".into(),
            scope: Scope::Task,
            unit: CounterUnit::Ns,
            differences: Reading::Value(vec![cpu_ns * 100; 3]),
        };
        let pass = EvidencePass {
            run_lengths: [0, 100],
            repetitions: 3,
            counters: vec![counter],
            requests: Vec::new(),
            predictions: Vec::new(),
        };
        let explanation = Explanation { counters: Some(Reading::Value(pass)), ..Explanation::default() };
        comparison.explanations = vec![explanation; 2];
        let judged = judged(&claim(vec![check(Metric::CpuShare, Form::Value, region)]), &record);
        (judged.verdict, judged.checks[0].instances[0].effect.as_ref().map(|effect| effect.value))
    };
    let record = duel(&around(2.4, 15));
    let comparison = &record.experiments[0].comparisons[0];
    let at = comparison.variants.iter().position(|variant| variant.method.to_string() == "go:os.Open");
    let of = comparison.summaries[at.unwrap()].value().unwrap().time_ns.value;
    #[expect(clippy::cast_possible_truncation, reason = "a time of some hundred ns")]
    let tenth = (of / 10.0).round() as i64;
    let (verdict, share) = judged_with(tenth, Region::at_most(0.2));
    assert_eq!(verdict, Verdict::Supported);
    assert!((share.unwrap() - tenth as f64 / of).abs() < 1e-9, "{share:?}");
    assert_eq!(judged_with(tenth * 5, Region::at_most(0.2)).0, Verdict::Refuted);
}

#[test]
fn an_event_that_the_kernel_has_not_is_absent_and_one_that_was_not_counted_is_open() {
    let judged_with = |counted: &[&str]| {
        let mut record = duel(&around(2.4, 15));
        let counters = counted.iter().map(|name| KernelCounter {
            name: (*name).into(),
            source: "tracefs".into(),
            scope: Scope::Task,
            unit: CounterUnit::Events,
            differences: Reading::Value(vec![0; 3]),
        });
        let pass = EvidencePass {
            run_lengths: [0, 100],
            repetitions: 3,
            counters: counters.collect(),
            requests: Vec::new(),
            predictions: Vec::new(),
        };
        let explanation = Explanation { counters: Some(Reading::Value(pass)), ..Explanation::default() };
        record.experiments[0].comparisons[0].explanations = vec![explanation; 2];
        let metric = Metric::Counter("block_rq_abort".into());
        let judged = judged(&claim(vec![check(metric, Form::Value, Region::at_most(0.0))]), &record);
        (judged.verdict, judged.checks[0].instances[0].is_absent_here)
    };
    assert_eq!(judged_with(&["block_rq_issue"]), (Verdict::Untestable, true));
    assert_eq!(judged_with(&["block_rq_issue", "block_rq_abort"]), (Verdict::Supported, false));
    assert_eq!(judged_with(&["major-faults"]), (Verdict::Untestable, false));
}

#[test]
fn what_nothing_predicts_is_untestable() {
    let metric = Metric::Predicted(counter_name::BIO_QUEUE.into());
    let check = check(metric, Form::Value, Region::between(1.0, 1.0));
    assert_eq!(judged(&claim(vec![check]), &duel(&around(2.4, 15))).verdict, Verdict::Untestable);
}

#[test]
fn the_calls_that_differ_are_the_evidence() {
    let judged = of_ratio(Region::at_least(1.1), &duel(&around(2.4, 15)));
    let evidence = &judged.checks[0].instances[0].evidence;
    let calls: Vec<_> = evidence.calls.iter().map(|c| (c.call.as_str(), c.of, c.to)).collect();
    assert_eq!(calls, [("epoll_ctl=EPERM", 1.0, Some(0.0)), ("fcntl", 4.0, Some(0.0))]);
    assert!(evidence.cache[0].starts_with("warm, proven by"), "{evidence:?}");
    assert!(evidence.control.is_some());
}

#[test]
fn a_fair_comparison_that_says_otherwise_confounds() {
    let mut record = duel(&around(2.4, 15));
    record.experiments[0].comparisons.push(duel_of(&around(1.0, 15), "cpp:open", "cpp:openat"));
    let mut claim = claim(vec![check(Metric::Time, Form::Ratio, Region::at_least(1.1))]);
    let fair = Check {
        subject: Subject::Variants {
            metric: Metric::Time,
            form: Form::Ratio,
            of: of_method("cpp:openat"),
            to: Some(of_method("cpp:open")),
        },
        region: Region::at_least(1.1),
        usual_margin: false,
    };
    claim.fair = Some(FairCheck { checks: vec![fair], because: "the one reads".into() });
    let judged = judged(&claim, &record);
    assert_eq!(judged.verdict, Verdict::Confounded);
    assert_eq!(judged.because, "as published it holds, compared fairly it does not hold: the one reads");
}

#[test]
fn a_file_system_that_fathom_made_is_named_by_its_kind() {
    let mut record = duel(&around(2.4, 15));
    for place in &mut record.places {
        place.place = fathom_model::Place::Directory("/work/.fathom-13-a/t0/ext4+noauto_da_alloc".into());
    }
    let judged = of_ratio(Region::at_least(1.1), &record);
    assert_eq!(judged.checks[0].instances[0].place, "a fresh ext4+noauto_da_alloc");
}

#[test]
fn where_it_does_not_hold_is_named() {
    let mut record = duel(&around(2.4, 15));
    let mut elsewhere = duel_of(&around(1.0, 15), "native:open", "go:os.Open");
    for variant in &mut elsewhere.variants {
        variant.place = 1;
    }
    record.experiments[0].comparisons.push(elsewhere);
    let judged = of_ratio(Region::at_least(1.1), &record);
    assert_eq!(judged.verdict, Verdict::Refuted);
    assert_eq!(judged.because, "it does not hold in 1 of 2 cases (memfd)");
    assert_eq!(judged.checks[0].instances.len(), 2);
}

#[test]
fn the_error_is_shared_among_what_is_a_matter_of_chance() {
    let record = duel(&around(2.4, 15));
    let one = claim(vec![check(Metric::Time, Form::Ratio, Region::at_least(1.1))]);
    let two = claim(vec![
        check(Metric::Time, Form::Ratio, Region::at_least(1.1)),
        check(Metric::Time, Form::Difference, Region::at_least(0.0)),
        check(Metric::Calls, Form::Value, Region::at_least(0.0)),
    ]);
    let alone = judge(&[("duel", &one)], &[&record], ALPHA);
    let family = judge(&[("duel", &one), ("duel", &two)], &[&record], ALPHA);
    assert_eq!((alone.shared_among, family.shared_among), (1, 3));
    let width = |judgement: &Judgement| {
        let effect = judgement.claims[0].checks[0].instances[0].effect.as_ref().unwrap();
        (effect.high.unwrap() - effect.low.unwrap(), effect.confidence.unwrap())
    };
    assert!((width(&alone).1 - 0.95).abs() < 1e-12 && (width(&family).1 - (1.0 - 0.05 / 3.0)).abs() < 1e-12);
    assert!(width(&family).0 > width(&alone).0);
}

#[test]
fn what_could_not_be_measured_is_untestable_with_its_reason() {
    let mut record = duel(&around(2.4, 15));
    record.experiments[0].comparisons.clear();
    let judged = of_ratio(Region::at_least(1.1), &record);
    assert_eq!(judged.verdict, Verdict::Untestable);
    assert!(judged.because.contains("no comparison of the records"), "{}", judged.because);
    record.experiments[0].unmeasured.push(Unmeasured {
        method: "go:os.Open".parse().unwrap(),
        scope: None,
        reason: "go was not found".into(),
    });
    assert_eq!(of_ratio(Region::at_least(1.1), &record).because, "go:os.Open: go was not found");
    let said = Claim { checks: vec![], untestable: Some("nobody can".into()), ..claim(vec![]) };
    let said = self::judged(&said, &record);
    assert_eq!((said.verdict, said.because.as_str()), (Verdict::Untestable, "nobody can"));
}

#[test]
fn answers_are_held_against_the_truth() {
    let mut record = duel(&around(2.4, 15));
    let right = claim(vec![check(Metric::Answer, Form::Value, Region::between(1.0, 1.0))]);
    assert_eq!(judged(&right, &record).verdict, Verdict::Supported);
    let answer = |found| Answered {
        what: "matches".into(),
        found,
        expected: 100,
        flaw: None,
        predicted: None,
        further: Vec::new(),
        disagrees: None,
    };
    record.experiments[0].comparisons[0].answers = vec![answer(100), answer(97)];
    let wrong = judged(&right, &record);
    assert_eq!(wrong.verdict, Verdict::Refuted);
    assert_eq!(wrong.checks[0].instances[0].evidence.answers, ["go:os.Open answers 97 matches of 100"]);
}

#[test]
fn outcomes_and_facts_are_judged_by_what_was_seen() {
    let mut record = duel(&around(2.4, 15));
    record.experiments[0].outcomes.push(fathom_model::Outcome {
        case: "replace by renaming".into(),
        setting: "old handle".into(),
        place: Some(0),
        counts: vec![
            OutcomeCount { what: "reads: blocked".into(), n: 0 },
            OutcomeCount { what: "replacements".into(), n: 100 },
        ],
        figures: vec![],
        meaning: "None of 100 reads blocked.".into(),
        unavailable: None,
    });
    let of_outcome = |what: &str, share_of: Option<&str>, region| Check {
        subject: Subject::Outcome {
            case: "renaming".into(),
            setting: String::new(),
            what: what.into(),
            share_of: share_of.map(str::to_owned),
        },
        region,
        usual_margin: false,
    };
    let blocks = claim(vec![of_outcome("reads: blocked", None, Region::at_least(1.0))]);
    assert_eq!(judged(&blocks, &record).verdict, Verdict::Refuted);
    let never = claim(vec![of_outcome("reads: blocked", Some("replacements"), Region::at_most(0.0))]);
    assert_eq!(judged(&never, &record).verdict, Verdict::Supported);
    let dentry = Check {
        subject: Subject::Fact(Fact::DentryBytes),
        region: Region::between(85.0, 115.0),
        usual_margin: true,
    };
    let inode = Check { subject: Subject::Fact(Fact::InodeBytes), ..dentry.clone() };
    for (check, bytes) in [(dentry, 192.0), (inode, 1160.0)] {
        let judged = judged(&claim(vec![check]), &record);
        assert_eq!(judged.verdict, Verdict::Refuted);
        let effect = judged.checks[0].instances[0].effect.as_ref().unwrap();
        assert!((effect.value - bytes).abs() < f64::EPSILON, "{effect:?}");
    }
}

#[test]
fn a_judgement_is_the_same_every_time_and_survives_json() {
    let record = duel(&around(2.4, 15));
    let claim = claim(vec![check(Metric::Time, Form::Saving, Region::at_least(0.1))]);
    let first = judge(&[("duel", &claim)], &[&record], ALPHA);
    assert_eq!(first, judge(&[("duel", &claim)], &[&record], ALPHA));
    let text = serde_json::to_string(&first).unwrap();
    assert!(!text.contains("of_forks"), "forks stand in the record");
    assert_eq!(serde_json::from_str::<Judgement>(&text).unwrap().claims[0].verdict, first.claims[0].verdict);
}
