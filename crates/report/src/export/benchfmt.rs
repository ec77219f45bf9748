//! Go's benchmark format: a line per fork and arm. Configuration lines hold only
//! what two records of one machine share, as benchstat parts its tables by them.

use super::ExportError;
use crate::measurement::{Measurement, measurements};
use fathom_model::{ArmKind, CountPass, Record};
use fathom_stats::ForkFigures;
use std::fmt::Write;

/// Counts that were the same in every repetition.
const EXACT: &str = "syscalls/op";
/// Counts that were not: benchstat must not take them for exact.
const VARIED: &str = "varied-syscalls/op";

/// Figures of a driver and the names that Go gives them.
const RUNTIME: [(&str, &str); 2] = [("alloc_bytes", "B/op"), ("allocs", "allocs/op")];

/// The record as input of benchstat.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let mut lines = Vec::new();
    let mut fault = false;
    for measurement in measurements(record) {
        let own = lines_of(&measurement);
        if !own.is_empty() && measurement.is_faulty() != fault {
            fault = !fault;
            // Without a value the key is gone again.
            lines.push(if fault { "aa-control: fault".to_owned() } else { "aa-control:".to_owned() });
        }
        lines.extend(own);
    }
    if lines.is_empty() {
        return Err(ExportError::Nothing("neither times nor counts"));
    }
    Ok(head(record) + &lines.join("\n") + "\n")
}

/// What was measured where, then what benchstat is to take for exact.
fn head(record: &Record) -> String {
    let environment = &record.environment;
    let mut text =
        format!("# fathom {} of {}, seed {}\n", record.fathom_version, record.created, record.seed);
    if !record.complete {
        text.push_str("# incomplete: the run was interrupted or failed\n");
    }
    for driver in &record.drivers {
        let _infallible = writeln!(text, "# driver {}: {}", driver.driver, one_line(&driver.runtime));
    }
    let architecture = match environment.architecture.as_str() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let governor = environment.governor.value().map(String::as_str);
    let facts = [
        ("goos", Some("linux")),
        ("goarch", Some(architecture)),
        ("cpu", environment.cpu_model.value().map(String::as_str)),
        ("kernel", Some(environment.kernel.as_str())),
        ("governor", governor),
    ];
    for (key, value) in facts {
        if let Some(value) = value {
            let _infallible = writeln!(text, "{key}: {}", one_line(value));
        }
    }
    let _infallible = writeln!(text, "Unit {EXACT} assume=exact\n");
    text
}

fn lines_of(measurement: &Measurement<'_>) -> Vec<String> {
    let counts = measurement.pass().map(calls).unwrap_or_default();
    let line = |name: &str, figures: &ForkFigures| {
        let mut line = format!("{name} {} {} ns/op{counts}", figures.operations, figures.time_ns);
        for (figure, unit) in RUNTIME {
            if let Some(each) = figures.runtime_per_operation.get(figure).filter(|each| each.is_finite()) {
                let _infallible = write!(line, " {each} {unit}");
            }
        }
        line
    };
    let name = measurement.identity.go_name(None);
    let own = measurement.forks(ArmKind::Variant(measurement.index));
    let mut lines: Vec<_> = own.iter().map(|figures| line(&name, figures)).collect();
    if let (true, Some(pass)) = (lines.is_empty(), measurement.pass()) {
        lines.push(format!("{name} {}{counts}", pass.run_lengths[0]));
    }
    if measurement.index == measurement.comparison.baseline {
        let control = measurement.identity.go_name(Some("control"));
        lines.extend(measurement.forks(ArmKind::Control).iter().map(|figures| line(&control, figures)));
    }
    lines
}

fn calls(pass: &CountPass) -> String {
    let unit = if pass.is_exact() { EXACT } else { VARIED };
    format!(" {} {unit}", pass.calls_per_operation())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Reading;
    use fathom_testkit::{all, complete, troubled};

    #[test]
    fn there_is_a_line_per_fork_and_its_median_is_the_summary_s() {
        let record = complete();
        let text = export(&record).unwrap();
        let comparison = &record.experiments[0].comparisons[0];
        let lines: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.contains("/method=go:os.Open/"))
            .map(|line| line.split(' ').collect())
            .collect();
        assert_eq!(lines.len(), comparison.forks.len());
        assert_eq!(lines[0][3..], ["ns/op", "7", "syscalls/op", "200", "B/op", "3", "allocs/op"]);
        let times: Vec<f64> = lines.iter().map(|line| line[2].parse().unwrap()).collect();
        let median = fathom_stats::median(&times).unwrap();
        let Reading::Value(summary) = &comparison.summaries[1] else { panic!("not timed") };
        assert!((median / summary.time_ns.value - 1.0).abs() < 1e-4, "{median}");
        assert!(lines.iter().all(|line| line[1] == "300"), "three blocks of a hundred");
    }

    #[test]
    fn every_line_is_of_the_format_and_has_finite_figures() {
        for (name, record) in all() {
            let Ok(text) = export(&record) else { continue };
            for line in text.lines().filter(|line| line.starts_with("Benchmark")) {
                let words: Vec<_> = line.split(' ').collect();
                assert!(words.len() >= 4 && words.len().is_multiple_of(2), "{name}: {line}");
                assert!(words[0].rsplit('/').next().unwrap().starts_with("cache="), "{name}: {line}");
                assert!(words[1].parse::<u64>().unwrap() > 0, "{name}: {line}");
                for value in words[2..].iter().step_by(2) {
                    assert!(value.parse::<f64>().unwrap().is_finite(), "{name}: {line}");
                }
            }
        }
    }

    #[test]
    fn a_fault_of_the_control_sets_its_lines_apart() {
        assert!(export(&troubled()).unwrap().contains("\naa-control: fault\n"));
        assert!(!export(&complete()).unwrap().contains("aa-control"));
    }

    #[test]
    fn counts_that_varied_are_not_called_exact() {
        let mut record = complete();
        let Reading::Value(pass) = &mut record.experiments[0].comparisons[0].counts[0] else { panic!() };
        pass.inside[0].differences[0] += 1;
        let text = export(&record).unwrap();
        let of_first = |line: &&str| line.contains("/method=go:syscall.Open/");
        assert!(text.lines().filter(of_first).all(|line| line.contains(VARIED)), "{text}");
    }
}
