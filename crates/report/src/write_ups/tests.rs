//! Statements on scripted records: the table, what was not run, and whose reason is said.

use super::*;
use crate::options::{Details, TextOptions};
use crate::verdicts::tests::{claim, claims, judged, record};
use crate::wrap::width;
use fathom_claims::judge;
use fathom_model::{Claim, Statement};

fn statement(id: &str, says: &str, claims: &[&str]) -> Statement {
    Statement {
        id: id.into(),
        kind: StatementKind::Statement,
        section: "Opening files".into(),
        says: says.into(),
        how: None,
        claims: claims.iter().map(|name| format!("duel/{name}").parse().unwrap()).collect(),
        untestable: None,
        why: std::collections::BTreeMap::new(),
    }
}

fn write_up() -> WriteUp {
    let mut refuted = statement("answers", "Both programs count the same number of matches.", &["answers"]);
    refuted.why.insert(StatementVerdict::Refuted, "the one splits lines at the border of a block".into());
    refuted.why.insert(StatementVerdict::Supported, "both read every byte".into());
    let mut never = statement("on-aix", "AIX behaves alike.", &[]);
    never.untestable = Some("AIX does not run on this hardware".into());
    never.section = "Elsewhere".into();
    WriteUp {
        name: "a-post".into(),
        title: "On opening".into(),
        author: "somebody".into(),
        date: None,
        hardware: None,
        statements: vec![
            statement("much-faster", "Opening with open is much faster than with os.Open.", &["beats"]),
            statement("seven", "os.Open makes seven calls, none of them fstat.", &["calls"]),
            refuted,
            statement("zig", "Zig opens in the same time, with seven calls.", &["calls", "zig"]),
            never,
        ],
    }
}

fn verified() -> VerifiedWriteUps {
    VerifiedWriteUps::new(&[write_up()], judged(&record()), false)
}

#[test]
fn statements_read_as_recorded() {
    let text = render_write_ups(&verified(), false, &TextOptions::default());
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn evidence_comes_before_the_table_when_asked_for() {
    let verified = verified();
    let full = TextOptions { details: Details::Full, ..TextOptions::default() };
    let text = render_write_ups(&verified, true, &full);
    let evidence = text.find("SUPPORTED: it holds in").unwrap();
    assert!(evidence < text.find("claimed ").unwrap(), "{text}");
    assert!(text.ends_with(
        render_write_ups(&verified, false, &TextOptions::default()).split_once("\n\n").unwrap().1
    ));
}

#[test]
fn a_written_reason_is_said_of_its_verdict_alone() {
    let why = |write_up: &WriteUp, judgement: Judgement| {
        let verified = VerifiedWriteUps::new(std::slice::from_ref(write_up), judgement, false);
        let row = verified.write_ups[0].statements.iter().find(|row| row.id == "answers").unwrap().clone();
        (row.verdict, row.why)
    };
    let mut write_up = write_up();
    let refuted = why(&write_up, judged(&record()));
    assert_eq!(refuted, (StatementVerdict::Refuted, "the one splits lines at the border of a block".into()));
    let mut right = record();
    for answer in &mut right.experiments[0].comparisons[0].answers {
        answer.found = answer.expected;
    }
    assert_eq!(why(&write_up, judged(&right)), (StatementVerdict::Supported, "both read every byte".into()));
    // Without one for the verdict, the number is held against what was claimed.
    write_up.statements[2].why.remove(&StatementVerdict::Refuted);
    let (_, said) = why(&write_up, judged(&record()));
    assert_eq!(said, "answer, over the truth, of go:os.Open: 0.970 in ext4 /var/tmp, claimed exactly 1");
    // A record of something else tried none of it.
    let mut other = record();
    other.experiments[0].name = "other".into();
    let (verdict, said) = why(&write_up, judged(&other));
    assert_eq!((verdict, said.as_str()), (StatementVerdict::NotRun, "no record holds duel"));
    other.complete = false;
    assert_eq!(why(&write_up, judged(&other)).1, "the run ended before duel");
}

#[test]
fn claims_that_nothing_can_test_leave_the_others_open() {
    let mut never = claim("never", "it takes 3 s on their machine", Vec::new());
    never.untestable = Some("their machine is not here".into());
    let mut all = claims();
    all.push(never);
    let named: Vec<(&str, &Claim)> = all.iter().map(|claim| ("duel", claim)).collect();
    let judgement = judge(&named, &[&record()], 0.05);
    let mut write_up = write_up();
    write_up.statements =
        vec![statement("both", "b", &["calls", "never"]), statement("alone", "a", &["never"])];
    let verified = VerifiedWriteUps::new(&[write_up], judgement, false);
    let rows: Vec<_> =
        verified.write_ups[0].statements.iter().map(|row| (row.verdict, row.why.as_str())).collect();
    assert_eq!(
        rows,
        [
            (StatementVerdict::Inconclusive, "never: a part cannot be tested: their machine is not here"),
            (StatementVerdict::Untestable, "their machine is not here"),
        ]
    );
}

#[test]
fn statements_whose_claims_were_not_asked_for_are_left_out() {
    let named = claims();
    let asked: Vec<(&str, &Claim)> =
        named.iter().filter(|claim| claim.name == "calls").map(|claim| ("duel", claim)).collect();
    let verified = VerifiedWriteUps::new(&[write_up()], judge(&asked, &[&record()], 0.05), true);
    let rows: Vec<_> = verified.write_ups[0]
        .statements
        .iter()
        .map(|row| (row.id.as_str(), row.verdict, row.why.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            ("seven", StatementVerdict::Supported, "it holds in ext4 /var/tmp"),
            ("zig", StatementVerdict::NotRun, "left out: it was not asked for"),
        ]
    );
}

#[test]
fn a_test_report_fails_for_what_is_refuted_and_skips_what_was_not_run() {
    let junit = write_ups_as_junit(&verified(), false).unwrap();
    assert!(junit.contains("tests=\"5\" skipped=\"2\" errors=\"0\" failures=\"2\""), "{junit}");
    assert!(junit.contains("<skipped message=\"not run: zig: zig:openat: zig was not found\""), "{junit}");
    let strict = write_ups_as_junit(&verified(), true).unwrap();
    assert!(strict.contains("skipped=\"1\" errors=\"0\" failures=\"3\""), "{strict}");
}
