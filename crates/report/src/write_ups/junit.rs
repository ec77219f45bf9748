//! Verified write-ups as a test report: a document is a suite, a statement a case.

use super::{VerifiedStatement, VerifiedWriteUps};
use crate::export_error::ExportError;
use crate::visible::visible_lines;
use fathom_model::StatementVerdict;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The statements as `JUnit` XML; `strict` makes what is open or was not run a failure.
pub fn write_ups_as_junit(verified: &VerifiedWriteUps, strict: bool) -> Result<String, ExportError> {
    let mut report = Report::new("fathom verify");
    for write_up in &verified.write_ups {
        let mut suite = TestSuite::new(&write_up.name);
        for statement in &write_up.statements {
            let mut case = TestCase::new(&statement.id, status(statement, strict));
            case.set_classname(&write_up.name);
            case.set_system_out(format!("\"{}\"\nfound: {}", statement.says, statement.found));
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    if verified.write_ups.iter().all(|write_up| write_up.statements.is_empty()) {
        return Err(ExportError::Nothing("no statements"));
    }
    Ok(visible_lines(report.to_string()?.trim_end()) + "\n")
}

fn status(statement: &VerifiedStatement, strict: bool) -> TestCaseStatus {
    let is_failure = match statement.verdict {
        StatementVerdict::Supported => return TestCaseStatus::success(),
        StatementVerdict::Refuted | StatementVerdict::Confounded => true,
        StatementVerdict::Inconclusive | StatementVerdict::NotRun => strict,
        StatementVerdict::Untestable => false,
    };
    if is_failure {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(statement.verdict.word()).set_message(statement.why.clone());
        return status;
    }
    let mut skipped = TestCaseStatus::skipped();
    skipped.set_message(format!("{}: {}", statement.verdict.word(), statement.why));
    skipped
}
