//! Golden text of verdicts and budgets, on scripted records.

use super::*;
use fathom_claims::judge;
use fathom_model::{
    Answered, Check, Claim, Conditions, FairCheck, Form, Metric, Operation, Record, Region, Subject,
    Unmeasured,
};
use fathom_testkit::{duel, duel_of, fault_controls};

fn of_method(name: &str) -> Conditions {
    Conditions { method: name.parse().ok(), ..Conditions::default() }
}

fn check(metric: Metric, form: Form, of: Conditions, to: Option<Conditions>, region: Region) -> Check {
    Check { subject: Subject::Variants { metric, form, of, to }, region, usual_margin: false }
}

pub(crate) fn claim(name: &str, sentence: &str, checks: Vec<Check>) -> Claim {
    Claim {
        name: name.into(),
        sentence: sentence.into(),
        source: "an author, 2025-03-04".into(),
        reported: Some("1544 ns against 2520 ns".into()),
        checks,
        fair: None,
        untestable: None,
    }
}

pub(crate) fn record() -> Record {
    let ratios = [2.404, 2.394, 2.401, 2.398, 2.405, 2.397, 2.4, 2.402, 2.399];
    let mut record = duel(&ratios);
    let mut fair =
        duel_of(&[1.0, 1.003, 0.998, 1.001, 0.999, 1.002, 0.997, 1.0, 1.001], "cpp:open", "cpp:openat");
    fair.label = "beats, fair: 4 KiB · warm".into();
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
    record.experiments[0].comparisons.push(fair);
    record.experiments[0].unmeasured.push(Unmeasured {
        method: "zig:openat".parse().unwrap(),
        scope: None,
        reason: "zig was not found".into(),
    });
    record
}

pub(crate) fn claims() -> Vec<Claim> {
    let (slow, fast) = (of_method("go:os.Open"), of_method("native:open"));
    let mut beats = claim(
        "beats",
        "open is much faster than os.Open",
        vec![check(Metric::Time, Form::Saving, fast.clone(), Some(slow.clone()), Region::at_least(0.3))],
    );
    let ratio = Region::at_least(0.3);
    let fair = check(Metric::Time, Form::Saving, of_method("cpp:openat"), Some(of_method("cpp:open")), ratio);
    beats.fair = Some(FairCheck { checks: vec![fair], because: "the one polls".into() });
    vec![
        beats,
        claim(
            "calls",
            "os.Open makes seven calls, none of them fstat",
            vec![
                check(Metric::Calls, Form::Value, slow.clone(), None, Region::between(7.0, 7.0)),
                check(Metric::Call("fstat".into()), Form::Value, slow.clone(), None, Region::at_most(0.0)),
            ],
        ),
        claim(
            "answers",
            "both count the same",
            vec![check(Metric::Answer, Form::Value, slow.clone(), None, Region::between(1.0, 1.0))],
        ),
        claim(
            "zig",
            "Zig opens in the same time",
            vec![check(
                Metric::Time,
                Form::Ratio,
                Conditions { operation: Some(Operation::OpenClose), ..of_method("zig:openat") },
                Some(fast),
                Region::between(0.9, 1.1),
            )],
        ),
    ]
}

pub(crate) fn judged(record: &Record) -> Judgement {
    let claims = claims();
    let named: Vec<(&str, &Claim)> = claims.iter().map(|claim| ("duel", claim)).collect();
    judge(&named, &[record], 0.05)
}

fn full() -> TextOptions {
    TextOptions { details: Details::Full, ..TextOptions::default() }
}

#[test]
fn verdicts_read_as_recorded() {
    insta::assert_snapshot!(render_verdicts(&judged(&record()), &full()));
}

#[test]
fn an_instrument_at_fault_is_an_error_of_the_report_and_no_verdict() {
    let mut record = record();
    fault_controls(&mut record);
    let judgement = judged(&record);
    let text = render_verdicts(&judgement, &full());
    assert!(text.contains("INCONCLUSIVE: instrument fault"), "{text}");
    let junit = verdicts_as_junit(&judgement, false).unwrap();
    assert!(junit.contains("errors=\"1\"") && junit.contains("<error"), "{junit}");
}

#[test]
fn budgets_read_as_recorded() {
    insta::assert_snapshot!(render_budgets(&judged(&record()), &TextOptions::default()));
}

#[test]
fn many_claims_are_a_table_and_few_or_all_stand_with_their_evidence() {
    let mut judgement = judged(&record());
    let rest = judgement.claims.clone();
    while judgement.claims.len() <= WHOLE_MAX {
        judgement.claims.extend(rest.iter().cloned());
    }
    let options = TextOptions::default();
    let table = render_verdicts(&judgement, &options);
    let full = render_verdicts(&judgement, &full());
    assert!(table.starts_with(&tally(&judgement.claims)[..10]), "{table}");
    assert!(table.lines().count() < full.lines().count() / 2, "{table}");
    for claim in &judgement.claims {
        assert!(table.contains(&claim.name), "{}:\n{table}", claim.name);
    }
    assert!(table.contains("; claimed: ") && table.contains("--full"), "{table}");
    let few = Judgement { claims: rest[..1].to_vec(), ..judgement };
    assert!(!render_verdicts(&few, &options).contains("--full"));
}
