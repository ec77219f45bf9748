//! Tables for a pull request: per comparison the times with their intervals and
//! the system calls by name.

use super::ExportError;
use crate::label::{labels, title};
use crate::measurement::{Measurement, measurements};
use crate::quantity::{NONE, TimeUnit, per_operation};
use crate::redact::REDACTED;
use crate::standing::{by_time, is_faulty, ratios};
use crate::text::calls::call_name;
use crate::visible::visible;
use crate::written::{Written, ratio, time_in_table};
use fathom_model::{CallCount, Comparison, Estimate, ExperimentRecord, Record, StopReason};
use std::fmt::Write;

/// The record as GitHub's Markdown.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let measurements = measurements(record);
    if measurements.is_empty() {
        return Err(ExportError::Nothing("no comparisons"));
    }
    let mut text = String::new();
    for experiment in &record.experiments {
        let _infallible = writeln!(text, "## {}: {}\n", cell(&experiment.name), cell(&experiment.title));
        for comparison in &experiment.comparisons {
            let of_it: Vec<_> =
                measurements.iter().filter(|each| std::ptr::eq(each.comparison, comparison)).collect();
            section(&mut text, record, comparison, &of_it);
        }
        unmeasured(&mut text, experiment);
    }
    let environment = &record.environment;
    let cpu = environment.cpu_model.value().map_or(NONE, String::as_str);
    let _infallible = writeln!(
        text,
        "Fathom {}, {}, Linux {}, {}{}",
        record.fathom_version,
        record.created,
        cell(&environment.kernel),
        cell(cpu),
        if record.complete { "" } else { "; **incomplete**: the run was interrupted or failed" },
    );
    for warning in record.warnings.iter().filter(|warning| warning.code == REDACTED) {
        let _infallible = writeln!(text, "\n{}", cell(&warning.message));
    }
    Ok(text)
}

fn section(text: &mut String, record: &Record, comparison: &Comparison, measured: &[&Measurement<'_>]) {
    let labels = labels(record, comparison);
    let label = |each: &Measurement<'_>| format!("`{}`", cell(&labels[each.index]).replace('`', "'"));
    let order: Vec<_> = by_time(comparison).into_iter().map(|index| measured[index]).collect();
    let _infallible = writeln!(text, "### {}\n", cell(&title(comparison)));
    if is_faulty(comparison) {
        text.push_str(
            "**Instrument fault**: the baseline differs from itself; no ratio here may be used.\n\n",
        );
    }
    if let StopReason::Failed(reason) = &comparison.stop {
        let _infallible = writeln!(text, "**Failed**: {}\n", cell(reason));
    }
    if order.iter().any(|each| each.summary().is_some()) {
        times(text, &order, &label);
    }
    calls(text, &order, &label);
    for each in &order {
        for (what, reason) in [("time", each.untimed()), ("counts", each.uncounted())] {
            if let Some(reason) = reason {
                let _infallible = writeln!(text, "No {what} of {}: {}\n", label(each), cell(reason));
            }
        }
    }
}

fn times(text: &mut String, order: &[&Measurement<'_>], label: &dyn Fn(&Measurement<'_>) -> String) {
    let all: Vec<_> = order.iter().filter_map(|each| Some(each.summary()?.time_ns.value)).collect();
    let unit = TimeUnit::shared(&all);
    let percent =
        order.iter().find_map(|each| Some(confidence(&each.summary()?.time_ns))).unwrap_or_default();
    let _infallible = writeln!(
        text,
        "| method | {}/op | {percent} | ratio | {percent} | | forks |\n|---|--:|--:|--:|--:|---|--:|",
        unit.symbol(),
    );
    for each in order {
        let Some(summary) = each.summary() else { continue };
        let time = time_in_table(&summary.time_ns, unit.ns());
        let against = each.ratio().map(ratio);
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            label(each),
            time.value,
            time.range(),
            against.as_ref().map_or("", |ratio| &ratio.value),
            against.as_ref().map(Written::range).unwrap_or_default(),
            each.verdict().replace('-', " "),
            summary.time_ns.forks,
        );
    }
    text.push('\n');
    if order.len() > 2 && order.iter().any(|each| each.ratio().is_some()) {
        let all = ratios(order[0].comparison);
        let _infallible = writeln!(
            text,
            "Faster and slower hold for all {all} ratios together; *alone*: only if it were the one ratio asked for.\n"
        );
    }
}

fn calls(text: &mut String, order: &[&Measurement<'_>], label: &dyn Fn(&Measurement<'_>) -> String) {
    let mut names: Vec<String> = Vec::new();
    for call in order.iter().filter_map(|each| each.pass()).flat_map(|pass| &pass.inside) {
        let name = call_name(call);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if order.iter().all(|each| each.pass().is_none()) {
        return;
    }
    let heads: String = names.iter().flat_map(|name| [" ".to_owned(), cell(name), " |".to_owned()]).collect();
    let rule = "--:|".repeat(names.len());
    let _infallible = writeln!(text, "| system calls per operation | all |{heads}\n|---|--:|{rule}");
    for each in order {
        let Some(pass) = each.pass() else { continue };
        let all = per_operation(pass.calls_per_operation(), pass.is_exact());
        let _infallible = write!(text, "| {} | {all} |", label(each));
        for name in &names {
            let own: Vec<&CallCount> = pass.inside.iter().filter(|call| call_name(call) == *name).collect();
            let exact = own.iter().all(|call| call.is_exact());
            let sum = own.iter().map(|call| call.per_operation()).sum();
            let shown = if own.is_empty() { String::new() } else { per_operation(sum, exact) };
            let _infallible = write!(text, " {shown} |");
        }
        text.push('\n');
    }
    text.push('\n');
}

fn unmeasured(text: &mut String, experiment: &ExperimentRecord) {
    for each in &experiment.unmeasured {
        let scope = each.scope.as_deref().map(|scope| format!(" ({scope})")).unwrap_or_default();
        let _infallible =
            writeln!(text, "Not measured: `{}`{}: {}\n", each.method, cell(&scope), cell(&each.reason));
    }
}

fn confidence(estimate: &Estimate) -> String {
    format!("{} %", (estimate.confidence * 1000.0).round() / 10.0)
}

/// The text on one line, without what Markdown or a table would take for its own.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    visible(&line).replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{all, complete, troubled};

    #[test]
    fn a_record_reads_as_recorded() {
        insta::assert_snapshot!(export(&complete()).unwrap());
    }

    #[test]
    fn every_table_has_as_many_cells_in_every_row() {
        for (name, record) in all() {
            let Ok(text) = export(&record) else { continue };
            let cells = |line: &str| line.replace("\\|", "").matches('|').count();
            let lines: Vec<_> = text.lines().collect();
            for table in lines.split(|line| !line.starts_with('|')).filter(|table| !table.is_empty()) {
                assert!(table.len() > 2, "{name}: {table:?}");
                assert!(table.iter().all(|line| cells(line) == cells(table[0])), "{name}: {table:#?}");
            }
            assert!(!text.contains("NaN") && !text.contains("inf |"), "{name}");
        }
    }

    #[test]
    fn a_fault_is_said_and_takes_the_ratios_away() {
        let text = export(&troubled()).unwrap();
        assert!(text.contains("**Instrument fault**"), "{text}");
    }

    #[test]
    fn a_text_cannot_break_out_of_its_cell() {
        assert_eq!(cell("a|b\n<img>\u{1b}"), "a\\|b &lt;img>\\u{1b}");
    }
}
