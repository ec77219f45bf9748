//! Verdicts as a test report: a claim is a case. Refuted and confounded are
//! failures, inconclusive and untestable are skipped (or failures, when asked),
//! an instrument at fault is an error.

use super::words::effect_in_words;
use crate::export_error::ExportError;
use crate::visible::visible_lines;
use fathom_claims::{Instance, JudgedCheck, JudgedClaim, Judgement, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The verdicts as `JUnit` XML; `strict` makes what is open a failure.
pub fn verdicts_as_junit(judgement: &Judgement, strict: bool) -> Result<String, ExportError> {
    let mut report = Report::new("fathom verify");
    let mut suites: Vec<TestSuite> = Vec::new();
    for claim in &judgement.claims {
        let mut case = TestCase::new(&claim.name, status(claim, strict));
        case.set_classname(&claim.experiment);
        case.set_system_out(found(claim));
        let known = suites.iter().position(|suite| suite.name.as_str() == claim.experiment);
        let suite = known.unwrap_or(suites.len());
        if known.is_none() {
            suites.push(TestSuite::new(&claim.experiment));
        }
        suites[suite].add_test_case(case);
    }
    if suites.is_empty() {
        return Err(ExportError::Nothing("no claims"));
    }
    report.add_test_suites(suites);
    Ok(visible_lines(report.to_string()?.trim_end()) + "\n")
}

fn status(claim: &JudgedClaim, strict: bool) -> TestCaseStatus {
    let kind = match claim.verdict {
        Verdict::Supported => return TestCaseStatus::success(),
        Verdict::Refuted | Verdict::Confounded => NonSuccessKind::Failure,
        Verdict::Inconclusive if is_at_fault(claim) => NonSuccessKind::Error,
        Verdict::Inconclusive if strict => NonSuccessKind::Failure,
        Verdict::Inconclusive | Verdict::Untestable => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(format!("{}: {}", claim.verdict.word(), claim.because));
            return skipped;
        }
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(claim.verdict.word()).set_message(claim.because.clone());
    status
}

fn is_at_fault(claim: &JudgedClaim) -> bool {
    instances(claim).any(|instance| instance.doubts.iter().any(|doubt| doubt.starts_with("instrument fault")))
}

fn instances(claim: &JudgedClaim) -> impl Iterator<Item = &Instance> {
    let fair = claim.fair.iter().flat_map(|fair| &fair.checks);
    claim.checks.iter().chain(fair).flat_map(|check: &JudgedCheck| &check.instances)
}

fn found(claim: &JudgedClaim) -> String {
    let mut lines = vec![format!("\"{}\" ({})", claim.sentence, claim.source)];
    lines.extend(claim.reported.iter().map(|reported| format!("reported: {reported}")));
    for instance in instances(claim) {
        let effect = instance.effect.as_ref().map_or_else(|| "nothing".to_owned(), effect_in_words);
        let sides =
            [&instance.of, &instance.to].into_iter().flatten().cloned().collect::<Vec<_>>().join(" beside ");
        lines.push(format!("{sides} in {}: {effect}: {}", instance.place, instance.verdict.word()));
    }
    lines.join("\n")
}
