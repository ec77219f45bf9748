//! The section of docs/OVERHEAD.md that is measured.

use super::readings::ReadingCost;
use super::trial::{ArmFigures, ArmResult};
use crate::calibrate::figures::Middle;
use crate::section::replace_section;
use anyhow::Context;
use fathom_model::{Environment, Noise, Reading};
use std::fmt::Write as _;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/OVERHEAD.md");
const BEGIN: &str = "<!-- overhead -->";
const END: &str = "<!-- /overhead -->";
const NONE: &str = "–";

/// All that was found.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) created: String,
    pub(super) seconds: f64,
    pub(super) environment: Environment,
    pub(super) file_system: String,
    pub(super) noise: Noise,
    pub(super) trials: Vec<ArmResult>,
    pub(super) readings: Vec<ReadingCost>,
    pub(super) prices: Result<f64, String>,
}

/// The whole section.
pub(super) fn text(findings: &Findings) -> String {
    let mut text = heading(findings);
    text.push_str(&open_close(&findings.trials));
    text.push_str(&cold_reads(&findings.trials));
    text.push_str(&once(findings));
    text.push_str(&readings(&findings.readings));
    text
}

/// Puts `text` between the markers of docs/OVERHEAD.md.
pub(super) fn write(text: &str) -> anyhow::Result<()> {
    let document = std::fs::read_to_string(FILE).context("failed to read docs/OVERHEAD.md")?;
    let replaced = replace_section(&document, BEGIN, END, text)
        .with_context(|| format!("docs/OVERHEAD.md has no {BEGIN} … {END}"))?;
    std::fs::write(FILE, replaced).context("failed to write docs/OVERHEAD.md")
}

/// Puts a part that is measured alone between its markers.
pub(super) fn write_part(name: &str, text: &str) -> anyhow::Result<()> {
    let document = std::fs::read_to_string(FILE).context("failed to read docs/OVERHEAD.md")?;
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let replaced = replace_section(&document, &begin, &end, text)
        .with_context(|| format!("docs/OVERHEAD.md has no {begin} … {end}"))?;
    std::fs::write(FILE, replaced).context("failed to write docs/OVERHEAD.md")
}

fn heading(findings: &Findings) -> String {
    let Findings { created, seconds, environment, file_system, noise, trials, .. } = findings;
    let word = |reading: &Reading<String>| reading.value().cloned().unwrap_or_else(|| "unknown".to_owned());
    let share = |reading: &Reading<f64>| {
        reading.value().map_or_else(|| "unknown".to_owned(), |share| format!("{:.0} %", share * 100.0))
    };
    let forks =
        trials.iter().filter_map(|trial| trial.found.as_ref().ok()).map(|found| found.open_close_ns.n).max();
    format!(
        "Measured {created} in {seconds:.0} s: Fathom {}, Linux {} {}, {}, {} CPUs, {}; {file_system}; {} forks. The machine meanwhile: \
         load {} to {}, tasks waiting for a CPU {} of the time.\n",
        env!("CARGO_PKG_VERSION"),
        environment.kernel,
        environment.architecture,
        word(&environment.cpu_model),
        environment.cpus.len(),
        word(&environment.virtualization),
        forks.unwrap_or(0),
        number(&noise.load_average_start),
        number(&noise.load_average_end),
        share(&noise.cpu_pressure_share),
    )
}

fn open_close(trials: &[ArmResult]) -> String {
    let mut text = "\n### Opening and closing a warm file (two calls)\n\n\
                    | while collected | ns | adds to it, ns | adds to another process, ns | n |\n|---|---:|---:|---:|---:|\n"
        .to_owned();
    for trial in trials {
        row(&mut text, trial, 5, |found| {
            let adds = |middle: Option<Middle>| middle.map_or(NONE.to_owned(), |middle| middle.text(1));
            let ns = found.open_close_ns;
            vec![ns.text(0), adds(found.adds_ns), adds(found.bystander_adds_ns), ns.n.to_string()]
        });
    }
    text
}

fn cold_reads(trials: &[ArmResult]) -> String {
    let mut text = "\n### Opening, reading and closing a file of 4 KiB that is not in the page cache\n\n\
                    | while collected | µs | adds, µs | n |\n|---|---:|---:|---:|\n"
        .to_owned();
    for trial in trials {
        row(&mut text, trial, 4, |found| {
            let us = |middle: Option<Middle>| {
                middle.map_or(NONE.to_owned(), |middle| in_thousands(middle).text(2))
            };
            let n = found.cold_read_ns.map_or(0, |middle| middle.n);
            vec![us(found.cold_read_ns), us(found.cold_adds_ns), n.to_string()]
        });
    }
    text
}

fn once(findings: &Findings) -> String {
    let mut text = "\n### Once for each process looked at\n\n| collector | to attach, ms | to let go, ms |\n|---|---:|---:|\n".to_owned();
    for trial in &findings.trials {
        let attaches = trial.found.as_ref().ok().and_then(|found| Some((found.attach_ms?, found.detach_ms?)));
        if let Some((attach, detach)) = attaches {
            put(&mut text, &format!("| {} | {} | {} |", trial.arm.name(), attach.text(1), detach.text(1)));
        }
    }
    let prices = match &findings.prices {
        Ok(seconds) => format!("takes {seconds:.1} s, once for a machine and file system"),
        Err(reason) => format!("was not measured: {reason}"),
    };
    put(&mut text, &format!("\n`fathom prices --dir D` {prices}."));
    text
}

fn readings(costs: &[ReadingCost]) -> String {
    let mut text =
        "\n### One reading of each source\n\n| reading | µs | rounds |\n|---|---:|---:|\n".to_owned();
    for cost in costs {
        let (us, n) = cost.us.map_or((NONE.to_owned(), 0), |us| (us.text(1), us.n));
        put(&mut text, &format!("| {} | {us} | {n} |", cost.name));
    }
    text
}

/// A row of a trial, or its reason across so many columns.
fn row(text: &mut String, trial: &ArmResult, columns: usize, cells: impl Fn(&ArmFigures) -> Vec<String>) {
    let cells = match &trial.found {
        Ok(found) => cells(found),
        Err(reason) => {
            let reason = format!("not to be had here: {}", reason.replace('|', "/"));
            std::iter::once(reason).chain(std::iter::repeat_n(NONE.to_owned(), columns - 2)).collect()
        }
    };
    put(text, &format!("| {} | {} |", trial.arm.name(), cells.join(" | ")));
}

fn put(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a String takes all");
}

fn in_thousands(middle: Middle) -> Middle {
    let Middle { value, interval, n } = middle;
    let interval = fathom_stats::Interval::new(interval.low / 1000.0, interval.high / 1000.0);
    Middle { value: value / 1000.0, interval, n }
}

fn number(reading: &Reading<f64>) -> String {
    reading.value().map_or_else(|| "unknown".to_owned(), |value| format!("{value:.1}"))
}

#[cfg(test)]
mod tests {
    use super::super::arm::Arm;
    use super::*;

    #[test]
    fn a_row_has_as_many_cells_as_its_heading() {
        let middle = Middle::of(&[1.0, 2.0, 3.0]).unwrap();
        let found = ArmFigures {
            open_close_ns: middle,
            adds_ns: Some(middle),
            bystander_adds_ns: None,
            cold_read_ns: Some(middle),
            cold_adds_ns: None,
            attach_ms: Some(middle),
            detach_ms: Some(middle),
        };
        let trials = [
            ArmResult { arm: Arm::Evidence, found: Ok(found) },
            ArmResult { arm: Arm::Count, found: Err("refused | by somebody".to_owned()) },
        ];
        for text in [open_close(&trials), cold_reads(&trials)] {
            let bars: Vec<_> = text
                .lines()
                .filter(|line| line.starts_with('|'))
                .map(|line| line.matches('|').count())
                .collect();
            assert!(bars.len() == 4 && bars.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
            assert!(text.contains("not to be had here: refused / by somebody"), "{text}");
        }
    }

    #[test]
    fn the_document_has_its_markers() {
        assert!(replace_section(&std::fs::read_to_string(FILE).unwrap(), BEGIN, END, "x").is_some());
    }
}
