//! A test report: a suite per comparison, a case per variant. Measured is
//! passed, not measured is skipped, and where the A/A control is at fault, or
//! the comparison failed, the case is in error: nothing may be concluded.

use super::ExportError;
use crate::label::title;
use crate::measurement::{Measurement, ends, full, measurements};
use crate::visible::{visible, visible_lines};
use fathom_model::{Reading, Record, Unmeasured};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

/// The record as `JUnit` XML.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let mut report = Report::new("fathom");
    let measurements = measurements(record);
    for experiment in &record.experiments {
        for comparison in &experiment.comparisons {
            let mut suite = suite(record, &format!("{}: {}", experiment.name, title(comparison)));
            let of_it = measurements.iter().filter(|each| std::ptr::eq(each.comparison, comparison));
            let of_it: Vec<_> = of_it.collect();
            suite.set_time(of_it.iter().filter_map(|each| each.time_taken()).sum());
            suite.add_test_cases(of_it.into_iter().map(case));
            report.add_test_suite(suite);
        }
        if !experiment.unmeasured.is_empty() {
            let mut suite = suite(record, &format!("{}: not measured", experiment.name));
            let cases = experiment.unmeasured.iter();
            suite.add_test_cases(cases.map(|each| unmeasured(&experiment.name, each)));
            report.add_test_suite(suite);
        }
    }
    if report.test_suites.is_empty() {
        return Err(ExportError::Nothing("no comparisons"));
    }
    let text = report.to_string()?;
    Ok(text.trim_end().to_owned() + "\n")
}

fn suite(record: &Record, name: &str) -> TestSuite {
    let mut suite = TestSuite::new(visible(name));
    suite.add_properties([
        Property::new("fathom", &record.fathom_version),
        Property::new("created", &record.created),
        Property::new("kernel", &record.environment.kernel),
    ]);
    suite
}

fn case(measurement: &Measurement<'_>) -> TestCase {
    let mut case = TestCase::new(visible(&measurement.identity.name()), status(measurement));
    case.set_classname(&measurement.experiment.name);
    if let Some(time) = measurement.time_taken() {
        case.set_time(time);
    }
    case.add_properties(properties(measurement));
    case.set_system_out(visible_lines(&figures(measurement)));
    case
}

/// The figures for programs, with all their digits: `time` of a case has milliseconds only.
fn properties(measurement: &Measurement<'_>) -> Vec<Property> {
    let mut found = Vec::new();
    if let Some(summary) = measurement.summary() {
        found.push(("ns-per-operation", summary.time_ns.value));
        if let Some((low, high)) = ends(&summary.time_ns) {
            found.extend([("ns-per-operation-low", low), ("ns-per-operation-high", high)]);
        }
    }
    found.extend(measurement.ratio().map(|ratio| ("ratio", ratio.value)));
    found.extend(measurement.pass().map(|pass| ("system-calls-per-operation", pass.calls_per_operation())));
    found.into_iter().map(|(name, value)| Property::new(name, value.to_string())).collect()
}

fn status(measurement: &Measurement<'_>) -> TestCaseStatus {
    if let Some(reason) = measurement.failure() {
        return error("failed", reason);
    }
    if measurement.is_faulty() {
        let shown = match &measurement.comparison.control {
            Reading::Value(control) => full(&control.ratio),
            Reading::Unavailable(reason) => reason.clone(),
        };
        return error("control-fault", &format!("the baseline differs from itself: {shown}"));
    }
    match (measurement.summary(), measurement.pass()) {
        (None, None) => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(visible_lines(measurement.untimed().unwrap_or("not measured")));
            skipped
        }
        _ => TestCaseStatus::success(),
    }
}

fn error(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind).set_message(visible_lines(message));
    status
}

fn unmeasured(experiment: &str, unmeasured: &Unmeasured) -> TestCase {
    let mut status = TestCaseStatus::skipped();
    status.set_message(visible_lines(&unmeasured.reason));
    let scope = unmeasured.scope.as_deref().map(|scope| format!(" {scope}")).unwrap_or_default();
    let mut case = TestCase::new(visible(&format!("{experiment} {}{scope}", unmeasured.method)), status);
    case.set_classname(experiment);
    case
}

fn figures(measurement: &Measurement<'_>) -> String {
    let mut lines = Vec::new();
    if let Some(summary) = measurement.summary() {
        lines.push(format!("time: {} ns/op, {} forks", full(&summary.time_ns), summary.time_ns.forks));
    }
    lines.extend(measurement.untimed().map(|reason| format!("no time: {reason}")));
    lines.extend(measurement.ratio().map(|ratio| format!("ratio to the baseline: {}", full(ratio))));
    lines.push(format!("verdict: {}", measurement.verdict()));
    if let (Some(pass), Some(calls)) = (measurement.pass(), measurement.calls()) {
        let exact = if pass.is_exact() { "exact" } else { "varied" };
        lines.push(format!("system calls: {} per operation, {exact}: {calls}", pass.calls_per_operation()));
    }
    lines.extend(measurement.uncounted().map(|reason| format!("no counts: {reason}")));
    let (proof, reason) = measurement.proof();
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    lines.push(format!("cache: {}, {proof}{reason}", measurement.variant.cache));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, troubled};

    fn cases(record: &Record) -> Vec<TestCase> {
        let report = Report::deserialize_from_str(&export(record).unwrap()).unwrap();
        report.test_suites.into_iter().flat_map(|suite| suite.test_cases).collect()
    }

    #[test]
    fn measured_variants_pass_with_their_figures() {
        let record = complete();
        let cases = cases(&record);
        let passed = cases.iter().filter(|case| matches!(case.status, TestCaseStatus::Success { .. }));
        assert_eq!(passed.count(), measurements(&record).len());
        let comparison = &record.experiments[0].comparisons[0];
        let ns = comparison.forks.iter().flat_map(|fork| fork.arms[1].ns.iter().flatten());
        let seconds = ns.sum::<u64>() as f64 / 1e9;
        let time = cases[1].time.expect("what was timed took its time").as_secs_f64();
        assert!(seconds > 0.0 && (time - seconds).abs() <= 0.0005, "{time} {seconds}");
        let has = |name: &str, value: &str| {
            cases[1].properties.iter().any(|each| each.name.as_str() == name && each.value.as_str() == value)
        };
        assert!(has("ns-per-operation", "3621") && has("system-calls-per-operation", "7"), "{:?}", cases[1]);
        let out = cases[1].system_out.as_ref().unwrap().as_str();
        assert!(out.contains("time: 3621 [3609, 3633] ns/op"), "{out}");
        assert!(out.contains("system calls: 7 per operation, exact: fcntl 4, openat 1"), "{out}");
    }

    #[test]
    fn a_fault_is_an_error_and_what_was_not_measured_is_skipped() {
        let record = troubled();
        let cases = cases(&record);
        let faulty = measurements(&record).iter().filter(|each| each.is_faulty()).count();
        let is_error = |case: &&TestCase| {
            matches!(&case.status, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. })
        };
        assert!(faulty > 0 && cases.iter().filter(is_error).count() >= faulty);
        let skipped = cases.iter().filter(|case| matches!(case.status, TestCaseStatus::Skipped { .. }));
        let unmeasured: usize = record.experiments.iter().map(|each| each.unmeasured.len()).sum();
        assert!(unmeasured > 0 && skipped.count() >= unmeasured);
    }
}
