//! The sections of docs/METHODOLOGY.md that a calibration replaces, and their
//! heading: when, on what machine, and how disturbed.

use crate::section::replace_section;
use anyhow::Context;
use fathom_model::{Reading, Record};
use std::collections::BTreeSet;
use std::time::Duration;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/METHODOLOGY.md");

/// One paragraph on the run, from the records themselves.
pub(super) fn heading(kind: &str, records: &[Record], elapsed: Duration) -> String {
    let Some(first) = records.first() else { return format!("{kind}; no record was taken.") };
    let environment = &first.environment;
    let cpu = environment.cpu_model.value().map_or("CPU unknown", String::as_str);
    let virtualization = environment.virtualization.value().map_or("virtualization unknown", String::as_str);
    let file_systems: BTreeSet<&str> =
        records.iter().flat_map(|record| &record.places).map(|place| place.file_system.as_str()).collect();
    format!(
        "{kind}, begun {}, {:.0} s: Fathom {}, Linux {} {}, {cpu}, {} CPUs, {virtualization}; files on {}.\n{}",
        first.created,
        elapsed.as_secs_f64(),
        first.fathom_version,
        environment.kernel,
        environment.architecture,
        environment.cpus.len(),
        file_systems.into_iter().collect::<Vec<_>>().join(", "),
        disturbance(records),
    )
}

/// Load and warnings of all sessions: the calibration itself keeps one CPU busy.
fn disturbance(records: &[Record]) -> String {
    let noises = || records.iter().filter_map(|record| record.noise.value());
    let range = |values: Vec<f64>, unit: &str| {
        let (low, high) =
            values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        if values.is_empty() { "unknown".to_owned() } else { format!("{low:.1} to {high:.1}{unit}") }
    };
    let loads = noises().filter_map(|noise| reading(&noise.load_average_start)).collect();
    let waits =
        noises().filter_map(|noise| reading(&noise.cpu_pressure_share)).map(|share| 100.0 * share).collect();
    let codes: BTreeSet<&str> = records
        .iter()
        .flat_map(|record| {
            let comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
            record.warnings.iter().chain(comparisons.flat_map(|comparison| &comparison.warnings))
        })
        .map(|warning| warning.code.as_str())
        .collect();
    let codes =
        if codes.is_empty() { "none".to_owned() } else { codes.into_iter().collect::<Vec<_>>().join(", ") };
    format!(
        "Over {} sessions: load average {}, tasks waiting for a CPU {}; warnings given: {codes}.",
        records.len(),
        range(loads, ""),
        range(waits, " % of the time"),
    )
}

fn reading(reading: &Reading<f64>) -> Option<f64> {
    reading.value().copied()
}

/// Puts `text` between the markers of this name in docs/METHODOLOGY.md.
pub(super) fn write(section: &str, text: &str) -> anyhow::Result<()> {
    let document = std::fs::read_to_string(FILE).context("failed to read docs/METHODOLOGY.md")?;
    let replaced = replace(&document, section, text)
        .with_context(|| format!("docs/METHODOLOGY.md has no <!-- {section} --> … <!-- /{section} -->"))?;
    std::fs::write(FILE, replaced).context("failed to write docs/METHODOLOGY.md")
}

fn replace(document: &str, section: &str, text: &str) -> Option<String> {
    replace_section(document, &format!("<!-- {section} -->"), &format!("<!-- /{section} -->"), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_the_markers_is_replaced_and_nothing_else() {
        let document = "a\n<!-- one -->\nold | table\n<!-- /one -->\nb\n";
        let once = replace(document, "one", "new\n").unwrap();
        assert_eq!(once, "a\n<!-- one -->\nnew\n<!-- /one -->\nb\n");
        assert_eq!(replace(&once, "one", "new\n"), Some(once.clone()), "twice is as good as once");
        assert_eq!(replace(document, "other", "new"), None);
    }

    #[test]
    fn the_document_has_its_markers() {
        let document = std::fs::read_to_string(FILE).unwrap();
        for section in ["calibration", "false-alarms"] {
            assert!(replace(&document, section, "x").is_some(), "{section}");
        }
    }

    #[test]
    fn the_heading_tells_the_machine_and_the_disturbance() {
        let records: Vec<_> = fathom_testkit::all().into_iter().map(|(_, record)| record).collect();
        let text = heading("A quick run", &records, Duration::from_secs(90));
        for word in ["quick", "90 s", &records[0].environment.kernel, "ext4", "load average"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        let code = &records.iter().find_map(|record| record.warnings.first()).unwrap().code;
        assert!(text.contains(code), "{text}");
        assert!(heading("A run", &[], Duration::ZERO).contains("no record"));
    }
}
